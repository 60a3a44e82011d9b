"""HTML read for tests: a tree of elements that can be searched, strict about what is open and closed."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"br", "input", "link", "meta", "img"}


@dataclass
class Element:
    """An element; its children are elements and texts."""

    name: str
    attributes: dict[str, str | None]
    children: "list[Element | str]" = field(default_factory=list)

    @property
    def text(self) -> str:
        """All its text, with single spaces."""
        return " ".join("".join(self._texts()).split())

    def _texts(self) -> Iterator[str]:
        for child in self.children:
            if isinstance(child, str):
                yield child
            elif child.name != "style":
                yield from child._texts()

    @property
    def id(self) -> str:
        return self.attributes.get("id") or ""

    @property
    def classes(self) -> list[str]:
        return (self.attributes.get("class") or "").split()

    def all(self, name: str = "", kind: str = "") -> "list[Element]":
        """Every element below it with this name and class."""
        return [one for one in self._below() if name in ("", one.name) and (not kind or kind in one.classes)]

    def one(self, name: str = "", kind: str = "") -> "Element":
        """The only one of those."""
        (found,) = self.all(name, kind)
        return found

    def _below(self) -> "Iterator[Element]":
        for child in self.children:
            if isinstance(child, Element):
                yield child
                yield from child._below()

    def at(self, id: str) -> "Element":
        """The only element with this id."""
        (found,) = [one for one in self._below() if one.id == id]
        return found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Element("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice: {names}"
        made = Element(tag, dict(attrs))
        self.open[-1].children.append(made)
        if tag not in VOID:
            self.open.append(made)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().name == tag, f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


def read(text: str) -> Element:
    """The root element of a page."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert len(reader.open) == 1, f"left open: {[one.name for one in reader.open[1:]]}"
    (root,) = [one for one in reader.open[0].children if isinstance(one, Element)]
    return root
