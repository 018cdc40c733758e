"""What the store holds, as records: runs, events, effects."""

import json
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from stagehooks.run.events import Event
from stagehooks.scripts import json_text
from stagehooks.scripts.json_text import Json
from stagehooks.store.coding import Unreadable, read_event
from stagehooks.store.owner import Owner, owner_of

Row: TypeAlias = tuple[Any, ...]
"""As SQLite gives it."""

RUN_COLUMNS: Final = "id, started, ended, status, stage, owner, beginning, outcome"
RUNNING: Final = "running"
INTERRUPTED: Final = "interrupted"


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
    """One event. `at` is in seconds since 1970; `event` is None where a newer version wrote something unknown here."""

    ordinal: int
    at: float
    event: Event | None
    data: Json


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
    said = json.loads(outcome)
    return Stored(
        id, started, ended, status, stage, owner_of(json.loads(owner)), Beginning(**json.loads(beginning)),
        said.get("output"), said.get("error"), bool(said.get("hit_a_limit")),
    )  # fmt: skip


def stored_event(row: Row) -> StoredEvent:
    """The event in a row of ordinal, at, data."""
    ordinal, at, text = row
    data = json.loads(text)
    try:
        return StoredEvent(ordinal, at, read_event(data), data)
    except Unreadable:
        return StoredEvent(ordinal, at, None, data)


def stored_effect(row: Row) -> StoredEffect:
    """The effect in a row of ordinal, kind, name, given, outcome."""
    ordinal, kind, name, given, outcome = row
    done = outcome is not None
    return StoredEffect(ordinal, kind, name, json.loads(given), json.loads(outcome) if done else None, done)
