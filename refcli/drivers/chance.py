"""Dice and cards by chance. The only file that knows a random generator."""

from typing import TYPE_CHECKING, Any

from refcli.core.deck import Deck
from refcli.core.need import Draw, Need, Roll
from refcli.core.walk import Walk
from refcli.drivers.loop import Supplied

if TYPE_CHECKING:
    import random


class Chance:
    """Rolls every roll, and draws from decks whose make-up is known, every time from the whole deck.

    A seed and a stream always give the same dice, whatever other streams do: a case's stream is its id.

    Args:
        seed: the seed; one is chosen when None.
        stream: which of the seed's streams this is.
    """

    def __init__(self, seed: int | None = None, stream: str = "") -> None:
        self.stream = stream
        self.is_chosen = seed is None
        self.used = 0
        self._seed = seed
        self._made: random.Random | None = None

    @property
    def seed(self) -> int:
        """The seed, chosen now if it was not given."""
        if self._seed is None:
            import random

            self._seed = random.SystemRandom().randrange(10**9)
        return self._seed

    @property
    def _random(self) -> "random.Random":
        if self._made is None:
            import random

            self._made = random.Random(f"{self.seed}:{self.stream}")
        return self._made

    def supply(self, walk: Walk, need: Need) -> Supplied | None:
        """A throw or a card; None for questions, and for a deck that nobody knows the make-up of."""
        if isinstance(need, Roll):
            return Supplied(self.roll(need), "rolled")
        if isinstance(need, Draw) and need.deck.cards:
            return Supplied(self.draw(need.deck), "drawn")
        return None

    def roll(self, need: Roll) -> int | list[int]:
        """A total, or the faces of a pool."""
        self.used += 1
        dice = need.dice
        throws = [
            sum(self._random.randrange(dice.sides) + 1 for _ in range(dice.count)) + dice.plus
            for _ in range(1 if need.pool is None else need.pool)
        ]
        return throws[0] if need.pool is None else throws

    def draw(self, deck: Deck) -> dict[str, Any]:
        """A card of a deck whose make-up is known."""
        self.used += 1
        left = self._random.randrange(sum(count for count, _ in deck.cards))
        for count, card in deck.cards:
            if left < count:
                return dict(card)
            left -= count
        raise AssertionError("a draw is within its deck")

    def mark(self) -> Any:
        """Where the generator stands."""
        return self.used, self._made.getstate() if self._made is not None else None

    def rewind(self, mark: Any) -> None:
        """Stand there again: going back does not give new dice."""
        self.used, state = mark
        if state is None:
            self._made = None
        elif self._made is not None:
            self._made.setstate(state)
