"""The site's page: name, rules, clock, key and backups, changed by two people in a browser and entered in the book."""

from __future__ import annotations

import hashlib

from playwright.sync_api import Page, expect

from croupier.audit.export import open_existing
from croupier.audit.verify import verify
from croupier.compliance.profile import find_profile
from croupier.floor.site.site import Site
from croupier.ledger.entry import SITE
from croupier.program import program
from tests.browser.support import WIDTHS, Floor, Visit, assert_accessible, assert_fits, shoot
from tests.web.support import PINS


def agree(page: Page, floor: Floor, who: str = "mia") -> None:
    page.fill("#site-second-card", floor.site.cards[who])
    page.fill("#site-second-pin", PINS[who])


def test_two_people_change_name_rules_and_clock_at_once(visit: Visit, own_floor: Floor) -> None:
    page = visit("max", "/console/site", floor=own_floor, ready="#now dd")
    page.fill("#title", "The Corner Room")
    page.fill("#zone", "America/Denver")
    expect(page.locator("#zone-hint")).to_contain_text("there now")
    page.select_option("#day_begins", "7")
    page.check('input[value="tribal/2"]')
    agree(page, own_floor)
    page.click("#change button[type=submit]")
    expect(page.locator("#done")).to_have_text("Saved: the name, the jurisdiction, time zone and gaming day.")
    expect(page.locator("#now")).to_contain_text("America/Denver")
    expect(page.locator("#now")).to_contain_text("07:00")
    with open_existing(own_floor.site.settings.db) as store:
        entries = list(store.entries(SITE))
    assert [each.kind for each in entries[-3:]] == ["rename-site", "choose-profile", "set-clock"]
    assert all((each.facts["by"], each.facts["second"]) == ("max", "mia") for each in entries[-3:])
    assert all(each.facts["agreed"]["signature"] for each in entries[-3:])
    site = Site.of_entries(entries)
    assert (site.title, site.profile, site.zone, site.day_begins) == (
        "The Corner Room",
        "tribal/2",
        "America/Denver",
        7,
    )
    assert Site.of_snapshot(site.snapshot()) == site
    page.reload()
    expect(page.locator(".brand")).to_have_text("The Corner Room")
    expect(page.locator(".foot")).to_contain_text("Tribal gaming operations in Washington")


def test_a_site_of_an_older_edition_is_told_so_and_two_people_take_the_newer_one(
    visit: Visit, own_floor: Floor
) -> None:
    page = visit("max", "/console/site", floor=own_floor, ready="#now dd")
    assert page.input_value("input[name=profile]:checked") == "washington"
    expect(page.locator("#now")).to_contain_text("Edition 1; washington/2 is newer.")
    expect(page.locator("#zone")).not_to_have_value("")  # the form has what holds now
    page.check('input[value="washington/2"]')
    agree(page, own_floor)
    page.click("#change button[type=submit]")
    expect(page.locator("#done")).to_have_text("Saved: the jurisdiction.")
    expect(page.locator("#now")).to_contain_text("Edition 2, after the law of 2025-08-01.")
    page.reload()
    expect(page.locator("#now")).to_contain_text("any number of games a hand")
    expect(page.locator('input[value="washington"]')).to_have_count(0)
    assert_accessible(page)
    with open_existing(own_floor.site.settings.db) as store:
        last = list(store.entries(SITE))[-1]
    assert (last.facts["was"], last.facts["profile"]) == ("washington", "washington/2")
    assert last.facts["profile_digest"] == find_profile("washington/2").digest


def test_a_month_is_reconciled_and_a_removal_is_planned_before_a_link_is_retired(
    visit: Visit, own_floor: Floor
) -> None:
    visit.expect("status of 4(09|22)")
    page = visit("max", "/console/bank", floor=own_floor, ready="#cover .figure")
    page.fill("#month", "2026-10")
    page.fill("#statement", "10,000")
    page.fill("#fund", "10,000")
    page.click("#reconcile button[type=submit]")
    expect(page.locator("#reconcile .trouble")).to_contain_text("no month 2026-10 that is over")
    assert_accessible(page)
    shoot(page, "bank-reconcile")
    page.goto(f"{own_floor.server.url}/console/site")
    expect(page.locator("#zone")).not_to_have_value("")  # the form has what holds now
    page.check('input[value="washington/2"]')
    agree(page, own_floor)
    page.click("#change button[type=submit]")
    expect(page.locator("#done")).to_have_text("Saved: the jurisdiction.")
    page.goto(f"{own_floor.server.url}/console/links/main")
    page.get_by_role("button", name="Plan the removal").click()
    expect(page.locator("dialog")).to_contain_text("posted at the tables for 10 days")
    page.fill("#removal-plan", "letter of 2 November")
    page.fill("#removal-approved", "2026-01-02")
    page.fill("#removal-posted", "2026-01-01")
    page.fill("#plan-removal-second-card", own_floor.site.cards["mia"])
    page.fill("#plan-removal-second-pin", PINS["mia"])
    page.click("dialog button[type=submit]")
    expect(page.locator("dialog [role=alert]")).to_contain_text("A plan is approved first, then posted")
    page.fill("#removal-posted", "2026-01-03")
    assert_accessible(page)
    shoot(page, "plan-removal", whole=False)
    page.click("dialog button[type=submit]")
    expect(page.locator("#done")).to_have_text("The plan to remove the link main is on record.")
    with open_existing(own_floor.site.settings.db) as store:
        site = Site.of_entries(store.entries(SITE))
    assert site.removals["main"] == ("letter of 2 November", "2026-01-02", "2026-01-03", "another-progressive")


