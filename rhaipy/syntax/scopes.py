"""What the parser knows of names: for each function, closure and the program itself, the variables in reach while it is read."""

from rhaipy.source import At


class FunctionScope:
    """The variables of one function, as a stack that mirrors the scope at run time, and where in it the parser is.

    A slot counts from the end of the stack, from 1. A closure collects in `captured` the names it does not know, with the place
    of their first use.
    """

    __slots__ = (
        "_aliased", "_blocks", "_constants", "_frame", "_names", "_places", "captured", "imported", "imports", "is_closure",
        "is_function", "loops", "outer", "strict",
    )  # fmt: skip

    def __init__(self, outer: "FunctionScope | None", is_closure: bool, strict: bool) -> None:
        self.outer = outer
        self.is_closure = is_closure
        self.is_function = outer is not None
        self.strict = strict
        self.loops = 0
        self.captured: dict[str, At] = {}
        self.imports: list[str] = []
        self.imported: list[str] = [] if outer is None else [*outer.imported, *outer.imports]
        self._names: list[str] = []
        self._constants: list[bool] = []
        self._places: dict[str, list[int]] = {}
        self._aliased: set[int] = set()
        self._blocks: list[tuple[int, int]] = []
        self._frame = 0

    @property
    def is_global(self) -> bool:
        """Are we at global level, in no block and no function?"""
        return not self._blocks and self.outer is None

    def slot(self, name: str) -> int:
        """The slot of the variable `name`, 0 if there is none."""
        places = self._places.get(name)
        return len(self._names) - places[-1] if places else 0

    def is_constant(self, slot: int) -> bool:
        """Is the variable in `slot` a constant?"""
        return self._constants[-slot]

    def push(self, name: str, constant: bool = False) -> None:
        """A new variable."""
        self._places.setdefault(name, []).append(len(self._names))
        self._names.append(name)
        self._constants.append(constant)

    def pop(self, count: int) -> None:
        """Forget the newest `count` variables."""
        for _ in range(count):
            self._places[self._names.pop()].pop()
        size = len(self._names)
        del self._constants[size:]
        if self._aliased:
            self._aliased.difference_update(range(size, size + count))

    def define(self, name: str, constant: bool) -> int:
        """A variable made by `let`: the slot of the one of the same block it replaces, or 0 for a new one."""
        slot = self.slot(name)
        place = len(self._names) - slot
        if slot and place >= self._frame and place not in self._aliased:
            self._constants[place] = constant
            return slot
        self.push(name, constant)
        return 0

    def alias(self, slot: int) -> None:
        """The variable in `slot` is exported: no later one takes its place."""
        self._aliased.add(len(self._names) - slot)

    def enter_block(self) -> None:
        """A block begins."""
        self._blocks.append((self._frame, len(self.imports)))
        self._frame = len(self._names)

    def leave_block(self) -> None:
        """The innermost block ends, and its variables and imports with it."""
        if len(self._names) > self._frame:
            self.pop(len(self._names) - self._frame)
        self._frame, imports = self._blocks.pop()
        if len(self.imports) > imports:
            del self.imports[imports:]

    def knows_module(self, name: str) -> bool:
        """Was a module imported under `name`?"""
        return name in self.imports or name in self.imported or name == "global"
