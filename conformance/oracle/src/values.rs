//! JSON to Rhai values, with the forms for what JSON lacks.

use rhai::{Array, Blob, Dynamic, Map, INT};
use serde_json::Value;

/// Errors are texts for the requester: a malformed `$` form is a bad request, not a failed script.
pub fn to_dynamic(value: &Value) -> Result<Dynamic, String> {
    Ok(match value {
        Value::Null => Dynamic::UNIT,
        Value::Bool(flag) => (*flag).into(),
        Value::Number(number) => match number.as_i64() {
            Some(int) => int.into(),
            None => number.as_f64().ok_or("number out of range")?.into(),
        },
        Value::String(text) => text.into(),
        Value::Array(items) => items
            .iter()
            .map(to_dynamic)
            .collect::<Result<Array, _>>()?
            .into(),
        Value::Object(object) => {
            let mut entries = object.iter();
            match (entries.next(), entries.next()) {
                (Some((key, inner)), None) if key.starts_with('$') => tagged(key, inner)?,
                _ => object
                    .iter()
                    .map(|(key, inner)| Ok((key.into(), to_dynamic(inner)?)))
                    .collect::<Result<Map, String>>()?
                    .into(),
            }
        }
    })
}

fn tagged(key: &str, inner: &Value) -> Result<Dynamic, String> {
    match key {
        "$char" => character(inner),
        "$blob" => blob(inner),
        "$range" => bounds(inner).map(|(from, to)| Dynamic::from(from..to)),
        "$irange" => bounds(inner).map(|(from, to)| Dynamic::from(from..=to)),
        _ => return Err(format!("unknown value form {key}")),
    }
    .ok_or_else(|| format!("malformed {key}: {inner}"))
}

fn character(inner: &Value) -> Option<Dynamic> {
    let mut chars = inner.as_str()?.chars();
    let only = chars.next()?;
    chars.next().is_none().then(|| only.into())
}

fn blob(inner: &Value) -> Option<Dynamic> {
    let byte = |item: &Value| item.as_u64().and_then(|number| u8::try_from(number).ok());
    inner
        .as_array()?
        .iter()
        .map(byte)
        .collect::<Option<Blob>>()
        .map(Dynamic::from_blob)
}

fn bounds(inner: &Value) -> Option<(INT, INT)> {
    match inner.as_array()?.as_slice() {
        [from, to] => Some((from.as_i64()?, to.as_i64()?)),
        _ => None,
    }
}
