"""What is one key away at every prompt: back, why, what if, the glossary; and what need not be asked twice."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from refcli.core.chart import Chart
from refcli.core.ruling import ruling
from refcli.core.walk import Walk, start
from refcli.drivers.chance import Chance
from refcli.drivers.history import History
from refcli.drivers.loop import Stopped, drive
from refcli.drivers.memory import answers_in
from refcli.drivers.plain import Plain
from refcli.drivers.script import Case, CaseSupplier, Unasked
from refcli.drivers.views import Views
from refcli.render.ledger import counted_lines, ledger_lines
from tests.helpers import CARDS, CROSSING, MAN, MEN, VOLLEY, end, load_chart, load_volley


class Played:
    """A walk by some lines: where it came to, what was said, its history and its player."""

    def __init__(
        self, chart: Chart, *typed: str, chance: Chance | None = None, last: Any = None, **case: object
    ) -> None:
        writer = StringIO()
        self.player = Plain(StringIO("".join(f"{line}\n" for line in typed)), writer)
        self.player.views = Views(ledger_lines, counted_lines)
        self.player.begin(chance, last)
        self.history = History()
        row = [CaseSupplier(Case(**case)), Unasked(house_rules=False), self.player]  # type: ignore[arg-type]
        self.stop: Stopped | None = None
        try:
            begun = start(chart, house_rules=True)
            self.walk: Walk = drive(begun, row, note=self.player.say, history=self.history)
        except Stopped as stop:
            self.stop, self.walk = stop, stop.walk
        self.said = writer.getvalue()

    @property
    def last(self) -> dict[Any, list[Any]]:
        found: dict[Any, list[Any]] = {}
        for place, value in answers_in(self.history.done, throws=False):
            found.setdefault(place, []).append(value)
        return found


@pytest.fixture
def crossing(tmp_path: Path) -> Chart:
    return load_chart(tmp_path, CROSSING)


@pytest.fixture
def volley(tmp_path: Path) -> Chart:
    return load_volley(tmp_path)


TWO_MEN = ("2", "Jones, Smith", "0", "b1", "y", "6", "1", "r2", "n")
"""Shots, names, nobody down; Jones: his card, stands, nerve, spot; Smith: his card, does not stand."""


def test_later_answers_are_kept_and_offered_again_where_they_are_still_asked(volley: Chart) -> None:
    whole = Played(volley, *TWO_MEN, rolls={"fire": [4, 1]})
    assert whole.stop is None
    # back from the last question across Smith's card and the whole of Jones to the form, then Enter throughout
    again = Played(volley, *TWO_MEN[:-1], "u", "u", "u", "u", "u", "u", *[""] * 6, "n", rolls={"fire": [4, 1]})
    assert ruling(again.walk) == ruling(whole.walk)
    for line in (
        "Tick what applies (numbers to tick, such as 1 2; 0 for none; Enter as it stands)\n"
        "  1 [ ] Jones: Is he down? (as before)\n",
        "  2 Red 2 (r2)\nJones: Does he stand? (y/n) [y, as before]\n",
        "Jones: His nerve (1 to 6) [6, as before]\n",
        "Spot in column 2 (1 to 3) [1, as before]\n",
        "Colour and number [Red 2, as before]\n",
    ):
        assert line in again.said


def test_answers_of_another_way_wait_until_they_are_asked_again(crossing: Chart) -> None:
    """A die that leads past a question keeps its answer for the die that comes to it after all."""
    found = Played(crossing, "gun", "", "5", "u", "9", rolls={})
    assert end(found.walk).id == "through"
    found = Played(crossing, "gun", "", "5", "back", chance=None)
    assert end(found.walk).id == "halt"
    chart = load_chart(Path(crossing.place.file).parents[1] / "more", MORE)
    found = Played(chart, "y", "3", "u", "u", "n", "u", "y", "", "q")
    assert "How much (0 to 9) [3, as before]" in found.said


MORE = """
    facts:
      more: Is there more?
      much: {ask: How much, number: 0..9}
      end: Is it over?
    nodes:
      one: {decide: more, yes: two, no: three}
      two: {set: {size: much}, next: three}
      three: {decide: end, yes: good, no: bad}
    outcomes:
      good: {title: Good}
      bad: {title: Bad}
