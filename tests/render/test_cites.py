from html import escape

import pytest

from refcli.render.cites import page_beside
from refcli.render.html.page import html
from refcli.render.paper.markdown import markdown
from tests.editions import BOOKS, book_edition


@pytest.mark.parametrize(
    ("title", "page", "told"),
    [
        ("Hull down", "3", "page 3"),
        ("Hull down", "", ""),
        ("Hull down", "Hull down", ""),
        ("Hull down", "Hull Down", ""),
        ("Hull down", "Hull down, vehicles", "Hull down, vehicles"),
        ("3", "3-4", "pages 3-4"),
    ],
)
def test_a_page_stands_beside_a_title_unless_it_says_the_same(title: str, page: str, told: str) -> None:
    assert page_beside(title, page) == told


@pytest.mark.parametrize("book", BOOKS)
def test_no_title_is_said_twice_in_a_printed_book(book: str) -> None:
    edition = book_edition(book)
    pages, text = html(edition, paper="a4"), markdown(edition)
    for page in edition.pages:
        title = page.data["title"]
        link = f"[{title}](#{page.data['id'].replace('/', '.')})"
        assert link in text
        assert f"{link} ({title})" not in text
        told = escape(title)
        assert f"{told}</a>" in pages
        for twice in (f"{told}</a> ({told})", f'{told}</a><span class="told"> · {told}</span>'):
            assert twice not in pages, twice
