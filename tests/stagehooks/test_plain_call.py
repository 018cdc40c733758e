"""The short way to the command `call` reads what the parser reads, or nothing."""

from hypothesis import given
from hypothesis import strategies as st

from stagehooks.cli_parser import parsed
from stagehooks.plain_call import Call, plain_call

WORDS = st.sampled_from(
    ["call", "guard.rhai", "on_error", "--ctx", "{}", "-", "--json", "--js", "--ctx={}", "-1", "--", "", "a b"]
)


@given(st.lists(WORDS, max_size=7))
def test_what_is_read_the_short_way_is_what_the_parser_reads(words: list[str]) -> None:
    short = plain_call(["call", *words])
    if short is not None:
        options = parsed(["call", *words])
        assert short == Call(options.file, options.hook, options.ctx, options.json)


def test_what_people_write_is_read_the_short_way() -> None:
    assert plain_call(["call", "guard.rhai", "on_error", "--ctx", "{}"]) == Call("guard.rhai", "on_error", "{}", False)
    assert plain_call(["call", "--json", "--ctx", "-", "guard.rhai", "on_error"]) == Call("guard.rhai", "on_error", "-", True)


def test_all_else_is_left_to_the_parser() -> None:
    for words in ("", "--version", "call", "call -h", "call a b", "call a b --ctx", "call a --ctx x", "call a b c --ctx x"):
        assert plain_call(words.split()) is None, words
