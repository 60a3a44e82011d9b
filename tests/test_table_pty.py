"""At the table, on a real terminal: whole walks, the way back, what if, and all that a terminal can be."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from tests.drivers.screen import BACKSPACE, CTRL_C, CTRL_D, DOWN, ESCAPE, ROOT, Screen
from tests.helpers import CARDS, CROSSING, MAN, MEN, VOLLEY, write_charts

PASTE, PASTE_END = "\x1b[200~", "\x1b[201~"
"""What a terminal sends around a text that is pasted."""

PAGES = """
    page: 1
    facts:
      loud: Is it loud?
    nodes:
      first: {decide: loud, yes: two, no: two}
      two: {run: second, as: came, next: end}
      end: {decide: came.outcome is over, yes: good, no: bad}
    outcomes:
      good: {title: Good, tone: good, then: third}
      bad: {title: Bad, tone: bad}
"""
SECOND = """
    page: 2
    facts:
      wide: {ask: How wide, number: 0..9}
      wind: {ask: How much wind, number: 0..20}
    nodes:
      test: {decide: wide + wind > 9, yes: over, no: short}
    outcomes:
      over: {title: Over}
      short: {title: Short}
"""
THIRD = """
    page: 3
    facts:
      done: Is it done?
    nodes:
      test: {decide: done and cold, yes: good, no: bad}
    outcomes:
      good: {title: Well}
      bad: {title: Ill}
"""
PAGES_BOOK = "glossary: {FFS: Final Fire Strength}\nfacts:\n  cold: Is it cold?\n"


@pytest.fixture
def crossing(tmp_path: Path) -> Path:
    return write_charts(tmp_path, CROSSING)


@pytest.fixture
def volley(tmp_path: Path) -> Path:
    return write_charts(tmp_path, VOLLEY, book="facts:" + MEN, cards=CARDS, man=MAN)


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    return write_charts(tmp_path, PAGES, book=PAGES_BOOK, second=SECOND, third=THIRD)


def test_the_way_is_told_where_it_changes(volley: Path) -> None:
    screen = Screen(volley, "-s", "shots=1", "-s", "down=no", "--given", str(rolled(volley)))
    screen.wait("How many men?")
    screen.keys("Jones, Smith\r")
    screen.shows("Made up · Chart ▸ man 1 of 2, Jones ▸ Man")
    screen.keys("1")
    screen.shows("Jones: Does he stand?")
    screen.keys("n")
    screen.shows("Made up · Chart ▸ man 2 of 2, Smith ▸ Man")
    screen.keys(CTRL_C)
    screen.finish()


def rolled(folder: Path) -> Path:
    file = folder / "rolled.yaml"
    file.write_text("rolls: {fire: [4]}\n", encoding="utf-8")
    return file


def test_back_across_a_page_keeps_what_was_answered_there(pages: Path) -> None:
    screen = Screen(pages)
    screen.shows("Made up, page 1 · Chart")
    screen.keys("y")
    screen.shows("Made up, page 2 · Chart ▸ Second")
    screen.shows("How wide")
    screen.keys("4")
    screen.shows("How much wind")
    screen.keys(ESCAPE)
    screen.shows("How wide  (0 to 9) [4, as before]")
    screen.keys(ESCAPE)
    screen.shows("Is it loud? (Y/n, Enter as before)")
    screen.keys("n")
    screen.shows("How wide  (0 to 9) [4, as before]")
    screen.keys("\r")
    screen.shows("How much wind")
    screen.keys("5", "\r")
    code, seen = screen.finish()
    assert (code, "SHORT" in seen, "BAD" in seen) == (0, False, True)


def test_back_to_any_question_from_a_list(pages: Path) -> None:
    screen = Screen(pages)
    screen.wait("Is it loud?")
    screen.keys("y")
    screen.wait("How wide")
    screen.keys("4")
    screen.wait("How much wind")
    screen.keys("U")
    screen.shows("1 How wide: 4\n   2 Is it loud: yes")
    screen.keys("2")
    screen.shows("Is it loud? (Y/n, Enter as before)")
    screen.keys(CTRL_C)
    assert screen.finish()[0] == 130


def test_why_what_if_and_help_are_one_key_away_and_change_nothing(crossing: Path) -> None:
    screen = Screen(crossing)
    screen.wait("Who is crossing?")
    screen.keys("3")
    screen.shows("Modifier: −1")
    screen.keys("2", "\r")
    screen.wait("Roll to cross")
    screen.keys("w")
    screen.shows("  Gun pushed by hand −1 · Stuck −1 → −2\n  Source: Nowhere")
    screen.keys("i")
    screen.shows("4 Who is crossing: Gun pushed by hand")
    screen.keys("4")
    screen.shows("Instead: Who is crossing?")
    screen.keys("1")
    screen.shows("  Then: Tracked vehicle +2 · Stuck −1 → 1\n  The same comes next.\n  (Nothing has been changed.)")
    screen.keys("?")
    screen.shows("  q keeps what you have entered, and quits")
    screen.keys("9")
    screen.shows("It scores 7.")
    screen.keys("i")
    screen.shows("What if which answer were another?")
    screen.keys("1")
    screen.shows("Instead: Roll to cross")
    screen.keys("3")
    told = screen.shows("Now it is: THROUGH. It scores 7.")
    assert "Then the ruling is: HALTED." in told
    assert screen.finish()[0] == 0


def test_what_follows_is_offered_with_what_is_known(pages: Path) -> None:
    """A shared fact goes along; the chart's own do not."""
    write_charts(
        pages,
        PAGES.replace("decide: loud, yes: two", "decide: loud and cold, yes: two"),
        book=PAGES_BOOK,
        second=SECOND,
        third=THIRD,
    )
    screen = Screen(pages)
    screen.wait("Is it loud?")
    screen.keys("y")
    screen.wait("Is it cold?")
    screen.keys("y")
    screen.wait("How wide")
    screen.keys("9")
    screen.wait("How much wind")
    screen.keys("9", "\r")
    told = screen.shows("1 Next: Third")
    assert "2 Done" in told
    screen.keys("\r")
    screen.shows("(handed over: cold yes)")
    screen.shows("Made up, page 3 · Third")
    screen.shows("Is it done? (y/n)")
    screen.keys("y")
    code, seen = screen.finish()
    assert (code, "WELL" in seen) == (0, True)


