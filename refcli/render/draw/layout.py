"""Which of two ways of laying out a flow chart is taken.

Graphviz lays out what stays legible on one page; a chart too big for that is set in columns, like printed flow charts
of many steps, with short ways drawn and far ones led to by number.
"""

from refcli.render.draw.columns import in_columns
from refcli.render.draw.drawing import Drawing
from refcli.render.draw.graphviz import in_ranks, packed
from refcli.render.graph import Graph

MANY = 16
"""More boxes than this are easier to follow in columns."""
EASY = 0.94
"""The scale on a page below which columns are tried, whose type may be larger."""


def layout(graph: Graph) -> Drawing:
    """Place the boxes and arrows of a graph; one without steps is the map of a book.

    Raises:
        UsageError: there is no Graphviz.
    """
    if not any(box.number for box in graph.boxes):
        return packed(graph)
    found = in_ranks(graph) if len(graph.boxes) <= MANY else None
    if found is not None and found.scale >= EASY:
        return found
    columns = in_columns(graph)
    return columns if found is None or columns.scale > found.scale else found
