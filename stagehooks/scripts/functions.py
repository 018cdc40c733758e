"""The functions that every stage script has beside Rhai's own: texts, formats, tokens, regions.

They take the place of standard functions of the same signature. The ones that differ from those: `trim` returns the trimmed
text and changes nothing, `is_empty` takes blanks for empty.
"""

from rhaipy import WHITE_SPACE, Caller, Package, Value, display_text, function
from rhaipy.typings import Final
from stagehooks.scripts import json_text
from stagehooks.scripts.json_text import I64_MAX, I64_MIN

HOOK_FUNCTIONS: Final[Package] = []
MERMAID: Final = ("graph", "sequenceDiagram", "classDiagram", "stateDiagram", "erDiagram", "flowchart")
FORMATS: Final = ("text", "json", "mermaid", "markdown", "code")


def estimate_tokens(text: str) -> int:
    """How many tokens a model is likely to count in `text`: one for four bytes of UTF-8, begun ones in full."""
    return (len(text.encode("utf-8", "surrogatepass")) + 3) // 4


# --- texts ----------------------------------------------------------------------------------------------------------------


@function(HOOK_FUNCTIONS, "contains")
def contains(caller: Caller, text: str, part: str) -> bool:
    """Is `part` somewhere in `text`?"""
    _scanned(caller, text)
    return part in text


@function(HOOK_FUNCTIONS, "starts_with")
def starts_with(caller: Caller, text: str, part: str) -> bool:
    """Does `text` begin with `part`?"""
    _scanned(caller, part)
    return text.startswith(part)


@function(HOOK_FUNCTIONS, "ends_with")
def ends_with(caller: Caller, text: str, part: str) -> bool:
    """Does `text` end with `part`?"""
    _scanned(caller, part)
    return text.endswith(part)


@function(HOOK_FUNCTIONS, "trim")
def trim(caller: Caller, text: str) -> str:
    """`text` without white space at both ends"""
    return _trimmed(caller, text)


@function(HOOK_FUNCTIONS, "is_empty")
def is_empty(caller: Caller, text: str) -> bool:
    """Is there nothing in `text` but white space?"""
    return not _trimmed(caller, text)


@function(HOOK_FUNCTIONS, "split")
def split(caller: Caller, text: str, separator: str) -> list[Value]:
    """The parts of `text` between separators; an empty separator stands before, between and behind all characters"""
    _scanned(caller, text)
    count = text.count(separator) + (1 if separator else 2)
    caller.meter.array(count, caller.at)
    caller.meter.charge(count >> 2, caller.at)
    caller.meter.allocate(len(text) + 60 * count, caller.at)
    if separator:
        return [*text.split(separator)]
    return ["", *text, ""]


@function(HOOK_FUNCTIONS, "join")
def join(caller: Caller, items: list[Value], separator: str) -> str:
    """The items as texts, with `separator` between them"""
    parts: list[str] = []
    size = 0
    for item in items:
        part = display_text(item, caller.meter)
        size += len(part) + len(separator)
        caller.meter.charge(1 + (len(part) >> 8), caller.at)
        caller.meter.string(size - len(separator), caller.at)
        parts.append(part)
    return separator.join(parts)


@function(HOOK_FUNCTIONS, "count_tokens")
def count_tokens(caller: Caller, text: str) -> int:
    """How many tokens a model is likely to count in `text`"""
    _scanned(caller, text)
    return estimate_tokens(text)


# --- formats --------------------------------------------------------------------------------------------------------------


@function(HOOK_FUNCTIONS, "is_json")
def is_json(caller: Caller, text: str) -> bool:
    """Is `text` one JSON document?"""
    caller.meter.charge(len(text) >> 3, caller.at)
    try:
        json_text.parse(text)
    except ValueError:
        return False
    return True


@function(HOOK_FUNCTIONS, "is_mermaid")
def is_mermaid(caller: Caller, text: str) -> bool:
    """Does `text` name one of Mermaid's kinds of diagram?"""
    for _ in MERMAID:
        _scanned(caller, text)
    return any(kind in text for kind in MERMAID)


@function(HOOK_FUNCTIONS, "is_markdown")
def is_markdown(text: str) -> bool:
    """Is there any text at all? Every text is Markdown"""
    return text != ""


@function(HOOK_FUNCTIONS, "content_format")
def content_format(name: str) -> str:
    """`name`, if it is a format of contents, else "text" """
    return name if name in FORMATS else "text"


# --- regions --------------------------------------------------------------------------------------------------------------


@function(HOOK_FUNCTIONS, "region_pinned")
def region_pinned() -> str:
    """The kind of a region that keeps everything"""
    return "pinned"


@function(HOOK_FUNCTIONS, "region_temporary")
def region_temporary() -> str:
    """The kind of a region that drops its oldest entries"""
    return "temporary"


@function(HOOK_FUNCTIONS, "region_clearable")
def region_clearable() -> str:
    """The kind of a region that is emptied first when room is needed"""
    return "clearable"


@function(HOOK_FUNCTIONS, "region_sliding_window")
def region_sliding_window(max_items: int) -> dict[str, Value]:
    """The kind of a region that keeps its last entries"""
    return {"kind": "sliding_window", "max_items": max_items}


@function(HOOK_FUNCTIONS, "region_compacting")
def region_compacting(threshold_tokens: int) -> dict[str, Value]:
    """The kind of a region that is summarised when it grows"""
    return {"kind": "compacting", "threshold_tokens": threshold_tokens}


@function(HOOK_FUNCTIONS, "region_custom")
def region_custom(script: str, persistent: bool) -> dict[str, Value]:
    """The kind of a region that a script renders"""
    return {"kind": "custom", "persistent": persistent, "script": script}


@function(HOOK_FUNCTIONS, "region_entry")
def region_entry(content: str, tokens: int) -> dict[str, Value]:
    """One entry of a region"""
    return {"content": content, "tokens": tokens}


# --- budgets --------------------------------------------------------------------------------------------------------------


@function(HOOK_FUNCTIONS, "tokens_remaining")
def tokens_remaining(most: int, current: int) -> int:
    """What is left of a budget, below zero when it is overdrawn"""
    return max(I64_MIN, min(I64_MAX, most - current))


@function(HOOK_FUNCTIONS, "usage_ratio")
def usage_ratio(most: int, current: int) -> float:
    """How much of a budget is used, from 0.0; an empty budget is used up"""
    return float(current) / float(most) if most else 1.0


@function(HOOK_FUNCTIONS, "needs_eviction")
def needs_eviction(most: int, current: int, threshold: float) -> bool:
    """Is at least the part `threshold` of a budget used?"""
    return not most or float(current) / float(most) >= threshold


def _trimmed(caller: Caller, text: str) -> str:
    _scanned(caller, text)
    trimmed = text.strip(WHITE_SPACE)
    caller.meter.charge(len(text) - len(trimmed) >> 5, caller.at)
    return trimmed


def _scanned(caller: Caller, text: str) -> None:
    caller.meter.charge(len(text) >> (8 if text.isascii() else 5), caller.at)
