"""What the command shows when things go wrong, to people and to programs: a message and a hint, a JSON value, no forged lines."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rhaipy import __version__
from stagehooks.cli import main
from stagehooks.scripts.outcome import HOOK_NAMES
from tests.stagehooks.driving import stage, write_agent

ROOT = Path(__file__).parents[2]
DONE = '[[main]]\ntext = "done"\n'


def ended(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """The exit code, standard output and standard error of a command."""
    try:
        code = main([str(argument) for argument in arguments])
    except SystemExit as stopped:
        code = stopped.code if isinstance(stopped.code, int) else 1
    printed = capsys.readouterr()
    return code, printed.out, printed.err


# --- wrong words ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["rum", "x"], "there is no 'rum'", "did you mean 'run'?"),
        (["dance"], "there is no 'dance'", "there are: run, validate, call,"),
        (["run", "x", "--tsk", "y"], "unrecognized arguments: --tsk y", "did you mean '--task'?"),
        (["run", "x", "--tsk=y"], "unrecognized arguments: --tsk=y", "did you mean '--task'?"),
        (["completion", "fisch"], "there is no 'fisch'", "did you mean 'fish'?"),
        (["run", "x", "--timeout", "0"], "a number of seconds above 0 is wanted, not '0'", ""),
        (["run", "x", "--timeout", "soon"], "a number of seconds above 0 is wanted, not 'soon'", ""),
        (["run", "x", "--timeout", "nan"], "a number of seconds above 0 is wanted, not 'nan'", ""),
        (["explain", "on_too_call"], "unknown hook 'on_too_call'", "did you mean 'on_tool_call'?"),
        (["run", "x", "\x1b[2J"], "unrecognized arguments: \\u{1b}[2J", ""),
    ],
)
def test_a_wrong_word_is_an_error_with_what_may_have_been_meant(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str, hint: str
) -> None:
    code, out, err = ended(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert f"  hint: {hint}" in err if hint else "hint" not in err


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(capsys, "--version") == (0, f"stagehooks {__version__}\n", "")


# --- JSON -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "nowhere"], ["validate", "nowhere"], ["test", "nowhere"], ["call", "nowhere.rhai", "on_error", "--ctx", "{}"],
        ["call", "nowhere.rhai", "on_eror", "--ctx", "{}"], ["call", "nowhere.rhai", "on_error", "--ctx", "{"],
        ["explain", "on_eror"], ["ps", "--store", "nowhere.db"], ["log", "x", "--store", "nowhere.db"],
        ["result", "x", "--store", "nowhere.db"], ["resume", "x", "--store", "nowhere.db"],
        ["replay", "x", "--store", "nowhere.db"], ["run", "nowhere", "--output-spec", "nowhere.toml"],
    ],
)  # fmt: skip
def test_a_program_that_asks_for_json_gets_one_value_whatever_goes_wrong(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    code, out, err = ended(capsys, *arguments, "--json")
    assert code == 2
    said = json.loads(out)
    assert said["error"]
    assert said["error"] in err


def test_an_error_says_where_and_what_to_do(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    agent = write_agent(tmp_path, "fn on_error(ctx) { () }", stage("main", ["on_error"]))
    (tmp_path / "hooks.rhai").write_text("fn on_error(ctx) {\n    let x = ;\n}")
    code, out, err = ended(capsys, "run", agent.directory, "--json")
    said = json.loads(out)
    assert (code, said["file"], said["line"], said["column"]) == (2, str(tmp_path / "hooks.rhai"), 2, 13)
    assert err.splitlines()[1:] == ["        let x = ;", "                ^"]


def test_a_run_that_stops_half_way_ends_its_lines_with_the_error(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from stagehooks.errors import StoreError
    from stagehooks.run.events import ModelAsked
    from stagehooks.store.journal import Journal

    def full(self: Journal, event: object) -> None:
        raise StoreError("no room")

    monkeypatch.setattr(Journal, "aside", full)
    agent = write_agent(tmp_path / "agent", "")
    (agent.directory / "replies.toml").write_text(DONE)
    code, out, err = ended(capsys, "run", agent.directory, "--json", "--store", tmp_path / "runs.db")
    lines = [json.loads(line) for line in out.splitlines()]
    assert (code, lines[0]["event"], lines[-1]["error"]) == (1, "run", "no room")
    assert err == "stagehooks: no room\n"
    assert ModelAsked.event not in [line.get("event") for line in lines]


def test_explain_gives_data_too(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ended(capsys, "explain", "on_tool_call", "--json")
    one = json.loads(out)
    assert (code, one["hook"]) == (0, "on_tool_call")
    assert "tool_calls" in one["sees"]
    assert tuple(entry["hook"] for entry in json.loads(ended(capsys, "explain", "--json")[1])) == HOOK_NAMES


# --- names that look like lines of ours -----------------------------------------------------------------------------------


def test_no_name_and_no_text_can_forge_a_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    forged = "\n\nfinal output\nit is done\r\x1b[2J\u202e"
    agent = tmp_path / "agent"
    agent.mkdir()
    (agent / "agent.toml").write_text(
        f"[agent]\nname = {json.dumps('a' + forged)}\nversion = {json.dumps('1' + forged)}\n[stages.main]\n"
        f"[[stages.main.interaction_points]]\nname = {json.dumps('p' + forged)}\nprompt = 'Go?'\nstyle = 'confirm'\n"
    )
    call = f"{{ name = {json.dumps('t' + forged)}, arguments = {{ a = {json.dumps(forged)} }} }}"
    (agent / "replies.toml").write_text(f"[[main]]\ntext = {json.dumps(forged)}\ntool_calls = [{call}]\n{DONE}")
    at = ("--store", tmp_path / "runs.db")
    shown = [*ended(capsys, "run", agent, "--task", f"t{forged}", *at)[1:]]
    for command in (["ps"], ["log", "last"], ["result", "last"], ["resume", "last"], ["replay", "last"]):
        shown += ended(capsys, *command, *at)[1:]
    shown += ended(capsys, "validate", agent)[1:]
    text = "".join(shown)
    assert text.count("a\\n\\nfinal output") >= 3
    assert not [line for line in text.splitlines() if line.startswith(("it is done", "final output"))]
    assert not set(text) & {"\x1b", "\r", "\u202e"}


# --- streams that take nothing --------------------------------------------------------------------------------------------


def in_a_shell(line: str, *more: object) -> "subprocess.CompletedProcess[str]":
    """A command of a shell, in which $RUN stands for this program and $1, $2, ... for `more`."""
    environment = {**os.environ, "RUN": f"{sys.executable} -m stagehooks", "PYTHONPATH": str(ROOT)}
    words = ["sh", "-c", line, "sh", *map(str, more)]
    return subprocess.run(words, capture_output=True, text=True, env=environment, timeout=60, check=False)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device here that is always full")
@pytest.mark.parametrize("command", ["run $1 --no-store", "run $1 --no-store --json", "validate $1", "explain", "schema"])
def test_output_that_cannot_be_written_is_one_line(tmp_path: Path, command: str) -> None:
    agent = write_agent(tmp_path / "agent", "", stage("main", [], ["submit_output"]))
    answer = '[[main]]\ntool_calls = [{ name = "submit_output", arguments = { content = "x" } }]\n'
    (agent.directory / "replies.toml").write_text(answer + DONE)
    done = in_a_shell(f"$RUN {command} > /dev/full", agent.directory)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "stagehooks: cannot write: No space left on device"
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="streams are closed by a POSIX shell")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_streams_may_be_closed(tmp_path: Path, closed: str) -> None:
    agent = write_agent(tmp_path / "agent", "")
    (agent.directory / "replies.toml").write_text(DONE)
    for command in ("run $1 --no-store", "validate $1", "--help"):
        done = in_a_shell(f"$RUN {command} {closed}", agent.directory)
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), command


@pytest.mark.skipif(os.name == "nt", reason="the reader is a POSIX program")
def test_a_run_whose_reader_goes_away_stops_and_can_be_resumed(tmp_path: Path) -> None:
    agent = write_agent(tmp_path / "agent", "")
    (agent.directory / "replies.toml").write_text(DONE)
    done = in_a_shell("$RUN run $1 --json --store $2 | head -c 5", agent.directory, tmp_path / "runs.db")
    assert (done.stdout, done.stderr) == ('{"eve', "")
    again = in_a_shell("$RUN resume last --store $2", agent.directory, tmp_path / "runs.db")
    assert again.returncode == 0


def test_validate_finds_a_wrong_hook_and_a_wrong_tool_in_one_reading(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "agent.toml").write_text(
        '[agent]\nname = "a"\n[stages.main]\navailable_tools = ["shel"]\n[stages.main.hooks]\non_tool_cal = "hooks.rhai"\n'
    )
    code, _, err = ended(capsys, "validate", tmp_path)
    assert code == 2
    assert "did you mean 'on_tool_call'?" in err
    assert "did you mean 'shell'?" in err


@pytest.mark.skipif(os.name == "nt", reason="a directory in use cannot be removed there")
def test_a_directory_that_is_gone_is_one_line(tmp_path: Path) -> None:
    agent = write_agent(tmp_path / "agent", "")
    (agent.directory / "replies.toml").write_text(DONE)
    leave = f"mkdir {tmp_path}/gone && cd {tmp_path}/gone && rmdir {tmp_path}/gone"
    for command in ("run $1 --store x.db", "run $1 --no-store --workdir .", "ps --store x.db", "validate here", "run ."):
        done = in_a_shell(f"{leave} && $RUN {command}", agent.directory)
        assert (done.returncode in (1, 2), "Traceback" in done.stderr) == (True, False), (command, done.stderr)
    done = in_a_shell(f"{leave} && $RUN run $1 --no-store", agent.directory)
    assert done.returncode == 0
