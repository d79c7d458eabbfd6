"""The books of a site, read for a report: row by row, none kept, each checked against its digest on the way.

A report that was made from an altered book would be worth nothing, so the chain is followed here too. Whether every
amount was right when it was entered is for `croupier ledger verify` to say.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from croupier.audit.explain import SETUPS
from croupier.audit.export import link_stream
from croupier.compliance.approval import Register
from croupier.compliance.authority import Role
from croupier.errors import CroupierError, RecordError, UnknownName
from croupier.floor.act import EntryKind
from croupier.floor.link.setup import LinkSetup
from croupier.floor.site.register import Kept
from croupier.ledger.book import move
from croupier.ledger.entry import GENESIS, SITE, Account, Entry, Transfer
from croupier.ledger.file import Reader
from croupier.ledger.rows import read_head, read_row
from croupier.reports.period import BEGINS_H, ZONE, Period
from croupier.store.store import Row


class Source(Protocol):
    """Where books are: a store, or anything that gives its rows."""

    def streams(self) -> list[str]: ...

    def rows(self, stream: str, after: int = 0) -> Iterable[Row]: ...

    def number_before(self, stream: str, at: str) -> int:
        """The number of the last entry before an instant."""


class BookEntry(NamedTuple):
    """A book entry: as it is written, without its accounts taken apart, so that a long book is read quickly."""

    number: int
    at: str
    kind: str
    facts: Mapping[str, Any]
    transfers: Sequence[tuple[str, str, int]]
    """From, to, units: `players`, `meter:Mega`, 1150000."""
    digest: str

    @property
    def moved(self) -> list[Transfer]:
        """The transfers with their accounts taken apart."""
        return [Transfer(_account(source), _account(target), units) for source, target, units in self.transfers]

    @property
    def by(self) -> str:
        """Who did it; in a link's book with the role."""
        return person(self.facts.get("by"))

    @property
    def second(self) -> str:
        return person(self.facts.get("second"))


_account = cache(Account.parse)


def person(signed: Any) -> str:
    """For programs: `sue (supervisor)`, as links write it, or `sue`, as the site does."""
    if isinstance(signed, list) and len(signed) == 2:
        return f"{signed[0]} ({signed[1]})"
    return str(signed or "")


_SIGNED = re.compile(rf"(?P<id>.+?)(?: \((?P<role>{'|'.join(Role)})\))?")
PROGRAM = "the program"
"""Who wrote what nobody did."""


def in_print(signed: str, names: Mapping[str, str]) -> str:
    """For people, as pages do: `Sue Brown (sue), supervisor`. Several are listed as `person` writes each of them."""
    return "; ".join(_written(name, names) for name in signed.split(", ")) if signed else ""


def _written(signed: str, names: Mapping[str, str]) -> str:
    match = _SIGNED.fullmatch(signed)
    who, role = (match["id"], match["role"]) if match else (signed, None)
    if who == Role.FLOOR and who not in names:
        return PROGRAM
    named = f"{names[who]} ({who})" if who in names else who
    return f"{named}, {role}" if role else named


@dataclass(frozen=True)
class Head:
    """How far a book was read."""

    book: str
    entries: int
    digest: str

    def as_json(self) -> dict[str, Any]:
        return {"book": self.book, "entries": self.entries, "digest": self.digest}


