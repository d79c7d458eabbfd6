"""A clock that is in doubt, on the console: two people accept the time by their watches, and the floor goes on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser.support import Floor, Visit, assert_accessible, assert_fits, shoot
from tests.web import serving
from tests.web.forking import Forked
from tests.web.support import PINS, MadeSite, Server, free_port, wait_until


class Doubting(Server):
    def _start(self) -> Forked:
        return Forked(self.site.folder / "server.log", serving.run_doubting, self.site.db, self.port)


@pytest.fixture
def floor(made_site: MadeSite, tmp_path: Path, visit: Visit) -> Iterator[Floor]:
    server = Doubting(made_site.copy(tmp_path), free_port())
    try:
        wait_until(lambda: standing(server) == 503, 60)
        yield Floor(server)
        visit.leave()
    finally:
        server.stop()


def standing(server: Server) -> int:
    try:
        return httpx.get(f"{server.url}/api/ready", timeout=2, verify=False).status_code
    except httpx.TransportError:
        return 0


def accept(page: Page, floor: Floor, watch: datetime, second: str) -> None:
    page.fill("#watch", watch.strftime("%Y-%m-%dT%H:%M"))
    page.fill("#clock-second-card", floor.site.cards[second])
    page.fill("#clock-second-pin", PINS[second])
    page.click("#accept-time button[type=submit]")


def test_two_people_accept_the_time_and_the_floor_goes_on(visit: Visit, floor: Floor) -> None:
    visit.expect("status of 503")  # what is not ready
    visit.expect("status of 40[39]")  # one person twice; another time than the server's
    page = visit("max", "/console", floor=floor, ready="#clock:not([hidden])")
    expect(page.locator("#clock-why")).to_contain_text("does not say if it is right")
    assert_accessible(page)
    for width in (360, 1920):
        shoot(page, "clock", width)
        assert_fits(page)
    here = page.evaluate(
        "() => new Date(Date.now() - new Date().getTimezoneOffset() * 60000).toISOString().slice(0, 19)"
    )
    now = datetime.fromisoformat(here)
    accept(page, floor, now, "max")
    expect(page.locator("#accept-time .trouble")).to_contain_text("it takes two")
    accept(page, floor, now - timedelta(hours=1), "mia")
    expect(page.locator("#accept-time .trouble")).to_contain_text("or look again")
    assert standing(floor.server) == 503
    accept(page, floor, now, "mia")
    expect(page.locator("#done")).to_have_text("The server's time is accepted. Both names are on record.")
    expect(page.locator("#clock")).to_be_hidden()
    assert standing(floor.server) == 200
    floor.start(1, 1)


def test_who_may_not_accept_it_reads_why_nothing_is_taken(visit: Visit, floor: Floor) -> None:
    visit.expect("status of 503")
    page = visit("sue", "/console", floor=floor, ready="#clock:not([hidden])")
    expect(page.locator("#clock-why")).to_contain_text("let two people accept it")
    expect(page.locator("#accept-time")).to_have_count(0)


def test_a_clock_that_is_believed_is_not_spoken_of(visit: Visit) -> None:
    page = visit("max", "/console", ready="#bank .figure")
    expect(page.locator("#clock")).to_be_hidden()
