"""What a player typed, read as a value: the same words at every prompt and in every flag."""

import json
import re
import unicodedata
from collections.abc import Sequence
from typing import Any

from refcli.core.errors import ReplyError
from refcli.core.escapes import ESCAPE
from refcli.core.fact import Choice, Fact, Kind
from refcli.core.need import Roll, accept, read_answer
from refcli.core.problem import did_you_mean

_JOINERS = "\u200c\u200d"
MAX_TEXT = 2000
"""The most characters of a typed line that are looked at."""


def clean(text: str) -> str:
    """Text that is safe to print: on one line, without escapes, controls and signs that turn the writing around."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_safe(char) for char in ESCAPE.sub("", text))


def _safe(char: str) -> str:
    kind = unicodedata.category(char)
    if char in "\t\n\r\v\f\x85" or kind in ("Zl", "Zp"):
        return " "
    if kind == "Cs":
        return "\ufffd"
    return "" if kind == "Cc" or (kind == "Cf" and char not in _JOINERS) else char


def read_text(fact: Fact, text: str) -> Any:
    """The answer to a fact as a player types it.

    Yes and no by any beginning of the word; a choice by its key, its number in the list (from 1) or any beginning of
    its key, its label or a word of its label that fits no other choice; a list of records by how many they are, by
    their names with commas, or as JSON.

    Raises:
        ReplyError: it is no answer, or could be several; says what would be.
    """
    text = text.strip()[:MAX_TEXT]
    match fact.kind:
        case Kind.YES_NO:
            return read_yes_no(text)
        case Kind.CHOICE:
            return read_choice(fact.choices, text)
        case Kind.LIST:
            return _records(fact, text)
        case Kind.NUMBER | Kind.TEXT:
            return _plain(fact, text)


def _plain(fact: Fact, raw: object) -> Any:
    try:
        return read_answer(fact, raw)
    except ReplyError as fault:
        said = str(fault).removeprefix(f"{fact.name}: ")
        raise ReplyError(said.replace(f"a number in {fact.range} is", f"a number {_span(fact)} is")) from None


def _span(fact: Fact) -> str:
    """The legal numbers, as they go on behind 'a number'."""
    if fact.low is not None and fact.high is not None:
        return f"from {fact.low} to {fact.high}"
    return f"of {fact.low} or more" if fact.high is None else f"of {fact.high} or less"


def read_yes_no(text: str) -> bool:
    """Yes or no, by any beginning of the word.

    Raises:
        ReplyError: it is neither.
    """
    word = text.casefold()
    found = [value for name, value in (("yes", True), ("no", False)) if word and name.startswith(word)]
    found = found or {"true": [True], "false": [False]}.get(word, [])
    if not found:
        raise ReplyError(f"answer yes or no (y or n), not {_brief(text)}")
    return found[0]


def read_choice(choices: Sequence[Choice], text: str) -> str:
    """The key of the choice that is meant.

    Raises:
        ReplyError: none is, or several could be.
    """
    near = matching(choices, text)
    if len(near) == 1:
        return near[0].key
    if near:
        names = ", ".join(f"{choices.index(c) + 1} {c.label}" for c in near[:6])
        raise ReplyError(f"{_brief(text)} could be {names}; type more of it, or its number")
    if text.isascii() and text.isdigit():
        raise ReplyError(f"choose 1 to {len(choices)}, not {_brief(text)}")
    words = {c.key: c.key for c in choices} | {c.label.casefold(): c.key for c in choices}
    hint = did_you_mean(text.casefold(), words, 0)
    hint = hint or f"choose 1 to {len(choices)}, a key or the beginning of a word"
    raise ReplyError(f"{_brief(text)} is not a choice; {hint}")


def matching(choices: Sequence[Choice], text: str) -> list[Choice]:
    """The choices that a text may mean: one by its key, label or number (from 1), else all with such a beginning."""
    word = " ".join(text.casefold().split())
    key = re.sub(r"[ -]", "_", word)
    if not word:
        return []
    exact = [c for c in choices if c.key.casefold() == key] or [c for c in choices if c.label.casefold() == word]
    if exact:
        return exact
    if word.isascii() and word.isdigit():
        number = int(word[:6])
        return [choices[number - 1]] if 1 <= number <= len(choices) else []
    return [c for c in choices if c.key.casefold().startswith(key) or _begins(c.label.casefold(), word)]


def _begins(label: str, word: str) -> bool:
    """Whether a label, read from any of its words on, begins with what was typed."""
    return any(label.startswith(word, found.start()) for found in re.finditer(r"\w+", label))


def is_certain(choices: Sequence[Choice], text: str) -> bool:
    """Whether a text means one choice, and would mean no other whatever is typed behind it."""
    near = matching(choices, text)
    word = " ".join(text.casefold().split())
    if len(near) != 1:
        return False
    if word.isascii() and word.isdigit() and near[0].key.casefold() != word:
        return int(word) * 10 > len(choices)
    key = re.sub(r"[ -]", "_", word)
    return all(
        choice is near[0] or not (choice.key.casefold().startswith(key) or _begins(choice.label.casefold(), word))
        for choice in choices
    )


def tails(choice: Choice, text: str) -> list[str]:
    """What may still be typed of a choice once a text has been taken for it."""
    word = text.casefold()
    key, label = choice.key.casefold(), choice.label.casefold()
    begun = [key] + [label[found.start() :] for found in re.finditer(r"\w+", label)]
    return [whole[len(word) :] for whole in begun if whole.startswith(word)]


def _records(fact: Fact, text: str) -> Any:
    if text.startswith("["):
        try:
            return _plain(fact, json.loads(text))
        except (ValueError, RecursionError):
            raise ReplyError(f"{_brief(text)} is no JSON list") from None
    if text.isascii() and text.isdigit():
        return _plain(fact, [{}] * min(int(text[:6]), 10_000))
    name = next((field for field in fact.fields if field.kind is Kind.TEXT), None)
    names = [part.strip() for part in text.split(",")]
    if name is None or not all(names):
        more = ", their names with commas" if name is not None else ""
        raise ReplyError(f"say how many {plural(fact.noun)}{more}, or a JSON list; not {_brief(text)}")
    return _plain(fact, [{name.name: part} for part in names])


def read_roll(need: Roll, text: str) -> int | list[int]:
    """Dice as a player reads them off the table: a total, its dice one by one, or the faces of a pool.

    Raises:
        ReplyError: these dice cannot show that; says what they can.
    """
    text = text.strip()[:MAX_TEXT]
    dice = need.dice
    parts = [part for part in re.split(r"[\s,;+]+", text) if part]
    numbers = [_number(part, f"type numbers, not {_brief(text)}") for part in parts]
    if not numbers:
        raise ReplyError("type what the dice show")
    if need.pool is not None:
        if len(numbers) != need.pool and dice.high < 10 and all(part.isdigit() for part in parts):
            numbers = [int(face) for face in "".join(parts)]
        if len(numbers) != need.pool:
            verb = "is" if len(numbers) == 1 else "are"
            many = "1 die is" if need.pool == 1 else f"{need.pool} dice are"
            raise ReplyError(f"{many} needed, {len(numbers)} {verb} there")
        return _accepted(need, numbers)
    if len(numbers) == 1:
        if dice.sides == 10 and dice.count == 1 and numbers[0] == 0 and not dice.plus:
            raise ReplyError("a 0 on a ten-sided die counts 10: type 10")
        return _accepted(need, numbers[0])
    if len(numbers) != dice.count:
        what = f"the total, or its {dice.count} dice" if dice.count > 1 else "one number"
        raise ReplyError(f"{dice} takes {what}, not {_brief(text)}")
    for face in numbers:
        if not 1 <= face <= dice.sides:
            raise ReplyError(f"each die shows 1 to {dice.sides}, not {face}")
    return sum(numbers) + dice.plus


def _accepted(need: Roll, reply: int | list[int]) -> int | list[int]:
    accept(need, reply)
    return reply


def _number(text: str, otherwise: str) -> int:
    text = text.replace("−", "-")
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MAX_TEXT):
        raise ReplyError(otherwise)
    return int(text)


def read_count(fact: Fact, text: str) -> int:
    """How many records a list has.

    Raises:
        ReplyError: it is no number, or the list cannot have so many.
    """
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) < 10 and fact.size[0] <= int(text) <= fact.size[1]:
        return int(text)
    raise ReplyError(f"how many {plural(fact.noun)}: a number from {fact.many} is needed, not {_brief(text)}")


def plural(noun: str) -> str:
    """Several of a noun, as far as a few rules go."""
    if noun.endswith("man"):
        return noun[:-3] + "men"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")


def _brief(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:39] + "…")
