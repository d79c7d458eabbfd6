"""A fixed pay that takes a card is told as what it is: in the list of awards, on its page, by day and in words."""

from __future__ import annotations

from dataclasses import replace

from croupier.audit.explain import explain, story
from croupier.floor.link.acts import CallSupervisor, VoidAward
from croupier.reports.accrual import accrual
from croupier.reports.awards import awards, last_awards
from croupier.reports.balance import meter_balance
from croupier.reports.books import Books
from croupier.reports.period import Period
from croupier.reports.sentences import SENTENCES
from croupier.reports.win_page import win_page
from support.room import COLOR, STYLE_A, SUPERVISOR, THREE, TWO, LinkBook
from tests.audit.books import Kept, raw

WHOLE, MADE_AT = Period(), "2026-11-16T08:00:00Z"


def evening() -> tuple[LinkBook, dict[str, int]]:
    """One high pay confirmed, one voided, one pending; a small one paid; a share beside them."""
    floor = LinkBook(replace(STYLE_A, fixed_pay_card_cents=100_000))
    floor.start(1, 1, 2, 3, 4, 5)
    found = {name: floor.enter(1, seat, THREE) for name, seat in (("confirmed", 5), ("voided", 4), ("pending", 1))}
    floor.enter(1, 3, TWO)
    found["share"] = floor.enter(1, 2, COLOR)
    floor.do(CallSupervisor, table=1)
    floor.confirm(found["confirmed"], by=SUPERVISOR)
    floor.do(VoidAward, by=SUPERVISOR, award=found["voided"], reason="The third seven was an eight.")
    return floor, found


def test_the_list_of_awards_and_the_day() -> None:
    floor, found = evening()
    books = Books(Kept(link_main=floor.entries))
    rows = {row.award: row for row in awards(books, WHOLE, MADE_AT).rows}
    for name in ("confirmed", "voided", "pending"):
        assert (rows[found[name]].what, rows[found[name]].status) == ("fixed pay", name)
        assert rows[found[name]].award_cents == 100_000
    sums = awards(books, WHOLE, MADE_AT).sums()
    assert sums["fixed_pays_cents"] == 100_000 + 12_500
    assert sums["pending_cents"] == 100_000 + floor.held(found["share"])
    assert not last_awards(books, WHOLE, MADE_AT).rows
    [day] = accrual(books, WHOLE, "2026-11-15T22:00:00Z").rows
    assert (day.fixed_pays, day.fixed_pays_cents, day.awards, day.difference_units) == (2, 112_500, 0, 0)
    [level] = meter_balance(books, WHOLE, MADE_AT).rows
    assert level.difference_units == 0
    assert level.closing_units == floor.link.state.shown_cents("") * 10**6


def test_its_page_and_its_story() -> None:
    floor, found = evening()
    books = Books(Kept(link_main=floor.entries))
    page = win_page(books, found["confirmed"], WHOLE, MADE_AT)
    assert (page.win.award_cents, page.win.status, page.win.meter_before_units) == (100_000, "confirmed", None)
    words = {name: explain("main", story("main", raw(floor.entries), found[name])).page() for name in found}
    assert "From so much on a fixed pay takes a card" in words["confirmed"]
    assert "confirmed with a supervisor's card" in words["confirmed"]
    assert "It was voided before a card had confirmed it, and nothing left the meters." in words["voided"]
    assert "Until then nothing leaves the meters." in words["pending"]


def test_what_the_events_say() -> None:
    floor, _ = evening()
    said = [SENTENCES[entry.kind](entry.facts) for entry in floor.entries]
    assert any("is held for a card." in each for each in said)
    assert any(each.startswith("Fixed pay") and "is confirmed:" in each for each in said)
    assert any(each.startswith("Fixed pay") and "is voided" in each for each in said)
