"""Walks one after another at one table: what follows a ruling, and what is remembered from walk to walk."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refcli.cli.common import at_table, width
from refcli.core.struct import replace

if TYPE_CHECKING:
    from refcli.cli.table import Sitting
    from refcli.core.chart import Chart
    from refcli.core.walk import Walk
    from refcli.drivers.chance import Chance
    from refcli.drivers.history import History
    from refcli.drivers.memory import Place
    from refcli.drivers.player import Player
    from refcli.drivers.prompt import Prompt

OWN = ("asked", "told", "default")
"""The sources of answers that are offered again in the next walk of the same chart."""


class Evening:
    """What lasts from walk to walk.

    Args:
        load: gives the chart of a full id, for the walk that follows; None offers none.
        after: what it is called to be done.
        plain: whether questions come in plain lines even on a terminal.

    `next` is how the walk that follows is played, None where none does; `is_over` tells that the player has left,
    `has_failed` that what he wanted written was not.
    """

    def __init__(
        self, load: "Callable[[str], Chart] | None" = None, after: str = "Done", *, plain: bool = False
    ) -> None:
        self.load = load
        self.after = after
        self.plain = plain
        self.next: Sitting | None = None
        self.is_over = False
        self.has_failed = False
        self._player: Player | None = None
        self._last: dict[str, dict[Place, list[Any]]] = {}

    @property
    def somebody(self) -> "Player":
        """Whoever sits at the table."""
        if self._player is None:
            from refcli.drivers.terminal import choose_player
            from refcli.drivers.views import Views

            self._player = choose_player(plain=self.plain)
            self._player.views = Views(ledger, counted, shown)
        return self._player

    def player(self, sitting: "Sitting", chance: "Chance") -> "Player":
        """Whoever answers, ready for a new walk."""
        self.somebody.begin(chance, self._last.get(sitting.chart.id))
        return self.somebody

    def asks_on(self, sitting: "Sitting", history: "History") -> bool:
        """Whether it is asked what is to come after a ruling: where there is a terminal and somebody has played."""
        return bool(not sitting.as_json and history.turns() and at_table())

    def close(self, sitting: "Sitting", player: "Player", walk: "Walk", history: "History") -> "Walk | None":
        """Ask what is to come after a ruling; see `asks_on`.

        Returns:
            An earlier point of the walk, where the player takes back an answer; None where the walk is done. What
            follows then stands in `next`.
        """
        from refcli.drivers.loop import Back, Quit

        self._remember(sitting.chart.id, history)
        kept = self._keep(sitting, player, walk, asks=False) if sitting.marks else None
        if not self.asks_on(sitting, history):
            return None
        marks = _can_keep(sitting, walk) if kept is None else ""
        follows = self._following(walk)
        while True:
            try:
                answer = player.close(walk, self._prompt(follows, marks))
            except Back as back:
                if kept is not None:
                    player.say("(The roster stays as it was written.)")
                return history.back(back.steps or 1)
            except (Quit, EOFError):
                self.is_over = True
                return None
            if answer == "mark":
                kept = self._keep(sitting, player, walk, asks=True)
                marks = "" if kept is not None else marks
                continue
            if answer == "next" and follows is not None:
                self.next = following(kept or sitting, walk, history, follows)
            elif answer == "again":
                self.next = again(kept or sitting)
            return None

    def _keep(self, sitting: "Sitting", player: "Player", walk: "Walk", *, asks: bool) -> "Sitting | None":
        """Write what became of the men into their rosters; None where that was left, or went wrong."""
        from refcli.cli.common import complain, problems_text
        from refcli.cli.marking import keep_marks
        from refcli.core.errors import ChartError, RefcliError
        from refcli.drivers.loop import Back, Quit

        try:
            kept = keep_marks(sitting, player, walk, asks=asks)
        except Back:
            return None
        except (Quit, EOFError):
            if asks:
                raise
            complain("Nothing has been written into the roster: nobody said who scores.")
            self.has_failed = True
            return None
        except RefcliError as fault:
            complain(problems_text(fault.problems) if isinstance(fault, ChartError) else f"refcli: {fault}")
            self.has_failed = not asks
            return None
        if kept is sitting:
            return None
        last = self._last[sitting.chart.id]  # the men are picked anew, as they are now
        self._last[sitting.chart.id] = {place: said for place, said in last.items() if not _is_list(said)}
        return kept

    def _remember(self, chart_id: str, history: "History") -> None:
        from refcli.drivers.memory import answers_in

        last: dict[Place, list[Any]] = {}
        for place, value in answers_in((done for done in history.done if done.source in OWN), throws=False):
            last.setdefault(place, []).append(value)
        self._last[chart_id] = last

    def _following(self, walk: "Walk") -> "Chart | None":
        """The chart that usually follows."""
        from refcli.core.errors import RefcliError
        from refcli.core.need import Outcome

        if self.load is None or not isinstance(walk.need, Outcome) or not walk.need.then:
            return None
        try:
            return self.load(walk.need.then)
        except RefcliError:  # it has faults: no reason to spoil the ruling
            return None

    def _prompt(self, follows: "Chart | None", marks: str) -> "Prompt":
        """What can come now; what usually follows is the first, and taken by Enter. `marks` is where they can go."""
        from functools import partial

        from refcli.core.fact import Choice, Kind
        from refcli.drivers.answers import clean, read_choice
        from refcli.drivers.prompt import Prompt

        choices = [Choice("next", clean(f"Next: {follows.title}"))] if follows is not None else []
        choices += [Choice("done", self.after), Choice("again", "Play this again")]
        choices += [Choice("mark", clean(f"Keep it in {marks}"))] if marks else []
        return Prompt(
            text="What now?",
            kind=Kind.CHOICE,
            legal=f"1 to {len(choices)}",
            read=partial(read_choice, choices),
            choices=tuple(choices),
            default=choices[0].key,
            has_keys=False,
        )


def _can_keep(sitting: "Sitting", walk: "Walk") -> str:
    """The roster that something of the walk could be written into; nothing where there is none."""
    if sitting.rosters is None or not sitting.rosters.files:
        return ""
    from refcli.drivers.marks import marks_of

    found = marks_of(walk, sitting.rosters)
    files = dict.fromkeys([mark.roster.file for mark in found.marks] + [gain.roster.file for gain in found.gains])
    return "the rosters" if len(files) > 1 else "".join(Path(file).name for file in files)


def _is_list(said: "list[Any]") -> bool:
    """Whether these answers are lists of records."""
    return any(isinstance(value, tuple) for value in said)


# drawn only when it is wanted: the first question shall not wait for it


def ledger(walk: "Walk") -> list[str]:
    """What has counted on a walk, or led here, in lines that fit; of a finished one all behind its ruling."""
    from refcli.core.need import Outcome

    if isinstance(walk.need, Outcome):
        from refcli.render.text import ruling_text

        return ruling_text(walk, width=width()).partition("\n\n")[2].removeprefix("Why\n").split("\n")
    from refcli.render.ledger import ledger_lines

    return ledger_lines(walk, width())


def counted(walk: "Walk") -> list[str]:
    """What has been added up on a walk, in lines that fit on the screen."""
    from refcli.render.ledger import counted_lines

    return counted_lines(walk, width())


def shown(text: str, encoding: str | None) -> str:
    """A text with signs that an output can show."""
    if text.isascii() or encoding in (None, "utf-8", "UTF-8"):
        return text
    from refcli.render.words import showable

    return showable(text, encoding)


def handed_words(chart: "Chart", given: "Mapping[str, Any]") -> str:
    """What a walk is handed, with its values."""
    from refcli.drivers.words import value_words

    plain = {name.rpartition(".")[2]: value for name, value in given.items()}
    return " · ".join(
        f"{name.replace('_', ' ')} {value_words(chart.fact(name), value)}" for name, value in plain.items()
    )


def again(sitting: "Sitting") -> "Sitting":
    """The same chart with the same answers beforehand, but dice and cards of its own."""
    seed = None if sitting.seed is None else sitting.seed + 1
    return replace(sitting, case=replace(sitting.case, rolls={}, draws=()), seed=seed, rolls_on=False)


def following(sitting: "Sitting", walk: "Walk", history: "History", follows: "Chart") -> "Sitting":
    """The chart that follows, with what the walk hands over."""
    from refcli.drivers.handover import handed_over

    case = replace(sitting.case, chart="", given=handed_over(walk, history.done, follows), rolls={}, draws=())
    seed = None if sitting.seed is None else sitting.seed + 1
    return replace(sitting, chart=follows, case=case, seed=seed, rolls_on=False, is_handed=True)
