"""Trees to look at: a node as JSON data, and as indented lines."""

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from operator import attrgetter

from rhaipy.display import debug
from rhaipy.report import where
from rhaipy.syntax.nodes import Constant
from rhaipy.typings import Any, Final
from rhaipy.values import type_name


def tree_data(item: Any) -> Any:
    """A node, or what nodes hold, as JSON data; positions as "line:column"."""
    if isinstance(item, Constant):
        return {"node": "Constant", "at": where(item.at), "type": type_name(item.value), "value": debug(item.value)}
    if is_dataclass(item) and not isinstance(item, type):
        places = [field.name for field in fields(item) if field.name.split("_")[-1] in ("at", "end")]
        parts = {field.name: attrgetter(field.name)(item) for field in fields(item)}
        data = {name: where(value) if name in places else tree_data(value) for name, value in parts.items()}
        return {"node": type(item).__name__, **data}
    if isinstance(item, dict):
        return [[_case(key), list(arms)] for key, arms in item.items()]
    return [tree_data(part) for part in item] if isinstance(item, tuple) else item


def _case(key: Any) -> str:
    """A literal that a switch looks for; only the type of a composite one."""
    return debug(key[1]) if isinstance(key[0], type) else str(key[0])


def tree_lines(data: Any, label: str = "", indent: str = "") -> Iterator[str]:
    """What `tree_data` gave, to read: a node on a line, with what is no node beside it, its parts below."""
    if isinstance(data, list):
        for part in data:
            yield from tree_lines(part, label, indent)
        return
    if not isinstance(data, dict):
        yield f"{indent}{label}{json.dumps(data, ensure_ascii=False)}"
        return
    parts = [(name, value) for name, value in data.items() if not name.endswith(("node", "at", "end")) and value not in _NOTHING]
    beside = [f" {name}={json.dumps(value, ensure_ascii=False)}" for name, value in parts if not _holds_nodes(value)]
    yield f"{indent}{label}{data['node']}{' ' + data['at'] if 'at' in data else ''}{''.join(beside)}"
    for name, value in parts:
        if _holds_nodes(value):
            yield from tree_lines(value, f"{name}: ", indent + "  ")


_NOTHING: Final[tuple[Any, ...]] = (None, False, "", [])


def _holds_nodes(data: Any) -> bool:
    return isinstance(data, dict) or (isinstance(data, list) and any(_holds_nodes(part) for part in data))
