"""The tables with which blackjack is sampled: strategy, dealer and settling, each asked of the rules themselves.

What cannot be counted, how two hands of one seat swing together, is sampled here too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.blackjack.hands import VALUES, Ints, hands
from croupier.analysis.blackjack.side.deals import FIRST, SECOND, TYPES, VALUE_OF_TYPE, dealers_findings
from croupier.analysis.blackjack.splits import BONUS_GRADE, CHARLIE_GRADE, free_doubles, grades, plan_for
from croupier.analysis.blackjack.strategy import Action, Strategy, nowhere
from croupier.analysis.blackjack.switch import PAIRS, Switching
from croupier.analysis.blackjack.table import zappable
from croupier.analysis.kernels.shoe_play import (
    BONUS_21,
    BROKEN,
    CHARLIE,
    CODES,
    CODES_WITH_ANY_GIVEN_UP,
    CODES_WITH_FREE_CHIPS,
    CODES_WITH_RESCUES,
    DIAMONDS,
    DOUBLE_FREE,
    DOUBLED,
    DOUBLED_FREE,
    GIVEN_UP_EARLY,
    GIVEN_UP_SPLIT,
    LENT,
    NATURAL,
    NO_NODE,
    RESCUED,
    STRIDE,
    SURRENDER_EARLY,
    TOTALS,
    LooksAt,
    ShoeTables,
)
from croupier.analysis.kernels.shoe_play import FIRST as FIRST_CODE
from croupier.analysis.kernels.shoe_play import FROM_SPLIT as SPLIT_CODE
from croupier.analysis.kernels.shoe_play import SURRENDERED as GIVEN_UP_CODE
from croupier.cards.card import DECK, Suit
from croupier.errors import NotationError
from croupier.games.blackjack.game import BlackjackGame
from croupier.games.blackjack.hand import (
    ADDED,
    BET,
    BLACKJACK,
    DEALER_RESULTS,
    DOUBLED_ORIGINAL,
    LOSE,
    ORIGINAL_BET,
    PUSH,
    SURRENDER,
    TWENTY_TWO,
    WIN,
    WON_BLACKJACK,
    WON_BONUS_21,
    WON_CHARLIE,
    WON_DIAMONDS,
    Ending,
    bet_under,
    dealer_results,
)
from croupier.games.blackjack.hand import DIAMONDS as IN_DIAMONDS
from croupier.games.blackjack.hand import FIRST as FIRST_HAND
from croupier.games.blackjack.hand import SPLIT as FROM_SPLIT
from croupier.games.blackjack.rules import BURNED, Count, EarlySurrender, Rules, count, shuffle_place
from croupier.games.blackjack.side_wagers import BUST, INSURANCE, RED, SUITED_ACE_KING, SideWager, is_blackjack, value
from croupier.games.money import Stake, StakeKind
from croupier.games.tabulate import PLAYED_OUT, deal_all
from croupier.games.wager import AgainstDealer, Alike, Fact, OnDeal, Outcome, Wager

MOST_NET = 8
"""What a round can win or lose at most: four hands, each doubled."""
BET_LINES = (*range(-MOST_NET, MOST_NET + 1), WON_BLACKJACK, SURRENDER)
"""How a round of the Bet is counted: by units won or lost, except for what pays in another way."""
TWO_HANDS_LINES = tuple(range(-2 * MOST_NET, 2 * MOST_NET + 1))
"""The same where a seat has two hands, by bets of one hand; and where any hand may be given up, by half units."""


def bet_lines(rules: Rules) -> tuple[int | Outcome, ...]:
    """The lines under these rules; those that are numbers are parts of the Bet, see `parts_of_bet`."""
    if rules.switch:
        return TWO_HANDS_LINES
    lines: tuple[int | Outcome, ...] = BET_LINES
    if rules.surrender_any_time:
        lines = (*TWO_HANDS_LINES, WON_BLACKJACK)
    return (*lines, WON_DIAMONDS) if rules.diamond_blackjack else lines


def parts_of_bet(rules: Rules) -> int:
    """Into how many parts the lines divide the Bet."""
    return 2 if rules.switch or rules.surrender_any_time else 1


def bet_nets(game: BlackjackGame) -> list[Fraction]:
    """What a round wins or loses by its line, per unit of the Bet."""
    wager = game.wager(BET.key)
    prices = wager.prices(next(iter(wager.paytables.values())))
    parts = parts_of_bet(game.rules)
    return [Fraction(line, parts) if isinstance(line, int) else prices[line].net for line in bet_lines(game.rules)]


class HandLine(NamedTuple):
    """How a hand is counted."""

    outcome: Outcome
    doubled: bool
    from_split: bool
    lent: bool = False
    """Whether it began with a free chip."""
    doubled_free: bool = False


def hand_lines(rules: Rules) -> tuple[HandLine, ...]:
    """By outcome, whether it was doubled, whether it is from a split; and by its chips where some are free."""
    plain = [HandLine(*line) for line in product(bet_under(rules).outcomes, (False, True), (False, True))]
    if not rules.has_free_chips:
        return tuple(plain)
    lent = [HandLine(outcome, doubled, True, lent=True) for outcome, doubled in product(BET.outcomes, (False, True))]
    free = [line._replace(doubled_free=True) for line in (*plain, *lent) if line.doubled]
    return (*plain, *lent, *free)


_NATURALS = {NATURAL: BLACKJACK, DIAMONDS: IN_DIAMONDS}
_DEALER_ENDS: tuple[int | str, ...] = (*DEALER_RESULTS, TWENTY_TWO)
_PLAYED_OUT_TO: dict[int | str, int] = {
    **{total: total for total in PLAYED_OUT},
    **{BUST: PLAYED_OUT[-1], BLACKJACK: 21, TWENTY_TWO: BUST},
}
"""The total of a dealer's hand by how it ends where a 22 pushes."""
_SIGNS = {WIN: 1, LOSE: -1, PUSH: 0, WON_BLACKJACK: 1, WON_CHARLIE: 1, WON_BONUS_21: 2}
"""What a hand wins or loses in wagers; a blackjack so only where it pays 1 to 1, with two hands."""
_LOOKS_AT = {
    Fact.DEALER_BLACKJACK: LooksAt.BLACKJACK,
    Fact.UP_CARD: LooksAt.UP_CARD,
    Fact.THIRD_CARD: LooksAt.THIRD_CARD,
    Fact.DEALER_TOTAL: LooksAt.DEALER_TOTAL,
    Fact.NOTHING: LooksAt.NOTHING,
    Fact.DEALERS_TWO: LooksAt.DEALERS_TWO,
    Fact.OTHER_HAND: LooksAt.OTHER_HAND,
    Fact.DEALER_HAND: LooksAt.DEALER_HAND,
}


