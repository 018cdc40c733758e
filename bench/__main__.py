"""Times rhaipy beside plain Python, and the real engine where its oracle is built: `python -m bench [--rounds N] [--json]`.

Rounds are interleaved and medians compared, so that a machine that changes its speed changes all sides alike. Quote the
ratios, not the times. The real engine is timed through its pipe, less an empty request.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable

from bench import runtime
from bench.workloads import WORKLOADS, Workload
from conformance.oracle_client import BINARY, Peer, open_oracle
from rhaipy import Engine, Limits

BUDGET = 100_000_000


def sides(work: Workload, oracle: Peer | None) -> dict[str, Callable[[], object]]:
    """What is timed for one piece of work, by name; each gives the work's value."""
    engine = Engine(limits=Limits(max_operations=BUDGET))
    ast = engine.compile(work.rhai)
    found: dict[str, Callable[[], object]] = {"python": work.python, "rhaipy": lambda: engine.eval(ast)}
    if oracle is not None:
        request = {"src": work.rhai, "limits": {"max_operations": BUDGET}}
        found["rhai"] = lambda: oracle.ask(request)["json"]
    return found


def seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def measure(work: Workload, oracle: Peer | None, rounds: int) -> dict[str, float]:
    """The median seconds of each side; refuses to time sides that disagree."""
    timed = sides(work, oracle)
    answers = {name: run() for name, run in timed.items()}
    if len(set(answers.values())) != 1:
        raise SystemExit(f"{work.name}: the sides disagree: {answers}")
    samples: dict[str, list[float]] = {name: [] for name in timed}
    for _ in range(rounds):
        for name, run in timed.items():
            idle = seconds(lambda: oracle.ask({"src": ""})) if name == "rhai" and oracle is not None else 0.0
            samples[name].append(max(seconds(run) - idle, 1e-9))
    return {name: statistics.median(values) for name, values in samples.items()}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bench", description="Times rhaipy beside Python and the real engine.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true", help="one JSON object instead of the table")
    parser.add_argument("--runtime", action="store_true", help="a long run of an agent instead: its time and its memory")
    options = parser.parse_args(arguments)
    if options.runtime:
        return runtime.main()
    oracle = open_oracle() if BINARY.exists() else None
    table = {work.name: measure(work, oracle, options.rounds) for work in WORKLOADS}
    ratios = {
        name: {side: row["rhaipy"] / value for side, value in row.items() if side != "rhaipy"} for name, row in table.items()
    }
    if options.json:
        print(json.dumps(ratios))
        return 0
    print("rhaipy's time, as a multiple of that of")
    for name, row in ratios.items():
        print(f"  {name:48}" + "".join(f"{side} {ratio:7.1f}   " for side, ratio in row.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
