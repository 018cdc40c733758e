"""What a final output is measured by: format, schema, validator, at submission and again when on_completion rewrites it."""

from pathlib import Path

import pytest

from stagehooks.agent.output import OutputSpec
from stagehooks.agent.spawn import load
from stagehooks.check import check
from stagehooks.errors import AnswerError, CompilationError, SpawnError, ValidationError
from stagehooks.run.events import Warned
from stagehooks.scripts.validator import compile_validator, rejection
from stagehooks.tools.formats import malformed
from stagehooks.tools.output_check import OutputCheck
from tests.stagehooks.driving import REGIONS, Driven, Recorder, calls, drive_agent, stage, write_agent

SHORT = 'fn validate(content) { if content.len() < 5 { "too short" } }'


def drive_output(directory: Path, output: str, *submitted: str, validator: str = SHORT, script: str = "") -> Driven:
    """An agent that submits each text in a turn of its own, under what [agent.output] says."""
    agent = directory / "agent"
    agent.mkdir(parents=True)
    (agent / "check.rhai").write_text(validator)
    stages = stage(tools=["submit_output"], hooks=["on_completion"] if script else [], more="require_output = true")
    write_agent(agent, script, stages, top=f"[agent.output]\n{output}\n{REGIONS}")
    turns = [calls(("submit_output", {"content": text})) for text in submitted]
    return drive_agent(load(agent), Recorder(*turns, "done"))


# --- the script -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "reason"),
    [("()", None), ('""', None), ('"  "', None), ('"no"', "no"), ("content", "text"), ("if false { 1 }", None)],
)
def test_a_validator_accepts_with_nothing_and_rejects_with_a_reason(body: str, reason: str | None) -> None:
    assert rejection(compile_validator("v.rhai", f"fn validate(content) {{ {body} }}"), "text") == reason


@pytest.mark.parametrize(("body", "kind"), [("true", "bool"), ("1", "i64"), ("1.5", "f64"), ("[]", "array"), ("#{}", "map")])
def test_any_other_answer_of_a_validator_is_an_error_that_names_the_type(body: str, kind: str) -> None:
    with pytest.raises(AnswerError) as error:
        rejection(compile_validator("v.rhai", f"fn validate(content) {{ {body} }}"), "text")
    assert error.value.message == f"Script validation failed: v.rhai: validate must return () or a string, got {kind}"


def test_a_validator_must_be_a_function_of_one_parameter() -> None:
    with pytest.raises(ValidationError) as missing:
        compile_validator("v.rhai", "fn check(content) { }")
    assert missing.value.message == "Script validation failed: v.rhai: script must define fn validate(content)"
    with pytest.raises(ValidationError) as two:
        compile_validator("v.rhai", "fn validate(content) { } fn validate(a, b) { }")
    assert two.value.message.endswith("v.rhai: fn validate must take exactly one parameter (content), found 2")
    with pytest.raises(CompilationError):
        compile_validator("v.rhai", "fn validate(")


# --- formats --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("format", "good", "bad"),
    [
        ("json", '{"a": 1}', "{"),
        ("JSON", "1", "NaN"),
        ("xml", "<a><b/></a>", "<a><b></a>"),
        ("csv", "a,b\n1,2\n", "a,b\n1\n"),
        ("toml", "a = 1", "a ="),
    ],
)
def test_what_is_said_to_be_in_a_format_must_be_well_formed(format: str, good: str, bad: str) -> None:
    assert malformed(format, good) is None
    assert malformed(format, bad)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (".".join("a" * 100_000) + " = 1", "a key has more than 32 parts (at line 1)"),
        ("\na = " + "1" * 5000, "a number is too long (at line 2)"),
        ("a = " + "[" * 100_000, "brackets are nested deeper than 32 (at line 1)"),
        ("\n\na =", "Invalid value (at line 3)"),
    ],
)
def test_what_is_wrong_with_toml_is_said_in_our_own_words(text: str, says: str) -> None:
    assert malformed("toml", text) == says


def test_a_format_that_is_only_a_label_is_not_checked() -> None:
    assert malformed("haiku", "{") is None
    assert malformed("", "{") is None


