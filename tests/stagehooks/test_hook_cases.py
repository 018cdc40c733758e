"""Hook cases: how they are written, what they check, how they are told."""

import json
from pathlib import Path

import pytest

from stagehooks.agent.spawn import Agent, load
from stagehooks.cases import Verdict, case_files, read_cases, run_cases
from stagehooks.cli import main
from stagehooks.errors import BlueprintError, SpawnError
from tests.stagehooks.driving import stage, write_agent

EXAMPLES = Path(__file__).parents[2] / "examples"
SCRIPT = """\
fn on_tool_call(ctx) {
    if ctx.n == 1 { return; }
    if ctx.n == 2 { return #{ action: "modify", value: [1, #{ b: 2, a: 1 }] }; }
    if ctx.n == 3 { return #{ action: "cancel", reason: "no" }; }
    if ctx.n == 4 { return false; }
    if ctx.n == 5 { return #{ action: "retry" }; }
    if ctx.n == 6 { throw "boom"; }
    if ctx.n == 7 { return 42; }
    loop { }
}
fn on_stage_enter(ctx) { #{ action: "modify", value: ctx } }
"""


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    stages = stage("first") + stage("main", ["on_tool_call", "on_stage_enter"], ["shell"])
    made = write_agent(tmp_path / "agent", SCRIPT, stages)
    (made.directory / "tests").mkdir()
    return made


def write(agent: Agent, text: str, name: str = "tests/cases.toml") -> None:
    (agent.directory / name).parent.mkdir(exist_ok=True)
    (agent.directory / name).write_text(text)


def case(number: int, expect: str, more: str = "") -> str:
    return f'[[case]]\nstage = "main"\nhook = "on_tool_call"\nctx = {{ n = {number} }}\nexpect = "{expect}"\n{more}\n'


def verdict(agent: Agent, text: str) -> Verdict:
    write(agent, text)
    (only,) = run_cases(agent)
    return only


def command(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    return code, out, err


# --- what they check ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "expect", "more"),
    [
        (1, "allow", ""),
        (2, "modify", ""),
        (2, "modify", "value = [1, { a = 1, b = 2 }]"),
        (3, "cancel", ""),
        (3, "cancel", 'reason = "no"'),
        (4, "cancel", ""),
        (5, "retry", ""),
        (6, "error", ""),
        (6, "error", 'error = "Runtime error: boom"'),
        (7, "error", 'error = "got: 42"'),
        (8, "error", 'error = "Too many operations"'),
        (1, "allow", "max_operations = 20"),
    ],
)
def test_a_case_passes(agent: Agent, number: int, expect: str, more: str) -> None:
    assert verdict(agent, case(number, expect, more)).problems == ()


@pytest.mark.parametrize(
    ("number", "expect", "more", "problem"),
    [
        (1, "cancel", "", "expected cancel, got allow"),
        (2, "allow", "", 'expected allow, got modify [1,{"a":1,"b":2}]'),
        (2, "modify", "value = [1]", 'expected modify [1], got modify [1,{"a":1,"b":2}]'),
        (3, "cancel", 'reason = "n"', "expected cancel: n, got cancel: no"),
        (4, "cancel", 'reason = "no"', "expected cancel: no, got cancel, and no reason"),
        (5, "allow", "", "expected allow, got retry"),
        (6, "allow", "", "expected allow, got error: Script execution failed: hooks.rhai: on_tool_call: Runtime error: boom"),
        (6, "error", 'error = "bang"', "expected error: ...bang..., got error: Script execution failed"),
        (1, "error", 'error = "bang"', "expected error: ...bang..., got allow"),
        (1, "allow", "operations = 1", "expected 1 operations, got 8"),
        (1, "allow", "max_operations = 1", "expected no more than 1 operations, got 8"),
    ],
)
def test_a_case_fails_and_says_why(agent: Agent, number: int, expect: str, more: str, problem: str) -> None:
    (said,) = verdict(agent, case(number, expect, more)).problems
    assert said.startswith(problem)


def test_one_case_may_have_two_problems(agent: Agent) -> None:
    assert len(verdict(agent, case(1, "cancel", "max_operations = 1")).problems) == 2


