"""One of many, such as a chart of all books: found by its number, or by some words of what it is called."""

from collections.abc import Iterable, Sequence

from refcli.core.errors import ReplyError
from refcli.core.struct import Struct
from refcli.drivers.answers import clean


class Entry(Struct):
    """One thing to choose: its key, its line, the heading it stands under, and more words that find it.

    What `is_aside` comes behind all others as soon as something has been typed.
    """

    key: str
    label: str
    group: str = ""
    words: str = ""
    is_aside: bool = False

    @property
    def haystack(self) -> str:
        """All that finds it."""
        return f"{self.group} {self.label} {self.words}".casefold()


def found_by(entries: Iterable[Entry], text: str) -> list[Entry]:
    """The entries in which every typed word stands; one that is called just so stands for all of them."""
    words = text.casefold().split()
    if not words:
        return list(entries)
    found = [entry for entry in entries if all(word in entry.haystack for word in words)]
    whole = [entry for entry in found if entry.words.casefold() == text.casefold().strip()]
    return whole or sorted(found, key=lambda entry: entry.is_aside)


def grouped(entries: Iterable[Entry]) -> list[tuple[str, list[Entry]]]:
    """The entries under their headings, in the order they come in."""
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.group, []).append(entry)
    return list(groups.items())


def numbered(entries: Sequence[Entry]) -> list[str]:
    """The entries as lines, each group under its heading, numbered from 1."""
    lines, number = [], 0
    for group, members in grouped(entries):
        lines += [group] if group else []
        for entry in members:
            number += 1
            lines.append(f"  {number} {entry.label}")
    return lines


def read_entry(entries: Sequence[Entry], text: str) -> str:
    """The key of the entry that a typed line means: its number, or words that no other has.

    Raises:
        ReplyError: none is meant, or several could be; names them.
    """
    word = clean(text.strip())
    if word.isascii() and word.isdigit():
        number = int(word[:6])
        if 1 <= number <= len(entries):
            return entries[number - 1].key
        raise ReplyError(f"choose 1 to {len(entries)}, not {number}")
    near = found_by(entries, word)
    if len(near) == 1:
        return near[0].key
    if not near:
        raise ReplyError(f"nothing is called '{word[:40]}'; type a number, or a word of a title")
    names = ", ".join(f"{entries.index(entry) + 1} {entry.label}" for entry in near[:8])
    more = f", and {len(near) - 8} more" if len(near) > 8 else ""
    raise ReplyError(f"'{word[:40]}' could be {names}{more}; type more of it, or a number")
