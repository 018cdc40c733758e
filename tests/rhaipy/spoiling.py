"""What tests of aliases do with values: show them as scripts do, and change all that is in them."""

from rhaipy import Engine, Value


def shown(value: Value) -> str:
    """The value as `to_debug` shows it."""
    engine = Engine()
    text = engine.call_fn(engine.compile("fn shown(value) { to_debug(value) }"), "shown", value)
    assert isinstance(text, str)
    return text


def spoil(value: Value) -> None:
    """Change all containers in `value`."""
    pending = [value]
    while pending:
        match pending.pop():
            case list() as items:
                pending.extend(items)
                items.append("spoiled")
            case dict() as entries:
                pending.extend(entries.values())
                entries["spoiled"] = 1
            case bytearray() as blob:
                blob.append(0)
