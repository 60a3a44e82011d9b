from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from refcli.core.walk import Walk, advance, start
from refcli.drivers.loop import drive
from refcli.drivers.script import Defaults
from refcli.render.text import Run, fold, page_words, ruling_text
from tests.helpers import load_chart

TRUCK = {"given": {"crossing": "wheeled", "bogged": "yes", "rating": -2}, "rolls": {"die": 3}}
MEN = [{"name": "Abel", "morale": 3}, {"name": "Bert", "morale": 5}, {"name": "Cole", "morale": 1, "hit": "yes"}]
VOLLEY = {
    "given": {"range": "near", "guns": 2, "men": MEN},
    "rolls": {"shots": [1, 6]},
    "draws": ["red", "black"],
}
Walked = Callable[..., Walk]


def test_the_ruling_comes_first_then_its_reasons(walked: Walked) -> None:
    assert ruling_text(walked("crossing", TRUCK)) == dedent("""\
        BOGGED DOWN
        The unit is stuck.
        [ ] Put the unit at the edge.
        [ ] Mark it bogged down.
        [ ] It may not try again.
        Next: demo/volley

        Why
          die 3 · Wheeled vehicle −1 · Rating −2 · Bogged −1 → −1, at least 0

        Defaults used: weather Clear sky · strict no
        Readings:
          - Reading 2: we do not play it strictly.
        Source: Demo Skirmish Rules (2001), page 4""")


def test_every_step_is_told_on_request(walked: Walked) -> None:
    case = {
        "given": {"crossing": "tracked", "bogged": "no", "strict": "yes", "weather": "rain"},
        "rolls": {"die": 1},
    }
    assert ruling_text(walked("crossing", case, house_rules=True), trail=True) == dedent("""\
        LOST
        The unit is gone.
        [ ] Put the unit at the edge.

        Why
          Do: Put the unit at the edge.
          Roll to cross: 1
          die 1 · Troops or tracked +2 · Weather −1 → 2
            (crossing Troops or tracked · weather Heavy rain · bogged no; by default
              rating 0)
          Is the strict rule played? yes
            (strict yes)
          → Lost

        Default used: rating 0
        Readings:
          - Likely: rain counts once.
          - Reading 2: we do not play it strictly.
        Source: Demo Skirmish Rules (2001), pages 4, 5""")


def test_a_list_has_one_line_for_each_record(walked: Walked) -> None:
    assert ruling_text(walked("volley", VOLLEY)) == dedent("""\
        MEN ARE DOWN
        1 men are down.
        [ ] Abel: Lay him down.

        Why
          Abel: Red card · 0 → Down
          Bert: Black card · 5 → Stands

        Default used: hit no
        Readings:
          - Reading 1: a man without a figure has 3.
        Source: Demo Skirmish Rules (2001), page 7""")


def test_every_step_of_a_record_is_indented(walked: Walked) -> None:
    assert ruling_text(walked("volley", VOLLEY), trail=True).split("\n\n")[1:3] == [
        dedent("""\
            Why
              Hits by range: 2
                (range Near)
              Roll d6: 1, 6
                (guns 2)
              hits > 0: yes
              Each of men in turn: 2
                (men 3 × man · hit yes; by default hit no)
              Abel → Down
                Draw card: Red card
                morale 3 · Red card −3 → 0
                  (morale 3 · colour Red card)
              Bert → Stands
                Draw card: Black card
                morale 5 → 5
                  (morale 5 · colour Black card)
              down 1
              down > 0: yes
              → Men are down"""),
        "Gives: down 1",
    ]


def test_lines_fit_the_width(walked: Walked) -> None:
    for trail in (False, True):
        assert max(map(len, ruling_text(walked("volley", VOLLEY), trail, width=40).splitlines())) <= 40


def test_names_that_players_typed_cannot_touch_the_screen(walked: Walked) -> None:
    men = [{"name": "\x1b[31mEve\x07", "morale": 1}]
    case = {**VOLLEY, "given": {**VOLLEY["given"], "men": men}, "draws": ["red"]}  # type: ignore[dict-item]
    text = ruling_text(walked("volley", case), trail=True)
    assert "[ ] Eve: Lay him down." in text
    assert "\x1b" not in text
    assert "\x07" not in text


