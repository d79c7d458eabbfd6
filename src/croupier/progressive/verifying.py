"""Whether an exported ledger is right, said by a program that has nothing but the file.

Row by row: the chain of digests, the numbering, the clock, every command once; every act decided again by the rules, so
that every contribution and every award comes out at the same amount; no account of a level below nothing. Where the
site's book is in the file: that whoever signed was enrolled in that role then, and that the house's lists are right. At
the end: every meter explained to a difference of nothing, all accounts adding up to nothing, every value received from
another link given up there, and every checkpoint signed over what the book was then. The first row that is wrong is
named, and so is what the file cannot prove.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from croupier.errors import RecordError
from croupier.games.money import dollars
from croupier.progressive.chain import printable
from croupier.progressive.checkpoints import SignedCheckpoint
from croupier.progressive.clock import utc_now
from croupier.progressive.cutting import Cut
from croupier.progressive.days import Check, balance, check_for, checkpoint_of, read_day
from croupier.progressive.ledger import UNITS_PER_CENT
from croupier.progressive.ledger_file import RawRow, Reader, Tick, quiet
from croupier.progressive.rechecking import LinkCheck, Receipt
from croupier.progressive.roster import Roster
from croupier.progressive.signatures import Marks
from croupier.progressive.site import STREAM
from croupier.progressive.site_checking import SiteCheck
from croupier.progressive.verify_report import BookReport, Report, report_of

__all__ = ["BookReport", "Report", "balance", "check_for", "checkpoint_of", "read_day", "report_of", "verify"]


def verify(
    path: Path, *, key: str | None = None, tick: Tick = quiet, now: str | None = None, helped: bool | None = None
) -> Report:
    """Check a file; with a key, every checkpoint must be signed with it, and every book must have one.

    Entries later than `now` are remarked on; without it, later than this computer's clock. A second process helps with
    a large file, unless it is said whether one does.
    """
    run = _Run(Reader(path, tick, signatures=True), key, now or utc_now())
    try:
        run.roster = _roster_ahead(path, run.report)
        with closing(run.reader.cut_books(helped=helped)) as books:
            for stream, sheets in books:
                run.book(stream, sheets)
        run.at_the_end()
    except RecordError as error:
        run.report.wrong = printable(str(error))
    return run.report


class _Run:
    """One reading of a file."""

    def __init__(self, reader: Reader, key: str | None, now: str) -> None:
        self.report, self.reader, self.key, self.now = Report(), reader, key, now
        self.roster: Roster | None = None
        self._checkpoints: dict[str, list[SignedCheckpoint]] | None = None
        self._receipts: list[tuple[str, Receipt]] = []
        self._retired: dict[str, tuple[int, str] | None] = {}
        self._noted = self._findings = 0
        self._other_edition = False

    def book(self, stream: str, sheets: Iterator[list[Cut]]) -> None:
        report = self.report
        report.wrong_stream, report.wrong_row = stream, None
        check, marks = check_for(stream, self.roster), Marks(stream, self._signed(stream), self.key)
        self._rows(check, marks, sheets)
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

    def _rows(self, check: Check, marks: Marks, sheets: Iterator[list[Cut]]) -> None:
        due = marks.next_row
        try:
            for rows in sheets:
                end = check.taken + len(rows)
                while check.taken < end:
                    check.take_all(rows[check.taken - end :][: due - check.taken])
                    if check.taken == due:
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
            for signed in self.reader.checkpoints:
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
        report.wrong_stream = STREAM
        for row, (digest, body) in enumerate(rows, 1):
            report.wrong_row = row
            check.take(digest, body)
    return check.roster


def _rows_of_site(reader: Reader, books: Iterator[tuple[str, Iterator[RawRow]]]) -> Iterator[RawRow] | None:
    """None where there are none, or they come first; what is wrong on the way to them is found in its turn."""
    with suppress(RecordError):
        for stream, rows in books:
            if STREAM not in reader.streams[1:]:
                return None
            if stream == STREAM:
                return rows
            for _ in rows:
                pass
    return None
