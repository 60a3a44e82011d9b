"""Cases on the fast path: what is usual is ruled on by the compiled chart, the rest is left to the walk.

Law of this file: a ruling that comes from here is the walk's own, byte for byte. Whatever is in doubt gives None.
"""

from collections.abc import Callable
from typing import Any

from refcli.core.chart import Chart
from refcli.core.family import family
from refcli.drivers.names import roll_names

USUAL = frozenset({"id", "chart", "given", "rolls", "draws", "seed"})
"""What a case may have here."""
FIRST = 2
"""How many cases of a chart are walked before it is compiled: a single one is ruled on sooner so."""
WORTH = 5
"""How many nodes of a chart that runs others make up for one more such case; they take longer to compile."""
Nothing: dict[str, Any] = {}


class Quick:
    """A chart that is compiled once it has been needed a few times.

    Args:
        chart: the chart.
        facts: all names by which a case may answer a fact.
        trail: add the audit trail to rulings.
        house_rules: cases answer the house rules too.
    """

    __slots__ = ("_chart", "_errors", "_facts", "_house_rules", "_mode", "_rolls", "_run", "_wait")

    def __init__(
        self, chart: Chart, facts: frozenset[str], *, trail: bool = False, house_rules: bool = False
    ) -> None:
        self._chart = chart
        self._mode = "trail" if trail else "rule"
        self._house_rules = house_rules
        self._facts = facts
        self._rolls: frozenset[str] = frozenset()
        self._run: Callable[..., dict[str, Any]] | None = None
        self._errors: tuple[type[Exception], ...] = ()
        runs = sum(len(one.nodes) for one in family([chart]).values()) if chart.charts else 0
        self._wait = FIRST + runs // WORTH

    def rule(self, raw: dict[str, Any], number: int, seed: int | None) -> dict[str, Any] | None:
        """The ruling on a case; None where the walk has to rule.

        Args:
            raw: the case, as plain data.
            number: its id where it has none.
            seed: what it leaves open is rolled from this, where it has no seed of its own.
        """
        run = self._run
        if run is None and (run := self._ready()) is None:
            return None
        try:
            given, rolls, case = raw["given"], raw["rolls"], raw["id"]
            usual = len(raw) == 4 and "chart" in raw
        except KeyError:
            given, rolls, case, usual = raw.get("given", Nothing), raw.get("rolls", Nothing), raw.get("id"), False
        draws: Any = ()
        if not usual:
            if not raw.keys() <= USUAL:
                return None
            draws = raw.get("draws", ())
            if draws.__class__ is not list and draws != ():
                return None
            if (own := raw.get("seed")) is not None:
                if own.__class__ is not int:
                    return None
                seed = own
        if case.__class__ is not int and case.__class__ is not str:
            if case is not None:
                return None
            case = number
        if given.__class__ is not dict or rolls.__class__ is not dict:
            return None
        chance = None
        if seed is not None:
            from refcli.drivers.chance import Chance

            chance = Chance(seed, str(case)).throw
        try:
            found = run(case, given, rolls, draws, chance)
        except self._errors:
            return None
        if "unused" in found and not (self._facts.issuperset(given) and self._rolls.issuperset(rolls)):
            return None
        return found

    def _ready(self) -> Callable[..., dict[str, Any]] | None:
        """The compiled chart; None where it is not worth it yet, or not to be had."""
        if self._wait > 0:
            self._wait -= 1
            return None
        if self._wait == 0:
            self._wait = -1
            from refcli.core.fast import GIVES_UP, compiled

            fast = compiled(self._chart, house_rules=self._house_rules)
            self._run = fast.function(self._mode) if fast is not None else None
            self._errors = GIVES_UP
            # A name with its chart means what the walk says it means; where charts are run the rolls know it too.
            self._facts = frozenset(name for name in self._facts if "." not in name)
            rolls = roll_names(self._chart)
            self._rolls = frozenset(name for name in rolls if "." not in name or self._chart.charts)
        return self._run
