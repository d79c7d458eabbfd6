"""Swings: the law of a round and its standard deviation, splits and resplits included."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from croupier.analysis.blackjack.basic import basic_strategy, evaluate
from croupier.analysis.blackjack.moments import Moments, mean_stake, moments
from croupier.analysis.blackjack.outcomes import MOST, SplitOutcomes, patterns
from croupier.analysis.blackjack.pairs import Split
from croupier.analysis.blackjack.solver import solve
from croupier.errors import NotationError
from croupier.games.blackjack.rules import Rules
from tests.analysis.blackjack.reference import SURRENDER, Cards, Law, Plan, Reference, mean, mixed
from tests.analysis.blackjack.support import EIGHTS, NINES, SEVENS, SIXES, best_plan, plan_of, solved

EXACT = 1e-13


def variance(law: Law) -> float:
    return float(sum(result**2 * chance for result, chance in law.items()) - mean(law) ** 2)


def assert_same(found: Moments, law: Law) -> None:
    assert found.mean == pytest.approx(float(mean(law)), abs=EXACT)
    assert found.variance == pytest.approx(variance(law), abs=EXACT)
    if found.exact:
        assert {result: chance for result, chance in found.law.items() if chance > 1e-16} == pytest.approx(
            {result: float(chance) for result, chance in law.items()}, abs=EXACT
        )


# Small shoes, exactly


@pytest.mark.parametrize(
    ("text", "shoe"),
    [("6D S17 SP2", NINES), ("6D H17 LS SP2 ENHC", SEVENS), ("6D S17 SP4", EIGHTS), ("6D S17 D9 SP3 RSA", SEVENS)],
)
def test_the_law_of_a_round_dealt_out(text: str, shoe: Cards) -> None:
    """All deals under the best play: the whole law with two hands, mean and variance with more."""
    solution, reference = solved(text, shoe)
    swings = moments(solution)
    assert swings.exact is (solution.rules.split_hands == 2)
    assert swings.mean == pytest.approx(solution.edge, abs=EXACT)
    assert_same(swings, reference.round(best_plan(reference)))


@pytest.mark.parametrize(("text", "shoe"), [("6D H17 LS SP2", SIXES), ("6D S17 D9 SP4 RSA", SEVENS)])
def test_the_law_of_a_chart_dealt_out(text: str, shoe: Cards) -> None:
    solution, reference = solved(text, shoe)
    chart = basic_strategy(solution.rules)
    law = reference.round(plan_of(chart, solution.rules))
    assert_same(moments(evaluate(chart, solution.rules, solution.shoe)), law)


@pytest.mark.parametrize(
    ("text", "shoe", "pairs", "up"),
    [
        ("6D S17 SP4", NINES, (6, 9), 10),
        ("6D S17 SP4 ENHC", NINES, (9,), 1),
        ("6D H17 SP3 RSA HSA", SEVENS, (1,), 7),
        ("6D S17 SP4 RSA", SEVENS, (1,), 10),
    ],
)
def test_three_and_four_hands_have_their_exact_variance(
    text: str, shoe: Cards, pairs: tuple[int, ...], up: int
) -> None:
    solution, reference = solved(text, shoe)
    units = np.arange(-MOST, MOST + 1)
    for pair in pairs:
        law = reference.split(pair, up, reference.as_unsplit(up))
        split = Split(solution.table, pair)
        outcome = SplitOutcomes(split, solution.strategy.after_split[pair]).against(up)
        lost = float(solution.table.caught[solution.table.hands.place((pair, pair)), up - 1])
        lost = lost if solution.rules.hole_card else 0.0
        wanted = float(sum(result**2 * chance for result, chance in law.items()))
        assert (outcome.second_moment - lost) / (1 - lost) == pytest.approx(wanted, abs=EXACT)
        assert outcome.law @ units == pytest.approx((1 - lost) * float(mean(law)) - lost, abs=EXACT)
        assert outcome.law @ units**2 == pytest.approx(outcome.second_moment, abs=EXACT)
        exact = np.array([float(law.get(Fraction(int(unit)), Fraction(0))) for unit in units])
        exact = exact * (1 - lost)
        exact[MOST - 1] += lost
        assert outcome.law == pytest.approx(exact, abs=0.02)  # close, though the shoe is tiny


def test_patterns_of_a_split_are_all_there() -> None:
    """Second cards of four hands: as many as Catalan's numbers say."""
    assert [sum(each.orders for each in patterns(4) if each.hands == hands) for hands in (2, 3)] == [1, 2]
    for most in (2, 3, 4):
        chance = Fraction(2, 9)  # any share of cards of the pair, in a shoe without end: all chances are used up
        total = sum(each.orders * chance**each.pairs * (1 - chance) ** each.others for each in patterns(most))
        assert total == 1


# Stakes


