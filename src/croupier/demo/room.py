"""The demo's own site: four linked tables with different games, people of every role, keypads and displays. At three of
the tables the demo's dealers deal; the fourth is free for whoever wants to.

Everything secret in it is made by chance at the first start and kept in a file beside its books, so that the next start
prints the same cards. The first entry of the site's book says that the demo made it: no other site is ever touched, and
the demo's is not served as a real one, because its cards are printed for everybody to see.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.audit.documents import Documents
from croupier.audit.export import open_existing
from croupier.compliance.authority import CardToken, Role
from croupier.demo.cardroom import Person, link_of, people_acts, table_acts
from croupier.demo.papers import approval_act, documents, on_file, open_acts, paper_acts
from croupier.errors import CroupierError, RecordError
from croupier.files import sqlite_file
from croupier.floor.agreement import GOOD_FOR_S
from croupier.floor.floor import Floor
from croupier.floor.forms import Signed
from croupier.floor.link import acts
from croupier.floor.link.link import statement_of
from croupier.floor.people import DeviceKind
from croupier.floor.site import acts as site_acts
from croupier.ledger.clock import written
from croupier.ledger.entry import SITE
from croupier.store.marks import Marks
from croupier.store.store import StoreError, open_store, without_password
from croupier.web.errors import ApiError
from croupier.web.identity.callers import DEVICE
from croupier.web.identity.sessions import Access, check_pin
from croupier.web.identity.store import AccessStore
from croupier.web.identity.tickets import private_half
from croupier.web.settings import DEFAULT_DB, Settings, session_key, site_key

FOLDER = Path("croupier-demo")
DEMO_DB, DEMO_KEY = f"sqlite:///{FOLDER}/croupier-demo.db", f"{FOLDER}/croupier-demo.db.key"
ANCHORS = f"{FOLDER}/anchors"
"""Where the demo's anchors go. A real house sends them out of the house."""
MARK = "demo-site"
"""The id of the act that creates the demo's site. That of a real one is made with another id, which nobody chooses."""
LAST = "demo-display-link"
"""The last act of setting the demo up."""
LINK = "main"
TITLES = ("King's Bounty", "Free Bet Blackjack", "Zappit Blackjack", "Royal Match")
"""Each is a game that is dealt here by its own rules: those of the title, or blackjack's with the side wager that the
title stands for."""
BANK_CENTS = 100_000_000
DEMO_SETUP = link_of(TITLES, fixed_pay_card_cents=100_000)
PEOPLE = (
    Person("max", "Max", Role.MANAGER),
    Person("mia", "Mia", Role.MANAGER),
    Person("eve", "Eve", Role.EXECUTIVE),
    Person("sue", "Sue", Role.SUPERVISOR),
    Person("cas", "Cas", Role.CASHIER),
    Person("aud", "Aud", Role.AUDITOR),
    Person("ina", "Ina", Role.INSPECTOR),
    Person("ann", "Ann", Role.DEALER),
    Person("ben", "Ben", Role.DEALER),
    Person("cho", "Cho", Role.DEALER, has_card=False),
    Person("dee", "Dee", Role.DEALER, has_card=False),
    Person("oli", "Oli, the demo's office", Role.MANAGER),
)
"""The first two are managers. Dealers without a card sign in by name; the last of them is whoever tries the demo."""
AGREES = Signed("mia", Role.MANAGER)
"""Who agrees to what takes two people."""
OFFICE = "oli"
"""Who keeps the bank covered when the demo does it by itself, so that the book never says that a visitor did."""
INSPECTED_S = 30 * 86_400.0
"""For how long the demo's inspector is enrolled."""
DEALERS = {1: "ann", 2: "ben", 3: "cho"}
FREE_TABLE, FREE_DEALER = 4, "dee"
"""Where the demo deals nothing by itself."""
KEYPADS = {number: f"keypad-{number}" for number in (*DEALERS, FREE_TABLE)}
DISPLAYS = {"display-site": "", "display-link": LINK}
"""Each with the link that it shows; the whole site where none is named."""


