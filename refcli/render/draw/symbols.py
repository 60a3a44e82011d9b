"""The boxes of a flow chart, sized for their text: how wide words are, where lines break, how big a symbol must be.

All lengths are points at the size of the drawing. Widths are those of Helvetica and its kin (Arial, Liberation Sans).
"""

import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from refcli.core.struct import Struct
from refcli.render.graph import Box, Shape

TITLE, SMALL = 9.0, 7.6
"""The sizes of type: what a box says, and what stands below it or beside an arrow."""
LEAD = 1.2
"""The distance of lines, in sizes of type."""
PAD = 6.0
"""Room between a box's edge and its text."""
SIDE = 15.0
"""Room at the side of a box for its number and its sign."""
_ASCII = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556,
    556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
    500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469,
    556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
    278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)  # fmt: skip
_SAFE = 1.04  # other fonts that take Helvetica's place are a little wider


class Text(Struct):
    """A line of text: its middle and baseline, from the middle of its symbol."""

    text: str
    x: float
    y: float
    size: float
    bold: bool = False


class Tag(Struct):
    """The tag of a jump, below its box: the chart it leads to, its width, top and height, and its lines."""

    chart: str
    width: float
    top: float
    height: float
    texts: tuple[Text, ...]


class Symbol(Struct):
    """A box with its size and its lines of text, placed around its middle.

    Attributes:
        box: what it stands for.
        width: of the whole, tags and all.
        height: of the whole.
        body: the height of the box itself, above its tags.
        texts: its lines.
        tags: one for each jump.
    """

    box: Box
    width: float
    height: float
    body: float
    texts: tuple[Text, ...]
    tags: tuple[Tag, ...] = ()

    @property
    def waist(self) -> float:
        """The middle of the box itself, from that of the whole."""
        return (self.body - self.height) / 2


@cache
def _wide(sign: str) -> int:
    """The width of a sign in thousandths of its size."""
    code = ord(sign)
    if 32 <= code < 127:
        return _ASCII[code - 32]
    if unicodedata.combining(sign):
        return 0
    if unicodedata.east_asian_width(sign) in "WF" or code > 0xFFFF:
        return 1100
    plain = unicodedata.normalize("NFD", sign)[0]
    return _wide(plain) if plain != sign else 667


@lru_cache(1 << 15)
def width(text: str, size: float, *, bold: bool = False) -> float:
    """How wide a text is when set at a size."""
    return sum(map(_wide, text)) * size * _SAFE * (1.07 if bold else 1) / 1000


def fit(text: str, room: float, size: float, *, bold: bool = False) -> list[str]:
    """The text in lines no wider than the room; a word too long for a line is cut into pieces."""
    lines: list[str] = []
    line = ""
    words = text.split()[::-1]
    while words:
        word = words.pop()
        longer = f"{line} {word}" if line else word
        if width(longer, size, bold=bold) <= room:
            line = longer
        elif line:
            lines.append(line)
            line = ""
            words.append(word)
        else:
            at = next((at for at in range(len(word), 1, -1) if width(word[:at], size, bold=bold) <= room), 1)
            lines.append(word[:at])
            if word[at:]:
                words.append(word[at:])
    return [*lines, line] if line else lines


@lru_cache(1 << 13)
def balanced(text: str, room: float, size: float, *, bold: bool = False) -> tuple[str, ...]:
    """The text in as few lines as fit the room, of lengths as even as can be."""
    lines = fit(text, room, size, bold=bold)
    low, high = min(room, max((width(word, size, bold=bold) for word in text.split()), default=0.0) - 1), room
    while len(lines) > 1 and high - low > 2:
        middle = (low + high) / 2
        if len(fit(text, middle, size, bold=bold)) > len(lines):
            low = middle
        else:
            high = middle
    return tuple(fit(text, high, size, bold=bold) if len(lines) > 1 else lines)


@lru_cache(1 << 12)
def symbol(box: Box, room: float = 118, *, brief: bool = False) -> Symbol:
    """The symbol of a box, big enough for what it says.

    Args:
        box: what it is for.
        room: how wide its text may be.
        brief: only its title; for an end that is drawn in full elsewhere.
    """
    if box.shape is Shape.QUESTION:
        return _diamond(box, room)
    made = _box(box, room, () if brief else box.lines)
    return made if brief or not box.jumps else _tagged(made, room)


def _title(box: Box) -> str:
    """A box's title, with the mark of its footnote."""
    return f"{box.title} [{box.mark}]" if box.mark else box.title


