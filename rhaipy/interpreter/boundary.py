"""The boundary around a run: nothing but our own errors leaves, each knows its script, and none holds on to the machine."""

from collections.abc import Callable

from rhaipy.errors import RhaiError, forget_frames
from rhaipy.interpreter.headroom import leave_room, make_room
from rhaipy.limit_errors import OutOfFuel, OutOfMemory, StackOverflow, System
from rhaipy.source import NONE
from rhaipy.typings import TypeVar

T = TypeVar("T")


def guarded(name: str, text: str, work: Callable[[], T]) -> T:
    """What `work` gives. Its errors are about the script called `name`, whose source is `text`."""
    make_room()
    try:
        return work()
    except RhaiError as error:
        left = _ours_first(error)
    except RecursionError:
        left = StackOverflow(NONE)
    except MemoryError:
        left = OutOfMemory(NONE)
    except Exception as error:
        left = System(NONE, "Internal error", f"{type(error).__name__}: {error}")
    finally:
        leave_room()
    forget_frames(left.in_script(name, text))
    try:
        raise left
    finally:
        del left  # or the error and this frame would hold each other, and what the run held


def _ours_first(error: RhaiError) -> RhaiError:
    """The limits that are not Rhai's end a run whatever they passed through; the engine wraps its own in calls, now and then."""
    innermost = error.innermost
    return innermost if isinstance(innermost, OutOfFuel | OutOfMemory) else error
