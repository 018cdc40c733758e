"""What a host is told when scripts ask for variables or define them: `on_var` and `on_def_var`."""

from collections.abc import Callable

from rhaipy.records import record
from rhaipy.scope import Scope
from rhaipy.typings import Final, TypeAlias


class Unit:
    """The type of `UNIT`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNIT"


UNIT: Final = Unit()
"""What `on_var` returns for a variable whose value is `()`: None says that it knows no such variable."""


@record
class EvalContext:
    """Where a script is. `scope` may be read and changed; `source` is the module that runs, empty for the program itself."""

    scope: Scope
    call_level: int
    scope_level: int
    source: str


@record
class VarDefInfo:
    """A variable that is about to be defined.

    `nesting_level` counts blocks at run time and the parser's levels while compiling. There is no `context` while compiling.
    """

    name: str
    is_constant: bool
    nesting_level: int
    will_shadow: bool
    at_run_time: bool
    context: EvalContext | None


OnVar: TypeAlias = Callable[[str, EvalContext], object]
"""`on_var`: the value of the variable, None where scripts shall find their own, UNIT for `()`."""

OnDefVar: TypeAlias = Callable[[VarDefInfo], bool]
"""`on_def_var`: may the variable be defined?"""
