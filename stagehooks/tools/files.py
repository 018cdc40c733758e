"""The tools that read and write files of the work directory."""

from stagehooks.tools.levels import Level
from stagehooks.tools.tool import Parameter, Tool
from stagehooks.tools.workdir import WorkDirectory


def file_tools(workdir: WorkDirectory) -> tuple[Tool, ...]:
    """`read_file`, `list_files` and `write_file`, confined to `workdir`."""

    def read_file(path: str, max_lines: int = 0) -> str:
        lines = workdir.read(path).splitlines(keepends=True)
        if max_lines > 0 and len(lines) > max_lines:
            return "".join(lines[:max_lines]) + f"[...{len(lines) - max_lines} more lines]"
        return "".join(lines)

    def list_files(path: str = ".", recursive: bool = False) -> str:
        return "\n".join(workdir.names(path, recursive)) or "(empty)"

    def write_file(path: str, content: str) -> str:
        return f"Wrote {workdir.write(path, content)} bytes to {path}."

    where = Parameter("path", description="A path inside the work directory.")
    return (
        Tool(
            "read_file",
            "Read a text file of the work directory.",
            (where, Parameter("max_lines", "integer", "Return no more than this many lines.", required=False)),
            read_file,
            policy="allow",
            direction="inbound",
            effect="repeatable",
        ),
        Tool(
            "list_files",
            "List a directory of the work directory.",
            (
                Parameter("path", description="The directory (default: all of it).", required=False),
                Parameter("recursive", "boolean", "List what its directories hold, too.", required=False),
            ),
            list_files,
            policy="allow",
            direction="inbound",
            effect="repeatable",
        ),
        Tool(
            "write_file",
            "Write a text file in the work directory, replacing what it held.",
            (where, Parameter("content", description="The whole text of the file.")),
            write_file,
            policy="ask",
            direction="internal",
            sensitivity=Level.PUBLIC,
            effect="repeatable",
        ),
    )
