"""The two evaluators give the same: verdict, text, position, operations, fuel, and what is left behind, wherever a run is cut."""

import warnings
from types import CodeType

import pytest

from conformance.cases import load
from conformance.fuzz.__main__ import main as fuzz
from conformance.subject import answer
from rhaipy import Engine, Limits, RhaiError
from rhaipy.compiler import Profile, compile_script, profile_of
from rhaipy.compiler.names import GLOBALS
from rhaipy.library import STANDARD
from rhaipy.limits import Options
from rhaipy.tiers import PAYS_AFTER

PLAIN = profile_of(Limits(max_operations=1_000_000), Options(), STANDARD)
METERED = profile_of(Limits(fuel=1_000_000, memory=2**27, max_string_size=10_000, max_array_size=1_000), Options(), STANDARD)

MANY = "".join([f"let a{number} = {number}; " for number in range(20)])

PROGRAMS = [
    'let x = ""; for i in 0..3 { x += "a" + i; } x',
    'fn f(a) { a + 1 } f("x")',
    "fn g(n) { if n < 2 { return n; } g(n - 1) + g(n - 2) } g(6)",
    "let a = [1, 2, 3]; let t = 0; while t < 5 { a[t % 3] += t; t += 1; a.push(t); } a",
    "let m = #{a: 1, b: [1, 2]}; try { m.c.d = 5; } catch (e) { m.b[0] = e.line; } m",
    "let n = 1; let f = |x| { n += x; n }; f.call(3); `${n} ${f.call(4)}`",
    'let t = 5; switch t { 5 if t > 3 => "a", 2..9 => 1, _ => 2 }',
    "let r = loop { break 7; }; let s = do { continue; } while r < 3; [r, s]",
    "[1, 2, 3, 4].filter(|x| x % 2 == 0).map(|x| x * 10).reduce(|sum, x| sum + x, 0)",
    # Who searches for a name pays for all the variables that are there.
    f"{MANY} fn f() {{}} {{ let z = 1; [1].map(f); }} 1",
    f"fn f() {{}} fn g(x) {{ {MANY} {{ let z = f; }} x }} g(1)",
    "let x = 9223372036854775807; try { x += 1; } catch { x -= 1; } x * 2",
    "fn deep(n) { deep(n + 1) } deep(0)",
    "const K = 3; let k = K; k <<= 2; -k + (k & 5) + !false",
    "let s = \"abc\"; s.trim(); s += 'd'; s.len() + s[1].len()",
    "let a = 1; { let a = 2; a += 1; } let a = a ?? 5; a && true",
    "let x = [[1], [2]]; for (row, i) in x { if i == 1 { break; } row[0] += 1; x[i] = row; } x",
    'throw #{why: "so"}',
    "let b = [1, [0]]; b != [[], 0] && 1 != [[2]]",
    "const V = [1]; try { V.find_map(|| { this += 0 }) } catch (e) { e.message }",
    'fn f(q) { q } let a = [[1]]; f(a); print(a); let g = || a; f(a); print(a); let h = curry(Fn("f"), [a]); a.push(2); h.call()',
]


@pytest.mark.parametrize("source", PROGRAMS)
@pytest.mark.parametrize("level", ["none", "simple"])
def test_a_run_may_be_cut_at_any_operation(source: str, level: str) -> None:
    whole = answer({"src": source, "opt": level, "tier": "reference", "limits": {"max_operations": 5_000}})
    for most in range(1, min(whole["ops"], 300) + 2):
        request = {"src": source, "opt": level, "vars": True, "limits": {"max_operations": most}}
        assert answer({**request, "tier": "compiled"}) == answer({**request, "tier": "reference"}), most


@pytest.mark.parametrize("source", PROGRAMS)
def test_a_run_may_run_out_of_fuel_anywhere(source: str) -> None:
    for fuel in range(1, 300):
        request = {"src": source, "limits": {"max_operations": 5_000, "max_string_size": 1_000}}
        compiled, reference = [answer({**request, "tier": tier}, fuel, 2**20) for tier in ("compiled", "reference")]
        assert compiled == reference, fuel
        if reference["ok"]:
            break


def test_random_programs_give_the_same_on_both(capsys: pytest.CaptureFixture[str]) -> None:
    found = fuzz(["--against-reference", "--count", "1400", "--seed", "27"])
    assert found == 0, capsys.readouterr().out


def _scripts() -> list[str]:
    return [case.request["src"] for case in load() if not case.request.get("options")]


