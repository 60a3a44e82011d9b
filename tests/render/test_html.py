import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from refcli.render.html.build import Markup, css_text, el
from refcli.render.html.page import html
from refcli.render.html.text import Anchors
from tests.editions import BOOKS, HOSTILE, book_edition, chart_edition, hostile_edition
from tests.markup import Element, read

Data = dict[str, Any]
DEMO = book_edition("demo", demo=True)


@cache
def text_of(book: str) -> str:
    return html(DEMO if book == "demo" else book_edition(book), paper="a4")


@cache
def page_of(book: str) -> Element:
    return read(text_of(book))


@cache
def hostile() -> tuple[str, Element]:
    text = html(hostile_edition(), paper="a4")
    return text, read(text)


def lines(*parts: Element) -> list[str]:
    return [part.text for part in parts]


# --- one chart, word by word


def test_a_book_has_its_title_its_source_and_its_contents_in_front() -> None:
    body = page_of("demo").one("body")
    assert body.one("h1").text == "Demo Skirmish"
    assert body.one("header").text == "Demo Skirmish Source: Demo Skirmish Rules (2001)"
    contents = body.at("contents")
    assert contents.text == (
        "Contents Crossing bad ground · page 4 Does a unit that crosses bad ground get through? "
        "Volley at a group · page 7 Every man in the open may be hit. "
        "Charts that serve the others One man under fire A card tells what becomes of him. "
        "Map of the book · Shared questions · Decks · Glossary"
    )
    assert [link.attributes["href"] for link in contents.all("a")] == [
        "#crossing", "#volley", "#man-hit", "#map", "#shared", "#decks", "#glossary",
    ]  # fmt: skip
    assert [part.attributes["start"] for part in contents.all("ol")] == ["1", "3"]


def test_a_chart_has_its_head_and_its_questions_with_their_answers() -> None:
    chart = page_of("demo").at("crossing")
    assert chart.one("h2").text == "1 Crossing bad ground"
    assert chart.all("p")[0].text == "Source: Demo Skirmish Rules (2001), page 4 · demo/crossing"
    assert chart.attributes["aria-labelledby"] == chart.one("h2").id
    asked, house = chart.all("section", "questions")
    assert lines(*asked.one("ul", "facts").all("p")) == [
        "Who is crossing? crossing",
        "A gun that is pushed counts as troops.",
        "Rating on the card −3 to 3 · default 0 · rating",
        "Is it bogged already? yes or no · ask the owner · bogged",
    ]
    assert lines(*asked.one("ul", "choices").all("li")) == ["Troops or tracked tracked", "Wheeled vehicle wheeled"]
    assert asked.text.endswith("Shared with other charts: What is the weather?")
    assert asked.one("ul", "links").one("a").attributes["href"] == "#shared.weather"
    assert house.text == "House rules Is the strict rule played?[1] yes or no · default no · strict"


def test_steps_have_numbers_jumps_and_their_modifiers_in_a_table() -> None:
    chart = page_of("demo").at("crossing")
    assert lines(*chart.one("ol", "steps").all("li")[:2]) == [
        "1 Put the unit at the edge.",
        "2 Roll to cross Roll d10 for die",
    ]
    tally = chart.at("crossing.3")
    assert lines(*tally.one("table").all("tr")) == [
        "Modifier Case Counts",
        "Who is crossing? Troops or tracked +2",
        "Wheeled vehicle −1",
        "Rating + rating",
        "Weather[2] + weather mod",
        "Bogged −1",
    ]
    assert [(way.text, way.one("a").attributes["href"]) for way in tally.one("ul", "ways").all("li")] == [
        ("5 or less → step 4", "#crossing.4"),
        ("6 or more → Gets through", "#crossing.through"),
    ]


def test_outcomes_have_their_tone_in_words_and_their_effects_to_tick_off() -> None:
    stuck = page_of("demo").at("crossing.stuck")
    assert stuck.text == (
        "Bogged down ✗ bad The unit is stuck. Mark it bogged down. If bogged: It may not try again. "
        "Gives score Next: Volley at a group, chart 2 (page 7)"
    )
    assert [box.attributes["type"] for box in stuck.all("input")] == ["checkbox", "checkbox"]
    assert stuck.one("a", "jump").attributes["href"] == "#volley"


