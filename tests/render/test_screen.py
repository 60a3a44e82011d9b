"""The ruling on a terminal, and the ledger of a walk that goes on."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from refcli.core.walk import Walk, advance, start
from refcli.render.ledger import counted_lines, ledger_lines
from refcli.render.screen import fitting, ruling_screen
from refcli.render.text import ruling_text
from tests.helpers import CROSSING, load_chart


def drawn(walk: Walk, width: int = 80, **more: object) -> str:
    out = StringIO()
    console = Console(
        file=out, force_terminal=True, highlight=False, markup=False, emoji=False, soft_wrap=True, **more
    )  # type: ignore[arg-type]
    console.print(ruling_screen(walk, width=width))
    return out.getvalue()


@pytest.fixture
def through(tmp_path: Path) -> Callable[[str], Walk]:
    def walk(tone: str = "good") -> Walk:
        text = CROSSING.replace("Gun pushed by hand", "'[red]Gun[/red] :boom: pushed'").replace(
            "tone: good", f"tone: {tone}"
        )
        walk = advance(
            start(load_chart(tmp_path / tone, text)), {"mover": "gun", "rating": 0, "stuck": False, "wet": False}
        )
        return advance(walk, 9)

    return walk


def test_the_words_are_those_of_the_plain_ruling(through: Callable[[str], Walk]) -> None:
    walk = through("good")
    plain = ruling_screen(walk).plain.split("\n")
    assert plain[0] == " THROUGH ".ljust(80)
    assert plain[1:] == ruling_text(walk).split("\n")[1:]
    assert any("[red]Gun[/red] :boom: pushed −1" in line for line in plain)


@pytest.mark.parametrize(("tone", "code"), [("good", "32"), ("bad", "31"), ("mixed", "33"), ("plain", "39")])
def test_the_band_has_the_colour_of_its_tone_in_reverse(through: Callable[[str], Walk], tone: str, code: str) -> None:
    assert drawn(through(tone), color_system="standard").startswith(f"\x1b[1;7;{code}m THROUGH ")


def test_without_colour_the_band_is_still_a_band(through: Callable[[str], Walk]) -> None:
    assert drawn(through("good"), no_color=True).startswith("\x1b[1;7m THROUGH ")


RULED = "TITLE\nIt is so.\n[ ] Do it.\n\nWhy\n  one\n  two\n\nSource: Here"


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        (None, RULED),
        (10, RULED),
        (9, RULED),
        (8, "TITLE\nIt is so.\n[ ] Do it.\n\n(w tells the rest)"),
        (1, "TITLE\nIt is so.\n[ ] Do it.\n\n(w tells the rest)"),
    ],
)
def test_reasons_never_push_the_ruling_off_the_screen(rows: int | None, lines: str) -> None:
    assert "\n".join(fitting(RULED, rows)) == lines


def test_parts_that_fit_are_told_in_order() -> None:
    found = fitting(RULED.replace("Source: Here", "Source: Here\nThere\nAnd there"), 10)
    assert found == ["TITLE", "It is so.", "[ ] Do it.", "", "Why", "  one", "  two", "", "(w tells the rest)"]


def test_a_walk_that_goes_on_has_no_ruling(tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        ruling_screen(start(load_chart(tmp_path, CROSSING)))


def test_the_ledger_of_a_walk_that_goes_on(tmp_path: Path) -> None:
    walk = start(load_chart(tmp_path, CROSSING))
    assert (ledger_lines(walk), counted_lines(walk)) == ([], [])
    walk = advance(walk, {"mover": "gun", "rating": 2, "stuck": False, "wet": False})
    assert ledger_lines(walk) == counted_lines(walk) == ["  Gun pushed by hand −1 · Rating +2 → 1"]


def test_where_nothing_is_added_up_the_last_steps_are_told(tmp_path: Path) -> None:
    nodes = "\n".join(f"      n{i}: {{decide: fact, yes: n{i + 1}, no: end}}" for i in range(9))
    walk = start(
        load_chart(
            tmp_path,
            f"""
    facts:
      fact: Is it so?
      last: Is it over?
    nodes:
{nodes}
      n9: {{decide: last, yes: end, no: end}}
    outcomes:
      end: {{title: End}}
""",
        )
    )
    walk = advance(walk, {"fact": True})
    assert counted_lines(walk) == []
    assert ledger_lines(walk) == ["  fact: yes"] * 6


def test_what_follows_is_left_to_the_question_where_one_follows() -> None:
    text = RULED.replace("[ ] Do it.", "[ ] Do it.\nNext: made/third")
    assert "\n".join(fitting(text, 30)) == RULED
    assert "\n".join(fitting(text, None)) == text
