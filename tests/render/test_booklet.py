import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium
import pytest

from refcli.core.errors import UsageError
from refcli.render.edition import Edition
from refcli.render.graph import Arrow, Box, Graph, Shape
from refcli.render.paper.booklet import pdf
from refcli.render.paper.pictures import READABLE, Room, on_one_page, pictures, spread
from tests.editions import BOOKS, HOSTILE, book_edition, chart_edition, hostile_edition

Data = dict[str, Any]
ON_LETTER = ("bolt-action", "laser-grenadiers")
ROOM = Room(500, 680, 740)
SIGNS = {0x02: "-", 0xFFFE: "-", 0x200B: None}
"""What pdfium makes of a hyphen at the end of a line; and where our long words may be broken."""


class Reader:
    """A PDF read back: its pages as text, its bookmarks, and its links as pairs of pages, from 0."""

    def __init__(self, made: bytes) -> None:
        with pypdfium2.PdfDocument(made) as pdf:
            self.sizes = {tuple(round(side) for side in page.get_size()) for page in pdf}
            self.lines = [self.text(page) for page in pdf]
            self.bodies = [self.text(page, bottom=44) for page in pdf]
            """Pages without what stands at their foot."""
            self.marks = [mark.get_title() for mark in pdf.get_toc()]
            self.links = [(at, target) for at, page in enumerate(pdf) for target in self.targets(pdf, page)]

    @staticmethod
    def text(page: pypdfium2.PdfPage, **part: float) -> str:
        return "".join(page.get_textpage().get_text_bounded(**part).translate(SIGNS).split())

    @staticmethod
    def targets(pdf: pypdfium2.PdfDocument, page: pypdfium2.PdfPage) -> Iterator[int]:
        for number in range(pdfium.FPDFPage_GetAnnotCount(page)):
            link = pdfium.FPDFAnnot_GetLink(pdfium.FPDFPage_GetAnnot(page, number))
            target = pdfium.FPDFLink_GetDest(pdf, link)
            assert target, "a link leads nowhere"
            yield pdfium.FPDFDest_GetDestPageIndex(pdf, target)


@cache
def read(book: str) -> Reader:
    """A book or a chart; some on Letter."""
    demo = book.startswith("demo")
    edition = chart_edition(book, demo=demo) if "/" in book else book_edition(book, demo=demo)
    return Reader(pdf(edition, paper="letter" if book in ON_LETTER else "a4"))


def squeezed(text: str) -> str:
    return "".join(text.split())


def test_a_chart_is_a_sheet_that_reads_from_top_to_bottom() -> None:
    sheet = read("demo/crossing")
    assert sheet.marks == ["Crossing bad ground"]
    (text,) = sheet.lines
    told = [
        "Crossing bad ground", "Demo Skirmish · source page 4 · demo/crossing · Source: Demo Skirmish Rules (2001)",
        "Does a unit that crosses bad ground get through?",
        "Questions", "Who is crossing? crossing", "Troops or tracked · Wheeled vehicle",
        "A gun that is pushed counts as troops.", "Rating on the card rating −3 to 3 (default 0)",
        "yes or no (ask the owner)", "House rules", "Is the strict rule played?1 strict yes or no (default no)",
        "Steps", "3 Add up the score", "Start with die", "The total is at least 0 and at most 9",
        "5 or less → step 4", "6 or more → Gets through", "Modifier Amount",
        "Who is crossing? Troops or tracked +2", "Wheeled vehicle −1", "Rating + rating", "Weather2 + weather mod",
        "Bogged −1", "4 Is the strict rule played?", "yes → Lost", "no → Bogged down",
        "Outcomes", "Gets through (good)", "The unit goes on with a score of [score].", "Gives score",
        "Bogged down (bad)", "Mark it bogged down.", "If bogged: It may not try again.",
        "Next: Volley at a group (source page 7, demo/volley)", "Notes", "1 Reading 2: we do not play it strictly.",
        "2 Likely: rain counts once.", "Demo Skirmish · Crossing bad ground, source page 4", "1",
    ]  # fmt: skip
    at = 0
    for part in told:
        found = text.find(squeezed(part), at)
        assert found >= 0, f"{part}\n{text[at:]}"
        at = found + 1


