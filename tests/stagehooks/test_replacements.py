"""Which of the calls that were asked for a hook's calls were made of."""

from time import perf_counter

from stagehooks.models.protocol import ToolCall
from stagehooks.run.replacements import origins_of


def call(name: str, argument: object, id: str = "") -> ToolCall:
    return ToolCall(id or f"{name}-{argument}", name, {"x": argument})


def test_a_call_that_is_left_as_it_was_is_made_of_itself_and_not_of_one_before_it() -> None:
    asked = (call("f", 1), call("f", 2))
    assert origins_of((call("f", 2), call("f", 3)), asked) == [asked[1], asked[0]]


def test_every_call_is_the_origin_of_one_at_most() -> None:
    asked = (call("f", 1), call("g", 1))
    assert origins_of((call("f", 1), call("f", 1), call("g", 2)), asked) == [asked[0], None, asked[1]]


def test_equal_calls_keep_their_order() -> None:
    asked = tuple(call("f", 1, str(number)) for number in range(3))
    assert [origin is made for origin, made in zip(origins_of((call("f", 1),) * 3, asked), asked, strict=True)] == [True] * 3


def test_many_calls_with_long_arguments_take_little_time() -> None:
    asked = tuple(call("f", str(number) + "x" * 2000) for number in range(3000))
    left = tuple(call("f", str(number) + "y" * 2000) for number in range(1000))
    started = perf_counter()
    assert origins_of(left, asked) == list(asked[:1000])
    assert perf_counter() - started < 5
