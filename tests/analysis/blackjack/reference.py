"""Blackjack dealt card by card with exact fractions: slow, literal, and sharing no code with the solver.

A round is dealt as at a table: the hole card is drawn first and looked at, every hand takes its cards in turn from what
is left, and the dealer plays last. Nothing is summed up by symmetry. Cards are values, 1 for an ace to 10.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from croupier.games.blackjack.rules import DoubleOn, Rules

Cards = tuple[int, ...]
"""How many of each value are left, aces first; or the values of a hand, ascending."""
Law = dict[Fraction, Fraction]
"""Results of a round, in units of the first wager, and how likely they are."""
BROKEN, PUSHES = 22, 0
"""Any bust; a dealer's 22 where it pushes."""
STAND, HIT, DOUBLE, SPLIT, SURRENDER = "stand", "hit", "double", "split", "surrender"


class RanOut(Exception):
    """The shoe has no card left where one is needed."""


@dataclass(frozen=True)
class Seen:
    """What has happened in a split when a hand takes its second card."""

    pairs: int
    others: int


class Waiting(NamedTuple):
    """Hands of a split with one card each, and how many these may become."""

    hands: int
    most: int


Policy = Callable[[Cards, Seen], str]
"""How a hand after a split is played: stand, hit or double."""


@dataclass(frozen=True)
class Plan:
    """How to play whole rounds: the first two cards, three cards and more, and hands after a split."""

    first: Callable[[Cards, int], str]
    later: Callable[[Cards, int], str]
    after_split: Callable[[int], Policy]


def total(hand: Cards) -> int:
    hard = sum(hand)
    return hard + 10 if 1 in hand and hard <= 11 else min(hard, BROKEN)


def is_soft(hand: Cards) -> bool:
    return 1 in hand and sum(hand) <= 11


def draws(cards: Cards) -> Iterator[tuple[int, Fraction, Cards]]:
    """Each next card, its chance, and what is left."""
    left = sum(cards)
    if not left:
        raise RanOut
    for value in range(1, 11):
        n = cards[value - 1]
        if n:
            yield value, Fraction(n, left), remove(cards, value)


def remove(cards: Cards, *values: int) -> Cards:
    left = list(cards)
    for value in values:
        left[value - 1] -= 1
    assert min(left) >= 0
    return tuple(left)


def held(hand: Cards, value: int) -> Cards:
    return tuple(sorted((*hand, value)))


