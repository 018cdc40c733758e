"""A unit: one script function, or the statements of a program, on its way to being a Python function.

Operations are counted in blocks. Each node that is evaluated adds its position to `pending`; before anything that others can see
(a call, a change, the next turn of a loop) they are taken off what is left, in one go. What raises an error in between settles
with those that are pending (`runtime.settle`), so that the error comes at its operation, or the operation too many before it.
"""

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from rhaipy.compiler import code
from rhaipy.compiler.kinds import NAMES, Kind, is_unchanging
from rhaipy.compiler.profile import Profile
from rhaipy.modules import Library
from rhaipy.sharing import Sharing
from rhaipy.source import NONE, At
from rhaipy.syntax.nodes import Assign, Constant, Expr, Let
from rhaipy.values import Value


class Unsupported(Exception):
    """This unit stays with the reference evaluator."""


class TooMuch(Exception):
    """This script would take too long to compile; it stays with the reference evaluator."""


MOST_LINES: Final = 20_000
"""Lines of Python that are made of a script, failed attempts among them: less than half a second of work."""


@dataclass(eq=False)
class Variable:
    """A variable of the script: its Python name, what is known of it, and whether it is a constant of the script."""

    name: str
    code: str
    number: int
    constant: bool
    kind: Kind
    is_cell: bool = False  # a closure captures it: it may hold a cell
    is_kept: bool = False  # it is used for more than to read parts out of it
    base: int = -1  # the index among those of the program that stay in the scope, -1 for others

    @property
    def load(self) -> ast.expr:
        """The Python variable."""
        return code.load(self.code)


class Operand(NamedTuple):
    """A value in compiled code: an expression without effects, cheap enough to be repeated.

    `owes`: it is part of something else, and has to be copied (at this position) before it is kept; -1 where it is its own.
    `cell`: the variable that it comes from, if that may hold a cell; what is in one is copied at no position.
    """

    expr: ast.expr
    kind: Kind
    owes: At = -1
    cell: ast.expr | None = None


class Return:
    """The type of `RETURN`."""


RETURN: Final = Return()
Target: TypeAlias = "str | Return | None"
"""Where the value of a statement goes: into a Python variable, out of the function, nowhere."""


@dataclass(eq=False)
class Loop:
    """A loop around what is compiled: where `break` leaves its value, and whether others do what comes between two turns."""

    result: str | None
    tells: bool = False


@dataclass(eq=False)
class Pool:
    """The values that compiled code refers to by name: those that Python has no literals for."""

    values: dict[str, Any] = field(default_factory=dict)

    def add(self, value: object) -> ast.expr:
        """A global that holds `value`."""
        name = f"K{len(self.values)}"
        self.values[name] = value
        return code.load(name)


UNIT: Final = Operand(code.constant(None), type(None))
DEEPEST: Final = 80
"""Nodes inside of nodes that are compiled. Python's own compiler recurses on C's stack."""
MOST_BLOCKS: Final = 14
"""Loops and `try` inside of each other; Python has room for 20."""
MOST_PENDING: Final = 64
"""Operations that may be pending where a statement begins. Whatever may fail holds the positions of all."""


Guesses: TypeAlias = "dict[int, Kind | str]"
"""The kinds of variables by number, as far as attempts so far tell; "cell" for one that closures capture."""


@dataclass(eq=False)
class Script:
    """What the units of a script share.

    `names` are the Python names of the functions that are compiled, by identity of the script function; `captures` tells for
    each closure how many variables it captures, as far as known.
    """

    profile: Profile
    library: Library
    sharing: Sharing | None = None
    left: int = MOST_LINES
    names: dict[int, str] = field(default_factory=dict)
    captures: dict[str, int] = field(default_factory=dict)
    pool: Pool = field(default_factory=Pool)

    def spend(self, lines: int) -> None:
        """Lines are made; TooMuch when they are too many."""
        self.left -= lines
        if self.left < 0:
            raise TooMuch


