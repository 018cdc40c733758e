"""A custom region: one whose script says what the model sees of it, what may be written to it, and what goes when it is full.

A script that fails, or answers something else than it may, never stops a run: the region then does what a plain one would,
and a warning says so. That its script reads properly was made sure before the run began.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from stagehooks.agent import blueprint
from stagehooks.errors import HookError
from stagehooks.models.protocol import AssistantMessage, Message, ToolCall, ToolResult, ToolResults, UserMessage
from stagehooks.run.region import Content, Entry, Region, Text, Turn, size_of
from stagehooks.scripts.calling import Spend, uncounted
from stagehooks.scripts.functions import estimate_tokens
from stagehooks.scripts.outcome import Json
from stagehooks.scripts.region import RegionScript, Rendering, Said, on_overflow, on_write, render
from stagehooks.tools.levels import Level

Warn = Callable[[str], None]
KINDS: Final[dict[type, str]] = {
    Text: "text", UserMessage: "user_message", AssistantMessage: "assistant_turn", ToolResult: "tool_result",
}  # fmt: skip
RESULTS: Final = ("[error]", "[denied]", "[unavailable]", "[blocked]")


@dataclass(frozen=True, slots=True)
class Scene:
    """Where a run stands when its window is shown: the stage, how often its model was asked, which model, the whole window."""

    stage: str = ""
    iterations: int = 0
    model: str = ""
    total_tokens: int = 0
    max_tokens: int = 0


class CustomRegion(Region):
    """A region with a script. `warn` is told what a script did wrong, `spend` what its calls used."""

    def __init__(self, layout: blueprint.Region, script: RegionScript, warn: Warn, spend: Spend = uncounted) -> None:
        super().__init__(layout)
        self._script = script
        self._warn = warn
        self._spend = spend

    def render(self, scene: Scene) -> tuple[tuple[str, ...], tuple[Message, ...]]:
        """What the model sees: system blocks and messages."""
        ctx: dict[str, Json] = {
            "region": self._described(),
            "entries": self._entries(),
            "stage_name": scene.stage,
            "stage_iterations": scene.iterations,
            "model": scene.model,
            "window": {"total_tokens": scene.total_tokens, "max_tokens": scene.max_tokens},
        }
        try:
            rendering = render(self._script, ctx, self._spend)
        except HookError as error:
            self._complain(error, "it is shown as it is")
            return self._plain(), ()
        size = _size(rendering)
        if size > self.layout.max_tokens:
            self._warn(
                f"region '{self.layout.name}': render made {size} tokens, more than its budget of {self.layout.max_tokens}"
            )
        return rendering.system, tuple(message for said in rendering.messages for message in _messages(said))

    def overflow(self, needed: int) -> bool:
        """Let the script name entries to drop so that `needed` tokens become free; did it name any? Turns go as a whole."""
        if not self._script.defines("on_overflow"):
            return False
        left = self._left_by_script(needed)
        dropped = len(left) < len(self._turns)
        self._turns = left
        return dropped

    def prepared(self, text: str, level: Level) -> tuple[Turn, ...]:
        """As for any region; what the region holds already where the script does not take the text."""
        turns = super().prepared(text, level)
        return turns if turns or not text else self.turns

    def _admitted(self, turn: Turn) -> Turn:
        if not self._script.defines("on_write"):
            return turn
        return tuple(entry for asked in turn if (entry := self._written(asked)) is not None)

    def _written(self, entry: Entry) -> Entry | None:
        seen: dict[str, Json] = {"content": entry.content.text, "kind": KINDS[type(entry.content)], "tokens": entry.tokens}
        try:
            answer = on_write(self._script, {"region": self._described(), "entry": seen}, self._spend)
        except HookError as error:
            self._complain(error, "the entry is taken as it is")
            return entry
        if isinstance(answer, str):
            return replace(entry, content=_with_text(entry.content, answer))
        return entry if answer else None

    def _make_room(self, size: int) -> None:
        # Drops nothing unless that makes room enough: the write is refused then, and nothing may be lost for it.
        self._refuse_when_full()
        if self._script.defines("on_overflow"):
            left = self._left_by_script(self.tokens + size - self.layout.max_tokens)
            if size_of(left) + size <= self.layout.max_tokens:
                self._turns = left

    def _left_by_script(self, needed: int) -> list[Turn]:
        ctx: dict[str, Json] = {"region": self._described(), "entries": self._entries(), "needed_tokens": needed}
        try:
            places = on_overflow(self._script, ctx, len(self.entries), self._spend)
        except HookError as error:
            self._complain(error, "its answer is not used")
            return list(self._turns)
        left: list[Turn] = []
        first = 0
        for turn in self._turns:
            if not any(first <= place < first + len(turn) for place in places):
                left.append(turn)
            first += len(turn)
        return left

    def _plain(self) -> tuple[str, ...]:
        return (f"[{self.layout.name}]:\n{self.text}",) if self._turns else ()

    def _complain(self, error: HookError, instead: str) -> None:
        self._warn(f"region '{self.layout.name}': {error.message}; {instead}")

    def _described(self) -> Json:
        return {
            "name": self.layout.name,
            "budget": self.layout.max_tokens,
            "current_tokens": self.tokens,
            "entry_count": len(self.entries),
        }

    def _entries(self) -> list[Json]:
        return [_entry(entry, place) for place, entry in enumerate(self.entries)]


def _entry(entry: Entry, place: int) -> Json:
    """One entry as a script sees it. Its time is its place: scripts must not depend on the clock."""
    content = entry.content
    seen: dict[str, Json] = {
        "content": content.text,
        "tokens": entry.tokens,
        "timestamp": place,
        "key": entry.key or None,
        "kind": KINDS[type(content)],
    }
    if isinstance(content, AssistantMessage):
        seen["tool_calls"] = [{"id": call.id, "name": call.name, "arguments": call.arguments} for call in content.tool_calls]
    if isinstance(content, ToolResult):
        seen |= {"tool_call_id": content.call_id, "tool_name": content.tool, "is_error": content.text.startswith(RESULTS)}
    return seen


def _with_text(content: Content, text: str) -> Content:
    return replace(content, text=text)


def _size(rendering: Rendering) -> int:
    texts = [*rendering.system, *(said.content for said in rendering.messages)]
    texts += [result.content for said in rendering.messages for result in said.results]
    return sum(estimate_tokens(text) for text in texts)


def _messages(said: Said) -> list[Message]:
    """One message of a script; results with a text beside them are two."""
    if said.role == "assistant":
        calls = tuple(ToolCall(call.id, call.name, {} if call.arguments is None else call.arguments) for call in said.calls)
        return [AssistantMessage(said.content, calls)] if said.content.strip() or calls else []
    results: list[Message] = []
    if said.results:
        results.append(ToolResults(tuple(ToolResult(result.call_id, "", result.content) for result in said.results)))
    return [*results, UserMessage(said.content)] if said.content.strip() else results
