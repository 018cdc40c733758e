"""The SQLite file: its tables, its transactions, its settings. The only place that knows SQLite.

Write-ahead logging lets others read while one writes; whoever has to wait for a writer waits up to `BUSY_SECONDS`. A transaction
that was committed outlives the process, whatever kills it. One that is `durable` outlives the machine's power too.
"""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias

from stagehooks.agent.files import reason
from stagehooks.errors import StoreError, UnusableStore

BUSY_SECONDS: Final = 20.0
PAUSE_SECONDS: Final = 0.05
APPLICATION: Final = 0x7374_686B
VERSION: Final = 1
TABLES: Final = (
    """CREATE TABLE runs (
        id TEXT PRIMARY KEY, started REAL NOT NULL, ended REAL, status TEXT NOT NULL, stage TEXT NOT NULL,
        owner TEXT NOT NULL, beginning TEXT NOT NULL, outcome TEXT NOT NULL)""",
    "CREATE TABLE events (run TEXT NOT NULL, ordinal INTEGER NOT NULL, at REAL NOT NULL, aside INTEGER NOT NULL,"
    " event TEXT NOT NULL, data TEXT NOT NULL)",
    "CREATE UNIQUE INDEX events_of_a_run ON events (run, ordinal)",
    """CREATE TABLE effects (
        run TEXT NOT NULL, ordinal INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
        given TEXT NOT NULL, outcome TEXT)""",
    "CREATE UNIQUE INDEX effects_of_a_run ON effects (run, ordinal)",
)
Bound: TypeAlias = str | int | float | None


class Database:
    """One connection to the file `path`, which is made where there is none. StoreError for all that SQLite says no to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._durable = True
        try:
            _make_private(path)
            self._connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
            self._prepare()
        except (OSError, sqlite3.Error) as error:
            raise UnusableStore(f"cannot open the store '{path}': {reason(error)}") from None

    def rows(self, query: str, *values: Bound) -> list[tuple[Any, ...]]:
        """What `query` finds."""
        try:
            return self._connection.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise StoreError(f"cannot read the store '{self.path}': {error}") from None

    def write(self, *statements: tuple[Any, ...], durable: bool = False) -> None:
        """All of `statements` (each with its values) in one transaction."""
        with self.writing(durable):
            for statement, *values in statements:
                self._connection.execute(statement, values)

    @contextmanager
    def writing(self, durable: bool = False) -> Iterator[None]:
        """A transaction around a block that reads and then writes: nobody else writes in between."""
        try:
            self._set_durable(durable)
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
        except sqlite3.Error as error:
            raise StoreError(f"cannot write to the store '{self.path}': {error}") from None

    def run(self, statement: str, *values: Bound) -> None:
        """One statement of such a block."""
        self._connection.execute(statement, values)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _set_durable(self, durable: bool) -> None:
        if durable != self._durable:
            self._connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            self._durable = durable

    def _prepare(self) -> None:
        if self._number("application_id") != APPLICATION and self._holds_tables():
            raise sqlite3.DatabaseError("it is a database, but none of stagehooks")
        self._write_ahead()
        self._connection.execute("PRAGMA synchronous = FULL")
        if self._number("application_id") != APPLICATION:
            self._make_tables()
        if self._number("user_version") > VERSION:
            raise sqlite3.DatabaseError("it was written by a newer version of stagehooks")

    def _write_ahead(self) -> None:
        # SQLite does not wait for others when it changes the mode, so it is asked until they are done.
        end = time.monotonic() + BUSY_SECONDS
        while True:
            try:
                self._connection.execute("PRAGMA journal_mode = WAL").fetchone()
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > end:
                    raise
            time.sleep(PAUSE_SECONDS)

    def _make_tables(self) -> None:
        with self.writing(durable=True):
            if self._number("application_id") == APPLICATION:
                return  # another process was faster
            for table in TABLES:
                self._connection.execute(table)
            self._connection.execute(f"PRAGMA application_id = {APPLICATION}")
            self._connection.execute(f"PRAGMA user_version = {VERSION}")

    def _holds_tables(self) -> bool:
        # One statement, so that it never sees half of what another process makes.
        tables, application = self._connection.execute(
            "SELECT count(*), (SELECT application_id FROM pragma_application_id) FROM sqlite_master"
        ).fetchone()
        return bool(tables > 0 and application != APPLICATION)

    def _number(self, name: str) -> int:
        found: int = self._connection.execute(f"PRAGMA {name}").fetchone()[0]
        return found


def _make_private(path: Path) -> None:
    """Make the file, for its owner only: it holds all that an agent saw."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR | getattr(os, "O_CLOEXEC", 0), 0o600))
