"""A table as it is looked at: its arc, what is told when, and what can be pressed, by mouse, finger and keyboard."""

from __future__ import annotations

import re
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, Route, expect

from croupier.games.catalogue import ALL_GAMES
from tests.browser.support import Floor, Visit, assert_accessible, assert_fits, shoot, wait_for, with_signs
from tests.browser.test_play import SIX_DECKS, bet, click, deal, decide_to_the_end, open_with_seed

SEATS = 7
WATCH = """
() => {
  window.seen = [];
  const look = () => {
    const felt = document.querySelector('.felt');
    const labelled = [...document.querySelectorAll('main [aria-label]:not([data-card])')];
    window.seen.push({
      up: [...felt.querySelectorAll('[data-card]')].map((each) => each.dataset.card),
      lines: [...document.querySelectorAll('#story .line > span')].map((each) => each.textContent),
      live: document.getElementById('live').textContent,
      title: document.getElementById('rail-title').textContent,
      said: [...document.querySelectorAll('.plaque, .result')].map((each) => each.textContent),
      dealer: document.querySelector('#dealer .plaque')?.textContent || '',
      labels: labelled.map((each) => each.getAttribute('aria-label')),
    });
  };
  const all = { childList: true, subtree: true, characterData: true, attributes: true };
  new MutationObserver(look).observe(document.querySelector('main'), all);
}
"""
FOLDED = """
() => {
  const [left, flap] = ['.held > svg', '.flap > svg'].map((each) => document.querySelector(each));
  const area = (shown) => {
    const points = [...shown.style.clipPath.matchAll(/(-?[0-9.]+)px (-?[0-9.]+)px/g)].map(([, x, y]) => [+x, +y]);
    return Math.abs(points.reduce((sum, [x, y], at) => {
      const [nx, ny] = points[(at + 1) % points.length];
      return sum + x * ny - nx * y;
    }, 0)) / 2;
  };
  const card = left.parentElement.offsetWidth * left.parentElement.offsetHeight;
  const folded = area(flap) / card;
  return Math.abs(area(left) / card + folded - 1) < 0.02 ? folded : NaN;
}
"""
"""How much of a card's back is folded over; no number where back and flap are not the whole card together."""
Seen = dict[str, Any]


def finger(session: CDPSession, does: str, *place: float) -> None:
    """A finger that comes down, moves or is lifted, which the driver's own touch screen has no way for."""
    points = [dict(zip("xy", place, strict=True))] if place else []
    session.send("Input.dispatchTouchEvent", {"type": does, "touchPoints": points})


def told_too_soon(seen: list[Seen]) -> list[str]:
    """Whatever stood in the page before the cards it is about lay there; nothing where all was kept back."""
    found, last = [], seen[-1]
    cards = len(last["up"])
    for moment in seen:
        named = re.compile(r"\b(\d+|[JQKA])([♠♥♦♣])")
        lying = [with_signs(card) for card in moment["up"]]
        for text in (*moment["lines"], moment["live"], *moment["labels"]):
            missing = ["".join(each) for each in named.findall(text) if "".join(each) not in lying]
            found += [f"{text!r} names {card}, and {lying} lie there" for card in missing]
        if len(moment["up"]) < cards:
            early = [moment["title"]] if re.match("You (won|lost|broke)", moment["title"]) else []
            early += [text for text in moment["said"] if re.search(r"won|lost|push|[+-]\$", text)]
            early += [moment["dealer"]] if moment["dealer"] == last["dealer"] and last["dealer"] else []
            found += [f"{text!r} is said with {len(moment['up'])} of {cards} cards" for text in early]
    return found


def watched(page: Page) -> list[Seen]:
    expect(page.locator("#next-round")).to_be_visible()
    seen: list[Seen] = page.evaluate("() => window.seen")
    return seen


