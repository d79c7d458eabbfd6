"""What splitting a pair is worth, and how its hands are played, under any convention or any given strategy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from croupier.analysis.blackjack.conventions import Convention
from croupier.analysis.blackjack.hands import VALUES, Bools, Floats, Ints
from croupier.analysis.blackjack.splits import Stage, chances_in_a_row, decides_nothing, shoes_for, stages, weights
from croupier.analysis.blackjack.table import Choices, Table
from croupier.analysis.kernels.player import BEST, STAND
from croupier.analysis.kernels.split import Rows, Sums, Yields, measure_hands, play_split


class Group(NamedTuple):
    """Hands of a split that are played alike: those of some stages, with some second cards."""

    stages: tuple[Stage, ...]
    second: Bools
    """(rows): the hands of two cards that belong here."""


class Part(NamedTuple):
    """One group, played."""

    group: Group
    sums: Sums
    yields: Yields


@dataclass(frozen=True, eq=False)
class Worth:
    """A split pair against each up card."""

    value: Floats
    """(10): the expected result before the hole card is known, per unit of the first wager."""
    hands: Floats
    """(10): how many hands the pair becomes on average, whatever the hole card is."""
    parts: tuple[Part, ...]


@dataclass(frozen=True, eq=False)
class Split:
    """One pair (1 is aces) split at one table."""

    table: Table
    pair: int

    @property
    def rows(self) -> Rows:
        return self.table.plan.rows[self.pair]

    @property
    def most(self) -> int:
        return self.table.rules.hands_from(self.pair)

    @cached_property
    def left(self) -> Ints:
        """The shoe without the pair."""
        left = self.table.cards.copy()
        left[self.pair - 1] -= 2
        return left

    @cached_property
    def in_a_row(self) -> Floats:
        return chances_in_a_row(self.left, self.pair, shoes_for(self.most))

    @cached_property
    def others(self) -> Bools:
        """Which rows are hands of two cards whose second one is not of the pair."""
        return np.asarray((self.rows.size == 2) & (self.rows.cards[:, self.pair - 1] == 1))

    @cached_property
    def again(self) -> Bools:
        """Which row is the pair again, which can be held at the last stages only."""
        return np.asarray((self.rows.size == 2) & (self.rows.cards[:, self.pair - 1] == 2))

    @cached_property
    def fixed_groups(self) -> tuple[Group, Group]:
        """The two groups of a strategy that looks at the hand alone."""
        return self.groups_of(stages(self.most))

    def groups_of(self, every: tuple[Stage, ...]) -> tuple[Group, Group]:
        """The hands of these stages, in the same two groups."""
        return Group(every, self.others), Group(tuple(stage for stage in every if stage.last), self.again)

    def groups(self, convention: Convention) -> tuple[Group, ...]:
        """Which hands are played alike."""
        every = stages(self.most)
        if convention is Convention.CDPN:
            return tuple(self._group((stage,)) for stage in every)
        if convention is Convention.CDP:
            seen = sorted({stage.pairs for stage in every})
            return tuple(self._group(tuple(stage for stage in every if stage.pairs == pairs)) for pairs in seen)
        return self.fixed_groups

    def _group(self, of: tuple[Stage, ...]) -> Group:
        return Group(of, self.others | self.again if of[0].last else self.others)

    def sums(self, groups: Iterable[Group]) -> list[Sums]:
        return self._measured(np.array([weights(group.stages, self.in_a_row) for group in groups]))

    def _measured(self, weight: Floats) -> list[Sums]:
        together = measure_hands(self.left, self.rows, self.table.stands, self.table.blackjack, weight)
        return [Sums(*each) for each in zip(*together, strict=True)]

    def worth(self, groups: Sequence[Group], choices: Sequence[Choices]) -> Worth:
        """The whole split, if each group is played by its choices (rows, 10) or, where these say BEST, as is best."""
        value, caught, hands = np.zeros(VALUES), np.zeros(VALUES), np.zeros(VALUES)
        parts = []
        for group, sums, choice in zip(groups, self.sums(groups), choices, strict=True):
            yields = self._play(sums, choice)
            value += yields.worth[group.second].sum(axis=0)
            caught += sums.caught[group.second].sum(axis=0)
            hands += sums.mass[group.second].sum(axis=0)
            parts.append(Part(group, sums, yields))
        if self.table.rules.hole_card:
            # A blackjack takes one wager: the others were never made.
            value += caught - self.table.caught[self.table.hands.place((self.pair, self.pair))]
        return Worth(value, hands, tuple(parts))

    def _play(self, sums: Sums, choice: Choices) -> Yields:
        return play_split(sums, self.rows, choice, self.table.rules.hole_card)

    def under(self, convention: Convention, unsplit: Choices) -> Worth:
        """The split under a convention; `unsplit` (hands, 10) is the best play of the same cards without a split."""
        groups = self.groups(convention)
        return self.worth(groups, [self.choice(convention, unsplit)] * len(groups))

    def choice(self, convention: Convention, unsplit: Choices) -> Choices:
        """How hands are played, (rows, 10), BEST where each group finds its own way."""
        best = np.full((len(self.rows.size), VALUES), BEST, dtype=np.int8)
        best[decides_nothing(self.table.rules)[self.rows.place]] = STAND
        if self.table.rules.one_card_only(self.pair):
            return np.full_like(best, STAND)
        if convention is Convention.CDZ_MINUS:
            return unsplit[self.rows.place]
        if convention is Convention.CDP1:
            first_hand = np.zeros((1, *self.in_a_row.shape))
            first_hand[0, 0] = 1.0
            return self._play(self._measured(first_hand)[0], best).chosen
        return best
