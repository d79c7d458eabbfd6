"""Sessions against brute force: sums of rounds in fractions, literal random walks, closed formulas, and the census."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import comb, prod, sqrt

import numpy as np
import pytest

from croupier.analysis.census import take_census
from croupier.analysis.estimates import Z
from croupier.analysis.session import bankroll as session_bankroll
from croupier.analysis.session.bankroll import Purse, walk
from croupier.analysis.session.deals import Stake, count_together
from croupier.analysis.session.law import (
    after,
    by_transform,
    fits_exactly,
    house_from_rounds,
    house_from_sessions,
    power_of_weights,
    window,
)
from croupier.analysis.session.rounds import RoundLaw, law_of_chances, law_of_counts, law_of_figures, make_law
from croupier.analysis.sheet import make_sheet
from croupier.cards.card import DECK, Hand, Rank
from croupier.cards.symmetry import Sees, classes
from croupier.errors import NotationError
from croupier.games.catalogue import GAMES
from croupier.games.head_to_head.game import Game

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
ALL_WAGERS = [(game.key, wager.key) for game in GAMES.values() for wager in game.wagers]
TOLERANCE = 1e-10


def first_stakes(game: Game, *cents: int) -> list[Stake]:
    amounts = cents or (100,) * len(game.wagers)
    wagers = game.wagers[: len(amounts)]
    return [
        Stake(wager, next(iter(wager.paytables.values())), each) for wager, each in zip(wagers, amounts, strict=True)
    ]


def law_of(game_key: str, wager_key: str, cents: int = 100) -> RoundLaw:
    game = GAMES[game_key]
    wager = game.wager(wager_key)
    name, paytable = next(iter(wager.paytables.items()))
    return law_of_figures(make_sheet(game, wager, name, paytable).figures, cents)


def tiny(results: dict[int, int], *, first: int = 1, most: int = 1) -> RoundLaw:
    return make_law(
        {Fraction(net): weight for net, weight in results.items()},
        first_cents=first,
        most_cents=Fraction(most),
        exact=True,
    )


def brute_force(law: RoundLaw, rounds: int) -> dict[int, Fraction]:
    """Every sequence of rounds, one by one."""
    assert law.weights
    deals = sum(law.weights)
    found: defaultdict[int, Fraction] = defaultdict(Fraction)
    for sequence in product(list(zip(law.nets, law.weights, strict=True)), repeat=rounds):
        found[sum(net for net, _ in sequence)] += Fraction(prod(weight for _, weight in sequence), deals**rounds)
    return found


# One round


@pytest.mark.parametrize(("game", "wager"), ALL_WAGERS)
def test_one_round_has_the_figures_of_its_sheet(game: str, wager: str) -> None:
    each = GAMES[game].wager(wager)
    name, paytable = next(iter(each.paytables.items()))
    figures = make_sheet(GAMES[game], each, name, paytable).figures
    law = law_of_figures(figures, 250)
    assert law.mean_cents == 250 * figures.expected
    assert law.variance == 250**2 * figures.variance
    assert law.chances.sum() == pytest.approx(1, abs=1e-15)


def test_the_grid_is_as_wide_as_the_results_allow() -> None:
    assert law_of("three-card-baccarat", "bet", 100).step_cents == 5
    assert law_of("triple-shot-rummy", "ante-play", 2500).step_cents == 2500
    assert tiny({-6: 1, 10: 1}).step_cents == 2


def test_a_round_that_changes_nothing_has_a_grid_too() -> None:
    law = tiny({0: 7})
    results = after(law, 5)
    assert (results.behind, results.even, results.ahead) == (0, 1, 0)
    assert law.rounds_to_even is None


def test_n_zero_is_where_one_deviation_is_the_expected_loss() -> None:
    law = law_of("supreme-99", "bet")
    rounds = law.rounds_to_even
    assert rounds
    assert sqrt(rounds) * law.deviation_cents == pytest.approx(-rounds * float(law.mean_cents))


# Wagers on the same cards


@every_game
def test_wagers_together_have_the_census_of_each(game: Game) -> None:
    stakes = first_stakes(game)
    counts = count_together(game, stakes)
    cards, size = 4 * len(game.ranks), game.packet_cards
    deals = comb(cards, size) * comb(cards - size, size)
    assert counts.sum() == deals
    for axis, stake in enumerate(stakes):
        own = counts.sum(axis=tuple(place for place in range(counts.ndim) if place != axis)).tolist()
        census = take_census(game, stake.wager).outcome_counts("optimal", stake.wager.prices(stake.paytable))
        alone = sum(census.values())
        assert [count * alone for count in own] == [count * deals for count in census.values()]


@pytest.mark.parametrize(("key", "ranks"), [("triple-shot-rummy", 5), ("three-card-baccarat", 5), ("supreme-99", 3)])
def test_wagers_together_against_every_deal_of_a_small_deck(key: str, ranks: int) -> None:
    """One seat's hand of each class against each dealer's hand, asked one by one; five ranks have flushes."""
    game = replace(GAMES[key], ranks=tuple(Rank)[-ranks:])
    stakes = first_stakes(game)
    census = {stake.wager.key: take_census(game, stake.wager) for stake in stakes}
    expected = np.zeros([len(stake.wager.outcomes) for stake in stakes], dtype=np.int64)
    deck = [card for card in DECK if card.rank in game.ranks]
    for hand, weight in classes(game.packet_cards, Sees.SUITS, game.ranks):
        choices = {}
        for stake in stakes:
            if stake.wager.choices:
                found = census[stake.wager.key]
                place = found.choices("optimal", stake.wager.prices(stake.paytable))[found.place_of(hand)]
                choices[stake.wager.key] = stake.wager.choices[int(place)]
        for dealer in combinations([card for card in deck if card not in hand], game.packet_cards):
            expected[_ends(stakes, hand, dealer, choices)] += weight
    assert (count_together(game, stakes) == expected).all()


def _ends(stakes: list[Stake], hand: Hand, dealer: Hand, choices: dict[str, str]) -> tuple[int, ...]:
    return tuple(
        stake.wager.outcomes.index(stake.wager.outcome(hand, dealer, choices.get(stake.wager.key))) for stake in stakes
    )


@every_game
def test_wagers_together_expect_the_sum_of_each(game: Game) -> None:
    stakes = first_stakes(game, 2500, 500)
    law = law_of_counts(stakes, count_together(game, stakes))
    alone = [law_of(game.key, stake.wager.key, stake.cents) for stake in stakes]
    assert law.mean_cents == sum(each.mean_cents for each in alone)
    assert law.first_cents == 3000
    assert law.most_cents == sum(each.most_cents for each in alone)
    # They are on the same cards, so their variances do not add up.
    assert law.variance != sum(each.variance for each in alone)


# Many rounds


@pytest.mark.parametrize("rounds", [1, 2, 3])
@pytest.mark.parametrize(("game", "wager"), ALL_WAGERS)
def test_a_few_rounds_against_brute_force(game: str, wager: str, rounds: int) -> None:
    law = law_of(game, wager)
    if len(law.nets) ** rounds > 10_000:
        pytest.skip("too many sequences")
    results = after(law, rounds, exact=True)
    assert results.weights
    total = sum(results.weights)
    found = {results.low + place: Fraction(weight, total) for place, weight in enumerate(results.weights) if weight}
    expected = brute_force(law, rounds)
    assert found == expected
    assert results.ahead == sum(chance for net, chance in expected.items() if net > 0)
    assert results.even == expected.get(0, 0)
    assert results.behind == sum(chance for net, chance in expected.items() if net < 0)


def test_powers_of_weights_are_those_of_the_polynomial() -> None:
    assert power_of_weights((-1, 1), (1, 1), 6) == (1, 0, 6, 0, 15, 0, 20, 0, 15, 0, 6, 0, 1)
    assert power_of_weights((-1, 0, 2), (3, 5, 7), 2) == (9, 30, 25, 42, 70, 0, 49)


@pytest.mark.parametrize(("game", "wager"), ALL_WAGERS)
def test_the_transform_agrees_with_whole_numbers(game: str, wager: str) -> None:
    law = law_of(game, wager)
    rounds = next(many for many in (400, 100, 20, 5) if fits_exactly(law, many))
    exact, near = after(law, rounds, exact=True), after(law, rounds, exact=False)
    assert exact.exact
    assert not near.exact
    first = near.low - exact.low
    assert np.abs(exact.chances[first : first + len(near.chances)] - near.chances).max() < 1e-14
    assert np.abs(exact.chances.cumsum()[first : first + len(near.chances)] - near.chances.cumsum()).max() < TOLERANCE
    assert exact.chances[:first].sum() + exact.chances[first + len(near.chances) :].sum() < 2e-15
    for percent in (1, 5, 25, 50, 75, 95, 99):
        assert exact.percentile(percent) == near.percentile(percent)


@pytest.mark.parametrize("rounds", [1, 7, 1_000, 1_000_000])
@pytest.mark.parametrize(("game", "wager"), [("supreme-99", "bet"), ("triple-shot-rummy", "6-card-bonus")])
def test_moments_are_those_of_one_round_times_the_rounds(game: str, wager: str, rounds: int) -> None:
    law = law_of(game, wager)
    results = by_transform(np.array(law.nets), law.chances, rounds, law.step_cents)
    assert results.chances.sum() == pytest.approx(1, abs=1e-10)
    assert results.mean_cents == pytest.approx(rounds * float(law.mean_cents), rel=1e-8, abs=1e-8)
    assert results.deviation_cents == pytest.approx(sqrt(rounds) * law.deviation_cents, rel=1e-7)


def test_moments_of_whole_numbers_are_exact() -> None:
    law = law_of("triple-shot-rummy", "ante-play")
    results = after(law, 50)
    assert results.weights
    total = sum(results.weights)
    steps = [results.low + place for place in range(len(results.weights))]
    mean = sum(Fraction(step * weight, total) for step, weight in zip(steps, results.weights, strict=True))
    square = sum(Fraction(step**2 * weight, total) for step, weight in zip(steps, results.weights, strict=True))
    assert mean * law.step_cents == 50 * law.mean_cents
    assert (square - mean**2) * law.step_cents**2 == 50 * law.variance


def test_a_window_leaves_out_next_to_nothing() -> None:
    law = law_of("triple-shot-rummy", "ante-play")
    results = after(law, 200, exact=True)
    low, high = window(np.array(law.nets), law.chances, 200)
    assert results.below(low) < 1e-15
    assert 1 - results.below(high + 1) < 1e-15
    assert high - low < len(results.chances) / 3


def test_percentiles_are_the_lowest_results_not_passed_so_often() -> None:
    results = after(tiny({-1: 1, 1: 1}), 2)  # -2, 0, 0, 2
    assert [results.percentile(percent) for percent in (1, 25, 26, 75, 76, 100)] == [-2, -2, 0, 0, 2, 2]


def test_a_coin_by_its_transform() -> None:
    """Its transform has zeros, of which there is no logarithm."""
    for rounds in (1, 2, 9):
        results = by_transform(np.array([-1, 1]), np.array([0.5, 0.5]), rounds, Fraction(1))
        assert results.chances == pytest.approx(after(tiny({-1: 1, 1: 1}), rounds).chances, abs=1e-15)


def test_chances_need_not_be_counted() -> None:
    law = law_of_chances({Fraction(-2): 0.1, Fraction(-1): 0.4, Fraction(1): 0.3, Fraction(3, 2): 0.2}, 1000)
    assert law.step_cents == 500
    assert law.most_cents == 2000
    assert float(law.mean_cents) == pytest.approx(0)
    assert float(after(law, 1).ahead) == pytest.approx(0.5)


# A bankroll


def literal_walk(law: RoundLaw, purse: Purse, rounds: int) -> tuple[dict[Fraction, Fraction], Fraction, Fraction]:
    """Every sequence of rounds, stopped where the purse says so: final money, ruin and goal."""
    assert law.weights
    deals = sum(law.weights)
    chances = [
        (net * law.step_cents, Fraction(weight, deals)) for net, weight in zip(law.nets, law.weights, strict=True)
    ]
    ends: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
    ruin = goal = Fraction(0)

    def play(money: Fraction, left: int, chance: Fraction) -> None:
        nonlocal ruin, goal
        broke = money < purse.needed_cents
        there = purse.goal_cents is not None and money >= purse.goal_cents
        ruin, goal = ruin + broke * chance, goal + there * chance
        if broke or there or not left:
            ends[money - purse.bankroll_cents] += chance
            return
        for net, part in chances:
            play(money + net, left - 1, chance * part)

    play(Fraction(purse.bankroll_cents), rounds, Fraction(1))
    return ends, ruin, goal


@pytest.mark.parametrize("rounds", [1, 2, 4, 6])
@pytest.mark.parametrize("goal", [None, 6, 9])
@pytest.mark.parametrize("needed", [1, 2])
def test_a_bankroll_against_a_literal_walk(rounds: int, goal: int | None, needed: int) -> None:
    law = tiny({-2: 3, -1: 5, 0: 1, 1: 6, 4: 1}, most=2)
    purse = Purse(4, Fraction(needed), goal)
    ends, ruin, won = literal_walk(law, purse, rounds)
    sitting = walk(law, purse, rounds, marks=[rounds])
    assert sitting.ruin == pytest.approx(float(ruin), abs=1e-14)
    assert sitting.goal == pytest.approx(float(won), abs=1e-14)
    results = sitting.results
    for place, chance in enumerate(results.chances.tolist()):
        assert chance == pytest.approx(float(ends.get((results.low + place) * law.step_cents, 0)), abs=1e-14)
    assert sitting.stations[-1].percentiles[50] == results.percentile(50)


def test_a_fair_coin_against_the_reflection_principle() -> None:
    """The lowest point of a fair walk: P(min <= -b) = P(end <= -b) + P(end < -b)."""
    coin, rounds, bankroll = tiny({-1: 1, 1: 1}), 500, 20
    ends = after(coin, rounds)
    expected = float(ends.below(-bankroll + 1) + ends.below(-bankroll))
    assert walk(coin, Purse(bankroll, Fraction(1)), rounds).ruin == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("bankroll", "goal"), [(1, 2), (5, 20), (30, 40)])
def test_a_fair_coin_against_the_gamblers_ruin(bankroll: int, goal: int) -> None:
    sitting = walk(tiny({-1: 1, 1: 1}), Purse(bankroll, Fraction(1), goal), 40_000)
    assert sitting.ruin == pytest.approx(1 - bankroll / goal, abs=1e-9)
    assert sitting.goal == pytest.approx(bankroll / goal, abs=1e-9)
    assert sitting.rounds_played == pytest.approx(bankroll * (goal - bankroll), rel=1e-6)


def test_an_unfair_coin_against_the_gamblers_ruin() -> None:
    sitting = walk(tiny({-1: 10, 1: 9}), Purse(10, Fraction(1), 25), 20_000)
    odds = 10 / 9
    assert sitting.goal == pytest.approx((odds**10 - 1) / (odds**25 - 1), rel=1e-9)


@pytest.mark.parametrize("goal", [None, 40_000])
def test_what_is_lost_is_the_edge_of_the_rounds_played(goal: int | None) -> None:
    """Wald's identity: stopping early changes nothing about the edge."""
    law = law_of("triple-shot-rummy", "ante-play", 1000)
    sitting = walk(law, Purse(20_000, law.most_cents, goal), 300)
    assert sitting.results.mean_cents == pytest.approx(sitting.rounds_played * float(law.mean_cents), rel=1e-9)
    assert sitting.results.chances.sum() == pytest.approx(1, abs=1e-12)


