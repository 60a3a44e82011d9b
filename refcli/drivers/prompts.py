"""Prompts on a terminal: a list to pick from, yes or no, a line to type, a form, and one of many.

With `keys.py` the only file that knows the prompt library, and only once a prompt opens.
"""

import textwrap
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from refcli.drivers.answers import clean, is_certain, matching, tails
from refcli.drivers.choosing import Entry, found_by, grouped
from refcli.drivers.form import Edit, Form
from refcli.drivers.keys import Handler, Line, Pasted, Quick, bind, bind_commands, leave, list_of, run, style
from refcli.drivers.prompt import AIDS, Command, Prompt, checked, is_complete, shown_default, value_shown
from refcli.drivers.words import room

Shown = Callable[[str], str]
"""Gives a text with signs that the screen can show."""

if TYPE_CHECKING:
    from prompt_toolkit.key_binding import KeyPressEvent
    from questionary import Question as Opened


def pick(prompt: Prompt, shown: Shown) -> "Opened":
    """A list to pick from: with the arrows, or by typing what a plain line would take."""
    import questionary

    extra = "".join(f"; {hint}" for hint in prompt.hints)
    default = ""
    if prompt.default is not None:
        default = f"; Enter: {', '.join(filter(None, [value_shown(prompt, prompt.default), prompt.origin]))}"
    message, how = _headed(shown(prompt.text), shown(f"(number, word or arrows{default}{extra})"))
    opened = questionary.select(
        message,
        [questionary.Choice(_row(shown(f"{number} {c.label}")), c.key) for number, c in enumerate(prompt.choices, 1)],
        default=prompt.default,
        instruction=how,
        use_jk_keys=False,
        pointer=shown("»"),
        style=style(),
    )
    _type_ahead(opened, prompt, shown)
    return opened


def _type_ahead(opened: "Opened", prompt: Prompt, shown: Shown) -> None:
    """Typing points at the choice it means, and takes it once it is certain.

    A command's letter acts at once where no choice begins with it, else with Enter.
    """
    import questionary

    control = list_of(opened)
    keys = [choice.key for choice in prompt.choices]
    words = {"U": AIDS["u"], "G": AIDS["g"], **AIDS, **dict((*prompt.extra, *prompt.quiet))}
    typed = ""

    def take(event: "KeyPressEvent", place: int, text: str) -> None:
        leave(event, Quick(keys[place], tails(prompt.choices[place], text)) if text else keys[place])

    def write(event: "KeyPressEvent") -> None:
        nonlocal typed
        longer = typed + event.data
        near = matching(prompt.choices, longer)
        is_command = longer in words and longer not in keys
        if is_command and not near:
            leave(event, Quick(Command(longer)))
        elif near and not is_command and is_certain(prompt.choices, longer):
            take(event, keys.index(near[0].key), longer)
        elif is_command or near:
            typed = longer
            if not is_command:
                control.pointed_at = keys.index(near[0].key)
            tell()

    def tell() -> None:
        """Show what has been typed, and what Enter would make of it: all else that is certain is taken without."""
        near = matching(prompt.choices, typed) if typed else []
        meant = near[0].label if len(near) == 1 else ""
        if typed in words and typed not in keys:
            meant = words[typed]
        told = f"{typed}…" + (f"  Enter: {meant}" if meant else "")
        control.choices[len(keys) :] = [questionary.Separator(_row(shown(told)))] if typed else []

    def erase(event: "KeyPressEvent") -> None:
        nonlocal typed
        typed = typed[:-1]
        tell()

    def enter(event: "KeyPressEvent") -> None:
        near = matching(prompt.choices, typed)
        if typed in words and typed not in keys:
            leave(event, Command(typed))
        elif len(near) < 2:  # of several, more has to be typed
            take(event, control.pointed_at, "")

    def move(by: int) -> Handler:
        def moved(event: "KeyPressEvent") -> None:
            nonlocal typed
            typed = ""
            tell()
            control.pointed_at = (control.pointed_at + by) % len(keys)

        return moved

    bind(opened, {"<any>": write, "backspace": erase, "c-m": enter, "down": move(1), "up": move(-1)})


def confirm(prompt: Prompt, shown: Shown) -> "Opened":
    """Yes or no by one key; Enter alone only where there is a default."""
    import questionary

    yes, no = ("Y" if prompt.default is True else "y"), ("N" if prompt.default is False else "n")
    origin = f", Enter {prompt.origin}" if prompt.origin else ""
    extra = "".join(f"; {hint}" for hint in prompt.hints)
    message, how = _headed(shown(prompt.text), shown(f"({yes}/{no}{origin}{extra}) "))
    opened = questionary.confirm(message, default=bool(prompt.default), instruction=how, style=style())
    answers = {"y": (True, "es"), "Y": (True, "es"), "n": (False, "o"), "N": (False, "o")}

    def answer(event: "KeyPressEvent", value: bool, tail: str) -> None:
        leave(event, Quick(value, [tail]))

    bind(opened, {key: partial(answer, value=value, tail=tail) for key, (value, tail) in answers.items()})
    bind_commands(opened, prompt)
    if prompt.default is None:
        bind(opened, {"c-m": lambda event: None})
    return opened


def text(prompt: Prompt, shown: Shown) -> "Opened":
    """A line to type, looked at before it is taken; a number is taken as soon as no digit could follow."""
    import questionary

    def valid(typed: str) -> bool | str:
        return checked(prompt, typed) or True

    default = shown_default(prompt)
    legal = "; ".join(filter(None, [prompt.legal, *prompt.hints]))
    message, how = _headed(shown(prompt.text), shown(f"({legal})" + (f" [{default}]" if default else "")))
    opened = questionary.text(message, validate=valid, instruction=how.strip(" "), style=style())
    buffer = opened.application.current_buffer

    def changed(_: Any) -> None:
        if is_complete(prompt, buffer.text) and not opened.application.is_done:
            opened.application.exit(result=Quick(Line(buffer.text)))

    if not prompt.is_name:
        buffer.on_text_changed += changed
        bind_commands(opened, prompt, only=lambda: not buffer.text)
    return opened


