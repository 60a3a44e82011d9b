"""Rulings for programs and notebooks: cases in, an iterator of rulings out."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from refcli.core.errors import UsageError
from refcli.drivers.batch.row import MAX_DEPTH, Row, depth_of

if TYPE_CHECKING:
    from refcli.cli.referee import Referee
    from refcli.core.chart import Chart


def adjudicate(
    chart: "str | Chart",
    cases: Iterable[Mapping[str, Any]],
    *,
    seed: int | None = None,
    trail: bool = False,
    house_rules: bool = False,
) -> Iterator[dict[str, Any]]:
    """Rule on cases, one after the other, as they are asked for.

    Args:
        chart: the chart, or its id such as `battlefront/bog-down`; a case may name another one.
        cases: mappings with `given` (answers by name) and perhaps `id`, `rolls`, `draws`, `seed` and `expect`, as in
            a batch; or a frame of pandas or polars with a column for each fact, `roll.NAME` and `draw.NAME`; an
            index called `id` is the column `id`.
        seed: rolls and draws what cases leave open, for each case by its id or else its number.
        trail: add every step to the rulings.
        house_rules: cases answer the house rules of charts that are run, too.

    Returns:
        For each case, in order, its ruling as a dict, as a batch writes it; or its `id` with an `error`, in words,
        where it has none. One bad case never stops the rest.

    Raises:
        UsageError: there is no such chart, `cases` are none, or a frame has a column that the chart does not know.
        ChartError: the chart has faults.
    """
    from refcli.cli.common import library
    from refcli.cli.referee import Referee
    from refcli.drivers.frames import cases_of, is_frame, is_lazy

    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
        raise UsageError(f"a seed is a whole number, not {seed!r}")
    named = chart if isinstance(chart, str) else None
    referee = Referee(library(), named, seed, trail=trail, house_rules=house_rules)
    if not isinstance(chart, str):
        referee.take(chart)
    if is_lazy(cases):
        raise UsageError("this frame is still to be worked out: hand over frame.collect()")
    if is_frame(cases):
        frame = _with_ids(cases)
        _check(referee, frame)
        return _rulings(referee, cases_of(frame))
    if isinstance(cases, str | bytes | Mapping) or not isinstance(cases, Iterable):
        raise UsageError(f"cases are a list of mappings, or a frame, not {_brief(cases)}")
    return _rulings(referee, cases)


def _rulings(referee: "Referee", cases: Iterable[Any]) -> Iterator[dict[str, Any]]:
    from refcli.drivers.frames import plain

    for number, case in enumerate(cases, 1):
        raw = dict(case) if isinstance(case, Mapping) else case
        found = referee.line(Row(number, number, raw))
        if (
            "error" in found and isinstance(raw, dict) and depth_of(raw) <= MAX_DEPTH
        ):  # perhaps for nothing but numbers that are not Python's own
            found = referee.line(Row(number, number, {key: plain(value) for key, value in raw.items()}))
        found.pop("line", None)
        yield found


def _with_ids(frame: Any) -> Any:
    """The frame with its ids in a column, where they are what its rows are called by, as pandas may have it."""
    return frame.reset_index() if getattr(getattr(frame, "index", None), "name", None) == "id" else frame


def _check(referee: "Referee", frame: Any) -> None:
    """See that the chart knows all columns of a frame."""
    from refcli.drivers.batch.csv_rows import Header
    from refcli.drivers.frames import names_of
    from refcli.drivers.names import draw_names

    names = names_of(frame)
    if referee.default is None or "chart" in names:
        return
    known = referee.chart(referee.default)
    Header(names).check("the frame", known.chart.title, known.facts, known.rolls, draw_names(known.chart))


def _brief(value: object) -> str:
    return f"the text {value[:40]!r}" if isinstance(value, str | bytes) else type(value).__name__
