"""Whether a rehearsed book is what the counts lead one to expect: hits, awards and the house, each with its deviation.

The number of hits of a line is binomial. What a meter pays is followed wager by wager from its seed: with
x = (1, meter, reserve, paid so far), contributions and a 100 % award are both linear in x,

    contribution    meter + c, reserve + r                       with certainty
    award           paid + meter, meter = seed + reserve, reserve = 0          with probability p

so the mean of x x' after any number of rounds is known without approximation, and with it the mean and the deviation of
what is paid. That parts of a cent stay on the meter is left out. The house keeps its part of each wager, less fixed
pays and seeds, which are independent from wager to wager.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any

import numpy as np

from croupier.demo.cardroom import STAGED
from croupier.floor.act import EntryKind
from croupier.floor.facts import ConfirmFacts, EndFacts, StartFacts, WonFacts, facts_of
from croupier.floor.link.setup import LevelSetup, LinkSetup, join_proof
from croupier.games.meter import Style
from croupier.ledger.entry import UNITS_PER_CENT, Entry, Purpose

CENTS_PER_DOLLAR = 100


@dataclass(frozen=True)
class Figure:
    """A number in the book, and what it was expected to be."""

    what: str
    found: Fraction
    expected: Fraction
    deviation: float
    """The standard deviation of what is found."""

    @property
    def z(self) -> float:
        difference = float(self.found - self.expected)
        return difference / self.deviation if self.deviation else difference

    def as_json(self) -> dict[str, Any]:
        numbers = {name: float(getattr(self, name)) for name in ("found", "expected", "deviation", "z")}
        return {"what": self.what, **numbers}


@dataclass(frozen=True)
class Figures:
    wagers: int
    hits: tuple[Figure, ...]
    """Of each line."""
    paid: tuple[Figure, ...]
    """Cents by each meter, in all; over the hits it is the mean of the meter at a hit."""
    house: Figure
    """Cents that the house and the tray are left with: seeds are what it has put in."""
    contributions: tuple[Figure, ...]
    """Units to each meter: these are certain."""

    @property
    def all(self) -> tuple[Figure, ...]:
        return (*self.hits, *self.paid, self.house, *self.contributions)

    def as_json(self) -> dict[str, Any]:
        return {"wagers": self.wagers, "figures": [figure.as_json() for figure in self.all]}


@dataclass
class Tally:
    """What the book says, and the laws of its meters so far."""

    setup: LinkSetup
    chances: dict[str, Fraction]
    """By line."""
    laws: dict[str, MeterLaw]
    wagers: int = 0
    drawn: int = 0
    """Wagers whose hands were drawn."""
    hits: Counter[str] = field(default_factory=Counter)
    staged_hits: Counter[str] = field(default_factory=Counter)
    """By level."""
    paid_cents: Counter[str] = field(default_factory=Counter)
    contributed: Counter[str] = field(default_factory=Counter)
    house_units: int = 0
    on: dict[int, tuple[int, bool]] = field(default_factory=dict)
    """By table: wagers of the game that are not drawn yet, and whether it is staged."""

    @classmethod
    def of(cls, setup: LinkSetup) -> Tally:
        """For a link in style B whose meters have no maximum and pay nothing but 100 % awards."""
        shares = [line for line in setup.lines.values() if line.is_share]
        assert setup.style is Style.SHARES_ONLY
        assert all(level.maximum_cents is None for level in setup.levels)
        assert all(line.pay.share == 1 for line in shares)
        chances = {line.label: line.link for line in join_proof(setup.tables[0], setup)}
        hit = {line.pay.meter: chances[line.label] for line in shares}
        laws = {level.level: MeterLaw(level, setup.wager_cents, hit[level.level]) for level in setup.levels}
        return cls(setup, chances, laws)

    def figures(self) -> Figures:
        levels = self.setup.levels
        return Figures(
            self.wagers,
            tuple(_hits(label, chance, self) for label, chance in self.chances.items()),
            tuple(_paid(level, self) for level in levels),
            _house(self),
            tuple(_contributions(level, self) for level in levels),
        )

    def take(self, entry: Entry) -> None:
        for source, target, units in entry.transfers:
            self.house_units += units * ((target.purpose in _HOUSE) - (source.purpose in _HOUSE))
            if entry.kind == EntryKind.START and target.purpose is Purpose.METER:
                self.contributed[target.level] += units
        match entry.kind:
            case EntryKind.START:
                game = facts_of(StartFacts, entry)
                self._started(game["table"], len(game["seats"]), entry.command.startswith(STAGED))
            case EntryKind.PAY | EntryKind.UNPAY:
                self.hits[facts_of(WonFacts, entry)["line"]] += 1 if entry.kind == EntryKind.PAY else -1
            case EntryKind.CONFIRM:
                award = facts_of(ConfirmFacts, entry)
                if "level" in award:
                    self._confirmed(award, staged=self.on[award["table"]][1])
                else:
                    self.hits[award["line"]] += 1
            case EntryKind.END:
                self._ended(facts_of(EndFacts, entry)["table"])

    def _started(self, table: int, wagers: int, staged: bool) -> None:
        self.on[table] = wagers, staged
        self.wagers += wagers
        self.drawn += 0 if staged else wagers
        for law in self.laws.values():
            law.contribute(wagers)

    def _confirmed(self, facts: ConfirmFacts, *, staged: bool) -> None:
        self.paid_cents[facts["level"]] += facts["cents"]
        if staged:
            self.staged_hits[facts["level"]] += 1
            self.laws[facts["level"]].pay()
        else:
            self.hits[facts["line"]] += 1

    def _ended(self, table: int) -> None:
        """All games of a turn start before the first hand is drawn, so the hands may as well be drawn now; of a game
        that was reopened they were, when it ended first."""
        wagers, staged = self.on[table]
        self.on[table] = 0, staged
        if not staged:
            for law in self.laws.values():
                law.draw(wagers)


_HOUSE = (Purpose.HOUSE, Purpose.TRAY)


class MeterLaw:
    """The mean of x x' for one meter, in dollars."""

    def __init__(self, level: LevelSetup, wager_cents: int, hit: Fraction) -> None:
        dollars = UNITS_PER_CENT * CENTS_PER_DOLLAR
        self._rates = wager_cents * level.contribution_ppm / dollars, wager_cents * level.reserve_ppm / dollars
        seed = level.seed_cents / CENTS_PER_DOLLAR
        award = np.array([[1, 0, 0, 0], [seed, 0, 1, 0], [0, 0, 0, 0], [0, 1, 0, 1]], dtype=float)
        self._award = np.kron(award, award)
        self._wager = (1 - float(hit)) * np.eye(16) + float(hit) * self._award
        start = np.array([1, seed, 0, 0], dtype=float)
        self._mean = np.kron(start, start)
        self._contributions = cache(self._contributed)
        self._draws = cache(lambda wagers: np.linalg.matrix_power(self._wager, wagers))

    def _contributed(self, wagers: int) -> Any:
        step = np.eye(4)
        step[1, 0], step[2, 0] = (wagers * rate for rate in self._rates)
        return np.kron(step, step)

    def contribute(self, wagers: int) -> None:
        self._mean = self._contributions(wagers) @ self._mean

    def draw(self, wagers: int) -> None:
        self._mean = self._draws(wagers) @ self._mean

    def pay(self) -> None:
        """An award that is certain."""
        self._mean = self._award @ self._mean

    @property
    def meter_cents(self) -> float:
        return float(self._mean[1]) * CENTS_PER_DOLLAR

    @property
    def paid_cents(self) -> tuple[float, float]:
        """Mean and deviation of what was paid."""
        mean, square = float(self._mean[3]), float(self._mean[15])
        return mean * CENTS_PER_DOLLAR, sqrt(max(0.0, square - mean * mean)) * CENTS_PER_DOLLAR