def test_no_text_says_the_result_before_its_cards_lie_there(visit: Visit, busy_floor: Floor) -> None:
    """Read from the page while it deals, as a screen reader would."""
    opened = busy_floor.act("/api/rounds", game="blackjack", rules=SIX_DECKS, seed="press 2")["round"]
    page = visit("max", f"/play/blackjack?round={opened}", ready=".circle")
    bet(page, "1")
    page.evaluate(WATCH)
    page.keyboard.press("d")
    expect(page.get_by_role("button", name="Stand")).to_be_enabled()
    page.keyboard.press("s")
    seen = watched(page)
    assert told_too_soon(seen) == []
    counts = [len(moment["up"]) for moment in seen]
    assert {1, 2, 3} <= set(counts), "cards come one after another"
    assert counts == sorted(counts), "no card is taken away again"
    assert_accessible(page)
    # Finding nothing means something: a result that stood there with the first card is found.
    early = next(moment for moment in seen if len(moment["up"]) == 1)
    assert told_too_soon([early | {"title": seen[-1]["title"]}, seen[-1]])
    assert told_too_soon([early | {"lines": seen[-1]["lines"]}, seen[-1]])
    assert told_too_soon([early | {"said": seen[-1]["said"]}, seen[-1]])


PLAINLY = ("n", "s", "p", "l", "r", "1")
"""No side wager, and what ends a hand soonest without giving it up."""


@pytest.mark.parametrize("game", sorted(set(ALL_GAMES) - {"blackjack"}))
def test_no_game_says_a_result_before_its_cards_lie_there(visit: Visit, busy_floor: Floor, game: str) -> None:
    opened = busy_floor.act("/api/rounds", game=game, seed="veil 1")["round"]
    page = visit("max", f"/play/{game}?round={opened}", ready=".circle")
    bet(page, "1")
    page.evaluate(WATCH)
    page.keyboard.press("d")
    for _ in range(8):
        state = "#rail:is([data-state=deciding], [data-state=over]), #rail .action[data-key=t]"
        expect(page.locator(state).first).to_be_visible()
        if page.locator("#next-round").count():
            break
        offered = [key.get_attribute("data-key") for key in page.locator("#actions .action:not([aria-disabled])").all()]
        before = page.locator("#story .line").count()
        page.keyboard.press("t" if "t" in offered else next(key for key in PLAINLY if key in offered))
        expect(page.locator("#story .line")).not_to_have_count(before)
    seen = watched(page)
    assert told_too_soon(seen) == []
    counts = [len(moment["up"]) for moment in seen]
    assert len(set(counts)) > 2, "cards come one after another"
    early = next(moment for moment in seen if len(moment["up"]) < counts[-1])
    assert told_too_soon([early | {"title": seen[-1]["title"]}, seen[-1]]), "and it would have been found"


def test_the_last_card_of_a_hand_is_turned_by_key_by_corner_and_by_finger(visit: Visit) -> None:
    page = visit("", "/play/three-card-baccarat", ready=".circle", width=1440, touch=True)
    for seat in (2, 4, 6):
        page.locator(f'.place[data-seat="{seat}"] .circle').first.click()
        expect(page.locator(f'.place[data-seat="{seat}"] .circle .chip')).to_be_visible()
    page.evaluate(WATCH)
    page.keyboard.press("d")
    expect(page.locator(".squeezable")).to_have_count(3)
    expect(page.locator("#rail-title")).to_contain_text("Seat 2: turn your last card")
    expect(page.locator("#dealer [data-card], .plaque")).to_have_count(0)
    shoot(page, "play-squeeze", whole=False)
    page.keyboard.press("t")
    expect(page.locator(".squeezable")).to_have_count(2)
    card = page.locator(".squeezable").first.bounding_box()
    assert card is not None
    x, y = card["x"] + card["width"] / 2, card["y"] + card["height"] - 8
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 10, y - 20, steps=3)
    expect(page.locator(".squeezable .flap")).to_have_attribute("aria-hidden", "true")
    assert 0.05 < page.evaluate(FOLDED) < 0.4, "a part of its back is folded over"
    page.mouse.up()
    expect(page.locator(".squeezable .flap")).to_have_count(0)
    expect(page.locator(".squeezable")).to_have_count(2)  # let go too early, it lies down again
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y - 90, steps=4)
    page.mouse.up()
    expect(page.locator(".squeezable")).to_have_count(1)
    card = page.locator(".squeezable").bounding_box()
    assert card is not None
    session = page.context.new_cdp_session(page)
    finger(session, "touchStart", card["x"] + 14, card["y"] + card["height"] - 30)
    finger(session, "touchMove", card["x"] + 50, card["y"] + 40)
    assert page.evaluate(FOLDED) > 0.05, "also by a finger, from another corner"
    finger(session, "touchMove", card["x"] + 16, card["y"] + card["height"] - 32)
    finger(session, "touchEnd")
    expect(page.locator(".squeezable")).to_have_count(1)
    page.touchscreen.tap(card["x"] + card["width"] / 2, card["y"] + card["height"] / 2)
    assert told_too_soon(watched(page)) == []


