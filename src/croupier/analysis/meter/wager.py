"""A wager whose top lines are shares of a meter: what it returns, what the house holds, when it turns.

All amounts are in wagers, so a meter of 2,000 under a 5 dollar wager is 10,000 dollars. The player's return is made of
fixed pays, which come from the tray, and shares of meters. Of each wager a part goes to the meters (the contribution),
and whenever a 100 % award has emptied a meter the house puts a seed on it. Shares below 100 % are paid from what
players have put in, so in the long run they cost the house nothing more:

    hold = 1 - fixed pays - contribution - sum over 100 % awards of seed x probability
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from importlib.resources import files
from itertools import combinations
from math import floor
from types import MappingProxyType
from typing import Any

from croupier.errors import NotationError, UnknownName
from croupier.games.paytable import Kind, Pay, Paytable
from croupier.games.wager import Outcome, Price, Wager

ONLY_METER = ""
"""The name of a meter where there is one and the paytable does not name it."""
WHOLE_PERCENTS = tuple(Fraction(percent, 100) for percent in range(101))
_ROUND = (10, 15, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90)
ROUND_SEEDS = tuple(digits * 10**zeros for zeros in range(1, 5) for digits in _ROUND)
"""Seeds as people choose them: 100, 150, 200, 250, 300, ... 900, 1,000, 1,500, ... 900,000."""


@dataclass(frozen=True)
class Funding:
    """How a house pays for its meters."""

    contribution: Fraction
    """Of each wager, to all meters together."""
    seeds: Mapping[str, Fraction]
    """By meter, in wagers."""

    def __post_init__(self) -> None:
        if not 0 <= self.contribution <= 1:
            raise NotationError(f"A contribution is a share of the wager from 0 to 1, not {self.contribution}.")
        for meter, seed in self.seeds.items():
            if seed < 0:
                raise NotationError(f"The seed of {meter_title(meter)} cannot be below nothing: {seed}.")


@dataclass(frozen=True)
class Level:
    """One meter of a paytable."""

    meter: str
    worth: Fraction
    """What each wager on the meter adds to the player's return: the sum of share times probability."""
    awarded: Fraction
    """How likely the award is that takes all of it."""