def test_a_book_has_contents_with_pages_a_map_shared_questions_decks_and_glossary() -> None:
    book = read("demo")
    assert book.marks == [
        "Crossing bad ground",
        "Volley at a group",
        "One man under fire",
        "Shared questions",
        "Decks",
        "Glossary",
    ]
    pages = [next(at for at, text in enumerate(book.lines[1:], 2) if f"·demo/{name}" in text)
             for name in ("crossing", "volley", "man-hit")]  # fmt: skip
    first = book.lines[0]
    for line in (
        "Demo SkirmishSource: Demo Skirmish Rules (2001)Charts",
        f"Crossing bad ground (source page 4)then Volley at a group{pages[0]}",
        f"Volley at a group (source page 7)plays One man under fire{pages[1]}",
        "Charts that serve the others",
        f"One man under fire{pages[2]}",
        "At the endShared questions",
        "Map",
    ):
        assert squeezed(line) in first, line
    assert squeezed(f"play One man under fire (p. {pages[2]})") in book.lines[pages[1] - 1]
    assert squeezed(f"Volley at a group · p. {pages[1]}") in book.lines[pages[0] - 1], "the tag of a jump"
    last = "".join(book.lines[pages[2] - 1 :])
    assert squeezed("Who is in the open?men a list, one line for each manOf each: What is he called?") in last
    assert squeezed("Reading 1: a man without a figure has 3.") in last
    assert squeezed("GlossaryCPCommand post") in last


@pytest.mark.parametrize("book", BOOKS)
def test_a_whole_book(book: str) -> None:
    """One test for each book, as it takes seconds to make one."""
    made, edition = read(book), book_edition(book)
    every_step_way_modifier_outcome_and_note_is_there(made, edition)
    every_page_has_its_paper_its_number_and_says_what_it_is_about(made, edition)
    links_lead_to_charts_steps_and_notes(made, edition)
    a_chart_that_menus_list_begins_a_page(made, edition)


def every_step_way_modifier_outcome_and_note_is_there(made: Reader, edition: Edition) -> None:
    text = "".join(made.bodies)
    starts = []
    for page in edition.pages:
        title = squeezed(f"{page.data['title']}{edition.title}·")
        cite = squeezed(f"·{page.data['id']}{page.data['summary']}")
        starts.append(text.index(cite, text.index(title)))
    for page, start, end in zip(edition.pages, starts, [*starts[1:], len(text)], strict=True):
        told = text[start:end]
        for wanted in wanted_of(page.data):
            assert squeezed(wanted) in told, f"{page.data['id']}: {wanted}"
    for fact in {fact["name"]: fact for page in edition.pages for fact in page.data.get("facts", ())}.values():
        for wanted in (fact["ask"], fact.get("help", ""), fact.get("note", ""), *fact.get("choices", {}).values()):
            assert squeezed(wanted) in text, f"{fact['name']}: {wanted}"


def wanted_of(data: Data) -> Iterator[str]:
    """All that the outline of a chart says of its questions, steps and outcomes, as it reads in a line."""
    for fact in data.get("facts", ()):
        yield fact["ask"]
        yield fact.get("note", "")
    for step in data["steps"]:
        yield step["title"].removesuffix(step.get("run", ""))
        yield step.get("note", "")
        for edge in step.get("edges", ()):
            straight = len(step["edges"]) == 1 and (edge["on"], edge["goes"]) == (
                "next",
                f"step {step['number'] + 1}",
            )
            if "table" not in step and not straight:
                yield f"{edge['words'] if edge['on'] != 'next' else ''}→{edge['goes']}"
        for modifier in step.get("modifiers", ()):
            yield modifier["label"]
            when = modifier.get("when", "")
            yield when if when.lower() != modifier["label"].lower() else ""
            yield modifier.get("note", "")
            yield from (f"{key}{amount}" for key, amount in modifier["amounts"].items())
        for row in step.get("table", {}).get("rows", ()):
            yield row["on"] + "".join(row["cells"])
    for end in data["outcomes"]:
        yield end["title"]
        yield end["says"]
        yield end.get("note", "")
        for effect in end.get("effects", ()):
            yield (f"If {effect['when']}: " if "when" in effect else "") + effect["do"]


def every_page_has_its_paper_its_number_and_says_what_it_is_about(made: Reader, edition: Edition) -> None:
    assert made.sizes == {(612, 792) if edition.id in ON_LETTER else (595, 842)}
    assert made.marks[: len(edition.pages)] == [page.data["title"] for page in edition.pages]
    for number, page in enumerate(made.lines, 1):
        about = squeezed(edition.title)
        assert page.endswith(str(number)) if number % 2 else f"{number}{about}" in page, f"page {number}"
        assert len(page) > 60, f"page {number} is all but empty"
        for title in (chart.data["title"] for chart in edition.pages):
            assert squeezed(f"{title} ({title})") not in page, "contents"
            foot = squeezed(f"{edition.title} · {title}, {title}")
            assert not page.removesuffix(str(number)).endswith(foot), f"the foot of page {number}"
        assert not any("\ue000" <= sign <= "\uf8ff" for sign in page), f"page {number} has a mark for us in it"