def test_the_last_answer_can_be_taken_back_after_the_ruling(crossing: Path, tmp_path: Path) -> None:
    """And the journal tells the ruling that holds."""
    home = {"REFCLI_HOME": str(tmp_path / "home")}
    screen = Screen(crossing, "-s", "mover=gun", "-s", "rating=0", "-s", "stuck=no", "-s", "wet=no", **home)
    screen.wait("Roll to cross")
    screen.keys("2")
    screen.shows("HALTED")
    screen.keys("u")
    screen.shows("[2, as before]")
    screen.keys("9")
    code, seen = screen.finish()
    assert (code, "It scores 8." in seen) == (0, True)
    command = [sys.executable, "-m", "refcli", "replay", "chart"]
    found = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, env={**os.environ, **home}, timeout=60, check=False
    )
    assert (found.returncode, found.stdout.splitlines()[:2]) == (0, ["THROUGH", "It scores 8."]), found


def test_each_walk_of_a_sitting_has_a_journal_of_its_own(crossing: Path, tmp_path: Path) -> None:
    home = {"REFCLI_HOME": str(tmp_path / "home")}
    screen = Screen(crossing, "-s", "mover=gun", "-s", "rating=0", "-s", "stuck=no", "-s", "wet=no", **home)
    for die in ("9", "2"):
        screen.shows("Roll to cross: roll d10  (1 to 10")
        screen.keys(die)
        screen.shows("What now?")
        screen.keys("p")
    screen.shows("Roll to cross: roll d10  (1 to 10")
    screen.keys(CTRL_C)
    assert screen.finish()[0] == 130
    ends = [json.loads(file.read_text().splitlines()[-1]) for file in sorted((tmp_path / "home" / "walks").iterdir())]
    assert sorted(end["outcome"] for end in ends if "outcome" in end) == ["halt", "through"]


def test_again_offers_the_answers_of_the_last_time(crossing: Path) -> None:
    screen = Screen(crossing)
    screen.wait("Who is crossing?")
    screen.keys("3")
    screen.shows("Modifier: −1")
    screen.keys("\r")
    screen.wait("Roll to cross")
    screen.keys("9")
    screen.shows("What now?")
    screen.keys("p")
    screen.shows("1 [Gun pushed by hand] Who is crossing? (as last time)")
    screen.keys("\r")
    assert "as last time]" not in screen.shows("Roll to cross: roll d10  (1 to 10; r rolls for you")
    screen.keys("7")
    assert "It scores 6." in screen.finish()[1]


