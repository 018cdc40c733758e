"""`policy.toml`: where confidential data may go although the tool that takes it there is cleared for less.

[[allowlist]]
tool = "http_post"
to = ["https://internal.example.com/*"]
max_sensitivity = "internal"
"""

from dataclasses import dataclass
from typing import Final

from stagehooks.agent.document import Table

LEVELS: Final = ("public", "internal", "private")


@dataclass(frozen=True, slots=True)
class AllowEntry:
    """One [[allowlist]] table. `targets` are its patterns; none stand for any target."""

    tool: str
    targets: tuple[str, ...]
    max_sensitivity: str

    def matches(self, tool: str, target: str) -> bool:
        """Is the entry for `tool`, and for `target`? A call without a target matches no pattern."""
        if not fits(self.tool, tool):
            return False
        return not self.targets or (target != "" and any(fits(pattern, target) for pattern in self.targets))


def fits(pattern: str, text: str) -> bool:
    """Is `text` what `pattern` says: exactly that, `*` for anything, `*suffix` or `prefix*`?"""
    if pattern.startswith("*"):
        return text.endswith(pattern[1:])
    return text.startswith(pattern[:-1]) if pattern.endswith("*") else text == pattern


def read_policy(root: Table) -> tuple[AllowEntry, ...]:
    """The entries of a policy file; what is wrong with it becomes findings of its document."""
    root.allow(("allowlist",), ("mcp_overrides",))
    return tuple(_read_entry(table) for table in root.tables("allowlist"))


def _read_entry(table: Table) -> AllowEntry:
    table.allow(("tool", "to", "channel", "max_sensitivity"))
    if not table.text("tool"):
        table.error("tool", f"{table.subject}: an entry needs a 'tool'", 'write tool = "http_post"')
    for key in ("tool", "to", "channel"):
        for pattern in (table.text(key),) if key == "tool" else table.texts(key):
            if "*" in pattern[1:-1] or (len(pattern) > 1 and pattern[0] == pattern[-1] == "*"):
                text = f"{table.subject}: '{pattern}' has a '*' that stands for itself: only one at an end stands for anything"
                table.warn(key, text, "write it with one '*' at an end", "pattern")
    level = table.word("max_sensitivity", LEVELS, "public")
    return AllowEntry(table.text("tool"), table.texts("to") + table.texts("channel"), level)
