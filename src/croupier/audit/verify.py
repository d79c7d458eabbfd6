"""Whether an exported ledger is right, said by a program that has nothing but the file.

Row by row: the chain of digests, the numbering, the clock, every command once; every act decided again by the rules, so
that every contribution and every award comes out at the same amount; no account of a level below nothing. Where the
site's book is in the file: that whoever signed was enrolled in that role then, and that the house's lists are right. At
the end: every meter explained to a difference of nothing, all accounts adding up to nothing, every value received from
another link given up there, and every checkpoint signed over what the book was then. The first row that is wrong is
named, and so is what the file cannot prove.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from croupier.audit.balance import Check, book_of, check_for, checkpoint_of, proofs
from croupier.audit.recheck import LinkCheck, Receipt
from croupier.audit.roster import Roster, SiteCheck
from croupier.errors import RecordError
from croupier.floor.act import EntryKind
from croupier.games.money import dollars
from croupier.ledger.book import Proof
from croupier.ledger.checkpoint import SignedCheckpoint, fingerprint
from croupier.ledger.clock import utc_now
from croupier.ledger.entry import SITE, UNITS_PER_CENT
from croupier.ledger.file import Reader, Tick, quiet
from croupier.ledger.rows import RawRow, printable

# The signed checkpoints of one book, held against it as its rows come in.

NEVER = 2**63


@dataclass(frozen=True)
class Coverage:
    """How far a book is signed."""

    day: str
    number: int
    key: str
    after: int
    """Entries that came later: nobody has signed them."""

    def __str__(self) -> str:
        more = f"{self.after:,} entries after it are unsigned" if self.after else "no entry comes after it"
        return f"signed to {self.day}, entry {self.number:,}, by the key {fingerprint(self.key)}; {more}"

    def as_json(self) -> dict[str, Any]:
        return {
            **{"day": self.day, "entry": self.number, "key": self.key, "fingerprint": fingerprint(self.key)},
            "unsigned_after": self.after,
        }


class Marks:
    """Where a book must be as it was signed. With a key, every checkpoint must be signed with it, and there is one."""

    def __init__(self, stream: str, checkpoints: Iterable[SignedCheckpoint], key: str | None) -> None:
        self._at: dict[int, list[SignedCheckpoint]] = {}
        self._superseded: set[tuple[str, int, str]] = set()
        for signed in checkpoints:
            if key is not None and signed.key != key:
                raise RecordError(f"{signed.where} is signed with another key than the one given.")
            made = signed.checkpoint
            self._at.setdefault(made.number, []).append(signed)
            if made.supersedes:
                self._superseded.add((made.day, made.supersedes, signed.key))
        if key is not None and not self._at:
            raise RecordError(f"A key was given, and the file holds no checkpoint of {stream} that it signed.")
        self.count = sum(map(len, self._at.values()))
        self._rows = sorted({*self._at, *(number + 1 for number in self._at)}, reverse=True)

    @property
    def next_row(self) -> int:
        """The row after which to look again."""
        return self._rows[-1] if self._rows else NEVER

    def look(self, check: Check) -> None:
        """Hold the book against what was signed of it here, and against what was said of the row before."""
        number = self._rows.pop()
        for signed in self._at.get(number, ()):
            self._agree(check, signed)
        for signed in self._at.get(number - 1, ()):
            made = signed.checkpoint
            superseded = (made.day, made.number, signed.key) in self._superseded
            if check.book.at[:10] <= made.day and not superseded:
                raise RecordError(f"{signed.where} was signed before the day's last entry.")

    def _agree(self, check: Check, signed: SignedCheckpoint) -> None:
        made, now = signed.checkpoint, checkpoint_of(signed.checkpoint.stream, signed.checkpoint.day, check)
        if (made.number, made.digest, made.balances) != (now.number, now.digest, now.balances):
            raise RecordError(f"{signed.where} was signed over another book: entry {now.number} is not as it was.")
        if made.supersedes and not any(
            (each.checkpoint.day, each.key) == (made.day, signed.key) for each in self._at.get(made.supersedes, ())
        ):
            raise RecordError(f"{signed.where} supersedes one at entry {made.supersedes}, which is not in the file.")
        if check.book.at[:10] > made.day:
            raise RecordError(f"{signed.where} is of an entry of a later day.")

    def at_the_end(self, check: Check) -> None:
        """Nothing is signed that the book does not have."""
        for number, marks in self._at.items():
            if number > check.entries:
                raise RecordError(f"{marks[0].where} is of entry {number}, and the book ends at {check.entries}.")

    def coverage(self, check: Check) -> Coverage | None:
        if not self._at:
            return None
        signed = self._at[max(self._at)][-1]
        made = signed.checkpoint
        return Coverage(made.day, made.number, signed.key, check.entries - made.number)


# What a verification has proved, what it could not prove, and the first thing that is wrong.


@dataclass(frozen=True)
class BookReport:
    """What holds of one book."""

    stream: str
    entries: int
    days: int
    first_day: str
    last_day: str
    games: int
    awards: int
    award_cents: int
    pays: int
    pay_cents: int
    balances: dict[str, int]
    proofs: tuple[Proof, ...]
    signed: Coverage | None = None
    adjustments: int = 0
    """How many: some may cancel out."""

    def as_json(self) -> dict[str, Any]:
        names = ("stream", "entries", "days", "first_day", "last_day", "games", "awards", "award_cents", "pays")
        return {
            **{name: getattr(self, name) for name in names},
            **{"pay_cents": self.pay_cents, "balances": self.balances, "adjustments": self.adjustments},
            "levels": [each.as_json() for each in self.proofs],
            "signed": self.signed.as_json() if self.signed else None,
        }


@dataclass
class Report:
    """What was proved, and the first thing that is wrong, if there is one."""

    books: list[BookReport] = field(default_factory=list)
    checkpoints: int = 0
    anchors: int = 0
    """Of the checkpoints, those that were kept elsewhere."""
    keys: list[str] = field(default_factory=list)
    unproved: list[str] = field(default_factory=list)
    """What may be right, and cannot be told from this file."""
    remarks: list[str] = field(default_factory=list)
    """What no export can prove."""
    people: bool = False
    """Whether those who signed were held against the site's book."""
    wrong: str = ""
    wrong_stream: str = ""
    wrong_row: int | None = None

    @property
    def right(self) -> bool:
        """Whether nothing was found that is wrong; see `unproved` for what could not be looked at."""
        return not self.wrong

    def as_json(self) -> dict[str, Any]:
        made: dict[str, Any] = {"right": self.right, "proved_in_full": self.right and not self.unproved}
        made |= {"books": [book.as_json() for book in self.books], "checkpoints": self.checkpoints, "keys": self.keys}
        made |= {"not_proved": self.unproved, "remarks": self.remarks, "people_proved": self.people}
        if self.anchors:
            made["anchors"] = self.anchors
        if self.wrong:
            made["wrong"] = {"stream": self.wrong_stream, "row": self.wrong_row, "sentence": self.wrong}
        return made


