"""Counts deals by dealing every one of them, with the rules written afresh from `docs/rulebook`.

Nothing is imported from Croupier and no symmetry or inclusion and exclusion is used, so an agreement with the
census is the agreement of two people who never met. Cards are numbers into a deck; every deck here has four suits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Kernel = TypeVar("Kernel", bound=Callable[..., Any])

JACK, KING, ACE = 11, 13, 14
POINTS = 31
"""Rummy points go from 0 to 30."""
STRENGTHS = 25
"""Two-card hands of Supreme 99: 0 to 9 points, then 10 + rank for a pair."""
PAIR = 10


def kernel(function: Kernel) -> Kernel:
    """Compile, and keep the machine code in `__pycache__` for the next run."""
    return cast(Kernel, numba.njit(cache=True)(function))


class Deck(NamedTuple):
    """The rank (2 to 14, the ace) and the suit of each card, ranks rising."""

    ranks: Ints
    suits: Ints

    @classmethod
    def of(cls, ranks: Iterable[int] = range(2, 15)) -> Deck:
        cards = [(rank, suit) for rank in sorted(ranks) for suit in range(4)]
        return cls(*(np.array(column, dtype=np.int64) for column in zip(*cards, strict=True)))

    def hands(self, size: int) -> Ints:
        """Every hand of so many cards, card numbers rising. Shape (hands, size)."""
        return np.array(list(combinations(range(len(self.ranks)), size)), dtype=np.int64)

    def hands_by_ranks(self, size: int) -> tuple[Ints, Ints]:
        """One hand for every multiset of ranks, and how many hands share it."""
        hands = self.hands(size)
        _, first, counts = np.unique(self.ranks[hands], axis=0, return_index=True, return_counts=True)
        return hands[first], counts


def masks(hands: Ints) -> Ints:
    """A bit for each card: two hands share none exactly when their masks do."""
    return np.asarray((np.int64(1) << hands).sum(axis=1))


@kernel
def count_dealers(seat_masks: Ints, dealer_masks: Ints, dealer_kinds: Ints, kinds: int) -> Ints:
    """For each seat's hand: all dealer's hands that share no card with it, by kind. Shape (seat hands, kinds)."""
    counts = np.zeros((len(seat_masks), kinds), dtype=np.int64)
    for s in range(len(seat_masks)):
        for d in range(len(dealer_masks)):
            if seat_masks[s] & dealer_masks[d] == 0:
                counts[s, dealer_kinds[d]] += 1
    return counts


# --- Triple Shot Rummy -------------------------------------------------------------------------------------


@kernel
def rummy_points(hands: Ints, ranks: Ints, suits: Ints) -> Ints:
    """Section 2: the lowest total of each hand. Takes shape (hands, 3)."""
    found = np.zeros(len(hands), dtype=np.int64)
    for h in range(len(hands)):
        hand = hands[h]
        low = np.array([1 if ranks[card] == ACE else ranks[card] for card in hand])
        counts = np.minimum(low, 10)
        best = counts.sum()
        suited = suits[hand[0]] == suits[hand[1]] == suits[hand[2]]
        if low[0] == low[1] == low[2] or (suited and low.max() - low.min() == 2):
            best = 0
        for third in range(3):
            one, other = (third + 1) % 3, (third + 2) % 3
            pair = low[one] == low[other]
            run = suits[hand[one]] == suits[hand[other]] and abs(low[one] - low[other]) == 1
            if pair or run:
                best = min(best, counts[third])
        found[h] = best
    return found


def rummy_deals(deck: Deck) -> tuple[Ints, Ints, Ints]:
    """Every hand, its points, and the dealer's points against it. Shapes (hands, 3), (hands,), (hands, 31)."""
    hands = deck.hands(3)
    points = rummy_points(hands, *deck)
    return hands, points, count_dealers(masks(hands), masks(hands), points, POINTS)


