"""One walk at the table, new or gone on with: who answers, what is kept of it, and how it ends."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refcli.cli.common import can_draw, complain, json_text, library, room_for_a_ruling, say, silence, width
from refcli.core.struct import Struct

if TYPE_CHECKING:
    from refcli.cli.evening import Evening
    from refcli.core.chart import Chart
    from refcli.core.walk import Walk
    from refcli.drivers.chance import Chance
    from refcli.drivers.journal import Journal
    from refcli.drivers.loop import Supplier
    from refcli.drivers.player import Player
    from refcli.drivers.replay import Replayed
    from refcli.drivers.rosters import Rosters
    from refcli.drivers.script import Case, CaseSupplier
    from refcli.drivers.walks import Record
    from refcli.load.library import Library


class Sitting(Struct, kw_only=True):
    """How a walk is played: its chart, what is known beforehand, and the options of the command line.

    `rolls_on` tells that the player has left all dice to chance, `is_handed` that the case is what the walk before
    handed over, `keeps` whether a journal is written, `marks` whether rosters are at the end; `rosters` are those at
    hand, read from `roster_files`;
    `folders` and `decks` are where its charts and the player's own counts of decks are; `flags` are the options that
    play it again.
    """

    chart: "Chart"
    case: "Case"
    dice: str = "ask"
    seed: int | None = None
    house_rules: bool = False
    defaults: bool = False
    plain: bool = False
    as_json: bool = False
    trail: bool = False
    save: Path | None = None
    keeps: bool = True
    marks: bool = False
    rolls_on: bool = False
    is_handed: bool = False
    folders: Sequence[str] = ()
    decks: Sequence[str] = ()
    rosters: "Rosters | None" = None
    roster_files: Sequence[str] = ()
    flags: Sequence[str] = ()

    @property
    def stream(self) -> str:
        """Which of the seed's streams the dice are."""
        return "" if self.case.id is None else str(self.case.id)


def sitting_of(record: "Record", shelf: "Library", chart: "Chart", *, dice: str | None, **more: Any) -> Sitting:
    """How a walk goes on: as it began.

    Args:
        record: its journal.
        shelf: where its chart was found now.
        chart: that chart.
        dice: ask or auto from now on; None is as before.
        more: `plain`, `as_json` and `trail`.

    Raises:
        UsageError: what the journal says of it makes no sense.
    """
    from refcli.core.errors import ReplyError, UsageError
    from refcli.drivers.script import read_case

    seed = record.head.get("seed")
    try:
        case = read_case(record.case)
    except ReplyError as fault:
        raise UsageError(f"the journal of {record.id} holds no case that makes sense: {fault}") from None
    return Sitting(
        chart=chart,
        case=case,
        dice=dice or ("auto" if record.head.get("dice") == "auto" else "ask"),
        rolls_on=record.auto and dice is None,
        seed=seed if isinstance(seed, int) else None,
        house_rules=record.head.get("house_rules") is True,
        defaults=record.head.get("defaults") is True,
        marks=record.head.get("marks") is True,
        is_handed=record.head.get("handed") is True,
        folders=[str(folder.resolve()) for folder in shelf.catalogue.folders],
        decks=record.texts("decks"),
        rosters=_rosters(record, shelf, chart),
        roster_files=record.texts("rosters"),
        **more,
    )


def _rosters(record: "Record", shelf: "Library", chart: "Chart") -> "Rosters | None":
    """The rosters that a walk began with; one that cannot be read any more is told of, and not offered."""
    from refcli.cli.rosters import open_rosters
    from refcli.core.errors import RefcliError

    try:
        return open_rosters(shelf, record.texts("rosters"), chart)
    except RefcliError as fault:
        complain(f"Without its roster: {fault}")
        return None


