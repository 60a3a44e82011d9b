"""Nothing is lost: walks that end in every way there is, and go on at the same question."""

import json
import signal
import termios
from pathlib import Path

import pytest

from tests.helpers import CARDS, MAN, MEN, VOLLEY, write_charts
from tests.sittings import Home

FORD = """
    facts:
      mover: {ask: 'Who is crossing?', choices: {gun: Gun, cart: Cart}}
      rating: {ask: 'Which rating?', number: -3..3, default: 0}
      stuck: Is it stuck?
      wet: Is it wet?
      way: {ask: 'Back or on?', choices: {back: Back, on: On}}
    nodes:
      first: {set: {base: 2 if mover is gun else 1}, next: second}
      second: {set: {more: base + rating}, next: third}
      third: {set: {less: more - (3 if stuck else 0)}, next: fourth}
      fourth: {set: {least: less - (1 if wet else 0)}, next: throw}
      throw: {label: Roll to cross, roll: d10, as: die, next: turn}
      turn: {decide: way, cases: {back: halt, on: through}}
    gives: {score: die + least}
    outcomes:
      through: {title: Through, tone: good, says: It scores <die>.}
      halt: {title: Halted, tone: bad}
"""
"""A chart that asks one thing after the other."""

ANSWERS = ["gun", "1", "n", "y", "5", "on"]
"""Every line of a walk: who, rating, stuck, wet, the die, back or on."""

QUESTIONS = ["Who is crossing?", "Which rating?", "Is it stuck?", "Is it wet?", "Roll to cross", "Back or on?"]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home", write_charts(tmp_path / "charts", FORD))


def typed(*answers: str) -> str:
    return "".join(f"{answer}\n" for answer in answers)


@pytest.fixture
def ruling(home: Home) -> str:
    """The ruling of the walk that nothing disturbed, as JSON."""
    done = home.run("play", "chart", "--json", "--no-journal", typed=typed(*ANSWERS))
    assert done.code == 0
    assert home.journals == []
    return done.out


def test_a_walk_that_ends_is_kept_with_its_ruling(home: Home, ruling: str) -> None:
    done = home.run("play", "chart", "--json", typed=typed(*ANSWERS))
    assert (done.code, done.out) == (0, ruling)
    first, *replies, last = home.lines()
    assert (first["chart"], first["case"], len(replies)) == ("made/chart", {}, 6)
    whole = json.loads(ruling)
    del whole["trail"]
    assert (last["outcome"], last["title"], last["ruling"]) == (whole["outcome"], whole["title"], whole)


@pytest.mark.parametrize("count", range(1, 6))
def test_a_pipe_that_ends_goes_on_at_the_same_question(home: Home, ruling: str, count: int) -> None:
    stopped = home.run("play", "chart", typed=typed(*ANSWERS[:count]))
    assert stopped.code == 1
    assert stopped.err.splitlines()[-2:] == [f"Stopped at {where(count)} (made/chart).", "To go on: refcli resume"]
    again = home.run("resume", "--json", typed=typed(*ANSWERS[count:]))
    assert (again.code, again.out) == (0, ruling)
    assert f"Going on with Chart, walk {home.journals[0].stem}." in again.err
    assert QUESTIONS[count - 1] not in asked(again.err)
    assert len(home.journals) == 1


def where(count: int) -> str:
    """Where a walk stands after so many answers, as it is told."""
    return "the roll 'Roll to cross'" if count == 4 else f"'{QUESTIONS[count]}'"


def asked(talk: str) -> str:
    """The talk without what is told of dice that were rolled already."""
    return "\n".join(line for line in talk.splitlines() if "rolled" not in line)


@pytest.mark.parametrize("how", ["before", "half", "after", "synced"])
@pytest.mark.parametrize("write", range(1, 8))
def test_killed_at_any_write_a_walk_goes_on_without_loss(home: Home, ruling: str, how: str, write: int) -> None:
    """kill -9 before, in the midst of and after each write: what was asked after a reply proves that it was on disk."""
    killed = home.run_killed(how, write, "play", "chart", "--json", typed=typed(*ANSWERS))
    assert killed.code == -signal.SIGKILL
    put = sum(any(question in line for line in killed.err.splitlines()) for question in QUESTIONS)
    walk = next(iter(json.loads(home.run("log", "--json").out)), {"answers": 0, "state": "none"})
    kept = walk["answers"]
    assert kept >= put - 1
    if kept == 0:
        assert home.run("resume").code == 2
        return
    if walk["state"] == "ended":
        assert home.run("replay", home.journals[0].stem, "--json").out == ruling
        return
    again = home.run("resume", "--json", typed=typed(*ANSWERS[kept:]))
    assert (again.code, again.out) == (0, ruling)
    assert len([line for line in home.lines() if "by" in line]) == len(ANSWERS)


