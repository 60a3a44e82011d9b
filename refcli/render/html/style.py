"""How pages look: light and dark, on a telephone, and on paper, two-sided with mirrored margins."""

from collections.abc import Sequence

from refcli.render.html.build import css_text

_SIZES = {"a4": ("A4", 297), "letter": ("letter", 279)}
"""The name of a paper's size and its height in millimetres."""
_TOP, _FOOT, _INNER, _OUTER = 17, 15, 19, 12
"""Margins of paper in millimetres; the inner one is wider, to be bound or punched."""
_HEAD = 26
"""Room above a flow chart for the head of its page, in millimetres."""

_SCREEN = """
:root {
  --ink: #1a1a1a; --paper: #fff; --muted: #545a61; --line: #c9cdd2; --panel: #f4f5f7; --link: #0b55a0;
  --good: #1e6b33; --bad: #a3261d; --mixed: #7a5806; --plain: #4a4f55;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ink: #e4e6e8; --paper: #15171a; --muted: #a8aeb5; --line: #454b52; --panel: #1f2327; --link: #8fbdf7;
    --good: #7fd196; --bad: #f5978f; --mixed: #e9c46a; --plain: #a8aeb5;
  }
  svg text { fill: var(--ink); }
  svg .box { --fill: #23282d; --rim: #8b929a; }
  svg .question { --fill: #37301a; --rim: #d3ae4d; }
  svg .dice, svg .card { --fill: #1d2b3d; --rim: #7ba6dd; }
  svg .sum, svg .table { --fill: #2c2440; --rim: #ae92dc; }
  svg .end.good { --fill: #17301e; --rim: var(--good); }
  svg .end.bad { --fill: #3a1d1b; --rim: var(--bad); }
  svg .end.mixed { --fill: #382c10; --rim: var(--mixed); }
  svg .shape { fill: var(--fill); stroke: var(--rim); }
  svg .icon { stroke: var(--rim); }
  svg .tag { fill: #2f3a46; stroke: #8b929a; }
  svg .way { stroke: #99a0a8; }
  svg .tip { fill: #99a0a8; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: .5rem; }
body {
  margin: 0 auto; max-width: 62rem; padding: 1rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 Helvetica, Arial, "Liberation Sans", sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 2rem; line-height: 1.2; margin: .5rem 0 .25rem; }
h2 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; }
h3, .alone h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
p { margin: .25rem 0; }
a { color: var(--link); }
a:focus-visible, .scroll:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
li:target { background: var(--panel); outline: .3rem solid var(--panel); }
code { font: .85em ui-monospace, "DejaVu Sans Mono", "Liberation Mono", monospace; color: var(--muted); }
sup { font-size: .75em; line-height: 0; }
sup a { text-decoration: none; padding: 0 .15em; }
abbr { text-decoration: underline dotted; text-underline-offset: .2em; }
.told, .help, .tone, .on, li, td, th, dd, dt { unicode-bidi: isolate; }
.told, .help { color: var(--muted); font-size: .9em; }
span.paper { display: none; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--paper); padding: .5rem; }
nav ol { padding-left: 2rem; }
nav h2 { margin-top: 1.25rem; }
nav li { margin: .3rem 0; }
nav .summary { display: block; color: var(--muted); font-size: .9em; }
section.chart, #map, #shared, #decks, #glossary {
  border-top: 2px solid var(--line); margin-top: 3rem; padding-top: 1.25rem;
}
.alone section.chart { border: 0; margin: 0; padding: 0; }
h2 .number { color: var(--muted); font-weight: normal; }
.scroll { overflow-x: auto; }
figure { margin: 1rem 0; }
figure svg { display: block; margin: 0 auto; max-width: 100%; height: auto; }
svg a:focus-visible .tag { stroke: var(--link); stroke-width: 3; }
svg a:hover text { text-decoration: underline; }
ul.facts, ul.links, ul.choices, ul.ways, ul.ends, ul.effects { list-style: none; margin: 0; padding: 0; }
.facts > li { padding: .35rem 0; border-top: 1px solid var(--line); break-inside: avoid; }
@media screen and (min-width: 56rem) { .questions > .facts { columns: 2; column-gap: 2rem; } }
.facts .facts { margin-left: 1.5rem; }
.choices { display: grid; grid-template-columns: repeat(auto-fill, minmax(12rem, 1fr)); column-gap: 1.5rem; }
ul.choices { margin-left: 1rem; }
.facts .facts, .facts .links { columns: 1; }
ul.links { columns: 20rem 2; column-gap: 2rem; font-size: .9em; }
.links li { break-inside: avoid; }
.choices li::before { content: "○\\a0"; color: var(--muted); }
ol.steps { list-style: none; margin: 0; padding: 0; counter-reset: none; }
ol.steps > li { position: relative; padding: .4rem 0 .4rem 2.75rem; border-top: 1px solid var(--line); }
.step-number {
  position: absolute; left: 0; top: .45rem; min-width: 1.9rem; text-align: center; font-weight: bold;
  border: 1px solid var(--line); border-radius: .2rem; background: var(--panel);
}
p.says { color: var(--muted); font-size: .9em; }
.do p.says, .roll p.says, .draw p.says { color: inherit; }
ul.ways { display: flex; flex-wrap: wrap; gap: 0 2rem; }
ul.ways.many { display: block; columns: 2; column-gap: 2rem; }
.ways.many li { padding-left: 1.2rem; text-indent: -1.2rem; }
table { border-collapse: collapse; margin: .5rem 0; font-size: .95em; }
caption { text-align: left; color: var(--muted); font-size: .85em; padding-bottom: .15rem; }
th, td { border: 1px solid var(--line); padding: .2rem .5rem; text-align: left; vertical-align: top; }
table { overflow-wrap: normal; }
thead th { background: var(--panel); }
tbody th { font-weight: normal; }
.look-up tbody th { font-weight: bold; }
.look-up td { text-align: center; }
td.amount { text-align: right; white-space: nowrap; font-weight: bold; }
.ends > li { border-left: .35rem solid var(--plain); padding: .1rem .75rem; margin: .6rem 0; }
.ends .good { border-color: var(--good); }
.ends .bad { border-color: var(--bad); border-left-style: double; }
.ends .mixed { border-color: var(--mixed); border-left-style: dashed; }
.good > p > .tone { color: var(--good); }
.bad > p > .tone { color: var(--bad); }
.mixed > p > .tone { color: var(--mixed); }
.effects label { display: flex; gap: .5rem; align-items: baseline; }
.effects input { flex: none; width: 1em; height: 1em; }
.notes ol { margin: 0; padding: 0; list-style: none; font-size: .9em; }
.notes li { padding-left: 2.25rem; text-indent: -2.25rem; margin: .2rem 0; }
.note-number { display: inline-block; min-width: 2.25rem; text-indent: 0; color: var(--muted); }
.back { margin-top: 1rem; font-size: .9em; }
dl { margin: .5rem 0; }
dt { font-weight: bold; }
dd { margin: 0 0 .4rem; }
#glossary dl { columns: 20rem; column-gap: 2rem; }
#glossary div { break-inside: avoid; }
@media screen and (max-width: 40rem) {
  body { padding: .5rem .75rem 3rem; }
  figure svg { max-width: none; margin: 0; }
  h1 { font-size: 1.6rem; }
  h2 { font-size: 1.3rem; }
  ul.ways.many { columns: 1; }
  .choices { grid-template-columns: 1fr; }
  ol.steps > li { padding-left: 2.4rem; }
}
"""

