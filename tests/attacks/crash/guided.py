"""The fuzzer that atheris guides by coverage. The first byte of an input is the number of its target; a fault ends the run."""

import importlib
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from tests.attacks.crash import mutator
from tests.attacks.crash.findings import saved, told

UNTOUCHED: Final = ["rhaipy.records"]
"""It makes code of code by a change of names, which does not go together with what atheris puts in between."""
FLAGS: Final = ("-max_len=20000", "-rss_limit_mb=3000", "-timeout=60", "-print_final_stats=1")
EVERY: Final = 5
"""One in so many of the known inputs is begun with."""


def run(targets: Sequence[str], seconds: float, seed: int, save: Path) -> int:
    """Fuzz for so many seconds. The last lines tell the number of inputs; the process ends here, not with 0 after a fault."""
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["rhaipy", "stagehooks"], exclude=UNTOUCHED):
        from tests.attacks.crash.targets import TARGETS, Fault, give

    names = targets or list(TARGETS)
    corpus = Path(tempfile.mkdtemp(prefix="crash-"))
    for place, name in enumerate(names):
        for number, data in enumerate(mutator.seeds(name)[::EVERY]):
            (corpus / f"{name}-{number}").write_bytes(bytes([place]) + data)

    def take(data: bytes) -> None:
        if not data:
            return
        name, rest = names[data[0] % len(names)], data[1:]
        try:
            give(name, rest)
        except Fault as fault:
            print(told(fault, saved(save, name, rest), rest), flush=True)
            raise

    flags = [f"-max_total_time={int(seconds)}", f"-seed={seed}", f"-artifact_prefix={save}/raw-", *FLAGS]
    atheris.Setup([sys.argv[0], *flags, str(corpus)], take)
    atheris.Fuzz()
    return 0
