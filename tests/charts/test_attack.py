"""A whole firepower attack, four men on five: by keys, through a pipe and in a batch it is one and the same."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from refcli.core.chart import Chart
from refcli.core.fact import Kind
from refcli.core.need import Ask, Draw, Need, Question
from refcli.core.walk import Walk, start
from refcli.drivers.loop import Supplied, drive
from refcli.drivers.player import Player, Prompt
from refcli.drivers.script import Unasked
from refcli.load.library import Library
from tests.drivers.screen import Screen

ROOT = Path(__file__).parents[2]
REFCLI = Path(sys.executable).parent / "refcli"
CASES = yaml.safe_load((ROOT / "tests/cases/up-front/firepower.yaml").read_text(encoding="utf-8"))
CASE = next(case for case in CASES if case["id"] == "X-four-on-five")
"""Smoke, a Breeze on the second card and a red 6 on the third."""


class Typist(Player):
    """Types what the case says, as a player would; keeps every prompt with what was typed."""

    def __init__(self, writer: Any, case: dict[str, Any]) -> None:
        super().__init__(writer)
        self.case = case
        self.typed: list[tuple[str, Kind, str]] = []
        self.need: Need | None = None
        self.draws = list(case["draws"])
        self.card: dict[str, Any] = {}
        self.cards: dict[tuple[int, str], Any] = {}
        self.names: list[str] = []

    def supply(self, walk: Walk, need: Need) -> Supplied | None:
        self.need = need
        if isinstance(need, Draw):
            drawn = self.draws.pop(0)
            self.card = drawn if isinstance(drawn, dict) else {"rnc": drawn}
            self.cards[len(walk.position.frames) - 1, need.name] = self.card
        return super().supply(walk, need)

    def ask(self, prompt: Prompt) -> Any:
        text = self.answer(prompt)
        self.typed.append((prompt.text, prompt.kind, text))
        return prompt.read(text) if text else prompt.default

    def answer(self, prompt: Prompt) -> str:
        need = self.need
        if isinstance(need, Draw):
            return str(self.card["rnc"])
        assert isinstance(need, Ask)
        question = need.questions[0]
        if question.fact.kind is Kind.LIST:
            return self.of_list(question, prompt)
        return words(self.value(question))

    def of_list(self, question: Question, prompt: Prompt) -> str:
        records = self.case["given"][question.fact.name]
        if "How many" in prompt.text:
            self.names = [record["name"] for record in records if "name" in record]
            return str(len(records))
        return self.names.pop(0)

    def value(self, question: Question) -> Any:
        slot = question.slot
        if slot.record is not None:
            return self.case["given"][slot.name][slot.record].get(slot.field)
        if slot.field:
            card = self.cards[slot.depth, slot.name]
            found = card.get(slot.field, False)
            return found[slot.column] if slot.column is not None else found
        return self.case["given"].get(question.fact.name)


def words(value: Any) -> str:
    """A value as it is typed; an empty line takes the default."""
    return "" if value is None else ("y" if value else "n") if isinstance(value, bool) else str(value)


@pytest.fixture(scope="module")
def chart() -> Chart:
    return Library([ROOT / "flowcharts"]).load("up-front/firepower")


@pytest.fixture(scope="module")
def typist(chart: Chart) -> Typist:
    from io import StringIO

    typist = Typist(StringIO(), CASE)
    drive(start(chart, house_rules=True), [Unasked(house_rules=False), typist])
    return typist


def told(text: str) -> str:
    """A ruling as one line, without what only tells how it was answered."""
    return " ".join(text.split("Defaults used")[0].split())


@pytest.fixture(scope="module")
def piped(typist: Typist) -> str:
    lines = "".join(f"{text}\n" for _, _, text in typist.typed)
    done = subprocess.run(
        [REFCLI, "play", "up-front/firepower"], input=lines, capture_output=True, text=True, timeout=60, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_ruling_gives_every_man_his_own_strength(piped: str) -> None:
    assert [line.strip() for line in piped.splitlines() if re.match(r" +(Adler|Braun|Clemens|Dorn|Eck)", line)] == [
        "Adler: Black 1 · 4 → Pinned",  # strength 3
        "Braun: Black 0 · 3 → No effect",  # strength 3, and his card blows the Smoke away
        "Clemens: Red 6 · −2 → No effect",  # strength 4, and a weapon breaks
        "Dorn: Black 2 · 4 → Pinned",  # strength 2
        "Eck: Black 0 · 2 → No effect",  # strength 2
    ]
    assert piped.startswith("RESOLVED\nFinal fire strength 3.\n")


def test_a_batch_gives_the_same_ruling(piped: str, tmp_path: Path) -> None:
    file = tmp_path / "case.jsonl"
    file.write_text(json.dumps(CASE) + "\n", encoding="utf-8")
    done = subprocess.run([REFCLI, "batch", file], capture_output=True, text=True, timeout=60, cwd=ROOT)
    assert done.returncode == 0, done.stdout
    ruling = json.loads(done.stdout)
    assert (ruling["outcome"], ruling["says"]) == ("resolved", "Final fire strength 3.")
    marks = [" ".join(line.removeprefix("[ ]").split()) for line in ruling["effects"]]
    shown = " ".join(piped.split())
    assert all(mark in shown for mark in marks)


def test_keys_on_a_terminal_give_the_same_ruling(piped: str, typist: Typist) -> None:
    screen = Screen(ROOT / "flowcharts", "--plain", chart="up-front/firepower")
    for text, _, typed in typist.typed:
        screen.wait(" ".join(text.split())[:30])
        screen.keys(typed, "\r")
    code, seen = screen.finish()
    assert code == 0
    assert told(piped) in " ".join(seen.replace("\r", "").split())


def test_the_keys_for_each_man_are_few(typist: Typist) -> None:
    keys = sum(len(typed) + 1 for _, _, typed in typist.typed)
    names = sum(len(record["name"]) + 1 for group in ("firers", "defenders") for record in CASE["given"][group])
    assert (len(typist.typed), keys, names) == (100, 244, 50)
    assert (keys - names) / 9 < 22  # keys for each of the nine men but for his name, all the rest of the attack included