@dataclass(frozen=True, eq=False)
class Progressive:
    """A progressive wager under one paytable, from counts of how it ends."""

    counts: Mapping[Outcome, int]
    prices: Mapping[Outcome, Price]
    """With shares as shares: `wager.prices(paytable)`."""

    @cached_property
    def _lines(self) -> tuple[tuple[Pay, Fraction], ...]:
        deals = sum(self.counts.values())
        return tuple((self.prices[outcome].pays[0], Fraction(count, deals)) for outcome, count in self.counts.items())

    @cached_property
    def fixed_return(self) -> Fraction:
        """What the player gets back of each wager from the tray."""
        return sum(((pay.net + 1) * chance for pay, chance in self._lines if pay.kind is not Kind.SHARE), Fraction(0))

    @cached_property
    def hit_frequency(self) -> Fraction:
        """How often any line pays, a share of a meter too, whatever is on it."""
        return sum((chance for pay, chance in self._lines if pay.kind is Kind.SHARE or pay.net > 0), Fraction(0))

    @cached_property
    def levels(self) -> dict[str, Level]:
        """The meters, in the order of the paytable."""
        by_meter: dict[str, Level] = {}
        for pay, chance in self._lines:
            if pay.kind is Kind.SHARE:
                level = by_meter.get(pay.meter, Level(pay.meter, Fraction(0), Fraction(0)))
                awarded = level.awarded + (chance if pay.share == 1 else 0)
                by_meter[pay.meter] = Level(pay.meter, level.worth + pay.share * chance, awarded)
        return by_meter

    def meters(self, given: Mapping[str, Fraction | int]) -> dict[str, Fraction]:
        """The given values by meter, none missing and none too many."""
        for meter in given:
            if meter not in self.levels:
                raise UnknownName("meter", meter, [meter_title(name) for name in self.levels])
        missing = [meter_title(meter) for meter in self.levels if meter not in given]
        if missing:
            raise NotationError(f"There is no value for the meter {', '.join(missing)}.")
        return {meter: Fraction(given[meter]) for meter in self.levels}

    # What the player faces

    def house_edge(self, meters: Mapping[str, Fraction | int]) -> Fraction:
        """What the house expects to win of the next wager while the meters stand there."""
        values = self.meters(meters)
        return 1 - self.fixed_return - sum(level.worth * values[meter] for meter, level in self.levels.items())

    def break_even(self, meters: Mapping[str, Fraction | int]) -> dict[str, Fraction | None]:
        """For each meter, where it makes the wager fair while the others stand as given; None where none can.

        Below 0 the others alone are enough.
        """
        edge, values = self.house_edge(meters), self.meters(meters)
        return {
            meter: values[meter] + edge / level.worth if level.worth else None for meter, level in self.levels.items()
        }

    # What the house keeps

    def hold(self, funding: Funding) -> Fraction:
        """What the house keeps of each wager in the long run."""
        return 1 - self.fixed_return - funding.contribution - self._reseeding(self.meters(funding.seeds))

    def _reseeding(self, seeds: Mapping[str, Fraction]) -> Fraction:
        return sum((level.awarded * seeds[meter] for meter, level in self.levels.items()), Fraction(0))

    def mean_meter(self, funding: Funding) -> Fraction | None:
        """What is on the one meter on average, over all wagers; None where there are several, or nothing is paid.

        What flows in, contribution and seeds, flows out as awards, and a hit does not care where the meter stands.
        """
        if len(self.levels) != 1:
            return None
        [level] = self.levels.values()
        seeds = self.meters(funding.seeds)
        return (funding.contribution + self._reseeding(seeds)) / level.worth if level.worth else None

    # Looking for the funding behind a hold

    def contribution_for(self, hold: Fraction, seeds: Mapping[str, Fraction | int]) -> Fraction:
        """The contribution that gives this hold with these seeds; it may lie outside 0 to 1."""
        return 1 - self.fixed_return - hold - self._reseeding(self.meters(seeds))

    def seed_for(
        self,
        hold: Fraction,
        contribution: Fraction,
        meter: str = ONLY_METER,
        others: Mapping[str, Fraction | int] | None = None,
    ) -> Fraction:
        """The seed of one meter that gives this hold, the other seeds as given; it may lie below 0."""
        rest = self.contribution_for(hold, {**(others or {}), meter: 0}) - contribution
        if not self.levels[meter].awarded:
            raise NotationError(f"No award takes all of {meter_title(meter)}, so no seed of it changes the hold.")
        return rest / self.levels[meter].awarded

    def fundings(
        self,
        printed: str,
        contributions: Iterable[Fraction] = WHOLE_PERCENTS,
        seeds: Sequence[int] = ROUND_SEEDS,
        *,
        given: Mapping[str, Fraction] = MappingProxyType({}),
        first: Funding | None = None,
    ) -> Iterator[Funding]:
        """Every funding of these whose hold is printed so: `24.78%`. A higher meter has a higher seed.

        A meter in `given` has that seed and no other. `first` comes before the others, where it is one of them.
        """
        low, high = printed_range(printed)
        contributions = tuple(contributions)
        as_given = first and first.contribution in contributions and given.items() <= first.seeds.items()
        if first and as_given and low <= self.hold(first) < high:
            yield first
        for contribution in contributions:
            left = 1 - self.fixed_return - contribution
            for chosen in self._seeds_within(left - high, left - low, seeds, given):
                funding = Funding(contribution, chosen)
                if funding != first:
                    yield funding

    def _seeds_within(
        self, low: Fraction, high: Fraction, seeds: Sequence[int], given: Mapping[str, Fraction]
    ) -> Iterator[dict[str, Fraction]]:
        """Seeds whose cost is above `low` and at most `high`; those that are not given fall from meter to meter."""
        *upper, last = self.levels.values()
        open_ = [level for level in upper if level.meter not in given]
        for chosen in combinations(sorted(seeds, reverse=True), len(open_)):
            named = {level.meter: Fraction(seed) for level, seed in zip(open_, chosen, strict=True)}
            seeds_of = {level.meter: given.get(level.meter, named.get(level.meter, Fraction(0))) for level in upper}
            cost = sum((level.awarded * seeds_of[level.meter] for level in upper), Fraction(0))
            if cost > high:
                continue
            if last.meter in given:
                if low < cost + last.awarded * given[last.meter] <= high:
                    yield {**seeds_of, last.meter: given[last.meter]}
            elif last.awarded:
                begin, end = floor((low - cost) / last.awarded) + 1, floor((high - cost) / last.awarded)
                for seed in seeds:
                    if begin <= seed <= end and (not chosen or seed < chosen[-1]):
                        yield {**seeds_of, last.meter: Fraction(seed)}


def progressive_of(wager: Wager, paytable: Paytable, counts: Mapping[Outcome, int]) -> Progressive | None:
    """The progressive side of a wager; None where no line is a share of a meter."""
    prices = wager.prices(paytable)
    shares = any(pay.kind is Kind.SHARE for price in prices.values() for pay in price.pays)
    return Progressive(counts, prices) if shares else None


def meter_title(meter: str) -> str:
    """What a person calls it."""
    return meter or "Progressive"


def printed_range(printed: str) -> tuple[Fraction, Fraction]:
    """What rounds to a printed percentage: from the first, to just below the second."""
    number = printed.removesuffix("%")
    half = Fraction(1, 200 * 10 ** len(number.partition(".")[2]))
    return Fraction(number) / 100 - half, Fraction(number) / 100 + half


# The values a system comes with


@cache
def _preconfigured() -> list[dict[str, Any]]:
    text = files("croupier.analysis.meter").joinpath("preconfigured.toml").read_text(encoding="utf-8")
    tables: list[dict[str, Any]] = tomllib.loads(text)["table"]
    return tables


def preconfigured(wager: str, paytable_id: str) -> Funding | None:
    """The funding the maker configures for a paytable; None where it is not known."""
    for table in _preconfigured():
        if wager in table["wagers"] and paytable_id in table["paytables"]:
            seeds = {meter: Fraction(seed) for meter, seed in table["seeds"].items()}
            return Funding(Fraction(table["contribution_percent"], 100), seeds)
    return None
