"""The tables with which blackjack is sampled: strategy, dealer and settling, each asked of the rules themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.blackjack.hands import VALUES, Ints, hands
from croupier.analysis.blackjack.side.deals import FIRST, SECOND, TYPES, VALUE_OF_TYPE, dealers_findings
from croupier.analysis.blackjack.splits import plan_for
from croupier.analysis.blackjack.strategy import Action, Strategy
from croupier.analysis.kernels.shoe_play import BROKEN, CODES, NATURAL, STRIDE, TOTALS, LooksAt, ShoeTables
from croupier.cards.card import DECK
from croupier.games.blackjack.game import BURNED, shuffle_place
from croupier.games.blackjack.hand import (
    BET,
    BLACKJACK,
    DEALER_RESULTS,
    LOSE,
    PUSH,
    SURRENDER,
    TWENTY_TWO,
    WIN,
    WON_BLACKJACK,
    Ending,
    bet_under,
    dealer_results,
)
from croupier.games.blackjack.hand import FIRST as FIRST_HAND
from croupier.games.blackjack.hand import SPLIT as FROM_SPLIT
from croupier.games.blackjack.rules import Count, Rules, count
from croupier.games.blackjack.side_wagers import BUST, INSURANCE, SideWager, is_blackjack, value
from croupier.games.tabulate import deal_all
from croupier.games.wager import AgainstDealer, Fact, OnDeal, Outcome, Wager

MOST_NET = 8
"""What a round can win or lose at most: four hands, each doubled."""
BET_LINES = (*range(-MOST_NET, MOST_NET + 1), WON_BLACKJACK, SURRENDER)
"""How a round of the Bet is counted: by units won or lost, except for what pays in another way."""
HAND_LINES = tuple(product(BET.outcomes, (False, True), (False, True)))
"""How its hands are counted: by outcome, whether it was doubled, whether it is from a split."""
_DEALER_ENDS: tuple[int | str, ...] = (*DEALER_RESULTS, TWENTY_TWO)
_SIGNS = {WIN: 1, LOSE: -1, PUSH: 0}
_LOOKS_AT = {
    Fact.DEALER_BLACKJACK: LooksAt.BLACKJACK,
    Fact.UP_CARD: LooksAt.UP_CARD,
    Fact.THIRD_CARD: LooksAt.THIRD_CARD,
    Fact.DEALER_TOTAL: LooksAt.DEALER_TOTAL,
    Fact.NOTHING: LooksAt.NOTHING,
    Fact.DEALERS_TWO: LooksAt.DEALERS_TWO,
}


Caps = Callable[[SideWager], NDArray[np.bool_]]
"""(pairs, 10): where the proceeds of a wager are put on the Bet."""


def _never(_: SideWager) -> NDArray[np.bool_]:
    return np.zeros((len(FIRST), VALUES), dtype=np.bool_)


def shoe_tables(
    rules: Rules,
    strategy: Strategy,
    sides: Sequence[Wager],
    *,
    seats: int,
    fresh: bool = False,
    caps: Caps = _never,
) -> ShoeTables:
    """Tables for these side wagers beside the Bet; `fresh` shuffles before every round, as the exact count does."""
    nodes, dealer = _nodes(rules, strategy), _dealer(rules)
    side, side_bin, bins = _sides(sides, len(BET_LINES) + len(HAND_LINES), caps)
    hand_bin, hand_net = _hand_ends(rules)
    return ShoeTables(
        bins=bins + 1,
        hole_card=rules.hole_card,
        burned=BURNED,
        cut=0 if fresh else shuffle_place(rules, seats),
        type=_types(),
        blackjack=np.array([[_is_blackjack(a, b) for b in _VALUES] for a in _VALUES], dtype=np.uint8),
        start=nodes.start,
        split_start=nodes.split_start,
        most_hands=np.array([rules.hands_from(each) for each in _VALUES]),
        move=nodes.move,
        next=nodes.next,
        dealer_start=dealer.start,
        dealer_next=dealer.next,
        dealer_end=dealer.end,
        hand_bin=hand_bin,
        hand_net=hand_net,
        round_bin=_round_bins(),
        pair=_pairs(),
        side=side,
        side_bin=side_bin,
        void_bin=bins,
    )


_VALUES = range(1, VALUES + 1)


def _is_blackjack(one: int, other: int) -> bool:
    return is_blackjack((_OF_VALUE[one], _OF_VALUE[other]))


_OF_VALUE = {value(card): card for card in DECK}
"""A card of each value, to ask rules about."""


def card_codes() -> NDArray[np.uint8]:
    """(52): the byte of each type of card in a kernel's shoe, see `shoe_play`."""
    found: list[int] = []
    for worth in VALUE_OF_TYPE.tolist():
        found.append(16 * worth + sum(code // 16 == worth for code in found))
    return np.array(found, dtype=np.uint8)


def _types() -> NDArray[np.uint16]:
    """(160): back from bytes to types."""
    types = np.zeros(16 * VALUES, dtype=np.uint16)
    types[card_codes()] = np.arange(TYPES)
    return types


def shoe_cards(rules: Rules) -> NDArray[np.uint8]:
    """A shoe in the order of new decks."""
    return np.tile(card_codes(), rules.decks)


# The players


class _Nodes(NamedTuple):
    start: NDArray[np.uint16]
    split_start: NDArray[np.uint16]
    move: NDArray[np.uint8]
    next: NDArray[np.uint16]


def _nodes(rules: Rules, strategy: Strategy) -> _Nodes:
    """The strategy as nodes: hands that are played alike, whatever is drawn to them, become one."""
    # What works strategies out is loaded only here: a run from kept tables starts without it.
    table = hands()
    places = len(table.key)
    # Each situation has a copy of all hands: unsplit, and by pair after a second card that is of the pair or not.
    situations = [_unsplit(strategy)]
    first = {}
    for pair, rows in plan_for(rules).rows.items():
        for again, choices in enumerate(strategy.after_split[pair]):
            first[pair, bool(again)] = len(situations) * places
            moves = np.zeros((places, VALUES), dtype=np.uint8)
            moves[rows.place] = choices
            situations.append(moves)
    broken, natural = len(situations) * places, len(situations) * places + 1
    move = np.vstack([*situations, np.zeros((2, VALUES), dtype=np.uint8)])
    child = [np.where(table.child < 0, broken, table.child + i * places) for i in range(len(situations))]
    after = np.vstack([*child, np.full((2, VALUES), broken)])
    total = np.concatenate([*[table.total] * len(situations), [BROKEN, NATURAL]])
    move[total >= 21] = Action.STAND
    start = np.array([[natural if _is_blackjack(a, b) else table.place((a, b)) for b in _VALUES] for a in _VALUES])
    split_start = np.full((VALUES, VALUES), broken)
    for pair, second in product(plan_for(rules).rows, _VALUES):
        split_start[pair - 1, second - 1] = first[pair, second == pair] + table.place((pair, second))
    kept = _reached(np.concatenate((start.ravel(), split_start.ravel())), after)
    kind = _alike(move[kept], total[kept], np.searchsorted(kept, after[kept]))
    one_of = np.unique(kind, return_index=True)[1]
    node = np.zeros(len(move), dtype=np.int64)
    node[kept] = kind
    said: Ints = np.zeros((len(one_of), STRIDE), dtype=np.int64)
    said[:, :VALUES], said[:, VALUES] = move[kept][one_of], total[kept][one_of]
    following: Ints = np.zeros_like(said)
    following[:, :VALUES] = STRIDE * node[after[kept][one_of]]
    assert following.max() < 2**16, "nodes are words"
    return _Nodes(
        (STRIDE * node[start]).astype(np.uint16),
        (STRIDE * node[split_start]).astype(np.uint16),
        said.ravel().astype(np.uint8),
        following.ravel().astype(np.uint16),
    )


def _unsplit(strategy: Strategy) -> NDArray[np.uint8]:
    two = hands().size == 2
    return np.where(two[:, None], strategy.first, strategy.draws).astype(np.uint8)


def _reached(begin: Ints, after: Ints) -> Ints:
    """The nodes that can come up, in order."""
    seen = np.zeros(len(after), dtype=np.bool_)
    front = np.unique(begin)
    while len(front):
        seen[front] = True
        following = np.unique(after[front])
        front = following[~seen[following]]
    return np.flatnonzero(seen)


def _alike(move: Ints, total: Ints, after: Ints) -> Ints:
    """The kind of each node: nodes of one kind have the same moves and totals, and lead to the same kinds."""
    kind = np.unique(np.column_stack((move, total)), axis=0, return_inverse=True)[1].ravel()
    while True:
        finer = np.unique(np.column_stack((kind, kind[after])), axis=0, return_inverse=True)[1].ravel()
        if finer.max() == kind.max():
            return np.asarray(finer)
        kind = finer


# The dealer


DRAWS = 255


class _Dealer(NamedTuple):
    start: NDArray[np.uint8]
    next: NDArray[np.uint8]
    end: NDArray[np.uint8]


def _dealer(rules: Rules) -> _Dealer:
    """The dealer's hands by what they count, from any two cards on."""
    counts: dict[Count, int] = {}
    after: list[list[int]] = []
    held: list[tuple[int, ...]] = []

    def place(cards: tuple[int, ...]) -> int:
        counted = count(cards)
        if counted not in counts:
            counts[counted] = len(counts)
            held.append(cards)
        return counts[counted]

    start = np.array([[place((a, b)) for b in _VALUES] for a in _VALUES])
    for cards in held:  # grows as hands are found
        total, soft = count(cards)
        draws = rules.dealer_draws(total, soft=soft) and total < BUST
        after.append([place((*cards, drawn)) if draws else 0 for drawn in _VALUES])
    end = [DRAWS if rules.dealer_draws(total, soft=soft) else _ends_with(rules, total) for total, soft in counts]
    return _Dealer(start.astype(np.uint8), np.array(after, dtype=np.uint8), np.array(end, dtype=np.uint8))


def _ends_with(rules: Rules, total: int) -> int:
    """The place of a dealer's total among the endings."""
    pushes = rules.push_22 and total == BUST
    return _DEALER_ENDS.index(TWENTY_TWO if pushes else min(total, BUST))


# How wagers end


_APART = {WON_BLACKJACK: 2 * MOST_NET, SURRENDER: -2 * MOST_NET}
"""Where a hand that is a line of its own stands among what rounds win or lose: beyond all the others."""


def _hand_ends(rules: Rules) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    """(codes, dealer's ends): the bin of a hand and its part of the round's result, as the Bet's judgments say."""
    basis = bet_under(rules).basis
    assert isinstance(basis, AgainstDealer)
    judge = {choice.key: choice.judge for choice in basis.choices}
    ends = len(dealer_results(rules))
    bins, nets = np.zeros((CODES, ends), dtype=np.uint8), np.zeros((CODES, ends), dtype=np.int8)
    ways = enumerate(product((False, True), (FIRST_HAND, FROM_SPLIT, Ending.SURRENDERED)))
    for (way, (doubled, key)), total in product(ways, range(4, TOTALS)):
        for end, dealer in enumerate(dealer_results(rules)):
            player = BLACKJACK if total == NATURAL else min(total, BUST)
            outcome = judge[key](player, dealer)
            line = HAND_LINES.index((outcome, doubled, key == FROM_SPLIT))
            bins[way * TOTALS + total, end] = len(BET_LINES) + line
            nets[way * TOTALS + total, end] = _APART.get(outcome, _SIGNS.get(outcome, 0) * (1 + doubled))
    return bins, nets


def _round_bins() -> NDArray[np.uint8]:
    """By what a round won or lost: its place in BET_LINES."""
    bins = np.zeros(4 * MOST_NET + 1, dtype=np.uint8)
    for place, line in enumerate(BET_LINES):
        bins[2 * MOST_NET + (line if isinstance(line, int) else _APART[line])] = place
    return bins


def _pairs() -> NDArray[np.uint16]:
    """(52, 52): the row of two types, in no order, in the tables of side wagers."""
    row = np.zeros((TYPES, TYPES), dtype=np.uint16)
    row[FIRST, SECOND] = row[SECOND, FIRST] = np.arange(len(FIRST))
    return row


def side_lines(wager: Wager) -> list[tuple[Outcome, int | Outcome | None]]:
    """How a side wager is counted: by outcome, and by what the round came to where its proceeds were put on the Bet."""
    lines: list[tuple[Outcome, int | Outcome | None]] = [(outcome, None) for outcome in wager.outcomes]
    if isinstance(wager, SideWager) and wager.caps:
        lines += [(outcome, line) for outcome in wager.outcomes[:-1] for line in BET_LINES]
    return lines


def _sides(sides: Sequence[Wager], first_bin: int, caps: Caps) -> tuple[NDArray[np.uint64], NDArray[np.uint8], int]:
    """The tables of side wagers one after another, and the first bin after theirs."""
    rows, tables, start = [], [np.zeros(0, dtype=np.uint8)], 0
    for wager in sides:
        assert isinstance(wager.basis, OnDeal)
        looks_at = LooksAt.INSURANCE if wager is INSURANCE else _LOOKS_AT[wager.basis.fact]
        if isinstance(wager, SideWager) and wager.caps:
            looks_at = LooksAt.CAPS
        table = np.frombuffer(deal_all(wager), dtype=np.uint8)
        cases = TYPES if looks_at == LooksAt.DEALER_TOTAL else len(FIRST)
        rows.append((looks_at, start, len(table) // cases))
        tables.append(table + np.uint8(first_bin))
        start += len(table)
        if looks_at == LooksAt.DEALERS_TWO:
            # What each two cards of the dealer are read as follows the table.
            tables.append(dealers_findings(wager)[1])
            start += len(FIRST)
        if looks_at == LooksAt.CAPS:
            assert isinstance(wager, SideWager)
            first = first_bin + len(wager.outcomes) + len(BET_LINES) * table[:, None].astype(np.int64)
            wins = table < len(wager.outcomes) - 1  # the last outcome loses
            capped = np.where(caps(wager) & wins[:, None], first, 0)
            assert capped.max() + len(BET_LINES) <= 256, "bins are bytes"
            tables.append(capped.astype(np.uint8).ravel())
            start += capped.size
        first_bin += len(side_lines(wager))
    assert first_bin < 256, "bins are bytes"
    return np.array(rows, dtype=np.uint64).reshape(-1, 3), np.concatenate(tables), first_bin