def test_on_a_phone_the_seat_in_question_is_large_and_the_others_are_a_strip(visit: Visit) -> None:
    page = visit("", "/play/three-card-baccarat", ready=".circle", width=390, touch=True)
    lay_two(page)
    page.locator("#deal").tap()
    expect(page.locator(".squeezable")).to_have_count(2)
    expect(page.locator(".place.current")).to_have_attribute("data-seat", "1")
    card = page.locator(".place.current .squeezable").bounding_box()
    assert card is not None
    page.touchscreen.tap(card["x"] + card["width"] / 2, card["y"] + card["height"] / 2)
    expect(page.locator(".place.current")).to_have_attribute("data-seat", "2")
    page.goto("/play/supreme-99")
    page.get_by_role("button", name="Off").tap()
    lay_two(page)
    page.locator("#deal").tap()
    expect(page.locator("#set-hand")).to_be_visible()
    own, other = (page.locator(f".place{which}").bounding_box() for which in (".current", ":not(.current)"))
    assert own is not None
    assert other is not None
    assert 2 * other["height"] < own["height"]
    assert_fits(page)


def lay_two(page: Page) -> None:
    """A wager at each of two seats of a phone."""
    page.locator('.place[data-seat="1"] .circle').first.tap()
    expect(page.locator('.place[data-seat="1"] .circle .chip')).to_be_visible()
    page.get_by_role("button", name="Add a seat").tap()
    page.locator('.place[data-seat="2"] .circle').first.tap()
    expect(page.locator('.place[data-seat="2"] .circle .chip')).to_be_visible()


@pytest.mark.parametrize("game", ["blackjack", "three-card-poker", "caribbean-stud", "zappit-blackjack", "supreme-99"])
def test_on_a_phone_all_that_one_decides_on_is_one_screen(visit: Visit, busy_floor: Floor, game: str) -> None:
    opened = busy_floor.act("/api/rounds", game=game, seed="veil 1")["round"]
    page = visit("max", f"/play/{game}?round={opened}", ready=".circle", width=390, touch=True, still=True)
    lay_two(page)
    page.locator("#deal").tap()
    expect(page.locator("#rail")).to_have_attribute("data-state", "deciding")
    assert page.evaluate("() => scrollY") == 0
    parts = ("#dealer", ".place.current", ".below-felt", "#rail")
    dealer, place, foot, rail = (page.locator(each).bounding_box() for each in parts)
    assert dealer
    assert place
    assert foot
    assert rail
    assert foot["y"] + foot["height"] <= rail["y"] + 1, "nor of what is said of the shoe"
    assert dealer["y"] < place["y"]
    assert place["y"] + place["height"] <= rail["y"] + 1, "the keys cover nothing of it"
    assert rail["y"] + rail["height"] <= page.evaluate("() => innerHeight") + 1
    assert_fits(page)


def test_whatever_lies_on_a_spot_says_what_it_comes_to(visit: Visit) -> None:
    page = visit("", "/design")
    written = page.evaluate(
        """async () => {
      const { drawChip, drawStack } = await import('/static/js/deck/chips.js');
      return [500, 1000, 1250, 4500, 123400].map((cents) => [drawChip(cents).textContent,
        ...[...drawStack(cents).children].map((chip) => chip.textContent)]);
    }"""
    )
    assert written == [
        ["5", "5"],
        ["10", "5", "10"],
        ["12.50", "5", "5", "1", "12.50"],
        ["45", "25", "5", "5", "5", "45"],
        ["1234", "1000", "100", "100", "25", "1234"],
    ]


def test_the_speed_is_kept_and_what_comes_can_be_had_at_once(visit: Visit) -> None:
    page = visit("", "/play/three-card-poker", ready=".circle")
    expect(page.locator("#speed [aria-pressed=true]")).to_have_text("Fast")
    page.get_by_role("button", name="Slow").click()
    page.reload()
    expect(page.locator("#speed [aria-pressed=true]")).to_have_text("Slow")
    bet(page, "1")
    page.keyboard.press("d")
    page.get_by_role("button", name="Show at once").click()
    expect(page.get_by_role("button", name="Fold")).to_be_visible()
    still = visit("", "/play/three-card-poker", ready=".circle", still=True)
    expect(still.locator("#speed [aria-pressed=true]")).to_have_text("Off")


