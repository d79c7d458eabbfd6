"""The games on a felt: played to the end by clicking and by keyboard, with the result that the engine comes to."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlparse

import pytest
from playwright.sync_api import APIResponse, Locator, Page, Route, expect

from croupier.games.catalogue import ALL_GAMES
from croupier.games.money import dollars
from croupier.games.table.history import History
from croupier.games.table.record import read_any_record
from tests.browser.support import PATIENCE_MS, Floor, Visit, assert_accessible, assert_fits, shoot, wait_for, with_signs

PRESSED = ("p", "h", "n", "s", "1", "l", "r")
"""What is decided, the first that is allowed: play, house way, no insurance or no bust bet, set or stand or surrender,
one unit, let it ride, raise."""
SIX_DECKS = "6D S17 DAS SP4 LS 3:2"
"""Where a test knows the cards of a seed."""
Press = Callable[[Page, str], None]


def click(page: Page, key: str) -> None:
    page.locator(f'#rail [data-key="{key}"], .place.current [data-key="{key}"]').first.click()


def by_keyboard(page: Page, key: str) -> None:
    page.keyboard.press(key)


def round_of(page: Page) -> str:
    return parse_qs(urlparse(page.url).query)["round"][0]


def engines(floor: Floor, page: Page) -> History:
    """The round as the Python engine plays it again from its record."""
    answer = page.request.get(f"{floor.server.url}/api/rounds/{round_of(page)}/replay")  # as the player, who may look
    assert answer.ok, answer.text()
    replay = answer.json()
    assert replay["verified"]
    return read_any_record(replay["record"])


def assert_as_the_engine_has_it(floor: Floor, page: Page) -> History:
    round_ = engines(floor, page)
    assert round_.is_over
    lines = page.locator("#story .line > span").all_inner_texts()
    assert lines == [with_signs(event.text) for event in round_.events]
    for seat in round_.seats:
        cents = round_.result_cents(seat)
        expect(page.locator(f'.place[data-seat="{seat}"] header .result')).to_have_text(
            f"+{dollars(cents)}" if cents > 0 else dollars(cents)
        )
    return round_


def bet(page: Page, *keys: str, press: Press = click) -> None:
    for key in keys:
        press(page, key)
        expect(page.locator(f'.place.current [data-key="{key}"] .chip')).to_be_visible()


def deal(page: Page, press: Press = click) -> None:
    press(page, "d")
    expect(page.locator("#deal")).to_have_count(0)


def decide_to_the_end(page: Page, press: Press) -> None:
    """Whatever is asked is answered, until the round is over."""
    for _ in range(20):
        expect(page.locator("#rail .action:not([disabled])").first).to_be_visible()
        if page.locator("#next-round").count():
            return
        offered = [
            each.get_attribute("data-key") for each in page.locator("#actions .action:not([aria-disabled])").all()
        ]
        before = page.locator("#story .line").count()
        wanted = next(key for key in PRESSED if key in offered)
        press(page, wanted)
        if wanted == "h" and "s" in offered and page.locator("#set-hand").count():
            press(page, "s")
        expect(page.locator("#story .line")).not_to_have_count(before)
    raise AssertionError("the round does not end")


@pytest.mark.parametrize("game", ALL_GAMES)
def test_rounds_end_in_the_browser_as_in_the_engine_by_clicking_and_by_keyboard(
    visit: Visit, busy_floor: Floor, game: str
) -> None:
    page = visit("", f"/play/{game}", ready=".circle", still=True)
    played = []
    for press in (click, by_keyboard):
        bet(page, *"12"[: page.locator(".place.current button.circle").count()], press=press)
        deal(page, press)
        decide_to_the_end(page, press)
        round_ = assert_as_the_engine_has_it(busy_floor, page)
        assert round_.offering.game.key == game
        assert len(round_.seats[1].wagers) >= 2
        page.locator("#verify").click()
        expect(page.locator("#verdict")).to_contain_text("came from it, one after another")
        played.append(round_of(page))
        press(page, "n")
        expect(page.locator("#deal")).to_be_visible()
    assert len(set(played)) == 2


def test_chips_are_placed_and_taken_back_at_several_seats(visit: Visit, busy_floor: Floor) -> None:
    page = visit("", "/play/three-card-baccarat", ready=".circle", still=True)
    page.get_by_role("button", name="What King's Bonus pays").click()
    expect(page.get_by_role("dialog", name="King's Bonus")).to_contain_text("$5.00 to $100.00 a wager.")
    expect(page.get_by_role("row", name="Three Face Cards 25 to 1")).to_be_visible()
    assert_accessible(page)
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="What Dragon Bonus pays").click()
    footnote = page.get_by_role("dialog", name="Dragon Bonus").get_by_text("three face cards against a dealer's 0.")
    expect(footnote).to_have_text("Win by 10: three face cards against a dealer's 0.")
    page.get_by_role("button", name="Close").click()
    page.get_by_role("radio", name="Chip of $1.00").click()
    bet(page, "1")
    expect(page.locator("#say")).to_have_text("The minimum on Bet is $5.00, so that is what was placed.")
    page.get_by_role("radio", name="Chip of $5.00").click()
    page.keyboard.press("+")
    click(page, "1")
    expect(page.get_by_role("button", name="Seat 1, Bet: $30.00")).to_be_visible()
    bet(page, "2")
    page.get_by_role("button", name="Take King's Bonus of seat 1 back").click()
    expect(page.get_by_role("button", name="Seat 1, King's Bonus: empty")).to_be_visible()
    page.get_by_role("button", name="Add a seat").click()
    page.get_by_role("button", name="Seat 2, Bet: empty").click()
    expect(page.get_by_role("button", name="Seat 2, Bet: $25.00")).to_be_visible()
    deal(page)
    decide_to_the_end(page, click)
    round_ = assert_as_the_engine_has_it(busy_floor, page)
    assert {number: dict(seat.wagers) for number, seat in round_.seats.items()} == {1: {"bet": 3000}, 2: {"bet": 2500}}
    click(page, "n")
    click(page, "r")
    expect(page.get_by_role("button", name="Seat 2, Bet: $25.00")).to_be_visible()
    left = round_of(page)
    page.get_by_role("link", name="Play", exact=True).click()
    unfinished = page.get_by_role("region", name="Your unfinished rounds")
    expect(unfinished.get_by_role("listitem")).to_have_count(1)
    unfinished.get_by_role("link", name="Continue: Three Card Baccarat").click()
    expect(page.get_by_role("button", name="Seat 2, Bet: $25.00")).to_be_visible()
    assert round_of(page) == left
    page.get_by_role("link", name="Play", exact=True).click()
    unfinished.get_by_role("button", name="Abandon: Three Card Baccarat").click()
    expect(unfinished.get_by_text("its wagers returned")).to_be_visible()
    expect(unfinished.get_by_role("listitem")).to_have_count(0)
    assert busy_floor.get(f"/api/rounds/{left}")["phase"] == "void"


@pytest.mark.parametrize("game", ALL_GAMES)
def test_a_chip_lands_at_every_seat_that_is_pressed_with_a_mouse(visit: Visit, busy_floor: Floor, game: str) -> None:
    """All seats are open on a desk's screen. Nothing moves away under the pointer between its down and its up."""
    page = visit("", f"/play/{game}", ready=".circle", width=1440)
    seats = busy_floor.get(f"/api/rounds/{round_of(page)}")["table"]["seats"]
    while page.locator(".place").count() < seats:
        page.get_by_role("button", name="Add a seat").click()
    for seat in range(1, seats + 1):
        circle = page.locator(f'.place[data-seat="{seat}"] .circle').first
        circle.scroll_into_view_if_needed()
        lay = places(page)
        press_and_let_go(page, circle)
        expect(circle.locator(".chip")).to_be_visible()
        assert places(page) == lay, f"a chip at seat {seat} moves the seats"
    laid = busy_floor.get(f"/api/rounds/{round_of(page)}")["seats"]
    assert sorted(each["seat"] for each in laid) == list(range(1, seats + 1))
    shoot(page, f"play-seats-{game}", whole=False)


