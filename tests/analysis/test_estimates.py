"""Intervals hold the truth as often as they say, and say where they know nothing."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest

from croupier.analysis.estimates import (
    FEW,
    PERCENTILES,
    largest_chance,
    mean_of,
    mean_share_of,
    percentile_of,
    places,
    rare_mean_of,
    share_of,
    skewed_mean,
    skewed_mean_of,
)

SIZES = (1, 2, 100, 368, 2_400, 1_000_000)


# How often they hold


def test_intervals_hold_the_truth_about_as_often_as_they_say() -> None:
    source = np.random.default_rng(1)
    caught = np.zeros(3)
    for _ in range(1_000):
        sample = source.exponential(size=400)
        triples = (
            (mean_of(sample), 1.0),
            (percentile_of(sample, 75), log(4)),
            (share_of(int((sample > 1).sum()), 400), exp(-1)),
        )
        for place, (estimate, truth) in enumerate(triples):
            assert estimate.low is not None
            assert estimate.high is not None
            caught[place] += estimate.low <= truth <= estimate.high
    assert (abs(caught / 1_000 - 0.95) < 0.03).all()


@pytest.mark.parametrize("size", [100, 200, 500])
@pytest.mark.parametrize("percentile", PERCENTILES)
def test_percentiles_of_few_observations_hold_too(size: int, percentile: int) -> None:
    """The 99th of 100 was caught in 55 of 100 cases where its upper end was the largest of the sample."""
    source, caught = np.random.default_rng(percentile), 0
    for _ in range(600):
        low, high = percentile_of(source.random(size), percentile)[1:]
        caught += (low is None or low <= percentile / 100) and (high is None or percentile / 100 <= high)
    assert caught / 600 > 0.93


# Against another implementation, which takes a second to load: only where these tests run


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("percentile", PERCENTILES)
def test_places_are_the_narrowest_that_are_sure_enough(size: int, percentile: int) -> None:
    from scipy.stats import binom

    share = percentile / 100
    low, high = places(size, share)
    assert binom.cdf(low - 1, size, share) <= 0.025 < binom.cdf(low, size, share)
    assert binom.sf(high - 1, size, share) <= 0.025 < binom.sf(high - 2, size, share)


@pytest.mark.parametrize("size", SIZES)
def test_shares_have_the_interval_of_clopper_and_pearson(size: int) -> None:
    from scipy.stats import beta

    for count in {0, 1, size // 3, size // 2, size - 1, size}:
        found = share_of(count, size)
        low = beta.ppf(0.025, count, size - count + 1) if count else 0
        high = beta.ppf(0.975, count + 1, size - count) if count < size else 1
        assert found == pytest.approx((count / size, low, high), rel=1e-9, abs=1e-12)


# What is not known


def test_a_percentile_beyond_the_sample_has_no_bound() -> None:
    sample = np.arange(1, 101)
    assert list(percentile_of(sample, 99)) == [99, 97, None]
    assert list(percentile_of(sample, 1)) == [1, None, 4]


def test_what_never_happened_may_still_happen() -> None:
    never, always = share_of(0, 100), share_of(100, 100)
    assert (never.value, never.low) == (0, 0)
    assert never.high == pytest.approx(1 - 0.025 ** (1 / 100))
    assert (always.value, always.high) == (1, 1)
    assert always.low == pytest.approx(0.025 ** (1 / 100))


def test_the_mean_of_what_was_never_seen_is_bounded_by_what_it_could_be() -> None:
    nothing = rare_mean_of(np.zeros(200), lambda chance: 50 * chance)
    assert list(nothing) == [0, 0, 50 * largest_chance(0, 200)]
    some = np.zeros(200)
    some[:FEW] = 1.0
    assert rare_mean_of(some, lambda chance: 50 * chance).high == 50 * largest_chance(FEW, 200)
    some[: 2 * FEW] = 1.0
    assert rare_mean_of(some, lambda chance: 50 * chance) == mean_of(some)


def test_shares_that_are_all_the_same_are_not_known_for_certain() -> None:
    assert mean_share_of(np.zeros(100)) == (0, 0, largest_chance(0, 100))
    assert mean_share_of(np.ones(100)) == (1, 1 - largest_chance(0, 100), 1)
    mixed = np.linspace(0.2, 0.4, 100)
    assert mean_share_of(mixed) == mean_of(mixed)


def test_a_mean_that_leans_has_an_interval_that_leans_too() -> None:
    """Of an award that six in a hundred get: an interval as long on both sides is too low far too often."""
    random = np.random.default_rng(3)
    low = high = plainly_low = 0
    for _ in range(1_000):
        values = (random.random(600) < 0.06) * random.exponential(1.0, 600)
        leaning, plain = skewed_mean_of(values), mean_of(values)
        assert leaning.value == plain.value
        low, high = low + (leaning.high < 0.06), high + (leaning.low > 0.06)  # type: ignore[operator]
        plainly_low += plain.high < 0.06  # type: ignore[operator]
    assert plainly_low > 50
    assert low < 45
    assert high < 45


def test_a_mean_without_a_lean_has_the_plain_interval() -> None:
    assert skewed_mean_of(np.array([1.0, 2.0, 3.0])) == pytest.approx(mean_of(np.array([1.0, 2.0, 3.0])))
    assert skewed_mean(2.0, 0.0, 0.0) == (2.0, 2.0, 2.0)
