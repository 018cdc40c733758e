"""What the store holds, as records: runs, events, effects."""

import json
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, get_args

from stagehooks.run.events import Event, Status
from stagehooks.run.given import NOTHING, Given
from stagehooks.scripts import json_text
from stagehooks.scripts.json_text import Json
from stagehooks.store.coding import Unreadable, read_event, read_record
from stagehooks.store.owner import Owner, owner_of

Row: TypeAlias = tuple[Any, ...]
"""As SQLite gives it."""

RUN_COLUMNS: Final = "id, started, ended, status, stage, owner, beginning, outcome"
RUNNING: Final = "running"
INTERRUPTED: Final = "interrupted"
STATUSES: Final = (RUNNING, *get_args(Status))
LATEST: Final = 1e11
"""Seconds since 1970: no run is as late, and not every system can tell the date."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a run began with. `scripts` has the SHA-256 of each script under its path as the agent file writes it."""

    agent: str
    version: str
    directory: str
    file: str
    source: str
    scripts: dict[str, str]
    task: str
    inputs: dict[str, str]
    workdir: str
    fresh: bool
    given: Given = NOTHING


@dataclass(frozen=True, slots=True)
class Stored:
    """One run. `started` and `ended` are seconds since 1970; `output`, `error` and `hit_a_limit` are known when it has ended."""

    id: str
    started: float
    ended: float | None
    written_status: str
    stage: str
    owner: Owner | None
    beginning: Beginning
    output: str | None
    error: str | None
    hit_a_limit: bool

    @property
    def status(self) -> str:
        """`running`, `interrupted` where its process is gone, or how it ended: `complete`, `error`, `cancelled`."""
        if self.written_status != RUNNING:
            return self.written_status
        return RUNNING if self.owner is not None and self.owner.alive else INTERRUPTED

    @property
    def over(self) -> bool:
        """Has it ended?"""
        return self.written_status != RUNNING


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """One event. `at` is in seconds since 1970; `event` is None where a newer version wrote something unknown here.

    `aside`: it said what was so at the moment, and a run that is resumed does not come by it again.
    """

    ordinal: int
    at: float
    event: Event | None
    data: Json
    aside: bool


@dataclass(frozen=True, slots=True)
class StoredEffect:
    """One thing that was done, or begun (`outcome` is None). `given` is what it was done with."""

    ordinal: int
    kind: str
    name: str
    given: Json
    outcome: Json
    done: bool


def text_of(value: Json) -> str:
    """`value` as the store writes it."""
    return json_text.line(value)


def stored_run(row: Row) -> Stored:
    """The run in a row of RUN_COLUMNS."""
    id, started, ended, status, stage, owner, beginning, outcome = row
    said = _data(outcome)
    if not isinstance(said, dict) or type(id) is not str:
        raise Unreadable("a run without an id or an outcome")
    if not _is_time(started) or not (ended is None or _is_time(ended)) or status not in STATUSES:
        raise Unreadable("a run without a time or a status")
    return Stored(
        id, started, ended, status, stage, owner_of(_data(owner)), read_record(Beginning, _data(beginning)),
        _text_or_none(said.get("output")), _text_or_none(said.get("error")), bool(said.get("hit_a_limit")),
    )  # fmt: skip


def _is_time(seconds: object) -> bool:
    return isinstance(seconds, float) and 0 <= seconds < LATEST


def beginning_text(row: Row, given: Given) -> str:
    """The beginning in a row of RUN_COLUMNS as it is written, with `given` in it."""
    beginning = _data(row[RUN_COLUMNS.split(", ").index("beginning")])
    if not isinstance(beginning, dict):
        raise Unreadable("a run without a beginning")
    return text_of({**beginning, "given": given.data()})


def stored_event(row: Row) -> StoredEvent:
    """The event in a row of ordinal, at, data, aside."""
    ordinal, at, text, aside = row
    data = _data(text)
    try:
        return StoredEvent(ordinal, at, read_event(data), data, bool(aside))
    except Unreadable:
        return StoredEvent(ordinal, at, None, data, bool(aside))


def stored_effect(row: Row) -> StoredEffect:
    """The effect in a row of ordinal, kind, name, given, outcome."""
    ordinal, kind, name, given, outcome = row
    done = outcome is not None
    return StoredEffect(ordinal, kind, name, _data(given), _data(outcome) if done else None, done)


def _data(text: object) -> Json:
    if not isinstance(text, str):
        raise Unreadable("what is no text")
    try:
        data: Json = json.loads(text)
    except (ValueError, RecursionError):
        raise Unreadable("what is no JSON") from None
    return data


def _text_or_none(value: Json) -> str | None:
    return value if isinstance(value, str) else None
