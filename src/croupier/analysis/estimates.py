"""What a sample says about the truth, with 95 % intervals that hold for few observations and for rare events too.

Where a sample cannot bound a figure on one side, that side is None: of 100 histories none need be as bad as the worst
in a hundred, so the 99th percentile may lie anywhere above.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cbrt, ceil, exp, floor, lgamma, log, log1p, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64] | NDArray[np.float64]
Z = 1.959963984540054
"""Of a 95 % interval."""
TAIL = 0.025
"""Outside of it at each side."""
PERCENTILES = (1, 5, 25, 50, 75, 95, 99)
"""Those that are shown of any law."""
FEW = 25
"""Up to so many observations that differ from all others, a mean has no bell-shaped spread."""
SLIGHT = 1e-9
"""A lean that changes nothing."""
_HALVINGS = 60
_DEVIATIONS = 12
"""Further from its mean than this a binomial number never is, but for a chance below 1e-30 or so."""


class Estimate(NamedTuple):
    """A figure and its 95 % interval; None where the sample gives no bound."""

    value: float
    low: float | None
    high: float | None


# Means


def mean_of(values: Numbers) -> Estimate:
    """The mean, with an interval from the spread of the sample."""
    mean = float(values.mean())
    half = Z * float(values.std(ddof=1)) / sqrt(len(values))
    return Estimate(mean, mean - half, mean + half)


def skewed_mean(mean: float, variance: float, third: float) -> Estimate:
    """A mean whose sample leans to one side, as one of many zeros and a few large numbers does; given the variance and
    the third central moment of that mean. P. Hall's cubic transformation (J. R. Statist. Soc. B 54, 1992) straightens
    it: an interval that is as long on both sides misses the truth above it too often."""
    if not variance:
        return Estimate(mean, mean, mean)
    deviation = sqrt(variance)
    lean = third / variance**1.5
    if abs(lean) < SLIGHT:
        return Estimate(mean, mean - Z * deviation, mean + Z * deviation)
    low, high = ((3 / lean) * (cbrt(1 + lean * (side - lean / 6)) - 1) for side in (Z, -Z))
    return Estimate(mean, mean - deviation * low, mean - deviation * high)


def skewed_mean_of(values: Numbers) -> Estimate:
    """The mean of a sample that leans to one side."""
    size, mean = len(values), float(values.mean())
    third = float(((values - mean) ** 3).mean())
    return skewed_mean(mean, float(values.var(ddof=1)) / size, third / size**2)


def rare_mean_of(values: Numbers, most: Callable[[float], float]) -> Estimate:
    """The mean of what is mostly zero and never below; `most` says how large it can be if so small a share is not."""
    plain, there = mean_of(values), int(np.count_nonzero(values))
    if there > FEW:
        return plain._replace(low=max(0.0, plain.low or 0.0))
    return Estimate(plain.value, 0.0, max(plain.value, most(largest_chance(there, len(values)))))


def mean_share_of(values: Numbers) -> Estimate:
    """The mean of shares from 0 to 1, of which many may be exactly 0 or 1."""
    size, plain = len(values), mean_of(values)
    above, below = int(np.count_nonzero(values > 0)), int(np.count_nonzero(values < 1))
    low, high = max(0.0, plain.low or 0.0), min(1.0, plain.high or 0.0)
    if above <= FEW:
        low, high = 0.0, largest_chance(above, size)
    if below <= FEW:
        low, high = 1 - largest_chance(below, size), 1.0
    return Estimate(plain.value, low, high)


# Percentiles


def percentile_of(values: Numbers, percentile: float) -> Estimate:
    """A percentile, between the two values of the sample that hold the true one with 95 % confidence, whatever the law.

    How many of the sample lie at or below the true percentile is a binomial number.
    """
    size, share = len(values), percentile / 100
    ordered = np.sort(values)
    low, high = places(size, share)
    return Estimate(
        float(ordered[max(0, ceil(size * share) - 1)]),
        float(ordered[low - 1]) if low else None,
        float(ordered[high - 1]) if high <= size else None,
    )


def places(size: int, share: float) -> tuple[int, int]:
    """Which of the ordered sample bound a percentile, from 1 on: 0 and size + 1 where none does."""
    first, chances = _binomial(size, share)
    sums = chances.cumsum()
    # As many as `low - 1` or fewer, and `high` or more, are too unlikely.
    low = first + int(np.searchsorted(sums, TAIL, side="right"))
    from_above = chances[::-1].cumsum()
    high = first + len(chances) - int(np.searchsorted(from_above, TAIL, side="right"))
    return low, high


# Shares


def share_of(count: int, size: int) -> Estimate:
    """How often something happened, with the exact interval (Clopper and Pearson), which bounds 0 and 1 too."""
    return Estimate(count / size, 1 - largest_chance(size - count, size), largest_chance(count, size))


def largest_chance(count: int, size: int) -> float:
    """The largest chance of something that happened only so often in so many cases."""
    if count == size:
        return 1.0
    if not count:
        return -float(np.expm1(log(TAIL) / size))
    low, high = count / size, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if _at_most(count, size, middle) < TAIL else (middle, high)
    return high


def _at_most(count: int, size: int, share: float) -> float:
    first, chances = _binomial(size, share)
    return float(chances[: max(0, count - first + 1)].sum())


def _binomial(size: int, share: float) -> tuple[int, NDArray[np.float64]]:
    """The chances of a binomial number, from the first that matters on."""
    if not 0 < share < 1:
        return (size if share else 0), np.ones(1)
    reach = _DEVIATIONS * (sqrt(size * share * (1 - share)) + _DEVIATIONS)
    first, last = max(0, floor(size * share - reach)), min(size, ceil(size * share + reach))
    numbers = np.arange(first, last, dtype=np.float64)
    ratios = np.log((size - numbers) / (numbers + 1)) + (log(share) - log1p(-share))
    mode = min(last, int((size + 1) * share))
    logs = np.concatenate(([0.0], ratios.cumsum()))
    return first, np.exp(logs - logs[mode - first]) * exp(_log_chance(mode, size, share))


def _log_chance(count: int, size: int, share: float) -> float:
    ways = lgamma(size + 1) - lgamma(count + 1) - lgamma(size - count + 1)
    return ways + count * log(share) + (size - count) * log1p(-share)
