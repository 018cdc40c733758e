"""Errors of a model's server: which are asked for again and after how long, and other models in its place."""

from pathlib import Path

import pytest

from stagehooks.errors import TransientError
from stagehooks.models.choice import models_of, passed_over
from stagehooks.models.protocol import Reply, Request
from stagehooks.models.retry import Retrying, asked_to_wait
from tests.stagehooks.asking import OPENAI, TWO, Naps, agent_with, ask, environment, fails, model_on
from tests.stagehooks.model_server import KEY, Answers, chat, failure, serving


@pytest.mark.parametrize("status", [400, 404, 405, 413, 422])
def test_an_error_that_stays_is_not_asked_for_again(tmp_path: Path, status: int) -> None:
    with serving(failure(status, "the model does not exist")) as server:
        assert fails(model_on(tmp_path, server)) == f"openai/gpt-x: HTTP {status}: the model does not exist"
        assert len(server.asked) == 1


@pytest.mark.parametrize("status", [401, 403])
def test_a_key_that_is_refused_is_named_by_its_variable(tmp_path: Path, status: int) -> None:
    with serving(failure(status, f"Incorrect API key provided: {KEY}")) as server:
        wanted = "Incorrect API key provided: [OPENAI_API_KEY] (the key is the one in OPENAI_API_KEY)"
        assert fails(model_on(tmp_path, server)) == f"openai/gpt-x: HTTP {status}: {wanted}"


@pytest.mark.parametrize(
    ("status", "naps"),
    [(408, [1, 2]), (500, [1, 2]), (502, [1, 2]), (504, [1, 2]), (429, [15, 30]), (503, [15, 30]), (529, [15, 30])],
)
def test_an_error_that_passes_is_waited_out(tmp_path: Path, status: int, naps: list[float]) -> None:
    with serving(failure(status), failure(status), chat("fine")) as server:
        slept = Naps()
        assert ask(model_on(tmp_path, server, naps=slept)).text == "fine"
        assert slept.seconds == naps


@pytest.mark.parametrize(("status", "naps"), [(500, [1, 2, 4]), (529, [15, 30, 60])])
def test_after_four_attempts_the_error_is_the_answer(tmp_path: Path, status: int, naps: list[float]) -> None:
    with serving(failure(status, "Overloaded")) as server:
        slept = Naps()
        assert fails(model_on(tmp_path, server, naps=slept)) == f"openai/gpt-x: HTTP {status}: Overloaded (asked 4 times)"
        assert slept.seconds == naps
        assert len(server.asked) == 4


@pytest.mark.parametrize(
    ("headers", "nap"),
    [
        ({"Retry_After": "7"}, 7),
        ({"Retry_After": "0"}, 1),
        ({"Retry_After": "2.5"}, 2.5),
        ({"Retry_After": "nonsense"}, 15),
        ({"Retry_After": "-5"}, 15),
        ({"Retry_After": "inf"}, 15),
        ({"Retry_After": "20", "retry_after_ms": "3000"}, 3),
        ({"Retry_After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 1),
    ],
)
def test_what_the_server_asks_for_is_honoured(tmp_path: Path, headers: dict[str, str], nap: float) -> None:
    with serving(failure(429, **headers), chat()) as server:
        slept = Naps()
        ask(model_on(tmp_path, server, naps=slept))
        assert slept.seconds == [nap]


def test_a_date_to_come_is_waited_for() -> None:
    assert asked_to_wait({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, lambda: 1445412470.0) == 10
    assert asked_to_wait({"retry-after": "Wed, 99 Oct 2015 07:28:00 GMT"}) is None


def test_a_server_that_asks_for_too_long_a_wait_is_not_asked_again(tmp_path: Path) -> None:
    with serving(failure(429, "slow down", Retry_After="3600")) as server:
        slept = Naps()
        wanted = "openai/gpt-x: HTTP 429: slow down (asks to wait 3600 seconds, which is too long)"
        assert fails(model_on(tmp_path, server, naps=slept)) == wanted
        assert slept.seconds == []


def test_all_waits_together_have_a_bound(tmp_path: Path) -> None:
    with serving(failure(429, Retry_After="140")) as server:
        slept = Naps()
        assert "asks to wait 140 seconds" in fails(model_on(tmp_path, server, naps=slept))
        assert slept.seconds == [140, 140]


@pytest.mark.parametrize(
    "answer", [failure(429, "no credit", "insufficient_quota"), failure(500, "broken", x_should_retry="false")]
)
def test_what_will_not_pass_is_not_waited_for(tmp_path: Path, answer: Answers) -> None:
    with serving(answer) as server:
        fails(model_on(tmp_path, server))
        assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"error": {"message": "told"}}, "told"),
        ({"error": "told"}, "told"),
        ({"message": "told"}, "told"),
        ({"detail": "told"}, "told"),
        (b"<html>\n  told\n</html>", "<html> told </html>"),
        (b"", "(no text)"),
        (["told"], '["told"]'),
        ({"error": {"message": "x" * 1000}}, "x" * 300),
        (b"[" * 100_000, "[" * 300),
    ],
)
def test_what_the_server_says_is_told_in_short_whatever_its_form(tmp_path: Path, body: object, said: str) -> None:
    with serving(Answers(body, 404)) as server:
        assert fails(model_on(tmp_path, server)) == f"openai/gpt-x: HTTP 404: {said}"


