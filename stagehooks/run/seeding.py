"""Filling regions when they come up for the first time: with texts of the caller, files, what a script or a tool says.

Files and scripts are those of the work directory, and nothing outside of it. Tools, and commands as calls of the shell, are held
to the same policy as the model's calls; since nobody is asked here, what needs approval is not run. A seed that cannot be had
leaves its region empty, with a warning; where the region is required, the run ends.
"""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import Final

from rhaipy import RhaiError
from stagehooks.agent.blueprint import Blueprint, Stage
from stagehooks.agent.region import (
    CallerSeed,
    CommandSeed,
    FilesSeed,
    GlobSeed,
    LiteralSeed,
    ScriptSeed,
    Seed,
    SeedCall,
    ToolSeed,
)
from stagehooks.errors import CompilationError, RunFailed, WindowError
from stagehooks.gate.policy import policy_for
from stagehooks.gate.taint import leak_of
from stagehooks.models.protocol import ToolCall
from stagehooks.run.effects import Effects
from stagehooks.run.events import RegionChanged, Warned
from stagehooks.run.region import Region, cut
from stagehooks.run.tally import Tally
from stagehooks.run.window import Window
from stagehooks.scripts.boundary import NotPlain, to_json
from stagehooks.scripts.calling import compiled
from stagehooks.scripts.hardened import hardened_engine
from stagehooks.scripts.json_text import Json, dump
from stagehooks.tools.catalogue import Catalogue, run_tool
from stagehooks.tools.levels import Level
from stagehooks.tools.tool import ToolError
from stagehooks.tools.workdir import WorkDirectory

CUT: Final = "\n[...truncated: seed exceeded this region's budget]"
MOST_FILES: Final = 1000
SHELL: Final = "shell"


class NoSeed(Exception):
    """A seed cannot be had; the text says why."""


