"""Reductions of switch: cases, ranges, guards, the default, and their order."""

from rhaipy.parse_errors import ParseError
from rhaipy.source import NONE, At
from rhaipy.syntax.build_expressions import block_of
from rhaipy.syntax.builder import CASE, Builder, Values, reduces
from rhaipy.syntax.literals import literal_value
from rhaipy.syntax.nodes import Block, BlockExpr, Constant, Expr, RangeCase, Switch, SwitchArm
from rhaipy.syntax.program import start
from rhaipy.typings import TypeAlias
from rhaipy.values import Range, switch_key

Head: TypeAlias = tuple[list[Expr], Expr]
"""Of an arm: its cases (none for the default) and its guard."""


class Cases:
    """The cases of a switch that is being read."""

    __slots__ = ("arms", "by_key", "default", "default_at", "ranges")

    def __init__(self) -> None:
        self.arms: list[SwitchArm] = []
        self.by_key: dict[object, list[int]] = {}
        self.ranges: list[RangeCase] = []
        self.default: int | None = None
        self.default_at: At = NONE


@reduces("switch_head")
def switch_head(builder: Builder, values: Values) -> tuple[int, Expr]:
    builder.switches.append(Cases())
    return values[0], values[1]


@reduces("no_arms")
def no_arms(_builder: Builder, _values: Values) -> None:
    return None


@reduces("case_start", moving=True)
def case_start(builder: Builder, _values: Values) -> str:
    _refuse_after_default(builder.switches[-1])
    builder.saved.append(builder.reading_case())
    builder.read_case(True)
    return CASE


@reduces("case", moving=True)
def case(builder: Builder, values: Values) -> Expr:
    """A case ends where the next token was read as part of it, so that token stays what it is."""
    builder.read_case(builder.saved.pop())
    builder.keeps_kind = True
    node: Expr = values[1]
    return node


@reduces("default", moving=True)
def default(builder: Builder, values: Values) -> None:
    cases = builder.switches[-1]
    _refuse_after_default(cases)
    cases.default_at = builder.ats[values[0]]
    if builder.kinds[builder.index] == "if":
        raise ParseError(builder.ats[builder.index], "WrongSwitchCaseCondition")


def _refuse_after_default(cases: Cases) -> None:
    if cases.default_at:
        raise ParseError(cases.default_at, "WrongSwitchDefaultCase")


@reduces("guard")
def guard(_builder: Builder, values: Values) -> Expr:
    node: Expr = values[1]
    return node


@reduces("arm_head")
def arm_head(_builder: Builder, values: Values) -> Head:
    return values[0], Constant(NONE, True)


@reduces("guarded_head")
def guarded_head(_builder: Builder, values: Values) -> Head:
    return values[0], values[1]


@reduces("default_head")
def default_head(_builder: Builder, _values: Values) -> Head:
    return [], Constant(NONE, True)


@reduces("arm")
def arm(builder: Builder, values: Values) -> None:
    _add_arm(builder.switches[-1], values[0], block_of(values[1]))


@reduces("empty_arm")
def empty_arm(builder: Builder, values: Values) -> None:
    """An arm that is only `;`, or a function, or missing at the end of the text."""
    at = builder.ats[values[1]]
    _add_arm(builder.switches[-1], values[0], BlockExpr(at, Block(at, at, ())))


@reduces("only_arm")
def only_arm(builder: Builder, values: Values) -> None:
    _add_arm(builder.switches[-1], values[0], values[1])


def _add_arm(cases: Cases, head: Head, result: Expr) -> None:
    literals, condition = head
    place = len(cases.arms)
    cases.arms.append(SwitchArm(condition, result))
    if not literals:
        cases.default = place
    for node in literals:
        _add_case(cases, node, place)


def _add_case(cases: Cases, node: Expr, place: int) -> None:
    literal = literal_value(node)
    if literal is None:
        raise ParseError(start(node), "ExprExpected", "a literal")
    value = literal.value
    if isinstance(value, Range):
        if value.start < value.end or (value.inclusive and value.start == value.end):
            cases.ranges.append(RangeCase(value.start, value.end, value.inclusive, place))
    elif cases.ranges and type(value) in (int, float):
        raise ParseError(start(node), "WrongSwitchIntegerCase")
    cases.by_key.setdefault(switch_key(value), []).append(place)


@reduces("switch_block")
def switch_block(builder: Builder, values: Values) -> Switch:
    word, subject = values[0]
    cases: Cases = builder.switches.pop()
    by_key: dict[object, tuple[int, ...]] = {key: tuple(places) for key, places in cases.by_key.items()}
    return Switch(builder.ats[word], subject, tuple(cases.arms), by_key, tuple(cases.ranges), cases.default)
