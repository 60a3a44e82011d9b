"""The footnotes of a chart: its readings, defaults and house rules, numbered alike wherever it is printed."""

from collections.abc import Iterator
from typing import Any

Data = dict[str, Any]


def footnotes(data: Data) -> dict[str, int]:
    """The notes of a chart's outline with their numbers from 1, in the order in which its text meets them.

    The text has the questions first, then the house rules, the steps with their modifiers, and the outcomes.
    """
    found: dict[str, int] = {}
    for part in _parts(data):
        note = part.get("note", "")
        if note:
            found.setdefault(note, len(found) + 1)
    return found


def _parts(data: Data) -> Iterator[Data]:
    facts = data.get("facts", ())
    for house_rule in (False, True):
        for fact in facts:
            if fact.get("house_rule", False) is house_rule:
                yield from _fact(fact)
    for step in data["steps"]:
        yield step
        yield from step.get("modifiers", ())
    yield from data["outcomes"]


def _fact(fact: Data) -> Iterator[Data]:
    yield fact
    for part in fact.get("fields", ()):
        yield from _fact(part)
