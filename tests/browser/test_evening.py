"""A whole evening at linked tables: every award is decided by its card, and the display beside them is always true."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.keypad import Display, Keypad, money
from tests.browser.support import COLOR, SUITED, Floor, Visit, shoot


class Evening:
    """Two keypads and a display, all of one link."""

    def __init__(self, visit: Visit, floor: Floor) -> None:
        self.floor, self.cards = floor, floor.site.cards
        self.one = Keypad(visit("ann 1 at keypad-1", "/keypad/1", floor=floor))
        self.two = Keypad(visit("ann 2 at keypad-2", "/keypad/2", floor=floor))
        self.display = Display(visit("display-main", "/display", floor=floor, width=1920), floor)

    def wagers_and_an_award_under_the_supervisors_card(self) -> None:
        """A base wager alone does not count; a hand that is pressed by accident is taken back."""
        one, display = self.one, self.display
        one.seat(3, times=2)
        one.start(2, 5)
        display.equals_the_ledger(climbs=True)
        assert self.floor.link()["tables"]["1"]["seats"] == [2, 5]
        expect(one.page.locator("#chips")).to_contain_text("Remove the progressive wagers")
        one.seat(3)
        one.says("Seat 3 had no progressive wager")
        for _ in ("pressed", "and taken back"):
            one.hand(2, COLOR)
            display.equals_the_ledger()
            one.page.wait_for_timeout(1_100)  # sooner it would be a tap too many
        one.hand(5, COLOR)
        display.equals_the_ledger()
        (amount,) = one.awards()
        expect(display.page.locator("#news")).not_to_contain_text("PENDING")
        one.next("Call a supervisor")
        one.call()
        display.says("PENDING", amount, "table 1")
        shoot(display.page, "display-pending")
        one.next("swipes a card")
        shoot(one.page, "keypad-card")
        one.swipe(self.cards["sue"])
        expect(one.page.locator("#awards .pad-award")).to_have_count(0)
        display.says("WINNER", amount, "table 1", f"is now {money(self.floor.meter_cents())}")
        display.equals_the_ledger()
        display.fits_the_wall()
        shoot(display.page, "display-winner")
        one.end()

    def two_in_one_round_one_of_them_above_the_threshold(self) -> None:
        """Entered from the wrong end: each on the meter that the one before it left."""
        two, display = self.two, self.display
        two.start(1, 4, 6)
        display.equals_the_ledger(climbs=True)
        before = self.floor.meter_cents()
        for seat, line in ((1, COLOR), (6, SUITED)):
            two.hand(seat, line)
            display.equals_the_ledger()
        first, second = self.floor.link()["awards"]
        assert (first["seat"], first["cents"], second["seat"]) == (6, before, 1)
        assert two.awards() == [money(first["cents"]), money(second["cents"])]
        two.call()
        two.next("executive's card")
        two.swipe(self.cards["sue"])
        two.says("takes an executive")
        expect(two.page.locator("#card")).to_be_focused()
        two.swipe(self.cards["eve"])
        expect(two.page.locator("#awards .pad-award")).to_have_count(1)
        display.says("WINNER", money(before), "table 2")
        display.equals_the_ledger()
        expect(two.page.locator("#card")).to_be_focused()
        two.swipe(self.cards["sue"])
        expect(two.page.locator("#awards .pad-award")).to_have_count(0)
        display.equals_the_ledger()
        two.end()

    def a_claim_that_is_none(self) -> None:
        """Voided with a reason and a card; the meter is what it was."""
        one, page = self.one, self.one.page
        one.start(7)
        self.display.equals_the_ledger(climbs=True)
        before = self.floor.meter_cents()
        one.hand(7, SUITED)
        self.display.equals_the_ledger()
        one.call()
        page.click("#way-void")
        expect(page.locator("#reasons button").first).to_be_focused()
        page.click("#reason-other")
        expect(page.locator("#reason")).to_be_focused()
        page.keyboard.type("The recording shows another hand.")
        page.keyboard.press("Enter")
        expect(page.locator("#card")).to_be_focused()
        shoot(page, "keypad-void")
        one.swipe(self.cards["sue"])
        expect(page.locator("#awards .pad-award")).to_have_count(0)
        self.display.equals_the_ledger()
        assert self.floor.meter_cents() == before
        one.end()


def test_an_evening_at_two_tables_with_the_display_beside_them(visit: Visit, own_floor: Floor) -> None:
    visit.expect("status of 403")  # the supervisor's card, where the executive's is needed
    evening = Evening(visit, own_floor)
    evening.wagers_and_an_award_under_the_supervisors_card()
    evening.two_in_one_round_one_of_them_above_the_threshold()
    evening.a_claim_that_is_none()
    assert own_floor.kinds() == [
        *("start", "enter", "take-back", "enter", "call", "confirm", "end"),
        *("start", "enter", "enter", "call", "confirm", "confirm", "end"),
        *("start", "enter", "call", "void", "end"),
    ]


def test_cards_by_touch_check_the_claim_and_a_supervisor_may_override(visit: Visit, own_floor: Floor) -> None:
    visit.expect("status of 409")  # the cards disagree
    pad = Keypad(visit("dan at keypad-1", "/keypad/1", floor=own_floor))
    page = pad.page
    pad.start(4)
    pad.seat(4)
    touch_cards(pad, "7d", "7h", "Ts")
    shoot(page, "keypad-cards-entered")
    page.click(f'#hands [data-line="{SUITED}"]')
    expect(page.locator("#prompt-what")).to_contain_text("7d 7h Ts")
    expect(page.locator("#decide")).to_be_focused()
    expect(page.locator("#decide")).to_have_text("DROP THE CLAIM")
    shoot(page, "keypad-override")
    page.keyboard.press("Enter")  # the claim is dropped, unless somebody chooses otherwise
    expect(page.locator("#prompt-what")).to_have_text("No award is pending.")
    assert own_floor.kinds() == ["start"]
    page.click(f'#hands [data-line="{SUITED}"]')
    page.click("#way-confirm")
    page.click("#reason-other")
    page.fill("#reason", "The third card was misread.")
    page.click("#card")
    pad.swipe(own_floor.site.cards["sue"])
    expect(page.locator("#awards .pad-award")).to_have_count(1)
    entry = own_floor.get("/api/links/main/entries?most=1000")["entries"][-1]
    assert entry["facts"]["override"]["reason"] == "The third card was misread."
    expect(page.locator("#cards-shown")).to_have_text("none entered")


def touch_cards(pad: Keypad, *cards: str) -> None:
    pad.page.click("#cards-key")
    for card in cards:
        pad.page.click(f'#ranks [data-rank="{card[0]}"]')
        pad.page.click(f'#suits [data-suit="{card[1]}"]')
    shoot(pad.page, "keypad-cards")
    pad.page.click("#cards-done")
