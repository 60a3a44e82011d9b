"""Shapes: what a part of a file must look like, as data, and how it is read.

Every shape reads one marked value into something plain and reports what is wrong with it; a wrong value reads as
None and its neighbours are still read. The tables of `language.py` are made of these; a JSON Schema can be too.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from refcli.core.chart import Band, Pattern
from refcli.core.dice import Dice, parse_dice
from refcli.core.problem import Code
from refcli.load import words
from refcli.load.report import Report, brief
from refcli.load.tree import Entries, Items, Refused, Scalar, Tree

MAX_ENTRIES = 500
"""The most entries of one mapping, and so the most facts, nodes and choices of a chart."""
MAX_ITEMS = 1000
"""The most items of one list."""
MAX_TEXT = 4000
"""The most characters of one text."""


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


@dataclass(frozen=True, slots=True)
class Field:
    """A key of an object: the shape of its value, whether it must be there, and what it is for."""

    shape: Shape
    doc: str
    required: bool = False


Fields = Mapping[str, Field]


def wrong(shape: Shape, tree: Tree, key: Scalar | None, report: Report) -> None:
    """Report a value of another kind than the shape takes."""
    if not isinstance(tree, Refused):
        what = f"'{brief(key.text)}' needs" if key is not None else "needed here is"
        report.add(Code.WRONG_SHAPE, tree, f"{what} {shape.said}, this is {tree.said}")


@dataclass(frozen=True, slots=True)
class Prose:
    """Words for people."""

    said = "a text"
    takes = Scalar

    def read(self, tree: Tree, key: Scalar | None, report: Report) -> Scalar | None:
        """The text, marked."""
        if not isinstance(tree, Scalar):
            return wrong(self, tree, key, report)
        if len(tree.text) > MAX_TEXT:
            what = f"this text has {len(tree.text):,} characters, more than {MAX_TEXT:,}"
            return report.add(Code.TOO_LARGE, tree, what)
        if tree.is_cut:
            what = "one space before # makes it a comment, so this text ends there"
            mend = "quote the text; for a comment put two spaces before #"
            report.add(Code.SWALLOWED, tree, what, mend=mend)
        return tree


@dataclass(frozen=True, slots=True)
class Formula:
    """An expression."""

    said = "an expression"
    takes = Scalar

    def read(self, tree: Tree, key: Scalar | None, report: Report) -> Scalar | None:
        """Its text, marked; it is read as an expression once all names are known."""
        return tree if isinstance(tree, Scalar) else wrong(self, tree, key, report)


_FAULTS = {
    "name": words.name_fault,
    "word": words.word_fault,
    "id": words.id_fault,
    "file": words.file_fault,
    "chart": words.chart_fault,
}


@dataclass(frozen=True, slots=True)
class Name:
    """A name that the author gives (`name`, `word` or `id`), or that of a deck or chart (`file`, `chart`)."""

    rule: Literal["name", "word", "id", "file", "chart"] = "name"
    said = "a name"
    takes = Scalar

    def read(self, tree: Tree, key: Scalar | None, report: Report) -> Scalar | None:
        """The name, marked; kept even where it is bad, so that its uses raise no further complaint."""
        if not isinstance(tree, Scalar):
            return wrong(self, tree, key, report)
        if fault := _FAULTS[self.rule](tree.text):
            better = words.suggested_name(tree.text) if "small letters" in fault else ""
            report.add(Code.BAD_NAME, tree, brief(fault, 160), f"for example '{better}'" if better else "")
            if self.rule in ("file", "chart"):
                return None
        return tree


@dataclass(frozen=True, slots=True)
class Target:
    """Where an edge leads: a node or outcome of the chart."""

    said = "the name of a node or outcome"
    takes = Scalar

    def read(self, tree: Tree, key: Scalar | None, report: Report) -> Scalar | None:
        """The name, marked."""
        return tree if isinstance(tree, Scalar) else wrong(self, tree, key, report)


@dataclass(frozen=True, slots=True)
class Flag:
    """Yes or no."""

    said = "yes or no"
    takes = Scalar

    def read(self, tree: Tree, key: Scalar | None, report: Report) -> bool | None:
        """The truth value."""
        if not isinstance(tree, Scalar):
            return wrong(self, tree, key, report)
        if tree.text not in ("yes", "no"):
            what = f"'{brief(key.text)}' needs" if key is not None else "needed here is"
            return report.add(Code.WRONG_SHAPE, tree, f"{what} yes or no, not '{brief(tree.text)}'")
        return tree.text == "yes"


@dataclass(frozen=True, slots=True)
class Range:
    """A range of integers such as `-3..3` or `0..`; closed where both ends must be there."""

    closed: bool = False
    said = "a range such as 1..6"
    takes = Scalar

    def read(self, tree: Tree, key: Scalar | None, report: Report) -> Band | None:
        """The range."""
        if not isinstance(tree, Scalar):
            return wrong(self, tree, key, report)
        band = words.parse_band(tree.text)
        if isinstance(band, str):
            return report.add(Code.BAD_RANGE, tree, brief(band, 160))
        if self.closed and (band.low is None or band.high is None):
            return report.add(Code.BAD_RANGE, tree, f"'{tree.text}' needs both ends here, like 1..10")
        return band


@dataclass(frozen=True, slots=True)
class DiceText:
    """Dice such as `2d6+1`."""

    said = "dice such as 2d6"
    takes = Scalar

    def read(self, tree: Tree, key: Scalar | None, report: Report) -> Dice | None:
        """The dice."""
        if not isinstance(tree, Scalar):
            return wrong(self, tree, key, report)
        try:
            return parse_dice(tree.text if len(tree.text) <= 20 else brief(tree.text))
        except ValueError as fault:
            return report.add(Code.BAD_DICE, tree, str(fault))


@dataclass(frozen=True, slots=True)
class Case:
    """What a case matches, as a key or in a list: `..3`, `-4..-1`, `7`, a choice, yes, no or `else`."""

    said = "a range, a choice, yes, no or else"
    takes = Scalar

    def read(self, tree: Tree, key: Scalar | None, report: Report) -> tuple[Scalar, Pattern] | None:
        """The pattern with its marked text."""
        if not isinstance(tree, Scalar):
            return wrong(self, tree, key, report)
        pattern = words.parse_pattern(tree.text)
        if pattern is None:
            band = words.parse_band(tree.text)
            numeric = isinstance(band, str) and any(sign in tree.text for sign in "0123456789.−–")
            what = band if numeric and isinstance(band, str) else f"'{brief(tree.text)}' is no {self.said[2:]}"
            return report.add(Code.BAD_RANGE, tree, brief(what, 160))
        return tree, pattern


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few words."""

    options: tuple[str, ...]
    takes = Scalar

    @property
    def said(self) -> str:
        """The words, listed."""
        return "one of " + ", ".join(self.options)

    def read(self, tree: Tree, key: Scalar | None, report: Report) -> str | None:
        """The word."""
        if not isinstance(tree, Scalar):
            return wrong(self, tree, key, report)
        if tree.text not in self.options:
            what = f"'{brief(tree.text)}' is not {self.said}"
            return report.unknown(Code.WRONG_SHAPE, tree, tree.text, what, self.options)
        return tree.text


