"""The rewrites of the real engine's level `simple`, as far as scripts and counters can observe them.

They are a part of the language here, not a matter of speed: they decide about operation counts, about positions, and now and then
about the result. So they follow the engine step by step, its oddities included, and no further. The cases that comments here name
show such oddities; they are in `conformance/cases/optimizer/quirks.rhai`.
"""

from collections.abc import Iterable
from dataclasses import replace

from rhaipy.limits import Limits, Meter
from rhaipy.optimize import chains, switches
from rhaipy.optimize.blocks import rewrite_list
from rhaipy.optimize.rewriter import Known, Rewriter
from rhaipy.source import NONE
from rhaipy.syntax.nodes import Constant, Stmt
from rhaipy.syntax.program import Function, Program
from rhaipy.values import Value

__all__ = ["chains", "optimize", "switches"]

NO_LIMITS = Limits()


def optimize(program: Program, scope: Iterable[tuple[str, bool, Value]] = (), limits: Limits = NO_LIMITS) -> Program:
    """`program` at level `simple`. `scope` is what it will run in: name, "is it a constant?" and value, the oldest first.

    `limits` matter because an operator that fails, as on a text that grows too long, is left to fail when it runs.
    """
    known: Known = [(name, Constant(NONE, value) if constant else None) for name, constant, value in scope]
    functions = tuple([_optimize_function(function, known, limits) for function in program.functions])
    return Program(program.at, _optimize_body(program.statements, known, limits), functions)


def _optimize_function(function: Function, known: Known, limits: Limits) -> Function:
    statements = _optimize_body(function.body.statements, known, limits)
    return replace(function, body=replace(function.body, statements=statements))


def _optimize_body(statements: tuple[Stmt, ...], known: Known, limits: Limits) -> tuple[Stmt, ...]:
    rewriter = Rewriter(list(known), Meter(limits))
    return rewrite_list(rewriter, statements, keeps_value=True, is_body=True)
