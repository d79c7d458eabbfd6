"""The cage's papers in the console: a slip issued, printed and paid, and reports whose amounts are seen at once."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.support import (
    COLOR,
    SUITED,
    WIDTHS,
    Floor,
    Visit,
    assert_accessible,
    assert_fits,
    called,
    shoot,
    sign_in_first,
)
from tests.web.support import LINK, PINS

GIVEN, CHOSEN = "915372", "470826"

CUT = """() => [...document.querySelectorAll("main .wide, main [tabindex='0']")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.scrollWidth - each.clientWidth)"""


def won(floor: Floor, line: str) -> int:
    floor.start(1, 2)
    award = called(floor, 1, 2, line)
    floor.confirm(1, award)
    floor.end(1)
    return award


def told(page: Page, name: str) -> Locator:
    return page.locator(f"#jackpot-facts dt:text-is('{name}') + dd")


def fact(page: Page, name: str) -> str:
    return told(page, name).inner_text()


def test_a_slip_is_issued_printed_and_paid_on_the_awards_page(visit: Visit, own_floor: Floor) -> None:
    visit.expect("status of 422|status of 409")  # a payment without a document
    award = won(own_floor, SUITED)
    page = visit(
        "mia", f"/console/awards/{LINK}/{award}", floor=own_floor, width=1280, ready="#jackpot-issue:not([hidden])"
    )
    page.click("#jackpot-issue")
    expect(page.locator("#jackpot-said")).to_have_text("Slip 1 is issued: print it for the cage.")
    assert fact(page, "Asks for").startswith("tax slip, withholding")
    assert "withheld" in fact(page, "To pay")
    paper = own_floor.get(f"/api/links/{LINK}/awards/{award}/slip")["rows"][0]
    assert (paper["slip"], paper["paid_at"]) == (1, "")
    page.click("#jackpot-pay button")
    expect(page.locator("#jackpot-pay .trouble")).to_contain_text("calls for the player's identity")
    expect(page.locator("#jackpot-pay .trouble")).to_be_in_viewport()
    expect(page.locator("#identity")).to_be_focused()
    expect(page.locator("#identity")).to_have_attribute("aria-invalid", "true")
    page.select_option("#paid-in", "check")
    page.select_option("#identity", "passport")
    assert_accessible(page)
    shoot(page, "award-slip")
    page.click("#jackpot-pay button")
    expect(page.locator("#jackpot-said")).to_have_text("The payment of slip 1 is on record.")
    expect(page.locator("#jackpot-pay")).to_be_hidden()
    expect(told(page, "Paid")).to_have_text(re.compile("^" + re.escape("Mia (mia), manager")))
    assert fact(page, "Identity seen") == "passport"
    assert own_floor.kinds()[-2:] == ["issue-slip", "pay-slip"]
    answer = page.request.get(str(page.get_attribute("#jackpot-print", "href")))
    assert answer.body().startswith(b"%PDF-")


def test_winners_who_are_not_paid_are_seen_at_once_and_lead_to_their_slips(visit: Visit, own_floor: Floor) -> None:
    page = visit("mia", "/console", floor=own_floor, width=1280, ready="#next li")
    expect(page.locator("#next")).to_contain_text("Nothing is shut")
    award = won(own_floor, COLOR)
    matter = page.locator("#next .matter.waiting", has_text="the winner is not paid")
    expect(matter).to_contain_text("it has no slip yet")
    assert_accessible(page)
    shoot(page, "overview-to-pay", whole=False)
    page.goto("/console/awards")
    expect(page.locator("#to-pay-list tbody tr")).to_have_count(1)
    expect(page.locator("#to-pay-list")).to_contain_text("no slip yet")
    expect(page.locator("#past tbody tr")).to_contain_text("no slip yet")
    assert_accessible(page)
    shoot(page, "awards-to-pay", whole=False)
    page.get_by_role("link", name=f"Slip of award {award}").click()
    expect(page.locator("#jackpot-issue")).to_be_in_viewport()
    page.click("#jackpot-issue")
    page.goto("/console/awards")
    expect(page.locator("#to-pay-list")).to_contain_text("slip 1, not paid")
    own_floor.act(f"/api/links/{LINK}/pay-slip", "mia", slip=1, paid_in="cash")
    page.reload()
    expect(page.locator("#past tbody tr")).to_have_count(1)
    expect(page.locator("#to-pay")).to_be_hidden()


def test_who_confirmed_an_award_does_not_pay_its_slip(visit: Visit, own_floor: Floor) -> None:
    visit.expect("status of 403")
    award = won(own_floor, COLOR)
    page = visit(
        "eve", f"/console/awards/{LINK}/{award}", floor=own_floor, width=1280, ready="#jackpot-issue:not([hidden])"
    )
    page.click("#jackpot-issue")
    page.click("#jackpot-pay button")
    expect(page.locator("#jackpot-pay .trouble")).to_have_text(
        "You confirmed this award: another supervisor, executive, manager or cashier pays its slip."
    )
    assert own_floor.kinds()[-1] == "issue-slip"


def enrolled(visit: Visit, floor: Floor) -> str:
    """The cashier's new card."""
    page = visit("max", "/console/people", floor=floor, ready="#people li")
    page.select_option("#enrol-role", "cashier")
    fields = {"name": "Cas Lund", "person": "cas", "pin": GIVEN}
    fields |= {"second-card": floor.site.cards["mia"], "second-pin": PINS["mia"]}
    for name, value in fields.items():
        page.fill(f"#enrol-{name}", value)
    page.click("#enrol button[type=submit]")
    expect(page.locator("#done")).to_contain_text("Cas Lund is enrolled as cashier.")
    return page.inner_text("#secret")