@dataclass(frozen=True, slots=True)
class Whole:
    """A number of things: an integer above zero."""

    said = "a number above zero"
    takes = Scalar

    def read(self, tree: Tree, key: Scalar | None, report: Report) -> int | None:
        """The number."""
        if not isinstance(tree, Scalar):
            return wrong(self, tree, key, report)
        number = words.parse_number(tree.text)
        if number is None or number < 1:
            return report.add(Code.WRONG_SHAPE, tree, f"a number above zero is needed here, not '{brief(tree.text)}'")
        return number


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of one kind of thing; `exactly` so many, where that is fixed."""

    item: Shape
    least: int = 0
    exactly: int | None = None
    takes = Items

    @property
    def said(self) -> str:
        """What it is a list of."""
        return f"a list of {self.exactly or ''} ".rstrip() + f" with {self.item.said} each"

    def read(self, tree: Tree, key: Scalar | None, report: Report) -> list[Any] | None:
        """The items that could be read."""
        if not isinstance(tree, Items):
            return wrong(self, tree, key, report)
        count = len(tree.parts)
        if count > MAX_ITEMS:
            return report.add(Code.TOO_LARGE, tree, f"a list of {count:,} is longer than {MAX_ITEMS:,}")
        if count < self.least or (self.exactly is not None and count != self.exactly):
            need = self.exactly if self.exactly is not None else f"{self.least} or more"
            what = f"'{brief(key.text)}' needs {need}" if key is not None else f"{need} are needed here"
            return report.add(Code.WRONG_SHAPE, tree, f"{what}, this list has {count}")
        read = self.item.read
        return [value for part in tree.parts if (value := read(part, None, report)) is not None]


@dataclass(frozen=True, slots=True)
class MapOf:
    """A mapping from names of the author's own to one kind of thing."""

    name: Shape
    value: Shape
    least: int = 1
    takes = Entries

    @property
    def said(self) -> str:
        """What it maps to what."""
        return f"a mapping from {self.name.said} to {self.value.said}"

    def read(self, tree: Tree, key: Scalar | None, report: Report) -> list[tuple[Any, Any]] | None:
        """(name, value) in the order written; value None where it could not be read."""
        if not isinstance(tree, Entries):
            return wrong(self, tree, key, report)
        count = len(tree.pairs)
        if count > MAX_ENTRIES:
            return report.add(Code.TOO_LARGE, tree, f"a mapping of {count:,} is larger than {MAX_ENTRIES}")
        if count < self.least:
            what = f"'{brief(key.text)}' holds nothing" if key is not None else "this mapping holds nothing"
            return report.add(Code.WRONG_SHAPE, tree, what)
        read_name, read = self.name.read, self.value.read
        return [
            (name, read(value, at, report))
            for at, value in tree.pairs.values()
            if (name := read_name(at, None, report)) is not None
        ]


