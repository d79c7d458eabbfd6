"""A month of a card room, played by the program itself: books to look at, to practise on and to test against.

    made = rehearse("sqlite:///month.db", Month(rounds=50_000, seed=7), key)

A site is created with its people, its tables and its bank, all on the floor that real sites run on; only the clock is
not real. Three tables of different games feed three meters, hand after hand. Hands come from the exact counts of the
paytable, each seat by itself. People make mistakes: hands are taken back, claims are voided, the meters are adjusted by
two, an award is backed out, the link is closed in the middle of games. The cage pays what was won against slips. What
wagers bring is deposited every few days. Every day ends with the proof of each level and a signed checkpoint of each
book. The same month makes the same books, whatever the store.

A mistake changes no amount that is paid, so the link's book can be held against what the counts lead one to expect
(`rehearsal_figures`). One round is staged and not drawn: two players who win the same meter at once, which would take
years to see. A fourth table, on a link of its own, is a side show: there, hands win a part of the meter.

The house is open in the evening, half past five to half past two by its own clock. So a gaming day is within one day of
UTC, the next by date, and the checkpoint of that is where the gaming day ended.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias
from zoneinfo import ZoneInfo

from croupier.audit.export import link_stream
from croupier.compliance.profile import Lawful
from croupier.demo.cardroom import ZONE, CardroomRound, Hands
from croupier.demo.desk import (
    MANAGER,
    OTHER_MANAGER,
    SETUP,
    SIDE_SETUP,
    SIDE_TABLE,
    SUPERVISOR,
    TITLES,
    Desk,
    RehearsalFloor,
    Tables,
    founding,
)
from croupier.errors import CroupierError, NotationError
from croupier.floor.link.acts import Adjust, CloseLink, MakeLink, OpenLink, Reconfigure
from croupier.floor.link.link import proof
from croupier.floor.link.setup import LinkSetup
from croupier.floor.site.acts import DeclareBank, Deposit
from croupier.floor.site.bank import up_to_cents
from croupier.ledger.book import Book, Proof, Sums
from croupier.ledger.checkpoint import Checkpoint, SignedCheckpoint
from croupier.ledger.entry import SITE, Entry, Purpose
from croupier.ledger.file import Tick, quiet
from croupier.store.store import Store, open_store

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

Watch: TypeAlias = Callable[[Entry], None]
LINK, SIDE = "rehearsal", "side"
STREAM = link_stream(LINK)
STREAMS = (SITE, STREAM, link_stream(SIDE))
LATER_THRESHOLD_CENTS = 800_000

FIRST = date(2026, 10, 1)
EARLIEST = date(2024, 1, 1)
"""Before that, the place's rules were others."""
OPENS, OPEN_FOR = time(17, 30), timedelta(hours=9)
MOST_DAYS, MOST_ROUNDS, MOST_A_DAY = 366, 10_000_000, 1_000_000
ADJUST_EVERY, ADJUST_CENTS = 4, 500
STOP_EVERY = 7
DEPOSIT_EVERY = 6
BANK_CENTS, BANK_CENTS_A_ROUND = 100_000_000, 3_000
"""Declared at the beginning: room for all seeds that the house will put on the meters."""
SIDE_ROUNDS, SIDE_SHARE_EVERY = 4, 5
"""Rounds of a day at the table of the side show; every so many days a part of its meter is won in one of them."""
BACK_OUT_DAY = 1 + SIDE_SHARE_EVERY
"""When such an award is backed out."""


@dataclass(frozen=True)
class Month:
    """What is rehearsed."""

    rounds: int
    """At the three tables of the link together."""
    seed: int
    days: int = 30
    first: date = FIRST
    """The first gaming day."""

    def __post_init__(self) -> None:
        for what, value, least, most in (
            ("days", self.days, 1, MOST_DAYS),
            ("rounds", self.rounds, self.days * len(TITLES), min(MOST_ROUNDS, self.days * MOST_A_DAY)),
        ):
            if not least <= value <= most:
                raise NotationError(f"A rehearsal has {least:,} to {most:,} {what}, not {value:,}.")
        if self.first < EARLIEST:
            raise NotationError(f"A rehearsal begins on {EARLIEST} or later, not on {self.first}.")


def last_day(now: str) -> date:
    """The last gaming day that can be rehearsed: its day of UTC is over, so that its checkpoint is final."""
    return date.fromisoformat(now[:10]) - timedelta(days=2)


