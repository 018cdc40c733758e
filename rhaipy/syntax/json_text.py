"""JSON as the engine reads it: one expression of Rhai in which `{` opens a map, `null` is (), and names of properties are quoted.

So numbers are Rhai's, a comma may trail, and more than JSON is accepted: any expression may be a value.
"""

from rhaipy.limits import Limits, Options
from rhaipy.syntax.parser import parse
from rhaipy.syntax.program import Program


def parse_json(text: str, limits: Limits, options: Options, has_null: bool = True) -> Program:
    """The program of one expression that the JSON text stands for; ParseError if there is none.

    The language `options` hold for it like for any text. Without `has_null`, `null` is an error.
    """
    return parse(text, limits, options, json=True, has_null=has_null)
