"""The site: its people, its tables, the rules of its place, and what is in the bank. One book, named `site`.

    site = Site()
    entry = site.handle(CreateSite(id="c1", by="ann", title="...", profile="washington", name="Ann", card=...), at)
    site.apply(entry)

`handle` decides and changes nothing; `apply` changes and decides nothing. What a site is follows from its entries
alone, and no entry has ever seen a card's token: acts carry the hash.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from types import MappingProxyType
from typing import Any, NamedTuple, Self
from zoneinfo import ZoneInfo

from croupier.compliance.authority import CardHash, Denied, Power, Role, denied, may
from croupier.compliance.profile import Finding, Rules, find_profile
from croupier.errors import NotationError, RecordError, UnknownName
from croupier.floor.agreement import AgreementKey
from croupier.floor.facts import (
    ChangeRoleFacts,
    ChooseProfileFacts,
    CreateSiteFacts,
    DeclareBankFacts,
    DepositFacts,
    EnrolDeviceFacts,
    EnrolPersonFacts,
    NoteAccessFacts,
    NoteBackupFacts,
    NoteCheckFacts,
    NoteKeyFacts,
    NotePinFacts,
    NoteStartFacts,
    RemoveTableFacts,
    RenameSiteFacts,
    ReplaceCardFacts,
    RevokeCardFacts,
    RevokeDeviceFacts,
    SetClockFacts,
    SetSignInFacts,
    SetTableFacts,
    facts_of,
)
from croupier.floor.forms import plain, read_record
from croupier.floor.link.checks import check_tables, unknown
from croupier.floor.people import Device, DeviceKind, Devices, People, Person
from croupier.floor.refusals import No, refusal
from croupier.floor.site import acts, notes, register, register_acts
from croupier.floor.site.acts import TableSetup
from croupier.floor.site.bank import BankState, Cover, LinkTotals, cover
from croupier.floor.site.custody import Removal, was_given, was_planned, was_reconciled
from croupier.floor.site.custody_acts import GivePrize, PlanRemoval, Reconcile
from croupier.floor.site.days import Days
from croupier.floor.site.decide import (
    ACTS,
    DECIDE,
    bounds,
    gaming_day,
    needed_for,
    takes_two,
    was_closed,
    was_read,
    were_kept,
)
from croupier.floor.site.notes import ITSELF, SiteAct
from croupier.floor.site.register import Kept
from croupier.ledger.book import Book
from croupier.ledger.clock import time_of
from croupier.ledger.entry import Account, Entry, Purpose
from croupier.ledger.rows import STRANGE


class Backup(NamedTuple):
    """A file with all books, as the site's book has it on record."""

    at: str
    by: str
    file: str
    digest: str
    size_bytes: int


class Run(NamedTuple):
    """A program that has written these books, by its digests: a version of which a file was changed is another one."""

    version: str
    digest: str
    packages: str
    first: str
    """When it was started for the first time, and for the last."""
    last: str
    starts: int
    changed: tuple[str, ...]
    """Files that were not as installed, at its last start."""
    own_games: Mapping[str, str] = MappingProxyType({})
    """Games from outside the program at its last start, with the SHA-256 of their definitions."""


class Checked(NamedTuple):
    """When the program has last read books through, and how far."""

    at: str
    books: dict[str, int]


