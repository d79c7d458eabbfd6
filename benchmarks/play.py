"""The games' pages in a real browser: how soon a decision's result is painted, and what the pages weigh.

The time runs from the click, by the browser's own clock, until the first frame has been painted in which the round is
shown as it stands after the decision and after all that the dealer does then, and the next thing can be pressed. The
first round of all is measured too. Nothing moves, as for somebody who asks for no motion: what is painted is seen.

The yardstick, taken after each decision, is a question that the server answers without any work, and two frames: what
this machine takes for a request and a painting just then.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import httpx
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, sync_playwright

from benchmarks.displays import Browser
from benchmarks.ledger import spread
from benchmarks.measure import Result, in_words, steps
from benchmarks.room import CARD, Served, make_room, serving
from croupier.games.catalogue import ALL_GAMES
from croupier.web.identity.cookies import SESSION_COOKIE
from support.chromium import find_chromium, switches

MOST_S, MOST_PAGE = 0.100, 300_000
DECISIONS, WITH_HINTS = 80, 25
"""In each game, at least; a game without any is measured by its deals."""
PATIENCE_MS = 120_000
WEIGHED = ("/play", "/play/blackjack", "/deal", "/deal/blackjack", "/rules", "/rules/blackjack", "/lab")
PRESSED = ("p", "n", "s")
"""What is decided, the first that is allowed: play, no insurance or no bust bet, set or stand. Where a game has none of
them, it is the choice that stands first."""
ALLOWED = '#actions .action:not([disabled], [aria-disabled="true"])'
"""A choice that is off stays in sight, and says why."""
WATCH = """
(allowed) => {
  const lines = () => document.querySelectorAll("#story .line").length;
  const before = lines();
  performance.clearResourceTimings();
  window.painted = new Promise((done) => {
    let clicked = 0;
    document.addEventListener("click", (event) => { clicked = event.timeStamp; }, { capture: true, once: true });
    const looking = new MutationObserver(() => {
      if (!clicked || lines() === before || !document.querySelector(allowed)) return;
      looking.disconnect();
      const shown = performance.now();
      requestAnimationFrame(() => requestAnimationFrame(() => {
        const asked = performance.getEntriesByType("resource").filter((each) => each.name.endsWith("/acts"));
        const waited = asked.map((each) => each.responseEnd - each.requestStart);
        done({ all: performance.now() - clicked, shown: shown - clicked, waited });
      }));
    });
    looking.observe(document.getElementById("actions"), { childList: true, subtree: true, attributes: true });
  });
}
"""


BARE = """
async () => {
  const began = performance.now();
  await (await fetch("/api/ready", { cache: "no-store" })).json();
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return performance.now() - began;
}
"""


@dataclass
class Times:
    """Of every decision, in seconds."""

    all: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    """Until the page has been changed; the rest is the browser's painting."""
    waited: list[float] = field(default_factory=list)
    """For the server, in all requests that the decision took."""
    bare: list[float] = field(default_factory=list)
    """The yardstick."""

    def add(self, told: dict[str, Any], bare: float) -> None:
        self.bare.append(bare / 1000)
        self.all.append(told["all"] / 1000)
        self.shown.append(told["shown"] / 1000)
        self.waited.append(sum(told["waited"]) / 1000)


def run() -> Iterator[Result]:
    with tempfile.TemporaryDirectory() as name, serving(make_room(f"sqlite:///{name}/play.db", Path(name))) as server:
        token = _token(server)
        for hints in (False, True):
            with _opened(server, token) as page:
                yield from _results(_played(page, hints=hints), "with hints" if hints else "without hints")
        yield from _weights(server, token)


def _results(times: Times, how: str) -> Iterator[Result]:
    p99 = quantiles(times.all, n=100)[98]
    what = f"a click on a decision until it is painted, {len(times.all)} {how}, p50 and p99"
    ratio = median(times.all) / median(times.bare)
    yield Result(
        what, spread(times.all), spread(times.bare), ratio, target=f"p99 under {in_words(MOST_S)}", met=p99 < MOST_S
    )
    yield Result(f"... the slowest, {how}", in_words(max(times.all)))
    yield Result(f"... until the page is changed, {how}", spread(times.shown))
    yield Result(f"... the server's part, {how}", spread(times.waited))


def _token(server: Served) -> str:
    """Of somebody who has signed in: whoever has not may only play so often in a minute."""
    answer = httpx.post(f"{server.url}/api/sign-in", json={"card": CARD}, timeout=10)
    if answer.status_code != httpx.codes.OK:
        raise RuntimeError(f"nobody could sign in: {answer.text}")
    return str(answer.json()["token"])


@contextmanager
def _opened(server: Served, token: str) -> Iterator[Page]:
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_chromium(), args=switches())
        context = browser.new_context(base_url=server.url, reduced_motion="reduce")
        context.add_cookies([{"name": SESSION_COOKIE, "value": token, "url": server.url, "sameSite": "Strict"}])
        context.set_default_timeout(PATIENCE_MS)
        try:
            yield context.new_page()
        except PlaywrightError as error:
            raise RuntimeError(f"the browser says: {error.message.splitlines()[0]}") from error
        browser.close()


# Playing


def _played(page: Page, *, hints: bool) -> Times:
    times = Times()
    for game in ALL_GAMES:
        page.goto(f"/play/{game}")
        page.wait_for_selector(".circle")
        if hints:
            page.keyboard.press("?")
        decisions = WITH_HINTS if hints else DECISIONS
        most = len(times.all) + decisions
        for _ in steps(f"{game}, {'with' if hints else 'without'} hints", range(decisions)):
            if len(times.all) < most:
                _play_round(page, times)
    return times


def _play_round(page: Page, times: Times) -> None:
    _press(page, "1", ".place.current .circle .chip")
    dealt = _watch(page, "d")
    if page.locator("#next-round").count():  # nobody has decided anything: the deal is all that was pressed
        times.add(dealt, page.evaluate(BARE))
    while not page.locator("#next-round").count():
        offered = [str(choice.get_attribute("data-key")) for choice in page.locator(ALLOWED).all()]
        wanted = next((key for key in PRESSED if key in offered), offered[0])
        times.add(_watch(page, wanted), page.evaluate(BARE))
    _press(page, "n", "#deal")


def _press(page: Page, key: str, until: str) -> None:
    page.keyboard.press(key)
    page.wait_for_selector(until)


def _watch(page: Page, key: str) -> dict[str, Any]:
    page.evaluate(WATCH, ALLOWED)
    page.locator(f'{ALLOWED}[data-key="{key}"]').first.click()
    told: dict[str, Any] = page.evaluate("() => window.painted")
    return told


# Weighing


def _weights(server: Served, token: str) -> Iterator[Result]:
    with httpx.Client(base_url=server.url, headers={"Accept-Encoding": "gzip"}, timeout=60) as client:
        client.cookies.set(SESSION_COOKIE, token)
        for path in WEIGHED:
            weight, _ = Browser(client).weigh(path)
            if not weight:
                raise RuntimeError(f"there is no page {path}")
            what, most = f"page {path}, gzip", f"{MOST_PAGE / 1000:.0f} kB"
            yield Result(what, f"{weight / 1000:.0f} kB", target=most, met=weight < MOST_PAGE)
