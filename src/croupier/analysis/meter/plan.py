"""What a house decides about a progressive before it opens: the wager, what feeds the meters, how busy the tables are.

Money is whole cents, rates are parts per million of a wager, so that what one wager adds to a meter is a whole number
of millionths of a cent (decision 2).

Where there are several meters, the documents do not say how one contribution is divided among them. By default each
meter's part is proportional to seed times probability of its 100 % award, which is what its reseeding costs. Then every
meter stands at the same multiple of its seed when it is hit, on average, and Mega stays above Major above Minor as the
maker's seeds mean them to. Equal parts would let the rarest meter grow to many times its seed and leave the common one
at it. The reserve is divided in the same way, and each meter has its own.

In accounting style A every pay comes off the meters. A fixed pay then comes off each meter in the proportion in which
the contribution goes to it, so that no meter pays for what feeds another. What a meter lacks, the house adds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache, cached_property

from croupier.analysis.meter.wager import Funding, Progressive, meter_title, progressive_of
from croupier.errors import NotationError
from croupier.games.blackjack.rules import Rules
from croupier.games.meter import PPM, UNIT, Style, divided, proportional
from croupier.games.paytable import Kind, Paytable
from croupier.games.wager import Fact, OnDeal, Wager

MOST_UNITS = 4 * 10**18
"""What may ever be paid in, or out, on average: it fits the kernel's integers twice over."""
LONGEST_CYCLE = 50
"""In mean cycles: no cycle is longer, but for one in 10^21."""


class Division(StrEnum):
    """How the contribution is divided among several meters."""

    PROPORTIONAL = "proportional"
    EQUAL = "equal"


@dataclass(frozen=True)
class PlanLevel:
    """One meter of a plan. Amounts are in millionths of a cent where it says units."""

    meter: str
    contribution_units: int
    """Of each wager."""
    reserve_units: int
    """Of each wager, to be put on top of the seed after a 100 % award."""
    seed_cents: int
    hit: Fraction
    """How likely a wager wins all of it."""
    worth: Fraction
    """The sum of share times probability over all lines that pay from it."""
    award: Fraction
    """How likely a wager wins any share of it."""

    @property
    def title(self) -> str:
        return meter_title(self.meter)

    @property
    def only_whole(self) -> bool:
        """Whether nothing lowers the meter between 100 % awards."""
        return self.worth == self.hit


@dataclass(frozen=True)
class FixedPay:
    """A line that pays a fixed amount."""

    chance: Fraction
    cents: int


