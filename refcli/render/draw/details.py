"""What a flow chart's boxes leave out, as lines: modifiers, tables, effects. For drawings that stand alone."""

from collections.abc import Iterator, Mapping
from typing import Any

from refcli.render.footnotes import footnotes

Data = dict[str, Any]


def details(data: Data) -> dict[str, tuple[str, ...]]:
    """The lines of each step and outcome of an outline that has any, by its id."""
    notes = footnotes(data)
    found = {step["id"]: tuple(_step(step, notes)) for step in data["steps"]}
    found |= {end["id"]: tuple(_end(end)) for end in data["outcomes"]}
    return {name: lines for name, lines in found.items() if lines}


def questions(data: Data) -> list[str]:
    """What a chart may ask, each with its legal answers, one on a line; house rules last."""
    notes = footnotes(data)
    facts = sorted(data.get("facts", ()), key=lambda fact: fact.get("house_rule", False))
    return [line for fact in facts for line in _fact(fact, notes)]


def _fact(fact: Data, notes: Mapping[str, int]) -> Iterator[str]:
    answers = " · ".join(fact["choices"].values()) if "choices" in fact else fact["answers"]
    told = [answers, f"default {fact['default']}" if "default" in fact else ""]
    told.append("house rule" if fact.get("house_rule") else "")
    yield f"{fact.get('ask', '')} ({'; '.join(filter(None, told))}){_mark(fact, notes)}"
    for part in fact.get("fields", ()):
        for line in _fact(part, notes):
            yield f"– {line}"


def _mark(part: Data, notes: Mapping[str, int]) -> str:
    return f" [{notes[part['note']]}]" if part.get("note") else ""


def _step(step: Data, notes: Mapping[str, int]) -> Iterator[str]:
    for modifier in step.get("modifiers", ()):
        yield f"{_modifier(modifier)}{_mark(modifier, notes)}"
    table = step.get("table", {})
    heads = table.get("columns", [])
    for row in table.get("rows", ()):
        cells = row["cells"] if len(row["cells"]) == len(heads) or not heads else row["cells"] * len(heads)
        told = [f"{head}: {cell}" for head, cell in zip(heads, cells, strict=True)] if heads else cells
        yield f"{row['on']}: {' · '.join(told)}"


def _modifier(modifier: Data) -> str:
    """A modifier on one line: what it is, what it does, and when."""
    amounts = " · ".join(f"{key} {amount}" if key else amount for key, amount in modifier["amounts"].items())
    label, when = modifier["label"], modifier.get("when", "")
    condition = f" (if {when})" if when and when.lower() != label.lower() else ""
    return f"{label}{'' if label.endswith('?') else ':'} {amounts}{condition}"


def _end(end: Data) -> Iterator[str]:
    for effect in end.get("effects", ()):
        condition = f"If {effect['when']}: " if effect.get("when") else ""
        yield f"{condition}{effect['do']}"
