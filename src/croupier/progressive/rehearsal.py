"""A month of a busy link, played by the program itself: a ledger to look at, to practise on and to test against.

    with open_store("sqlite:///month.db") as store:
        made = rehearse(store, Month(rounds=50_000, seed=7), key)

Three tables of different games feed three meters, hand after hand, through the real writer into a real store; only the
clock is not real. Hands come from the exact counts of the paytable, each seat by itself. People make mistakes: hands
are taken back, claims are voided, the meters are adjusted by two, the link is closed in the middle of games. Every day
ends with the proof of each level and a signed checkpoint. The same month makes the same book, whatever the store.

A mistake changes no amount that is paid, so the book can be held against what the counts lead one to expect
(`rehearsal_figures`). One round is staged and not drawn: two players who win the same meter at once, which would take
years to see.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

from croupier.errors import CroupierError, NotationError
from croupier.progressive.acts import (
    Act,
    Adjust,
    CallSupervisor,
    CloseLink,
    Confirm,
    EndGame,
    EnterHand,
    MakeLink,
    OpenLink,
    Reconfigure,
    StartGame,
    TakeBackHand,
    VoidAward,
)
from croupier.progressive.aggregate import Kind
from croupier.progressive.checkpoints import Checkpoint, SignedCheckpoint
from croupier.progressive.export import Tick, link_stream, quiet
from croupier.progressive.ledger import Entry, Purpose
from croupier.progressive.link import Link, proof
from croupier.progressive.profile import Lawful
from croupier.progressive.proof import Proof, Sums
from croupier.progressive.rehearsal_floor import DEALERS, EXECUTIVE, MANAGER, OTHER_MANAGER, SETUP, SUPERVISOR, TITLES
from croupier.progressive.rehearsal_hands import STAGED, Hands, Round
from croupier.progressive.resending import same_link_act
from croupier.progressive.setup import LinkSetup
from croupier.progressive.state import LinkState
from croupier.progressive.store import Store
from croupier.progressive.writer import Writer

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

Watch: TypeAlias = Callable[[Entry], None]
LINK = "rehearsal"
STREAM = link_stream(LINK)
LATER_THRESHOLD_CENTS = 800_000

FIRST_MIDNIGHT = datetime(2026, 11, 1)
OPENS_H, CLOSES_H = 11, 23
MOST_DAYS, MOST_ROUNDS = 366, 10_000_000
ACT_US = 10_000
"""Between two acts of one turn."""
IN_FLIGHT = 512
"""Acts that wait for their answer: enough for large commits, and few to remember."""
ADJUST_EVERY, ADJUST_CENTS = 4, 500
STOP_EVERY = 7


@dataclass(frozen=True)
class Month:
    """What is rehearsed."""

    rounds: int
    """At all tables together."""
    seed: int
    days: int = 30

    def __post_init__(self) -> None:
        for what, value, least, most in (
            ("days", self.days, 1, MOST_DAYS),
            ("rounds", self.rounds, self.days * len(TITLES), MOST_ROUNDS),
        ):
            if not least <= value <= most:
                raise NotationError(f"A rehearsal has {least:,} to {most:,} {what}, not {value:,}.")


@dataclass(frozen=True)
class Day:
    """How a day ended."""

    day: str
    entries: int
    """The number of its last one."""
    proofs: tuple[Proof, ...]
    """Of each level, for this day alone."""


@dataclass(frozen=True)
class Rehearsed:
    """What a rehearsal has left in the store, and what it has not: the checkpoints."""

    month: Month
    setup: LinkSetup
    entries: int
    digest: str
    """Of the last entry."""
    days: tuple[Day, ...]
    checkpoints: tuple[SignedCheckpoint, ...]
    largest_award: int
    """Its number, 0 where nothing was won."""


def check_empty(store: Store) -> None:
    """A rehearsal must not be mistaken for what really happened, so it goes nowhere else."""
    there = sorted(store.streams())
    if there:
        raise CroupierError(f"The store holds {', '.join(there)} already: a rehearsal needs one with nothing in it.")


def rehearse(
    store: Store, month: Month, key: Ed25519PrivateKey, tick: Tick = quiet, watch: Watch = lambda entry: None
) -> Rehearsed:
    """Play the month in an empty store, which is closed afterwards.

    `tick` hears how many rounds were played, `watch` of every entry, in order, once it is durable.
    """
    check_empty(store)
    times: deque[str] = deque()
    with Writer(store, STREAM, Kind(partial(Link, LINK), Link.of_snapshot, same_link_act), times.popleft) as writer:
        return _Rehearsal(writer, times, month, key, tick, watch).play()


@dataclass
class _Rehearsal:
    writer: Writer[Link]
    times: deque[str]
    """What the writer's clock will show, one for each act that is on its way."""
    month: Month
    key: Ed25519PrivateKey
    tick: Tick
    watch: Watch
    now: datetime = FIRST_MIDNIGHT
    ids: int = 0
    waiting: deque[Future[Entry]] = field(default_factory=deque)
    sums: Sums = field(default_factory=dict)
    """As they were at the end of the day before."""
    days: list[Day] = field(default_factory=list)
    checkpoints: list[SignedCheckpoint] = field(default_factory=list)
    largest: tuple[int, int] = (0, 0)
    """Cents and number."""

    def __post_init__(self) -> None:
        self.hands = Hands(SETUP, Random(self.month.seed))

    def play(self) -> Rehearsed:
        self.do(MakeLink, by=MANAGER, second=OTHER_MANAGER, link=LINK, setup=SETUP)
        for day in range(self.month.days):
            self.day(day, _part(self.month.rounds, self.month.days, day))
        entries, digest = self.asked(lambda state: (state.book.entries, state.book.digest))
        done = (entries, digest, tuple(self.days), tuple(self.checkpoints), self.largest[1])
        return Rehearsed(self.month, SETUP, *done)

    # A day

    def day(self, number: int, rounds: int) -> None:
        opens = FIRST_MIDNIGHT + timedelta(days=number, hours=OPENS_H)
        self.now = opens
        self.open(number)
        turns = -(-rounds // len(TITLES))
        length = timedelta(hours=CLOSES_H - OPENS_H) / turns
        for turn in range(turns):
            self.now = max(self.now, opens + turn * length)
            tables = min(len(TITLES), rounds - turn * len(TITLES))
            middle = turn == turns // 2
            staged = middle and number == self.month.days // 3
            self.turn(tables, staged=staged, stopped=middle and number % STOP_EVERY == STOP_EVERY // 2)
            self.tick(tables)
        self.close(number)

    def open(self, number: int) -> None:
        """What was taken off the evening before is put back; in the middle of the month the threshold is lowered."""
        if _adjusted(number - 1, self.month.days):
            self.adjust(Purpose.HOUSE, Purpose.METER, "The recording shows that the count was right: put back.")
        if number and number == self.month.days // 2:
            setup = replace(SETUP, executive_threshold_cents=LATER_THRESHOLD_CENTS)
            self.do(Reconfigure, by=MANAGER, second=OTHER_MANAGER, setup=setup)
        self.do(OpenLink, by=MANAGER)

    def close(self, number: int) -> None:
        """The link is closed, and the day is proved and signed."""
        self.do(CloseLink, by=SUPERVISOR, reason="The day is over.")
        if _adjusted(number, self.month.days):
            self.adjust(Purpose.METER, Purpose.HOUSE, "A sensor of table 2 seems to have counted a chip twice.")
        self.settle()
        day, levels = self.now.date().isoformat(), SETUP.level
        checkpoint, sums, proofs = self.writer.ask(
            lambda link: (_checkpoint(link, day), link.sums, tuple(proof(link, level, self.sums) for level in levels))
        ).result()
        self.sums = sums
        self.days.append(Day(day, checkpoint.number, proofs))
        self.checkpoints.append(checkpoint.signed(self.key))

    def adjust(self, source: Purpose, target: Purpose, text: str) -> None:
        money: dict[str, Any] = {"source": source, "target": target, "cents": ADJUST_CENTS, "text": text}
        self.do(
            Adjust, by=MANAGER, second=OTHER_MANAGER, level=SETUP.levels[-1].level, reason=Lawful.MALFUNCTION, **money
        )

    # A turn: every table plays a round

    def turn(self, tables: int, *, staged: bool, stopped: bool) -> None:
        """All start, then all hands come in, then all are decided and end: awards of several tables may be open."""
        rounds = self.hands.turn(tables, staged=staged)
        for each in rounds:
            self.start(each)
        if stopped:
            self.do(CloseLink, by=SUPERVISOR, reason="The display of the meters is dark.")
        entered = [dict(self.enter(each)) for each in rounds]
        for each, awards in zip(rounds, entered, strict=True):
            self.decide(each, awards)
            self.do(EndGame, by=DEALERS[each.table - 1], table=each.table)
        if stopped:
            self.do(OpenLink, by=MANAGER)

    def start(self, each: Round) -> None:
        prefix = STAGED if each.staged else ""
        self.do(StartGame, prefix, by=DEALERS[each.table - 1], table=each.table, lit=each.seats, based=each.seats)

    def enter(self, each: Round) -> Iterator[tuple[int, Future[Entry]]]:
        """The awards by seat; a slip is taken back at once."""
        dealer: dict[str, Any] = {"by": DEALERS[each.table - 1], "table": each.table}
        if each.slip:
            self.do(EnterHand, seat=each.slip[0], line=each.slip[1], **dealer)
            self.do(TakeBackHand, seat=each.slip[0], **dealer)
        for seat, line in each.entered:
            future = self.do(EnterHand, seat=seat, line=line, **dealer)
            if SETUP.lines[line].is_share:
                yield seat, future

    def decide(self, each: Round, entered: dict[int, Future[Entry]]) -> None:
        """From the dealer's right: a wrong claim is voided, the others are confirmed with the card that it takes."""
        if not entered:
            return
        self.do(CallSupervisor, by=DEALERS[each.table - 1], table=each.table)
        for seat in sorted(entered, reverse=True):
            award = entered[seat].result().number
            if each.claim and seat == each.claim[0]:
                self.do(VoidAward, by=SUPERVISOR, award=award, reason="The recording shows another hand.")
                continue
            cents, above = self.asked(partial(_card_for, award))
            self.do(Confirm, by=EXECUTIVE if above else SUPERVISOR, award=award)
            self.largest = max(self.largest, (cents, award))

    # One act

    def do(self, kind: type[Act], prefix: str = "", **fields: Any) -> Future[Entry]:
        self.now += timedelta(microseconds=ACT_US)
        self.ids += 1
        self.times.append(f"{self.now.isoformat(timespec='microseconds')}Z")
        future = self.writer.submit(kind(id=f"{prefix}{self.ids}", **fields))
        self.waiting.append(future)
        if len(self.waiting) > IN_FLIGHT:
            self.watch(self.waiting.popleft().result())
        return future

    def asked(self, question: Any) -> Any:
        return self.writer.ask(lambda link: question(link.state)).result()

    def settle(self) -> None:
        """Everything so far is durable."""
        while self.waiting:
            self.watch(self.waiting.popleft().result())


def _part(rounds: int, days: int, day: int) -> int:
    """The rounds of a day: they are shared out as evenly as they can be."""
    return rounds * (day + 1) // days - rounds * day // days


def _adjusted(day: int, days: int) -> bool:
    """Whether an evening ends with an adjustment; never the last, because the morning after puts it right."""
    return 0 <= day < days - 1 and day % ADJUST_EVERY == 1


def _card_for(award: int, state: LinkState) -> tuple[int, bool]:
    cents = state.award(award).cents
    return cents, cents > state.setup.executive_threshold_cents


def _checkpoint(link: Link, day: str) -> Checkpoint:
    book = link.state.book
    balances = {str(account): units for account, units in sorted(book.balances.items()) if units}
    return Checkpoint(STREAM, day, book.entries, book.digest, balances)
