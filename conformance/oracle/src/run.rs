//! Compiles and runs one request, and hands the outcome to `answer`.

use std::collections::BTreeMap;

use rhai::module_resolvers::StaticModuleResolver;
use rhai::{
    CallFnOptions, Dynamic, Engine, EvalAltResult, Module, OptimizationLevel, ParseError, Position,
    Scope, AST,
};
use serde_json::{json, Value};

use crate::answer;
use crate::engine::{self, Recorder};
use crate::request::{Call, Request};
use crate::values::to_dynamic;

/// An error with the stage that it belongs to.
struct Failure {
    stage: &'static str,
    error: Box<EvalAltResult>,
}

impl Failure {
    fn parse(error: ParseError) -> Self {
        Self {
            stage: "parse",
            error: error.into(),
        }
    }

    fn run(error: Box<EvalAltResult>) -> Self {
        Self {
            stage: "run",
            error,
        }
    }

    /// As the engine's own file resolver wraps what goes wrong in a module.
    fn in_module(self, name: &str) -> Self {
        let error = EvalAltResult::ErrorInModule(name.to_string(), self.error, Position::NONE);
        Self {
            error: error.into(),
            ..self
        }
    }
}

/// The answer without its id. An error is a request that cannot be carried out as asked.
pub fn run(request: &Request, recorder: &Recorder) -> Result<Value, String> {
    let mut scope = initial_scope(request)?;
    let mut call = request.call.as_ref().map(PreparedCall::new).transpose()?;
    if request.expression && call.is_some() {
        return Err("`call` and `expression` exclude each other".to_string());
    }
    let mut engine = engine::build(request, recorder);

    let modules = request
        .modules
        .as_ref()
        .map_or(Ok(()), |sources| load_modules(&mut engine, sources));
    // Modules are loaded by the host before the run: what they counted and printed is not the script's.
    recorder.clear();
    let outcome = modules.and_then(|()| {
        let ast = compile(&mut engine, &scope, request).map_err(Failure::parse)?;
        match &mut call {
            Some(call) => call.run(&engine, &mut scope, &ast),
            None => engine.eval_ast_with_scope(&mut scope, &ast),
        }
        .map_err(Failure::run)
    });

    engine.set_max_operations(0);
    let mut answer = match outcome {
        Ok(value) => answer::success(&engine, &value, recorder),
        Err(Failure { stage, error }) => answer::failure(&engine, stage, &error, recorder),
    };
    if let Some(this) = call.as_ref().and_then(|call| call.this.as_ref()) {
        answer["this"] = answer::plain_data(this).unwrap_or_default();
    }
    if request.vars {
        answer["vars"] = variables(&scope);
    }
    Ok(answer)
}

/// Variables before constants, each in the order of their names.
fn initial_scope(request: &Request) -> Result<Scope<'static>, String> {
    let mut scope = Scope::new();
    for (name, value) in &request.scope {
        scope.push_dynamic(name.as_str(), to_dynamic(value)?);
    }
    for (name, value) in &request.consts {
        scope.push_constant_dynamic(name.as_str(), to_dynamic(value)?);
    }
    Ok(scope)
}

fn compile(engine: &mut Engine, scope: &Scope, request: &Request) -> Result<AST, ParseError> {
    if !request.expression {
        return engine.compile_with_scope(scope, &request.src);
    }
    // `eval_expression` never optimises. Compiled apart, a parse error of the text can be told from one
    // that comes up while it runs; the level is put back, since `eval` inside the text heeds it.
    engine.set_optimization_level(OptimizationLevel::None);
    let ast = engine.compile_expression_with_scope(scope, &request.src);
    engine.set_optimization_level(engine::level(request.opt));
    ast
}

/// In the order of their names; each module can import those before it.
fn load_modules(engine: &mut Engine, sources: &BTreeMap<String, String>) -> Result<(), Failure> {
    let mut resolver = StaticModuleResolver::new();
    for (name, source) in sources {
        let module =
            load_module(engine, name, source).map_err(|failure| failure.in_module(name))?;
        resolver.insert(name, module);
        engine.set_module_resolver(resolver.clone());
    }
    Ok(())
}

fn load_module(engine: &Engine, name: &str, source: &str) -> Result<Module, Failure> {
    let mut ast = engine.compile(source).map_err(Failure::parse)?;
    ast.set_source(name);
    Module::eval_ast_as_new(Scope::new(), &ast, engine).map_err(Failure::run)
}

struct PreparedCall<'a> {
    call: &'a Call,
    args: Vec<Dynamic>,
    this: Option<Dynamic>,
}

impl<'a> PreparedCall<'a> {
    fn new(call: &'a Call) -> Result<Self, String> {
        let args = call.args.iter().map(to_dynamic).collect::<Result<_, _>>()?;
        let this = call.this.as_ref().map(to_dynamic).transpose()?;
        Ok(Self { call, args, this })
    }

    fn run(
        &mut self,
        engine: &Engine,
        scope: &mut Scope,
        ast: &AST,
    ) -> Result<Dynamic, Box<EvalAltResult>> {
        let mut options = CallFnOptions::new().eval_ast(self.call.eval_ast);
        if let Some(this) = &mut self.this {
            options = options.bind_this_ptr(this);
        }
        engine.call_fn_with_options(
            options,
            scope,
            ast,
            &self.call.name,
            std::mem::take(&mut self.args),
        )
    }
}

fn variables(scope: &Scope) -> Value {
    scope
        .iter_raw()
        .map(|(name, constant, value)| {
            json!([
                name,
                if constant { "const" } else { "let" },
                value.to_string()
            ])
        })
        .collect()
}
