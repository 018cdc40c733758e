"""Script tools in a run: how they are found, what they may ask of the host, and what becomes of what goes wrong."""

import os
from pathlib import Path

import pytest

from stagehooks.agent.beside import read_beside
from stagehooks.agent.spawn import load
from stagehooks.check import check
from stagehooks.errors import SpawnError
from stagehooks.gate.approval import approve_all
from stagehooks.tools.credentials import looks_like_one
from stagehooks.tools.host import LONGEST
from tests.stagehooks.driving import Driven, Recorder, calls, drive_agent, stage, write_agent
from tests.stagehooks.tool_agents import COUNT, DENY_ALL, drive_tool, write_tool_agent

# --- in a run -------------------------------------------------------------------------------------------------------------


def test_a_script_tool_is_offered_with_its_parameters_and_called(tmp_path: Path) -> None:
    agent = load(write_tool_agent(tmp_path, COUNT, name="count"))
    model = Recorder(calls(("count", {"text": "one two three", "least": 4})), "done")
    driven = drive_agent(agent, model, approve=approve_all)
    (offer,) = model.requests[0].tools
    assert offer.description == "Counts the words of a text."
    assert offer.parameters == {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "The text."},
            "least": {"type": "integer", "description": ""},
        },
        "required": ["text"],
    }
    assert (driven.tools[0].policy, driven.tools[0].result, driven.tools[0].ok) == ("ask", "1", True)


def test_its_arguments_are_checked_also_by_a_schema(tmp_path: Path) -> None:
    agent = write_tool_agent(tmp_path, COUNT, name="count")
    (agent / "tools" / "count.toml").write_text(
        '[[tool.params]]\nname = "text"\ntype = "string"\nrequired = true\nschema = { maxLength = 3 }\n'
    )
    driven = drive_agent(load(agent), Recorder(calls(("count", {"text": "long", "x": 1})), "done"), approve=approve_all)
    assert driven.tools[0].result == (
        "[error] invalid arguments for 'count': at /text: \"long\" is longer than 3 characters; "
        'at /: "x" is not a parameter of this tool'
    )


def test_a_failing_script_is_an_error_for_the_model(tmp_path: Path) -> None:
    made = drive_tool(tmp_path, 'throw "no"')
    assert (made.result, made.ok) == ("[error] t: Runtime error: no (line 2, position 1)", False)


def test_a_tool_that_can_reach_nothing_needs_nobodys_leave(tmp_path: Path) -> None:
    made = drive_tool(tmp_path, "1 + 1", top=DENY_ALL, approve=None)
    assert (made.policy, made.result) == ("allow", "2")


# --- the host -------------------------------------------------------------------------------------------------------------

NEEDS = {
    "read_file": 'read_file("a.txt")',
    "write_file": 'write_file("a.txt", "x")',
    "shell": 'shell("echo hello")',
    "http_get": 'http_get("http://127.0.0.1:1/")',
    "http_post": 'http_post("http://127.0.0.1:1/", "x")',
    "env_var": 'env_var("HOME")',
}


def denied(name: str) -> str:
    return f"[error] t: Runtime error: [denied] script host function '{name}' is denied by tool_script_permissions"


@pytest.mark.parametrize("name", NEEDS)
def test_every_host_function_can_be_denied(tmp_path: Path, name: str) -> None:
    made = drive_tool(
        tmp_path, NEEDS[name], top=f'[tool_script_permissions]\n{name} = "deny"\n', allow=["shell", "write_file", "read_file"]
    )
    assert made.result.startswith(denied(name))


@pytest.mark.parametrize("name", ["shell", "write_file"])
@pytest.mark.parametrize("grant", ["allow", "inherit"])
def test_files_and_shell_need_the_policy_of_the_tool_whatever_the_table_says(tmp_path: Path, name: str, grant: str) -> None:
    made = drive_tool(tmp_path, NEEDS[name], top=f'[tool_script_permissions]\n{name} = "{grant}"\n')
    assert made.result.startswith(denied(name))


def test_files_and_shell_are_there_where_whoever_starts_the_run_allows_the_tool(tmp_path: Path) -> None:
    body = 'write_file("a.txt", "one"); shell("cat a.txt; echo two >> a.txt") + read_file("a.txt")'
    assert drive_tool(tmp_path, body, allow=["shell", "write_file"]).result == "oneonetwo\n"


