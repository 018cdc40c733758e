"""The engine: compiles scripts, runs them, calls their functions. It wires parser, optimiser, library and evaluator together.

An engine is cheap to make: the library's table of functions is built once and shared. Engines and compiled scripts may be used
from several threads at once; each run has a machine of its own. What is set up, is set up before.
"""

from rhaipy import interpreter
from rhaipy.compiled import AST, UNBOUND, Unbound
from rhaipy.errors import FunctionNotFound, InFunctionCall, MismatchOutputType, RhaiError
from rhaipy.events import VarDefInfo
from rhaipy.functions import FunctionTable, Ref
from rhaipy.host import admit, admit_all
from rhaipy.host_errors import HostTrouble, from_host
from rhaipy.interpreter import Machine, NativeCaller, Run, World
from rhaipy.interpreter.boundary import guarded
from rhaipy.interpreter.loading import load
from rhaipy.interpreter.places import Borrowed, Local, Place
from rhaipy.lending import admitted, are_lendable, handed_out, lends, weights
from rhaipy.library import STANDARD
from rhaipy.limits import Limits, Meter, Options
from rhaipy.modules import Library, Module, ScriptFunction, module_of
from rhaipy.optimize import optimize
from rhaipy.parse_errors import ParseError
from rhaipy.registration import Registration
from rhaipy.resolvers import Modules
from rhaipy.scope import Scope
from rhaipy.settings import ensure
from rhaipy.sharing import Sharing, sharing_of
from rhaipy.source import NONE
from rhaipy.syntax.builder import DefineFilter
from rhaipy.syntax.json_text import parse_json
from rhaipy.syntax.nodes import Stmt
from rhaipy.syntax.parser import parse
from rhaipy.syntax.program import Program
from rhaipy.tiers import TIERS, Tier, attach
from rhaipy.typings import Final, Literal, TypeAlias
from rhaipy.values import FnPtr, Value, type_name

Level: TypeAlias = Literal["none", "simple"]
"""How far scripts are optimised. It shows in counters and now and then in results; `simple` is the real engine's default."""

MOST_SHARED: Final = 1_000_000
"""Items and entries that what is shared may count, where work is paid for: a walk is paid for when it is over."""


