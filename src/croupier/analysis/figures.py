"""What counts and pays come to: house edge, hit frequency, standard deviation, and the lines of a PAR sheet.

The counts may be exact (a census) or sampled (a tally): the figures are the same functions of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isqrt

from croupier.games.wager import Outcome, Price, Wager


@dataclass(frozen=True)
class Line:
    """One line of the paytable, or one ending that has no row of its own."""

    line: str
    pays: str
    net: Fraction
    combinations: int
    probability: Fraction

    @property
    def contribution(self) -> Fraction:
        """What the line adds to the player's expected result."""
        return self.net * self.probability


@dataclass(frozen=True, eq=False)
class Figures:
    """Every figure of one wager under one paytable."""

    wager: Wager
    counts: Mapping[Outcome, int]
    prices: Mapping[Outcome, Price]

    @cached_property
    def deals(self) -> int:
        return sum(self.counts.values())

    @cached_property
    def expected(self) -> Fraction:
        """The player's exact expected result per unit of the first wager."""
        return self._mean(lambda price: price.net)

    @property
    def house_edge(self) -> Fraction:
        return -self.expected

    @cached_property
    def staked(self) -> Fraction:
        """How many units are at stake on average, the wagers of decisions included."""
        return self._mean(lambda price: price.staked)

    @property
    def element_of_risk(self) -> Fraction:
        """The house edge per unit of all money at stake."""
        return self.house_edge / self.staked

    @cached_property
    def hit_frequency(self) -> Fraction:
        """How often the player wins something in all."""
        return self._mean(lambda price: int(price.net > 0))

    @cached_property
    def variance(self) -> Fraction:
        return self._mean(lambda price: price.net * price.net) - self.expected**2

    @property
    def standard_deviation(self) -> float:
        """Per unit of the first wager; correctly rounded from the exact variance."""
        return square_root(self.variance)

    def _mean(self, value: Callable[[Price], Fraction | int]) -> Fraction:
        return sum((Fraction(value(price)) * count for price, count in self._by_price), Fraction(0)) / self.deals

    @cached_property
    def _by_price(self) -> list[tuple[Price, int]]:
        """Counts by line: outcomes on one row of the paytable are added up."""
        gathered: dict[int, tuple[Price, int]] = {}
        for outcome, count in self.counts.items():
            price = self.prices[outcome]
            gathered[id(price)] = price, gathered.get(id(price), (price, 0))[1] + count
        return list(gathered.values())

    @property
    def results(self) -> list[tuple[Fraction, int]]:
        """Every result there is, per unit of the first wager, and how many deals end so."""
        return [(price.net, count) for price, count in self._by_price]

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """In the order of the paytable; outcomes that share a row are added up."""
        return tuple(
            Line(price.row, self._pays(price), price.net, count, Fraction(count, self.deals))
            for price, count in self._by_price
        )

    @property
    def endings(self) -> tuple[Line, ...]:
        """Every line by what it brings: where the stake hangs on the choices, a row of the paytable has several, of
        which those that never come are left out."""
        gathered: dict[tuple[str, Fraction], tuple[str, int]] = {}
        for price, count in self._by_price:
            pays, before = gathered.get((price.row, price.net), (self._pays(price), 0))
            gathered[price.row, price.net] = pays, before + count
        come = {row for (row, _), (_, count) in gathered.items() if count}
        return tuple(
            Line(row, pays, net, count, Fraction(count, self.deals))
            for (row, net), (pays, count) in gathered.items()
            if count or row not in come
        )

    def _pays(self, price: Price) -> str:
        if len(price.pays) == 1:
            return str(price.pays[0])
        return ", ".join(
            f"{spot.title} {pay}" for spot, pay in zip(self.wager.spots, price.pays, strict=True) if pay.staked
        )


def square_root(value: Fraction) -> float:
    """The square root to full float precision, taken in whole numbers."""
    digits = 40
    return float(Fraction(isqrt(value.numerator * 10 ** (2 * digits) // value.denominator), 10**digits))
