"""How two hands that share a shoe end together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from croupier.analysis.kernels.compiled import compiled


class Items(NamedTuple):
    """Hands, and parts of hands, that a sum over two hands runs through."""

    key: npt.NDArray[np.int64]
    """The cards, as one integer."""
    label: npt.NDArray[np.int64]
    """How the hand ends."""
    orders: npt.NDArray[np.float64]
    """In how many orders it comes about."""
    again: npt.NDArray[np.int64]
    """1 where its second card is of the pair."""


@compiled
def join_hands(
    items: Items, labels: int, union: npt.NDArray[np.int64], endings: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Chances by (label of one hand, label of the other, dealer's ending): shape (labels, labels, endings).

    Two hands are taken in one order only, and a hand with itself by half, so that the chances both ways round are this
    and its transpose together. `union` (items, items) says which set of cards two hands are together, and `endings`
    (3, sets, endings) how often that set is drawn in one order and the dealer ends so, where neither, one or both
    hands are pairs again.
    """
    ends = endings.shape[2]
    out = np.zeros((labels, labels, ends))
    for i in range(items.label.size):
        for j in range(i + 1):
            ways = items.orders[i] * items.orders[j] * (0.5 if i == j else 1.0)
            part = endings[items.again[i] + items.again[j], union[i, j]]
            for end in range(ends):
                out[items.label[i], items.label[j], end] += ways * part[end]
    return out
