"""How far a hold strays from its edge, by rounds: what a house expects to see, and when it should ask why.

    swings = swings_of(sheet.figures)
    swings.hold(10**6, 0.95)          the hold of a million rounds, in 95 of 100 such runs

Moments are taken from every result of a round. The interval of a hold is that of the normal law, as the trade prints
it; where so few rounds are too lopsided for that law, it says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt
from statistics import NormalDist
from typing import Any, NamedTuple

from croupier.analysis.figures import Figures, square_root
from croupier.analysis.par.print import FigureInPrint, TableInPrint, net_result, one_in
from croupier.analysis.printing import percent

LEVELS = (Fraction(90, 100), Fraction(95, 100), Fraction(99, 100))
ROUNDS = tuple(10**power for power in range(3, 9))
INDEX_LEVEL = Fraction(90, 100)
"""Of the volatility index: its usual factor is 1.645."""
ROUGH = 0.01
"""A tail that the first term of Edgeworth moves by more than this is not told by the normal law."""
MARK = " *"
NORMAL = "The hold lies within these bounds in so many of a hundred runs of such a length, by the normal law."
SAMPLED = "Their middle is the counted house edge, their width comes from the sampled deviation."
TOO_FEW = (
    "* So few rounds of this wager are too lopsided for the normal law: one tail is off by more than one in a hundred. "
    "`croupier session` counts such runs exactly."
)
SWINGS_DEFINED = (
    (
        "Volatility index",
        "1.645 standard deviations: divided by the square root of the number of rounds, it is how far the hold of nine "
        "runs in ten lies from the house edge at most.",
    ),
    (
        "Skewness, kurtosis",
        "The third and fourth moments of one round's net result in standard deviations; of the kurtosis the 3 of the "
        "normal law is taken off. High ones mean rare large awards.",
    ),
    (
        "Largest award",
        "The highest net result of one round per unit of the first wager, and how often it comes. Exposure is "
        "that award at every seat at once: a bound, whether or not the cards allow it.",
    ),
)


class Known(NamedTuple):
    """What is known of a round whose results are sampled, and does not come from the sample."""

    mean: Fraction
    """Of the player's net result, counted."""
    most: Fraction
    """No round wins more, by the rules."""
    rounds: int
    """So many were sampled."""
    words: str
    """What is sampled, and how close it is, in a sentence."""

    def chance_within(self, chance: Fraction, level: Fraction) -> tuple[float, float]:
        """In which the true chance of a line lies that was sampled so often (Wilson's interval)."""
        reach, seen = factor(level) ** 2 / self.rounds, float(chance)
        middle, half = seen + reach / 2, sqrt(reach * seen * (1 - seen) + reach**2 / 4)
        return (middle - half) / (1 + reach), (middle + half) / (1 + reach)


