"""Journals walked again: to go on where a walk stopped, and to prove a ruling.

The replies are fed to the loop that took them. The first one that no longer fits a changed chart ends the replay and
is named; no reply is ever taken for another question than its own.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from refcli.core.chart import Chart
from refcli.core.errors import RefcliError, ReplyError, UnansweredError
from refcli.core.need import Ask, Draw, Need, Outcome, Question, Roll, accept, read_answer
from refcli.core.ruling import plain
from refcli.core.struct import Struct, replace
from refcli.core.walk import Walk, pending, start
from refcli.drivers.chance import Chance
from refcli.drivers.history import Done, History, Rewinds, Watches
from refcli.drivers.journal import BY_CHANCE
from refcli.drivers.loop import Stopped, Supplied, Supplier, drive
from refcli.drivers.script import CaseSupplier
from refcli.drivers.walks import Kept, Record, without
from refcli.drivers.words import describe


class Replayed(Struct):
    """What became of the replay of a journal.

    `walk` stands where the replies lead, None where the chart cannot even start; `taken` of them fit. `fault` names
    the first that does not, and why; empty where all do. `odd` are dice and cards that the seed does not give.
    """

    record: Record
    walk: Walk | None
    taken: int
    fault: str = ""
    odd: tuple[str, ...] = ()

    @property
    def fitting(self) -> tuple[Kept, ...]:
        """The replies that fit."""
        return self.record.replies[: self.taken]

    @property
    def kept(self) -> tuple[Kept, ...]:
        """What the player entered that has no place yet: to be offered again."""
        cut = [reply for reply in self.record.replies[self.taken :] if reply.is_entered]
        return (*cut, *self.record.kept)

    @property
    def has_ended(self) -> bool:
        """Whether the walk has come to its outcome."""
        return self.walk is not None and isinstance(pending(self.walk), Outcome)


def replay(chart: Chart, record: Record) -> Replayed:
    """Walk a chart by the replies of a journal, as far as they fit. Never raises for what the journal says."""
    replies = record.replies
    seed = record.head.get("seed")
    chance = Chance(seed, str(record.head.get("stream", ""))) if isinstance(seed, int) else None
    replayer = Replayer(replies, chance=chance)
    try:
        replayer.walk = start(chart, house_rules=True)
        replayer.walk = drive(replayer.walk, [replayer])
    except RefcliError as stopped:
        fault = stopped.fault if isinstance(stopped, Stopped) and stopped.fault is not None else stopped
        if replayer.walk is None:
            return Replayed(record, None, 0, str(fault))
        if not isinstance(fault, UnansweredError):  # it fitted its question, but the walk broke on it
            replayer.at -= 1
            replayer.fault = str(fault)
    walk, taken, why = replayer.walk, replayer.at, replayer.fault
    if not why and taken < len(replies):
        why = f"the walk now ends before it, at {describe(pending(walk))}"
    if why:
        why = f"reply {taken + 1}, {replies[taken]} ({replies[taken].chart}), no longer fits: {why}"
    return Replayed(record, walk, taken, why, tuple(replayer.odd))


class Replayer:
    """Replies from a journal, in order, each to the question it was given to; silent after the last that fits.

    Args:
        replies: what the journal holds.
        scripted: the case that gave some of them; is brought as far as it was then.
        chance: what rolled some of them; likewise.
    """

    def __init__(
        self, replies: Sequence[Kept], *, scripted: CaseSupplier | None = None, chance: Chance | None = None
    ) -> None:
        self.replies = replies
        self.scripted = scripted
        self.chance = chance
        self.walk: Walk | None = None
        self.at = 0
        self.fault = ""
        self.odd: list[str] = []

    def supply(self, walk: Walk, need: Need) -> Supplied | None:
        """The next reply; None where there is none left, or it does not fit."""
        self.walk = walk
        if self.fault or self.at == len(self.replies):
            return None
        reply = self.replies[self.at]
        self.fault = misfit(reply, need)
        if self.fault:
            return None
        self.at += 1
        self._follow(reply, walk, need)
        return Supplied(reply.reply, reply.source, reply.his)

    def _follow(self, reply: Kept, walk: Walk, need: Need) -> None:
        """Use up of the case and of the seed what was used for this reply."""
        if reply.source == "given" and self.scripted is not None:
            with suppress(ReplyError):  # where the case does not fit any more, the reply itself does
                self.scripted.supply(walk, need)
        elif reply.source in BY_CHANCE and self.chance is not None:
            made = self.chance.supply(walk, need)
            if made is None or plain(accept(need, made.reply)) != plain(accept(need, reply.reply)):
                self.odd.append(f"reply {self.at}, {reply}")


def misfit(reply: Kept, need: Need) -> str:
    """Why a reply is none to a need; empty where it is one."""
    match need:
        case Ask():
            mine = reply.kind == "ask" and all(need.question(key) is not None for key in reply.reply)
        case Roll():
            mine = reply.kind == "roll" and reply.name == need.name
        case Draw():
            mine = reply.kind == "draw" and reply.name == need.name
        case _:
            mine = False
    if not mine or reply.chart != getattr(need, "chart", ""):
        return f"the chart now comes to {describe(need)} there"
    try:
        accept(need, reply.reply)
    except ReplyError as fault:
        return str(fault)
    return ""


class Offering:
    """A player who is offered again what he answered before the chart changed; dice that he threw stay thrown.

    Args:
        player: answers.
        kept: his earlier answers that fitted no longer where they stood.
        note: tells him of the dice.
    """

    def __init__(self, player: Supplier, kept: Sequence[Kept], note: Callable[[str], None]) -> None:
        self.player = player
        self.kept = list(kept)
        self.note = note

    def supply(self, walk: Walk, need: Need) -> Supplied | None:
        """The player's reply, his earlier answers being the preselected ones; or his dice as they lay."""
        if not isinstance(need, Ask):
            kept = next((one for one in self.kept if one.kind != "ask" and not misfit(one, need)), None)
            if kept is not None:
                self.kept = without(self.kept, kept)
                self.note(f"{str(kept)[:1].upper()}{str(kept)[1:]}, as before")
                return Supplied(kept.reply, kept.source, kept.his)
            return self.player.supply(walk, need)
        questions = tuple(self._offered(question, need.chart) for question in need.questions)
        supplied = self.player.supply(walk, replace(need, questions=questions))
        if supplied is not None and isinstance(supplied.reply, dict):
            self.kept = without(self.kept, Kept("ask", "", need.chart, supplied.reply, supplied.source))
        return supplied

    def _offered(self, question: Question, chart: str) -> Question:
        """The question with the earlier answer as its default, if that is still legal."""
        for one in self.kept:
            if one.kind == "ask" and one.chart == chart and question.key in one.reply:
                try:
                    return replace(question, default=read_answer(question.fact, one.reply[question.key]))
                except ReplyError:
                    return question
        return question

    def mark(self) -> Any:
        """What is used by now."""
        return list(self.kept), self.player.mark() if isinstance(self.player, Rewinds) else None

    def rewind(self, mark: Any) -> None:
        """Be as at that mark again."""
        self.kept, mine = list(mark[0]), mark[1]
        if isinstance(self.player, Rewinds):
            self.player.rewind(mine)

    def watch(self, history: History) -> None:
        """Let the player look at the history."""
        if isinstance(self.player, Watches):
            self.player.watch(history)

    def undone(self, cut: Sequence[Done]) -> None:
        """Let the player keep what is taken back."""
        if isinstance(self.player, Watches):
            self.player.undone(cut)
