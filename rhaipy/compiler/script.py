"""A whole script, compiled: one Python function that makes all others, so that they share what belongs to one run."""

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

from rhaipy.compiler import assignments, calls, chains, code, expressions, loops, operations, statements
from rhaipy.compiler.names import GLOBALS
from rhaipy.compiler.profile import Profile
from rhaipy.compiler.unit import RETURN, Guesses, Pool, Script, TooMuch, Unit, Unsupported
from rhaipy.interpreter.machine import Machine
from rhaipy.limits import Meter
from rhaipy.modules import Library, ScriptFunction
from rhaipy.sharing import Sharing
from rhaipy.source import At
from rhaipy.syntax.nodes import Stmt
from rhaipy.values import Value

__all__ = ["assignments", "calls", "chains", "expressions", "loops", "operations"]

Entry: TypeAlias = Callable[[int, At, Any, list[Value]], Value]
"""A compiled function, for callers that are not: level, position of the call, `this`, arguments."""
Main: TypeAlias = Callable[[int, Any], Value]
"""A compiled program: level, scope."""
Factory: TypeAlias = Callable[[Machine, Meter, int], tuple[Any, ...]]

FRAME: Final = 20
"""Lines around those of a function."""
MOST_ATTEMPTS: Final = 12
"""Attempts to guess the kinds of the variables of a unit."""


@dataclass(frozen=True, slots=True, eq=False)
class Compiled:
    """What the compiler made of a script for one profile.

    `make` gives the functions for one run: one that ends it, the program, if `has_main`, then those of `functions`, in order.
    """

    make: Factory
    has_main: bool
    functions: tuple[ScriptFunction, ...]
    reads: dict[ScriptFunction, frozenset[int]]

    def start(self, machine: Machine) -> Main | None:
        """Give the compiled functions to `machine` for its run; the compiled program, if there is one."""
        machine.end_compiled, *made = self.make(machine, machine.meter, 0)
        main = made.pop(0) if self.has_main else None
        machine.compiled, machine.reads = dict(zip(self.functions, made, strict=True)), self.reads
        return main


def compile_script(
    program: tuple[Stmt, ...], library: Library, profile: Profile, sharing: Sharing | None = None
) -> Compiled | None:
    """The compiled form of a script; None where nothing of it can be compiled."""
    try:
        return _compiled(program, Script(profile, library, sharing))
    except TooMuch:
        return None


def _compiled(program: tuple[Stmt, ...], script: Script) -> Compiled | None:
    library = script.library
    functions = [function for same in library.named.values() for function in same if _is_reached(library, function)]
    script.names = {id(function): f"f{number}" for number, function in enumerate(functions)}
    _main(program, script)
    made: dict[int, _Made] = {}
    while True:
        stale = [function for function in functions if id(function) in script.names and _is_stale(function, script, made)]
        if not stale:
            break
        for function in stale:
            unit = _function(function, script)
            if unit is None:
                del script.names[id(function)]  # which may decide about those that call it
            else:
                made[id(function)] = unit
    able = [function for function in functions if id(function) in script.names]
    main = _main(program, script)
    body = [line for function in able for line in made[id(function)].lines]
    results = [code.load(f"e{script.names[id(function)]}") for function in able]
    if main is not None:
        body.append(main)
        results.insert(0, code.load("main"))
    if not body:
        return None
    body.append(_end([script.names[id(function)] for function in able]))
    body.append(code.Return(code.tuple_of([code.load("end"), *results])))
    factory = _factory(body, script.pool)
    reads = {function: made[id(function)].only_read for function in able}
    return None if factory is None else Compiled(factory, main is not None, tuple(able), reads)


def _end(functions: list[str]) -> ast.stmt:
    """What ends a run: functions that know each other would keep themselves, and the machine, until garbage is collected."""
    shared = ["machine", "meter", *functions]
    return code.function("end", [], [code.Nonlocal(shared), *[code.assign(name, code.constant(None)) for name in shared]])


class _Made(NamedTuple):
    """A function, compiled: its lines, and what it relies on: captured variables, and functions that it calls.

    `only_read` are the numbers of the parameters that it reads parts out of, and nothing else.
    """

    lines: list[ast.stmt]
    captures: int
    calls: frozenset[int]
    only_read: frozenset[int]


def _is_stale(function: ScriptFunction, script: Script, made: dict[int, _Made]) -> bool:
    """Must `function` be compiled, or once more?"""
    before = made.get(id(function))
    if before is None:
        return True
    return before.captures != script.captures.get(function.definition.name, 0) or not before.calls <= script.names.keys()


def _is_reached(library: Library, function: ScriptFunction) -> bool:
    definition = function.definition
    count = len(definition.params)
    if not definition.body.statements or function.environment is not None:
        return False
    if definition.this_type is None:
        return library.functions.get((definition.name, count)) is function
    return library.methods.get((definition.this_type, definition.name, count)) is function


