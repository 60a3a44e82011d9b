"""What a walk needs next, and the replies that fit.

A need is an `Ask` (facts), a `Roll`, a `Draw`, or the `Outcome` where nothing more is needed. `accept` checks a
reply; `read_answer` turns what a player, a file or a flag wrote into a fact's value.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from refcli.core.chart import OutcomeNode, Tone
from refcli.core.deck import Deck
from refcli.core.dice import Dice
from refcli.core.errors import ReplyError
from refcli.core.fact import Fact, Kind
from refcli.core.problem import did_you_mean
from refcli.core.records import broken_rule, record_name
from refcli.core.struct import Struct
from refcli.core.values import EMPTY, Frozen

YES = {"yes": True, "y": True, "true": True, "no": False, "n": False, "false": False}


class Slot(Struct):
    """Where an answer is kept: a frame's depth (-1: the whole walk) and a fact.

    For a record `name` is its list, `record` its number (from 0); for a card `name` is the card, `column` perhaps
    the column of a numbered field.
    """

    depth: int
    name: str
    record: int | None = None
    field: str = ""
    column: int | None = None


class Question(Struct):
    """One fact to be answered.

    `key` names it within its ask, and in saved replies; `subject` is the man, vehicle or card it is about.
    `default` is the preselected answer, None without one. About a record, `owner` is its list where that has rules,
    and `known` is what they read of it and is known by now.
    """

    key: str
    fact: Fact
    slot: Slot
    chart: str
    subject: str = ""
    default: Any = None
    owner: Fact | None = None
    known: Frozen = EMPTY

    @property
    def text(self) -> str:
        """The question as it is put: a numbered field names its column."""
        return self.fact.ask.replace("<column>", str(self.slot.column))

    @property
    def names(self) -> tuple[str, ...]:
        """The names a file or flag may answer it by, the most exact first."""
        plain = self.slot.field or self.fact.name
        return tuple(dict.fromkeys((f"{self.chart}.{plain}", f"{self.chart.split('/')[-1]}.{plain}", plain)))


class Ask(Struct):
    """Facts that are needed now, in one form. A reply maps question keys to values; it may answer only some.

    Where `questions` are asked only to work out a default, `behind` are the questions that default is for: whoever
    knows their answers may give them at once.
    """

    questions: tuple[Question, ...]
    chart: str
    node: str
    title: str = ""
    behind: tuple[Question, ...] = ()

    def question(self, key: str) -> Question | None:
        """The question of that key."""
        return next((q for q in (*self.questions, *self.behind) if q.key == key), None)


class Roll(Struct):
    """A throw of `dice`. For a pool `pool` is the number of dice and a reply has that many faces, else one total."""

    dice: Dice
    name: str
    chart: str
    node: str
    label: str = ""
    pool: int | None = None


class Draw(Struct):
    """A card of `deck`. A reply maps fields to values; fields left out are asked when the path reads them.

    `first` is the field to read at once (the deck's first, where the path may read it), or None.
    `fields` are all that the path may still read.
    """

    deck: Deck
    name: str
    chart: str
    node: str
    label: str = ""
    first: Fact | None = None
    fields: tuple[str, ...] = ()


class Outcome(Struct):
    """Where a walk ended, its words filled in. `gives` and `changes` hold values; `then` is the chart next."""

    chart: str
    id: str
    title: str
    tone: Tone
    says: str
    effects: tuple[str, ...] = ()
    gives: Mapping[str, Any] = EMPTY
    changes: Mapping[str, Any] = EMPTY
    then: str = ""
    note: str = ""
    page: str = ""
    node: OutcomeNode | None = None

    _uncompared = frozenset({"node"})


Need = Ask | Roll | Draw | Outcome
Reply = Mapping[str, Any] | int | Sequence[int]


def accept(need: Need, reply: Reply) -> Any:
    """The reply in its stored form.

    Raises:
        ReplyError: it does not fit; the message names what would.
    """
    match need:
        case Ask():
            return _accept_answers(need, reply)
        case Roll():
            return _accept_roll(need, reply)
        case Draw():
            if not isinstance(reply, Mapping):
                raise ReplyError(f"a card of {need.deck.title} is a mapping of fields, not {reply!r}", need)
            return read_card(need.deck, reply, need)
    raise ReplyError("the walk has ended; nothing more is asked")


def _accept_answers(need: Ask, reply: Reply) -> dict[str, Any]:
    if not isinstance(reply, Mapping) or not reply:
        raise ReplyError(f"a reply to questions maps each to its answer, not {reply!r}", need)
    answers = {}
    for key, value in reply.items():
        question = need.question(key)
        if question is None:
            hint = did_you_mean(key, [q.key for q in need.questions])
            raise ReplyError(f"'{key}' was not asked; {hint}".removesuffix("; "), need, key)
        answers[key] = read_answer(question.fact, value, need, key)
    _check_records(need, answers)
    return answers


def _check_records(need: Ask, answers: Mapping[str, Any]) -> None:
    """See that records keep the rules of their lists, as far as they are known with these answers."""
    fresh: dict[tuple[int, str, int | None], dict[str, Any]] = {}
    for key, value in answers.items():
        question = need.question(key)
        if question is None or question.owner is None:
            continue
        slot = question.slot
        told = fresh.setdefault((slot.depth, slot.name, slot.record), {})
        told[slot.field] = value
        if fault := broken_rule(question.owner, {**question.known, **told}, told):
            raise ReplyError(f"{slot.name}, {question.subject}: {fault}", need, key)


def _accept_roll(need: Roll, reply: Reply) -> Any:
    name = need.label or need.name
    if need.pool is None:
        if isinstance(reply, bool) or not isinstance(reply, int) or not need.dice.low <= reply <= need.dice.high:
            raise ReplyError(
                f"{need.dice} gives {need.dice.low} to {need.dice.high}, not {_brief(reply)}", need, need.name
            )
        return reply
    faces = [reply] if isinstance(reply, int) else reply
    if isinstance(faces, str | Mapping) or len(faces) != need.pool:
        raise ReplyError(f"{name} takes {need.pool} dice, not {_brief(reply)}", need, need.name)
    for face in faces:
        if isinstance(face, bool) or not isinstance(face, int) or not need.dice.low <= face <= need.dice.high:
            raise ReplyError(
                f"{need.dice} gives {need.dice.low} to {need.dice.high}, not {_brief(face)}", need, need.name
            )
    return tuple(faces)


def _brief(value: object) -> str:
    """A value as its writer knows it, cut short."""
    words = {"None": "nothing", "True": "yes", "False": "no"}
    text = repr(value) if isinstance(value, str) else words.get(repr(value), str(value))
    return text if len(text) <= 60 else text[:57] + "…"


def read_card(deck: Deck, raw: Mapping[str, Any], need: Need | None = None) -> Frozen:
    """A card from field values; a numbered field maps columns to values.

    Raises:
        ReplyError: an unknown field or column, or a value that does not fit.
    """
    card: dict[str, Any] = {}
    for name, value in raw.items():
        fact = deck.fields.get(name)
        if fact is None:
            raise ReplyError(f"a card of {deck.title} has no '{name}'; {did_you_mean(name, deck.fields)}", need, name)
        if not fact.columns:
            card[name] = read_answer(fact, value, need, name)
            continue
        if not isinstance(value, Mapping):
            raise ReplyError(f"'{name}' is numbered: give each column its value", need, name)
        columns = {}
        for column, part in value.items():
            number = int(column) if str(column).isascii() and str(column).isdigit() else 0
            if not fact.columns[0] <= number <= fact.columns[1]:
                legal = f"{fact.columns[0]} to {fact.columns[1]}"
                raise ReplyError(f"columns of '{name}' run from {legal}, not {_brief(column)}", need, name)
            columns[number] = read_answer(fact.at(number), part, need, name)
        card[name] = Frozen(columns)
    return Frozen(card)


def read_answer(fact: Fact, raw: object, need: Need | None = None, key: str = "") -> Any:
    """A fact's value from what was written: JSON values and their words alike.

    Returns:
        bool, int, a choice key, text, or a tuple of records (partial mappings).

    Raises:
        ReplyError: it is no legal answer; the message lists what is.
    """
    name = key or fact.name
    match fact.kind:
        case Kind.YES_NO:
            value = raw if isinstance(raw, bool) else YES.get(raw.strip().lower()) if isinstance(raw, str) else None
            if value is None:
                raise ReplyError(f"{name}: answer yes or no, not {_brief(raw)}", need, key)
            return value
        case Kind.NUMBER:
            return _read_number(fact, raw, name, need, key)
        case Kind.CHOICE:
            word = ("yes" if raw else "no") if isinstance(raw, bool) else raw
            if not isinstance(word, str) or fact.choice(word.strip()) is None:
                keys = [c.key for c in fact.choices]
                hint = did_you_mean(word, keys, 16) if isinstance(word, str) else "it can be: " + ", ".join(keys)
                raise ReplyError(f"{name}: {_brief(raw)} is not a choice; {hint}".removesuffix("; "), need, key)
            return word.strip()
        case Kind.TEXT:
            if not isinstance(raw, str | int) or isinstance(raw, bool):
                raise ReplyError(f"{name}: a text is needed, not {_brief(raw)}", need, key)
            return str(raw)[:500]
        case Kind.LIST:
            return _read_records(fact, raw, name, need, key)


def _read_number(fact: Fact, raw: object, name: str, need: Need | None, key: str) -> int:
    if isinstance(raw, str):
        text = raw.strip().replace("−", "-")
        digits = text.lstrip("+-")
        if digits.isascii() and digits.isdigit() and len(digits) < 10 and len(text) - len(digits) < 2:
            raw = int(text)
    if isinstance(raw, float) and raw.is_integer() and abs(raw) < 10**9:
        raw = int(raw)
    low, high = fact.low, fact.high
    legal = "a whole number" if low is None and high is None else f"a number in {fact.range}"
    place = "" if fact.column is None else f" in column {fact.column}"
    if isinstance(raw, bool) or not isinstance(raw, int) or abs(raw) >= 10**9:
        raise ReplyError(f"{name}: {legal} is needed{place}, not {_brief(raw)}", need, key)
    if (low is not None and raw < low) or (high is not None and raw > high):
        raise ReplyError(f"{name}: {raw} is out of range{place}; {legal} is needed", need, key)
    return raw


def _read_records(fact: Fact, raw: object, name: str, need: Need | None, key: str) -> tuple[Frozen, ...]:
    if isinstance(raw, str | Mapping) or not isinstance(raw, Sequence):
        raise ReplyError(f"{name}: a list with one mapping per {fact.noun} is needed, not {_brief(raw)}", need, key)
    least, most = fact.size
    if not least <= len(raw) <= most:
        raise ReplyError(f"{name}: a list of {fact.many} is needed, not of {len(raw)}", need, key)
    fields = {f.name: f for f in fact.fields}
    records = []
    for number, one in enumerate(raw, 1):
        if not isinstance(one, Mapping):
            raise ReplyError(f"{name}: {fact.noun} {number} is not a mapping of {', '.join(fields)}", need, key)
        for word in one:
            if word not in fields:
                hint = did_you_mean(str(word), fields, 20)
                raise ReplyError(
                    f"{name}: {fact.noun} {number} has no '{word}'; {hint}".removesuffix("; "), need, key
                )
        where = f"{name}, {fact.noun} {number}"
        try:
            records.append(Frozen({word: read_answer(fields[word], value) for word, value in one.items()}))
        except ReplyError as fault:
            raise ReplyError(f"{where}: {fault}", need, key) from None
        if broken := broken_rule(fact, records[-1]):
            raise ReplyError(f"{name}, {record_name(fact, number - 1, records[-1])}: {broken}", need, key)
    return tuple(records)
