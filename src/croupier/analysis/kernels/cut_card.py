"""Deals shoes to several cut cards at once, and beside each a fixed number of rounds from the same shoe."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from croupier.analysis.kernels.compiled import compiled
from croupier.analysis.kernels.random import Cards
from croupier.analysis.kernels.shoe_play import Counts, Seats, ShoeTables, _shuffle_ahead, play_shoes

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
_NO_STATE = np.uint64(0)


class Dealt(NamedTuple):
    """Sums of some shoes."""

    rounds: Ints
    """(cuts): rounds that begin before the cut card."""
    beside: Floats
    """(cuts): what all seats won in these rounds, less what they won in the fixed number of rounds."""
    together: Floats
    """(3): the rounds of the deepest cut, the squares of what all seats won in one, and those of each seat's."""
    short: Ints
    """(cuts): shoes that ran out before that."""


@compiled
def deal_to_cuts(
    state: np.uint64,
    shoes: int,
    seats: Seats,
    shoe: Cards,
    tables: ShoeTables,
    nets: Floats,
    cuts: Ints,
    fixed: Ints,
    counts: Counts,
    found: Dealt,
) -> None:
    """Adds to `found`. `nets` are what a seat wins by the first bins of `counts`; `cuts` rise; `fixed` are the rounds
    that are set beside those of each cut."""
    size = np.uint64(shoe.size)
    last = cuts.size - 1
    for _ in range(shoes):
        ready = _NO_STATE
        while ready < size:
            ready, state = _shuffle_ahead(shoe, ready, state)
        dealt, rounds = np.int64(tables.burned), 0
        while dealt < cuts[last] or rounds < fixed[last]:
            counts[:] = 0
            after = np.int64(play_shoes(_NO_STATE, 1, seats, shoe, int(dealt), tables, counts))
            if after > shoe.size:
                for cut in range(cuts.size):
                    found.short[cut] += int(dealt < cuts[cut] or rounds < fixed[cut])
                break
            won, squares = 0.0, 0.0
            for each in range(nets.size):
                won += counts[each] * nets[each]
                squares += counts[each] * nets[each] * nets[each]
            for cut in range(cuts.size):
                inside, counted = dealt < cuts[cut], rounds < fixed[cut]
                found.rounds[cut] += int(inside)
                found.beside[cut] += won * (int(inside) - int(counted))
            if dealt < cuts[last]:
                found.together[0] += 1
                found.together[1] += won * won
                found.together[2] += squares
            dealt = after
            rounds += 1
