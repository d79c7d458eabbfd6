"""Charts at random: what nobody would do must be dealt, settled and counted alike everywhere."""

from __future__ import annotations

from random import Random

from croupier.analysis.blackjack.chart import COLUMNS, Cell, Chart, Kind, Row
from croupier.games.blackjack.rules import Rules

TOTALS = (
    *(Cell.HIT, Cell.HIT, Cell.STAND, Cell.DOUBLE, Cell.DOUBLE_OR_STAND),
    *(Cell.SURRENDER, Cell.SURRENDER_OR_STAND),
)
PAIRS = (*[Cell.SPLIT] * 6, Cell.SURRENDER_OR_SPLIT, Cell.AS_TOTAL, Cell.DOUBLE)
RESCUES = (Cell.SURRENDER_OR_STAND, Cell.STAND)


def chart_of_anything(rules: Rules, rng: Random) -> Chart:
    """A chart whose cells are drawn by lot; most pairs are split, and low totals are hit more often than not."""
    kinds = {Kind.HARD: TOTALS, Kind.SOFT: TOTALS, Kind.PAIR: PAIRS}
    if rules.surrender_after_double:
        kinds[Kind.RESCUE] = RESCUES
    return Chart(
        {
            Row(kind, key): tuple(rng.choices(cells, k=len(COLUMNS)))
            for kind, cells in kinds.items()
            for key in kind.keys
        }
    )
