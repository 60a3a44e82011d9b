"""Mermaid itself is a JavaScript library: these tests read its text by the rules that matter, label by label.

All charts and the hostile book were drawn with Mermaid 11.17 as well.
"""

import html
import re
from functools import cache

import pytest

from refcli.render.draw.mermaid import escaped, mermaid, mermaid_of
from refcli.render.edition import Edition
from refcli.render.graph import Graph
from tests.editions import BOOKS, HOSTILE, book_edition, chart_edition, hostile_edition
from tests.render.pictured import cells, modifiers, says, squeezed, ways

LABEL = r'"((?:[^"#]|#\d+;)*)"'
BOX = re.compile(rf"  ([se]\d+)(?:\[/|\[\[|\[\(|\(\[|\{{\{{|\[|\{{){LABEL}(?:/\]|\\\]|\]\]|\)\]|\]\)|\}}\}}|\]|\}})")
ARROW = re.compile(rf"  ([se]\d+) (-->|-\.->)(?:\|{LABEL}\|)? ([se]\d+)")
OTHER = re.compile(r"  classDef \w+Box fill:#\w{6},stroke:#\w{6},color:#\w{6}|  class [se\d,]+ \w+Box")
LIMIT = 50_000
"""The longest text that Mermaid draws unless it is told otherwise."""


def read(text: str) -> tuple[dict[str, str], dict[tuple[str, str], str]]:
    """The boxes and arrows with their texts; every line must be one that we know."""
    head, title, *lines = text.rstrip("\n").split("\n")
    assert head == "flowchart TB"
    assert re.fullmatch(r"  %% [^{}%]*", title)
    boxes, arrows = {}, {}
    for line in lines:
        if box := BOX.fullmatch(line):
            boxes[box[1]] = plain(box[2])
        elif arrow := ARROW.fullmatch(line):
            arrows[arrow[1], arrow[4]] = plain(arrow[3] or "")
        else:
            assert OTHER.fullmatch(line), line
    assert len(text) < LIMIT
    return boxes, arrows


def plain(label: str) -> str:
    """A label as Mermaid shows it."""
    return html.unescape(re.sub(r"#(\d+);", r"&#\1;", label.replace("<br/>", "\n")))


def names(graph: Graph) -> dict[str, str]:
    return {box.id: f"s{box.number}" if box.number else f"e{at}" for at, box in enumerate(graph.boxes, 1)}


@cache
def editions() -> list[Edition]:
    return [chart_edition(page.data["id"]) for book in BOOKS for page in book_edition(book).pages]


def test_a_chart_as_mermaid() -> None:
    assert (
        mermaid(chart_edition("demo/crossing", demo=True))
        == """\
flowchart TB
  %% Crossing bad ground
  s1["1 · Put the unit at the edge."]
  s2{{"2 · Roll to cross<br/>Roll d10 for die"}}
  s3[/"3 · Add up the score<br/>Start with die<br/>The total is at least 0 and at most 9<br/>\
Who is crossing? Troops or tracked +2 · Wheeled vehicle −1<br/>Rating: + rating<br/>\
Weather: + weather mod #91;2#93;<br/>Bogged: −1"\\]
  s4{"4 · Is the strict rule played?"}
  e5(["✓ Gets through<br/>The unit goes on with a score of #91;score#93;."])
  e6(["✗ Bogged down<br/>The unit is stuck.<br/>Mark it bogged down.<br/>If bogged: It may not try again.<br/>\
→ Volley at a group, p. 7"])
  e7(["✗ Lost<br/>The unit is gone."])
  s1 --> s2
  s2 --> s3
  s3 -->|"5 or less"| s4
  s3 -->|"6 or more"| e5
  s4 -->|"yes"| e7
  s4 -->|"no"| e6
  classDef actionBox fill:#ffffff,stroke:#4a4f55,color:#1a1a1a
  class s1 actionBox
  classDef diceBox fill:#eaf1fb,stroke:#3a5f91,color:#1a1a1a
  class s2 diceBox
  classDef sumBox fill:#f1ecf8,stroke:#6a4c93,color:#1a1a1a
  class s3 sumBox
  classDef questionBox fill:#fff7df,stroke:#8a6d1a,color:#1a1a1a
  class s4 questionBox
  classDef goodBox fill:#e3f3e6,stroke:#1e6b33,color:#1a1a1a
  class e5 goodBox
  classDef badBox fill:#fbe6e4,stroke:#a3261d,color:#1a1a1a
  class e6,e7 badBox
"""
    )


