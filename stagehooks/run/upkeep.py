"""Making room in a window: before a model is asked for a turn, and on the way from one stage to the next.

Regions that have grown past their threshold are summarised by the stage's own model; where the whole comes near to what may be
held, the regions that can spare something give it up, in a fixed order. A summary that cannot be had leaves its region as it is.
"""

from collections.abc import Iterable
from typing import Final

from stagehooks.agent.blueprint import Compaction, Stage, Transition
from stagehooks.errors import ModelError, WindowError
from stagehooks.models.protocol import AssistantMessage, ToolResult, UserMessage
from stagehooks.run.custom import CustomRegion
from stagehooks.run.events import RegionChange, RegionChanged, Warned
from stagehooks.run.inference import Inference
from stagehooks.run.region import Entry, Region, Text, Turn, cut, size_of
from stagehooks.run.tally import Tally
from stagehooks.run.window import WORTH_CUTTING, Window
from stagehooks.scripts.json_text import dump

FULL: Final = 0.9
"""The part of the window from which on room is made."""
SPARED: Final = 10
"""One part in so many is made free."""
SUMMARY_PROMPT: Final = (
    "You shorten the working memory of an agent. Summarise what follows so that the agent can go on with its work: facts, "
    "decisions, names, numbers, paths, open questions. Leave out what is of no use any more. Answer with the summary alone."
)
SUMMARY: Final = "[Summary of what was here before]\n"


