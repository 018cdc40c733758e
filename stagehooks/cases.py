"""Hook cases: what a hook of an agent must answer to a given ctx, written beside the agent.

    # tests/guard.toml
    [[case]]
    name = "a survey runs no shell"
    stage = "survey"                    # the script is the one that this stage names for the hook
    hook = "on_tool_call"
    ctx = { tool_calls = [{ name = "shell", arguments = { command = "ls" } }] }
    expect = "modify"                   # allow, modify, cancel, retry, or error
    value = []                          # what it is modified to
    max_operations = 100

`stage`, `stage_index`, `iteration` and `totals` of the ctx are filled in where the case does not say them. `script = "h.rhai"` in
place of `stage` names the script itself. `reason` is the whole reason of a cancel, `error` a part of an error's message.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from stagehooks.agent.document import MAX_BYTES, Document, Table, did_you_mean
from stagehooks.agent.files import Unreadable, inside, read_bounded
from stagehooks.agent.spawn import Agent, compile_script
from stagehooks.errors import BlueprintError, HookError, SpawnError
from stagehooks.run.points import EVERYWHERE
from stagehooks.scripts.json_text import Json, dump
from stagehooks.scripts.outcome import HOOK_NAMES, Allow, Cancel, HookOutcome, Modify
from stagehooks.scripts.stage_hook import HookCall, HookScript, call

FOLDER: Final = "tests"
BESIDE_HOOKS: Final = "hooks/tests.toml"
KEYS: Final = (
    "name", "stage", "script", "hook", "ctx", "expect", "value", "reason", "error", "operations", "max_operations",
)  # fmt: skip
OUTCOMES: Final = ("allow", "modify", "cancel", "retry", "error")
ONLY_WITH: Final = {"value": "modify", "reason": "cancel", "error": "error"}
NOTHING_YET: Final[dict[str, Json]] = {"stages": 0, "inferences": 0, "tokens": 0, "tool_calls": 0}

Answer: TypeAlias = HookCall | HookError


@dataclass(frozen=True, slots=True)
class Case:
    """One case. `file` is its path beside the agent, `line` where it begins (from 1); None: not asked for.

    `value` holds what a modify must give, in a tuple of one.
    """

    file: str
    line: int
    name: str
    script: HookScript
    hook: str
    ctx: Json
    expect: str
    value: tuple[Json] | None
    reason: str | None
    error: str | None
    operations: int | None
    max_operations: int | None

    @property
    def where(self) -> str:
        """`file:line`."""
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a case: the hook's answer, and in words what is wrong with it."""

    case: Case
    answer: Answer
    problems: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Is it as the case says?"""
        return not self.problems

    @property
    def operations(self) -> int:
        """What the call used; 0 where it did not come to one."""
        return self.answer.operations or 0


# --- reading --------------------------------------------------------------------------------------------------------------


def case_files(directory: Path) -> list[str]:
    """The files with cases beside the agent in `directory`: `tests/*.toml` and `hooks/tests.toml`."""
    found = sorted(path.name for path in (directory / FOLDER).glob("*.toml"))
    beside = [BESIDE_HOOKS] if (directory / BESIDE_HOOKS).is_file() else []
    return [f"{FOLDER}/{name}" for name in found] + beside


def read_cases(agent: Agent, file: str) -> list[Case]:
    """The cases in `file` beside `agent`. SpawnError for a file that is none, at the first thing that is wrong with it."""
    path = inside(agent.directory, file)
    if path is None:
        raise SpawnError(f"case file '{file}' resolves outside the agent's directory ({agent.directory})")
    try:
        data = read_bounded(path, MAX_BYTES)
    except Unreadable as error:
        raise SpawnError(f"cannot read case file '{agent.directory / file}': {error}") from None
    document = Document(str(agent.directory / file), data, "the case file")
    document.root.allow(("case",))
    reader = _Reader(agent, file)
    cases = [reader.case(table, number) for number, table in enumerate(document.root.tables("case"), 1)]
    for finding in document.findings:
        raise BlueprintError(finding.file, finding.line, finding.text, finding.fix)
    return [case for case in cases if case is not None]


class _Reader:
    """Reads the cases of one file. A script is compiled once."""

    def __init__(self, agent: Agent, file: str) -> None:
        self._agent = agent
        self._file = file
        self._scripts: dict[tuple[str, str], HookScript] = {}

    def case(self, table: Table, number: int) -> Case | None:
        """The case in `table`; None, and a finding, where it is none."""
        table.allow(KEYS)
        for key in ("hook", "expect"):
            if key not in table:
                table.error(key, f"{table.subject}: a case needs '{key}'")
        hook, expect = table.word("hook", HOOK_NAMES, HOOK_NAMES[0]), table.word("expect", OUTCOMES, OUTCOMES[0])
        for key, outcome in ONLY_WITH.items():
            if key in table and expect != outcome:
                table.error(key, f"{table.subject}: '{key}' goes with expect = \"{outcome}\"")
        script = self._script(table, hook)
        ctx = self._ctx(table)
        if script is None:
            return None
        return Case(
            self._file,
            table.line(),
            table.text("name") or f"case {number}",
            script,
            hook,
            ctx,
            expect,
            (table.plain("value"),) if "value" in table else None,
            table.text("reason") if "reason" in table else None,
            table.text("error") if "error" in table else None,
            table.optional_whole("operations"),
            table.optional_whole("max_operations"),
        )

    def _script(self, table: Table, hook: str) -> HookScript | None:
        if ("stage" in table) == ("script" in table):
            table.error("stage", f"{table.subject}: a case needs either 'stage' or 'script'")
            return None
        return self._declared(table, hook) if "stage" in table else self._named(table, hook)

    def _declared(self, table: Table, hook: str) -> HookScript | None:
        name, stages = table.text("stage"), self._agent.blueprint.stages
        stage = self._agent.blueprint.stage(name)
        if stage is None:
            names = [stage.name for stage in stages]
            hint = did_you_mean(name, names)
            table.error("stage", f"{table.subject}: there is no stage '{name}' (there are: {', '.join(names)})", hint)
            return None
        script = self._agent.script_for(stage, hook)
        if script is None:
            table.error("hook", f"{table.subject}: stage '{name}' names no script for '{hook}'")
        return script

    def _named(self, table: Table, hook: str) -> HookScript | None:
        path = table.text("script")
        if (path, hook) not in self._scripts:
            try:
                self._scripts[path, hook] = compile_script(self._agent.directory, path, [hook]).script
            except SpawnError as error:
                table.error("script", f"{table.subject}: {error.message}")
                return None
        return self._scripts[path, hook]

    def _ctx(self, table: Table) -> Json:
        given = table.plain("ctx") if table.holds("ctx", dict) else {}
        if "ctx" in table and not table.holds("ctx", dict):
            table.error("ctx", f"{table.subject}: 'ctx' must be a table, got: {table.shown('ctx')}")
        stage = self._agent.blueprint.stage(table.text("stage")) if table.holds("stage", str) else None
        values: tuple[Json, ...] = (stage.name if stage else "", stage.index if stage else 0, 1, NOTHING_YET)
        return {**dict(zip(EVERYWHERE, values, strict=True)), **(given if isinstance(given, dict) else {})}


# --- running --------------------------------------------------------------------------------------------------------------


def run_cases(agent: Agent) -> Iterator[Verdict]:
    """Every case beside `agent`. SpawnError where one cannot be read, before any is run."""
    cases = [case for file in case_files(agent.directory) for case in read_cases(agent, file)]
    return (run_case(case) for case in cases)


def run_case(case: Case) -> Verdict:
    """Call the hook and compare."""
    try:
        answer: Answer = call(case.script, case.hook, case.ctx)
    except HookError as error:
        answer = error
    return Verdict(case, answer, tuple(_problems(case, answer)))


def _problems(case: Case, answer: Answer) -> Iterator[str]:
    if _name(answer) != case.expect:
        yield f"expected {_expected(case)}, got {described(answer)}"
    elif isinstance(answer, HookError):
        if case.error is not None and case.error not in answer.message:
            yield f"expected {_expected(case)}, got {described(answer)}"
    elif not _as_expected(case, answer.outcome):
        yield f"expected {_expected(case)}, got {described(answer)}"
    used = answer.operations or 0
    if case.operations is not None and used != case.operations:
        yield f"expected {case.operations} operations, got {used}"
    if case.max_operations is not None and used > case.max_operations:
        yield f"expected no more than {case.max_operations} operations, got {used}"


def _as_expected(case: Case, outcome: HookOutcome) -> bool:
    match outcome:
        case Modify(value):
            return case.value is None or dump(value) == dump(case.value[0])
        case Cancel(reason):
            return case.reason is None or reason == case.reason
        case _:
            return True


def _name(answer: Answer) -> str:
    return "error" if isinstance(answer, HookError) else type(answer.outcome).__name__.lower()


def _expected(case: Case) -> str:
    if case.value is not None:
        return f"modify {dump(case.value[0])}"
    if case.reason is not None:
        return f"cancel: {case.reason}"
    return f"error: ...{case.error}..." if case.error is not None else case.expect


def described(answer: Answer) -> str:
    """The answer in words."""
    if isinstance(answer, HookError):
        return f"error: {answer.message}"
    match answer.outcome:
        case Modify(value):
            return f"modify {dump(value)}"
        case Cancel(reason):
            return f"cancel: {reason}" if reason is not None else "cancel, and no reason"
        case Allow():
            return "allow"
        case _:
            return "retry"