@dataclass(frozen=True)
class DemoSecrets:
    """What the demo prints: nobody's but the demo's."""

    cards: dict[str, str] = field(repr=False)
    pins: dict[str, str] = field(repr=False)
    devices: dict[str, str] = field(repr=False)

    @classmethod
    def new(cls) -> DemoSecrets:
        return cls(
            {person.id: f"demo-card-{person.id}-{secrets.token_hex(8)}" for person in PEOPLE if person.has_card},
            {person.id: _new_pin() for person in PEOPLE if person.role is not Role.DEALER},
            {name: f"{DEVICE}demo-{name}-{secrets.token_hex(8)}" for name in (*KEYPADS.values(), *DISPLAYS)},
        )

    @classmethod
    def read(cls, path: Path) -> DemoSecrets:
        try:
            secrets_read = cls(**json.loads(path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            raise CroupierError(
                f"The demo's cards lie beside its key, and there are none in {path}. Where the books were restored, "
                f"name the key of the demo that they come from, as {{key_file}} {DEMO_KEY}; "
                "where the file is gone, remove the demo's folder too, and it begins anew.",
                fields=["key_file"],
            ) from None
        except (OSError, ValueError, TypeError) as error:
            raise RecordError(f"The demo's cards in {path} cannot be read: {error}.") from None
        people = {person.id for person in PEOPLE if person.has_card}
        if set(secrets_read.devices) != {*KEYPADS.values(), *DISPLAYS} or set(secrets_read.cards) != people:
            raise CroupierError(
                f"The demo in {path.parent} is of another version, with other tables or people: "
                "remove its folder, and it begins anew."
            )
        return secrets_read

    def write(self, path: Path) -> None:
        path.touch(mode=0o600, exist_ok=False)
        path.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")


def _new_pin() -> str:
    while True:
        pin = f"{secrets.randbelow(10**6):06d}"
        try:
            check_pin(pin)
        except ApiError:
            continue
        return pin


# Whose store it is


def check_free(db: str) -> None:
    """The demo works in its own store or an empty one."""
    if _first_command(db) not in ("", MARK):
        raise CroupierError(
            f"{without_password(db)} holds a site that the demo did not make, so the demo does not touch it: "
            "leave {db} out, or name a store with nothing in it.",
            fields=["db"],
        )


def check_not_demo(db: str) -> None:
    """A real server does not serve the demo's store."""
    if is_demo(db):
        raise CroupierError(
            f"{without_password(db)} holds the demo, whose cards are no secret: serve it with {{demo}}, and where it "
            f"was restored, with the demo's own key: {{demo}} {{key_file}} {DEMO_KEY}.",
            fields=["demo", "key_file"],
        )


def is_demo(db: str) -> bool:
    return _first_command(db) == MARK


def _first_command(db: str) -> str:
    """The id of the first entry of the site's book; empty where there is no book, and no file of any other kind."""
    path = sqlite_file(db)
    if path is not None and (not path.exists() or not path.stat().st_size):
        return ""
    try:
        with open_existing(db) as store:
            streams = store.streams()
            first = next(store.entries(SITE, limit=1), None)
    except StoreError as error:
        if path is None and "holds no ledger" in str(error):
            return ""
        raise
    if first is not None:
        return first.command
    return "another" if streams else ""


# Making it


def prepare(settings: Settings) -> DemoSecrets:
    """The demo's site, made where it is not there yet; a start that was cut short is taken up again."""
    check_free(settings.db)
    key_path = settings.key_path()
    for file in (key_path, sqlite_file(settings.db) or key_path):
        file.parent.mkdir(parents=True, exist_ok=True)
    if f"folder:{ANCHORS}" in settings.anchor_to:
        Path(ANCHORS).mkdir(exist_ok=True)
    kept = key_path.with_suffix(".cards")
    if not _first_command(settings.db) and not kept.exists():
        DemoSecrets.new().write(kept)
    demo_secrets = DemoSecrets.read(kept)
    with open_store(settings.db) as store:
        if store.by_command(SITE, LAST):
            return demo_secrets
    with (
        closing(Marks(settings.marks_path())) as marks,
        Floor(lambda: open_store(settings.db), site_key(key_path), bank_every_s=0, marks=marks) as floor,
    ):
        _set_up(floor, demo_secrets, settings)
    return demo_secrets


def _set_up(floor: Floor, secrets: DemoSecrets, settings: Settings) -> None:
    """Every act has an id of its own, so that what was done before a crash is not done twice.

    Mia agrees to what takes two: with her card and PIN, as soon as she has one.
    """
    cards = {person: floor.card_hash(CardToken(token)) for person, token in secrets.cards.items()}
    for act in people_acts("demo", "Croupier Demo Room", PEOPLE, cards, _inspected_until(floor)):
        floor.do_site(act)
    _set_pins(floor, secrets, settings)
    mia, key = AGREES.person, floor.site.people.keys[AGREES.person]
    shown = {"card": secrets.cards[mia], "pin": secrets.pins[mia]}
    private = private_half(site_key(settings.key_path()), **shown, salt=key.salt, method=key.made)
    floor.do_site(_agreed(approval_act("demo", TITLES, "max", mia), private))
    for paper in paper_acts("demo", "max"):
        floor.do_site(paper)
    kept, wanted = Documents(settings.documents_path()), {paper.sha256 for paper in floor.site.kept.papers.values()}
    for document in documents():
        kept.keep(document, "paper.txt", wanted)
    for table in table_acts("demo", DEMO_SETUP.tables, PEOPLE, on_file):
        floor.do_site(_agreed(table, private))
    floor.declare_bank(id="demo-bank", by=OFFICE, balance_cents=BANK_CENTS)
    manager = Signed("max", Role.MANAGER)
    make = acts.MakeLink(id="demo-make", by=manager, second=AGREES, link=LINK, setup=DEMO_SETUP)
    floor.do(replace(make, agreed=statement_of(make, LINK).agreed(private, _until())), LINK)
    floor.do(acts.OpenLink(id="demo-open", by=manager), LINK)
    for opened in open_acts("demo", list(DEMO_SETUP.table), "sue"):
        floor.do_site(opened)
    for device in _devices(floor, secrets):
        floor.do_site(_agreed(device, private) if device.seconded else device)


def _inspected_until(floor: Floor) -> str:
    """As it was said before, where a crash lets it be said again."""
    known = [person.until for person in floor.site.people if person.until]
    return known[0] if known else written(time.time() + INSPECTED_S)


def _agreed(act: site_acts.OfTwo, private: Ed25519PrivateKey) -> site_acts.OfTwo:
    return replace(act, agreed=act.statement().agreed(private, _until()))


def _until() -> str:
    return written(time.time() + GOOD_FOR_S)


def _set_pins(floor: Floor, secrets: DemoSecrets, settings: Settings) -> None:
    key = site_key(settings.key_path())
    store = AccessStore(settings.db, key, session_key(settings.session_key_path(key)))
    access = Access(store, key, floor.identify, floor.site.people.active)
    try:
        for person, pin in secrets.pins.items():
            chosen = access.new_agreement_key(secrets.cards[person], pin)
            floor.do_site(site_acts.NotePin(id=f"demo-pin-{person}", by=person, person=person, key=chosen))
            access.set_pin(person, pin)
    finally:
        store.close()


def _devices(floor: Floor, secrets: DemoSecrets) -> Iterator[site_acts.OfTwo]:
    def enrol(name: str, kind: DeviceKind, **values: Any) -> site_acts.EnrolDevice:
        token = floor.card_hash(CardToken(secrets.devices[name]))
        title = name.replace("-", " ").capitalize()
        named: dict[str, Any] = {"id": f"demo-{name}", "by": "max", "device": name, "name": title}
        return site_acts.EnrolDevice(**named, device_kind=kind, token=token, **values)

    for table, name in KEYPADS.items():
        yield enrol(name, DeviceKind.KEYPAD, table=table, second="mia")
    for name, link in DISPLAYS.items():
        yield enrol(name, DeviceKind.DISPLAY, link=link)


def demo_settings(settings: Settings) -> Settings:
    """In a folder of its own, unless another store is named. Nothing of it is secret, so all keys lie there too."""
    if settings.db == DEFAULT_DB:
        to = settings.anchor_to or (f"folder:{ANCHORS}",)
        settings = replace(settings, db=DEMO_DB, anchor_to=to, anchors_stay=not settings.anchor_to)
    session_key = settings.session_key or settings.key_path().with_suffix(".session-key")
    return replace(settings, clock_checked=False, session_key=session_key)
