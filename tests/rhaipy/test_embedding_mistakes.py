"""What hosts get wrong when they set an engine up or call it: said at once, not by an internal error later."""

from typing import Any, cast

import pytest

from rhaipy import Engine, Limits

WRONG: Any = {
    "tier must be one of auto, compiled, reference, not 'fast'": lambda: Engine(tier=cast(Any, "fast")),
    "optimize must be 'none' or 'simple', not 'full'": lambda: Engine(optimize=cast(Any, "full")),
    "limits must be a rhaipy.Limits, not int": lambda: Engine(cast(Any, 100)),
    "options must be a rhaipy.Options, not Limits": lambda: Engine(None, cast(Any, Limits())),
    "the limit max_operations must be a whole number, 0 for none, not '5'": lambda: Engine(Limits(max_operations=cast(Any, "5"))),
    "the limit fuel must be a whole number, 0 for none, not -5": lambda: Engine(Limits(fuel=-5)),
    "scope must be a rhaipy.Scope, not dict": lambda: Engine().eval("x", cast(Any, {"x": 1})),
    "a script whose function is called must be a rhaipy.AST, not str": lambda: Engine().call_fn(cast(Any, "fn f() {}"), "f"),
    "a script that is no text must be a rhaipy.AST, not NoneType": lambda: Engine().eval(cast(Any, None)),
}
"""What the host gets wrong, by what it is told."""


@pytest.mark.parametrize("says", WRONG)
def test_what_the_host_gets_wrong_is_said_at_once(says: str) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        WRONG[says]()
    assert str(caught.value) == says
