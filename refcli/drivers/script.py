"""Cases: answers, rolls and cards that were written down beforehand, for files, flags and batches."""

from collections.abc import Mapping, Sequence
from typing import Any

from refcli.core.chart import Chart
from refcli.core.errors import ReplyError
from refcli.core.fact import Kind
from refcli.core.need import Ask, Draw, Need, Question, Roll, accept, read_answer
from refcli.core.problem import did_you_mean
from refcli.core.struct import Struct
from refcli.core.values import EMPTY
from refcli.core.walk import Walk
from refcli.drivers.loop import Supplied
from refcli.drivers.names import deck_names, dotted, draw_names, fact_names, roll_names


class Case(Struct, kw_only=True):
    """One case, as it stands in a file.

    `given` and `rolls` are by `name` or `chart.name`: one value answers every time, a list answers in order. `draws`
    are cards in order, or by name such lists of them; each is a word (the deck's first field) or a mapping of fields.
    Those of the decks in `placeholders` were drawn from a placeholder. `place` says where the case stands, for
    messages.
    """

    id: Any = None
    chart: str = ""
    given: Mapping[str, Any] = EMPTY
    rolls: Mapping[str, Any] = EMPTY
    draws: Sequence[Any] | Mapping[str, Any] = ()
    placeholders: Sequence[str] = ()
    seed: int | None = None
    expect: Any = None
    place: str = ""


KEYS = ("id", "chart", "given", "rolls", "draws", "placeholders", "seed", "expect")


def read_case(raw: object, place: str = "") -> Case:
    """A case from plain data, such as a JSON object.

    Raises:
        ReplyError: it is no case; the message names the key at fault.
    """
    where = f"{place}: " if place else ""
    if not isinstance(raw, Mapping):
        raise ReplyError(f"{where}a case is a mapping of {', '.join(KEYS)}")
    for key in raw:
        if key not in KEYS:
            word = _brief(str(key))
            hint = did_you_mean(word, KEYS)
            raise ReplyError(f"{where}a case has no '{word}'; {hint}".removesuffix("; "), key=word)
    for key in ("given", "rolls"):
        if not isinstance(raw.get(key, {}), Mapping):
            raise ReplyError(f"{where}'{key}' must map names to values", key=key)
    for key, what in (("draws", "cards"), ("placeholders", "decks")):
        value = raw.get(key, ())
        if isinstance(value, Mapping) and key == "draws":
            continue
        if isinstance(value, str | Mapping) or not isinstance(value, Sequence):
            more = ", or map names to cards" if key == "draws" else ""
            raise ReplyError(f"{where}'{key}' must be a list of {what}{more}", key=key)
    chart = raw.get("chart")
    if chart is not None and not isinstance(chart, str):
        raise ReplyError(f"{where}'chart' must be the name of a chart", key="chart")
    seed = raw.get("seed")
    if seed is not None and (seed := whole(seed)) is None:
        raise ReplyError(f"{where}'seed' must be a whole number", key="seed")
    return Case(
        id=raw.get("id"),
        chart=chart or "",
        given={str(name): value for name, value in raw.get("given", {}).items()},
        rolls={str(name): value for name, value in raw.get("rolls", {}).items()},
        draws=raw.get("draws", ()),
        placeholders=tuple(map(str, raw.get("placeholders", ()))),
        seed=seed,
        expect=raw.get("expect"),
        place=place,
    )


def check_names(case: Case, chart: Chart) -> None:
    """See that a chart, or one that it runs, knows every name of a case.

    Raises:
        ReplyError: it does not know one; the message suggests the nearest.
    """
    for kind, names, legal in (
        ("fact", case.given, list(fact_names(chart))),
        ("roll", case.rolls, sorted(roll_names(chart))),
        ("draw", case.draws if isinstance(case.draws, Mapping) else (), sorted(draw_names(chart))),
        ("deck", case.placeholders, deck_names(chart)),
    ):
        for name in names:
            if name not in legal:
                near = [one for one in legal if ("." in one) == ("." in name)]
                word = _brief(name)
                hint = did_you_mean(word, near, 12)
                where = f"{case.place}: " if case.place else ""
                raise ReplyError(f"{where}{chart.title} has no {kind} '{word}'; {hint}".removesuffix("; "), key=word)


