"""What was found: where it comes from, and the file it is saved in, whose name begins with that of its target."""

import traceback
from hashlib import sha256
from pathlib import Path
from typing import Final

SHOWN: Final = 300


def saved(save: Path, target: str, data: bytes) -> Path:
    """The file that now holds an input for `target`."""
    path = save / f"{target}-{sha256(data).hexdigest()[:12]}"
    path.write_bytes(data)
    return path


def told(fault: Exception, path: Path, data: bytes) -> str:
    """A finding, for people."""
    cause = fault.__cause__
    frames = "".join(traceback.format_exception(cause, limit=-4)) if cause is not None else ""
    return f"--- {path}\n{fault}\n{data[:SHOWN]!r}\n{frames}"


def likeness(target: str, fault: Exception) -> str:
    """What findings have in common that are one and the same."""
    cause = fault.__cause__
    frames = traceback.extract_tb(cause.__traceback__) if cause is not None else []
    ours = [frame for frame in frames if "/rhaipy/" in frame.filename or "/stagehooks/" in frame.filename]
    place = f" in {Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else ""
    return f"{target}: {type(cause).__name__ if cause is not None else str(fault)[:40]}{place}"
