"""The colours of drawings on light paper, and the signs that say the same without colour."""

from refcli.render.graph import Shape

INK, LINE, PAPER, TAG = "#1a1a1a", "#4a4f55", "#ffffff", "#dde5ee"
FILLS = {
    Shape.QUESTION: ("#fff7df", "#8a6d1a"), Shape.ACTION: ("#ffffff", LINE), Shape.DICE: ("#eaf1fb", "#3a5f91"),
    Shape.CARD: ("#eaf1fb", "#3a5f91"), Shape.SUM: ("#f1ecf8", "#6a4c93"), Shape.TABLE: ("#f1ecf8", "#6a4c93"),
    Shape.PAGE: ("#eef0f2", LINE),
}  # fmt: skip
"""What a box is filled with, and its rim."""
TONES = {
    "good": ("#e3f3e6", "#1e6b33"), "bad": ("#fbe6e4", "#a3261d"), "mixed": ("#fdf0d0", "#85600a"),
    "plain": ("#eceff1", "#4a4f55"),
}  # fmt: skip
"""The same for outcomes."""
SIGNS = {"good": "✓ ", "bad": "✗ ", "mixed": "~ ", "plain": ""}
"""What stands before an outcome's title."""
