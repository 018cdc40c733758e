"""The commands: what they print, where, and how they end."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from stagehooks.cli import main
from stagehooks.console import Console
from stagehooks.explain import EXPLANATIONS
from stagehooks.run.points import EVERYWHERE, POINTS
from stagehooks.scripts.outcome import HOOK_NAMES, Cancel, Retry
from stagehooks.scripts.stage_hook import compile, run

ROOT = Path(__file__).parents[2]
GUARD = """\
fn on_tool_call(ctx) {
    if ctx.n == 1 { return; }
    if ctx.n == 2 { return #{ action: "modify", value: [ctx] }; }
    if ctx.n == 3 { return #{ action: "cancel", reason: "no" }; }
    if ctx.n == 4 { return #{ action: "retry" }; }
    if ctx.n == 5 { return 42; }
    if ctx.n == 6 { throw "boom"; }
    loop { }
}
"""


@pytest.fixture
def guard(tmp_path: Path) -> Path:
    path = tmp_path / "guard.rhai"
    path.write_text(GUARD)
    return path


@pytest.fixture
def planner(tmp_path: Path) -> Path:
    (tmp_path / "replies.toml").write_text("")
    (tmp_path / "agent.toml").write_text(
        '[agent]\nname = "planner"\n[stages.plan]\n[stages.plan.hooks]\non_tool_call = "guard.rhai"\n[stages.build]\n'
    )
    return tmp_path


def command(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    try:
        code = main([str(argument) for argument in arguments])
    except SystemExit as stop:
        code = int(stop.code or 0)
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    return code, out, err


# --- call -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "code", "expected"),
    [
        (1, 0, {"outcome": "allow", "value": None, "reason": None}),
        (2, 0, {"outcome": "modify", "value": [{"n": 2}], "reason": None}),
        (3, 1, {"outcome": "cancel", "value": None, "reason": "no"}),
        (4, 1, {"outcome": "retry", "value": None, "reason": None}),
    ],
)
def test_call_prints_one_object(capsys, guard: Path, number: int, code: int, expected: dict[str, object]):
    ended, out, err = command(capsys, "call", guard, "on_tool_call", "--ctx", json.dumps({"n": number}), "--json")
    assert ended == code
    assert err == ""
    answer = json.loads(out)
    assert out.count("\n") == 1
    assert {key: answer[key] for key in expected} == expected
    assert list(answer) == ["outcome", "value", "reason", "operations", "fuel"]
    assert 0 < answer["operations"] <= answer["fuel"]


@pytest.mark.parametrize(
    ("number", "code", "text"), [(5, 1, "got: 42"), (6, 1, "Runtime error: boom"), (7, 3, "Too many operations")]
)
def test_call_ends_with_one_for_a_script_error_and_three_for_a_limit(capsys, guard: Path, number: int, code: int, text: str):
    ended, out, err = command(capsys, "call", guard, "on_tool_call", "--ctx", json.dumps({"n": number}))
    assert ended == code
    assert out == ""
    assert text in err


def test_an_error_prints_place_message_line_and_caret(capsys, guard: Path):
    _, _, err = command(capsys, "call", guard, "on_tool_call", "--ctx", '{"n": 6}')
    place = f"{guard}:7:21"
    message = f"Script execution failed: {guard}: on_tool_call: Runtime error: boom (line 7, position 21)"
    assert err == f'{place}: {message}\n        if ctx.n == 6 {{ throw "boom"; }}\n    {" " * 20}^\n'


def test_an_error_is_an_object_too(capsys, guard: Path):
    ended, out, err = command(capsys, "call", guard, "on_tool_call", "--ctx", '{"n": 6}', "--json")
    assert ended == 1
    assert {key: json.loads(out)[key] for key in ("outcome", "kind", "line")} == {
        "outcome": "error",
        "kind": "ErrorRuntime",
        "line": 7,
    }
    assert 0 < json.loads(out)["operations"] <= json.loads(out)["fuel"]
    assert "boom" in err


def test_call_prints_for_people_without_json(capsys, guard: Path):
    _, out, _ = command(capsys, "call", guard, "on_tool_call", "--ctx", '{"n": 3}')
    assert out.startswith("cancel: no\n(")


def test_a_context_comes_from_a_file_or_from_standard_input(capsys, guard: Path, tmp_path: Path, monkeypatch):
    (tmp_path / "ctx.json").write_text('{"n": 3}')
    assert command(capsys, "call", guard, "on_tool_call", "--ctx", tmp_path / "ctx.json")[0] == 1
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"n": 1}')))
    assert command(capsys, "call", guard, "on_tool_call", "--ctx", "-")[0] == 0


@pytest.mark.parametrize(
    ("ctx", "text"),
    [
        ("{", "--ctx is not JSON: "),
        ('{"a": NaN}', "--ctx is not JSON: NaN is no JSON"),
        ("none.json", "--ctx is neither JSON nor a readable file: 'none.json': No such file or directory"),
        ("", "--ctx is neither JSON nor a readable file"),
        ("[" * 1000, "--ctx is not JSON: nested deeper than 127"),
        ('"\\ud800"', "--ctx is neither JSON nor a readable file"),
    ],
)
def test_a_context_that_cannot_be_read_is_a_usage_error(capsys, guard: Path, ctx: str, text: str):
    code, out, err = command(capsys, "call", guard, "on_tool_call", "--ctx", ctx)
    assert (code, out) == (2, "")
    assert err.startswith(f"stagehooks: {text}")
    assert err.count("\n") == 1


def test_an_unknown_hook_is_a_usage_error_with_a_hint(capsys, guard: Path):
    code, _, err = command(capsys, "call", guard, "on_tool_cal", "--ctx", "{}")
    assert code == 2
    assert err == "stagehooks: unknown hook 'on_tool_cal'\n  hint: did you mean 'on_tool_call'?\n"


def test_a_script_that_lacks_the_hook_is_a_configuration_error(capsys, guard: Path):
    code, _, err = command(capsys, "call", guard, "on_error", "--ctx", "{}")
    assert code == 2
    assert "defines no fn on_error(ctx)" in err


def test_a_missing_script_is_one_line(capsys, tmp_path: Path):
    code, out, err = command(capsys, "call", tmp_path / "none.rhai", "on_error", "--ctx", "{}")
    assert (code, out) == (2, "")
    assert err == f"stagehooks: cannot read '{tmp_path / 'none.rhai'}': No such file or directory\n"


# --- validate -------------------------------------------------------------------------------------------------------------


def test_validate_prints_the_graph_and_the_hooks(capsys, guard: Path, planner: Path):
    code, out, err = command(capsys, "validate", planner)
    assert code == 0
    assert out.split("\n") == [
        "✓ Blueprint 'planner' is valid.",
        "  2 stages, version 0.1.0",
        "  ▸ plan → build",
        "      on_tool_call      guard.rhai",
        "    build → done",
        "",
    ]
    assert "its on_tool_call never fires" in err


def test_validate_gives_an_object_where_there_is_no_agent_too(capsys, tmp_path: Path):
    code, out, err = command(capsys, "validate", tmp_path / "none", "--json")
    report = json.loads(out)
    assert code == 2
    assert (report["valid"], report["errors"], report["blueprint"]) == (False, 1, None)
    assert report["error"] == f"{tmp_path / 'none'}: no such file or directory"
    assert err.count("\n") == 1


def test_validate_gives_an_object(capsys, guard: Path, planner: Path):
    code, out, _ = command(capsys, "validate", planner, "--json")
    report = json.loads(out)
    assert code == 0
    assert (report["valid"], report["blueprint"], report["errors"], report["notes"], report["error"]) == (
        True,
        "planner",
        0,
        1,
        None,
    )
    assert report["stages"][0]["hooks"] == {"on_tool_call": "guard.rhai"}
    assert [len(entry["sha256"]) for entry in report["scripts"]] == [64]


@pytest.mark.parametrize("name", ["validate", "run"])
def test_a_script_that_does_not_compile_is_shown_before_anything_runs(capsys, guard: Path, planner: Path, name: str):
    guard.write_text("fn on_tool_call(ctx) {\n    let x = ;\n}\n")
    code, out, err = command(capsys, name, planner)
    assert (code, out) == (2, "")
    assert err.startswith(f"{guard}:2:13: stage hook script 'guard.rhai' failed to compile: ")
    assert "Unexpected ';' (line 2, position 13)" in err
    assert "\n        let x = ;\n" in err
    assert f"\n    {' ' * 12}^\n" in err


@pytest.mark.parametrize("name", ["validate", "run"])
def test_an_agent_file_that_is_wrong_is_shown_with_its_line(capsys, tmp_path: Path, name: str):
    (tmp_path / "agent.toml").write_text("[agent]\nname = \n")
    code, out, err = command(capsys, name, tmp_path)
    assert (code, out) == (2, "")
    assert err.startswith(f"{tmp_path / 'agent.toml'}:2: Failed to parse agent.toml: Invalid value")


@pytest.mark.parametrize("name", ["validate", "run"])
def test_a_missing_agent_is_one_line(capsys, tmp_path: Path, name: str):
    code, out, err = command(capsys, name, tmp_path / "none")
    assert (code, out, err) == (2, "", f"stagehooks: {tmp_path / 'none'}: no such file or directory\n")


# --- explain and the rest -------------------------------------------------------------------------------------------------


def test_explain_gives_an_overview_of_all_seven(capsys):
    code, out, _ = command(capsys, "explain")
    assert code == 0
    assert all(name in out for name in HOOK_NAMES)


@pytest.mark.parametrize("entry", EXPLANATIONS, ids=lambda entry: entry.hook)
def test_explain_tells_everything_about_a_hook_with_an_example_that_works(capsys, entry):
    code, out, _ = command(capsys, "explain", entry.hook)
    assert code == 0
    words = " ".join(out.split())
    for part in (entry.fires, entry.modify, *entry.refusals):
        assert part in words
    script = compile("example.rhai", entry.example, [entry.hook])
    outcome = run(script, entry.hook, entry.example_ctx)
    assert not isinstance(outcome, Cancel | Retry)


def test_the_explanations_are_in_the_order_of_the_hooks_and_tell_all_that_each_sees():
    assert tuple(entry.hook for entry in EXPLANATIONS) == HOOK_NAMES
    for entry in EXPLANATIONS:
        names = tuple(name for name, _ in entry.sees)
        assert names == (*EVERYWHERE, *POINTS[entry.hook].sees)
        assert set(names) == set(entry.example_ctx)


def test_explaining_an_unknown_hook_is_a_usage_error(capsys):
    assert command(capsys, "explain", "on_eror")[0] == 2


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["call"], ["run"], ["validate", "--what"]])
def test_wrong_usage_ends_with_two(capsys, arguments: list[str]):
    assert command(capsys, *arguments)[0] == 2


def test_control_characters_of_scripts_never_reach_the_terminal(capsys, tmp_path: Path):
    (tmp_path / "h.rhai").write_text('fn on_error(ctx) { throw "\\x1b[2J" }')
    _, _, err = command(capsys, "call", tmp_path / "h.rhai", "on_error", "--ctx", "{}")
    assert "\x1b" not in err
    assert "\\u{1b}[2J" in err


def test_there_is_no_colour_without_a_terminal(capsys, guard: Path, planner: Path):
    _, out, err = command(capsys, "validate", planner)
    assert "\x1b" not in out + err


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_colour_is_for_terminals_and_not_for_those_who_refuse_it(monkeypatch):
    for value, expected in (("", "\x1b[31mx\x1b[0m\n"), ("1", "x\n")):
        monkeypatch.setenv("NO_COLOR", value)
        out = Terminal()
        Console(out, out).result("x", "red")
        assert out.getvalue() == expected


def test_a_terminal_of_few_characters_gets_escapes(monkeypatch):
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    Console(out, out).result("✓ é")
    out.flush()
    assert raw.getvalue() == b"\\u2713 \\xe9\n"


def test_a_reader_that_goes_away_gets_no_traceback():
    command = f"{sys.executable} -m stagehooks explain on_error | head -1"
    done = subprocess.run(["sh", "-c", command], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert (done.stdout, done.stderr) == ("on_error(ctx)\n", "")


def test_the_module_runs_from_a_checkout(guard: Path):
    done = subprocess.run(
        [sys.executable, "-m", "stagehooks", "call", str(guard), "on_tool_call", "--ctx", '{"n": 1}', "--json"],
        cwd=ROOT, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, json.loads(done.stdout)["outcome"], done.stderr) == (0, "allow", "")