def rummy_outcome(player: int, dealer: int) -> str:
    """Section 5, for a player who did not fold."""
    if dealer > 20:
        return "Dealer does not play"
    if player < dealer:
        return f"Player wins with {player}"
    return "Tie" if player == dealer else "Dealer wins"


@kernel
def three_card_poker(hands: Ints, ranks: Ints, suits: Ints) -> Ints:
    """Section 6: 0 royal flush, 1 straight flush, 2 three of a kind, 3 straight, 4 flush, 5 pair, 6 nothing."""
    lines = np.zeros(len(hands), dtype=np.int64)
    for h in range(len(hands)):
        held = np.sort(ranks[hands[h]])
        suited = suits[hands[h, 0]] == suits[hands[h, 1]] == suits[hands[h, 2]]
        ace_low = held[0] == 2 and held[1] == 3 and held[2] == ACE
        straight = ace_low or (held[1] == held[0] + 1 and held[2] == held[1] + 1)
        royal = straight and suited and held[0] == 12
        pairs = (held[0] == held[1]) + (held[1] == held[2])
        if royal:
            lines[h] = 0
        elif straight and suited:
            lines[h] = 1
        elif pairs == 2:
            lines[h] = 2
        elif straight:
            lines[h] = 3
        elif suited:
            lines[h] = 4
        else:
            lines[h] = 5 if pairs == 1 else 6
    return lines


@kernel
def five_card_poker(hand: Ints, ranks: Ints, suits: Ints) -> int:
    """0 royal flush, 1 straight flush, 2 four, 3 full house, 4 flush, 5 straight, 6 three, 7 less."""
    copies = np.zeros(15, dtype=np.int64)
    suited = True
    for card in hand:
        copies[ranks[card]] += 1
        suited = suited and suits[card] == suits[hand[0]]
    most, pairs = copies.max(), (copies == 2).sum()
    if most == 4:
        return 2
    if most == 3:
        return 3 if pairs == 1 else 6
    straight, top = False, 0
    if most == 1:
        copies[1] = copies[ACE]
        for low in range(1, 11):
            if copies[low : low + 5].sum() == 5:
                straight, top = True, low + 4
    if straight and suited:
        return 0 if top == ACE else 1
    if suited:
        return 4
    return 5 if straight else 7


@kernel
def all_five_cards(ranks: Ints, suits: Ints, choose: Ints) -> Ints:
    """The line of every five-card hand, at the place that `choose` gives its cards."""
    cards = len(ranks)
    lines = np.zeros(choose[cards, 5], dtype=np.int64)
    for e in range(cards):
        for d in range(e):
            for c in range(d):
                for b in range(c):
                    for a in range(b):
                        place = choose[a, 1] + choose[b, 2] + choose[c, 3] + choose[d, 4] + choose[e, 5]
                        lines[place] = five_card_poker(np.array([a, b, c, d, e]), ranks, suits)
    return lines


@kernel
def best_of_six(five: Ints, choose: Ints, cards: int) -> Ints:
    """Section 7: how many six-card hands have each line as the best of their six five-card hands."""
    counts = np.zeros(8, dtype=np.int64)
    for f in range(cards):
        for e in range(f):
            for d in range(e):
                for c in range(d):
                    for b in range(c):
                        for a in range(b):
                            hand = (a, b, c, d, e, f)
                            best = 7
                            for left_out in range(6):
                                place = 0
                                for i in range(6):
                                    if i != left_out:
                                        place += choose[hand[i], i + 1 if i < left_out else i]
                                best = min(best, five[place])
                            counts[best] += 1
    return counts


def six_card_hands(deck: Deck) -> Ints:
    """All six-card hands of the deck, by line. Shape (8,)."""
    cards = len(deck.ranks)
    # choose[n, k] by Pascal's rule.
    choose = np.zeros((cards + 1, 6), dtype=np.int64)
    choose[:, 0] = 1
    for n in range(1, cards + 1):
        choose[n, 1:] = choose[n - 1, 1:] + choose[n - 1, :-1]
    return best_of_six(all_five_cards(*deck, choose), choose, cards)


