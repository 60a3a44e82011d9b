import json
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

from refcli.core.chart import Chart
from refcli.core.need import Outcome
from refcli.core.walk import start
from refcli.drivers.loop import drive
from refcli.drivers.script import CaseSupplier, Defaults, check_names, read_case
from refcli.load.library import Library
from refcli.render.given import given_data, given_text
from tests.helpers import load_chart

FLOWCHARTS = Path(__file__).parents[2] / "flowcharts"


def test_what_a_case_gives_is_told_by_name_with_legal_answers_and_defaults(chart: Callable[[str], Chart]) -> None:
    assert (
        given_text(given_data(chart("crossing")), 70)
        == dedent("""\
        FACTS
          Needed where the path asks for them.
          crossing  tracked, wheeled · Who is crossing?
          bogged    yes or no · Is it bogged already?

        FACTS WITH A DEFAULT
          It holds where a case says nothing.
          rating   −3 to 3 · default 0 · Rating on the card
          weather  clear, rain · default clear · What is the weather?

        HOUSE RULES
          Answered with --house-rules only; else the default holds.
          strict  yes or no · default no · Is the strict rule played?

        ROLLS
          Needed where no seed rolls them.
          die  1 to 10 · d10

        A CASE
        {"chart": "demo/crossing", "given": {"crossing": "tracked", "rating": 0, "bogged": false}, "rolls": {"die": 4}}""")
    )


def test_lists_pools_and_cards_are_told_with_their_parts(chart: Callable[[str], Chart]) -> None:
    assert given_text(given_data(chart("volley")), 60).partition("\n\nA CASE\n")[0] == dedent("""\
        FACTS
          Needed where the path asks for them.
          range     near, far · At what range?
          guns      1 to 5 · How many guns fire?
          men       a list, one line for each man · Who is in the
                    open?
            name    any text · What is he called?
            morale  1 to 6 · Morale of the man
            hit     yes or no · default no · Is he hit already?

        ROLLS
          Needed where no seed rolls them.
          shots  a list, one number for each of guns dice · 1 to 6 ·
                 d6

        DRAWS
          Needed where no seed draws them.
          card      a card · Fate deck
            colour  red, black · Colour of the card""")


def test_what_a_case_gives_as_data(chart: Callable[[str], Chart]) -> None:
    data = given_data(chart("volley"))
    assert json.loads(json.dumps(data)) == data
    assert [fact["name"] for fact in data["given"]] == ["range", "guns", "men"]
    assert data["rolls"] == [{"name": "shots", "dice": "d6", "low": 1, "high": 6, "how_many": "guns"}]
    (draw,) = data["draws"]
    assert (draw["name"], draw["asked_by"], draw["deck"], draw["title"]) == (
        "card",
        "demo/man-hit",
        "fate",
        "Fate deck",
    )
    assert data["case"]["rolls"] == {"shots": [1]}
    (weather,) = [fact for fact in given_data(chart("crossing"))["given"] if fact["name"] == "weather"]
    assert weather["default"] == "clear"


TWICE = """
    facts: {size: {ask: How large, number: 1..9}}
    nodes:
      throw: {roll: d6, as: die, next: big}
      big: {decide: size + die > 5, yes: once, no: over}
      once: {run: part, next: over}
    outcomes: {over: {title: Over}}
"""


def test_a_name_of_two_charts_is_told_with_its_chart(tmp_path: Path) -> None:
    chart = load_chart(
        tmp_path, TWICE, part=TWICE.replace("once: {run: part, next: over}", "once: {do: On, next: over}")
    )
    data = given_data(chart)
    assert [(fact["name"], fact.get("asked_by", "")) for fact in data["given"]] == [
        ("chart.size", ""),
        ("part.size", "made/part"),
    ]
    assert [roll["name"] for roll in data["rolls"]] == ["chart.die", "part.die"]
    assert "case" not in data


def test_a_chart_that_asks_for_nothing(tmp_path: Path) -> None:
    chart = load_chart(tmp_path, "nodes: {only: {do: Go, next: over}}\noutcomes: {over: {title: Over}}")
    assert given_text(given_data(chart)) == "This chart asks for nothing."


def test_every_name_that_is_told_may_stand_in_a_case_and_the_case_comes_to_its_outcome() -> None:
    shelf = Library([FLOWCHARTS])
    for name in (chart.id for book in shelf.titles() for chart in book.charts):
        chart = shelf.load(name)
        data = given_data(chart)
        names = {
            "given": {fact["name"]: 0 for fact in data["given"]},
            "rolls": {roll["name"]: 0 for roll in data["rolls"]},
            "draws": {draw["name"]: [] for draw in data["draws"]},
        }
        check_names(read_case(names), chart)
        case = read_case(data["case"])
        walk = drive(start(chart), [CaseSupplier(case), Defaults()])
        assert isinstance(walk.need, Outcome), name
        assert walk.need.id in {example.outcome for example in chart.examples if case.given == example.given}
