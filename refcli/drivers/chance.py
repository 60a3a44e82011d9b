"""Dice and cards by chance. The only file that knows a random generator."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from refcli.core.dice import Dice
from refcli.core.fact import Fact, Kind
from refcli.core.need import Draw, Need, Roll
from refcli.core.walk import Walk
from refcli.drivers.cards import left
from refcli.drivers.loop import Supplied

if TYPE_CHECKING:
    import random


class Chance:
    """Rolls every roll, and draws from decks whose make-up is known or that have a placeholder for it.

    Cards of a known make-up are not put back before the deck is empty; those of a placeholder come each on its own.
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
        if isinstance(need, Draw) and need.deck.can_be_drawn:
            return self.draw(walk, need)
        return None

    def roll(self, need: Roll) -> int | list[int]:
        """A total, or the faces of a pool."""
        return self.throw(need.dice, need.pool)

    def throw(self, dice: Dice, pool: int | None = None) -> int | list[int]:
        """The total of dice, or the faces of so many in a pool."""
        self.used += 1
        throws = [
            sum(self._random.randrange(dice.sides) + 1 for _ in range(dice.count)) + dice.plus
            for _ in range(1 if pool is None else pool)
        ]
        return throws[0] if pool is None else throws

    def draw(self, walk: Walk, need: Draw) -> Supplied:
        """A card of a deck that can be drawn: of what is left of it, or by its placeholder what the path may read."""
        self.used += 1
        deck = need.deck
        if deck.cards:
            kinds = {place: count for place, count in enumerate(left(deck, walk)) if count}
            return Supplied(dict(deck.cards[self._weighted(kinds)][1]), "drawn")
        weights = deck.placeholder or {}
        wanted = [fact for name, fact in deck.fields.items() if name in need.fields]
        card = {fact.name: self._field(fact, weights.get(fact.name, {})) for fact in wanted}
        return Supplied(card, "placeholder" if card else "drawn")

    def _field(self, fact: Fact, weights: Mapping[Any, int]) -> Any:
        """What a field shows by a placeholder, every column on its own; without weights all answers are alike."""
        if fact.columns is not None:
            low, high = fact.columns
            return {column: self._field(fact.at(column), weights) for column in range(low, high + 1)}
        if weights:
            return self._weighted({answer: weight for answer, weight in weights.items() if _is_legal(fact, answer)})
        match fact.kind:
            case Kind.YES_NO:
                return bool(self._random.randrange(2))
            case Kind.CHOICE:
                return fact.choices[self._random.randrange(len(fact.choices))].key
        return self._random.randrange(fact.low or 0, (fact.high or 0) + 1)

    def _weighted(self, weights: Mapping[Any, int]) -> Any:
        """One of some things, each as often as its weight says."""
        at = self._random.randrange(sum(weights.values()))
        for thing, weight in weights.items():
            if at < weight:
                return thing
            at -= weight
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


def _is_legal(fact: Fact, answer: Any) -> bool:
    """Whether a number may stand in this column; any other answer may."""
    return fact.kind is not Kind.NUMBER or fact.high is None or answer <= fact.high
