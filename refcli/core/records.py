"""Records of a list: what each is called, and what must hold of it."""

from collections.abc import Collection, Mapping
from typing import Any

from refcli.core.fact import Fact, Kind


def record_name(owner: Fact, number: int, record: Mapping[str, Any]) -> str:
    """What to call a record: its first text, else its noun and number (counted from 1)."""
    for field in owner.fields:
        if field.kind is Kind.TEXT and record.get(field.name):
            return str(record[field.name])
    return f"{owner.noun} {number + 1}"


MOST_OF_A_NAME = 40
"""So many characters of a name are shown; a screen has room for other things too."""


def shown_name(name: str) -> str:
    """A name as it is shown: of a very long one its beginning."""
    return name if len(name) <= MOST_OF_A_NAME else f"{name[: MOST_OF_A_NAME - 1]}…"


def broken_rule(owner: Fact, record: Mapping[str, Any], fresh: Collection[str] | None = None) -> str:
    """What is wrong with a record by the rules of its list, with the values at fault; nothing where all is well.

    Args:
        owner: the list.
        record: what is known of the record; a rule that reads more is not looked at.
        fresh: only rules that read one of these fields are looked at; all of them when None.
    """
    for must in owner.must:
        reads = must.be.reads
        if not reads <= record.keys() or (fresh is not None and reads.isdisjoint(fresh)):
            continue
        if not must.be(record):
            values = (f"{field.name} {_shown(record[field.name])}" for field in owner.fields if field.name in reads)
            return f"{must.says} ({', '.join(values)})"
    return ""


def _shown(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
