"""Regions: [context.regions.NAME] of the agent and of its stages, their seeds, and the sum of their budgets."""

from typing import Final, cast

from stagehooks.agent.blueprint import Admission, Blueprint, CallerSeed, LiteralSeed, Region, RegionKind, Seed
from stagehooks.agent.document import Document, Table
from stagehooks.agent.lines import KeyPath

KINDS: Final = (
    "pinned", "sliding_window", "temporary", "compacting", "clearable", "compact_history", "checklist", "hashmap", "custom",
)  # fmt: skip
KINDS_HERE: Final = ("pinned", "sliding_window", "temporary", "clearable")
REGION: Final = ("kind", "max_tokens", "max_items", "admission", "description", "describe_in_prompt", "seed")
REGION_LATER: Final = (
    "budget", "min_tokens", "strategy", "overflow", "compact_count", "compact_at", "threshold_tokens", "source_region",
    "max_entries", "script", "persistent", "required", "required_message", "summarizable", "volatility",
)  # fmt: skip
SEEDS_LATER: Final = ("glob", "files", "rhai", "command", "tool", "tools", "refresh")
TASK: Final = "task"
SEED_HELP: Final = 'write "task_input" or { literal = "text" }'

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
    return tuple(_read_region(tables.table(name, f"region '{name}'")) for name in tables) or outer


def _read_region(table: Table) -> Region:
    table.allow(REGION, REGION_LATER)
    kind = table.word("kind", KINDS, "temporary", KINDS_HERE)
    if "max_items" in table and kind != "sliding_window":
        table.warn("max_items", f"{table.subject}: 'max_items' counts only for a sliding_window", "remove it", "ignored")
    return Region(
        name=table.name,
        kind=cast(RegionKind, kind),
        max_tokens=table.whole("max_tokens", 5000, at_least=1),
        max_items=table.whole("max_items", 10, at_least=1),
        admission=cast(Admission, table.word("admission", ("evict", "reject"), "evict")),
        description=table.text("description").strip(),
        describe_in_prompt=table.flag("describe_in_prompt"),
        seed=_read_seed(table),
    )


def _read_seed(table: Table) -> Seed | None:
    if "seed" not in table:
        return CallerSeed(TASK) if table.name == TASK else None
    if table.holds("seed", str):
        word = table.text("seed")
        return _caller_seed(table, {"task_input": TASK, "input": table.name}.get(word, word))
    seed = table.table("seed")
    seed.allow(("literal", "caller"), SEEDS_LATER)
    if "literal" in seed:
        return LiteralSeed(seed.text("literal"))
    if "caller" in seed:
        return _caller_seed(table, seed.text("caller"))
    if table.holds("seed", dict) and not any(key in seed for key in SEEDS_LATER):
        table.error("seed", f"{table.subject}: 'seed' says nothing", SEED_HELP)
    return None


def _caller_seed(table: Table, key: str) -> CallerSeed:
    if key != TASK:
        text = f"{table.subject}: its seed waits for the input '{key}', which the command line cannot give; it stays empty"
        table.warn("seed", text, SEED_HELP, "region-seed-not-given")
    return CallerSeed(key)


def check_layout(document: Document, blueprint: Blueprint) -> None:
    """Report a large layout that leaves no room to work beside its pinned regions."""
    layouts: list[tuple[KeyPath, tuple[Region, ...]]] = [(("context",), blueprint.regions)]
    layouts += [(("stages", stage.name, "context"), stage.regions) for stage in blueprint.stages]
    for path, regions in {regions: (path, regions) for path, regions in reversed(layouts)}.values():
        total = sum(region.max_tokens for region in regions)
        pinned = sum(region.max_tokens for region in regions if region.kind == "pinned")
        if total >= LAYOUT_CHECKED_FROM and total - pinned < WORKING_TOKENS:
            text = f"Invalid layout: pinned regions take {pinned} of {total} tokens; at least {WORKING_TOKENS} must be left"
            document.report("error", "layout", path, text, "lower max_tokens of a pinned region, or raise another's")
