"""The keypad as a thing under a hand: keys stay where they are and are large, and a card is never seen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from croupier.floor.link import acts
from croupier.floor.refusals import No
from croupier.web.pages.templates import strings
from support.room import MANAGER, ONE_METER, OTHER_MANAGER
from tests.browser.keypad import Keypad, confirmed, money
from tests.browser.support import COLOR, ONE, SUITED, THREE, Floor, Visit, assert_accessible, shoot
from tests.web.support import LINK, MadeSite, agreed, running, serve

TOUCH_PX = 56
KEYS = "#seats button, .keys button, #hands button, #prompt"
PLACES = f"""() => Object.fromEntries([...document.querySelectorAll("{KEYS}")].map((each) => {{
  const at = each.getBoundingClientRect();
  return [each.id || each.dataset.seat || each.dataset.line, [Math.round(at.x), Math.round(at.y + scrollY)]];
}}))"""
TABLETS = ((820, 1180), (1280, 800))
IN_VIEW = """() => [...document.querySelectorAll(
  "#next, #seats button, #hands button, .keys button, #prompt-what, #reasons button, #card, #decide, .top *")]
  .filter((each) => each.getClientRects().length)
  .filter((each) => {
    const at = each.getBoundingClientRect();
    return at.top < 0 || at.left < 0 || at.bottom > innerHeight || at.right > innerWidth;
  }).map((each) => each.id || each.textContent)"""
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


HEAD = """() => {
  const [title, meters, who] = ["h1", "#meters", ".who"].map((each) => document.querySelector(`#pad-top ${each}`));
  const box = (each) => each.getBoundingClientRect();
  const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
  const pairs = [[title, meters], [title, who], [meters, who]].filter(([one, other]) => !apart(box(one), box(other)));
  const out = [...meters.children].filter((each) => box(each).right > box(meters).right + 1);
  const wide = [...meters.children].filter((each) => each.scrollWidth > each.clientWidth + 1);
  const named = pairs.map(([one, other]) => `${one.tagName} lies on ${other.className || other.id}`);
  return [...named, ...[...out, ...wide].map((each) => each.textContent)];
}"""


@pytest.mark.parametrize("width", [320, 390, 640, 820, 1440])
def test_nothing_in_the_head_lies_on_anything_else(visit: Visit, busy_floor: Floor, width: int) -> None:
    page = visit("dan at keypad-1", "/keypad/1", floor=busy_floor, width=width, ready="#meters strong")
    assert page.evaluate(HEAD) == []


def test_the_steps_of_a_game_are_told_while_no_award_waits(visit: Visit, own_floor: Floor) -> None:
    page = visit("dan at keypad-1", "/keypad/1", floor=own_floor, width=820, ready="#steps li")
    steps = page.get_by_role("list", name="Steps of a game")
    now = steps.locator("[aria-current=step]")
    expect(now).to_contain_text("Touch the seats that wager")
    page.locator('#seats [data-seat="2"]').click()
    expect(now).to_contain_text("START GAME")
    page.click("#start")
    expect(now).to_contain_text("winning hands")
    expect(steps.locator(".done")).to_have_count(2)
    expect(page.locator("#next b")).to_contain_text("For a winning hand")
    assert_accessible(page)
    page.click("#end")
    expect(now).to_contain_text("Touch the seats that wager")
    own_floor.act(f"/api/links/{LINK}/close", reason="The shift is over.")
    expect(page.locator("#next")).to_contain_text("The link is closed.")
    expect(steps).to_be_hidden()


def test_a_card_is_never_in_clear_and_goes_to_the_prompt_wherever_the_cursor_is(visit: Visit, own_floor: Floor) -> None:
    visit.expect("status of 4(01|22)")  # cards that are none
    page = visit("dan at keypad-1", "/keypad/1", floor=own_floor)
    pad, card = Keypad(page), own_floor.site.cards["sue"]
    pad.start(2)
    pad.hand(2, COLOR)
    pad.call()
    page.evaluate("() => { window.old = true; }")
    for wrong, said in (("0123", "was not read whole: swipe it again"), ("0" * 40, "belongs to nobody here")):
        pad.swipe(wrong)
        pad.says(said)
    assert page.evaluate("() => window.old"), "who works here is not asked anew for somebody else's card"
    pad.seat(2)  # the cursor is elsewhere now
    page.keyboard.type(card)
    assert page.locator("#card").get_attribute("type") == "password"
    assert page.input_value("#card") == card
    assert card not in page.inner_text("body")
    page.keyboard.press("Enter")
    expect(page.locator("#awards .pad-award")).to_have_count(0)
    assert page.input_value("#card") == ""
    assert page.evaluate("() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }])") == "[{},{}]"


def test_everything_goes_by_keyboard_and_the_dealer_signs_out(visit: Visit, own_floor: Floor) -> None:
    page = visit("keypad-1", "/keypad/1", floor=own_floor)
    page.select_option("#person", "dan")
    page.focus("button[type=submit]")
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
    expect(page.locator("#awards .pad-award")).to_have_count(1)
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


def test_console_and_keypad_work_side_by_side_in_one_browser(visit: Visit, own_floor: Floor) -> None:
    visit.expect("status of 40[13]")  # who is asked for the keypad's token, or has just signed out of the console
    console = visit("mia", "/console", floor=own_floor)
    page = console.context.new_page()
    page.goto(f"/keypad/1#{own_floor.site.tokens['keypad-1']}")
    page.select_option("#person", "dan")
    page.focus("button[type=submit]")
    page.keyboard.press("Enter")
    pad = Keypad(page)
    pad.start(2)
    console.reload()
    expect(console.locator("header")).to_contain_text("Mia")
    pad.end()
    console.click("[data-post]")
    console.wait_for_selector("#card")
    pad.start(3)
    assert own_floor.kinds() == ["start", "end", "start"]


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
    expect(page.locator("#card")).to_be_focused()
    page.evaluate(
        "() => { window.made = 0; new MutationObserver((all) => { window.made += all.length; })"
        ".observe(document.getElementById('awards'), { childList: true }); }"
    )
    pad.seat(3)
    pad.hand(3, ONE)
    assert own_floor.kinds() == ["start", "enter", "call", "pay"]
    assert page.evaluate("() => window.made") == 0, "no award has changed"
    assert page.evaluate("() => document.activeElement.dataset.line") == ONE, "the card was due before"


def test_every_press_says_what_it_came_to_until_the_next(visit: Visit, own_floor: Floor) -> None:
    pad, card = Keypad(visit("dan at keypad-1", "/keypad/1", floor=own_floor)), own_floor.site.cards["eve"]
    page, outcome = pad.page, pad.page.locator("#outcome[role=status]")
    pad.start(2, 3)
    before = places(page)
    pad.hand(2, ONE)
    line = next(each for each in own_floor.link()["paytable"] if each["line"] == ONE)
    tray = f"Pay {money(line['cents'])} to seat 2 from the tray. The same key again takes it back."
    expect(outcome).to_have_text(tray)
    assert places(page) == before
    for way in ("void", "confirm"):
        page.wait_for_timeout(1_100)  # sooner, the same key of the same seat is taken for a double tap
        pad.hand(3, COLOR)
        expect(outcome).to_be_empty()
        pad.call()
        (amount,) = pad.awards()
        if way == "void":
            page.click("#way-void")
            page.click("#reason-other")
            page.keyboard.type("The recording shows another hand.")
            page.keyboard.press("Enter")
        pad.swipe(card)
        if way == "void":
            expect(outcome).to_have_text(f"Voided: {amount} is back on the meter.")
        else:
            confirmed(page, 3, amount)
        assert places(page) == before
    pad.end()
    expect(outcome).to_be_empty()


def test_cards_belong_to_one_seat_and_come_before_its_hand(visit: Visit, own_floor: Floor) -> None:
    pad = Keypad(visit("dan at keypad-1", "/keypad/1", floor=own_floor))
    page, shown = pad.page, pad.page.locator("#cards-shown")
    pad.start(2, 3)
    expect(page.locator("#cards-key")).to_be_disabled()
    pad.seat(2)
    page.click("#cards-key")
    expect(page.locator("#card-pad-title")).to_have_text("Cards of seat 2")
    page.fill("#cards", "7d 7h 7s")
    page.click("#cards-back")
    assert page.input_value("#cards") == "7d 7h"
    page.click("#cards-done")
    pad.seat(2)
    expect(shown).to_have_text("7♦ 7♥")
    pad.seat(3)
    expect(shown).to_have_text("none entered")
    pad.hand(3, THREE)
    expect(page.locator("#cards-key")).to_be_disabled()
    pad.seat(2)
    expect(page.locator("#cards-key")).to_be_enabled()


def test_a_game_without_a_progressive_wager_is_started_only_when_it_is_meant(visit: Visit, own_floor: Floor) -> None:
    pad = Keypad(visit("dan at keypad-1", "/keypad/1", floor=own_floor))
    page = pad.page
    pad.seat(3, times=2)  # a base wager alone
    page.click("#start", click_count=2)  # a tap too many is no answer
    pad.says("Start without one?")
    pad.seat(4, times=3)  # something else was pressed: it is asked again
    expect(page.locator("#say")).to_be_empty()
    page.click("#start")
    pad.says("Start without one?")
    assert own_floor.kinds() == []
    page.wait_for_timeout(500)
    page.click("#start")
    page.wait_for_selector("#end:not([disabled])")
    assert own_floor.kinds() == ["start"]
    expect(page.locator("#chips")).to_be_empty()


def test_the_steps_words_move_no_key_and_the_tables_name_is_whole(visit: Visit, busy_floor: Floor) -> None:
    page = visit("dan at keypad-1", "/keypad/1", floor=busy_floor, ready="#hands button")
    before = places(page)
    page.evaluate("() => { document.getElementById('next').textContent = 'What comes next is said. '.repeat(5); }")
    page.evaluate("() => { document.getElementById('chips').textContent = 'Remove the wagers.'; }")
    assert places(page) == before
    page.evaluate("() => { document.querySelector('.who span').textContent = 'A dealer with a long name'.repeat(2); }")
    one_line = "() => document.querySelector('#table-name').getClientRects().length"
    assert page.evaluate(one_line) == 1
    assert page.evaluate("() => document.querySelector('h1').getBoundingClientRect().x") >= 0


LEAST_S = 4
"""From START GAME to the first hand, where there is such a time: more than a busy machine takes for two presses."""


@pytest.fixture
def carded_floor(made_site: MadeSite, tmp_path: Path, visit: Visit) -> Iterator[Floor]:
    """Served for one test; fixed pays from $1,000 on take a card, and a hand comes some time after START GAME."""
    site = made_site.copy(tmp_path)
    setup = replace(ONE_METER, fixed_pay_card_cents=100_000, least_round_s=LEAST_S)
    with running(site) as room:
        floor = room.runtime.leading()
        change = acts.Reconfigure(id="change", by=MANAGER, second=OTHER_MANAGER, setup=setup)
        floor.do(acts.CloseLink(id="to change", by=MANAGER), LINK)
        floor.do(agreed(room.runtime, change, LINK), LINK)
        floor.do(acts.OpenLink(id="open again", by=MANAGER), LINK)
    with serve(site) as server:
        yield Floor(server)
        visit.leave()


def test_a_high_fixed_pay_waits_for_a_card_as_an_award_does(visit: Visit, carded_floor: Floor) -> None:
    """Pending at the keypad and on no display before the call; END GAME waits; a card pays it, another is voided."""
    floor = carded_floor
    display = visit("display-main", "/display", floor=floor, ready=".meter", width=1920)
    pad = Keypad(visit("dan at keypad-1", "/keypad/1", floor=floor))
    pad.start(2, 5)
    pad.page.wait_for_timeout(1_000 * LEAST_S + 100)
    meter = floor.meter_cents()
    pad.hand(5, THREE)
    assert pad.awards() == ["$1,000.00"]
    expect(pad.page.locator("#awards")).to_contain_text("Seat 5, Three 7's, fixed pay")
    expect(pad.page.locator("#end")).to_be_disabled()
    pad.next("Call a supervisor")
    pad.call()
    pad.next("swipes a card")
    expect(display.locator("#news")).not_to_contain_text("PENDING")
    assert floor.meter_cents() == meter
    pad.swipe(floor.site.cards["sue"])
    expect(pad.page.locator("#awards .pad-award")).to_have_count(0)
    pad.hand(2, THREE)
    pad.page.wait_for_timeout(1_100)  # sooner it would be a tap too many
    pad.hand(2, THREE)
    expect(pad.page.locator("#awards .pad-award")).to_have_count(0)
    pad.end()
    assert floor.kinds()[-7:] == ["start", "enter", "call", "confirm", "enter", "take-back", "end"]
    assert floor.meter_cents() == meter


def test_a_hand_too_soon_after_start_game_says_how_long_to_wait(visit: Visit, carded_floor: Floor) -> None:
    visit.expect("status of 409|status of 422|status of 4")
    pad = Keypad(visit("dan at keypad-1", "/keypad/1", floor=carded_floor))
    pad.start(2)
    pad.seat(2)
    pad.page.click(f'#hands [data-line="{ONE}"]')
    pad.says(f"A hand comes {LEAST_S} seconds after START GAME at the earliest: wait ")
    pad.page.wait_for_timeout(1_000 * LEAST_S + 100)
    pad.hand(2, ONE)


def test_a_base_wager_stays_and_two_taps_of_a_hand_are_answered(visit: Visit, own_floor: Floor) -> None:
    pad = Keypad(visit("dan at keypad-1", "/keypad/1", floor=own_floor))
    page = pad.page
    pad.seat(5, times=2)
    pad.start(2)
    expect(page.locator('[data-seat="5"] small')).to_have_text("base wager only")
    expect(page.locator('[data-seat="4"] small')).to_have_text("no wager")
    pad.hand(2, COLOR)
    page.click(f'#hands [data-line="{COLOR}"]')
    pad.says(f"{COLOR} of seat 2 stands: two taps in a second count as one.")
    assert own_floor.kinds() == ["start", "enter"]


def test_winners_are_numbered_from_the_dealers_right(visit: Visit, own_floor: Floor) -> None:
    pad = Keypad(visit("dan at keypad-1", "/keypad/1", floor=own_floor))
    pad.start(1, 3, 6)
    for seat in (3, 1, 6):
        pad.hand(seat, COLOR)
    expect(pad.page.locator("#awards-count")).to_have_text("from the dealer's right, from the top")
    listed = pad.page.locator("#awards li")
    for place, seat in enumerate((6, 3, 1)):
        expect(listed.nth(place).locator(".place")).to_have_text(f"{place + 1}.")
        expect(listed.nth(place)).to_contain_text(f"Seat {seat}, {COLOR}")
    assert_accessible(pad.page)
    console = visit("eve", "/console/awards", floor=own_floor)
    expect(console.locator("#pending .place")).to_have_text([f"{place} of 3 at this table" for place in (1, 2, 3)])


def test_a_card_before_the_reason_is_not_joined_to_the_next(visit: Visit, own_floor: Floor) -> None:
    pad, card = Keypad(visit("dan at keypad-1", "/keypad/1", floor=own_floor)), own_floor.site.cards["eve"]
    page = pad.page
    pad.start(2)
    pad.hand(2, COLOR)
    pad.call()
    page.click("#way-void")
    page.click("#reason-other")
    expect(page.locator("#reason")).to_be_focused()
    pad.swipe(card)
    pad.says("Choose why first, then swipe the card again.")
    assert [page.input_value(field) for field in ("#reason", "#card")] == ["", ""], "nobody reads a card's token"
    page.focus("#card")
    pad.swipe(card)
    assert page.input_value("#card") == ""
    expect(page.locator("#reason")).to_be_focused()
    page.keyboard.type("The third card is an eight. ")
    pad.swipe(card)
    expect(page.locator("#outcome")).to_contain_text("Voided")
    entry = own_floor.get("/api/links/main/entries?most=1000")["entries"][-1]
    assert entry["facts"]["reason"] == "The third card is an eight."


def test_a_late_winner_is_paid_in_the_game_that_a_supervisor_reopens(visit: Visit, own_floor: Floor) -> None:
    pad, card = Keypad(visit("dan at keypad-1", "/keypad/1", floor=own_floor)), own_floor.site.cards["eve"]
    page = pad.page
    expect(page.locator("#reopen")).to_be_disabled()
    pad.start(2, 3)
    stood = own_floor.meter_cents()
    pad.end()
    own_floor.start(2, 1, 2)
    page.click("#reopen")
    expect(page.locator("#prompt-what")).to_contain_text("A winner of game 1 was seen after END GAME?")
    assert_accessible(page)
    page.click("#way-void")
    page.click("#decide")
    expect(page.locator("#prompt-what")).to_have_text("No award is pending.")
    page.click("#reopen")
    expect(page.locator("#card")).to_be_focused()
    pad.swipe(card)
    expect(page.locator("#outcome")).to_have_text("Game 1 goes on: touch the winner's seat, then the hand.")
    pad.says("")
    pad.hand(3, SUITED)
    assert pad.awards() == [money(stood)]
    expect(page.locator("#meters .claimed-words")).to_have_text(f", {money(stood)} of it claimed at this table")
    pad.call()
    pad.swipe(card)
    confirmed(page, 3, money(stood))
    told = page.locator('[data-seat="3"] small')
    expect(told).to_have_text(re.compile("^✓ Three 7's"))
    assert told.evaluate("(words) => words.scrollHeight <= words.clientHeight + 1"), "cut off"
    pad.end()
    assert own_floor.kinds() == ["start", "end", "start", "reopen", "enter", "call", "confirm", "end"]


@pytest.mark.parametrize(("width", "height"), TABLETS)
def test_all_of_a_tablets_height_is_used_and_nothing_is_out_of_view(
    visit: Visit, own_floor: Floor, width: int, height: int
) -> None:
    """Next step, pending award, reasons, card and keys at once, whatever is pending; the hands fill what is left."""
    page = visit("dan at keypad-1", "/keypad/1", floor=own_floor, width=width, ready="#hands button")
    page.set_viewport_size({"width": width, "height": height})
    pad = Keypad(page)
    before = places(page)
    assert not page.evaluate(IN_VIEW)
    keys = page.locator(".keys").bounding_box()
    assert keys is not None
    assert height - 24 <= keys["y"] + keys["height"] <= height, "the keys are at the bottom"
    shoot(page, "keypad-tablet-idle", whole=False)
    pad.start(2, 3, 5)
    pad.hand(5, COLOR)
    pad.hand(3, SUITED)
    pad.call()
    assert not page.evaluate(IN_VIEW)
    page.click("#way-void")
    page.click("#reason-other")
    assert not page.evaluate(IN_VIEW)
    assert not page.evaluate(SMALL)
    assert places(page) == before
    assert_accessible(page)
    shoot(page, "keypad-tablet-void", whole=False)
    assert page.evaluate("() => document.documentElement.scrollHeight") == height


def test_a_reason_is_a_button_and_a_card_that_came_too_early_is_asked_for_again(visit: Visit, own_floor: Floor) -> None:
    pad, card = Keypad(visit("dan at keypad-1", "/keypad/1", floor=own_floor)), own_floor.site.cards["sue"]
    page = pad.page
    pad.start(2)
    pad.hand(2, COLOR)
    pad.call()
    page.click("#way-void")
    pad.swipe(card)
    pad.says("Choose why first, then swipe the card again.")
    assert page.input_value("#card") == ""
    assert own_floor.kinds()[-1] == "call"
    page.click("#reasons button >> text=The recording shows otherwise.")
    expect(page.locator("#card")).to_be_focused()
    pad.swipe(card)
    expect(page.locator("#awards .pad-award")).to_have_count(0)
    [entry] = [
        each for each in own_floor.get(f"/api/links/{LINK}/entries?most=1000")["entries"] if each["kind"] == "void"
    ]
    assert entry["facts"]["reason"] == "The recording shows otherwise."


def test_the_money_bag_prints_the_win_page_at_the_table_and_nowhere_else(visit: Visit, own_floor: Floor) -> None:
    """A browser that cannot show a PDF keeps it as a file, as this one does; another prints it."""
    page = visit("dan at keypad-1", "/keypad/1", floor=own_floor)
    pad = Keypad(page)
    pad.start(2)
    pad.hand(2, COLOR)
    pad.call()
    expect(page.locator("#paid button")).to_have_count(0)
    pad.swipe(own_floor.site.cards["sue"])
    bag = page.locator("#paid button")
    expect(bag).to_contain_text("Print the win page")
    pad.end()
    with page.expect_download() as kept:
        bag.click()
    assert Path(kept.value.path()).read_bytes().startswith(b"%PDF-")
    expect(page.locator("#outcome")).to_have_text("The win page goes to the printer.")
    award = bag.get_attribute("data-paid")
    path = f"/api/links/{LINK}/awards/{award}/win-page.pdf"
    asks = {each: own_floor.site.header(each) for each in ("ann 1", "ann 2")}
    url = own_floor.server.url + path
    codes = {each: httpx.get(url, headers=header, timeout=60).status_code for each, header in asks.items()}
    assert codes == {"ann 1": 200, "ann 2": 403}
    pad.start(2)
    expect(bag).to_have_count(0)


def test_a_keypad_leads_nowhere_else_and_shows_players_no_balance_and_no_rule(visit: Visit, own_floor: Floor) -> None:
    visit.expect("status of 4")
    asks = visit("keypad-1", "/keypad/1", floor=own_floor, ready="#person")
    assert asks.locator("a[href]").count() == 0
    page = visit("dan at keypad-1", "/keypad/1", floor=own_floor)
    pad = Keypad(page)
    assert page.locator("a[href]").count() == 0
    assert visit("sue", "/keypad/3", floor=own_floor, ready="#seats button").locator("a[href='/']").count() == 1
    title = page.locator(".top .game")
    page.evaluate(
        "() => { document.querySelector('.top .game').textContent = 'Blackjack with a very long title '.repeat(4); }"
    )
    assert (
        title.evaluate("(each) => each.scrollWidth <= each.clientWidth + 1 && getComputedStyle(each).textOverflow")
        == "clip"
    )
    own_floor.act("/api/site/declare-bank", "max", balance_cents=100)
    pad.next("The link is closed. An executive or a manager opens it in the console.")
    shown = page.inner_text("main")
    assert "bank" not in shown.casefold()
    assert "short" not in shown.casefold()
    told = {key: text for key, text in strings("keypad").items() if key.startswith("keypad.no.")}
    assert {key.removeprefix("keypad.no.") for key in told} <= set(No)
    assert not any("$" in text or "WAC" in text or "bank" in text.casefold() for text in told.values())


def test_on_a_phone_the_answer_to_a_card_is_in_sight_where_the_card_is_read(visit: Visit, own_floor: Floor) -> None:
    visit.expect("status of 403")  # a dealer's card
    page = visit("dan at keypad-1", "/keypad/1", floor=own_floor, width=390, ready="#hands button")
    page.set_viewport_size({"width": 390, "height": 844})
    pad = Keypad(page)
    pad.start(2, 5)
    pad.hand(5, SUITED)
    stood = pad.awards()[0]
    pad.call()
    expect(page.locator("#card")).to_be_in_viewport(ratio=1)
    pad.swipe(own_floor.site.cards["sue"])
    pad.says("A supervisor may not confirm an award above the threshold of $5,000.00: that takes an executive.")
    expect(page.locator("#say")).to_be_in_viewport(ratio=1)
    expect(page.locator("#card")).to_be_in_viewport(ratio=1)
    assert page.evaluate("() => { const e = document.querySelector('#say'); return e.scrollHeight <= e.clientHeight; }")
    shoot(page, "keypad-phone-refused", whole=False)
    assert_accessible(page)
    page.click("#way-void")
    pad.next("Say why it is not right")
    page.click("#way-confirm")
    pad.swipe(own_floor.site.cards["eve"])
    confirmed(page, 5, stood)
    expect(page.locator("#outcome")).to_be_in_viewport(ratio=1)
    pad.next("press END GAME")
    expect(page.locator('[data-seat="5"]')).to_contain_text("✓")
    shoot(page, "keypad-phone-confirmed", whole=False)
    pad.end()
    page.click("#reopen")
    pad.next("for the late winner")