# --- Three Card Baccarat -----------------------------------------------------------------------------------


@kernel
def baccarat_hands(hands: Ints, ranks: Ints) -> Ints:
    """Section 2. Shape (4, hands): points, face cards, place among the 32 ranks (1 the highest), which three ranks."""
    read = np.zeros((4, len(hands)), dtype=np.int64)
    points, faces, place, code = read
    for h in range(len(hands)):
        held = np.sort(ranks[hands[h]])
        for rank in held:
            points[h] += 1 if rank == ACE else (rank if rank <= 9 else 0)
            faces[h] += JACK <= rank <= KING
            code[h] = 15 * code[h] + rank
        points[h] %= 10
        if held[0] == KING and held[2] == KING:
            place[h] = 1
        elif faces[h] == 3:
            place[h] = 2
        else:
            place[h] = 3 + 3 * (9 - points[h]) + (2 - faces[h])
    return read


@kernel
def count_baccarat(masks: Ints, read: Ints) -> tuple[Ints, Ints, Ints]:
    """Sections 4, 6 and 7 for every deal. Shapes (3,), (4,) and (7,)."""
    points, faces, place, code = read
    bet, tie, dragon = np.zeros(3, dtype=np.int64), np.zeros(4, dtype=np.int64), np.zeros(7, dtype=np.int64)
    for p in range(len(masks)):
        for d in range(len(masks)):
            if masks[p] & masks[d] != 0:
                continue
            if place[p] == place[d]:
                bet[1] += 1
            else:
                bet[0 if place[p] < place[d] else 2] += 1
            one_has_three_faces = (faces[p] == 3) != (faces[d] == 3)
            if points[p] != points[d] or one_has_three_faces:
                tie[3] += 1
            elif code[p] == code[d]:
                tie[0] += 1
            else:
                tie[1 if faces[p] == faces[d] else 2] += 1
            by = points[p] - points[d]
            if faces[p] == 3 and points[d] == 0 and faces[d] < 3:
                by = 10
            dragon[10 - by if by >= 5 else 6] += 1
    return bet, tie, dragon


class Baccarat(NamedTuple):
    bet: Ints
    """Player wins, tie, dealer wins."""
    tie: Ints
    """Copy, point and face tie, point tie, no tie."""
    dragon: Ints
    """Win by 10, 9, 8, 7, 6, 5; anything else."""


def baccarat_deals(deck: Deck) -> Baccarat:
    """Every deal of three cards against three."""
    hands = deck.hands(3)
    return Baccarat(*count_baccarat(masks(hands), baccarat_hands(hands, deck.ranks)))


def kings_bonus_hands(deck: Deck) -> Ints:
    """Section 5 for every hand: three kings, three faces, 9, 8, less."""
    points, faces, place, _ = baccarat_hands(deck.hands(3), deck.ranks)
    lines = np.select([place == 1, faces == 3, points == 9, points == 8], [0, 1, 2, 3], 4)
    return np.bincount(lines, minlength=5)


# --- Supreme 99 --------------------------------------------------------------------------------------------


@kernel
def half(one: int, other: int) -> int:
    """Section 2, for two ranks: any pair is above any points."""
    if one == other:
        return PAIR + one
    total = 0
    for rank in (one, other):
        total += 1 if rank == ACE else (rank if rank <= 9 else 0)
    return total % 10


@kernel
def settings(hands: Ints, ranks: Ints) -> Ints:
    """Section 4: both halves of each of three settings, by the lowest card's companion. Shape (hands, 3, 2)."""
    halves = np.zeros((len(hands), 3, 2), dtype=np.int64)
    for h in range(len(hands)):
        a, b, c, d = ranks[hands[h, 0]], ranks[hands[h, 1]], ranks[hands[h, 2]], ranks[hands[h, 3]]
        for s, (one, other) in enumerate(
            ((half(a, b), half(c, d)), (half(a, c), half(b, d)), (half(a, d), half(b, c)))
        ):
            halves[h, s, 0], halves[h, s, 1] = max(one, other), min(one, other)
    return halves


