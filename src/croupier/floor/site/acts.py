"""What can be done to a site: commands with the id that the client made, and who gives them.

Each reads back from its JSON; what is missing, unknown or of another type is refused by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from croupier.compliance.authority import Power, Role
from croupier.compliance.table import OnFile
from croupier.errors import NotationError
from croupier.floor.act import LONGEST_REASON, EntryKind
from croupier.floor.agreement import AgreementKey
from croupier.floor.people import DeviceKind
from croupier.floor.refusals import No, refusal
from croupier.floor.site.notes import OfTwo as OfTwo  # noqa: PLC0414 - whoever names acts names these with them
from croupier.floor.site.notes import SiteAct as SiteAct  # noqa: PLC0414
from croupier.floor.site.values import (
    MOST_BANK_CENTS,
    check_clock,
    check_day,
    check_figures,
    check_moment,
    check_note,
    check_number,
    check_on_file,
    check_totals,
    check_word,
)
from croupier.ledger.clock import time_of

# The end of a gaming day: readings, the close, checkpoints and exports


@dataclass(frozen=True, kw_only=True)
class ReadMeter(SiteAct):
    """What somebody read off a display."""

    kind = EntryKind.READ_METER
    needs = Power.READ_METERS
    day: str
    """The gaming day, as 2026-11-15."""
    link: str
    level: str
    """Empty for the meter of a link that has one."""
    read_cents: int
    display: str
    """Where it was read: `table 3`, `lobby`."""
    corrects: int | None = None
    """The entry of an earlier reading, there, of the same meter and day, that was mistyped."""
    note: str = ""
    seen_at: str = ""
    """When it was read, UTC, where somebody says so; otherwise it is held against the moment of its entry."""
    book: Mapping[str, Any] = field(default_factory=dict)
    """What the link's book said then: `cents`, `entry` and `digest`. The floor fills it in; for an earlier moment the
    server does, from the link's book."""

    def facts(self) -> dict[str, Any]:
        return {name: value for name, value in super().facts().items() if (name, value) != ("seen_at", "")}

    def check(self) -> None:
        check_day(self.day)
        check_word("link", self.link)
        if self.level:
            check_word("level", self.level)
        check_number("read_cents", self.read_cents, 0, MOST_BANK_CENTS)
        check_word("display", self.display)
        check_note(self.note)
        if self.seen_at:
            check_moment("seen_at", self.seen_at)


@dataclass(frozen=True, kw_only=True)
class CloseDay(SiteAct):
    """A gaming day that is over, closed as it stands."""

    kind = EntryKind.CLOSE_DAY
    needs = Power.CLOSE_DAY
    day: str
    note: str = ""
    links: Mapping[str, Any] = field(default_factory=dict)
    """By link: `entries` and `digest` of its last entry in the day, and its `levels`. The server fills it in."""
    checkpoints: Mapping[str, Any] = field(default_factory=dict)
    """By book: a signed checkpoint, where the server has a key to sign with."""

    def check(self) -> None:
        check_day(self.day)
        check_note(self.note)
        for name, figures in self.links.items():
            check_figures(name, figures)


@dataclass(frozen=True, kw_only=True)
class KeepCheckpoint(SiteAct):
    """Signed checkpoints of books, put on record."""

    kind = EntryKind.KEEP_CHECKPOINT
    needs = Power.CHECKPOINT
    day: str
    """UTC."""
    checkpoints: Mapping[str, Any]
    """By book, as `SignedCheckpoint` writes it. The server fills it in."""

    def check(self) -> None:
        check_day(self.day)


# The site itself: people, devices, tables, the bank


@dataclass(frozen=True)
class WagerLimits:
    """What may be laid on a wager of a table that is not the base wager."""

    wager: str
    least_cents: int
    most_cents: int

    def __post_init__(self) -> None:
        check_number(f"least_cents of {self.wager}", self.least_cents, 1, MOST_BANK_CENTS)
        check_number(f"most_cents of {self.wager}", self.most_cents, self.least_cents, MOST_BANK_CENTS)


@dataclass(frozen=True)
class TableSetup:
    """A table of the site."""

    number: int
    title: str
    """The game, by its approved title."""
    base_game: str
    decks: int
    seats: int
    least_wager_cents: int
    most_wager_cents: int
    wagers: tuple[str, ...] = ()
    """Other games that a player may wager on with the same hand."""
    limits: tuple[WagerLimits, ...] = ()
    """Of those that have limits of their own; the others have those of the base wager."""
    on_file: OnFile | None = None
    """What the register has of it: its approval, rules, paytables and equipment."""
    CAME_LATER: ClassVar = ("limits", "on_file")
    """What older books do not have: it is written where there is something."""

    def __post_init__(self) -> None:
        check_word("title", self.title)
        for place, limit in enumerate(self.limits):
            if limit.wager not in self.wagers or limit.wager in [other.wager for other in self.limits[:place]]:
                raise refusal(
                    No.WRONG_FORM, why=f"limits are of wagers of the table, each once, not of {limit.wager!r}"
                )
        check_word("base_game", self.base_game)
        for name, most in (("number", 999), ("decks", 8), ("seats", 14), ("least_wager_cents", MOST_BANK_CENTS)):
            check_number(f"{name} of a table", getattr(self, name), 1, most)
        check_number("most_wager_cents of a table", self.most_wager_cents, self.least_wager_cents, MOST_BANK_CENTS)
        if self.on_file is not None:
            check_on_file(self.on_file)

    @property
    def games(self) -> int:
        """How many games one hand plays."""
        return 1 + len(self.wagers)


