"""What may let confidential data pass: the allow-list of policy.toml, then the rules, and neither what a policy denies."""

from pathlib import Path

import pytest

from stagehooks.agent.allowlist import AllowEntry, fits
from stagehooks.agent.spawn import load
from stagehooks.check import check
from stagehooks.errors import BlueprintError, ExecutionError, SpawnError
from stagehooks.gate.passes import target_of
from stagehooks.models.protocol import ToolCall
from stagehooks.run.events import ToolCalled, Warned
from stagehooks.scripts.rule import compile_rule, permits
from stagehooks.tools.tool import Parameter, Tool
from tests.stagehooks.driving import REGIONS, Driven, Recorder, calls, drive_agent, stage, write_agent

TRACKED = "[security]\ntaint_tracking = true\n"
YES = "true"
TO_US = 'context.target.starts_with("https://us/")'


def tool(*names: str, target: str = "") -> Tool:
    return Tool("send", "Sends.", tuple(Parameter(name) for name in names), lambda **given: "sent", policy="allow", target=target)


def drive_leak(
    directory: Path,
    rules: dict[str, str] | None = None,
    policy: str = "",
    url: str = "https://us/x",
    stages: str = "",
    **options: object,
) -> Driven:
    """An agent that has read something internal calls `send` with `url`; nobody is asked unless `options` say so."""
    agent = directory / "agent"
    for name, source in (rules or {}).items():
        (agent / "rules").mkdir(parents=True, exist_ok=True)
        (agent / "rules" / f"{name}.rhai").write_text(source)
    write_agent(agent, "", stage(tools=["read_file", "send"]) + stages, top=TRACKED + REGIONS)
    if policy:
        (agent / "policy.toml").write_text(policy)
    (directory / "work").mkdir(exist_ok=True)
    (directory / "work" / "secret").write_text("hush")
    model = Recorder(calls(("read_file", {"path": "secret"})), calls(("send", {"url": url})), "done")
    return drive_agent(load(agent), model, tools=[tool("url")], workdir=directory / "work", **options)


def sent(driven: Driven) -> ToolCalled:
    return driven.tools[1]


# --- rules ----------------------------------------------------------------------------------------------------------------


def test_without_a_rule_the_gate_blocks(tmp_path: Path) -> None:
    made = sent(drive_leak(tmp_path))
    assert (made.taint, made.ok) == ("blocked", False)
    assert made.result.startswith("[blocked] Tool 'send' would send Internal-level data")


def test_a_rule_that_is_true_lets_the_call_pass_and_is_named(tmp_path: Path) -> None:
    made = sent(drive_leak(tmp_path, {"ours": TO_US}))
    assert (made.taint, made.ok, made.result) == ("rule ours", True, "sent")


def test_a_rule_is_given_the_tool_the_target_and_the_level(tmp_path: Path) -> None:
    source = 'context == #{ tool: "send", target: "https://us/x", taint_level: "internal" }'
    assert sent(drive_leak(tmp_path, {"all": source})).taint == "rule all"


def test_a_rule_may_define_functions_and_call_them_last(tmp_path: Path) -> None:
    source = 'fn check(context) { context.tool == "send" }\ncheck(context)'
    assert sent(drive_leak(tmp_path, {"fn": source})).taint == "rule fn"
    alone = "fn check(context) { true }"
    assert sent(drive_leak(tmp_path / "alone", {"fn": alone})).taint == "blocked"


def test_rules_are_asked_in_the_order_of_their_names_and_the_first_yes_counts(tmp_path: Path) -> None:
    made = sent(drive_leak(tmp_path, {"c": YES, "b": YES, "a": "false"}))
    assert made.taint == "rule b"


@pytest.mark.parametrize("source", ["false", "()", "1", '"true"', "#{}", '#{ action: "allow" }'])
def test_whatever_is_not_true_is_no_yes(tmp_path: Path, source: str) -> None:
    assert sent(drive_leak(tmp_path, {"rule": source})).taint == "blocked"


@pytest.mark.parametrize("source", ['throw "x"', "loop { }", "context.target.nope()", 'read_file("x")', "context.tool = 1; true"])
def test_a_rule_that_fails_is_no_yes_and_a_warning(tmp_path: Path, source: str) -> None:
    driven = drive_leak(tmp_path, {"bad": source})
    assert sent(driven).taint == "blocked"
    (warning,) = [event for event in driven.events if isinstance(event, Warned)]
    assert warning.text.startswith("policy rule 'bad' failed, which is no yes: Script execution failed: rules/bad.rhai: rule: ")


