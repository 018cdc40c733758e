"""The command line: run, validate, call, explain; `cli_runs` has the others.

Results go to standard output, prose to standard error. Exit codes: 0 ok or allowed, 1 script error or refused, 2 usage or
configuration, 3 a limit was hit, 130 interrupted.
"""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from stagehooks.cli_runs import add_answers, add_leave, add_run_commands, add_store, add_test_commands
from stagehooks.commands import call_command, explain_command, validate_command
from stagehooks.completion import SHELLS, commands_of, completion
from stagehooks.console import Console
from stagehooks.errors import FAILED, INTERRUPTED, OK, StageHooksError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the exit code."""
    options = _parser().parse_args(arguments)
    console = Console(sys.stdout, sys.stderr)
    try:
        code: int = options.command(options, console)
        sys.stdout.flush()
        return code
    except StageHooksError as error:
        console.error(error)
        return error.exit_code()
    except KeyboardInterrupt:
        console.say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader went away (`| head`); nothing more may be written when Python closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED


def _run(options: argparse.Namespace, console: Console) -> int:
    from stagehooks.agent.spawn import load
    from stagehooks.run_commands import store_for_run
    from stagehooks.timeline import leave_of, run_command

    agent = load(options.agent)
    return run_command(
        agent,
        task=options.task,
        as_json=options.json,
        answer=options.answer,
        workdir=options.workdir,
        seconds=options.timeout,
        store=store_for_run(options, console),
        leave=leave_of(options),
    )


def _schema(options: argparse.Namespace, console: Console) -> int:
    from stagehooks.agent.file_schema import agent_schema

    console.result(json.dumps(agent_schema(), indent=2))
    return OK


def _completion(options: argparse.Namespace, console: Console) -> int:
    console.result(completion(options.shell, "stagehooks", commands_of(_parser())))
    return OK


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="stagehooks", description="AI agents with stage hooks written in Rhai.")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    run = commands.add_parser("run", help="drive an agent: a readable timeline, the final output last")
    run.add_argument("agent", metavar="AGENT", help="an agent's directory, or its agent file")
    run.add_argument("--task", default="", metavar="T", help="what the agent is to do")
    run.add_argument("--json", action="store_true", help="one JSON object a line instead of prose")
    run.add_argument("--workdir", type=Path, metavar="DIR", help="the directory that tools are confined to")
    add_answers(run)
    add_leave(run)
    add_store(run)
    run.add_argument("--no-store", action="store_true", help="do not store the run; it cannot be resumed")
    run.set_defaults(command=_run)

    check = commands.add_parser("validate", help="compile and check everything, run nothing")
    check.add_argument("agent", metavar="AGENT", help="an agent's directory, or its agent file")
    check.add_argument("--json", action="store_true", help="print one JSON object")
    check.set_defaults(command=validate_command)

    one = commands.add_parser("call", help="call one hook of a script once")
    one.add_argument("file", metavar="FILE", help="a .rhai file")
    one.add_argument("hook", metavar="HOOK", help="the hook to call, for example on_tool_call")
    one.add_argument("--ctx", required=True, metavar="CTX", help="what it sees: JSON text, a file's path, or - (standard input)")
    one.add_argument("--json", action="store_true", help="print one JSON object")
    one.set_defaults(command=call_command)

    words = commands.add_parser("explain", help="what a hook is for: when it fires, what it sees, what it may answer")
    words.add_argument("hook", metavar="HOOK", nargs="?", help="one of the seven; without it, an overview")
    words.set_defaults(command=explain_command)

    form = commands.add_parser("schema", help="print the JSON Schema of the agent file, for editors")
    form.set_defaults(command=_schema)

    shell = commands.add_parser("completion", help="print the script that teaches a shell these commands")
    shell.add_argument("shell", metavar="SHELL", choices=SHELLS, help=f"one of {', '.join(SHELLS)}")
    shell.set_defaults(command=_completion)

    add_run_commands(commands)
    add_test_commands(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