@dataclass(frozen=True)
class MeterPlan:
    """A progressive as a house means to run it."""

    wager: Wager
    paytable_id: str
    paytable: Paytable
    decks: int
    rules: Rules | None
    """Of the base game, where the wager depends on them: which hands get a third card."""
    wager_cents: int
    contribution_ppm: int
    reserve_ppm: int
    seeds_cents: Mapping[str, int]
    style: Style
    division: Division | Mapping[str, Fraction]
    """Shares by meter, where they are given."""
    tables: int
    seats: int
    """Wagers on the progressive in a round at one table."""
    rounds_per_hour: int
    """At one table."""
    hours_per_day: Fraction
    period_days: int
    within_rounds: int
    """How soon after a 100 % award another would be a back-to-back hit, in rounds at all tables together."""
    reserve_division: Mapping[str, Fraction] | None = None
    """Shares of the reserve by meter, where they are not those of the contribution."""

    def __post_init__(self) -> None:
        for meter, level in self.progressive.levels.items():
            if not level.awarded:
                raise NotationError(
                    f"With {self.decks} decks no hand of paytable {self.paytable_id} takes all of {meter_title(meter)}."
                )
        if self.contribution_ppm + self.reserve_ppm > PPM:
            percent = Fraction(self.contribution_ppm + self.reserve_ppm, PPM // 100)
            raise NotationError(
                f"Contribution and reserve cannot be {float(percent):g} % together: at most the whole wager is paid in."
            )
        if self._most_cents * UNIT > MOST_UNITS:
            raise NotationError(
                f"{self.period_wagers:,} wagers of {self.wager_cents:,} cents in the period, with pays and seeds, are "
                "more money than can be counted: shorten the period, or lower the wager or the seeds."
            )

    @property
    def _most_cents(self) -> Fraction:
        """What is paid in or out on average, as fixed pays and as seeds, in the period or in two very long cycles."""
        most = max(Fraction(self.period_wagers), *(2 * LONGEST_CYCLE / level.hit for level in self.levels))
        seeds = sum((level.hit * level.seed_cents for level in self.levels), Fraction(0))
        return most * (self.wager_cents * max(Fraction(1), self.progressive.fixed_return) + seeds)

    @cached_property
    def progressive(self) -> Progressive:
        """The exact mathematics of the wager under its paytable."""
        return counted(self.wager, self.paytable_id, self.paytable, self.decks, self.rules)

    @cached_property
    def funding(self) -> Funding:
        """The contribution and the seeds in wagers."""
        seeds = {meter: Fraction(cents, self.wager_cents) for meter, cents in self.seeds_cents.items()}
        return Funding(Fraction(self.contribution_ppm, PPM), seeds)

    @property
    def stands_against(self) -> frozenset[int]:
        """Up cards against which two sevens get no third card."""
        return no_third_card_against(self.rules)

    @property
    def hole_card(self) -> bool:
        """Whether a blackjack of the dealer is looked for before third cards are dealt."""
        return self.rules is None or self.rules.hole_card

    # Meters

    @cached_property
    def shares(self) -> tuple[Fraction, ...]:
        """What each meter gets of the contribution, in the order of the paytable."""
        levels = self.progressive.levels.values()
        if isinstance(self.division, Mapping):
            return proportional([self.division[level.meter] for level in levels])
        if self.division is Division.PROPORTIONAL:
            return proportional([level.awarded * self.seeds_cents[level.meter] for level in levels])
        return proportional([1] * len(levels))

    @cached_property
    def levels(self) -> tuple[PlanLevel, ...]:
        """The meters, in the order of the paytable."""
        contributions = divided(self.wager_cents * self.contribution_ppm, self.shares)
        given = self.reserve_division
        shares = tuple(given[meter] for meter in self.progressive.levels) if given else self.shares
        reserves = divided(self.wager_cents * self.reserve_ppm, shares)
        lines = self.share_lines
        return tuple(
            PlanLevel(
                meter,
                contribution,
                reserve,
                self.seeds_cents[meter],
                level.awarded,
                level.worth,
                sum((chance for of, _, chance in lines if of == meter), Fraction(0)),
            )
            for (meter, level), contribution, reserve in zip(
                self.progressive.levels.items(), contributions, reserves, strict=True
            )
        )

    @cached_property
    def share_lines(self) -> tuple[tuple[str, Fraction, Fraction], ...]:
        """Meter, share and chance of each line that pays a share."""
        deals = sum(self.progressive.counts.values())
        return tuple(
            (pay.meter, pay.share, Fraction(count, deals))
            for outcome, count in self.progressive.counts.items()
            if (pay := self.progressive.prices[outcome].pays[0]).kind is Kind.SHARE and count
        )

    @cached_property
    def fixed_pays(self) -> tuple[FixedPay, ...]:
        """The lines that pay a fixed amount; a part of a cent stays with the house."""
        deals = sum(self.progressive.counts.values())
        pays = []
        for outcome, count in self.progressive.counts.items():
            pay = self.progressive.prices[outcome].pays[0]
            cents = int((pay.net + 1) * self.wager_cents)
            if pay.kind is not Kind.SHARE and cents and count:
                pays.append(FixedPay(Fraction(count, deals), cents))
        return tuple(pays)

    @property
    def largest_fixed_cents(self) -> int:
        return max((pay.cents for pay in self.fixed_pays), default=0)

    # How busy it is

    @property
    def wagers_per_day(self) -> Fraction:
        return self.rounds_per_day * self.seats

    @property
    def rounds_per_day(self) -> Fraction:
        """At all tables together."""
        return self.hours_per_day * self.rounds_per_hour * self.tables

    @property
    def period_wagers(self) -> int:
        return max(1, int(self.wagers_per_day * self.period_days))


def depends_on_rules(wager: Wager) -> bool:
    return isinstance(wager.basis, OnDeal) and wager.basis.fact is Fact.THIRD_CARD


@cache
def counted(wager: Wager, paytable_id: str, paytable: Paytable, decks: int, rules: Rules | None) -> Progressive:
    """The exact mathematics of a wager."""
    from croupier.analysis.blackjack.side.census import side_census  # and numpy: a server starts without

    stands = no_third_card_against(rules)
    progressive = progressive_of(wager, paytable, side_census(wager, decks, rules=rules, stands_against=stands))
    if progressive is None:
        raise NotationError(f"Paytable {paytable_id} pays no share of a meter, so there is nothing to plan.")
    return progressive


def no_third_card_against(rules: Rules | None) -> frozenset[int]:
    """Up cards against which basic strategy takes no card to two sevens; without rules it always does.

    It always does under the usual rules with two decks or more, too, and the solver need not be asked.
    """
    if rules is None or (rules.decks > 1 and rules == Rules(decks=rules.decks)):
        return frozenset()
    from croupier.analysis.blackjack.side.census import stands_with_sevens

    return stands_with_sevens(rules)
