"""The swings of a round: how likely every result is, the standard deviation, and the expected result once more.

    swings = moments(solve(rules))            or of a chart: moments(evaluate(chart, rules))
    swings.standard_deviation                 per unit of the first wager
    swings.law                                {-8: ..., -1: 0.44, ..., 3/2: 0.045, ...}
    mean_stake(solve(rules))                  1.13...: what a round stakes, doubles and splits included

Everything is exact but for one part of the law: how rounds with three and four split hands divide among their results
(see `outcomes`), whose mean and variance are exact all the same. Insurance is a wager of its own and is not in here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import sha256
from math import sqrt
from typing import NamedTuple

import numpy as np

from croupier.analysis.blackjack.hands import VALUES, Floats
from croupier.analysis.blackjack.outcomes import Outcome, SplitOutcomes
from croupier.analysis.blackjack.pairs import Split
from croupier.analysis.blackjack.results import AT_BLACKJACK, AT_BROKEN, LOWEST_GRADE, Nets
from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.blackjack.solver import Solution
from croupier.analysis.blackjack.splits import free_doubles
from croupier.analysis.blackjack.strategy import Action, Evaluated, Strategy
from croupier.analysis.blackjack.table import Choices, Table, dealt_instead, one_card_more
from croupier.analysis.kernels.player import reach_hands
from croupier.analysis.kernels.split import count_orders
from croupier.games.blackjack.rules import ACE, TEN, Rules
from croupier.games.money import StakeKind

Part = tuple[Fraction | int, float]
"""A result and how likely it is."""
MOST_REMEMBERED = 32
_remembered: dict[tuple[Rules, Composition, bytes], Moments] = {}


@dataclass(frozen=True)
class Moments:
    """The law of one round's result, per unit of the first wager."""

    mean: float
    variance: float
    law: dict[Fraction, float]
    """Results in order, and their chances."""
    exact: bool
    """Whether the law is exact; mean and variance are, unless they are sampled."""
    sampled: str = ""
    """Where law and variance are sampled: from how much, and how close they are. The mean is exact all the same."""

    @property
    def note(self) -> str:
        """What is not exact about it, in a sentence."""
        if self.sampled or self.exact:
            return self.sampled
        return "How rounds of three and four split hands divide is close; mean and deviation are exact."

    @property
    def standard_deviation(self) -> float:
        return sqrt(self.variance)

    def chance(self, low: float, high: float) -> float:
        """How likely a result from `low` to `high` is, both included."""
        return sum(chance for result, chance in self.law.items() if low <= result <= high)


def most_in_a_round(rules: Rules) -> Fraction:
    """No round wins or loses more than this per unit of the first wager: all hands split as far as can be, and doubled.

    A seat with two hands has half of its wager on each, so the bound is that of one hand.
    """
    split = rules.split_hands * (2 if rules.double_after_split else 1)
    return max(Fraction(split), Fraction(2), rules.blackjack_odds)


def moments(game: Solution | Evaluated) -> Moments:
    """The swings of the best play, or of a chart. They take seconds, so the last ones counted are remembered."""
    assert game.table.naturals, "the law of a round begins with its first two cards"
    question = (game.table.rules, game.table.shoe, _all_choices(game.strategy))
    kept_moments = _remembered.get(question)
    if kept_moments is None:
        kept_moments = _moments(game)
        if len(_remembered) >= MOST_REMEMBERED:
            _remembered.clear()
        _remembered[question] = kept_moments
    return kept_moments


def _all_choices(strategy: Strategy) -> bytes:
    """What moments depend on, besides rules and shoe."""
    after_split = [choices for pair in sorted(strategy.after_split) for choices in strategy.after_split[pair]]
    zapped = [_all_choices(strategy.zapped[cards]) for cards in sorted(strategy.zapped)]
    rescued = [choices for pair in sorted(strategy.after_split) for choices in strategy.rescued(pair)]
    arrays = (strategy.first, strategy.draws, *after_split, strategy.rescues, *rescued)
    own = [array.tobytes() for array in arrays]
    return sha256(b"|".join([*own, *zapped])).digest()


def _moments(game: Solution | Evaluated) -> Moments:
    law: defaultdict[Fraction, float] = defaultdict(float)
    second_moment, exact = 0.0, True
    for rounds in _Rounds(game.table, game.strategy, game.table.deals).all:
        for result, chance in rounds.unsplit():
            law[Fraction(result)] += chance
            second_moment += float(result) ** 2 * chance
        for part in rounds.split():
            for units, chance in part.outcome.chances:
                law[units] += part.dealt * chance
            second_moment += part.dealt * part.outcome.second_moment
            exact &= part.outcome.exact
    mean = sum(float(result) * chance for result, chance in law.items())
    kept = {result: law[result] for result in sorted(law) if law[result] != 0}
    return Moments(mean, second_moment - mean**2, kept, exact)