def test_a_stage_can_take_away_what_a_script_reads(tmp_path: Path) -> None:
    made = drive_tool(tmp_path, NEEDS["read_file"], more='[stages.main.tool_permissions]\nread_file = "ask"\n')
    assert made.result.startswith(denied("read_file"))


def test_a_redirect_of_the_shell_needs_write_file(tmp_path: Path) -> None:
    assert drive_tool(tmp_path, 'shell("echo x > a")', allow=["shell"]).result.startswith(denied("write_file"))


@pytest.mark.parametrize("path", ["../out.txt", "/etc/passwd", "link"])
def test_files_outside_the_work_directory_are_out_of_reach(tmp_path: Path, path: str) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "link").symlink_to("/etc/passwd")
    made = drive_tool(tmp_path, f'read_file("{path}")')
    assert made.result.startswith(f"[error] t: Runtime error: read_file: '{path}' is outside the work directory")


def test_a_script_can_catch_what_the_host_refuses(tmp_path: Path) -> None:
    assert drive_tool(tmp_path, 'let said = ""; try { read_file("no.txt") } catch (e) { said = "caught " + e } said').result == (
        "caught read_file: cannot read 'no.txt': No such file or directory"
    )


def test_what_a_script_reads_is_cut(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "long").write_text("x" * (LONGEST + 10))
    assert drive_tool(tmp_path, 'read_file("long").len()').result == str(LONGEST)


@pytest.mark.parametrize(
    "name", ["OPENAI_API_KEY", "GITHUB_TOKEN", "my_secret", "DB_PASSWORD", "AWS_CREDENTIALS", "SESSION_ID", "DATABASE_URL"]
)
def test_variables_that_look_like_credentials_are_refused_unless_allowed(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "hush")
    made = drive_tool(tmp_path / "a", f'env_var("{name}")')
    assert made.result.startswith(f"[error] t: Runtime error: env_var: '{name}' looks like a credential, and nobody allowed it")
    assert drive_tool(tmp_path / "b", f'env_var("{name}")', allow_variables=[name]).result == "hush"


def test_a_variable_whose_value_is_an_address_with_a_password_is_one_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROKER", "amqp://me:hush@host/")
    assert "looks like a credential" in drive_tool(tmp_path, 'env_var("BROKER")').result


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GITHUB_PAT", "x"), ("my-jwt", "x"), ("SLACK_WEBHOOK", "x"), ("A", "sk-abc"), ("A", " sk_x"),
        ("A", "ghp_abc"), ("A", "xoxb-1-2"), ("A", "AKIAIOSFODNN7EXAMPLE"), ("A", "eyJhbGciOiJI"), ("A", "postgres://me:hush@host/"),
        ("A", "-----BEGIN OPENSSH PRIVATE KEY-----"),
    ],
)  # fmt: skip
def test_a_credential_is_known_by_a_word_of_its_name_or_by_how_it_begins(name: str, value: str) -> None:
    assert looks_like_one(name, value)


@pytest.mark.parametrize(
    ("name", "value"),
    [("PATH", "/usr/bin"), ("LANG", "C.UTF-8"), ("PATTERN", "x"), ("OPINION", "x"), ("HOME", "/home/me"), ("URL", "https://x/"),
     ("MAIL", "me@host"), ("A", "skeleton"), ("A", None), ("A", "eye")],
)  # fmt: skip
def test_what_looks_like_no_credential_is_none(name: str, value: str | None) -> None:
    assert not looks_like_one(name, value)


def test_other_variables_are_read_and_missing_ones_are_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "vi")
    os.environ.pop("NOT_THERE", None)
    assert drive_tool(tmp_path, '[env_var("EDITOR"), env_var("NOT_THERE")]').result == '["vi",null]'


def test_an_agent_file_cannot_allow_itself_a_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_TOKEN", "hush")
    made = drive_tool(tmp_path, 'env_var("MY_TOKEN")', top='[security]\nallow_env_vars = ["MY_TOKEN"]\n')
    assert "looks like a credential" in made.result


# --- before a run ---------------------------------------------------------------------------------------------------------


