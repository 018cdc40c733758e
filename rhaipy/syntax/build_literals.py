"""Reductions of arrays, maps and interpolated text."""

from rhaipy.parse_errors import ParseError
from rhaipy.syntax.build_expressions import block_of
from rhaipy.syntax.builder import Builder, Values, reduces, reduces_spread
from rhaipy.syntax.nodes import Array, Constant, Expr, Interpolation, Map
from rhaipy.syntax.tokens import ID


@reduces("one_item", moving=True)
def one_item(builder: Builder, values: Values) -> Values:
    _limit_array(builder, 1)
    return values


@reduces("more_items", moving=True)
def more_items(builder: Builder, values: Values) -> Values:
    items: Values = values[0]
    items.append(values[2])
    _limit_array(builder, len(items))
    return items


def _limit_array(builder: Builder, size: int) -> None:
    """The engine refuses an array literal as soon as it holds as many items as the limit, at the next token but a comma."""
    limit = builder.limits.max_array_size
    if limit and size >= limit and builder.kinds[builder.index] in (",", "]"):
        at = builder.ats[builder.index + (builder.kinds[builder.index] == ",")]
        raise ParseError(at, "LiteralTooLarge", "Size of array literal", limit)


@reduces("array")
def array(builder: Builder, values: Values) -> Array:
    return Array(builder.ats[values[0]], tuple(values[1]))


@reduces("empty_array")
def empty_array(builder: Builder, values: Values) -> Array:
    return Array(builder.ats[values[0]], ())


@reduces("map_key")
def map_key(builder: Builder, values: Values) -> int:
    index: int = values[0]
    if builder.quoted_keys and builder.kinds[index] == ID:
        raise ParseError(builder.ats[index], "PropertyExpected")
    name = builder.text(index)
    if name in _entries_so_far(builder):
        raise ParseError(builder.ats[index], "DuplicatedProperty", name)
    return index


def _entries_so_far(builder: Builder) -> dict[str, Expr]:
    """The entries of the map that is being read."""
    entries: dict[str, Expr] = builder.stack[-2] if builder.kinds[builder.stack[-1]] == "," else {}
    return entries


@reduces("map_colon")
def map_colon(builder: Builder, values: Values) -> int:
    key: int
    key, colon = values
    limit = builder.limits.max_map_size
    if limit and len(_entries_so_far(builder)) >= limit:
        raise ParseError(builder.ats[colon + 1], "LiteralTooLarge", "Number of properties in object map literal", limit)
    return key


@reduces_spread("map_entry")
def map_entry(builder: Builder, key: int, value: Expr) -> tuple[str, Expr]:
    return builder.text(key), value


@reduces_spread("first_entry")
def first_entry(_builder: Builder, entry: tuple[str, Expr]) -> dict[str, Expr]:
    return dict([entry])


@reduces_spread("next_entry")
def next_entry(_builder: Builder, entries: dict[str, Expr], _comma: int, entry: tuple[str, Expr]) -> dict[str, Expr]:
    name, value = entry
    entries[name] = value
    return entries


@reduces("map")
def map_literal(builder: Builder, values: Values) -> Map:
    return Map(builder.ats[values[0]], tuple(values[1].items()))


@reduces("empty_map")
def empty_map(builder: Builder, values: Values) -> Map:
    return Map(builder.ats[values[0]], ())


@reduces("first_piece")
def first_piece(builder: Builder, values: Values) -> Values:
    head, block = values
    return [head, *_text_piece(builder, head), block_of(block)]


@reduces("next_piece")
def next_piece(builder: Builder, values: Values) -> Values:
    pieces: Values
    pieces, middle, block = values
    pieces += (*_text_piece(builder, middle), block_of(block))
    return pieces


def _text_piece(builder: Builder, index: int) -> list[Expr]:
    text = builder.text(index)
    return [Constant(builder.ats[index], text)] if text else []


@reduces("interpolation")
def interpolation(builder: Builder, values: Values) -> Interpolation:
    (head, *parts), tail = values
    return Interpolation(builder.ats[head], (*parts, *_text_piece(builder, tail)))
