import re
from functools import cache
from html.parser import HTMLParser
from textwrap import dedent

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options

from refcli.render.paper.markdown import esc, markdown
from tests.editions import BOOKS, HOSTILE, book_edition, chart_edition, hostile_edition

TAGS = {
    "h1", "h2", "h3", "p", "a", "ul", "ol", "li", "strong", "em", "br", "pre", "code", "input", "table", "thead", "tbody",
    "tr", "th", "td",
}  # fmt: skip
"""All that a chart in Markdown may become."""


class Reader(HTMLParser):
    """What GitHub makes of it: tags, text, places to jump to, jumps, and the rows of tables."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.jumps: list[str] = []
        self.places: list[str] = []
        self.rows: list[list[str]] = []
        self.drawings: list[str] = []
        self.lists = 0
        self.text = ""
        self.inside: list[str] = []
        self.feed(cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        self.tags.add(tag)
        self.inside.append(tag)
        if tag == "a":
            assert len(told) == 1, told
            (self.jumps if "href" in told else self.places).append(told.get("href") or told.get("id") or "")
        if tag == "ol":
            assert not told, "a list of steps was broken in two"
            self.lists += 1
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag == "pre":
            assert told == {"lang": "mermaid"}
            self.drawings.append("")

    def handle_endtag(self, tag: str) -> None:
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        if "pre" in self.inside:
            self.drawings[-1] += data
            return
        self.text += data
        if "td" in self.inside or "th" in self.inside:
            self.rows[-1][-1] += data


@cache
def read(book: str) -> Reader:
    return Reader(markdown(book_edition(book), paper="a4"))


def squeezed(text: str) -> str:
    return "".join(text.split())


def test_a_chart_reads_from_top_to_bottom() -> None:
    text = markdown(chart_edition("demo/crossing", demo=True), paper="a4")
    head, rest = text.split("```mermaid\n")
    assert head == dedent("""\
        # <a id="demo.crossing"></a>Crossing bad ground

        Demo Skirmish · page 4 · demo/crossing

        Source: Demo Skirmish Rules (2001)

        Does a unit that crosses bad ground get through?

        """)
    assert rest.split("```\n")[1] == dedent("""\

        ## Questions

        | Question | Answers | Name |
        | --- | --- | --- |
        | Who is crossing?<br>A gun that is pushed counts as troops. | Troops or tracked · Wheeled vehicle | crossing |
        | Rating on the card | −3 to 3<br>*default 0* | rating |
        | Is it bogged already? | yes or no<br>*ask the owner* | bogged |
        | What is the weather? | Clear sky · Heavy rain<br>*default Clear sky* | weather |

        ## House rules

        | Question | Answers | Name |
        | --- | --- | --- |
        | Is the strict rule played? [\\[1\\]](#demo.crossing.note.1) | yes or no<br>*default no* | strict |

        ## Steps

        1. <a id="demo.crossing.1"></a>**Put the unit at the edge.**

        2. <a id="demo.crossing.2"></a>**Roll to cross**

           Roll d10 for die

        3. <a id="demo.crossing.3"></a>**Add up the score**

           Start with die

           The total is at least 0 and at most 9

           | Modifier | Amount |
           | --- | --- |
           | Who is crossing? | Troops or tracked +2<br>Wheeled vehicle −1 |
           | Rating | \\+ rating |
           | Weather [\\[2\\]](#demo.crossing.note.2) | \\+ weather mod |
           | Bogged | −1 |

           - 5 or less → [step 4](#demo.crossing.4)
           - 6 or more → [Gets through](#demo.crossing.through)

        4. <a id="demo.crossing.4"></a>**Is the strict rule played?**

           strict

           - yes → [Lost](#demo.crossing.lost)
           - no → [Bogged down](#demo.crossing.stuck)

        ## Outcomes

        **<a id="demo.crossing.through"></a>Gets through** (good)

        The unit goes on with a score of \\[score\\].

        Gives score

        **<a id="demo.crossing.stuck"></a>Bogged down** (bad)

        The unit is stuck.

        - [ ] Mark it bogged down.
        - [ ] If bogged: It may not try again.

        Gives score

        Next: Volley at a group (page 7, demo/volley)

        **<a id="demo.crossing.lost"></a>Lost** (bad, page 5)

        The unit is gone.

        ## Notes

        - <a id="demo.crossing.note.1"></a>\\[1\\] Reading 2: we do not play it strictly.
        - <a id="demo.crossing.note.2"></a>\\[2\\] Likely: rain counts once.
        """)


def test_a_book_has_contents_a_map_and_at_its_end_decks_and_glossary() -> None:
    text = markdown(book_edition("demo", demo=True), paper="letter")
    assert text.startswith(
        dedent("""\
        # Demo Skirmish

        Source: Demo Skirmish Rules (2001)

        ## Contents

        - [Crossing bad ground](#demo.crossing) (page 4): Does a unit that crosses bad ground get through?
        - [Volley at a group](#demo.volley) (page 7): Every man in the open may be hit.

        Charts that serve the others:

        - [One man under fire](#demo.man-hit): A card tells what becomes of him.

        ## Map

        ```mermaid
        """)
    )
    assert '\n## <a id="demo.volley"></a>Volley at a group\n' in text
    assert "play [One man under fire](#demo.man-hit)" in text
    assert "| Near | 2 |\n" in text
    assert text.endswith("## Glossary\n\n- **CP**: Command post\n")


def test_a_look_up_by_two_keys_has_the_bands_beside_and_the_columns_above() -> None:
    rows = read("battlefront").rows
    at = rows.index(["total \\ target grade", "Elite", "Veteran", "Experienced", "Trained", "Raw"])
    assert rows[at + 1 : at + 4] == [
        ["10 or more", *["Knocked out"] * 5],
        ["8 to 9", *["Disordered"] * 5],
        ["7", "Suppressed", "Suppressed", "Suppressed", "Disordered", "Disordered"],
    ]


@pytest.mark.parametrize("book", BOOKS)
def test_every_jump_lands_and_nothing_but_our_markup_is_there(book: str) -> None:
    page = read(book)
    assert page.tags <= TAGS
    assert len(page.places) == len(set(page.places))
    assert {jump.removeprefix("#") for jump in page.jumps} <= set(page.places)
    assert len(page.drawings) == len(book_edition(book).pages) + 1
    assert page.lists == len(book_edition(book).pages)
    assert all(drawing.startswith("flowchart") for drawing in page.drawings)


@pytest.mark.parametrize("book", BOOKS)
def test_every_step_way_modifier_outcome_and_note_of_every_chart_is_there(book: str) -> None:
    edition = book_edition(book)
    text = squeezed(read(book).text)
    ends = [text.index(squeezed(f"·{page.data['id']}{page.data['summary']}")) for page in edition.pages]
    for page, start, end in zip(edition.pages, ends, [*ends[1:], len(text)], strict=True):
        told = text[start:end]
        for wanted in wanted_of(page.data):
            assert squeezed(wanted) in told, f"{page.data['id']}: {wanted}"


def wanted_of(data):  # type: ignore[no-untyped-def]
    """All that the outline of a chart says of its questions, steps and outcomes, as it reads in a line."""
    for fact in data.get("facts", ()):
        yield fact["ask"]
        yield from fact.get("choices", {}).values()
        yield fact.get("help", "")
        yield fact.get("note", "")
    for step in data["steps"]:
        yield step["title"].removesuffix(step.get("run", ""))
        yield step.get("note", "")
        for edge in step.get("edges", ()):
            straight = (
                edge["on"] == "next" and edge["goes"] == f"step {step['number'] + 1}" and len(step["edges"]) == 1
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


@pytest.mark.parametrize("sign", [*"\\`*_{}[]<>()#+-.!|~&$@:=\"'", "1.", "1)", "---", "- [ ] x", "# x", "> x", "==="])
def test_no_sign_is_markup_at_the_start_in_the_middle_or_at_the_end(sign: str) -> None:
    for text in (sign, f"{sign} a", f"a {sign} b {sign} c", f"a{sign}b{sign}c", f"a {sign}"):
        for frame in ("{}\n", "- {}\n", "# {}\n", "**{}**\n", "a\n{}\n", "[{}](#x)\n", "| a |\n| - |\n| {} |\n"):
            page = Reader(frame.format(esc(text)))
            assert squeezed(page.text) in (squeezed(text), f"a{squeezed(text)}"), frame
            plain = Reader(frame.format("text"))
            assert page.tags == plain.tags, frame


@pytest.mark.parametrize(
    "text",
    ["www.example.org", "https://example.org/x", "ftp://example.org", "boo@example.org", "[^1]", "~~x~~", "$x$"],
)
def test_what_github_makes_links_notes_and_formulas_of_stays_text(text: str) -> None:
    page = Reader(esc(text))
    assert (page.tags, page.text.strip()) == ({"p"}, text)
    assert "$" not in esc(text)


def test_hostile_texts_stay_text() -> None:
    edition = hostile_edition()
    text = markdown(edition, paper="a4")
    page = Reader(text)
    assert page.tags <= TAGS
    assert {jump.removeprefix("#") for jump in page.jumps} <= set(page.places)
    told = squeezed(page.text)
    for hostile in HOSTILE:
        assert squeezed(hostile) in told
    plain = Reader(markdown(book_edition("demo", demo=True), paper="a4"))
    assert len(page.rows) == len(plain.rows)
    assert len(page.drawings) == len(plain.drawings)
    for table in re.findall(r"(?:^ *\|.*\n)+", text, re.MULTILINE):
        assert len({line.count("|") for line in table.splitlines()}) == 1
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text)


def test_the_same_chart_gives_the_same_text() -> None:
    assert markdown(book_edition("demo", demo=True), paper="a4") == markdown(
        book_edition("demo", demo=True), paper="letter"
    )
