"""The second wall: the same outcomes as without it, and a process that can do nothing else, whatever it says."""

import subprocess
import sys
from typing import Final

import pytest

import stagehooks
from stagehooks import Allow, Cancel, HookError, IsolationError, Modify, Retry, call, call_isolated, compile, run_isolated
from stagehooks.scripts import isolated
from stagehooks.scripts.outcome import Json
from tests.attacks.children import ROOT

CTX: Final[Json] = {"n": 1, "items": [1, 2.5, -0.0, "text", "\U0001f600\x00\u202e", None, True, -(2**63), 1e308], "": {"a": []}}
BODIES: Final = (
    "()",
    "true",
    "false",
    '#{action: "modify", value: ctx}',
    '#{action: "retry"}',
    '#{action: "cancel", reason: `${ctx.n}`}',
    '#{action: "cancel", reason: 5}',
    "#{action: \"modify\", value: [0.0 / 0.0, -0.0, 1e308, 1e-320, 0.1 + 0.2, 'x', ctx.n - 2]}",
    'let s = ""; s.pad(900000, "y"); #{action: "modify", value: s}',
    'let a = 0; for i in 0..120 { a = [a]; } #{action: "modify", value: a}',
    "throw ctx",
    "throw 1",
    "loop {}",
    "let a = []; loop { a.push(a); }",
    "on_error(ctx)",
    "1 / 0",
    "nothing",
    "nothing(ctx)",
    "42",
    '"allow"',
    '#{action: "modfiy"}',
    "|x| x",
    '#{action: "modify", value: Fn("x")}',
    "let a = []; a.pad(9000, 1); loop { a == a; }",
    'let a = []; for i in 0..900 { let s = `${i}`; s.pad(900000, "y"); a.push(|| s); }',
    "[1].map(|x| nothing(x))",
    'parse_json("[")',
    'import "x" as y;',
    "ctx.items[9]",
    "exit(5)",
    "assert(1)",
    "this",
)


def told(make: object, body: str) -> object:
    """All that a caller can know of a call."""
    assert callable(make)
    script = compile("hooks.rhai", f"fn on_error(ctx) {{ {body} }}")
    try:
        return repr(make(script, "on_error", CTX))
    except HookError as error:
        inner = error.inner
        kinds = []
        while inner is not None:
            kinds.append((inner.kind, inner.message, inner.position))
            inner = inner.inner
        used = (error.operations, error.fuel, error.hit_a_limit, error.exit_code())
        return type(error), error.message, error.hook, error.line, error.column, error.excerpt(), used, kinds


@pytest.mark.parametrize("body", BODIES)
def test_outcomes_and_errors_are_those_of_a_plain_call(body: str) -> None:
    assert told(call_isolated, body) == told(call, body)


def test_what_is_no_plain_data_is_refused_before_a_process_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated, "_exchange", None)
    script = compile("hooks.rhai", "fn on_error(ctx) { () }")
    deep: Json = None
    for _ in range(200):
        deep = [deep]
    for ctx in (deep, "\ud800", 2**70):
        with pytest.raises(HookError) as here:
            stagehooks.run(script, "on_error", ctx)
        with pytest.raises(HookError) as there:
            run_isolated(script, "on_error", ctx)
        assert (type(here.value), here.value.message) == (type(there.value), there.value.message)


def test_a_call_that_takes_too_long_is_ended() -> None:
    script = compile("hooks.rhai", "fn on_error(ctx) { loop { } }")
    with pytest.raises(IsolationError, match=r"longer than 0\.001 seconds") as caught:
        run_isolated(script, "on_error", {}, seconds=0.001)
    assert caught.value.hit_a_limit
    assert caught.value.exit_code() == 3


# --- what the process can do ----------------------------------------------------------------------------------------------

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems limit processes otherwise, or not at all")


def behaving(monkeypatch: pytest.MonkeyPatch, code: str, seconds: float = isolated.SECONDS) -> object:
    """What comes of a call whose process runs `code` in place of the hook, after it was locked in."""
    lines = [
        "import sys, os, socket, subprocess, time",
        "sys.path += sys.argv[1:]",
        "from stagehooks.scripts import isolated_child",
        f"def made(*call):\n    exec({code!r})\n    return dict(outcome='allow', operations=1, fuel=1)",
        "isolated_child._called = made",
        "isolated_child.main()",
    ]
    monkeypatch.setattr(isolated, "START", "\n".join(lines))
    script = compile("hooks.rhai", "fn on_error(ctx) { () }")
    try:
        return run_isolated(script, "on_error", {}, seconds=seconds)
    except IsolationError as error:
        return error


ESCAPES: Final = (
    "open('/etc/passwd')",
    "open('/tmp/attack-was-here', 'w')",
    "os.open('/', 0)",
    "os.listdir('/')",
    "os.system('true')",
    "import ctypes",
    "socket.socket()",
    "subprocess.run(['true'])",
    "os.fork()",
    "os.kill(os.getppid(), 0)",
    "os.remove('/tmp/x')",
    "os.putenv('a', 'b')",
    "sys.settrace(None)",
    "__import__('sqlite3')",
    "os.dup(1)",
    "os.pipe()",
    "[0] * 2**30",
    "bytearray(2**30)",
    "while True: pass",
)


