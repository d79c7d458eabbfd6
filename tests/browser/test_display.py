"""The display of a whole site: every link with its paytable, readable from across the room, however many there are."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.keypad import assert_fits_the_wall
from tests.browser.support import Floor, Visit, assert_accessible, assert_fits, shoot

WALLS = {1280: 720, 1920: 1080, 820: 1180}
LEVELS = {
    "main": [("", 1_234_567)],
    "side": [("Mega", 123_456_789), ("Major", 500_000), ("Minor", 5)],
    "west": [("", 9)],
}
CUT_OFF = """() => [...document.querySelectorAll(".link .title, .link .meter, .link .pays tr")].filter((each) => {
  const [inner, outer] = [each.getBoundingClientRect(), each.closest(".link").getBoundingClientRect()];
  return inner.left < outer.left || inner.right > outer.right || inner.top < outer.top || inner.bottom > outer.bottom
    || each.scrollWidth > each.clientWidth + 1;
}).map((each) => each.textContent)"""
OVERLAP = """() => [...document.querySelectorAll(".inside")].filter((each) => {
  const [meters, pays] = [".levels", ".pays"].map((name) => each.querySelector(name).getBoundingClientRect());
  const [last] = [...each.querySelectorAll(".meter")].slice(-1).map((meter) => meter.getBoundingClientRect());
  return last.bottom > pays.top + 1 && last.right > pays.left || meters.height === 0;
}).length"""


def link_of(state: dict[str, Any], name: str, status: str) -> dict[str, Any]:
    """As the server tells one, made from the room's own."""
    tables = [{**state["setup"]["tables"][0], "number": number} for number in (1, 2, 3, 4)]
    levels = [
        {**state["levels"][0], "level": each, "title": each, "meter_cents": cents} for each, cents in LEVELS[name]
    ]
    more = {"status": status, "levels": levels, "awards": [], "setup": {**state["setup"], "tables": tables}}
    return {**state, "link": name, **more}


def show(page: Page, state: dict[str, Any], **links: str) -> None:
    """A stream that tells these links, each with its status."""
    tell(page, [link_of(state, *each) for each in links.items()])


def tell(page: Page, links: list[dict[str, Any]], *moments: dict[str, Any]) -> None:
    told = {"links": links, "moments": moments, "left_out": False}
    stream = f"retry: 60000\nevent: floor\ndata: {json.dumps(told)}\n\n"
    page.unroute("**/api/events**")
    page.route("**/api/events**", lambda route: route.fulfill(body=stream, content_type="text/event-stream"))
    page.reload()
    page.wait_for_selector(".meter")


def size(page: Page, link: str) -> float:
    found = page.evaluate(f"() => parseFloat(getComputedStyle(document.querySelector('[data-link={link}]')).fontSize)")
    return float(found)


def test_every_link_has_its_paytable_on_every_wall_and_a_closed_one_stands_back(
    visit: Visit, busy_floor: Floor
) -> None:
    page, state = visit("display-all", "/display", still=True, ready=".meter"), busy_floor.link()
    lines = len(state["paytable"])
    for number, links in enumerate(({"main": "open", "side": "open"}, dict.fromkeys(LEVELS, "open")), 2):
        show(page, state, **links)
        for width, height in WALLS.items():
            page.set_viewport_size({"width": width, "height": height})
            shoot(page, f"display-{number}-links", whole=False)
            assert_fits(page)
            assert_fits_the_wall(page)
            assert not page.evaluate(CUT_OFF), (number, width)
            assert not page.evaluate(OVERLAP), (number, width)
            assert page.locator(".pays tbody tr").count() == number * lines
            assert size(page, "main") >= 30, "read from across the room"
    assert_accessible(page)
    show(page, state, main="open", west="closed")
    page.set_viewport_size({"width": 1280, "height": 720})
    shoot(page, "display-closed-link", whole=False)
    assert size(page, "west") * 3 < size(page, "main")
    expect(page.locator("#closed")).to_contain_text("closed at the moment")
    assert page.locator(".pays tbody tr").count() == lines
    assert_accessible(page)


READ_OFF = """() => [...document.querySelectorAll(".level .meter")].map((meter) => {
  const wheels = [...meter.querySelectorAll(".strip")].map((each) => parseFloat(each.style.getPropertyValue("--at")));
  return [meter.textContent, wheels];
})"""
"""What is said of every meter, and where its wheels stand."""


