"""What stands beside an agent file without being named in it: `tools/*.rhai`, `rules/*.rhai` and `policy.toml`.

In the order of their names. A tool that is no tool is left out, with a finding; a rule or a policy that cannot be used stops the
agent, since nobody would notice that it is not there.
"""

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from stagehooks.agent.allowlist import AllowEntry, read_policy
from stagehooks.agent.document import MAX_BYTES, Document
from stagehooks.agent.files import SCRIPT_BYTES, Unreadable, inside, read_bounded, read_text, reason
from stagehooks.agent.findings import Finding
from stagehooks.errors import BlueprintError, HookError, SpawnError
from stagehooks.schema import SchemaError, check_schema
from stagehooks.scripts.directives import Overrides
from stagehooks.scripts.rule import PolicyRule, compile_rule
from stagehooks.scripts.tool import ScriptTool, compile_tool

TOOLS: Final = "tools"
RULES: Final = "rules"
POLICY: Final = "policy.toml"
SCRIPT: Final = ".rhai"
MOST_SCRIPTS: Final = 200


@dataclass(frozen=True, slots=True)
class Beside:
    """What was found. `allowlist` is that of `policy.toml`; `findings` are about tools that were left out."""

    tools: tuple[ScriptTool, ...] = ()
    rules: tuple[PolicyRule, ...] = ()
    allowlist: tuple[AllowEntry, ...] = ()
    findings: tuple[Finding, ...] = ()


NOTHING_BESIDE: Final = Beside()


def read_beside(directory: Path, taken: tuple[str, ...] = ()) -> Beside:
    """What stands in `directory`. Tools may not be called what is `taken`. SpawnError for a rule or policy that is none."""
    tools, findings = _read_tools(directory, taken)
    rules = tuple([_read_rule(directory, path) for path in _scripts(directory, RULES)])
    return Beside(tools, rules, _read_policy(directory), findings)


def _scripts(directory: Path, folder: str) -> list[str]:
    """The paths of the scripts in a folder of the agent, sorted; none where there is no such folder."""
    if not (directory / folder).is_dir():
        return []
    if inside(directory, folder) is None:
        raise SpawnError(f"'{directory / folder}' resolves outside the agent's directory ({directory})")
    try:
        names = sorted(name for name in os.listdir(directory / folder) if name.endswith(SCRIPT))
    except OSError as error:
        raise SpawnError(f"cannot list '{directory / folder}': {reason(error)}") from None
    if len(names) > MOST_SCRIPTS:
        raise SpawnError(f"'{directory / folder}' holds more than {MOST_SCRIPTS} scripts")
    return [f"{folder}/{name}" for name in names]


def _source(directory: Path, path: str) -> str:
    real = inside(directory, path)
    if real is None:
        raise Unreadable(f"it resolves outside the agent's directory ({directory})")
    return read_text(real, SCRIPT_BYTES)[0]


# --- tools ----------------------------------------------------------------------------------------------------------------


def _read_tools(directory: Path, taken: tuple[str, ...]) -> tuple[tuple[ScriptTool, ...], tuple[Finding, ...]]:
    tools: dict[str, ScriptTool] = {}
    findings = []
    for path in _scripts(directory, TOOLS):
        try:
            tool = _read_tool(directory, path)
            if tool.name in taken or tool.name in tools:
                raise Unreadable(f"there is already a tool called '{tool.name}'")
            tools[tool.name] = tool
        except (Unreadable, HookError) as error:
            findings.append(_left_out(directory, path, error))
    return tuple(tools.values()), tuple(findings)


def _read_tool(directory: Path, path: str) -> ScriptTool:
    tool = compile_tool(path, _source(directory, path), _overrides(directory, f"{path.removesuffix(SCRIPT)}.toml"))
    for param in tool.directives.params:
        try:
            if param.schema is not None:
                check_schema(param.schema)
        except SchemaError as error:
            raise Unreadable(f"the schema of '{param.name}': {error}") from None
    return tool


def _overrides(directory: Path, path: str) -> Overrides | None:
    if not (directory / path).exists():
        return None
    try:
        return tomllib.loads(_source(directory, path))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise Unreadable(f"{path}: {error}") from None


def _left_out(directory: Path, path: str, error: Unreadable | HookError) -> Finding:
    text = f"script tool '{path}' is left out: {error}"
    fix = "mend the file, or move it away"
    if isinstance(error, HookError):
        return Finding("warning", "script-tool", str(directory / path), error.line, text, fix, error.column, error.excerpt())
    return Finding("warning", "script-tool", str(directory / path), 0, text, fix)


# --- policy ---------------------------------------------------------------------------------------------------------------


def _read_rule(directory: Path, path: str) -> PolicyRule:
    full = str(directory / path)
    try:
        return compile_rule(path, Path(path).stem, _source(directory, path))
    except Unreadable as error:
        raise SpawnError(f"cannot read policy rule '{full}': {error}", file=full) from None
    except HookError as error:
        message = f"policy rule '{path}' failed to compile: {error.message}"
        raise SpawnError(message, inner=error.inner, file=full) from None


def _read_policy(directory: Path) -> tuple[AllowEntry, ...]:
    file = directory / POLICY
    if not file.exists():
        return ()
    real = inside(directory, POLICY)
    try:
        if real is None:
            raise Unreadable(f"it resolves outside the agent's directory ({directory})")
        document = Document(str(file), read_bounded(real, MAX_BYTES), "the policy")
    except Unreadable as error:
        raise SpawnError(f"cannot read policy '{file}': {error}", file=str(file)) from None
    entries = read_policy(document.root)
    for finding in document.findings:
        if finding.severity == "error":
            raise BlueprintError(finding.file, finding.line, finding.text, finding.fix)
    return entries
