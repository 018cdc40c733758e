//! Takes the engine's errors apart into the fields of a failure answer.

use std::fmt::{self, Debug, Write};

use rhai::{Dynamic, Engine, EvalAltResult, ParseErrorType};
use serde_json::{json, Map, Value};

use crate::answer::plain_data;

/// The fields of the error itself. Those of `inner` have the same shape, plus `fn_source` next to `fn`.
pub fn fields(engine: &Engine, error: &EvalAltResult) -> Map<String, Value> {
    let position = error.position();
    let mut fields = Map::new();
    let mut set = |key: &str, value: Value| fields.insert(key.to_string(), value);
    set("kind", variant_name(error).into());
    set("message", error.to_string().into());
    set("line", json!(position.line()));
    set("pos", json!(position.position()));
    match error {
        EvalAltResult::ErrorParsing(kind, ..) => {
            set("parse_kind", variant_name(kind).into());
            if let ParseErrorType::BadInput(lexical) = kind {
                set("lex_kind", variant_name(lexical).into());
            }
        }
        EvalAltResult::ErrorInFunctionCall(name, _, inner, ..) => {
            set("fn", name.as_str().into());
            set("inner", inner_fields(engine, inner));
        }
        EvalAltResult::ErrorInModule(name, inner, ..) => {
            set("module", name.as_str().into());
            set("inner", inner_fields(engine, inner));
        }
        EvalAltResult::ErrorRuntime(token, ..) => {
            set("token", plain_data(token).unwrap_or_default());
            set("token_type", type_name(engine, token).into());
        }
        _ => (),
    }
    fields
}

fn inner_fields(engine: &Engine, error: &EvalAltResult) -> Value {
    let mut fields = fields(engine, error);
    if let EvalAltResult::ErrorInFunctionCall(_, source, ..) = error {
        fields.insert("fn_source".to_string(), source.as_str().into());
    }
    fields.into()
}

/// As `type_of` names it.
pub fn type_name(engine: &Engine, value: &Dynamic) -> String {
    engine.map_type_name(value.type_name()).to_string()
}

/// The first word of the derived `Debug` text. Formatting stops right after it: what an error carries may
/// be large, or contain itself.
fn variant_name(value: &impl Debug) -> String {
    struct FirstWord(String);

    impl Write for FirstWord {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            let end = text.find(|c: char| !c.is_alphanumeric());
            self.0.push_str(&text[..end.unwrap_or(text.len())]);
            end.map_or(Ok(()), |_| Err(fmt::Error))
        }
    }

    let mut word = FirstWord(String::new());
    let _ = write!(word, "{value:?}");
    word.0
}
