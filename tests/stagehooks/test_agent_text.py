"""An agent file as text: unknown keys, the line of every key, and files that must not be parsed."""

from contextlib import suppress

import pytest

from stagehooks.agent.lines import lines_of
from stagehooks.agent.reader import read_blueprint
from stagehooks.errors import BlueprintError
from tests.stagehooks.reading import error, findings_of

# --- keys and places ------------------------------------------------------------------------------------------------------


def test_an_unknown_key_is_an_error_with_the_valid_ones_and_the_nearest():
    found = error("[stages.main]\nmax_iteration = 3")
    assert found.text.startswith("stage 'main' has unknown key 'max_iteration' (valid: allow_complete, available_tools, ")
    assert found.fix == "did you mean 'max_iterations'?"
    assert found.where == "agent.toml:4"


def test_a_key_of_the_original_that_is_not_here_is_a_warning():
    found = findings_of("[stages.main]\nmax_workers = 3", "warning")
    assert [finding.text for finding in found] == [
        "stage 'main': 'max_workers' is not supported in this version and has no effect"
    ]


def test_every_fault_of_a_file_is_found_in_one_reading():
    text = "[stages.main]\nmax_iterations = -1\nallow_complete = 3\n[stages.main.hooks]\nfoo = 1\n"
    assert [found.line for found in findings_of(text, "error")] == [4, 5, 7]


def test_an_agent_table_is_required():
    _, findings = read_blueprint("agent.toml", b"[stages.main]")
    assert [finding.text for finding in findings] == ["Missing [agent] section"]


def test_lines_are_known_inside_arrays_inline_tables_and_below_long_texts():
    text = '''a = """
x = 1
[no]
"""  # [c]
[t."q.r"]
k = [
  { x = 1 },
  { y = [
      2, { z = 3 } ] },
]
'l' = "it's"
[[many]]
[[many]]
n = 'a # b'
'''
    lines = lines_of(text)
    assert lines[("a",)] == 1
    assert ("x",) not in lines
    assert lines[("t", "q.r")] == 5
    assert lines[("t", "q.r", "k")] == 6
    assert lines[("t", "q.r", "k", 0, "x")] == 7
    assert lines[("t", "q.r", "k", 1, "y", 1, "z")] == 9
    assert lines[("t", "q.r", "l")] == 11
    assert lines[("many", 1, "n")] == 14


def test_tables_that_only_dotted_keys_name_have_lines():
    lines = lines_of("a.b.c = 1\na.b.d = 2\n[t]\nx.y = 1\nz = { u.v = 1 }\n[[many]]\nm.n = 1\n[[many]]\nm.n = 2\n")
    assert [lines[path] for path in [("a",), ("a", "b"), ("a", "b", "d")]] == [1, 1, 2]
    assert [lines[path] for path in [("t", "x"), ("t", "z", "u"), ("many", 0, "m"), ("many", 1, "m")]] == [4, 5, 7, 9]
    findings = findings_of('agnt.name.first = "x"\n', "error")
    assert [(found.line, found.text.split(" (")[0]) for found in findings] == [(3, "[agent] has unknown key 'agnt'")]


# --- files that must not be parsed ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"[agent]\nname = \n", "agent.toml:2: Failed to parse agent.toml: Invalid value"),
        (b'[agent]\nname = "x', "agent.toml:2: Failed to parse agent.toml: Unterminated string"),
        (b"[agent]\n[agent]\n", "agent.toml:2: Failed to parse agent.toml: Cannot declare ('agent',) twice"),
        (b"[agent]\nname = '\xff'", "agent.toml:2: the agent file is not UTF-8 text (byte 16)"),
        (b"#" * 65537, "agent.toml: the agent file is larger than 65536 bytes"),
        (b"a" + b".a" * 20000 + b"= 1", "agent.toml:1: Failed to parse agent.toml: a key has more than 32 parts"),
        (b"a = " + b"[" * 5000, "agent.toml:1: Failed to parse agent.toml: brackets are nested deeper than 32"),
        (b"a = " + b"{a=" * 2000, "agent.toml:1: Failed to parse agent.toml: brackets are nested deeper than 32"),
        (
            b"\na = " + b"1" * 5000,
            "agent.toml:2: Failed to parse agent.toml: a number is too long",
        ),
        (b"\xef\xbb\xbf[agent]\n", "agent.toml:1: Failed to parse agent.toml: it begins with a byte order mark"),
        ("[agent]\n".encode("utf-16"), "agent.toml:1: the agent file is not UTF-8 text (byte 0)"),
        (b"[agent]\nname = 'x\0'", "agent.toml:2: Failed to parse agent.toml: Found invalid character"),
        (b"[agent]\rname = 'x'", "agent.toml:1: Failed to parse agent.toml: Expected newline"),
        (b"[stages.a]\n[stages.b]\n[stages.a]\n", "agent.toml:3: Failed to parse agent.toml: Cannot declare ('stages',"),
    ],
)
def test_a_file_that_is_no_agent_file_is_one_clear_error(data: bytes, message: str):
    with pytest.raises(BlueprintError) as caught:
        read_blueprint("agent.toml", data)
    assert caught.value.message.startswith(message)


@pytest.mark.parametrize("part", ['"""\\"', '"', "'''", "[", "a.", "a=[", "{", "\\", "'\n", '"\\\n', "[[a]]\n", "=", "x=1\n"])
def test_any_file_of_the_largest_size_is_read_or_refused(part: str):
    with suppress(BlueprintError):
        read_blueprint("agent.toml", (part * 65536)[:65536].encode())


def test_values_that_only_toml_knows_are_refused_where_plain_data_is_asked_for():
    assert "must be plain data" in error("[stages.main.model.parameters]\nsince = 2024-01-01").text
    assert "must be plain data" in error("[stages.main.model.parameters]\nlarge = 1e999").text
