"""[tool_script_permissions]: what the scripts of an agent's tools may ask of the host. The table can only take away."""

from dataclasses import dataclass
from typing import Final, Literal, cast

from stagehooks.agent.document import Table, did_you_mean

HOST_FUNCTIONS: Final = ("http_get", "http_post", "shell", "read_file", "write_file", "env_var")
"""The functions of script tools that reach beyond the script."""
GRANTS: Final = ("allow", "deny", "inherit")

Grant = Literal["allow", "deny", "inherit"]


@dataclass(frozen=True, slots=True)
class ScriptPermission:
    """http_get = "allow" | "deny" | "inherit" """

    function: str
    grant: Grant


@dataclass(frozen=True, slots=True)
class ScriptPermissions:
    """A [tool_script_permissions] table."""

    entries: tuple[ScriptPermission, ...] = ()

    def denies(self, function: str) -> bool:
        """Does the table take `function` away?"""
        return any(entry.function == function and entry.grant == "deny" for entry in self.entries)


NOTHING_DENIED: Final = ScriptPermissions()


def read_script_permissions(root: Table) -> ScriptPermissions:
    """The table of the agent file."""
    table = root.table("tool_script_permissions", "[tool_script_permissions]")
    table.allow(HOST_FUNCTIONS)
    names = [name for name in table if name in HOST_FUNCTIONS]
    return ScriptPermissions(tuple(ScriptPermission(name, grant) for name in names if (grant := _grant(table, name))))


def _grant(table: Table, name: str) -> Grant | None:
    said = table.text(name).lower() if table.holds(name, str) else ""
    if said in GRANTS:
        return cast(Grant, said)
    text = f"tool_script_permissions.{name} = {table.shown(name)} is not a permission (valid: {', '.join(GRANTS)})"
    table.error(name, text, did_you_mean(said, GRANTS))
    return None