def test_a_window_that_changes_its_size_goes_on(crossing: Path) -> None:
    screen = Screen(crossing)
    screen.shows("3 Gun pushed by hand")
    screen.resize(42, 12)
    screen.keys(DOWN, DOWN)
    screen.resize(120, 40)
    screen.keys("\r")
    screen.shows("? Who is crossing? Gun pushed by hand")
    screen.resize(24, 8)
    screen.keys("\r")
    screen.resize(80, 24)
    screen.shows("Roll to cross")
    screen.keys("9")
    assert "It scores 8." in screen.finish()[1]


LONG = {
    "one": "A very long line that says who is crossing and by what right he does it, in many words",
    "two": "Another, as long as the first one, which tells of somebody else who comes along the road",
}


def long_chart(folder: Path) -> Path:
    choices = ", ".join(f"{key}: '{label}'" for key, label in LONG.items())
    return write_charts(
        folder,
        f"""
        facts:
          mover: {{ask: 'Who of all those who stand at the bank of the river is now going to try his luck?', choices: {{{choices}}}}}
          wet: 'Is the ground that he has to cross on his way to the other bank wet from the rain of last night?'
          dark: 'Is it so dark that nobody can see the other bank, or anything at all that stands on it?'
        nodes:
          test: {{decide: mover is one, yes: sum, no: bad}}
          sum:
            tally: sum
            modifiers: [{{when: wet, add: -1}}, {{when: dark, add: -2}}]
            next: good
        outcomes:
          good: {{title: Good, says: 'He comes to the other bank, wet and tired, but alive, and all his friends are glad of it.'}}
          bad: {{title: Bad}}
        """,
    )


def test_sixty_columns_break_between_words(tmp_path: Path) -> None:
    screen = Screen(long_chart(tmp_path), columns=60)
    screen.shows("? Who of all those who stand at the bank of the river is\n  now going to try his luck?")
    told = screen.shows("1 A very long line that says who is crossing and by what\n")
    assert "\n       right he does it, in many words\n" in told
    screen.keys("1")
    told = screen.shows("Tick what applies")
    assert "1 [ ] Is the ground that he has to cross on his way to" in told
    assert "−1" in told
    screen.keys("2", "\r")
    told = screen.shows("What now?")
    assert "He comes to the other bank, wet and tired, but alive, and\nall his friends are glad of it." in told
    assert all(len(line) <= 60 for line in told.splitlines())
    screen.finish()


def test_no_colour_where_none_is_wanted_and_no_colours_but_the_rulings(crossing: Path) -> None:
    """Bold and reverse stay, which are to be read on light and dark; a colour stands behind the title of the ruling."""
    for env, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        screen = Screen(crossing, "-s", "mover=gun", "-s", "rating=0", "-s", "stuck=no", "-s", "wet=no", **env)
        screen.wait("Roll to cross")
        screen.keys("9")
        screen.shows("THROUGH")
        screen.finish()
        colours = re.findall(r"\x1b\[[0-9;]*(?<![0-9])(?:3[0-7]|4[0-7]|9[0-7]|38;|48;)[0-9;]*m", screen.seen)
        assert bool(colours) == coloured, colours
        assert "\x1b[1;7" in screen.seen


@pytest.mark.parametrize(
    "env",
    [
        {"LC_ALL": "C", "LANG": "C"},
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
        {"TERM": "dumb", "LC_ALL": "C"},
    ],
    ids=["LC_ALL=C", "ascii", "latin-1", "dumb"],
)
def test_terminals_that_cannot_show_all_signs(crossing: Path, env: dict[str, str]) -> None:
    screen = Screen(crossing, "-s", "rating=0", "-s", "wet=no", **env)
    screen.wait("Who is crossing?")
    screen.wait("Gun pushed by hand")
    screen.keys("3\r")
    screen.wait("Is it stuck already?")
    screen.keys("y\r")
    screen.wait("Roll to cross")
    screen.keys("9\r")
    code, seen = screen.finish()
    assert code == 0
    assert "THROUGH" in seen
    assert "It scores 7." in seen
    sign = "−" if "LC_ALL" in env else "-"  # Python writes UTF-8 where the locale says nothing
    assert f"Stuck {sign}1" in seen
    if env.get("PYTHONIOENCODING") == "ascii":
        assert "Made up | Chart" in seen
        assert " > 3 Gun pushed by hand" in seen or "> 1 Tracked vehicle" in seen