@dataclass
class Site:
    """The site as its entries have made it."""

    book: Book = field(default_factory=Book)
    title: str = ""
    profile: str = ""
    zone: str = "UTC"
    day_begins: int = 6
    people: People = field(default_factory=People)
    devices: Devices = field(default_factory=Devices)
    tables: dict[int, TableSetup] = field(default_factory=dict)
    bank: BankState = field(default_factory=BankState)
    days: Days = field(default_factory=Days)
    signing: dict[int, str] = field(default_factory=dict)
    """By entry: the public key that signs checkpoints and anchors from there on."""
    backup: Backup | None = None
    """The last one that the server has made."""
    many_tables: bool = False
    """Whether a dealer may be signed in at several tables at once."""
    runs: dict[tuple[str, str], Run] = field(default_factory=dict)
    """By the digests of the program and of its packages, the one that was started last at the end."""
    checked: Checked | None = None
    removals: dict[str, Removal] = field(default_factory=dict)
    """By link: the plan by which its progressive is removed, the last that was entered."""
    given: dict[str, int] = field(default_factory=dict)
    """By retired link: the cents of its prize that were given away."""
    kept: Kept = field(default_factory=Kept)
    """Its register: approvals of its own, papers, and the tables that are open by them."""

    @classmethod
    def of_entries(cls, entries: Iterable[Entry]) -> Self:
        site = cls()
        for entry in entries:
            site.apply(entry)
        return site

    # Asking

    @property
    def signs_with(self) -> str:
        """The public key on record; empty where there is none yet."""
        return self.signing[max(self.signing)] if self.signing else ""

    def lacks_key(self, person: Person) -> bool:
        """Whether somebody would be a second person, and has no key yet to agree with."""
        return person.active and may(person.role, Power.RECONFIGURE) and person.id not in self.people.keys

    def rules(self, at: str) -> Rules:
        """What the place lays down on the day of this time."""
        return find_profile(self.profile).on(self.day(at))

    def day(self, at: str) -> date:
        """The day where the site stands."""
        return time_of(at).astimezone(ZoneInfo(self.zone)).date()

    def findings(self, at: str) -> list[Finding]:
        """What speaks against the tables as they are; rules may have changed since they were set."""
        rules = self.rules(at)
        return [*check_tables(self.tables.values(), rules), *unknown(rules)]

    def cover(self, links: Iterable[LinkTotals], at: str) -> Cover:
        """Whether the separate account covers what these links, which are all links of the site, owe."""
        return cover(self.bank, links, self.rules(at), at)

    # Deciding and changing

    def handle(self, act: SiteAct, at: str) -> Entry:
        """The entry that the act makes, or a refusal. Nothing changes."""
        time_of(at)
        if isinstance(act, acts.CreateSite):
            if self.book.entries:
                raise refusal(No.ALREADY_CREATED, title=self.title)
        elif not self.book.entries:
            raise refusal(No.NOT_CREATED)
        else:
            self._check_people(act, at)
        decision = DECIDE[type(act)](self, act, at)
        return self.book.next(at, act.id, str(decision.kind), {**act.facts(), **decision.facts}, decision.transfers)

    def _check_people(self, act: SiteAct, at: str) -> None:
        """Whoever is named must be allowed the act, and be two where it takes two."""
        if isinstance(act, notes.NoteAccess) and act.by == ITSELF:
            return
        if isinstance(act, notes.NoteKey | notes.NoteStart | notes.NoteCheck):
            if act.by != ITSELF:
                raise denied(Denied.UNKNOWN_PERSON, person=act.by)
            return
        needs = needed_for(act)
        if act.seconded or takes_two(self, act):
            self.people.require_two(needs, act.by, act.seconded or "", at)
        else:
            self.people.require(needs, act.by, at)
        if isinstance(act, acts.OfTwo) and act.seconded:
            self.people.check_agreed(act.seconded, act.agreed, act.statement(), at)
        elif isinstance(act, acts.OfTwo) and act.agreed:
            raise refusal(No.WRONG_FORM, why="nobody is named who has agreed to it")

    def apply(self, entry: Entry) -> None:
        """Add the entry to the book, and do what it says."""
        if entry.kind not in CHANGE:
            raise RecordError(f"Entry {entry.number} of the site is of no known kind: {entry.kind!r}.")
        self.book.add(entry)
        try:
            CHANGE[entry.kind](self, entry)
        except (KeyError, ValueError, TypeError) as error:
            raise RecordError(f"Entry {entry.number} of the site cannot be read: {error!r}.") from None

    # Keeping

    def snapshot(self) -> dict[str, Any]:
        """All of it, as JSON: with the entries after it, the site opens without reading those before."""
        book = self.book
        return {
            "entries": book.entries,
            "at": book.at,
            "digest": book.digest,
            "balances": {str(account): units for account, units in book.balances.items()},
            "title": self.title,
            "profile": self.profile,
            "zone": self.zone,
            "day_begins": self.day_begins,
            "people": self.people.as_json(),
            "devices": self.devices.as_json(),
            "tables": [plain(table) for table in self.tables.values()],
            "bank": self.bank.as_json(),
            "days": self.days.as_json(),
            **({"signing": {str(entry): key for entry, key in self.signing.items()}} if self.signing else {}),
            **({"backup": list(self.backup)} if self.backup else {}),
            **({"many_tables": True} if self.many_tables else {}),
            **({"runs": [_run_json(run) for run in self.runs.values()]} if self.runs else {}),
            **({"checked": list(self.checked)} if self.checked else {}),
            **({"removals": {link: list(plan) for link, plan in self.removals.items()}} if self.removals else {}),
            **({"given": dict(self.given)} if self.given else {}),
            **({"kept": self.kept.as_json()} if self.kept else {}),
        }

    @classmethod
    def of_snapshot(cls, values: Mapping[str, Any]) -> Self:
        try:
            balances = {Account.parse(account): units for account, units in values["balances"].items()}
            tables = [read_record(TableSetup, value) for value in values["tables"]]
            return cls(
                book=Book(values["entries"], values["at"], values["digest"], balances),
                title=values["title"],
                profile=values["profile"],
                zone=values["zone"],
                day_begins=values["day_begins"],
                people=People.of_json(values["people"]),
                devices=Devices.of_json(values["devices"]),
                tables={table.number: table for table in tables},
                bank=BankState(**values["bank"]),
                days=Days.of_json(values["days"]),
                signing={int(entry): str(key) for entry, key in values.get("signing", {}).items()},
                backup=Backup(*values["backup"]) if "backup" in values else None,
                many_tables=values.get("many_tables", False),
                runs={(run[1], run[2]): _run_of(run) for run in values.get("runs", ())},
                checked=Checked(*values["checked"]) if "checked" in values else None,
                removals={link: Removal(*plan) for link, plan in values.get("removals", {}).items()},
                given=dict(values.get("given", {})),
                kept=Kept.of_json(values["kept"]) if "kept" in values else Kept(),
            )
        except (KeyError, TypeError, ValueError, AttributeError, NotationError) as error:
            raise RecordError(f"The snapshot of the site cannot be read: {error!r}.") from None


