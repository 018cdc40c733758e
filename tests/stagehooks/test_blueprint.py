"""Reading an agent file: what it means."""

import pytest

from stagehooks.agent.blueprint import CallerSeed, Candidate, LiteralSeed, Transition
from stagehooks.agent.reader import read_blueprint
from stagehooks.scripts.outcome import HOOK_NAMES
from tests.stagehooks.reading import AGENT, blueprint, error, findings_of

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


# --- models, nudges -------------------------------------------------------------------------------------------------------


def test_models_are_candidates_in_order():
    model = blueprint('[stages.main.model]\nmodels = [{ provider = "a", model = "b" }, { provider = "c" }]').stages[0].model
    assert model.candidates == (Candidate("a", "b"), Candidate("c", ""))


def test_the_older_form_of_a_model_is_read_too():
    text = '[stages.main.model]\nprovider = "a"\nmodel = "b"\nfallbacks = [{ provider = "c", model = "d" }]'
    assert blueprint(text).stages[0].model.candidates == (Candidate("a", "b"), Candidate("c", "d"))


def test_fallbacks_alone_stand_behind_the_offline_model():
    models = blueprint('[stages.main.model]\nfallbacks = [{ provider = "openai", model = "x" }]').entry.model
    assert models.candidates == (Candidate("scripted", ""), Candidate("openai", "x"))


def test_a_model_without_a_provider_is_the_offline_one():
    assert blueprint('[stages.main.model]\nmodel = "other.toml"').entry.model.candidates == (Candidate("scripted", "other.toml"),)


def test_a_list_of_models_names_at_least_one():
    assert error("[stages.main.model]\nmodels = []").text == "stage 'main': model: 'models' names no model"


@pytest.mark.parametrize("key", ['provider = "openai"', 'model = "x"', 'fallbacks = [{ provider = "openai", model = "x" }]'])
def test_what_stands_beside_a_list_of_models_is_warned_of(key: str):
    (found,) = findings_of(f'[stages.main.model]\nmodels = [{{ provider = "scripted" }}]\n{key}', "warning")
    assert found.text == f"stage 'main': model: '{key.split()[0]}' beside 'models' is ignored"
    assert found.line == 5


def test_parameters_of_a_model_are_split_into_known_and_passed_on():
    text = "[stages.main.model.parameters]\ntemperature = 0\nmax_output_tokens = 9\nreasoning = { effort = 'low' }"
    model = blueprint(text).stages[0].model
    assert (model.temperature, model.max_output_tokens) == (0.0, 9)
    assert model.extra == (("reasoning", {"effort": "low"}),)


def test_a_stage_overrides_the_nudge_of_the_agent_key_by_key():
    text = '[agent.nudge]\nmax = 5\ntext = "Go on."\n[stages.main.nudge]\nmax = 1\n'
    nudge = blueprint(text).stages[0].nudge
    assert (nudge.enabled, nudge.max, nudge.text) == (True, 1, "Go on.")


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


@pytest.mark.parametrize("name", ["", " ", "a\\nb", "\\u001b[31m", "a\\u202eb", "\\u200b"])
@pytest.mark.parametrize(("table", "what"), [("[stages]", "a stage"), ("[context]: regions", "a region")])
def test_a_name_that_cannot_be_seen_is_refused(table: str, what: str, name: str):
    path = "stages" if what == "a stage" else "context.regions"
    found = findings_of(f'[{path}."{name}"]', "error")[0]
    assert found.text.startswith(f"{table}: the name of {what} is made of characters that can be seen, got: ")
    assert found.line == 3


def test_a_stage_cannot_be_called_as_the_answer_that_ends_the_run():
    text = "[stages.a]\nallow_complete = {}\n[stages.a.transitions.DONE]\n[stages.DONE]"
    assert "the answer DONE says that it does, and cannot name a stage" in error(text.format("true")).text
    assert blueprint(text.format("false")).stage("DONE")


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
