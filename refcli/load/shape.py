"""Shapes of lists and mappings: what a part of a file must look like, as data, and how it is read.

Every shape reads one marked value into something plain and reports what is wrong with it; a wrong value reads as
None and its neighbours are still read. The tables of `language.py` are made of these.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, ClassVar, Protocol

from refcli.core.problem import Code
from refcli.core.struct import Struct
from refcli.load.report import Report, brief
from refcli.load.scalars import wrong
from refcli.load.tree import Entries, Items, Refused, Scalar, Tree

MAX_ENTRIES = 500
"""The most entries of one mapping, and so the most facts, nodes and choices of a chart."""
MAX_ITEMS = 1000
"""The most items of one list."""


class Shape(Protocol):
    """Something a value can look like."""

    @property
    def said(self) -> str:
        """What it is called in a message."""

    @property
    def takes(self) -> type[Tree]:
        """The kind of marked value it reads."""

    def read(self, tree: Tree, key: Scalar | None, report: Report) -> Any:
        """The value in plain form; None where it was wrong and has been reported. `key` is what it stands behind."""


class Field(Struct):
    """A key of an object: the shape of its value, what it is for, and whether it must be there."""

    shape: Shape
    doc: str
    required: bool = False


Fields = Mapping[str, Field]
_NOBODY = Report()
"""Takes complaints about keys whose values have been refused already."""


class ListOf(Struct):
    """A list of one kind of thing, with so many items; `whole` lists are worth nothing without all their items."""

    item: Shape
    least: int = 0
    most: int | None = None
    whole: bool = False
    takes: ClassVar[type[Tree]] = Items

    @property
    def said(self) -> str:
        """What it is a list of."""
        return f"a list, each {self.item.said.removeprefix('a ').removeprefix('an ')}"

    def read(self, tree: Tree, key: Scalar | None, report: Report) -> list[Any] | None:
        """The items that could be read."""
        if not isinstance(tree, Items):
            wrong(self.said, tree, key, report)
            return None
        count, most = len(tree.parts), self.most or MAX_ITEMS
        if count > MAX_ITEMS:
            report.add(Code.TOO_LARGE, tree, f"a list of {count:,} is longer than {MAX_ITEMS:,}")
            return None
        if not self.least <= count <= most:
            what = f"'{brief(key.text)}' needs" if key is not None else "this list needs"
            span = f"{self.least} or more" if self.most is None else f"{self.least} to {most}"
            report.add(Code.WRONG_SHAPE, tree, f"{what} {span}, this has {count}")
            return None
        read = self.item.read
        values = [value for part in tree.parts if (value := read(part, None, report)) is not None]
        return None if self.whole and len(values) < count else values


class MapOf(Struct):
    """A mapping from names of the author's own to one kind of thing; `what` is what a message calls it."""

    name: Shape
    value: Shape
    least: int = 1
    what: str = ""
    takes: ClassVar[type[Tree]] = Entries

    @property
    def said(self) -> str:
        """What it maps to what."""
        return self.what or f"a mapping, each {self.value.said.removeprefix('a ').removeprefix('an ')}"

    def read(self, tree: Tree, key: Scalar | None, report: Report) -> list[tuple[Any, Any]] | None:
        """(name, value) in the order written; value None where it could not be read."""
        if not isinstance(tree, Entries):
            wrong(self.said, tree, key, report)
            return None
        count = len(tree.pairs)
        if count > MAX_ENTRIES:
            report.add(Code.TOO_LARGE, tree, f"a mapping of {count:,} entries is larger than {MAX_ENTRIES}")
            return None
        if count < self.least:
            what = f"'{brief(key.text)}'" if key is not None else "this mapping"
            span = f"{self.least} or more entries" if self.least > 1 else "an entry"
            report.add(Code.WRONG_SHAPE, tree, f"{what} needs {span}, this has {count or 'none'}")
            return None
        read_name, read = self.name.read, self.value.read
        return [
            (name, read(value, at, report))
            for at, value in tree.pairs.values()
            if (name := read_name(at, None, _NOBODY if isinstance(value, Refused) else report)) is not None
        ]


class Object(Struct):
    """A mapping with known keys; `what` names it in messages."""

    what: str
    fields: Fields
    takes: ClassVar[type[Tree]] = Entries

    @property
    def said(self) -> str:
        """What it is, with its first keys."""
        return f"{article(self.what)} ({listed(self.fields)})"

    def read(self, tree: Tree, key: Scalar | None, report: Report) -> dict[str, Any] | None:
        """The value of each key, and those of `read_fields`."""
        if not isinstance(tree, Entries):
            wrong(self.said, tree, key, report)
            return None
        return read_fields(self.what, self.fields, tree, key, report)


