"""What stands beside an agent file without being named in it: `tools/*.rhai`, `rules/*.rhai` and `policy.toml`.

In the order of their names. A tool that is no tool is left out, with a finding; a rule or a policy that cannot be used stops the
agent, since nobody would notice that it is not there.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from stagehooks.agent.allowlist import AllowEntry, read_policy
from stagehooks.agent.document import MAX_BYTES, Document
from stagehooks.agent.files import SCRIPT_BYTES, Unreadable, inside, read_bounded, read_text, reason
from stagehooks.agent.findings import Finding
from stagehooks.errors import BlueprintError, HookError, SpawnError, StageHooksError
from stagehooks.schema import SchemaError, check_parameter_schema
from stagehooks.scripts.directives import Overrides
from stagehooks.scripts.rule import PolicyRule, compile_rule
from stagehooks.scripts.tool import ScriptTool, compile_tool

TOOLS: Final = "tools"
RULES: Final = "rules"
POLICY: Final = "policy.toml"
SCRIPT: Final = ".rhai"
SAYS: Final = ".toml"
TOOL: Final = ("name", "description", "target", "requires", "params")
PARAM: Final = ("name", "type", "required", "description", "schema")
TOOL_FINDING: Final = "script-tool"
MOST_SCRIPTS: Final = 200


@dataclass(frozen=True, slots=True)
class Beside:
    """What was found; `allowlist` is that of `policy.toml`. `findings` are about what was left out, or has no effect."""

    tools: tuple[ScriptTool, ...] = ()
    rules: tuple[PolicyRule, ...] = ()
    allowlist: tuple[AllowEntry, ...] = ()
    findings: tuple[Finding, ...] = ()


NOTHING_BESIDE: Final = Beside()


def read_beside(directory: Path, taken: tuple[str, ...] = ()) -> Beside:
    """What stands in `directory`. Tools may not be called what is `taken`. SpawnError for a rule or policy that is none."""
    tools, findings = _read_tools(directory, taken)
    rules = tuple([_read_rule(directory, path) for path in _names(directory, RULES, SCRIPT)])
    allowlist, remarks = _read_policy(directory)
    return Beside(tools, rules, allowlist, findings + remarks)


def _names(directory: Path, folder: str, ending: str) -> list[str]:
    """The paths of the files with this `ending` in a folder of the agent, sorted; none where there is no such folder."""
    if not (directory / folder).is_dir():
        return []
    if inside(directory, folder) is None:
        raise SpawnError(f"'{directory / folder}' resolves outside the agent's directory ({directory})")
    try:
        names = sorted(name for name in os.listdir(directory / folder) if name.endswith(ending))
    except OSError as error:
        raise SpawnError(f"cannot list '{directory / folder}': {reason(error)}") from None
    if len(names) > MOST_SCRIPTS:
        raise SpawnError(f"'{directory / folder}' holds more than {MOST_SCRIPTS} files that end in {ending}")
    return [f"{folder}/{name}" for name in names]


def _source(directory: Path, path: str) -> str:
    return read_text(_inside(directory, path), SCRIPT_BYTES)[0]


def _document(directory: Path, path: str, what: str) -> Document:
    return Document(str(directory / path), read_bounded(_inside(directory, path), MAX_BYTES), what)


def _inside(directory: Path, path: str) -> Path:
    real = inside(directory, path)
    if real is None:
        raise Unreadable(f"it resolves outside the agent's directory ({directory})")
    return real


def _stop_at_errors(document: Document) -> None:
    for finding in document.findings:
        if finding.severity == "error":
            raise BlueprintError(finding.file, finding.line, finding.text, finding.fix)


# --- tools ----------------------------------------------------------------------------------------------------------------


def _read_tools(directory: Path, taken: tuple[str, ...]) -> tuple[tuple[ScriptTool, ...], tuple[Finding, ...]]:
    tools: dict[str, ScriptTool] = {}
    findings = _without_script(directory)
    for path in _names(directory, TOOLS, SCRIPT):
        try:
            tool = _read_tool(directory, path)
            if tool.name in taken or tool.name in tools:
                raise Unreadable(f"there is already a tool called '{tool.name}'")
            tools[tool.name] = tool
        except (Unreadable, BlueprintError, HookError) as error:
            findings.append(_left_out(directory, path, error))
    return tuple(tools.values()), tuple(findings)


def _without_script(directory: Path) -> list[Finding]:
    """A warning for each file that says something of a script which is not there."""
    scripts = [path.removesuffix(SCRIPT) for path in _names(directory, TOOLS, SCRIPT)]
    return [
        Finding("warning", TOOL_FINDING, str(directory / path), 0, f"'{path}' stands beside no script", f"add {name}{SCRIPT}")
        for path in _names(directory, TOOLS, SAYS)
        if (name := path.removesuffix(SAYS)) not in scripts
    ]


def _read_tool(directory: Path, path: str) -> ScriptTool:
    tool = compile_tool(path, _source(directory, path), _overrides(directory, path.removesuffix(SCRIPT) + SAYS))
    for param in tool.directives.params:
        try:
            if param.schema is not None:
                check_parameter_schema(param.schema)
        except SchemaError as error:
            raise Unreadable(f"the schema of '{param.name}': {error}") from None
    return tool


def _overrides(directory: Path, path: str) -> Overrides | None:
    """What the file beside a script says, as plain data under known keys; None where there is no such file."""
    if not os.path.lexists(directory / path):
        return None
    document = _document(directory, path, "the tool's file")
    document.root.allow(("tool",))
    table = document.root.table("tool", "[tool]")
    table.allow(TOOL)
    for param in table.tables("params"):
        param.allow(PARAM)
    said = {"tool": document.root.plain("tool")} if "tool" in document.root else {}
    _stop_at_errors(document)
    return said


def _left_out(directory: Path, path: str, error: StageHooksError | Unreadable) -> Finding:
    text = f"script tool '{path}' is left out: {error.what if isinstance(error, BlueprintError) else error}"
    fix = "mend the file, or move it away"
    if isinstance(error, BlueprintError):
        return Finding("warning", TOOL_FINDING, error.file, error.line, text, error.hint or fix)
    if isinstance(error, HookError):
        place = error.line, text, fix, error.column, error.excerpt()
        return Finding("warning", TOOL_FINDING, str(directory / path), *place)
    return Finding("warning", TOOL_FINDING, str(directory / path), 0, text, fix)


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


def _read_policy(directory: Path) -> tuple[tuple[AllowEntry, ...], tuple[Finding, ...]]:
    if not os.path.lexists(directory / POLICY):
        return (), ()
    file = str(directory / POLICY)
    try:
        document = _document(directory, POLICY, "the policy")
    except Unreadable as error:
        raise SpawnError(f"cannot read policy '{file}': {error}", file=file) from None
    entries = read_policy(document.root)
    _stop_at_errors(document)
    return entries, tuple(document.findings)