def test_a_removed_prize_is_given_to_a_nonprofit_organization(visit: Visit, own_floor: Floor) -> None:
    visit.expect("status of 409")
    page = visit("max", "/console/site", floor=own_floor, ready="#now dd")
    expect(page.locator("#zone")).not_to_have_value("")  # the form has what holds now
    page.check('input[value="washington/2"]')
    agree(page, own_floor)
    page.click("#change button[type=submit]")
    expect(page.locator("#done")).to_have_text("Saved: the jurisdiction.")
    page.goto(f"{own_floor.server.url}/console/links/main")

    def second(act: str) -> None:
        page.fill(f"#{act}-second-card", own_floor.site.cards["mia"])
        page.fill(f"#{act}-second-pin", PINS["mia"])

    page.get_by_role("button", name="Plan the removal").click()
    for name, text in (("plan", "letter of 2 November"), ("approved", "2026-01-02"), ("posted", "2026-01-03")):
        page.fill(f"#removal-{name}", text)
    page.select_option("#removal-destination", "nonprofit")
    second("plan-removal")
    page.click("dialog button[type=submit]")
    expect(page.locator("#done")).to_have_text("The plan to remove the link main is on record.")
    page.get_by_role("button", name="Close the link").click()
    page.fill("dialog [name=reason]", "It is removed.")
    page.click("dialog button[type=submit]")
    page.get_by_role("button", name="Retire", exact=True).click()
    expect(page.locator("dialog")).to_contain_text("until it is given to a nonprofit gambling organization")
    second("retire")
    page.click("dialog button[type=submit]")
    page.get_by_role("button", name="Give the prize").click()
    left = page.input_value("#give-amount")
    page.fill("#give-recipient", "Harbor Youth Bingo")
    page.fill("#give-reference", "check 1042")
    page.fill("#give-amount", "99,999")  # the account would hold it
    second("give-prize")
    assert_accessible(page)
    shoot(page, "give-prize", whole=False)
    page.click("dialog button[type=submit]")
    expect(page.locator("dialog [role=alert]")).to_contain_text("is left to give")
    page.fill("#give-amount", left)
    second("give-prize")
    page.click("dialog button[type=submit]")
    expect(page.locator("#status")).to_have_text("retired")
    expect(page.get_by_role("button", name="Give the prize")).to_have_count(0)
    with open_existing(own_floor.site.settings.db) as store:
        site = Site.of_entries(store.entries(SITE))
    assert f"{site.given['main'] / 100:.2f}" == left


def test_a_refused_change_says_why_keeps_what_was_typed_and_changes_nothing(visit: Visit, own_floor: Floor) -> None:
    visit.expect("status of 40[13]|status of 422")
    page = visit("max", "/console/site", floor=own_floor, ready="#now dd")
    agree(page, own_floor)
    page.click("#change button[type=submit]")
    expect(page.locator("#change .trouble")).to_contain_text("change a value first")
    page.fill("#title", "The Corner Room")
    page.fill("#site-second-card", own_floor.site.cards["sue"])  # a supervisor
    page.fill("#site-second-pin", PINS["sue"])
    page.click("#change button[type=submit]")
    expect(page.locator("#change .trouble")).to_contain_text("supervisor may not change a configuration")
    assert page.input_value("#title") == "The Corner Room"
    assert page.input_value("#site-second-pin") == PINS["sue"]
    assert own_floor.get("/api/site")["title"] != "The Corner Room"
    page.fill("#title", own_floor.get("/api/site")["title"])
    page.fill("#zone", "Mars/Olympus")
    expect(page.locator("#zone-hint")).to_contain_text("no such time zone")
    agree(page, own_floor)
    page.click("#change button[type=submit]")
    expect(page.locator("#change .trouble")).to_contain_text("Mars/Olympus")


def test_a_backup_is_made_from_the_page_proved_and_on_record(visit: Visit, own_floor: Floor) -> None:
    page = visit("max", "/console/site", floor=own_floor, ready="#now dd")
    expect(page.locator("#backup")).to_contain_text("none yet")
    page.click("#make-backup button[type=submit]")
    expect(page.locator("#done")).to_contain_text("The backup is made")
    expect(page.locator("#backup")).to_contain_text("by Max (max)")
    noted = own_floor.get("/api/site")["backup"]
    file = own_floor.site.settings.backups_path() / noted["file"]
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert hashlib.sha256(file.read_bytes()).hexdigest() == noted["digest"]
    assert verify(file).right
    with page.expect_download() as download:
        page.click("#take-backup")
    assert download.value.path().read_bytes() == file.read_bytes()
    assert download.value.suggested_filename == noted["file"]
    page.reload()
    expect(page.locator("#backup")).to_contain_text(noted["digest"])


def test_the_page_for_each_width_and_for_those_who_only_read(visit: Visit, own_floor: Floor) -> None:
    page = visit("max", "/console/site", floor=own_floor, ready="#now dd")
    expect(page.locator(".foot .digest")).to_have_text(program().digest)
    assert_accessible(page)
    for width in WIDTHS:
        shoot(page, "console-site", width)
        assert_fits(page)
    page = visit("sue", "/console/site", floor=own_floor, ready="#now dd")
    assert not page.query_selector("#change")
    assert not page.query_selector("#make-backup")
