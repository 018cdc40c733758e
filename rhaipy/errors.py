"""Every error a script or its host can meet. Built from facts; the text is made here and nowhere else.

    RhaiError
    +-- ParseError            the text is not a program (in parse_errors)
    +-- EvalError             a script may catch it: VariableNotFound, Arithmetic, Thrown, InFunctionCall, ...
    +-- LimitError            a script may not (in limit_errors): TooManyOperations, StackOverflow, OutOfFuel, ...

`kind` is the real engine's variant name ("Error" + the class's name, but for the few named otherwise). Texts and fields follow
Rhai 1.27.0. Control flow (return, break, exit) is no error and is not here.
"""

from collections.abc import Callable
from types import TracebackType

from rhaipy.source import NONE, At, Position, excerpt, unpack
from rhaipy.typings import Any, ClassVar

Fields = dict[str, str | int]
"""What `catch (e)` finds in its map beside error, message, line and position."""


class RhaiError(Exception):
    """The root. `at` is the packed position, `inner` the wrapped error, if any."""

    kind: ClassVar[str] = "Error"
    catchable: ClassVar[bool] = False
    _host_error: Exception | None = None

    def __init_subclass__(cls, kind: str | None = None) -> None:
        cls.kind = kind or f"Error{cls.__name__}"

    def __init__(self, at: At = NONE) -> None:
        super().__init__()
        self.at = at
        self.inner: RhaiError | None = None
        self.script_name = ""
        self.script_text = ""

    def text(self) -> str:
        """What went wrong, without where."""
        return self.kind

    def fields(self) -> Fields:
        """The facts of the error by name, for the map that `catch` hands to a script."""
        return {}

    def display(self, source: str = "") -> str:
        """The engine's full text: the error, the source of the call where another script made it, and the position."""
        where = f" ({self.position})" if self.at else ""
        return self.text() + (f" @ '{source}'" if source else "") + where

    @property
    def message(self) -> str:
        """The full text with its position."""
        return self.display()

    @property
    def position(self) -> Position | None:
        """Line and column, or None where the error has no position."""
        return unpack(self.at)

    @property
    def innermost(self) -> "RhaiError":
        """The error under all the calls it passed through."""
        error = self
        while error.inner is not None:
            error = error.inner
        return error

    @property
    def host_error(self) -> Exception | None:
        """The exception of the host's own code that the innermost error stands for; None for all other errors."""
        return self.innermost._host_error

    def filled(self, at: At) -> "RhaiError":
        """This error, placed at `at` if it had no position yet."""
        if not self.at:
            self.at = at
        return self

    def in_script(self, name: str, text: str) -> "RhaiError":
        """This error, told which script it came from (the first one to tell wins)."""
        error: RhaiError | None = self
        while error is not None:
            if not error.script_text:
                error.script_name, error.script_text = name, text
            error = error.inner
        return self

    def excerpt(self) -> str:
        """The source line of the innermost position with a caret below it, or an empty text."""
        error = self.innermost
        return excerpt(error.script_text, error.at or self.at)

    def __str__(self) -> str:
        return self.message


class EvalError(RhaiError):
    """An error that a script may catch."""

    catchable = True


class LimitError(RhaiError):
    """A limit was hit; no script can catch it."""


# --- errors a script may catch --------------------------------------------------------------------------------------------


class _Named(EvalError):
    """An error about one name."""

    field: ClassVar[str] = "variable"
    words: ClassVar[str] = ""

    def __init__(self, at: At, name: str) -> None:
        super().__init__(at)
        self.name = name

    def text(self) -> str:
        return f"{self.words}{self.name}"

    def fields(self) -> Fields:
        return {self.field: self.name}


class VariableExists(_Named):
    words = "Variable already defined: "


class ForbiddenVariable(_Named):
    words = "Forbidden variable name: "


class VariableNotFound(_Named):
    words = "Variable not found: "


class PropertyNotFound(_Named):
    words = "Property not found: "


class FunctionNotFound(_Named):
    """`name` is the signature: `name (type, type)`."""

    field = "function"
    words = "Function not found: "


class ModuleNotFound(_Named):
    field = "module"
    words = "Module not found: "


class IndexingType(_Named):
    """`name` is `type [index type]`, for writes with ` = value type` appended."""

    field = "type"
    words = "Indexer unavailable: "


class AssignmentToConstant(_Named):
    """`name` is empty for `this`, which leaves a blank at the end."""

    words = "Cannot modify constant "


class DotExpr(_Named):
    """`name` is the whole text."""

    field = "property"

    def text(self) -> str:
        return self.name or "Malformed dot expression"


class DataRace(_Named):
    def text(self) -> str:
        return f"Data race detected on {self.name}" if self.name else "Data race detected"


class NonPureMethodCallOnConstant(_Named):
    """`name` is the function's; getters and setters are named `get$x` and `set$x`, indexers `index$get$` and `index$set$`."""

    field = "function"

    def text(self) -> str:
        if self.name == "index$get$":
            return "Non-pure indexer cannot be accessed on constant"
        if self.name == "index$set$":
            return "Cannot assign to indexer of constant"
        if self.name.startswith("get$"):
            return f"Non-pure property {self.name[4:]} cannot be accessed on constant"
        if self.name.startswith("set$"):
            return f"Cannot modify property '{self.name[4:]}' of constant"
        return f"Non-pure method '{self.name}' cannot be called on constant"


