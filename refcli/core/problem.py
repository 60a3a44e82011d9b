"""What is wrong with a chart, as data: a stable code, a place, what was meant and how to mend it."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from enum import Enum

from refcli.core.place import Place
from refcli.core.struct import Struct


class Severity(Enum):
    """How bad a problem is: an error stops a walk, a warning only `refcli check`."""

    ERROR = "error"
    WARNING = "warning"


class Code(Enum):
    """Every problem a chart can have. A published code never changes its meaning; its message may.

    C1xx reading, C2xx shape, C3xx references, C4xx graph, C5xx expressions, C6xx examples and hygiene, C7xx rosters.
    """

    YAML = ("C101", "The file is not readable YAML.")
    TOO_LARGE = ("C102", "The file is too large or nested too deep to be a chart.")
    DUPLICATE_KEY = ("C103", "A key stands twice in one mapping; YAML would silently drop the first.")
    ALIAS = ("C104", "Anchors, aliases, merge keys and tags are refused: each value is written where it is used.")
    SWALLOWED = ("C105", "YAML reads this text differently from what it looks like: quote it.")
    UNREADABLE = ("C106", "The file cannot be opened or is not UTF-8 text.")
    UNKNOWN_KEY = ("C201", "A key that the chart language does not have.")
    MISSING_KEY = ("C202", "A key that must be there is missing.")
    WRONG_SHAPE = ("C203", "A value of another kind was expected here.")
    BAD_RANGE = ("C204", "A range of numbers that cannot be read or holds nothing.")
    BAD_NAME = ("C205", "A name that the language cannot use.")
    BAD_DICE = ("C206", "Dice that cannot be read.")
    NAME_CLASH = ("C207", "One name for two things.")
    KIND = ("C208", "A node, a fact or a modifier needs exactly one kind.")
    UNKNOWN_TARGET = ("C301", "An edge leads to a node or outcome that is not there.")
    UNKNOWN_FACT = ("C302", "A fact that neither the chart nor its book has.")
    UNKNOWN_CHART = ("C303", "A chart that is not in the book.")
    UNKNOWN_DECK = ("C304", "A deck that the book does not have.")
    RECURSION = ("C305", "A chart that runs itself, directly or through others.")
    UNKNOWN_NAME = ("C306", "A `with` that answers nothing the chart it runs reads.")
    CIRCULAR = ("C307", "Facts that are defined by each other in a ring.")
    UNREACHABLE = ("C401", "No path from the start leads here.")
    LOOP = ("C402", "Going back is allowed only through a roll or a draw.")
    GAP = ("C403", "A value that can come up has no case.")
    OVERLAP = ("C404", "Two cases hold for one value, or a case can never come up.")
    UNMADE = ("C405", "A name is read before every path to it has made it.")
    TOO_DEEP = ("C406", "Charts run each other too deep.")
    OUT_OF_RANGE = ("C407", "A number that is handed on or changed may lie outside its range.")
    ENDLESS = ("C408", "A walk may go round here for ever, or has no way to an outcome.")
    EXPRESSION = ("C501", "An expression that cannot be read.")
    UNKNOWN_WORD = ("C502", "A word in an expression that nothing here is called.")
    TYPE = ("C503", "The parts of an expression do not go together.")
    EXAMPLE = ("C601", "A worked example does not come out as it says.")
    UNUSED = ("C602", "A fact or a made name that nothing reads.")
    UNCOVERED = ("C603", "No example reaches this outcome or edge.")
    NO_EXAMPLES = ("C604", "A chart without examples proves nothing.")
    UNKNOWN_BOOK = ("C701", "A roster of a book that is not within reach.")
    FITS_NOTHING = ("C702", "A group of a roster that fits no list of its book.")
    RULE = ("C703", "A record that breaks a rule of its list.")

    @property
    def id(self) -> str:
        """The stable code, such as C301."""
        return self.value[0]

    @property
    def explanation(self) -> str:
        """What the code stands for, in one sentence."""
        return self.value[1]


class Problem(Struct):
    """One fault of a chart.

    `width` is how many characters the caret underlines (0: none); `hint` names what was probably meant and
    `mend` says how to put it right.
    """

    code: Code
    place: Place
    message: str
    hint: str = ""
    mend: str = ""
    width: int = 1
    severity: Severity = Severity.ERROR

    def __str__(self) -> str:
        more = "".join(f"; {text}" for text in (self.hint, self.mend) if text)
        return f"{self.place}: {self.severity.value} {self.code.id}: {self.message}{more}"


def did_you_mean(word: str, names: Iterable[str] | Mapping[str, object], most: int = 8) -> str:
    """A suggestion for a misspelt word: the nearest name with its line, else the legal names if few.

    Args:
        word: what was written.
        names: the legal names; as a mapping to places, with their lines.
        most: how many legal names to list when none is near.

    Returns:
        A sentence without a full stop, or nothing when there is nothing helpful to say.
    """
    legal = [name for name in names if not name.startswith("_")]
    most_near = 2 if len(word) < 3 else 1
    near = get_close_matches(word, legal, most_near, 0.6) or get_close_matches(word.lower(), legal, most_near, 0.6)
    near = near or [name for name in legal if len(word) > 1 and name.startswith(word)][:1]
    if len(near) > 1 and len(word) < 3:
        return f"did you mean '{near[0]}' or '{near[1]}'?"
    if near:
        place = names[near[0]] if isinstance(names, Mapping) else None
        line = f" (line {place.line})" if isinstance(place, Place) and place.line else ""
        return f"did you mean '{near[0]}'{line}?"
    if legal and len(legal) <= most:
        return "it can be: " + ", ".join(legal)
    return ""