@pytest.mark.parametrize(
    ("game", "streets", "key"),
    [("three-card-poker", 1, "p"), ("mississippi-stud", 3, "1"), ("let-it-ride", 2, "t")],
)
def test_every_street_has_its_exact_hints_and_its_spots(
    visit: Visit, busy_floor: Floor, game: str, streets: int, key: str
) -> None:
    page = visit("", f"/play/{game}", ready=".circle", still=True)
    bet(page, "1")
    page.keyboard.press("?")
    deal(page)
    for street in range(1, streets + 1):
        told = page.locator("#hint tbody tr")
        expect(told.first).to_be_visible()
        counted = busy_floor.get(f"/api/rounds/{round_of(page)}/hint")["seats"][0]["decisions"]
        assert told.locator("th").all_inner_texts() == [each["act"].removeprefix("decide 1 ") for each in counted]
        exact = told.first.locator("td").first.get_attribute("title")
        assert exact == counted[0]["value_exact"]
        up = page.locator("#dealer .playing-card[data-card]").count()
        assert up == (street - 1 if streets > 1 else 0)
        before = page.locator("#story .line").count()
        page.locator(f'#actions [data-key="{key}"]').click()
        expect(page.locator("#story .line")).not_to_have_count(before)
    expect(page.locator("#next-round")).to_be_visible()
    round_ = assert_as_the_engine_has_it(busy_floor, page)
    laid = [round_.offering.game.spots[spot][1].title for spot in round_.seats[1].wagers]
    paid = [each.spot for each in round_.settlements if not each.staked_cents]
    shown = page.locator(".place .spot-name").all_inner_texts()
    assert sorted(shown) == sorted([*laid, *(round_.offering.game.spots[spot][1].title for spot in paid)])
    shoot(page, f"play-over-{game}", whole=False)
    assert_accessible(page)


