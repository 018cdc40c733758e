"""The models that an agent file asks for: which parameters it may give, how long they have, and a whole run on a server."""

import asyncio
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from stagehooks.agent.spawn import Agent, load
from stagehooks.errors import SpawnError
from stagehooks.models.choice import models_of, passed_over
from stagehooks.models.protocol import Reply, Request
from stagehooks.run.lifecycle import run_agent_sync
from tests.stagehooks.asking import OPENAI, REQUEST, Naps, agent_with, ask, environment
from tests.stagehooks.driving import stage, write_agent
from tests.stagehooks.model_server import KEY, chat, failure, message, serving, text


@pytest.mark.parametrize(
    ("provider", "parameter", "hint"),
    [
        ("openai", "stream = true", "the runtime sets it"),
        ("openai", "messages = []", "the runtime sets it"),
        ("openai", "max_completion_tokens = 9", "write parameters.max_output_tokens"),
        ("anthropic", "max_tokens = 9", "write parameters.max_output_tokens"),
        ("anthropic", 'system = "x"', "the runtime sets it"),
        ("anthropic", 'mcp_servers = [{ url = "https://x" }]', "tools that run on the server are judged by nobody"),
        ("openai", "web_search_options = {}", "tools that run on the server are judged by nobody"),
    ],
)
def test_parameters_that_are_the_runtimes_are_refused(tmp_path: Path, provider: str, parameter: str, hint: str) -> None:
    agent = agent_with(tmp_path, f'provider = "{provider}"\nmodel = "m"\n[stages.main.model.parameters]\n{parameter}\n')
    with pytest.raises(SpawnError, match=hint):
        models_of(agent, None, {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY})


def test_a_provider_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpawnError, match="stage 'main': provider 'openai' needs a 'model'"):
        models_of(agent_with(tmp_path, 'provider = "openai"\n'), None, {"OPENAI_API_KEY": KEY})


def test_a_misspelt_provider_is_told_from_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(SpawnError, match=r"opnai/m: there is no such provider \(did you mean 'openai'\?\)"):
        models_of(agent_with(tmp_path, 'provider = "opnai"\nmodel = "m"\n'), None, {})


def test_a_given_model_has_the_time_that_the_stage_gives_it(tmp_path: Path) -> None:
    class Slow:
        async def complete(self, request: Request) -> Reply:
            await asyncio.sleep(60)
            return Reply("late")

    agent = agent_with(tmp_path, "request_timeout_secs = 0.05\n")
    assert run_agent_sync(agent, model=Slow()).error == "the model did not answer within 0.05 seconds"


def test_a_given_models_own_timeout_is_not_mistaken_for_the_stages(tmp_path: Path) -> None:
    class Raises:
        async def complete(self, request: Request) -> Reply:
            raise TimeoutError("mine")

    agent = agent_with(tmp_path, "request_timeout_secs = 60\n")
    assert run_agent_sync(agent, model=Raises()).error == "the model failed: TimeoutError: mine"


def test_no_model_on_a_server_is_imported_where_none_is_used() -> None:
    root = Path(__file__).parent.parent.parent
    lines = [
        "import sys, stagehooks",
        "stagehooks.run_agent_sync(stagehooks.load('examples/planner'))",
        "print([name for name in sys.modules if name.startswith('stagehooks.models.')])",
    ]
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], cwd=root, capture_output=True, text=True, timeout=60)
    assert "scripted" in done.stdout
    assert not {"http", "remote", "providers", "wire"} & {name.rpartition(".")[2] for name in eval(done.stdout)}


