"""What holds for any program, found with hypothesis; no real engine is needed."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conformance.fuzz.texts import VOCABULARY
from rhaipy import Engine, Limits, Meter, RhaiError, Value
from rhaipy.convert import from_json, to_json
from rhaipy.display import debug
from rhaipy.engine import Level

LIMITS = Limits(max_operations=2000, max_string_size=2000, max_array_size=500, max_map_size=100)
FUNCTIONS = "fn twice(x) { [x, x] } fn own(v) { this = v; this } "
HEAD = FUNCTIONS + "let a = [1, [2]]; let m = #{a: 1, b: [2]}; let s = `aé`; let x = 3; let f = |p| p; "
CLOSURE = re.compile(r"anon\$[0-9a-f]{16}")


def words(text: str) -> list[str]:
    """The words of a text."""
    return text.split()


# --- programs by the grammar ----------------------------------------------------------------------------------------------

NAMES = st.sampled_from(["a", "m", "s", "x", "f"])
LITERALS = st.one_of(
    st.integers(-3, 9).map(str),
    st.sampled_from(
        ["9223372036854775807", "1.5", "0.0", "'c'", '"te"', "`b`", "true", "false", "()", "[]", "#{}", "0..3", "blob(2)"]
    ),
)
BINARY = st.sampled_from(words("+ - * / % ** << & | ^ == != < >= && || ?? in !in"))
ASSIGNMENTS = st.sampled_from(words("= = += -= *= |= <<="))
METHODS = st.sampled_from(
    words("len() to_string() push(1) pop() keys() type_of() is_shared() reverse() own(2) clear() contains(1)")
)


def join(*parts: "str | st.SearchStrategy[str]") -> st.SearchStrategy[str]:
    """The parts one after the other."""
    return st.tuples(*[st.just(part) if isinstance(part, str) else part for part in parts]).map("".join)


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        join("(", inner, " ", BINARY, " ", inner, ")"),
        join("[", inner, ", ", inner, "]"),
        join("#{a: ", inner, ", b: ", inner, "}"),
        join("(", inner, ")[", inner, "]"),
        join("(", inner, ").", st.sampled_from(["a", "b", "len"])),
        join("(", inner, ").", METHODS),
        join(NAMES, ".", METHODS),
        join("-(", inner, ")"),
        join("!(", inner, ")"),
        join("`<${", inner, "}>`"),
        join("twice(", inner, ")"),
        join("(|p| ", inner, ").call(", inner, ")"),
        join("(if ", inner, " == ", inner, " { ", inner, " } else { ", inner, " })"),
        join("(switch ", inner, " { 1 => ", inner, ", 'c' | true => 2, _ => ", inner, " })"),
    )


EXPRESSIONS = st.recursive(st.one_of(LITERALS, NAMES), _larger, max_leaves=8)
PLACES = st.one_of(NAMES, st.sampled_from(["a[0]", "a[1][0]", "m.a", "m.b[0]", 'm["c"]', "x[1]", "s[0]"]))


def _blocks(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        join("if ", EXPRESSIONS, " == ", EXPRESSIONS, " { ", inner, " } else { ", inner, " }"),
        join("for i in ", st.sampled_from(["0..3", "a", "s", "m.keys()"]), " { ", inner, " }"),
        join("{ ", inner, " ", inner, " }"),
        join("switch ", EXPRESSIONS, " { 3 => { ", inner, " } _ => { ", inner, " } }"),
        join("let i = 0; while i < 3 { i += 1; ", inner, " }"),
    )


STATEMENTS = st.recursive(
    st.one_of(
        join("let ", NAMES, " = ", EXPRESSIONS, ";"),
        join(PLACES, " ", ASSIGNMENTS, " ", EXPRESSIONS, ";"),
        join(EXPRESSIONS, ";"),
        join("print(", EXPRESSIONS, ");"),
        join(NAMES, ".", METHODS, ";"),
    ),
    _blocks,
    max_leaves=4,
)
PROGRAMS = st.lists(STATEMENTS, min_size=1, max_size=4).map(lambda statements: f"{HEAD}{' '.join(statements)} [a, m, s, x]")
SOUPS = st.one_of(st.text(max_size=40), st.lists(st.sampled_from(VOCABULARY), max_size=15).map(" ".join), PROGRAMS)

# --- running them ---------------------------------------------------------------------------------------------------------


def outcome(source: str, level: Level = "simple") -> tuple[str, bool, list[str], int]:
    """What a program gives: its value or its error as text, whether it is a value, what it printed, its operations."""
    prints: list[str] = []
    engine = Engine(LIMITS, optimize=level)
    engine.on_print(prints.append)
    meter = Meter(LIMITS)
    try:
        text, ended = debug(engine.eval(source, meter=meter)), True
    except RhaiError as error:
        text, ended = error.display(), False
    assert not text.startswith("Internal error"), text
    return CLOSURE.sub("anon$#", text), ended, [CLOSURE.sub("anon$#", line) for line in prints], meter.operations


@settings(max_examples=300, deadline=None, derandomize=True)
@given(SOUPS)
def test_nothing_but_our_own_errors_comes_out_of_any_text(source: str) -> None:
    outcome(source)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(PROGRAMS)
def test_a_program_gives_the_same_every_time(source: str) -> None:
    assert outcome(source) == outcome(source)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(PROGRAMS)
def test_the_optimiser_keeps_the_values_of_programs_without_try_and_eval(source: str) -> None:
    plain, optimised = outcome(source, "none"), outcome(source, "simple")
    if plain[1] and optimised[1]:
        assert optimised[:3] == plain[:3]
        assert optimised[3] <= plain[3]
    elif plain[1]:
        pytest.fail(f"only the optimised program fails: {optimised[0]}")


@settings(max_examples=150, deadline=None, derandomize=True)
@given(EXPRESSIONS, st.lists(STATEMENTS, min_size=1, max_size=3))
def test_a_copy_is_independent_of_its_origin(value: str, statements: list[str]) -> None:
    changes = " ".join(statements)
    source = (
        f"{HEAD} let kept = {value}; let before = kept.to_debug(); let a = kept; {{ {changes} }} a = 1; kept.to_debug() == before"
    )
    text, ended, _, _ = outcome(source)
    assert text == "true" or not ended


TURNS = st.sampled_from(
    [
        "x = (x + i) % 7;",
        "let t = [i, x, [x]]; x = t.len();",
        "m.a = `${i}`;",
        "for j in 0..2 { x = j; }",
        "a[0] = i;",
        "f.call(i);",
        "{ let y = x; y += 1; }",
        "switch 1 { 1 => x = 2, _ => () }",
        "s = `a`; s += 'b';",
        "twice(i);",
        "if true { x = 1; }",
        "x.own(4);",
    ]
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.lists(TURNS, min_size=1, max_size=4), st.sampled_from(["none", "simple"]))
def test_operations_grow_linearly_with_the_turns_of_a_loop(body: list[str], level: Level) -> None:
    counts = [outcome(f"{HEAD} for i in 0..{turns} {{ {' '.join(body)} }}", level)[3] for turns in (2, 3, 4, 12)]
    each = counts[1] - counts[0]
    assert each > 0
    assert counts == [counts[0], counts[0] + each, counts[0] + 2 * each, counts[0] + 10 * each]


# --- values ---------------------------------------------------------------------------------------------------------------

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
DATA: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False, allow_infinity=False), TEXTS
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXTS, inner, max_size=4)),
    max_leaves=20,
)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(DATA)
def test_plain_data_comes_back_from_json_as_it_was(value: Value) -> None:
    again = from_json(to_json(value))
    assert again == value
    assert repr(_sorted(again)) == repr(_sorted(value))  # the same types too, and the same sign of zero


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value
