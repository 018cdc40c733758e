"""Finding the files of an agent: never outside the agent's directory. How one is read is in `reading`."""

from pathlib import Path, PureWindowsPath
from typing import Final

from stagehooks.agent.reading import SCRIPT_BYTES as SCRIPT_BYTES
from stagehooks.agent.reading import Unreadable as Unreadable
from stagehooks.agent.reading import read_bounded as read_bounded
from stagehooks.agent.reading import read_text as read_text
from stagehooks.agent.reading import reason as reason

AGENT_FILES: Final = ("agent.toml", "agent.leviath")


def real_path(path: Path) -> Path:
    """`path` with its symbolic links resolved, for a file that a person named and may well have linked."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise Unreadable(reason(error)) from None


def inside(directory: Path, declared: str) -> Path | None:
    """The real path of `declared` under `directory`, symbolic links resolved; None when it is not below the directory."""
    if "\0" in declared:
        return None
    try:
        base = directory.resolve(strict=True)
        path = (base / declared).resolve()
    except (OSError, RuntimeError):
        return None
    return path if path != base and path.is_relative_to(base) else None


def is_plain_relative(declared: str) -> bool:
    """Is `declared` a relative path with '/' between its parts, on every system?"""
    windows = PureWindowsPath(declared)
    return bool(declared) and not (windows.drive or windows.root or "\\" in declared)