def test_most_of_the_language_is_compiled() -> None:
    """What cannot be compiled falls back in silence: here it is counted."""
    whole = parts = 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # of Python's compiler: about code of ours that is odd
        for source in _scripts()[::7]:
            try:
                ast = Engine().compile(source)
            except RhaiError:
                continue
            units = bool(ast.program.statements) + len([item for item in ast.program.functions if item.body.statements])
            form = compile_script(ast.program.statements, ast.library, PLAIN) if PLAIN is not None else None
            whole += units
            parts += form.has_main + len(form.functions) if form is not None else 0
    assert whole > 1_000
    assert parts / whole > 0.9


def _names(code: CodeType) -> set[str]:
    found = {*code.co_names, *code.co_varnames, *code.co_freevars, *code.co_cellvars}
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= _names(constant)
    return found


OWN_NAMES = {
    "machine", "meter", "left", "level", "at", "this", "args", "result", "scope", "base", "error", "make", "main", "ceiling",
    "operations", "dropped", "end", "__class__", "value", "append", "names", "constants", "home", "sizes", "add",
}  # fmt: skip


@pytest.mark.parametrize("profile", [PLAIN, METERED])
def test_no_text_of_a_script_becomes_a_name(profile: Profile | None) -> None:
    assert profile is not None
    source = """
        fn getattr(globals, __class__) { globals.__dict__ + __class__["__globals__"] }
        let __import__ = 1; let machine = 2; let left = 3; let meter = |level| level + __import__;
        machine += left; let m = #{ __class__: 1, exec: 2 }; m.exec = m.__class__; meter.call(machine)
    """
    ast = Engine().compile(source)
    form = compile_script(ast.program.statements, ast.library, profile)
    assert form is not None
    assert form.has_main
    assert len(form.functions) == 2
    for name in _names(form.make.__code__) - OWN_NAMES - GLOBALS.keys():
        assert name[:1] in "vtefaK", name
        assert name.lstrip("vtefaK").isdigit(), name


def test_work_decides_when_a_script_is_compiled() -> None:
    engine = Engine(Limits(max_operations=10_000_000))
    ast = engine.compile("fn fib(n) { if n < 2 { n } else { fib(n - 1) + fib(n - 2) } } fib(5)")
    engine.eval(ast)
    assert not ast.library.forms
    assert engine.call_fn(ast, "fib", 18, eval_ast=False) == 2584
    assert ast.library.forms
    assert ast.library.work > PAYS_AFTER


def test_a_loop_of_the_program_is_compiled_at_once() -> None:
    engine = Engine()
    ast = engine.compile("let n = 0; while n < 3 { n += 1; } n")
    assert engine.eval(ast) == 3
    assert len(ast.library.forms) == 1


def test_who_wants_to_be_told_of_operations_is_told_of_each() -> None:
    engine = Engine(tier="compiled")
    told: list[int] = []
    engine.on_progress(told.append)
    assert engine.eval("let n = 0; while n < 3 { n += 1; } n") == 3
    assert told == list(range(1, told[-1] + 1))


def test_what_is_too_long_stays_with_the_evaluator() -> None:
    source = "let x = 0;" + "x += x * x - [x][0] % 3;" * 2_000 + "x"
    ast = Engine().compile(source)
    assert PLAIN is not None
    assert compile_script(ast.program.statements, ast.library, PLAIN) is None
    assert Engine(tier="compiled").eval(ast) == 0


@pytest.mark.parametrize(
    "inner", ["{ %s }", "if true { %s }", "loop { %s break; }", "try { %s } catch { }", "while true { %s break }"]
)
def test_what_is_nested_too_deep_for_python_stays_with_the_evaluator(inner: str) -> None:
    source = "1;"
    for _ in range(50):
        source = inner % source
    engine = Engine(Limits(max_expr_depth=0), tier="compiled", optimize="none")
    reference = Engine(Limits(max_expr_depth=0), tier="reference", optimize="none")
    assert engine.eval(source) == reference.eval(source)


@pytest.mark.parametrize(
    "source", ["x + missing", "x == missing", "x % 1", "x + x", "let y = x; y.push(1); [x, y]", "x.len() + x"]
)
def test_a_variable_of_the_host_is_copied_where_the_evaluator_copies_it(source: str) -> None:
    request = {"src": source, "scope": {"x": [[1], {"$blob": [1, 2]}, "text"]}, "opt": "none", "vars": True}
    compiled, reference = [answer({**request, "tier": tier}, 10_000, 2**20) for tier in ("compiled", "reference")]
    assert compiled == reference
    assert compiled["fuel"] > 0
