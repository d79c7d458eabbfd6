"""The first start: the one-time code makes the site and its first manager, whose card is shown once."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.support import WIDTHS, Visit, assert_accessible, assert_fits, shoot
from tests.web.commands import started

PIN = "482913"


def test_the_one_time_code_makes_the_site_and_the_first_manager_signs_in(visit: Visit, tmp_path: Path) -> None:
    visit.expect("status of 40[13]")  # a wrong code
    with started(tmp_path, "--db", f"sqlite:///{tmp_path}/room.db", "--port", "0") as server:
        code = re.search(r"one-time code is (\S+)", server.printed)
        assert code
        page = visit("", "/", url=server.url, width=360)
        assert page.url.endswith("/first-start")
        assert_fits(page)
        for width in WIDTHS:
            shoot(page, "first-start", width)
        assert_accessible(page)
        values = {"title": "The Corner Room", "person": "max", "name": "Max", "pin": PIN}
        for name, value in {"code": "WRONG-CODE", **values}.items():
            page.fill(f"#{name}", value)
        page.click("button[type=submit]")
        expect(page.locator("#say")).to_contain_text("code")
        page.fill("#code", code[1])
        page.fill("#pin", PIN)
        page.click("button[type=submit]")
        card = page.inner_text("#new-card")
        expect(page.locator("#say")).to_be_hidden()
        shoot(page, "first-card")
        assert_accessible(page)
        page.click("a.button")
        page.fill("#card", card)
        page.fill("#pin", PIN)
        page.keyboard.press("Enter")
        expect(page.get_by_text("There is no link yet")).to_be_visible()
        expect(page.locator("header")).to_contain_text("Max")
        assert "The Corner Room" in page.inner_text(".brand")
        shoot(page, "lobby-empty")
        visit.leave()
