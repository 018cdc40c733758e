"""The errors that stand for trouble in the host's own code: a function, a resolver, or an event handler that raised.

A script can catch what a function raised, and finds a text that names the function. The exception itself is for the host alone:
`error.host_error`. The real engine has such texts made by the host; these are ours.
"""

from rhaipy.errors import RhaiError, Thrown
from rhaipy.limit_errors import System
from rhaipy.source import NONE, At
from rhaipy.typings import Final

LONGEST: Final = 1000
"""Characters of an exception's text that are shown."""

_ROLES: Final = {
    "get$": "getter of '{}'",
    "set$": "setter of '{}'",
    "index$get$": "indexer",
    "index$set$": "index setter",
    "iterator$": "iterator",
    "on_var": "on_var",
    "on_def_var": "on_def_var",
}


class HostFailure(Thrown, kind="ErrorRuntime"):
    """A function of the host raised `exception`, or gave what is no value. Scripts catch its text, as a string."""

    def __init__(self, at: At, name: str, exception: Exception) -> None:
        super().__init__(at, f"{role(name)} failed: {described(exception)}", str)
        self.name = name
        self._host_error = exception


class HostTrouble(System, kind="ErrorSystem"):
    """An event handler of the host (`on_print`, `on_progress`, ..) raised `exception`. No script can catch it."""

    def __init__(self, at: At, name: str, exception: Exception) -> None:
        super().__init__(at, f"{name} failed", described(exception))
        self.name = name
        self._host_error = exception


def role(name: str) -> str:
    """What the function `name` is to a script: `function 'pay'`, `getter of 'owner'`, `indexer`."""
    if name in _ROLES:
        return _ROLES[name]
    words = _ROLES.get(name[:4])
    return words.replace("{}", name[4:]) if words is not None else f"function '{name}'"


def described(exception: Exception) -> str:
    """The type and the text of an exception, as one line of text that any script may hold."""
    if isinstance(exception, RhaiError):
        return exception.text()
    try:
        text = str(exception)
    except Exception:
        text = ""
    line = " ".join(text[: LONGEST + 1].split()).encode("utf-8", "replace").decode()
    if len(text) > LONGEST:
        line = f"{line[:LONGEST]}.."
    return f"{type(exception).__name__}: {line}" if line else type(exception).__name__


def from_host(name: str, exception: Exception) -> HostFailure:
    """The error for what a function of the host raised. Its traceback begins in the host's own code."""
    trace = exception.__traceback__
    while trace is not None and str(trace.tb_frame.f_globals.get("__name__")).startswith("rhaipy."):
        trace = trace.tb_next
    exception.__traceback__ = trace
    return HostFailure(NONE, name, exception)
