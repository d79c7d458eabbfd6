"""What was held against what theory says, with the interval in which it should lie 19 times in 20.

Two figures for each link:

    house    what the house kept: the tray's part of wagers, less fixed pays from the tray, less seeds after 100 %
             awards. Its theory is the hold on the PAR sheet; a wager's result does not depend on the meters.
    game     wagers in less everything paid out to players. Its theory is the house edge at the meters as they stood
             when each game started.

Probabilities are exact counts of the deals. Means and variances are fractions until they are printed: the result of a
wager is a polynomial in the meters, so that sums of meters and of their products are all that must be kept of a game.

The 95 % interval takes wagers as independent and their sum as normal. That is good enough where the rarest hand is
expected at least 25 times; below that the report says so. The wide interval holds for any number of wagers, and however
the seats of one game, which see the same dealer's card, are correlated (Chebyshev).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt
from typing import Any, ClassVar

from croupier.analysis.par.print import TableInPrint
from croupier.analysis.printing import fixed
from croupier.floor.act import EntryKind
from croupier.floor.facts import StartFacts, facts_of
from croupier.floor.link.setup import LinkSetup, join_proof
from croupier.games.meter import Style
from croupier.games.money import dollars
from croupier.ledger.entry import UNITS_PER_CENT
from croupier.reports.books import Balances, BookEntry, Books, Played, setup_in
from croupier.reports.period import Period
from croupier.reports.sheet import Report, heading, money, table

NORMAL_95 = Fraction(1_959_963_985, 10**9) ** 2
CHEBYSHEV_95 = Fraction(20)
"""Squared: how many standard deviations leave out at most one case in 20, of a normal law and of any."""
ENOUGH_HITS = 25
"""Of the rarest hand, on average: Cochran's rule for a sum that one rare event makes skew."""
PLAY = frozenset(
    {
        EntryKind.START,
        EntryKind.PAY,
        EntryKind.UNPAY,
        EntryKind.ENTER,
        EntryKind.TAKE_BACK,
        EntryKind.VOID,
        EntryKind.CONFIRM,
        EntryKind.BACK_OUT,
    }
)
"""Entries that are play, and what takes a result back; what else the office moves is no result."""
INSIDE, OUTSIDE, TOO_FEW, NOTHING = "inside", "OUTSIDE", "too few wagers", "no wagers"


@dataclass(frozen=True)
class HoldRow:
    """One figure of one link."""

    link: str
    figure: str
    """`house` or `game`."""
    wagers: int
    coin_in_cents: int
    actual_units: int
    theoretical_units: int
    low_units: int
    high_units: int
    """The 95 % interval around the theoretical result."""
    wide_low_units: int
    wide_high_units: int
    actual_ppm: int | None
    theoretical_ppm: int | None
    """Of coin in."""
    low_ppm: int | None
    high_ppm: int | None
    rarest_hand: str
    rarest_expected: str
    """How often in so many wagers."""
    normal_fits: bool
    verdict: str


@dataclass(frozen=True)
class Hold(Report):
    kind: ClassVar = "hold"
    title: ClassVar = "Theoretical and actual hold"
    row: ClassVar = HoldRow

    rows: tuple[HoldRow, ...]
    on_file: tuple[str, ...] = ()
    """What the register has for the wagers that theory is of."""

    def sums(self) -> dict[str, Any]:
        return {"on_file": list(self.on_file)}

    def tables(self) -> Sequence[TableInPrint]:
        links = dict.fromkeys(row.link for row in self.rows)
        return [self._of_link(link) for link in links] or [table("Links", ("", ""), ())]

    def _of_link(self, link: str) -> TableInPrint:
        rows = [row for row in self.rows if row.link == link]
        lines: list[tuple[str, Callable[[HoldRow], str]]] = [
            ("Verdict", lambda row: row.verdict),
            ("Wagers", lambda row: f"{row.wagers:,}"),
            ("Coin in", lambda row: dollars(row.coin_in_cents)),
            ("Actual", lambda row: _cents(row.actual_units)),
            ("Theoretical", lambda row: _cents(row.theoretical_units)),
            ("95 % interval", lambda row: f"{_cents(row.low_units)} to {_cents(row.high_units)}"),
            ("The same of any law", lambda row: f"{_cents(row.wide_low_units)} to {_cents(row.wide_high_units)}"),
            ("Actual, of coin in", lambda row: _percent(row.actual_ppm)),
            ("Theoretical, of coin in", lambda row: _percent(row.theoretical_ppm)),
            ("95 % interval, of coin in", lambda row: f"{_percent(row.low_ppm)} to {_percent(row.high_ppm)}"),
        ]
        cells = [(words, *(shown(row) for row in rows)) for words, shown in lines]
        return table(f"Link {link}", ("", *(row.figure.capitalize() for row in rows)), cells)

    def notes(self) -> Sequence[str]:
        return (*(note for row in self.rows for note in _notes(row)), *EXPLAINED, *self.on_file)


