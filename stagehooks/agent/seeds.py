"""What a region holds at first: the `seed` key of an agent file."""

from typing import Final

from stagehooks.agent.document import Table, did_you_mean
from stagehooks.agent.region import (
    CallerSeed,
    CommandSeed,
    FilesSeed,
    GlobSeed,
    LiteralSeed,
    ScriptSeed,
    Seed,
    SeedCall,
    ToolSeed,
)

FORMS: Final = ("literal", "caller", "files", "glob", "rhai", "command", "tool", "tools")
SEED: Final = (*FORMS, "refresh")
REFRESH: Final = ("once", "each_stage")
TASK: Final = "task"
SEED_HELP: Final = 'write "task_input" or { literal = "text" }'


def read_seed(region: Table) -> Seed | None:
    """What `region` holds at first; None for nothing. A region called `task` gets the task, unless it says else."""
    if "seed" not in region:
        return CallerSeed(TASK) if region.name == TASK else None
    if region.holds("seed", str):
        word = region.text("seed")
        return _caller_seed(region, {"task_input": TASK, "input": region.name}.get(word, word))
    table = region.table("seed")
    table.allow(SEED)
    forms = [form for form in FORMS if form in table]
    if len(forms) != 1:
        if region.holds("seed", dict):
            text = f"{region.subject}: a 'seed' has exactly one of: {', '.join(FORMS)}"
            region.error("seed", text, SEED_HELP, "region-seed-not-understood")
        return None
    if "refresh" in table and forms[0] not in ("tool", "tools"):
        table.warn("refresh", f"{table.subject}: 'refresh' counts only for tools", "remove it", "ignored")
    if forms[0] != "literal" and table.is_blank(forms[0]):
        table.error(forms[0], f"{table.subject}: '{forms[0]}' names nothing", SEED_HELP, "region-seed-not-understood")
    return _read_form(region, table, forms[0])


def _read_form(region: Table, table: Table, form: str) -> Seed:
    match form:
        case "literal":
            return LiteralSeed(table.text(form))
        case "caller":
            return _caller_seed(region, table.text(form))
        case "files":
            return FilesSeed(table.texts(form))
        case "glob":
            return GlobSeed(table.text(form))
        case "rhai":
            return ScriptSeed(table.text(form))
        case "command":
            text = f"{region.subject}: its seed runs a command, which whoever starts the run has to allow; else it stays empty"
            region.warn("seed", text, "start the run with --allow shell, or seed from a file", "region-seed-needs-leave")
            return CommandSeed(table.text(form))
        case _:
            return ToolSeed(_read_calls(table, form), _refresh(table) == "each_stage")


def _read_calls(table: Table, form: str) -> tuple[SeedCall, ...]:
    if form == "tool":
        return (SeedCall(table.text(form)),)
    calls = []
    for item in table.mixed(form):
        if isinstance(item, str):
            calls.append(SeedCall(item))
        else:
            item.allow(("name", "args"))
            if not item.text("name").strip():
                item.error(
                    "name", f"{item.subject}: a call needs the 'name' of a tool", 'write { name = "read_file", args = { } }'
                )
            calls.append(SeedCall(item.text("name"), item.plain("args") if "args" in item else None))
    return tuple(calls)


def _refresh(table: Table) -> str:
    said = table.text("refresh", "once")
    if said not in REFRESH:
        text = f'{table.subject}: refresh "{said}" is not valid (valid: {", ".join(REFRESH)})'
        table.error("refresh", text, did_you_mean(said, REFRESH))
    return said


def _caller_seed(region: Table, key: str) -> CallerSeed:
    if key != TASK:
        text = f"{region.subject}: its seed waits for the input '{key}', which the command line cannot give; it stays empty"
        region.warn("seed", text, SEED_HELP, "region-seed-not-given")
    return CallerSeed(key)
