"""Runs attacks in child processes, one at a time, so that a crash or a hang is the failure of one attack and not of the run."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any, Final, Protocol


class Attack(Protocol):
    """What can be run: it has an id and a ceiling of time, and is plain data for the child."""

    @property
    def id(self) -> str: ...

    @property
    def seconds(self) -> float: ...

    def request(self) -> dict[str, Any]:
        """What the child is given."""
        ...


ROOT: Final = Path(__file__).parent.parent.parent
TOLD: Final = 2000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an attack. `kind` is "died" where the child did not survive it, and `text` then what it said last."""

    kind: str
    text: str
    seconds: float
    mebibytes: float


def run(attacks: Sequence[Attack]) -> dict[str, Outcome]:
    """The outcome of each attack by its id. A new child goes on where one died."""
    outcomes: dict[str, Outcome] = {}
    left = list(attacks)
    while left:
        answers, told = _child(left)
        for answer in answers:
            id = answer.pop("id")
            outcomes[id] = Outcome(**answer)
        left = left[len(answers) :]
        if left:
            outcomes[left.pop(0).id] = Outcome("died", told, 0.0, 0.0)
    return outcomes


def _child(attacks: Sequence[Attack]) -> tuple[list[dict[str, Any]], str]:
    """The answers of one child, until it ended, and what it wrote to standard error."""
    command = [sys.executable, "-X", "faulthandler", "-m", "tests.attacks.child"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        feeder = Thread(target=_feed, args=(child.stdin, attacks), daemon=True)
        feeder.start()
        answers = [json.loads(line) for line in child.stdout or ()]
        told = child.stderr.read().decode("utf-8", "replace")[-TOLD:] if child.stderr else ""
        feeder.join()
    return answers, told


def _feed(pipe: Any, attacks: Sequence[Attack]) -> None:
    try:
        for attack in attacks:
            pipe.write(json.dumps({"id": attack.id, "ceiling": attack.seconds, **attack.request()}).encode() + b"\n")
        pipe.close()
    except OSError:
        return  # the child died