def test_entities_of_xml_are_refused() -> None:
    assert malformed("xml", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>') == "it declares entities"


# --- a run ----------------------------------------------------------------------------------------------------------------


def test_a_rejected_output_goes_back_to_the_model_and_leaves_the_earlier_one(tmp_path: Path) -> None:
    driven = drive_output(tmp_path, 'validator = "check.rhai"', "a good one", "bad", validator=SHORT)
    assert driven.tools[1].result == "[error] the final output was rejected: too short"
    assert driven.result.output == "a good one"


def test_format_schema_and_validator_are_asked_in_this_order(tmp_path: Path) -> None:
    output = 'format = "json"\nvalidator = "check.rhai"\n[agent.output.schema]\ntype = "object"\nrequired = ["a"]'
    driven = drive_output(tmp_path, output, "{", "{}", '{"a":1}', '{"a" : 1}', validator=SHORT.replace("5", "9"))
    assert [made.result.partition(":")[0] for made in driven.tools] == [
        "[error] the final output is not valid json",
        "[error] the final output does not match its schema",
        "[error] the final output was rejected",
        "Recorded as this run's final output.",
    ]
    assert driven.tools[1].result.endswith('at /: "a" is a required property')


@pytest.mark.parametrize("body", ['throw "no"', "loop { }", "true", "content.parse_json().words"])
def test_a_validator_that_fails_rejects_what_it_failed_on_with_a_warning(tmp_path: Path, body: str) -> None:
    driven = drive_output(tmp_path, 'validator = "check.rhai"', "x", validator=f"fn validate(content) {{ {body} }}")
    assert driven.result.output is None
    assert driven.tools[0].result.startswith("[error] the final output could not be checked, so it does not count: Script ")
    (warning,) = [event for event in driven.events if isinstance(event, Warned)]
    assert warning.text.startswith("the output validator failed, so the output does not count: Script ")


@pytest.mark.parametrize("content", ["x" * 300_000, "x" * 1_100_000, "\u00e9" * 600_000])
def test_no_output_passes_its_validator_by_being_too_long_for_it(tmp_path: Path, content: str) -> None:
    never = "fn validate(content) { `${content.bytes} bytes are never good enough` }"
    driven = drive_output(tmp_path, 'validator = "check.rhai"', content, validator=never)
    assert driven.result.output is None
    wanted = "bytes are never good enough (only the first 262144 bytes of it count)"
    assert driven.tools[0].result == f"[error] the final output was rejected: 262144 {wanted}"


def test_an_output_that_is_cut_is_checked_as_it_is_kept(tmp_path: Path) -> None:
    driven = drive_output(tmp_path, 'format = "json"', f'"{"x" * 300_000}"')
    assert driven.result.output is None
    assert driven.tools[0].result.endswith("(only the first 262144 bytes of it count)")


def test_the_model_is_told_what_is_wanted_in_the_tool_and_in_the_prompt(tmp_path: Path) -> None:
    output = 'format = "json"\ninstructions = "Be short."\nexample = "{}"\n[agent.output.schema]\ntype = "object"'
    driven = drive_output(tmp_path, output, "{}")
    wanted = 'Format: json.\nBe short.\nExample:\n{}\nIt must match this JSON Schema:\n{"type":"object"}'
    (offer,) = driven.model.requests[0].tools
    assert offer.description.endswith(wanted)
    assert any(wanted in block for block in driven.model.requests[0].system)


def test_what_a_stage_says_of_the_output_goes_before_what_the_agent_says(tmp_path: Path) -> None:
    top = '[agent.output]\nformat = "json"\ninstructions = "Short."\n'
    text = stage("a") + stage("b") + '[stages.b.output]\nformat = "text"\n'
    agent = write_agent(tmp_path, "", text, top=top)
    assert agent.blueprint.stages[0].output == OutputSpec("json", "Short.")
    assert agent.blueprint.stages[1].output == OutputSpec("text", "Short.")


# --- on_completion --------------------------------------------------------------------------------------------------------


def rewriting(value: str) -> str:
    return f'fn on_completion(ctx) {{ #{{ action: "modify", value: {value} }} }}'


def test_a_rewritten_output_is_checked_again(tmp_path: Path) -> None:
    driven = drive_output(tmp_path, 'validator = "check.rhai"', "a good one", script=rewriting('"bad"'))
    assert driven.result.status == "error"
    assert driven.result.error == ("on_completion: the rewritten answer was refused: the final output was rejected: too short")


def test_a_rewritten_output_that_passes_is_the_result(tmp_path: Path) -> None:
    driven = drive_output(tmp_path, 'validator = "check.rhai"', "a good one", script=rewriting("ctx.output.to_upper()"))
    assert driven.result.output == "A GOOD ONE"


def test_a_rewritten_output_keeps_to_the_largest_size(tmp_path: Path) -> None:
    script = 'fn on_completion(ctx) { let t = ""; t.pad(300000, "x"); #{ action: "modify", value: t } }'
    assert len(drive_output(tmp_path, "", "a good one", script=script).result.output or "") == 262_144


# --- before a run ---------------------------------------------------------------------------------------------------------


def broken(directory: Path, output: str, validator: str | None = None) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "agent.toml").write_text(f"[agent]\n[agent.output]\n{output}\n[stages.main]\n")
    if validator is not None:
        (directory / "v.rhai").write_text(validator)
    return directory


@pytest.mark.parametrize(
    ("output", "validator", "text"),
    [
        ('validator = "v.rhai"', None, "cannot read output validator '{}/v.rhai': No such file or directory"),
        ('validator = "../v.rhai"', None, "output validator '../v.rhai' resolves outside the blueprint's directory ({}); "
         "a script must live beside the agent that declares it"),
        ('validator = "v.rhai"', "fn x() {}", "output validator failed to compile: Script validation failed: v.rhai: "
         "script must define fn validate(content)"),
        ('validator = "v.rhai"', "fn (", "output validator failed to compile: Script compilation failed: v.rhai: "),
    ],
)  # fmt: skip
def test_a_validator_that_cannot_run_stops_the_agent_and_is_a_finding(
    tmp_path: Path, output: str, validator: str | None, text: str
) -> None:
    place = broken(tmp_path / "a", output, validator)
    with pytest.raises(SpawnError) as error:
        load(place)
    assert error.value.message.startswith(text.replace("{}", str(place)))
    (found,) = [finding for finding in check(place).findings if finding.severity == "error"]
    assert found.text == error.value.message
    assert found.line in (1, 3)


def test_a_schema_that_cannot_be_used_is_a_finding(tmp_path: Path) -> None:
    place = broken(tmp_path, 'schema = { type = "strin" }')
    (found,) = [finding for finding in check(place).findings if finding.severity == "error"]
    assert found.text.startswith("[agent]: output: 'schema' is no JSON Schema that can be used: at /type: must be one of")


def test_a_schema_may_be_json_text(tmp_path: Path) -> None:
    agent = load(broken(tmp_path, """schema = '{"type": "object"}'"""))
    assert agent.blueprint.stages[0].output.schema == {"type": "object"}


def test_an_output_without_anything_is_never_wrong() -> None:
    assert OutputCheck().problem("{") is None