Caps = Callable[[SideWager], NDArray[np.bool_]]
"""(pairs, 10): where the proceeds of a wager are put on the Bet."""


def _never(_: SideWager) -> NDArray[np.bool_]:
    return np.zeros((len(FIRST), VALUES), dtype=np.bool_)


def shoe_tables(
    rules: Rules,
    strategy: Strategy | Switching,
    sides: Sequence[Wager],
    *,
    seats: int,
    fresh: bool = False,
    caps: Caps = _never,
) -> ShoeTables:
    """Tables for these side wagers beside the Bet; `fresh` shuffles before every round, as the exact count does."""
    nodes, dealer = _nodes(rules, strategy), _dealer(rules)
    original_only = np.ones(int(rules.original_bets_only), dtype=np.uint8)
    side, side_bin, bins = _sides(rules, sides, len(bet_lines(rules)) + len(hand_lines(rules)), caps)
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
        lent_start=nodes.lent_start,
        after_zap=_ways_on(rules),
        switch=_switches(strategy),
        most_hands=np.array([rules.hands_from(card_value) for card_value in _VALUES]),
        move=nodes.move,
        rescue=nodes.rescue,
        next=nodes.next,
        dealer_start=dealer.start,
        dealer_next=dealer.next,
        dealer_end=dealer.end,
        hand_bin=hand_bin,
        hand_net=hand_net,
        round_bin=_round_bins(rules),
        pair=_pairs(),
        side=side,
        side_bin=side_bin,
        suits=_suits(sides),
        diamonds=_diamonds(rules),
        original_only=original_only,
        void_bin=bins,
    )


_VALUES = range(1, VALUES + 1)


def _is_blackjack(one: int, other: int) -> bool:
    return is_blackjack((_OF_VALUE[one], _OF_VALUE[other]))


