"""How a walk is drawn for the player: handed to him by whoever can draw, so that drivers need no drawing."""

from collections.abc import Callable, Sequence

from refcli.core.struct import Struct
from refcli.core.walk import Walk


def _nothing(walk: Walk) -> Sequence[str]:
    return ()


def _as_it_is(text: str, encoding: str | None) -> str:
    return text


class Views(Struct):
    """How a walk and a text are shown.

    `ledger` is what has counted so far, or led here, in lines; `counted` only what has been added up. `showable` is a
    text with signs that an output of that encoding can show.
    """

    ledger: Callable[[Walk], Sequence[str]] = _nothing
    counted: Callable[[Walk], Sequence[str]] = _nothing
    showable: Callable[[str, str | None], str] = _as_it_is
