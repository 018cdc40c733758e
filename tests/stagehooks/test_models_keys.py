"""Keys of models' servers, and the servers that an agent file may name: what is sent where, and what shows nowhere."""

import pickle
import re
import traceback
from dataclasses import asdict
from pathlib import Path

import pytest

from stagehooks.check import check
from stagehooks.errors import BlueprintError, ModelError, SpawnError
from stagehooks.models import retry
from stagehooks.models.choice import models_of
from stagehooks.models.keys import Key, key_variable
from stagehooks.run.events import Event
from stagehooks.run.lifecycle import run_agent_sync
from tests.stagehooks.asking import OPENAI, agent_with, ask, environment, fails, model_on
from tests.stagehooks.model_server import KEY, Answers, chat, failure, serving

# --- keys --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("provider", "variable"),
    [("openai", "OPENAI_API_KEY"), ("anthropic", "ANTHROPIC_API_KEY")],
)
def test_a_missing_key_is_named_before_anything_runs(tmp_path: Path, provider: str, variable: str) -> None:
    agent = agent_with(tmp_path, f'provider = "{provider}"\nmodel = "m"\n')
    for given in ({}, {variable: "  \n"}):
        with pytest.raises(SpawnError) as error:
            models_of(agent, None, given)
        wanted = rf"stage 'main' has no usable provider \(tried: {provider}/m\). {provider}/m: set {variable} to the key for"
        assert re.match(wanted, error.value.message)


def test_validate_warns_of_a_missing_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    agent_with(tmp_path, OPENAI)
    (finding,) = [finding for finding in check(tmp_path).findings if finding.code == "model"]
    assert finding.severity == "warning"
    assert "set OPENAI_API_KEY" in finding.text


@pytest.mark.parametrize("key", ["sk-1\nX-Evil: 1", "sk-ä", "sk 1"])
def test_a_key_that_could_not_be_sent_is_refused_without_being_shown(tmp_path: Path, key: str) -> None:
    with pytest.raises(SpawnError) as error:
        models_of(agent_with(tmp_path, OPENAI), None, {"OPENAI_API_KEY": key})
    assert error.value.message == "OPENAI_API_KEY holds a space or a character that no key has"


def test_the_key_is_sent_in_its_header_and_shows_nowhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    echo = chat(f"your key is {KEY}", ("read_file", f'{{"path": "{KEY}"}}'))
    with serving(failure(500, KEY), echo, failure(400, f"bad {KEY}")) as server:
        for name, value in environment(server).items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(retry, "WAITS", (0.0, 0.0, 0.0))
        agent = agent_with(tmp_path, OPENAI)
        events: list[Event] = []
        result = run_agent_sync(agent, observe=events.append)
        assert [asked.headers["authorization"] for asked in server.asked] == [f"Bearer {KEY}"] * 3
        assert all(KEY not in str(asked.body) for asked in server.asked)
    assert result.status == "error"
    assert result.error == "openai/gpt-x: HTTP 400: bad [OPENAI_API_KEY]"
    assert KEY not in repr(events) + repr([asdict(event) for event in events]) + repr(result) + repr(agent)


SLASHED = "sk/test-4711/with+slashes"
WAYS = {
    "a slash that is escaped": SLASHED.replace("/", "\\/"),
    "characters by their numbers": "".join(f"\\u{ord(char):04x}" for char in SLASHED),
    "as it is": SLASHED,
}


@pytest.mark.parametrize("written", WAYS.values(), ids=WAYS.keys())
def test_however_a_server_writes_the_key_it_shows_nowhere(tmp_path: Path, written: str) -> None:
    quoted = written.replace("\\", "\\\\")
    call = f'{{"function": {{"name": "read_file", "arguments": "{{\\"path\\": \\"{quoted}\\"}}"}}}}'
    said = f'{{"choices": [{{"message": {{"content": "it is {written}", "tool_calls": [{call}]}}}}]}}'
    refusals = (
        f'{{"error": {{"message": "wrong key {written}"}}}}',
        f'{{"detail": "wrong key {written}"}}',
        f'{{"{written}": 1}}',
        f"wrong key {SLASHED}",
        '{"cut off": "' + SLASHED.replace("/", "\\/"),
        f'{{"error": {{"message": "{"x" * 290} {written}"}}}}',
    )
    answers = [Answers(said.encode()), *(Answers(body.encode(), 400) for body in refusals)]
    with serving(*answers) as server:
        model = model_on(tmp_path, server, OPENAI, OPENAI_API_KEY=SLASHED)
        reply = ask(model)
        assert reply.text == "it is [OPENAI_API_KEY]"
        assert reply.tool_calls[0].arguments == {"path": "[OPENAI_API_KEY]"}
        for _ in refusals:
            assert SLASHED[:8] not in fails(model).replace("\\", "")


