"""rhaipy: the Rhai scripting language in pure Python, exact to Rhai 1.27: values, errors, texts, positions, operation counts."""

from rhaipy.compiled import AST, UNBOUND, FunctionInfo
from rhaipy.convert import ConversionError
from rhaipy.display import display as display_text
from rhaipy.engine import Engine
from rhaipy.errors import EvalError, LimitError, RhaiError, Thrown
from rhaipy.events import UNIT, EvalContext, VarDefInfo
from rhaipy.functions import Caller, Function, FunctionTable, Package, Ref, function
from rhaipy.host_classes import HostClass
from rhaipy.host_errors import HostFailure
from rhaipy.judging import Bounds, lend
from rhaipy.lending import Lent
from rhaipy.library import STANDARD
from rhaipy.limits import Limits, Meter, Options
from rhaipy.modules import Module
from rhaipy.parse_errors import ParseError
from rhaipy.records import frozen, individual, record, replaced
from rhaipy.resolvers import DummyResolver, Importer, ModuleResolver, ResolverChain, StaticResolver
from rhaipy.scope import Scope
from rhaipy.source import Position, printable
from rhaipy.unicode import WHITE_SPACE
from rhaipy.values import Char, FnPtr, Instant, Range, Shared, Stream, Value, type_name

__all__ = [
    "AST", "STANDARD", "UNBOUND", "UNIT", "WHITE_SPACE", "Bounds", "Caller", "Char", "ConversionError", "DummyResolver", "Engine",
    "EvalContext", "EvalError", "FileResolver", "FnPtr", "Function", "FunctionInfo", "FunctionTable", "HostClass",
    "HostFailure", "Importer", "Instant", "Lent", "LimitError", "Limits", "Meter", "Module", "ModuleResolver", "Options",
    "Package", "ParseError", "Position", "Range", "Ref", "ResolverChain", "RhaiError", "Scope", "Shared", "StaticResolver",
    "Stream", "Thrown", "Value", "VarDefInfo", "display_text", "frozen", "function", "individual", "lend", "printable", "record",
    "replaced", "type_name",
]  # fmt: skip
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """The resolver that reads files is loaded when it is first used."""
    if name != "FileResolver":
        raise AttributeError(f"module 'rhaipy' has no attribute '{name}'")
    from rhaipy.file_resolver import FileResolver

    return FileResolver
