"""What an agent holds: all its regions. Knows nothing of hooks: whoever writes says how confidential the text is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from stagehooks.agent import blueprint
from stagehooks.errors import WindowError
from stagehooks.models.protocol import AssistantMessage, ToolCall, ToolResult, UserMessage
from stagehooks.run.custom import CustomRegion, Warn
from stagehooks.run.kinds import Checklist, HashMap, SlidingWindow
from stagehooks.run.region import Entry, Region, cut, size_of, tokens_of
from stagehooks.scripts.calling import Spend, uncounted
from stagehooks.scripts.functions import estimate_tokens
from stagehooks.scripts.region import RegionScript
from stagehooks.tools.levels import Level

CONVERSATION: Final = blueprint.Region("conversation", "sliding_window", max_tokens=10_000, max_items=50)
TOOL_RESULTS: Final = blueprint.Region("tool_results", "temporary", max_tokens=5000)
FINAL_OUTPUT: Final = blueprint.Region("final_output", "pinned", max_tokens=2000)
INSTRUCTIONS: Final = "stage_instructions"
ALWAYS_SHOWN: Final = frozenset({CONVERSATION.name, TOOL_RESULTS.name, FINAL_OUTPUT.name, INSTRUCTIONS})
WORTH_CUTTING: Final = 16
"""With fewer tokens of room a piece of a result says nothing."""
NO_ROOM: Final = ("[tool result truncated - context window full]", "[result omitted]")


class Window:
    """All regions of a run, in the order in which they were first declared.

    `prompts` are those of all stages, `scripts` those of custom regions by their path; `warn` is told what a script did wrong,
    `spend` what its calls used.
    """

    def __init__(
        self,
        prompts: Iterable[str] = (),
        scripts: Mapping[str, RegionScript] | None = None,
        warn: Warn = lambda _: None,
        spend: Spend = uncounted,
    ) -> None:
        self._regions: dict[str, Region] = {}
        self._scripts = scripts or {}
        self._warn = warn
        self._spend = spend
        widest = max((estimate_tokens(instruction(prompt)) for prompt in prompts if prompt), default=0)
        implicit = (CONVERSATION, TOOL_RESULTS, FINAL_OUTPUT)
        self._implicit = (*implicit, blueprint.Region(INSTRUCTIONS, "pinned", widest)) if widest else implicit

    @property
    def regions(self) -> tuple[Region, ...]:
        """Every region, hidden ones too."""
        return tuple(self._regions.values())

    @property
    def tokens(self) -> int:
        """What all regions hold together."""
        return sum(region.tokens for region in self.regions)

    @property
    def shown(self) -> tuple[Region, ...]:
        """The regions that the model gets to see."""
        return tuple(region for region in self.regions if not region.hidden)

    @property
    def level(self) -> Level:
        """The level of the most confidential region, hidden ones too."""
        return max((region.level for region in self.regions), default=Level.PUBLIC)

    def region(self, name: str) -> Region:
        """The region called `name`, or WindowError."""
        if name not in self._regions:
            raise WindowError(f"Region not found: {name}")
        return self._regions[name]

    def texts(self) -> dict[str, str]:
        """The text of every region by name, hidden ones too."""
        return {name: region.text for name, region in self._regions.items()}

    def tainted(self, above: Level) -> tuple[str, ...]:
        """The regions that are more confidential than `above`."""
        return tuple(region.layout.name for region in self.regions if region.level > above)

    def lay_out(self, declared: Iterable[blueprint.Region]) -> tuple[Region, ...]:
        """Take on a stage's layout and return the regions that are new.

        Declared regions keep what still fits; the others stay, hidden, but for the implicit ones.
        """
        layouts = {layout.name: layout for layout in self._implicit if layout.name not in self._regions}
        layouts |= {layout.name: layout for layout in declared}
        new = [name for name in layouts if name not in self._regions]
        for region in self.regions:
            region.hidden = region.layout.name not in ALWAYS_SHOWN
        ordered = sorted(layouts.values(), key=lambda layout: layout.name in ALWAYS_SHOWN)
        for layout in ordered:
            held = self._regions.get(layout.name)
            self._regions[layout.name] = self._laid_out(layout, held)
        return tuple(self._regions[name] for name in new)

    def _laid_out(self, layout: blueprint.Region, held: Region | None) -> Region:
        if held is None:
            return self._made(layout)
        if held.layout != layout:
            return held.reshaped(self._made(layout))
        held.hidden = False
        return held

    def _made(self, layout: blueprint.Region) -> Region:
        if layout.kind == "custom" and layout.script in self._scripts:
            return CustomRegion(layout, self._scripts[layout.script], self._warn, self._spend)
        kind = {"sliding_window": SlidingWindow, "hashmap": HashMap, "checklist": Checklist}.get(layout.kind, Region)
        return kind(layout)

    def write(self, texts: Mapping[str, str], level: Level) -> None:
        """Replace what the named regions hold. All are checked before the first is written: all or nothing."""
        prepared = {}
        for name in sorted(texts):
            if name not in self._regions:
                raise WindowError(f"no region '{name}' in this stage's layout")
            try:
                prepared[name] = self._regions[name].prepared(texts[name], level)
            except WindowError as error:
                raise WindowError(f"writing region '{name}': {error.message}") from None
        for name, turns in prepared.items():
            self._regions[name].hold(turns)

    def instruct(self, prompt: str) -> None:
        """Make `prompt` the instructions of the current stage; an empty one leaves none."""
        if prompt or INSTRUCTIONS in self._regions:
            region = self.region(INSTRUCTIONS)
            try:
                region.replace(instruction(prompt) if prompt else "", Level.PUBLIC)
            except WindowError as error:
                raise WindowError(
                    f"stage system prompt (~{estimate_tokens(instruction(prompt))} tokens) does not fit context region "
                    f"'{INSTRUCTIONS}': {error.message}. Increase that region's max_tokens (or shorten the prompt)."
                ) from None

    def say(self, content: UserMessage | AssistantMessage, level: Level = Level.PUBLIC) -> None:
        """Add one message to the conversation, cut where it is too long; a blank one says nothing."""
        region = self.region(CONVERSATION.name)
        text = cut(content.text, region.layout.max_tokens)
        if text.strip():
            region.add((Entry(replace(content, text=text), level),))

    def record(self, message: Entry, results: Sequence[Entry]) -> None:
        """Add an assistant's message and the results of its tool calls to the conversation, cutting what does not fit."""
        region = self.region(CONVERSATION.name)
        shorter = _cut_message(message, region.layout.max_tokens)
        room = region.layout.max_tokens - shorter.tokens
        turn = [shorter]
        for left, result in zip(range(len(results), 0, -1), results, strict=True):
            turn.append(_cut_result(result, room // left))
            room -= turn[-1].tokens
        if size_of([tuple(turn)]) > region.layout.max_tokens:
            turn = [_without_calls(message, len(results), region.layout.max_tokens)]
        region.add(tuple(turn))

    def clear_stage_specific(self) -> None:
        """Empty every region but those that survive a change of stage: the pinned ones and their like."""
        for region in self.regions:
            if not region.layout.survives_a_change_of_stage:
                region.clear()


def instruction(prompt: str) -> str:
    """A stage's prompt as it stands in its region."""
    return f"[Stage instructions: {prompt}]"


def _cut_message(entry: Entry, budget: int) -> Entry:
    """`entry`, or what fits into `budget` of it: no more than half is for tool calls, the text gets what they leave.

    The calls were made as they are; only the model's memory of them is shorter.
    """
    message = entry.content
    if entry.tokens <= budget or not isinstance(message, AssistantMessage):
        return entry
    share = budget // (2 * len(message.tool_calls) or 1)
    calls = tuple(_cut_call(call, share) for call in message.tool_calls)
    left = max(budget - sum(tokens_of(call) for call in calls), 0)
    return Entry(AssistantMessage(cut(message.text, left), calls), entry.level)


def _without_calls(entry: Entry, count: int, budget: int) -> Entry:
    """What the model remembers of a turn with so many calls that not even their names fit into `budget`."""
    text = cut(f"[{count} tool calls and their results are left out: there is no room for them]\n{entry.content.text}", budget)
    return Entry(AssistantMessage(text), entry.level)


def _cut_call(call: ToolCall, room: int) -> ToolCall:
    """`call`, or one with shorter texts in its arguments, or with none at all."""
    if tokens_of(call) <= room:
        return call
    arguments = call.arguments if isinstance(call.arguments, dict) else {}
    each = room // (2 * len(arguments) or 1)
    shorter = {name: cut(value, each) if isinstance(value, str) else value for name, value in arguments.items()}
    cut_call = ToolCall(call.id, call.name, {**shorter})
    return cut_call if tokens_of(cut_call) <= room else ToolCall(call.id, call.name, {})


def _cut_result(entry: Entry, room: int) -> Entry:
    """`entry`, or as much of it as fits into `room` tokens, or else a word that it was left out."""
    if entry.tokens <= room or not isinstance(entry.content, ToolResult):
        return entry
    if room >= WORTH_CUTTING:
        text = cut(entry.content.text, room)
    else:
        text = next((notice for notice in NO_ROOM if estimate_tokens(notice) <= room), "")
    return Entry(replace(entry.content, text=text), entry.level)
