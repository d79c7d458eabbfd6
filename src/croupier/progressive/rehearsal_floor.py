"""The site that is rehearsed: four tables of different games on two links, and the people who work there."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from croupier.progressive.authority import CardToken, Role, SiteKey
from croupier.progressive.setup import LevelSetup, LinkedTable, LinkSetup
from croupier.progressive.signing import Signed
from croupier.progressive.site_acts import CreateSite, EnrolPerson, SetTable, SiteAct, TableSetup

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
