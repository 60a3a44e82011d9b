import pytest

from refcli.core.chart import Band
from refcli.core.expr import Expr
from refcli.core.place import Place
from refcli.core.values import Frozen
from refcli.render import words


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("bell\x07 and\x00 nul", "bell and nul"),
        ("tab\there", "tab here"),
        ("\u202eturned\u202c", "turned"),
        ("\x9b31mred", "red"),
        ("Grüße − 3", "Grüße − 3"),
    ],
)
def test_clean_takes_control_characters_out(text: str, cleaned: str) -> None:
    assert words.clean(text) == cleaned


@pytest.mark.parametrize(
    ("encoding", "seen"),
    [
        ("utf-8", "die 4 · wire −1 → 3 …"),
        ("ascii", "die 4 | wire -1 -> 3 ..."),
        ("no-such-encoding", "die 4 | wire -1 -> 3 ..."),
        (None, "die 4 · wire −1 → 3 …"),
    ],
)
def test_showable_uses_plain_signs_only_where_it_must(encoding: str | None, seen: str) -> None:
    assert words.showable("die 4 · wire −1 → 3 …", encoding) == seen


def test_wrap_indents_what_follows() -> None:
    assert words.wrap("one two three four five six", 24, "[ ] ") == ["[ ] one two three four", "    five six"]


def test_wrap_of_nothing_is_no_line() -> None:
    assert words.wrap("", 40, "  ") == []


def test_wrap_breaks_a_word_that_is_too_long() -> None:
    assert words.wrap("x" * 50, 30) == ["x" * 30, "x" * 20]


def test_columns_put_long_names_on_a_line_of_their_own() -> None:
    rows = [("hit", "It hits."), ("a_name_that_never_ends_at_all", "Text beside it that has to be wrapped.")]
    assert words.columns(rows, 40) == [
        "  hit  It hits.",
        "  a_name_that_never_ends_at_all",
        "       Text beside it that has to be",
        "       wrapped.",
    ]


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (None, 5, "5 or less"),
        (6, None, "6 or more"),
        (2, 4, "2 to 4"),
        (7, 7, "7"),
        (-3, 3, "−3 to 3"),
        (None, None, "any number"),
    ],
)
def test_ranges_read_aloud(low: int | None, high: int | None, said: str) -> None:
    assert words.range_words(low, high) == said
    assert words.pattern_words(Band(low, high)) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("die <= need", "die ≤ need"),
        ("fr - kia >= -3", "fr − kia ≥ −3"),
        ("half_up(guns) * 2 // 3", "half up(guns) × 2 ÷ 3"),
        ("wire_bound and not dug_in", "wire bound and not dug in"),
        ("a == 1 or b != 2", "a = 1 or b ≠ 2"),
        ("card.rnc.signed + 1", "card rnc signed + 1"),
        ("total(men.fire_power)", "total fire power of men"),
        ("total(men.fp where not pinned) - 1", "total fp of men where not pinned − 1"),
        ("count(men where pinned) > 0", "number of men where pinned > 0"),
        ("count(men where (a or b)) > 0", "count(men where (a or b)) > 0"),
    ],
)
def test_expressions_use_the_signs_of_print(text: str, said: str) -> None:
    assert words.expr_words(Expr(text, Place("x"))) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [(True, "yes"), (False, "no"), (-2, "−2"), ((3, 5), "3, 5"), (Frozen(hits=2, open=True), "hits 2, open yes")],
)
def test_values_read_as_players_say_them(value: object, said: str) -> None:
    assert words.value_words(value) == said
