"""The gate: what each layer says of a call, in which order, and what a yes covers."""

import asyncio
from pathlib import Path

import pytest

from stagehooks.gate.approval import Answer, Approvals, Question, approve_all, deny_all, digest
from stagehooks.gate.policy import policy_for
from stagehooks.models.protocol import ToolCall
from stagehooks.tools.levels import Level
from stagehooks.tools.tool import Parameter, Tool
from tests.stagehooks.driving import REGIONS, Recorder, calls, drive, drive_agent, modify, stage, write_agent
from tests.stagehooks.gating import a_tool, blueprint_with

SHELL = ("shell", {"command": "echo hello"})


# --- policy ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("own", ["allow", "ask", "deny"])
@pytest.mark.parametrize("agent", [None, "allow", "ask", "deny"])
@pytest.mark.parametrize("in_stage", [None, "allow", "ask", "deny"])
def test_every_layer_can_tighten_and_none_can_loosen(own: str, agent: str | None, in_stage: str | None) -> None:
    blueprint, one = blueprint_with(agent, in_stage)
    order = ["allow", "ask", "deny"]
    strictest = max((layer for layer in (own, agent, in_stage) if layer), key=order.index)
    assert policy_for(a_tool(policy=own), one, blueprint) == strictest


@pytest.mark.parametrize(
    ("tool", "arguments", "policy"),
    [
        ("read_file", {"path": "x"}, "allow"),
        ("list_files", {}, "allow"),
        ("submit_output", {"content": "x"}, "allow"),
        ("write_file", {"path": "x", "content": "y"}, "ask"),
        ("shell", {"command": "true"}, "ask"),
    ],
)
def test_reads_are_allowed_and_effects_are_asked_for(tmp_path: Path, tool: str, arguments: dict, policy: str) -> None:
    driven = drive(tmp_path, "", calls((tool, arguments)), "done", tools=[tool])
    assert driven.tools[0].policy == policy


def test_a_custom_tool_is_asked_for_unless_it_says_otherwise(tmp_path: Path) -> None:
    tool = Tool("send", "Sends.", (), lambda: "sent")
    agent = write_agent(tmp_path / "agent", "", stage(tools=["send"]))
    (made,) = drive_agent(agent, Recorder(calls(("send", {})), "done"), tools=[tool]).tools
    assert (made.policy, made.approval) == ("ask", "nobody")


def test_denied_is_final_whoever_says_yes(tmp_path: Path) -> None:
    stages = stage(tools=["shell"]) + '[stages.main.tool_permissions]\nshell = "deny"\n'
    driven = drive(tmp_path, "", calls(SHELL), "done", stages=stages, approve=approve_all)
    assert (driven.tools[0].policy, driven.tools[0].approval) == ("deny", None)
    assert driven.tools[0].result == "[denied] Tool 'shell' is not permitted."


def test_an_agent_file_cannot_allow_itself_the_shell(tmp_path: Path) -> None:
    stages = stage(tools=["shell"]) + '[stages.main.tool_permissions]\nshell = "allow"\n'
    driven = drive(tmp_path, "", calls(SHELL), "done", stages=stages)
    assert driven.tools[0].policy == "ask"
    assert driven.tools[0].result == "[denied] Tool 'shell' needs approval, and nobody was there to give it."


def test_who_is_asked_and_says_no_is_told_as_such(tmp_path: Path) -> None:
    driven = drive(tmp_path, "", calls(SHELL), "done", tools=["shell"], approve=deny_all)
    assert driven.tools[0].result == "[denied] User declined tool call 'shell'."
    assert driven.model.saw("[denied] User declined tool call")
    assert driven.result.status == "complete"


def test_a_yes_lets_the_call_pass(tmp_path: Path) -> None:
    driven = drive(tmp_path, "", calls(SHELL), "done", tools=["shell"], approve=approve_all, workdir=tmp_path)
    assert (driven.tools[0].approval, driven.tools[0].ok, driven.tools[0].result) == ("once", True, "hello\n")


# --- offered, arguments ---------------------------------------------------------------------------------------------------


def test_a_tool_that_the_stage_does_not_offer_is_unavailable(tmp_path: Path) -> None:
    driven = drive(tmp_path, "", calls(SHELL), "done", tools=["list_files", "read_file"], approve=approve_all)
    text = "[unavailable] 'shell' is not available in this stage. You may call: list_files, read_file."
    assert driven.tools[0].result == text
    assert (driven.tools[0].offered, driven.tools[0].policy) == (False, None)


