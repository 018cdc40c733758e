"""The machine and the versions that numbers belong to."""

import os
import platform
from pathlib import Path

from bench.peer_rows import version
from bench.peers.adapters import ADAPTERS
from rhaipy import __version__


def described() -> dict[str, str]:
    """What to say of them."""
    found = [f"{name} {version(name)}" for name in ADAPTERS if version(name)]
    return {
        "processor": f"{_processor()}, {os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.machine()}",
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "rhaipy": __version__,
        "Rhai": "1.27.0, release build with link-time optimisation",
        "peers": ", ".join(found) or "none installed",
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")
