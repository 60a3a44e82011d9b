"""The way of most lines: from the JSON of a case to the line of its ruling, without a stop.

Law of this file: what goes this way is what the slow way would write, byte for byte; every line in doubt is handed on
as a row. Cases that say the same but for their ids get the same ruling, so it is kept for the next one, as long as no
chance is in it.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from refcli.drivers.batch import json_rows
from refcli.drivers.batch.json_rows import Loads
from refcli.drivers.batch.row import Row
from refcli.drivers.batch.totals import MOST_IDS

Ruling = Mapping[str, Any]
Rule = Callable[..., Ruling | None]
Same = tuple[bytes, tuple[str, str]]
"""A ruling behind its id, with its chart and outcome."""
ROOM = 12 * 1024 * 1024
"""How many bytes of cases are remembered with their rulings."""
LONGEST = 4096
"""How many bytes a case may have to be remembered."""
SELDOM = 8
"""With fewer than one in so many that said the same, nothing is remembered any more."""
_HEAD = b'{"id":'
_NAME = re.compile(rb'"[ !#-+\--\[\]-~]{0,80}"')
"""An id that JSON writes in one way only."""


class Sheet:
    """What comes of some rows: lines of rulings, how often each (chart, outcome) came up, and the ids.

    `number` is that of the last row.
    """

    __slots__ = ("counts", "ids", "number", "out")

    def __init__(self, number: int) -> None:
        self.out: list[bytes] = []
        self.counts: dict[tuple[str, str], int] = {}
        self.ids: list[Any] = []
        self.number = number


class Swift:
    """Rules on lines.

    Args:
        compiled: what rules by the chart of that name, on a case, its number and the seed; None where walks have to
            rule. It has None for a case of which it is not sure.
        loads: reads JSON.
        write: the line of a ruling; None where only counts are wanted.
        seed: what a case leaves open is rolled from it; without one nothing is rolled.
    """

    def __init__(
        self,
        compiled: Callable[[Any], Rule | None],
        loads: Loads,
        write: Callable[[Ruling], bytes] | None,
        seed: int | None,
    ) -> None:
        self._compiled = compiled
        self._rules: dict[Any, Rule] = {}
        self._seed = seed
        self._loads = loads
        self._write = write
        self._known: dict[bytes, Same] = {}
        self._ends: dict[Same, Same] = {}
        self._room = ROOM
        self._remembers = seed is None
        self._rows = self._fresh = 0

    def unusual(self, data: bytes, line: int, number: int, sheet: Sheet) -> Iterator[Row]:
        """Rule on whole lines, with `line` lines and `number` rows before them.

        What is ruled on goes on the sheet. A row that is not is handed out first, and its turn is over when the next
        one is asked for.
        """
        if self._room < 0 and (self._rows - self._fresh) * SELDOM < self._rows:
            self._remembers = False
            self._known, self._ends = {}, {}
        out, counts, known = sheet.out.append, sheet.counts, self._known
        loads, write, rules, seed = self._loads, self._write, self._rules, self._seed
        remembers, first = self._remembers, number
        lines = data.split(b"\n")
        if not lines[-1]:
            del lines[-1]
        for at, text in enumerate(lines, line + 1):
            if text[:1] != b"{" and json_rows.is_passed_over(text):
                continue
            number += 1
            rest = b""
            if remembers and text[:6] == _HEAD:
                comma = text.find(b",", 6)
                name, rest = text[6:comma].strip(b" \t"), text[comma:]
                same = known.get(rest)
                if same is not None and _is_name(name):
                    if write is not None:
                        out(_HEAD + name + same[0])
                    counts[same[1]] = counts.get(same[1], 0) + 1
                    if number <= MOST_IDS:
                        sheet.ids.append(name.strip(b'"').decode())
                    continue
            found = None
            try:
                raw = loads(text)
                # As many colons as keys that arrived: none of them stood twice.
                if text.count(b":") == len(raw) + len(raw["given"]) + len(raw["rolls"]):
                    chart = raw.get("chart")
                    rule = rules[chart] if chart in rules else self._rule(chart)
                    if rule is not None:
                        found = rule(raw, number, seed)
            except Exception:  # the slow way knows what to say
                found = None
            if found is None:
                sheet.number = number
                yield json_rows.row(text, at, number, loads)
                continue
            key = found["chart"], found["outcome"]
            counts[key] = counts.get(key, 0) + 1
            if number <= MOST_IDS:
                sheet.ids.append(found["id"])
            done = b""
            if write is not None:
                done = write(found)
                out(done)
            if rest:
                self._keep(name, rest, raw, done, key)
        sheet.number = number
        self._rows += number - first

    def _rule(self, chart: Any) -> Rule | None:
        """What rules by the chart of that name."""
        rule = self._compiled(chart)
        if rule is not None:
            self._rules[chart] = rule
        return rule

    def _keep(self, name: bytes, rest: bytes, raw: Mapping[str, Any], done: bytes, key: tuple[str, str]) -> None:
        """Remember the ruling on a case, by all of it but its id."""
        self._fresh += 1
        begin = _HEAD + name
        if self._room < 0 or len(rest) > LONGEST or "seed" in raw or not _is_name(name):
            return
        if self._write is not None and done[: len(begin) + 1] != begin + b",":
            return
        same = done[len(begin) :], key
        self._known[rest] = self._ends.setdefault(same, same)
        self._room -= len(rest)


def _is_name(name: bytes) -> bool:
    """Whether an id stands in a ruling as it stands in the case: a plain number, or a plain text."""
    if name.isdigit():
        return len(name) < 19 and (name[0] != 48 or len(name) == 1)
    return _NAME.fullmatch(name) is not None
