"""Rounds of blackjack and of its titles on a few cards, dealt out from the rulebook.

Nothing of the package is imported.

    python tests/independent/placards.py         the edge of each placard and shoe below, as a fraction

Every card that can come is drawn, in fractions. A hand is played as is best for its cards against the up card, from the
shoe that lacks these; a hand from a split is played like the same cards with the same chips that were not split, and a
pair that comes again is split while it may be. Of two hands of a seat each knows the two first cards of the other. The
dealer's second card is drawn last: nobody has seen it, so it may be any that is left. Cards are values, 1 for an ace to
10.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NamedTuple

Cards = tuple[int, ...]
HALF = Fraction(1, 2)
PUSH, BUST = 22, 23
"""How the dealer may end beside 17 to 21: with a 22 that pushes, or bust."""


class Chips(NamedTuple):
    """What lies on a hand: the player's money, and what the house lent."""

    own: int
    free: int


MONEY, LENT = Chips(1, 0), Chips(0, 1)


class Over(NamedTuple):
    """A hand that is over: `stands`, `bust`, `won`, `bonus` or `given up`."""

    how: str
    total: int
    chips: Chips

    def net(self, dealer: int) -> Fraction:
        own, free = self.chips
        if self.how == "bust":
            return Fraction(-own)
        if self.how == "given up":
            return -HALF * own
        if self.how == "bonus":
            return Fraction(2 * own)
        if self.how == "won" or (self.how == "stands" and dealer != PUSH and (dealer == BUST or self.total > dealer)):
            return Fraction(own + free)
        return Fraction(0) if dealer in (PUSH, self.total) else Fraction(-own)


Hands = tuple[Over, ...]
Ends = dict[tuple[Hands, Cards], Fraction]
"""How likely hands are to end so, with what is then left of the shoe."""


def total(hand: Cards) -> int:
    return sum(hand) + 10 if soft(hand) else sum(hand)


def soft(hand: Cards) -> bool:
    return 1 in hand and sum(hand) <= 11


def natural(hand: Cards) -> bool:
    return sorted(hand) == [1, 10]


def drawn(left: Cards) -> Iterator[tuple[int, Fraction, Cards]]:
    assert any(left), "the shoe has run out: choose another one"
    for value, number in enumerate(left, start=1):
        if number:
            yield value, Fraction(number, sum(left)), without(left, value)


def without(left: Cards, *values: int) -> Cards:
    counts = list(left)
    for value in values:
        counts[value - 1] -= 1
    assert min(counts) >= 0
    return tuple(counts)


def more(hand: Cards, card: int) -> Cards:
    return tuple(sorted((*hand, card)))