def test_one_bet_lays_three_and_all_of_them_are_taken_back_together(visit: Visit, busy_floor: Floor) -> None:
    page = visit("", "/play/let-it-ride", ready=".circle", still=True)
    bet(page, "1")
    expect(page.locator(".place .circle .chip")).to_have_count(3)
    page.keyboard.press("c")
    expect(page.locator(".place .circle .chip")).to_have_count(0)
    assert busy_floor.get(f"/api/rounds/{round_of(page)}")["seats"] == []


def test_a_seat_that_gave_up_says_so_while_the_others_play_on(visit: Visit, busy_floor: Floor) -> None:
    page = visit("", "/play/mississippi-stud", ready=".circle", still=True)
    bet(page, "1")
    page.get_by_role("button", name="Add a seat").click()
    bet(page, "1")
    deal(page)
    page.locator('#actions [data-key="f"]').click()
    expect(page.locator(".place.gave-up header")).to_contain_text("fold")
    expect(page.locator(".place.gave-up")).to_have_count(1)
    expect(page.locator("#dealer")).not_to_contain_text("Dealer")
    decide_to_the_end(page, click)
    assert_as_the_engine_has_it(busy_floor, page)


def places(page: Page) -> list[dict[str, float] | None]:
    """Where each seat lies on the page, and how large it is."""
    found: list[dict[str, float] | None] = page.evaluate(
        "() => [...document.querySelectorAll('.place')].map((each) => { const { x, y, width, height } ="
        " each.getBoundingClientRect(); return { x: x + scrollX, y: y + scrollY, width, height }; })"
    )
    return found


def press_and_let_go(page: Page, pressed: Locator, held: Callable[[], object] = lambda: None) -> None:
    """As a hand does: down, a moment, up, without moving."""
    box = pressed.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] - 4)
    page.mouse.down()
    held()
    page.mouse.up()


def test_a_press_counts_though_an_answer_comes_while_the_button_is_down(visit: Visit, busy_floor: Floor) -> None:
    page = visit("", "/play/three-card-baccarat", ready=".circle", still=True)
    first, second = (page.locator(f'.circle[data-key="{key}"]') for key in "12")
    kept: list[Route] = []

    def keep(route: Route) -> None:
        kept.append(route)

    def answer() -> None:
        with page.expect_response("**/acts"):
            kept[0].continue_()
        page.wait_for_timeout(100)

    page.route("**/acts", keep, times=1)
    first.click()
    wait_for(page, lambda: kept)
    press_and_let_go(page, second, answer)
    for spot in (first, second):
        expect(spot.locator(".chip")).to_be_visible()


def test_a_reload_in_mid_round_goes_on_where_it_was_also_when_the_server_is_busy_just_then(
    visit: Visit, busy_floor: Floor
) -> None:
    visit.expect("status of 503")
    page = visit("", "/play/triple-shot-rummy", ready=".circle", still=True)
    bet(page, "1")
    deal(page)
    expect(page.get_by_role("button", name="Fold")).to_be_visible()
    hand = cards(page)
    commitment, round_ = page.locator("#commitment").inner_text(), round_of(page)
    refuse(page, "**/api/rounds/rnd_*", 503, times=1000)
    page.reload()
    expect(page.locator("#waiting")).to_be_visible()
    page.unroute("**/api/rounds/rnd_*")
    expect(page.get_by_role("button", name="Fold")).to_be_visible()
    assert (cards(page), round_of(page)) == (hand, round_)
    page.keyboard.press("f")
    expect(page.locator("#next-round")).to_be_visible()
    assert_as_the_engine_has_it(busy_floor, page)
    assert page.locator("#commitment").inner_text() == commitment
    page.reload()
    # Counted once; what a round was worth is counted at a low priority, after whatever was asked before.
    expect(page.locator("#session dd").first).to_have_text("1", timeout=4 * PATIENCE_MS)