def test_a_stage_without_tools_says_so(tmp_path: Path) -> None:
    driven = drive(tmp_path, "", calls(SHELL), "done")
    assert driven.tools[0].result == (
        "[unavailable] 'shell' is not available in this stage, which has no tools at all. "
        "Answer directly instead of calling a tool."
    )


@pytest.mark.parametrize(
    ("arguments", "violation"),
    [
        ({}, 'at /: "path" is a required property'),
        (None, 'at /: "path" is a required property'),
        ({"path": 1}, 'at /path: 1 is not of type "string"'),
        ({"path": "x", "max_lines": True}, 'at /max_lines: true is not of type "integer"'),
        ({"path": "x", "mode": "r"}, 'at /: "mode" is not a parameter of this tool'),
        (["x"], 'at /: ["x"] is not of type "object"'),
    ],
)
def test_arguments_that_do_not_fit_go_back_to_the_model(tmp_path: Path, arguments: object, violation: str) -> None:
    driven = drive(tmp_path, "", calls(("read_file", arguments)), "done", tools=["read_file"])
    assert driven.tools[0].result == f"[error] invalid arguments for 'read_file': {violation}"
    assert (driven.tools[0].schema, driven.tools[0].policy) == ("invalid", None)


def test_all_violations_are_told_at_once(tmp_path: Path) -> None:
    driven = drive(tmp_path, "", calls(("write_file", {"content": 1})), "done", tools=["write_file"])
    assert driven.tools[0].result == (
        "[error] invalid arguments for 'write_file': at /: \"path\" is a required property; "
        'at /content: 1 is not of type "string"'
    )


# --- taint ----------------------------------------------------------------------------------------------------------------

TRACKED = "[security]\ntaint_tracking = true\n"
READ = calls(("read_file", {"path": "secret"}))


def drive_tainted(directory: Path, *, tracked: bool = True, **options: object):
    (directory / "work").mkdir(parents=True)
    (directory / "work" / "secret").write_text("hush")
    top = (TRACKED if tracked else "") + REGIONS
    send = a_tool()
    agent = write_agent(directory / "agent", "", stage(tools=["read_file", "send"]), top=top)
    model = Recorder(calls(("send", {"text": "hello"})), READ, calls(("send", {"text": "hush"})), "done")
    return drive_agent(agent, model, tools=[send], workdir=directory / "work", **options)


def test_nothing_confidential_leaves_by_a_public_channel(tmp_path: Path) -> None:
    before, _, after = drive_tainted(tmp_path).tools
    assert (before.taint, before.ok) == ("clear", True)
    assert (after.taint, after.ok, after.policy) == ("blocked", False, None)
    assert after.result == (
        "[blocked] Tool 'send' would send Internal-level data over a channel cleared only for Public "
        "(tainted by: conversation). Nobody was there to permit it."
    )


def test_without_taint_tracking_nothing_is_measured(tmp_path: Path) -> None:
    assert [made.taint for made in drive_tainted(tmp_path, tracked=False).tools] == ["off"] * 3


def test_a_no_to_the_taint_question_blocks(tmp_path: Path) -> None:
    after = drive_tainted(tmp_path, approve=deny_all).tools[-1]
    assert (
        after.result
        == "[blocked] Tool 'send' would send data at internal sensitivity, above its public clearance. Denied by user."
    )


def test_a_yes_to_the_taint_question_is_recorded_as_a_waiver(tmp_path: Path) -> None:
    after = drive_tainted(tmp_path, approve=approve_all).tools[-1]
    assert (after.taint, after.ok) == ("waived", True)


def test_the_taint_question_offers_once_for_the_run_and_no(tmp_path: Path) -> None:
    asked: list[Question] = []

    def approve(question: Question) -> Answer:
        asked.append(question)
        return Answer.STAGE

    after = drive_tainted(tmp_path, approve=approve).tools[-1]
    assert asked[0].answers == (Answer.ONCE, Answer.RUN, Answer.DENY)
    assert asked[0].text == "Tool 'send' would send Internal-level data over a channel cleared only for Public. Allow it?"
    assert not after.ok  # "for this stage" was not among the answers


