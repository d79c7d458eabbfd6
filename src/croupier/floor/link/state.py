"""What a link is at one moment, built from its entries alone: its setup, its book, its tables, its open awards."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, NamedTuple

from croupier.errors import Refusal
from croupier.floor.act import EntryKind
from croupier.floor.forms import plain, read_record
from croupier.floor.link.meters import Award, MeterPart, Moves, Stand, in_line
from croupier.floor.link.setup import LOCKED_INSIDE, LevelSetup, LinkedTable, LinkSetup
from croupier.floor.refusals import No, refusal
from croupier.games.money import dollars
from croupier.ledger.book import FIXED_PAYS, Book, Flow, Sums, move
from croupier.ledger.entry import UNITS_PER_CENT, Account, Entry, Purpose, Transfer


class Status(StrEnum):
    CLOSED = "closed"
    OPEN = "open"
    RETIRED = "retired"


@dataclass(frozen=True)
class Entered:
    """The hand of one seat in the game that is on."""

    line: str
    award: int
    """The number of the entry."""
    fixed: bool = False
    """Whether it is a fixed pay; undecided while `award` is one of the link's undecided awards, else paid."""
    final: bool = False
    """Whether a card has confirmed it."""
    cents: int = 0
    """Of a fixed pay that is made; a confirmed award has them too."""
    parts: tuple[MeterPart, ...] = ()
    """Which meters made a fixed pay that is paid, in style A."""
    cards: str = ""
    """Where they were entered."""
    counted: tuple[str, ...] = ()
    """Levels of a fixed pay that `stood` is less already: an award behind it was confirmed."""

    @property
    def paid(self) -> bool:
        """Whether it is a fixed pay that was made: one that waits for a card is not."""
        return self.fixed and self.cents > 0


@dataclass
class TableCycle:
    """Where a table is between START GAME and END GAME."""

    round: int = 0
    """Games started so far."""
    on: bool = False
    seats: tuple[int, ...] = ()
    """Whose progressive wagers are locked in."""
    entered: dict[int, Entered] = field(default_factory=dict)
    stood: dict[str, Stand] = field(default_factory=dict)
    """Each level as it stood when the game's first hand was entered, or as the last confirmed award has left it."""
    law: int = 1
    """By which the game's hands are taken from the meters, once there are any (see `settlement`)."""
    started: str = ""
    """When START GAME was pressed, where the link has a least time to a hand."""
    based: tuple[int, ...] = ()
    """Seats with a base wager."""
    stands: dict[str, Stand] = field(default_factory=dict)
    """Of a game that was reopened: each level as it stood when it ended, for the first hand that is entered now."""
    last: TableCycle | None = None
    """The game that ended last, as it was, until another begins: it can be reopened."""

    def begin(self, round_: int, seats: tuple[int, ...], based: tuple[int, ...], started: str = "") -> None:
        self.round, self.on, self.seats, self.based, self.started = round_, True, seats, based, started
        self.last = None

    def end(self, stands: dict[str, Stand]) -> None:
        """Nothing of the game counts any more, and all of it is kept for a late winner."""
        last = object.__new__(TableCycle)
        vars(last).update(vars(self), on=False, stands=self.stands or stands)
        vars(self).update(vars(TableCycle(self.round, last=last)))

    def reopen(self) -> None:
        assert self.last is not None, "a game has ended before it is reopened"
        vars(self).update(vars(replace(self.last.copy(), on=True)))

    def copy(self) -> TableCycle:
        """Made for every table after every commit: field by field, which `replace` takes four times as long for."""
        cycle = object.__new__(TableCycle)
        vars(cycle).update(vars(self), entered=dict(self.entered), stood=dict(self.stood))
        return cycle

    def as_json(self) -> dict[str, Any]:
        entered = [[seat, plain(hand)] for seat, hand in self.entered.items()]
        stood = {level: plain(parts) for level, parts in self.stood.items()}
        return {
            **{"round": self.round, "on": self.on, "seats": list(self.seats), "entered": entered, "stood": stood},
            **_law(self.law),
            **({"started": self.started} if self.started else {}),
            **({"based": list(self.based)} if self.based else {}),
            **({"stands": {level: plain(standing) for level, standing in self.stands.items()}} if self.stands else {}),
            **({"last": self.last.as_json()} if self.last else {}),
        }

    @classmethod
    def of_json(cls, values: dict[str, Any]) -> TableCycle:
        entered = {seat: read_record(Entered, hand) for seat, hand in values["entered"]}
        stood, stands = (
            {level: read_record(Stand, value) for level, value in values.get(name, {}).items()}
            for name in ("stood", "stands")
        )
        game = values["round"], values["on"], tuple(values["seats"])
        last = cls.of_json(values["last"]) if "last" in values else None
        more = values.get("law", 1), values.get("started", ""), tuple(values.get("based", ()))
        return cls(*game, entered, stood, *more, stands, last)