class Seeding:
    """Fills the regions of one run. `allowed` are tools that whoever started the run need not be asked about."""

    def __init__(
        self,
        blueprint: Blueprint,
        inputs: Mapping[str, str],
        workdir: WorkDirectory,
        catalogue: Catalogue,
        window: Window,
        effects: Effects,
        tally: Tally,
        allowed: AbstractSet[str] = frozenset(),
    ) -> None:
        self._allowed = allowed
        self._blueprint = blueprint
        self._inputs = inputs
        self._workdir = workdir
        self._catalogue = catalogue
        self._window = window
        self._effects = effects
        self._tally = tally

    async def fill(self, stage: Stage, new: Iterable[Region]) -> None:
        """Fill the regions that are `new` with `stage`, and those that are filled anew with each stage."""
        fresh = [region.layout.name for region in new]
        for layout in stage.regions:
            seed = layout.seed
            if seed is not None and (layout.name in fresh or (isinstance(seed, ToolSeed) and seed.each_stage)):
                await self._fill(stage, self._window.region(layout.name), seed)

    async def _fill(self, stage: Stage, region: Region, seed: Seed) -> None:
        layout = region.layout
        try:
            text, level = await self._text(stage, region, seed)
            before = region.tokens
            region.replace(cut(text, layout.max_tokens, CUT), level)
        except (NoSeed, WindowError) as error:
            problem = f"region '{layout.name}': its seed cannot be had: {error}"
            if layout.required:
                raise RunFailed(problem) from None
            self._tally.take(Warned(stage.name, problem))
            return
        if not isinstance(seed, LiteralSeed | CallerSeed):
            self._tally.take(RegionChanged(stage.name, layout.name, "seeded", before, region.tokens))

    async def _text(self, stage: Stage, region: Region, seed: Seed) -> tuple[str, Level]:
        match seed:
            case LiteralSeed(text):
                return text, Level.PUBLIC
            case CallerSeed(key):
                return self._inputs.get(key, ""), Level.PUBLIC
            case CommandSeed(command):
                return await self._called(stage, region, (SeedCall(SHELL, {"command": command}),))
            case ToolSeed(calls):
                return await self._called(stage, region, calls)
            case FilesSeed() | GlobSeed() | ScriptSeed():
                return await self._read(region, seed), Level.INTERNAL

    async def _read(self, region: Region, seed: FilesSeed | GlobSeed | ScriptSeed) -> str:
        async def read() -> Json:
            try:
                return ["text", self._found(region, seed)]
            except (NoSeed, ToolError) as error:
                return ["problem", str(error)]

        match await self._effects.told("seed", region.layout.name, read):
            case ["text", str(text)]:
                return text
            case ["problem", str(why)]:
                raise NoSeed(why)
        raise NoSeed("what is stored of it cannot be read")

    def _found(self, region: Region, seed: FilesSeed | GlobSeed | ScriptSeed) -> str:
        match seed:
            case FilesSeed(paths):
                return self._files(region, paths)
            case GlobSeed(pattern):
                return self._files(region, self._matching(pattern))
            case ScriptSeed(path):
                return evaluated(path, self._workdir.read(path))

    def _files(self, region: Region, paths: Iterable[str]) -> str:
        """What the files hold, each under its name; no more is read than there is room for."""
        texts: list[str] = []
        listed = list(paths)
        for path in listed:
            if sum(len(text) for text in texts) > region.layout.max_tokens * 4:
                break
            text = self._workdir.read(path)
            texts.append(f"=== {path} ===\n{text}" if len(listed) > 1 else text)
        return "\n".join(texts)

    def _matching(self, pattern: str) -> list[str]:
        root = self._workdir.root
        try:
            found = [path for path in islice(root.glob(pattern), MOST_FILES) if path.is_file() and not path.is_symlink()]
        except (ValueError, NotImplementedError, OSError) as error:
            raise NoSeed(f"'{pattern}' is no pattern of files: {error}") from None
        return sorted(path.relative_to(root).as_posix() for path in found if path.resolve().is_relative_to(root))

    async def _called(self, stage: Stage, region: Region, calls: tuple[SeedCall, ...]) -> tuple[str, Level]:
        """What the tools say, each under its name; those that may not be called, or fail, are left out with a warning."""
        texts: list[str] = []
        level = Level.PUBLIC
        problems: list[str] = []
        for number, wanted in enumerate(calls):
            try:
                text, sensitivity = await self._call(stage, wanted, f"seed-{region.layout.name}-{number}")
            except NoSeed as error:
                problems.append(str(error))
            else:
                texts.append(f"## {wanted.tool}\n{text}" if len(calls) > 1 else text)
                level = max(level, sensitivity)
        if not texts or (problems and region.layout.required):
            raise NoSeed("; ".join(problems) or "it calls no tool")
        for problem in problems:
            self._tally.take(Warned(stage.name, f"region '{region.layout.name}': {problem}"))
        return "\n\n".join(texts), level

    async def _call(self, stage: Stage, wanted: SeedCall, id: str) -> tuple[str, Level]:
        tool = self._catalogue.find(wanted.tool, stage)
        if tool is None:
            raise NoSeed(f"there is no tool '{wanted.tool}'")
        policy = policy_for(tool, stage, self._blueprint, self._allowed)
        if policy != "allow":
            way = f"; whoever starts the run may allow it (--allow {wanted.tool})" if policy == "ask" else ""
            raise NoSeed(f'\'{wanted.tool}\' may not be called here: its policy is "{policy}", and only "allow" asks nobody{way}')
        call = ToolCall(id, wanted.tool, {} if wanted.arguments is None else wanted.arguments)
        violations = tool.violations(call.arguments)
        if violations:
            raise NoSeed(f"invalid arguments for '{wanted.tool}': {'; '.join(violations)}")
        leak = leak_of(tool, self._window) if stage.taint_tracking else None
        if leak is not None:
            raise NoSeed(leak.blocked())
        text, worked = await self._effects.tool(tool, call, run_tool)
        if not worked:
            raise NoSeed(text)
        return text, tool.sensitivity


def evaluated(path: str, source: str) -> str:
    """What the script `source` evaluates to on a fresh hardened engine, as text; NoSeed where it fails."""
    engine = hardened_engine()
    try:
        value = to_json(engine.eval(compiled(path, source)))
    except CompilationError as error:
        raise NoSeed(error.message) from None
    except RhaiError as error:
        raise NoSeed(f"{path}: {error.message}") from None
    except NotPlain as error:
        raise NoSeed(f"{path}: {error.what}") from None
    if value is None:
        return ""
    return value if isinstance(value, str) else dump(value)
