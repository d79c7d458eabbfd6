"""Splitting again, in the middle of a split: what it is worth to the whole of what is still to be played.

Each hand is finished before the next one takes its second card. So while one hand decides, some are finished and some
wait with a single card of the pair. What a decision does to the hand itself is known from the cards that have gone, as
before a split: what others draw later tells nothing about them. To those that wait it makes no difference either, as
long as each is played by its own cards; but another split does make one. It opens a hand, and may be the last that can
be opened, so that those who wait can not be split any more. Both together are what it is worth.
"""

from __future__ import annotations

from dataclasses import dataclass

from croupier.analysis.blackjack.pairs import Split
from croupier.analysis.blackjack.solver import Solution
from croupier.analysis.blackjack.splits import stages


@dataclass(frozen=True)
class Resplit:
    """A pair in a hand after a split, which may be split again.

    The shoe of the solution lacks all that has gone, but for the two cards of the pair and the up card.
    """

    solution: Solution
    pair: int
    up: int
    hands: int
    """So many the seat has, those that are finished too."""
    waiting: int
    """So many of them have a single card of the pair."""

    @property
    def value(self) -> float:
        """In units of one hand's wager; given that there is no blackjack, where the hole card is checked."""
        return self._of(self.waiting + 2, self._split.most - self.hands - 1) - self.without

    @property
    def without(self) -> float:
        """What those that wait are worth if it is not split."""
        return self._of(self.waiting, self._split.most - self.hands)

    @property
    def _split(self) -> Split:
        return Split(self.solution.table, self.pair)

    def _of(self, waiting: int, more: int) -> float:
        """What so many waiting hands are worth while so many more may be opened."""
        if not waiting:
            return 0.0
        split, table = self._split, self.solution.table
        groups = split.groups_of(stages(waiting + more, waiting=waiting))
        choice = split.choice(self.solution.convention, self.solution.unsplit)
        value = float(split.worth(groups, [choice] * len(groups)).value[self.up - 1])
        if not table.rules.hole_card:
            return value
        lost = float(table.caught[table.hands.place((self.pair, self.pair)), self.up - 1])
        return (value + lost) / (1 - lost)