# The arc


@pytest.mark.parametrize("width", [1440, 1920])
def test_seven_seats_lie_in_one_arc_on_the_first_screen(visit: Visit, width: int) -> None:
    page = visit("", "/play/blackjack", ready=".circle", width=width, still=True)
    screen = page.viewport_size
    assert screen is not None
    felt = page.locator(".felt").bounding_box()
    assert felt is not None
    assert felt["height"] >= screen["height"] * 2 / 3
    boxes = [page.locator(f'.place[data-seat="{seat}"] .circle').first.bounding_box() for seat in range(1, SEATS + 1)]
    assert all(box and box["y"] + box["height"] <= screen["height"] and box["x"] >= 0 for box in boxes)
    ways = [(box["x"], box["y"]) for box in boxes if box]
    assert [x for x, _ in ways] == sorted((x for x, _ in ways), reverse=True), "seat 1 is at the players' right"
    heights = [y for _, y in ways]
    assert heights[:4] == sorted(heights[:4]), "the arc is lowest in the middle"
    assert heights[3:] == sorted(heights[3:], reverse=True)
    assert_fits(page)
    expect(page.locator(".printed text").first).to_be_visible()
    expect(page.locator(".print").first).to_contain_text("to 1")


def test_split_hands_lie_side_by_side_each_with_its_own_result(visit: Visit) -> None:
    page = visit("", "/play/blackjack", ready=".circle", still=True, width=1440)
    open_with_seed(page, "play 85", SIX_DECKS)
    page.locator('.place[data-seat="4"] .circle').first.click()
    expect(page.locator(".place.current .chip")).to_be_visible()
    deal(page)
    for key in "npp":
        before = page.locator("#story .line").count()
        page.keyboard.press(key)
        expect(page.locator("#story .line")).not_to_have_count(before)
    decide_to_the_end(page, click)
    hands = page.locator(".one-hand")
    assert hands.count() >= 3
    expect(page.locator(".one-hand .came-to")).to_have_count(hands.count())
    boxes = [hands.nth(place).locator(".hand").bounding_box() for place in range(hands.count())]
    for one, other in pairwise(boxes):
        assert one
        assert other
        assert one["x"] + one["width"] <= other["x"] + 4, "no hand covers another"
    shoot(page, "play-split", whole=False)
    assert_accessible(page)


@pytest.mark.parametrize(("width", "touch"), [(390, True), (820, True)])
def test_a_chip_lands_at_every_seat_by_finger_whatever_their_number(visit: Visit, width: int, touch: bool) -> None:
    page = visit("", "/play/blackjack", ready=".circle", width=width, touch=touch)
    for seat in range(1, SEATS + 1):
        circle = page.locator(f'.place[data-seat="{seat}"] .circle').first
        circle.tap()
        expect(page.locator(f'.place[data-seat="{seat}"] .circle .chip').first).to_be_visible()
        expect(page.locator(".place .circle .chip")).to_have_count(seat)
        assert_fits(page)
        if seat < SEATS:
            page.get_by_role("button", name="Add a seat").tap()
            expect(page.locator(".place")).to_have_count(seat + 1)
    page.locator('.place[data-seat="3"]').tap(position={"x": 6, "y": 6})
    expect(page.locator(".place.current")).to_have_attribute("data-seat", "3")
    shoot(page, "play-phone-seats", whole=False)
    assert_accessible(page)


# What can be pressed


def test_deal_says_what_is_missing_and_leads_there(visit: Visit) -> None:
    page = visit("", "/play/blackjack", ready=".circle", width=1440, still=True)
    page.keyboard.press("d")
    expect(page.locator("#say")).to_have_text("Put a chip on Bet first.")
    page.locator('.place[data-seat="5"] .circle').nth(1).click()
    expect(page.locator("#deal")).to_contain_text("Seat 5 needs a Bet")
    assert_accessible(page)
    page.locator("#deal").click(force=True)  # it is off, and says why
    expect(page.locator("#say")).to_have_text("Seat 5 needs a Bet")
    focused = page.evaluate("() => document.activeElement.getAttribute('aria-label')")
    assert focused.startswith("Seat 5, Bet: empty")
    page.keyboard.press("Enter")
    expect(page.locator("#deal")).not_to_have_attribute("aria-disabled", "true")


