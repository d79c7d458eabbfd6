"""How often the dealer ends with each total, for many depleted shoes at once.

Every product here is one of positive factors below one, and every sum is of positive terms, so that with at most 13
draws and some 1,100 terms a probability carries a relative error below 1e-12 (in practice about 1e-15).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from croupier.analysis.kernels.compiled import compiled

BATCH = 64
"""Shoes side by side in the innermost loops: long enough that the compiler makes vectors of them."""
LONGEST = 24
"""More cards than any hand of a dealer has."""


class Trie(NamedTuple):
    """The dealer's finished hands, as multisets with their cards ascending, in preorder.

    Node i adds a card of value `value[i]` (0 is an ace) as the `depth[i]`-th card of a hand, of which it is the
    `copy[i]`-th of its value, counted from 0. A path down the trie is the chance of its cards in one order. At a node
    the slots `first[i]` to `first[i + 1]` say where that chance counts, and in how many orders with that up card
    first: `slot` = 10 * (total - 17) + up card.
    """

    value: npt.NDArray[np.int64]
    depth: npt.NDArray[np.int64]
    copy: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]
    slot: npt.NDArray[np.int64]
    orders: npt.NDArray[np.float64]
    totals: int
    """How many are told apart: 17 to 21, or to 22."""


@compiled
def dealer_totals(shoe: npt.NDArray[np.int64], missing: npt.NDArray[np.int64], trie: Trie) -> npt.NDArray[np.float64]:
    """Chances of each total (no blackjack) with each up card, given that it is the up card: shape (sets, totals, 10).

    `shoe` (10) holds the cards of each value, `missing` (sets, 10) those taken out of it, the up card not among them.
    """
    sets, totals = missing.shape[0], trie.totals
    out = np.zeros((sets, totals, 10))
    left = np.empty((10, BATCH))
    share = np.empty((LONGEST, BATCH))
    path = np.empty((LONGEST, BATCH))
    sums = np.empty((10 * totals, BATCH))
    for start in range(0, sets, BATCH):
        _fill(shoe, missing, start, left, share)
        for b in range(BATCH):
            path[0, b] = 1.0
            for i in range(10 * totals):
                sums[i, b] = 0.0
        for i in range(trie.value.size):
            at, drawn, gone = trie.depth[i], trie.value[i], float(trie.copy[i])
            for b in range(BATCH):
                path[at, b] = path[at - 1, b] * (left[drawn, b] - gone) * share[at - 1, b]
            for j in range(trie.first[i], trie.first[i + 1]):
                into, ways = trie.slot[j], trie.orders[j]
                for b in range(BATCH):
                    sums[into, b] += ways * path[at, b]
        for b in range(min(BATCH, sets - start)):
            for up in range(10):
                if left[up, b] > 0.0:
                    given = 1.0 / (left[up, b] * share[0, b])
                    for total in range(totals):
                        out[start + b, total, up] = sums[10 * total + up, b] * given
    return out


@compiled
def _fill(
    shoe: npt.NDArray[np.int64],
    missing: npt.NDArray[np.int64],
    start: int,
    left: npt.NDArray[np.float64],
    share: npt.NDArray[np.float64],
) -> None:
    """The cards left in each shoe of a batch, and one over the number of cards at each draw."""
    for b in range(BATCH):
        row = min(start + b, missing.shape[0] - 1)
        cards = 0.0
        for x in range(10):
            left[x, b] = max(0, shoe[x] - missing[row, x])
            cards += left[x, b]
        for drawn in range(LONGEST):
            share[drawn, b] = 1.0 / max(1.0, cards - drawn)
