"""How a rehearsal plays: acts on their way to a floor, one after another by a clock of its own, and a link's tables."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from hashlib import sha256
from typing import Any

from argon2 import PasswordHasher
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.audit.export import link_stream
from croupier.compliance.authority import CardToken, Role, SiteKey
from croupier.demo.cardroom import STAGED, CardroomRound, Person, link_of, people_acts, table_acts
from croupier.demo.papers import approval_act, on_file, open_acts, paper_acts
from croupier.floor.agreement import GOOD_FOR_S, AgreementKey
from croupier.floor.floor import Floor
from croupier.floor.forms import Signed
from croupier.floor.house import FloorLink
from croupier.floor.link.acts import (
    BackOut,
    CallSupervisor,
    CloseLink,
    Confirm,
    EndGame,
    EnterHand,
    Identity,
    IssueSlip,
    LinkAct,
    OpenLink,
    PaidIn,
    PaySlip,
    StartGame,
    TakeBackHand,
    VoidAward,
)
from croupier.floor.link.acts import OfTwo as LinkActOfTwo
from croupier.floor.link.link import statement_of
from croupier.floor.link.setup import LevelSetup, LinkedTable, LinkSetup
from croupier.floor.link.state import LinkState
from croupier.floor.selfcheck import BookCheck, held_of
from croupier.floor.site.acts import NotePin
from croupier.floor.site.notes import OfTwo as SiteActOfTwo
from croupier.floor.site.notes import SiteAct
from croupier.ledger.clock import as_written
from croupier.ledger.entry import Entry
from croupier.store.store import Store
from croupier.web.identity.tickets import new_agreement_key, private_half

# The site that is rehearsed: four tables of different games on two links, and the people who work there

DEALERS = tuple(Signed(who, Role.DEALER) for who in ("ann", "ben", "cho", "dan"))
"""Of table 1, 2, 3 and 4."""
SUPERVISOR, EXECUTIVE = Signed("sue", Role.SUPERVISOR), Signed("eve", Role.EXECUTIVE)
MANAGER, OTHER_MANAGER = Signed("max", Role.MANAGER), Signed("mia", Role.MANAGER)
AUDITOR = Signed("aud", Role.AUDITOR)
NAMES = {
    **{"max": "Max Mora", "mia": "Mia Roth", "eve": "Eve Lind", "sue": "Sue Berg", "aud": "Aud Haug"},
    **{"ann": "Ann Cole", "ben": "Ben Ruiz", "cho": "Cho Park", "dan": "Dan Webb"},
}
TITLES = ("King's Bounty", "Royal Match", "House Money")
SETUP = link_of(TITLES)
SIDE_TABLE = 4
SIDE_SETUP = LinkSetup(
    wager="blazing-7s-dealer",
    paytable="1",
    decks=6,
    wager_cents=500,
    levels=(LevelSetup("", 1_000_000, 230_000, 10_000),),
    executive_threshold_cents=500_000,
    fixed_pay_card_cents=10_000,
    tables=(LinkedTable(SIDE_TABLE, "Bet the Set", "blazing-7s-dealer", "1", 6),),
)
"""A meter of which some hands win a part, and one wins all; fixed pays from $100 on take a card."""

KEY = SiteKey(sha256(b"a rehearsal keeps no secrets").digest())
"""Everybody may know it: nobody's real card is in the book of a rehearsal."""


