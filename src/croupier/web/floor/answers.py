"""What the routes of the floor answer, as the description of the API has it. Money has its unit in the name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,  # pydantic describes those of `typing` from Python 3.12 on
)

import msgspec
from fastapi import Response
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

_encode = msgspec.json.Encoder().encode
_UNKEPT, _JSON = (b"cache-control", b"no-store"), (b"content-type", b"application/json")


class Answer(Response):
    """JSON whose headers are always the same, but for its length: nothing is looked up to write them."""

    def __init__(self, body: bytes) -> None:
        self.status_code, self.background, self.body = 200, None, body
        self.raw_headers = [_UNKEPT, (b"content-length", b"%d" % len(body)), _JSON]


def answer(values: Mapping[str, Any]) -> Response:
    """Made here and sent as it is: the description says its form, and the tests hold it against that.

    No cache keeps it: it may carry a token, a card or a ticket, and is old the next moment.
    """
    return Answer(_encode(values))


class EntryForm(BaseModel):
    """An entry of a book, as it stands there."""

    number: int = Field(examples=[17])
    at: str = Field(examples=["2026-11-15T20:30:00.123456Z"])
    command: str = Field(description="The id that the client made.")
    kind: str = Field(examples=["start"])
    facts: dict[str, Any]
    transfers: list[tuple[str, str, int]] = Field(description="From, to, and how much, in `unit`.")
    before: str = Field(description="The digest of the entry before.")
    digest: str
    unit: Literal["1e-6 cent"]


class EntryDone(BaseModel):
    """Done and durable."""

    entry: EntryForm


class EntriesForm(BaseModel):
    entries: list[EntryForm]


# A link, a table, the site. These are the forms that `views` fills: a field that is missing there, or not said here,
# is an error of types.


class Meter(TypedDict):
    level: str
    title: str
    meter_cents: Annotated[int, Field(description="What the displays show.")]


class LevelForm(Meter):
    reserve_cents: int
    overflow_cents: int
    maximum_cents: int | None


class HandForm(TypedDict):
    """A hand that was entered."""

    seat: int
    line: str
    award: int
    fixed: bool
    final: bool


class GameForm(TypedDict):
    """A table's game."""

    round: int
    on: bool
    seats: Annotated[list[int], Field(description="With a progressive wager.")]
    based: Annotated[list[int], Field(description="With a base wager.")]
    entered: list[HandForm]
    reopenable: Annotated[
        bool, Field(description="Whether the game that ended last can be reopened: none began since.")
    ]


class AwardForm(TypedDict):
    """An award that no card has decided yet."""

    award: int
    table: int
    round: int
    seat: int
    line: str
    level: str
    share: str
    fixed: Annotated[bool, Field(description="A fixed pay that takes a card; it is no share, and of no single meter.")]
    cents: int
    called: bool
    card: Annotated[str, Field(description="Whose card it takes at least: a supervisor's or an executive's.")]


class LinkInShort(TypedDict):
    """What is the same for all tables of a link."""

    link: str
    number: Annotated[int, Field(description="Of its last entry.")]
    status: str
    stopped: str
    levels: list[Meter]
    awards: list[AwardForm]


class LinkSummary(LinkInShort):
    """A link in short, as it stands when the act is answered."""

    game: Annotated[GameForm | None, Field(description="Of the act's table.")]


class LineForm(TypedDict):
    line: str
    printed: Annotated[str, Field(description="As this paytable prints the hand; `line` is what books call it.")]
    pays: str
    share: bool
    level: Annotated[str | None, Field(description="Whose meter it is a share of.")]
    cents: int | None


class LinkForm(TypedDict):
    """A link as everybody may see it."""

    link: str
    number: int
    at: str
    digest: str
    status: str
    stopped: str
    closed_at: Annotated[str | None, Field(description="When it was closed, where it is and that is known.")]
    short_of_cover: Annotated[bool, Field(description="Closed by the program: the bank did not cover the prizes.")]
    configuration: Annotated[str, Field(description="The digest of its setup.")]
    approved: Annotated[str, Field(description="The same, where it was opened as the approved one; empty otherwise.")]
    levels: list[LevelForm]
    progressive: Annotated[str, Field(description="The wager that feeds it, by its title.")]
    setup: dict[str, Any] | None
    paytable: list[LineForm]
    tables: dict[str, GameForm]
    awards: list[AwardForm]


class LimitsForm(TypedDict):
    wager: str
    least_cents: int
    most_cents: int


class TableForm(TypedDict):
    """A table, for its keypad."""

    table: int
    title: str
    base_game: str
    decks: int
    least_wager_cents: int
    most_wager_cents: int
    wagers: Annotated[list[str], Field(description="Other games that a player may wager on with the same hand.")]
    paytables: Annotated[dict[str, str], Field(description="By wager, of a table that was set from the register.")]
    limits: Annotated[list[LimitsForm], Field(description="Of those with limits of their own.")]
    seats: int
    link: str | None
    game: GameForm | None
    awards: list[AwardForm]
    next: Annotated[str, Field(description="What the dealer does now.")]
    opened: NotRequired[Annotated[bool, Field(description="Of a table that was set from the register.")]]
    status: NotRequired[Annotated[str, Field(description="Of its link.")]]
    stopped: NotRequired[str]
    chips: NotRequired[str]


