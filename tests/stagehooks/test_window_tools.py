"""The tools with which a model keeps its own regions: what they do, what they refuse, and that taint goes along."""

from pathlib import Path

import pytest

from stagehooks.agent import blueprint
from stagehooks.run.context_tools import context_tools
from stagehooks.run.region import Entry, Text
from stagehooks.run.window import Window
from stagehooks.tools.catalogue import CONTEXT
from stagehooks.tools.levels import Level
from stagehooks.tools.tool import ToolError
from tests.stagehooks.driving import calls, drive, stage


@pytest.fixture
def window() -> Window:
    held = Window()
    held.lay_out(
        [
            blueprint.Region("notes", "temporary", 20),
            blueprint.Region("files", "hashmap", 20),
            blueprint.Region("todo", "checklist", 20),
            blueprint.Region("past", "compact_history", 20, source_region="notes"),
        ]
    )
    return held


def call(window: Window, name: str, **arguments: str) -> str:
    (tool,) = [tool for tool in context_tools(window) if tool.name == name]
    assert tool.violations({**arguments}) == []
    answer = tool.function(**arguments)
    assert isinstance(answer, str)
    return answer


def refusal(window: Window, name: str, **arguments: str) -> str:
    with pytest.raises(ToolError) as error:
        call(window, name, **arguments)
    return str(error.value)


def test_the_tools_are_those_that_the_catalogue_knows(window: Window) -> None:
    assert tuple(tool.name for tool in context_tools(window)) == CONTEXT


def test_writing_replaces_and_appending_adds(window: Window) -> None:
    call(window, "context_write", region="notes", content="one")
    call(window, "context_append", region="notes", content="two")
    assert call(window, "context_read", region="notes") == "one\ntwo"
    call(window, "context_write", region="notes", content="three")
    assert window.region("notes").text == "three"


def test_entries_of_a_hashmap_have_keys(window: Window) -> None:
    call(window, "context_write", region="files", content="one", key="a")
    call(window, "context_append", region="files", content="two", key="a")
    call(window, "context_append", region="files", content="three", key="b")
    assert call(window, "context_read", region="files", key="a") == "one\ntwo"
    assert call(window, "context_delete", region="files", key="b") == "Removed 'b' from 'files'."
    assert [entry.key for entry in window.region("files").entries] == ["a"]


def test_a_checklist_is_kept_by_numbers(window: Window) -> None:
    assert call(window, "todo_add", region="todo", item="one") == "Added to 'todo' as item 1."
    call(window, "todo_add", region="todo", item="two")
    call(window, "todo_note", region="todo", id="2", note="soon")
    call(window, "todo_done", region="todo", id="1")
    assert [(entry.content.text, entry.done) for entry in window.region("todo").entries] == [("one", True), ("two (soon)", False)]


def test_the_list_says_how_full_regions_are(window: Window) -> None:
    call(window, "context_write", region="files", content="12345678", key="a")
    listed = call(window, "context_list").splitlines()
    assert listed[:2] == ["notes (temporary): 0 of 20 tokens", "files (hashmap): 2 of 20 tokens, keys: a"]


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("context_write", {"region": "nope", "content": "x"}, "there is no region 'nope' (there are: notes, files, todo, past, "),
        ("context_write", {"region": "conversation", "content": "x"}, "'conversation' is not written by hand"),
        ("context_append", {"region": "past", "content": "x"}, "'past' is not written by hand"),
        ("context_write", {"region": "files", "content": "x"}, "'files' is a hashmap: give a 'key'"),
        (
            "context_write",
            {"region": "notes", "content": "x" * 100},
            "writing region 'notes': Content exceeds token budget: 25 > 20",
        ),
        ("context_append", {"region": "files", "content": "x" * 100, "key": "a"}, "Content exceeds token budget: 25 > 20"),
        ("context_read", {"region": "files", "key": "a"}, "there is no entry 'a' in 'files'"),
        ("context_delete", {"region": "notes", "key": "a"}, "there is no entry 'a' in 'notes'"),
        ("todo_add", {"region": "notes", "item": "x"}, "'notes' is no checklist"),
        ("todo_add", {"region": "todo", "item": " "}, "an item needs a text"),
        ("todo_add", {"region": "todo", "item": "x" * 100}, "Content exceeds token budget: 25 > 20"),
        ("todo_done", {"region": "todo", "id": "9"}, "there is no item 9 in 'todo'"),
        ("todo_note", {"region": "todo", "id": "9", "note": "x"}, "there is no item 9 in 'todo'"),
    ],
)
def test_what_cannot_be_done_is_said(window: Window, name: str, arguments: dict[str, str], message: str) -> None:
    assert refusal(window, name, **arguments).startswith(message)


def test_what_a_model_writes_is_as_confidential_as_all_that_it_may_have_seen(window: Window) -> None:
    window.region("notes").add((Entry(Text("secret"), Level.PRIVATE),))
    call(window, "todo_add", region="todo", item="tell it")
    call(window, "context_write", region="files", content="x", key="a")
    window.region("notes").clear()
    assert (window.region("todo").level, window.region("files").level) == (Level.PRIVATE, Level.PRIVATE)


def test_what_a_model_reads_stays_as_confidential_as_it_was(tmp_path: Path) -> None:
    top = '[security]\ntaint_tracking = true\n[context.regions.notes]\nseed = { literal = "public" }\n'
    replies = (calls(("context_read", {"region": "notes"})), calls(("shell", {"command": "true"})), "done")
    driven = drive(tmp_path, "", *replies, stages=stage(tools=["context_read", "shell"]), top=top)
    assert [(tool.name, tool.taint) for tool in driven.tools] == [("context_read", "clear"), ("shell", "clear")]


def test_a_stage_offers_only_the_tools_that_it_names(tmp_path: Path) -> None:
    asked = calls(("todo_add", {"region": "todo", "item": "one"}), ("context_list", {}))
    top = '[context.regions.todo]\nkind = "checklist"\n'
    driven = drive(tmp_path, "", asked, "done", stages=stage(tools=["todo_add"]), top=top)
    assert driven.tools[0].result == "Added to 'todo' as item 1."
    assert driven.tools[1].result.startswith("[unavailable]")
    assert driven.model.saw("- [ ] 1: one")