def test_tools_are_read_in_the_order_of_their_files(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    for name in ("b", "a", "c"):
        (tmp_path / "tools" / f"{name}.rhai").write_text(f"// @tool {name}1")
    assert [tool.name for tool in read_beside(tmp_path).tools] == ["a1", "b1", "c1"]


BAD_TOOLS = {
    "no_tool.rhai": "1",
    "syntax.rhai": "// @tool x\nlet = ;",
    "shell.rhai": "// @tool shell\n1",
    "b_again.rhai": "// @tool good\n1",
}


@pytest.mark.parametrize("name", BAD_TOOLS)
def test_a_file_that_is_no_tool_is_left_out_at_run_time_and_an_error_of_validate(tmp_path: Path, name: str) -> None:
    agent = write_tool_agent(tmp_path, "// @tool good\n1", name="a_good")
    (agent / "agent.toml").write_text('[agent]\n[stages.main]\navailable_tools = ["good"]\n')
    (agent / "tools" / name).write_text(BAD_TOOLS[name])
    loaded = load(agent)
    assert [tool.name for tool in loaded.beside.tools] == ["good"]
    (warning,) = [finding for finding in loaded.findings if finding.code == "script-tool"]
    assert warning.severity == "warning"
    assert warning.text.startswith(f"script tool 'tools/{name}' is left out: ")
    driven: Driven = drive_agent(loaded, Recorder("done", "done", "done", "done"))
    assert driven.result.status == "complete"
    report = check(agent)
    assert not report.valid
    assert any(finding.severity == "error" and finding.code == "script-tool" for finding in report.findings)


def test_a_tool_outside_the_agents_directory_is_left_out(tmp_path: Path) -> None:
    agent = write_tool_agent(tmp_path, "// @tool good\n1", name="good")
    (tmp_path / "other.rhai").write_text("// @tool other\n1")
    (agent / "tools" / "other.rhai").symlink_to(tmp_path / "other.rhai")
    beside = read_beside(agent)
    assert [tool.name for tool in beside.tools] == ["good"]
    assert "resolves outside the agent's directory" in beside.findings[0].text


def test_a_stage_that_names_a_tool_which_was_left_out_does_not_start(tmp_path: Path) -> None:
    agent = load(write_tool_agent(tmp_path, "let = ;"))
    with pytest.raises(SpawnError, match="there is no tool 't'"):
        drive_agent(agent, Recorder("done"))


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ('shell = "maybe"', 'tool_script_permissions.shell = "maybe" is not a permission (valid: allow, deny, inherit)'),
        ("shell = 1", "tool_script_permissions.shell = 1 is not a permission (valid: allow, deny, inherit)"),
        ('http = "deny"', "[tool_script_permissions] has unknown key 'http' (valid: env_var, http_get, http_post, read_file, "
         "shell, write_file)"),
    ],
)  # fmt: skip
def test_permissions_that_are_none_are_errors(tmp_path: Path, line: str, text: str) -> None:
    (tmp_path / "agent.toml").write_text(f"[agent]\n[tool_script_permissions]\n{line}\n[stages.main]\n")
    assert text in [finding.text for finding in check(tmp_path).findings if finding.severity == "error"]


def test_a_seed_may_call_a_tool_that_can_reach_nothing_and_no_other(tmp_path: Path) -> None:
    seeded = '[context.regions.seeded]\nseed = { tool = "t" }\n'
    for top, text in ((DENY_ALL, "seeded text"), ("", "")):
        agent = load(write_tool_agent(tmp_path / (text or "none"), '// @tool t\n"seeded text"', top=top + seeded))
        driven = drive_agent(agent, Recorder("done", "done", "done", "done"))
        assert driven.model.saw("seeded text", 0) is bool(text)


def test_a_seed_cannot_submit_what_a_validator_rejects(tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    agent.mkdir()
    (agent / "v.rhai").write_text('fn validate(content) { "never" }')
    call = '{ name = "submit_output", args = { content = "x" } }'
    top = f'[agent.output]\nvalidator = "v.rhai"\n[context.regions.s]\nseed = {{ tools = [{call}] }}\n'
    driven = drive_agent(write_agent(agent, "", stage(tools=["submit_output"]), top=top), Recorder(*["done"] * 4))
    assert driven.result.output is None
