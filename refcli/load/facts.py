"""From the facts of a file to `Fact`: answers, choices, lists of facts, facts like others."""

from collections.abc import Mapping, Sequence
from typing import Any

from refcli.core.chart import Band
from refcli.core.expr import Expr, constant
from refcli.core.fact import MAX_RECORDS, Choice, Fact, Kind, Must
from refcli.core.place import Place
from refcli.core.problem import Code
from refcli.core.struct import replace
from refcli.load.formulas import Formulas
from refcli.load.language import ANSWER_KINDS
from refcli.load.report import Report, brief
from refcli.load.scalars import plain
from refcli.load.tree import Scalar
from refcli.load.words import word_fault

MAX_COLUMNS = 100
"""The most columns of one field of a card."""
LIST_KEYS = ("noun", "size", "must")
"""What only a list has."""
Written = Sequence[tuple[Scalar, Any]]
"""Facts as read by their shape: each name with a bare text, the values of its keys, or None where it is broken."""


class Facts:
    """The facts of one file. `made` are whole; `broken` have been reported, and their names raise no complaint.

    `defaults` are the default expressions written here, each with its fact, and `musts` the rules of lists; still
    unchecked.
    """

    def __init__(
        self, written: Written, outer: Mapping[str, Fact], formulas: Formulas, *, shared: bool = False
    ) -> None:
        self.report: Report = formulas.report
        self.formulas = formulas
        self.outer = outer
        self.shared = shared
        self.written = {name.text: (name, value) for name, value in written}
        self.made: dict[str, Fact] = {}
        self.broken: set[str] = set()
        self.defaults: list[tuple[Expr, Fact]] = []
        self.musts: list[tuple[Expr, Fact]] = []
        for name in sorted(self.written, key=self.is_list):  # lists last: they need the facts that they hold
            self.make(name)
        self.made = {name: self.made[name] for name in self.written if name in self.made}

    def make(self, name: str) -> None:
        """Make the fact of that name, after those that it is like."""
        chain: list[str] = []
        like: Scalar | None = None
        while name in self.written and name not in self.made and name not in self.broken:
            if like is not None and name in chain:
                self.ring([*chain[chain.index(name) :], name], like)
                break
            chain.append(name)
            like = self.liked(name)
            name = like.text if like is not None else ""
        for each in reversed(chain):
            if each not in self.broken:
                fact = self.one(each)
                if fact is None:
                    self.broken.add(each)
                else:
                    self.made[each] = fact

    def is_list(self, name: str) -> bool:
        """Whether a fact is a list, or like one."""
        seen: set[str] = set()
        while name in self.written and name not in seen:
            seen.add(name)
            value = self.written[name][1]
            if isinstance(value, dict) and "list" in value["keys"]:
                return True
            like = self.liked(name)
            name = like.text if like is not None else ""
        return name in self.outer and self.outer[name].kind is Kind.LIST

    def liked(self, name: str) -> Scalar | None:
        """The name that a fact is like."""
        value = self.written[name][1]
        like = value.get("like") if isinstance(value, dict) else None
        return like if isinstance(like, Scalar) else None

    def ring(self, names: list[str], like: Scalar) -> None:
        """Facts that are like each other in a ring, closed by that `like`."""
        self.broken.update(names)
        what = f"facts that are like each other in a ring: {' -> '.join(names)}"
        self.report.add(Code.CIRCULAR, like, what, mend="give one of them its answers")

    def find(self, name: str) -> Fact | None:
        """A fact of this file, else of the book."""
        return self.made.get(name) or (None if name in self.written else self.outer.get(name))

    def one(self, name: str) -> Fact | None:
        """Make one fact whose `like` has been made."""
        at, value = self.written[name]
        if value is None:
            return None
        if isinstance(value, Scalar):
            return Fact(name=name, kind=Kind.YES_NO, ask=words(value), place=at.place, shared=self.shared)
        kinds = [key for key in ANSWER_KINDS if key in value["keys"]]
        if len(kinds) > 1:
            what = f"fact '{name}' has {len(kinds)} kinds of answer: {', '.join(kinds)}"
            self.report.add(Code.KIND, value["keys"][kinds[1]], what, mend="keep one")
            return None
        kind = kinds[0] if kinds else ""
        if value.get("text") is False:
            self.report.add(Code.WRONG_SHAPE, value["keys"]["text"], "write `text: yes`, or leave it out")
        if {kind, "columns"} & value["bad"] or (not kind and value["meant"] & set(ANSWER_KINDS)):
            return None
        if kind == "like":
            return self.alike(name, at, value)
        if "ask" not in {*value, *value["bad"], *value["meant"]}:
            self.report.add(Code.MISSING_KEY, at, f"fact '{name}' needs 'ask'", mend="add `ask:`, the question")
        return self.plain_fact(name, at, value, kind)

    def plain_fact(self, name: str, at: Scalar, value: dict[str, Any], kind: str) -> Fact | None:
        """A fact with answers of its own."""
        more: dict[str, Any] = {"kind": Kind.YES_NO}
        if kind == "number":
            more = self.number(name, value)
        elif kind == "choices":
            more = {"kind": Kind.CHOICE, "choices": self.choices(value["choices"])}
        elif kind == "text":
            more = {"kind": Kind.TEXT}
        elif kind == "list":
            more = {
                "kind": Kind.LIST,
                "noun": words(value.get("noun")) or "one",
                "fields": self.fields(value["list"]),
            }
            if more["fields"] is None:
                return None
        columns = value.get("columns")
        if columns is not None:
            more["columns"] = (columns.low, columns.high)
            if columns.high - columns.low >= MAX_COLUMNS:
                what = f"a field has {MAX_COLUMNS} columns at most"
                self.report.add(Code.TOO_LARGE, value["keys"]["columns"], what)
                return None
        return self.finish(Fact(name=name, ask="", place=at.place, **more), value)

    def number(self, name: str, value: dict[str, Any]) -> dict[str, Any]:
        """The range of a number; that of a card's field may end at its column."""
        band: Band | int = value["number"]
        if isinstance(band, Band):
            return {"kind": Kind.NUMBER, "low": band.low, "high": band.high}
        at, columns = value["keys"]["number"], value.get("columns")
        if columns is None:
            what = f"'{name}' ends at its column, but has no columns"
            self.report.add(Code.MISSING_KEY, at, what, mend="add `columns:`, like 1..10")
        elif band > columns.low:
            what = f"'{band}..column' holds nothing in column {columns.low}"
            self.report.add(Code.BAD_RANGE, at, what, mend=f"begin with {columns.low}, or with less")
        return {"kind": Kind.NUMBER, "low": band, "high": columns.high if columns else None, "by_column": True}

    def alike(self, name: str, at: Scalar, value: dict[str, Any]) -> Fact | None:
        """A fact with the answers of another."""
        like: Scalar = value["like"]
        model = self.find(like.text)
        if model is None:
            if like.text not in self.broken:
                known = places({**self.outer, **self.made}, at.place.file)
                self.report.unknown(Code.UNKNOWN_FACT, like, like.text, f"there is no fact '{like.text}'", known)
            return None
        return self.finish(replace(model, name=name, place=at.place), value)

    def finish(self, fact: Fact, value: dict[str, Any]) -> Fact:
        """The fact with what its keys say."""
        for key in LIST_KEYS if fact.kind is not Kind.LIST else ():
            if key in value:
                what = f"only a list has a {key}, '{fact.name}' is none"
                self.report.add(Code.WRONG_SHAPE, value["keys"][key], what)
        fact = replace(
            fact,
            ask=words(value.get("ask")) or fact.ask or fact.name,
            help=words(value.get("help")) or fact.help,
            note=words(value.get("note")) or fact.note,
            who=words(value.get("who")) or fact.who,
            noun=(words(value.get("noun")) or fact.noun) if fact.kind is Kind.LIST else "",
            decides="decides" in value or fact.decides,
            house_rule=value.get("house_rule", fact.house_rule),
            asked=value.get("asked", fact.asked),
            shared=self.shared,
        )
        written = value.get("default")
        if (fact.house_rule or not fact.asked) and fact.default is None and "default" not in value["keys"]:
            kind = "house rule" if fact.house_rule else "fact that is never asked,"
            what, mend = (
                f"{kind} '{fact.name}' needs 'default'",
                "add `default:`, the answer when nobody gives another",
            )
            self.report.add(Code.MISSING_KEY, value["at"], what, mend=mend)
        if written is not None:
            default = self.formulas.expr(written)
            if fact.kind is Kind.TEXT:
                default = constant(words(written), default.place)
            fact = replace(fact, default=default)
            if fact.kind is not Kind.TEXT:
                self.defaults.append((default, fact))
        return self.records(fact, value) if fact.kind is Kind.LIST else fact

    def records(self, fact: Fact, value: dict[str, Any]) -> Fact:
        """The list with how many records it may have, and what must hold of each."""
        size: Band | None = value.get("size")
        if size is not None and size.low is not None and size.high is not None:
            if size.low < 0 or not 1 <= size.high <= MAX_RECORDS:
                what = f"a list has up to {MAX_RECORDS} records, '{size}' cannot be its size"
                self.report.add(Code.BAD_RANGE, value["keys"]["size"], what)
            fact = replace(fact, size=(size.low, size.high))
        if "must" in value:
            whole = [rule for rule in value["must"] if not rule["bad"]]
            fact = replace(fact, must=tuple(Must(self.formulas.expr(r["be"]), words(r["says"])) for r in whole))
            self.musts += [(must.be, fact) for must in fact.must]
        return fact

    def choices(self, written: Written) -> tuple[Choice, ...]:
        """The legal words, each with its label and data."""
        made = []
        kinds: dict[str, tuple[type, str]] = {}
        for key, value in written:
            label: Scalar | None = value if isinstance(value, Scalar) else None
            data: dict[str, Any] = {}
            for name, part in value if isinstance(value, list) else ():
                if name.text == "label":
                    label = part
                elif part is not None:
                    data[name.text] = self.datum(name.text, part, kinds, key.text)
            if label is None and value is not None:
                self.report.add(Code.MISSING_KEY, key, f"choice '{key.text}' needs 'label'", mend="add `label:`")
            made.append(Choice(key.text, words(label) or key.text, data))
        return tuple(made)

    def datum(self, name: str, part: Scalar, kinds: dict[str, tuple[type, str]], key: str) -> int | bool | str:
        """A value that choices carry; the same field holds one kind of value for all of them."""
        value: int | bool | str = plain(part)
        if isinstance(value, str) and (fault := word_fault(value)):
            what = f"'{brief(value)}' is no value for choices: it can be an integer, yes, no or one word"
            self.report.add(Code.WRONG_SHAPE, part, what, fault if "small letters" not in fault else "")
        kind, first = kinds.setdefault(name, (type(value), key))
        if kind is not type(value):
            said = {int: "a number", bool: "yes or no", str: "a word"}
            what = f"'{name}' is {said[type(value)]} here and {said[kind]} for '{first}'"
            self.report.add(Code.WRONG_SHAPE, part, what)
        return value

    def fields(self, names: list[Scalar]) -> tuple[Fact, ...] | None:
        """The facts that each record of a list answers."""
        found: dict[str, Fact] = {}
        whole = True
        for name in names:
            fact = self.field(name)
            if fact is None:
                whole = False
            elif name.text in found:
                self.report.add(Code.DUPLICATE_KEY, name, f"'{name.text}' stands twice in this list")
            else:
                found[name.text] = fact
        return tuple(found.values()) if whole else None

    def field(self, name: Scalar) -> Fact | None:
        """One fact of a record."""
        word = name.text
        if self.is_list(word):
            self.report.add(Code.WRONG_SHAPE, name, f"a list cannot hold another list, '{word}'")
            return None
        fact = self.find(word)
        if fact is None and word not in self.written:
            known = places({**self.outer, **self.made}, name.place.file)
            self.report.unknown(Code.UNKNOWN_FACT, name, word, f"there is no fact '{brief(word)}'", known)
        return fact


def words(scalar: Scalar | None) -> str:
    """The text of an optional scalar, without space around it."""
    return scalar.text.strip() if scalar is not None else ""


def places(facts: Mapping[str, Fact], file: str) -> dict[str, Place]:
    """The names of facts, with their places where they stand in that file."""
    return {name: fact.place if fact.place.file == file else Place("") for name, fact in facts.items()}