def test_whoever_did_not_open_a_round_looks_on_and_it_goes_on_before_their_eyes(visit: Visit) -> None:
    """A browser without a cookie that is given the address of somebody's round; and one where another has signed in."""
    mine = visit("", "/play/supreme-99", ready=".circle", still=True)
    bet(mine, "1")
    address = mine.url.partition("/play/")[2]
    others = [visit(who, f"/play/{address}", ready="#looks-on", still=True) for who in ("", "sue")]
    for page in others:
        expect(page.locator("#looks-on")).to_have_text(LOOKS_ON)
        expect(page.locator(".spot", has_text="Bet").locator(".chip")).to_be_visible()
        assert_nothing_to_do(page)
        assert_accessible(page)
    shoot(others[0], "play-looking-on", 360)
    assert_fits(others[0])
    deal(mine)
    decides = mine.locator("#set-hand")
    expect(decides).to_be_visible()
    hand = sorted(map(str, cards(mine)))
    for page in others:
        expect(page.locator(".place .playing-card")).to_have_count(len(hand))
        assert sorted(map(str, cards(page))) == hand
        assert_nothing_to_do(page)
        for key in "hsd":
            page.keyboard.press(key)
    shoot(others[0], "play-looking-on", 1920)
    expect(decides).to_be_enabled()
    mine.keyboard.press("h")
    mine.keyboard.press("s")
    expect(mine.locator("#next-round")).to_be_visible()
    for page in others:
        expect(page.locator(".place header .result")).to_have_text(mine.locator(".place header .result").inner_text())
        expect(page.locator("#looks-on")).to_be_visible()
        page.get_by_role("button", name="Open a round of your own").click()
        expect(page.locator("#deal")).to_be_visible()
        assert round_of(page) not in address
        bet(page, "1")


LOOKS_ON = "You are watching. Only the player who opened this round can play it."


def assert_nothing_to_do(page: Page) -> None:
    """But to open a round of one's own."""
    expect(page.locator("#actions button")).to_have_text([re.compile("Open a round of your own")])
    expect(page.locator("#seats .circle[data-key], #seats .take-back, #seats .card-key, .add-seat")).to_have_count(0)


def test_a_second_tab_on_ones_own_round_follows_live(visit: Visit) -> None:
    first = visit("", "/play/triple-shot-rummy", ready=".circle", still=True)
    second = first.context.new_page()
    with second.expect_response("**/api/rounds/*/events"):
        second.goto(first.url)
    expect(second.locator("#deal")).to_be_visible()
    bet(first, "1")
    expect(second.locator('.circle[data-key="1"] .chip')).to_be_visible()
    expect(second.locator("#say")).to_have_text(MOVED_ON)
    deal(first)
    expect(second.locator("#rail")).to_have_attribute("data-state", "deciding")
    assert cards(first) == cards(second) != []
    second.keyboard.press("f")  # it may be played on there, and the first follows when nothing is pressed in it
    expect(second.locator("#next-round")).to_be_visible()
    expect(first.locator("#next-round")).to_be_visible()
    expect(first.locator("#say")).to_have_text(MOVED_ON)


def test_a_second_tab_shows_the_last_of_two_acts_that_are_told_within_one_round_trip(visit: Visit) -> None:
    first = visit("", "/play/triple-shot-rummy", ready=".circle", still=True)
    second = first.context.new_page()
    second.add_init_script(COUNT_TOLD)
    second.goto(first.url)
    wait_for(second, lambda: second.evaluate("() => window.told") == 1)
    held: list[tuple[Route, APIResponse]] = []
    on_the_way = True

    def hold(route: Route) -> None:
        if on_the_way:
            held.append((route, route.fetch()))
        else:
            route.continue_()

    second.route("**/api/rounds/rnd_*", hold)
    bet(first, "1")
    wait_for(second, lambda: held)
    bet(first, "2")
    wait_for(second, lambda: second.evaluate("() => window.told") == 3)
    on_the_way = False
    for route, answer in held:
        route.fulfill(response=answer)
    expect(second.locator('.circle[data-key="1"] .chip')).to_be_visible()
    expect(second.locator('.circle[data-key="2"] .chip')).to_be_visible()


