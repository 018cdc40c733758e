"""The two evaluators: which one runs a script.

The reference evaluator runs everything. The compiler turns a script into Python code once, and what it made is kept with the
script; what it cannot compile, and runs that want to be told of each operation, stay with the reference evaluator. Nothing but
the clock can tell the difference.
"""

from collections.abc import Callable
from typing import Final, Literal, TypeAlias

from rhaipy.interpreter import Machine
from rhaipy.modules import Library
from rhaipy.scope import Scope
from rhaipy.syntax import nodes
from rhaipy.syntax.nodes import Stmt
from rhaipy.values import Value

Tier: TypeAlias = Literal["auto", "compiled", "reference"]
"""Which evaluator runs scripts: the reference, the compiled one wherever it can, or that one where it is likely to pay."""

Main: TypeAlias = Callable[[int, Scope], Value]
"""The compiled statements of a program: level, scope."""

PAYS_AFTER: Final = 8
"""Runs of a script without loops after which `auto` compiles it."""
MOST_FORMS: Final = 8
"""Compiled forms of one script that are kept: one for each profile of an engine that runs it."""


def attach(machine: Machine, tier: Tier, statements: tuple[Stmt, ...], library: Library) -> Main | None:
    """Give `machine` the compiled form of the script, if it has one and may use it; the compiled program, if there is one."""
    world = machine.world
    if tier == "reference" or machine.meter.progress is not None or world.packages or world.on_var or world.on_def_var:
        return None
    if tier == "auto" and not _pays(statements, library):
        return None
    from rhaipy.compiler import Compiled, compile_script, profile_of  # most runs need it not

    profile = profile_of(world.limits, world.options, world.functions)
    if profile is None:
        return None
    forms = library.forms
    if profile not in forms:
        if len(forms) >= MOST_FORMS:
            forms.clear()
        forms[profile] = compile_script(statements, library, profile)
    form: Compiled | None = forms[profile]
    if form is None:
        return None
    main, machine.compiled = form.start(machine)
    return main


def _pays(statements: tuple[Stmt, ...], library: Library) -> bool:
    library.runs += 1
    return library.runs > PAYS_AFTER or _loops(statements, library)


def _loops(statements: tuple[Stmt, ...], library: Library) -> bool:
    """Does the script have loops, or functions that call functions?"""
    return False
