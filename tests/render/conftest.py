from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from refcli.core.chart import Chart
from refcli.core.walk import Walk, start
from refcli.drivers.loop import drive
from refcli.drivers.script import CaseSupplier, Defaults, read_case
from refcli.load.library import Library

CHARTS = Path(__file__).parents[1] / "data" / "charts"


@pytest.fixture(scope="session")
def chart() -> Callable[[str], Chart]:
    """Loads a demo chart by its short name."""
    shelf = Library([CHARTS])
    return lambda name: shelf.load(f"demo/{name}")


@pytest.fixture
def walked(chart: Callable[[str], Chart]) -> Callable[..., Walk]:
    """Walks a demo chart to its outcome, defaults for what the case does not say."""

    def walk(name: str, case: dict[str, Any], *, house_rules: bool = False) -> Walk:
        begun = start(chart(name), house_rules=house_rules)
        return drive(begun, [CaseSupplier(read_case(case)), Defaults()])

    return walk
