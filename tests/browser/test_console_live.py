"""The console while the floor is busy and while the line is lost: presses count and nothing old looks live."""

from __future__ import annotations

import re

from playwright.sync_api import Route, expect

from tests.browser.support import COLOR, Floor, Visit, called, shoot
from tests.web.support import LINK, PINS


def test_a_floor_that_moves_takes_away_no_press_and_no_focus(visit: Visit, own_floor: Floor) -> None:
    own_floor.start(1, 1, 2)
    called(own_floor, 1, 2, COLOR)
    page = visit("eve", "/console", floor=own_floor, ready="#next a")
    meter = page.locator("#links .meter").first
    expect(page.locator("#links polyline").first).to_be_attached()
    page.focus("#next a")
    page.evaluate(
        """() => { window.told = 0; new MutationObserver((all) => { window.told += all.length; })
        .observe(document.getElementById("next"), { childList: true, subtree: true, characterData: true }); }"""
    )
    box = page.locator("#links h3 a").first.bounding_box()
    assert box
    page.mouse.move(box["x"] + 4, box["y"] + 4)
    before = meter.inner_text()
    own_floor.start(2, 1, 2)
    expect(meter).not_to_have_text(before)
    assert page.evaluate("() => [window.told, document.activeElement.closest('#next') !== null]") == [0, True]

    before = meter.inner_text()
    page.mouse.down()
    own_floor.start(3, 1, 2)
    expect(meter).not_to_have_text(before)
    page.mouse.up()
    page.wait_for_url(re.compile(f"/console/links/{LINK}$"))


def test_a_lost_line_is_said_and_leaves_no_dead_button(visit: Visit, own_floor: Floor) -> None:
    visit.expect("ERR_")
    page = visit("max", "/console/people", floor=own_floor, ready="#people li")
    page.select_option("#enrol-role", "supervisor")
    for field, value in {"#enrol-name": "Sam", "#enrol-person": "sam", "#enrol-pin": "915372"}.items():
        page.fill(field, value)
    page.fill("#enrol-second-card", own_floor.site.cards["mia"])
    page.fill("#enrol-second-pin", PINS["mia"])
    page.route("**/api/second-person", lambda route: route.abort("connectionreset"))
    page.click("#enrol button[type=submit]")
    expect(page.locator("#enrol .trouble")).to_contain_text("does not answer")
    expect(page.locator("#enrol button[type=submit]")).to_be_enabled()

    shown = {"bank": "$", "awards": "No award is pending", f"links/{LINK}": "$", "links": "$"}
    for path, text in shown.items():
        page.goto(f"/console/{path}")
        expect(page.locator("main")).to_contain_text(text)
        expect(page.locator("#lost")).to_be_hidden()
        page.evaluate("() => dispatchEvent(new Event('offline'))")
        expect(page.locator("#lost")).to_contain_text("may be old")

    held: list[Route] = []
    page.unroute("**/api/second-person")

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/second-person", hold)
    page.click("#new-table")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("second person's card").fill(own_floor.site.cards["mia"])
    dialog.get_by_label("second person's PIN").fill(PINS["mia"])
    with page.expect_request("**/api/second-person"):
        dialog.get_by_role("button", name="Save the table").click()
    for _ in range(2):
        page.keyboard.press("Escape")
    expect(dialog.get_by_role("button", name="Cancel")).to_be_disabled()
    held[0].abort("connectionreset")
    expect(dialog.get_by_role("alert")).to_contain_text("does not answer")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_a_plan_that_is_still_being_counted_is_asked_for_again(visit: Visit) -> None:
    visit.expect("status of 503")
    page = visit("max", f"/console/links/{LINK}#plan-title", ready="#plan canvas", still=True)
    error = {"code": "still-counting", "sentence": "This is still being counted: ask again.", "retry": True}
    told: list[str] = []

    def not_yet(route: Route) -> None:
        told.append(route.request.url)
        route.fulfill(status=503, json={"error": error})

    page.route("**/outlook*", not_yet, times=1)
    page.reload()
    expect(page.locator("#plan canvas")).to_be_visible()
    assert told
    expect(page.locator("#not-counted")).to_be_hidden()


WRITTEN = """() => {
  window.written = [];
  const fill = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
    window.written.push(text);
    return fill.call(this, text, ...more);
  };
}"""


def test_the_moments_of_a_chart_are_written_as_everywhere(visit: Visit) -> None:
    page = visit("max", f"/console/links/{LINK}", ready=".history-place canvas", width=1280)
    page.evaluate(WRITTEN)
    page.click("button[data-span='week']")
    page.set_viewport_size({"width": 1100, "height": 800})
    page.wait_for_function("() => window.written.length > 4")
    texts = [text for text in page.evaluate("() => window.written") if not text.startswith("$")]
    assert texts
    assert [text for text in texts if not re.fullmatch(r"(\d{4}-\d\d-\d\d|\d\d:\d\d(:\d\d)?)?", text)] == []
    assert any(re.fullmatch(r"\d{4}-\d\d-\d\d", text) for text in texts)
    shoot(page, "history-week", whole=False)


def test_an_alarm_of_the_disk_or_of_the_program_is_not_told_as_one_of_anchors(visit: Visit) -> None:
    page = visit("max", "/console", ready="#next li")
    told: dict[str, object] = {"status": "ready", "troubles": {}}
    page.route("**/api/ready", lambda route: route.fulfill(json=told))
    for alarms, shown, anchors in (
        ({"disk": "Its log was removed."}, ["The disk has failed", "Its log was removed."], 0),
        ({"program": "a.py is not as it was."}, ["The program is not as it was", "a.py is not as it was."], 0),
        ({"self-check": "The database is away."}, ["Not all books could be read through", "The database is away."], 0),
        ({"making": "There is no key."}, [], 1),
    ):
        told["alarms"] = alarms
        page.reload()
        for text in shown:
            expect(page.locator("#next")).to_contain_text(text)
        expect(page.locator("#next", has_text="Anchors do not leave the house")).to_have_count(anchors)
