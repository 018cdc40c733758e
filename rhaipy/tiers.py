"""The two evaluators: which one runs a script.

The reference evaluator runs everything. The compiler turns a script into Python code once, and what it made is kept with the
script; what it cannot compile, and runs that want to be told of each operation, stay with the reference evaluator. But for the
clock, the two differ only where a limit on memory makes them count what is alive: what is unfinished is held in other places, so
that the count, and the unit of fuel or two that it costs, may differ.

To compile takes a third of a millisecond a line, as long as the reference evaluator needs for some 500 operations. So `auto`
compiles a program with a loop of its own before it runs, since nothing can take over in the middle of one; all others when they
have done enough work for that to pay, in one run or in many. Then each function that is called is the compiled one.
"""

from collections.abc import Callable

from rhaipy.interpreter import Machine
from rhaipy.limits import Limits
from rhaipy.modules import Library
from rhaipy.records import replaced
from rhaipy.scope import Scope
from rhaipy.syntax import nodes
from rhaipy.syntax.nodes import Block, Expr, Stmt
from rhaipy.typings import Any, Final, Literal, TypeAlias
from rhaipy.values import Value

Tier: TypeAlias = Literal["auto", "compiled", "reference"]
"""Which evaluator runs scripts: the reference, the compiled one wherever it can, or that one where it is likely to pay."""

TIERS: Final = ("auto", "compiled", "reference")

Main: TypeAlias = Callable[[int, Scope], Value]
"""The compiled statements of a program: level, scope."""

PAYS_AFTER: Final = 20_000
"""Operations of a script after which `auto` compiles it."""
MOST_FORMS: Final = 8
"""Compiled forms of one script that are kept: one for each profile of an engine that runs it."""


def attach(machine: Machine, tier: Tier, statements: tuple[Stmt, ...], library: Library) -> Main | None:
    """Let `machine` use the compiled form of the script, now or when that pays; the compiled program, if there is one."""
    world = machine.world
    if tier == "reference" or machine.meter.progress is not None or world.packages or world.on_var or world.on_def_var:
        return None
    if world.modules and True in [module.shows_functions for module in world.modules.values()]:
        return None  # compiled code knows the functions of the engine only
    if tier == "auto" and library.work < PAYS_AFTER and not _loops(statements):
        machine.promotes_at = machine.meter.operations + PAYS_AFTER - library.work
        machine.promote = lambda: _compile(machine, statements, library) and None
        return None
    return _compile(machine, statements, library)


def _compile(machine: Machine, statements: tuple[Stmt, ...], library: Library) -> Main | None:
    world, sharing = machine.world, machine.sharing
    setting = machine.meter.limits, world.limits, world.options, world.functions, sharing is not None
    latest, form = library.latest
    if latest != setting:  # seldom: most scripts are always run in the same one
        form = _form(machine, statements, library)
        library.latest = setting, form
    return None if form is None else form.start(machine)


def _form(machine: Machine, statements: tuple[Stmt, ...], library: Library) -> Any:
    """The compiled form for the setting of this run; None where the script stays with the reference evaluator."""
    from rhaipy.compiler import compile_script, profile_of  # many runs need it not

    world, forms, sharing = machine.world, library.forms, machine.sharing
    profile = profile_of(_judged(world.limits, machine.meter.limits), world.options, world.functions, sharing is not None)
    if profile is None:
        return None
    form = forms.get(profile)
    if form is None and profile not in forms:
        form = compile_script(statements, library, profile, sharing)
        if len(forms) >= MOST_FORMS:
            forms.clear()  # perhaps in another thread just now
        forms[profile] = form
    return form


def _judged(engine: Limits, meter: Limits) -> Limits:
    """The limits that a run is judged by: a meter brings its own, but for what it does not count."""
    if meter is engine:
        return engine
    return replaced(meter, max_call_levels=engine.max_call_levels, max_variables=engine.max_variables)


def _loops(statements: tuple[Stmt, ...]) -> bool:
    """Is there a loop among these statements, or in their blocks?"""
    pending: list[Stmt | Expr] = list(statements)
    while pending:
        node = pending.pop()
        match node:
            case nodes.While() | nodes.Do() | nodes.For():
                return True
            case Block():
                pending.extend(node.statements)
            case nodes.If():
                pending.extend((*node.body.statements, *node.otherwise.statements))
            case nodes.Try():
                pending.extend((*node.body.statements, *node.handler.statements))
            case nodes.BlockExpr():
                pending.extend(node.body.statements)
            case nodes.ExprStmt():
                pending.append(node.expr)
            case nodes.Let() | nodes.Assign():
                pending.append(node.value)
    return False
