"""An agent file as text and as checked tables: bounds, UTF-8, TOML, and the line of every key.

`Table` hands out values of the asked type only. What is wrong is collected in the document's findings and replaced by the
default, so that one reading finds every fault; a blueprint with an error among its findings is never used.
"""

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import Final, TypeVar

from stagehooks.agent.findings import Finding, Severity
from stagehooks.agent.lines import KeyPath
from stagehooks.agent.toml_text import NoToml, Toml, read_toml
from stagehooks.errors import BlueprintError
from stagehooks.scripts.json_text import as_plain, show
from stagehooks.scripts.outcome import Json

MAX_BYTES: Final = 64 * 1024

T = TypeVar("T")


class Document:
    """One agent file, or another TOML file beside it: `what` says which. `name` is its path, as messages give it."""

    def __init__(self, name: str, data: bytes, what: str = "the agent file") -> None:
        self.name = name
        self.short_name = name.replace("\\", "/").rpartition("/")[2]
        self._what = what
        self.findings: list[Finding] = []
        entries, self._lines = self._read(self._decode(data))
        self.root = Table(self, (), what, entries)

    def line(self, path: KeyPath) -> int:
        """The line of the key at `path`, or of the nearest table around it."""
        while path and path not in self._lines:
            path = path[:-1]
        return self._lines.get(path, 0)

    def report(self, severity: Severity, code: str, path: KeyPath, text: str, fix: str = "") -> None:
        """Add a finding about the key at `path`."""
        self.findings.append(Finding(severity, code, self.name, self.line(path), text, fix))

    def _decode(self, data: bytes) -> str:
        if len(data) > MAX_BYTES:
            raise BlueprintError(self.name, 0, f"{self._what} is larger than {MAX_BYTES} bytes")
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise BlueprintError(self.name, line, f"{self._what} is not UTF-8 text (byte {error.start})") from None

    def _read(self, text: str) -> tuple[dict[str, Toml], dict[KeyPath, int]]:
        try:
            return read_toml(text)
        except NoToml as error:
            raise BlueprintError(self.name, error.line, f"Failed to parse {self.short_name}: {error.what}") from None


