"""Module resolvers: where `import` looks, what it never reaches, and what goes wrong."""

from pathlib import Path
from threading import Barrier, Thread
from typing import Any

import pytest

from rhaipy import (
    DummyResolver,
    Engine,
    EvalError,
    FileResolver,
    Importer,
    Limits,
    Module,
    ResolverChain,
    RhaiError,
    Scope,
    StaticResolver,
    Value,
)
from rhaipy.errors import InModule, ModuleNotFound
from rhaipy.limit_errors import TooManyModules, TooManyOperations

FILES = {
    "a.rhai": 'export const X = 1; fn f() { hidden() } private fn hidden() { 5 } debug("hi");',
    "sees.rhai": "export let seen = outer; outer = 99;",
    "bad.rhai": "let x = 1 / 0;",
    "syntax.rhai": "let = 1;",
    "shebang.rhai": "#!/usr/bin/rhai\nexport const X = 2;\nfn boom() { throw 1 }",
    "sub/in.rhai": 'import "a" as a; export let y = a::X; fn g() { a::f() }',
    "exits.rhai": "export const X = 2; exit(5); export const Y = 3;",
    "returns.rhai": "export const X = 2; return 5; export const Y = 3;",
    "consts.rhai": "const K = 7; fn k() { global::K } export const Z = K;",
    "missing.rhai": 'import "nothere" as n;',
    "self.rhai": 'import "self" as s;',
    "ping.rhai": 'import "pong" as p;',
    "pong.rhai": 'import "ping" as p;',
    "slow.rhai": "let n = 0; while n < 1000 { n += 1; }",
}


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    (tmp_path / "secret.rhai").write_text("export const X = 666;")
    base = tmp_path / "base"
    for name, text in FILES.items():
        path = base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return base


@pytest.fixture
def engine(directory: Path) -> Engine:
    return Engine(modules=FileResolver(directory))


def test_without_a_resolver_nothing_is_found() -> None:
    for engine in (Engine(), Engine(modules=DummyResolver()), Engine(modules={})):
        with pytest.raises(ModuleNotFound) as caught:
            engine.eval('import "a" as a;')
        assert caught.value.message == "Module not found: a (line 1, position 8)"


# --- files ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "value", "operations"),
    [
        ('import "a" as a; a::X', 1, 9),
        ('import "a" as a; a::f()', 5, 13),
        ('import "a.rhai" as a; a::X', 1, 9),
        ('import "a.txt" as a; a::X', 1, 9),
        ('import "./a" as a; a::X', 1, 9),
        ('import "a" as a; import "a" as b; b::X', 1, 11),
        ('let outer = 5; import "sees" as s; s::seen + outer', 104, 12),
        ('import "shebang" as s; s::X', 2, 6),
        ('import "sub/in" as s; s::y', 1, 13),
        ('import "sub/in" as s; s::g()', 5, 19),
        ('import "sub/in" as s; s::a::X', 1, 13),
        ('import "exits" as n; n::X', 2, 9),
        ('import "returns" as n; n::X', 2, 8),
        ('import "consts" as c; c::k() + c::Z', 14, 12),
        ('const K = 3; import "consts" as c; c::k() + global::K; fn q() {}', 10, 14),
        ('export let mine = 4; import "a" as a; a::mine', 4, 11),
        ('{ import "a" as a; a::X }', 1, 10),
    ],
)
def test_files_are_modules_as_in_the_engine(engine: Engine, script: str, value: Value, operations: int) -> None:
    """Asked of the engine's own file resolver: a module is run in the scope of its import, and its operations count."""
    meter = engine.meter()
    assert engine.eval(script, meter=meter) == value
    assert meter.operations == operations


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (
            'import "bad" as b;',
            "Division by zero: 1 / 0 (line 1, position 11)\nin module 'bad' (line 1, position 8)",
        ),
        (
            'fn f() { import "bad" as b; } f()',
            "Division by zero: 1 / 0 (line 1, position 11)\nin module 'bad' (line 1, position 17)\n"
            "in call to function 'f' (line 1, position 31)",
        ),
        (
            'import "syntax" as s;',
            "Syntax error: Expecting name of a variable (line 1, position 5)\nin module 'syntax' (line 1, position 8)",
        ),
        (
            'import "shebang" as s; s::boom()',
            "Runtime error: 1 @ 'shebang' (line 3, position 13)\n"
            "in call to function 'boom' (from 'shebang') (line 1, position 27)",
        ),
        ('import "nothere" as n', "Module not found: nothere (line 1, position 8)"),
        ('import "" as a;', "Module not found:  (line 1, position 8)"),
        ('import "sub" as a;', "Module not found: sub (line 1, position 8)"),
        ('import "exits" as n; n::Y', "Variable not found: n::Y (line 1, position 22)"),
        (
            'import "missing" as m;',
            "Module not found: nothere (line 1, position 8)\nin module 'missing' (line 1, position 8)",
        ),
    ],
)
def test_errors_in_files_read_as_in_the_engine(engine: Engine, script: str, message: str) -> None:
    with pytest.raises(EvalError) as caught:
        engine.eval(script)
    assert caught.value.message == message


