"""Everything that happens in a run, as frozen records for whoever watches it, and the result in the end.

`event` is the record's name in the JSON form. All texts are as they are: who prints them makes them safe to print.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

from stagehooks.errors import FAILED, INTERRUPTED, LIMIT, OK
from stagehooks.models.protocol import ModelTroubled, Purpose, ToolCall
from stagehooks.scripts.outcome import Json

Status = Literal["complete", "error", "cancelled"]
Ended = Literal["normal", "max_iterations", "stuck", "error"]
Answered = Literal["allow", "modify", "cancel", "retry", "failed"]
RegionChange = Literal["seeded", "summarised", "cleared", "freed"]
Treated = Literal["none", "allowed", "rewritten", "added", "dropped", "denied"]
"""What on_tool_call did to a call; `none`: the stage declares no such hook."""
PointOutcome = Literal["approved", "auto_approved", "sent_back", "edited", "skipped", "aborted"]
"""What a person's answer at an interaction point did."""


@dataclass(frozen=True, slots=True)
class RunStarted:
    """The agent is read, checked and about to enter its first stage. `run` is its id in the store, empty where it has none."""

    event: ClassVar[str] = "run"
    agent: str
    version: str
    task: str
    workdir: str
    run: str = ""


@dataclass(frozen=True, slots=True)
class RunResumed:
    """The run goes on in another process, after `events` events. `changes` says what of the agent is not as it was.

    `stage` is where it goes on, empty where it had entered none.
    """

    event: ClassVar[str] = "resumed"
    run: str
    events: int
    changes: tuple[str, ...]
    stage: str = ""


@dataclass(frozen=True, slots=True)
class StageEntered:
    """`visit` counts from 1."""

    event: ClassVar[str] = "stage"
    stage: str
    index: int
    visit: int


@dataclass(frozen=True, slots=True)
class StageLeft:
    """The stage is over and its on_stage_exit has fired; `next` is None where the run completes."""

    event: ClassVar[str] = "stage_left"
    stage: str
    ended: Ended
    next: str | None


@dataclass(frozen=True, slots=True)
class HookFired:
    """One hook call. `changes` says what its `modify` did, `error` why the run cannot go on after it.

    `operations` and `fuel` are what it used, None where it did not come to a call.
    """

    event: ClassVar[str] = "hook"
    hook: str
    stage: str
    outcome: Answered
    changes: tuple[str, ...]
    error: str | None
    operations: int | None
    fuel: int | None


@dataclass(frozen=True, slots=True)
class ModelAsked:
    """A request goes to the model now; `attempt` counts from 1, where after_inference asks for another reply."""

    event: ClassVar[str] = "ask"
    stage: str
    turn: int
    purpose: Purpose
    attempt: int


@dataclass(frozen=True, slots=True)
class ModelReplied:
    """What the model said, before any hook saw it."""

    event: ClassVar[str] = "reply"
    stage: str
    turn: int
    purpose: Purpose
    text: str
    tool_calls: tuple[ToolCall, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Nudged:
    """The stage is not over yet, and the model was told so."""

    event: ClassVar[str] = "nudge"
    stage: str
    text: str


@dataclass(frozen=True, slots=True)
class Abandoned:
    """The stage goes on to its end although it never filled a region that it was to fill."""

    event: ClassVar[str] = "abandoned"
    stage: str
    region: str


@dataclass(frozen=True, slots=True)
class EdgeHeld:
    """The gate on the edge to `target` held the stage, for the `attempt`-th time. `forced`: it gives up, and the edge is open."""

    event: ClassVar[str] = "held"
    stage: str
    target: str
    attempt: int
    text: str
    forced: bool


@dataclass(frozen=True, slots=True)
class PointAsked:
    """A person is asked at an interaction point, now."""

    event: ClassVar[str] = "point"
    stage: str
    name: str
    prompt: str
    form: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PointAnswered:
    """What came of an interaction point."""

    event: ClassVar[str] = "answer"
    stage: str
    name: str
    outcome: PointOutcome
    answer: str


@dataclass(frozen=True, slots=True)
class RunPaused:
    """The run is held before its next step."""

    event: ClassVar[str] = "paused"
    stage: str


@dataclass(frozen=True, slots=True)
class RunContinued:
    """The run was held, and goes on."""

    event: ClassVar[str] = "continued"
    stage: str


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A call has passed all layers, and the tool runs now."""

    event: ClassVar[str] = "tool_start"
    stage: str
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class ToolCalled:
    """One tool call and what each layer said of it, in the order in which they are asked; None where one was not asked.

    `asked` holds the arguments that the model asked for where the hook rewrote them. `ok`: the call was made and worked.
    """

    event: ClassVar[str] = "tool"
    stage: str
    id: str
    name: str
    arguments: Json
    asked: Json
    hook: Treated
    offered: bool | None = None
    schema: str | None = None
    taint: str | None = None
    policy: str | None = None
    approval: str | None = None
    ok: bool = False
    result: str = ""


@dataclass(frozen=True, slots=True)
class RunFailing:
    """The run is going to end in error, for this reason; on_error has not fired yet."""

    event: ClassVar[str] = "failure"
    stage: str
    error: str


@dataclass(frozen=True, slots=True)
class RegionChanged:
    """The runtime itself filled a region, or made room in it: from `before` tokens to `after`."""

    event: ClassVar[str] = "region"
    stage: str
    region: str
    what: RegionChange
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Warned:
    """Something did not go as its author meant it, and the run goes on without it."""

    event: ClassVar[str] = "warning"
    stage: str
    text: str


@dataclass(frozen=True, slots=True)
class Totals:
    """What a run took. `operations` are those of its hooks and of the scripts of its regions."""

    stages: int = 0
    inferences: int = 0
    tokens: int = 0
    tool_calls: int = 0
    hooks: int = 0
    operations: int = 0


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The last event of every run. `output` is empty where nothing was submitted."""

    event: ClassVar[str] = "end"
    status: Status
    output: str | None
    error: str | None
    totals: Totals
    hit_a_limit: bool = False


Event: TypeAlias = (
    RunStarted | RunResumed | StageEntered | StageLeft | HookFired | ModelReplied | Nudged | Abandoned | EdgeHeld | PointAnswered
    | RegionChanged | Warned | ToolCalled | RunFailing | RunEnded
    | ModelAsked | ModelTroubled | PointAsked | RunPaused | RunContinued | ToolStarted
)  # fmt: skip
"""The last six only say what a run is waiting for at the moment."""
Observer: TypeAlias = Callable[[Event], None]


@dataclass(frozen=True, slots=True)
class RunResult:
    """How a run ended. `output` is the submitted answer, None where there is none; `stages` are those entered, in order.

    `run` is its id in the store, empty where it is not stored.
    """

    status: Status
    output: str | None
    error: str | None
    stages: tuple[str, ...]
    totals: Totals
    hit_a_limit: bool = False
    run: str = ""

    @property
    def exit_code(self) -> int:
        """What a command ends with after this run."""
        if self.status == "error":
            return LIMIT if self.hit_a_limit else FAILED
        return OK if self.status == "complete" else INTERRUPTED
