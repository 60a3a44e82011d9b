from itertools import product
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refcli.analysis.boxes import Axis, Box, axis_of, joined, meet, minus, remainder
from refcli.core import types as t
from refcli.core.chart import ELSE, Band

TOP = 6
ends = st.integers(0, TOP)
spans = st.tuples(ends, ends).map(lambda pair: (min(pair), max(pair)))


def boxes(axes: int) -> st.SearchStrategy[Box]:
    return st.tuples(*[spans] * axes)


def brute_cells(box: Box) -> set[tuple[int, ...]]:
    """Every whole point of a box of small, closed spans."""
    return set(product(*(range(int(low), int(high) + 1) for low, high in box)))


@given(st.integers(1, 3).flatmap(lambda n: st.tuples(st.just(n), st.lists(boxes(n), max_size=6))))
def test_remainder_is_what_brute_force_leaves(drawn: tuple[int, list[Box]]) -> None:
    axes, rows = drawn
    space: Box = ((0, TOP),) * axes
    left = remainder([space], rows)
    cells = [cell for box in left for cell in brute_cells(box)]
    assert len(cells) == len(set(cells)), "what is left does not overlap itself"
    assert set(cells) == brute_cells(space) - set().union(*map(brute_cells, rows))


@given(boxes(2), boxes(2))
def test_minus_and_meet_part_a_box_in_two(a: Box, b: Box) -> None:
    both = meet(a, b)
    assert (brute_cells(both) if both else set()) == brute_cells(a) & brute_cells(b)
    assert set().union(*map(brute_cells, minus(a, b))) == brute_cells(a) - brute_cells(b)


@given(st.lists(boxes(2), max_size=5))
def test_joined_keeps_the_space(rows: list[Box]) -> None:
    disjoint = remainder([((0, TOP), (0, TOP))], rows)
    assert set().union(*map(brute_cells, joined(disjoint))) == set().union(*map(brute_cells, disjoint))
    assert len(joined(disjoint)) <= len(disjoint)


def test_remainder_joins_the_pieces_around_a_hole() -> None:
    assert remainder([((0, 9),)], [((3, 4),), ((7, 7),)]) == [((0, 2),), ((5, 6),), ((8, 9),)]


def test_remainder_keeps_open_ends_open() -> None:
    assert remainder([((-inf, inf),)], [((1, 6),)]) == [((-inf, 0),), ((7, inf),)]


BANDS = st.builds(Band, st.none() | st.integers(-3, 9), st.none() | st.integers(-3, 9)).filter(
    lambda band: band.low is None or band.high is None or band.low <= band.high
)


@given(st.lists(BANDS, min_size=1, max_size=5), st.booleans())
def test_axis_left_is_what_no_band_holds(bands: list[Band], rest: bool) -> None:
    axis = Axis((-2, 8))
    patterns: list[Band | str | bool] = [*bands, *([ELSE] if rest else [])]
    held = axis.spans(patterns)
    left = {n for low, high in axis.left(held) for n in range(int(low), int(high) + 1)}
    unheld = {n for n in range(-2, 9) if not any(band.holds(n) for band in bands)}
    assert left == (set() if rest else unheld)
    if rest:
        assert {n for low, high in held[-1] for n in range(int(low), int(high) + 1)} == unheld


def test_axis_holds_words_in_the_order_of_the_fact() -> None:
    axis = Axis((0, 2), ("open", "woods", "hill"))
    assert axis.spans(["hill", "open", ELSE]) == [[(2, 2)], [(0, 0)], [(1, 1)]]
    assert axis.left([[(0, 0)]]) == [(1, 2)]
    assert axis.keys((1, 2)) == ["woods", "hill"]


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (t.YES_NO, "yes, no"),
        (t.Number(1, 6), "1..6"),
        (t.Number(None, 3), "..3"),
        (t.NUMBER, ".."),
        (t.Number(4, 4), "4"),
        (t.Word(frozenset({"b", "a"})), "a, b"),
    ],
    ids=["yes/no", "closed", "open below", "open", "one number", "words"],
)
def test_axis_of_a_type_shows_its_values(kind: t.Type, words: str) -> None:
    axis = axis_of(kind)
    assert axis is not None
    assert axis.show() == words


@pytest.mark.parametrize("kind", [t.TEXT, t.ANYTHING], ids=["a text", "anything"])
def test_axis_of_values_without_cases_is_none(kind: t.Type) -> None:
    assert axis_of(kind) is None