@pytest.mark.parametrize("flags", [["--plain"], []], ids=["plain", "keys"])
@pytest.mark.parametrize(
    ("number", "code", "told"),
    [
        (signal.SIGINT, 130, True),
        (signal.SIGTERM, 143, True),
        (signal.SIGHUP, 129, False),
        (signal.SIGKILL, -9, False),
    ],
    ids=["Ctrl-C", "SIGTERM", "SIGHUP", "kill -9"],
)
def test_ended_from_outside_it_goes_on_at_the_same_question(
    home: Home, ruling: str, flags: list[str], number: int, code: int, told: bool
) -> None:
    window = home.open("play", "chart", *flags)
    window.wait("Who is crossing?")
    window.answer("gun")
    window.wait("Which rating?")
    window.answer("1")
    window.wait("Is it stuck?")
    if number == signal.SIGINT:
        window.child.send("\x03")
    else:
        window.kill(number)
    ended, seen = window.finish()
    assert ended == code
    assert ("To go on: refcli resume" in seen) == told
    assert "Traceback" not in seen
    again = home.run("resume", "--json", typed=typed(*ANSWERS[2:]))
    assert (again.code, again.out) == (0, ruling)


def test_a_polite_kill_leaves_the_terminal_in_order(home: Home) -> None:
    window = home.open("play", "chart")
    window.wait("Who is crossing?")
    window.answer("gun")
    window.wait("Which rating?")
    assert not termios.tcgetattr(window.child.child_fd)[3] & termios.ICANON
    window.kill(signal.SIGTERM)
    window.wait("To go on: refcli resume")
    assert termios.tcgetattr(window.child.child_fd)[3] & termios.ICANON
    assert termios.tcgetattr(window.child.child_fd)[3] & termios.ECHO
    assert window.finish()[0] == 143


@pytest.mark.parametrize("flags", [["--plain"], []], ids=["plain", "keys"])
def test_a_closed_window_goes_on_in_another(home: Home, flags: list[str]) -> None:
    window = home.open("play", "chart", *flags)
    window.wait("Who is crossing?")
    window.answer("gun")
    window.wait("Which rating?")
    window.child.ptyproc.fileobj.close()  # as when the emulator dies: the terminal hangs up
    window.child.ptyproc.wait()
    other = home.open("resume", "--plain")
    other.wait("Going on with Chart")
    other.wait("Which rating?")
    other.answer("1", "n", "y", "9", "on", "")
    assert "It scores 9." in other.finish()[1]


def test_answers_of_an_earlier_sitting_can_be_taken_back(home: Home) -> None:
    home.run("play", "chart", typed=typed("gun", "1", "n"))
    again = home.run("resume", "--json", typed=typed("u", "u", "3", "n", "y", "9", "on"))
    assert again.code == 0
    assert json.loads(again.out)["gives"] == {"score": 13}
    home.run("play", "chart", typed=typed("gun", "1", "n", "u"))
    again = home.run("resume", "--json", typed=typed("y", "y", "9", "on"))
    assert json.loads(again.out)["gives"] == {"score": 8}


def test_options_and_what_was_given_hold_for_the_rest_of_the_walk(home: Home) -> None:
    flags = ["-s", "wet=yes", "-s", "way=on", "--defaults"]
    home.run("play", "chart", *flags, typed=typed("gun"))
    again = home.run("resume", "--json", typed=typed("n", "6"))
    found = json.loads(again.out)
    assert (found["outcome"], found["defaults"], found["rolls"]) == ("through", ["rating"], {"die": 6})
    assert home.lines()[0]["case"] == {"given": {"wet": True, "way": "on"}}


