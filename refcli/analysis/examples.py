"""Worked examples: whether each comes out as its chart says."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from refcli.analysis.paths import edges_of
from refcli.core import types as t
from refcli.core.chart import Chart, DecideNode, Example
from refcli.core.errors import RefcliError, UnansweredError
from refcli.core.expr import shown
from refcli.core.need import Ask, Need, Outcome, Roll
from refcli.core.problem import Code, Problem
from refcli.core.ruling import means, plain
from refcli.core.trail import Step
from refcli.core.walk import Walk, pending

Play = Callable[[Chart, Example], tuple[Walk, list[str]]]
"""Plays an example to its outcome; gives the walk, and the names of answers that were never asked for.

It may raise a RefcliError. Who answers is the drivers' business, which this package does not know.
"""


@dataclass(frozen=True, slots=True)
class Played:
    """An example that was played: its walk where it came to an outcome, and what is wrong with it."""

    chart: Chart
    example: Example
    walk: Walk | None
    problem: Problem | None


def play_examples(chart: Chart, play: Play) -> Iterable[Played]:
    """Play every example of a chart."""
    for example in chart.examples:
        try:
            walk, left = play(chart, example)
        except RefcliError as fault:
            yield Played(chart, example, None, _stopped(example, fault))
        else:
            yield Played(chart, example, walk, check_example(chart, example, walk, left))


def check_example(chart: Chart, example: Example, walk: Walk, left: Iterable[str]) -> Problem | None:
    """What is wrong with an example that came to an outcome; the weightiest only.

    Args:
        chart: the chart it belongs to.
        example: what must come out.
        walk: what came out.
        left: the names of answers that were never asked for.
    """
    outcome = pending(walk)
    if not isinstance(outcome, Outcome):
        raise TypeError("the walk has not ended")
    if outcome.id != example.outcome:
        message = f"comes out as '{outcome.id}', not '{example.outcome}'"
        return _problem(example, message, decided(chart, walk.trail), "mend the chart, or the example")
    wrong = list(_wrong_gives(example.gives, plain({**outcome.gives, **outcome.changes})))
    if example.says and example.says not in outcome.says:
        wrong.append(f"says '{outcome.says}', without '{example.says}'")
    if wrong:
        return _problem(example, " and ".join(wrong), decided(chart, walk.trail), "mend the chart, or the example")
    if names := ", ".join(left):
        return _problem(example, f"answers what is never asked: {names}", decided(chart, walk.trail), "take it out")
    return None


def _wrong_gives(wanted: Mapping[str, Any], found: Mapping[str, Any]) -> Iterable[str]:
    for name, value in wanted.items():
        if name not in found:
            yield f"gives no '{name}' (only {', '.join(found) or 'nothing'})"
        elif not means(plain(value), found[name]):
            yield f"gives {name} {_word(found[name])}, not {_word(plain(value))}"


def _word(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _stopped(example: Example, fault: RefcliError) -> Problem:
    """An example that never comes to an outcome."""
    if isinstance(fault, UnansweredError):
        message, mend = _lacking(fault.need)
        return _problem(example, message, "", mend)
    return _problem(example, f"stops: {fault}", "", "mend the example, or the chart")


def _lacking(need: Need) -> tuple[str, str]:
    """What an example does not answer, and how it would."""
    if isinstance(need, Ask):
        names = [question.names[-1] for question in need.questions]
        asked = ", ".join(f"'{name}'" for name in dict.fromkeys(names))
        return f"does not answer {asked} ({need.chart})", f"add `given: {{{names[0]}: …}}`"
    if isinstance(need, Roll):
        faces = "…" if need.pool is None else f"[{', '.join('…' * min(need.pool, 3))}]"
        return f"does not roll '{need.name}' ({need.chart})", f"add `rolls: {{{need.name}: {faces}}}`"
    return f"does not draw the card '{getattr(need, 'name', '')}' ({need.chart})", "add it to `draws: […]`"


def decided(chart: Chart, trail: Iterable[Step]) -> str:
    """The last step that could have gone another way, as a hint: `decided at 'score' (line 17), which was 5`."""
    for step in reversed(list(trail)):
        node = chart.nodes.get(step.node)
        if step.chart != chart.id or step.depth or node is None or not step.to or len(list(edges_of(node))) < 2:
            continue
        kind = node.test.type if isinstance(node, DecideNode) else t.ANYTHING
        faces = ", ".join(map(str, step.value)) if isinstance(step.value, tuple) else shown(step.value, kind)
        return f"decided at '{node.id}' (line {node.place.line})" + (
            f", which was {faces}" if faces != "None" else ""
        )
    return ""


def _problem(example: Example, message: str, hint: str, mend: str) -> Problem:
    return Problem(Code.EXAMPLE, example.place, f"example '{example.name}' {message}", hint, mend)