_PRINT = """
@media print {
  body { max-width: none; padding: 0; font-size: 9.5pt; line-height: 1.35; color: #000; background: #fff; }
  a { color: inherit; text-decoration: none; }
  .skip, .back { display: none; }
  span.paper { display: inline; }
  abbr { text-decoration: none; }
  h1 { font-size: 22pt; }
  h2 { font-size: 15pt; }
  h3, .alone h2 { font-size: 11pt; margin: 10pt 0 3pt; }
  h1, h2, h3 { break-after: avoid; }
  section.chart { break-before: page; border: 0; margin: 0; padding: 0; }
  #map { break-inside: avoid; border: 0; margin: 10pt 0 0; padding: 0; }
  .alone section.chart { break-before: auto; }
  #shared, #decks, #glossary { border: 0; margin: 16pt 0 0; padding: 0; }
  main + section { break-before: page; }
  #shared > .facts { columns: 2; column-gap: 7mm; }
  ul.links { columns: 1; }
  .links li { display: inline; }
  .links li:not(:last-child)::after { content: " · "; }
  li:target { background: none; outline: none; }
  .scroll { overflow: visible; }
  figure { margin: 6pt 0; break-inside: avoid; }
  figure svg { max-width: 100%; width: auto; height: auto; max-height: var(--room); }
  .text { columns: 2; column-gap: 7mm; }
  .text > section:first-child > :first-child { margin-top: 0; }
  nav { columns: 2; column-gap: 7mm; font-size: 9pt; }
  nav h2 { margin-top: 0; }
  .choices { display: block; }
  .choices li { display: inline; margin-right: .7em; }
  .questions, .notes ol { font-size: 8.5pt; line-height: 1.3; }
  ol.steps > li.wide { column-span: all; }
  ol.steps > li { padding-left: 8mm; }
  .step-number { min-width: 6mm; top: 2pt; }
  ul.ways.many { columns: 1; }
  .facts > li, ol.steps > li, .ends > li, .notes li, tr { break-inside: avoid; }
  .facts > li, ol.steps > li { padding-top: 2pt; padding-bottom: 2pt; }
  .facts > li:has(.facts) { break-inside: auto; }
  li > p:first-child { break-after: avoid; }
  table { break-inside: avoid; }
  thead { display: table-header-group; }
  .effects input { appearance: none; border: 1px solid #000; width: .8em; height: .8em; margin: .2em 0 0; }
  .step-number, thead th, svg * { print-color-adjust: exact; }
  p, li { orphans: 2; widows: 2; }
}
"""


