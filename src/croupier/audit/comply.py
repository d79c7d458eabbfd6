"""May each table be open? Answered from the books alone: a store, or a file that was exported from one."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Protocol

from croupier.errors import CroupierError
from croupier.floor.act import EntryKind
from croupier.floor.link.setup import LinkSetup
from croupier.floor.site.comply import SiteTold, comply
from croupier.floor.site.site import Site
from croupier.ledger.clock import utc_now
from croupier.ledger.entry import SITE
from croupier.store.store import Row

SETUP_OF = {EntryKind.MAKE: "setup", EntryKind.RECONFIGURE: "new"}
"""By kind of entry that sets a link up: where its setup is."""


class Source(Protocol):
    """Where books are."""

    def streams(self) -> list[str]: ...

    def rows(self, stream: str) -> Iterable[Row]: ...


def comply_of(source: Source, day: date | None = None) -> SiteTold:
    """The answer for a day of the site, today where none is named."""
    if SITE not in source.streams():
        raise CroupierError("There is no site in these books: nothing is said of tables.")
    site = Site.of_entries(row.entry() for row in source.rows(SITE))
    return comply(site, setups_of(source), day or site.day(utc_now()))


def setups_of(source: Source) -> dict[str, LinkSetup]:
    """The setups of all links that are not retired, as they are now."""
    setups: dict[str, LinkSetup] = {}
    for stream in source.streams():
        name = stream.removeprefix("link:")
        for row in source.rows(stream) if name != stream else ():
            if row.kind in SETUP_OF:
                setups[name] = LinkSetup.of_json(row.entry().facts[SETUP_OF[EntryKind(row.kind)]])
            elif row.kind == EntryKind.RETIRE:
                setups.pop(name, None)
    return setups
