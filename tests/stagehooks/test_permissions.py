"""What an agent file says of policies, taint and sandboxes: it can only tighten, and nothing misspelt passes in silence."""

import pytest

from stagehooks.agent.blueprint import Permission
from tests.stagehooks.reading import blueprint, error, findings_of


def test_permissions_are_read_in_any_case():
    read = blueprint('[tool_permissions]\nshell = "Deny"\n[stages.main.tool_permissions]\nwrite_file = "ask"')
    assert read.tool_permissions.entries == (Permission("shell", "deny"),)
    assert read.stages[0].tool_permissions.policy("write_file") == "ask"
    assert read.stages[0].tool_permissions.policy("shell") is None


@pytest.mark.parametrize(("bash", "shell"), [("deny", "allow"), ("ask", "deny"), ("deny", "deny")])
def test_bash_is_another_name_of_the_shell_and_the_stricter_policy_counts(bash: str, shell: str):
    read = blueprint(f'[tool_permissions]\nbash = "{bash}"\nshell = "{shell}"\n[stages.main]\navailable_tools = ["shell"]')
    assert read.tool_permissions.entries == (Permission("shell", "deny"),)
    assert blueprint(f'[tool_permissions]\nbash = "{bash}"').tool_permissions.policy("shell") == bash


def test_a_policy_for_a_tool_that_nobody_can_call_is_warned_of():
    (found,) = findings_of('[tool_permissions]\nshel = "deny"\n[stages.main]\navailable_tools = ["shell"]', "warning")
    assert (found.text, found.fix) == (
        "tool_permissions: there is a policy for 'shel', which no stage offers",
        "did you mean 'shell'?",
    )
    assert found.line == 4
    own = '[stages.main.tool_permissions]\npost = "deny"\n[stages.other]\navailable_tools = ["post"]'
    (found,) = findings_of(own, "warning")
    assert found.text == "stage 'main': tool_permissions: there is a policy for 'post', which the stage does not offer"


@pytest.mark.parametrize(
    "text",
    [
        '[tool_permissions]\nread_file = "ask"',
        '[tool_permissions]\npost = "ask"\n[stages.main]\navailable_tools = ["post"]',
        '[tool_permissions]\npost = "ask"\n[context.regions.r]\nseed = { tool = "post" }\n[stages.main]',
    ],
)
def test_a_policy_for_what_can_be_called_is_not_warned_of(text: str):
    assert findings_of(text, "warning") == []


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


@pytest.mark.parametrize("security", ["taint_tracking = 1", 'taint_tracking = "no"', "taint_trackin = true"])
def test_what_is_wrong_with_the_table_of_a_stage_is_said_where_the_agent_tracks_taint_too(security: str):
    text = f"[stages.main]\n[stages.main.security]\n{security}"
    assert error(text).text == error(f"[security]\ntaint_tracking = true\n{text}").text


@pytest.mark.parametrize("sandbox", ['kind = "container"', 'kind = ""', 'image = "x"', 'kindd = "none"', 'kind = "None"'])
@pytest.mark.parametrize("table", ["sandbox", "stages.main.sandbox"])
def test_an_agent_that_asks_for_a_sandbox_is_not_run_without_one(table: str, sandbox: str):
    assert "not run without it" in error(f"[{table}]\n{sandbox}").text


def test_an_agent_that_asks_for_no_sandbox_has_none():
    assert findings_of('[sandbox]\nkind = "none"\nmemory = 3\n[stages.main]', "error") == []
    assert findings_of("[sandbox]\n[stages.main]", "error") == []
