"""A whole script as a tree, and where its expressions start."""

from rhaipy.records import individual as node
from rhaipy.source import At
from rhaipy.syntax.nodes import And, Block, Chain, Coalesce, Expr, Or, QualifiedVariable, Stmt


@node
class Function:
    """private fn this_type.name(params) body; a closure is a function named `anon$` and 16 hex digits

    `at` is the position of `fn`, as it stands in duplicate-definition errors, or of the closure's first `|`; `doc` are the
    lines of the doc-comment above it.
    """

    at: At
    name: str
    params: tuple[str, ...]
    body: Block
    private: bool
    this_type: str | None
    doc: tuple[str, ...]


@node
class Program:
    """A whole script: its statements, its functions (closures included) in the order of their definition"""

    at: At
    statements: tuple[Stmt, ...]
    functions: tuple[Function, ...]


def start(expr: Expr) -> At:
    """Where `expr` starts, as the engine tells it: an operator other than `&&`, `||`, `??` is its own start."""
    while True:
        if isinstance(expr, Chain):
            expr = expr.root
        elif isinstance(expr, (And, Or, Coalesce)):
            expr = expr.operands[0]
        else:
            return expr.namespace_at if isinstance(expr, QualifiedVariable) else expr.at
