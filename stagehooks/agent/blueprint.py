"""What an agent file says, as types: after reading it nothing is a table of the file any more.

Everything is frozen, checked and resolved: defaults are filled in, an agent's settings are merged into its stages, edges
exist. The order of stages, regions and edges is the order of the file. Reading the file is the business of `reader`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from stagehooks.agent.context_windows import context_window
from stagehooks.agent.output import ANY_OUTPUT
from stagehooks.agent.output import OutputSpec as OutputSpec
from stagehooks.agent.region import CallerSeed as CallerSeed
from stagehooks.agent.region import LiteralSeed as LiteralSeed
from stagehooks.agent.region import Region as Region
from stagehooks.agent.region import RegionKind as RegionKind
from stagehooks.agent.region import Seed as Seed
from stagehooks.agent.script_permissions import NOTHING_DENIED
from stagehooks.agent.script_permissions import ScriptPermissions as ScriptPermissions
from stagehooks.scripts.outcome import Json

Condition = Literal["always", "llm_choice", "error", "max_iterations", "stuck", "dead_end"]
Transform = Literal["direct", "clear", "compact", "summarize", "custom"]
Policy = Literal["allow", "ask", "deny"]
Style = Literal["free_text", "multiple_choice", "confirm"]
Unattended = Literal["auto_approve", "ask"]

DEFAULT_NUDGE = (
    "You have tools available. Please use them to complete the task. "
    "Start by reading the relevant files in the working directory."
)


@dataclass(frozen=True, slots=True)
class HookPath:
    """One line of a `hooks` table: the hook, the script's path as written, the line of the agent file (from 1)."""

    hook: str
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Hooks:
    """[stages.X.hooks]: which hooks the stage declares; `entries` in the order of `HOOK_NAMES`."""

    entries: tuple[HookPath, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.entries)

    def declared(self) -> tuple[str, ...]:
        """The declared hooks, in the order of `HOOK_NAMES`."""
        return tuple(entry.hook for entry in self.entries)

    def path(self, hook: str) -> str | None:
        """The path declared for `hook`, as written; None if the stage does not declare it."""
        return next((entry.path for entry in self.entries if entry.hook == hook), None)


@dataclass(frozen=True, slots=True)
class Permission:
    """tool = "allow" | "ask" | "deny" """

    tool: str
    policy: Policy


