"""The console in a browser: an adjustment by two, a refused configuration, an award voided, and who sees what."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.support import COLOR, Floor, Visit, assert_accessible, called, shoot
from tests.web.support import LINK, PINS


def second_signs(page: Page, floor: Floor, who: str, pin: str | None = None) -> None:
    page.get_by_label("The second person's card").fill(floor.site.cards[who])
    page.get_by_label("The second person's PIN").fill(pin or PINS[who])


def test_two_people_adjust_a_meter_and_get_its_note(visit: Visit, own_floor: Floor) -> None:
    visit.expect("status of 40[13]")
    before = own_floor.meter_cents()
    page = visit("max", "/console/adjust", floor=own_floor)
    page.get_by_label("Lawful reason").select_option("seed-recovery")
    page.get_by_label("Amount in dollars").fill("99,999.00")
    page.get_by_label("What happened").fill("The seed was put on twice.")
    expect(page.locator("#preview")).to_contain_text("cannot")
    expect(page.locator("#send")).to_be_disabled()

    page.get_by_label("Lawful reason").select_option("malfunction")
    page.get_by_label("From where to where").select_option("house>meter")
    page.get_by_label("Amount in dollars").fill("12.34")
    rows = page.locator("#preview tbody tr")
    expect(rows.nth(0)).to_contain_text("-$12.34")
    expect(rows.nth(1)).to_contain_text("$10,012.34")
    expect(rows.nth(2)).to_contain_text("$0.00")
    assert own_floor.meter_cents() == before

    second_signs(page, own_floor, "mia", pin="000001")
    page.get_by_role("button", name="Adjust").click()
    expect(page.locator("#say")).to_be_visible()
    second_signs(page, own_floor, "max")
    page.get_by_role("button", name="Adjust").click()
    expect(page.locator("#say")).to_contain_text("it takes two")
    assert own_floor.meter_cents() == before

    second_signs(page, own_floor, "mia")
    page.get_by_role("button", name="Adjust").click()
    expect(page.locator("#result")).to_contain_text("Signed by Max (max) and Mia (mia)")
    assert own_floor.meter_cents() == before + 1_234
    note = page.get_by_role("link", name="Adjustment note").get_attribute("href")
    answer = page.request.get(note or "")
    assert (answer.status, answer.body()[:4]) == (200, b"%PDF")


def test_the_form_of_a_new_link_is_filled_for_every_paytable_and_keeps_what_was_typed(
    visit: Visit, own_floor: Floor
) -> None:
    page = visit("max", "/console/new-link", floor=own_floor)

    def values(name: str, meters: int) -> list[str]:
        return [page.locator(f"[name={name}-{place}]").input_value() for place in range(meters)]

    page.get_by_label("Paytable").select_option("ML03")
    expect(page.locator("#funding")).to_contain_text("printed holds")
    assert values("seed", 3) == ["10000.00", "5000.00", "2500.00"]
    assert round(sum(map(float, values("contribution", 3) + values("reserve", 3))), 4) == 24
    page.locator("[name=seed-1]").fill("4000")
    page.get_by_label("Wager in dollars").fill("1")
    expect(page.locator("[name=seed-0]")).to_have_value("2000.00")
    assert values("seed", 3) == ["2000.00", "4000", "500.00"]

    page.get_by_label("Progressive wager").select_option("trilux")
    expect(page.locator("#funding")).to_contain_text("Filled in with a proposal")
    assert (values("seed", 1), values("contribution", 1), values("reserve", 1)) == (["1000.00"], ["13"], ["1"])


def test_a_configuration_against_the_rules_cannot_be_saved_and_a_lawful_one_can(visit: Visit, own_floor: Floor) -> None:
    own_floor.act(f"/api/links/{LINK}/close", reason="A new wager.")
    page = visit("max", f"/console/links/{LINK}/configure", floor=own_floor)
    save, wager = page.get_by_role("button", name="Save the configuration"), page.get_by_label("Wager in dollars")
    expect(page.locator("#verdict")).to_contain_text("cannot be saved")
    expect(page.locator("#findings")).to_contain_text("is the one that the link has")

    wager.fill("500")
    expect(page.locator("#findings li.error")).to_contain_text("WAC 230-15-140")
    expect(save).to_be_disabled()
    page.get_by_label("Contribution").fill("lots")
    expect(page.locator("#findings")).to_contain_text("write percent")
    page.get_by_label("Contribution").fill("20")
    wager.fill("10")
    expect(page.locator("#verdict")).to_contain_text("Every check passed")
    expect(page.locator("#proof code.digest")).to_have_text(re.compile("^[0-9a-f]{64}$"))
    page.set_viewport_size({"width": 1280, "height": 800})
    page.mouse.wheel(0, 4_000)
    checks, signing = (page.locator(name).bounding_box() for name in ("#right > section", "#save"))
    assert checks
    assert signing
    assert checks["y"] + checks["height"] <= signing["y"], "the checks cover what is signed"
    page.get_by_label("Seed").fill("500")
    expect(page.locator("#verdict")).to_contain_text("It can be saved")
    expect(page.locator("#findings li.warning").first).to_contain_text("000")
    assert own_floor.link()["setup"]["wager_cents"] == 500

    second_signs(page, own_floor, "eve")
    save.click()
    page.wait_for_url(re.compile(f"/console/links/{LINK}$"))
    setup = own_floor.link()["setup"]
    level = setup["levels"][0]
    assert (setup["wager_cents"], level["seed_cents"], level["contribution_ppm"]) == (1_000, 50_000, 200_000)

    page.get_by_role("button", name="Open the link").click()
    page.get_by_role("dialog").get_by_role("button", name="Open the link").click()
    expect(page.locator("#checked")).to_contain_text("the book is whole")
    expect(page.locator("#status")).to_have_text("open")


def test_a_supervisor_voids_an_award_from_the_console(visit: Visit, own_floor: Floor) -> None:
    own_floor.start(1, 1, 2)
    before = own_floor.meter_cents()
    called(own_floor, 1, 2, COLOR)
    page = visit("sue", "/console/awards", floor=own_floor)
    pending = page.locator("#pending .card")
    expect(pending).to_contain_text("Table 1, seat 2")
    expect(page.locator("#past")).to_contain_text('Fixed pays and voided awards are under "all".')
    pending.get_by_role("button", name="Void").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Why it is not right").fill("The third card is an eight.")
    dialog.get_by_label("Card").fill(own_floor.site.cards["sue"])
    dialog.get_by_role("button", name="Void").click()
    expect(page.locator("#pending")).to_contain_text("No award is pending")
    assert own_floor.meter_cents() == before
    page.get_by_label("Which awards").select_option("all")
    expect(page.locator("#past")).to_contain_text("The third card is an eight.")


def test_every_role_sees_its_own_work_and_no_other(visit: Visit) -> None:
    visit.expect("status of 403")
    page = visit("sue", "/console", ready="#links .meter")
    expect(page.locator("#next")).to_contain_text("waits for a card")
    sections = page.get_by_role("navigation", name="Console")
    expect(sections.get_by_role("link", name="Awards")).to_be_visible()
    expect(sections.get_by_role("link", name="Adjustments")).to_have_count(0)
    page.goto("/console/adjust")
    expect(page.get_by_role("alert")).to_contain_text("not for your role (supervisor)")

    page = visit("aud", "/console/awards", ready="#pending .card")
    expect(page.get_by_role("button", name="Confirm")).to_have_count(0)
    expect(page.get_by_role("button", name="Void")).to_have_count(0)
    page.goto(f"/console/links/{LINK}")
    expect(page.get_by_role("button", name="Self-check")).to_be_visible()
    expect(page.get_by_role("button", name="Close the link")).to_have_count(0)
    expect(page.get_by_role("link", name="Change it")).to_have_count(0)
    page.goto("/console/bank")
    expect(page.locator("#cover")).to_contain_text("$")
    expect(page.locator("form")).to_have_count(0)


def test_on_a_phone_what_one_came_for_is_on_the_first_screen(visit: Visit) -> None:
    page = visit("max", "/console/school", ready="#trainees table", width=390)
    ways = page.locator(".sections").bounding_box()
    assert ways
    assert ways["y"] + ways["height"] < 844 / 4
    expect(page.locator(".section-line [aria-current]")).to_be_in_viewport(ratio=0.9)
    expect(page.locator(".top nav [aria-current]")).to_be_in_viewport(ratio=0.9)
    expect(page.locator("#sound")).to_be_in_viewport(ratio=0.9)


def test_a_link_shows_its_configuration_as_it_is_and_the_approval_that_it_was_opened_with(
    visit: Visit, own_floor: Floor
) -> None:
    page = visit("max", f"/console/links/{LINK}", floor=own_floor, width=1280, ready="#approval .digest")
    link = own_floor.get(f"/api/links/{LINK}")
    expect(page.locator("#approval .digest")).to_have_text(link["configuration"])
    expect(page.locator("#approval")).to_contain_text("No approval was given")
    ppm = link["setup"]["levels"][0]["contribution_ppm"]
    share = f"{ppm / 10_000:.4f}".rstrip("0")
    shown = page.locator("#setup td[data-label='Contribution']").first.inner_text()
    assert float(shown.strip("%")) == float(share), "not rounded"
    own_floor.act(f"/api/links/{LINK}/close", "max", reason="")
    own_floor.act(f"/api/links/{LINK}/open", "max", approved=link["configuration"])
    page.reload()
    expect(page.locator("#approval")).to_contain_text("opened as the approved configuration")
    assert_accessible(page)
    shoot(page, "link-approval", whole=False)