def test_an_own_model_may_be_asked_again_too() -> None:
    class Moody:
        asked = 0

        async def complete(self, request: Request) -> Reply:
            self.asked += 1
            if self.asked < 3:
                raise TransientError("in a moment", after=5)
            return Reply("now")

    naps = Naps()
    assert ask(Retrying(Moody(), naps)).text == "now"
    assert naps.seconds == [5, 5]


# --- fallbacks ---------------------------------------------------------------------------------------------------------------


def test_the_second_model_answers_where_the_first_fails(tmp_path: Path) -> None:
    answer = Answers({"content": [{"type": "text", "text": "from the second"}], "stop_reason": "end_turn"})
    with serving(failure(404), answer) as server:
        model = model_on(tmp_path, server, TWO)
        assert ask(model).text == "from the second"
        assert ask(model).text == "from the second"
        assert [asked.path for asked in server.asked] == [
            "/v1/chat/completions", "/anthropic/v1/messages", "/anthropic/v1/messages",
        ]  # fmt: skip
        assert [asked.body["model"] for asked in server.asked] == ["gpt-x", "claude-x", "claude-x"]


def test_a_run_comes_back_to_the_first_where_the_second_fails(tmp_path: Path) -> None:
    answer = Answers({"content": [{"type": "text", "text": "two"}], "stop_reason": "end_turn"})
    with serving(failure(404), answer, failure(404), chat("one")) as server:
        model = model_on(tmp_path, server, TWO)
        assert [ask(model).text, ask(model).text] == ["two", "one"]


def test_where_all_fail_all_say_why(tmp_path: Path) -> None:
    with serving(failure(404, "unknown"), failure(500, "broken")) as server:
        text = fails(model_on(tmp_path, server, TWO))
        assert text == "openai/gpt-x: HTTP 404: unknown; anthropic/claude-x: HTTP 500: broken (asked 4 times)"


def test_replies_from_a_file_may_stand_behind_a_server(tmp_path: Path) -> None:
    with serving(failure(404)) as server:
        agent = agent_with(tmp_path, OPENAI + 'fallbacks = [{ provider = "scripted" }]\n')
        (tmp_path / "replies.toml").write_text('[[main]]\ntext = "offline"\n')
        assert ask(models_of(agent, None, environment(server), Naps())["main"]).text == "offline"


def test_a_model_whose_key_is_not_set_is_passed_over_and_validate_says_so(tmp_path: Path) -> None:
    agent = agent_with(tmp_path, TWO)
    given = {"ANTHROPIC_API_KEY": KEY}
    assert repr(models_of(agent, None, given)["main"]) == "Retrying(RemoteModel(anthropic/claude-x))"
    wanted = "stage 'main' does without openai/gpt-x: set OPENAI_API_KEY to the key for api.openai.com"
    assert [text for _, text in passed_over(agent, given)] == [wanted]