@pytest.mark.parametrize("edition", editions(), ids=lambda edition: edition.id)
def test_every_way_modifier_and_outcome_of_every_chart_is_there(edition: Edition) -> None:
    data, name = edition.pages[0].data, names(edition.pages[0].graph)
    boxes, arrows = read(mermaid(edition))
    assert set(arrows) == {(name[step], name[edge["to"]]) for step, edge in ways(data)}
    for step, edge in ways(data):
        assert says(arrows[name[step], name[edge["to"]]], edge), (step, edge)
    texts = {box: squeezed(text) for box, text in boxes.items()}
    for part in (*data["steps"], *data["outcomes"]):
        assert squeezed(part["title"].removesuffix(part.get("run", ""))) in texts[name[part["id"]]]
    for step, told in modifiers(data):
        assert [text for text in told if squeezed(text) not in texts[name[step]]] == []
    assert [text for step, text in cells(data) if squeezed(text) not in texts[name[step]]] == []


@pytest.mark.parametrize("book", BOOKS)
def test_a_book_is_its_map(book: str) -> None:
    edition = book_edition(book)
    assert edition.map is not None
    name = names(edition.map)
    boxes, arrows = read(mermaid(edition))
    assert set(boxes) == set(name.values())
    assert set(arrows) == {(name[arrow.start], name[arrow.end]) for arrow in edition.map.arrows}


def test_a_way_back_is_dotted() -> None:
    graph = next(e.pages[0].graph for e in editions() if any(arrow.back for arrow in e.pages[0].graph.arrows))
    name, lines = names(graph), mermaid_of(graph).split("\n")
    dotted = {(found[1], found[4]) for line in lines if (found := ARROW.fullmatch(line)) and found[2] == "-.->"}
    assert dotted == {(name[arrow.start], name[arrow.end]) for arrow in graph.arrows if arrow.back}


def test_hostile_texts_stay_texts() -> None:
    for page in hostile_edition().pages:
        name = names(page.graph)
        boxes, arrows = read(mermaid_of(page.graph))
        for box in page.graph.boxes:
            for text in (box.title, *box.lines):
                assert squeezed(text) in squeezed(boxes[name[box.id]])
        for arrow in page.graph.arrows:
            assert squeezed(arrows[name[arrow.start], name[arrow.end]]) == squeezed(arrow.words)


@pytest.mark.parametrize("text", [*HOSTILE, "%%{init: {}}%%", "a|b", "(a)", "**b** _i_ ~~s~~", "$$x$$", "\\n", "end"])
def test_no_sign_with_a_meaning_is_left(text: str) -> None:
    told = escaped(text)
    assert not set(re.sub(r"#\d+;", "", told)) & set('"#`<>&%|[](){}*_\\$;@^')
    assert plain(told) == " ".join(text.split())


@pytest.mark.parametrize(
    ("text", "told"),
    [("1. list", "1#46; list"), ("- a", "#45; a"), ("+ a", "#43; a"), ("~ a", "#126; a"), ("-3", "#45;3")],
)
def test_the_start_of_a_text_is_no_list(text: str, told: str) -> None:
    assert escaped(text) == told


def test_a_text_about_style_is_not_taken_for_one() -> None:
    from refcli.render.graph import Box, Shape

    text = mermaid_of(Graph("g", "g", (Box("b", Shape.ACTION, 'A style: "new" one', (), 1),), ()))
    assert '  s1["1 · A style#58; #34;new#34; one"]\n' in text
