"""The rewrites of the real engine's level `simple`, as far as scripts and counters can observe them.

They are a part of the language here, not a matter of speed: they decide about operation counts, about positions, and now and then
about the result. So they follow the engine step by step, its oddities included, and no further. The cases that comments here name
show such oddities; they are in `conformance/cases/optimizer/quirks.rhai`.
"""

from collections.abc import Iterable

from rhaipy.host_types import NO_HOST_TYPES, HostTypes
from rhaipy.limits import Limits, Meter
from rhaipy.optimize import chains, switches
from rhaipy.optimize.blocks import rewrite_list
from rhaipy.optimize.rewriter import Known, Overridden, Rewriter
from rhaipy.source import NONE
from rhaipy.syntax.nodes import Block, Constant, Stmt
from rhaipy.syntax.program import Function, Program
from rhaipy.values import Value

__all__ = ["chains", "optimize", "switches"]

NO_LIMITS = Limits()


def optimize(
    program: Program,
    scope: Iterable[tuple[str, bool, Value]] = (),
    limits: Limits = NO_LIMITS,
    types: HostTypes = NO_HOST_TYPES,
    overridden: Overridden = frozenset(),
) -> Program:
    """`program` at level `simple`. `scope` is what it will run in: name, "is it a constant?" and value, the oldest first.

    `limits` matter because an operator that fails, as on a text that grows too long, is left to fail when it runs. `types` has
    the names of the host's classes, `overridden` the operators that are left alone.
    """
    known = Known([(name, Constant(NONE, value) if constant else None) for name, constant, value in scope])
    meter = Meter(limits)  # one for all functions, so that folding in each cannot add up
    meter.types = types
    rewriter = Rewriter(known, meter, overridden)
    functions = tuple([_optimize_function(function, rewriter) for function in program.functions])
    return Program(program.at, _optimize_body(program.statements, rewriter), functions)


def _optimize_function(function: Function, rewriter: Rewriter) -> Function:
    body = function.body
    statements = _optimize_body(body.statements, rewriter)
    if statements is body.statements:
        return function
    return Function(
        function.at,
        function.name,
        function.params,
        Block(body.at, body.end, statements),
        function.private,
        function.this_type,
        function.doc,
    )


def _optimize_body(statements: tuple[Stmt, ...], rewriter: Rewriter) -> tuple[Stmt, ...]:
    size = len(rewriter.known.names)
    rewriter.propagates, rewriter.changed = True, False
    rewritten = rewrite_list(rewriter, statements, keeps_value=True, is_body=True)
    rewriter.known.rewind(size)
    return rewritten
