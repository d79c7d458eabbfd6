"""A card room in a browser.

    page = visit("max", "/console")                     a page of the shared, busy floor, as somebody
    page = visit("dan at keypad-1", "/keypad/1")        a dealer at an enrolled keypad
    page = visit("", "/sign-in", floor=own_floor)       of a floor that the test has to itself

Whatever a page complains of in its console (errors, violations of the Content-Security-Policy) fails the test, unless
the test has said that it expects it: `visit.expect("status of 409")`.
"""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, BrowserContext, Page, expect

from croupier.floor.people import DeviceKind
from croupier.web.identity.cookies import DEALER_COOKIE, DEVICE_COOKIES, SESSION_COOKIE
from support import room
from tests.web.support import LINK, MadeSite, Server, done

WIDTHS = {360: 740, 820: 1180, 1920: 1080}
"""A phone, a tablet, a wall: width and height."""
HEIGHTS = {**WIDTHS, 390: 844, 1440: 900}
ARTEFACTS = Path(__file__).parents[2] / "test-artefacts" / "screens"
AXE = Path(__file__).parent / "vendor" / "axe-core" / "axe.min.js"
PATIENCE_MS = 300_000
"""For what must come: what is counted beside a server has the lowest priority, and a busy machine takes its time."""

SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}

expect.set_options(timeout=PATIENCE_MS)


def with_signs(text: str) -> str:
    """A sentence of the engine as a page writes it: `Td 7s: T-7-2 high` is `10♦ 7♠: 10-7-2 high`."""
    tens = re.sub(r"\bT(?=-[2-9JQKA])|(?<=[2-9JQKA]-)T\b", "10", text)
    return re.sub(r"\b([2-9TJQKA])([shdc])\b", lambda card: card[1].replace("T", "10") + SIGNS[card[2]], tens)


def wait_for(page: Page, true: Callable[[], object]) -> None:
    """Until something has been seen beside the page, which goes on meanwhile."""
    until = time.monotonic() + PATIENCE_MS / 1_000
    while not true():
        assert time.monotonic() < until, "waited in vain"
        page.wait_for_timeout(20)


# The floor behind the pages


@dataclass(frozen=True)
class Floor:
    """A served site, and shorthands for what people do there beside the browser. Nothing is encrypted there: without
    `verify=False` each question would read every certificate first, which takes longer than its answer."""

    server: Server

    @property
    def site(self) -> MadeSite:
        return self.server.site

    def get(self, path: str, who: str = "max") -> dict[str, Any]:
        """What is being counted is asked for again, as the answer says: counting stands back behind everything else."""
        url, header, until = self.server.url + path, self.site.header(who), time.monotonic() + PATIENCE_MS / 1_000
        while True:
            answer = httpx.get(url, headers=header, timeout=PATIENCE_MS / 1_000, verify=False)
            if "still-counting" not in answer.text or time.monotonic() > until:
                return done(answer)

    def act(self, path: str, who: str = "max", **values: Any) -> dict[str, Any]:
        """An act of the API that must succeed, with an id of its own."""
        body = {"id": uuid.uuid4().hex, **values}
        return done(
            httpx.post(self.server.url + path, headers=self.site.header(who), json=body, timeout=60, verify=False)
        )

    def kinds(self) -> list[str]:
        """Of the link's entries since it was opened."""
        found = self.get(f"/api/links/{LINK}/entries?most=1000")["entries"]
        return [entry["kind"] for entry in found if entry["kind"] not in ("make", "open")]

    def link(self) -> dict[str, Any]:
        return self.get(f"/api/links/{LINK}")

    def meter_cents(self, level: int = 0) -> int:
        """As the ledger has it."""
        return int(self.link()["levels"][level]["meter_cents"])

    # A round, as a dealer with a card deals it at the table's keypad

    def start(self, table: int, *seats: int) -> None:
        self._at(table, "start", lit=seats, based=seats)

    def enter(self, table: int, seat: int, line: str) -> int:
        """The award's number."""
        return int(self._at(table, "enter", seat=seat, line=line)["entry"]["number"])

    def call(self, table: int) -> None:
        self._at(table, "call")

    def end(self, table: int) -> None:
        self._at(table, "end")

    def confirm(self, table: int, award: int, who: str = "eve") -> None:
        card = self.site.cards[who]
        self.act(f"/api/links/{LINK}/confirm", f"ann {table}", award=award, card=card)

    def void(self, table: int, award: int, reason: str = "The recording shows another hand.", who: str = "sue") -> None:
        card = self.site.cards[who]
        self.act(f"/api/links/{LINK}/void", f"ann {table}", award=award, card=card, reason=reason)

    def _at(self, table: int, act: str, **values: Any) -> dict[str, Any]:
        return self.act(f"/api/links/{LINK}/{act}", f"ann {table}", table=table, **values)


SUITED, COLOR, THREE, TWO, ONE = room.SUITED, room.COLOR, room.THREE, room.TWO, room.ONE
"""The hands of the room's paytable; the first two pay a share of the meter."""


def play_an_evening(floor: Floor) -> None:
    """Something to look at: rounds at three tables, awards confirmed and voided, one that is pending at table 2."""
    for number in range(8):
        for table in (1, 2, 3):
            floor.start(table, *range(1, 3 + (number + table) % 3))
            if number == 3 and table == 1:
                floor.confirm(table, called(floor, table, 2, COLOR))
            if number == 5 and table == 2:
                floor.void(table, called(floor, table, 1, SUITED))
            if number == 6 and table == 3:
                floor.confirm(table, called(floor, table, 1, SUITED))
            if (number + table) % 4 == 0:
                floor.enter(table, 1 if number != 6 else 2, ONE)
            floor.end(table)
    floor.start(2, 1, 4, 5)
    called(floor, 2, 5, COLOR)


