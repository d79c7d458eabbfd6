"""Screenshots of every page in one folder: `python -m scripts.screens FOLDER`, from a demo room of its own.

    --only NAME     pages whose name begins so
    --url URL       of a demo that runs already, which goes on
    --readme        the pictures of the README anew instead, in `docs/pictures`

A page is taken at 390, 820, 1440 and 1920 pixels, by day and by night: `play-table-390-dark.png`. They are there to be
looked at, and are kept by nobody but the README.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
SIZES = {390: 844, 820: 1180, 1440: 900, 1920: 1080}
GAMES = ("blackjack", "three-card-baccarat", "supreme-99", "triple-shot-rummy", "three-card-poker", "mississippi-stud")
COLORS, BRIGHT = 192, 120
"""Of a picture in the README: few enough for its bytes, more than anybody sees. The others of its 256 colors are for
what is bright: whose greatest and least part are so far apart."""


class Shot(NamedTuple):
    name: str
    path: str
    ready: str
    """A selector of what is there when the page can be looked at."""
    role: str = ""
    """Who looks, of the demo; nobody where it is empty."""
    does: Callable[[Page], None] | None = None
    scripts: bool = True
    whole: bool = True
    """The page from top to bottom; otherwise what is first seen."""


def _deal(page: Page) -> None:
    """Chips for three seats and a deal, until somebody has to decide."""
    page.keyboard.press("1")
    for seat in page.locator(".add-seat, .place:not(.current) .circle").all()[:2]:
        try:
            seat.click(timeout=1_000)
            page.keyboard.press("1")
        except Error:  # of a table where that seat is taken, or is too small to touch
            continue
    if page.locator("#deal[aria-disabled=true]").count():  # a seat has a bonus wager alone
        page.keyboard.press("c")
        page.keyboard.press("1")
        page.wait_for_selector("#deal:not([aria-disabled])")
    page.locator("#deal").click()
    page.wait_for_selector("#rail[data-state=deciding], #rail[data-state=over]")


def _decline(page: Page) -> None:
    """What is offered before the hands are played."""
    _deal(page)
    for _ in range(8):
        no = page.locator('#actions [data-key="n"]:visible')
        if page.locator("#rail[data-state=deciding]").count() and no.count():
            no.first.click()
            page.wait_for_timeout(400)


def _award(page: Page) -> None:
    """A game at the dealer's table, and a hand of it that a supervisor is to be called for; once in a demo."""
    if not page.locator("#prompt-what strong").count():
        if page.locator("#start").is_enabled():
            for seat in (1, 3, 5, 6):
                page.locator(f'[data-seat="{seat}"]').click()
            page.locator("#start").click()
            page.wait_for_selector("#end:not([disabled])")
        page.locator('[data-seat="3"]').click()
        page.locator("#hands button", has_text="Same Color").click()
    page.wait_for_selector("#prompt-what strong")


def _begin(page: Page) -> None:
    page.locator("#begin").click()
    page.wait_for_selector("#step:not(:empty)")


SHOTS: tuple[Shot, ...] = (
    Shot("front", "/", ".hand-keys button"),
    Shot("sign-in", "/sign-in", "#card"),
    Shot("play", "/play", ".fan svg"),
    *(Shot(f"play-{game}", f"/play/{game}", ".circle", does=_decline, whole=False) for game in GAMES),
    Shot("play-review", "/play/review", "#no-past"),
    Shot("deal", "/deal", ".fan svg"),
    Shot("deal-table", "/deal/three-card-baccarat?seed=b137&seats=3", "#begin", does=_begin, whole=False),
    Shot("rules", "/rules", ".rulebook"),
    *(Shot(f"rules-{game}", f"/rules/{game}", "#figures table") for game in GAMES),
    Shot("lab", "/lab", "main table"),
    Shot("display", "/display", ".display .meter", "display", whole=False),
    Shot("keypad", "/keypad/4", "#seats button", "dealer", whole=False),
    Shot("keypad-award", "/keypad/4", "#seats button:not([disabled])", "dealer", does=_award, whole=False),
    Shot("console", "/console", "#links .spark polyline", "manager"),
    Shot("console-school", "/console/school", "#trainees table", "manager"),
    Shot("wrong-page", "/no-such-page", ".state-picture svg"),
    Shot("wrong-round", "/play/blackjack?round=gone", ".circle", whole=False),
    Shot("wrong-role", "/console/adjust", "main h1", "supervisor"),
    Shot("no-script", "/play/blackjack", "noscript", scripts=False, whole=False),
)
README: tuple[tuple[str, int, int], ...] = (
    ("front", 1280, 1000),
    ("display", 1280, 720),
    ("keypad-award", 820, 1180),
    ("console", 1280, 900),
    ("play-blackjack", 1440, 900),
)
"""Width and height."""
KEPT_AS = {"keypad-award": "keypad", "play-blackjack": "play-table"}


