"""The place where an attack on the runtime happens: an agent and a work directory, and beside them what must not be reached.

secret.txt, outside/    not to be read, changed or added to
agent/                  an agent, with what the attack puts there
work/                   what its tools are confined to
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

SECRET: Final = "TOP SECRET 4711"
AGENT: Final = '[agent]\nname = "test"\n[stages.main]\n'
EVIL: Final = f'fn on_error(ctx) {{ #{{ action: "modify", value: "{SECRET}" }} }}'


@contextmanager
def place(attack: Mapping[str, Any]) -> Iterator[Path]:
    """A directory laid out for `attack`: its `files` (bytes in hexadecimal), `links` and `fifos`."""
    with TemporaryDirectory(prefix="attack-") as name:
        root = Path(name).resolve()
        for directory in ("outside", "agent", "work"):
            (root / directory).mkdir()
        (root / "secret.txt").write_text(SECRET)
        (root / "outside" / "evil.rhai").write_text(EVIL)
        (root / "agent" / "agent.toml").write_text(AGENT)
        for path, content in attack.get("files", {}).items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(bytes.fromhex(content))
        for path, target in attack.get("links", {}).items():
            (root / path).unlink(missing_ok=True)
            (root / path).symlink_to(target)
        for path in attack.get("fifos", ()):
            os.mkfifo(root / path)
        yield root


def harm(root: Path, text: str) -> str:
    """What an attack did that it must not: empty where it did nothing."""
    if SECRET in text:
        return "the secret was read"
    if (root / "secret.txt").read_text() != SECRET:
        return "the secret was changed"
    if os.listdir(root / "outside") != ["evil.rhai"] or (root / "outside" / "evil.rhai").read_text() != EVIL:
        return "something outside was changed"
    if sorted({*os.listdir(root)} - {"store"}) != ["agent", "outside", "secret.txt", "work"]:
        return "something was made outside"
    return ""
