//! What a request line may say. Unknown keys are refused at every level.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Copied to the answer by the worker, which needs it even for a request that does not parse.
    #[serde(default, rename = "id")]
    pub _id: Value,
    pub src: String,
    #[serde(default)]
    pub profile: Profile,
    #[serde(default)]
    pub opt: Level,
    /// Chooses an evaluator of the subject; here there is only one.
    #[serde(default, rename = "tier")]
    pub _tier: Value,
    #[serde(default)]
    pub limits: Limits,
    #[serde(default)]
    pub options: Options,
    #[serde(default)]
    pub scope: Map<String, Value>,
    #[serde(default)]
    pub consts: Map<String, Value>,
    #[serde(default)]
    pub modules: Option<std::collections::BTreeMap<String, String>>,
    #[serde(default)]
    pub call: Option<Call>,
    #[serde(default)]
    pub expression: bool,
    #[serde(default)]
    pub vars: bool,
}

#[derive(Deserialize, Default, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    #[default]
    Plain,
    Hook,
}

#[derive(Deserialize, Default, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    None,
    #[default]
    Simple,
}

/// 0 means unlimited for every one of them; absent means the profile's own limit.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    pub max_operations: Option<u64>,
    pub max_call_levels: Option<usize>,
    pub max_expr_depth: Option<usize>,
    pub max_function_expr_depth: Option<usize>,
    pub max_string_size: Option<usize>,
    pub max_array_size: Option<usize>,
    pub max_map_size: Option<usize>,
    pub max_variables: Option<usize>,
    pub max_functions: Option<usize>,
    pub max_modules: Option<usize>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    pub strict_variables: Option<bool>,
    pub allow_shadowing: Option<bool>,
    pub allow_looping: Option<bool>,
    pub allow_if_expression: Option<bool>,
    pub allow_switch_expression: Option<bool>,
    pub allow_loop_expressions: Option<bool>,
    pub allow_statement_expression: Option<bool>,
    pub allow_anonymous_fn: Option<bool>,
    pub fast_operators: Option<bool>,
    pub fail_on_invalid_map_property: Option<bool>,
    pub disable_symbols: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    #[serde(rename = "fn")]
    pub name: String,
    pub args: Vec<Value>,
    /// `"this": null` binds `()`, which is not the same as leaving `this` unbound.
    #[serde(default, deserialize_with = "present")]
    pub this: Option<Value>,
    #[serde(default = "yes")]
    pub eval_ast: bool,
}

fn present<'de, D: Deserializer<'de>>(source: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(source).map(Some)
}

fn yes() -> bool {
    true
}
