"""Questions about a whole chart that loading it does not answer: one file per concern, registered here."""

from collections.abc import Callable, Iterable

from refcli.analysis.checks.cases import check_cases, check_look_ups
from refcli.analysis.checks.handed import check_handed
from refcli.analysis.checks.hygiene import check_examples_exist, check_facts_used, check_names_used
from refcli.analysis.checks.loops import check_loops
from refcli.analysis.checks.tables import check_tables
from refcli.core.chart import Chart
from refcli.core.family import family
from refcli.core.problem import Problem

CHECKS: tuple[Callable[[Chart], list[Problem]], ...] = (
    check_cases,
    check_tables,
    check_look_ups,
    check_handed,
    check_loops,
    check_facts_used,
    check_names_used,
    check_examples_exist,
)
"""Every check; each looks at one chart alone, and takes for granted that the charts it runs pass too."""


def check_chart(chart: Chart) -> list[Problem]:
    """Everything that is wrong with one chart, in the order of its lines."""
    problems = [problem for check in CHECKS for problem in check(chart)]
    return sorted(problems, key=lambda problem: (problem.place.line, problem.place.column))


def check_charts(charts: Iterable[Chart]) -> list[Problem]:
    """Everything that is wrong with these charts and all that they run, each chart once."""
    return [problem for chart in family(charts).values() for problem in check_chart(chart)]
