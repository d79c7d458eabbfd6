"""Who may do what on the floor: five roles of people, one table, and the acts that take two.

    dealer       plays the game: starts and ends it, enters hands, calls a supervisor
    supervisor   confirms an award up to the threshold, voids one, overrides a claim, reads meters
    executive    confirms above the threshold, adjusts, opens a link, closes a gaming day
    manager      configures, enrols people, answers for the bank; confirms no award
    auditor      reads and exports, and changes nothing
    floor        nobody: the program itself, which stops a link whose prizes the bank does not cover

Whoever enrols people does not confirm awards, and a configuration takes two, as does enrolling anybody but a dealer: so
no single card, and no card that one person has handed out, can both set up a prize and pay it.
`docs/guides/authority.md` shows the same table; a test holds the two together.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import NewType

from croupier.errors import NotationError, Refusal

CardHash = NewType("CardHash", str)
"""What is stored of a card: 64 hexadecimal digits that do not lead back to its token."""
FEWEST_CHARACTERS = 16
"""Of a card's token: shorter ones could be guessed by whoever has the site's key."""
MOST_CHARACTERS = 256
KEY_BYTES = 32


class Role(StrEnum):
    """What a person is on the floor."""

    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    EXECUTIVE = "executive"
    MANAGER = "manager"
    AUDITOR = "auditor"
    FLOOR = "floor"
    """The program itself. Nobody is enrolled as it."""


class Act(StrEnum):
    """What can be done; the value is how a sentence says it."""

    START_GAME = "start a game"
    END_GAME = "end a game"
    ENTER_HAND = "enter a hand"
    TAKE_BACK = "take a hand back"
    CALL_SUPERVISOR = "call a supervisor"
    CONFIRM = "confirm an award up to the threshold"
    CONFIRM_ABOVE = "confirm an award above the threshold"
    VOID_AWARD = "void an award"
    OVERRIDE_CLAIM = "override a claim"
    ADJUST = "adjust a meter"
    RECONFIGURE = "change a configuration"
    OPEN_LINK = "open a link"
    CLOSE_LINK = "close a link"
    RETIRE = "retire a link"
    DECLARE_BANK = "declare the bank's balance"
    DEPOSIT = "record a deposit"
    ENROL_PERSON = "enrol a person"
    REVOKE_CARD = "revoke a card"
    ENROL_DEVICE = "enrol or revoke a device"
    SET_PIN = "set one's own PIN"
    READ_LEDGER = "read the ledger"
    EXPORT = "export the ledger"
    CHECKPOINT = "sign a checkpoint"
    READ_METERS = "enter a meter's reading"
    CLOSE_DAY = "close a gaming day"


_GAME = frozenset({Act.START_GAME, Act.END_GAME, Act.ENTER_HAND, Act.TAKE_BACK, Act.CALL_SUPERVISOR})
_AWARD = frozenset({Act.CONFIRM, Act.VOID_AWARD, Act.OVERRIDE_CLAIM})
_LINK = frozenset({Act.ADJUST, Act.RECONFIGURE, Act.OPEN_LINK, Act.CLOSE_LINK, Act.RETIRE})
_BANK = frozenset({Act.DECLARE_BANK, Act.DEPOSIT})
_DAY = frozenset({Act.READ_METERS, Act.CLOSE_DAY})

ALLOWED: Mapping[Role, frozenset[Act]] = MappingProxyType(
    {
        Role.DEALER: _GAME | {Act.SET_PIN},
        Role.SUPERVISOR: _GAME | _AWARD | {Act.CLOSE_LINK, Act.READ_LEDGER, Act.SET_PIN, Act.READ_METERS},
        Role.EXECUTIVE: _GAME
        | _AWARD
        | _LINK
        | _BANK
        | _DAY
        | {Act.CONFIRM_ABOVE, Act.REVOKE_CARD, Act.READ_LEDGER, Act.EXPORT, Act.SET_PIN},
        Role.MANAGER: _LINK
        | _BANK
        | _DAY
        | {Act.ENROL_PERSON, Act.REVOKE_CARD, Act.ENROL_DEVICE, Act.SET_PIN}
        | {Act.READ_LEDGER, Act.EXPORT, Act.CHECKPOINT},
        Role.AUDITOR: frozenset({Act.READ_LEDGER, Act.EXPORT, Act.CHECKPOINT, Act.SET_PIN}),
        Role.FLOOR: frozenset({Act.CLOSE_LINK}),
    }
)
"""The table. What is not in it is not allowed."""
PEOPLE = tuple(role for role in Role if role is not Role.FLOOR)

TWO_PEOPLE = frozenset({Act.ADJUST, Act.RECONFIGURE, Act.RETIRE})
"""Both must be allowed the act, and they must be two."""
MAY_SECOND: Mapping[Act, frozenset[Role]] = MappingProxyType({Act.ENROL_PERSON: frozenset({Role.EXECUTIVE})})
"""Who else may be the second person, so that a house whose second manager left can enrol another."""
TWO_BUT_FOR_DEALERS = frozenset({Act.ENROL_PERSON})
"""Likewise, unless it is about a dealer, whose card pays nothing."""


class Denied(StrEnum):
    """Why a person or a card was turned away."""

    NOT_ALLOWED = "not-allowed"
    SECOND_MISSING = "second-missing"
    SAME_PERSON = "same-person"
    UNKNOWN_PERSON = "unknown-person"
    UNKNOWN_CARD = "unknown-card"
    REVOKED_CARD = "revoked-card"


DENIALS: Mapping[Denied, str] = MappingProxyType(
    {
        Denied.NOT_ALLOWED: "{role} may not {act}: that takes {roles}.",
        Denied.SECOND_MISSING: "To {act} takes two people: a second one must agree.",
        Denied.SAME_PERSON: "To {act} takes two people, and {person} is one.",
        Denied.UNKNOWN_PERSON: "Nobody is enrolled here as {person!r}: look how it is written, or ask a manager.",
        Denied.UNKNOWN_CARD: "This card belongs to nobody here: swipe another, or ask a manager.",
        Denied.REVOKED_CARD: "The card of {person} was revoked: a manager gives out a new one.",
    }
)


def denied(why: Denied, **values: object) -> Refusal:
    """The refusal with its sentence, for the caller to raise."""
    return Refusal(why, DENIALS[why].format(**values))


# Asking


def may(role: Role, act: Act) -> bool:
    """Whether the role may do the act."""
    return act in ALLOWED[role]


def roles_for(act: Act) -> tuple[Role, ...]:
    """Who may do it, of the people."""
    return tuple(role for role in PEOPLE if may(role, act))


def require(role: Role, act: Act) -> None:
    """Refuse what the role may not do, and say whose card it takes."""
    if not may(role, act):
        *others, last = (an(each) for each in roles_for(act))
        roles = f"{', '.join(others)} or {last}" if others else last
        raise denied(Denied.NOT_ALLOWED, role=an(role).capitalize(), act=act, roles=roles)


def two_people(act: Act, first: tuple[str, Role], second: tuple[str, Role] | None) -> None:
    """Refuse an act that takes two people unless both are there, are two, and may each do it.

    For an act that one person does alone, the second is not asked for; if one is named, the role must be right too.
    """
    require(first[1], act)
    if second is None:
        if act in TWO_PEOPLE:
            raise denied(Denied.SECOND_MISSING, act=act)
        return
    if first[0] == second[0]:
        raise denied(Denied.SAME_PERSON, act=act, person=first[0])
    require(second[1], act)


def confirming(award_cents: int, *, executive_above_cents: int) -> Act:
    """Which confirmation an award takes: up to the threshold, or above it."""
    return Act.CONFIRM_ABOVE if award_cents > executive_above_cents else Act.CONFIRM


def an(role: Role) -> str:
    """`a supervisor`, `an executive`."""
    return f"an {role}" if role[0] in "aeiou" else f"a {role}"


# Cards


@dataclass(frozen=True)
class SiteKey:
    """The site's secret, kept beside the ledger and never in it: without it a stored hash tells nothing of a card."""

    secret: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.secret) < KEY_BYTES:
            raise NotationError(f"A site's key has at least {KEY_BYTES} bytes, not {len(self.secret)}.")


