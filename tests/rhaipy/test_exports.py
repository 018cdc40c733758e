"""What `rhaipy` offers: type checkers see the same names as programs."""

import ast
from importlib import import_module
from pathlib import Path

import rhaipy


def test_type_checkers_see_the_names_that_are_there_where_they_are() -> None:
    stub = Path(rhaipy.__file__).with_suffix(".pyi")
    seen: dict[str, str] = {}
    own: dict[str, str] = {}
    offered: list[str] = []
    for item in ast.parse(stub.read_text(encoding="utf-8")).body:
        if isinstance(item, ast.ImportFrom):
            seen |= {alias.asname or alias.name: str(item.module) for alias in item.names}
            own |= {alias.asname or alias.name: alias.name for alias in item.names}
        elif isinstance(item, ast.Assign):
            offered = ast.literal_eval(item.value)
    assert sorted(offered) == sorted(rhaipy.__all__) == sorted(seen)
    for name, module in seen.items():
        assert getattr(import_module(module), own[name]) is getattr(rhaipy, name), name
