"""A person who bets both: how a side wager and the base game of blackjack move together, and the swings of the two.

The covariance is exact, in double precision: a side wager is known once some cards are, so that it is enough to know
what the base game is worth given those cards,

    E[side x base] = E[side x E[base | the cards the side wager looks at]]

where the play is fixed and does not look at the side wager. Nobody takes insurance here. Bet the Bust is made by the
only player at the table, in every round in which it can be; in the others it counts as 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from croupier.analysis.blackjack.dealer import blackjack_chance
from croupier.analysis.blackjack.hands import Bools, Floats, Ints, hands
from croupier.analysis.blackjack.moments import moments
from croupier.analysis.blackjack.pairs import Group, Split
from croupier.analysis.blackjack.results import AT_BROKEN
from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.blackjack.side.bust_players import BustTable
from croupier.analysis.blackjack.side.census import SideSheet
from croupier.analysis.blackjack.side.deals import (
    FIRST,
    SECOND,
    TYPES,
    VALUE_OF_TYPE,
    dealers_findings,
    fact_of,
    judged,
    left_after,
    pairs_of,
    up_cards,
)
from croupier.analysis.blackjack.side.outs import Play
from croupier.analysis.blackjack.splits import Stage, stages, weights
from croupier.analysis.blackjack.strategy import Action
from croupier.analysis.blackjack.table import Choices, Table, table_for
from croupier.analysis.kernels.player import reach_hands
from croupier.analysis.kernels.split import measure_hands, play_split
from croupier.errors import NotationError
from croupier.games.blackjack.rules import ACE, TEN, count
from croupier.games.blackjack.side_wagers import INSURANCE, SideWager
from croupier.games.money import StakeKind
from croupier.games.paytable import Paytable
from croupier.games.wager import Fact, Wager

SEVEN = 7


@dataclass(frozen=True)
class Together:
    """A side wager and the base game, both per unit of their own wagers."""

    side_mean: float
    side_variance: float
    base_mean: float
    base_variance: float
    covariance: float

    @property
    def correlation(self) -> float:
        return self.covariance / sqrt(self.side_variance * self.base_variance)

    def mean(self, side_units: float = 1.0) -> float:
        """The expected result of one unit on the base game and so many on the side wager."""
        return self.base_mean + side_units * self.side_mean

    def standard_deviation(self, side_units: float = 1.0) -> float:
        """Of the same."""
        side = side_units**2 * self.side_variance
        return sqrt(self.base_variance + side + 2 * side_units * self.covariance)


def bet_together(sheet: SideSheet, play: Play, base_variance: float | None = None) -> Together:
    """The side wager of a sheet beside the base game played so; the variance of that is counted if it is not given."""
    rules = play.table.rules
    if play.table.shoe != Composition.full(rules.decks) or sheet.decks != rules.decks:
        raise NotationError(
            f"The sheet counts {sheet.decks} full decks, and the game is {rules} with {play.table.shoe}."
        )
    product, mean = _expected(sheet, play)
    side = sheet.figures
    if abs(mean - float(side.expected)) > 1e-9:
        raise NotationError(
            "The sheet takes two sevens to be played otherwise than this play does: give it the rules of the table, or "
            "say with stands_against where they are not drawn to."
        )
    return _together(mean, float(side.variance), product, play, base_variance)


def _together(mean: float, variance: float, product: float, play: Play, base_variance: float | None) -> Together:
    base_mean = float(play.table.mean(play.value).sum())
    if base_variance is None:
        base_variance = moments(play).variance  # type: ignore[arg-type]  # both kinds of game have what it takes
    return Together(mean, variance, base_mean, base_variance, product - mean * base_mean)


def check_beside_bet(wager: Wager) -> None:
    """Refuse what is not counted beside the Bet, before anything is."""
    fact = fact_of(wager)
    if wager is INSURANCE or fact is Fact.DEALER_TOTAL:
        raise NotationError(f"{wager.title} is made once cards are out, so it is not counted beside the Bet.")
    if fact is Fact.DEALER_HAND:
        raise NotationError(f"{wager.title} is not counted beside the Bet: it goes by the suits of the dealer's hand.")
    if isinstance(wager, SideWager) and wager.caps:
        raise NotationError(f"{wager.title} is not counted beside the Bet: its proceeds may lie on it.")


def _expected(sheet: SideSheet, play: Play) -> tuple[float, float]:
    """E[side x base] and E[side]."""
    check_beside_bet(sheet.wager)
    deals = _Deals(sheet, play)
    match fact_of(sheet.wager):
        case Fact.UP_CARD | Fact.NOTHING:
            side = np.broadcast_to(deals.nets, deals.base.shape)
            return deals.mean(side * deals.base), deals.mean(side)
        case Fact.DEALER_BLACKJACK:
            return deals.with_blackjack()
        case Fact.DEALERS_TWO:
            return deals.with_dealers_two()
        case _:
            return deals.with_third_card()


@dataclass(frozen=True, eq=False)
class _Deals:
    """All deals of a seat's two cards and an up card; arrays are (pairs of types, types of the up card)."""

    sheet: SideSheet
    play: Play

    @property
    def nets(self) -> Floats:
        """(pairs, facts): what the side wager wins."""
        prices = self.sheet.figures.prices
        net = np.array([float(prices[outcome].net) for outcome in self.sheet.wager.outcomes])
        return np.asarray(net[judged(self.sheet.wager)])

    @property
    def copies(self) -> Ints:
        return np.full(TYPES, self.sheet.decks, dtype=np.int64)

    @property
    def places(self) -> Ints:
        """(pairs): where the hand is in the table of hands."""
        by_values = np.array(
            [[hands().place((one, other)) for other in range(ACE, TEN + 1)] for one in range(ACE, TEN + 1)]
        )
        return np.asarray(by_values[VALUE_OF_TYPE[FIRST], VALUE_OF_TYPE[SECOND]])

    @property
    def base(self) -> Floats:
        """What the base game is worth."""
        return np.asarray(self.play.value[self.places][:, VALUE_OF_TYPE])

    @property
    def caught(self) -> Floats:
        """The chance of a dealer's blackjack."""
        return np.asarray(self.play.table.caught[self.places][:, VALUE_OF_TYPE])

    def mean(self, value: Floats) -> float:
        weight = up_cards(self.copies).astype(np.float64)
        return float((weight * value).sum() / weight.sum())

    # What the side wager looks at

    def with_blackjack(self) -> tuple[float, float]:
        """A blackjack takes one unit of the base game, and nothing from a hand that is a blackjack too."""
        without, against = self.nets[:, :1], self.nets[:, 1:]
        assert self.play.table.rules.hole_card or self._puts_up_no_more((without != against)[:, 0])
        lost = np.where((self.places == hands().place((ACE, TEN)))[:, None], 0.0, self.caught)
        side = without * (1 - self.caught) + against * self.caught
        return self.mean(without * (self.base + lost) - against * lost), self.mean(side)

    def with_dealers_two(self) -> tuple[float, float]:
        """What the dealer's two cards add to the side wager, beside hands that stand against a dealer who stands."""
        nets, (findings, of_two) = self.nets, dealers_findings(self.sheet.wager)
        side = np.broadcast_to(nets[:, :1], self.base.shape)
        product, mean = self.mean(side * self.base), self.mean(side)
        rules, pair = self.play.table.rules, pairs_of(self.copies)
        whole = float(pair.sum()) * (int(self.copies.sum()) - 2) * (int(self.copies.sum()) - 3) / 2
        for finding in range(1, findings):
            [places] = np.nonzero(of_two == finding)
            for held in np.flatnonzero(nets[:, finding] != nets[:, 0]):
                for two in places:
                    up, hole = int(FIRST[two]), int(SECOND[two])
                    left = left_after(self.copies)[held]
                    ways = float(pair[held] * (left[up] * (left[hole] - (up == hole)) / (2 if up == hole else 1)))
                    dealers = count((int(VALUE_OF_TYPE[up]) + 1, int(VALUE_OF_TYPE[hole]) + 1))
                    moves = self.play.strategy.first[self.places[held], [VALUE_OF_TYPE[up], VALUE_OF_TYPE[hole]]]
                    if rules.dealer_draws(*dealers[:1], soft=dealers.soft) or (moves != Action.STAND).any():
                        raise NotationError(
                            f"{self.sheet.wager.title} and the Bet are counted together where the hand that it hangs "
                            "on stands, and so does the dealer's: this play does otherwise."
                        )
                    mine = int(hands().total[self.places[held]])
                    more = ways * float(nets[held, finding] - nets[held, 0]) / whole
                    product += more * ((mine > dealers.total) - (mine < dealers.total))
                    mean += more
        return product, mean

    def _puts_up_no_more(self, pairs: Bools) -> bool:
        first = self.play.strategy.first[self.places[pairs]]
        return bool(np.isin(first, (Action.STAND, Action.HIT)).all())

    def with_third_card(self) -> tuple[float, float]:
        """With two sevens a third one may pay more; what it pays and what the base game is then worth do not differ
        by the suit of the seven."""
        two_cards, thirds = self.nets[:, :1], self.nets[:, 1:]
        is_seven = VALUE_OF_TYPE == SEVEN - 1
        left = left_after(self.copies)[:, None, :] - np.eye(TYPES, dtype=np.int64)
        chance = np.where(is_seven, np.maximum(0, left), 0) / (self.copies.sum() - 3)
        more = (chance * (thirds - two_cards)[:, None, :]).sum(axis=2)
        happens, worth = _third_seven(self.play)
        side = two_cards + more * happens[VALUE_OF_TYPE]
        product = two_cards * self.base + more * worth[VALUE_OF_TYPE]
        return self.mean(product), self.mean(side)


