"""From the text of an agent file to a `Blueprint`, or to findings that say what is wrong with it and where.

Keys that the original system knows but this version does not act on are warnings; a value that would make the agent mean
something else, or less safe, is an error.
"""

from typing import Final

from stagehooks.agent.blueprint import Blueprint, Model, Nudge, Region, Stage
from stagehooks.agent.document import Document, Table
from stagehooks.agent.findings import Finding
from stagehooks.agent.graph import check_graph, next_stage, read_transitions
from stagehooks.agent.interactions import read_interaction_points
from stagehooks.agent.layout import IMPLICIT, check_layout, for_window, read_regions
from stagehooks.agent.output import ANY_OUTPUT, OutputSpec, read_output
from stagehooks.agent.references import check_references
from stagehooks.agent.routing import read_tool_routing
from stagehooks.agent.script_permissions import read_script_permissions
from stagehooks.agent.sections import (
    read_compaction,
    read_hooks,
    read_model,
    read_nudge,
    read_permissions,
    refuse_sandbox,
    tracks_taint,
)

TOP: Final = (
    "agent", "stages", "context", "tool_permissions", "security", "model", "sandbox", "tool_script_permissions", "compaction",
)  # fmt: skip
TOP_LATER: Final = (
    "read_paths", "safe_commands", "repetition_detection", "transforms",
    "file_tracking",
)  # fmt: skip
AGENT: Final = ("name", "version", "description", "entry_stage", "nudge", "output")
AGENT_LATER: Final = ("max_child_depth", "dynamic_tools", "batch_tool_hint", "shell_hint")
STAGE: Final = (
    "mode", "description", "system_prompt", "transition_prompt", "model", "hooks", "available_tools", "required_tools",
    "tool_permissions", "context", "transitions", "nudge", "max_iterations", "max_revisits", "allow_complete",
    "require_output", "security", "sandbox", "max_attempts", "interaction_points", "tool_routing", "output",
)  # fmt: skip
STAGE_LATER: Final = (
    "accepts_messages", "allow_as_worker", "allow_blocking_tools", "available_connectors", "batch_tool_hint",
    "max_items", "max_workers", "merge_stage", "on_worker_failure",
    "requires_children", "results_region", "shell_hint", "split_prompt", "worker_agent", "worker_query",
    "worker_stage",
)  # fmt: skip
MODES: Final = ("autonomous", "interactive", "interactive_points", "fan_out", "output")
MODES_HERE: Final = ("autonomous", "interactive_points", "output")
MAX_ITERATIONS: Final = 50
SUBMIT_OUTPUT: Final = "submit_output"


def read_blueprint(name: str, data: bytes) -> tuple[Blueprint, list[Finding]]:
    """The blueprint in the bytes of the agent file called `name`, and what is to be said of it.

    With an error among the findings the blueprint is incomplete and must not be used. BlueprintError where the file is no
    TOML, no UTF-8, too large or nested too deeply.
    """
    document = Document(name, data)
    root = document.root
    root.allow(TOP, TOP_LATER)
    refuse_sandbox(root)
    if "model" in root:
        root.warn("model", "a top-level [model] is ignored", "move it to [stages.NAME.model]", "agent-model-block-ignored")
    if "agent" not in root:
        root.error("agent", "Missing [agent] section", "add a table [agent] with a name", "missing-agent")
    agent = root.table("agent", "[agent]")
    agent.allow(AGENT, AGENT_LATER)
    regions = read_regions(root.table("context", "[context]"), IMPLICIT)
    tables = _stage_tables(root)
    stages = _read_stages(
        root, tables, _Shared(regions, read_nudge(agent, Nudge()), read_output(agent, ANY_OUTPUT), tracks_taint(root))
    )
    blueprint = Blueprint(
        name=agent.text("name", "unnamed"),
        version=agent.text("version", "0.1.0"),
        description=agent.text("description").strip(),
        stages=stages,
        entry_stage=agent.text("entry_stage") or stages[0].name,
        linear=not any("transitions" in table for table in tables),
        regions=regions,
        tool_permissions=read_permissions(root),
        script_permissions=read_script_permissions(root),
        compaction=read_compaction(root),
    )
    check_graph(document, blueprint)
    check_layout(document, blueprint)
    check_references(document, blueprint)
    return blueprint, sorted(document.findings, key=lambda finding: finding.line)


