"""Where runs are stored when nobody says where."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

HOME: Final = "STAGEHOOKS_HOME"
FILE: Final = "runs.db"


def default_path(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """`runs.db` in $STAGEHOOKS_HOME, or in the directory that the platform has for the state of a user's programs."""
    if environment.get(HOME):
        return Path(environment[HOME]) / FILE
    return _state(environment, platform) / "stagehooks" / FILE


def _state(environment: Mapping[str, str], platform: str) -> Path:
    if platform == "win32":
        return Path(environment.get("LOCALAPPDATA") or _home(environment) / "AppData" / "Local")
    if platform == "darwin":
        return _home(environment) / "Library" / "Application Support"
    named = Path(environment.get("XDG_STATE_HOME", ""))
    return named if named.is_absolute() else _home(environment) / ".local" / "state"


def _home(environment: Mapping[str, str]) -> Path:
    return Path(environment.get("HOME") or os.path.expanduser("~"))
