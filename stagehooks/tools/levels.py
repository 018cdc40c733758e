"""How confidential a text is: the three levels that regions, tool results and outbound channels are measured by."""

from enum import IntEnum


class Level(IntEnum):
    """Ordered: what is PRIVATE may not go where only PUBLIC may."""

    PUBLIC = 0
    INTERNAL = 1
    PRIVATE = 2

    @property
    def title(self) -> str:
        """As in prose about one level: `Internal`."""
        return self.name.capitalize()

    @property
    def word(self) -> str:
        """As in data and lists: `internal`."""
        return self.name.lower()
