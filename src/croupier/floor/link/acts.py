"""What people do with a link, each act a record with an id of its own that reads back from its JSON.

START GAME, END GAME, a hand entered or taken back, a supervisor called          at a table
take a call                                                                      at a console
confirm, void, reopen the last game                                              with a card
issue a jackpot slip, pay one                                                    in the cage
make, open, close, adjust, back out, reconfigure, retire, receive                in the office
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

from croupier.compliance.authority import Power
from croupier.compliance.profile import Destination, Lawful
from croupier.floor.act import Act, EntryKind, by_kind
from croupier.floor.agreement import Agreement
from croupier.floor.forms import Signed
from croupier.floor.link.setup import LAW, LinkSetup
from croupier.floor.refusals import No, refusal
from croupier.ledger.entry import Purpose


@dataclass(frozen=True, kw_only=True)
class LinkAct(Act[Signed]):
    """Anything done to a link. Its book is read without the site's, so a signature there names the role too."""

    by: Signed

    @property
    def seconded(self) -> Signed | None:
        return None


@dataclass(frozen=True, kw_only=True)
class OfTwo(LinkAct):
    """What two people do together."""

    second: Signed
    agreed: Agreement | None = None
    """The second person's, with card and PIN; none in a book that is older than its site's first key."""

    @property
    def seconded(self) -> Signed:
        return self.second


# At a table


@dataclass(frozen=True, kw_only=True)
class StartGame(LinkAct):
    """The wagers whose sensors are lit are locked, and each is contributed."""

    kind: ClassVar = EntryKind.START
    needs: ClassVar = Power.START_GAME
    table: int
    lit: tuple[int, ...]
    """Seats with a progressive wager."""
    based: tuple[int, ...]
    """Seats with a base wager."""


@dataclass(frozen=True, kw_only=True)
class EndGame(LinkAct):
    kind: ClassVar = EntryKind.END
    needs: ClassVar = Power.END_GAME
    table: int


@dataclass(frozen=True, kw_only=True)
class EnterHand(LinkAct):
    """The dealer picks a seat and presses a hand; where cards are given, they must make it."""

    kind: ClassVar = EntryKind.ENTER
    needs: ClassVar = Power.ENTER_HAND
    table: int
    seat: int
    line: str
    cards: str = ""
    """The player's first two, then the up card or the player's third: `7d 7h 7s`."""
    override_by: Signed | None = None
    override_reason: str = ""
    law: int = LAW
    """By which the game is settled whose first hand it is; an entry of an older book was by an older one."""

    def signers(self) -> tuple[Signed, ...]:
        return (*super().signers(), self.override_by) if self.override_by else super().signers()


@dataclass(frozen=True, kw_only=True)
class TakeBackHand(LinkAct):
    """The hand is pressed again: it was an accident."""

    kind: ClassVar = EntryKind.TAKE_BACK
    needs: ClassVar = Power.TAKE_BACK
    table: int
    seat: int


@dataclass(frozen=True, kw_only=True)
class CallSupervisor(LinkAct):
    kind: ClassVar = EntryKind.CALL
    needs: ClassVar = Power.CALL_SUPERVISOR
    table: int


@dataclass(frozen=True, kw_only=True)
class TakeCall(LinkAct):
    """Somebody goes to the table that has called: the others need not."""

    kind: ClassVar = EntryKind.TAKE_CALL
    needs: ClassVar = Power.TAKE_CALL
    table: int


# With a card


@dataclass(frozen=True, kw_only=True)
class Confirm(LinkAct):
    """The award is right: the card makes it final."""

    kind: ClassVar = EntryKind.CONFIRM
    needs: ClassVar = Power.CONFIRM
    award: int
    cents: int | None = None
    """The amount as the supervisor has seen it; another one is refused."""
    form: int = 2
    """From the second on a jackpot slip can be issued for the award; an entry of an older book is of the first."""

    def check(self) -> None:
        if self.form not in (1, 2):
            raise refusal(No.WRONG_FORM, why=f"a confirmation is of form 1 or 2, not {self.form}")


@dataclass(frozen=True, kw_only=True)
class VoidAward(LinkAct):
    """The award is not right: it is released before a card has confirmed it."""

    kind: ClassVar = EntryKind.VOID
    needs: ClassVar = Power.VOID_AWARD
    award: int
    reason: str


@dataclass(frozen=True, kw_only=True)
class ReopenGame(LinkAct):
    """A winner was seen after END GAME: the last game of a table goes on, as long as no other has begun there."""

    kind: ClassVar = EntryKind.REOPEN
    needs: ClassVar = Power.REOPEN_GAME
    table: int
    reason: str


# In the cage


