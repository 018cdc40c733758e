"""Compiling a stage-hook script and calling its hooks: the contract, and every text that people match on."""

import datetime

import pytest

import stagehooks
from stagehooks.errors import AnswerError, CompilationError, ContextError, ExecutionError, HookError, ValidationError
from stagehooks.scripts.outcome import HOOK_NAMES, Allow, Cancel, Modify, Retry
from stagehooks.scripts.stage_hook import HookScript, call, compile, run


def script(body: str, hook: str = "on_tool_call") -> HookScript:
    return compile("guard.rhai", f"fn {hook}(ctx) {{ {body} }}", [hook])


def outcome(body: str, ctx: object = None):
    return run(script(body), "on_tool_call", {} if ctx is None else ctx)


def failure(body: str, ctx: object = None) -> HookError:
    with pytest.raises(HookError) as caught:
        outcome(body, ctx)
    return caught.value


# --- compiling ------------------------------------------------------------------------------------------------------------


def test_the_names_of_the_hooks_are_those_of_the_module():
    assert HOOK_NAMES == (
        "on_stage_enter", "on_stage_exit", "before_inference", "after_inference", "on_tool_call", "on_completion", "on_error",
    )  # fmt: skip


def test_every_defined_hook_is_recorded_in_the_order_of_the_names():
    source = "".join(f"fn {name}(ctx) {{ () }}\n" for name in reversed(HOOK_NAMES))
    compiled = compile("h.rhai", source + "fn helper(a, b) { a + b }")
    assert compiled.defined == HOOK_NAMES
    assert all(compiled.defines(name) for name in HOOK_NAMES)


def test_a_hook_that_is_absent_is_not_claimed():
    compiled = script("()")
    assert not compiled.defines("on_error")
    assert not compiled.defines("helper")


def test_a_script_keeps_its_path():
    assert script("()").path == "guard.rhai"


def test_a_syntax_error_names_the_file_and_carries_the_engines_error():
    with pytest.raises(CompilationError) as caught:
        compile("hooks/guard.rhai", "fn on_error(ctx) {\n    let x = ;\n}")
    error = caught.value
    assert error.message == "Script compilation failed: hooks/guard.rhai: Unexpected ';' (line 2, position 13)"
    assert (error.file, error.line, error.column) == ("hooks/guard.rhai", 2, 13)
    assert error.excerpt() == "    let x = ;\n            ^"
    assert error.inner is not None
    assert error.inner.kind == "ErrorParsing"


@pytest.mark.parametrize(("parameters", "count"), [("", 0), ("a, b", 2), ("a, b, c", 3)])
def test_a_wrong_number_of_parameters_is_refused_with_the_count(parameters: str, count: int):
    with pytest.raises(ValidationError) as caught:
        compile("g.rhai", f"fn on_error({parameters}) {{ () }}")
    text = f"Script validation failed: g.rhai: fn on_error must take exactly one parameter (ctx), found {count}"
    assert caught.value.message == text


def test_every_overload_of_a_hook_is_checked():
    with pytest.raises(ValidationError, match="found 2"):
        compile("g.rhai", "fn on_error(ctx) { () } fn on_error(a, b) { () }")
    with pytest.raises(ValidationError, match="found 0"):
        compile("g.rhai", "fn on_error() { () } fn on_error(ctx) { () }")


def test_a_known_hook_is_checked_even_if_nobody_asks_for_it():
    with pytest.raises(ValidationError):
        compile("g.rhai", "fn on_error() { () } fn on_completion(ctx) { () }", ["on_completion"])


def test_a_hook_that_is_asked_for_must_be_defined():
    with pytest.raises(ValidationError) as caught:
        compile("g.rhai", "fn on_error(ctx) { () }", ["on_error", "on_completion"])
    assert caught.value.message == (
        "Script validation failed: g.rhai: the blueprint names this file for 'on_completion', but it defines no fn "
        "on_completion(ctx)"
    )


def test_a_hook_that_is_asked_for_and_defined_compiles():
    assert compile("g.rhai", "fn on_error(ctx) { () }", ["on_error"]).defined == ("on_error",)


def test_a_private_hook_counts_and_can_be_called():
    compiled = compile("g.rhai", "private fn on_error(ctx) { false }", ["on_error"])
    assert run(compiled, "on_error", {}) == Cancel()


