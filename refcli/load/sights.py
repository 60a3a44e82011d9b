"""Which names an expression sees, each with its type."""

from collections.abc import Callable, Iterable, Mapping

from refcli.core import types as t
from refcli.core.fact import Fact

NOTHING: Mapping[str, t.Type] = {}


class FactSight:
    """Facts alone, the own ones before those of the book: what a default sees."""

    def __init__(self, own: Mapping[str, Fact], book: Mapping[str, Fact], broken: Iterable[str] = ()) -> None:
        self.facts: dict[str, Fact] = {**book, **own}
        self.types: dict[str, t.Type] = dict.fromkeys(broken, t.ANYTHING)
        self._words: dict[str, bool] | None = None

    def type_of(self, name: str) -> t.Type | None:
        """The type of a name; None where nothing is called so."""
        kind = self.types.get(name)
        if kind is None and (fact := self.facts.get(name)) is not None:
            kind = self.types[name] = t.type_of_fact(fact)
        return kind

    def names(self) -> Iterable[str]:
        """All names, for suggestions."""
        return [*self.facts, *(name for name in self.types if name not in self.facts)]

    def more_words(self) -> Iterable[str]:
        """Words besides the choices of facts."""
        return ()

    def words(self) -> Mapping[str, bool]:
        """All words that may stand bare."""
        if self._words is None:
            keys = (choice.key for fact in self.facts.values() for choice in fact.choices)
            self._words = dict.fromkeys((*keys, *self.data_words(), *self.more_words()), True)
        return self._words

    def data_words(self) -> Iterable[str]:
        """Words that choices carry as data."""
        for fact in self.facts.values():
            for choice in fact.choices:
                yield from (value for value in choice.data.values() if isinstance(value, str))

    def inner(self) -> Mapping[str, t.Type]:
        """Nothing comes before the facts."""
        return NOTHING


class ChartSight(FactSight):
    """All that a chart sees: its facts, those of its book, the names its nodes make.

    `words` are those of the outcomes of the charts it runs and of its decks.
    """

    def __init__(
        self,
        own: Mapping[str, Fact],
        book: Mapping[str, Fact],
        broken: Iterable[str],
        words: Callable[[], Iterable[str]],
    ) -> None:
        super().__init__(own, book, broken)
        self.made: dict[str, t.Type] = {}
        self._more = words

    def type_of(self, name: str) -> t.Type | None:
        """The type of a made name, else of a fact."""
        return self.made.get(name) or super().type_of(name)

    def names(self) -> Iterable[str]:
        """All names, for suggestions."""
        return [*self.made, *super().names()]

    def more_words(self) -> Iterable[str]:
        """Outcomes of the charts that are run, choices on cards."""
        return self._more()


class InnerSight:
    """A record, a result or a die before everything else."""

    def __init__(self, inner: Mapping[str, t.Type], outer: FactSight) -> None:
        self._inner = inner
        self.type_of = outer.type_of
        self.names = outer.names
        self.words = outer.words

    def inner(self) -> Mapping[str, t.Type]:
        """The names that come first."""
        return self._inner