def test_a_rule_is_not_asked_about_a_call_that_may_pass_anyway(tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    (agent / "rules").mkdir(parents=True)
    (agent / "rules" / "bad.rhai").write_text("throw 1")
    write_agent(agent, "", stage(tools=["send"]), top=TRACKED + REGIONS)
    driven = drive_agent(load(agent), Recorder(calls(("send", {"url": "x"})), "done"), tools=[tool("url")])
    assert (driven.tools[0].taint, driven.tools[0].ok) == ("clear", True)


def test_no_rule_allows_what_a_policy_denies(tmp_path: Path) -> None:
    stages = '[stages.main.tool_permissions]\nsend = "deny"\n'
    made = sent(drive_leak(tmp_path, {"yes": YES}, '[[allowlist]]\ntool = "*"\nmax_sensitivity = "private"', stages=stages))
    assert (made.policy, made.result) == ("deny", "[denied] Tool 'send' is not permitted.")


def test_a_rule_does_not_stand_for_an_approval(tmp_path: Path) -> None:
    stages = '[stages.main.tool_permissions]\nsend = "ask"\n'
    made = sent(drive_leak(tmp_path, {"yes": YES}, stages=stages))
    assert (made.taint, made.approval) == ("rule yes", "nobody")


def test_a_rule_that_is_no_program_stops_the_agent(tmp_path: Path) -> None:
    with pytest.raises(SpawnError) as error:
        drive_leak(tmp_path, {"bad": "let = ;"})
    assert error.value.message.startswith("policy rule 'rules/bad.rhai' failed to compile: Script compilation failed: ")
    (found,) = [finding for finding in check(tmp_path / "agent").findings if finding.severity == "error"]
    assert (found.text, found.line) == (error.value.message, 1)


def test_a_rule_alone() -> None:
    rule = compile_rule("r.rhai", "r", TO_US)
    assert permits(rule, "send", "https://us/", "private")
    assert not permits(rule, "send", "", "private")
    with pytest.raises(ExecutionError):
        permits(compile_rule("r.rhai", "r", "throw 1"), "send", "", "private")


# --- targets --------------------------------------------------------------------------------------------------------------


def test_the_target_is_what_the_tool_names_or_the_one_parameter_that_is_called_so() -> None:
    def target(of: Tool, **arguments: object) -> str:
        return target_of(of, ToolCall("1", "send", {**arguments}))

    assert target(tool("url"), url="a") == "a"
    assert target(tool("url", "to"), url="a", to="b") == ""
    assert target(tool("url", "to", target="to"), url="a", to="b") == "b"
    assert target(tool("body"), body="a") == ""
    assert target(tool("url"), url=1) == ""
    assert target(tool("body"), url="a") == ""
    assert target_of(tool("url"), ToolCall("1", "send", None)) == ""


# --- the allow-list -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "text", "does"),
    [
        ("a", "a", True), ("a", "ab", False), ("*", "", True), ("*", "a", True), ("*.b", "a.b", True), ("*.b", "a.bc", False),
        ("a.*", "a.b", True), ("a.*", "ba.", False), ("", "", True), ("", "a", False), ("a*b", "a*b", True),
        ("a*b", "axb", False),
    ],
)  # fmt: skip
def test_patterns_are_exact_or_have_one_star_at_an_end(pattern: str, text: str, does: bool) -> None:
    assert fits(pattern, text) is does


def test_an_entry_without_patterns_is_for_any_target_and_one_with_patterns_needs_one() -> None:
    assert AllowEntry("send", (), "internal").matches("send", "")
    assert not AllowEntry("send", ("*",), "internal").matches("send", "")
    assert not AllowEntry("send", (), "internal").matches("other", "")


@pytest.mark.parametrize(
    ("entry", "url", "taint"),
    [
        ('to = ["https://us/*"]\nmax_sensitivity = "internal"', "https://us/x", "allowlist"),
        ('channel = ["https://us/*"]\nmax_sensitivity = "private"', "https://us/x", "allowlist"),
        ('to = ["https://us/*"]\nmax_sensitivity = "internal"', "https://them/x", "blocked"),
        ('to = ["https://us/*"]', "https://us/x", "blocked"),
        ('max_sensitivity = "internal"', "https://them/x", "allowlist"),
    ],
)
def test_an_entry_lets_pass_what_fits_up_to_its_level(tmp_path: Path, entry: str, url: str, taint: str) -> None:
    assert sent(drive_leak(tmp_path, policy=f'[[allowlist]]\ntool = "send"\n{entry}\n', url=url)).taint == taint


def test_the_allow_list_goes_before_the_rules(tmp_path: Path) -> None:
    policy = '[[allowlist]]\ntool = "send"\nmax_sensitivity = "internal"\n'
    assert sent(drive_leak(tmp_path, {"yes": YES}, policy)).taint == "allowlist"


@pytest.mark.parametrize(
    ("policy", "text"),
    [
        ("[[allowlist]]\nto = []", "the policy: allowlist: an entry needs a 'tool'"),
        ('[[allowlist]]\ntool = "a"\nmax_sensitivity = "some"', 'unknown max_sensitivity "some"'),
        ('[[allowlist]]\ntool = "a"\nwhere = "b"', "has unknown key 'where'"),
        ("allow = 1", "the policy has unknown key 'allow' (valid: allowlist)"),
        ("[[", "Failed to parse policy.toml"),
    ],
)
def test_a_policy_that_is_wrong_stops_the_agent(tmp_path: Path, policy: str, text: str) -> None:
    with pytest.raises(BlueprintError) as error:
        drive_leak(tmp_path, policy=policy)
    assert text in error.value.message
    assert any(text in finding.text for finding in check(tmp_path / "agent").findings if finding.severity == "error")


def test_a_target_that_is_too_long_for_a_rule_is_no_yes(tmp_path: Path) -> None:
    driven = drive_leak(tmp_path, {"yes": "true"}, url="https://us/" + "x" * 1_000_000)
    assert sent(driven).taint == "blocked"
    assert any(isinstance(event, Warned) for event in driven.events)
