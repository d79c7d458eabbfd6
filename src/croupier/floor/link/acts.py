"""What people do with a link, each act a record with an id of its own that reads back from its JSON.

START GAME, END GAME, a hand entered or taken back, a supervisor called          at a table
confirm, void                                                                    with a card
make, open, close, adjust, reconfigure, retire, receive                          in the office
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from croupier.compliance import authority
from croupier.compliance.profile import Lawful
from croupier.floor.forms import Signed, plain, read_record
from croupier.floor.link.setup import LinkSetup
from croupier.floor.refusals import No, refusal
from croupier.ledger.entry import Purpose

LONGEST_ID = 64


@dataclass(frozen=True, kw_only=True)
class Act:
    """Anything done to a link; sent again with the same id, it is the same act."""

    kind: ClassVar[str]
    needs: ClassVar[authority.Power]
    """What the person's role must allow."""
    id: str
    by: Signed
    where: str = ""
    """The device or console at which it was done, where that is known."""

    def __post_init__(self) -> None:
        if not (self.id.isprintable() and 1 <= len(self.id) <= LONGEST_ID):
            raise refusal(No.WRONG_FORM, why=f"an id has 1 to {LONGEST_ID} printable characters, not {self.id[:70]!r}")
        if not (self.where.isprintable() and len(self.where) <= LONGEST_ID):
            raise refusal(No.WRONG_FORM, why=f"a place has at most {LONGEST_ID} printable characters")

    @property
    def seconded(self) -> Signed | None:
        """The second person, where one signs."""
        second: Signed | None = getattr(self, "second", None)
        return second

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, **plain(self)}


# At a table


@dataclass(frozen=True, kw_only=True)
class StartGame(Act):
    """The wagers whose sensors are lit are locked, and each is contributed."""

    kind: ClassVar = "start"
    needs: ClassVar = authority.Power.START_GAME
    table: int
    lit: tuple[int, ...]
    """Seats with a progressive wager."""
    based: tuple[int, ...]
    """Seats with a base wager."""


@dataclass(frozen=True, kw_only=True)
class EndGame(Act):
    kind: ClassVar = "end"
    needs: ClassVar = authority.Power.END_GAME
    table: int


@dataclass(frozen=True, kw_only=True)
class EnterHand(Act):
    """The dealer picks a seat and presses a hand; where cards are given, they must make it."""

    kind: ClassVar = "enter"
    needs: ClassVar = authority.Power.ENTER_HAND
    table: int
    seat: int
    line: str
    cards: str = ""
    """The player's first two, then the up card or the player's third: `7d 7h 7s`."""
    override_by: Signed | None = None
    override_reason: str = ""


@dataclass(frozen=True, kw_only=True)
class TakeBackHand(Act):
    """The hand is pressed again: it was an accident."""

    kind: ClassVar = "take-back"
    needs: ClassVar = authority.Power.TAKE_BACK
    table: int
    seat: int


@dataclass(frozen=True, kw_only=True)
class CallSupervisor(Act):
    kind: ClassVar = "call"
    needs: ClassVar = authority.Power.CALL_SUPERVISOR
    table: int


# With a card


@dataclass(frozen=True, kw_only=True)
class Confirm(Act):
    """The award is right: the card makes it final."""

    kind: ClassVar = "confirm"
    needs: ClassVar = authority.Power.CONFIRM
    award: int
    cents: int | None = None
    """The amount as the supervisor has seen it; another one is refused."""


@dataclass(frozen=True, kw_only=True)
class VoidAward(Act):
    """The award is not right: it is released before a card has confirmed it."""

    kind: ClassVar = "void"
    needs: ClassVar = authority.Power.VOID_AWARD
    award: int
    reason: str


# In the office


@dataclass(frozen=True, kw_only=True)
class MakeLink(Act):
    """The link is set up, and the house puts the seeds on its meters. It is closed until it is opened."""

    kind: ClassVar = "make"
    needs: ClassVar = authority.Power.RECONFIGURE
    link: str
    setup: LinkSetup
    second: Signed


@dataclass(frozen=True, kw_only=True)
class OpenLink(Act):
    kind: ClassVar = "open"
    needs: ClassVar = authority.Power.OPEN_LINK
    approved: str = ""
    """The digest of the configuration that was approved, where an approval is filed."""


@dataclass(frozen=True, kw_only=True)
class CloseLink(Act):
    """No game starts any more; games that are on are played to their end."""

    kind: ClassVar = "close"
    needs: ClassVar = authority.Power.CLOSE_LINK
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Adjust(Act):
    """A manual correction: for a lawful reason, by two people, with a text."""

    kind: ClassVar = "adjust"
    needs: ClassVar = authority.Power.ADJUST
    level: str
    reason: Lawful
    source: Purpose
    target: Purpose
    cents: int
    text: str
    second: Signed
    award: int | None = None
    """The award that is put right, where it is one."""


@dataclass(frozen=True, kw_only=True)
class Reconfigure(Act):
    kind: ClassVar = "reconfigure"
    needs: ClassVar = authority.Power.RECONFIGURE
    setup: LinkSetup
    second: Signed


@dataclass(frozen=True, kw_only=True)
class Retire(Act):
    """The link ends; what players have put in goes on in another link, through the house's account."""

    kind: ClassVar = "retire"
    needs: ClassVar = authority.Power.RETIRE
    to: str
    second: Signed


@dataclass(frozen=True, kw_only=True)
class Receive(Act):
    """What a retired link moved here is put on the levels named."""

    kind: ClassVar = "receive"
    needs: ClassVar = authority.Power.RETIRE
    entry: Mapping[str, Any]
    """The other book's entry, as it stands there."""
    source: str
    """The name of the retired link."""
    levels: Mapping[str, str]
    """Of the retired link's levels: which level here."""
    second: Signed


ACTS: Mapping[str, type[Act]] = {
    cls.kind: cls
    for cls in (
        *(StartGame, EndGame, EnterHand, TakeBackHand, CallSupervisor, Confirm, VoidAward),
        *(MakeLink, OpenLink, CloseLink, Adjust, Reconfigure, Retire, Receive),
    )
}


def read_act(values: Any) -> Act:
    """The act that `as_json` wrote."""
    if not isinstance(values, Mapping) or values.get("kind") not in ACTS:
        raise refusal(No.WRONG_FORM, why=f"an act has a kind, one of {', '.join(ACTS)}")
    return read_record(ACTS[values["kind"]], {name: value for name, value in values.items() if name != "kind"})
