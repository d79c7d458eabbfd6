"""Hold: theory from the counts of all deals, taken wager by wager in this file, against the report's sums."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import sqrt

import pytest

from croupier.analysis.blackjack.side.census import side_census
from croupier.floor.link.setup import LinkSetup
from croupier.games.meter import Style
from croupier.reports.books import Books
from croupier.reports.hold import ENOUGH_HITS, HoldRow, Theory, _row, hold
from croupier.reports.period import Period, gaming_days
from support.room import ONE_METER, STYLE_A, THREE_METERS, LinkBook, with_level
from tests.audit.books import Kept
from tests.reports.conftest import RoomBooks
from tests.reports.support import DAYS, MADE_AT, moved, within

UNITS = 10**6
PLAY = ("start", "pay", "unpay", "enter", "take-back", "void", "confirm")


def chances(setup: LinkSetup) -> dict[str, Fraction]:
    counts = side_census(setup.rules, setup.decks, stands_against=())
    found: dict[str, Fraction] = {}
    for outcome, count in counts.items():
        row = setup.rules.prices(setup.posted)[outcome].row
        found[row] = found.get(row, Fraction(0)) + Fraction(count, sum(counts.values()))
    return found


def of_wager(setup: LinkSetup, figure: str, meters: dict[str, int]) -> tuple[Fraction, Fraction]:
    """Mean and variance of one wager, hand by hand."""
    results = []
    for row, chance in chances(setup).items():
        line = setup.lines.get(row)
        result = setup.wager_cents * UNITS if figure == "game" else setup.tray_units
        if line is not None and line.is_share and figure == "game":
            result -= line.pay.share * meters[line.pay.meter]  # type: ignore[assignment]
        elif line is not None and line.is_share:
            result -= setup.level[line.pay.meter].seed_cents * UNITS if line.pay.share == 1 else 0
        elif line is not None and (figure == "game" or setup.style is Style.SHARES_ONLY):
            result -= line.cents * UNITS
        results.append((result, chance))
    assert sum(chance for _, chance in results) == 1
    mean = sum((result * chance for result, chance in results), Fraction(0))
    return mean, sum((result**2 * chance for result, chance in results), Fraction(0)) - mean**2


@pytest.mark.parametrize("figure", ["house", "game"])
@pytest.mark.parametrize("link", ["main", "other"])
@pytest.mark.parametrize("period", [Period(), gaming_days(DAYS[2])], ids=lambda period: period.title)
def test_theory_is_the_sum_over_wagers(room: RoomBooks, link: str, figure: str, period: Period) -> None:
    (row,) = (each for each in hold(room.books(link), period, MADE_AT).rows if each.figure == figure)
    setup = LinkSetup.of_json(room.rows(link)[0]["facts"]["setup"])
    meters, mean, narrow, wide, wagers = dict.fromkeys(setup.level, 0), Fraction(0), Fraction(0), Fraction(0), 0
    wanted = {entry["number"] for entry in within(room.rows(link), period)}
    for entry in room.rows(link):
        for source, target, units in entry["transfers"]:
            for account, change in ((target, units), (source, -units)):
                name, _, level = account.partition(":")
                if name == "meter":
                    meters[level] += change
        if entry["kind"] == "start" and entry["number"] in wanted:
            seats = len(entry["facts"]["seats"])
            one, variance = of_wager(setup, figure, meters)
            mean, narrow, wide = mean + seats * one, narrow + seats * variance, wide + seats**2 * variance
            wagers += seats
    assert (row.wagers, row.theoretical_units) == (wagers, round(mean))
    assert row.high_units - row.theoretical_units == pytest.approx(1.959963985 * sqrt(narrow), rel=1e-9, abs=2)
    assert row.wide_high_units - row.theoretical_units == pytest.approx(sqrt(20 * wide), rel=1e-9, abs=2)
    assert row.theoretical_units - row.low_units == row.high_units - row.theoretical_units


@pytest.mark.parametrize("link", ["main", "other"])
@pytest.mark.parametrize("period", [Period(), gaming_days(DAYS[1])], ids=lambda period: period.title)
def test_actual_is_wagers_in_less_pays_out(room: RoomBooks, link: str, period: Period) -> None:
    house, game = hold(room.books(link), period, MADE_AT).rows
    rows = [row for row in within(room.rows(link), period) if row["kind"] in PLAY]
    paid_in = moved(rows, lambda kind, source, target: source == "players")
    paid_out = moved(rows, lambda kind, source, target: target == "players")
    assert game.actual_units == paid_in - paid_out
    own = moved(rows, lambda _, s, t: t in ("tray", "house")) - moved(rows, lambda _, s, t: s in ("tray", "house"))
    assert house.actual_units == own
    assert house.actual_ppm == round(Fraction(own, house.coin_in_cents))


def test_the_theoretical_hold_is_the_printed_one() -> None:
    """Blazing 7's paytable 1 with 24 % contribution and a seed of 2,000 wagers prints 24.78 % (document 000)."""
    setup = with_level(ONE_METER, contribution_ppm=240_000, reserve_ppm=0)
    mean, _ = Theory(setup).house()
    assert round(mean / setup.wager_cents / 100) == 2478
    ml03 = replace(
        THREE_METERS,
        levels=tuple(replace(each, contribution_ppm=80_000, reserve_ppm=0) for each in THREE_METERS.levels),
    )
    mean, _ = Theory(ml03).house()
    assert round(mean / ml03.wager_cents / 100) == 2165


