"""The law of the loop: what a stopped walk hands back brings a new one to the same point, whatever the chart."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from refcli.core.chart import Chart
from refcli.core.errors import RefcliError
from refcli.core.need import Need, Outcome
from refcli.core.walk import Walk, start
from refcli.drivers.chance import Chance
from refcli.drivers.loop import Back, Quit, Stopped, Supplied, drive
from refcli.drivers.script import Case, CaseSupplier, Defaults, check_names
from refcli.load.library import Library
from tests.helpers import end
from tests.strategies import charts, files, reply

FLOWCHARTS = Path(__file__).parents[2] / "flowcharts"
LIBRARY = Library([FLOWCHARTS])
CHARTS = sorted(f"{path.parent.name}/{path.stem}" for path in FLOWCHARTS.glob("*/*.yaml") if path.stem != "book")
SETTINGS = settings(deadline=None, max_examples=150, suppress_health_check=list(HealthCheck))


class Someone:
    """A player who answers anything legal, goes back now and then, and leaves after some questions."""

    def __init__(self, draw: Any, most: int) -> None:
        self.draw = draw
        self.most = most

    def supply(self, walk: Walk, need: Need) -> Supplied:
        self.most -= 1
        if self.most < 0:
            raise Quit
        if self.draw(st.integers(0, 9)) == 0:
            raise Back
        return Supplied(reply(self.draw, need), "asked")


class Nobody:
    """A player who has left."""

    def supply(self, walk: Walk, need: Need) -> Supplied:
        raise Quit


def load(folder: Path, text: str) -> Chart:
    for name, content in files(text).items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return Library([folder]).load("made/chart")


@SETTINGS
@given(text=charts(), data=st.data(), most=st.integers(0, 25))
def test_answers_bring_any_walk_to_the_same_point(
    tmp_path_factory: pytest.TempPathFactory, text: str, data: st.DataObject, most: int
) -> None:
    chart = load(tmp_path_factory.mktemp("charts"), text)
    try:
        first = drive(start(chart), [Someone(data.draw, most)])
    except Stopped as stop:
        if stop.fault is not None:
            return
        case = Case(**stop.answers)
        check_names(case, chart)
        with pytest.raises(Stopped) as again:
            drive(start(chart), [CaseSupplier(case), Nobody()])
        assert again.value.walk.position == stop.walk.position
        assert again.value.walk.need == stop.walk.need
        assert again.value.answers == stop.answers
    except RefcliError as fault:
        assert str(fault)
    else:
        assert isinstance(first.need, Outcome)


@SETTINGS
@given(text=charts(), seed=st.integers(0, 99), data=st.data())
def test_same_seed_and_answers_rule_the_same(
    tmp_path_factory: pytest.TempPathFactory, text: str, seed: int, data: st.DataObject
) -> None:
    chart = load(tmp_path_factory.mktemp("charts"), text)
    answers: list[Any] = []

    class Kept(Someone):
        def supply(self, walk: Walk, need: Need) -> Supplied:
            answers.append(reply(self.draw, need))
            return Supplied(answers[-1], "asked")

    class Again:
        def supply(self, walk: Walk, need: Need) -> Supplied:
            return Supplied(answers.pop(0), "asked")

    try:
        walk = drive(start(chart), [Chance(seed), Kept(data.draw, 99)])
    except RefcliError:
        return
    assert drive(start(chart), [Chance(seed), Again()]) == walk


@pytest.mark.parametrize("chart_id", CHARTS)
def test_every_example_is_ruled_through_the_drivers(chart_id: str) -> None:
    chart = LIBRARY.load(chart_id)
    for example in chart.examples:
        case = Case(given=example.given, rolls=example.rolls, draws=example.draws)
        check_names(case, chart)
        walk = start(chart, house_rules=True)
        assert end(drive(walk, [CaseSupplier(case), Defaults()])).id == example.outcome, example.name
