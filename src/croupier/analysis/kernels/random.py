"""Random numbers for kernels: splitmix64, one stream for each block of rounds, and cards shuffled without bias.

Several cards are drawn from one number: it is multiplied by how many cards there are, the whole part says which comes,
and the fraction goes on to the next card. Numbers whose last fraction would make some orders likelier than others are
thrown away, so every order is exactly as likely (Brackett-Rozinsky and Lemire, "Batched Ranged Random Integer
Generation", 2024).

Streams are for sampling. Live shoes come from the operating system's cryptographic generator, never from here.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from croupier.analysis.kernels.compiled import inlined

Cards = npt.NDArray[np.uint8]

STEP = np.uint64(0x9E3779B97F4A7C15)
"""What is added to a stream's state for each number."""
DISTANCE = 2**19
"""In numbers: a part of 4,096 rounds takes some ten thousands."""
HALF = np.uint64(32)
LOW = np.uint64(0xFFFFFFFF)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_30, _27, _31, _ONE = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(1)
_MASK = 2**64 - 1
LARGEST_SEED = _MASK


def stream(seed: int, part: int) -> np.uint64:
    """The first state of a part of a run. Parts of one seed follow each other at a distance that none of them plays."""
    return np.uint64((_mixed(seed) + part * DISTANCE * int(STEP)) & _MASK)


def _mixed(word: int) -> int:
    word = (word + int(STEP)) & _MASK
    word = ((word ^ (word >> 30)) * int(_FIRST)) & _MASK
    word = ((word ^ (word >> 27)) * int(_SECOND)) & _MASK
    return word ^ (word >> 31)


@inlined
def number(state: np.uint64) -> np.uint64:
    """splitmix64's output for a state."""
    word = (state ^ (state >> _30)) * _FIRST
    word = (word ^ (word >> _27)) * _SECOND
    return word ^ (word >> _31)


@inlined
def take(cards: Cards, place: np.uint64, chosen: np.uint64) -> np.uint64:
    """The card that comes to `place`: the `chosen`-th of those that were not dealt before it.

    Places are unsigned throughout, which spares the compiled code the question whether one counts from the end.
    """
    card = cards[place + chosen]
    cards[place + chosen] = cards[place]
    cards[place] = card
    return np.uint64(card)


@inlined
def is_fair(fraction: np.uint64, orders: np.uint64) -> bool:
    """Whether a number of 32 bits that left this fraction may choose among so many orders."""
    return bool(fraction >= orders or fraction >= (LOW - orders + _ONE) % orders)
