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

STAND, HIT, DOUBLE, BEST = 0, 1, 2, -1
HAIR = 1e-12


class Drawn(NamedTuple):
    """The hands: `cards` (hands, 10), how many in all, and the row after drawing each value, -1 for a broken hand."""

    cards: npt.NDArray[np.int64]
    size: npt.NDArray[np.int64]
    child: npt.NDArray[np.int64]


@compiled
def play_hands(
    shoe: npt.NDArray[np.int64],
    hands: Drawn,
    stand: npt.NDArray[np.float64],
    returned: npt.NDArray[np.float64],
    choice: npt.NDArray[np.int8],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.int8]]:
    """Values of hitting and of doubling, and what is chosen with three cards and more; each (hands, 10).

    `stand`, `choice` (hands, 10). `returned` (hands, 10) is what comes back of a doubled wager because the dealer's
    blackjack takes the first wager only.
    """
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
                        drawn += n * (value[after, up] if after >= 0 else -1.0)
                        doubled += n * (stand[after, up] if after >= 0 else -1.0)
                hit[h, up] = drawn / left
                double[h, up] = 2.0 * doubled / left + returned[h, up]
            hits = choice[h, up] == HIT
            if choice[h, up] == BEST:
                hits = hit[h, up] > stand[h, up] + HAIR
            chosen[h, up] = HIT if hits else STAND
            value[h, up] = hit[h, up] if hits else stand[h, up]
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
