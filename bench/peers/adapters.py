"""How each peer is driven: compile a program once, then run an expression of it on a fresh engine each time.

They are imported by name, since none of them need be installed, and bounded where they can be.
"""

import json
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, TypeAlias

Run: TypeAlias = Callable[[Any], Any]
"""Evaluates what was prepared, with `ctx` as its variable."""

STEPS: Final = 10**9


def restricted_python(source: str, entry: str) -> Run:
    package, guards = import_module("RestrictedPython"), import_module("RestrictedPython.Guards")
    evaluation = import_module("RestrictedPython.Eval")
    code = package.compile_restricted(f"{source}\nresult = {entry}", "<program>", "exec")
    names = {
        **package.safe_globals,
        "_getiter_": evaluation.default_guarded_getiter,
        "_getitem_": evaluation.default_guarded_getitem,
        "_write_": guards.full_write_guard,
        "_inplacevar_": lambda operator, left, right: left + right,
        "_iter_unpack_sequence_": guards.guarded_iter_unpack_sequence,
    }
    names["__builtins__"] = {**names["__builtins__"], "dict": dict, "list": list}

    def run(ctx: Any) -> Any:
        space = {**names, "ctx": ctx}
        exec(code, space)
        return space["result"]

    return run


def asteval(source: str, entry: str) -> Run:
    package = import_module("asteval")
    text = f"{source}\n{entry}"
    tree = package.Interpreter().parse(text)

    def run(ctx: Any) -> Any:
        engine = package.Interpreter(use_numpy=False)
        engine.symtable["ctx"] = ctx
        result = engine.run(tree, expr=text)
        if engine.error:
            raise RuntimeError(engine.error[0].get_error()[1])
        return result

    return run


def simpleeval(source: str, entry: str) -> Run:
    package = import_module("simpleeval")
    tree = package.SimpleEval.parse(source)

    def run(ctx: Any) -> Any:
        return package.EvalWithCompoundTypes(names={"ctx": ctx}, functions={"any": any}).eval(source, previously_parsed=tree)

    return run


def cel_python(source: str, entry: str) -> Run:
    package, adapter = import_module("celpy"), import_module("celpy.adapter")
    environment = package.Environment()
    tree = environment.compile(source)

    def run(ctx: Any) -> Any:
        result = environment.program(tree).evaluate({"ctx": package.json_to_cel(ctx)})
        return json.loads(json.dumps(result, cls=adapter.CELJSONEncoder))

    return run


def starlark(source: str, entry: str) -> Run:
    package = import_module("starlark")
    code = package.compile(f"{source}\nresult = {entry}", mode="file")

    def run(ctx: Any) -> Any:
        return package.from_value(code.exec(predeclared={"ctx": package.to_value(ctx)}, max_steps=STEPS).get("result"))

    return run


def starlark_pyo3(source: str, entry: str) -> Run:
    package = import_module("starlark")
    dialect = package.Dialect.extended()
    dialect.enable_top_level_stmt = True
    names = package.Globals.standard()

    def run(ctx: Any) -> Any:
        module = package.Module()
        module["ctx"] = ctx
        return package.eval(module, package.parse("program", f"{source}\n{entry}", dialect), names)

    return run


def lupa(source: str, entry: str) -> Run:
    package = import_module("lupa")

    def run(ctx: Any) -> Any:
        lua = package.LuaRuntime(register_eval=False, register_builtins=False)
        lua.globals()["ctx"] = lua.table_from(ctx, recursive=True) if ctx is not None else None
        lua.execute(source)
        return _from_lua(package, lua.eval(entry))

    return run


def _from_lua(package: Any, value: Any) -> Any:
    if package.lua_type(value) != "table":
        return value
    keys = list(value.keys())
    if keys and keys[0] == 1:
        return [_from_lua(package, item) for item in value.values()]
    return {key: _from_lua(package, item) for key, item in value.items()}


def quickjs(source: str, entry: str) -> Run:
    package = import_module("quickjs")

    def run(ctx: Any) -> Any:
        engine = package.Context()
        engine.set_memory_limit(128 * 1024 * 1024)
        engine.set("text", json.dumps(ctx))
        return json.loads(engine.eval(f"{source}\nvar ctx = JSON.parse(text); JSON.stringify({entry})"))

    return run


def monty(source: str, entry: str) -> Run:
    pool = import_module("pydantic_monty").Monty().__enter__()

    def run(ctx: Any) -> Any:
        with pool.checkout() as session:
            return session.feed_run(f"{source}\n{entry}", inputs={"ctx": ctx})

    return run


ADAPTERS: Final[dict[str, Callable[[str, str], Run]]] = {
    "RestrictedPython": restricted_python,
    "asteval": asteval,
    "cel-python": cel_python,
    "lupa": lupa,
    "pydantic-monty": monty,
    "quickjs": quickjs,
    "simpleeval": simpleeval,
    "starlark": starlark,
    "starlark-pyo3": starlark_pyo3,
}
"""By the name of the package."""
WORKS_ELSEWHERE: Final = frozenset({"pydantic-monty"})
"""Those that do the work in a process of their own; they are timed by the wall clock."""