def recheck_site(site: Site, entry: Entry) -> None:
    """Refuse an entry that its own act would not lead to, here and now."""
    try:
        kind = ACTS[entry.kind]
        act = read_record(kind, {**kind.told(entry.facts), "id": entry.command})
        again = Site.handle(site, act, entry.at)
    except STRANGE as error:
        raise RecordError(f"Entry {entry.number} of the book ({entry.kind}) was not allowed: {error}") from None
    if again.digest != entry.digest and entry.at >= site.book.at:
        raise RecordError(f"Entry {entry.number} of the book ({entry.kind}) says other things than the rules do.")


def check_edition(site: Site) -> None:
    """Refuse a site whose rules this program does not have: another program, a newer one, wrote its book."""
    try:
        if site.profile:
            find_profile(site.profile)
    except UnknownName as error:
        why = f"The site goes by rules that this program lacks; start the one that it ran on. {error}"
        raise RecordError(why) from None


# What each kind of entry changes


def _created(site: Site, entry: Entry) -> None:
    facts = facts_of(CreateSiteFacts, entry)
    site.title, site.profile = facts["title"], facts["profile"]
    site.zone, site.day_begins = facts["zone"], facts["day_begins"]
    site.people.enrol(Person(facts["by"], facts["name"], Role.MANAGER, CardHash(facts["card"])), entry.at)
    site.days = Days(first=str(gaming_day(site, entry.at)))


