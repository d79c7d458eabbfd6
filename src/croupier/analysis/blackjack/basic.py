"""Basic strategy: the best chart of totals for a table's rules, and exactly what a chart costs.

    chart = basic_strategy(Rules.parse("6D S17 DAS SP4 3:2"))
    print(chart)
    evaluate(chart, rules).edge

A chart plays all hands of a total alike, so its cells are weighed over every hand that comes to them: first hands,
hands that have drawn, and hands after splits, each as often as the chart itself leads there. Cells are improved until
none can be: in the chart that results, no change of a single cell would raise the edge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from croupier.analysis.blackjack.chart import COLUMNS, Cell, Chart, Kind, Row
from croupier.analysis.blackjack.hands import VALUES, Bools, Floats, hands
from croupier.analysis.blackjack.pairs import Part, Split, given_up
from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.blackjack.splits import CHARLIE_GRADE, grades, may_double
from croupier.analysis.blackjack.strategy import Action, Evaluated, strategy_of
from croupier.analysis.blackjack.table import Choices, Table, dealt_instead, one_card_more, table_for, zappable
from croupier.analysis.kernels.player import HAIR, reach_hands
from croupier.analysis.kernels.split import count_orders
from croupier.games.blackjack.rules import ACE, TEN, Rules

MOST_ROUNDS = 30
NEVER = 1e-30
_TOTAL_CELLS = {
    Cell.STAND: (Action.STAND, Action.STAND),
    Cell.HIT: (Action.HIT, Action.HIT),
    Cell.DOUBLE: (Action.DOUBLE, Action.HIT),
    Cell.DOUBLE_OR_STAND: (Action.DOUBLE, Action.STAND),
    Cell.SURRENDER: (Action.SURRENDER, Action.HIT),
    Cell.SURRENDER_OR_STAND: (Action.SURRENDER, Action.STAND),
}
"""What a cell means: with the first two cards, and where that is not allowed."""


def evaluate(chart: Chart, rules: Rules, shoe: Composition | None = None) -> Evaluated:
    """The chart at this table, with all its figures."""
    return _evaluated(chart, table_for(rules, shoe))


def _evaluated(chart: Chart, table: Table) -> Evaluated:
    return Evaluated(table, strategy_of(chart, table))


def basic_strategy(rules: Rules, shoe: Composition | None = None) -> Chart:
    """The best chart for these rules, from a full shoe or from what is left of one."""
    table = table_for(rules.one_hand, shoe)
    chart = _first_guess(rules)
    for _ in range(MOST_ROUNDS):
        better = _improved(chart, _Weighed(_evaluated(chart, table)))
        if better == chart:
            break
        chart = better
    return chart


@cache
def _first_guess(rules: Rules) -> Chart:
    """Where the search begins. Any chart will do, for the cells improve it; one near the end takes fewer steps."""
    zaps = [f"{row}: {'Z ' * len(COLUMNS)}" for row in _zap_rows(rules)]
    return Chart.parse(
        """
        hard 4-8:   H  H  H  H  H  H  H  H  H  H
        hard 9:     H  D  D  D  D  H  H  H  H  H
        hard 10:    D  D  D  D  D  D  D  D  H  H
        hard 11:    D  D  D  D  D  D  D  D  D  H
        hard 12:    H  H  S  S  S  H  H  H  H  H
        hard 13-16: S  S  S  S  S  H  H  H  H  H
        hard 17+:   S  S  S  S  S  S  S  S  S  S
        soft 13-14: H  H  H  D  D  H  H  H  H  H
        soft 15-16: H  H  D  D  D  H  H  H  H  H
        soft 17:    H  D  D  D  D  H  H  H  H  H
        soft 18:    S  Ds Ds Ds Ds S  S  H  H  H
        soft 19+:   S  S  S  S  S  S  S  S  S  S
        pair A,A:   P  P  P  P  P  P  P  P  P  P
        pair 2,2:   P  P  P  P  P  P  N  N  N  N
        pair 3,3:   P  P  P  P  P  P  N  N  N  N
        pair 4,4:   N  N  N  P  P  N  N  N  N  N
        pair 5,5:   N  N  N  N  N  N  N  N  N  N
        pair 6,6:   P  P  P  P  P  N  N  N  N  N
        pair 7,7:   P  P  P  P  P  P  N  N  N  N
        pair 8,8:   P  P  P  P  P  P  P  P  P  P
        pair 9,9:   P  P  P  P  P  S  P  P  S  S
        pair T,T:   N  N  N  N  N  N  N  N  N  N
        """
        + "\n".join(zaps)
    )


def _zap_rows(rules: Rules) -> list[Row]:
    """A row for each total that may be zapped, and one for each pair."""
    pairs = [Row(Kind.ZAP, one) for one, other in zappable(rules) if one == other]
    totals = sorted({one + other for one, other in zappable(rules) if one != other})
    return [*(Row(Kind.ZAP, total) for total in totals), *pairs]


def _rescue_rows(rules: Rules) -> list[Row]:
    """A row for each total that may be given up once it was doubled."""
    return [Row(Kind.RESCUE, total) for total in Kind.RESCUE.keys] if rules.surrender_after_double else []


def _improved(chart: Chart, weighed: _Weighed) -> Chart:
    """Every cell as is best against the others as they are, over all hands that come to it, after a zap too."""
    every = [weighed, *weighed.after_zaps()]
    cells = {row: list(old) for row, old in chart.cells.items()}
    for kind in (Kind.HARD, Kind.SOFT):
        for total in kind.keys:
            here = (hands().total == total) & (hands().soft == (kind is Kind.SOFT))
            yields = [weighed.cell_yields(here) for weighed in every]
            for column, up in enumerate(COLUMNS):
                row = cells[Row(kind, total)]
                together = {cell: sum(float(part[cell][up - 1]) for part in yields) for cell in _TOTAL_CELLS}
                row[column] = _best(row[column], together)
    for pair in Kind.PAIR.keys:
        values = np.sum([weighed.pair_yields(pair) for weighed in every], axis=0)
        for column, up in enumerate(COLUMNS):
            cells[Row(Kind.PAIR, pair)][column] = _pair_cell(values[:, up - 1])
    for rescued in _rescue_rows(weighed.table.rules):
        cells[rescued] = [weighed.rescue_cell(rescued, up) for up in COLUMNS]
    unzapped = strategy_of(chart.without_zaps, weighed.table).first
    for zapped in _zap_rows(weighed.table.rules):
        for column, up in enumerate(COLUMNS):
            cells[zapped][column] = weighed.zap_cell(zapped, up, unzapped)
    return Chart({row: tuple(new) for row, new in cells.items()}, insurance=weighed.insures)


@dataclass(frozen=True, eq=False)
class _Weighed:
    """What the cells of a chart would yield, with everything else played by the chart as it is."""

    game: Evaluated
    dealt: Floats | None = None
    """(hands, 10): how often first hands come about, where that is not as they are dealt."""

    @property
    def table(self) -> Table:
        return self.game.table

    @cached_property
    def deals(self) -> Floats:
        return self.table.deals if self.dealt is None else self.dealt

    @cached_property
    def kept(self) -> Floats:
        """(hands, 10): how often first hands come about and are not zapped."""
        return np.where(self.game.strategy.first == Action.ZAP, 0.0, self.deals)

    def after_zaps(self) -> Iterator[_Weighed]:
        """The hands that come for those that the chart zaps."""
        for cards, table in self.table.zapped:
            zaps = (self.deals - self.kept)[hands().place(cards)]
            if zaps.any():
                yield _Weighed(Evaluated(table, self.game.strategy.zapped[cards]), dealt_instead(table, zaps))

    def cell_yields(self, here: Bools) -> dict[Cell, Floats]:
        """For each cell a total row can have: what all hands of that total yield together, (10)."""
        first = {action: (self._first[action, here]).sum(axis=0) for action in Action}
        later = {act: self._later[act][here].sum(axis=0) for act in (Action.STAND, Action.HIT)}
        may = self.table.may_give_up
        doubles = self._split[Action.DOUBLE][here & self._doubles].sum(axis=0)
        yields = {}
        for cell, (first_choice, fallback) in _TOTAL_CELLS.items():
            # Where a surrender is not allowed after a zap, its second letter is meant.
            no_surrender = not (self.table.naturals or self.table.rules.late_surrender)
            action = fallback if first_choice is Action.SURRENDER and no_surrender else first_choice
            own = first[action] + (self._doubled_later(here, fallback) if action is Action.DOUBLE else later[fallback])
            if action is Action.DOUBLE:
                own += doubles + self._split[fallback][here & ~self._doubles].sum(axis=0)
            else:
                own += self._split[fallback][here].sum(axis=0)
            if action is Action.SURRENDER and may.any():
                for play in (self._later, self._split):
                    own += (play[Action.SURRENDER] - play[fallback])[here & may].sum(axis=0)
            yields[cell] = own
        return yields

    def _doubled_later(self, here: Bools, fallback: Action) -> Floats:
        """What hands of three cards and more yield that are doubled where they may be, and else played so."""
        may = self._doubles & (hands().size > 2)
        return np.asarray(
            self._later[Action.DOUBLE][here & may].sum(axis=0) + self._later[fallback][here & ~may].sum(axis=0)
        )

    @property
    def _doubles(self) -> Bools:
        return may_double(self.table.rules, after_split=True)

    @cached_property
    def _first(self) -> Floats:
        """(actions, hands, 10): what first hands that are no pairs yield; -inf where an action is not allowed."""
        table = hands()
        plain = (table.size == 2) & (table.cards.max(axis=1) == 1)
        plain[table.place((ACE, TEN))] = False
        yields = np.zeros_like(self.game.values)
        with np.errstate(invalid="ignore"):
            yields[:, plain] = self.game.values[:, plain] * self.kept[plain]
        return np.where(np.isnan(yields), 0.0, yields)

    @cached_property
    def _reach(self) -> Floats:
        """(hands, 10): how often hands come about without a split."""
        strategy = self.game.strategy
        choice = np.where((hands().size == 2)[:, None], strategy.first, strategy.draws).astype(np.int8)
        reach = self.kept.copy()
        reach_hands(self.table.cards, self.table.drawn, reach, choice)
        return reach

    @cached_property
    def _later(self) -> dict[Action, Floats]:
        """By act, (hands, 10): what hands of three cards and more yield, after a split and otherwise."""
        table = hands()
        reach = self._reach.copy()
        won = grades(self.table.rules) >= CHARLIE_GRADE  # decides nothing, whatever a cell says of its total
        reach[(table.size <= 2) | won] = 0.0
        hit = np.where(reach > 0, self.game.played.hit, 0.0)
        double = np.where((reach > 0) & np.isfinite(self.game.played.double), self.game.played.double, 0.0)
        yields = {Action.STAND: reach * self.table.stand, Action.HIT: reach * hit, Action.DOUBLE: reach * double}
        yields[Action.SURRENDER] = reach * np.where(self.table.may_give_up[:, None], self.table.surrender, 0.0)
        for pair, part, orders in self._split_parts:
            rows = self.table.plan.rows[pair]
            longer = ((rows.size > 2) & ~won[rows.place])[:, None] * orders
            yields[Action.STAND][rows.place] += longer * part.sums.stood
            yields[Action.HIT][rows.place] += longer * part.yields.hit
            yields[Action.DOUBLE][rows.place] += longer * part.yields.double
            yields[Action.SURRENDER][rows.place] += longer * given_up(part.sums, 1)
        return yields

    @cached_property
    def _split(self) -> dict[Action, Floats]:
        """By act, (hands, 10): what hands of two cards yield after a split."""
        shape = (len(hands().key), VALUES)
        yields = {act: np.zeros(shape) for act in (Action.STAND, Action.HIT, Action.DOUBLE, Action.SURRENDER)}
        for pair, part, orders in self._split_parts:
            rows = self.table.plan.rows[pair]
            two = (rows.size == 2)[:, None] * orders
            yields[Action.STAND][rows.place] += two * part.sums.stood
            yields[Action.HIT][rows.place] += two * part.yields.hit
            yields[Action.DOUBLE][rows.place] += two * part.yields.double
            yields[Action.SURRENDER][rows.place] += two * given_up(part.sums, 1)
        return yields

    @cached_property
    def _split_parts(self) -> list[tuple[int, Part, Floats]]:
        """The hands of the pairs that the chart splits: in how many orders they come, times how often it splits."""
        parts = []
        for pair, worth in self.game.splits.items():
            if self.table.rules.one_card_only(pair):
                continue
            place = hands().place((pair, pair))
            splits = (self.game.strategy.first[place] == Action.SPLIT) * self.deals[place]
            for part in worth.parts:
                orders = count_orders(self.table.plan.rows[pair], part.group.second, part.yields.chosen)
                parts.append((pair, part, orders * splits))
        return parts

    def pair_yields(self, pair: int) -> Floats:
        """(actions, 10): what a pair is worth if it is not zapped, as often as it comes about."""
        place = hands().place((pair, pair))
        values, often = self.game.values[:, place], self.kept[place]
        if self.dealt is None and (often == self.table.deals[place]).all() and not self.table.rules.zap:
            return values
        # What is never held is weighed as if it came once in a very long time, so that its cell is not left open.
        weight = np.maximum(often, NEVER)
        yields = np.full_like(values, -np.inf)
        np.multiply(values, weight, out=yields, where=np.isfinite(values))
        if not self.table.naturals and not self.table.rules.late_surrender:
            yields[Action.SURRENDER] = yields[[Action.STAND, Action.HIT, Action.SPLIT]].max(axis=0)
        return yields

    def zap_cell(self, row: Row, up: int, unzapped: Choices) -> Cell:
        """Whether the hands of a row are zapped, or played as the rest of the chart has it."""
        gain, values = 0.0, self.game.values[:, :, up - 1]
        for cards in zappable(self.table.rules):
            paired = cards[0] == cards[1]
            if row.key == (cards[0] if paired else sum(cards)):
                place = hands().place(cards)
                dealt = float(self.deals[place, up - 1])
                if dealt > 0:
                    gain += dealt * float(values[Action.ZAP, place] - values[unzapped[place, up - 1], place])
        return Cell.ZAP if gain > HAIR else Cell.AS_TOTAL

    def rescue_cell(self, row: Row, up: int) -> Cell:
        """Whether doubled hands that come to the total of a row are given up."""
        here = np.maximum(hands().total, Kind.RESCUE.keys.start) == row.key
        gain = float(self._rescued[here & self.table.may_rescue, up - 1].sum())
        return Cell.SURRENDER_OR_STAND if gain > 0 else Cell.STAND

    @cached_property
    def _rescued(self) -> Floats:
        """(hands, 10): what giving up the doubled hands yields more than standing with them."""
        table, strategy = self.table, self.game.strategy
        doubled = np.where(strategy.first == Action.DOUBLE, self.kept, 0.0)
        longer = (hands().size > 2)[:, None] & (strategy.draws == Action.DOUBLE)
        doubled += np.where(longer, self._reach, 0.0)
        # What no hand comes to is weighed as if it came once in a very long time, so that its cell is not left open.
        weight = one_card_more(table, doubled) + NEVER
        gain = weight * (table.given_up - table.doubled_stand)
        for pair, part, orders in self._split_parts:
            rows = table.plan.rows[pair]
            more = Split(table, pair).rescue_gain(part.group, part.sums)
            for row in np.flatnonzero((part.yields.chosen == Action.DOUBLE).any(axis=1)):
                after = rows.child[row][rows.child[row] >= 0]
                ways = np.where(part.yields.chosen[row] == Action.DOUBLE, orders[row], 0.0)
                np.add.at(gain, rows.place[after], ways * more[after])
        return gain

    @property
    def insures(self) -> bool:
        deals = self.table.deals[:, ACE - 1]
        worth = self.table.results.insured(self.table.caught[:, ACE - 1])
        return self.table.rules.insurance and bool((deals * worth).sum() > HAIR)


def _pair_cell(values: Floats) -> Cell:
    """The cell of a pair whose actions, zapping apart, are worth so much."""
    order = sorted((action for action in Action if action is not Action.ZAP), key=lambda action: -values[action])
    best = order[0]
    rest = [action for action in order if action in (Action.STAND, Action.HIT)]
    if best is Action.SURRENDER:
        second = next(action for action in order if action in (Action.STAND, Action.HIT, Action.SPLIT))
        return _SURRENDER[second]
    if best is Action.DOUBLE:
        return Cell.DOUBLE if rest[0] is Action.HIT else Cell.DOUBLE_OR_STAND
    return {Action.SPLIT: Cell.SPLIT, Action.HIT: Cell.HIT, Action.STAND: Cell.STAND}[best]


_SURRENDER = {
    Action.HIT: Cell.SURRENDER,
    Action.STAND: Cell.SURRENDER_OR_STAND,
    Action.SPLIT: Cell.SURRENDER_OR_SPLIT,
}


def _best(now: Cell, yields: dict[Cell, float]) -> Cell:
    """The cell that yields most; the one there is now unless another is better by more than a hair."""
    best = now
    for cell, worth in yields.items():
        if worth > yields[best] + HAIR:
            best = cell
    return best
