"""Where a walk stands, in words."""

from pathlib import Path

import pytest

from refcli.core.walk import advance, start
from refcli.drivers.crumbs import crumbs, place_words, source_of, trimmed
from tests.helpers import CARDS, MAN, MEN, VOLLEY, load_chart, load_volley


def test_the_way_from_chart_to_man_to_chart(tmp_path: Path) -> None:
    walk = advance(advance(start(load_volley(tmp_path)), {"shots": 1}), [4])
    assert crumbs(walk) == ["Chart"]
    walk = advance(walk, {"men": [{"name": "Jones", "down": True}, {}, {"name": "Brown"}]})
    walk = advance(walk, {"men[2].down": False, "men[3].down": False})
    assert crumbs(walk) == ["Chart", "man 2 of 3", "Man"]
    assert place_words(walk) == "Made up"
    walk = advance(advance(walk, {}), {"brave": False})
    assert crumbs(walk) == ["Chart", "man 3 of 3, Brown", "Man"]


def test_pages_by_number_and_by_heading(tmp_path: Path) -> None:
    book = "facts:" + MEN
    chart = load_chart(tmp_path, "\n    page: 3" + VOLLEY, book=book, cards=CARDS, man=MAN)
    walk = start(chart)
    assert place_words(walk) == "Made up, page 3"
    assert source_of(walk.position.top) == "Nowhere, page 3"
    assert source_of(walk.position.top, "7") == "Nowhere, page 7"
    chart = load_chart(tmp_path / "two", "\n    page: Fire" + VOLLEY, book=book, cards=CARDS, man=MAN)
    assert place_words(start(chart)) == "Made up, Fire"
    chart = load_chart(tmp_path / "three", "\n    page: chart" + VOLLEY, book=book, cards=CARDS, man=MAN)
    assert place_words(start(chart)) == "Made up"  # the heading is the title


@pytest.mark.parametrize(
    ("parts", "width", "line"),
    [
        (["One", "Two"], 40, "One ▸ Two"),
        (["Firepower", "man 3 of 5, Keller", "Malfunction"], 60, "Firepower ▸ man 3 of 5, Keller ▸ Malfunction"),
        (["Firepower", "man 3 of 5, Keller", "Malfunction"], 40, "… ▸ man 3 of 5, Keller ▸ Malfunction"),
        (
            ["Attack", "Firepower", "man 3 of 5, Keller", "Malfunction"],
            45,
            "Attack ▸ … ▸ man 3 of 5, Keller ▸ Malfunction",
        ),
        (["Firepower", "man 3 of 5, " + "x" * 90, "Malfunction"], 40, "… ▸ man 3 of 5, xxxxxxx… ▸ Malfunction"),
        (["Firepower", "man 3 of 5, Keller", "Malfunction"], 24, "… ▸ Malfunction"),
        (["A", "x" * 500, "B"], 30, "A ▸ xxxxxxxxxxxxxx… ▸ B"),
        (["A" * 50, "B" * 50], 30, "AAAAAAAAAAAAAA… ▸ BBBBBBBBBBBBBB…"),
    ],
)
def test_a_long_way_gives_way_in_the_middle(parts: list[str], width: int, line: str) -> None:
    assert trimmed(parts, width) == line
