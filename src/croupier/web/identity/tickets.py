"""A second person's agreement: to one act with all that it says, under one id, in one session, for a minute.

A ticket is sealed with the site's key and stored nowhere, so it outlives a restart and counts at every server. The id
makes it good for one use: a book does what comes under an id once, and answers a resend with the first result. For
that the ticket may be late, or its person's card replaced meanwhile: nothing more is done by it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from pydantic import BaseModel

from croupier.compliance.authority import SiteKey
from croupier.errors import Refusal
from croupier.floor.people import Person
from croupier.web.errors import ApiError
from croupier.web.identity.store import Session

SECOND_PERSON_S = 60
"""How long a second person's card and PIN count for an act of two."""
TICKET = "second_ticket"


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


def digest_of(body: BaseModel) -> str:
    """Of a request, however it was spaced and ordered, and whether or not it names what is so anyway."""
    said = body.model_dump(mode="json", exclude={TICKET}, exclude_none=True)
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


class Tickets:
    """Makes and reads them. `person` is whoever may act under an id, `known` anybody who was ever enrolled."""

    def __init__(
        self,
        key: SiteKey,
        person: Callable[[str], Person],
        known: Callable[[str], Person],
        clock: Callable[[], datetime],
    ) -> None:
        self._key, self._person, self._known, self._clock = key, person, known, clock

    def make(self, person: Person, session: Session, agreed: Agreed) -> str:
        ends = int(self._now_s()) + SECOND_PERSON_S
        return f"{ends}.{person.id.encode().hex()}.{self._seal(ends, person, session, agreed)}"

    def person(self, ticket: str, session: Session, agreed: Agreed, done: Callable[[], bool]) -> Person:
        """Who agreed. `done` tells whether the book has the act's id already, and is asked only where it matters."""
        try:
            return self._checked(ticket, session, agreed)
        except ApiError:
            if done():
                return self._known(_named(ticket))
            raise

    def _checked(self, ticket: str, session: Session, agreed: Agreed) -> Person:
        try:
            person = self._person(_named(ticket))
        except Refusal:  # whose card was revoked since, or nobody's
            raise _unknown() from None
        ends, seal = int(ticket.partition(".")[0]), ticket.rpartition(".")[2].encode()
        if not hmac.compare_digest(seal, self._seal(ends, person, session, agreed).encode()):
            raise _unknown()
        if ends < self._now_s():
            raise ApiError(403, "second-late", f"A second card counts for {SECOND_PERSON_S} seconds: swipe it again.")
        return person

    def _now_s(self) -> float:
        return self._clock().replace(tzinfo=UTC).timestamp()

    def _seal(self, ends: int, person: Person, session: Session, agreed: Agreed) -> str:
        bound = [ends, person.id, person.card, session.token_hash, agreed.act, agreed.link, agreed.id, agreed.digest]
        text = "second\n" + json.dumps(bound)
        return hmac.new(self._key.secret, text.encode(), hashlib.sha256).hexdigest()


def _named(ticket: str) -> str:
    """Whose ticket it says it is; one of another form altogether is nobody's."""
    try:
        ends, name, _ = ticket.split(".")
        int(ends)
        return bytes.fromhex(name).decode()
    except ValueError:
        raise _unknown() from None


def _unknown() -> ApiError:
    sentence = "The second person's ticket is not of this session, or not for this very act."
    return ApiError(403, "second-unknown", sentence)