def mean_stake(game: Solution | Evaluated) -> float:
    """What a round stakes on average, per unit of the first wager: with doubles and splits, without insurance.

    Where the hole card is checked, nothing is added to a wager that a blackjack takes; without one it is at stake too.
    The edge divided by this is the element of risk. Every convention has it, those without a fixed strategy too.
    """
    return 1 + _added(game, game.table.deals)


def _added(game: Solution | Evaluated, deals: Floats) -> float:
    """What is added to wagers where first hands are dealt so often."""
    table = game.table
    first = _first(game)
    added = float((deals * added_stakes(game)).sum())
    for cards, after in table.zapped:
        zaps = np.where(first[table.hands.place(cards)] == Action.ZAP, deals[table.hands.place(cards)], 0.0)
        if zaps.any():
            played: Solution | Evaluated = (
                Solution(after, game.convention)
                if isinstance(game, Solution)
                else Evaluated(after, game.strategy.zapped[cards])
            )
            added += _added(played, dealt_instead(after, zaps))
    return added


def _first(game: Solution | Evaluated) -> Choices:
    return game.first if isinstance(game, Solution) else game.strategy.first


def added_stakes(game: Solution | Evaluated) -> Floats:
    """(hands, 10): what doubling and splitting add to the wager of each first hand."""
    table, first = game.table, _first(game)
    caught = table.caught if table.rules.hole_card else np.zeros_like(table.caught)
    paid = (first == Action.DOUBLE) & ~free_doubles(table.rules)[:, None]
    added = np.where(paid, 1 - caught, 0.0)
    if table.rules.double_any_cards:
        added += np.where(first == Action.HIT, _added_later(game), 0.0)
    for pair, worth in game.splits.items():
        place = table.hands.place((pair, pair))
        staked = caught[place] - 1  # the first wager is counted already
        for group, sums, yields, _ in worth.parts:
            hands = sums.mass - sums.caught if table.rules.hole_card else sums.mass
            rows = table.plan.rows[pair]
            paid = (yields.chosen == Action.DOUBLE) & ~rows.free[:, None]
            staked = staked + (hands * int(group.kind is StakeKind.OWN))[group.second].sum(axis=0)
            staked = staked + (hands * paid * count_orders(rows, group.second, yields.chosen)).sum(axis=0)
        added[place] += np.where(first[place] == Action.SPLIT, staked, 0.0)
    return added


def _added_later(game: Solution | Evaluated) -> Floats:
    """(hands, 10): what is added on average once a hand has been hit, where any number of cards may be doubled."""
    table, draws = game.table, game.played.draws
    hands, cards = table.hands, table.cards
    caught = table.caught if table.rules.hole_card else np.zeros_like(table.caught)
    worth, drawn = np.zeros_like(caught), np.zeros_like(caught)
    for place in range(len(hands.key) - 1, -1, -1):
        left = max(1, int(cards.sum()) - int(hands.size[place]) - 1)
        for value in range(VALUES):
            after = hands.child[place, value]
            number = np.maximum(0, cards[value] - hands.cards[place, value] - (np.arange(VALUES) == value))
            if after >= 0:
                drawn[place] += worth[after] * number / left
        worth[place] = np.select(
            [draws[place] == Action.HIT, draws[place] == Action.DOUBLE], [drawn[place], 1 - caught[place]], 0.0
        )
    return drawn


def rounds_of(game: Solution | Evaluated, deals: Floats) -> Iterator[Part]:
    """Results and their chances where first hands are dealt so often, (hands, 10), as against all deals."""
    for rounds in _Rounds(game.table, game.strategy, deals).all:
        yield from rounds.unsplit()
        for part in rounds.split():
            yield from ((units, part.dealt * chance) for units, chance in part.outcome.chances if chance)


class _SplitPart(NamedTuple):
    dealt: float
    """How often the pair is dealt against that up card."""
    outcome: Outcome


