"""What lets a call pass that the taint gate would block: an entry of the allow-list, else a rule, in their order.

None of it is asked about a call that may pass anyway, and none can let pass what a policy denies.
"""

from collections.abc import Callable
from typing import Final

from stagehooks.agent.beside import Beside
from stagehooks.errors import HookError
from stagehooks.models.protocol import ToolCall
from stagehooks.scripts.rule import permits
from stagehooks.tools.levels import Level
from stagehooks.tools.tool import Tool

TARGETS: Final = frozenset({"url", "to", "channel", "recipient", "host", "address", "endpoint", "target"})
"""Parameters that say where data goes, where a tool has exactly one of them and names none itself."""


class Passes:
    """The allow-list and the rules beside an agent. `warn` is told of a rule that failed: that is no yes."""

    def __init__(self, beside: Beside, warn: Callable[[str], None]) -> None:
        self._allowlist = beside.allowlist
        self._rules = beside.rules
        self._warn = warn

    def permit(self, tool: Tool, call: ToolCall, level: Level) -> str | None:
        """What lets `call` pass with data of `level`: "allowlist", or "rule NAME"; None where nothing does."""
        target = target_of(tool, call)
        for entry in self._allowlist:
            if entry.matches(tool.name, target) and level <= Level[entry.max_sensitivity.upper()]:
                return "allowlist"
        for rule in self._rules:
            try:
                if permits(rule, tool.name, target, level.word):
                    return f"rule {rule.name}"
            except HookError as error:
                self._warn(f"policy rule '{rule.name}' failed, which is no yes: {error.message}")
        return None


def target_of(tool: Tool, call: ToolCall) -> str:
    """Where `call` sends data to, as far as its arguments say; empty where they do not."""
    names = [parameter.name for parameter in tool.parameters if parameter.name in TARGETS]
    name = tool.target or (names[0] if len(names) == 1 else "")
    target = call.arguments.get(name, "") if isinstance(call.arguments, dict) else ""
    return target if isinstance(target, str) else ""
