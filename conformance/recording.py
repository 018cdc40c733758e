"""The recorded answers of the real engine: written by asking it, never by hand.

`recorded/` mirrors `cases/`: one line for each case with its answer at both levels, closure names masked.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from conformance.cases import CASES, LEVELS, Case, case_files, read_cases, topic_of
from conformance.oracle_client import Answer, Peer, open_oracle

RECORDED = CASES.parent / "recorded"

_CLOSURE = re.compile(r"anon\$[0-9a-f]{16}")


def masked(value: Any) -> Any:
    """`value` with the names of closures, which are random in the real engine, as `anon$#`."""
    match value:
        case str():
            return _CLOSURE.sub("anon$#", value)
        case list() | tuple():
            return [masked(item) for item in value]
        case dict():
            return {masked(key): masked(item) for key, item in value.items()}
    return value


def record(*topics: str) -> None:
    """Asks the real engine all cases of `topics` (all there are, if none is named) and writes down its answers."""
    files = [path for path in case_files() if not topics or topic_of(path) in topics]
    with open_oracle() as oracle:
        for path in files:
            lines = [_line(oracle, case) for case in read_cases(path)]
            target = recording_of(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text("".join(lines), encoding="utf-8")
    if not topics:
        _remove_orphans()


def recording_of(path: Path) -> Path:
    """Where the answers to the cases in the file `path` are recorded."""
    return (RECORDED / path.relative_to(CASES)).with_suffix(".jsonl")


def recorded() -> dict[str, dict[str, Answer]]:
    """The recorded answers: id of the case -> level -> answer."""
    return {row.pop("id"): row for path in sorted(RECORDED.rglob("*.jsonl")) for row in _rows(path)}


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").split("\n"):  # splitlines would also break lines inside JSON strings
        if line:
            yield json.loads(line)


def _line(oracle: Peer, case: Case) -> str:
    row = {"id": case.id} | {level: _answer(oracle, case, level) for level in LEVELS}
    return json.dumps(row, ensure_ascii=False, sort_keys=True) + "\n"


def _answer(oracle: Peer, case: Case, level: str) -> Answer:
    answer: Answer = masked(oracle.ask(case.at(level)))
    answer.pop("id", None)
    if answer.get("kind") == "Crash":
        del answer["message"]  # how the signal is called is the operating system's wording
    return answer


def _remove_orphans() -> None:
    """Recordings whose cases are gone go too."""
    kept = {recording_of(path) for path in case_files()}
    for path in RECORDED.rglob("*.jsonl"):
        if path not in kept:
            path.unlink()
