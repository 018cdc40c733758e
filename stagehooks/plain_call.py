"""The command `call` as people write it, read without argparse: that takes 3 ms to load and to fill, and trying a hook shall feel
instant.

Only what is certain is read here. What is not, and above all what is wrong, is left to the parser, which reads the same.
"""

from collections.abc import Sequence

from rhaipy import record


@record
class Call:
    """What the command `call` is asked for: a script, a hook, where its data is, and in which form the answer is wanted."""

    file: str
    hook: str
    ctx: str
    json: bool


def plain_call(words: Sequence[str]) -> Call | None:
    """`call FILE HOOK --ctx CTX [--json]`, in any order but with nothing shortened or joined; None for all else."""
    if not words or words[0] != "call":
        return None
    places: list[str] = []
    ctx: str | None = None
    json = False
    rest = iter(words[1:])
    for word in rest:
        if word == "--ctx" and ctx is None:
            ctx = next(rest, "--")
            if ctx.startswith("-") and ctx != "-":
                return None
        elif word == "--json" and not json:
            json = True
        elif word.startswith("-"):
            return None
        else:
            places.append(word)
    if ctx is None or len(places) != 2:
        return None
    file, hook = places
    return Call(file, hook, ctx, json)