@dataclass(frozen=True)
class Placard:
    """The rules of a table, read from its words: what is not said is as a placard leaves it out."""

    words: frozenset[str]

    @classmethod
    def of(cls, text: str) -> Placard:
        return cls(frozenset(text.split()))

    def says(self, word: str) -> bool:
        return word in self.words

    def number(self, word: str, usual: int = 0) -> int:
        """`number("SP")` is 3 of `SP3`."""
        given = [int(each.removeprefix(word)) for each in self.words if each[:-1] == word or each[:-2] == word]
        return given[0] if given else usual

    def most(self, pair: int) -> int:
        """How many hands such a pair may become."""
        hands = self.number("SP", 4)
        return min(hands, 2) if pair == 1 and not self.says("RSA") else hands

    @property
    def odds(self) -> Fraction:
        [given] = [each for each in self.words if ":" in each] or ["3:2"]
        return Fraction(*map(int, given.split(":")))

    @property
    def checks(self) -> bool:
        return not self.says("ENHC")

    def early(self, up: int) -> bool:
        return self.says("ES") or (self.says("ES10") and up != 1)

    def late(self, up: int) -> bool:
        """Whether first hands may be surrendered in their turn."""
        return self.says("LS") or (self.early(up) and up not in (1, 10) and self.checks)

    def adds(self, hand: Cards) -> Chips:
        """What a double of these cards lays beside one chip."""
        free = self.says("FD") and len(hand) == 2 and not soft(hand) and 9 <= total(hand) <= 11
        return LENT if free else MONEY

    def may_double(self, hand: Cards, *, split: bool) -> bool:
        if (split and self.says("NDAS")) or (len(hand) > 2 and not self.says("DAC")):
            return False
        least = 10 if self.says("D10") else 9 if self.says("D9") else 0
        return not least or (not soft(hand) and least <= total(hand) <= 11)

    def by_itself(self, hand: Cards, chips: Chips, *, doubled: bool = False) -> Over | None:
        """How a hand ends without a decision."""
        if total(hand) > 21:
            return Over("bust", 0, chips)
        if self.says("B21") and total(hand) == 21 and len(hand) >= 5 and not doubled:
            return Over("bonus", 21, chips)
        if 0 < self.number("CH") <= len(hand) and not (doubled and self.says("NDCC")):
            return Over("won", total(hand), chips)
        return Over("stands", 21, chips) if total(hand) == 21 else None

    # The dealer

    @cache  # noqa: B019 (a placard lives as long as its test)
    def dealer(self, hand: Cards, left: Cards) -> tuple[tuple[int, Fraction], ...]:
        mine = total(hand)
        if mine > 17 or (mine == 17 and not (soft(hand) and self.says("H17"))):
            return ((mine if mine <= 21 else PUSH if mine == 22 and self.says("P22") else BUST, Fraction(1)),)
        ends: defaultdict[int, Fraction] = defaultdict(Fraction)
        for card, p, rest in drawn(left):
            for end, q in self.dealer(more(hand, card), rest):
                ends[end] += p * q
        return tuple(ends.items())

    @cache  # noqa: B019
    def settled(self, hands: Hands, up: int, left: Cards, lost: int = 1) -> Fraction:
        """What all hands come to; `lost` is what a blackjack takes that is found before more was added."""
        worth = Fraction(0)
        for hole, p, rest in drawn(left):
            if {hole, up} == {1, 10}:
                takes_all = not self.checks and not self.says("OBO")
                worth -= p * (sum(hand.chips.own for hand in hands) if takes_all else lost)
                continue
            plays = any(hand.how == "stands" for hand in hands)
            for end, q in self.dealer(more((up,), hole), rest) if plays else ((BUST, Fraction(1)),):
                worth += p * q * sum((hand.net(end) for hand in hands), Fraction(0))
        return worth

    # One hand

    @cache  # noqa: B019
    def best(
        self, hand: Cards, up: int, left: Cards, chips: Chips = MONEY, *, split: bool = False, late: bool = False
    ) -> tuple[str, Fraction]:
        """What is best with a hand that is not split any more, and what that is worth before the check."""
        over = self.by_itself(hand, chips)
        if over:
            return "stand", self.settled((over,), up, left)
        ways = {"stand": self.settled((Over("stands", total(hand), chips),), up, left)}
        if self.says("SAT") or (late and len(hand) == 2):
            ways["surrender"] = self.settled((Over("given up", 0, chips),), up, left)
        ways["hit"] = sum(
            (p * self.best(more(hand, card), up, rest, chips, split=split)[1] for card, p, rest in drawn(left)),
            Fraction(0),
        )
        if self.may_double(hand, split=split):
            ways["double"] = sum(
                (p * self.doubled(hand, card, up, rest, chips)[1] for card, p, rest in drawn(left)), Fraction(0)
            )
        act = max(ways, key=lambda way: ways[way])
        return act, ways[act]

    def doubled(self, hand: Cards, card: int, up: int, left: Cards, chips: Chips) -> tuple[Over, Fraction]:
        """How a hand ends that is doubled and gets this card, and what it is worth."""
        adds, after = self.adds(hand), more(hand, card)
        both = Chips(chips.own + adds.own, chips.free + adds.free)
        over = self.by_itself(after, both, doubled=True)
        if over:
            return over, self.settled((over,), up, left)
        ways = [Over("stands", total(after), both), *([Over("given up", 0, both)] if self.says("SAD") else [])]
        end = max(ways, key=lambda way: self.settled((way,), up, left))
        return end, self.settled((end,), up, left)

    def played(
        self, hand: Cards, up: int, left: Cards, shoe: Cards, chips: Chips, *, split: bool, late: bool = False
    ) -> Ends:
        """How a hand ends that is played as is best from `shoe` less its cards and the up card."""
        over = self.by_itself(hand, chips)
        if over:
            return {((over,), left): Fraction(1)}
        act, _ = self.best(hand, up, without(shoe, up, *hand), chips, split=split, late=late)
        if act in ("stand", "surrender"):
            how = Over("stands", total(hand), chips) if act == "stand" else Over("given up", 0, chips)
            return {((how,), left): Fraction(1)}
        ends: defaultdict[tuple[Hands, Cards], Fraction] = defaultdict(Fraction)
        for card, p, rest in drawn(left):
            if act == "double":
                last, _ = self.doubled(hand, card, up, without(shoe, up, *hand, card), chips)
                ends[(last,), rest] += p
            else:
                for end, q in self.played(more(hand, card), up, rest, shoe, chips, split=split).items():
                    ends[end] += p * q
        return dict(ends)

    def split(self, pair: int, up: int, left: Cards, shoe: Cards) -> Ends:
        """How all hands of a pair end that is split; the first keeps the player's money."""
        added = LENT if self.says("FS") and pair != 10 else MONEY

        @cache
        def on(waiting: tuple[Chips, ...], opened: int, left: Cards) -> Ends:
            """So many hands still wait for their second card."""
            if not waiting:
                return {((), left): Fraction(1)}
            ends: defaultdict[tuple[Hands, Cards], Fraction] = defaultdict(Fraction)
            for card, p, rest in drawn(left):
                if card == pair and opened < self.most(pair):
                    for how, q in on((waiting[0], added, *waiting[1:]), opened + 1, rest).items():
                        ends[how] += p * q
                    continue
                two = more((pair,), card)
                if pair == 1 and not self.says("HSA"):
                    one: Ends = {((Over("stands", total(two), waiting[0]),), rest): Fraction(1)}
                else:
                    one = self.played(two, up, rest, shoe, waiting[0], split=True)
                for (hand, then), q in one.items():
                    for (others, last), r in on(waiting[1:], opened, then).items():
                        ends[tuple(sorted((*hand, *others))), last] += p * q * r
            return dict(ends)

        return on((MONEY, added), 2, left)

    def two(self, hand: Cards, up: int, left: Cards, *, late: bool) -> Fraction:
        """Two cards that are no blackjack, played or split."""
        worth = self.best(hand, up, left, late=late)[1]
        if hand[0] == hand[1] and self.most(hand[0]) > 1:
            shoe = tuple(n + (value == up) + hand.count(value) for value, n in enumerate(left, start=1))
            split = sum((p * self.settled(how, up, on) for (how, on), p in self.split(hand[0], up, left, shoe).items()))
            worth = max(worth, Fraction(split))
        return worth

    def started(self, hand: Cards, up: int, left: Cards, *, late: bool) -> Fraction:
        """The same, or zapped where that may be and is worth more."""
        worth = self.two(hand, up, left, late=late)
        if soft(hand) or not 15 <= total(hand) <= self.number("ZAP"):
            return worth
        zapped = Fraction(0)
        for one, p, after in drawn(left):
            for other, q, rest in drawn(after):
                zapped += p * q * self.two(more((one,), other), up, rest, late=self.says("SAZ"))
        return max(worth, zapped)

    def first(self, hand: Cards, up: int, left: Cards) -> Fraction:
        if natural(hand):
            paid = (15 * self.odds + 2) / 16 if self.says("DBJ") else self.odds  # one in sixteen is in diamonds
            return paid * (1 if self.says("BJW") else 1 - caught(up, left))
        worth = self.started(hand, up, left, late=self.late(up))
        return max(worth, -HALF) if self.early(up) else worth

    # Two hands

    def ends(self, hand: Cards, up: int, left: Cards, shoe: Cards, *, paid: bool) -> Ends:
        """How one of two hands ends, by what is best from a shoe without the two cards of the other."""
        if natural(hand) and paid:
            return {((Over("won", 21, MONEY),), left): Fraction(1)}
        if hand[0] == hand[1] and self.most(hand[0]) > 1:
            before = without(shoe, up, *hand)
            split = self.split(hand[0], up, before, shoe)
            worth = sum((p * self.settled(how, up, on) for (how, on), p in split.items()))
            if worth > self.best(hand, up, before)[1]:
                return self.split(hand[0], up, left, shoe)
        return self.played(hand, up, left, shoe, MONEY, split=False)

    def both(self, one: Cards, other: Cards, up: int, shoe: Cards, *, lost: int, paid: bool) -> Fraction:
        """Two hands as they lie: the first is played to its end, then the second."""
        worth, left = Fraction(0), without(shoe, up, *one, *other)
        for (hands, rest), p in self.ends(one, up, left, without(shoe, *other), paid=paid).items():
            for (others, last), q in self.ends(other, up, rest, without(shoe, *one), paid=paid).items():
                worth += p * q * self.settled(tuple(sorted((*hands, *others))), up, last, lost)
        return worth

    def switching(self, dealt: Cards, up: int, shoe: Cards) -> Fraction:
        """Hands of a-b and c-d as they lie, or as a-d and c-b; a blackjack is told from 21 before the switch."""
        a, b, c, d = dealt
        lost = 2 - natural((a, b)) - natural((c, d))
        kept = self.both(more((a,), b), more((c,), d), up, shoe, lost=lost, paid=True)
        changed = self.both(more((a,), d), more((c,), b), up, shoe, lost=lost, paid=self.says("SWBJ"))
        return max(kept, changed)

    # All deals

    def edge(self, shoe: Cards) -> Fraction:
        """The player's expected result, per unit of the whole Bet."""
        worth = Fraction(0)
        for one, p, after_one in drawn(shoe):
            for up, q, after_up in drawn(after_one):
                for two, r, left in drawn(after_up):
                    if self.says("SWITCH"):
                        for three, s, after_three in drawn(left):
                            for four, t, _ in drawn(after_three):
                                both = self.switching((one, two, three, four), up, shoe)
                                worth += HALF * p * q * r * s * t * both
                    else:
                        worth += p * q * r * self.first(more((one,), two), up, left)
        return worth


