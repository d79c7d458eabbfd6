"""What is done on a floor, for link and site alike: an act is decided, the decision entered, the entry applied.

    act         what somebody wants done: a record with the client's id and a signature, which reads back from its JSON
    decision    what it comes to: the kind of entry, its facts and its transfers; nothing has changed yet
    entry       the decision as the book keeps it
    change      how the state is different after the entry

`DECIDE` of a link and of the site goes by the class of the act, `CHANGE` by the kind of the entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from croupier.compliance.authority import Power
from croupier.floor.forms import Signed, plain, read_record
from croupier.floor.refusals import No, refusal
from croupier.ledger.entry import Transfer

LONGEST_ID = 64
LONGEST_REASON = 500
Signature = TypeVar("Signature", Signed, str)


class EntryKind(StrEnum):
    """What an entry is about. An act has the kind of its entry; a hand with a fixed pay is entered as `pay`."""

    # A link's book
    START = "start"
    END = "end"
    REOPEN = "reopen"
    ENTER = "enter"
    PAY = "pay"
    TAKE_BACK = "take-back"
    UNPAY = "unpay"
    CALL = "call"
    TAKE_CALL = "take-call"
    CONFIRM = "confirm"
    VOID = "void"
    ISSUE_SLIP = "issue-slip"
    PAY_SLIP = "pay-slip"
    MAKE = "make"
    OPEN = "open"
    CLOSE = "close"
    ADJUST = "adjust"
    BACK_OUT = "back-out"
    RECONFIGURE = "reconfigure"
    RETIRE = "retire"
    RECEIVE = "receive"
    # The site's book
    CREATE_SITE = "create-site"
    ENROL_PERSON = "enrol-person"
    CHANGE_ROLE = "change-role"
    REPLACE_CARD = "replace-card"
    REVOKE_CARD = "revoke-card"
    NOTE_PIN = "note-pin"
    ENROL_DEVICE = "enrol-device"
    REVOKE_DEVICE = "revoke-device"
    SET_TABLE = "set-table"
    REMOVE_TABLE = "remove-table"
    RENAME_SITE = "rename-site"
    CHOOSE_PROFILE = "choose-profile"
    SET_CLOCK = "set-clock"
    ACCEPT_TIME = "accept-time"
    DECLARE_BANK = "declare-bank"
    DEPOSIT = "deposit"
    READ_METER = "read-meter"
    CLOSE_DAY = "close-day"
    KEEP_CHECKPOINT = "keep-checkpoint"
    NOTE_EXPORT = "note-export"
    NOTE_BACKUP = "note-backup"
    NOTE_KEY = "note-key"
    NOTE_ACCESS = "note-access"
    SET_SIGN_IN = "set-sign-in"
    NOTE_START = "note-start"
    NOTE_CHECK = "note-check"
    NOTE_EVIDENCE = "note-evidence"
    RECONCILE = "reconcile"
    PLAN_REMOVAL = "plan-removal"
    GIVE_PRIZE = "give-prize"
    ENTER_APPROVAL = "enter-approval"
    WITHDRAW_APPROVAL = "withdraw-approval"
    RECORD_PAPER = "record-paper"
    WITHDRAW_PAPER = "withdraw-paper"
    OPEN_TABLE = "open-table"
    CLOSE_TABLE = "close-table"


@dataclass(frozen=True, kw_only=True)
class Act(Generic[Signature]):
    """Anything done to a link or to the site; sent again with the same id, it is the same act."""

    kind: ClassVar[EntryKind]
    needs: ClassVar[Power]
    """What the role of whoever gives it must allow."""
    accepts_time: ClassVar[bool] = False
    """Whether it is the one act that is taken while the clock is doubted."""
    id: str
    by: Signature
    where: str = ""
    """The device or console at which it was done, where that is known."""

    def __post_init__(self) -> None:
        if not (self.id.isprintable() and 1 <= len(self.id) <= LONGEST_ID):
            raise refusal(No.WRONG_FORM, why=f"an id has 1 to {LONGEST_ID} printable characters, not {self.id[:70]!r}")
        if not (self.where.isprintable() and len(self.where) <= LONGEST_ID):
            raise refusal(No.WRONG_FORM, why=f"a place has at most {LONGEST_ID} printable characters")
        self.check()

    def check(self) -> None:
        """Refuse values that are wrong by themselves, whatever the state."""

    @property
    def seconded(self) -> Signature | None:
        """The second person, where one signs."""
        second: Signature | None = getattr(self, "second", None)
        return second or None

    def signers(self) -> tuple[Signature, ...]:
        """Everybody who signs the act; first whoever gives it."""
        second = self.seconded
        return (self.by, second) if second else (self.by,)

    def as_json(self) -> dict[str, Any]:
        return {"kind": str(self.kind), **plain(self)}


AnyAct = TypeVar("AnyAct", bound=Act[Any])


def by_kind(*acts: type[AnyAct]) -> Mapping[str, type[AnyAct]]:
    return MappingProxyType({act.kind: act for act in acts})


def read_act(acts: Mapping[str, type[AnyAct]], values: Any) -> AnyAct:
    """The act that `as_json` wrote; what is missing, unknown or of another type is refused by name."""
    kind = values.get("kind") if isinstance(values, Mapping) else None
    if not isinstance(kind, str) or kind not in acts:
        raise refusal(No.WRONG_FORM, why=f"an act has a kind, one of {', '.join(acts)}")
    return read_record(acts[kind], {name: value for name, value in values.items() if name != "kind"})


class Decision(NamedTuple):
    """How an act will stand in the book, beside who gave it."""

    kind: EntryKind
    facts: Mapping[str, Any] = MappingProxyType({})
    transfers: tuple[Transfer, ...] | list[Transfer] = ()


def reason_given(text: str) -> str:
    """Whoever overrides, voids or adjusts says why."""
    words = text.strip()
    if not (words and words.isprintable() and len(words) <= LONGEST_REASON):
        raise refusal(No.NO_REASON, most=LONGEST_REASON)
    return words