class Table:
    """One table of the document. `subject` is what messages call it: "stage 'plan'", "region 'notes'"."""

    def __init__(self, document: Document, path: KeyPath, subject: str, entries: dict[str, Toml]) -> None:
        self._document = document
        self._path = path
        self._entries = entries
        self.subject = subject

    def __contains__(self, key: str) -> bool:
        return key in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def name(self) -> str:
        """The key under which the table stands; empty for the document itself."""
        return str(self._path[-1]) if self._path else ""

    def line(self, key: str = "") -> int:
        """The line of `key`, or of the table itself."""
        return self._document.line((*self._path, key) if key else self._path)

    def error(self, key: str, text: str, fix: str = "", code: str = "invalid-value") -> None:
        """Report that `key` is wrong."""
        self._document.report("error", code, (*self._path, key), text, fix)

    def warn(self, key: str, text: str, fix: str = "", code: str = "not-supported") -> None:
        """Report that `key` will not do what its author may expect."""
        self._document.report("warning", code, (*self._path, key), text, fix)

    def note(self, key: str, text: str, fix: str = "", code: str = "note") -> None:
        """Remark on `key`: nothing is wrong."""
        self._document.report("note", code, (*self._path, key), text, fix)

    def allow(self, known: Iterable[str], later: Iterable[str] = ()) -> None:
        """Report every key that is neither `known` nor, with a warning, one of `later`: the original's, not supported here."""
        valid = sorted(known)
        for key in self._entries:
            if key in valid:
                continue
            if key in later:
                self.warn(key, f"{self.subject}: '{key}' is not supported in this version and has no effect", f"remove '{key}'")
            else:
                text = f"{self.subject} has unknown key '{key}' (valid: {', '.join(valid)})"
                self.error(key, text, did_you_mean(key, valid), "unknown-key")

    def names(self, what: str) -> tuple[str, ...]:
        """Its keys, as names of the author's own; one that nobody can see is reported. `what` it is that they name."""
        for key in self._entries:
            if not key.strip() or not key.isprintable():
                text = f"{self.subject}: the name of {what} is made of characters that can be seen, got: {show(key)}"
                self.error(key, text, "rename it")
        return tuple(self._entries)

    def text(self, key: str, default: str = "") -> str:
        """A string."""
        value = self._entries.get(key, default)
        return value if type(value) is str else self._wrong(key, "a text", default)

    def word(self, key: str, valid: tuple[str, ...], default: str, here: tuple[str, ...] = ()) -> str:
        """One of the `valid` words; of those only the ones in `here` are supported in this version, where it is given."""
        said = self.text(key, default)
        supported = here or valid
        if said in supported:
            return said
        if said in valid:
            text = f'{self.subject}: {key} "{said}" is not supported in this version (supported: {", ".join(supported)})'
            self.error(key, text, code="not-supported")
        else:
            text = f'{self.subject}: unknown {key} "{said}" (valid {key}s: {", ".join(valid)})'
            self.error(key, text, did_you_mean(said, valid))
        return default

    def flag(self, key: str, default: bool = False) -> bool:
        """true or false."""
        value = self._entries.get(key, default)
        return value if type(value) is bool else self._wrong(key, "true or false", default)

    def whole(self, key: str, default: int, at_least: int = 0) -> int:
        """A whole number, `at_least` or more."""
        value = self._entries.get(key, default)
        if type(value) is int and at_least <= value < 2**53:
            return value
        return self._wrong(key, f"a whole number, {at_least} or more", default)

    def optional_whole(self, key: str, at_least: int = 0) -> int | None:
        """A whole number, or None where the key is absent."""
        return self.whole(key, at_least, at_least) if key in self else None

    def optional_number(self, key: str) -> float | None:
        """A number of 0 or more, or None where the key is absent."""
        value = self._entries.get(key)
        if value is None:
            return None
        if type(value) in (int, float) and isinstance(value, int | float) and 0 <= value < float("inf"):
            return float(value)
        return self._wrong(key, "a number, 0 or more", None)

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings."""
        value = self._entries.get(key, [])
        if isinstance(value, list) and all(type(item) is str for item in value):
            return tuple(value)
        return self._wrong(key, "a list of texts", ())

    def mixed(self, key: str) -> "tuple[str | Table, ...]":
        """A list in which each item is a string or a table."""
        value = self._entries.get(key, [])
        if not isinstance(value, list) or not all(type(item) in (str, dict) for item in value):
            return self._wrong(key, "a list of texts or tables", ())
        subject = f"{self.subject}: {key}"
        return tuple(
            item if isinstance(item, str) else Table(self._document, (*self._path, key, place), subject, item)
            for place, item in enumerate(value)
        )

    def plain(self, key: str) -> Json:
        """Any plain data: no dates, no infinities."""
        return self._plain(key, self._entries[key])

    def shown(self, key: str) -> str:
        """The value of `key` as messages show it."""
        value = self._entries[key]
        try:
            return show(as_plain(value))
        except ValueError:
            return str(value)

    def holds(self, key: str, kind: type) -> bool:
        """Is the value of `key` exactly of the TOML type that `kind` stands for?"""
        return type(self._entries.get(key)) is kind

    def table(self, key: str, subject: str = "") -> "Table":
        """The table under `key`, empty where the key is absent."""
        value = self._entries.get(key, {})
        if not isinstance(value, dict):
            self._wrong(key, "a table", None)
            value = {}
        return Table(self._document, (*self._path, key), subject or f"{self.subject}: {key}", value)

    def is_blank(self, key: str) -> bool:
        """Is the value of `key` a text without anything in it, or an empty list?"""
        value = self._entries.get(key)
        return value == [] or (isinstance(value, str) and not value.strip())

    def tables(self, key: str) -> "tuple[Table, ...]":
        """The list of tables under `key`."""
        value = self._entries.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            return self._wrong(key, "a list of tables", ())
        subject = f"{self.subject}: {key}"
        return tuple(Table(self._document, (*self._path, key, place), subject, item) for place, item in enumerate(value))

    def _plain(self, key: str, value: Toml) -> Json:
        try:
            return as_plain(value)
        except ValueError:
            return self._wrong(key, "plain data (text, number, true, false, list, table)", None)

    def _wrong(self, key: str, wanted: str, default: T) -> T:
        self.error(key, f"{self.subject}: '{key}' must be {wanted}, got: {self.shown(key)}")
        return default


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint at the known word nearest to `word`, or an empty text."""
    near = get_close_matches(word, list(known), n=1)
    return f"did you mean '{near[0]}'?" if near else ""
