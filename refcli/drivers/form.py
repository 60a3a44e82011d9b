"""Several questions answered at once: what applies is ticked, numbers and choices stand at what is usual.

A form is taken as it stands, so every row of it has a value: yes/no rows that nobody ticked are no.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from refcli.core.errors import ReplyError
from refcli.core.fact import Kind
from refcli.core.need import Question
from refcli.drivers.answers import plural
from refcli.drivers.prompt import Command, Prompt, read_line
from refcli.drivers.total import Total

NONE = {"0", "none", "no", "n"}
_ROW = re.compile(r"(?P<number>\d+)(?:\s*=\s*(?P<value>[^,;=]*?))?(?=\s*(?:[,;]|$)|\s+\d)\s*[,;]?\s*")


class Row:
    """One question of a form with the value it stands at; `at_first` is the one that it began with."""

    def __init__(self, question: Question, prompt: Prompt) -> None:
        self.question = question
        self.prompt = prompt
        self.value: Any = prompt.default
        if prompt.kind is Kind.YES_NO:
            self.value = bool(prompt.default)
        self.at_first = self.value

    @property
    def key(self) -> str:
        """The question's key."""
        return self.question.key

    @property
    def is_box(self) -> bool:
        """Whether it is a box to tick."""
        return self.prompt.kind is Kind.YES_NO

    def mark(self) -> str:
        """The value as it stands in the form: a box, a number, a label."""
        if self.is_box:
            return "[x]" if self.value else "[ ]"
        return f"[{self.shown()}]"

    def shown(self) -> str:
        """The value in words."""
        if self.is_box:
            return "yes" if self.value else "no"
        if self.prompt.kind is Kind.CHOICE:
            return next((c.label for c in self.prompt.choices if c.key == self.value), str(self.value))
        return str(self.value)

    def turned(self, by: int = 1) -> Any:
        """The value after the next (or, -1, before this one): the box flipped, the next number or choice in turn."""
        if self.is_box:
            return not self.value
        if self.prompt.kind is Kind.CHOICE:
            keys = [choice.key for choice in self.prompt.choices]
            return keys[(keys.index(self.value) + by) % len(keys)]
        fact = self.question.fact
        low, high = fact.low, fact.high
        value = self.value + by
        if high is not None and value > high:
            return high if low is None else low
        if low is not None and value < low:
            return low if high is None else high
        return value