@dataclass(frozen=True)
class CardToken:
    """What a magnetic or RFID card says when it is read. It is shown nowhere and stored nowhere, only hashed."""

    text: str = field(repr=False)

    def __post_init__(self) -> None:
        fine = (
            FEWEST_CHARACTERS <= len(self.text) <= MOST_CHARACTERS and self.text.isascii() and self.text.isprintable()
        )
        if not fine:
            raise NotationError(
                f"The card was not read whole: swipe it again. It says {FEWEST_CHARACTERS} to {MOST_CHARACTERS} plain "
                f"characters, and this was {len(self.text)} or others."
            )

    def __str__(self) -> str:
        return repr(self)

    def hash(self, key: SiteKey) -> CardHash:
        """HMAC-SHA-256 under the site's key. Tokens are long and random, so nothing slower is needed."""
        return CardHash(hmac.new(key.secret, self.text.encode(), hashlib.sha256).hexdigest())


def new_token(random: Callable[[int], bytes] = secrets.token_bytes) -> CardToken:
    """A token for a new card: 32 random bytes."""
    return CardToken(random(KEY_BYTES).hex())


def same_card(one: CardHash, other: CardHash) -> bool:
    """Compared in constant time, so that an answer's delay tells nothing."""
    return hmac.compare_digest(one, other)


def check_card_hash(text: str) -> CardHash:
    """A hash as it is stored; a token in its place is refused unread, so that none gets into a book by mistake."""
    if len(text) != 64 or set(text) - set("0123456789abcdef"):
        raise NotationError("A card is stored as the 64 hexadecimal digits of its hash, and in no other form.")
    return CardHash(text)


# In print


def matrix() -> str:
    """The table as the guide prints it."""
    lines = ["| act | " + " | ".join(Role) + " | people |", "| --- |" + " :-: |" * len(Role) + " --- |"]
    for act in Act:
        cells = " | ".join("yes" if may(role, act) else "–" for role in Role)
        lines.append(f"| {act} | {cells} | {_how_many(act)} |")
    return "\n".join(lines)


def _how_many(act: Act) -> str:
    if act in TWO_BUT_FOR_DEALERS:
        return "two; one for a dealer"
    return "two" if act in TWO_PEOPLE else "one"