@dataclass
class Books:
    """The books that a report is made from; it remembers how far each was read."""

    source: Source
    link: str | None = None
    """Only this link; all where none is named."""
    heads: dict[str, Head] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.link is not None and self.link not in self.all_links:
            raise UnknownName("link", self.link, self.all_links)

    @property
    def all_links(self) -> list[str]:
        return sorted(stream.removeprefix("link:") for stream in self.source.streams() if stream.startswith("link:"))

    @property
    def links(self) -> list[str]:
        return [self.link] if self.link is not None else self.all_links

    def only_link(self, what: str) -> str:
        """The link that is read, for whatever is of one link."""
        if len(self.links) != 1:
            raise CroupierError(f"{what} is of one link; there are {', '.join(self.links) or 'none'}: name one.")
        return self.links[0]

    @property
    def has_site(self) -> bool:
        return SITE in self.source.streams()

    def entries(self, link: str, period: Period) -> Iterator[BookEntry]:
        """A link's entries, from its first to the end of the period."""
        return self._read(link_stream(link), period, 0)

    def entries_within(self, link: str, period: Period) -> Iterator[BookEntry]:
        """Only those of the period, for reports that need nothing of what was before: a day of a long book is quick."""
        return self._within(link_stream(link), period)

    def site_entries_within(self, period: Period) -> Iterator[BookEntry]:
        return self._within(SITE, period) if self.has_site else iter(())

    @contextmanager
    def site_book(self) -> Iterator[Iterator[BookEntry]]:
        """The site's book from its first entry, as far as it is read."""
        with closing(self._read(SITE, Period(), 0)) as lines:
            yield lines if self.has_site else iter(())

    def _within(self, stream: str, period: Period) -> Iterator[BookEntry]:
        return self._read(stream, period, self.source.number_before(stream, period.begin) if period.begin else 0)

    def _read(self, stream: str, period: Period, after: int) -> Generator[BookEntry, None, None]:
        """The chain is followed from one row before the first, so that the head is right where no row is left."""
        entries, digest = 0, GENESIS
        try:
            for row in self.source.rows(stream, max(0, after - 1)):
                if row.at >= period.end:
                    break
                if row.number == after:
                    entries, digest = row.number, row.digest
                    continue
                entry = read_entry(row, entries, digest)
                entries, digest = entry.number, entry.digest
                yield entry
        finally:  # whoever has found what was looked for reads no further
            self.heads[stream] = Head(stream.removeprefix("link:"), entries, digest)

    def rows(self, link: str) -> Iterator[Row]:
        """All rows of a link as they are stored, for whoever checks those that are needed; the chain is followed."""
        entries, digest = 0, GENESIS
        for row in self.source.rows(link_stream(link)):
            if (row.number, row.before) != (entries + 1, digest):
                raise _off_the_chain(row)
            entries, digest = row.number, row.digest
            yield row
        self.heads[link_stream(link)] = Head(link, entries, digest)

    def balances_at(self, link: str, number: int) -> Balances:
        """What lay in each account after an entry; how far the book was read for the report does not change."""
        balances, entries, digest = Balances(), 0, GENESIS
        for row in self.source.rows(link_stream(link)):
            entry = read_entry(row, entries, digest)
            entries, digest = entry.number, entry.digest
            balances.take(entry)
            if entries == number:
                break
        return balances

    def site_entries(self, period: Period) -> Iterator[Entry]:
        """The site's entries in full: there are few."""
        entries, digest = 0, GENESIS
        for row in self.source.rows(SITE) if self.has_site else ():
            if row.at >= period.end:
                break
            entries, digest = row.number, row.digest
            yield row.entry()
        if self.has_site:
            self.heads[SITE] = Head(SITE, entries, digest)

    # What the site's book says

    @property
    def title(self) -> str:
        """The site's, as it was created."""
        first = next(iter(self.source.rows(SITE)), None) if self.has_site else None
        return str(first.facts.get("title", "")) if first else ""

    def clock(self) -> tuple[str, int]:
        """The site's time zone and the hour at which its gaming days begin, as set last; the usual ones before."""
        clock = ZONE, BEGINS_H
        for row in self.source.rows(SITE) if self.has_site else ():
            if row.kind in (EntryKind.CREATE_SITE, EntryKind.SET_CLOCK):
                facts = row.facts
                clock = facts.get("zone", clock[0]), facts.get("day_begins", clock[1])
        return clock

    @cached_property
    def names(self) -> Mapping[str, str]:
        """By id, what people are called."""
        names: dict[str, str] = {}
        for row in self.source.rows(SITE) if self.has_site else ():
            if row.kind in (EntryKind.CREATE_SITE, EntryKind.ENROL_PERSON):
                facts = row.facts
                names[str(facts.get("person", facts.get("by")))] = str(facts["name"])
        return names

    def register(self) -> Register:
        """The approvals on file, by the site's book; those that come with the program where there is none."""
        kept = Kept()
        for row in self.source.rows(SITE) if self.has_site else ():
            if row.kind == EntryKind.ENTER_APPROVAL:
                kept.approvals[row.facts["key"]] = tuple(row.facts["lines"])
            elif row.kind == EntryKind.WITHDRAW_APPROVAL:
                kept.withdrawn[row.facts["key"]] = row.number
        return kept.register


