"""The command line: what it prints where, and its exit codes."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rhaipy import cli
from rhaipy.engine import Engine
from rhaipy.repl import Session, in_comment, in_text, repl

ROOT = Path(__file__).parent.parent.parent
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def script(tmp_path: Path) -> Path:
    return tmp_path / "script.rhai"


def rhaipy(*arguments: str, typed: bytes = b"", **variables: str) -> subprocess.CompletedProcess[bytes]:
    """The command as users start it, from a checkout with nothing installed."""
    return subprocess.run(
        [sys.executable, "-m", "rhaipy", *arguments],
        input=typed, capture_output=True, cwd=ROOT, env={**os.environ, **variables}, timeout=60, check=False,
    )  # fmt: skip


def test_run_prints_what_the_script_prints_and_its_value(script: Path, capsys: Capture) -> None:
    script.write_text('print("hello"); debug([1]); 40 + 2')
    assert cli.main(["run", str(script)]) == 0
    assert capsys.readouterr() == ("hello\n1:17 | [1]\n42\n", "")


def test_the_empty_value_is_not_printed(capsys: Capture) -> None:
    assert cli.main(["eval", "let x = 1;"]) == 0
    assert capsys.readouterr() == ("", "")


def test_an_error_is_told_like_a_compiler_tells_it(script: Path, capsys: Capture) -> None:
    script.write_text("fn f(x) {\n\tx / 0\n}\nf(1)")
    assert cli.main(["run", str(script)]) == 1
    output, complaint = capsys.readouterr()
    assert output == ""
    assert complaint == f"{script}:2:4: Division by zero: 1 / 0\n  \tx / 0\n  \t  ^\n{script}:4:1: in call to function 'f'\n"


def test_a_text_that_is_no_program_is_an_error_of_the_script(script: Path, capsys: Capture) -> None:
    script.write_text("let x = ;")
    assert cli.main(["check", str(script)]) == 1
    assert capsys.readouterr().err == f"{script}:1:9: Unexpected ';'\n  let x = ;\n          ^\n"
    assert cli.main(["run", str(script)]) == 1


def test_check_runs_nothing(script: Path, capsys: Capture) -> None:
    script.write_text('print("no"); 1 / 0')
    assert cli.main(["check", str(script)]) == 0
    assert capsys.readouterr() == ("", f"{script}: ok\n")


def test_a_limit_has_an_exit_code_of_its_own(capsys: Capture) -> None:
    assert cli.main(["eval", "--max-operations", "10", "loop {}"]) == 3
    assert "Too many operations" in capsys.readouterr().err
    assert cli.main(["eval", "fn f() { f() } f()"]) == 3
    assert cli.main(["eval", "throw 1"]) == 1


def test_operations_are_told_on_standard_error(capsys: Capture) -> None:
    assert cli.main(["eval", "--ops", "--optimize", "none", "1 + 1"]) == 0
    assert capsys.readouterr() == ("2\n", "operations: 4\n")


def test_json_is_one_object(capsys: Capture) -> None:
    assert cli.main(["eval", "--json", "print(\"a\"); #{x: [1, 2.5, (), true], y: 'c'}"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["value"] == {"x": [1, 2.5, None, True], "y": "c"}
    assert (answer["ok"], answer["type"], answer["prints"]) == (True, "map", ["a"])
    assert answer["operations"] > 0


def test_json_of_what_json_cannot_hold_is_null(capsys: Capture) -> None:
    assert cli.main(["eval", "--json", "|x| x"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["value"], answer["type"]) == (None, "Fn")


def test_json_of_an_error_says_what_and_where(script: Path, capsys: Capture) -> None:
    script.write_text("let a = 1;\na.b.c")
    assert cli.main(["run", "--json", str(script)]) == 1
    output, complaint = capsys.readouterr()
    answer = json.loads(output)
    assert complaint == ""
    assert (answer["ok"], answer["kind"], answer["file"], answer["line"], answer["column"]) == (
        False, "ErrorDotExpr", str(script), 2, 3,
    )  # fmt: skip


def test_check_tells_the_functions_as_json(script: Path, capsys: Capture) -> None:
    script.write_text("/// Adds.\nfn add(a, b) { a + b }\nprivate fn one() { 1 }\nlet f = |x| x;")
    assert cli.main(["check", "--json", str(script)]) == 0
    assert json.loads(capsys.readouterr().out)["functions"] == [
        {"name": "add", "params": ["a", "b"], "private": False, "doc": ["/// Adds."]},
        {"name": "one", "params": [], "private": True, "doc": []},
    ]


def test_tokens_are_listed_up_to_the_first_error(script: Path, capsys: Capture) -> None:
    script.write_text("let x = `a${1.5}`;\n~ 'ab'")
    assert cli.main(["tokens", str(script)]) == 1
    output, complaint = capsys.readouterr()
    assert output.split("\n")[:5] == ["1:1      let", '1:5      ID  "x"', "1:7      =", '1:9      TEXT_HEAD  "a"', "1:12     {"]
    assert output.endswith('2:1      RESERVED_SYMBOL  "~"\n')
    assert complaint == f"{script}:2:3: Invalid character: 'ab'\n  ~ 'ab'\n    ^\n"


def test_tokens_as_json(script: Path, capsys: Capture) -> None:
    script.write_text("x 1e999")
    assert cli.main(["tokens", "--json", str(script)]) == 0
    assert json.loads(capsys.readouterr().out) == [
        {"kind": "ID", "value": "x", "line": 1, "column": 1},
        {"kind": "FLOAT", "value": None, "line": 1, "column": 3},
        {"kind": "EOF", "value": "EOF", "line": 1, "column": 8},
    ]


def test_the_tree_is_shown_with_positions(script: Path, capsys: Capture) -> None:
    script.write_text("let x = 1 + 2;")
    assert cli.main(["tree", str(script)]) == 0
    assert capsys.readouterr().out.split("\n")[1:5] == [
        '  statements: Let 1:1 name="x"',
        '    value: Binary 1:11 operator="+"',
        '      left: Constant 1:9 type="i64" value="1"',
        '      right: Constant 1:13 type="i64" value="2"',
    ]
    assert cli.main(["tree", "--json", "--optimize", "simple", str(script)]) == 0
    assert json.loads(capsys.readouterr().out)["statements"][0]["value"]["value"] == "3"


def test_every_kind_of_node_has_a_place_in_the_tree(script: Path, capsys: Capture) -> None:
    script.write_text(
        "switch x { 1 | 'a' | 2.5 if y => {}, 3..=5 => (), _ => [1] } for (a, b) in 1..2 { continue; } do {} until x;"
        " try {} catch (e) {} import `m${1}` as m; m::f(m::x); let f = |a| a + x; #{a: x.b?.c(1)[2]}; fn int.g() { this }"
        " a ?? b && c || !d; export x as y;"
    )
    assert cli.main(["tree", str(script)]) == 0
    assert cli.main(["tree", "--json", str(script)]) == 0
    shown = capsys.readouterr().out
    for name in ("Switch", "RangeCase", "For", "Do", "Try", "Import", "QualifiedCall", "Share", "MethodLink", "Function"):
        assert name in shown


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path, capsys: Capture) -> None:
    assert cli.main(["run", str(tmp_path / "none.rhai")]) == 2
    assert capsys.readouterr().err == f"rhaipy: {tmp_path}/none.rhai: No such file or directory\n"
    assert cli.main(["run", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"rhaipy: {tmp_path}: Is a directory\n"


def test_a_file_that_is_not_utf_8_is_refused_with_the_place(script: Path, capsys: Capture) -> None:
    script.write_bytes(b'let x = "\xff";')
    assert cli.main(["run", str(script)]) == 2
    assert capsys.readouterr().err == f"rhaipy: {script}: not UTF-8, see byte 9\n"


def test_a_first_line_that_names_the_interpreter_is_left_out(script: Path, capsys: Capture) -> None:
    script.write_text("#!/usr/bin/env rhaipy\n1 / 0")
    assert cli.main(["run", str(script)]) == 1
    assert capsys.readouterr().err.startswith(f"{script}:2:3: ")


def test_wrong_use_exits_with_2(capsys: Capture) -> None:
    for arguments in ([], ["fly"], ["run"], ["eval", "1", "--optimize", "full"], ["eval", "1", "--max-operations", "-1"]):
        with pytest.raises(SystemExit) as left:
            cli.main(arguments)
        assert left.value.code == 2
        assert "usage: rhaipy" in capsys.readouterr().err


def test_control_characters_in_names_and_errors_do_not_reach_the_terminal(tmp_path: Path, capsys: Capture) -> None:
    script = tmp_path / "a\x1b[31m.rhai"
    script.write_text('throw "\x1b[2J"')
    assert cli.main(["run", str(script)]) == 1
    assert cli.main(["run", str(tmp_path / "\x1b")]) == 2
    assert "\x1b" not in capsys.readouterr().err


def test_no_colour_where_no_terminal_is(capsys: Capture) -> None:
    cli.main(["eval", "1 / 0"])
    assert "\x1b" not in capsys.readouterr().err


def test_colour_on_a_terminal_unless_it_is_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    def complaint() -> str:
        terminal = Terminal()
        monkeypatch.setattr(sys, "stderr", terminal)
        cli.main(["eval", "1 / 0"])
        return terminal.getvalue()

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b[31m" in complaint()
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in complaint()


def test_it_runs_from_a_checkout_and_reads_standard_input() -> None:
    done = rhaipy("run", "-", typed=b'print("\xc3\xa9"); 6 * 7')
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, "\u00e9\n42\n", b"")
    assert rhaipy("run", "-", typed=b"x").stderr.startswith(b"<stdin>:1:1: Variable not found: x")


def test_output_that_the_terminal_cannot_show_is_escaped() -> None:
    done = rhaipy("eval", 'print("\u00e9")', PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stdout) == (0, b"\\xe9\n")


def test_a_reader_that_goes_away_is_no_trouble() -> None:
    code = 'for i in 0..100000 { print("a line of text") }'
    command = [sys.executable, "-m", "rhaipy", "eval", code]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 141


def test_an_interrupt_ends_a_run_with_130(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Engine, "eval", interrupt)
    assert cli.main(["eval", "loop {}"]) == 130
    assert capsys.readouterr().err == "interrupted\n"


# --- the session ----------------------------------------------------------------------------------------------------------


class Typist:
    """Types lines, some of which are exceptions to raise, and keeps what it is shown."""

    def __init__(self, *lines: str | type[BaseException]) -> None:
        self.lines: Iterator[str | type[BaseException]] = iter(lines)
        self.prompts: list[str] = []
        self.shown: list[str] = []
        self.complaints: list[str] = []
        repl(Session(Engine()), self.read, self.shown.append, self.complaints.append)

    def read(self, prompt: str) -> str:
        self.prompts.append(prompt.strip())
        line = next(self.lines, EOFError)
        if not isinstance(line, str):
            raise line
        return line


def test_variables_and_functions_stay_in_the_session() -> None:
    typist = Typist("let x = 40;", "fn add(n) { n + 2 }", "add(x)", "fn add(n) { n - 2 }", "add(x)", 'print("hi")')
    assert typist.shown == ["42", "38"]
    assert typist.complaints == []


def test_what_is_unfinished_goes_on_in_the_next_line() -> None:
    typist = Typist(
        "fn f(x) {", "x +", "1", "}", "f(", "1)", "`a", "", "b`", '"a\\', 'b"', '##"x"#', '"##', "/* c", "*/ 5", "`a${", "1}`",
    )  # fmt: skip
    assert typist.shown == ["2", '"a\\n\\nb"', '"ab"', '"x\\"#\\n"', "5", '"a1"']
    assert typist.prompts[:5] == ["rhai>", ">", ">", ">", "rhai>"]
    assert typist.complaints == []


def test_an_empty_line_ends_what_is_unfinished() -> None:
    typist = Typist("1 +", "", "2")
    assert typist.complaints == ["repl:2:1: Script is incomplete\n  ^"]
    assert typist.shown == ["2"]


def test_an_error_ends_the_program_and_not_the_session() -> None:
    typist = Typist("let x = ;", "1 / 0", "3")
    assert typist.shown == ["3"]
    first_lines = [complaint.split("\n")[0] for complaint in typist.complaints]
    assert first_lines == ["repl:1:9: Unexpected ';'", "repl:2:3: Division by zero: 1 / 0"]


def test_an_error_in_a_function_shows_the_line_where_it_was_typed() -> None:
    typist = Typist("1", "fn f() { 1 / 0 }", "f()")
    [complaint] = typist.complaints
    assert complaint.split("\n") == [
        "repl:2:12: Division by zero: 1 / 0", "  fn f() { 1 / 0 }", "             ^", "repl:3:1: in call to function 'f'",
    ]  # fmt: skip


def test_an_interrupt_drops_what_is_being_typed() -> None:
    typist = Typist("fn f( {", KeyboardInterrupt, "1")
    assert typist.shown == ["1"]


def test_texts_and_comments_are_told_from_what_cannot_go_on() -> None:
    assert all(in_text(text) for text in ("`a", '#"a', '"a\\', "`a${1}b"))
    assert not any(in_text(text) for text in ('"a', "'a", "1 +", "`a${1"))
    assert in_comment("1 /* a")
    assert not any(in_comment(text) for text in ("1 // a", "1 /* a */"))


def test_the_session_reads_from_a_pipe_without_prompts() -> None:
    done = rhaipy("repl", typed=b"let x = 1;\nx + 1\n1 / 0\n")
    assert (done.returncode, done.stdout) == (0, b"2\n")
    assert done.stderr.startswith(b"repl:3:3: Division by zero")
