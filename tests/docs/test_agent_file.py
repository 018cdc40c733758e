"""`docs/agent-file.md` documents every key that is read, with its default, and `docs/coming-from-leviath.md` all others."""

import re
import tomllib
from collections.abc import Iterable
from typing import Final

import pytest

from stagehooks.agent.blueprint import Blueprint
from stagehooks.agent.document import Table
from stagehooks.agent.reader import read_blueprint
from stagehooks.scripts.outcome import HOOK_NAMES
from tests.docs.documents import ROOT, blocks

PAGE: Final = ROOT / "docs" / "agent-file.md"
OTHER_PAGE: Final = ROOT / "docs" / "coming-from-leviath.md"
ROW: Final = re.compile(r"^\| `(\w+)` \|[^|]*(?:\|([^|]*))?\|$", re.MULTILINE)

# What a table is called in messages, and the heading under which its keys are documented.
SECTIONS: Final = (
    (r"the agent file", "Top level"),
    (r"\[agent\]", "[agent]"),
    (r"stage '\w+'", "[stages.NAME]"),
    (r"stage '\w+': model(: \w+)?", "[stages.NAME.model]"),
    (r"transition to '\w+'(: transform_config)?", "[stages.NAME.transitions.TARGET]"),
    (r"region '\w+'", "[context.regions.NAME]"),
    (r"region '\w+': seed(: tools)?", "[context.regions.NAME]"),
    (r"\[compaction\]", "[compaction]"),
    (r"transition to '\w+': gate", "gate"),
    (r"stage '\w+': interaction_points", "interaction_points"),
    (r"stage '\w+': tool_routing(: overrides: \w+)?", "[stages.NAME.tool_routing]"),
    (r".*security", "[security]"),
    (r".*: nudge", "nudge"),
    (r".*: output", "output"),
    (r"\[tool_script_permissions\]", "[tool_script_permissions]"),
    (r".*context.*", ""),
)


def section(heading: str) -> str:
    """The text of the page below `heading`."""
    text = PAGE.read_text(encoding="utf-8")
    return re.split(r"^## .*$", text.split(f"\n## {heading}\n")[1], flags=re.MULTILINE)[0]


def rows(heading: str) -> dict[str, str]:
    """The documented keys below `heading`, with what is said of their defaults."""
    return {key: default.strip() for key, default in ROW.findall(section(heading))}


def full_example() -> bytes:
    return next(block.text for block in blocks(PAGE) if block.marks.get("file") == "full/agent.toml").encode()


@pytest.fixture
def allowed(monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, set[str]], set[str]]:
    """What the reader allows while it reads the full example: keys by heading, and those without an effect."""
    known: dict[str, set[str]] = {}
    unsupported: set[str] = set()

    def note(table: Table, keys: Iterable[str], later: Iterable[str] = ()) -> None:
        heading = next(heading for pattern, heading in SECTIONS if re.fullmatch(pattern, table.subject))
        known.setdefault(heading, set()).update(keys)
        unsupported.update(later)

    monkeypatch.setattr(Table, "allow", note)
    read_blueprint("agent.toml", full_example())
    return known, unsupported


def test_every_key_that_is_read_is_documented_and_no_other(allowed: tuple[dict[str, set[str]], set[str]]) -> None:
    known, _ = allowed
    assert known.keys() == {heading for _, heading in SECTIONS}
    for heading, keys in known.items():
        if heading:
            assert rows(heading).keys() == keys, heading


def test_every_hook_is_documented() -> None:
    assert rows("[stages.NAME.hooks]").keys() == set(HOOK_NAMES)


def test_every_key_without_an_effect_is_named_for_those_who_come_from_leviath(
    allowed: tuple[dict[str, set[str]], set[str]],
) -> None:
    _, unsupported = allowed
    named = set(re.findall(r"`(\w+)`", OTHER_PAGE.read_text(encoding="utf-8")))
    assert unsupported <= named, unsupported - named


def test_the_full_example_uses_every_key(allowed: tuple[dict[str, set[str]], set[str]]) -> None:
    known, _ = allowed
    text = full_example().decode()
    keys = set().union(*known.values()) - {"model", "base_url", "caller", "command"}
    assert not {key for key in keys if not re.search(rf"\b{key}\b", text)}


def least() -> Blueprint:
    """A file that says nothing but that there is a stage, a region and a transition."""
    text = "[agent]\n[stages.one]\n[stages.one.transitions.two]\n[stages.two]\n[context.regions.r]\n"
    blueprint, _ = read_blueprint("agent.toml", text.encode())
    return blueprint


def defaults(heading: str) -> dict[str, object]:
    """The documented defaults that are plain TOML values."""
    found = {}
    for key, said in rows(heading).items():
        value = re.fullmatch(r"`([^`]+)`", said)
        if value:
            found[key] = tomllib.loads(f"value = {value[1]}")["value"]
    return found


@pytest.mark.parametrize(
    ("heading", "holder"),
    [
        ("[agent]", least()),
        ("[stages.NAME]", least().stages[0]),
        ("[stages.NAME.transitions.TARGET]", least().stages[0].transitions[0]),
        ("[context.regions.NAME]", least().regions[0]),
        ("[security]", least().stages[0]),
        ("nudge", least().stages[0].nudge),
    ],
)
def test_documented_defaults_are_the_readers(heading: str, holder: object) -> None:
    documented = defaults(heading)
    assert documented, heading
    for key, value in documented.items():
        if hasattr(holder, key):
            held = getattr(holder, key)
            assert (list(held) if isinstance(held, tuple) else held) == value, key