class IndexNotFound(EvalError):
    """`shown` is the display text of the index."""

    def __init__(self, at: At, shown: str) -> None:
        super().__init__(at)
        self.shown = shown

    def text(self) -> str:
        return f"Invalid index: {self.shown}"

    def fields(self) -> Fields:
        return {"index": self.shown}


class UnboundThis(EvalError):
    def text(self) -> str:
        return "'this' not bound"


class For(EvalError):
    def text(self) -> str:
        return "For loop expects iterable type"


class Arithmetic(EvalError):
    def __init__(self, at: At, words: str) -> None:
        super().__init__(at)
        self.words = words

    def text(self) -> str:
        return self.words or "Arithmetic error"


class _Mismatch(EvalError):
    """`wanted` and `actual` are type names; either may be empty."""

    subject: ClassVar[str] = ""

    def __init__(self, at: At, wanted: str, actual: str) -> None:
        super().__init__(at)
        self.wanted = wanted
        self.actual = actual

    def text(self) -> str:
        if not self.actual:
            return f"{self.subject} incorrect, expecting {self.wanted}"
        return f"{self.subject} incorrect: {self.actual}" + (f" (expecting {self.wanted})" if self.wanted else "")

    def fields(self) -> Fields:
        return {"requested": self.wanted, "actual": self.actual}


class MismatchDataType(_Mismatch):
    subject = "Data type"


class MismatchOutputType(_Mismatch):
    subject = "Output type"


class _Bounds(EvalError):
    """`length` is what there is, `index` what was asked for."""

    words: ClassVar[tuple[str, str, str, str]] = ("", "", "", "")  # what, when empty, one, many

    def __init__(self, at: At, length: int, index: int) -> None:
        super().__init__(at)
        self.length = length
        self.index = index

    def text(self) -> str:
        what, empty, one, many = self.words
        there = {0: empty, 1: f"only 1 {one}"}.get(self.length, f"only {self.length} {many}")
        return f"{what} index {self.index} out of bounds: {there}"

    def fields(self) -> Fields:
        return {"length": self.length, "index": self.index}


class ArrayBounds(_Bounds):
    words = ("Array", "array is empty", "element in array", "elements in array")


class StringBounds(_Bounds):
    words = ("String", "string is empty", "character in string", "characters in string")


class BitFieldBounds(_Bounds):
    words = ("Bit-field", "only 0 bits in bit-field", "bits in bit-field", "bits in bit-field")


class Thrown(EvalError, kind="ErrorRuntime"):
    """`throw value`: `value` is the script's, `show` makes its display text when that is asked for; most are caught before."""

    def __init__(self, at: At, value: object, show: Callable[[Any], str]) -> None:
        super().__init__(at)
        self.value = value
        self._show = show
        self._shown: str | None = None

    def text(self) -> str:
        if self._shown is None:  # once: a value that is nested in itself many times over takes long to show
            self._shown = self._show(self.value)
        return f"Runtime error: {self._shown}" if self._shown else "Runtime error"


class Exited(EvalError, kind="Exit"):
    """`exit` called inside a native function's callback: the engine reports it as the error inside that function's."""

    def text(self) -> str:
        return "NOT AN ERROR - exit value"


class InFunctionCall(EvalError):
    """An error that left the function `name`; `source` is where that function was defined, if elsewhere."""

    def __init__(self, at: At, name: str, source: str, inner: RhaiError) -> None:
        super().__init__(at)
        self.name = name
        self.source = source
        self.inner: RhaiError = inner

    def text(self) -> str:
        call = "in closure call" if self.name.startswith("anon$") else f"in call to function '{self.name}'"
        return f"{self.inner.display(self.source)}\n{call}" + (f" (from '{self.source}')" if self.source else "")

    def fields(self) -> Fields:
        return {"function": self.name, "source": self.source}


class InModule(EvalError):
    """An error while the module `name` was loaded."""

    def __init__(self, at: At, name: str, inner: RhaiError) -> None:
        super().__init__(at)
        self.name = name
        self.inner: RhaiError = inner

    def text(self) -> str:
        return f"{self.inner.display()}\nin module" + (f" '{self.name}'" if self.name else "")

    def fields(self) -> Fields:
        return {"module": self.name}


def forget_frames(error: RhaiError) -> None:
    """Let `error`, and those inside of it, go without the frames that they passed through: those hold whole machines.

    The innermost goes first: a frame holds the one around it, and Python frees a chain of them by recursion on C's stack.
    """
    errors = [error]
    while (inner := errors[-1].inner) is not None:
        errors.append(inner)
    while errors:
        last = errors.pop()
        trace, last.__traceback__ = last.__traceback__, None
        last.__context__ = last.__cause__ = None
        links: list[TracebackType] = []
        while trace is not None:
            links.append(trace)
            trace = trace.tb_next
        while links:
            links.pop().tb_next = None
