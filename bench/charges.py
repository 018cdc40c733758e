"""What each function of the hook profile charges for the sizes of its arguments: `python -m bench.charges` writes its page.

Nothing is timed here (`bench.prices` does that): each function is called with arguments of two sizes, and what the meter counted
more for the larger ones is the price. So the table is what is charged, not what somebody meant to charge.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from rhaipy import STANDARD, Char, FnPtr, Function, Range, RhaiError, Scope, Value
from stagehooks.scripts.functions import HOOK_FUNCTIONS
from stagehooks.scripts.hardened import ABSENT, hardened_engine

PAGE: Final = Path(__file__).parent.parent / "docs" / "sandbox.md"
BEGIN: Final = "<!-- begin: what functions cost (written by `make pages`) -->\n"
END: Final = "<!-- end -->\n"

SIZES: Final = (1_100, 2_100)
COLUMNS: Final = ("characters", "items", "entries", "bytes", "asked for")
KINDS: Final[dict[type, str]] = {str: "characters", list: "items", dict: "entries", bytearray: "bytes", int: "asked for"}
ANY: Final = (str, list, dict)
CALLBACKS: Final = ("|| true", "|x| true", "|x, y| true", "|x, y, z| true")
OPERATORS: Final = ("+", "-", "==", "!=", "<", "<=", ">", ">=", "in", "+=", "-=")
SKIPPED: Final = frozenset({*ABSENT, "exit", "print", "debug"})
SMALL: Final[dict[type | None, Value]] = {
    None: 1, str: "x", int: 1, float: 1.5, bool: True, type(None): None, Char: Char("x"), Range: Range(0, 1, False),
}  # fmt: skip

Prices = dict[str, dict[str, int]]
"""For each name the units for a thousand more of each column."""


def sized(kind: type, size: int) -> Value:
    """A value of that kind and size."""
    if kind is str:
        return ("some text " * (size // 10 + 1))[:size]
    if kind is list:
        return list(range(size))
    if kind is dict:
        return {f"key{number}": number for number in range(size)}
    return bytearray(b"a") * size if kind is bytearray else size


def prices() -> Prices:
    """What is charged, for all that charges anything."""
    found: Prices = {}
    for item in functions():
        for place, kind in enumerate(item.params):
            for sort in ANY if kind is None else (kind,):
                if sort in KINDS:
                    _note(found, item.name, sort, slope(item, place, sort))
    for operator in OPERATORS:
        for kind in (str, list, dict, bytearray):
            _note(found, operator, kind, operator_slope(operator, kind))
    return found


def _note(found: Prices, name: str, kind: type, price: int) -> None:
    row = found.setdefault(name, {})
    row[KINDS[kind]] = max(price, row.get(KINDS[kind], 0))


def functions() -> Iterator[Function]:
    """The named functions of the profile."""
    for item in [*STANDARD, *HOOK_FUNCTIONS]:
        if item.name.isidentifier() and item.name not in SKIPPED:
            yield item


def slope(item: Function, place: int, kind: type) -> int:
    """The units that a thousand more in the argument at `place` cost."""
    best = 0
    for callback in CALLBACKS if FnPtr in item.params else ("",):
        used = [_fuel(*_call(item, place, sized(kind, size), callback)) for size in SIZES]
        best = max(best, _for_a_thousand(used))
    return best


def operator_slope(operator: str, kind: type) -> int:
    """The same for an operator with two such operands."""
    used = []
    for size in SIZES:
        right = sized(kind, size)
        left = "x" if operator == "in" else sized(kind, size)
        used.append(_fuel(f"a0 {operator} a1", {"a0": left, "a1": right}))
    return _for_a_thousand(used)


def _for_a_thousand(used: list[int]) -> int:
    return max(0, round((used[1] - used[0]) * 1000 / (SIZES[1] - SIZES[0])))


def _call(item: Function, place: int, large: Value, callback: str) -> tuple[str, dict[str, Value]]:
    variables: dict[str, Value] = {}
    words = []
    for number, kind in enumerate(item.params):
        if kind is FnPtr:
            words.append(callback)
            continue
        variables[f"a{number}"] = large if number == place else SMALL[kind] if kind in SMALL else sized(kind or str, 1)
        words.append(f"a{number}")
    return f"{item.name}({', '.join(words)})", variables


def _fuel(code: str, variables: dict[str, Value]) -> int:
    engine, scope = hardened_engine(), Scope()
    for name, value in variables.items():
        scope.push(name, value)
    meter = engine.meter()
    with suppress(RhaiError):
        engine.eval(f"{code};", scope, meter)
    return meter.fuel


def table() -> str:
    """The prices, as the page has them."""
    found = prices()
    charging = {name: row for name, row in found.items() if any(row.values())}
    lines = [f"| | {' | '.join(f'1,000 {column}' for column in COLUMNS)} |", "|---" * (len(COLUMNS) + 1) + "|"]
    for name in sorted(charging, key=lambda name: (name.isidentifier(), name)):
        cells = [f"{charging[name].get(column) or '':,}" if charging[name].get(column) else "" for column in COLUMNS]
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    free = sorted({item.name for item in functions()} - charging.keys())
    return "\n".join([*lines, "", f"Nothing beyond their operations: {', '.join(f'`{name}`' for name in free)}.", ""])


def page(text: str) -> str:
    """The text of the page with the table as it is now."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


def main() -> None:
    """Write the table into its page."""
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