def test_a_large_bankroll_changes_nothing() -> None:
    law = law_of("supreme-99", "bet")
    results, sitting = after(law, 60), walk(law, Purse(100_000, law.most_cents), 60)
    assert sitting.ruin == 0
    assert sitting.rounds_played == 60
    assert float(results.ahead) == pytest.approx(float(sitting.results.ahead), abs=1e-13)


def test_nobody_bets_what_he_does_not_have() -> None:
    """With all that a round may take in hand, no session ends below zero."""
    law = law_of("triple-shot-rummy", "ante-play", 1000)
    for needed, lowest in ((law.most_cents, 0), (Fraction(law.first_cents), -1000)):
        results = walk(law, Purse(5_000, needed), 200).results
        there = np.flatnonzero(results.chances)[0]
        assert 5_000 + (results.low + int(there)) * law.step_cents == lowest


@pytest.mark.parametrize(
    ("bankroll", "goal", "word"), [(999, None, "below what one round needs"), (5_000, 5_000, "above the bankroll")]
)
def test_a_purse_that_makes_no_sense_is_refused(bankroll: int, goal: int | None, word: str) -> None:
    with pytest.raises(NotationError, match=word):
        Purse(bankroll, Fraction(1_000), goal)


def test_too_many_steps_are_refused_with_what_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_bankroll, "MOST_WORK", 10**6)
    with pytest.raises(NotationError, match=r"at most [0-9,]+ rounds"):
        walk(tiny({-1: 1, 1: 1}), Purse(50, Fraction(1)), 100_000)