def _factory(body: list[ast.stmt], pool: Pool) -> Factory | None:
    tree = ast.Module([code.function("make", ["machine", "meter", code.LEFT], body)], [])
    found: dict[str, Any] = {"__builtins__": {}, **GLOBALS, **pool.values}
    try:
        exec(compile(tree, "<rhai>", "exec"), found)
    except (SyntaxError, RecursionError, MemoryError):
        return None
    made: Factory = found["make"]
    return made


# --- units ----------------------------------------------------------------------------------------------------------------


def _attempts(script: Script, fill: Callable[[Unit], None]) -> Unit | None:
    """The unit that `fill` fills, with what its variables hold guessed right; None where it cannot be compiled."""
    guesses: Guesses = {}
    for _ in range(MOST_ATTEMPTS):
        unit = Unit(script, guesses)
        try:
            fill(unit)
        except Unsupported:
            return None
        if not unit.wrong:
            return unit
    return None


def _function(function: ScriptFunction, script: Script) -> _Made | None:
    definition = function.definition
    captures = script.captures.get(definition.name, 0)

    def fill(unit: Unit) -> None:
        for number, param in enumerate(definition.params):
            if number < captures:
                unit.guesses[number + 1] = "cell"
            unit.params.append(unit.define(param, False, None))
        script.spend(FRAME)
        statements.run(unit, definition.body.statements, RETURN)

    unit = _attempts(script, fill)
    if unit is None:
        return None
    name, most = script.names[id(function)], script.profile.max_call_levels
    too_deep = code.raise_(code.call("too_deep", code.load("meter"), code.load(code.LEFT), code.load("at")))
    guard = [code.if_(code.compare(code.load("level"), ast.Gt(), code.constant(most)), [too_deep])] if most else []
    left = code.call("left_call", code.load("machine"), code.load("error"), code.load("at"), code.constant(definition.name))
    whole = code.try_(unit.lines, "LEAVING", "error", [code.raise_(left)])
    params = [variable.code for variable in unit.params]
    inner = code.function(name, ["level", "at", "this", *params], [code.Nonlocal([code.LEFT]), *guard, whole])
    return _Made([inner, _entry(name, len(params), captures)], captures, frozenset(unit.calls), _only_read(unit))


def _only_read(unit: Unit) -> frozenset[int]:
    return frozenset([number for number, param in enumerate(unit.params) if not param.is_kept and not param.is_cell])


def _entry(name: str, count: int, captures: int) -> ast.stmt:
    """How others call a compiled function: with a list of arguments, captured variables first, and the meter as it is.

    UNFIT comes back where a cell is handed in for a plain parameter, or the other way round.
    """
    args = [code.item(code.load("args"), code.constant(index)) for index in range(count)]
    tests = [code.kind_is(arg, "Shared") for arg in args]
    unfit = [code.negate(test) if number < captures else test for number, test in enumerate(tests)]
    body: list[ast.stmt] = [code.Nonlocal([code.LEFT])]
    if unfit:
        body.append(code.if_(code.any_of(unfit), [code.Return(code.load("UNFIT"))]))
    meter = code.load("meter")
    ceiling = code.attribute(meter, "ceiling")
    body.append(code.assign(code.LEFT, code.binary(ceiling, ast.Sub(), code.attribute(meter, "operations"))))
    body.append(code.assign("result", code.call(name, code.load("level"), code.load("at"), code.load("this"), *args)))
    body.append(code.assign_attribute("meter", "operations", code.binary(ceiling, ast.Sub(), code.load(code.LEFT))))
    body.append(code.Return(code.load("result")))
    return code.function(f"e{name}", ["level", "at", "this", "args"], body)


def _main(program: tuple[Stmt, ...], script: Script) -> ast.stmt | None:
    if not program:
        return None

    def fill(unit: Unit) -> None:
        unit.is_program = True
        statements.run(unit, program, RETURN)

    unit = _attempts(script, fill)
    if unit is None:
        return None
    declared = [variable.code for variable in unit.outermost]
    values = code.tuple_of([code.load(name) for name in declared])
    back = code.Expr(code.call("write_back", code.load("scope"), code.load("base"), values))
    meter = code.load("meter")
    left = code.binary(code.attribute(meter, "ceiling"), ast.Sub(), code.attribute(meter, "operations"))
    begin: list[ast.stmt] = [code.Nonlocal([code.LEFT]), *[code.assign(name, code.constant(None)) for name in declared]]
    begin.append(code.assign("base", code.call("len", code.attribute(code.load("scope"), "names"))))
    begin.append(code.assign(code.LEFT, left))
    return code.function("main", ["level", "scope"], [*begin, code.Try(unit.lines, [], [], [back])])
