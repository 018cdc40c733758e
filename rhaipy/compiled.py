"""What compiling a script gives: the tree, its functions, and what the script says of them."""

from collections.abc import Callable

from rhaipy.modules import Library, ScriptFunction
from rhaipy.records import individual, record
from rhaipy.source import pack
from rhaipy.syntax.nodes import Stmt
from rhaipy.syntax.program import Function, Program
from rhaipy.typings import Final, TypeAlias


class Unbound:
    """The type of `UNBOUND`."""


UNBOUND: Final = Unbound()
"""No `this`. Any value can be one, `()` too."""


@record
class FunctionInfo:
    """What a script says of one of its functions."""

    name: str
    params: tuple[str, ...]
    private: bool
    doc: tuple[str, ...]
    this_type: str | None


Keeps: TypeAlias = Callable[[FunctionInfo], bool]
"""Shall a function be kept?"""


@individual
class AST:
    """A compiled script. It never changes, and may be run by any engine with the same functions."""

    name: str
    text: str
    program: Program
    library: Library

    @property
    def source(self) -> str:
        """The name that it was compiled under, empty if there is none."""
        return self.name

    @staticmethod
    def empty() -> "AST":
        """A script without statements and functions."""
        return AST("", "", Program(pack(1, 0), (), ()), Library())

    def merge(self, other: "AST", keeps: Keeps | None = None) -> "AST":
        """This script, and `other` behind it: `ast + other`. It is called as `other` is.

        Functions of `other` take the place of those of the same name and number of parameters, here too. `keeps` says which
        functions of `other` come along; all without it. Errors show no line of source, since there are two.
        """
        mine = {_signature(item): item for item in self.program.functions}
        taken = [item for item in other.program.functions if keeps is None or keeps(_info(item))]
        merged = mine | {_signature(item): item for item in taken}
        statements = (*self.program.statements, *other.program.statements)
        text = self.text if self.text == other.text else ""
        return AST(other.name, text, *_program_and_library(statements, tuple(merged.values()), other.library.source))

    def __add__(self, other: "AST") -> "AST":
        return self.merge(other)

    def combine(self, *others: "AST") -> "AST":
        """This script and all `others`, merged one after the other."""
        merged = self
        for other in others:
            merged = merged.merge(other)
        return merged

    def without_functions(self) -> "AST":
        """The statements alone. Closures are functions too."""
        return AST(self.name, self.text, *_program_and_library(self.program.statements, (), self.library.source))

    def functions_only(self, keeps: Keeps | None = None) -> "AST":
        """The functions alone, or those of them that `keeps` says yes to."""
        kept = tuple([item for item in self.program.functions if keeps is None or keeps(_info(item))])
        return AST(self.name, self.text, *_program_and_library((), kept, self.library.source))

    @property
    def functions(self) -> tuple[FunctionInfo, ...]:
        """The functions that the script defines, closures left out, in the order of their definition."""
        named = [item for item in self.program.functions if not item.name.startswith("anon$")]
        return tuple([_info(item) for item in named])

    def __repr__(self) -> str:
        return f"<AST {self.name!r}: {len(self.program.statements)} statements, {len(self.functions)} functions>"

    def __reduce__(self) -> str | tuple[object, ...]:
        raise TypeError("a compiled script cannot be pickled: compile its text again")


def _info(item: Function) -> FunctionInfo:
    return FunctionInfo(item.name, item.params, item.private, item.doc, item.this_type)


def _signature(item: Function) -> tuple[str, int, str | None]:
    return item.name, len(item.params), item.this_type


def _program_and_library(statements: tuple[Stmt, ...], functions: tuple[Function, ...], source: str) -> tuple[Program, Library]:
    program = Program(pack(1, 0), statements, functions)
    return program, Library([ScriptFunction(item) for item in functions], source)
