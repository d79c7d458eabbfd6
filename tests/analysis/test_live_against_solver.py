"""Every order in which the cards of a very small shoe can come, dealt at the live table, against the solver.

The live engine runs beside real cards here, and the player does what the solver's strategy says. So what is compared
is what the table pays, rules and prices included, with what the analysis says it pays.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from random import Random

import pytest

from croupier.analysis.blackjack.basic import basic_strategy, evaluate
from croupier.analysis.blackjack.chart import Cell, Kind
from croupier.analysis.blackjack.hands import hands
from croupier.analysis.blackjack.moments import moments
from croupier.analysis.blackjack.shoe import Composition, value_letter
from croupier.analysis.blackjack.solver import Solution, insurance, solve
from croupier.analysis.blackjack.strategy import Action, Evaluated, Strategy
from croupier.cards.card import Card
from croupier.games.blackjack import acts
from croupier.games.blackjack.answers import EarlySurrender, Insure, NoInsurance, NoSurrender
from croupier.games.blackjack.decisions import Double, Hit, Split, Stand, Surrender, Zap
from croupier.games.blackjack.round import BlackjackRound, Phase, open_round
from croupier.games.blackjack.rules import ACE, TEN, Rules
from croupier.games.blackjack.side_wagers import value
from croupier.games.table.bets import Bet
from croupier.games.table.offering import Limits
from tests.analysis.blackjack.charts import chart_of_anything
from tests.games.blackjack.support import title_with

UNIT_CENTS = 1000
SEAT = 1
ACTS: Mapping[Action, Callable[[int], acts.Act]] = {
    Action.STAND: Stand,
    Action.HIT: Hit,
    Action.DOUBLE: Double,
    Action.SPLIT: Split,
    Action.SURRENDER: Surrender,
    Action.ZAP: Zap,
}
Law = dict[Fraction, Fraction]


@dataclass(frozen=True)
class At:
    """A round in which so much has come: what is left beside the hole card, and how likely this is."""

    round: BlackjackRound
    left: Counter[int]
    hole: int | None
    chance: Fraction

    def each_card(self) -> Iterator[tuple[int, Counter[int], Fraction]]:
        """Each value that can come next, what is then left, and how likely that is."""
        cards = self.left.total()
        assert cards, "the shoe has run out: choose another one for this test"
        for each, number in self.left.items():
            if number:
                yield each, self.left - Counter({each: 1}), self.chance * Fraction(number, cards)


@dataclass(frozen=True)
class LiveTable:
    """A solved game, or one that is played by a chart, at the live table."""

    solution: Solution | Evaluated
    insures: bool = False

    def law(self) -> Law:
        """All results of a round, and exactly how likely they are."""
        offering = title_with(self.solution.table.rules).offer(limits=Limits(UNIT_CENTS, 10 * UNIT_CENTS))
        opened = open_round(offering).do(Bet(SEAT, "bet", UNIT_CENTS)).do(acts.NoMoreBets())
        left = Counter({each: cards for each, cards in enumerate(self.solution.table.shoe.counts, start=1) if cards})
        law: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
        for end in self.ends(At(opened, left, None, Fraction(1))):
            law[Fraction(end.round.result_cents(SEAT), UNIT_CENTS)] += end.chance
        return dict(law)

    def ends(self, start: At) -> Iterator[At]:
        """Every way in which the round ends from here."""
        waiting = [start]
        while waiting:
            at = waiting.pop()
            if at.round.is_over:
                yield at
            elif at.round.owed:
                waiting.extend(self._dealt(at))
            else:
                waiting.append(At(at.round.do(self.act(at)), at.left, at.hole, at.chance))

    def _dealt(self, at: At) -> Iterator[At]:
        """The next card: any that is left, or the hole card, which lies there since the up card came."""
        if self._shows_hole_card(at.round):
            assert at.hole is not None
            yield At(at.round.do(acts.Deal((card(at.hole),))), at.left, at.hole, at.chance)
            return
        for each, suit, left, chance in self._cards(at):
            after = At(at.round.do(acts.Deal((card(each, suit),))), left, at.hole, chance)
            if self.solution.table.rules.hole_card and at.hole is None and first_cards_are_out(after.round):
                for hole, rest, likely in after.each_card():
                    yield At(after.round, rest, hole, likely)
            else:
                yield after

    def _cards(self, at: At) -> Iterator[tuple[int, str, Counter[int], Fraction]]:
        """The same with a suit: one card in four is a diamond, where that matters to the first two of a seat."""
        first = at.round.owed[0].position == SEAT and len(at.round.seats[SEAT].dealt) < 2
        matters = self.solution.table.rules.diamond_blackjack and first
        for each, left, chance in at.each_card():
            if matters and each in (ACE, TEN):
                yield each, "d", left, chance / 4
                yield each, "s", left, chance * 3 / 4
            else:
                yield each, "s", left, chance

    def _shows_hole_card(self, round_: BlackjackRound) -> bool:
        return self.solution.table.rules.hole_card and round_.owed[0].position == 0 and len(round_.dealer) == 1

    def act(self, at: At) -> acts.Act:
        match at.round.phase:
            case Phase.SURRENDERING:
                held, up = tuple(map(value, at.round.seats[SEAT].dealt)), value(at.round.up_card)
                action = self._action(self._strategy, held, up, from_split=False, lent=False)
                return EarlySurrender(SEAT) if action is Action.SURRENDER else NoSurrender()
            case Phase.INSURANCE:
                return self._insurance(at.round)
            case Phase.CHECKING:
                assert at.round.up_card is not None
                return acts.Peek({value(at.round.up_card), at.hole} == {ACE, TEN})
            case Phase.PLAYING:
                return self._decision(at.round)
            case Phase.DEALER:
                return acts.Reveal()
            case _:
                return acts.Settle()

    def _insurance(self, round_: BlackjackRound) -> acts.Act:
        held = tuple(map(value, round_.seats[SEAT].dealt))
        act = Insure(SEAT)
        pays = self.insures and insurance(self.solution.table.shoe, held) > 0
        return act if pays and round_.can(act) else NoInsurance()

    def _decision(self, round_: BlackjackRound) -> acts.Act:
        assert round_.turn is not None
        assert round_.up_card is not None
        hand = round_.seats[SEAT].hands[round_.turn.hand]
        again = Split(SEAT)
        if hand.from_split and hand.pair_value and round_.can(again):
            return again
        held = tuple(map(value, hand.cards))
        if hand.doubled:
            return (Surrender if self._rescues(held, value(round_.up_card), hand.from_split) else Stand)(SEAT)
        lent = hand.from_split and not hand.stake.own_cents
        strategy = self._strategy
        if hand.zapped:
            first, second = sorted(map(value, hand.zapped))
            strategy = strategy.zapped[first, second]
        action = self._action(strategy, held, value(round_.up_card), from_split=hand.from_split, lent=lent)
        return ACTS[action](SEAT)

    def _rescues(self, held: tuple[int, ...], up: int, from_split: bool) -> bool:
        """Whether a doubled hand is given up."""
        place = hands().place(held)
        if not from_split:
            return bool(self._strategy.rescues[place, up - 1])
        row = self.solution.table.plan.rows[held[0]].place.tolist().index(place)
        return bool(self._strategy.rescued(held[0])[held[1] == held[0]][row, up - 1])

    def _action(self, strategy: Strategy, held: tuple[int, ...], up: int, *, from_split: bool, lent: bool) -> Action:
        place = hands().place(held)
        if from_split:
            other, again = strategy.after_split[held[0]][2 * lent :][:2]
            row = self.solution.table.plan.rows[held[0]].place.tolist().index(place)
            return Action((again if held[1] == held[0] else other)[row, up - 1])
        return Action((strategy.first if len(held) == 2 else strategy.draws)[place, up - 1])

    @cached_property
    def _strategy(self) -> Strategy:
        return self.solution.strategy


def card(of: int, suit: str = "s") -> Card:
    """Any card of the value: the Bet looks at no suit but diamonds. Shoes here hold at most six of a value."""
    return Card.parse(f"{value_letter(of)}{suit}")


def first_cards_are_out(round_: BlackjackRound) -> bool:
    return len(round_.dealer) == 1 and len(round_.seats[SEAT].dealt) == 2


def mean(law: Law) -> Fraction:
    return sum((result * chance for result, chance in law.items()), Fraction(0))


def variance(law: Law) -> Fraction:
    return sum((result**2 * chance for result, chance in law.items()), Fraction(0)) - mean(law) ** 2


@cache
def solved(words: str, shoe: str, convention: str = "CDZ-") -> Solution:
    return solve(Rules.parse(words), Composition.parse(shoe), convention)


CASES = [
    ("6D S17", "Ax1 6x1 7x4 Tx6", "CDZ-"),
    ("6D S17 SP4 RSA", "Ax3 8x4 Tx4", "CDZ-"),
    ("6D SP2", "Ax2 9x3 Tx5", "CDZ-"),
    ("6D SP2 ENHC", "Ax3 6x2 8x1 Tx6", "CDZ-"),
    ("6D H17 SP3 RSA HSA LS ENHC 6:5", "Ax2 8x3 Tx6", "CDZ-"),
    ("6D H17 SP3 RSA HSA LS ENHC 6:5", "Ax2 9x2 Tx5", "BEST"),
    ("6D LS D10 SP3", "Ax1 6x3 8x3 Tx3", "CDZ-"),
    ("6D H17 NDAS D9 LS", "6x4 7x4 Tx4", "CDP1"),
    ("6D HSA", "5x4 7x3 Tx4", "CDZ-"),
    ("6D SP1 2:1", "Ax2 9x3 Tx5", "CDZ-"),
    ("6D H17 SP4 RSA P22 FD FS", "5x4 7x3 Tx4", "CDZ-"),
    ("6D SP4 P22 FD FS", "9x5 Tx6", "CDZ-"),
    ("6D SP2 P22 FD FS", "Ax1 6x3 8x3 Tx6", "CDZ-"),
    ("6D SP3 RSA ENHC P22 FD FS", "Ax2 8x3 Tx6", "BEST"),
    ("6D H17 SP2 LS SAZ P22 ZAP17", "Ax2 5x1 8x3 Tx6", "CDZ-"),
    ("6D H17 SP3 NS NSAZ P22 ZAP18", "Ax1 8x3 9x3 Tx5", "CDZ-"),
    ("6D H17 SP2 LS NSAZ P22 ZAP18", "6x2 7x3 9x2 Tx4", "CDZ-"),
    ("6D SP2 CH5", "2x5 3x4 4x1 Tx5", "CDZ-"),
    ("6D SP2 ENHC CH5 DAC", "2x5 3x3 6x1 Tx5", "CDZ-"),
    ("6D H17 SP3 RSA HSA DAC", "Ax2 3x3 5x1 8x3 Tx5", "BEST"),
    ("6D SP3 ES", "Ax2 6x2 8x3 Tx5", "CDZ-"),
    ("6D H17 SP2 ES10 LS", "Ax2 6x3 8x2 Tx5", "CDZ-"),
    ("6D SP2 ENHC ES10 OBO", "Ax2 6x2 8x2 Tx6", "CDZ-"),
    ("6D SP3 RSA ENHC OBO LS", "Ax2 8x3 Tx6", "BEST"),
    ("6D SP2 SAD", "2x1 5x4 6x2 9x2 Tx5", "CDZ-"),
    ("6D H17 SP2 LS DAC SAD", "Ax1 2x2 3x1 5x3 8x2 Tx5", "BEST"),
    ("6D SP3 CH5 SAD", "2x2 4x2 5x3 Tx6", "CDP1"),
    ("6D H17 SP3 RSA HSA LS 1:1 CH6 NDCC DAC SAD SAT B21 BJW DBJ", "Ax2 4x2 8x3 Tx6", "CDZ-"),
    ("6D SP1 LS CH6 NDCC DAC SAD SAT B21", "2x3 3x2 5x2 Tx5", "CDZ-"),
    ("6D H17 SP3 LS SAT BJW 6:5", "Ax2 6x3 8x3 Tx5", "BEST"),
    ("6D SP2 LS SAT DBJ", "Ax2 7x3 9x2 Tx5", "CDP1"),
    ("6D SP1 ENHC CH5 NDCC DAC B21 BJW DBJ", "Ax1 2x3 3x2 5x1 Tx4", "CDZ-"),
]
"""Shoes that no round can use up with this play. Between them every action is best somewhere."""


@pytest.mark.parametrize(("words", "shoe", "convention"), CASES)
def test_every_round_of_a_small_shoe(words: str, shoe: str, convention: str) -> None:
    agrees(solved(words, shoe, convention))


ODD = [
    ("6D H17 SP2 HSA LS 1:1 CH6 NDCC DAC SAD SAT B21 BJW DBJ", "Ax1 4x1 8x3 Tx6"),
    ("6D SP2 LS CH5 NDCC DAC SAD SAT B21", "2x4 3x2 Tx4"),
]


@pytest.mark.parametrize(("words", "shoe"), ODD)
def test_every_round_of_a_small_shoe_by_a_chart_of_anything(words: str, shoe: str) -> None:
    """What nobody would do is settled and counted alike too: doubled hands of many cards that are given up."""
    rules = Rules.parse(words)
    agrees(evaluate(chart_of_anything(rules, Random(words)), rules, Composition.parse(shoe)))


def agrees(solution: Solution | Evaluated) -> None:
    """The law of the live table has the mean, the variance and, where that is exact, the chances that are counted."""
    law = LiveTable(solution).law()
    assert sum(law.values()) == 1
    assert float(mean(law)) == pytest.approx(solution.edge, abs=1e-12)
    swings = moments(solution)
    assert float(variance(law)) == pytest.approx(swings.variance, abs=1e-12)
    if swings.exact:
        # What two sums should cancel may leave a trace of the last bit.
        counted = {result: chance for result, chance in swings.law.items() if chance > 1e-15}
        assert {result: float(chance) for result, chance in law.items()} == pytest.approx(counted, abs=1e-12)


def test_insurance_where_it_pays() -> None:
    solution = solved("6D SP2", "Ax2 9x3 Tx5")
    assert solution.insurance_gain > 0.01
    law = LiveTable(solution, insures=True).law()
    assert float(mean(law)) == pytest.approx(solution.edge + solution.insurance_gain, abs=1e-12)


def test_every_action_is_best_somewhere() -> None:
    first = [solved(*case) for case in CASES]
    found = {Action(act) for each in first for act in each.first[each.table.deals > 0].tolist()}
    assert found == set(Action)


@pytest.mark.parametrize("convention", ["CDZ-", "CDP1", "BEST"])
def test_6_20_nobody_plays_21(convention: str) -> None:
    """A split ace with a ten would be doubled here, and against some up cards a 21 hit, were it allowed."""
    solution = solved("6D S17", "Ax1 6x1 7x4 Tx6", convention)
    over = hands().total == 21
    assert (solution.strategy.draws[over] == Action.STAND).all()
    for pair, choices in solution.strategy.after_split.items():
        rows = solution.table.plan.rows[pair]
        assert all((choice[over[rows.place]] == Action.STAND).all() for choice in choices)
    assert set(solution.hand_values("7 7 7", "T")) == {Action.STAND}


def test_6_20_a_depleted_shoe_in_which_21_matters() -> None:
    """Doubling a split ace with a ten, if it were allowed, would add 0.05 % here."""
    shoe = "Ax8 2x6 3x6 4x6 5x6 6x6 7x8 8x8 9x8 Tx40"
    assert 100 * solved("6D S17 DAS SP4 3:2", shoe).edge == pytest.approx(4.713307129989576, abs=1e-10)


def test_a_chart_cannot_play_21() -> None:
    rules, shoe = Rules.parse("6D"), Composition.parse("Ax1 6x1 7x4 Tx6")
    chart = basic_strategy(rules, shoe)
    odd = chart
    for up in range(ACE, TEN + 1):
        odd = odd.changed(Kind.HARD, 21, up, Cell.HIT).changed(Kind.SOFT, 21, up, Cell.DOUBLE)
    assert evaluate(odd, rules, shoe).edge == evaluate(chart, rules, shoe).edge