@dataclass(frozen=True, slots=True)
class Permissions:
    """A [tool_permissions] table."""

    entries: tuple[Permission, ...] = ()

    def policy(self, tool: str) -> Policy | None:
        """What the table says of `tool`, or None."""
        return next((entry.policy for entry in self.entries if entry.tool == tool), None)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One model a stage may use; `base_url` is empty but for a server that the provider alone does not tell."""

    provider: str
    model: str
    base_url: str = ""


@dataclass(frozen=True, slots=True)
class Model:
    """[stages.X.model]: candidates in order of preference (none: the offline default), and parameters of the request.

    `extra` holds the parameters that are passed on as they are. `context_window` is None where the names of the models tell.
    """

    candidates: tuple[Candidate, ...] = ()
    temperature: float | None = None
    max_output_tokens: int | None = None
    request_timeout_seconds: float | None = None
    extra: tuple[tuple[str, Json], ...] = ()
    context_window: int | None = None

    @property
    def window(self) -> int:
        """The tokens that a request may have: as many as every candidate takes."""
        if self.context_window is not None:
            return self.context_window
        return min((context_window(candidate.model) for candidate in self.candidates), default=context_window(""))


@dataclass(frozen=True, slots=True)
class Nudge:
    """What a stage that has used no tool yet is told after a reply of text only, `max` times at most.

    `{stage}` and `{regions}` in `text` stand for the stage's name and its region names.
    """

    enabled: bool = True
    max: int = 3
    text: str = DEFAULT_NUDGE


@dataclass(frozen=True, slots=True)
class EdgeGate:
    """[stages.X.transitions.TARGET.gate]: what must be so before the edge is taken. All that is asked for must hold.

    `region` and `tools` are other ways to satisfy `require_modifications`. A stage that is held is told `message` (a text of the
    runtime's where it is empty) and goes on, `max_attempts` times at most.
    """

    require_modifications: bool = False
    require_regions: tuple[str, ...] = ()
    require_region_updated: str = ""
    require_no_open_items: str = ""
    region: str = ""
    tools: tuple[str, ...] = ()
    message: str = ""
    max_attempts: int = 3


@dataclass(frozen=True, slots=True)
class StuckAfter:
    """The stuck_after_* keys of a `stuck` edge: the first that is reached opens it; 0 is never."""

    iterations: int = 0
    minutes: float = 0.0
    same_file_edits: int = 0
    tool_calls: int = 0

    def __bool__(self) -> bool:
        return bool(self.iterations or self.minutes or self.same_file_edits or self.tool_calls)


@dataclass(frozen=True, slots=True)
class Transition:
    """[stages.X.transitions.TARGET], or the edge to the next stage where no stage declares any."""

    target: str
    condition: Condition = "always"
    hint: str = ""
    transform: Transform = "direct"
    clear: tuple[str, ...] = ()
    compact: tuple[str, ...] = ()
    compact_prompt: str = ""
    gate: EdgeGate | None = None
    stuck_after: StuckAfter = StuckAfter()


@dataclass(frozen=True, slots=True)
class InteractionPoint:
    """One of [[stages.X.interaction_points]]: what a person is asked before the stage may be left.

    An answer among `abort_options` cancels the run, one among `edit_options` lets the person rewrite the document, one that
    `directives` names sends the stage on with that text; any other approves. `document_region` holds what it is about.
    """

    name: str
    prompt: str
    required: bool = True
    unattended: Unattended = "auto_approve"
    style: Style = "free_text"
    options: tuple[str, ...] = ()
    directives: tuple[tuple[str, str], ...] = ()
    abort_options: tuple[str, ...] = ()
    edit_options: tuple[str, ...] = ()
    document_region: str = ""


@dataclass(frozen=True, slots=True)
class Route:
    """Where the results of `tool` go ("": where all go) and how many tokens of one are kept (None: as for all)."""

    tool: str
    region: str = ""
    max_result_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class ToolRouting:
    """[stages.X.tool_routing]: the region that tool results go to; the conversation keeps a pointer."""

    default_region: str = "tool_results"
    persist: bool = True
    max_result_tokens: int | None = None
    overrides: tuple[Route, ...] = ()

    def route(self, tool: str) -> Route:
        """What the table says of `tool`."""
        own = next((route for route in self.overrides if route.tool == tool), Route(tool))
        most = self.max_result_tokens if own.max_result_tokens is None else own.max_result_tokens
        return Route(tool, own.region or self.default_region, most)


@dataclass(frozen=True, slots=True)
class Stage:
    """[stages.NAME].

    `regions` is the stage's whole layout: its own regions where it declares some, else the agent's. `tool_permissions` holds
    the stage's own entries; the agent's are in the blueprint. `max_iterations` 0 is "no limit"; `max_revisits` None as well.
    `max_attempts` bounds how often one reply is asked for, where after_inference answers `retry`. `tool_routing` None: results
    stay in the conversation. `line` is where its table begins in the agent file, from 1.
    """

    name: str
    index: int
    description: str = ""
    system_prompt: str = ""
    transition_prompt: str = ""
    model: Model = Model()
    hooks: Hooks = Hooks()
    available_tools: tuple[str, ...] = ()
    required_tools: tuple[str, ...] = ()
    tool_permissions: Permissions = Permissions()
    regions: tuple[Region, ...] = ()
    transitions: tuple[Transition, ...] = ()
    nudge: Nudge = Nudge()
    max_iterations: int = 50
    max_revisits: int | None = None
    max_attempts: int = 3
    interaction_points: tuple[InteractionPoint, ...] = ()
    tool_routing: ToolRouting | None = None
    allow_complete: bool = False
    require_output: bool = False
    output: OutputSpec = ANY_OUTPUT
    taint_tracking: bool = False
    line: int = 0

    @property
    def prompt(self) -> str:
        """The instructions of the stage, with what is said of the output where it owes one."""
        wanted = self.output.description if self.require_output else ""
        said = f"The final output of this run, which you submit with `submit_output`:\n{wanted}" if wanted else ""
        return "\n\n".join(part for part in (self.system_prompt, said) if part)


@dataclass(frozen=True, slots=True)
class Compaction:
    """[compaction]: how a model is asked for the summary of a region. An empty `system_prompt` is the runtime's.

    `candidate` is the model that is asked first, None where that is the stage's own. `line` is where the table stands.
    """

    max_summary_tokens: int = 2000
    temperature: float = 0.2
    system_prompt: str = ""
    candidate: Candidate | None = None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Blueprint:
    """A whole agent file. `linear` says that its edges simply follow the order of the stages.

    `compaction` is None where the file does not say that room is to be made before the window is full.
    """

    name: str
    version: str
    description: str
    stages: tuple[Stage, ...]
    entry_stage: str
    linear: bool
    regions: tuple[Region, ...] = ()
    tool_permissions: Permissions = Permissions()
    script_permissions: ScriptPermissions = NOTHING_DENIED
    compaction: Compaction | None = None

    _by_name: dict[str, Stage] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {stage.name: stage for stage in self.stages})

    def stage(self, name: str) -> Stage | None:
        """The stage called `name`, or None."""
        return self._by_name.get(name)

    @property
    def entry(self) -> Stage:
        """The stage a run starts in."""
        return self._by_name[self.entry_stage]

    def hook_paths(self) -> Iterator[tuple[Stage, HookPath]]:
        """Every declared hook with its stage, in the order of the file."""
        for stage in self.stages:
            for entry in stage.hooks.entries:
                yield stage, entry
