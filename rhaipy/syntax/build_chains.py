"""Reductions of what follows an operand: .name, .name(args), [index]. Lists of links grow from the last link to the first."""

from rhaipy.parse_errors import ParseError
from rhaipy.syntax.builder import Builder, Values, reduces, reduces_spread
from rhaipy.syntax.nodes import And, Array, Constant, Expr, IndexLink, Interpolation, Link, Map, MethodLink, Or, PropertyLink
from rhaipy.syntax.program import start
from rhaipy.values import Char

Links = list[Link]
Name = tuple[str, int]


@reduces("index_dot")
def index_dot(_builder: Builder, values: Values) -> Links:
    """[index].name: before a dot, the engine forgets the `?` of `?[`."""
    links: Links
    indices, links = values
    links += [IndexLink(link.at, link.index, False) for link in indices]
    return links


@reduces("last_index")
def last_index(builder: Builder, values: Values) -> Links:
    bracket, index, _ = values
    return [IndexLink(builder.ats[bracket], index, builder.kinds[bracket] == "?[")]


@reduces("more_index")
def more_index(builder: Builder, values: Values) -> Links:
    """[a][b]: the engine takes the `?` of each bracket from the next one."""
    links: Links
    bracket, index, close, links = values
    links.append(IndexLink(builder.ats[bracket], index, builder.kinds[close + 1] == "?["))
    return links


@reduces("index_key")
def index_key(builder: Builder, values: Values) -> Expr:
    """The index; one that cannot fit the literal before the first bracket is an error."""
    index: Expr = values[0]
    stack = builder.stack
    indexed = stack[-2]
    if type(indexed) is Map or (type(indexed) in (Array, Interpolation, Constant) and type(_value(indexed)) in (int, str)):
        fault = _fault(index, type(indexed) is Map)
        if fault:
            raise ParseError(start(index), "MalformedIndexExpr", fault)
    return index


def _value(node: Expr) -> object:
    return node.value if type(node) is Constant else ""


def _fault(index: Expr, in_map: bool) -> str:
    """Why `index` cannot be right, or an empty text."""
    got = _literal_type(index)
    if in_map:
        return f"Object map expects string index, not {got}" if got not in ("", "a string") else ""
    if got in ("", "a number"):
        return ""
    wanted = "numeric" if got == "a string" else "integer"
    return f"Array, string or bit-field expects {wanted} index, not {got}"


def _literal_type(node: Expr) -> str:
    if type(node) in (And, Or):
        return "a boolean"
    if type(node) is Interpolation:
        return "a string"
    if type(node) is not Constant:
        return ""
    names = {int: "a number", str: "a string", float: "a float", Char: "a character", type(None): "()", bool: "a boolean"}
    return names.get(type(node.value), "")


@reduces_spread("dot")
def dot(builder: Builder, operator: int, link: Values) -> Links:
    """.link: only here is the operator known."""
    links: Links
    name, arguments, links = link
    ats, text = builder.ats, builder.values[name]
    at, name_at, optional = ats[operator], ats[name], builder.kinds[operator] == "?."
    if arguments is None:
        links.append(PropertyLink(at, text, name_at, optional))
    else:
        links.append(MethodLink(at, text, name_at, arguments, optional))
    return links


@reduces_spread("property")
def property_link(_builder: Builder, name: int) -> Values:
    return [name, None, []]


@reduces_spread("property_tails")
def property_tails(_builder: Builder, name: int, links: Links) -> Values:
    return [name, None, links]


@reduces_spread("method")
def method(_builder: Builder, name: int, arguments: tuple[Expr, ...]) -> Values:
    return [name, arguments, []]


@reduces("method_tails")
def method_tails(_builder: Builder, values: Values) -> Values:
    return values


@reduces("method_in_caller_scope")
def method_in_caller_scope(builder: Builder, values: Values) -> Values:
    raise ParseError(
        builder.ats[values[0]], "MalformedCapture", "method-call style does not support running within the caller's scope"
    )


@reduces("method_in_caller_scope_tails")
def method_in_caller_scope_tails(_builder: Builder, values: Values) -> Values:
    """.name!(args).more: with something behind it, the engine does not mind."""
    name, _, arguments, links = values
    return [name, arguments, links]
