"""Small words for people: numbers, ranges, values and expressions as one reads them aloud, and lines that fit.

Nothing here prints. Texts use typographic signs (− → · …); `showable` replaces them where an output cannot.
"""

import re
import textwrap
from collections.abc import Iterable
from typing import Any

from refcli.core.chart import ELSE, Band, Pattern
from refcli.core.escapes import ESCAPE
from refcli.core.expr import Expr, Text, shown
from refcli.core.fact import Fact, Kind
from refcli.core.types import Word, type_of_fact
from refcli.core.values import Frozen

# C0 and C1 controls and the signs that turn the direction of text: they could rewrite what stands on screen
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
_PLAIN = str.maketrans(
    {
        "−": "-", "–": "-", "—": "-", "→": "->", "·": "|", "…": "...", "×": "x", "÷": "/", "≤": "<=", "≥": ">=",
        "≠": "!=", "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "•": "*", "\N{NO-BREAK SPACE}": " ",
        "▸": ">", "←": "<", "»": ">",
    }
)  # fmt: skip


def clean(text: str) -> str:
    """The text without escape sequences and control characters, which could rewrite the screen."""
    if text.isascii() and text.isprintable():
        return text
    return _CONTROL.sub("", ESCAPE.sub("", text).replace("\t", " "))


def showable(text: str, encoding: str | None) -> str:
    """The text with plain signs in place of those that an output of this encoding cannot show."""
    try:
        text.encode(encoding or "utf-8", "surrogatepass" if encoding in (None, "utf-8") else "strict")
    except (UnicodeEncodeError, LookupError):
        return text.translate(_PLAIN)
    return text


def wrap(text: str, width: int, first: str = "", rest: str | None = None) -> list[str]:
    """Lines of at most `width` columns; the first begins with `first`, the others with `rest` (as wide a gap).

    Text that says nothing gives no line, unless `first` does.
    """
    rest = " " * len(first) if rest is None else rest
    lines = textwrap.wrap(
        clean(text), max(width, len(rest) + 16), initial_indent=first, subsequent_indent=rest, break_on_hyphens=False
    )
    return lines or ([first.rstrip()] if first.strip() else [])


def columns(rows: Iterable[tuple[str, str]], width: int, indent: str = "  ", most: int = 20) -> list[str]:
    """Rows of two columns: names, and beside them texts wrapped to the width.

    A name of more than `most` characters, or too wide for the screen, has its text below it.
    """
    rows = [(clean(name), text) for name, text in rows]
    most = min(most, width // 3, width - len(indent) - 18)
    wide = max((len(name) for name, _ in rows if len(name) <= most), default=0)
    gap = " " * (len(indent) + wide + 2)
    lines = []
    for name, text in rows:
        if len(name) > wide:
            lines += [f"{indent}{name}", *wrap(text, width, gap)]
        else:
            lines += wrap(text, width, f"{indent}{name:{wide}}  ", gap)
    return [line.rstrip() for line in lines]


def heading(text: str) -> str:
    """A heading: in capitals, so that it stands out without colour."""
    return clean(text).upper()


def first_up(text: str) -> str:
    """The text with its first letter made a capital."""
    return text[:1].upper() + text[1:]


def number(value: int) -> str:
    """A number with a true minus sign."""
    return str(value).replace("-", "−")


def signed(value: int) -> str:
    """A number to be added: +2 or −1."""
    return f"{value:+}".replace("-", "−")


def name_words(name: str) -> str:
    """A name of the chart language as words: `wire_bound` reads `wire bound`."""
    return name.replace("_", " ")


def range_words(low: int | None, high: int | None) -> str:
    """A closed range in words: `2 to 4`, `5 or less`, `6 or more`, `7`."""
    if low is None and high is None:
        return "any number"
    if low is None:
        return f"{number(high or 0)} or less"
    if high is None:
        return f"{number(low)} or more"
    return number(low) if low == high else f"{number(low)} to {number(high)}"


def pattern_words(pattern: Pattern | None, fact: Fact | None = None) -> str:
    """What a case matches, in words; a choice by its label where its fact is known."""
    if isinstance(pattern, Band):
        return range_words(pattern.low, pattern.high)
    if isinstance(pattern, bool):
        return "yes" if pattern else "no"
    if pattern == ELSE or pattern is None:
        return "otherwise"
    choice = fact.choice(pattern) if fact is not None else None
    return choice.label if choice else name_words(pattern)


def fact_of(expr: Expr | None) -> Fact | None:
    """The fact whose choices an expression picks from, if it is one."""
    return expr.type.fact if expr is not None and isinstance(expr.type, Word) else None


_SIGNS = (
    (r"\btotal\((\w+)\.(\w+)((?: where [^()]*)?)\)", r"total \2 of \1\3"),
    (r"\bcount\(([^()]*)\)", r"number of \1"),
    (r"//", "÷"),
    (r"\*", "×"),
    (r"==", "="),
    (r"!=", "≠"),
    (r"<=", "≤"),
    (r">=", "≥"),
    (r"(?<!\w)-", "−"),
    (r"(?<=\w)\.(?=\w)", " "),
)


def expr_words(expr: Expr) -> str:
    """An expression as text for people: signs as in print, names as words."""
    text = " ".join(expr.text.split())
    for sign, better in _SIGNS:
        text = re.sub(sign, better, text)
    return name_words(text)


def text_words(text: Text | None) -> str:
    """A text of a chart before its values are known: each in brackets, `[margin]`."""
    if text is None:
        return ""
    return "".join(part if isinstance(part, str) else f"[{expr_words(part)}]" for part in text.parts)


def value_words(value: Any, fact: Fact | None = None, expr: Expr | None = None) -> str:
    """A value as a player reads it; choices by their labels where the fact or the expression is known."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return number(value)
    if isinstance(value, tuple):
        noun = fact.noun if fact is not None and fact.noun else ""
        if value and isinstance(value[0], int):
            return ", ".join(map(number, value))
        return f"{len(value)} × {noun}" if noun else str(len(value))
    if isinstance(value, Frozen):
        return ", ".join(f"{name_words(str(name))} {value_words(part)}" for name, part in value.items())
    if fact is not None and fact.kind is Kind.CHOICE:
        return clean(shown(value, type_of_fact(fact)))
    if expr is not None:
        return clean(shown(value, expr.type))
    return clean(str(value))