EXPLAINED = (
    "House: what the house kept of wagers after contributions, fixed pays and seeds; its theory is the hold of the PAR "
    "sheet. Game: wagers in less all that players were paid; its theory is the house edge at the meters of each game.",
    "The 95 % interval takes wagers as independent and their sum as normal; seats of one game see the same dealer's "
    "card, so it is somewhat narrow. The interval of any law holds for any number of wagers and for such seats too.",
)


def _notes(row: HoldRow) -> Sequence[str]:
    if row.normal_fits or not row.wagers or row.figure != "house":
        return ()
    return (
        f"{row.link}: {row.wagers:,} wagers are too few for a normal interval. {row.rarest_hand} is expected "
        f"{row.rarest_expected} times, and it takes {ENOUGH_HITS}; go by the interval of any law instead.",
    )


def _cents(units: int) -> str:
    return money(round(Fraction(units, UNITS_PER_CENT)) * UNITS_PER_CENT)


def _percent(ppm: int | None) -> str:
    return "" if ppm is None else f"{fixed(Fraction(ppm, 10**4), 2)} %"


def hold(books: Books, period: Period, made_at: str) -> Hold:
    games = Played(books, period)
    rows = tuple(row for link in books.links for row in _of_link(books, link, period, games))
    return Hold(heading(books, period, made_at), rows, games.on_file())


def _of_link(books: Books, link: str, period: Period, games: Played) -> Sequence[HoldRow]:
    """Games are summed by the setup that they were played under."""
    balances, played, now = Balances(), list[_Summed](), None
    for entry in books.entries(link, period):
        balances.take(entry)
        games.take(link, entry)
        setup = setup_in(entry)
        if setup:
            now = _Summed(Theory(setup))
            played.append(now)
        if now is not None and entry.kind in PLAY and entry.at >= period.begin:
            now.take(entry, balances)
    return [_row(link, figure, played) for figure in ("house", "game")] if played else ()


# What theory says of one wager


class Theory:
    """A wager under one setup, in units: exact chances, and what each hand does to house and meters."""

    def __init__(self, setup: LinkSetup) -> None:
        self.setup = setup
        self.levels = [level.level for level in setup.levels]
        chances = {line.label: line.link for line in join_proof(setup.tables[0], setup)}
        self.lines = [(line, chances[line.label]) for line in setup.lines.values()]
        self.rarest, self.rarest_chance = min(chances.items(), key=lambda line: line[1] or 2)
        self.wager = setup.wager_cents * UNITS_PER_CENT

    def house(self) -> tuple[Fraction, Fraction]:
        """Mean and variance of what the house keeps of one wager."""
        results = []
        for line, chance in self.lines:
            if line.is_share:
                seed = self.setup.level[line.pay.meter].seed_cents if line.pay.share == 1 else 0
                cost = seed * UNITS_PER_CENT
            else:
                cost = line.cents * UNITS_PER_CENT if self.setup.style is Style.SHARES_ONLY else 0
            results.append((cost, chance))
        mean, square = (sum((cost**power * chance for cost, chance in results), Fraction(0)) for power in (1, 2))
        return self.setup.tray_units - mean, square - mean**2

    def fixed(self, power: int) -> Fraction:
        """The mean of what fixed pays come to, or of its square."""
        parts = ((line.cents * UNITS_PER_CENT) ** power * chance for line, chance in self.lines if not line.is_share)
        return sum(parts, Fraction(0))

    def shares(self, power: int) -> list[Fraction]:
        """By level: the mean of the share that a wager wins, or of its square."""
        return [
            sum(
                (
                    line.pay.share**power * chance
                    for line, chance in self.lines
                    if line.is_share and line.pay.meter == level
                ),
                Fraction(0),
            )
            for level in self.levels
        ]


# What was played


