"""Any fixed way to play blackjack, and exactly what it is worth: a chart on a wall, or the best play for every card.

A strategy here is arrays over the table of hands. It looks at the cards of the hand and at the up card only, so that
the expected result of a split is a sum over shoes (see `splits`) whatever the strategy is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property

import numpy as np

from croupier.analysis.blackjack.chart import Cell, Chart, Kind
from croupier.analysis.blackjack.hands import VALUES, Bools, Floats, hands
from croupier.analysis.blackjack.pairs import Split, Worth
from croupier.analysis.blackjack.splits import decides_nothing, may_double, may_rescue
from croupier.analysis.blackjack.table import Choices, Played, Table
from croupier.games.blackjack.rules import ACE, TEN, Rules


class Action(IntEnum):
    """What a player can do; the first three are numbered as in the kernels."""

    STAND = 0
    HIT = 1
    DOUBLE = 2
    SPLIT = 3
    SURRENDER = 4
    ZAP = 5

    def __str__(self) -> str:
        return self.name.lower()


def nowhere() -> Bools:
    """(hands, 10): of what is done with no hand."""
    return np.zeros((len(hands().key), VALUES), dtype=np.bool_)


@dataclass(frozen=True, eq=False)
class Strategy:
    """How every hand is played, by place in the table of hands and up card."""

    first: Choices
    """(hands, 10): the `Action` with the first two cards."""
    draws: Choices
    """(hands, 10): STAND or HIT with three cards and more, or DOUBLE or SURRENDER where such hands may."""
    after_split: dict[int, tuple[Choices, ...]]
    """By value of the pair, each (rows of that pair, 10): STAND, HIT, DOUBLE or SURRENDER after a second card that is
    not of the pair, and after one that is; where splits are free, two more for hands that begin with a free chip."""
    insures: Bools
    """(hands): whether insurance is taken with these first two cards."""
    zapped: Mapping[tuple[int, int], Strategy] = field(default_factory=dict)
    """By the two cards that were zapped: how those that came for them are played."""
    rescues: Bools = field(default_factory=nowhere)
    """(hands, 10): where a doubled hand is given up."""
    rescues_after_split: Mapping[int, tuple[Bools, ...]] = field(default_factory=dict)
    """By value of the pair, each (rows of that pair, 10): the same, in the order of `after_split`."""

    def rescued(self, pair: int) -> tuple[Bools, ...]:
        """Where the doubled hands of a split pair are given up, in the order of `after_split`."""
        choices = self.after_split[pair]
        return self.rescues_after_split.get(pair, tuple(np.zeros_like(choice, dtype=np.bool_) for choice in choices))


@dataclass(frozen=True, eq=False)
class Evaluated:
    """A strategy at a table."""

    table: Table
    strategy: Strategy

    @cached_property
    def edge(self) -> float:
        """The player's expected result per unit of the first wager, insurance included if the strategy takes it."""
        return float(self.table.mean(self.value).sum()) + self.insurance

    @cached_property
    def insurance(self) -> float:
        """What insurance adds, half the wager each time."""
        if not self.table.rules.insurance:
            return 0.0
        taken = self.table.deals[:, ACE - 1] * self.strategy.insures
        return float((taken * self.table.results.insured(self.table.caught[:, ACE - 1]) / 2).sum())

    @cached_property
    def played(self) -> Played:
        return self.table.play(self.strategy.draws, self.strategy.rescues)

    @cached_property
    def splits(self) -> dict[int, Worth]:
        worths = {}
        for pair, choices in self.strategy.after_split.items():
            split = Split(self.table, pair)
            worths[pair] = split.worth(split.fixed_groups, choices, self.strategy.rescued(pair))
        return worths

    @cached_property
    def values(self) -> Floats:
        """(actions, hands, 10): what each first decision is worth if the hand is played on by the strategy."""
        split = {pair: worth.value for pair, worth in self.splits.items()}
        return first_values(self.table, self.played, split, self.zaps)

    @cached_property
    def zaps(self) -> dict[tuple[int, int], Floats]:
        """What zapping each two cards is worth, (10)."""
        return {
            cards: table.mean_by_up_card(Evaluated(table, self.strategy.zapped[cards]).value)
            for cards, table in self.table.zapped
            if cards in self.strategy.zapped
        }

    @cached_property
    def value(self) -> Floats:
        """(hands, 10): what the strategy's first decision is worth."""
        return chosen_values(self.values, self.strategy.first)


def first_values(
    table: Table, played: Played, split: Mapping[int, Floats], zapped: Mapping[tuple[int, int], Floats]
) -> Floats:
    """What each first decision is worth with two cards, (actions, hands, 10); -inf where the rules do not allow it."""
    worth = np.full((len(Action), len(table.hands.key), VALUES), -np.inf)
    worth[Action.STAND], worth[Action.HIT], worth[Action.DOUBLE] = table.stand, played.hit, played.double
    for pair, value in split.items():
        worth[Action.SPLIT, table.hands.place((pair, pair))] = value
    if table.rules.has_surrender:
        worth[Action.SURRENDER] = table.surrender
    for cards, value in zapped.items():
        worth[Action.ZAP, table.hands.place(cards)] = value
    blackjack = table.hands.place((ACE, TEN))
    worth[1:, blackjack] = -np.inf
    if table.naturals:
        worth[Action.STAND, blackjack] = table.worth(table.results.blackjack)[blackjack]
    return worth