def founding() -> Iterator[SiteAct]:
    """The site, its people, its papers and its tables, as they are entered before the first day. Mia agrees to what
    takes two."""
    staff = (MANAGER, OTHER_MANAGER, EXECUTIVE, SUPERVISOR, AUDITOR, *DEALERS)
    people = [Person(signed.person, NAMES[signed.person], signed.role) for signed in staff]
    cards = {person.id: CardToken(_card(person.id)).hash(KEY) for person in people}
    first, second, *others = people_acts("rehearsal", "Rehearsal Card Room", people, cards)
    mia = OTHER_MANAGER.person
    chosen = NotePin(id=f"rehearsal-pin-{mia}", by=mia, person=mia, key=_key())
    yield from (first, second, chosen, *others)
    tables = (*SETUP.tables, *SIDE_SETUP.tables)
    yield approval_act("rehearsal", [table.title for table in tables], MANAGER.person, mia)
    yield from paper_acts("rehearsal", MANAGER.person)
    yield from table_acts("rehearsal", tables, people, on_file)
    yield from open_acts("rehearsal", [table.number for table in tables], SUPERVISOR.person)


PIN, SALT = "739164", sha256(b"nor any salt").hexdigest()[:32]
"""Of Mia; likewise no secrets."""


def _card(person: str) -> str:
    return f"rehearsal-card-{person}"


@cache
def _key() -> AgreementKey:
    return new_agreement_key(KEY, card=_card(OTHER_MANAGER.person), pin=PIN, hasher=PasswordHasher(), salt=SALT)


@cache
def _private() -> Ed25519PrivateKey:
    return private_half(KEY, card=_card(OTHER_MANAGER.person), pin=PIN, salt=SALT, method=_key().made)


ACT_US = 10_000
"""Between two acts of one turn."""
IN_FLIGHT = 512
"""Acts that wait for their answer: enough for large commits, and few to remember."""


class RehearsalFloor(Floor):
    """A floor whose self-checks read on where the last one ended.

    A real floor reads the whole book whenever a link opens, which is every evening here: a month would be read thirty
    times over, and nobody else writes in a rehearsal's store meanwhile.
    """

    def __init__(self, connect: Callable[[], Store], clock: Callable[[], str]) -> None:
        self._checked: dict[str, BookCheck] = {}
        super().__init__(connect, KEY, clock, bank_every_s=0)

    def _read_through(self, link: str) -> tuple[int, str]:
        checked = self._checked.setdefault(link, BookCheck(link_stream(link)))
        checked.check(self.reading, lambda: self.ask(link, lambda held: held_of(held.book, held.state)))
        return checked.book.entries, checked.book.digest


@dataclass
class Desk:
    """Where all acts are made. Those of one link may be on their way together; before another book is written, all
    must have arrived, because every writer takes its times from the same clock."""

    floor: Floor
    times: deque[str]
    """What the clock will show, one for each act that is on its way."""
    watch: Callable[[str, Entry], None]
    """Hears of every entry of a link, in order."""
    now: datetime
    """UTC."""
    ids: int = 0
    link: str = ""
    """Whose acts are on their way."""
    waiting: deque[Future[Entry]] = field(default_factory=deque)

    def do(self, link: str, kind: type[LinkAct], prefix: str = "", /, **fields: Any) -> Future[Entry]:
        if link != self.link:
            self.settle()
            self.link = link
        act = kind(id=f"{prefix}{self._next()}", **fields)
        if isinstance(act, LinkActOfTwo):
            act = replace(act, agreed=statement_of(act, link).agreed(_private(), self._until()))
        future = self.floor.submit(act, link)
        self.waiting.append(future)
        if len(self.waiting) > IN_FLIGHT:
            self.watch(link, self.waiting.popleft().result())
        return future

    def do_site(self, act: SiteAct) -> None:
        self.settle()
        self._next()
        if isinstance(act, SiteActOfTwo) and act.seconded and self.floor.site.people.turned:
            act = replace(act, agreed=act.statement().agreed(_private(), self._until()))
        self.floor.do_site(act)

    def _until(self) -> str:
        return as_written(self.now.replace(tzinfo=UTC) + timedelta(seconds=GOOD_FOR_S))

    def _next(self) -> int:
        self.now += timedelta(microseconds=ACT_US)
        self.times.append(f"{self.now.isoformat(timespec='microseconds')}Z")
        self.ids += 1
        return self.ids

    def settle(self) -> None:
        """Everything so far is durable."""
        while self.waiting:
            self.watch(self.link, self.waiting.popleft().result())


