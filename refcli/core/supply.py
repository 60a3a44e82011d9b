"""What the code of the fast path calls where a row is not of the plainest: cards, lists, dice in order, chance.

Whatever does not fit gives up: the walk then rules, and finds the words for what is wrong.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from refcli.core import chart as c
from refcli.core.deck import Deck
from refcli.core.dice import Dice
from refcli.core.fact import MAX_RECORDS, Fact
from refcli.core.layout import OPEN, GiveUpError, Key
from refcli.core.need import read_answer, read_card
from refcli.core.records import broken_rule
from refcli.core.ruling import plain
from refcli.core.struct import Struct

Throw = Callable[[Dice, int | None], Any]
"""Rolls by chance: the total of dice, or for a pool the faces of so many."""
FACES = {str(face): face for face in range(-99, 1000)}
"""Numbers on dice, as text."""


def stop() -> Any:
    """Give up: a fact that is needed has no answer."""
    raise GiveUpError


def number(value: Any) -> int:
    """A throw as it stands in a case."""
    if value.__class__ is str:
        return FACES[value]
    if value.__class__ is not int:
        raise GiveUpError
    return int(value)


def records(fact: Fact, raw: Any) -> list[dict[str, Any]]:
    """The records of a list, each with its place, to be asked and changed; apart, under `+`, what was answered."""
    return [{**record, "place": place, "+": {**record}} for place, record in enumerate(read_answer(fact, raw), 1)]


def see(seen: set[Any], key: Any, note: str, fresh: list[str]) -> None:
    """Tell a fact's note with the step that is the first to read it."""
    if key not in seen:
        seen.add(key)
        fresh.append(note)


class Spec(Struct, eq=False):
    """A field of a list's records: its note, where it is told, and the list, where that has rules for the field.

    `told` is a fact of that name that is answered before a walk starts, and counts as used when the field is read.
    """

    fact: Fact
    note: str
    list: Fact | None = None
    told: Fact | None = None


class Row:
    """One case on its way through the code of a chart.

    `taken` are the facts whose default was taken, `told` the notes met, `used` the answers that were used as far as
    the code does not know it by itself, `counts` how often each roll was. `fresh` are, for a trail, the notes that
    the step at work is the first to meet.
    """

    __slots__ = (
        "chance", "changes", "counts", "drawn", "draws", "exact", "fresh", "given", "held", "lists", "rolls",
        "taken", "told", "used",
    )  # fmt: skip

    def __init__(
        self, given: Mapping[str, Any], rolls: Mapping[str, Any], draws: Sequence[Any], chance: Throw | None,
        taken: dict[str, None], told: dict[str, None], used: set[str], fresh: list[str] | None,
    ) -> None:  # fmt: skip
        self.given = given
        self.rolls = rolls
        self.draws = draws
        self.chance = chance
        self.taken = taken
        self.told = told
        self.used = used
        self.fresh = fresh
        self.counts: dict[str, int] = {}
        self.exact = False
        self.drawn = 0
        self.held: list[dict[str, Any]] = []
        self.lists: dict[Key, list[dict[str, Any]]] = {}
        self.changes: list[tuple[dict[str, Any], str, Any]] = []

    def listed(self, key: Key, found: Any) -> Any:
        """A list at its first reading."""
        if found is OPEN:
            raise GiveUpError
        if key[0] <= 0:
            self.lists.setdefault(key, found)
        return found

    def change(self, record: dict[str, Any], name: str, value: Any) -> None:
        """An outcome changes a record."""
        record[name] = value
        self.changes.append((record, name, value))

    def records(self, chart: c.Chart) -> dict[str, Any]:
        """The lists that were read, with their records as they are at the end; see `ruling.records`."""
        for record, name, value in self.changes:
            record["+"][name] = value
        found: dict[str, Any] = {}
        for index, facts in ((-1, chart.book.facts), (0, chart.facts)):
            for name, fact in facts.items():
                if (index, name) in self.lists:
                    told = [record["+"] for record in self.lists[index, name]]
                    records = [{f.name: one[f.name] for f in fact.fields if f.name in one} for one in told]
                    found[f"{chart.id.partition('/')[2]}.{name}" if name in found else name] = records
        return found

    def field(self, record: dict[str, Any], spec: Spec, computed: Callable[[], Any] | None, silent: bool) -> Any:
        """A field of a record at a reading that may be the first.

        Args:
            record: the record.
            spec: the field.
            computed: works its default out, where that is no fixed value.
            silent: it is only asked for.
        """
        fact = spec.fact
        name = fact.name
        if name not in record:
            default = fact.default
            if default is None if name not in self.given else computed is not None:
                raise GiveUpError
            if name in self.given:
                record[name] = read_answer(fact, self.given[name])
                self.used.add(name)
            elif default is not None:
                record[name] = default(None) if computed is None else computed()
                record.setdefault("default+", set()).add(name)
            if spec.list is not None and broken_rule(spec.list, record, {name}):
                raise GiveUpError
            record["+"][name] = record[name]
        if not silent:
            self._tell(record, spec)
        return record[name]

    def _tell(self, record: dict[str, Any], spec: Spec) -> None:
        """Tell what the first reading of a field tells."""
        name = spec.fact.name
        if name in record.get("default+", ()):
            self.taken.setdefault(name)
        if spec.told is not None and name in self.given:
            read_answer(spec.told, self.given[name])
            self.used.add(name)
        if spec.note and self.fresh is None:
            self.told.setdefault(spec.note)
        elif spec.note and self.fresh is not None:
            see(record.setdefault("seen+", set()), name, spec.note, self.fresh)

    def roll(self, names: Sequence[str], dice: Dice) -> int:
        """The next throw of dice: the case's, by the most exact name that has any left, else by chance."""
        for name in names:
            if name not in self.rolls:
                continue
            value = self.rolls[name]
            done = self.counts.get(name, 0)
            if not isinstance(value, list | tuple):
                self.counts[name] = done + 1
                return number(value)
            if done < len(value):
                self.counts[name] = done + 1
                return number(value[done])
        if self.chance is None:
            raise GiveUpError
        total: int = self.chance(dice, None)
        return total

    def pool(self, names: Sequence[str], dice: Dice, count: int) -> list[int]:
        """The faces of a pool of dice."""
        if count > MAX_RECORDS:
            raise GiveUpError
        for name in names:
            if name not in self.rolls:
                continue
            value = self.rolls[name]
            done = self.counts.get(name, 0)
            if not isinstance(value, list | tuple):
                value, done = [value], 0
            elif done >= len(value):
                continue
            self.counts[name] = self.counts.get(name, 0) + (
                count if isinstance(self.rolls[name], list | tuple) else 1
            )
            faces = [number(face) for face in value[done : done + count]]
            if len(faces) != count or not all(dice.low <= face <= dice.high for face in faces):
                raise GiveUpError
            return faces
        if self.chance is None:
            raise GiveUpError
        thrown: list[int] = self.chance(dice, count)
        return thrown

    def card(self, deck: Deck) -> dict[str, Any]:
        """The next card of the case."""
        if self.drawn >= len(self.draws):
            raise GiveUpError
        raw = self.draws[self.drawn]
        self.drawn += 1
        card = read_card(deck, raw if isinstance(raw, Mapping) else {deck.first.name: raw})
        self.held.append(plain(card))
        return dict(card)


