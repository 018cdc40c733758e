"""How tightly operators bind: data, as the engine has it. Higher binds tighter; all but `**` bind to the left."""

from rhaipy.typings import Final

PRECEDENCE: Final[dict[str, int]] = {
    "<<": 210, ">>": 210,
    "**": 190,
    "*": 180, "/": 180, "%": 180,
    "+": 150, "-": 150,
    "..": 140, "..=": 140,
    "??": 135,
    "<": 130, "<=": 130, ">": 130, ">=": 130,
    "in": 110, "!in": 110,
    "==": 90, "!=": 90,
    "&&": 60, "&": 60,
    "||": 30, "|": 30, "^": 30,
}  # fmt: skip
"""The level of each binary operator, by the kind of its token. A kind that is not in it is no binary operator."""

RIGHT: Final = "**"
"""The operator that binds to the right."""
