"""The rows of attacks.toml, and what is expected of each."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rhaipy import limit_errors
from rhaipy.errors import LimitError

LIMIT_KINDS: Final = frozenset({item.kind for item in vars(limit_errors).values() if isinstance(item, type) and issubclass(item, LimitError)})
