"""What host and script can do to each other: exceptions, state, memory, and events that an audit hook sees."""

import copy
import json
import pickle
import subprocess
import sys
from contextlib import suppress
from typing import Any, Final

import pytest

from rhaipy import AST, STANDARD, Char, Engine, FnPtr, RhaiError, Scope
from rhaipy.convert import ConversionError, from_host
from rhaipy.tiers import Tier
from rhaipy.values import Shared
from stagehooks.errors import ContextError, HookError
from stagehooks.scripts.hardened import hardened_engine
from stagehooks.scripts.outcome import Json
from stagehooks.scripts.stage_hook import compile, run
from tests.attacks.children import ROOT
from tests.attacks.closed import strangers
from tests.attacks.tiers import TIERS, engine_for

# --- what leaves ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    "raised", [ValueError("x"), KeyError("x"), AssertionError(), RecursionError(), MemoryError(), StopIteration()]
)
def test_exceptions_of_registered_functions_leave_as_ours(raised: Exception, tier: Tier) -> None:
    def fail() -> int:
        raise raised

    engine = Engine(tier=tier)
    engine.register_fn("fail", fail)
    for source in ("fail()", "[1].map(|x| fail())", "`${fail()}`"):
        with pytest.raises(RhaiError) as caught:
            engine.eval(source)
        assert caught.value.__cause__ is None
        assert caught.value.__context__ is None
    for source in ("try { fail() } catch { 1 }", "let a = [2, 1]; a.sort(|x, y| fail()); a"):
        with suppress(RhaiError):  # scripts may catch most of them, and a comparer that fails is one that lies
            engine.eval(source)


@pytest.mark.parametrize("tier", TIERS)
def test_interrupts_pass(tier: Tier) -> None:
    def interrupt() -> int:
        raise KeyboardInterrupt

    engine, limit = Engine(tier=tier), sys.getrecursionlimit()
    engine.register_fn("interrupt", interrupt)
    for source in ("interrupt()", "try { interrupt() } catch { 1 }", "[2, 1].map(|x| interrupt())"):
        with pytest.raises(KeyboardInterrupt):
            engine.eval(source)
    assert sys.getrecursionlimit() == limit


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("source", ["fn f(n) { if n == 0 { 1 / 0 } else { f(n - 1) } } f(9)", "loop {}", "1 +", "throw [1, #{}]"])
def test_errors_hold_no_frames_and_can_be_copied_and_pickled_or_refuse(source: str, tier: Tier) -> None:
    with pytest.raises(RhaiError) as caught:
        engine_for(tier, "hook", {"max_operations": 1000}).eval(source)
    error: RhaiError | None = caught.value
    while error is not None:
        assert error.__context__ is None
        assert error.__cause__ is None
        error = error.inner


def test_a_script_is_not_pickled_nor_shown_at_length() -> None:
    ast = Engine().compile("let x = 1; " * 1000)
    assert len(repr(ast)) < 200
    with pytest.raises(TypeError):
        pickle.dumps(ast)
    with pytest.raises(TypeError):
        copy.deepcopy(ast)


def test_pointers_that_hold_one_another_have_a_short_repr() -> None:
    pointer = FnPtr("f")
    for _ in range(60):
        pointer = FnPtr("f", (pointer, pointer))
    assert len(repr(pointer)) < 200


# --- what is let in -------------------------------------------------------------------------------------------------------


class Evil(str):
    """A string with behaviour."""

    def __eq__(self, other: object) -> bool:
        raise AssertionError("compared")

    __hash__ = str.__hash__


class EvilInt(int):
    """An integer with behaviour."""


class EvilDict(dict[str, Any]):
    """A map with behaviour."""


REFUSED: Final[list[Any]] = [
    Evil("x"), EvilInt(1), EvilDict(), {1, 2}, object(), len, type, Exception("x"), memoryview(b"x"), 1j, 2**70, -(2**70),
    "\ud800", {"\udfff": 1}, {1: 2}, {Evil("k"): 1}, iter([]), (number for number in range(3)), Shared(1),
]  # fmt: skip


@pytest.mark.parametrize("value", REFUSED, ids=lambda value: type(value).__name__)
def test_objects_of_the_host_are_refused_with_their_path(value: Any) -> None:
    with pytest.raises(ConversionError) as caught:
        from_host({"regions": [value]}, "ctx")
    assert str(caught.value).startswith("ctx")
    script = compile("h.rhai", "fn on_error(ctx) { ctx.regions }")
    with pytest.raises(ContextError):  # not by the engine, which would refuse them too
        run(script, "on_error", {"regions": [value]})


def test_what_is_too_deep_or_too_large_does_not_come_in() -> None:
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    cycle: list[Any] = []
    cycle.append(cycle)
    script = compile("h.rhai", "fn on_error(ctx) { () }")
    values: list[Any] = [deep, cycle, "x" * 50_000_000, ["x" * 900_000] * 100, [0] * 100_001, [[0] * 9_000] * 20]
    for value in values:
        with pytest.raises(HookError):
            run(script, "on_error", {"value": value})


