"""The site's book, decided again row by row, and the roster that it tells of."""

from __future__ import annotations

from typing import Any

from croupier.errors import RecordError
from croupier.progressive.chain import STRANGE, Chain
from croupier.progressive.forms import read_record
from croupier.progressive.ledger import Entry
from croupier.progressive.roster import Roster
from croupier.progressive.site import Site
from croupier.progressive.site_acts import ACTS


class SiteCheck(Chain):
    """A site that is built from rows, each of which is decided again before it counts."""

    def __init__(self) -> None:
        self.site = Site()
        self.roster = Roster()
        super().__init__(self.site.book)

    def _take(self, digest: str, body: bytes) -> None:
        self.whole(digest, body)
        row = self.parse(body)
        entry = row.entry(digest)
        if self.follows(row):
            self._recheck(entry)
        self.site.apply(entry)
        self.roster.take(self.site, _about(entry), entry.at)
        self.passed(entry.kind, entry.at, entry.command)

    def _recheck(self, entry: Entry) -> None:
        try:
            kind = ACTS[entry.kind]
            values: dict[str, Any] = {
                name: value for name, value in entry.facts.items() if name in kind.__dataclass_fields__
            }
            again = self.site.handle(read_record(kind, {**values, "id": entry.command}), entry.at)
        except STRANGE as error:
            raise RecordError(f"Entry {entry.number} of the book ({entry.kind}) was not allowed: {error}") from None
        if again.digest != entry.digest and entry.at >= self.book.at:
            raise RecordError(f"Entry {entry.number} of the book ({entry.kind}) says other things than the rules do.")


def _about(entry: Entry) -> str:
    """The person whom an entry changes, or nobody; the first entry enrols whoever gives it."""
    return str(entry.facts["by"] if entry.kind == "create-site" else entry.facts.get("person", ""))
