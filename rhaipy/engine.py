"""The engine: compiles scripts, runs them, calls their functions. It wires parser, optimiser, library and evaluator together.

An engine is cheap to make: the library's table of functions is built once and shared. Engines and compiled scripts may be used
from several threads at once; each run has a machine of its own.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal, TypeAlias, get_origin

from rhaipy import interpreter
from rhaipy.compiled import AST, UNBOUND, Unbound
from rhaipy.errors import FunctionNotFound, InFunctionCall, InModule, RhaiError
from rhaipy.functions import FunctionTable, Package, Ref, function
from rhaipy.interpreter import NativeCaller, World, running
from rhaipy.interpreter.boundary import guarded
from rhaipy.interpreter.places import Local
from rhaipy.library import STANDARD
from rhaipy.limits import Limits, Meter, Options, Progress
from rhaipy.modules import Library, Module, Resolver, ScriptFunction, module_of
from rhaipy.optimize import optimize
from rhaipy.scope import Scope
from rhaipy.source import NONE, At
from rhaipy.syntax.nodes import Stmt
from rhaipy.syntax.parser import parse
from rhaipy.syntax.program import Program
from rhaipy.values import Value

Level: TypeAlias = Literal["none", "simple"]
"""How far scripts are optimised. It shows in counters and now and then in results; `simple` is the real engine's default."""


