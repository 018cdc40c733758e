"""rhaipy: the Rhai scripting language in pure Python, exact to Rhai 1.27: values, errors, texts, positions, operation counts."""

from rhaipy.compiled import AST, UNBOUND, FunctionInfo
from rhaipy.display import display as display_text
from rhaipy.engine import Engine
from rhaipy.errors import EvalError, LimitError, RhaiError
from rhaipy.functions import Caller, Function, FunctionTable, Package, Ref, function
from rhaipy.library import STANDARD
from rhaipy.limits import Limits, Meter, Options
from rhaipy.modules import Module
from rhaipy.parse_errors import ParseError
from rhaipy.scope import Scope
from rhaipy.source import Position, printable
from rhaipy.unicode import WHITE_SPACE
from rhaipy.values import Char, FnPtr, Instant, Range, Shared, Stream, Value, type_name

__all__ = [
    "AST", "STANDARD", "UNBOUND", "WHITE_SPACE", "Caller", "Char", "Engine", "EvalError", "FnPtr", "Function", "FunctionInfo",
    "FunctionTable", "Instant", "LimitError", "Limits", "Meter", "Module", "Options", "Package", "ParseError", "Position",
    "Range", "Ref", "RhaiError", "Scope", "Shared", "Stream", "Value", "display_text", "function", "printable", "type_name",
]  # fmt: skip
__version__ = "0.1.0"