def _law(law: int) -> dict[str, int]:
    """As a snapshot says it; the first is not written."""
    return {"law": law} if law > 1 else {}


@dataclass(frozen=True)
class TableCall:
    """A table that has called a supervisor, until a card has decided what it called for."""

    entry: int
    at: str
    by: str
    """The dealer."""
    taken_by: str = ""
    """Who goes there; nobody yet where it is empty."""
    taken_at: str = ""


class Won(NamedTuple):
    """What a confirmed share of a meter comes to, with what was put right since; nothing once it is backed out."""

    level: str
    cents: int


class Payable(NamedTuple):
    """A confirmed award, as its jackpot slip says it."""

    table: int
    seat: int
    line: str
    cents: int
    confirmed_by: str
    digest: str
    """Of the entry that confirmed it."""
    asks: tuple[str, ...] = ()
    """What its checklist calls for that takes the player's identity."""
    withheld_cents: int = 0
    slip: int = 0
    """The number of its slip; none yet."""


class Slip(NamedTuple):
    award: int
    paid: bool = False


class Confirmed(NamedTuple):
    """An award as a card has confirmed it, for whoever backs it out."""

    award: Award
    own: int = 0
    """Units of the house's own money on the meter that went with a share."""
    backed_out: int = 0
    """The number of the entry that backed it out; none where it stands."""


