"""One running server: the floor it leads or follows, its sessions, and what every request may ask of them.

Of several servers on one PostgreSQL site, one leads: it holds the books' leases and writes. The others follow: they
read, show and forward. When the leader dies, its leases end with it, and the next server that tries leads.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from threading import Lock

from croupier.progressive.authority import CardToken, SiteKey
from croupier.progressive.floor import Floor
from croupier.progressive.house import House
from croupier.progressive.ledger import Entry
from croupier.progressive.people import Person
from croupier.progressive.store import Store, StoreBusy, open_store
from croupier.web.access import Access
from croupier.web.access_store import AccessStore
from croupier.web.errors import ApiError
from croupier.web.settings import Settings, site_key

Listener = Callable[[str, list[Entry]], None]


class Runtime:
    """What the routes work with. `floor` is there while this server leads."""

    def __init__(self, settings: Settings, *, listener: Listener | None = None) -> None:
        self.settings = settings
        self.key: SiteKey = site_key(settings.key_path())
        self.listener = listener
        self.floor: Floor | None = None
        self.following = House()
        """What the books last said, as a follower has read them."""
        self.reading: Store = open_store(settings.db)
        self.access = Access(
            AccessStore(settings.db), self.key, self.identify, self.person, minutes=settings.session_minutes
        )
        self.first_code = ""
        """Printed at the first start of an empty site; whoever has it becomes the first manager."""
        self._leading = Lock()

    # Leading

    def try_to_lead(self) -> bool:
        """Take the books, if nobody has them."""
        with self._leading:
            if self.floor is not None:
                return True
            try:
                self.floor = Floor(lambda: open_store(self.settings.db), self.key, listener=self.listener)
            except StoreBusy:
                return False
            if not self.floor.site.book.entries and not self.first_code:
                self.first_code = secrets.token_hex(8)
            return True

    def stop_leading(self) -> None:
        with self._leading:
            floor, self.floor = self.floor, None
        if floor is not None:
            floor.close()

    def close(self) -> None:
        self.stop_leading()
        self.reading.close()

    # Asking

    @property
    def house(self) -> House:
        """The site and its links as they last stood."""
        return self.floor.house if self.floor is not None else self.following

    def leading(self) -> Floor:
        """The floor, for whoever wants something done."""
        if self.floor is None:
            raise ApiError(503, "not-leading", "Another server writes the books just now: try again.")
        return self.floor

    def identify(self, token: CardToken) -> Person:
        return self.house.site.people.identify(token.hash(self.key))

    def person(self, name: str) -> Person:
        return self.house.site.people.active(name)
