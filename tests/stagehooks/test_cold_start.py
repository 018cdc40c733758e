"""What a command loads before it does something: counted in modules, never in time."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = {
    "ast", "asyncio", "bz2", "concurrent", "ctypes", "dataclasses", "difflib", "email", "hashlib", "html", "http", "inspect",
    "lark", "logging", "lzma", "multiprocessing", "pathlib", "select", "shutil", "signal", "socket", "sqlite3", "ssl",
    "subprocess", "tempfile", "threading", "tomllib", "traceback", "typing", "urllib", "uuid",
}  # fmt: skip
"""Modules that take a while to load and that no hook needs."""
FOR_WORDS = {"argparse", "gettext", "locale"}
"""What reads a command line that is not written as the help text shows it."""
FOR_THE_ENGINE = {"binascii", "bisect", "collections.abc", "itertools", "math", "operator", "re", "struct", "types"}
"""The modules of the standard library that `rhaipy` asks for itself."""

MOST_MODULES = 210
"""Loading one takes a tenth of a millisecond or more."""

LIST = """
import contextlib, io, json, sys
sys.argv = ["stagehooks", *json.loads(sys.argv[1])]
with contextlib.redirect_stdout(io.StringIO()):
    code = __import__(sys.argv.pop(1), fromlist=["main"]).main()
print(json.dumps([code, sorted(sys.modules)]))
"""


def loaded(*arguments: str) -> set[str]:
    """The modules that are there when the command has ended; the first argument is the module whose `main` it is."""
    command = [sys.executable, "-S", "-c", LIST, json.dumps(arguments)]
    code, modules = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout)
    assert code == 0
    return set(modules)


@pytest.fixture
def script(tmp_path: Path) -> str:
    path = tmp_path / "guard.rhai"
    path.write_text('// A guard.\nfn on_tool_call(ctx) { if ctx.calls.len() > 2.5 { false } else { ctx.calls.contains("a") } }\n')
    return str(path)


def test_calling_a_hook_loads_neither_what_is_heavy_nor_the_runtime_of_agents(script: str) -> None:
    modules = loaded("stagehooks.__main__", "call", script, "on_tool_call", "--ctx", '{"calls": ["a"]}')
    assert not modules & (HEAVY | FOR_WORDS)
    assert len(modules) <= MOST_MODULES
    parts = {name.split(".")[1] for name in modules if name.startswith("stagehooks.")}
    assert parts == {"__main__", "agent", "call_command", "cli", "console", "errors", "plain_call", "run", "scripts"}
    assert {name for name in modules if name.startswith(("stagehooks.agent.", "stagehooks.run."))} == {"stagehooks.agent.reading"}


def test_running_a_script_loads_nothing_heavy() -> None:
    modules = loaded("rhaipy.__main__", "eval", '[1, 2].map(|x| x + 1).len() + "text".len()')
    assert not modules & (HEAVY - {"bz2", "lzma", "shutil"})  # argparse asks one of these how wide the terminal is


def test_importing_rhaipy_loads_what_runs_scripts_and_nothing_for_hosts_or_commands() -> None:
    order = "import sys; before = {*sys.modules}; import rhaipy; print(*sys.modules.keys() - before)"
    alone = f"import {', '.join(sorted(FOR_THE_ENGINE))}; {order}"
    found = []
    for text in (order, alone):
        done = subprocess.run([sys.executable, "-S", "-c", text], capture_output=True, text=True, check=True, cwd=ROOT)
        found.append(set(done.stdout.split()))
    modules, own = found
    assert {name.partition(".")[0] for name in own} == {"rhaipy"}, "what it asks for is what is named above"
    assert not modules & (HEAVY | FOR_WORDS | {"json"})
    assert not {name for name in own if name.startswith(("rhaipy.compiler", "rhaipy.cli"))}
    assert not own & {
        "rhaipy.completion",
        "rhaipy.file_resolver",
        "rhaipy.repl",
        "rhaipy.report",
        "rhaipy.signatures",
        "rhaipy.tree",
    }


def test_importing_stagehooks_loads_no_part_of_it() -> None:
    order = "import sys, stagehooks; print(*[name for name in sys.modules if name.startswith(('stagehooks.', 'rhaipy'))])"
    done = subprocess.run([sys.executable, "-c", order], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == ["stagehooks.run"]
