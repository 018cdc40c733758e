"""What a script tool says of itself in comments, and what a TOML file beside it says instead.

    // @tool word_count
    // @description Counts the words of a text.
    // @param text string required "The text."
    // @requires filesystem
    // @target url

Directives stand in `//` lines anywhere in the file; unknown ones are ignored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from stagehooks.scripts.json_text import Json, as_plain

TYPES: Final = ("string", "integer", "number", "boolean", "array", "object")
CAPABILITIES: Final = {
    "network": "network", "net": "network", "http": "network",
    "shell": "shell", "process": "shell", "process_spawn": "shell",
    "filesystem": "filesystem", "file": "filesystem", "fs": "filesystem",
}  # fmt: skip
"""The words for what a tool may need, each with its one name."""


class DirectiveError(Exception):
    """A directive is not as it should be; the text says what."""


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter of a script tool. `schema` is a JSON Schema for it, where there is one beside its type."""

    name: str
    type: str
    required: bool
    description: str = ""
    schema: Json = None


@dataclass(frozen=True, slots=True)
class Directives:
    """What a tool says of itself. `target` names the parameter that says where it sends data to."""

    name: str
    description: str = ""
    params: tuple[Param, ...] = ()
    requires: tuple[str, ...] = ()
    target: str = ""


Overrides: TypeAlias = Mapping[str, object]
"""The TOML file beside a script, read."""


def read_directives(source: str, overrides: Overrides | None = None) -> Directives:
    """What the tool `source` says of itself, as its overrides have it; DirectiveError if that is no tool."""
    lines = [line.strip().removeprefix("//").strip() for line in source.split("\n") if line.strip().startswith("//")]
    said = [(words[0], words[1].strip() if len(words) > 1 else "") for line in lines if (words := line.split(None, 1))]
    found = Directives(
        name=_last(said, "@tool"),
        description=_last(said, "@description"),
        params=tuple([_param(rest) for word, rest in said if word == "@param"]),
        requires=tuple([need for word, rest in said if word == "@requires" for need in rest.replace(",", " ").split()]),
        target=_last(said, "@target"),
    )
    if any(word == "@tool" and not rest for word, rest in said):
        raise DirectiveError("@tool directive requires a tool name")
    return _checked(_overridden(found, overrides or {}))


def _last(said: Sequence[tuple[str, str]], wanted: str) -> str:
    return next((rest for word, rest in reversed(said) if word == wanted), "")


def _param(rest: str) -> Param:
    words = rest.split(None, 3)
    if len(words) < 3:
        raise DirectiveError(f"@param requires `<name> <type> <required|optional>`, got: `{rest}`")
    if words[2] not in ("required", "optional"):
        raise DirectiveError(f"@param requiredness must be `required` or `optional`, got: `{words[2]}`")
    description = words[3].strip() if len(words) > 3 else ""
    quoted = len(description) > 1 and description[0] == description[-1] == '"'
    return Param(words[0], words[1], words[2] == "required", description[1:-1] if quoted else description)


def _overridden(found: Directives, overrides: Overrides) -> Directives:
    table = overrides.get("tool", {})
    if not isinstance(table, dict):
        raise DirectiveError("[tool] must be a table")
    for key, kind in (("name", str), ("description", str), ("target", str), ("requires", list)):
        if key in table and not (type(table[key]) is kind and all(type(item) is str for item in table[key])):
            raise DirectiveError(f"[tool] {key} must be {'a text' if kind is str else 'a list of texts'}")
    if "params" in table:
        tables = table["params"]
        if not isinstance(tables, list) or not all(isinstance(item, dict) for item in tables):
            raise DirectiveError("[[tool.params]] must be a list of tables")
        found = replace(found, params=tuple([_param_of(item) for item in tables]))
    return replace(
        found,
        name=table.get("name", found.name),
        description=table.get("description", found.description),
        target=table.get("target", found.target),
        requires=tuple(table.get("requires", found.requires)),
    )


def _param_of(table: dict[str, object]) -> Param:
    name, kind = table.get("name"), table.get("type", "string")
    required, description = table.get("required", False), table.get("description", "")
    if not isinstance(name, str) or not isinstance(kind, str):
        raise DirectiveError("[[tool.params]] needs a 'name', and a 'type' that is a text")
    if not isinstance(required, bool) or not isinstance(description, str):
        raise DirectiveError(f"[[tool.params]] {name}: 'required' must be true or false, 'description' a text")
    try:
        schema = as_plain(table.get("schema"))
    except ValueError:
        raise DirectiveError(f"[[tool.params]] {name}: 'schema' must be plain data") from None
    return Param(name, kind, required, description, schema)


def _checked(found: Directives) -> Directives:
    if not found.name:
        raise DirectiveError("script tool is missing a `// @tool <name>` directive")
    if not _is_name(found.name):
        raise DirectiveError(f"a tool's name is made of letters, digits, '_' and '-', got: `{found.name}`")
    names: set[str] = set()
    for param in found.params:
        if not _is_parameter(param.name) or param.name in names:
            raise DirectiveError(f"@param `{param.name}` is no name, or stands there twice")
        if param.type not in TYPES:
            raise DirectiveError(f"@param type must be one of {', '.join(TYPES)}, got: `{param.type}`")
        names.add(param.name)
    if found.target and found.target not in names:
        raise DirectiveError(f"@target must be one of the parameters, got: `{found.target}`")
    unknown = [need for need in found.requires if need not in CAPABILITIES]
    if unknown:
        raise DirectiveError(f"@requires must be network, shell or filesystem, got: `{unknown[0]}`")
    return replace(found, requires=tuple(dict.fromkeys([CAPABILITIES[need] for need in found.requires])))


def _is_name(name: str) -> bool:
    return len(name) <= 64 and name.isascii() and name.replace("_", "").replace("-", "").isalnum()


def _is_parameter(name: str) -> bool:
    # What scripts can write behind `params.` and every model's server takes.
    return len(name) <= 64 and name.isascii() and name.isidentifier()
