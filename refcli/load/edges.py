"""The edges of nodes: `next`, `cases`, `yes` and `no`. Where they lead is looked at once all nodes are known."""

from typing import Any

from refcli.core import chart as c
from refcli.core.chart import ELSE, Case, Cases
from refcli.core.problem import Code
from refcli.load.report import Report
from refcli.load.tree import Scalar

Raw = dict[str, Any]
"""An object as read by its shape."""
NO_EDGES = Cases(())


class Declared:
    """The nodes of a chart as far as they could be made, and what was written.

    `raw` are the marked values by node id, `makers` the names that nodes make with node id and place, `runs` the
    charts they run by full id. Where `whole` is false an edge or a node is lacking, or one name means two things:
    the graph cannot be judged.
    """

    def __init__(self) -> None:
        self.nodes: dict[str, c.Node] = {}
        self.raw: dict[str, Raw] = {}
        self.names: dict[str, Scalar] = {}
        self.makers: dict[str, list[tuple[str, Scalar]]] = {}
        self.runs: list[tuple[Scalar, str]] = []
        self.whole = True


class Edges:
    """Makes the edges of one chart's nodes."""

    def __init__(self, found: Declared, report: Report) -> None:
        self.found = found
        self.report = report

    def go(self, name: Scalar, raw: Raw, *, cases: bool = False, needed: bool = True) -> Cases:
        """The edges of a node: `next`, or `cases` where it may have them."""
        keys = raw["keys"]
        if cases and "cases" in keys:
            if "next" in keys:
                what = f"node '{name.text}' has both next and cases"
                self.report.add(Code.WRONG_SHAPE, keys["next"], what, mend="keep one")
            return self.cases(raw)
        target = raw.get("next")
        if isinstance(target, Scalar):
            return Cases((Case(ELSE, target.text, target.place, "next"),))
        self.found.whole = self.found.whole and not needed
        if needed and "next" not in raw["bad"]:
            legal = "'next' or 'cases'" if cases else "'next'"
            mend = "add `next:`, the node or outcome that follows"
            self.report.add(Code.MISSING_KEY, name, f"node '{name.text}' needs {legal}", mend=mend)
        return NO_EDGES

    def cases(self, raw: Raw) -> Cases:
        """The edges written as cases."""
        written = raw.get("cases")
        if written is None or any(target is None for _, target in written):
            self.found.whole = False
        return Cases(
            tuple(
                Case(pattern, target.text, target.place, key.text)
                for (key, pattern), target in written or ()
                if target is not None
            )
        )

    def yes_no(self, name: Scalar, raw: Raw) -> Cases:
        """The edges of a decision."""
        keys = raw["keys"]
        if "cases" in keys:
            for word in ("yes", "no"):
                if word in keys:
                    what = f"node '{name.text}' has both cases and {word}"
                    self.report.add(Code.WRONG_SHAPE, keys[word], what, mend=f"write {word} among the cases")
            return self.cases(raw)
        edges = []
        for word in ("yes", "no"):
            target = raw.get(word)
            if isinstance(target, Scalar):
                edges.append(Case(word == "yes", target.text, target.place, word))
                continue
            self.found.whole = False
            if word not in keys:
                what = f"node '{name.text}' needs '{word}'" if keys.keys() & {"yes", "no"} else ""
                what = what or (f"node '{name.text}' needs 'yes' and 'no', or 'cases'" if word == "yes" else "")
                if what:
                    self.report.add(Code.MISSING_KEY, name, what, mend="say where each answer leads")
        return Cases(tuple(edges))
