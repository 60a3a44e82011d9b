"""Hostile names at every place where a name can show: menu, way, questions, lists, ledger, what if, glossary, ruling,
marks, log and trail. Nothing of them acts, and nothing of them is lost.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.drivers.screen import ESCAPE, Screen
from tests.sittings import Home
from tests.test_table_pty import UNSAFE

MARKUP = "[bold red]Rot[/] [/c] {0} %s $(ls) &amp; %d"
NAMES = {
    "markup": MARKUP,
    "emoji": "👩‍🚒🏳️‍🌈火",
    "rtl": "אבג Dan",
    "zalgo": "Z\u0335\u0335\u0334a\u0301\u0301",
    "escape": "\\x1b[31mRed \\u202eevil",
    "long": "Zacharias-" * 49 + "zu-lang---",
    "spaces": "  Wide    Open  ",
}
"""As a file may hold them; what moves the cursor or turns the writing is refused there, and written out here."""
TYPED = "\x1b[200~\x1b[31mRed\x1b[0m \x1b]0;owned\x07 \u202eevil\x9b2J [/] {0}\x1b[201~"
"""Pasted by a player."""


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


@pytest.fixture
def charts(tmp_path: Path) -> Path:
    book = tmp_path / "charts" / "made"
    book.mkdir(parents=True)
    hostile = quoted(MARKUP)
    (book / "book.yaml").write_text(
        f"""\
title: {hostile}
source: {hostile}
charts: [chart]
glossary: {{{hostile}: {hostile}, FFS: {quoted(NAMES["long"])}}}
facts:
  name: {{ask: {quoted("Name " + NAMES["rtl"])}, text: yes}}
  down: {{ask: {hostile}}}
  men: {{ask: {hostile}, noun: 'man [x]', list: [name, down]}}
""",
        encoding="utf-8",
    )
    (book / "chart.yaml").write_text(
        f"""\
title: {hostile}
page: {hostile}
summary: {hostile}
facts:
  way: {{ask: {hostile}, help: {hostile}, who: {hostile}, choices: {{a: {hostile}, b: {quoted(NAMES["long"])}}}}}
nodes:
  go: {{label: {hostile}, decide: way is a, yes: men, no: men, note: {hostile}}}
  men: {{label: {hostile}, each: men, run: man, as: fates, next: sum}}
  sum: {{tally: sum, modifiers: [{{when: way is a, add: +1, label: {hostile}}}], next: end}}
outcomes:
  end: {{title: {hostile}, says: {hostile}, effects: [{hostile}], note: {hostile}}}
""",
        encoding="utf-8",
    )
    (book / "man.yaml").write_text(
        f"""\
title: {hostile}
facts: {{how: {{ask: {hostile}, choices: {{x: {hostile}, y: Ypsilon}}}}}}
nodes:
  test: {{decide: how is x and not down, yes: falls, no: stands}}
outcomes:
  falls: {{title: {hostile}, changes: {{down: yes}}}}
  stands: {{title: {hostile}}}
