"""The battery passes fair shuffles as often as it says, and fails the classic wrong ones."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Sequence
from math import factorial

import numpy as np
import pytest

from croupier.analysis import fairness
from croupier.analysis.fairness import TESTS, Orders, run_battery, sample_shuffles
from croupier.cards.shuffle import SeededSource, shuffled
from croupier.errors import Refusal

Shuffle = Callable[[random.Random], list[int]]
IN_ORDER = list(range(52))


def fair(seed: int, times: int) -> Orders:
    chance = np.random.default_rng(seed)
    return chance.permuted(np.tile(np.arange(52), (times, 1)), axis=1)


def names_of_failed(orders: Orders) -> set[str]:
    return {check.name for check in run_battery(orders).failed}


# Fair shuffles


def test_the_seeded_shuffle_passes() -> None:
    report = run_battery(sample_shuffles(SeededSource("battery"), 5_000))
    assert report.passed, str(report)
    assert "PASSED: nothing tells these shuffles from chance (5,000 shuffles, 12 tests, 99 % confidence)" in str(report)


def test_a_function_is_called_for_each_shuffle() -> None:
    source = SeededSource("battery")
    called = run_battery(lambda: shuffled(IN_ORDER, source), times=1_000)
    assert called == run_battery(sample_shuffles(SeededSource("battery"), 1_000))
    assert called.shuffles == 1_000


def test_p_values_of_fair_shuffles_are_uniform() -> None:
    """Every test's null distribution is right: over many samples its p-values spread evenly from 0 to 1."""
    from scipy.stats import kstest

    reports = [run_battery(fair(seed, 1_000)) for seed in range(200)]
    for number, name in enumerate(TESTS):
        p_values = [report.checks[number].p_value for report in reports]
        assert kstest(p_values, "uniform").pvalue > 0.01 / len(TESTS), name
    assert sum(not report.passed for report in reports) <= 6  # 2 are expected; 7 or more, once in 200 batteries


# Wrong shuffles


def swap_with_any_place(chance: random.Random) -> list[int]:
    order = IN_ORDER.copy()
    for i in range(52):
        j = chance.randrange(52)
        order[i], order[j] = order[j], order[i]
    return order


def sattolo(chance: random.Random) -> list[int]:
    """Fisher-Yates off by one: no card can stay where it was."""
    order = IN_ORDER.copy()
    for i in range(51, 0, -1):
        j = chance.randrange(i)
        order[i], order[j] = order[j], order[i]
    return order


def six_bits_modulo(chance: random.Random) -> list[int]:
    order = IN_ORDER.copy()
    for i in range(51, 0, -1):
        j = chance.getrandbits(6) % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def stops_early(chance: random.Random) -> list[int]:
    """Fisher-Yates that never places the last two cards."""
    order = IN_ORDER.copy()
    for i in range(51, 1, -1):
        j = chance.randrange(i + 1)
        order[i], order[j] = order[j], order[i]
    return order


def overhand(order: list[int], chance: random.Random) -> list[int]:
    """Packets of one to eight cards from the top, each laid on the last."""
    shuffled: list[int] = []
    while order:
        packet = chance.randint(1, 8)
        shuffled = order[:packet] + shuffled
        order = order[packet:]
    return shuffled


def overhand_of_a_new_deck(chance: random.Random) -> list[int]:
    order = IN_ORDER
    for _ in range(6):
        order = overhand(order, chance)
    return order


@pytest.mark.parametrize(
    "shuffle", [swap_with_any_place, sattolo, six_bits_modulo, stops_early, overhand_of_a_new_deck]
)
def test_a_wrong_shuffle_fails(shuffle: Shuffle) -> None:
    chance = random.Random(1)
    report = run_battery(lambda: shuffle(chance), times=6_000)
    assert not report.passed
    assert "FAILED" in str(report)


def test_an_overhand_shuffle_of_the_last_order_fails_for_what_it_leaves_together() -> None:
    chance, orders = random.Random(1), [IN_ORDER]
    for _ in range(2_000):
        orders.append(overhand(overhand(orders[-1], chance), chance))
    assert "adjacency: neighbors kept by the next shuffle" in names_of_failed(np.array(orders))


def test_a_stream_dealt_twice_fails() -> None:
    assert "frequency: moves from one shuffle to the next" in names_of_failed(np.repeat(fair(1, 1_000), 2, axis=0))


def test_orders_spread_too_evenly_fail() -> None:
    """One order cut at each place in turn: every card is at every place equally often, as chance never is."""
    order = fair(1, 1_000)[0]
    cuts = np.array([np.roll(order, turn) for turn in range(1_040)])
    assert "frequency: each card at each place" in names_of_failed(cuts)