def links_lead_to_charts_steps_and_notes(made: Reader, edition: Edition) -> None:
    ways = sum(len(step.get("edges", ())) for page in edition.pages for step in page.data["steps"])
    assert len(made.links) > ways / 2
    assert len({target for at, target in made.links if at == 0}) >= len(edition.pages) / 2


def a_chart_that_menus_list_begins_a_page(made: Reader, edition: Edition) -> None:
    for page in edition.pages:
        if page.listed:
            head = squeezed(f"{page.data['title']}{edition.title}·")
            assert any(text.startswith(head) for text in made.lines), page.data["id"]


def test_hostile_texts_stay_text() -> None:
    made = pdf(hostile_edition(), paper="a4")
    text = "".join(Reader(made).lines)
    for hostile in HOSTILE:
        if hostile.isascii():
            assert squeezed(hostile) in text, hostile
    assert b"/JavaScript" not in made
    assert b"/URI" not in made


def test_a_reprint_has_the_same_bytes() -> None:
    edition = chart_edition("demo/volley", demo=True)
    assert pdf(edition, paper="a4") == pdf(edition, paper="a4")
    assert pdf(edition, paper="a4") != pdf(edition, paper="letter")


def test_another_process_and_another_day_make_the_same_bytes() -> None:
    code = (
        "import sys, hashlib; from tests.editions import chart_edition; from refcli.render.paper.booklet import pdf;"
        "print(hashlib.sha256(pdf(chart_edition('demo/crossing', demo=True), paper='a4')).hexdigest())"
    )
    hashes = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed, "TZ": zone}
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    }  # fmt: skip
    assert len(hashes) == 1


def test_without_typst_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(UsageError, match=r"^a booklet needs typst: pip install 'refcli\[print\]'$"):
        pdf(chart_edition("demo/crossing", demo=True), paper="a4")


# --- drawings that are too big for a page


def chain(count: int) -> Graph:
    """Steps below each other, each with a way to an end, and the first with a way to the last."""
    steps = [Box(f"s{at}", Shape.QUESTION, f"Is it number {at}?", (), at) for at in range(1, count + 1)]
    on = [Arrow(f"s{at}", f"s{at + 1}", "no") for at in range(1, count)]
    out = [Arrow(f"s{at}", "end", "yes") for at in range(1, count + 1)]
    skip = [Arrow("s1", f"s{count}", "perhaps")]
    return Graph("made/chain", "Chain", (*steps, Box("end", Shape.END, "The end", tone="good")), (*on, *out, *skip))


def test_a_drawing_spread_over_parts_keeps_every_box_and_every_way() -> None:
    whole = chain(20)
    parts = spread(whole, 3)
    assert [sum(box.shape is Shape.QUESTION for box in part.boxes) for part in parts] == [7, 6, 7]
    assert {box for part in parts for box in part.boxes} >= set(whole.boxes)
    ways = [(arrow.start, arrow.end.removeprefix("to:"), arrow.words) for part in parts for arrow in part.arrows]
    assert sorted(ways) == sorted((arrow.start, arrow.end, arrow.words) for arrow in whole.arrows)
    tags = [box.title for box in parts[0].boxes if box.id.startswith("to:")]
    assert tags == ["→ step 8, part 2", "→ step 20, part 3"]
    for part in parts:
        assert {arrow.end for arrow in part.arrows} <= {box.id for box in part.boxes}


def test_a_graph_of_few_steps_is_not_spread() -> None:
    assert spread(chain(5), 4) == [chain(5)]


def test_a_big_drawing_fits_its_pages_with_type_that_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("refcli.render.draw.picture.svg", lambda graph, **_: _tall(len(graph.boxes)))
    made = pictures(chain(60), ROOM)
    assert [picture["caption"] for picture in made] == ["Part 1 of 3", "Part 2 of 3", "Part 3 of 3"]
    for picture, high in zip(made, (ROOM.first, ROOM.height, ROOM.height), strict=True):
        assert picture["width"] <= ROOM.width
        assert picture["scale"] >= READABLE
        assert picture["height"] <= high
        assert not picture["turned"]


def _tall(boxes: int) -> str:
    return f'<svg width="300pt" height="{boxes * 30}pt"></svg>'


def test_a_wide_drawing_is_turned_and_a_hopeless_one_is_left_out_of_the_contents(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "refcli.render.draw.picture.svg", lambda graph, **_: '<svg width="700pt" height="300pt"></svg>'
    )
    (picture,) = pictures(chain(4), ROOM)
    assert (picture["turned"], picture["caption"]) == (True, "")
    assert picture["width"] == pytest.approx(ROOM.first, abs=0.1)
    monkeypatch.setattr(
        "refcli.render.draw.picture.svg", lambda graph, **_: '<svg width="4000pt" height="300pt"></svg>'
    )
    assert on_one_page(chain(4), ROOM) == []
