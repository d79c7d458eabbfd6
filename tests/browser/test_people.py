"""The page of people: a PIN that is still to be chosen, who is signed in where, and a key that ends it; and the
keypad's list of names."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.support import Floor, Visit
from tests.web.support import PINS


def test_a_session_is_seen_and_ended_from_the_page_of_people(visit: Visit, own_floor: Floor) -> None:
    visit.expect("status of 401")  # the key that the keypad sends before it hears that its session has ended
    dealer = visit("dan at keypad-1", "/keypad/1", floor=own_floor, ready="#seats button")
    page = visit("max", "/console/people", floor=own_floor, ready="#people li")
    dan = page.locator('#people [data-person="dan"]')
    expect(dan).to_contain_text("Signed in at table 1 since")
    expect(dan).to_contain_text("Last sign-in")
    expect(page.locator('#people [data-person="max"]')).to_contain_text("this session")
    for key in dan.get_by_role("button", name="End this session: Dan").all():
        assert key.is_visible()
        dan.get_by_role("button", name="End this session: Dan").first.click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("has to sign in again")
        dialog.get_by_role("button", name="End this session").click()
        expect(page.locator("#done")).to_contain_text("The session of Dan is ended.")
        expect(dialog).to_have_count(0)
    expect(dan).not_to_contain_text("Signed in at")
    dealer.click('[data-seat="1"]')
    dealer.click("#start")
    expect(dealer.locator("#person")).to_be_visible()
    expect(dealer.locator("#say")).to_contain_text("The sign-in at this table has ended, so the last key did nothing")
    dealer.reload()
    expect(dealer.locator("#say")).to_be_hidden()
    sue = visit("sue", "/console/people", floor=own_floor, ready="#people li")
    expect(sue.get_by_role("button", name="End this session")).to_have_count(0)


def test_a_pin_that_is_still_to_be_chosen_is_marked(visit: Visit, own_floor: Floor) -> None:
    page = visit("max", "/console/people", floor=own_floor, ready="#people li")
    page.select_option("#enrol-role", "supervisor")
    for field, value in {"#enrol-name": "Sam", "#enrol-person": "sam", "#enrol-pin": "915372"}.items():
        page.fill(field, value)
    page.fill("#enrol-second-card", own_floor.site.cards["mia"])
    page.fill("#enrol-second-pin", PINS["mia"])
    page.click("#enrol button[type=submit]")
    sam = page.locator('#people [data-person="sam"]')
    expect(sam).to_contain_text("PIN still to be chosen")
    expect(sam).to_contain_text("No sign-in on record")
    expect(page.locator('#people [data-person="sue"]')).not_to_contain_text("PIN still to be chosen")


def test_dealers_choose_their_name_and_are_at_one_table_until_two_people_allow_more(
    visit: Visit, own_floor: Floor
) -> None:
    office = visit("max", "/console/people", floor=own_floor, ready="#people li")
    office.click("#tables-change")
    dialog = office.get_by_role("dialog")
    dialog.get_by_label("second person's card").fill(own_floor.site.cards["mia"])
    dialog.get_by_label("second person's PIN").fill(PINS["mia"])
    dialog.get_by_role("button", name="Allow one table only").click()
    expect(office.locator("#tables-rule")).to_contain_text("A dealer is signed in at one table at a time.")
    visit.expect("409")
    page = visit("keypad-2", "/keypad/2", floor=own_floor, ready="#person")
    assert page.locator("#person option").all_inner_texts() == ["Choose your name", "Dan"]
    page.select_option("#person", label="Dan")  # who works at table 1
    page.click("button[type=submit]")
    expect(page.locator("#say")).to_contain_text("Dan is signed in at keypad-1")
