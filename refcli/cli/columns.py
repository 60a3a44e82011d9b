"""The columns of tables, in and out, as the charts have them."""

from typing import TYPE_CHECKING, Any

from refcli.core.errors import RefcliError, UsageError

if TYPE_CHECKING:
    from refcli.cli.clerk import Terms
    from refcli.cli.referee import Referee
    from refcli.drivers.batch.csv_rows import Header


def check_header(header: "Header", referee: "Referee", file: str) -> None:
    """See that the chart of a table knows all its columns.

    Where the rows name their charts, each row is checked against its own.

    Raises:
        UsageError: the chart does not know one, or none is named.
    """
    from refcli.drivers.names import draw_names, fact_names, roll_names

    if "chart" in header.names:
        return
    if referee.default is None:
        raise UsageError(f"{file}: no chart: name it by --chart, or for each case in a column 'chart'")
    chart = referee.chart(referee.default).chart
    header.check(file, chart.title, fact_names(chart), roll_names(chart), draw_names(chart))


def rejects_head(header: "Header") -> bytes:
    """The line of names that the rejects of a table begin with."""
    from refcli.core.cells import row_of
    from refcli.drivers.batch.csv_rows import mendable_names

    return row_of(mendable_names(header), header.delimiter).encode("utf-8", "surrogateescape")


def columns_of(terms: "Terms", referee: "Referee", first: Any) -> tuple[str, ...]:
    """The columns of a table of rulings: those of the chart for all cases, else of the first one's.

    Args:
        terms: what the rulings depend on.
        referee: rules by them.
        first: the first case as plain data, None where there is none.
    """
    from refcli.core.family import family
    from refcli.render.ruling_tables import csv_columns

    if terms.to != "csv":
        return ()
    name = first.get("chart") if isinstance(first, dict) else None
    try:
        chart = referee.chart(str(name or terms.chart or "")).chart
    except RefcliError:
        return csv_columns([], trail=terms.trail)
    return csv_columns(family([chart]).values(), trail=terms.trail)