@dataclass(frozen=True)
class Reference:
    """One shoe, before the up card and the player's cards are taken, under one set of rules."""

    rules: Rules
    shoe: Cards

    # The dealer

    def dealer(self, hand: Cards, cards: Cards) -> dict[int, Fraction]:
        """How a hand of two cards or more ends."""
        return _dealer(hand, cards, self.rules.hits_soft_17, self.rules.push_22)

    def holes(self, up: int, cards: Cards) -> Iterator[tuple[int, Fraction, Cards]]:
        """Each hole card that is no blackjack, its chance given that, and what is left."""
        fits = [each for each in draws(cards) if {up, each[0]} != {1, 10}]
        no_blackjack = sum(chance for _, chance, _ in fits)
        for value, chance, left in fits:
            yield value, chance / no_blackjack, left

    def blackjack(self, up: int, cards: Cards) -> Fraction:
        return sum((chance for value, chance, _ in draws(cards) if {up, value} == {1, 10}), Fraction(0))

    # A hand that is not split, given no blackjack where the hole card is checked

    def next_cards(self, up: int, cards: Cards) -> Iterator[tuple[int, Fraction, Cards]]:
        """Each next card with its chance: given that the hole card, drawn before it, makes no blackjack."""
        if not self.rules.hole_card or up not in (1, 10):
            yield from draws(cards)
            return
        hole, left = 11 - up, sum(cards)
        bad = cards[hole - 1]
        for value, _, after in draws(cards):
            n = cards[value - 1]
            spare = left - 1 - bad + (value == hole)
            if spare:
                yield value, Fraction(n * spare, (left - 1) * (left - bad)), after

    def stand(self, hand: Cards, up: int, cards: Cards) -> Fraction:
        mine = total(hand)
        value = Fraction(0)
        if self.rules.hole_card:
            for hole, chance, left in self.holes(up, cards):
                value += chance * self._against(mine, self.dealer(held((up,), hole), left))
            return value
        for hole, chance, left in draws(cards):
            lost = {up, hole} == {1, 10}
            value += chance * (-1 if lost else self._against(mine, self.dealer(held((up,), hole), left)))
        return value

    @staticmethod
    def _against(mine: int, dealer: dict[int, Fraction]) -> Fraction:
        return sum((chance * sign(mine, theirs) for theirs, chance in dealer.items()), Fraction(0))

    def hit(self, hand: Cards, up: int, cards: Cards) -> Fraction:
        return sum(
            (chance * self.drawn(held(hand, value), up, left) for value, chance, left in self.next_cards(up, cards)),
            Fraction(0),
        )

    def drawn(self, hand: Cards, up: int, cards: Cards) -> Fraction:
        """The best of standing and hitting with three cards or more."""
        return _drawn(self, hand, up, cards)

    def double(self, hand: Cards, up: int, cards: Cards) -> Fraction:
        worth = Fraction(0)
        for value, chance, left in self.next_cards(up, cards):
            after = held(hand, value)
            worth += chance * 2 * (-1 if total(after) == BROKEN else self.stand(after, up, left))
        return worth

    def may_double(self, hand: Cards, *, after_split: bool) -> bool:
        if len(hand) != 2 or (after_split and not self.rules.double_after_split):
            return False
        low = {DoubleOn.ANY: 0, DoubleOn.NINE_TO_ELEVEN: 9, DoubleOn.TEN_OR_ELEVEN: 10}[self.rules.double_on]
        return low == 0 or (not is_soft(hand) and low <= total(hand) <= 11)

    def values(self, hand: Cards, up: int) -> dict[str, Fraction]:
        """Standing, hitting, doubling, surrendering; the hand and the up card come out of the shoe."""
        cards = remove(self.shoe, *hand, up)
        worth = {STAND: self.stand(hand, up, cards)}
        if total(hand) == 21:
            return worth  # the hand is over
        worth[HIT] = self.hit(hand, up, cards)
        if self.may_double(hand, after_split=False):
            worth[DOUBLE] = self.double(hand, up, cards)
        if self.rules.late_surrender and len(hand) == 2:
            lost = Fraction(0) if self.rules.hole_card else self.blackjack(up, cards)
            worth[SURRENDER] = -(1 + lost) / 2
        return worth

    def as_unsplit(self, up: int) -> Policy:
        """The convention CDZ-: what is best for the same cards had there been no split."""

        @cache
        def choose(hand: Cards) -> str:
            if total(hand) == 21:
                return STAND
            cards = remove(self.shoe, *hand, up)
            stand, hit = self.stand(hand, up, cards), self.hit(hand, up, cards)
            best = HIT if hit > stand else STAND
            if self.may_double(hand, after_split=True) and self.double(hand, up, cards) > max(stand, hit):
                best = DOUBLE
            return best

        return lambda hand, _: choose(hand)

    # A split, dealt out

    def split(self, pair: int, up: int, policy: Policy, *, waiting: int = 2, most: int = 0) -> Law:
        """The law of the result of splitting this pair, given no blackjack where the hole card is checked.

        Or of so many hands of one card each, in the middle of a split, that may become so many.
        """
        cards = remove(self.shoe, pair, pair, up)
        after = Waiting(waiting, most or self.rules.hands_from(pair))
        if not self.rules.hole_card:
            return self._split(pair, up, None, policy, cards, after=after)
        return mixed(
            [
                (chance, self._split(pair, up, hole, policy, left, after=after))
                for hole, chance, left in self.holes(up, cards)
            ]
        )

    def _split(
        self, pair: int, up: int, hole: int | None, policy: Policy, cards: Cards, *, after: Waiting | None = None
    ) -> Law:
        waiting, most = after or Waiting(2, self.rules.hands_from(pair))

        @cache
        def second(seen: Seen, closed: int, done: tuple[tuple[int, int], ...], cards: Cards) -> Law:
            """The next open hand takes its second card."""
            if closed == waiting + seen.pairs:
                return self._settled(up, hole, done, cards)
            laws = []
            for value, chance, left in draws(cards):
                if value == pair and waiting + seen.pairs < most:
                    laws.append((chance, second(Seen(seen.pairs + 1, seen.others), closed, done, left)))
                else:
                    laws.append((chance, play(held((pair,), value), seen, closed, done, left)))
            return mixed(laws)

        def next_hand(seen: Seen, closed: int, done: tuple[tuple[int, int], ...], cards: Cards) -> Law:
            # Once no more hand can be opened, what closed the hands is not counted further.
            others = seen.others + 1 if waiting + seen.pairs < most else seen.others
            return second(Seen(seen.pairs, others), closed + 1, tuple(sorted(done)), cards)

        @cache
        def play(hand: Cards, seen: Seen, closed: int, done: tuple[tuple[int, int], ...], cards: Cards) -> Law:
            mine = total(hand)
            one_card = pair == 1 and not self.rules.hit_split_aces
            act = STAND if one_card or mine == BROKEN else policy(hand, seen)
            if act == STAND:
                return next_hand(seen, closed, (*done, (mine, 1)), cards)
            laws = []
            for value, chance, left in draws(cards):
                after = held(hand, value)
                if act == DOUBLE:
                    laws.append((chance, next_hand(seen, closed, (*done, (total(after), 2)), left)))
                else:
                    laws.append((chance, play(after, seen, closed, done, left)))
            return mixed(laws)

        return second(Seen(0, 0), 0, (), cards)

    # Whole rounds

    def round(self, plan: Plan) -> Law:
        """The law of a round under a plan, over all deals."""
        laws = []
        for low, chance_low, after_low in draws(self.shoe):
            for high, chance_high, after_high in draws(after_low):
                for up, chance_up, cards in draws(after_high):
                    chance = chance_low * chance_high * chance_up
                    laws.append((chance, self._dealt(plan, tuple(sorted((low, high))), up, cards)))
        return mixed(laws)

    @cache  # noqa: B019 (a reference lives as long as its test)
    def _dealt(self, plan: Plan, hand: Cards, up: int, cards: Cards) -> Law:
        caught = self.blackjack(up, cards)
        if hand == (1, 10):
            return {self.rules.blackjack_odds: 1 - caught, Fraction(0): caught}
        if not self.rules.hole_card:
            return self._first(plan, hand, up, None, cards)
        laws = [(caught, {Fraction(-1): Fraction(1)})]
        if caught < 1:
            for hole, chance, left in self.holes(up, cards):
                laws.append(((1 - caught) * chance, self._first(plan, hand, up, hole, left)))
        return mixed(laws)

    def _first(self, plan: Plan, hand: Cards, up: int, hole: int | None, cards: Cards) -> Law:
        act = plan.first(hand, up)
        if act == SPLIT:
            return self._split(hand[0], up, hole, plan.after_split(up), cards)
        if act == SURRENDER:
            caught = self.blackjack(up, cards) if hole is None else Fraction(0)
            return {Fraction(-1, 2): 1 - caught, Fraction(-1): caught}
        if act == DOUBLE:
            return mixed(
                [(p, self._settled(up, hole, ((total(held(hand, x)), 2),), left)) for x, p, left in draws(cards)]
            )
        return self._on(plan, hand, (up, hole), cards, act)

    def _on(self, plan: Plan, hand: Cards, dealer: tuple[int, int | None], cards: Cards, act: str) -> Law:
        if act == STAND or total(hand) == BROKEN:
            return self._settled(*dealer, ((total(hand), 1),), cards)
        laws = []
        for value, chance, left in draws(cards):
            after = held(hand, value)
            next_act = STAND if total(after) == BROKEN else plan.later(after, dealer[0])
            laws.append((chance, self._on(plan, after, dealer, left, next_act)))
        return mixed(laws)

    def _settled(self, up: int, hole: int | None, done: tuple[tuple[int, int], ...], cards: Cards) -> Law:
        if hole is not None:
            return self._result(done, self.dealer(held((up,), hole), cards))
        laws = []
        for value, chance, left in draws(cards):
            if {up, value} == {1, 10}:
                laws.append((chance, {Fraction(-sum(wager for _, wager in done)): Fraction(1)}))
            else:
                laws.append((chance, self._result(done, self.dealer(held((up,), value), left))))
        return mixed(laws)

    @staticmethod
    def _result(done: tuple[tuple[int, int], ...], dealer: dict[int, Fraction]) -> Law:
        law: Law = {}
        for theirs, chance in dealer.items():
            result = Fraction(sum(wager * sign(mine, theirs) for mine, wager in done))
            law[result] = law.get(result, Fraction(0)) + chance
        return law


