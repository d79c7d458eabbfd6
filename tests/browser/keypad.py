"""A dealer's hands on the keypad, and eyes on the display beside it."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.support import Floor

READY = "#seats button:not([disabled])"


def money(cents: int) -> str:
    return f"${cents / 100:,.2f}"


TAXED_ABOVE, WAGER = 5_000_00, 5_00


def confirmed(page: Page, seat: int, amount: str) -> None:
    """What the cage pays is the large line, and what was won stands below: of much, 24 % is withheld."""
    cents = round(float(amount.strip("$").replace(",", "")) * 100)
    withheld = (cents - WAGER) * 24 // 100 if cents - WAGER > TAXED_ABOVE else 0
    net = money(cents - withheld)
    told = f"Confirmed: the award of seat {seat} is {amount}, and nothing is withheld."
    if withheld:
        told = f"Confirmed: seat {seat} won {amount}. Less {money(withheld)} withheld, the cage pays {net}."
    expect(page.locator("#outcome")).to_have_text(told)
    expect(page.locator("#next b")).to_have_text(f"The cage pays {net} to seat {seat}.")


class Keypad:
    def __init__(self, page: Page) -> None:
        self.page = page
        page.wait_for_selector(READY)

    def seat(self, number: int, times: int = 1) -> None:
        for _ in range(times):
            self.page.click(f'[data-seat="{number}"]')

    def start(self, *seats: int) -> None:
        for seat in seats:
            self.seat(seat)
        self.page.click("#start")
        self.page.wait_for_selector("#end:not([disabled])")

    def hand(self, seat: int, line: str) -> None:
        """Press it, and wait until it shows."""
        self.seat(seat)
        key = self.page.locator(f'#hands [data-line="{line}"]')
        pressed = key.get_attribute("aria-pressed") == "true"
        key.click()
        expect(key).to_have_attribute("aria-pressed", str(not pressed).lower())

    def call(self) -> None:
        self.page.click("#call")
        expect(self.page.locator("#card")).to_be_focused()

    def swipe(self, card: str) -> None:
        """As a reader does: it types wherever the cursor is, and presses Enter."""
        self.page.keyboard.type(card)
        self.page.keyboard.press("Enter")

    def end(self) -> None:
        self.page.click("#end")
        self.page.wait_for_selector("#start:not([disabled])")

    def awards(self) -> list[str]:
        return self.page.locator("#awards .pad-award strong").all_text_contents()

    def says(self, text: str) -> None:
        expect(self.page.locator("#say")).to_contain_text(text)

    def next(self, text: str) -> None:
        expect(self.page.locator("#next")).to_contain_text(text)


WATCH = """() => {
  const meter = document.querySelector(".meter");
  window.seen = [];
  const watch = new MutationObserver(() => window.seen.push(meter.textContent));
  watch.observe(meter, { childList: true, characterData: true, subtree: true });
}"""


class Display:
    """Every value that it has shown is held against the ledger."""

    def __init__(self, page: Page, floor: Floor) -> None:
        self.page, self.floor = page, floor
        expect(page.locator(".meter")).to_have_text(money(floor.meter_cents()))
        self.truth = floor.meter_cents()
        page.evaluate(WATCH)

    def equals_the_ledger(self, *, climbs: bool = False) -> None:
        """Now; and since the last time it has shown the new value alone, or values on the way up to it."""
        truth = self.floor.meter_cents()
        expect(self.page.locator(".meter")).to_have_text(money(truth))
        shown = [cents_of(text) for text in self.page.evaluate("() => window.seen.splice(0)")]
        if climbs:
            assert shown == sorted(shown), "it only climbs"
            assert all(self.truth <= each <= truth for each in shown), (self.truth, shown, truth)
        else:
            assert set(shown) <= {truth}, (shown, truth)
        self.truth = truth

    def says(self, *texts: Any) -> None:
        for text in texts:
            expect(self.page.locator("#news")).to_contain_text(str(text))

    def fits_the_wall(self) -> None:
        assert_fits_the_wall(self.page)


def assert_fits_the_wall(page: Page) -> None:
    """Nobody scrolls a wall."""
    tall = page.evaluate("() => [document.documentElement.scrollHeight, innerHeight]")
    assert tall[0] <= tall[1], tall


def cents_of(text: str) -> int:
    return int(text.replace("$", "").replace(",", "").replace(".", ""))
