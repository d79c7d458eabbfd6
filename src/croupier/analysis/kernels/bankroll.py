"""A bankroll, round by round, until it is too small for the next round or has reached its goal."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from croupier.analysis.kernels.compiled import compiled

Floats = npt.NDArray[np.float64]
TOO_SMALL = 1e-30
"""Chances at the edges that are dropped: all of them together stay far below any that is shown."""


class Steps(NamedTuple):
    """One round: results in steps of money, and their chances."""

    nets: npt.NDArray[np.int64]
    chances: Floats


@compiled
def play_on(
    alive: Floats, stopped: Floats, span: tuple[int, int], steps: Steps, ruined: Floats, reached: Floats
) -> Floats:
    """So many rounds as `ruined` and `reached` have places, which get the chance to stop in each of them.

    `alive` and `stopped` (cells) are chances by bankroll; play goes on from `span[0]` to below `span[1]`, and below
    and above there is room for the largest loss and win. Gives `alive` after these rounds; `stopped` grows in place.
    """
    first, last = span
    low, high = last, first
    for cell in range(first, last):
        if alive[cell] > 0.0:
            low, high = min(low, cell), cell + 1
    now, then = alive.copy(), np.zeros_like(alive)
    least, most = steps.nets[0], steps.nets[-1]
    for turn in range(ruined.size):
        then[max(low + least, 0) : high + most] = 0.0
        for term in range(steps.nets.size):
            net, chance = steps.nets[term], steps.chances[term]
            for cell in range(low, high):
                then[cell + net] += chance * now[cell]
        begin, end = low + least, high + most
        for cell in range(begin, first):
            ruined[turn] += then[cell]
            stopped[cell] += then[cell]
            then[cell] = 0.0
        for cell in range(last, end):
            reached[turn] += then[cell]
            stopped[cell] += then[cell]
            then[cell] = 0.0
        now[low:high] = 0.0
        low, high = max(begin, first), min(end, last)
        while low < high and then[low] < TOO_SMALL:
            then[low] = 0.0
            low += 1
        while low < high and then[high - 1] < TOO_SMALL:
            then[high - 1] = 0.0
            high -= 1
        now, then = then, now
        if low >= high:
            break
    return now