@dataclass
class _Summed:
    """Games under one setup, in sums."""

    theory: Theory
    wagers: int = 0
    squares: int = 0
    """Of the number of wagers of each game: as if seats won and lost together."""
    coin_in_cents: int = 0
    house_units: int = 0
    game_units: int = 0
    meters: list[list[int]] = field(default_factory=list)
    """Sums of the meters over wagers, weighted with wagers and with their squares."""
    products: list[list[list[int]]] = field(default_factory=list)
    """The same of the products of two meters."""

    def __post_init__(self) -> None:
        levels = range(len(self.theory.levels))
        self.meters = [[0 for _ in levels] for _ in range(2)]
        self.products = [[[0 for _ in levels] for _ in levels] for _ in range(2)]

    def take(self, entry: BookEntry, balances: Balances) -> None:
        for source, target, units in entry.transfers:
            if "players" in (source, target):
                self.game_units += units if source == "players" else -units
            for account, moved in ((target, units), (source, -units)):
                if account in ("tray", "house"):
                    self.house_units += moved
        if entry.kind == EntryKind.START:
            facts = facts_of(StartFacts, entry)
            self._start(len(facts["seats"]), facts["wager_cents"], balances)

    def _start(self, wagers: int, wager_cents: int, balances: Balances) -> None:
        self.wagers += wagers
        self.squares += wagers**2
        self.coin_in_cents += wagers * wager_cents
        standing = [balances.of("meter", level) for level in self.theory.levels]
        for weight, sums, products in zip((wagers, wagers**2), self.meters, self.products, strict=True):
            for one, meter in enumerate(standing):
                sums[one] += weight * meter
                for other, second in enumerate(standing):
                    products[one][other] += weight * meter * second

    def expected(self, figure: str) -> tuple[Fraction, Fraction, Fraction]:
        """Mean, variance with all wagers independent, and the most that the variance can be."""
        if figure == "house":
            mean, variance = self.theory.house()
            return self.wagers * mean, self.wagers * variance, self.squares * variance
        first, second = self.theory.shares(1), self.theory.shares(2)
        paid = self.wagers * self.theory.fixed(1) + _dot(first, self.meters[0])
        narrow, wide = (
            self._variance(count, place, first, second) for place, count in enumerate((self.wagers, self.squares))
        )
        return self.wagers * self.theory.wager - paid, narrow, wide

    def _variance(self, count: int, place: int, first: list[Fraction], second: list[Fraction]) -> Fraction:
        """The sum of E[pay^2] - E[pay]^2, where a pay is fixed or a share of its meter."""
        base = self.theory.fixed(1)
        own = [self.products[place][level][level] for level in range(len(first))]
        square = count * self.theory.fixed(2) + _dot(second, own)
        crossed = sum(
            (_dot(first, row) * share for row, share in zip(self.products[place], first, strict=True)), Fraction(0)
        )
        return square - (count * base**2 + 2 * base * _dot(first, self.meters[place]) + crossed)


def _dot(shares: list[Fraction], sums: list[int]) -> Fraction:
    return sum((share * units for share, units in zip(shares, sums, strict=True)), Fraction(0))


def _row(link: str, figure: str, played: Sequence[_Summed]) -> HoldRow:
    expected = [theory.expected(figure) for theory in played]
    mean, narrow, wide = (sum((moments[place] for moments in expected), Fraction(0)) for place in range(3))
    half, widest = _root(NORMAL_95 * narrow), _root(CHEBYSHEV_95 * wide)
    actual = sum(theory.house_units if figure == "house" else theory.game_units for theory in played)
    coin_in = sum(theory.coin_in_cents for theory in played)
    hits = sum((theory.wagers * theory.theory.rarest_chance for theory in played), Fraction(0))
    low, high = round(mean) - half, round(mean) + half
    fits = hits >= ENOUGH_HITS
    inside = INSIDE if low <= actual <= high else OUTSIDE
    return HoldRow(
        *(link, figure, sum(theory.wagers for theory in played), coin_in, actual, round(mean)),
        *(low, high, round(mean) - widest, round(mean) + widest),
        *(_ppm(actual, coin_in), _ppm(round(mean), coin_in), _ppm(low, coin_in), _ppm(high, coin_in)),
        rarest_hand=played[-1].theory.rarest,
        rarest_expected=fixed(hits, 4),
        normal_fits=fits,
        verdict=inside if fits else TOO_FEW if coin_in else NOTHING,
    )


def _root(square: Fraction) -> int:
    """Rounded up, so that an interval is never too narrow."""
    return isqrt(square.numerator // square.denominator) + 1 if square else 0


def _ppm(units: int, coin_in_cents: int) -> int | None:
    """Units are millionths of a cent, so units per cent are parts per million."""
    return round(Fraction(units, coin_in_cents)) if coin_in_cents else None
