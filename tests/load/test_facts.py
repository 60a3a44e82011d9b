"""Facts: every kind of answer, facts like others, lists, defaults; and what is wrong with them."""

import pytest

from refcli.core.fact import Choice, Kind
from tests.load.conftest import END, ChartOf, FaultsOf

GO = "nodes:\n  go: {do: Go on., next: end}" + END
FACTS = """
facts:
  wet: Is it wet?
  wind: {ask: How windy, number: 0.., default: 2, who: umpire, help: Look., note: A reading., house_rule: true}
  ground:
    ask: Which ground
    decides: player
    choices:
      open: In the open
      wood: {label: In a wood, tem: -2, dark: yes, kind: cover}
  name: {ask: His name, text: yes, default: Nobody}
  group: {ask: The group, noun: man, list: [name, wet]}
  others: {ask: The others, like: group}
  far: {like: ground}
  near: {like: far, ask: Which ground nearby}
"""


def test_every_kind_of_fact(chart_of: ChartOf) -> None:
    facts = chart_of(FACTS + GO).facts
    assert [(fact.name, fact.kind, fact.ask) for fact in facts.values()] == [
        ("wet", Kind.YES_NO, "Is it wet?"),
        ("wind", Kind.NUMBER, "How windy"),
        ("ground", Kind.CHOICE, "Which ground"),
        ("name", Kind.TEXT, "His name"),
        ("group", Kind.LIST, "The group"),
        ("others", Kind.LIST, "The others"),
        ("far", Kind.CHOICE, "Which ground"),
        ("near", Kind.CHOICE, "Which ground nearby"),
    ]
    wind = facts["wind"]
    assert (wind.low, wind.high, wind.who, wind.help, wind.note) == (0, None, "umpire", "Look.", "A reading.")
    assert (wind.house_rule, wind.decides, wind.shared, wind.place.line) == (True, False, False, 4)
    assert facts["ground"].decides
    assert facts["ground"].choices == (
        Choice("open", "In the open", {}),
        Choice("wood", "In a wood", {"tem": -2, "dark": True, "kind": "cover"}),
    )
    assert facts["near"].choices == facts["ground"].choices
    assert [field.name for field in facts["others"].fields] == ["name", "wet"]
    assert facts["others"].noun == "man"
    defaults = {name: fact.default({}) for name, fact in facts.items() if fact.default is not None}
    assert defaults == {"wind": 2, "name": "Nobody"}


LISTS = """
facts:
  wet: Is it wet?
  rank: {ask: Rank, number: 1..3}
  men:
    ask: The men
    noun: man
    size: 1..10
    must:
      - {be: rank > 1 or not wet, says: Recruits stay dry}
      - {be: rank < 3, says: No colonels}
    list: [wet, rank]
  others: {like: men, ask: The others, size: 2..2, must: [{be: wet, says: They are wet}]}
  rest: {like: men}
  any: {ask: Anybody, list: [wet]}
"""


def test_a_list_has_a_size_and_rules_and_so_has_one_like_it(chart_of: ChartOf) -> None:
    facts = chart_of(LISTS + GO).facts
    assert {name: fact.size for name, fact in facts.items() if fact.fields} == {
        "men": (1, 10),
        "others": (2, 2),
        "rest": (1, 10),
        "any": (0, 100),
    }
    assert {name: [(must.be.text, must.says) for must in fact.must] for name, fact in facts.items() if fact.must} == {
        "men": [("rank > 1 or not wet", "Recruits stay dry"), ("rank < 3", "No colonels")],
        "others": [("wet", "They are wet")],
        "rest": [("rank > 1 or not wet", "Recruits stay dry"), ("rank < 3", "No colonels")],
    }
    assert [facts[name].many for name in ("men", "others", "any")] == ["1 to 10", "2", "0 to 100"]


def test_facts_of_the_book_are_shared(chart_of: ChartOf) -> None:
    chart = chart_of("facts:\n  here: {like: wet}\n" + GO, "facts:\n  wet: Is it wet?\n")
    assert chart.book.facts["wet"].shared
    assert not chart.facts["here"].shared


