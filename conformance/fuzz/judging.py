"""Puts one request to rhaipy and to the real engine, at both levels, and judges what they say.

A finding is an answer that differs, and any end of a run that is no verdict: a crash, a foreign exception, a run that does not
end. Differences that `divergences.toml` describes by a rule are known; they are counted under their reason.
"""

import json
import re
import signal
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Final

from conformance.cases import LEVELS
from conformance.compare import differences
from conformance.divergences import DIVERGENCES
from conformance.fuzz.tiers import Reference, metered
from conformance.oracle_client import Answer, Peer
from conformance.recording import masked

ALSO: Final = ("fn", "module", "token_type", "vars", "this", "fuel")
"""Fields of answers beyond those that cases are judged by."""

SECONDS: Final = 5.0
"""Processor time that no fuzzed program takes, with its few operations."""

_ASLEEP: Final = 6
"""Times as long it may take by the clock, on a busy machine; and to sleep takes no processor time at all."""

_AT_ONCE: Final = 10_000
"""Characters of programs that are sent at once."""

_DETAIL = re.compile(r"'[^']*'|\"[^\"]*\"|[\d.]+|\[.*\]|#\{.*\}")


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of difference that is meant: patterns for the source and for fields of the answers, and the fields and levels."""

    reason: str
    source: str
    fields: frozenset[str]
    expected: Mapping[str, str]
    actual: Mapping[str, str]
    levels: tuple[str, ...]

    def explains(self, finding: "Finding") -> bool:
        """Is this difference one of these?"""
        return (
            finding.level in self.levels
            and (not self.fields or self.fields.issuperset(finding.fields))
            and any(re.search(self.source, source) is not None for source in _sources(finding.request))
            and _fits(self.expected, finding.expected)
            and _fits(self.actual, finding.actual)
        )


def _sources(request: Mapping[str, Any]) -> list[str]:
    """The script, and the modules that it may import."""
    return [request["src"], *(request.get("modules") or {}).values()]


def _fits(patterns: Mapping[str, str], given: Answer) -> bool:
    return all(re.search(pattern, str(given.get(field))) is not None for field, pattern in patterns.items())


def read_rules(path: Path = DIVERGENCES) -> list[Rule]:
    """The `[[rule]]` tables of `path`."""
    rows = tomllib.loads(path.read_text(encoding="utf-8")).get("rule", [])
    return [
        Rule(
            row["reason"],
            row.get("source", ""),
            frozenset(row.get("fields", ())),
            row.get("expected", {}),
            row.get("actual", {}),
            tuple(row.get("levels", LEVELS)),
        )
        for row in rows
    ]


@dataclass(frozen=True, slots=True)
class Finding:
    """One request that the two answer differently at one level. `fields` maps what differs to what was expected and what came."""

    request: Mapping[str, Any]
    level: str
    expected: Answer
    actual: Answer
    fields: Mapping[str, tuple[Any, Any]]

    @property
    def likeness(self) -> str:
        """Equal for findings that look alike: what differs, and both sides without their details."""
        field, pair = next(iter(self.fields.items()))
        texts = [_DETAIL.sub("_", str(side)) for side in pair] if field in ("ok", "message", "kind", "type") else []
        return " | ".join([self.level, field, str(self.expected.get("kind")), str(self.actual.get("kind")), *texts])


class _TooSlow(BaseException):
    """Raised in the middle of whatever runs; nothing may catch it."""


class Judge:
    """Compares the two. `rules` describe differences that are meant; `known` counts those met so far, by reason.

    `tier` is the evaluator of rhaipy that is asked.
    """

    def __init__(self, oracle: Peer | Reference, rules: list[Rule] | None = None, seconds: float = SECONDS) -> None:
        self._oracle = oracle
        self._rules = read_rules() if rules is None else rules
        self._seconds = seconds
        self.known: dict[str, int] = {}
        self.tier = "auto"

    def finding(self, request: Mapping[str, Any]) -> Finding | None:
        """The first unexplained difference, if there is one."""
        asked = [{**request, "opt": level} for level in LEVELS]
        ours, theirs = self._both(asked)
        for level, expected, actual in zip(LEVELS, theirs, ours, strict=True):
            fields = _differing(expected, actual)
            if fields:
                found = Finding(request, level, expected, actual, fields)
                reason = self._reason(found)
                if reason is None:
                    return found
                self.known[reason] = self.known.get(reason, 0) + 1
        return None

    def _both(self, asked: Sequence[Mapping[str, Any]]) -> tuple[list[Answer], list[Answer]]:
        # The real engine works on its answers while we do on ours.
        together = sum(len(one["src"]) for one in asked) < _AT_ONCE
        for one in asked if together else ():
            self._oracle.send(one)
        ours = [_answer_in_time({**one, "tier": self.tier}, self._seconds) for one in asked]
        return ours, [self._oracle.receive() if together else self._oracle.ask(one) for one in asked]

    def _reason(self, found: Finding) -> str | None:
        if _no_verdict(found.actual):
            return None
        return next((rule.reason for rule in self._rules if rule.explains(found)), None)


def _differing(expected: Answer, actual: Answer) -> dict[str, tuple[Any, Any]]:
    if _no_verdict(actual):
        return {"ok": (expected.get("message", expected.get("debug")), actual.get("message"))}
    found = differences(expected, actual)
    for field in ALSO if "ok" not in found else ():
        if field == "fuel" and field not in expected:
            continue  # which the real engine knows nothing of
        pair = masked(expected.get(field)), masked(actual.get(field))
        if pair[0] != pair[1]:
            found[field] = pair
    return found


def _no_verdict(answer: Answer) -> bool:
    return answer.get("stage") in ("panic", "request") or str(answer.get("message")).startswith("Internal error")


def _answer_in_time(request: Mapping[str, Any], seconds: float) -> Answer:
    try:
        with _alarm(seconds):
            return metered(request)
    except _TooSlow:
        return {"ok": False, "stage": "panic", "kind": "Timeout", "message": f"no answer within {seconds} seconds of work"}


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Rings again and again: an exception that comes up in a finaliser is lost."""
    before = [signal.signal(number, _ring) for number in (signal.SIGPROF, signal.SIGALRM)]
    signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)
    signal.setitimer(signal.ITIMER_REAL, seconds * _ASLEEP, 1.0)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGPROF, before[0])
        signal.signal(signal.SIGALRM, before[1])


def _ring(_number: int, _frame: FrameType | None) -> None:
    raise _TooSlow


def as_case(found: Finding, title: str) -> str:
    """The request in the format of `cases/AREA/TOPIC.rhai`, and what differs, as comments above it."""
    lines = [
        f"// {found.level}: {field}: expected {_short(pair[0])}, not {_short(pair[1])}" for field, pair in found.fields.items()
    ]
    request = dict(found.request)
    source = request.pop("src")
    lines.append(f"--- {title}")
    for key, value in request.items():
        lines.append(f"//! {key}: {value if key == 'profile' else json.dumps(value, ensure_ascii=False)}")
    if re.search(r"[\r\x00-\x08\x0b-\x1f\u2028\x85]|^---|^//!|^\s*\Z", source, re.MULTILINE):
        lines.append(f"//! src: {json.dumps(source)}")
        source = ""
    return "\n".join([*lines, *([source] if source else [])])


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 300 else f"{text[:300]}..."
