"""rhaipy behind the verdict protocol: `python -m conformance.subject` answers JSON lines until its input ends.

No request ends the process. The runner calls `answer` directly.
"""

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from conformance import requests
from conformance.answers import Records, display_shared, failure, plain_data, success, trouble
from conformance.oracle_client import Answer
from conformance.requests import BadRequest, Request
from rhaipy import UNBOUND, Engine, Limits, Meter, Module, Options, ParseError, Ref, RhaiError, Scope, Value
from rhaipy.display import display
from rhaipy.errors import InModule
from rhaipy.values import Shared

PLAIN_LIMITS: Final = Limits(max_operations=3_000_000)


def answer(request: object, fuel: int = 0, memory: int = 0) -> Answer:
    """The answer to one request; never raises. `fuel` and `memory` are bounds that the protocol knows nothing of."""
    found: Answer
    records = Records()
    try:
        found = _run(requests.check(request), records, fuel, memory)
    except BadRequest as error:
        found = trouble("request", "BadRequest", str(error), Records())
    except Exception as error:
        found = trouble("panic", "Panic", f"{type(error).__name__}: {error}", records)
    return {"id": request.get("id") if isinstance(request, Mapping) else None, **found}


class _Run:
    """One request being carried out."""

    def __init__(self, request: Request, records: Records) -> None:
        self.request = request
        self.records = records
        self.call = requests.call(request)
        self.this = Ref(self.call.this) if self.call is not None and self.call.has_this else None
        self.scope = _scope(request)
        shows = bool(self.scope.names) or bool(request.get("vars"))
        self.seen = self.scope if shows else None  # who sees no variables is given no scope, and may share
        self.modules: dict[str, Module] = {}
        self.evaluates_module = False
        self.engine = _engine(request, records, self.modules.get)
        self.meter = self.engine.meter()

    def value(self) -> Value:
        """The value that the script or the call gives."""
        source: str = self.request["src"]
        if self.request.get("expression"):
            return self.engine.eval_expression(source, self.seen, meter=self.meter)
        ast = self.engine.compile(source, scope=self.scope)
        call = self.call
        if call is None:
            return self.engine.eval(ast, self.seen, meter=self.meter)
        return self.engine.call_fn(
            ast,
            call.name,
            *call.args,
            scope=self.seen,
            this=self.this if self.this is not None else UNBOUND,
            eval_ast=call.eval_ast,
            meter=self.meter,
        )

    def script_text(self, function: str, value: Value) -> str | None:
        """What the script-level `function` makes of `value`; None where that breaks a limit."""
        scope = Scope()
        scope.push("value", value)
        meter = Meter(Limits(max_string_size=self.engine.limits.max_string_size))
        try:
            return display(self.engine.eval(_TEXTS[function], scope, meter=meter))
        except RhaiError:
            return None


_TEXTS: Final = {name: Engine().compile(f"{name}(value)") for name in ("to_string", "to_debug")}


def _run(request: Request, records: Records, fuel: int, memory: int) -> Answer:
    run = _Run(request, records)
    if fuel or memory:
        run.engine.limits = replace(run.engine.limits, fuel=fuel, memory=memory)
        run.meter = run.engine.meter()
    try:
        _load_modules(run)
        value = run.value()
    except RhaiError as error:
        records.operations = run.meter.last_operation
        found = failure(error, "run" if run.meter.operations or run.evaluates_module else _stage(error), records)
    else:
        records.operations = run.meter.last_operation
        found = success(value, run.meter.gave_shared, run.script_text, records)
    return found | _left_behind(run)


def _left_behind(run: "_Run") -> Answer:
    """What the run made of what it was given: the `this` of a call, and the variables if they are asked for."""
    left: Answer = {"fuel": run.meter.fuel} if run.engine.limits.fuel else {}
    if run.this is not None:
        left["this"] = plain_data(run.this.value)
    if run.request.get("vars"):
        left["vars"] = _variables(run.scope)
    return left


def _stage(error: RhaiError) -> str:
    """Where an error before the first operation comes from."""
    inner = error.inner if isinstance(error, InModule) and error.inner is not None else error
    return "parse" if isinstance(inner, ParseError) else "run"


# --- what a run needs -----------------------------------------------------------------------------------------------------


def _scope(request: Request) -> Scope:
    """Variables before constants, each in the order of their names."""
    scope = Scope()
    for name, data in sorted(request.get("scope", {}).items()):
        scope.push(name, requests.value(data))
    for name, data in sorted(request.get("consts", {}).items()):
        scope.push_constant(name, requests.value(data))
    return scope


def _engine(request: Request, records: Records, modules: Callable[[str], Module | None]) -> Engine:
    level = request.get("opt", "simple")
    if request.get("profile") == "hook":
        from stagehooks.scripts.hardened import PARITY_LIMITS, hardened_engine

        engine = hardened_engine(requests.limits(request, PARITY_LIMITS), level)
        engine.set_module_resolver(modules)
    else:
        engine = Engine(requests.limits(request, PLAIN_LIMITS), Options(), level, modules=modules)
        engine.on_print(records.print)
        engine.on_debug(records.debug)
    engine.options = requests.options(request, engine.options)
    engine.tier = request.get("tier", "auto")
    return engine


def _load_modules(run: _Run) -> None:
    """In the order of their names; each can import those before it. What they print or count is not the script's."""
    for name, source in sorted((run.request.get("modules") or {}).items()):
        try:
            run.engine.compile(source)
            run.evaluates_module = True
            run.modules[name] = run.engine.module(source, name)
            run.evaluates_module = False
        except RhaiError as error:
            raise error if isinstance(error, InModule) else InModule(0, name, error) from None
        finally:
            run.records.clear()


def _variables(scope: Scope) -> list[list[str]]:
    newest_first = reversed(list(zip(scope.names, scope.constants, scope.values, strict=True)))  # as the real engine lists them
    return [[name, "const" if constant else "let", _variable_text(held)] for name, constant, held in newest_first]


def _variable_text(held: Value) -> str:
    return display_shared(held.value) if type(held) is Shared else display(held)


# --- the server -----------------------------------------------------------------------------------------------------------


def answer_line(line: bytes) -> Answer:
    """The answer to a line that should hold a request."""
    try:
        request: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        return {"id": None, **trouble("request", "BadRequest", f"not JSON: {error}", Records())}
    return answer(request)


def main() -> None:
    """Answer each line of standard input with a line of standard output, flushed at once."""
    for line in sys.stdin.buffer:
        text = json.dumps(answer_line(line), ensure_ascii=False)
        sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass") + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