def test_the_bank_waits_for_the_last_card_though_another_tab_has_shown_the_result(visit: Visit) -> None:
    first = visit("", "/play/three-card-baccarat", ready=".circle", width=1440)
    bet(first, "1")
    before = first.locator("#bank-cents").inner_text()
    first.keyboard.press("d")
    expect(first.locator(".squeezable")).to_have_count(1)
    second = first.context.new_page()
    second.goto(first.url)
    expect(second.locator("#last li")).to_have_count(1)
    first.set_viewport_size({"width": 390, "height": 844})  # it is painted anew
    expect(first.locator("body .place.current")).to_be_visible()
    expect(first.locator("#last li")).to_have_count(0)
    expect(first.locator("#bank-cents")).to_have_text(before)
    first.keyboard.press("a")
    expect(first.locator("#last li")).to_have_count(1)
    expect(first.locator("#bank-cents")).to_have_text(second.locator("#bank-cents").inner_text())


COUNT_TOLD = """(() => {
  window.told = 0;
  window.EventSource = class extends EventSource {
    constructor(url) {
      super(url);
      this.addEventListener('round', () => { window.told += 1; });
    }
  };
})()"""
"""How often a page was told how a round stands."""


def test_two_tabs_on_one_round_and_the_one_that_is_behind_catches_up(visit: Visit) -> None:
    """Where nothing is heard of the other tab: the line is lost."""
    visit.expect("status of 409|Failed to load resource")
    first = visit("", "/play/triple-shot-rummy", ready=".circle", still=True)
    first.context.route("**/api/rounds/*/events", lambda route: route.abort())
    first.reload()
    expect(first.locator("#deal")).to_be_visible()
    second = first.context.new_page()
    second.goto(first.url)
    expect(second.locator("#deal")).to_be_visible()
    bet(first, "1")
    second.locator('.circle[data-key="1"]').click()  # where a chip lies that this tab does not know of
    expect(second.locator("#say")).to_have_text(MOVED_ON)
    expect(second.locator('.circle[data-key="1"] .chip')).to_be_visible()
    deal(second)
    second.keyboard.press("f")
    expect(second.locator("#next-round")).to_be_visible()
    first.locator('.circle[data-key="2"]').click()
    expect(first.locator("#say")).to_have_text(MOVED_ON)
    expect(first.locator("#next-round")).to_be_visible()
    assert cards(first) == cards(second)
    assert (
        first.locator("#story .line > span").all_inner_texts()
        == second.locator("#story .line > span").all_inner_texts()
    )
    first.locator("#next-round").click()
    expect(first.locator("#deal")).to_be_visible()
    expect(first.locator("#say")).to_be_hidden()


MOVED_ON = "The round was continued in another tab. This is how it stands now."


def cards(page: Page) -> list[str | None]:
    return [each.get_attribute("data-card") for each in page.locator(".place .playing-card").all()]


def refuse(page: Page, address: str, status: int, *, times: int) -> None:
    """So many answers of the server are a refusal."""
    error = {"code": "busy", "sentence": "Too busy just now.", "retry": status >= 500}
    page.route(address, lambda route: route.fulfill(status=status, json={"error": error}), times=times)


def test_a_second_press_decides_nothing_and_keys_can_be_turned_off(visit: Visit, busy_floor: Floor) -> None:
    """D deals, and would double where the same key is pressed again; a key that is held is pressed once."""
    opened = busy_floor.act("/api/rounds", game="blackjack", rules=SIX_DECKS, seed="press 2")["round"]
    page = visit("max", f"/play/blackjack?round={opened}", ready=".circle", still=True)
    page.keyboard.press("1")
    for _ in range(3):
        page.keyboard.press("d")
    expect(page.get_by_role("button", name="Double")).to_be_enabled()
    page.wait_for_timeout(200)
    expect(page.locator("#story .line", has_text="doubles")).to_have_count(0)
    for _ in range(8):
        page.keyboard.down("h")
    page.keyboard.up("h")
    page.wait_for_timeout(200)
    expect(page.locator("#story .line", has_text="hits")).to_have_count(1)
    page.get_by_role("button", name="Keys").click()
    for key in "hsdp":
        page.keyboard.press(key)
    page.wait_for_timeout(200)
    expect(page.locator("#story .line", has_text="hits")).to_have_count(1)
    page.reload()
    expect(page.get_by_role("button", name="Stand")).to_be_enabled()
    page.keyboard.press("h")
    page.get_by_role("button", name="Keys").click()
    page.keyboard.press("s")
    expect(page.locator("#next-round")).to_be_visible()
    expect(page.locator("#story .line", has_text="hits")).to_have_count(1)
    page.get_by_role("button", name="Change bets").click()
    page.get_by_role("button", name="Same as last time").click()
    expect(page.locator("#deal")).to_be_enabled()
    page.locator("#deal").dblclick()
    expect(page.locator("#deal")).to_have_count(0)
    expect(page.locator("#say")).to_be_hidden()


