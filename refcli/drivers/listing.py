"""Lists of records: picked from the rosters where they fit, else counted and named."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from refcli.core.fact import Fact, Kind
from refcli.core.need import Question
from refcli.drivers.answers import clean, plural, read_count, read_text
from refcli.drivers.loop import Back
from refcli.drivers.prompt import Command, Prompt
from refcli.drivers.rosters import Rosters
from refcli.drivers.words import about, more_about, notes_on

TYPE_IN = "+"
"""Typed where a roster is offered by whoever has other records: no group can be called so."""

Records = list[dict[str, Any]]


class Lister:
    """Asks for the records of a list.

    Args:
        put: asks one prompt.
        rosters: what is offered first.
        before: the records of an earlier answer, which are offered; `origin` says where they come from.
    """

    def __init__(
        self, put: Callable[[Prompt], Any], rosters: Rosters, before: Sequence[Any] | None = None, origin: str = ""
    ) -> None:
        self.put = put
        self.rosters = rosters
        self.before = [dict(record) for record in before or ()]
        self.is_known = before is not None
        self.origin = origin

    def records(self, question: Question) -> Records:
        """The records of a list.

        Raises:
            Back, Quit, EOFError, KeyboardInterrupt: see `Supplier`.
        """
        fact, book = question.fact, question.chart.partition("/")[0]
        offer = self.rosters.offer(fact, book)
        while offer is not None:
            prompt = Prompt(
                text=about(question),
                kind=fact.kind,
                legal=offer.legal,
                read=lambda text: self.rosters.pick(fact, text, book),
                more=more_about(fact),
                notes=notes_on(fact),
                offers=tuple(map(clean, offer.lines)),
                extra=((TYPE_IN, f"types {plural(fact.noun)} in"),),
                default=self.before if self.is_known else None,
                origin=self.origin if self.is_known else "",
            )
            picked: Any = self.put(prompt)
            if not isinstance(picked, Command):
                return list(picked)
            try:
                return self.typed(question)
            except Back as back:
                if back.steps is not None:
                    raise
        return self.typed(question)

    def typed(self, question: Question) -> Records:
        """How many records, or their names; then the text fields of each: all else is asked when a path needs it."""
        fact = question.fact
        names = [field for field in fact.fields if field.kind is Kind.TEXT]
        count = self._count_prompt(question, bool(names))
        at = -1
        found: Records = []
        while at < len(found) * len(names):  # from -1, the count, on through all names; Back goes down
            try:
                if at < 0:
                    counted = self.put(count)
                    if isinstance(counted, list):  # all of them by their names, or those of the earlier answer
                        return counted
                    found = [self.earlier(number) for number in range(counted)]
                else:
                    number, field = at // len(names), names[at % len(names)]
                    text = self.put(
                        _name_prompt(field, f"{fact.noun} {number + 1}", found[number].get(field.name, ""))
                    )
                    found[number] = {**found[number], field.name: text}
                    if not text:
                        del found[number][field.name]
                at += 1
            except Back as back:
                if at < 0 or back.steps is not None:
                    raise
                at -= 1
        return found

    def earlier(self, number: int) -> dict[str, Any]:
        """The record of the earlier answer with that number, from 0; empty where there is none."""
        return dict(self.before[number]) if number < len(self.before) else {}

    def _count_prompt(self, question: Question, has_names: bool) -> Prompt:
        fact = question.fact
        asked = about(question)
        asked = asked if asked.endswith(("?", ".", ":")) else f"{asked}:"
        return Prompt(
            text=f"{asked} How many {plural(fact.noun)}?",
            legal=f"{fact.many}, or their names with commas" if has_names else fact.many,
            read=partial(_count_or_names, fact),
            more=more_about(fact),
            notes=notes_on(fact),
            default=self.before if self.is_known else None,
            origin=self.origin if self.is_known else "",
        )


def _count_or_names(fact: Fact, text: str) -> int | Records:
    """A number, or the records of that many names."""
    if "," in text or text.lstrip().startswith("["):
        return [dict(record) for record in read_text(fact, text)]
    return read_count(fact, text)


def _name_prompt(field: Fact, subject: str, before: str) -> Prompt:
    return Prompt(
        text=clean(f"{subject}: {field.ask}"),
        legal="or nothing",
        read=partial(read_text, field),
        default=before,
        is_name=True,
    )
