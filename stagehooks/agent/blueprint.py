"""What an agent file says, as types: after reading it nothing is a table of the file any more.

Everything is frozen, checked and resolved: defaults are filled in, an agent's settings are merged into its stages, edges
exist. The order of stages, regions and edges is the order of the file. Reading the file is the business of `reader`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from stagehooks.scripts.outcome import Json

RegionKind = Literal["pinned", "sliding_window", "temporary", "clearable"]
Admission = Literal["evict", "reject"]
Condition = Literal["always", "llm_choice", "error", "max_iterations", "stuck", "dead_end"]
Transform = Literal["direct", "clear"]
Policy = Literal["allow", "ask", "deny"]

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
class LiteralSeed:
    """seed = { literal = "text" }"""

    text: str


@dataclass(frozen=True, slots=True)
class CallerSeed:
    """seed = "task_input" (key "task"), "input" (the region's name) or { caller = "key" }: text that the caller gives."""

    key: str


Seed: TypeAlias = LiteralSeed | CallerSeed


@dataclass(frozen=True, slots=True)
class Region:
    """[context.regions.NAME]. `max_tokens` is the budget; `max_items` counts only for a sliding window."""

    name: str
    kind: RegionKind = "temporary"
    max_tokens: int = 5000
    max_items: int = 10
    admission: Admission = "evict"
    description: str = ""
    describe_in_prompt: bool = False
    seed: Seed | None = None


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

    `extra` holds the parameters that are passed on as they are.
    """

    candidates: tuple[Candidate, ...] = ()
    temperature: float | None = None
    max_output_tokens: int | None = None
    request_timeout_seconds: float | None = None
    extra: tuple[tuple[str, Json], ...] = ()


@dataclass(frozen=True, slots=True)
class Nudge:
    """What a stage that has used no tool yet is told after a reply of text only, `max` times at most.

    `{stage}` and `{regions}` in `text` stand for the stage's name and its region names.
    """

    enabled: bool = True
    max: int = 3
    text: str = DEFAULT_NUDGE


@dataclass(frozen=True, slots=True)
class Transition:
    """[stages.X.transitions.TARGET], or the edge to the next stage where no stage declares any."""

    target: str
    condition: Condition = "always"
    hint: str = ""
    transform: Transform = "direct"


@dataclass(frozen=True, slots=True)
class Stage:
    """[stages.NAME].

    `regions` is the stage's whole layout: its own regions where it declares some, else the agent's. `tool_permissions` holds
    the stage's own entries; the agent's are in the blueprint. `max_iterations` 0 is "no limit"; `max_revisits` None as well.
    `line` is where its table begins in the agent file, from 1.
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
    allow_complete: bool = False
    require_output: bool = False
    taint_tracking: bool = False
    line: int = 0


@dataclass(frozen=True, slots=True)
class Blueprint:
    """A whole agent file. `linear` says that its edges simply follow the order of the stages."""

    name: str
    version: str
    description: str
    stages: tuple[Stage, ...]
    entry_stage: str
    linear: bool
    regions: tuple[Region, ...] = ()
    tool_permissions: Permissions = Permissions()

    def stage(self, name: str) -> Stage | None:
        """The stage called `name`, or None."""
        return next((stage for stage in self.stages if stage.name == name), None)

    @property
    def entry(self) -> Stage:
        """The stage a run starts in."""
        return next(stage for stage in self.stages if stage.name == self.entry_stage)

    def hook_paths(self) -> Iterator[tuple[Stage, HookPath]]:
        """Every declared hook with its stage, in the order of the file."""
        for stage in self.stages:
            for entry in stage.hooks.entries:
                yield stage, entry