@dataclass(frozen=True, eq=False)
class _Rounds:
    """All rounds of a strategy, hand by hand, before the hole card is known."""

    table: Table
    strategy: Strategy
    deals: Floats
    """(hands, 10): how often first hands are dealt."""

    @property
    def all(self) -> Iterator[_Rounds]:
        """These, and the rounds that go on with two other cards after a zap."""
        yield self
        for cards, after in self.table.zapped:
            zaps = self._first(Action.ZAP)[self.table.hands.place(cards)]
            if zaps.any():
                yield _Rounds(after, self.strategy.zapped[cards], dealt_instead(after, zaps))

    def unsplit(self) -> Iterator[Part]:
        """Every ending without a split."""
        yield from self._blackjacks()
        yield from self._surrendered()
        yield from self._drawn()
        yield from self._doubled()

    def _first(self, action: Action) -> Floats:
        """(hands, 10): how often each first hand takes this action; a blackjack takes none."""
        taken = np.where(self.strategy.first == action, self.deals, 0.0)
        taken[self.table.hands.place((ACE, TEN))] = 0.0
        return taken

    def _blackjacks(self) -> Iterator[Part]:
        place = self.table.hands.place((ACE, TEN))
        results = self.table.results
        naturals = results.naturals if self.table.naturals else ((Fraction(1), results.stands[21 - LOWEST_GRADE]),)
        for share, nets in naturals:
            yield from self._settled(nets, float(share) * self.deals[place], self.table.endings[place])

    def _surrendered(self) -> Iterator[Part]:
        taken = self._first(Action.SURRENDER) + self._given_up_later
        early = np.array([self.table.rules.surrenders_early(up) for up in range(ACE, TEN + 1)])
        late = np.where(early, 0.0, taken)
        yield from self._settled(self.table.results.surrendered, late, self.table.endings[: len(taken)])
        yield self.table.results.surrendered[AT_BROKEN], float(taken.sum() - late.sum())

    def _drawn(self) -> Iterator[Part]:
        """Hands that stand, at once or after hits, and hands that break."""
        stood, hit = self._first(Action.STAND), self._first(Action.HIT)
        reach, ends = self._drawn_to, self.strategy.draws == Action.STAND
        stood += np.where(ends, reach, 0.0)
        yield from self._shown(stood, 1)
        others = float(self._doubled_later.sum() + self._given_up_later.sum())
        yield -1, float(self._first(Action.STAND).sum() + hit.sum() - stood.sum()) - others

    @cached_property
    def _drawn_to(self) -> Floats:
        """(hands, 10): how often hands of three cards and more come about by hits."""
        two = (self.table.hands.size == 2)[:, None]
        reach = self._first(Action.HIT)
        choice = np.where(two, np.int8(Action.HIT), self.strategy.draws)
        reach_hands(self.table.cards, self.table.drawn, reach, choice)
        return np.where(two, 0.0, reach)

    @property
    def _doubled_later(self) -> Floats:
        """(hands, 10): how often these are doubled."""
        return np.where(self.strategy.draws == Action.DOUBLE, self._drawn_to, 0.0)

    @property
    def _given_up_later(self) -> Floats:
        """(hands, 10): how often these are surrendered."""
        return np.where(self.strategy.draws == Action.SURRENDER, self._drawn_to, 0.0)

    def _doubled(self) -> Iterator[Part]:
        doubles, free = self._first(Action.DOUBLE) + self._doubled_later, free_doubles(self.table.rules)[:, None]
        yield from self._doubled_with_money(np.where(free, 0.0, doubles))
        if self.table.rules.free_doubles:
            yield from self._doubled_free(np.where(free, doubles, 0.0))

    def _doubled_free(self, doubled: Floats) -> Iterator[Part]:
        """A free chip wins and is never lost."""
        shown = one_card_more(self.table, doubled)
        for grade, nets in enumerate(self.table.results.stands):
            here = np.flatnonzero(self.table.grade == grade)
            results = tuple(2 * net if net > 0 else net for net in nets)
            yield from self._settled(results, shown[here], self.table.endings[here])
        yield -1, float(doubled.sum() - shown.sum())

    def _doubled_with_money(self, doubled: Floats) -> Iterator[Part]:
        shown = one_card_more(self.table, doubled)
        given_up = np.where(self.strategy.rescues, shown, 0.0)
        yield from self._shown(shown - given_up, 2)
        yield -1, float(given_up.sum())  # one of two wagers, and a blackjack that was found before takes one too
        broken = float(doubled.sum() - shown.sum())
        # A broken hand has lost both wagers, unless a blackjack takes one of them.
        saved = 0.0
        if self.table.rules.blackjack_takes_one:
            saved = float((doubled * self.table.caught).sum() - (shown * self.table.caught).sum())
        yield -2, broken - saved
        yield -1, saved

    def _shown(self, hands: Floats, wager: int) -> Iterator[Part]:
        """Hands that stand; a blackjack takes one wager where it was checked for, or takes original bets only."""
        grades = self.table.grade if wager == 1 else self.table.doubled_grade
        for grade, nets in enumerate(self.table.results.stands):
            here = np.flatnonzero(grades == grade)
            at_stake = [wager] * len(nets)
            if self.table.rules.blackjack_takes_one:
                at_stake[AT_BLACKJACK] = 1
            results = tuple(units * net for units, net in zip(at_stake, nets, strict=True))
            yield from self._settled(results, hands[here], self.table.endings[here])

    @staticmethod
    def _settled(nets: Nets, hands: Floats, endings: Floats) -> Iterator[Part]:
        """How often these hands, (..., 10), meet each ending, and what that comes to."""
        by_ending = (hands[..., None, :] * endings).reshape(-1, *endings.shape[-2:]).sum(axis=(0, 2))
        yield from zip(nets, map(float, by_ending), strict=True)

    def split(self) -> Iterator[_SplitPart]:
        """The pairs that are split, each as often as it is dealt against that up card."""
        taken = self._first(Action.SPLIT)
        for pair, choices in self.strategy.after_split.items():
            outcomes = SplitOutcomes(Split(self.table, pair), choices, rescues=self.strategy.rescued(pair))
            dealt = taken[self.table.hands.place((pair, pair))]
            for column in np.flatnonzero(dealt > 0):
                yield _SplitPart(float(dealt[column]), outcomes.against(int(column) + 1))
