"""The store as programs see it: open it, keep runs in it, look at them, resume them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Protocol

from stagehooks.agent.document import did_you_mean
from stagehooks.agent.files import reason
from stagehooks.errors import UnusableStore, UsageError
from stagehooks.run.effects import Effects
from stagehooks.run.events import Event
from stagehooks.run.given import Given
from stagehooks.store.coding import Unreadable
from stagehooks.store.owner import this_process
from stagehooks.store.place import default_path
from stagehooks.store.records import (
    RUN_COLUMNS,
    Stored,
    StoredEffect,
    StoredEvent,
    beginning_text,
    stored_effect,
    stored_event,
    stored_run,
    text_of,
)

ID_BYTES: Final = 5
LONGEST_ID: Final = 40
"""Characters; what is longer names no run, and is not looked for among them."""
LATEST: Final = "last"
TAKEN: Final = "UPDATE runs SET owner = ?, beginning = ? WHERE id = ?"
PAGE: Final = 200
"""So many rows are held in memory at once."""


class Taken(Effects, Protocol):
    """The record of a run that was interrupted."""

    def aside(self, event: Event) -> None:
        """Write down an event that is none of the run's own."""


class Store:
    """The runs in the file `path`, which is made where there is none; without a path the one that commands use.

    StoreError where it cannot be opened. Any number of processes may use one file at once.
    """

    def __init__(self, path: str | Path | None = None) -> None:
        try:
            from stagehooks.store.database import Database
        except ImportError:  # SQLite is a part of Python that not every installation has
            raise UnusableStore("this Python has no SQLite, so there can be no store") from None
        # Each run opens the file for itself, wherever the program stands by then.
        self.path = _absolute(Path(path) if path is not None else default_path())
        self._open = Database
        self._database = Database(self.path)

    def new_run(self) -> Effects:
        """The record of a run that is about to begin: what `run_agent(store=...)` asks for."""
        from secrets import token_hex

        from stagehooks.store.journal import Journal

        return Journal(self._open(self.path), token_hex(ID_BYTES))

    # --- looking ----------------------------------------------------------------------------------------------------------

    def runs(self, most: int | None = None, unreadable: Callable[[str], None] | None = None) -> list[Stored]:
        """The runs, the latest first; `most` of them, or all.

        `unreadable` is told of those that cannot be read, which are left out; without it the first of them is a StoreError.
        """
        query = f"SELECT {RUN_COLUMNS} FROM runs ORDER BY started DESC, id LIMIT ?"
        found = []
        for row in self._database.rows(query, -1 if most is None else most):
            try:
                found.append(stored_run(row))
            except Unreadable as error:
                if unreadable is None:
                    raise
                unreadable(f"run '{row[0]}' is left out: {error.message}")
        return found

    def run(self, prefix: str) -> Stored:
        """The run whose id begins with `prefix`, or the latest for "last"; UsageError where there is none, or more than one."""
        if prefix == LATEST:
            for latest in self.runs(1):
                return latest
        query = f"SELECT {RUN_COLUMNS} FROM runs WHERE id GLOB ? ORDER BY id LIMIT 4"
        is_one = prefix.isascii() and prefix.isalnum() and len(prefix) <= LONGEST_ID
        found = self._database.rows(query, f"{prefix}*") if is_one else []
        if not found:
            prefix = prefix if len(prefix) <= LONGEST_ID else f"{prefix[:LONGEST_ID]}..."
            ids = [id for (id,) in self._database.rows("SELECT id FROM runs ORDER BY started DESC LIMIT 1000")]
            hint = did_you_mean(prefix, ids) or "'stagehooks ps' lists the runs"
            raise UsageError(f"there is no run '{prefix}' in {self.path}", hint=hint)
        if len(found) > 1:
            some = ", ".join(row[0] for row in found[:3])
            raise UsageError(f"'{prefix}' is the beginning of more than one run: {some}{', ...' if len(found) > 3 else ''}")
        return stored_run(found[0])

    def events(self, run: str) -> Iterator[StoredEvent]:
        """What happened in the run with the id `run`, in order."""
        query = "SELECT ordinal, at, data, aside FROM events WHERE run = ? AND ordinal > ? ORDER BY ordinal LIMIT ?"
        last = 0
        while rows := self._database.rows(query, run, last, PAGE):
            last = rows[-1][0]
            yield from (stored_event(row) for row in rows)

    def count_events(self, run: str) -> int:
        """How many events there are of the run with the id `run`."""
        number: int = self._database.rows("SELECT count(*) FROM events WHERE run = ?", run)[0][0]
        return number

    def hook_calls(self, run: str) -> Iterator[StoredEffect]:
        """The hook calls of the run with the id `run`, and what hooks would have seen where there were none."""
        query = (
            "SELECT ordinal, kind, name, given, outcome FROM effects "
            "WHERE run = ? AND kind IN ('hook', 'unhooked') AND ordinal > ? ORDER BY ordinal LIMIT ?"
        )
        last = 0
        while rows := self._database.rows(query, run, last, PAGE):
            last = rows[-1][0]
            yield from (stored_effect(row) for row in rows)

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # --- taking a run over ------------------------------------------------------------------------------------------------

    def take(self, run: str, less: Callable[[Stored], Given], *, by_force: bool = False) -> tuple[Taken, Given]:
        """The record of an interrupted run, which is this process's from now on, with what it is given from now on.

        `less` says that of the run as it stands when it is taken; its error leaves the run as it was.

        UsageError where it is over or another process still drives it; `by_force` takes it from one on a machine that cannot be
        seen from here.
        """
        from stagehooks.store.journal import Journal

        with self._database.writing():
            (row,) = self._database.rows(f"SELECT {RUN_COLUMNS} FROM runs WHERE id = ?", run)
            stored = stored_run(row)
            if stored.over:  # it may have come to its end since somebody looked
                raise is_over(stored)
            owner = stored.owner
            if owner is not None and owner.alive and (owner.can_be_seen or not by_force):
                other = "if that machine is gone, resume with --take-over"
                hint = "end that process first" if owner.can_be_seen else other
                raise UsageError(f"run '{run}' is driven by process {owner.pid} on '{owner.host}'", hint=hint)
            given = less(stored)
            self._database.run(TAKEN, text_of(this_process().data()), beginning_text(row, given), run)
        made = Path(stored.beginning.workdir) if stored.beginning.fresh else None
        return Journal(self._open(self.path), run, made), given


def _absolute(path: Path) -> Path:
    try:
        return path.absolute()
    except OSError as error:  # the directory that the process is in is gone
        raise UnusableStore(f"cannot open the store '{path}': {reason(error)}") from None


def is_over(run: Stored) -> UsageError:
    """There is nothing to resume."""
    return UsageError(f"run '{run.id}' is over: {run.status}", hint=f"'stagehooks result {run.id}' shows what it gave")