def test_what_is_too_deep_does_not_go_out() -> None:
    script = compile("h.rhai", 'fn on_error(ctx) { let a = []; for i in 0..150 { a = [a]; } #{ action: "modify", value: a } }')
    with pytest.raises(HookError, match="nested deeper than"):
        run(script, "on_error", {})


@pytest.mark.parametrize("value", ['Fn("f")', "|x| x", "1..5", "range(0, 9, 2)", "#{f: |x| x}", '[[Fn("f")]]'])
def test_what_is_no_plain_data_does_not_go_out(value: str) -> None:
    script = compile("h.rhai", f'fn on_error(ctx) {{ #{{ action: "modify", value: {value} }} }}')
    with pytest.raises(HookError):
        run(script, "on_error", {})


def test_scripts_change_copies_of_what_they_are_given() -> None:
    ctx: Json = {"a": [1, {"b": 2}], "s": "text"}
    before = json.dumps(ctx)
    source = 'fn on_error(ctx) { ctx.a[1].b = 9; ctx.a.clear(); ctx.s += "x"; ctx.remove("a"); ctx.b = ctx; () }'
    run(compile("h.rhai", source), "on_error", ctx)
    assert json.dumps(ctx) == before


# --- what stays -----------------------------------------------------------------------------------------------------------


def test_calls_share_nothing() -> None:
    script = compile("h.rhai", 'let n = 0; fn on_error(ctx) { let n = 0; n += 1; #{ action: "modify", value: n } }')
    assert len({repr(run(script, "on_error", {})) for _ in range(5)}) == 1


GROWTH: Final = """
import gc, json, os, sys
from stagehooks.scripts import calling
from stagehooks.scripts.stage_hook import compile, run
from stagehooks.errors import HookError
from tests.attacks.tiers import engine_for
calling.hardened_engine = lambda: engine_for(sys.argv[1])
scripts = [compile("h.rhai", source) for source in (
    "fn on_error(ctx) { let a = ctx.a; let f = |x| x + a.len(); a.map(f); #{ action: `modify`, value: a } }",
    "fn on_error(ctx) { throw ctx }",
    "fn on_error(ctx) { let f = (); let c = [1]; f = || c; c[0] = f; () }",
    "fn on_error(ctx) { for i in 0..3 { try { Fn(`x${ctx.n}y${i}`).call(i) } catch {} } false }",
    "fn on_error(ctx) { fn_that_is_not_there(ctx.n) }",
)]
def turn(count):
    for n in range(count):
        try:
            run(scripts[n % len(scripts)], "on_error", {"a": [n, "text", {"k": n}], "n": n})
        except HookError:
            pass
def held():
    gc.collect()
    mebibytes = 0.0
    if sys.platform.startswith("linux"):
        with open("/proc/self/statm") as file:
            mebibytes = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return mebibytes, len(gc.get_objects()), sys.getallocatedblocks()
turn(2_000)
before = held()
turn(10_000)
print(json.dumps([after - before for before, after in zip(before, held())]))
"""
FEW: Final = 300
"""Objects that come and go with caches; each call makes a hundred and more."""


@pytest.mark.parametrize("tier", TIERS)
def test_ten_thousand_calls_leave_memory_flat(tier: Tier) -> None:
    command = [sys.executable, "-c", GROWTH, tier]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=600)
    mebibytes, objects, blocks = json.loads(done.stdout)
    assert mebibytes < 5.0
    assert objects < FEW
    assert blocks < 10 * FEW


def test_no_file_socket_import_or_code_is_touched_while_scripts_run() -> None:
    command = [sys.executable, "-W", "error", "-m", "tests.attacks.audit"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=600)
    said = json.loads(done.stdout)
    assert said["ran"] > 1000
    assert said["touched"] == []
    assert said["strangers"] == []
    assert done.stderr == ""


# --- every value is of the closed set -------------------------------------------------------------------------------------

SAMPLES: Final[dict[type | None, Any]] = {
    str: "a", int: 3, float: 1.5, bool: True, list: [1, "b", [2]], dict: {"a": 1}, bytearray: bytearray(b"ab"), type(None): None,
    Char: Char("c"),
}  # fmt: skip


@pytest.mark.parametrize("tier", TIERS)
def test_every_value_that_a_script_can_see_is_of_the_closed_set(tier: Tier) -> None:
    engine = engine_for(tier, "plain", {"max_operations": 10_000})
    for item in STANDARD:
        if item.name in ("sleep", "exit") or not item.name.isidentifier():
            continue
        for first in SAMPLES.values():
            scope = Scope()
            for number, kind in enumerate(item.params):
                scope.push(f"v{number}", from_host(SAMPLES.get(kind, first)))
            with suppress(RhaiError):
                answer = engine.eval(f"{item.name}({', '.join(f'v{n}' for n in range(len(item.params)))})", scope)
                assert not strangers([answer]), item.name
            assert not strangers([value for _, _, value in scope]), item.name


def test_ast_is_what_is_compiled() -> None:
    assert type(hardened_engine().compile("1")) is AST
