"""A stage-hook script: compiled and checked once, then called on a fresh hardened engine each time.

What a hook's answer means for an agent is not decided here; only that there is a well-formed one.
"""

from collections.abc import Iterable

from rhaipy import AST, individual, record
from stagehooks.errors import AnswerError, ValidationError
from stagehooks.scripts.calling import called, compiled, defined_functions
from stagehooks.scripts.json_text import Json
from stagehooks.scripts.outcome import HOOK_NAMES, BadAnswer, HookOutcome, read_outcome


@individual
class HookScript:
    """A compiled stage-hook script, ready to call. `path` is what messages call it, `defined` in the order of HOOK_NAMES."""

    path: str
    defined: tuple[str, ...]
    ast: AST

    def __repr__(self) -> str:
        return f"HookScript({self.path!r}, defines {', '.join(self.defined) or 'no hook'})"

    def defines(self, name: str) -> bool:
        """Does the script define the hook `name`?"""
        return name in self.defined


@record
class HookCall:
    """What one call gave, and what it used: operations as Rhai counts them, fuel in units of about a microsecond."""

    outcome: HookOutcome
    operations: int
    fuel: int


def compile(path: str, source: str, wanted: Iterable[str] = ()) -> HookScript:
    """Compile the script `source`, which messages call `path`, and note which hooks it defines.

    Every hook in it must take exactly one parameter, asked for or not, and those in `wanted` must be there. Raises
    CompilationError or ValidationError.
    """
    ast = compiled(path, source)
    defined = defined_functions(path, ast, HOOK_NAMES)
    for name in wanted:
        if name not in defined:
            raise ValidationError(path, name, f"the blueprint names this file for '{name}', but it defines no fn {name}(ctx)")
    return HookScript(path, defined, ast)


def run(script: HookScript, hook: str, ctx: Json) -> HookOutcome:
    """Call `hook(ctx)` and interpret the decision. Raises ContextError, ExecutionError or AnswerError."""
    return call(script, hook, ctx).outcome


def call(script: HookScript, hook: str, ctx: Json) -> HookCall:
    """Call `hook(ctx)` on a fresh engine: the decision, and what it took. Raises as `run`."""
    answer = called(script.path, script.ast, hook, ctx)
    try:
        outcome = read_outcome(answer.value)
    except BadAnswer as error:
        raise AnswerError(script.path, hook, f"{hook}: {error}", answer.meter) from None
    return HookCall(outcome, answer.meter.operations, answer.meter.fuel)