class Played:
    """What was played for on the links of a report, and what the register has for it."""

    def __init__(self, books: Books, period: Period) -> None:
        self._books, self._begin = books, period.begin
        self._setups: dict[str, list[LinkSetup]] = {}

    def take(self, link: str, entry: BookEntry) -> None:
        """Of setups before the period the last counts."""
        if setup := setup_in(entry):
            before = self._setups.get(link, []) if entry.at >= self._begin else []
            self._setups[link] = [*before, setup]

    def on_file(self) -> tuple[str, ...]:
        """A sentence for each progressive by the digest of its rules and pays, and what such an approval is not."""
        register = self._books.register()
        named = {(link, setup.game_digest): setup for link, setups in self._setups.items() for setup in setups}
        told = [
            f"{setup.rules.title}, paytable {setup.paytable} ({link}): {register.words([digest])}."
            for (link, digest), setup in named.items()
        ]
        return (*told, *register.not_this_program(digest for _, digest in named))


def _off_the_chain(row: Row) -> RecordError:
    return RecordError(f"Entry {row.number} of the book does not follow the one before it: the chain is broken.")


def read_entry(row: Row, entries: int, before: str) -> BookEntry:
    """The entry of a row, if it is whole and follows the one before."""
    if sha256(row.body.encode()).hexdigest() != row.digest:
        raise RecordError(f"Entry {row.number} of the book was altered: its digest is not that of its content.")
    try:
        read = read_row(row.body)
        moved = read.moved
    except ValueError as error:
        raise RecordError(f"Entry {row.number} of the book cannot be read: {error}.") from None
    if (read.number, read.before, read.at) != (entries + 1, before, row.at):
        raise _off_the_chain(row)
    return BookEntry(read.number, read.at, read.kind, read.facts, moved, row.digest)


def setup_in(entry: BookEntry) -> LinkSetup | None:
    """The setup that an entry lays down, if it does."""
    return LinkSetup.of_json(entry.facts[SETUPS[entry.kind]]) if entry.kind in SETUPS else None


class Balances:
    """What lies in each account of a link, entry by entry; accounts are named as they are written."""

    def __init__(self) -> None:
        self.units: dict[str, int] = {}
        self.locked: dict[str, int] = {}
        """What is moved inside alone, for hands that no card has decided."""

    def take(self, entry: BookEntry) -> None:
        move(self.units, entry.transfers)
        if "locked" in entry.facts:
            move(self.locked, entry.facts["locked"])

    def held(self, level: str = "") -> int:
        """What undecided hands have locked of a level."""
        account = f"pending:{level}" if level else "pending"
        return self.units.get(account, 0) + self.locked.get(account, 0)

    def of(self, purpose: str, level: str = "") -> int:
        return self.units.get(f"{purpose}:{level}" if level else purpose, 0)

    def total(self, *purposes: str) -> int:
        """Over all levels."""
        return sum(units for account, units in self.units.items() if account.partition(":")[0] in purposes)


OWED = ("meter", "reserve", "overflow", "pending")
"""What belongs to players."""


# The books of an exported file, read as those of a store are: whoever checks elsewhere makes the same reports.


class ExportedBooks:
    """The file is read again for each book that is asked for; what is no exported ledger is refused at once."""

    def __init__(self, path: Path) -> None:
        self._path, reader = path, Reader(path)
        with closing(reader.books()) as books, suppress(StopIteration):
            next(books)
        self._streams = list(reader.streams)

    def streams(self) -> list[str]:
        return list(self._streams)

    def rows(self, stream: str, after: int = 0) -> Iterator[Row]:
        with closing(Reader(self._path).books()) as books:
            for name, raw in books:
                for number, (digest, body) in enumerate(raw, start=1):
                    if name == stream and number > after:
                        yield _row(number, digest, body)
                if name == stream:
                    return

    def number_before(self, stream: str, at: str) -> int:
        last = 0
        for row in self.rows(stream):
            if row.at >= at:
                break
            last = row.number
        return last


def _row(number: int, digest: str, body: bytes) -> Row:
    try:
        told, text = read_head(body), body.decode("ascii")
    except ValueError as error:
        raise RecordError(f"Entry {number} of the book cannot be read: {error}.") from None
    return Row(told.number, told.at, told.command, told.kind, text, told.before, digest)