def test_footnotes_stand_under_the_chart() -> None:
    chart = page_of("demo").at("crossing")
    assert lines(*chart.one("section", "notes").all("li")) == [
        "[1] Reading 2: we do not play it strictly.",
        "[2] Likely: rain counts once.",
    ]
    assert chart.one("section", "walk").one("sup").one("a").attributes["href"] == "#crossing.note-2"


def test_a_look_up_is_a_table_whose_cells_lead_on() -> None:
    step = page_of("demo").at("volley.1")
    assert lines(*step.one("table").all("tr")) == ["range result", "Near 2", "Far Out of range"]
    assert step.one("table").one("a").attributes["href"] == "#volley.out_of_range"


def test_a_chart_that_is_played_is_named_and_linked() -> None:
    step = page_of("demo").at("volley.4")
    assert step.text == "4 For each of men where not hit, play One man under fire, chart 3"
    assert step.one("a", "jump").attributes["href"] == "#man-hit"


def test_questions_that_charts_share_stand_once_behind_them() -> None:
    page = page_of("demo")
    assert [page.at(f"shared.{name}").text for name in ("weather", "morale", "men")] == [
        "What is the weather? default Clear sky · weather Clear sky clear Heavy rain rain",
        "Morale of the man 1 to 6 · morale Reading 1: a man without a figure has 3.",
        "Who is in the open? a list, one line for each man · men "
        "For each man: What is he called? Morale of the man Is he hit already?",
    ]
    assert [link.attributes["href"] for link in page.at("shared.men").all("a")] == [
        "#shared.name", "#shared.morale", "#shared.hit",
    ]  # fmt: skip
    asked = page.at("volley").one("section", "questions")
    assert asked.text.endswith("Shared with other charts: Who is in the open?[1]")
    assert asked.one("sup").one("a").attributes["href"] == "#volley.note-1"


def test_a_single_chart_has_the_shared_questions_in_full() -> None:
    page = read(html(chart_edition("demo/volley", demo=True), paper="a4"))
    asked = page.at("volley").one("section", "questions")
    assert lines(*asked.all("li")[-4:]) == [
        "Who is in the open? a list, one line for each man · men What is he called? any text · name "
        "Morale of the man[1] 1 to 6 · morale Is he hit already? yes or no · default no · hit",
        "What is he called? any text · name",
        "Morale of the man[1] 1 to 6 · morale",
        "Is he hit already? yes or no · default no · hit",
    ]


def test_abbreviations_are_explained_where_they_stand_first() -> None:
    page = page_of("up-front")
    chart = page.at("fire-resolution")
    found = [abbr.text for abbr in chart.all("abbr")]
    assert "KIA" in found
    assert len(found) == len(set(found))
    kia = next(abbr for abbr in chart.all("abbr") if abbr.text == "KIA")
    assert kia.attributes["title"] == book_edition("up-front").book["glossary"]["KIA"]


def test_a_single_chart_stands_alone_and_names_what_is_not_there() -> None:
    page = read(html(chart_edition("demo/crossing", demo=True), paper="letter"))
    assert page.one("head").one("title").text == "Crossing bad ground · Demo Skirmish"
    assert lines(*page.all("h1"), *page.all("h2")) == [
        "Crossing bad ground", "Questions", "House rules", "Steps", "Outcomes", "Notes",
    ]  # fmt: skip
    assert page.one("header").all("p")[0].text == "Source: Demo Skirmish Rules (2001), page 4 · demo/crossing"
    assert page.at("crossing.stuck").text.endswith("Next: Volley at a group (page 7)")
    assert not page.at("crossing.stuck").all("a")


# --- every chart, nothing lost


@pytest.mark.parametrize("book", BOOKS)
def test_every_edge_modifier_cell_and_outcome_of_every_chart_is_there(book: str) -> None:
    page = page_of(book)
    for made in book_edition(book).pages:
        data = made.data
        place = data["id"].partition("/")[2]
        assert page.at(place).one("h2").text.endswith(data["title"])
        numbers = {step["id"]: step["number"] for step in data["steps"]}
        for step in data["steps"]:
            item = page.at(f"{place}.{step['number']}")
            _has_step(item, step, place, numbers)
        for end in data["outcomes"]:
            _has_outcome(page.at(f"{place}.{end['id']}"), end)
        told = page.at(place).text + page.at("shared").text
        for fact in _facts(data):
            assert fact["ask"] in told
            assert f" {fact['name']}" in told
            assert all(label in told for label in fact.get("choices", {}).values())
            assert "choices" in fact or fact["answers"] in told
        for note in _notes(data):
            assert note in page.at(place).one("section", "notes").text


