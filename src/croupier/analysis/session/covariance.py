"""How wagers move together, of one seat and of two: covariances from deals that are counted once for both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import sqrt
from typing import Any

from croupier.analysis.figures import Figures
from croupier.analysis.session.deals import Stake
from croupier.analysis.tables import Ints


@dataclass(frozen=True)
class Covariance:
    """Two wagers of one seat, or one wager at two seats, each per unit of its own first wager."""

    one: str
    other: str
    covariance: Fraction | float
    variances: tuple[float, float]

    @property
    def exact(self) -> bool:
        return isinstance(self.covariance, Fraction)

    @property
    def correlation(self) -> float:
        spread = sqrt(self.variances[0] * self.variances[1])
        return float(self.covariance) / spread if spread else 0.0

    @property
    def deviation(self) -> float:
        """The standard deviation of one unit on each."""
        return sqrt(max(0.0, sum(self.variances) + 2 * float(self.covariance)))

    def as_json(self) -> dict[str, Any]:
        return {
            "one": self.one,
            "other": self.other,
            "covariance": float(self.covariance),
            "covariance_exact": str(self.covariance) if self.exact else None,
            "correlation": self.correlation,
            "deviation_of_both": self.deviation,
        }


def covariance_of(one: Stake, other: Stake, counts: Ints) -> Covariance:
    """From how many deals end so for both: an axis for each wager, in the order of its outcomes."""
    deals = int(counts.sum())
    nets = [
        [stake.wager.prices(stake.paytable)[outcome].net for outcome in stake.wager.outcomes] for stake in (one, other)
    ]
    alone = [[int(number) for number in counts.sum(axis=axis)] for axis in (1, 0)]
    pairs = [list(zip(*both, strict=True)) for both in zip(nets, alone, strict=True)]
    means = [sum((net * n for net, n in pair), Fraction(0)) / deals for pair in pairs]
    squares = [sum((net * net * n for net, n in pair), Fraction(0)) / deals for pair in pairs]
    product = Fraction(0)
    for first, row in zip(nets[0], counts.tolist(), strict=True):
        product += first * sum((second * n for second, n in zip(nets[1], row, strict=True)), Fraction(0))
    variances = tuple(float(square - mean * mean) for square, mean in zip(squares, means, strict=True))
    return Covariance(
        one.wager.title, other.wager.title, product / deals - means[0] * means[1], (variances[0], variances[1])
    )


def pairs_of(stakes: Sequence[Stake]) -> Iterator[tuple[Stake, Stake]]:
    return combinations(stakes, 2)


AT_ANOTHER_SEAT = "the same at another seat"


def covariance_of_seats(stake: Stake, figures: Figures, product: Fraction) -> Covariance:
    """Of two seats that decide alike, from the mean of the product of what they win."""
    mean, variance = -figures.house_edge, figures.standard_deviation**2
    return Covariance(stake.wager.title, AT_ANOTHER_SEAT, product - mean * mean, (variance, variance))
