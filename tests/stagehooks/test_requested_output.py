"""What the final output is to be, as it is said with a run: before what the agent file says, field by field."""

import json
import os
from pathlib import Path

import pytest

from stagehooks.agent.output import OutputSpec
from stagehooks.agent.requested import instead_of, read_output_file
from stagehooks.cli import main
from stagehooks.errors import BlueprintError, SpawnError, UsageError
from stagehooks.run.lifecycle import run_agent_sync
from stagehooks.store.resume import resume_run_sync
from stagehooks.store.store import Store
from tests.stagehooks.driving import Driven, Recorder, calls, drive, drive_agent, stage, write_agent
from tests.stagehooks.resuming import in_a_child, killer

DONE = '[[main]]\ntext = "done"\n'
NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
DECLARED = OutputSpec("json", "Be brief.", "{}", NUMBER, "check.rhai", 7)


def test_each_field_goes_before_the_one_of_the_agent_file() -> None:
    assert instead_of(DECLARED, OutputSpec()) == DECLARED
    assert instead_of(DECLARED, OutputSpec(instructions="In full.")) == OutputSpec("json", "In full.", "{}", NUMBER, "check.rhai")
    assert instead_of(DECLARED, OutputSpec("json", example="1")).schema == NUMBER
    assert instead_of(DECLARED, OutputSpec(schema={"type": "array"})).schema == {"type": "array"}
    assert instead_of(OutputSpec(schema=NUMBER), OutputSpec("json")).schema == NUMBER


def test_with_another_format_the_declared_schema_and_validator_say_nothing() -> None:
    other = instead_of(DECLARED, OutputSpec("csv"))
    assert (other.format, other.schema, other.validator, other.instructions) == ("csv", None, "", "Be brief.")
    own = instead_of(DECLARED, OutputSpec("yaml", schema={}, validator="own.rhai"))
    assert (own.schema, own.validator) == ({}, "own.rhai")


def submitting(directory: Path, content: str, output: OutputSpec | None) -> Driven:
    return drive(
        directory, "", calls(("submit_output", {"content": content})), "done", tools=["submit_output"], output=output
    )  # fmt: skip


def test_what_is_submitted_is_measured_by_what_was_asked_for(tmp_path: Path) -> None:
    output = OutputSpec("json", schema=NUMBER)
    assert submitting(tmp_path / "a", '{"n": 1}', output).result.output == '{"n": 1}'
    refused = submitting(tmp_path / "b", '{"n": "x"}', output)
    assert refused.result.output is None
    assert "does not match its schema" in refused.tools[0].result
    assert submitting(tmp_path / "c", "anything", None).result.output == "anything"


def test_the_model_is_told(tmp_path: Path) -> None:
    driven = submitting(tmp_path, "x", OutputSpec(instructions="Write it as a poem."))
    assert driven.model.saw("Write it as a poem.")


def test_a_validator_stands_beside_the_agent(tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    agent.mkdir()
    (agent / "strict.rhai").write_text('fn validate(content) { if content != "yes" { "say yes" } }')
    assert submitting(tmp_path, "no", OutputSpec(validator="strict.rhai")).tools[0].result.endswith("rejected: say yes")
    assert submitting(tmp_path, "yes", OutputSpec(validator="strict.rhai")).result.output == "yes"


@pytest.mark.parametrize(
    ("output", "words"),
    [
        (OutputSpec(schema={"type": "nothing"}), "'schema' is no JSON Schema that can be used"),
        (OutputSpec(validator="gone.rhai"), "cannot read output validator"),
        (OutputSpec(validator="../out.rhai"), "resolves outside the blueprint's directory"),
    ],
)
def test_what_cannot_be_used_stops_the_run_before_it_begins(tmp_path: Path, output: OutputSpec, words: str) -> None:
    (tmp_path / "out.rhai").write_text("fn validate(content) { }")
    model = Recorder("done")
    with pytest.raises(SpawnError, match=words):
        drive_agent(write_agent(tmp_path / "agent", ""), model, output=output)
    assert model.requests == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are made by forking")
def test_it_is_kept_with_the_run(tmp_path: Path) -> None:
    agent = write_agent(tmp_path / "agent", "", stage(tools=["submit_output"]))
    (agent.directory / "strict.rhai").write_text('fn validate(content) { if content != "yes" { "say yes" } }')
    asked = 'tool_calls = [{ name = "submit_output", arguments = { content = "%s" } }]'
    (agent.directory / "replies.toml").write_text("".join(f"[[main]]\n{asked % word}\n" for word in ("no", "yes")) + DONE)
    store = Store(tmp_path / "runs.db")
    output = OutputSpec("text", schema=None, validator="strict.rhai")
    observed: list[object] = []
    run_agent_sync(agent, output=output, store=store, observe=observed.append)
    for at in range(1, len(observed)):
        in_a_child(lambda at=at: run_agent_sync(agent, output=output, store=Store(store.path), observe=killer(at)))
        run = next(run for run in store.runs() if not run.over)
        assert run.beginning.given.output == output
        events: list[object] = []
        assert resume_run_sync(store, run.id, observe=events.append).output == "yes", at
        assert events[0].changes == ()


# --- the file of the command ----------------------------------------------------------------------------------------------

SPEC = 'format = "json"\nschema = { type = "object", required = ["n"] }\n'


def test_the_command_reads_it_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    agent = write_agent(tmp_path / "agent", "", stage(tools=["submit_output"]))
    asked = "tool_calls = [{ name = \"submit_output\", arguments = { content = '%s' } }]"
    (agent.directory / "replies.toml").write_text("".join(f"[[main]]\n{asked % word}\n" for word in ("{}", '{"n": 1}')) + DONE)
    (tmp_path / "output.toml").write_text(SPEC)
    run = ["run", str(agent.directory), "--json", "--no-store", "--output-spec", str(tmp_path / "output.toml")]
    assert main(run) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["output"] == '{"n": 1}'


def test_a_file_that_is_none_is_one_clear_error(tmp_path: Path) -> None:
    file = tmp_path / "output.toml"
    with pytest.raises(UsageError, match=r"cannot read '.*output\.toml'"):
        read_output_file(file)
    file.write_text("formt = 1\n")
    with pytest.raises(BlueprintError, match=r"output\.toml:1: the output specification has unknown key 'formt'") as caught:
        read_output_file(file)
    assert caught.value.hint == "did you mean 'format'?"
    file.write_text("format = 1\n")
    with pytest.raises(BlueprintError, match="'format' must be a text, got: 1"):
        read_output_file(file)
    file.write_text("= 1\n")
    with pytest.raises(BlueprintError, match=r"Failed to parse output\.toml"):
        read_output_file(file)