def test_a_fact_may_be_never_asked(chart_of: ChartOf) -> None:
    facts = chart_of("facts:\n  a: {ask: A, asked: no, default: yes}\n  b: {like: a}\n  c: Is it c?\n" + GO).facts
    assert {name: fact.asked for name, fact in facts.items()} == {"a": False, "b": False, "c": True}


def test_an_own_fact_comes_before_that_of_the_book(chart_of: ChartOf) -> None:
    text = "facts:\n  wet: {ask: How wet, number: 0..3}\nnodes:\n  go: {decide: wet > 1, yes: end, no: end}" + END
    chart = chart_of(text, "facts:\n  wet: Is it wet?\n")
    fact = chart.fact("wet")
    assert fact is not None
    assert fact.kind is Kind.NUMBER


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ("wind: {ask: How windy, noun: wind}", "3:26: error C203: only a list has a noun, 'wind' is none"),
        ("wind: {ask: How windy, text: no}", "3:26: error C203: write `text: yes`, or leave it out"),
        (
            "wind: {ask: How windy, choices: {none: None}}",
            "3:35: error C203: 'choices' needs 2 or more entries, this has 1",
        ),
        (
            "wind: {ask: How windy, choices: {none: {tem: 0}, some: Some}}",
            "3:36: error C202: choice 'none' needs 'label'; add `label:`",
        ),
        (
            "wind: {ask: How windy, choices: {none: {label: None, tem: 0}, some: {label: Some, tem: yes}}}",
            "3:90: error C203: 'tem' is yes or no here and a number for 'none'",
        ),
        (
            "wind: {ask: How windy, choices: {none: {label: None, tem: Zero}, some: Some}}",
            "3:61: error C203: 'Zero' is no value for choices: it can be an integer, yes, no or one word",
        ),
        (
            "wind: {ask: How windy, choices: {none: {label: None, tem: [1]}, some: Some}}",
            "3:61: error C203: 'tem' needs a text, this is a list",
        ),
        ("men: {ask: The men, list: []}", "3:29: error C203: 'list' needs 1 or more, this has 0"),
        ("men: {ask: The men, list: [wet, wet]}\n  wet: Wet?", "3:35: error C103: 'wet' stands twice in this list"),
        (
            "men: {ask: The men, list: [wet, men]}\n  wet: Wet?",
            "3:35: error C203: a list cannot hold another list, 'men'",
        ),
        (
            "men: {ask: The men, list: [wet, all]}\n  wet: Wet?\n  all: {like: men}",
            "3:35: error C203: a list cannot hold another list, 'all'",
        ),
        ("wind: {ask: How windy, size: 1..3}", "3:26: error C203: only a list has a size, 'wind' is none"),
        (
            "wind: {ask: How windy, must: [{be: wind > 1, says: No}]}",
            "3:26: error C203: only a list has a must, 'wind' is none",
        ),
        (
            "wet: Wet?\n  dry: {like: wet, noun: man}",
            "4:20: error C203: only a list has a noun, 'dry' is none",
        ),
        (
            "men: {ask: The men, list: [wet], size: 1..}\n  wet: Wet?",
            "3:42: error C204: '1..' needs both ends here, like 1..10",
        ),
        (
            "men: {ask: The men, list: [wet], size: 1..101}\n  wet: Wet?",
            "3:36: error C204: a list has up to 100 records, '1..101' cannot be its size",
        ),
        (
            "men: {ask: The men, list: [wet], size: -1..3}\n  wet: Wet?",
            "3:36: error C204: a list has up to 100 records, '-1..3' cannot be its size",
        ),
        (
            "men: {ask: The men, list: [wet], size: 0..0}\n  wet: Wet?",
            "3:36: error C204: a list has up to 100 records, '0' cannot be its size",
        ),
        (
            "men: {ask: The men, list: [wet], must: []}\n  wet: Wet?",
            "3:42: error C203: 'must' needs 1 or more, this has 0",
        ),
        (
            "men: {ask: The men, list: [wet], must: [{be: wet}]}\n  wet: Wet?",
            "3:43: error C202: a rule needs 'says'; add `says:`, what to tell a player whose answer breaks the rule",
        ),
        (
            "men: {ask: The men, list: [wet], must: [{be: wet, says: No, if: wet}]}\n  wet: Wet?",
            "3:63: error C201: a rule has no key 'if'; it can be: be, says",
        ),
        (
            "men: {ask: The men, list: [wet], must: [{be: not wt, says: No}]}\n  wet: Wet?",
            "3:52: error C502: nothing here is called 'wt'; did you mean 'wet'?",
        ),
        (
            "men: {ask: The men, list: [wet], must: [{be: not dry, says: No}]}\n  wet: Wet?\n  dry: Is it dry?",
            "3:52: error C502: nothing here is called 'dry'; it can be: wet",
        ),
        (
            "men: {ask: The men, list: [rank], must: [{be: rank, says: No}]}\n  rank: {ask: Rank, number: 1..3}",
            "3:49: error C503: a yes/no value is needed here, this is a number",
        ),
        (
            "men: {ask: The men, list: [wet], must: [{be: yes, says: No}]}\n  wet: Wet?",
            "3:48: error C501: a rule of 'men' has to read a field of it",
        ),
        ("wind: {ask: How windy, decides: umpire}", "3:35: error C203: 'umpire' is not one of player"),
        ("wind: {ask: How windy, columns: 1..3}", "3:26: error C201: a fact has no key 'columns'"),
        (
            "wind: {ask: How windy, house_rule: yes}",
            "3:3: error C202: house rule 'wind' needs 'default'; add `default:`, the answer when nobody gives another",
        ),
        (
            "wind: {ask: How windy, asked: no}",
            "3:3: error C202: fact that is never asked, 'wind' needs 'default'; add `default:`, the answer when nobody ",
        ),
        (
            "wind: {ask: How windy, number: 0..3, default: 4}",
            "3:49: error C503: 4 is outside 0..3, the range of 'wind'",
        ),
        (
            "wind: {ask: How windy, number: 0..3, default: yes}",
            "3:49: error C503: a number is needed here, this is a yes/no value",
        ),
        (
            "wind: {ask: How windy, choices: {none: None, some: Some}, default: som}",
            "3:70: error C502: nothing here is called 'som'; did you mean 'some'?",
        ),
        ("wet: {like: wet}", "3:15: error C307: facts that are like each other in a ring: wet -> wet; give one of "),
        (
            "wet: {ask: Wet, default: not wet}",
            "3:28: error C307: this default leads back to itself: wet -> wet; leave ",
        ),
    ],
)
def test_a_bad_fact_is_told_once(facts: str, message: str, faults_of: FaultsOf) -> None:
    text = f"facts:\n  {facts}\n" + GO
    found = faults_of(text.replace("Wet?", "Is it wet"))
    assert len(found) == 1
    assert found[0].startswith(message)


def test_a_broken_fact_is_not_blamed_where_it_is_used(faults_of: FaultsOf) -> None:
    text = """
        facts:
          wind: {ask: How windy, number: many}
          calm: {like: wind}
          sail: {ask: The sails, list: [wind]}
        nodes:
          go: {decide: wind > calm, yes: each, no: end}
          each: {each: sail, run: chart2, when: nonsense, next: end}
        outcomes:
          end: {title: End, says: Wind <wind>., changes: {wind: 3}}
        """
    assert faults_of(text, chart2=GO) == [
        "3:34: error C204: 'many' is no range: write one like -3..3, 0.., ..5 or 7",
    ]


def test_defaults_that_share_an_expression_are_checked_for_rings(faults_of: FaultsOf) -> None:
    text = "facts:\n  a: {ask: A, default: b}\n  b: {like: a}\n" + GO
    assert faults_of(text) == [
        "3:24: error C307: this default leads back to itself: b -> b; leave one of them out",
    ]
