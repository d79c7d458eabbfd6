"""The console's pages of people and records: cards by two people, the log, reports, proofs, and the end of a day."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect
from typer.testing import CliRunner

from croupier.cli.app import app
from croupier.ledger.entry import UNITS_PER_CENT
from tests.browser.keypad import Keypad
from tests.browser.support import COLOR, Floor, Visit, assert_accessible, assert_fits, called, shoot, sign_in_first
from tests.web.support import LINK, PINS, MadeSite, done, serve


@pytest.fixture(scope="module")
def office(made_site: MadeSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    """A floor of these tests, with one award: each of them adds something of its own."""
    with serve(made_site.copy(tmp_path_factory.mktemp("office"))) as server:
        floor = Floor(server)
        floor.start(1, 1, 2)
        floor.confirm(1, called(floor, 1, 2, COLOR))
        floor.end(1)
        yield floor


def test_two_people_enrol_a_supervisor_who_signs_in_with_the_new_card(visit: Visit, office: Floor) -> None:
    visit.expect("status of 403")  # the first person's own card as the second
    page = visit("max", "/console/people", floor=office, ready="#people li")
    page.fill("#enrol-name", "Sam")
    page.fill("#enrol-person", "sam")
    expect(page.locator("#enrol-second-card")).to_be_hidden()  # a dealer takes one manager
    page.select_option("#enrol-role", "supervisor")
    page.fill("#enrol-pin", "915372")
    agree(page, office, "max")
    expect(page.locator("#enrol .trouble")).to_contain_text("it takes two")
    agree(page, office, "mia")
    expect(page.locator("#done")).to_contain_text("Sam is enrolled as supervisor.")
    card = page.inner_text("#secret")
    assert_accessible(page)
    assert card not in page.evaluate("() => JSON.stringify({ ...sessionStorage, ...localStorage })")
    page.get_by_role("button", name="I have put it away").click()
    assert card not in page.content()

    newcomer = visit("", "/sign-in?then=/console/people", floor=office)
    sign_in_first(newcomer, card, "915372", "470826")
    expect(newcomer.locator('[data-person="sam"]')).to_contain_text("supervisor")
    expect(newcomer.locator("#own")).to_be_visible()
    assert not newcomer.locator("#enrol, #people button").count(), "a supervisor hands out no cards"


def agree(page: Page, floor: Floor, who: str) -> None:
    page.fill("#enrol-second-card", floor.site.cards[who])
    page.fill("#enrol-second-pin", PINS[who])
    page.click("#enrol button[type=submit]")


def test_who_cannot_agree_yet_is_named_until_they_choose_a_pin(visit: Visit, own_floor: Floor) -> None:
    page = visit("max", "/console/people", floor=own_floor, ready="#people li")
    expect(page.locator("#keyless")).to_be_hidden()
    page.fill("#enrol-name", "Kim")
    page.fill("#enrol-person", "kim")
    page.select_option("#enrol-role", "executive")
    agree(page, own_floor, "mia")
    expect(page.locator("#keyless")).to_contain_text("Cannot agree as a second person yet: Kim.")
    expect(page.locator('#people li[data-person="kim"]')).to_contain_text("no key to agree")
    expect(page.locator("#people .pending", has_text="no key")).to_have_count(1)
    page.get_by_role("button", name="I have put it away").click()
    assert_accessible(page)
    for width in (360, 820):
        shoot(page, "people-keyless", width)
        assert_fits(page)


def test_a_display_is_enrolled_opened_by_its_address_and_revoked(visit: Visit, office: Floor) -> None:
    visit.expect("status of 401")  # before the token is kept, and once it is revoked
    page = visit("max", "/console/devices", floor=office, ready="#devices li")
    page.select_option("#kind", "display")
    page.select_option("#link", LINK)
    page.fill("#device", "bar")
    page.fill("#name", "Bar")
    page.click("#enrol button[type=submit]")
    address = page.inner_text("#secret")
    wall = visit("", address.removeprefix(office.server.url), floor=office, ready=".display .meter")
    assert "#dev_" not in wall.url
    page.get_by_role("button", name="Revoke Bar").click()
    page.fill("#ask-reason", "It hangs nowhere any more.")
    page.locator("dialog button[type=submit]").click()
    expect(page.locator('[data-device="bar"]')).to_contain_text("revoked")
    wall.reload()
    expect(wall.locator("#token")).to_be_visible()


def test_two_people_enrol_a_keypad_for_a_table_that_has_none(visit: Visit, own_floor: Floor) -> None:
    page = visit("max", "/console/devices", floor=own_floor, ready="#devices li")
    expect(page.locator("#table option")).to_have_text("every table has one: revoke one first")
    expect(page.locator("#enrol button[type=submit]")).to_be_disabled()
    page.get_by_role("button", name="Revoke Keypad 3").click()
    page.fill("#ask-reason", "A key sticks.")
    page.locator("dialog button[type=submit]").click()
    expect(page.locator("#table option")).to_have_text(re.compile("Table 3, "))
    page.fill("#device-second-card", own_floor.site.cards["mia"])
    page.fill("#device-second-pin", PINS["mia"])
    page.click("#enrol button[type=submit]")
    expect(page.locator("#secret")).to_contain_text("/keypad/3#dev_")
    expect(page.locator('[data-device="keypad-3-2"]')).to_contain_text("enrolled")
    page.select_option("#kind", "display")
    expect(page.locator("#device-second-card")).to_be_hidden()


def test_two_people_enrol_a_bridge_and_the_console_says_since_when_what_is_off_line(
    visit: Visit, own_floor: Floor
) -> None:
    visit.expect("status of 401")  # of the display, before its token is kept
    page = visit("max", "/console/devices", floor=own_floor, ready="#devices li")
    page.select_option("#kind", "bridge")
    expect(page.locator("#device")).to_have_value("bridge-1")
    page.fill("#device-second-card", own_floor.site.cards["mia"])
    page.fill("#device-second-pin", PINS["mia"])
    page.click("#enrol button[type=submit]")
    expect(page.locator("#slip")).to_contain_text("croupier table-bridge")
    token = page.inner_text("#secret")
    assert re.fullmatch("dev_[0-9a-f]+", token)
    bridge = page.locator('[data-device="bridge-1"]')
    expect(bridge).to_contain_text("never heard")
    parts = [
        {"name": "sensors", "up": True, "since": "2026-11-17T20:00:00Z"},
        {"name": "card reader", "up": False, "since": "2026-11-17T20:31:05Z"},
    ]
    url, header = f"{own_floor.server.url}/api/device/beat", {"Authorization": f"Bearer {token}"}
    done(httpx.post(url, json={"waiting": 2, "parts": parts}, headers=header, timeout=20))
    visit("", f"/display?link={LINK}#{own_floor.site.tokens['display-main']}", floor=own_floor, ready=".display .meter")
    expect(bridge).to_contain_text("online since")
    expect(bridge).to_contain_text("card reader offline since")
    expect(bridge).to_contain_text("acts that wait: 2")
    expect(page.locator('[data-device="display-main"]')).to_contain_text("online since")
    assert_accessible(page)
    shoot(page, "console-devices-health")
    overview = visit("eve", "/console", floor=own_floor, ready="#next li")
    silent = overview.locator("#next .matter", has_text="Bridge 1: card reader is offline")
    expect(silent.locator(".wait")).to_contain_text("since")
    _sensors_at_the_tablet(
        visit, own_floor, lambda **told: done(httpx.post(url, json=told, headers=header, timeout=20))
    )


def _sensors_at_the_tablet(visit: Visit, floor: Floor, beat: Callable[..., Any]) -> None:
    """Seats that sensors light are lit on the tablet; a touch says otherwise until the sensor does."""
    up = {"parts": [{"name": "sensors", "up": True, "since": "2026-11-17T20:00:00Z"}]}
    page = visit("dan at keypad-1", "/keypad/1", floor=floor, width=820)
    pad = Keypad(page)
    pad.next("The sensors light the seats")
    seats = page.locator("#seats button")
    beat(**up, lit=[1, 4, 5])
    for seat in (1, 4, 5):
        expect(seats.nth(seat - 1)).to_have_attribute("data-state", "lit")
    expect(seats.nth(1)).to_have_attribute("data-state", "none")
    pad.next("press START GAME")
    shoot(page, "keypad-sensors")
    pad.seat(2)
    pad.seat(5, times=2)
    expect(seats.nth(4)).to_have_attribute("data-state", "none")
    pad.seat(4)
    expect(seats.nth(3)).to_have_attribute("data-state", "base")
    pad.start()
    game = floor.link()["tables"]["1"]
    assert (game["seats"], game["based"]) == ([1, 2], [1, 2, 4])
    beat(**up, lit=[1])
    pad.end()
    expect(seats.nth(0)).to_have_attribute("data-state", "lit")
    expect(seats.nth(1)).to_have_attribute("data-state", "none")
    beat(parts=[{**up["parts"][0], "up": False}], lit=[1])
    expect(seats.nth(0)).to_have_attribute("data-state", "none")
    pad.next("The sensors are offline")


def test_the_log_is_searched_and_new_entries_come_in_by_themselves(visit: Visit, office: Floor) -> None:
    page = visit("aud", "/console/events", floor=office, ready="#log li")
    page.select_option("#kind", "confirm")
    rows = office.get("/api/log?kind=confirm")["rows"]
    award = re.search(r"Award (\d+) of", rows[0]["sentence"])
    assert award
    page.fill("#text", f"award {award[1]} of")
    page.keyboard.press("Enter")
    expect(page.locator("#log li")).to_have_count(1)
    expect(page.locator("#log li")).to_contain_text("is confirmed:")
    expect(page.locator("#log li")).to_contain_text("Eve (eve), executive")
    expect(page.locator("#found")).to_contain_text("1 entry: everything that matches")
    page.fill("#text", "")
    page.select_option("#kind", "start")
    expect(page.locator("#log li")).to_have_count(1)
    office.start(3, 4, 5)
    expect(page.locator("#log li").first).to_contain_text("Table 3 starts game 1: 2 wagers of $5.00 at seats 4, 5.")
    office.end(3)


def test_a_day_reported_on_the_page_comes_to_what_the_api_says(visit: Visit, office: Floor) -> None:
    page = visit("eve", "/console/reports/awards", floor=office, ready="#report table")
    day = page.input_value("#day")
    told = office.get(f"/api/reports/awards?day={day}")
    for name in ("confirmed_cents", "pending_cents", "not_paid_cents", "fixed_pays_cents"):
        assert sum_of(page, name) == told[name]
    assert told["confirmed_cents"] > 0
    expect(page.locator('[data-sum="confirmed_cents"]')).to_have_text(f"${told['confirmed_cents'] / 100:,.2f}")
    for form, kind in (("pdf", "application/pdf"), ("csv", "text/csv"), ("json", "application/json")):
        answer = page.request.get(page.locator(f"#as-{form}").get_attribute("href") or "")
        assert (answer.status, answer.headers["content-type"].partition(";")[0]) == (200, kind)

    page.goto("/console/reports/accrual?which=all")
    page.wait_for_selector("#report table")
    totals = office.get("/api/reports/accrual")["totals"]
    for name in ("coin_in_cents", "accrued_units", "awards_cents", "difference_units"):
        assert sum_of(page, name) == totals[name]
    expect(page.locator('[data-sum="difference_units"]')).to_have_text("$0.00")
    sue = visit("sue", "/console/reports/awards", floor=office, ready="#report table")
    assert not sue.locator("#as-pdf, #as-csv").count(), "a supervisor reads, and takes no file away"


def sum_of(page: Page, name: str) -> int:
    return int(page.locator(f'[data-sum="{name}"]').get_attribute("data-value") or "")


def test_the_proof_on_the_page_is_that_of_ledger_balance(visit: Visit, busy_floor: Floor) -> None:
    page = visit("aud", "/console/proof", ready="#proof table")
    with page.expect_download() as file:
        page.get_by_role("link", name="Download the ledger").click()
    expect(page.locator("code", has_text="croupier ledger verify")).to_have_text(
        f"croupier ledger verify {file.value.suggested_filename}"
    )
    result = CliRunner().invoke(app, ["ledger", "balance", "--db", busy_floor.site.db, "--link", LINK, "--json"])
    [level] = json.loads(result.stdout)["levels"]
    flows = {**level, "closing": level["meter"], "awards": -level["awards"]}  # shown as what was taken
    for name in ("opening", "contributions", "seed", "reserve", "adjustments", "awards", "closing", "difference"):
        shown = page.locator(f'#proof tr[data-flow="{name}"] td').inner_text()
        assert units(shown) == flows.get(name, 0), name
    assert flows["difference"] == 0
    assert flows["contributions"] > 0
    expect(page.locator("#proof .say")).to_have_text("Every meter balances: the difference is zero.")
    page.click("#check")
    expect(page.locator("#checked")).to_contain_text(busy_floor.link()["digest"])
    # A thousand million dollars and a unit: more digits than a double holds.
    found = busy_floor.get(f"/api/links/{LINK}/proof")
    found["levels"][0]["closing_units"] = 10**17 + 1
    page.route("**/api/links/*/proof*", lambda route: route.fulfill(json=found))
    page.reload()
    expect(page.locator('#proof tr[data-flow="closing"] td')).to_have_text("$1,000,000,000.00000001")


def units(text: str) -> int:
    """Of dollars with up to eight places."""
    sign, whole, parts = re.fullmatch(r"(-?)\$([\d,]+)\.(\d{2,8})", text).groups()  # type: ignore[union-attr]
    value = int(whole.replace(",", "")) * 100 * UNITS_PER_CENT + int(parts.ljust(8, "0"))
    return -value if sign else value


def test_an_award_says_why_it_was_that_amount(visit: Visit, busy_floor: Floor) -> None:
    last = next(row for row in busy_floor.get("/api/log?kind=confirm")["rows"])
    number = re.search(r"Award (\d+) of", last["sentence"])
    assert number
    told = busy_floor.get(f"/api/links/{LINK}/awards/{number[1]}/explain")
    page = visit("sue", f"/console/awards/{LINK}/{number[1]}", ready="#meter table")
    expect(page.locator("#amount")).to_have_text(f"${told['cents'] / 100:,.2f}")
    expect(page.locator("#told")).to_contain_text("PST" if "PST" in "".join(told["page"]) else "PDT")
    expect(page.locator("#meter-body")).to_contain_text("a difference of $0.00")
    expect(page.locator("#people")).to_contain_text("Eve (eve), executive")
    for item in told["checklist"]:
        expect(page.locator("#checklist")).to_contain_text(item["sentence"])
        expect(page.locator("#told")).not_to_contain_text(item["sentence"])  # it is the house's, not the player's
    answer = page.request.get(page.get_by_role("link", name="Win page to sign").get_attribute("href") or "")
    assert answer.headers["content-type"] == "application/pdf"


def test_a_reading_that_differs_is_on_record_and_the_day_is_closed_when_it_is_over(visit: Visit, office: Floor) -> None:
    page = visit("max", "/console/days", floor=office, ready="#today a")
    page.click("#today a")
    read(page, "table 1", "12.34")
    meter = office.meter_cents()
    expect(page.locator("#done")).to_contain_text(f"the book said ${meter / 100:,.2f}")
    expect(page.locator('tr[data-verdict="DIFFERS"]')).to_contain_text(f"-${(meter - 1234) / 100:,.2f}")
    read(page, "table 1", f"{meter / 100:,.2f}")  # puts the first one right
    expect(page.locator('tr[data-verdict="agrees"]')).to_have_count(1)
    expect(page.locator('tr[data-verdict="corrected"]')).to_have_count(1)
    read(page, "lobby", "0.01")
    expect(page.locator("#verdict")).to_contain_text("Readings that differ: 1.")
    expect(page.locator("#close-button")).to_be_disabled()

    day = page.url.rpartition("/")[2]
    page.goto("about:blank")
    office.server.kill()
    office.server.ahead_h = 24
    office.server.start_again()
    office.server.wait_ready()
    page.goto("/console")
    page.get_by_role("link", name=f"Close the day {day}").click()
    page.fill("#close-note", "One digit of the lobby is broken.")
    page.click("#close-button")
    page.locator("dialog button[type=submit]").click()
    expect(page.locator("#status")).to_have_text("closed")
    expect(page.locator("#done")).to_contain_text("is closed")
    expect(page.locator("#span")).to_contain_text("Note: One digit of the lobby is broken.")
    expect(page.locator("#verdict")).to_contain_text("Readings that differ: 1.")
    expect(page.locator("#reading")).to_be_hidden()
    assert office.get(f"/api/days/{day}")["closed"]["agrees"] is False
    page.goto(f"/console/reports/close?day={day}")  # its paper carries a line and a code, to be kept elsewhere
    expect(page.locator("#anchor-line")).to_have_text(office.get(f"/api/days/{day}")["closed"]["anchor"])
    expect(page.locator("#report .say.bad")).to_contain_text("do not agree")  # and is no good news
    expect(page.locator(".anchor img")).to_be_visible()
    assert page.locator(".anchor img").evaluate("image => image.complete && image.naturalWidth > 20")


def test_where_anchors_wait_is_shown_to_managers_and_auditors(visit: Visit, busy_floor: Floor) -> None:
    page = visit("aud", "/console/proof", ready="#proof table")
    expect(page.locator("#anchors")).to_have_text("This server makes no anchors: it has no key to sign with.")
    place = {"destination": "mail:reg@example.org", "kind": "mail", "last": 3, "last_at": "2026-11-15T20:30:00Z"}
    place |= {
        "waiting": 2,
        "waits_since": "2026-11-15T21:30:00Z",
        "error": "The mail server refuses it (552).",
        "tries": 7,
    }
    told = {"made": 5, "key": "ab" * 32, "fingerprint": "0123 4567 89ab cdef", "unsigned": [], "every_s": 3600}
    told |= {"alarms": {"mail": "2 anchors wait."}, "destinations": [{**place, "alarm": True, "warning": ""}]}
    page.route("**/api/ledger/anchors", lambda route: route.fulfill(json=told))
    page.reload()
    row = page.locator('#anchors tr[data-destination="mail:reg@example.org"]')
    expect(row).to_contain_text("The mail server refuses it (552).")
    expect(row).to_contain_text("Anchor 3")
    expect(page.locator("#anchors")).to_contain_text("5 made; signed with the key 0123 4567 89ab cdef.")
    sue = visit("sue", "/console/proof", ready="#proof table")
    expect(sue.locator("#anchors")).to_have_count(0)


def read(page: Page, display: str, amount: str) -> None:
    page.fill("#display", display)
    page.fill("#amount", amount)
    page.click("#read button[type=submit]")
    expect(page.locator("#amount")).to_have_value("")
