"""Every row of a link's book decided again, quickly: a million rows in seconds.

A row is right when it is, to the last byte, what the rules write of its act at that place in the book. Most rows are
START GAME, END GAME and fixed pays from the tray, and what those come to depends on little: who acts, the table and its
seats, the hand, the number of wagers. Once the rules have decided such an act, what they said is remembered, and the
next row like it is written from memory, with the number, the chain and the game that are due now, and compared with the
row. Whatever was not seen before, or is not quite as written, is decided in full. After a new setup, memory is empty.
"""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple

from croupier.errors import RecordError
from croupier.progressive.chain import STRANGE, Chain, Row
from croupier.progressive.house_check import FOREVER, HouseCheck
from croupier.progressive.ledger import UNITS_PER_CENT, Entry, Transfer
from croupier.progressive.link import Link, count_totals
from croupier.progressive.meters import HOUSE, PLAYERS, TRAY, Moves, room
from croupier.progressive.proof import add_flows
from croupier.progressive.remembering import Memory, Tally, cut
from croupier.progressive.replay import recheck, redo
from croupier.progressive.state import LinkState


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
        try:
            if sha256(body).hexdigest() != digest:
                raise self._altered()
            if not self._known(digest, body):
                self._in_full(digest, body)
        except RecordError:
            raise
        except STRANGE:
            raise self._unreadable() from None

    # In full

    def _in_full(self, digest: str, body: bytes) -> None:
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
        self._memory.learn(entry, body)
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

    def _known(self, digest: str, body: bytes) -> bool:
        """Go on, if the row is what the rules write; its own are only who acts, the game, the time and the id.

        The first row of a day is for the calendar to look at, in full.
        """
        found = cut(body)
        if found is None:
            return False
        at, before, command, based, by, said, round_, seat, more, kind, number, transfers = found.groups()
        again, book, instant = self._memory.known.get((kind, based, said, more, transfers)), self.book, at.decode()
        place = book.entries + 1
        if again is None or by not in again.people or int(number) != place or before.decode() != book.digest:
            return False
        if not book.at <= instant < self._limit:
            return False
        if not again.happens(self._link.state, self._tally, int(round_), int(seat) if seat else 0, place):
            return False
        book.entries, book.at, book.digest = place, instant, digest
        self.kinds[again.kind] += 1
        self._commands.append(hash(command.decode()))
        return True

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