TURN = """async () => {
  const display = document.querySelector("script[src*='js/display.js']").src;
  const { Odometer } = await import(display.replace("display.js", "counting.js"));
  const [meter, seen] = [document.createElement("p"), []];
  const odometer = new Odometer(meter);
  odometer.set(199_985, false);
  odometer.set(200_130, true);
  while (odometer.shown < 200_130) {
    await new Promise((done) => requestAnimationFrame(done));
    const wheels = [...meter.querySelectorAll(".strip")].map((each) => each.style.getPropertyValue("--at"));
    seen.push([odometer.shown, wheels.map(parseFloat)]);
  }
  return seen;
}"""
"""A meter that climbs over a thousand, frame by frame."""


def least_read(wheels: list[float]) -> int:
    """A wheel between two digits has not reached the higher one."""
    return int("".join(str(int(at) % 10) for at in wheels))


def test_the_wheels_stand_where_the_book_is_and_never_beyond_while_they_turn(visit: Visit, busy_floor: Floor) -> None:
    page, state = visit("display-all", "/display", ready=".meter"), busy_floor.link()
    show(page, state, side="open")
    for text, wheels in page.evaluate(READ_OFF):
        assert [int(sign) for sign in text if sign.isdigit()] == wheels
    seen = page.evaluate(TURN)
    assert len(seen) > 5
    assert [cents for cents, _ in seen] == sorted(cents for cents, _ in seen)
    for cents, wheels in seen:
        assert least_read(wheels) == cents <= 200_130
        for left, right in pairwise(wheels):
            assert left == int(left) or right >= 9, (
                "a wheel turns only while the one beside it passes from nine to nought"
            )


SWAYS = "() => [...document.querySelectorAll('.art > .near')].map((each) => getComputedStyle(each).animationPlayState)"


def test_while_digits_roll_nothing_else_moves(visit: Visit, busy_floor: Floor) -> None:
    page, state = visit("display-all", "/display", ready=".meter"), busy_floor.link()
    before = link_of(state, "main", "open")
    after = {**before, "levels": [{**before["levels"][0], "meter_cents": LEVELS["main"][0][1] + 500}]}
    stream = "".join(
        f"event: floor\ndata: {json.dumps({'links': [link], 'moments': [], 'left_out': False})}\n\n"
        for link in (before, after)
    )
    page.unroute_all(behavior="ignoreErrors")
    page.route(
        "**/api/events**",
        lambda route: route.fulfill(body=f"retry: 60000\n{stream}", content_type="text/event-stream"),
    )
    page.add_init_script(
        "addEventListener('DOMContentLoaded', () => new MutationObserver(() => {"
        f" (window.seen ??= []).push([document.body.matches('[data-rolls]'), ...({SWAYS})()]); "
        "}).observe(document.body, { attributeFilter: ['data-rolls'] }))"
    )
    page.reload()
    page.wait_for_function("() => window.seen?.length === 2")
    assert page.evaluate("() => window.seen") == [[True, "paused"], [False, "running"]]


def test_a_wall_says_that_it_is_closed_that_a_hand_is_looked_at_and_who_has_won(
    visit: Visit, busy_floor: Floor
) -> None:
    page, state = visit("display-all", "/display", still=True, ready=".meter"), busy_floor.link()
    page.set_viewport_size({"width": 1920, "height": 1080})
    show(page, state, side="closed")
    expect(page.locator("#news .what")).to_have_text("Closed")
    expect(page.locator("#news .room")).to_have_text("The Room")
    expect(page).to_have_title(re.compile("The Room$"))
    shoot(page, "display-closed", whole=False)
    show(page, state, side="open")
    expect(page.locator("#news .room")).to_have_text("The Room")
    shoot(page, "display-open", whole=False)
    hand = {"award": 7, "table": 4, "line": "Three 7's", "cents": 5, "level": "Minor"}
    waiting = {**hand, "called": True, "fixed": False}
    tell(page, [{**link_of(state, "side", "open"), "awards": [waiting]}])
    expect(page.locator("#news .pending")).to_contain_text("PENDING")
    expect(page.locator("#news .pending p").last).to_have_text("The rest of the meter is for the next winner")
    expect(page.locator(".looked-at .name")).to_have_text("Minor")
    shoot(page, "display-pending", whole=False)
    frame = page.evaluate("() => parseFloat(getComputedStyle(document.querySelector('.looked-at'), '::before').left)")
    assert frame < -10, "the frame stands off from the words"
    assert_accessible(page)
    won = {**hand, "kind": "confirm", "link": "side", "shown_cents": 250_025, "at": datetime.now(UTC).isoformat()}
    tell(page, [link_of(state, "side", "open")], won)
    winner = page.locator("#news .winner")
    expect(winner).to_contain_text("Minor is now $2,500.25")
    assert winner.locator(".playing-card").evaluate_all("all => all.map(each => each.dataset.card)") == [
        "7s",
        "7h",
        "7c",
    ]
    assert winner.bounding_box() == {"x": 0, "y": 0, "width": 1920, "height": 1080}
    shoot(page, "display-winner", whole=False)
    assert_accessible(page)