def _third_seven(play: Play) -> tuple[Floats, Floats]:
    """By up card, given that the next card is a seven and the player holds two: the chance that the player draws it
    (a blackjack that was checked comes first), and the expected result of the base game then, times that chance."""
    table, pair = play.table, hands().place((SEVEN, SEVEN))
    triple = hands().place((SEVEN, SEVEN, SEVEN))
    first = play.strategy.first[pair]
    before = table.caught[triple] if table.rules.hole_card else np.zeros(TEN)
    stood = table.stand[triple] + before
    happens = np.where(np.isin(first, (Action.HIT, Action.DOUBLE, Action.SPLIT)), 1 - before, 0.0)
    worth = np.select([first == Action.HIT, first == Action.DOUBLE], [stood, 2 * stood], 0.0)
    splits = first == Action.SPLIT
    if splits.any():
        chance, split = _split_again(play)
        worth[splits] = split[splits] / chance[splits]
    return happens, worth


def _split_again(play: Play) -> tuple[Floats, Floats]:
    """Two sevens are split and the next card is a seven: how likely, and the result times that, but for a blackjack
    that was checked before."""
    rules = play.table.rules
    split = Split(play.table, SEVEN)
    groups: tuple[Group, ...]
    if split.most > 2:
        after = stages(split.most, opened=1)
        groups = split.groups_of(after)
    else:
        # The first hand keeps its seven, and the second lacks it. The hands are those of SP3, whose table knows that.
        split = Split(table_for(replace(rules, split_hands=3), play.table.shoe), SEVEN)
        first, second = Stage(0, 0, hands=1, last=True), Stage(1, 0, hands=1, last=True)
        groups = Group((second,), split.others), Group((first, second), split.again)
        if split.is_free:
            lent = (Group((second,), rows, StakeKind.FREE) for rows in (split.others, split.again))
            groups = Group((), split.others), Group((first,), split.again), *lent
    total = np.zeros(TEN)
    for group, sums, choice in zip(groups, split.sums(groups), play.strategy.after_split[SEVEN], strict=True):
        worth = play_split(sums, split.rows, choice, split.chips(group, sums)).worth
        returns = rules.hole_card and group.kind is StakeKind.OWN
        total += (worth + sums.caught if returns else worth)[group.second].sum(axis=0)
    return split.in_a_row[1], total


