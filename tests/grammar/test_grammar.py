"""The grammar: its tables are up to date, its faults are found when it is built, and its levels come out even."""

import os
import subprocess
import sys

import pytest
from lark.exceptions import GrammarError

from conformance.cases import load
from grammar.build import HERE, SYNTAX, build
from rhaipy.limits import Limits, Options
from rhaipy.parse_errors import ParseError
from rhaipy.syntax.builder import REDUCTIONS, SPREAD, Builder
from rhaipy.syntax.dialects import mark_kinds
from rhaipy.syntax.lexer import lex
from rhaipy.syntax.parser import parse, run
from rhaipy.syntax.tables import RULES

GRAMMAR = (HERE / "rhai.lark").read_text(encoding="utf-8")
PROGRAMS = [str(case.request["src"]) for case in load()]
UNLIMITED = Limits(max_expr_depth=0, max_function_expr_depth=0)

BUILD_ELSEWHERE = """
from grammar.build import HERE, build
print("\\n".join(build((HERE / "rhai.lark").read_text(encoding="utf-8"))), end="")
"""


def written() -> str:
    return "\n".join((SYNTAX / name).read_text(encoding="utf-8") for name in ("tables.py", "error_tables.py"))


@pytest.mark.parametrize("seed", ["1", "2"])
def test_the_tables_are_those_of_the_grammar_whatever_the_hash_seed(seed: str):
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", BUILD_ELSEWHERE]
    built = subprocess.run(command, cwd=HERE.parent, env=environment, capture_output=True, text=True, check=True, timeout=60)
    assert built.stdout == written()


def with_rule(after: str, more: str) -> str:
    assert after in GRAMMAR
    return GRAMMAR.replace(after, f"{after}\n{more}", 1)


@pytest.mark.parametrize(
    "text",
    [
        with_rule('brace: "{"', '     | "#{"'),
        with_rule("closure_body: open END  -> keep", "            | open -> keep"),
        with_rule('array: "[" "]"  -> empty_array', '     | "[" array_list "]" array_list -> array'),
        with_rule("?expr: run{operand}", "     | expr operator expr -> fold"),
        with_rule('let: let_name', '   | let_name "=" "{" items "}"'),
    ],
    ids=["brace_or_map", "open_closure_body", "array_tail", "ambiguous_operators", "block_or_statements"],
)  # fmt: skip
def test_an_ambiguous_grammar_is_refused(text: str):
    with pytest.raises(GrammarError, match=r"(?i)conflict|collision"):
        build(text)


def without_line(start: str) -> str:
    lines = GRAMMAR.split("\n")
    assert sum(line.startswith(start) for line in lines) == 1
    return "\n".join(line for line in lines if not line.startswith(start))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (without_line("//! .map_key: lex"), "nothing to say"),
        (without_line("//! .period: property"), "nothing to say"),
        (GRAMMAR.replace("//! .for_names:", "//! .for_name:"), "nothing to say"),
        (with_rule('map_colon: map_key ":"', "//! .nowhere: operand"), "used by no state"),
        (with_rule('map_colon: map_key ":"', "//! .map_key: operand"), "two messages"),
        (with_rule('map_colon: map_key ":"', "//! map_key what is this"), "no message"),
        (with_rule('map_colon: map_key ":"', "//^ map_colons tok"), "no rule"),
        (with_rule("arg_list: argument               -> one", "//^ arg_list tok"), "two numbers of levels"),
        (with_rule("condition: no_brace expr", "//^ condition tok"), "may be empty"),
        (without_line("//- word"), "two reductions by default"),
    ],
)
def test_a_faulty_annotation_is_refused(text: str, why: str):
    with pytest.raises(ValueError, match=why):
        build(text)


def test_every_reduction_is_used_by_the_grammar():
    assert set(REDUCTIONS) == {action for action, *_ in RULES if action}


def test_reductions_that_get_values_one_by_one_are_of_one_to_three_symbols():
    sizes = {size for action, _, size, _ in RULES if action and REDUCTIONS[action][1] == SPREAD}
    assert sizes == {1, 2, 3}


def level_after(text: str) -> int:
    lexed = lex(text)
    mark_kinds(lexed, Options(), False)
    builder = Builder(lexed, UNLIMITED, Options(), (), False, 0)
    run(builder, "program")
    assert not builder.saved
    assert not builder.switches
    assert not builder.scope.loops
    return builder.level


def test_the_level_is_even_after_every_program():
    accepted = 0
    for text in PROGRAMS:
        try:
            assert level_after(text) == 0, text
        except ParseError:
            continue
        accepted += 1
    assert accepted > 500


@pytest.mark.parametrize(
    ("before", "middle", "after"),
    [
        ("(", "1", ")"), ("[", "", "]"), ("{", "", "}"), ("#{a:", "1", "}"), ("- ", "x", ""), ("f(", "1", ")"), ("a[", "0", "]"),
        ("|x| ", "1", ""), ("if a {", "", "}"), ("if a {} else ", "{}", ""), ("switch 1 { 1 => ", "2", "}"), ("`${", "1", "}`"),
        ("x = 1 ?? return ", "1", ""), ("loop {", "", "}"), ("try {", "", "} catch {}"), ("2 ** ", "2", ""), ("a.", "b", ""),
    ],
)  # fmt: skip
def test_no_nesting_is_too_deep_without_limits(before: str, middle: str, after: str):
    deep = 10_000 if len(before) < 4 else 2_000
    text = before * deep + middle + after * deep
    if before.startswith("x ="):
        text = "x = 1 ?? " + "return 1 ?? " * deep + "1"
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(150 + len(_frames()))
    try:
        parse(text, UNLIMITED, Options())
    finally:
        sys.setrecursionlimit(limit)


def _frames() -> list[object]:
    """The frames of the caller, to leave the parser a known number of its own."""
    frame, found = sys._getframe(), []
    while frame is not None:
        found.append(frame)
        frame = frame.f_back
    return found
