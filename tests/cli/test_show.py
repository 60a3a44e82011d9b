import json
import os
import sys
from pathlib import Path

import pexpect
import pytest

from tests.cli.conftest import Run

FLOWCHARTS = Path(__file__).parents[2] / "flowcharts"


@pytest.mark.parametrize("name", ["crossing", "demo/crossing", "cross", "demo/cro"])
def test_show_finds_a_chart_by_any_part_of_its_name(run: Run, name: str) -> None:
    ran = run("show", name)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("CROSSING BAD GROUND\nDemo Skirmish · page 4 · demo/crossing\n")


@pytest.mark.parametrize("name", ["demo", "Demo Skirmish", "demo sk"])
def test_show_of_a_book(run: Run, name: str) -> None:
    ran = run("show", name)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "DEMO SKIRMISH\n"
        "Source: Demo Skirmish Rules (2001)\n"
        "\n"
        "CHARTS\n"
        "  Crossing bad ground (page 4)\n"
        "    demo/crossing\n"
        "    Does a unit that crosses bad ground get through?\n"
        "  Volley at a group (page 7)\n"
        "    demo/volley\n"
        "    Every man in the open may be hit.\n"
        "\n"
        "CHARTS THAT SERVE THE OTHERS\n"
        "  One man under fire\n"
        "    demo/man-hit\n"
        "    A card tells what becomes of him.\n"
        "\n"
        "DECKS\n"
        "  Fate deck  8 cards\n"
        "\n"
        "GLOSSARY\n"
        "  CP  Command post\n"
    )


def test_show_of_a_book_as_json(run: Run) -> None:
    ran = run("show", "demo", "--json")
    assert (ran.code, ran.err) == (0, "")
    book = json.loads(ran.out)
    assert book["source"] == "Demo Skirmish Rules (2001)"
    assert book["decks"] == {"fate": {"title": "Fate deck", "composition": "known", "cards": 8}}
    assert [chart["id"] for chart in book["charts"]] == ["demo/crossing", "demo/volley", "demo/man-hit"]
    assert [fact["name"] for fact in book["facts"]] == ["weather", "morale", "hit", "men", "name"]


def test_show_of_a_chart_as_json(run: Run) -> None:
    ran = run("show", "crossing", "--json")
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out)["id"] == "demo/crossing"


def test_show_of_nothing_known_is_wrong_usage(run: Run) -> None:
    ran = run("show", "crosing")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "refcli: there is no chart 'crosing'; did you mean 'crossing'?\n"


def test_show_of_a_chart_with_faults_tells_them_all(run: Run, tmp_path: Path) -> None:
    book = tmp_path / "here" / "faulty"
    book.mkdir(parents=True)
    (book / "book.yaml").write_text("title: Faulty\ncharts: [bad]\n")
    (book / "bad.yaml").write_text(
        "title: Bad\n"
        "facts: {wet: 'Is it wet?'}\n"
        "nodes:\n"
        "  ask: {decide: wett, yes: dry, no: dri}\n"
        "outcomes: {dry: {title: Dry}}\n"
    )
    ran = run("show", "bad", "--charts", "here")
    assert (ran.code, ran.out) == (1, "")
    first, second = ran.err.split("\n\n")
    excerpt = "    4 |   ask: {decide: wett, yes: dry, no: dri}\n      |                 ^^^^\n"
    assert first.startswith("here/faulty/bad.yaml:4:17: error C502: ")
    assert excerpt in first
    assert second.startswith("here/faulty/bad.yaml:4:37: error C301: ")


def test_a_chart_is_drawn_below_its_title_with_a_key_and_its_notes(run: Run) -> None:
    ran = run("show", "crossing", "--diagram")
    assert (ran.code, ran.err) == (0, "")
    head, drawing, key = ran.out.rstrip("\n").split("\n\n")
    assert head == "CROSSING BAD GROUND\nDemo Skirmish · page 4 · demo/crossing\nSource: Demo Skirmish Rules (2001)"
    assert drawing.startswith("┌──────────────────────────────┐\n│ 1 Put the unit at the edge.  │\n")
    assert "├─ 6 or more ─►│ ✓ Gets through │\n" in drawing
    assert "│ ▷ p. 7 Volley at a group │\n" in drawing
    assert key == "✓ good · ✗ bad · ▷ another chart"


NOTED = """
title: Noted
summary: A chart with notes.
facts:
  wet: {ask: Is it wet, note: 'Reading 1: dew is not wet.'}
nodes:
  ask: {decide: wet, yes: over, no: done, note: 'Reading 2: nobody looks.'}
outcomes: {over: {title: Over, note: 'Reading 3: over is over.'}, done: {title: Done}}
"""


