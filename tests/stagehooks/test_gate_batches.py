"""A batch of calls: judged as a whole before any call is made, asked about once, and the calls a hook denies in place."""

import asyncio
import io
from collections.abc import Sequence
from pathlib import Path

import pytest

from stagehooks.gate.approval import Answer, Approvals, Question
from stagehooks.gate.policy import policy_for
from stagehooks.gate.terminal import TerminalApprover
from stagehooks.models.protocol import ToolCall
from stagehooks.tools.tool import Parameter, Tool
from tests.stagehooks.driving import Driven, Recorder, calls, drive_agent, modify, stage, write_agent
from tests.stagehooks.gating import a_tool, blueprint_with


class Together:
    """Somebody who is asked about a whole batch at once."""

    def __init__(self, *answers: object) -> None:
        self.answers = [*answers]
        self.asked: list[tuple[Question, ...]] = []

    def together(self, questions: Sequence[Question]) -> object:
        self.asked.append(tuple(questions))
        return self.answers.pop(0)

    def __call__(self, question: Question) -> Answer:
        raise AssertionError("asked one by one")


def drive_batch(directory: Path, *wanted: tuple[str, object], script: str = "", made: list[str] | None = None, **options: object):
    """Turns of one batch each, of the tools `send` and `other`, which are asked for; `made` gets what was done."""
    done = made if made is not None else []

    def do(name: str) -> Tool:
        def function(text: str) -> str:
            done.append(f"{name} {text}")
            return f"{name} {text}"

        return Tool(name, "Does.", (Parameter("text"),), function, policy="ask", direction="internal")

    hooks = ["on_tool_call"] if script else []
    agent = write_agent(directory / "agent", script, stage(tools=["send", "other"], hooks=hooks))
    return drive_agent(agent, Recorder(calls(*wanted), "done"), tools=[do("send"), do("other")], **options)


SEND = ("send", {"text": "a"})
OTHER = ("other", {"text": "b"})


# --- one prompt -----------------------------------------------------------------------------------------------------------


def test_all_questions_of_a_batch_are_asked_before_any_call_is_made(tmp_path: Path) -> None:
    made: list[str] = []
    asked: list[int] = []

    def approve(question: Question) -> bool:
        asked.append(len(made))
        return True

    drive_batch(tmp_path, SEND, OTHER, made=made, approve=approve)
    assert (asked, made) == ([0, 0], ["send a", "other b"])


def test_who_can_be_asked_for_all_at_once_is_asked_once(tmp_path: Path) -> None:
    person = Together([Answer.ONCE, Answer.DENY])
    driven = drive_batch(tmp_path, SEND, OTHER, approve=person)
    assert [[question.call.name for question in batch] for batch in person.asked] == [["send", "other"]]
    assert [made.approval for made in driven.tools] == ["once", "deny"]
    assert driven.tools[1].result == "[denied] User declined tool call 'other'."


@pytest.mark.parametrize("answers", [[Answer.ONCE], [Answer.ONCE] * 3, True, None, Answer.ONCE, "yes"])
def test_too_few_or_too_many_answers_are_a_no_for_all(tmp_path: Path, answers: object) -> None:
    driven = drive_batch(tmp_path, SEND, OTHER, approve=Together(answers, answers))
    assert [made.approval for made in driven.tools] == ["deny", "deny"]


def test_an_answer_that_is_none_of_the_choices_is_a_no_for_that_call(tmp_path: Path) -> None:
    driven = drive_batch(tmp_path, SEND, OTHER, approve=Together(["yes", True]))
    assert [made.approval for made in driven.tools] == ["deny", "once"]


def test_a_yes_for_the_run_covers_the_other_calls_of_the_tool_in_its_batch(tmp_path: Path) -> None:
    person = Together([Answer.RUN, Answer.DENY])
    driven = drive_batch(tmp_path, SEND, ("send", {"text": "b"}), approve=person)
    assert [made.approval for made in driven.tools] == ["run", "run"]
    assert len(person.asked) == 1


def test_a_call_that_is_refused_anyway_is_not_asked_about(tmp_path: Path) -> None:
    person = Together([Answer.ONCE])
    driven = drive_batch(tmp_path, ("send", {}), ("nope", {}), OTHER, approve=person)
    assert [[question.call.name for question in batch] for batch in person.asked] == [["other"]]
    assert [made.ok for made in driven.tools] == [False, False, True]


