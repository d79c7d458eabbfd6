"""The people of a site: who is enrolled, in which role, with which card.

Nobody is ever forgotten: a revoked card stays known as revoked, because old entries of the book name its holder.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import StrEnum
from typing import Any

from croupier.compliance.authority import (
    MAY_SECOND,
    CardHash,
    CardToken,
    Denied,
    Power,
    Role,
    SiteKey,
    denied,
    require,
    same_card,
    two_people,
)
from croupier.errors import Refusal
from croupier.floor.agreement import Agreement, AgreementKey, Statement
from croupier.floor.forms import Signed, plain, read_record
from croupier.floor.refusals import No, refusal
from croupier.ledger.clock import AHEAD_S, time_of

_LIKE = str.maketrans(
    "авеіјкӏмнорстухѕԁһԛԝαβεηικμνορτυχζոսօϳϲɑɡᴀʙᴄᴅᴇɢʜᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢıɪ10–—‑’",
    "abeijklmhopctyxsdhqwabehikmvoptuxznuojcagabcdeghjklmnoprstuvwyziilo---'",
)
"""Letters of other scripts and small capitals, with the Latin ones that they look like, small or capital; the digit one
looks like an l, and there are several dashes."""
_STROKES = str.maketrans("IІΙıɪL", "lllll/")
"""A capital i of each script, and an i without its dot, look like a small l, and not like a capital one."""
_AS_WRITTEN = dict[int, int]()
_PAIRS = (("rn", "m"), ("vv", "w"))
"""Two letters that look like one."""


_BLANK = frozenset("\u115f\u1160\u3164\uffa0")
"""Letters that nobody sees."""


def look_alike(one: str, other: str) -> bool:
    """Whether people could take two names for one another: written in other letters of the same looks, with a capital
    i for an l, or in capitals."""
    return any(_looks(one, strokes) == _looks(other, strokes) for strokes in (_AS_WRITTEN, _STROKES))


def _looks(name: str, strokes: dict[int, int]) -> str:
    seen = (letter for letter in unicodedata.normalize("NFKC", name).translate(strokes) if letter not in _BLANK)
    text = "".join(letter for letter in seen if unicodedata.category(letter) not in ("Mn", "Me", "Cf"))
    text = " ".join(text.casefold().translate(_LIKE).split())
    for pair, letter in _PAIRS:
        text = text.replace(pair, letter)
    return text


GONE = "This card was revoked or replaced and counts no more: a manager gives out a new one."
_APART = timedelta(seconds=AHEAD_S)
"""By how much the times of two books may be off: as a clock may be ahead without being doubted."""
NO_CARD = CardHash("")
"""Of a dealer who only uses the keypad."""


@dataclass(frozen=True)
class Person:
    """Somebody who works on the floor."""

    id: str
    name: str
    role: Role
    card: CardHash = field(default=NO_CARD, repr=False)
    """The hash of the card that counts now; none for a dealer without one, or once it is revoked."""
    active: bool = True
    """Whether the person may act: not after the card was revoked, until a new one is given."""
    until: str = ""
    """The first moment, UTC, at which an inspector can act no more; of everybody else nothing."""

    @property
    def signed(self) -> Signed:
        """How the person signs an act of a link."""
        return Signed(self.id, self.role)

    def as_json(self) -> dict[str, Any]:
        told = {"id": self.id, "name": self.name, "role": self.role.value, "card": self.card, "active": self.active}
        return {**told, "until": self.until} if self.until else told

    @classmethod
    def of_json(cls, values: Mapping[str, Any]) -> Person:
        role, card, until = Role(values["role"]), CardHash(values["card"]), values.get("until", "")
        return cls(values["id"], values["name"], role, card, active=values["active"], until=until)


@dataclass
class People:
    """Everybody enrolled, by id, and whose card each hash is or was."""

    by_id: dict[str, Person] = field(default_factory=dict)
    revoked: dict[CardHash, str] = field(default_factory=dict)
    """Cards that count no more, and whose they were."""
    pins: set[str] = field(default_factory=set)
    """Who has ever had a PIN; one that was set for a dealer agrees to nothing."""
    keys: dict[str, AgreementKey] = field(default_factory=dict)
    """With which each person's agreements are checked now: of those who have chosen a PIN with the card they have."""
    once: dict[str, list[str]] = field(default_factory=dict)
    """By person: the public halves of keys that count no more."""
    turned: bool = False
    """Whether anybody ever had such a key: from then on every second person agrees with one."""
    turned_at: str = ""
    """When the first of them was noted; not in snapshots of before this was kept."""
    since: dict[str, dict[Role, str]] = field(default_factory=dict)
    """By person: since when they first had each role that they ever had; nothing where that was not kept yet."""
    end_cards: bool = False
    """Whether a role was ever changed by the law under which a dealer's card ends with it: from then on all are."""
    seen: dict[str, tuple[str, str]] = field(default_factory=dict)
    """When each person has last signed in, and where; not before books kept it."""

    def __iter__(self) -> Iterator[Person]:
        return iter(self.by_id.values())

    # Asking

    def known(self, person: str) -> Person:
        """Whoever has this id, active or not."""
        enrolled = self.by_id.get(person)
        if enrolled is None:
            raise denied(Denied.UNKNOWN_PERSON, person=person)
        return enrolled

    def active(self, person: str, at: str = "") -> Person:
        """Whoever has this id and may act: at a moment, where that is known."""
        enrolled = self.known(person)
        if not enrolled.active:
            raise denied(Denied.REVOKED_CARD, person=enrolled.name)
        if enrolled.until and at and time_of(at) >= time_of(enrolled.until):
            raise denied(Denied.SPAN_OVER, person=enrolled.name, until=enrolled.until[:16].replace("T", " ") + " UTC")
        return enrolled

    def identify(self, token: CardToken, key: SiteKey, at: str = "") -> Person:
        """Whose card it is. Every card is compared, whichever fits; one that was not read right is nobody's yet."""
        cards = token.hashes(key)
        holders = [person for card in cards for person in self if person.card and same_card(person.card, card)]
        if holders:
            return self.active(holders[0].id, at)
        gone = [old for card in cards for old in self.revoked if same_card(old, card)]
        if gone:
            raise Refusal(Denied.REVOKED_CARD, GONE)  # whose it was is not for whoever has found it
        token.check_whole()
        raise denied(Denied.UNKNOWN_CARD)

    def require(self, power: Power, person: str, at: str = "") -> Person:
        """The person, if allowed the act."""
        enrolled = self.active(person, at)
        require(enrolled.role, power)
        return enrolled

    def require_two(self, power: Power, person: str, second: str, at: str = "") -> tuple[Person, Person]:
        """Both people, if they are two and each is allowed the act."""
        first = self.require(power, person, at)
        if not second:
            raise denied(Denied.SECOND_MISSING, power=power)
        other = self.active(second, at)
        if other.role in MAY_SECOND.get(power, ()) and other.id != first.id:
            return first, other
        two_people(power, (first.id, first.role), (other.id, other.role))
        return first, other

    def check_agreed(self, second: str, agreed: Agreement | None, statement: Statement, at: str) -> None:
        """Refuse an act of two to which its second person has not agreed with card and PIN.

        Before the first key of a site nobody could: an older book names its second persons, and no more.
        """
        if not self.turned and agreed is None:
            return
        name, key = self.known(second).name, self.keys.get(second)
        if key is None:
            raise refusal(No.NO_KEY, name=name)
        if agreed is None or not statement.is_signed(agreed, key.public, at):
            raise refusal(No.NOT_AGREED, name=name)

    def ever_noted(self, person: str) -> list[str]:
        """The public half of every key that the book has had of a person, the one that counts now last."""
        key = self.keys.get(person)
        return [*self.once.get(person, ()), *([key.public] if key else [])]

    def needed_key(self, at: str) -> bool:
        """Whether a second person could then no longer be named without an agreement."""
        if not self.turned:
            return False
        return not self.turned_at or time_of(at) > time_of(self.turned_at) + _APART

    def had_role(self, signed: Signed, at: str) -> bool:
        """Whether somebody of this name had had this role by then, which may have ended since."""
        since = self.since.get(signed.person, {}).get(signed.role)
        return since is not None and (not since or time_of(at) >= time_of(since) - _APART)

    def holder(self, card: CardHash) -> Person | None:
        """Whose card it is or was, so that no card is given twice."""
        for person in self:
            if person.card and same_card(person.card, card):
                return person
        for old, owner in self.revoked.items():
            if same_card(old, card):
                return self.by_id[owner]
        return None

    def managers(self) -> list[Person]:
        """Those who can act: without one, nobody could be enrolled any more."""
        return [person for person in self if person.role is Role.MANAGER and person.active]

    # Changing

    def enrol(self, person: Person, at: str) -> None:
        self.since.setdefault(person.id, {}).setdefault(person.role, at)
        self.by_id[person.id] = person

    def give_card(self, person: str, card: CardHash) -> None:
        """A new card; the old one, if there is one, counts no more."""
        self._forget_card(person)
        self.by_id[person] = replace(self.by_id[person], card=card, active=True)

    def revoke(self, person: str) -> None:
        self._forget_card(person)
        self.by_id[person] = replace(self.by_id[person], card=NO_CARD, active=False)

    def change_role(self, person: str, role: Role, at: str, until: str = "", *, ends_card: bool = False) -> None:
        """`ends_card` where a dealer who becomes something else cannot act before two people have given a card."""
        was = self.by_id[person].role
        self.since.setdefault(person, {}).setdefault(role, at)
        self.by_id[person] = replace(self.by_id[person], role=role, until=until)
        if ends_card:
            self.end_cards = True
            if was is Role.DEALER:
                self.revoke(person)

    def note_key(self, person: str, key: AgreementKey | None, at: str) -> None:
        """A PIN was set: with a key where it was chosen, and without one where somebody else has set it."""
        self._forget_key(person)
        if key is not None:
            self.turned_at = self.turned_at if self.turned else at
            self.keys[person], self.turned = key, True

    def _forget_card(self, person: str) -> None:
        """A key is that of a card and a PIN: without the card there is none."""
        self._forget_key(person)
        old = self.by_id[person].card
        if old:
            self.revoked[old] = person

    def _forget_key(self, person: str) -> None:
        key = self.keys.pop(person, None)
        if key is not None:
            self.once.setdefault(person, []).append(key.public)

    # Keeping

    def as_json(self) -> dict[str, Any]:
        keys = {"keys": {person: plain(key) for person, key in self.keys.items()}} if self.turned else {}
        return {"people": [person.as_json() for person in self], "revoked": dict(self.revoked)} | {
            "pins": sorted(self.pins),
            **keys,
            **({"turned_at": self.turned_at} if self.turned_at else {}),
            **({"once": {person: list(keys) for person, keys in self.once.items()}} if self.once else {}),
            "since": {person: {role.value: at for role, at in roles.items()} for person, roles in self.since.items()},
            **({"end_cards": True} if self.end_cards else {}),
            **({"seen": {person: list(last) for person, last in self.seen.items()}} if self.seen else {}),
        }

    @classmethod
    def of_json(cls, values: Mapping[str, Any]) -> People:
        people = [Person.of_json(value) for value in values["people"]]
        revoked = {CardHash(card): person for card, person in values["revoked"].items()}
        keys = {person: read_record(AgreementKey, key) for person, key in values.get("keys", {}).items()}
        seen = {person: (at, where) for person, (at, where) in values.get("seen", {}).items()}
        known = {person.id: person for person in people}
        since = values.get("since", {person.id: {person.role: ""} for person in people})
        return cls(
            known,
            revoked,
            set(values["pins"]),
            keys,
            once={person: list(keys) for person, keys in values.get("once", {}).items()},
            turned="keys" in values,
            turned_at=values.get("turned_at", ""),
            since={person: {Role(role): at for role, at in roles.items()} for person, roles in since.items()},
            end_cards=values.get("end_cards", False),
            seen=seen,
        )


