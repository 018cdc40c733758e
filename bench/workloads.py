"""The work that is timed: each piece as a Rhai script, as a Python function, and as what peers understand."""

import ast
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from bench import native, program

SCRIPTS: Final = Path(__file__).parent / "scripts"

Kind: TypeAlias = Literal["fresh", "call", "run", "text", "compile"]
"""A call on a fresh engine, data in and data out; one on an engine that is there; a script; a text to run; one to compile."""


@dataclass(frozen=True)
class Workload:
    """One piece of work. `script` names the files in `scripts`, or is the text to compile.

    `python` gives the same value; `functions` are what it consists of, what is called last. `argument` is what it is called with.
    """

    key: str
    title: str
    kind: Kind
    script: str
    python: Callable[[], Any]
    functions: tuple[Callable[..., Any], ...] = ()
    argument: Any = None

    def rhai(self, hook: bool) -> str:
        """The script; the functions of the hook profile differ from the standard ones here and there."""
        if self.kind in ("compile", "text"):
            return self.script
        own = SCRIPTS / f"{self.script}.hook.rhai"
        return (own if hook and own.exists() else SCRIPTS / f"{self.script}.rhai").read_text(encoding="utf-8")


def _call(number: int) -> dict[str, Any]:
    name = ("read", "write", "shell", "search")[number % 4]
    arguments = {"path": f"src/module_{number}.py", "lines": number * 97 % 1500, "command": f"make step-{number}"}
    return {"id": f"call-{number}", "name": name, "arguments": arguments}


CTX: Final[dict[str, Any]] = {
    "stage": "build",
    "totals": {"turns": 3, "tokens": 12_345},
    "tool_calls": [_call(number) for number in range(20)],
}
"""What the hook of W1 sees: twenty tool calls, of which it keeps fifteen."""


def _compile(key: str, lines: int) -> Workload:
    text = program.in_python(lines)
    return Workload(key, f"compile {lines} lines", "compile", program.in_rhai(lines), lambda: ast.parse(text) and None)


def _guarded() -> Any:
    return native.on_tool_call(native.copied(CTX))


WORKLOADS: Final = (
    Workload("W1", "a hook call, fresh engine", "fresh", "hook", _guarded, (native.copied, native.on_tool_call), CTX),
    Workload("W1x", "its script alone", "call", "hook", lambda: native.on_tool_call(CTX), (native.on_tool_call,), CTX),
    _compile("W3a", 30),
    _compile("W3b", 500),
    Workload("W4", "fib(20), recursive", "run", "fib", native.fib_of_20, (native.fib, native.fib_of_20)),
    Workload("W5", "a loop of 100,000 turns", "run", "count", native.count, (native.count,)),
    Workload("W6", "sieve to 10,000", "run", "sieve", native.sieve, (native.sieve,)),
    Workload("W7", "10,000 lines of text", "run", "words", native.words, (native.words,)),
    Workload("W8", "filter, map, reduce 10,000 maps", "run", "closures", native.closures, (native.closures,)),
    Workload("W9", "30x30 matrix product", "run", "matrix", native.matrix, (native.filled, native.matrix)),
)
COMPUTING: Final = ("W4", "W5", "W6", "W7", "W8", "W9")
"""The keys of the workloads that only compute; means are over these."""
