"""A call is heard: on every page of the console, with its age, a key to take it, and a sound once it is allowed."""

from __future__ import annotations

import re
from datetime import date

from playwright.sync_api import expect

from tests.browser.support import COLOR, SUITED, Floor, Visit, called
from tests.web.support import LINK

PLACES = (
    "/console",
    "/console/people",
    "/console/reports",
    "/console/proof",
    f"/console/links/{LINK}",
    "/console/days",
)
AS_ALARM = """
(part) => {
  const fill = document.createElement('span');
  fill.style.background = 'var(--alarm-fill)';
  part.append(fill);
  const before = getComputedStyle(part).backgroundColor;
  part.classList.add('alarm');
  const [red, now] = [getComputedStyle(fill).backgroundColor, getComputedStyle(part).backgroundColor];
  part.classList.remove('alarm');
  fill.remove();
  return before !== red && now === red;
}
"""


def test_a_call_is_seen_on_every_page_and_taken_from_there(visit: Visit, own_floor: Floor) -> None:
    sue = visit("sue", "/console/reports", floor=own_floor, ready=".grid h2")
    expect(sue.locator("#calls")).to_be_hidden()
    own_floor.start(1, 1, 2)
    called(own_floor, 1, 2, COLOR)
    expect(sue.locator("#calls")).to_contain_text("Table 1 calls a supervisor.")
    expect(sue.locator("#calls .call-age")).to_have_text(re.compile(r"^\d+:\d\d$"))
    expect(sue.locator("#calls-badge")).to_have_text("1")
    assert sue.title().startswith("(1) ")
    for path in PLACES:
        sue.goto(path)
        expect(sue.locator("#calls")).to_contain_text("Table 1 calls a supervisor.")
    aud = visit("aud", "/console", floor=own_floor, ready="#calls li")
    expect(aud.get_by_role("button", name="Take this call")).to_have_count(0)
    for part in (".call-line", "#calls-badge"):  # as after two minutes
        assert sue.locator(part).first.evaluate(AS_ALARM), f"{part} is not red"
    sue.get_by_role("button", name="Take this call").click()
    expect(sue.locator("#calls")).to_contain_text("Sue goes to table 1.")
    expect(aud.locator("#calls")).to_contain_text("Sue goes to table 1.")
    assert not sue.title().startswith("(")
    facts = own_floor.get("/api/log?kind=take-call", "aud")
    assert "The call of table 1" in str(facts)


def test_sound_is_off_until_somebody_turns_it_on_and_stops_when_the_call_is_taken(
    visit: Visit, own_floor: Floor
) -> None:
    page = visit("sue", "/console/awards", floor=own_floor, ready="#sound")
    key = page.locator("#sound")
    expect(key).to_have_text("Turn sound on")
    own_floor.start(1, 1, 2)
    called(own_floor, 1, 2, COLOR)
    expect(page.locator("#calls li")).to_be_visible()
    assert page.locator("#calls").get_attribute("data-rings") is None
    key.focus()
    page.keyboard.press("Enter")
    expect(key).to_have_text("Sound is on")
    expect(page.locator("#calls")).to_have_attribute("data-rings", re.compile(r"\d"))
    page.get_by_role("button", name="Take this call").click()
    expect(page.locator("#calls")).to_contain_text("Sue goes to table 1.")
    rings = page.locator("#calls").get_attribute("data-rings")
    page.wait_for_timeout(6_000)
    assert page.locator("#calls").get_attribute("data-rings") == rings
    key.click()
    expect(key).to_have_text("Turn sound on")


def test_the_overview_says_what_is_shut_or_short_first_and_what_is_missing_now(visit: Visit, own_floor: Floor) -> None:
    page = visit("eve", "/console", floor=own_floor, ready="#next li")
    expect(page.locator("#next")).to_contain_text("Nothing is shut, short, overdue or waiting.")
    own_floor.act("/api/site/declare-bank", balance_cents=400_000)
    shut = page.locator("#next .matter.shut")
    expect(shut.locator("strong").first).to_have_text(f"Link {LINK} is shut: the bank is short")
    expect(shut.locator(".amount")).to_have_text("$6,000.00")
    bar = page.locator(".cover-bar")
    expect(bar).to_have_js_property("value", 400_000)
    expect(bar).to_have_js_property("max", 1_000_000)
    expect(shut).to_contain_text("Deposit $6,000.00 now")
    expect(shut.get_by_role("link", name="To the bank")).to_be_visible()
    assert page.locator("#next li").first.get_attribute("class") == "matter shut"
    own_floor.act("/api/site/deposit", amount_cents=100_000, reference="slip 1")
    expect(shut).to_contain_text("Deposit $5,000.00 now")
    page.goto(f"/console/links/{LINK}")
    expect(page.locator("#stopped")).to_contain_text("deposit $5,000.00 now")
    own_floor.act("/api/site/deposit", amount_cents=500_000, reference="slip 2")
    page.goto("/console")
    expect(shut).to_contain_text("nothing is missing at the bank anymore")
    shut.get_by_role("link", name=f"Open {LINK}").click()
    expect(page.locator("#stopped")).to_contain_text("Nothing is missing now")


def test_an_award_above_the_threshold_leads_a_supervisor_to_where_it_waits(visit: Visit, own_floor: Floor) -> None:
    own_floor.start(1, 2)
    called(own_floor, 1, 2, SUITED)
    sue = visit("sue", "/console", floor=own_floor, ready="#next .matter")
    matter = sue.locator("#next .matter", has_text="waits for a card")
    expect(matter).to_contain_text("for an executive")
    matter.get_by_role("link", name="Look at it").click()
    expect(sue.locator("#pending .card")).to_contain_text("Table 1, seat 2")


def test_a_day_to_be_closed_is_everybodys_matter_with_a_key_for_those_who_close_it(
    visit: Visit, own_floor: Floor
) -> None:
    own_floor.server.kill()
    own_floor.server.ahead_h = 48
    own_floor.server.start_again()
    own_floor.server.wait_ready()
    told = own_floor.get("/api/days")
    days = [each["day"] for each in told["open"]]
    first, today = (date.fromisoformat(told[name]) for name in ("first", "today"))
    assert len(days) == (today - first).days >= 2, "one more where a day began after the room was made"
    eve = visit("eve", "/console", floor=own_floor, ready="#next .overdue")
    expect(eve.locator("#next .overdue")).to_have_count(len(days))
    expect(eve.get_by_role("link", name=f"Close the day {days[0]}")).to_be_visible()
    sue = visit("sue", "/console", floor=own_floor, ready="#next .overdue")
    expect(sue.locator("#next")).not_to_contain_text("Nothing is")
    expect(sue.locator("#next .overdue").first).to_contain_text("for an executive or a manager")
    expect(sue.locator("#next").get_by_role("link")).to_have_count(0)
