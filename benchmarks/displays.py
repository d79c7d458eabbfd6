"""Displays: how soon five hundred of them show a wager, what memory the server takes for them, what a page weighs; and
how many frames a second a wall draws in a real browser while its digits roll.

Of five hundred, a wager is made every tenth of a second. The time runs from the moment when the keypad should have sent
it, so it holds the commit and more; it ends when the last byte of the event is in the listener's hands.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from posixpath import dirname, join, normpath
from statistics import quantiles
from typing import TYPE_CHECKING

import httpx
from playwright.sync_api import Page, sync_playwright

from benchmarks import load
from benchmarks.ledger import spread
from benchmarks.measure import MIB, Result, in_words, steps
from benchmarks.room import Served, make_room, serving, serving_demo
from support.chromium import find_chromium, switches
from support.postgres import new_floor
from support.room import display_token

if TYPE_CHECKING:
    from croupier.demo.room import DemoSecrets

DISPLAYS, TABLES = 500, 3
EVERY_S, DURATION_S = 0.1, 15.0
MOST_TOLD_S, MOST_BYTES, MOST_PAGE = 0.3, 400 * MIB, 250_000
API_DOCS = "/api/docs"


def run() -> Iterator[Result]:
    with tempfile.TemporaryDirectory() as name:
        stores = {"SQLite": f"sqlite:///{name}/floor.db", "PostgreSQL": new_floor()}
        for store in steps(f"{DISPLAYS} displays", list(stores)):
            with serving(make_room(stores[store], Path(name), tables=TABLES)) as server:
                before = server.resident_bytes()
                told_s, processors = load.run(_shown(server))
                after = server.resident_bytes()
            p99 = quantiles(told_s, n=100)[98]
            what = f"a wager until {DISPLAYS} displays are told, {store}, p50 and p99"
            yield Result(what, spread(told_s), target=f"p99 under {in_words(MOST_TOLD_S)}", met=p99 < MOST_TOLD_S)
            yield Result(f"... of a processor, {store}", processors)
            yield Result(
                f"... the server's memory, {store} ({before / MIB:.0f} MiB before)",
                f"{after / MIB:.0f} MiB",
                target=f"{MOST_BYTES / MIB:.0f} MiB",
                met=after < MOST_BYTES,
            )
        yield from weights(Path(name))


async def _shown(server: Served) -> tuple[list[float], str]:
    """How long each wager took to each display; and how busy server and load generator were."""
    ears = await load.ears(server, DISPLAYS)
    tables = await load.tables_of(server, TABLES)
    played = await tables.at_rate(1 / EVERY_S, DURATION_S)
    await asyncio.sleep(1)
    told_s = played.heard_s(ears)
    load.close(tables, ears)
    return told_s, played.processors


# --- pages ---------------------------------------------------------------------------------------------------

_LINK = re.compile(r'<a [^>]*href="(/[^"#?]*)')
_ASSET = re.compile(r'(?:src|href)="(/static/[^"]+)"')
_IMPORT = re.compile(r"""(?:from|import)\s*\(?\s*["'](\.{0,2}/[^"']+)["']""")
_URL = re.compile(r"""url\(["']?([^"')]+)["']?\)""")


@dataclass
class Browser:
    """Somebody who opens pages with an empty cache, and weighs what comes over the wire."""

    client: httpx.Client
    files: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    """By address: how heavy, and what it asks for in turn."""

    def sign_in(self, card: str, pin: str) -> None:
        form, headers = {"card": card, "pin": pin}, {"X-Croupier": "page"}
        self.client.post("/pages/sign-in", json=form, headers=headers).raise_for_status()

    def get(self, path: str) -> tuple[int, str]:
        """The bytes that were sent, and the text that they are."""
        with self.client.stream("GET", path) as answer:
            text = answer.read().decode(errors="replace")
            is_page = answer.status_code == 200 and not answer.headers.get("content-disposition")
        return answer.num_bytes_downloaded, text if is_page else ""

    def weigh(self, path: str) -> tuple[int, list[str]]:
        """A page with its scripts and styles, each once; and the pages that it leads to."""
        weight, text = self.get(path)
        if not text.lstrip().lower().startswith("<!doctype html"):
            return 0, []
        due, seen = list(_ASSET.findall(text)), set[str]()
        while due:
            asset = due.pop()
            if asset not in seen:
                seen.add(asset)
                more, asked = self._asset(asset)
                weight, due = weight + more, due + asked
        return weight, _LINK.findall(text)

    def _asset(self, path: str) -> tuple[int, list[str]]:
        if path not in self.files:
            weight, text = self.get(path)
            ends = path.partition("?")[0].rpartition(".")[2]
            asked = _IMPORT.findall(text) if ends == "js" else _URL.findall(text) if ends == "css" else []
            asked = [each for each in asked if not each.startswith("data:")]
            self.files[path] = weight, [normpath(join(dirname(path), each)) for each in asked]
        return self.files[path]


def weights(folder: Path) -> Iterator[Result]:
    """Every page of the demo room that a manager or a supervisor finds, gzip where the server sends it."""
    found: dict[str, int] = {}
    with serving_demo(folder) as (server, secrets):
        for person in ("max", "sue"):
            with httpx.Client(base_url=server.url, headers={"Accept-Encoding": "gzip"}, timeout=30) as client:
                _walk(Browser(client), secrets, person, found)
    docs = found.pop(API_DOCS, 0)
    if not found:
        raise RuntimeError("no page was found")
    for path in sorted(found, key=lambda path: -found[path])[:3]:
        what, weight = f"page {path}, gzip, one of the heaviest three of {len(found)}", found[path]
        yield Result(what, f"{weight / 1000:.0f} kB", target=f"{MOST_PAGE / 1000:.0f} kB", met=weight < MOST_PAGE)
    yield Result(f"page {API_DOCS}, gzip, for programmers", f"{docs / 1000:.0f} kB")


def _walk(browser: Browser, secrets: DemoSecrets, person: str, found: dict[str, int]) -> None:
    browser.sign_in(secrets.cards[person], secrets.pins[person])
    due, seen = ["/", "/display", "/keypad/1", "/sign-in", "/console", "/console/links/main", API_DOCS], set[str]()
    while due:
        path = due.pop()
        if path not in seen:
            seen.add(path)
            weight, leads_to = browser.weigh(path)
            due += leads_to
            if weight:
                found[path] = max(weight, found.get(path, 0))


# --- frames --------------------------------------------------------------------------------------------------

WALLS = {"1080p": (1920, 1080), "4K": (3840, 2160)}
FRAMES_S, ROLLS_S, ROLL_EVERY_S = 60, 12.0, 1.0
SCREEN = """
() => {
  const told = (window.told = { rolling: [], resting: [] });
  let before = 0;
  const frame = (now) => {
    if (before) told[document.body.matches("[data-rolls]") ? "rolling" : "resting"].push(now - before);
    before = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}
"""


def frames() -> Iterator[Result]:
    """How many frames a second a wall draws while its digits roll, beside an empty page. Without a graphics card, a
    processor draws each of them."""
    with tempfile.TemporaryDirectory() as name, serving(make_room(f"sqlite:///{name}/f.db", Path(name))) as server:
        for size in steps("frames of a wall", list(WALLS)):
            drawn, empty = _drawn(server, WALLS[size]), _drawn(server, WALLS[size], "about:blank")
            if not drawn["rolling"]:
                raise RuntimeError("no digit rolled")
            rate, most = _rate(drawn["rolling"]), _rate(empty["resting"])
            late = sum(frame > 1.5 * 1_000 / FRAMES_S for frame in drawn["rolling"]) / len(drawn["rolling"])
            what = f"frames a second of a wall of {size} while digits roll, {len(drawn['rolling'])} frames"
            met = rate > 0.99 * FRAMES_S
            yield Result(what, f"{rate:.1f}", f"{most:.1f}", rate / most, target=f"{FRAMES_S}", met=met)
            yield Result(f"... that came late, {size}", f"{late:.1%}")


def _rate(frames_ms: list[float]) -> float:
    return 1_000 * len(frames_ms) / sum(frames_ms)


def _drawn(server: Served, size: tuple[int, int], page: str = "") -> dict[str, list[float]]:
    width, height = size
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_chromium(), args=switches())
        wall = browser.new_page(viewport={"width": width, "height": height}, reduced_motion="no-preference")
        wall.goto(page or f"{server.url}/display#{display_token('display-1')}")
        if not page:
            wall.wait_for_selector(".meter")
            _play_beside(wall, server, 3.0)  # everything was drawn once
        wall.evaluate(SCREEN)
        _play_beside(wall, server, ROLLS_S)
        told: dict[str, list[float]] = wall.evaluate("() => window.told")
        browser.close()
    return told


def _play_beside(wall: Page, server: Served, duration_s: float) -> None:
    with ThreadPoolExecutor(1) as thread:
        wagers = thread.submit(lambda: load.run(_played(server, duration_s)))
        wall.wait_for_timeout(1_000 * duration_s)
        wagers.result()


async def _played(server: Served, duration_s: float) -> None:
    tables = await load.tables_of(server, 1)
    await tables.at_rate(1 / ROLL_EVERY_S, duration_s)
    load.close(tables, [])
