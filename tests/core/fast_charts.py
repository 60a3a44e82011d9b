"""Hypothesis strategies for the fast path: charts with all that can stand in one, and cases that fit them or do not."""

from typing import Any

from hypothesis import strategies as st

BOOK = """
title: Made up
source: Nowhere
decks: {cards: cards.yaml}
facts:
  windy: {ask: 'Is it windy?', note: 'Reading: wind.'}
  force: {ask: Force, number: 0..6, default: 2, note: 'Likely: force.'}
  odd: {ask: Odd rule, choices: {kept: Kept, dropped: Dropped}, default: kept, house_rule: true, note: 'Reading: odd.'}
  reach: {ask: Reach, number: 0..9, default: force + 1}
  ground: {ask: Ground, choices: {open: {label: Open, tem: 0, soft: no}, wood: {label: Wood, tem: -2, soft: yes}}}
  squad: {ask: The squad, noun: man, list: [name, pinned, morale, nerve, gone], note: 'Reading: a squad.'}
  name: {ask: Name, text: yes}
  pinned: {ask: 'Is he pinned?', note: 'Reading: pinned.'}
  morale: {ask: Morale, number: 1..6}
  nerve: {ask: Nerve, number: 0..12, default: force + 1, note: 'Likely: nerve.'}
  gone: {ask: 'Is he gone?', default: no}
"""
CARDS = """
title: Cards
fields:
  suit: {ask: Suit, choices: {red: {label: Red, worth: 2}, black: {label: Black, worth: 1}}, note: 'Reading: suits.'}
  wild: 'Is it wild?'
  spot: {ask: 'Spot in column <column>', number: 1..3, columns: 1..4}
"""
HELPER = """
title: Helper
page: 9
summary: Made up.
facts:
  level: {ask: Level, number: ..}
  calm: {ask: 'Is he calm?', default: yes, note: 'Reading: calm.'}
  twist: {ask: Twist, choices: {plain: Plain, bent: Bent}, default: plain, house_rule: true}
  guess: {ask: Guess, number: 0..9, default: 7 if calm else 1}
  pace: {ask: Pace, number: 0..3, note: 'Reading: pace.'}
  load: {ask: Load, number: 0..5, default: 2}
  limit: {ask: Limit, number: 0..9, default: pace + load}
  spare: {ask: Spare, number: 0..9, default: load - pace}
  total_load: {ask: Total load, number: 0..20, default: limit + load}
nodes:
  throw: {label: 'Throw at <level>', roll: d6, as: thrown, next: test}
  test:
    tally: score
    start: thrown
    modifiers:
      - {add: level, label: Level <level>}
      - {when: twist is bent, add: 9}
      - {when: windy, add: -1, note: 'Reading: windy.'}
      - {add: guess, when: level > 3}
    cases: {..-2: heavy, -1..3: low, 4..6: middle, 7: slow, 8..: high}
  heavy: {decide: total_load > 6, yes: low, no: both}
  both: {tally: worn, modifiers: [{add: limit}, {add: -spare}], cases: {..3: low, 4..: middle}}
  slow: {decide: limit > 4 and spare > 1, yes: high, no: middle}
gives: {score: score, hard: score > 5}
outcomes:
  high: {title: High, says: 'It is <score>, windy <windy>.', effects: ['Cheer <level>.'], changes: {windy: yes}}
  middle: {title: Middle, note: 'Reading: the middle.', changes: {force: 'min(force + 1, 6)'}, then: [{when: calm, chart: helper}, {chart: other}]}
  low: {title: Low, says: Low., effects: [{when: calm, do: Sigh.}]}
"""
OTHER = """
title: Other
summary: Made up.
facts:
  brave: {ask: 'Is he brave?', default: pinned}
nodes:
  hit: {decide: brave or morale > 3, yes: sum, no: look}
  look: {draw: cards, as: card, next: suit}
  suit: {decide: card.suit is red or card.spot(morale) > 2, yes: sum, no: out}
  sum:
    tally: left
    start: nerve
    modifiers: [{by: morale, add: {..2: -1, 3: +2, else: force}}, {add: morale, when: not gone}]
    next: still
  still: {decide: left > 4, yes: stays, no: out}
gives: {strength: morale}
outcomes:
  stays: {title: Stays, says: '<name> stays.', gives: {left: left}}
  out: {title: Out, says: He is out., changes: {gone: yes, pinned: yes}, gives: {left: 0}, effects: [Remove him.]}
"""
FACTS = {
    "wet": "Is it wet?",
    "cold": "{ask: 'Is it cold?', default: no, note: 'Reading: cold.'}",
    "size": "{ask: Size, number: 0..4}",
    "skill": "{ask: Skill, number: -3..3, default: 0}",
    "grade": "{ask: Grade, note: 'Reading: a grade.', choices: {raw: {label: Raw, r: 1}, elite: {label: Elite, r: 3}}, default: raw}",
    "sure": "{ask: Surety, number: 0..9, default: grade.r + size}",
}
YES_NO = [
    "wet", "cold", "not wet", "windy", "ground is wood", "ground.soft and cold", "size > 2 or cold", "grade is elite",
    "odd is dropped", "wet if cold else windy", "reach > 3", "sure >= reach", "count(squad where pinned) > 1",
]  # fmt: skip
NUMBERS = [
    "1", "size", "-skill", "ground.tem", "2 if wet else -1", "max(size, force)", "half_up(size + 1)", "reach // 2",
    "sure", "grade.r", "count(squad)", "count(squad where pinned and morale > 2)", "total(squad.nerve where not gone)",
    "size * 3 - force", "count(squad where place > 1)",
]  # fmt: skip
SMALL = ["size", "force", "2", "min(reach, 3)", "0"]


