"""The lobby: the floor at a glance, moving by itself, with the ways that a role may go and no others."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.keypad import money
from tests.browser.support import COLOR, Floor, Visit


def test_meters_tables_and_awards_move_by_themselves(visit: Visit, own_floor: Floor) -> None:
    page = visit("max", "/", floor=own_floor)
    expect(page.locator("#links .meter")).to_have_text(money(own_floor.meter_cents()))
    own_floor.start(2, 1, 2, 3)
    expect(page.locator("#links .meter")).to_have_text(money(own_floor.meter_cents()))
    expect(page.locator("#links tbody tr").nth(1)).to_contain_text("round 1, seats in play: 3")
    award = own_floor.enter(2, 3, COLOR)
    expect(page.locator(".waits")).to_have_count(0)
    own_floor.call(2)
    expect(page.locator(".waits")).to_contain_text("at table 2, seat 3: Three 7's - Same Color supervisor called")
    expect(page.locator("#news")).to_contain_text("supervisor called")
    own_floor.void(2, award)
    expect(page.locator(".waits")).to_have_count(0)
    expect(page.locator("#links .meter")).to_have_text(money(own_floor.meter_cents()))


@pytest.mark.parametrize(
    ("who", "console", "keypads"), [("max", True, 0), ("ann card", False, 0), ("sue card", True, 0), ("eve", True, 3)]
)
def test_a_role_sees_the_ways_that_it_may_go(visit: Visit, who: str, console: bool, keypads: int) -> None:
    page = visit(who, "/", ready="#links .meter")
    shown = page.locator("header nav a").all_inner_texts()
    assert {"Lobby", "Display", "Play", "API"} <= set(shown)
    assert ("Console" in shown) == console
    assert (page.locator('.ways a[href="/console"]').count() == 1) == console
    assert page.locator('#links a[href^="/keypad/"]').count() == keypads
    for way in page.locator("header nav a:not([href='/'])").all():
        explained = page.locator(f".ways dt:has(a[href='{way.get_attribute('href')}']) + dd")
        assert explained.inner_text().endswith("."), "what each page is for"