def _hits(label: str, chance: Fraction, tally: Tally) -> Figure:
    deviation = sqrt(tally.drawn * chance * (1 - chance))
    return Figure(label, Fraction(tally.hits[label]), tally.drawn * chance, deviation)


def _paid(level: LevelSetup, tally: Tally) -> Figure:
    mean, deviation = tally.laws[level.level].paid_cents
    return Figure(f"paid from {level.title}", Fraction(tally.paid_cents[level.level]), Fraction(mean), deviation)


def _house(tally: Tally) -> Figure:
    """Seeds first; then of each wager the dealer's part, less a fixed pay or the seed of the next meter."""
    setup, chances = tally.setup, tally.chances
    seeds = {level.level: level.seed_cents for level in setup.levels}
    costs = {label: seeds[line.pay.meter] if line.is_share else line.cents for label, line in setup.lines.items()}
    cost = sum((chance * costs[label] for label, chance in chances.items()), Fraction(0))
    square = sum((chance * costs[label] ** 2 for label, chance in chances.items()), Fraction(0))
    staged = sum(seeds[level] * hits for level, hits in tally.staged_hits.items())
    kept = Fraction(tally.wagers * setup.tray_units, UNITS_PER_CENT)
    expected = kept - tally.drawn * cost - sum(seeds.values()) - staged
    deviation = sqrt(tally.drawn * (square - cost * cost))
    return Figure("house and tray", Fraction(tally.house_units, UNITS_PER_CENT), expected, deviation)


def _contributions(level: LevelSetup, tally: Tally) -> Figure:
    expected = Fraction(tally.wagers * tally.setup.wager_cents * level.contribution_ppm)
    return Figure(f"contributed to {level.title}", Fraction(tally.contributed[level.level]), expected, 0.0)
