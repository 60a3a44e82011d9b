"""Single values changed in a file of YAML, with all else as it was."""

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from refcli.load.rewriting import Change, rewritten

TEXT = """\
# Our men, the best there are
book: made
groups:
  first:   # the first
    - {name: Keller, down: no,   nerve: 4}  # {a: comment}
    - name: "Brown, \\x41l"
      down: 'no'   # he stands

    - {name: 火 👩‍🚒, down: no}
  second: [{name: Kurz}, {down: yes, nerve: 3}]
scores: {ours: {vp: 3}}"""


def at(group: str, number: int, key: str, value: Any) -> Change:
    return Change(("groups", group, number), key, value)


def test_what_is_there_is_replaced_and_what_is_not_is_added() -> None:
    changes = [
        at("first", 0, "down", True),
        at("first", 0, "hit", True),
        at("first", 1, "down", True),
        at("first", 1, "nerve", -2),
        at("first", 2, "down", True),
        at("second", 0, "arm", "bow"),
        at("second", 1, "down", False),
        Change(("scores", "ours"), "vp", 12),
        Change(("scores", "ours"), "kills", 1),
    ]
    assert rewritten(TEXT, changes) == (
        """\
# Our men, the best there are
book: made
groups:
  first:   # the first
    - {name: Keller, down: yes,   nerve: 4, hit: yes}  # {a: comment}
    - name: "Brown, \\x41l"
      down: yes   # he stands
      nerve: -2

    - {name: 火 👩‍🚒, down: yes}
  second: [{name: Kurz, arm: bow}, {down: no, nerve: 3}]
scores: {ours: {vp: 12, kills: 1}}"""
    )


@pytest.mark.parametrize(
    ("text", "change"),
    [
        (TEXT, at("third", 0, "down", True)),
        (TEXT, at("first", 3, "down", True)),
        (TEXT, Change(("groups",), "first", True)),
        ("book: made\ngroups: {a: [{name: X}]", at("a", 0, "down", True)),
        ("groups:\n  a:\n    - name: >\n        Long\n        John\n", at("a", 0, "down", True)),
        ("groups: {a: [{name: [X]}]}", at("a", 0, "down", True)),
    ],
    ids=["no group", "no record", "no value", "torn", "a folded text", "a list"],
)
def test_what_cannot_be_done_is_not_half_done(text: str, change: Change) -> None:
    found = rewritten(text, [change])
    if found is not None:  # then it is right
        assert yaml.safe_load(found)["groups"]["a"][0] == {"name": "Long John\n", "down": True}


NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Cf", "Zl", "Zp")), min_size=1, max_size=12
)
RECORDS = st.lists(
    st.dictionaries(st.sampled_from(["down", "hit", "arm"]), NAMES, min_size=1), min_size=1, max_size=4
)


@given(records=RECORDS, number=st.integers(0, 3), key=st.sampled_from(["down", "new"]), flow=st.booleans())
def test_whatever_stands_there_nothing_else_changes(
    records: list[dict[str, str]], number: int, key: str, flow: bool
) -> None:
    """The oracle is the YAML library itself."""
    text = yaml.safe_dump({"groups": {"a": records}}, allow_unicode=True, default_flow_style=flow or None)
    found = rewritten(text, [at("a", number, key, True)])
    if number >= len(records):
        assert found is None
    elif found is not None:
        wanted = [dict(one) for one in records]
        wanted[number][key] = True  # type: ignore[assignment]
        assert yaml.safe_load(found) == {"groups": {"a": wanted}}
