"""With which cards a blackjack player goes out: broken, surrendered, or paid for a blackjack or for many cards.

A player's play looks at the player's own cards and the up card. So a way to go out is a set of cards that leave the
shoe, in a number of orders; every order of the same cards is equally likely.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from croupier.analysis.blackjack.hands import KEY_OF_VALUE, Floats, Ints, cards_of, hands
from croupier.analysis.blackjack.pairs import Split
from croupier.analysis.blackjack.splits import CHARLIE_GRADE, grades
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
    """Hands without a split: broken, surrendered, a blackjack, or one that has won by its cards."""
    table, rules = hands(), play.table.rules
    won, doubled_won = ((grades(rules, doubled=doubled) >= CHARLIE_GRADE).tolist() for doubled in (False, True))
    rescues = play.strategy.rescues[:, up - 1].tolist()
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
        if hand == blackjack or act == Action.SURRENDER or won[hand]:
            outs[keys[hand]] = outs.get(keys[hand], 0) + ways
        elif act in (Action.HIT, Action.DOUBLE):
            for step, child in zip(steps, children[hand], strict=True):
                ends = act == Action.DOUBLE and (rescues[child] or doubled_won[child])
                if child < 0 or ends:
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
    """One hand of a split that goes out: its cards beside its card of the pair; `again` lets the second be of it too.

    Most break; where the rules have it, others are given up or have won by their cards.
    """
    rows = split.rows
    parts = []
    seconds = (split.others, split.again) if again else (split.others,)
    rescued = strategy.rescued(split.pair)
    for second, choice, rescues in zip(seconds, strategy.after_split[split.pair], rescued, strict=False):
        orders = count_orders(rows, second, choice)[:, up - 1]
        act = choice[:, up - 1]
        draws = ((act == Action.HIT) | (act == Action.DOUBLE)) & (orders > 0)
        ends = rescues[:, up - 1] | (rows.doubled_grade >= CHARLIE_GRADE)
        ended = (act == Action.DOUBLE)[:, None] & (rows.child >= 0) & ends[rows.child]
        row, card = np.nonzero(draws[:, None] & ((rows.child < 0) | ended))
        own = KEY_OF_VALUE[split.pair - 1]
        parts.append((rows.cards[row] @ KEY_OF_VALUE - own + KEY_OF_VALUE[card], orders[row]))
        out = np.flatnonzero((orders > 0) & ((act == Action.SURRENDER) | (rows.grade >= CHARLIE_GRADE)))
        parts.append((rows.cards[out] @ KEY_OF_VALUE - own, orders[out]))
    return as_draws(np.concatenate([keys for keys, _ in parts]), np.concatenate([orders for _, orders in parts]))