@linux
@pytest.mark.parametrize("escape", ESCAPES)
def test_whoever_broke_out_of_the_engine_is_still_locked_in(monkeypatch: pytest.MonkeyPatch, escape: str) -> None:
    assert behaving(monkeypatch, "pass") == Allow()
    assert isinstance(behaving(monkeypatch, escape, 1.0 if "while" in escape else isolated.SECONDS), IsolationError)


@pytest.mark.parametrize(
    "missing", ["import sys; sys.modules['resource'] = None", "import resource; resource.setrlimit = None.x"]
)
def test_a_system_that_cannot_limit_a_process_is_said_or_done_without(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    start = missing.replace("None.x", "lambda *limits: (_ for _ in ()).throw(ValueError('no'))") + "; " + isolated.START
    monkeypatch.setattr(isolated, "START", start)
    script = compile("hooks.rhai", 'fn on_error(ctx) { #{action: "modify", value: 1} }')
    with pytest.raises(IsolationError, match="strict=False goes without"):
        run_isolated(script, "on_error", {})
    assert run_isolated(script, "on_error", {}, strict=False) == Modify(1)


@linux
def test_a_process_that_gets_no_memory_says_so() -> None:
    script = compile(
        "hooks.rhai", 'fn on_error(ctx) { let s = ""; s.pad(900000, "x"); let a = []; for i in 0..99 { a.push(|| s + i); } () }'
    )
    with pytest.raises(HookError) as caught:
        run_isolated(script, "on_error", {}, memory=2**20)
    assert caught.value.hit_a_limit


# --- what the process says ------------------------------------------------------------------------------------------------

USED: Final = b'"operations": 1, "fuel": 1}\n'
SAYINGS: Final = (
    b"",
    b"\n",
    b"no json\n",
    b"null\n",
    b"[]\n",
    b"{}\n",
    b'{"outcome": "allow"}\n',
    b'{"outcome": "allow", "operations": "1", "fuel": 1}\n',
    b'{"outcome": "modfiy", USED',
    b'{"outcome": "modify", USED',
    b"[" * 100_000 + b"\n",
    b'{"outcome": "modify", "value": 99999999999999999999999, USED',
    b'{"outcome": "modify", "value": "\\ud800", USED',
    b'{"outcome": "modify", "value": ' + b"[" * 200 + b"]" * 200 + b", USED",
    b'{"error": "execution", "text": "", "inner": [], USED',
    b'{"error": "execution", "text": "", "inner": [5], USED',
    b'{"error": "execution", "text": "", "inner": [{"kind": "", "limit": true, "at": 1, "text": "", "message": ""}], USED',
    b'{"error": "execution", "text": "", "inner": [{"kind": "ErrorX", "limit": 1, "at": 1, "text": "", "message": ""}], USED',
    b'{"error": "odd", "text": "", USED',
    b'{"outcome": "allow", "operations": 1, "fuel": 1}',
    b'{"refused": 5}\n',
    b"\xff\n",
    b"9" * 5000 + b"\n",
)


@pytest.mark.parametrize("said", [said.replace(b"USED", USED) for said in SAYINGS])
def test_what_the_process_says_is_read_as_what_a_stranger_says(monkeypatch: pytest.MonkeyPatch, said: bytes) -> None:
    monkeypatch.setattr(isolated, "START", f"import sys; sys.stdin.read(); sys.stdout.buffer.write({said!r})")
    with pytest.raises(IsolationError):
        run_isolated(compile("hooks.rhai", "fn on_error(ctx) { () }"), "on_error", {})


@pytest.mark.parametrize(
    "code",
    [
        "import time; time.sleep(60)",  # never reads
        "import sys; sys.stdin.read(); sys.stdout.close(); import time; time.sleep(60)",
        "import os; os.close(0); os.close(1); import time; time.sleep(60)",
        "import sys\nwhile True: sys.stdout.write('x' * 65536)",
        "import os; os.abort()",
        "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
        "raise SystemExit(3)",
        "import sys; sys.stdout.write('{')",
    ],
)
def test_a_process_that_does_not_answer_holds_nobody_up(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setattr(isolated, "START", code)
    with pytest.raises(IsolationError):
        run_isolated(compile("hooks.rhai", "fn on_error(ctx) { () }"), "on_error", {"large": "x" * 900_000}, seconds=1.0)


def test_a_cancel_and_a_retry_come_back() -> None:
    script = compile("hooks.rhai", 'fn on_error(ctx) { #{action: ctx.what, reason: "why"} }')
    assert run_isolated(script, "on_error", {"what": "cancel"}) == Cancel("why")
    assert run_isolated(script, "on_error", {"what": "retry"}) == Retry()


def test_nothing_of_it_is_imported_before_it_is_used() -> None:
    code = f"import sys; sys.path.append({str(ROOT)!r}); import stagehooks; stagehooks.run_isolated; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True, timeout=60, capture_output=True, text=True)
    assert "stagehooks.scripts.isolated" in done.stdout.split()
    assert not {"subprocess", "resource", "multiprocessing"} & set(done.stdout.split())
