"""The parser: text to tree, by the tables that grammar/build.py made. No nesting is too deep for it: it keeps its own stack.

Errors, and decisions that the tables leave open, are the business of messages.py.
"""

from binascii import crc32
from collections.abc import Collection, Mapping, Sequence

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
from rhaipy.syntax.builder import REDUCTIONS, SPREAD, Builder, DefineFilter
from rhaipy.syntax.dialects import Target, mark_kinds, read_as_json
from rhaipy.syntax.lexer import lex
from rhaipy.syntax.messages import decide, in_case, too_deep
from rhaipy.syntax.nodes import Stmt
from rhaipy.syntax.program import Program
from rhaipy.syntax.tables import GOTOS, RULES, STARTS
from rhaipy.syntax.tokens import Kind
from rhaipy.typings import Final

FAMILIES: Final = (
    build_chains, build_control, build_expressions, build_functions, build_literals, build_operators, build_statements,
    build_switch,
)  # fmt: skip
"""The modules that fill `REDUCTIONS`."""

_PASS_ON: Final = (None, 0)
_RULES: Final = tuple(
    (left, size, levels, *(REDUCTIONS[action] if action else _PASS_ON)) for action, left, size, levels in reversed(RULES)
)
"""The last one first, so that ~number is an index."""
_LEVELS_OF: Final = {left: levels for left, _, levels, *_ in _RULES}
_LEVEL: Final = 10
_STATE: Final = (1 << _LEVEL) - 1
_ASK: Final = 1 << 24
"""What to do where the tables say nothing: ask `decide`. It is greater than any shift with its levels."""


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
    if ".." in text or expression or json or not options.allow_looping:
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
    action = rows[state].get(kind, _ASK)
    while True:
        while action < 0:
            left, size, levels, reduction, way = _RULES[action]
            if way == SPREAD:
                if size == 1:
                    values[-1] = reduction(builder, values[-1])
                elif size == 2:
                    states.pop()
                    last = values.pop()
                    values[-1] = reduction(builder, values[-1], last)
                else:
                    del states[-2:]
                    last, middle = values.pop(), values.pop()
                    values[-1] = reduction(builder, values[-1], middle, last)
            elif reduction is not None:
                if size == 1:
                    taken = [values.pop()]
                elif size:
                    taken = values[-size:]
                    del values[-size:], states[1 - size :]
                else:
                    taken = []
                    states.append(state)
                if way:
                    builder.level, builder.index, builder.seen = level - levels, index, kind
                    value = reduction(builder, taken)
                    level, limit, kinds = builder.level + levels, builder.limit, builder.kinds
                    rows, targets = builder.dialect.rows, builder.dialect.targets
                    if builder.keeps_kind:
                        builder.keeps_kind = False
                    else:
                        kind = kinds[index]
                    values.append(value)
                else:
                    values.append(reduction(builder, taken))
            state = states[-2]
            try:
                state, levels, action = targets[left][state][kind]
            except KeyError:
                if left == goal:
                    builder.level = level - levels
                    statements: tuple[Stmt, ...] = values[-1]
                    return statements
                target = _target(rows, state, left, kind)
                targets.setdefault(left, {}).setdefault(state, {})[kind] = target
                state, levels, action = target
            level -= levels
            states[-1] = state
        if action <= _STATE:
            state = action
            values.append(index)
            index += 1
        else:
            seen = kind
            if action == _ASK:
                builder.level, builder.index = level, index
                action, seen = decide(builder, states, kind)
                if action < 0:
                    continue
            level += action >> _LEVEL
            if level > limit:
                level -= action >> _LEVEL
                builder.level, builder.index = level, index
                action = too_deep(builder, states, seen)
                continue
            state = action & _STATE
            values.append(index)
            index += seen == kind  # else it was a token that is not in the text
        states.append(state)
        kind = kinds[index]
        try:
            action = rows[state][kind]
        except KeyError:
            action = _ASK


def _target(rows: Sequence[Mapping[Kind, int]], state: int, left: int, kind: Kind) -> Target:
    """Where a reduction to `left` leads from `state`, beyond all steps that only pass it on; and what to do there."""
    back = _LEVELS_OF[left]
    while True:
        target = GOTOS[state][left]
        action = rows[target].get(kind, _ASK)
        if action >= 0 or _RULES[action][3] is not None:
            return target, back, action
        left = _RULES[action][0]
        back += _RULES[action][2]