def called(floor: Floor, table: int, seat: int, line: str) -> int:
    """A claimed award, for which a supervisor has been called."""
    award = floor.enter(table, seat, line)
    floor.call(table)
    return award


# Pages


class Visit:
    """Opens pages as somebody, and keeps what they complain of."""

    def __init__(self, browser: Browser, floor: Callable[[], Floor]) -> None:
        self._browser, self._floor = browser, floor
        self._contexts: list[BrowserContext] = []
        self._expected: list[re.Pattern[str]] = []
        self.complaints: list[str] = []

    def __call__(
        self,
        who: str,
        path: str,
        *,
        floor: Floor | None = None,
        url: str = "",
        width: int = 820,
        dark: bool = False,
        ready: str = "",
        still: bool = False,
        touch: bool = False,
        scripts: bool = True,
    ) -> Page:
        """A browser of its own, signed in, at a page; `still` asks for reduced motion, `url` is of another server."""
        tokens = {}
        if not url:
            floor = floor or self._floor()
            url, tokens = floor.server.url, cookies_of(floor.site, who)
        context = self._browser.new_context(
            base_url=url,
            viewport={"width": width, "height": HEIGHTS.get(width, 900)},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce" if still else "no-preference",
            has_touch=touch,
            java_script_enabled=scripts,
        )
        context.set_default_timeout(PATIENCE_MS)
        self._contexts.append(context)
        for name, token in tokens.items():
            context.add_cookies([{"name": name, "value": token, "url": url, "sameSite": "Strict"}])
        page = context.new_page()
        page.on("console", lambda message: self._heard(page, message.type, message.text))
        page.on("pageerror", lambda error: self._heard(page, "error", str(error)))
        page.goto(path)
        if ready:
            page.wait_for_selector(ready)
        return page

    def _heard(self, page: Page, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(f"{page.url}: {text}")

    def expect(self, pattern: str) -> None:
        """What a page may complain of in this test, because the test is about it."""
        self._expected.append(re.compile(pattern))

    def leave(self) -> None:
        """Close every page: a server that stops waits for them."""
        while self._contexts:
            self._contexts.pop().close()

    def close(self) -> None:
        self.leave()
        found = [each for each in self.complaints if not any(pattern.search(each) for pattern in self._expected)]
        assert not found, "the pages complain:\n" + "\n".join(found)


def cookies_of(site: MadeSite, who: str) -> dict[str, str]:
    """`max`, `keypad-1`, or `dan at keypad-1`."""
    person, _, device = who.partition(" at ")
    if person.startswith(("keypad-", "display-")):
        person, device = "", person
    kind = DeviceKind.DISPLAY if device.startswith("display-") else DeviceKind.KEYPAD
    cookie = DEALER_COOKIE if device else SESSION_COOKIE
    found = {cookie: site.tokens[person]} if person else {}
    return {**found, DEVICE_COOKIES[kind]: site.tokens[device]} if device else found


# Looking


def sign_in_first(page: Page, card: str, given: str, chosen: str) -> None:
    """With a PIN that others have set, at the page of signing in: one's own is chosen, and one goes on with it."""
    page.fill("#card", card)
    page.fill("#pin", given)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Choose your own PIN")
    assert_accessible(page)
    for name, typed in (("card", card), ("old_pin", given), ("pin", chosen), ("again", chosen)):
        page.fill(f"#{name}", typed)
    page.keyboard.press("Enter")


def shoot(page: Page, name: str, width: int | None = None, *, whole: bool = True) -> None:
    """A screenshot as an artefact of the run, of the whole page: `test-artefacts/screens/<name>-<width>.png`."""
    if width:
        page.set_viewport_size({"width": width, "height": WIDTHS[width]})
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    size = page.viewport_size
    assert size is not None
    page.screenshot(path=ARTEFACTS / f"{name}-{size['width']}.png", full_page=whole, animations="disabled")


def assert_fits(page: Page) -> None:
    """Nothing sticks out sideways."""
    wide = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1], f"{page.url} is {wide[0]} pixels wide in a window of {wide[1]}"


@cache
def _axe_source() -> str:
    return AXE.read_text(encoding="utf-8")


@dataclass(frozen=True)
class Violation:
    rule: str
    help: str
    where: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.rule}: {self.help}\n" + "\n".join(f"    {place}" for place in self.where)


def violations(page: Page) -> list[Violation]:
    """What axe finds (WCAG 2.2 A and AA, and its best practices). It is put into the page by the debugger, which the
    page's own policy does not hold back, so that the page is looked at as it is served."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(_axe_source())
    found = page.evaluate("async () => (await axe.run(document, { resultTypes: ['violations'] })).violations")
    return [
        Violation(
            each["id"],
            each["help"],
            [f"{node['target'][0]}  {' '.join(node['failureSummary'].split())[:300]}" for node in each["nodes"][:5]],
        )
        for each in found
    ]


def assert_accessible(page: Page) -> None:
    found = violations(page)
    assert not found, f"{page.url}\n" + "\n".join(map(str, found))
