"""The planner's formulas against sums that are written out, and against the progressive's own mathematics."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import pytest

from croupier.analysis.estimates import PERCENTILES
from croupier.analysis.meter import formulas
from croupier.analysis.meter.plan import PlanLevel
from croupier.analysis.meter.rounds import pairs_in_a_round
from croupier.analysis.meter.settings import SPANS
from croupier.analysis.printing import percent
from croupier.games.meter import PPM, UNIT
from tests.analysis.meter.plans import often, plan

LEVEL = PlanLevel("", 24, 7, 0, Fraction(1, 9), Fraction(1, 9), Fraction(1, 9))


# The house


@pytest.mark.parametrize(
    ("paytable", "decks", "hold"), [("1", 6, "24.78 %"), ("2", 6, "23.59 %"), ("ML03", 8, "21.65 %")]
)
def test_hold_without_a_reserve_is_the_printed_one(paytable: str, decks: int, hold: str) -> None:
    made = plan(paytable=paytable, decks=decks, wager_dollars=7)
    assert formulas.hold_before_shortfalls(made) == made.progressive.hold(made.funding)
    assert percent(formulas.hold_before_shortfalls(made), 2) == hold


def test_the_reserve_comes_out_of_the_hold() -> None:
    without, with_ = plan(), plan(reserve_percent=1)
    assert formulas.hold_before_shortfalls(without) - formulas.hold_before_shortfalls(with_) == Fraction(1, 100)


def test_style_a_pays_nothing_but_contribution_reserve_and_seeds() -> None:
    made = plan(accounting="A", contribution_percent=70, reserve_percent=2)
    seeds = Fraction(2, 125_333) * 2_000
    assert formulas.hold_before_shortfalls(made) == 1 - Fraction(70, 100) - Fraction(2, 100) - seeds
    assert formulas.drift(made) == Fraction(70, 100) - made.progressive.fixed_return


# Means


@pytest.mark.parametrize("paytable", ["whole", "shares"])
def test_mean_at_a_hit_is_the_sum_over_all_cycles(paytable: str) -> None:
    """The recursion of the docstring, wager by wager, in floating point."""
    made = often(paytable, reserve_percent=3)
    [level] = made.levels
    hit, smaller = float(level.hit), float(level.worth - level.hit)
    mean, left, total = float(formulas.mean_restart_cents(level)), 1.0, 0.0
    for _ in range(200_000):
        mean += level.contribution_units / UNIT
        total += left * hit * mean
        left, mean = left * (1 - hit), mean * (1 - smaller / (1 - hit))
    assert total == pytest.approx(float(formulas.mean_at_hit_cents(level)), rel=1e-9)


def test_mean_at_a_hit_agrees_with_the_mean_meter() -> None:
    made = plan(paytable="2")
    mean = made.progressive.mean_meter(made.funding)
    assert mean is not None
    assert formulas.mean_at_hit_cents(made.levels[0]) == mean * made.wager_cents


def test_money_flows_out_as_it_flows_in() -> None:
    """Contribution, reserve and seeds are what awards take in the long run."""
    made = plan(paytable="ML03", reserve_percent=1)
    taken = sum(level.worth * formulas.mean_at_hit_cents(level) for level in made.levels)
    given = made.wager_cents * (Fraction(made.contribution_ppm + made.reserve_ppm, PPM) + formulas.reseeding(made))
    assert taken == given


# The period, which begins at the seeds


@pytest.mark.parametrize("paytable", ["whole", "shares"])
@pytest.mark.parametrize("reserve", [0, 3])
def test_means_of_a_period_are_those_of_the_recursion(paytable: str, reserve: int) -> None:
    made = often(paytable, reserve_percent=reserve)
    [level] = made.levels
    hit, worth, seed = float(level.hit), float(level.worth), level.seed_cents
    fed, kept = level.contribution_units / UNIT, level.reserve_units / UNIT
    meter, saved, meters, balances = seed + fed, kept, 0.0, 0.0
    for _ in range(made.period_wagers):
        meters, balances = meters + meter, balances + meter + saved
        meter, saved = meter * (1 - worth) + hit * (seed + saved) + fed, saved * (1 - hit) + kept
    mean = formulas.mean_in_period_cents(level, made.period_wagers)
    assert mean == pytest.approx(meters / made.period_wagers, rel=1e-9)
    assert formulas.mean_custody_in_period_cents(made) == pytest.approx(balances / made.period_wagers, rel=1e-9)


def test_a_rare_meter_has_not_grown_to_its_long_run_mean_in_a_year() -> None:
    mega, _, minor = plan(paytable="ML03").levels
    for level, least, most in ((mega, 0.7, 0.9), (minor, 0.98, 1.0)):
        year = formulas.mean_in_period_cents(level, plan(paytable="ML03").period_wagers)
        assert least < year / float(formulas.mean_at_hit_cents(level)) < most


@pytest.mark.parametrize("wagers", [1, 2, 5, 11])
def test_the_longest_stretch_is_that_of_all_histories(wagers: int) -> None:
    """Every history of so many wagers, written out; the meter is one cent a wager."""
    hit = Fraction(1, 5)
    level = PlanLevel("", UNIT, 0, 0, hit, hit, hit)
    law = [Fraction(0)] * (wagers + 1)
    above = [Fraction(0)] * (wagers + 2)
    for history in product((True, False), repeat=wagers):
        chance = hit ** sum(history) * (1 - hit) ** (wagers - sum(history))
        age, longest = 0, 0
        for won in history:
            age += 1
            longest = max(longest, age)
            above[age] += chance / wagers
            age = 0 if won else age
        law[longest] += chance
    for stretch in range(wagers + 1):
        assert formulas.longest_up_to(stretch, wagers, hit) == pytest.approx(float(sum(law[: stretch + 1])), abs=1e-12)
        expected = float(sum(above[max(1, stretch) :]))
        assert formulas.share_above_in_period(level, Fraction(stretch), wagers) == pytest.approx(expected, abs=1e-12)
    for percentile in (50, 95):
        enough = next(cents for cents in range(wagers + 1) if sum(law[: cents + 1]) >= Fraction(percentile, 100))
        assert formulas.highest_cents(level, wagers, percentile) == enough


@pytest.mark.parametrize(("often_", "wagers"), [(30, 400), (200, 1_000), (300, 200), (1_000, 50_000), (90, 1)])
def test_the_mean_of_the_highest_meter_is_the_sum_of_its_chances(often_: int, wagers: int) -> None:
    hit = Fraction(1, often_)
    level = PlanLevel("", UNIT, 0, 0, hit, hit, hit)
    expected = sum(1 - formulas.longest_up_to(stretch, wagers, hit) for stretch in range(wagers))
    assert formulas.mean_highest_cents(level, wagers) == pytest.approx(expected, rel=1e-5)


# Laws


def brute_growth(level: PlanLevel, units: int) -> float:
    """P(c N' + r N <= units), pair by pair."""
    hit, total = float(level.hit), 0.0
    for one in range(1, 60):
        for other in range(1, 60):
            if level.contribution_units * one + level.reserve_units * other <= units:
                total += hit * hit * (1 - hit) ** (one + other - 2)
    return total


@pytest.mark.parametrize(("contribution", "reserve"), [(24, 7), (7, 24), (24, 8), (5, 5), (24, 1), (3, 2)])
@pytest.mark.parametrize("units", [0, 4, 31, 62, 100, 140])
def test_growth_is_the_sum_over_all_pairs_of_cycles(contribution: int, reserve: int, units: int) -> None:
    units = min(units, 59 * min(contribution, reserve))
    level = replace(LEVEL, contribution_units=contribution, reserve_units=reserve)
    assert formulas.growth_up_to(level, units) == pytest.approx(brute_growth(level, units), abs=1e-12)


def test_growth_without_a_reserve_is_geometric() -> None:
    level = replace(LEVEL, reserve_units=0)
    assert formulas.growth_up_to(level, 23) == 0
    assert formulas.growth_up_to(level, 24 * 5 + 23) == pytest.approx(1 - (8 / 9) ** 5)
    assert formulas.growth_up_to(replace(level, contribution_units=0), 0) == 1


@pytest.mark.parametrize("settings", [{}, {"reserve_percent": 1}, {"contribution_percent": 1, "reserve_percent": 3}])
def test_percentiles_are_where_the_law_says(settings: dict[str, Any]) -> None:
    for level in plan(paytable="ML03", **settings).levels:
        for each in PERCENTILES:
            grown = (formulas.at_hit_cents(level, each) - level.seed_cents) * UNIT
            assert formulas.growth_up_to(level, int(grown)) == pytest.approx(each / 100, abs=3 * float(level.hit))


EDGES = [
    {"wager_dollars": dollars, "contribution_percent": contribution, "reserve_percent": reserve}
    for dollars in (str(float(SPANS["wager_dollars"].least)), SPANS["wager_dollars"].most)
    for contribution, reserve in ((24, 1), ("0.0001", "99.9999"), ("99.9999", "0.0001"), ("0.0001", "0.0001"), (50, 50))
]


@pytest.mark.parametrize("wager", ["blazing-7s-dealer", "blazing-7s-player"])
@pytest.mark.parametrize("settings", EDGES, ids=lambda settings: " ".join(map(str, settings.values())))
def test_percentiles_are_found_at_the_edges_of_what_a_plan_may_be(wager: str, settings: dict[str, Any]) -> None:
    """Beyond 2^53 units neighbouring doubles are more than a unit apart."""
    for level in plan(wager=wager, paytable="ML04", **settings).levels:
        if not level.contribution_units + level.reserve_units:  # of a single millionth of a cent one meter gets nothing
            assert formulas.at_hit_cents(level, 99) == level.seed_cents
            continue
        for each in (1, 50, 99):
            grown = (formulas.at_hit_cents(level, each) - level.seed_cents) * UNIT
            assert formulas.growth_up_to(level, int(grown)) == pytest.approx(each / 100, abs=2e-4)


def test_an_award_beyond_2_to_the_53_units_is_found() -> None:
    major = plan(wager="blazing-7s-player", paytable="ML04", wager_dollars=1000, reserve_percent=1).levels[0]
    grown = (formulas.at_hit_cents(major, 99) - major.seed_cents) * UNIT
    assert grown > 2**53
    assert formulas.growth_up_to(major, int(grown)) == pytest.approx(0.99, abs=1e-5)


def test_a_long_sum_is_the_same_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    level = replace(LEVEL, contribution_units=2_400_007, reserve_units=700_001)
    whole = formulas.growth_up_to(level, 10**8)
    monkeypatch.setattr(formulas, "AT_ONCE", 7)
    assert formulas.growth_up_to(level, 10**8) == pytest.approx(whole, rel=1e-12)


def test_half_of_all_cycles_end_before_the_median() -> None:
    wagers = formulas.wagers_to(0.5, Fraction(2, 125_333))
    assert (1 - Fraction(2, 125_333)) ** 3 == pytest.approx(1 - formulas.within(Fraction(3), Fraction(2, 125_333)))
    assert formulas.within(Fraction(wagers - 1), Fraction(2, 125_333)) < 0.5
    assert formulas.within(Fraction(wagers), Fraction(2, 125_333)) >= 0.5


def test_restart_without_a_reserve_is_the_seed() -> None:
    [level] = plan().levels
    assert formulas.mean_restart_cents(level) == formulas.restart_cents(level, 99) == 1_000_000


# Rounds


def test_two_suited_hits_with_one_up_card_by_hand() -> None:
    """Five sevens of one suit: the up card and two for each of two seats."""
    both = pairs_in_a_round(plan(seats=2), whole_only=True)
    cards = 312 * 311 * 310 * 309 * 308
    assert both.two_seats == both.a_round == Fraction(4 * 6 * 5 * 4 * 3 * 2, cards)
    assert both.independent == Fraction(2, 125_333) ** 2


def test_two_hits_of_any_three_sevens_by_hand() -> None:
    both = pairs_in_a_round(often("whole"), whole_only=True)
    assert both.two_seats == Fraction(24 * 23 * 22 * 21 * 20, 312 * 311 * 310 * 309 * 308)
    assert both.a_round == comb(7, 2) * both.two_seats


def test_two_seats_with_third_cards_of_their_own_by_hand() -> None:
    """Six sevens of one suit or three each of two, and no blackjack of the dealer in the 306 cards that are left."""
    both = pairs_in_a_round(plan(wager="blazing-7s-player"), whole_only=True)
    sevens = Fraction(4 * 6 * 5 * 4 * 3 * 2 * 1, 312 * 311 * 310 * 309 * 308 * 307)
    two_suits = Fraction(12 * (6 * 5 * 4) ** 2, 312 * 311 * 310 * 309 * 308 * 307)
    no_blackjack = 1 - Fraction(2 * 24 * 96, 306 * 305)
    assert both.two_seats == (sevens + two_suits) * no_blackjack


def test_rules_decide_which_third_cards_are_dealt() -> None:
    """SP1 NDAS stands against 2 to 6, where nothing but the up card has to be looked at; ENHC never looks below."""
    usual, no_hole = (
        pairs_in_a_round(plan(wager="blazing-7s-player", rules=each), whole_only=True)
        for each in ("S17 DAS SP4 3:2", "S17 DAS SP4 3:2 ENHC")
    )
    no_blackjack = 1 - Fraction(2 * 24 * 96, 306 * 305)
    assert usual.two_seats == no_hole.two_seats * no_blackjack
    stands = pairs_in_a_round(plan(wager="blazing-7s-player", rules="SP1 NDAS ENHC"), whole_only=True)
    assert stands.two_seats == no_hole.two_seats * (1 - Fraction(5 * 24, 306))
    looked = pairs_in_a_round(plan(wager="blazing-7s-player", rules="SP1 NDAS"), whole_only=True)
    assert looked.two_seats == no_hole.two_seats * (1 - Fraction(5 * 24, 306) - Fraction(2 * 24 * 96, 306 * 305))


def test_one_seat_never_collides() -> None:
    assert pairs_in_a_round(plan(seats=1), whole_only=False).a_round == 0
