"""The fast path: a chart turned into one Python function that runs a fully answered case to its ruling.

The function is generated from the checked graph, node by node, with all that the chart runs written out in its
place. It is an optimist: whatever it does not expect (an unknown fact, an illegal answer, a value without a case)
makes it give up and return None, and the walk of `walk.py`, which is its oracle, rules and finds the words.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from refcli.core import chart as c
from refcli.core.errors import RefcliError
from refcli.core.generate import Writer
from refcli.core.layout import GiveUpError, Layout
from refcli.core.supply import Throw

GIVES_UP = (GiveUpError, KeyError, IndexError, TypeError, ValueError, AttributeError, RefcliError)
"""What the generated code may meet; the walk meets it too, and knows what to say."""


class Fast:
    """A compiled chart. Its functions are written when they are first called; None leaves a case to the walk."""

    __slots__ = ("_layout", "_made", "chart", "house_rules")

    def __init__(self, chart: c.Chart, *, house_rules: bool = False) -> None:
        self.chart = chart
        self.house_rules = house_rules
        self._layout = Layout(chart)
        self._made: dict[str, Callable[..., Any] | None] = {}

    def function(self, mode: str) -> Callable[..., Any] | None:
        """The function that decides ('decide'), rules ('rule'), or rules with a trail ('trail'); None without one.

        It takes an id, answers, rolls, draws and chance, and raises one of GIVES_UP where the walk has to rule.
        """
        if mode not in self._made:
            try:
                self._made[mode] = Writer(self._layout, mode, house_rules=self.house_rules).function()
            except (GiveUpError, SyntaxError, RecursionError):
                self._made[mode] = None
        return self._made[mode]

    def decide(self, given: Mapping[str, Any], rolls: Mapping[str, Any]) -> tuple[str, dict[str, Any]] | None:
        """The outcome's id and what it gives. Answers and rolls are by their plain names; no others count."""
        run = self.function("decide")
        if run is None:
            return None
        try:
            found: tuple[str, dict[str, Any]] = run(None, given, rolls, (), None)
            return found
        except GIVES_UP:
            return None

    def ruling(
        self,
        given: Mapping[str, Any],
        rolls: Mapping[str, Any],
        draws: Sequence[Any] = (),
        *,
        case: object = None,
        chance: Throw | None = None,
        trail: bool = False,
    ) -> dict[str, Any] | None:
        """The ruling on a case, as `ruling.ruling` gives it for the walk of that case.

        Args:
            given: answers by name.
            rolls: throws by name or `chart.name`: one answers every time, a list in order.
            draws: cards in order.
            case: the id of the case; left out when None.
            chance: rolls what the case leaves open.
            trail: add the audit trail.

        Returns:
            The ruling; with `unused` in it for answers, rolls and draws that were not needed. Whether the chart knows
            their names at all is for the caller to see.
        """
        run = self.function("trail" if trail else "rule")
        if run is None:
            return None
        try:
            found: dict[str, Any] = run(case, given, rolls, draws, chance)
        except GIVES_UP:
            return None
        if case is None:
            del found["id"]
        return found


def compiled(chart: c.Chart, *, house_rules: bool = False) -> Fast | None:
    """The chart as functions; None for a chart that the fast path cannot run."""
    try:
        return Fast(chart, house_rules=house_rules)
    except GiveUpError:
        return None
