import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from refcli.render.draw.dot import dot, dot_of
from refcli.render.edition import Edition
from refcli.render.graph import Graph
from tests.editions import BOOKS, HOSTILE, book_edition, chart_edition, hostile_edition
from tests.render.pictured import cells, modifiers, says, squeezed, ways

Data = dict[str, Any]
PROGRAM = str(Path(sys.executable).parent / "graphviz-pure")


def read(text: str) -> tuple[Data, dict[tuple[str, str], str], dict[str, str]]:
    """What Graphviz reads: the graph, its arrows with their words, its boxes with their texts."""
    done = subprocess.run([PROGRAM, "-Tjson0"], input=text.encode(), capture_output=True, check=True)
    data = json.loads(done.stdout)
    nodes = [node for node in data["objects"] if "shape" in node]
    names = {node["_gvid"]: node["name"] for node in nodes}
    arrows = {(names[edge["tail"]], names[edge["head"]]): edge.get("label", "") for edge in data.get("edges", ())}
    return data, arrows, {node["name"]: plain(node["label"]) for node in nodes}


def plain(label: str) -> str:
    """A label as Graphviz shows it."""
    for code, sign in (("\\n", "\n"), ("\\\\", "\\"), ("&amp;", "&")):
        label = label.replace(code, sign)
    return label


@cache
def editions() -> list[Edition]:
    return [chart_edition(page.data["id"]) for book in BOOKS for page in book_edition(book).pages]


def test_a_chart_as_dot() -> None:
    assert (
        dot(chart_edition("demo/crossing", demo=True))
        == """\
digraph "demo/crossing" {
  graph [label="Crossing bad ground" labelloc=t fontname="Helvetica" fontsize=14 fontcolor="#1a1a1a"]
  node [fontname="Helvetica" fontsize=10 fontcolor="#1a1a1a" style=filled margin="0.1,0.05"]
  edge [fontname="Helvetica" fontsize=9 fontcolor="#1a1a1a" color="#4a4f55"]
  "warn" [shape=box fillcolor="#ffffff" color="#4a4f55" label="1 · Put the unit at the edge."]
  "throw" [shape=hexagon fillcolor="#eaf1fb" color="#3a5f91" label="2 · Roll to cross\\nRoll d10 for die"]
  "score" [shape=box fillcolor="#f1ecf8" color="#6a4c93" label="3 · Add up the score\\nStart with die\\n\
The total is at least 0 and at most 9\\nWho is crossing? Troops or\\ntracked +2 · Wheeled vehicle −1\\n\
Rating: + rating\\nWeather: + weather mod [2]\\nBogged: −1"]
  "stuck_fast" [shape=diamond fillcolor="#fff7df" color="#8a6d1a" label="4 · Is the strict rule played?"]
  "through" [shape=box style="filled,rounded" fillcolor="#e3f3e6" color="#1e6b33" label="Gets through (good)\\n\
The unit goes on with a score of [score]."]
  "stuck" [shape=box style="filled,rounded" fillcolor="#fbe6e4" color="#a3261d" label="Bogged down (bad)\\n\
The unit is stuck.\\nMark it bogged down.\\nIf bogged: It may not try again.\\n→ Volley at a group, p. 7"]
  "lost" [shape=box style="filled,rounded" fillcolor="#fbe6e4" color="#a3261d" label="Lost (bad)\\n\
The unit is gone."]
  "warn" -> "throw"
  "throw" -> "score"
  "score" -> "stuck_fast" [label="5 or less"]
  "score" -> "through" [label="6 or more"]
  "stuck_fast" -> "lost" [label="yes"]
  "stuck_fast" -> "stuck" [label="no"]
}
"""
    )


@pytest.mark.parametrize("edition", editions(), ids=lambda edition: edition.id)
def test_every_way_modifier_and_outcome_of_every_chart_is_there(edition: Edition) -> None:
    data = edition.pages[0].data
    _, arrows, boxes = read(dot(edition))
    assert set(arrows) == {(step, edge["to"]) for step, edge in ways(data)}
    for step, edge in ways(data):
        assert says(plain(arrows[step, edge["to"]]), edge), (step, edge)
    texts = {name: squeezed(text) for name, text in boxes.items()}
    for part in (*data["steps"], *data["outcomes"]):
        assert squeezed(part["title"].removesuffix(part.get("run", ""))) in texts[part["id"]]
    for step, told in modifiers(data):
        assert [text for text in told if squeezed(text) not in texts[step]] == []
    assert [text for step, text in cells(data) if squeezed(text) not in texts[step]] == []


@pytest.mark.parametrize("book", BOOKS)
def test_a_book_is_its_map(book: str) -> None:
    edition = book_edition(book)
    assert edition.map is not None
    _, arrows, boxes = read(dot(edition))
    assert set(boxes) == {page.data["id"] for page in edition.pages}
    assert set(arrows) == {(arrow.start, arrow.end) for arrow in edition.map.arrows}


def test_hostile_texts_stay_texts() -> None:
    for page in hostile_edition().pages:
        graph: Graph = page.graph
        data, arrows, boxes = read(dot_of(graph))
        assert set(boxes) == {box.id for box in graph.boxes}
        assert set(arrows) == {(arrow.start, arrow.end) for arrow in graph.arrows}
        assert plain(data["label"]) == graph.title
        for box in graph.boxes:
            for text in (box.title, *box.lines):
                assert squeezed(text) in squeezed(boxes[box.id])
        for arrow in graph.arrows:
            assert squeezed(plain(arrows[arrow.start, arrow.end])) == squeezed(arrow.words)


@pytest.mark.parametrize("text", HOSTILE)
def test_graphviz_shows_a_hostile_text_as_it_is(text: str) -> None:
    from refcli.render.graph import Box, Shape

    told = dot_of(Graph("g", "g", (Box("b", Shape.ACTION, f"{text} \\N \\G \\l &eacute;"),), ()))
    drawn = subprocess.run([PROGRAM, "-Tsvg"], input=told.encode(), capture_output=True, check=True).stdout.decode()
    from xml.etree import ElementTree

    shown = "".join(
        "".join(part.itertext()) for part in ElementTree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")
    )
    assert squeezed(f"{text} \\N \\G \\l &eacute;") in squeezed(shown)


def test_the_same_chart_gives_the_same_bytes() -> None:
    code = (
        "from tests.editions import chart_edition; from refcli.render.draw.dot import dot;"
        "print(dot(chart_edition('demo/crossing', demo=True)), end='')"
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
    assert runs == {dot(chart_edition("demo/crossing", demo=True)).encode()}