Lie = Callable[[dict[str, Any]], None]


def show_kings(answer: dict[str, Any]) -> None:
    answer["dealer"]["cards"] = ["Kh", "Ks", "Kd"]


def change_a_line(answer: dict[str, Any]) -> None:
    tell_another_card(answer)


def tell_another_card(answer: dict[str, Any]) -> None:
    """Of the seat's own, from the beginning."""
    dealt = next(event for event in answer["events"] if event["kind"] == "deal")
    other = next(card for card in ("2c", "3d") if card != dealt["cards"][0])
    dealt["cards"][0] = answer["seats"][0]["hands"][0]["cards"][0] = other


def swap_common_cards(answer: dict[str, Any]) -> None:
    """The board as the lines tell it from the last one on, and not as it was laid."""
    turned = [event for event in answer["events"] if event["kind"] == "reveal"]
    if len(turned) == 2:
        turned[1]["cards"] = turned[0]["cards"]
        answer["board"]["cards"][1] = answer["board"]["cards"][0]


def show_another_board(answer: dict[str, Any]) -> None:
    answer["board"]["cards"].reverse()
    answer["board"]["cards"][0] = answer["seats"][0]["hands"][0]["cards"][0]


def keep_the_win(answer: dict[str, Any]) -> None:
    for each in (*answer["settlements"], *answer["seats"]):
        each.update({name: each[name] - 100 for name in ("returned_cents", "result_cents") if name in each})


@pytest.mark.parametrize(
    ("game", "lie", "told"),
    [
        ("three-card-baccarat", show_kings, "shown for the dealer (K♥ K♠ K♦)"),
        ("blackjack", tell_another_card, "Card 2 of the announced shoe is"),
        ("triple-shot-rummy", change_a_line, "changed after it had been shown"),
        ("supreme-99", keep_the_win, "payments shown are not those"),
        ("let-it-ride", swap_common_cards, "Card 5 of the announced shoe is"),
        ("mississippi-stud", show_another_board, "shown on the table ("),
    ],
)
def test_a_server_that_shows_another_round_than_the_shoes_is_found_out(
    visit: Visit, game: str, lie: Lie, told: str
) -> None:
    page = visit("", f"/play/{game}", ready=".circle", still=True)

    def alter(route: Route) -> None:
        answer = route.fetch()
        body = answer.json()
        if body["over"] or lie is tell_another_card:
            lie(body)
        route.fulfill(response=answer, json=body)

    bet(page, "1")
    page.route("**/acts", alter)
    deal(page)
    decide_to_the_end(page, click)
    with page.expect_response("**/replay", timeout=60_000):
        page.locator("#verify").click()
        expect(page.locator("#verify ~ [role=status]")).not_to_be_empty()
    expect(page.locator("#verdict.bad")).to_contain_text(told)


def test_the_shoe_is_verified_in_the_browser_and_each_line_has_its_paragraph(visit: Visit) -> None:
    visit.expect("status of (429|503)")
    page = visit("", "/play/three-card-baccarat", ready=".circle", still=True)
    refuse(page, "**/expected", 429, times=1)
    for number in (1, 2):
        bet(page, "1", "2", "3", "4")
        deal(page)
        expect(page.locator("#next-round")).to_be_visible()
        if number == 1:
            refuse(page, "**/replay", 503, times=1)
            page.locator("#verify").click()
            expect(page.locator("#verdict")).to_contain_text("could not be verified: Too busy just now.")
            page.locator("#next-round").click()
    expect(page.locator("#session dd").first).to_have_text("2")  # also the one that was refused a figure at first
    expect(page.locator("#live")).to_contain_text("The dealer has")
    page.locator("#verify").click()
    expect(page.locator("#verdict")).to_contain_text("the one that was announced, and the 6 cards you have seen")
    assert page.evaluate("() => Object.keys(sessionStorage).filter((key) => key.includes('sealed')).length") == 1
    settled = page.locator("#story .line.is-won, #story .line.is-lost, #story .line.is-even")
    assert settled.count() >= 4 - settled.filter(has_text="pushes").count()
    line = settled.last
    line.locator("summary").click()
    expect(line.locator(".rule p")).to_contain_text(re.compile("Dragon Bonus|difference|wager"))
    shoot(page, "play-settled", 360)
    assert_fits(page)
    shoot(page, "play-settled", 1920)
    assert_accessible(page)


