"""The parser: text to tree, by the tables that grammar/build.py made. No nesting is too deep for it: it keeps its own stack.

Errors, and decisions that the tables leave open, are the business of messages.py.
"""

from binascii import crc32
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from rhaipy.limits import Limits, Options
from rhaipy.parse_errors import ParseError
from rhaipy.source import pack
from rhaipy.syntax import (
    build_chains,
    build_control,
    build_expressions,
    build_functions,
    build_literals,
    build_operators,
    build_statements,
    build_switch,
)
from rhaipy.syntax.builder import REDUCTIONS, Builder, DefineFilter
from rhaipy.syntax.dialects import mark_kinds, read_as_json
from rhaipy.syntax.lexer import lex
from rhaipy.syntax.messages import decide, in_case, too_deep
from rhaipy.syntax.nodes import Stmt
from rhaipy.syntax.program import Program
from rhaipy.syntax.tables import GOTOS, RULES, STARTS
from rhaipy.syntax.tokens import Kind

FAMILIES: Final = (
    build_chains, build_control, build_expressions, build_functions, build_literals, build_operators, build_statements,
    build_switch,
)  # fmt: skip
"""The modules that fill `REDUCTIONS`."""

_PASS_ON: Final = (None, False)
_RULES: Final = tuple((left, size, levels, *(REDUCTIONS[action] if action else _PASS_ON)) for action, left, size, levels in RULES)
_LEVEL: Final = 10
_STATE: Final = (1 << _LEVEL) - 1


def parse(
    text: str,
    limits: Limits,
    options: Options,
    *,
    expression: bool = False,
    json: bool = False,
    has_null: bool = True,
    constants: Collection[str] = (),
    variables: Sequence[tuple[str, bool]] = (),
    modules: Collection[str] = (),
    define_filter: DefineFilter | None = None,
) -> Program:
    """The tree of `text`; ParseError if it is not a program.

    `expression`: the text is one expression. `json`: it is one, taken as the engine's own JSON reader does: `{` is a map, `null`
    is `()` (if it `has_null`), keys are quoted; arithmetic is still allowed. `constants` and `variables` (each with "is it
    constant?") are names known from outside, which strict variables ask for; so are `modules`. `define_filter` says which
    variables may be defined.
    """
    lexed = lex(text, limits.max_string_size, options.disabled_symbols, dict(options.custom_operators))
    if json:
        read_as_json(lexed, has_null)
    mark_kinds(lexed, options, expression or json)
    outside = {*constants, *(name for name, _ in variables)}
    salt = crc32(text.encode("utf-8", "surrogatepass"))
    builder = Builder(lexed, limits, options, outside, expression or json, salt)
    builder.quoted_keys = json
    builder.modules = modules
    builder.define_filter = define_filter
    try:
        statements = run(builder, "expression" if expression or json else "program")
    except ParseError as error:
        raise in_case(builder, error) from None
    return Program(pack(1, 0), statements, tuple(builder.functions.values()))


def run(builder: Builder, start: str) -> tuple[Stmt, ...]:
    """The statements of the text in `builder`: shift and reduce to the end. `start` is "program" or "expression"."""
    state, goal = STARTS[start]
    states, values = [state], builder.stack
    kinds, level, limit, index = builder.kinds, builder.level, builder.limit, 0
    kind = kinds[0]
    rows, targets = builder.dialect.rows, builder.dialect.targets
    while True:
        seen = kind
        try:
            action = rows[state][kind]
        except KeyError:
            builder.level = level
            builder.index = index
            action, seen = decide(builder, states, kind)
        if action > _STATE:
            level += action >> _LEVEL
            if level > limit:
                level -= action >> _LEVEL
                builder.level, builder.index = level, index
                action = too_deep(builder, states, seen)
            else:
                action &= _STATE
        if action >= 0:
            state = action
            states.append(state)
            values.append(index)
            if seen == kind:  # else it was a token that is not in the text
                index += 1
                kind = kinds[index]
            continue
        left, size, levels, reduction, moving = _RULES[~action]
        level -= levels
        if reduction is not None:
            if size == 1:
                taken = [values.pop()]
                states.pop()
            elif size:
                taken = values[-size:]
                del values[-size:], states[-size:]
            else:
                taken = []
            if moving:
                builder.level, builder.limit, builder.index, builder.seen = level, limit, index, seen
                value = reduction(builder, taken)
                level, limit, kinds = builder.level, builder.limit, builder.kinds
                rows, targets = builder.dialect.rows, builder.dialect.targets
                if builder.keeps_kind:
                    builder.keeps_kind = False
                elif kind != kinds[index]:
                    kind = seen = kinds[index]
            else:
                value = reduction(builder, taken)
            values.append(value)
        else:
            states.pop()
        state = states[-1]
        if left == goal:
            builder.level = level
            statements: tuple[Stmt, ...] = value
            return statements
        key = (state, left, seen)
        try:
            state, levels = targets[key]
        except KeyError:
            state, levels = targets[key] = _target(rows, state, left, seen)
        level -= levels
        states.append(state)


def _target(rows: Sequence[Mapping[Kind, int]], state: int, left: int, seen: Kind) -> tuple[int, int]:
    """Where a reduction to `left` leads from `state`, beyond all steps that only pass it on, and the levels these give back."""
    back = 0
    while True:
        target = GOTOS[state][left]
        action = rows[target].get(seen, 0)
        if action >= 0 or _RULES[~action][3] is not None:
            return target, back
        left = _RULES[~action][0]
        back += _RULES[~action][2]
