"""Cards drawn for the player: `--deck`, placeholders, and what is told of both."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.helpers import write_charts

CHART = """
    facts:
      column: {ask: Which column, number: 1..4}
    nodes:
      card: {draw: cards, as: card, next: test}
      test: {decide: card.suit is red and card.spot(column) > 0, yes: red, no: black}
    outcomes:
      red: {title: Red}
      black: {title: Black}
    examples:
      - {name: a red one, given: {column: 2}, draws: [{suit: red, spot: {2: 1}}], outcome: red}
      - {name: a black one, draws: [black], outcome: black}
"""
CARDS = """
    title: Fate cards
    note: Sixty cards.
    fields:
      suit: {ask: Which suit, choices: {red: {label: Red card}, black: {label: Black card}}}
      spot: {ask: Position in column <column>, number: 1..column, columns: 1..4}
    placeholder: {suit: {red: 1}}
"""
OWN = "deck: cards\ncards:\n  - {suit: black, count: 3}\n"
LABEL = "Cards were drawn from a placeholder, not the real deck: Fate cards (all answers alike, suit always Red card)"


@pytest.fixture
def charts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> Path:
    """The folder of one book whose deck has a placeholder."""
    monkeypatch.delenv("REFCLI_CHARTS")
    return write_charts(tmp_path / "flowcharts", CHART, cards=CARDS)


@pytest.fixture
def own(tmp_path: Path, charts: Path) -> str:
    """A player's own count of that deck."""
    (tmp_path / "own.yaml").write_text(OWN)
    return "own.yaml"


def test_a_placeholder_is_named_under_the_ruling(run: Run, charts: Path) -> None:
    ran = run("play", "chart", "--set", "column=3", "--dice", "auto", "--seed", "1", "--json")
    found = json.loads(ran.out)
    assert (found["outcome"], found["placeholders"]) == ("red", ["cards"])
    (card,) = found["draws"]
    assert card["suit"] == "red"
    assert card["spot"].keys() == {"1", "2", "3", "4"}
    ran = run("play", "chart", "--set", "column=3", "--dice", "auto", "--seed", "1")
    assert (ran.code, ran.err) == (0, "card: drew suit red from a placeholder, not the real deck\n")
    told = ran.out.splitlines()
    assert " ".join(line.strip() for line in told[-3:-1]) == LABEL


def test_a_player_may_leave_the_card_to_the_placeholder(run: Run, charts: Path) -> None:
    ran = run("play", "chart", "--plain", "--json", stdin="r\n3\n")
    assert json.loads(ran.out)["placeholders"] == ["cards"]
    assert (
        "Draw a card: Fate cards\nWhich suit (1 to 2, or a word's beginning; "
        "r draws for you, but not from the real deck; R all from now on)\n"
    ) in ran.err


def test_a_card_of_his_own_is_bounded_by_its_column(run: Run, charts: Path) -> None:
    ran = run("play", "chart", "--plain", "--json", stdin="red\n3\n4\nx\n3\n")
    found = json.loads(ran.out)
    assert found["draws"] == [{"suit": "red", "spot": {"3": 3}}]
    assert "placeholders" not in found
    assert ran.err.endswith(
        "Position in column 3 (1 to 3)\n"
        "  4 is out of range in column 3; a number from 1 to 3 is needed\n"
        "Position in column 3 (1 to 3)\n"
        "  a number from 1 to 3 is needed in column 3, not 'x'\n"
        "Position in column 3 (1 to 3)\n"
    )


def test_a_card_that_is_given_is_bounded_by_its_column(run: Run, charts: Path) -> None:
    case = {"chart": "chart", "given": {"column": 2}, "draws": [{"suit": "red", "spot": {"2": 4}}]}
    ran = run("batch", "-", stdin=json.dumps(case))
    assert json.loads(ran.out)["error"] == (
        "draws, card 1: spot: 4 is out of range in column 2; a number in 1..2 is needed"
    )
    case = {"chart": "chart", "given": {"column": 2, "spot": 4}, "draws": ["red"]}
    ran = run("batch", "-", stdin=json.dumps(case))
    assert json.loads(ran.out)["error"] == "spot: 4 is out of range in column 2; a number in 1..2 is needed"
    ran = run("batch", "-", stdin=json.dumps({"chart": "chart", "given": {"column": 2}, "draws": ["red"]}))
    assert json.loads(ran.out)["error"] == "not given: 'spot' (Position in column 2: a number in 1..2)"


def test_a_stopped_walk_keeps_the_label_of_its_cards(run: Run, charts: Path, tmp_path: Path) -> None:
    ran = run("play", "chart", "--plain", "--save", "mine.json", stdin="r\nq\n")
    assert ran.code == 1
    case = json.loads((tmp_path / "mine.json").read_text())
    assert case["placeholders"] == ["cards"]
    ran = run("play", "chart", "--given", "mine.json", "--set", "column=1", "--json")
    assert json.loads(ran.out)["placeholders"] == ["cards"]


def test_an_own_count_goes_before_the_placeholder(run: Run, charts: Path, own: str) -> None:
    options = ("--dice", "auto", "--seed", "1", "--json")
    found = json.loads(run("play", "chart", "--deck", own, *options).out)
    assert (found["outcome"], found["draws"]) == ("black", [{"suit": "black"}])
    assert "placeholders" not in found
    ran = run("batch", "-", "--deck", own, "--seed", "1", stdin='{"chart": "chart"}')
    assert json.loads(ran.out)["draws"] == [{"suit": "black"}]


