"""A player who types what a case says: for walks by keys and through a pipe that must rule as the batch does."""

from io import StringIO
from pathlib import Path
from typing import Any

import yaml

from refcli.core.chart import Chart
from refcli.core.fact import Kind
from refcli.core.need import Ask, Draw, Need, Question, Roll
from refcli.core.walk import Walk, start
from refcli.drivers.answers import is_certain
from refcli.drivers.form import Form, Row
from refcli.drivers.loop import Supplied, drive
from refcli.drivers.player import Player
from refcli.drivers.prompt import Prompt, is_complete
from refcli.drivers.script import Case, CaseSupplier, Unasked
from refcli.drivers.words import about

ENTER = "\r"
CASES = Path(__file__).parent / "cases"


def case_of(chart: str, name: str) -> dict[str, Any]:
    """A worked case of a chart, without what it expects."""
    cases = yaml.safe_load((CASES / f"{chart}.yaml").read_text(encoding="utf-8"))
    case: dict[str, Any] = next(case for case in cases if case["id"] == name)
    return {key: value for key, value in case.items() if key != "expect"}


class Typist(Player):
    """Types what the case says, as a player would; keeps every prompt with what was typed."""

    def __init__(self, case: dict[str, Any]) -> None:
        super().__init__(StringIO())
        self.case = case
        given = {"given": case.get("given", {}), "rolls": case.get("rolls", {}), "draws": []}
        self.script = CaseSupplier(Case(**given))
        self.typed: list[tuple[str, Kind, str]] = []
        self.keys: list[int] = []
        self.strokes: list[tuple[str, list[str]]] = []
        self.walk: Walk | None = None
        self.need: Need | None = None
        self.draws = list(case.get("draws", ()))
        self.card: dict[str, Any] = {}
        self.cards: dict[tuple[int, str], Any] = {}
        self.lists: dict[tuple[int, str], Any] = {}
        self.names: list[str] = []

    def supply(self, walk: Walk, need: Need) -> Supplied | None:
        self.walk, self.need = walk, need
        if isinstance(need, Draw):
            drawn = self.draws.pop(0)
            self.card = drawn if isinstance(drawn, dict) else {next(iter(need.deck.fields)): drawn}
            self.cards[len(walk.position.frames) - 1, need.name] = self.card
        return super().supply(walk, need)

    def ask(self, prompt: Prompt) -> Any:
        text = self.answer(prompt)
        self.typed.append((prompt.text, prompt.kind, text))
        self.keys.append(fewest(prompt, text))
        self.strokes.append((prompt.text, strokes(prompt, text)))
        return prompt.read(text) if text else prompt.default

    def fill(self, form: Form) -> Any:
        need = self.need
        assert isinstance(need, Ask)
        parts: list[str] = []
        pressed: list[str] = []
        keys = 1  # Enter
        for number, row in enumerate(form.rows, 1):
            wanted = self.value(row.question, need)
            if wanted is None or row.prompt.read(words(wanted)) == row.value:
                continue
            parts.append(str(number) if row.is_box else f"{number}={words(wanted)}")
            keys += turns(row, wanted)
            pressed += [str(number)] * turns(row, wanted)
        text = " ".join(parts)
        self.strokes.append((form.title, [*pressed, ENTER]))
        self.typed.append((form.title, form.prompt.kind, text))
        self.keys.append(keys)
        return form.read(text) if text else None

    def answer(self, prompt: Prompt) -> str:
        need = self.need
        if isinstance(need, Draw):
            return str(next(iter(self.card.values())))
        if isinstance(need, Roll):
            assert self.walk is not None
            thrown = self.script.supply(self.walk, need)
            assert thrown is not None, need
            return words(thrown.reply)
        assert isinstance(need, Ask)
        lists = [question for question in need.questions if question.fact.kind is Kind.LIST]
        question = next(
            (q for q in need.questions if about(q) == prompt.text), lists[0] if lists else need.questions[0]
        )
        if question.fact.kind is Kind.LIST:
            return self.of_list(question, prompt, need)
        return words(self.value(question, need))

    def of_list(self, question: Question, prompt: Prompt, need: Ask) -> str:
        if "How many" not in prompt.text:
            return self.names.pop(0)
        records = self.scripted(question, need)
        self.lists[question.slot.depth, question.slot.name] = records
        text = next((field.name for field in question.fact.fields if field.kind is Kind.TEXT), "")
        self.names = [str(record.get(text, "")) for record in records] if text else []
        return str(len(records))

    def value(self, question: Question, need: Ask) -> Any:
        slot = question.slot
        if slot.record is not None and slot.field in self.lists[slot.depth, slot.name][slot.record]:
            return self.lists[slot.depth, slot.name][slot.record][slot.field]
        if slot.record is None and slot.field:
            found = self.cards[slot.depth, slot.name].get(slot.field, False)
            return found[slot.column] if slot.column is not None else found
        return self.scripted(question, need)

    def scripted(self, question: Question, need: Ask) -> Any:
        """What the case gives for a question, None where nothing."""
        assert self.walk is not None
        supplied = self.script.supply(self.walk, Ask((question,), need.chart, need.node))
        return None if supplied is None else next(iter(dict(supplied.reply).values()))  # type: ignore[call-overload]


def fewest(prompt: Prompt, text: str) -> int:
    """How many keys an answer takes at a prompt of a terminal."""
    if not text:
        return 1
    if prompt.kind is Kind.YES_NO:
        return 1
    if prompt.kind is Kind.CHOICE:
        keys = [choice.key for choice in prompt.choices]
        number = str(keys.index(prompt.read(text)) + 1)
        return len(number) + (not is_certain(prompt.choices, number))
    return len(text) + (not is_complete(prompt, text))


def strokes(prompt: Prompt, text: str) -> list[str]:
    """The keys of `fewest`."""
    if not text:
        return [ENTER]
    if prompt.kind is Kind.YES_NO:
        return [text[:1]]
    if prompt.kind is Kind.CHOICE:
        text = str([choice.key for choice in prompt.choices].index(prompt.read(text)) + 1)
    return [*text, ENTER] if fewest(prompt, text) > len(text) else [*text]


def turns(row: Row, wanted: Any) -> int:
    """How often the number of a row is pressed until it stands at a value."""
    before, pressed = row.value, 0
    value = row.prompt.read(words(wanted))
    while row.value != value:
        row.value = row.turned()
        pressed += 1
    row.value = before
    return pressed


def words(value: Any) -> str:
    """A value as it is typed; an empty line takes the default."""
    if isinstance(value, tuple | list):
        return " ".join(map(str, value))
    return "" if value is None else ("y" if value else "n") if isinstance(value, bool) else str(value)


def typist_for(chart: Chart, case: dict[str, Any]) -> Typist:
    """Whoever has typed a whole walk."""
    typist = Typist(case)
    drive(start(chart, house_rules=True), [Unasked(house_rules=False), typist])
    return typist


def typed_for(chart: Chart, case: dict[str, Any]) -> list[tuple[str, Kind, str]]:
    """Every prompt of a walk to its end, with what is typed."""
    return typist_for(chart, case).typed