def caught(up: int, left: Cards) -> Fraction:
    return sum((p for hole, p, _ in drawn(left) if {hole, up} == {1, 10}), Fraction(0))


CASES: tuple[tuple[str, Cards], ...] = (
    # A placard, and a shoe: how many aces, twos ... tens. No round uses it up.
    ("6D H17 SP4 RSA 3:2 P22 FD FS", (0, 0, 0, 0, 4, 0, 3, 0, 0, 8)),
    ("6D H17 SP4 RSA 3:2 P22 FD FS", (4, 0, 0, 0, 0, 0, 0, 4, 0, 8)),
    ("6D H17 SP4 RSA HSA 3:2 P22 FD FS", (5, 0, 0, 0, 0, 0, 0, 0, 2, 9)),
    ("6D S17 SP3 NDAS 3:2 P22 FD FS", (0, 0, 3, 0, 0, 0, 0, 4, 0, 7)),
    ("6D S17 SP4 3:2 P22 FD FS", (0, 0, 0, 0, 0, 0, 0, 0, 5, 6)),
    ("6D S17 SP3 RSA LS ENHC 3:2 P22 FD FS", (3, 0, 0, 0, 2, 0, 0, 4, 0, 6)),
    ("6D H17 SP4 LS SAZ 3:2 P22 ZAP18", (0, 0, 0, 0, 0, 0, 0, 4, 5, 6)),
    ("6D H17 SP2 LS NSAZ 3:2 P22 ZAP18", (0, 0, 0, 0, 0, 2, 3, 0, 2, 4)),
    ("6D S17 SP3 NSAZ 3:2 P22 ZAP17", (0, 0, 0, 0, 0, 1, 3, 4, 0, 6)),
    ("6D H17 SP2 1:1 P22 SWITCH", (0, 0, 0, 0, 0, 2, 0, 5, 0, 6)),
    ("6D S17 SP3 1:1 P22 SWITCH", (0, 0, 0, 0, 0, 0, 0, 4, 3, 9)),
    ("8D S17 SP2 NDAS 1:1 P22 SWITCH", (0, 0, 0, 0, 0, 0, 0, 4, 3, 8)),
    ("6D S17 SP1 1:1 P22 SWITCH SWBJ", (3, 0, 0, 0, 0, 0, 0, 0, 2, 6)),
    ("6D S17 SP3 ES", (2, 0, 0, 0, 0, 2, 0, 3, 0, 5)),
    ("6D H17 SP2 ES10 LS", (2, 0, 0, 0, 0, 3, 0, 2, 0, 5)),
    ("6D S17 SP3 ES ENHC", (2, 0, 0, 0, 0, 2, 0, 4, 0, 6)),
    ("6D S17 SP2 ES10 ENHC OBO", (2, 0, 0, 0, 0, 2, 0, 2, 0, 6)),
    ("6D S17 SP4 RSA HSA LS ENHC OBO", (4, 0, 0, 0, 0, 0, 0, 2, 0, 8)),
    ("6D S17 SP2 CH5", (4, 3, 0, 0, 0, 0, 0, 2, 0, 4)),
    ("6D S17 SP2 CH6", (4, 4, 0, 0, 0, 0, 0, 2, 0, 4)),
    ("6D S17 SP2 CH7", (4, 4, 3, 0, 0, 0, 0, 0, 0, 5)),
    ("6D S17 SP2 ENHC CH5 DAC", (2, 4, 0, 0, 0, 0, 0, 2, 0, 5)),
    ("6D H17 SP3 RSA HSA DAC", (2, 0, 3, 0, 1, 0, 0, 3, 0, 5)),
    ("6D S17 SP2 SAD", (0, 1, 0, 0, 4, 2, 0, 0, 2, 5)),
    ("6D H17 SP2 LS DAC SAD", (1, 2, 1, 0, 3, 0, 0, 2, 0, 5)),
    ("6D S17 SP3 CH5 SAD", (0, 2, 0, 2, 3, 0, 0, 0, 0, 6)),
    ("6D S17 SP3 ES D9", (1, 0, 0, 2, 4, 0, 0, 0, 2, 6)),
    ("6D S17 SP3 RSA LS SAT", (4, 0, 0, 0, 0, 2, 0, 2, 0, 6)),
    ("6D H17 SP2 LS CH5 NDCC DAC SAD SAT B21 BJW DBJ 6:5", (1, 3, 1, 0, 3, 0, 0, 2, 0, 5)),
)

if __name__ == "__main__":
    for words, shoe in CASES:
        print(words, shoe, Placard.of(words).edge(shoe))