# The keypads, bridges and displays of a site: each with a token that does its own job and nothing else.
#
# Only the hash of a token is in the book. A keypad or a bridge belongs to one table; a display shows one link, or the
# whole site.


class DeviceKind(StrEnum):
    KEYPAD = "keypad"
    """At a table; a dealer signs in at it."""
    BRIDGE = "bridge"
    """At a table too: sensors, buttons and a card reader that are no browser."""
    DISPLAY = "display"
    """Shows, and can do nothing."""

    @property
    def is_of_table(self) -> bool:
        """Whether dealers sign in at it: what is pressed there pays, so two people enroll it, and a table has one."""
        return self is not DeviceKind.DISPLAY


UNKNOWN_DEVICE = "unknown-device"


@dataclass(frozen=True)
class Device:
    """Something enrolled that is not a person."""

    id: str
    kind: DeviceKind
    name: str
    token: CardHash = field(repr=False)
    table: int | None = None
    """Of a keypad or a bridge."""
    link: str = ""
    """Of a display that shows one."""
    active: bool = True
    by_two: bool = False
    """Whether two people enrolled it, as whatever belongs to a table takes by now."""

    def as_json(self) -> dict[str, Any]:
        values = {**vars(self), "kind": self.kind.value}
        return values if self.by_two else {name: value for name, value in values.items() if name != "by_two"}

    @classmethod
    def of_json(cls, values: Mapping[str, Any]) -> Device:
        return cls(**{**values, "kind": DeviceKind(values["kind"]), "token": CardHash(values["token"])})