@dataclass(frozen=True, kw_only=True)
class CreateSite(SiteAct):
    """The first entry: the place, its profile, and the first manager, who enrolls everybody else."""

    kind = EntryKind.CREATE_SITE
    needs = Power.ENROL_PERSON
    title: str
    profile: str
    name: str
    """Of the manager, whose id is `by`."""
    card: str
    """The hash of the manager's card."""
    zone: str
    """Where the site stands, as in `America/Los_Angeles`: its days and printed times go by that."""
    day_begins: int = 6
    """The local hour at which a gaming day begins."""

    def check(self) -> None:
        check_word("title", self.title)
        check_word("name", self.name)
        check_clock(self.zone, self.day_begins)


@dataclass(frozen=True, kw_only=True)
class SetClock(OfTwo):
    """Another time zone or beginning of the gaming day."""

    kind = EntryKind.SET_CLOCK
    needs = Power.RECONFIGURE
    second: str
    zone: str
    day_begins: int

    def check(self) -> None:
        check_clock(self.zone, self.day_begins)


@dataclass(frozen=True, kw_only=True)
class AcceptTime(OfTwo):
    """Two people have looked at their watches: the server's clock is right, although something speaks against it."""

    kind = EntryKind.ACCEPT_TIME
    needs = Power.RECONFIGURE
    accepts_time = True
    second: str
    time: str
    """What it is by their watches, in UTC."""

    def check(self) -> None:
        try:
            time_of(self.time)
        except NotationError as error:
            raise refusal(No.WRONG_FORM, why=str(error).rstrip(".")) from None


@dataclass(frozen=True, kw_only=True)
class EnrolPerson(OfTwo):
    kind = EntryKind.ENROL_PERSON
    needs = Power.ENROL_PERSON
    person: str
    name: str
    role: Role
    card: str = ""
    """The hash of the card; only a dealer may do without."""
    second: str = ""
    """The second manager, where it takes one: for everybody but a dealer."""
    with_pin: bool = False
    """Whether a first PIN is given along, for the person to change."""
    until: str = ""
    """Of an inspector alone: the first moment, UTC, at which the person can act no more."""

    def facts(self) -> dict[str, Any]:
        left_out = (("with_pin", False), ("until", ""))
        return {name: value for name, value in super().facts().items() if (name, value) not in left_out}

    def check(self) -> None:
        check_word("person", self.person)
        check_word("name", self.name)
        if self.until:
            check_moment("until", self.until)


@dataclass(frozen=True, kw_only=True)
class ChangeRole(OfTwo):
    """Another role, or another span for an inspector. A dealer who becomes something else has no card any more: one
    manager alone has given it out, and two give the next."""

    kind = EntryKind.CHANGE_ROLE
    needs = Power.ENROL_PERSON
    person: str
    role: Role
    second: str = ""
    until: str = ""
    """As where somebody is enrolled."""
    law: int = 2
    """By the first, in older books, a dealer kept the card and the key with every role."""

    def facts(self) -> dict[str, Any]:
        left_out = (("until", ""), ("law", 1))
        return {name: value for name, value in super().facts().items() if (name, value) not in left_out}

    @classmethod
    def told(cls, facts: Mapping[str, Any]) -> dict[str, Any]:
        return {"law": 1, **super().told(facts)}

    def check(self) -> None:
        if self.until:
            check_moment("until", self.until)


@dataclass(frozen=True, kw_only=True)
class ReplaceCard(OfTwo):
    """A new card, which also lets a person act again whose card was revoked."""

    kind = EntryKind.REPLACE_CARD
    needs = Power.ENROL_PERSON
    person: str
    card: str
    second: str = ""
    """The second manager, where it takes one: for everybody but a dealer."""


@dataclass(frozen=True, kw_only=True)
class RevokeCard(SiteAct):
    """From now on the person cannot act: a lost card, or somebody who left."""

    kind = EntryKind.REVOKE_CARD
    needs = Power.REVOKE_CARD
    person: str
    reason: str

    def check(self) -> None:
        if not self.reason.strip():
            raise refusal(No.NO_REASON, most=LONGEST_REASON)


