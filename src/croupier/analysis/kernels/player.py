"""What each way of playing a hand is worth, for all hands against all up cards, by drawing backwards.

Hands are rows of tables, ordered so that every draw leads to a later row. Values are the player's expected result
per unit of the first wager, before the dealer's hole card is known. A choice is 0 to stand, 1 to hit, 2 to double; -1
leaves it to the kernel, which takes the best, and on a tie (within a hair, so that rounding cannot decide) the first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from croupier.analysis.kernels.compiled import compiled

STAND, HIT, DOUBLE, SURRENDER, BEST = 0, 1, 2, 4, -1
"""A kernel never sees SURRENDER: a hand that is given up stands for what that is worth."""
HAIR = 1e-12


class Drawn(NamedTuple):
    """The hands: `cards` (hands, 10), how many in all, and the row after drawing each value, -1 for a broken hand."""

    cards: npt.NDArray[np.int64]
    size: npt.NDArray[np.int64]
    child: npt.NDArray[np.int64]


class Stakes(NamedTuple):
    """What lies on hands, and what that is worth to a hand that stands; each (hands, 10) where nothing else is said."""

    own: int
    """How much of the player's money a hand begins with: 1, or 0 where its chip is free."""
    stand: npt.NDArray[np.float64]
    doubled: npt.NDArray[np.float64]
    """With as much money again."""
    doubled_free: npt.NDArray[np.float64]
    """With a free chip more."""
    free: npt.NDArray[np.bool_]
    """(hands): whether a double is made with a free chip."""
    returned: npt.NDArray[np.float64]
    """What comes back of a doubled wager because the dealer's blackjack takes the first wager only."""
    later: npt.NDArray[np.bool_]
    """(hands): whether a hand of three cards and more may be doubled."""


@compiled
def play_hands(
    shoe: npt.NDArray[np.int64], hands: Drawn, stakes: Stakes, choice: npt.NDArray[np.int8]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.int8]]:
    """Values of hitting and of doubling, and what is chosen with three cards and more; each (hands, 10).

    `choice` (hands, 10).
    """
    stand, own = stakes.stand, float(stakes.own)
    rows = hands.size.size
    hit = np.empty((rows, 10))
    double = np.empty((rows, 10))
    value = np.zeros((rows, 10))
    chosen = np.zeros((rows, 10), dtype=np.int8)
    all_cards = 0
    for x in range(10):
        all_cards += shoe[x]
    for h in range(rows - 1, -1, -1):
        left = all_cards - hands.size[h] - 1
        free = stakes.free[h]
        shown = stakes.doubled_free if free else stakes.doubled
        at_stake = own if free else own + 1.0
        for up in range(10):
            hit[h, up] = -np.inf
            double[h, up] = -np.inf
            if left > 0 and shoe[up] > hands.cards[h, up]:
                drawn = 0.0
                doubled = 0.0
                for x in range(10):
                    n = shoe[x] - hands.cards[h, x] - (1 if x == up else 0)
                    if n > 0:
                        after = hands.child[h, x]
                        drawn += n * (value[after, up] if after >= 0 else -own)
                        doubled += n * (shown[after, up] if after >= 0 else -at_stake)
                hit[h, up] = drawn / left
                double[h, up] = doubled / left + (0.0 if free else stakes.returned[h, up])
            act = choice[h, up]
            if act == BEST:
                act = HIT if hit[h, up] > stand[h, up] + HAIR else STAND
                if stakes.later[h] and double[h, up] > max(hit[h, up], stand[h, up]) + HAIR:
                    act = DOUBLE
            chosen[h, up] = act
            value[h, up] = stand[h, up] if act == STAND else (hit[h, up] if act == HIT else double[h, up])
    return hit, double, chosen


@compiled
def reach_hands(
    shoe: npt.NDArray[np.int64],
    hands: Drawn,
    reach: npt.NDArray[np.float64],
    choice: npt.NDArray[np.int8],
) -> None:
    """Add to `reach` (hands, 10), which says how often hands are dealt, how often they are drawn to by `choice`."""
    all_cards = 0
    for x in range(10):
        all_cards += shoe[x]
    for h in range(hands.size.size):
        left = all_cards - hands.size[h] - 1
        for up in range(10):
            if left > 0 and choice[h, up] == HIT and reach[h, up] > 0.0:
                for x in range(10):
                    n = shoe[x] - hands.cards[h, x] - (1 if x == up else 0)
                    after = hands.child[h, x]
                    if n > 0 and after >= 0:
                        reach[after, up] += reach[h, up] * n / left
