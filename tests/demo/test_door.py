"""The demo's front door: its meters for anybody, every role with one press; and nothing of it at a real site."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest
from fastapi.testclient import TestClient

from croupier.demo.door import ROLES, DemoDoor
from croupier.demo.room import FREE_TABLE, LINK, PEOPLE, DemoSecrets, prepare
from croupier.demo.visitors import Visitors
from croupier.web.app import create_app
from croupier.web.settings import Settings
from tests.web.support import MadeSite, done, fast_pins

PAGE = {"X-Croupier": "page"}
LOOKS = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Settings, DemoSecrets]:
    fast_pins()
    folder = tmp_path_factory.mktemp("door")
    session_key = folder / "s.session-key"
    settings = Settings(db=f"sqlite:///{folder}/d.db", key_file=folder / "d.key", session_key=session_key)
    return settings, prepare(settings)


@pytest.fixture(scope="module")
def browser(demo: tuple[Settings, DemoSecrets]) -> Iterator[TestClient]:
    settings, secrets = demo
    with (
        closing(Visitors(settings.db, DemoDoor(secrets))) as visitors,
        TestClient(create_app(settings, visitors)) as client,
    ):
        yield client


def enter(browser: TestClient, role: str) -> str:
    browser.cookies.clear()
    return str(done(browser.post("/pages/demo/enter", json={"role": role}, headers=PAGE))["then"])


@pytest.mark.parametrize("role", sorted(ROLES))
def test_a_role_is_tried_with_one_press_and_the_session_is_on_record(browser: TestClient, role: str) -> None:
    then = enter(browser, role)
    page = browser.get(then, headers=LOOKS)
    _, person, _ = ROLES[role]
    assert page.status_code == 200
    assert f'"person": "{person}"' in page.text
    enter(browser, "manager")
    told = browser.get("/api/reports/access?format=json&which=all")
    assert told.status_code == 200, told.text
    assert any(row["event"] == "sign-in" and row["person"] == person for row in told.json()["rows"])


def test_whoever_decides_awards_begins_in_the_console() -> None:
    assert {ROLES[role][2] for role in ("manager", "supervisor", "executive")} == {"/console"}


def test_every_role_of_the_demo_can_be_tried() -> None:
    assert set(ROLES) == {str(each.role) for each in PEOPLE}


def test_a_press_comes_from_our_own_page_and_names_a_role_that_there_is(browser: TestClient) -> None:
    browser.cookies.clear()
    assert browser.post("/pages/demo/enter", json={"role": "manager"}).status_code == 403
    refused = browser.post("/pages/demo/enter", json={"role": "owner"}, headers=PAGE)
    assert refused.status_code == 404
    assert "owner" in refused.json()["error"]["sentence"]
    assert "set-cookie" not in refused.headers


def test_the_display_is_watched_with_one_press_and_a_dealer_stands_at_the_free_table(browser: TestClient) -> None:
    assert enter(browser, "display") == "/display"
    assert browser.get("/display", headers=LOOKS).status_code == 200
    assert enter(browser, "dealer") == f"/keypad/{FREE_TABLE}"


def test_whoever_has_not_signed_in_sees_the_meters_of_the_book(browser: TestClient) -> None:
    browser.cookies.clear()
    told = done(browser.get("/api/demo/meters"))
    link = browser.app.state.runtime.house.links[LINK]  # type: ignore[attr-defined]
    assert [level["meter_cents"] for level in told["levels"]] == list(link.shown_cents.values())
    front = browser.get("/", headers=LOOKS)
    assert front.status_code == 200
    assert all(f'data-enter="{role}"' in front.text for role in ROLES)
    sign_in = browser.get("/sign-in?then=/console")
    assert all(f'data-enter="{role}"' in sign_in.text for role in ROLES)
    assert "js/front/roles" in sign_in.text


def test_a_real_site_has_no_such_route_at_all(site: MadeSite) -> None:
    app = create_app(site.settings)
    paths = {getattr(route, "path", "") for route in app.routes}
    assert not [path for path in paths if "demo" in path]
    with TestClient(app) as client:
        for path in ("/pages/demo/enter", "/api/demo/meters"):
            assert client.post(path, json={"role": "manager"}, headers=PAGE).status_code in (404, 405)
            assert client.get(path).status_code == 404
        front = client.get("/", headers=LOOKS)
        assert front.status_code == 200
        assert "data-enter" not in front.text
