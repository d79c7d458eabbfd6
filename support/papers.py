"""Tables that are set from the register, and the papers that let them open: for tests, in every place.

rummy(1), supreme(2), baccarat(3), bust(4), plain(5)      a table of each game
commercial(on)                                            the papers of a card room, as acts
registered()                                              the tables of `support.room` with all that lets them open
OWN_LETTER                                                an approval of the site's own, which names this program
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

from croupier.compliance.table import Dealing, OnFile, Piece, Posted, Use
from croupier.floor.site.acts import SetTable, TableSetup
from croupier.floor.site.notes import SiteAct
from croupier.floor.site.register_acts import EnterApproval, OpenTable, RecordPaper
from croupier.program import program
from support.room import MANAGER, OTHER_MANAGER, SUPERVISOR, TABLES

LETTER = "washington-3119"
MAKER, SELLER = "Felt and Sons", "Card Room Supply"
LAYOUT = Piece(Use.LAYOUT, "Layout 12", MAKER, SELLER)
SHUFFLER = Piece(Use.SHUFFLER, "i-Deal Plus (NXP)", "Shuffle Works", version="1.0.114")
I_VERIFY = Piece(Use.I_VERIFY, "i-Verify", "Shuffle Works", version="1.0.017", place="above the table, on camera 4")
DISPLAY = Piece(Use.DISPLAY, "Monitor 19", MAKER, plain=True)
CROUPIER = Piece(Use.SYSTEM, "Croupier", "The house's supplier", version=program().version)
ATLAS = Piece(Use.SYSTEM, "GM Atlas", "Light and Wonder", version="5.4.0")
NEXUS = Piece(Use.SYSTEM, "Nexus Command II", "Light and Wonder", version="5.4")
COMPANIES = (MAKER, SELLER, "Shuffle Works", "The house's supplier", "Light and Wonder")

OWN_LETTER = f"""\
subject = "The progressive system of this house"
authority = "Washington State Gambling Commission"
reference = "letter 77"
dated = 2026-01-15
rules_submitted = [2025-12-01]
holder = "The Room"
page = "letter"
source = "The letter itself."

[[enclosure]]
document = "A"
subject = "Croupier"
sha256 = "{"ab" * 32}"

[[equipment]]
name = "Croupier"
version = "0.1"
enclosures = ["A"]
use = "progressive system"

[[title]]
number = 1
name = "Royal Match"
enclosure = "A"
game = "blackjack"
"""
LETTER_OF_HOSTS = f"""{OWN_LETTER}
[[title]]
number = 2
name = "Zappit Blackjack"
enclosure = "A"
game = "blackjack"
"""
"""With the rules of every host of `support.room` that the public letter does not enclose."""


def entered(key: str = "our-letter", text: str = OWN_LETTER, **who: Any) -> EnterApproval:
    who = {"id": f"enter-{key}", "by": "max", "second": "mia"} | who
    return EnterApproval(key=key, lines=tuple(text.splitlines()), **who)


def _on_file(*equipment: Piece, **changes: Any) -> OnFile:
    return replace(OnFile(LETTER, Dealing.SHOE, equipment=(LAYOUT, *equipment)), **changes)


def rummy(number: int = 1, **changes: Any) -> TableSetup:
    posted = (Posted("pair-plus", "2"), Posted("6-card-bonus", "1"))
    on_file = _on_file(SHUFFLER, dealing=Dealing.SHUFFLER, rules="ante-mandatory", paytables=posted)
    made = TableSetup(number, "Triple Shot Rummy", "triple-shot-rummy", 1, 6, 500, 30_000)
    return replace(made, wagers=("pair-plus", "6-card-bonus"), on_file=on_file, **changes)


def supreme(number: int = 2, **changes: Any) -> TableSetup:
    made = TableSetup(number, "Supreme 99", "supreme-99", 1, 6, 500, 30_000, ("pair-fortunes",))
    return replace(made, on_file=_on_file(SHUFFLER, I_VERIFY, dealing=Dealing.SHUFFLER), **changes)


def baccarat(number: int = 3, **changes: Any) -> TableSetup:
    made = TableSetup(number, "Three Card Baccarat", "three-card-baccarat", 1, 6, 500, 30_000, ("tie", "dragon-bonus"))
    return replace(made, on_file=_on_file(dealing=Dealing.HAND), **changes)


def bust(number: int = 4, **changes: Any) -> TableSetup:
    made = TableSetup(number, "Bet The Bust", "blackjack", 6, 7, 500, 30_000, ("bet-the-bust",))
    return replace(made, on_file=_on_file(rules="6D H17 DAS"), **changes)


def plain(number: int = 5, **changes: Any) -> TableSetup:
    made = TableSetup(number, "Blackjack", "blackjack", 2, 7, 500, 30_000)
    return replace(made, on_file=_on_file(dealing=Dealing.HAND), **changes)


def bounty(number: int = 6, system: Sequence[Piece] = (CROUPIER,), **changes: Any) -> TableSetup:
    """A host of a progressive."""
    made = TableSetup(number, "King's Bounty", "blackjack", 6, 7, 500, 30_000, ("kings-bounty",))
    return replace(made, on_file=_on_file(DISPLAY, *system), **changes)


def paper(condition: str, step: str, of: str = "", **changes: Any) -> RecordPaper:
    name = f"{condition}-{step}-{of}".replace(" ", "-").replace("'", "").strip("-").lower()[:56]
    values: dict[str, Any] = {
        **{"id": f"p-{name}", "by": "max", "condition": condition, "step": step, "of": of},
        **{"reference": f"{step} {of or 'all games'}", "dated": "2026-07-01", "file": f"{name}.pdf"},
        **{"sha256": sha256(name.encode()).hexdigest()},
    }
    return RecordPaper(**{**values, **changes})


def commercial(companies: Sequence[str] = COMPANIES, until: str = "2027-06-30") -> Iterator[RecordPaper]:
    """What a commercial card room needs for any table, for all games."""
    yield paper("internal-controls", "submitted", dated="2026-06-01")
    yield paper("internal-controls", "approved")
    for company in companies:
        yield paper("equipment-licensed", "licensed", company, until=until)


def tribal(companies: Sequence[str] = COMPANIES) -> Iterator[RecordPaper]:
    """What a tribal casino needs, in the order in which the letter asks for it."""
    yield paper("tribal-agency", "requested", dated="2026-05-01")
    yield paper("appendix-a-18", "sent", dated="2026-05-10")
    yield paper("state-concurrence", "given", dated="2026-06-10")
    yield paper("tribal-agency", "approved", dated="2026-06-20")
    for company in companies:
        yield paper("equipment-certified", "certified", company)
        yield paper("equipment-certified", "licensed", company)


def host(setup: TableSetup) -> TableSetup:
    """A table of `support.room` as a host of this program's progressive, under the letter that has its rules."""
    approval = LETTER if setup.title == "King's Bounty" else "our-letter"
    return replace(setup, on_file=_on_file(DISPLAY, CROUPIER, approval=approval))


def registered(tables: Sequence[TableSetup] = TABLES) -> Iterator[SiteAct]:
    """The site's own letter, papers that do not end, and the tables set from the register and opened."""
    yield entered(text=LETTER_OF_HOSTS)
    yield from commercial(until="")
    for setup in tables:
        by, second = MANAGER.person, OTHER_MANAGER.person
        yield SetTable(id=f"register-{setup.number}", by=by, second=second, table=host(setup))
    for setup in tables:
        found: dict[str, Any] = {"conditions": []}
        yield OpenTable(id=f"open-{setup.number}", by=SUPERVISOR.person, number=setup.number, found=found)
