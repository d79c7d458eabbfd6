"""The register: who came in, who was not let in, whose session ended; entries of the site's book.

What is to be entered is kept beside the sessions first, sealed, and goes to the book at once where that can be written;
else as soon as it can be, under the same id, so it is there once. Nobody is kept out because the book cannot be
written: without signing in, nobody could put that right.

Whoever fails on purpose does not fill the book. The first failure of a kind from one place is an entry, and those of
the same minute that follow are one more, with how many they were. Of many places at once, so many have their own.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from threading import Lock

from croupier.errors import CroupierError, Refusal
from croupier.floor.act import LONGEST_ID
from croupier.floor.floor import Floor
from croupier.floor.site.notes import ITSELF, AccessEvent, NoteAccess
from croupier.ledger.clock import as_written
from croupier.ledger.entry import SITE
from croupier.web.identity.store import AccessStore, Told, utc
from croupier.web.logs import log

TOGETHER = timedelta(minutes=1)
"""What fails again in this time is counted, and entered when it is over."""
MOST_PLACES = 60
"""Of failures that are told apart in that time; the others are counted together."""
LATE_S = 5.0
"""From when on an entry says when it happened."""
OTHERS = "many places"


@dataclass
class _Again:
    """The same failure, after the first."""

    told: Told
    since: datetime
    times: int = 0


class AccessRegister:
    """Keeps and enters it; from any thread."""

    def __init__(
        self, store: AccessStore, leading: Callable[[], Floor | None], clock: Callable[[], datetime] = utc
    ) -> None:
        self._store, self._leading, self._clock = store, leading, clock
        self._again: OrderedDict[tuple[str, ...], _Again] = OrderedDict()
        self._lock, self._entering = Lock(), Lock()

    def note(
        self, event: AccessEvent, *, person: str = "", how: str = "", why: str = "", where: str = "", session: str = ""
    ) -> None:
        """Something that is entered each time."""
        self._keep(Told(_new_id(), self._clock(), event, person, how, why, where[:LONGEST_ID], session))

    def ended(self, person: str, why: str, where: str, session: str, by: str = "") -> Told:
        """The end of a session, for the store to keep in one commit with it."""
        event = AccessEvent.ENDED.value
        return Told(_new_id(), self._clock(), event, person, "", why, where[:LONGEST_ID], session, by=by)

    def note_failure(
        self, event: AccessEvent, *, place: str, person: str = "", how: str = "", why: str = "", where: str = ""
    ) -> None:
        """Something that anybody can make happen as often as they like; `place` is what counts as one place."""
        now, key = self._clock(), (event.value, person, why, how, place)
        with self._lock:
            again = self._again.get(key)
            if again is None and len(self._again) >= MOST_PLACES:
                key, person, where = (event.value, "", why, how, OTHERS), "", OTHERS
                again = self._again.get(key)
            told = Told(_new_id(), now, event, person, how, why, where[:LONGEST_ID], "")
            if again is not None:
                again.times += 1
                return
            self._again[key] = _Again(told, now)
        self._keep(told)

    def _keep(self, told: Told) -> None:
        self._store.keep_told(told)
        self.enter()

    def work(self) -> None:
        """Now and then: what was counted, and what could not be entered before."""
        now, due = self._clock(), list[Told]()
        with self._lock:
            for key in [key for key, again in self._again.items() if now - again.since >= TOGETHER]:
                again = self._again.pop(key)
                if again.times:
                    due.append(replace(again.told, id=_new_id(), at=now, times=again.times))
        for told in due:
            self._store.keep_told(told)
        self.enter()

    def enter(self) -> None:
        """Everything that waits, in order; what cannot be entered now waits on."""
        floor = self._leading()
        if floor is None or floor.troubles or not floor.site.book.entries:
            return
        with self._entering:
            for told in self._store.all_told():
                try:
                    if floor.reading.by_command(SITE, told.id) is None:
                        floor.do_site(self._act(told))
                except Refusal as error:  # of somebody whom the book does not know: it would never be entered
                    log.warning("access-not-entered", sentence=str(error), access=told.event)
                except CroupierError:
                    return
                self._store.forget_told(told.id)

    def _act(self, told: Told) -> NoteAccess:
        late = (self._clock() - told.at).total_seconds() > LATE_S
        happened = as_written(told.at.replace(tzinfo=UTC)) if late else ""
        return NoteAccess(
            id=told.id,
            by=told.by or ITSELF,
            where=told.where,
            event=AccessEvent(told.event),
            person=told.person,
            how=told.how,
            why=told.why,
            session=told.session,
            times=told.times,
            happened=happened,
        )


def _new_id() -> str:
    return f"access-{secrets.token_hex(12)}"
