"""Diagrams: every step, arrow and outcome is there, and the lines lead where the chart says."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refcli.core.chart import Chart
from refcli.load.library import Library
from refcli.render.diagram.canvas import cells
from refcli.render.diagram.diagram import diagram, key
from refcli.render.graph import Arrow, Box, Graph, Shape, book_graph, graph
from refcli.render.outline import outline
from tests.render.tracing import squeezed, trace

FLOWCHARTS = Path(__file__).parents[2] / "flowcharts"
WIDTHS = (60, 80, 100, 140)
CORNERS = {Shape.QUESTION: "╱", Shape.PAGE: "╓"}
TONES = {"good": "✓", "bad": "✗", "mixed": "±", "plain": ""}


@cache
def shelf() -> Library:
    return Library([FLOWCHARTS])


@cache
def titles() -> dict[str, tuple[str, str]]:
    return {chart.id: (chart.title, chart.page) for book in shelf().titles() for chart in book.charts}


@cache
def drawn(name: str) -> Graph:
    """The graph of a chart, or the map of a book."""
    if "/" in name:
        return graph(outline(shelf().load(name)), titles())
    charts = [outline(shelf().load(chart)) for chart in titles() if chart.startswith(f"{name}/")]
    return book_graph({"id": name, "title": name}, charts, titles())


CHARTS = sorted(titles())
BOOKS = sorted({name.partition("/")[0] for name in CHARTS})


def end_text(box: Box) -> str:
    """What stands at an outcome."""
    told = [TONES[box.tone], box.title, f"[{box.mark}]" if box.mark else ""]
    for _, title, page in box.jumps:
        told += ["▷", f"p.{page}" if page[:1].isdigit() else "", title]
    return squeezed("".join(told))


def arrows_of(chart: Graph) -> Counter[tuple[int, str, int | str]]:
    """The arrows that must be drawn."""
    steps = [box for box in chart.boxes if box.shape is not Shape.END]
    number = {box.id: box.number or place for place, box in enumerate(steps, 1)}
    ends = {box.id: end_text(box) for box in chart.boxes if box.shape is Shape.END}
    return Counter((number[a.start], squeezed(a.words), number.get(a.end) or ends[a.end]) for a in chart.arrows)


def check(chart: Graph, width: int) -> None:
    """A diagram shows the whole of a graph, and nothing else."""
    lines = diagram(chart, width)
    assert max(map(len, lines)) <= width
    assert not [line for line in lines if line != line.rstrip()]
    found = trace(lines)
    assert Counter(found.arrows) == arrows_of(chart)
    steps = [box for box in chart.boxes if box.shape is not Shape.END]
    assert [box.number for box in found.boxes] == [box.number or place for place, box in enumerate(steps, 1)]
    for box, seen in zip(steps, found.boxes, strict=True):
        title = box.title
        for _, other, _ in box.jumps:
            title = title.removeprefix("Play ")
            assert squeezed(f"▷{other}") in squeezed(seen.text).replace(f"▷p.{box.jumps[0][2]}", "▷")
        assert squeezed(title) in squeezed(seen.text)
        assert seen.corner == CORNERS.get(box.shape, "┌")


@pytest.mark.parametrize("name", [*CHARTS, *BOOKS])
def test_every_arrow_leads_where_the_chart_says(name: str) -> None:
    for width in WIDTHS:
        check(drawn(name), width)


@pytest.mark.parametrize("name", CHARTS)
def test_every_way_of_the_outline_is_an_arrow_with_its_words(name: str) -> None:
    data, found = outline(shelf().load(name)), trace(diagram(drawn(name), 80)).arrows
    number = {step["id"]: step["number"] for step in data["steps"]}
    ends = {end["id"]: squeezed(TONES[end["tone"]] + end["title"]) for end in data["outcomes"]}
    for step in data["steps"]:
        leads = [(words, to) for start, words, to in found if start == step["number"]]
        for edge in step.get("edges", ()):
            to = number.get(edge["to"])
            words = [told for told, end in leads if (end == to if to else str(end).startswith(ends[edge["to"]]))]
            assert words, f"no arrow from {step['id']} to {edge['to']}"
            if "band" not in edge and edge["on"] != "next" and step["kind"] != "table":
                assert any(squeezed(edge["words"]) in told for told in words)


WORDS = st.text("ab c", min_size=1, max_size=30).map(lambda text: " ".join(text.split()) or "a")


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Any graph: loops, jumps far ahead and back, boxes that many arrows leave, long and short words."""
    count = draw(st.integers(1, 14))
    shapes = st.sampled_from([Shape.QUESTION, Shape.ACTION, Shape.DICE, Shape.TABLE])
    boxes = [Box(f"n{at}", draw(shapes), draw(WORDS), (), at) for at in range(1, count + 1)]
    boxes += [
        Box(f"e{at}", Shape.END, draw(WORDS), (), 0, draw(st.sampled_from([*TONES])))
        for at in range(1, draw(st.integers(1, 4)) + 1)
    ]
    pairs = draw(
        st.lists(
            st.tuples(
                st.sampled_from([f"n{at}" for at in range(1, count + 1)]), st.sampled_from([b.id for b in boxes])
            ),
            max_size=30,
            unique=True,
        )
    )
    arrows = [Arrow(start, end, draw(st.one_of(st.just(""), WORDS, st.just("x" * 70)))) for start, end in pairs]
    return Graph("made", "Made up", tuple(boxes), tuple(arrows))