class Unit:
    """The state of compiling one unit."""

    def __init__(self, script: "Script", guesses: Guesses) -> None:
        self.script = script
        self.profile = script.profile
        self.library = script.library
        self.sharing = script.sharing
        self.functions = script.names
        self.captures = script.captures
        self.pool = script.pool
        self.guesses = guesses
        self.params: list[Variable] = []
        self.calls: set[int] = set()  # the script functions that it relies on being compiled
        self.lines: list[ast.stmt] = []
        self.pending: list[At] = []
        self.flushes = 0
        self.dead = False  # nothing gets here
        self.scope: list[Variable] = []
        self.shared: set[str] = set()  # the Python variables that the closure which is being made has just captured
        self.loops: list[Loop | None] = []  # None for one that cannot be left from here
        self.is_program = False
        self.wrong = False  # a variable is not of the kind that it was taken for: compile the unit again
        self.depth = 0  # of blocks
        self.tries = 0  # around what is compiled
        self.outermost: list[Variable] = []  # the variables of the program that stay in its scope
        self._variables = 0
        self._temporaries = 0
        self._depth = 0
        self._blocks = 0

    # --- lines --------------------------------------------------------------------------------------------------------

    def emit(self, line: ast.stmt) -> None:
        """Add a line."""
        self.script.spend(1)
        self.lines.append(line)

    def temporary(self) -> str:
        """A fresh Python variable. It is free again when the statement that it was made in is over."""
        self._temporaries += 1
        return f"t{self._temporaries}"

    def keep(self, value: ast.expr) -> ast.expr:
        """`value` in a Python variable."""
        name = self.temporary()
        self.emit(code.assign(name, value))
        return code.load(name)

    @contextmanager
    def statement(self) -> Iterator[None]:
        """Around one statement: its temporaries are free afterwards."""
        before = self._temporaries
        yield
        self._temporaries = before

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Around a node."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise Unsupported
        yield
        self._depth -= 1

    @contextmanager
    def python_block(self) -> Iterator[list[ast.stmt]]:
        """Lines that are the body of a loop or of a `try` of Python."""
        self._blocks += 1
        if self._blocks > MOST_BLOCKS:
            raise Unsupported
        outer, self.lines = self.lines, []
        yield self.lines
        self.lines = outer
        self._blocks -= 1

    def need_block(self) -> None:
        """A `try` of Python is about to be made, with nothing of the script in it."""
        if self._blocks >= MOST_BLOCKS:
            raise Unsupported

    def finally_(self, lines: list[ast.stmt], last: ast.stmt) -> None:
        """Run `lines`, and `last` in any case, if anybody can see what that does."""
        if self.is_program or self.tries:
            self.emit(code.Try(lines, [], [], [last]))
        else:
            self.lines.extend([*lines, last])

    @contextmanager
    def branch(self) -> Iterator[list[ast.stmt]]:
        """Lines that may run or not. Afterwards the same operations are pending as before, whichever way was taken."""
        outer, before, flushes = self.lines, list(self.pending), self.flushes
        lines: list[ast.stmt] = []
        self.lines = lines
        self.dead = False
        yield lines
        if not self.dead:
            self._rejoin(before, self.flushes != flushes)
        self.lines, self.pending, self.dead = outer, before, False

    def _rejoin(self, before: list[At], flushed: bool) -> None:
        more = len(self.pending) if flushed else len(self.pending) - len(before)
        owed = len(before) if flushed else 0
        if more == owed == 0:
            return
        if more != owed:
            self.emit(code.subtract_left(more - owed))
        if more:
            enough = code.compare(code.load(code.LEFT), ast.Lt(), code.constant(len(before)))
            self.emit(code.if_(enough, [self._over(len(before))]))

    # --- operations ---------------------------------------------------------------------------------------------------

    def count(self, at: At) -> None:
        """One more operation."""
        self.pending.append(at)

    @property
    def positions(self) -> ast.expr:
        """The positions of the operations that are pending."""
        self.script.spend(len(self.pending) >> 5)
        return code.constant(tuple(self.pending))

    def flush(self) -> None:
        """Take what is pending off what is left, and judge."""
        self.flushes += 1
        if self.pending:
            self.emit(code.subtract_left(len(self.pending)))
            self.emit(code.if_(code.compare(code.load(code.LEFT), ast.Lt(), code.constant(0)), [self._over(0)]))
            self.pending = []

    def _over(self, owed: int) -> ast.stmt:
        return code.raise_(code.call("over", code.load("meter"), code.load(code.LEFT), self.positions, code.constant(owed)))

    def fail(self, error: ast.expr) -> ast.stmt:
        """Raise `error`, after what is pending."""
        return code.raise_(code.call("settle", code.load("meter"), code.load(code.LEFT), self.positions, error))

    # --- calls of what counts by itself -------------------------------------------------------------------------------

    def reload(self) -> None:
        """Find out how many operations are left, with those that are pending still to come."""
        meter = code.load("meter")
        left = code.binary(code.attribute(meter, "ceiling"), ast.Sub(), code.attribute(meter, "operations"))
        if self.pending:
            left = code.binary(left, ast.Add(), code.constant(len(self.pending)))
        self.emit(code.assign(code.LEFT, left))

    def tell(self) -> None:
        """Tell the meter how many operations there were."""
        used = code.binary(code.attribute(code.load("meter"), "ceiling"), ast.Sub(), code.load(code.LEFT))
        self.emit(code.assign_attribute("meter", "operations", used))

    def callout(self, function: str, *args: ast.expr, into: str | None = None) -> ast.expr:
        """Call what counts, charges or calls back by itself; its value."""
        self.flush()
        self.emit(code.assign_attribute("machine", "level", code.load("level")))
        self.tell()
        name = into or self.temporary()
        self.emit(code.assign(name, code.call(function, *args)))
        self.reload()
        return code.load(name)

    def slow(self, name: str, function: str, *args: ast.expr) -> None:
        """The same for what is seldom needed: `function` settles what is pending, and it stays pending. Into `name`."""
        settled = (code.load("machine"), code.load("level"), code.load(code.LEFT), self.positions)
        self.emit(code.assign_both(name, code.LEFT, code.call(function, *settled, *args)))

    # --- values -------------------------------------------------------------------------------------------------------

    def own(self, operand: Operand) -> Operand:
        """`operand`, copied where it is part of something else."""
        if operand.owes < 0 or is_unchanging(operand.kind):
            return operand._replace(owes=-1)
        name = self.temporary()
        self.emit(code.assign(name, operand.expr))
        with self.branch() as lines:
            at = code.constant(operand.owes)
            if operand.cell is not None:
                at = code.choose(code.kind_is(operand.cell, "Shared"), code.constant(NONE), at)
            self.slow(name, "copied", operand.expr, at)
        self.emit(code.if_(code.negate(code.kind_in(operand.expr, "UNCHANGING")), lines))
        return Operand(code.load(name), operand.kind)

    def owed(self, node: Expr) -> At:
        """The position at which a constant or a variable is copied before it is kept, -1 where it is shared."""
        return node.at if self.sharing is None or type(node) is Constant or node in self.sharing.reads else -1

    def stored(self, node: Let | Assign, operand: Operand) -> Operand:
        """`operand`, for the variable that `node` puts it into."""
        if self.sharing is None or node not in self.sharing.stores:
            return operand
        return self.own(operand._replace(owes=node.at, cell=None))

    def constant(self, value: Value) -> ast.expr:
        """A value of the script that never changes."""
        if type(value) in _LITERALS:
            return code.constant(value)
        return self.pool.add(value)

    def test(self, operand: Operand, kind: type) -> list[ast.expr]:
        """The conditions for `operand` being of `kind`: none if that is known."""
        return [] if operand.kind is kind else [code.kind_is(operand.expr, NAMES[kind])]

    # --- variables ----------------------------------------------------------------------------------------------------

    def define(self, name: str, constant: bool, kind: Kind) -> Variable:
        """A new variable that holds a value of `kind` at first."""
        self._variables += 1
        number = self._variables
        guess = self.guesses.setdefault(number, kind)
        is_cell = isinstance(guess, str)
        variable = Variable(name, f"v{number}", number, constant, None if isinstance(guess, str) else guess, is_cell)
        self.note(variable, kind)
        self.scope.append(variable)
        return variable

    def note(self, variable: Variable, kind: Kind) -> None:
        """A value of `kind` is put into `variable`."""
        if not variable.is_cell and variable.kind is not None and variable.kind is not kind:
            self.guesses[variable.number] = None
            self.wrong = True

    def make_cell(self, variable: Variable) -> None:
        """`variable` is captured."""
        if not variable.is_cell:
            self.guesses[variable.number] = "cell"
            self.wrong = True

    def find(self, name: str, slot: int) -> Variable | None:
        """The variable of this unit that a node names, for any use; None where it must be somewhere else."""
        found = self.spot(name, slot)
        if found is not None:
            found.is_kept = True
        return found

    def spot(self, name: str, slot: int) -> Variable | None:
        """The same, to read parts out of it."""
        if slot:
            return self.scope[-slot] if slot <= len(self.scope) else None
        for variable in reversed(self.scope):
            if variable.name == name:
                return variable
        return None

    def forget(self, size: int) -> None:
        """Leave a block: drop variables until `size` are left, and what they hold."""
        for variable in self.scope[size:]:
            if not self.dead and not is_unchanging(variable.kind):
                self.emit(code.assign(variable.code, code.constant(None)))
        del self.scope[size:]

    # --- ends ---------------------------------------------------------------------------------------------------------

    def finish(self, operand: Operand, target: Target) -> None:
        """Bring the value of a statement where it belongs."""
        if isinstance(target, str):
            self.emit(code.assign(target, operand.expr))
        elif target is not None:
            self.flush()
            if self.is_program:
                self.tell()
            self.emit(code.Return(operand.expr))
            self.dead = True


_LITERALS: Final = frozenset({int, float, bool, str, type(None)})
