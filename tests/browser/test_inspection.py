"""An inspector, enrolled by two for a span of days, looks at what there is to inspect and takes the evidence away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from croupier.evidence.verify import verify
from tests.browser.support import (
    PATIENCE_MS,
    WIDTHS,
    Floor,
    Visit,
    assert_accessible,
    assert_fits,
    shoot,
    sign_in_first,
)
from tests.evidence.sheets import share_sheets
from tests.web import serving
from tests.web.forking import Forked
from tests.web.support import PINS, MadeSite, Server, free_port

GIVEN, CHOSEN = "915372", "470826"


class Signing(Server):
    def _start(self) -> Forked:
        return Forked(self.site.folder / "server.log", serving.run_as_served, self.site.db, self.port)


@pytest.fixture
def signing_floor(made_site: MadeSite, tmp_path: Path, visit: Visit) -> Iterator[Floor]:
    server = Signing(made_site.copy(tmp_path), free_port())
    try:
        server.wait_ready()
        yield Floor(server)
    finally:
        visit.leave()
        server.stop()


def enrolled(visit: Visit, floor: Floor) -> str:
    """The inspector's new card."""
    page = visit("max", "/console/people", floor=floor, ready="#people li")
    expect(page.locator("#enrol-days")).to_be_hidden()
    page.select_option("#enrol-role", "inspector")
    fields = {"name": "Ina Reed", "person": "ina", "days": "3", "pin": GIVEN}
    fields |= {"second-card": floor.site.cards["mia"], "second-pin": PINS["mia"]}
    for name, value in fields.items():
        page.fill(f"#enrol-{name}", value)
    page.click("#enrol button[type=submit]")
    expect(page.locator("#done")).to_contain_text("Ina Reed is enrolled as inspector.")
    card = page.inner_text("#secret")
    expect(page.locator('[data-person="ina"]')).to_contain_text("until")
    shoot(page, "people-inspector")
    assert_accessible(page)
    return card


def test_an_inspector_sees_what_runs_and_the_approvals_takes_the_evidence_and_nothing_else(
    visit: Visit, signing_floor: Floor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    share_sheets(monkeypatch)
    card = enrolled(visit, signing_floor)
    page = visit("", "/sign-in?then=/console/about", floor=signing_floor)
    sign_in_first(page, card, GIVEN, CHOSEN)
    expect(page.locator("#program")).to_contain_text("0.1.0")
    expect(page.locator("#runs")).to_contain_text("0.1.0")
    expect(page.locator("#books")).to_contain_text("site to entry")
    for width in WIDTHS:
        shoot(page, "about-inspector", width)
        assert_fits(page)
    assert_accessible(page)

    page.click("#make button[type=submit]")
    # Every sheet is counted anew at the lowest priority, beside whatever else runs.
    expect(page.locator("#take")).to_be_visible(timeout=5 * PATIENCE_MS)
    with page.expect_download() as taken:
        page.click("#take")
    file = tmp_path / "evidence.zip"
    taken.value.save_as(file)
    assert not verify(file).wrong

    assert page.locator(".top nav a").all_inner_texts() == ["Inspection", "Rules"]
    assert page.locator("main nav a").all_inner_texts() == ["Approvals", "What runs here"]
    page.goto("/console/approvals")
    expect(page.locator("#on-file")).to_contain_text("submission #3119")
    assert not page.locator("#enter, #record").count()
    visit.expect("status of 403")
    for path in ("/console/people", "/console/bank", "/api/links/main"):
        answer = page.goto(path)
        assert answer is not None
        assert answer.status == 403, path
