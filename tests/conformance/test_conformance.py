"""rhaipy agrees with the recorded answers of the real engine; and the comparison notices what it should."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from conformance.__main__ import main
from conformance.cases import Case
from conformance.compare import FIELDS, Difference, compare, compared_fields, differences
from conformance.divergences import Divergence, Known, read_known, stale
from conformance.report import as_json, as_text, judge

SUCCESS: dict[str, Any] = {
    "ok": True, "type": "i64", "display": "1", "debug": "1", "to_string": "1", "to_debug": "1", "json": 1, "ops": 2,
    "prints": ["a"], "debugs": [["a", None, "1:1"]],
}  # fmt: skip
INNER: dict[str, Any] = {"kind": "ErrorRuntime", "message": "Runtime error: 1", "line": 1, "pos": 2, "token": 1}
FAILURE: dict[str, Any] = {
    "ok": False, "stage": "run", "kind": "ErrorInFunctionCall", "message": "Runtime error: 1\nin call to function 'f'", "line": 1,
    "pos": 9, "inner": INNER, "ops": 7,
}  # fmt: skip
PARSE: dict[str, Any] = {
    "ok": False, "stage": "parse", "kind": "ErrorParsing", "parse_kind": "BadInput", "lex_kind": "UnexpectedInput",
    "message": "Unexpected '`'", "line": 1, "pos": 1, "ops": 0,
}  # fmt: skip
KNOWN_NOTHING = Known()


def case(name: str) -> Case:
    return Case(name, {"src": "1"}, ())


def difference(name: str, field: str = "ops", level: str = "none") -> Difference:
    return Difference(name, level, field, 1, 2)


def test_rhaipy_agrees_with_the_real_engine_on_every_case(capsys: pytest.CaptureFixture[str]):
    code = main(["--show", "50"])
    assert code == 0, capsys.readouterr().out


@pytest.mark.parametrize("answer", [SUCCESS, FAILURE, PARSE])
def test_an_answer_agrees_with_itself(answer: dict[str, Any]):
    assert differences(answer, json.loads(json.dumps(answer))) == {}


@pytest.mark.parametrize("field", ["type", "display", "debug", "to_string", "to_debug", "json", "prints", "debugs", "ops"])
def test_a_planted_difference_in_a_value_is_noticed(field: str):
    assert list(differences(SUCCESS, {**SUCCESS, field: "planted"})) == [field]


@pytest.mark.parametrize("field", ["stage", "kind", "parse_kind", "lex_kind", "message", "line", "pos", "token", "ops"])
def test_a_planted_difference_in_an_error_is_noticed(field: str):
    assert list(differences(PARSE, {**PARSE, field: "planted"})) == [field]


@pytest.mark.parametrize("field", ["kind", "message", "line", "pos", "token"])
def test_a_planted_difference_in_a_wrapped_error_is_noticed(field: str):
    assert list(differences(FAILURE, {**FAILURE, "inner": {**INNER, field: "planted"}})) == [f"inner.{field}"]


def test_a_missing_wrapped_error_is_noticed():
    assert list(differences(FAILURE, {**FAILURE, "inner": None})) == ["inner"]


def test_another_verdict_is_one_difference():
    assert list(differences(SUCCESS, FAILURE)) == ["ok"]


def test_numbers_that_only_python_finds_equal_are_different():
    assert list(differences(SUCCESS, {**SUCCESS, "json": 1.0})) == ["json"]
    assert list(differences(SUCCESS, {**SUCCESS, "json": True})) == ["json"]


def test_names_of_closures_do_not_count():
    first = {**SUCCESS, "debug": "Fn(anon$0123456789abcdef)"}
    assert differences(first, {**SUCCESS, "debug": "Fn(anon$fedcba9876543210)"}) == {}


def test_a_difference_says_where_it_is():
    assert compare("a/b:c", "simple", SUCCESS, {**SUCCESS, "ops": 3}) == [Difference("a/b:c", "simple", "ops", 2, 3)]


def test_a_difference_that_nothing_explains_fails():
    report = judge([case("a:x")], [difference("a:x")], KNOWN_NOTHING, complete=True)
    assert not report.passed
    assert "a:x [none] ops" in as_text([report], shown=1)
    assert json.loads(as_json(report))["passed"] is False


def test_an_explained_difference_passes_in_its_fields_and_levels_only():
    known = Known((Divergence(("a:x",), ("ops",), ("none",), "why"),))
    assert judge([case("a:x")], [difference("a:x")], known, complete=True).passed
    assert not judge([case("a:x")], [difference("a:x"), difference("a:x", "pos")], known, complete=True).passed
    assert not judge([case("a:x")], [difference("a:x"), difference("a:x", level="simple")], known, complete=True).passed


@pytest.mark.parametrize(
    ("row", "rotten"),
    [
        (Divergence(("a:x", "a:y"), ("ops",), ("none",), "why"), "a:y does not differ any more in ops"),
        (Divergence(("a:x",), ("ops", "pos"), ("none",), "why"), "a:x: pos does not differ any more"),
        (Divergence(("b:*",), ("ops",), ("none",), "why"), "b:* does not differ any more in ops"),
    ],
)
def test_a_row_that_no_longer_differs_is_stale(row: Divergence, rotten: str):
    assert stale(Known((row,)), [difference("a:x")]) == [rotten]


def test_rows_are_not_judged_by_a_part_of_the_cases():
    known = Known((Divergence(("a:x",), ("ops",), ("none",), "why"),))
    assert judge([case("c:z")], [], known, complete=False).passed


def test_the_list_of_divergences_is_read(tmp_path: Path):
    path = tmp_path / "divergences.toml"
    path.write_text('[[divergence]]\ncases = ["a:*"]\nfields = ["ops"]\nreason = "why"\n')
    known = read_known(path)
    assert known.explains(difference("a:anything", level="simple"))
    assert known.divergences == (Divergence(("a:*",), ("ops",), ("none", "simple"), "why"),)


def test_each_divergence_has_a_reason():
    assert all(len(row.reason) > 20 for row in read_known().divergences)


# --- reports and other programs -------------------------------------------------------------------------------------------


def test_the_fields_that_an_answer_is_compared_in():
    assert compared_fields(SUCCESS)[:2] == ("ok", "type")
    assert "inner" in compared_fields(FAILURE)
    assert "inner" not in compared_fields(PARSE)
    assert set(compared_fields(SUCCESS)) | set(compared_fields(FAILURE)) == set(FIELDS) - {"recording"}


def test_a_report_counts_cases_by_area_and_answers_by_field():
    cases = [case("a:x"), case("a:y"), case("b:x")]
    known = Known((Divergence(("a:y",), ("ops",), ("none",), "why"),))
    found = [difference("a:x", "inner.kind"), difference("a:x", "inner.pos"), difference("a:y")]
    table = json.loads(as_json(judge(cases, found, known, complete=True, compared={"ops": 6, "inner": 2})))
    assert [table[name] for name in ("cases", "agree", "divergences", "unexplained")] == [3, 1, 1, 1]
    assert table["areas"]["a"] == {"cases": 2, "agree": 0, "divergences": 1, "unexplained": 1}
    assert table["fields"]["ops"] == {"answers": 6, "agree": 5, "divergences": 1, "unexplained": 0}
    assert table["fields"]["inner"] == {"answers": 2, "agree": 0, "divergences": 0, "unexplained": 2}


def test_tiers_are_told_apart():
    reports = [judge([case("a:x")], [], KNOWN_NOTHING, complete=True, tier=tier) for tier in ("reference", "auto")]
    text = as_text(reports, shown=1)
    assert "tier reference" in text
    assert text.count("\nauto  ") == 1


def test_another_program_is_judged_by_the_same_cases(capsys: pytest.CaptureFixture[str]):
    code = main(["bits", "--json", "--subject", f"{sys.executable} -m conformance.subject"])
    report = json.loads(capsys.readouterr().out)
    assert code == 0
    assert report["agree"] == report["cases"] > 0


def test_a_program_that_dies_over_a_request_differs_and_is_started_again(capsys: pytest.CaptureFixture[str]):
    code = main(["bits", "--json", "--subject", f"{sys.executable} -c 'input()'"])
    report = json.loads(capsys.readouterr().out)
    assert code == 1
    assert report["unexplained"] == report["cases"]


def test_a_program_that_cannot_be_started_is_no_verdict(capsys: pytest.CaptureFixture[str]):
    assert main(["bits", "--subject", "./no-such-program"]) == 2
    assert "no-such-program" in capsys.readouterr().err
