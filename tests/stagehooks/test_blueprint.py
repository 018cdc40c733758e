"""Reading an agent file: what it means, and what is said of one that is wrong."""

import time
from contextlib import suppress

import pytest

from stagehooks.agent.blueprint import CallerSeed, Candidate, LiteralSeed, Permission, Transition
from stagehooks.agent.findings import Finding
from stagehooks.agent.lines import lines_of
from stagehooks.agent.reader import read_blueprint
from stagehooks.errors import BlueprintError
from stagehooks.scripts.outcome import HOOK_NAMES

AGENT = '[agent]\nname = "planner"\n'


def blueprint(text: str):
    read, findings = read_blueprint("agent.toml", (AGENT + text).encode())
    assert [finding.text for finding in findings if finding.severity == "error"] == []
    return read


def findings_of(text: str, severity: str) -> list[Finding]:
    return [finding for finding in read_blueprint("agent.toml", (AGENT + text).encode())[1] if finding.severity == severity]


def error(text: str) -> Finding:
    errors = findings_of(text, "error")
    assert len(errors) == 1, errors
    return errors[0]


# --- hooks ----------------------------------------------------------------------------------------------------------------


def test_a_stage_without_a_hooks_table_declares_nothing():
    hooks = blueprint("[stages.main]").stages[0].hooks
    assert not hooks
    assert hooks.declared() == ()


def test_all_seven_hooks_are_read_and_declared_in_their_fixed_order():
    table = "".join(f'{name} = "{name}.rhai"\n' for name in reversed(HOOK_NAMES))
    hooks = blueprint(f"[stages.main.hooks]\n{table}").stages[0].hooks
    assert hooks.declared() == HOOK_NAMES
    assert [hooks.path(name) for name in HOOK_NAMES] == [f"{name}.rhai" for name in HOOK_NAMES]


@pytest.mark.parametrize("name", HOOK_NAMES)
def test_any_single_hook_makes_a_stage_hooked(name: str):
    hooks = blueprint(f'[stages.main.hooks]\n{name} = "h.rhai"').stages[0].hooks
    assert hooks
    assert hooks.declared() == (name,)


def test_one_file_may_back_several_hooks():
    hooks = blueprint('[stages.main.hooks]\non_error = "h.rhai"\non_completion = "h.rhai"').stages[0].hooks
    assert hooks.path("on_error") == hooks.path("on_completion") == "h.rhai"


def test_an_unknown_hook_is_refused_and_the_real_ones_are_listed():
    found = error('[stages.main.hooks]\non_stage_exti = "h.rhai"')
    assert found.text == (
        "stage 'main': unknown hook 'on_stage_exti' (this build implements: on_stage_enter, on_stage_exit, before_inference, "
        "after_inference, on_tool_call, on_completion, on_error)"
    )
    assert found.fix == "did you mean 'on_stage_exit'?"
    assert found.where == "agent.toml:4"


@pytest.mark.parametrize(("value", "shown"), [("42", "42"), ("true", "true"), ('["a"]', '["a"]'), ("{ a = 1 }", '{"a":1}')])
def test_a_hook_that_is_no_text_is_refused(value: str, shown: str):
    found = error(f"[stages.main.hooks]\non_error = {value}")
    assert found.text == f"stage 'main': hook 'on_error' must be a path to a .rhai file, got: {shown}"


def test_a_hooks_entry_that_is_no_table_is_refused():
    assert error('[stages.main]\nhooks = "guard.rhai"').text == "stage 'main': 'hooks' must be a table, got: \"guard.rhai\""


# --- stages ---------------------------------------------------------------------------------------------------------------


def test_stages_keep_the_order_of_the_file_and_follow_each_other():
    read = blueprint("[stages.z]\n[stages.a]\n[stages.m]")
    assert [stage.name for stage in read.stages] == ["z", "a", "m"]
    assert [stage.index for stage in read.stages] == [0, 1, 2]
    assert [stage.transitions for stage in read.stages] == [(Transition("a"),), (Transition("m"),), ()]
    assert read.linear
    assert read.entry_stage == "z"


