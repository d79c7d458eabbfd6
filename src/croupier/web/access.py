"""Who is at the other end: a person by card, with a PIN for office work, or a device by its token.

A session is a random token of which only the hash is stored. It ends after some minutes without use, when the person's
card is replaced or revoked, and when the PIN changes. Whoever fails too often waits, longer each time.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from croupier.errors import CroupierError, Refusal
from croupier.progressive.authority import CardToken, SiteKey
from croupier.progressive.people import Person
from croupier.web.access_store import AccessStore, Session, utc
from croupier.web.errors import ApiError

PIN_DIGITS = (6, 12)
TRIES = 5
"""Failures in a row that are forgiven; each one more doubles the wait."""
FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(hours=1)
SECOND_PERSON_S = 60
"""How long a second person's card counts for an act of two."""
FRESH_S = 2.0
"""How long a session that was looked up is believed without looking again."""
MOST_FRESH = 10_000

WEAK_PINS = frozenset({"123456", "654321", "012345", "123123", "112233", "121212"})


@dataclass(frozen=True)
class SignedIn:
    """A session that has just begun."""

    token: str
    session: Session
    person: Person


class Access:
    """Signing in and out. `identify` finds whose card a token is in the site's book as it stands."""

    def __init__(
        self,
        store: AccessStore,
        key: SiteKey,
        identify: Callable[[CardToken], Person],
        person: Callable[[str], Person],
        *,
        minutes: int = 15,
        clock: Callable[[], datetime] = utc,
        hasher: PasswordHasher | None = None,
    ) -> None:
        self._store, self._key, self._identify, self._person = store, key, identify, person
        self._length, self._clock = timedelta(minutes=minutes), clock
        self._hasher = hasher or PasswordHasher()
        self._fresh: OrderedDict[str, tuple[float, Session]] = OrderedDict()

    # Signing in

    def sign_in(self, card: str, pin: str | None, device: str, source: str) -> SignedIn:
        """A card alone signs in for the floor; with its PIN, for the console too."""
        return self._begin(self.check_card(card, pin, source), device, console=pin is not None)

    def check_card(self, card: str, pin: str | None, source: str) -> Person:
        """Whose card it is, with the PIN where one is given; failures count against card and place."""
        self.check_wait(f"from {source}")
        try:
            person = self._identify(CardToken(card))
        except CroupierError:
            self.fail(f"from {source}")
            raise
        who = f"person {person.id}"
        self.check_wait(who)
        if pin is not None and not self._pin_fits(person.id, pin):
            for each in (who, f"from {source}"):
                self.fail(each)
            raise ApiError(401, "wrong-pin", "The PIN is not that of this card.")
        for each in (who, f"from {source}"):
            self._store.forgive(each)
        return person

    def sign_in_at(self, person: Person, device: str) -> SignedIn:
        """A dealer without a card, at an enrolled keypad."""
        return self._begin(person, device, console=False)

    def _begin(self, person: Person, device: str, *, console: bool) -> SignedIn:
        token, now = secrets.token_urlsafe(32), self._clock()
        session = Session(_hash(token), person.id, device, console, person.card, now, now + self._length)
        self._store.begin(session)
        return SignedIn(token, session, person)

    def end(self, session: Session) -> None:
        """Sign out."""
        self._fresh.pop(session.token_hash, None)
        self._store.end(session.token_hash)

    # Who is it

    def session(self, token: str) -> tuple[Session, Person]:
        """Whose token it is; a session that is used goes on."""
        hashed, now = _hash(token), self._clock()
        session = self._known(hashed)
        if session is None or session.ends <= now:
            raise ApiError(401, "signed-out", "The session has ended: sign in again.")
        try:
            person = self._person(session.person)
        except Refusal as error:
            raise ApiError(401, "signed-out", str(error)) from None
        if person.card != session.card:
            raise ApiError(401, "signed-out", "The card was replaced since: sign in again.")
        if session.ends - now < self._length / 2:
            session = replace(session, ends=now + self._length)
            self._store.extend(hashed, session.ends)
            self._remember(session)
        return session, person

    def _known(self, hashed: str) -> Session | None:
        found = self._fresh.get(hashed)
        if found is not None and time.monotonic() - found[0] < FRESH_S:
            return found[1]
        session = self._store.session(hashed)
        if session is not None:
            self._remember(session)
        return session

    def _remember(self, session: Session) -> None:
        self._fresh[session.token_hash] = (time.monotonic(), session)
        while len(self._fresh) > MOST_FRESH:
            self._fresh.popitem(last=False)

    # A second person

    def second_ticket(self, person: Person, session: Session) -> str:
        """What a second person's card is worth for a minute, within this session only."""
        ends = int(self._clock().timestamp()) + SECOND_PERSON_S
        return f"{ends}.{person.id.encode().hex()}.{self._seal(ends, person, session)}"

    def second_person(self, ticket: str, session: Session) -> Person:
        try:
            ends, name, seal = ticket.split(".")
            person = self._person(bytes.fromhex(name).decode())
            good = hmac.compare_digest(seal, self._seal(int(ends), person, session))
        except (ValueError, UnicodeDecodeError):
            good, ends = False, "0"
        if not good:
            raise ApiError(403, "second-unknown", "The second person's ticket is not of this session.")
        if int(ends) < self._clock().timestamp():
            raise ApiError(403, "second-late", f"A second card counts for {SECOND_PERSON_S} seconds: swipe it again.")
        return person

    def _seal(self, ends: int, person: Person, session: Session) -> str:
        text = f"second\n{ends}\n{person.id}\n{person.card}\n{session.token_hash}"
        return hmac.new(self._key.secret, text.encode(), hashlib.sha256).hexdigest()

    # PINs

    def set_pin(self, person: str, pin: str) -> None:
        """A new PIN ends every session of the person."""
        check_pin(pin)
        self._store.set_pin(person, self._hasher.hash(pin), self._clock())
        self._store.end_all(person)
        self._fresh.clear()
        self._store.forgive(f"person {person}")

    def _pin_fits(self, person: str, pin: str) -> bool:
        hashed = self._store.pin(person)
        if hashed is None:
            self._hasher.hash(pin)  # as slow as where there is one, so that the answer's delay tells nothing
            return False
        try:
            return self._hasher.verify(hashed, pin)
        except (Argon2Error, InvalidHashError):
            return False

    def has_pin(self, person: str) -> bool:
        return self._store.pin(person) is not None

    def check_own_pin(self, person: str, pin: str) -> None:
        """Before somebody changes it."""
        who = f"person {person}"
        self.check_wait(who)
        if not self._pin_fits(person, pin):
            self.fail(who)
            raise ApiError(403, "wrong-pin", "The PIN is not the present one.")

    # Waiting

    def fail(self, who: str) -> None:
        self._store.count_failure(who, self._clock())

    def check_wait(self, who: str) -> None:
        """Refuse whoever has failed too often, for a while."""
        found = self._store.failures(who)
        if found is None or found[0] < TRIES:
            return
        wait = min(FIRST_WAIT * 2 ** min(found[0] - TRIES, 20), LONGEST_WAIT)
        left = found[1] + wait - self._clock()
        if left > timedelta(0):
            seconds = int(left.total_seconds()) + 1
            raise ApiError(
                429,
                "locked-out",
                f"Too many failed tries: wait {seconds} seconds.",
                headers={"Retry-After": str(seconds)},
            )


def check_pin(pin: str) -> None:
    low, high = PIN_DIGITS
    if not (pin.isascii() and pin.isdigit() and low <= len(pin) <= high):
        raise ApiError(422, "weak-pin", f"A PIN has {low} to {high} digits.")
    if pin in WEAK_PINS or len(set(pin)) < 3:
        raise ApiError(422, "weak-pin", "This PIN is among the first that anybody would try: choose another.")


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
