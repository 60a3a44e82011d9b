from collections.abc import Callable

import pytest

from refcli.core.problem import Code

Told = Callable[..., list[str]]

END = "outcomes: {end: {title: End}}\n"


def test_fact_that_nothing_reads_is_told(told: Told) -> None:
    text = "facts:\n  wet: Is it wet?\n  cold: Is it cold?\nnodes: {say: {do: Shiver., next: test}, "
    text += "test: {decide: cold, yes: end, no: end}}\n" + END
    assert told(text, Code.UNUSED) == [
        "made/chart.yaml:4:3: warning C602: nothing reads the fact 'wet'; read it, or delete it"
    ]


@pytest.mark.parametrize(
    "more",
    [
        "nodes: {say: {do: It is <size>., next: end}}",
        "nodes: {say: {do: Walk., next: end}}\ngives: {size: size}",
        "nodes: {say: {do: Walk., next: end}}\nchanges: {size: 2}",
        "nodes: {throw: {roll: d6, dice: size, count: {hits: die > 3}, cases: {0: end, 1..: end}}}",
    ],
    ids=["in a text", "in what it gives", "by a change", "as a pool"],
)
def test_fact_is_read_wherever_it_stands(told: Told, more: str) -> None:
    assert told(f"facts:\n  size: {{ask: Size, number: 0..9}}\n{more}\n{END}", Code.UNUSED) == []


def test_fact_is_read_by_the_default_of_another(told: Told) -> None:
    text = "facts:\n  size: {ask: Size, number: 0..9}\n  width: {ask: Width, number: 0..9, default: size}\n"
    assert told(text + "nodes: {say: {do: It is <width>., next: end}}\n" + END, Code.UNUSED) == []


def test_field_of_a_list_that_nothing_reads_is_told(told: Told) -> None:
    book = (
        "facts:\n  name: {ask: Name, text: true}\n  down: Is he down?\n  brave: Is he brave?\n  tall: Is he tall?\n"
    )
    other = "nodes: {test: {decide: brave, yes: end, no: end}}\n" + END
    text = "facts:\n  men: {ask: The men, noun: man, list: [name, down, brave, tall]}\n"
    text += "nodes: {all: {each: men, when: not down, run: other, next: end}}\n" + END
    assert told(text, Code.UNUSED, book=book, other=other) == [
        "made/chart.yaml:4:3: warning C602: nothing reads 'tall' of a man; read it, or take it off the list"
    ]


def test_made_name_that_nothing_reads_is_told(told: Told) -> None:
    text = """\
nodes:
  throw: {roll: d6, as: die, next: more}
  more: {set: {one: die + 1, two: one + 1}, next: sum}
  sum: {tally: total, start: die, next: end}
"""
    assert told(text + END, Code.UNUSED) == [
        "made/chart.yaml:5:3: warning C602: nothing behind 'more' reads 'two'; read it, or do not make it",
        "made/chart.yaml:6:3: warning C602: nothing behind 'sum' reads 'total'; read it, or do not make it",
    ]


def test_throw_and_total_that_choose_the_way_are_read(told: Told) -> None:
    text = """\
nodes:
  throw: {roll: d6, cases: {1..3: sum, 4..: pool}}
  sum: {tally: total, start: 3, cases: {3: end}}
  pool: {roll: d6, dice: 2, count: {hits: die > 3}, cases: {0: end, 1..: end}}
"""
    assert told(text + END, Code.UNUSED) == []


def test_chart_without_examples_is_told(told: Told) -> None:
    assert told("nodes: {say: {do: Walk., next: end}}\n" + END, Code.NO_EXAMPLES) == [
        "made/chart.yaml: warning C604: no example shows that this chart is right; add `examples:`"
    ]
