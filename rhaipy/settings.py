"""The settings of an engine: what its scripts may use, and which parts of the language there are.

Each has a method named as in the real engine. They may be changed between runs, never while a script runs.
"""

from rhaipy.limits import Limits, Options
from rhaipy.records import replaced
from rhaipy.syntax.custom_operators import refusal
from rhaipy.typings import Any


def ensure(given: object, kind: type, what: str) -> None:
    """TypeError if `what` the host hands in is no `kind`."""
    if not isinstance(given, kind):
        raise TypeError(f"{what} must be a rhaipy.{kind.__name__}, not {type(given).__name__}")


_sound = Limits()


def _judge(limits: Limits) -> None:
    """ValueError if a limit is no whole number. Engines are made all the time, most with the same limits as the last one."""
    global _sound
    if limits is _sound:
        return
    record: Any = limits
    for field, value in zip(record.__match_args__, record._fields(), strict=True):
        if type(value) is not int or value < 0:
            raise ValueError(f"the limit {field} must be a whole number, 0 for none, not {value!r}")
    _sound = limits


class Settings:
    """`limits` are what each run may use, `options` which parts of the language there are."""

    def __init__(self, limits: Limits | None, options: Options | None) -> None:
        self.limits = limits if limits is not None else Limits()
        self.options = options if options is not None else Options()
        ensure(self.limits, Limits, "limits")
        ensure(self.options, Options, "options")
        _judge(self.limits)

    # --- the language -------------------------------------------------------------------------------------------------

    def disable_symbol(self, symbol: str) -> None:
        """Take a keyword or an operator out of the language."""
        self.options = replaced(self.options, disabled_symbols=self.options.disabled_symbols | {symbol})

    def register_custom_operator(self, name: str, precedence: int) -> None:
        """Make `name` an operator of two operands that binds as tightly as `precedence` says, 1 to 255; to the left.

        What it does is said by `register_fn(name, ..)`; where it is an identifier, by a function of the script too. For scale:
        `||` has 30, `&&` 60, `==` 90, `<` 130, `+` 150, `*` 180, `**` 190, `<<` 210. One of precedence 1 never binds, as in the
        engine. ValueError, with the engine's own text, for names that mean something else.
        """
        if not 0 <= precedence <= _TIGHTEST:
            raise ValueError(f"a precedence is a number from 1 to {_TIGHTEST}, not {precedence}")
        why = refusal(name, precedence, self.options.disabled_symbols)
        if why:
            raise ValueError(why)
        operators = dict(self.options.custom_operators) | {name: precedence}
        self.options = replaced(self.options, custom_operators=tuple(operators.items()))

    def set_strict_variables(self, enable: bool) -> None:
        """Must all variables and modules be known when a script is compiled?"""
        self.options = replaced(self.options, strict_variables=enable)

    def set_allow_shadowing(self, enable: bool) -> None:
        """May a variable be defined while another of its name is in sight?"""
        self.options = replaced(self.options, allow_shadowing=enable)

    def set_allow_looping(self, enable: bool) -> None:
        """Are there loops?"""
        self.options = replaced(self.options, allow_looping=enable)

    def set_allow_if_expression(self, enable: bool) -> None:
        """May `if` be a value?"""
        self.options = replaced(self.options, allow_if_expression=enable)

    def set_allow_switch_expression(self, enable: bool) -> None:
        """May `switch` be a value?"""
        self.options = replaced(self.options, allow_switch_expression=enable)

    def set_allow_loop_expressions(self, enable: bool) -> None:
        """May loops be values?"""
        self.options = replaced(self.options, allow_loop_expressions=enable)

    def set_allow_statement_expression(self, enable: bool) -> None:
        """May a block be a value?"""
        self.options = replaced(self.options, allow_statement_expression=enable)

    def set_allow_anonymous_fn(self, enable: bool) -> None:
        """Are there closures?"""
        self.options = replaced(self.options, allow_anonymous_fn=enable)

    def set_fast_operators(self, enable: bool) -> None:
        """Do the engine's own operators on its own types come before registered ones?"""
        self.options = replaced(self.options, fast_operators=enable)

    def set_fail_on_invalid_map_property(self, enable: bool) -> None:
        """Is it an error to read a property that a map lacks?"""
        self.options = replaced(self.options, fail_on_invalid_map_property=enable)

    # --- limits: 0 is "no limit" ---------------------------------------------------------------------------------------

    def set_max_operations(self, most: int) -> None:
        """What one run may count."""
        self.limits = replaced(self.limits, max_operations=most)

    def set_max_call_levels(self, most: int) -> None:
        """How deep calls may be nested."""
        self.limits = replaced(self.limits, max_call_levels=most)

    def set_max_string_size(self, most: int) -> None:
        """How long strings may be, in bytes of UTF-8."""
        self.limits = replaced(self.limits, max_string_size=most)

    def set_max_array_size(self, most: int) -> None:
        """How many items arrays may hold, nested ones included; the same for the bytes of blobs."""
        self.limits = replaced(self.limits, max_array_size=most)

    def set_max_map_size(self, most: int) -> None:
        """How many properties maps may hold, nested ones included."""
        self.limits = replaced(self.limits, max_map_size=most)

    def set_max_variables(self, most: int) -> None:
        """How many variables there may be at a time."""
        self.limits = replaced(self.limits, max_variables=most)

    def set_max_functions(self, most: int) -> None:
        """How many functions a script may define."""
        self.limits = replaced(self.limits, max_functions=most)

    def set_max_modules(self, most: int) -> None:
        """How many modules a run may import."""
        self.limits = replaced(self.limits, max_modules=most)

    def set_max_expr_depths(self, most: int, most_in_functions: int) -> None:
        """How deep expressions may be nested, in the program and in functions."""
        self.limits = replaced(self.limits, max_expr_depth=most, max_function_expr_depth=most_in_functions)


_TIGHTEST = 255
