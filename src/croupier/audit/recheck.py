"""Every row of a link's book decided again, quickly: a million rows in seconds.

A row is right when it is, to the last byte, what the rules write of its act at that place in the book. Most rows are
START GAME, END GAME and fixed pays from the tray, and what those come to depends on little: who acts, the table and its
seats, the hand, the number of wagers. Once the rules have decided such an act, what they said is remembered, and the
next row like it is written from memory, with the number, the chain and the game that are due now, and compared with the
row. Whatever was not seen before, or is not quite as written, is decided in full. After a new setup, memory is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from croupier.audit.remembering import Memory, Tally
from croupier.audit.roster import FOREVER, HouseCheck
from croupier.errors import RecordError
from croupier.floor.link.link import Link, count_totals, recheck, redo
from croupier.floor.link.meters import HOUSE, PLAYERS, TRAY, Moves, room
from croupier.floor.link.state import LinkState
from croupier.ledger.book import add_flows
from croupier.ledger.cutting import Cut, cut_row, whole
from croupier.ledger.entry import UNITS_PER_CENT, Entry, Transfer
from croupier.ledger.rows import STRANGE, Chain, Row


class Receipt(NamedTuple):
    """What a link took over from a retired one, on the strength of that one's entry."""

    row: int
    source: str
    number: int
    digest: str
    units: int


class LinkCheck(Chain):
    """A link that is built from rows, each of which is decided again before it counts.

    With the house that the site's book tells of, those who sign are looked up there, and its notes are made again.
    """

    def __init__(self, name: str, house: HouseCheck | None = None) -> None:
        self._link = Link(name)
        super().__init__(self._link.state.book)
        self.house = house
        self._until = "" if house else FOREVER
        """When the house may next be another, for those who sign and for what is noted."""
        self._limit = ""
        """Before when rows may go by memory: on the day of the last row in full, and while the house is the same."""
        self.receipts: list[Receipt] = []
        self.retired: tuple[int, str] | None = None
        """The entry that retired it, by number and digest."""
        self.noted = 0
        """Rows with notes of the house."""
        self.award_cents = self.pay_cents = 0
        self._memory = Memory()
        self._tally = Tally()

    @property
    def link(self) -> Link:
        """The link after the last row."""
        self._settle()
        return self._link

    def take(self, digest: str, body: bytes) -> None:
        self.take_all([cut_row(digest.encode(errors="replace"), body)])

    def take_all(self, rows: Iterable[Cut]) -> None:
        left = iter(rows)
        try:
            while row := self._from_memory(left):
                self._in_full(row)
        except RecordError:
            raise
        except STRANGE:
            raise self._unreadable() from None

    # In full

    def _in_full(self, cut: Cut) -> None:
        digest, body = whole(cut)
        self.whole(digest, body)
        row, link = self.parse(body), self.link
        if not self.follows(row):
            raise self._wrong(row, digest)
        if self.house and row.at >= self._until:
            self._memory, self._until = Memory(link.state.made), self.house.until(row.at)
        if self.house:
            self.house.vouch(row)
        entry = redo(link, row, self.house)
        if entry.digest != digest:
            raise self._wrong(row, digest)
        link.apply(entry)
        self._keep(entry)
        self.passed(entry.kind, entry.at, entry.command)
        if entry.kind == "confirm":
            self.award_cents += entry.facts["cents"]
        elif entry.kind in ("pay", "unpay"):
            self.pay_cents += entry.facts["cents"] if entry.kind == "pay" else -entry.facts["cents"]
        if link.state.made is not self._memory.setup:
            self._memory = Memory(link.state.made)
        if len(cut) > 2:
            self._memory.learn(entry, cut)
        self._tally.room = _room(link.state)
        self._limit = min(f"{self.last_day}U", self._until)  # every time of a day is before its U, as T is

    def _keep(self, entry: Entry) -> None:
        """What the other books in the file are held against."""
        self.noted += "notes" in entry.facts
        if entry.kind == "retire":
            self.retired = entry.number, entry.digest
        elif entry.kind == "receive":
            theirs, units = entry.facts["entry"], sum(each.units for each in entry.transfers if each.source == HOUSE)
            source = entry.facts["source"]
            self.receipts.append(Receipt(entry.number, source, theirs["number"], theirs["digest"], units))

    def _wrong(self, row: Row, digest: str) -> RecordError:
        """What is wrong with a row that the rules do not write so."""
        try:
            entry = row.entry(digest)
            if self.follows(row):
                recheck(self._link, entry, self.house)
            self._link.apply(entry)
        except RecordError as error:
            return error
        return RecordError(f"Entry {row.number} of the book ({row.kind}) says other things than the rules do.")

    # From memory

    def _from_memory(self, left: Iterator[Cut]) -> Cut | None:
        """Go on while rows are what the rules write; their own are only who acts, the game, the time and the id.

        Returns the first that is for the rules to look at, in full, as every first row of a day is for the calendar.
        """
        book, state, tally, known = self.book, self._link.state, self._tally, self._memory.known
        place, last, chain, limit = book.entries + 1, book.at.encode(), book.digest.encode(), self._limit.encode()
        try:
            for row in left:
                if len(row) == 2:
                    return row
                digest, at, before, command, based, by, said, round_, seat, more, kind, number, transfers = row
                again = known.get((kind, based, said, more, transfers))
                if again is None or by not in again.people or before != chain or int(number) != place:
                    return row
                if not last <= at < limit:
                    return row
                if not again.happens(state, tally, int(round_), int(seat) if seat else 0, place):
                    return row
                place, last, chain = place + 1, at, digest
                self.kinds[again.kind] += 1
                self._commands.append(hash(command))
            return None
        finally:
            book.entries, book.at, book.digest = place - 1, last.decode(), chain.decode()

    def _settle(self) -> None:
        """Put in the balances what was done from memory, as one act of each kind."""
        tally = self._tally
        if tally.wagers:
            one = self._memory.of_a_wager
            self._count("start", [Transfer(source, target, units * tally.wagers) for source, target, units in one])
        if tally.paid_cents:
            self._count("pay", [Transfer(TRAY, PLAYERS, tally.paid_cents * UNITS_PER_CENT)])
            self.pay_cents += tally.paid_cents
        tally.wagers = tally.paid_cents = 0

    def _count(self, kind: str, transfers: list[Transfer]) -> None:
        state = self._link.state
        entry = Entry(self.book.entries, self.book.at, "", kind, {}, tuple(transfers))
        self.book.move(transfers)
        add_flows(state.sums, entry)
        count_totals(state, entry)


def _room(state: LinkState) -> int | None:
    """How many wagers may come before a posted maximum is reached."""
    if state.made is None:
        return 0
    limited = [level for level in state.made.levels if level.maximum_cents is not None and level.contribution_ppm]
    if not limited:
        return None
    moves = Moves(state.book)
    return min(room(moves, level) // (state.made.wager_cents * level.contribution_ppm) for level in limited)