class _Shared:
    """What the agent's own tables say for every stage."""

    def __init__(self, regions: tuple[Region, ...], nudge: Nudge, output: OutputSpec, taint_tracking: bool) -> None:
        self.regions = regions
        self.nudge = nudge
        self.output = output
        self.taint_tracking = taint_tracking


def _stage_tables(root: Table) -> tuple[Table, ...]:
    stages = root.table("stages", "[stages]")
    return tuple(stages.table(name, f"stage '{name}'") for name in stages.names("a stage"))


def _read_stages(root: Table, tables: tuple[Table, ...], shared: _Shared) -> tuple[Stage, ...]:
    if not tables:
        root.note("stages", "no stages: the agent has one, 'main', without tools", "add a table [stages.NAME]", "no-stages")
        regions = for_window(shared.regions, Model().window)
        only = Stage("main", 0, regions=regions, nudge=shared.nudge, output=shared.output, taint_tracking=shared.taint_tracking)
        return (only,)
    names = tuple(table.name for table in tables)
    return tuple(_read_stage(table, names, shared) for table in tables)


def _read_stage(table: Table, names: tuple[str, ...], shared: _Shared) -> Stage:
    table.allow(STAGE, STAGE_LATER)
    refuse_sandbox(table)
    mode = table.word("mode", MODES, "autonomous", MODES_HERE)
    submits = mode == "output"
    tools = _read_tools(table, submits)
    model = read_model(table)
    return Stage(
        name=table.name,
        index=names.index(table.name),
        description=table.text("description").strip(),
        system_prompt=table.text("system_prompt").strip(),
        transition_prompt=table.text("transition_prompt").strip(),
        model=model,
        hooks=read_hooks(table),
        available_tools=tools,
        required_tools=_read_required_tools(table, tools),
        tool_permissions=read_permissions(table),
        regions=for_window(read_regions(table.table("context"), shared.regions), model.window),
        transitions=read_transitions(table) if "transitions" in table else next_stage(table.name, names),
        nudge=read_nudge(table, shared.nudge),
        max_iterations=table.whole("max_iterations", MAX_ITERATIONS),
        max_revisits=table.optional_whole("max_revisits"),
        max_attempts=table.whole("max_attempts", 3, at_least=1),
        interaction_points=read_interaction_points(table, mode),
        tool_routing=read_tool_routing(table),
        allow_complete=table.flag("allow_complete", submits),
        require_output=_requires_output(table, tools, submits),
        output=read_output(table, shared.output),
        taint_tracking=tracks_taint(table) or shared.taint_tracking,
        line=table.line(),
    )


def _read_tools(table: Table, submits: bool) -> tuple[str, ...]:
    tools = tuple(dict.fromkeys(table.texts("available_tools")))
    return (*tools, SUBMIT_OUTPUT) if submits and SUBMIT_OUTPUT not in tools else tools


def _read_required_tools(table: Table, tools: tuple[str, ...]) -> tuple[str, ...]:
    required = table.texts("required_tools")
    for tool in required:
        if tool not in tools:
            table.error(
                "required_tools",
                f"Invalid {table.subject}: required_tools entry '{tool}' is not in available_tools - a tool the stage cannot "
                "call can't be kept through an unattended run",
                f"add '{tool}' to available_tools",
            )
    return required


def _requires_output(table: Table, tools: tuple[str, ...], submits: bool) -> bool:
    required = table.flag("require_output") or submits
    if required and SUBMIT_OUTPUT not in tools:
        table.error(
            "require_output",
            f"Invalid {table.subject}: require_output is set but '{SUBMIT_OUTPUT}' is not in available_tools - the stage cannot "
            "produce the output it is required to produce",
            f"add '{SUBMIT_OUTPUT}' to available_tools",
        )
    return required