def test_a_walk_that_has_not_ended_has_no_ruling(chart: Callable[..., object]) -> None:
    with pytest.raises(TypeError, match=r"^the walk has not ended$"):
        ruling_text(start(chart("crossing")))  # type: ignore[arg-type]


def test_a_chart_that_is_run_is_told_under_its_title(tmp_path: Path) -> None:
    main = """
        nodes:
          inner: {run: part, with: {size: 2}, as: found, next: sum}
          sum:
            tally: sum
            modifiers:
              - {add: found.score, label: Score}
              - {multiply: 3, label: Tripled}
              - {divide: 2, label: Halved}
            cap: 0..
            next: done
        outcomes: {done: {title: Done, says: 'Sum <sum>.'}}
    """
    part = """
        facts: {size: {ask: How large, number: 1..9}}
        nodes:
          score: {tally: score, start: 4, modifiers: [{add: size}], next: big}
        gives: {score: score}
        outcomes: {big: {title: Big}}
    """
    walk = start(load_chart(tmp_path, main, part=part))
    assert ruling_text(walk) == dedent("""\
        DONE
        Sum 9.

        Why
          Part → Big
            4 · Size +2 → 6
          Score +6 · Tripled × 3 · Halved ÷ 2 → 9

        Source: Nowhere""")


def test_a_default_that_nobody_is_asked_for_is_not_told(tmp_path: Path) -> None:
    main = """
        facts:
          back: {ask: The back, number: 0.., default: 0, asked: no}
          tough: {ask: Is he tough, default: no}
        nodes:
          choose: {decide: back > 0 or tough, yes: stands, no: falls}
        outcomes: {stands: {title: Stands}, falls: {title: Falls}}
    """
    text = ruling_text(drive(start(load_chart(tmp_path, main)), [Defaults()]))
    assert text == dedent("""\
        FALLS

        Default used: tough no
        Source: Nowhere""")


def test_tables_rerolls_and_empty_pools_are_told(tmp_path: Path) -> None:
    text = """
        facts: {guns: {ask: How many guns, number: 0..9}}
        nodes:
          shots: {roll: d6, dice: guns, count: {hits: die > 3}, next: again}
          again: {roll: d6, as: face, next: look}
          look:
            table: [face, hits]
            columns: [0, 1..]
            rows: {..2: [again, done], 3..: [done]}
        outcomes: {done: {title: Done}}
    """
    walk = start(load_chart(tmp_path, text), {"guns": 0})
    walk = advance(advance(walk, 1), 5)
    assert ruling_text(walk, trail=True) == dedent("""\
        DONE

        Why
          Roll d6: no dice
            (guns 0)
          Roll d6: 1
          face: again
          Roll d6: 5
          face: Done
          → Done

        Source: Nowhere""")


def test_runs_within_runs_without_steps_of_their_own_are_folded(tmp_path: Path) -> None:
    outer = "nodes: {a: {run: middle, next: end}}\noutcomes: {end: {title: End}}"
    middle = "nodes: {b: {run: inner, next: mid}}\noutcomes: {mid: {title: Mid}}"
    inner = "nodes: {c: {do: 'Think.', next: in_}}\noutcomes: {in_: {title: In}}"
    walk = start(load_chart(tmp_path, outer, middle=middle, inner=inner))
    root = fold(walk.trail.steps)
    (first, _) = root.items
    assert isinstance(first, Run)
    (second,) = first.items
    assert isinstance(second, Run)
    assert (first.chart, second.chart) == ("made/middle", "made/inner")
    assert ruling_text(walk) == dedent("""\
        END
        [ ] Think.

        Why
          Middle → Mid
            Inner → In

        Source: Nowhere""")


@pytest.mark.parametrize(
    ("pages", "said"),
    [
        (["3"], "page 3"),
        (["3", "6"], "pages 3, 6"),
        (["1-4"], "pages 1-4"),
        (["Fire combat"], "Fire combat"),
        (["4", "Fire"], "page 4; Fire"),
        ([], ""),
    ],
)
def test_pages_are_cited_as_in_print(pages: list[str], said: str) -> None:
    assert page_words(pages) == said
