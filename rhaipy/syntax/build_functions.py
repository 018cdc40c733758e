"""Reductions of functions and closures: parameters, levels, and what a closure captures."""

from rhaipy.parse_errors import ParseError
from rhaipy.source import NONE
from rhaipy.syntax.build_expressions import as_block, named_variable
from rhaipy.syntax.builder import Builder, Values, reduces
from rhaipy.syntax.nodes import Block, BlockExpr, Call, Constant, ExprStmt, Share
from rhaipy.syntax.program import Function
from rhaipy.typings import TypeAlias
from rhaipy.values import FnPtr

Names: TypeAlias = tuple[str, ...]
Signature: TypeAlias = tuple[int, int, str, Names, str | None]
"""Of a function: the index of `fn`, the index it begins at, its name, its parameters, the type of `this`."""

_TYPES = {"int": "i64", "float": "f64"}


@reduces("fn_word", moving=True)
def fn_word(builder: Builder, values: Values) -> tuple[int, int]:
    """fn, private fn: from here on, levels count from 1 and names are the function's own."""
    first, word = values[0], values[-1]
    if not builder.scope.is_global:
        raise ParseError(builder.ats[first], "WrongFnDefinition")
    if builder.functions_full():
        raise ParseError(builder.ats[word], "TooManyFunctions")
    builder.enter_function(builder.scope.strict)
    return word, first


@reduces("signature")
def signature(builder: Builder, values: Values) -> Signature:
    (word, first), name, params = values
    return word, first, builder.text(name), params, None


@reduces("typed_signature")
def typed_signature(builder: Builder, values: Values) -> Signature:
    (word, first), this_type, _, name, params = values
    kind = builder.text(this_type)
    return word, first, builder.text(name), params, _TYPES.get(kind, kind)


@reduces("no_params")
def no_params(_builder: Builder, _values: Values) -> Names:
    return ()


@reduces("params")
def params(builder: Builder, values: Values) -> Names:
    names = tuple(values[1])
    for name in names:
        builder.scope.push(name)
    return names


@reduces("one_param")
def one_param(builder: Builder, values: Values) -> dict[str, None]:
    return {builder.text(values[0]): None}


@reduces("more_params")
def more_params(builder: Builder, values: Values) -> dict[str, None]:
    """A dict, since it keeps the order and finds duplicates at once."""
    names: dict[str, None]
    names, _, index = values
    name = builder.text(index)
    if name in names:
        opening = builder.stack[-1]
        of_closure = builder.kinds[opening] == "|"
        raise ParseError(builder.ats[index], "FnDuplicatedParam", "" if of_closure else builder.text(opening - 1), name)
    names[name] = None
    return names


@reduces("function", moving=True)
def function(builder: Builder, values: Values) -> int:
    (word, first, name, names, this_type), body = values
    builder.leave_function()
    at = builder.ats[word]
    key = (name, len(names), this_type)
    if key in builder.functions:
        raise ParseError(at, "FnDuplicatedDefinition", name, len(names))
    private = builder.kinds[first] == "private"
    builder.define(Function(at, name, names, body, private, this_type, tuple(builder.docs.get(first, ()))))
    builder.function_names.add(name)
    index: int = word
    return index


# --- closures -------------------------------------------------------------------------------------------------------------


@reduces("closure_params", "no_closure_params", moving=True)
def closure_params(builder: Builder, values: Values) -> tuple[int, Names]:
    """|a, b|: from here on, names are the closure's own, and those it captures."""
    pipe, names = values[0], tuple(values[1]) if len(values) > 2 else ()
    builder.enter_closure()
    builder.go_deeper(builder.ats[pipe])
    for name in names:
        builder.scope.push(name)
    return pipe, names


@reduces("empty_body")
def empty_body(builder: Builder, values: Values) -> Block:
    """A body that is only `;`, or a function, or missing at the end of the text."""
    at = builder.ats[values[-1]]
    return Block(at, at, ())


@reduces("closure", moving=True)
def closure(builder: Builder, values: Values) -> Constant | BlockExpr:
    """A pointer to a new function; if it captures, a block that shares the captured variables and curries the pointer."""
    (pipe, names), body = values
    captured = builder.leave_closure()
    at = builder.ats[pipe]
    params = (*captured, *names)
    name = f"anon${builder.salt:08x}{pipe:08x}"
    pointer = Constant(at, FnPtr(name, (), len(params)))
    variables = tuple([named_variable(builder, captive, where) for captive, where in captured.items()])
    builder.define(Function(at, name, params, as_block(body), False, None, ()))
    if not variables:
        return pointer
    curry = Call(at, "curry", (pointer, *variables))
    return BlockExpr(at, Block(at, NONE, (Share(variables[0].at, variables), ExprStmt(at, curry))))
