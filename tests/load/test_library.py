"""The library: charts with all that they run, rings and depth, books and decks, what may not be read."""

from pathlib import Path

import pytest

from refcli.core.errors import ChartError, UsageError
from refcli.load.files import chart_files, read_lines, shown
from refcli.load.library import Library
from tests.load.conftest import END, ChartOf, FaultsOf, write_book

GO = "nodes:\n  go: {do: Go on., next: end}" + END


def run(*names: str) -> str:
    """A chart that runs others in turn."""
    nodes = [
        f"  n{i}: {{run: {name}, next: {f'n{i + 1}' if names[i + 1 :] else 'end'}}}" for i, name in enumerate(names)
    ]
    return "nodes:\n" + "\n".join(nodes) + END


def problems(folder: Path, what: str | Path) -> list[str]:
    return [str(problem) for problem in Library([folder]).problems(what)]


def test_charts_that_are_run_come_along_and_each_file_is_read_once(folder: Path) -> None:
    write_book(folder, top=run("left", "right"), left=run("low"), right=run("low"), low=GO)
    library = Library([folder])
    top = library.load("made/top")
    left, right = top.charts["made/left"], top.charts["made/right"]
    assert left.charts["made/low"] is right.charts["made/low"] is library.load("made/low")
    assert library.load("made/top") is top


def test_only_charts_that_a_walk_can_reach_are_read(folder: Path) -> None:
    broken = "nodes: nonsense\n"
    offering = "nodes:\n  go: {do: Go on., next: end}\noutcomes:\n  end: {title: End, then: broken}\n"
    write_book(folder, chart=offering, broken=broken)
    assert Library([folder]).load("made/chart").outcomes["end"].then == ((None, "made/broken"),)


def test_a_chart_of_another_book_may_be_run(folder: Path) -> None:
    write_book(folder, chart=run("other/low"))
    other = folder / "other"
    other.mkdir()
    (other / "book.yaml").write_text("title: Other\nfacts:\n  dry: Is it dry?\n")
    (other / "low.yaml").write_text("title: Low\nnodes:\n  go: {decide: dry, yes: end, no: end}" + END)
    chart = Library([folder]).load("made/chart")
    assert chart.charts["other/low"].book.title == "Other"
    assert chart.reads == {"dry"}


def test_what_a_chart_reads_is_shared_alone(chart_of: ChartOf) -> None:
    book = """
        facts:
          wet: Is it wet?
          cold: {ask: Is it cold, default: icy}
          icy: Is it icy?
          grim: Is it grim?
          far: Is it far?
          crew: {ask: The crew, list: [far]}
        """
    inner = "facts:\n  own: {ask: Own, default: grim}\nnodes:\n  go: {decide: own and cold, yes: b, no: b}\n"
    inner += "  b: {decide: far and wet, yes: end, no: end}" + END
    text = "nodes:\n  a: {each: crew, run: inner, when: far, with: {wet: no}, next: b}\n  b: {decide: c, yes: end, no: end}"
    chart = chart_of("facts:\n  c: Is it so?\n" + text + END, book, inner=inner)
    assert chart.charts["made/inner"].reads == {"cold", "icy", "grim", "far", "wet"}
    assert chart.reads == {"crew", "cold", "icy", "grim", "far"}
    assert chart.live["a"] == {"crew", "far", "cold", "icy", "grim", "c"}
    assert chart.live["b"] == {"c"}


def test_all_problems_of_all_charts_are_told_at_once(folder: Path) -> None:
    bad = "nodes:\n  go: {do: Go on., next: ende}" + END
    write_book(folder, chart=run("left", "right"), left=bad, right=bad)
    with pytest.raises(ChartError) as fault:
        Library([folder]).load("made/chart")
    assert [str(problem.place) for problem in fault.value.problems] == ["made/left.yaml:3:26", "made/right.yaml:3:26"]


def test_a_chart_is_not_blamed_for_what_those_it_runs_give(faults_of: FaultsOf) -> None:
    low = "nodes:\n  go: {do: Go on., next: ende}\noutcomes:\n  end: {title: End, gives: {loss: 1}}\n"
    text = "nodes:\n  a: {run: low, with: {x: 1}, as: r, cases: {over: b}}\n  b: {set: {y: r.loss, z: r.gain + 1}, next: end}"
    assert faults_of(text + END, low=low) == [
        "low.yaml:3:26: error C301: edge 'next' leads to unknown node 'ende'; did you mean 'end' (line 5)?; rename the "
        "target, or add a node 'ende'"
    ]


