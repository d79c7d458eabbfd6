"""Splitting a pair, with the shoe shared by all of its hands: which hands come about, and from which shoes.

A pair is split into two hands, which take their second cards in turn. Another card of the pair opens one more hand
while the rules allow it; any other card closes the hand, which is played out before the next one takes its second card.
Once there are as many hands as may be, every second card closes a hand.

A hand is therefore dealt at a *stage*: `pairs` more cards of the pair and `others` other cards have come as second
cards before it. What other hands drew later tells nothing about its chances, because an unseen card is as likely in
one place of the shoe as in another. So the expected result of a split is a sum over stages, of hands from a shoe that
lacks `pairs` cards of the pair and `others` cards that are not of the pair. The latter are unspecified, which
inclusion and exclusion turns into shoes that lack some more cards of the pair:

    P(a pair cards and b others; X) = sum over j of (-1)^j C(b, j) P(a + j pair cards; X)

where P(k pair cards) is the chance that k given places of the shoe all hold cards of the pair.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from math import comb
from typing import NamedTuple

import numpy as np

from croupier.analysis.blackjack.hands import KEY_OF_VALUE, VALUES, Bools, Floats, Ints, cards_of, hands
from croupier.analysis.kernels.split import Rows
from croupier.games.blackjack.rules import Rules


@dataclass(frozen=True, slots=True)
class Stage:
    """Hands that take their second card after the same cards have been seen."""

    pairs: int
    others: int
    hands: int
    """How many hands of the whole split are dealt here, over all orders of second cards that lead here."""
    last: bool
    """No more hand can be opened, so that the second card may be of the pair."""
    first_hands: int = field(default=0, compare=False)
    """How many of them are the first to be dealt in their order."""


@cache
def stages(most: int, *, opened: int = 0, waiting: int = 2) -> tuple[Stage, ...]:
    """The stages of a pair that may become `most` hands, once `opened` more cards of the pair have opened hands.

    In the middle of a split: of those that wait for their second card, and of what they may become.
    """
    assert waiting + opened <= most or not opened, "more hands than may be"
    all_stages = []
    ways = {(opened, 0): 1}  # orders of second cards that lead to a stage with a hand still to be dealt
    while ways:
        (pairs, others), orders = ways.popitem()
        if waiting + pairs == most:
            all_stages.append(
                Stage(pairs, others, orders * (most - others), last=True, first_hands=orders * (not others))
            )
            continue
        all_stages.append(Stage(pairs, others, orders, last=False, first_hands=orders * (not others)))
        for step in ((pairs + 1, others), (pairs, others + 1)):
            if waiting + step[0] > step[1]:
                ways[step] = ways.get(step, 0) + orders
        ways = dict(sorted(ways.items(), reverse=True))  # the least seen is popped first, when all its orders are in
    return tuple(all_stages)


def shoes_for(most: int) -> int:
    """How many shoes the stages of such a pair need."""
    return 1 + max((stage.pairs + stage.others for stage in stages(most)), default=-1) if most > 1 else 0


def weights(of: Iterable[Stage], in_a_row: Floats) -> Floats:
    """How much each shoe counts for these stages, (shoes, 10 up cards); `in_a_row` holds P(k pair cards)."""
    total = np.zeros_like(in_a_row)
    for stage in of:
        for j in range(stage.others + 1):
            total[stage.pairs + j] += stage.hands * (-1) ** j * comb(stage.others, j) * in_a_row[stage.pairs + j]
    return total


def chances_in_a_row(left: Ints, pair: int, shoes: int) -> Floats:
    """P(k given cards are all of the pair) for k = 0, 1, ... by up card, from a shoe `left` without the pair itself."""
    chances = np.ones((shoes, VALUES))
    up_is_pair = np.arange(VALUES) == pair - 1
    for k in range(1, shoes):
        cards = max(1, int(left.sum()) - 1 - (k - 1))
        chances[k] = chances[k - 1] * np.maximum(0, left[pair - 1] - up_is_pair - (k - 1)) / cards
    return chances


def may_double(rules: Rules, *, after_split: bool) -> Bools:
    """Which hands may be doubled, by place."""
    table = hands()
    allowed = np.array(
        [[rules.may_double(total, soft=soft, after_split=after_split) for soft in (False, True)] for total in range(22)]
    )
    sizes = (table.size >= 2) & ~_is_charlie(rules) if rules.double_any_cards else table.size == 2
    return np.asarray(allowed[table.total, table.soft.astype(np.int64)] & sizes)


def _is_charlie(rules: Rules, *, doubled: bool = False) -> Bools:
    """Which hands have won by the number of their cards, by place."""
    return np.array([rules.is_charlie(0, size, doubled=doubled) for size in range(22)])[hands().size]


CHARLIE_GRADE, BONUS_GRADE = 6, 7


def grades(rules: Rules, *, doubled: bool = False) -> Ints:
    """By place: 0 for 16 and less up to 5 for 21, 6 for a charlie and 7 for a bonus 21; or as they are once doubled."""
    bonus = np.array([rules.is_bonus_21(21, size, doubled=doubled) for size in range(22)])[hands().size]
    by_cards = [bonus & (hands().total == 21), _is_charlie(rules, doubled=doubled)]
    return np.asarray(np.select(by_cards, [BONUS_GRADE, CHARLIE_GRADE], hands().grade))


def free_doubles(rules: Rules) -> Bools:
    """Which hands are doubled with a free chip, where they may be doubled, by place."""
    table = hands()
    free = np.array(
        [[rules.double_is_free(total, soft=soft, cards=2) for soft in (False, True)] for total in range(22)]
    )
    return np.asarray(free[table.total, table.soft.astype(np.int64)] & (table.size == 2))


def may_rescue(rules: Rules) -> Bools:
    """Which hands may be given up where they were doubled, by place."""
    table = hands()
    if not rules.surrender_after_double:
        return np.zeros(len(table.key), dtype=np.bool_)
    return np.asarray((table.size > 2) & ~decides_nothing(rules, doubled=True))


def may_give_up(rules: Rules) -> Bools:
    """Which hands may be surrendered at any time, by place: none where only the first two cards may be."""
    return np.asarray((hands().size >= 2) & ~decides_nothing(rules) & rules.surrender_any_time)


def decides_nothing(rules: Rules, *, doubled: bool = False) -> Bools:
    """Which hands end by themselves, by place: the player stands, whatever a strategy says."""
    ends = np.array([rules.hand_ends(total) for total in range(22)])
    return np.asarray(ends[hands().total] | _is_charlie(rules, doubled=doubled))


class Plan(NamedTuple):
    """What has to be known to split every pair under some rules."""

    missing: Ints
    """(sets, 10): the hands themselves first, then whatever else the splits need."""
    rows: dict[int, Rows]
    """By value of the pair; pairs that may not be split are absent."""


def plan_key(rules: Rules) -> Rules:
    """The rules that matter to a plan, and all others as usual."""
    return Rules(
        double_on=rules.double_on,
        double_after_split=rules.double_after_split,
        split_hands=rules.split_hands,
        resplit_aces=rules.resplit_aces,
        hit_split_aces=rules.hit_split_aces,
        free_doubles=rules.free_doubles,
        charlie=rules.charlie,
        double_any_cards=rules.double_any_cards,
        doubled_charlies=rules.doubled_charlies,
        bonus_21=rules.bonus_21,
    )


def plan_for(rules: Rules) -> Plan:
    """The plan under these rules, made once for the rules that matter to it."""
    return _plan(plan_key(rules))


@lru_cache(maxsize=8)
def _plan(rules: Rules) -> Plan:
    table = hands()
    drafts: dict[int, tuple[Ints, Ints]] = {}
    for pair in range(1, VALUES + 1):
        if rules.hands_from(pair) > 1:
            longest = 2 if rules.one_card_only(pair) else 21
            place = np.flatnonzero((table.cards[:, pair - 1] > 0) & (table.size <= longest))
            gone = np.arange(1, shoes_for(rules.hands_from(pair)) + 1) * KEY_OF_VALUE[pair - 1]
            drafts[pair] = place, table.key[place][:, None] + gone
    keys = np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *(key.ravel() for _, key in drafts.values())]))
    extra = np.setdiff1d(keys, table.key, assume_unique=True)
    all_keys = np.concatenate((table.key, extra))
    order = np.argsort(all_keys)
    rows = {
        pair: _rows(rules, pair, place, order[np.searchsorted(all_keys, key, sorter=order)])
        for pair, (place, key) in drafts.items()
    }
    return Plan(cards_of(all_keys), rows)


def _rows(rules: Rules, pair: int, place: Ints, missing: Ints) -> Rows:
    table = hands()
    row_of = np.full(len(table.key) + 1, -1)
    row_of[place] = np.arange(len(place))
    cards = table.cards[place]
    drawn_cards = cards.copy()
    drawn_cards[:, pair - 1] -= 1
    drawn = VALUES - 1 - np.argmax(drawn_cards[:, ::-1] > 0, axis=1)
    parent_key = table.key[place] - KEY_OF_VALUE[drawn]
    order = np.argsort(table.key[place])
    parent = order[np.minimum(np.searchsorted(table.key[place], parent_key, sorter=order), len(place) - 1)]
    size = table.size[place]
    return Rows(
        pair=pair - 1,
        place=place,
        parent=parent,
        drawn=drawn,
        cards=cards,
        size=size,
        grade=grades(rules)[place],
        doubled_grade=grades(rules, doubled=True)[place],
        child=row_of[table.child[place]],
        missing=missing,
        may_double=may_double(rules, after_split=True)[place] & (not rules.one_card_only(pair)),
        free=free_doubles(rules)[place],
    )
