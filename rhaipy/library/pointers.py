"""Function pointers. `Fn`, `call` and `curry` are part of the language, not of the library."""

from rhaipy.functions import Package, function
from rhaipy.values import FnPtr

POINTERS: Package = []


@function(POINTERS, "name", getter=True, by_reference=True)
def name(fn_ptr: FnPtr) -> str:
    return fn_ptr.name


@function(POINTERS, "is_anonymous", getter=True, by_reference=True)
def is_anonymous(fn_ptr: FnPtr) -> bool:
    return fn_ptr.is_anonymous
