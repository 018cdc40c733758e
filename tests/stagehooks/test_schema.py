"""The JSON Schema of an agent file: it knows the keys that the reader knows, takes what loads, and refuses what does not."""

import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import jsonschema
import pytest

from stagehooks.agent.document import Table
from stagehooks.agent.file_schema import agent_schema
from stagehooks.agent.reader import read_blueprint
from stagehooks.cli import main
from stagehooks.scripts.outcome import HOOK_NAMES
from tests.docs.documents import blocks

ROOT: Final = Path(__file__).parent.parent.parent
FILE: Final = ROOT / "docs" / "agent.schema.json"
SCHEMA: Final[dict[str, Any]] = agent_schema()
VALIDATOR: Final = jsonschema.Draft202012Validator(SCHEMA)


def errors(text: str) -> list[str]:
    return [error.message for error in VALIDATOR.iter_errors(tomllib.loads(text))]


def examples() -> dict[str, str]:
    """Every agent file of the repository: those of the examples, and those in the documents."""
    found = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in (ROOT / "examples").glob("*/agent.*")}
    for document in (ROOT / "docs").glob("*.md"):
        for block in blocks(document):
            name = block.marks.get("file", "")
            if name.endswith(("agent.toml", "agent.leviath")):
                found[f"{document.name}: {name}"] = block.text
    return found


# --- the file -------------------------------------------------------------------------------------------------------------


def test_the_file_is_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema"]) == 0
    assert capsys.readouterr().out == FILE.read_text("utf-8"), "python -m stagehooks schema > docs/agent.schema.json"


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert json.loads(FILE.read_text("utf-8")) == SCHEMA


# --- what it takes and what not -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", examples())
def test_every_example_fits(name: str) -> None:
    assert errors(examples()[name]) == []


def test_hooks_are_the_seven_and_no_others() -> None:
    hooks = SCHEMA["$defs"]["stageHooks"]
    assert tuple(hooks["properties"]) == HOOK_NAMES
    assert hooks["additionalProperties"] is False
    for hook in HOOK_NAMES:
        assert errors(f'[agent]\n[stages.main.hooks]\n{hook} = "h.rhai"') == []
        assert errors(f"[agent]\n[stages.main.hooks]\n{hook} = 3") != []
    assert errors('[agent]\n[stages.main.hooks]\non_stage_entered = "h.rhai"') != []


WRONG = [
    "",
    "[agents]",
    "[agent]\nname = 3",
    '[agent]\n[stages.main]\nmode = "interactive"',
    '[agent]\n[stages.main]\navailable_tools = "shell"',
    "[agent]\n[stages.main]\nmax_iterations = -1",
    "[agent]\n[stages.main]\nmax_attempts = 0",
    "[agent]\n[stages.main]\nspeed = 1",
    '[agent]\n[stages.main.tool_permissions]\nshell = "maybe"',
    '[agent]\n[stages.main.transitions.main]\ncondition = "sometimes"',
    "[agent]\n[stages.main.transitions.main]\ngate = { require_modification = true }",
    '[agent]\n[context.regions.r]\nkind = "heap"',
    '[agent]\n[context.regions.r]\nbudget = "lots"',
    '[agent]\n[context.regions.r]\nseed = { literal = "a", caller = "b" }',
    '[agent]\n[[stages.main.interaction_points]]\nname = "a"',
    '[agent]\n[stages.main.model]\nmodels = [{ model = "m" }]',
    '[agent]\n[sandbox]\nkind = "container"',
]


@pytest.mark.parametrize("text", WRONG)
def test_what_the_reader_refuses_does_not_fit(text: str) -> None:
    assert errors(text) != []
    _, findings = read_blueprint("agent.toml", text.encode())
    assert any(finding.severity == "error" for finding in findings), text


@pytest.mark.parametrize("policy", ["allow", "Ask", "DENY"])
def test_a_policy_may_be_written_in_any_case(policy: str) -> None:
    assert errors(f'[agent]\n[tool_permissions]\nshell = "{policy}"') == []


# --- the keys, both ways --------------------------------------------------------------------------------------------------

# What a table is called in messages, and where the schema has it: a definition, or a path of properties from the top.
PLACES: Final = (
    (r"the agent file", ""),
    (r"\[agent\]", "agent"),
    (r"\[tool_script_permissions\]", "tool_script_permissions"),
    (r"\[compaction\]", "compaction"),
    (r"stage '\w+'", "#stage"),
    (r"stage '\w+': model", "#model"),
    (r"stage '\w+': model: \w+", "#candidate"),
    (r"stage '\w+': interaction_points", "#interactionPoint"),
    (r"stage '\w+': tool_routing", "#toolRouting"),
    (r"stage '\w+': tool_routing: overrides: \w+", "#toolRouting/overrides"),
    (r"transition to '\w+'", "#transition"),
    (r"transition to '\w+': gate", "#transition/gate"),
    (r"transition to '\w+': transform_config", "#transition/transform_config"),
    (r"region '\w+'", "#region"),
    (r"region '\w+': seed", "#seed"),
    (r"region '\w+': seed: tools", "#seed/tools"),
    (r".*security", "#security"),
    (r".*: nudge", "#nudge"),
    (r".*: output", "#output"),
    (r".*context.*", "#context"),
)


def tables(schema: Any) -> Iterator[dict[str, Any]]:
    """The tables with keys of their own that `schema` holds at its own level, or in its alternatives and items."""
    if "properties" in schema:
        yield schema
    for inner in (*schema.get("anyOf", ()), *(schema[key] for key in ("items", "additionalProperties") if schema.get(key))):
        if isinstance(inner, dict):
            yield from tables(inner)


def keys_at(place: str) -> dict[str, Any]:
    """The keys that the schema has at `place`."""
    path = place.split("/")
    schema = SCHEMA["$defs"][path.pop(0)[1:]] if place.startswith("#") else SCHEMA
    for key in filter(None, path):
        schema = next(tables(schema))["properties"][key]
    found: dict[str, Any] = next(tables(schema))["properties"]
    return found


@pytest.fixture
def allowed(monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[set[str], set[str]]]:
    """What the reader allows while it reads every example: by place, keys with and without an effect."""
    known: dict[str, tuple[set[str], set[str]]] = {}

    def note(table: Table, keys: Iterable[str], later: Iterable[str] = ()) -> None:
        place = next(place for pattern, place in PLACES if re.fullmatch(pattern, table.subject))
        known[place] = ({*keys}, {*later})

    monkeypatch.setattr(Table, "allow", note)
    for text in examples().values():
        read_blueprint("agent.toml", text.encode())
    return known


def test_the_schema_has_every_key_that_is_read_and_no_other(allowed: dict[str, tuple[set[str], set[str]]]) -> None:
    assert allowed.keys() == {place for _, place in PLACES}
    for place, (known, later) in allowed.items():
        found = keys_at(place)
        ineffective = {key for key, schema in found.items() if schema.get("deprecated") and key not in ("model", "command")}
        assert found.keys() == known | later, place
        assert ineffective == later - {"model", "command"}, place


def test_a_key_without_an_effect_is_no_error() -> None:
    assert errors("[agent]\ndynamic_tools = true\n[stages.main]\nmax_workers = 3") == []
