"""Fuzz for crashes: `python -m tests.attacks.crash [--seconds N] [--seed N] [--target NAME ..] [--plain]`.

Guided by coverage where atheris is installed, else with random changes. Each finding is printed with what it needs to be found
again; with atheris, the first one ends the run. The exit code is 1 where there is one.
"""

import argparse
import importlib
import importlib.util
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

SHOWN: Final = 300
UNTOUCHED: Final = ["rhaipy.records"]
"""It makes code of code by a change of names, which does not go together with what atheris puts in between."""
FLAGS: Final = ("-max_len=20000", "-rss_limit_mb=3000", "-timeout=30")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run for so many seconds."""
    parser = argparse.ArgumentParser(prog="crash", description="Anything at all, for everything that reads.")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", action="append", default=[], help="all take turns where none is named")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="begin with the input of this number (plain only)")
    parser.add_argument("--count", type=int, default=2**62, metavar="N", help="inputs for each target at most (plain only)")
    parser.add_argument("--plain", action="store_true", help="do not use atheris, though it is there")
    options = parser.parse_args(arguments)
    if not options.plain and importlib.util.find_spec("atheris") is not None:
        return _guided(options)
    return _plain(options)


def _plain(options: argparse.Namespace) -> int:
    from tests.attacks.crash import mutator
    from tests.attacks.crash.targets import TARGETS, Fault, give, limit_memory

    limit_memory()
    names = options.target or list(TARGETS)
    end = time.monotonic() + options.seconds
    found: dict[str, int] = {}
    number = options.first
    while time.monotonic() < end and number < options.first + options.count:
        for name in names:
            data = mutator.made(name, options.seed, number)
            try:
                give(name, data)
            except Fault as fault:
                kind = f"{name}: {_where(fault)}"
                found[kind] = found.get(kind, 0) + 1
                if found[kind] == 1:
                    print(f"--- {name} --seed {options.seed} --first {number} --count 1\n{fault}\n{data[:SHOWN]!r}")
                    traceback.print_exception(fault.__cause__, limit=-4)
        number += 1
    print(f"{number - options.first} inputs for each of {len(names)} targets, {len(found)} kinds of faults")
    for kind, times in found.items():
        print(f"  {times:6} {kind}")
    return bool(found)


def _where(fault: Exception) -> str:
    cause = fault.__cause__
    frames = traceback.extract_tb(cause.__traceback__) if cause is not None else []
    ours = [frame for frame in frames if "/rhaipy/" in frame.filename or "/stagehooks/" in frame.filename]
    place = f" in {Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else ""
    return f"{type(cause).__name__ if cause is not None else str(fault)[:40]}{place}"


def _guided(options: argparse.Namespace) -> int:
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["rhaipy", "stagehooks"], exclude=UNTOUCHED):
        from tests.attacks.crash import targets
    from tests.attacks.crash import mutator

    names = options.target or list(targets.TARGETS)
    corpus = Path(tempfile.mkdtemp(prefix="crash-"))
    for place, name in enumerate(names):
        for number, data in enumerate(mutator.seeds(name)[::5]):
            (corpus / f"{name}-{number}").write_bytes(bytes([place]) + data)

    def take(data: bytes) -> None:
        if data:
            targets.give(names[data[0] % len(names)], data[1:])

    flags = [
        f"-max_total_time={int(options.seconds)}",
        f"-seed={options.seed}",
        "-max_len=20000",
        "-rss_limit_mb=3000",
        "-timeout=30",
    ]
    atheris.Setup([sys.argv[0], *flags, f"-artifact_prefix={corpus}/found-", str(corpus)], take)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
