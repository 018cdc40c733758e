//! Puts answers together.

use rhai::{Dynamic, Engine, EvalAltResult, ImmutableString};
use serde_json::{json, Value};

use crate::engine::Recorder;
use crate::errors;

/// The engine still has the size limits of the run; it should have no operation budget any more.
pub fn success(engine: &Engine, value: &Dynamic, recorder: &Recorder) -> Value {
    // Printing a container ticks; what it ticks is not the script's.
    let ops = recorder.ops.get();
    let mut answer = json!({
        "ok": true,
        "type": errors::type_name(engine, value),
        "display": value.to_string(),
        "debug": format!("{value:?}"),
        "to_string": script_text(engine, "to_string", value),
        "to_debug": script_text(engine, "to_debug", value),
    });
    recorder.ops.set(ops);
    match plain_data(value) {
        Ok(data) => answer["json"] = data,
        Err(error) => {
            answer["json"] = Value::Null;
            answer["json_error"] = error.into();
        }
    }
    with_records(answer, recorder)
}

/// Null where the text breaks the string limit of the run: the script would not get it either.
fn script_text(engine: &Engine, function: &str, value: &Dynamic) -> Option<String> {
    let text = engine.eval_fn_call::<ImmutableString>(function, None, (value.clone(),));
    text.map(Into::into).ok()
}

pub fn failure(engine: &Engine, stage: &str, error: &EvalAltResult, recorder: &Recorder) -> Value {
    let mut answer = Value::Object(errors::fields(engine, error));
    answer["ok"] = false.into();
    answer["stage"] = stage.into();
    with_records(answer, recorder)
}

/// A failure that is not the engine's verdict: a bad request, a panic, a dead worker.
pub fn trouble(id: Value, stage: &str, kind: &str, message: String, recorder: &Recorder) -> Value {
    let answer = json!({
        "ok": false,
        "stage": stage,
        "kind": kind,
        "message": message,
        "line": null,
        "pos": null,
    });
    with_id(id, with_records(answer, recorder))
}

pub fn with_id(id: Value, mut answer: Value) -> Value {
    answer["id"] = id;
    answer
}

/// The engine's own serialisation: a function pointer becomes its name, a range or timestamp the name of
/// its Rust type, a float that is not finite null.
pub fn plain_data(value: &Dynamic) -> Result<Value, String> {
    serde_json::to_value(value).map_err(|error| error.to_string())
}

fn with_records(mut answer: Value, recorder: &Recorder) -> Value {
    answer["ops"] = recorder.ops.get().into();
    answer["prints"] = json!(*recorder.prints.borrow());
    answer["debugs"] = json!(*recorder.debugs.borrow());
    answer
}
