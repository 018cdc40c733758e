"""A policy rule: a script that says whether a call may pass that the taint gate would block.

The script itself is the rule: it finds `context` and evaluates to true or false. Whatever else comes of it is no yes.
"""

from dataclasses import dataclass

from rhaipy import AST, RhaiError, Scope
from stagehooks.errors import ContextError, ExecutionError
from stagehooks.scripts.boundary import NotPlain, to_value
from stagehooks.scripts.calling import compiled
from stagehooks.scripts.hardened import hardened_engine
from stagehooks.scripts.json_text import Json

CONTEXT = "context"


@dataclass(frozen=True, slots=True, eq=False)
class PolicyRule:
    """A compiled rule, ready to ask. `path` is what messages call it, `name` what a verdict does."""

    path: str
    name: str
    ast: AST


def compile_rule(path: str, name: str, source: str) -> PolicyRule:
    """Compile the rule `source`, which messages call `path`. Raises CompilationError."""
    return PolicyRule(path, name, compiled(path, source))


def permits(rule: PolicyRule, tool: str, target: str, taint_level: str) -> bool:
    """Does `rule` allow `tool` to send data of `taint_level` to `target`? HookError where it fails: that is no yes."""
    engine = hardened_engine()
    meter = engine.meter()
    scope = Scope()
    context: Json = {"tool": tool, "target": target, "taint_level": taint_level}
    try:
        scope.push_constant(CONTEXT, to_value(context, engine.limits))
    except NotPlain as error:
        raise ContextError(rule.path, "rule", f"context{error.path}: {error.what}") from None
    try:
        return engine.eval(rule.ast, scope, meter) is True
    except RhaiError as error:
        raise ExecutionError(rule.path, "rule", error, meter) from None
