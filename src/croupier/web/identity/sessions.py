"""Who is at the other end: a person by card, with a PIN for office work, or a device by its token.

A session is a random token of which only the hash is stored. It ends after some minutes without use, at the end of a
long shift, when the person's card is replaced or revoked, and when the PIN changes. A person whose PIN was tried too
often waits, longer each time; a place from which too much fails waits shortly, and keeps nobody out who has card and
PIN.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from threading import Lock

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from croupier.compliance.authority import CardToken, Denied, Role, SiteKey
from croupier.errors import CroupierError, Refusal
from croupier.floor.agreement import AgreementKey
from croupier.floor.floor import Floor
from croupier.floor.forms import plain, read_record
from croupier.floor.people import Person
from croupier.floor.site.acts import NotePin
from croupier.floor.site.notes import AccessEvent, SiteAct
from croupier.floor.writer import ID_REUSED
from croupier.ledger.entry import SITE, Entry
from croupier.web.errors import ApiError
from croupier.web.identity.access_register import AccessRegister
from croupier.web.identity.store import AccessStore, SignedInSession, Waiting, utc
from croupier.web.identity.tickets import new_agreement_key
from croupier.web.settings import SESSION_MINUTES
from croupier.web.transport.clients import Rate, network_of

PIN_DIGITS = (6, 12)
TRIES = 5
"""Wrong PINs of a person in a row that are forgiven; each one more doubles the wait."""
FIRST_WAIT = timedelta(seconds=30)
LONGEST_WAIT = timedelta(hours=1)
"""After as long without a failure, the old ones are forgotten."""
PLACE_TRIES = 20
"""Failures from one place in a row that are forgiven; each one more has it wait, and never longer than the first."""
A_MINUTE = 120
"""Tries from one place, and of one person, failed or not: enough for a full room behind one proxy."""
LONGEST_SESSION = timedelta(hours=12)
"""However busy: somebody else's shift has begun."""
FRESH_S = 2.0
"""How long a session that was looked up is believed without looking again."""
MOST_FRESH = 10_000

WEAK_PINS = frozenset({"123456", "654321", "012345", "123123", "112233", "121212"})


@dataclass(frozen=True)
class SignedIn:
    """A session that has just begun."""

    token: str
    session: SignedInSession
    person: Person


def new_hasher() -> PasswordHasher:
    """Argon2id with the library's own, slow parameters."""
    return PasswordHasher()


