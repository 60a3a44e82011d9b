"""What is one key away at every prompt: help, why, what if, the glossary, and the way back to any question."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from refcli.core.errors import ReplyError, WalkError
from refcli.core.fact import Choice, Kind
from refcli.core.need import Outcome, Roll
from refcli.core.struct import replace
from refcli.core.walk import Walk
from refcli.drivers.answers import clean, read_choice, read_roll, read_text
from refcli.drivers.crumbs import source_of
from refcli.drivers.glossary import explained, glossary_of, look_up, terms_in
from refcli.drivers.loop import Back, Quit
from refcli.drivers.prompt import AIDS, Command, Prompt, clean_choices, options, prompt_for, shown_default
from refcli.drivers.whatif import Answer, answers_of_reply, answers_so_far, compared, what_if
from refcli.drivers.words import legal_answers

if TYPE_CHECKING:
    from refcli.drivers.player import Player


class Aids:
    """Shows a player what he asks for.

    Args:
        player: is shown it.
        walk: where his walk stands.
    """

    def __init__(self, player: "Player", walk: Walk) -> None:
        self.player = player
        self.walk = walk

    def show(self, command: Command, prompt: Prompt, lines: Sequence[str] = ()) -> None:
        """Show what a command asks for.

        Args:
            command: what was typed.
            prompt: where it was typed.
            lines: what stands on the screen beside the prompt.

        Raises:
            Back: an earlier question is wanted.
            Quit: the walk is to end here.
        """
        told = len(self.player.screen)
        self._show(command, prompt, lines)
        del self.player.screen[told:]  # what explains the screen is none of it

    def _show(self, command: Command, prompt: Prompt, lines: Sequence[str]) -> None:
        match command.word:
            case "q":
                raise Quit
            case "u":
                raise Back(self.steps(command.rest))
            case "U":
                self.earlier()
            case "w":
                self.why()
            case "i":
                self.what_if()
            case "g":
                self.glossary(command.rest, [prompt.text, *prompt.more, *options(prompt), *lines])
            case "G":
                self.look_up()
            case _:
                self.help(prompt)

    def say(self, text: str) -> None:
        """Print a line, set in a little."""
        self.player.say(f"  {text}")

    def help(self, prompt: Prompt) -> None:
        """What can be answered here, what it means, and what else can be typed."""
        self.player.explained(prompt)
        self.say(f"Answer: {prompt.legal}")
        if shown_default(prompt):
            self.say(f"Enter alone: {shown_default(prompt)}")
        for line in (*prompt.more, *prompt.notes):
            self.say(line)
        for name, what in (*prompt.extra, *prompt.quiet, *AIDS.items()):
            self.say(f"{name} {what}")

    def steps(self, text: str) -> int | None:
        """How many replies to take back; None where nothing is said: to the prompt before."""
        return max(int(text[:6]), 1) if text.isascii() and text.isdigit() else None

    def why(self) -> None:
        """All that has counted so far, and where the chart stands in its source."""
        ledger = self.player.views.ledger(self.walk)
        for line in ledger or ["Nothing has counted yet."]:
            self.player.say(line if ledger else f"  {line}")
        if isinstance(self.walk.need, Outcome):
            return  # all that it rests on has been told
        top = self.walk.position.top
        node = top.chart.nodes.get(top.node)
        page = node.page if node is not None else ""
        self.say(f"Source: {source_of(top, page)}")
        if node is not None and node.note:
            self.say(f"Note: {node.note}")

    def glossary(self, word: str, texts: Sequence[str]) -> None:
        """A word, or the terms that stand on the screen, explained."""
        glossary = glossary_of(self.walk)
        if not glossary:
            return self.say("This book has no glossary.")
        if word:
            lines = look_up(glossary, word)
        else:
            terms = terms_in(glossary, [*self.player.screen, *texts])
            lines = explained(glossary, terms) or ["No abbreviation stands here."]
        for line in lines:
            self.say(line)
        if not word:
            self.say(f"G explains any other: {', '.join(glossary)}")

    def look_up(self) -> None:
        """Let the player say which word he wants explained."""
        glossary = glossary_of(self.walk)
        text = f"Which word? {', '.join(glossary)}" if glossary else "Which word?"
        prompt = Prompt(text=text, legal="its beginning will do", read=str.strip, default="", is_name=True)
        try:
            word = self.player.put(prompt)
        except Back:
            return None
        return self.glossary(word, ()) if word else None

    def earlier(self) -> None:
        """Let the player pick the earlier question that he wants again.

        Raises:
            Back: he picked one.
        """
        history = self.player.history
        turns = [answers_of_reply(place, history.done[place]) for place in reversed(history.turns())]
        labels = [
            "; ".join(map(str, turn[:3])) + (f"; and {len(turn) - 3} more" if len(turn) > 3 else "") for turn in turns
        ]
        picked = self.pick("Back to which answer?", [label or "a card" for label in labels])
        if picked is not None:
            raise Back(picked + 1)

    def what_if(self) -> None:
        """Change one answer and tell what would be different; nothing is changed."""
        answers = answers_so_far(self.player.history)[::-1]
        picked = self.pick("What if which answer were another?", [str(answer) for answer in answers])
        if picked is None:
            return None
        answer = answers[picked]
        try:
            value = self.player.put(self.instead(answer))
            then = what_if(self.player.history, answer, value)
        except Back:
            return None
        except (ReplyError, WalkError) as fault:
            return self.say(f"It cannot be: {fault}")
        for line in compared(self.walk, then, self.player.views.counted):
            self.say(line)
        return self.say("(Nothing has been changed.)")

    def instead(self, answer: Answer) -> Prompt:
        """The prompt for another answer."""
        if answer.question is not None:
            prompt = prompt_for(answer.question)
            kind = Kind.TEXT if prompt.kind is Kind.LIST else prompt.kind  # a list is typed in one line here
            return replace(prompt, text=f"Instead: {prompt.text}", default=None, kind=kind)
        what = clean(f"Instead: {str(answer).rpartition(':')[0]}")
        if isinstance(answer.need, Roll):
            return Prompt(text=what, legal=str(answer.need.dice), read=partial(read_roll, answer.need))
        fact = answer.fact
        if fact is None:
            raise AssertionError("a card's answer has its field")
        return Prompt(
            text=what,
            kind=fact.kind,
            legal=legal_answers(fact),
            read=partial(read_text, fact),
            choices=clean_choices(fact),
        )

    def pick(self, text: str, labels: Sequence[str]) -> int | None:
        """The place of the label that is picked, from 0; None where there is none, or he thinks better of it."""
        if not labels:
            self.say("Nothing has been answered yet.")
            return None
        choices = tuple(Choice(f"#{number}", label) for number, label in enumerate(labels, 1))
        prompt = Prompt(
            text=text,
            kind=Kind.CHOICE,
            legal=f"1 to {len(labels)}",
            read=partial(read_choice, choices),
            choices=choices,
            has_keys=False,
        )
        try:
            answer: Any = self.player.put(prompt)
        except Back:
            return None
        return int(answer[1:]) - 1
