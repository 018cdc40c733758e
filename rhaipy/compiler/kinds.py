"""What is known of values before a script runs: their exact type, or nothing."""

from types import NoneType
from typing import Final, TypeAlias

from rhaipy.values import UNCHANGING, Char, FnPtr, Range

Kind: TypeAlias = type | None
"""An exact type; None is any."""

NAMES: Final[dict[type, str]] = {
    int: "int", float: "float", bool: "bool", str: "str", list: "list", dict: "dict", Char: "Char", Range: "Range",
    FnPtr: "FnPtr", NoneType: "NoneType",
}  # fmt: skip
"""The globals of compiled code that hold these types."""


def is_unchanging(kind: Kind) -> bool:
    """Is a value of this kind certainly one that needs no copy?"""
    return kind in UNCHANGING


def join(first: Kind, second: Kind) -> Kind:
    """The kind of what may be either."""
    return first if first is second else None
