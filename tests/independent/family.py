"""Free Bet, Zappit Blackjack, Super Fun 21 and surrender after a double, on a few cards, dealt out from the rulebook.

Nothing of the package is imported.

    python tests/independent/family.py         the edge of each game below, as a fraction

Every card that can come is drawn, in fractions, and at each decision the best is taken that looks at the cards on the
table. The dealer's second card is drawn last: nobody has seen it, so it may be any that is left, and where it makes a
blackjack the player has lost one wager and nothing else. Cards are values, 1 for an ace to 10. Pairs are split where
that leaves nothing to decide: aces, once, with one card each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

Cards = tuple[int, ...]
Done = tuple[int, int, int]
"""A hand that is over: its total, 22 for any bust, the player's money and the free chips on it."""
BUST = 22


def total(hand: Cards) -> int:
    hard = sum(hand)
    return hard + 10 if 1 in hand and hard <= 11 else min(hard, BUST)


def soft(hand: Cards) -> bool:
    return 1 in hand and sum(hand) <= 11


def draws(left: Cards) -> Iterator[tuple[int, Fraction, Cards]]:
    assert any(left), "the shoe has run out: choose another one"
    for value, number in enumerate(left, start=1):
        if number:
            yield value, Fraction(number, sum(left)), (*left[: value - 1], number - 1, *left[value:])


@dataclass(frozen=True)
class Game:
    """A placard: the dealer hits a soft 17, a 22 pushes, a blackjack pays 3 to 2, any two cards are doubled."""

    free: bool = False
    """Free chips for doubles of a hard 9 to 11 and for splits of aces; else aces are not split."""
    zap: int = 0
    """The highest hard total that may be zapped, from 15 on."""
    rescue: bool = False
    """Whether a doubled hand may give up one of its two wagers."""

    fun: bool = False
    """Super Fun 21: even money for a blackjack, 2 to 1 in diamonds, and it wins always; any number of cards may be
    doubled, any hand given up, a doubled one too; six cards have won, and a 21 of five cards wins two."""

    def edge(self, shoe: Cards) -> Fraction:
        worth = Fraction(0)
        for one, p, after_one in draws(shoe):
            for up, q, after_up in draws(after_one):
                for two, r, left in draws(after_up):
                    worth += p * q * r * self.first(tuple(sorted((one, two))), up, left)
        return worth

    def first(self, hand: Cards, up: int, left: Cards) -> Fraction:
        if hand == (1, 10) and self.fun:
            return Fraction(15 * 1 + 1 * 2, 16)  # one ace in four is a diamond, and one ten in four
        if hand == (1, 10):
            caught = sum((p for hole, p, _ in draws(left) if {hole, up} == {1, 10}), Fraction(0))
            return Fraction(3, 2) * (1 - caught)
        worth = self.two(hand, up, left)
        if not soft(hand) and 15 <= total(hand) <= self.zap:
            worth = max(worth, self.zapped(up, left))
        if hand == (1, 1) and self.free:
            worth = max(worth, self.split_aces(up, left))
        return worth

    def zapped(self, up: int, left: Cards) -> Fraction:
        worth = Fraction(0)
        for one, p, after in draws(left):
            for two, q, rest in draws(after):
                worth += p * q * self.two(tuple(sorted((one, two))), up, rest)
        return worth

    def split_aces(self, up: int, left: Cards) -> Fraction:
        worth = Fraction(0)
        for one, p, after in draws(left):
            for two, q, rest in draws(after):
                hands = ((total((1, one)), 1, 0), (total((1, two)), 0, 1))
                worth += p * q * settle(hands, up, rest)
        return worth

    def two(self, hand: Cards, up: int, left: Cards) -> Fraction:
        """Two cards that are neither split nor zapped."""
        if self.fun:
            return fun(hand, up, left)
        worth = on(hand, up, left)
        if total(hand) == 21:
            return worth
        free = self.free and not soft(hand) and 9 <= total(hand) <= 11
        stake = (1, 1) if free else (2, 0)
        doubled = Fraction(0)
        for card, p, rest in draws(left):
            comes_to = total((*hand, card))
            stands = settle(((comes_to, *stake),), up, rest)
            doubled += p * (max(stands, Fraction(-1)) if self.rescue and comes_to < 21 else stands)
        return max(worth, doubled)


