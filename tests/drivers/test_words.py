"""Steps in words."""

import pytest

from refcli.core.trail import Step
from refcli.drivers.words import passed


@pytest.mark.parametrize(
    ("value", "told"),
    [(7, "fire: rolled 7"), ((3, 5), "fire: rolled 3 5"), ((), "fire: rolled no dice")],
)
def test_a_throw_that_was_passed_is_told(value: object, told: str) -> None:
    assert passed(Step("made/chart", "fire", "roll", 0, "", value=value, name="fire")) == told
