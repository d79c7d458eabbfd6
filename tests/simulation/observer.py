"""Who watches the simulation: knows what everybody was told, reads every book as it lies, and says what must never be.

It counts by itself and asks no code of the floor: what is on a meter is what the transfers in the rows add up to.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any, Protocol

from croupier.errors import Refusal
from croupier.floor.link.brief import LinkBrief
from croupier.floor.writer import InDoubt, NotDone, WriterNo
from croupier.ledger.entry import GENESIS, UNITS_PER_CENT, Entry
from croupier.store.marks import Mark
from croupier.store.store import Row

NEVER_BELOW_NOTHING = ("meter", "reserve", "overflow", "pending")
OF_THE_FLOOR = ("cover ", "self-check ")
"""How the ids begin of what the program does by itself."""


class Violation(BaseException):
    """Something was seen that must never be. No handler of errors in the program catches it."""


class Books(Protocol):
    """The books as they lie, whoever may write them just now."""

    def streams(self) -> list[str]: ...

    def rows(self, stream: str) -> list[Row]: ...

    def is_durable(self, stream: str, number: int) -> bool:
        """Whether an entry would be there after a power cut now."""


@dataclass(eq=False)
class Sending:
    """An act on its way to a server, once: it may be sent many times."""

    act_id: str
    stream: str
    process: str
    length: int
    """Of the book, when it was sent."""
    there: bool
    """Whether the act was in the book then."""
    open: bool = True
    """Whether it may still have an effect."""


@dataclass
class Sent:
    """Everything that is known of an act: a client's journal."""

    stream: str
    sendings: list[Sending] = field(default_factory=list)
    entry: tuple[int, str] | None = None
    """Number and digest of the entry that somebody was answered with."""
    settled: bool = False
    """Whether a client knows what became of it."""


@dataclass
class Seen:
    """A book as far as it was seen."""

    rows: list[Row] = field(default_factory=list)
    balances: list[Mapping[str, int]] = field(default_factory=list)
    """After each entry."""
    authors: list[str] = field(default_factory=list)
    """Which process has written each."""
    commands: dict[str, int] = field(default_factory=dict)