# The house


def test_the_house_wins_what_players_lose() -> None:
    law = law_of("three-card-baccarat", "bet", 2500)
    house = house_from_rounds(law, 200, 50)
    assert house.mean_cents == pytest.approx(-10_000 * float(law.mean_cents))
    assert house.deviation_cents == pytest.approx(100 * law.deviation_cents)
    reach = Z * house.deviation_cents
    assert house.low_cents == pytest.approx(house.mean_cents - reach, abs=0.01 * reach)
    assert house.high_cents == pytest.approx(house.mean_cents + reach, abs=0.01 * reach)


def test_the_interval_holds_95_percent() -> None:
    law = law_of("triple-shot-rummy", "ante-play")
    house, results = house_from_rounds(law, 10, 20), after(law, 200)
    low, high = (int(-cents / law.step_cents) for cents in (house.high_cents, house.low_cents))
    assert results.below(low) <= Fraction(25, 1000) <= results.below(low + 1)
    assert results.below(high) <= Fraction(975, 1000) <= results.below(high + 1)


def test_sessions_without_an_early_end_are_rounds() -> None:
    law = law_of("supreme-99", "bet")
    by_rounds = house_from_rounds(law, 40, 25)
    by_sessions = house_from_sessions(walk(law, Purse(100_000, law.most_cents), 40).results, 25)
    assert by_sessions.low_cents == by_rounds.low_cents
    assert by_sessions.high_cents == by_rounds.high_cents
    assert by_sessions.mean_cents == pytest.approx(by_rounds.mean_cents)


def test_results_on_too_many_amounts_are_refused() -> None:
    law = tiny({-1_000_000: 1, 999_983: 1})
    with pytest.raises(NotationError, match="different amounts"):
        after(law, 10_000, exact=False)
    assert house_from_rounds(law, 100, 100).basis == "normal approximation"


@pytest.mark.parametrize("rounds", [0, -1, 10**9 + 1])
def test_rounds_out_of_range_are_refused(rounds: int) -> None:
    with pytest.raises(NotationError, match="from 1 to 1,000,000,000 rounds"):
        after(tiny({-1: 1, 1: 1}), rounds)
