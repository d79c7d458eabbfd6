"""The keypad as a thing under a hand: keys stay where they are and are large, and a card is never seen."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.keypad import Keypad
from tests.browser.support import COLOR, ONE, SUITED, Floor, Visit, assert_accessible

TOUCH_PX = 56
KEYS = "#seats button, .keys button, #hands button, #prompt"
PLACES = f"""() => Object.fromEntries([...document.querySelectorAll("{KEYS}")].map((each) => {{
  const at = each.getBoundingClientRect();
  return [each.id || each.dataset.seat || each.dataset.line, [Math.round(at.x), Math.round(at.y + scrollY)]];
}}))"""
SMALL = f"""() => [...document.querySelectorAll("button, input")]
  .filter((each) => each.getClientRects().length && each.getBoundingClientRect().height < {TOUCH_PX})
  .map((each) => each.id || each.textContent)"""


def places(page: Page) -> Any:
    return page.evaluate(PLACES)


def test_keys_stay_in_their_places_and_are_large_enough_for_a_thumb(visit: Visit, own_floor: Floor) -> None:
    for width in (360, 820):
        page = visit("dan at keypad-1", "/keypad/1", floor=own_floor, width=width, ready="#hands button")
        pad = Keypad(page)
        before = places(page)
        assert len(before) == 7 + 3 + 5 + 1
        assert not page.evaluate(SMALL)
        pad.start(2, 5)
        pad.hand(5, COLOR)
        assert places(page) == before
        pad.call()
        assert places(page) == before
        assert not page.evaluate(SMALL)
        assert_accessible(page)
        pad.swipe(own_floor.site.cards["sue"])
        pad.end()
        assert places(page) == before
        page.context.close()


def test_a_card_is_never_in_clear_and_goes_to_the_prompt_wherever_the_cursor_is(visit: Visit, own_floor: Floor) -> None:
    page = visit("dan at keypad-1", "/keypad/1", floor=own_floor)
    pad, card = Keypad(page), own_floor.site.cards["sue"]
    pad.start(2)
    pad.hand(2, COLOR)
    pad.call()
    pad.seat(2)  # the cursor is elsewhere now
    page.keyboard.type(card)
    assert page.locator("#card").get_attribute("type") == "password"
    assert page.input_value("#card") == card
    assert card not in page.inner_text("body")
    page.keyboard.press("Enter")
    expect(page.locator("#awards .award")).to_have_count(0)
    assert page.input_value("#card") == ""
    assert page.evaluate("() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }])") == "[{},{}]"


def test_everything_goes_by_keyboard_and_the_dealer_signs_out(visit: Visit, own_floor: Floor) -> None:
    page = visit("keypad-1", "/keypad/1", floor=own_floor)
    page.fill("#person", "dan")
    page.keyboard.press("Enter")
    pad = Keypad(page)
    page.focus('[data-seat="3"]')
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.focus("#start")
    page.keyboard.press("Enter")
    page.wait_for_selector("#end:not([disabled])")
    assert own_floor.link()["tables"]["1"]["seats"] == [3, 4]
    page.focus('[data-seat="4"]')
    page.keyboard.press("Enter")
    page.focus(f'#hands [data-line="{SUITED}"]')
    page.keyboard.press("Enter")
    expect(page.locator("#awards .award")).to_have_count(1)
    pad.next("Call a supervisor")
    page.click("[data-post]")
    page.wait_for_selector("#person")
    page.reload()
    page.wait_for_selector("#person")


def test_a_supervisor_works_at_any_table_with_a_pin_and_not_without(visit: Visit, own_floor: Floor) -> None:
    visit.expect("status of 401")
    pad = Keypad(visit("sue", "/keypad/3", floor=own_floor))
    pad.start(1)
    pad.end()
    alone = visit("sue card", "/keypad/3", floor=own_floor)
    assert alone.locator("#token").is_visible()
    assert "with the card alone" in alone.inner_text(".say[role=status]")
    assert visit("max", "/keypad/3", floor=own_floor).locator("#token").is_visible()


FOCUSED = "() => document.activeElement.dataset.seat || document.activeElement.id || document.activeElement.tagName"


def test_a_second_tap_takes_no_hand_back_and_the_cursor_stays_where_it_was(visit: Visit, own_floor: Floor) -> None:
    pad = Keypad(visit("dan at keypad-1", "/keypad/1", floor=own_floor))
    page = pad.page
    for seat in (2, 3):
        page.focus(f'[data-seat="{seat}"]')
        page.keyboard.press("Enter")
    page.focus("#start")
    page.keyboard.press("Enter")
    page.wait_for_selector("#end:not([disabled])")
    assert page.evaluate(FOCUSED) == "2", "the key rests now; the first seat that has a wager does no harm"
    pad.seat(2)
    key = page.locator(f'#hands [data-line="{COLOR}"]')
    key.click()
    expect(key).to_have_attribute("aria-pressed", "true")
    key.click()
    pad.call()
    page.evaluate(
        "() => { window.made = 0; new MutationObserver((all) => { window.made += all.length; })"
        ".observe(document.getElementById('awards'), { childList: true }); }"
    )
    pad.seat(3)
    pad.hand(3, ONE)
    assert own_floor.kinds() == ["start", "enter", "call", "pay"]
    assert page.evaluate("() => window.made") == 0, "no award has changed"
    assert page.evaluate("() => document.activeElement.dataset.line") == ONE, "the card was due before"
