"""The whole examination: what is wrong with some charts and all that they run, and how far their examples reach."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from refcli.analysis.checks import check_chart
from refcli.analysis.coverage import Coverage, check_coverage, coverage
from refcli.analysis.examples import Play, Played, play_examples
from refcli.core.chart import Chart
from refcli.core.deck import Deck
from refcli.core.errors import ChartError
from refcli.core.family import family
from refcli.core.problem import Problem, Severity
from refcli.core.roster import Roster
from refcli.core.trail import Step
from refcli.load.library import Library


@dataclass(slots=True)
class Findings:
    """What was found: each problem once, the charts that have been looked at, and those that cannot be loaded.

    `covers` is empty where no examples were played. `counts` are the players' own counts of decks: each file with its
    deck, `rosters` their rosters; None where they have faults.
    """

    problems: dict[Problem, None] = field(default_factory=dict)
    charts: dict[str, Chart] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    covers: dict[str, Coverage] = field(default_factory=dict)
    counts: dict[str, Deck | None] = field(default_factory=dict)
    rosters: dict[str, Roster | None] = field(default_factory=dict)

    @property
    def sorted(self) -> list[Problem]:
        """The problems: errors first, then by file and line."""
        return sorted(self.problems, key=lambda p: (p.severity is not Severity.ERROR, p.place))

    def add(self, problems: Iterable[Problem]) -> None:
        """Note problems."""
        self.problems.update(dict.fromkeys(problems))

    def join(self, other: "Findings") -> None:
        """Add what was found elsewhere."""
        self.problems |= other.problems
        self.charts |= other.charts
        self.broken += [name for name in other.broken if name not in self.broken]
        self.covers |= other.covers
        self.counts |= other.counts
        self.rosters |= other.rosters


def examine(library: Library, ids: Iterable[str], play: Play | None) -> Findings:
    """Examine charts and all that they run.

    Coverage counts the examples of every chart in these books that runs one of them: a chart that only serves others
    is proved by theirs.

    Args:
        library: where the charts are.
        ids: their full ids.
        play: plays an example; None leaves examples and coverage out.
    """
    found = Findings()
    wanted = []
    for name in ids:
        found.add(library.problems(name))
        if chart := _load(library, name):
            wanted.append(chart)
        else:
            found.broken.append(name)
    found.charts = family(wanted)
    for chart in found.charts.values():
        found.add(check_chart(chart))
    if play is not None:
        _play(library, found, play)
    return found


def _load(library: Library, name: str) -> Chart | None:
    try:
        return library.load(name)
    except ChartError:
        return None


def _play(library: Library, found: Findings, play: Play) -> None:
    """Play the examples of all books concerned; tell what is wrong with those of the charts examined."""
    books = dict.fromkeys(chart.book.id for chart in found.charts.values())
    names = [f"{book}/{stem}" for book in books for stem in library.catalogue.charts(book)]
    others = [chart for name in names if name not in found.charts and (chart := _load(library, name))]
    callers = [chart for chart in others if found.charts.keys() & family([chart]).keys()]
    played = [one for chart in (*found.charts.values(), *callers) for one in play_examples(chart, play)]
    found.add(one.problem for one in played if one.problem and one.chart.id in found.charts)
    found.covers = coverage(_walks(played), found.charts.values())
    # an example that stops is an error of its own: what it would have reached, nobody knows
    unsure = {name for one in played if one.walk is None for name in family([one.chart])}
    for cover in found.covers.values():
        if cover.chart.id not in unsure and (cover.chart.examples or cover.passed.nodes):
            found.add(check_coverage(cover))


def _walks(played: Iterable[Played]) -> Iterable[tuple[Chart, Iterable[Step]]]:
    return [(one.chart, one.walk.trail) for one in played if one.walk is not None]
