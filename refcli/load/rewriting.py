"""Single values changed in a file of YAML; every other sign of it, its comments included, stays as it is."""

from collections.abc import Iterable, Sequence
from typing import Any

from refcli.core.struct import Struct
from refcli.load.reader import read_tree
from refcli.load.report import Report
from refcli.load.scalars import plain
from refcli.load.tree import Entries, Items, Scalar, Source, Tree


class Change(Struct):
    """A key of a mapping, with its value from now on; `path` leads there by keys, and by numbers from 0 in lists."""

    path: tuple[str | int, ...]
    key: str
    value: bool | int | str

    @property
    def word(self) -> str:
        """The value as it is written."""
        return ("yes" if self.value else "no") if isinstance(self.value, bool) else str(self.value)


def rewritten(text: str, changes: Sequence[Change]) -> str | None:
    """The text with the changes in it, read again to see that nothing else has changed.

    Args:
        text: a file that is read without a fault, each line ending in a newline sign alone.
        changes: at most one for each key.

    Returns:
        None where it cannot be done.
    """
    tree = read_tree(Source("", text), Report())
    if tree is None:
        return None
    meant = plain(tree)
    edits: list[tuple[int, int, str]] = []
    for change in changes:
        mapping = _at(tree, change.path)
        if not isinstance(mapping, Entries):
            return None
        _within(meant, change.path)[change.key] = change.value
        edit = _edit(mapping, change, text)
        if edit is None:
            return None
        edits.append(edit)
    for start, end, word in sorted(edits, key=lambda edit: edit[:2], reverse=True):
        text = text[:start] + word + text[end:]
    report = Report()
    again = read_tree(Source("", text), report)
    return text if again is not None and not report.problems and plain(again) == meant else None


def _edit(mapping: Entries, change: Change, text: str) -> tuple[int, int, str] | None:
    """What is to stand in place of which signs; None where the value is no single one, or there is no other."""
    there = mapping.pairs.get(change.key)
    if there is not None:
        value = there[1]
        return (value.start.index, value.end.index, change.word) if isinstance(value, Scalar) else None
    key, last = next(reversed(mapping.pairs.values()), (None, None))
    if key is None or not isinstance(last, Scalar):
        return None
    if mapping.flow:
        return last.end.index, last.end.index, f", {change.key}: {change.word}"
    end = text.find("\n", last.end.index)
    end = len(text) if end < 0 else end
    return end, end, f"\n{' ' * key.start.column}{change.key}: {change.word}"


def _at(tree: Tree | None, path: Iterable[str | int]) -> Tree | None:
    """The part of a tree that a path leads to; None where it leads nowhere."""
    for part in path:
        if isinstance(tree, Entries) and isinstance(part, str) and part in tree.pairs:
            tree = tree.pairs[part][1]
        elif isinstance(tree, Items) and isinstance(part, int) and part < len(tree.parts):
            tree = tree.parts[part]
        else:
            return None
    return tree


def _within(data: Any, path: Iterable[str | int]) -> Any:
    """The same part of plain data; the path has been walked in the tree before."""
    for part in path:
        data = data[part]
    return data
