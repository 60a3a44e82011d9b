import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run


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