# Bet the Bust


def bust_together(table: BustTable, paytable: Paytable, base_variance: float | None = None) -> Together:
    """Bet the Bust beside the base game, for the only player at a table."""
    play = table.play
    figures = table.figures(paytable, 1)
    odds = np.array([line.odds for line in figures.up_cards])
    up = play.table.deals.sum(axis=0)
    lines = [
        (line, chance * (1 - blackjack_chance(play.table.shoe, line.up)))
        for line, chance in zip(figures.up_cards, up, strict=True)
    ]
    mean = float(sum(-line.estimate * chance for line, chance in lines))
    square = float(sum((line.odds**2 * line.win + line.loss) * chance for line, chance in lines))
    product = _unsplit_product(play, odds) + _split_product(table, odds)
    return _together(mean, square - mean**2, product, play, base_variance)


def _worth(table: Table, odds: Floats) -> tuple[Floats, Floats]:
    """By (set of missing cards, grade of the hand, up card): side times base where a hand stands with one unit, and by
    (set, up card) the side wager alone."""
    bust = 1 - table.totals.sum(axis=1) - table.blackjack
    nets = table.results.by_grade
    won = nets[:, AT_BROKEN, None] * (odds * bust)[:, None]
    return won - nets[:, :AT_BROKEN] @ table.totals, odds * bust - table.totals.sum(axis=1)