class Access:
    """Signing in and out. `identify` finds whose card a token is in the site's book as it stands."""

    def __init__(
        self,
        store: AccessStore,
        key: SiteKey,
        identify: Callable[[CardToken], Person],
        person: Callable[[str], Person],
        *,
        minutes: int = SESSION_MINUTES,
        clock: Callable[[], datetime] = utc,
        hasher: PasswordHasher | None = None,
        register: AccessRegister | None = None,
        many_tables: Callable[[], bool] = lambda: True,
    ) -> None:
        """`register` where the site's book is told who comes and goes; `many_tables` says whether a dealer may be
        signed in at several."""
        self._store, self._key, self._identify, self._person = store, key, identify, person
        self._length, self._clock = timedelta(minutes=minutes), clock
        self._half = self._length / 2
        self._hasher = hasher or new_hasher()
        self._fresh: OrderedDict[str, tuple[float, SignedInSession]] = OrderedDict()
        self._ended = 0
        """How often sessions were ended here: what was read before the last time is not believed."""
        self._lock = Lock()
        self._rate, self._by_person = Rate(A_MINUTE), Rate(A_MINUTE)
        self._register, self._many_tables = register, many_tables
        self._failed: OrderedDict[str, tuple[int, datetime]] = OrderedDict()
        """What failed here, and when last: whoever empties the file has no more tries for it."""

    def now(self) -> datetime:
        """By the clock that sessions and waits go by."""
        return self._clock()

    # Signing in

    def sign_in(self, card: str, pin: str | None, device: str, source: str) -> SignedIn:
        """A card alone signs in for the floor; with its PIN, for the console too."""
        person = self.check_card(card, pin, source)
        given = pin is not None and self._store.is_given(person.id)
        if device and person.role is Role.DEALER and not self._many_tables():
            for session in self._elsewhere(person, device):  # whoever has the card is here now, and not there
                self.end(session, "moved")
        how = "card" if pin is None else "card and PIN"
        return self._begin(person, device, source, how, console=pin is not None and not given, given=given)

    def check_second(self, card: str, pin: str, source: str) -> Person:
        """A second person, who agrees with a PIN that nobody else has chosen."""
        person = self.check_card(card, pin, source)
        if self._store.is_given(person.id):
            raise pin_to_change(person)
        return person

    def check_card(self, card: str, pin: str | None, source: str) -> Person:
        """Whose card it is, with the PIN where one is given; failures count against the person and the place.

        A place from which too much was tried waits, but not for somebody with card and PIN: else whoever fails on
        purpose would keep the house out. Meanwhile all who fail there hear the same, so that it tells nothing.
        """
        crowded, how, whose = self._crowded(source), "card" if pin is None else "card and PIN", ""
        if crowded is not None and pin is None:
            self.note_failure(crowded, source, how)
            raise crowded
        try:
            person = self._identify(CardToken(card))
            whose = person.id
            self._person(whose)  # whose span of days is over is not let in, and the book has who it was
            if pin is not None:
                self._by_person.take(person.id)
                self._check_pin(person.id, pin)
        except CroupierError as error:
            self.note_failure(error, source, how, whose)
            if crowded is not None:
                raise crowded from None
            self.fail_at(source)
            raise
        if crowded is None:
            self.forgive(_place(source))
        return person

    def _crowded(self, source: str) -> ApiError | None:
        try:
            self._rate.take(source)
            self.check_place(source)
        except ApiError as error:
            return error
        return None

    def _check_pin(self, person: str, pin: str) -> None:
        """A card alone forgives no wrong PIN: whoever has found a card could try as often as they like."""
        if not self.try_pin(person, pin):
            raise ApiError(401, "wrong-pin", "The PIN is not that of this card.")

    def try_pin(self, person: str, pin: str) -> bool:
        """Whether it is the person's; one that is not counts as a failed try, wherever it is asked."""
        who = f"person {person}"
        self._count_first(who)
        kept = self._store.pin(person)
        if not self.fits(kept.hash if kept else None, pin):
            return False
        self.forgive(who)
        return True

    def _count_first(self, who: str) -> None:
        """A try counts as failed before it is looked at, so that many at the same moment are not all looked at."""
        seen = self.check_wait(who)
        if self.fail(who) > max(seen + 1, TRIES):
            raise _locked_out(int(FIRST_WAIT.total_seconds()))

    def sign_in_keypad(self, card: str | None, person: str | None, device: str, source: str) -> SignedIn:
        """At an enrolled keypad: by card, or by name where a dealer has none."""
        if card is not None:
            return self.sign_in(card, None, device, source)
        if person is None:
            raise ApiError(422, "wrong-form", "Sign in with a card, or with a dealer's name.")
        try:
            dealer = self._person(person)
            self._check_name(dealer, device)
        except CroupierError as error:
            self.note_failure(error, source, "name", person)
            raise
        return self._begin(dealer, device, source, "name", console=False)

    def _check_name(self, person: Person, device: str) -> None:
        """A name is nobody's secret: whoever has a card shows it, and nobody is taken from another table by name."""
        if person.role is not Role.DEALER or person.card:
            raise ApiError(403, "card-needed", f"{person.name} signs in with a card.")
        if not self._many_tables() and (there := self._elsewhere(person, device)):
            sentence = (
                f"{person.name} is signed in at {there[0].device}: sign out there first, or have a manager end that "
                "session in the console, under People."
            )
            raise ApiError(409, "at-other-table", sentence)

    def _elsewhere(self, person: Person, device: str) -> list[SignedInSession]:
        """Sessions of a dealer at other keypads, that go on."""
        return [session for session in self.going_on(person.id) if session.device not in ("", device)]

    def going_on(self, person: str | None = None) -> list[SignedInSession]:
        """Sessions that have not ended: of one person, or of all."""
        now, sessions = self._clock(), []
        for session in self._store.all_sessions(person):
            try:
                sessions.append(self._checked(session, now)[0])
            except ApiError:
                continue
        return sessions

    def _begin(
        self, person: Person, device: str, source: str, how: str, *, console: bool, given: bool = False
    ) -> SignedIn:
        token, now = secrets.token_urlsafe(32), self._clock()
        ends = now + self._length
        session = SignedInSession(hash_of_token(token), person.id, device, console, person.card, now, ends, given=given)
        self._store.begin(session)
        if self._register is not None:
            where, named = _where(device, source), name_of(session)
            self._register.note(AccessEvent.SIGN_IN, person=person.id, how=how, where=where, session=named)
        return SignedIn(token, session, person)

    def note_failure(self, error: CroupierError, source: str, how: str, person: str = "") -> None:
        """A card or PIN that is not right has failed; whatever else keeps somebody out, or from an act, has refused."""
        if self._register is None:
            return
        code = str(getattr(error, "code", "")) or "card-form"
        try:
            known = self._person(person).id if person else ""
        except Refusal as refused:
            known = person if refused.code == Denied.SPAN_OVER else ""
        event = AccessEvent.FAILED if code in FAILURES else AccessEvent.REFUSED
        where, place = _where("", source), network_of(source)
        self._register.note_failure(event, place=place, person=known, how=how, why=code, where=where)

    def end(self, session: SignedInSession, why: str = "signed-out", *, by: str = "", where: str = "") -> bool:
        """Whether it was there; the book is told why it ended, and by whom where somebody else did it."""
        told = None
        if self._register is not None:
            told = self._register.ended(session.person, why, where or _where(session.device, ""), name_of(session), by)
        was_there = self._store.end(session.token_hash, told)
        self._forget(session.token_hash)
        if self._register is not None:
            self._register.enter()
        return was_there

    def sweep(self) -> None:
        """Now and then: sessions that nobody uses any more, and those whose card counts no more, are over.

        Each is looked at once, as it was read: one that begins meanwhile is none of these.
        """
        now = self._clock()
        for session in self._store.all_sessions():
            try:
                self._checked(session, now)
            except ApiError:
                self.end(session, "expired" if session.ends <= now else self._why_over(session))

    def _why_over(self, session: SignedInSession) -> str:
        try:
            self._person(session.person)
        except Refusal as refused:
            if refused.code == Denied.SPAN_OVER:
                return str(Denied.SPAN_OVER)
        return "other-card"

    def _forget(self, *hashes: str) -> None:
        """These sessions, or all; and whatever somebody is just reading, because it may be from before."""
        with self._lock:
            self._ended += 1
            for hashed in hashes or list(self._fresh):
                self._fresh.pop(hashed, None)

    # Who is it

    def session(self, token: str) -> tuple[SignedInSession, Person]:
        """Whose token it is; a session that is used goes on."""
        hashed, now = hash_of_token(token), self._clock()
        session, person = self._checked(self._known(hashed), now)
        if self._is_due(session, now):
            began, ended = time.monotonic(), self._ended
            session = replace(session, ends=min(now + self._length, session.began + LONGEST_SESSION))
            self._store.extend(session)
            self._remember(session, began, ended)
        return session, person

    def at_once(self, hashed: str) -> tuple[SignedInSession, Person] | None:
        """The same by the token's hash, where nothing has to be read or written for it; else nothing."""
        kept = self._fresh.get(hashed)
        if kept is None or time.monotonic() - kept[0] >= FRESH_S or self._is_due(kept[1], now := self._clock()):
            return None
        return self._checked(kept[1], now)

    def _is_due(self, session: SignedInSession, now: datetime) -> bool:
        """Whether its end is to be put off: not with every request, and not beyond a shift."""
        return now < session.ends < now + self._half and session.ends < session.began + LONGEST_SESSION

    def _checked(self, session: SignedInSession | None, now: datetime) -> tuple[SignedInSession, Person]:
        if session is None or session.ends <= now:
            raise ApiError(401, "signed-out", "The session has ended: sign in again.")
        try:
            person = self._person(session.person)
        except Refusal as error:
            raise ApiError(401, "signed-out", str(error)) from None
        if person.card != session.card:
            raise ApiError(401, "signed-out", "The card was replaced since: sign in again.")
        return session, person

    def _known(self, hashed: str) -> SignedInSession | None:
        kept = self._fresh.get(hashed)
        if kept is not None and time.monotonic() - kept[0] < FRESH_S:
            return kept[1]
        began, ended = time.monotonic(), self._ended
        session = self._store.session(hashed)
        if session is not None:
            self._remember(session, began, ended)
        return session

    def _remember(self, session: SignedInSession, began: float, ended: int) -> None:
        """As it was read at some time, unless sessions were ended since."""
        with self._lock:
            if ended != self._ended:
                return
            self._fresh[session.token_hash] = (began, session)
            while len(self._fresh) > MOST_FRESH:
                self._fresh.popitem(last=False)

    # PINs

    def set_pin(self, person: str, pin: str, *, given: bool = False) -> None:
        """A new PIN ends every session of the person. Whoever calls this has put it on record."""
        check_pin(pin)
        self.set_hash(person, self.hash_of(pin), given=given)

    def set_hash(self, person: str, hashed: str, *, given: bool = False) -> None:
        """`given` where it is not the person who has set it: then it has to be changed before it counts."""
        self._store.set_pin(person, hashed, self._clock(), given=given)
        for session in self._store.all_sessions(person):
            self.end(session, "new-pin")
        self._forget()
        self.forgive(f"person {person}")

    def hash_of(self, pin: str) -> str:
        return self._hasher.hash(pin)

    def new_agreement_key(self, card: str, pin: str) -> AgreementKey:
        """Of a PIN that the card's owner has chosen."""
        return new_agreement_key(self._key, card=card, pin=pin, hasher=self._hasher)

    def fits(self, hashed: str | None, pin: str) -> bool:
        """Whether a PIN is that of a hash."""
        if hashed is None:
            self._hasher.hash(pin)  # as slow as where there is one, so that the answer's delay tells nothing
            return False
        try:
            return self._hasher.verify(hashed, pin)
        except (Argon2Error, InvalidHashError):
            return False

    def check_own_pin(self, person: str, pin: str) -> None:
        """Before somebody changes it."""
        if not self.try_pin(person, pin):
            raise ApiError(403, "wrong-pin", "The PIN is not the present one.")

    # Waiting

    def fail(self, who: str) -> int:
        """How many there are with this one: of the site's servers together, and at least of this one."""
        now = self._clock()
        stored = self._store.count_failure(who, now, LONGEST_WAIT)
        with self._lock:
            tries, last = self._failed.pop(who, (0, now))
            tries = max(stored, tries + 1 if now - last <= LONGEST_WAIT else 1)
            self._failed[who] = (tries, now)
            while len(self._failed) > MOST_FRESH:
                self._failed.popitem(last=False)
        return tries

    def forgive(self, who: str) -> None:
        self._store.forgive(who)
        with self._lock:
            self._failed.pop(who, None)

    def _failures(self, who: str) -> tuple[int, datetime] | None:
        here, stored = self._failed.get(who), self._store.failures(who)
        if here is None or self._clock() - here[1] > LONGEST_WAIT:
            return stored
        return max(here, stored) if stored else here

    def fail_at(self, source: str) -> None:
        self.fail(_place(source))

    def check_place(self, source: str) -> None:
        """Refuse a place from which too much has failed, for a short while."""
        self.check_wait(_place(source), PLACE_TRIES, FIRST_WAIT)

    def check_wait(self, who: str, forgiven: int = TRIES, longest: timedelta = LONGEST_WAIT) -> int:
        """Refuse whoever has failed too often, for a while; how often the others have."""
        failures = self._failures(who)
        if failures is None:
            return 0
        tries, last = failures
        if tries >= forgiven:
            wait = min(FIRST_WAIT * 2 ** min(tries - forgiven, 20), longest)
            left = last + wait - self._clock()
            if left > timedelta(0):
                raise _locked_out(int(left.total_seconds()) + 1)
        return tries