def test_an_error_in_a_file_shows_the_line_of_that_file(engine: Engine) -> None:
    with pytest.raises(InModule) as caught:
        engine.eval(engine.compile('\n\nimport "bad" as b;', name="main.rhai"))
    assert (caught.value.script_name, caught.value.innermost.script_name) == ("main.rhai", "bad")
    assert caught.value.excerpt() == "let x = 1 / 0;\n" + " " * 10 + "^"


@pytest.mark.parametrize("path", ["../secret", "sub/../../secret", "{}/secret", "a\0", "link", "linked/secret", "..", ".", "/"])
def test_nothing_outside_of_the_directory_is_found(directory: Path, engine: Engine, path: str) -> None:
    (directory / "link.rhai").symlink_to(directory.parent / "secret.rhai")
    (directory / "linked").symlink_to(directory.parent)
    scope = Scope(path=path.replace("{}", str(directory.parent)))
    with pytest.raises(ModuleNotFound):
        engine.eval("import path as s;", scope)


def test_what_cannot_be_read_is_not_found(directory: Path, engine: Engine) -> None:
    (directory / "binary.rhai").write_bytes(b"let x = \xff;")
    (directory / "folder.rhai").mkdir()
    for path in ("binary", "folder"):
        with pytest.raises(ModuleNotFound):
            engine.eval(f'import "{path}" as s;')


@pytest.mark.parametrize("name", ["self", "ping"])
def test_a_module_that_imports_itself_is_not_found(engine: Engine, name: str) -> None:
    """The engine follows such a cycle until its stack is used up."""
    with pytest.raises(InModule) as caught:
        engine.eval(f'import "{name}" as m;')
    assert isinstance(caught.value.innermost, ModuleNotFound)


def test_a_long_chain_of_files_ends_in_an_error_of_ours(directory: Path) -> None:
    for number in range(3000):
        (directory / f"m{number}.rhai").write_text(f'import "m{number + 1}" as n;')
    with pytest.raises(RhaiError):
        Engine(modules=FileResolver(directory)).eval('import "m0" as m;')


def test_the_operations_of_a_module_count_for_the_run_that_loads_it(directory: Path) -> None:
    engine = Engine(Limits(max_operations=500), modules=FileResolver(directory))
    with pytest.raises(InModule) as caught:
        engine.eval('import "slow" as s;')
    assert isinstance(caught.value.innermost, TooManyOperations)


def test_the_limit_of_modules_counts_those_that_modules_import(directory: Path) -> None:
    engine = Engine(Limits(max_modules=2), modules=FileResolver(directory))
    with pytest.raises(TooManyModules, match="position 23"):
        engine.eval('import "sub/in" as s; import "a";')


def test_modules_are_kept_until_the_cache_is_cleared(directory: Path) -> None:
    resolver = FileResolver(directory)
    engine = Engine(modules=resolver)
    read = 'import "shebang" as s; s::X'
    assert not resolver.is_cached("shebang")
    assert engine.eval(read) == 2
    (directory / "shebang.rhai").write_text("export const X = 3;")
    assert (engine.eval(read), resolver.is_cached("shebang")) == (2, True)
    resolver.clear_cache()
    assert engine.eval(read) == 3
    assert Engine(modules=FileResolver(directory, cache=False)).eval(read) == 3


def test_a_module_that_failed_is_read_again(directory: Path, engine: Engine) -> None:
    with pytest.raises(InModule):
        engine.eval('import "bad" as b;')
    (directory / "bad.rhai").write_text("export const X = 1;")
    assert engine.eval('import "bad" as b; b::X') == 1


