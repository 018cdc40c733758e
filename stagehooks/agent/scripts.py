"""The scripts of an agent as files: they live beside the agent file that names them, and are read once, before anything runs."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from stagehooks.agent.blueprint import Blueprint
from stagehooks.agent.files import SCRIPT_BYTES, Unreadable, inside, is_plain_relative, read_text
from stagehooks.agent.region import Region
from stagehooks.errors import HookError, SpawnError
from stagehooks.scripts.region import RegionScript, compile_region


@dataclass(frozen=True, slots=True)
class Source:
    """The text of a script, and the SHA-256 of the bytes it came from. `file` is the whole path, for messages."""

    file: str
    text: str
    sha256: str


@dataclass(frozen=True, slots=True)
class CompiledRegion:
    """The script of a custom region under its path as written in the agent file."""

    path: str
    sha256: str
    script: RegionScript


def read_script(directory: Path, declared: str, what: str, whose: str = "") -> Source:
    """The script `declared` below `directory`; SpawnError says what is wrong with it.

    Messages call it `what`; `whose` is their beginning, "region 'notes': " or nothing.
    """
    full = directory / declared
    path = _script_path(directory, declared, f"{whose}{what}")
    try:
        source, data = read_text(path, SCRIPT_BYTES)
    except Unreadable as error:
        raise SpawnError(f"{whose}cannot read {what} '{full}': {error}", file=str(full)) from None
    return Source(str(full), source, sha256(data).hexdigest())


def custom_regions(blueprint: Blueprint) -> list[Region]:
    """The custom regions of all stages, each script once, in the order of the file."""
    layouts = [blueprint.regions, *(stage.regions for stage in blueprint.stages)]
    regions = [region for layout in layouts for region in layout if region.kind == "custom"]
    return list({region.script: region for region in reversed(regions)}.values())[::-1]


def compile_region_script(directory: Path, region: Region) -> CompiledRegion:
    """The script of the custom `region`, read and compiled; SpawnError says what is wrong with it."""
    whose = f"region '{region.name}': "
    source = read_script(directory, region.script, "custom region script", whose)
    try:
        script = compile_region(region.script, source.text)
    except HookError as error:
        message = f"{whose}custom region script failed to compile: {error.message}"
        raise SpawnError(message, inner=error.inner, file=source.file) from None
    return CompiledRegion(region.script, source.sha256, script)


def _script_path(directory: Path, declared: str, what: str) -> Path:
    path = inside(directory, declared)
    if path is None and declared not in ("", "."):
        raise SpawnError(
            f"{what} '{declared}' resolves outside the blueprint's directory ({directory}); "
            "a script must live beside the agent that declares it"
        )
    if path is None or not is_plain_relative(declared):
        raise SpawnError(f"{what} '{declared}' must be a relative path, with '/' between its folders")
    if not declared.endswith(".rhai"):
        raise SpawnError(f"{what} '{declared}' must be a path to a .rhai file")
    return path