class EnrolledForm(TypedDict):
    person: str
    name: str
    role: str
    active: bool
    has_card: Annotated[bool, Field(description="A dealer may do without; a revoked card is none.")]
    lacks_key: Annotated[
        bool,
        Field(
            description="Would be a second person, and has no key yet to agree with: it is made by choosing a PIN of "
            "one's own, with the card at hand."
        ),
    ]


class DeviceForm(TypedDict):
    device: str
    kind: str
    name: str
    table: int | None
    link: str
    active: bool


class BackupForm(TypedDict):
    """A backup that the server has made, as the site's book has it."""

    at: str
    by: str
    file: str
    digest: str
    size_bytes: int


class PartForm(TypedDict):
    name: str
    up: bool
    since: str


class HealthForm(TypedDict):
    up: bool
    since: str
    """Online since, or offline since."""
    waiting: int
    """Acts that it keeps and no server has answered."""
    parts: list[PartForm]
    lit: list[int]
    """Of a bridge: seats whose sensors are lit."""


class SensorsForm(BaseModel):
    bridge: bool
    """Whether the table has one."""
    up: bool
    """Whether its sensors are online."""
    lit: list[int]


class DeviceHealth(TypedDict):
    device: str
    kind: str
    name: str
    table: int | None
    link: str
    health: HealthForm | None
    """None where it was never heard."""


class DevicesForm(BaseModel):
    devices: list[DeviceHealth]


class BeatDone(BaseModel):
    device: str
    kind: str
    table: int | None
    every_s: int
    """How soon the next one is expected."""


class SiteForm(TypedDict):
    """The site; people, devices, the key and the last backup only for whoever may read the ledger."""

    title: str
    profile: str
    zone: str
    day_begins: int
    tables: list[TableForm]
    people: NotRequired[list[EnrolledForm]]
    devices: NotRequired[list[DeviceForm]]
    signs_with: NotRequired[str]
    fingerprint: NotRequired[str]
    backup: NotRequired[BackupForm | None]


class LinksForm(BaseModel):
    links: list[LinkForm]


class ActDone(BaseModel):
    """Done and durable, and what the link is like now."""

    entry: EntryForm
    link: LinkSummary


class BankForm(BaseModel):
    """The separate account against what the links owe."""

    owed_cents: int
    must_be_there_cents: int
    is_there_cents: int
    to_deposit_cents: Annotated[
        int, Field(description="The deposit that opens the links again; 0 while all is covered.")
    ]
    links_must_stop: bool
    reason: str
    findings: list[dict[str, Any]]


class PaymentForm(BaseModel):
    """A confirmed award whose winner was not paid against a slip yet."""

    link: str
    award: int
    table: int
    seat: int
    line: str
    cents: int
    to_pay_cents: Annotated[int, Field(description="Less what is withheld.")]
    slip: Annotated[int | None, Field(description="The number of its slip; null where none was issued.")]


class PaymentsForm(BaseModel):
    payments: list[PaymentForm]


# Calls


class CallForm(BaseModel):
    """A table that has called, until a card has decided what it called for."""

    link: str
    table: int
    entry: Annotated[int, Field(description="Of the link's book: the call.")]
    at: str
    by: Annotated[str, Field(description="The dealer, by name.")]
    waited_s: Annotated[int, Field(description="Until now, or until somebody took it.")]
    taken_by: Annotated[str | None, Field(description="Who goes there, by name.")]
    taken_at: str | None
    step: Annotated[int, Field(description="How often it has gone on to the next role.")]
    role: Annotated[str, Field(description="Whose call it is now.")]
    escalates_at: Annotated[str | None, Field(description="When it goes on, if nobody takes it; null at the last.")]


class CallsForm(BaseModel):
    now: Annotated[str, Field(description="By the server's clock: ages are counted from it.")]
    calls: list[CallForm]


# People


class PersonForm(BaseModel):
    person: str
    name: str
    role: str


class SignedInForm(PersonForm):
    """Who has signed in, with a token that is shown here and nowhere else."""

    token: str = Field(examples=["ses_..."])
    console: bool = Field(description="Whether a PIN of one's own was given.")
    pin_to_change: bool = Field(description="Whether the PIN was set by somebody else: choose another first.")
    ends: str = Field(description="Unless it is used: then it goes on.")


class MeForm(PersonForm):
    console: bool
    pin_to_change: bool
    device: str | None


class SecondForm(PersonForm):
    """A second person's agreement to one act, for a short time and this session."""

    second_ticket: str
    seconds: int


class CardDone(EntryDone):
    card: str | None = Field(None, description="A token that was made for a new card. It is shown once.")


class DeviceDone(EntryDone):
    token: str | None = Field(None, description="A token that was made for the device. It is shown once.")


class NeedsFirstStart(BaseModel):
    needed: bool


class SignedOut(BaseModel):
    signed_out: bool