@dataclass
class LinkState:
    """Everything that decides what may be done next."""

    name: str
    made: LinkSetup | None = None
    """None until the link is made."""
    game_digest: str = ""
    """Of the rules and pays, when the setup was signed."""
    status: Status = Status.CLOSED
    moved_to: str = ""
    stopped: str = ""
    """Why the link was closed, where a reason was given."""
    book: Book = field(default_factory=Book)
    tables: dict[int, TableCycle] = field(default_factory=dict)
    awards: dict[int, Award] = field(default_factory=dict)
    """Undecided, by number, in the order in which they were locked."""
    sums: Sums = field(default_factory=dict)
    own: dict[str, int] = field(default_factory=dict)
    """By level: the house's own money on the meter, which is all it may recover (see `own_money`)."""
    contributed: int = 0
    """Units that wagers have brought to meters, reserves and overflows, ever."""
    paid: int = 0
    """Units that went from meters to winners, ever, less what came back."""
    received: set[str] = field(default_factory=set)
    """Digests of other links' entries whose value came here."""
    own_held: dict[str, int] = field(default_factory=dict)
    """By level: of the house's own money, what is held for awards."""
    won: dict[int, Won] = field(default_factory=dict)
    """Every share of a meter that a card has confirmed, by its number, in the order of the cards."""
    configuration: str = ""
    """The digest of the setup that two people signed."""
    carried: int = 0
    """Units that the link gave up when it was retired."""
    law: int = 1
    """The newest by which a game was settled: a book does not go back to an older one."""
    locked: dict[tuple[Account, Account], int] = field(default_factory=dict)
    """Units that are moved inside alone, for hands that no card has decided, by the account that gives and the one
    that gets: the book shows them when a card does (see `settlement`)."""
    payable: dict[int, Payable] = field(default_factory=dict)
    """Every award that a card has confirmed, by its number, fixed pays too."""
    slips: dict[int, Slip] = field(default_factory=dict)
    """Jackpot slips by their number, from 1 on."""
    to_pay: set[int] = field(default_factory=set)
    """Confirmed awards whose winners have not been paid against a slip: it follows from the two above."""
    short_of_cover: bool = False
    """Whether the program itself closed the link, because the bank did not cover the prizes."""
    confirmed: dict[int, Confirmed] = field(default_factory=dict)
    """By number, in the order of the cards: awards that can be backed out, and those that were (see `backout`)."""
    own_paid: int = field(default=0, compare=False)
    """Units of the house's own money that the last entry has paid to winners."""
    calls: dict[int, TableCall] = field(default_factory=dict)
    """By table: where a supervisor was called, and nothing is decided yet."""
    closed_at: str = ""
    """When the link was closed, while it is; not known from a snapshot of an earlier version."""
    approved: str = ""
    """The digest of the approved configuration, as it was given when this one was opened; kept as above."""
    destination: str = ""
    """Of a retired link whose prize goes to no other link: where it goes."""

    @property
    def setup(self) -> LinkSetup:
        if self.made is None:
            raise refusal(No.NOT_MADE, link=self.name)
        return self.made

    def units(self, purpose: Purpose, level: str) -> int:
        return self.book.balances.get(Account(purpose, level), 0)

    def by_level(self, purpose: Purpose) -> dict[str, int]:
        """What each level has for this purpose, in units; nothing before the link is made."""
        levels = self.made.level if self.made else ()
        return {level: self.book.balances.get(Account(purpose, level), 0) for level in levels}

    def shown_cents(self, level: str) -> int:
        """What the display shows: whole cents of the meter."""
        return self.units(Purpose.METER, level) // UNITS_PER_CENT

    # Inside: the accounts with what is locked. What the next hand is taken from, and what nobody else can take.

    def inside(self) -> Moves:
        """Moves on the accounts as they are inside."""
        if not self.locked:
            return Moves(self.book.balances)
        balances = dict(self.book.balances)
        move(balances, ((source, target, units) for (source, target), units in self.locked.items()))
        return Moves(balances)

    def free_units(self, purpose: Purpose, level: str) -> int:
        """What is there, and not locked."""
        account = Account(purpose, level)
        return min(self.book.balances.get(account, 0), self.inside().units(account))

    def fork(self) -> LinkState:
        """A copy on which hands can be tried: the book's sums, games and undecided awards, and nothing of the past."""
        book = Book(self.book.entries, self.book.at, self.book.digest, dict(self.book.balances))
        tables = {number: cycle.copy() for number, cycle in self.tables.items()}
        return replace(
            self,
            book=book,
            tables=tables,
            awards=dict(self.awards),
            locked=dict(self.locked),
            calls={},
            won={},
            payable={},
            to_pay=set(),
            confirmed={},
        )

    # Finding things, or saying why not

    def level(self, name: str) -> LevelSetup:
        if name not in self.setup.level:
            levels = ", ".join(repr(level) for level in self.setup.level)
            raise refusal(No.NO_SUCH_LEVEL, level=name, levels=levels)
        return self.setup.level[name]

    def linked(self, number: int) -> LinkedTable:
        table = self.setup.table.get(number)
        if table is None:
            raise refusal(No.NOT_LINKED, table=number, tables=", ".join(map(str, self.setup.table)))
        return table

    def cycle(self, number: int) -> TableCycle:
        """The table's cycle, whether or not it has played."""
        self.linked(number)
        return self.tables.get(number) or TableCycle()

    def game(self, number: int) -> TableCycle:
        """The table's cycle while a game is on."""
        cycle = self.cycle(number)
        if not cycle.on:
            raise refusal(No.NO_GAME, table=number)
        return cycle

    def as_confirmed(self, number: int) -> bool:
        """Whether an award still comes to what its card said: nothing was put right, and nobody has backed it out."""
        won, kept = self.won.get(number), self.confirmed.get(number)
        return not (kept and kept.backed_out) and (won is None or won.cents == self.payable[number].cents)

    def follow_payment(self, number: int) -> None:
        """Whether an award that can be paid against a slip still is to be paid, after something was done about it."""
        won = self.payable.get(number)
        if won is None:
            return
        paid = won.slip and self.slips[won.slip].paid
        (self.to_pay.add if self.as_confirmed(number) and not paid else self.to_pay.discard)(number)

    def award(self, number: int) -> Award:
        if number not in self.awards:
            raise refusal(No.NO_SUCH_AWARD, award=number)
        return self.awards[number]

    def of_round(self, table: int) -> list[Award]:
        """The undecided awards of the game that is on at a table, in the order in which they were locked last."""
        return [award for award in self.awards.values() if award.table == table]

    def in_line(self, table: int) -> list[Award]:
        """The same as they are listed and decided: over all meters, in the order of the link."""
        return in_line(self.setup.order, self.of_round(table))

    def forget_stood(self, table: int) -> None:
        """A game without a hand that is taken from a meter begins anew with the next one, unless it was reopened."""
        cycle = self.tables[table]
        if cycle.stands or not cycle.stood:
            return
        waiting = (award.parts for award in self.of_round(table))
        if not any(hand.parts or not hand.fixed for hand in cycle.entered.values()) and not any(waiting):
            cycle.stood = {}

    def quiet(self) -> None:
        """Refuse unless the link is closed, every game has ended and nothing is undecided."""
        if self.status is Status.OPEN:
            raise refusal(No.NOT_CLOSED, link=self.name)
        for award in self.awards.values():
            raise undecided(award)
        playing = [str(number) for number, cycle in self.tables.items() if cycle.on]
        if playing:
            raise refusal(No.GAMES_ON, tables=", ".join(playing))

    @property
    def went_to(self) -> str:
        """Of a retired link: where its value goes, in words."""
        return went_to(self.moved_to, self.destination)

    # Snapshot

    def snapshot(self) -> dict[str, Any]:
        """All of it as JSON; `of_snapshot` gives it back, without the entries that led here."""
        return {
            "name": self.name,
            "setup": self.made.as_json() if self.made else None,
            "game_digest": self.game_digest,
            "status": str(self.status),
            "moved_to": self.moved_to,
            "stopped": self.stopped,
            "book": {
                **{"entries": self.book.entries, "at": self.book.at, "digest": self.book.digest},
                "balances": {str(account): units for account, units in self.book.balances.items()},
            },
            "tables": [[number, cycle.as_json()] for number, cycle in self.tables.items()],
            "awards": [award.as_json() for award in self.awards.values()],
            "sums": {level: {str(flow): units for flow, units in flows.items()} for level, flows in self.sums.items()},
            "own": dict(self.own),
            "contributed": self.contributed,
            "paid": self.paid,
            "received": sorted(self.received),
            "own_held": dict(self.own_held),
            "won": [[number, award.level, award.cents] for number, award in self.won.items()],
            "configuration": self.configuration,
            "carried": self.carried,
            **_law(self.law),
            **({"payable": [[number, *award] for number, award in self.payable.items()]} if self.payable else {}),
            **({"slips": [[number, *slip] for number, slip in self.slips.items()]} if self.slips else {}),
            **(
                {"locked": [[str(one), str(other), units] for (one, other), units in self.locked.items()]}
                if self.locked
                else {}
            ),
            **({"short_of_cover": True} if self.short_of_cover else {}),
            **({"approved": self.approved} if self.approved else {}),
            **(
                {"confirmed": [[confirmed.award.as_json(), *confirmed[1:]] for confirmed in self.confirmed.values()]}
                if self.confirmed or _keeps_confirmed(self.law, self.made)
                else {}
            ),
            **({"calls": [[table, plain(call)] for table, call in self.calls.items()]} if self.calls else {}),
            **({"closed_at": self.closed_at} if self.closed_at else {}),
            **({"destination": self.destination} if self.destination else {}),
        }