def report_of(stream: str, check: Check, signed: Coverage | None = None) -> BookReport:
    """What a book comes to, once its last row is in; a difference anywhere is refused."""
    book = book_of(check)
    found = proofs(check) if isinstance(check, LinkCheck) else ()
    for each in found:
        if each.difference:
            raise RecordError(f"The meter {each.level or 'Progressive'} differs by {each.difference:,} units.")
    if sum(book.balances.values()):
        raise RecordError(f"The accounts of {stream} together are {sum(book.balances.values()):,} units, not nothing.")
    kinds = check.kinds
    return BookReport(
        stream,
        check.entries,
        check.days,
        check.first_day,
        check.last_day,
        kinds[EntryKind.START],
        kinds[EntryKind.CONFIRM],
        check.award_cents if isinstance(check, LinkCheck) else 0,
        kinds[EntryKind.PAY] - kinds[EntryKind.UNPAY],
        check.pay_cents if isinstance(check, LinkCheck) else 0,
        {str(account): units for account, units in sorted(book.balances.items()) if units},
        found,
        signed,
        kinds[EntryKind.ADJUST],
    )


def verify(
    path: Path,
    *,
    key: str | None = None,
    anchors: Sequence[SignedCheckpoint] = (),
    tick: Tick = quiet,
    now: str | None = None,
) -> Report:
    """Check a file; with a key, every checkpoint must be signed with it, and every book must have one.

    `anchors` are checkpoints that were kept elsewhere: every one must be of a book in the file, which goes on from it.
    Entries later than `now` are remarked on; without it, later than this computer's clock. `tick` hears how many bytes
    of the file were read since it last heard.
    """
    run = _Run(Reader(path, tick, signatures=True), key, now or utc_now(), anchors)
    try:
        for anchor in anchors:
            anchor.check()
        run.roster = _roster_ahead(path, run.report)
        with closing(run.reader.books()) as books:
            for stream, rows in books:
                run.book(stream, rows)
        run.at_the_end()
    except RecordError as error:
        run.report.wrong = printable(str(error))
    return run.report


