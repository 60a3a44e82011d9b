"""Small parts that tests share."""

from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent
from typing import Any

from refcli.core.chart import Chart
from refcli.core.fact import Choice, Fact, Kind
from refcli.core.need import Need, Outcome, Question, Slot
from refcli.core.place import Place
from refcli.core.walk import Walk
from refcli.drivers.loop import Supplied

PLACE = Place("made.yaml", 1)


def write_charts(folder: Path, text: str, *, book: str = "", cards: str = "", **charts: str) -> Path:
    """A folder of charts with one book, `made`, whose chart `chart` has this text; others by name."""
    made = folder / "made"
    made.mkdir(parents=True, exist_ok=True)
    decks = "decks: {cards: cards.yaml}\n" if cards else ""
    (made / "book.yaml").write_text("title: Made up\nsource: Nowhere\n" + decks + dedent(book), encoding="utf-8")
    if cards:
        (made / "cards.yaml").write_text(dedent(cards), encoding="utf-8")
    for name, content in {"chart": text, **charts}.items():
        whole = f"title: {name.title()}\nsummary: Made up.\n" + dedent(content)
        (made / f"{name}.yaml").write_text(whole, encoding="utf-8")
    return folder


def load_chart(folder: Path, text: str, *, book: str = "", cards: str = "", **charts: str) -> Chart:
    """The chart of `write_charts`, loaded."""
    from refcli.load.library import Library

    return Library([write_charts(folder, text, book=book, cards=cards, **charts)]).load("made/chart")


def make_fact(kind: Kind, choices: dict[str, str] | None = None, **more: Any) -> Fact:
    """A fact that no chart has."""
    listed = tuple(Choice(key, label) for key, label in (choices or {}).items())
    return Fact(**{"name": "fact", "kind": kind, "ask": "What is it?", "place": PLACE, "choices": listed, **more})


def make_question(fact: Fact, **more: Any) -> Question:
    """A question for a fact."""
    return Question(**{"key": fact.name, "fact": fact, "slot": Slot(0, fact.name), "chart": "made/chart", **more})


def end(walk: Walk) -> Outcome:
    """The outcome of a finished walk."""
    assert isinstance(walk.need, Outcome)
    return walk.need


class Replies:
    """A supplier of replies in order; an exception among them is raised, a None is no reply."""

    def __init__(self, replies: Sequence[Any], source: str = "asked") -> None:
        self.replies = list(replies)
        self.source = source
        self.needs: list[Need] = []

    def supply(self, walk: Walk, need: Need) -> Supplied | None:
        """The next of them."""
        self.needs.append(need)
        if not self.replies:
            return None
        reply = self.replies.pop(0)
        if isinstance(reply, type) and issubclass(reply, BaseException):
            raise reply
        return None if reply is None else Supplied(reply, self.source)


CROSSING = """
    facts:
      mover:
        ask: Who is crossing?
        help: Take the first line that is true.
        choices: {tracked: Tracked vehicle, troops: Other troops, gun: Gun pushed by hand}
      rating: {ask: Rating on the card, number: -3..3, default: 0}
      stuck: Is it stuck already?
      wet: Is the ground wet?
      way: {ask: 'Back or on?', who: owner, decides: player, choices: {back: Back, on: On}}
    nodes:
      modifier:
        tally: modifier
        modifiers:
          - {by: mover, add: {tracked: +2, gun: -1}}
          - {add: rating, label: Rating}
          - {when: stuck, add: -1}
          - {when: wet, add: -1}
        next: warn
      warn: {do: Announce the move., next: throw}
      throw: {label: Roll to cross, roll: d10, as: die, next: score}
      score:
        tally: score
        start: die
        modifiers:
          - {add: modifier}
        cases: {..3: halt, 4..5: turn, 6..: through}
      turn: {decide: way, cases: {back: halt, on: through}}
    gives: {score: score}
    outcomes:
      through: {title: Through, tone: good, says: It scores <score>.}
      halt: {title: Halted, tone: bad}
"""
"""Asks who, a rating and two yes/no facts in one form, rolls a d10, and on 4 or 5 asks which way."""

MEN = """
    men: {ask: The men of the group, noun: man, list: [name, down, nerve]}
    name: {ask: Name, text: yes}
    down: Is he down?
    nerve: {ask: His nerve, number: 1..6}
    smoke: {ask: Smoke cards, number: 0.., default: 0}
"""
VOLLEY = """
    facts:
      shots: {ask: How many shots, number: 0..6}
    nodes:
      fire: {roll: d6, dice: shots, count: {hits: die >= 4}, next: each_man}
      each_man: {each: men, when: not down, run: man, with: {force: hits}, as: fates, next: done}
      done: {decide: count(fates where outcome is falls) > 0, yes: bad, no: good}
    outcomes:
      good: {title: Good}
      bad: {title: Bad}
"""
MAN = """
    facts:
      force: {ask: Force, number: 0..6}
      brave: Does he stand?
    nodes:
      card: {draw: cards, as: card, next: test}
      test: {decide: brave and nerve + card.suit.worth >= force, yes: column, no: falls}
      column: {decide: card.spot(2) > 1, yes: stands, no: falls}
    outcomes:
      stands: {title: Stands}
      falls: {title: Falls, changes: {down: yes}}
"""
CARDS = """
    title: Fate cards
    fields:
      suit: {ask: Colour and number, choices: {b1: {label: Black 1, worth: 1}, r2: {label: Red 2, worth: 2}}}
      wild: Is it wild?
      spot: {ask: Spot in column <column>, number: 1..3, columns: 1..4}
"""


def load_volley(folder: Path, cards: str = CARDS) -> Chart:
    """A chart with a pool, a list of men, and for each man a chart that draws a card and asks facts of its own."""
    return load_chart(folder, VOLLEY, book="facts:" + MEN, cards=cards, man=MAN)
