"""How many tokens models take, as far as their names tell: what percentages of a region's budget are of."""

from typing import Final

USUAL: Final = 128_000
"""For a model that is not known; `context_window` in the agent file says it better."""
BY_NAME: Final = (
    ("claude", 200_000),
    ("gpt-3.5", 16_385),
    ("gpt-4-turbo", 128_000),
    ("gpt-4.1", 1_047_576),
    ("gpt-4o", 128_000),
    ("gpt-4", 8192),
    ("gpt-5", 400_000),
    ("o1", 200_000),
    ("o3", 200_000),
    ("o4", 200_000),
)
"""By the beginning of the name; the first that fits counts. A name may have its maker before it, with a slash."""


def context_window(model: str) -> int:
    """The tokens that `model` takes in one request."""
    name = model.lower().rpartition("/")[2]
    return next((tokens for start, tokens in BY_NAME if name.startswith(start)), USUAL)