def test_too_few_wagers_are_said(room: RoomBooks) -> None:
    report = hold(room.books(), Period(), MADE_AT)
    assert {row.verdict for row in report.rows} == {"too few wagers"}
    assert "too few for a normal interval" in report.notes()[0]
    assert not any(row.normal_fits for row in report.rows)


def test_a_link_without_wagers_has_no_verdict() -> None:
    report = hold(Books(Kept(link_main=LinkBook().entries)), Period(), MADE_AT)
    assert {(row.verdict, row.wagers, row.actual_ppm) for row in report.rows} == {("no wagers", 0, None)}
    assert (report.rows[0].low_units, report.rows[0].high_units) == (0, 0)


@pytest.mark.parametrize(("off", "verdict"), [(0, "inside"), (1.95, "inside"), (-1.97, "OUTSIDE"), (1.97, "OUTSIDE")])
def test_with_enough_wagers_the_interval_decides(off: float, verdict: str) -> None:
    from croupier.reports.hold import _Summed

    played = _Summed(Theory(STYLE_A))
    played.wagers = played.squares = 10_000_000
    played.coin_in_cents = played.wagers * 500
    mean, variance, _ = played.expected("house")
    played.house_units = round(mean) + int(off * sqrt(variance))
    row: HoldRow = _row("main", "house", [played])
    assert row.normal_fits
    assert float(row.rarest_expected.replace(",", "")) > ENOUGH_HITS
    assert row.verdict == verdict


def test_simulated_wagers_lie_in_the_interval_as_often_as_said() -> None:
    """Hands drawn with the counted chances: 400 times 20,000 wagers of a game without rare hands."""
    from random import Random

    setup = with_level(ONE_METER, seed_cents=500, contribution_ppm=0, reserve_ppm=0)
    theory, random = Theory(setup), Random(11)
    mean, variance = theory.house()
    table = [(line.cents if not line.is_share else 500, float(chance)) for line, chance in theory.lines]
    costs, weights = [cost for cost, _ in table] + [0], [chance for _, chance in table]
    weights.append(1 - sum(weights))
    half, wagers, inside = 1.96 * sqrt(20_000 * variance), 20_000, 0
    for _ in range(400):
        cost = sum(random.choices(costs, weights, k=wagers))
        inside += abs(wagers * setup.tray_units - cost * UNITS - float(wagers * mean)) <= half
    assert 360 <= inside <= 398