@st.composite
def made_charts(draw: st.DrawFn) -> str:
    """The text of a legal chart that may have everything."""
    count = draw(st.integers(1, 7))
    lines = ["title: Made up", "page: 3", "summary: Made up.", "facts:"]
    lines += [f"  {name}: {text}" for name, text in FACTS.items()]
    lines.append("nodes:")
    for index in range(count):
        ahead = [f"n{later}" for later in range(index + 1, count)] + ["last", "good", "bad"]
        lines += _node(draw, index, ahead)
    pick = st.sampled_from
    lines += [
        f"  last: {{label: 'Last <skill>', decide: '{draw(pick(YES_NO))}', yes: good, no: bad}}",
        *(["gives: {cold: cold}"] if draw(st.booleans()) else []),
        "outcomes:",
        f"  good: {{title: Good, tone: good, says: 'Size <size>, \"<ground>\" {{it}}.', effects: [{{when: '{draw(pick(YES_NO))}', do: 'Dry <grade> 100 %.'}}, Go.],",
        f"    gives: {{sum: '{draw(pick(NUMBERS))}'}}, then: [{{when: '{draw(pick(YES_NO))}', chart: helper}}]}}",
        f"  bad: {{title: Bad, page: 4, note: 'Reading: bad is bad.', changes: {{windy: '{draw(pick(YES_NO))}'}}, then: other}}",
    ]
    return "\n".join(lines) + "\n"


