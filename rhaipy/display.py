"""How values look as text: `display` (what `throw`, interpolation and `"" + value` show) and `debug` (what containers show of
their items). The script functions `print`, `to_string` and `to_debug` differ from both; they are in the library.

Texts are those of the real engine: Rust's own formats of floats, its escapes in strings. Values may be nested thousands deep, so
the texts are built with a stack of their own.
"""

from collections.abc import Callable
from math import isfinite, isnan

from rhaipy.limits import Meter
from rhaipy.records import record
from rhaipy.typings import Final, TypeAlias
from rhaipy.unicode import escaped_in_debug
from rhaipy.values import I64_MAX, Byte, Char, FnPtr, Instant, Range, Shared, Value, raw_type_name


def display(value: Value, meter: Meter | None = None) -> str:
    """The text of `value` to read; `meter` pays for it, and bounds what is nested."""
    if type(value) is Shared:
        return f"{display(value.value, meter)} (shared)"
    if value is None:
        return ""
    if type(value) is str or type(value) is Char:
        return str(value)
    if type(value) is float:
        return display_float(value)
    return f"Fn({value.name})" if type(value) is FnPtr else debug(value, meter)


def debug(value: Value, meter: Meter | None = None) -> str:
    """The text of `value` as source code would show it, as far as it can; `meter` as for `display`."""
    return render(value, _debug_parts, meter) if type(value) in _NESTED else _debug_leaf(value)


_NESTED: Final = frozenset({list, dict, FnPtr, Shared})


def _debug_leaf(value: Value) -> str:
    if value is None:
        return "()"
    if type(value) is bool:
        return "true" if value else "false"
    if type(value) is int or type(value) is Byte:
        return str(value)
    if type(value) is float:
        return debug_float(value)
    if type(value) is Char:
        return f"'{escape(value, chr(39))}'"
    if type(value) is str:
        return debug_string(value)
    if type(value) is bytearray:
        return f"[{value.hex(' ', -8)}]"
    if type(value) is Range:
        return display_range(value)
    return "<timestamp>" if type(value) is Instant else raw_type_name(value)


# --- containers -----------------------------------------------------------------------------------------------------------


@record
class Text:
    """A piece of text that goes out as it is."""

    text: str


@record
class Quoted:
    """A text that goes out in quotes, escaped only when its turn comes: there may be many, and long ones."""

    text: str


@record
class _Left:
    """The end of what the shared cell with this identity shows."""

    cell: int


Part: TypeAlias = "Text | Quoted | _Left | Value"


def render(root: Value, parts: "Callable[[Value], list[Part] | str]", meter: Meter | None = None) -> str:
    """The text of a nested value. `parts` gives the text of one value, or the pieces of text and values that it consists of.

    Pointers may hold one another often over, so that a small value has a text without end: `meter` pays and measures on the way.
    """
    shown = _Shown() if meter is None else _Paid(meter)
    inside: set[int] = set()
    pending: list[Part] = [root]  # what is still to be shown, last first
    while pending:
        part = pending.pop()
        if isinstance(part, Text):
            shown.add(part.text)
        elif isinstance(part, Quoted):
            shown.quote(part.text)
        elif isinstance(part, _Left):
            inside.discard(part.cell)
        elif isinstance(part, Shared):
            pending.extend(_cell_parts(part, inside))
        else:
            found = parts(part)
            if isinstance(found, str):
                shown.add(found)
            else:
                pending.extend(reversed(found))
    return "".join(shown.pieces)


class _Shown:
    """The pieces of a text."""

    def __init__(self) -> None:
        self.pieces: list[str] = []

    def add(self, piece: str) -> None:
        """One more."""
        self.pieces.append(piece)

    def quote(self, text: str) -> None:
        """One more, in quotes."""
        self.add(debug_string(text))


class _Paid(_Shown):
    """The pieces of a text that a meter pays for: one unit each, and a unit for 16 characters."""

    def __init__(self, meter: Meter) -> None:
        super().__init__()
        self._meter = meter
        self._size = 0

    def add(self, piece: str) -> None:
        self._size += len(piece)
        self._meter.charge(1 + (len(piece) >> 4))
        self._meter.growing(self._size)
        self.pieces.append(piece)

    def quote(self, text: str) -> None:
        self._meter.charge(len(text) >> 4)
        self._meter.growing(self._size + len(text))
        self.add(debug_string(text))


def listed(opening: str, entries: "list[list[Part]]", comma: str, closing: str) -> "list[Part]":
    """The parts of `entries` in brackets, with commas between them."""
    result: list[Part] = [Text(opening)]
    for number, entry in enumerate(entries):
        if number:
            result.append(Text(comma))
        result += entry
    return [*result, Text(closing)]


