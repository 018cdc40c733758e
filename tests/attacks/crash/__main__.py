"""Fuzz for crashes: `python -m tests.attacks.crash [--seconds N] [--seed N] [--target NAME ..] [--plain] [--again FILE ..]`.

Guided by coverage where atheris is installed, else with random changes. Each finding is printed with what it needs to be found
again, and saved as a file that `--again` gives to its target once more; with atheris, the first one ends the run. The exit code
is not 0 where there is one, and where the process itself is taken down.
"""

import argparse
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

SAVED: Final = Path(__file__).parent.parent.parent.parent / ".crash"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run for so many seconds."""
    parser = argparse.ArgumentParser(prog="crash", description="Anything at all, for everything that reads.")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", action="append", default=[], help="all take turns where none is named")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="begin with the input of this number (plain only)")
    parser.add_argument("--count", type=int, default=2**62, metavar="N", help="inputs for each target at most (plain only)")
    parser.add_argument("--plain", action="store_true", help="do not use atheris, though it is there")
    parser.add_argument("--save", type=Path, default=SAVED, metavar="DIR", help="where findings are put (.crash)")
    parser.add_argument("--again", type=Path, nargs="+", default=[], metavar="FILE", help="only these, which were saved")
    options = parser.parse_args(arguments)
    if not options.again:
        options.save.mkdir(parents=True, exist_ok=True)
    if not options.again and not options.plain and importlib.util.find_spec("atheris") is not None:
        from tests.attacks.crash.guided import run as guided

        return guided(options.target, options.seconds, options.seed, options.save)
    from tests.attacks.crash import plain

    if options.again:
        return plain.again(options.again)
    numbers = range(options.first, options.first + options.count)
    return plain.run(options.target, options.seconds, options.seed, options.save, numbers)


if __name__ == "__main__":
    sys.exit(main())