@dataclass(frozen=True, slots=True)
class Object:
    """A mapping with known keys."""

    what: str
    fields: Fields
    takes = Entries

    @property
    def said(self) -> str:
        """Its keys, listed."""
        keys = ", ".join(list(self.fields)[:6])
        return f"a mapping of {keys}{' …' if len(self.fields) > 6 else ''}"

    def read(self, tree: Tree, key: Scalar | None, report: Report) -> dict[str, Any] | None:
        """Each key's value, and under "at" where the object stands; keys that are wrong are left out."""
        if not isinstance(tree, Entries):
            return wrong(self, tree, key, report)
        return read_fields(self.what, self.fields, tree, key, report)


def read_fields(what: str, fields: Fields, tree: Entries, key: Scalar | None, report: Report) -> dict[str, Any]:
    """The values of an object; unknown and missing keys are reported."""
    found: dict[str, Any] = {"at": key if key is not None else tree}
    for word, (at, value) in tree.pairs.items():
        field = fields.get(word)
        if field is None:
            if word != "<<":
                report.unknown(Code.UNKNOWN_KEY, at, word, f"{what} has no key '{brief(word)}'", fields)
        elif (part := field.shape.read(value, at, report)) is not None:
            found[word] = part
        else:
            found.setdefault("bad", set()).add(word)
    for word, field in fields.items():
        if field.required and word not in tree.pairs:
            name = f" '{brief(key.text)}'" if key is not None else ""
            report.add(Code.MISSING_KEY, found["at"], f"{what}{name} needs '{word}': {field.doc}")
    return found


@dataclass(frozen=True, slots=True)
class Either:
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
        return wrong(self, tree, key, report)


@dataclass(frozen=True, slots=True)
class Kinds:
    """An object of one of several kinds, each named by the key that only it has; `common` keys go with all."""

    what: str
    kinds: Mapping[str, Fields]
    common: Fields
    takes = Entries

    @property
    def said(self) -> str:
        """Its kinds, listed."""
        return f"a mapping with one of {', '.join(self.kinds)}"

    def read(self, tree: Tree, key: Scalar | None, report: Report) -> dict[str, Any] | None:
        """The object's values, and its kind as "kind"."""
        if not isinstance(tree, Entries):
            return wrong(self, tree, key, report)
        kind = self.kind(tree, key, report)
        if kind is None:
            return None
        fields = {**self.kinds[kind], **self.common}
        return read_fields(f"a `{kind}` {self.what}", fields, tree, key, report) | {"kind": kind}

    def kind(self, tree: Entries, key: Scalar | None, report: Report) -> str | None:
        """The one kind whose key is there; the first of the table whose own keys hold those of the others."""
        there = [kind for kind in self.kinds if kind in tree.pairs]
        for kind in there:
            if all(other in self.kinds[kind] for other in there):
                return kind
        name = f" '{brief(key.text)}'" if key is not None else ""
        at = key if key is not None else tree
        if there:
            what = f"{self.what}{name} has {len(there)} kinds: {', '.join(there)}"
            report.add(Code.KIND, at, what, mend=f"keep one, and make another {self.what} of the rest")
            return None
        likely = next((word for word in tree.pairs if word not in self.common), "")
        what = f"{self.what}{name} has no kind"
        report.unknown(Code.KIND, at, likely, what, self.kinds, f"give it one of {', '.join(self.kinds)}")
        return None


@dataclass(frozen=True, slots=True)
class Raw:
    """Any value, for answers and results of examples: yes and no, integers, words, lists and mappings of these."""

    said = "any value"
    takes = Scalar

    def read(self, tree: Tree, key: Scalar | None, report: Report) -> Any:
        """The plain value; None only where it was refused."""
        return plain(tree)


def plain(tree: Tree) -> Any:
    """A marked value as bool, int, str, list or dict; quoted text stays text."""
    if isinstance(tree, Scalar):
        if not tree.plain:
            return tree.text
        if tree.text in ("yes", "no"):
            return tree.text == "yes"
        number = words.parse_number(tree.text)
        return tree.text if number is None else number
    if isinstance(tree, Items):
        return [plain(part) for part in tree.parts]
    if isinstance(tree, Entries):
        return {word: plain(value) for word, (_, value) in tree.pairs.items()}
    return None
