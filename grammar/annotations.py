"""What stands beside the rules of rhai.lark: levels (`//^`), messages (`//!`) and rules that no default reduces (`//-`)."""

import re
from dataclasses import dataclass, field
from typing import Final

URGENT_FOR_ALL: Final = "*"

_RULE: Final = re.compile(r"\??(\w+)(?:\{\w+\})?:")
_MESSAGE: Final = re.compile(
    r'(?P<after>\.?)(?P<symbol>"[^"]+"|\w+)(?P<urgent>!)?(?P<kinds>(?: (?:"[^"]+"|\w+))*): (?P<cases>.+)'
)
_CASE: Final = re.compile(r'(?:(?P<when>\$eof|id|lex|parameter)(?:$| ))?(?P<what>"[^"]+"|\w+)?$')


@dataclass(frozen=True)
class Message:
    """What to say where no token fits: the first of `cases` (when, what) that applies. `urgent` are kinds of tokens."""

    rule: str
    symbol: str
    bound: bool
    urgent: tuple[str, ...]
    cases: tuple[tuple[str, str], ...]
    line: str


@dataclass
class Annotations:
    """All annotations of a grammar."""

    levels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    messages: list[Message] = field(default_factory=list)
    never_by_default: set[str] = field(default_factory=set)


def annotations(text: str) -> Annotations:
    """The annotations in the grammar `text`; ValueError for a line that is none."""
    found, rule = Annotations(), ""
    for line in text.split("\n"):
        mark, body = line[:4], line[4:].strip()
        if heading := _RULE.match(line):
            rule = heading[1]
        elif mark == "//^ ":
            symbol, *where = body.split()
            found.levels[symbol] = _places(where)
        elif mark == "//! ":
            found.messages.append(_message(rule, body))
        elif mark == "//- ":
            found.never_by_default.add(body)
    return found


def plain(symbol: str) -> str:
    """The name of a symbol as the grammar's text has it: without quotes, without the arguments of its template."""
    return re.sub(r"(?<=\w)\{.*", "", symbol.strip('"'))


def _places(where: list[str]) -> tuple[str, ...]:
    """One entry for each level: "tok", "tok!", or the symbols to look for on the stack, separated by blanks."""
    if where[0].startswith("tok"):
        return tuple(where)
    return (" ".join(plain(symbol) for symbol in where),)


def _message(rule: str, body: str) -> Message:
    parts = _MESSAGE.fullmatch(body)
    if parts is None:
        raise ValueError(f"no message: {body}")
    kinds = tuple(plain(kind) for kind in re.findall(r'"[^"]+"|\w+', parts["kinds"]))
    cases = tuple(_case(case) for case in parts["cases"].split(" | "))
    if bool(parts["urgent"]) != bool(kinds):
        raise ValueError(f"an urgent message, and only that, names kinds of tokens: {body}")
    return Message(rule, plain(parts["symbol"]), bool(parts["after"]), kinds, cases, f"{rule}: {body}")


def _case(case: str) -> tuple[str, str]:
    parts = _CASE.match(case)
    if parts is None:
        raise ValueError(f"no case of a message: {case}")
    return parts["when"] or "", (parts["what"] or "").strip('"')
