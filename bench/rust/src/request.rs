//! What can be asked.

use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
#[serde(rename_all = "lowercase", tag = "do")]
pub enum Request {
    Prepare { id: String, task: Task },
    Time { id: String, repeat: u32 },
}

/// A piece of work. `argument` is what `function` is called with, where there is one.
#[derive(Deserialize)]
pub struct Task {
    pub kind: Kind,
    pub source: String,
    pub evaluator: Evaluator,
    pub limits: Limits,
    #[serde(default)]
    pub function: String,
    #[serde(default)]
    pub argument: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Run a compiled script.
    Run,
    /// Call a function of a compiled script on a fresh engine: plain data in, plain data out.
    Fresh,
    /// The same call on an engine that is there, with a value that is there.
    Call,
    /// Compile a script.
    Compile,
}

#[derive(Clone, Copy, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Evaluator {
    Tree,
    Grain,
}

/// The limits, and whether the engine is hardened as the stage hooks are (`hook`).
#[derive(Clone, Deserialize)]
pub struct Limits {
    pub hook: bool,
    pub max_operations: u64,
    #[serde(default)]
    pub max_string_size: usize,
    #[serde(default)]
    pub max_array_size: usize,
    #[serde(default)]
    pub max_map_size: usize,
}
