"""python -m conformance.stdlib: write docs/stdlib.md, which lists every function of the real engine's library with its state.

`stdlib.tsv` lists what a new engine of Rhai 1.27.0 has, one overload a row; whether rhaipy has it too is looked up in its table
of functions, never written down.
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import groupby, product
from pathlib import Path
from types import NoneType
from typing import Final, NamedTuple

from rhaipy import STANDARD, Char, FnPtr, Instant, Range, Stream
from rhaipy.values import Byte

ROWS: Final = Path(__file__).parent / "stdlib.tsv"
PAGE: Final = Path(__file__).parent.parent / "docs" / "stdlib.md"

EXACT: Final = "exact"
ABSENT: Final = "absent"
MISSING: Final = "missing"

TYPES: Final[dict[str, type]] = {
    "()": NoneType, "bool": bool, "int": int, "float": float, "char": Char, "string": str, "array": list, "map": dict,
    "blob": bytearray, "range": Range, "range=": Range, "Fn": FnPtr, "timestamp": Instant, "u8": Byte, "range of u8": Stream,
}  # fmt: skip
"""The types of the library that scripts have values of. Any other is a number type that only the host of a Rust program has."""

_NO_TAG: Final = "refuses all but 0: values carry no tag"
DIFFERENT: Final = {
    "tag": "always 0: values carry no tag",
    "get$tag": "always 0: values carry no tag",
    "set_tag": _NO_TAG,
    "set$tag": _NO_TAG,
}
"""The functions that rhaipy has, but not as the engine has them, and what they do."""

_PREFIXES: Final = {"function": "", "operator": "", "getter": "get$", "setter": "set$"}


class Row(NamedTuple):
    """One overload of the library. `parameters` are names of types; "any" takes every value."""

    package: str
    name: str
    kind: str
    parameters: tuple[str, ...]
    returns: str

    @property
    def function(self) -> str:
        """The name that the function is registered by."""
        return _PREFIXES[self.kind] + self.name


def read_rows(path: Path = ROWS) -> list[Row]:
    """All that the library has."""
    lines = path.read_text(encoding="utf-8").splitlines()[1:]
    return [_row(*line.split("\t")) for line in lines]


def _row(package: str, name: str, kind: str, parameters: str, returns: str) -> Row:
    return Row(package, name, kind, tuple(parameters.split(", ")) if parameters else (), returns)


def signatures(row: Row) -> Iterator[tuple[type, ...]]:
    """The types of the arguments that `row` must take; none if it takes a type that scripts have no value of."""
    if all(name in TYPES or name == "any" for name in row.parameters):
        yield from product(*[list(TYPES.values()) if name == "any" else [TYPES[name]] for name in row.parameters])


def state(row: Row) -> str:
    """What rhaipy makes of `row`."""
    wanted = list(signatures(row))
    if not wanted:
        return ABSENT
    if any(STANDARD.find(row.function, types) is None for types in wanted):
        return MISSING
    return DIFFERENT.get(row.function, EXACT)


# --- the page -------------------------------------------------------------------------------------------------------------

_HEAD: Final = """\
# The standard library

Written by `python -m conformance.stdlib`; do not edit.

All that a new engine of Rhai 1.27.0 has, and whether rhaipy has it: {exact} of {all} overloads are exact, {different} are there
but differ, {missing} are missing, {absent} are absent on purpose. *Exact* means that there is a function of that name for
arguments of those types, and that the [conformance cases](conformance.md) that call it agree with the real engine in value,
text, error and operation count.

*Absent* are the functions for the number types {names}, and the one for ranges of floats: no literal, no operator and no other
function gives a script a value of them. Only the host of a Rust program can hand one in, and Python has no such numbers to hand
in. Of the small number types a script can meet one: running over a blob yields values of `u8`, which rhaipy has with all its
functions.

In the tables `any` is a value of any type, and a getter is a property: `value.len`.
"""


def page(rows: Sequence[Row]) -> str:
    """The whole text of docs/stdlib.md."""
    states = [state(row) for row in rows]
    unknown = {name for row in rows for name in row.parameters} - TYPES.keys() - {"any"}
    absent = sorted(name for name in unknown if not name.startswith("range of "))
    counts = {word: states.count(word) for word in (EXACT, ABSENT, MISSING)}
    names = ", ".join(f"`{name}`" for name in absent)
    head = _HEAD.format(all=len(rows), names=names, different=len(rows) - sum(counts.values()), **counts)
    return "\n".join([head, *_summary(rows), *_tables(rows)])


def _summary(rows: Sequence[Row]) -> Iterator[str]:
    yield "| package | overloads | exact | different | missing | absent |"
    yield "|---|---|---|---|---|---|"
    for package, members in groupby(rows, lambda row: row.package):
        states = [state(row) for row in members]
        exact, missing, absent = (states.count(word) for word in (EXACT, MISSING, ABSENT))
        different = len(states) - exact - missing - absent
        yield f"| {package} | {len(states)} | {exact} | {different} | {missing} | {absent} |"


def _tables(rows: Sequence[Row]) -> Iterator[str]:
    for package, members in groupby(rows, lambda row: row.package):
        yield f"\n## {package}\n"
        yield "| name | kind | parameters | returns | state |"
        yield "|---|---|---|---|---|"
        for row in sorted(members, key=lambda row: state(row) == ABSENT):
            parameters = ", ".join(row.parameters)
            yield f"| `{_escaped(row.name)}` | {row.kind} | {parameters} | {row.returns} | {state(row)} |"
    yield ""


def _escaped(name: str) -> str:
    return name.replace("|", "\\|")


def main() -> int:
    """Write the page; exit code 1 when a function is missing."""
    rows = read_rows()
    PAGE.write_text(page(rows), encoding="utf-8")
    missing = [row for row in rows if state(row) == MISSING]
    for row in missing:
        print(f"missing: {row.package} {row.name} ({', '.join(row.parameters)})", file=sys.stderr)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
