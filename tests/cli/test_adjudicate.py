"""Rulings for programs and notebooks. Frames are small stand-ins here: refcli knows them by what they can do."""

import itertools
import json
import math
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import refcli
from tests.cli.conftest import CHARTS, Run

CASE: dict[str, Any] = {"given": {"crossing": "tracked", "bogged": False}, "rolls": {"die": 4}}
RULING = {
    "id": 1,
    "chart": "demo/crossing",
    "outcome": "through",
    "title": "Gets through",
    "says": "The unit goes on with a score of 6.",
    "effects": [],
    "gives": {"score": 6},
    "changes": {},
    "rolls": {"die": 4},
    "draws": [],
    "defaults": ["rating", "weather"],
    "readings": [],
}


@pytest.fixture(autouse=True)
def _demo(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("REFCLI_CHARTS", str(CHARTS))
    monkeypatch.setattr("refcli.cli.common.shipped", lambda: tmp_path / "none")


class Number:
    """A number or array of numpy, as far as it matters."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def tolist(self) -> Any:
        return self.value


class Missing:
    """What pandas puts where nothing is: it cannot even be compared."""

    def __eq__(self, other: object) -> Any:
        return self

    __ne__ = __eq__
    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise TypeError("boolean value of NA is ambiguous")


class Pandas:
    """A frame that hands out its rows as pandas does."""

    def __init__(self, **columns: list[Any]) -> None:
        self._data = columns

    @property
    def columns(self) -> list[str]:
        return list(self._data)

    def itertuples(self, *, index: bool, name: str | None) -> Iterator[tuple[Any, ...]]:
        assert (index, name) == (False, None)
        return zip(*self._data.values(), strict=True)


class Named(Pandas):
    """A frame of pandas whose rows are called by what was its first column."""

    index = type("Index", (), {"name": "id"})

    @property
    def columns(self) -> list[str]:
        return list(self._data)[1:]

    def itertuples(self, *, index: bool, name: str | None) -> Iterator[tuple[Any, ...]]:
        return (row[1:] for row in super().itertuples(index=index, name=name))

    def reset_index(self) -> Pandas:
        return Pandas(**self._data)


class Polars:
    """A frame that hands out its rows as polars does."""

    def __init__(self, **columns: list[Any]) -> None:
        self._data = columns

    @property
    def columns(self) -> list[str]:
        return list(self._data)

    def iter_rows(self) -> Iterator[tuple[Any, ...]]:
        return zip(*self._data.values(), strict=True)


class Lazy:
    """A frame of polars that is still to be worked out."""

    def collect_schema(self) -> None: ...


def test_rulings_come_one_by_one_as_they_are_asked_for() -> None:
    taken = itertools.count()
    rulings = refcli.adjudicate("crossing", ({**CASE, "id": f"no {next(taken)}"} for _ in itertools.count()))
    assert [next(rulings)["id"] for _ in range(5)] == ["no 0", "no 1", "no 2", "no 3", "no 4"]
    assert next(taken) == 5


def test_they_are_those_of_a_batch(run: Run) -> None:
    crossing = {"crossing": "wheeled", "bogged": "no"}
    cases: list[Any] = [
        CASE,
        {"given": {**crossing, "weather": "mud"}},
        {"id": "x", "given": crossing, "seed": 4},
        {"id": "y", "given": {"crossing": "tank"}},
        {"chart": "volley", "given": {"range": "far"}},
        {"given": crossing, "rolls": {"die": 3}, "expect": "through"},
        "nothing",
        {"id": 7, "given": {}, "rols": {}},
    ] * 3
    for options in ({}, {"seed": 7}, {"seed": 7, "trail": True, "house_rules": True}):
        found = list(refcli.adjudicate("crossing", cases, **options))  # type: ignore[arg-type]
        flags = ["--trail", "--house-rules"] if "trail" in options else []
        flags += ["--seed", "7"] if options else []
        batch = run("batch", "-", "--chart", "crossing", *flags, stdin="\n".join(map(json.dumps, cases))).out
        told = [json.loads(line) for line in batch.splitlines()]
        assert found == [{key: value for key, value in line.items() if key != "line"} for line in told]
    assert found[0]["outcome"] == "through"
    assert found[3]["error"] == "crossing: 'tank' is not a choice; it can be: tracked, wheeled"


def test_a_loaded_chart_will_do() -> None:
    chart = refcli.load("crossing")
    assert list(refcli.adjudicate(chart, [CASE, CASE])) == [RULING, {**RULING, "id": 2}]


COLUMNS: dict[str, list[Any]] = {
    "id": ["a", "b", "c", "d", "e", "f"],
    "crossing": ["tracked", "wheeled", None, " wheeled ", "tracked", "tracked"],
    "bogged": [Number(False), "yes", False, math.nan, True, False],
    "rating": [0.0, math.nan, None, Missing(), Decimal(2), -1.5],
    "roll.die": [Number(4), 3.0, 3, "5", "2 3", Number([4])],
    "line": [1, 2, 3, 4, 5, 6],
}
ROWS: list[dict[str, Any]] = [
    {"id": "a", "given": {"crossing": "tracked", "bogged": False, "rating": 0}, "rolls": {"die": 4}},
    {"id": "b", "given": {"crossing": "wheeled", "bogged": "yes"}, "rolls": {"die": 3}},
    {"id": "c", "given": {"bogged": False}, "rolls": {"die": 3}},
    {"id": "d", "given": {"crossing": "wheeled"}, "rolls": {"die": 5}},
    {"id": "e", "given": {"crossing": "tracked", "bogged": True, "rating": 2}, "rolls": {"die": ["2", "3"]}},
    {"id": "f", "given": {"crossing": "tracked", "bogged": False, "rating": -1.5}, "rolls": {"die": [4]}},
]


@pytest.mark.parametrize("frame", [Pandas, Polars])
def test_a_frame_has_a_column_for_each_fact_and_throw(frame: Any) -> None:
    wanted = list(refcli.adjudicate("crossing", ROWS))
    assert [ruling.get("outcome", "none") for ruling in wanted] == [
        "through",
        "stuck",
        "none",
        "none",
        "stuck",
        "none",
    ]
    assert list(refcli.adjudicate("crossing", frame(**COLUMNS))) == wanted
    assert json.dumps(wanted)


@pytest.mark.parametrize("frame", [Pandas, Polars])
def test_a_frame_may_hold_records_and_cards(frame: Any) -> None:
    men = [{"name": "Abel", "morale": 3.0, "hit": None}, {"name": "Bert", "morale": Number(5)}]
    told = [{"name": "Abel", "morale": 3}, {"name": "Bert", "morale": 5}]
    case = {
        "given": {"range": "near", "guns": 2, "men": told},
        "rolls": {"shots": [1, 5]},
        "draws": ["red", "black"],
        "seed": 3,
    }
    (wanted,) = refcli.adjudicate("volley", [case])
    assert wanted["gives"] == {"down": 1}
    for cell, cards in ((men, Number(["red", "black"])), (json.dumps(told), '["red", "black"]')):
        table = frame(range=["near"], guns=[2.0], men=[cell], draws=[cards], seed=[3], **{"roll.shots": ["1 5"]})
        assert list(refcli.adjudicate("volley", table)) == [wanted]


def test_ids_may_be_the_index_of_a_frame() -> None:
    cases = {"id": ["a", "b"], "crossing": ["tracked"] * 2, "bogged": [False] * 2}
    rulings = list(refcli.adjudicate("crossing", Named(**cases), seed=7))  # type: ignore[arg-type]
    assert [ruling["id"] for ruling in rulings] == ["a", "b"]
    assert rulings == list(refcli.adjudicate("crossing", Pandas(**cases), seed=7))  # type: ignore[arg-type]


def test_a_column_that_the_chart_does_not_know_stops_before_the_first_case() -> None:
    with pytest.raises(refcli.RefcliError) as told:
        refcli.adjudicate("crossing", Pandas(crosing=["tracked"]))  # type: ignore[arg-type]
    assert str(told.value) == "the frame: Crossing bad ground has no column 'crosing'; did you mean 'crossing'?"
    mixed = Polars(chart=["crossing", "volley"], crossing=["tracked", None], range=[None, "far"], bogged=["no", None])
    first, second = refcli.adjudicate("crossing", mixed, seed=1)  # type: ignore[arg-type]
    assert (first["chart"], second["outcome"]) == ("demo/crossing", "out_of_range")


def test_numbers_of_numpy_are_numbers_in_cases_too() -> None:
    case = {"id": Number(1), "given": {"crossing": "tracked", "bogged": Number(False)}, "rolls": {"die": Number(4)}}
    assert list(refcli.adjudicate("crossing", [case])) == [RULING]
    bad = {"id": Number(3), "given": {"crossing": "tracked", "bogged": Number(8)}, "rolls": {"die": 4}}
    assert list(refcli.adjudicate("crossing", [bad])) == [{"id": 3, "error": "bogged: answer yes or no, not 8"}]


@pytest.mark.parametrize(
    ("cases", "error"),
    [
        (CASE, "cases are a list of mappings, or a frame, not dict"),
        ("cases.jsonl", "cases are a list of mappings, or a frame, not the text 'cases.jsonl'"),
        (3, "cases are a list of mappings, or a frame, not int"),
        (None, "cases are a list of mappings, or a frame, not NoneType"),
        (Lazy(), "this frame is still to be worked out: hand over frame.collect()"),
    ],
    ids=["a case", "a name", "a number", "nothing", "a lazy frame"],
)
def test_what_is_no_list_of_cases_is_told_at_once(cases: Any, error: str) -> None:
    with pytest.raises(refcli.RefcliError) as told:
        refcli.adjudicate("crossing", cases)
    assert str(told.value) == error


def test_a_wrong_chart_or_seed_is_told_at_once() -> None:
    with pytest.raises(refcli.RefcliError, match="there is no chart 'crosing'; did you mean 'crossing'"):
        refcli.adjudicate("crosing", [])
    with pytest.raises(refcli.RefcliError, match="a seed is a whole number, not '7'"):
        refcli.adjudicate("crossing", [], seed="7")  # type: ignore[arg-type]


def test_no_frame_s_library_is_imported() -> None:
    code = (
        "import sys, refcli\n"
        "print(len(list(refcli.adjudicate('battlefront/bog-down', [{}]))),"
        " [m for m in ('pandas', 'polars', 'numpy', 'typer', 'rich', 'decimal') if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "1 []\n"
