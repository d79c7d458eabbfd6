"""Deals round after round from a shoe, plays every hand by a table of moves, and counts how every wager ends.

A hand is a node: against each up card it has a move, and each value that is drawn leads to another node. The dealer has
nodes too. What hands and wagers come to are tables as well. Written here is what tables cannot say: the order of the
deal, which card is a seat's third, and when a dealer without a hole card takes a second one; the same shoe dealt by the
live table proves these.

A card is a byte: sixteen times its value, 0 for an ace to 9 for tens and faces, and which of that value's types it is,
so that its value needs no table. Places and codes are unsigned, which
spares the compiled code the question whether one counts from the end.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from croupier.analysis.kernels.compiled import bare, part
from croupier.analysis.kernels.random import HALF, LOW, STEP, Cards, is_fair, number, take

Counts = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint16]

STRIDE, TOTAL, DOUBLED_TOTAL = 16, np.uint64(10), np.uint64(11)
"""Nodes are so far apart, ten moves, a total and that of a doubled hand where it is another; of ten nodes that can
follow the rest is not used."""
STAND, HIT, DOUBLE, SPLIT, SURRENDER, ZAP, DOUBLE_FREE, SURRENDER_EARLY = 0, 1, 2, 3, 4, 5, 6, 7
"""Moves."""
BROKEN, NATURAL, CHARLIE, BONUS_21, DIAMONDS, TOTALS = 22, 23, 1, 2, 3, 24
"""What a hand comes to beside its total: no hand of two cards and more counts one, two or three."""
FIRST, FROM_SPLIT, SURRENDERED = np.uint64(0), np.uint64(1 * TOTALS), np.uint64(2 * TOTALS)
DOUBLED, GIVEN_UP_EARLY = np.uint64(3 * TOTALS), np.uint64(5 * TOTALS)
"""How a hand is judged; added to what it came to, this is its code. DOUBLED is added where it was
doubled; the place of a surrendered hand that was doubled is that of one that was surrendered early."""
LENT, DOUBLED_FREE = np.uint64(6 * TOTALS), np.uint64(10 * TOTALS)
"""The same of a hand from a split that began with a free chip, and of a double with one."""
CODES, CODES_WITH_FREE_CHIPS = 6 * TOTALS, 17 * TOTALS
RESCUED, CODES_WITH_RESCUES = np.uint64(6 * TOTALS), 8 * TOTALS
"""Of a hand that was doubled and given up, where that may be: no chips are free there."""
GIVEN_UP_SPLIT, CODES_WITH_ANY_GIVEN_UP = np.uint64(8 * TOTALS), 9 * TOTALS
"""Of a hand from a split that was given up, where any hand may be."""
NO_NODE = 65535
DEALER_BROKEN, DEALER_BLACKJACK, DEALER_ENDS = 5, 6, 8
"""How the dealer ends beside 0 to 4, which are 17 to 21; the last is 22, where it pushes."""
MOST_HANDS = 4
NO_CARD = np.uint64(0)
"""As a third card; cards count from 1 there."""
AHEAD = np.uint64(8)
"""So many cards are shuffled at a time."""
_ZERO, _ONE, _TWO, _THREE, _FOUR, _FIVE = (np.uint64(n) for n in range(6))


class LooksAt(IntEnum):
    """What a side wager looks at beside the seat's first two cards, or, for the dealer's total, the up card."""

    BLACKJACK = 0
    UP_CARD = 1
    THIRD_CARD = 2
    DEALER_TOTAL = 3
    INSURANCE = 4
    """Whether the dealer has a blackjack, where an ace is up."""
    NOTHING = 5
    DEALERS_TWO = 6
    """What the dealer's two cards are read as; a table of that, by pair, follows the wager's own."""
    OTHER_HAND = 8
    """What the two cards of the seat's other hand are read as, by a table as for DEALERS_TWO."""
    DEALER_HAND = 9
    """How the dealer's hand ends, which is then played out, and how far its suits agree: three columns for each end."""
    CAPS = 7
    """Nothing, and what is put on the Bet: a table by pair and up card follows the wager's own, with the first of the
    bins in which that is counted by the result of the round, and 0 where nothing is."""


