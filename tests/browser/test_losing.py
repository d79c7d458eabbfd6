"""The server is killed under an open keypad and display: no press is lost, none is doubled, and both come back."""

from __future__ import annotations

import signal

from playwright.sync_api import Page, Route, expect

from tests.browser.keypad import Keypad, money
from tests.browser.support import Floor, Visit, shoot

NETWORK = r"ERR_|Failed to fetch|status of 503|net::"


def test_a_killed_server_loses_no_press_and_doubles_none(visit: Visit, own_floor: Floor) -> None:
    visit.expect(NETWORK)
    server = own_floor.server
    keypad = Keypad(visit("dan at keypad-1", "/keypad/1", floor=own_floor))
    display = visit("display-main", "/display", floor=own_floor, width=1920, ready=".meter")
    page = keypad.page

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
    server.start_again()
    server.wait_ready()
    expect(page.locator("#lost")).to_be_hidden()
    page.wait_for_selector("#end:not([disabled])")
    expect(display.locator(".meter")).to_have_text(money(own_floor.meter_cents()))
    assert own_floor.kinds() == ["start"]

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


def test_a_server_that_falls_silent_is_noticed(visit: Visit, own_floor: Floor) -> None:
    """The line stays open and says nothing: after a while the page asks, and gets no answer either."""
    page = visit("dan at keypad-1", "/keypad/1", floor=own_floor)
    page.clock.install()
    page.reload()
    Keypad(page)
    own_floor.server.process.send_signal(signal.SIGSTOP)
    page.clock.fast_forward(25_000)
    expect(page.locator("#lost")).to_be_visible()
    own_floor.server.process.send_signal(signal.SIGCONT)
    expect(page.locator("#lost")).to_be_hidden()