def test_a_cashier_pays_a_winner_and_sees_nothing_else(visit: Visit, own_floor: Floor) -> None:
    card = enrolled(visit, own_floor)
    page = visit("", "/sign-in", floor=own_floor)
    sign_in_first(page, card, GIVEN, CHOSEN)
    expect(page.locator("h1")).to_have_text("Cage")
    expect(page.locator("#to-pay-list")).to_have_text("Nobody waits to be paid.")
    won(own_floor, SUITED)
    expect(page.locator("#to-pay-list")).to_contain_text(re.compile(r"\$10,[\d,.]+ won, \$2,[\d,.]+ withheld for tax"))
    page.get_by_role("link", name="Issue the slip").click()
    expect(page.locator("#head")).to_contain_text(SUITED)
    page.click("#jackpot-issue")
    expect(page.locator("#jackpot-said")).to_have_text("Slip 1 is issued: print it for the cage.")
    page.select_option("#paid-in", "check")
    page.select_option("#identity", "passport")
    for width in WIDTHS:
        shoot(page, "cage-slip", width)
        assert_fits(page)
    assert_accessible(page)
    page.click("#jackpot-pay button")
    expect(page.locator("#jackpot-said")).to_have_text("The payment of slip 1 is on record.")
    expect(told(page, "Paid")).to_have_text(re.compile("^" + re.escape("Cas Lund (cas), cashier")))
    assert page.request.get(str(page.get_attribute("#jackpot-print", "href"))).body().startswith(b"%PDF-")
    page.get_by_role("link", name="Back to the cage").click()
    expect(page.locator("#to-pay-list")).to_have_text("Nobody waits to be paid.")
    expect(page.locator("#slips tbody tr")).to_contain_text("Cas Lund (cas), cashier")
    for width in WIDTHS:
        shoot(page, "cage", width)
        assert_fits(page)
    assert_accessible(page)
    assert page.locator("nav.sections a").all_inner_texts() == ["Cage"]
    assert page.locator("header nav a").first.get_attribute("href") == "/console/cage"
    visit.expect("status of 403")
    for path in ("/console/awards", "/console/people", "/console/bank", "/console", "/api/links/main"):
        answer = page.goto(path)
        assert answer is not None
        assert answer.status == 403, path
    page.goto("/console/awards")
    expect(page.locator(".state").get_by_role("link", name="Cage")).to_have_attribute("href", "/console/cage")


@pytest.mark.parametrize("report", ["awards", "last-awards", "slips", "shift", "adjustments"])
def test_amounts_come_first_and_the_whole_table_is_seen_at_1280(visit: Visit, own_floor: Floor, report: str) -> None:
    award = won(own_floor, SUITED)
    own_floor.act(f"/api/links/{LINK}/issue-slip", "mia", award=award)
    if report == "adjustments":
        won(own_floor, COLOR)
    path = f"/console/reports/{report}?which=all"
    page = visit("mia", path, floor=own_floor, width=1280, ready="#report .facts")
    shoot(page, f"report-{report}", whole=False)
    assert page.evaluate(CUT) == []
    if report != "adjustments":
        first = page.locator("#report section table tbody tr").first.locator("th, td").first
        assert first.inner_text().startswith("$")
    assert_accessible(page)


@pytest.mark.parametrize("width", [820, 390])
def test_on_a_narrow_screen_every_row_of_a_report_is_whole_with_its_names(
    visit: Visit, own_floor: Floor, width: int
) -> None:
    won(own_floor, COLOR)
    page = visit(
        "mia", "/console/reports/awards?which=all", floor=own_floor, width=width, ready="#report section table"
    )
    assert page.evaluate(CUT.replace("main .wide, main [tabindex='0']", "#report section .wide")) == []
    status = page.locator("#report section td[data-label='Status']")
    expect(status).to_have_text("confirmed")
    status.scroll_into_view_if_needed()
    expect(status).to_be_in_viewport(ratio=1)
    entered = page.locator("#report section td[data-label='Entered'] .whole").first
    assert entered.evaluate("each => each.getClientRects().length") == 1, "a date does not break inside"
    assert_accessible(page)
    shoot(page, "report-awards-narrow")
