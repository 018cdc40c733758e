"""The error of a text that is no program, and the engine's texts for each of its kinds."""

from collections.abc import Sequence

from rhaipy.errors import RhaiError
from rhaipy.source import At


class ParseError(RhaiError, kind="ErrorParsing"):
    """The text is not a program.

    `parse_kind` is the engine's ParseErrorType, `lex_kind` its LexError where `parse_kind` is "BadInput"; `facts` are the
    strings and numbers of the variant, in the engine's order.
    """

    def __init__(self, at: At, parse_kind: str, *facts: str | int, lex_kind: str = "") -> None:
        super().__init__(at)
        self.parse_kind = parse_kind
        self.lex_kind = lex_kind
        self.facts = facts

    def syntax(self) -> str:
        """The text as the parser itself gives it, without the prefix that evaluation adds."""
        return _lex_text(self.lex_kind, self.facts) if self.lex_kind else _parse_text(self.parse_kind, self.facts)

    def text(self) -> str:
        return f"Syntax error: {self.syntax()}"

    @property
    def message(self) -> str:
        return self.syntax() + (f" ({self.position})" if self.at else "")


def lex_error(at: At, lex_kind: str, *facts: str | int) -> ParseError:
    """The parse error for a token that is none; `lex_kind` and `facts` as in the engine's LexError."""
    return ParseError(at, "BadInput", *facts, lex_kind=lex_kind)


def _lex_text(kind: str, facts: Sequence[str | int]) -> str:
    match kind, *facts:
        case "UnexpectedInput", text:
            return f"Unexpected '{text}'"
        case "UnterminatedString", *_:
            return "Open string is not terminated"
        case "MalformedEscapeSequence", text:
            return f"Invalid escape sequence: '{text}'"
        case "MalformedNumber", text:
            return f"Invalid number: '{text}'"
        case "MalformedChar", text:
            return f"Invalid character: '{text}'"
        case "MalformedIdentifier", text:
            return f"Variable name is not proper: '{text}'"
        case "ImproperSymbol", symbol, "":
            return f"Invalid symbol encountered: '{symbol}'"
        case "ImproperSymbol", _, description:
            return str(description)
    raise AssertionError(f"no lexical error {kind} with {facts}")


def is_identifier(name: str) -> bool:
    """Is `name` an ASCII identifier of Rhai: letters, digits and `_`, with a letter before any digit?"""
    body = name.lstrip("_")
    return name.isascii() and body[:1].isalpha() and body.replace("_", "a").isalnum()


_FIXED = {
    "UnexpectedEOF": "Script is incomplete",
    "WrongSwitchIntegerCase": "Numeric switch case cannot follow a range case",
    "WrongSwitchDefaultCase": "Default switch case must be the last",
    "WrongSwitchCaseCondition": "This switch case cannot have a condition",
    "PropertyExpected": "Expecting name of a property",
    "VariableExpected": "Expecting name of a variable",
    "WrongFnDefinition": ("Function definitions must be at global level and cannot be inside a block or another function"),
    "FnMissingName": "Expecting function name in function declaration",
    "WrongDocComment": "Doc-comment must be followed immediately by a function definition",
    "WrongExport": "Export statement can only appear at global level",
    "ExprTooDeep": "Expression exceeds maximum complexity",
    "TooManyFunctions": "Number of functions defined exceeds maximum limit",
    "LoopBreak": "Break statement should only be used inside a loop",
}


def _parse_text(kind: str, facts: Sequence[str | int]) -> str:
    match kind, *facts:
        case "UnknownOperator", text:
            return f"Unknown operator: '{text}'"
        case "MissingToken", token, purpose:
            return f"Expecting '{token}' {purpose}"
        case "MissingSymbol", text:
            return str(text) or "Expecting a symbol"
        case "MalformedIndexExpr", text:
            return str(text) or "Invalid index in indexing expression"
        case "MalformedCapture", text:
            return str(text) or "Invalid capturing"
        case "DuplicatedProperty", name:
            return f"Duplicated property for object map literal: {name}"
        case "DuplicatedVariable", name:
            return f"Duplicated variable name: {name}"
        case "ForbiddenVariable", name:
            return f"Forbidden variable name: {name}"
        case "Reserved", name:
            return f"'{name}' is a reserved {'keyword' if is_identifier(str(name)) else 'symbol'}"
        case "MismatchedType", wanted, got:
            return f"Expecting {wanted}, not {got}"
        case "ExprExpected", what:
            return f"Expecting {what} expression"
        case "FnDuplicatedDefinition", name, count:
            parameters = {0: "no parameters", 1: "1 parameter"}.get(int(count), f"{count} parameters")
            return f"Function {name} with {parameters} already exists"
        case "FnMissingParams", name:
            return f"Expecting parameters for function {name}"
        case "FnDuplicatedParam", name, parameter:
            return f"Duplicated parameter {parameter} for function {name}"
        case "FnMissingBody", name:
            return f"Expecting body statement block for {f'function {name}' if name else 'anonymous function'}"
        case "AssignmentToConstant", name:
            return f"Cannot assign to constant {name}" if name else "Cannot assign to a constant value"
        case "AssignmentToInvalidLHS", text:
            return str(text) or "Expression cannot be assigned to"
        case "VariableExists", name:
            return f"Variable already defined: {name}"
        case "VariableUndefined", name:
            return f"Undefined variable: {name}"
        case "ModuleUndefined", name:
            return f"Undefined module: {name}"
        case "LiteralTooLarge", what, limit:
            return f"{what} exceeds the maximum limit ({limit})"
    return _FIXED[kind]
