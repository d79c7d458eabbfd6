"""The planner's kernel against the live link: the same wagers and the same hits give the same meters, to the unit."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import log
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.analysis.kernels import meter as kernel
from croupier.analysis.kernels.meter import (
    ABOVE,
    AWARD,
    DRY,
    HIGHEST,
    HITS,
    MEAN,
    METER,
    PAID,
    RESERVE,
    SHORT,
    TRAY,
    Meters,
    State,
)
from croupier.analysis.meter import simulation
from croupier.analysis.meter.plan import MeterPlan
from croupier.analysis.meter.simulation import FEWEST, meters_of, simulate
from croupier.floor.link.checks import plan_of
from croupier.floor.link.setup import LevelSetup, LinkSetup
from croupier.games.blackjack.side_wagers import PROGRESSIVES
from croupier.games.meter import UNIT, Style
from croupier.games.paytable import Paytable
from croupier.ledger.entry import UNITS_PER_CENT, Purpose
from support.room import ONE_METER, STYLE_A, THREE_METERS, LinkBook, with_level
from tests.analysis.meter.plans import OFTEN

SEATS = 7


@pytest.fixture(autouse=True)
def paytables_hit_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """The link knows the paytables whose meters are hit often, too."""
    usual = PROGRESSIVES[ONE_METER.wager]
    tables = {name: Paytable.parse(name, text) for name, text in OFTEN.items()}
    wager = replace(usual, paytables={**usual.paytables, **tables})
    monkeypatch.setitem(PROGRESSIVES, wager.key, wager)


def often(paytable: str, *levels: LevelSetup, **changes: Any) -> LinkSetup:
    table = replace(ONE_METER.tables[0], paytable=paytable)
    return replace(ONE_METER, paytable=paytable, levels=levels, tables=(table,), **changes)


def a_day(setup: LinkSetup) -> MeterPlan:
    """Twelve hours at one full table."""
    return replace(plan_of(setup), seats=SEATS, hours_per_day=Fraction(12), period_days=1)


def labels(setup: LinkSetup, meters: Meters) -> list[str]:
    """The kernel's lines by the names that the dealer presses."""
    shares = {(line.pay.meter, line.pay.share): line.label for line in setup.lines.values() if line.is_share}
    names, pays = list(setup.level), fixed_pays(setup)
    return [
        pays[int(pay)] if which == TRAY else shares[names[which], Fraction(*share)]
        for which, share, pay in zip(meters.meter.tolist(), meters.share.tolist(), meters.pays, strict=True)
    ]


