//! The engine of one request: profile, limits, options, and the callbacks that record what it did.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rhai::module_resolvers::DummyModuleResolver;
use rhai::{Engine, OptimizationLevel, Position};

use crate::hook_profile;
use crate::request::{Level, Limits, Options, Profile, Request};

const PLAIN_MAX_OPERATIONS: u64 = 3_000_000;

/// Text, source, and `line:position` of one `debug` call.
type Debugged = (String, Option<String>, String);

/// What a run left behind. Outlives the engine, so that a panic can still report it.
#[derive(Clone, Default)]
pub struct Recorder {
    /// The last number that `on_progress` saw. Native callbacks count on a copy of the counter that the
    /// engine then drops, so the last number seen is not always the largest.
    pub ops: Rc<Cell<u64>>,
    pub prints: Rc<RefCell<Vec<String>>>,
    pub debugs: Rc<RefCell<Vec<Debugged>>>,
}

impl Recorder {
    pub fn clear(&self) {
        self.ops.set(0);
        self.prints.borrow_mut().clear();
        self.debugs.borrow_mut().clear();
    }

    fn listen(&self, engine: &mut Engine) {
        let ops = self.ops.clone();
        engine.on_progress(move |count| {
            ops.set(count);
            None
        });
        let prints = self.prints.clone();
        engine.on_print(move |text| prints.borrow_mut().push(text.to_string()));
        let debugs = self.debugs.clone();
        engine.on_debug(move |text, source, at| {
            debugs
                .borrow_mut()
                .push((text.to_string(), source.map(str::to_string), place(at)));
        });
    }
}

fn place(at: Position) -> String {
    match at.line() {
        Some(line) => format!("{line}:{}", at.position().unwrap_or(0)),
        None => "none".to_string(),
    }
}

pub fn build(request: &Request, recorder: &Recorder) -> Engine {
    let mut engine = Engine::new();
    engine.set_max_operations(PLAIN_MAX_OPERATIONS);
    // The default resolver reads files of the working directory; an answer must not depend on it. Both
    // report a module that is not there with the same error.
    engine.set_module_resolver(DummyModuleResolver::new());
    recorder.listen(&mut engine);
    if request.profile == Profile::Hook {
        hook_profile::harden(&mut engine);
        hook_profile::register(&mut engine);
    }
    engine.set_optimization_level(level(request.opt));
    set_limits(&mut engine, &request.limits);
    set_options(&mut engine, &request.options);
    engine
}

pub fn level(level: Level) -> OptimizationLevel {
    match level {
        Level::None => OptimizationLevel::None,
        Level::Simple => OptimizationLevel::Simple,
    }
}

fn set_limits(engine: &mut Engine, limits: &Limits) {
    // The engine takes 0 as "unlimited" for these ...
    limits.max_operations.map(|n| engine.set_max_operations(n));
    limits
        .max_string_size
        .map(|n| engine.set_max_string_size(n));
    limits.max_array_size.map(|n| engine.set_max_array_size(n));
    limits.max_map_size.map(|n| engine.set_max_map_size(n));
    let depth = limits.max_expr_depth.unwrap_or(engine.max_expr_depth());
    let function_depth = limits
        .max_function_expr_depth
        .unwrap_or(engine.max_function_expr_depth());
    engine.set_max_expr_depths(depth, function_depth);
    // ... and as "none at all" for these.
    let unlimited = |n: usize| if n == 0 { usize::MAX } else { n };
    limits
        .max_call_levels
        .map(|n| engine.set_max_call_levels(unlimited(n)));
    limits
        .max_variables
        .map(|n| engine.set_max_variables(unlimited(n)));
    limits
        .max_functions
        .map(|n| engine.set_max_functions(unlimited(n)));
    limits
        .max_modules
        .map(|n| engine.set_max_modules(unlimited(n)));
}

fn set_options(engine: &mut Engine, options: &Options) {
    options
        .strict_variables
        .map(|on| engine.set_strict_variables(on));
    options
        .allow_shadowing
        .map(|on| engine.set_allow_shadowing(on));
    options.allow_looping.map(|on| engine.set_allow_looping(on));
    options
        .allow_if_expression
        .map(|on| engine.set_allow_if_expression(on));
    options
        .allow_switch_expression
        .map(|on| engine.set_allow_switch_expression(on));
    options
        .allow_loop_expressions
        .map(|on| engine.set_allow_loop_expressions(on));
    options
        .allow_statement_expression
        .map(|on| engine.set_allow_statement_expression(on));
    options
        .allow_anonymous_fn
        .map(|on| engine.set_allow_anonymous_fn(on));
    options
        .fast_operators
        .map(|on| engine.set_fast_operators(on));
    options
        .fail_on_invalid_map_property
        .map(|on| engine.set_fail_on_invalid_map_property(on));
    for symbol in &options.disable_symbols {
        engine.disable_symbol(symbol);
    }
}
