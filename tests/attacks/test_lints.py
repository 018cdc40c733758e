"""What nobody may write in the packages: ways for the text of a script to become a name, a format, a pattern or code of Python.

`tests/test_architecture.py` forbids the modules and calls; here are the forms that need a look at what stands in the call.
"""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.attacks.children import ROOT

FILES: Final = sorted(path for package in ("rhaipy", "stagehooks") for path in (ROOT / package).rglob("*.py"))
NAMED: Final = {"getattr", "setattr", "delattr", "hasattr", "attrgetter", "methodcaller"}
"""Calls whose name of an attribute must stand there as a text."""
NEVER: Final = {"eval", "exec", "compile", "__import__", "format_map", "globals", "locals", "breakpoint"}
MODULES: Final = {"pickle", "marshal", "shelve", "copy", "ctypes", "code", "codeop", "string", "gettext", "logging", "runpy"}
"""Modules that make code or objects of data, or formats of texts."""
PATTERNS: Final = {"compile", "match", "fullmatch", "search", "findall", "finditer", "split", "sub", "subn"}

MAY: Final = {
    ("rhaipy/compiler", "compile"): "makes code of syntax trees; tests/attacks/audit.py sees that no text comes near it",
    ("rhaipy/compiler", "exec"): "makes functions of that code",
    ("rhaipy/records.py", "hasattr"): "names of fields of the records of this package",
    ("rhaipy/records.py", "attrgetter"): "the same names",
    ("rhaipy/typings.py", "hasattr"): "names of methods of the protocols of this package",
    ("rhaipy/tree.py", "attrgetter"): "names of fields of nodes",
    ("stagehooks/__init__.py", "globals"): "keeps a name that was loaded late",
    ("stagehooks/__init__.py", "getattr"): "names that the package exports",
    ("stagehooks/tools/soundness.py", "getattr"): "names of a table that stands there",
    ("stagehooks/run/stages.py", "re"): "the name of a stage, escaped",
    ("stagehooks/scripts/html_text.py", "re"): "names of elements that stand there",
    ("stagehooks/schema/keywords.py", "re"): "patterns of an agent's schemas, whose author is trusted (SECURITY.md)",
    ("stagehooks/schema/judge.py", "re"): "the same patterns",
}
"""What is done all the same: where, what, and why that is well."""


def excused(path: Path, what: str) -> bool:
    """Is it one of those that may?"""
    place = path.relative_to(ROOT).as_posix()
    return any(what == wanted and (place == home or place.startswith(f"{home}/")) for home, wanted in MAY)


def faults(path: Path, source: str) -> Iterator[str]:
    """What is written in `source`, the text of the file `path`, that must not be."""
    tree = ast.parse(source)
    imported = {alias.name for item in ast.walk(tree) if isinstance(item, ast.ImportFrom) for alias in item.names}
    for item in ast.walk(tree):
        if isinstance(item, ast.Call) and not (isinstance(item.func, ast.Name) and item.func.id in imported - NAMED):
            yield from _in_call(path, item)
        elif isinstance(item, ast.BinOp) and isinstance(item.op, ast.Mod) and _is_text(item.left):
            yield from _unless_excused(path, item, "%")
        elif isinstance(item, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in item.names] if isinstance(item, ast.Import) else [item.module or ""]
            yield from (f"{item.lineno}: import {name}" for name in names if name.partition(".")[0] in MODULES)


def _in_call(path: Path, call: ast.Call) -> Iterator[str]:
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    if name in NAMED and not (len(call.args) > 1 and isinstance(call.args[1], ast.Constant)):
        yield from _unless_excused(path, call, name)
    if name in NEVER or method == "format_map":
        yield from _unless_excused(path, call, name or method)
    if method == "format" or name == "format":
        yield from _unless_excused(path, call, "format")
    if isinstance(owner, ast.Name) and owner.id == "re" and method in PATTERNS and not _is_written(call.args[0]):
        yield from _unless_excused(path, call, "re")


def _unless_excused(path: Path, item: ast.expr, what: str) -> Iterator[str]:
    if not excused(path, what):
        yield f"{item.lineno}: {what}"


def _is_text(item: ast.expr) -> bool:
    return isinstance(item, ast.JoinedStr) or (isinstance(item, ast.Constant) and isinstance(item.value, str | bytes))


def _is_written(item: ast.expr) -> bool:
    """Is it a text that stands there, or one made of names in capitals and texts?"""
    if isinstance(item, ast.JoinedStr):
        return all(_is_written(part.value if isinstance(part, ast.FormattedValue) else part) for part in item.values)
    if isinstance(item, ast.BinOp):
        return _is_written(item.left) and _is_written(item.right)
    if isinstance(item, ast.Call):  # "|".join(NAMES)
        return isinstance(item.func, ast.Attribute) and _is_written(item.func.value)
    return isinstance(item, ast.Constant) or (isinstance(item, ast.Name) and item.id.lstrip("_").isupper())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_text_of_a_script_can_become_a_name_a_format_a_pattern_or_code(path: Path) -> None:
    assert list(faults(path, path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    "source",
    [
        "getattr(a, b)",
        "setattr(a, b, 1)",
        "eval(a)",
        "exec(a)",
        "compile(a, b, c)",
        "a.format(b)",
        "a.format_map(b)",
        "'%s' % a",
        "f'{a}' % b",
        "b'%s' % a",
        "import pickle",
        "from pickle import loads",
        "import copy",
        "re.compile(a)",
        "re.match(a + 'x', b)",
        "re.sub(f'{a}', '', b)",
        "format(a, b)",
        "__import__(a)",
        "from string import Template",
    ],
)
def test_the_lint_sees(source: str) -> None:
    assert list(faults(ROOT / "rhaipy" / "values.py", source))


def test_every_excuse_is_needed() -> None:
    for home, what in MAY:
        files = [path for path in FILES if path.relative_to(ROOT).as_posix().startswith(home)]
        sources = [path.read_text(encoding="utf-8") for path in files]
        assert any(f" {what}" in fault for source in sources for fault in faults(ROOT / "rhaipy" / "values.py", source)), home
