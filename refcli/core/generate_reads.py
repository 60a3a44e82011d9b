"""Python source for the fast path: what names mean, and how cards, results, records and texts are read."""

from collections.abc import Iterator
from contextlib import contextmanager

from refcli.core import chart as c
from refcli.core import generate_behind
from refcli.core.compile import Tree
from refcli.core.expr import Expr, Text
from refcli.core.fact import Fact
from refcli.core.generate_facts import Asker, Inner
from refcli.core.layout import At, Call, Field, GiveUpError, Handed, Layout
from refcli.core.supply import Spec
from refcli.core.types import Card, Number, Result, Word, Words, YesNo


class Reader(Asker):
    """Reads names in the code that is being written, as `Scope` does for a walk."""

    def __init__(self, layout: Layout, mode: str, *, house_rules: bool) -> None:
        super().__init__(layout, mode, house_rules=house_rules)
        self._records = 0

    @contextmanager
    def before(self, inner: Inner) -> Iterator[None]:
        """With a record or result in front."""
        outside, self.inner = self.inner, (inner, *self.inner)
        yield
        self.inner = outside

    def both(self, word: str, parts: tuple[Tree, ...]) -> str:
        """The first part is always read, the others maybe."""
        found = [self.of(parts[0])]
        with self.part_of_line():
            found += [self.of(part) for part in parts[1:]]
        return f"({f' {word} '.join(found)})"

    def either(self, test: Tree, yes: Tree, no: Tree) -> str:
        """The test is read first, then one of the two."""
        asked = self.of(test)
        with self.part_of_line():
            first = self.of(yes)
        with self.part_of_line():
            second = self.of(no)
        return f"({first} if {asked} else {second})"

    # -- names ----------------------------------------------------------------------------------------------------
    def made(self, call: Call, name: str) -> str:
        """The variable of a made name."""
        return f"{call.prefix}n_{name}"

    def name(self, name: str) -> str:
        """A record's field, a made name or a fact."""
        for inner in self.inner:
            if name in inner.names:
                if not inner.names[name]:
                    raise GiveUpError
                return inner.names[name]
            if inner.list is not None and name == "place":
                return f"{inner.var}['place']"
            field = inner.field(name)
            if field is not None and inner.list is not None:
                return self.record_field(inner, field)
        if name in self.call.chart.made:
            return self.made(self.call, name)
        return self.located(self.layout.locate(self.call, name))

    def located(self, where: At | Handed | Field) -> str:
        """A fact, by who answers it."""
        match where:
            case At():
                return self.slot(where)
            case Handed(call=call, name=name):
                return self.handed(call, name)
            case Field(call=call, fact=fact):
                return self.record_field(self.record_of(call), fact)

    def record_of(self, call: Call) -> Inner:
        """The record that a call is run for."""
        return Inner(call.record, self.layout.records(call))

    def handed(self, call: Call, name: str) -> str:
        """What a `with` hands on, worked out by the caller; unless an outcome has changed it."""
        if call.up is None:
            raise GiveUpError
        var = f"{call.prefix}h_{name}"
        changed = (call.index, name) in self.layout.overruled
        inner = (self.record_of(call),) if call.record else ()
        with self.inside(call.up, inner):
            if not changed:
                return self.code(call.given[name])
            with self.part_of_line():
                return f"({var} if {var} is not OPEN else {self.code(call.given[name])})"

    def behind(self, at: At) -> str:
        """Source of what is asked for before a fact whose default is worked out, though its answer is at hand."""
        return generate_behind.behind(self, at)

    # -- records, cards, results ----------------------------------------------------------------------------------
    def record_field(self, inner: Inner, fact: Fact) -> str:
        """A field of a record: as it stands there, else asked as any other fact."""
        if inner.list is None:
            raise GiveUpError
        self.needs_row = True
        self._in_line = self._in_line or not self.silent
        self.told += 1
        self.every.add(fact.name)
        self.state.may.add(fact.name)
        computed = "None"
        if fact.default is not None and not fact.default.is_constant:
            with self.part_of_line():
                computed = f"lambda: {self.default(fact, self.owner(inner.list), (inner,))}"
        ruled = any(fact.name in must.be.reads for must in inner.list.fact.must)
        note = fact.note if self.tells(fact.note) else ""
        spec = Spec(fact, note, inner.list.fact if ruled else None, self.told_before.get(fact.name))
        read = f"x.field({inner.var}, {self.constant(spec)}, {computed}, {self.silent})"
        if note or spec.told or fact.default is not None:
            return read
        return f"({inner.var}[{fact.name!r}] if {fact.name!r} in {inner.var} else {read})"

    def field(self, name: str, field: str, column: str) -> str:
        """A field of a card; a numbered one in its nearest column."""
        kind = self.call.chart.made.get(name)
        if not isinstance(kind, Card):
            raise GiveUpError
        fact = kind.deck.fields[field]
        source = f"{self.made(self.call, name)}[{field!r}]"
        slot = f"{name}.{field}"
        if fact.columns is not None:
            low, high = fact.columns
            fixed = column.removeprefix("-").isdigit()
            column = str(min(max(int(column), low), high)) if fixed else f"min(max({column}, {low}), {high})"
            source += f"[{column}]"
            slot += f"({column})"
            if self.trail and fact.note and not fixed:
                raise GiveUpError  # in which columns it was read before is the walk's to know
        key = (self.call.index, slot)
        told = "" if key in self.state.known else self.tell(key, fact.note)
        if field in self.told_before and not self.silent:
            raise GiveUpError
        if not self.silent and fact.columns is None:
            self.state.known.add(key)
        if told:
            self._in_line = True
            self.told += 1
        return f"({told}{source})" if told else source

    def forget(self, indent: int, card: str) -> None:
        """Another card takes the place of the one of that name: its notes are told anew."""
        begin = f"{card}."
        self.state.known = {
            key for key in self.state.known if key[0] != self.call.index or not key[1].startswith(begin)
        }
        if self.trail:
            seen = f"seen{self.call.index}"
            self.put(indent, f"{seen} = {{key for key in {seen} if not key[1].startswith({begin!r})}}")

    def part(self, name: str, field: str) -> str:
        """A part of a result."""
        return f"{self.call.prefix}p_{name}P{field}"

    def many(self, tree: Tree) -> str:
        """Counts or totals records, or what runs for them gave."""
        head, name, *rest = tree
        what, where = (None, rest[0]) if head == "count" else rest
        self._records += 1
        var = f"r{self._records}"
        if name in self.call.chart.made:
            found = self.made(self.call, name)
            parts = self.kept_parts(self.call, name)
            sure = kind.fields if isinstance(kind := self.call.chart.made[name], Result) else ()
            names = {part: f"{var}[{place}]" if part in sure else "" for place, part in enumerate(parts)}
            inner = Inner(names=names)
            loop, one, plain = f"for {var}, times in {found}.items()", "times", f"sum({found}.values())"
        else:
            at = self.layout.list_of(self.call, name)
            found = self.slot(at)
            inner = Inner(var, at)
            loop, one, plain = f"for {var} in {found}", "1", f"len({found})"
        if what is None and where is None:
            return plain
        with self.part_of_line(), self.before(inner):
            test = f" if {self.of(where)}" if where is not None else ""
            amount = one if what is None else f"{one} * {self.of(what)}" if one == "times" else self.of(what)
        return f"sum([{amount} {loop}{test}])"

    def kept_parts(self, call: Call, name: str) -> tuple[str, ...]:
        """The parts of an each's results that are read later."""
        found: set[str] = set()
        for node in call.chart.nodes.values():
            if isinstance(node, c.EachNode) and node.name == name:
                live = call.chart.live[node.id]
                outcomes = call.runs[node.id].chart.outcomes.values()
                parts = {"outcome"}.union(*(one.gives.keys() | one.changes.keys() for one in outcomes))
                found |= {part for part in parts if part in live or f"{name}.{part}" in live}
        return tuple(sorted(found))

    # -- words ----------------------------------------------------------------------------------------------------
    def text(self, text: Text) -> str:
        """Source that fills a text in."""
        if not text.exprs:
            return repr(text.source)
        codes = [self.shown(expr) for expr in text.exprs]
        if not any(sign in code for code in codes for sign in "'\"\\{}\x02\x06"):  # an f-string cannot hold these
            filled = iter(codes)
            parts = (_plain(part) if isinstance(part, str) else f"{{{next(filled)}}}" for part in text.parts)
            return f"f'{''.join(parts)}'"
        form = "".join(part.replace("%", "%%") if isinstance(part, str) else "%s" for part in text.parts)
        return f"({form!r} % ({''.join(f'{code}, ' for code in codes)}))"

    def shown(self, expr: Expr) -> str:
        """Source of a value as a player reads it."""
        code = self.code(expr)
        match expr.type:
            case Number() | Words():
                return code
            case YesNo():
                return f"('yes' if {code} else 'no')"
            case Word(fact=fact) if fact is not None:
                return f"{self.constant({choice.key: choice.label for choice in fact.choices})}[{code}]"
            case Word():
                return code
        return f"shown({code}, {self.constant(expr.type)})"


def _plain(text: str) -> str:
    """Words as they stand between the single quotes of an f-string."""
    # with a double quote in it, repr chooses single ones
    return repr(f'"{text}')[2:-1].replace("{", "{{").replace("}", "}}")