def sit(sitting: Sitting, earlier: "Replayed | None" = None, evening: "Evening | None" = None) -> "Walk":
    """Play a walk to its outcome, print the ruling, go on with what the player wants next, and give the last back.

    Args:
        sitting: how it is played.
        earlier: the walk that goes on, as far as its journal leads.
        evening: what lasts from walk to walk.

    Raises:
        Left: it stopped before its outcome, which has been told.
        UsageError: nobody is there to answer a question, or what was given does not fit.
        JournalError: the walk is being played in another window.
    """
    from refcli.cli.stops import Left

    if evening is None:
        from refcli.cli.evening import Evening

        folders, decks = ([Path(name) for name in names] for names in (sitting.folders, sitting.decks))
        evening = Evening(lambda chart_id: library(folders, decks).load(chart_id), plain=sitting.plain)
    while True:
        walk = _sit(sitting, earlier, evening)
        if evening.has_failed:
            raise Left(1)
        if evening.next is None:
            return walk
        sitting, earlier, evening.next = evening.next, None, None


def _sit(sitting: Sitting, earlier: "Replayed | None", evening: "Evening") -> "Walk":
    """Play one walk; see `sit`."""
    from refcli.cli.stops import Ended, Left, ended_by_signals, keep
    from refcli.core.errors import ReplyError, UnansweredError, UsageError
    from refcli.core.walk import Walk, start
    from refcli.drivers.chance import Chance
    from refcli.drivers.history import History
    from refcli.drivers.loop import Stopped, drive
    from refcli.drivers.script import CaseSupplier

    scripted = CaseSupplier(sitting.case)
    chance = Chance(sitting.seed, sitting.stream)
    player = evening.player(sitting, chance)
    if sitting.rosters is not None:
        player.rosters = sitting.rosters
    journal = _journal(sitting, chance, player, earlier)
    suppliers = _suppliers(sitting, scripted, chance, player, journal, earlier)
    history = History()
    ended = Ended()
    if sitting.is_handed and sitting.case.given:
        from refcli.cli.evening import handed_words

        player.say(f"(handed over: {handed_words(sitting.chart, sitting.case.given)})")
    try:
        with ended_by_signals(ended):
            # with all house rules on: what `--set` and the file say of them holds in any case
            walk: Walk | None = start(sitting.chart, house_rules=True)
            while walk is not None:
                ended_walk = drive(walk, suppliers, note=player.say, recorder=journal, history=history)
                _end(sitting, ended_walk, journal)
                _tell(sitting, ended_walk, player, chance, scripted, asks_on=evening.asks_on(sitting, history))
                walk = evening.close(sitting, player, ended_walk, history)
                if walk is not None and journal is not None:  # an answer was taken back after the ruling
                    journal.back(len(history.done))
            return ended_walk
    except Stopped as stop:
        if journal is not None:
            journal.close()
        if ended.is_hung_up:
            silence()  # whoever could read it has left
        keep(stop, sitting, scripted, is_kept=journal is not None and journal.is_kept)
        raise Left(ended.code(stop.exit_code)) from None
    except (UnansweredError, ReplyError) as fault:
        if journal is not None:
            journal.discard()
        rolled = f"\nso far rolled with --seed {chance.seed}" if chance.used and chance.is_chosen else ""
        raise UsageError(f"{fault}{rolled}") from None
    except BaseException:
        if journal is not None:
            journal.close()
        raise


def _tell(
    sitting: Sitting, walk: "Walk", player: "Player", chance: "Chance", scripted: "CaseSupplier", *, asks_on: bool
) -> None:
    """Print the ruling, and below it what there is to say of dice and of what was not needed.

    Where `asks_on` tells that a question follows, the ruling is not to be pushed off the screen by its reasons.
    """
    if not sitting.as_json:
        player.tell(walk, dice_only=True)
    rows = room_for_a_ruling() if asks_on and not sitting.trail else None
    rule(walk, sitting.case.id, as_json=sitting.as_json, trail=sitting.trail, plain=sitting.plain, rows=rows)
    if chance.used and chance.is_chosen:
        complain(f"Rolled with --seed {chance.seed}.")
    if not sitting.is_handed and (unused := scripted.leftover()):
        complain(f"Not needed: {', '.join(unused)}.")