PLAIN = str.maketrans("│─┘┐┤└┌├┴┬┼╱╲╭╮╰╯▼◄►✓✗±…", "|-++++++++|/\\..''v<>+x~~")


@settings(deadline=None, max_examples=150)
@given(graphs(), st.integers(60, 120))
def test_lines_lead_right_in_any_graph(made: Graph, width: int) -> None:
    check(made, width)
    # and plain signs draw the same, sign for sign
    plain = [line.translate(PLAIN) for line in diagram(made, width)]
    assert diagram(made, width, "ascii") == plain


@pytest.mark.parametrize("name", CHARTS)
def test_lines_are_few_and_short(name: str) -> None:
    lines = diagram(drawn(name), 80)
    found = trace(lines)
    place = {box.number: at for at, box in enumerate(found.boxes)}
    # no line beside the boxes passes more than six of them; what leads farther says where
    numbered = {(caller, box.number) for box in found.boxes for caller in box.callers}
    for start, _, end in found.arrows:
        if isinstance(end, int) and (start, end) not in numbered:
            assert abs(place[end] - place[start]) <= 6
    # and no place has more than three lines beside each other
    lanes = {at for line in lines for at, sign in enumerate(line) if sign in "┐┘┤" and at > found.boxes[0].right + 4}
    assert len(lanes) <= 3


VOLLEY = {"demo/volley": ("Volley at a group", "7")}


def test_a_small_chart(chart: Callable[[str], Chart]) -> None:
    made = graph(outline(chart("crossing")), VOLLEY)
    assert "\n".join(diagram(made, 80)) == dedent("""\
        ┌──────────────────────────────┐
        │ 1 Put the unit at the edge.  │
        └──┬───────────────────────────┘
        ┌──▼───────────────────────────┐
        │ 2 Roll to cross              │
        │   Roll d10 for die           │
        └──┬───────────────────────────┘
        ┌──▼───────────────────────────┐              ╭────────────────╮
        │ 3 Add up the score           ├─ 6 or more ─►│ ✓ Gets through │
        └──┬───────────────────────────┘              ╰────────────────╯
           │ 5 or less
        ╱──▼───────────────────────────╲        ╭────────╮
        │ 4 Is the strict rule played? ├─ yes ─►│ ✗ Lost │
        │                              │        ╰────────╯
        │                              │        ╭──────────────────────────╮
        │                              ├─ no ──►│ ✗ Bogged down            │
        │                              │        │ ▷ p. 7 Volley at a group │
        ╲──────────────────────────────╱        ╰──────────────────────────╯""")
    assert key(made) == "✓ good · ✗ bad · ▷ another chart"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437", "no such thing"])
def test_plain_signs_where_the_output_shows_no_others(chart: Callable[[str], Chart], encoding: str) -> None:
    made = graph(outline(chart("crossing")), VOLLEY)
    assert "\n".join(diagram(made, 80, encoding)) == dedent("""\
        +------------------------------+
        | 1 Put the unit at the edge.  |
        +--+---------------------------+
        +--v---------------------------+
        | 2 Roll to cross              |
        |   Roll d10 for die           |
        +--+---------------------------+
        +--v---------------------------+              .----------------.
        | 3 Add up the score           +- 6 or more ->| + Gets through |
        +--+---------------------------+              '----------------'
           | 5 or less
        /--v---------------------------\\        .--------.
        | 4 Is the strict rule played? +- yes ->| x Lost |
        |                              |        '--------'
        |                              |        .---------------------------.
        |                              +- no -->| x Bogged down             |
        |                              |        | >> p. 7 Volley at a group |
        \\------------------------------/        '---------------------------'""")
    assert key(made, encoding) in ("+ good | x bad | >> another chart", "+ good · x bad · >> another chart")