class Observer:
    def __init__(self, books: Books) -> None:
        self.books = books
        self.seen: dict[str, Seen] = {}
        self.journal: dict[str, Sent] = {}
        self.excused: set[tuple[str, int]] = set()
        """Entries that the disk has lost though it had promised to keep them: by stream and number."""
        self.latest_s = 0.0
        """No clock may have said a later time than this, in seconds since 1970."""
        self.leaders: dict[str, str] = {}
        """Who has last taken the lease of a stream."""
        self._author: dict[str, str] = {}
        """Who is writing to a stream, or did last."""
        self._shown: dict[tuple[str, str], tuple[int, str]] = {}
        self._marked: dict[str, Mapping[str, Mark]] = {}

    # The books

    def look(self) -> None:
        """Read what is new in every book."""
        for stream in self.books.streams():
            rows = self.books.rows(stream)
            seen = self.seen.get(stream) or self.seen.setdefault(stream, Seen())
            known = len(seen.rows)
            if len(rows) < known or (known and rows[known - 1].digest != seen.rows[-1].digest):
                self._vanished(stream, seen, rows)
            if len(rows) > len(seen.rows):
                for row in rows[len(seen.rows) :]:
                    self._add(stream, seen, row)

    def _vanished(self, stream: str, seen: Seen, rows: list[Row]) -> None:
        same = 0
        while same < min(len(rows), len(seen.rows)) and rows[same].digest == seen.rows[same].digest:
            same += 1
        for row in seen.rows[same:]:
            sent = self.journal.get(row.command)
            if sent and sent.entry and (stream, row.number) not in self.excused:
                raise Violation(f"entry {row.number} of {stream} was acknowledged (act {row.command}) and is gone")
            del seen.commands[row.command]
        del seen.rows[same:], seen.balances[same:], seen.authors[same:]

    def _add(self, stream: str, seen: Seen, row: Row) -> None:
        what = f"entry {row.number} of {stream}"
        before = seen.rows[-1] if seen.rows else None
        told = json.loads(row.body)
        if row.number != len(seen.rows) + 1 or told["number"] != row.number:
            raise Violation(f"{what} is out of order: it follows entry {len(seen.rows)}")
        if sha256(row.body.encode()).hexdigest() != row.digest or row.before != (before.digest if before else GENESIS):
            raise Violation(f"{what} is not chained to the one before it")
        if before and row.at < before.at:
            raise Violation(f"{what} is of {row.at}, before the one before it, {before.at}")
        if self.latest_s and row.at > (before.at if before else "") and _seconds(row.at) > self.latest_s:
            raise Violation(f"{what} is of {row.at}, which no clock that may be believed has said")
        if row.command in seen.commands:
            raise Violation(f"act {row.command} is in {stream} twice: {seen.commands[row.command]} and {row.number}")
        self._expected(what, row)
        balances = dict(seen.balances[-1]) if seen.balances else {}
        for source, target, units in told["transfers"]:
            if units <= 0:
                raise Violation(f"{what} moves {units} units")
            balances[source] = balances.get(source, 0) - units
            balances[target] = balances.get(target, 0) + units
        for account, units in balances.items():
            if units < 0 and account.partition(":")[0] in NEVER_BELOW_NOTHING:
                raise Violation(f"after {what} there are {units} units on {account}")
        seen.rows.append(row)
        seen.authors.append(self._author.get(stream, ""))
        seen.balances.append(balances)
        seen.commands[row.command] = row.number

    def _expected(self, what: str, row: Row) -> None:
        if row.command.startswith(OF_THE_FLOOR):
            return
        sent = self.journal.get(row.command)
        if sent is None:
            return  # from before the simulation began
        if not any(sending.open for sending in sent.sendings):
            raise Violation(f"{what} is act {row.command}, of which every sender was told that it was not done")

    # What people are told

    def sends(self, act_id: str, stream: str, process: str) -> Sending:
        self.look()
        sent = self.journal.setdefault(act_id, Sent(stream))
        seen = self.seen.get(stream, Seen())
        sending = Sending(act_id, stream, process, len(seen.rows), act_id in seen.commands)
        sent.sendings.append(sending)
        sent.settled = False
        return sending

    def answered(self, sending: Sending, answer: Entry | BaseException) -> None:
        """What a server has said must be true."""
        self.look()
        sent, seen = self.journal[sending.act_id], self.seen[sending.stream]
        who = f"{sending.process} about act {sending.act_id}"
        if isinstance(answer, Entry):
            self._durable(sending.stream, answer.number, answer.digest, f"acknowledged by {who}")
            if (sending.stream, answer.number) in self.excused:
                sent.settled, sending.open = True, False
                return
            if seen.rows[answer.number - 1].command != sending.act_id:
                raise Violation(f"{who}: answered with entry {answer.number}, which is of another act")
            if sent.entry not in {None, (answer.number, answer.digest)}:
                raise Violation(f"{who}: answered with entry {answer.number}, and before with {sent.entry}")
            sent.entry, sent.settled, sending.open = (answer.number, answer.digest), True, False
        elif isinstance(answer, InDoubt):
            pass
        elif isinstance(answer, Refusal):
            if sending.there:
                raise Violation(f"{who}: refused ({answer}), and it was in the book before it was sent")
            if answer.code == WriterNo.ID_REUSED:
                raise Violation(f"{who}: taken for another act")
            sending.open = False
            self._not_done(sending, sent, seen, f"{who}: refused ({answer})")
            sent.settled = True
        elif isinstance(answer, NotDone):
            sending.open = False
            self._not_done(sending, sent, seen, f"{who}: not done ({answer})")
        else:
            raise Violation(f"{who}: an error of the program, {answer!r}")

    def _not_done(self, sending: Sending, sent: Sent, seen: Seen, what: str) -> None:
        number = seen.commands.get(sending.act_id, 0)
        came_since = number > sending.length and seen.authors[number - 1] == sending.process
        if came_since and not any(other.open for other in sent.sendings):
            raise Violation(f"{what}, and it is entry {number}")

    def stands(self, stream: str) -> int:
        self.look()
        return len(self.seen[stream].rows)

    def asked(self, stream: str, process: str, *, before: int, answered: int, digest: str) -> None:
        """An answer from memory is not older than the question."""
        self.look()
        if answered < before:
            raise Violation(f"{process} answered for entry {answered} of {stream}, which was at {before} when asked")
        self._durable(stream, answered, digest, f"answered for by {process}")

    def told(self, process: str, stream: str, entries: list[Entry]) -> None:
        """What displays hear of is in the book for good."""
        self.look()
        for entry in entries:
            self._durable(stream, entry.number, entry.digest, f"told to the displays by {process}")

    def shows(self, process: str, brief: LinkBrief) -> None:
        """What a display shows is on the meter, by the entry that it goes by."""
        stream = f"link:{brief.name}"
        if not brief.entries or self._shown.get((process, stream)) == (brief.entries, brief.digest):
            return
        self._durable(stream, brief.entries, brief.digest, f"shown by {process}")
        if (stream, brief.entries) in self.excused:  # the book that it was shown by is gone
            return
        balances = self.seen[stream].balances[brief.entries - 1]
        for level, cents in brief.shown_cents.items():
            units = balances.get(f"meter:{level}" if level else "meter", 0)
            if cents != units // UNITS_PER_CENT:
                raise Violation(
                    f"{process} shows {cents} cents of {stream} {level} at entry {brief.entries}, and by the book "
                    f"there are {units} units"
                )
        self._shown[process, stream] = (brief.entries, brief.digest)

    def damaged(self, process: str, stream: str, why: str) -> None:
        """A link stays closed only where its book has lost something."""
        if all(stream != lost for lost, _ in self.excused):
            raise Violation(f"{process} keeps {stream} closed, and nothing of it was lost: {why}")

    def marks(self, process: str, marks: Mapping[str, Mark]) -> None:
        """No mark is ahead of what is in the book for good."""
        if self._marked.get(process) != marks:
            for stream, mark in marks.items():
                self._durable(stream, mark.number, mark.digest, f"marked by {process}")
            self._marked[process] = marks

    def _durable(self, stream: str, number: int, digest: str, what: str) -> None:
        if (stream, number) in self.excused:
            return
        rows = self.seen[stream].rows if stream in self.seen else []
        if len(rows) < number:
            raise Violation(f"entry {number} of {stream} was {what}, and the book ends at {len(rows)}")
        if rows[number - 1].digest != digest:
            raise Violation(f"entry {number} of {stream} was {what}, and the book has another one there")
        if not self.books.is_durable(stream, number):
            raise Violation(f"entry {number} of {stream} was {what}, and a power cut would lose it")

    # Who leads

    def leads(self, process: str, stream: str) -> None:
        self.leaders[stream] = process

    def begins(self, process: str, stream: str) -> None:
        """About to write."""
        self.look()
        self._author[stream] = process

    def writes(self, process: str, stream: str, first: int, marks: Mapping[str, Mark]) -> None:
        """One leader, and it does not go on from a book that is behind what it has marked."""
        if self.leaders.get(stream) != process:
            raise Violation(f"{process} wrote entry {first} of {stream}, which {self.leaders.get(stream)} leads")
        mark, rows = marks.get(stream), self.books.rows(stream)
        if mark and (mark.number > len(rows) or rows[mark.number - 1].digest != mark.digest):
            raise Violation(f"{process} went on with entry {first} of {stream}, and had marked entry {mark.number}")

    def lost(self, stream: str, after: int) -> None:
        """The disk has broken its promise: what follows this entry is gone, and nobody here is to blame for that."""
        seen = self.seen[stream]
        for row in seen.rows[after:]:
            self.excused.add((stream, row.number))
            if row.command in self.journal:
                self.journal[row.command].entry = None
                self.journal[row.command].settled = True


def _seconds(at: str) -> float:
    return datetime.fromisoformat(at).timestamp()


def as_json(rows: list[Row]) -> list[dict[str, Any]]:
    return [json.loads(row.body) for row in rows]
