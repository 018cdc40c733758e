"""Script tools: what a file says of itself, what its script may ask of the host, and what becomes of what goes wrong."""

import asyncio
import os
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from stagehooks.agent.beside import read_beside
from stagehooks.agent.spawn import load
from stagehooks.check import check
from stagehooks.errors import SpawnError
from stagehooks.gate.approval import approve_all
from stagehooks.run.events import ToolCalled
from stagehooks.run.lifecycle import run_agent
from stagehooks.scripts.directives import DirectiveError, Param, read_directives
from stagehooks.scripts.tool import ToolFailed, compile_tool, run_tool_script
from stagehooks.tools.host import LONGEST
from stagehooks.tools.web import is_public
from tests.stagehooks.driving import REGIONS, Driven, Recorder, calls, drive_agent, stage, write_agent

COUNT = """// @tool count
// @description Counts the words of a text.
// @param text string required "The text."
// @param least integer optional
let least = params.least ?? 0;
params.text.split(" ").filter(|word| word.len() >= least).len()
"""
DENY_ALL = "[tool_script_permissions]\n" + "".join(
    f'{name} = "deny"\n' for name in ("http_get", "http_post", "shell", "read_file", "write_file", "env_var")
)


def run_script(body: str, **arguments: object) -> str:
    return run_tool_script(compile_tool("t.rhai", f"// @tool t\n{body}"), arguments, [])


def write_tool_agent(directory: Path, script: str, top: str = "", name: str = "t", more: str = "") -> Path:
    agent = directory / "agent"
    (agent / "tools").mkdir(parents=True)
    (agent / "tools" / f"{name}.rhai").write_text(script)
    write_agent(agent, "", stage(tools=[name]) + more, top=top + REGIONS)
    return agent


def drive_tool(
    directory: Path, body: str, arguments: object = None, top: str = "", more: str = "", **options: object
) -> ToolCalled:
    """One call of a tool with the script `body`, approved."""
    script = body if "@tool" in body else f"// @tool t\n{body}"
    agent = load(write_tool_agent(directory, script, top, more=more))
    (directory / "work").mkdir(exist_ok=True)
    given = {"approve": approve_all, "workdir": directory / "work", **options}
    driven = drive_agent(agent, Recorder(calls(("t", arguments or {})), "done"), **given)
    (made,) = driven.tools
    return made


# --- directives -----------------------------------------------------------------------------------------------------------


def test_directives_stand_in_comments_anywhere_and_unknown_ones_are_ignored() -> None:
    source = '// @tool one\nlet x = 1;\n   //   @param a string required "An a."\n// @author me\n// @requires net, fs\n// text\n'
    found = read_directives(source + "// @param b number optional\n// @description Does.\n// @target a")
    assert (found.name, found.description, found.target) == ("one", "Does.", "a")
    assert found.params == (Param("a", "string", True, "An a."), Param("b", "number", False))
    assert found.requires == ("network", "filesystem")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("", "script tool is missing a `// @tool <name>` directive"),
        ("// @tool", "@tool directive requires a tool name"),
        ("// @tool a b", "a tool's name is made of letters, digits, '_' and '-', got: `a b`"),
        ("// @tool a\n// @param x string", "@param requires `<name> <type> <required|optional>`, got: `x string`"),
        ("// @tool a\n// @param x string maybe", "@param requiredness must be `required` or `optional`, got: `maybe`"),
        ("// @tool a\n// @param x text required", "@param type must be one of string, integer, number, boolean, array, object"),
        ("// @tool a\n// @param x string required\n// @param x string required", "@param `x` is no name, or stands there twice"),
        ("// @tool a\n// @requires magic", "@requires must be network, shell or filesystem, got: `magic`"),
        ("// @tool a\n// @target url", "@target must be one of the parameters, got: `url`"),
    ],
)
def test_directives_that_are_wrong_say_how_they_should_be(source: str, text: str) -> None:
    with pytest.raises(DirectiveError) as error:
        read_directives(source)
    assert str(error.value).startswith(text)