def read_fields(what: str, fields: Fields, tree: Entries, key: Scalar | None, report: Report) -> dict[str, Any]:
    """The values of an object; unknown and missing keys are reported.

    Besides its keys the result holds "at" (where the object stands), "keys" (where each key stands), "bad" (the keys
    whose values were wrong or missing, and have been reported) and "meant" (those that a misspelt key stands for).
    """
    at = key if key is not None else tree
    keys: dict[str, Scalar] = {}
    bad: set[str] = set()
    meant: set[str] = set()
    found: dict[str, Any] = {"at": at, "keys": keys, "bad": bad, "meant": meant}
    for word, (written, value) in tree.pairs.items():
        field = fields.get(word)
        if field is None:
            meant.update(get_close_matches(word, [name for name in fields if name not in tree.pairs], 1))
            if word != "<<" and not isinstance(value, Refused):
                report.unknown(Code.UNKNOWN_KEY, written, word, f"{article(what)} has no key '{brief(word)}'", fields)
            continue
        keys[word] = written
        part = field.shape.read(value, written, report)
        if part is None:
            bad.add(word)
        else:
            found[word] = part
    for word, field in fields.items():
        if field.required and word not in keys:
            bad.add(word)
            if word not in meant:
                name = f"{what} '{brief(key.text)}'" if key is not None else article(what)
                report.add(Code.MISSING_KEY, at, f"{name} needs '{word}'", mend=f"add `{word}:`, {field.doc}")
    return found


class Either(Struct):
    """One shape for each kind of marked value."""

    options: tuple[Shape, ...]

    @property
    def said(self) -> str:
        """All options."""
        return " or ".join(option.said for option in self.options)

    @property
    def takes(self) -> type[Tree]:
        """The kind of the first option."""
        return self.options[0].takes

    def read(self, tree: Tree, key: Scalar | None, report: Report) -> Any:
        """The value of the option that takes this kind."""
        for option in self.options:
            if option.takes is type(tree):
                return option.read(tree, key, report)
        wrong(self.said, tree, key, report)
        return None


class Kinds(Struct):
    """An object of one of several kinds, each named by a key; keys of `common` go with all."""

    what: str
    kinds: Mapping[str, Fields]
    common: Fields
    takes: ClassVar[type[Tree]] = Entries

    @property
    def said(self) -> str:
        """What it is, with its first kinds."""
        return f"{article(self.what)} ({listed(self.kinds)})"

    def read(self, tree: Tree, key: Scalar | None, report: Report) -> dict[str, Any] | None:
        """The object's values, those of `read_fields`, and its "kind"."""
        if not isinstance(tree, Entries):
            wrong(self.said, tree, key, report)
            return None
        kind = self.kind(tree, key, report)
        if kind is None:
            return None
        fields = {**self.kinds[kind], **self.common}
        return read_fields(f"`{kind}` {self.what}", fields, tree, key, report) | {"kind": kind}

    def kind(self, tree: Entries, key: Scalar | None, report: Report) -> str | None:
        """The one kind whose key is there; a kind that takes the keys of others goes before them."""
        there = [kind for kind in self.kinds if kind in tree.pairs]
        for kind in there:
            if all(other in self.kinds[kind] for other in there):
                return kind
        at = key if key is not None else tree
        name = f" '{brief(key.text)}'" if key is not None else ""
        if there:
            what = f"{self.what}{name} has {len(there)} kinds: {', '.join(there)}"
            report.add(Code.KIND, at, what, mend=f"keep one, and make another {self.what} of the rest")
            return None
        own = [word for fields in self.kinds.values() for word in fields]
        likely = next((word for word in tree.pairs if word not in self.common and word not in own), "")
        what = f"{self.what}{name} has no kind"
        report.unknown(Code.KIND, at, likely, what, self.kinds, f"give it one of {', '.join(self.kinds)}")
        return None


class Raw(Struct):
    """Any value, for answers and results of examples: yes and no, integers, words, lists and mappings of these."""

    said: ClassVar[str] = "any value"
    takes: ClassVar[type[Tree]] = Scalar

    def read(self, tree: Tree, key: Scalar | None, report: Report) -> Tree | None:
        """The value itself, still marked; None only where it was refused."""
        return None if isinstance(tree, Refused) else tree


def article(noun: str) -> str:
    """A noun with its article."""
    if noun.startswith("the "):
        return noun
    return f"an {noun}" if noun.lstrip("`")[0] in "aeiou" else f"a {noun}"


def listed(names: Iterable[str], most: int = 4) -> str:
    """The first few names."""
    names = list(names)
    return ", ".join(names[:most]) + (" …" if len(names) > most else "")
