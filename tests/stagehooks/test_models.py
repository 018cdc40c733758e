"""The offline model: replies from a file, and which model a stage gets."""

import asyncio
from pathlib import Path

import pytest

from stagehooks.errors import BlueprintError, ModelError, SpawnError
from stagehooks.models.choice import models_of
from stagehooks.models.protocol import Purpose, Reply, Request, ToolCall
from stagehooks.models.scripted import ScriptedModel, read_replies
from stagehooks.run.lifecycle import run_agent_sync
from tests.stagehooks.driving import stage, write_agent

REPLIES = """
[[plan]]
text = "Let me look."
tokens = 12
tool_calls = [{ name = "list_files", arguments = { path = "." } }, { name = "read_file" }]

[[plan]]
text = "That is all."

[[plan]]
next = "build"

[[build]]
error = "overloaded"
"""


def replies(directory: Path, text: str) -> ScriptedModel:
    (directory / "replies.toml").write_text(text)
    return read_replies(directory, "replies.toml")


def ask(model: ScriptedModel, stage_name: str, turn: int, purpose: Purpose = "reply") -> Reply:
    return asyncio.run(model.complete(Request(stage_name, turn, purpose, "", (), ())))


def test_replies_are_matched_by_stage_and_turn(tmp_path: Path) -> None:
    model = replies(tmp_path, REPLIES)
    wanted = (ToolCall("plan-1-1", "list_files", {"path": "."}), ToolCall("plan-1-2", "read_file", {}))
    assert ask(model, "plan", 1) == Reply("Let me look.", wanted, 12)
    assert ask(model, "plan", 2) == Reply("That is all.")


def test_a_choice_of_the_next_stage_is_counted_by_itself(tmp_path: Path) -> None:
    assert ask(replies(tmp_path, REPLIES), "plan", 1, "transition").text == "build"


def test_a_reply_may_be_a_failure(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"^overloaded$"):
        ask(replies(tmp_path, REPLIES), "build", 1)


@pytest.mark.parametrize(
    ("stage_name", "turn", "purpose", "text"),
    [
        ("plan", 3, "reply", ":10: there is no reply for turn 3 of stage 'plan' (2 in the file)"),
        ("plan", 2, "transition", ":10: there is no choice of the next stage for turn 2 of stage 'plan' (1 in the file)"),
        (
            "review",
            1,
            "reply",
            ": there is no reply for turn 1 of stage 'review' (0 in the file, which has replies for: plan, build)",
        ),
    ],
)
def test_a_missing_reply_names_the_file_and_the_line(
    tmp_path: Path, stage_name: str, turn: int, purpose: Purpose, text: str
) -> None:
    with pytest.raises(ModelError) as error:
        ask(replies(tmp_path, REPLIES), stage_name, turn, purpose)
    assert error.value.message == f"{tmp_path / 'replies.toml'}{text}"


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("[[plan]]\ntext = 7\n", 2, "'text' must be a text, got: 7"),
        ('[[plan]]\ntext = "x"\n[[plan]]\ntokens = 3\n', 3, "a reply needs a 'text', 'tool_calls', 'next', 'summary' or 'error'"),
        ('[[plan]]\ntxt = "x"\n', 2, "has unknown key 'txt'"),
        ("[[plan]]\ntool_calls = [{ arguments = {} }]\n", 2, "a tool call needs a 'name'"),
        ('[[plan]]\nnext = "build"\ntext = "x"\n', 2, "a choice of the next stage stands alone"),
        ('[plan]\ntext = "x"\n', 1, "'plan' must be a list of tables"),
        ('[[plan]]\ntext = "x\n', 2, "Failed to parse"),
    ],
)
def test_a_malformed_file_names_the_line_before_anything_runs(tmp_path: Path, text: str, line: int, what: str) -> None:
    with pytest.raises(BlueprintError) as error:
        replies(tmp_path, text)
    assert error.value.line == line
    assert what in error.value.message
    assert error.value.exit_code() == 2


@pytest.mark.parametrize("declared", ["../replies.toml", "/etc/passwd"])
def test_replies_live_beside_their_agent(tmp_path: Path, declared: str) -> None:
    with pytest.raises(SpawnError, match="resolves outside the agent's directory"):
        read_replies(tmp_path, declared)


def test_replies_that_are_not_there_are_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(SpawnError, match=r"cannot read replies file '.*replies.toml': No such file or directory"):
        read_replies(tmp_path, "replies.toml")


def with_model(table: str) -> str:
    return stage() + f"[stages.main.model]\n{table}\n"


def test_a_stage_that_names_no_model_gets_the_offline_one(tmp_path: Path) -> None:
    agent = write_agent(tmp_path, "")
    (tmp_path / "replies.toml").write_text('[[main]]\ntext = "done"\n')
    assert run_agent_sync(agent).status == "complete"


def test_a_stage_may_name_its_file_of_replies(tmp_path: Path) -> None:
    agent = write_agent(tmp_path, "", with_model('provider = "scripted"\nmodel = "other.toml"'))
    (tmp_path / "other.toml").write_text('[[main]]\ntext = "done"\n')
    assert run_agent_sync(agent).status == "complete"


def test_the_first_available_candidate_is_taken(tmp_path: Path) -> None:
    table = 'models = [{ provider = "acme", model = "x" }, { provider = "scripted", model = "replies.toml" }]'
    agent = write_agent(tmp_path, "", with_model(table))
    (tmp_path / "replies.toml").write_text("")
    assert set(models_of(agent)) == {"main"}


def test_without_a_usable_provider_nothing_runs(tmp_path: Path) -> None:
    agent = write_agent(tmp_path, "", with_model('provider = "acme"\nmodel = "x"'))
    with pytest.raises(SpawnError, match=r"stage 'main' has no usable provider \(tried: acme/x\)"):
        run_agent_sync(agent)


def test_a_missing_reply_ends_the_run_in_error(tmp_path: Path) -> None:
    agent = write_agent(tmp_path, "", stage() + stage("next"))
    (tmp_path / "replies.toml").write_text('[[main]]\ntext = "done"\n')
    result = run_agent_sync(agent)
    assert result.status == "error"
    assert (result.error or "").endswith(
        "there is no reply for turn 1 of stage 'next' (0 in the file, which has replies for: main)"
    )