def test_what_every_ctx_has_is_filled_in(agent: Agent) -> None:
    write(agent, '[[case]]\nstage = "main"\nhook = "on_stage_enter"\nctx = { iteration = 7, mine = 1 }\nexpect = "modify"')
    (cases,) = read_cases(agent, "tests/cases.toml")
    totals = {"stages": 0, "inferences": 0, "tokens": 0, "tool_calls": 0}
    assert cases.ctx == {"stage": "main", "stage_index": 1, "iteration": 7, "totals": totals, "mine": 1}


def test_a_script_may_be_named_that_no_stage_names(agent: Agent) -> None:
    (agent.directory / "other.rhai").write_text("fn on_error(ctx) { false }")
    assert verdict(agent, '[[case]]\nscript = "other.rhai"\nhook = "on_error"\nexpect = "cancel"').passed


def test_cases_stand_in_two_places_and_are_taken_in_order(agent: Agent) -> None:
    write(agent, case(1, "allow"), "tests/b.toml")
    write(agent, case(1, "allow") + case(3, "cancel"), "tests/a.toml")
    write(agent, case(1, "allow"), "hooks/tests.toml")
    write(agent, "no case", "hooks/other.toml")
    assert case_files(agent.directory) == ["tests/a.toml", "tests/b.toml", "hooks/tests.toml"]
    assert [item.case.where for item in run_cases(agent)] == [
        "tests/a.toml:1", "tests/a.toml:7", "tests/b.toml:1", "hooks/tests.toml:1",
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["planner", "failing", "cost_gate", "redactor"])
def test_the_cases_of_the_examples_pass(name: str) -> None:
    verdicts = list(run_cases(load(EXAMPLES / name)))
    assert verdicts
    assert [item.case.where for item in verdicts if not item.passed] == []


# --- what is wrong with them ----------------------------------------------------------------------------------------------

START = '[[case]]\nstage = "main"\n'


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("[[cases]]", 1, "the case file has unknown key 'cases' (valid: case)"),
        ("case = 1", 1, "'case' must be a list of tables, got: 1"),
        (START + 'hook = "on_tool_call"', 1, "a case needs 'expect'"),
        (START + 'expect = "allow"', 1, "a case needs 'hook'"),
        (START + 'hook = "on_tool_cal"\nexpect = "allow"', 3, 'unknown hook "on_tool_cal"'),
        (START + 'hook = "on_tool_call"\nexpect = "alow"', 4, 'unknown expect "alow"'),
        (START + 'hook = "on_tool_call"\nexpect = "allow"\nvalu = 1', 5, "unknown key 'valu'"),
        (START + 'hook = "on_tool_call"\nexpect = "allow"\nvalue = 1', 5, "'value' goes with expect = \"modify\""),
        (START + 'hook = "on_tool_call"\nexpect = "allow"\nreason = "x"', 5, "'reason' goes with expect = \"cancel\""),
        (START + 'hook = "on_tool_call"\nexpect = "allow"\nerror = "x"', 5, "'error' goes with expect = \"error\""),
        (START + 'hook = "on_tool_call"\nexpect = "allow"\nctx = 1', 5, "'ctx' must be a table, got: 1"),
        (START + 'hook = "on_tool_call"\nexpect = "allow"\nctx = { d = 2020-01-01 }', 5, "must be plain data"),
        (START + 'hook = "on_tool_call"\nexpect = "allow"\nmax_operations = -1', 5, "must be a whole number, 0 or more"),
        (START + 'hook = "on_error"\nexpect = "allow"', 3, "stage 'main' names no script for 'on_error'"),
        ('[[case]]\nstage = "mian"\nhook = "on_error"\nexpect = "allow"', 2, "there is no stage 'mian' (there are: first, main)"),
        ('[[case]]\nhook = "on_error"\nexpect = "allow"', 1, "a case needs either 'stage' or 'script'"),
        (START + 'script = "hooks.rhai"\nhook = "on_error"\nexpect = "allow"', 2, "a case needs either 'stage' or 'script'"),
        ('[[case]]\nscript = "no.rhai"\nhook = "on_error"\nexpect = "allow"', 2, "cannot read stage hook script"),
        ('[[case]]\nscript = "../h.rhai"\nhook = "on_error"\nexpect = "allow"', 2, "resolves outside the blueprint's directory"),
        ('[[case]]\nscript = "hooks.rhai"\nhook = "on_error"\nexpect = "allow"', 2, "defines no fn on_error(ctx)"),
        ("[[case]\n", 1, "Failed to parse cases.toml"),
    ],
)
def test_a_case_that_is_wrong_is_one_message_with_its_line(capsys, agent: Agent, text: str, line: int, message: str) -> None:
    write(agent, text)
    with pytest.raises(BlueprintError) as caught:
        read_cases(agent, "tests/cases.toml")
    assert message in caught.value.message
    assert (caught.value.file, caught.value.line) == (str(agent.directory / "tests" / "cases.toml"), line)
    code, out, err = command(capsys, "test", agent.directory)
    assert (code, out) == (2, "")
    assert message in err