def test_plain_lines_on_a_terminal_know_all_that_prompts_know(crossing: Path) -> None:
    """The same walk, the same answers, one line each."""
    screen = Screen(crossing, "--plain")
    for wait, typed in (
        ("(? helps · u back · w why · i what if · g glossary · q save and quit)", ""),
        ("Who is crossing?", "gun"),
        ("Modifier: −1", "2"),
        ("Roll to cross", "w"),
        ("Stuck −1 → −2", ""),
        ("Roll to cross", "i"),
        ("4 Who is crossing: Gun pushed by hand", "4"),
        ("Instead: Who is crossing?", "tracked"),
        ("(Nothing has been changed.)", ""),
        ("Roll to cross", "u"),
        ("2 [x] Is it stuck already?  −1 (as before)", "2"),
        ("Roll to cross", "9"),
        ("It scores 8.", ""),
        ("What now?", "again"),
        ("1 [Gun pushed by hand] Who is crossing? (as last time)", ""),
    ):
        screen.wait(wait)
        if typed:
            screen.wait("> ")
            screen.keys(f"{typed}\r")
    screen.keys("q\r")
    code, _ = screen.finish()
    assert code == 1
    assert "\x1b" not in screen.seen


def test_a_thousand_characters_do_no_harm(crossing: Path) -> None:
    for paste in ("x" * 1000, f"{PASTE}{'lorem ipsum ' * 84}{PASTE_END}", f"{PASTE}{'x' * 1000}\r{PASTE_END}"):
        screen = Screen(crossing, "-s", "rating=0", "-s", "stuck=no", "-s", "wet=no")
        screen.wait("Who is crossing?")
        screen.keys(paste)
        screen.shows("Who is crossing? (number")
        screen.keys("3")
        screen.wait("Roll to cross")
        screen.keys("1" * 1000, "\r")
        screen.shows("d10 gives 1 to 10, not 111")
        screen.keys(BACKSPACE * 999, "\r")
        screen.wait("HALTED")
        assert screen.finish()[0] == 0


@pytest.mark.parametrize("end", ["\r", "\n", "\r\n"])
@pytest.mark.parametrize("bracketed", [True, False])
def test_many_answers_pasted_at_once(crossing: Path, end: str, bracketed: bool) -> None:
    screen = Screen(crossing)
    screen.wait("Who is crossing?")
    text = "".join(f"{line}{end}" for line in ("gun", "1=2", "5", "on"))
    if not bracketed:  # a terminal without such signs sends what would be typed, one key after the other
        text = "3" + "2" + "\r" + "7\r" + "2\r"
    screen.keys(f"{PASTE}{text}{PASTE_END}" if bracketed else text)
    code, seen = screen.finish()
    assert code == 0
    assert ("It scores 6." if bracketed else "It scores 5.") in seen


def test_pasted_lines_stop_at_the_first_that_is_no_answer(crossing: Path) -> None:
    screen = Screen(crossing)
    screen.wait("Who is crossing?")
    screen.keys(f"{PASTE}gun\nnonsense\n9\nq\n{PASTE_END}")
    screen.shows("not 'nonsense'; the 2 lines behind it are\n    dropped")
    screen.shows("Modifier: −1")
    screen.keys("\r")
    screen.wait("Roll to cross")
    screen.keys("9")
    assert "It scores 8." in screen.finish()[1]


HOSTILE = {
    "markup": "[bold red]Rot[/] [/c] [link=file:///x]",
    "ansi": "\x1b[31mRed\x1b[0m \x1b]0;owned\x07\x9b2J",
    "emoji": "👩‍🚒🏳️‍🌈火",
    "rtl": "\u202eevil\u202c \u05d0\u05d1\u05d2 \u200fabc",
    "zalgo": "Z\u0335\u0335\u0334a\u0301\u0301",
    "controls": "a\x00b\x08\x7fc\rd\ne\tf",
    "braces": "{0} %s $(id) `id` <b>&amp;</b> \\n",
    "long": "Wilhelm-" * 62 + "zuLang",
}
UNSAFE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


