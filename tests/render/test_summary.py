from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

from refcli.core.chart import Chart
from refcli.render.summary import summary_text
from tests.helpers import load_chart


def steps(text: str) -> str:
    return next(part for part in text.split("\n\n") if part.startswith("STEPS"))


def test_a_chart_reads_from_top_to_bottom(chart: Callable[[str], Chart]) -> None:
    assert summary_text(chart("crossing"), 60) == dedent("""\
        CROSSING BAD GROUND
        Demo Skirmish · page 4 · demo/crossing
        Source: Demo Skirmish Rules (2001)

        Does a unit that crosses bad ground get through?

        QUESTIONS
          Who is crossing?
              crossing
              tracked  Troops or tracked
              wheeled  Wheeled vehicle
              A gun that is pushed counts as troops.
          Rating on the card
              rating · −3 to 3 · default 0
          Is it bogged already?
              bogged · yes or no · ask the owner
          What is the weather?
              weather · default Clear sky
              clear  Clear sky
              rain   Heavy rain

        HOUSE RULES
          Is the strict rule played? [1]
              strict · yes or no · default no

        STEPS
          1  Put the unit at the edge.
          2  Roll to cross
             Roll d10 for die
          3  Add up the score
             Start with die
             The total is at least 0 and at most 9
             Who is crossing?
               Troops or tracked  +2
               Wheeled vehicle    −1
             Rating               + rating
             Weather [2]          + weather mod
             Bogged               −1
             5 or less → step 4
             6 or more → Gets through
          4  Is the strict rule played?
             strict
             yes → Lost
             no → Bogged down

        OUTCOMES
          Gets through (good)
             The unit goes on with a score of [score].
             Gives score
          Bogged down (bad)
             The unit is stuck.
             [ ] Mark it bogged down.
             [ ] If bogged: It may not try again.
             Gives score
             Next: demo/volley
          Lost (bad, page 5)
             The unit is gone.

        NOTES
          [1] Reading 2: we do not play it strictly.
          [2] Likely: rain counts once.""")


def test_lists_pools_and_charts_that_are_run_are_told(chart: Callable[[str], Chart]) -> None:
    text = summary_text(chart("volley"), 60)
    assert (
        dedent("""\
          Who is in the open?
              men · a list, one line for each man
              What is he called?
                  name · any text
              Morale of the man [1]
                  morale · 1 to 6
              Is he hit already?
                  hit · yes or no · default no

        STEPS
          1  Hits by range
             Look up range to find need
             Near  2
             Far   Out of range
          2  Roll guns dice (d6)
             hits: count those with die ≤ need
          3  Hits > 0?
             yes → step 4
             no → All miss
          4  For each of men where not hit, play demo/man-hit
          5  Down: number of fates where outcome is down
        """).strip("\n")
        in text
    )
    assert text.count("Morale of the man") == 1


TABLE = """
    facts:
      range: {ask: At what range, choices: {near: Near, far: Far away}}
      size: {ask: How large, number: 1..9, decides: player}
    nodes:
      look:
        label: Damage
        page: '12'
        table: [size, range]
        columns: [near, far]
        rows: {1: [gone, hurt], 2..4: [hurt, fine], 5..: [3]}
        as: left
        next: more
      more: {set: {twice: left * 2, rest: 9 - left}, next: fine}
    outcomes: {gone: {title: Gone}, hurt: {title: Hurt}, fine: {title: Unhurt}}
"""


def test_a_table_is_set_out_in_columns(tmp_path: Path) -> None:
    text = summary_text(load_chart(tmp_path, TABLE))
    assert "      size · 1 to 9 · free choice\n" in text
    assert steps(text) == dedent("""\
        STEPS
          1  Damage (page 12)
             Look up size and range to find left
                        Near  Far away
             1          Gone  Hurt
             2 to 4     Hurt  Unhurt
             5 or more  3     3
          2  More
             twice: left × 2
             rest: 9 − left
             → Unhurt""")


def test_a_table_too_wide_has_its_cells_broken(tmp_path: Path) -> None:
    wide = TABLE.replace("title: Hurt", "title: Hurt so badly that it has to leave")
    assert steps(summary_text(load_chart(tmp_path, wide), 50)) == dedent("""\
        STEPS
          1  Damage (page 12)
             Look up size and range to find left
                        Near              Far away
             1          Gone              Hurt so badly
                                          that it has to
                                          leave
             2 to 4     Hurt so badly     Unhurt
                        that it has to
                        leave
             5 or more  3                 3
          2  More
             twice: left × 2
             rest: 9 − left
             → Unhurt""")