def made_graph(*arrows: Arrow, title: str = "Is it?", end: str = "Over") -> Graph:
    """A graph of as many questions as arrows name, and one end, `e`."""
    count = max(int(name[1:]) for arrow in arrows for name in (arrow.start, arrow.end) if name != "e")
    boxes = [Box(f"n{at}", Shape.QUESTION, title, (), at) for at in range(1, count + 1)]
    return Graph("made", "Made up", (*boxes, Box("e", Shape.END, end, (), 0, "mixed")), arrows)


def test_a_loop_a_lane_that_is_shared_and_a_number_for_what_is_far() -> None:
    made = made_graph(
        Arrow("n1", "n2", "on"),
        Arrow("n1", "n4", "skip"),
        Arrow("n2", "n4"),
        Arrow("n2", "n2", "again"),
        Arrow("n3", "n13", "far away"),
        Arrow("n4", "n1", "back", True),
    )
    assert "\n".join(diagram(made, 60)[:15]) == dedent("""\
        ╱──── from 4 ────────╲
        │  1 Is it?          ├─ skip ───────────────────┐
        ╲──┬─────────────────╱                          │
           │ on                                         │
        ╱──▼─────────────────╲◄───────────────────────┐ │
        │  2 Is it?          ├────────────────────────┼─┤
        │                    ├─ again ────────────────┘ │
        ╲────────────────────╱                          │
                                                        │
        ╱────────────────────╲                          │
        │  3 Is it?          ├─ far away ─► 13 Is it?   │
        ╲────────────────────╱                          │
                                                        │
        ╱────────────────────╲◄─────────────────────────┘
        │  4 Is it?          ├─ back ─► 1 Is it?""")


HOSTILE = "│ ┼►\t漢字 \x1b[31mred\x07 e\u0301\u202egnorw \U0001f600 \n<b>$x$</b> " + "w" * 200


def test_hostile_texts_stay_in_their_boxes() -> None:
    made = made_graph(Arrow("n1", "n2", HOSTILE), Arrow("n1", "e", HOSTILE), title=HOSTILE, end=HOSTILE)
    lines = diagram(made, 60)
    assert all(cells(line) <= 60 for line in lines)
    assert not [sign for line in lines for sign in line if sign in "\x1b\x07\u202e\t\n"]
    rights = {cells(line[: 1 + line.find("╲")]) for line in lines if line.startswith("╱")}
    (right,) = rights
    inner = [line for line in lines if line.startswith("│ ")]
    assert inner
    for line in inner:
        at, column = 0, 0
        while column < right - 1:
            column += cells(line[at])
            at += 1
        assert line[at] in "│├", line


def test_texts_of_nothing_are_named_after_their_part() -> None:
    made = made_graph(Arrow("n1", "e", "\x00"), title="\x00", end=" ")
    assert "\n".join(diagram(made, 80)) == dedent("""\
        ╱──────╲   ╭─────╮
        │ 1 n1 ├──►│ ± e │
        ╲──────╱   ╰─────╯""")


def test_the_map_of_a_book_names_the_charts_that_each_plays(chart: Callable[[str], Chart]) -> None:
    charts = [outline(chart(name)) for name in ("crossing", "volley", "man-hit")]
    names = {data["id"]: (data["title"], data.get("page", "")) for data in charts}
    made = book_graph({"id": "demo", "title": "Demo"}, charts, names)
    assert "\n".join(diagram(made, 80)) == dedent("""\
        ╓──────────────────────────────╖
        ║ 1 ▷ p. 4 Crossing bad ground ╟─ then ─► 2 Volley at a group
        ╙──────────────────────────────╜

        ╓──── from 1 ──────────────────╖
        ║ 2 ▷ p. 7 Volley at a group   ╟──► 3 One man under fire
        ╙──────────────────────────────╜

        ╓──── from 2 ──────────────────╖
        ║ 3 ▷ One man under fire       ║
        ╙──────────────────────────────╜""")
    assert key(made) == "► plays · then ► may follow"


def test_the_same_chart_gives_the_same_drawing_in_any_process() -> None:
    code = "from refcli.cli.main import main; main()"
    told = {
        subprocess.run(
            [sys.executable, "-c", code, "show", "up-front/fire-resolution", "--diagram", "--charts", FLOWCHARTS],
            capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"}, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(told) == 1