@dataclass
class Devices:
    """All that were ever enrolled, by id."""

    by_id: dict[str, Device] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Device]:
        return iter(self.by_id.values())

    def get(self, device: str) -> Device | None:
        return self.by_id.get(device)

    def identify(self, token: CardHash) -> Device:
        """Whose token it is; every one is compared, whichever fits."""
        devices = [device for device in self if same_card(device.token, token)]
        if not devices or not devices[0].active:
            raise Refusal(
                UNKNOWN_DEVICE, "This device is not enrolled here, or no longer: a manager enrolls it in the console."
            )
        return devices[0]

    def at_table(self, kind: DeviceKind, table: int | None) -> Device | None:
        """The keypad or the bridge that counts at a table; the newest, where an older book let it have several."""
        like = [device for device in self if device.active and device.kind is kind]
        return next((device for device in reversed(like) if device.table == table), None)

    def holder(self, token: CardHash) -> Device | None:
        """Whose token it is or was, so that none is given twice."""
        return next((device for device in self if same_card(device.token, token)), None)

    def enrol(self, device: Device) -> None:
        self.by_id[device.id] = device

    def revoke(self, device: str) -> None:
        self.by_id[device] = replace(self.by_id[device], active=False)

    def as_json(self) -> list[dict[str, Any]]:
        return [device.as_json() for device in self]

    @classmethod
    def of_json(cls, values: list[Mapping[str, Any]]) -> Devices:
        return cls({value["id"]: Device.of_json(value) for value in values})
