"""The process that drives a run, and whether it still does.

A process number alone says little: numbers are used again. So the time at which the process began goes with it, as far as the
system tells, and the machine with the time at which that began.
"""

import os
import platform
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from stagehooks.scripts.json_text import Json

BOOT: Final = Path("/proc/sys/kernel/random/boot_id")
START_FIELD: Final = 19
"""Where /proc/PID/stat has the start time, counted from the field behind the program's name."""


@dataclass(frozen=True, slots=True)
class Owner:
    """One process on one machine. `boot` and `began` are empty where the system does not tell."""

    host: str
    boot: str
    pid: int
    began: str

    def data(self) -> Json:
        """As plain data."""
        return {"host": self.host, "boot": self.boot, "pid": self.pid, "began": self.began}

    @property
    def alive(self) -> bool:
        """Does the process still run? What another machine does cannot be seen from here: it is taken to run."""
        here = this_process()
        if self.host != here.host:
            return True
        if self.boot != here.boot:
            return False
        return _runs(self.pid) and _began(self.pid) == self.began

    @property
    def can_be_seen(self) -> bool:
        """Is it another process of this machine, of which it is known for sure whether it runs?"""
        here = this_process()
        return os.name != "nt" and (self.host, self.boot) == (here.host, here.boot) and self.pid != here.pid


def this_process() -> Owner:
    """The process that this is."""
    return Owner(platform.node(), _read(BOOT), os.getpid(), _began(os.getpid()))


def owner_of(data: Json) -> Owner | None:
    """The owner that `data` tells of, if it does."""
    if not isinstance(data, dict):
        return None
    pid = data.get("pid")
    return Owner(str(data.get("host")), str(data.get("boot")), pid if isinstance(pid, int) else 0, str(data.get("began")))


def _runs(pid: int) -> bool:
    if os.name == "nt":
        return True  # asking Windows with a signal would end the process
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _began(pid: int) -> str:
    fields = _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    if fields[:1] in (["Z"], ["X"]):
        return "ended"
    return fields[START_FIELD] if len(fields) > START_FIELD else ""


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""
