"""Books as web pages, looked at in a real browser: jumps, paper, the network, hostile texts, and what all can read."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from refcli.render.edition import Edition
from refcli.render.html.page import html
from tests.browser import Browser, browsing
from tests.editions import BOOKS, book_edition, chart_edition, hostile_edition

SIZES = {"a4": (595, 842), "letter": (612, 792)}

FAINT = """
(() => {
  const shade = text => { const [r, g, b, a] = text.match(/[\\d.]+/g).map(Number); return {c: [r, g, b], a: a ?? 1}; };
  const light = c => { const [r, g, b] = c.map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
                       return .2126 * r + .7152 * g + .0722 * b; };
  const behind = node => {
    for (; node; node = node.parentElement) {
      const found = shade(getComputedStyle(node).backgroundColor);
      if (found.a === 1) return found.c;
    }
    return [255, 255, 255];
  };
  const under = node => {
    const at = node.getBoundingClientRect(), x = at.x + at.width / 2, y = at.y + at.height / 2;
    const drawn = [...(node.closest('.box')?.querySelectorAll('rect, polygon') ?? [])].reverse();
    const shape = drawn.find(one => {
      const box = one.getBoundingClientRect();
      return box.left <= x && x <= box.right && box.top <= y && y <= box.bottom && getComputedStyle(one).fill !== 'none';
    });
    return shape ? shade(getComputedStyle(shape).fill).c : behind(node);
  };
  const faint = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || !node.getClientRects().length || ['title', 'desc'].includes(node.tagName)) continue;
    const style = getComputedStyle(node), drawn = node instanceof SVGElement;
    const a = light(shade(drawn ? style.fill : style.color).c), b = light(drawn ? under(node) : behind(node));
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5) faint.push([walker.currentNode.data.trim().slice(0, 40), ratio.toFixed(2)]);
  }
  return faint;
})()
"""
"""Texts whose contrast with what is behind them is below 4.5, with the ratio."""

FAINT_LINES = """
(() => {
  const light = text => { const [r, g, b] = text.match(/[\\d.]+/g).map(Number)
      .map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b; };
  const ratio = (one, two) => { const [a, b] = [light(one), light(two)].sort((a, b) => b - a); return (a + .05) / (b + .05); };
  const paper = getComputedStyle(document.body).backgroundColor, faint = [];
  for (const line of document.querySelectorAll('.icon, .shape, .tag, .way > path')) {
    const behind = line.matches('.icon') ? getComputedStyle(line.parentNode.querySelector('.shape')).fill : paper;
    const found = ratio(getComputedStyle(line).stroke, behind);
    if (found < 3) faint.push([line.parentNode.getAttribute('class'), found.toFixed(2)]);
  }
  return faint;
})()
"""
"""Lines of flow charts whose contrast with what is behind them is below 3, with the ratio."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as running:
        yield running


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Writes an edition as a page, once."""
    folder = tmp_path_factory.mktemp("pages")

    def written(edition: Edition, paper: str = "a4") -> Path:
        path = folder / f"{edition.id.replace('/', '-')}-{paper}.html"
        if not path.exists():
            path.write_text(html(edition, paper=paper), encoding="utf-8")
        return path

    return written


@pytest.fixture(autouse=True)
def _as_usual(browser: Browser) -> None:
    browser.size(1100, 900)
    browser.media("", "light")


def landed(browser: Browser) -> tuple[str, bool]:
    """The anchor that the page is at, and whether its place is at the top of the window or as near as can be."""
    top, room = browser.run(
        "[document.querySelector(':target').getBoundingClientRect().top,"
        " document.documentElement.scrollHeight - innerHeight - scrollY]"
    )
    return browser.run("location.hash"), -1 <= top <= 40 or room < 2


@pytest.mark.parametrize(
    ("start", "wanted"),
    [
        ("#ordnance svg a[href='#fire-resolution']", "#fire-resolution"),
        ("#map svg a[href='#malfunction']", "#malfunction"),
        ("#contents a[href='#bog-check']", "#bog-check"),
        (".chart a[href='#fire-resolution.16']", "#fire-resolution.16"),
        (".chart a[href='#fire-resolution.routed']", "#fire-resolution.routed"),
        (".chart a[href='#fire-resolution.note-2']", "#fire-resolution.note-2"),
        ("#ordnance .steps a[href='#fire-resolution']", "#fire-resolution"),
        ("#morale-check .back a", "#contents"),
    ],
)
def test_a_jump_lands_where_it_says(browser: Browser, page: Callable[..., Path], start: str, wanted: str) -> None:
    browser.open(page(book_edition("up-front")))
    browser.click(start)
    assert landed(browser) == (wanted, True)


def test_who_has_no_mouse_can_skip_the_front_and_follow_a_jump(browser: Browser, page: Callable[..., Path]) -> None:
    browser.open(page(book_edition("up-front")))
    browser.press("Tab")
    assert browser.run("document.activeElement.textContent") == "Skip to the charts"
    assert browser.run("document.activeElement.getBoundingClientRect().left") >= 0
    browser.press("Enter")
    assert landed(browser) == ("#charts", True)
    browser.run("document.querySelector(\"#ordnance svg a[href='#fire-resolution']\").focus()")
    browser.press("Enter")
    assert landed(browser) == ("#fire-resolution", True)


@pytest.mark.parametrize("book", BOOKS)
def test_a_page_asks_the_network_for_nothing(browser: Browser, page: Callable[..., Path], book: str) -> None:
    path = page(book_edition(book))
    browser.open(path)
    browser.run("scrollTo(0, document.body.scrollHeight)")
    assert browser.requests() == [path.as_uri()]
    assert browser.complaints() == []


@pytest.mark.parametrize("safe", [True, False], ids=["as made", "without its own rules of safety"])
def test_hostile_texts_run_nothing(browser: Browser, page: Callable[..., Path], tmp_path: Path, safe: bool) -> None:
    text = page(hostile_edition()).read_text(encoding="utf-8")
    path = tmp_path / "hostile.html"
    path.write_text(text if safe else text.replace("Content-Security-Policy", "X-Nothing"), encoding="utf-8")
    spy = browser.call(
        "Page.addScriptToEvaluateOnNewDocument", source="window.ran = 0; window.boo = () => { ran++; };"
    )
    browser.open(path)
    for kind in ("mouseover", "focus", "load", "error", "click"):
        browser.run(
            f"document.querySelectorAll('body *').forEach(e => e.tagName !== 'A' && e.dispatchEvent(new Event('{kind}')))"
        )
    browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=spy["identifier"])
    assert browser.run("ran") == 0
    assert browser.requests() == [path.as_uri()]
    assert browser.complaints() == []
    assert browser.run("document.querySelectorAll('script, img, iframe, object, embed, form, link').length") == 0
    handlers = (
        "[...document.querySelectorAll('*')].flatMap(e => e.getAttributeNames()).filter(n => n.startsWith('on'))"
    )
    assert browser.run(handlers) == []
    assert browser.run("getComputedStyle(document.body).display") == "block"
    assert "<script>boo()</script>" in browser.run("document.body.innerText")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("book", BOOKS)
def test_every_text_stands_out_from_what_is_behind_it(
    browser: Browser, page: Callable[..., Path], book: str, scheme: str
) -> None:
    browser.media("", scheme)
    browser.open(page(book_edition(book)))
    assert browser.run("matchMedia('(prefers-color-scheme: dark)').matches") == (scheme == "dark")
    assert browser.run(FAINT) == []
    assert browser.run(FAINT_LINES) == []


def test_dark_pages_are_dark(browser: Browser, page: Callable[..., Path]) -> None:
    browser.media("", "dark")
    browser.open(page(book_edition("bolt-action")))
    assert browser.run("getComputedStyle(document.body).backgroundColor") == "rgb(21, 23, 26)"
    browser.media("print", "dark")
    assert browser.run("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.parametrize("book", BOOKS)
def test_a_telephone_scrolls_down_only(browser: Browser, page: Callable[..., Path], book: str) -> None:
    browser.size(390, 800)
    browser.open(page(book_edition(book)))
    assert browser.run("document.documentElement.scrollWidth") <= 390
    small = "[...document.querySelectorAll('svg text')].filter(t => t.getBoundingClientRect().height < 9).length"
    assert browser.run(small) == 0


def test_a_screen_reader_finds_its_way(browser: Browser, page: Callable[..., Path]) -> None:
    browser.open(page(book_edition("laser-grenadiers")))
    assert browser.run("document.title") == "LaserGrenadiers"
    assert browser.run("document.documentElement.lang") == "en"
    nodes = [node for node in browser.call("Accessibility.getFullAXTree")["nodes"] if not node["ignored"]]
    named: dict[str, list[str]] = {}
    for node in nodes:
        named.setdefault(node["role"]["value"], []).append(node.get("name", {}).get("value", ""))
    assert named["main"]
    assert "Contents" in named["navigation"]
    assert "4 Hit or miss" in named["region"]
    assert all(named["link"]), "a link without a name"
    assert all(named["checkbox"]), "a box to tick without a name"
    assert all(named["table"]), "a table without a name"
    assert any(name.startswith("Flow chart of Hit or miss") for name in named["group"])


# --- paper


def on_paper(browser: Browser, path: Path) -> list[dict[str, Any]]:
    """The pages as printed: size, text, room left and right of the body, and the left and right half of the foot."""
    pypdfium2 = pytest.importorskip("pypdfium2")
    browser.open(path)
    document = pypdfium2.PdfDocument(browser.pdf())
    found = []
    for page in document:
        text = page.get_textpage()
        width, height = page.get_size()
        boxes = [text.get_rect(at) for at in range(text.count_rects())]
        body = [box for box in boxes if 50 < box[1] < height - 55]
        feet = [text.get_text_bounded(left=at, right=at + width / 2, bottom=0, top=36) for at in (0, width / 2)]
        found.append(
            {
                "size": (round(width), round(height)),
                "text": " ".join(text.get_text_bounded().replace("\ufffe", "-").split()),
                "left": min((box[0] for box in body), default=None),
                "right": width - max((box[2] for box in body), default=width),
                "feet": [" ".join(told.split()) for told in feet],
            }
        )
    document.close()
    return found


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_paper_is_two_sided_with_numbers_at_its_outer_edge(
    browser: Browser, page: Callable[..., Path], paper: str
) -> None:
    sheets = on_paper(browser, page(book_edition("bolt-action"), paper))
    assert {sheet["size"] for sheet in sheets} == {SIZES[paper]}
    for number, sheet in enumerate(sheets, 1):
        right_hand = number % 2 == 1
        feet = ["Bolt Action", str(number)]
        assert sheet["feet"] == (feet if right_hand else feet[::-1])
        assert sheet["left" if right_hand else "right"] >= 52
    assert min(sheet["left"] for sheet in sheets[1::2]) < 40


@pytest.mark.parametrize("book", BOOKS)
def test_every_chart_starts_on_a_sheet_of_its_own_with_its_whole_flow_chart(
    browser: Browser, page: Callable[..., Path], book: str
) -> None:
    sheets = on_paper(browser, page(book_edition(book)))
    heads = [f"{number} {made.data['title']}" for number, made in enumerate(book_edition(book).pages, 1)]
    starts = []
    for head in heads:
        under = [at for at, sheet in enumerate(sheets) if sheet["text"].startswith(f"{head} ")]
        assert under == list(range(under[0], under[-1] + 1)), f"{head}: sheets {under}"
        starts.append(under[0])
        assert sheets[under[0]]["text"].count(head) >= 2, f"{head}: the chart itself does not start under its head"
    assert starts == sorted(set(starts))
    drawn = browser.run(
        "[...document.querySelectorAll('.chart')].map(c => [...c.querySelectorAll('svg text')].map(t => t.textContent))"
    )
    for head, start, texts in zip(heads, starts, drawn, strict=True):
        there = "".join(sheets[start]["text"].split())  # the words of two boxes side by side may be read mixed
        missing = [text for text in texts if not all(word in there for word in text.split())]
        assert not missing, f"{head}: {missing[:5]} are not on sheet {start + 1}"


def test_a_single_chart_fits_its_paper_too(browser: Browser, page: Callable[..., Path]) -> None:
    sheets = on_paper(browser, page(chart_edition("up-front/fire-resolution"), "letter"))
    assert sheets[0]["size"] == SIZES["letter"]
    assert sheets[0]["text"].startswith("Fire on one man")
    assert "The gun is lost" in sheets[0]["text"]