FAILURES = frozenset({"wrong-pin", "unknown-card", "revoked-card", "card-form", "unknown-person"})
"""Codes of what was shown and is not right."""


def name_of(session: SignedInSession) -> str:
    """How a session is called where people see it: nobody gets its token from that."""
    return hashlib.sha256(f"session\n{session.token_hash}".encode()).hexdigest()[:16]


def _where(device: str, source: str) -> str:
    """As entries say it; a keypad's source is the device already."""
    if device or source.startswith("device "):
        return f"device {device}" if device else source
    return f"console {source}".strip()


def _place(source: str) -> str:
    return f"from {network_of(source)}"


def pin_to_change(person: Person) -> ApiError:
    sentence = f"The PIN of {person.name} was set by somebody else: {person.name} signs in and chooses another first."
    return ApiError(403, "pin-to-change", sentence)


def _locked_out(seconds: int) -> ApiError:
    sentence = f"Too many failed tries: wait {seconds} seconds."
    return ApiError(429, "locked-out", sentence, headers={"Retry-After": str(seconds)})


def check_pin(pin: str) -> None:
    low, high = PIN_DIGITS
    if not (pin.isascii() and pin.isdigit() and low <= len(pin) <= high):
        raise ApiError(422, "weak-pin", f"A PIN has {low} to {high} digits.")
    if pin in WEAK_PINS or len(set(pin)) < 3:
        raise ApiError(422, "weak-pin", "This PIN is among the first that anybody would try: choose another.")


