"""The server is killed under open pages: no press is lost, none is doubled, and all of them come back."""

from __future__ import annotations

import json
import re
import signal
from typing import Any

from playwright.sync_api import Page, Route, expect

from tests.browser.keypad import Keypad, money
from tests.browser.support import Floor, Visit, shoot, wait_for
from tests.browser.test_play import assert_as_the_engine_has_it, bet, cards, deal
from tests.web.support import LINK

NETWORK = r"ERR_|Failed to fetch|status of 503|net::"


def test_a_killed_server_loses_no_press_and_doubles_none(visit: Visit, own_floor: Floor) -> None:
    visit.expect(NETWORK)
    server = own_floor.server
    keypad = Keypad(visit("dan at keypad-1", "/keypad/1", floor=own_floor))
    display = visit("display-main", "/display", floor=own_floor, width=1920, ready=".meter")
    page = keypad.page
    table = visit("", "/play/triple-shot-rummy", floor=own_floor, ready=".circle", still=True)
    bet(table, "1")
    deal(table)
    hand = cards(table)
    looks_on = visit("", table.url, floor=own_floor, ready="#looks-on", still=True)

    # START GAME is done, and the power fails before the answer: it is sent again and not done again.
    def done_but_not_answered(route: Route) -> None:
        route.fetch()
        server.kill()
        route.abort("connectionreset")

    page.route("**/start", done_but_not_answered, times=1)
    keypad.seat(2)
    page.click("#start")
    expect(page.locator("#lost")).to_be_visible()
    shoot(page, "keypad-lost")
    assert_nothing_can_be_pressed(page)
    expect(display.locator("#lost")).to_be_visible()
    assert display.locator(".meter").inner_text() == "", "nothing is shown that may not be true any more"
    shoot(display, "display-lost")
    table.keyboard.press("p")
    expect(table.locator("#waiting")).to_have_text(re.compile("Your move is kept .* it counts once"))
    expect(looks_on.locator("#waiting")).to_contain_text("shown as it stands once it is back")
    server.start_again()
    server.wait_ready()
    expect(page.locator("#lost")).to_be_hidden()
    page.wait_for_selector("#end:not([disabled])")
    expect(display.locator(".meter")).to_have_text(money(own_floor.meter_cents()))
    assert own_floor.kinds() == ["start"]
    assert_the_round_has_gone_on(own_floor, table, hand)
    expect(looks_on.locator(".place header .result")).to_be_visible()
    expect(looks_on.locator("#waiting")).to_be_hidden()

    # END GAME is pressed while the server does not answer, and then it is killed: it is done when it is back.
    server.process.send_signal(signal.SIGSTOP)
    page.click("#end")
    server.kill()
    expect(page.locator("#lost")).to_be_visible()
    server.start_again()
    server.wait_ready()
    page.wait_for_selector("#start:not([disabled])")
    expect(display.locator("#lost")).to_be_hidden()
    assert own_floor.kinds() == ["start", "end"]
    assert own_floor.link()["tables"]["1"]["round"] == 1


def assert_the_round_has_gone_on(floor: Floor, table: Page, hand: list[str | None]) -> None:
    """At the table too: the hand is the same, what was decided while nobody answered counts, and counts once."""
    expect(table.locator("#next-round")).to_be_visible()
    assert cards(table) == hand
    round_ = assert_as_the_engine_has_it(floor, table)
    assert [event.kind for event in round_.events].count("decide") == 1
    table.reload()
    expect(table.locator("#next-round")).to_be_visible()
    assert cards(table) == hand


def assert_nothing_can_be_pressed(page: Page) -> None:
    """Not by touch, because it is covered; not by keyboard, because it is out of its reach."""
    middle = "() => [...document.querySelectorAll('button')].every((each) => { const at = each.getBoundingClientRect();"
    covered = page.evaluate(
        middle + " const top = document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2);"
        " return !top || top.closest('#lost') !== null; })"
    )
    assert covered
    for _ in range(5):
        page.keyboard.press("Tab")
        assert page.evaluate("() => document.activeElement.closest('#pad, #pad-top') === null")


def test_a_page_that_was_reloaded_sends_what_was_never_answered(visit: Visit, own_floor: Floor) -> None:
    visit.expect(NETWORK)
    keypad = Keypad(visit("dan at keypad-1", "/keypad/1", floor=own_floor))
    keypad.page.route("**/start", lambda route: route.abort("connectionreset"))
    keypad.seat(2)
    keypad.page.click("#start")
    keypad.says("sending it again")
    keypad.page.unroute("**/start")
    keypad.page.reload()
    keypad.page.wait_for_selector("#end:not([disabled])")
    assert own_floor.kinds() == ["start"]


def test_whoever_is_signed_out_is_asked_who_they_are(visit: Visit, own_floor: Floor) -> None:
    visit.expect("status of 401")
    keypad = Keypad(visit("dan at keypad-1", "/keypad/1", floor=own_floor))
    own_floor.act("/api/sign-out", "dan")
    keypad.seat(2)
    keypad.page.click("#start")
    keypad.page.wait_for_selector("#person")


def test_a_server_that_falls_silent_is_noticed(visit: Visit, busy_floor: Floor) -> None:
    """The line stays open and says nothing: after a while the page asks, and gets no answer either."""
    visit.expect("status of 503")  # a server that was stopped for seconds has to lead again first
    page = visit("dan at keypad-1", "/keypad/1", floor=busy_floor)
    page.clock.install()
    page.reload()
    Keypad(page)
    busy_floor.server.process.send_signal(signal.SIGSTOP)
    try:
        page.clock.fast_forward(25_000)
        expect(page.locator("#lost")).to_be_visible()
    finally:  # others look at this floor too
        busy_floor.server.process.send_signal(signal.SIGCONT)
    expect(page.locator("#lost")).to_be_hidden()


