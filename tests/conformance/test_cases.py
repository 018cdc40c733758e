"""The conformance cases as files: they can be read, their ids are unique, and each has the real engine's answers."""

import pytest

from conformance.cases import LEVELS, load, read_programs, read_requests
from conformance.recording import masked, recorded


def programs(text: str) -> dict[str, object]:
    return {case.id: case.request["src"] for case in read_programs("area/topic", text)}


def test_every_case_has_its_own_id():
    ids = [case.id for case in load()]
    assert len(ids) == len(set(ids))


def test_every_case_is_recorded_at_both_levels_and_nothing_else_is():
    answers = recorded()
    assert set(answers) == {case.id for case in load()}
    assert all(set(entry) == set(LEVELS) for entry in answers.values())


def test_no_recorded_request_was_refused():
    refused = [id for id, entry in recorded().items() for answer in entry.values() if answer.get("stage") == "request"]
    assert refused == []


def test_a_program_is_taken_byte_for_byte():
    text = "--- one line\n1 + 1\n--- blank line left\nx\n\n--- tabs and spaces\n\t \n--- nothing\n"
    assert programs(text) == {
        "area/topic:one line": "1 + 1",
        "area/topic:blank line left": "x\n",
        "area/topic:tabs and spaces": "\t ",
        "area/topic:nothing": "",
    }


def test_directives_of_a_file_hold_for_all_its_cases_and_give_way_to_their_own():
    text = '// prose\n\n//! limits: {"max_variables": 2}\n--- a\n1\n--- b\n//! limits: {}\n//! vars\n2\n'
    first, second = read_programs("area/topic", text)
    assert first.request == {"src": "1", "limits": {"max_variables": 2}}
    assert second.request == {"src": "2", "limits": {}, "vars": True}


def test_a_program_may_be_given_as_a_json_string():
    assert programs('--- odd\n//! src: "\\r\\n\\u0000"\n') == {"area/topic:odd": "\r\n\x00"}


def test_needs_are_words_apart_from_the_request():
    (case,) = read_programs("area/topic", "--- a\n//! needs: math time\nPI()\n")
    assert case.needs == ("math", "time")
    assert case.request == {"src": "PI()"}


def test_a_request_names_its_level_and_its_case():
    (case,) = read_requests("area", '{"id": "x", "src": "1"}\n')
    assert case.at("none") == {"id": "area:x", "opt": "none", "src": "1"}
    assert case.area == "area"


@pytest.mark.parametrize("text", ["1 + 1\n", "let a;\n--- a\n1\n", "--- a\n//! nonsense: 1\n1\n", "--- a\n//! limits: {\n1\n"])
def test_text_outside_the_format_is_refused(text: str):
    with pytest.raises(ValueError):
        list(read_programs("area/topic", text))


def test_closure_names_are_masked_anywhere_in_an_answer():
    assert masked({"debug": 'Fn*("anon$0123456789abcdef")', "inner": {"fn": "anon$fedcba9876543210"}}) == {
        "debug": 'Fn*("anon$#")',
        "inner": {"fn": "anon$#"},
    }
