"""A card room with people, tables, a covered bank and an open link: who works there, what is linked, and its books.

founding(cards)                                     the acts that make a site, for whoever enters them
LinkBook(), SiteBook()                              a link or a site without a store: acts are entered, entries kept
Room("sqlite:///floor.db")                          a running floor in a store, with a clock that a test sets
make_room("sqlite:///floor.db", site_key(file))     a whole room in a store, ready for a server
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, Self, TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.compliance.authority import CardHash, CardToken, Role, SiteKey
from croupier.floor.agreement import GOOD_FOR_S, AgreementKey
from croupier.floor.floor import Floor
from croupier.floor.forms import Signed
from croupier.floor.link import acts
from croupier.floor.link.link import Link, proof, statement_of
from croupier.floor.link.setup import LevelSetup, LinkedTable, LinkSetup
from croupier.floor.people import DeviceKind
from croupier.floor.site import acts as site_acts
from croupier.floor.site.site import Site
from croupier.games.meter import Style
from croupier.ledger.checkpoint import public_hex
from croupier.ledger.clock import as_written
from croupier.ledger.entry import UNITS_PER_CENT, Account, Entry, Purpose
from croupier.store.store import open_store

LINK, ZONE = "main", "America/Los_Angeles"
BANK_CENTS = 10**12
PLENTY = 10_000_000
"""In the bank of a small room."""
KEY = SiteKey(bytes(range(32)))

# The people

DEALER = Signed("ann", Role.DEALER)
SUPERVISOR = Signed("sue", Role.SUPERVISOR)
EXECUTIVE = Signed("eve", Role.EXECUTIVE)
MANAGER = Signed("max", Role.MANAGER)
OTHER_MANAGER = Signed("mia", Role.MANAGER)
PEOPLE = (MANAGER, OTHER_MANAGER, DEALER, SUPERVISOR, EXECUTIVE)
"""The first makes the site; the second is the other manager, who signs with the first for everybody else."""

# What is linked

SUITED, COLOR, THREE, TWO, ONE = (
    *("Three 7's - Same Suit", "Three 7's - Same Color", "Three 7's"),
    *("First Two Cards - 7", "Either of the First Two Cards - 7"),
)
DIAMONDS, OTHER_SUIT = "Three 7's - Diamonds", "Three 7's - Suited (Other)"


def table(number: int, title: str = "King's Bounty", **changes: Any) -> LinkedTable:
    return replace(LinkedTable(number, title, "blazing-7s-dealer", "1", 6), **changes)


ONE_METER = LinkSetup(
    wager="blazing-7s-dealer",
    paytable="1",
    decks=6,
    wager_cents=500,
    levels=(LevelSetup("", 1_000_000, 230_000, 10_000),),
    executive_threshold_cents=500_000,
    tables=(table(1), table(2, "Royal Match"), table(3, "Zappit Blackjack", seats=5)),
)
"""Blazing 7's paytable 1, $5 wagers: $1.15 to the meter, $0.05 to the reserve, seed $10,000."""
THREE_METERS = replace(
    ONE_METER,
    paytable="ML03",
    decks=8,
    levels=(
        LevelSetup("Mega", 1_000_000, 120_001, 10_000),
        LevelSetup("Major", 500_000, 80_003, 5_001),
        LevelSetup("Minor", 250_000, 40_007, 3),
    ),
    tables=tuple(replace(linked, paytable="ML03", decks=8) for linked in ONE_METER.tables),
)
STYLE_A = replace(ONE_METER, style=Style.ALL_PAYS, levels=(LevelSetup("", 100_000, 700_000, 20_000),))
"""Every pay comes from the meter."""


def with_tables(setup: LinkSetup, count: int) -> LinkSetup:
    """The setup with so many tables of one game, dealt as the link is."""
    numbers = range(1, count + 1)
    return replace(setup, tables=tuple(table(number, paytable=setup.paytable, decks=setup.decks) for number in numbers))


def with_level(setup: LinkSetup, **changes: Any) -> LinkSetup:
    """The setup with its first level changed."""
    return replace(setup, levels=(replace(setup.levels[0], **changes), *setup.levels[1:]))


def opening_acts(setup: LinkSetup, link: str = LINK) -> tuple[acts.LinkAct, acts.LinkAct]:
    """The acts that make a link and open it."""
    make = acts.MakeLink(id="make", by=MANAGER, second=OTHER_MANAGER, link=link, setup=setup)
    return make, acts.OpenLink(id="open", by=MANAGER)


