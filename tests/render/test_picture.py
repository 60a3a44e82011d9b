import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from refcli.core.errors import UsageError
from refcli.render.draw.columns import SPOT, in_columns
from refcli.render.draw.drawing import Drawing, Point
from refcli.render.draw.layout import layout
from refcli.render.draw.picture import svg, xml
from refcli.render.draw.symbols import LEAD, SMALL, symbol, width
from refcli.render.graph import Arrow, Box, Graph, Shape
from tests.editions import BOOKS, HOSTILE, book_edition, chart_edition, hostile_edition
from tests.render.pictured import says, squeezed, ways

Data = dict[str, Any]
Area = tuple[float, float, float, float]
Element = ElementTree.Element
NAMES = {"svg", "title", "desc", "rect", "g", "path", "polygon", "circle", "text", "a"}
PAGES = {page.data["id"]: page for book in BOOKS for page in book_edition(book).pages}
MAPS = {book: found for book in BOOKS if (found := book_edition(book).map) is not None}


def read(text: str) -> Element:
    """The root of an SVG, with names as they are written."""
    root = ElementTree.fromstring(text)
    for part in root.iter():
        part.tag = part.tag.removeprefix("{http://www.w3.org/2000/svg}")
    return root


def kinds(part: Element) -> list[str]:
    return part.get("class", "").split()


def all_of(root: Element, kind: str) -> list[Element]:
    return [part for part in root.iter() if kind in kinds(part)]


def text_of(part: Element) -> str:
    return squeezed("".join(part.itertext()))


@cache
def drawing(name: str) -> Drawing:
    return layout(PAGES[name].graph if name in PAGES else MAPS[name])


# --- what is drawn


@pytest.mark.parametrize("name", PAGES)
def test_every_step_way_and_outcome_of_every_chart_is_drawn(name: str) -> None:
    page = PAGES[name]
    data = page.data
    root = read(svg(page.graph))
    boxes: dict[str, str] = {}
    for box in all_of(root, "box"):
        boxes[box.get("data-id", "")] = boxes.get(box.get("data-id", ""), "") + text_of(box)
    for part in (*data["steps"], *data["outcomes"]):
        told = [
            part["title"].removesuffix(part.get("run", "")),
            *([str(part["number"])] if "number" in part else [part.get("says", "")]),
        ]
        assert [text for text in told if squeezed(text) not in boxes[part["id"]]] == []
    numbers = {step["id"]: str(step["number"]) for step in data["steps"]}
    drawn = {(way.get("data-from"), way.get("data-to")): way for way in all_of(root, "way")}
    assert set(drawn) == {(step, edge["to"]) for step, edge in ways(data)}
    for step, edge in ways(data):
        way = drawn[step, edge["to"]]
        words = " ".join("".join(text.itertext()) for text in way.iter("text") if "words" in kinds(text))
        assert says(words, edge), (step, edge)
        if all_of(way, "leap"):
            (number,) = [text.text for text in way.iter("text") if "number" in kinds(text)]
            assert number == numbers[edge["to"]]


@pytest.mark.parametrize("book", BOOKS)
def test_a_map_has_every_chart_and_every_way_between_them_drawn_or_told(book: str) -> None:
    edition = book_edition(book)
    assert edition.map is not None
    root = read(svg(edition.map))
    boxes = {box.get("data-id"): text_of(box) for box in all_of(root, "box")}
    assert set(boxes) == {page.data["id"] for page in edition.pages}
    drawn = {(way.get("data-from"), way.get("data-to")) for way in all_of(root, "way")}
    for page in edition.pages:
        data = page.data
        for other in {step["run"] for step in data["steps"] if step.get("run") in boxes}:
            title = squeezed(edition.titles[other][0])
            assert (data["id"], other) in drawn or title in boxes[data["id"]]


# --- whether it can be read


def area(part: Any) -> Area:
    made = part.symbol
    return (
        part.x - made.width / 2, part.y - made.height / 2, part.x + made.width / 2, part.y + made.height / 2,
    )  # fmt: skip


def words_areas(drawing: Drawing) -> list[tuple[tuple[str, str], Area]]:
    found = []
    for way in drawing.ways:
        if way.words is not None:
            wide = max(width(line, SMALL) for line in way.words.lines) / 1.04
            high = len(way.words.lines) * SMALL * LEAD - 2
            x, y = way.words.x, way.words.y
            found.append(((way.arrow.start, way.arrow.end), (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)))
    return found


