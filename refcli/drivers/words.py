"""Needs, questions and steps in words, as a player reads them; every text is clean."""

import textwrap
from collections.abc import Mapping
from typing import Any

from refcli.core.errors import UnansweredError
from refcli.core.fact import Fact, Kind
from refcli.core.need import Ask, Draw, Need, Outcome, Question, Roll
from refcli.core.records import shown_name
from refcli.core.trail import Step
from refcli.core.values import Frozen
from refcli.core.walk import Walk
from refcli.drivers.answers import clean, plural
from refcli.drivers.cards import lacks


def about(question: Question) -> str:
    """A question in words: whom to ask, whom it is about, and what is asked."""
    fact, column = question.fact, question.slot.column
    ask = with_column(fact.ask, column)
    subject = question.subject if column is None or ask == fact.ask else ""
    who = f"{fact.who} decides" if fact.who and fact.decides else fact.who or ("your choice" if fact.decides else "")
    return clean((f"[{who}] " if who else "") + (f"{shown_name(subject)}: " if subject else "") + ask)


def with_column(text: str, column: int | None) -> str:
    """A numbered field's words with its column filled in."""
    return text if column is None else text.replace("<column>", str(column))


def more_about(fact: Fact, column: int | None = None) -> tuple[str, ...]:
    """The lines that help to answer a question."""
    return (clean(with_column(fact.help, column)),) if fact.help else ()


def notes_on(fact: Fact, column: int | None = None) -> tuple[str, ...]:
    """The readings of the rules that a question rests on: for whoever asks."""
    return (clean(with_column(fact.note, column)),) if fact.note else ()


def legal_answers(fact: Fact) -> str:
    """What may be answered, in a few words."""
    match fact.kind:
        case Kind.YES_NO:
            return "y/n"
        case Kind.CHOICE:
            return f"1 to {len(fact.choices)}, or a word's beginning"
        case Kind.NUMBER:
            if fact.low is None and fact.high is None:
                return "a whole number"
            if fact.high is None:
                return f"{fact.low} or more"
            return f"{fact.high} or less" if fact.low is None else f"{fact.low} to {fact.high}"
        case Kind.TEXT:
            return "any text"
        case Kind.LIST:
            return f"how many {plural(fact.noun)}"


def passed(step: Step) -> str:
    """What to tell of a step that was passed; nothing for most."""
    match step.kind:
        case "do":
            return str(step.value)
        case "record":
            return f"— {shown_name(step.label)} —"
        case "roll":
            faces = step.value if isinstance(step.value, tuple) else (step.value,)
            return f"{step.label or step.name.replace('_', ' ')}: rolled {' '.join(map(str, faces)) or 'no dice'}"
        case "draw" if isinstance(step.value, Frozen):
            fields = {name: value for name, value in step.value.items() if isinstance(value, str | int)}
            words = ", ".join(f"{name} {_yes_no(value)}" for name, value in fields.items())
            if step.placeholder:
                words = f"{words or 'a card'} from a placeholder, not the real deck"
            return f"{step.label or step.name.replace('_', ' ')}: drew {words}" if words else ""
    return ""


def _yes_no(value: str | int) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def unanswered(need: Need, walk: Walk | None = None) -> UnansweredError:
    """The error for a need that nobody has a reply to; it names the question and how to answer it.

    Args:
        need: what nobody has a reply to.
        walk: the walk that needs it, to tell what its cards do not show.
    """
    match need:
        case Ask(questions=questions):
            why = "; ".join(filter(None, (_not_shown(q, walk) for q in questions))) if walk is not None else ""
            known = "; ".join(f"'{about(q)}' {_how(q)}" for q in questions[:8])
            more = f"; and {len(questions) - 8} more" if len(questions) > 8 else ""
            how = f"{known}{more}; or a file by --given FILE{f'; {why}' if why else ''}"
            return UnansweredError(f"not answered ({need.chart}): {how}", need, why)
        case Roll(name=name):
            faces = f"[{', '.join('…' * min(need.pool, 3))}]" if need.pool is not None else "…"
            return UnansweredError(
                f"not rolled ({need.chart}): {need.dice} for '{need.label or name}'; "
                f"give it in a case as rolls: {{{name}: {faces}}}, or roll by --dice auto",
                need,
            )
        case Draw(deck=deck):
            word = deck.first.choices[0].key if deck.first.choices else f"{{{deck.first.name}: …}}"
            what = "its make-up is unknown: read the card off the table"
            if deck.can_be_drawn:
                what = "or draw by --dice auto"
                what += ", from a placeholder, not the real deck" if deck.uses_placeholder else ""
            how = f"give it in a case as draws: [{word}]; {what}"
            return UnansweredError(f"not drawn ({need.chart}): a card of {deck.title}; {how}", need)
    raise TypeError("the walk has ended")


def _not_shown(question: Question, walk: Walk) -> str:
    """Tells that a question is about a card that was drawn from a make-up without that field; else nothing."""
    slot = question.slot
    if not slot.field or slot.record is not None:
        return ""
    deck = walk.position.frames[slot.depth].chart.made[slot.name].deck
    if not lacks(deck, slot.field, slot.column):
        return ""
    field = slot.field if slot.column is None else f"{slot.field}({slot.column})"
    return f"not all cards in {deck.counted or deck.title} show '{field}'"


def describe(need: Need) -> str:
    """Where a walk stands, in a few words."""
    match need:
        case Ask(questions=questions):
            return f"'{about(questions[0])}' ({need.chart})"
        case Roll():
            return f"the roll '{need.label or need.name}' ({need.chart})"
        case Draw():
            return f"the draw of a card of {need.deck.title} ({need.chart})"
        case Outcome():
            return f"the outcome '{need.title}' ({need.chart})"


def _how(question: Question) -> str:
    """The flag that answers a question, with its default or else what it may be."""
    fact = question.fact
    if question.default is not None:
        value = _yes_no(question.default)
    elif fact.kind is Kind.YES_NO:
        value = "yes|no"
    else:
        value = "|".join(choice.key for choice in fact.choices) if 0 < len(fact.choices) <= 8 else "…"
    return f"by --set {question.names[-1]}={value}"


def value_words(fact: Fact | None, value: Any) -> str:
    """An answer in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if fact is not None and fact.kind is Kind.CHOICE:
        choice = fact.choice(value)
        return choice.label if choice else str(value)
    if fact is not None and fact.kind is Kind.LIST and isinstance(value, tuple | list):
        names = [shown_name(str(name)) for one in value for name in _text_of(fact, one)]
        many = f"{len(value)} {fact.noun if len(value) == 1 else plural(fact.noun)}"
        return f"{many} ({', '.join(names)})" if names else many
    if isinstance(value, tuple | list):
        return " ".join(map(str, value))
    return str(value)


def _text_of(fact: Fact, record: Any) -> list[str]:
    if not isinstance(record, Mapping | Frozen):
        return []
    return [record[field.name] for field in fact.fields if field.kind is Kind.TEXT and record.get(field.name)][:1]


def room() -> int:
    """How many columns a line may take: the terminal's, or `COLUMNS`; at least 30."""
    import shutil  # slow to import, and seldom wanted by scripts

    return max(shutil.get_terminal_size().columns, 30)


def wrapped(text: str) -> list[str]:
    """A line as lines that fit on the terminal; those that follow are set in a little more."""
    indent = " " * (len(text) - len(text.lstrip()))
    lines = textwrap.wrap(
        text.strip(), room() - 1, initial_indent=indent, subsequent_indent=f"{indent}  ", break_on_hyphens=False
    )
    return lines or [""]