def test_an_own_count_goes_before_the_cards_of_the_deck(run: Run, tmp_path: Path) -> None:
    (tmp_path / "fate.yaml").write_text("deck: demo/fate\ncards: [{colour: red}]\n")
    case = {
        "chart": "volley",
        "given": {"range": "near", "guns": 1, "men": [{"morale": 3}] * 3},
        "rolls": {"shots": 1},
    }
    ran = run("batch", "-", "--deck", "fate.yaml", "--seed", "1", stdin=json.dumps(case))
    assert json.loads(ran.out)["draws"] == [{"colour": "red"}] * 3


def test_what_an_own_count_leaves_out_is_read_off_the_table(run: Run, charts: Path, tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text(OWN.replace("black", "red"))
    ran = run("play", "chart", "--dice", "auto", "--deck", "own.yaml", "--plain", "--json", stdin="2\n1\n")
    assert json.loads(ran.out)["draws"] == [{"suit": "red", "spot": {"2": 1}}]
    ran = run("play", "chart", "--dice", "auto", "--seed", "1", "--set", "column=2", "--deck", "own.yaml")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == (
        "refcli: not answered (made/chart): 'Position in column 2' by --set spot=…; or a file by --given FILE; "
        "not all cards in own.yaml show 'spot(2)'\n"
    )
    case = {"chart": "chart", "given": {"column": 2}, "seed": 1}
    ran = run("batch", "-", "--deck", "own.yaml", stdin=json.dumps(case))
    assert json.loads(ran.out)["error"] == (
        "not given: 'spot' (Position in column 2: a number in 1..2); not all cards in own.yaml show 'spot(2)'"
    )


def test_a_walk_that_stops_goes_on_with_the_same_deck(run: Run, charts: Path, own: str) -> None:
    ran = run("play", "chart", "--deck", own, "--plain", "--save", "mine.json", stdin="red\nq\n")
    assert f"refcli play made/chart --given mine.json --plain --deck {own}\n" in ran.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "refcli: --deck: there is no file 'mine.yaml'\n"),
        (
            "deck: card\ncards: [{suit: red}]\n",
            "mine.yaml:1:7: error C304: there is no deck 'card'\n"
            "    1 | deck: card\n"
            "      |       ^^^^\n"
            "  did you mean 'cards'?\n",
        ),
    ],
)
def test_a_bad_count_stops_play_and_batch(
    run: Run, charts: Path, tmp_path: Path, text: str | None, message: str
) -> None:
    if text is not None:
        (tmp_path / "mine.yaml").write_text(text)
    for args in (("play", "chart"), ("batch", "-")):
        ran = run(*args, "--deck", "mine.yaml", stdin='{"chart": "chart"}')
        assert (ran.code, ran.out, ran.err) == (2 if text is None else 1, "", message)


def test_two_counts_of_one_deck_are_wrong_usage(run: Run, charts: Path, own: str) -> None:
    ran = run("batch", "-", "--deck", own, "--deck", own, stdin='{"chart": "chart"}')
    assert (ran.code, ran.err) == (2, "refcli: two files count made/cards: own.yaml and own.yaml\n")


def test_a_draw_that_nobody_makes_says_what_would_draw_it(run: Run, charts: Path, own: str) -> None:
    error = 'not drawn: a card of Fate cards; give it in "draws", or draw it by --seed'
    ran = run("batch", "-", stdin='{"chart": "chart"}')
    assert json.loads(ran.out)["error"] == f"{error}, from a placeholder, not the real deck"
    ran = run("batch", "-", "--deck", own, stdin='{"chart": "chart"}')
    assert json.loads(ran.out)["error"] == error
    ran = run("play", "chart")
    assert ran.err == (
        "refcli: not drawn (made/chart): a card of Fate cards; give it in a case as draws: [red]; "
        "or draw by --dice auto, from a placeholder, not the real deck\n"
    )


def test_check_looks_at_a_count(run: Run, charts: Path, own: str, tmp_path: Path) -> None:
    ran = run("check", own)
    assert (ran.code, ran.out) == (0, "own.yaml: 3 cards of made/cards\n1 count of cards, all clean\n")
    ran = run("check", own, "chart")
    assert (ran.code, ran.out.splitlines()[-2:]) == (
        0,
        ["own.yaml: 3 cards of made/cards", "1 chart, 1 count of cards, all clean"],
    )
    found = json.loads(run("check", own, "--json").out)
    assert (found["counts"], found["charts"]) == ({"own.yaml": {"deck": "made/cards", "cards": 3}}, [])
    (tmp_path / "own.yaml").write_text(OWN.replace("suit", "siut"))
    ran = run("check", own)
    assert ran.code == 1
    assert ran.out == (
        "own.yaml:3:6: error C201: a card of this deck has no 'siut'\n"
        "    3 |   - {siut: black, count: 3}\n"
        "      |      ^^^^\n"
        "  did you mean 'suit'?\n"
        "\n"
        "1 count of cards: 1 error\n"
    )


def test_show_tells_what_is_known_of_a_deck(run: Run, charts: Path) -> None:
    assert run("show", "made").out.split("DECKS\n")[1] == (
        "  Fate cards  make-up unknown: cards are read off the table, or drawn from a\n"
        "              placeholder, not the real deck (all answers alike, suit always Red\n"
        "              card). Sixty cards.\n"
    )
    assert json.loads(run("show", "made", "--json").out)["decks"] == {
        "cards": {
            "title": "Fate cards",
            "composition": "unknown",
            "placeholder": "all answers alike, suit always Red card",
            "note": "Sixty cards.",
        }
    }
