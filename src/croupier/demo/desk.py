"""How a rehearsal plays: acts on their way to a floor, one after another by a clock of its own, and a link's tables."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from itertools import accumulate
from math import lcm
from random import Random
from typing import Any

from croupier.audit.export import link_stream
from croupier.compliance.authority import CardToken, Role, SiteKey
from croupier.floor.floor import Floor
from croupier.floor.forms import Signed
from croupier.floor.house import FloorLink
from croupier.floor.link.acts import (
    CallSupervisor,
    CloseLink,
    Confirm,
    EndGame,
    EnterHand,
    LinkAct,
    OpenLink,
    StartGame,
    TakeBackHand,
    VoidAward,
)
from croupier.floor.link.setup import LevelSetup, LinkedTable, LinkSetup, join_proof
from croupier.floor.link.state import LinkState
from croupier.floor.selfcheck import BookCheck, held_of
from croupier.floor.site.acts import CreateSite, EnrolPerson, SetTable, SiteAct, TableSetup
from croupier.ledger.entry import Entry
from croupier.store import Store

# The hands of a rehearsal, drawn by whole numbers from the exact counts of a paytable, and people's mistakes.

STAGED = "staged-"
"""How the command of a round begins that was not drawn."""
STAGED_TABLE, STAGED_SEATS = 2, (6, 3)
PLAYS_OF_10 = 9
"""In how many rounds of ten a seat lays a progressive wager."""
SLIP_IN, CLAIM_IN, SECOND_CLAIM_IN = 120, 240, 3
"""One round in so many has a hand pressed by accident, or a claim that a supervisor voids; the latter oftener where
another seat has won, so that two awards are open in one round."""


@dataclass(frozen=True)
class Round:
    """What happens at a table between START GAME and END GAME."""

    table: int
    seats: tuple[int, ...]
    won: tuple[tuple[int, str], ...]
    """Seats and their lines, from the dealer's right."""
    staged: bool = False
    slip: tuple[int, str] | None = None
    claim: tuple[int, str] | None = None
    """A seat and a line that it does not have."""
    backwards: bool = False
    """Whether the dealer begins at the wrong end."""

    @property
    def entered(self) -> list[tuple[int, str]]:
        """As the dealer enters them."""
        hands = sorted([*self.won, *([self.claim] if self.claim else [])], reverse=True)
        return hands[::-1] if self.backwards else hands


class Hands:
    """Rounds without end, the same for the same seed."""

    def __init__(self, setup: LinkSetup, rng: Random) -> None:
        self._rng, self._setup = rng, setup
        chances = {line.label: line.link for line in join_proof(setup.tables[0], setup)}
        self._deals = lcm(*(chance.denominator for chance in chances.values()))
        self._lines = list(chances)
        self._up_to = list(accumulate(int(chance * self._deals) for chance in chances.values()))
        self._shares = [line.label for line in setup.lines.values() if line.is_share]

    def turn(self, tables: int, *, staged: bool = False) -> list[Round]:
        """A round at each of the first tables."""
        drawn = [
            self._staged() if staged and number == STAGED_TABLE else self._drawn(number)
            for number in range(1, tables + 1)
        ]
        return [self._with_mistakes(each, drawn) for each in drawn]

    def round(self, table: int) -> Round:
        """A round at one table, with nobody playing beside it."""
        return self._with_mistakes(self._drawn(table), ())

    def _drawn(self, table: int) -> Round:
        rng, seats = self._rng, range(1, self._setup.table[table].seats + 1)
        lit = tuple(seat for seat in seats if rng.randrange(10) < PLAYS_OF_10)
        won = [(seat, line) for seat in reversed(lit) if (line := self._line())]
        return Round(table, lit, tuple(won))

    def _line(self) -> str:
        """What a wager wins, if it does; each wager by itself."""
        place = bisect_right(self._up_to, self._rng.randrange(self._deals))
        return self._lines[place] if place < len(self._lines) else ""

    def _staged(self) -> Round:
        """Two players win the last meter in one round."""
        seats = tuple(range(1, self._setup.table[STAGED_TABLE].seats + 1))
        return Round(STAGED_TABLE, seats, tuple((seat, self._shares[-1]) for seat in STAGED_SEATS), staged=True)

    def _with_mistakes(self, each: Round, turn: Sequence[Round]) -> Round:
        """A claim is never for a meter that another table wins now: that award must not be locked on what it leaves."""
        rng, winners = self._rng, {seat for seat, _ in each.won}
        others = [seat for seat in each.seats if seat not in winners]
        slip = claim = None
        if others and not rng.randrange(SLIP_IN):
            slip = (rng.choice(others), rng.choice(self._lines))
        shares = any(line in self._shares for _, line in each.won)
        if others and not rng.randrange(SECOND_CLAIM_IN if shares else CLAIM_IN):
            elsewhere = {line for other in turn if other is not each for _, line in other.won}
            free = [line for line in self._shares if line not in elsewhere]
            claim = (rng.choice(others), rng.choice(free)) if free else None
        made = (each.table, each.seats, each.won, each.staged, slip, claim)
        return Round(*made, backwards=not rng.randrange(4))


