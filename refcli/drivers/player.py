"""A player at the table: which question comes next, and what he is told on the way; how it looks is left to others.

Both front ends, plain and terminal, are this player with a way of their own to `ask` one prompt and to `fill` in one
form, so they take the same answers in the same order. What has been answered before is offered, never assumed.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, TextIO

from refcli.core.errors import ReplyError
from refcli.core.fact import Kind
from refcli.core.need import Ask, Draw, Need, Question, Roll, accept
from refcli.core.records import shown_name
from refcli.core.struct import replace
from refcli.core.walk import Walk
from refcli.drivers.answers import clean, read_roll, read_text
from refcli.drivers.chance import Chance
from refcli.drivers.choosing import Entry, numbered, read_entry
from refcli.drivers.crumbs import crumbs, place_words
from refcli.drivers.form import Edit, Form, Row
from refcli.drivers.habits import Habits, Settled
from refcli.drivers.history import Done, History
from refcli.drivers.listing import Lister
from refcli.drivers.loop import Back, Supplied
from refcli.drivers.memory import AGAIN, Memory, Place, throw_of
from refcli.drivers.prompt import Command, Prompt, clean_choices, prompt_for
from refcli.drivers.rosters import Rosters
from refcli.drivers.total import total_of
from refcli.drivers.views import Views
from refcli.drivers.words import about, legal_answers, more_about, notes_on, passed, value_words

FORM_KINDS = (Kind.YES_NO, Kind.NUMBER, Kind.CHOICE)
HINT = "(? helps · u back · w why · i what if · g glossary · q save and quit)"
"""Said once, at the first question on a terminal."""


class NoInputError(Exception):
    """There is nobody to ask: the input ended before anything was read from it."""


class Player(ABC):
    """Supplies what a person answers.

    Args:
        writer: where talk goes.
        chance: rolls and draws when the player says so; without it he has dice of his own.

    `rosters` are offered where they can answer a list, `habits` hold what else is offered or settled; `views` draws
    what he asks to see. `auto` leaves all dice to chance. `screen` is what has been said since the way changed.
    """

    def __init__(self, writer: TextIO, chance: Chance | None = None) -> None:
        self.writer = writer
        self.chance = chance
        self.rosters = Rosters()
        self.habits = Habits()
        self.views = Views()
        self.auto = False
        self.history = History()
        self.screen: list[str] = []
        self._told = 0
        self._own: set[int] = set()
        self._crumbs: list[str] = []
        self._walk: Walk | None = None

    def begin(self, chance: Chance | None = None, last: Mapping[Place, list[Any]] | None = None) -> None:
        """Be ready for a new walk.

        Args:
            chance: rolls and draws on it when the player says so.
            last: answers of the last walk of that chart, to be offered.
        """
        self.chance = chance
        self.history = History()
        self.habits = Habits()
        self.habits.memory = Memory(last)
        self.screen, self._crumbs, self._told = [], [], 0
        self._own = set()

    def close(self, walk: Walk, prompt: Prompt) -> Any:
        """What he wants after the ruling of a walk; all aids are at hand."""
        self._walk = walk
        self._told = len(walk.trail)
        return self.put(prompt)

    # what a front end does

    @abstractmethod
    def ask(self, prompt: Prompt) -> Any:
        """The answer to one prompt: a value that its `read` gave, its default, or a Command.

        Raises:
            EOFError, KeyboardInterrupt: see `Supplier`.
            NoInputError: there is nobody to ask.
        """

    def fill(self, form: Form) -> Any:
        """Let the player fill in a form; None when it is done, else an Edit or a Command."""
        return self.ask(replace(form.prompt, offers=(*form.lines(), *filter(None, [form.told()]))))

    def choose(self, text: str, entries: Sequence[Entry]) -> str | None:
        """The key of one of many entries; None where he leaves.

        Raises:
            EOFError, KeyboardInterrupt: see `Supplier`.
        """
        prompt = Prompt(
            text=text,
            legal="a number, or words of it; q leaves",
            read=partial(read_entry, entries),
            offers=tuple(numbered(entries)),
        )
        while isinstance(answer := self.ask(prompt), Command):
            if answer.word in ("q", "u"):
                return None
            prompt = replace(prompt, offers=())
        return str(answer)

    def prepare(self) -> None:  # noqa: B027 -- most players are there
        """See that there is somebody to ask, before anything is said.

        Raises:
            NoInputError: there is not.
        """

    def say(self, text: str) -> None:
        """Print a line of talk."""
        text = self.views.showable(clean(text), getattr(self.writer, "encoding", None))
        self.screen.append(text)
        self.writer.write(self.laid_out(text) + "\n")
        self.writer.flush()

    def laid_out(self, text: str) -> str:
        """A line as it is printed: as it is, or in lines that fit."""
        return text

    def explained(self, prompt: Prompt) -> None:  # noqa: B027 -- most show it all the time
        """A prompt is asked again behind its help: all that it offers is to be shown."""

    # what the loop calls

    def watch(self, history: History) -> None:
        """Look at what is replied from now on."""
        self.history = history

    def undone(self, cut: Sequence[Done]) -> None:
        """Keep what was taken back, to offer it again."""
        self.habits.memory.keep(cut)

    def mark(self) -> Any:
        """What is used of chance by now, and what is left to it."""
        used = self.chance.mark() if self.chance is not None else None
        return used, self.auto, self.habits.mark()

    def rewind(self, mark: Any) -> None:
        """Be as at that mark again."""
        used, self.auto, habits = mark
        self.habits.rewind(habits)
        if self.chance is not None:
            self.chance.rewind(used)

    def supply(self, walk: Walk, need: Need) -> Supplied | None:
        """The player's reply: one question's answer, a form's, a roll or a card."""
        if not isinstance(need, Ask | Roll | Draw):
            return None
        self._walk = walk
        try:
            self.prepare()
        except NoInputError:
            return None
        self.tell(walk)
        self.head(walk)
        match need:
            case Ask():
                settled = self._settle(walk, need, self.habits.same(walk, need))
                if settled is None and self.habits.takes:
                    settled = self._settle(walk, need, self.habits.taken(walk, need))
                return settled or self._answered(walk, need)
            case Roll():
                return self._roll(walk, need)
            case Draw():
                return self._draw(walk, need)

    # what he is told

    def head(self, walk: Walk) -> None:
        """Tell where the walk stands, where that has changed."""
        way = [place_words(walk), *crumbs(walk)]
        if way != self._crumbs:
            self._crumbs = way
            self.screen = []
            self.say_way(way)

    def say_way(self, way: Sequence[str]) -> None:
        """Tell where the walk stands, in one line: the book and page, then the way."""
        self.say(f"— {way[0]} · {' > '.join(way[1:])} —")

    def tell(self, walk: Walk, *, dice_only: bool = False) -> None:
        """Tell what the walk has passed since the last time: instructions, whose turn it is, dice and cards.

        Args:
            walk: where it stands now.
            dice_only: leave out what the ruling will say.
        """
        steps = walk.trail.steps
        self._own = {index for index in self._own if index < len(steps)}  # going back takes steps away
        heading = ""
        for index in range(min(self._told, len(steps)), len(steps)):
            step = steps[index]
            line = "" if index in self._own or (dice_only and step.kind not in ("roll", "draw")) else passed(step)
            if step.kind == "record":
                heading = line
            elif line:
                if heading:  # whose turn it is only matters where something is told of it
                    self.say(heading)
                heading = ""
                self.say(line)
        self._told = len(steps)

    # questions

    def _answered(self, walk: Walk, need: Ask) -> Supplied:
        """A reply that keeps the rules of all lists; one that does not is asked for again."""
        while True:
            found = self._answer(walk, need)
            if isinstance(found, Command):
                settled = self._settle(walk, need, self.habits.obey(found.word, walk, need))
                if settled is not None:
                    return replace(settled, his=True)
            elif self._keeps_rules(need, found):
                self.habits.learn(walk, need, found)
                return Supplied(found, "asked")

    def _keeps_rules(self, need: Ask, reply: dict[str, Any]) -> bool:
        try:
            accept(need, reply)
        except ReplyError as fault:
            self.say(f"  {fault}")
            return False
        return True

    def _answer(self, walk: Walk, need: Ask) -> dict[str, Any] | Command:
        """Answers to one question or one form of them. What has no value to stand at is asked on its own, first."""
        quiet = self.habits.words(walk, need)
        rows, alone = [], []
        for question in need.questions:
            prompt = prompt_for(question, *self.habits.offer(walk, question), quiet)
            if goes_in_form(question, prompt):
                rows.append(Row(question, prompt))
            else:
                alone.append((question, prompt))
        if len(rows) > 1 and not alone:
            return self._filled(walk, need, rows, quiet)
        question, prompt = alone[0] if alone else (rows[0].question, rows[0].prompt)
        if prompt.kind is Kind.LIST:
            lister = Lister(self.put, self.rosters, prompt.default, prompt.origin)
            return {question.key: lister.records(question)}
        answer = self.put(prompt)
        return answer if isinstance(answer, Command) else {question.key: answer}

    def _filled(
        self, walk: Walk, need: Ask, rows: list[Row], quiet: tuple[tuple[str, str], ...]
    ) -> dict[str, Any] | Command:
        subjects = {row.question.subject for row in rows}
        subject = clean(shown_name(subjects.pop())) if len(subjects) == 1 else ""
        form = Form(rows, subject, partial(total_of, walk, need), quiet)
        while True:
            found = self.fill(form)
            if isinstance(found, Command):
                if found.word in form.prompt.words:
                    return found
                self.aid(found, form.prompt, form.lines())
            elif isinstance(found, Edit):
                self._edit(found.row)
            else:
                return form.values

    def _edit(self, row: Row) -> None:
        """Ask a row of a form on its own; going back leads to the form."""
        try:
            answer = self.put(replace(row.prompt, default=row.value, quiet=(), origin=""))
        except Back as back:
            if back.steps is not None:
                raise
            return
        row.value = answer

    def put(self, prompt: Prompt) -> Any:
        """The answer to a prompt, after all aids that were asked for; or one of its own words as a Command.

        Raises:
            Back, Quit, EOFError, KeyboardInterrupt: see `Supplier`.
        """
        while True:
            answer = self.ask(prompt)
            if not isinstance(answer, Command) or answer.word in prompt.words:
                return answer
            self.aid(answer, prompt)

    def aid(self, command: Command, prompt: Prompt, lines: Sequence[str] = ()) -> None:
        """Show what was asked for; `lines` stand on the screen beside the prompt."""
        if self._walk is not None:
            from refcli.drivers.aids import Aids  # not before one is wanted

            Aids(self, self._walk).show(command, prompt, lines)

    def _settle(self, walk: Walk, need: Ask, settled: Settled | None) -> Supplied | None:
        """A reply of what is settled; None where nothing is, or it breaks a rule."""
        if settled is None:
            return None
        if not self._keeps_rules(need, settled.answers):
            self.habits.drop(walk, need)
            return None
        told = []
        for key, value in settled.answers.items():
            question = need.question(key)
            if question is not None:
                told.append(f"{about(question).rstrip('?:')}: {value_words(question.fact, value)}")
        self.say(f"  ({settled.how}) {' · '.join(told)}")
        self.habits.learn(walk, need, settled.answers)
        return Supplied(settled.answers, settled.source, his=False)

    # dice and cards

    def _roll(self, walk: Walk, need: Roll) -> Supplied:
        name = need.label or need.name.replace("_", " ")
        if self.auto and self.chance is not None:
            return Supplied(self.chance.roll(need), "rolled")
        what, legal = f"roll {need.dice}", f"{need.dice.low} to {need.dice.high}"
        if need.pool is not None and need.pool != 1:
            such = " ".join("351"[: need.pool]) + " …" * (need.pool > 3)
            what, legal = f"roll {need.pool} × {need.dice}", f"the {need.pool} dice, such as {such}"
        place = throw_of(walk, need)
        default, origin = self.habits.memory.offer(place) or (None, "")
        prompt = Prompt(
            text=f"{clean(name)}: {what}",
            legal=legal,
            read=partial(read_roll, need),
            extra=self._extra("rolls for you"),
            default=default,
            origin=origin,
        )
        reply = self.put(prompt)
        self.habits.memory.spent(place)
        if isinstance(reply, Command) and self.chance is not None:
            self.auto = self.auto or reply.word == "R"
            return Supplied(self.chance.roll(need), "rolled", his=True)
        self._own.add(len(walk.trail))
        return Supplied(reply, "asked")

    def _draw(self, walk: Walk, need: Draw) -> Supplied:
        known = self.chance is not None and need.deck.can_be_drawn
        if self.auto and known and self.chance is not None:
            return self.chance.draw(walk, need)
        self.say(f"{need.label or 'Draw a card'}: {need.deck.title}")
        self._own.add(len(walk.trail))
        if need.first is None:
            return Supplied({}, "told")
        fact = need.first
        place = throw_of(walk, need)
        card, origin = self.habits.memory.offer(place) or ({}, "")
        what = "draws for you" + (", but not from the real deck" if need.deck.uses_placeholder else "")
        prompt = Prompt(
            text=clean(fact.ask),
            kind=fact.kind,
            legal=legal_answers(fact),
            read=partial(read_text, fact),
            more=more_about(fact),
            notes=notes_on(fact),
            choices=clean_choices(fact),
            extra=self._extra(what) if known else (),
            default=card.get(fact.name),
            origin=origin,
        )
        reply = self.put(prompt)
        self.habits.memory.spent(place)
        if isinstance(reply, Command) and self.chance is not None:
            self.auto = self.auto or reply.word == "R"
            self._own.discard(len(walk.trail))
            return replace(self.chance.draw(walk, need), his=True)
        return Supplied({fact.name: reply}, "asked")

    def _extra(self, what: str) -> tuple[tuple[str, str], ...]:
        return (("r", what), ("R", "all from now on")) if self.chance is not None else ()


def goes_in_form(question: Question, prompt: Prompt) -> bool:
    """Whether a question has a value to stand at in a form; one that the player has gone back to is put to him."""
    if prompt.kind is Kind.YES_NO:
        return True
    has_value = question.default is not None or (prompt.default is not None and prompt.origin != AGAIN)
    return prompt.kind in FORM_KINDS and has_value
