"""What a house decides about a link: the progressive, what feeds each meter, who confirms awards, which tables join.

    LinkSetup(wager="blazing-7s-dealer", paytable="ML03", decks=8, wager_cents=500, levels=(...), ...)

A setup is a record that reads back from its JSON, and one that contradicts itself or the rule documents cannot be made.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, NamedTuple

from croupier.compliance.approval import shipped_register
from croupier.errors import Refusal
from croupier.floor.forms import plain, read_record
from croupier.floor.refusals import No, refusal
from croupier.games.blackjack.game import SEATS
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.side_wagers import DECKS_OF, PROGRESSIVES, TRILUX
from croupier.games.meter import PPM, Style
from croupier.games.money import dollars
from croupier.games.paytable import Kind, Pay, Paytable, plain_label
from croupier.games.tabulate import priced_digest, rules_digest
from croupier.games.wager import Outcome, Price, Wager
from croupier.ledger.entry import UNITS_PER_CENT, Account, Purpose, canonical

PERCENT = 10_000
"""Of parts per million."""
STAY_ON_LAYOUT = frozenset({TRILUX.key})
"""Whose wagers lie until they are settled; the others are removed when the game starts (document 000)."""
MOST_LINK_CENTS = 10**11
"""A billion dollars: no amount of a link is higher."""
MOST_TABLES = 999
LAW = 4
"""The law by which the hands of a game are settled now (see `settlement`). The entry of its first hand names it."""
LOCKED_INSIDE = 3
"""From this law on, what undecided hands move is locked inside; before, it was moved in the book at once."""
MOST_ROUND_S = 600
"""No game takes longer from START GAME to its first hand for certain."""


CAME_LATER = ("fixed_pay_card_cents", "least_round_s")
"""Of a setup, what older books do not have."""


class AwardOrder(StrEnum):
    """In which order several awards of one round are taken from a meter (document 000, Progressive Winner)."""

    DEALERS_RIGHT = "dealers-right"
    """From the seat farthest on the dealer's right, the highest number, counter-clockwise."""
    ENTRY = "entry"
    """As they are entered, where the house's internal controls say so."""


class Line(NamedTuple):
    """A hand of the paytable that pays."""

    label: str
    pay: Pay
    cents: int
    """What a fixed pay comes to; parts of a cent stay with the house. Nothing for a share."""
    pays: str
    """The pay as the paytable prints it."""
    printed: str
    """The hand as the paytable prints it; books call it by its label."""

    @property
    def is_share(self) -> bool:
        return self.pay.kind is Kind.SHARE


def _percent(ppm: int) -> str:
    return f"{ppm / PERCENT:,.4f}".rstrip("0").removesuffix(".")


@dataclass(frozen=True)
class LevelSetup:
    """One meter, and what feeds it."""

    level: str
    """As the paytable calls it; empty where it has one meter."""
    seed_cents: int
    """Of the house's own money, after every 100 % award."""
    contribution_ppm: int
    """Of each wager, to the meter."""
    reserve_ppm: int = 0
    """Of each wager, to what is added to the seed."""
    maximum_cents: int | None = None
    """As posted at the tables; what is contributed above it waits for the next meter."""

    @property
    def title(self) -> str:
        return self.level or "Progressive"

    @cached_property
    def meter(self) -> Account:
        return Account(Purpose.METER, self.level)

    @cached_property
    def reserve(self) -> Account:
        return Account(Purpose.RESERVE, self.level)

    @cached_property
    def overflow(self) -> Account:
        return Account(Purpose.OVERFLOW, self.level)

    def __post_init__(self) -> None:
        _within(f"the seed of {self.title}", self.seed_cents, 0, MOST_LINK_CENTS)
        for what, ppm in (("contribution", self.contribution_ppm), ("reserve", self.reserve_ppm)):
            if not 0 <= ppm <= PPM:
                _wrong(f"the {what} of {self.title} is 0 to 100 % of a wager, not {_percent(ppm)} %")
        if self.maximum_cents is not None:
            _within(f"the maximum of {self.title}", self.maximum_cents, self.seed_cents, MOST_LINK_CENTS)


class WagerPart(NamedTuple):
    """What one wager brings to a level, in units."""

    level: LevelSetup
    meter_units: int
    reserve_units: int


@dataclass(frozen=True)
class LinkedTable:
    """A table as the link sees it."""

    number: int
    title: str
    """The game, by its approved title."""
    wager: str
    paytable: str
    decks: int
    seats: int = SEATS
    hole_card: bool = True
    """Whether the dealer checks for a blackjack before players draw: it decides who gets a third card."""
    also: tuple[str, ...] = ()
    """Other progressive wagers that the table offers."""

    def __post_init__(self) -> None:
        if not 1 <= self.number <= MOST_TABLES:
            _wrong(f"tables are numbered 1 to {MOST_TABLES}, not {self.number}")
        if not 1 <= self.seats <= SEATS:
            _wrong(f"table {self.number} has 1 to {SEATS} seats, not {self.seats}")


