"""The part of the command line about stored runs and about trying hooks: ps, log, result, resume, test, replay.

What a command needs is imported when it is called.
"""

import argparse
from typing import TypeAlias

from stagehooks.console import Console

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def add_answers(parser: argparse.ArgumentParser) -> None:
    """--yes and --no, for a command that drives a run."""
    answers = parser.add_mutually_exclusive_group()
    answers.add_argument("--yes", dest="answer", action="store_const", const=True, help="answer every approval with yes")
    answers.add_argument("--no", dest="answer", action="store_const", const=False, help="answer every approval with no")
    parser.add_argument("--timeout", type=_seconds, metavar="SECONDS", help="end the run in error when it takes longer")


def add_leave(parser: argparse.ArgumentParser) -> None:
    """What a run need not ask for; one that is resumed has it already, and may be given less."""
    about_tools = "do not ask about this tool, and let script tools use it"
    about_variables = "let script tools read this variable though it looks like a credential"
    parser.add_argument("--allow", action="append", default=[], metavar="TOOL", help=about_tools)
    parser.add_argument("--allow-variable", action="append", default=[], metavar="NAME", help=about_variables)
    parser.add_argument("--allow-local-network", action="store_true", help="let script tools reach this machine's network")


def add_store(parser: argparse.ArgumentParser) -> None:
    """--store."""
    from pathlib import Path

    parser.add_argument("--store", type=Path, metavar="PATH", help="the file that runs are stored in, if not the usual one")


def add_ps(commands: Commands) -> None:
    """`ps`."""
    ps = commands.add_parser("ps", help="list the stored runs, the latest first")
    ps.add_argument("--all", action="store_true", help="all of them, not only the last ones")
    _add_json(ps, "print one JSON array").set_defaults(command=_ps)


def add_log(commands: Commands) -> None:
    """`log`."""
    log = _about_a_run(commands, "log", "what happened in a run")
    _add_json(log, "one JSON object a line, as `run` prints them").set_defaults(command=_log)


def add_result(commands: Commands) -> None:
    """`result`."""
    result = _about_a_run(commands, "result", "the final output of a run")
    result.add_argument("--raw", action="store_true", help="the output and nothing else")
    _add_json(result).set_defaults(command=_result)


def add_resume(commands: Commands) -> None:
    """`resume`."""
    resume = _about_a_run(commands, "resume", "go on with a run that was interrupted")
    _add_agent(resume)
    resume.add_argument("--take-over", action="store_true", help="even where another machine seems to drive it")
    add_answers(resume)
    add_leave(resume)
    _add_json(resume, "one JSON object a line instead of prose").set_defaults(command=_resume)


def add_test(commands: Commands) -> None:
    """`test`."""
    test = commands.add_parser("test", help="run the hook cases that stand beside an agent")
    test.add_argument("agent", metavar="AGENT", help="an agent's directory, or its agent file")
    _add_json(test, store=False).set_defaults(command=_test)


def add_replay(commands: Commands) -> None:
    """`replay`."""
    replay = _about_a_run(commands, "replay", "what the present scripts would decide in a stored run")
    _add_agent(replay)
    _add_json(replay).set_defaults(command=_replay)


def _about_a_run(commands: Commands, name: str, help: str) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=help)
    parser.add_argument("run", metavar="RUN", help="a run's id, how it begins, or `last`")
    return parser


def _add_agent(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--agent", metavar="DIR", help="where the agent is, if not where it was")


def _add_json(
    parser: argparse.ArgumentParser, help: str = "print one JSON object", *, store: bool = True
) -> argparse.ArgumentParser:
    if store:
        add_store(parser)
    parser.add_argument("--json", action="store_true", help=help)
    return parser


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"a number of seconds above 0 is wanted, not '{text}'")
    return seconds


def _ps(options: argparse.Namespace, console: Console) -> int:
    from stagehooks.run_commands import ps_command

    return ps_command(options, console)


def _log(options: argparse.Namespace, console: Console) -> int:
    from stagehooks.run_commands import log_command

    return log_command(options, console)


def _result(options: argparse.Namespace, console: Console) -> int:
    from stagehooks.run_commands import result_command

    return result_command(options, console)


def _resume(options: argparse.Namespace, console: Console) -> int:
    from stagehooks.run_commands import resume_command

    return resume_command(options, console)


def _test(options: argparse.Namespace, console: Console) -> int:
    from stagehooks.case_commands import test_command

    return test_command(options, console)


def _replay(options: argparse.Namespace, console: Console) -> int:
    from stagehooks.case_commands import replay_command

    return replay_command(options, console)