def test_an_agent_without_stages_has_one_called_main():
    read = blueprint("")
    assert [stage.name for stage in read.stages] == ["main"]
    assert [region.name for region in read.stages[0].regions] == ["system", "conversation"]


def test_the_entry_stage_is_honoured():
    text = AGENT + 'entry_stage = "b"\n[stages.a]\n[stages.b.transitions.a]\n'
    read, _ = read_blueprint("agent.toml", text.encode())
    assert read.entry.name == "b"


def test_defaults_are_filled_in():
    stage = blueprint("[stages.main]").stages[0]
    assert (stage.max_iterations, stage.max_revisits, stage.allow_complete, stage.require_output) == (50, None, False, False)
    assert stage.nudge.enabled
    assert stage.nudge.max == 3
    assert stage.model.candidates == ()


def test_prompts_are_trimmed():
    assert blueprint('[stages.main]\nsystem_prompt = """\n  Do it.\n"""').stages[0].system_prompt == "Do it."


def test_the_mode_output_offers_and_requires_the_answer_and_may_complete():
    stage = blueprint('[stages.main]\nmode = "output"\navailable_tools = ["read_file"]').stages[0]
    assert stage.available_tools == ("read_file", "submit_output")
    assert stage.require_output
    assert stage.allow_complete


def test_the_mode_output_leaves_a_written_allow_complete_alone():
    assert not blueprint('[stages.main]\nmode = "output"\nallow_complete = false').stages[0].allow_complete


def test_an_unknown_mode_is_refused():
    assert error('[stages.main]\nmode = "outputt"').text == (
        "stage 'main': unknown mode \"outputt\" (valid modes: autonomous, interactive, interactive_points, fan_out, output)"
    )


def test_a_mode_of_the_original_that_is_not_here_is_refused_as_such():
    assert "not supported in this version" in error('[stages.main]\nmode = "fan_out"').text


def test_a_required_tool_must_be_available():
    assert error('[stages.main]\nrequired_tools = ["shell"]').text == (
        "Invalid stage 'main': required_tools entry 'shell' is not in available_tools - a tool the stage cannot call can't be "
        "kept through an unattended run"
    )


def test_a_required_output_needs_the_tool_to_submit_it():
    assert error("[stages.main]\nrequire_output = true").text == (
        "Invalid stage 'main': require_output is set but 'submit_output' is not in available_tools - the stage cannot produce "
        "the output it is required to produce"
    )


def test_a_list_of_tools_holds_texts_only():
    assert error('[stages.main]\navailable_tools = ["shell", 3]').text == (
        "stage 'main': 'available_tools' must be a list of texts, got: [\"shell\",3]"
    )


# --- models, nudges, permissions, security --------------------------------------------------------------------------------


def test_models_are_candidates_in_order():
    model = blueprint('[stages.main.model]\nmodels = [{ provider = "a", model = "b" }, { provider = "c" }]').stages[0].model
    assert model.candidates == (Candidate("a", "b"), Candidate("c", ""))


def test_the_older_form_of_a_model_is_read_too():
    text = '[stages.main.model]\nprovider = "a"\nmodel = "b"\nfallbacks = [{ provider = "c", model = "d" }]'
    assert blueprint(text).stages[0].model.candidates == (Candidate("a", "b"), Candidate("c", "d"))


def test_parameters_of_a_model_are_split_into_known_and_passed_on():
    text = "[stages.main.model.parameters]\ntemperature = 0\nmax_output_tokens = 9\nreasoning = { effort = 'low' }"
    model = blueprint(text).stages[0].model
    assert (model.temperature, model.max_output_tokens) == (0.0, 9)
    assert model.extra == (("reasoning", {"effort": "low"}),)


def test_a_stage_overrides_the_nudge_of_the_agent_key_by_key():
    text = '[agent.nudge]\nmax = 5\ntext = "Go on."\n[stages.main.nudge]\nmax = 1\n'
    nudge = blueprint(text).stages[0].nudge
    assert (nudge.enabled, nudge.max, nudge.text) == (True, 1, "Go on.")


