"""The texts of the parser's fuzzer: the same for the same seed, and nothing but programs and parse errors to our parser."""

from itertools import islice
from random import Random

import pytest

from conformance.fuzz_parser import KINDS, requests, verdict
from conformance.subject import answer

PROGRAMS = ["let x = [1, 2]; x[0] += `a${x.len}`.len; fn f(a) { a ?? 1 } switch x { 1 | 2 => f(x), _ => () }"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_gives_the_same_texts_every_time(kind: str) -> None:
    first, second = (list(islice(requests(kind, Random(7), PROGRAMS), 20)) for _ in range(2))
    assert first == second
    assert first != list(islice(requests(kind, Random(8), PROGRAMS), 20))


@pytest.mark.parametrize("kind", KINDS)
def test_any_text_is_a_program_or_a_parse_error(kind: str) -> None:
    for asked in islice(requests(kind, Random(1), PROGRAMS), 300):
        said = verdict(answer(asked))
        assert said is None or said["kind"] == "ErrorParsing", asked
