"""The command line: `rhaipy run | eval | check | tokens | tree | repl | completion`. Results to standard output, prose to error.

Exit codes: 0 ok, 1 an error in the script, 2 wrong use or an unreadable file, 3 a limit was hit, 130 interrupted.
"""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import TextIOWrapper
from math import isfinite

from rhaipy import __version__
from rhaipy.convert import ConversionError, to_json
from rhaipy.display import debug, display
from rhaipy.engine import Engine
from rhaipy.errors import LimitError, RhaiError
from rhaipy.limit_errors import System
from rhaipy.limits import Limits
from rhaipy.records import record
from rhaipy.report import facts, report, where
from rhaipy.source import At, printable, unpack
from rhaipy.syntax.lexer import lex
from rhaipy.typings import Any, Final
from rhaipy.values import Value, type_name

OK: Final = 0
SCRIPT_ERROR: Final = 1
USAGE: Final = 2
LIMIT: Final = 3
INTERRUPTED: Final = 130
_BROKEN_PIPE: Final = 141


class Unusable(Exception):
    """The command cannot be carried out, for a reason that is not the script's; the text is one line."""


class _ReaderGone(BaseException):
    """Nobody reads our output any more. No `Exception`, since those of callbacks are errors of the script."""


@record
class Script:
    """A text and what it is called in messages."""

    name: str
    text: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code."""
    _speak_any_text()
    words = sys.argv[1:] if arguments is None else arguments
    options = _parser(words[0] if words else "").parse_args(words)
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        code = command(options)
        sys.stdout.flush()
        return code
    except Unusable as reason:
        _complain(f"rhaipy: {printable(str(reason))}")
        return USAGE
    except KeyboardInterrupt:
        _complain("interrupted")
        return INTERRUPTED
    except (BrokenPipeError, _ReaderGone):
        # What reads our output is gone; Python must not complain of that while it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _BROKEN_PIPE


def _parser(only: str = "") -> argparse.ArgumentParser:
    """The parser for what follows the word `only`; for all commands, if that is none of those that deal with scripts."""
    parser = argparse.ArgumentParser(prog="rhaipy", description="Runs scripts in the Rhai language.")
    parser.add_argument("--version", action="version", version=f"rhaipy {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND", prog="rhaipy")
    asked = [row for row in _COMMANDS if row[0] == only]
    for name, command, argument, words in asked or _COMMANDS:
        added = commands.add_parser(name, help=words, description=f"{words[0].upper()}{words[1:]}.")
        added.set_defaults(command=command)
        if argument == "FILE":
            added.add_argument("script", metavar="FILE", help="the script, - for standard input")
        elif argument:
            added.add_argument("script", metavar=argument, help="the program itself")
        if command is not tokens:
            added.add_argument("--optimize", choices=("none", "simple"), help="how much to optimise")
        if command is not interact:
            added.add_argument("--json", action="store_true", help="print one JSON value and nothing else")
        if command in (run, evaluate, interact):
            added.add_argument("--max-operations", type=_count, default=0, metavar="N", help="stop after N operations")
        if command in (run, evaluate):
            added.add_argument("--ops", action="store_true", help="tell how many operations were used")
    if asked:
        return parser
    from rhaipy.completion import SHELLS

    shell = commands.add_parser("completion", help="print the script that teaches a shell these commands")
    shell.add_argument("shell", metavar="SHELL", choices=SHELLS, help=f"one of {', '.join(SHELLS)}")
    shell.set_defaults(command=complete)
    return parser


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise argparse.ArgumentTypeError(f"not a number of operations: {text!r}")
    return int(text)


# --- commands -------------------------------------------------------------------------------------------------------------


def run(options: argparse.Namespace) -> int:
    """Run a script; its value, unless that is ()."""
    return _run(_read(options.script), options)


def evaluate(options: argparse.Namespace) -> int:
    """The same for a program given as an argument."""
    return _run(Script("<eval>", options.script), options)


def check(options: argparse.Namespace) -> int:
    """Compile a script and run nothing."""
    script = _read(options.script)
    try:
        ast = _engine(options).compile(script.text, script.name)
    except RhaiError as error:
        return _failed(error, script, options)
    if options.json:
        functions = [
            {"name": item.name, "params": item.params, "private": item.private, "doc": item.doc} for item in ast.functions
        ]
        _print_json({"ok": True, "functions": functions})
    else:
        _complain(f"{printable(script.name)}: ok")
    return OK


def tokens(options: argparse.Namespace) -> int:
    """The tokens of a script, one a line."""
    script = _read(options.script)
    lexed = lex(script.text)
    rows: list[tuple[str, str | int | float, At]] = []
    for kind, value, at in zip(lexed.kinds, lexed.values, lexed.ats, strict=True):
        if isinstance(value, RhaiError):
            if not options.json:
                _print_tokens(rows)
            return _failed(value.in_script(script.name, script.text), script, options)
        rows.append((kind, value, at))
    if options.json:
        _print_json([{"kind": kind, "value": _finite(value), **_place(at)} for kind, value, at in rows])
    else:
        _print_tokens(rows)
    return OK


def tree(options: argparse.Namespace) -> int:
    """The tree of a script; not optimised unless asked for."""
    from rhaipy.tree import tree_data, tree_lines

    script = _read(options.script)
    options.optimize = options.optimize or "none"
    try:
        program = _engine(options).compile(script.text, script.name).program
    except RhaiError as error:
        return _failed(error, script, options)
    if options.json:
        _print_json(tree_data(program))
    else:
        for line in tree_lines(tree_data(program)):
            print(printable(line))
    return OK


def interact(options: argparse.Namespace) -> int:
    """Read programs line by line and run each."""
    from rhaipy.repl import Session, repl

    engine = _engine(options)
    engine.on_print(_print)
    engine.on_debug(_print_debug)
    if not sys.stdin.isatty():
        repl(Session(engine), lambda prompt: input(), print, _complain)
        return OK
    with suppress(ImportError):
        import readline

        readline.set_history_length(1000)
    _complain(f"rhaipy {__version__}, Rhai 1.27. Ctrl-D ends.")
    repl(Session(engine), input, print, _complain)
    print()
    return OK


def complete(options: argparse.Namespace) -> int:
    """Print the script that teaches a shell the commands."""
    from rhaipy.completion import completion

    print(completion(options.shell, _parser()))
    return OK


_COMMANDS: Final = (
    ("run", run, "FILE", "run a script"),
    ("eval", evaluate, "CODE", "run a program given as an argument"),
    ("check", check, "FILE", "compile a script and run nothing"),
    ("tokens", tokens, "FILE", "show the tokens of a script"),
    ("tree", tree, "FILE", "show the tree of a script"),
    ("repl", interact, "", "read programs line by line and run each"),
)


# --- what the commands share ----------------------------------------------------------------------------------------------


def _engine(options: argparse.Namespace) -> Engine:
    limits = Limits(max_operations=vars(options).get("max_operations", 0))
    return Engine(limits, optimize=options.optimize or "simple")


def _run(script: Script, options: argparse.Namespace) -> int:
    engine = _engine(options)
    meter = engine.meter()
    prints: list[str] = []
    debugs: list[str] = []
    engine.on_print(prints.append if options.json else _print)
    engine.on_debug((lambda text, source, at: debugs.append(text)) if options.json else _print_debug)
    try:
        value = engine.eval(engine.compile(script.text, script.name), meter=meter)
    except RhaiError as error:
        code = _failed(error, script, options, prints=prints, debugs=debugs, operations=meter.operations)
    else:
        code = OK
        if options.json:
            shown = {"type": type_name(value), "value": _plain(value), "display": display(value)}
            _print_json({"ok": True, **shown, "prints": prints, "debugs": debugs, "operations": meter.operations})
        elif value is not None:
            print(display(value))
    if options.ops:
        _complain(f"operations: {meter.operations}")
    return code


def _read(path: str) -> Script:
    """The script at `path`; a first line that names an interpreter is left out, as the engine does it."""
    try:
        if path == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as file:
                data = file.read()
        text = data.decode()
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise Unusable(f"{path}: not UTF-8, see byte {error.start}") from None
    if text.startswith("#!"):
        text = "".join(text.partition("\n")[1:])
    return Script("<stdin>" if path == "-" else path, text)


def _failed(error: RhaiError, script: Script, options: argparse.Namespace, **more: object) -> int:
    """Tell of an error in the script; the exit code for it."""
    if options.json:
        _print_json({"ok": False, **facts(error, script.name), **more})
    else:
        sys.stdout.flush()
        _complain(report(error, script.name, _in_colour()))
    innermost = error.innermost
    return LIMIT if isinstance(innermost, LimitError) and not isinstance(innermost, System) else SCRIPT_ERROR


def _in_colour() -> bool:
    return sys.stderr.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _complain(text: str) -> None:
    print(text, file=sys.stderr)


def _print_tokens(rows: list[tuple[str, str | int | float, At]]) -> None:
    for kind, value, at in rows:
        print(f"{where(at):8} {kind}" + ("" if kind == value else f"  {debug(value)}"))


def _print(text: str) -> None:
    try:
        print(text)
    except BrokenPipeError:
        raise _ReaderGone from None


def _print_debug(text: str, source: str, at: At) -> None:
    _print(f"{printable(source)}{' ' if source else ''}{where(at)} | {text}")


def _print_json(value: object) -> None:
    import json  # only where it was asked for

    print(json.dumps(value, ensure_ascii=False, allow_nan=False))


def _speak_any_text() -> None:
    """Let no output fail for characters that the terminal does not have."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _plain(value: Value) -> Any:
    """`value` as JSON data, None where it is no plain data."""
    import json  # only where it was asked for

    try:
        return json.loads(to_json(value))
    except ConversionError:
        return None


def _finite(value: object) -> object:
    return None if isinstance(value, float) and not isfinite(value) else value


def _place(at: At) -> dict[str, int | None]:
    position = unpack(at)
    return {"line": position.line if position else None, "column": position.column if position else None}
