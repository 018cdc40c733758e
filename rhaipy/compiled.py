"""What compiling a script gives: the tree, its functions, and what the script says of them."""

from dataclasses import dataclass
from typing import Final

from rhaipy.modules import Library
from rhaipy.syntax.program import Program


class Unbound:
    """The type of `UNBOUND`."""


UNBOUND: Final = Unbound()
"""No `this`. Any value can be one, `()` too."""


@dataclass(frozen=True, slots=True)
class FunctionInfo:
    """What a script says of one of its functions."""

    name: str
    params: tuple[str, ...]
    private: bool
    doc: tuple[str, ...]
    this_type: str | None


@dataclass(frozen=True, slots=True, eq=False)
class AST:
    """A compiled script. It never changes, and may be run by any engine with the same functions."""

    name: str
    text: str
    program: Program
    library: Library

    @property
    def functions(self) -> tuple[FunctionInfo, ...]:
        """The functions that the script defines, closures left out, in the order of their definition."""
        named = [item for item in self.program.functions if not item.name.startswith("anon$")]
        return tuple([FunctionInfo(item.name, item.params, item.private, item.doc, item.this_type) for item in named])

    def __repr__(self) -> str:
        return f"<AST {self.name!r}: {len(self.program.statements)} statements, {len(self.functions)} functions>"

    def __reduce__(self) -> str | tuple[object, ...]:
        raise TypeError("a compiled script cannot be pickled: compile its text again")
