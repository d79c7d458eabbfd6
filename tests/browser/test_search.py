"""One search: by key or button, over what the person may see and nothing else."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from croupier.games.catalogue import ALL_GAMES
from tests.browser.support import Visit, assert_accessible


@pytest.mark.parametrize("opens", ["/", "Control+k", "button"])
def test_a_game_is_found_and_opened_by_the_keyboard_alone(visit: Visit, opens: str) -> None:
    game = list(ALL_GAMES.values())[-1]
    page = visit("", "/rules", ready="#search-open:not([hidden])")
    if opens == "button":
        page.locator("#search-open").click()
    else:
        page.keyboard.press(opens)
    expect(page.locator("#search-words")).to_be_focused()
    page.keyboard.type(game.title[:8])
    first = page.locator("#search-found a").first
    expect(first).to_contain_text(game.title)
    assert_accessible(page)
    page.keyboard.press("ArrowDown")
    expect(first).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/play/{game.key}*")


def test_a_stranger_finds_rules_and_nobody_who_works_here(visit: Visit) -> None:
    page = visit("", "/rules", ready="#search-open:not([hidden])")
    page.keyboard.press("/")
    page.keyboard.type("commission")
    expect(page.locator("#search-found a[href*='#p']").first).to_be_visible()
    for words in ("Mia", "bank cover", "qqqq"):
        page.locator("#search-words").fill(words)
        expect(page.locator("#search-state")).to_contain_text("Nothing here has all of these words")
        page.locator("#search-words").fill("")
        expect(page.locator("#search-state")).to_contain_text("Type a word")
    page.keyboard.press("Escape")
    expect(page.locator("#search")).to_be_hidden()


def test_a_manager_finds_people_awards_and_pages_of_the_console(visit: Visit) -> None:
    page = visit("max", "/console", ready="#search-open:not([hidden])")
    page.keyboard.press("/")
    for words, path in (("Mia", "/console/people"), ("bank", "/console/bank"), ("Same Color", "/console/awards/")):
        page.locator("#search-words").fill(words)
        expect(page.locator(f"#search-found a[href^='{path}']").first).to_be_visible()


def test_a_letter_in_a_field_is_a_letter(visit: Visit) -> None:
    page = visit("", "/sign-in", ready="#search-open:not([hidden])")
    page.locator("#card").press("/")
    assert page.locator("#card").input_value() == "/"
    assert page.locator("#search").count() == 0