def test_a_table_whose_shoe_was_looked_into_leads_on_to_another(visit: Visit, busy_floor: Floor) -> None:
    """A wager that finds it out is laid at the next table; and whoever comes back to it gets the next at once."""
    page = visit("", "/play/blackjack", ready=".circle", still=True, floor=busy_floor)
    bet(page, "1")
    deal(page)
    decide_to_the_end(page, click)
    played = round_of(page)
    page.locator("#next-round").click()
    expect(page.locator("#deal")).to_be_visible()
    table = round_of(page)
    assert page.request.get(f"{busy_floor.server.url}/api/rounds/{played}/replay").ok  # as the player, who may look
    bet(page, "1")
    assert round_of(page) not in (played, table)
    deal(page)
    page.goto(f"/play/blackjack?round={table}")
    expect(page.locator("#deal")).to_be_visible()
    assert round_of(page) not in (played, table)
    expect(page.locator("#say")).to_be_hidden()
    bet(page, "1")


def test_a_hand_of_supreme_99_is_set_by_dragging_and_a_foul_is_refused_with_the_reason(
    visit: Visit, busy_floor: Floor
) -> None:
    visit.expect("status of 409")
    page = visit("", "/play/supreme-99", ready=".circle", still=True)
    open_with_seed(page, "drag 1")
    bet(page, "1")
    deal(page)
    expect(page.locator("#set-hand")).to_be_visible()
    drag(page, "low", "high")
    page.keyboard.press("1")
    listed = page.locator(".settings .action").first.inner_text()
    assert all(card in listed for card in halves(page)[:2])
    # The other way round it is a foul.
    drag(page, "low", "high")
    drag(page, "low", "high", card=1)
    page.keyboard.press("s")
    expect(page.locator("#say")).to_contain_text("foul")
    set_so = halves(page)
    page.reload()
    expect(page.locator("#set-hand")).to_be_visible()
    assert halves(page) == set_so
    shoot(page, "play-setting", 360)
    assert_fits(page)
    assert_accessible(page)
    page.keyboard.press("h")
    page.keyboard.press("s")
    expect(page.locator("#next-round")).to_be_visible()
    round_ = assert_as_the_engine_has_it(busy_floor, page)
    assert any(event.kind == "decide" for event in round_.events)


def open_with_seed(page: Page, seed: str, rules: str = "") -> None:
    """A table with the same cards each time."""
    before = round_of(page)
    page.locator("#house summary").click()
    page.locator("#seed").fill(seed)
    if rules:
        page.locator("#rules").fill(rules)
    page.locator("#house button[type=submit]").click()
    expect(page).not_to_have_url(re.compile(before))


def halves(page: Page) -> list[str]:
    shown = [each.get_attribute("data-card") or "" for each in page.locator(".setting .playing-card").all()]
    return [with_signs(card) for card in shown]


def drag(page: Page, source: str, target: str, *, card: int = 0) -> None:
    before = halves(page)
    start = page.locator(f'[data-half="{source}"] .card-key').nth(card).bounding_box()
    end = page.locator(f'[data-half="{target}"] .card-key').nth(card).bounding_box()
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + 20, start["y"] + 30)
    page.mouse.down()
    page.mouse.move(end["x"] + 22, end["y"] + 34, steps=4)
    page.mouse.up()
    assert halves(page) != before


def test_blackjack_is_split_to_four_hands_and_doubled(visit: Visit, busy_floor: Floor) -> None:
    visit.expect("status of 503")
    page = visit("", "/play/blackjack", ready=".circle", still=True)
    open_with_seed(page, "play 85", SIX_DECKS)
    bet(page, "1", "2", "3")
    deal(page, by_keyboard)
    page.get_by_role("button", name="What it pays").click()
    expect(page.get_by_role("dialog", name="Bet the Bust").get_by_role("row").nth(1)).to_have_text("Ace9 to 2")
    page.keyboard.press("Escape")
    for key, name in (("b", "Bet the Bust"), *(("p", "Split"),) * 2, *(("d", "Double"),) * 3):
        expect(page.get_by_role("button", name=name, exact=False)).to_be_enabled()
        before = page.locator("#story .line").count()
        page.keyboard.press(key)
        expect(page.locator("#story .line")).not_to_have_count(before)
        if key == "b":
            page.keyboard.press("p")
            assert_hint_of_a_split_hand(busy_floor, page)
    shoot(page, "play-blackjack", 360)
    assert_fits(page)
    decide_to_the_end(page, by_keyboard)
    round_ = assert_as_the_engine_has_it(busy_floor, page)
    expect(page.locator(".one-hand")).to_have_count(4)
    assert {"bet", "kings-bounty", "blazing-7s-dealer", "bet-the-bust"} == set(round_.seats[1].wagers)