def spots(drawing: Drawing) -> list[tuple[tuple[str, str], Area]]:
    return [
        ((way.arrow.start, way.arrow.end), (x - SPOT, y - SPOT, x + SPOT, y + SPOT))
        for way in drawing.ways
        if way.leap is not None
        for x, y in [way.leap[1]]
    ]


def meet(one: Area, other: Area, slack: float = 0.3) -> bool:
    across = one[0] < other[2] - slack and other[0] < one[2] - slack
    return across and one[1] < other[3] - slack and other[1] < one[3] - slack


def faults(drawing: Drawing) -> list[object]:
    """Everything that lies upon something else, or sticks out of the picture."""
    boxes = [((part.symbol.box.id, ""), area(part)) for part in drawing.placed]
    solid = {part.symbol.box.id for part in drawing.placed if part.symbol.box.shape is not Shape.QUESTION}
    words, circles = words_areas(drawing), spots(drawing)
    found: list[object] = []
    everything = [*boxes, *words, *circles]
    for name, (left, top, right, low) in everything:
        if left < -0.5 or top < -0.5 or right > drawing.width + 0.5 or low > drawing.height + 0.5:
            found.append(("sticks out", name))
    for group, others in ((boxes, boxes), (boxes, circles), (words, words), (words, circles), (circles, circles)):
        for at, (name, one) in enumerate(group):
            for other, two in others[at + 1 :] if group is others else others:
                if meet(one, two):
                    found.append((name, "on", other))
    for name, one in words:
        found += [(name, "on", box) for box, two in boxes if box[0] in solid and meet(one, two)]
    for way in drawing.ways:
        if not way.curved:
            own = (way.arrow.start, way.arrow.end)
            for start, end in zip(way.points, way.points[1:], strict=False):
                line = (min(start[0], end[0]), min(start[1], end[1]), max(start[0], end[0]), max(start[1], end[1]))
                found += [(own, "through", box) for box, two in boxes if box[0] not in own and meet(line, two, 1)]
                found += [(own, "through", other) for other, two in words if other != own and meet(line, two, 1)]
    return found


@pytest.mark.parametrize("name", [*PAGES, *MAPS])
def test_nothing_lies_upon_anything_else(name: str) -> None:
    assert faults(drawing(name)) == []


@pytest.mark.parametrize("name", PAGES)
def test_a_chart_fits_on_a_page_with_type_that_can_be_read(name: str) -> None:
    assert drawing(name).scale * 9 >= 6.3


@pytest.mark.parametrize("name", [*PAGES, *MAPS])
def test_text_stays_inside_its_box(name: str) -> None:
    for part in drawing(name).placed:
        made = part.symbol
        for text in made.texts:
            half = width(text.text, text.size, bold=text.bold) / 2
            if made.box.shape is not Shape.QUESTION:
                assert abs(text.x) + half <= made.width / 2, text.text
                assert -made.height / 2 <= text.y - text.size * 0.8
                assert text.y <= -made.height / 2 + made.body
                continue
            for y in (text.y - text.size * 0.7, text.y):
                assert half / (made.width / 2) + abs(y) / (made.height / 2) <= 1.02, text.text


def touches(point: Point, area: Area) -> bool:
    x, y = point
    left, top, right, low = area
    inside = left - 1 <= x <= right + 1 and top - 1 <= y <= low + 1
    return inside and not (left + 1 < x < right - 1 and top + 1 < y < low - 1)


