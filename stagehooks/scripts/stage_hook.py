"""A stage-hook script: compiled and checked once, then called on a fresh hardened engine each time.

What a hook's answer means for an agent is not decided here; only that there is a well-formed one.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from rhaipy import AST, RhaiError
from stagehooks.errors import AnswerError, CompilationError, ContextError, ExecutionError, ValidationError
from stagehooks.scripts.boundary import NotPlain, to_json, to_value
from stagehooks.scripts.hardened import hardened_engine
from stagehooks.scripts.json_text import Json
from stagehooks.scripts.outcome import HOOK_NAMES, BadAnswer, HookOutcome, read_outcome


@dataclass(frozen=True, slots=True, eq=False)
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


@dataclass(frozen=True, slots=True)
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
    try:
        ast = hardened_engine().compile(source, path)
    except RhaiError as error:
        raise CompilationError(path, error) from None
    counts = {name: _parameter_counts(ast, name) for name in HOOK_NAMES}
    for name, found in counts.items():
        for count in found:
            if count != 1:
                raise ValidationError(path, name, f"fn {name} must take exactly one parameter (ctx), found {count}")
    for name in wanted:
        if not counts.get(name):
            raise ValidationError(path, name, f"the blueprint names this file for '{name}', but it defines no fn {name}(ctx)")
    return HookScript(path, tuple([name for name in HOOK_NAMES if counts[name]]), ast)


def run(script: HookScript, hook: str, ctx: Json) -> HookOutcome:
    """Call `hook(ctx)` and interpret the decision. Raises ContextError, ExecutionError or AnswerError."""
    return call(script, hook, ctx).outcome


def call(script: HookScript, hook: str, ctx: Json) -> HookCall:
    """Call `hook(ctx)` on a fresh engine: the decision, and what it took. Raises as `run`."""
    engine = hardened_engine()
    meter = engine.meter()
    try:
        argument = to_value(ctx, engine.limits)
    except NotPlain as error:
        raise ContextError(script.path, hook, f"ctx{error.path}: {error.what}") from None
    try:
        answer = engine.call_fn(script.ast, hook, argument, meter=meter)
    except RhaiError as error:
        raise ExecutionError(script.path, hook, error, meter) from None
    try:
        outcome = read_outcome(to_json(answer))
    except NotPlain as error:
        what = f"{hook} returned a value that is not plain data: {error.what}"
        raise AnswerError(script.path, hook, what, meter) from None
    except BadAnswer as error:
        raise AnswerError(script.path, hook, f"{hook}: {error}", meter) from None
    return HookCall(outcome, meter.operations, meter.fuel)


def _parameter_counts(ast: AST, name: str) -> list[int]:
    return [len(item.params) for item in ast.functions if item.name == name and item.this_type is None]
