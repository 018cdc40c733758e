"""What the second wall costs: `python -m bench.isolated` times a hook called plainly and in a process of its own."""

import statistics
import time
from collections.abc import Callable
from typing import Final

from stagehooks import HookOutcome, HookScript, Json, compile, run, run_isolated

PLAIN: Final = 200
ISOLATED: Final = 20
SCRIPT: Final = """
fn on_tool_call(ctx) { #{ action: "modify", value: ctx.tool_calls.filter(|asked| asked.name != "shell") } }
"""
CALLS: Final[list[Json]] = [{"name": name, "arguments": {"path": "notes.txt"}} for name in ("read_file", "shell", "list_files")]


def milliseconds(call: Callable[[HookScript, str, Json], HookOutcome], times: int, ctx: Json) -> float:
    """The median time of a call."""
    script = compile("guard.rhai", SCRIPT)
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        call(script, "on_tool_call", ctx)
        taken.append(time.perf_counter() - began)
    return statistics.median(taken) * 1000


def main() -> None:
    """Print the times of both, for a small ctx and a large one."""
    large: Json = {"tool_calls": CALLS, "regions": {f"region {number}": "text " * 20_000 for number in range(50)}}
    small: Json = {"tool_calls": CALLS}
    for what, ctx in (("a small ctx", small), ("a ctx of 5 MB", large)):
        plain, isolated = milliseconds(run, PLAIN, ctx), milliseconds(run_isolated, ISOLATED, ctx)
        print(f"{what:14} plain {plain:7.2f} ms   isolated {isolated:7.1f} ms")


if __name__ == "__main__":
    main()
