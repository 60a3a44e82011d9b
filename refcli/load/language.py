"""The chart language as data: every key of every object, the shape of its value, and what it is for.

A JSON Schema for editors is generated from the same tables.
"""

from refcli.core.chart import Tone
from refcli.load.scalars import (
    Case,
    Cell,
    ColumnRange,
    Count,
    DiceText,
    Flag,
    Formula,
    Name,
    OneOf,
    Prose,
    Range,
    Target,
    Weight,
)
from refcli.load.shape import Either, Field, Fields, Kinds, ListOf, MapOf, Object, Raw, Shape

_TEXT, _EXPR, _NAME = Prose(), Formula(), Name()
_FILLED, _BY_COLUMN = Prose(fills=None), Prose(fills=frozenset({"column"}))
_CASES = Field(MapOf(Case(kept=True), Target()), "each value with the node or outcome it leads to")
_NEXT = Field(Target(), "the node or outcome that follows")
_NOTE = Field(_TEXT, "a reading of the rules that matters here")
_PAGE = Field(_TEXT, "the page of the rules")
_GIVES = Field(MapOf(_NAME, _EXPR), "values handed to the chart that ran this one")
_CHANGES = Field(MapOf(Name("id"), _EXPR), "facts that are different from now on")
_VALUES = MapOf(_NAME, _EXPR)
_ANYTHING = MapOf(_TEXT, Raw(), least=0)

CHOICE: Fields = {"label": Field(_TEXT, "the choice in words for players", required=True)}
"""Beside these a choice has fields of the author's own."""


_ANSWER: Fields = {
    "number": Field(Range(), "the legal numbers, like 0.."),
    "choices": Field(
        MapOf(Name("word"), Either((_TEXT, MapOf(Name("id"), _TEXT))), least=2), "each key with its label"
    ),
    "text": Field(Flag(), "yes: any words, only for show"),
}
_ASKING: Fields = {
    "ask": Field(_TEXT, "the question in words for players"),
    "help": Field(_TEXT, "how to answer the question"),
    "note": _NOTE,
}
MUST: Fields = {
    "be": Field(_EXPR, "what must hold of a record, like hits <= strength", required=True),
    "says": Field(_TEXT, "what to tell a player whose answer breaks the rule", required=True),
}
FACT: Fields = {
    **_ASKING,
    **_ANSWER,
    "list": Field(ListOf(Name("id"), least=1), "the facts that each record answers"),
    "noun": Field(_TEXT, "what one record is called"),
    "size": Field(Range(closed=True), "how many records the list may have, like 1..10"),
    "must": Field(ListOf(Object("rule", MUST), 1), "what must hold of every record"),
    "like": Field(Name("id"), "the fact whose answers this one has too"),
    "who": Field(_TEXT, "whom to ask"),
    "decides": Field(OneOf(("player",)), "player: it is his free choice"),
    "default": Field(_EXPR, "the answer unless told otherwise"),
    "house_rule": Field(Flag(), "yes: asked only with house rules"),
    "asked": Field(Flag(), "no: never asked; its default holds until an outcome changes it"),
}
ANSWER_KINDS = ("number", "choices", "list", "text", "like")
CARD_FIELD: Fields = {
    "ask": Field(_BY_COLUMN, "the question in words for players"),
    "help": Field(_BY_COLUMN, "how to answer the question"),
    "note": Field(_BY_COLUMN, "a reading of the rules that matters here"),
    **_ANSWER,
    "number": Field(
        ColumnRange(), "the legal numbers, like 1..6; 1..column holds as many as the column's own number"
    ),
    "columns": Field(Range(closed=True), "the columns of a numbered field, like 1..10"),
}
FACTS = MapOf(_NAME, Either((_TEXT, Object("fact", FACT))), least=0)
CARD_FIELDS = MapOf(_NAME, Either((_BY_COLUMN, Object("field", CARD_FIELD))))

