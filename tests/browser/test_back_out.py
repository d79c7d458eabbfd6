"""Backing out an award in the console: from its page, with what would move, why, and a second person."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.support import COLOR, SUITED, Floor, Visit, assert_accessible, assert_fits, called, shoot
from tests.browser.test_console_signing import second_signs
from tests.web.support import LINK, MadeSite, serve

WHY = "The camera shows an eight."


@pytest.fixture(scope="module")
def office(made_site: MadeSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    with serve(made_site.copy(tmp_path_factory.mktemp("back-out"))) as server:
        yield Floor(server)


def won(floor: Floor, line: str) -> int:
    floor.start(1, 1, 2)
    award = called(floor, 1, 2, line)
    floor.confirm(1, award)
    floor.end(1)
    return award


def test_an_award_is_backed_out_from_its_page_by_two_people(visit: Visit, office: Floor) -> None:
    award = won(office, SUITED)
    display = visit("display-main", f"/display?link={LINK}", floor=office, ready=".meter", still=True)
    expect(display.locator(".meter")).to_contain_text("$10,0")
    page = visit("max", f"/console/awards/{LINK}/{award}", floor=office, width=1280, ready="#amount")
    expect(page.locator("#head .tag")).to_have_text("confirmed")
    button = page.get_by_role("button", name="Back out this award")
    button.focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("What goes back")
    expect(dialog).to_contain_text("The meter will show $10,002.30.")
    assert_accessible(page)
    shoot(page, "back-out-asked", whole=False)
    dialog.get_by_label("Why it is backed out").fill(WHY)
    second_signs(page, office, "max")
    visit.expect("status of 403")
    dialog.get_by_role("button", name="Back out this award").click()
    expect(dialog.get_by_role("alert")).to_contain_text("two")
    second_signs(page, office, "mia")
    dialog.get_by_role("button", name="Back out this award").click()
    expect(dialog).to_have_count(0)
    expect(page.locator("#done")).to_contain_text("is backed out")
    expect(page.locator("#head .tag")).to_have_text("BACKED OUT")
    expect(page.locator("#backed-out")).to_contain_text(WHY)
    expect(page.locator("#backed-out")).to_contain_text("Max (max), manager; Mia (mia), manager")
    people = page.locator("#people")
    expect(people).to_contain_text("Eve (eve), executive")
    expect(people).to_contain_text("Max (max), manager; Mia (mia), manager")
    expect(page.locator("#told")).to_contain_text("by two managers")
    expect(page.locator("#print")).to_be_hidden()
    expect(button).to_be_hidden()
    expect(page.locator("#jackpot")).to_be_hidden()  # no slip is issued for it
    expect(page.locator("#win-page")).to_have_text("Win page (PDF)")
    expect(page.locator("#checklist")).not_to_contain_text("ithhold")
    expect(display.locator(".meter")).to_have_text("$10,002.30")
    expect(display.locator(".winner")).to_have_count(0)
    assert_accessible(page)
    assert_fits(page)
    shoot(page, "back-out-done")

    past = visit("max", "/console/awards", floor=office, ready="#past table")
    past.get_by_label("Which awards").select_option("all")
    expect(past.locator("#past")).to_contain_text("BACKED OUT")
    expect(past.locator("#past")).to_contain_text(WHY)
    expect(past.locator("#past")).to_contain_text("Max (max), manager; Mia (mia), manager")


def test_who_may_not_is_not_offered_it(visit: Visit, office: Floor) -> None:
    award = won(office, COLOR)
    page = visit("sue", f"/console/awards/{LINK}/{award}", floor=office, ready="#amount")
    expect(page.locator("#head .tag")).to_have_text("confirmed")
    expect(page.get_by_role("button", name="Back out this award")).to_be_hidden()


def test_a_late_winner_of_the_whole_meter_is_paid_and_the_next_one_seeded(visit: Visit, office: Floor) -> None:
    page = visit("eve", "/console/adjust", floor=office, ready="#accounts strong")
    page.get_by_label("Lawful reason").select_option("amount-won")
    page.get_by_label("From where to where").select_option("players>meter")
    seed = page.get_by_label("seed the next one")
    expect(seed).to_be_hidden()
    page.get_by_label("From where to where").select_option("meter>players")
    page.get_by_label("Amount in dollars").fill("5000.00")
    page.get_by_label("What happened").fill("Found on the recording.")
    expect(page.locator("#preview")).not_to_contain_text("the house")
    seed.check()
    expect(page.locator("#preview")).to_contain_text("the house")
    assert_accessible(page)
    second_signs(page, office, "max")
    page.locator("#send").click()
    expect(page.locator("#result")).to_contain_text("The adjustment is done")
