"""Lists answered from rosters: by the name of a group, or by the names of single records, commas between them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from refcli.core.errors import ReplyError, UsageError
from refcli.core.fact import Fact, Kind
from refcli.core.need import read_answer
from refcli.core.problem import did_you_mean
from refcli.core.records import shown_name
from refcli.core.roster import Group, Roster, answers_some, fields_for, fits
from refcli.core.struct import Struct
from refcli.drivers.answers import plural, read_text

Records = list[dict[str, Any]]
NOTHING = "0"
"""Typed for a list without a record."""


class Entry(Struct, eq=False):
    """One record of a group, by its number there from 0."""

    group: Group
    number: int

    @property
    def name(self) -> str:
        """What it is called; nothing for one without a name."""
        return self.group.names[self.number]


class Offer(Struct):
    """What a list may be answered by: a line for each group with its names, and the legal answers in a few words."""

    lines: tuple[str, ...]
    legal: str


class Rosters:
    """The rosters at hand; none, where nothing is given.

    Raises:
        UsageError: two groups of one book share a name.
    """

    def __init__(self, rosters: Sequence[Roster] = ()) -> None:
        self.books: dict[str, dict[str, Group]] = {}
        self.files = tuple(rosters)
        for roster in rosters:
            groups = self.books.setdefault(roster.book, {})
            for group in roster.groups:
                if group.name in groups:
                    files = [one.file for one in rosters if group.name in [each.name for each in one.groups]]
                    raise UsageError(f"--roster: a group '{group.name}' is in {' and in '.join(files)}; rename one")
                groups[group.name] = group

    def offer(self, fact: Fact, book: str) -> Offer | None:
        """What a list may be answered by; groups that fit whole are numbered, from 0 where it may be empty.

        None where nothing fits.
        """
        groups = self.books.get(book, {}).values()
        fitting = [group for group in groups if fits(fact, group)]
        partly = [group for group in groups if group not in fitting and _some(fact, group)]
        lines = [f"{number} {group.name}: {_names(fact, group)}" for number, group in enumerate(fitting, 1)]
        lines += [f"- {group.name}, name by name: {_names(fact, group)}" for group in partly]
        if not lines:
            return None
        least, most = (0 if may_be_empty(fact) else 1), len(fitting)
        if not least:
            lines.insert(0, f"{NOTHING} no {plural(fact.noun)}")
        numbers = "" if most < least else f"{most}, or " if most == least else f"{least} to {most}, or "
        return Offer(tuple(lines), f"{numbers}names with commas")

    def pick(self, fact: Fact, text: str, book: str, *, exact: bool = False) -> Records:
        """The records that a text names: groups and single records, commas between them.

        Args:
            fact: the list that they answer; what it does not read of them is left out.
            text: what was written.
            book: the book of the chart that asks.
            exact: whole names only; else numbers of the groups that fit, and the beginnings of names, will do too.

        Raises:
            ReplyError: it names nothing, several things, or what does not go into the list.
        """
        if text.strip() == NOTHING and may_be_empty(fact) and not exact:
            return []
        look = _Look(fact, self.books.get(book, {}), exact)
        found: list[Entry] = []
        for part in text.split(","):
            found += look.meant(part.strip())
        seen: set[tuple[str, int]] = set()
        for entry in found:
            mark = (entry.group.name, entry.number)
            if mark in seen:
                raise ReplyError(f"'{entry.name or entry.group.name}' is named twice")
            seen.add(mark)
        records = [fields_for(fact, entry.group.records[entry.number]) for entry in found]
        try:
            read_answer(fact, records)
        except ReplyError as fault:
            raise ReplyError(re.sub(f"^{fact.name}[:,] ", "", str(fault))) from None
        return records

    def read(self, fact: Fact, text: str, book: str) -> Any:
        """An answer as it is typed beforehand: of a list by names from the rosters, how many, or JSON.

        Raises:
            ReplyError: it is no answer.
        """
        text = text.strip()
        if fact.kind is not Kind.LIST or not self.books.get(book) or text.startswith("[") or text.isdigit():
            return read_text(fact, text)
        return self.pick(fact, text, book)

    def fill(self, given: Mapping[str, Any], facts: Mapping[str, Sequence[Fact]], book: str) -> dict[str, Any]:
        """The answers of a case with records in place of names.

        Raises:
            ReplyError: a name stands for nothing, or for what does not go into its list.
        """
        filled = dict(given)
        for name, raw in given.items():
            fact = next((fact for fact in facts.get(name, ()) if fact.kind is Kind.LIST), None)
            if fact is not None and self.books.get(book):
                try:
                    filled[name] = self.named(fact, raw, book)
                except ReplyError as fault:
                    raise ReplyError(f"{name}: {fault}", key=name) from None
        return filled

    def named(self, fact: Fact, raw: Any, book: str) -> Any:
        """What a case says of a list, with records in place of names; what holds no names stays as it is."""
        if isinstance(raw, str):
            return self.pick(fact, raw, book, exact=True)
        if not isinstance(raw, list | tuple):
            return raw
        if any(isinstance(part, list | tuple) for part in raw):  # several answers, in order
            return [self.named(fact, part, book) for part in raw]
        if not any(isinstance(part, str) for part in raw):
            return raw
        found: list[Any] = []
        for part in raw:
            found += self.pick(fact, part, book, exact=True) if isinstance(part, str) else [part]
        return found


class _Look:
    """Looks up what one list may be answered by."""

    def __init__(self, fact: Fact, groups: Mapping[str, Group], exact: bool) -> None:
        self.fact = fact
        self.groups = groups
        self.exact = exact
        self.fitting = [group for group in groups.values() if fits(fact, group)]

    def entries(self) -> Iterator[Entry]:
        """All records that have a name."""
        for group in self.groups.values():
            yield from (Entry(group, number) for number, name in enumerate(group.names) if name)

    def meant(self, word: str) -> list[Entry]:
        """The records that one word means."""
        if not word:
            raise ReplyError("a name is missing before or behind a comma")
        if not self.exact and word.isascii() and word.isdigit():
            return self.whole(self.by_number(int(word[:6])))
        key, name = re.sub(r"[ -]+", "_", word.casefold()), word.casefold()
        if key in self.groups:
            return self.whole(self.groups[key])
        found = [e for e in self.entries() if name in (e.name.casefold(), f"{e.group.name}.{e.name}".casefold())]
        if found:
            return [self.single(word, found)]
        groups = [] if self.exact else [group for group in self.fitting if group.name.startswith(key)]
        begun = [] if self.exact else [e for e in self.entries() if _begins(e.name.casefold(), name)]
        if len(groups) == 1 and not begun:
            return self.whole(groups[0])
        if len(begun) == 1 and not groups:
            return [self.single(word, begun)]
        if groups or begun:
            near = [*(group.name for group in groups), *(entry.name for entry in begun)]
            raise ReplyError(f"'{word}' could be {', '.join(dict.fromkeys(near))}; type more of it")
        legal = {one.casefold(): one for one in (*self.groups, *(entry.name for entry in self.entries()))}
        hint = did_you_mean(name, legal.values()) or did_you_mean(word, legal.values(), 0)
        raise ReplyError(f"the roster has no group and no {self.fact.noun} '{word}'; {hint}".removesuffix("; "))

    def by_number(self, number: int) -> Group:
        """The group of that number among those that fit whole."""
        if not self.fitting:
            raise ReplyError("no group fits as a whole; type names, commas between them")
        if not 1 <= number <= len(self.fitting):
            raise ReplyError(f"choose 1 to {len(self.fitting)}, not {number}")
        return self.fitting[number - 1]

    def whole(self, group: Group) -> list[Entry]:
        """All records of a group."""
        for record in group.records:
            if not answers_some(self.fact, record):
                raise ReplyError(f"the group '{group.name}' has nothing that '{self.fact.name}' reads")
        return [Entry(group, number) for number in range(len(group.records))]

    def single(self, word: str, found: list[Entry]) -> Entry:
        """The one record of that name."""
        if len(found) > 1:
            names = [f"{entry.group.name}.{entry.name}" for entry in found]
            raise ReplyError(f"'{word}' could be {', '.join(names)}; write it so")
        entry = found[0]
        if not answers_some(self.fact, entry.group.records[entry.number]):
            raise ReplyError(f"'{entry.name}' has nothing that '{self.fact.name}' reads")
        return entry


def may_be_empty(fact: Fact) -> bool:
    """Whether a list may have no record at all."""
    return fact.size[0] == 0


def _some(fact: Fact, group: Group) -> bool:
    """Whether some record of a group could go into a list."""
    return any(answers_some(fact, record) for record in group.records)


def _begins(name: str, word: str) -> bool:
    """Whether a name, read from any of its words on, begins with what was typed."""
    return any(name.startswith(word, found.start()) for found in re.finditer(r"\w+", name))


def _names(fact: Fact, group: Group) -> str:
    """The names of a group's records; those without one are counted."""
    named = [shown_name(name) for name in group.names if name]
    nameless = sum(not name for name in group.names)
    more = [f"{nameless} {fact.noun if nameless == 1 else plural(fact.noun)} without a name"] if nameless else []
    return ", ".join([*named, *more])
