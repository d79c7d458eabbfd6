"""A second person's agreement: to one act with all that it says, under one id, in one session, for a minute.

The person shows card and PIN. From these follows, for that moment only, the private half of the key that the site's
book has of the person, and it signs what is agreed to; the signature goes into the entry. A ticket carries it back to
the server with the act. It is sealed and stored nowhere, so it outlives a restart and counts at every server. The id
makes it good for one use: a book does what comes under an id once, and answers a resend with the first result. For
that the ticket may be late, or its person's card replaced meanwhile: nothing more is done by it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from argon2 import PasswordHasher
from argon2.low_level import Type, hash_secret_raw
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from pydantic import BaseModel

from croupier.compliance.authority import SiteKey
from croupier.errors import Refusal
from croupier.floor.agreement import GOOD_FOR_S, MADE, Agreement, AgreementKey, Statement
from croupier.floor.people import People, Person
from croupier.floor.refusals import No, refusal
from croupier.ledger.checkpoint import public_hex
from croupier.ledger.clock import written
from croupier.web.errors import ApiError
from croupier.web.identity.store import Seal, SignedInSession

SECOND_PERSON_S = GOOD_FOR_S
"""How long a second person's card and PIN count for an act of two."""
TICKET = "second_ticket"
ARGON2_VERSION = 19


# The key of a card and a PIN


def private_half(site: SiteKey, *, card: str, pin: str, salt: str, method: str) -> Ed25519PrivateKey:
    """It follows from card, PIN and the site's secret. Without the secret, whoever has found a card and reads the book
    could try all PINs."""
    form = MADE.fullmatch(method)
    assert form is not None, "keys in the book are of their form"
    memory, passes, lanes = map(int, form.groups())
    text = json.dumps(["agreement", card, pin])
    shown = hmac.new(site.secret, text.encode(), hashlib.sha256).digest()
    seed = hash_secret_raw(shown, bytes.fromhex(salt), passes, memory, lanes, 32, Type.ID, ARGON2_VERSION)
    return Ed25519PrivateKey.from_private_bytes(seed)


def new_agreement_key(site: SiteKey, *, card: str, pin: str, hasher: PasswordHasher, salt: str = "") -> AgreementKey:
    """What the book is told of a PIN that somebody has chosen."""
    salt = salt or secrets.token_hex(16)
    method = f"argon2id m={hasher.memory_cost} t={hasher.time_cost} p={hasher.parallelism}"
    private = private_half(site, card=card, pin=pin, salt=salt, method=method)
    return AgreementKey(public_hex(private.public_key()), salt, method)


# Tickets


@dataclass(frozen=True)
class Agreed:
    """What a second person agrees to."""

    act: str
    """As the act's route is called: `adjust`."""
    link: str
    """Empty for an act of the site."""
    id: str
    digest: str
    """Of all that the act says, as the second person was shown it."""


@dataclass(frozen=True)
class Second:
    """Who agreed, and how it stands in the entry."""

    person: Person
    agreed: Agreement | None = None
    """None as long as nobody of the site has a key, and for an act that is in the book already."""
    made: str = ""
    """The token of the card or device that the act gives out, where the server has made it."""


def digest_of(body: BaseModel) -> str:
    """Of a request, however it was spaced and ordered, and whether or not it names what is so anyway."""
    values = body.model_dump(mode="json", exclude={TICKET}, exclude_none=True)
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


class Tickets:
    """Makes and reads them."""

    def __init__(self, seal: Seal, site: SiteKey, people: Callable[[], People], clock: Callable[[], datetime]) -> None:
        self._seal, self._site, self._people, self._clock = seal, site, people, clock

    # Making

    def sign(self, person: Person, card: str, pin: str, statement: Statement) -> Agreement | None:
        """The agreement, by the key of this card and PIN; nothing where the site has no keys yet.

        Whoever has none, or showed a PIN that its key was not made with, is told to choose a PIN first.
        """
        people = self._people()
        key = people.keys.get(person.id)
        if key is None:
            if people.turned:
                raise refusal(No.NO_KEY, name=person.name)
            return None
        private = private_half(self._site, card=card, pin=pin, salt=key.salt, method=key.made)
        if public_hex(private.public_key()) != key.public:
            raise refusal(No.NO_KEY, name=person.name)
        return statement.agreed(private, written(int(self._now_s()) + SECOND_PERSON_S))

    def make(self, second: Second, session: SignedInSession, agreed: Agreed) -> str:
        ends = int(self._now_s()) + SECOND_PERSON_S
        if second.agreed is not None:
            ends = int(datetime.fromisoformat(second.agreed.until).timestamp())
        signature = second.agreed.signature if second.agreed else ""
        parts = [str(ends), second.person.id.encode().hex(), signature, second.made]
        return ".".join([*parts, self._sealed(parts, second.person, session, agreed)])

    # Reading

    def second(self, ticket: str, session: SignedInSession, agreed: Agreed, done: Callable[[], bool]) -> Second:
        """Who agreed. `done` tells whether the book has the act's id already, and is asked only where it matters."""
        try:
            return self._checked(ticket, session, agreed)
        except ApiError:
            if done():
                parts = _parts(ticket)
                return Second(self._people().known(_named(parts)), made=parts[3])
            raise

    def _checked(self, ticket: str, session: SignedInSession, agreed: Agreed) -> Second:
        parts = _parts(ticket)
        try:
            person = self._people().active(_named(parts))
        except Refusal:  # whose card was revoked since, or nobody's
            raise _unknown() from None
        seal = ticket.rpartition(".")[2]
        if not hmac.compare_digest(seal.encode(), self._sealed(parts, person, session, agreed).encode()):
            raise _unknown()
        ends, _, signature, fresh_token = parts
        if int(ends) < self._now_s():
            raise ApiError(403, "second-late", f"A second card counts for {SECOND_PERSON_S} seconds: swipe it again.")
        return Second(person, Agreement(written(int(ends)), signature) if signature else None, fresh_token)

    def _now_s(self) -> float:
        return self._clock().replace(tzinfo=UTC).timestamp()

    def _sealed(self, parts: list[str], person: Person, session: SignedInSession, agreed: Agreed) -> str:
        bound = (person.card, session.token_hash, agreed.act, agreed.link, agreed.id, agreed.digest)
        return self._seal.on("second", *parts, *bound)


def _parts(ticket: str) -> list[str]:
    """End, person, signature and token made; one of another form altogether is nobody's."""
    parts = ticket.split(".")
    if len(parts) != 5 or not (parts[0].isascii() and parts[0].isdigit() and len(parts[0]) <= 12):
        raise _unknown()
    return parts[:4]


def _named(parts: list[str]) -> str:
    """Whose ticket it says it is."""
    try:
        return bytes.fromhex(parts[1]).decode()
    except ValueError:
        raise _unknown() from None


def _unknown() -> ApiError:
    sentence = "The second person's ticket is not of this session, or not for this act."
    return ApiError(403, "second-unknown", sentence)
