"""Ruling on a stream of cases: every chart is loaded once, and one bad case never stops the rest."""

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refcli.core.chart import Chart
    from refcli.core.errors import RefcliError, UnansweredError
    from refcli.core.fact import Fact
    from refcli.core.need import Question
    from refcli.drivers.batch.row import Row
    from refcli.drivers.rosters import Rosters
    from refcli.drivers.script import Case
    from refcli.load.library import Library


LONGEST = 1000
"""How many characters of an error are told: it may quote a case of megabytes."""


class Known:
    """A chart, and all names that a case for it may use; `lists` are the facts of those that may mean a list."""

    __slots__ = ("chart", "facts", "lists", "quick", "rolls")

    def __init__(self, chart: "Chart", *, trail: bool = False, house_rules: bool = False) -> None:
        from refcli.drivers.names import fact_names, roll_names
        from refcli.drivers.quick import Quick

        self.chart = chart
        named = fact_names(chart)
        self.facts = frozenset(named)
        self.lists: dict[str, list[Fact]] = {
            name: facts for name, facts in named.items() if any(fact.fields for fact in facts)
        }
        self.rolls = roll_names(chart)
        self.quick = Quick(chart, self.facts, trail=trail, house_rules=house_rules)

    def check(self, case: "Case") -> None:
        """See that every name of a case is known.

        Raises:
            ReplyError: one is not.
        """
        from refcli.drivers.script import check_names

        if case.placeholders or not (case.given.keys() <= self.facts and case.rolls.keys() <= self.rolls):
            check_names(case, self.chart)


def told_beforehand(chart: "Chart", given: Mapping[str, Any]) -> dict[str, Any]:
    """The answers that cannot wait until they are asked for.

    A house rule may never be asked; a default that is worked out would ask for what it reads first.
    """
    from refcli.core.fact import Kind

    known = {}
    for name, raw in given.items():
        fact = chart.fact(name)
        in_order = isinstance(raw, list) and (
            fact is None or fact.kind is not Kind.LIST or any(isinstance(one, list) for one in raw)
        )
        if fact is None or in_order:
            continue
        if fact.house_rule or (fact.default is not None and not fact.default.is_constant):
            known[name] = raw
    return known


class Referee:
    """Rules on cases; every chart is loaded once."""

    def __init__(
        self, shelf: "Library", chart: str | None, seed: int | None, *, trail: bool = False, house_rules: bool = False
    ) -> None:
        self.shelf = shelf
        self.default = chart
        self.seed = seed
        self.trail = trail
        self.house_rules = house_rules
        self.rosters: Rosters | None = None
        self._charts: dict[str, Known | RefcliError] = {}
        if chart is not None:
            self.chart(chart)

    def chart(self, name: str) -> Known:
        """A chart by its id or a short form of it.

        Raises:
            UsageError: there is no such chart, or there are several.
            ChartError: it has faults.
        """
        from refcli.core.errors import RefcliError

        if name not in self._charts:
            try:
                chart = self.shelf.load(self.shelf.find(name))
                self._charts[name] = Known(chart, trail=self.trail, house_rules=self.house_rules)
            except RefcliError as fault:
                self._charts[name] = fault
        found = self._charts[name]
        if isinstance(found, RefcliError):
            raise found
        return found

    def take(self, chart: "Chart") -> None:
        """Rule by this chart where a case names none."""
        self.default = chart.id
        self._charts[chart.id] = Known(chart, trail=self.trail, house_rules=self.house_rules)

    def compiled(self, name: Any) -> "Callable[..., dict[str, Any] | None] | None":
        """What rules by the compiled chart of that name; None where walks have to rule."""
        name = name or self.default
        known = self._charts.get(name) if isinstance(name, str) else None
        if not isinstance(known, Known) or (self.rosters is not None and known.lists):
            return None
        return known.quick.rule

    def quick(self, raw: Any, number: int) -> dict[str, Any] | None:
        """The ruling of the compiled chart on a case, as plain data; None where it is not sure of it."""
        try:
            rule = self.compiled(raw.get("chart"))
            return rule(raw, number, self.seed) if rule is not None else None
        except Exception:
            return None

    def line(self, row: "Row") -> dict[str, Any]:
        """The line that goes out for a case: its ruling, or its error."""
        if not row.error and (found := self.quick(row.raw, row.number)) is not None:
            return found
        from refcli.core.errors import RefcliError, UnansweredError

        try:
            if row.error:
                return _failed(row, row.error)
            return self.rule(row)
        except UnansweredError as fault:
            return _failed(row, missing(fault))
        except RefcliError as fault:
            return _failed(row, _first(fault))
        except Exception as fault:
            if os.environ.get("REFCLI_DEBUG") == "1":
                raise
            what = f"{type(fault).__name__}: {fault}"[:200]
            return _failed(row, f"this is a fault of refcli, please report it: {what}")

    def rule(self, row: "Row") -> dict[str, Any]:
        """The ruling on a case by a walk, which is the oracle of the compiled charts.

        Raises:
            RefcliError: whatever keeps it from an outcome, or an outcome that is not the expected one.
        """
        from refcli.cli.expect import check_expected, read_expected
        from refcli.core.errors import ReplyError
        from refcli.core.ruling import ruling
        from refcli.core.struct import replace
        from refcli.core.walk import start
        from refcli.drivers.loop import Supplier, drive
        from refcli.drivers.script import CaseSupplier, Defaults, read_case

        case = read_case(row.raw)
        name = case.chart or self.default
        if not name:
            raise ReplyError('no chart: name it in the case as "chart", or for all cases by --chart')
        if case.id is not None and not _is_id(case.id):
            raise ReplyError("an id is a text or a whole number")
        known = self.chart(name)
        known.check(case)
        chart = known.chart
        if self.rosters is not None:
            case = replace(case, given=self.rosters.fill(case.given, known.lists, chart.book.id))
        expected = read_expected(case.expect, chart)
        scripted = CaseSupplier(case)
        suppliers: list[Supplier] = [scripted]
        case_id = row.number if case.id is None else case.id
        seed = self.seed if case.seed is None else case.seed
        if seed is not None:
            from refcli.drivers.chance import Chance

            suppliers.append(Chance(seed, str(case_id)))
        suppliers.append(Defaults())
        told = told_beforehand(chart, case.given)
        walk = drive(start(chart, told, house_rules=self.house_rules), suppliers)
        found = ruling(walk, case_id, trail=self.trail)
        check_expected(expected, found)
        if left := scripted.leftover():
            used = {fact.name for step in walk.trail for fact in step.used}
            if unused := [name for name in left if not (name in told and name in used)]:
                found["unused"] = unused
        return found