FAULTS: dict[str, Callable[[list[int]], list[int]]] = {
    # Each keeps the deck whole and disturbs one thing that its test looks at.
    "runs: one color": lambda order: sorted(order[:12], key=lambda card: card % 4 in (1, 2)) + order[12:],
    "runs: one suit": lambda order: sorted(order[:12], key=lambda card: card % 4) + order[12:],
    "runs: one rank": lambda order: sorted(order[:26], key=lambda card: card // 4) + order[26:],
    "runs: rising": lambda order: sorted(order[:8]) + order[8:],
    "adjacency: cards left in deck order": lambda order: sorted(order[:20]) + order[20:],
    "adjacency: each card after each other": lambda order: sorted(order[:20]) + order[20:],
    "gap: between cards of a rank": lambda order: sorted(order[:26], key=lambda card: card // 4) + order[26:],
    "serial: ranks of two neighbors": lambda order: sorted(order, key=lambda card: card // 4),
    "serial: suits of two neighbors": lambda order: sorted(order, key=lambda card: card % 4),
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_test_finds_its_own_fault(name: str) -> None:
    disturbed = np.array([FAULTS[name](order) for order in fair(2, 2_000).tolist()])
    assert name in names_of_failed(disturbed)


# The exact counts and the correction, against brute force


def by_brute_force(cards: int, feature: Callable[[Sequence[int]], int]) -> list[int]:
    found = Counter(feature(order) for order in itertools.permutations(range(cards)))
    return [found[value] for value in range(max(found) + 1)]


def neighbours(order: Sequence[int], alike: Callable[[int, int], bool]) -> int:
    return sum(alike(a, b) for a, b in itertools.pairwise(order))


@pytest.mark.parametrize("groups", [2, 4])
def test_exact_counts_agree_with_all_orders_of_eight_cards(groups: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fairness, "CARDS", 8)
    same = fairness._same_neighbour_ways.__wrapped__(groups)
    assert list(same) == by_brute_force(8, lambda order: neighbours(order, lambda a, b: a % groups == b % groups))


def test_exact_successions_and_descents_agree_with_all_orders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fairness, "CARDS", 7)
    kept = fairness._succession_ways.__wrapped__()
    assert list(kept) == by_brute_force(7, lambda order: neighbours(order, lambda a, b: b == a + 1))
    falls = fairness._eulerian(7)
    assert list(falls) == by_brute_force(7, lambda order: neighbours(order, lambda a, b: b < a))


def test_exact_counts_of_a_deck_add_up_to_all_orders() -> None:
    counted = [fairness._succession_ways(), fairness._eulerian(52)]
    counted += [fairness._same_neighbour_ways(groups) for groups in (2, 4, 13)]
    assert {sum(ways) for ways in counted} == {factorial(52)}


@pytest.mark.parametrize("test", [fairness.places, fairness.followers])
def test_the_statistic_of_all_orders_together_is_zero(test: Callable[[Orders], fairness.ChiSquare]) -> None:
    every = np.array(list(itertools.permutations(range(5))))
    assert test(every).statistic == pytest.approx(0)


@pytest.mark.parametrize("test", [fairness.places, fairness.followers])
def test_the_mean_over_all_orders_is_the_freedom(test: Callable[[Orders], fairness.ChiSquare]) -> None:
    """Exactly, for one shuffle: so the covariance in the formula is the true one."""
    each = [test(np.array([order])) for order in itertools.permutations(range(5))]
    assert np.mean([result.statistic for result in each]) == pytest.approx(each[0].freedom)


def test_holm_corrects_each_p_value_for_the_tests_still_standing() -> None:
    assert fairness._holm([0.01, 0.04, 0.03, 0.5]) == pytest.approx([0.04, 0.09, 0.09, 0.5])
    assert fairness._holm([0.9, 0.8]) == [1.0, 1.0]


def test_rare_values_are_put_together_until_enough_are_expected() -> None:
    assert fairness._cell_starts(np.array([1.0, 3, 9, 20, 6, 2, 1])) == [0, 3, 4]


# Refusals


def test_a_row_that_is_no_shuffle_is_named() -> None:
    orders = fair(1, 1_000)
    orders[16, 0] = orders[16, 1]
    with pytest.raises(Refusal, match="Shuffle 17 does not hold each card from 0 to 51 exactly once"):
        run_battery(orders)
    with pytest.raises(Refusal, match="Shuffle 1 does not hold"):
        run_battery(fair(1, 1_000)[:, :51])


def test_too_few_shuffles_are_refused() -> None:
    with pytest.raises(Refusal, match="999 shuffles tell too little; give 1,000 or more"):
        run_battery(fair(1, 999))
    with pytest.raises(Refusal, match="0 shuffles"):
        run_battery(lambda: IN_ORDER, times=0)


@pytest.mark.parametrize("confidence", [0.0, 0.4, 1.0, 99.0])
def test_a_confidence_is_below_one(confidence: float) -> None:
    with pytest.raises(Refusal, match=f"The confidence {confidence} is not allowed"):
        run_battery(fair(1, 1_000), confidence=confidence)