def _has_step(item: Element, step: Data, place: str, numbers: dict[str, int]) -> None:
    links = {(link.text, link.attributes["href"]) for link in item.all("a")}
    ways = [way.text for way in item.all("", "ways") for way in (way.all("li") or [way])]
    for edge in step.get("edges", ()):
        target = edge["to"]
        if edge["on"] == "next" and numbers.get(target) == step["number"] + 1:
            continue  # the next in the list
        assert (edge["goes"], f"#{place}.{numbers.get(target, target)}") in links, (step, edge)
        told = f"→ {edge['goes']}" if edge["on"] == "next" else f"{edge['words']} → {edge['goes']}"
        assert " ".join(told.split()) in ways
    rows = [[cell.text for cell in row.children if isinstance(cell, Element)] for row in item.all("tr")]
    for modifier in step.get("modifiers", ()):
        assert any(row[0].startswith(modifier["label"]) for row in rows), modifier
        for key, amount in modifier["amounts"].items():
            assert any(row[-1] == amount and (not key or key in row) for row in rows), (modifier, rows)
    for row in step.get("table", {}).get("rows", ()):
        assert [row["on"], *row["cells"]] in rows
    for target in step.get("table", {}).get("ways", ()):
        assert any(href == f"#{place}.{numbers.get(target, target)}" for _, href in links)


def _has_outcome(item: Element, end: Data) -> None:
    text = item.text
    assert text.startswith(end["title"])
    assert end["tone"] == "plain" or end["tone"] in text
    assert " ".join(end.get("says", "").split()) in text
    for effect, label in zip(end.get("effects", ()), item.all("label"), strict=True):
        assert label.text.endswith(" ".join(effect["do"].split()))
        assert not effect.get("when") or label.text.startswith(f"If {effect['when']}: ")


def _facts(data: Data) -> Iterator[Data]:
    for fact in data.get("facts", ()):
        yield fact
        yield from fact.get("fields", ())


def _notes(data: Data) -> Iterator[str]:
    """Every note anywhere in an outline."""
    found: list[Any] = [data]
    while found:
        part = found.pop()
        if isinstance(part, dict):
            if part.get("note"):
                yield " ".join(part["note"].split())
            found += part.values()
        elif isinstance(part, list):
            found += part


@pytest.mark.parametrize("book", [*BOOKS, "demo"])
def test_every_jump_has_a_place_and_every_place_is_one(book: str) -> None:
    page = page_of(book)
    ids = [one.id for one in page.all() if one.id]
    assert len(ids) == len(set(ids))
    for link in page.all("a"):
        href = link.attributes["href"] or ""
        assert href.startswith("#"), link
        assert href[1:] in ids, href


@pytest.mark.parametrize("book", [*BOOKS, "demo"])
def test_the_flow_chart_links_to_every_chart_of_the_book_that_it_jumps_to(book: str) -> None:
    page, made = page_of(book), DEMO if book == "demo" else book_edition(book)
    here = {one.data["id"] for one in made.pages}
    for one in made.pages:
        place = one.data["id"].partition("/")[2]
        drawn = page.at(place).one("svg")
        wanted = {chart for box in one.graph.boxes for chart, _, _ in box.jumps} & here
        assert {link.attributes["href"] for link in drawn.all("a")} == {
            f"#{name.partition('/')[2]}" for name in wanted
        }


@pytest.mark.parametrize("book", [*BOOKS, "demo"])
def test_the_map_has_a_link_with_its_title_for_every_chart(book: str) -> None:
    page, made = page_of(book), DEMO if book == "demo" else book_edition(book)
    links = page.at("map").all("a")
    told = {link.attributes["href"]: link.text.replace(" ", "") for link in links}
    assert len(links) == len(told) == len(made.pages)
    for one in made.pages:
        assert told[f"#{one.data['id'].partition('/')[2]}"].startswith(one.data["title"].replace(" ", ""))


@pytest.mark.parametrize("book", [*BOOKS, "demo"])
def test_headings_are_in_order_and_tables_have_heads(book: str) -> None:
    page = page_of(book)
    levels = [int(one.name[1]) for one in page.all() if re.fullmatch("h[1-6]", one.name)]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert page.attributes["lang"] == "en"
    for table in page.all("table"):
        assert table.one("caption").text
        assert all(head.attributes.get("scope") for head in table.all("th"))
    for drawing in page.all("figure"):
        assert drawing.one("div", "scroll").attributes["aria-label"]