def test_an_upright_wall_has_meters_then_pays_and_nothing_lies_on_anything(visit: Visit, busy_floor: Floor) -> None:
    page, state = visit("display-all", "/display", still=True, ready=".meter"), busy_floor.link()
    page.set_viewport_size({"width": 1080, "height": 1920})
    show(page, state, side="open")
    order = [box["y"] for part in (".art", ".title", ".levels", ".pays") if (box := page.locator(part).bounding_box())]
    assert order == sorted(order)
    assert len(order) == 4
    overlapping = page.evaluate("""() => [...document.querySelectorAll(".level")].filter((level) => {
      const [meter, wins] = [".wheels", ".wins"].map((name) => level.querySelector(name)?.getBoundingClientRect());
      return wins && meter.right > wins.left && meter.bottom > wins.top && meter.top < wins.bottom;
    }).length""")
    assert overlapping == 0
    show(page, state, main="open")
    page.set_viewport_size({"width": 1920, "height": 1080})
    meter = page.locator(".wheels").bounding_box()
    assert meter
    assert meter["width"] > 1920 * 0.6, "one meter alone goes across the wall"
    assert not page.evaluate(CUT_OFF)


def test_a_winner_has_the_wall_for_as_long_as_the_house_sets(visit: Visit, busy_floor: Floor) -> None:
    page, state = visit("display-all", "/display", still=True, ready=".meter"), busy_floor.link()
    page.route(
        "**/display",
        lambda route: route.fulfill(
            body=route.fetch().text().replace('"winner_s": 20.0', '"winner_s": 45.0'), content_type="text/html"
        ),
    )
    page.clock.install()
    now = datetime.fromtimestamp(page.evaluate("() => Date.now()") / 1000, UTC).isoformat()
    won = {"award": 7, "table": 4, "line": "Three 7's", "cents": 5, "level": "Minor", "kind": "confirm", "link": "side"}
    tell(page, [link_of(state, "side", "open")], {**won, "shown_cents": 250_025, "at": now})
    expect(page.locator("#news .winner")).to_be_visible()
    page.clock.run_for(40_000)
    expect(page.locator("#news .winner")).to_be_visible()
    page.clock.run_for(10_000)
    expect(page.locator("#news .winner")).to_have_count(0)


def test_money_is_written_as_the_site_writes_it(visit: Visit, busy_floor: Floor) -> None:
    def elsewhere(route: Route) -> None:
        html = route.fetch().text()
        route.fulfill(body=html.replace('"USD"', '"EUR"').replace('"en-US"', '"de-DE"'), content_type="text/html")

    page = visit("max", "/sign-in", ready="#card")
    for path, meter in (("/display?link=main", ".meter"), ("/", "#links .meter"), ("/keypad/2", "#meters strong")):
        who = visit("eve", "/sign-in") if path.startswith("/keypad") else page
        who.route(f"**{path}", elsewhere)
        who.goto(path)
        expect(who.locator(meter).first).to_contain_text("€")


@pytest.mark.parametrize("enrolled", ["", "display-main"])
def test_a_token_is_gone_from_the_address_at_once_and_kept_as_a_cookie(
    visit: Visit, busy_floor: Floor, enrolled: str
) -> None:
    visit.expect("status of 401")
    page = visit(enrolled, f"/display#{busy_floor.site.tokens['display-all']}", ready=".display[data-link=''] .meter")
    assert page.url.endswith("/display")
    assert page.evaluate("() => document.cookie") == ""
    page.reload()
    page.wait_for_selector(".meter")
    page.evaluate("() => { location.hash = 'dev_' + '0'.repeat(40); }")
    expect(page.locator(".say")).to_contain_text("not enrolled here")
    assert page.url.endswith("/display")
