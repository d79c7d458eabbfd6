"""Every row of a link's book decided again, quickly: a million rows in seconds.

Nearly all rows are START GAME and END GAME. Whether a start is right depends on who starts, on the table and its seats,
on the number of wagers, and on the game before. So once `replay` has decided a start in full, its parts are remembered
as text, and a start made of such parts alone is right again. Every other row, and whatever is not quite the usual form,
is decided in full. Fixed pays from the tray are remembered alike. All of it is forgotten when the office has changed
anything.
"""

from __future__ import annotations

import json
import re
from array import array
from collections import Counter
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NamedTuple

from croupier.errors import RecordError
from croupier.progressive.ledger import GENESIS, UNITS_PER_CENT, Entry, Purpose, Transfer
from croupier.progressive.link import Link
from croupier.progressive.meters import PLAYERS, TRAY, Moves, room
from croupier.progressive.proof import Flow
from croupier.progressive.replay import recheck
from croupier.progressive.state import Entered, LinkState

_AT = rb'"at":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z)"'
_HEAD = rb"\{" + _AT + rb',"before":"([0-9a-f]{64})","command":"([ !#-\[\]-~]{1,64})","facts":\{'
_BY = rb'"by":(\["[ !#-\[\]-~]+","[a-z]+"\])'
_ROUND, _TABLE = rb'"round":([1-9]\d{0,17})', rb'"table":([1-9]\d{0,3})'
_NUMBER = rb'"number":([1-9]\d{0,17})'
START = re.compile(
    _HEAD + rb'"based":(\[[\d,]*\]),' + _BY + b"," + _ROUND + rb',"seats":(\[[\d,]*\]),' + _TABLE
    + rb',"wager_cents":(\d+)\},"kind":"start",' + _NUMBER + rb',"transfers":(\[.*\])\}'
)  # fmt: skip
END = re.compile(_HEAD + _BY + b"," + _ROUND + b"," + _TABLE + rb'\},"kind":"end",' + _NUMBER + rb',"transfers":\[\]\}')
_WORDS = rb'"[ !#-\[\]-~]*"'
PAY = re.compile(
    _HEAD + _BY + rb',((?:"cards":' + _WORDS + rb',"cards_make":' + _WORDS + rb',)?"cents":\d+,'
    + rb'"game_digest":"[0-9a-f]+","line":' + _WORDS + rb',"parts":\[\],"pays":' + _WORDS
    + rb"),"  + _ROUND + rb',"seat":([1-9]\d?),' + _TABLE
    + rb'\},"kind":"pay",' + _NUMBER + rb',"transfers":(\[\["tray","players",\d+\]\])\}'
)  # fmt: skip
NO_TRANSFERS = b'"transfers":[]}'
AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z", re.ASCII)
AT_A_TABLE = frozenset({"start", "end", "enter", "pay", "take-back", "unpay", "call", "confirm", "void"})
"""Kinds of entry that leave everything as it is that a start depends on."""


class Shape(NamedTuple):
    """A table and its seats, as they were found right."""

    table: int
    seats: tuple[int, ...]


@dataclass(slots=True)
class Moved:
    """What so many wagers move, as it was found right."""

    wager: bytes
    """The amount of each, as text."""
    text: bytes
    transfers: tuple[Transfer, ...]
    quick: int = 0
    """Starts that are not in the balances yet."""