def rule(
    walk: "Walk", case: object, *, as_json: bool, trail: bool, plain: bool = True, rows: int | None = None
) -> None:
    """Print the ruling; on a terminal, but for plain lines, with its title as a band and within so many rows."""
    from refcli.core.ruling import ruling

    if as_json:
        say(json_text(ruling(walk, case, trail=True)))
        return
    if not plain and can_draw():
        from rich.console import Console

        from refcli.render.screen import ruling_screen

        text = ruling_screen(walk, trail, width(), rows)
        Console(highlight=False, markup=False, emoji=False, soft_wrap=True).print(text)
        return
    from refcli.render.text import ruling_text

    say(ruling_text(walk, trail, width()))


def _end(sitting: Sitting, walk: "Walk", journal: "Journal | None") -> None:
    """Write the ruling down before it is told."""
    if journal is not None:
        from refcli.core.ruling import ruling

        journal.end(ruling(walk, sitting.case.id))


def _suppliers(
    sitting: Sitting,
    scripted: "CaseSupplier",
    chance: "Chance",
    player: "Player",
    journal: "Journal | None",
    earlier: "Replayed | None",
) -> "list[Supplier]":
    """Whoever may answer, in order."""
    from refcli.drivers.script import Defaults, Unasked

    row: list[Supplier] = [scripted, Defaults() if sitting.defaults else Unasked(house_rules=sitting.house_rules)]
    if sitting.dice == "auto":
        row.append(chance)
    if journal is not None:
        row.append(journal)
    if earlier is None:
        return [*row, player]
    from refcli.drivers.replay import Offering, Replayer

    player.auto = sitting.rolls_on
    replayer = Replayer(earlier.fitting, scripted=scripted, chance=chance)
    return [replayer, *row, Offering(player, earlier.kept, player.say) if earlier.kept else player]


def _journal(sitting: Sitting, chance: "Chance", player: "Player", earlier: "Replayed | None") -> "Journal | None":
    """What writes the walk down; None where nothing shall be written."""
    if not sitting.keeps:
        return None
    from refcli.drivers.journal import Journal

    journal = Journal(lambda: head(sitting, chance), player.say, auto=lambda: player.auto)
    if earlier is not None:
        record = earlier.record
        journal.go_on(record.path, record.size, known=earlier.taken, is_cut=record.is_cut)
        now = head(sitting, chance)
        if earlier.fault or now["digest"] != record.digest:
            journal.changed(now, earlier.taken)
    return journal


def head(sitting: Sitting, chance: "Chance") -> dict[str, Any]:
    """The first line of a journal: all that a replay needs but the replies, and what proves the chart."""
    from refcli import __version__
    from refcli.cli.proof import digest, digests

    files = digests(sitting.chart)
    return {
        "chart": sitting.chart.id,
        "title": sitting.chart.title,
        "digest": digest(files),
        "files": files,
        "version": __version__,
        "seed": chance.seed,
        "stream": sitting.stream,
        "dice": sitting.dice,
        "house_rules": sitting.house_rules,
        "defaults": sitting.defaults,
        "marks": sitting.marks,
        "handed": sitting.is_handed,
        "charts": list(sitting.folders),
        "decks": list(sitting.decks),
        "rosters": list(sitting.roster_files),
        "case": case_data(sitting.case),
    }


def case_data(case: "Case") -> dict[str, Any]:
    """A case as JSON values; what it has none of is left out."""
    parts = ("id", "given", "rolls", "draws", "placeholders")
    found = {part: getattr(case, part) for part in parts}
    return {
        part: dict(value) if isinstance(value, Mapping) else value
        for part, value in found.items()
        if value is not None and value != {} and value != ()
    }