def test_another_extension_is_used_for_all_files(directory: Path) -> None:
    (directory / "a.script").write_text("export const X = 4;")
    assert Engine(modules=FileResolver(directory, extension="script")).eval('import "a.rhai" as a; a::X') == 4


# --- texts, functions, chains ---------------------------------------------------------------------------------------------


def test_texts_are_run_by_themselves_and_once() -> None:
    printed: list[str] = []
    resolver = StaticResolver({"m": 'print("loading"); export let x = 1;', "made": Module("made").set_var("Y", 2)})
    engine = Engine(modules=resolver)
    engine.on_print(printed.append)
    meter = engine.meter()
    assert engine.eval('import "m" as m; import "made" as n; import "m" as o; m::x + n::Y + o::x', meter=meter) == 4
    assert (printed, meter.operations < 15) == (["loading"], True)
    engine.set_module_resolver({"m": "outer"})
    with pytest.raises(InModule, match="Variable not found: outer"):
        engine.eval('let outer = 1; import "m" as m;')


def test_texts_may_import_each_other_but_not_themselves() -> None:
    texts = {"a": 'import "b" as b; export const X = b::Y;', "b": "export const Y = 3;", "loop": 'import "loop" as l;'}
    engine = Engine(modules=texts)
    assert engine.eval('import "a" as a; a::X') == 3
    with pytest.raises(InModule, match="Module not found: loop"):
        engine.eval('import "loop" as l;')


def test_a_static_resolver_is_filled_and_emptied() -> None:
    resolver = StaticResolver().insert("b", "1").insert("a", Module("a"))
    assert ([*resolver], len(resolver), "a" in resolver) == (["a", "b"], 2, True)
    resolver.remove("a")
    assert "a" not in resolver
    wrong: Any = 3
    with pytest.raises(TypeError, match="is a text or a Module"):
        StaticResolver({"x": wrong})


def test_a_function_of_the_path_is_a_resolver() -> None:
    made = Module("made").set_var("X", 1)
    engine = Engine(modules=lambda path: made if path == "db:made" else None)
    assert engine.eval('import "db:made" as m; m::X') == 1
    with pytest.raises(ModuleNotFound):
        engine.eval('import "other" as m;')


def test_a_resolver_of_ones_own_is_asked_with_the_module_that_imports() -> None:
    asked: list[tuple[str, str]] = []

    class Own:
        def resolve(self, importer: Importer, path: str) -> Module | None:
            asked.append((importer.source, path))
            return importer.load('import "inner" as i; export const X = here;', path, path) if path == "outer" else Module(path)

    engine = Engine(modules=Own())
    assert engine.eval('let here = 5; import "outer" as o; o::X') == 5
    assert asked == [("", "outer"), ("outer", "inner")]


def test_a_chain_asks_one_resolver_after_the_other(directory: Path) -> None:
    chain = ResolverChain(DummyResolver(), StaticResolver({"a": "export const X = 10;"})).push(FileResolver(directory))
    engine = Engine()
    engine.set_module_resolver(chain)
    assert engine.eval('import "a" as a; import "shebang" as s; a::X + s::X') == 12
    with pytest.raises(ModuleNotFound):
        engine.eval('import "nothere" as n;')
    with pytest.raises(InModule):
        engine.eval('import "bad" as b;')


def test_a_resolver_that_raises_is_an_error_of_the_script() -> None:
    def fails(path: str) -> Module | None:
        raise OSError("no connection")

    engine = Engine(modules=fails)
    with pytest.raises(RhaiError, match=r"'import' failed: OSError: no connection \(line 1, position 8\)") as caught:
        engine.eval('import "a" as a;')
    assert isinstance(caught.value.host_error, OSError)
    assert engine.eval('let c = (); try { let p = "a"; import p as a; } catch (e) { c = e; } type_of(c)') == "string"


def test_threads_may_import_the_same_modules_at_once(directory: Path) -> None:
    engine = Engine(
        modules=ResolverChain(StaticResolver({"t": 'import "sub/in" as s; export const X = s::y;'}), FileResolver(directory))
    )
    ast = engine.compile('import "t" as t; import "sub/in" as s; t::X + s::g()')
    barrier, results = Barrier(8), list[Value]()

    def work() -> None:
        barrier.wait()
        results.append(engine.eval(ast))

    threads = [Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [6] * 8