def fill(form: Form, shown: Shown) -> "Opened":
    """A form: Space or its number turns a row, the arrows move and set, Enter takes it as it stands."""
    import questionary

    rows = [questionary.Choice(_row(shown(form.line(place))), str(place)) for place in range(len(form.rows))]
    foot = questionary.Separator(shown(form.told()) or " ")
    boxes = all(row.is_box for row in form.rows)
    how = "number or Space ticks" if boxes else "number or Space ticks, ←→ set"
    how = "; ".join([f"{how}, Enter when done", *form.prompt.hints])
    message, how = _headed(shown(form.title), shown(f"({how})"))
    opened = questionary.select(
        message, [*rows, foot], instruction=how, use_jk_keys=False, pointer=shown("»"), style=style()
    )
    control = list_of(opened)

    def draw() -> None:
        for place, choice in enumerate(control.choices[: len(form.rows)]):
            choice.title = _row(shown(form.line(place)))
        control.choices[-1].title = shown(form.told()) or " "

    def turn(by: int) -> Handler:
        def turned(event: "KeyPressEvent") -> None:
            row = form.rows[control.pointed_at]
            row.value = row.turned(by)
            draw()

        return turned

    def space(event: "KeyPressEvent") -> None:
        row = form.rows[control.pointed_at]
        if row.is_box:
            turn(1)(event)
        else:
            leave(event, Edit(row))

    def number(event: "KeyPressEvent") -> None:
        place = int(event.data) - 1
        if 0 <= place < len(form.rows):
            control.pointed_at = place
            turn(1)(event)

    def move(by: int) -> Handler:
        def moved(event: "KeyPressEvent") -> None:
            control.pointed_at = (control.pointed_at + by) % len(form.rows)

        return moved

    keys: dict[str, Handler] = dict.fromkeys("123456789", number)
    keys |= {" ": space, "right": turn(1), "left": turn(-1), "+": turn(1), "-": turn(-1)}
    keys |= {"down": move(1), "up": move(-1), "c-m": partial(leave, end=None)}
    bind(opened, keys)
    bind_commands(opened, form.prompt)
    return opened


def choose(text: str, entries: Sequence[Entry], shown: Shown) -> "Opened":
    """A long list under headings: typing leaves only what is called so, Enter takes the one that is pointed at."""
    import questionary

    opened = questionary.select(
        text,
        [questionary.Choice(shown(entry.label), entry.key) for entry in entries],
        instruction="(type to find, Enter takes it, Escape leaves)",
        use_jk_keys=False,
        pointer=shown("»"),
        style=style(),
    )
    control = list_of(opened)
    typed = ""

    def draw() -> None:
        rows: list[Any] = [questionary.Separator(f"{typed}…")] if typed else []
        for group, members in grouped(found_by(entries, typed)):
            rows += [questionary.Separator(shown(group))] if group else []
            rows += [questionary.Choice(shown(entry.label), entry.key) for entry in members]
        if not any(map(_can_be_taken, rows)):
            rows.append(questionary.Separator("nothing is called so"))
        control.choices = rows
        control.pointed_at = next((place for place, row in enumerate(rows) if _can_be_taken(row)), 0)

    def write(event: "KeyPressEvent") -> None:
        nonlocal typed
        if event.data.isprintable():
            typed += event.data
            draw()

    def paste(event: "KeyPressEvent") -> None:
        nonlocal typed
        typed += clean(event.data)[:100]
        draw()

    def erase(event: "KeyPressEvent") -> None:
        nonlocal typed
        typed = typed[:-1]
        draw()

    def move(by: int) -> Handler:
        def moved(event: "KeyPressEvent") -> None:
            for _ in control.choices:
                control.pointed_at = (control.pointed_at + by) % len(control.choices)
                if _can_be_taken(control.get_pointed_at()):
                    return

        return moved

    def enter(event: "KeyPressEvent") -> None:
        if _can_be_taken(control.get_pointed_at()):
            leave(event, control.get_pointed_at().value)

    draw()
    bind(opened, {"<any>": write, "backspace": erase, "c-m": enter, "down": move(1), "up": move(-1)})
    bind(opened, {"pagedown": _many(move(1)), "pageup": _many(move(-1))})
    opened.paste = paste  # type: ignore[attr-defined]
    return opened


def _row(text: str) -> str:
    """A row of a list, broken between words where it is too long for the screen."""
    return "\n".join(textwrap.wrap(text, room() - 4, subsequent_indent=" " * 7, break_on_hyphens=False)) or text


def _headed(text: str, instruction: str) -> tuple[str, str]:
    """A question and how to answer it, broken between words where they are too long for the screen."""
    lines = textwrap.wrap(text, room() - 3, subsequent_indent="  ", break_on_hyphens=False) or [text]
    if len(lines[-1]) + len(instruction) + 4 <= room():
        return "\n".join(lines), instruction
    how = textwrap.wrap(instruction, room() - 3, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
    end = " " if instruction.endswith(" ") else ""
    return "\n".join(lines), "\n" + "\n".join(how) + end


def _can_be_taken(row: Any) -> bool:
    return not row.disabled


def _many(handler: Handler, times: int = 10) -> Handler:
    def handled(event: "KeyPressEvent") -> None:
        for _ in range(times):
            handler(event)

    return handled


__all__ = ["Line", "Pasted", "Quick", "choose", "confirm", "fill", "pick", "run", "text"]
