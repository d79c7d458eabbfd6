"""Whether an exported ledger is right, said by a program that has nothing but the file.

Row by row: the chain of digests, the numbering, the clock, every command once; every act decided again by the rules, so
that every contribution and every award comes out at the same amount; no account of a level below nothing. Where the
site's book is in the file: that whoever signed was enrolled in that role then, and that the house's lists are right. At
the end: every meter explained to a difference of nothing, all accounts adding up to nothing, every value received from
another link given up there, and every checkpoint signed over what the book was then; and that no column of the store
said something else than its entry when the file was written. The first row that is wrong is named, and so is what the
file cannot prove.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from cryptography.x509 import Certificate

from croupier.audit.balance import Check, book_of, check_for, checkpoint_of, proofs
from croupier.audit.recheck import LinkCheck, Receipt
from croupier.audit.roster import Fund, Retired, Roster, SiteCheck, moved
from croupier.errors import RecordError
from croupier.floor.act import EntryKind
from croupier.floor.link.brief import OWED
from croupier.games.money import dollars
from croupier.ledger.anchor import NAMED, AnchorLine, Anchors, SignedAnchor, books_digest, site_id
from croupier.ledger.book import Proof
from croupier.ledger.checkpoint import SignedCheckpoint, fingerprint
from croupier.ledger.clock import utc_now
from croupier.ledger.entry import SITE, UNITS_PER_CENT
from croupier.ledger.file import Ending, Reader, Tick, quiet
from croupier.ledger.rows import RawRow, printable
from croupier.ledger.timestamp import imprint_fits, stamped_at

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


class Pin(NamedTuple):
    """What an anchor says of one entry of a book."""

    number: int
    digest: str
    """Empty where a printed line has one digest for all books: it is compared at the end."""
    anchor: SignedAnchor | AnchorLine


class Marks:
    """Where a book must be as it was signed. With a key, every checkpoint must be signed with it, and there is one."""

    def __init__(
        self,
        stream: str,
        checkpoints: Iterable[SignedCheckpoint],
        key: str | None,
        pins: Sequence[Pin] = (),
        funds: Sequence[Fund] = (),
    ) -> None:
        self._at: dict[int, list[SignedCheckpoint]] = {}
        self._pins: dict[int, list[Pin]] = {}
        self.seen: dict[int, str] = {}
        """The digests of entries that pins are of."""
        for pin in pins:
            self._pins.setdefault(pin.number, []).append(pin)
        self._funds: dict[int, list[Fund]] = {}
        for fund in funds:
            self._funds.setdefault(fund.number, []).append(fund)
        self._superseded: set[tuple[str, int, str]] = set()
        for signed in checkpoints:
            if key is not None and signed.key != key:
                raise RecordError(f"{signed.where} is signed with another key than the one given.")
            checkpoint = signed.checkpoint
            self._at.setdefault(checkpoint.number, []).append(signed)
            if checkpoint.supersedes:
                self._superseded.add((checkpoint.day, checkpoint.supersedes, signed.key))
        if key is not None and not self._at and not any(isinstance(pin.anchor, SignedAnchor) for pin in pins):
            raise RecordError(f"A key was given, and the file holds no checkpoint of {stream} that it signed.")
        self.count = sum(map(len, self._at.values()))
        looked_after = {number + 1 for number in (*self._at, *self._funds)}
        self._rows = sorted({*self._at, *self._pins, *self._funds, *looked_after}, reverse=True)

    @property
    def next_row(self) -> int:
        """The row after which to look again."""
        return self._rows[-1] if self._rows else NEVER

    def look(self, check: Check) -> None:
        """Hold the book against what was signed of it here, and against what was said of the row before."""
        number = self._rows.pop()
        if number in self._pins:
            self.seen[number] = check.book.digest
        for pin in self._pins.get(number, ()):
            if pin.digest and pin.digest != check.book.digest:
                raise RecordError(f"{pin.anchor.where} is of another book: entry {number} is not as it was.")
        for fund in self._funds.get(number, ()):
            lies = sum(units for account, units in book_of(check).balances.items() if account.purpose in OWED)
            if (fund.digest, fund.units) != (check.book.digest, lies) or not _is_before(check.book.at, fund.until):
                raise RecordError(f"{_month(fund)} has other funds than the book, which has {lies:,} units there.")
        for fund in self._funds.get(number - 1, ()):
            if _is_before(check.book.at, fund.until):
                raise RecordError(f"{_month(fund)} is of an entry before the last of the month.")
        for signed in self._at.get(number, ()):
            self._agree(check, signed)
        for signed in self._at.get(number - 1, ()):
            checkpoint = signed.checkpoint
            superseded = (checkpoint.day, checkpoint.number, signed.key) in self._superseded
            if check.book.at[:10] <= checkpoint.day and not superseded:
                raise RecordError(f"{signed.where} was signed before the day's last entry.")

    def _agree(self, check: Check, signed: SignedCheckpoint) -> None:
        checkpoint, now = signed.checkpoint, checkpoint_of(signed.checkpoint.stream, signed.checkpoint.day, check)
        if (checkpoint.number, checkpoint.digest, checkpoint.balances) != (now.number, now.digest, now.balances):
            raise RecordError(f"{signed.where} was signed over another book: entry {now.number} is not as it was.")
        if checkpoint.supersedes and not any(
            (other.checkpoint.day, other.key) == (checkpoint.day, signed.key)
            for other in self._at.get(checkpoint.supersedes, ())
        ):
            raise RecordError(
                f"{signed.where} supersedes one at entry {checkpoint.supersedes}, which is not in the file."
            )
        if check.book.at[:10] > checkpoint.day:
            raise RecordError(f"{signed.where} is of an entry of a later day.")

    def at_the_end(self, check: Check) -> None:
        """Nothing is signed that the book does not have; whatever it lacks is named."""
        for fund in (fund for funds in self._funds.values() for fund in funds if fund.number > check.entries):
            raise RecordError(f"{_month(fund)} is of entry {fund.number}, {_ends(check)}.")
        days = [(number, signed.checkpoint.day) for number, marks in self._at.items() for signed in marks]
        missed = sorted(day for day in days if day[0] > check.entries)
        gone = sorted({(pin.number, pin.anchor.short) for pins in self._pins.values() for pin in pins})
        gone = [lost for lost in gone if lost[0] > check.entries]
        if len(missed) == 1 and not gone:
            raise RecordError(f"{self._at[missed[0][0]][0].where} is of entry {missed[0][0]}, {_ends(check)}.")
        if missed or gone:
            checkpoints = [f"{len(missed)} checkpoints: {_named(day for _, day in missed)}"] if missed else []
            anchors = [f"{len(gone)} anchors: {_named(short for _, short in gone)}"] if gone else []
            last = max(number for number, _ in (*missed, *gone))
            raise RecordError(
                f"Entries that left the house signed are missing: {' and '.join((*checkpoints, *anchors))}. They go up "
                f"to entry {last:,}, {_ends(check)}."
            )

    def coverage(self, check: Check) -> Coverage | None:
        """By whichever signature is of the latest entry."""
        signed = [(number, mark.checkpoint.day, mark.key) for number, marks in self._at.items() for mark in marks]
        signed += [
            (number, pin.anchor.anchor.day or pin.anchor.anchor.at[:10], pin.anchor.key)
            for number, pins in self._pins.items()
            for pin in pins
            if isinstance(pin.anchor, SignedAnchor) and pin.digest
        ]
        if not signed:
            return None
        number, day, key = max(signed, key=lambda mark: mark[0])
        return Coverage(day, number, key, check.entries - number)


def _is_before(at: str, until: str) -> bool:
    """By the clock: texts of two precisions do not sort as times do."""
    return moved(at, 0) < moved(until, 0)


def _month(fund: Fund) -> str:
    return f"The reconciliation in entry {fund.row} of the site"


def _ends(check: Check) -> str:
    return f"and the book ends at {check.entries}"


def _named(names: Iterable[str]) -> str:
    named = list(dict.fromkeys(names))
    more = f" and {len(named) - NAMED:,} more" if len(named) > NAMED else ""
    return ", ".join(named[:NAMED]) + more


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
    backed_out: int = 0
    """Confirmed awards that do not stand: how many of them are not counted."""

    def as_json(self) -> dict[str, Any]:
        names = ("stream", "entries", "days", "first_day", "last_day", "games", "awards", "award_cents", "pays")
        return {
            **{name: getattr(self, name) for name in names},
            **{"pay_cents": self.pay_cents, "balances": self.balances, "adjustments": self.adjustments},
            "levels": [proof.as_json() for proof in self.proofs],
            "signed": self.signed.as_json() if self.signed else None,
            **({"backed_out": self.backed_out} if self.backed_out else {}),
        }


@dataclass
class Report:
    """What was proved, and the first thing that is wrong, if there is one."""

    books: list[BookReport] = field(default_factory=list)
    checkpoints: int = 0
    anchors: int = 0
    """Checkpoints, anchors and printed lines that were kept elsewhere."""
    stamps: list[tuple[int, str]] = field(default_factory=list)
    """Anchors with a timestamp that was checked, by number, and the time that it says."""
    keys: list[str] = field(default_factory=list)
    unproved: list[str] = field(default_factory=list)
    """What may be right, and cannot be told from this file."""
    remarks: list[str] = field(default_factory=list)
    """What no export can prove."""
    people: bool = False
    """Whether those who signed were held against the site's book."""
    altered: bool = False
    """Whether nothing is wrong but columns of the store, beside entries that are all proved."""
    seconded: int = 0
    """Entries with a second person."""
    agreed: int = 0
    """Of those, how many carry an agreement that only the second person's card and PIN could make."""
    wrong: str = ""
    wrong_stream: str = ""
    wrong_row: int | None = None

    @property
    def right(self) -> bool:
        """Whether nothing was found that is wrong; see `unproved` for what could not be looked at."""
        return not self.wrong

    def as_json(self) -> dict[str, Any]:
        fields: dict[str, Any] = {"right": self.right, "proved_in_full": self.right and not self.unproved}
        fields |= {"books": [book.as_json() for book in self.books], "checkpoints": self.checkpoints, "keys": self.keys}
        fields |= {"not_proved": self.unproved, "remarks": self.remarks, "people_proved": self.people}
        fields["second_persons"] = {"entries": self.seconded, "agreements": self.agreed}
        if self.anchors:
            fields["anchors"] = self.anchors
        if self.stamps:
            fields["timestamps"] = [{"anchor": number, "at": at} for number, at in self.stamps]
        if self.wrong:
            fields["wrong"] = {"stream": self.wrong_stream, "row": self.wrong_row, "sentence": self.wrong}
        return fields