def _node(draw: st.DrawFn, index: int, ahead: list[str]) -> list[str]:
    name, to = f"n{index}", ahead[0]
    number, test, target = st.sampled_from(NUMBERS), st.sampled_from(YES_NO), st.sampled_from(ahead)
    kinds = ["do", "decide", "bands", "set", "tally", "roll", "table", "pool", "draw", "run", "hand", "each", "place"]
    kind = draw(st.sampled_from(kinds))
    extra = draw(
        st.sampled_from(["", "label: Step, ", "label: 'With <grade>', ", "note: 'Reading: here.', page: 5, "])
    )
    match kind:
        case "do":
            return [f"  {name}: {{{extra}do: 'Carry on, <size> of <sure>', next: {to}}}"]
        case "decide":
            return [f"  {name}: {{{extra}decide: '{draw(test)}', yes: {to}, no: {draw(target)}}}"]
        case "bands":
            cases = f"{{..0: {to}, 1: {draw(target)}, else: {draw(target)}}}"
            return [f"  {name}: {{{extra}decide: '{draw(number)}', cases: {cases}}}"]
        case "set":
            values = (
                f"{{made{index}: '{draw(number)}', more{index}: 'made{index} + skill', is{index}: '{draw(test)}'}}"
            )
            return [f"  {name}: {{{extra}set: {values}, next: {to}}}"]
        case "tally":
            modifiers = "".join(
                f"\n      - {{{draw(st.sampled_from(['add', 'add', 'multiply']))}: '{draw(number)}', when: '{draw(test)}',"
                f" label: 'Because <skill>', note: 'Reading: modifier {part}.'}}"
                for part in range(draw(st.integers(0, 3)))
            )
            return [
                f"  {name}:\n    tally: total{index}\n    start: '{draw(number)}'\n    modifiers:{modifiers}\n"
                "      - {by: ground, add: {wood: +2}, note: 'Reading: wood.'}\n"
                f"      - {{by: size, add: {{..1: '{draw(number)}', else: 3}}}}\n"
                f"      - {{divide: {draw(st.integers(1, 3))}}}\n    cap: -5..9\n"
                f"    cases: {{..0: {to}, 1..: {draw(target)}}}"
            ]
        case "roll":
            back = draw(st.sampled_from([to, name]))
            return [f"  {name}: {{{extra}roll: 2d6, as: die{index}, cases: {{..5: {back}, 6..: {to}}}}}"]
        case "table":
            cell = draw(st.sampled_from([to, "7"]))
            return [
                f"  {name}:\n    table: [size, ground]\n    columns: [open, wood]\n    rows:\n"
                f"      ..1: [{cell}, 3]\n      2..: [4]\n    as: cell{index}\n    next: {to}"
            ]
        case "pool":
            need = draw(st.sampled_from(["4", "force", "sure"]))
            dice = draw(st.sampled_from(SMALL))
            counts = f"{{hits{index}: die >= {need}, ones{index}: die is 1}}".replace("die is 1", "die == 1")
            return [f"  {name}: {{{extra}roll: d6, dice: '{dice}', count: {counts}, next: {to}}}"]
        case "draw":
            after = f"{name}x"
            decide = f"card{index}.suit is red and card{index}.spot(size) > 1"
            return [
                f"  {name}: {{{extra}draw: cards, as: card{index}, next: {after}}}",
                f"  {after}: {{decide: '{decide}', yes: {to}, no: {draw(target)}}}",
            ]
        case "run":
            given = draw(st.sampled_from(["level: size", f"level: '{draw(number)}'", "level: 3, windy: cold"]))
            after = f"{name}x"
            return [
                f"  {name}: {{run: helper, with: {{{given}}}, as: back{index},"
                f" cases: {{high: {to}, middle: {after}, low: {draw(target)}}}}}",
                f"  {after}: {{decide: 'back{index}.hard and back{index}.score > size', yes: {to}, no: {draw(target)}}}",
            ]
        case "hand":
            return [
                f"  {name}: {{roll: d6, as: die{index}, next: {name}x}}",
                f"  {name}x: {{run: helper, with: {{level: 1, thrown: die{index}}}, next: {to}}}",
            ]
        case "place":
            return [f"  {name}: {{each: squad, run: other, with: {{gone: place == size}}, next: {to}}}"]
        case _:
            until = draw(st.sampled_from(["", " until: outcome is out,", " until: strength > 4,"]))
            when = draw(st.sampled_from(["", " when: not pinned,", " when: morale > 2 and not gone,"]))
            return [
                f"  {name}: {{{extra}each: squad,{when}{until} run: other, as: fates{index}, next: {name}x}}",
                f"  {name}x: {{decide: 'count(fates{index} where outcome is out) > 0 or total(fates{index}.left) > 3',"
                f" yes: {to}, no: {draw(target)}}}",
            ]