""",
        encoding="utf-8",
    )
    men = "".join(f"    - {{name: {quoted(name)}, down: no}}\n" for name in NAMES.values())
    (tmp_path / "ours.yaml").write_text(f"title: {hostile}\nbook: made\ngroups:\n  all:\n{men}", encoding="utf-8")
    return book.parent


def clean(raw: str) -> str:
    """What was drawn, without the sequences that prompts send; nothing in it acts."""
    drawn = re.sub(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[=>]", "", raw)
    found = UNSAFE.search(drawn.replace("\r", "").replace("\x08", ""))
    assert not found, (found, drawn[max(found.start() - 60, 0) : found.end() + 20])
    assert "\x1b" not in drawn
    assert "owned" not in drawn
    return " ".join(drawn.split())


@pytest.mark.parametrize(("columns", "rows"), [(100, 50), (60, 24)])
def test_a_tour_of_all_screens(charts: Path, columns: int, rows: int) -> None:
    roster = str(charts.parent / "ours.yaml")
    args = ["--charts", str(charts), "--roster", roster]
    home = str(charts.parent / "home")
    screen = Screen(charts, args=args, columns=columns, rows=rows, REFCLI_HOME=home)
    screen.shows("What shall we play?")
    screen.keys("[bold red]")
    screen.shows("[bold red]…")
    screen.keys("\r")
    screen.shows("1 [bold red]Rot[/]")
    for aid, told in (
        ("?", "q keeps what"),
        ("w", "Source: [bold red]"),
        ("g", "G explains any other"),
        ("i", "Nothing"),
    ):
        screen.keys(aid)
        screen.wait(told)
    screen.shows("1 [bold red]Rot[/]")
    screen.keys("1")
    screen.wait("1 all: ")
    screen.shows("+ types")
    screen.keys("1")
    for number in range(1, len(NAMES) + 1):
        screen.wait(f"{number} of {len(NAMES)}, ")
        screen.shows("2 Ypsilon")
        if number == 3:
            screen.keys("w")
            screen.wait("Source: ")
            screen.keys("i")
            screen.wait("What if which")
            screen.shows("What if which")
            screen.keys("2")  # of another man
            screen.wait("Instead")
            screen.shows("2 Ypsilon")
            screen.keys("2")
            screen.wait("(Nothing has been changed.)")
            screen.keys("U")
            screen.wait("Back to which")
            screen.keys(ESCAPE)
            screen.shows("2 Ypsilon")
        screen.keys("1")
    screen.shows("What now?")
    screen.keys("w")
    screen.wait("Source: ")
    screen.shows("What now?")
    screen.keys("k")
    screen.shows("Write this into ours.yaml? (Y/n)")
    screen.keys("y")
    screen.wait("Written into ")
    screen.shows("Back to the menu")
    screen.keys("q")
    screen.finish()
    flat = clean(screen.seen)
    for name in ("[bold red]Rot[/] [/c] {0} %s $(ls)", "👩‍🚒🏳️‍🌈火", "אבג Dan", "\\x1b[31mRed", "Wide Open"):
        assert name in flat or name.replace(" ", "") in flat.replace(" ", "")
    written = (charts.parent / "ours.yaml").read_text(encoding="utf-8")
    assert written.count("down: yes") == len(NAMES)
    assert all(quoted(name) in written for name in NAMES.values())


def test_log_replay_and_trail(charts: Path, tmp_path: Path) -> None:
    home = Home(tmp_path / "home", charts)
    men: list[dict[str, Any]] = [{"name": name, "down": False} for name in NAMES.values()]
    case = tmp_path / "case.json"
    case.write_text(json.dumps({"given": {"men": men}}), encoding="utf-8")
    played = home.run("play", "chart", "--given", str(case), "--trail", typed="a\n" + "x\n" * len(NAMES))
    assert played.code == 0, played.err
    stopped = home.run("play", "chart", "--given", str(case), typed="a\nx\nx\nq\n")
    assert stopped.code == 1
    name = home.journals[0].stem
    for ran in (
        played,
        stopped,
        home.run("log"),
        home.run("replay", name, "--trail"),
        home.run("resume", typed="q\n"),
    ):
        assert "Traceback" not in ran.err
        assert "[bold red]Rot[/]" in clean(ran.out + ran.err)


def test_names_pasted_at_the_table(charts: Path) -> None:
    screen = Screen(charts, "-s", "way=a", "--no-journal", columns=60)
    screen.shows("How many")
    screen.keys("2", "\r")
    screen.shows("(or nothing)")
    screen.keys(TYPED, "\r")
    screen.shows(" 2: Name")
    screen.keys(NAMES["long"], "\r")
    for who in ("Red  evil [/] {0}: ", "Zacharias-Zacharias-Zacharias-Zacharias…: "):
        screen.shows(who)
        screen.shows("2 Ypsilon")
        screen.keys("1")
        screen.shows("(y/n")
        screen.keys("n")
    screen.shows("What now?")
    screen.keys("q")
    code, _ = screen.finish()
    assert code == 0
    echoed = screen.seen.split("(or nothing)")[-1]
    assert "Red evil [/] {0}" in clean(echoed)
