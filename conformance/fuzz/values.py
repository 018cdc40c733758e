"""Random values as a script writes them, and as a host hands them in: odd, extreme, or anything at all."""

import json
import struct
from random import Random
from typing import Final

_CHARACTERS: Final = "aAzZ09 .,-+_eE'\"\\/\t\n\0éÉßİıſΣσςǅﬁ\u0301\u00a0\u200b\u2028😀\U0001f1e9𝒳\ufeff\u1e9e"
_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\x00"}


def integer(random: Random) -> str:
    """An integer of any size; the least one has no literal of its own."""
    number = random.getrandbits(random.randrange(1, 64))
    return f"-{number}" if random.random() < 0.4 else str(number)


def real(random: Random) -> str:
    """A float: any bits at all, short decimals, or near a whole number."""
    match random.randrange(4):
        case 0:
            number: float = struct.unpack("<d", random.getrandbits(64).to_bytes(8, "little"))[0]
            if number != number or number in (float("inf"), float("-inf")):
                return "(0.0 / 0.0)"
            text = repr(number)
            return text if "." in text else text.replace("e", ".0e")
        case 1:
            return f"{random.randrange(-2000, 2000)}.{random.randrange(1000)}"
        case 2:
            return f"{random.randrange(-99, 99)}.5"
        case _:
            return f"{random.randrange(1, 10)}.{random.randrange(10)}e{random.randrange(-25, 25)}"


def characters(random: Random) -> str:
    """A few characters, the odd ones often, seldom any of all that there are."""
    found = random.choices(_CHARACTERS, k=random.randrange(7))
    if random.random() < 0.2:
        code = random.randrange(1, 0x110000)
        found.append(chr(code) if not 0xD800 <= code < 0xE000 else "\ufffd")
    return "".join(found)


def quoted(random: Random) -> str:
    """A string literal."""
    return '"' + "".join([_ESCAPES.get(character, character) for character in characters(random)]) + '"'


def character(random: Random) -> str:
    """A character literal."""
    one = random.choice(characters(random) or "x")
    return "'" + {"'": "\\'", **_ESCAPES}.get(one, one).replace('\\"', '"') + "'"


def json_text(random: Random) -> str:
    """A string literal with JSON in it, or nearly."""
    text = json.dumps(host_value(random), ensure_ascii=random.random() < 0.5)
    if random.random() < 0.4:
        at = random.randrange(len(text) + 1)
        text = (
            text[:at]
            + random.choice(("", " ", ",", "}", "1", ".", "e5", "-", "\\u00e9", "#", "//", "null", "'"))
            + text[at + 1 :]
        )
    return '"' + "".join([_ESCAPES.get(character, character) for character in text]) + '"'


def host_value(random: Random, depth: int = 2) -> object:
    """A value as requests write it: JSON data, and objects for what JSON lacks."""
    match random.randrange(12):
        case 0 | 1:
            return random.choice((0, 1, -1, 3, 2**63 - 1, -(2**63), 2**63, 2**64))
        case 2:
            return random.choice((0.0, -0.0, 1.5, 1e308, 5e-324, 1e16, random.gauss(0, 1000)))
        case 3 | 4:
            return random.choice(("", "abc", "é😀", "a\nb", "id", "\u0000", characters(random)))
        case 5:
            return random.choice((True, False, None))
        case 6:
            return {"$char": random.choice("aé😀")}
        case 7:
            return {"$blob": [random.randrange(256) for _ in range(random.randrange(4))]}
        case 8:
            return {random.choice(("$range", "$irange")): [random.randrange(-3, 4), random.randrange(-3, 9)]}
        case 9 | 10 if depth:
            return [host_value(random, depth - 1) for _ in range(random.randrange(4))]
        case _ if depth:
            return {key: host_value(random, depth - 1) for key in random.sample("abcé", random.randrange(4))}
    return random.randrange(10)