@cache
def on(hand: Cards, up: int, left: Cards) -> Fraction:
    """The best of standing and hitting."""
    stands = settle(((total(hand), 1, 0),), up, left)
    if total(hand) >= 21:
        return stands
    hits = sum((p * on(tuple(sorted((*hand, card))), up, rest) for card, p, rest in draws(left)), Fraction(0))
    return max(stands, hits)


@cache
def fun(hand: Cards, up: int, left: Cards) -> Fraction:
    """The best of everything that Super Fun 21 allows with a hand that is not split."""
    caught = sum((p for hole, p, _ in draws(left) if {hole, up} == {1, 10}), Fraction(0))
    if total(hand) == BUST:
        return Fraction(-1)
    if total(hand) == 21 and len(hand) >= 5:
        return 2 * (1 - caught) - caught
    if len(hand) >= 6:
        return 1 - 2 * caught
    stands = settle(((total(hand), 1, 0),), up, left)
    if total(hand) == 21:
        return stands
    gives_up = -(1 - caught) / 2 - caught
    hits = sum((p * fun(tuple(sorted((*hand, card))), up, rest) for card, p, rest in draws(left)), Fraction(0))
    doubles = Fraction(0)
    for card, p, rest in draws(left):
        comes_to = total((*hand, card))
        stays = settle(((comes_to, 2, 0),), up, rest)
        doubles += p * (max(stays, Fraction(-1)) if comes_to < 21 else stays)
    return max(stands, gives_up, hits, doubles)


@cache
def settle(hands: tuple[Done, ...], up: int, left: Cards) -> Fraction:
    worth = Fraction(0)
    for hole, p, rest in draws(left):
        if {hole, up} == {1, 10}:
            worth -= p
        else:
            ends = dealer(tuple(sorted((up, hole))), rest)
            worth += p * sum((q * net(hand, end) for end, q in ends.items() for hand in hands), Fraction(0))
    return worth


def net(hand: Done, dealers: int) -> int:
    """`dealers` is 17 to 21, 22 where it pushes, or more for any other bust."""
    mine, own, free = hand
    if mine == BUST:
        return -own
    if dealers in (BUST, mine):
        return 0
    return own + free if dealers > BUST or mine > dealers else -own


@cache
def dealer(hand: Cards, left: Cards) -> dict[int, Fraction]:
    mine = total(hand)
    if mine > 17 or (mine == 17 and not soft(hand)):
        return {max(mine, sum(hand)) if mine == BUST else mine: Fraction(1)}
    ends: dict[int, Fraction] = {}
    for card, p, rest in draws(left):
        for end, q in dealer(tuple(sorted((*hand, card))), rest).items():
            ends[end] = ends.get(end, Fraction(0)) + p * q
    return ends


SUPER_FUN = "6D H17 SP1 P22 LS 1:1 CH6 DAC SAD SAT NDCC B21 BJW DBJ"
CASES: tuple[tuple[str, Game, Cards], ...] = (
    # A placard, the game, and a shoe: how many aces, twos ... tens. No round uses it up. Where aces are split, no other
    # value is there twice.
    ("6D H17 SP1 P22", Game(), (1, 0, 0, 0, 0, 2, 2, 0, 1, 4)),
    ("6D H17 SP2 P22 FD FS", Game(free=True), (3, 0, 0, 1, 1, 1, 1, 1, 1, 1)),
    ("6D H17 SP1 P22 ZAP17", Game(zap=17), (1, 0, 0, 0, 1, 2, 1, 0, 1, 4)),
    ("6D H17 SP1 P22 SAD", Game(rescue=True), (1, 1, 0, 1, 3, 2, 0, 0, 2, 4)),
    ("6D H17 SP1 P22 ZAP18", Game(zap=18), (1, 0, 0, 0, 1, 1, 1, 1, 1, 4)),
    (SUPER_FUN, Game(fun=True), (1, 2, 2, 1, 1, 0, 1, 0, 0, 4)),
    (SUPER_FUN, Game(fun=True), (2, 4, 2, 0, 0, 1, 0, 1, 0, 3)),
)

if __name__ == "__main__":
    for words, game, shoe in CASES:
        print(words, shoe, game.edge(shoe))