@dataclass(frozen=True)
class LinkSetup:
    """The configuration of a link, which changes only while it is closed."""

    wager: str
    paytable: str
    decks: int
    wager_cents: int
    levels: tuple[LevelSetup, ...]
    """In the order of the paytable."""
    executive_threshold_cents: int
    """Awards above it are confirmed with an Executive's card."""
    tables: tuple[LinkedTable, ...]
    style: Style = Style.SHARES_ONLY
    order: AwardOrder = AwardOrder.DEALERS_RIGHT
    hole_card: bool = True
    fixed_pay_card_cents: int | None = None
    """Fixed pays from this amount on wait for a card, as awards do; None: no fixed pay does."""
    least_round_s: int | None = None
    """From START GAME to the first hand of a game, in seconds; None: a hand may come at once."""

    def __post_init__(self) -> None:
        if self.wager not in PROGRESSIVES:
            _wrong(f"there is no progressive {self.wager!r}; there are {', '.join(PROGRESSIVES)}")
        tables = self.rules.paytables
        if self.paytable not in tables:
            _wrong(f"{self.rules.title} has no paytable {self.paytable!r}; there are {', '.join(tables)}")
        if self.decks not in DECKS_OF[self.wager]:
            _wrong(f"{self.rules.title} is dealt from {' or '.join(map(str, DECKS_OF[self.wager]))} decks")
        _within("the wager", self.wager_cents, 1, MOST_LINK_CENTS)
        _within("the Executive's threshold", self.executive_threshold_cents, 0, MOST_LINK_CENTS)
        if self.fixed_pay_card_cents is not None:
            _within("the least fixed pay that takes a card", self.fixed_pay_card_cents, 0, MOST_LINK_CENTS)
        if self.least_round_s is not None and not 0 <= self.least_round_s <= MOST_ROUND_S:
            _wrong(f"the least time to a hand is 0 to {MOST_ROUND_S} seconds, not {self.least_round_s}")
        self._check_levels()
        self._check_tables()

    def _check_levels(self) -> None:
        named = [level.level for level in self.levels]
        needed = list(dict.fromkeys(line.pay.meter for line in self.lines.values() if line.is_share))
        if named != needed:
            _wrong(f"paytable {self.paytable} has the levels {_listed(needed)}, in this order, not {_listed(named)}")
        paid_in = sum(level.contribution_ppm + level.reserve_ppm for level in self.levels)
        if paid_in > PPM:
            _wrong(f"contributions and reserves are {_percent(paid_in)} % of a wager together, which is more than all")

    def _check_tables(self) -> None:
        numbers = [table.number for table in self.tables]
        if not numbers:
            _wrong("it joins at least one table")
        for number in numbers:
            if numbers.count(number) > 1:
                _wrong(f"table {number} is named twice")

    # What follows from it

    @property
    def rules(self) -> Wager:
        return PROGRESSIVES[self.wager]

    @property
    def posted(self) -> Paytable:
        return self.rules.paytables[self.paytable]

    @cached_property
    def lines(self) -> dict[str, Line]:
        """The hands that pay, in the order of the paytable."""
        return {
            row.label: Line(
                row.label,
                row.pay,
                0 if row.pay.kind is Kind.SHARE else int(row.pay.odds * self.wager_cents),
                str(row.pay),
                row.printed,
            )
            for row in self.posted.rows
        }

    @cached_property
    def prices(self) -> Mapping[Outcome, Price]:
        """What every outcome is paid."""
        return self.rules.prices(self.posted)

    def line(self, label: str) -> Line:
        """The line of that name, however it is spaced and capitalised."""
        line = self.lines.get(label) or self._lines_by_plain_label.get(plain_label(label))
        if line:
            return line
        raise refusal(No.NO_SUCH_LINE, paytable=self.paytable, line=label, lines=", ".join(self.lines))

    @cached_property
    def _lines_by_plain_label(self) -> dict[str, Line]:
        """Of two lines with one label the first."""
        return {plain_label(line.label): line for line in reversed(self.lines.values())}

    @cached_property
    def level(self) -> dict[str, LevelSetup]:
        return {level.level: level for level in self.levels}

    @cached_property
    def table(self) -> dict[int, LinkedTable]:
        return {table.number: table for table in self.tables}

    def takes_card(self, line: Line) -> bool:
        """Whether a hand of this line waits for a card: every share, and a fixed pay from a set amount on."""
        least = self.fixed_pay_card_cents
        return line.is_share or (least is not None and line.cents >= least)

    @property
    def wagers_stay(self) -> bool:
        """Whether progressive wagers lie until they are settled, or are removed when the game starts."""
        return self.wager in STAY_ON_LAYOUT

    @cached_property
    def wager_parts(self) -> tuple[WagerPart, ...]:
        """Of each wager, what goes to each meter, before a posted maximum, and to its reserve."""
        cents = self.wager_cents
        return tuple(
            WagerPart(level, cents * level.contribution_ppm, cents * level.reserve_ppm) for level in self.levels
        )

    @cached_property
    def tray_units(self) -> int:
        """Of each wager, what goes neither to a meter nor to a reserve."""
        paid_in = sum(level.contribution_ppm + level.reserve_ppm for level in self.levels)
        return self.wager_cents * (UNITS_PER_CENT - paid_in)

    @cached_property
    def game_digest(self) -> str:
        """Over the rules and pays, as it stands on the PAR sheet and in the approval."""
        return _game_digest(self.wager, self.paytable, self.decks)

    @cached_property
    def digest(self) -> str:
        """Over the whole configuration and the rules it is for."""
        return hashlib.sha256(canonical([self.as_json(), self.game_digest])).hexdigest()

    # Text

    def as_json(self) -> dict[str, Any]:
        """What came to setups later is written where it is decided: older ones keep their digest."""
        fields: dict[str, Any] = plain(self)
        return {name: value for name, value in fields.items() if name not in CAME_LATER or value is not None}

    @classmethod
    def of_json(cls, values: Any) -> LinkSetup:
        return read_record(cls, values)