def test_neither_a_repr_nor_a_traceback_shows_the_key(tmp_path: Path) -> None:
    with serving(failure(401, KEY)) as server:
        model = model_on(tmp_path, server)
        try:
            ask(model)
        except ModelError as error:
            told = "".join(traceback.format_exception(error)) + repr(error) + repr(error.__context__) + repr(error.__cause__)
    inner = vars(model)["_model"]
    assert KEY not in told + repr(model) + repr(inner) + repr(vars(inner)) + repr(Key("X", KEY)) + str(Key("X", KEY))


def test_a_key_cannot_be_pickled() -> None:
    with pytest.raises(TypeError):
        pickle.dumps(Key("X", KEY))


# --- servers of one's own ----------------------------------------------------------------------------------------------------


def compatible(url: str = "", more: str = "") -> str:
    base_url = f'base_url = "{url}"\n' if url else ""
    return f'provider = "openai-compatible"\nmodel = "llama"\n{base_url}{more}'


def test_a_server_on_this_machine_needs_no_key(tmp_path: Path) -> None:
    with serving(chat("local")) as server:
        agent = agent_with(tmp_path, compatible(f"{server.url}/v1"))
        assert ask(models_of(agent, None, {"OPENAI_API_KEY": KEY})["main"]).text == "local"
        assert "authorization" not in server.asked[0].headers
        assert server.asked[0].path == "/v1/chat/completions"


def test_its_address_may_come_from_the_environment(tmp_path: Path) -> None:
    with serving(chat("local")) as server:
        given = {"OPENAI_COMPATIBLE_BASE_URL": server.url, "STAGEHOOKS_KEY_127_0_0_1": "local-key"}
        assert ask(models_of(agent_with(tmp_path, compatible()), None, given)["main"]).text == "local"
        assert server.asked[0].headers["authorization"] == "Bearer local-key"


def test_without_an_address_it_says_what_to_write(tmp_path: Path) -> None:
    with pytest.raises(SpawnError, match="openai-compatible/llama: write base_url beside it, or set OPENAI_COMPATIBLE_BASE_URL"):
        models_of(agent_with(tmp_path, compatible()), None, {})


def test_an_agent_file_can_name_a_server_but_not_make_a_key_go_there(tmp_path: Path) -> None:
    keys = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY, "STAGEHOOKS_KEY_API_GROQ_COM": KEY}
    agent = agent_with(tmp_path, compatible("https://api-groq.com/v1"))
    with pytest.raises(SpawnError, match=r"set STAGEHOOKS_KEY_API__GROQ_COM to the key for api-groq\.com"):
        models_of(agent, None, keys)
    agent = agent_with(tmp_path, compatible("https://api.groq.com/openai/v1"))
    assert repr(models_of(agent, None, keys)["main"]) == "Retrying(RemoteModel(openai-compatible/llama))"


@pytest.mark.parametrize("provider", ["openai", "anthropic", "scripted", "acme"])
def test_only_that_provider_takes_an_address_from_the_agent_file(tmp_path: Path, provider: str) -> None:
    table = f'models = [{{ provider = "{provider}", model = "m", base_url = "https://evil.example" }}]\n'
    with pytest.raises(BlueprintError, match=r"'base_url' is for the provider \"openai-compatible\" only"):
        agent_with(tmp_path, table)


@pytest.mark.parametrize(
    ("host", "variable"),
    [
        ("api.groq.com", "STAGEHOOKS_KEY_API_GROQ_COM"),
        ("my-server.example", "STAGEHOOKS_KEY_MY__SERVER_EXAMPLE"),
        ("a--b.c", "STAGEHOOKS_KEY_A____B_C"),
        ("10.0.0.5", "STAGEHOOKS_KEY_10_0_0_5"),
        ("a_b.c", None),
        ("a..b", None),
        ("a-.b", None),
        ("-a", None),
        ("a.", None),
        ("fe80::1", None),
    ],
)
def test_every_host_has_a_variable_of_its_own(host: str, variable: str | None) -> None:
    assert key_variable(host) == variable


def test_a_host_without_a_variable_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpawnError, match="no variable can hold a key for the host 'fe80::1'; use its name"):
        models_of(agent_with(tmp_path, compatible("https://[fe80::1]/v1")), None, {})
