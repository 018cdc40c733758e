"""Every error of stagehooks. Each has one complete `message`; `inner` keeps the engine's own error where there is one.

StageHooksError
+-- HookError                 a hook script is at fault
|   +-- CompilationError      it is no program
|   +-- ValidationError       it breaks the contract: wrong number of parameters, a hook it was named for is missing
|   |   +-- AnswerError       it returned something that is no answer
|   +-- ContextError          the data for it is not plain data, or too much
|   +-- ExecutionError        it threw, or ran out of something
|   +-- IsolationError        a process of its own could not be had for it, or was ended
+-- SpawnError                an agent cannot be started
|   +-- BlueprintError        its agent file is wrong; `file` and `line` say where
+-- RunFailed                 a run ends in error: what a hook refused, or could not do
+-- ModelError                a model could not be asked, or its answer could not be read
|   +-- TransientError        asked again, it may answer
+-- WindowError               a region cannot take a text, or does not exist
+-- StoreError                a run cannot be stored, or what is stored does not fit
|   +-- UnusableStore         the file that was named cannot be a store, or cannot be opened
+-- UsageError                a command was asked for something that cannot be done
"""

from rhaipy import LimitError, Meter, RhaiError
from rhaipy.typings import Final

OK: Final = 0
FAILED: Final = 1
USAGE: Final = 2
LIMIT: Final = 3
INTERRUPTED: Final = 130


class StageHooksError(Exception):
    """The root. `message` is the whole text, in one piece; `file` is the file at fault, `hint` says what to do about it."""

    def __init__(self, message: str, *, inner: RhaiError | None = None, file: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.inner = inner
        self.file = file
        self.hint = hint

    def __str__(self) -> str:
        return self.message

    @property
    def hit_a_limit(self) -> bool:
        """Did a script run out of operations, fuel, memory, levels or size?"""
        return self.inner is not None and isinstance(self.inner.innermost, LimitError)

    @property
    def line(self) -> int:
        """The line at fault, from 1; 0 where it is not known."""
        return self._place()[0]

    @property
    def column(self) -> int:
        """The column at fault, from 1; 0 where it is not known."""
        return self._place()[1]

    def excerpt(self) -> str:
        """The source line at fault with a caret below it, or an empty text."""
        return self.inner.excerpt() if self.inner is not None else ""

    def exit_code(self) -> int:
        """What a command ends with on this error."""
        return LIMIT if self.hit_a_limit else FAILED

    def _place(self) -> tuple[int, int]:
        position = self.inner and (self.inner.innermost.position or self.inner.position)
        return (position.line, position.column) if position else (0, 0)


class HookError(StageHooksError):
    """A hook script is at fault. `file` is its path as it was given, `hook` the hook that was called, if any.

    `operations` and `fuel` are what the call had used by then, None where it did not come to a call.
    """

    def __init__(self, path: str, hook: str, message: str, *, inner: RhaiError | None = None, meter: Meter | None = None) -> None:
        super().__init__(message, inner=inner, file=path)
        self.hook = hook
        self.operations = meter.operations if meter is not None else None
        self.fuel = meter.fuel if meter is not None else None


class CompilationError(HookError):
    """The script is not a program."""

    def __init__(self, path: str, inner: RhaiError) -> None:
        super().__init__(path, "", f"Script compilation failed: {path}: {inner.message}", inner=inner)

    def exit_code(self) -> int:
        return USAGE


class ValidationError(HookError):
    """The script breaks the contract of stage hooks."""

    def __init__(self, path: str, hook: str, what: str, meter: Meter | None = None) -> None:
        super().__init__(path, hook, f"Script validation failed: {path}: {what}", meter=meter)
        self.what = what

    def exit_code(self) -> int:
        return USAGE


class AnswerError(ValidationError):
    """The script returned something that is no answer."""

    def exit_code(self) -> int:
        return FAILED


class ContextError(HookError):
    """The `ctx` for a hook holds something that is not plain data, or too much of it."""

    def __init__(self, path: str, hook: str, what: str) -> None:
        super().__init__(path, hook, f"Script execution failed: {path}: {hook}: {what}")


class ExecutionError(HookError):
    """The script failed while it ran."""

    def __init__(self, path: str, hook: str, inner: RhaiError, meter: Meter | None = None) -> None:
        message = f"Script execution failed: {path}: {hook}: {inner.message}"
        super().__init__(path, hook, message, inner=inner, meter=meter)


class IsolationError(HookError):
    """The process of an isolated call could not be had, or was ended; `stopped`: because the call took too long or too much."""

    def __init__(self, path: str, hook: str, what: str, *, stopped: bool = False) -> None:
        super().__init__(path, hook, f"Script execution failed: {path}: {hook}: {what}")
        self.stopped = stopped

    @property
    def hit_a_limit(self) -> bool:
        return self.stopped


class SpawnError(StageHooksError):
    """An agent cannot be started; nothing of it has run."""

    def exit_code(self) -> int:
        return USAGE


class BlueprintError(SpawnError):
    """The agent file `file` is wrong, at line `line` where that is known."""

    def __init__(self, file: str, line: int, what: str, hint: str = "") -> None:
        super().__init__(f"{file}:{line}: {what}" if line else f"{file}: {what}", file=file, hint=hint)
        self.what = what
        self._line = line

    def _place(self) -> tuple[int, int]:
        return self._line, 0


class RunFailed(StageHooksError):
    """What ends a run in error."""


class ModelError(StageHooksError):
    """A model could not be asked, or its answer could not be read."""


class TransientError(ModelError):
    """The model cannot answer now; asked again, it may.

    `crowded`: it has no room, which takes longer to pass. `after`: for how many seconds it asks to be left alone, if it does.
    """

    def __init__(self, message: str, *, crowded: bool = False, after: float | None = None) -> None:
        super().__init__(message)
        self.crowded = crowded
        self.after = after


class WindowError(StageHooksError):
    """A text that a region cannot take, or a region that does not exist."""


class StoreError(StageHooksError):
    """A run cannot be stored, or what is stored does not fit. The run stops where it is, and can be resumed."""


class UnusableStore(StoreError):
    """A store cannot be opened: nothing has run."""

    def exit_code(self) -> int:
        return USAGE


class UsageError(StageHooksError):
    """A command was asked for something that cannot be done."""

    def exit_code(self) -> int:
        return USAGE