@contextmanager
def demo() -> Iterator[str]:
    """A demo room in a folder of its own, which ends with its pictures."""
    command = [sys.executable, "-c", "from croupier.cli import main; main()", "serve", "--demo", "--port", "0"]
    with tempfile.TemporaryDirectory() as folder:
        home = {**os.environ, "HOME": folder, "XDG_STATE_HOME": folder, "XDG_CONFIG_HOME": folder}
        server = subprocess.Popen(command, cwd=folder, env=home, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            found = next(filter(None, (re.search(r"http://[\d.]+:\d+", line) for line in server.stdout)), None)
            if found is None:
                raise RuntimeError("The demo did not start.")
            yield found[0]
        finally:
            server.terminate()
            server.wait()


def visitor(browser: Browser, url: str, shot: Shot, width: int, height: int, *, dark: bool) -> BrowserContext:
    """A browser of its own, in the role that looks."""
    context = browser.new_context(
        base_url=url,
        viewport={"width": width, "height": height},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
        java_script_enabled=shot.scripts,
    )
    context.set_default_timeout(60_000)
    if shot.role:
        entered = context.request.post("/pages/demo/enter", data={"role": shot.role}, headers={"X-Croupier": "page"})
        if not entered.ok:
            raise RuntimeError(f"The demo does not let a {shot.role} in: {entered.text()}")
    return context


def taken(browser: Browser, url: str, shot: Shot, size: tuple[int, int], *, dark: bool) -> bytes:
    context = visitor(browser, url, shot, *size, dark=dark)
    try:
        page = context.new_page()
        page.goto(shot.path)
        page.wait_for_selector(shot.ready, state="attached")
        if shot.does:
            shot.does(page)
        page.wait_for_timeout(300)
        return page.screenshot(full_page=shot.whole, animations="disabled")
    finally:
        context.close()


def for_readme(picture: bytes) -> bytes:
    """With a palette of its own. What is seldom and bright, as the red of a card, has its share of the colors."""
    import numpy as np
    from PIL import Image

    image = Image.open(io.BytesIO(picture)).convert("RGB")
    colors = np.asarray(image).reshape(-1, 3)
    bright = colors[np.ptp(colors, axis=1) > BRIGHT]
    palette = image.quantize(COLORS, dither=Image.Dither.NONE).getpalette() or []
    if len(bright):
        alone = Image.fromarray(bright[np.newaxis])
        palette = palette[: 3 * COLORS] + (alone.quantize(256 - COLORS, dither=Image.Dither.NONE).getpalette() or [])
    chosen = Image.new("P", (1, 1))
    chosen.putpalette(palette[: 3 * 256])
    small = io.BytesIO()
    image.quantize(palette=chosen, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
    return small.getvalue()


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("folder", type=Path, nargs="?", default=ROOT / "test-artefacts" / "screens")
    asked.add_argument("--only", default="")
    asked.add_argument("--url", default="")
    asked.add_argument("--readme", action="store_true")
    said = asked.parse_args()
    from support.chromium import find_chromium, switches

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_chromium(), args=switches())
        if said.url:
            take(browser, said.url, said)
        else:
            with demo() as url:
                take(browser, url, said)
        browser.close()


def take(browser: Browser, url: str, said: argparse.Namespace) -> None:
    if said.readme:
        by_name = {shot.name: shot._replace(whole=False) for shot in SHOTS}
        for name, width, height in README:
            picture = taken(browser, url, by_name[name], (width, height), dark=False)
            (PICTURES / f"{KEPT_AS.get(name, name)}.png").write_bytes(for_readme(picture))
        return
    said.folder.mkdir(parents=True, exist_ok=True)
    for shot in SHOTS:
        if not shot.name.startswith(said.only):
            continue
        for width, height in SIZES.items():
            for dark in (False, True):
                file = said.folder / f"{shot.name}-{width}-{'dark' if dark else 'light'}.png"
                try:
                    file.write_bytes(taken(browser, url, shot, (width, height), dark=dark))
                except Error as error:
                    print(f"{file.name}: {str(error).splitlines()[0]}", file=sys.stderr)


if __name__ == "__main__":
    main()
