"""Following a chart at a table: what it says to the hand whose turn it is."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.analysis.blackjack.chart import Cell, Chart, Kind
from croupier.games.blackjack.acts import decisions
from croupier.games.blackjack.round import BlackjackRound
from croupier.games.blackjack.side_wagers import value

CELLS: Mapping[str, tuple[str, ...]] = {
    "H": ("hit",),
    "S": ("stand",),
    "D": ("double", "hit"),
    "Ds": ("double", "stand"),
    "R": ("surrender", "hit"),
    "Rs": ("surrender", "stand"),
    "P": ("split",),
    "Rp": ("surrender", "split"),
}
"""What the cells of a chart say, the first that can be done; `Ph` and `N` are read below."""


def says(chart: Chart, round_: BlackjackRound) -> list[str]:
    """What the chart says to the hand whose turn it is, the best first: all of it is allowed by the rules."""
    assert round_.turn is not None
    hand, up = round_.seats[round_.turn.seat].hands[round_.turn.hand], value(round_.up_card)
    allowed = [act.name for act in decisions(round_)]
    total = chart.cell(Kind.SOFT if hand.count.soft else Kind.HARD, hand.total, up)
    cells = [total]
    if hand.pair_value is not None and "split" in allowed:
        pair = chart.cell(Kind.PAIR, hand.pair_value, up)
        if pair is Cell.SPLIT_WITH_DOUBLE:
            pair = Cell.SPLIT if round_.rules.double_after_split else Cell.HIT
        cells = [total] if pair is Cell.AS_TOTAL else [pair, total]
    words = [word for cell in cells for word in CELLS[cell]]
    return [word for word in dict.fromkeys((*words, "stand")) if word in allowed]