def test_eval_is_refused_when_the_script_is_compiled():
    with pytest.raises(CompilationError, match="reserved keyword 'eval' is disabled"):
        script('eval("1")')


def test_a_closure_named_like_a_hook_defines_none():
    assert compile("g.rhai", "let on_error = |ctx| ();").defined == ()


# --- answers --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", ["", "()", "true", '#{ action: "allow" }', "return;", "return true;"])
def test_unit_and_true_allow(body: str):
    assert outcome(body) == Allow()


def test_false_refuses_without_a_reason():
    assert outcome("false") == Cancel(None)


def test_modify_carries_the_value():
    body = "#{ action: 'modify', value: #{ a: [1, 2.5, 'c', true, ()] } }".replace("'modify'", '"modify"')
    assert outcome(body) == Modify({"a": [1, 2.5, "c", True, None]})


def test_modify_with_unit_carries_null():
    assert outcome('#{ action: "modify", value: () }') == Modify(None)


def test_cancel_may_give_a_reason():
    assert outcome('#{ action: "cancel", reason: "no shell here" }') == Cancel("no shell here")
    assert outcome('#{ action: "cancel" }') == Cancel(None)
    assert outcome('#{ action: "cancel", reason: 3 }') == Cancel(None)


def test_retry_is_an_outcome_of_its_own():
    assert outcome('#{ action: "retry" }') == Retry()


def test_the_context_reaches_the_script():
    ctx = {"tool_calls": [{"name": "shell", "arguments": {"command": "ls"}}], "n": 3, "f": 1.0, "t": True, "u": None}
    assert outcome('#{ action: "modify", value: ctx }', ctx) == Modify(ctx)


def test_a_script_that_changes_its_context_changes_nothing_of_the_host():
    ctx = {"regions": {"a": "x"}}
    outcome('ctx.regions.a = "y"; ctx.more = 1; ()', ctx)
    assert ctx == {"regions": {"a": "x"}}


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("42", "expected (), a bool, or a map with an 'action', got: 42"),
        ('"allow"', "expected (), a bool, or a map with an 'action', got: \"allow\""),
        ("[1, ()]", "expected (), a bool, or a map with an 'action', got: [1,null]"),
        ("#{ value: 1 }", "the returned map has no 'action' (expected allow, modify, cancel, or retry)"),
        ("#{ action: 1 }", "the returned map has no 'action' (expected allow, modify, cancel, or retry)"),
        ('#{ action: "modify" }', "action 'modify' needs a 'value' saying what to proceed with"),
        ('#{ action: "modfiy", value: 1 }', "unknown action 'modfiy' (expected allow, modify, cancel, or retry)"),
    ],
)
def test_a_malformed_answer_is_an_error_that_names_file_and_hook(body: str, text: str):
    error = failure(body)
    assert type(error) is AnswerError
    assert error.message == f"Script validation failed: guard.rhai: on_tool_call: {text}"


@pytest.mark.parametrize("body", ["|x| x", "[|x| x]", '#{ action: "modify", value: |x| x }', "0..3"])
def test_what_is_no_plain_data_is_refused_naming_the_file(body: str):
    error = failure(body)
    assert error.message.startswith(
        "Script validation failed: guard.rhai: on_tool_call returned a value that is not plain data: "
    )


def test_a_value_nested_deeper_than_the_boundary_allows_is_refused():
    body = 'let a = []; for i in 0..200 { a = [a]; } #{ action: "modify", value: a }'
    assert "not plain data" in failure(body).message


def test_floats_that_are_no_numbers_arrive_as_null():
    assert outcome('#{ action: "modify", value: [0.0 / 0.0, 1e308 * 10.0] }') == Modify([None, None])


# --- failures -------------------------------------------------------------------------------------------------------------


def test_a_throw_names_the_file_and_the_hook():
    error = failure('throw "boom"')
    assert type(error) is ExecutionError
    assert error.message == "Script execution failed: guard.rhai: on_tool_call: Runtime error: boom (line 1, position 24)"
    assert error.inner is not None
    assert error.inner.kind == "ErrorRuntime"
    assert error.excerpt().startswith("fn on_tool_call(ctx) {")


def test_a_throw_at_the_top_of_the_file_fails_every_call():
    compiled = compile("g.rhai", 'throw "top"; fn on_error(ctx) { () }')
    with pytest.raises(ExecutionError, match="Runtime error: top"):
        run(compiled, "on_error", {})


