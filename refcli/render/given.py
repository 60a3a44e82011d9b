"""What a case of a batch gives to a chart: facts, rolls and draws by the names that a case calls them."""

import json
from collections import Counter
from collections.abc import Sequence

from refcli.analysis.wanted import Key, fields_read, wanted
from refcli.core.chart import Chart, DrawNode, RollNode
from refcli.core.fact import Fact, Kind
from refcli.core.family import family
from refcli.core.ruling import plain
from refcli.render.outline import Data, fact_data
from refcli.render.words import columns, expr_words, heading, range_words, wrap


def given_data(chart: Chart) -> Data:
    """What a case may have to give, as JSON values.

    Returns:
        `chart`; `given`, facts as in an outline, defaults of choices by their keys; `rolls` with their `dice` and the
        bounds of a throw; `draws` with their `deck` and those of its `fields` that are read; and `case`, a worked
        example where there is one. A `name` is what a case calls it, `asked_by` the chart where it is another.
    """
    met = wanted(chart)
    charts = family([chart])
    names = Counter(name for _, name in met.facts), Counter(name for _, name in (*met.rolls, *met.draws))

    def called(key: Key, times: Counter[str]) -> Data:
        owner, name = key
        more = {"asked_by": owner} if owner not in ("", chart.id) else {}
        return {"name": f"{owner.rpartition('/')[2]}.{name}" if owner and times[name] > 1 else name} | more

    found: Data = {"chart": chart.id}
    found["given"] = [_fact(fact) | called(key, names[0]) for key, fact in met.facts.items()]
    found["rolls"] = [called(key, names[1]) | _roll([*nodes.values()]) for key, nodes in met.rolls.items()]
    found["draws"] = [
        called(key, names[1]) | _draw([*nodes.values()], charts[key[0]]) for key, nodes in met.draws.items()
    ]
    return found | _case(chart, {fact["name"] for fact in found["given"] if fact.get("house_rule")})


def _fact(fact: Fact) -> Data:
    """A fact with its default as a case would write it."""
    found = fact_data(fact)
    if fact.kind is Kind.CHOICE and fact.default is not None:
        found["default"] = str(fact.default.tree[1]) if fact.default.is_constant else expr_words(fact.default)
    if fact.fields:
        found["fields"] = [_fact(field) for field in fact.fields]
    return found


def _roll(nodes: Sequence[RollNode]) -> Data:
    first = nodes[0]
    if first.pool is None:
        return {"dice": str(first.dice), "low": first.dice.low, "high": first.dice.high}
    return {"dice": str(first.dice), "low": 1, "high": first.dice.sides, "how_many": expr_words(first.pool)}


def _draw(nodes: Sequence[DrawNode], chart: Chart) -> Data:
    deck = nodes[0].deck
    read = {field.name for node in nodes for field in fields_read(node, chart)}
    fields = []
    for name, field in deck.fields.items():
        if name in read:
            low, high = field.columns or (0, 0)
            fields.append(_fact(field) | ({"columns": [low, high]} if field.columns else {}))
    return {"deck": deck.name, "title": deck.title, "fields": fields}


def _case(chart: Chart, house_rules: set[str]) -> Data:
    """The worked example that says most, as a case; none that plays a house rule, for which a batch must be told."""
    cases = []
    for example in chart.examples:
        if not house_rules & example.given.keys():
            parts = {"given": plain(example.given), "rolls": plain(example.rolls), "draws": plain(example.draws)}
            cases.append({key: part for key, part in parts.items() if part})
    most = max(cases, key=lambda case: sum(map(len, case.values())), default=None)
    return {"case": {"chart": chart.id} | most} if most is not None else {}


def given_text(data: Data, width: int = 80) -> str:
    """What a case may have to give, as lines to read.

    Args:
        data: from `given_data`.
        width: columns that a line may take.
    """
    facts: list[Data] = data["given"]
    house = [fact for fact in facts if fact.get("house_rule")]
    needed = [fact for fact in facts if fact not in house and "default" not in fact]
    spare = [fact for fact in facts if fact not in house and "default" in fact]
    parts = [
        ("Facts", "Needed where the path asks for them.", _fact_rows(needed)),
        ("Facts with a default", "It holds where a case says nothing.", _fact_rows(spare)),
        ("House rules", "Answered with --house-rules only; else the default holds.", _fact_rows(house)),
        ("Rolls", "Needed where no seed rolls them.", [(roll["name"], _throw(roll)) for roll in data["rolls"]]),
        ("Draws", "Needed where no seed draws them.", [row for draw in data["draws"] for row in _draw_rows(draw)]),
    ]
    lines: list[str] = []
    for title, says, rows in parts:
        if rows:
            lines += ["", heading(title), *wrap(says, width, "  "), *columns(rows, width, most=30)]
    if "case" in data:
        # one line, to be copied
        lines += ["", heading("A case"), json.dumps(data["case"], ensure_ascii=False)]
    return "\n".join(lines[1:]) or "This chart asks for nothing."


def _fact_rows(facts: Sequence[Data], indent: str = "") -> list[tuple[str, str]]:
    rows = []
    for fact in facts:
        told = [fact["answers"]]
        if fact.get("columns"):
            told.append(f"by column, {range_words(*fact['columns'])}")
        if "default" in fact:
            told.append(f"default {fact['default']}")
        told.append(fact.get("ask", ""))
        rows.append((indent + fact["name"], " · ".join(filter(None, told))))
        rows += _fact_rows(fact.get("fields", ()), indent + "  ")
    return rows


def _throw(roll: Data) -> str:
    told = f"{range_words(roll['low'], roll['high'])} · {roll['dice']}"
    return f"a list, one number for each of {roll['how_many']} dice · {told}" if "how_many" in roll else told


def _draw_rows(draw: Data) -> list[tuple[str, str]]:
    return [(draw["name"], f"a card · {draw['title']}"), *_fact_rows(draw["fields"], "  ")]