def _enrolled(site: Site, entry: Entry) -> None:
    facts = facts_of(EnrolPersonFacts, entry)
    role, card, until = Role(facts["role"]), CardHash(facts["card"]), facts.get("until", "")
    site.people.enrol(Person(facts["person"], facts["name"], role, card, until=until), entry.at)
    if facts.get("with_pin") and Role(facts["role"]) is not Role.DEALER:
        site.people.pins.add(facts["person"])


def _role_changed(site: Site, entry: Entry) -> None:
    facts = facts_of(ChangeRoleFacts, entry)
    ends_card = facts.get("law", 1) > 1
    site.people.change_role(facts["person"], Role(facts["role"]), entry.at, facts.get("until", ""), ends_card=ends_card)


def _card_replaced(site: Site, entry: Entry) -> None:
    facts = facts_of(ReplaceCardFacts, entry)
    site.people.give_card(facts["person"], CardHash(facts["card"]))


def _card_revoked(site: Site, entry: Entry) -> None:
    site.people.revoke(facts_of(RevokeCardFacts, entry)["person"])


def _pin_noted(site: Site, entry: Entry) -> None:
    facts = facts_of(NotePinFacts, entry)
    person = site.people.known(facts["person"])
    if person.role is not Role.DEALER:
        site.people.pins.add(person.id)
    key = read_record(AgreementKey, facts["key"]) if "key" in facts else None
    site.people.note_key(person.id, key, entry.at)


def _noted(_: Site, __: Entry) -> None:
    """The book says that it was done, and by whom."""


def _device_enrolled(site: Site, entry: Entry) -> None:
    facts = facts_of(EnrolDeviceFacts, entry)
    token = CardHash(facts["token"])
    kind, table = DeviceKind(facts["device_kind"]), facts["table"]
    by_two = "second" in facts
    site.devices.enrol(Device(facts["device"], kind, facts["name"], token, table, facts["link"], by_two=by_two))


def _device_revoked(site: Site, entry: Entry) -> None:
    site.devices.revoke(facts_of(RevokeDeviceFacts, entry)["device"])


def _table_set(site: Site, entry: Entry) -> None:
    table = read_record(TableSetup, facts_of(SetTableFacts, entry)["table"])
    site.tables[table.number] = table


def _table_removed(site: Site, entry: Entry) -> None:
    del site.tables[facts_of(RemoveTableFacts, entry)["number"]]


def _profile_chosen(site: Site, entry: Entry) -> None:
    site.profile = facts_of(ChooseProfileFacts, entry)["profile"]


def _renamed(site: Site, entry: Entry) -> None:
    site.title = facts_of(RenameSiteFacts, entry)["title"]


def _clock_set(site: Site, entry: Entry) -> None:
    facts = facts_of(SetClockFacts, entry)
    first, _ = bounds(site, date.fromisoformat(site.days.first))
    site.zone, site.day_begins = facts["zone"], facts["day_begins"]
    # What was played in the first day may lie in one before it by now, and that one is closed too.
    site.days.first = min(site.days.first, str(gaming_day(site, first)))


def _declared(site: Site, entry: Entry) -> None:
    site.bank = replace(
        site.bank,
        balance_units=site.book.balance(Purpose.BANK),
        declared_at=entry.at,
        opened_at=site.bank.opened_at or entry.at,
        paid_then=dict(facts_of(DeclareBankFacts, entry)["paid"]),
    )


def _deposited(site: Site, entry: Entry) -> None:
    site.bank = replace(
        site.bank,
        balance_units=site.book.balance(Purpose.BANK),
        deposited_at=entry.at,
        contributed_then=dict(facts_of(DepositFacts, entry)["contributed"]),
    )


def _backed_up(site: Site, entry: Entry) -> None:
    facts = facts_of(NoteBackupFacts, entry)
    site.backup = Backup(entry.at, facts["by"], facts["file"], facts["digest"], facts["size_bytes"])


def _key_noted(site: Site, entry: Entry) -> None:
    site.signing[entry.number] = facts_of(NoteKeyFacts, entry)["key"]


