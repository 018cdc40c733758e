"""What a program gives, in one line, for tables of expected values."""

import re

from rhaipy.display import debug
from rhaipy.engine import Engine
from rhaipy.errors import RhaiError
from rhaipy.limits import Limits
from rhaipy.values import type_name

CLOSURE = re.compile(r"anon\$[0-9a-f]{16}")
UNLIMITED = Limits()


def verdict(source: str, limits: Limits = UNLIMITED) -> str:
    """The type and the debug text of the value, or the error; after it what was printed (`> ..`) and debugged (`>> ..`).

    Names of closures, which differ from engine to engine, are `anon$#`.
    """
    shown: list[str] = []
    engine = Engine(limits=limits)
    engine.on_print(lambda text: shown.append(f" > {text}"))
    engine.on_debug(lambda text, _source, _at: shown.append(f" >> {text}"))
    try:
        value = engine.eval(source)
        text = f"{type_name(value)} {debug(value)}"
    except RhaiError as error:
        text = error.display()
    return CLOSURE.sub("anon$#", text + "".join(shown))