def left(
    given: Mapping[str, Any], rolls: Mapping[str, Any], draws: Sequence[Any], asked: frozenset[str], used: set[str],
    told: Mapping[str, Fact], rolled: Collection[str], row: Row | None,
) -> list[str]:  # fmt: skip
    """What of a case was not used, in words.

    Args:
        given: the answers of the case.
        rolls: its throws by name.
        draws: its cards in order.
        asked: the names that surely were used.
        used: others that were.
        told: the facts whose answers must be legal though nobody reads them.
        rolled: the names of what was rolled.
        row: knows how much of each list was used; None where nothing was.
    """
    found = [name for name in given if name not in asked and name not in used]
    if not told.keys().isdisjoint(found):
        for name in found:
            if name in told:
                read_answer(told[name], given[name])
    if row is None:
        found += [f"rolls.{name}" for name in rolls if name not in rolled]
        return found if not draws else [*found, f"draws (0 of {len(draws)} used)"]
    for name, value in rolls.items():
        count = row.counts.get(name, 0)
        if count:
            if isinstance(value, list | tuple) and count < len(value):
                found.append(f"rolls.{name} ({count} of {len(value)} used)")
        elif row.exact or name not in rolled or isinstance(value, list | tuple):
            found.append(f"rolls.{name}")
    if row.drawn < len(draws):
        found.append(f"draws ({row.drawn} of {len(draws)} used)")
    return found


def thrown(rolls: dict[str, list[int]]) -> dict[str, Any]:
    """What was rolled, by name: one throw as a number, several as a list."""
    return {name: faces[0] if len(faces) == 1 else faces for name, faces in rolls.items()}


def read(fact: Fact, raw: Any) -> Any:
    """An answer that is written in an unusual way."""
    return read_answer(fact, raw)


def log(
    trail: list[dict[str, Any]], chart: str, node: str, kind: str, depth: int, label: str, value: Any,
    start: int | None, lines: list[dict[str, Any]] | None, to: str, page: str, effects: Sequence[str],
    notes: Sequence[str], fresh: list[str],
) -> None:  # fmt: skip
    """Add a step to a trail, as `ruling.step_data` has it."""
    found: dict[str, Any] = {"chart": chart, "node": node, "kind": kind}
    if depth:
        found["depth"] = depth
    if label:
        found["label"] = label
    if value is not None:
        found["value"] = value
    if start is not None:
        found["start"] = start
    if lines:
        found["modifiers"] = lines
    if to:
        found["to"] = to
    if page:
        found["page"] = page
    if effects:
        found["effects"] = list(effects)
    if fresh or notes:
        found["notes"] = list(dict.fromkeys((*fresh, *notes)))
        fresh.clear()
    trail.append(found)


def readings(trail: Sequence[Mapping[str, Any]]) -> list[str]:
    """The notes of a trail that are readings of a rule."""
    notes = dict.fromkeys(note for step in trail for note in step.get("notes", ()))
    return [note for note in notes if not note.startswith("Likely")]
