import pytest

from refcli.cli.expect import Expected, ExpectError, check_expected
from refcli.core.ruling import means

FOUND = {
    "outcome": "stuck",
    "says": "The unit is stuck.",
    "gives": {"score": 3, "hit": False},
    "changes": {"status": "shaken"},
}


@pytest.mark.parametrize(
    "expected",
    [
        Expected(),
        Expected("stuck"),
        Expected("stuck", {"score": 3, "hit": "no"}, {"status": "shaken"}, "is stuck"),
        Expected(gives={"score": "3", "hit": False, "status": "shaken"}),
    ],
)
def test_a_ruling_as_expected_passes(expected: Expected) -> None:
    check_expected(expected, FOUND)


def test_every_difference_is_told() -> None:
    expected = Expected("through", {"score": 4, "hit": "yes", "left": 1}, {"status": "steady"}, "goes on")
    with pytest.raises(ExpectError) as raised:
        check_expected(expected, FOUND)
    assert str(raised.value) == (
        "not as expected: outcome stuck, not through; score 3, not 4; hit no, not yes; no left is given; "
        "status shaken, not steady; it says 'The unit is stuck.', not 'goes on'"
    )


@pytest.mark.parametrize(
    ("raw", "value", "equal"),
    [
        (True, True, True),
        ("yes", True, True),
        ("YES", True, True),
        (1, True, False),
        (True, 1, False),
        ("+2", 2, True),
        (-2, -2, True),
        ("two", 2, False),
        ("yes", "yes", True),
        ({"a": "1"}, {"a": 1}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        (["1", "no"], [1, False], True),
        ([1], [1, 2], False),
        (None, 0, False),
    ],
)
def test_what_is_written_is_compared_by_its_meaning(raw: object, value: object, equal: bool) -> None:
    assert means(raw, value) is equal
