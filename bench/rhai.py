"""The real engine, in the process of `rust`: its tree walker, hardened as for hooks, and its `grain` VM."""

import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal

from bench.contestant import Job, Server
from bench.workloads import Workload

CRATE: Final = Path(__file__).parent / "rust"
BINARY: Final = CRATE / "target" / "release" / "bench-rhai"


def build() -> str:
    """Build it; what went wrong, or nothing."""
    command = ["cargo", "build", "--release", "--locked", "--quiet", "--manifest-path", str(CRATE / "Cargo.toml")]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        return f"no cargo: {error.strerror}"
    return done.stderr.strip().rpartition("\n")[2] if done.returncode else ""


@dataclass(frozen=True)
class Sizes:
    """The limits that both engines are given. `hook`: hardened as for hooks, wide enough for the work."""

    hook: bool
    max_operations: int = 100_000_000
    max_string_size: int = 0
    max_array_size: int = 0
    max_map_size: int = 0


PLAIN: Final = Sizes(hook=False)
HOOK: Final = Sizes(hook=True, max_string_size=1_000_000, max_array_size=100_000, max_map_size=100_000)


@dataclass(frozen=True)
class Rhai:
    """The real engine with one evaluator and one profile."""

    name: str
    server: Server
    evaluator: Literal["tree", "grain"]
    sizes: Sizes

    def prepare(self, work: Workload) -> Job:
        """See `Contestant`."""
        task: dict[str, Any] = {
            "kind": "run" if work.kind == "text" else work.kind,
            "source": work.rhai(self.sizes.hook),
            "evaluator": self.evaluator,
            "limits": asdict(self.sizes),
            "function": "on_tool_call",
            "argument": work.argument,
        }
        return self.server.prepare(task)
