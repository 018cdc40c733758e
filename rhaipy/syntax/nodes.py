"""The tree. Nodes are records: fields only, first `at`, the packed position the engine reports for that node.

The shapes follow the real engine's own tree wherever its operation counter can tell the difference: a constant is one node, a
run of `&&` is one node, a capturing closure is a block that shares its variables and curries them.
"""

from rhaipy.records import individual as node
from rhaipy.source import At
from rhaipy.typings import TypeAlias
from rhaipy.values import Value


@node
class Constant:
    """42, "text", (), and whatever the optimiser folded; a closure without captures is one too (a FnPtr)"""

    at: At
    value: Value


@node
class Interpolation:
    """`a ${b} c`: the parts in order, text parts are constants"""

    at: At
    parts: tuple["Expr", ...]


@node
class Array:
    """[a, b]"""

    at: At
    items: tuple["Expr", ...]


@node
class Map:
    """#{key: value}"""

    at: At
    entries: tuple[tuple[str, "Expr"], ...]


@node
class Variable:
    """name; `slot` counts back from the end of the scope (1 is the newest variable), 0 where only the name is known"""

    at: At
    name: str
    slot: int


@node
class QualifiedVariable:
    """a::b::name; `namespace_at` is where the path starts"""

    at: At
    namespace: tuple[str, ...]
    namespace_at: At
    name: str


@node
class This:
    """this"""

    at: At


@node
class And:
    """a && b && c"""

    at: At
    operands: tuple["Expr", ...]


@node
class Or:
    """a || b || c"""

    at: At
    operands: tuple["Expr", ...]


@node
class Coalesce:
    """a ?? b ?? c"""

    at: At
    operands: tuple["Expr", ...]


@node
class Unary:
    """-a, +a, !a; `a !in b` is the `!` of a call"""

    at: At
    operator: str
    operand: "Expr"


@node
class Binary:
    """a + b; also .. and ..=, which make ranges"""

    at: At
    operator: str
    left: "Expr"
    right: "Expr"


@node
class Call:
    """name(args), name!(args); `a in b` is contains(b, a), and so is `!in` in its `!`, where `operator` is set: no reference"""

    at: At
    name: str
    args: tuple["Expr", ...]
    in_caller_scope: bool = False
    operator: bool = False


@node
class QualifiedCall:
    """a::b::name(args)"""

    at: At
    namespace: tuple[str, ...]
    namespace_at: At
    name: str
    args: tuple["Expr", ...]


@node
class BlockExpr:
    """{ .. }, if, switch or a loop used as an operand; a capturing closure"""

    at: At
    body: "Block"


@node
class PropertyLink:
    """.name or ?.name; `at` is the operator's, `name_at` the name's"""

    at: At
    name: str
    name_at: At
    optional: bool


@node
class MethodLink:
    """.name(args) or ?.name(args); `at` is the operator's, `name_at` the name's"""

    at: At
    name: str
    name_at: At
    args: tuple["Expr", ...]
    optional: bool


@node
class IndexLink:
    """[index] or ?[index]; `at` is the bracket's"""

    at: At
    index: "Expr"
    optional: bool


@node
class Chain:
    """root.name[index].method(args); `at` is the first link's, as the engine reports it (where it starts is the root's matter)"""

    at: At
    root: "Expr"
    links: tuple["Link", ...]


Link: TypeAlias = PropertyLink | MethodLink | IndexLink
Expr: TypeAlias = (
    Constant | Interpolation | Array | Map | Variable | QualifiedVariable | This | And | Or | Coalesce | Unary | Binary | Call
    | QualifiedCall | BlockExpr | Chain
)  # fmt: skip


@node
class Block:
    """{ statements }; `end` is the position of the closing brace"""

    at: At
    end: At
    statements: tuple["Stmt", ...]


@node
class Noop:
    """;"""

    at: At


@node
class ExprStmt:
    """an expression as statement"""

    at: At
    expr: Expr


@node
class CallStmt:
    """a call or operator as statement, made by the optimiser: the expression itself is not counted"""

    at: At
    call: Call | QualifiedCall | Unary | Binary


@node
class If:
    """if condition body else otherwise"""

    at: At
    condition: Expr
    body: Block
    otherwise: Block


@node
class SwitchArm:
    """condition => result; the condition of an unguarded arm is the constant true"""

    condition: Expr
    result: Expr


@node
class RangeCase:
    """first..last, or first..=last where inclusive; `arm` is an index into the arms"""

    first: int
    last: int
    inclusive: bool
    arm: int


@node
class Switch:
    """switch subject { cases }; `cases` maps a literal's key (values.switch_key) to its arms, in order"""

    at: At
    subject: Expr
    arms: tuple[SwitchArm, ...]
    cases: dict[object, tuple[int, ...]]
    ranges: tuple[RangeCase, ...]
    default: int | None


@node
class While:
    """while condition body; a `loop` has no condition"""

    at: At
    condition: Expr | None
    body: Block


@node
class Do:
    """do body while condition, do body until condition"""

    at: At
    body: Block
    condition: Expr
    until: bool


@node
class For:
    """for name in iterable body, for (name, counter) in iterable body"""

    at: At
    name: str
    name_at: At
    counter: str | None
    counter_at: At
    iterable: Expr
    body: Block


@node
class Let:
    """let name = value, const NAME = value, each with export in front or not

    `slot` is that of the variable of the same name in the same block that this one takes the place of, 0 for a new variable.
    """

    at: At
    name: str
    name_at: At
    value: Expr
    constant: bool
    exported: bool
    slot: int = 0


@node
class Assign:
    """target = value, target += value; `at` is the operator's; `operator` is "" or the base operator ("+" of "+=")"""

    at: At
    operator: str
    target: Variable | QualifiedVariable | This | Chain
    value: Expr


@node
class Try:
    """try body catch (name) handler"""

    at: At
    body: Block
    name: str | None
    name_at: At
    handler: Block


@node
class Break:
    """break, break value"""

    at: At
    value: Expr | None


@node
class Continue:
    """continue"""

    at: At


@node
class Return:
    """return, return value"""

    at: At
    value: Expr | None


@node
class Throw:
    """throw, throw value"""

    at: At
    value: Expr | None


@node
class Import:
    """import path as name; `name` is empty without `as`"""

    at: At
    path: Expr
    name: str
    name_at: At


@node
class Export:
    """export name as alias; `alias` is empty without `as`"""

    at: At
    name: str
    name_at: At
    alias: str
    alias_at: At


@node
class Share:
    """made by a capturing closure: turn each variable (name, slot, position) into a shared one"""

    at: At
    variables: tuple[Variable, ...]


Stmt: TypeAlias = (
    Block | Noop | ExprStmt | CallStmt | If | Switch | While | Do | For | Let | Assign | Try | Break | Continue | Return | Throw
    | Import | Export | Share
)  # fmt: skip
Node: TypeAlias = Expr | Stmt
