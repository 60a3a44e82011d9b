"""Elements of HTML. Every text goes through `el`, which escapes it; only `Markup` is left as it is."""

import re
from collections.abc import Iterable
from html import escape


class Markup(str):
    """Text that is HTML already, made by `el` or drawn by the program; never anything that stands in a chart."""

    __slots__ = ()


Child = str | Iterable["Child"] | None
Attribute = str | int | bool | None

_VOID = {"br", "input", "link", "meta"}
_OWN_LINE = {
    "article", "body", "caption", "dd", "div", "dl", "dt", "figure", "footer", "h1", "h2", "h3", "head", "header",
    "html", "li", "link", "main", "meta", "nav", "ol", "p", "section", "style", "table", "tbody", "td", "th", "thead",
    "title", "tr", "ul",
}  # fmt: skip


def el(name: str, /, *children: Child, **attributes: Attribute) -> Markup:
    """An element.

    Args:
        name: of the element.
        children: texts, elements, or lists of them; None is left out.
        attributes: an underscore at the end is dropped, others are hyphens; True is an attribute without a value,
            None and False leave it out.
    """
    head = name + "".join(_attribute(key, value) for key, value in attributes.items())
    end = "\n" if name in _OWN_LINE else ""
    if name in _VOID:
        return Markup(f"<{head}>{end}")
    return Markup(f"<{head}>{join(children)}</{name}>{end}")


def join(children: Child) -> Markup:
    """Texts and elements one after another, the texts escaped."""
    if children is None:
        return Markup()
    if isinstance(children, Markup):
        return children
    if isinstance(children, str):
        return Markup(escape(_whole(children)))
    return Markup("".join(map(join, children)))


def _attribute(key: str, value: Attribute) -> str:
    name = key.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{escape(_whole(str(value)))}"'


def _whole(text: str) -> str:
    """The text without halves of signs, which no file in UTF-8 can hold."""
    return re.sub("[\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", text)


def css_text(text: str) -> str:
    """Text as a string of CSS; whatever could end it, or the style sheet, is written by its number."""
    return '"' + re.sub(r"[^A-Za-z0-9 ]", lambda sign: f"\\{ord(sign[0]):x} ", _whole(text)) + '"'
