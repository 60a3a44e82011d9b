"""Nodes that their shape alone does not show to be wrong: each fault is told once, at its place."""

import pytest

from tests.load.conftest import END, FaultsOf
from tests.load.test_nodes import BOOK, CARDS, STRIKE


@pytest.mark.parametrize(
    ("nodes", "messages"),
    [
        (
            "go: {decide: wet, next: end}",
            [
                "3:3: error C202: node 'go' needs 'yes' and 'no', or 'cases'; say where each answer leads",
                "3:21: error C201: a `decide` node has no key 'next'",
            ],
        ),
        (
            "go: {decide: wet, yes: end, cases: {no: end}}",
            ["3:21: error C203: node 'go' has both cases and yes; write yes among the cases"],
        ),
        (
            "go: {tally: sum, modifiers: [{by: ground, add: 3}], next: end}",
            ["3:45: error C203: `by` goes with a mapping, like by: terrain, add: {open: 1, woods: 2}"],
        ),
        (
            "go: {tally: sum, modifiers: [{add: {open: 3}}], next: end}",
            ["3:33: error C203: `by` goes with a mapping, like by: terrain, add: {open: 1, woods: 2}"],
        ),
        (
            "go: {tally: sum, modifiers: [{by: ground, add: {opn: 3, 1..: 2}}], next: end}",
            [
                "3:51: error C502: 'opn' is no choice of ground; did you mean 'open'?",
                "3:59: error C503: '1..' is no case of a choice of ground",
            ],
        ),
        (
            "go: {tally: sum, modifiers: [{divide: wind}], next: end}",
            ["3:41: error C503: divide by a plain number above "],
        ),
        (
            "go: {roll: d6, dice: 3, as: sum, next: end}",
            [
                "3:18: error C202: node 'go' has 'dice' but no 'count'; a pool has both: dice: how many, count: {name: ",
                "3:27: error C203: a pool has no total to name: name what you count; delete `as`",
            ],
        ),
        (
            "go: {roll: d6, count: {hits: die > 3}, next: end}",
            ["3:18: error C202: node 'go' has 'count' but no 'dice'"],
        ),
        (
            "go: {roll: d6, dice: 3, count: {a: die > 3, go2: die}, next: end}",
            ["3:52: error C503: a yes/no value is n"],
        ),
        (
            "else: {roll: d6, next: end}",
            [
                "3:3: error C205: 'else' cannot be a name: it means something in every expression; name the result with `"
            ],
        ),
        (
            "go: {set: {a: 1}, next: on}\n  on: {set: {b: a, b: 2}, next: end}",
            ["4:20: error C103: 'b' stands twice in"],
        ),
        (
            "go: {table: wind, rows: {..2: 3, 3..: end}, next: end}",
            ["3:3: error C202: node 'go' has numbers in its table and needs 'as'; add `as:`, a name for the number"],
        ),
        (
            "go: {table: wind, rows: {..2: end, 3..: end}, as: sum, next: end}",
            [
                "3:49: error C203: no cell of this table is a number, so its 'as' is never used; delete it",
                "3:58: error C203: no cell of this table is a number, so its 'next' is never used; delete it",
            ],
        ),
        (
            "go: {table: [wind, wet], rows: {..2: end, 3..: end}}",
            ["3:8: error C203: table: [row, column] goes with columns, and columns with it"],
        ),
        (
            "go: {table: [wind, wet, ground], rows: {..: end}}",
            ["3:15: error C203: 'table' needs 1 to 2, this has 3"],
        ),
        (
            "go: {table: wind, rows: {..2: [end, end], 3..: end}}",
            ["3:28: error C203: row '..2' has 2 cells, it needs one, as there are no columns"],
        ),
        (
            "go: {table: [wind, wet], columns: [yes, 3...4], rows: {..: [end, 1.5]}}",
            [
                "3:43: error C204: '3...4' is no range: write one like -3..3, 0.., ..5 or 7",
                "3:68: error C203: '1.5' is neither an integer nor the name of a node or outcome",
            ],
        ),
        ("go: {table: name, rows: {al: end, bo: end}}", ["3:28: error C503: a text has no cases"]),
        (
            "go: {each: crew, run: strike, cases: {struck: end}}",
            ["3:3: error C202: node 'go' needs 'next'; add ", "3:33: error C201: an `each` node has no key 'cases'"],
        ),
        (
            "go: {each: crew, run: strike, when: wat, next: end}",
            ["3:39: error C502: nothing here is called 'wat'; did you "],
        ),
        (
            "go: {each: crew, run: strike, until: los > 0, next: end}",
            ["3:40: error C502: nothing here is called 'los'"],
        ),
        (
            "go: {run: strike, with: {card: fate}, next: end}",
            ["3:34: error C502: nothing here is called 'fate'"],
        ),
        (
            "go: {run: strike, with: {die: 7}, next: end}",
            ["3:33: error C503: 7 is outside 1..6, the range of 'die'"],
        ),
        (
            "go: {run: strike, as: blow, next: on}\n  on: {set: {a: blow.left}, next: end}",
            ["4:17: error C502: Strike does not"],
        ),
        (
            "go: {run: strike, next: end, cases: {struck: end}}",
            ["3:21: error C203: node 'go' has both next and cases"],
        ),
        (
            "go: {draw: cards, as: card, next: on}\n  on: {set: {a: card}, next: end}",
            ["4:17: error C503: only a number, yes"],
        ),
        (
            "go: {decide: wind, cases: {..3: [end], 4..: end}}",
            ["3:35: error C203: '..3' needs the name of a node or out"],
        ),
        (
            "go: {decide: wind, cases: [end]}",
            ["3:29: error C203: 'cases' needs a mapping, each the name of a node or outcome, this is a list"],
        ),
        (
            "go: {run: strike, with: {force: [1]}, next: end}",
            ["3:35: error C203: 'force' needs an expression, this is a li"],
        ),
        (
            "go: {each: wind, run: strike, with: {force: nonsense}, next: end}",
            ["3:14: error C503: 'wind' is a number, not a list; it can be: crew"],
        ),
        (
            "go: {table: [wind, wet], columns: [yes, 3...4], rows: {..: [end, end, end]}}",
            ["3:43: error C204: '3...4' is no range: write one like -3..3, 0.., ..5 or 7"],
        ),
        (
            "go: {table: [wind, wet], columns: [yes, no], rows: {..: end, else: [end, []]}}",
            ["3:76: error C203: a number o"],
        ),
        ("go: {decide: name, cases: {}}", ["3:29: error C203: 'cases' needs an entry, this has none"]),
    ],
)
def test_a_bad_node_is_told_once(nodes: str, messages: list[str], faults_of: FaultsOf) -> None:
    found = faults_of(f"nodes:\n  {nodes}" + END, BOOK, CARDS, strike=STRIKE)
    assert len(found) == len(messages), found
    for told, message in zip(found, messages, strict=True):
        assert told.startswith(message)


