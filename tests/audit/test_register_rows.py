"""The register in a file of books: proved by both verifiers, and every cheat is found by both at its row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from croupier.audit.comply import comply_of
from croupier.audit.verify import verify
from croupier.floor.site.acts import SetTable
from croupier.floor.site.register_acts import CloseTable, OpenTable, WithdrawApproval, WithdrawPaper
from croupier.ledger.entry import Entry
from croupier.reports.books import ExportedBooks
from support.papers import commercial, entered, paper, rummy
from support.room import PEOPLE, SiteBook, founding, hashed_cards
from tests.audit.books import ledger_file, raw, resealed
from tests.audit.test_verifier import wrong_row


def registered() -> list[Entry]:
    """A site whose last entries are of its register."""
    book = SiteBook(founding(hashed_cards(PEOPLE), tables=()), at="2026-11-15T10:00:00.000000Z")
    for act in (entered(), *commercial()):
        book.do(act)
    book.do(SetTable(id="set", by="max", second="mia", table=rummy()))
    book.do(OpenTable(id="open", by="sue", number=1, found={"conditions": []}))
    book.do(CloseTable(id="close", by="sue", number=1))
    twice = book.do(paper("equipment-licensed", "licensed", "Felt and Sons", id="twice"))
    book.do(WithdrawPaper(id="w1", by="max", paper=twice.number, reason="Recorded twice."))
    book.do(WithdrawApproval(id="w2", by="max", second="mia", key="our-letter", reason="Replaced."))
    return book.entries


def place_of(command: str) -> int:
    return next(entry.number for entry in registered() if entry.command == command)


def test_the_register_is_proved_and_answered_from_the_file(tmp_path: Path) -> None:
    file = ledger_file(tmp_path / "x.jsonl", {"site": raw(registered())})
    assert wrong_row(file) == ("", 0)
    assert verify(file).right
    told = comply_of(ExportedBooks(file))
    assert [each.title for each in told.tables] == ["Triple Shot Rummy"]
    assert told.tables[0].conditions


NO_REGISTER = {
    name: value for name, value in registered()[place_of("set") - 1].facts["table"].items() if name != "on_file"
}
CHEATS: dict[str, tuple[str, dict[str, Any]]] = {
    "an approval by one person": ("enter-our-letter", {"second": ""}),
    "an approval without lines": ("enter-our-letter", {"lines": []}),
    "a paper by a supervisor": ("p-internal-controls-approved", {"by": "sue"}),
    "a paper without a digest": ("p-internal-controls-approved", {"sha256": "ab"}),
    "a paper before the one that it follows": ("p-internal-controls-approved", {"dated": "2026-05-31"}),
    "a paper of a day to come": ("p-internal-controls-approved", {"dated": "2026-12-24"}),
    "a paper that ends before it begins": ("p-internal-controls-approved", {"until": "2026-06-30"}),
    "a table that is not of the register": ("set", {"table": NO_REGISTER}),
    "a table opened by a manager": ("open", {"by": "max"}),
    "a table that is not there": ("open", {"number": 9}),
    "a table closed that was not open": ("close", {"number": 2}),
    "a paper withdrawn that is not there": ("w1", {"paper": 1}),
    "an approval withdrawn by one": ("w2", {"second": ""}),
}


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_register_sealed_anew_is_found(tmp_path: Path, cheat: str) -> None:
    command, facts = CHEATS[cheat]
    place = place_of(command)
    forged = resealed(registered(), place, lambda values: values["facts"].update(facts))
    file = ledger_file(tmp_path / "x.jsonl", {"site": raw(forged)})
    assert wrong_row(file) == ("site", place)
    report = verify(file)
    assert (report.wrong_stream, report.wrong_row) == ("site", place)
