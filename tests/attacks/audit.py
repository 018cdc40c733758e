"""The child process in which scripts run while an audit hook listens: `python -m tests.attacks.audit`.

Prints, as JSON, how many scripts ran, what they touched (files, sockets, processes, imports, code), and the types outside the
closed set that could be reached from what they gave. The compiled tier makes code of syntax trees before a script runs on it:
that is listened to apart, and must never begin with a text.
"""

import ast
import json
import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any, Final

from conformance import cases
from rhaipy import AST, Engine, RhaiError, Scope
from tests.attacks import rows
from tests.attacks.closed import strangers
from tests.attacks.tiers import TIERS, engine_for

FORBIDDEN: Final = frozenset({
    "compile", "ctypes", "exec", "fcntl", "glob", "import", "mmap", "open", "os", "pty", "shutil", "signal", "socket", "sqlite3",
    "subprocess", "tempfile", "urllib", "webbrowser", "pickle", "marshal", "code", "gc",
})  # fmt: skip
COMPILING: Final = frozenset({"compile", "exec"})
"""What the compiled tier does before a script runs on it."""
TEMPLATES: Final = (b"def f(): pass",)
"""Texts that it begins with; nothing of a script is in them."""
COMPILER: Final = ("rhaipy.compiler", "rhaipy.tiers")
EVERY: Final = {"reference": 14, "compiled": 48}
"""One in so many of the conformance cases is run on each tier; to compile a script takes longer than to run it."""


class Audit:
    """Listens while `listening`."""

    def __init__(self) -> None:
        self.listening = False
        self.touched: set[str] = set()
        sys.addaudithook(self.take)

    def take(self, event: str, args: tuple[Any, ...]) -> None:
        """Note an event that must not be."""
        if not self.listening or event.partition(".")[0] not in FORBIDDEN:
            return
        self.listening = False
        if event == "compile" and not isinstance(args[0], ast.AST) and args[0] not in TEMPLATES:
            self.touched.add(f"compile of {type(args[0]).__name__}")
        elif event.partition(".")[0] not in COMPILING or not _compiling():
            self.touched.add(f"{event} {args!r:.200}")
        self.listening = True


def _compiling() -> bool:
    """Is the compiled tier at work, further up?"""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if str(frame.f_globals.get("__name__", "")).startswith(COMPILER):
            return True
        frame = frame.f_back
    return False


def scripts() -> Iterator[tuple[Engine, AST]]:
    """The attacks that are short, on each tier, and conformance cases."""
    for tier in TIERS:
        for attack in rows.written():
            if len(attack.source) < 3_000 and attack.id[0] in "ACEF":
                yield from _compiled(engine_for(tier), attack.source)
        for case in cases.load()[:: EVERY[tier]]:
            yield from _compiled(engine_for(tier, "plain", {"max_operations": 20_000, "fuel": 200_000}), str(case.request["src"]))


def _compiled(engine: Engine, source: str) -> Iterator[tuple[Engine, AST]]:
    try:
        yield engine, engine.compile(source)
    except RhaiError:
        return


def main() -> None:
    """Run everything."""
    audit = Audit()
    found: set[str] = set()
    prepared = list(scripts())
    for tier in TIERS:
        engine_for(tier).eval(
            "let a = []; for i in 0..9 { a.push(|x| x + i); } a.map(|f| f.call(1))"
        )  # imports what is imported late
    audit.listening = True
    for engine, script in prepared:
        scope = Scope()
        try:
            found |= strangers([engine.eval(script, scope)])
        except RhaiError as error:
            found |= strangers([error.innermost.fields()])
        found |= strangers([value for _, _, value in scope])
    audit.listening = False
    print(json.dumps({"ran": len(prepared), "touched": sorted(audit.touched)[:20], "strangers": sorted(found)}))


if __name__ == "__main__":
    main()
