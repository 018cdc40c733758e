"""What `validate` finds: everything that would stop an agent, and what its author may not have meant, all in one reading."""

from dataclasses import dataclass, replace
from pathlib import Path

from stagehooks.agent.beside import NOTHING_BESIDE, TOOL_FINDING, Beside, read_beside
from stagehooks.agent.blueprint import Blueprint, Stage
from stagehooks.agent.document import did_you_mean
from stagehooks.agent.findings import Finding
from stagehooks.agent.region import ToolSeed
from stagehooks.agent.scripts import compile_region_script, custom_regions
from stagehooks.agent.spawn import Agent, CompiledScript, compile_script, find_agent_file, read_agent_file, wanted_scripts
from stagehooks.agent.validators import compile_output_validator, wanted_validators
from stagehooks.errors import BlueprintError, SpawnError
from stagehooks.models.choice import models_of, passed_over
from stagehooks.tools.catalogue import BUILT_IN, missing_tools


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of checking one agent. `blueprint` is None where the file could not be read as one."""

    file: str
    blueprint: Blueprint | None
    scripts: tuple[CompiledScript, ...]
    findings: tuple[Finding, ...]

    @property
    def valid(self) -> bool:
        """May the agent run?"""
        return not self.count("error")

    def count(self, severity: str) -> int:
        """How many findings there are of `severity`."""
        return sum(finding.severity == severity for finding in self.findings)


def check(place: Path) -> Report:
    """Read, check and compile the agent in `place`; SpawnError only where there is no agent file to read."""
    file = find_agent_file(place)
    try:
        blueprint, findings = read_agent_file(file)
    except BlueprintError as error:
        return Report(str(file), None, (), (_finding("agent-file", error),))
    scripts: list[CompiledScript] = []
    for path, hooks in wanted_scripts(blueprint):
        try:
            scripts.append(compile_script(file.parent, path, hooks))
        except SpawnError as error:
            findings.append(_finding("hook-script", error, *_first_named(blueprint, file, path)))
    for region in custom_regions(blueprint):
        try:
            compile_region_script(file.parent, region)
        except SpawnError as error:
            findings.append(_finding("region-script", error, str(file), region.line))
    findings += _about_validators(file, blueprint)
    beside, remarks = _beside(file)
    findings += remarks
    wrong = {finding.code for finding in findings if finding.severity == "error"}
    agent = Agent(file.parent, file, blueprint, beside=beside)
    if TOOL_FINDING not in wrong:
        findings += _missing_tools(agent)
    if not wrong:
        findings += _missing_models(agent)
    findings += _unused_hooks(file, blueprint, scripts)
    findings += [finding for stage in blueprint.stages for finding in _idle_hooks(file, stage)]
    return Report(str(file), blueprint, tuple(scripts), tuple(findings))


def unreadable(place: str, error: SpawnError) -> Report:
    """The report on a place where there is no agent file to read."""
    return Report(place, None, (), (Finding("error", "agent-file", place, 0, error.message.removeprefix(f"{place}: ")),))


def _finding(code: str, error: SpawnError, file: str = "", line: int = 0) -> Finding:
    if error.line:
        return Finding("error", code, error.file, error.line, _text(error), error.hint, error.column, error.excerpt())
    return Finding("error", code, file or error.file, line, _text(error), error.hint)


def _text(error: SpawnError) -> str:
    return error.what if isinstance(error, BlueprintError) else error.message


def _missing_tools(agent: Agent) -> list[Finding]:
    """Tools that `stagehooks run` cannot provide; a program that calls `run_agent` may."""
    known = (*BUILT_IN, *(tool.name for tool in agent.beside.tools))
    findings = [
        Finding("warning", "tool", str(agent.file), stage.line, error.message, _or(error.hint, "give it to run_agent(tools=...)"))
        for stage in agent.blueprint.stages
        for error in missing_tools(stage, known)
    ]
    return findings + _about_seeds(agent, known)


def _missing_models(agent: Agent) -> list[Finding]:
    """Models that `stagehooks run` cannot provide; a program that calls `run_agent` may."""
    try:
        models_of(agent)
    except SpawnError as error:
        file, text = error.file or str(agent.file), _text(error)
        fix = _or(error.hint, "give one to run_agent(model=...)")
        return [Finding("warning", "model", file, error.line, text, fix)]
    return [Finding("note", "model", str(agent.file), line, text) for line, text in passed_over(agent)]


def _about_seeds(agent: Agent, known: tuple[str, ...]) -> list[Finding]:
    """Tools that a seed calls and that are not there: the region would stay empty."""
    seeds = [(region, region.seed) for stage in agent.blueprint.stages for region in stage.regions]
    called = {
        (region.name, call.tool): region.line for region, seed in seeds if isinstance(seed, ToolSeed) for call in seed.calls
    }
    return [
        Finding(
            "warning",
            "tool",
            str(agent.file),
            line,
            f"region '{region}': there is no tool '{tool}' for its seed",
            _or(did_you_mean(tool, known), "give it to run_agent(tools=...)"),
        )
        for (region, tool), line in called.items()
        if tool not in known
    ]


def _about_validators(file: Path, blueprint: Blueprint) -> list[Finding]:
    findings = []
    for spec in wanted_validators(blueprint):
        try:
            compile_output_validator(file.parent, spec.validator)
        except SpawnError as error:
            findings.append(_finding("output-validator", error, str(file), spec.line))
    return findings


def _beside(file: Path) -> tuple[Beside, list[Finding]]:
    """Tools, rules and the policy: a tool that a run leaves out is an error here."""
    try:
        beside = read_beside(file.parent, BUILT_IN)
    except SpawnError as error:
        return NOTHING_BESIDE, [_finding("policy", error)]
    return beside, [
        replace(finding, severity="error") if finding.code == TOOL_FINDING else finding for finding in beside.findings
    ]


def _or(hint: str, other: str) -> str:
    return f"{hint} Or {other}" if hint else other


def _first_named(blueprint: Blueprint, file: Path, path: str) -> tuple[str, int]:
    return str(file), next(entry.line for _, entry in blueprint.hook_paths() if entry.path == path)


def _unused_hooks(file: Path, blueprint: Blueprint, scripts: list[CompiledScript]) -> list[Finding]:
    named = dict(wanted_scripts(blueprint))
    return [
        Finding(
            "warning",
            "unused-hook",
            *_first_named(blueprint, file, compiled.path),
            f"'{compiled.path}' defines {hook}, but no stage names it for that: it never runs",
            f'write {hook} = "{compiled.path}" in a hooks table, or remove the function',
        )
        for compiled in scripts
        for hook in compiled.script.defined
        if hook not in named[compiled.path]
    ]


def _idle_hooks(file: Path, stage: Stage) -> list[Finding]:
    if stage.available_tools:
        return []
    return [
        Finding("note", "idle-hook", str(file), entry.line, f"stage '{stage.name}' has no tools: its on_tool_call never fires")
        for entry in stage.hooks.entries
        if entry.hook == "on_tool_call"
    ]