def test_permissions_are_read_in_any_case():
    read = blueprint('[tool_permissions]\nshell = "Deny"\n[stages.main.tool_permissions]\nwrite_file = "ask"')
    assert read.tool_permissions.entries == (Permission("shell", "deny"),)
    assert read.stages[0].tool_permissions.policy("write_file") == "ask"
    assert read.stages[0].tool_permissions.policy("shell") is None


def test_a_policy_that_is_none_is_refused():
    found = error('[stages.main.tool_permissions]\nshell = "denied"')
    assert found.text == "stage 'main': tool_permissions.shell = \"denied\" is not a policy (valid: allow, ask, deny)"
    assert found.fix == "did you mean 'deny'?"


@pytest.mark.parametrize(
    ("text", "tracked"),
    [
        ("[stages.main]", False),
        ("[security]\ntaint_tracking = true\n[stages.main]", True),
        ("[stages.main.security]\ntaint_tracking = true", True),
        ("[security]\ntaint_tracking = true\n[stages.main.security]\ntaint_tracking = false", True),
    ],
)
def test_taint_tracking_can_only_be_turned_on(text: str, tracked: bool):
    assert blueprint(text).stages[0].taint_tracking is tracked


def test_an_agent_that_asks_for_a_sandbox_is_not_run_without_one():
    assert "not run without it" in error('[sandbox]\nkind = "container"\n[stages.main]').text
    assert findings_of('[sandbox]\nkind = "none"\n[stages.main]', "error") == []


# --- regions --------------------------------------------------------------------------------------------------------------


def test_a_stage_has_the_regions_of_the_agent_unless_it_declares_its_own():
    read = blueprint("[context.regions.notes]\n[stages.a]\n[stages.b.context.regions.plan]")
    assert [[region.name for region in stage.regions] for stage in read.stages] == [["notes"], ["plan"]]


def test_regions_are_read_with_their_defaults():
    region = blueprint("[context.regions.notes]").regions[0]
    assert (region.kind, region.max_tokens, region.max_items, region.admission) == ("temporary", 5000, 10, "evict")


def test_the_forms_of_a_seed():
    text = """
[context.regions.task]
[context.regions.one]
seed = "task_input"
[context.regions.two]
seed = { literal = "text" }
[context.regions.three]
seed = "input"
[context.regions.four]
seed = { caller = "key" }
[context.regions.five]
"""
    seeds = [region.seed for region in blueprint(text).regions]
    assert seeds == [CallerSeed("task"), CallerSeed("task"), LiteralSeed("text"), CallerSeed("three"), CallerSeed("key"), None]


def test_a_seed_that_the_command_line_cannot_give_is_a_warning():
    assert [found.code for found in findings_of('[context.regions.x]\nseed = "input"', "warning")] == ["region-seed-not-given"]


def test_an_unknown_kind_of_region_is_refused():
    assert error('[context.regions.x]\nkind = "pined"').text == (
        "region 'x': unknown kind \"pined\" (valid kinds: pinned, sliding_window, temporary, compacting, clearable, "
        "compact_history, checklist, hashmap, custom)"
    )


def test_a_custom_region_without_a_script_is_refused():
    for script in ("", 'script = " "'):
        found = error(f'[context.regions.x]\nkind = "custom"\n{script}')
        assert found.text == 'region \'x\': kind = "custom" requires script = "<path>.rhai"'


@pytest.mark.parametrize("value", ["0", "-1", "1.5", '"9"', "true", "9223372036854775807"])
def test_a_budget_is_a_positive_whole_number(value: str):
    assert "'max_tokens' must be a whole number, 1 or more" in error(f"[context.regions.x]\nmax_tokens = {value}").text


def test_pinned_regions_of_a_large_layout_must_leave_room():
    assert "Invalid layout" in error('[context.regions.x]\nkind = "pinned"\nmax_tokens = 20000\n[stages.a]\n[stages.b]').text


# --- edges ----------------------------------------------------------------------------------------------------------------


