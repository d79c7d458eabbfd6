"""Who may do what on the floor: seven roles of people, one table, and the acts that take two.

    dealer       plays the game: starts and ends it, enters hands, calls a supervisor
    supervisor   confirms an award up to the threshold, voids one, reopens a game, overrides a claim, pays a slip, opens
                 a table
    executive    confirms above the threshold, adjusts, opens a link or a table, closes a gaming day
    manager      configures, enrolls people, answers for the bank, records papers, pays a slip; confirms no award
    cashier      of the cage: sees jackpot slips and winners to be paid, issues and pays slips, and nothing else
    auditor      reads and exports, and changes nothing
    inspector    of the regulator, for a span of days: sees approvals and what runs here, takes the evidence file
    floor        nobody: the program itself, which stops a link whose prizes the bank does not cover

Whoever enrolls people does not confirm awards, and a configuration takes two, as does enrolling anybody but a dealer:
so no single card, and no card that one person has handed out, can both set up a prize and pay it.
`docs/guides/authority.md` shows the same table; a test holds the two together.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import NewType

from croupier.compliance.stripe import NUMBER, cut_short, misread, number_of, tracks_of
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
    CASHIER = "cashier"
    """Of the cage."""
    AUDITOR = "auditor"
    INSPECTOR = "inspector"
    """Of the regulator, enrolled for a span of days."""
    FLOOR = "floor"
    """The program itself. Nobody is enrolled as it."""


class Power(StrEnum):
    """What a role may be allowed to do; the value is how a sentence says it."""

    START_GAME = "start a game"
    END_GAME = "end a game"
    ENTER_HAND = "enter a hand"
    TAKE_BACK = "take a hand back"
    CALL_SUPERVISOR = "call a supervisor"
    TAKE_CALL = "take a call"
    CONFIRM = "confirm an award up to the threshold"
    CONFIRM_ABOVE = "confirm an award above the threshold"
    VOID_AWARD = "void an award"
    REOPEN_GAME = "reopen a game"
    OVERRIDE_CLAIM = "override a claim"
    SEE_SLIPS = "see jackpot slips and winners to be paid"
    PAY_SLIP = "issue or pay a jackpot slip"
    ADJUST = "adjust a meter"
    RECONFIGURE = "change a configuration"
    OPEN_LINK = "open a link"
    CLOSE_LINK = "close a link"
    RETIRE = "retire a link"
    DECLARE_BANK = "declare the bank's balance"
    DEPOSIT = "record a deposit"
    ENROL_PERSON = "enroll a person"
    REVOKE_CARD = "revoke a card"
    ENROL_DEVICE = "enroll or revoke a device"
    SET_PIN = "set one's own PIN"
    READ_LEDGER = "read the ledger"
    EXPORT = "export the ledger"
    CHECKPOINT = "sign a checkpoint"
    READ_METERS = "enter a meter's reading"
    CLOSE_DAY = "close a gaming day"
    INSPECT = "see what runs here, and take the evidence file"
    RECORD_PAPER = "record or withdraw a paper"
    OPEN_TABLE = "open or close a table"
    SEE_CLASS = "see the class of the dealer's school"


_GAME = frozenset({Power.START_GAME, Power.END_GAME, Power.ENTER_HAND, Power.TAKE_BACK, Power.CALL_SUPERVISOR})
_AWARD = frozenset({Power.CONFIRM, Power.VOID_AWARD, Power.REOPEN_GAME, Power.OVERRIDE_CLAIM})
_LINK = frozenset({Power.ADJUST, Power.RECONFIGURE, Power.OPEN_LINK, Power.CLOSE_LINK, Power.RETIRE})
_CAGE = frozenset({Power.SEE_SLIPS, Power.PAY_SLIP})
_BANK = frozenset({Power.DECLARE_BANK, Power.DEPOSIT})
_DAY = frozenset({Power.READ_METERS, Power.CLOSE_DAY})

ALLOWED: Mapping[Role, frozenset[Power]] = MappingProxyType(
    {
        Role.DEALER: _GAME | {Power.SET_PIN},
        Role.SUPERVISOR: _GAME
        | _AWARD
        | _CAGE
        | {Power.TAKE_CALL, Power.CLOSE_LINK, Power.READ_LEDGER, Power.SET_PIN, Power.READ_METERS, Power.OPEN_TABLE}
        | {Power.SEE_CLASS},
        Role.EXECUTIVE: _GAME
        | _AWARD
        | _CAGE
        | _LINK
        | _BANK
        | _DAY
        | {Power.TAKE_CALL, Power.CONFIRM_ABOVE, Power.REVOKE_CARD, Power.READ_LEDGER, Power.EXPORT, Power.SET_PIN}
        | {Power.OPEN_TABLE, Power.INSPECT},
        Role.MANAGER: _LINK
        | _CAGE
        | _BANK
        | _DAY
        | {Power.ENROL_PERSON, Power.REVOKE_CARD, Power.ENROL_DEVICE, Power.SET_PIN, Power.TAKE_CALL}
        | {Power.READ_LEDGER, Power.EXPORT, Power.CHECKPOINT, Power.RECORD_PAPER, Power.INSPECT, Power.SEE_CLASS},
        Role.CASHIER: _CAGE | {Power.SET_PIN},
        Role.AUDITOR: frozenset(
            {Power.READ_LEDGER, Power.EXPORT, Power.CHECKPOINT, Power.SET_PIN, Power.INSPECT, Power.SEE_SLIPS}
        ),
        Role.INSPECTOR: frozenset({Power.INSPECT, Power.SET_PIN}),
        Role.FLOOR: frozenset({Power.CLOSE_LINK}),
    }
)
"""The table. What is not in it is not allowed."""
PEOPLE = tuple(role for role in Role if role is not Role.FLOOR)

TWO_PEOPLE = frozenset({Power.ADJUST, Power.RECONFIGURE, Power.RETIRE})
"""Both must have the power, and they must be two."""
MAY_SECOND: Mapping[Power, frozenset[Role]] = MappingProxyType(
    {Power.ENROL_PERSON: frozenset({Role.EXECUTIVE}), Power.ENROL_DEVICE: frozenset({Role.EXECUTIVE})}
)
"""Who else may be the second person, so that a house whose second manager left can enroll another."""
TWO_BUT_FOR_DEALERS = frozenset({Power.ENROL_PERSON})
"""Likewise, unless it is about a dealer, whose card pays nothing."""


class Denied(StrEnum):
    """Why a person or a card was turned away."""

    NOT_ALLOWED = "not-allowed"
    SECOND_MISSING = "second-missing"
    SAME_PERSON = "same-person"
    OWN_AWARD = "own-award"
    UNKNOWN_PERSON = "unknown-person"
    UNKNOWN_CARD = "unknown-card"
    REVOKED_CARD = "revoked-card"
    SPAN_OVER = "span-over"


DENIALS: Mapping[Denied, str] = MappingProxyType(
    {
        Denied.NOT_ALLOWED: "{role} may not {power}: that takes {roles}.",
        Denied.SECOND_MISSING: "To {power} takes two people: a second one must agree.",
        Denied.SAME_PERSON: "To {power} takes two people, and {person} is one.",
        Denied.OWN_AWARD: "You confirmed this award: another {others} pays its slip.",
        Denied.UNKNOWN_PERSON: "Nobody is enrolled here as {person!r}: look how it is written, or ask a manager.",
        Denied.UNKNOWN_CARD: "This card belongs to nobody here: swipe another, or ask a manager.",
        Denied.REVOKED_CARD: "The card of {person} was revoked: a manager gives out a new one.",
        Denied.SPAN_OVER: "{person} was enrolled until {until}: two managers may enroll {person} for another span.",
    }
)


def denied(why: Denied, **values: object) -> Refusal:
    """The refusal with its sentence, for the caller to raise."""
    return Refusal(why, DENIALS[why].format(**values))


# Asking


def may(role: Role, power: Power) -> bool:
    """Whether the role has the power."""
    return power in ALLOWED[role]


def roles_for(power: Power) -> tuple[Role, ...]:
    """Who may do it, of the people."""
    return tuple(role for role in PEOPLE if may(role, power))


def listed(words: Iterable[str]) -> str:
    """`one, another or a third`."""
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


def require(role: Role, power: Power, more: str = "") -> None:
    """Refuse what the role may not do, and say whose card it takes; `more` ends the name of the power."""
    if power not in ALLOWED[role]:
        roles = listed(an(role) for role in roles_for(power))
        raise denied(Denied.NOT_ALLOWED, role=an(role).capitalize(), power=f"{power}{more}", roles=roles)


def two_people(power: Power, first: tuple[str, Role], second: tuple[str, Role] | None) -> None:
    """Refuse an act that takes two people unless both are there, are two, and may each do it.

    For an act that one person does alone, the second is not asked for; if one is named, the role must be right too.
    """
    require(first[1], power)
    if second is None:
        if power in TWO_PEOPLE:
            raise denied(Denied.SECOND_MISSING, power=power)
        return
    if first[0] == second[0]:
        raise denied(Denied.SAME_PERSON, power=power, person=first[0])
    require(second[1], power)


def confirming(award_cents: int, *, executive_above_cents: int) -> Power:
    """Which confirmation an award takes: up to the threshold, or above it."""
    return Power.CONFIRM_ABOVE if award_cents > executive_above_cents else Power.CONFIRM


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
    """As the reader typed it, with or without the sentinels of a stripe."""

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
        """Of a card that is given out, whatever its reader types around it."""
        return _hash(key, self.readings[-1])

    @property
    def readings(self) -> tuple[str, ...]:
        """What may have been enrolled of the card: all that the reader typed, as earlier versions did, and what stands
        on each track. The last is what a card is enrolled with now: a number of ours, else the first track."""
        held = [track for track in tracks_of(self.text) if len(track) >= FEWEST_CHARACTERS]
        held.sort(key=lambda track: bool(NUMBER.fullmatch(track)))
        if held and not NUMBER.fullmatch(held[-1]):
            held.reverse()
        return (self.text, *held)

    def hashes(self, key: SiteKey) -> list[CardHash]:
        """Of all that may have been enrolled of it."""
        return [_hash(key, text) for text in self.readings]

    def as_enrolled(self, key: SiteKey, card: CardHash) -> str:
        """The reading that was enrolled with this hash: with another reader the card says the same."""
        return next((text for text in self.readings if same_card(_hash(key, text), card)), self.readings[-1])

    def check_read(self) -> None:
        """Refuse what a reader has not read right, so that nobody takes it for somebody else's card."""
        if why := misread(self.text):
            raise NotationError(why)

    def check_whole(self) -> None:
        """The same of a card that nobody has, before it is taken for a stranger's."""
        self.check_read()
        if why := cut_short(self.text):
            raise NotationError(why)


def _hash(key: SiteKey, text: str) -> CardHash:
    """HMAC-SHA-256 under the site's key. Tokens are long and random, so nothing slower is needed."""
    return CardHash(hmac.new(key.secret, text.encode(), hashlib.sha256).hexdigest())


def new_token(random: Callable[[int], bytes] = secrets.token_bytes) -> CardToken:
    """A token for a new card: a number that a magnetic stripe can hold."""
    return CardToken(number_of(int.from_bytes(random(KEY_BYTES))))


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
    for power in Power:
        cells = " | ".join("yes" if may(role, power) else "–" for role in Role)
        lines.append(f"| {power} | {cells} | {_how_many(power)} |")
    return "\n".join(lines)


def _how_many(power: Power) -> str:
    if power in TWO_BUT_FOR_DEALERS:
        return "two; one for a dealer"
    if power is Power.ENROL_DEVICE:
        return "two to enroll a keypad or a bridge; one otherwise"
    return "two" if power in TWO_PEOPLE else "one"
