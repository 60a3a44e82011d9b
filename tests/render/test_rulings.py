import csv
import io
import json
from typing import Any

import pytest

from refcli.render.counts import counts_text, summary
from refcli.render.ruling_tables import Csv, Table, csv_columns
from refcli.render.rulings import JsonLines
from tests.helpers import load_chart, load_volley

FOUND: dict[str, Any] = {
    "id": "ä1",
    "chart": "made/chart",
    "outcome": "good",
    "title": "Good",
    "says": 'He says "go", and goes.',
    "effects": ["One.", "Two."],
    "gives": {"score": -3, "wet": True, "none": []},
    "changes": {"place": "wood"},
    "rolls": {"die": 4, "pool": [1, 2]},
    "draws": [{"suit": "b1"}],
    "defaults": ["rating", "wet"],
    "readings": [],
}
ERROR = {"id": 3, "error": "not rolled: 'die'", "line": 9}
COLUMNS = (
    "id", "chart", "outcome", "error", "line", "title", "says", "gives.score", "gives.wet", "gives.none",
    "changes.place", "roll.die", "roll.pool", "draws", "effects", "defaults", "readings", "more",
)  # fmt: skip


def cells(data: bytes) -> dict[str, str]:
    (row,) = csv.reader(io.StringIO(data.decode(), newline=""))
    return {name: cell for name, cell in zip(COLUMNS, row, strict=True) if cell}


@pytest.mark.parametrize("quick", [False, True])
def test_json_is_compact_and_loses_no_sign(quick: bool) -> None:
    writer = JsonLines(quick=quick)
    assert writer.head() == b""
    line = writer.line(FOUND)
    assert line == json.dumps(FOUND, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
    assert JsonLines(ascii_only=True, quick=quick).line({"id": "ä"}) == b'{"id":"\\u00e4"}\n'


@pytest.mark.parametrize(
    "value", ["\ud800", 10**30, -(10**20), '\x00\x1f\x7f\u2028"\\/', {"1": [True, None, 1.5]}], ids=ascii
)
def test_the_fast_writer_writes_the_same(value: Any) -> None:
    slow, fast = (JsonLines(quick=quick).line({"id": 1, "gives": value}) for quick in (False, True))
    assert slow == fast
    assert json.loads(slow) == {"id": 1, "gives": value}


def test_a_row_of_a_table_has_all_of_a_ruling() -> None:
    writer = Csv(COLUMNS)
    assert cells(writer.head()) == dict(zip(COLUMNS, COLUMNS, strict=True))
    assert cells(writer.line(FOUND)) == {
        "id": "ä1",
        "chart": "made/chart",
        "outcome": "good",
        "title": "Good",
        "says": 'He says "go", and goes.',
        "gives.score": "-3",
        "gives.wet": "yes",
        "changes.place": "wood",
        "roll.die": "4",
        "roll.pool": "1 2",
        "draws": '[{"suit":"b1"}]',
        "effects": "One. | Two.",
        "defaults": "rating wet",
    }
    assert cells(writer.line(ERROR)) == {"id": "3", "error": "not rolled: 'die'", "line": "9"}


def test_what_has_no_column_is_kept_together() -> None:
    row = cells(
        Csv(COLUMNS).line(FOUND | {"gives": {"other": 1}, "then": "a/b", "placeholders": ["cards"], "unused": []})
    )
    assert json.loads(row["more"]) == {"gives.other": 1, "then": "a/b", "placeholders": ["cards"]}


def test_a_table_for_another_encoding_writes_what_it_can() -> None:
    assert Csv(COLUMNS, "latin-1").line(FOUND).startswith("ä1,".encode("latin-1"))
    assert Csv(COLUMNS, "ascii").line(FOUND).startswith(b"?1,")


def test_the_columns_are_those_of_the_chart_and_of_what_it_runs(tmp_path: Any) -> None:
    chart = load_volley(tmp_path)
    plain = ("id", "chart", "outcome", "error", "line", "title", "says")
    more = ("effects", "defaults", "readings", "then", "unused", "more")
    charts = [chart, *chart.charts.values()]
    assert csv_columns(charts, trail=False) == (*plain, "roll.fire", "draws", "placeholders", "records", *more)
    assert csv_columns([], trail=False) == plain + more


def test_the_columns_of_one_chart_have_what_each_outcome_gives(tmp_path: Any) -> None:
    chart = load_chart(tmp_path, """
        facts: {wet: 'Is it wet?'}
        nodes: {throw: {roll: d6, as: die, next: look}, look: {decide: die > 3, yes: up, no: down}}
        gives: {die: die}
        outcomes: {up: {title: Up, gives: {high: yes}}, down: {title: Down, changes: {wet: yes}}}
    """)  # fmt: skip
    found = csv_columns([chart], trail=True)
    assert found[7:-7] == ("gives.die", "gives.high", "changes.wet", "roll.die")
    assert found[-2:] == ("trail", "more")


def test_a_line_on_the_screen_is_cut_and_an_error_is_not() -> None:
    table = Table(60)
    assert table.head() == b"CASE          OUTCOME           GIVES             ROLLED\n"
    assert table.line(FOUND).decode() == "ä1            Good              score -3, wet y…  die 4, po…\n"
    long = ERROR | {"error": "a reason that is longer than the screen is wide, by far"}
    assert table.line(long).decode() == f"3             {long['error']} (line 9)\n"
    assert Table(60, "ascii").line(FOUND) == b"?1            Good              score -3, wet y...  die 4, po...\n"


def test_a_line_on_the_screen_cannot_rewrite_it() -> None:
    assert b"\x1b" not in Table(80).line(FOUND | {"id": "\x1b[2J", "title": "a\nb\x07"})
    assert Table(80).line(FOUND | {"title": "a\nb"}).count(b"\n") == 1


COUNTS = {"b/two": {"x": 1}, "a/one": {"far": 1000, "hit": 2000, "miss": 1000}}


def test_the_counts_are_told_by_chart_and_number() -> None:
    assert counts_text(4002, 1, COUNTS) == (
        "4,002 cases: 4,001 rulings, 1 error\n  a/one: hit 2,000, far 1,000, miss 1,000\n  b/two: x 1"
    )
    assert counts_text(0, 0, {}) == "no cases: the input is empty"


def test_the_summary_has_shares() -> None:
    assert summary("table", 4002, 1, COUNTS) == (
        "4,002 cases: 4,001 rulings, 1 error\n"
        "\na/one\n  hit         2,000   50.0 %\n  far         1,000   25.0 %\n  miss        1,000   25.0 %\n"
        "\nb/two\n  x            1  100.0 %\n"
    )
    assert summary("csv", 4002, 1, COUNTS) == (
        "chart,outcome,count\na/one,hit,2000\na/one,far,1000\na/one,miss,1000\nb/two,x,1\n,error,1\n"
    )
    assert json.loads(summary("jsonl", 4002, 1, COUNTS)) == {
        "cases": 4002, "rulings": 4001, "errors": 1, "outcomes": COUNTS,
    }  # fmt: skip
