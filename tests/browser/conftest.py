"""A browser for the folder's tests, a busy floor that they share for looking, and floors of their own for working."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from support.chromium import find_chromium, switches
from tests.browser.support import Floor, Visit, play_an_evening
from tests.once import made_once
from tests.web.support import MadeSite, make_site, serve


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """One for each worker; closed when tests of another folder follow, whose event loops it would disturb."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_chromium(), args=switches())
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def made_site() -> MadeSite:
    """Made once for all workers; nobody works in it, it is copied."""
    return made_once("site", make_site)


@pytest.fixture(scope="package")
def busy_floor(made_site: MadeSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Floor]:
    """Served, with an evening behind it. Tests look at it and leave it as it is."""
    with serve(made_site.copy(tmp_path_factory.mktemp("busy"))) as server:
        floor = Floor(server)
        play_an_evening(floor)
        yield floor


@pytest.fixture
def visit(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """See `support.Visit`; without a floor it is the busy one."""
    made = Visit(chromium, lambda: request.getfixturevalue("busy_floor"))
    yield made
    made.close()


@pytest.fixture
def own_floor(made_site: MadeSite, tmp_path: Path, visit: Visit) -> Iterator[Floor]:
    """Served for one test, which may do there what it likes."""
    with serve(made_site.copy(tmp_path)) as server:
        yield Floor(server)
        visit.leave()