@pytest.mark.parametrize("flags", [["--dice", "auto"], []], ids=["rolled for him", "R"])
def test_dice_stay_as_they_fell_and_the_next_are_the_seeds(tmp_path: Path, flags: list[str]) -> None:
    charts = write_charts(tmp_path / "charts", VOLLEY, book="facts:" + MEN, cards=CARDS, man=MAN)
    home = Home(tmp_path / "home", charts)
    answers = ["6", *([] if flags else ["R"]), "2", "Jones", "Smith", "n", "n", "b1", "n", "b1", "n"]
    whole = home.run("play", "chart", "--no-journal", "--seed", "7", "--json", *flags, typed=typed(*answers))
    assert whole.code == 0
    for count in (1, 2, 3, 6, 8):
        home.run("play", "chart", "--seed", "7", *flags, typed=typed(*answers[:count]))
        again = home.run("resume", "--json", typed=typed(*answers[stood(home, answers) :]))
        assert (again.code, again.out) == (0, whole.out), count
    found = home.run("replay", home.journals[0].stem)
    assert found.err == "The chart is the one it was ruled by. The ruling is the same.\n"


def stood(home: Home, answers: list[str]) -> int:
    """How many typed lines the walk that was left last has used up."""
    last = max(home.journals, key=lambda path: path.stat().st_mtime_ns)
    lines = 0
    for reply in map(json.loads, last.read_text().splitlines()[1:]):
        if reply["by"] == "rolled":
            lines += "R" in answers
        elif "men" in reply.get("ask", {}):
            lines += 1 + len(reply["ask"]["men"])
        else:
            lines += 1
    return lines


def test_a_torn_last_line_is_asked_again(home: Home, ruling: str) -> None:
    home.run("play", "chart", typed=typed(*ANSWERS[:3]))
    (file,) = home.journals
    file.write_bytes(file.read_bytes()[:-20])
    again = home.run("resume", "--json", typed=typed(*ANSWERS[2:]))
    assert (again.code, again.out) == (0, ruling)
    assert len([line for line in home.lines() if "by" in line]) == len(ANSWERS)


def test_a_last_line_without_its_end_counts(home: Home, ruling: str) -> None:
    home.run("play", "chart", typed=typed(*ANSWERS[:3]))
    (file,) = home.journals
    file.write_bytes(file.read_bytes()[:-1])
    again = home.run("resume", "--json", typed=typed(*ANSWERS[3:]))
    assert (again.code, again.out) == (0, ruling)
    assert len([line for line in home.lines() if "by" in line]) == len(ANSWERS)


def test_killed_after_the_last_reply_the_ruling_comes_at_once(home: Home, ruling: str) -> None:
    home.run("play", "chart", typed=typed(*ANSWERS))
    (file,) = home.journals
    file.write_bytes(b"\n".join(file.read_bytes().splitlines()[:-1]) + b"\n")
    again = home.run("resume", "--json")
    assert (again.code, again.out) == (0, ruling)
    assert home.lines()[-1]["outcome"] == "through"


# the disk


def test_a_disk_that_takes_nothing_is_told_once_and_the_answers_are_printed(home: Home) -> None:
    done = home.run("play", "chart", typed=typed("gun", "1", "n"), before="ulimit -f 0;", PYTHONDONTWRITEBYTECODE="1")
    assert done.code == 1
    note = "Your answers cannot be kept on disk (File too large). Play on; they are printed when you stop."
    assert done.err.count("cannot be kept") == 1
    assert note in done.err.splitlines()
    assert json.loads(done.err.splitlines()[-1]) == {
        "chart": "made/chart",
        "given": {"mover": "gun", "rating": 1, "stuck": False},
    }
    assert "To go on, save this line as case.json, then: refcli play made/chart --given case.json" in done.err


def test_a_disk_that_takes_nothing_does_not_change_the_ruling(home: Home, ruling: str) -> None:
    done = home.run(
        "play", "chart", "--json", typed=typed(*ANSWERS), before="ulimit -f 0;", PYTHONDONTWRITEBYTECODE="1"
    )
    assert (done.code, done.out) == (0, ruling)


def test_a_home_that_cannot_be_written_is_told_and_the_game_goes_on(home: Home, ruling: str) -> None:
    done = home.run("play", "chart", "--json", typed=typed(*ANSWERS), REFCLI_HOME="/dev/null")
    assert (done.code, done.out) == (0, ruling)
    note = "Your answers cannot be kept on disk (Not a directory: /dev/null/walks). Play on; they are printed when you stop."
    assert note in done.err.splitlines()


# what leaves no trace


@pytest.mark.parametrize("env", [{}, {"REFCLI_JOURNAL": "off"}])
def test_no_journal_where_none_is_wanted(home: Home, env: dict[str, str]) -> None:
    flags = [] if env else ["--no-journal"]
    stopped = home.run("play", "chart", *flags, typed=typed("gun"), **env)
    assert json.loads(stopped.err.splitlines()[-1]) == {"chart": "made/chart", "given": {"mover": "gun"}}
    assert not home.folder.exists()