def went_to(link: str, destination: str) -> str:
    return link or f"a {destination.replace('-', ' ')}"


def _keeps_confirmed(law: int, setup: LinkSetup | None) -> bool:
    """Whether a snapshot says which awards can be backed out, even where there is none: one that does not was made
    before they were kept, and is left aside. Under earlier laws there are none."""
    return law >= LOCKED_INSIDE or (setup is not None and setup.fixed_pay_card_cents is not None)


def state_of_snapshot(values: dict[str, Any]) -> LinkState:
    book, law = values["book"], values.get("law", 1)
    setup = LinkSetup.of_json(values["setup"]) if values["setup"] else None
    confirmed = values["confirmed"] if _keeps_confirmed(law, setup) else values.get("confirmed", ())
    kept = [Confirmed(Award.of_json(award), *rest) for award, *rest in confirmed]
    balances = {Account.parse(account): units for account, units in book["balances"].items()}
    awards = [Award.of_json(value) for value in values["awards"]]
    state = LinkState(
        values["name"],
        setup,
        values["game_digest"],
        Status(values["status"]),
        values["moved_to"],
        values["stopped"],
        Book(book["entries"], book["at"], book["digest"], balances),
        {number: TableCycle.of_json(cycle) for number, cycle in values["tables"]},
        {award.award: award for award in awards},
        {level: {Flow(flow): units for flow, units in flows.items()} for level, flows in values["sums"].items()},
        dict(values["own"]),
        values["contributed"],
        values["paid"],
        set(values["received"]),
        dict(values["own_held"]),
        {number: Won(level, cents) for number, level, cents in values["won"]},
        values["configuration"],
        values["carried"],
        law,
        {(Account.parse(one), Account.parse(other)): units for one, other, units in values.get("locked", ())},
        {number: _payable(values_of_award) for number, *values_of_award in values.get("payable", ())},
        {number: Slip(*values_of_slip) for number, *values_of_slip in values.get("slips", ())},
        short_of_cover=values.get("short_of_cover", False),
        confirmed={confirmed.award.award: confirmed for confirmed in kept},
        calls={table: read_record(TableCall, call) for table, call in values.get("calls", ())},
        closed_at=values.get("closed_at", ""),
        destination=values.get("destination", ""),
        approved=values.get("approved", ""),
    )
    for number in state.payable:
        state.follow_payment(number)
    return state