YES = [True, False, "yes", "no", "No", " y ", "true", True, False]
ODD: list[Any] = ["wrong", 99, None, 1.5, [], {}, "", -1, [True, False]]


def _numbers(low: int, high: int) -> st.SearchStrategy[Any]:
    whole = st.integers(low, high)
    return st.one_of(whole, whole, whole.map(str), whole.map(float))


ANSWERS: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(["wet", "cold", "windy", "pinned", "gone", "calm", "brave"], st.sampled_from(YES)),
    "force": _numbers(0, 6),
    "reach": _numbers(0, 9),
    "nerve": _numbers(0, 12),
    "size": _numbers(0, 4),
    "skill": _numbers(-3, 3),
    "sure": _numbers(0, 9),
    "guess": _numbers(0, 9),
    "pace": _numbers(0, 3),
    "load": _numbers(0, 5),
    "limit": _numbers(0, 9),
    "spare": _numbers(0, 9),
    "total_load": _numbers(0, 20),
    "morale": _numbers(1, 6),
    "level": _numbers(-9, 9),
    "odd": st.sampled_from(["kept", "dropped", " dropped"]),
    "twist": st.sampled_from(["plain", "bent"]),
    "ground": st.sampled_from(["open", "wood", "wood "]),
    "grade": st.sampled_from(["raw", "elite"]),
    "name": st.sampled_from(["Abel", "Bert", 7]),
}
DEFAULTS = frozenset(
    {"cold", "skill", "grade", "sure", "force", "odd", "reach", "nerve", "gone", "calm", "twist", "guess", "brave"}
    | {"pace", "load", "limit", "spare", "total_load"}
)
RECORD = st.fixed_dictionaries(
    {}, optional={name: ANSWERS[name] for name in ("name", "pinned", "morale", "nerve", "gone")}
)
SPOTS = st.just({"1": 1, "2": 3, "3": 2, "4": 3})
CARD = st.one_of(
    st.sampled_from(["red", "black"]),
    st.fixed_dictionaries({"suit": st.sampled_from(["red", "black"]), "spot": SPOTS}),
    st.fixed_dictionaries(
        {"suit": st.sampled_from(["red", "black"])},
        optional={"wild": st.booleans(), "spot": SPOTS},
    ),
)


@st.composite
def cases(draw: st.DrawFn, facts: frozenset[str], rolls: frozenset[str], *, odd: bool = True) -> dict[str, Any]:
    """A case for a chart with these names: answers in all the ways they may be written, some missing, or wrong."""
    mostly, nearly = st.integers(0, 9).map(bool), st.integers(0, 60).map(bool)
    given: dict[str, Any] = {name: draw(answer) for name, answer in ANSWERS.items() if name in facts and draw(nearly)}
    for name in draw(st.lists(st.sampled_from(sorted(DEFAULTS & given.keys()) or [""]), max_size=6)):
        given.pop(name, None)
    if "squad" in facts and draw(nearly):
        given["squad"] = draw(st.lists(RECORD, max_size=3))
    for name in (
        draw(st.lists(st.sampled_from([*sorted(facts), "wat"]), max_size=1)) if odd and not draw(mostly) else ()
    ):
        given[name] = draw(st.sampled_from(ODD))
    face = st.integers(1, 6)
    once = st.integers(2, 6)
    thrown: dict[str, Any] = {}
    for name in sorted(rolls):
        if "." in name and draw(mostly):
            continue
        if name.rpartition(".")[2].startswith("n"):
            thrown[name] = draw(st.lists(face, max_size=4))
        elif draw(mostly):
            thrown[name] = draw(st.one_of(once, once, once.map(str), st.lists(once, min_size=1, max_size=4), face))
    found: dict[str, Any] = {"id": draw(st.sampled_from([1, "two"])), "given": given, "rolls": thrown}
    found["draws"] = draw(st.lists(CARD, min_size=2, max_size=5))
    if draw(mostly):
        found["seed"] = draw(st.integers(0, 5))
        found["rolls"] = {name: value for name, value in thrown.items() if draw(st.booleans())}
    return found
