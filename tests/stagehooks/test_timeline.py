"""What `stagehooks run` prints, for people and for programs, and what it exits with."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from stagehooks.console import Console
from stagehooks.run.events import HookFired, ModelReplied, RunEnded, ToolCalled, Totals
from stagehooks.timeline import JsonLines, Timeline, as_data, run_command, short
from tests.stagehooks.driving import Driven, Recorder, calls, drive, drive_agent, modify, stage, write_agent

ROOT = Path(__file__).parent.parent.parent
SCRIPT = "fn on_stage_enter(ctx) { " + modify('#{ notes: "a hint" }') + " } fn on_tool_call(ctx) { " + modify("[]") + " }"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def printed(driven: Driven, stream: type[io.StringIO] = io.StringIO) -> tuple[str, str]:
    """The timeline of a run: standard output and standard error."""
    out, err = stream(), stream()
    timeline = Timeline(Console(out, err))
    for event in driven.events:
        timeline.take(event)
    return out.getvalue(), err.getvalue()


@pytest.fixture
def driven(tmp_path: Path) -> Driven:
    """A run with a hook that changes something, a dropped call, a call that is made, one that is refused, and an answer."""
    stages = stage("look", ["on_stage_enter", "on_tool_call"], ["list_files"]) + stage("tell", [], ["submit_output", "shell"])
    wanted = calls(("submit_output", {"content": "the\nanswer"}), ("shell", {"command": "id"}), tokens=1)
    replies = (calls(("list_files", {}), text="Let me see.", tokens=7), "seen", wanted, "done")
    return drive(tmp_path, SCRIPT, *replies, stages=stages, task="look around")


# --- for people -----------------------------------------------------------------------------------------------------------


def test_the_final_output_is_all_there_is_on_standard_output(driven: Driven) -> None:
    assert printed(driven)[0] == "the\nanswer\n"


def test_the_timeline_tells_everything_in_order(driven: Driven) -> None:
    lines = [line.rstrip() for line in printed(driven)[1].splitlines()]
    wanted = [
        "  task               look around",
        "stage look",
        "  on_stage_enter     modify  notes: 0 -> 2 tokens  [3 operations]",
        '  model 1            "Let me see."  [7 tokens]',
        "                     asks for list_files {}",
        "  on_tool_call       modify  dropped list_files {}  [3 operations]",
        "                     dropped by on_tool_call",
        "  ->                 tell",
        "stage tell",
        "                     offered, arguments: valid, taint: off, policy: allow",
        "                     Recorded as this run's final output.",
        '  tool               shell {"command":"id"}',
        "                     offered, arguments: valid, taint: off, policy: ask, approval: nobody",
        "                     not done: [denied] Tool 'shell' needs approval, and nobody was there to give it.",
        "  ->                 the run is complete",
        "complete",
        "final output",
    ]
    places = [lines.index(line) for line in wanted]
    assert places == sorted(places)


def test_the_sums_stand_at_the_end(driven: Driven) -> None:
    assert "2 stages, 4 inferences, 8 tokens, 2 tool calls, 2 hooks, 6 operations" in printed(driven)[1]


def test_colour_is_for_terminals_only(driven: Driven, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" in printed(driven, Terminal)[1]
    assert "\x1b[" not in printed(driven)[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in printed(driven, Terminal)[1]


def test_an_error_is_told_once_and_again_at_the_end(tmp_path: Path) -> None:
    out, err = printed(drive(tmp_path, 'fn on_stage_enter(ctx) { #{ action: "cancel", reason: "no" } }'))
    assert out == ""
    assert err.count("on_stage_enter refused stage 'main': no") == 2
    assert "failure" not in err


def test_a_failure_that_no_hook_caused_is_told_before_on_error_rewrites_it(tmp_path: Path) -> None:
    _, err = printed(drive(tmp_path, "fn on_error(ctx) { " + modify('"sorry"') + " }", Exception("line down")))
    assert err.index("the model failed: Exception: line down") < err.index("on_error") < err.index("  sorry")


def test_a_run_without_an_answer_says_so(tmp_path: Path) -> None:
    out, err = printed(drive(tmp_path))
    assert out == ""
    assert "no final output was submitted" in err


def test_what_a_model_says_cannot_take_over_the_terminal(tmp_path: Path) -> None:
    answer = calls(("submit_output", {"content": "\x1b[2Jgone\u202e"}), text="\x1b]0;title\x07")
    out, err = printed(drive(tmp_path, "", answer, "done", tools=["submit_output"]))
    assert out == "\\u{1b}[2Jgone\\u{202e}\n"
    assert "\x1b" not in err
    assert "\x07" not in err


@pytest.mark.parametrize(("text", "shown"), [("a\n b", "a b"), ("x" * 12, "x" * 10 + "..."), ("", "")])
def test_a_long_text_is_one_short_line(text: str, shown: str) -> None:
    assert short(text, 10) == shown


# --- for programs ---------------------------------------------------------------------------------------------------------


def json_lines(driven: Driven) -> list[dict]:
    out = io.StringIO()
    lines = JsonLines(out)
    for event in driven.events:
        lines.take(event)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_every_event_is_one_line_of_json(driven: Driven) -> None:
    lines = json_lines(driven)
    assert len(lines) == len(driven.events)
    assert [line["event"] for line in lines[:4]] == ["run", "stage", "hook", "ask"]


def test_a_hook_line_says_which_hook_where_and_what_came_of_it(driven: Driven) -> None:
    line = next(line for line in json_lines(driven) if line["event"] == "hook")
    assert line["fuel"] >= 3
    del line["fuel"]
    assert line == {
        "event": "hook",
        "hook": "on_stage_enter",
        "stage": "look",
        "outcome": "modify",
        "changes": ["notes: 0 -> 2 tokens"],
        "error": None,
        "operations": 3,
    }


def test_a_tool_line_has_the_verdict_of_each_layer(driven: Driven) -> None:
    line = [line for line in json_lines(driven) if line["event"] == "tool"][-1]
    layers = {key: line[key] for key in ("hook", "offered", "schema", "taint", "policy", "approval", "ok")}
    assert layers == {
        "hook": "none",
        "offered": True,
        "schema": "valid",
        "taint": "off",
        "policy": "ask",
        "approval": "nobody",
        "ok": False,
    }


@pytest.mark.parametrize(
    ("end", "said"),
    [
        (RunEnded("complete", "x", None, Totals()), {"status": "complete", "output": "x"}),
        (RunEnded("complete", None, None, Totals()), {"status": "complete", "output": ""}),
        (RunEnded("error", None, "why", Totals()), {"status": "error", "error": "why"}),
        (RunEnded("cancelled", None, None, Totals()), {"status": "cancelled"}),
    ],
)
def test_the_last_line_has_the_output_or_the_error(end: RunEnded, said: dict) -> None:
    data = as_data(end)
    assert data.pop("event") == "end"
    assert data.pop("totals")
    assert data == said


# --- the command ----------------------------------------------------------------------------------------------------------


def run(directory: Path, *options: str, **more: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "stagehooks", "run", str(directory), *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60, **more)


def scripted(directory: Path, script: str, replies: str, tools: tuple[str, ...] = ()) -> Path:
    write_agent(directory, script, tools=tools)
    (directory / "replies.toml").write_text(replies)
    return directory


ANSWERED = '[[main]]\ntool_calls = [{ name = "submit_output", arguments = { content = "yes" } }]\n[[main]]\ntext = "done"\n'


def test_a_complete_run_exits_with_0_and_prints_its_output(tmp_path: Path) -> None:
    done = run(scripted(tmp_path, "", ANSWERED, ("submit_output",)))
    assert (done.returncode, done.stdout) == (0, "yes\n")
    assert "complete" in done.stderr


def test_with_json_nothing_but_json_is_printed(tmp_path: Path) -> None:
    done = run(scripted(tmp_path, "", ANSWERED, ("submit_output",)), "--json")
    assert json.loads(done.stdout.splitlines()[-1])["output"] == "yes"
    assert done.stderr == ""


@pytest.mark.parametrize(("body", "code"), [("false", 1), ('throw "x"', 1), ("42", 1), ("loop {}", 3)])
def test_a_run_that_a_hook_ends_exits_with_1_or_at_a_limit_with_3(tmp_path: Path, body: str, code: int) -> None:
    done = run(scripted(tmp_path, f"fn on_stage_enter(ctx) {{ {body} }}", ANSWERED))
    assert done.returncode == code
    assert "Traceback" not in done.stderr


def test_replies_that_cannot_be_read_exit_with_2_before_anything_ran(tmp_path: Path) -> None:
    done = run(scripted(tmp_path, "", "[[main]]\ntext = 7\n"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "replies.toml:2" in done.stderr
    assert "stage main" not in done.stderr


SHELL = '[[main]]\ntool_calls = [{ name = "shell", arguments = { command = "echo ran" } }]\n[[main]]\ntext = "done"\n'


@pytest.mark.parametrize(("options", "approval"), [(("--yes",), "once"), (("--no",), "deny"), ((), "nobody")])
def test_options_answer_the_questions_of_an_unattended_run(tmp_path: Path, options: tuple[str, ...], approval: str) -> None:
    done = run(scripted(tmp_path, "", SHELL, ("shell",)), "--json", "--workdir", str(tmp_path), *options)
    (tool,) = [line for line in map(json.loads, done.stdout.splitlines()) if line["event"] == "tool"]
    assert (tool["approval"], tool["ok"]) == (approval, approval == "once")


def test_ctrl_c_ends_a_run_cleanly_without_a_terminal_hook(tmp_path: Path) -> None:
    script = "fn on_completion(ctx) { () } fn on_error(ctx) { () }"
    slow = SHELL.replace("echo ran", "echo $$ > pid; sleep 30")
    command = [sys.executable, "-m", "stagehooks", "run", str(scripted(tmp_path / "agent", script, slow, ("shell",)))]
    work = tmp_path / "work"
    work.mkdir()
    options = ["--json", "--yes", "--workdir", str(work)]
    with subprocess.Popen([*command, *options], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for _ in range(1000):
            if (work / "pid").exists() and (work / "pid").read_text().strip():
                break
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=30)
    events = [json.loads(line) for line in out.splitlines()]
    assert process.returncode == 130
    assert "Traceback" not in err
    assert (events[-1]["event"], events[-1]["status"]) == ("end", "cancelled")
    assert not [event for event in events if event["event"] == "hook"]


def test_the_command_returns_the_exit_code_of_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agent = write_agent(tmp_path, "", tools=["submit_output"])
    (tmp_path / "replies.toml").write_text(ANSWERED)
    assert run_command(agent, task="", as_json=False, answer=None, workdir=None, given={}) == 0
    assert capsys.readouterr().out == "yes\n"


def test_all_kinds_of_events_are_printed_by_both(tmp_path: Path) -> None:
    stages = stage("main", ["on_stage_enter"], ["list_files"])
    agent = write_agent(tmp_path, SCRIPT, stages)
    driven = drive_agent(agent, Recorder("talk", calls(("list_files", {})), "done"))
    kinds = {type(event) for event in driven.events}
    assert {HookFired, ModelReplied, ToolCalled, RunEnded} <= kinds
    assert printed(driven)[1]
    assert len(json_lines(driven)) == len(driven.events)