def _started(site: Site, entry: Entry) -> None:
    facts = facts_of(NoteStartFacts, entry)
    key = facts["digest"], facts["packages"]
    before = site.runs.pop(key, None)
    first, starts = (before.first, before.starts) if before else (entry.at, 0)
    changed = tuple(facts.get("changed", ()))
    own_games = facts.get("own_games", {})
    site.runs[key] = Run(facts["version"], *key, first, entry.at, starts + 1, changed, own_games)


def _run_of(told: list[Any]) -> Run:
    """Older ones do not speak of games."""
    return Run._make((*told[:6], tuple(told[6]), told[7] if len(told) > 7 else {}))


def _run_json(run: Run) -> list[Any]:
    return [*run[:6], list(run.changed), *([dict(run.own_games)] if run.own_games else [])]


def _checked(site: Site, entry: Entry) -> None:
    site.checked = Checked(entry.at, dict(facts_of(NoteCheckFacts, entry)["books"]))


def _access_noted(site: Site, entry: Entry) -> None:
    facts = facts_of(NoteAccessFacts, entry)
    if facts["event"] == notes.AccessEvent.SIGN_IN:
        site.people.seen[facts["person"]] = (facts.get("happened", entry.at), facts.get("where", ""))


def _sign_in_set(site: Site, entry: Entry) -> None:
    site.many_tables = facts_of(SetSignInFacts, entry)["many_tables"]


CHANGE: Mapping[str, Callable[[Site, Entry], None]] = {
    acts.CreateSite.kind: _created,
    acts.EnrolPerson.kind: _enrolled,
    acts.ChangeRole.kind: _role_changed,
    acts.ReplaceCard.kind: _card_replaced,
    acts.RevokeCard.kind: _card_revoked,
    acts.NotePin.kind: _pin_noted,
    acts.EnrolDevice.kind: _device_enrolled,
    acts.RevokeDevice.kind: _device_revoked,
    acts.SetTable.kind: _table_set,
    acts.RemoveTable.kind: _table_removed,
    acts.RenameSite.kind: _renamed,
    acts.ChooseProfile.kind: _profile_chosen,
    acts.SetClock.kind: _clock_set,
    acts.AcceptTime.kind: _noted,
    acts.DeclareBank.kind: _declared,
    acts.Deposit.kind: _deposited,
    acts.ReadMeter.kind: was_read,
    acts.CloseDay.kind: was_closed,
    acts.KeepCheckpoint.kind: were_kept,
    notes.NoteExport.kind: _noted,
    notes.NoteBackup.kind: _backed_up,
    notes.NoteKey.kind: _key_noted,
    notes.NoteStart.kind: _started,
    notes.NoteCheck.kind: _checked,
    notes.NoteEvidence.kind: _noted,
    notes.NoteAccess.kind: _access_noted,
    acts.SetSignIn.kind: _sign_in_set,
    Reconcile.kind: was_reconciled,
    PlanRemoval.kind: was_planned,
    GivePrize.kind: was_given,
    register_acts.EnterApproval.kind: register.approval_entered,
    register_acts.WithdrawApproval.kind: register.approval_withdrawn,
    register_acts.RecordPaper.kind: register.paper_recorded,
    register_acts.WithdrawPaper.kind: register.paper_withdrawn,
    register_acts.OpenTable.kind: register.table_opened,
    register_acts.CloseTable.kind: register.table_closed,
}


FILLED_IN = frozenset({"paid", "contributed", "where", "book", "links", "checkpoints", "agreed", "key", "found", "law"})
"""What the floor, the server and the program themselves put in an act of the site."""


def same_site_act(act: SiteAct, entry: Entry) -> bool:
    """Whether the entry is what this act came to; what was filled in from the links may have changed since."""
    given = act.facts()
    return act.kind == entry.kind and all(
        value == entry.facts.get(name) for name, value in given.items() if name not in FILLED_IN
    )
