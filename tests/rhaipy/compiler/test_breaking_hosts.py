"""What a host can do between, during and around runs: the compiled tier gives what the reference evaluator gives."""

import gc
import sys
import threading
from collections.abc import Callable, Iterator
from traceback import extract_tb
from typing import Any, Final

import pytest

from rhaipy import Engine, Limits, Meter, Ref, RhaiError, Scope, Value
from rhaipy.interpreter import Machine

TIERS: Final = ("reference", "compiled", "auto")


def _same(run: Callable[[Any], object]) -> object:
    """What `run` gives for each tier, which must be the same."""
    reference, compiled, auto = [run(tier) for tier in TIERS]
    assert compiled == reference
    assert auto == reference
    return reference


def _verdict(engine: Engine, source: Any, **given: Any) -> object:
    try:
        return repr(engine.eval(source, **given))
    except RhaiError as error:
        return type(error).__name__, str(error)


# --- functions of the host ------------------------------------------------------------------------------------------------

USES: Final = """
    let a = [1]; let s = " x "; let r = []; let i = 0;
    while i < 2 {
        a.push(i); a.push("t"); s.trim(); r += [a.len(), s.len(), "a" + i, `${i}`];
        r += [type_of(i..3), a.is_empty(), i == 1, i < 1.5, -i];
        i += 1;
    }
    r
"""


def _push(items: list[Any], value: int) -> int:
    return 77


def _push_text(items: list[Any], value: str) -> int:
    return 78


def _count(items: list[Any]) -> int:
    return 42


def _count_text(text: str) -> int:
    return 43


def _join(text: str, number: int) -> str:
    return "joined"


def _text(number: int) -> str:
    return "text"


def _span(first: int, last: int) -> int:
    return 5


def _trim(text: str) -> str:
    return text


def _negative(number: int) -> int:
    return 500


OVERLOADS: Final = [
    ("push", _push), ("push", _push_text), ("len", _count), ("len", _count_text), ("is_empty", _count), ("+", _join),
    ("to_string", _text), ("..", _span), ("trim", _trim), ("-", _negative),
]  # fmt: skip


@pytest.mark.parametrize(("name", "function"), OVERLOADS)
def test_functions_of_the_host_answer_whenever_they_are_registered(name: str, function: Callable[..., Any]) -> None:
    def run(tier: Any) -> object:
        changed, plain = Engine(tier=tier), Engine(tier=tier)
        ast = plain.compile(USES)
        changed.register_fn("first", _negative)
        before = _verdict(changed, ast)
        changed.register_fn(name, function)
        return before, _verdict(changed, ast), _verdict(plain, ast), _verdict(changed, ast)

    _same(run)


class Steps:
    """Something that cannot be walked to its end."""

    def __iter__(self) -> Iterator[int]:
        yield 1
        yield 2
        raise KeyError("no more")


@pytest.mark.parametrize("body", ["r.push(i);", "if i == 1 { continue; } r.push(i);", "if i == 2 { break; } r.push(i);", ""])
@pytest.mark.parametrize("most", [0, *range(20, 45, 3)])
def test_an_iterator_that_fails_fails_at_its_operation(body: str, most: int) -> None:
    source = "let r = []; try { for i in steps() { " + body + " } } catch (e) { r.push(`${e}`); } r"

    def run(tier: Any) -> object:
        engine = Engine(Limits(max_operations=most), tier=tier)
        engine.register_type(Steps)
        engine.register_iterator(Steps, iter)
        engine.register_fn("steps", _steps)
        meter = engine.meter()
        return _verdict(engine, source, meter=meter), meter.operations

    _same(run)


def _steps() -> Steps:
    return Steps()