@dataclass(frozen=True)
class Day:
    """How a gaming day ended."""

    day: str
    signed: str
    """The day of UTC in which it lies, which its checkpoints are of."""
    entries: int
    """The number of the link's last one."""
    proofs: tuple[Proof, ...]
    """Of each level of the link, for this day alone."""


@dataclass(frozen=True)
class Rehearsed:
    """What a rehearsal has left in the store, and what it has not: the checkpoints."""

    month: Month
    setup: LinkSetup
    books: Mapping[str, tuple[int, str]]
    """By stream: its last entry, and the digest of that."""
    days: tuple[Day, ...]
    checkpoints: tuple[SignedCheckpoint, ...]
    largest_award: int
    """Of the link: its number, 0 where nothing was won."""

    @property
    def entries(self) -> int:
        return self.books[STREAM][0]

    @property
    def digest(self) -> str:
        return self.books[STREAM][1]


def check_empty(store: Store) -> None:
    """A rehearsal must not be mistaken for what really happened, so it goes nowhere else."""
    there = sorted(store.streams())
    if there:
        raise CroupierError(f"The store holds {', '.join(there)} already: a rehearsal needs one with nothing in it.")


def rehearse(
    url: str, month: Month, key: Ed25519PrivateKey, tick: Tick = quiet, watch: Watch = lambda entry: None
) -> Rehearsed:
    """Play the month in an empty store.

    `tick` hears how many rounds were played, `watch` of every entry of the link, in order, once it is durable.
    """
    with open_store(url) as store:
        check_empty(store)
    times: deque[str] = deque()
    with RehearsalFloor(partial(open_store, url), times.popleft) as floor:
        desk = Desk(floor, times, lambda link, entry: watch(entry) if link == LINK else None, _opening(month.first))
        return _Rehearsal(desk, month, key, tick).play()


def _opening(day: date) -> datetime:
    """When the house opens on a gaming day, in UTC."""
    return datetime.combine(day, OPENS, ZoneInfo(ZONE)).astimezone(UTC).replace(tzinfo=None)


