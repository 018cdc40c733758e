"""The errors that no script can catch: a limit was hit, or the host ended the script."""

from rhaipy.errors import Fields, LimitError
from rhaipy.source import At


class TooManyOperations(LimitError):
    def text(self) -> str:
        return "Too many operations"


class TooManyVariables(LimitError):
    def text(self) -> str:
        return "Too many variables defined"


class TooManyModules(LimitError):
    def text(self) -> str:
        return "Too many modules imported"


class StackOverflow(LimitError):
    def text(self) -> str:
        return "Stack overflow"


class DataTooLarge(LimitError):
    """`what` names the kind of data: "Length of string", "Size of array/BLOB", "Size of object map"."""

    def __init__(self, at: At, what: str) -> None:
        super().__init__(at)
        self.what = what

    def text(self) -> str:
        return f"{self.what} too large"

    def fields(self) -> Fields:
        return {"type": self.what}


class Terminated(LimitError):
    """`on_progress` stopped the script; `token` is what it returned."""

    def __init__(self, at: At, token: object) -> None:
        super().__init__(at)
        self.token = token

    def text(self) -> str:
        return "Script terminated"


class OutOfFuel(LimitError):
    """Ours: the work of all operations, callbacks and builtins together passed `Limits.fuel`."""

    def text(self) -> str:
        return "Out of fuel"


class OutOfMemory(LimitError):
    """Ours: the live variables together passed `Limits.memory` bytes."""

    def text(self) -> str:
        return "Out of memory"


class System(LimitError):
    """The host could not do what was asked: `what` and why."""

    def __init__(self, at: At, what: str, why: str = "") -> None:
        super().__init__(at)
        self.what = what
        self.why = why

    def text(self) -> str:
        return f"{self.what}: {self.why}" if self.what and self.why else self.what or self.why