class Form:
    """The rows to fill in.

    Args:
        rows: at least one.
        subject: whom or what all of them are about; empty where they differ.
        total: what it comes to with these values by key; None where that cannot be told.
        quiet: words that act, each with what it does.
    """

    def __init__(
        self,
        rows: Sequence[Row],
        subject: str = "",
        total: Callable[[Mapping[str, Any]], Total | None] = lambda values: None,
        quiet: tuple[tuple[str, str], ...] = (),
    ) -> None:
        self.rows = tuple(rows)
        self.subject = subject
        self.total = total
        self.quiet = quiet
        self.effects = [self._effect(row) for row in self.rows]

    @property
    def title(self) -> str:
        """What is to be done, in a few words."""
        return f"{self.subject}: tick what applies" if self.subject else "Tick what applies"

    @property
    def legal(self) -> str:
        """How a line fills it in."""
        if all(row.is_box for row in self.rows):
            return "numbers to tick, such as 1 2; 0 for none; Enter as it stands"
        number = next(number for number, row in enumerate(self.rows, 1) if not row.is_box)
        ticks = "numbers to tick, " if any(row.is_box for row in self.rows) else ""
        return f"{ticks}{number}=… to set; Enter as it stands"

    @property
    def values(self) -> dict[str, Any]:
        """The values as they stand, by key."""
        return {row.key: row.value for row in self.rows}

    @property
    def prompt(self) -> Prompt:
        """The form as something to be typed in one line."""
        more = [f"{number}: {line}" for number, row in enumerate(self.rows, 1) for line in row.prompt.more]
        notes = [f"{number}: {line}" for number, row in enumerate(self.rows, 1) for line in row.prompt.notes]
        return Prompt(
            text=self.title,
            legal=self.legal,
            read=self.read,
            more=tuple(more),
            notes=tuple(notes),
            default="",
            quiet=self.quiet,
        )

    def told(self) -> str:
        """The total as it stands; empty where it cannot be told."""
        total = self.total(self.values)
        return str(total) if total is not None else ""

    def lines(self) -> list[str]:
        """Every row as it stands, numbered from 1."""
        return [self.line(number) for number in range(len(self.rows))]

    def line(self, place: int) -> str:
        """One row as it stands, by its place from 0."""
        row = self.rows[place]
        text = row.prompt.text
        if self.subject and text.startswith(f"{self.subject}: "):
            text = text.removeprefix(f"{self.subject}: ")
        effect = f"  {self.effects[place]}" if self.effects[place] else ""
        origin = f" ({row.prompt.origin})" if row.prompt.origin and row.value == row.at_first else ""
        return f"{place + 1} {row.mark()} {text}{effect}{origin}"

    def read(self, text: str) -> "Edit | None":
        """Fill in what a line says: `1 3` ticks (or unticks) rows 1 and 3, `2=4` sets row 2, `0` unticks all.

        Returns:
            None where the form is done; the row that is to be asked alone where only the number of a row that is no
            box was typed.

        Raises:
            ReplyError: it makes no sense; nothing has been filled in.
        """
        text = text.strip()
        if text.lower() in NONE:
            for row in self.rows:
                row.value = False if row.is_box else row.value
            return None
        wanted = self._parse(text)
        if len(wanted) == 1 and wanted[0][1] is None and not wanted[0][0].is_box:
            return Edit(wanted[0][0])
        for row, value in wanted:
            if value is None and not row.is_box:
                number = self.rows.index(row) + 1
                raise ReplyError(f"{number} is no box to tick: type {number}=… to set it")
        for row, value in wanted:
            row.value = row.turned() if value is None else value
        return None

    def _parse(self, text: str) -> list[tuple[Row, Any]]:
        found: list[tuple[Row, Any]] = []
        at = 0
        while at < len(text):
            match = _ROW.match(text, at)
            if match is None:
                raise ReplyError(f"type {self.legal}; not {text[:40]!r}")
            at = match.end()
            number = int(match["number"][:6])
            if not 1 <= number <= len(self.rows):
                raise ReplyError(f"choose 1 to {len(self.rows)}, not {number}")
            row = self.rows[number - 1]
            value = None
            if match["value"] is not None:
                value = read_line(row.prompt, match["value"])
                if isinstance(value, Command):
                    raise ReplyError(f"row {number}: {row.prompt.legal}")
            if any(one is row for one, _ in found):
                raise ReplyError(f"row {number} stands there twice")
            found.append((row, value))
        return found

    def _effect(self, row: Row) -> str:
        """What ticking a box does to the total, such as +2; nothing where that cannot be told."""
        if not row.is_box:
            return ""
        off, on = (self.total({**self.values, row.key: value}) for value in (False, True))
        if off is None or on is None or on.value == off.value:
            return ""
        return f"{on.value - off.value:+}".replace("-", "−")

    def brief(self) -> str:
        """How it was filled in, in a few words."""
        ticked = [row.prompt.text for row in self.rows if row.is_box and row.value]
        changed = [
            f"{row.prompt.text} {row.shown()}" for row in self.rows if not row.is_box and row.value != row.at_first
        ]
        parts = [*ticked, *changed]
        if not parts:
            return "as it stands" if not all(row.is_box for row in self.rows) else "none"
        if len(parts) > 3:
            return f"{len(parts)} {plural('row')}"
        return " · ".join(parts)


class Edit:
    """A row that is to be asked on its own."""

    def __init__(self, row: Row) -> None:
        self.row = row