class Engine:
    """Rhai's `Engine`.

    `limits` are what each run may use, `options` which parts of the language there are, `functions` what scripts can call (the
    standard packages by default), `modules` what `import` finds: texts by name, or a function of the path.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        options: Options | None = None,
        optimize: Level = "simple",
        functions: FunctionTable | None = None,
        modules: Mapping[str, str] | Resolver | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self.options = options or Options()
        self.level: Level = optimize
        self._functions = functions if functions is not None else STANDARD
        self._owns_functions = False
        self._print: Callable[[str], object] | None = None
        self._debug: Callable[[str, str, At], object] | None = None
        self._progress: Progress | None = None
        self._loaded: dict[str, Module] = {}
        self._resolve = self._static_modules(modules) if isinstance(modules, Mapping) else modules

    # --- settings -----------------------------------------------------------------------------------------------------

    def on_print(self, callback: Callable[[str], object]) -> None:
        """What `print` does with its text; nothing by default."""
        self._print = callback

    def on_debug(self, callback: Callable[[str, str, At], object]) -> None:
        """What `debug` does with its text, the source that called it, and the packed position; nothing by default."""
        self._debug = callback

    def on_progress(self, callback: Progress) -> None:
        """Called at each operation with their number; anything but None ends the run with a Terminated error."""
        self._progress = callback

    def disable_symbol(self, symbol: str) -> None:
        """Take a keyword or an operator out of the language."""
        self.options = replace(self.options, disabled_symbols=self.options.disabled_symbols | {symbol})

    def register_fn(self, name: str, call: Callable[..., Any], volatile: bool = False) -> None:
        """Let scripts call `call` as `name`. The types come from its annotations; a first parameter `Ref[T]` may be changed."""
        package: Package = []
        kinds: list[Any] = list(call.__annotations__.values())
        mutates = any(get_origin(kind) is Ref for kind in kinds)
        function(package, name, mutates=mutates, volatile=volatile)(call)
        if not self._owns_functions:
            self._functions, self._owns_functions = self._functions.copy(), True
        for item in package:
            self._functions.add(item)

    def register_get(self, name: str, call: Callable[..., Any]) -> None:
        """Let scripts read the property `name` of values of the type that `call` takes."""
        self.register_fn(f"get${name}", call)

    def register_set(self, name: str, call: Callable[..., Any]) -> None:
        """Let scripts write the property `name`: `call` takes a `Ref` of the value, and what to put there."""
        self.register_fn(f"set${name}", call)

    def register_indexer_get(self, call: Callable[..., Any]) -> None:
        """Let scripts read value[index]."""
        self.register_fn("index$get$", call)

    def register_indexer_set(self, call: Callable[..., Any]) -> None:
        """Let scripts write value[index]: `call` takes a `Ref` of the value, the index, and what to put there."""
        self.register_fn("index$set$", call)

    def meter(self) -> Meter:
        """A meter for one run, with this engine's limits; hand it in to read it afterwards."""
        return Meter(self.limits, self._progress)

    # --- compiling ----------------------------------------------------------------------------------------------------

    def compile(self, source: str, name: str = "", scope: Scope | None = None) -> AST:
        """The script `source`. `name` is shown where errors are reported. Constants in `scope` are known to the optimiser.

        Raises ParseError.
        """
        return guarded(name, source, lambda: self._compile(source, name, "", scope))

    def _compile(self, source: str, name: str, module: str, scope: Scope | None) -> AST:
        program = parse(source, self.limits, self.options, constants=scope.names if scope is not None else ())
        if self.level == "simple":
            program = optimize(program, scope if scope is not None else (), self.limits)
        return AST(name, source, program, Library([ScriptFunction(item) for item in program.functions], module))

    def _compile_text(self, text: str) -> Program:
        return parse(text, self.limits, self.options)

    # --- running ------------------------------------------------------------------------------------------------------

    def eval(self, source: str | AST, scope: Scope | None = None, meter: Meter | None = None) -> Value:
        """Run a script; its value. Raises ParseError, EvalError or LimitError."""
        own = scope if scope is not None else Scope()
        ast = self.compile(source, "", own) if isinstance(source, str) else source
        return guarded(ast.name, ast.text, lambda: self._eval(ast.program, ast.library, own, meter))

    def eval_expression(self, source: str, scope: Scope | None = None, meter: Meter | None = None) -> Value:
        """The value of one expression: no statements, no blocks. It is not optimised."""
        return guarded("", source, lambda: self._eval_expression(source, scope if scope is not None else Scope(), meter))

    def _eval_expression(self, source: str, scope: Scope, meter: Meter | None) -> Value:
        program = parse(source, self.limits, self.options, expression=True, constants=scope.names)
        return self._eval(program, Library([ScriptFunction(item) for item in program.functions]), scope, meter)

    def _eval(self, program: Program, library: Library, scope: Scope, meter: Meter | None) -> Value:
        with running(self._world(), meter or self.meter(), scope, library) as machine:
            return interpreter.run(machine, program.statements)

    def call_fn(
        self,
        ast: AST,
        name: str,
        *args: Value,
        scope: Scope | None = None,
        this: "Value | Unbound" = UNBOUND,
        eval_ast: bool = True,
        meter: Meter | None = None,
    ) -> Value:
        """Call a function of the script. The arguments are its own from then on.

        The script itself runs first (unless `eval_ast` is false); the variables it makes are gone then, its constants are known
        as `global::NAME`. Variables in `scope` are seen by the function. Raises EvalError or LimitError.
        """
        own = scope if scope is not None else Scope()
        bound = None if isinstance(this, Unbound) else Local(this)
        first = ast.program.statements if eval_ast else ()
        return guarded(ast.name, ast.text, lambda: self._call(ast.library, name, list(args), own, bound, first, meter))

    def _call(
        self,
        library: Library,
        name: str,
        args: list[Value],
        scope: Scope,
        this: Local | None,
        first: tuple[Stmt, ...],
        meter: Meter | None,
    ) -> Value:
        with running(self._world(), meter or self.meter(), scope, library) as machine:
            size = len(scope)
            try:
                interpreter.run(machine, first)
            finally:
                scope.rewind(size)
            found = library.defined(name, len(args))
            if found is None:
                raise FunctionNotFound(NONE, name)
            try:
                return interpreter.call(machine, found, args, this)
            except InFunctionCall as error:
                raise error.inner if error.name == name else error from None

    def _world(self) -> World:
        return World(
            self._functions, self._compile_text, NativeCaller, self.limits, self.options, self._resolve, self._print, self._debug
        )

    # --- modules ------------------------------------------------------------------------------------------------------

    def module(self, source: str, name: str) -> Module:
        """Run a script as a module: what it exports, and its functions that are not private."""
        return guarded(name, source, lambda: self._module(source, name))

    def _module(self, source: str, name: str) -> Module:
        ast, scope = self._compile(source, name, name, None), Scope()
        with running(self._world(), self.meter(), scope, ast.library) as machine:
            interpreter.run(machine, ast.program.statements)
            return module_of(ast.library, scope, machine.imports, machine.constants)

    def _static_modules(self, texts: Mapping[str, str]) -> Resolver:
        loading: set[str] = set()  # a module that imports itself does not find itself

        def resolve(path: str) -> Module | None:
            if path not in self._loaded and path in texts and path not in loading:
                loading.add(path)
                try:
                    self._loaded[path] = self.module(texts[path], path)
                except RhaiError as error:
                    raise InModule(NONE, path, error) from None
                finally:
                    loading.discard(path)
            return self._loaded.get(path)

        return resolve