def _payable(values: list[Any]) -> Payable:
    table, seat, line, cents, confirmed_by, digest, asks, withheld, slip = values
    return Payable(table, seat, line, cents, confirmed_by, digest, tuple(asks), withheld, slip)


def undecided(award: Award) -> Refusal:
    return refusal(No.UNDECIDED, seat=award.seat, table=award.table)


def money(units: int) -> str:
    """Whole cents of it, as people read them."""
    return dollars(units // UNITS_PER_CENT)


# How much of a meter is the house's own: what it may recover, and nothing that players have put in.
#
# Seeds put it on. Whatever goes off a meter is players' money first and the house's last: so its own is never more
# than the meter, and once it was paid out, later contributions do not bring it back. What is held for an award comes
# back with it when the award is released, and what went with one when that is backed out. What the house adds to a
# fixed pay (`pay`) or carries across (`receive`) is not its own on the meter. Wherever it could be said in two ways, it
# is said for the players.

NOT_ITS_OWN = FIXED_PAYS | {EntryKind.RECEIVE}


def count_own(state: LinkState, entry: Entry) -> int:
    """Follow an entry that is in the book already, transfer by transfer; given is how much it has paid to winners."""
    if entry.kind == EntryKind.START:  # wagers only add, and there are many
        return 0
    paid = 0
    meters = _before(state, entry.transfers)
    for source, target, units in entry.transfers:
        match source.purpose, target.purpose:
            case Purpose.METER, other:
                meters[source.level] -= units
                taken_back = units if other is Purpose.HOUSE else 0
                _left(state, source.level, meters[source.level], taken_back, held=other is Purpose.PENDING)
            case other, Purpose.METER:
                meters[target.level] += units
                if other is Purpose.HOUSE and entry.kind not in NOT_ITS_OWN:
                    state.own[target.level] = state.own.get(target.level, 0) + units
                elif other is Purpose.PENDING and entry.kind == EntryKind.BACK_OUT:
                    own = state.confirmed[entry.facts["award"]].own
                    state.own[target.level] = state.own.get(target.level, 0) + min(units, own)
                elif other is Purpose.PENDING:
                    back = min(units, state.own_held.get(target.level, 0))
                    state.own_held[target.level] = state.own_held.get(target.level, 0) - back
                    state.own[target.level] = state.own.get(target.level, 0) + back
            case Purpose.PENDING, Purpose.PLAYERS:
                gone = min(units, state.own_held.get(source.level, 0))
                state.own_held[source.level] = state.own_held.get(source.level, 0) - gone
                paid += gone
    return paid


def _before(state: LinkState, transfers: Iterable[Transfer]) -> dict[str, int]:
    """By level, what the meter held before these transfers."""
    meters: dict[str, int] = {}
    for source, target, units in transfers:
        for account, change in ((source, units), (target, -units)):
            if account.purpose is Purpose.METER:
                before = meters.get(account.level, state.book.balances.get(account, 0))
                meters[account.level] = before + change
    return meters


def _left(state: LinkState, level: str, meter: int, taken_back: int, *, held: bool) -> None:
    """After money has left the meter: the house's own is at most what still lies there."""
    own = max(0, state.own.get(level, 0) - taken_back)
    gone = max(0, own - max(0, meter))
    state.own[level] = own - gone
    if held:
        state.own_held[level] = state.own_held.get(level, 0) + gone