@dataclass(frozen=True)
class Swings:
    """The results of one round of a wager, per unit of the first wager."""

    law: Mapping[Fraction, Fraction]
    """Each net result of the player, and its probability."""
    seats: int
    known: Known | None = None
    """Where the law is sampled."""

    @property
    def mean(self) -> Fraction:
        return self.known.mean if self.known else self._own_mean

    @cached_property
    def _own_mean(self) -> Fraction:
        """Of the law: the sample's, where it is sampled."""
        return self._moment(Fraction(0), 1)

    @cached_property
    def variance(self) -> Fraction:
        return self._moment(self._own_mean, 2)

    @property
    def deviation(self) -> float:
        return square_root(self.variance)

    @cached_property
    def skewness(self) -> float:
        """0 where nothing varies."""
        return float(self._moment(self._own_mean, 3)) / self.deviation**3 if self.variance else 0.0

    @cached_property
    def kurtosis(self) -> float:
        """Above that of the normal law."""
        return float(self._moment(self._own_mean, 4) / self.variance**2) - 3 if self.variance else 0.0

    def _moment(self, around: Fraction, power: int) -> Fraction:
        return sum(((net - around) ** power * chance for net, chance in self.law.items()), Fraction(0))

    @property
    def volatility_index(self) -> float:
        return factor(INDEX_LEVEL) * self.deviation

    @cached_property
    def largest(self) -> Fraction:
        """Of the law, or the bound of the rules where the law is sampled: the rarest results are not in a sample."""
        return self.known.most if self.known else max(net for net, chance in self.law.items() if chance)

    @property
    def chance_of_largest(self) -> Fraction | None:
        """None where the award is a bound."""
        return None if self.known else self.law[self.largest]

    @property
    def exposure(self) -> Fraction:
        """The largest award at every seat at once."""
        return self.seats * self.largest

    def hold(self, rounds: int, level: Fraction) -> tuple[float, float]:
        """Between these shares of the first wagers the house holds in so many runs of that length."""
        reach = factor(level) * self.deviation / sqrt(rounds)
        return float(-self.mean) - reach, float(-self.mean) + reach

    def is_rough(self, rounds: int, level: Fraction) -> bool:
        """Whether one tail of such runs is off from the normal law by more than `ROUGH`, by Edgeworth's first term."""
        z = factor(level)
        return abs(self.skewness) * (z * z - 1) * NormalDist().pdf(z) / (6 * sqrt(rounds)) > ROUGH

    def as_json(self) -> dict[str, Any]:
        chance = self.chance_of_largest
        return {
            **({"sampled": True} if self.known else {}),
            "skewness": self.skewness,
            "excess_kurtosis": self.kurtosis,
            "volatility_index_90": self.volatility_index,
            "largest_award": {"net": str(self.largest), "probability": None if chance is None else float(chance)},
            "exposure": {"seats": self.seats, "net": str(self.exposure)},
            "confidence_of_hold": [
                {
                    "rounds": rounds,
                    "level": float(level),
                    "low": low,
                    "high": high,
                    "normal_law_is_rough": self.is_rough(rounds, level),
                }
                for rounds in ROUNDS
                for level in LEVELS
                for low, high in [self.hold(rounds, level)]
            ],
        }


def factor(level: Fraction) -> float:
    """How many standard deviations so sure an interval goes to either side: 1.645 at 90 %."""
    return NormalDist().inv_cdf((1 + float(level)) / 2)


def swings_of(results: Iterable[tuple[Fraction, Fraction]], seats: int, known: Known | None = None) -> Swings:
    """From net results and their probabilities; equal results are added up."""
    law: dict[Fraction, Fraction] = {}
    for net, chance in results:
        law[net] = law.get(net, Fraction(0)) + chance
    return Swings(law, seats, known)


def counted_swings(figures: Figures, seats: int) -> Swings:
    """Of a wager whose deals were counted: exact."""
    return swings_of(((net, Fraction(count, figures.deals)) for net, count in figures.results), seats)


# In print


def swings_in_print(swings: Swings) -> Iterator[FigureInPrint]:
    sampled = ", sampled" if swings.known else ""
    yield FigureInPrint(f"Volatility index, 90 %{sampled}", f"{swings.volatility_index:,.4f}", "")
    yield FigureInPrint(f"Skewness{sampled}", f"{swings.skewness:,.4f}", "")
    yield FigureInPrint(f"Excess kurtosis{sampled}", f"{swings.kurtosis:,.4f}", "")
    chance, largest = swings.chance_of_largest, net_result(swings.largest)
    words = f"at most {largest}, by the rules" if chance is None else f"{largest} (one in {one_in(chance)})"
    yield FigureInPrint("Largest award, net", words, "")
    exposure = net_result(swings.exposure).removeprefix("+")
    seats = "1 seat" if swings.seats == 1 else f"{swings.seats} seats"
    yield FigureInPrint(f"Exposure, {seats}", f"{exposure} units", "")


def confidence_table(swings: Swings) -> TableInPrint:
    """Confidence of hold by rounds."""
    rows, rough = [], False
    for rounds in ROUNDS:
        row = [f"{rounds:,}"]
        for level in LEVELS:
            low, high = swings.hold(rounds, level)
            far = swings.is_rough(rounds, level)
            rough = rough or far
            row.append(f"{percent(Fraction(low), 3)} to {percent(Fraction(high), 3)}{MARK if far else ''}")
        rows.append(tuple(row))
    return TableInPrint(
        title="Confidence of hold by rounds",
        columns=("Rounds", *(f"{int(100 * level)} %" for level in LEVELS)),
        words=0,
        rows=tuple(rows),
        note=" ".join((NORMAL, *([SAMPLED] if swings.known else []), *([TOO_FEW] if rough else []))),
    )