def fixed_pays(setup: LinkSetup) -> dict[int, str]:
    """By multiples of the measure of all fixed pays."""
    measure = simulation._measure(plan_of(setup))
    return {line.cents // measure: line.label for line in setup.lines.values() if not line.is_share}


class Table(LinkBook):
    """A table of a live link, and what its levels have come to."""

    def __init__(self, setup: LinkSetup) -> None:
        super().__init__(setup)
        self.setup = setup
        self.paid, self.short, self.hits = (dict.fromkeys(setup.level, 0) for _ in range(3))

    def win(self, seat: int, line: str) -> None:
        """A fixed pay is made at once; a share is held until `decide`."""
        self.enter(1, seat, line)
        for part in self.entries[-1].facts.get("parts", ()):
            self.paid[part["level"]] += part["units"] - part["added_units"]
            self.short[part["level"]] += part["added_units"]

    def decide(self) -> list[int]:
        """Confirm the awards of the game in their order; given are their cents."""
        decided = []
        for award in list(self.link.state.in_line(1)):
            self.confirm(award.award)
            self.paid[award.level] += award.units
            self.hits[award.level] += award.share == "1"
            decided.append(award.cents)
        return decided

    def level_units(self, purpose: Purpose) -> list[int]:
        return [self.units(purpose, level) for level in self.setup.level]


# A history of wagers, drawn as the kernel draws them


class Draws:
    """splitmix64 in Python's own integers."""

    def __init__(self, state: int) -> None:
        self.state = state

    def uniform(self) -> float:
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        word = ((self.state ^ (self.state >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) % 2**64
        return (((word ^ (word >> 31)) >> 11) + 1) * 2.0**-53

    def gap(self, log_quiet: float) -> int:
        return 1 + int(log(self.uniform()) / log_quiet)

    def place(self, up_to: Sequence[float]) -> int:
        return bisect_left(up_to, self.uniform())


class History:
    """The wagers of a plan, made at a live table: up to seven in a round, and whoever wins sits last in it."""

    def __init__(self, setup: LinkSetup, draws: Draws) -> None:
        self.plan, self.draws, self.table = a_day(setup), draws, Table(setup)
        self.meters = meters_of(self.plan, self.plan.levels)
        self.labels, self.pays = labels(setup, self.meters), fixed_pays(setup)
        common = self.meters.common
        self.laws = [common.laws[one:other].tolist() for one, other in pairwise(common.first.tolist())]
        self.dry = self.at = 0
        self.highest, self.total, self.above = Fraction(0), Fraction(0), 0

    def wagers(self, number: int, *wins: str) -> None:
        """So many wagers; the first of them win these lines, but a single win is the last one's."""
        late, coming = len(wins) == 1, list(wins)
        while number:
            seats = min(SEATS, number)
            number -= seats
            before = [self.table.level_units(purpose) for purpose in (Purpose.METER, Purpose.RESERVE)]
            self.table.start(1, *range(1, seats + 1))
            self.look(seats, *before)
            self.at += seats
            for seat in range(seats, 0, -1) if not late or not number else ():
                if coming:
                    self.table.win(seat, coming.pop())
            self.table.decide()
            self.table.end()
        assert not coming

    def look(self, seats: int, meters: list[int], reserves: list[int]) -> None:
        """The sights after each wager: a round's contributions come to the meter together, and are alike."""
        after = self.table.level_units(Purpose.METER)
        grown = sum(after) + sum(self.table.level_units(Purpose.RESERVE)) - sum(meters) - sum(reserves)
        fair = (1 - self.plan.progressive.fixed_return) * self.plan.wager_cents * UNIT
        for wager in range(1, seats + 1):
            part = Fraction(wager, seats)
            balance = sum(meters) + sum(reserves) + part * grown
            self.highest, self.total = max(self.highest, balance), self.total + balance
            held = [one + part * (other - one) for one, other in zip(meters, after, strict=True)]
            self.above += sum(level.worth * units for level, units in zip(self.plan.levels, held, strict=True)) >= fair

    def quiet(self, wagers: int) -> None:
        """Wagers that end in nothing or in a common line."""
        if not self.laws:
            self.wagers(wagers)
            wagers = 0
        while wagers:
            power = most = min(len(self.laws), wagers.bit_length()) - 1
            while power >= 0 and not self.enough(len(self.laws[power]) - 1):
                power -= 1
            if power == most or power >= kernel.SHORTEST:
                gone = 2**power
                self.wagers(gone, *self.lines_of(self.draws.place(self.laws[power])))
            else:
                gone = min(wagers, kernel.PIECE)
                self.one_by_one(self.at + gone)
            wagers -= gone

    def enough(self, times: int) -> bool:
        held = self.table.level_units(Purpose.METER)
        return all(units >= times * part for units, part in zip(held, self.meters.part, strict=True))

    def lines_of(self, times: int) -> list[str]:
        """The fewest lines that pay so much together; the meters hold enough for them in any order."""
        pays = [int(pay) for pay in self.meters.common.pays]
        fewest: dict[int, list[int]] = {0: []}
        for total in range(1, times + 1):
            ways = [[*fewest[total - pay], pay] for pay in pays if total - pay in fewest]
            if ways:
                fewest[total] = min(ways, key=len)
        return [self.pays[pay] for pay in fewest[times]]

    def one_by_one(self, end: int) -> None:
        common = self.meters.common
        while self.at + (gap := self.draws.gap(common.log_none)) <= end:
            self.wagers(gap, self.pays[int(common.pays[self.draws.place(common.up_to.tolist())])])
        self.wagers(end - self.at)

    def run(self) -> None:
        while self.at < self.plan.period_wagers:
            gap = self.draws.gap(self.meters.log_quiet)
            gone = min(gap, self.meters.stretch, self.plan.period_wagers - self.at)
            self.quiet(gone - 1 if gone == gap else gone)
            if gone == gap:
                self.wagers(1, self.labels[self.draws.place(self.meters.up_to.tolist())])
            if any(self.table.short.values()) and not self.dry:
                self.dry = self.at


def histories(setup: LinkSetup, number: int, seed: int) -> Iterator[History]:
    draws = Draws(int(kernel.stream_of(seed, 0)[0]))
    for _ in range(number):
        history = History(setup, draws)
        history.run()
        yield history


A = Style.ALL_PAYS
TWO = (LevelSetup("Mega", 20_000, 150_000, 15_000), LevelSetup("Minor", 5_000, 50_000, 5_000))
ONE = LevelSetup("", 20_000, 200_000, 10_000)
CASES: Mapping[str, tuple[str, tuple[LevelSetup, ...], dict[str, Any]]] = {
    "whole": ("whole", (ONE,), {}),
    "shares": ("shares", (ONE,), {}),
    "maximum never reached": ("shares", (replace(ONE, maximum_cents=10**9),), {}),
    "two": ("two", TWO, {"wager_cents": 777}),
    "A": ("shares", (LevelSetup("", 20_000, 300_000),), {"style": A}),
    "A two": ("two", TWO, {"style": A}),
    "A two pays": ("whole", (LevelSetup("", 40_000, 450_000),), {"style": A, "wager_cents": 77}),
    "A dry": ("shares", (LevelSetup("", 5_000, 200_000),), {"style": A}),
}


@pytest.mark.parametrize("case", CASES)
def test_the_kernel_equals_the_live_link_to_the_millionth_of_a_cent(case: str) -> None:
    paytable, levels, changes = CASES[case]
    setup = often(paytable, *levels, **changes)
    simulated = simulate(a_day(setup), seed=11, histories=FEWEST)
    hits = short = 0
    for number, history in enumerate(histories(setup, 3, seed=11)):
        book, sight, table = simulated.books[number], simulated.sights[number], history.table
        assert book[:, METER].tolist() == table.level_units(Purpose.METER)
        assert book[:, RESERVE].tolist() == table.level_units(Purpose.RESERVE)
        assert book[:, PAID].tolist() == list(table.paid.values())
        assert book[:, SHORT].tolist() == list(table.short.values())
        assert book[:, HITS].tolist() == list(table.hits.values())
        assert sight[DRY] == history.dry
        assert table.proved()
        if setup.style is Style.SHARES_ONLY:  # in style A sights go in a straight line
            assert sight[HIGHEST] == pytest.approx(float(history.highest), rel=1e-12)
            assert sight[MEAN] == pytest.approx(float(history.total) / history.at, rel=1e-12)
            assert sight[ABOVE] == history.above
        hits, short = hits + sum(table.hits.values()), short + sum(table.short.values())
    assert hits
    assert short or case != "A dry"


# Rounds in which several seats win


class Planner:
    """The kernel, told which lines are hit."""

    def __init__(self, setup: LinkSetup) -> None:
        plan = plan_of(setup)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(simulation, "OFTEN", Fraction(2))  # every line by itself
            self.meters = meters_of(plan, plan.levels)
        self.labels = labels(setup, self.meters)
        seeds, count = self.meters.seed, len(plan.levels)
        self.state = State(seeds.copy(), np.zeros_like(seeds), np.zeros((count, kernel.COLUMNS), np.int64))

    def round(self, wagers: int, lines: Sequence[str]) -> list[int]:
        """All contribute, then these lines are paid in this order; given are the cents of shares."""
        kernel.pass_quietly(self.meters, wagers, kernel.stream_of(0, 0), self.state)
        awarded = []
        for line in map(self.labels.index, lines):
            kernel.settle(self.meters, line, self.state)
            which = int(self.meters.meter[line])
            if which != TRAY:
                awarded.append(int(self.state.book[which, AWARD]))
        return awarded


Winners = dict[int, str]
"""By seat: its line."""


def rounds_of(setup: LinkSetup) -> st.SearchStrategy[list[Winners]]:
    playing = [line.label for line in setup.lines.values() if line.is_share or setup.style is A]
    return st.lists(st.dictionaries(st.integers(1, SEATS), st.sampled_from(playing), max_size=4), max_size=12)


EVEN = replace(
    THREE_METERS,
    style=A,
    wager_cents=600,
    levels=(
        LevelSetup("Mega", 100_000, 240_000, 10_000),
        LevelSetup("Major", 50_000, 160_000, 7),
        LevelSetup("Minor", 2_500, 80_000),
    ),
)
"""Style A, where every fixed pay is divided among the meters without a remainder."""
DRY_METER = with_level(STYLE_A, seed_cents=100, contribution_ppm=20_000)
SETUPS = (ONE_METER, THREE_METERS, STYLE_A, DRY_METER, EVEN)
plays = st.sampled_from(SETUPS).flatmap(lambda setup: st.tuples(st.just(setup), rounds_of(setup), st.randoms()))


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(play=plays)
def test_awards_of_one_round_are_those_of_the_kernel(play: Any) -> None:
    """From the dealer's right; where only shares touch the meters, the dealer presses them in any order."""
    setup, rounds, chance = play
    table, planner = Table(setup), Planner(setup)
    for winners in rounds:
        in_order = sorted(winners, reverse=True)
        pressed = in_order if setup.style is A else chance.sample(in_order, len(in_order))
        table.start(1, *range(1, SEATS + 1))
        for seat in pressed:
            table.win(seat, winners[seat])
        awards = {award.seat: award.cents for award in table.link.state.of_round(1)}
        table.decide()
        table.end()
        assert planner.round(SEATS, [winners[seat] for seat in in_order]) == [
            awards[seat] for seat in in_order if seat in awards
        ]
        state = planner.state
        assert state.held.tolist() == table.level_units(Purpose.METER)
        assert state.reserve.tolist() == table.level_units(Purpose.RESERVE)
        assert state.book[:, PAID].tolist() == list(table.paid.values())
        assert state.book[:, SHORT].tolist() == list(table.short.values())
        assert state.book[:, HITS].tolist() == list(table.hits.values())


# Where the plan is coarser than the link


def test_a_remainder_of_a_fixed_pay_is_less_than_a_unit_for_each_multiple() -> None:
    """The plan divides the measure of all fixed pays, the link every pay: together they take the same."""
    levels = tuple(replace(level, seed_cents=10**7) for level in EVEN.levels)
    setup = replace(EVEN, wager_cents=500, levels=levels)
    table, planner = Table(setup), Planner(setup)
    pays = {label: times for times, label in fixed_pays(setup).items()}
    multiples = 0
    for line, times in pays.items():
        table.start(1, *range(1, SEATS + 1))
        table.win(1, line)
        table.end()
        planner.round(SEATS, [line])
        multiples += times
    live, planned = table.level_units(Purpose.METER), planner.state.held.tolist()
    assert sum(live) == sum(planned)
    assert live != planned
    assert all(abs(one - other) < multiples * len(live) for one, other in zip(live, planned, strict=True))


def test_a_maximum_that_is_reached_is_unknown_to_the_plan() -> None:
    """What the link keeps above it, for the next meter, the plan has on this one; no money is elsewhere."""
    setup = with_level(ONE_METER, maximum_cents=1_001_000)
    top = next(iter(setup.lines))
    table, planner = Table(setup), Planner(setup)

    def together() -> int:
        return sum(table.units(purpose) for purpose in (Purpose.METER, Purpose.OVERFLOW))

    for _ in range(5):
        table.start(1, *range(1, SEATS + 1))
        table.end()
        planner.round(SEATS, [])
        assert planner.state.held.tolist() == [together()]
    assert table.units(Purpose.METER) == 1_001_000 * UNITS_PER_CENT < together()
    table.start(1, 1)
    table.win(1, top)
    [awarded], [planned] = table.decide(), planner.round(1, [top])
    assert awarded == 1_001_000 < planned
    left = planner.state.held.sum() + planned * UNIT
    assert together() + awarded * UNITS_PER_CENT == left