@dataclass(frozen=True, kw_only=True)
class NotePin(OfTwo):
    """That a PIN was set, by oneself or by a manager. What it is stands nowhere in the book."""

    kind = EntryKind.NOTE_PIN
    needs = Power.SET_PIN
    person: str
    second: str = ""
    """The second manager, where it takes one: for another person's, unless that is a dealer."""
    key: AgreementKey | None = None
    """With which the person agrees from now on, where the person has chosen the PIN and showed the card."""

    def facts(self) -> dict[str, Any]:
        """Most people set their own: then there is no second to speak of."""
        left_out = (("second", ""), ("key", None))
        return {name: value for name, value in super().facts().items() if (name, value) not in left_out}

    def check(self) -> None:
        if self.key is not None and self.by != self.person:
            raise refusal(No.WRONG_FORM, why="a key to agree with comes with a PIN of one's own")


@dataclass(frozen=True, kw_only=True)
class SetSignIn(OfTwo):
    """Whether a dealer may be signed in at several tables at once."""

    kind = EntryKind.SET_SIGN_IN
    needs = Power.RECONFIGURE
    second: str
    many_tables: bool


@dataclass(frozen=True, kw_only=True)
class EnrolDevice(OfTwo):
    """A keypad or a bridge for a table, or a display for a link or the whole site."""

    kind = EntryKind.ENROL_DEVICE
    needs = Power.ENROL_DEVICE
    device: str
    device_kind: DeviceKind
    name: str
    token: str
    """The hash of its token."""
    table: int | None = None
    link: str = ""
    second: str = ""
    """For what belongs to a table: what is pressed there pays. A display only shows, and one person enrolls it."""
    law: int = 2
    """By the first, in older books, one person enrolled a keypad, and a table had as many as were enrolled."""

    def facts(self) -> dict[str, Any]:
        left_out = {"law"} if self.second else {"law", "second"}
        return {name: value for name, value in super().facts().items() if name not in left_out}

    @classmethod
    def told(cls, facts: Mapping[str, Any]) -> dict[str, Any]:
        alone = facts.get("device_kind") == DeviceKind.KEYPAD and "second" not in facts
        return {**super().told(facts), **({"law": 1} if alone else {})}

    def check(self) -> None:
        check_word("device", self.device)
        check_word("name", self.name)
        if self.device_kind.is_of_table != (self.table is not None):
            raise refusal(No.WRONG_FORM, why="a keypad or a bridge belongs to a table, and a display does not")


@dataclass(frozen=True, kw_only=True)
class RevokeDevice(SiteAct):
    kind = EntryKind.REVOKE_DEVICE
    needs = Power.ENROL_DEVICE
    device: str
    reason: str

    def check(self) -> None:
        if not self.reason.strip():
            raise refusal(No.NO_REASON, most=LONGEST_REASON)


@dataclass(frozen=True, kw_only=True)
class SetTable(OfTwo):
    """A new table, or other values for one that is there."""

    kind = EntryKind.SET_TABLE
    needs = Power.RECONFIGURE
    second: str
    table: TableSetup


@dataclass(frozen=True, kw_only=True)
class RemoveTable(OfTwo):
    kind = EntryKind.REMOVE_TABLE
    needs = Power.RECONFIGURE
    second: str
    number: int


@dataclass(frozen=True, kw_only=True)
class RenameSite(OfTwo):
    """Another name of the card room, from now on: on displays, pages and papers."""

    kind = EntryKind.RENAME_SITE
    needs = Power.RECONFIGURE
    second: str
    title: str

    def check(self) -> None:
        check_word("title", self.title)


@dataclass(frozen=True, kw_only=True)
class ChooseProfile(OfTwo):
    kind = EntryKind.CHOOSE_PROFILE
    needs = Power.RECONFIGURE
    second: str
    profile: str


@dataclass(frozen=True, kw_only=True)
class DeclareBank(SiteAct):
    """What the bank says is in the separate account."""

    kind = EntryKind.DECLARE_BANK
    needs = Power.DECLARE_BANK
    balance_cents: int
    paid: Mapping[str, Any]
    """By link, the units that it has paid to winners so far; the server fills it in from the links' books."""

    def check(self) -> None:
        check_number("balance_cents", self.balance_cents, 0, MOST_BANK_CENTS)
        check_totals("paid", self.paid)


@dataclass(frozen=True, kw_only=True)
class Deposit(SiteAct):
    """Accrued money that reached the separate account."""

    kind = EntryKind.DEPOSIT
    needs = Power.DEPOSIT
    amount_cents: int
    reference: str
    """Of the bank's slip."""
    contributed: Mapping[str, Any]
    """By link, the units that wagers have contributed so far; filled in likewise."""

    def check(self) -> None:
        check_number("amount_cents", self.amount_cents, 1, MOST_BANK_CENTS)
        check_word("reference", self.reference)
        check_totals("contributed", self.contributed)
