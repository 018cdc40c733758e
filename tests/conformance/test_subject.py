"""The subject: it answers every request there can be, one line for one line."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conformance.subject import answer, answer_line

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ([], "not a JSON object"),
        ({}, "missing field `src`"),
        ({"src": 1}, "`src` has the wrong type"),
        ({"src": "1", "nonsense": 1}, "unknown field `nonsense`"),
        ({"src": "1", "opt": "full"}, "opt is none of none, simple: full"),
        ({"src": "1", "tier": "fastest"}, "tier is none of reference, compiled, auto: fastest"),
        ({"src": "1", "profile": "other"}, "profile is none of plain, hook: other"),
        ({"src": "1", "limits": {"fuel": 1}}, "unknown field `fuel`"),
        ({"src": "1", "limits": {"max_operations": -1}}, "`max_operations` is negative"),
        ({"src": "1", "options": {"strict_variables": 1}}, "`strict_variables` has the wrong type"),
        ({"src": "1", "call": {"fn": "f"}}, "`call` needs `fn` and `args`"),
        ({"src": "1", "call": {"fn": "f", "args": []}, "expression": True}, "`call` and `expression` exclude each other"),
        ({"src": "1", "scope": {"x": {"$char": "xy"}}}, "malformed $char: xy"),
        ({"src": "1", "scope": {"x": {"$nothing": 1}}}, "malformed $nothing: 1"),
    ],
)
def test_a_bad_request_is_answered_with_the_reason(request_: Any, words: str):
    got = answer(request_)
    assert (got["ok"], got["stage"], got["kind"], got["message"]) == (False, "request", "BadRequest", words)


@pytest.mark.parametrize("line", [b"", b"{", b"\xff", b"[" * 100_000, b"1", b"null"])
def test_a_line_that_is_no_request_is_answered_too(line: bytes):
    assert answer_line(line)["stage"] == "request"


def test_the_id_is_copied_even_to_refusals():
    assert answer({"id": [1], "src": "1"})["id"] == [1]
    assert answer({"id": [1]})["id"] == [1]


def test_values_that_json_lacks_go_in_and_come_out_as_the_protocol_says():
    scope = {"c": {"$char": "x"}, "b": {"$blob": [1, 255]}, "r": {"$range": [1, 3]}, "i": {"$irange": [1, 3]}, "n": 2**63}
    got = answer({"src": "[c, b, r, i, n]", "scope": scope})
    assert got["json"] == ["x", [1, 255], "core::ops::range::Range<i64>", "core::ops::range::RangeInclusive<i64>", 2.0**63]


def test_the_variables_are_told_if_asked_for():
    got = answer({"src": "let y = x + 1; const Z = 'z';", "scope": {"x": 1}, "vars": True})
    assert got["vars"] == [["Z", "const", "z"], ["y", "let", "2"], ["x", "let", "1"]]


def test_what_is_printed_is_recorded_with_its_position():
    got = answer({"src": 'print(1);\n debug("a");'})
    assert (got["prints"], got["debugs"]) == (["1"], [('"a"', None, "2:2")])


def test_texts_of_the_result_are_made_without_counting():
    got = answer({"src": "[1, [2]]"})
    assert (got["ops"], got["to_string"], got["to_debug"]) == (2, "[1, [2]]", "[1, [2]]")


def test_a_parse_error_while_running_is_no_parse_stage():
    got = answer({"src": 'Fn("if")'})
    assert (got["stage"], got["kind"], got["parse_kind"]) == ("run", "ErrorParsing", "Reserved")


def test_the_hook_profile_has_its_functions_and_swallows_output():
    got = answer({"src": 'print("x"); count_tokens("12345")', "profile": "hook"})
    assert (got["json"], got["prints"]) == (2, [])


def test_the_server_answers_line_by_line():
    lines = ['{"id": 1, "src": "1 + 1"}', "nonsense", '{"id": 2, "src": "let a ="}']
    ran = subprocess.run(
        [sys.executable, "-m", "conformance.subject"],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [(got["id"], got["ok"]) for got in answers] == [(1, True), (None, False), (2, False)]
