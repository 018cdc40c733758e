"""Maps. Wherever an order shows, it is that of the keys."""

from rhaipy.costs import charge_hash, claim
from rhaipy.display import Part, Quoted, Text, debug, debug_string, listed, render
from rhaipy.errors import RhaiError
from rhaipy.functions import Caller, Package, Ref, function
from rhaipy.library.callbacks import Filling, call_back, call_inside, is_true
from rhaipy.typings import TypeAlias
from rhaipy.values import FnPtr, Shared, Value, copy

MAPS: Package = []

Map: TypeAlias = dict[str, Value]


@function(MAPS, "len", by_reference=True)
def length(map: Map) -> int:
    return len(map)


@function(MAPS, "is_empty", by_reference=True)
def is_empty(map: Map) -> bool:
    return not map


@function(MAPS, "contains", by_reference=True)
def contains(caller: Caller, map: Map, property: str) -> bool:
    charge_hash(caller.meter, property)
    return property in map


@function(MAPS, "get", by_reference=True)
def get(caller: Caller, map: Map, property: str) -> Value:
    charge_hash(caller.meter, property)
    return copy(map.get(property), caller.meter)


@function(MAPS, "set", mutates=True)
def set_property(caller: Caller, map: Ref[Map], property: str, value: Value) -> None:
    charge_hash(caller.meter, property)
    map.value[property] = value


@function(MAPS, "clear", mutates=True)
def clear(map: Ref[Map]) -> None:
    map.value.clear()


@function(MAPS, "remove", mutates=True)
def remove(caller: Caller, map: Ref[Map], property: str) -> Value:
    charge_hash(caller.meter, property)
    return map.value.pop(property, None)


@function(MAPS, "mixin", "+=", mutates=True)
def mixin(caller: Caller, map: Ref[Map], map2: Map) -> None:
    claim(caller.meter, len(map2))
    map.value.update(map2)


@function(MAPS, "+")
def merge(caller: Caller, map1: Map, map2: Map) -> Map:
    claim(caller.meter, len(map1) + len(map2))
    return map1 | map2


@function(MAPS, "fill_with", mutates=True)
def fill_with(caller: Caller, map: Ref[Map], map2: Map) -> None:
    claim(caller.meter, len(map2))
    for key, value in map2.items():
        map.value.setdefault(key, value)


@function(MAPS, "keys", by_reference=True)
def keys(caller: Caller, map: Map) -> list[Value]:
    claim(caller.meter, len(map) * 2)
    return [*sorted(map)]


@function(MAPS, "values", by_reference=True)
def values(caller: Caller, map: Map) -> list[Value]:
    claim(caller.meter, len(map) * 2)
    return [copy(map[key], caller.meter) for key in sorted(map)]


@function(MAPS, "==", by_reference=True)
def equals(caller: Caller, map1: Map, map2: Map) -> bool:
    if len(map1) != len(map2):
        return False
    keys = sorted(map1)
    alike = 0
    while alike < len(keys) and _same(caller, map1, map2, keys[alike]):
        alike += 1
    return alike == len(keys)


def _same(caller: Caller, map1: Map, map2: Map, key: str) -> bool:
    return key in map2 and is_true(call_inside(caller, "==", [map1[key], map2[key]]))


@function(MAPS, "!=", by_reference=True)
def not_equals(caller: Caller, map1: Map, map2: Map) -> bool:
    return not equals(caller, map1, map2)


# --- functions of the script ----------------------------------------------------------------------------------------------


def _call(caller: Caller, name: str, pointer: FnPtr, map: Map, key: str) -> Value:
    # Tried in turn: the key with the value as `this`; the key and the value.
    this: Ref[Value] = Ref(map[key])
    try:
        return call_back(caller, name, pointer, this, [key], [], 1)
    finally:
        map[key] = this.value


@function(MAPS, "map", by_reference=True)
def map_values(caller: Caller, map: Map, mapper: FnPtr) -> Map:
    # Errors name `filter` as the function they come from, as in the engine.
    mapped: Map = {}
    made = Filling(caller.meter)
    for key in sorted(map):
        mapped[key] = made.with_entry(_call(caller, "filter", mapper, map, key))
    return mapped


@function(MAPS, "filter", by_reference=True)
def filter_values(caller: Caller, map: Map, filter: FnPtr) -> Map:
    return {key: copy(map[key], caller.meter) for key in sorted(map) if is_true(_call(caller, "filter", filter, map, key))}


@function(MAPS, "drain", mutates=True)
def drain(caller: Caller, map: Ref[Map], filter: FnPtr) -> Map:
    return _take_out(caller, "drain", map.value, filter, True)


@function(MAPS, "retain", mutates=True)
def retain(caller: Caller, map: Ref[Map], filter: FnPtr) -> Map:
    return _take_out(caller, "retain", map.value, filter, False)


def _take_out(caller: Caller, name: str, map: Map, filter: FnPtr, answer: bool) -> Map:
    # The entries for which the filter gives `answer`. Where it fails, they are lost, and so is the one it failed on.
    taken: Map = {}
    entries = map.copy()
    keys = sorted(entries)
    map.clear()
    for done, key in enumerate(keys, 1):
        try:
            answered = is_true(_call(caller, name, filter, entries, key))
        except RhaiError:
            map.update({key: entries[key] for key in keys[done:]})
            raise
        (taken if answered == answer else map)[key] = entries[key]
    return taken


# --- JSON -----------------------------------------------------------------------------------------------------------------


@function(MAPS, "to_json", by_reference=True)
def to_json(caller: Caller, map: Map) -> str:
    """The map as JSON, but for characters, ranges and unusual characters in strings, which show as in `debug`."""
    return render(map, _json_parts, caller.meter)


def _json_parts(value: Value) -> list[Part] | str:
    if value is None:
        return "null"
    if type(value) is list or type(value) is bytearray:
        return listed("[", [[item] for item in value], ",", "]")
    if type(value) is dict:
        return listed("{", [[Quoted(key), Text(":"), value[key]] for key in sorted(value)], ",", "}")
    if type(value) is FnPtr and not value.curried:
        return debug_string(value.name)
    if type(value) is FnPtr:
        # A captured variable shows as its value.
        curried: list[list[Part]] = [[item.value if type(item) is Shared else item] for item in value.curried]
        return listed("[", [[value.name], *curried], ",", "]")
    return debug(value)