# Cards and tokens: no secrets here, and written as real ones are, so that they can stand in an address


def card(person: str) -> str:
    return f"the-card-of-{person}-0001"


def keypad_token(table: int) -> str:
    return f"dev_the-keypad-of-table-{table:03}-0001"


def display_token(device: str) -> str:
    return f"dev_the-{device}-of-the-pit-0001"


DISPLAYS = {"display-main": LINK, "display-all": ""}
"""One shows the link, one the whole site."""
DISPLAY = display_token("display-main")


def hashed_cards(people: Sequence[Signed], key: SiteKey = KEY) -> dict[str, CardHash]:
    return {signed.person: CardToken(card(signed.person)).hash(key) for signed in people}


# How a site is made


def felt(linked: LinkedTable) -> site_acts.TableSetup:
    """The table of the site that a linked table is."""
    return site_acts.TableSetup(linked.number, linked.title, "blackjack", linked.decks, linked.seats, 500, 30_000)


TABLES = tuple(felt(linked) for linked in ONE_METER.tables)


def founding(
    cards: Mapping[str, str],
    people: Sequence[Signed] = PEOPLE,
    tables: Sequence[site_acts.TableSetup] = TABLES,
    *,
    names: Mapping[str, str] | None = None,
    title: str = "The Room",
    zone: str = ZONE,
    profile: str = "washington",
) -> Iterator[site_acts.SiteAct]:
    """The acts that make a site with its people and tables. `cards` has hashes, by person: whoever is not in it has no
    card. `names` are in print, where they are other than the person's id."""
    names = {signed.person: signed.person.title() for signed in people} | dict(names or {})
    first, second = people[0].person, people[1].person
    of_first: dict[str, Any] = {"by": first, "name": names[first], "card": cards[first]}
    yield site_acts.CreateSite(id="site", **of_first, title=title, profile=profile, zone=zone)
    for person, role in people[1:]:
        enrolled: dict[str, Any] = {"person": person, "name": names[person], "role": role}
        enrolled |= {"by": first, "second": "" if person == second else second}
        yield site_acts.EnrolPerson(id=f"enrol-{person}", **enrolled, card=cards.get(person, ""))
    for setup in tables:
        yield site_acts.SetTable(id=f"table-{setup.number}", by=first, second=second, table=setup)


# Agreements of second persons, by keys that everybody may know


def private_of(person: str) -> Ed25519PrivateKey:
    """As if it were made from the person's card and PIN, and at once."""
    return Ed25519PrivateKey.from_private_bytes(sha256(f"card and PIN of {person}".encode()).digest())


def agreement_key(person: str) -> AgreementKey:
    return AgreementKey(public_hex(private_of(person).public_key()), "5a" * 16, "argon2id m=8 t=1 p=1")


def chosen_pin(person: str) -> site_acts.NotePin:
    """The person has chosen a PIN, and can agree from now on."""
    return site_acts.NotePin(id=f"pin-{person}", by=person, person=person, key=agreement_key(person))


AnyActOfTwo = TypeVar("AnyActOfTwo", bound=site_acts.OfTwo | acts.OfTwo)


def agreed(act: AnyActOfTwo, at: str, link: str = LINK, by: str = "") -> AnyActOfTwo:
    """The act with the agreement of its second person at this time, or of somebody else."""
    statement = act.statement() if isinstance(act, site_acts.OfTwo) else statement_of(act, link)
    second = act.second.person if isinstance(act, acts.OfTwo) else str(act.seconded)
    until = as_written(datetime.fromisoformat(at) + timedelta(seconds=GOOD_FOR_S))
    return replace(act, agreed=statement.agreed(private_of(by or second), until))


# Without a store


class SiteBook:
    """A site and its entries so far; acts are entered one after another. Whoever has a key agrees with it."""

    def __init__(self, made_by: Iterable[site_acts.SiteAct] = (), at: str = "2026-11-15T20:00:00Z") -> None:
        self.site, self.entries, self.at = Site(), list[Entry](), at
        """When acts are entered that say nothing else."""
        for act in made_by:
            self.do(act)

    def do(self, act: site_acts.SiteAct, at: str = "") -> Entry:
        if isinstance(act, site_acts.OfTwo) and act.seconded in self.site.people.keys:
            act = agreed(act, at or self.at)
        entry = self.site.handle(act, at or self.at)
        self.site.apply(entry)
        self.entries.append(entry)
        return entry