def test_a_file_beside_the_script_says_it_otherwise() -> None:
    overrides = {
        "tool": {
            "name": "two",
            "description": "Else.",
            "requires": ["shell"],
            "params": [{"name": "n", "type": "integer", "required": True, "schema": {"minimum": 3}}],
        }
    }
    found = read_directives(COUNT, overrides)
    assert (found.name, found.description, found.requires) == ("two", "Else.", ("shell",))
    assert found.params == (Param("n", "integer", True, "", {"minimum": 3}),)


@pytest.mark.parametrize(
    "overrides",
    [
        {"tool": 1}, {"tool": {"name": 1}}, {"tool": {"params": {}}}, {"tool": {"params": [{}]}},
        {"tool": {"params": [{"name": "a", "required": "yes"}]}}, {"tool": {"requires": "shell"}},
    ],
)  # fmt: skip
def test_overrides_that_are_wrong_are_refused(overrides: dict[str, object]) -> None:
    with pytest.raises(DirectiveError):
        read_directives(COUNT, overrides)


# --- results --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "result"),
    [
        ('"as it is"', "as it is"),
        ("()", ""),
        ("42", "42"),
        ("#{ b: [1, 2.5, ()], a: 'c' }", '{"a":"c","b":[1,2.5,null]}'),
        ("params.missing", ""),
        ('parse_json("[1, 2]")', "[1,2]"),
        ('to_json("a\\n")', '"a\\n"'),
        ("to_json(#{ a: 1 })", '{"a":1}'),
        ('encode_uri("a b/é-._~")', "a%20b%2F%C3%A9-._~"),
        ('html_to_text("<h1>A &amp; B</h1><script>x()</script><p>one<br>two  <b>three</b>")', "A & B\none\ntwo three"),
        ('" x ".trim()', "x"),
        ("let n = 0; for i in 0..100000 { n += i } n", "4999950000"),
    ],
)
def test_what_a_script_evaluates_to_is_the_result(body: str, result: str) -> None:
    assert run_script(body) == result


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ('throw "no"', "t: Runtime error: no (line 2, position 1)"),
        ("loop { }", "t: Too many operations"),
        ("|x| x", "cannot serialize result: "),
        ('parse_json("{")', "t: Runtime error: parse_json: "),
        ("to_json(|| 1)", "t: Runtime error: to_json: "),
        ("sleep(1)", "t: Function not found: sleep (i64)"),
        ('read_file("x")', "t: Function not found: read_file"),
        ('import "x" as y;', "t: Module not found: x"),
    ],
)
def test_a_script_that_fails_says_why(body: str, text: str) -> None:
    with pytest.raises(ToolFailed) as error:
        run_script(body)
    assert str(error.value).startswith(text)


def test_nothing_of_one_call_is_left_for_the_next() -> None:
    tool = compile_tool("t.rhai", "// @tool t\nlet x = params.a; params.a += 1; x")
    arguments = {"a": 1}
    assert [run_tool_script(tool, arguments, []) for _ in range(2)] == ["1", "1"]


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


def test_other_variables_are_read_and_missing_ones_are_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EDITOR", "vi")
    os.environ.pop("NOT_THERE", None)
    assert drive_tool(tmp_path, '[env_var("EDITOR"), env_var("NOT_THERE")]').result == '["vi",null]'


def test_an_agent_file_cannot_allow_itself_a_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_TOKEN", "hush")
    made = drive_tool(tmp_path, 'env_var("MY_TOKEN")', top='[security]\nallow_env_vars = ["MY_TOKEN"]\n')
    assert "looks like a credential" in made.result


# --- the web --------------------------------------------------------------------------------------------------------------


class Echo(BaseHTTPRequestHandler):
    seen: list[str] = []

    def do_GET(self) -> None:
        self.seen.append(f"{self.command} {self.path} {self.headers.get('X-Mine')}")
        if self.path.startswith("/to"):
            self.answer(302, "", self.path.partition("?")[2])
        elif self.path == "/slow":
            time.sleep(1.5)
        elif self.path == "/big":
            self.answer(200, "x" * (LONGEST + 5))
        else:
            length = int(self.headers.get("Content-Length") or 0)
            self.answer(404 if self.path == "/missing" else 200, f"{self.seen[-1]} {self.rfile.read(length).decode()}")

    do_POST = do_GET

    def answer(self, status: int, text: str, location: str = "") -> None:
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[str]:
    Echo.seen = []
    running = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{running.server_port}"
    running.shutdown()
    running.server_close()