def test_an_agent_runs_on_a_server_from_the_first_stage_to_the_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "workspace").mkdir()
    (tmp_path / "workspace" / "note.txt").write_text("42")
    write_agent(tmp_path, "", stage("main", tools=["read_file", "submit_output"]) + f"[stages.main.model]\n{OPENAI}")
    answers = (
        chat(None, ("read_file", '{"path": "note.txt"}'), ("read_file", '{"path": '), finish="tool_calls"),
        chat(None, ("submit_output", '{"content": "It is 42."}')),
        chat("Done."),
    )
    with serving(*answers) as server:
        for name, value in environment(server).items():
            monkeypatch.setenv(name, value)
        result = run_agent_sync(load(tmp_path), task="What does the note say?")
        assert (result.status, result.output, result.totals.tokens) == ("complete", "It is 42.", 45)
        *_, said, read, refused = server.asked[1].body["messages"]
    assert [call["id"] for call in said["tool_calls"]] == ["call00001", "call00002"]
    assert read == {"role": "tool", "tool_call_id": "call00001", "content": "42"}
    assert refused["content"].startswith("[error] invalid arguments for 'read_file': at /: \"not valid JSON (")


# --- another model for summaries ---------------------------------------------------------------------------------------------

SUMMARY = replace(REQUEST, purpose="summary", extra=(("top_p", 0.5),))


def with_summaries(directory: Path, table: str) -> Agent:
    return agent_with(directory, f"{OPENAI}[compaction]\n{table}\n")


def test_another_model_makes_the_summaries_and_nothing_else(tmp_path: Path) -> None:
    agent = with_summaries(tmp_path, 'provider = "anthropic"\nmodel = "claude-x"')
    with serving(message(text("a summary")), chat("a reply")) as server:
        model = models_of(agent, None, environment(server), Naps())["main"]
        assert [ask(model, SUMMARY).text, ask(model).text] == ["a summary", "a reply"]
        assert [asked.body["model"] for asked in server.asked] == ["claude-x", "gpt-x"]
        assert "top_p" not in server.asked[0].body


def test_the_stages_own_model_makes_a_summary_where_the_other_fails(tmp_path: Path) -> None:
    agent = with_summaries(tmp_path, 'provider = "anthropic"\nmodel = "claude-x"')
    with serving(failure(404), chat("its own")) as server:
        assert ask(models_of(agent, None, environment(server), Naps())["main"], SUMMARY).text == "its own"


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ('provider = "anthropic"\nmodel = "x"', "anthropic/x: set ANTHROPIC_API_KEY to the key for api.anthropic.com"),
        ('provider = "antropic"\nmodel = "x"', "antropic/x: there is no such provider (did you mean 'anthropic'?)"),
    ],
)
def test_the_stages_own_model_makes_summaries_where_the_other_is_not_available(tmp_path: Path, table: str, why: str) -> None:
    agent = with_summaries(tmp_path, table)
    given = {"OPENAI_API_KEY": KEY}
    assert repr(models_of(agent, None, given)["main"]) == "Retrying(RemoteModel(openai/gpt-x))"
    ((line, said),) = passed_over(agent, given)
    assert said == f"[compaction] does without {why}"
    assert (tmp_path / "agent.toml").read_text().splitlines()[line - 1] == "[compaction]"


def test_the_offline_model_may_have_a_file_of_summaries(tmp_path: Path) -> None:
    agent = agent_with(tmp_path, '[compaction]\nprovider = "scripted"\nmodel = "summaries.toml"\n')
    (tmp_path / "replies.toml").write_text('[[main]]\nsummary = "its own"\n')
    (tmp_path / "summaries.toml").write_text('[[main]]\nsummary = "from the file"\n')
    assert ask(models_of(agent)["main"], SUMMARY).text == "from the file"


def test_a_server_of_ones_own_may_make_the_summaries(tmp_path: Path) -> None:
    with serving(chat("a summary")) as server:
        table = f'provider = "openai-compatible"\nmodel = "small"\nbase_url = "{server.url}/v1"'
        model = models_of(with_summaries(tmp_path, table), None, {"OPENAI_API_KEY": KEY}, Naps())["main"]
        assert ask(model, SUMMARY).text == "a summary"
