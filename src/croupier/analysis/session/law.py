"""How a session ends: the law of the result after many rounds, from the law of one.

    after(law, 100)            exact, in whole numbers of deals, where that fits
    after(law, 1_000_000)      by the transform of the law, within 1e-10

Rounds are independent of each other: a fresh deck or shoe every time, the same stakes, meters that stand still.

The transform is taken of the differences from 1, so that its error does not grow with the rounds: what is left out
at both ends and all rounding together stay below 1e-10 of probability. Chances smaller than that are not known.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import log, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from croupier.analysis.estimates import PERCENTILES, Z
from croupier.analysis.session.rounds import RoundLaw
from croupier.errors import NotationError

Floats = NDArray[np.float64]
MOST_ROUNDS = 10**9
MOST_SESSIONS = 10**6
MOST_EXACT_BYTES, MOST_EXACT_STEPS = 50_000_000, 1_000_000
MOST_CELLS = 2**23
"""Different results that one transform can hold."""
LEFT_OUT = 1e-15
"""At each end of a transform."""
WITHIN = 1e-10
NOTHING = 1e-300
FEW_TERMS = 128
"""Up to here a transform is summed term by term, which is the more exact way."""
INVESTIGATION = Fraction(95, 100)
"""Of results that need no explanation: outside this interval a hold is investigated (COMAR 36.05.03.25)."""


@dataclass(frozen=True, eq=False)
class Results:
    """The law of a result: a chance for each step of money, from `low` upwards."""

    low: int
    """In steps."""
    chances: Floats
    step_cents: Fraction
    weights: tuple[int, ...] | None = None
    """In whole numbers, where the law is exact."""

    @property
    def exact(self) -> bool:
        return self.weights is not None

    @cached_property
    def _sums(self) -> Sequence[int] | Floats:
        return tuple(accumulate(self.weights)) if self.weights else self.chances.cumsum()

    @property
    def _all(self) -> int | float:
        return self._sums[-1]

    def below(self, steps: int) -> Fraction | float:
        """The chance of a result below so many steps."""
        place = min(steps - self.low, len(self.chances))
        part = self._sums[place - 1] if place > 0 else 0
        return Fraction(int(part), int(self._all)) if self.exact else min(1.0, float(part / self._all))

    @property
    def behind(self) -> Fraction | float:
        return self.below(0)

    @property
    def even(self) -> Fraction | float:
        return self.below(1) - self.below(0)

    @property
    def ahead(self) -> Fraction | float:
        return 1 - self.below(1)

    def percentile(self, percent: Fraction | float) -> Fraction:
        """The lowest result, in cents, that is not passed in so many of a hundred sessions."""
        wanted = Fraction(percent) * int(self._all) / 100 if self.exact else float(percent) / 100 * self._all
        place = min(bisect_left(self._sums, wanted), len(self.chances) - 1)
        return (self.low + place) * self.step_cents

    @cached_property
    def _moments(self) -> tuple[float, float]:
        steps = self.low + np.arange(len(self.chances))
        mean = float(steps @ self.chances)
        return mean, float((steps - mean) ** 2 @ self.chances)

    @property
    def mean_cents(self) -> float:
        return self._moments[0] * float(self.step_cents)

    @property
    def deviation_cents(self) -> float:
        return sqrt(max(0.0, self._moments[1])) * float(self.step_cents)


class Station(NamedTuple):
    """Where sessions stand after some of their rounds, in cents."""

    rounds: int
    mean_cents: float
    percentiles: dict[int, float]


def station(rounds: int, results: Results) -> Station:
    percentiles = {percent: float(results.percentile(percent)) for percent in PERCENTILES}
    return Station(rounds, results.mean_cents, percentiles)


def after(law: RoundLaw, rounds: int, *, exact: bool | None = None) -> Results:
    """The law of the result after so many rounds; exact where it fits, unless one of both is asked for."""
    check_rounds(rounds)
    if law.weights and (fits_exactly(law, rounds) if exact is None else exact):
        weights = power_of_weights(law.nets, law.weights, rounds)
        deals = sum(law.weights) ** rounds
        chances = np.array([weight / deals for weight in weights])
        return Results(rounds * law.nets[0], chances, law.step_cents, weights)
    return by_transform(np.array(law.nets), law.chances, rounds, law.step_cents)


def check_rounds(rounds: int) -> None:
    if not 1 <= rounds <= MOST_ROUNDS:
        raise NotationError(f"A session has from 1 to {MOST_ROUNDS:,} rounds, not {rounds:,}.")


# Whole numbers


def fits_exactly(law: RoundLaw, rounds: int) -> bool:
    """Whether the counts of all results of so many rounds can be held, and are quick to make."""
    cells = rounds * (law.nets[-1] - law.nets[0]) + 1
    bits = rounds * sum(law.weights or ()).bit_length()
    return cells * bits < 8 * MOST_EXACT_BYTES and cells * len(law.nets) < MOST_EXACT_STEPS


def power_of_weights(nets: Sequence[int], weights: Sequence[int], rounds: int) -> tuple[int, ...]:
    """How many ways lead to each result of so many rounds, from the lowest up.

    With P the polynomial of one round and Q = P**rounds, Q' P = rounds P' Q gives each coefficient from those below.
    """
    terms = [(net - nets[0], weight) for net, weight in zip(nets, weights, strict=True)]
    (_, first), others = terms[0], terms[1:]
    ways = [first**rounds]
    for place in range(1, rounds * terms[-1][0] + 1):
        total = 0
        for shift, weight in others:
            if shift > place:
                break
            total += (shift * (rounds + 1) - place) * weight * ways[place - shift]
        ways.append(total // (place * first))
    return tuple(ways)


# Transforms


def by_transform(nets: NDArray[np.int64], chances: Floats, times: int, step_cents: Fraction) -> Results:
    """So many independent results added up; only the range that matters is made."""
    low, high = window(nets, chances, times)
    cells = _cells(low, high)
    if cells > MOST_CELLS:
        raise NotationError(
            f"The results lie on {high - low + 1:,} different amounts, {float(step_cents) / 100:g} dollars apart, and "
            f"{MOST_CELLS // 2:,} are allowed: take fewer rounds, or stakes and meters in rounder amounts."
        )
    frequencies = np.arange(cells // 2 + 1)
    log_size, angle = _transform(nets, chances, cells, frequencies)
    angle = times * angle + 2 * np.pi / cells * (frequencies * (low % cells) % cells)
    inverse = np.fft.irfft(np.exp(times * log_size + 1j * angle), cells)[: high - low + 1]
    return Results(low, np.maximum(inverse, 0.0), step_cents)


def _cells(low: int, high: int) -> int:
    """A power of two with room for all results between these."""
    return 1 << (high - low + 1).bit_length()


def _transform(
    nets: NDArray[np.int64], chances: Floats, cells: int, frequencies: NDArray[np.int64]
) -> tuple[Floats, Floats]:
    """The transform of one result: the logarithm of its size, and its angle."""
    if len(nets) > FEW_TERMS:
        whole = np.fft.rfft(np.bincount(nets % cells, chances, minlength=cells))
        return np.log(np.maximum(np.abs(whole), NOTHING)), np.angle(whole)
    real, imaginary = np.zeros(len(frequencies)), np.zeros(len(frequencies))
    for net, chance in zip(nets.tolist(), chances.tolist(), strict=True):
        angle = 2 * np.pi / cells * (frequencies * (net % cells) % cells)
        real -= 2 * chance * np.sin(angle / 2) ** 2
        imaginary -= chance * np.sin(angle)
    # Near 1 its logarithm is taken of the difference from 1, so that all digits of that count.
    beyond = 2 * real + real**2 + imaginary**2
    small = np.maximum((1 + real) ** 2 + imaginary**2, NOTHING)
    log_square = np.where(beyond > -0.5, np.log1p(np.maximum(beyond, -0.5)), np.log(small))
    return 0.5 * log_square, np.arctan2(imaginary, 1 + real)


def window(nets: NDArray[np.int64], chances: Floats, times: int) -> tuple[int, int]:
    """Between these a sum of so many results lies, but for `LEFT_OUT` at each end (Chernoff's bound)."""
    mean = float(nets @ chances)
    centred = (nets - mean).astype(np.float64)
    above, below = _far(centred, chances, times), _far(-centred, chances, times)
    low = max(times * int(nets.min()), int(np.floor(times * mean - below)))
    return low, min(times * int(nets.max()), int(np.ceil(times * mean + above)))


def _far(centred: Floats, chances: Floats, times: int) -> float:
    """A distance above the mean that the sum passes with a chance below `LEFT_OUT`."""
    variance = float(centred**2 @ chances)
    if not variance:
        return 0.0
    usual = sqrt(-2 * log(LEFT_OUT) / (times * variance))
    return min((times * log_mean(tilt, centred, chances) - log(LEFT_OUT)) / tilt for tilt in tilts(usual))


def tilts(usual: float) -> list[float]:
    """Around the one that is best for a normal law: any of them gives a bound."""
    return [usual * float(factor) for factor in np.geomspace(1e-4, 10, 80)]


def log_mean(tilt: float, results: Floats, chances: Floats) -> float:
    """The logarithm of the mean of exp(tilt x result)."""
    highest = float(tilt * results.max())
    return highest + log(float(np.exp(tilt * results - highest) @ chances))


# The house


class HouseResult(NamedTuple):
    """What the house wins from many such sessions, in cents."""

    sessions: int
    mean_cents: float
    deviation_cents: float
    low_cents: float
    high_cents: float
    """Between both 95 % of all results lie."""
    basis: str


def house_from_rounds(law: RoundLaw, rounds: int, sessions: int) -> HouseResult:
    """From sessions that play all their rounds."""
    times = rounds * sessions
    mean, deviation = -times * float(law.mean_cents), sqrt(times) * law.deviation_cents
    return _house(np.array(law.nets), law.chances, times, law.step_cents, (sessions, mean, deviation))


def house_from_sessions(results: Results, sessions: int) -> HouseResult:
    """From sessions that end so, with their bankrolls."""
    mean, deviation = -sessions * results.mean_cents, sqrt(sessions) * results.deviation_cents
    kept = np.flatnonzero(results.chances)
    return _house(results.low + kept, results.chances[kept], sessions, results.step_cents, (sessions, mean, deviation))


def _house(
    nets: NDArray[np.int64], chances: Floats, times: int, step: Fraction, known: tuple[int, float, float]
) -> HouseResult:
    sessions, mean, deviation = known
    if _cells(*window(nets, chances, times)) > MOST_CELLS:
        reach = Z * deviation
        return HouseResult(sessions, mean, deviation, mean - reach, mean + reach, "normal approximation")
    tail, law = float(100 * (1 - INVESTIGATION) / 2), by_transform(nets, chances, times, step)
    return HouseResult(*known, -float(law.percentile(100 - tail)), -float(law.percentile(tail)), "by convolution")
