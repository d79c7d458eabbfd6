"""The console's Approvals: papers are recorded, an approval is entered, a table is set from the register and opened."""

from __future__ import annotations

from hashlib import sha256

from playwright.sync_api import Page, expect

from croupier.audit.comply import comply_of
from croupier.audit.export import open_existing
from croupier.floor.site.site import Site
from croupier.ledger.entry import SITE
from support.papers import OWN_LETTER
from tests.browser.support import WIDTHS, Floor, Visit, assert_accessible, assert_fits, shoot
from tests.web.support import PINS

DOCUMENT = b"Licence 4711 of the state."


def agree(page: Page, floor: Floor, form: str) -> None:
    page.fill(f"#{form}-second-card", floor.site.cards["mia"])
    page.fill(f"#{form}-second-pin", PINS["mia"])


def record(page: Page, condition: str, step: str, of: str = "") -> None:
    page.select_option("#paper-condition", condition)
    page.select_option("#paper-step", step)
    page.fill("#paper-of", of)
    page.fill("#paper-reference", f"{condition} {step} {of}".strip())
    page.fill("#paper-dated", "2026-07-01")
    page.set_input_files("#paper-file", {"name": "licence.pdf", "mimeType": "application/pdf", "buffer": DOCUMENT})
    expect(page.locator("#paper-sha256")).to_have_value(sha256(DOCUMENT).hexdigest())
    page.click("#record button[type=submit]")
    expect(page.locator("#done")).to_contain_text(f"Recorded: {condition} {step}")


def enter(page: Page, visit: Visit, own_floor: Floor) -> None:
    """First a file that is wrong, which is refused with its line."""
    page.click("#enter summary")
    page.fill("#enter-key", "our-letter")
    broken = OWN_LETTER.replace("number = 1", "number = 0").encode()
    page.set_input_files("#enter-file", {"name": "a.toml", "mimeType": "text/plain", "buffer": broken})
    agree(page, own_floor, "enter")
    visit.expect("status of 409")
    form = page.locator("#enter form", has=page.locator("#enter-file"))
    form.locator("button[type=submit]").click()
    expect(form.locator(".trouble")).to_contain_text("our-letter.toml, line 21: number is a whole number")
    page.set_input_files("#enter-file", {"name": "a.toml", "mimeType": "text/plain", "buffer": OWN_LETTER.encode()})
    agree(page, own_floor, "enter")
    form.locator("button[type=submit]").click()
    expect(page.locator("#done")).to_contain_text("letter 77, 2026-01-15 is on file.")
    expect(page.locator("#on-file")).to_contain_text("of this site")


def test_a_table_is_set_from_the_register_and_opens_by_its_papers(visit: Visit, own_floor: Floor) -> None:
    page = visit("max", "/console/site", floor=own_floor, ready="#now dd")
    page.check('input[value="washington/2"]')
    agree(page, own_floor, "site")
    page.click("#change button[type=submit]")
    expect(page.locator("#done")).to_contain_text("Saved")

    page.goto(page.url.replace("/console/site", "/console/approvals"))
    expect(page.locator('[data-table="1"]')).to_contain_text("may not be open")
    expect(page.locator('[data-table="1"]')).to_contain_text("was not set from the register")
    expect(page.locator("#says")).to_contain_text("not this program: a house needs an approval of its own")

    enter(page, visit, own_floor)

    page.click("#set-table summary")
    page.select_option("#table-title", label="Triple Shot Rummy")
    page.fill("#table-number", "9")
    page.check("#wager-pair-plus")
    page.get_by_label("Maximum on Pair Plus").fill("100.00")
    page.fill("#piece-model-1", "Layout 12")
    page.fill("#piece-maker-1", "Felt and Sons")
    agree(page, own_floor, "set")
    page.click("#set-table button[type=submit]")
    expect(page.locator("#done")).to_have_text("Table 9 is set.")
    ninth = page.locator('[data-table="9"]')
    expect(ninth).to_contain_text("No paper on record for Felt and Sons: layouts and equipment, licensed.")

    page.click("#record summary")
    record(page, "internal-controls", "submitted")
    record(page, "internal-controls", "approved")
    record(page, "equipment-licensed", "licensed", "Felt and Sons")
    expect(ninth.locator(".tag").first).to_have_text("may be open")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": WIDTHS[width]})
        assert_fits(page)
        shoot(page, f"console-approvals-{width}")
    assert_accessible(page)

    supervisor = visit("sue", "/console/approvals", floor=own_floor, ready='[data-table="9"]')
    supervisor.get_by_role("button", name="Open table 9").click()
    expect(supervisor.locator("#done")).to_have_text("Table 9 is open.")
    expect(supervisor.get_by_role("button", name="Close table 9")).to_be_visible()
    with open_existing(own_floor.site.settings.db) as store:
        entries = list(store.entries(SITE))
        told = comply_of(store)
    assert entries[-1].kind == "open-table"
    assert entries[-1].facts["found"]["profile"] == "washington/2"
    assert [each.table for each in told.tables if each.may_open] == [9]
    assert told.open_tables == {9}
    [limits] = Site.of_entries(entries).tables[9].limits
    assert (limits.wager, limits.least_cents, limits.most_cents) == ("pair-plus", 500, 10_000)