@dataclass
class _Rehearsal:
    desk: Desk
    month: Month
    key: Ed25519PrivateKey
    tick: Tick
    sums: Sums = field(default_factory=dict)
    """As they were at the end of the day before."""
    deposited: int = 0
    """Of what wagers have brought, in units."""
    days: list[Day] = field(default_factory=list)
    checkpoints: list[SignedCheckpoint] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.hands = Hands(SETUP, Random(self.month.seed))
        self.side_hands = Hands(SIDE_SETUP, Random(f"{self.month.seed} {SIDE}"))
        self.tables, self.side = Tables(self.desk, LINK, SETUP), Tables(self.desk, SIDE, SIDE_SETUP)

    def play(self) -> Rehearsed:
        for act in founding():
            self.desk.do_site(act)
        balance = BANK_CENTS + BANK_CENTS_A_ROUND * self.month.rounds
        self.desk.do_site(DeclareBank(id="declared-1", by=MANAGER.person, balance_cents=balance, paid={}))
        for tables in (self.tables, self.side):
            tables.do(MakeLink, by=MANAGER, second=OTHER_MANAGER, link=tables.link, setup=tables.setup)
        for day in range(self.month.days):
            self.day(day, _part(self.month.rounds, self.month.days, day))
        books = {stream: (ending.number, ending.digest) for stream, ending in self.ends().items()}
        done = (books, tuple(self.days), tuple(self.checkpoints), self.tables.largest[1])
        return Rehearsed(self.month, SETUP, *done)

    # A day

    def day(self, number: int, rounds: int) -> None:
        desk, opens = self.desk, _opening(self.month.first + timedelta(days=number))
        desk.now = max(desk.now, opens)
        self.side_show(number)
        self.open(number)
        turns = -(-rounds // len(TITLES))
        length = OPEN_FOR / turns
        for turn in range(turns):
            desk.now = max(desk.now, opens + turn * length)
            tables = min(len(TITLES), rounds - turn * len(TITLES))
            middle = turn == turns // 2
            drawn = self.hands.turn(tables, staged=middle and number == self.month.days // 3)
            self.tables.turn(drawn, stopped=middle and number % STOP_EVERY == STOP_EVERY // 2)
            self.tick(tables)
        self.close(number)

    def side_show(self, number: int) -> None:
        """A few rounds before the other tables open."""
        self.side.do(OpenLink, by=MANAGER)
        rounds = [self.side_hands.round(SIDE_TABLE) for _ in range(SIDE_ROUNDS)]
        if number % SIDE_SHARE_EVERY == 1:
            parts = [label for label, line in SIDE_SETUP.lines.items() if line.is_share and line.pay.share != 1]
            rounds.append(CardroomRound(SIDE_TABLE, (1, 3), ((3, parts[0]),)))
        for played in rounds:
            self.side.turn([played])
        if number == BACK_OUT_DAY:
            self.side.back_out("The recording shows that the hand was of the game before.")
        self.side.do(CloseLink, by=SUPERVISOR, reason="The table is closed for tonight.")
        self.side.pay()

    def open(self, number: int) -> None:
        """What was taken off the evening before is put back; in the middle of the month the threshold is lowered."""
        if _adjusted(number - 1, self.month.days):
            self.adjust(Purpose.HOUSE, Purpose.METER, "The recording shows that the count was right: put back.")
        if number and number == self.month.days // 2:
            setup = replace(SETUP, executive_threshold_cents=LATER_THRESHOLD_CENTS)
            self.tables.do(Reconfigure, by=MANAGER, second=OTHER_MANAGER, setup=setup)
        self.tables.do(OpenLink, by=MANAGER)

    def close(self, number: int) -> None:
        """The link is closed, the cage pays what was won, what came in goes to the bank now and then, and the day is
        proved and signed."""
        self.tables.do(CloseLink, by=SUPERVISOR, reason="The day is over.")
        self.tables.pay()
        if _adjusted(number, self.month.days):
            self.adjust(Purpose.METER, Purpose.HOUSE, "A sensor of table 2 seems to have counted a chip twice.")
        self.desk.settle()
        if number % DEPOSIT_EVERY == DEPOSIT_EVERY - 1:
            self.deposit(number // DEPOSIT_EVERY + 1)
        day, signed = str(self.month.first + timedelta(days=number)), self.desk.now.date().isoformat()
        sums, proofs = self.desk.floor.ask(
            LINK, lambda link: (link.sums, tuple(proof(link, level, self.sums) for level in SETUP.level))
        )
        ends = {stream: replace(end, day=signed) for stream, end in self.ends().items()}
        self.sums = sums
        self.days.append(Day(day, signed, ends[STREAM].number, proofs))
        self.checkpoints += [end.signed(self.key) for end in ends.values()]

    def deposit(self, number: int) -> None:
        """Whatever wagers have brought since the last time."""
        brought = sum(brief.totals.contributed for brief in self.desk.floor.links.values())
        cents, self.deposited = up_to_cents(brought - self.deposited), brought
        if cents:
            slip = {"id": f"deposited-{number}", "by": MANAGER.person, "reference": f"Slip {number}"}
            self.desk.do_site(Deposit(**slip, amount_cents=cents, contributed={}))

    def adjust(self, source: Purpose, target: Purpose, text: str) -> None:
        money: dict[str, Any] = {"source": source, "target": target, "cents": ADJUST_CENTS, "text": text}
        level = SETUP.levels[-1].level
        self.tables.do(Adjust, by=MANAGER, second=OTHER_MANAGER, level=level, reason=Lawful.MALFUNCTION, **money)

    def ends(self) -> dict[str, Checkpoint]:
        """By stream, where each book stands now."""
        self.desk.settle()
        site = _end(SITE, self.desk.floor.site.book)
        links = {link_stream(link): self.desk.floor.ask(link, partial(_end_of, link)) for link in (LINK, SIDE)}
        return {SITE: site, **links}


def _end_of(name: str, link: Any) -> Checkpoint:
    return _end(link_stream(name), link.state.book)


def _end(stream: str, book: Book) -> Checkpoint:
    balances = {str(account): units for account, units in sorted(book.balances.items()) if units}
    return Checkpoint(stream, "", book.entries, book.digest, balances)


def _part(rounds: int, days: int, day: int) -> int:
    """The rounds of a day: they are shared out as evenly as they can be."""
    return rounds * (day + 1) // days - rounds * day // days


def _adjusted(day: int, days: int) -> bool:
    """Whether an evening ends with an adjustment; never the last, because the morning after puts it right."""
    return 0 <= day < days - 1 and day % ADJUST_EVERY == 1