ON_BLACKJACK, ON_UP_CARD, ON_THIRD_CARD, ON_DEALER_TOTAL, ON_INSURANCE, ON_NOTHING, ON_DEALERS_TWO = range(7)
ON_CAPS, ON_OTHER_HAND, ON_DEALER_HAND = int(LooksAt.CAPS), int(LooksAt.OTHER_HAND), int(LooksAt.DEALER_HAND)
PAIRS = np.uint64(1378)
"""Rows of a side wager's table: pairs of 52 types, in no order."""


class ShoeTables(NamedTuple):
    """A table's rules and the players' strategy."""

    bins: int
    hole_card: bool
    """Whether the dealer takes a second card at once and looks for a blackjack."""
    burned: int
    """Cards laid aside from a fresh shoe."""
    cut: int
    """Once so many cards are dealt, the shoe is shuffled before the next round; 0 shuffles before every round."""
    type: Words
    """(160): the type of a card, 0 to 51."""
    blackjack: Bytes
    """(10, 10): 1 where these two are a blackjack."""
    start: Words
    """(ways, 10, 10): the node of the first two cards; a blackjack stands with NATURAL. The first way is as they are
    dealt, the others are by the two cards that were zapped before; or, where a seat has two hands, by those of the
    other hand, and whether second cards have changed places."""
    split_start: Words
    """(ways, 10, 10): the node of a card of a split pair (rows) and its second card."""
    lent_start: Words
    """(10, 10): the same of every hand but the first, where these begin with a free chip, and else NO_NODE; empty where
    no chips are free."""
    after_zap: Bytes
    """(10, 10): the way on after two cards were zapped; or that of a hand beside one of these two cards; empty where
    there is one way."""
    switch: Bytes
    """(10, 10, 10, 10, 10): 1 where second cards change places, by the cards of both hands and the up card; nothing
    where a seat has one hand."""
    most_hands: npt.NDArray[np.int64]
    """(10): how many hands a pair may become."""
    move: Bytes
    """By node + up card: the move; by node + TOTAL what the hand comes to. A node is a multiple of STRIDE."""
    rescue: Bytes
    """By node + up card: 1 where a doubled hand is given up; empty where none may be."""
    next: Words
    """By node + value: the node after it."""
    dealer_start: Bytes
    """(10, 10): the dealer's node with these two cards."""
    dealer_next: Bytes
    """(dealer's nodes, 10)"""
    dealer_end: Bytes
    """(dealer's nodes): how it ends where the dealer stops, 255 where a card is drawn."""
    hand_bin: Bytes
    """(codes, dealer's ends): where a hand is counted."""
    hand_net: npt.NDArray[np.int8]
    """(codes, dealer's ends): what it wins or loses, in places of `round_bin`."""
    round_bin: Bytes
    """(nets): where a round is counted that won or lost so much; its middle is nothing."""
    pair: Words
    """(52, 52): the row of two cards in the tables of side wagers."""
    side: npt.NDArray[np.uint64]
    """(side wagers, 3): what it looks at, where its table begins in `side_bin`, how many columns that has."""
    side_bin: Bytes
    suits: Bytes
    """(160): a card's suit as a bit, 1 and 2 for those of one color, 4 and 8 for the others; empty where no wager looks
    at the dealer's hand, which is otherwise played out whether or not a player's is left."""
    diamonds: Bytes
    """(160): 1 where a card is a diamond; empty where a blackjack in diamonds is paid as others are."""
    original_only: Bytes
    """Not empty where a dealer's blackjack without a hole card takes original bets only."""
    void_bin: int
    """Rounds in which the shoe ran out, and which count nowhere else."""


