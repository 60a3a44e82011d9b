"""The marked tree: what a YAML file says, every part with its place. Nothing is converted; text stays text."""

from typing import Protocol

from refcli.core.place import Place


class Mark(Protocol):
    """A spot in the text, all counted from 0."""

    @property
    def index(self) -> int:
        """Characters before it."""

    @property
    def line(self) -> int:
        """Lines before it."""

    @property
    def column(self) -> int:
        """Characters before it on its line."""


class Source:
    """The text of a file, and its path as shown to the user."""

    __slots__ = ("file", "text")

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text

    def place(self, mark: Mark) -> Place:
        """A mark as a place for people, counted from 1."""
        return Place(self.file, mark.line + 1, mark.column + 1)

    def line(self, number: int) -> str:
        """A line of the text, counted from 0; empty where there is none."""
        lines = self.text.split("\n", number + 1)
        return lines[number] if number < len(lines) else ""


class Scalar:
    """A single value or a key: its `text`, and whether it stands plain (without quotes, not as a block)."""

    __slots__ = ("end", "plain", "source", "start", "text")

    said = "a single value"

    def __init__(self, source: Source, text: str, plain: bool, start: Mark, end: Mark) -> None:
        self.source = source
        self.text = text
        self.plain = plain
        self.start = start
        self.end = end

    @property
    def place(self) -> Place:
        """Where it starts, its quote included."""
        return self.source.place(self.start)

    @property
    def width(self) -> int:
        """How many characters of its first line it fills."""
        if self.start.line == self.end.line:
            return max(1, self.end.column - self.start.column)
        return max(1, len(self.source.line(self.start.line)) - self.start.column)

    @property
    def is_cut(self) -> bool:
        """Whether a comment follows an unquoted text after just one space, as in `Hill #3`."""
        after = self.end.index
        return self.plain and self.source.text.startswith(" #", after)

    def spot(self, offset: int = 0) -> Place:
        """Where the character `offset` of its text stands in the file, quotes, escapes and line breaks counted."""
        return self.spots([offset])[0]

    def spots(self, offsets: list[int]) -> list[Place]:
        """Where several characters stand, by rising offset."""
        start, end, file = self.start, self.end, self.source.file
        quotes = 0 if self.plain else 1
        if start.line == end.line and end.index - start.index == len(self.text) + 2 * quotes:
            column = start.column + 1 + quotes
            return [Place(file, start.line + 1, column + offset) for offset in offsets]
        raw, at, done, found = self.source.text, self._first(), 0, []
        quote = "" if self.plain else raw[start.index]
        for offset in offsets:
            for char in self.text[done:offset]:
                at = _past(raw, _align(raw, at, end.index, char), char, quote)
            done = max(done, offset)
            here = _align(raw, at, end.index, self.text[offset : offset + 1] or " ")
            line = start.line + raw.count("\n", start.index, here)
            found.append(Place(file, line + 1, here - raw.rfind("\n", 0, here)))
        return found

    def _first(self) -> int:
        """Where its text starts: behind the quote, or on the line behind a block's `|` or `>`."""
        raw, at = self.source.text, self.start.index
        if self.plain:
            return at
        if raw.startswith(("'", '"'), at):
            return at + 1
        return raw.find("\n", at) + 1 or at

    def __repr__(self) -> str:
        return f"Scalar({self.text!r}, {self.place})"


def _align(raw: str, at: int, end: int, char: str) -> int:
    """Where `char` of a scalar's text stands, from `at` on: past line breaks and indentation that YAML folds."""
    if char.isspace():
        return at
    while at < end and raw[at].isspace():
        at += 1
    return at


def _past(raw: str, at: int, char: str, quote: str) -> int:
    """The spot behind `char`: folded space, a doubled quote and an escape take more than one character."""
    if quote == '"' and raw.startswith("\\", at):
        return at + {"x": 4, "u": 6, "U": 10}.get(raw[at + 1 : at + 2], 2)
    if not char.isspace():
        return at + (2 if quote == "'" and raw.startswith("''", at) else 1)
    start = at
    while raw[at : at + 1].isspace():
        at += 1
    return at if "\n" in raw[start:at] else min(at, start + 1)


class Part:
    """Anything else that stands in a file."""

    __slots__ = ("source", "start")

    width = 1

    def __init__(self, source: Source, start: Mark) -> None:
        self.source = source
        self.start = start

    @property
    def place(self) -> Place:
        """Where it starts."""
        return self.source.place(self.start)


class Items(Part):
    """A list."""

    __slots__ = ("flow", "parts")

    said = "a list"

    def __init__(self, source: Source, start: Mark, flow: bool) -> None:
        super().__init__(source, start)
        self.flow = flow
        self.parts: list[Tree] = []


class Entries(Part):
    """A mapping: each key's text with the key and its value, in the order written."""

    __slots__ = ("flow", "key", "pairs")

    said = "a mapping"

    def __init__(self, source: Source, start: Mark, flow: bool) -> None:
        super().__init__(source, start)
        self.flow = flow
        self.pairs: dict[str, tuple[Scalar, Tree]] = {}
        self.key: Scalar | None = None
        """The key whose value is still to come, while the mapping is read."""


class Refused(Part):
    """A value that has been reported already: nobody need complain about it again."""

    __slots__ = ()

    said = "nothing"


Tree = Scalar | Items | Entries | Refused
