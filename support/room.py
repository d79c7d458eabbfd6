"""A card room with people, tables, a covered bank and an open link: who works there, what is linked, and its site.

make_room("sqlite:///floor.db", site_key(file))     in a store, by the acts of the floor, without a server
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from croupier.compliance.authority import CardToken, Role, SiteKey
from croupier.floor.floor import Floor
from croupier.floor.forms import Signed
from croupier.floor.link import acts
from croupier.floor.link.setup import LevelSetup, LinkedTable, LinkSetup
from croupier.floor.people import DeviceKind
from croupier.floor.site import acts as site_acts
from croupier.store.store import open_store

LINK, DISPLAY = "main", "dev_the display of the pit 0001"
BANK_CENTS = 10**12

DEALER = Signed("ann", Role.DEALER)
SUPERVISOR = Signed("sue", Role.SUPERVISOR)
EXECUTIVE = Signed("eve", Role.EXECUTIVE)
MANAGER = Signed("max", Role.MANAGER)
OTHER_MANAGER = Signed("mia", Role.MANAGER)

SUITED, COLOR, THREE, TWO, ONE = (
    *("Three 7's - Same Suit", "Three 7's - Same Color", "Three 7's"),
    *("First Two Cards - 7", "Either of the First Two Cards - 7"),
)
DIAMONDS, OTHER_SUIT = "Three 7's - Diamonds", "Three 7's - Suited (Other)"


def table(number: int, title: str = "King's Bounty", **changes: Any) -> LinkedTable:
    made = LinkedTable(number, title, "blazing-7s-dealer", "1", 6)
    return replace(made, **changes)


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


def keypad_token(table: int) -> str:
    return f"dev_the keypad of table {table:03} 0001"


def card(person: str) -> str:
    return f"the card of {person} 0001"


def make_room(db: str, key: SiteKey, setup: LinkSetup = ONE_METER, *, linked: bool = True) -> None:
    """Everybody with a card, a keypad at every table, a display, a covered bank; and the link, open, unless somebody
    else makes its book."""
    with Floor(lambda: open_store(db), key, bank_every_s=0) as floor:

        def site(kind: type[site_acts.SiteAct], **values: Any) -> None:
            floor.do_site(kind(**{"id": f"s{floor.site.book.entries}", "by": MANAGER.person, **values}))

        def hashed(token: str) -> str:
            return floor.card_hash(CardToken(token))

        first = {"title": "The Room", "profile": "washington", "name": "Max", "zone": "America/Los_Angeles"}
        site(site_acts.CreateSite, **first, card=hashed(card(MANAGER.person)))
        for signed in (OTHER_MANAGER, DEALER, SUPERVISOR, EXECUTIVE):
            second = "" if signed is OTHER_MANAGER else OTHER_MANAGER.person
            person = {"person": signed.person, "name": signed.person.title(), "role": signed.role, "second": second}
            site(site_acts.EnrolPerson, **person, card=hashed(card(signed.person)))
        for linked_table in setup.tables:
            number, title, seats = linked_table.number, linked_table.title, linked_table.seats
            felt = site_acts.TableSetup(number, title, "blackjack", 6, seats, 500, 30_000)
            site(site_acts.SetTable, second=OTHER_MANAGER.person, table=felt)
            keypad = {"device": f"keypad-{number}", "device_kind": DeviceKind.KEYPAD, "name": "Keypad"}
            keypad |= {"second": OTHER_MANAGER.person, "table": number}
            site(site_acts.EnrolDevice, **keypad, token=hashed(keypad_token(number)))
        site(site_acts.DeclareBank, balance_cents=BANK_CENTS, paid={})
        display = {"device": "display", "device_kind": DeviceKind.DISPLAY, "name": "Display"}
        if linked:
            floor.do(acts.MakeLink(id="make", by=MANAGER, second=OTHER_MANAGER, setup=setup, link=LINK), LINK)
            floor.do(acts.OpenLink(id="open", by=MANAGER), LINK)
            display["link"] = LINK
        site(site_acts.EnrolDevice, **display, token=hashed(DISPLAY))