class Upkeep:
    """Keeps the window of one run in shape. `compaction` is what the agent file says of it."""

    def __init__(self, window: Window, inference: Inference, compaction: Compaction | None, tally: Tally) -> None:
        self._window = window
        self._inference = inference
        self._declared = compaction is not None
        self._compaction = compaction or Compaction()
        self._tally = tally
        self._failed: set[str] = set()
        """The regions of which the current stage could get no summary: it is asked for no more."""

    async def before_inference(self, stage: Stage) -> None:
        """Make room for the next turn of `stage`. WindowError where what must stay is more than the model takes."""
        for region in self._window.shown:
            if region.stale and region.layout.name not in self._failed:
                await self._summarise(stage, region, len(region.stale))
        self._relieve(stage)

    async def on_the_way(self, stage: Stage, edge: Transition) -> None:
        """Do to the regions what `edge`, which leads out of `stage`, says."""
        self._failed.clear()
        changing = [region for region in self._window.regions if not region.layout.survives_a_change_of_stage]
        names = [region.layout.name for region in changing]
        clear: Iterable[str] = edge.clear
        compact: Iterable[str] = edge.compact
        if edge.transform == "clear":
            clear = names
        if edge.transform in ("compact", "summarize"):
            compact = [region.layout.name for region in changing if region.layout.summarizable and not region.hidden]
        for region in changing:
            if region.layout.name in clear and region.entries:
                before = region.tokens
                region.clear()
                self._tell(stage, region, "cleared", before)
            elif region.layout.name in compact and region.entries:
                await self._summarise(stage, region, len(region.turns), edge.compact_prompt)

    # --- summaries --------------------------------------------------------------------------------------------------------

    async def _summarise(self, stage: Stage, region: Region, count: int, prompt: str = "") -> None:
        """Put a summary in the place of the `count` oldest turns of `region`, or of its history where it has one."""
        turns, before = region.turns[:count], region.tokens
        history = self._history(region)
        room = self._room(region, count) if history is None else history.layout.max_tokens - history.tokens
        if room < WORTH_CUTTING:
            self._give_up(stage, region, "there is no room for a summary")
            return
        try:
            said = await self._inference.summary(stage, self._prompt(prompt), transcript(turns), self._limited(room))
        except ModelError as error:
            self._give_up(stage, region, error.message)
            return
        if not said.strip():
            self._give_up(stage, region, "the summary is empty")
            return
        level = max(entry.level for turn in turns for entry in turn)
        if history is None:
            region.summarise(count, (Entry(Text(cut(SUMMARY + said.strip(), room)), level),))
        else:
            history.add((Entry(Text(cut(said.strip(), room)), level),))
            region.summarise(count, ())
        self._tell(stage, region, "summarised", before)

    def _history(self, region: Region) -> Region | None:
        return next(
            (
                other
                for other in self._window.shown
                if other.layout.kind == "compact_history" and other.layout.source_region == region.layout.name
            ),
            None,
        )

    def _room(self, region: Region, count: int) -> int:
        """What a summary in the region itself may take: so little that it is not summarised again at once."""
        layout = region.layout
        room = layout.max_tokens - size_of(region.turns[count:])
        return min(room, layout.threshold // 2) if layout.kind == "compacting" else min(room, layout.max_tokens // 2)

    def _prompt(self, more: str) -> str:
        return "\n\n".join(part for part in (self._compaction.system_prompt or SUMMARY_PROMPT, more) if part)

    def _limited(self, room: int) -> Compaction:
        asked = self._compaction
        return Compaction(min(asked.max_summary_tokens, room), asked.temperature, asked.system_prompt)

    def _give_up(self, stage: Stage, region: Region, why: str) -> None:
        self._failed.add(region.layout.name)
        self._tally.take(Warned(stage.name, f"region '{region.layout.name}' was not summarised: {why}"))

    # --- the whole window -------------------------------------------------------------------------------------------------

    def _relieve(self, stage: Stage) -> None:
        shown = self._window.shown
        budgets = sum(region.layout.max_tokens for region in shown)
        limit = min(stage.model.window, budgets)
        held = sum(region.tokens for region in shown)
        if (budgets <= stage.model.window and not self._declared) or held < FULL * limit:
            return
        kept = sum(region.tokens for region in shown if region.layout.survives_a_change_of_stage)
        if kept > limit:
            raise WindowError(f"Pinned regions ({kept}) exceed total budget ({limit})")
        before = {region.layout.name: region.tokens for region in shown}
        _free([region for region in shown if region.layout.admission == "evict"], max(limit // SPARED, held - limit))
        _fit([region for region in shown if region.layout.kind == "sliding_window"], shown, limit)
        for region in shown:
            if region.tokens < before[region.layout.name]:
                self._tell(stage, region, "freed", before[region.layout.name])
        left = sum(region.tokens for region in shown)
        if left > limit:
            text = f"the context is about {left} tokens, more than the {limit} that the model takes, and nothing of it may go"
            self._tally.take(Warned(stage.name, text))

    def _tell(self, stage: Stage, region: Region, what: RegionChange, before: int) -> None:
        self._tally.take(RegionChanged(stage.name, region.layout.name, what, before, region.tokens))


def _free(regions: list[Region], needed: int) -> None:
    """Free `needed` tokens, or as many as can be had: clearable regions, then what scripts give up, then the oldest entries."""
    goal = sum(region.tokens for region in regions) - needed

    def missing() -> int:
        return sum(region.tokens for region in regions) - goal

    for region in regions:
        if region.layout.kind == "clearable" and missing() > 0:
            region.clear()
    for region in regions:
        if isinstance(region, CustomRegion) and not region.layout.persistent and missing() > 0:
            region.overflow(missing())
    for region in regions:
        if region.layout.kind == "temporary" or (region.layout.kind == "custom" and not region.layout.persistent):
            while region.turns and missing() > 0:
                region.drop_oldest()


def _fit(conversations: list[Region], shown: tuple[Region, ...], limit: int) -> None:
    """Drop the oldest turns of conversations as long as the whole is more than a model takes: it would answer nothing at all."""
    for region in conversations:
        while len(region.turns) > 1 and sum(other.tokens for other in shown) > limit:
            region.drop_oldest()


def transcript(turns: Iterable[Turn]) -> str:
    """What `turns` say, for a reader who was not there."""
    return "\n".join(line for turn in turns for entry in turn for line in _lines(entry))


def _lines(entry: Entry) -> list[str]:
    content = entry.content
    match content:
        case UserMessage(text):
            return [f"User: {text}"]
        case ToolResult(_, tool, text):
            return [f"Result of {tool}: {text}"]
        case AssistantMessage(text, calls):
            said = [f"Assistant: {text}"] if text.strip() else []
            return said + [f"Assistant calls {call.name} {dump(call.arguments)}" for call in calls]
        case Text(text):
            return [f"{entry.key}: {text}" if entry.key else text]