def test_a_case_file_that_leads_elsewhere_is_not_read(agent: Agent, tmp_path: Path) -> None:
    (tmp_path / "outside.toml").write_text(case(1, "allow"))
    (agent.directory / "tests" / "link.toml").symlink_to(tmp_path / "outside.toml")
    with pytest.raises(SpawnError, match="resolves outside the agent's directory"):
        run_cases(agent)


# --- the command ----------------------------------------------------------------------------------------------------------


def test_the_report_names_each_case_and_ends_with_the_sum(capsys, agent: Agent) -> None:
    write(agent, case(1, "allow", 'name = "looking is free"') + case(6, "allow", 'name = "no throwing"'))
    code, out, err = command(capsys, "test", agent.directory)
    assert (code, err) == (1, "")
    lines = out.splitlines()
    assert lines[0] == "✓ tests/cases.toml: looking is free  [8 operations]"
    assert lines[1] == "✗ tests/cases.toml:7: no throwing"
    assert lines[2].startswith("    expected allow, got error: Script execution failed: hooks.rhai: on_tool_call: ")
    assert 'if ctx.n == 6 { throw "boom"; }' in lines[3]
    assert lines[4].strip() == "^"
    assert lines[-1] == "2 cases, 1 passed, 1 failed"


def test_all_that_pass_end_with_0(capsys, agent: Agent) -> None:
    write(agent, case(1, "allow"))
    code, out, _ = command(capsys, "test", agent.directory)
    assert (code, out) == (0, "✓ tests/cases.toml: case 1  [8 operations]\n1 case, 1 passed, 0 failed\n")


def test_the_report_is_an_object_too(capsys, agent: Agent) -> None:
    write(agent, case(1, "allow") + case(3, "cancel", 'reason = "yes"'))
    code, out, err = command(capsys, "test", agent.directory, "--json")
    report = json.loads(out)
    assert (code, err, report["passed"], report["failed"]) == (1, "", 1, 1)
    failed = report["cases"][1]
    assert {key: failed[key] for key in ("file", "line", "script", "hook", "passed", "problems")} == {
        "file": "tests/cases.toml",
        "line": 7,
        "script": "hooks.rhai",
        "hook": "on_tool_call",
        "passed": False,
        "problems": ["expected cancel: yes, got cancel: no"],
    }
    assert failed["got"]["outcome"] == "cancel"
    assert failed["got"]["reason"] == "no"


def test_an_agent_without_cases_is_a_usage_error_that_says_where_to_write_them(capsys, agent: Agent) -> None:
    code, out, err = command(capsys, "test", agent.directory)
    assert (code, out) == (2, "")
    assert "there are no hook cases beside this agent" in err
    assert "hint: write [[case]] tables in tests/NAME.toml" in err


def test_an_agent_that_does_not_load_is_refused(capsys, agent: Agent) -> None:
    (agent.directory / "hooks.rhai").write_text("fn on_tool_call(")
    write(agent, case(1, "allow"))
    assert command(capsys, "test", agent.directory)[0] == 2
