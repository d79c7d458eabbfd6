"""House Money and Bet the Bust on a few cards, dealt out from the rulebook: both hang on how hands are played.

Nothing of the package is imported.

    python -m tests.independent.beside_the_bet         what each wager of each case below comes to, as fractions

Cards are `Kd`. Hands are played by `placards`, which goes by their values and looks at the player's own cards and the
up card. Every deal is taken and every card that can come is drawn, in fractions. Proceeds are put on the Bet where that
is worth more, and whether to give up early is weighed together with them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from tests.independent.placards import BUST, HALF, MONEY, Cards, Ends, Over, Placard, caught, drawn, natural, without

RANKS = "A23456789TJQK"
HOUSE_MONEY = {"Suited A-K": 9, "Straight Flush": 4, "Pair": 3, "Straight": 1, "Nothing": -1}
"""To 1; the wager comes back with what it wins."""


def value(card: str) -> int:
    return min(RANKS.index(card[0]) + 1, 10)


def line(one: str, other: str) -> str:
    apart = abs(RANKS.index(one[0]) - RANKS.index(other[0]))
    if not apart:
        return "Pair"
    if apart not in (1, len(RANKS) - 1):
        return "Nothing"
    if one[1] != other[1]:
        return "Straight"
    return "Suited A-K" if {one[0], other[0]} == {"A", "K"} else "Straight Flush"


class Out(NamedTuple):
    """How likely it is, with this up card, that nobody is left and the dealer would have gone bust, or made a hand."""

    bust: Fraction
    made: Fraction


@dataclass(frozen=True)
class Table:
    """A placard, and a shoe of real cards."""

    placard: Placard
    cards: tuple[str, ...]

    @classmethod
    def of(cls, words: str, cards: str) -> Table:
        return cls(Placard.of(words), tuple(cards.split()))

    @property
    def shoe(self) -> Cards:
        held = Counter(map(value, self.cards))
        return tuple(held[number] for number in range(1, 11))

    # House Money

    def deals(self) -> Iterator[tuple[str, str, int, Fraction]]:
        """Two cards of a seat, the value of an up card, and how likely they are."""
        dealt: Counter[tuple[str, str, int]] = Counter()
        for one, other in combinations(range(len(self.cards)), 2):
            for up, card in enumerate(self.cards):
                if up not in (one, other):
                    dealt[self.cards[one], self.cards[other], value(card)] += 1
        for (first, second, up), number in dealt.items():
            yield first, second, up, Fraction(number, dealt.total())

    def after_check(self, first: str, second: str, up: int) -> tuple[Fraction, Fraction]:
        """What the Bet brings where the dealer has no blackjack, and where there is one; each times its chance."""
        hand: Cards = tuple(sorted((value(first), value(second))))
        left = without(self.shoe, up, *hand)
        blackjack = caught(up, left)
        if natural(hand):
            diamonds = self.placard.says("DBJ") and first[1] == second[1] == "d"
            paid = Fraction(2) if diamonds else self.placard.odds
            return paid * (1 - blackjack), paid * blackjack * int(self.placard.says("BJW"))
        # A hand is worth this before the check, which may find a blackjack that takes one Bet.
        worth = self.placard.started(hand, up, left, late=self.placard.late(up))
        return worth + blackjack, -blackjack

    def house_money(self) -> Fraction:
        """What a unit of it brings beside a Bet of one."""
        brings = Fraction(0)
        for first, second, up, chance in self.deals():
            won = Fraction(HOUSE_MONEY[line(first, second)])
            proceeds = max(Fraction(0), won + 1)
            after, against = self.after_check(first, second, up)
            kept, capped = after + against, after * (1 + proceeds) + against
            if self.placard.early(up) and not natural(tuple(sorted((value(first), value(second))))):
                kept, capped = max(kept, -HALF), max(capped, -HALF)
            brings += chance * (won + max(kept, capped) - kept)
        return brings

    # Bet the Bust, one player

    def out(self, up: int) -> Out:
        bust = made = Fraction(0)
        dealer_and_others = without(self.shoe, up)
        for one, p, after_one in drawn(dealer_and_others):
            for other, q, left in drawn(after_one):
                for (hands, then), r in self.played(tuple(sorted((one, other))), up, left).items():
                    if any(hand.how == "stands" for hand in hands):
                        continue
                    for hole, s, rest in drawn(then):
                        if {hole, up} == {1, 10}:
                            continue
                        ends = dict(self.placard.dealer(tuple(sorted((up, hole))), rest))
                        goes = ends.get(BUST, Fraction(0))
                        bust += p * q * r * s * goes
                        made += p * q * r * s * (1 - goes)
        return Out(bust, made)

    def played(self, hand: Cards, up: int, left: Cards) -> Ends:
        """How a seat's hands end that are played as is best; a blackjack is paid, and so out."""
        if natural(hand):
            return {((Over("won", 21, MONEY),), left): Fraction(1)}
        placard, late = self.placard, self.placard.late(up)
        unsplit = placard.best(hand, up, left, late=late)[1]
        worth = placard.two(hand, up, left, late=late)
        if placard.early(up) and worth < -HALF:
            return {((Over("given up", 0, MONEY),), left): Fraction(1)}
        if worth > unsplit:
            return placard.split(hand[0], up, left, self.shoe)
        return placard.played(hand, up, left, self.shoe, MONEY, split=False, late=late)


CASES: tuple[tuple[str, str], ...] = (
    # A placard, and a shoe. No round uses it up.
    ("6D S17 SP3 3:2", "As Ah 6c 7s 7s 7d 8s 8d Ks Kd Qs Js Th"),
    ("6D H17 SP3 RSA HSA LS 6:5", "Ad Ad 8s 8c 8d 9d Kd Kd Qd Td Tc"),
    ("6D S17 SP2 ES 3:2", "Ac As 6s 6d 8s 8s Kc Ks Qh Td 7s"),
    ("6D H17 SP2 ES10 LS 6:5", "Ah As 6s 7s 6d 8d 8d Kh Ks Jd Tc"),
    ("6D H17 SP2 LS 1:1 CH6 NDCC DAC SAD SAT B21 BJW DBJ", "Ad As 4s 5s 8s 8d 8d Kd Ks Qd Jc Td 5c"),
    ("6D S17 SP2 CH5 DAC 3:2", "2s 2s 2d 3s 3d 7s 8d Kd Kd Ts Qc 2c"),
    ("6D S17 SP2 LS SAT DBJ 3:2", "Ad Ah 7s 7d 8d 9s Kd Kh Qd Tc Ts"),
    ("6D H17 SP2 LS DAC SAD 3:2", "Ah As 2c 5c 5s 6h 6s 8d Kd Kh Qs Tc Ts 9s"),
    ("6D H17 SP2 LS SAZ P22 ZAP17 3:2", "As Ad 6s 7s 8s 8s 9d Kd Ks Qs Ts"),
    ("6D H17 SP3 P22 FD FS 3:2", "6h 6s 7h 7s 7d 7c 8h 8s Kd Ks Qs Ts Th Td"),
)

if __name__ == "__main__":
    for words, cards in CASES:
        table = Table.of(words, cards)
        print(words, "|", cards, "| House Money", table.house_money())
        for up, number in enumerate(table.shoe, start=1):
            if number:
                print("   Bet the Bust against", up, *table.out(up))
