"""The Markdown documents of the repository, taken apart: fenced and indented blocks, links, file names.

An HTML comment right before a block says something of it, `<!-- KEY: TEXT -->`:

    unchecked   nobody can check the block; TEXT is the reason
    file        the reader saves the block under this name; later blocks of the document use it
    newcomer    the block is one of the two commands that a newcomer types
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent.parent
MARKS: Final = ("unchecked", "file", "newcomer")
NOT_OURS: Final = {"target", "node_modules", "build", "dist", "__pycache__"}

_FENCE: Final = re.compile(r"( *)(`{3,}|~{3,})\s*(\S*)\s*$")
_MARK: Final = re.compile(r"<!-- (\w+): (.+) -->\s*$")
_LIST_ITEM: Final = re.compile(r" *([-*+]|\d+[.)]) ")
_LINK: Final = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_CODE: Final = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_PATH: Final = re.compile(r"[\w.*-]+(/[\w.*-]+)*/?")
_PLACEHOLDER: Final = re.compile(r"\b[A-Z]{3,}\b(?!\.md)")
_NAMES_A_FILE: Final = (".py", ".md", ".toml", ".rhai", ".lark", ".rs", ".jsonl", "/")


@dataclass(frozen=True, slots=True)
class Block:
    """One block of code. `line` is the line of the document on which its text begins, from 1."""

    document: Path
    line: int
    language: str
    text: str
    marks: dict[str, str]

    @property
    def where(self) -> str:
        """`document:line`."""
        return f"{self.document.relative_to(ROOT).as_posix()}:{self.line}"

    @property
    def is_checked(self) -> bool:
        """Is the block to be checked, or is there a reason not to?"""
        return "unchecked" not in self.marks


def documents() -> list[Path]:
    """Every Markdown document of the repository."""
    found = []
    for directory, names, files in os.walk(ROOT):
        names[:] = sorted(name for name in names if name not in NOT_OURS and not name.startswith("."))
        found += [Path(directory, name) for name in sorted(files) if name.endswith(".md")]
    return found


def blocks(document: Path) -> list[Block]:
    """The blocks of `document`, in its order. An indented block is one of commands."""
    return [*_blocks(document, document.read_text(encoding="utf-8").split("\n"))]


def _blocks(document: Path, lines: list[str]) -> Iterator[Block]:
    marks: dict[str, str] = {}
    in_list, number = False, 0
    while number < len(lines):
        line = lines[number]
        fence = _FENCE.match(line)
        if fence or _begins_indented_block(lines, number, in_list):
            start = number + 1 if fence else number
            end = _end_of_fence(lines, start, fence[1] + fence[2]) if fence else _end_of_indented(lines, start)
            indent = len(fence[1]) if fence else 4
            text = "".join(f"{item[indent:]}\n" for item in lines[start:end])
            yield Block(document, start + 1, fence[3] if fence else "sh", text, marks)
            marks, number = {}, end + 1 if fence else end
            continue
        mark = _MARK.match(line)
        if mark:
            marks = marks | {mark[1]: mark[2]}
        elif line.strip():
            marks, in_list = {}, bool(_LIST_ITEM.match(line)) or (in_list and line.startswith(" "))
        number += 1


def _begins_indented_block(lines: list[str], number: int, in_list: bool) -> bool:
    return not in_list and lines[number].startswith("    ") and number > 0 and not lines[number - 1].strip()


def _end_of_fence(lines: list[str], start: int, fence: str) -> int:
    end = next((number for number in range(start, len(lines)) if lines[number].rstrip() == fence), None)
    assert end is not None, f"a fence is never closed, line {start}"
    return end


def _end_of_indented(lines: list[str], start: int) -> int:
    return next((number for number in range(start, len(lines)) if not lines[number].startswith("    ")), len(lines))


def prose(document: Path) -> str:
    """The text of `document` with an empty line for each line of a block."""
    lines = document.read_text(encoding="utf-8").split("\n")
    for block in blocks(document):
        count = block.text.count("\n")
        lines[block.line - 1 : block.line - 1 + count] = [""] * count
    return "\n".join("" if _FENCE.match(line) else line for line in lines)


def spans(document: Path) -> list[tuple[int, str]]:
    """What stands in the running text as code, each with its line."""
    lines = enumerate(prose(document).split("\n"), 1)
    return [(number, span) for number, line in lines for span in _CODE.findall(line)]


def links(document: Path) -> list[str]:
    """The targets of links to other places of the repository."""
    return [target for target in _LINK.findall(prose(document)) if not re.match(r"[a-z]+:", target)]


def named_files(document: Path) -> list[str]:
    """What stands in the prose as code and looks like the path of a file or directory, but for those with a PLACEHOLDER."""
    named = [span for _, span in spans(document) if _PATH.fullmatch(span) and span.endswith(_NAMES_A_FILE)]
    return [span for span in named if ("/" in span or span.endswith((".md", ".lark"))) and not _PLACEHOLDER.search(span)]


def anchors(document: Path) -> set[str]:
    """The anchors that the headings of `document` have."""
    titles = re.findall(r"^#+ (.+)$", prose(document), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