class CaseSupplier:
    """Replies from a case: facts and rolls by name, cards in order."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self._used: dict[tuple[str, str], int] = {}
        self._drawn = 0

    def supply(self, walk: Walk, need: Need) -> Supplied | None:
        """What the case says to a need; None where it says nothing (any more).

        Raises:
            ReplyError: what it says does not fit; names the case's key.
        """
        match need:
            case Ask(questions=questions, behind=behind):
                answers = {}
                for question in (*behind, *questions):
                    found = self._answer(question)
                    if found is not None:
                        answers[question.key] = found[0]
                return Supplied(answers, "given") if answers else None
            case Roll():
                return self._roll(need)
            case Draw():
                return self._draw(need)
        return None

    def _answer(self, question: Question) -> tuple[Any] | None:
        for name in question.names:
            if name not in self.case.given:
                continue
            value = self.case.given[name]
            if not _in_order(value, question.fact.kind):
                self._count("given", name)
                return (read_answer(question.fact, value, None, name),)
            done = self._used.get(("given", name), 0)
            if done < len(value):
                self._count("given", name)
                return (read_answer(question.fact, value[done], None, name),)
        return None

    def _roll(self, need: Roll) -> Supplied | None:
        for name in dotted(need.chart, need.name):
            if name not in self.case.rolls:
                continue
            value = self.case.rolls[name]
            if isinstance(value, str) or not isinstance(value, Sequence):
                self._count("rolls", name)
                return self._thrown(need, name, [value])
            done = self._used.get(("rolls", name), 0)
            take = 1 if need.pool is None else need.pool
            if done < len(value):
                self._count("rolls", name, take)
                return self._thrown(need, name, value[done : done + take])
        return None

    def _thrown(self, need: Roll, name: str, faces: Sequence[Any]) -> Supplied:
        numbers = [face if (number := whole(face)) is None else number for face in faces]
        reply = numbers if need.pool is not None else numbers[0]
        return self._checked(need, f"rolls.{name}", Supplied(reply, "given"))

    def _draw(self, need: Draw) -> Supplied | None:
        if isinstance(self.case.draws, Mapping):
            return self._draw_by_name(need, self.case.draws)
        if self._drawn >= len(self.case.draws):
            return None
        self._drawn += 1
        return self._card(need, self.case.draws[self._drawn - 1], f"draws, card {self._drawn}")

    def _draw_by_name(self, need: Draw, draws: Mapping[str, Any]) -> Supplied | None:
        for name in dotted(need.chart, need.name):
            cards = _cards(draws.get(name, ()))
            done = self._used.get(("draws", name), 0)
            if done < len(cards):
                self._count("draws", name)
                return self._card(need, cards[done], f"draws.{name}, card {done + 1}")
        return None

    def _card(self, need: Draw, card: Any, name: str) -> Supplied:
        reply = card if isinstance(card, Mapping) else {need.deck.first.name: card}
        source = "placeholder" if need.deck.name in self.case.placeholders else "given"
        return self._checked(need, name, Supplied(reply, source))

    def _checked(self, need: Need, name: str, supplied: Supplied) -> Supplied:
        try:
            accept(need, supplied.reply)
        except ReplyError as fault:
            raise ReplyError(f"{name}: {fault}", need, name) from None
        return supplied

    def _count(self, kind: str, name: str, by: int = 1) -> None:
        self._used[kind, name] = self._used.get((kind, name), 0) + by

    def leftover(self) -> list[str]:
        """What the walk did not need: names never used, and lists of which some is left."""
        found = []
        for kind, values in (("given", self.case.given), ("rolls", self.case.rolls)):
            prefix = "" if kind == "given" else f"{kind}."
            for name, value in values.items():
                used = self._used.get((kind, name), 0)
                if not used:
                    found.append(f"{prefix}{name}")
                elif isinstance(value, list | tuple) and not _records(value) and used < len(value):
                    found.append(f"{prefix}{name} ({used} of {len(value)} used)")
        draws = self.case.draws
        if isinstance(draws, Mapping):
            for name, cards in draws.items():
                used, every = self._used.get(("draws", name), 0), len(_cards(cards))
                if used < every:
                    found.append(f"draws.{name} ({used} of {every} used)")
        elif self._drawn < len(draws):
            found.append(f"draws ({self._drawn} of {len(draws)} used)")
        return found

    def rest(self) -> dict[str, Any]:
        """What of the case is still to come: single values stay, lists without what was used."""
        found: dict[str, Any] = {}
        for kind, values in (("given", self.case.given), ("rolls", self.case.rolls)):
            left: dict[str, Any] = {}
            for name, value in values.items():
                used = self._used.get((kind, name), 0)
                if not isinstance(value, list | tuple) or (kind == "given" and _records(value)):
                    left[name] = value
                elif used < len(value):
                    left[name] = list(value[used:])
            if left:
                found[kind] = left
        draws = self.case.draws
        if isinstance(draws, Mapping):
            cards = {name: _cards(draws[name])[self._used.get(("draws", name), 0) :] for name in draws}
            cards_left = [card for some in cards.values() for card in some]
        else:
            cards_left = list(draws[self._drawn :])
        if cards_left:
            found["draws"] = cards_left
            found |= {"placeholders": list(self.case.placeholders)} if self.case.placeholders else {}
        return found

    def mark(self) -> Any:
        """How much is used by now."""
        return dict(self._used), self._drawn

    def rewind(self, mark: Any) -> None:
        """Be as at that mark again."""
        used, self._drawn = mark
        self._used = dict(used)


def joined(answers: Mapping[str, Any], rest: Mapping[str, Any]) -> dict[str, Any]:
    """The case that goes on from `answers` with the `rest` of the case that was used on the way."""
    found: dict[str, Any] = {}
    for kind in ("given", "rolls"):
        both = dict(answers.get(kind, {}))
        for name, value in rest.get(kind, {}).items():
            if name not in both:
                both[name] = value
            elif isinstance(value, list) and not (kind == "given" and _records(value)):
                both[name] = [*(both[name] if isinstance(both[name], list) else [both[name]]), *value]
            elif isinstance(both[name], list) and not _records(both[name]):
                both[name] = value  # one value that answers every time
        if both:
            found[kind] = both
    draws = [*answers.get("draws", ()), *rest.get("draws", ())]
    decks = dict.fromkeys([*answers.get("placeholders", ()), *rest.get("placeholders", ())])
    return found | ({"draws": draws} if draws else {}) | ({"placeholders": list(decks)} if decks else {})


class Defaults:
    """Takes the default of every question that has one."""

    def supply(self, walk: Walk, need: Need) -> Supplied | None:
        """The defaults; None where no question has one."""
        if not isinstance(need, Ask):
            return None
        answers = {q.key: q.default for q in need.questions if q.default is not None and self.takes(q)}
        return Supplied(answers, "default") if answers else None

    def takes(self, question: Question) -> bool:
        """Whether it takes the default of this question."""
        return True


class Unasked(Defaults):
    """Takes the default of what no player is asked: facts that are never asked, and house rules that are not played.

    For a walk that is started with its house rules, so that a case may answer them, though nobody is asked for them.
    """

    def __init__(self, *, house_rules: bool) -> None:
        self.house_rules = house_rules

    def takes(self, question: Question) -> bool:
        """Whether nobody is asked this question."""
        return not question.fact.asked or (question.fact.house_rule and not self.house_rules)


def whole(raw: object) -> int | None:
    """A whole number from JSON or its text; None where it is none."""
    if isinstance(raw, str):
        text = raw.strip()
        digits = text.lstrip("+-")
        plain = digits.isascii() and digits.isdigit() and len(digits) < 20 and len(text) - len(digits) < 2
        return int(text) if plain else None
    if isinstance(raw, float) and raw.is_integer():
        return int(raw)
    return raw if isinstance(raw, int) and not isinstance(raw, bool) else None


def _cards(value: Any) -> Sequence[Any]:
    """The cards that stand under a name: a list of them, or a single one."""
    return value if isinstance(value, list | tuple) else (value,)


def _brief(name: str) -> str:
    """A name short enough for a message."""
    return name if len(name) <= 100 else name[:99] + "…"


def _records(value: object) -> bool:
    """Whether a value is one list of records, not several values in order."""
    return isinstance(value, list | tuple) and all(isinstance(one, Mapping) for one in value)


def _in_order(value: object, kind: Kind) -> bool:
    """Whether a value is a list that answers in order."""
    if not isinstance(value, list | tuple):
        return False
    if kind is Kind.LIST:  # a list of lists answers in order; anything else is one answer, right or wrong
        return bool(value) and all(isinstance(one, list | tuple) for one in value)
    return True
