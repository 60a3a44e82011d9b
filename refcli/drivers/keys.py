"""Keys at prompts: what every prompt takes, and how an answer is taken at its first keys.

With `prompts.py` the only file that knows the prompt library, and only once a prompt opens.

Every prompt takes Escape or `u` for back, `q` or Ctrl-D for save and quit, Ctrl-C likewise, and the keys of all other
aids. An answer that no further key could make another is taken at once; what is typed of it all the same, and Enter
behind it, is let pass, so that whoever types whole words and Enter comes to the same end.
"""

import re
import select as streams
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from refcli.core.struct import Struct
from refcli.drivers.answers import clean
from refcli.drivers.prompt import WORDS, Command, Prompt

if TYPE_CHECKING:
    from prompt_toolkit.key_binding import KeyPressEvent
    from prompt_toolkit.layout.controls import UIControl
    from questionary import Question as Opened
    from questionary.prompts.common import InquirerControl

Handler = Callable[["KeyPressEvent"], None]

PAUSE = 0.2
"""Seconds in which keys that belong to the answer before are let pass."""


class Pasted(Struct):
    """Lines that were pasted: answers, one a line, as a plain line takes them."""

    lines: tuple[str, ...]


class Line(str):
    """A typed line, which is still to be read."""


class Quick:
    """An answer that was taken at its first keys; `tails` are what may still be typed of it."""

    def __init__(self, answer: Any, tails: Sequence[str] = ()) -> None:
        self.answer = answer
        self.tails = tuple(tails)


def run(opened: "Opened", before: Sequence[str] | None) -> Any:
    """Open a prompt and wait for its answer.

    Args:
        opened: the prompt.
        before: what may still be typed of the answer before, where that was taken at its first keys.
    """
    app = opened.application
    ends = {
        "escape": Quick(Command("u")),
        "c-d": EOFError(),
        "c-c": KeyboardInterrupt(),
        "<sigint>": KeyboardInterrupt(),
    }
    bind(opened, {key: partial(leave, end=end) for key, end in ends.items()} | {"c-z": _suspend})
    bind(opened, {"<bracketed-paste>": getattr(opened, "paste", _paste)})
    if before is not None:
        _let_pass(opened, before)
    for window in app.layout.find_all_windows():
        if _is_list(window.content):
            window.wrap_lines = _always()
    app.erase_when_done = True  # what was answered is told in one line
    app.ttimeoutlen = 0.05  # how long a lone Escape waits for the rest of an arrow key
    answer = opened.unsafe_ask()
    return Line(answer) if type(answer) is str and not _lists(opened) else answer


def style() -> Any:
    """No colours: bold and reverse are to be read on light and dark alike, and without colour."""
    from prompt_toolkit.styles import Style

    return Style(
        [
            ("qmark", "noinherit bold"),
            ("question", "bold"),
            ("answer", "noinherit"),
            ("pointer", "bold"),
            ("highlighted", "bold"),
            ("separator", "bold"),
        ]
    )


def _always() -> Any:
    from prompt_toolkit.filters import Always

    return Always()


def _is_list(content: "UIControl") -> bool:
    from questionary.prompts.common import InquirerControl

    return isinstance(content, InquirerControl)


def _lists(opened: "Opened") -> bool:
    return any(map(_is_list, opened.application.layout.find_all_controls()))


def list_of(opened: "Opened") -> "InquirerControl":
    """The list that a prompt shows."""
    from questionary.prompts.common import InquirerControl

    return next(c for c in opened.application.layout.find_all_controls() if isinstance(c, InquirerControl))


def _let_pass(opened: "Opened", before: Sequence[str]) -> None:
    """Let the first keys pass that only finish the answer before: the rest of its word, and Enter."""
    from prompt_toolkit.filters import Condition
    from prompt_toolkit.key_binding import KeyBindings, merge_key_bindings

    app = opened.application
    left: list[str] = list(before)
    is_open, took = True, False
    # what was typed before the prompt stood there is never meant for it; what comes later, only for a moment
    end = float("inf") if _is_typed_ahead(app.input) else time.monotonic() + PAUSE

    def fits(key: str) -> bool:
        return is_open and time.monotonic() < end and (key == "\r" or any(tail.startswith(key) for tail in left))

    def passed(event: "KeyPressEvent", key: str) -> None:
        nonlocal left, is_open, took
        took = True
        is_open = key != "\r"
        left = [tail[1:] for tail in left if tail.startswith(key)]

    def pressed(_: Any) -> None:
        nonlocal is_open, took
        is_open = is_open and took
        took = False

    bindings = KeyBindings()
    for key in {*"".join(left), "\r"}:
        # Enter that was typed between two prompts comes as c-j
        for name in ("c-m", "c-j") if key == "\r" else (key,):
            bindings.add(name, eager=True, filter=Condition(partial(fits, key)))(partial(passed, key=key))
    app.key_bindings = merge_key_bindings([bound for bound in (app.key_bindings, bindings) if bound is not None])
    app.key_processor.after_key_press += pressed


def _is_typed_ahead(source: Any) -> bool:
    """Whether keys have been typed that no prompt has looked at."""
    from prompt_toolkit.input.typeahead import get_typeahead, store_typeahead

    keys = get_typeahead(source)
    store_typeahead(source, keys)
    if keys:
        return True
    try:
        return bool(streams.select([source.fileno()], [], [], 0)[0])
    except (OSError, ValueError, NotImplementedError):  # not a stream that can be looked at
        return False


def _paste(event: "KeyPressEvent") -> None:
    """What is pasted is typed; of several lines each is an answer."""
    lines = re.split(r"\r\n|\r|\n", event.data)
    if len(lines) == 1 and not any(map(_is_list, event.app.layout.find_all_controls())):
        event.current_buffer.insert_text(clean(lines[0]))
        return
    lines[0] = event.current_buffer.text + lines[0]
    leave(event, Pasted(tuple(clean(line) for line in (lines if lines[-1] else lines[:-1]))))


def leave(event: "KeyPressEvent", end: Any) -> None:
    """Close the prompt with a result, or by an exception."""
    if isinstance(end, BaseException):
        event.app.exit(exception=end, style="class:aborting")
    else:
        event.app.exit(result=end)


def _suspend(event: "KeyPressEvent") -> None:
    event.app.suspend_to_background()


def bind_commands(opened: "Opened", prompt: Prompt, only: Callable[[], bool] = lambda: True) -> None:
    """Let the letters of all commands act at once."""
    words = {word: partial(leave, end=Quick(Command(word))) for word in WORDS | prompt.words}
    bind(opened, words, only)


def bind(opened: "Opened", keys: Mapping[str, Handler], only: Callable[[], bool] = lambda: True) -> None:
    """Add keys to a prompt, before all that it has."""
    from prompt_toolkit.filters import Condition
    from prompt_toolkit.key_binding import KeyBindings, merge_key_bindings

    bindings = KeyBindings()
    for key, handler in keys.items():
        bindings.add(key, eager=key != "<any>", filter=Condition(only))(handler)
    app = opened.application
    app.key_bindings = merge_key_bindings([bound for bound in (app.key_bindings, bindings) if bound is not None])
