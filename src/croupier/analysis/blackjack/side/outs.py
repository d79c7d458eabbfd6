"""With which cards a blackjack player goes out: broken, surrendered, or paid for a blackjack.

A player's play looks at the player's own cards and the up card. So a way to go out is a set of cards that leave the
shoe, in a number of orders; every order of the same cards is equally likely.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from croupier.analysis.blackjack.hands import KEY_OF_VALUE, Floats, Ints, cards_of, hands
from croupier.analysis.blackjack.pairs import Split
from croupier.analysis.blackjack.strategy import Action, Strategy
from croupier.analysis.blackjack.table import Table
from croupier.analysis.kernels.split import count_orders
from croupier.games.blackjack.rules import ACE, TEN


class Play(Protocol):
    """A way to play at a table, and what first hands are then worth: a solved game or an evaluated chart."""

    @property
    def table(self) -> Table: ...
    @property
    def strategy(self) -> Strategy: ...
    @property
    def value(self) -> Floats: ...


class Draws(NamedTuple):
    """Sets of cards that may be drawn, and in how many orders each."""

    cards: Ints
    """(sets, 10)."""
    orders: Floats


def unsplit_outs(play: Play, up: int) -> Draws:
    """Hands without a split: broken, surrendered, or a blackjack."""
    table = hands()
    reached = np.where(table.size == 2, np.where(table.cards.max(axis=1) == 2, 1, 2), 0).tolist()
    blackjack = table.place((ACE, TEN))
    first, later = play.strategy.first[:, up - 1].tolist(), play.strategy.draws[:, up - 1].tolist()
    keys, sizes, children = table.key.tolist(), table.size.tolist(), table.child.tolist()
    steps = KEY_OF_VALUE.tolist()
    outs: dict[int, int] = {}
    for hand in range(len(reached)):  # every draw leads to a later place
        ways = reached[hand]
        act = first[hand] if sizes[hand] == 2 else later[hand]
        if not ways:
            continue
        if hand == blackjack or (sizes[hand] == 2 and act == Action.SURRENDER):
            outs[keys[hand]] = outs.get(keys[hand], 0) + ways
        elif act in (Action.HIT, Action.DOUBLE):
            for step, child in zip(steps, children[hand], strict=True):
                if child < 0:
                    outs[keys[hand] + step] = outs.get(keys[hand] + step, 0) + ways
                elif act == Action.HIT:
                    reached[child] += ways
    return as_draws(np.array(list(outs)), np.array(list(outs.values()), dtype=np.float64))


def as_draws(keys: Ints, orders: Floats) -> Draws:
    """Sets of cards, those that occur twice added up."""
    if not len(keys):
        return Draws(cards_of(keys), orders)
    by_key = np.argsort(keys)
    rising = keys[by_key]
    starts = np.flatnonzero(np.diff(rising, prepend=-1))
    return Draws(cards_of(rising[starts]), np.add.reduceat(orders[by_key], starts))


def broken_hands(split: Split, strategy: Strategy, up: int, *, again: bool) -> Draws:
    """One hand of a split that breaks: its cards beside its card of the pair; `again` lets the second be of it too."""
    rows = split.rows
    parts = []
    seconds = (split.others, split.again) if again else (split.others,)
    for second, choice in zip(seconds, strategy.after_split[split.pair], strict=False):
        orders = count_orders(rows, second, choice)[:, up - 1]
        act = choice[:, up - 1]
        draws = ((act == Action.HIT) | (act == Action.DOUBLE)) & (orders > 0)
        breaks = draws[:, None] & (rows.child < 0)
        row, card = np.nonzero(breaks)
        own = KEY_OF_VALUE[split.pair - 1]
        parts.append((rows.cards[row] @ KEY_OF_VALUE - own + KEY_OF_VALUE[card], orders[row]))
    return as_draws(np.concatenate([keys for keys, _ in parts]), np.concatenate([orders for _, orders in parts]))
