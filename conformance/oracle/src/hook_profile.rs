//! The hardened engine that stage hooks run in: its limits and the functions it adds.
//!
//! The functions override those of the standard library with the same parameters (`trim` gives a value
//! here, `is_empty` ignores blanks); other signatures stay as they are.

use rhai::module_resolvers::DummyModuleResolver;
use rhai::{Array, Engine, Map, FLOAT, INT};

pub fn harden(engine: &mut Engine) {
    engine
        .set_max_operations(100_000)
        .set_max_string_size(1_000_000)
        .set_max_array_size(10_000)
        .set_max_map_size(10_000)
        .set_max_call_levels(64)
        .set_max_expr_depths(128, 128)
        .disable_symbol("eval")
        .set_module_resolver(DummyModuleResolver::new())
        .on_print(|_| ())
        .on_debug(|_, _, _| ());
}

pub fn register(engine: &mut Engine) {
    register_text(engine);
    register_regions(engine);
    register_budget(engine);
}

fn register_text(engine: &mut Engine) {
    engine
        .register_fn("contains", |text: &str, part: &str| text.contains(part))
        .register_fn("starts_with", |text: &str, part: &str| {
            text.starts_with(part)
        })
        .register_fn("ends_with", |text: &str, part: &str| text.ends_with(part))
        .register_fn("trim", |text: &str| text.trim().to_string())
        .register_fn("is_empty", |text: &str| text.trim().is_empty())
        .register_fn("split", |text: &str, separator: &str| {
            text.split(separator)
                .map(|piece| piece.to_string().into())
                .collect::<Array>()
        })
        .register_fn("join", |items: Array, separator: &str| {
            items
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(separator)
        })
        .register_fn("count_tokens", |text: &str| text.len().div_ceil(4) as INT)
        .register_fn("is_json", |text: &str| {
            serde_json::from_str::<serde_json::Value>(text).is_ok()
        })
        .register_fn("is_mermaid", |text: &str| {
            MERMAID.iter().any(|word| text.contains(word))
        })
        // The original also looks for markup, but accepts any text that is not empty.
        .register_fn("is_markdown", |text: &str| !text.is_empty());
}

const MERMAID: [&str; 6] = [
    "graph",
    "sequenceDiagram",
    "classDiagram",
    "stateDiagram",
    "erDiagram",
    "flowchart",
];
const FORMATS: [&str; 5] = ["text", "json", "mermaid", "markdown", "code"];

fn register_regions(engine: &mut Engine) {
    engine
        .register_fn("region_pinned", || "pinned")
        .register_fn("region_temporary", || "temporary")
        .register_fn("region_clearable", || "clearable")
        .register_fn("region_sliding_window", |max_items: INT| {
            Map::from([
                ("kind".into(), "sliding_window".into()),
                ("max_items".into(), max_items.into()),
            ])
        })
        .register_fn("region_compacting", |threshold: INT| {
            Map::from([
                ("kind".into(), "compacting".into()),
                ("threshold_tokens".into(), threshold.into()),
            ])
        })
        .register_fn("region_custom", |script: &str, persistent: bool| {
            Map::from([
                ("kind".into(), "custom".into()),
                ("script".into(), script.into()),
                ("persistent".into(), persistent.into()),
            ])
        })
        .register_fn("region_entry", |content: &str, tokens: INT| {
            Map::from([
                ("content".into(), content.into()),
                ("tokens".into(), tokens.into()),
            ])
        })
        .register_fn("content_format", |format: &str| {
            FORMATS
                .into_iter()
                .find(|known| *known == format)
                .unwrap_or("text")
        });
}

fn register_budget(engine: &mut Engine) {
    engine
        .register_fn("tokens_remaining", |max: INT, current: INT| {
            max.saturating_sub(current)
        })
        .register_fn("usage_ratio", usage_ratio)
        .register_fn(
            "needs_eviction",
            |max: INT, current: INT, threshold: FLOAT| {
                max == 0 || usage_ratio(max, current) >= threshold
            },
        );
}

fn usage_ratio(max: INT, current: INT) -> FLOAT {
    if max == 0 {
        return 1.0;
    }
    current as FLOAT / max as FLOAT
}
