"""The tools of a run by name, which of them a stage offers, and running one."""

import inspect
from collections.abc import Iterable, Sequence
from typing import Final

from stagehooks.agent.blueprint import Stage
from stagehooks.agent.document import did_you_mean
from stagehooks.errors import SpawnError, StoreError
from stagehooks.models.protocol import ToolCall
from stagehooks.tools.answer import FinalAnswer, submit_tool
from stagehooks.tools.files import file_tools
from stagehooks.tools.script_tools import ScriptTools
from stagehooks.tools.shell import shell_tool
from stagehooks.tools.soundness import flaw
from stagehooks.tools.tool import Tool, ToolError
from stagehooks.tools.workdir import WorkDirectory

CONTEXT: Final = (
    "context_write", "context_append", "context_read", "context_delete", "context_list", "todo_add", "todo_done", "todo_note",
)  # fmt: skip
"""The tools for an agent's own regions; a run makes them, since they need its window."""
BUILT_IN: Final = ("read_file", "list_files", "write_file", "shell", "submit_output", *CONTEXT)
SUBMIT_OUTPUT: Final = "submit_output"
ELSEWHERE: Final = {
    "bash": "it is called 'shell' here: write that in the agent file, and in the scripts that ask for the name of a call",
}
"""Tools with another name in the original system. They are not renamed: a hook that guards the old name would guard nothing."""


def check_tools(stages: Iterable[Stage], custom: Iterable[Tool], scripts: Iterable[str] = ()) -> None:
    """SpawnError when a stage names a tool that nobody provides (a misspelt one would silently never be offered).

    The same when a custom tool has a flaw, or takes the name of another one. `scripts` are the names of the agent's script tools.
    """
    known = [*BUILT_IN, *scripts]
    for tool in custom:
        wrong = flaw(tool)
        if wrong is not None:
            raise SpawnError(wrong)
        if tool.name in known:
            raise SpawnError(f"there is already a tool called '{tool.name}'")
        known.append(tool.name)
    for stage in stages:
        for error in missing_tools(stage, known):
            raise error


def missing_tools(stage: Stage, known: Sequence[str]) -> list[SpawnError]:
    """An error for each tool that `stage` names and that is not among the `known` ones."""
    return [
        SpawnError(
            f"stage '{stage.name}': there is no tool '{name}' (there are: {', '.join(known)})",
            hint=ELSEWHERE.get(name) or did_you_mean(name, known),
        )
        for name in stage.available_tools
        if name not in known
    ]


class Catalogue:
    """Built-in and custom tools by name; `check_tools` has passed them."""

    def __init__(
        self, workdir: WorkDirectory, answer: FinalAnswer, custom: Iterable[Tool] = (), scripts: ScriptTools | None = None
    ) -> None:
        self._workdir = workdir
        self._answer = answer
        self._scripts = scripts or ScriptTools()
        tools = (*file_tools(workdir), shell_tool(workdir), submit_tool(answer), *custom)
        self._tools = {tool.name: tool for tool in tools}
        self._offered: dict[str, tuple[Tool, ...]] = {}

    def find(self, name: str, stage: Stage) -> Tool | None:
        """The tool called `name` as it is in `stage`, offered there or not; None where there is none."""
        return self._tool(name, stage) if name in self._tools or self._scripts.named(name) else None

    def offered(self, stage: Stage) -> tuple[Tool, ...]:
        """The tools that `stage` may call, in the order of its agent file."""
        if stage.name not in self._offered:
            self._offered[stage.name] = tuple([self._tool(name, stage) for name in stage.available_tools])
        return self._offered[stage.name]

    def _tool(self, name: str, stage: Stage) -> Tool:
        if name == SUBMIT_OUTPUT:
            return submit_tool(self._answer, stage.name, stage.output.description)
        script = None if name in self._tools else self._scripts.named(name)
        return self._tools[name] if script is None else self._scripts.tool(script, stage, self._tools, self._workdir)


async def run_tool(tool: Tool, call: ToolCall) -> tuple[str, bool]:
    """Run a checked call: the text for the model, and whether it worked. A failing function never fails the run."""
    arguments = call.arguments if isinstance(call.arguments, dict) else {}
    try:
        answer = tool.function(**arguments)
        text = await answer if inspect.isawaitable(answer) else answer
        if not isinstance(text, str):
            return f"[error] {call.name}: returned {type(text).__name__}, not text", False
    except ToolError as error:
        return f"[error] {error}", False
    except StoreError:  # of an event that the tool made the run tell; the run cannot go on
        raise
    except Exception as error:
        return f"[error] {call.name}: {type(error).__name__}: {error}", False
    return text.encode("utf-8", "replace").decode(), True
