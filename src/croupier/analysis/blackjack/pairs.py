"""What splitting a pair is worth, and how its hands are played, under any convention or any given strategy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from croupier.analysis.blackjack.conventions import Convention
from croupier.analysis.blackjack.hands import VALUES, Bools, Floats, Ints
from croupier.analysis.blackjack.splits import Stage, chances_in_a_row, decides_nothing, shoes_for, stages, weights
from croupier.analysis.blackjack.table import Choices, Table
from croupier.analysis.kernels.player import BEST, HAIR, STAND, SURRENDER
from croupier.analysis.kernels.split import Chips, Rows, Sums, Yields, measure_hands, play_split
from croupier.games.money import StakeKind

Unsplit = Callable[[StakeKind], Choices]
"""(hands, 10) by kind of the chip: how the same cards are best played where they cannot be split or surrendered."""


class Group(NamedTuple):
    """Hands of a split that are played alike: those of some stages, with some second cards."""

    stages: tuple[Stage, ...]
    second: Bools
    """(rows): the hands of two cards that belong here."""
    kind: StakeKind = StakeKind.OWN
    """Of the chip that these hands begin with."""


class Part(NamedTuple):
    """One group, played."""

    group: Group
    sums: Sums
    yields: Yields
    rescues: Bools
    """(rows, 10): where a doubled hand is given up."""


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

    @property
    def is_free(self) -> bool:
        """Whether every hand but the first begins with a free chip."""
        return self.table.rules.split_is_free(self.pair)

    @cached_property
    def fixed_groups(self) -> tuple[Group, ...]:
        """The groups of a strategy that looks at the hand alone: two, and two more where chips are free."""
        return self.groups_of(stages(self.most))

    def groups_of(self, every: tuple[Stage, ...], *, first: bool = True) -> tuple[Group, ...]:
        """The hands of these stages, in the same groups; `first` says that the first hand is among them."""
        return tuple(
            group
            for kind, those in self._by_kind(every, first=first)
            for group in (
                Group(those, self.others, kind),
                Group(tuple(stage for stage in those if stage.last), self.again, kind),
            )
        )

    def _by_kind(self, every: tuple[Stage, ...], *, first: bool = True) -> list[tuple[StakeKind, tuple[Stage, ...]]]:
        """Stages by what lies on their hands: after a free split the first hand that is closed has the money."""
        if not self.is_free:
            return [(StakeKind.OWN, every)]
        own = tuple(replace(stage, hands=stage.first_hands) for stage in every if stage.first_hands and first)
        lent = (replace(stage, hands=stage.hands - stage.first_hands * first) for stage in every)
        return [(StakeKind.OWN, own), (StakeKind.FREE, tuple(stage for stage in lent if stage.hands))]

    def groups(self, convention: Convention) -> tuple[Group, ...]:
        """Which hands are played alike."""
        by_kind = self._by_kind(stages(self.most))
        if convention is Convention.CDPN:
            return tuple(self._group((stage,), kind) for kind, every in by_kind for stage in every)
        if convention is Convention.CDP:
            return tuple(
                self._group(tuple(stage for stage in every if stage.pairs == pairs), kind)
                for kind, every in by_kind
                for pairs in sorted({stage.pairs for stage in every})
            )
        return self.fixed_groups

    def _group(self, of: tuple[Stage, ...], kind: StakeKind) -> Group:
        return Group(of, self.others | self.again if of[0].last else self.others, kind)

    def sums(self, groups: Iterable[Group]) -> list[Sums]:
        """What the hands of each group come to, as their own chips have it."""
        groups = tuple(groups)
        weight = np.array([weights(group.stages, self.in_a_row) for group in groups])
        sums = self._measured(weight, self.table.stands)
        if any(group.kind is StakeKind.FREE for group in groups):
            lent = self._measured(weight, self.table.lent.stands)
            sums = [lent[n] if group.kind is StakeKind.FREE else sums[n] for n, group in enumerate(groups)]
        return sums

    def _measured(self, weight: Floats, stands: Floats, rows: Rows | None = None) -> list[Sums]:
        together = measure_hands(self.left, rows or self.rows, stands, self.table.blackjack, weight)
        return [Sums(*columns) for columns in zip(*together, strict=True)]

    def rescues(self, group: Group, sums: Sums) -> Bools:
        """(rows, 10): where giving up a doubled hand yields more than standing."""
        may = self.table.may_rescue[self.rows.place][:, None]
        return np.asarray(may & (self.rescue_gain(group, sums) > HAIR * abs(sums.mass)))

    def rescue_gain(self, group: Group, sums: Sums) -> Floats:
        """(rows, 10): what giving up a doubled hand yields more than standing with it."""
        return given_up(sums, 2) - self._doubled(group, sums)

    def _doubled(self, group: Group, sums: Sums) -> Floats:
        """(rows, 10): what standing with a doubled hand yields, all of it the player's money."""
        rows = self.rows
        if (rows.grade == rows.doubled_grade).all():
            return 2.0 * sums.stood
        weight = weights(group.stages, self.in_a_row)[None]
        return 2.0 * self._measured(weight, self.table.stands, rows._replace(grade=rows.doubled_grade))[0].stood

    def play(self, group: Group, sums: Sums, choice: Choices, rescues: Bools | None = None) -> Yields:
        """What the hands of a group yield, by their choices (rows, 10) or, where these say BEST, as is best; and if
        doubled ones are given up so, or as is best. Where any hand may be given up, one that takes no more cards is,
        if that yields more than standing."""
        chips = self.chips(group, sums, rescues)
        may = self.table.may_give_up[self.rows.place]
        if not may.any():
            return play_split(sums, self.rows, choice, chips)
        half = given_up(sums, 1)
        better = half > sums.stood + HAIR * abs(sums.mass)
        gives_up = may[:, None] & np.where(choice == BEST, better, choice == SURRENDER)
        ended = sums._replace(stood=np.where(gives_up, half, sums.stood))
        yields = play_split(ended, self.rows, np.where(choice == SURRENDER, np.int8(STAND), choice), chips)
        chosen = np.where(gives_up & (yields.chosen == STAND), np.int8(SURRENDER), yields.chosen)
        return yields._replace(chosen=chosen)

    def chips(self, group: Group, sums: Sums, rescues: Bools | None = None) -> Chips:
        """What lies on the hands of a group, of which doubled ones are given up so, or as is best."""
        table = self.table.lent if group.kind is StakeKind.FREE else self.table
        returns = table.rules.blackjack_takes_one
        if not table.rules.has_free_chips:
            doubled = self._doubled(group, sums)
            if table.rules.surrender_after_double:
                gives_up = self.rescues(group, sums) if rescues is None else rescues
                doubled = np.where(gives_up, given_up(sums, 2), doubled)
            return Chips(table.own, doubled, doubled, returns)
        weight = weights(group.stages, self.in_a_row)[None]
        money, free = (self._measured(weight, doubled)[0].stood for doubled in (table.doubled, table.doubled_free))
        return Chips(table.own, money, free, returns)

    def worth(
        self, groups: Sequence[Group], choices: Sequence[Choices], rescues: Sequence[Bools] | None = None
    ) -> Worth:
        """The whole split, if each group is played by its choices (rows, 10) or, where these say BEST, as is best; and
        doubled hands are given up so, (rows, 10), or as is best."""
        value, caught, hands = np.zeros(VALUES), np.zeros(VALUES), np.zeros(VALUES)
        parts = []
        for number, (group, sums, choice) in enumerate(zip(groups, self.sums(groups), choices, strict=True)):
            gives_up = self.rescues(group, sums) if rescues is None else rescues[number]
            yields = self.play(group, sums, choice, gives_up)
            value += yields.worth[group.second].sum(axis=0)
            if group.kind is StakeKind.OWN:
                caught += sums.caught[group.second].sum(axis=0)
            hands += sums.mass[group.second].sum(axis=0)
            parts.append(Part(group, sums, yields, gives_up))
        if self.table.rules.blackjack_takes_one:
            # A blackjack takes one wager: the others were never made, or come back.
            value += caught - self.table.caught[self.table.hands.place((self.pair, self.pair))]
        return Worth(value, hands, tuple(parts))

    def under(self, convention: Convention, unsplit: Unsplit, rescues: Bools) -> Worth:
        """The split under a convention; `unsplit` is the best play of the same cards and chips without a split, and
        `rescues` says which of them are given up once they are doubled."""
        groups = self.groups(convention)
        choices = [self.choice(convention, unsplit, group.kind) for group in groups]
        return self.worth(groups, choices, self.given_up(convention, rescues, groups))

    def given_up(self, convention: Convention, rescues: Bools, groups: Sequence[Group]) -> list[Bools] | None:
        """Where the doubled hands of each group are given up; None where each group finds its own way."""
        if convention is Convention.CDZ_MINUS:
            return [rescues[self.rows.place]] * len(groups)
        if convention is Convention.CDP1:
            return [self.rescues(*self._first_hand(group.kind)) for group in groups]
        return None

    def _first_hand(self, kind: StakeKind) -> tuple[Group, Sums]:
        """The first hand of the first split, and what it comes to."""
        group = Group((Stage(0, 0, 1, last=False),), self.others, kind)
        [sums] = self.sums([group])
        return group, sums

    def choice(self, convention: Convention, unsplit: Unsplit, kind: StakeKind) -> Choices:
        """How hands are played, (rows, 10), BEST where each group finds its own way."""
        best = np.full((len(self.rows.size), VALUES), BEST, dtype=np.int8)
        best[decides_nothing(self.table.rules)[self.rows.place]] = STAND
        if self.table.rules.one_card_only(self.pair):
            return np.full_like(best, STAND)
        if convention is Convention.CDZ_MINUS:
            return unsplit(kind)[self.rows.place]
        if convention is Convention.CDP1:
            first_hand, sums = self._first_hand(kind)
            return self.play(first_hand, sums, best).chosen
        return best


def given_up(sums: Sums, wagers: int) -> Floats:
    """(rows, 10): what giving up a hand of so many wagers yields: half of them, and all where a blackjack waits, which
    the check has found before anything was added."""
    return -(sums.mass + sums.caught) * wagers / 2
