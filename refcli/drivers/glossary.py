"""The abbreviations of a book, explained where they stand on the screen."""

import re
from collections.abc import Iterable, Mapping

from refcli.core.walk import Walk
from refcli.drivers.answers import clean


def glossary_of(walk: Walk) -> dict[str, str]:
    """The terms of all books that the walk is in; the book of the innermost chart comes first."""
    found: dict[str, str] = {}
    for frame in reversed(walk.position.frames):
        for term, meaning in frame.chart.book.glossary.items():
            found.setdefault(clean(term), clean(meaning))
    return found


def terms_in(glossary: Mapping[str, str], texts: Iterable[str]) -> list[str]:
    """The terms that stand in some texts, as whole words and as they are written, in the order of the glossary."""
    text = "\n".join(texts)
    return [term for term in glossary if _stands_in(term, text)]


def _stands_in(term: str, text: str) -> bool:
    return bool(term) and re.search(rf"(?<!\w){re.escape(term)}(?:s|es)?(?!\w)", text) is not None


def explained(glossary: Mapping[str, str], terms: Iterable[str]) -> list[str]:
    """Terms with what they mean, one line each."""
    return [f"{term}: {glossary[term]}" for term in terms]


def look_up(glossary: Mapping[str, str], word: str) -> list[str]:
    """What a word means: the term itself, else all that begin with it or hold it; or what there is instead."""
    from difflib import get_close_matches  # seldom wanted

    sought = word.strip().casefold()
    for fits in (str.__eq__, str.startswith, str.__contains__):
        near = [term for term in glossary if fits(term.casefold(), sought)]
        if near:
            return explained(glossary, near[:12])
    near = [term for term in glossary if sought in glossary[term].casefold()]
    if near:
        return explained(glossary, near[:12])
    terms = {term.casefold(): term for term in glossary}
    close = get_close_matches(sought, terms, 1, 0.6)
    hint = f"; did you mean {terms[close[0]]}?" if close else "."
    return [f"The glossary has no '{clean(word)[:40]}'{hint}"]