def test_a_list_is_handed_on_by_its_name(faults_of: FaultsOf) -> None:
    inner = "facts:\n  gang: {ask: The gang, list: [wet]}\nnodes:\n  go: {each: gang, run: strike, next: end}" + END
    text = "nodes:\n  go: {run: inner, with: {gang: crew}, next: on}\n  on: {run: inner, with: {gang: crew if wet else crew}, next: end}"
    assert faults_of(text + END, BOOK, CARDS, inner=inner, strike=STRIKE) == [
        "4:33: error C503: a list is handed on by its name alone"
    ]


def test_a_fact_may_not_be_called_die_beside_a_pool(faults_of: FaultsOf) -> None:
    text = "facts:\n  die: Does he die?\nnodes:\n  go: {roll: d6, dice: 2, count: {hits: die > 4}, next: end}" + END
    assert faults_of(text) == [
        "5:3: error C205: 'die' means one die in a pool, but there is a fact of that name; rename the fact"
    ]


def test_faults_of_one_part_do_not_hide_those_of_others(faults_of: FaultsOf) -> None:
    text = """
        page: [3]
        facts:
          dry: {ask: Is it dry, defalt: no}
        nodes:
          go: {decide: dri, yes: on, no: off}
          on: {tally: sum, modifiers: [{add: wet}], next: end}
        outcomes:
          end: {title: End, says: It is <sun>.}
        examples:
          - {name: none, outcome: over}
        """
    assert [told.split(";")[0] for told in faults_of(text, BOOK)] == [
        "2:7: error C203: 'page' needs a text, this is a list",
        "4:25: error C201: a fact has no key 'defalt'",
        "6:16: error C502: nothing here is called 'dri'",
        "6:34: error C301: edge 'no' leads to unknown node 'off'",
        "7:38: error C503: a number is needed here, this is a yes/no value",
        "9:34: error C502: nothing here is called 'sun'",
        "11:27: error C301: there is no outcome 'over'",
    ]