# The site that is rehearsed: four tables of different games on two links, and the people who work there.

DEALERS = tuple(Signed(who, Role.DEALER) for who in ("ann", "ben", "cho", "dan"))
"""Of table 1, 2, 3 and 4."""
SUPERVISOR, EXECUTIVE = Signed("sue", Role.SUPERVISOR), Signed("eve", Role.EXECUTIVE)
MANAGER, OTHER_MANAGER = Signed("max", Role.MANAGER), Signed("mia", Role.MANAGER)
AUDITOR = Signed("aud", Role.AUDITOR)
NAMES = {
    **{"max": "Max Mora", "mia": "Mia Roth", "eve": "Eve Lind", "sue": "Sue Berg", "aud": "Aud Haug"},
    **{"ann": "Ann Cole", "ben": "Ben Ruiz", "cho": "Cho Park", "dan": "Dan Webb"},
}
TITLES = ("King's Bounty", "Royal Match", "Free Bet Blackjack")
SETUP = LinkSetup(
    wager="blazing-7s-dealer",
    paytable="ML03",
    decks=8,
    wager_cents=500,
    levels=(
        LevelSetup("Mega", 1_000_000, 37_000, 1_500),
        LevelSetup("Major", 500_000, 55_000, 2_500),
        LevelSetup("Minor", 250_000, 148_000, 6_000),
    ),
    executive_threshold_cents=1_000_000,
    tables=tuple(
        LinkedTable(number, title, "blazing-7s-dealer", "ML03", 8) for number, title in enumerate(TITLES, start=1)
    ),
)
"""24 % of a $5 wager to the meters, in proportion to what their reseeding costs, and 1 % to the reserves."""
SIDE_TABLE = 4
SIDE_SETUP = LinkSetup(
    wager="blazing-7s-dealer",
    paytable="1",
    decks=6,
    wager_cents=500,
    levels=(LevelSetup("", 1_000_000, 230_000, 10_000),),
    executive_threshold_cents=500_000,
    tables=(LinkedTable(SIDE_TABLE, "Zappit Blackjack", "blazing-7s-dealer", "1", 6),),
)
"""A meter of which some hands win a part, and one wins all."""

ZONE, PROFILE, TITLE = "America/Los_Angeles", "washington", "Rehearsal Card Room"
KEY = SiteKey(sha256(b"a rehearsal keeps no secrets").digest())
"""Everybody may know it: nobody's real card is in the book of a rehearsal."""
LEAST_WAGER_CENTS, MOST_WAGER_CENTS = 500, 30_000


def founding() -> Iterator[SiteAct]:
    """The site, its people and its tables, as they are entered before the first day."""
    first, second = MANAGER.person, OTHER_MANAGER.person
    yield CreateSite(
        id="rehearsal-site",
        by=first,
        title=TITLE,
        profile=PROFILE,
        zone=ZONE,
        name=NAMES[first],
        card=_card(first),
    )
    for each in (OTHER_MANAGER, EXECUTIVE, SUPERVISOR, AUDITOR, *DEALERS):
        yield EnrolPerson(
            **{"id": f"rehearsal-{each.person}", "by": first, "second": "" if each is OTHER_MANAGER else second},
            **{"person": each.person, "name": NAMES[each.person], "card": _card(each.person)},
            role=each.role,
        )
    for table in (*SETUP.tables, *SIDE_SETUP.tables):
        limits = (LEAST_WAGER_CENTS, MOST_WAGER_CENTS)
        setup = TableSetup(table.number, table.title, "blackjack", table.decks, table.seats, *limits)
        yield SetTable(id=f"rehearsal-table-{table.number}", by=first, second=second, table=setup)


