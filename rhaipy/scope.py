"""The variables of a run: a stack of names, values and whether each is a constant. The newest of a name is the one that counts.

    scope = Scope(stock=10).push_constant("STEP", 4)

A host may fill a scope before a run and read it afterwards. Values handed in belong to the scripts from then on: they may change
them in place. Whether scripts may hold them is judged when a run begins.
"""

from collections.abc import Iterator

from rhaipy.limits import Limits, Meter
from rhaipy.typings import cast
from rhaipy.values import Shared, Value, copy


class Scope:
    """A stack of variables. `values` hold a Shared cell where a closure captured the variable."""

    __slots__ = ("admitted_by", "aliases", "constants", "names", "values")

    def __init__(self, **variables: object) -> None:
        self.names: list[str] = []
        self.values: list[Value] = []
        self.constants: list[bool] = []
        self.aliases: dict[int, list[str]] = {}  # what `export` made public, by index
        self.admitted_by: object = None  # the types of the engine that judged the values last
        if variables:
            for name, value in variables.items():
                self.push(name, value)

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[tuple[str, bool, Value]]:
        """Name, is it a constant, value; from the oldest to the newest."""
        for name, constant, value in zip(self.names, self.constants, self.values, strict=True):
            yield name, constant, value.value if type(value) is Shared else value

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def push(self, name: str, value: object) -> "Scope":
        """Add a variable."""
        return self._give(name, value, False)

    def push_constant(self, name: str, value: object) -> "Scope":
        """Add a constant."""
        return self._give(name, value, True)

    def _give(self, name: str, value: object, constant: bool) -> "Scope":
        self.admitted_by = None
        self.add(name, cast("Value", value), constant)
        return self

    def add(self, name: str, value: Value, constant: bool) -> None:
        """Add an entry."""
        self.names.append(name)
        self.values.append(value)
        self.constants.append(constant)

    def get(self, name: str) -> Value:
        """The value of the newest entry called `name`; KeyError if there is none."""
        value = self.values[self._index(name)]
        return value.value if type(value) is Shared else value

    def set(self, name: str, value: object) -> None:
        """Give the newest variable called `name` a value, or add it; ValueError if it is a constant."""
        index = self.search(name)
        if index < 0:
            self.push(name, value)
        elif self.constants[index]:
            raise ValueError(f"{name} is a constant")
        else:
            self.admitted_by = None
            self.replace(index, cast("Value", value))

    def is_constant(self, name: str) -> bool:
        """Is the newest entry called `name` a constant? KeyError if there is none."""
        return self.constants[self._index(name)]

    def search(self, name: str) -> int:
        """The index of the newest entry called `name`, or -1."""
        names = self.names
        index = len(names) - 1
        while index >= 0 and names[index] != name:
            index -= 1
        return index

    def replace(self, index: int, value: Value) -> None:
        """Write to the variable at `index`, through its cell if it has one."""
        held = self.values[index]
        if type(held) is Shared:
            held.value = value
        else:
            self.values[index] = value

    def pop(self) -> tuple[str, bool, Value]:
        """Take the newest entry out: name, is it a constant, value. IndexError if there is none."""
        name, constant, value = self.names[-1], self.constants[-1], self.values[-1]
        self.rewind(len(self.names) - 1)
        return name, constant, value.value if type(value) is Shared else value

    def drop(self, name: str) -> Value:
        """Take the newest entry called `name` out; its value. KeyError if there is none."""
        value = self.get(name)
        self.remove(self.search(name), 1)
        return value

    def clear(self) -> None:
        """Take all entries out."""
        self.rewind(0)

    def clone(self) -> "Scope":
        """A scope of its own with the same entries. Variables that closures captured stay shared, as in the engine."""
        meter = Meter(Limits())
        scope = Scope()
        scope.names, scope.constants = self.names.copy(), self.constants.copy()
        scope.values = [copy(value, meter) for value in self.values]
        scope.aliases = {index: names.copy() for index, names in self.aliases.items()}
        return scope

    def rewind(self, size: int) -> None:
        """Drop the newest entries until `size` are left."""
        del self.names[size:]
        del self.values[size:]
        del self.constants[size:]
        if self.aliases:
            self.aliases = {index: names for index, names in self.aliases.items() if index < size}

    def remove(self, start: int, count: int) -> None:
        """Drop `count` entries from `start` on."""
        del self.names[start : start + count]
        del self.values[start : start + count]
        del self.constants[start : start + count]

    def export(self, index: int, alias: str) -> None:
        """Make the entry at `index` public under `alias`."""
        self.aliases.setdefault(index, []).append(alias)

    def _index(self, name: str) -> int:
        index = self.search(name)
        if index < 0:
            raise KeyError(name)
        return index
