"""What partners win at Triple Shot Rummy with a few ranks: every hand, every set of partners' cards, every dealer's.

    python tests/independent/partners.py        three partners with sixes, tens, queens and kings; 20 seconds

Nothing of the package is imported, and nothing is sampled.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

Card = tuple[int, int]
"""Rank, ace one and king thirteen, and suit."""
FOUR_RANKS = (6, 10, 12, 13)
QUALIFIES = 20


def points(hand: tuple[Card, ...]) -> int:
    """Pairs, three of a rank and runs of one suit count nothing, faces ten."""
    worth = [min(rank, 10) for rank, _ in hand]
    ranks, suits = [rank for rank, _ in hand], {suit for _, suit in hand}
    low, middle, high = sorted(ranks)
    if len(set(ranks)) == 1 or (len(suits) == 1 and high - middle == middle - low == 1):
        return 0
    totals = [sum(worth)]
    for one, other in combinations(range(3), 2):
        (rank, suit), (its_rank, its_suit) = hand[one], hand[other]
        if rank == its_rank or (suit == its_suit and abs(rank - its_rank) == 1):
            totals.append(worth[3 - one - other])
    return min(totals)


def pays(own: int) -> int:
    """A Play that wins, to one."""
    return 4 if own == 0 else 2 if own <= 5 else 1


def played(own: int, dealer: int) -> int:
    """What Ante and Play win together."""
    if dealer > QUALIFIES:
        return 1
    if own == dealer:
        return 0
    return 1 + pays(own) if own < dealer else -2


def gain(ranks: tuple[int, ...], *, seats: int) -> Fraction:
    """Of each, per unit of the Ante: what the choice that is best alone misses beside the partners' cards."""
    deck = [(rank, suit) for rank in ranks for suit in range(4)]
    hands = list(combinations(range(len(deck)), 3))
    masks = [sum(1 << card for card in hand) for hand in hands]
    totals = [points(tuple(deck[card] for card in hand)) for hand in hands]
    gained = sets = dealers = 0
    for own, mask in zip(totals, masks, strict=True):
        left = [(other, played(own, total)) for other, total in zip(masks, totals, strict=True) if not other & mask]
        plays = sum(won for _, won in left) > -len(left)
        others = [card for card in range(len(deck)) if not mask >> card & 1]
        for gone in combinations(others, 3 * (seats - 1)):
            seen = sum(1 << card for card in gone)
            nets = [won for other, won in left if not other & seen]
            play, fold = sum(nets), -len(nets)
            gained += max(0, fold - play) if plays else max(0, play - fold)
            sets, dealers = sets + 1, len(nets)
    return Fraction(gained, sets * dealers)


if __name__ == "__main__":
    print("gain of each of three:", gain(FOUR_RANKS, seats=3))