def hash_of_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


# PINs and the record: no PIN counts before the site's book says that it was set, and by whom; never which it is.
#
# A new PIN is hashed and kept aside under the id of the act that sets it; where its owner has chosen it, together with
# the public half of the key that the book gets to know. Then the book gets the act, and then the PIN counts. A server
# that is killed in between makes up for it when it starts again. Under an id that the book knows, no other PIN is set.


@dataclass(frozen=True)
class PinToSet:
    """A PIN for somebody."""

    person: str
    pin: str = field(repr=False)
    card: str | None = field(default=None, repr=False)
    """The token of the person's card, where the person has chosen the PIN: the two make a key to agree with."""


class Pins:
    """Sets them, one after another."""

    def __init__(self, access: Access, store: AccessStore) -> None:
        self._access, self._store = access, store
        self._lock = Lock()

    def set(self, floor: Floor, act: SiteAct, new: PinToSet) -> Entry:
        """Do the act that gives the person a PIN, and let it count: both, or neither."""
        person, pin = new.person, new.pin
        check_pin(pin)
        with self._lock:
            again = floor.reading.by_command(SITE, act.id) is not None
            if not again:
                key = self._access.new_agreement_key(new.card, pin) if new.card is not None else None
                text = json.dumps(plain(key)) if key else ""
                self._store.keep_aside(Waiting(person, act.id, self._access.hash_of(pin), text))
                if key and isinstance(act, NotePin):
                    act = replace(act, key=key)
            try:
                entry = floor.do_site(act)
            except Refusal:
                if not again:
                    self._store.forget_waiting(person)
                raise
            if again:
                self._check_same(person, act.id, pin)
            self._finish(floor, entry, person)
        return entry

    def recover(self, floor: Floor) -> None:
        """After a server was killed: what the book has counts, and what it has not is forgotten."""
        with self._lock:
            for waiting in self._store.all_waiting():
                person, entry = waiting.person, floor.reading.by_command(SITE, waiting.command)
                if entry is not None and _given_to(entry) == person:
                    try:
                        self._finish(floor, entry, person)
                    except Refusal:  # whoever set it may not any more
                        self._store.forget_waiting(person)
                else:
                    self._store.forget_waiting(person)

    def _check_same(self, person: str, command: str, pin: str) -> None:
        """An act that was done before sets the PIN that came with it, and no other; whoever tries others is counted."""
        waiting = self._store.waiting(person, command)
        if not (self._access.fits(waiting.hash, pin) if waiting else self._access.try_pin(person, pin)):
            raise Refusal(
                ID_REUSED, f"The id {command!r} was sent before, and this PIN is not set by it: use a new id."
            )

    def _finish(self, floor: Floor, entry: Entry, person: str) -> None:
        """The record, where the act was about more than the PIN; then the PIN, if it still waits."""
        waiting = self._store.waiting(person, entry.command)
        if waiting is None:
            return
        facts = entry.facts
        if entry.kind != NotePin.kind and not facts.get("with_pin"):
            also = {name: facts.get(name, "") for name in ("second", "where")}
            key = read_record(AgreementKey, json.loads(waiting.key)) if waiting.key else None
            floor.do_site(NotePin(id=_note_id(entry), by=facts["by"], person=person, key=key, **also))
        self._access.set_hash(person, waiting.hash, given=facts["by"] != person)
        self._store.forget_waiting(person)


def _given_to(entry: Entry) -> str:
    """Of a new site it is whoever creates it."""
    return str(entry.facts.get("person") or entry.facts["by"])


def _note_id(entry: Entry) -> str:
    """Made from the act's own id, so that it is noted once."""
    return f"pin-{hashlib.sha256(entry.command.encode()).hexdigest()[:32]}"