@pytest.mark.parametrize(
    ("body", "result"),
    [
        ('http_get("{}/a?b=c#d")', "GET /a?b=c None "),
        ('http_get("{}/a", #{ "X-Mine": 7 })', "GET /a 7 "),
        ('http_post("{}/a", "body")', "POST /a None body"),
        ('http_post("{}/a", to_json(#{ a: 1 }), #{ "X-Mine": "m" })', 'POST /a m {"a":1}'),
        ('http_post("{}/to?/b", "body")', "GET /b None "),
        ('http_get("{}/to?/b")', "GET /b None "),
        ('http_get("{}/big").len()', str(LONGEST)),
    ],
)
def test_a_script_asks_a_server(tmp_path: Path, server: str, body: str, result: str) -> None:
    assert drive_tool(tmp_path, body.replace("{}", server), allow_local_network=True).result == result


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ('http_get("{}/missing")', "http_get: 127.0.0.1:{port} answers 404: GET /missing"),
        ('http_get("{}/to?{}/to?{}/to?{}/to?{}/to?{}/to?x")', "http_get: more than 5 redirects"),
        ('http_get("{}/to?file:///etc/passwd")', "http_get: the address must begin with https:// or http:// and a host"),
        ('http_get("file:///etc/passwd")', "http_get: the address must begin with https:// or http:// and a host"),
        ('http_get("http://me:pass@host/")', "http_get: a user name or a password does not belong into an address"),
        ('http_get("{}/a b")', "http_get: the address holds a space"),
        ('http_get("{}/", #{ "Host": "x" })', "http_get: 'Host' is no header that can be set"),
        ('http_get("{}/", #{ "X": "a\\r\\nY: b" })', "http_get: the value of the header 'X' is not printable ASCII"),
        ('http_get("{}/", #{ "X: y\\r\\nZ": "a" })', "http_get: 'X: y"),
    ],
)
def test_a_request_that_cannot_be_made_or_is_answered_with_a_no_is_an_error(
    tmp_path: Path, server: str, body: str, text: str
) -> None:
    made = drive_tool(tmp_path, body.replace("{}", server), allow_local_network=True)
    assert made.result.startswith(f"[error] t: Runtime error: {text.replace('{port}', server.rpartition(':')[2])}")


def test_the_local_network_is_refused(tmp_path: Path, server: str) -> None:
    made = drive_tool(tmp_path / "a", f'http_get("{server}/")')
    assert "is in the local network, which script tools do not reach" in made.result
    by_name = drive_tool(tmp_path / "b", f'http_get("{server.replace("127.0.0.1", "localhost")}/")')
    assert "is in the local network" in by_name.result
    assert Echo.seen == []


@pytest.mark.parametrize(
    "machine",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1", "224.0.0.1",
        "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::",
        "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe",
    ],
)  # fmt: skip
def test_addresses_that_are_not_of_the_internet(machine: str) -> None:
    assert not is_public(machine)


@pytest.mark.parametrize("machine", ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "64:ff9b::101:101"])
def test_addresses_of_the_internet(machine: str) -> None:
    assert is_public(machine)


def test_a_run_that_is_cancelled_does_not_wait_for_its_script(tmp_path: Path, server: str) -> None:
    agent = load(write_tool_agent(tmp_path, f'// @tool t\nhttp_get("{server}/slow")'))

    async def cancelled() -> float:
        model = Recorder(calls(("t", {})), "done")
        task = asyncio.ensure_future(run_agent(agent, model=model, approve=approve_all, allow_local_network=True))
        await asyncio.sleep(0.3)
        started = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return time.monotonic() - started

    assert asyncio.run(cancelled()) < 1


def test_where_taint_is_tracked_a_call_that_has_read_something_sends_nothing(tmp_path: Path, server: str) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "secret").write_text("hush")
    top = "[security]\ntaint_tracking = true\n"
    made = drive_tool(tmp_path, f'http_post("{server}/", read_file("secret"))', top=top, allow_local_network=True)
    assert made.result.startswith(
        "[error] t: Runtime error: [blocked] script host function 'http_post' would send what this call has read"
    )
    assert Echo.seen == []


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
