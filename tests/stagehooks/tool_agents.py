"""Agents with one script tool, and one call of it."""

from pathlib import Path

from stagehooks.agent.spawn import load
from stagehooks.gate.approval import approve_all
from stagehooks.run.events import ToolCalled
from stagehooks.scripts.tool import compile_tool, run_tool_script
from tests.stagehooks.driving import REGIONS, Recorder, calls, drive_agent, stage, write_agent

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