_OF_VALUE = {value(card): card for card in DECK}
"""A card of each value, to ask rules about."""


def card_codes() -> NDArray[np.uint8]:
    """(52): the byte of each type of card in a kernel's shoe, see `shoe_play`."""
    codes: list[int] = []
    for worth in VALUE_OF_TYPE.tolist():
        codes.append(16 * worth + sum(code // 16 == worth for code in codes))
    return np.array(codes, dtype=np.uint8)


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
    lent_start: NDArray[np.uint16]
    move: NDArray[np.uint8]
    rescue: NDArray[np.uint8]
    next: NDArray[np.uint16]


def _nodes(rules: Rules, strategy: Strategy | Switching) -> _Nodes:
    """The strategy as nodes: hands that are played alike, whatever is drawn to them, become one."""
    # What works strategies out is loaded only here: a run from kept tables starts without it.
    table = hands()
    places = len(table.key)
    # Each situation has a copy of all hands: unsplit, and by pair after a second card that is of the pair or not; and
    # all that again for the cards that come for each two that are zapped, or for a hand beside another one.
    situations: list[NDArray[np.uint8]] = []
    rescues: list[NDArray[np.bool_]] = []
    known: dict[bytes, int] = {}

    def situation(moves: NDArray[np.uint8], rescued: NDArray[np.bool_]) -> int:
        """Where the copy of the hands begins that are played so; most ways to play differ little."""
        place = known.setdefault(moves.tobytes() + rescued.tobytes(), len(situations) * places)
        if place == len(situations) * places:
            situations.append(moves)
            rescues.append(rescued)
        return place

    first: dict[tuple[int, int, bool, bool], int] = {}
    unsplit = []
    ways = _ways(rules, strategy)
    for way, (played, _) in enumerate(ways):
        unsplit.append(situation(_unsplit(played), played.rescues))
        for pair, rows in plan_for(rules).rows.items():
            for group, choices in enumerate(played.after_split[pair]):
                moves, rescued = np.zeros((places, VALUES), dtype=np.uint8), nowhere()
                moves[rows.place], rescued[rows.place] = choices, played.rescued(pair)[group]
                first[way, pair, bool(group % 2), bool(group // 2)] = situation(moves, rescued)
    broken, natural = len(situations) * places, len(situations) * places + 1
    move = np.vstack([*situations, np.zeros((2, VALUES), dtype=np.uint8)])
    rescue = np.vstack([*rescues, np.zeros((2, VALUES), dtype=np.bool_)]).astype(np.uint8)
    child = [np.where(table.child < 0, broken, table.child + i * places) for i in range(len(situations))]
    after = np.vstack([*child, np.full((2, VALUES), broken)])
    total, doubled_total = (
        np.concatenate([*[_comes_to(rules, doubled=doubled)] * len(situations), [BROKEN, NATURAL]])
        for doubled in (False, True)
    )
    move[(total >= 21) | (total == CHARLIE) | (total == BONUS_21)] = Action.STAND
    free = np.concatenate([*[free_doubles(rules)] * len(situations), [False, False]])
    move[free[:, None] & (move == Action.DOUBLE)] = DOUBLE_FREE
    early = np.array([rules.surrenders_early(up) for up in _VALUES])
    move[(move == Action.SURRENDER) & early] = SURRENDER_EARLY
    two = np.array([[table.place((a, b)) for b in _VALUES] for a in _VALUES])
    start = np.array([two + place for place in unsplit])
    naturals = np.array([[_is_blackjack(a, b) for b in _VALUES] for a in _VALUES])
    for way, (_, has_naturals) in enumerate(ways):
        start[way, naturals] = natural if has_naturals else start[way, naturals]
    split_start, lent_start = np.full(start.shape, broken), np.full((VALUES, VALUES), broken)
    for (way, pair, again, lent), place in first.items():
        for second in _VALUES:
            if (second == pair) == again:
                (lent_start if lent else split_start[way])[pair - 1, second - 1] = place + table.place((pair, second))
    kept = _reached(np.concatenate((start.ravel(), split_start.ravel(), lent_start.ravel())), after)
    both = np.hstack((move[kept], rescue[kept])) if rules.surrender_after_double else move[kept]
    totals = np.column_stack((total[kept], np.where(total == doubled_total, 0, doubled_total)[kept]))
    kind = _alike(both, totals, np.searchsorted(kept, after[kept]))
    one_of = np.unique(kind, return_index=True)[1]
    node = np.zeros(len(move), dtype=np.int64)
    node[kept] = kind
    nodes: Ints = np.zeros((len(one_of), STRIDE), dtype=np.int64)
    nodes[:, :VALUES], nodes[:, VALUES : VALUES + 2] = move[kept][one_of], totals[one_of]
    following: Ints = np.zeros_like(nodes)
    following[:, :VALUES] = STRIDE * node[after[kept][one_of]]
    if following.max() >= 2**16:
        raise NotationError(f"{rules}: too many hands are played apart to be sampled; take the strategy basic.")
    return _Nodes(
        (STRIDE * node[start]).astype(np.uint16),
        (STRIDE * node[split_start]).astype(np.uint16),
        _lent_nodes(rules, STRIDE * node[split_start[0] if rules.original_bets_only else lent_start]),
        nodes.ravel().astype(np.uint8),
        _rescues_of(rules, rescue[kept][one_of]),
        following.ravel().astype(np.uint16),
    )


def _comes_to(rules: Rules, *, doubled: bool) -> Ints:
    """By hand: its total, or what it has won by."""
    grade = grades(rules, doubled=doubled)
    return np.asarray(np.select([grade == CHARLIE_GRADE, grade == BONUS_GRADE], [CHARLIE, BONUS_21], hands().total))


def _rescues_of(rules: Rules, nodes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Where doubled hands are given up, in the places of moves; nothing where none may be."""
    if not rules.surrender_after_double:
        return np.zeros(0, dtype=np.uint8)
    return np.pad(nodes, ((0, 0), (0, STRIDE - VALUES))).ravel()


def _lent_nodes(rules: Rules, nodes: Ints) -> NDArray[np.uint16]:
    """By pair and second card, of those that are split free; nothing where none is."""
    if rules.original_bets_only:
        return nodes.astype(np.uint16)
    if not rules.free_splits:
        return np.zeros((0, VALUES), dtype=np.uint16)
    free = np.array([rules.split_is_free(pair) and rules.hands_from(pair) > 1 for pair in _VALUES])
    return np.where(free[:, None], nodes, NO_NODE).astype(np.uint16)


def _ways(rules: Rules, strategy: Strategy | Switching) -> list[tuple[Strategy, bool]]:
    """How first cards are played, and whether an ace and a ten are a blackjack among them.

    With one hand: those that are dealt, then those that come for each two that may be zapped. With two: by the cards
    of the other hand, as they are dealt and after a switch.
    """
    if isinstance(strategy, Strategy):
        return [(strategy, True), *((strategy.zapped.get(cards, strategy), False) for cards in zappable(rules))]
    beside = strategy.beside
    return [(beside[pair].strategy, dealt or rules.switched_blackjack) for pair in PAIRS for dealt in (True, False)]


def _switches(strategy: Strategy | Switching) -> NDArray[np.uint8]:
    return np.zeros((0,) * 5, dtype=np.uint8) if isinstance(strategy, Strategy) else strategy.chosen.astype(np.uint8)


def _ways_on(rules: Rules) -> NDArray[np.uint8]:
    """(10, 10): the first place of two cards in `_ways`; 0 where they may not be zapped."""
    if not (rules.switch or rules.zap):
        return np.zeros((0, VALUES), dtype=np.uint8)
    ways = np.zeros((VALUES, VALUES), dtype=np.uint8)
    places = enumerate(zappable(rules), start=1)
    for way, (one, other) in ((2 * place, pair) for place, pair in enumerate(PAIRS)) if rules.switch else places:
        ways[one - 1, other - 1] = ways[other - 1, one - 1] = way
    return ways


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


def _apart(rules: Rules) -> dict[Outcome, int]:
    """Where a hand that is a line of its own stands among what rounds win or lose: beyond all the others."""
    beyond = 2 * MOST_NET * parts_of_bet(rules)
    apart = [line for line in bet_lines(rules) if isinstance(line, Outcome)]
    won = [line for line in apart if line is not SURRENDER]
    return {line: beyond + won.index(line) if line in won else -beyond for line in apart}


def _hand_ends(rules: Rules) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
    """(codes, dealer's ends): the bin of a hand and its part of the round's result, as the Bet's judgments say."""
    basis = bet_under(rules).basis
    assert isinstance(basis, AgainstDealer)
    judge = {choice.key: choice.judge for choice in basis.choices}
    ends = len(dealer_results(rules))
    codes = CODES_WITH_FREE_CHIPS if rules.has_free_chips or rules.original_bets_only else CODES
    codes = CODES_WITH_RESCUES if rules.surrender_after_double else codes
    codes = CODES_WITH_ANY_GIVEN_UP if rules.surrender_any_time else codes
    bins, nets = np.zeros((codes, ends), dtype=np.uint8), np.zeros((codes, ends), dtype=np.int8)
    lines = {line: len(bet_lines(rules)) + place for place, line in enumerate(hand_lines(rules))}
    judged = (
        (FIRST_CODE, FIRST_HAND),
        (SPLIT_CODE, FROM_SPLIT),
        (GIVEN_UP_CODE, Ending.SURRENDERED),
        (LENT, ADDED if rules.original_bets_only else FROM_SPLIT),
    )
    doubles = ((FIRST_CODE, None), (DOUBLED, StakeKind.OWN), (DOUBLED_FREE, StakeKind.FREE))
    parts, apart = parts_of_bet(rules) // rules.first_hands, _apart(rules)
    won_by = {CHARLIE: Ending.CHARLIE, BONUS_21: Ending.BONUS_21}
    totals = (*([CHARLIE] if rules.charlie else []), *([BONUS_21] if rules.bonus_21 else []), *range(4, TOTALS))
    totals = (*([DIAMONDS] if rules.diamond_blackjack else []), *totals)
    for (added, double), (begin, key), total in product(doubles, judged, totals):
        lent, code = begin == LENT and key == FROM_SPLIT, int(added) + int(begin) + total
        stake = Stake(int(not lent) + (double is StakeKind.OWN), int(lent) + (double is StakeKind.FREE))
        for end, dealer in enumerate(dealer_results(rules)):
            player = _NATURALS.get(total, min(total, BUST))
            original = rules.original_bets_only and double is StakeKind.OWN and begin in (FIRST_CODE, SPLIT_CODE)
            by = DOUBLED_ORIGINAL if original else won_by.get(total, key)
            if player == IN_DIAMONDS and by != FIRST_HAND:
                continue
            outcome = judge[by](player, dealer)
            split = key in (FROM_SPLIT, ADDED)
            line = HandLine(outcome, double is not None, split, lent, double is StakeKind.FREE)
            sign = _SIGNS.get(outcome, 0)
            won = sign * (stake.cents if sign > 0 else stake.own_cents) - (outcome is ORIGINAL_BET)
            if line in lines:
                bins[code, end] = lines[line]
                nets[code, end] = apart.get(outcome, -1 if outcome is SURRENDER else parts * won)
    if rules.surrender_any_time:
        for total, end in product(range(4, TOTALS), range(ends)):
            code = int(GIVEN_UP_SPLIT) + total
            bins[code, end] = lines[HandLine(SURRENDER, False, True)]
            nets[code, end] = -1  # half of one
    if rules.surrender_after_double:
        # So many cards that would have won are given up too, where they were doubled and have not.
        for split, total, end in product((False, True), totals, range(ends)):
            code = int(RESCUED) + int(SPLIT_CODE if split else FIRST_CODE) + total
            bins[code, end] = lines[HandLine(SURRENDER, True, split)]
            nets[code, end] = -parts  # half of two
    early = rules.early_surrender is not EarlySurrender.NONE
    for total, end in product(range(4, TOTALS) if early else (), range(ends)):
        # Given up early, before anybody knows what the dealer has.
        code = int(GIVEN_UP_EARLY) + total
        bins[code, end] = lines[HandLine(SURRENDER, False, False)]
        nets[code, end] = apart[SURRENDER]
    return bins, nets


def _round_bins(rules: Rules) -> NDArray[np.uint8]:
    """By what a round won or lost: its place among the lines."""
    apart = _apart(rules)
    at = [line if isinstance(line, int) else apart[line] for line in bet_lines(rules)]
    most = max(map(abs, at))
    bins = np.zeros(2 * most + 1, dtype=np.uint8)
    bins[[most + place for place in at]] = range(len(at))
    return bins


def _pairs() -> NDArray[np.uint16]:
    """(52, 52): the row of two types, in no order, in the tables of side wagers."""
    row = np.zeros((TYPES, TYPES), dtype=np.uint16)
    row[FIRST, SECOND] = row[SECOND, FIRST] = np.arange(len(FIRST))
    return row


def side_lines(wager: Wager, rules: Rules) -> list[tuple[Outcome, int | Outcome | None]]:
    """How a side wager is counted: by outcome, and by what the round came to where its proceeds were put on the Bet."""
    lines: list[tuple[Outcome, int | Outcome | None]] = [(outcome, None) for outcome in wager.outcomes]
    if isinstance(wager, SideWager) and wager.caps:
        for outcome in wager.outcomes[:-1]:
            lines += [(outcome, line) for line in bet_lines(rules)[first_line_on_bet(outcome, rules) :]]
    return lines


def first_line_on_bet(outcome: Outcome, rules: Rules) -> int:
    """By half units there are many lines: those of a hand that is always a blackjack are of blackjacks alone."""
    return bet_lines(rules).index(WON_BLACKJACK) if rules.surrender_any_time and outcome is SUITED_ACE_KING else 0


def _sides(
    rules: Rules, sides: Sequence[Wager], first_bin: int, caps: Caps
) -> tuple[NDArray[np.uint64], NDArray[np.uint8], int]:
    """The tables of side wagers one after another, and the first bin after theirs."""
    rows, tables, start = [], [np.zeros(0, dtype=np.uint8)], 0
    for wager in sides:
        assert isinstance(wager.basis, OnDeal)
        looks_at = LooksAt.INSURANCE if wager is INSURANCE else _LOOKS_AT[wager.basis.fact]
        if isinstance(wager, SideWager) and wager.caps:
            looks_at = LooksAt.CAPS
        table = np.frombuffer(deal_all(wager), dtype=np.uint8)
        if looks_at == LooksAt.DEALER_HAND:
            by_total = table.reshape(len(PLAYED_OUT), len(Alike))
            table = by_total[[PLAYED_OUT.index(_PLAYED_OUT_TO[end]) for end in _DEALER_ENDS]].ravel()
        cases = TYPES if looks_at == LooksAt.DEALER_TOTAL else len(FIRST)
        rows.append((looks_at, start, len(table) // cases))
        tables.append(table + np.uint8(first_bin))
        start += len(table)
        if looks_at in (LooksAt.DEALERS_TWO, LooksAt.OTHER_HAND):
            # What each two cards of the dealer are read as follows the table.
            tables.append(dealers_findings(wager)[1])
            start += len(FIRST)
        if looks_at == LooksAt.CAPS:
            assert isinstance(wager, SideWager)
            lines = [outcome for outcome, line in side_lines(wager, rules) if line is not None]
            first = np.array(
                [
                    first_bin + len(wager.outcomes) + lines.index(outcome) - first_line_on_bet(outcome, rules)
                    for outcome in wager.outcomes[:-1]
                ]
                + [0]  # the last outcome loses
            )
            capped = np.where(caps(wager), first[table][:, None], 0)
            assert capped.max() + len(bet_lines(rules)) <= 256, "bins are bytes"
            tables.append(capped.astype(np.uint8).ravel())
            start += capped.size
        first_bin += len(side_lines(wager, rules))
    assert first_bin < 256, "bins are bytes"
    return np.array(rows, dtype=np.uint64).reshape(-1, 3), np.concatenate(tables), first_bin


def _suits(sides: Sequence[Wager]) -> NDArray[np.uint8]:
    """(160): the suit of a card as a bit, red ones first; nothing where no wager looks at the dealer's suits."""
    bits = np.zeros(16 * VALUES, dtype=np.uint8)
    order = [*RED, *(suit for suit in Suit if suit not in RED)]
    bits[card_codes()] = [1 << order.index(card.suit) for card in DECK]
    looked_at = any(isinstance(wager.basis, OnDeal) and wager.basis.fact is Fact.DEALER_HAND for wager in sides)
    return bits if looked_at else bits[:0]


def _diamonds(rules: Rules) -> NDArray[np.uint8]:
    """(160): 1 for a card of diamonds; nothing where no blackjack is told apart by its suit."""
    told = np.zeros(16 * VALUES, dtype=np.uint8)
    told[card_codes()] = [card.suit is Suit.DIAMONDS for card in DECK]
    return told if rules.diamond_blackjack else told[:0]