def test_a_table_whose_words_are_too_wide_has_a_line_for_each_row(tmp_path: Path) -> None:
    wide = TABLE.replace("title: Hurt", "title: Incomprehensibilities")
    assert steps(summary_text(load_chart(tmp_path, wide), 48)) == dedent("""\
        STEPS
          1  Damage (page 12)
             Look up size and range to find left
             1          Near: Gone · Far away:
                        Incomprehensibilities
             2 to 4     Near: Incomprehensibilities ·
                        Far away: Unhurt
             5 or more  Near: 3 · Far away: 3
          2  More
             twice: left × 2
             rest: 9 − left
             → Unhurt""")


SUM = """
    facts:
      wet: Is it wet?
      heavy: Is it heavy?
      ground: {ask: Ground, choices: {open: Open, wood: {label: A wood so dense that nobody sees through it}}}
      size: {ask: How large, number: 1..9, default: 3}
    nodes:
      add:
        tally: all
        modifiers:
          - {when: wet and heavy, add: -1, label: Deep mud on the way, note: 'Likely: mud counts once.'}
          - {by: ground, add: {wood: 2}}
          - {multiply: 2, when: wet}
          - {add: (size if wet else half_up(size + 1)), label: Size}
        next: fine
    outcomes: {fine: {title: Fine}}
"""


def test_modifiers_are_a_table_with_what_counts_and_how_much(tmp_path: Path) -> None:
    assert steps(summary_text(load_chart(tmp_path, SUM), 60)) == dedent("""\
        STEPS
          1  Add up the add
             Deep mud on the way (if wet and heavy)
               [1]                                   −1
             Ground
               A wood so dense that nobody sees
                 through it                          +2
             Wet                                     × 2
             Size                                    + (size if wet
                                                     else half
                                                     up(size + 1))
             → Fine""")


BOOK = """
    facts:
      steady: Is he steady?
      men: {ask: Who is there, noun: man, list: [steady]}
"""
EACH = """
    nodes:
      all: {each: men, run: part, when: steady, with: {size: 2}, until: outcome is gone, next: card}
      card: {draw: cards, as: card, next: red}
      red: {decide: card.colour, cases: {red: once, black: over}}
      once: {run: part, with: {size: 3}, as: found, cases: {gone: over, left: over}}
    outcomes: {over: {title: Over, changes: {steady: yes}, then: part}}
"""
PART = """
    facts: {size: {ask: How large, number: 1..9}}
    nodes: {big: {decide: size > 2, yes: gone, no: left}}
    outcomes: {gone: {title: Gone}, left: {title: Left}}
"""
CARDS = """
    title: Action deck
    fields: {colour: {ask: Colour, choices: {red: Red, black: Black}}}
"""


def test_runs_name_their_chart_and_what_it_is_told(tmp_path: Path) -> None:
    text = summary_text(load_chart(tmp_path, EACH, book=BOOK, cards=CARDS, part=PART))
    assert steps(text) == dedent("""\
        STEPS
          1  For each of men where steady, play made/part
             Stop when outcome is gone
             with size: 2
          2  Draw a card: Action deck
          3  Card colour?
             Red → step 4
             Black → Over
          4  Play made/part
             with size: 3
             gone → Over
             left → Over""")
    assert text.endswith("OUTCOMES\n  Over\n     From now on steady: yes\n     Next: made/part")


def test_charts_to_go_to_are_told_with_title_and_page(tmp_path: Path) -> None:
    chart = load_chart(tmp_path, EACH, book=BOOK, cards=CARDS, part=PART)
    text = summary_text(chart, titles={"made/part": ("One man", "7-8")})
    assert "  1  For each of men where steady, play One man (pages 7-8, made/part)\n" in text
    assert "  4  Play One man (pages 7-8, made/part)\n" in text
    assert text.endswith("\n     Next: One man (pages 7-8, made/part)")
    untitled = summary_text(chart, titles={"made/part": ("One man", "")})
    assert "  4  Play One man (made/part)\n" in untitled
