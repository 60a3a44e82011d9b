import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run


def test_list_names_books_and_charts_in_order(run: Run) -> None:
    ran = run("list")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "Demo Skirmish (demo)\n"
        "  crossing  Crossing bad ground (p. 4)\n"
        "  volley    Volley at a group (p. 7)\n"
        "  They also use: man-hit\n"
    )


@pytest.mark.parametrize("name", ["demo", "dem", "DEMO", "Demo Skirmish", "demo/"])
def test_list_of_a_book_tells_what_its_charts_are_about(run: Run, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    ran = run("list", name)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "Demo Skirmish (demo)\n"
        "  crossing  Crossing bad ground (p. 4)\n"
        "            Does a unit that crosses bad ground get through?\n"
        "  volley    Volley at a group (p. 7)\n"
        "            Every man in the open may be hit.\n"
        "  man-hit   One man under fire\n"
        "            A card tells what becomes of him.\n"
    )


def test_list_as_json(run: Run) -> None:
    ran = run("list", "demo", "--json")
    assert (ran.code, ran.err) == (0, "")
    (book,) = json.loads(ran.out)
    assert (book["id"], book["title"]) == ("demo", "Demo Skirmish")
    assert book["charts"][0] == {
        "id": "demo/crossing",
        "title": "Crossing bad ground",
        "page": "4",
        "summary": "Does a unit that crosses bad ground get through?",
        "listed": True,
    }


def test_list_of_an_unknown_book_is_wrong_usage(run: Run) -> None:
    ran = run("list", "demi")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "refcli: there is no book 'demi'; did you mean 'demo'?\n"


def test_charts_that_only_serve_are_named_below(run: Run, tmp_path: Path) -> None:
    book = tmp_path / "here" / "serving"
    book.mkdir(parents=True)
    (book / "book.yaml").write_text("title: Serving\ncharts: [main]\n")
    for name in ("main", "part", "other"):
        (book / f"{name}.yaml").write_text(f"title: The {name} chart\n")
    ran = run("list", "serving", "--charts", tmp_path / "here")
    assert (
        ran.out == "Serving (serving)\n  main   The main chart\n  other  The other chart\n  part   The part chart\n"
    )
    ran = run("list", "--charts", tmp_path / "here")
    assert ran.out.startswith("Serving (serving)\n  main      The main chart\n  They also use: other, part\n\nDemo")


def test_a_chart_that_cannot_be_read_does_not_hide_the_others(run: Run, tmp_path: Path) -> None:
    book = tmp_path / "here" / "mixed"
    book.mkdir(parents=True)
    (book / "book.yaml").write_text("title: Mixed\ncharts: [bad, good]\n")
    (book / "bad.yaml").write_text("title: [\n")
    (book / "good.yaml").write_text("title: Good\n")
    ran = run("list", "mixed", "--charts", tmp_path / "here")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "Mixed (mixed)\n  bad   has faults, see: refcli check\n  good  Good\n"


def test_no_charts_at_all_is_said(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("REFCLI_CHARTS")
    ran = run("list")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "There are no charts here. Say where they are with --charts DIR.\n"


def test_control_characters_never_reach_the_screen(run: Run, tmp_path: Path) -> None:
    book = tmp_path / "here" / "evil"
    book.mkdir(parents=True)
    (book / "book.yaml").write_text('title: "Evil \\e[31m book"\ncharts: [chart]\n')
    (book / "chart.yaml").write_text('title: "Chart \\e]0;owned\\a"\n')
    assert "\x1b" not in run("list", "--charts", tmp_path / "here").out