def _unsplit_product(play: Play, odds: Floats) -> float:
    """E[side x base] of rounds without a split; a player who goes out has pushed the side wager."""
    table = play.table
    worth = _worth(table, odds)[0][np.arange(len(hands().key)), hands().grade]
    two = (hands().size == 2)[:, None]
    first = np.where(table.deals > 0, play.strategy.first, np.int8(Action.SURRENDER))
    first[hands().place((ACE, TEN))] = Action.SURRENDER  # no blackjack is left either
    total = 0.0
    for action, units in ((Action.STAND, 1), (Action.HIT, 1), (Action.DOUBLE, 2)):
        reach = np.where(first == action, table.deals, 0.0)
        if action is Action.STAND:
            stands = reach
        else:
            later = play.strategy.draws if action is Action.HIT else np.zeros_like(play.strategy.draws)
            choice = np.where(two, np.int8(Action.HIT), later)
            reach_hands(table.cards, table.drawn, reach, choice)
            stands = np.where(two | (choice == Action.HIT), 0.0, reach)
        total += units * float((stands * worth).sum())
    return total


def _split_product(table: BustTable, odds: Floats) -> float:
    """E[side x base] of rounds with a split: as if the dealer always played, less rounds in which all hands break."""
    play = table.play
    standing, side = _worth(play.table, odds)
    any_grade = np.repeat(side[:, None], standing.shape[1], axis=1)
    total = 0.0
    for pair, choices in play.strategy.after_split.items():
        place = hands().place((pair, pair))
        dealt = np.where(play.strategy.first[place] == Action.SPLIT, play.table.deals[place], 0.0)
        if not dealt.any():
            continue
        split = Split(play.table, pair)
        weight = np.array([weights(group.stages, split.in_a_row) for group in split.fixed_groups])
        stood, present = (
            measure_hands(split.left, split.rows, worth, play.table.blackjack, weight).stood
            for worth in (standing, any_grade)
        )
        for number, (group, choice) in enumerate(zip(split.fixed_groups, choices, strict=True)):
            yields = _played(split, choice, stood[number], present[number])
            total += float((dealt * yields[group.second].sum(axis=0)).sum())
        for up in np.flatnonzero(dealt) + 1:
            outs = table.up_cards[int(up)]
            dealt_so = float(play.table.deals[:, up - 1].sum())
            for broken in outs.broken[pair]:
                total += dealt_so * broken.hands * (float(odds[up - 1]) * broken.bust - broken.made)
    return total


def _played(split: Split, choice: Choices, stood: Floats, present: Floats) -> Floats:
    """(rows, 10): side times base of each hand after a split; a broken hand has lost while the dealer plays on."""
    rows = split.rows
    yields = np.zeros_like(stood)
    for row in range(len(rows.size) - 1, 0, -1):
        after = rows.child[row][rows.child[row] >= 0]
        broken = present[row] - present[after].sum(axis=0)
        hit = yields[after].sum(axis=0) - broken
        double = 2 * (stood[after].sum(axis=0) - broken)
        yields[row] = np.select([choice[row] == Action.HIT, choice[row] == Action.DOUBLE], [hit, double], stood[row])
    return yields
