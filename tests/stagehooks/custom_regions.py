"""A window with one custom region, and an agent that has one."""

from pathlib import Path
from typing import Any

from stagehooks.agent import blueprint
from stagehooks.run.assembly import assemble
from stagehooks.run.custom import CustomRegion, Scene
from stagehooks.run.region import Entry, Text
from stagehooks.run.window import Window
from stagehooks.scripts.outcome import Json
from stagehooks.scripts.region import compile_region
from stagehooks.tools.levels import Level

RENDER = 'fn render(ctx) { "" }\n'
REGION: Json = {"name": "brain", "budget": 10, "current_tokens": 0, "entry_count": 0}


class Custom:
    """A window with one custom region, `brain`, and what its script was warned of."""

    def __init__(self, script: str, max_tokens: int = 100, **more: Any) -> None:
        self.warnings: list[str] = []
        compiled = compile_region("brain.rhai", script if "fn render" in script else RENDER + script)
        self.window = Window(scripts={"brain.rhai": compiled}, warn=self.warnings.append)
        self.window.lay_out([blueprint.Region("brain", "custom", max_tokens, script="brain.rhai", **more)])

    @property
    def region(self) -> CustomRegion:
        region = self.window.region("brain")
        assert isinstance(region, CustomRegion)
        return region

    def add(self, *said: str, level: Level = Level.PUBLIC) -> None:
        for text in said:
            self.region.add((Entry(Text(text), level),))

    def shown(self) -> tuple[tuple[str, ...], tuple[object, ...]]:
        return assemble(self.window, Scene("plan", 2, "m", 5, 100))


def agent(directory: Path, script: str | None, path: str = "brain.rhai") -> Path:
    (directory / "agent.toml").write_text(
        '[agent]\nname = "a"\n[stages.main]\n'
        + "".join(f'[context.regions.{name}]\nkind = "custom"\nscript = "{path}"\n' for name in ("brain", "again"))
    )
    (directory / "replies.toml").write_text("")
    if script is not None:
        (directory / "brain.rhai").write_text(script)
    return directory
