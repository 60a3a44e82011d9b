import pytest

from refcli.render.parted import parted

ON, OFF = True, False


@pytest.mark.parametrize(
    ("heights", "goes_on", "count", "parts"),
    [
        ([5], [OFF], 3, [(0, 1)]),
        ([5, 5, 5, 5], [ON] * 4, 1, [(0, 4)]),
        ([5, 5, 5, 5], [ON] * 4, 2, [(0, 2), (2, 4)]),
        ([1, 1, 1, 9], [ON] * 4, 2, [(0, 3), (3, 4)]),
        ([10] * 30, [ON] * 30, 3, [(0, 10), (10, 20), (20, 30)]),
        # the flow ends a row before the middle, and one before that
        ([10] * 30, [*[ON] * 13, OFF, *[ON] * 16], 2, [(0, 14), (14, 30)]),
        ([10] * 30, [*[ON] * 15, OFF, *[ON] * 14], 2, [(0, 16), (16, 30)]),
        # too far away to be worth it
        ([10] * 30, [*[ON] * 9, OFF, *[ON] * 20], 2, [(0, 15), (15, 30)]),
        ([10] * 4, [OFF, ON, ON, ON], 2, [(0, 2), (2, 4)]),
    ],
)
def test_rows_are_parted_evenly_and_where_the_flow_ends(
    heights: list[float], goes_on: list[bool], count: int, parts: list[tuple[int, int]]
) -> None:
    assert [(part.start, part.stop) for part in parted(heights, goes_on, count)] == parts