def assert_hint_of_a_split_hand(floor: Floor, page: Page) -> None:
    """In money of the hand's own wager; asked for again where the server is busy."""
    expect(page.locator(".one-hand")).to_have_count(2)
    refuse(page, "**/hint", 503, times=1)
    page.keyboard.press("?")
    [seat] = floor.get(f"/api/rounds/{round_of(page)}/hint")["seats"]
    expect(page.locator("#hint caption")).to_have_text(f"Seat 1, hand {seat['hand']}")
    expect(page.locator("#say")).to_be_hidden()
    best = seat["decisions"][0]
    sign = "-" if best["value"] < 0 else "+"
    expect(page.locator("#hint tr.best td").first).to_have_text(f"{sign}${abs(best['value']) * 5:.4f}")
    page.keyboard.press("?")


def test_insurance_is_taken_for_less_with_its_exact_value_in_sight(visit: Visit, busy_floor: Floor) -> None:
    page = visit("", "/play/blackjack", ready=".circle", still=True)
    page.keyboard.press("?")
    open_with_seed(page, "play 19", SIX_DECKS)
    bet(page, "1", "1")
    deal(page, by_keyboard)
    expect(page.locator("#hint tr.best")).to_contain_text("declines")
    assert_accessible(page)
    [seat] = busy_floor.get(f"/api/rounds/{round_of(page)}/hint")["seats"]
    [each] = [decision for decision in seat["decisions"] if decision["act"] == "insure 1"]
    assert each["cost"] * 1000 == pytest.approx(-each["value_of_a_cent"] * 500)  # the most, half of a wager of $10
    cost = f"${-each['value_of_a_cent'] * 3:.4f}"
    page.get_by_role("spinbutton").fill("3")
    expect(page.get_by_role("button", name="Insure")).to_contain_text(f"-{cost}")
    page.keyboard.press("Tab")
    page.keyboard.press("i")
    expect(page.locator("#taken")).to_contain_text(f"(exactly {cost})")
    expect(page.get_by_role("button", name="Bet the Bust")).to_be_enabled()
    page.keyboard.press("n")
    expect(page.get_by_role("button", name="Surrender")).to_be_enabled()
    page.keyboard.press("r")
    expect(page.locator("#next-round")).to_be_visible()
    round_ = assert_as_the_engine_has_it(busy_floor, page)
    assert round_.seats[1].wagers["insurance"] == 300
    expect(page.locator("#session")).to_contain_text("standard deviations")


def test_a_doubled_hand_is_surrendered_where_the_rules_allow_it(visit: Visit, busy_floor: Floor) -> None:
    page = visit("", "/play/blackjack", ready=".circle", still=True)
    page.locator("#house summary").click()
    page.get_by_role("checkbox", name="Bet the Bust").uncheck()
    page.locator("#house summary").click()
    open_with_seed(page, "rescue 71", "6D S17 DAS SP4 SAD 3:2")
    bet(page, "1")
    deal(page, by_keyboard)
    page.get_by_role("button", name="Double").click()
    expect(page.get_by_role("button", name="Surrender")).to_be_enabled()
    expect(page.get_by_role("button", name="Hit")).to_have_attribute("aria-disabled", "true")
    page.get_by_role("button", name="Surrender").click()
    expect(page.locator("#next-round")).to_be_visible()
    round_ = assert_as_the_engine_has_it(busy_floor, page)
    assert [each.net_cents for each in round_.settlements] == [-500]


def test_a_choice_that_is_off_stays_in_its_place_and_says_why(visit: Visit, busy_floor: Floor) -> None:
    opened = busy_floor.act("/api/rounds", game="blackjack", rules=SIX_DECKS, seed="press 2")["round"]
    page = visit("max", f"/play/blackjack?round={opened}", ready=".circle", still=True, width=390)
    page.keyboard.press("1")
    deal(page, by_keyboard)
    off = page.locator('#actions [data-focus="act off split"]')
    expect(off).to_have_attribute("aria-disabled", "true")
    expect(off.locator("small")).to_have_text("no pair")
    before = page.locator("#story .line").count()
    page.keyboard.press("p")
    expect(page.locator("#say")).to_contain_text("do not count the same and cannot be split.")
    expect(page.locator("#story .line")).to_have_count(before)
    assert_fits(page)
    assert_accessible(page)
