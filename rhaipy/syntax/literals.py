"""The value of an expression that is a literal through and through, as switch cases need it."""

from rhaipy.parse_errors import is_identifier
from rhaipy.records import record
from rhaipy.syntax.nodes import Array, Binary, Call, Constant, Expr, Map
from rhaipy.syntax.tokens import FUNCTION_WORDS, KEYWORDS, METHOD_WORDS, RESERVED_WORDS, THIS
from rhaipy.values import I64_MAX, FnPtr, Range, Value

_NO_FUNCTION_NAMES = KEYWORDS | RESERVED_WORDS | FUNCTION_WORDS | METHOD_WORDS | {THIS}


@record
class Literal:
    """A value, which may be `()`."""

    value: Value


def literal_value(node: Expr) -> Literal | None:
    """The value of `node`, or None if it is no literal. Depth is bounded by the parser's limit, or built bottom up."""
    if isinstance(node, Constant):
        return Literal(node.value)
    if isinstance(node, (Array, Map)):
        return _container(node)
    if isinstance(node, Binary) and node.operator in ("..", "..="):
        return _range(node)
    if isinstance(node, Call) and node.name == "Fn" and len(node.args) == 1 and isinstance(node.args[0], Constant):
        name = node.args[0].value
        if type(name) is str and is_function_name(name):
            return Literal(FnPtr(name))
    return None


def is_function_name(name: str) -> bool:
    """May a script's function be called `name`?"""
    return is_identifier(name) and name not in _NO_FUNCTION_NAMES


def _range(node: Binary) -> Literal | None:
    inclusive = node.operator == "..="
    left, right = node.left, node.right
    if not (isinstance(left, Constant) and isinstance(right, Constant)):
        return None
    first, last = left.value, right.value
    if type(first) is int and type(last) is int:
        return Literal(Range(first, last, inclusive))
    if type(first) is int and last is None:
        return Literal(Range(first, I64_MAX, inclusive))
    if first is None and type(last) is int:
        return Literal(Range(0, last, inclusive))
    return None


def _container(node: Array | Map) -> Literal | None:
    """The value of an array or map of nothing but literals (`1..2` is none here, as in the engine); without recursion."""
    root: list[Value] = []
    pending: list[tuple[Expr, list[Value] | dict[str, Value], str]] = [(node, root, "")]
    while pending:
        part, into, key = pending.pop()
        value: Value
        items: list[Value]
        entries: dict[str, Value]
        if isinstance(part, Constant):
            value = part.value
        elif isinstance(part, Array):
            value = items = []
            pending += [(item, items, "") for item in reversed(part.items)]
        elif isinstance(part, Map):
            value = entries = {}
            pending += [(item, entries, name) for name, item in part.entries]
        else:
            return None
        if isinstance(into, list):
            into.append(value)
        else:
            into[key] = value
    return Literal(root[0])