@dataclass
class Tables:
    """The tables of one link, and those who decide there."""

    desk: Desk
    link: str
    setup: LinkSetup
    largest: tuple[int, int] = (0, 0)
    """The largest award: cents and number."""
    won: list[int] = field(default_factory=list)
    """Awards that cards have confirmed, and for which the cage has not paid yet."""

    def do(self, kind: type[LinkAct], prefix: str = "", /, **fields: Any) -> Future[Entry]:
        return self.desk.do(self.link, kind, prefix, **fields)

    def turn(self, rounds: Sequence[CardroomRound], *, stopped: bool = False) -> None:
        """All start, then all hands come in, then all are decided and end: awards of several tables may be open."""
        for played in rounds:
            self._start(played)
        if stopped:
            self.do(CloseLink, by=SUPERVISOR, reason="The display of the meters is dark.")
        entered = [dict(self._enter(played)) for played in rounds]
        for played, awards in zip(rounds, entered, strict=True):
            self._decide(played, awards)
            self.do(EndGame, by=DEALERS[played.table - 1], table=played.table)
        if stopped:
            self.do(OpenLink, by=MANAGER)

    def _start(self, deal: CardroomRound) -> None:
        prefix = STAGED if deal.staged else ""
        self.do(StartGame, prefix, by=DEALERS[deal.table - 1], table=deal.table, lit=deal.seats, based=deal.seats)

    def _enter(self, deal: CardroomRound) -> Iterator[tuple[int, Future[Entry]]]:
        """The awards by seat; a slip is taken back at once."""
        dealer: dict[str, Any] = {"by": DEALERS[deal.table - 1], "table": deal.table}
        if deal.slip:
            self.do(EnterHand, seat=deal.slip[0], line=deal.slip[1], **dealer)
            self.do(TakeBackHand, seat=deal.slip[0], **dealer)
        for seat, line in deal.entered:
            future = self.do(EnterHand, seat=seat, line=line, **dealer)
            if self.setup.takes_card(self.setup.lines[line]):
                yield seat, future

    def _decide(self, deal: CardroomRound, entered: dict[int, Future[Entry]]) -> None:
        """From the dealer's right: a wrong claim is voided, the others are confirmed with the card that it takes."""
        if not entered:
            return
        self.do(CallSupervisor, by=DEALERS[deal.table - 1], table=deal.table)
        for seat in sorted(entered, reverse=True):
            award = entered[seat].result().number
            if deal.claim and seat == deal.claim[0]:
                self.do(VoidAward, by=SUPERVISOR, award=award, reason="The recording shows another hand.")
                continue
            cents, above = self.desk.floor.ask(self.link, partial(_card_for, award))
            self.do(Confirm, by=EXECUTIVE if above else SUPERVISOR, award=award)
            self.largest = max(self.largest, (cents, award))
            self.won.append(award)

    # In the cage

    def pay(self) -> None:
        """Every award that waits gets its jackpot slip, and the player is paid for it."""
        for award in self.won:
            slip = self._issue(award)
            self.do(PaySlip, by=MANAGER, slip=slip, paid_in=PaidIn.CHECK, identity=Identity.DRIVER_LICENSE)
        self.won.clear()

    def back_out(self, reason: str) -> None:
        """The last award is backed out by two: its slip is issued already, and is not paid any more."""
        award = self.won.pop()
        self._issue(award)
        self.do(BackOut, by=MANAGER, second=OTHER_MANAGER, award=award, reason=reason)

    def _issue(self, award: int) -> int:
        slip: int = self.do(IssueSlip, by=MANAGER, award=award).result().facts["slip"]
        return slip


def _card_for(award: int, link: FloorLink) -> tuple[int, bool]:
    state: LinkState = link.state
    cents = state.award(award).cents
    return cents, cents > state.setup.executive_threshold_cents