@pytest.mark.parametrize("book", [*BOOKS, "demo"])
def test_a_page_loads_nothing_and_runs_nothing(book: str) -> None:
    page, text = page_of(book), text_of(book)
    policy = next(meta for meta in page.all("meta") if meta.attributes.get("http-equiv"))
    assert policy.attributes["content"] == (
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    )
    assert not {one.name for one in page.all()} & {
        "script",
        "iframe",
        "object",
        "embed",
        "img",
        "image",
        "link",
        "form",
    }
    assert not {name for one in page.all() for name in one.attributes if name.startswith("on") or name == "src"}
    assert set(re.findall(r"https?://[^\"' <)]+", text)) <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1999/xlink",
    }
    assert "url(" not in text
    assert "@import" not in text


def test_the_same_book_gives_the_same_bytes_whatever_the_seed_of_hashes() -> None:
    code = (
        "import sys; sys.path.insert(0, '.'); from tests.editions import book_edition; "
        "from refcli.render.html.page import html; import hashlib; "
        "print(hashlib.sha256(html(book_edition('demo', demo=True), paper='a4').encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


# --- hostile texts stay texts


def test_hostile_texts_make_no_element_and_no_attribute() -> None:
    calm, (text, page) = page_of("demo"), hostile()
    assert {one.name for one in page.all()} == {one.name for one in calm.all()}
    names = {(one.name, name) for one in page.all() for name in one.attributes}
    assert names <= {(one.name, name) for one in calm.all() for name in one.attributes}
    for link in page.all("a"):
        assert (link.attributes["href"] or "").startswith("#")
    assert text.lower().count("<style") == 1
    assert text.lower().count("</style") == 1


def test_hostile_texts_are_read_as_they_were_written() -> None:
    _, page = hostile()
    said = page.text
    for text in HOSTILE:
        assert " ".join(text.split()) in said


def test_hostile_texts_do_not_get_out_of_the_style_sheet() -> None:
    _, page = hostile()
    style = "".join(child for child in page.one("style").children if isinstance(child, str))
    strings = re.findall(r'content: "([^"]*)";', style)
    assert len(strings) > 3
    assert all(re.fullmatch(r"(?:[A-Za-z0-9 ○·]|\\[0-9a-f]+ ?)*", string) for string in strings), strings
    assert "boo()" not in style
    assert style.count("{") == style.count("}")


def test_css_text_writes_every_sign_that_could_end_it_by_its_number() -> None:
    assert css_text('A "b"\\\n</style>') == r'"A \22 b\22 \5c \a \3c \2f style\3e "'


def test_what_is_not_markup_is_escaped() -> None:
    assert el("p", "<b>", Markup("<i></i>"), ["&", None], title='"x"', hidden=True, lang=None) == (
        '<p title="&quot;x&quot;" hidden>&lt;b&gt;<i></i>&amp;</p>\n'
    )
    assert el("b", "half \ud800") == "<b>half \ufffd</b>"


def test_anchors_are_plain_and_each_is_used_once() -> None:
    charts = ["a/map", "a/x y", "a/x-y", "a/<b>", "a/--", "a/top"]
    assert list(Anchors(charts).places.values()) == ["map-2", "x-y", "x-y-2", "b", "chart", "top-2"]


@pytest.mark.parametrize(("paper", "size"), [("a4", "A4"), ("letter", "letter")])
def test_paper_has_mirrored_margins_and_page_numbers(paper: str, size: str) -> None:
    text = html(chart_edition("demo/crossing", demo=True), paper=paper)
    assert f"@page {{ size: {size};" in text
    assert re.search(r"@page :left \{ margin-right: 19mm;.*@bottom-left \{.*counter\(page\)", text)
    assert re.search(r"@page :right \{ margin-left: 19mm;.*@bottom-right \{.*counter\(page\)", text)


def test_a_single_chart_explains_only_its_own_abbreviations() -> None:
    page = read(html(chart_edition("up-front/morale-check"), paper="a4"))
    met = {abbr.text: abbr.attributes["title"] for abbr in page.all("abbr")}
    assert met
    assert page.at("glossary").text.startswith("Glossary ")
    assert len(page.at("glossary").all("dt")) == len(set(met.values()))