def test_two_calls_with_one_id_are_two_questions(tmp_path: Path) -> None:
    agent = write_agent(tmp_path / "agent", "", stage(tools=["send"]))
    same = calls(SEND, SEND)
    twice = type(same)("", (same.tool_calls[0], ToolCall(same.tool_calls[0].id, *SEND)), 0)
    answers = iter([True, False])
    sender = Tool("send", "Sends.", (Parameter("text"),), lambda text: text, direction="internal")
    driven = drive_agent(agent, Recorder(twice, "done"), tools=[sender], approve=lambda question: next(answers))
    assert [made.approval for made in driven.tools] == ["once", "deny"]


# --- on a terminal --------------------------------------------------------------------------------------------------------


def typed(text: str, *questions: Question) -> tuple[tuple[Answer, ...], str]:
    output = io.StringIO()
    return asyncio.run(TerminalApprover(io.StringIO(text), output).together(questions)), output.getvalue()


def question(name: str, kind: str = "policy", answers: tuple[Answer, ...] = tuple(Answer)) -> Question:
    return Question(kind, "main", ToolCall("1", name, {"a": 1}), f"Call {name}?", answers)


def test_one_letter_is_for_all_and_one_for_each_is_for_each() -> None:
    both = (question("send"), question("other"))
    assert typed("o\n", *both)[0] == (Answer.ONCE, Answer.ONCE)
    assert typed("s d\n", *both)[0] == (Answer.STAGE, Answer.DENY)
    assert typed("r,o\n", *both)[0] == (Answer.RUN, Answer.ONCE)


@pytest.mark.parametrize("text", ["", "x\nood\n\n", "ooo\nooo\nooo\noo\n", "yes\nno\nall\n", "o?\no, r!\no.r\n"])
def test_on_a_terminal_whatever_is_no_answer_is_a_no(text: str) -> None:
    assert typed(text, question("send"), question("other"))[0] == (Answer.DENY, Answer.DENY)


def test_a_batch_is_shown_with_all_its_calls_and_the_choices_that_fit_all() -> None:
    taint = question("send", "taint", (Answer.ONCE, Answer.RUN, Answer.DENY))
    answers, said = typed("s\nr\n", taint, question("other"))
    assert answers == (Answer.RUN, Answer.RUN)
    assert "1. Call send?" in said
    assert "2. Call other?" in said
    assert "[s]" not in said


def test_a_batch_of_one_is_asked_as_one_call() -> None:
    answers, said = typed("s\n", question("send"))
    assert answers == (Answer.STAGE,)
    assert "1. " not in said


# --- grants ---------------------------------------------------------------------------------------------------------------


def test_a_yes_for_one_level_of_confidence_is_none_for_another() -> None:
    asked: list[Question] = []
    approvals = Approvals(lambda it: asked.append(it) or Answer.RUN)
    for text in ("Internal-level", "Internal-level", "Private-level"):
        call = ToolCall("1", "send", {})
        leak = Question("taint", "main", call, text, (Answer.ONCE, Answer.RUN, Answer.DENY))
        assert asyncio.run(approvals.ask(leak)) is Answer.RUN
    assert [it.text for it in asked] == ["Internal-level", "Private-level"]


@pytest.mark.parametrize(
    ("own", "agent", "of_the_run"),
    [("ask", None, "allow"), ("allow", "ask", "allow"), ("deny", None, "deny"), ("ask", "deny", "deny")],
)
def test_whoever_starts_the_run_can_allow_what_is_asked_for_but_not_what_is_denied(
    own: str, agent: str | None, of_the_run: str
) -> None:
    blueprint, one = blueprint_with(agent, None)
    assert policy_for(a_tool(policy=own), one, blueprint, {"send"}) == of_the_run
    assert policy_for(a_tool(policy=own), one, blueprint, {"other"}) == policy_for(a_tool(policy=own), one, blueprint)


def test_a_tool_that_the_run_allows_is_not_asked_about(tmp_path: Path) -> None:
    driven = drive_batch(tmp_path, SEND, OTHER, allow=["send"])
    assert [(made.policy, made.ok) for made in driven.tools] == [("allow", True), ("ask", False)]


# --- deny -----------------------------------------------------------------------------------------------------------------


def denying(value: str) -> str:
    return f"fn on_tool_call(ctx) {{ {modify(value)} }}"


def results(driven: Driven) -> list[tuple[str, str, str]]:
    return [(made.name, made.hook, made.result) for made in driven.tools]