class Seats(NamedTuple):
    """What lies before the players."""

    cards: Bytes
    """(seats, 2): the first two."""
    drawn: npt.NDArray[np.uint64]
    """(seats, 2): how far the shoe was dealt before the first card that it drew, and after the last."""
    hands: npt.NDArray[np.int64]
    """(seats): how many."""
    code: npt.NDArray[np.uint64]
    """(seats, 4): how each hand is judged, and what it came to."""
    way: Bytes
    """(seats): by which way of the tables its cards are played."""


def empty_seats(seats: int) -> Seats:
    """A table at which nothing was dealt. Where a seat has two hands, each is a seat here."""
    return Seats(
        np.zeros((seats, 2), dtype=np.uint8),
        np.zeros((seats, 2), dtype=np.uint64),
        np.zeros(seats, dtype=np.int64),
        np.zeros((seats, MOST_HANDS), dtype=np.uint64),
        np.zeros(seats, dtype=np.uint8),
    )


class Dealing(NamedTuple):
    """How far a shoe is dealt; it is shuffled a few cards ahead of the deal."""

    dealt: np.uint64
    """More than there are once a card was wanted that was not there."""
    ready: np.uint64
    """Cards that are in their order."""
    state: np.uint64
    """Of the random numbers."""


@bare
def play_shoes(
    state: np.uint64, rounds: int, seats: Seats, shoe: Cards, dealt: int, tables: ShoeTables, counts: Counts
) -> int:
    """Adds to `counts`, (bins), how often each came; gives how many cards of the last shoe were dealt.

    The shoe is shuffled before the first round and whenever the cut card has come. With a state of 0 it is dealt as it
    lies, from the card after the `dealt` ones on, and never shuffled.
    """
    size, shuffles = np.uint64(shoe.size), state != _ZERO
    at = Dealing(size if shuffles else np.uint64(dealt), _ZERO if shuffles else size, state)
    for _ in range(rounds):
        if shuffles and at.dealt >= tables.cut:
            at = Dealing(_ZERO, _ZERO, at.state)
            for _ in range(tables.burned):
                _, at = _draw(shoe, at)
        up, at = _deal(shoe, at, seats)
        hole, against = up, _value(up)
        if tables.hole_card:
            hole, at = _draw(shoe, at)
        left, caught = False, tables.hole_card and tables.blackjack[against, _value(hole)]
        if tables.switch.size:
            _switch(against, caught, seats, tables)
        for seat in range(seats.hands.size):
            seats.drawn[seat, 0] = at.dealt
            lasts, at = _play_seat(shoe, at, seat, against, caught, seats, tables)
            seats.drawn[seat, 1] = at.dealt
            left |= lasts
        before = at.dealt
        ends, hole, at = _dealer_ends(shoe, at, up, hole, left, seats, tables)
        if at.dealt > size:
            counts[tables.void_bin] += 1
        else:
            if tables.diamonds.size:
                _tell_diamonds(seats, tables)
            if tables.suits.size:
                _count_dealers_hand(shoe, before, at.dealt, up, hole, ends, seats, tables, counts)
            _count(shoe, up, hole, ends, left, seats, tables, counts)
    return int(at.dealt)


@part
def _draw(shoe: Cards, at: Dealing) -> tuple[np.uint8, Dealing]:
    """The next card; from an empty shoe any card, and the round will not count."""
    place, ready, state = at.dealt, at.ready, at.state
    if place >= ready:
        if place >= shoe.size:
            return shoe[0], Dealing(np.uint64(shoe.size + 1), ready, state)
        ready, state = _shuffle_ahead(shoe, ready, state)
    return shoe[place], Dealing(place + _ONE, ready, state)