@pytest.mark.parametrize("name", PAGES)
def test_an_arrow_leads_from_its_box_to_its_box(name: str) -> None:
    boxes: dict[str, list[Area]] = {}
    shapes = {}
    for part in drawing(name).placed:
        boxes.setdefault(part.symbol.box.id, []).append(area(part))
        shapes[part.symbol.box.id] = part.symbol.box.shape
    for way in drawing(name).ways:
        tip = way.points[-1]
        if way.leap is not None:
            assert tip == (pytest.approx(way.leap[1][0] - SPOT), pytest.approx(way.leap[1][1]))
        elif way.curved and shapes[way.arrow.end] is Shape.QUESTION:
            ((left, top, right, low),) = boxes[way.arrow.end]
            x, y = (left + right) / 2, (top + low) / 2
            rim = abs(tip[0] - x) / (right - left) * 2 + abs(tip[1] - y) / (low - top) * 2
            assert rim == pytest.approx(1, abs=0.05)
        else:
            assert any(touches(tip, one) for one in boxes[way.arrow.end]), way


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Any chart of many steps, whichever way its arrows lead."""
    count = draw(st.integers(1, 24))
    texts = st.text("abc WM.?", min_size=1, max_size=70)
    shapes = st.sampled_from([shape for shape in Shape if shape is not Shape.END])
    steps = [Box(f"s{at}", draw(shapes), draw(texts), (), at) for at in range(1, count + 1)]
    ends = [Box(f"e{at}", Shape.END, draw(texts), (draw(texts),), 0, "good") for at in range(draw(st.integers(1, 4)))]
    every = [*steps, *ends]
    pairs = draw(st.sets(st.tuples(st.sampled_from(steps), st.sampled_from(every)), max_size=60))
    arrows = [Arrow(a.id, b.id, draw(st.sampled_from(["", "yes", "no", "a long way round it"]))) for a, b in pairs]
    return Graph("any", "Any", (*steps, *ends), tuple(sorted(arrows, key=lambda arrow: (arrow.start, arrow.end))))


LONG = Arrow("s1", "s2", "a long way round it")
SLIM = Graph("any", "Any", tuple(Box(f"s{at}", Shape.ACTION, "?", (), at) for at in (1, 2)), (LONG,))
"""Words beside a line that are wider than the boxes it joins."""


@settings(max_examples=40, deadline=None)
@example(SLIM)
@given(graphs())
def test_any_chart_can_be_set_in_columns(graph: Graph) -> None:
    made = in_columns(graph)
    assert faults(made) == []
    assert sorted((way.arrow.start, way.arrow.end) for way in made.ways) == [(a.start, a.end) for a in graph.arrows]
    steps = [part.symbol.box.id for part in made.placed if part.symbol.box.number]
    assert sorted(steps) == sorted(box.id for box in graph.boxes if box.number)


# --- how it is written


def test_colours_are_attributes_and_classes_tell_what_is_what() -> None:
    root = read(svg(chart_edition("demo/crossing", demo=True).pages[0].graph))
    ends = {kinds(box)[2]: box for box in all_of(root, "end")}
    (shape,) = all_of(ends["bad"], "shape") if "bad" in ends else []
    assert (shape.get("fill"), shape.get("stroke")) == ("#fbe6e4", "#a3261d")
    assert [kinds(box)[1] for box in all_of(root, "box")] == [
        "action",
        "dice",
        "sum",
        "question",
        "end",
        "end",
        "end",
    ]
    assert not re.search(r"var\(|style=|<style", svg(PAGES["up-front/ordnance"].graph))


def test_tones_and_kinds_can_be_told_apart_without_colour() -> None:
    boxes = [Box(tone, Shape.END, "E", (), 0, tone) for tone in ("good", "bad", "mixed", "plain")]
    boxes += [Box(shape.value, shape, "B", (), 1) for shape in Shape if shape is not Shape.END]
    looks = []
    for box in boxes:
        (found,) = all_of(read(svg(Graph("g", "g", (box,), ()))), "box")
        shape, icon = all_of(found, "shape")[0], all_of(found, "icon")
        looks.append((shape.tag, (shape.get("rx") or "0") > "2", icon[0].get("d") if icon else ""))
    looks.remove(("rect", False, ""))  # a page differs from an action by its tag
    assert len(set(looks)) == len(looks) == len(boxes) - 1


def test_a_picture_tells_what_it_is() -> None:
    root = read(svg(chart_edition("demo/crossing", demo=True).pages[0].graph))
    assert [root.get("role"), root[0].tag, root[0].text, root[1].tag, root[1].text] == [
        "img", "title", "Crossing bad ground", "desc", "Flow chart of 7 boxes and 6 arrows",
    ]  # fmt: skip


def test_jumps_are_links_where_they_lead_somewhere() -> None:
    graph = chart_edition("demo/crossing", demo=True).pages[0].graph
    assert "<a " not in svg(graph)
    assert "<a " not in svg(graph, links={"demo/other": "#other"})
    root = read(svg(graph, links={"demo/volley": "?a=1&b='\"<#volley"}))
    assert root.get("role") == "group"  # what is in an image cannot be reached with the keyboard
    (link,) = root.iter("a")
    assert (link.get("href"), text_of(link)) == ("?a=1&b='\"<#volley", squeezed("Volley at a group · p. 7"))


def test_for_a_page_of_html_there_is_no_head_and_no_paper() -> None:
    graph = chart_edition("demo/crossing", demo=True).pages[0].graph
    alone, inside = svg(graph), svg(graph, links={}, inline=True)
    assert alone.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" ')
    assert inside.startswith("<svg ")
    assert [len(all_of(read(text), "paper")) for text in (alone, inside)] == [1, 0]


def test_a_footnote_is_marked_in_its_box() -> None:
    page = next(page for page in PAGES.values() if any(step.get("note") for step in page.data["steps"]))
    root = read(svg(page.graph))
    marks = {box.id: box.mark for box in page.graph.boxes if box.mark and box.number}
    assert marks
    for box in all_of(root, "box"):
        if box.get("data-id") in marks:
            assert f"[{marks[box.get('data-id', '')]}]" in text_of(box)


def test_hostile_texts_stay_texts() -> None:
    for page in hostile_edition().pages:
        links = {chart: HOSTILE[2] for chart, _, _ in (jump for box in page.graph.boxes for jump in box.jumps)}
        text = svg(page.graph, links=links)
        root = read(text)
        assert {part.tag for part in root.iter()} <= NAMES
        assert not [name for part in root.iter() for name in part.attrib if name.lower().startswith("on")]
        assert {link.get("href") for link in root.iter("a")} <= {HOSTILE[2]}
        boxes = {}
        for box in all_of(root, "box"):
            boxes[box.get("data-id")] = boxes.get(box.get("data-id"), "") + text_of(box)
        for made in page.graph.boxes:
            assert [told for told in (made.title, *made.lines) if squeezed(told) not in boxes[made.id]] == []


def test_what_xml_cannot_hold_is_left_out() -> None:
    assert xml("a\x00b\x0bc\ud800d\ufffee\U0001f3b2<&>\"'") == "abcde🎲&lt;&amp;&gt;&quot;&#39;"


def test_the_same_chart_gives_the_same_bytes() -> None:
    code = (
        "from tests.editions import book_edition as b, chart_edition as c; from refcli.render.draw.picture import svg;"
        "print(svg(c('up-front/ordnance').pages[0].graph), svg(c('bolt-action/orders').pages[0].graph), svg(b('up-front').map))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1


# --- text


@pytest.mark.parametrize(
    ("text", "wide"),
    [("", 0), ("MMMM", 3332), ("iiii", 888), ("é", 556), ("e\u0301", 556), ("漢", 1100), ("🎲", 1100)],
)
def test_the_width_of_text(text: str, wide: int) -> None:
    assert width(text, 1000) == pytest.approx(wide * 1.04)


@pytest.mark.parametrize("shape", Shape)
@pytest.mark.parametrize("title", ["", "a", "w" * 300, "a word " * 60, "Is it " + "w" * 40 + "?"])
def test_a_box_takes_any_text(shape: Shape, title: str) -> None:
    made = symbol(Box("b", shape, title, (title,), 1, "bad" if shape is Shape.END else "", (("c", title, "3"),)))
    told = squeezed("".join(text.text for text in made.texts))
    assert told.startswith(squeezed(title))
    assert made.width < 500


# --- without Graphviz


def test_without_graphviz_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)
    with pytest.raises(UsageError) as caught:
        svg(PAGES["bolt-action/orders"].graph)
    assert str(caught.value) == "drawing a flow chart needs graphviz-pure: pip install 'refcli[print]'"


def test_a_graphviz_that_fails_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "dot"
    program.write_text("#!/bin/sh\necho 'no layout today' >&2\nexit 3\n")
    program.chmod(0o755)
    monkeypatch.setattr("shutil.which", lambda *_, **__: str(program))
    with pytest.raises(UsageError) as caught:
        svg(PAGES["bolt-action/orders"].graph)
    assert str(caught.value) == f"{program} could not lay out the flow chart: no layout today"
    program.write_text("")
    program.chmod(0o644)
    with pytest.raises(UsageError, match=re.escape(f"{program} does not start: Permission denied; drawing a flow")):
        svg(PAGES["bolt-action/orders"].graph)
