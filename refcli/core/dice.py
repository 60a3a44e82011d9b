"""Dice as players write them: `d10`, `2d6`, `3d6+1`."""

import re
from functools import cached_property

from refcli.core.struct import Struct

MAX_DICE = 100
MAX_SIDES = 1000
_PATTERN = re.compile(r"(\d*)d(\d+)([+-]\d+)?", re.IGNORECASE | re.ASCII)


class Dice(Struct):
    """`count` dice with faces 1..`sides`, plus a fixed number."""

    count: int
    sides: int
    plus: int = 0

    @property
    def low(self) -> int:
        """The lowest total."""
        return self.count + self.plus

    @property
    def high(self) -> int:
        """The highest total."""
        return self.count * self.sides + self.plus

    @cached_property
    def weights(self) -> dict[int, int]:
        """How many of the `sides ** count` equally likely throws give each total, lowest total first."""
        ways = {self.plus: 1}
        for _ in range(self.count):
            more: dict[int, int] = {}
            for total, weight in ways.items():
                for face in range(1, self.sides + 1):
                    more[total + face] = more.get(total + face, 0) + weight
            ways = more
        return dict(sorted(ways.items()))

    def __str__(self) -> str:
        plus = f"{self.plus:+}" if self.plus else ""
        return f"{self.count if self.count > 1 else ''}d{self.sides}{plus}"


def parse_dice(text: str) -> Dice:
    """Dice from text such as `2d6+1`.

    Raises:
        ValueError: the text is no dice, or asks for more than MAX_DICE dice or MAX_SIDES sides; the message says how
            dice are written.
    """
    found = _PATTERN.fullmatch(text.replace(" ", ""))
    if not found:
        raise ValueError(f"'{text}' is not dice; write them like d10, 2d6 or 2d6+1")
    count, sides, plus = int(found[1] or 1), int(found[2]), int(found[3] or 0)
    if not 1 <= count <= MAX_DICE or not 2 <= sides <= MAX_SIDES:
        raise ValueError(f"'{text}' is out of bounds: 1 to {MAX_DICE} dice of 2 to {MAX_SIDES} sides")
    return Dice(count, sides, plus)
