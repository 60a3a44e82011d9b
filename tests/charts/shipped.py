"""The shipped charts, each loaded once, and what their examples come to."""

from functools import cache
from pathlib import Path

from refcli.analysis.coverage import Coverage, coverage
from refcli.analysis.examples import Played, play_examples
from refcli.cli.check import play_example
from refcli.core.chart import Chart
from refcli.core.errors import ChartError
from refcli.load.library import Library

LIBRARY = Library([Path(__file__).parents[2] / "flowcharts"])
IDS = LIBRARY.catalogue.ids()


@cache
def charts() -> dict[str, Chart]:
    """Every chart that loads; the others are told of by a test of their own."""
    found = {}
    for name in IDS:
        try:
            found[name] = LIBRARY.load(name)
        except ChartError:
            continue
    return found


@cache
def played() -> tuple[Played, ...]:
    """Every example of every chart, played."""
    return tuple(one for chart in charts().values() for one in play_examples(chart, play_example))


@cache
def covers() -> dict[str, Coverage]:
    """What the examples reach, chart by chart; those of charts that run a chart count for it too."""
    walks = ((one.chart, one.walk.trail) for one in played() if one.walk is not None)
    return coverage(walks, charts().values())