def test_no_journal_where_nobody_was_asked(home: Home) -> None:
    given = ["-s", "mover=gun", "-s", "rating=0", "-s", "stuck=no", "-s", "wet=no"]
    assert home.run("play", "chart", *given, "-s", "way=on", "--dice", "auto").code == 0
    assert home.run("play", "chart", *given, "--dice", "auto").code == 2
    assert home.run("play", "chart", "-s", "mover=gun").code == 2
    assert home.run("play", "chart", typed="q\n").code == 1
    given_all = {"mover": "gun", "rating": 0, "stuck": "no", "wet": "no", "way": "on"}
    case = json.dumps({"chart": "chart", "given": given_all, "rolls": {"die": 9}})
    assert home.run("batch", "-", typed=case).code == 0
    assert home.journals == []


# which walk


def test_the_walk_left_last_goes_on_first(home: Home) -> None:
    home.run("play", "chart", typed=typed("gun"))
    home.run("play", "chart", typed=typed("cart", "2"))
    second, first = (walk["walk"] for walk in json.loads(home.run("log", "--json").out))
    assert "\nStopped at 'Is it stuck?' (made/chart).\n" in home.run("resume", typed="q\n").err
    assert "\nStopped at 'Which rating?' (made/chart).\n" in home.run("resume", first, typed="q\n").err
    assert f"Going on with Chart, walk {first}." in home.run("resume", typed="q\n").err
    assert second != first


def test_a_walk_being_played_is_left_alone(home: Home) -> None:
    window = home.open("play", "chart", "--plain")
    window.wait("Who is crossing?")
    window.answer("gun")
    window.wait("Which rating?")
    name = home.journals[0].stem
    busy = f"refcli: there is no walk to go on with; {name} is being played in another window\n"
    assert home.run("resume") == (2, "", busy)
    named = home.run("resume", name)
    assert (named.code, named.err.splitlines()[-1]) == (
        1,
        f"refcli: the walk {name} is being played in another window",
    )
    assert json.loads(home.run("log", "--json").out)[0]["state"] == "playing"
    window.kill()
    window.finish()
    assert "Stopped at 'Which rating?'" in home.run("resume", typed="q\n").err


def test_no_walk_to_go_on_with(home: Home) -> None:
    assert home.run("resume") == (
        2,
        "",
        "refcli: there is no walk to go on with; refcli log lists those that have ended\n",
    )
    home.run("play", "chart", typed=typed(*ANSWERS))
    name = home.journals[0].stem
    assert home.run("resume").code == 2
    assert home.run("resume", name[:12]) == (
        2,
        "",
        f"refcli: the walk {name} has ended (Through); to see its ruling again: refcli replay {name}\n",
    )


def test_a_broken_journal_is_told_and_passed_over(home: Home) -> None:
    home.run("play", "chart", typed=typed("gun"))
    bad = home.folder / "walks" / "29990101-000000-bad.jsonl"
    bad.write_text("rubbish\n")
    found = home.run("resume", typed="")
    assert found.err.splitlines()[0] == (
        f"refcli: '{bad}' is no journal of refcli: its first line does not say so; looking for an earlier walk"
    )
    assert "Going on with Chart" in found.err


# changed charts


def test_a_chart_that_changed_without_harm_is_told_and_goes_on(home: Home) -> None:
    home.run("play", "chart", typed=typed("gun", "1"))
    write_charts(home.charts, FORD.replace("Is it wet?", "Is it boggy?"))
    again = home.run("resume", "--json", typed=typed("n", "y", "9", "on"))
    assert again.code == 0
    told = [
        f"Going on with Chart, walk {home.journals[0].stem}.",
        "The chart has changed since: made/chart.",
        "All your answers still fit.",
    ]
    assert again.err.splitlines()[:3] == told
    assert "Is it boggy?" in again.err
    proof = home.run("replay", home.journals[0].stem)
    assert (proof.code, proof.err) == (0, "The chart is the one it was ruled by. The ruling is the same.\n")


NEW = FORD.replace("mover: {", "dark: 'Is it dark?'\n      mover: {").replace(
    "first: {set: {base: 2",
    "zeroth: {set: {night: 1 if dark else 0}, next: first}\n      first: {set: {base: 2 + night",
)
"""The same chart, which now asks first whether it is dark."""