class Chain:
    """What holds for every book: each row whole, in order and done once."""

    def __init__(self) -> None:
        self.entries, self.digest, self.at = 0, GENESIS.encode(), b""
        self.days = 0
        self.first_day = self.last_day = b""
        self.kinds: Counter[str] = Counter()
        self._commands = array("q")

    def whole(self, digest: str, body: bytes) -> None:
        if sha256(body).hexdigest() != digest:
            raise RecordError(
                f"Entry {self.entries + 1} of the book was altered: its digest is not that of its content."
            )

    def parse(self, digest: str, body: bytes) -> Entry:
        """The entry of a row, with nothing in it of another type than it should be."""
        number = self.entries + 1
        try:
            values: Any = json.loads(body)
        except (ValueError, RecursionError):
            values = None
        match values:
            case {"number": int(), "at": str(at), "command": str(), "kind": str(), "facts": dict(), "before": str()}:
                if type(values["number"]) is int and AT.fullmatch(at):
                    return Entry.of_json({**values, "digest": digest})
        raise RecordError(f"Entry {number} of the book cannot be read.")

    def passed(self, digest: bytes, at: bytes, command: bytes) -> None:
        """Go on to the next row."""
        self.entries += 1
        self.digest, self.at = digest, at
        self._commands.append(hash(command))
        day = at[:10]
        if day != self.last_day:
            self.days += 1
            self.first_day = self.first_day or day
            self.last_day = day

    def repeated(self) -> int | None:
        """The first row whose command stands in an earlier row too."""
        import numpy as np

        hashes = np.frombuffer(self._commands, dtype=np.int64)
        order = np.argsort(hashes, kind="stable")
        again = order[1:][hashes[order][1:] == hashes[order][:-1]]
        return int(again.min()) + 1 if len(again) else None