def report_of(stream: str, check: Check, signed: Coverage | None = None) -> BookReport:
    """What a book comes to, once its last row is in; a difference anywhere is refused."""
    book = book_of(check)
    levels = proofs(check) if isinstance(check, LinkCheck) else ()
    for level in levels:
        if level.difference:
            raise RecordError(f"The meter {level.level or 'Progressive'} differs by {level.difference:,} units.")
    if sum(book.balances.values()):
        raise RecordError(f"The accounts of {stream} together are {sum(book.balances.values()):,} units, not nothing.")
    kinds, by_card = check.kinds, check.pays_by_card if isinstance(check, LinkCheck) else 0
    backed_out = kinds[EntryKind.BACK_OUT]
    return BookReport(
        stream,
        check.entries,
        check.days,
        check.first_day,
        check.last_day,
        kinds[EntryKind.START],
        kinds[EntryKind.CONFIRM] - by_card - backed_out,
        check.award_cents if isinstance(check, LinkCheck) else 0,
        kinds[EntryKind.PAY] - kinds[EntryKind.UNPAY] + by_card,
        check.pay_cents if isinstance(check, LinkCheck) else 0,
        {str(account): units for account, units in sorted(book.balances.items()) if units},
        levels,
        signed,
        kinds[EntryKind.ADJUST],
        backed_out,
    )