def test_the_first_reply_that_no_longer_fits_is_named_and_the_rest_is_offered(home: Home) -> None:
    home.run("play", "chart", typed=typed("gun", "1", "n", "y", "5"))
    write_charts(
        home.charts,
        FORD.replace("roll: d10, as: die", "roll: 2d6, as: dice")
        .replace("die +", "dice +")
        .replace("<die>", "<dice>"),
    )
    again = home.run("resume", "--json", typed=typed("9", "on"))
    name = home.journals[0].stem
    assert again.err.splitlines()[:4] == [
        f"Going on with Chart, walk {name}.",
        "The chart has changed since: made/chart.",
        "Reply 5, the roll 'die' = 5 (made/chart), no longer fits: the chart now comes to the roll 'Roll to cross' (made/chart) there.",
        "What you answered from there on is offered again, as far as it is asked: Enter takes it.",
    ]
    assert (again.code, json.loads(again.out)["rolls"]) == (0, {"dice": 9})
    assert home.run("replay", name).code == 0


def test_offers_survive_one_more_interruption_and_dice_lie_as_they_fell(home: Home) -> None:
    home.run("play", "chart", typed=typed("gun", "1", "n", "y", "5"))
    write_charts(home.charts, NEW)
    first = home.run("resume", typed=typed("n"))
    assert (
        "Reply 1, mover = gun (made/chart), no longer fits: the chart now comes to 'Is it dark?' (made/chart) there."
        in first.err.splitlines()
    )
    assert [line.get("changed") for line in home.lines() if "changed" in line] == [0]
    window = home.open("resume", "--plain")
    for question in QUESTIONS[:4]:
        window.wait(question)
        window.answer("")
    window.wait("The roll 'die' = 5, as before")
    window.wait("Back or on?")
    window.answer("on", "")
    code, seen = window.finish()
    assert (code, "THROUGH" in seen) == (0, True)
    answers = [line["ask"] for line in home.lines() if "ask" in line][4:]
    again = [{"mover": "gun"}, {"rating": 1}, {"stuck": False}, {"wet": True}]
    assert answers == [{"dark": False}, *again, {"way": "on"}]


def test_lists_forms_and_cards_are_offered_too(tmp_path: Path) -> None:
    """Enter alone takes a list with its names, and a form with its ticks; dice and cards lie as they fell."""
    book = "facts:" + MEN
    home = Home(tmp_path / "home", write_charts(tmp_path / "charts", VOLLEY, book=book, cards=CARDS, man=MAN))
    home.run("play", "chart", typed=typed("2", "4 1", "2", "Jones", "Smith", "2", "b1"))
    write_charts(home.charts, VOLLEY.replace("fire", "salvo"), book=book, cards=CARDS, man=MAN)
    again = home.run("resume", "--json", typed=typed("6 6", "", "", "", "", "n"))
    assert "The draw 'card' = suit b1, as before" in again.err.splitlines()
    whole = home.run(
        "play", "chart", "--json", "--no-journal", typed=typed("2", "6 6", "2", "Jones", "Smith", "2", "b1", "n")
    )
    assert (again.code, again.out) == (0, whole.out)
    assert json.loads(whole.out)["outcome"] == "bad"


def test_a_chart_that_is_gone_or_broken_is_told(home: Home) -> None:
    home.run("play", "chart", typed=typed("gun"))
    chart = home.charts / "made" / "chart.yaml"
    text = chart.read_text()
    chart.write_text(text.replace("roll: d10", "roll: d0"))
    broken = home.run("resume")
    assert (broken.code, "error C" in broken.err) == (1, True)
    chart.unlink()
    gone = home.run("resume")
    assert (gone.code, gone.err.splitlines()[-1]) == (
        2,
        "refcli: the chart of this walk, made/chart, is not there any more; say where it is by --charts DIR",
    )
    elsewhere = write_charts(home.folder / "moved", FORD)
    assert "Going on with Chart" in home.run("resume", "--charts", str(elsewhere)).err


def test_a_walk_goes_on_from_any_folder(home: Home, tmp_path: Path) -> None:
    (home.charts / "flowcharts").symlink_to(home.charts)
    home.run("play", "chart", typed=typed("gun"), REFCLI_CHARTS="")
    home.charts = tmp_path
    assert "Which rating?" in home.run("resume", REFCLI_CHARTS="").err
