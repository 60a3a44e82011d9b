"""The small words of the language: what may be a name, how ranges and cases are written."""

import re
from keyword import iskeyword

from refcli.core.chart import ELSE, Band, Pattern
from refcli.core.expr import MAX_NUMBER

MAX_NAME = 60
RESERVED = {"yes", "no", ELSE, "where", "place"}
"""Words that mean something in every expression, so that no fact or made name may take them.

Functions are not among them: they are always followed by a bracket, so a tally may well be called `total`.
"""
_WORD = re.compile(r"[a-z][a-z0-9_]*")
_FILE = re.compile(r"[a-z0-9][a-z0-9_-]*")
_NUMBER = re.compile(r"[+-]?[0-9]{1,30}")
_BAND = re.compile(r"([+-]?[0-9]{1,30})?\.\.([+-]?[0-9]{1,30})?")


def name_fault(text: str) -> str:
    """Why a text cannot name a fact or a made value; empty where it can."""
    if text in RESERVED:
        return f"'{text}' cannot be a name: it means something in every expression"
    return word_fault(text)


def word_fault(text: str) -> str:
    """Why a text cannot be a choice key or an outcome; empty where it can."""
    if text in ("yes", "no", ELSE, "where"):
        return f"'{text}' cannot be a name: it means something in every expression"
    if iskeyword(text):
        return f"'{text}' cannot be a name: it is a word of the expression language"
    return id_fault(text)


def id_fault(text: str) -> str:
    """Why a text cannot be called a node; empty where it can."""
    if len(text) > MAX_NAME:
        return f"a name of {len(text)} characters is too long: {MAX_NAME} at most"
    if not _WORD.fullmatch(text):
        return f"'{text}' cannot be a name: small letters a-z, digits and _ make one, a letter first"
    return ""


def file_fault(text: str) -> str:
    """Why a text cannot be a deck, a book or a chart; empty where it can."""
    if len(text) > MAX_NAME:
        return f"a name of {len(text)} characters is too long: {MAX_NAME} at most"
    if not _FILE.fullmatch(text):
        return f"'{text}' cannot be a name: small letters a-z, digits, - and _ make one"
    return ""


def chart_fault(text: str) -> str:
    """Why a text cannot name a chart, `chart` or `book/chart`; empty where it can."""
    book, slash, stem = text.rpartition("/")
    return file_fault(stem) or (file_fault(book) if slash else "")


def suggested_name(text: str) -> str:
    """A text turned into a legal name, as a hint; empty where nothing is left of it."""
    word = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")[:MAX_NAME]
    return "" if word == text or name_fault(word) else word


def parse_number(text: str) -> int | None:
    """An integer within all bounds; None for anything else."""
    value = int(text) if _NUMBER.fullmatch(text) else None
    return value if value is not None and abs(value) <= MAX_NUMBER else None


def parse_band(text: str) -> Band | str:
    """A range such as `-3..3`, `0..`, `..5`, `7` or `..`; else what is wrong with it."""
    text = text.strip()
    found = _BAND.fullmatch(text)
    ends = found.groups() if found else (text, text)
    if not found and not _NUMBER.fullmatch(text):
        if "−" in text or "–" in text:
            return f"'{text}' is no range: write the plain minus sign -"
        return f"'{text}' is no range: write one like -3..3, 0.., ..5 or 7"
    low, high = (None if end is None else int(end) for end in ends)
    if any(abs(end) > MAX_NUMBER for end in (low, high) if end is not None):
        return f"'{text}' goes beyond {MAX_NUMBER:,}"
    if low is not None and high is not None and low > high:
        return f"'{text}' holds nothing: the lower end comes first"
    return Band(low, high)


def parse_pattern(text: str) -> Pattern | None:
    """What a case matches: a band of numbers, a choice key, yes, no or `else`; None where it is none of them."""
    if text in ("yes", "no"):
        return text == "yes"
    if text == ELSE or (_WORD.fullmatch(text) and len(text) <= MAX_NAME):
        return text
    band = parse_band(text)
    return band if isinstance(band, Band) else None
