"""The child process in which attacks run: a line of JSON in for each attack, a line out for what became of it.

Its address space is limited, and a watchdog ends it when one attack hangs: whatever happens, it cannot take the tests down.
"""

import faulthandler
import json
import sys
import time
from pathlib import Path
from typing import Any, Final

from rhaipy import RhaiError
from rhaipy.display import debug
from tests.attacks.speed import slowness_now
from tests.attacks.tiers import engine_for

HANGS_AFTER: Final = 40.0
TRIES: Final = 8
ADDRESS_SPACE: Final = 2 * 2**30
SHOWN: Final = 200
STATUS: Final = Path("/proc/self/status")
CLEAR_PEAK: Final = Path("/proc/self/clear_refs")


def verdict(attack: dict[str, Any]) -> tuple[str, str]:
    """Run an attack: the kind of the innermost error and its text, or "value" and the text of the value."""
    if "what" in attack:
        from tests.attacks.targets import against

        return against(attack)
    engine = engine_for(attack["tier"], attack["profile"], attack["limits"])
    try:
        ast = engine.compile(attack["source"])
        return "value", debug(engine.eval(ast))[:SHOWN]
    except RhaiError as error:
        return error.innermost.kind, error.message[:SHOWN]
    except BaseException as error:
        return f"foreign {type(error).__name__}", str(error)[:SHOWN]


def peak() -> float:
    """The largest resident memory since the peak was cleared, in MiB; 0 where the system does not tell."""
    if not STATUS.exists():
        return 0.0
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def clear_peak() -> None:
    """Forget the largest resident memory so far."""
    if CLEAR_PEAK.exists():
        CLEAR_PEAK.write_text("5")


def answer(attack: dict[str, Any]) -> dict[str, Any]:
    """What became of one attack, in how much processor time and additional memory.

    One that took longer than it may is tried again: what else the machine does just then is no fault of the attack's.
    """
    ceiling = attack.pop("ceiling")
    answers = [_measured(attack, ceiling)]
    while answers[-1]["seconds"] > ceiling and len(answers) < TRIES:
        answers.append(_measured(attack, ceiling))
    return {**answers[-1], "mebibytes": max(answer["mebibytes"] for answer in answers)}


def _measured(attack: dict[str, Any], ceiling: float) -> dict[str, Any]:
    """The answer of one try. A time beyond the ceiling is as the machine would have taken that the ceilings were set on."""
    faulthandler.dump_traceback_later(HANGS_AFTER, exit=True)
    clear_peak()
    before, started = peak(), time.process_time()
    kind, text = verdict(attack)
    seconds = time.process_time() - started
    faulthandler.cancel_dump_traceback_later()
    if seconds > ceiling:
        seconds /= slowness_now()
    return {"id": attack["id"], "kind": kind, "text": text, "seconds": seconds, "mebibytes": peak() - before}


def limit_memory() -> None:
    """Let no attack take the machine's memory, where the system can limit it."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, ADDRESS_SPACE))


def main() -> None:
    """Answer each line of standard input with a line of standard output."""
    limit_memory()
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
