"""Jackpot slips: numbered, issued once for a confirmed award, paid once by somebody who did not confirm it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from croupier.compliance.authority import Denied, Role
from croupier.compliance.profile import Lawful
from croupier.errors import RecordError
from croupier.floor.forms import Signed
from croupier.floor.link.acts import Adjust, BackOut, Confirm, Identity, IssueSlip, PaidIn, PaySlip, Retire
from croupier.floor.link.brief import LinkBrief
from croupier.floor.link.link import Link, act_of, replay, same_link_act
from croupier.floor.refusals import No
from croupier.ledger.entry import Purpose
from croupier.reports.books import Books
from croupier.reports.period import Period
from croupier.reports.slips import slips
from support.room import (
    COLOR,
    DEALER,
    EXECUTIVE,
    MANAGER,
    ONE_METER,
    OTHER_MANAGER,
    SUITED,
    SUPERVISOR,
    THREE,
    LinkBook,
)
from tests.audit.books import Kept, housed, resealed, written
from tests.audit.test_verifier import verifier, wrong_row
from tests.floor.link.test_cycle import refused

CASHIER = Signed("cas", Role.CASHIER)
CASH: dict[str, Any] = {"paid_in": PaidIn.CASH, "by": MANAGER}


def won(line: str = COLOR, *, floor: LinkBook | None = None, seat: int = 2) -> tuple[LinkBook, int]:
    """An award that a card has confirmed, of a game that has ended."""
    floor = floor or LinkBook()
    floor.start(1, seat)
    award = floor.enter(1, seat, line)
    floor.confirm(award, by=EXECUTIVE)
    floor.end(1)
    return floor, award


def test_slips_are_numbered_and_say_what_was_confirmed() -> None:
    floor, first = won()
    _, second = won(floor=floor)
    slips = [floor.do(IssueSlip, by=SUPERVISOR, award=award) for award in (second, first)]
    assert [(slip.facts["slip"], slip.facts["award"]) for slip in slips] == [(1, second), (2, first)]
    card = next(entry for entry in floor.entries if entry.facts.get("award") == first and entry.kind == "confirm")
    assert (slips[1].facts["confirmed"], slips[1].facts["cents"]) == (card.digest, card.facts["cents"])
    assert slips[0].transfers == ()
    paid = floor.do(PaySlip, slip=2, **CASH)
    assert (paid.facts["award"], paid.facts["paid_cents"], paid.facts["paid_in"]) == (
        first,
        card.facts["cents"],
        "cash",
    )


def test_a_slip_is_issued_once_and_paid_once_for_an_award_that_stands() -> None:
    floor, award = won()
    refused(floor, No.NO_SLIP_FOR, IssueSlip, by=MANAGER, award=award + 1)
    refused(floor, Denied.NOT_ALLOWED, IssueSlip, by=DEALER, award=award)
    floor.do(IssueSlip, by=MANAGER, award=award)
    refused(floor, No.HAS_SLIP, IssueSlip, by=MANAGER, award=award)
    refused(floor, No.NO_SUCH_SLIP, PaySlip, slip=2, **CASH)
    refused(floor, Denied.OWN_AWARD, PaySlip, slip=1, paid_in=PaidIn.CASH, by=EXECUTIVE)
    floor.do(PaySlip, slip=1, **CASH)
    refused(floor, No.SLIP_PAID, PaySlip, slip=1, **CASH)


def test_a_cashier_issues_and_pays_a_slip_and_decides_no_award(tmp_path: Path) -> None:
    floor, award = won()
    floor.start(1, 2)
    other = floor.enter(1, 2, COLOR)
    refused(floor, Denied.NOT_ALLOWED, Confirm, by=CASHIER, award=other)
    refused(floor, Denied.NOT_ALLOWED, BackOut, by=CASHIER, second=EXECUTIVE, award=award, reason="camera")
    floor.do(IssueSlip, by=CASHIER, award=award)
    floor.do(PaySlip, by=CASHIER, slip=1, paid_in=PaidIn.CHECK)
    assert floor.entries[-1].facts["by"] == ["cas", "cashier"]
    assert wrong_row(written(tmp_path / "ledger.jsonl", floor.entries)) == ("", 0)


def test_an_award_that_was_put_right_is_paid_by_no_slip() -> None:
    floor, award = won()
    _, other = won(floor=floor)
    floor.do(IssueSlip, by=MANAGER, award=award)
    back: dict[str, Any] = {
        "level": "",
        "reason": Lawful.AMOUNT_WON,
        "source": Purpose.PLAYERS,
        "target": Purpose.METER,
    }
    for each in (award, other):
        floor.do(Adjust, by=MANAGER, second=EXECUTIVE, cents=5, text="camera", award=each, **back)
    refused(floor, No.PUT_RIGHT, IssueSlip, by=MANAGER, award=other)
    refused(floor, No.PUT_RIGHT, PaySlip, slip=1, **CASH)


def test_a_slip_of_an_award_that_was_backed_out_is_not_paid_and_holds_nobody_up(tmp_path: Path) -> None:
    floor, award = won()
    floor.do(IssueSlip, by=MANAGER, award=award)
    floor.do(BackOut, by=MANAGER, second=EXECUTIVE, award=award, reason="camera")
    refused(floor, No.PUT_RIGHT, PaySlip, slip=1, **CASH)
    floor.close()
    floor.do(Retire, by=MANAGER, second=OTHER_MANAGER, to="other")
    assert wrong_row(written(tmp_path / "ledger.jsonl", floor.entries)) == ("", 0)
    [row] = slips(Books(Kept(link_main=floor.entries)), Period(), "2026-11-16T12:00:00.000000Z").rows
    assert row.status == "backed out, not to be paid"


def test_a_winner_is_to_be_paid_until_a_slip_was_and_no_longer_where_the_award_does_not_stand() -> None:
    floor, first = won()
    _, second = won(floor=floor)
    _, third = won(floor=floor)

    def to_pay() -> dict[int, int]:
        again = LinkBrief.of(Link.of_snapshot(floor.link.snapshot()).state).to_pay
        assert LinkBrief.of(floor.link.state).to_pay == again  # kept in no snapshot: it follows from what is
        return {award: each.slip for award, each in again.items()}

    assert to_pay() == {first: 0, second: 0, third: 0}
    floor.do(IssueSlip, by=MANAGER, award=second)
    assert to_pay() == {first: 0, second: 1, third: 0}
    floor.do(PaySlip, slip=1, **CASH)
    assert to_pay() == {first: 0, third: 0}
    floor.do(BackOut, by=MANAGER, second=EXECUTIVE, award=third, reason="camera")
    assert to_pay() == {first: 0}


def test_a_link_retires_when_every_slip_is_paid() -> None:
    floor, award = won()
    floor.do(IssueSlip, by=MANAGER, award=award)
    floor.close()
    two: dict[str, Any] = {"by": MANAGER, "second": OTHER_MANAGER, "to": "other"}
    refused(floor, No.SLIP_UNPAID, Retire, **two)
    floor.do(PaySlip, slip=1, **CASH)
    floor.do(Retire, **two)


def test_a_fixed_pay_with_a_card_has_a_slip_too() -> None:
    floor, award = won(THREE, floor=LinkBook(replace(ONE_METER, fixed_pay_card_cents=100_000)))
    assert floor.do(IssueSlip, by=MANAGER, award=award).facts["cents"] == 100_000


def test_slips_are_kept_in_snapshots_and_read_back_from_entries() -> None:
    floor, award = won()
    _, other = won(floor=floor)
    floor.do(IssueSlip, by=MANAGER, award=award)
    floor.do(PaySlip, slip=1, **CASH)
    floor.do(IssueSlip, by=MANAGER, award=other)
    link = replay("main", floor.entries)
    assert link.state.slips == floor.link.state.slips
    again = Link.of_snapshot(link.snapshot())
    assert (again.state.slips, again.state.payable) == (link.state.slips, link.state.payable)
    act = act_of("pay-slip", floor.entries[-2].command, floor.entries[-2].facts)
    assert same_link_act(act, floor.entries[-2])


def test_an_award_of_an_older_book_has_no_slip() -> None:
    """Its confirmation is of the first form, and its book is decided by it as it was."""
    floor = LinkBook()
    floor.start(1, 2)
    award = floor.enter(1, 2, COLOR)
    card = floor.do(Confirm, by=SUPERVISOR, award=award, form=1)
    assert "form" not in card.facts
    assert replay("main", floor.entries).state.payable == {}
    refused(floor, No.NO_SLIP_FOR, IssueSlip, by=MANAGER, award=award)


# What the checklist asks


def test_what_the_checklist_asks_is_on_the_slip_and_takes_a_document() -> None:
    """In a house, whose profile calls for papers at such an amount."""
    floor, award = won(SUITED, floor=LinkBook(link=housed()))
    slip = floor.do(IssueSlip, by=MANAGER, award=award)
    assert slip.facts["asks"] == ["tax-slip", "withholding", "currency-report"]
    withheld = (slip.facts["cents"] - 500) * 24 // 100
    assert slip.facts["withheld_cents"] == withheld
    sentence = refused(floor, No.IDENTITY_NEEDED, PaySlip, slip=1, **CASH)
    assert "tax slip, withholding, currency report" in sentence
    paid = floor.do(PaySlip, slip=1, identity=Identity.PASSPORT, **CASH)
    assert paid.facts["paid_cents"] == slip.facts["cents"] - withheld


def put(change: dict[str, Any]) -> Callable[[dict[str, Any]], None]:
    return lambda values: values["facts"].update(change)


def test_the_second_verifier_follows_slips_and_finds_each_false_word(tmp_path: Path) -> None:
    floor, award = won()
    floor.do(IssueSlip, by=MANAGER, award=award)
    floor.do(PaySlip, slip=1, paid_in=PaidIn.CASH_AND_CHECK, identity=Identity.PASSPORT, by=MANAGER)
    entries = floor.entries
    assert wrong_row(written(tmp_path / "right.jsonl", entries)) == ("", 0)
    issued, paid = len(entries) - 1, len(entries)
    for row, change in (
        (issued, {"slip": 2}),
        (issued, {"cents": 1}),
        (issued, {"withheld_cents": 1}),
        (issued, {"asks": ["tax-slip"]}),
        (issued, {"confirmed": "0" * 64}),
        (issued, {"by": ["ann", "dealer"]}),
        (paid, {"slip": 2}),
        (paid, {"paid_cents": 1}),
        (paid, {"paid_in": "gold"}),
        (paid, {"identity": "a smile"}),
        (paid, {"by": ["eve", "executive"]}),
    ):
        altered = resealed(entries, row, put(change))
        (tmp_path / "wrong.jsonl").unlink(missing_ok=True)
        assert wrong_row(written(tmp_path / "wrong.jsonl", altered))[1] == row, change
        with pytest.raises(RecordError):
            replay("main", altered)
    assert tuple(map(str, Identity)) == verifier.IDENTITIES
    assert tuple(map(str, PaidIn)) == verifier.PAID_IN
