"""The hardened engine: its limits, its functions, and what is not there."""

import pytest

from stagehooks.errors import ExecutionError, HookError
from stagehooks.scripts.functions import HOOK_FUNCTIONS, estimate_tokens
from stagehooks.scripts.hardened import LIMITS, PARITY_LIMITS
from stagehooks.scripts.outcome import Json, Modify
from stagehooks.scripts.stage_hook import call, compile, run


def value(expression: str, before: str = "", **ctx: Json) -> Json:
    script = compile("h.rhai", f'fn on_error(ctx) {{ {before} #{{ action: "modify", value: {expression} }} }}')
    outcome = run(script, "on_error", dict(ctx))
    assert isinstance(outcome, Modify)
    return outcome.value


def failure(body: str, before: str = "") -> HookError:
    with pytest.raises(HookError) as caught:
        run(compile("h.rhai", f"{before} fn on_error(ctx) {{ {body} }}"), "on_error", {})
    return caught.value


def test_the_limits_are_those_of_the_hook_profile():
    assert (LIMITS.max_operations, LIMITS.max_string_size, LIMITS.max_array_size, LIMITS.max_map_size) == (
        100_000, 1_000_000, 10_000, 10_000,
    )  # fmt: skip
    assert (LIMITS.max_call_levels, LIMITS.max_expr_depth, LIMITS.max_function_expr_depth) == (64, 128, 128)
    assert (LIMITS.fuel, LIMITS.memory) == (1_000_000, 128 * 1024 * 1024)


def test_the_profile_for_comparing_differs_in_fuel_and_memory_only():
    assert (PARITY_LIMITS.fuel, PARITY_LIMITS.memory) == (0, 0)
    assert PARITY_LIMITS.max_operations == LIMITS.max_operations


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ('"  a b\\t".trim()', "a b"),
        ('trim("\\u00a0x\\u3000")', "x"),
        ('"\\x1cx".trim()', "\x1cx"),
        ('"abc".contains("")', True),
        ('"abc".contains("bc")', True),
        ('"abc".starts_with("ab") && "abc".ends_with("bc")', True),
        ('"   ".is_empty()', True),
        ('"x".is_empty() || [1].is_empty()', False),
        ('[1, true, \'c\', (), 2.0, "s"].join("-")', "1-true-c--2.0-s"),
        ('[].join("-")', ""),
        ('"a,b,".split(",")', ["a", "b", ""]),
        ('"ab".split("")', ["", "a", "b", ""]),
        ('"".split(",")', [""]),
        ('count_tokens("")', 0),
        ('count_tokens("a")', 1),
        ('count_tokens("12345")', 2),
        ('count_tokens("éé1")', 2),
        ('is_json(`{"a": [1, 2.5e3, null]}`)', True),
        ('is_json("{")', False),
        ('is_json("NaN")', False),
        ('is_json("1e400")', False),
        ('is_mermaid("flowchart TD")', True),
        ('is_mermaid("text")', False),
        ('[is_markdown(""), is_markdown("x")]', [False, True]),
        ("[region_pinned(), region_temporary(), region_clearable()]", ["pinned", "temporary", "clearable"]),
        ("region_sliding_window(3)", {"kind": "sliding_window", "max_items": 3}),
        ("region_compacting(3)", {"kind": "compacting", "threshold_tokens": 3}),
        ('region_custom("r.rhai", true)', {"kind": "custom", "script": "r.rhai", "persistent": True}),
        ('region_entry("x", 1)', {"content": "x", "tokens": 1}),
        ('[content_format("json"), content_format("html")]', ["json", "text"]),
        ("tokens_remaining(10, 12)", -2),
        ("tokens_remaining(-9223372036854775807, 9)", -(2**63)),
        ("usage_ratio(4, 1)", 0.25),
        ("usage_ratio(0, 1)", 1.0),
        ("[needs_eviction(10, 8, 0.8), needs_eviction(10, 7, 0.8), needs_eviction(0, 0, 2.0)]", [True, False, True]),
    ],
)
def test_the_functions_of_stage_scripts(expression: str, expected: Json):
    assert value(expression) == expected


def test_trim_changes_nothing_in_place():
    assert value("[a.trim(), a]", 'let a = " x ";') == ["x", " x "]


def test_tokens_are_estimated_from_utf8_bytes():
    assert [estimate_tokens(text) for text in ("", "a", "abcd", "abcde", "€€", "\U0001f600" * 4)] == [0, 1, 1, 2, 2, 4]


@pytest.mark.parametrize("body", ["sleep(1)", "sleep(0.5)", "timestamp()", "open_file(1)", "system(1)", 'Fn("eval").call("1")'])
def test_there_is_no_clock_no_sleep_and_no_host(body: str):
    assert isinstance(failure(body), ExecutionError)


@pytest.mark.parametrize("body", ['import "x" as y; ()', 'import "../../etc/passwd" as y; ()', 'import "http://h/x" as y; ()'])
def test_there_are_no_modules(body: str):
    assert "Module not found: " in failure(body).message


def test_printing_goes_nowhere(capsys: pytest.CaptureFixture[str]):
    run(compile("h.rhai", 'print("top"); fn on_error(ctx) { print("x"); debug(ctx); () }'), "on_error", {})
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("loop {}", "Too many operations"),
        ('let s = "x"; loop { s += s; }', "Length of string too large"),
        ("let a = []; a.pad(10001, 0); ()", "Size of array/BLOB too large"),
        ('let s = "x"; s.pad(20000, "x"); s.split("x"); ()', "Size of array/BLOB too large"),
        ('let s = "x"; s.pad(9000, "x"); s.split("").join(s); ()', "Length of string too large"),
        ("on_error(ctx)", "Stack overflow"),
    ],
)
def test_every_limit_ends_the_call_as_a_limit(body: str, text: str):
    error = failure(body)
    assert text in error.message
    assert error.hit_a_limit
    assert error.exit_code() == 3


def test_work_that_operations_do_not_count_runs_out_of_fuel():
    error = failure('let s = "x"; s.pad(900000, "x"); let t = s + "y"; loop { s.contains(t); }')
    assert "Out of fuel" in error.message or "Too many operations" in error.message
    assert error.hit_a_limit


def test_every_function_is_charged_for_long_texts():
    text = '"' + "x" * 100_000 + '"'
    for name in ("trim", "is_empty", "count_tokens", "is_json", "is_mermaid"):
        script = compile("h.rhai", f"fn on_error(ctx) {{ {name}(ctx.text); () }}")
        used = [call(script, "on_error", {"text": text[:length]}) for length in (10, 100_000)]
        assert used[1].fuel - used[0].fuel >= 100_000 // 256 - 1, name
        assert used[1].operations == used[0].operations, name


def test_every_function_has_a_name_and_a_description():
    assert {item.name for item in HOOK_FUNCTIONS} >= {"contains", "trim", "split", "join", "is_json", "count_tokens"}
    assert all(item.call.__doc__ for item in HOOK_FUNCTIONS)
