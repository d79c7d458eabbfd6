"""When something is wrong there is one sentence and a way on; a refusal is no fault of the page."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from croupier.games.catalogue import ALL_GAMES
from tests.browser.support import Floor, Visit, assert_accessible, shoot

GAME = next(iter(ALL_GAMES))
OTHER = list(ALL_GAMES)[-1]


@pytest.mark.parametrize(("who", "way"), [("", "To the front door"), ("max", "Back to the lobby")])
def test_an_unknown_page_has_a_sentence_and_a_way_on(visit: Visit, who: str, way: str) -> None:
    visit.expect("status of 404")
    page = visit(who, "/no-such-page", ready=".state-picture svg", width=390)
    expect(page.locator(".state .sentence")).to_contain_text("There is no page at this address.")
    assert_accessible(page)
    page.emulate_media(color_scheme="dark")
    assert_accessible(page)
    page.get_by_role("link", name=way).click()
    page.wait_for_url("**/")


def test_a_page_that_is_not_for_a_role_says_so_and_leads_back(visit: Visit) -> None:
    visit.expect("status of 403")
    page = visit("sue", "/console/adjust", ready=".state")
    expect(page.locator(".state")).to_contain_text("not for your role")
    assert_accessible(page)
    page.locator(".state .button").first.click()
    page.wait_for_url("**/console")


def test_a_link_to_a_round_that_is_no_more_opens_a_new_table_and_says_so(visit: Visit) -> None:
    page = visit("", f"/play/{GAME}?round=rnd_{'x' * 27}", ready=".circle")
    expect(page.locator("#say")).to_contain_text("is no longer kept")
    assert not visit.complaints


def test_a_link_to_a_round_of_another_game_leads_to_its_game(visit: Visit) -> None:
    page = visit("", f"/play/{OTHER}", ready=".circle")
    page.wait_for_url("**?round=*")
    id_ = page.url.partition("round=")[2]
    stranger = visit("", f"/play/{GAME}?round={id_}")
    stranger.wait_for_url(f"**/play/{OTHER}?round={id_}")
    expect(stranger.locator("#looks-on")).to_be_visible()


def test_a_refused_move_is_no_line_in_the_browsers_console(visit: Visit) -> None:
    page = visit("", f"/play/{GAME}", ready=".circle")
    page.wait_for_url("**?round=*")
    id_ = page.url.partition("round=")[2]
    told = _refused(page, f"/api/rounds/{id_}/acts", {"id": "m1", "act": "decide 1 hit"})
    assert told["status"] >= 400
    assert told["sentence"]
    assert not visit.complaints, "the test itself ends where a page complains"


def _refused(page: Page, url: str, body: dict[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(
        """async ([url, body]) => {
          const api = document.querySelector('script[src*="forms.js"]').src.replace('forms.js', 'api.js');
          const { post } = await import(api);
          try { await post(url, body); return {}; }
          catch (error) { return { status: error.status, sentence: error.message }; }
        }""",
        [url, body],
    )
    return found


def test_a_move_that_nobody_answers_is_kept_said_and_counts_once(visit: Visit, busy_floor: Floor) -> None:
    visit.expect("Failed to load resource")
    page = visit("", "/", ready=".hand-keys button[data-act]", still=True)
    away = {"is": True}

    def answer(route: Route) -> None:
        if away["is"]:
            route.abort()
        else:
            route.continue_()

    page.route("**/api/rounds**", answer)
    page.locator(".hand-keys button[data-act]").first.click()
    expect(page.locator("#hand-lost")).to_be_visible()
    assert_accessible(page)
    away["is"] = False
    expect(page.locator("#hand-lost")).to_be_hidden()
    expect(page.locator("#verdict, .hand-keys button[data-act]:not([disabled])").first).to_be_visible()


def test_a_page_without_scripts_says_what_can_be_read(visit: Visit) -> None:
    page = visit("", "/play", scripts=False)
    sentence = page.locator("main > noscript")
    assert "this browser runs none" in sentence.inner_text()
    sentence.locator("a").click()
    expect(page.locator(".rulebook")).to_be_visible()


def test_a_table_without_scripts_is_a_sentence_and_a_way_on_and_no_empty_cloth(visit: Visit) -> None:
    for place, width in (("play", 390), ("deal", 1440)):
        page = visit("", f"/{place}/blackjack", scripts=False, width=width)
        assert "this browser runs none" in page.locator("main > noscript").inner_text()
        expect(page.locator(".stage")).to_be_hidden()
        shoot(page, f"no-script-{place}", whole=False)
        page.locator("main > noscript a").first.click()
        expect(page.locator(".rulebook")).to_be_visible()
    front = visit("", "/", scripts=False)
    red, green, blue = map(
        int, re.findall(r"\d+", front.locator(".hand-ask a").evaluate("(a) => getComputedStyle(a).color"))[:3]
    )
    assert 0.2126 * red + 0.7152 * green + 0.0722 * blue > 128, "a dark link on a dark cloth"