def _failed(row: "Row", error: str) -> dict[str, Any]:
    """The line that goes out for a case without a ruling."""
    raw = row.raw if isinstance(row.raw, dict) else {}
    case_id, chart = raw.get("id"), raw.get("chart")
    found: dict[str, Any] = {"id": case_id if _is_id(case_id) else row.number}
    if isinstance(chart, str) and chart:
        found["chart"] = chart
    return found | {"error": error if len(error) <= LONGEST else f"{error[:LONGEST]}…", "line": row.line}


def _is_id(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _first(fault: "RefcliError") -> str:
    """An error on one line; of a chart's problems the first."""
    from refcli.core.errors import ChartError

    if not isinstance(fault, ChartError):
        return " ".join(str(fault).split())
    more = len(fault.problems) - 1
    told = str(fault.problems[0]) if fault.problems else "the chart has faults"
    return told + (f" (and {more} more: see refcli check)" if more > 0 else "")


def missing(fault: "UnansweredError") -> str:
    """What a case lacks, by name, with its legal answers."""
    from refcli.core.need import Ask, Draw, Roll

    need = fault.need
    match need:
        case Ask():
            open_ = [question for question in need.questions if question.default is None]
            told = [f"'{question.names[-1]}' ({_asked(question)})" for question in open_]
            return f"not given: {'; '.join(filter(None, (*told, fault.why)))}"
        case Roll():
            dice = f"{need.pool} × {need.dice}" if need.pool is not None else str(need.dice)
            return f"not rolled: '{need.name}' ({dice}); give it in \"rolls\", or roll it by --seed"
        case Draw():
            known = ", or draw it by --seed" if need.deck.can_be_drawn else ""
            known += ", from a placeholder, not the real deck" if need.deck.uses_placeholder else ""
            return f'not drawn: a card of {need.deck.title}; give it in "draws"{known}'
    return str(fault)


def _asked(question: "Question") -> str:
    """A question with its legal answers."""
    from refcli.core.fact import Kind
    from refcli.drivers.words import about

    fact = question.fact
    legal = {
        Kind.YES_NO: "yes or no",
        Kind.NUMBER: "a whole number" if fact.range == ".." else f"a number in {fact.range}",
        Kind.CHOICE: ", ".join(choice.key for choice in fact.choices),
        Kind.LIST: f"a list of mappings of {', '.join(part.name for part in fact.fields)}",
        Kind.TEXT: "a text",
    }[fact.kind]
    ask = about(question)
    return f"{ask} {legal}" if ask.endswith("?") else f"{ask}: {legal}"
