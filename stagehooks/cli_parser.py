"""The parser of the command line, and the commands run, validate, call, explain; `cli_runs` has the others.

What a command needs is imported when it is called.
"""

import argparse
import json
from collections.abc import Callable, Sequence
from typing import Final

from rhaipy import __version__
from stagehooks.arguments import Parser, read
from stagehooks.cli_runs import (
    Commands,
    add_answers,
    add_leave,
    add_log,
    add_ps,
    add_replay,
    add_result,
    add_resume,
    add_store,
    add_test,
)
from stagehooks.console import Console
from stagehooks.errors import OK
from stagehooks.plain_call import Call


def _run(options: argparse.Namespace, console: Console) -> int:
    from stagehooks.agent.requested import read_output_file
    from stagehooks.agent.spawn import load
    from stagehooks.run_commands import store_for_run
    from stagehooks.timeline import given_by, run_command

    agent = load(options.agent)
    output = read_output_file(options.output_spec) if options.output_spec is not None else None
    with store_for_run(options, console) as store:
        return run_command(
            agent,
            task=options.task,
            as_json=options.json,
            answer=options.answer,
            workdir=options.workdir,
            output=output,
            store=store,
            given=given_by(options),
        )


def _schema(options: argparse.Namespace, console: Console) -> int:
    from stagehooks.agent.file_schema import agent_schema

    console.result(json.dumps(agent_schema(), indent=2))
    return OK


def _completion(options: argparse.Namespace, console: Console) -> int:
    from rhaipy.completion import completion
    from stagehooks.scripts.outcome import HOOK_NAMES

    console.result(completion(options.shell, _parser(), {"HOOK": HOOK_NAMES, "RUN": ("last",)}))
    return OK


def _validate(options: argparse.Namespace, console: Console) -> int:
    from stagehooks.commands import validate_command

    return validate_command(options, console)


def _call(options: argparse.Namespace, console: Console) -> int:
    from stagehooks.call_command import call_command

    return call_command(Call(options.file, options.hook, options.ctx, options.json), console)


def _explain(options: argparse.Namespace, console: Console) -> int:
    from stagehooks.commands import explain_command

    return explain_command(options, console)


# --- the parser -----------------------------------------------------------------------------------------------------------


def _add_run(commands: Commands) -> None:
    from pathlib import Path

    run = commands.add_parser("run", help="drive an agent: a readable timeline, the final output last")
    run.add_argument("agent", metavar="AGENT", help="an agent's directory, or its agent file")
    run.add_argument("--task", default="", metavar="T", help="what the agent is to do")
    about_output = "a TOML file with the keys of [agent.output]: what the final output is to be"
    run.add_argument("--output-spec", type=Path, metavar="FILE", help=about_output)
    run.add_argument("--json", action="store_true", help="one JSON object a line instead of prose")
    run.add_argument("--workdir", type=Path, metavar="DIR", help="the directory that tools are confined to")
    add_answers(run)
    add_leave(run)
    add_store(run)
    run.add_argument("--no-store", action="store_true", help="do not store the run; it cannot be resumed")
    run.set_defaults(command=_run)


def _add_validate(commands: Commands) -> None:
    check = commands.add_parser("validate", help="compile and check everything, run nothing")
    check.add_argument("agent", metavar="AGENT", help="an agent's directory, or its agent file")
    check.add_argument("--json", action="store_true", help="print one JSON object")
    check.set_defaults(command=_validate)


def _add_call(commands: Commands) -> None:
    one = commands.add_parser("call", help="call one hook of a script once")
    one.add_argument("file", metavar="FILE", help="a .rhai file")
    one.add_argument("hook", metavar="HOOK", help="the hook to call, for example on_tool_call")
    one.add_argument("--ctx", required=True, metavar="CTX", help="what it sees: JSON text, a file's path, or - (standard input)")
    one.add_argument("--json", action="store_true", help="print one JSON object")
    one.set_defaults(command=_call)


def _add_explain(commands: Commands) -> None:
    words = commands.add_parser("explain", help="what a hook is for: when it fires, what it sees, what it may answer")
    words.add_argument("hook", metavar="HOOK", nargs="?", help="one of the seven; without it, an overview")
    words.add_argument("--json", action="store_true", help="print one JSON object")
    words.set_defaults(command=_explain)


def _add_schema(commands: Commands) -> None:
    form = commands.add_parser("schema", help="print the JSON Schema of the agent file, for editors")
    form.set_defaults(command=_schema)


def _add_completion(commands: Commands) -> None:
    from rhaipy.completion import SHELLS

    shell = commands.add_parser("completion", help="print the script that teaches a shell these commands")
    shell.add_argument("shell", metavar="SHELL", choices=SHELLS, help=f"one of {', '.join(SHELLS)}")
    shell.set_defaults(command=_completion)


_COMMANDS: Final[dict[str, Callable[[Commands], None]]] = {
    "run": _add_run,
    "validate": _add_validate,
    "call": _add_call,
    "explain": _add_explain,
    "schema": _add_schema,
    "completion": _add_completion,
    "ps": add_ps,
    "log": add_log,
    "result": add_result,
    "resume": add_resume,
    "test": add_test,
    "replay": add_replay,
}


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """What the words of a command line say; its `command` is what they ask for. Where they cannot be read, the program ends."""
    return read(_parser(words[0] if words else ""), words)


def _parser(command: str = "") -> argparse.ArgumentParser:
    """The parser for what follows the word `command`; for all commands, if that is none of them."""
    parser: argparse.ArgumentParser = Parser(prog="stagehooks", description="AI agents with stage hooks written in Rhai.")
    parser.add_argument("--version", action="version", version=f"stagehooks {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND", prog="stagehooks")
    for add in [_COMMANDS[command]] if command in _COMMANDS else _COMMANDS.values():
        add(commands)
    return parser
