"""Regions: [context.regions.NAME] of the agent and of its stages, their seeds, and the sum of their budgets."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final, cast

from stagehooks.agent.blueprint import Blueprint
from stagehooks.agent.document import Document, Table, did_you_mean
from stagehooks.agent.lines import KeyPath
from stagehooks.agent.region import DEFAULT_TOKENS, Admission, Budget, Region, RegionKind, Strategy, Volatility
from stagehooks.agent.seeds import read_seed

KINDS: Final = (
    "pinned", "sliding_window", "temporary", "compacting", "clearable", "compact_history", "checklist", "hashmap", "custom",
)  # fmt: skip
OTHER_NAMES: Final = {"hash_map": "hashmap"}
STRATEGIES: Final = ("per_item", "bulk", "compact")
VOLATILITIES: Final = ("stable", "grows", "rewritten")
FOR_KIND: Final = {
    "max_items": "sliding_window", "strategy": "sliding_window", "overflow": "sliding_window", "compact_count": "sliding_window",
    "compact_at": "compacting", "threshold_tokens": "compacting", "source_region": "compact_history", "max_entries": "hashmap",
    "script": "custom", "persistent": "custom",
}  # fmt: skip
"""The keys that only one kind of region has a use for."""
REGION: Final = (
    "kind", "budget", "max_tokens", "min_tokens", "admission", "description", "describe_in_prompt", "seed", "required",
    "required_message", "summarizable", "volatility", *FOR_KIND,
)  # fmt: skip

IMPLICIT: Final = (
    Region("system", "pinned", 8000),
    Region("conversation", "sliding_window", 10_000, max_items=10),
)
LAYOUT_CHECKED_FROM: Final = 20_000
WORKING_TOKENS: Final = 8000


def read_regions(context: Table, outer: tuple[Region, ...]) -> tuple[Region, ...]:
    """The regions that a `context` table declares; `outer` where it declares none."""
    context.allow(("regions",))
    tables = context.table("regions")
    regions = tuple(_read_region(tables.table(name, f"region '{name}'")) for name in tables.names("a region"))
    for region in regions:
        _check_source(tables, region, [other.name for other in regions])
    return regions or outer


def for_window(regions: Iterable[Region], window: int) -> tuple[Region, ...]:
    """`regions` with their percentages worked out for a model that takes `window` tokens."""
    return tuple(
        region if region.budget is None else replace(region, max_tokens=region.budget.tokens(window)) for region in regions
    )


def _read_region(table: Table) -> Region:
    table.allow(REGION)
    kind = _read_kind(table)
    for key, only in FOR_KIND.items():
        if key in table and kind != only:
            table.warn(key, f"{table.subject}: '{key}' counts only for a {only}", "remove it", "ignored")
    budget = _read_budget(table)
    return Region(
        name=table.name,
        kind=kind,
        max_tokens=table.whole("max_tokens", DEFAULT_TOKENS, at_least=1),
        max_items=table.whole("max_items", 10, at_least=1),
        admission=cast(Admission, table.word("admission", ("evict", "reject"), "evict")),
        description=table.text("description").strip(),
        describe_in_prompt=table.flag("describe_in_prompt"),
        seed=read_seed(table),
        budget=budget,
        strategy=cast(Strategy, _choice(table, "strategy", STRATEGIES, "per_item")),
        overflow=table.whole("overflow", 10),
        compact_count=table.whole("compact_count", 10, at_least=1),
        compact_at=_read_percentage(table, "compact_at"),
        threshold_tokens=table.optional_whole("threshold_tokens", at_least=1),
        source_region=table.text("source_region"),
        max_entries=table.optional_whole("max_entries", at_least=1),
        script=_read_script(table, kind),
        persistent=table.flag("persistent"),
        required=table.flag("required"),
        required_message=table.text("required_message").strip(),
        summarizable=table.flag("summarizable", True),
        volatility=cast(Volatility, _choice(table, "volatility", VOLATILITIES, "rewritten")),
        line=table.line(),
    )


def _read_kind(table: Table) -> RegionKind:
    said = table.text("kind", "temporary")
    kind = OTHER_NAMES.get(said, said)
    return cast(RegionKind, kind if kind in KINDS else table.word("kind", KINDS, "temporary"))


def _choice(table: Table, key: str, valid: tuple[str, ...], default: str) -> str:
    said = table.text(key, default)
    if said in valid:
        return said
    text = f'{table.subject}: {key} "{said}" is not valid (valid: {", ".join(valid)})'
    table.error(key, text, did_you_mean(said, valid))
    return default


def _read_script(table: Table, kind: RegionKind) -> str:
    script = table.text("script").strip()
    if kind == "custom" and not script:
        text = f'{table.subject}: kind = "custom" requires script = "<path>.rhai"'
        table.error("script" if "script" in table else "kind", text, f'write script = "regions/{table.name}.rhai"')
    return script


def _read_budget(table: Table) -> Budget | None:
    if "min_tokens" in table and "budget" not in table:
        table.warn("min_tokens", f"{table.subject}: 'min_tokens' counts only beside a 'budget'", "remove it", "ignored")
    percent = _read_percentage(table, "budget")
    if percent is None:
        return None
    cap = table.optional_whole("max_tokens", at_least=1)
    return Budget(percent, cap, table.whole("min_tokens", 1, at_least=1))


def _read_percentage(table: Table, key: str) -> float | None:
    if key not in table:
        return None
    said = table.text(key).strip()
    number = said.removesuffix("%").strip()
    if not table.holds(key, str):
        return None  # `text` has reported it
    if not said.endswith("%"):
        table.error(key, f"{table.subject}: {key} '{said}' must end with '%' (e.g. \"35%\")", f'write {key} = "35%"')
    elif not number.replace(".", "", 1).isdecimal() or not number.isascii():
        table.error(key, f"{table.subject}: {key} '{said}' is not a valid number", f'write {key} = "35%"')
    elif not 0 < float(number) <= 100:
        table.error(key, f"{table.subject}: {key} '{said}' must be greater than 0% and at most 100%")
    else:
        return float(number)
    return None


def _check_source(tables: Table, region: Region, names: list[str]) -> None:
    """A compact_history without the region that it is about would stay empty, which nobody would notice."""
    if region.kind == "compact_history" and region.source_region not in names:
        what = (
            f"source_region '{region.source_region}' is no region beside it"
            if region.source_region
            else "it has no source_region"
        )
        fix = did_you_mean(region.source_region, names) or f"the regions are: {', '.join(names)}"
        tables.table(region.name).warn(
            "source_region", f"region '{region.name}': {what}; it stays empty", fix, "no-source-region"
        )


def check_layout(document: Document, blueprint: Blueprint) -> None:
    """Report a large layout that leaves no room to work beside the regions that keep everything.

    Layouts with percentages are left alone: those are ceilings, and may come to more than the whole.
    """
    layouts: list[tuple[KeyPath, tuple[Region, ...]]] = [(("context",), blueprint.regions)]
    layouts += [(("stages", stage.name, "context"), stage.regions) for stage in blueprint.stages]
    for path, regions in {regions: (path, regions) for path, regions in reversed(layouts)}.values():
        total = sum(region.max_tokens for region in regions)
        pinned = sum(region.max_tokens for region in regions if region.survives_a_change_of_stage)
        relative = any(region.budget is not None for region in regions)
        if not relative and total >= LAYOUT_CHECKED_FROM and total - pinned < WORKING_TOKENS:
            text = f"Invalid layout: pinned regions take {pinned} of {total} tokens; at least {WORKING_TOKENS} must be left"
            document.report("error", "layout", path, text, "lower max_tokens of a pinned region, or raise another's")