class _Run:
    """One reading of a file."""

    def __init__(self, reader: Reader, key: str | None, now: str, anchors: Sequence[SignedCheckpoint]) -> None:
        self.report, self.reader, self.key, self.now, self.anchors = Report(), reader, key, now, anchors
        self.roster: Roster | None = None
        self._checkpoints: dict[str, list[SignedCheckpoint]] | None = None
        self._receipts: list[tuple[str, Receipt]] = []
        self._retired: dict[str, tuple[int, str] | None] = {}
        self._noted = self._findings = 0
        self._other_edition = False

    def book(self, stream: str, rows: Iterator[RawRow]) -> None:
        report = self.report
        report.wrong_stream, report.wrong_row = stream, None
        check, marks = check_for(stream, self.roster), Marks(stream, self._signed(stream), self.key)
        self._rows(check, marks, rows)
        ending = self.reader.ending
        assert ending is not None, "rows end with the book's end"
        made = check.link.state.made if isinstance(check, LinkCheck) else None
        if ending.configuration != (made.digest if made else ""):
            raise RecordError(f"The configuration of {stream} is not the one that the file names.")
        marks.at_the_end(check)
        report.checkpoints += marks.count
        report.books.append(report_of(stream, check, marks.coverage(check)))
        self._look_at_clock(stream, check)
        self._keep(stream, check)

    def _look_at_clock(self, stream: str, check: Check) -> None:
        """A book that is ahead of this computer's clock may be right: it is for people to say which clock is not."""
        last = check.book.at
        if last > self.now:
            self.report.remarks.append(
                f"{stream} has entries of the future: its last is of {last[:19]}Z, and this computer's clock says "
                f"{self.now[:19]}Z, so one of the two clocks is wrong, or the book was made ahead of its time"
            )

    def _rows(self, check: Check, marks: Marks, rows: Iterator[RawRow]) -> None:
        due = marks.next_row
        try:
            for number, (digest, body) in enumerate(rows, 1):
                check.take(digest, body)
                if number == due:
                    marks.look(check)
                    due = marks.next_row
        except RecordError:
            self.report.wrong_row = min(check.taken + 1, due)
            self._done_once(check)
            raise
        self._done_once(check)

    def _signed(self, stream: str) -> list[SignedCheckpoint]:
        if self._checkpoints is None:
            self._checkpoints = {}
            inside = list(self.reader.checkpoints)
            for signed in (*inside, *(anchor for anchor in self.anchors if anchor not in inside)):
                self._checkpoints.setdefault(signed.checkpoint.stream, []).append(signed)
        return self._checkpoints.get(stream, [])

    def _done_once(self, check: Check) -> None:
        number = check.repeated()
        if number is not None:
            self.report.wrong_row = number
            raise RecordError(f"Entry {number} of the book is of a command that was entered before: it was done twice.")

    def _keep(self, stream: str, check: Check) -> None:
        """What other books, or the reader of the report, have to know of this one."""
        if isinstance(check, SiteCheck):
            self.roster = check.roster
            return
        self._retired[stream] = check.retired
        self._receipts += [(stream, each) for each in check.receipts]
        self._noted += check.noted
        if check.house:
            self._findings += check.house.findings
            self._other_edition |= check.house.other_edition

    # At the end

    def at_the_end(self) -> None:
        report = self.report
        report.keys, report.wrong_stream, report.wrong_row = self.reader.keys, "", None
        if not any(book.entries for book in report.books):
            raise RecordError("There is no entry in the file, so there is nothing to prove.")
        for anchor in self.anchors:
            if anchor.checkpoint.stream not in {book.stream for book in report.books}:
                raise RecordError(f"{anchor.where} is an anchor, and the file does not hold that book.")
        report.anchors = len(self.anchors)
        self._match_receipts()
        report.people = self.roster is not None
        if not self._retired:
            return
        if self.roster is None:
            report.unproved.append("people: the site's book is not in the file, which says who was enrolled as what")
            if self._noted:
                report.unproved.append(f"notes: {self._noted:,} of the house, which follow from the site's book")
        if self._other_edition:
            report.unproved.append(
                "notes: lists that amounts call for were made under another edition of the profile than this program's"
            )
        if self._findings:
            report.remarks.append(
                f"the warnings in {self._findings:,} notes of makes, openings and reconfigurations depend on all links "
                "at that moment, and are not found again"
            )

    def _match_receipts(self) -> None:
        """What one book received, the other must have given up, in that very entry."""
        elsewhere = []
        for stream, receipt in self._receipts:
            source = f"link:{receipt.source}"
            if source not in self._retired:
                elsewhere.append(receipt)
            elif self._retired[source] != (receipt.number, receipt.digest):
                self.report.wrong_stream, self.report.wrong_row = stream, receipt.row
                raise RecordError(
                    f"Entry {receipt.row} of the book (receive) takes over what entry {receipt.number} of {source} "
                    "gave up, and that book has no such entry."
                )
        if elsewhere:
            amount = dollars(sum(each.units for each in elsewhere) // UNITS_PER_CENT)
            self.report.unproved.append(f"{len(elsewhere):,} receipts from books not in the file: {amount} not proved")


def _roster_ahead(path: Path, report: Report) -> Roster | None:
    """The site's roster, where its book does not come first in the file: it is read for itself before all others."""
    reader, check = Reader(path), SiteCheck()
    with closing(reader.books()) as books:
        rows = _rows_of_site(reader, books)
        if rows is None:
            return None
        report.wrong_stream = SITE
        for row, (digest, body) in enumerate(rows, 1):
            report.wrong_row = row
            check.take(digest, body)
    return check.roster


def _rows_of_site(reader: Reader, books: Iterator[tuple[str, Iterator[RawRow]]]) -> Iterator[RawRow] | None:
    """None where there are none, or they come first; what is wrong on the way to them is found in its turn."""
    with suppress(RecordError):
        for stream, rows in books:
            if SITE not in reader.streams[1:]:
                return None
            if stream == SITE:
                return rows
            for _ in rows:
                pass
    return None
