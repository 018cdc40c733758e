"""Commands that documents tell their readers to type, run as a reader would: in a copy of the checkout, nothing installed.

One command a line. `# exit 2` behind it says how it ends, where that is not 0. In a `console` block commands begin with `$ `,
and below each stands what it prints; `...` stands for any text in a line, or for any lines.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.docs.documents import NOT_OURS, ROOT, Block, spans

UNRUN: Final = {
    "make test": "it runs these tests",
    "make lint": "a part of make test, in an environment of its own",
    "make types": "a part of make test, in an environment of its own",
    "make pytest": "it runs these tests",
    "make conformance": "a part of make test, in an environment of its own",
    "python -m grammar.build": "it needs Lark and writes the tables; a test of the grammar compares them",
    "python -m conformance": "make test runs it",
    "python -m conformance --json": "the same once more",
    "python -m conformance --tier all": "the same once for each evaluator",
    "python -m conformance --subject COMMAND": "it needs another Rhai",
    "python -m conformance.stdlib": "it writes a page; a test compares it",
    "python -m conformance.page": "it writes a page; a test compares it",
    "python -m conformance --live": "it needs the real engine; make test runs it where there is cargo",
    "python -m conformance --record": "it needs the real engine, and writes the recordings",
    "python -m conformance --record [TOPIC ..]": "it needs the real engine, and writes the recordings",
    "make bench": "it takes minutes, and writes a page",
    "python -m bench --quick": "it takes a minute",
    "pip install .": "it needs the network, for the tool that builds",
    "python -m conformance.fuzz --count 5000": "it needs the real engine, and takes minutes",
    "make fuzz SECONDS=600": "it needs the real engine, and takes minutes",
    "python -m conformance.fuzz --seconds 600 --seed 7": "it needs the real engine, and takes minutes",
    "python -m conformance.fuzz --count 100000 --kind library --kind limits": "it needs the real engine, and takes minutes",
    "python -m conformance.fuzz --kind calls --seed 7 --first 1234 --count 1": "it needs the real engine",
    "make fuzz-crash": "it takes a minute, in an environment of its own",
    "make fuzz-crash SECONDS=600": "it takes minutes",
    "python -m tests.attacks.crash --plain --seconds 600 --seed 7": "it takes minutes",
    "python -m tests.attacks.crash --again .crash/compile-83ff09ae6215": "there is no such finding",
}
"""Commands that cannot run in tests, with the reason."""

SECONDS: Final = 120
_EXIT: Final = re.compile(r"\s# exit (\d+)$")
_TYPED: Final = re.compile(r"(python3? -m|make|pip|rhaipy|stagehooks) ")
_PLACEHOLDER: Final = re.compile(r"\b[A-Z]{3,}\b|\.\.|\|")
_REMARK: Final = re.compile(r"""^((?:[^'"]|'[^']*'|"[^"]*")*?)\s+# .*$""")


@dataclass(frozen=True, slots=True)
class Command:
    """One command. `line` is the document's, `output` what it must print (None: not said)."""

    line: int
    text: str
    code: int = 0
    output: str | None = None


def commands(block: Block) -> Iterator[Command]:
    """The commands of a `sh` or `console` block."""
    lines = [*enumerate(block.text.rstrip("\n").split("\n"), block.line)]
    if block.language == "console":
        starts = [place for place, (_, line) in enumerate(lines) if line.startswith("$ ")]
        assert starts[:1] == [0], f"{block.where}: a console block begins with '$ ' and a command"
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
            number, line = lines[start]
            yield _command(number, line[2:], "".join(f"{text}\n" for _, text in lines[start + 1 : end]))
        return
    for number, line in lines:
        if line.strip() and not line.startswith("#"):
            yield _command(number, line, None)


def inline_commands(document: Path) -> Iterator[Command]:
    """The commands in the running text of `document`, but for those with a PLACEHOLDER."""
    for line, text in spans(document):
        if _TYPED.match(text) and not _PLACEHOLDER.search(text):
            yield Command(line, text)


def _command(number: int, line: str, output: str | None) -> Command:
    code = _EXIT.search(line)
    return Command(number, _REMARK.sub(r"\1", line).strip(), int(code[1]) if code else 0, output)


class Checkout:
    """A copy of the repository as a clone would have it, and a shell in it with little but Python."""

    def __init__(self, room: Path) -> None:
        self.directory = room / "project"
        self._home = room / "home"
        self._programs = room / "bin"
        shutil.copytree(ROOT, self.directory, ignore=_what_a_clone_lacks)
        self._home.mkdir()
        self._programs.mkdir()
        python = os.path.realpath(sys.executable)
        for name, arguments in (("python3", ""), ("python", ""), ("rhaipy", "-m rhaipy"), ("stagehooks", "-m stagehooks")):
            program = self._programs / name  # the last two as an installation would have made them
            program.write_text(f'#!/bin/sh\nexec "{python}" {arguments} "$@"\n', encoding="utf-8")
            program.chmod(0o755)

    def save(self, name: str, text: str) -> None:
        """Write what a reader saves under `name`."""
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(self, command: Command) -> str:
        """What is wrong with what `command` does; empty where all is as the document says."""
        environment = {
            "PATH": f"{self._programs}:/usr/bin:/bin",
            "HOME": str(self._home),
            "LANG": "C.UTF-8",
            "PYTHONUNBUFFERED": "1",
        }
        done = subprocess.run(
            command.text,
            shell=True,
            cwd=self.directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            timeout=SECONDS,
            check=False,
        )
        if done.returncode != command.code:
            return f"line {command.line}: {command.text}\nended with {done.returncode}, not {command.code}:\n{done.stdout}"
        if command.output is not None and not _pattern(command.output).fullmatch(done.stdout):
            return f"line {command.line}: {command.text}\nprinted:\n{done.stdout}\nand not:\n{command.output}"
        return ""


def _pattern(output: str) -> re.Pattern[str]:
    lines = [_line(line) for line in output.rstrip("\n").split("\n")]
    return re.compile("".join(lines) + r"\s*")


def _line(line: str) -> str:
    if line.strip() == "...":
        return "(?:.*\n)*?"
    return r"[^\n]*".join(re.escape(part) for part in line.rstrip().split("...")) + "[ ]*\n"


def _what_a_clone_lacks(directory: str, names: list[str]) -> set[str]:
    return {name for name in names if name in NOT_OURS or name.startswith(".") or name.endswith(".egg-info")}