"""


def test_back_by_number_and_by_picking(volley: Chart) -> None:
    three = Played(volley, *TWO_MEN[:6], "u 3", "q", rolls={"fire": [4, 1]})
    assert three.stop is not None
    assert "'Colour and number'" in str(three.stop) or "draw" in str(three.stop)
    picked = Played(volley, *TWO_MEN[:6], "U", "5", "q", rolls={"fire": [4, 1]})
    assert (
        "Back to which answer?\n"
        "  1 Jones: His nerve: 6\n"
        "  2 Jones: Does he stand: yes\n"
        "  3 Colour and number: Black 1\n"
        "  4 Jones: Is he down: no; Smith: Is he down: no\n"
        "  5 The men of the group: 2 men (Jones, Smith)\n"
        "  6 How many shots: 2\n"
    ) in picked.said
    assert str(picked.stop) == "stopped at 'The men of the group' (made/chart)"
    # thought better of: the question stands again
    stayed = Played(volley, *TWO_MEN[:6], "U", "u", *TWO_MEN[6:], rolls={"fire": [4, 1]})
    assert stayed.stop is None
    none = Played(volley, "U", "q")
    assert "  Nothing has been answered yet.\n" in none.said


def test_back_out_of_a_list_of_names_by_picking(volley: Chart) -> None:
    found = Played(volley, "1", "2", "Jnes", "U", "1", "0", "0", rolls={"fire": [4]})
    assert found.said.count("How many shots (0 to 6)") == 2


def test_why_tells_the_ledger_and_the_source(crossing: Chart) -> None:
    found = Played(crossing, "w", "gun", "2", "w", "q")
    assert "  Nothing has counted yet.\n  Source: Nowhere\n" in found.said
    assert "  Gun pushed by hand −1 · Stuck −1 → −2\n  Source: Nowhere\nRoll to cross" in found.said


def test_why_names_page_and_note_of_the_place(tmp_path: Path) -> None:
    text = "\n    page: 3" + CROSSING.replace("throw: {label", "throw: {page: 5, note: Read it so., label")
    found = Played(load_chart(tmp_path, text), "w", "gun", "", "w", "q")
    assert "  Source: Nowhere, page 3\n" in found.said
    assert "  Source: Nowhere, page 5\n  Note: Read it so.\n" in found.said
    assert found.said.startswith("— Made up, page 3 · Chart —\n")


def test_what_if_tells_how_the_ruling_would_differ_and_changes_nothing(crossing: Chart) -> None:
    plainly = Played(crossing, "gun", "2", "7", "on")
    found = Played(crossing, "gun", "2", "7", "i", "5", "tracked", "i", "1", "2", "on")
    assert ruling(found.walk) == ruling(plainly.walk)
    assert (
        "What if which answer were another?\n"
        "  1 Roll to cross: 7\n"
        "  2 Is the ground wet: no\n"
        "  3 Is it stuck already: yes\n"
        "  4 Rating on the card: 0\n"
        "  5 Who is crossing: Gun pushed by hand\n"
        "Instead: Who is crossing?\n"
    ) in found.said
    assert (
        "  Now: Gun pushed by hand −1 · Stuck −1 → −2\n"
        "  Now: die 7 · Modifier −2 → 5\n"
        "  Then: Tracked vehicle +2 · Stuck −1 → 1\n"
        "  Then: die 7 · Modifier +1 → 8\n"
        "  Then the ruling is: THROUGH. It scores 8.\n"
        "  (Nothing has been changed.)\n"
    ) in found.said


def test_what_if_stops_where_something_is_not_known(crossing: Chart) -> None:
    found = Played(crossing, "gun", "2", "i", "4", "tracked", "7", "on")
    assert (
        "  Now: Gun pushed by hand −1 · Stuck −1 → −2\n"
        "  Then: Tracked vehicle +2 · Stuck −1 → 1\n"
        "  The same comes next.\n"
        "  (Nothing has been changed.)\n"
    ) in found.said
    found = Played(crossing, "troops", "", "4", "i", "1", "9", "i", "1", "1", "back")
    assert "  Then the ruling is: THROUGH. It scores 9.\n" in found.said
    assert "  Then the ruling is: HALTED.\n" in found.said
    chart = load_chart(Path(crossing.place.file).parents[1] / "more", MORE)
    found = Played(chart, "n", "i", "1", "y", "y")
    assert "  Then comes next: 'How much'\n  (Nothing has been changed.)\n" in found.said


def test_what_if_of_a_man_follows_the_others_by_name(volley: Chart) -> None:
    """Jones is down after all: what was answered of Smith is still known to be his."""
    found = Played(volley, *TWO_MEN[:-1], "i", "7", "y", "n", rolls={"fire": [4, 1]})
    assert found.stop is None
    assert "  7 Jones: Is he down: no\n" in found.said
    assert "  Now: Jones: Black 1 → Falls\n" in found.said
    assert "  The same comes next.\n" in found.said


def test_what_if_can_be_left_and_says_what_cannot_be(crossing: Chart) -> None:
    left = Played(crossing, "gun", "", "i", "u", "i", "2", "u", "9")
    assert left.stop is None
    wrong = Played(crossing, "gun", "", "5", "i", "1", "11", "9", "on")
    assert "  d10 gives 1 to 10, not 11\n" in wrong.said
    none = Played(crossing, "i", "q")
    assert "  Nothing has been answered yet.\n" in none.said


def test_what_if_leaves_chance_and_case_as_they_were(volley: Chart) -> None:
    case = {
        "given": {"brave": [True, False], "men": [{"name": "Jones"}, {"name": "Smith"}]},
        "rolls": {"fire": [4, 1]},
    }
    lines = ("2", "0", "b1", "6", "1", "r2")
    plainly = Played(volley, *lines, **case)
    asked = Played(volley, "2", "0", "b1", "i", "2", "r2", "6", "i", "3", "r2", "1", "i", "1", "3", "r2", **case)
    assert ruling(asked.walk) == ruling(plainly.walk)


GLOSSARY = "glossary: {FFS: Final Fire Strength, CE: Crew exposed, LMG: Light machine gun}\n"


def test_glossary_explains_what_stands_on_the_screen_or_what_is_asked_for(tmp_path: Path) -> None:
    text = CROSSING.replace("Gun pushed by hand", "LMG pushed by hand").replace("Announce the move.", "Tell the FFS.")
    chart = load_chart(tmp_path, text, book=GLOSSARY)
    found = Played(chart, "g", "gun", "", "g", "g c", "g strength", "g lmgs", "g xyz", "q")
    assert "  LMG: Light machine gun\n  G explains any other: FFS, CE, LMG\nWho is" in found.said
    assert "  FFS: Final Fire Strength\n  LMG: Light machine gun\n  G explains" in found.said
    assert "\n  CE: Crew exposed\n" in found.said
    assert found.said.count("  FFS: Final Fire Strength\n") == 2
    assert "  The glossary has no 'lmgs'; did you mean LMG?\n" in found.said
    assert "  The glossary has no 'xyz'.\n" in found.said


def test_capital_g_asks_which_word(tmp_path: Path) -> None:
    chart = load_chart(tmp_path, CROSSING, book=GLOSSARY)
    found = Played(chart, "G", "lm", "G", "u", "G", "", "q")
    assert (
        "Which word? FFS, CE, LMG (its beginning will do)\n  LMG: Light machine gun\nWho is crossing?\n" in found.said
    )
    assert found.said.count("Which word?") == 3


def test_glossary_takes_whole_words_only_and_says_where_there_is_none(tmp_path: Path, crossing: Chart) -> None:
    chart = load_chart(tmp_path / "other", CROSSING.replace("Gun pushed", "ACE pushed"), book=GLOSSARY)
    assert "  No abbreviation stands here.\n" in Played(chart, "g", "q").said
    assert "  This book has no glossary.\n" in Played(crossing, "g", "q").said


def test_d_takes_what_is_offered_here_and_the_ruling_says_so(tmp_path: Path) -> None:
    text = CROSSING.replace("stuck: Is it stuck already?", "stuck: {ask: 'Is it stuck already?', default: yes}")
    chart = load_chart(tmp_path, text)
    found = Played(chart, "gun", "d", "n", "9")
    assert "  (taken) Rating on the card: 0 · Is it stuck already: yes\n" in found.said
    assert "Is the ground wet? (y/n)\n" in found.said
    assert ruling(found.walk)["defaults"] == ["rating", "stuck"]
    assert found.walk.need.gives == {"score": 7}  # type: ignore[union-attr]
    back = Played(chart, "gun", "d", "u", "3", "9")
    assert ruling(back.walk)["defaults"] == []
    assert end(back.walk).gives == {"score": 6}


def test_capital_d_goes_on_taking_until_it_is_taken_back(tmp_path: Path) -> None:
    chart = load_chart(
        tmp_path,
        """
        facts:
          one: {ask: One, number: 0..9, default: 1}
          two: {ask: Two, number: 0..9, default: 2}
          three: {ask: Three, number: 0..9}
          four: {ask: Four, number: 0..9, default: 4}
        nodes:
          a: {set: {x: one}, next: b}
          b: {set: {y: two}, next: c}
          c: {set: {z: three}, next: d}
          d: {set: {all: x + y + z + four}, next: done}
        gives: {all: all}
        outcomes:
          done: {title: Done}
        """,
    )
    found = Played(chart, "D", "3")
    assert end(found.walk).gives == {"all": 10}
    assert ruling(found.walk)["defaults"] == ["one", "two", "four"]
    back = Played(chart, "D", "u", "5", "6", "3", "7")
    assert end(back.walk).gives == {"all": 21}


def test_equals_answers_for_all_that_follow_as_for_the_one_before(volley: Chart) -> None:
    lines = ("Jones, Smith, Brown", "0", "b1", "y", "6", "1", "r2", "=", "=", "2", "b1", "3")
    found = Played(volley, *lines, rolls={"fire": [4, 1]}, given={"shots": 2})
    assert found.stop is None, found.said
    assert found.said.count("Jones: Does he stand? (y/n)\n") == 1
    assert found.said.count("Smith: Does he stand? (y/n; = all like the one before)\n") == 1
    assert found.said.count("Does he stand? (y/n") == 2  # of Brown it is known
    assert "  (as before) Brown: Does he stand: yes\n" in found.said
    assert "  (as before) Brown: His nerve: 6\n" in found.said
    # going back goes to what he was asked, and what he settled there is settled no more
    back = Played(volley, *lines[:8], "u", "n", "b1", "n", rolls={"fire": [4, 1]}, given={"shots": 2})
    assert back.stop is None, back.said
    assert "(as before) Brown" not in back.said


def test_equals_without_one_before_is_no_answer(volley: Chart) -> None:
    found = Played(volley, "2", "Jones, Smith", "0", "b1", "=", "y", "q", rolls={"fire": [4, 1]})
    assert "  answer yes or no (y or n), not '='\n" in found.said


def test_answers_of_the_last_walk_are_offered_but_not_its_dice(volley: Chart) -> None:
    first = Played(volley, *TWO_MEN, rolls={"fire": [4, 1]})
    again = Played(volley, "", "4 1", "", "", "b1", "", "", "", "r2", "", last=first.last)
    assert ruling(again.walk) == ruling(first.walk)
    assert "How many shots (0 to 6) [2, as last time]\n" in again.said
    assert "[4 1" not in again.said
    assert "How many men? (0 to 100, or their names with commas) [Jones, Smith, as last time]\n" in again.said


def test_the_last_walk_is_known_by_the_names_of_the_men(volley: Chart) -> None:
    """Brown was not there: nothing of Jones is offered for him."""
    first = Played(volley, *TWO_MEN, rolls={"fire": [4, 1]})
    other = Played(volley, "", "4 1", "Brown, Smith", "", "b1", "q", last=first.last)
    assert "Brown: Does he stand? (y/n)\n" in other.said


def test_after_the_last_walk_all_that_has_a_value_makes_one_form(crossing: Chart) -> None:
    first = Played(crossing, "gun", "2", "9")
    again = Played(crossing, "3", "9", last=first.last)
    assert (
        "  1 [Gun pushed by hand] Who is crossing? (as last time)\n"
        "  2 [0] Rating on the card (as last time)\n"
        "  3 [x] Is it stuck already?  −1 (as last time)\n"
        "  4 [ ] Is the ground wet?  −1 (as last time)\n"
        "  Modifier: −2\n"
    ) in again.said
    assert end(again.walk).gives == {"score": 8}


def test_rules_of_a_list_are_kept_by_forms_and_by_what_is_settled(tmp_path: Path) -> None:
    men = MEN.replace(
        "list: [name, down, nerve]",
        "list: [name, down, nerve], must: [{be: not down or nerve < 4, says: The weak lie down}]",
    )
    chart = load_chart(
        tmp_path, VOLLEY, book="facts:" + men, cards=CARDS, man=MAN.replace("brave and", "brave and not down and")
    )
    found = Played(chart, "1", "1", "0", "b1", "y", "6", "1", rolls={"fire": [4]}, given={"men": [{"name": "Jones"}]})
    assert found.stop is None or "The weak" not in found.said


WHOLE = ("2", "4 1", "Jones, Smith", "0", "b1", "y", "6", "1", "r2", "n")
"""A number, a pool, a list by names, a form, and for each man a card, yes or no, a number and a card's field."""


@pytest.mark.parametrize("way", ["q", "the end of input", "u before", "U before", "aids before"])
def test_at_every_kind_of_question_it_can_be_left_and_gone_on_with(volley: Chart, way: str) -> None:
    whole = Played(volley, *WHOLE)
    assert whole.stop is None, whole.said
    for count in range(1, len(WHOLE)):
        typed = {
            "q": ("q",),
            "u before": ("u", WHOLE[count - 1]),
            "U before": ("U", "u"),
            "aids before": ("?", "w", "g", "i", "u"),
        }
        left = Played(volley, *WHOLE[:count], *typed.get(way, ()))
        assert left.stop is not None, left.said
        assert left.stop.exit_code == 1
        again = Played(volley, *WHOLE[count:], **left.stop.answers)
        assert again.stop is None, again.said
        assert ruling(again.walk) == ruling(whole.walk)
