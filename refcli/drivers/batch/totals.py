"""What became of a batch: how many rows, rulings and errors, and how often each outcome."""

from collections.abc import Iterable, Mapping
from typing import Any

from refcli.core.struct import Struct
from refcli.drivers.batch.blocks import Mark

MOST_TOLD = 10
"""How many bad rows are told one by one."""
MOST_IDS = 100_000
"""Among how many rows ids are looked at for doubles: memory must not grow with the length of a batch."""


class Done(Struct):
    """A block that was ruled on.

    `out` and `rejects` are the bytes that go out, `after` the place behind the block, `counts` how often each
    (chart, outcome) came up, `errors` how many rows have no ruling, `told` the first of these with their lines, `ids`
    the ids of the rows where they are still looked at. `stopped` is why the batch ends here: the row at fault is in
    `rejects` but not counted, and `after` is the place before it.
    """

    out: bytes | memoryview
    rejects: bytes
    after: Mark
    counts: Mapping[tuple[str, str], int]
    errors: int
    told: tuple[tuple[int, str], ...]
    ids: tuple[Any, ...]
    stopped: str = ""


class Totals:
    """The counts of a batch."""

    def __init__(self) -> None:
        self.errors = 0
        self.outcomes: dict[str, dict[str, int]] = {}
        self.told: list[tuple[int, str]] = []
        self.first_double = ""
        self._ids: set[str] = set()
        self._looked = 0

    @property
    def rulings(self) -> int:
        """How many rows have a ruling."""
        return sum(sum(outcomes.values()) for outcomes in self.outcomes.values())

    @property
    def rows(self) -> int:
        """How many rows there were."""
        return self.rulings + self.errors

    def add(self, done: Done) -> None:
        """Add a block; blocks come in order."""
        self.errors += done.errors
        for (chart, outcome), count in done.counts.items():
            outcomes = self.outcomes.setdefault(chart, {})
            outcomes[outcome] = outcomes.get(outcome, 0) + count
        self.told += done.told[: MOST_TOLD - len(self.told)]
        self._look(done.ids)

    def _look(self, ids: Iterable[Any]) -> None:
        """Look for ids that stand twice."""
        names = list(map(str, ids))
        fresh = set(names)
        if not self.first_double and (len(fresh) < len(names) or not fresh.isdisjoint(self._ids)):
            self.first_double = self._double(names)
        self._ids |= fresh
        self._looked += len(names)

    def _double(self, names: list[str]) -> str:
        """The first of some ids that stood before, and where."""
        seen = set(self._ids)
        for place, name in enumerate(names, self._looked + 1):
            if name in seen:
                return f"case {place:,} is called '{name[:40]}' like one before it"
            seen.add(name)
        return ""

    def data(self) -> dict[str, Any]:
        """The counts as JSON values."""
        return {"errors": self.errors, "told": self.told, "outcomes": self.outcomes}

    def restore(self, data: Mapping[str, Any]) -> None:
        """Take over the counts of an earlier run."""
        self.errors = int(data["errors"])
        self.told = [(int(line), str(reason)) for line, reason in data["told"]]
        self.outcomes = {chart: dict(outcomes) for chart, outcomes in data["outcomes"].items()}
