"""A chart and all that it runs."""

from collections.abc import Iterable

from refcli.core.chart import Chart


def family(charts: Iterable[Chart]) -> dict[str, Chart]:
    """These charts and every chart that they run, directly or through others, each once, by id."""
    found: dict[str, Chart] = {}
    todo = list(charts)
    while todo:
        chart = todo.pop(0)
        if chart.id not in found:
            found[chart.id] = chart
            todo += chart.charts.values()
    return found
