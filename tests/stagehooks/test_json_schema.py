"""JSON Schema: the part that is judged here says what the package jsonschema says, and no schema is taken that would refuse less
than its author meant."""

from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from stagehooks.schema import SchemaError, check_schema, keywords, violations

NUMBERS = some.integers(-5, 5) | some.sampled_from([0.0, -0.0, 0.5, 1.0, 2.5, 1e300, 2**53, -(2**63)])
TEXTS = some.sampled_from(["", "a", "ab", "abc", "ä", "\N{GRINNING FACE}", "1", "true"])
SCALARS = some.none() | some.booleans() | NUMBERS | TEXTS
VALUES = some.recursive(
    SCALARS,
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)
COUNTS = some.integers(0, 3)


def schemas(inner: some.SearchStrategy[Any]) -> some.SearchStrategy[Any]:
    """Schemas of the part, with `inner` ones in them."""
    several = some.lists(inner, min_size=1, max_size=3)
    types = some.sampled_from(keywords.TYPES)
    said = {
        "type": types | some.lists(types, min_size=1, max_size=3, unique=True),
        "enum": some.lists(VALUES, max_size=3),
        "const": VALUES,
        "required": some.lists(some.sampled_from("abc"), max_size=2, unique=True),
        "properties": some.dictionaries(some.sampled_from("abc"), inner, max_size=2),
        "additionalProperties": inner,
        "items": inner,
        "not": inner,
        "allOf": several,
        "anyOf": several,
        "oneOf": several,
        "minimum": NUMBERS,
        "maximum": NUMBERS,
        "exclusiveMinimum": NUMBERS,
        "exclusiveMaximum": NUMBERS,
        "multipleOf": some.integers(1, 4),
        "uniqueItems": some.booleans(),
        "pattern": some.sampled_from(["^a", "b$", "[0-9]", "", "(?i)A"]),
        "title": some.just("a title"),
    }
    counted = {f"{bound}{noun}": COUNTS for bound in ("min", "max") for noun in ("Length", "Items", "Properties")}
    return some.fixed_dictionaries({}, optional={**said, **counted})


SCHEMAS = some.recursive(some.booleans() | schemas(some.booleans()), schemas, max_leaves=8)


def reference(schema: Any) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(schema)


@settings(max_examples=600, deadline=None)
@given(SCHEMAS, VALUES)
def test_the_part_judges_as_the_package_does(schema: Any, value: Any) -> None:
    check_schema(schema)
    assert keywords.beyond(schema) == []
    assert (violations(schema, value) == []) == reference(schema).is_valid(value), (schema, value)


JUNK = some.sampled_from([None, -1, 1.5, "x", [], [1], {}, {"a": 1}, ["string", "string"], "strin", ["null", 7], True, [[]]])


