"""Single pages: a win with its checklist, an adjustment, and the close of a day."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from croupier.compliance.award_checklist import Item
from croupier.errors import CroupierError
from croupier.floor.site.register_acts import WithdrawApproval
from croupier.ledger.entry import Entry
from croupier.reports.accrual import accrual
from croupier.reports.adjustments import adjustment_note, adjustments
from croupier.reports.awards import awards, last_awards
from croupier.reports.balance import LevelBalance, meter_balance
from croupier.reports.bank_cover import bank_cover
from croupier.reports.books import Books, in_print
from croupier.reports.close import DisplayReading, compare, day_close
from croupier.reports.contributions import contributions
from croupier.reports.events import Search, events
from croupier.reports.hold import hold
from croupier.reports.period import Period, gaming_days
from croupier.reports.sheet import Report
from croupier.reports.shift import shifts
from croupier.reports.slips import slips
from croupier.reports.win_page import WinPage, win_page
from croupier.store.store import Row
from support.room import PEOPLE, SUITED, LinkBook, SiteBook, founding, hashed_cards
from tests.audit.books import Kept, busy_floor
from tests.reports.conftest import RoomBooks
from tests.reports.support import DAYS, MADE_AT
from tests.reports.test_forms import text_of

WHOLE = Period()
U = 10**6


# Win pages


def confirmed(room: RoomBooks) -> list[WinPage]:
    rows = awards(room.books("main"), WHOLE, MADE_AT).rows
    numbers = [row.award for row in rows if row.status == "confirmed"]
    return [win_page(room.books("main"), number, WHOLE, MADE_AT) for number in numbers[:12]]


def test_a_win_page_is_what_the_entries_say(room: RoomBooks) -> None:
    rows = {row["number"]: row for row in room.rows("main")}
    decided = {row["facts"]["award"]: row for row in room.rows("main") if row["kind"] == "confirm"}
    for page in confirmed(room):
        win, entry, end = page.win, rows[page.win.award], decided[page.win.award]
        assert (win.table, win.seat, win.line) == tuple(entry["facts"][name] for name in ("table", "seat", "line"))
        assert (win.entry_digest, win.decision_digest) == (entry["digest"], end["digest"])
        assert win.award_cents * U == sum(
            units for source, _, units in end["transfers"] if source.startswith("pending")
        )
        assert (win.decided_by, win.decided_name) == ("eve (executive)", "Eve Lind")
        assert [item.as_json() for item in page.items] == end["facts"]["notes"]["checklist"]


class _CountedRow(Row):
    """A row that says when it is read."""

    read: list[int]

    def entry(self) -> Entry:
        self.read.append(self.number)
        return super().entry()


class Counting(Kept):
    """A book that counts the rows that were read."""

    def __init__(self, entries: list[Entry]) -> None:
        super().__init__(link_main=entries)
        self.read: list[int] = []

    def rows(self, stream: str, after: int = 0, limit: int | None = None) -> Iterator[Row]:
        for row in super().rows(stream, after, limit):
            counted = _CountedRow(*row)
            counted.read = self.read
            yield counted


def test_a_win_page_decides_no_row_and_reads_no_game_that_it_does_not_need(monkeypatch: pytest.MonkeyPatch) -> None:
    floor, decided = LinkBook(), list[str]()
    floor.start(1, 1)
    award = floor.enter(1, 1, SUITED)
    for _ in range(50):
        floor.start(2, 1)
        floor.end(2)
    monkeypatch.setattr("croupier.audit.recheck.redo", lambda *_: decided.append("row"))
    source = Counting(floor.entries)
    page = win_page(Books(source), award, WHOLE, MADE_AT)
    assert (page.win.award, decided) == (award, [])
    assert source.read == [entry.number for entry in floor.entries if entry.kind not in ("start", "end")]
    assert len(source.read) < len(floor.entries) // 10


def test_a_win_page_names_the_wager_with_what_the_register_has_for_it() -> None:
    floor = LinkBook()
    floor.start(1, 1, 4)
    award = floor.enter(1, 4, SUITED)
    letter = "Washington State Gambling Commission, submission #3119, 2023-06-14"
    page = win_page(Books(Kept(link_main=floor.entries)), award, WHOLE, MADE_AT)
    assert page.on_file == f"Blazing 7's Progressive, dealer's up card, paytable 1: {letter}"
    assert ("Wager", page.on_file) in page.facts()
    site = SiteBook(founding(hashed_cards(PEOPLE)))
    site.do(WithdrawApproval(id="w", by="max", second="mia", key="washington-3119", reason="Withdrawn."))
    page = win_page(Books(Kept(site=site.entries, link_main=floor.entries)), award, WHOLE, MADE_AT)
    assert page.on_file.endswith("paytable 1: no approval on file")


def test_reports_that_name_a_game_say_what_the_register_has_for_it() -> None:
    site, link = SiteBook(founding(hashed_cards(PEOPLE))), LinkBook()
    link.start(1, 1, 4)
    link.end(1)
    title = "Blazing 7's Progressive, dealer's up card, paytable 1 (main)"
    letter = "Washington State Gambling Commission, submission #3119, 2023-06-14"
    for make in (hold, accrual, bank_cover):
        report = make(Books(Kept(site=site.entries, link_main=link.entries)), WHOLE, MADE_AT)
        assert f"{title}: {letter}." in report.notes(), make
        assert any("not this program" in note for note in report.notes())
        assert report.as_json()["on_file"][0] == f"{title}: {letter}."
    site.do(WithdrawApproval(id="w", by="max", second="mia", key="washington-3119", reason="Withdrawn."))
    for make in (hold, accrual, bank_cover):
        notes = make(Books(Kept(site=site.entries, link_main=link.entries)), WHOLE, MADE_AT).notes()
        assert f"{title}: no approval on file." in notes
        assert not any("not this program" in note for note in notes)


def test_a_win_page_shows_the_meter_before_and_after() -> None:
    floor = LinkBook()
    floor.start(1, 1, 4)
    award = floor.enter(1, 4, SUITED)
    floor.confirm(award)
    win = win_page(Books(Kept(link_main=floor.entries)), award, WHOLE, MADE_AT).win
    assert win.meter_before_units == 1_000_230 * U
    assert win.award_cents == 1_000_230
    assert win.meter_after_units == (1_000_000 + 10) * U  # the seed, and what was in reserve


def test_a_win_page_prints_all_of_it_on_one_page(room: RoomBooks) -> None:
    page = max(confirmed(room), key=lambda page: page.win.award_cents)
    shown = text_of(page.pdf())
    assert len(page.items) > 4
    for item in page.items:
        assert " ".join(item.sentence.split()) in shown
        assert " ".join(item.citation.split()) in shown
    for words in (page.win.entry_digest, page.win.line, "Eve Lind", "Signed", "Surveillance, date", "CONFIRMED"):
        assert words in shown


def test_without_a_checklist_on_record_the_page_says_so() -> None:
    books = Books(Kept(link_main=busy_floor().entries))
    page = win_page(books, 5, WHOLE, MADE_AT)
    assert page.notes() == ("No checklist on record.",)
    assert "No checklist on record." in text_of(page.pdf())


def test_void_pending_and_fixed_pays_are_told_apart() -> None:
    books = Books(Kept(link_main=busy_floor().entries))
    voided, taken_back, fixed = (win_page(books, number, WHOLE, MADE_AT).win for number in (13, 15, 8))
    assert (voided.status, voided.reason) == ("voided", "The wager was not lit.")
    assert taken_back.status == "taken back"
    assert (fixed.status, fixed.meter_before_units, fixed.award_cents) == ("paid", None, 12_500)
    floor = LinkBook()
    floor.start(1, 4)
    number = floor.enter(1, 4, SUITED, cards="7d 7d 7d")
    pending = win_page(Books(Kept(link_main=floor.entries)), number, WHOLE, MADE_AT)
    assert (pending.win.status, pending.win.cards) == ("pending", "7d 7d 7d")


def test_an_adjustment_of_an_award_is_on_its_page() -> None:
    page = win_page(Books(Kept(link_main=busy_floor().entries)), 17, WHOLE, MADE_AT)
    assert "$5.00 from meter to house (malfunction): A sensor lit by itself." in page.adjusted[0]


def test_a_page_of_no_award_is_refused(room: RoomBooks) -> None:
    with pytest.raises(CroupierError, match="no award 1: entry 1 is a 'make'"):
        win_page(room.books("main"), 1, WHOLE, MADE_AT)
    with pytest.raises(CroupierError, match="An award is of one link; there are main, other: name one"):
        win_page(room.books(), 4, WHOLE, MADE_AT)


def test_a_checklist_reads_back_from_json(room: RoomBooks) -> None:
    page = confirmed(room)[0]
    found = json.loads(json.dumps(page.as_json()))["checklist"]
    assert tuple(map(Item.of_json, found)) == page.items


# Adjustment notes


def test_an_adjustment_note_names_two_people_and_the_money(room: RoomBooks) -> None:
    row = adjustments(room.books("main"), WHOLE, MADE_AT).rows[0]
    note = adjustment_note(room.books("main"), row.entry, WHOLE, MADE_AT)
    shown = text_of(note.pdf())
    for words in ("Max Mora (max), manager", "Mia Roth (mia), manager", row.text, "WAC 230-15-695", row.digest):
        assert words in shown
    assert note.rows == (row,)
    (entry,) = (each for each in room.rows("main") if each["number"] == row.entry)
    [[source, target, units]] = entry["transfers"]
    change = units * ((target.split(":")[0] == "meter") - (source.split(":")[0] == "meter"))
    assert row.meter_after_units - row.meter_before_units == change


def test_a_note_of_another_entry_is_refused(room: RoomBooks) -> None:
    with pytest.raises(CroupierError, match="Entry 2 of the link main is no adjustment"):
        adjustment_note(room.books("main"), 2, WHOLE, MADE_AT)


# Closing a day


def level(link: str, name: str, units: int) -> LevelBalance:
    return LevelBalance(link, name, 0, units, 0, 0, 0, 0, 0, 0, 0, units, 0, 0, 0, 0)


def test_readings_are_compared_with_whole_cents_of_the_book() -> None:
    book = [level("main", "Mega", 12_345 * U + 999_999), level("main", "Minor", 50 * U)]
    mega, minor = compare(
        book, [DisplayReading("main", "Mega", 12_345, "sue"), DisplayReading("main", "Minor", 51, "sue")]
    )
    assert (mega.verdict, mega.difference_cents) == ("agrees", 0)
    assert (minor.verdict, minor.difference_cents, minor.book_cents, minor.read_cents) == ("DIFFERS", 1, 50, 51)


def test_every_reading_stays_and_every_meter_is_there() -> None:
    book = [level("main", "Mega", 100 * U), level("main", "Minor", 50 * U)]
    readings = [
        DisplayReading("main", "Mega", 99, "sue"),
        DisplayReading("main", "Mega", 100, "eve"),
        DisplayReading("old", "", 7, "sue"),
    ]
    found = [(row.link, row.level, row.verdict, row.by) for row in compare(book, readings)]
    assert found == [
        ("main", "Mega", "DIFFERS", "sue"),
        ("main", "Mega", "agrees", "eve"),
        ("main", "Minor", "NOT READ", ""),
        ("old", "", "NO SUCH METER", "sue"),
    ]


def test_a_day_closes_where_all_readings_are_the_books(room: RoomBooks) -> None:
    day = gaming_days(DAYS[1])
    balances = meter_balance(room.books(), day, MADE_AT).rows
    readings = [DisplayReading(row.link, row.level, row.closing_units // U, "sue") for row in balances]
    report = day_close(room.books(), day, MADE_AT, readings)
    assert report.agrees
    assert "Every meter was read" in text_of(report.pdf())
    off = [readings[0], *readings[2:]]
    report = day_close(room.books(), day, MADE_AT, off)
    assert (report.agrees, report.sums()["not_read"]) == (False, 1)
    assert "1 of 4 lines do not agree" in text_of(report.pdf())


# What must not be taken for something else


def test_a_claim_that_did_not_stand_cannot_be_taken_for_money(room: RoomBooks) -> None:
    rows = awards(room.books("main"), WHOLE, MADE_AT).rows
    for status in ("voided", "taken back"):
        award = next(row.award for row in rows if row.status == status and row.is_share)
        page = win_page(room.books("main"), award, WHOLE, MADE_AT)
        shown = text_of(page.pdf())
        assert f"{status.upper()} – NOT PAID" in shown
        assert "Player, date" not in shown
        assert page.headline == ""
        assert "which was not paid" in shown


def test_the_page_of_a_claim_that_did_not_stand_shows_the_meter_after_the_release(room: RoomBooks) -> None:
    rows = awards(room.books("main"), WHOLE, MADE_AT).rows
    for row in [row for row in rows if row.status in ("voided", "taken back") and row.is_share][:8]:
        page = win_page(room.books("main"), row.award, WHOLE, MADE_AT)
        [decision] = [
            each["number"]
            for each in room.rows("main")
            if each["kind"] in ("void", "take-back") and each["facts"]["award"] == row.award
        ]
        account = f"meter:{page.win.level}"
        lay = sum(
            units * ((target == account) - (source == account))
            for each in room.rows("main")[:decision]
            for source, target, units in each["transfers"]
        )
        assert page.win.meter_after_units == lay
        assert page.heading.heads[0].entries == len(room.rows("main"))
        assert "Meter after the release" in text_of(page.pdf())


def test_an_award_without_a_card_says_that_it_is_not_to_be_paid() -> None:
    floor = LinkBook()
    floor.start(1, 4)
    number = floor.enter(1, 4, SUITED)
    page = win_page(Books(Kept(link_main=floor.entries)), number, WHOLE, MADE_AT)
    assert page.banner == "NOT CONFIRMED YET – NOT TO BE PAID"
    assert "Player, date" not in page.signatures()
    floor.confirm(number)
    paid = win_page(Books(Kept(link_main=floor.entries)), number, WHOLE, MADE_AT)
    assert (paid.banner, paid.signatures()[0]) == ("", "Player, date")


def test_pages_of_one_entry_say_of_which_and_nothing_of_the_whole_book(room: RoomBooks) -> None:
    row = adjustments(room.books("main"), WHOLE, MADE_AT).rows[0]
    note = adjustment_note(room.books("main"), row.entry, WHOLE, MADE_AT)
    win = confirmed(room)[0]
    assert note.subject == f"The note of adjustment {row.entry} of the link main"
    assert win.subject == f"The win page of award {win.win.award} of the link main"
    assert "whole book" not in text_of(note.pdf()) + text_of(win.pdf())


# The bank


def test_bank_cover_says_what_each_link_owes(room: RoomBooks) -> None:
    report = bank_cover(room.books(), WHOLE, MADE_AT)
    balances = {row.link: 0 for row in report.links}
    for row in meter_balance(room.books(), WHOLE, MADE_AT).rows:
        balances[row.link] += row.closing_units + row.in_reserve_units + row.in_overflow_units + row.pending_units
    assert {row.link: row.owed_units for row in report.links} == balances
    assert report.declared
    assert [each["owed_units"] for each in report.sums()["links_owe"]] == list(balances.values())
    assert "What each link owes to players, 2026-11-06 10:00:00" in text_of(report.pdf())


def test_bank_cover_without_a_site_says_so_and_what_is_owed() -> None:
    report = bank_cover(Books(Kept(link_main=busy_floor().entries)), WHOLE, "2027-01-01T00:00:00.000000Z")
    shown = text_of(report.pdf())
    assert "There is no site's book here" in shown
    assert "No balance was ever declared." in shown
    assert "None." not in shown
    assert "Book site" not in shown
    assert report.links[0].owed_units > 0
    assert "Links without a site's book" in shown


# Hours


def test_hours_are_printed_as_people_say_them(room: RoomBooks) -> None:
    report = contributions(room.books("main"), gaming_days(DAYS[1], DAYS[3]), MADE_AT)
    shown = text_of(report.pdf())
    assert "2026-11-01, 13:00 to 14:00 PST" in shown
    assert "2026-10-31, 13:00 to 14:00 PDT" in shown
    assert {row.zone for row in report.rows} == {"America/Los_Angeles"}
    assert WHOLE.hour_told("2026-11-01T01:00-07:00") == "2026-11-01, 01:00 PDT to 01:00 PST"
    assert WHOLE.hour_told("2026-11-01T01:00-08:00") == "2026-11-01, 01:00 to 02:00 PST"


# People


@pytest.mark.parametrize(
    ("signed", "printed"),
    [
        ("eve (executive)", "Eve Lind (eve), executive"),
        ("max", "Max Mora (max)"),
        ("max (manager), mia (manager)", "Max Mora (max), manager; Mia Roth (mia), manager"),
        ("gone (dealer)", "gone, dealer"),
        ("floor", "the program"),
        ("floor (floor)", "the program"),
        ("", ""),
    ],
)
def test_a_person_in_print(room: RoomBooks, signed: str, printed: str) -> None:
    assert in_print(signed, room.books().names) == printed


def test_people_in_print(room: RoomBooks) -> None:
    """Every paper writes a person by name; what programs read keeps the short name and the role."""
    makers = (awards, last_awards, adjustments, shifts, slips, bank_cover, events)
    papers: list[Report] = [make(room.books(), WHOLE, MADE_AT) for make in makers]
    papers.append(next(iter(confirmed(room))))
    for paper in papers:
        cells = {cell for table in paper.page().tables for row in table.rows for cell in row}
        people = {cell for cell in cells if re.search(r"\((max|mia|eve|sue|ann|dan)\)", cell)}
        assert people, paper.kind
        assert not [cell for cell in cells if re.search(r"\b(max|mia|eve|sue|ann|dan) \(", cell)], paper.kind
    assert {row.dealer for row in shifts(room.books(), WHOLE, MADE_AT).rows} >= {"ann (dealer)"}


def test_events_are_found_by_the_name_that_is_printed(room: RoomBooks) -> None:
    by_name = events(room.books(), WHOLE, MADE_AT, Search(text="roth", kind="adjust"))
    assert by_name.rows == events(room.books(), WHOLE, MADE_AT, Search(person="mia", kind="adjust")).rows != ()
