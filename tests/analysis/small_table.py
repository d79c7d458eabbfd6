"""Plays every round of blackjack from a small shoe, card by card, by a strategy of `analysis.blackjack`.

Only the strategy's arrays are used; who draws what, what is split again and who is out is written afresh here. Shoes
are tuples of how many cards of each value are left, aces first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from croupier.analysis.blackjack.hands import hands
from croupier.analysis.blackjack.side.outs import Play
from croupier.analysis.blackjack.strategy import Action

Shoe = tuple[int, ...]
Hands = tuple[tuple[int, int], ...]
"""Total (0 where it is out: broken, given up or won by its cards) and units of each hand; no hand where the player is
out with a blackjack or a surrender of the first two cards."""
Decide = Callable[[tuple[int, ...]], int]
Rescues = Callable[[tuple[int, ...]], bool]


def draw(shoe: Shoe) -> Iterator[tuple[int, float, Shoe]]:
    cards = sum(shoe)
    for value, number in enumerate(shoe, start=1):
        if number:
            yield value, number / cards, (*shoe[: value - 1], number - 1, *shoe[value:])


def total_of(cards: tuple[int, ...]) -> int:
    hard = sum(cards)
    return hard + 10 if 1 in cards and hard <= 11 else hard


@dataclass
class SmallTable:
    play: Play
    up: int
    hits_soft_17: bool
    most_hands: int
    dealt: dict[tuple[Shoe, tuple[int, ...]], tuple[float, ...]] = field(default_factory=dict)

    def rounds(self, shoe: Shoe) -> dict[tuple[Shoe, Hands], float]:
        """One player's ways through a round: what is left of the shoe, and the hands."""
        found: dict[tuple[Shoe, Hands], float] = defaultdict(float)
        for one, p, after_one in draw(shoe):
            for other, q, after_two in draw(after_one):
                self._first(one, other, p * q, after_two, found)
        return found

    def _first(self, one: int, other: int, chance: float, shoe: Shoe, found: dict[tuple[Shoe, Hands], float]) -> None:
        strategy, column = self.play.strategy, self.up - 1
        first = int(strategy.first[hands().place((one, other)), column])
        if {one, other} == {1, 10} or first == Action.SURRENDER:
            found[shoe, ()] += chance
        elif first == Action.SPLIT:
            self.split(one, chance, shoe, found)
        else:

            def decide(cards: tuple[int, ...]) -> int:
                return first if len(cards) == 2 else int(strategy.draws[hands().place(cards), column])

            def rescues(cards: tuple[int, ...]) -> bool:
                return bool(strategy.rescues[hands().place(cards), column])

            for left, hand, p in self._hand((one, other), shoe, 1.0, decide, rescues):
                found[left, (hand,)] += chance * p

    def _has_won(self, cards: tuple[int, ...], *, doubled: bool = False) -> bool:
        """By the number of its cards."""
        rules = self.play.table.rules
        charlie = 0 < rules.charlie <= len(cards) and (rules.doubled_charlies or not doubled)
        return charlie or (rules.bonus_21 and not doubled and len(cards) >= 5 and total_of(cards) == 21)

    def _hand(
        self, cards: tuple[int, ...], shoe: Shoe, chance: float, decide: Decide, rescues: Rescues
    ) -> Iterator[tuple[Shoe, tuple[int, int], float]]:
        act = decide(cards)
        if act == Action.SURRENDER or self._has_won(cards):
            yield shoe, (0, 1), chance
            return
        if act == Action.STAND:
            yield shoe, (total_of(cards), 1), chance
            return
        for value, p, left in draw(shoe):
            held = (*cards, value)
            units = 2 if act == Action.DOUBLE else 1
            if sum(held) > 21:
                yield left, (0, units), chance * p
            elif act == Action.DOUBLE:
                out = self._has_won(held, doubled=True) or rescues(held)
                yield left, (0 if out else total_of(held), 2), chance * p
            else:
                yield from self._hand(held, left, chance * p, decide, rescues)

    def split(
        self,
        pair: int,
        chance: float,
        shoe: Shoe,
        found: dict[tuple[Shoe, Hands], float],
        first_card: int | None = None,
    ) -> None:
        """Split a pair that is out of the shoe; `first_card` keeps the rounds in which it is the first to come."""
        rows = self.play.table.plan.rows[pair]
        row_of = {place: row for row, place in enumerate(rows.place.tolist())}
        other, again = self.play.strategy.after_split[pair]
        given_up = self.play.strategy.rescued(pair)

        def go(shoe: Shoe, chance: float, done: Hands, opened: int) -> None:
            if len(done) == opened:
                found[shoe, tuple(sorted(done))] += chance
                return
            for value, p, left in draw(shoe):
                if first_card is not None and not done and opened == 2 and value != first_card:
                    continue
                if value == pair and opened < self.most_hands:
                    go(left, chance * p, done, opened + 1)
                    continue
                chosen = again if value == pair else other

                def decide(cards: tuple[int, ...], chosen: object = chosen) -> int:
                    return int(chosen[row_of[hands().place(cards)], self.up - 1])  # type: ignore[index]

                def rescues(cards: tuple[int, ...], which: int = int(value == pair)) -> bool:
                    return bool(given_up[which][row_of[hands().place(cards)], self.up - 1])

                for rest, hand, q in self._hand((pair, value), left, 1.0, decide, rescues):
                    go(rest, chance * p * q, (*done, hand), opened)

        go(shoe, chance, (), 2)

    def dealer(self, shoe: Shoe, held: tuple[int, ...] = ()) -> tuple[float, ...]:
        """Chances of 17 to 21, a bust and a blackjack."""
        total = total_of((self.up, *held))
        soft = total != self.up + sum(held)
        if len(held) == 1 and total == 21:
            return (0.0,) * 6 + (1.0,)
        if total > 21:
            return (0.0,) * 5 + (1.0, 0.0)
        if held and (total > 17 or (total == 17 and not (soft and self.hits_soft_17))):
            return *(float(total == each) for each in (17, 18, 19, 20, 21)), 0.0, 0.0
        key = shoe, tuple(sorted(held))
        if key not in self.dealt:
            ends = [0.0] * 7
            for value, p, left in draw(shoe):
                for place, chance in enumerate(self.dealer(left, (*held, value))):
                    ends[place] += p * chance
            self.dealt[key] = tuple(ends)
        return self.dealt[key]
