"""The gate where something beside it fails, whoever approves or a tool that a program brings along: nothing passes."""

from pathlib import Path

import pytest

from stagehooks.errors import SpawnError
from stagehooks.gate.approval import Answer, Question
from stagehooks.run.interaction import Interaction
from stagehooks.tools.levels import Level
from stagehooks.tools.tool import Parameter, Tool
from tests.stagehooks.driving import REGIONS, Driven, Recorder, calls, drive, drive_agent, stage, write_agent

SHELL = ("shell", {"command": "echo hello"})


# --- whoever approves -----------------------------------------------------------------------------------------------------


def fails(question: Question) -> Answer:
    raise OSError("the line is dead")


async def fails_later(question: Question) -> Answer:
    raise OSError("the line is dead")


class Together:
    """Asked for all at once, and no good at it."""

    def __call__(self, question: Question) -> Answer:
        return Answer.ONCE

    async def together(self, questions: object) -> object:
        raise OSError("the line is dead")


@pytest.mark.parametrize("approve", [fails, fails_later, Together()])
def test_an_approver_that_fails_ends_the_run_with_its_reason(tmp_path: Path, approve: object) -> None:
    script = "fn on_error(ctx) { #{ action: `modify`, value: `seen: ${ctx.error}` } }"
    driven = drive(tmp_path, script, calls(SHELL), "done", tools=["shell"], approve=approve)
    assert (driven.result.status, driven.result.error) == ("error", "seen: whoever approves failed: OSError: the line is dead")
    assert driven.tools == []


def test_what_cannot_be_asked_approves_nothing(tmp_path: Path) -> None:
    driven = drive(tmp_path, "", calls(SHELL), "done", tools=["shell"], approve="yes")
    assert driven.result.error == "whoever approves failed: TypeError: 'str' object is not callable"


def at_a_point(directory: Path, answer: object) -> Driven:
    def interact(asked: Interaction) -> object:
        if isinstance(answer, Exception):
            raise answer
        return answer

    point = '[[stages.main.interaction_points]]\nname = "look"\nprompt = "Good?"\nstyle = "confirm"\n'
    return drive(directory, "", *["done"] * 9, stages=stage(more="max_iterations = 9") + point, interact=interact)


def test_a_person_who_cannot_be_asked_ends_the_run_with_the_reason(tmp_path: Path) -> None:
    driven = at_a_point(tmp_path, OSError("the line is dead"))
    assert driven.result.error == "whoever is asked at 'look' failed: OSError: the line is dead"


@pytest.mark.parametrize("answer", [1, object(), ["yes"], {"answer": "no"}, 0.1])
def test_what_is_no_yes_confirms_nothing(tmp_path: Path, answer: object) -> None:
    assert at_a_point(tmp_path, answer).result.status == "error"


def test_a_yes_confirms(tmp_path: Path) -> None:
    assert at_a_point(tmp_path / "a", True).result.status == "complete"
    assert at_a_point(tmp_path / "b", "Yes").result.status == "complete"


# --- tools of a program ---------------------------------------------------------------------------------------------------


def own(name: object = "own", parameters: tuple[Parameter, ...] = (), **more: object) -> Tool:
    return Tool(name, "Does it.", parameters, more.pop("function", lambda **given: "done"), **{"policy": "allow", **more})


@pytest.mark.parametrize(
    ("tool", "says"),
    [
        (own("a b"), "a tool cannot be called 'a b': a name has up to 64 letters, digits, '_' and '-'"),
        (own(""), "a tool cannot be called ''"),
        (own(7), "a tool cannot be called 7"),
        (own("x" * 65), "a tool cannot be called 'xxx"),
        (own(policy="Allow"), "tool 'own': its policy is 'Allow', none of allow, ask, deny"),
        (own(direction="Outbound"), "tool 'own': its direction is 'Outbound', none of inbound, internal, outbound"),
        (own(effect=None), "tool 'own': its effect is None, none of run, repeatable, outside"),
        (own(clearance=2), "tool 'own': its clearance is no Level"),
        (own(sensitivity="private"), "tool 'own': its sensitivity is no Level"),
        (own(target="url"), "tool 'own': its target is 'url', which is none of its parameters"),
        (own(function="print"), "tool 'own': its function cannot be called"),
        (own(parameters=(Parameter("a"), Parameter("a", "integer"))), "tool 'own': parameter 'a' stands there twice"),
        (own(parameters=(Parameter("\u00e9"),)), "tool 'own': a parameter cannot be called '\u00e9'"),
        (own(parameters=(Parameter(""),)), "tool 'own': a parameter cannot be called ''"),
        (own(parameters=(Parameter("a", "int"),)), "tool 'own': parameter 'a' is of the type 'int', none of string, integer"),
        (own(parameters=(Parameter("a", schema={"pattern": "("}),)), "the schema of 'a': at /pattern: must be a regular"),
        (own(parameters=(Parameter("a", schema={"maxLenght": 3}),)), "the schema of 'a': at /: 'maxLenght' is no keyword"),
        (print, "builtin_function_or_method is no Tool; see stagehooks.tool for a function"),
    ],
)
def test_a_tool_that_no_layer_would_understand_is_refused_before_anything_runs(tmp_path: Path, tool: Tool, says: str) -> None:
    agent = write_agent(tmp_path, "", stage())
    with pytest.raises(SpawnError) as error:
        drive_agent(agent, Recorder("done"), tools=[tool])
    assert says in error.value.message


def test_a_tool_with_everything_is_sound(tmp_path: Path) -> None:
    parameters = (Parameter("url", "string", "Where to.", schema={"maxLength": 9}), Parameter("n", "integer", required=False))
    tool = own(parameters=parameters, direction="outbound", clearance=Level.PRIVATE, effect="repeatable", target="url")
    agent = write_agent(tmp_path, "", stage(tools=["own"]), top="[security]\ntaint_tracking = true\n" + REGIONS)
    driven = drive_agent(agent, Recorder(calls(("own", {"url": "https://x"})), "done"), tools=[tool])
    assert [made.ok for made in driven.tools] == [True]


def test_a_tool_of_the_original_with_another_name_is_told_and_not_renamed(tmp_path: Path) -> None:
    agent = write_agent(tmp_path, "", stage(tools=["bash"]))
    with pytest.raises(SpawnError) as error:
        drive_agent(agent, Recorder("done"))
    assert error.value.hint.startswith("it is called 'shell' here")