class PaidIn(StrEnum):
    """What a player gets for a slip."""

    CASH = "cash"
    CHIPS = "chips"
    CHECK = "check"
    CASH_AND_CHECK = "cash and check"
    """Some at once, and the rest by check, where the place lets it wait."""


class Identity(StrEnum):
    """What the cage looked at. Name and number stay on the paper, and out of a book that nobody can delete from."""

    DRIVER_LICENSE = "driver license"
    STATE_ID = "state ID"
    PASSPORT = "passport"
    TRIBAL_ID = "tribal ID"
    MILITARY_ID = "military ID"


@dataclass(frozen=True, kw_only=True)
class IssueSlip(LinkAct):
    """A confirmed award gets its jackpot slip: numbered, for the cage to pay."""

    kind: ClassVar = EntryKind.ISSUE_SLIP
    needs: ClassVar = Power.PAY_SLIP
    award: int


@dataclass(frozen=True, kw_only=True)
class PaySlip(LinkAct):
    """The player has been paid for a slip; whoever confirmed the award does not pay it."""

    kind: ClassVar = EntryKind.PAY_SLIP
    needs: ClassVar = Power.PAY_SLIP
    slip: int
    paid_in: PaidIn
    identity: Identity | None = None
    """Where the award's checklist asks who the player is."""


# In the office


@dataclass(frozen=True, kw_only=True)
class MakeLink(OfTwo):
    """The link is set up, and the house puts the seeds on its meters. It is closed until it is opened."""

    kind: ClassVar = EntryKind.MAKE
    needs: ClassVar = Power.RECONFIGURE
    link: str
    setup: LinkSetup


@dataclass(frozen=True, kw_only=True)
class OpenLink(LinkAct):
    kind: ClassVar = EntryKind.OPEN
    needs: ClassVar = Power.OPEN_LINK
    approved: str = ""
    """The digest of the configuration that was approved, where an approval is filed."""


@dataclass(frozen=True, kw_only=True)
class CloseLink(LinkAct):
    """No game starts any more; games that are on are played to their end."""

    kind: ClassVar = EntryKind.CLOSE
    needs: ClassVar = Power.CLOSE_LINK
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Adjust(OfTwo):
    """A manual correction: for a lawful reason, by two people, with a text."""

    kind: ClassVar = EntryKind.ADJUST
    needs: ClassVar = Power.ADJUST
    level: str
    reason: Lawful
    source: Purpose
    target: Purpose
    cents: int
    text: str
    award: int | None = None
    """The award that is put right, where it is one."""
    reseed: bool = False
    """Whether a winner who was found late has won the whole meter, so that the next one is seeded with it."""


@dataclass(frozen=True, kw_only=True)
class BackOut(OfTwo):
    """A confirmed award is undone as a whole: its amount and what the next meter got for it go back together."""

    kind: ClassVar = EntryKind.BACK_OUT
    needs: ClassVar = Power.ADJUST
    award: int
    reason: str


@dataclass(frozen=True, kw_only=True)
class Reconfigure(OfTwo):
    kind: ClassVar = EntryKind.RECONFIGURE
    needs: ClassVar = Power.RECONFIGURE
    setup: LinkSetup


@dataclass(frozen=True, kw_only=True)
class Retire(OfTwo):
    """The link ends; what players have put in goes on in another link, through the house's account, or is kept there
    until it is given away as the plan of its removal says."""

    kind: ClassVar = EntryKind.RETIRE
    needs: ClassVar = Power.RETIRE
    to: str = ""
    """The other link; none where the prize goes elsewhere."""
    destination: Destination | None = None
    """Where it goes, if not to another link."""

    def check(self) -> None:
        if bool(self.to) == bool(self.destination) or self.destination is Destination.PROGRESSIVE:
            ways = ", ".join(destination for destination in Destination if destination is not Destination.PROGRESSIVE)
            raise refusal(No.WRONG_FORM, why=f"a link is retired to another link, or to one of {ways}")


@dataclass(frozen=True, kw_only=True)
class Receive(OfTwo):
    """What a retired link moved here is put on the levels named."""

    kind: ClassVar = EntryKind.RECEIVE
    needs: ClassVar = Power.RETIRE
    entry: Mapping[str, Any]
    """The other book's entry, as it stands there."""
    source: str
    """The name of the retired link."""
    levels: Mapping[str, str]
    """Of the retired link's levels: which level here."""


ACTS = by_kind(
    *(StartGame, EndGame, EnterHand, TakeBackHand, CallSupervisor, TakeCall, Confirm, VoidAward, ReopenGame),
    *(IssueSlip, PaySlip),
    *(MakeLink, OpenLink, CloseLink, Adjust, BackOut, Reconfigure, Retire, Receive),
)