@kernel
def house_way(hands: Ints, ranks: Ints) -> Ints:
    """Section 5, case by case: the dealer's halves. Shape (hands, 2)."""
    halves = np.zeros((len(hands), 2), dtype=np.int64)
    for h in range(len(hands)):
        a, b, c, d = np.sort(ranks[hands[h]])
        if a == d:
            high, low = half(a, a), half(a, a)
        elif a == c:
            high, low = half(a, a), half(a, d)
        elif b == d:
            high, low = half(d, d), half(a, d)
        elif a == b and c == d:
            high, low = half(c, d), half(a, b)
        elif a == b:
            high, low = half(a, b), half(c, d)
        elif b == c:
            high, low = half(b, c), half(a, d)
        elif c == d:
            high, low = half(c, d), half(a, b)
        else:
            high, low = -1, -1
            for one, other in ((half(a, b), half(c, d)), (half(a, c), half(b, d)), (half(a, d), half(b, c))):
                if min(one, other) > low:
                    high, low = max(one, other), min(one, other)
        halves[h, 0], halves[h, 1] = high, low
    return halves


@kernel
def judge_settings(halves: Ints, dealers: Ints) -> Ints:
    """Section 6: 0 both copied, 1 both won, 2 push, 3 lost. Takes (hands, 3, 2) and (hands, 25 x 25)."""
    counts = np.zeros((len(halves), 3, 4), dtype=np.int64)
    for h in range(len(halves)):
        for s in range(3):
            for high in range(STRENGTHS):
                for low in range(STRENGTHS):
                    my_high, my_low = halves[h, s]
                    if my_high == high and my_low == low:
                        outcome = 0
                    elif my_high > high and my_low > low:
                        outcome = 1
                    elif my_high > high or my_low > low:
                        outcome = 2
                    else:
                        outcome = 3
                    counts[h, s, outcome] += dealers[h, high * STRENGTHS + low]
    return counts


def supreme_deals(deck: Deck, hands: Ints) -> Ints:
    """For each of these hands, each setting and each outcome: all the dealer's hands. Shape (hands, 3, 4)."""
    dealer_hands = deck.hands(4)
    dealer = house_way(dealer_hands, deck.ranks) @ np.array([STRENGTHS, 1])
    dealers = count_dealers(masks(hands), masks(dealer_hands), dealer, STRENGTHS * STRENGTHS)
    return judge_settings(settings(hands, deck.ranks), dealers)


def house_way_setting(hands: Ints, ranks: Ints) -> Ints:
    """Which of the three settings the house way is, for each hand."""
    same = (settings(hands, ranks) == house_way(hands, ranks)[:, np.newaxis]).all(axis=2)
    assert same.any(axis=1).all(), "the house way is one of the three settings"
    return np.asarray(same.argmax(axis=1))


def pair_fortunes_hands(deck: Deck) -> Ints:
    """Section 7 for every hand: four of a kind, two pair, 9-9, three of a kind, pair, nothing."""
    hands = deck.hands(4)
    held = np.sort(deck.ranks[hands], axis=1)
    equal = (held[:, 1:] == held[:, :-1]).sum(axis=1)
    middle = held[:, 1] == held[:, 2]
    nine_nine = (settings(hands, deck.ranks) == 9).all(axis=2).any(axis=1)
    four, three, two_pair = equal == 3, (equal == 2) & middle, (equal == 2) & ~middle
    lines = np.select([four, two_pair, three, equal == 1, nine_nine], [0, 1, 3, 4, 2], 5)
    return np.bincount(lines, minlength=6)