def _card(person: str) -> str:
    return CardToken(f"rehearsal-card-{person}").hash(KEY)


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

    def _prove(self, link: str) -> None:
        checked = self._checked.setdefault(link, BookCheck(link_stream(link)))
        checked.check(self.reading, lambda: self.ask(link, lambda held: held_of(held.book, held.state)))
        self.house.proved[link] = (checked.book.entries, checked.book.digest)


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
        future = self.floor.submit(act, link)
        self.waiting.append(future)
        if len(self.waiting) > IN_FLIGHT:
            self.watch(link, self.waiting.popleft().result())
        return future

    def do_site(self, act: SiteAct) -> None:
        self.settle()
        self._next()
        self.floor.do_site(act)

    def _next(self) -> int:
        self.now += timedelta(microseconds=ACT_US)
        self.times.append(f"{self.now.isoformat(timespec='microseconds')}Z")
        self.ids += 1
        return self.ids

    def settle(self) -> None:
        """Everything so far is durable."""
        while self.waiting:
            self.watch(self.link, self.waiting.popleft().result())

    def ask(self, link: str, question: Callable[[FloorLink], Any]) -> Any:
        return self.floor.ask(link, question)


@dataclass
class Tables:
    """The tables of one link, and those who decide there."""

    desk: Desk
    link: str
    setup: LinkSetup
    largest: tuple[int, int] = (0, 0)
    """The largest award: cents and number."""

    def do(self, kind: type[LinkAct], prefix: str = "", /, **fields: Any) -> Future[Entry]:
        return self.desk.do(self.link, kind, prefix, **fields)

    def turn(self, rounds: Sequence[Round], *, stopped: bool = False) -> None:
        """All start, then all hands come in, then all are decided and end: awards of several tables may be open."""
        for each in rounds:
            self._start(each)
        if stopped:
            self.do(CloseLink, by=SUPERVISOR, reason="The display of the meters is dark.")
        entered = [dict(self._enter(each)) for each in rounds]
        for each, awards in zip(rounds, entered, strict=True):
            self._decide(each, awards)
            self.do(EndGame, by=DEALERS[each.table - 1], table=each.table)
        if stopped:
            self.do(OpenLink, by=MANAGER)

    def _start(self, each: Round) -> None:
        prefix = STAGED if each.staged else ""
        self.do(StartGame, prefix, by=DEALERS[each.table - 1], table=each.table, lit=each.seats, based=each.seats)

    def _enter(self, each: Round) -> Iterator[tuple[int, Future[Entry]]]:
        """The awards by seat; a slip is taken back at once."""
        dealer: dict[str, Any] = {"by": DEALERS[each.table - 1], "table": each.table}
        if each.slip:
            self.do(EnterHand, seat=each.slip[0], line=each.slip[1], **dealer)
            self.do(TakeBackHand, seat=each.slip[0], **dealer)
        for seat, line in each.entered:
            future = self.do(EnterHand, seat=seat, line=line, **dealer)
            if self.setup.lines[line].is_share:
                yield seat, future

    def _decide(self, each: Round, entered: dict[int, Future[Entry]]) -> None:
        """From the dealer's right: a wrong claim is voided, the others are confirmed with the card that it takes."""
        if not entered:
            return
        self.do(CallSupervisor, by=DEALERS[each.table - 1], table=each.table)
        for seat in sorted(entered, reverse=True):
            award = entered[seat].result().number
            if each.claim and seat == each.claim[0]:
                self.do(VoidAward, by=SUPERVISOR, award=award, reason="The recording shows another hand.")
                continue
            cents, above = self.desk.ask(self.link, partial(_card_for, award))
            self.do(Confirm, by=EXECUTIVE if above else SUPERVISOR, award=award)
            self.largest = max(self.largest, (cents, award))


def _card_for(award: int, link: FloorLink) -> tuple[int, bool]:
    state: LinkState = link.state
    cents = state.award(award).cents
    return cents, cents > state.setup.executive_threshold_cents