def test_a_denied_call_is_not_made_and_the_model_reads_why(tmp_path: Path) -> None:
    made: list[str] = []
    script = denying('[#{ deny: "not on Sundays" }, ctx.tool_calls[1]]')
    driven = drive_batch(tmp_path, SEND, OTHER, script=script, made=made, approve=lambda question: True)
    assert results(driven) == [("send", "denied", "[denied] not on Sundays"), ("other", "allowed", "other b")]
    assert made == ["other b"]
    assert driven.result.status == "complete"
    said = repr(driven.model.requests[1].messages)
    assert said.index("[denied] not on Sundays") < said.index("other b")


def test_a_denied_call_stays_in_the_conversation_as_the_model_made_it(tmp_path: Path) -> None:
    driven = drive_batch(tmp_path, SEND, script=denying('[#{ deny: "no" }]'))
    assert driven.model.saw("ToolCall(id='hook-send-0', name='send', arguments={'text': 'a'})")
    assert driven.model.saw("ToolResult(call_id='hook-send-0', tool='send', text='[denied] no')")


def test_a_denied_call_is_judged_by_nobody(tmp_path: Path) -> None:
    person = Together()
    driven = drive_batch(tmp_path, ("nope", {}), script=denying('[#{ deny: "no" }]'), approve=person)
    (made,) = driven.tools
    assert (made.offered, made.policy, made.approval, person.asked) == (None, None, None, [])


def test_entries_stand_for_the_calls_in_their_places(tmp_path: Path) -> None:
    wanted = (SEND, OTHER, ("send", {"text": "c"}))
    shorter = drive_batch(tmp_path / "a", *wanted, script=denying('[ctx.tool_calls[0], #{ deny: "no" }]'), approve=lambda _: True)
    assert results(shorter) == [
        ("send", "dropped", ""), ("send", "allowed", "send a"), ("other", "denied", "[denied] no"),
    ]  # fmt: skip
    longer = drive_batch(
        tmp_path / "b",
        SEND,
        script=denying('[#{ deny: "no" }, #{ name: "other", arguments: #{ text: "x" } }]'),
        approve=lambda _: True,
    )
    assert results(longer) == [("send", "denied", "[denied] no"), ("other", "added", "other x")]


def test_all_calls_can_be_denied(tmp_path: Path) -> None:
    driven = drive_batch(tmp_path, SEND, OTHER, script=denying("ctx.tool_calls.map(|it| #{ deny: `no ${it.name}` })"))
    assert [made.result for made in driven.tools] == ["[denied] no send", "[denied] no other"]
    assert len(driven.model.requests) == 2


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ('[ctx.tool_calls[0], #{ deny: "no" }]', "entry 1 denies a call that is not there (the model asked for 1): "
         '{"deny":"no"}'),
        ("[#{ deny: true }]", "'deny' must be the reason, a string, got: {\"deny\":true}"),
        ("[#{ deny: () }]", "'deny' must be the reason, a string, got: {\"deny\":null}"),
        ('[#{ deny: "no", name: "send", arguments: #{ text: "a" } }]', "an entry either denies a call or is one, got: "),
        ('[#{ denied: "no" }]', "a replacement call has no 'name': "),
    ],
)  # fmt: skip
def test_an_entry_that_cannot_be_read_fails_the_run(tmp_path: Path, value: str, text: str) -> None:
    made: list[str] = []
    driven = drive_batch(tmp_path, SEND, script=denying(value), made=made, approve=lambda _: True)
    assert driven.result.status == "error"
    assert (driven.result.error or "").startswith(f"on_tool_call: {text}")
    assert made == []


def test_the_hook_says_in_words_what_it_denied(tmp_path: Path) -> None:
    driven = drive_batch(tmp_path, SEND, script=denying('[#{ deny: "no" }]'))
    assert driven.hooks("on_tool_call")[0].changes == ('denied send {"text":"a"}: no',)


def test_a_hook_is_called_once_for_a_batch_however_long_an_approval_takes(tmp_path: Path) -> None:
    async def later(question: Question) -> bool:
        await asyncio.sleep(0.01)
        return True

    script = "fn on_tool_call(ctx) { " + modify("ctx.tool_calls.map(|it| { it.arguments.text += '!'; it })") + " }"
    driven = drive_batch(tmp_path, SEND, OTHER, script=script, approve=later)
    assert len(driven.hooks("on_tool_call")) == 1
    assert [made.result for made in driven.tools] == ["send a!", "other b!"]