@pytest.mark.parametrize("columns", [100, 60])
@pytest.mark.parametrize("plain", [[], ["--plain"]], ids=["prompts", "plain"])
def test_hostile_names_leave_the_screen_clean(volley: Path, plain: list[str], columns: int) -> None:
    """Names of records come from files; at every prompt, in the way, the ledger, what if and the ruling they are text."""
    men = [{"name": name, "down": False, "nerve": 3} for name in HOSTILE.values()]
    file = volley / "case.json"
    file.write_text(
        json.dumps({"given": {"shots": 1, "men": men, "brave": True}, "rolls": {"fire": 4}}), encoding="utf-8"
    )
    screen = Screen(volley, "--given", str(file), *plain, columns=columns, rows=50)
    enter = "\r" if plain else ""
    for number in range(len(HOSTILE)):
        screen.wait(f"man {number + 1} of {len(HOSTILE)}")
        screen.wait("Colour and number")
        screen.keys(f"1{enter}")
        screen.wait("Spot in column 2")
        for aid, told in (("w", "Source: Nowhere"), ("i", "What if which answer"), ("u", "Spot in column 2")):
            screen.keys(f"{aid}{enter}")
            screen.wait(told)
        screen.keys(f"2{enter}")
    code, seen = screen.finish()
    assert code == 0
    drawn = re.sub(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b[=>]", "", screen.seen)  # what the prompts themselves send
    assert not UNSAFE.search(drawn.replace("\r", "").replace("\x08", "")), UNSAFE.search(drawn)
    assert "\x1b]" not in screen.seen
    assert "owned" not in screen.seen.replace("\r", "")
    flat = " ".join(seen.split())
    assert "[bold red]Rot[/] [/c] [link=file:///x]" in flat
    assert "{0} %s $(id) `id` <b>&amp;</b> \\n" in flat


def test_hostile_names_typed_at_the_table(volley: Path) -> None:
    screen = Screen(volley, "-s", "shots=1", "-s", "down=no", "--given", str(rolled(volley)))
    screen.wait("How many men?")
    screen.keys("1", "\r")
    screen.wait("man 1: Name")
    screen.keys("[red]x[/red] {0} \u202eקלר", "\r")
    screen.wait("[red]x[/red] {0} קלר")
    screen.keys(CTRL_C)
    assert screen.finish()[0] == 130
    assert "\u202e" not in screen.seen.split("man 1: Name")[-1].split("Colour")[-1]


def test_a_closed_stdin_ends_with_what_is_missing(crossing: Path) -> None:
    command = f"exec {sys.executable} -m refcli play chart --charts {crossing} <&-"
    child = pexpect.spawn("/bin/sh", ["-c", command], encoding="utf-8", timeout=20, cwd=str(ROOT))
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 2
    assert "not answered (made/chart)" in child.before


def test_ctrl_c_and_ctrl_d_after_the_ruling_end_quietly(crossing: Path) -> None:
    for key, code in ((CTRL_D, 0), (ESCAPE, None), (CTRL_C, 130)):
        screen = Screen(crossing, "-s", "mover=gun", "-s", "rating=0", "-s", "stuck=no", "-s", "wet=no")
        screen.wait("Roll to cross")
        screen.keys("9")
        screen.shows("What now?")
        screen.keys(key)
        if code is None:  # back to the roll
            screen.shows("[9, as before]")
            screen.keys(CTRL_C)
            code = 130
        exit_code, seen = screen.finish()
        assert exit_code == code
        assert "Traceback" not in seen


def test_the_end_of_a_walk_asks_nothing_where_nobody_was_asked_or_nobody_sees(crossing: Path) -> None:
    given = ["-s", "mover=gun", "-s", "rating=0", "-s", "stuck=no", "-s", "wet=no", "-s", "way=on", "--dice", "auto"]
    screen = Screen(crossing, *given)
    screen.child.expect(pexpect.EOF)
    assert "What now?" not in str(screen.child.before)
    command = [sys.executable, "-m", "refcli", "play", "chart", "--charts", str(crossing)]
    found = subprocess.run(command, input="gun\n\n9\n", capture_output=True, text=True, cwd=ROOT, check=False)
    assert "What now?" not in found.stdout + found.stderr
