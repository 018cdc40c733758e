"""From a directory to an agent that may run: find its file, read it, compile every hook it declares, or refuse.

All of this happens before anything of the agent runs. A stage without hooks costs nothing: no script is read for it.
"""

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from stagehooks.agent.beside import NOTHING_BESIDE, Beside, read_beside
from stagehooks.agent.blueprint import Blueprint, Stage
from stagehooks.agent.document import MAX_BYTES
from stagehooks.agent.files import AGENT_FILES, Unreadable, read_bounded, real_path, reason
from stagehooks.agent.findings import Finding
from stagehooks.agent.reader import read_blueprint
from stagehooks.agent.scripts import CompiledRegion, compile_region_script, custom_regions, read_script
from stagehooks.agent.validators import CompiledValidator, compile_output_validator, wanted_validators
from stagehooks.errors import BlueprintError, HookError, SpawnError
from stagehooks.scripts.outcome import HOOK_NAMES
from stagehooks.scripts.stage_hook import HookScript, compile
from stagehooks.scripts.validator import OutputValidator
from stagehooks.tools.catalogue import BUILT_IN


@dataclass(frozen=True, slots=True)
class CompiledScript:
    """A script of the agent under its path as written in the agent file. `sha256` is of the bytes that were compiled."""

    path: str
    sha256: str
    script: HookScript


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent that was read, checked and compiled. `file` is its agent file, inside `directory`, and `source` what it held."""

    directory: Path
    file: Path
    blueprint: Blueprint
    scripts: tuple[CompiledScript, ...] = ()
    findings: tuple[Finding, ...] = ()
    source: bytes = b""
    region_scripts: tuple[CompiledRegion, ...] = ()
    validators: tuple[CompiledValidator, ...] = ()
    beside: Beside = NOTHING_BESIDE

    def script_for(self, stage: Stage, hook: str) -> HookScript | None:
        """The script that `stage` declares for `hook`, or None: there is nothing to call."""
        path = stage.hooks.path(hook)
        return next((entry.script for entry in self.scripts if entry.path == path), None)

    def validator_for(self, stage: Stage) -> OutputValidator | None:
        """The validator of what `stage` submits, or None."""
        path = stage.output.validator
        return next((entry.script for entry in self.validators if entry.path == path), None)


def load(place: str | Path, source: bytes | None = None) -> Agent:
    """The agent in the directory (or agent file) `place`, all read, checked and compiled; SpawnError if it may not run.

    `source` stands in for what its agent file holds.
    """
    file = find_agent_file(Path(place))
    if source is None:
        source = agent_source(file)
    blueprint, findings = read_blueprint(str(file), source)
    for finding in findings:
        if finding.severity == "error":
            raise BlueprintError(finding.file, finding.line, finding.text, finding.fix)
    scripts = tuple(compile_script(file.parent, path, hooks) for path, hooks in wanted_scripts(blueprint))
    region_scripts = tuple(compile_region_script(file.parent, region) for region in custom_regions(blueprint))
    validators = tuple(compile_output_validator(file.parent, spec.validator) for spec in wanted_validators(blueprint))
    beside = read_beside(file.parent, BUILT_IN)
    remarks = (*findings, *beside.findings)
    return Agent(file.parent, file, blueprint, scripts, remarks, source, region_scripts, validators, beside)


def find_agent_file(place: Path) -> Path:
    """The agent file in the directory `place`, or `place` itself where it is a file."""
    try:
        if not stat.S_ISDIR(place.stat().st_mode):
            return place
        found = [name for name in AGENT_FILES if name in os.listdir(place)]
    except (OSError, ValueError) as error:
        raise SpawnError(f"{place}: {reason(error).lower()}") from None
    if not found:
        raise SpawnError(f"{place}: no agent here: the directory has no {' or '.join(AGENT_FILES)}")
    return place / found[0]


def read_agent_file(file: Path) -> tuple[Blueprint, list[Finding]]:
    """The blueprint in `file` and all findings about it; with an error among them it is not to be used."""
    return read_blueprint(str(file), agent_source(file))


def agent_source(file: Path) -> bytes:
    """The bytes of the agent file `file`; SpawnError where it cannot be read."""
    try:
        return read_bounded(real_path(file), MAX_BYTES)
    except Unreadable as error:
        raise SpawnError(f"cannot read agent file '{file}': {error}") from None


def wanted_scripts(blueprint: Blueprint) -> Iterable[tuple[str, list[str]]]:
    """Every script path that `blueprint` names, once, with all the hooks that some stage names it for."""
    wanted: dict[str, set[str]] = {}
    for _, entry in blueprint.hook_paths():
        wanted.setdefault(entry.path, set()).add(entry.hook)
    return [(path, [hook for hook in HOOK_NAMES if hook in hooks]) for path, hooks in wanted.items()]


def compile_script(directory: Path, declared: str, wanted: Iterable[str]) -> CompiledScript:
    """The script `declared` below `directory`, read once and compiled; SpawnError says what is wrong with it."""
    source = read_script(directory, declared, "stage hook script")
    try:
        script = compile(declared, source.text, wanted)
    except HookError as error:
        message = f"stage hook script '{declared}' failed to compile: {error.message}"
        raise SpawnError(message, inner=error.inner, file=source.file) from None
    return CompiledScript(declared, source.sha256, script)