def sign(mine: int, theirs: int) -> int:
    if mine == BROKEN:
        return -1
    if theirs == PUSHES:
        return 0
    return 1 if theirs == BROKEN else (mine > theirs) - (mine < theirs)


def mixed(laws: list[tuple[Fraction, Law]]) -> Law:
    law: Law = {}
    for chance, part in laws:
        for result, likely in part.items():
            law[result] = law.get(result, Fraction(0)) + chance * likely
    return law


def mean(law: Law) -> Fraction:
    return sum((result * chance for result, chance in law.items()), Fraction(0))


@cache
def _dealer(hand: Cards, cards: Cards, hits_soft_17: bool, push_22: bool = False) -> dict[int, Fraction]:
    mine = total(hand)
    if push_22 and sum(hand) == 22:
        return {PUSHES: Fraction(1)}
    if mine > 17 or (mine == 17 and not (hits_soft_17 and is_soft(hand))):
        return {mine: Fraction(1)}
    ends: dict[int, Fraction] = {}
    for value, chance, left in draws(cards):
        for end, likely in _dealer(held(hand, value), left, hits_soft_17, push_22).items():
            ends[end] = ends.get(end, Fraction(0)) + chance * likely
    return ends


@cache
def _drawn(game: Reference, hand: Cards, up: int, cards: Cards) -> Fraction:
    if total(hand) == BROKEN:
        return Fraction(-1)
    stand = game.stand(hand, up, cards)
    return stand if total(hand) == 21 else max(stand, game.hit(hand, up, cards))