def test_callbacks_run_scripts_while_a_script_runs() -> None:
    def run(tier: Any) -> object:
        engine, log = Engine(tier=tier), list[object]()
        ast = engine.compile("fn twice(n) { n * 2 } let x = 1; for i in 0..3 { print(i); x += i; } x")

        def on_print(text: str) -> None:
            log.append((text, engine.call_fn(ast, "twice", int(text), eval_ast=False)))
            if text == "1" and len(log) < 6:
                log.append(engine.eval(ast))

        engine.on_print(on_print)
        return engine.eval(ast), log

    _same(run)


# --- meters, scopes -------------------------------------------------------------------------------------------------------

GROWS: Final = """
    fn f(n) { if n == 0 { 0 } else { 1 + f(n - 1) } }
    f(10); let s = ""; let a = []; let m = #{};
    for i in 0..200 { s += "abc"; a.push(s + s); m["k" + i] = `${i}${s}`; a[0] = [i, i, i]; }
    s.len() + a.len()
"""


@pytest.mark.parametrize(
    "limits",
    [Limits(fuel=1_000), Limits(max_string_size=10), Limits(max_array_size=3), Limits(max_map_size=2), Limits(max_operations=100),
     Limits(memory=1_000), Limits(max_call_levels=3)],
)  # fmt: skip
def test_a_meter_has_its_own_limits(limits: Limits) -> None:
    def run(tier: Any) -> object:
        meter, of_engine = Meter(limits), Meter(Limits())
        engine, plain = Engine(limits, tier=tier), Engine(tier=tier)
        script = plain.compile(GROWS)
        own = _verdict(plain, script, meter=meter)
        return own, meter.operations, _verdict(engine, script, meter=of_engine), of_engine.operations

    _same(run)


def test_calls_leave_the_same_in_the_scope() -> None:
    source = """
        fn f(n) { let t = 0; while n > 0 { t += n; n -= 1; x.push(n); } t }
        fn m() { this.push(1); let z = y; z }
        let a = x; a.push(2); x.push(K[0]); y += 1; let y = y + 1; { let y = 9; } a
    """

    def run(tier: Any) -> object:
        engine, scope = Engine(tier=tier), Scope()
        scope.push("x", [1])
        scope.push_constant("K", [2])
        scope.push("y", 5)
        ast = engine.compile(source, scope=scope)
        found: list[object] = []
        for eval_ast in (True, False):
            for rewind in (True, False):
                for name, args, this in (("f", (3,), Ref(1)), ("m", (), Ref([5]))):
                    found.append(_called(engine, ast, name, args, scope=scope, this=this, eval_ast=eval_ast, rewind_scope=rewind))
                    found.append((repr(this.value), scope.names[:], repr(scope.values), scope.constants[:]))
        return found

    _same(run)


def _called(engine: Engine, ast: Any, name: str, args: tuple[Value, ...], **given: Any) -> object:
    try:
        return repr(engine.call_fn(ast, name, *args, **given))
    except RhaiError as error:
        return type(error).__name__, str(error)


# --- what must not be left ------------------------------------------------------------------------------------------------

KNOTTED: Final = """
    fn f(n) { if n < 1 { 0 } else { g(n - 1) } } fn g(n) { f(n) }
    let c = 1; let h = |x| x + c; let i = 0; while i < 3 { i += 1; g(i); h.call(2); } f(3)
"""


@pytest.mark.parametrize("tier", TIERS)
def test_no_machine_is_kept_until_garbage_is_collected(tier: Any) -> None:
    engine = Engine(tier=tier)
    ast = engine.compile(KNOTTED)
    gc.collect()
    gc.disable()
    try:
        before = _machines()
        for _ in range(3):
            engine.eval(ast)
        assert _machines() == before
    finally:
        gc.enable()


def _machines() -> int:
    """How many are alive: other tests may hold some, in errors that they caught."""
    return len([item for item in gc.get_objects() if type(item) is Machine])