@settings(max_examples=300, deadline=None)
@given(some.dictionaries(some.sampled_from(sorted(keywords.PART)), JUNK, min_size=1, max_size=3))
def test_a_schema_that_is_taken_can_be_applied_to_anything(schema: Any) -> None:
    try:
        check_schema(schema)
    except SchemaError:
        return
    for value in (None, True, 1, 1.5, "x", [1, "x"], {"a": 1}):
        assert isinstance(violations(schema, value), list)


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        (1, "a schema is a table, not 1"),
        ({"type": "strin"}, "at /type: must be one of null, boolean"),
        ({"type": []}, "at /type: must be one of null, boolean"),
        ({"type": [[]]}, "at /type: must be one of null, boolean"),
        ({"anyOf": []}, "at /anyOf: must be a list of schemas, at least one, not []"),
        ({"items": [{}]}, "at /items: a schema is a table, not [{}]"),
        ({"required": True}, "at /required: must be a list of texts, not true"),
        ({"exclusiveMinimum": True}, "at /exclusiveMinimum: must be a number, not true"),
        ({"multipleOf": 0}, "at /multipleOf: must be a number above 0, not 0"),
        ({"minLength": -1}, "at /minLength: must be a whole number, not -1"),
        ({"pattern": "("}, "at /pattern: must be a regular expression"),
        ({"properties": {"a": {"minimum": "3"}}}, "at /properties/minimum: must be a number"),
        ({"requird": ["a"]}, "at /: 'requird' is no keyword of JSON Schema, did you mean 'required'?"),
        ({"properties": {"a": {"maxLenght": 3}}}, "at /properties: 'maxLenght' is no keyword of JSON Schema"),
        ({"patternProperties": {"^a": {"minimun": 3}}}, "at /patternProperties: 'minimun' is no keyword of JSON Schema"),
        ({"if": {"typ": "string"}}, "at /if: 'typ' is no keyword of JSON Schema, did you mean 'type'?"),
        ({"nullable": True}, "at /: 'nullable' is no keyword of JSON Schema"),
        (
            {"$ref": "#/$defs/a", "$defs": {"b": {}}},
            "'$ref' leads to '#/$defs/a', which is not in the schema; nothing is fetched",
        ),
        ({"items": {"$ref": "https://example.com/x"}}, "'$ref' leads to 'https://example.com/x', which is not in the schema"),
        ({"$ref": "file:///etc/passwd"}, "'$ref' leads to 'file:///etc/passwd'"),
        ({"$ref": "other.json#/a"}, "'$ref' leads to 'other.json#/a'"),
        ({"$ref": "#nowhere"}, "'$ref' leads to '#nowhere'"),
        ({"$ref": "#/prefixItems/7", "prefixItems": [True]}, "'$ref' leads to '#/prefixItems/7'"),
        ({"prefixItems": 3}, "3 is not of type 'array'"),
    ],
)
def test_a_schema_that_cannot_be_used_is_refused_with_its_place(schema: Any, says: str) -> None:
    with pytest.raises(SchemaError) as error:
        check_schema(schema)
    assert says in str(error.value)


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"type": "string"}}},
        {"$ref": "#/%24defs/a", "$defs": {"a": {"type": "string"}}},
        {"$ref": "#here", "$defs": {"a": {"$anchor": "here", "type": "string"}}},
        {"$ref": "#/prefixItems/0", "prefixItems": [{"type": "string"}]},
        {"$id": "https://example.com/a", "$ref": "b", "$defs": {"b": {"$id": "b", "type": "string"}}},
        {"type": "string", "x-order": 3, "properties": {"requird": True, "$ref": True}},
        {"if": True, "then": {"type": "string"}},
    ],
)
def test_what_leads_somewhere_is_followed_and_names_of_ones_own_are_let_be(schema: Any) -> None:
    check_schema(schema)
    assert violations(schema, "a text") == []
    assert violations(schema, 1)


def test_what_would_never_end_refuses_instead() -> None:
    check_schema({"$ref": "#"})
    (found,) = violations({"$ref": "#"}, 1)
    assert found.startswith("at /: the schema cannot be applied: ")


def test_depth_is_bounded() -> None:
    schema: Any = {}
    for _ in range(70):
        schema = {"not": schema}
    for deep in (schema, {"if": schema}):
        with pytest.raises(SchemaError, match="nested deeper than 64"):
            check_schema(deep)


def test_without_the_package_what_needs_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stagehooks.schema.find_spec", lambda name: None)
    with pytest.raises(SchemaError, match="'prefixItems' needs the package jsonschema"):
        check_schema({"prefixItems": [True]})
    check_schema({"type": "string", "x-note": "mine"})


@pytest.mark.parametrize(
    ("schema", "value", "says"),
    [
        ({"type": ["integer", "null"]}, "x", ['at /: "x" is not of type "integer" or "null"']),
        ({"properties": {"a/b~": {"items": {"minimum": 2}}}}, {"a/b~": [3, 1]}, ["at /a~1b~0/1: 1 is less than 2"]),
        ({"required": ["a", "b"]}, {}, ['at /: "a" is a required property', 'at /: "b" is a required property']),
        ({"additionalProperties": False}, {"x": 1}, ['at /: "x" is not a known property']),
        (
            {"allOf": [{"minLength": 2}, {"pattern": "^b"}]},
            "a",
            ['at /: "a" is shorter than 2 characters', 'at /: "a" does not match "^b"'],
        ),
        ({"oneOf": [True, True]}, 1, ["at /: 1 fits 2 of the 2 alternatives, not one"]),
        (False, 1, ["at /: nothing is allowed here"]),
    ],
)
def test_a_violation_says_where_and_what(schema: Any, value: Any, says: list[str]) -> None:
    assert violations(schema, value) == says
