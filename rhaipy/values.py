"""What a value is: a closed set of Python types, told apart by exact type.

    ()  None          i64  int (64 bits, checked)     char   Char        blob    bytearray     Fn         FnPtr
    bool  bool        f64  float                      array  list        range   Range         timestamp  Instant
                      string  str                     map    dict        range   Stream (an iterator that is no range literal)

Strings hold Unicode scalar values only. Map keys are strings; maps show in the order of their keys, whatever order they hold.
A captured variable lives in a Shared cell; no cell is ever inside a container. Note the traps of Python: `True == 1`,
`1 == 1.0`, so nothing here compares values with `==` before their types are known.
"""

from dataclasses import dataclass
from typing import Final, TypeAlias

I64_MIN: Final = -(2**63)
I64_MAX: Final = 2**63 - 1


class Char(str):
    """One Unicode scalar value, 'x'. Never equal in type to a string, though it is made of one."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Range:
    """start..end, or start..=end where inclusive. An open end is I64_MAX, as in the real engine."""

    start: int
    end: int
    inclusive: bool


@dataclass(frozen=True, slots=True, eq=False)
class FnPtr:
    """A pointer to the function `name`, with arguments curried in front.

    `params` is the number of parameters where a script function was named by itself (not through `Fn("name")`), else None.
    """

    name: str
    curried: tuple["Value", ...] = ()
    params: int | None = None

    @property
    def is_anonymous(self) -> bool:
        """Does it point to a closure?"""
        return self.name.startswith("anon$")


@dataclass(frozen=True, slots=True)
class Instant:
    """A point in time of the monotonic clock, in nanoseconds."""

    nanoseconds: int


class Shared:
    """The cell of a variable that a closure captured. `locked` while a call holds it by reference."""

    __slots__ = ("locked", "value")

    def __init__(self, value: "Value") -> None:
        self.value = value
        self.locked = False


Value: TypeAlias = (
    "None | bool | int | float | Char | str | list[Value] | dict[str, Value] | bytearray | Range | FnPtr | Instant | Shared"
)
