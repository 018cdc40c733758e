"""Number literals."""

import re

from rhaipy.parse_errors import lex_error
from rhaipy.source import At
from rhaipy.syntax.lexer_cursor import Cursor
from rhaipy.typings import Final
from rhaipy.values import I64_MAX, I64_MIN

# A point belongs to the number unless it begins a range or a property. An exponent needs a digit or a sign, but no digit after
# the sign: `1e+` is one token, and malformed.
_NUMBER: Final = re.compile(
    r"""  (?P<radix> 0_*(?:[xX][0-9a-fA-F_]*|[oO][0-7_]*|[bB][01_]*) )
        | [0-9][0-9_]*
          (?P<fraction> \.[0-9][0-9_]* | \.(?=[^0-9_.a-zA-Z]) )?
          (?P<exponent> [eE][-+0-9][0-9_]* )?
    """,
    re.VERBOSE,
)
_BASES: Final = {"x": 16, "o": 8, "b": 2}
_I64_DIGITS: Final = 19


def read_number(cursor: Cursor, at: At, sign: str) -> int | float:
    """The number at the cursor, which stands on its first digit and is moved behind it. `sign`, "-" or empty, stands before."""
    match = _NUMBER.match(cursor.text, cursor.offset)
    assert match is not None
    cursor.offset = match.end()
    literal = match[0].replace("_", "")
    if match["radix"] is not None:
        return _radix(literal[1], literal[2:], at, sign)
    if match["fraction"] is None and match["exponent"] is None:
        return _decimal(literal, sign)
    if literal[-1] in "+-":
        raise lex_error(at, "MalformedNumber", sign + literal.replace("E", "e"))
    return float(sign + literal)


def _radix(prefix: str, digits: str, at: At, sign: str) -> int:
    """0xff: up to 64 bits, the highest is the sign. The engine takes a minus for part of the prefix and then fails."""
    if sign:
        raise lex_error(at, "MalformedNumber", prefix + digits)
    value = int(digits, _BASES[prefix.lower()]) if digits else -1
    if not 0 <= value < 2**64:
        raise lex_error(at, "MalformedNumber", digits)
    return value - 2**64 if value > I64_MAX else value


def _decimal(digits: str, sign: str) -> int | float:
    """An integer, or a float where 64 bits do not hold it."""
    significant = digits.lstrip("0") or "0"
    if len(significant) <= _I64_DIGITS:
        value = int(sign + significant)
        if I64_MIN <= value <= I64_MAX:
            return value
    return float(sign + significant)