@pytest.mark.parametrize(("game", "given_up"), [("blackjack", "Surrender"), ("three-card-poker", "Fold")])
def test_giving_up_is_never_the_largest_choice(visit: Visit, busy_floor: Floor, game: str, given_up: str) -> None:
    rules = {"rules": SIX_DECKS} if game == "blackjack" else {}
    opened = busy_floor.act("/api/rounds", game=game, seed="press 2", **rules)["round"]
    page = visit("max", f"/play/{game}?round={opened}", ready=".circle", still=True)
    bet(page, "1")
    deal(page)
    sizes = {}
    for button in page.locator("#actions .action").all():
        box = button.bounding_box()
        assert box is not None
        named = re.match("[A-Z][a-z]+", button.inner_text())
        assert named
        sizes[named[0]] = (box["width"] * box["height"], button.get_attribute("class") or "")
    quiet, classes = sizes.pop(given_up)
    assert "bare" in classes
    assert all(quiet < size for size, _ in sizes.values())
    assert all("strong" in kind for name, (_, kind) in sizes.items() if name in ("Hit", "Stand", "Play"))


def test_the_same_is_dealt_with_one_press_and_what_nobody_wants_is_not_offered_again(visit: Visit) -> None:
    page = visit("", "/play/blackjack", ready=".circle", still=True)
    open_with_seed(page, "press 2", SIX_DECKS)  # the same cards in every round
    bet(page, "1")
    deal(page)
    page.get_by_role("button", name="Do not offer this again").click()
    expect(page.get_by_role("button", name="Stand")).to_be_visible()
    page.keyboard.press("s")
    expect(page.locator("#deal-same")).to_be_visible()
    before = page.url
    page.locator("#rail-title").click()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Stand")).to_be_visible()
    assert page.url != before
    expect(page.locator("#never-ask")).to_have_count(0)
    page.locator("#house summary").click()
    page.get_by_role("button", name="Offer Bet the Bust again").click()
    expect(page.get_by_role("button", name="Offer Bet the Bust again")).to_have_count(0)


def test_a_rule_is_chosen_by_its_menu_and_the_table_is_remembered(visit: Visit) -> None:
    page = visit("", "/play/blackjack", ready=".circle", still=True, width=1440)
    page.locator("#house summary").click()
    page.get_by_label("The dealer's soft 17").select_option("H17")
    expect(page.locator("#rules")).to_have_value("8D H17 DAS SP4 LS 3:2")  # what was said, and nothing that goes unsaid
    page.get_by_role("button", name="Open this table").click()
    expect(page.locator("#placard")).to_contain_text("8D H17")
    page.goto("/play/blackjack")
    expect(page.locator("#placard")).to_contain_text("8D H17")
    page.locator("#house summary").click()
    page.locator("#rules").fill("8d h17 ls")  # as somebody writes it
    before = page.url
    page.get_by_role("button", name="Open this table").click()
    expect(page).not_to_have_url(before)
    page.goto("/play/blackjack")
    page.locator("#house summary").click()
    expect(page.get_by_label("The dealer's soft 17")).to_have_value("H17")
    page.get_by_label("The dealer's soft 17").select_option("S17")
    expect(page.locator("#rules")).to_have_value("8D S17 LS")


def test_a_switch_is_a_decision_and_no_offer_that_is_declined_for_good(visit: Visit, busy_floor: Floor) -> None:
    opened = busy_floor.act("/api/rounds", game="blackjack-switch", seed="press 2")["round"]
    page = visit("max", f"/play/blackjack-switch?round={opened}", ready=".circle", still=True)
    bet(page, "1")
    bet(page, "1")
    deal(page)
    expect(page.get_by_role("button", name="As they are")).to_be_visible()
    expect(page.locator("#never-ask")).to_have_count(0)


