"""The graph of one chart: which names are made and read where, and what no path can do.

Works on nodes alone, so it serves the loader (problems) and the walk (what a position must keep).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from refcli.core import chart as c
from refcli.core import types as t
from refcli.core.expr import Expr
from refcli.core.parts import Part, exprs_of, makes_of, names_of, reads_of, targets_of
from refcli.core.problem import Code, Problem


def live(
    nodes: Mapping[str, c.Node],
    outcomes: Mapping[str, c.OutcomeNode],
    called: Callable[[c.RunNode], Iterable[str]],
) -> dict[str, frozenset[str]]:
    """For each node and outcome, the names that may still be read from there on, itself included."""
    uses = {name: uses_of(part, called) for name, part in _parts(nodes, outcomes)}
    found = dict(uses)
    makes = {name: makes_of(node) for name, node in nodes.items()}
    follow = {name: [to for to, _ in targets_of(node)] for name, node in nodes.items()}
    changed = True
    while changed:
        changed = False
        for name in reversed(list(nodes)):
            after = frozenset().union(*(found.get(to, frozenset()) for to in follow[name]))
            now = uses[name] | {word for word in after if word.split(".")[0] not in makes[name]}
            if now != found[name]:
                found[name], changed = now, True
    return found


def uses_of(part: Part, called: Callable[[c.RunNode], Iterable[str]]) -> frozenset[str]:
    """What a part reads from before it; `called` gives what the chart of a node reads."""
    if isinstance(part, c.RunNode):
        return _without_whole_cards(part, reads_of(part)) | frozenset(called(part))
    return _set_uses(part) if isinstance(part, c.SetNode) else reads_of(part)


def _without_whole_cards(node: c.RunNode, names: frozenset[str]) -> frozenset[str]:
    """Leave out that a card is handed on whole: `called` tells which fields of it are read."""
    handed = {f"{expr.text.strip()}.*" for expr in node.given.values() if isinstance(expr.type, t.Card)}
    return names - handed


def _set_uses(node: c.SetNode) -> frozenset[str]:
    """What a set node reads from before it: not what its own earlier lines make."""
    before: set[str] = set()
    made: set[str] = set()
    for expr, makes in _in_order(node):
        before |= names_of(expr) - made
        made |= makes
    return frozenset(before)


def _parts(nodes: Mapping[str, c.Node], outcomes: Mapping[str, c.OutcomeNode]) -> Iterator[tuple[str, Part]]:
    yield from nodes.items()
    yield from outcomes.items()


def reachable(nodes: Mapping[str, c.Node], start: str) -> set[str]:
    """The nodes and outcomes that some path from the start leads to."""
    seen, todo = set(), [start]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            if name in nodes:
                todo.extend(to for to, _ in targets_of(nodes[name]))
    return seen


def check_graph(
    nodes: Mapping[str, c.Node],
    start: str,
    outcomes: Mapping[str, c.OutcomeNode],
    rolling: frozenset[str] = frozenset(),
) -> list[Problem]:
    """Unreachable parts, loops without a roll or draw, and names read before they are made."""
    reached = reachable(nodes, start)
    problems = [
        Problem(
            Code.UNREACHABLE,
            part.place,
            f"no path from '{start}' leads to '{name}'",
            mend="lead an edge there, or delete it",
            width=len(name),
        )
        for name, part in _parts(nodes, outcomes)
        if name not in reached
    ]
    problems += _loops(nodes, reached, rolling)
    problems += _unmade(nodes, start, outcomes, reached)
    return problems


def _loops(nodes: Mapping[str, c.Node], reached: set[str], rolling: frozenset[str]) -> list[Problem]:
    """Rings of nodes that never pass a roll or draw; one problem per ring, at the edge that closes it."""
    problems: list[Problem] = []
    state: dict[str, int] = {}
    for root in nodes:
        if root not in reached or state.get(root) or _breaks(nodes[root], rolling):
            continue
        path = [root]
        state[root] = 1
        stack = [targets_of(nodes[root])]
        while stack:
            step = next(stack[-1], None)
            if step is None:
                stack.pop()
                state[path.pop()] = 2
                continue
            to, place = step
            if to not in nodes or _breaks(nodes[to], rolling):
                continue
            if state.get(to) == 1:
                ring = " -> ".join([*path[path.index(to) :], to])
                mend = "going back is allowed only through a roll or draw, or a chart that always rolls or draws"
                problems.append(
                    Problem(Code.LOOP, place, f"this loop may never end: {ring}", mend=mend, width=len(to))
                )
            elif not state.get(to):
                state[to] = 1
                path.append(to)
                stack.append(targets_of(nodes[to]))
    return problems


def _breaks(node: c.Node, rolling: frozenset[str]) -> bool:
    """Whether passing a node takes a roll or draw; an each may run its chart for nobody."""
    if isinstance(node, c.RunNode):
        return not isinstance(node, c.EachNode) and node.chart_id in rolling
    return isinstance(node, c.RollNode | c.DrawNode)


def always_rolls(nodes: Mapping[str, c.Node], start: str, rolling: frozenset[str]) -> bool:
    """Whether every way through a chart rolls or draws; `rolling` are the charts of which that is known."""
    seen, todo = set(), [start]
    while todo:
        name = todo.pop()
        if name not in nodes:
            return False
        if name not in seen and not _breaks(nodes[name], rolling):
            todo.extend(to for to, _ in targets_of(nodes[name]))
        seen.add(name)
    return True


def _unmade(
    nodes: Mapping[str, c.Node], start: str, outcomes: Mapping[str, c.OutcomeNode], reached: set[str]
) -> list[Problem]:
    """Names read where some path has not made them."""
    everything = frozenset(name for node in nodes.values() for name in makes_of(node))
    made = dict.fromkeys(reached, everything) | {start: frozenset()}
    todo = [name for name in nodes if name in reached]
    while todo:
        name = todo.pop(0)
        after = made[name] | makes_of(nodes[name])
        for to, _ in targets_of(nodes[name]):
            if to in made and not made[to] <= after:
                made[to] &= after
                if to in nodes and to not in todo:
                    todo.append(to)
    problems = []
    for name, part in _parts(nodes, outcomes):
        here = set(made.get(name, everything))
        for expr, makes in _in_order(part):
            for word in sorted((expr.reads & everything) - here):
                makers = [at for at, node in nodes.items() if word in makes_of(node)]
                problems.append(
                    Problem(
                        Code.UNMADE,
                        expr.place,
                        f"'{word}' is read here, but not every path from '{start}' has made it",
                        f"it is made in {', '.join(makers)}",
                        "make it on every path, or read it only behind that node",
                        len(expr.text),
                    )
                )
                here.add(word)
            here |= makes
    return problems


def _in_order(part: Part) -> Iterator[tuple[Expr, frozenset[str]]]:
    """The expressions of a part, each with the names it makes for those behind it."""
    if not isinstance(part, c.SetNode):
        yield from ((expr, frozenset()) for expr in exprs_of(part))
        return
    yield from ((expr, frozenset()) for expr in (part.label.exprs if part.label else ()))
    yield from ((expr, frozenset({name})) for name, expr in part.values)