_COMMON: Fields = {"label": Field(_FILLED, "the node in words, for print and trail"), "note": _NOTE, "page": _PAGE}
MODIFIER: Fields = {
    "when": Field(_EXPR, "when it applies"),
    "by": Field(_EXPR, "what its amounts are looked up by"),
    "add": Field(Either((_EXPR, MapOf(Case(), _EXPR))), "what to add"),
    "multiply": Field(Either((_EXPR, MapOf(Case(), _EXPR))), "what to multiply by"),
    "divide": Field(Either((_EXPR, MapOf(Case(), _EXPR))), "what to divide by"),
    "label": Field(_FILLED, "the modifier in words"),
    "note": _NOTE,
}
_RUN = Field(Name("chart"), "the chart to run", required=True)
_AS = Field(_NAME, "what the result is called")
NODE_KINDS: dict[str, Fields] = {
    "each": {
        "each": Field(Name("id"), "the list whose records are taken in turn", required=True),
        "run": _RUN,
        "when": Field(_EXPR, "which records"),
        "with": Field(MapOf(Name("id"), _EXPR), "answers handed to the chart"),
        "until": Field(_EXPR, "when to stop early"),
        "as": _AS,
        "next": _NEXT,
    },
    "do": {"do": Field(_FILLED, "what to do at the table", required=True), "next": _NEXT},
    "decide": {
        "decide": Field(_EXPR, "what decides", required=True),
        "yes": Field(Target(), "where yes leads"),
        "no": Field(Target(), "where no leads"),
        "cases": _CASES,
    },
    "set": {"set": Field(_VALUES, "each name with its value", required=True), "next": _NEXT},
    "tally": {
        "tally": Field(_NAME, "what the total is called", required=True),
        "start": Field(_EXPR, "what it starts from, 0 if left out"),
        "modifiers": Field(ListOf(Object("modifier", MODIFIER)), "what is added, multiplied or divided, in order"),
        "cap": Field(Range(), "the range that holds the total"),
        "next": _NEXT,
        "cases": _CASES,
    },
    "roll": {
        "roll": Field(DiceText(), "the dice, like 2d6", required=True),
        "as": _AS,
        "dice": Field(_EXPR, "how many dice a pool has"),
        "count": Field(_VALUES, "what to count in a pool, like {hits: die >= 5}"),
        "next": _NEXT,
        "cases": _CASES,
    },
    "draw": {"draw": Field(Name("file"), "the deck to draw from", required=True), "as": _AS, "next": _NEXT},
    "table": {
        "table": Field(
            Either((_EXPR, ListOf(_EXPR, 1, 2, whole=True))), "what picks the row, and the column", required=True
        ),
        "columns": Field(ListOf(Case(), 1, whole=True), "what each column is for"),
        "rows": Field(
            MapOf(Case(kept=True), Either((Cell(), ListOf(Cell(), 1, whole=True)))),
            "each row's key with its cells",
            required=True,
        ),
        "as": _AS,
        "next": _NEXT,
    },
    "run": {
        "run": _RUN,
        "with": Field(MapOf(Name("id"), _EXPR), "answers handed to the chart"),
        "as": _AS,
        "next": _NEXT,
        "cases": _CASES,
    },
}
NODE = Kinds("node", NODE_KINDS, _COMMON)
EFFECT: Fields = {
    "when": Field(_EXPR, "when it applies", required=True),
    "do": Field(_FILLED, "what to do", required=True),
}
THEN: Fields = {
    "when": Field(_EXPR, "when it follows"),
    "chart": Field(Name("chart"), "the chart offered next", required=True),
}
OUTCOME: Fields = {
    "title": Field(_TEXT, "the outcome in a word or two", required=True),
    "tone": Field(OneOf(tuple(tone.value for tone in Tone)), "how it feels: good, bad, mixed or plain"),
    "says": Field(_FILLED, "the ruling in a sentence"),
    "effects": Field(ListOf(Either((_FILLED, Object("effect", EFFECT)))), "what to do to the pieces"),
    "gives": _GIVES,
    "changes": _CHANGES,
    "then": Field(Either((Name("chart"), ListOf(Object("chart", THEN), 1))), "the chart offered next"),
    "note": _NOTE,
    "page": _PAGE,
}
EXAMPLE: Fields = {
    "name": Field(_TEXT, "the case in a few words"),
    "given": Field(_ANYTHING, "answers by fact"),
    "rolls": Field(_ANYTHING, "throws by name"),
    "draws": Field(ListOf(Raw()), "cards in order"),
    "house_rules": Field(Flag(), "yes: with house rules"),
    "outcome": Field(_TEXT, "the outcome that must come out", required=True),
    "gives": Field(_ANYTHING, "values that must come out"),
    "says": Field(_FILLED, "words that must be in the ruling"),
}
CHART: Fields = {
    "title": Field(_TEXT, "the chart's name for players", required=True),
    "page": _PAGE,
    "summary": Field(_TEXT, "the question it settles, in a sentence"),
    "note": _NOTE,
    "facts": Field(FACTS, "what only this chart asks"),
    "nodes": Field(MapOf(Name("id"), NODE), "the boxes of the chart, the first is the start", required=True),
    "gives": _GIVES,
    "changes": _CHANGES,
    "outcomes": Field(
        MapOf(Name("word"), Object("outcome", OUTCOME)), "the ends of the chart, one or more", required=True
    ),
    "examples": Field(ListOf(Object("example", EXAMPLE)), "worked cases that must come out as they say"),
}
BOOK: Fields = {
    "title": Field(_TEXT, "the game's name", required=True),
    "source": Field(_TEXT, "what the charts are made from"),
    "glossary": Field(MapOf(_TEXT, _TEXT, least=0), "words and what they mean"),
    "charts": Field(ListOf(Name("file")), "the charts players pick from, in order"),
    "decks": Field(MapOf(Name("file"), _TEXT, least=0), "each deck with its file"),
    "facts": Field(FACTS, "what the charts of the book share"),
}
_CARDS = ListOf(MapOf(Name("id"), Raw()), 1)
DECK: Fields = {
    "title": Field(_TEXT, "the deck's name for players"),
    "note": _NOTE,
    "composition": Field(OneOf(("known", "unknown")), "whether its make-up is known, and so listed in `cards`"),
    "fields": Field(CARD_FIELDS, "what a card shows", required=True),
    "cards": Field(_CARDS, "every kind of card, with `count` of each"),
    "placeholder": Field(
        MapOf(Name("id"), Either((OneOf(("even",)), MapOf(Raw(), Weight())))),
        "what to draw from where the make-up is unknown: for each field `even`, or its answers with their weights",
    ),
}
"""Under `cards` a mapping holds the fields of `fields`, and `count`."""
COUNT: Fields = {
    "deck": Field(Name("chart"), "the deck whose cards are counted, `deck` or `book/deck`", required=True),
    "cards": Field(_CARDS, "every kind of card, with `count` of each", required=True),
}
"""A player's own count of a deck; its cards may show some of the deck's fields only."""

ROSTER: Fields = {
    "title": Field(_TEXT, "what the roster is called"),
    "book": Field(Name("file"), "the book whose facts the records answer", required=True),
    "groups": Field(
        MapOf(Name("id"), ListOf(MapOf(Name("id"), Raw(), what="a record like {fact: value}"), 1)),
        "each group with its records",
        required=True,
    ),
    "scores": Field(
        MapOf(Name("id"), MapOf(Name("name"), Count(), what="totals like {vp: 0}")),
        "each side with what it has scored, by the names under which rulings give it",
    ),
}
"""A record may answer more facts than any one list of the book reads."""

FILES: dict[str, Shape] = {
    "chart": Object("the chart", CHART),
    "book": Object("the book", BOOK),
    "deck": Object("the deck", DECK),
    "count": Object("the count", COUNT),
    "roster": Object("the roster", ROSTER),
}