def test_a_diagram_has_the_notes_of_its_boxes_with_the_numbers_they_have_in_the_text(
    run: Run, tmp_path: Path
) -> None:
    book = tmp_path / "here" / "made"
    book.mkdir(parents=True)
    (book / "book.yaml").write_text("title: Made up\n")
    (book / "noted.yaml").write_text(NOTED)
    ran = run("show", "noted", "--diagram", "--charts", "here")
    assert ran.out.split("\n\n", 1)[1] == (
        "╱────────────╲        ╭──────────╮\n"
        "│ 1 Wet? [2] ├─ yes ─►│ Over [3] │\n"
        "│            │        ╰──────────╯\n"
        "│            │        ╭──────╮\n"
        "│            ├─ no ──►│ Done │\n"
        "╲────────────╱        ╰──────╯\n"
        "\n"
        "NOTES\n"
        "  [2] Reading 2: nobody looks.\n"
        "  [3] Reading 3: over is over.\n"
    )


@pytest.mark.parametrize(("columns", "most"), [("30", 60), ("72", 72), ("100", 100), ("400", 132)])
def test_a_diagram_is_as_wide_as_the_terminal(
    run: Run, monkeypatch: pytest.MonkeyPatch, columns: str, most: int
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("REFCLI_CHARTS", str(FLOWCHARTS))
    ran = run("show", "battlefront/action", "--diagram")
    drawing = ran.out[ran.out.index("╱") :].partition("\n\n✓")[0]
    widest = max(map(len, drawing.split("\n")))
    assert widest <= most
    assert most > 100 or widest > most - 3


def test_a_diagram_on_a_terminal_takes_its_width(tmp_path: Path) -> None:
    env = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    env |= {"REFCLI_CHARTS": str(FLOWCHARTS), "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
    code = "from refcli.cli.main import main; main()"
    args = ["-c", code, "show", "battlefront/action", "--diagram"]
    screen = pexpect.spawn(sys.executable, args, env=env, cwd=tmp_path, dimensions=(24, 71), encoding="utf-8")
    lines = [line.rstrip("\r") for line in screen.read().split("\n")]
    assert 68 < max(map(len, lines)) <= 71


def test_a_diagram_in_an_output_without_box_signs(run: Run) -> None:
    ran = run("show", "crossing", "--diagram", encoding="ascii")
    assert (ran.code, ran.err) == (0, "")
    assert "   | 5 or less\n/--v---------------------------\\" in ran.out
    assert ran.out.endswith("\n\n+ good | x bad | >> another chart\n")


def test_the_map_of_a_book(run: Run) -> None:
    ran = run("show", "demo", "--diagram")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "DEMO SKIRMISH\n"
        "\n"
        "╓──────────────────────────────╖\n"
        "║ 1 ▷ p. 4 Crossing bad ground ╟─ then ─► 2 Volley at a group\n"
        "╙──────────────────────────────╜\n"
        "\n"
        "╓──── from 1 ──────────────────╖\n"
        "║ 2 ▷ p. 7 Volley at a group   ╟──► 3 One man under fire\n"
        "╙──────────────────────────────╜\n"
        "\n"
        "╓──── from 2 ──────────────────╖\n"
        "║ 3 ▷ One man under fire       ║\n"
        "╙──────────────────────────────╜\n"
        "\n"
        "► plays · then ► may follow\n"
    )


def test_what_a_batch_must_give(run: Run) -> None:
    ran = run("show", "crossing", "--facts")
    assert (ran.code, ran.err) == (0, "")
    head, facts, *_ = ran.out.split("\n\n")
    assert head.startswith("CROSSING BAD GROUND\n")
    assert facts == (
        "FACTS\n"
        "  Needed where the path asks for them.\n"
        "  crossing  tracked, wheeled · Who is crossing?\n"
        "  bogged    yes or no · Is it bogged already?"
    )


def test_the_case_that_is_told_can_be_given_to_a_batch(run: Run) -> None:
    case = run("show", "volley", "--facts").out.rstrip("\n").rpartition("\n")[2]
    ran = run("batch", "-", stdin=case)
    assert (ran.code, json.loads(ran.out)["outcome"]) == (0, "some")


def test_what_a_batch_must_give_as_json(run: Run) -> None:
    ran = run("show", "crossing", "--facts", "--json")
    assert (ran.code, ran.err) == (0, "")
    data = json.loads(ran.out)
    assert list(data) == ["chart", "given", "rolls", "draws", "case"]
    assert data["rolls"] == [{"name": "die", "dice": "d10", "low": 1, "high": 10}]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("crossing", "--diagram", "--json"), "--diagram draws; it does not go with --json"),
        (("crossing", "--diagram", "--facts"), "--diagram draws; it does not go with --facts"),
        (("demo", "--facts"), "--facts are those of one chart; name one of Demo Skirmish, such as demo/crossing"),
    ],
)
def test_what_does_not_go_together(run: Run, args: tuple[str, ...], message: str) -> None:
    ran = run("show", *args)
    assert (ran.code, ran.out, ran.err) == (2, "", f"refcli: {message}\n")


def test_the_charts_that_are_played_are_told_with_title_and_page(run: Run) -> None:
    ran = run("show", "crossing")
    assert "     Next: Volley at a group (page 7, demo/volley)\n" in ran.out
