"""The people of a site: who is enrolled, in which role, with which card.

Nobody is ever forgotten: a revoked card stays known as revoked, because old entries of the book name its holder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from croupier.errors import Refusal
from croupier.progressive.authority import (
    MAY_SECOND,
    Act,
    CardHash,
    Denied,
    Role,
    denied,
    require,
    same_card,
    two_people,
)
from croupier.progressive.signing import Signed

GONE = "This card was revoked or replaced and counts no more: a manager gives out a new one."
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

    @property
    def signed(self) -> Signed:
        """How the person signs an act of a link."""
        return Signed(self.id, self.role)

    def as_json(self) -> dict[str, Any]:
        return {"id": self.id, "name": self.name, "role": self.role.value, "card": self.card, "active": self.active}

    @classmethod
    def of_json(cls, values: Mapping[str, Any]) -> Person:
        return cls(
            values["id"], values["name"], Role(values["role"]), CardHash(values["card"]), active=values["active"]
        )


@dataclass
class People:
    """Everybody enrolled, by id, and whose card each hash is or was."""

    by_id: dict[str, Person] = field(default_factory=dict)
    revoked: dict[CardHash, str] = field(default_factory=dict)
    """Cards that count no more, and whose they were."""
    pins: set[str] = field(default_factory=set)
    """Who has ever had a PIN; one that was set for a dealer agrees to nothing."""

    def __iter__(self) -> Iterator[Person]:
        return iter(self.by_id.values())

    # Asking

    def known(self, person: str) -> Person:
        """Whoever has this id, active or not."""
        found = self.by_id.get(person)
        if found is None:
            raise denied(Denied.UNKNOWN_PERSON, person=person)
        return found

    def active(self, person: str) -> Person:
        """Whoever has this id and may act."""
        found = self.known(person)
        if not found.active:
            raise denied(Denied.REVOKED_CARD, person=found.name)
        return found

    def identify(self, card: CardHash) -> Person:
        """Whose card it is. Every card is compared, whichever fits."""
        found = [person for person in self if person.card and same_card(person.card, card)]
        if found:
            return self.active(found[0].id)
        gone = [old for old in self.revoked if same_card(old, card)]
        if gone:
            raise Refusal(Denied.REVOKED_CARD, GONE)  # whose it was is not for whoever has found it
        raise denied(Denied.UNKNOWN_CARD)

    def require(self, act: Act, person: str) -> Person:
        """The person, if allowed the act."""
        found = self.active(person)
        require(found.role, act)
        return found

    def require_two(self, act: Act, person: str, second: str) -> tuple[Person, Person]:
        """Both people, if they are two and each is allowed the act."""
        first = self.require(act, person)
        if not second:
            raise denied(Denied.SECOND_MISSING, act=act)
        other = self.active(second)
        if other.role in MAY_SECOND.get(act, ()) and other.id != first.id:
            return first, other
        two_people(act, (first.id, first.role), (other.id, other.role))
        return first, other

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

    def enrol(self, person: Person) -> None:
        self.by_id[person.id] = person

    def give_card(self, person: str, card: CardHash) -> None:
        """A new card; the old one, if there is one, counts no more."""
        self._forget_card(person)
        self.by_id[person] = replace(self.by_id[person], card=card, active=True)

    def revoke(self, person: str) -> None:
        self._forget_card(person)
        self.by_id[person] = replace(self.by_id[person], card=NO_CARD, active=False)

    def change_role(self, person: str, role: Role) -> None:
        self.by_id[person] = replace(self.by_id[person], role=role)

    def _forget_card(self, person: str) -> None:
        old = self.by_id[person].card
        if old:
            self.revoked[old] = person

    # Keeping

    def as_json(self) -> dict[str, Any]:
        return {"people": [person.as_json() for person in self], "revoked": dict(self.revoked)} | {
            "pins": sorted(self.pins)
        }

    @classmethod
    def of_json(cls, values: Mapping[str, Any]) -> People:
        people = [Person.of_json(each) for each in values["people"]]
        revoked = {CardHash(card): person for card, person in values["revoked"].items()}
        return cls({person.id: person for person in people}, revoked, set(values["pins"]))