def test_rings_of_charts_name_all_of_them(folder: Path) -> None:
    write_book(folder, a=run("b"), b=run("c"), c=run("b", "a"))
    mend = "let it end, and lead back to a roll or draw within one chart"
    assert problems(folder, "made/a") == [
        f"made/c.yaml:3:13: error C305: charts run each other in a ring: made/b -> made/c -> made/b; {mend}",
        f"made/c.yaml:4:13: error C305: charts run each other in a ring: made/a -> made/b -> made/c -> made/a; {mend}",
    ]


def test_charts_may_run_each_other_twelve_deep(folder: Path) -> None:
    chain = {f"c{i}": run(f"c{i + 1}") for i in range(13)}
    write_book(folder, **chain, c13=GO)
    library = Library([folder])
    assert library.load("made/c1").charts
    assert [str(problem) for problem in library.problems("made/c0")] == [
        "made/c0.yaml:3:13: error C406: charts run each other more than 12 deep from here"
    ]


def test_very_long_chains_need_no_deep_stack(folder: Path) -> None:
    write_book(folder, **{f"c{i}": run(f"c{i + 1}") for i in range(300)}, c300=GO)
    found = problems(folder, "made/c0")
    assert found == ["made/c287.yaml:3:13: error C406: charts run each other more than 12 deep from here"]


def test_a_book_without_its_file_is_told(folder: Path) -> None:
    (folder / "made").mkdir()
    (folder / "made" / "chart.yaml").write_text("title: Chart\n" + GO)
    assert problems(folder, "made/chart") == [
        "made/book.yaml: error C106: the folder 'made' is no book yet: it has no book.yaml; add book.yaml with `title:`, "
        "the game's name"
    ]


def test_an_unreadable_book_does_not_blame_its_charts(folder: Path) -> None:
    write_book(folder, chart="nodes:\n  go: {decide: wet, yes: end, no: end}" + END)
    (folder / "made" / "book.yaml").write_text("title: 'Made up\n")
    assert problems(folder, "made/chart") == [
        "made/book.yaml:1:8: error C101: this quote is never closed; close it; inside '…' an apostrophe is written "
        "twice: ''"
    ]


def test_faults_of_a_book_are_told(faults_of: FaultsOf) -> None:
    book = """
        titel: Made
        charts: [chart, chort]
        decks: {gone: decks/gone.yaml, out: ../out.yaml, root: /etc/passwd, Bad Name: cards.yaml}
        facts:
          wet: {ask: Is it wet, default: sunny}
        """
    assert faults_of(GO, book) == [
        "book.yaml:3:1: error C201: the book has no key 'titel'; did you mean 'title'?",
        "book.yaml:4:17: error C303: there is no chart 'chort' in this book; did you mean 'chart'?",
        "book.yaml:5:15: error C106: there is no file 'decks/gone.yaml' in the book's folder",
        "book.yaml:5:37: error C106: '../out.yaml' leads out of the book's folder; put the deck's file into the book's "
        "folder, like decks/cards.yaml",
        "book.yaml:5:56: error C106: '/etc/passwd' leads out of the book's folder; put the deck's file into the book's "
        "folder, like decks/cards.yaml",
        "book.yaml:5:69: error C205: 'Bad Name' cannot be a name: small letters a-z, digits, - and _ make one; for "
        "example 'bad_name'",
        "book.yaml:7:34: error C502: nothing here is called 'sunny'; it can be: wet",
    ]