def chosen_values(values: Floats, first: Choices) -> Floats:
    return np.asarray(np.take_along_axis(values, first[None].astype(np.int64), axis=0)[0])


# Charts


def strategy_of(chart: Chart, table: Table) -> Strategy:
    """The chart under the rules of this table: what it says where something is not allowed is its second letter."""
    rules = table.rules
    hit, stand, double = (np.int8(act) for act in (Action.HIT, Action.STAND, Action.DOUBLE))
    draws = np.where(_says(chart, Cell.HIT, Cell.DOUBLE, Cell.SURRENDER), hit, stand)
    draws[decides_nothing(rules)] = stand
    doubles = _says(chart, Cell.DOUBLE, Cell.DOUBLE_OR_STAND)
    longer = table.may_double & (hands().size > 2)
    draws = np.where(doubles & longer[:, None], double, draws)
    surrenders = _says(chart, Cell.SURRENDER, Cell.SURRENDER_OR_STAND)
    draws = np.where(surrenders & table.may_give_up[:, None], np.int8(Action.SURRENDER), draws)
    after = np.where(doubles & may_double(rules, after_split=True)[:, None], double, draws)
    first = np.where(doubles & table.may_double[:, None], double, draws)
    allowed = np.array([rules.may_surrender(up) for up in range(ACE, TEN + 1)])
    first[surrenders & allowed] = Action.SURRENDER
    first[hands().place((ACE, TEN))] = Action.STAND
    for pair in Kind.PAIR.keys:
        place = hands().place((pair, pair))
        for up in range(ACE, TEN + 1):
            action = _pair_action(chart.cell(Kind.PAIR, pair, up), rules, pair, up)
            if action is not None:
                first[place, up - 1] = action
    by_pair = {}
    for pair, rows in table.plan.rows.items():
        played = np.zeros_like(after[rows.place]) if rules.one_card_only(pair) else after[rows.place]
        by_pair[pair] = (played,) * len(Split(table, pair).fixed_groups)
    zapped = {}
    for cards, after_zap in table.zapped:
        zapped[cards] = strategy_of(chart, after_zap)
        for up in range(ACE, TEN + 1):
            if chart.zaps(cards, up):
                first[hands().place(cards), up - 1] = Action.ZAP
    rescues = _rescues(chart, rules)
    rescued = {pair: (rescues[table.plan.rows[pair].place],) * len(played) for pair, played in by_pair.items()}
    insures = np.full(len(hands().key), chart.insurance)
    return Strategy(first, draws, by_pair, insures, zapped, rescues, rescued)


def _rescues(chart: Chart, rules: Rules) -> Bools:
    """(hands, 10): where the chart gives up a doubled hand."""
    by_total = np.array(
        [[chart.rescues(total, up) for up in range(ACE, TEN + 1)] for total in range(22)], dtype=np.bool_
    )
    return np.asarray(by_total[hands().total] & may_rescue(rules)[:, None])


def _says(chart: Chart, *cells: Cell) -> Bools:
    """(hands, 10): whether the cell of a hand's total is one of these; hands of one card are not in a chart."""
    by_total = np.zeros((2, 22, VALUES), dtype=np.bool_)
    for kind in (Kind.HARD, Kind.SOFT):
        for total in kind.keys:
            for up in range(ACE, TEN + 1):
                by_total[int(kind is Kind.SOFT), total, up - 1] = chart.cell(kind, total, up) in cells
    return np.asarray(by_total[hands().soft.astype(np.int64), hands().total])


def _pair_action(cell: Cell, rules: Rules, pair: int, up: int) -> Action | None:
    """What a cell of a pair row means; None where it is as the total says."""
    may_split = rules.hands_from(pair) > 1
    doubles = rules.may_double(2 * pair if pair != ACE else 12, soft=pair == ACE, after_split=False)
    match cell:
        case Cell.AS_TOTAL:
            return None
        case Cell.SPLIT:
            return Action.SPLIT if may_split else None
        case Cell.SPLIT_WITH_DOUBLE:
            if may_split and rules.double_after_split:
                return Action.SPLIT
            return Action.HIT
        case Cell.SURRENDER_OR_SPLIT:
            if rules.may_surrender(up):
                return Action.SURRENDER
            return Action.SPLIT if may_split else None
        case Cell.SURRENDER | Cell.SURRENDER_OR_STAND if rules.may_surrender(up):
            return Action.SURRENDER
        case Cell.DOUBLE | Cell.DOUBLE_OR_STAND if doubles:
            return Action.DOUBLE
    return Action.HIT if cell.draws else Action.STAND