def test_a_hook_cannot_launder_what_it_copies(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("hush")
    copied = modify('#{ notes: ctx.regions.conversation.sub_string(0, 20), conversation: "" }')
    agent = write_agent(
        tmp_path / "agent",
        f"fn before_inference(ctx) {{ {copied} }}",
        stage(hooks=["before_inference"], tools=["read_file", "send"]),
        top=TRACKED + REGIONS,
    )
    model = Recorder(READ, calls(("send", {"text": "hush"})), "done")
    after = drive_agent(agent, model, tools=[a_tool()], workdir=tmp_path).tools[-1]
    assert after.taint == "blocked"
    assert "(tainted by: notes)" in after.result


def test_inbound_and_internal_tools_are_not_gated(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("hush")
    agent = write_agent(tmp_path / "agent", "", stage(tools=["read_file", "write_file"]), top=TRACKED + REGIONS)
    model = Recorder(READ, calls(("write_file", {"path": "copy", "content": "hush"})), READ, "done")
    driven = drive_agent(agent, model, workdir=tmp_path, approve=approve_all)
    assert [(made.taint, made.ok) for made in driven.tools] == [("clear", True)] * 3


def test_a_tool_with_more_clearance_may_be_given_more(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("hush")
    agent = write_agent(tmp_path / "agent", "", stage(tools=["read_file", "send"]), top=TRACKED + REGIONS)
    model = Recorder(READ, calls(("send", {"text": "hush"})), "done")
    driven = drive_agent(agent, model, workdir=tmp_path, tools=[a_tool(clearance=Level.INTERNAL)])
    assert driven.tools[-1].ok


def test_taint_follows_what_the_model_says_into_the_next_stage(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("hush")
    stages = stage("one", tools=["read_file"]) + stage("two", tools=["send"])
    agent = write_agent(tmp_path / "agent", "", stages, top=TRACKED + REGIONS.replace("max_items = 20", "max_items = 1"))
    model = Recorder(READ, "it says hush", calls(("send", {"text": "hush"})), "done")
    driven = drive_agent(agent, model, workdir=tmp_path, tools=[a_tool()])
    assert driven.tools[-1].taint == "blocked"


EVERYWHERE = """
[stages.one.tool_routing]
default_region = "notes"
overrides = { read_file = "tool_results" }
[stages.one.transitions.two]
transform = "custom"
transform_config = { clear = ["conversation", "tool_results"] }
"""


@pytest.mark.parametrize(
    "wanted",
    [
        ("list_files", {"path": "hush"}),
        ("list_files", {"path": 7, "hush": True}),
        ("nothing_there", {"text": "hush"}),
        ("echo", {"text": "hush"}),
    ],
)
def test_what_a_result_repeats_of_its_arguments_stays_confidential_in_its_region(tmp_path: Path, wanted: object) -> None:
    (tmp_path / "secret").write_text("hush")
    stages = stage("one", tools=["read_file", "list_files", "echo"]) + EVERYWHERE + stage("two", tools=["send"])
    agent = write_agent(tmp_path / "agent", "", stages, top=TRACKED + REGIONS)
    model = Recorder(READ, calls(wanted), "done", calls(("send", {"text": "hush"})), "done")
    echo = Tool(
        "echo",
        "Repeats.",
        (Parameter("text"),),
        lambda text: text,
        policy="allow",
        direction="internal",
        sensitivity=Level.PUBLIC,
    )
    driven = drive_agent(agent, model, workdir=tmp_path, tools=[a_tool(), echo])
    assert driven.tools[-1].taint == "blocked"


def test_what_went_wrong_in_a_stage_is_as_confidential_as_what_it_held(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("hush")
    edges = '[stages.one.transitions.two]\ncondition = "error"\ntransform = "clear"\n[stages.one.transitions.three]\n'
    stages = stage("one", tools=["read_file"]) + edges + stage("two", tools=["send"]) + stage("three")
    agent = write_agent(tmp_path / "agent", "", stages, top=TRACKED + REGIONS)
    model = Recorder(READ, Exception("the server quotes hush"), calls(("send", {"text": "hush"})), "done", "done")
    driven = drive_agent(agent, model, workdir=tmp_path, tools=[a_tool()])
    assert driven.model.saw("the server quotes hush", turn=2)
    assert driven.tools[-1].taint == "blocked"


# --- approval -------------------------------------------------------------------------------------------------------------


def question(call: ToolCall, kind: str = "policy") -> Question:
    return Question(kind, "main", call, "May it?", tuple(Answer))


def ask(approvals: Approvals, call: ToolCall) -> Answer | None:
    return asyncio.run(approvals.ask(question(call)))


def test_a_fingerprint_is_of_id_name_and_arguments() -> None:
    one = ToolCall("1", "shell", {"command": "ls", "timeout_secs": 1})
    assert digest(one) == digest(ToolCall("1", "shell", {"timeout_secs": 1, "command": "ls"}))
    others = [
        ToolCall("2", "shell", one.arguments),
        ToolCall("1", "sh", one.arguments),
        ToolCall("1", "shell", {"command": "rm"}),
    ]
    assert digest(one) not in {digest(other) for other in others}


def test_once_means_once() -> None:
    asked: list[Question] = []
    approvals = Approvals(lambda it: asked.append(it) or True)
    call = ToolCall("1", "write_file", {})
    assert [ask(approvals, call), ask(approvals, call)] == [Answer.ONCE, Answer.ONCE]
    assert len(asked) == 2


@pytest.mark.parametrize(("answer", "times"), [(Answer.STAGE, 2), (Answer.RUN, 1)])
def test_for_this_stage_and_for_this_run_hold_as_long_as_they_say(answer: Answer, times: int) -> None:
    asked: list[Question] = []
    approvals = Approvals(lambda it: asked.append(it) or answer)
    ask(approvals, ToolCall("1", "write_file", {"path": "a"}))
    ask(approvals, ToolCall("2", "write_file", {"path": "b"}))
    approvals.start_stage()
    ask(approvals, ToolCall("3", "write_file", {"path": "c"}))
    assert len(asked) == times


def test_a_yes_for_a_stage_ends_with_that_stage(tmp_path: Path) -> None:
    asked: list[str] = []

    def approve(it: Question) -> Answer:
        asked.append(it.stage)
        return Answer.STAGE

    write = ("write_file", {"path": "x", "content": "y"})
    stages = stage("one", tools=["write_file"]) + stage("two", tools=["write_file"])
    driven = drive(tmp_path, "", calls(write), calls(write), "one", calls(write), "two", stages=stages, approve=approve)
    assert asked == ["one", "two"]
    assert [made.approval for made in driven.tools] == ["stage"] * 3


def test_a_yes_for_one_command_says_nothing_of_another() -> None:
    asked: list[Question] = []
    approvals = Approvals(lambda it: asked.append(it) or Answer.RUN)
    for command in ("ls", "ls; rm -rf .", "ls"):
        ask(approvals, ToolCall("1", "shell", {"command": command}))
    assert len(asked) == 2


def test_a_no_is_never_remembered_as_a_yes() -> None:
    answers = iter([Answer.DENY, Answer.ONCE])
    approvals = Approvals(lambda _: next(answers))
    call = ToolCall("1", "write_file", {})
    assert [ask(approvals, call), ask(approvals, call)] == [Answer.DENY, Answer.ONCE]


@pytest.mark.parametrize("nonsense", [False, None, "yes", 1])
def test_whatever_is_not_a_yes_is_a_no(nonsense: object) -> None:
    assert ask(Approvals(lambda _: nonsense), ToolCall("1", "write_file", {})) is Answer.DENY


def test_without_anybody_to_ask_there_is_no_answer() -> None:
    assert ask(Approvals(None), ToolCall("1", "write_file", {})) is None


def test_an_approver_may_take_its_time(tmp_path: Path) -> None:
    async def approve(_: Question) -> bool:
        await asyncio.sleep(0)
        return True

    driven = drive(tmp_path, "", calls(SHELL), "done", tools=["shell"], approve=approve, workdir=tmp_path)
    assert driven.tools[0].ok


def test_each_call_of_a_batch_is_asked_for_by_itself_and_the_hook_is_not_run_again(tmp_path: Path) -> None:
    asked: list[ToolCall] = []

    def approve(it: Question) -> bool:
        asked.append(it.call)
        return "one" in str(it.call.arguments)

    script = "fn on_tool_call(ctx) { " + modify("ctx.tool_calls") + " }"
    batch = calls(("shell", {"command": "echo one"}), ("shell", {"command": "echo two"}))
    driven = drive(tmp_path, script, batch, "done", tools=["shell"], approve=approve, workdir=tmp_path)
    assert [call.id for call in asked] == ["hook-shell-0", "hook-shell-1"]
    assert [made.ok for made in driven.tools] == [True, False]
    assert len(driven.hooks("on_tool_call")) == 1


def test_a_call_that_is_changed_while_it_is_asked_about_is_not_made(tmp_path: Path) -> None:
    def approve(it: Question) -> bool:
        it.call.arguments["command"] = "echo changed"
        return True

    driven = drive(tmp_path, "", calls(SHELL), "done", tools=["shell"], approve=approve)
    assert (driven.tools[0].ok, driven.tools[0].result) == (False, "[denied] The call was changed after it was judged.")