def _debug_parts(value: Value) -> "list[Part] | str":
    if type(value) is list:
        return listed("[", [[item] for item in value], ", ", "]")
    if type(value) is dict:
        return listed("#{", [[Quoted(key), Text(": "), value[key]] for key in sorted(value)], ", ", "}")
    if type(value) is FnPtr:
        kind = "Fn(" if value.params is None else "Fn*("
        arguments: list[list[Part]] = [[item] for item in value.curried]
        return listed(kind, [[Text(debug_string(value.name))], *arguments], ", ", ")")
    return _debug_leaf(value)


def _cell_parts(cell: Shared, inside: set[int]) -> "list[Part]":
    # A closure kept in the variable that it captured makes a cycle.
    if cell.locked or id(cell) in inside:
        return [Text("<shared>")]
    inside.add(id(cell))
    return [Text(" (shared)"), _Left(id(cell)), cell.value]


def display_range(value: Range) -> str:
    """start..end or start..=end, without the end where it is open"""
    return f"{value.start}..{'=' if value.inclusive else ''}{'' if value.end == I64_MAX else value.end}"


# --- strings --------------------------------------------------------------------------------------------------------------


def debug_string(text: str) -> str:
    """`text` in double quotes, escaped"""
    return f'"{escape(text, chr(34))}"'


_NAMED: Final = {"\0": "\\0", "\t": "\\t", "\r": "\\r", "\n": "\\n", "\\": "\\\\"}


def escape(text: str, quote: str) -> str:
    """`text` with `quote`, backslashes and what cannot be printed (or combines with its neighbour) escaped"""
    if text.isascii() and text.isprintable() and "\\" not in text and quote not in text:
        return text
    return text.translate({ord(char): _escape_char(char, quote) for char in set(text)})


def _escape_char(char: str, quote: str) -> str:
    if char == quote:
        return f"\\{char}"
    if char in _NAMED:
        return _NAMED[char]
    return f"\\u{{{ord(char):x}}}" if escaped_in_debug(char) else char


# --- floats ---------------------------------------------------------------------------------------------------------------

LARGEST_PLAIN_FLOAT: Final = 9999999827968.0
SMALLEST_PLAIN_FLOAT: Final = 9.9999998245167e-14
"""1e13 and 1e-13 as 32-bit floats: beyond them floats display with an exponent."""


def display_float(value: float) -> str:
    """`value` as `print` shows it: 1.0, 0.1, 1e13, inf, NaN; zero without its sign"""
    if value == 0:
        return "0.0"
    if SMALLEST_PLAIN_FLOAT <= abs(value) <= LARGEST_PLAIN_FLOAT:
        return _plain(value)
    return _with_exponent(value)


def debug_float(value: float) -> str:
    """`value` as containers show it: with an exponent only from 1e16 on and below 1e-4"""
    if value == 0 or 1e-4 <= abs(value) < 1e16:
        return _plain(value)
    return _with_exponent(value)


def plain_float(value: float) -> str:
    """`value` as Rust itself displays it: never with an exponent, whole numbers without a point"""
    return _plain(value).removesuffix(".0") if isfinite(value) else _with_exponent(value)


def _plain(value: float) -> str:
    sign, digits, point = _decimal(value)
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    return f"{sign}{digits[:point].ljust(point, '0')}.{digits[point:] or '0'}"


def _with_exponent(value: float) -> str:
    if not isfinite(value):
        return "NaN" if isnan(value) else "inf" if value > 0 else "-inf"
    sign, digits, point = _decimal(value)
    return f"{sign}{digits[0]}{'.' if digits[1:] else ''}{digits[1:]}e{point - 1}"


def _decimal(value: float) -> tuple[str, str, int]:
    """The sign of a finite float, the digits of its shortest text, and where among them the decimal point is."""
    text = repr(value)
    sign = "-" if text[0] == "-" else ""
    mantissa, _, exponent = text.lstrip("-").partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    if not digits:
        return sign, "0", 1
    point = len(digits) - len(fraction) + int(exponent or 0)
    digits = digits.rstrip("0")
    if len(digits) >= _MOST_DIGITS and _is_halfway(abs(value), digits, point):
        digits = str(int(digits) + 1)
    return sign, digits, point


_MOST_DIGITS: Final = 16


def _is_halfway(value: float, digits: str, point: int) -> bool:
    # Where two shortest texts are equally near, Python takes the even one and Rust the larger one.
    power = point - len(digits) - 1
    numerator, denominator = value.as_integer_ratio()
    wanted = int(digits) * 10 + 5
    if power >= 0:
        return bool(wanted * 10**power * denominator == numerator)
    return bool(wanted * denominator == numerator * 10**-power)
