"""What the targets are given: pieces of what is known to be read, changed at random. Each follows from a seed and a number."""

import random
from collections.abc import Callable
from functools import cache
from typing import Final

from conformance import cases
from tests.attacks import rows, runtime_rows
from tests.attacks.children import ROOT

LONGEST: Final = 20_000
TEXTS: Final = r"""
( ) [ ] { } #{ ${ ` " ' \ // /* */ /// | || && ! ? ?. ?? ; , : :: .. ..= = == => -> += ** << >> % @ # $ ~ ^ _ . - + * /
let const fn if else while loop for in do until switch case return break continue throw try catch import export as this is global
private Fn call curry eval type_of print true false () 0 1 -1 9223372036854775807 -9223372036854775808 1e308 1.5 0x 0b1 0o7
nan inf #!/ \u \x \U{ \ud800 \n \0 __class__ self None ctx
[agent] [[a]] [stages.main] [stages.main.hooks] name = \"\" on_error true 2026-11-30 1979-05-27T07:32:00Z a.b.c kind max_tokens
{"choices": {"content": null "type" "text" "tool_calls" "function" "arguments" "usage" "error" "outcome" "value" "operations" [[[[
HTTP/1.1 200 Content-Length: Transfer-Encoding: chunked http:// https://[::1] %00 127.0.0.1 :99999
"""
BYTES: Final = [
    b"\r\n",
    b"\n",
    b"\x00",
    b"\xff",
    b"\xed\xa0\x80",
    b" ",
    b"\t",
    *[character.encode() for character in "é\u202e\U0001f600\ufeff"],
]
WORDS: Final = [*[word.encode() for word in TEXTS.split()], *BYTES, b'"""', b"'''"]
TOML: Final = ("agent", "toml")
SCRIPTS: Final = ("compile", "expression", "tool")
TREES: Final = ("call", "call_fn")
SEEDS: Final = 200
"""Strings of bytes that trees are made of; there is nothing to know of them."""


@cache
def seeds(target: str) -> tuple[bytes, ...]:
    """What is known to be read by that target, or nearly."""
    if target in SCRIPTS:
        found = [attack.source.encode("utf-8", "surrogatepass") for attack in rows.written()]
        found += [str(case.request["src"]).encode("utf-8", "surrogatepass") for case in cases.load()]
    elif target in TOML:
        found = [path.read_bytes() for path in sorted((ROOT / "examples").rglob("*.toml"))]
        found += [_hex(content) for attack in runtime_rows.written() for content in attack.given.get("files", {}).values()]
    elif target in TREES:
        found = [random.Random(number).randbytes(2 + number) for number in range(SEEDS)]
    else:
        found = [_hex(attack.given["sends"]) for attack in runtime_rows.written() if attack.what == "server"]
        found += [sent.partition(b"\r\n\r\n")[2] for sent in found]
        found += [
            b'{"outcome": "modify", "value": [1, "a"], "operations": 1, "fuel": 1}\n',
            b'{"error": "answer", "text": "x"}\n',
        ]
        found += [
            b'{"type": "object", "properties": {"a": {"type": "string", "pattern": "^a+$"}}}',
            b"https://example.org:8080/v1",
        ]
    return tuple(data for data in found if len(data) < LONGEST)


def _hex(content: str) -> bytes:
    return bytes.fromhex(content)


def made(target: str, seed: int, number: int) -> bytes:
    """The input `number` of that seed for the target."""
    chance = random.Random(f"{target} {seed} {number}")
    known = seeds(target)
    data = bytearray(chance.choice(known))
    if chance.random() < 0.05:
        data = bytearray(b" ".join(chance.choices(WORDS, k=chance.randrange(1, 60))))
    for _ in range(chance.choice((1, 1, 2, 3, 5, 8, 20))):
        change = chance.choice(CHANGES)
        change(chance, data, known)
    return bytes(data[: 5 * LONGEST])


def _place(chance: random.Random, data: bytearray) -> tuple[int, int]:
    start = chance.randrange(len(data) + 1)
    return start, min(len(data), start + chance.choice((1, 1, 2, 4, 8, 30, 200)))


def _drop(chance: random.Random, data: bytearray, known: tuple[bytes, ...]) -> None:
    start, end = _place(chance, data)
    del data[start:end]


def _double(chance: random.Random, data: bytearray, known: tuple[bytes, ...]) -> None:
    start, end = _place(chance, data)
    data[end:end] = data[start:end]


def _repeat(chance: random.Random, data: bytearray, known: tuple[bytes, ...]) -> None:
    start, end = _place(chance, data)
    data[end:end] = data[start:end] * min(chance.choice((10, 70, 150, 1000)), LONGEST // max(1, end - start))


def _word(chance: random.Random, data: bytearray, known: tuple[bytes, ...]) -> None:
    start, _ = _place(chance, data)
    data[start:start] = chance.choice(WORDS)


def _words(chance: random.Random, data: bytearray, known: tuple[bytes, ...]) -> None:
    start, end = _place(chance, data)
    data[start:end] = chance.choice(WORDS) * chance.choice((1, 1, 3, 50, 300))


def _flip(chance: random.Random, data: bytearray, known: tuple[bytes, ...]) -> None:
    if data:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def _splice(chance: random.Random, data: bytearray, known: tuple[bytes, ...]) -> None:
    other = chance.choice(known)
    start, _ = _place(chance, data)
    begin, end = sorted((chance.randrange(len(other) + 1), chance.randrange(len(other) + 1)))
    data[start:start] = other[begin:end]


def _swap(chance: random.Random, data: bytearray, known: tuple[bytes, ...]) -> None:
    first, end = _place(chance, data)
    second, _ = _place(chance, data)
    piece = data[first:end]
    del data[first:end]
    data[min(second, len(data)) : min(second, len(data))] = piece


def _cut(chance: random.Random, data: bytearray, known: tuple[bytes, ...]) -> None:
    del data[chance.randrange(len(data) + 1) :]


CHANGES: Final[tuple[Callable[[random.Random, bytearray, tuple[bytes, ...]], None], ...]] = (
    _drop, _double, _repeat, _word, _word, _words, _flip, _splice, _swap, _cut,
)  # fmt: skip
