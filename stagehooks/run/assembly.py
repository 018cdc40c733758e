"""What a model gets to see of a window: blocks of the system prompt, and messages. Hidden and empty regions are left out."""

from stagehooks.models.protocol import AssistantMessage, Message, ToolResult, ToolResults, UserMessage
from stagehooks.run.region import Region, Text, Turn
from stagehooks.run.window import Window


def assemble(window: Window) -> tuple[tuple[str, ...], tuple[Message, ...]]:
    """The system blocks and the messages; the messages are never none, and the last is never the assistant's."""
    shown = [region for region in window.regions if region.entries and not region.hidden]
    system = tuple(_block(region) for region in shown if region.layout.kind != "sliding_window")
    spoken = [region for region in shown if region.layout.kind == "sliding_window"]
    messages = [message for region in spoken for turn in region.turns for message in _messages(turn)]
    if all(isinstance(message, AssistantMessage) for message in messages):
        messages.append(UserMessage("Begin."))
    if isinstance(messages[-1], AssistantMessage):
        messages.append(UserMessage("Continue."))
    return system, tuple(messages)


def _block(region: Region) -> str:
    layout = region.layout
    texts = [entry.content.text for entry in region.entries]
    if layout.kind != "pinned":
        return f"[{layout.name}]:\n" + "\n".join(texts)
    described = [layout.description] if layout.describe_in_prompt and layout.description else []
    return f"## {layout.name}\n" + "\n\n".join(described + texts)


def _messages(turn: Turn) -> list[Message]:
    """The messages of one turn of a sliding window; a blank one says nothing."""
    content = turn[0].content
    results = tuple(entry.content for entry in turn if isinstance(entry.content, ToolResult))
    messages: list[Message] = []
    if isinstance(content, Text):
        content = _spoken(content.text)
    if not isinstance(content, ToolResult) and (content.text.strip() or results):
        messages.append(content)
    if results:
        messages.append(ToolResults(results))
    return messages


def _spoken(text: str) -> UserMessage | AssistantMessage:
    """A plain text may say who speaks; who does not is the user."""
    speaker, colon, said = text.partition(": ")
    if colon and speaker == "Assistant":
        return AssistantMessage(said)
    return UserMessage(said if colon and speaker == "User" else text)
