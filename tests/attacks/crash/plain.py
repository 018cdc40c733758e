"""The fuzzer that needs nothing: inputs made of known ones by random changes, each of which follows from the seed and its number.

A fault is told and saved, and it goes on. What ends the process, or does not come back from C, is in the file LAST.
"""

import faulthandler
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.attacks.crash import mutator
from tests.attacks.crash.findings import likeness, saved, told
from tests.attacks.crash.targets import TARGETS, Fault, give, limit_memory

HANGS_AFTER: Final = 120.0
"""Seconds by the clock after which an input is given up, and the process with it."""
LAST: Final = "last"
"""The file with the target and the number of the input that is being read."""


def run(targets: Sequence[str], seconds: float, seed: int, save: Path, numbers: range) -> int:
    """Fuzz for so many seconds; 1 where there was a fault."""
    limit_memory()
    faulthandler.enable()
    names = targets or list(TARGETS)
    end, given, found = time.monotonic() + seconds, 0, Counter[str]()
    for number in numbers:
        if time.monotonic() > end:
            break
        for name in names:
            (save / LAST).write_text(f"--plain --target {name} --seed {seed} --first {number} --count 1\n", encoding="utf-8")
            data = mutator.made(name, seed, number)
            faulthandler.dump_traceback_later(HANGS_AFTER, exit=True)
            try:
                give(name, data)
            except Fault as fault:
                kind = likeness(name, fault)
                found[kind] += 1
                if found[kind] == 1:
                    print(told(fault, saved(save, name, data), data), flush=True)
            given += 1
    faulthandler.cancel_dump_traceback_later()
    (save / LAST).unlink(missing_ok=True)
    print(f"{given} inputs for {len(names)} targets, {len(found)} kinds of faults (seed {seed})")
    for kind, times in found.items():
        print(f"  {times:6} {kind}")
    return bool(found)


def again(paths: Sequence[Path]) -> int:
    """Give what was saved to its target once more; 1 where there is a fault."""
    limit_memory()
    faults = 0
    for path in paths:
        data = path.read_bytes()
        try:
            give(path.name.partition("-")[0], data)
        except Fault as fault:
            faults += 1
            print(told(fault, path, data))
    print(f"{len(paths)} inputs, {faults} faults")
    return bool(faults)