def _stack(blocks: Iterable[tuple[Sequence[str], float, bool]]) -> tuple[list[Text], float, float]:
    """Lines below each other around a middle; with the width and height they take."""
    blocks = list(blocks)
    high = sum(len(lines) * size * LEAD for lines, size, _ in blocks)
    wide = max((width(line, size, bold=bold) for lines, size, bold in blocks for line in lines), default=0.0)
    texts = []
    y = -high / 2
    for lines, size, bold in blocks:
        for line in lines:
            texts.append(Text(line, 0.0, y + size * 0.93, size, bold))
            y += size * LEAD
    return texts, wide, high


def _box(box: Box, room: float, says: Sequence[str]) -> Symbol:
    bold = box.shape is Shape.END
    blocks = [(balanced(_title(box), room, TITLE, bold=bold), TITLE, bold)]
    blocks += [(balanced(line, room, SMALL), SMALL, False) for line in says]
    texts, wide, high = _stack(blocks)
    high += 1.4 * PAD
    return Symbol(box, wide + 2 * SIDE, high, high, tuple(texts))


def _diamond(box: Box, room: float) -> Symbol:
    """A diamond whose lines are the longer the nearer they are to its middle; the smallest that needs no cut word."""
    lead = TITLE * LEAD
    words = _title(box).split()
    if box.mark and len(words) > 1:
        words[-2:] = [" ".join(words[-2:])]  # the mark stays with the word before it
    least = width(" ".join(words), TITLE) * 0.9  # without the spaces at the ends of lines
    found: list[tuple[float, float, float, list[str]]] = []
    for share in (0.8, 0.95, 1.1, 1.25, 1.4, 1.6, 1.8):
        if share > 1.4 and found:
            break  # wider ones are for long questions only
        wide = room * share
        for count in range(1, 8):
            high = max(2.4 * lead, (count + 1.2) * lead)
            rooms = [_inside(at, count, wide, high, lead) for at in range(count)]
            lines = _poured(words, rooms) if sum(rooms) >= least else None
            if lines is not None:
                found.append(((wide + 60) * (high + 20), wide, high, lines))
                break
    if found:
        _, wide, high, lines = min(found)
        return Symbol(box, wide, high, high, tuple(_stack([(lines, TITLE, False)])[0]))
    texts, wide, high = _stack([(balanced(_title(box), room, TITLE), TITLE, False)])
    return Symbol(box, wide * 1.7, high * 2.4, high * 2.4, tuple(texts))


def _inside(at: int, count: int, wide: float, high: float, lead: float) -> float:
    """The room for a line of so many in a diamond."""
    top = (at - count / 2) * lead
    return (1 - 2 * max(abs(top + 0.15 * lead), abs(top + 0.85 * lead)) / high) * wide - 4


def _poured(words: Sequence[str], rooms: Sequence[float]) -> list[str] | None:
    """The words in exactly these lines, each as full as the others; None where they do not fit."""
    found: dict[int, tuple[float, tuple[str, ...]]] = {0: (0.0, ())}  # by words used: the cost, and the lines
    for room in rooms:
        longer: dict[int, tuple[float, tuple[str, ...]]] = {}
        for used, (cost, lines) in found.items():
            for end in range(used + 1, len(words) + 1):
                line = " ".join(words[used:end])
                full = width(line, TITLE) / max(room, 1.0)
                if full > 1:
                    break
                longer[end] = min(longer.get(end, (9e9, ())), (cost + full * full, (*lines, line)))
        found = longer
    return list(found[len(words)][1]) if len(words) in found else None


def _tagged(made: Symbol, room: float) -> Symbol:
    """The symbol with a tag below it for each jump: where it leads, and the page."""
    tags = []
    for chart, title, page in made.box.jumps:
        where = f"p. {page}" if page[:1].isdigit() else page
        if not where and chart == made.box.id:
            continue  # on a map, where it is told already
        said = [title, where] if title != made.box.title else [where or title]
        tags.append((chart, balanced(" · ".join(dict.fromkeys(filter(None, said))), room, SMALL)))
    wide = max([made.width, *(width(line, SMALL) + 18 for _, lines in tags for line in lines)])
    high = made.body + sum(_tag_height(lines) for _, lines in tags)
    top = made.body - high / 2
    placed = []
    for chart, lines in tags:
        texts = [Text(line, -2.0, top + 2 + SMALL * (0.93 + at * LEAD), SMALL) for at, line in enumerate(lines)]
        placed.append(Tag(chart, wide, top, _tag_height(lines), tuple(texts)))
        top += _tag_height(lines)
    up = (high - made.body) / 2
    texts = [Text(text.text, text.x, text.y - up, text.size, text.bold) for text in made.texts]
    return Symbol(made.box, wide, high, made.body, tuple(texts), tuple(placed))


def _tag_height(lines: Sequence[str]) -> float:
    return len(lines) * SMALL * LEAD + 4