def test_faults_of_a_deck_are_told_and_its_cards_not_blamed(faults_of: FaultsOf) -> None:
    cards = """
        fields:
          suit: {ask: Suit, choices: {red: Red, black: Black}}
          spot: {ask: Spot, number: 1..6, columns: 1..}
          deep: {ask: Spot, number: 1..6, columns: 1..3, default: 4}
        cards:
          - {suit: reed, count: none}
          - {soot: red, deep: {4: 1}}
          - {deep: {3: 7}}
          - {suit: *red, spot: {9: 9}}
          - red
        """
    text = (
        "nodes:\n  go: {draw: cards, as: card, next: on}\n  on: {decide: card.suit is red, yes: end, no: end}" + END
    )
    assert faults_of(text, cards=cards) == [
        "cards.yaml:3:44: error C204: '1..' needs both ends here, like 1..10",
        "cards.yaml:4:50: error C201: a field has no key 'default'; it can be: ask, help, note, number, choices, text, columns",
        "cards.yaml:6:12: error C203: suit: 'reed' is not a choice; did you mean 'red'?",
        "cards.yaml:6:25: error C203: 'count' needs a number above zero",
        "cards.yaml:7:6: error C201: a card of this deck has no 'soot'; it can be: suit, deep",
        "cards.yaml:7:23: error C203: columns of 'deep' run from 1 to 3, not '4'",
        "cards.yaml:8:12: error C203: deep: 7 is out of range in column 3; a number in 1..6 is needed",
        "cards.yaml:9:12: error C104: the alias '*red' is refused; write the value out here",
        "cards.yaml:10:5: error C203: a mapping, each any value is needed here, this is a single value",
    ]


def test_a_chart_does_not_load_from_a_book_with_faults(folder: Path) -> None:
    write_book(folder, "facts:\n  wet: {ask: Is it wet, defalt: no}\n", chart=GO)
    with pytest.raises(ChartError, match="a fact has no key 'defalt'"):
        Library([folder]).load("made/chart")


def test_a_deck_larger_than_any_is_refused(faults_of: FaultsOf) -> None:
    cards = "fields:\n  suit: {ask: Suit, choices: {red: Red, black: Black}}\ncards:\n  - {suit: red, count: 10001}\n"
    assert faults_of(GO, cards=cards) == ["cards.yaml:1:1: error C102: the deck has 10,001 cards, more than 10,000"]


def test_links_that_lead_out_are_not_followed(folder: Path) -> None:
    (folder / "secret.yaml").write_text("title: Secret\n" + GO)
    charts = folder / "charts"
    write_book(charts, chart=run("link"))
    (charts / "made" / "link.yaml").symlink_to((folder / "secret.yaml").resolve())
    (charts / "made" / "gone.yaml").symlink_to(folder / "nowhere.yaml")
    (charts / "made" / "hole.yaml").mkdir()
    assert problems(charts, "made/chart") == [
        "charts/made/link.yaml: error C106: the file leads out of charts; put the file itself there"
    ]
    assert problems(charts, "made/gone") == ["charts/made/gone.yaml: error C106: there is no such file"]
    assert problems(charts, "made/hole") == ["charts/made/hole.yaml: error C106: this is a folder, not a file"]


def test_earlier_folders_come_first(folder: Path) -> None:
    write_book(folder / "mine", chart="title: Mine\n" + GO)
    write_book(folder / "theirs", chart="title: Theirs\n" + GO)
    other = folder / "theirs" / "other"
    other.mkdir()
    (other / "book.yaml").write_text("title: Other\n")
    (other / "more.yaml").write_text("title: More\n" + GO)
    library = Library([folder / "mine", folder / "theirs", folder / "nowhere"])
    assert library.load("made/chart").title == "Mine"
    assert library.load("other/more").title == "More"


def test_load_takes_short_names_and_refuses_unknown_ones(folder: Path) -> None:
    write_book(folder, chart=GO)
    assert Library([folder]).load("chart").id == "made/chart"
    for name in ("made/../secret", "/etc/passwd", "../made/chart", ""):
        with pytest.raises(UsageError, match="there is no chart"):
            Library([folder]).load(name)


def test_problems_are_found_by_id_and_by_path(folder: Path) -> None:
    bad = "nodes:\n  go: {do: Go on., next: ende}" + END
    write_book(folder / "charts", cards="fields: {suit: Red}\nnote: []\n", chart=bad, well=GO)
    library = Library([folder / "charts"])
    chart, deck = ("charts/made/chart.yaml:3:26", "charts/made/cards.yaml:2:7")

    def places(what: str | Path) -> list[str]:
        return [str(problem.place) for problem in library.problems(what)]

    assert places("made/chart") == [deck, chart]
    assert places("well") == [deck]
    assert places("made") == places("charts/made") == places(Path("charts/made")) == [deck, chart]
    assert places("charts") == places(Path("charts").resolve()) == [deck, chart]
    assert places("charts/made/chart.yaml") == places(Path("charts/made/chart.yaml").resolve()) == [deck, chart]
    assert places("charts/made/book.yaml") == places("charts/made/cards.yaml") == [deck]