def test_a_network_that_was_gone_for_a_moment_leaves_no_dead_keypad(visit: Visit, busy_floor: Floor) -> None:
    """And whoever comes back to newer pages loads them: a keypad between two games, a display at once."""
    visit.expect(NETWORK)
    keypad = Keypad(visit("dan at keypad-1", "/keypad/1", floor=busy_floor)).page
    display = visit("display-main", "/display", floor=busy_floor, ready=".meter")
    for page in (keypad, display):
        page.evaluate("() => { window.old = true; }")
        page.route("**/pages/version", lambda route: route.fulfill(json={"version": "newer"}))
    keypad.click('[data-seat="2"]')
    for page in (keypad, display):
        page.context.set_offline(True)
        expect(page.locator("#lost")).to_be_visible()
        page.context.set_offline(False)
    expect(keypad.locator("#lost")).to_be_hidden(timeout=15_000)
    display.wait_for_function("() => !window.old")
    assert keypad.evaluate("() => window.old"), "not while wagers are being made"
    keypad.click('[data-seat="2"]', click_count=2)
    keypad.wait_for_function("() => !window.old")


WATCH = """() => { window.seen = []; new MutationObserver(() => {
  const text = document.querySelector(".meter")?.textContent;
  if (text && text !== window.seen.at(-1)) window.seen.push(text);
}).observe(document, { childList: true, characterData: true, subtree: true }); }"""


def test_a_display_is_told_nothing_older_and_climbs_over_nothing_that_was_left_out(
    visit: Visit, busy_floor: Floor
) -> None:
    state = busy_floor.link()
    level = state["levels"][0]

    def told(number: int, cents: int, *, left_out: bool = False) -> str:
        link = {**state, "number": number, "levels": [{**level, "meter_cents": cents}]}
        return f"event: floor\ndata: {json.dumps({'links': [link], 'moments': [], 'left_out': left_out})}\n\n"

    stream = "retry: 200\n" + told(900, 100_000) + told(901, 200_000, left_out=True) + told(900, 100_000)
    page = visit("display-main", "/display", floor=busy_floor, ready=".meter")
    page.add_init_script(f"({WATCH})()")
    asked: list[Any] = []

    def answer(route: Route) -> None:
        asked.append(route.request)
        route.fulfill(body=stream, content_type="text/event-stream")

    page.route("**/api/events**", answer)
    page.reload()
    wait_for(page, lambda: len(asked) >= 3)
    assert page.evaluate("() => window.seen") == [money(100_000), money(200_000)]


KEEP = """([url, person, bodies]) => sessionStorage.setItem("croupier.unanswered", JSON.stringify(Object.fromEntries(
  bodies.map(([age, body]) => [body.id, { url, body, person, at: Date.now() - age }]))))"""


def test_what_was_never_answered_is_sent_in_nobody_elses_name_and_not_much_later(
    visit: Visit, own_floor: Floor
) -> None:
    visit.expect(NETWORK)
    keypad = Keypad(visit("dan at keypad-1", "/keypad/1", floor=own_floor))
    page = keypad.page
    page.route("**/start", lambda route: route.abort("connectionreset"))
    keypad.seat(2)
    page.click("#start")
    keypad.says("sending it again")
    page.route("**/pages/sign-out", lambda route: route.abort("connectionreset"), times=1)
    page.click("[data-post]")
    keypad.says("you may still be signed in here")
    page.click("[data-post]")
    page.wait_for_selector("#person")
    expect(page.locator("#kept")).to_contain_text("never answered")
    page.unroute("**/start")
    page.fill("#card", own_floor.site.cards["ann"])
    page.keyboard.press("Enter")
    Keypad(page)
    assert own_floor.kinds() == []
    # Two of her own, of which one is too old.
    starts = [
        [age, {"id": str(age), "table": 1, "lit": [seat], "based": [seat]}] for age, seat in ((601_000, 5), (9, 6))
    ]
    page.evaluate(KEEP, [f"/api/links/{LINK}/start", "ann", starts])
    page.reload()
    page.wait_for_selector("#end:not([disabled])")
    keypad.says("too much time")
    assert own_floor.link()["tables"]["1"]["seats"] == [6]
    assert page.evaluate("() => sessionStorage.length") == 0


def test_every_page_sends_what_another_page_left_unanswered(visit: Visit, own_floor: Floor) -> None:
    page = visit("max", "/console/people", floor=own_floor, ready="#people li")
    kept = [[age, {"id": name, "amount_cents": 700, "reference": name}] for age, name in ((900, "one"), (300, "other"))]
    page.evaluate(KEEP, ["/api/site/deposit", "max", kept])
    page.reload()
    expect(page.locator("#done")).to_contain_text("done now, once")
    entries = own_floor.get("/api/bank/account")["entries"]
    assert [each["reference"] for each in entries if each["kind"] == "deposit"] == ["other", "one"], "the newest first"


def test_an_answer_that_is_not_the_servers_is_none(visit: Visit, own_floor: Floor) -> None:
    """A network that wants to be paid first answers everything with a page of its own."""
    keypad = Keypad(visit("dan at keypad-1", "/keypad/1", floor=own_floor))
    portal = "<!doctype html><title>Welcome</title>"
    keypad.page.route("**/start", lambda route: route.fulfill(body=portal, content_type="text/html"), times=2)
    keypad.start(2)
    assert own_floor.kinds() == ["start"]
