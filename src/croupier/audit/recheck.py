"""Every row of a link's book decided again.

A row is right when it is, to the last byte, what the rules write of its act at that place in the book. So each row is
read, its digest and its place in the chain are checked, its act is decided by the very rules that a floor goes by, and
what they write is compared with the row.
"""

from __future__ import annotations

from typing import NamedTuple

from croupier.audit.roster import HouseCheck, Retired
from croupier.errors import NotationError, RecordError
from croupier.floor.act import EntryKind
from croupier.floor.link.link import Link, not_allowed, recheck, redo
from croupier.floor.link.meters import HOUSE
from croupier.ledger.book import FIXED_PAYS
from croupier.ledger.entry import Entry
from croupier.ledger.rows import Chain, Row


class Receipt(NamedTuple):
    """What a link took over from a retired one, on the strength of that one's entry."""

    row: int
    source: str
    number: int
    digest: str
    units: int
    at: str


class LinkCheck(Chain):
    """A link that is built from rows, each of which is decided again before it counts.

    With the house that the site's book tells of, those who sign are looked up there, and its notes are made again.
    """

    def __init__(self, name: str, house: HouseCheck | None = None) -> None:
        self.link = Link(name)
        super().__init__(self.link.state.book)
        self.house = house
        self.receipts: list[Receipt] = []
        self.retired: Retired | None = None
        self.noted = 0
        """Rows with notes of the house."""
        self.seconded = 0
        """Rows with a second person."""
        self.award_cents = self.pay_cents = 0
        self.pays_by_card = 0
        """Fixed pays that a card has confirmed, and that stand."""

    def _take(self, digest: str, body: bytes) -> None:
        self.whole(digest, body)
        row = self.parse(body)
        if not self.follows(row):
            raise self._wrong(row, digest)
        if self.house:
            self.house.check_signers(row)
            if "second" in row.facts:
                self.house.check_agreed(row, self.link.name)
            if row.kind == EntryKind.RETIRE:
                self.house.check_removal(row, self.link.name)
        entry = redo(self.link, row, self.house)
        try:
            agrees = entry.seal_as(body, digest)
        except NotationError as error:
            raise not_allowed(row, error) from None
        if not agrees:
            raise self._wrong(row, digest)
        self.link.apply(entry)
        self._keep(entry)
        self.passed(entry.kind, entry.at, entry.command)

    def _keep(self, entry: Entry) -> None:
        """What the report tells, and what the other books in the file are held against."""
        kind, facts = entry.kind, entry.facts
        self.noted += "notes" in facts
        self.seconded += "second" in facts
        if kind == "confirm" and "level" in facts:
            self.award_cents += facts["cents"]
        elif kind == "confirm":
            self.pay_cents += facts["cents"]
            self.pays_by_card += 1
        elif kind == "back-out":
            cents = self.link.state.confirmed[facts["award"]].award.cents
            if "level" in facts:
                self.award_cents -= cents
            else:
                self.pay_cents, self.pays_by_card = self.pay_cents - cents, self.pays_by_card - 1
        elif kind in FIXED_PAYS:
            self.pay_cents += facts["cents"] if kind == "pay" else -facts["cents"]
        elif kind == "retire":
            units = sum(transfer.units for transfer in entry.transfers)
            setup = self.link.state.made
            titles = frozenset(table.title for table in setup.tables) if setup else frozenset[str]()
            where = (facts.get("destination", ""), facts["to"])
            self.retired = Retired(entry.number, entry.digest, entry.at, *where, units, titles)
        elif kind == "receive":
            theirs, units = (
                facts["entry"],
                sum(transfer.units for transfer in entry.transfers if transfer.source == HOUSE),
            )
            their = (facts["source"], theirs["number"], theirs["digest"])
            self.receipts.append(Receipt(entry.number, *their, units, entry.at))

    def _wrong(self, row: Row, digest: str) -> RecordError:
        """What is wrong with a row that the rules do not write so."""
        try:
            entry = row.entry(digest)
            if self.follows(row):
                recheck(self.link, entry, self.house)
            self.link.apply(entry)
        except RecordError as error:
            return error
        return RecordError(f"Entry {row.number} of the book ({row.kind}) says other things than the rules do.")