class LinkBook:
    """A link, its entries so far, and a clock that ticks. Acts are done by whoever may do them."""

    def __init__(
        self,
        setup: LinkSetup = ONE_METER,
        name: str = LINK,
        *,
        opened: bool = True,
        link: Link | None = None,
        agreeing: bool = False,
    ) -> None:
        """`agreeing` where second persons sign what they agree to."""
        self.link, self.agreeing = link or Link(name), agreeing
        self.entries: list[Entry] = []
        self.seconds = 0
        """That have passed since the first act; a test lets them pass."""
        self.do(acts.MakeLink, by=MANAGER, second=OTHER_MANAGER, link=name, setup=setup)
        if opened:
            self.do(acts.OpenLink, by=MANAGER)

    def do(self, kind: type[acts.LinkAct], *, by: Signed = DEALER, **fields: Any) -> Entry:
        number, (minutes, seconds) = len(self.entries) + 1, divmod(self.seconds, 60)
        at = f"2026-11-15T{20 + minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}.{number:06d}Z"
        act = kind(id=f"c{number}", by=by, **fields)
        if isinstance(act, acts.OfTwo) and self.agreeing:
            act = agreed(act, at, self.link.name)
        entry = self.link.handle(act, at)
        self.link.apply(entry)
        self.entries.append(entry)
        return entry

    # What happens often

    def start(self, number: int = 1, *seats: int) -> Entry:
        return self.do(acts.StartGame, table=number, lit=seats, based=seats)

    def end(self, number: int = 1) -> Entry:
        return self.do(acts.EndGame, table=number)

    def enter(self, number: int, seat: int, line: str, **fields: Any) -> int:
        """The number of the award."""
        return self.do(acts.EnterHand, table=number, seat=seat, line=line, **fields).number

    def confirm(self, award: int, by: Signed = EXECUTIVE) -> Entry:
        return self.do(acts.Confirm, award=award, by=by)

    def close(self) -> Entry:
        return self.do(acts.CloseLink, by=MANAGER)

    # What is asked often

    def units(self, purpose: Purpose, level: str = "") -> int:
        return self.link.state.book.balance(purpose, level)

    def cents(self, purpose: Purpose, level: str = "") -> float:
        return self.units(purpose, level) / UNITS_PER_CENT

    def inside(self, purpose: Purpose, level: str = "") -> float:
        """Cents of an account with what is locked for undecided hands."""
        return self.link.state.inside().units(Account(purpose, level)) / UNITS_PER_CENT

    def held(self, award: int) -> int:
        """The cents that an undecided award has locked."""
        return self.link.state.awards[award].cents

    def proved(self) -> bool:
        return all(proof(self.link, level).difference == 0 for level in self.link.state.setup.level)


# In a store