def test_edges_are_read_in_the_order_of_the_file():
    text = """
[stages.a.transitions.c]
condition = "llm_choice"
hint = " when done "
[stages.a.transitions.b]
transform = "clear"
[stages.b]
[stages.b.transitions]
[stages.c]
[stages.c.transitions]
"""
    read = blueprint(text)
    assert read.stages[0].transitions == (Transition("c", "llm_choice", "when done"), Transition("b", "always", "", "clear"))
    assert read.stages[1].transitions == ()
    assert not read.linear


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[stages.a.transitions.b]", "Invalid transition from 'a' to 'b': target stage does not exist"),
        ("[stages.a]\n[stages.a.transitions.a]\n[stages.b]",
            "Invalid transition from 'a' to 'a': self-loop transition requires max_revisits"),
        (
            "[stages.a.transitions.b]\n[stages.b.transitions.a]",
            "Invalid graph: no terminal path exists from entry stage - agent would never complete",
        ),
        (
            '[stages.a.transitions.b]\ncondition = "sometimes"\n[stages.b]',
            "transition to 'b' has unknown condition 'sometimes' (valid: always, error, max_iterations, llm_choice, "
            "stuck, dead_end)",
        ),
        (
            '[stages.a.transitions.b]\ntransform = "wipe"\n[stages.b]',
            "transition to 'b' has unknown transform 'wipe' (valid: direct, clear, compact, summarize, custom)",
        ),
    ],
)  # fmt: skip
def test_a_graph_that_does_not_work_is_refused(text: str, message: str):
    assert message in [found.text for found in findings_of(text, "error")]


def test_an_entry_stage_that_does_not_exist_is_refused():
    _, findings = read_blueprint("agent.toml", (AGENT + 'entry_stage = "plna"\n[stages.plan]').encode())
    assert findings[0].text == "Invalid graph: entry_stage 'plna' does not match any defined stage"
    assert findings[0].fix == "did you mean 'plan'?"
    assert findings[0].line == 3


def test_a_stage_that_cannot_be_reached_is_a_warning():
    found = findings_of("[stages.a.transitions]\n[stages.b]", "warning")
    assert [(finding.code, finding.line) for finding in found] == [("unreachable-stage", 4)]


ROUND = "[stages.a.transitions.b]\n[stages.b]\nallow_complete = true\n[stages.b.transitions.a]"


def test_a_loop_that_nothing_counts_is_a_warning():
    found = findings_of(ROUND, "warning")
    assert [(finding.code, finding.line) for finding in found] == [("endless-loop", 3), ("endless-loop", 4)]
    assert found[0].fix == "set max_revisits in [stages.a]"


def test_a_loop_with_one_stage_that_counts_is_none():
    assert findings_of(ROUND.replace("allow_complete", "max_revisits = 2\nallow_complete"), "warning") == []


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
            "agent.toml: Failed to parse agent.toml: a number is too long, or tables are nested too deeply",
        ),
    ],
)
def test_a_file_that_is_no_agent_file_is_one_clear_error(data: bytes, message: str):
    start = time.perf_counter()
    with pytest.raises(BlueprintError) as caught:
        read_blueprint("agent.toml", data)
    assert caught.value.message.startswith(message)
    assert time.perf_counter() - start < 1.0


@pytest.mark.parametrize("part", ['"""\\"', '"', "'''", "[", "a.", "a=[", "{", "\\", "'\n", '"\\\n', "[[a]]\n", "=", "x=1\n"])
def test_reading_any_file_of_the_largest_size_takes_little_time(part: str):
    data = (part * 65536)[:65536].encode()
    start = time.perf_counter()
    with suppress(BlueprintError):
        read_blueprint("agent.toml", data)
    assert time.perf_counter() - start < 2.0


def test_values_that_only_toml_knows_are_refused_where_plain_data_is_asked_for():
    assert "must be plain data" in error("[stages.main.model.parameters]\nsince = 2024-01-01").text
    assert "must be plain data" in error("[stages.main.model.parameters]\nlarge = 1e999").text
