"""The catalogue: what there is, and what a short id means."""

from pathlib import Path

import pytest

from refcli.core.errors import UsageError
from refcli.load.catalogue import BookEntry, Catalogue, ChartEntry
from refcli.load.library import Library
from tests.load.conftest import write_book


@pytest.fixture
def catalogue(folder: Path) -> Catalogue:
    write_book(
        folder, "charts: [march, fire]\n", fire="title: Fire\n", march="title: March\n", first_march="title: F\n"
    )
    other = folder / "other"
    other.mkdir()
    (other / "book.yaml").write_text("title: Other\n")
    (other / "fire.yaml").write_text("title: Fire too\n")
    (other / "hull-down.yaml").write_text("title: Hull down\n")
    (folder / ".git").mkdir()
    (folder / ".git" / "config.yaml").write_text("")
    return Catalogue([folder])


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("made/march", "made/march"),
        ("march", "made/march"),
        ("ma", "made/march"),
        ("hull-down", "other/hull-down"),
        ("down", "other/hull-down"),
        ("o/f", "other/fire"),
        ("made/f", ""),
        ("made/fire", "made/fire"),
        ("other/h", "other/hull-down"),
        ("HULL", "other/hull-down"),
        ("hull-down.yaml", "other/hull-down"),
        ("fire", ""),
        ("zzz", ""),
        ("", ""),
    ],
)
def test_a_short_id_means_the_only_chart_it_fits(text: str, full: str, catalogue: Catalogue) -> None:
    if full:
        assert catalogue.find(text) == full
    else:
        with pytest.raises(UsageError):
            catalogue.find(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fire", "'fire' could be 2 charts: made/fire, other/fire"),
        ("hul-down", "there is no chart 'hul-down'; did you mean 'hull-down'?"),
        ("zzz", "there is no chart 'zzz'; see `refcli list` for all 5"),
    ],
)
def test_what_no_single_chart_fits_is_told(text: str, message: str, catalogue: Catalogue) -> None:
    with pytest.raises(UsageError) as fault:
        catalogue.find(text)
    assert str(fault.value) == message


def test_no_charts_at_all_are_told(folder: Path) -> None:
    with pytest.raises(UsageError, match="there are no charts in nowhere"):
        Catalogue([Path("nowhere")]).find("fire")
    with pytest.raises(UsageError, match="there are no charts in no folder"):
        Catalogue([]).find("fire")


def test_many_charts_that_fit_are_not_all_listed(folder: Path) -> None:
    write_book(folder, **{f"fire{i}": "title: Fire\n" for i in range(12)})
    with pytest.raises(UsageError) as fault:
        Catalogue([folder]).find("fire")
    assert str(fault.value) == (
        "'fire' could be 12 charts: made/fire0, made/fire1, made/fire10, made/fire11, made/fire2, made/fire3, made/fire4, "
        "made/fire5, …"
    )


def test_titles_come_from_the_top_keys_alone(folder: Path) -> None:
    march = "title: 'March: on'\npage: 3\nsummary: >\n  How far\n  do they go?\nnodes: &broken {nonsense\n"
    late = "nodes: {}\n# title: No\nfacts:\n  title: Neither\ntitle: Late\n"
    write_book(folder, "charts: [march]\n", "title: Cards\n", march=march)
    (folder / "made" / "late.yaml").write_text(late)
    assert list(Library([folder]).titles()) == [
        BookEntry(
            "made",
            "Made up",
            (
                ChartEntry("made/march", "March: on", "3", "How far do they go?", listed=True),
                ChartEntry("made/late", "Late", "", "", listed=False),
            ),
        )
    ]


def test_broken_files_are_listed_as_broken(folder: Path) -> None:
    write_book(folder, chart="title: 'Chart\n", empty="title: {}\n")
    (folder / "made" / "none.yaml").write_text("")
    (folder / "made" / "hole.yaml").mkdir()
    (folder / "made" / "book.yaml").write_text("title: [\n")
    (book,) = Catalogue([folder]).entries()
    assert (book.id, book.title) == ("made", "made")
    assert book.broken.startswith("made/book.yaml:")
    assert [(chart.id, chart.title, chart.broken) for chart in book.charts] == [
        (
            "made/chart",
            "",
            "made/chart.yaml:1:8: error C101: this quote is never closed; close it; inside '…' an apostrophe is written "
            "twice: ''",
        ),
        ("made/empty", "", "it has no title"),
        ("made/hole", "", "made/hole.yaml: error C106: this is a folder, not a file"),
        ("made/none", "", "made/none.yaml: error C101: the file is empty"),
    ]