def test_problems_are_found_outside_the_library_too(folder: Path) -> None:
    bad = "nodes:\n  go: {run: low, next: ende}" + END
    write_book(folder / "drafts", chart=bad, low=GO)
    write_book(folder / "charts", well=GO)
    found = Library([folder / "charts"]).problems("drafts/made/chart.yaml")
    assert [str(problem.place) for problem in found] == ["drafts/made/chart.yaml:3:24"]


def test_problems_never_raise(folder: Path) -> None:
    write_book(folder, chart=GO)
    (folder / "made" / "notes.txt").write_text("nothing")
    (folder / "empty").mkdir()
    assert problems(folder, "nothing") == [
        "nothing: error C303: there is no chart 'nothing'; it can be: chart, made/chart"
    ]
    assert problems(folder, Path("nothing")) == ["nothing: error C106: there is no such file or folder"]
    assert problems(folder, Path("empty")) == ["empty: error C106: there are no charts in this folder"]
    assert problems(folder, Path("made/notes.txt")) == [
        "made/notes.txt: error C106: a chart is a file that ends in .yaml"
    ]
    assert problems(folder, "chart\x00") == [
        "chart\x00: error C303: there is no chart 'chart\x00'; did you mean 'chart'?"
    ]


def test_charts_of_another_book_are_suggested_by_their_full_names(folder: Path) -> None:
    write_book(folder, chart=run("other/lo"))
    (folder / "other").mkdir()
    (folder / "other" / "book.yaml").write_text("title: Other\n")
    (folder / "other" / "low.yaml").write_text("title: Low\n" + GO)
    assert problems(folder, "made/chart") == [
        "made/chart.yaml:3:13: error C303: there is no chart 'lo' in the book 'other'; did you mean 'other/low'?"
    ]


def test_a_file_that_cannot_be_opened_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_book(folder, chart=GO)

    def refuse(path: Path, mode: str = "r") -> None:
        raise PermissionError(13, "Permission denied")

    library = Library([folder])
    assert library.catalogue.ids() == ["made/chart"]
    monkeypatch.setattr(Path, "open", refuse)
    assert read_lines("made/chart.yaml") == []
    assert [str(problem) for problem in library.problems("made/chart")] == [
        "made/book.yaml: error C106: the file cannot be opened: Permission denied",
        "made/chart.yaml: error C106: the file cannot be opened: Permission denied",
    ]


def test_paths_are_shown_as_a_user_would_type_them(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(Path.cwd() / "made" / "chart.yaml") == shown(Path("made/chart.yaml")) == "made/chart.yaml"
    assert shown(Path("/nowhere/made/chart.yaml")) == "/nowhere/made/chart.yaml"
    assert chart_files(Path("/nowhere")) == []

    def refuse() -> Path:
        raise FileNotFoundError

    monkeypatch.setattr(Path, "cwd", refuse)
    assert shown(Path("made/chart.yaml")) == "made/chart.yaml"


def test_lines_are_counted_as_problems_count_them(folder: Path) -> None:
    Path("x.yaml").write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree \xff\x0b\nfour")
    assert read_lines("x.yaml") == ["one", "two", "three \ufffd\x0b", "four"]


def test_only_so_many_faults_of_expressions_are_looked_for(faults_of: FaultsOf) -> None:
    text = "nodes:\n  go: {do: '" + "<wat> " * 150 + "', next: end}" + END
    found = faults_of(text)
    assert len(found) == 100
    assert found[-1].endswith("mend these 100 first; there may be more")


def test_only_so_many_unknown_words_are_looked_up(faults_of: FaultsOf) -> None:
    text = "nodes:\n" + "".join(f"  some{i}: {{do: Go on., next: same{i}}}\n" for i in range(120)) + END.lstrip()
    assert len(faults_of(text)) == 100


def test_a_stop_is_not_judged_where_the_chart_that_is_run_is_broken(faults_of: FaultsOf) -> None:
    book = "facts:\n  wet: Is it wet?\n  crew: {ask: The crew, list: [wet]}\n"
    text = "nodes:\n  go: {each: crew, run: low, when: not wet, until: loss > 0, next: end}" + END
    assert faults_of(text, book, low="nodes: []" + END) == [
        "low.yaml:2:8: error C203: 'nodes' needs a mapping, each node (each, do, decide, set …), this is a list"
    ]
