"""PINs and the record: no PIN counts before the site's book says that it was set, and by whom; never which it is.

A new PIN is hashed and kept aside under the id of the act that sets it. Then the book gets the act, and then the PIN
counts. A server that is killed in between makes up for it when it starts again. Under an id that the book knows, no
other PIN is set.
"""

from __future__ import annotations

import hashlib
from threading import Lock

from croupier.errors import Refusal
from croupier.progressive.floor import Floor
from croupier.progressive.ledger import Entry
from croupier.progressive.site import STREAM as SITE
from croupier.progressive.site_acts import NotePin, SiteAct
from croupier.progressive.writer import ID_REUSED
from croupier.web.access import Access, check_pin
from croupier.web.access_store import AccessStore


class Pins:
    """Sets them, one after another."""

    def __init__(self, access: Access, store: AccessStore) -> None:
        self._access, self._store = access, store
        self._lock = Lock()

    def set(self, floor: Floor, act: SiteAct, person: str, pin: str) -> Entry:
        """Do the act that gives the person a PIN, and let it count: both, or neither."""
        check_pin(pin)
        with self._lock:
            again = floor.reading.by_command(SITE, act.id) is not None
            if not again:
                self._store.keep_aside(person, act.id, self._access.hash_of(pin))
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
            for person, command in self._store.all_waiting():
                entry = floor.reading.by_command(SITE, command)
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
        if not (self._access.fits(waiting, pin) if waiting else self._access.try_pin(person, pin)):
            raise Refusal(
                ID_REUSED, f"The id {command!r} was sent before, and this PIN is not set by it: use a new id."
            )

    def _finish(self, floor: Floor, entry: Entry, person: str) -> None:
        """The record, where the act was about more than the PIN; then the PIN, if it still waits."""
        hashed = self._store.waiting(person, entry.command)
        if hashed is None:
            return
        facts = entry.facts
        if entry.kind != NotePin.kind:
            also = {name: facts.get(name, "") for name in ("second", "where")}
            floor.do_site(NotePin(id=_note_id(entry), by=facts["by"], person=person, **also))
        self._access.set_hash(person, hashed, given=facts["by"] != person)
        self._store.forget_waiting(person)


def _given_to(entry: Entry) -> str:
    """Of a new site it is whoever creates it."""
    return str(entry.facts.get("person") or entry.facts["by"])


def _note_id(entry: Entry) -> str:
    """Made from the act's own id, so that it is noted once."""
    return f"pin-{hashlib.sha256(entry.command.encode()).hexdigest()[:32]}"
