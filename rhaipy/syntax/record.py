"""What a node is: a frozen record."""

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

_Node = TypeVar("_Node")


@dataclass_transform(frozen_default=True, eq_default=False)
def node(cls: type[_Node]) -> type[_Node]:
    """A frozen slotted record, compared by identity.

    It is frozen for the type checker only: freezing at run time would take 10 ms of every import and a third of the time of a
    parse.
    """
    return dataclass(slots=True, eq=False)(cls)
