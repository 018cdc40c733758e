"""The house stands as `CONTRIBUTING.md` draws it: imports go down, nothing foreign comes in, files stay small."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("rhaipy", "stagehooks")
GENERATED = {"rhaipy/syntax/tables.py", "rhaipy/syntax/error_tables.py"}

# A module may import from its own floor and from those below; the longest prefix counts.
FLOORS = {
    "rhaipy.typings": 0,
    "rhaipy.records": 0,
    "rhaipy.source": 0,
    "rhaipy.errors": 1,
    "rhaipy.parse_errors": 1,
    "rhaipy.limit_errors": 1,
    "rhaipy.host_errors": 1,
    "rhaipy.host_types": 1,
    "rhaipy.limits": 2,
    "rhaipy.unicode": 2,
    "rhaipy.floats": 2,
    "rhaipy.signals": 2,
    "rhaipy.values": 2,
    "rhaipy.sizes": 2,
    "rhaipy.costs": 2,
    "rhaipy.display": 2,
    "rhaipy.integers": 2,
    "rhaipy.syntax": 3,
    "rhaipy.scope": 3,
    "rhaipy.functions": 3,
    "rhaipy.convert": 3,
    "rhaipy.operators": 3,
    "rhaipy.host": 3,
    "rhaipy.signatures": 3,
    "rhaipy.host_classes": 3,
    "rhaipy.events": 3,
    "rhaipy.settings": 3,
    "rhaipy.library": 4,
    "rhaipy.optimize": 4,
    "rhaipy.modules": 4,
    "rhaipy.sharing": 4,
    "rhaipy.lending": 4,
    "rhaipy.judging": 4,
    "rhaipy.resolvers": 4,
    "rhaipy.file_resolver": 4,
    "rhaipy.registration": 4,
    "rhaipy.interpreter": 4,
    "rhaipy.compiled": 4,
    "rhaipy.compiler": 4,
    "rhaipy.tiers": 4,
    "rhaipy.engine": 5,
    "rhaipy": 6,
    "rhaipy.completion": 7,
    "rhaipy.report": 7,
    "rhaipy.tree": 7,
    "rhaipy.repl": 7,
    "rhaipy.cli": 7,
    "rhaipy.__main__": 8,
    "stagehooks.errors": 9,
    "stagehooks.scripts": 10,
    "stagehooks.schema": 10,
    "stagehooks.agent": 11,
    "stagehooks.tools": 11,
    "stagehooks.models": 11,
    "stagehooks.run.region": 12,
    "stagehooks.run.kinds": 12,
    "stagehooks.run.custom": 12,
    "stagehooks.run.window": 12,
    "stagehooks.gate": 13,
    "stagehooks.run": 13,
    "stagehooks.store": 14,
    "stagehooks": 14,
    "stagehooks.arguments": 15,
    "stagehooks.console": 15,
    "stagehooks.progress": 15,
    "stagehooks.timeline": 15,
    "stagehooks.explain": 15,
    "stagehooks.check": 15,
    "stagehooks.plain_call": 15,
    "stagehooks.call_command": 15,
    "stagehooks.commands": 15,
    "stagehooks.run_commands": 15,
    "stagehooks.cases": 15,
    "stagehooks.replay": 15,
    "stagehooks.case_commands": 15,
    "stagehooks.pytest_plugin": 15,
    "stagehooks.cli_runs": 16,
    "stagehooks.cli_parser": 16,
    "stagehooks.cli": 16,
    "stagehooks.__main__": 17,
}
# The library gets what it calls back handed in; an evaluator imports no other's insides.
APART = [
    ("rhaipy.library", "rhaipy.interpreter"),
    ("rhaipy.library", "rhaipy.optimize"),
    ("rhaipy.library", "rhaipy.compiler"),
    ("rhaipy.optimize", "rhaipy.interpreter"),
    ("rhaipy.optimize", "rhaipy.compiler"),
    ("rhaipy.interpreter", "rhaipy.compiler"),
]

# What is public beside what a package itself exports. Only command lines need the first, which imports argparse; the other stands
# for a module of the standard library.
PUBLIC_MODULES = {"rhaipy.completion", "rhaipy.typings"}

# What a host program loads into itself may import that program.
PLUGINS = {"stagehooks.pytest_plugin": {"pytest"}}

# Ways for script text to reach the host; nobody in rhaipy may call them, whatever the argument.
FORBIDDEN_CALLS = {
    "getattr", "setattr", "delattr", "eval", "exec", "compile", "__import__", "globals", "locals", "vars", "map", "format_map",
}  # fmt: skip
# The compiler makes Python of trees that it builds itself, in one place.
MAY_CALL = {"rhaipy.compiler.script": {"compile", "exec"}}
FORBIDDEN_MODULES = {"os", "subprocess", "socket", "pickle", "copy", "ctypes", "importlib", "functools", "shutil", "marshal"}


def modules() -> dict[str, Path]:
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def tree(name: str) -> ast.Module:
    return ast.parse(MODULES[name].read_text(encoding="utf-8"))


def module_level(body: ast.Module) -> list[ast.stmt]:
    return [item for item in body.body if isinstance(item, ast.Import | ast.ImportFrom)]


def imports(name: str, *, lazy: bool) -> set[str]:
    """The modules that `name` imports, those imported inside functions too where `lazy`."""
    found = set()
    for item in ast.walk(tree(name)) if lazy else module_level(tree(name)):
        if isinstance(item, ast.Import):
            found |= {alias.name for alias in item.names}
        elif isinstance(item, ast.ImportFrom):
            assert item.level == 0, f"{name}: relative import"
            module = item.module or ""
            found |= {f"{module}.{alias.name}" if f"{module}.{alias.name}" in MODULES else module for alias in item.names}
    return found


def floor(name: str) -> int:
    package = name.partition(".")[0]
    while name not in FLOORS:
        name = name.rpartition(".")[0]
        assert name != package, "give the new module a floor"
    return FLOORS[name]


@pytest.mark.parametrize("name", MODULES)
def test_imports_only_go_down(name: str) -> None:
    for other in imports(name, lazy=True) & MODULES.keys():
        assert floor(other) <= floor(name), f"{name} imports {other} from above"


def test_there_is_no_import_cycle() -> None:
    graph = {name: imports(name, lazy=False) & MODULES.keys() for name in MODULES}
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, f"import cycle: {' -> '.join((*path, name))}"
        if name not in done:
            for other in graph[name]:
                visit(other, (*path, name))
            done.add(name)

    for name in graph:
        visit(name, ())


@pytest.mark.parametrize(("inner", "outer"), APART)
def test_rooms_that_must_not_know_each_other_do_not(inner: str, outer: str) -> None:
    for name in MODULES:
        if name.startswith(inner):
            assert not {other for other in imports(name, lazy=True) if other.startswith(outer)}, name


@pytest.mark.parametrize("name", [name for name in MODULES if name.startswith("stagehooks")])
def test_stagehooks_uses_only_what_rhaipy_exports(name: str) -> None:
    deep = {other for other in imports(name, lazy=True) if other.startswith("rhaipy.")} - PUBLIC_MODULES
    assert not deep, f"{name} reaches into {deep}"


@pytest.mark.parametrize("name", MODULES)
def test_at_run_time_only_the_standard_library_is_imported(name: str) -> None:
    roots = {other.partition(".")[0] for other in imports(name, lazy=False)}
    assert roots <= set(sys.stdlib_module_names) | set(PACKAGES) | PLUGINS.get(name, set()), name


@pytest.mark.parametrize("name", [name for name in MODULES if name.startswith("rhaipy") and name not in ("rhaipy.cli",)])
def test_rhaipy_holds_no_way_to_the_host(name: str) -> None:
    for item in ast.walk(tree(name)):
        if isinstance(item, ast.Call):
            called = item.func.id if isinstance(item.func, ast.Name) else getattr(item.func, "attr", "")
            attribute = isinstance(item.func, ast.Attribute)
            allowed = {"compile", "eval", "map"} if attribute else MAY_CALL.get(name, set())
            assert called not in FORBIDDEN_CALLS or called in allowed, f"{name}:{item.lineno}: {called}"
            assert not (attribute and called == "format"), f"{name}:{item.lineno}: format"
            assert not (not attribute and called == "open"), f"{name}:{item.lineno}: open"
    assert not imports(name, lazy=True) & FORBIDDEN_MODULES, name
    if not name.startswith("rhaipy.syntax.lexer"):
        assert "re" not in imports(name, lazy=True), name


@pytest.mark.parametrize("name", MODULES)
def test_nothing_is_imported_for_type_checkers_only(name: str) -> None:
    assert "TYPE_CHECKING" not in MODULES[name].read_text(encoding="utf-8")


@pytest.mark.parametrize("name", MODULES)
def test_files_stay_small(name: str) -> None:
    if str(MODULES[name].relative_to(ROOT)) not in GENERATED:
        assert len(MODULES[name].read_text(encoding="utf-8").splitlines()) <= 400, name


@pytest.mark.parametrize("name", MODULES)
def test_every_module_says_what_it_is(name: str) -> None:
    assert ast.get_docstring(tree(name)) or not MODULES[name].read_text(encoding="utf-8").strip(), name
