import json
from collections.abc import Callable

from refcli.core.chart import Chart
from refcli.render.outline import outline


def test_an_outline_is_json_and_leaves_out_what_says_nothing(chart: Callable[[str], Chart]) -> None:
    data = outline(chart("crossing"))
    assert json.loads(json.dumps(data)) == data
    assert list(data) == ["id", "title", "page", "summary", "book", "facts", "steps", "outcomes", "examples"]
    assert data["facts"][1] == {
        "name": "rating",
        "ask": "Rating on the card",
        "kind": "number",
        "answers": "−3 to 3",
        "low": -3,
        "high": 3,
        "default": "0",
    }
    assert data["steps"][3] == {
        "number": 4,
        "id": "stuck_fast",
        "kind": "decide",
        "title": "Is the strict rule played?",
        "says": ["strict"],
        "edges": [
            {"on": "yes", "words": "yes", "to": "lost", "goes": "Lost"},
            {"on": "no", "words": "no", "to": "stuck", "goes": "Bogged down"},
        ],
    }
    assert data["outcomes"][2] == {
        "id": "lost",
        "title": "Lost",
        "tone": "bad",
        "says": "The unit is gone.",
        "page": "5",
    }


def test_a_number_zero_is_not_left_out(chart: Callable[[str], Chart]) -> None:
    facts = {fact["name"]: fact for fact in outline(chart("volley"))["facts"]}
    assert facts["guns"]["low"] == 1
    (step,) = [step for step in outline(chart("volley"))["steps"] if step["id"] == "luck"]
    assert step["table"] == {
        "row": "range",
        "rows": [{"on": "Near", "cells": ["2"]}, {"on": "Far", "cells": ["Out of range"]}],
        "ways": {"out_of_range": "Out of range"},
    }


def test_charts_that_are_run_are_named(chart: Callable[[str], Chart]) -> None:
    assert outline(chart("volley"))["runs"] == ["demo/man-hit"]