def verify(
    path: Path,
    *,
    key: str | None = None,
    anchors: Anchors | None = None,
    stampers: Sequence[Certificate] = (),
    tick: Tick = quiet,
    now: str | None = None,
) -> Report:
    """Check a file; with a key, every checkpoint must be signed with it, and every book must have one.

    `anchors` are what was kept elsewhere: every one must be of a book in the file, which goes on from it. Timestamps of
    anchors are checked under the certificates of `stampers`; without any, they are only compared with the anchor.
    Entries later than `now` are remarked on; without it, later than this computer's clock. `tick` hears how many bytes
    of the file were read since it last heard.
    """
    run = _Run(Reader(path, tick, signatures=True), key, now or utc_now(), anchors or Anchors())
    try:
        run.check_anchors(stampers)
        run.roster = _roster_ahead(path, run.report)
        with closing(run.reader.books()) as books:
            for stream, rows in books:
                run.book(stream, rows)
        run.at_the_end()
        run.store_agrees()
    except RecordError as error:
        run.report.wrong = printable(str(error))
    return run.report


class _Run:
    """One reading of a file."""

    def __init__(self, reader: Reader, key: str | None, now: str, anchors: Anchors) -> None:
        self.report, self.reader, self.key, self.now, self.anchors = Report(), reader, key, now, anchors
        self.roster: Roster | None = None
        self._checkpoints: dict[str, list[SignedCheckpoint]] | None = None
        self._receipts: list[tuple[str, Receipt]] = []
        self._retired: dict[str, Retired | None] = {}
        self._began: dict[str, str] = {}
        self._noted = self._findings = 0
        self._altered: list[Ending] = []
        self._other_edition = False
        self._pins: dict[str, list[Pin]] = {SITE: []}
        for signed in anchors.signed:
            for stream, (number, digest) in signed.anchor.books.items():
                self._pins.setdefault(stream, []).append(Pin(number, digest, signed))
        for line in anchors.lines:
            for stream, number in line.numbers.items():
                self._pins.setdefault(stream, []).append(Pin(number, "", line))
        for anchor in anchors.of_all_books:
            self._pins[SITE].append(Pin(1, "", anchor))  # whose first digest is the name of the site
        self._seen: dict[str, dict[int, str]] = {}
        self._keys: set[str] = set()
        """That the site's book has on record."""

    def check_anchors(self, stampers: Sequence[Certificate]) -> None:
        """What is wrong with them by themselves."""
        anchors, unread = self.anchors, 0
        for checkpoint in anchors.checkpoints:
            checkpoint.check()
        for signed in anchors.signed:
            signed.check()
            if self.key is not None and signed.key != self.key:
                raise RecordError(f"{signed.where} is signed with another key than the one given.")
            for stamp in signed.stamps:
                imprint_fits(stamp, signed.anchor.text())
                if stampers:
                    at = stamped_at(stamp, signed.anchor.text(), stampers)
                    self.report.stamps.append((signed.anchor.number, f"{at:%Y-%m-%dT%H:%M:%SZ}"))
            unread += len(signed.stamps)
        if anchors.contradiction():
            raise RecordError(anchors.contradiction())
        if unread and not stampers:
            self.report.unproved.append(f"whose {unread:,} timestamps of anchors are: give the server's certificate")
        if missing := anchors.numbers_missing():
            self.report.unproved.append(f"anchors {', and '.join(missing)}: they were made, and are not among these")

    def book(self, stream: str, rows: Iterator[RawRow]) -> None:
        report = self.report
        report.wrong_stream, report.wrong_row = stream, None
        check = check_for(stream, self.roster)
        funds = [fund for fund in self.roster.funds if f"link:{fund.link}" == stream] if self.roster else []
        marks = Marks(stream, self._signed(stream), self.key, self._pins.get(stream, ()), funds)
        self._rows(check, marks, rows)
        ending = self.reader.ending
        assert ending is not None, "rows end with the book's end"
        setup = check.link.state.made if isinstance(check, LinkCheck) else None
        if ending.configuration != (setup.digest if setup else ""):
            raise RecordError(f"The configuration of {stream} is not the one that the file names.")
        marks.at_the_end(check)
        if ending.altered:
            self._altered.append(ending)
        self._seen[stream] = marks.seen
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
            for signed in (
                *inside,
                *(checkpoint for checkpoint in self.anchors.checkpoints if checkpoint not in inside),
            ):
                self._checkpoints.setdefault(signed.checkpoint.stream, []).append(signed)
        return self._checkpoints.get(stream, [])

    def _done_once(self, check: Check) -> None:
        number = check.repeated()
        if number is not None:
            self.report.wrong_row = number
            raise RecordError(f"Entry {number} of the book is of a command that was entered before: it was done twice.")

    def _keep(self, stream: str, check: Check) -> None:
        """What other books, or the reader of the report, have to know of this one."""
        self.report.seconded += check.seconded
        if isinstance(check, SiteCheck):
            self.report.agreed += check.agreed
            self.roster = check.roster
            self._keys = set(check.site.signing.values())
            return
        self._retired[stream], self._began[stream] = check.retired, check.began
        self._receipts += [(stream, receipt) for receipt in check.receipts]
        self._noted += check.noted
        if check.house:
            self.report.agreed += check.house.agreed
            self._findings += check.house.findings
            self._other_edition |= check.house.other_edition

    # At the end

    def at_the_end(self) -> None:
        report = self.report
        report.keys, report.wrong_stream, report.wrong_row = self.reader.keys, "", None
        if not any(book.entries for book in report.books):
            raise RecordError("There is no entry in the file, so there is nothing to prove.")
        self._meet_anchors()
        report.anchors = len(self.anchors)
        self._match_receipts()
        self._match_months()
        self._match_gifts()
        report.people = self.roster is not None
        if self._retired:
            self._look_at_links()
        if self.roster is not None and report.seconded > report.agreed:
            report.remarks.append(
                f"{report.seconded - report.agreed:,} of {report.seconded:,} second persons are named without a "
                "signature of their own, in entries from before the site's first key"
            )

    def _look_at_links(self) -> None:
        """What the file cannot prove of the links in it."""
        report = self.report
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

    def store_agrees(self) -> None:
        """Last of all: whoever restores such a file has everything else proved."""
        for ending in self._altered:
            self.report.altered = True
            self.report.wrong_stream, self.report.wrong_row = ending.stream, ending.altered[0]
            raise RecordError(ending.why_altered)

    def _meet_anchors(self) -> None:
        """Every book of an anchor is in the file; printed lines and the names of sites are compared here."""
        books, anchors = {book.stream for book in self.report.books}, self.anchors
        for checkpoint in anchors.checkpoints:
            if checkpoint.checkpoint.stream not in books:
                raise RecordError(f"{checkpoint.where} is an anchor, and the file does not hold that book.")
        for anchor in anchors.of_all_books:
            named = anchor.anchor.books if isinstance(anchor, SignedAnchor) else anchor.numbers
            for stream in sorted({SITE, *named} - books):
                raise RecordError(
                    f"{anchor.where} names {stream}, and the file does not hold that book: export all books."
                )
            site = anchor.anchor.site if isinstance(anchor, SignedAnchor) else anchor.site
            if site != site_id(self._seen[SITE][1]):
                raise RecordError(f"{anchor.where} is of another site.")
            if isinstance(anchor, SignedAnchor):
                if self._keys and anchor.key not in self._keys:
                    raise RecordError(f"{anchor.where} is signed with a key that the site's book does not know.")
                continue
            stood = {stream: (number, self._seen[stream][number]) for stream, number in anchor.numbers.items()}
            if books_digest(stood) != anchor.digest:
                raise RecordError(f"{anchor.where} is of another book: the entries that it names are not as they were.")

    def _match_receipts(self) -> None:
        """What one book received, the other must have given up, in that very entry."""
        elsewhere = []
        for stream, receipt in self._receipts:
            source = f"link:{receipt.source}"
            if source not in self._retired:
                elsewhere.append(receipt)
            elif (self._retired[source] or ())[:2] != (receipt.number, receipt.digest):
                self.report.wrong_stream, self.report.wrong_row = stream, receipt.row
                raise RecordError(
                    f"Entry {receipt.row} of the book (receive) takes over what entry {receipt.number} of {source} "
                    "gave up, and that book has no such entry."
                )
        if elsewhere:
            amount = dollars(sum(receipt.units for receipt in elsewhere) // UNITS_PER_CENT)
            self.report.unproved.append(f"{len(elsewhere):,} receipts from books not in the file: {amount} not proved")

    def _match_months(self) -> None:
        arrived = {receipt.digest: moved(receipt.at, 0) for _, receipt in self._receipts}
        for row, why in self.roster.wrong_months(self._began, self._retired, arrived) if self.roster else ():
            self.report.wrong_stream, self.report.wrong_row = SITE, row
            raise RecordError(f"Entry {row} of the book (reconcile) {why}.")
        for stream, ended in self._retired.items():
            if self.roster and self.roster.funds and ended and ended.to and f"link:{ended.to}" not in self._retired:
                self.report.unproved.append(
                    f"when {ended.to} received what {stream[5:]} gave up: it is not in the file"
                )

    def _match_gifts(self) -> None:
        if self.roster is None:
            return
        for row, why in self.roster.wrong_gifts(self._retired):
            self.report.wrong_stream, self.report.wrong_row = SITE, row
            raise RecordError(f"Entry {row} of the book (give-prize) {why}.")
        elsewhere = sum(gift.cents for gift in self.roster.given if f"link:{gift.link}" not in self._retired)
        if elsewhere:
            self.report.unproved.append(f"prizes given away of links not in the file: {dollars(elsewhere)} not proved")


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
