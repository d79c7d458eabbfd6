"""Every hand a player can hold without breaking, in a fixed order, with its total and what it becomes by each card.

A hand is a multiset of card values: how many aces, twos, ... tens. There are 3,082 of at least one card with a hard
total of at most 21. Hands are ordered by that total, so that drawing always leads to a later place. A set of cards
is written as one integer, `key`, six bits for each value.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from croupier.games.blackjack.rules import ACE, count

Ints: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
Bools: TypeAlias = npt.NDArray[np.bool_]

VALUES = 10
KEY_BITS = 6
"""Two hands together, with a few cards more, hold less than 64 of a value."""
KEY_OF_VALUE: Ints = 1 << (KEY_BITS * np.arange(VALUES, dtype=np.int64))
"""What one ace, two, ... ten adds to a key."""


def cards_of(keys: Ints) -> Ints:
    """(sets, 10): how many of each value a set of cards holds."""
    cards = np.empty((len(keys), VALUES), dtype=np.int64)
    for value in range(VALUES):
        np.bitwise_and(keys >> (KEY_BITS * value), 2**KEY_BITS - 1, out=cards[:, value])
    return cards


def in_order(left: Ints, drawn: Ints) -> Floats:
    """The chance to draw these cards (sets, 10) from `left` (10) in one given order."""
    size = sum((drawn[:, value] for value in range(VALUES)), np.zeros(len(drawn), dtype=np.int64))
    steps = np.arange(int(size.max(initial=0)))
    falling = np.cumprod(np.hstack((np.ones((VALUES, 1)), np.maximum(0.0, left[:, None] - steps))), axis=1)
    all_cards = np.cumprod(np.concatenate(([1.0], np.maximum(1.0, left.sum() - steps))))
    ways = np.ones(len(drawn))
    for value in range(VALUES):  # one value after the other: many rows of ten are slow to multiply row by row
        ways *= falling[value][drawn[:, value]]
    chances: Floats = ways / all_cards[size]
    return chances


class Hands(NamedTuple):
    """The table of hands; every array has one row a hand."""

    cards: Ints
    """(hands, 10): how many of each value, aces first."""
    key: Ints
    size: Ints
    """How many cards."""
    total: Ints
    soft: Bools
    child: Ints
    """(hands, 10): the place of the hand after drawing each value, -1 where it breaks."""

    def place(self, values: tuple[int, ...]) -> int:
        """The place of the hand that holds these values; it must not be broken."""
        key = sum(int(KEY_OF_VALUE[value - 1]) for value in values)
        return int(self._places[key])

    @property
    def _places(self) -> dict[int, int]:
        return _places()

    @property
    def grade(self) -> Ints:
        """0 for 16 and less, which only a broken dealer loses to, up to 5 for 21."""
        return np.maximum(self.total, 16) - 16


@cache
def hands() -> Hands:
    """The table, made once."""
    cards = _all_cards()
    key = cards @ KEY_OF_VALUE
    hard = cards @ np.arange(1, VALUES + 1)
    # One small domain, so the rule itself says what every hand counts.
    counted = {(low, ace): count((ACE, low - 1) if ace else (low,)) for low in range(2, 22) for ace in (False, True)}
    counted[1, True] = count((ACE,))
    counts = [counted[low, ace] for low, ace in zip(hard.tolist(), (cards[:, 0] > 0).tolist(), strict=True)]
    after = key[:, None] + KEY_OF_VALUE
    child = _find(key, after)
    return Hands(
        cards=cards,
        key=key,
        size=cards.sum(axis=1),
        total=np.array([count.total for count in counts]),
        soft=np.array([count.soft for count in counts]),
        child=np.where(hard[:, None] + np.arange(1, VALUES + 1) <= 21, child, -1),
    )


@cache
def _places() -> dict[int, int]:
    return {key: place for place, key in enumerate(hands().key.tolist())}


def _all_cards() -> Ints:
    """All hands by their cards, ordered by hard total: each is a smaller hand and a card not below its highest."""
    by_total: list[list[tuple[int, ...]]] = [[(0,) * VALUES]] + [[] for _ in range(21)]
    for value in range(1, VALUES + 1):
        for low in range(value, 22):
            for smaller in by_total[low - value][:]:
                by_total[low].append((*smaller[: value - 1], smaller[value - 1] + 1, *smaller[value:]))
    return np.array([hand for low in by_total[1:] for hand in low])


def _find(keys: Ints, wanted: Ints) -> Ints:
    """The places of the wanted keys; any place where a key is missing."""
    order = np.argsort(keys)
    spot = np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)
    return np.asarray(order[spot])
