"""The TOML files beside an agent's scripts and rules: what is wrong with one is a finding with its line."""

from pathlib import Path

import pytest

from stagehooks.agent.beside import Beside, read_beside
from stagehooks.agent.spawn import load
from stagehooks.check import check
from stagehooks.errors import SpawnError


def agent_beside(directory: Path, **files: str | bytes) -> Path:
    """An agent with files in `tools`; `policy` is its policy."""
    (directory / "tools").mkdir(parents=True)
    (directory / "agent.toml").write_text('[agent]\nname = "a"\n[stages.main]\n')
    (directory / "replies.toml").write_text("")
    for name, text in files.items():
        path = directory / "policy.toml" if name == "policy" else directory / "tools" / name.replace("_", ".")
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return directory


def beside(directory: Path, text: str | bytes) -> Beside:
    """What is read of a tool with `text` in the file beside its script."""
    return read_beside(agent_beside(directory, a_rhai="// @tool a\n1", a_toml=text))


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("[tool]\nx = " + "1" * 5000, 2, "Failed to parse a.toml: a number is too long"),
        (".".join("a" * 20_000) + " = 1", 1, "Failed to parse a.toml: a key has more than 32 parts"),
        ("[tool]\nx = " + "[" * 5000, 2, "Failed to parse a.toml: brackets are nested deeper than 32"),
        ("[tool]\n[tool]\n", 2, "Failed to parse a.toml: Cannot declare ('tool',) twice"),
        ("\n[tool", 2, "Failed to parse a.toml: "),
        (b"\xff", 1, "the tool's file is not UTF-8 text (byte 0)"),
        (b"\xef\xbb\xbf[tool]", 1, "Failed to parse a.toml: it begins with a byte order mark"),
        ("#" * 70_000, 0, "larger than 65536 bytes"),
        ("\n[tol]", 2, "the tool's file has unknown key 'tol' (valid: tool)"),
        ("[tool]\ndescripton = 'x'", 2, "[tool] has unknown key 'descripton'"),
        ("[tool]\npolicy = 'allow'", 2, "[tool] has unknown key 'policy'"),
        ("[[tool.params]]\nname = 'x'\nrequried = true", 3, "[tool]: params has unknown key 'requried'"),
        ("[tool]\nname = 2024-01-01", 1, "'tool' must be plain data"),
        ("tool = 1", 1, "'tool' must be a table"),
        ("[tool]\nname = 1", 0, "[tool] name must be a text"),
        ("[tool]\nrequires = [1]", 0, "[tool] requires must be a list of texts"),
        ("[tool]\nrequires = [['shell']]", 0, "[tool] requires must be a list of texts"),
        ("[tool]\nrequires = [{}]", 0, "[tool] requires must be a list of texts"),
        (
            "[[tool.params]]\nname = 'x'\nschema = { '$ref' = '#/$defs/a', '$defs' = { a = { } } }",
            0,
            "the schema of a parameter cannot refer to anything",
        ),
        ("[[tool.params]]\nname = 'x'\nschema = 1", 0, "the schema of 'x': a schema is a table"),
    ],
)
def test_a_file_that_says_something_else_of_a_tool_leaves_it_out_with_its_line(
    tmp_path: Path, text: str | bytes, line: int, says: str
) -> None:
    found = beside(tmp_path, text)
    assert found.tools == ()
    (finding,) = found.findings
    assert (finding.severity, finding.code) == ("warning", "script-tool")
    assert finding.text.startswith("script tool 'tools/a.rhai' is left out: ")
    assert says in finding.text
    assert finding.fix
    if line:
        assert (finding.file, finding.line) == (str(tmp_path / "tools" / "a.toml"), line)
    assert not check(tmp_path).valid


def test_an_unknown_key_is_told_with_the_nearest_known_one(tmp_path: Path) -> None:
    (finding,) = beside(tmp_path, "[tool]\ndescripton = 'x'").findings
    assert finding.fix == "did you mean 'description'?"


def test_a_file_beside_no_script_is_said(tmp_path: Path) -> None:
    (finding,) = read_beside(agent_beside(tmp_path, a_rhai="// @tool a\n1", b_toml="[tool]\nname = 'b'")).findings
    assert finding.text == "'tools/b.toml' stands beside no script"
    assert finding.fix == "add tools/b.rhai"


@pytest.mark.parametrize("name", ["é", "x" * 65, "a-b", "1a", "a.b"])
def test_a_parameter_has_a_name_that_scripts_and_servers_take(tmp_path: Path, name: str) -> None:
    found = read_beside(agent_beside(tmp_path, a_rhai=f"// @tool a\n// @param {name} string required\n1"))
    assert f"@param `{name}` is no name" in found.findings[0].text


def test_a_file_that_cannot_be_reached_is_not_taken_for_none(tmp_path: Path) -> None:
    agent = agent_beside(tmp_path, a_rhai="// @tool a\n1")
    (agent / "tools" / "a.toml").symlink_to(tmp_path / "gone")
    (finding,) = read_beside(agent).findings
    assert finding.text.startswith("script tool 'tools/a.rhai' is left out: ")
    (agent / "policy.toml").symlink_to(tmp_path / "gone")
    with pytest.raises(SpawnError, match="cannot read policy '"):
        read_beside(agent)


# --- policy.toml -------------------------------------------------------------------------------------------------------------


def test_a_key_of_the_policy_without_effect_is_a_warning_in_a_run_and_in_validate(tmp_path: Path) -> None:
    agent = agent_beside(tmp_path, policy="\n[mcp_overrides.server]\n")
    (finding,) = [finding for finding in load(agent).findings if finding.severity == "warning"]
    assert "'mcp_overrides' is not supported in this version and has no effect" in finding.text
    assert (finding.file, finding.line) == (str(agent / "policy.toml"), 2)
    report = check(agent)
    assert report.valid
    assert finding in report.findings


@pytest.mark.parametrize("pattern", ["https://*.example.com/*", "*note*", "**", "a*b"])
def test_a_star_that_stands_for_itself_is_warned_of(tmp_path: Path, pattern: str) -> None:
    (finding,) = read_beside(agent_beside(tmp_path, policy=f'[[allowlist]]\ntool = "post"\nto = ["{pattern}"]')).findings
    assert finding.severity == "warning"
    assert f"'{pattern}' has a '*' that stands for itself" in finding.text
    assert finding.line == 3


@pytest.mark.parametrize("pattern", ["*", "https://example.com/*", "*.example.com", "plain"])
def test_a_star_at_an_end_is_none_to_warn_of(tmp_path: Path, pattern: str) -> None:
    assert read_beside(agent_beside(tmp_path, policy=f'[[allowlist]]\ntool = "post"\nto = ["{pattern}"]')).findings == ()
