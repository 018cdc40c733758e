"""Serves one peer: `python -m bench.peers NAME`. The protocol is that of `rust/src/request.rs`."""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

from bench.peers.adapters import ADAPTERS, WORKS_ELSEWHERE, Run


def serve(name: str) -> None:
    clock = time.perf_counter if name in WORKS_ELSEWHERE else time.process_time
    jobs: dict[str, tuple[Run, Any]] = {}
    for line in sys.stdin:
        try:
            answer = answered(json.loads(line), ADAPTERS[name], jobs, clock)
        except Exception as error:
            answer = {"error": _told(error)}
        print(json.dumps(answer), flush=True)


def answered(
    request: Any, adapter: Callable[[str, str], Run], jobs: dict[str, tuple[Run, Any]], clock: Callable[[], float]
) -> dict[str, Any]:
    if request["do"] == "prepare":
        task = request["task"]
        run = adapter(task["source"], task["entry"])
        jobs[request["id"]] = run, task["argument"]
        start = clock()
        value = run(task["argument"])
        return {"value": value, "seconds": clock() - start}
    run, argument = jobs[request["id"]]
    start = clock()
    for _ in range(request["repeat"]):
        run(argument)
    return {"seconds": clock() - start}


def _told(error: Exception) -> str:
    """What went wrong, in a line: the last of a trace, else the first."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[-1] if lines[0].startswith("Traceback") else lines[0]


if __name__ == "__main__":
    serve(sys.argv[1])
