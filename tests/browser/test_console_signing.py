"""What is signed or recorded in the console is what was read on the screen, and nothing that was typed since."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, Request, expect

from tests.browser.support import Floor, Visit, wait_for
from tests.web.support import LINK, PINS


def second_signs(page: Page, floor: Floor, who: str) -> None:
    page.get_by_label("The second person's card").fill(floor.site.cards[who])
    page.get_by_label("The second person's PIN").fill(PINS[who])


def posted(page: Page) -> list[tuple[str, dict[str, object]]]:
    """What the page sends from here on: addresses and bodies."""
    found: list[tuple[str, dict[str, object]]] = []

    def heard(request: Request) -> None:
        if request.method == "POST":
            found.append((request.url, json.loads(request.post_data or "{}")))

    page.on("request", heard)
    return found


def test_an_adjustment_is_signed_for_the_link_whose_preview_was_seen_and_no_other(
    visit: Visit, busy_floor: Floor
) -> None:
    visit.expect("status of 404")
    page = visit("max", "/console/adjust", ready="#accounts strong")
    page.get_by_label("Lawful reason").select_option("malfunction")
    page.get_by_label("From where to where").select_option("house>meter")
    page.get_by_label("Amount in dollars").fill("12.34")
    page.get_by_label("What happened").fill("A sensor failed.")
    send, award = page.locator("#send"), page.get_by_label("Number of the award")
    expect(send).to_be_enabled()
    sent = posted(page)

    assert page.evaluate(
        """() => { const amount = document.getElementById("amount"); amount.value = "99.00";
        amount.dispatchEvent(new Event("input", { bubbles: true }));
        return document.getElementById("send").disabled; }"""
    ), "what was agreed is gone with the first key that is pressed"
    expect(send).to_be_enabled()
    award.fill("nineteen")
    expect(page.locator("#preview")).to_contain_text("nineteen")
    expect(send).to_be_disabled()
    award.fill("#24")
    wait_for(page, lambda: [body["award"] for url, body in sent if url.endswith("/adjusting")][-1:] == [24])
    award.fill("")
    expect(send).to_be_enabled()

    page.evaluate("() => document.getElementById('link').append(new Option('other', 'other'))")
    page.get_by_label("Link").select_option("other")
    assert send.is_disabled()
    expect(page.locator("#say")).to_be_visible()
    assert send.is_disabled(), "nothing is known of the other link"
    second_signs(page, busy_floor, "mia")
    page.evaluate("() => document.getElementById('adjust').requestSubmit()")
    page.wait_for_timeout(300)
    assert not [url for url, _ in sent if url.endswith(("/adjust", "/second-person"))]


def test_a_configuration_is_saved_as_it_stands_on_the_screen_or_not_at_all(visit: Visit, own_floor: Floor) -> None:
    own_floor.act(f"/api/links/{LINK}/close", reason="A new wager.")
    page = visit("max", f"/console/links/{LINK}/configure", floor=own_floor)
    page.get_by_label("Wager in dollars").fill("10")
    page.get_by_label("Contribution").fill("20")
    expect(page.locator("#save button")).to_be_enabled()
    second_signs(page, own_floor, "eve")
    sent = posted(page)
    page.evaluate(
        """() => { const wager = document.querySelector("#setup [name=amount]"); wager.value = "15";
        wager.dispatchEvent(new Event("input", { bubbles: true }));
        document.getElementById("save").requestSubmit(); }"""
    )
    expect(page.locator("#save button")).to_be_enabled()
    assert not [url for url, _ in sent if not url.endswith("/check")]
    assert own_floor.link()["setup"]["wager_cents"] == 500


def test_an_amount_is_read_as_it_is_written_or_it_is_no_amount(visit: Visit) -> None:
    page = visit("max", "/console/bank", ready="#cover strong")
    read = {
        "1000.50": 100_050,
        "1,000.50": 100_050,
        "$1,000": 100_000,
        " 250 ": 25_000,
        "0.1": 10,
        "1,234,567.89": 123_456_789,
    }
    assert {typed: cents(page, typed) for typed in read} == read
    for typed in ("1000,50", "1,00", "10,000,5.00", "1 000", "1e3", "5.001", "-5", "", ".50"):
        assert cents(page, typed) is None, typed


def cents(page: Page, typed: str) -> object:
    return page.evaluate(
        """async (typed) => { const from = document.querySelector('script[src*="bank.js"]').src;
        return (await import(from.replace("bank.js", "records.js"))).cents(typed); }""",
        typed,
    )


def test_a_deposit_is_repeated_before_it_is_recorded_and_a_refusal_stays(visit: Visit, own_floor: Floor) -> None:
    page = visit("max", "/console/bank", floor=own_floor, ready="#cover strong")
    entries = len(own_floor.get("/api/bank/account")["entries"])
    amount, form = page.locator("#deposit-amount"), page.locator("#deposit")
    page.get_by_label("Reference of the bank's slip").fill("S-17")
    amount.fill("1000,50")
    form.get_by_role("button", name="Record the deposit").click()
    refusal = form.get_by_text("1000,50 is not an amount")
    expect(refusal).to_be_visible()
    own_floor.start(1, 1, 2)
    page.wait_for_timeout(1500)
    expect(refusal).to_be_visible()

    amount.fill("1,000.50")
    form.get_by_role("button", name="Record the deposit").dblclick()
    expect(form).to_contain_text("$1,000.50")
    assert len(own_floor.get("/api/bank/account")["entries"]) == entries
    form.get_by_role("button", name=re.compile("^Yes")).click()
    expect(page.locator("#done")).to_contain_text("$1,000.50")
    assert [each["cents"] for each in own_floor.get("/api/bank/account")["entries"] if each["reference"] == "S-17"] == [
        100_050
    ]
