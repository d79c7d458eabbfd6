"""A book up to the end of a day: its balances, and what is signed of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

from croupier.audit.recheck import LinkCheck
from croupier.audit.roster import HouseCheck, Roster, SiteCheck
from croupier.errors import CroupierError, NotationError, RecordError
from croupier.floor.act import EntryKind
from croupier.floor.link.link import proof
from croupier.ledger.book import Book, Proof, Sums
from croupier.ledger.checkpoint import DAY, Checkpoint, SignedCheckpoint
from croupier.ledger.entry import SITE, Account, Purpose, short
from croupier.ledger.rows import RawRow, at_of, read_head, read_moved

Check = LinkCheck | SiteCheck
NEVER = "~"
"""After every time of a book."""
GRACE_MINUTES = 10
"""After midnight: an act may be decided before it and durable after it."""


def check_for(stream: str, roster: Roster | None = None) -> Check:
    if stream == SITE:
        return SiteCheck()
    name = stream.removeprefix("link:")
    if name == stream or not name:
        raise RecordError(f"{short(stream)} is no book of a site or a link.")
    return LinkCheck(name, HouseCheck(roster) if roster else None)


def book_of(check: Check) -> Book:
    return check.link.state.book if isinstance(check, LinkCheck) else check.site.book


def proofs(check: LinkCheck, since: Sums | None = None) -> tuple[Proof, ...]:
    link = check.link
    if link.state.made is None:
        return ()
    return tuple(proof(link, level, since) for level in link.state.setup.level)


# Balances


def read_day(text: str) -> date:
    with suppress(ValueError):
        if DAY.fullmatch(text):
            return date.fromisoformat(text)
    raise NotationError(f"{text[:30]!r} is no day: write it as 2026-11-15.")


def balance(
    stream: str, rows: Iterable[RawRow], begin: str = "", end: str = NEVER
) -> tuple[LinkCheck, tuple[Proof, ...]]:
    """The proof of every level, for all time or from one instant to another, as books write them; every row before is
    checked on the way."""
    check = LinkCheck(stream.removeprefix("link:"))
    opening: Sums | None = None
    for digest, body in before(rows, end):
        if begin and opening is None and at_of(body) >= begin:
            opening = check.link.sums
        check.take(digest, body)
    if begin and opening is None:
        opening = check.link.sums
    return check, proofs(check, opening)


def before(rows: Iterable[RawRow], end: str) -> Iterator[RawRow]:
    """The rows to an instant; those after it are read, and left out."""
    for digest, body in rows:
        if at_of(body) < end:
            yield digest, body


# What is signed


def checkpoint_of(stream: str, day: str, check: Check) -> Checkpoint:
    balances = {str(account): units for account, units in sorted(book_of(check).balances.items()) if units}
    return Checkpoint(stream, day, check.entries, check.book.digest, balances)


def checkpoint_on(
    stream: str, rows: Iterable[RawRow], day: date, now: str, grace_minutes: int = GRACE_MINUTES
) -> Checkpoint:
    """Where a book stood at the end of a day, for signing; refused while another entry of that day may still come."""
    if str(day) >= now[:10]:
        raise NotationError(f"{day} is not over yet (UTC), so its last entry is not known.")
    check, later = check_for(stream), False
    for digest, body in rows:
        if at_of(body)[:10] <= str(day):
            check.take(digest, body)
        else:
            later = True
    if not check.entries:
        raise CroupierError(f"{stream} has no entries by the end of {day}.")
    safe = datetime.combine(day + timedelta(days=1), time(), UTC) + timedelta(minutes=grace_minutes)
    if not later and datetime.fromisoformat(now) < safe:
        raise CroupierError(
            f"{stream} has no entry after {day} yet, and one of that day may still be on its way: "
            f"sign from {safe:%H:%M} UTC on."
        )
    return checkpoint_of(stream, str(day), check)


def superseding(new: Checkpoint, kept: Iterable[SignedCheckpoint], reason: str) -> Checkpoint:
    """The checkpoint as it is signed beside earlier ones: one of the same day is superseded only for a reason."""
    earlier = [signed.checkpoint for signed in kept]
    former = [signed for signed in earlier if (signed.stream, signed.day) == (new.stream, new.day)]
    if not former:
        return new
    last = max(former, key=lambda earlier: earlier.number)
    if last.number >= new.number:
        raise CroupierError(f"There is a checkpoint of {new.stream} for {new.day} already, at entry {last.number:,}.")
    if not reason.strip():
        raise CroupierError(
            f"There is a checkpoint of {new.stream} for {new.day} already, at entry {last.number:,}, and the day's "
            f"last entry is {new.number:,}: say with {{reason}} why it is signed again.",
            fields=["reason"],
        )
    body = (new.stream, new.day, new.number, new.digest, new.balances)
    return Checkpoint(*body, supersedes=last.number, reason=reason.strip()[:500])


# What adjustments brought to each meter and took from it: two that cancel out are two, not none.


@dataclass
class Adjusted:
    """By level, in units; counted of the rows that pass by."""

    count: int = 0
    added: dict[str, int] = field(default_factory=dict)
    taken: dict[str, int] = field(default_factory=dict)

    def watch(self, rows: Iterable[RawRow], begin: str = "", end: str = NEVER) -> Iterator[RawRow]:
        """The rows as they are. Each counts when the next is asked for: whoever reads them has checked it then; of a
        day, those from its first instant to the first after it."""
        for digest, body in rows:
            yield digest, body
            head = read_head(body)
            if head.kind == EntryKind.ADJUST and begin <= head.at < end:
                self._take(body)

    def _take(self, body: bytes) -> None:
        self.count += 1
        for source, target, units in read_moved(body).moved:
            self._add(self.taken, source, units)
            self._add(self.added, target, units)

    def _add(self, side: dict[str, int], name: str, units: int) -> None:
        account = Account.parse(name)
        if account.purpose is Purpose.METER:
            side[account.level] = side.get(account.level, 0) + units
