"""The names by which a case may address the facts and rolls of a chart and of all charts it runs."""

from collections.abc import Iterator

from refcli.core.chart import Chart, DrawNode, RollNode
from refcli.core.fact import Fact
from refcli.core.family import family


def facts_of(chart: Chart) -> Iterator[tuple[str, Fact]]:
    """Every fact that a walk of this one chart may ask, with its owner: chart, book, list or deck."""
    owned = [(chart.id, fact) for fact in chart.facts.values()]
    owned += [(chart.book.id, fact) for fact in chart.book.facts.values()]
    decks = {node.deck.name: node.deck for node in chart.nodes.values() if isinstance(node, DrawNode)}
    for owner, fact in owned:
        yield owner, fact
        yield from ((f"{owner}.{fact.name}", field) for field in fact.fields)
    for deck in decks.values():
        yield from ((deck.name, field) for field in deck.fields.values())


def fact_names(chart: Chart) -> dict[str, list[Fact]]:
    """The facts that a case for this chart may answer, by `name` and by `chart.name`."""
    found: dict[str, list[Fact]] = {}
    for one in family([chart]).values():
        for _, fact in facts_of(one):
            for name in dotted(one.id, fact.name):
                facts = found.setdefault(name, [])
                if fact not in facts:
                    facts.append(fact)
    return found


def roll_names(chart: Chart) -> set[str]:
    """The rolls that a case for this chart may fix, by `name` and by `chart.name`."""
    nodes = ((one, node) for one in family([chart]).values() for node in one.nodes.values())
    return {
        name for one, node in nodes if isinstance(node, RollNode) for name in dotted(one.id, node.name or node.id)
    }


def draw_names(chart: Chart) -> set[str]:
    """The draws that a case for this chart may fix, by `name` and by `chart.name`."""
    nodes = ((one, node) for one in family([chart]).values() for node in one.nodes.values())
    return {name for one, node in nodes if isinstance(node, DrawNode) for name in dotted(one.id, node.name)}


def deck_names(chart: Chart) -> list[str]:
    """The decks that a walk of this chart may draw from."""
    nodes = (node for one in family([chart]).values() for node in one.nodes.values())
    return sorted({node.deck.name for node in nodes if isinstance(node, DrawNode)})


def shared_names(chart: Chart) -> set[str]:
    """Plain names that mean more than one fact or more than one roll: only `chart.name` says which."""
    owners: dict[str, set[str]] = {}
    rolls: dict[str, set[str]] = {}
    for one in family([chart]).values():
        for owner, fact in facts_of(one):
            owners.setdefault(fact.name, set()).add(owner)
        for node in one.nodes.values():
            if isinstance(node, RollNode):
                rolls.setdefault(node.name or node.id, set()).add(one.id)
    return {name for found in (owners, rolls) for name, own in found.items() if len(own) > 1}


def dotted(chart: str, name: str) -> tuple[str, ...]:
    """A name with its chart and without, the most exact first: `book/chart.name`, `chart.name`, `name`."""
    return tuple(dict.fromkeys((f"{chart}.{name}", f"{chart.rpartition('/')[2]}.{name}", name)))