class Stakes(Reference):
    """The same rounds dealt out, with what was staked in place of what was won."""

    @cache  # noqa: B019 (a reference lives as long as its test)
    def _dealt(self, plan: Plan, hand: Cards, up: int, cards: Cards) -> Law:
        one = {Fraction(1): Fraction(1)}
        if hand == (1, 10) or plan.first(hand, up) == SURRENDER:
            return one
        if not self.rules.hole_card:
            return self._first(plan, hand, up, None, cards)
        caught = self.blackjack(up, cards)
        holes = self.holes(up, cards) if caught < 1 else ()
        played = [((1 - caught) * chance, self._first(plan, hand, up, hole, left)) for hole, chance, left in holes]
        return mixed([(caught, one), *played])

    def _settled(self, up: int, hole: int | None, done: tuple[tuple[int, int], ...], cards: Cards) -> Law:
        return {Fraction(sum(wager for _, wager in done)): Fraction(1)}


@pytest.mark.parametrize(
    ("text", "shoe"),
    [("6D S17 SP2", NINES), ("6D H17 LS SP2 ENHC", SEVENS), ("6D S17 SP4", EIGHTS), ("6D S17 D9 SP3 RSA", SEVENS)],
)
def test_the_mean_stake_of_rounds_dealt_out(text: str, shoe: Cards) -> None:
    solution, reference = solved(text, shoe)
    stakes = Stakes(solution.rules, shoe)
    law = stakes.round(best_plan(reference))
    assert sum(law.values()) == 1
    assert mean_stake(solution) == pytest.approx(float(mean(law)), abs=EXACT)
    chart = basic_strategy(solution.rules)
    by_chart = mean(stakes.round(plan_of(chart, solution.rules)))
    assert mean_stake(evaluate(chart, solution.rules, solution.shoe)) == pytest.approx(float(by_chart), abs=EXACT)


def test_conventions_without_a_fixed_strategy_have_a_mean_stake_too() -> None:
    stakes = [mean_stake(solve(Rules(), convention=each)) for each in ("CDZ-", "BEST", "CDP", "CDPN")]
    assert stakes == pytest.approx([1.1316] * 4, abs=2e-4)
    assert mean_stake(solve(Rules.parse("1D S17 SP1 D10"))) > 1


# Full shoes


@pytest.fixture(scope="module")
def six_decks() -> Moments:
    return moments(solve(Rules.parse("6D S17 DAS SP4")))


def test_mean_and_law_of_six_decks(six_decks: Moments) -> None:
    assert six_decks.mean == pytest.approx(solve(Rules()).edge, abs=1e-14)
    assert sum(six_decks.law.values()) == pytest.approx(1, abs=1e-13)
    assert min(six_decks.law.values()) > 0
    assert list(six_decks.law) == sorted(six_decks.law)
    spread = sum(float(result) ** 2 * chance for result, chance in six_decks.law.items()) - six_decks.mean**2
    assert spread == pytest.approx(six_decks.variance, abs=1e-12)
    assert not six_decks.exact


def test_the_standard_deviation_of_six_decks(six_decks: Moments) -> None:
    """The yardstick simulates a variance of 1.332 (basic strategy, cut card), and so do books."""
    assert six_decks.standard_deviation == pytest.approx(1.154, abs=0.0005)


def test_blackjacks_win_as_often_as_they_are_dealt(six_decks: Moments) -> None:
    dealt = Fraction(2 * 24 * 96, 312 * 311)
    tied = dealt * Fraction(2 * 23 * 95, 310 * 309)
    assert six_decks.law[Fraction(3, 2)] == pytest.approx(float(dealt - tied), abs=1e-14)
    assert six_decks.chance(-8, 8) == pytest.approx(1)
    assert six_decks.chance(1.5, 1.5) == six_decks.law[Fraction(3, 2)]


def test_no_fixed_strategy_no_law() -> None:
    with pytest.raises(NotationError, match="Under CDP "):
        moments(solve(Rules(), convention="CDP"))


def test_even_odds_and_surrender_are_results() -> None:
    swings = moments(solve(Rules.parse("1D S17 LS SP1 1:1")))
    assert swings.exact
    assert set(swings.law) == {Fraction(-2), Fraction(-1), Fraction(-1, 2), Fraction(0), Fraction(1), Fraction(2)}


def test_swings_are_remembered_for_the_same_rules_shoe_and_play_only() -> None:
    solution, _ = solved("6D S17 SP2", NINES)
    rules, shoe = solution.rules, solution.shoe
    found = moments(solve(rules, shoe))
    assert moments(solve(rules, shoe)) is found
    others = [
        moments(solve(Rules.parse("6D H17 SP2"), shoe)),
        moments(solve(rules, solved("6D S17 SP2", SIXES)[0].shoe)),
        moments(evaluate(basic_strategy(Rules.parse("6D H17 LS")), rules, shoe)),
    ]
    assert not [each for each in others if each.variance == found.variance]
