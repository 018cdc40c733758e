"""The fuzzer: its programs follow from the seed, all end in a verdict, and what differs is found and printed as a small case."""

import os
import signal
from collections.abc import Mapping
from signal import pause
from typing import Any

import pytest

from conformance.cases import read_programs
from conformance.fuzz.__main__ import Fuzzing, main
from conformance.fuzz.judging import Finding, Judge, Rule, as_case, read_rules
from conformance.fuzz.kinds import KINDS, made
from conformance.fuzz.library import callable_functions
from conformance.fuzz.shrinking import shrunk
from conformance.fuzz.watching import Tell, watched
from conformance.oracle_client import BINARY, Answer, Peer
from conformance.subject import answer
from rhaipy import STANDARD

SEED = 20260


class Twin(Peer):
    """rhaipy in the place of the real engine, with one thing that it says differently where the source holds a word."""

    def __init__(self, word: str = "", **said: object) -> None:
        self._waiting: list[Answer] = []
        self._word = word
        self._said = said

    def send(self, request: Mapping[str, object]) -> None:
        given = answer(request)
        self._waiting.append({**given, **(self._said if self._word in str(request["src"]) else {})})

    def receive(self) -> Answer:
        return self._waiting.pop(0)


@pytest.mark.skipif(not BINARY.exists(), reason="the real engine is not built here (python -m conformance --live builds it)")
def test_rhaipy_and_the_real_engine_agree_on_random_programs(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["--count", str(300 * len(KINDS)), "--seed", str(SEED)])
    assert code == 0, capsys.readouterr().out


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_gives_the_same_programs_every_time(kind: str) -> None:
    first, second = ([made(kind, 7, index) for index in range(20)] for _ in range(2))
    assert first == second
    assert first != [made(kind, 8, index) for index in range(20)]


@pytest.mark.parametrize("kind", KINDS)
def test_every_program_ends_in_a_verdict(kind: str) -> None:
    judge = Judge(Twin(), rules=[])
    for index in range(60):
        assert judge.finding(made(kind, SEED, index)) is None, f"{kind} {SEED} {index}"


def test_all_functions_of_the_library_are_called_but_for_those_that_tell_the_time() -> None:
    called = {item for _, item in callable_functions()}
    spared = {item.name for item in STANDARD if item not in called and item.name.removeprefix("get$").isidentifier()}
    assert spared == {"timestamp", "elapsed", "get$elapsed", "sleep"}


def test_a_difference_is_found_whatever_field_it_is_in() -> None:
    for field, value in {
        "ops": -1,
        "type": "planted",
        "prints": ["planted"],
        "token_type": "planted",
        "vars": [["planted"]],
    }.items():
        found = Judge(Twin(**{field: value}), rules=[]).finding({"src": "throw 1" if field == "token_type" else "1 + 1"})
        assert found is not None
        assert list(found.fields) == [field]


def test_an_answer_that_is_no_verdict_is_a_finding_that_no_rule_explains(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "conformance.fuzz.judging.metered", lambda request: {"ok": False, "stage": "panic", "message": "KeyError"}
    )
    anything = Rule("any", "", frozenset(), {}, {}, ("none", "simple"))
    found = Judge(Twin(), rules=[anything]).finding({"src": "1"})
    assert found is not None
    assert found.fields == {"ok": ("1", "KeyError")}


def test_a_run_that_does_not_end_is_a_finding() -> None:
    endless = {"src": "let x = 0; loop { x += 1; }", "limits": {"max_operations": 0}}
    theirs: dict[str, Any] = {"ok": False, "stage": "run", "kind": "ErrorTooManyOperations"}

    class Ended(Twin):
        def send(self, request: Mapping[str, object]) -> None:
            self._waiting.append(theirs)

    found = Judge(Ended(), rules=read_rules(), seconds=0.2).finding(endless)
    assert found is not None
    assert found.actual["kind"] == "Timeout"