class Clock:
    """A second passes between two acts, and whole days or months when a test says so."""

    def __init__(self) -> None:
        self.month, self.day, self.seconds = 10, 1, 0

    def __call__(self) -> str:
        self.seconds += 1
        hours, minutes = divmod(self.seconds // 60, 60)
        return f"2026-{self.month:02d}-{self.day:02d}T{18 + hours:02d}:{minutes:02d}:{self.seconds % 60:02d}Z"


class Room:
    """A running floor and its people; each act has an id of its own, and every entry is kept that the floor told of."""

    def __init__(self, url: str, key: SiteKey = KEY, *, real_time: bool = False) -> None:
        self.url, self.key, self.clock, self.real_time = url, key, Clock(), real_time
        self.heard = list[tuple[str, Entry]]()
        """Entries of all books with their streams, in the order in which they were durable."""
        self.ids = (f"c{number}" for number in count(1))
        self.floor = self.open()

    def open(self, *, check_links: bool = False) -> Floor:
        def hear(stream: str, entries: list[Entry]) -> None:
            self.heard += [(stream, entry) for entry in entries]

        clock = None if self.real_time else self.clock
        connect = partial(open_store, self.url)
        return Floor(connect, self.key, clock, listener=hear, bank_every_s=0, check_links=check_links)

    def reopen(self) -> None:
        self.floor.close()
        self.floor = self.open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.floor.close()

    def entries(self, stream: str) -> list[Entry]:
        return [entry for book, entry in self.heard if book == stream]

    # How it is made

    def found(
        self,
        people: Sequence[Signed] = PEOPLE,
        tables: Sequence[site_acts.TableSetup] = TABLES,
        without_card: Sequence[Signed] = (),
    ) -> None:
        """The site, its people and its tables."""
        cards = hashed_cards(people, self.key)
        for act in founding(cards, (*people, *without_card), tables):
            self.floor.do_site(act)

    def set_table(self, number: int, title: str, seats: int = 7, decks: int = 6) -> Entry:
        return self.site(site_acts.SetTable, second="eve", table=felt(table(number, title, seats=seats, decks=decks)))

    def enrol_devices(self, tables: Sequence[int], displays: Mapping[str, str] = DISPLAYS) -> None:
        """A keypad at each of these tables, and displays with the links that they show."""

        def enrol(device: str, kind: DeviceKind, token: str, **shows: Any) -> None:
            told = {"device": device, "device_kind": kind, "name": device.replace("-", " ").title(), **shows}
            self.site(site_acts.EnrolDevice, **told, token=self.floor.card_hash(CardToken(token)))

        for number in tables:
            of_table = {"table": number, "second": OTHER_MANAGER.person}
            enrol(f"keypad-{number}", DeviceKind.KEYPAD, keypad_token(number), **of_table)
        for device, link in displays.items():
            enrol(device, DeviceKind.DISPLAY, display_token(device), link=link)

    def make(self, setup: LinkSetup = ONE_METER, link: str = LINK) -> Entry:
        return self.do(acts.MakeLink, link, by=MANAGER, second=EXECUTIVE, setup=setup, link=link)

    # What people do

    def do(self, kind: type[acts.LinkAct], on: str = LINK, **values: Any) -> Entry:
        return self.floor.do(kind(**{"id": next(self.ids), **values}), on)

    def site(self, kind: type[site_acts.SiteAct], **values: Any) -> Entry:
        return self.floor.do_site(kind(**{"id": next(self.ids), "by": MANAGER.person, **values}))

    def declare(self, cents: int) -> Entry:
        return self.floor.declare_bank(id=next(self.ids), by=MANAGER.person, balance_cents=cents)

    def start(self, number: int = 1, *seats: int) -> Entry:
        seats = seats or (1,)
        return self.do(acts.StartGame, by=DEALER, table=number, lit=seats, based=seats)

    def award(self, line: str = COLOR, seat: int = 1) -> int:
        return self.do(acts.EnterHand, by=DEALER, table=1, seat=seat, line=line).number

    def close(self) -> None:
        """The game at table 1 ends, and the link is closed."""
        self.do(acts.EndGame, by=DEALER, table=1)
        self.do(acts.CloseLink, by=MANAGER)


def make_room(
    db: str,
    key: SiteKey,
    links: Mapping[str, LinkSetup] | None = None,
    *,
    people: Sequence[Signed] = PEOPLE,
    without_card: Sequence[Signed] = (),
    bank_cents: int = BANK_CENTS,
    displays: Mapping[str, str] = DISPLAYS,
    linked: bool = True,
    many_tables: bool = True,
) -> None:
    """Everybody with a card, but for those without one; a keypad at every table, displays, a covered bank; and the
    links, open, unless somebody else makes their books. A dealer may be at several tables."""
    links = links or {LINK: ONE_METER}
    tables = [felt(linked_table) for setup in links.values() for linked_table in setup.tables]
    with Room(db, key, real_time=True) as room:
        room.found(people, tables, without_card)
        room.declare(bank_cents)
        if many_tables:
            by, second = people[0].person, people[1].person
            room.floor.do_site(site_acts.SetSignIn(id="sign-in", by=by, second=second, many_tables=True))
        for link, setup in links.items() if linked else ():
            for act in opening_acts(setup, link):
                room.floor.do(act, link)
        shown = {device: link if linked else "" for device, link in displays.items()}
        room.enrol_devices([setup.number for setup in tables], shown)


# What somebody does who can write to the files


def cut_book(path: Path, stream: str, entries: int, *, guarded: bool = True) -> None:
    """Take the last entries of a book off a SQLite store, behind every program's back."""
    with closing(sqlite3.connect(path)) as db:
        guards = db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            db.execute(f'DROP TRIGGER "{name}"')
        (last,) = db.execute("SELECT max(number) FROM entry WHERE stream = ?", (stream,)).fetchone()
        db.execute("DELETE FROM entry WHERE stream = ? AND number > ?", (stream, last - entries))
        for _, guard in guards if guarded else ():
            db.execute(guard)
        db.commit()