@pytest.mark.parametrize("width", [390, 1440])
def test_what_the_house_lends_lies_beside_the_own_chip(visit: Visit, busy_floor: Floor, width: int) -> None:
    opened = busy_floor.act("/api/rounds", game="free-bet-blackjack", seed="free 12")["round"]
    page = visit("max", f"/play/free-bet-blackjack?round={opened}", ready=".circle", width=width, still=True)
    if width == 390:
        printed = page.locator("#felt-name textPath").all_text_contents()
        assert printed[-1] == "DEALER 22 PUSHES"
        assert len(printed) == 3
    bet(page, "1")
    deal(page)
    expect(page.locator(".free-chip")).to_have_count(0)
    click(page, "p")
    expect(page.locator(".free-chip")).to_have_count(1)
    expect(page.locator(".free-chip")).to_have_text("free$5.00 free, lent by the house")
    expect(page.locator(".place.current .circle > .chip")).to_have_count(1)
    shown, chip = page.locator(".free-chip").bounding_box(), page.locator(".circle > .chip").bounding_box()
    assert shown
    assert chip
    assert abs(shown["x"] - chip["x"]) + abs(shown["y"] - chip["y"]) > 5, "not one on the other"
    assert_accessible(page)
    assert_fits(page)


def test_the_key_that_dealt_decides_nothing_right_after(visit: Visit, busy_floor: Floor) -> None:
    """Space deals the same, and its second press would stand."""
    opened = busy_floor.act("/api/rounds", game="blackjack", rules=SIX_DECKS, seed="press 2")["round"]
    page = visit("max", f"/play/blackjack?round={opened}", ready=".circle", still=True)
    bet(page, "1")
    page.locator("#deal").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#actions .action").first).to_be_focused()
    for _ in range(3):
        page.keyboard.press("Enter")
    page.wait_for_timeout(200)
    expect(page.locator("#rail")).to_have_attribute("data-state", "deciding")
    page.wait_for_timeout(700)
    page.keyboard.press("Enter")
    expect(page.locator("#rail")).to_have_attribute("data-state", "over")


def test_the_hole_card_is_shown_when_the_round_is_over(visit: Visit, busy_floor: Floor) -> None:
    """Also where every hand has gone over and the dealer has turned nothing."""
    opened = busy_floor.act("/api/rounds", game="blackjack", rules=SIX_DECKS, seed="press 2")["round"]
    page = visit("max", f"/play/blackjack?round={opened}", ready=".circle", still=True)
    bet(page, "1")
    deal(page)
    expect(page.get_by_role("button", name="Surrender")).to_be_visible()
    page.keyboard.press("r")
    expect(page.locator("#next-round")).to_be_visible()
    expect(page.locator("#dealer .unplayed [data-card]")).to_have_count(1)
    expect(page.locator("#dealer")).to_contain_text("shown now that it is over")
    hidden = busy_floor.get(f"/api/rounds/{opened}")["dealer"]["hidden"]
    assert page.locator("#dealer .unplayed [data-card]").get_attribute("data-card") == hidden[0]


def test_the_bankroll_moves_with_the_result_and_not_before(visit: Visit) -> None:
    page = visit("", "/play/three-card-baccarat", ready=".circle", still=True)
    expect(page.locator("#bank-cents")).to_have_text("$1,000.00")
    bet(page, "1")
    expect(page.locator("#bank-cents")).to_have_text("$995.00")
    deal(page)
    expect(page.locator("#next-round")).to_be_visible()
    came_to = page.locator(".place header .result").inner_text().replace("$", "")
    expect(page.locator("#bank-cents")).to_have_text(f"${1000 + float(came_to):,.2f}")
    expect(page.locator("#last li")).to_have_count(1)
    page.reload()
    expect(page.locator("#bank-cents")).to_have_text(f"${1000 + float(came_to):,.2f}")
    page.evaluate(
        "() => localStorage.setItem('croupier.bank', JSON.stringify({ cents: 300, bought: 100000, known: [] }))"
    )
    click(page, "n")
    click(page, "1")
    expect(page.locator("#say")).to_contain_text("That chip is more than the $3.00 that you have left")
    page.get_by_role("button", name="Buy in again").click()
    expect(page.locator("#bank-cents")).to_have_text("$1,003.00")
    bet(page, "1")
    wait_for(page, lambda: page.locator("#last li").count() == 1)
    page.locator(".chip-key", has_text="100").last.click()
    click(page, "1")
    expect(page.locator("#bank-cents")).to_have_text("$903.00")
    click(page, "1")
    expect(page.locator("#say")).to_contain_text("the maximum that this table allows: $100.00. Limits are set below")
    page.evaluate(
        "() => localStorage.setItem('croupier.bank', JSON.stringify({ cents: 11000, bought: 100000, known: [] }))"
    )
    expect(page.get_by_role("button", name="Buy in again")).to_be_hidden()
    click(page, "2")
    expect(page.locator("#say")).to_contain_text("or buy in again")
    page.get_by_role("button", name="Buy in again").click()
    expect(page.locator("#bank-cents")).to_have_text("$1,010.00")
    expect(page.get_by_role("button", name="Buy in again")).to_be_hidden()


