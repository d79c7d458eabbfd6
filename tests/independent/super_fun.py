"""Super Fun 21 with its splits on a few cards, dealt out from the rulebook: nothing of the package is imported.

    python tests/independent/super_fun.py         the edge from each shoe below, as a fraction

Every card that can come is drawn, in fractions. A hand is played as is best for its cards against the up card, from the
shoe that lacks these; a hand from a split is played like the same cards that were not split, and a pair that comes
again is split while it may be. The hole card is drawn last: nobody has seen it, so it may be any that is left, and
where it makes a blackjack the round has lost one wager and nothing else. Cards are values, 1 for an ace to 10.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

Cards = tuple[int, ...]
Ended = tuple[int, Fraction]
"""A hand that is over: its total and its wager where it waits for the dealer, or 0 and what it has won or lost."""
HALF = Fraction(1, 2)


def total(hand: Cards) -> int:
    return sum(hand) + 10 if soft(hand) else sum(hand)


def soft(hand: Cards) -> bool:
    return 1 in hand and sum(hand) <= 11


def drawn(left: Cards) -> Iterator[tuple[int, Fraction, Cards]]:
    assert any(left), "the shoe has run out: choose another one"
    for value, number in enumerate(left, start=1):
        if number:
            yield value, Fraction(number, sum(left)), without(left, value)


def without(left: Cards, value: int) -> Cards:
    return (*left[: value - 1], left[value - 1] - 1, *left[value:])


@cache
def dealer(hand: Cards, left: Cards) -> tuple[tuple[int, Fraction], ...]:
    """Each total that the dealer comes to, who hits a soft 17, and 0 for a bust."""
    mine = total(hand)
    if mine > 17 or (mine == 17 and not soft(hand)):
        return ((mine if mine <= 21 else 0, Fraction(1)),)
    ends: dict[int, Fraction] = {}
    for card, p, rest in drawn(left):
        for end, q in dealer(tuple(sorted((*hand, card))), rest):
            ends[end] = ends.get(end, Fraction(0)) + p * q
    return tuple(ends.items())


@cache
def settled(hands: tuple[Ended, ...], up: int, left: Cards) -> Fraction:
    """What all hands of the seat come to together."""
    worth = Fraction(0)
    for hole, p, rest in drawn(left):
        if {hole, up} == {1, 10}:
            worth -= p
            continue
        plays = any(mine for mine, _ in hands)
        for end, q in dealer(tuple(sorted((up, hole))), rest) if plays else ((0, Fraction(1)),):
            for mine, wager in hands:
                worth += p * q * wager * (1 if not mine or mine > end else 0 if mine == end else -1)
    return worth


def by_itself(hand: Cards) -> Ended | None:
    """How a hand ends that was not doubled, without a decision."""
    if total(hand) > 21:
        return 0, Fraction(-1)
    if total(hand) == 21 and len(hand) >= 5:
        return 0, Fraction(2)
    if len(hand) >= 6:
        return 0, Fraction(1)
    return (21, Fraction(1)) if total(hand) == 21 else None


@dataclass(frozen=True)
class Seat:
    """One player, alone at a table with this shoe, and how many hands a pair may become."""

    shoe: Cards
    most: int

    def edge(self) -> Fraction:
        worth = Fraction(0)
        for one, p, after_one in drawn(self.shoe):
            for up, q, after_up in drawn(after_one):
                for two, r, left in drawn(after_up):
                    worth += p * q * r * self.first((one, two), up, left)
        return worth

    def first(self, hand: Cards, up: int, left: Cards) -> Fraction:
        if sorted(hand) == [1, 10]:
            return Fraction(15 * 1 + 1 * 2, 16)  # it always wins; one ace in four is a diamond, and one ten in four
        worth = best(tuple(sorted(hand)), up, left)[1]
        if hand[0] == hand[1] and self.most > 1:
            worth = max(worth, self.split(hand[0], up, left, waiting=2, hands=2, over=()))
        return worth

    def split(self, pair: int, up: int, left: Cards, *, waiting: int, hands: int, over: tuple[Ended, ...]) -> Fraction:
        """So many single cards of the pair wait; `hands` are opened in all, and some are over."""
        if not waiting:
            return settled(tuple(sorted(over)), up, left)
        worth = Fraction(0)
        for card, p, rest in drawn(left):
            if card == pair and hands < self.most:
                worth += p * self.split(pair, up, rest, waiting=waiting + 1, hands=hands + 1, over=over)
            else:
                for ended, q, after in self.played(tuple(sorted((pair, card))), up, rest):
                    then = (*over, ended)
                    worth += p * q * self.split(pair, up, after, waiting=waiting - 1, hands=hands, over=then)
        return worth

    def played(self, hand: Cards, up: int, left: Cards) -> Iterator[tuple[Ended, Fraction, Cards]]:
        """How a hand from a split can end: as the same cards do from a shoe that lacks them and the up card alone."""
        ended = by_itself(hand)
        if ended:
            yield ended, Fraction(1), left
            return
        act = best(hand, up, self.lacking(hand, up))[0]
        if act == "stand":
            yield (total(hand), Fraction(1)), Fraction(1), left
        elif act == "surrender":
            yield (0, -HALF), Fraction(1), left
        for card, p, rest in drawn(left) if act in ("hit", "double") else ():
            after = tuple(sorted((*hand, card)))
            if act == "hit":
                yield from ((end, p * q, then) for end, q, then in self.played(after, up, rest))
            else:
                given_up = total(after) < 21 and rescued(after, up, self.lacking(after, up))[0]
                busts = total(after) > 21
                yield (
                    (0, Fraction(-2)) if busts else (0, Fraction(-1)) if given_up else (total(after), Fraction(2)),
                    p,
                    rest,
                )

    def lacking(self, hand: Cards, up: int) -> Cards:
        left = without(self.shoe, up)
        for card in hand:
            left = without(left, card)
        return left


def caught(up: int, left: Cards) -> Fraction:
    return sum((p for hole, p, _ in drawn(left) if {hole, up} == {1, 10}), Fraction(0))


@cache
def best(hand: Cards, up: int, left: Cards) -> tuple[str, Fraction]:
    """What is best with a hand that is not split and was not doubled, and what that is worth before the check."""
    ended = by_itself(hand)
    if ended:
        return "stand", settled((ended,), up, left)
    blackjack = caught(up, left)
    ways = {
        "stand": settled(((total(hand), Fraction(1)),), up, left),
        "surrender": -HALF * (1 - blackjack) - blackjack,
        "hit": Fraction(0),
        "double": Fraction(0),
    }
    for card, p, rest in drawn(left):
        after = tuple(sorted((*hand, card)))
        ways["hit"] += p * best(after, up, rest)[1]
        ways["double"] += p * rescued(after, up, rest)[1]
    act = max(ways, key=lambda way: ways[way])
    return act, ways[act]


@cache
def rescued(hand: Cards, up: int, left: Cards) -> tuple[bool, Fraction]:
    """Whether a doubled hand is given up, and what it is worth: cards alone win it nothing."""
    if total(hand) > 21:
        return False, settled(((0, Fraction(-2)),), up, left)
    stands = settled(((total(hand), Fraction(2)),), up, left)
    gives_up = total(hand) < 21 and stands < -1
    return gives_up, Fraction(-1) if gives_up else stands


WORDS = "6D H17 SP{most} {again}HSA LS 1:1 CH6 DAC SAD SAT NDCC B21 BJW DBJ"
CASES: tuple[tuple[str, Seat], ...] = tuple(
    (WORDS.format(most=most, again="RSA " if most > 2 else ""), Seat(shoe, most))
    # A shoe: how many aces, twos ... tens. No round uses it up.
    for most, shoe in (
        (3, (3, 0, 0, 0, 0, 1, 0, 3, 0, 5)),
        (2, (1, 4, 2, 0, 1, 0, 0, 0, 0, 5)),
        (4, (0, 1, 0, 0, 1, 0, 4, 0, 2, 4)),
        (2, (2, 0, 0, 2, 0, 2, 0, 1, 0, 5)),
    )
)

if __name__ == "__main__":
    for words, seat in CASES:
        print(words, seat.shoe, seat.edge())
