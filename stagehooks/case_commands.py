"""The commands that try hooks: `test` runs the cases beside an agent, `replay` the hook calls of a stored run."""

import argparse
from collections import Counter
from typing import Final

from stagehooks.agent.spawn import load
from stagehooks.cases import BESIDE_HOOKS, FOLDER, Verdict, run_cases
from stagehooks.console import Console
from stagehooks.errors import FAILED, OK, HookError, UsageError
from stagehooks.replay import Replayed, described, not_tried, replayed
from stagehooks.run_commands import opened
from stagehooks.scripts import json_text
from stagehooks.scripts.json_text import Json
from stagehooks.store.coding import hook_data, hook_error_data
from stagehooks.store.records import Stored
from stagehooks.store.resume import present_agent
from stagehooks.timeline import counted

SHOWN: Final = 400


def test_command(options: argparse.Namespace, console: Console) -> int:
    """Run the cases beside an agent; 1 where one fails."""
    agent = load(options.agent)
    verdicts = list(run_cases(agent))
    if not verdicts:
        hint = f"write [[case]] tables in {FOLDER}/NAME.toml or {BESIDE_HOOKS}"
        raise UsageError(f"{agent.directory}: there are no hook cases beside this agent", hint=hint)
    failed = sum(not verdict.passed for verdict in verdicts)
    if options.json:
        cases: list[Json] = [_case_json(verdict) for verdict in verdicts]
        console.result(json_text.line({"passed": len(verdicts) - failed, "failed": failed, "cases": cases}))
    else:
        for verdict in verdicts:
            _print_case(verdict, console)
        style = "red" if failed else "green"
        console.result(f"{counted(len(verdicts), 'cases')}, {len(verdicts) - failed} passed, {failed} failed", style)
    return FAILED if failed else OK


def _print_case(verdict: Verdict, console: Console) -> None:
    case = verdict.case
    if verdict.passed:
        console.result(f"✓ {case.file}: {case.name}  [{counted(verdict.operations, 'operations')}]")
        return
    console.result(f"✗ {case.where}: {case.name}", "red")
    for problem in verdict.problems:
        console.result(f"    {problem}")
    if isinstance(verdict.answer, HookError) and case.expect != "error":
        for line in verdict.answer.excerpt().split("\n"):
            console.result(f"      {line}".rstrip())


def _case_json(verdict: Verdict) -> Json:
    case, answer = verdict.case, verdict.answer
    return {
        "file": case.file,
        "line": case.line,
        "name": case.name,
        "script": case.script.path,
        "hook": case.hook,
        "passed": verdict.passed,
        "problems": [*verdict.problems],
        "got": hook_error_data(answer) if isinstance(answer, HookError) else hook_data(answer),
    }


# --- replay ---------------------------------------------------------------------------------------------------------------


def replay_command(options: argparse.Namespace, console: Console) -> int:
    """Try the present scripts on the hook calls of a stored run; 1 where one of them would decide differently."""
    with opened(options) as store:
        run = store.run(options.run)
        agent = present_agent(run, options.agent, as_it_was=False)
        counts: Counter[bool] = Counter()
        seen: set[tuple[str, str]] = set()
        shown: list[Json] = []
        for item in replayed(agent, store.hook_calls(run.id)):
            counts[item.differs] += 1
            seen.add((item.stage, item.hook))
            if options.json:
                shown.append(_replayed_json(item))
            elif item.differs:
                _print_replayed(item, console)
    untried = not_tried(agent, seen)
    if options.json:
        places: list[Json] = [{"stage": stage, "hook": hook} for stage, hook in untried]
        console.result(json_text.line({"run": run.id, "different": counts[True], "calls": shown, "not_tried": places}))
    else:
        _print_sum(run, counts, untried, console)
    return FAILED if counts[True] else OK


def _print_replayed(item: Replayed, console: Console) -> None:
    console.result(f"{item.step:>4}  {item.stage}  {item.hook}", "yellow")
    for word, decision in (("then", item.then), ("now", item.now)):
        text = described(decision)
        console.result(f"      {word:<4}  {text if len(text) <= SHOWN else text[:SHOWN] + '...'}")


def _print_sum(run: Stored, counts: Counter[bool], untried: list[tuple[str, str]], console: Console) -> None:
    for stage, hook in untried:
        console.say(f"{hook} of stage '{stage}' was not tried: the run has stored nothing for it", "dim")
    style = "yellow" if counts[True] else "green"
    console.result(
        f"{counted(counts.total(), 'hook calls')} of run {run.id}: {counts[False]} the same, {counts[True]} different", style
    )


def _replayed_json(item: Replayed) -> Json:
    return {
        "step": item.step,
        "stage": item.stage,
        "hook": item.hook,
        "ctx": item.ctx,
        "then": {**item.then},
        "now": {**item.now},
        "different": item.differs,
    }
