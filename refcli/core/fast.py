"""The fast path: a chart turned into one Python function that runs a fully answered case to its end.

The function is generated from the checked graph, node by node. It is an optimist: whatever it does not expect (an
unknown fact, an illegal answer, a value without a case) makes it give up and return None, and the walk of
`walk.py`, which is its oracle, rules and finds the words. Charts that draw cards, throw pools, or run other charts
are not turned; for them `compiled` returns None.
"""

from collections.abc import Mapping
from typing import Any

from refcli.core import chart as c
from refcli.core.fact import Kind
from refcli.core.generate import Writer
from refcli.core.layout import GiveUpError
from refcli.core.need import Outcome
from refcli.core.trail import Step
from refcli.core.values import Frozen


class Fast:
    """A compiled chart. Both ways return None where the walk has to rule."""

    __slots__ = ("_decide", "_record", "chart", "steps")

    def __init__(self, chart: c.Chart) -> None:
        self.chart = chart
        plain, recorded = Writer(chart, record=False), Writer(chart, record=True)
        self._decide = plain.function()
        self._record = recorded.function()
        self.steps = recorded.steps

    def decide(self, given: Mapping[str, Any], rolls: Mapping[str, Any]) -> tuple[str, dict[str, Any]] | None:
        """The outcome's id and what it gives; answers and rolls by name."""
        try:
            found: tuple[str, dict[str, Any]] = self._decide(given, rolls)
            return found
        except (GiveUpError, KeyError, TypeError):
            return None

    def record(self, given: Mapping[str, Any], rolls: Mapping[str, Any]) -> "Recorded | None":
        """The outcome with its trail and the defaults that were taken."""
        try:
            return Recorded(self, *self._record(given, rolls))
        except (GiveUpError, KeyError, TypeError):
            return None


class Recorded:
    """A finished run of the fast path; its steps and outcome are put into words when they are looked at."""

    __slots__ = ("_fast", "_raw", "_told", "defaults", "gives", "id", "rest")

    def __init__(self, fast: Fast, ended: str, gives: dict[str, Any], rest: tuple[Any, ...]) -> None:
        self._fast = fast
        self.id = ended
        self.gives = gives
        self._raw, self.defaults, self._told, *self.rest = rest

    @property
    def outcome(self) -> Outcome:
        """The outcome, as the walk would give it."""
        node = self._fast.chart.outcomes[self.id]
        says, effects, changes, then = self.rest
        return Outcome(
            self._fast.chart.id, node.id, node.title, node.tone, says, effects, Frozen(self.gives), Frozen(changes),
            then, node.note, node.page or self._fast.chart.page, node,
        )  # fmt: skip

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps, as the walk would log them (but for the facts they used)."""
        notes = list(self._told.values())
        before = 0
        steps = []
        for index, after, *parts in self._raw:
            steps.append(self._fast.steps[index](notes[before:after], *parts))
            before = after
        return tuple(steps)


def compiled(chart: c.Chart) -> Fast | None:
    """The chart as one function; None for a chart that the fast path cannot run."""
    kinds = (c.DoNode, c.DecideNode, c.SetNode, c.TallyNode, c.RollNode, c.TableNode)
    if not all(isinstance(node, kinds) for node in chart.nodes.values()):
        return None
    if any(isinstance(node, c.RollNode) and node.pool is not None for node in chart.nodes.values()):
        return None
    facts = (chart.fact(name) for name in chart.live[chart.start])
    if any(fact is not None and fact.kind in (Kind.LIST, Kind.TEXT) for fact in facts):
        return None
    try:
        return Fast(chart)
    except GiveUpError:
        return None