def test_a_rule_explains_a_known_difference_and_counts_it() -> None:
    rule = Rule("planted", "pus.", frozenset({"ops"}), {"ops": "^-1$"}, {}, ("none", "simple"))
    judge = Judge(Twin(ops=-1), rules=[rule])
    assert judge.finding({"src": "[].push(1)"}) is None
    assert judge.known == {"planted": 2}
    assert judge.finding({"src": "1"}) is not None
    assert Judge(Twin(ops=-1, prints=["x"]), rules=[rule]).finding({"src": "[].push(1)"}) is not None


def test_the_rules_of_the_project_can_be_read() -> None:
    assert all(rule.reason for rule in read_rules())


def test_a_finding_is_made_small() -> None:
    source = 'let a = [1, 2, "text"]; for i in 0..3 { a.push(i); if i > 1 { print(culprit(a.len())); } } a'
    request = {"src": source, "limits": {"max_operations": 100, "max_array_size": 9}, "scope": {"x": 1}, "vars": True}
    small = shrunk(request, lambda tried: "culprit" in tried["src"])
    assert small == {"src": "culprit", "limits": {}}


def test_a_finding_is_printed_as_a_small_case_that_shows_it() -> None:
    fuzzing = Fuzzing(Judge(Twin("let", ops=-1), rules=[]), SEED)
    printed = list(fuzzing.run(["expressions"], first=0, programs=4, seconds=None))
    assert printed
    for text in printed:
        note, _, chunk = text.partition("---")
        assert note.startswith("// none: ops: expected -1, not ")
        [case] = read_programs("fuzz", f"---{chunk}\n")
        again = Judge(Twin("let", ops=-1), rules=[]).finding(case.request)
        assert again is not None
        assert len(str(case.request["src"])) < 60


@pytest.mark.parametrize("source", ["1\r2", "--- x", "//! src: 1", "", "a\n\n", "é\u2028", "\x01"])
def test_a_program_survives_the_format_of_cases(source: str) -> None:
    found = Finding({"src": source, "profile": "hook", "consts": {"K": 1}}, "none", {}, {}, {"ops": (1, 2)})
    _, _, chunk = as_case(found, "title").partition("---")
    [case] = read_programs("fuzz", f"---{chunk}\n")
    assert case.request == found.request


@pytest.mark.parametrize("source", ["sleep(1000)", "sleep(1000.5)", "[1].map(|x| sleep(1000))"])
def test_a_run_that_sleeps_is_a_finding(source: str) -> None:
    asleep: dict[str, Any] = {"ok": False, "stage": "panic", "kind": "Timeout"}

    class Asleep(Twin):
        def send(self, request: Mapping[str, object]) -> None:
            self._waiting.append(asleep)

    found = Judge(Asleep(), rules=read_rules(), seconds=0.05).finding({"src": source})
    assert found is not None
    assert found.actual["kind"] == "Timeout"


def test_a_run_that_cannot_be_interrupted_is_found_from_outside(capfd: pytest.CaptureFixture[str]) -> None:
    def stuck(tell: Tell) -> int:
        tell("library 1 1")
        tell("library 1 2")
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGPROF, signal.SIGALRM])
        while True:
            pause()

    assert watched(stuck, patience=0.5) == 1
    assert "--- library 1 2\nneither ended nor could be interrupted" in capfd.readouterr().out


def test_a_run_that_takes_python_down_is_found_from_outside(capfd: pytest.CaptureFixture[str]) -> None:
    def crash(tell: Tell) -> int:
        tell("nests 1 7")
        os.kill(os.getpid(), signal.SIGKILL)
        return 0

    assert watched(crash) == 1
    assert "--- nests 1 7\nended the process with signal 9" in capfd.readouterr().out


def test_a_run_that_ends_gives_its_own_exit_code() -> None:
    def well(tell: Tell) -> int:
        tell("nests 1 7")
        return 3

    assert watched(well) == 3


def test_the_keyboard_interrupts_again_when_the_watch_is_over() -> None:
    before = signal.getsignal(signal.SIGINT)
    assert watched(lambda tell: 0 if tell("a program") else 1) == 0
    assert signal.getsignal(signal.SIGINT) is before