@cache
def _game_digest(wager: str, paytable: str, decks: int) -> str:
    rules = PROGRESSIVES[wager]
    return priced_digest(rules, rules.paytables[paytable], "blackjack", [decks, rules_digest(rules)])


def _wrong(why: str) -> None:
    raise refusal(No.WRONG_SETUP, why=why)


def _within(what: str, cents: int, low: int, high: int) -> None:
    if not low <= cents <= high:
        _wrong(f"{what} is {dollars(low)} to {dollars(high)}, not {dollars(cents)}")


def _listed(levels: list[str]) -> str:
    return ", ".join(level or "Progressive" for level in levels) or "none"


# Whether a table may join a link: the same title list, paytable and decks, and the same chances, proved by counting.
#
# WAC 230-15-685 links games with the same winning hand and the same probability. The product does not take the words
# of a setup for it: it counts every deal of the table and of the link under the rules of the game, and compares line
# by line.


def host_titles(wager: str) -> tuple[str, ...]:
    """The games that a progressive goes with, by the approvals on file."""
    titles = (title for approval in shipped_register().approvals for title in approval.host_titles(wager))
    return tuple(dict.fromkeys(titles))


def progressives_with(title: str) -> tuple[str, ...]:
    """The progressives that go with a game; none where a table of it can be on no link."""
    return tuple(wager for wager in PROGRESSIVES if title in host_titles(wager))


@dataclass(frozen=True)
class LineProof:
    """One line, as counted at the table and in the link."""

    label: str
    pays: str
    table: Fraction
    link: Fraction

    def as_json(self) -> dict[str, Any]:
        return {"hand": self.label, "pays": self.pays, "table": str(self.table), "link": str(self.link)}


def why_not_join(table: LinkedTable, setup: LinkSetup) -> Refusal | None:
    """Why this table cannot be on this link, or None."""
    titles = host_titles(setup.wager)
    if table.title not in titles:
        return refusal(No.OTHER_TITLE, table=table.number, title=table.title, titles=", ".join(titles))
    theirs, ours = (_named(table.wager, table.paytable), _named(setup.wager, setup.paytable))
    if theirs != ours:
        return refusal(No.OTHER_PAYTABLE, table=table.number, theirs=theirs, ours=ours)
    if table.decks != setup.decks:
        return refusal(No.OTHER_DECKS, table=table.number, theirs=table.decks, ours=setup.decks)
    if table.also:
        also = ", ".join(PROGRESSIVES[key].title if key in PROGRESSIVES else key for key in table.also)
        return refusal(No.SECOND_PROGRESSIVE, table=table.number, title=table.title, also=also)
    for line in join_proof(table, setup):
        if line.table != line.link:
            return refusal(No.OTHER_CHANCES, table=table.number, line=line.label, theirs=line.table, ours=line.link)
    return None


def join_proof(table: LinkedTable, setup: LinkSetup) -> tuple[LineProof, ...]:
    """Every winning line with its exact probability at the table and in the link, each counted by itself."""
    theirs = _chances(table.wager, table.paytable, table.decks, hole_card=table.hole_card)
    ours = _chances(setup.wager, setup.paytable, setup.decks, hole_card=setup.hole_card)
    nothing = Fraction(0)
    return tuple(
        LineProof(line.label, str(line.pay), theirs.get(line.label, nothing), ours.get(line.label, nothing))
        for line in setup.lines.values()
    )


@cache
def _chances(wager: str, paytable: str, decks: int, *, hole_card: bool) -> dict[str, Fraction]:
    """By winning line; a player who holds two sevens is taken to draw, so that only the deal decides."""
    from croupier.analysis.blackjack.side.census import side_census  # and numpy: a server starts without

    game = PROGRESSIVES[wager]
    counts = side_census(game, decks, rules=Rules(decks=decks, hole_card=hole_card), stands_against=())
    prices, deals = game.prices(game.paytables[paytable]), sum(counts.values())
    by_row: dict[str, Fraction] = {}
    for outcome, count in counts.items():
        row = prices[outcome].row
        by_row[row] = by_row.get(row, Fraction(0)) + Fraction(count, deals)
    return by_row


def _named(wager: str, paytable: str) -> str:
    title = PROGRESSIVES[wager].title if wager in PROGRESSIVES else wager
    return f"{title}, paytable {paytable}"
