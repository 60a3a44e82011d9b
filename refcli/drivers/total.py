"""The running total of a tally while its facts are still being answered."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from refcli.core.chart import Op, TallyNode
from refcli.core.errors import RefcliError, ReplyError
from refcli.core.need import Ask, read_answer
from refcli.core.position import Position, put
from refcli.core.scope import Scope, UnknownError
from refcli.core.struct import Struct
from refcli.core.tally import applied, held
from refcli.core.walk import Walk


class Total(Struct):
    """What a tally comes to: its name, the total so far, and whether anything of it is still unknown."""

    name: str
    value: int
    is_whole: bool

    def __str__(self) -> str:
        value = str(self.value).replace("-", "−")
        return f"{self.name}: {value}" + ("" if self.is_whole else " so far")


def total_of(walk: Walk, need: Ask, answers: Mapping[str, Any]) -> Total | None:
    """What the tally that asks would come to with these answers, by question key; None where no tally asks."""
    frame = walk.position.top
    node = frame.chart.nodes.get(frame.node)
    if not isinstance(node, TallyNode):
        return None
    position = walk.position
    try:
        for key, answer in answers.items():
            question = need.question(key)
            if question is not None and answer is not None:
                position = put(position, question.slot, read_answer(question.fact, answer))
        return _add_up(node, position)
    except (ReplyError, RefcliError):
        return None


def _add_up(node: TallyNode, position: Position) -> Total:
    """As the walk adds it up, but for what is unknown, which counts nothing yet."""
    scope = Scope(position, len(position.frames) - 1, {})
    name = node.name.replace("_", " ")
    is_whole = True
    value, parts = 0, 1
    with suppress(UnknownError):
        name = node.label.fill(scope) if node.label else name
    try:
        value = node.start(scope) if node.start is not None else 0
    except UnknownError:
        is_whole = False
    for modifier in node.modifiers:
        try:
            found = applied(modifier, scope)
        except UnknownError:
            is_whole = False
            continue
        if found is None:
            continue
        if modifier.op is Op.ADD:
            value += found[0] * parts
        elif modifier.op is Op.MULTIPLY:
            value *= found[0]
        elif found[0]:
            parts *= found[0]
    value = value // parts
    return Total(name[:1].upper() + name[1:], held(value, node.cap) if is_whole else value, is_whole)