class Engine(Registration):
    """Rhai's `Engine`.

    `limits` are what each run may use, `options` which parts of the language there are, `functions` what scripts can call (the
    standard packages by default), `modules` what `import` finds: a resolver, modules by name, or a function of the path.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        options: Options | None = None,
        optimize: Level = "simple",
        functions: FunctionTable | None = None,
        modules: Modules | None = None,
        tier: Tier = "auto",
    ) -> None:
        super().__init__(limits, options, functions if functions is not None else STANDARD, modules)
        if optimize not in ("none", "simple"):
            raise ValueError(f"optimize must be 'none' or 'simple', not {optimize!r}")
        if tier not in TIERS:
            raise ValueError(f"tier must be one of {', '.join(TIERS)}, not {tier!r}")
        self.level: Level = optimize
        self.tier: Tier = tier

    def meter(self) -> Meter:
        """A meter for one run, with this engine's limits; hand it in to read it afterwards."""
        return Meter(self.limits, self._progress)

    # --- compiling ----------------------------------------------------------------------------------------------------

    def compile(self, source: str, name: str = "", scope: Scope | None = None) -> AST:
        """The script `source`. `name` is shown where errors are reported. Constants in `scope` are known to the optimiser.

        Raises ParseError.
        """
        return guarded(name, source, lambda: self._compile(source, name, "", scope))

    def compile_expression(self, source: str, name: str = "", scope: Scope | None = None) -> AST:
        """One expression, as a script: no statements, no blocks. Raises ParseError."""
        return guarded(name, source, lambda: self._compile(source, name, "", scope, expression=True))

    def _compile(self, source: str, name: str, module: str, scope: Scope | None, expression: bool = False) -> AST:
        if scope is not None:
            self._admit_scope(scope)
        program = self._parse(source, scope, expression)
        if self.level == "simple":
            known = [(name, True, value) for package in reversed(self._packages) for name, value in package.variables.items()]
            variables = [*known, *(scope if scope is not None else ())]
            overridden = frozenset() if self.options.fast_operators else self._host_signatures()
            program = optimize(program, variables, self.limits, self.types, overridden)
        return AST(name, source, program, _library(program, module))

    def _parse(self, source: str, scope: Scope | None = None, expression: bool = False) -> Program:
        return parse(
            source,
            self.limits,
            self.options,
            expression=expression,
            constants=scope.names if scope is not None else (),
            modules=self._static,
            define_filter=None if self._on_def_var is None else self._define_filter(),
        )

    def _define_filter(self) -> DefineFilter:
        def may_define(name: str, constant: bool, level: int, shadows: bool) -> bool:
            assert self._on_def_var is not None
            try:
                return bool(self._on_def_var(VarDefInfo(name, constant, level, shadows, False, None)))
            except ParseError:
                raise
            except RhaiError:
                return False
            except Exception as error:
                raise HostTrouble(NONE, "on_def_var", error) from None

        return may_define

    # --- running ------------------------------------------------------------------------------------------------------

    def eval(self, source: str | AST, scope: Scope | None = None, meter: Meter | None = None) -> Value:
        """Run a script; its value. Variables in `scope` are seen, and those that it defines are left there.

        Raises ParseError, EvalError, LimitError, or ConversionError for variables that scripts may not hold.
        """
        if scope is not None:
            ensure(scope, Scope, "scope")
        ast = self.compile(source, "", scope) if isinstance(source, str) else source
        ensure(ast, AST, "a script that is no text")
        return guarded(ast.name, ast.text, lambda: self._eval(ast.program, ast.library, scope, meter))

    def run(self, source: str | AST, scope: Scope | None = None, meter: Meter | None = None) -> None:
        """Run a script for what it does. Raises as `eval`."""
        self.eval(source, scope, meter)

    def eval_expression(self, source: str, scope: Scope | None = None, meter: Meter | None = None) -> Value:
        """The value of one expression: no statements, no blocks. It is not optimised. Raises as `eval`."""
        return guarded("", source, lambda: self._eval_expression(source, scope, meter))

    def _eval_expression(self, source: str, scope: Scope | None, meter: Meter | None) -> Value:
        program = self._parse(source, scope, expression=True)
        return self._eval(program, _library(program), scope, meter)

    def _eval(self, program: Program, library: Library, scope: Scope | None, meter: Meter | None) -> Value:
        own, used = scope if scope is not None else Scope(), meter or self.meter()
        self._admit_scope(own)
        sharing = self._sharing(program.statements, library, used) if scope is None else None
        with Run(self._world(), used, own, library, sharing) as machine:
            main = attach(machine, self.tier, program.statements, library)
            if sharing is None:
                return interpreter.run(machine, program.statements, main)
            return handed_out(lambda: interpreter.run(machine, program.statements, main), self.types)

    def _sharing(self, statements: tuple[Stmt, ...], library: Library, meter: Meter) -> Sharing | None:
        """How a run shares that the host sees nothing of but its value; None where it does not.

        What is shared may be larger than the memory it takes. So where work is paid for, sizes have to be limited, and so that no
        walk through a value takes long: to such as `MOST_SHARED`.
        """
        if self._packages or self._static or self._on_var is not None or self._on_def_var is not None or self.types.names:
            return None
        limits = meter.limits
        sizes = limits.max_array_size, limits.max_map_size
        if (limits.fuel or limits.memory) and (0 in (*sizes, limits.max_string_size) or max(sizes) > MOST_SHARED):
            return None
        self._owns_functions = False  # as in `_world`
        functions, found = library.sharing  # taken and put at once: there may be other threads
        if functions is not self._functions:
            found = sharing_of(statements, library, self._functions)
            library.sharing = self._functions, found
        sharing: Sharing | None = found
        return sharing

    def parse_json(self, text: str, has_null: bool = True, meter: Meter | None = None) -> dict[str, Value]:
        """The map that a JSON text stands for, read as the real engine reads it: as an expression where `{` opens a map.

        So numbers are Rhai's, and more than JSON is accepted. `null` is `()`, or an error without `has_null`. Raises ParseError,
        EvalError, or MismatchOutputType for what is no map.
        """
        return guarded("", text, lambda: self._parse_json(text, has_null, meter))

    def _parse_json(self, text: str, has_null: bool, meter: Meter | None) -> dict[str, Value]:
        value = self._eval(parse_json(text, self.limits, self.options, has_null), Library(), Scope(), meter)
        if type(value) is not dict:
            raise MismatchOutputType(NONE, "map", type_name(value))
        return value

    def _admit_scope(self, scope: Scope) -> None:
        if scope.admitted_by is not self.types and scope.values:
            scope.values[:] = admit_all(scope.values, self.types, [f"the variable '{name}'" for name in scope.names])
            scope.admitted_by = self.types

    # --- calling ------------------------------------------------------------------------------------------------------

    def call_fn(
        self,
        ast: AST,
        name: str,
        *args: object,
        scope: Scope | None = None,
        this: object = UNBOUND,
        eval_ast: bool = True,
        rewind_scope: bool = True,
        meter: Meter | None = None,
    ) -> Value:
        """Call a function of the script. The arguments are its own from then on.

        The script itself runs first (unless `eval_ast` is false); the variables it makes are gone then, its constants are known
        as `global::NAME`. Variables in `scope` are seen by the function. Without `rewind_scope` all variables stay in `scope`:
        those of the script, which the function sees then, and those of the function, but for its parameters. `this` is what the
        function is called on, and may be any value; a `Ref` gets what the function makes of it. Raises EvalError, LimitError, or
        ConversionError for arguments that scripts may not hold.
        """
        ensure(ast, AST, "a script whose function is called")
        if scope is not None:
            ensure(scope, Scope, "scope")
        own, used = scope if scope is not None else Scope(), meter or self.meter()
        first = ast.program.statements if eval_ast else ()
        may_share = scope is None and rewind_scope and isinstance(this, Unbound) and are_lendable(args)
        sharing = self._sharing(ast.program.statements, ast.library, used) if may_share else None

        def work() -> Value:
            values, bound = self._admit_arguments(args, this, own, sharing is not None)
            used.weights = weights(args) if sharing is not None else {}
            return self._call(ast, name, values, own, bound, first, rewind_scope, used, sharing)

        if sharing is None:
            return guarded(ast.name, ast.text, work)
        return guarded(ast.name, ast.text, lambda: handed_out(work, self.types, lends(args)))

    def call_fn_ptr(self, ast: AST, pointer: FnPtr, *args: object, this: object = UNBOUND, meter: Meter | None = None) -> Value:
        """Call what a function pointer or closure points to; `ast` is the script that it comes from. Raises as `call_fn`.

        The script itself does not run. A closure shares the variables that it captured with the run that made it.
        """

        def work() -> Value:
            values, bound = self._admit_arguments(args, this, Scope())
            found = admit(pointer, self.types, "the pointer")
            assert type(found) is FnPtr
            with Run(self._world(), meter or self.meter(), Scope(), ast.library) as machine:
                attach(machine, self.tier, ast.program.statements, ast.library)
                return interpreter.call_pointer(machine, found, values, bound)

        return guarded(ast.name, ast.text, work)

    def _admit_arguments(
        self, args: tuple[object, ...], this: object, scope: Scope, shares: bool = False
    ) -> tuple[list[Value], Place | None]:
        self._admit_scope(scope)
        paths = [f"argument {number}" for number in range(1, len(args) + 1)]
        if isinstance(this, Unbound):
            return admitted(args, self.types, paths, shares), None
        held = this.value if isinstance(this, Ref) else this
        bound, *values = admitted([held, *args], self.types, ["'this'", *paths], shares)
        if not isinstance(this, Ref):
            return values, Local(bound)
        this.value = bound
        return values, Borrowed(this, False)

    def _call(
        self,
        ast: AST,
        name: str,
        args: list[Value],
        scope: Scope,
        this: Place | None,
        first: tuple[Stmt, ...],
        rewind_scope: bool,
        meter: Meter,
        sharing: Sharing | None,
    ) -> Value:
        library = ast.library
        with Run(self._world(), meter, scope, library, sharing) as machine:
            size = len(scope)
            main = attach(machine, self.tier, ast.program.statements, library)
            try:
                try:
                    interpreter.run(machine, first, main if first else None)
                finally:
                    if rewind_scope:
                        scope.rewind(size)
                found = library.defined(name, len(args))
                if found is None:
                    raise FunctionNotFound(NONE, name)
                return interpreter.call(machine, found, args, this, not rewind_scope)
            except InFunctionCall as error:
                # A call by the script itself, while it runs first, is unwrapped too.
                raise error.inner if error.name == name else error from None

    def _world(self) -> World:
        self._owns_functions = False  # what the compiler makes relies on a table: whoever registers more makes another one
        return World(
            self._functions,
            self._parse,
            NativeCaller,
            self.limits,
            self.options,
            self._resolve if self._resolver is not None else None,
            self._print,
            self._debug,
            self.types,
            self._static,
            self._packages,
            self._on_var,
            self._on_def_var,
        )

    # --- modules ------------------------------------------------------------------------------------------------------

    def module(self, source: str, name: str) -> Module:
        """Run a script as a module: what it exports, and its functions that are not private. Raises as `eval`."""
        return guarded(name, source, lambda: self._module(source, name, ()))

    def _module(self, source: str, name: str, loading: tuple[str, ...]) -> Module:
        ast, scope = self._compile(source, name, name, None), Scope()
        with Run(self._world(), self.meter(), scope, ast.library) as machine:
            machine.loading = loading
            interpreter.run(machine, ast.program.statements)
            return module_of(ast.library, scope, machine.imports, machine.constants)

    def _load(self, machine: Machine, source: str, name: str, key: str) -> Module:
        ast = self._compile(source, name, name, None)
        return load(machine, ast.program, ast.library, key)

    def _resolve(self, machine: Machine, path: str) -> Module | None:
        assert self._resolver is not None
        try:
            module = self._resolver.resolve(_Import(self, machine), path)
            if module is not None:
                self.adopt(module)
        except (RhaiError, RecursionError, MemoryError):
            raise
        except Exception as error:
            raise from_host("import", error) from None
        return module


class _Import:
    """What a resolver is asked by."""

    __slots__ = ("_engine", "_machine", "source")

    def __init__(self, engine: Engine, machine: Machine) -> None:
        self._engine = engine
        self._machine = machine
        self.source = machine.source

    def is_loading(self, key: str) -> bool:
        """Is the module with this key being loaded around this import?"""
        return key in self._machine.loading

    def load(self, text: str, name: str, key: str) -> Module:
        """The module that a script makes, run where the import stands."""
        return self._engine._load(self._machine, text, name, key)

    def evaluate(self, text: str, name: str, key: str) -> Module:
        """The module that a script makes, run by itself."""
        return self._engine._module(text, name, (*self._machine.loading, key))


def _library(program: Program, source: str = "") -> Library:
    return Library([ScriptFunction(item) for item in program.functions], source)