def test_errors_forget_the_frames_of_compiled_code() -> None:
    with pytest.raises(RhaiError) as caught:
        Engine(tier="compiled").eval("fn f(x) { throw [x] } let x = 1; while true { f(x) }")
    pending: list[BaseException | None] = [caught.value]
    while pending:
        found = pending.pop()
        if found is not None:
            pending += [found.__cause__, found.__context__, getattr(found, "inner", None)]
            assert "<rhai>" not in [frame.filename for frame in extract_tb(found.__traceback__)]


# --- stacks and threads ---------------------------------------------------------------------------------------------------

RECURSES: Final = "fn f(n) { if n == 0 { 0 } else { 1 + f(n - 1) } } let t = 0; while t < 3 { t += 1; } f(60)"


@pytest.mark.parametrize("depth", [100, 600, 850])
def test_a_host_may_be_deep_itself(depth: int) -> None:
    def deeper(work: Callable[[], object], left: int) -> object:
        return deeper(work, left - 1) if left else work()

    assert _same(lambda tier: deeper(lambda: _verdict(Engine(tier=tier), RECURSES), depth)) == "60"


def _nested(count: int, before: str, inner: str, after: str) -> str:
    return before * count + inner + after * count


@pytest.mark.parametrize(
    "source",
    [
        _nested(75, "(x + -", "x", ")"), _nested(75, "[", "x", ", x][0]"), _nested(75, "#{a: ", "x", "}.a"),
        _nested(75, "a[", "0", "]"), _nested(13, "loop { try { ", "x += 1;", " break; } catch (e) { } }"),
        _nested(30, "if x >= 0 { switch x { 0..9 if x < 5 => ", "x", ", _ => 3 } }"), " && ".join(["x == 1"] * 1_300),
        " || ".join(["x == 2"] * 1_300), " ?? ".join(["()"] * 1_300 + ["x"]), " && ".join(["x == 1"] * 5_000),
        " + ".join(["x"] * 2_000), " ?? ".join(["x"] * 2_000), " else ".join(["if x == 2 { 5 }"] * 500),
    ],
)  # fmt: skip
def test_nested_scripts_are_compiled_in_small_threads(source: str) -> None:
    limits = Limits(max_operations=100_000, max_expr_depth=0, max_function_expr_depth=0)

    def run(tier: Any) -> object:
        found: list[object] = []
        before = threading.stack_size(256 * 1024)
        engine = Engine(limits, tier=tier, optimize="none")
        script = "let x = 1; let a = [0]; " + source
        thread = threading.Thread(target=lambda: found.append(_verdict(engine, script)))
        thread.start()
        thread.join()
        threading.stack_size(before)
        return found

    _same(run)


def test_threads_share_a_script() -> None:
    ast = Engine().compile(USES)
    found: list[tuple[bool, object]] = []

    def work() -> None:
        for number in range(20):
            engine, own = Engine(tier="compiled"), number % 2 == 1
            if own:
                engine.register_fn("len", _count)
            found.append((own, _verdict(engine, ast)))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(interval)
    assert len(found) == 40
    assert len(set(found)) == 2


# --- large scripts --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "source",
    [
        "let x = 1; [" + "x, " * 20_000 + "1].len()",
        "let x = 1; #{" + ", ".join([f"k{number}: x" for number in range(10_000)]) + "}.len()",
        "let x = 'a'; `" + "${x}" * 10_000 + "`.len()",
        "fn f() { let x = 1; " + "x += x - x;" * 5_000 + " x } f()",
        "fn f() { let x = 1; [" + "x - x, " * 6_000 + " x].len() } f()",
        "".join([f"fn f{number}() {{ f{number + 1}() }} " for number in range(2_000)]) + "fn f2000() { eval('1') } f1990()",
        "let x = 5; switch x { " + ", ".join([f"{number} if x > {number} => {number}" for number in range(1_000)]) + " }",
    ],
)
def test_large_scripts_give_the_same(source: str) -> None:
    _same(lambda tier: _verdict(Engine(tier=tier, optimize="none"), source))
