//! One piece of work, prepared: what is compiled is compiled once, what is timed is `once`.

use std::hint::black_box;

use rhai::grain::{Compiler, Program, Vm};
use rhai::serde::{from_dynamic, to_dynamic};
use rhai::{Dynamic, Engine, EvalAltResult, Scope, AST};
use serde_json::Value;

use crate::hook_profile;
use crate::request::{Evaluator, Kind, Limits, Task};

pub struct Job {
    task: Task,
    engine: Engine,
    ast: AST,
    program: Option<Program<'static>>,
    argument: Dynamic,
}

impl Job {
    pub fn new(task: Task) -> Result<Self, String> {
        let engine = engine(&task.limits);
        let ast = engine
            .compile(&task.source)
            .map_err(|error| error.to_string())?;
        let program = (task.evaluator == Evaluator::Grain).then(|| Compiler::new().compile(&ast));
        let argument = to_dynamic(&task.argument).map_err(|error| error.to_string())?;
        Ok(Self {
            task,
            engine,
            ast,
            program,
            argument,
        })
    }

    /// Does the work; its value as plain data.
    pub fn once(&self) -> Result<Value, String> {
        self.value().map_err(|error| error.to_string())
    }

    fn value(&self) -> Result<Value, Box<EvalAltResult>> {
        match self.task.kind {
            Kind::Run => from_dynamic(&self.run()?),
            Kind::Fresh => {
                let engine = engine(&self.task.limits);
                from_dynamic(&self.call(&engine, to_dynamic(&self.task.argument)?)?)
            }
            Kind::Call => from_dynamic(&self.call(&self.engine, self.argument.clone())?),
            Kind::Compile => {
                let ast = self.engine.compile(&self.task.source)?;
                if self.program.is_some() {
                    black_box(Compiler::new().compile(&ast));
                }
                Ok(Value::Null)
            }
        }
    }

    fn run(&self) -> Result<Dynamic, Box<EvalAltResult>> {
        match &self.program {
            None => self.engine.eval_ast(&self.ast),
            Some(program) => Vm::new(&self.engine).eval(program),
        }
    }

    fn call(&self, engine: &Engine, argument: Dynamic) -> Result<Dynamic, Box<EvalAltResult>> {
        let (scope, name) = (&mut Scope::new(), &self.task.function);
        match &self.program {
            None => engine.call_fn(scope, &self.ast, name, (argument,)),
            Some(program) => Vm::new(engine).call_fn(scope, program, name, (argument,)),
        }
    }
}

fn engine(limits: &Limits) -> Engine {
    let mut engine = Engine::new();
    if limits.hook {
        hook_profile::harden(&mut engine);
        hook_profile::register(&mut engine);
    }
    engine
        .set_max_operations(limits.max_operations)
        .set_max_string_size(limits.max_string_size)
        .set_max_array_size(limits.max_array_size)
        .set_max_map_size(limits.max_map_size);
    engine
}