def test_constants_at_the_top_of_the_file_are_visible_and_variables_are_not():
    compiled = compile("g.rhai", 'const A = 5; let b = 6; fn on_error(ctx) { #{ action: "modify", value: global::A } }')
    assert run(compiled, "on_error", {}) == Modify(5)
    with pytest.raises(ExecutionError, match="Variable not found: b"):
        run(compile("g.rhai", "let b = 6; fn on_error(ctx) { b }"), "on_error", {})


def test_calling_a_hook_that_the_file_lacks_is_an_error():
    with pytest.raises(ExecutionError, match=r"Script execution failed: guard\.rhai: on_error: Function not found: on_error"):
        run(script("()"), "on_error", {})


def test_the_file_system_is_out_of_reach():
    text = "Function not found: open_file (&str | ImmutableString | String) (line 1, position 24)"
    assert failure('open_file("/etc/passwd")').message.endswith(text)


def test_modules_are_out_of_reach():
    assert "Module not found: x" in failure('import "x" as y; ()').message


def test_an_infinite_loop_is_stopped_as_a_limit():
    error = failure("loop { }")
    assert error.message.endswith("Too many operations (line 1, position 24)") or "Too many operations" in error.message
    assert error.hit_a_limit
    assert error.exit_code() == 3


def test_endless_recursion_is_a_limit():
    compiled = compile("g.rhai", "fn f(x) { f(x) } fn on_error(ctx) { f(1) }")
    with pytest.raises(ExecutionError, match="Stack overflow") as caught:
        run(compiled, "on_error", {})
    assert caught.value.hit_a_limit


def test_a_limit_cannot_be_caught_by_the_script():
    assert failure("try { loop { } } catch { } ()").hit_a_limit


def test_exit_ends_a_hook_with_its_value():
    assert outcome("exit(false); true") == Cancel(None)


def test_nothing_survives_from_one_call_to_the_next():
    compiled = compile("g.rhai", 'let n = 0; fn on_error(ctx) { ctx.n += 1; #{ action: "modify", value: ctx.n } }')
    assert [run(compiled, "on_error", {"n": 1}) for _ in range(3)] == [Modify(2)] * 3


def test_a_call_also_tells_what_it_used():
    first = call(script("let a = 1; a + ctx.n; ()"), "on_tool_call", {"n": 1})
    again = call(script("let a = 1; a + ctx.n; ()"), "on_tool_call", {"n": 1})
    assert first == again
    assert first.outcome == Allow()
    assert 0 < first.operations <= first.fuel


# --- data at the boundary -------------------------------------------------------------------------------------------------


class Text(str):
    pass


class Number(int):
    pass


class Evil:
    def __eq__(self, other: object) -> bool:
        raise AssertionError("compared")


@pytest.mark.parametrize(
    "value",
    [datetime.date(2024, 1, 1), {1, 2}, b"bytes", Text("x"), Number(1), Evil(), (1, 2), 2**63, 1j, "\ud800", object(), float],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_plain_data_never_reaches_a_script(value: object):
    with pytest.raises(ContextError) as caught:
        run(script("()"), "on_tool_call", {"regions": {"x": value}})
    assert "ctx.regions.x" in caught.value.message


@pytest.mark.parametrize("key", [1, None, Text("k"), "\ud800"])
def test_keys_of_maps_are_texts(key: object):
    with pytest.raises(ContextError, match="ctx"):
        run(script("()"), "on_tool_call", {"m": {key: 1}})


def test_a_context_that_is_too_large_is_refused_with_its_size():
    with pytest.raises(ContextError, match=r"ctx\.regions\.x.*2000000"):
        run(script("()"), "on_tool_call", {"regions": {"x": "y" * 2_000_000}})


def test_a_context_that_is_too_deep_is_refused():
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ContextError, match="ctx"):
        run(script("()"), "on_tool_call", {"x": deep})


def test_a_context_that_holds_itself_is_refused():
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(ContextError, match="ctx"):
        run(script("()"), "on_tool_call", {"x": loop})


def test_the_package_offers_the_contract():
    compiled = stagehooks.compile("g.rhai", "fn on_error(ctx) { () }", wanted=["on_error"])
    assert isinstance(compiled, stagehooks.HookScript)
    assert stagehooks.run(compiled, "on_error", {}) == stagehooks.Allow()
    assert stagehooks.HOOK_NAMES == HOOK_NAMES