def style(paper: str, title: str, heads: Sequence[tuple[str, str]]) -> str:
    """The style sheet of a page.

    Args:
        paper: `a4` or `letter`.
        title: of the whole, at the foot of each sheet.
        heads: the anchor of each chart and what stands above its sheets.
    """
    size, high = _SIZES[paper]
    room = high - _TOP - _FOOT - _HEAD
    font = 'font-family: Helvetica, Arial, "Liberation Sans", sans-serif;'
    number = f"{font} font-size: 10pt; content: counter(page);"
    foot = f"{font} font-size: 8pt; color: #444; content: {css_text(title)};"
    sides = (
        f"@page {{ size: {size}; margin: {_TOP}mm {_OUTER}mm {_FOOT}mm; }}\n"
        f"@page :left {{ margin-right: {_INNER}mm; @bottom-left {{ {number} }} @bottom-right {{ {foot} }} }}\n"
        f"@page :right {{ margin-left: {_INNER}mm; @bottom-right {{ {number} }} @bottom-left {{ {foot} }} }}\n"
    )
    running = []
    for at, (place, head) in enumerate(heads, 1):
        told = f"{font} font-size: 9pt; font-weight: bold; content: {css_text(head)};"
        running.append(f"#{place} {{ page: c{at}; }}")
        running.append(f"@page c{at}:left {{ @top-left {{ {told} }} }}")
        running.append(f"@page c{at}:right {{ @top-right {{ {told} }} }}")
    return "\n".join([_SCREEN, f":root {{ --room: {room}mm; }}", _PRINT + sides, *running, ""])