# Looking again


def tell_costs(first: str, decisions: list[dict[str, Any]], route: Route) -> None:
    """These decisions in the first round, and none in the others."""
    shown = decisions if route.request.url.split("/")[-2] in first else []
    route.fulfill(json={"decisions": shown, "sentence": ""})


def test_a_round_is_stepped_through_by_arrow_keys_and_its_decision_is_a_puzzle(visit: Visit, busy_floor: Floor) -> None:
    opened = busy_floor.act("/api/rounds", game="three-card-poker", seed="press 2")["round"]
    page = visit("max", f"/play/three-card-poker?round={opened}", ready=".circle", still=True)
    bet(page, "1")
    deal(page)
    page.keyboard.press("f")
    expect(page.locator("#look-again")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#review-choices button")).to_have_count(2)
    expect(page.locator("#review-whose")).to_have_text("Seat 1 decides")
    expect(page.locator(".place.waiting")).to_have_attribute("data-seat", "1")
    expect(page.locator("#review-told")).to_have_text("What would you do?")
    assert page.locator("#review-told + #review-choices").count() == 1
    [decision] = busy_floor.get(f"/api/rounds/{opened}/review")["decisions"]
    assert f"Line {decision['events']} of" in page.locator("#rail-title").inner_text()
    expect(page.locator("#dealer [data-card]")).to_have_count(0)
    page.locator("#review-choices button").first.click()
    told = f"Fold was played and cost ${decision['cost_cents'] / 100:.4f}"
    expect(page.locator("#review-told")).to_contain_text(told if decision["cost"] > 0 else "the best there was")
    assert_accessible(page)
    page.keyboard.press("Home")
    expect(page.locator("#rail-title")).to_contain_text("Line 1 of")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#rail-title")).to_contain_text("Line 2 of")
    shared = page.url
    stranger = visit("", shared.partition(busy_floor.server.url)[2], ready=".review-ways", width=390, still=True)
    expect(stranger.locator("#rail-title")).to_contain_text("Line 2 of")
    assert_fits(stranger)
    page.keyboard.press("Escape")
    expect(page.locator("#look-again")).to_be_visible()
    page.goto("/play/review")
    expect(page.locator("#past a").first).to_be_visible()
    lost = [{"seat": 1, "events": 5, "label": "Hit", "best": "Stand", "cost_cents": cost} for cost in (0, 12.5, 30)]
    first = page.locator("#past a").first.get_attribute("href") or ""
    for decisions, sentence in (
        (lost[1:2], "The one decision cost $0.1250."),
        (lost[:2], "One of 2 decisions cost $0.1250."),
        (lost, "2 of 3 decisions cost $0.4250 together."),
    ):
        page.unroute_all(behavior="ignoreErrors")
        page.route("**/api/rounds/*/review", partial(tell_costs, first, decisions))
        page.reload()
        expect(page.locator("#costs-say")).to_have_text(sentence)
    page.unroute_all(behavior="ignoreErrors")
    expect(page.locator(".puzzle")).to_have_count(2)
    expect(page.locator(".puzzle .playing-card").first).to_be_visible()  # as it lay there when it was decided
    expect(page.locator("#sums")).to_contain_text("Best choices33%")
    expect(page.locator(".puzzle").first).not_to_contain_text("Stand")  # what was best is for whoever solves it
    assert_accessible(page)


def test_an_empty_history_says_what_will_be_there(visit: Visit) -> None:
    page = visit("", "/play/review", ready="#no-past", width=390)
    expect(page.locator("#no-past")).to_contain_text("The first one that you finish is here")
    expect(page.locator("#costs")).to_contain_text("No round with a decision yet")
    assert_fits(page)
    assert_accessible(page)
    page.get_by_role("link", name="Play it").click()
    expect(page.locator("#rail-title")).to_contain_text("decides")


def test_a_shoe_runs_on_and_the_count_is_asked(visit: Visit, busy_floor: Floor) -> None:
    page = visit("", "/play/blackjack", ready=".circle", still=True, width=1440)
    page.locator("#count-on").click()
    bet(page, "1")
    deal(page)
    decide_to_the_end(page, click)
    expect(page.locator("#how-far-dealt")).to_contain_text("cut card at 75%")
    first = page.locator("#commitment").inner_text()
    shoe = page.locator("#cloth [data-shoe] rect")  # on the felt it is as full as it is
    before = float(shoe.get_attribute("height") or 0)
    expect(page.locator("#cloth [data-shoe] path")).to_have_count(1)  # its cut card
    expect(page.locator("#cloth [data-rack] rect")).not_to_have_count(0)
    seen = [each.get_attribute("data-card") or "" for each in page.locator(".felt [data-card]").all()]
    running = sum(1 if card[0] in "23456" else -1 if card[0] in "TJQKA" else 0 for card in seen)
    page.locator("#count-said").fill(str(running + 1))
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#count-told")).to_contain_text(f"It is {running:+d}".replace("+0", "0"))
    with page.expect_response("**/acts"):
        page.locator("#deal-same").click()
    expect(page.locator("#rail")).to_have_attribute("aria-busy", "false")
    decide_to_the_end(page, click)
    assert 0 < float(shoe.get_attribute("height") or 0) < before
    assert page.locator("#commitment").inner_text() == first
    page.locator("#verify").click()
    expect(page.locator("#verdict")).to_contain_text("came from it, one after another")


def test_who_watches_a_table_goes_on_with_its_player(visit: Visit) -> None:
    mine = visit("", "/play/three-card-baccarat", ready=".circle", still=True)
    bet(mine, "1")
    mine.locator("#watch-link").click()
    expect(mine.locator("#watch-at")).to_be_visible()
    link = mine.locator("#watch-at").input_value()
    other = visit("", "/play" + link.partition("/play")[2], ready="#looks-on", still=True)
    deal(mine)
    expect(mine.locator("#next-round")).to_be_visible()
    expect(other.locator(".place header .result")).to_be_visible()
    first = mine.locator("#commitment").inner_text()
    mine.locator("#deal-same").click()
    expect(mine.locator("#commitment")).not_to_have_text(first)
    expect(mine.locator("#next-round")).to_be_visible()
    expect(other.locator("#commitment")).to_have_text(mine.locator("#commitment").inner_text())
    expect(other.locator("#looks-on")).to_be_visible()


FULL: dict[str, Any] = {
    "side_wagers": ["kings-bounty", "royal-match", "bet-the-bust", "blazing-7s-dealer"],
    "paytables": {"blazing-7s-dealer": "ML03"},
}
"""As the demo deals it: four wagers are printed."""
CORNERS = """() => {
  const box = (each) => each.getBoundingClientRect();
  const seen = (selector) => [...document.querySelectorAll(selector)].filter((each) => box(each).width);
  const things = seen("#cloth g:has(> [data-shoe], > [data-rack])");
  const prints = seen("#cloth .print, #dealer .hand");
  const meets = (a, b) => a.x < b.right && b.x < a.right && a.y < b.bottom && b.y < a.bottom;
  const lying = things.flatMap((thing) => prints.filter((each) => meets(box(thing), box(each))));
  return [things.length, lying.map((each) => each.textContent)];
}"""


def test_shoe_and_rack_lie_on_nothing_that_is_read(visit: Visit, busy_floor: Floor) -> None:
    seen = (("blackjack", 1440, 2), ("blackjack", 1200, 0), ("caribbean-stud", 1440, 2), ("let-it-ride", 1200, 2))
    for game, width, many in seen:
        more: dict[str, Any] = FULL if game == "blackjack" else {}
        opened = busy_floor.act("/api/rounds", game=game, seed="veil 1", **more)["round"]
        page = visit("max", f"/play/{game}?round={opened}", ready=".circle", width=width, still=True)
        bet(page, "1")
        deal(page)
        assert page.evaluate(CORNERS) == [many, []], (game, width)
        page.context.close()


def test_corners_print_the_posted_table_and_nothing_that_loses(visit: Visit) -> None:
    """The Ante Bonus of Three Card Poker is what its house posts; that a better hand takes the Ante is no pay."""
    page = visit("", "/play/three-card-poker", ready=".circle", width=1440)
    expect(page.locator(".prints.left")).to_contain_text("Ante Bonus")
    printed = " ".join(page.locator(".prints").all_inner_texts())
    assert "5 to 1" in printed
    assert "lose" not in printed