class LinkCheck(Chain):
    """A link that is built from rows, each of which is decided again before it counts."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._link = Link(name)
        self.award_cents = self.pay_cents = 0
        self._ends = 0
        """Quick ends that are not counted yet."""
        self._paid = 0
        """Cents of quick pays that are not in the balances yet."""
        self._room: int | None = None
        """Wagers that every posted maximum has room for; None where none is posted."""
        self._forget()

    def _forget(self) -> None:
        self._shapes: dict[tuple[bytes, bytes, bytes], Shape] = {}
        self._starters: set[bytes] = set()
        self._enders: set[bytes] = set()
        self._enterers: set[bytes] = set()
        self._pays: dict[tuple[bytes, bytes], tuple[str, int]] = {}
        """By what a fixed pay from the tray says of its hand, and what it moves: the line and the cents."""
        self._moves: dict[int, Moved] = {}
        """By number of wagers."""

    @property
    def link(self) -> Link:
        """The link after the last row."""
        self._settle()
        return self._link

    def take(self, digest: str, body: bytes) -> None:
        """The next row; the first that is wrong in any way is refused."""
        self.whole(digest, body)
        if body.endswith(NO_TRANSFERS):
            end = END.fullmatch(body)
            quick = end is not None and self._quick_end(digest.encode(), end)
        else:
            start = START.fullmatch(body)
            if start is not None:
                quick = self._quick_start(digest.encode(), start)
            else:
                pay = PAY.fullmatch(body)
                quick = pay is not None and self._quick_pay(digest.encode(), pay)
        if not quick:
            self._in_full(digest, body)

    # In full

    def _in_full(self, digest: str, body: bytes) -> None:
        entry, link = self.parse(digest, body), self.link
        if entry.number == self.entries + 1 and entry.before.encode() == self.digest:
            recheck(link, entry)  # otherwise the book says what is wrong
        link.apply(entry)
        self.passed(digest.encode(), entry.at.encode(), entry.command.encode("utf-8", "surrogatepass"))
        self.kinds[entry.kind] += 1
        self._count(entry)
        if entry.kind not in AT_A_TABLE:
            self._forget()
        elif entry.kind == "start":
            self._learn_start(entry, body)
        elif entry.kind == "end" and (end := END.fullmatch(body)):
            self._enders.add(end[4])
        elif entry.kind == "pay" and (pay := PAY.fullmatch(body)):
            self._enterers.add(pay[4])
            self._pays[pay[5], pay[10]] = entry.facts["line"], entry.facts["cents"]
        self._room = _room(link.state)

    def _count(self, entry: Entry) -> None:
        if entry.kind == "confirm":
            self.award_cents += entry.facts["cents"]
        elif entry.kind in ("pay", "unpay"):
            self.pay_cents += entry.facts["cents"] if entry.kind == "pay" else -entry.facts["cents"]

    def _learn_start(self, entry: Entry, body: bytes) -> None:
        start = START.fullmatch(body)
        if start is None or any(transfer.target.purpose is Purpose.OVERFLOW for transfer in entry.transfers):
            return
        seats = tuple(entry.facts["seats"])
        self._shapes[start[8], start[4], start[7]] = Shape(entry.facts["table"], seats)
        self._starters.add(start[5])
        self._moves[len(seats)] = Moved(start[9], start[11], entry.transfers)

    # Quickly

    def _quick_start(self, digest: bytes, start: re.Match[bytes]) -> bool:
        at, before, command, based, by, round_, seats, table, wager, number, moves = start.groups()
        shape = self._shapes.get((table, based, seats))
        if shape is None or by not in self._starters or before != self.digest or at < self.at:
            return False
        wagers = len(shape.seats)
        cycle, known = self._link.state.tables.get(shape.table), self._moves.get(wagers)
        if cycle is None or known is None or cycle.on or int(round_) != cycle.round + 1:
            return False
        if int(number) != self.entries + 1 or known.wager != wager or known.text != moves:
            return False
        if self._room is not None:
            if wagers > self._room:
                return False
            self._room -= wagers
        cycle.round, cycle.on, cycle.seats = cycle.round + 1, True, shape.seats
        known.quick += 1
        self.passed(digest, at, command)
        return True

    def _quick_end(self, digest: bytes, end: re.Match[bytes]) -> bool:
        at, before, command, by, round_, table, number = end.groups()
        state = self._link.state
        cycle = state.tables.get(int(table))
        if cycle is None or not cycle.on or state.awards or by not in self._enders or before != self.digest:
            return False
        if int(number) != self.entries + 1 or int(round_) != cycle.round or at < self.at:
            return False
        cycle.on, cycle.seats, cycle.entered = False, (), {}
        self._ends += 1
        self.passed(digest, at, command)
        return True

    def _quick_pay(self, digest: bytes, pay: re.Match[bytes]) -> bool:
        """A fixed pay from the tray: it moves no meter, and depends on the game only by its seat."""
        at, before, command, by, said, round_, seat_, table, number, moves = pay.groups()
        cycle, known, seat = self._link.state.tables.get(int(table)), self._pays.get((said, moves)), int(seat_)
        if cycle is None or known is None or not cycle.on or by not in self._enterers or before != self.digest:
            return False
        if int(number) != self.entries + 1 or int(round_) != cycle.round or at < self.at:
            return False
        if seat not in cycle.seats or seat in cycle.entered:
            return False
        line, cents = known
        cycle.entered[seat] = Entered(line, self.entries + 1, fixed=True, cents=cents)
        self._paid += cents
        self.pay_cents += cents
        self.kinds["pay"] += 1
        self.passed(digest, at, command)
        return True

    def _settle(self) -> None:
        """Put what was quick in the balances."""
        state = self._link.state
        book = state.book
        for moved in self._moves.values():
            times, moved.quick = moved.quick, 0
            self.kinds["start"] += times
            for source, target, units in moved.transfers if times else ():
                book.balances[source] = book.balances.get(source, 0) - times * units
                book.balances[target] = book.balances.get(target, 0) + times * units
                if target.purpose is Purpose.METER:
                    flows = state.sums.setdefault(target.level, {})
                    flows[Flow.CONTRIBUTIONS] = flows.get(Flow.CONTRIBUTIONS, 0) + times * units
        if self._paid:
            book.balances[TRAY] -= self._paid * UNITS_PER_CENT
            book.balances[PLAYERS] += self._paid * UNITS_PER_CENT
        self.kinds["end"] += self._ends
        self._ends = self._paid = 0
        book.entries, book.at, book.digest = self.entries, self.at.decode(), self.digest.decode()


def _room(state: LinkState) -> int | None:
    """How many wagers may come before a posted maximum is reached."""
    if state.made is None:
        return 0
    moves = Moves(state.book)
    rooms = [
        room(moves, level) // (state.made.wager_cents * level.contribution_ppm)
        for level in state.made.levels
        if level.maximum_cents is not None and level.contribution_ppm
    ]
    return min(rooms) if rooms else None
