import builtins
import re
import struct
from functools import cache
from typing import Any
from xml.etree import ElementTree

import pytest

from refcli.core.errors import UsageError
from refcli.render.draw.sheet import png_file, svg_file
from refcli.render.draw.symbols import width
from refcli.render.edition import Edition
from refcli.render.footnotes import footnotes
from tests.editions import BOOKS, book_edition, chart_edition, hostile_edition
from tests.render.pictured import cells, modifiers, squeezed

Data = dict[str, Any]
SVG = "{http://www.w3.org/2000/svg}"


def lines(edition: Edition, kind: str) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(svg_file(edition))
    return [part for part in root.iter(f"{SVG}text") if part.get("class") == kind]


def told(edition: Edition) -> str:
    """The small print."""
    return "".join(squeezed(part.text or "") for part in lines(edition, "print"))


@cache
def editions() -> list[Edition]:
    return [chart_edition(page.data["id"]) for book in BOOKS for page in book_edition(book).pages]


def test_a_sheet_has_a_head_a_drawing_and_small_print() -> None:
    edition = chart_edition("demo/crossing", demo=True)
    assert [part.text for part in lines(edition, "title")] == ["Crossing bad ground"]
    assert [part.text for part in lines(edition, "cite")] == [
        "Demo Skirmish · page 4 · demo/crossing · Demo Skirmish Rules (2001)"
    ]
    assert [part.text for part in lines(edition, "print")] == [
        "Questions",
        "Who is crossing? (Troops or tracked · Wheeled",
        "vehicle)",
        "Rating on the card (−3 to 3; default 0)",
        "Is it bogged already? (yes or no)",
        "What is the weather? (Clear sky · Heavy rain;",
        "default Clear sky)",
        "Is the strict rule played? (yes or no; default no;",
        "house rule) [1]",
        "3 · Add up the score",
        "Who is crossing? Troops or tracked +2 · Wheeled",
        "vehicle −1",
        "Rating: + rating",
        "Weather: + weather mod [2]",
        "Bogged: −1",
        "Bogged down",
        "Mark it bogged down.",
        "If bogged: It may not try again.",
        "Notes",
        "[1] Reading 2: we do not play it strictly.",
        "[2] Likely: rain counts once.",
    ]


@pytest.mark.parametrize("edition", editions(), ids=lambda edition: edition.id)
def test_all_that_the_drawing_leaves_out_is_in_the_small_print(edition: Edition) -> None:
    data, print_ = edition.pages[0].data, told(edition)
    assert [part for _, texts in modifiers(data) for part in texts if squeezed(part) not in print_] == []
    assert [text for _, text in cells(data) if squeezed(text) not in print_] == []
    effects = [effect["do"] for end in data["outcomes"] for effect in end.get("effects", ())]
    assert [text for text in effects if squeezed(text) not in print_] == []
    assert [fact["ask"] for fact in data.get("facts", ()) if squeezed(fact.get("ask", "")) not in print_] == []
    notes = [f"[{number}]{note}" for note, number in footnotes(data).items()]
    assert [note for note in notes if squeezed(note) not in print_] == []
    assert data.get("page", "") in " ".join(part.text or "" for part in lines(edition, "cite"))


@pytest.mark.parametrize("edition", editions(), ids=lambda edition: edition.id)
def test_the_small_print_stays_on_the_sheet_and_in_its_column(edition: Edition) -> None:
    root = ElementTree.fromstring(svg_file(edition))
    _, _, wide, high = map(float, root.get("viewBox", "").split())
    starts = {float(part.get("x", "0")) for part in lines(edition, "print") if part.get("font-weight")}
    for part in (*lines(edition, "print"), *lines(edition, "cite"), *lines(edition, "title")):
        size, x, bold = float(part.get("font-size", "0")), float(part.get("x", "0")), bool(part.get("font-weight"))
        right = x + width(part.text or "", size, bold=bold)
        beside = min((start for start in starts if start > x + 20), default=wide)
        assert right <= (beside if part.get("class") == "print" else wide), part.text
        assert size < float(part.get("y", "0")) <= high


@pytest.mark.parametrize("book", BOOKS)
def test_a_book_is_its_map(book: str) -> None:
    root = ElementTree.fromstring(svg_file(book_edition(book)))
    boxes = {part.get("data-id") for part in root.iter(f"{SVG}g") if part.get("data-id")}
    assert boxes == {page.data["id"] for page in book_edition(book).pages}


def test_hostile_texts_stay_texts() -> None:
    whole = hostile_edition()
    for page in whole.pages:
        edition = Edition(page.data["id"], page.data["title"], whole.book, (page,), whole.titles)
        names = {part.tag.removeprefix(SVG) for part in ElementTree.fromstring(svg_file(edition)).iter()}
        assert names <= {"svg", "title", "desc", "rect", "g", "path", "polygon", "circle", "text"}
        assert squeezed(page.data["summary"])[:10]
        assert [
            part for _, texts in modifiers(page.data) for part in texts if squeezed(part) not in told(edition)
        ] == []


def test_a_png_has_two_dots_to_the_point_and_is_the_same_each_time() -> None:
    edition = chart_edition("demo/crossing", demo=True)
    made = png_file(edition)
    assert made[:8] == b"\x89PNG\r\n\x1a\n"
    size = re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"', svg_file(edition))
    assert size
    assert struct.unpack(">II", made[16:24]) == tuple(pytest.approx(2 * float(part), abs=2) for part in size.groups())
    assert png_file(edition) == made


def test_without_typst_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def missing(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "typst":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(UsageError) as caught:
        png_file(chart_edition("demo/crossing", demo=True))
    assert str(caught.value) == "a PNG needs typst: pip install 'refcli[print]'"
