"""Python code, built node by node. No text of a script becomes a name here: names are made of our letters and numbers."""

import ast
from typing import Any, Final


class _Placed:
    """Nodes of Python need a position. All have the same, so it need not be given to each."""

    lineno = 1
    col_offset = 0


class Name(_Placed, ast.Name):
    """A variable."""


class Constant(_Placed, ast.Constant):
    """A plain value."""


class Attribute(_Placed, ast.Attribute):
    """owner.name"""


class Subscript(_Placed, ast.Subscript):
    """owner[index]"""


class Call(_Placed, ast.Call):
    """function(args)"""


class Tuple(_Placed, ast.Tuple):
    """(items)"""


class List(_Placed, ast.List):
    """[items]"""


class Dict(_Placed, ast.Dict):
    """{key: value}"""


class JoinedStr(_Placed, ast.JoinedStr):
    """f"..." """


class FormattedValue(_Placed, ast.FormattedValue):
    """A part of an f-string."""


class Compare(_Placed, ast.Compare):
    """left operator right"""


class BinOp(_Placed, ast.BinOp):
    """left operator right"""


class UnaryOp(_Placed, ast.UnaryOp):
    """operator operand"""


class BoolOp(_Placed, ast.BoolOp):
    """Conditions joined."""


class IfExp(_Placed, ast.IfExp):
    """value if condition else other"""


class Assign(_Placed, ast.Assign):
    """target = value"""


class AugAssign(_Placed, ast.AugAssign):
    """target += value"""


class Expr(_Placed, ast.Expr):
    """An expression as a statement."""


class If(_Placed, ast.If):
    """if condition: ..."""


class While(_Placed, ast.While):
    """while condition: ..."""


class For(_Placed, ast.For):
    """for target in items: ..."""


class Try(_Placed, ast.Try):
    """try: ..."""


class ExceptHandler(_Placed, ast.ExceptHandler):
    """except errors as name: ..."""


class Raise(_Placed, ast.Raise):
    """raise error"""


class Return(_Placed, ast.Return):
    """return value"""


class Pass(_Placed, ast.Pass):
    """pass"""


class Break(_Placed, ast.Break):
    """break"""


class Continue(_Placed, ast.Continue):
    """continue"""


class Nonlocal(_Placed, ast.Nonlocal):
    """nonlocal names"""


class FunctionDef(_Placed, ast.FunctionDef):
    """def name(args): ..."""


class Arg(_Placed, ast.arg):
    """A parameter."""


LEFT: Final = "left"
"""The variable, shared by all functions of a run, that holds how many operations are left until the next ceiling."""


def load(name: str) -> ast.expr:
    """The value of a variable."""
    return Name(name, ast.Load())


def constant(value: Any) -> ast.expr:
    """A plain value, or a tuple of such."""
    return Constant(value)


def assign(name: str, value: ast.expr) -> ast.stmt:
    """name = value"""
    return Assign([Name(name, ast.Store())], value)


def assign_both(first: str, second: str, value: ast.expr) -> ast.stmt:
    """first, second = value"""
    return Assign([Tuple([Name(first, ast.Store()), Name(second, ast.Store())], ast.Store())], value)


def attribute(owner: ast.expr, name: str) -> ast.expr:
    """owner.name"""
    return Attribute(owner, name, ast.Load())


def assign_attribute(owner: str, name: str, value: ast.expr) -> ast.stmt:
    """owner.name = value"""
    return Assign([Attribute(load(owner), name, ast.Store())], value)


def item(owner: ast.expr, index: ast.expr) -> ast.expr:
    """owner[index]"""
    return Subscript(owner, index, ast.Load())


def assign_item(owner: ast.expr, index: ast.expr, value: ast.expr) -> ast.stmt:
    """owner[index] = value"""
    return Assign([Subscript(owner, index, ast.Store())], value)


def call(function: str, *args: ast.expr) -> ast.expr:
    """function(args)"""
    return Call(load(function), list(args), [])


def method(owner: ast.expr, name: str, *args: ast.expr) -> ast.expr:
    """owner.name(args)"""
    return Call(attribute(owner, name), list(args), [])


def tuple_of(items: list[ast.expr]) -> ast.expr:
    """(items)"""
    return Tuple(items, ast.Load())


def list_of(items: list[ast.expr]) -> ast.expr:
    """[items]"""
    return List(items, ast.Load())


def compare(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> ast.expr:
    """left operator right"""
    return Compare(left, [operator], [right])


def binary(left: ast.expr, operator: ast.operator, right: ast.expr) -> ast.expr:
    """left operator right"""
    return BinOp(left, operator, right)


def is_(left: ast.expr, right: ast.expr) -> ast.expr:
    """left is right"""
    return compare(left, ast.Is(), right)


def kind_is(value: ast.expr, kind: str) -> ast.expr:
    """Is `value` of exactly the type that the global `kind` names?"""
    return is_(attribute(value, "__class__"), load(kind))


def kind_in(value: ast.expr, kinds: str) -> ast.expr:
    """Is the exact type of `value` in the global set `kinds`?"""
    return compare(attribute(value, "__class__"), ast.In(), load(kinds))


def all_of(conditions: list[ast.expr]) -> ast.expr:
    """conditions, joined by `and`; True where there are none"""
    if not conditions:
        return constant(True)
    return conditions[0] if len(conditions) == 1 else BoolOp(ast.And(), conditions)


def any_of(conditions: list[ast.expr]) -> ast.expr:
    """conditions, joined by `or`"""
    return conditions[0] if len(conditions) == 1 else BoolOp(ast.Or(), conditions)


def choose(condition: ast.expr, value: ast.expr, otherwise: ast.expr) -> ast.expr:
    """value if condition else otherwise"""
    return IfExp(condition, value, otherwise)


def negate(condition: ast.expr) -> ast.expr:
    """not condition"""
    return UnaryOp(ast.Not(), condition)


def if_(condition: ast.expr, body: list[ast.stmt], otherwise: list[ast.stmt] | None = None) -> ast.stmt:
    """if condition: body else: otherwise"""
    return If(condition, body or [Pass()], otherwise or [])


def raise_(error: ast.expr) -> ast.stmt:
    """raise error from None"""
    return Raise(error, constant(None))


def try_(body: list[ast.stmt], errors: str, name: str | None, handler: list[ast.stmt]) -> ast.stmt:
    """try: body; except errors as name: handler"""
    return Try(body or [Pass()], [ExceptHandler(load(errors), name, handler)], [], [])


def function(name: str, params: list[str], body: list[ast.stmt]) -> ast.stmt:
    """def name(params): body"""
    arguments = ast.arguments([], [Arg(param) for param in params], None, [], [], None, [])
    made = FunctionDef(name, arguments, body, [], None, None)
    made.__dict__["type_params"] = []  # a field that Python has since 3.12
    return made


def subtract_left(count: int) -> ast.stmt:
    """left -= count"""
    operator: ast.operator = ast.Sub() if count >= 0 else ast.Add()
    return AugAssign(Name(LEFT, ast.Store()), operator, constant(abs(count)))
