"""What an agent file says of one region: its kind, its budget, and what it holds at first."""

from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from stagehooks.scripts.outcome import Json

RegionKind = Literal[
    "pinned", "sliding_window", "temporary", "compacting", "clearable", "compact_history", "checklist", "hashmap", "custom"
]
Strategy = Literal["per_item", "bulk", "compact"]
Admission = Literal["evict", "reject"]
Volatility = Literal["stable", "grows", "rewritten"]

DEFAULT_TOKENS: Final = 5000
COMPACT_AT: Final = 80.0


@dataclass(frozen=True, slots=True)
class LiteralSeed:
    """seed = { literal = "text" }"""

    text: str


@dataclass(frozen=True, slots=True)
class CallerSeed:
    """seed = "task_input" (key "task"), "input" (the region's name) or { caller = "key" }: text that the caller gives."""

    key: str


@dataclass(frozen=True, slots=True)
class FilesSeed:
    """seed = { files = ["a", "b"] }: what these files of the work directory hold."""

    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GlobSeed:
    """seed = { glob = "src/**/*.py" }: what the matching files of the work directory hold."""

    pattern: str


@dataclass(frozen=True, slots=True)
class ScriptSeed:
    """seed = { rhai = "plan.rhai" }: what this script of the work directory evaluates to."""

    path: str


@dataclass(frozen=True, slots=True)
class CommandSeed:
    """seed = { command = "git log" }: what a shell command prints."""

    command: str


@dataclass(frozen=True, slots=True)
class SeedCall:
    """One call of a tool seed."""

    tool: str
    arguments: Json = field(default=None, hash=False)


@dataclass(frozen=True, slots=True)
class ToolSeed:
    """seed = { tool = "name" } or { tools = ["name", { name = "name", args = { } }], refresh = "each_stage" }"""

    calls: tuple[SeedCall, ...]
    each_stage: bool = False


Seed: TypeAlias = LiteralSeed | CallerSeed | FilesSeed | GlobSeed | ScriptSeed | CommandSeed | ToolSeed


@dataclass(frozen=True, slots=True)
class Budget:
    """budget = "35%" of the model's window: at most `cap` tokens, but at least `floor`, which wins."""

    percent: float
    cap: int | None = None
    floor: int = 1

    def tokens(self, window: int) -> int:
        """The budget for a model that takes `window` tokens."""
        share = int(window * self.percent / 100 + 0.5)
        return max(share if self.cap is None else min(share, self.cap), self.floor)


@dataclass(frozen=True, slots=True)
class Region:
    """[context.regions.NAME]. `max_tokens` is the budget, with a percentage worked out already.

    `max_items`, `strategy`, `overflow` and `compact_count` count only for a sliding window, `threshold` (None where nothing is
    summarised) only for a compacting region, `source_region` for a compact_history, `max_entries` for a hashmap, `script` and
    `persistent` for a custom one. `line` is where the region stands in the agent file, from 1.
    """

    name: str
    kind: RegionKind = "temporary"
    max_tokens: int = DEFAULT_TOKENS
    max_items: int = 10
    admission: Admission = "evict"
    description: str = ""
    describe_in_prompt: bool = False
    seed: Seed | None = None
    budget: Budget | None = None
    strategy: Strategy = "per_item"
    overflow: int = 10
    compact_count: int = 10
    compact_at: float | None = None
    threshold_tokens: int | None = None
    source_region: str = ""
    max_entries: int | None = None
    script: str = ""
    persistent: bool = False
    required: bool = False
    required_message: str = ""
    summarizable: bool = True
    volatility: Volatility = "rewritten"
    line: int = field(default=0, compare=False)

    @property
    def threshold(self) -> int:
        """With how many tokens a compacting region is summarised: the lower of its two bounds, by default 80% of the budget."""
        if self.compact_at is None and self.threshold_tokens is not None:
            return self.threshold_tokens
        share = int(self.max_tokens * (COMPACT_AT if self.compact_at is None else self.compact_at) / 100 + 0.5)
        return share if self.threshold_tokens is None else min(share, self.threshold_tokens)

    @property
    def survives_a_change_of_stage(self) -> bool:
        """Does it keep what it holds over an edge that clears or summarises?"""
        return self.kind in ("pinned", "compact_history", "hashmap") or (self.kind == "custom" and self.persistent)
