"""The conformance cases: programs, and how each is to be run; one behaviour a case.

Reads the files under `cases/` (the format is in README.md). What the answers are, and how two answers compare, is none of
its business.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

CASES = Path(__file__).parent / "cases"
LEVELS = ("none", "simple")
"""The optimisation levels that every case is run at."""

REQUEST_KEYS = frozenset({"src", "profile", "limits", "options", "scope", "consts", "modules", "call", "expression", "vars"})

_CHUNK = re.compile(r"^--- (.+)\n", re.MULTILINE)
_DIRECTIVE = re.compile(r"//! (\w+)(?:: (.*))?(?:\n|\Z)")
_PROSE = re.compile(r"(?://(?!!).*)?(?:\n|\Z)")


class BadCaseFile(Exception):
    """A case file that breaks the rules of its format; the message names the file and the trouble."""


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One program, the request that runs it, and what it takes.

    `id` is `area/topic:title`. `request` has the keys of the verdict protocol, without `id` and `opt`. `needs` names the
    library packages and features beyond the core language that the program uses, so that a runner may leave it out.
    """

    id: str
    request: Mapping[str, object]
    needs: tuple[str, ...]

    @property
    def area(self) -> str:
        """The first part of the id: a folder of `cases/`, or a file right in it."""
        return re.split("[/:]", self.id, maxsplit=1)[0]

    def at(self, level: str) -> dict[str, object]:
        """The whole request for one optimisation level."""
        return {"id": self.id, "opt": level, **self.request}


def load() -> list[Case]:
    """Every case there is, in the order of file names and then of lines. Raises BadCaseFile."""
    cases = [case for path in case_files() for case in read_cases(path)]
    _refuse_duplicates(cases)
    return cases


def case_files() -> list[Path]:
    """The files that hold cases, sorted."""
    return sorted(path for path in CASES.rglob("*") if path.suffix in (".rhai", ".jsonl"))


def topic_of(path: Path) -> str:
    """`area/topic`: what the ids of all the cases in the file begin with."""
    return path.relative_to(CASES).with_suffix("").as_posix()


def read_cases(path: Path) -> Iterator[Case]:
    """The cases of one file. Raises BadCaseFile."""
    text = path.read_bytes().decode("utf-8")
    topic = topic_of(path)
    try:
        yield from read_programs(topic, text) if path.suffix == ".rhai" else read_requests(topic, text)
    except ValueError as error:
        raise BadCaseFile(f"{path}: {error}") from error


def read_programs(topic: str, text: str) -> Iterator[Case]:
    """The cases of a `.rhai` file: a preamble, then one chunk after another under lines `--- title`."""
    preamble, *chunks = _CHUNK.split(text)
    shared, rest = _directives(_without_prose(preamble))
    if rest:
        raise ValueError(f"neither a directive nor a comment before the first case: {rest!r}")
    for title, body in zip(chunks[::2], chunks[1::2], strict=True):
        own, source = _directives(body)
        yield _case(topic, title, {"src": source.removesuffix("\n"), **shared, **own})


def read_requests(topic: str, text: str) -> Iterator[Case]:
    """The cases of a `.jsonl` file: a request on each line, its `id` being the title."""
    for line in text.split("\n"):  # splitlines would also break lines inside JSON strings
        if not line:
            continue
        fields = json.loads(line)
        yield _case(topic, fields.pop("id"), fields)


def _case(topic: str, title: str, fields: dict[str, object]) -> Case:
    needs = str(fields.pop("needs", "")).split()
    unknown = fields.keys() - REQUEST_KEYS
    if unknown:
        raise ValueError(f"{title}: unknown keys {sorted(unknown)}")
    return Case(f"{topic}:{title}", fields, tuple(needs))


def _without_prose(preamble: str) -> str:
    """The preamble without its ordinary comments and blank lines."""
    return "".join(line for line in preamble.splitlines(keepends=True) if not _PROSE.fullmatch(line))


def _directives(text: str) -> tuple[dict[str, object], str]:
    """The leading `//! key: value` lines, and the text after them."""
    found: dict[str, object] = {}
    while match := _DIRECTIVE.match(text):
        key, value = match.groups()
        found[key] = _value(key, value)
        text = text[match.end() :]
    return found, text


def _value(key: str, text: str | None) -> object:
    if text is None:
        return True
    if key in ("profile", "needs"):
        return text
    return json.loads(text)


def _refuse_duplicates(cases: list[Case]) -> None:
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise BadCaseFile(f"two cases are called {case.id}")
        seen.add(case.id)