@bare
def _shuffle_ahead(shoe: Cards, ready: np.uint64, state: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The next cards come into random order, two from each half of a number."""
    size = np.uint64(shoe.size)
    end = min(ready + AHEAD, size)
    while ready < end:
        left = size - ready
        state += STEP
        word = number(state)
        one, first, second = _two_of(word >> HALF, left)
        if left < _FOUR:
            # The last cards of a shoe, one at a time.
            if one:
                take(shoe, ready, first)
                ready += _ONE
            continue
        other, third, fourth = _two_of(word & LOW, left - _TWO)
        if one and other:
            take(shoe, ready, first)
            take(shoe, ready + _ONE, second)
            take(shoe, ready + _TWO, third)
            take(shoe, ready + _THREE, fourth)
            ready += _FOUR
    return ready, state


@part
def _two_of(half: np.uint64, left: np.uint64) -> tuple[bool, np.uint64, np.uint64]:
    """Which of so many cards come next, two of them; the first word says whether the choice is fair."""
    rest = half * left
    first, rest = rest >> HALF, (rest & LOW) * (left - _ONE)
    return is_fair(rest & LOW, left * (left - _ONE)), first, rest >> HALF


@part
def _value(card: np.uint8) -> np.uint8:
    return np.uint8(card >> 4)


@part
def _deal(shoe: Cards, at: Dealing, seats: Seats) -> tuple[np.uint8, Dealing]:
    """A card to every seat, the up card, and a second card to every seat."""
    for seat in range(seats.hands.size):
        seats.cards[seat, 0], at = _draw(shoe, at)
    up, at = _draw(shoe, at)
    for seat in range(seats.hands.size):
        seats.cards[seat, 1], at = _draw(shoe, at)
    return up, at


@part
def _switch(against: np.uint8, caught: bool, seats: Seats, tables: ShoeTables) -> None:
    """Second cards of two hands change places where that is worth more; nothing does once a blackjack has come."""
    for seat in range(0, seats.hands.size, 2):
        one, two = _value(seats.cards[seat, 0]), _value(seats.cards[seat, 1])
        three, four = _value(seats.cards[seat + 1, 0]), _value(seats.cards[seat + 1, 1])
        seats.way[seat] = seats.way[seat + 1] = 0
        if caught:
            continue
        changed = tables.switch[one, two, three, four, against]
        if changed:
            seats.cards[seat, 1], seats.cards[seat + 1, 1] = seats.cards[seat + 1, 1], seats.cards[seat, 1]
            two, four = four, two
        seats.way[seat] = tables.after_zap[three, four] + changed
        seats.way[seat + 1] = tables.after_zap[one, two] + changed


@part
def _play_seat(
    shoe: Cards, at: Dealing, seat: int, against: np.uint8, caught: bool, seats: Seats, tables: ShoeTables
) -> tuple[bool, Dealing]:
    """All moves of one seat, none where a blackjack has caught it; whether the dealer has to play against it."""
    one, other, way = _value(seats.cards[seat, 0]), _value(seats.cards[seat, 1]), seats.way[seat]
    node = tables.start[way, one, other]
    move = tables.move[node + against]
    if move == ZAP and not caught:
        way = tables.after_zap[one, other]
        first, at = _draw(shoe, at)
        second, at = _draw(shoe, at)
        one = _value(first)
        node = tables.start[way, one, _value(second)]
        move = tables.move[node + against]
    seats.hands[seat] = 1
    if move == SURRENDER_EARLY:
        seats.code[seat, 0] = GIVEN_UP_EARLY + tables.move[node + TOTAL]
        return False, at
    if caught or move == SURRENDER:
        seats.code[seat, 0] = (FIRST if caught else SURRENDERED) + tables.move[node + TOTAL]
        return False, at
    if move != SPLIT:
        return _play_hand(shoe, at, seat, 0, FIRST, node, against, seats, tables)
    # Hands that wait are single cards of the pair, so it is enough to know how many there are.
    left, hands, done = False, 2, 0
    while done < hands:
        card, at = _draw(shoe, at)
        drawn = _value(card)
        if drawn == one and hands < tables.most_hands[one]:
            hands += 1
            continue
        node, judged = tables.split_start[way, one, drawn], FROM_SPLIT
        if done > 0 and tables.lent_start.shape[0] > 0 and tables.lent_start[one, drawn] != NO_NODE:
            node, judged = tables.lent_start[one, drawn], LENT
        lasts, at = _play_hand(shoe, at, seat, done, judged, node, against, seats, tables)
        left |= lasts
        done += 1
        if at.dealt > shoe.size:
            break
    seats.hands[seat] = hands
    return left, at


@part
def _play_hand(
    shoe: Cards,
    at: Dealing,
    seat: int,
    hand: int,
    judged: np.uint64,
    node: np.uint16,
    against: np.uint8,
    seats: Seats,
    tables: ShoeTables,
) -> tuple[bool, Dealing]:
    """Cards to one hand as its moves say; whether the dealer has to play against it."""
    code, doubled = judged, False
    while True:
        move = tables.move[node + against]
        if move == STAND:
            break
        if move == SURRENDER:
            given_up = SURRENDERED if judged == FIRST else GIVEN_UP_SPLIT
            seats.code[seat, hand] = given_up + tables.move[node + TOTAL]
            return False, at
        card, at = _draw(shoe, at)
        node = tables.next[node + _value(card)]
        if move >= DOUBLE:
            if tables.rescue.size and tables.rescue[node + against]:
                seats.code[seat, hand] = RESCUED + code + tables.move[node + TOTAL]
                return False, at
            code += DOUBLED if move == DOUBLE else DOUBLED_FREE
            doubled = True
            break
    total = tables.move[node + TOTAL]
    if doubled and tables.move[node + DOUBLED_TOTAL]:
        total = tables.move[node + DOUBLED_TOTAL]
    seats.code[seat, hand] = code + total
    return BONUS_21 < total < BROKEN, at


@part
def _tell_diamonds(seats: Seats, tables: ShoeTables) -> None:
    """Blackjacks in diamonds are told apart from others."""
    for seat in range(seats.hands.size):
        suited = tables.diamonds[seats.cards[seat, 0]] and tables.diamonds[seats.cards[seat, 1]]
        if suited and seats.code[seat, 0] == NATURAL:
            seats.code[seat, 0] = np.uint64(DIAMONDS)


@part
def _dealer_ends(
    shoe: Cards, at: Dealing, up: np.uint8, hole: np.uint8, left: bool, seats: Seats, tables: ShoeTables
) -> tuple[np.uint8, np.uint8, Dealing]:
    """How the dealer ends, and the second card; with no hand to play against, anything but a blackjack is 0."""
    against = _value(up)
    plays = left or bool(tables.suits.size)
    if not tables.hole_card:
        if not (plays or _waits(up, seats, tables)):
            return np.uint8(0), up, at
        hole, at = _draw(shoe, at)
    if tables.blackjack[against, _value(hole)]:
        return np.uint8(DEALER_BLACKJACK), hole, at
    if not plays:
        return np.uint8(0), hole, at
    node = tables.dealer_start[against, _value(hole)]
    while tables.dealer_end[node] >= DEALER_ENDS:
        card, at = _draw(shoe, at)
        node = tables.dealer_next[node, _value(card)]
    return tables.dealer_end[node], hole, at


@part
def _two_read(looks_at: np.uint64, up: np.uint8, hole: np.uint8, seat: int, seats: Seats) -> tuple[np.uint8, np.uint8]:
    """The two cards beside the seat's own: the dealer's, or those of its other hand."""
    if looks_at == ON_OTHER_HAND:
        return seats.cards[seat + 1, 0], seats.cards[seat + 1, 1]
    return up, hole


@part
def _dealers_read(start: np.uint64, columns: np.uint64, up: np.uint8, hole: np.uint8, tables: ShoeTables) -> np.uint64:
    """What the dealer's two cards are read as, by the table behind that of the wager."""
    row = np.uint64(tables.pair[tables.type[up], tables.type[hole]])
    return np.uint64(tables.side_bin[start + PAIRS * columns + row])


@part
def _waits(up: np.uint8, seats: Seats, tables: ShoeTables) -> bool:
    """Without a hole card: whether something besides hands in play turns on a blackjack of the dealer."""
    possible = False
    for value in range(10):
        possible |= tables.blackjack[_value(up), value] != 0
    for seat in range(seats.hands.size):
        row = np.uint64(tables.pair[tables.type[seats.cards[seat, 0]], tables.type[seats.cards[seat, 1]]])
        for wager in range(tables.side.shape[0]):
            if tables.side[wager, 0] == ON_DEALERS_TWO and _hangs(row, up, wager, tables):
                return True
    if not possible:
        return False
    for seat in range(seats.hands.size):
        if seats.code[seat, 0] == NATURAL or seats.code[seat, 0] // np.uint64(TOTALS) == _TWO:
            return True
        if _won_by_cards(seat, seats) or (tables.original_only.size and _has_added(seat, seats)):
            return True
        row = np.uint64(tables.pair[tables.type[seats.cards[seat, 0]], tables.type[seats.cards[seat, 1]]])
        for wager in range(tables.side.shape[0]):
            looks_at, place = tables.side[wager, 0], tables.side[wager, 1] + row * tables.side[wager, 2]
            if looks_at == ON_INSURANCE and _value(up) == 0:
                return True
            if looks_at == ON_BLACKJACK and tables.side_bin[place] != tables.side_bin[place + _ONE]:
                return True
    return False


@part
def _won_by_cards(seat: int, seats: Seats) -> bool:
    for hand in range(seats.hands[seat]):
        if seats.code[seat, hand] % np.uint64(TOTALS) in (CHARLIE, BONUS_21):
            return True
    return False


@part
def _has_added(seat: int, seats: Seats) -> bool:
    """Whether something lies beside the original bet."""
    code = seats.code[seat, 0]
    return bool(seats.hands[seat] > 1) or (bool(code >= DOUBLED) and bool(code < GIVEN_UP_EARLY))


@part
def _hangs(row: np.uint64, up: np.uint8, wager: int, tables: ShoeTables) -> bool:
    """Whether some second card would be read otherwise than the up card twice, and make a difference."""
    start, columns = tables.side[wager, 1], tables.side[wager, 2]
    place = start + row * columns
    for second in range(52):
        pair = np.uint64(tables.pair[tables.type[up], second])
        read = np.uint64(tables.side_bin[start + PAIRS * columns + pair])
        if tables.side_bin[place + read] != tables.side_bin[place]:
            return True
    return False


@part
def _count(
    shoe: Cards,
    up: np.uint8,
    hole: np.uint8,
    ends: np.uint8,
    left: bool,
    seats: Seats,
    tables: ShoeTables,
    counts: Counts,
) -> None:
    middle = tables.round_bin.size // 2
    hands_each = 2 if tables.switch.size else 1
    for seat in range(0, seats.hands.size, hands_each):
        net = middle
        for its in range(seat, seat + hands_each):
            for hand in range(seats.hands[its]):
                code = seats.code[its, hand]
                net += tables.hand_net[code, ends]
                counts[tables.hand_bin[code, ends]] += 1
        counts[tables.round_bin[net]] += 1
        _count_sides(shoe, up, hole, ends, left, seat, tables.round_bin[net], seats, tables, counts)


@part
def _count_sides(
    shoe: Cards,
    up: np.uint8,
    hole: np.uint8,
    ends: np.uint8,
    left: bool,
    seat: int,
    result: np.uint8,
    seats: Seats,
    tables: ShoeTables,
    counts: Counts,
) -> None:
    row = np.uint64(tables.pair[tables.type[seats.cards[seat, 0]], tables.type[seats.cards[seat, 1]]])
    for wager in range(tables.side.shape[0]):
        looks_at, start, columns = tables.side[wager, 0], tables.side[wager, 1], tables.side[wager, 2]
        place = start + row * columns
        if looks_at == ON_NOTHING:
            counts[tables.side_bin[place]] += 1
        elif looks_at == ON_CAPS:
            capped = tables.side_bin[start + PAIRS + row * np.uint64(10) + _value(up)]
            kept = ends == DEALER_BLACKJACK or _gave_up_before_check(up, seat, seats)
            counts[tables.side_bin[place] if kept or not capped else capped + result] += 1
        elif looks_at in (ON_DEALERS_TWO, ON_OTHER_HAND):
            one, other = _two_read(looks_at, up, hole, seat, seats)
            counts[tables.side_bin[place + _dealers_read(start, columns, one, other, tables)]] += 1
        elif looks_at == ON_UP_CARD:
            counts[tables.side_bin[place + tables.type[up]]] += 1
        elif looks_at == ON_BLACKJACK:
            counts[tables.side_bin[place + np.uint64(ends == DEALER_BLACKJACK)]] += 1
        elif looks_at == ON_THIRD_CARD:
            counts[tables.side_bin[place + _third_card(shoe, seat, seats, tables)]] += 1
        elif looks_at == ON_INSURANCE:
            # Whoever gave up early is not asked; where there is no hole card, one gives up in turn, after insurance.
            gave_up = tables.hole_card and seats.code[seat, 0] // np.uint64(TOTALS) == _FIVE
            if _value(up) == 0 and not gave_up:
                counts[tables.side_bin[place + np.uint64(ends == DEALER_BLACKJACK)]] += 1
        elif looks_at == ON_DEALER_TOTAL and ends != DEALER_BLACKJACK and _somebody_plays(up, seats):
            # The first column is a dealer who does not play.
            counts[tables.side_bin[start + tables.type[up] * columns + (ends + _ONE if left else _ZERO)]] += 1


@part
def _gave_up_before_check(up: np.uint8, seat: int, seats: Seats) -> bool:
    """Whether a hand was surrendered early against a card that is checked; against others one decides in turn."""
    gave_up: bool = seats.code[seat, 0] // np.uint64(TOTALS) == _FIVE
    return (_value(up) == 0 or _value(up) == 9) and gave_up


@part
def _count_dealers_hand(
    shoe: Cards,
    before: np.uint64,
    after: np.uint64,
    up: np.uint8,
    hole: np.uint8,
    ends: np.uint8,
    seats: Seats,
    tables: ShoeTables,
    counts: Counts,
) -> None:
    """Wagers on the dealer's whole hand: up card, second card, and what was drawn between these places."""
    suits = tables.suits[up] | tables.suits[hole]
    for place in range(before, after):
        suits |= tables.suits[shoe[place]]
    alike = _TWO if suits in (1, 2, 4, 8) else _ONE if suits in (3, 12) else _ZERO
    hands_each = 2 if tables.switch.size else 1
    for wager in range(tables.side.shape[0]):
        if tables.side[wager, 0] == ON_DEALER_HAND:
            place = tables.side[wager, 1] + _THREE * np.uint64(ends) + alike
            counts[tables.side_bin[place]] += seats.hands.size // hands_each


@part
def _somebody_plays(up: np.uint8, seats: Seats) -> bool:
    """Whether there was a hand to play once the dealer had no blackjack."""
    for seat in range(seats.hands.size):
        if seats.code[seat, 0] not in (NATURAL, DIAMONDS) and not _gave_up_before_check(up, seat, seats):
            return True
    return False


@part
def _third_card(shoe: Cards, seat: int, seats: Seats, tables: ShoeTables) -> np.uint64:
    """The first card after the first two, counted from 1; none where none came, or where it broke the only hand."""
    before, after = seats.drawn[seat, 0], seats.drawn[seat, 1]
    broke = after == before + _ONE and seats.code[seat, 0] % np.uint64(TOTALS) == BROKEN
    return NO_CARD if after == before or broke else tables.type[shoe[before]] + _ONE
