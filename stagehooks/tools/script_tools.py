"""Script tools as tools of a stage: parameters, policy, and how one is run."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, cast

from stagehooks.agent.blueprint import Policy, Stage
from stagehooks.agent.script_permissions import HOST_FUNCTIONS, NOTHING_DENIED, ScriptPermissions
from stagehooks.scripts.json_text import Json
from stagehooks.scripts.tool import ScriptTool, ToolFailed, run_tool_script
from stagehooks.tools.host import NO_ACCESS, Access, Host
from stagehooks.tools.tool import Parameter, ParameterType, Tool, ToolError
from stagehooks.tools.workdir import WorkDirectory

AS_THE_TOOL: Final = frozenset({"read_file", "write_file", "shell"})
"""Host functions that a script has where its stage could call the tool of that name without asking."""


@dataclass(frozen=True, slots=True)
class ScriptTools:
    """The script tools of an agent. `policy` says how a stage may use a built-in tool."""

    tools: tuple[ScriptTool, ...] = ()
    permissions: ScriptPermissions = NOTHING_DENIED
    access: Access = NO_ACCESS
    policy: Callable[[Tool, Stage], Policy] = field(default=lambda tool, stage: tool.policy)

    def named(self, name: str) -> ScriptTool | None:
        """The tool called `name`, or None."""
        return next((tool for tool in self.tools if tool.name == name), None)

    def granted(self, stage: Stage, built_in: dict[str, Tool]) -> frozenset[str]:
        """The host functions that scripts may use in `stage`."""
        return frozenset(
            name
            for name in HOST_FUNCTIONS
            if not self.permissions.denies(name) and (name not in AS_THE_TOOL or self.policy(built_in[name], stage) == "allow")
        )

    def tool(self, script: ScriptTool, stage: Stage, built_in: dict[str, Tool], workdir: WorkDirectory) -> Tool:
        """`script` as a tool of `stage`. One that can reach nothing beyond itself needs nobody's leave."""
        granted = self.granted(stage, built_in)

        async def run(**arguments: Json) -> str:
            from stagehooks.tools.threads import in_thread  # threads are for those who use them

            host = Host(workdir, granted, self.access, stage.taint_tracking, asyncio.get_running_loop())
            try:
                return await in_thread(lambda: run_tool_script(script, arguments, host.functions(), lambda: host.stopped))
            except ToolFailed as error:
                raise ToolError(str(error)) from None
            finally:
                host.stop()

        said = script.directives
        return Tool(
            said.name,
            said.description,
            tuple(
                Parameter(param.name, cast(ParameterType, param.type), param.description, param.required, param.schema)
                for param in said.params
            ),
            run,
            policy="ask" if granted else "allow",
            direction="outbound" if granted else "internal",
            effect="outside" if granted else "repeatable",
            target=said.target,
        )
