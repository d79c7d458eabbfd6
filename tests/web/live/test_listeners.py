"""Many listeners, slow ones and ones that vanish: memory stays as it is, and nobody else waits."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.floor.link import acts
from croupier.web.floor.views import link_json
from croupier.web.live import feed as feeds_
from croupier.web.live import hub as hubs
from croupier.web.live.feed import KEPT_BULLETINS, MOST_FRAMES, Feeds
from support.room import COLOR, DEALER, SUPERVISOR
from tests.web.listening import Deaf, Ear, Served, served, with_port
from tests.web.support import LINK, MadeSite, wait_until

STATM = Path("/proc/self/statm")


@pytest.fixture
def running(site: MadeSite) -> Iterator[Served]:
    with served(with_port(site.settings)) as made:
        yield made


class Dealer:
    """Deals straight on the floor, as fast as it goes."""

    def __init__(self, served: Served) -> None:
        self.floor, self.number, self._id = served.runtime.floor, 0, 0

    def do(self, kind: type[acts.LinkAct], **values: Any) -> int:
        self._id += 1
        made = kind(**{"id": f"d{self._id}", "by": DEALER, **values})
        self.number = self.floor.do(made, LINK).number
        return self.number

    def deal(self, rounds: int, *, awards: bool = False) -> None:
        for _ in range(rounds):
            self.do(acts.StartGame, table=1, lit=(1, 2), based=(1, 2))
            if awards:
                award = self.do(acts.EnterHand, table=1, seat=1, line=COLOR)
                self.do(acts.VoidAward, by=SUPERVISOR, award=award, reason="a test")
            self.do(acts.EndGame, table=1)


def resident_mb() -> float:
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


@pytest.mark.skipif(not STATM.exists(), reason="memory is read where Linux tells it")
def test_listeners_that_never_read_do_not_grow_memory(
    running: Served, site: MadeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Kept for each of them, what 60 deaf listeners have not read would be some 50 MB."""
    monkeypatch.setattr(hubs, "PACE_S", 0.001)
    dealer = Dealer(running)
    deaf = [Deaf(running.url, site.tokens["display-all"]) for _ in range(60)]
    wait_until(lambda: running.hub.listeners == 60)
    dealer.deal(40, awards=True)  # the sockets' own buffers fill up
    before, edition = resident_mb(), running.hub._feeds.edition
    dealer.deal(120, awards=True)
    wait_until(lambda: running.hub._feeds.edition > edition + 100)
    assert resident_mb() - before < 15
    feeds: Feeds = running.hub._feeds
    assert len(feeds._recent) <= KEPT_BULLETINS
    assert len(feeds._frames) <= MOST_FRAMES
    for each in deaf:
        each.vanish()
    wait_until(lambda: running.hub.listeners == 0)


def test_listeners_that_never_read_do_not_delay_others(running: Served, site: MadeSite) -> None:
    """From the answer to the act to the ear, beside a hundred that do not read: at most a quarter of a second."""
    dealer = Dealer(running)
    deaf = [Deaf(running.url, site.tokens["display-all"]) for _ in range(100)]
    ear = Ear(running.url, site.tokens["display-main"])
    wait_until(lambda: running.hub.listeners == 101)
    dealer.deal(100)
    late = []
    for _ in range(20):
        dealer.deal(1, awards=True)
        began = time.monotonic()
        late.append(ear.wait_number(dealer.number).at - began)
    ear.close()
    for each in deaf:
        each.vanish()
    assert sorted(late)[-2] < 0.25, late


def test_listeners_that_vanish_are_forgotten(running: Served, site: MadeSite) -> None:
    dealer, ear = Dealer(running), Ear(running.url, site.tokens["display-all"])
    for _ in range(3):
        gone = [Deaf(running.url, site.tokens["display-main"]) for _ in range(30)]
        dealer.deal(3)
        wait_until(lambda: running.hub.listeners > 1)
        for each in gone:
            each.vanish()
    ear.wait_number(dealer.number)
    wait_until(lambda: running.hub.listeners == 1)
    ear.close()
    wait_until(lambda: running.hub.listeners == 0)


def test_a_slow_listener_hears_the_newest_state_and_that_moments_are_left_out(
    running: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stops reading while far more happens than is kept, and then reads on."""
    monkeypatch.setattr(feeds_, "KEPT_BULLETINS", 20)
    hub, dealer = running.hub, Dealer(running)
    listener = hubs.Listener(None)
    dealer.deal(1)
    wait_until(lambda: hub._feeds.numbers(None).get(f"link:{LINK}") == dealer.number)
    listener.edition = hub._feeds.edition
    dealer.deal(20, awards=True)
    wait_until(lambda: hub._feeds.numbers(None)[f"link:{LINK}"] == dealer.number)
    event = hub._since(listener)
    assert f'"number":{dealer.number},'.encode() in event
    assert event.endswith(b'"left_out":true}\n\n')
    assert event.count(b'"kind":') == 20
    assert hub._since(listener) == b""


def test_a_state_is_made_once_for_all_listeners(
    running: Served, site: MadeSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    """500 displays and a wager every so often: one piece of JSON for each edition, and the same bytes to everybody."""
    made = []
    original = link_json

    def counted(brief: Any) -> Any:
        made.append(brief.entries)
        return original(brief)

    monkeypatch.setattr(feeds_, "link_json", counted)
    ears = [Ear(running.url, site.tokens["display-all"]) for _ in range(40)]
    wait_until(lambda: all(ear.told for ear in ears))
    began, dealer = running.hub._feeds.edition, Dealer(running)
    made.clear()
    for _ in range(5):
        dealer.deal(1)
        wait_until(lambda: running.hub._feeds.numbers(None)[f"link:{LINK}"] == dealer.number)
    for ear in ears:
        ear.wait_number(dealer.number)
    editions = running.hub._feeds.edition - began
    assert 5 <= editions <= 10
    assert len(made) <= editions
    for ear in ears:
        ear.close()


def test_whoever_heard_the_same_gets_the_same_bytes(running: Served) -> None:
    feeds: Feeds = running.hub._feeds
    wait_until(lambda: feeds.edition > 0)
    Dealer(running).deal(2)
    wait_until(lambda: feeds.edition > 1)
    now = feeds.edition
    assert all(feeds.since(now - 1, None) is feeds.since(now - 1, None) for _ in range(500))
    assert len({id(feeds.since(now - 1, frozenset({LINK}))) for _ in range(500)}) == 1
