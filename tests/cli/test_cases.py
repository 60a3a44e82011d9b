import gzip
import json
from pathlib import Path

import pytest

from refcli.cli.cases import FORMATS, read_rows
from refcli.cli.cases_yaml import read_yaml
from refcli.core.errors import ChartError, UsageError
from refcli.drivers.batch.row import Row


@pytest.mark.parametrize(
    "text",
    [
        "- id: a\n  given: {hit: yes, guns: 2}\n\n- {id: b}\n",
        "# the cases\n- id: a\n  given: {hit: yes, guns: 2}\n- {id: b}\n",
        "cases:\n  - id: a\n    given: {hit: yes, guns: 2}\n  - {id: b}\n",
        "---\n- id: a\n  given: {hit: yes, guns: 2}\n- {id: b}\n",
        '[{"id": "a", "given": {"hit": yes, "guns": 2}}, {"id": "b"}]',
    ],
    ids=["list", "comment", "mapping", "start", "flow"],
)
def test_yaml_is_a_list_or_a_mapping_of_cases(text: str) -> None:
    rows = list(read_yaml(text.encode(), "x.yaml"))
    assert [row.raw for row in rows] == [{"id": "a", "given": {"hit": True, "guns": 2}}, {"id": "b"}]
    numbers = [number for number, line in enumerate(text.split("\n"), 1) if "id: a" in line or "id: b" in line]
    assert [row.line for row in rows] == (numbers or [1, 1])


def test_yaml_cases_take_chart_and_seed_from_above() -> None:
    rows = read_yaml(b"chart: demo/volley\nseed: 7\ncases:\n- {id: a}\n- {id: b, seed: 9}\n", "x.yaml")
    assert [row.raw for row in rows] == [
        {"chart": "demo/volley", "seed": 7, "id": "a"},
        {"chart": "demo/volley", "seed": 9, "id": "b"},
    ]


def test_a_fault_in_one_yaml_case_leaves_the_others() -> None:
    rows = list(read_yaml(b"- {id: a, id: b}\n- {id: c}\n", "x.yaml"))
    assert [(row.line, row.error) for row in rows] == [(1, "line 1: 'id' stands twice in one mapping"), (2, "")]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("case:\n- {id: a}\n", "x.yaml: a file of cases has no 'case'; did you mean 'cases'?"),
        ("chart: demo/volley\n", "x.yaml: a file of cases is a list, or a mapping with a list called 'cases'"),
        ("cases: none\n", "x.yaml: a file of cases is a list, or a mapping with a list called 'cases'"),
    ],
)
def test_yaml_without_cases_is_wrong_usage(text: str, error: str) -> None:
    with pytest.raises(UsageError) as raised:
        list(read_yaml(text.encode(), "x.yaml"))
    assert str(raised.value) == error


def test_unreadable_yaml_is_told_with_its_place() -> None:
    with pytest.raises(ChartError, match=r"^x\.yaml:2:"):
        list(read_yaml(b"- id: a\n  given: {x: 1\n", "x.yaml"))


def test_files_are_read_by_their_suffix(tmp_path: Path) -> None:
    for name, text in (("a.yml", "- {id: a}"), ("a.jsonl", '{"id": "a"}'), ("a.txt", '{"id": "a"}')):
        (tmp_path / name).write_text(text)
        assert [row.raw for row in read_rows(str(tmp_path / name), None)] == [{"id": "a"}]
    (tmp_path / "b.txt").write_text("- {id: a}")
    assert [row.raw for row in read_rows(str(tmp_path / "b.txt"), "yaml")] == [{"id": "a"}]


def test_what_cannot_be_opened_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^cannot read '.*none\.jsonl': No such file or directory$"):
        list(read_rows(str(tmp_path / "none.jsonl"), None))
    with pytest.raises(UsageError, match=r"^cannot read '.*': Is a directory$"):
        list(read_rows(str(tmp_path), None))


def test_an_unknown_format_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match=r"^--format: there is no format 'jsn'; did you mean 'jsonl'\?$"):
        list(read_rows("-", "jsn"))


@pytest.mark.parametrize("name", ["a.csv", "a.CSV.gz", "a.tsv"])
def test_tables_are_read_by_their_suffix(tmp_path: Path, name: str) -> None:
    text = b"\n\nid,mover\n\n1,a\n2,b\n"
    (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith("gz") else text)
    assert list(read_rows(str(tmp_path / name), None)) == [
        Row(5, 1, {"id": 1, "given": {"mover": "a"}}),
        Row(6, 2, {"id": 2, "given": {"mover": "b"}}),
    ]


def test_empty_input_has_no_cases(tmp_path: Path) -> None:
    for form in FORMATS:
        for text in ("", "\n", "\n \n"):
            (tmp_path / "a").write_text(text)
            assert list(read_rows(str(tmp_path / "a"), form)) == []


def test_a_long_yaml_file_is_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("- {id: a}\n" * 60_000)
    with pytest.raises(UsageError) as raised:
        list(read_rows(str(tmp_path / "a.yaml"), None))
    much = f"{tmp_path / 'a.yaml'} has more than 512 KB, too much for YAML"
    assert str(raised.value) == f"{much}; write long lists of cases as JSON lines or as a table"


def test_a_header_that_is_no_text_is_wrong_usage(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"id,\xff\n1,2\n")
    with pytest.raises(UsageError) as raised:
        list(read_rows(str(tmp_path / "a.csv"), None))
    assert str(raised.value) == f"{tmp_path / 'a.csv'}: the line of names is not UTF-8 text"


def test_rows_hold_plain_json(tmp_path: Path) -> None:
    data = {"id": "ä", "given": {"hit": True, "men": [{"name": "Abel"}]}, "rolls": {"die": [1, 2]}}
    (tmp_path / "a.jsonl").write_text(json.dumps(data), encoding="utf-8")
    assert list(read_rows(str(tmp_path / "a.jsonl"), None)) == [Row(1, 1, data)]
