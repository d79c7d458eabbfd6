"""Server-sent events: the state first, then every change; whoever comes back hears what they missed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import count
from typing import Any

import httpx
import pytest

from croupier.floor.link import acts
from croupier.web.identity.store import utc
from croupier.web.live import feed as moments_
from croupier.web.live import hub as hubs
from croupier.web.live import routes
from croupier.web.live.feed import id_of, numbers_of
from croupier.web.streams import KEEP_ALIVE_S
from support.room import COLOR, DEALER, SUPERVISOR
from tests.web.listening import Ear, Served, served, with_port
from tests.web.support import A_SHIFT_MINUTES, LINK, PINS, MadeSite, done, wait_until


class Pit:
    """A served site, and its people's acts straight on the floor."""

    def __init__(self, site: MadeSite, served: Served) -> None:
        self.site, self.served, self.floor = site, served, served.runtime.floor
        self.ids = (f"e{number}" for number in count(1))
        self.ears: list[Ear] = []

    def do(self, kind: type[acts.LinkAct], **values: Any) -> int:
        number: int = self.floor.do(kind(**{"id": next(self.ids), "by": DEALER, **values}), LINK).number
        return number

    def start(self, table: int = 1) -> int:
        return self.do(acts.StartGame, table=table, lit=(1, 2), based=(1, 2))

    def end(self, table: int = 1) -> int:
        return self.do(acts.EndGame, table=table)

    def award(self) -> int:
        self.start()
        return self.do(acts.EnterHand, table=1, seat=1, line=COLOR)

    def void(self, award: int) -> int:
        return self.do(acts.VoidAward, by=SUPERVISOR, award=award, reason="not a winning hand")

    def listen(self, who: str = "display-all", heard: str = "", query: str = "") -> Ear:
        ear = Ear(self.served.url, self.site.tokens[who], heard, query)
        self.ears.append(ear)
        return ear

    def post(self, path: str, who: str = "max", **values: Any) -> httpx.Response:
        body = {"id": next(self.ids), **values}
        return httpx.post(f"{self.served.url}{path}", headers=self.site.header(who), json=body, timeout=60)


@pytest.fixture(scope="module")
def opened(made_site: MadeSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pit]:
    site = made_site.copy(tmp_path_factory.mktemp("events"))
    with served(with_port(site.settings)) as made:
        yield Pit(site, made)


@pytest.fixture
def pit(opened: Pit) -> Iterator[Pit]:
    """Afterwards nobody listens, no game is on and nothing is undecided."""
    yield opened
    for ear in opened.ears:
        ear.close()
    opened.ears.clear()
    for award in opened.floor.links[LINK].awards:
        opened.void(award.award)
    cycle = opened.floor.links[LINK].tables.get(1)
    if cycle is not None and cycle.on:
        opened.end()
    wait_until(lambda: opened.served.hub._feeds.numbers(None)[f"link:{LINK}"] == opened.floor.links[LINK].entries)


def numbers_in(ear: Ear, kind: str | None = None) -> list[int]:
    return [moment["number"] for moment in ear.moments if kind in (None, moment["kind"])]


def test_the_first_event_has_every_link_and_its_id_names_every_book(pit: Pit) -> None:
    ear = pit.listen()
    first = ear.wait(lambda _: True)
    link = done(httpx.get(f"{pit.served.url}/api/links/{LINK}", headers=pit.site.header("display-all"), timeout=60))
    assert first.link() == link
    assert first.moments == []
    site = pit.floor.site.book.entries
    assert numbers_of(first.id) == {"link:main": link["number"], "site": site}


def test_wagers_are_told_by_the_state_and_awards_by_name(pit: Pit) -> None:
    ear = pit.listen()
    award = pit.award()
    told = ear.wait_number(award)
    state = told.link()
    assert state is not None
    assert state["levels"][0]["meter_cents"] == pit.floor.links[LINK].shown_cents[""]
    assert [each["award"] for each in state["awards"]] == [award]
    assert [(each["kind"], each["number"]) for each in ear.moments] == [("enter", award)]


def test_whoever_comes_back_hears_each_moment_once(pit: Pit) -> None:
    ear = pit.listen()
    first = pit.award()
    before = ear.wait_number(first)
    ear.close()
    voided = pit.void(first)
    second = pit.do(acts.EnterHand, table=1, seat=2, line=COLOR)
    pit.listen().wait_number(second)  # the server itself has told them by now
    again = pit.listen(heard=before.id)
    opening = again.wait(lambda _: True)
    assert [(each["kind"], each["number"]) for each in opening.moments] == [("void", voided), ("enter", second)]
    assert opening.data["left_out"] is False
    last = pit.void(second)
    again.wait_number(last)
    assert numbers_in(again) == [voided, second, last]


def test_who_was_away_too_long_is_told_the_newest_and_that_some_are_left_out(
    pit: Pit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moments_, "LOOK_BACK", 3)
    began = pit.floor.links[LINK].entries
    awards = [pit.award()]
    for _ in range(4):
        pit.void(awards[-1])
        awards.append(pit.do(acts.EnterHand, table=1, seat=1, line=COLOR))
    pit.listen().wait_number(awards[-1])  # the server itself has told them by now
    opening = pit.listen(heard=f"{LINK}={began}").wait(lambda _: True)
    assert [each["number"] for each in opening.moments] == [awards[-1] - 2, awards[-1] - 1, awards[-1]]
    assert opening.data["left_out"] is True


def test_with_an_id_that_says_nothing_moments_may_be_left_out(pit: Pit) -> None:
    """Whoever sends one was here before; that it is too long or of another site changes nothing."""
    too_long = f"{LINK}=1," + ",".join(f"side-{number}=1" for number in range(1_000))
    for heard in ("nonsense", "main=", "=3", "main=x,,site", "a" * 5_000, too_long, "main=-5", "other=3", ""):
        opening = pit.listen(heard=heard).wait(lambda _: True)
        assert opening.link() is not None
        assert opening.moments == []
        assert opening.data["left_out"] is bool(heard)


def test_an_id_from_ahead_is_waited_for_a_short_time(pit: Pit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "BEHIND_S", 0.2)
    opening = pit.listen(heard=f"{LINK}=999999").wait(lambda _: True, 3)
    assert opening.link() is not None


def test_changes_of_the_site_are_told_without_names(pit: Pit) -> None:
    ear = pit.listen("display-main")
    ear.wait(lambda _: True)
    device = {"device": "new", "kind": "display", "name": "A new one", "link": ""}
    number = done(pit.post("/api/site/enrol-device", **device))["entry"]["number"]
    told = ear.wait(lambda told: told.moments)
    assert [{**each, "at": ""} for each in told.moments] == [
        {"link": None, "number": number, "at": "", "kind": "site", "changed": "devices"}
    ]
    assert numbers_of(told.id)["site"] == number


def test_a_display_of_one_link_hears_that_one(pit: Pit) -> None:
    assert pit.listen("display-main").wait(lambda _: True).link() is not None
    assert pit.listen("display-all", query="?link=nowhere").status == 404
    assert pit.listen("keypad-1", query=f"?link={LINK}").wait(lambda _: True).link() is not None


def test_a_display_only_reads(pit: Pit) -> None:
    refused = pit.post(f"/api/links/{LINK}/start", "display-main", table=1, lit=[1], based=[1])
    assert refused.status_code in (401, 403)
    assert httpx.get(f"{pit.served.url}/api/events", timeout=60).status_code == 401


def test_a_display_that_is_revoked_hears_no_more(pit: Pit) -> None:
    device = {"device": "stolen", "kind": "display", "name": "One by the door", "link": ""}
    ear = Ear(pit.served.url, done(pit.post("/api/site/enrol-device", **device))["token"])
    ear.wait(lambda _: True)
    done(pit.post("/api/site/revoke-device", device="stolen", reason="stolen"))
    wait_until(lambda: ear.ended, KEEP_ALIVE_S - 2)  # at once, and not when it is next told that all is well
    assert [each for each in ear.moments if each["number"] == pit.floor.site.book.entries] == []


def test_whoever_signs_out_hears_no_more(pit: Pit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "KEEP_ALIVE_S", 0.1)
    monkeypatch.setattr(routes, "LOOK_EVERY_S", 0.0)
    card = {"card": pit.site.cards["sue"], "pin": PINS["sue"]}
    token = done(httpx.post(f"{pit.served.url}/api/sign-in", json=card, timeout=60))["token"]
    ear = Ear(pit.served.url, token)
    pit.ears.append(ear)
    wait_until(lambda: ear.comments)
    httpx.post(f"{pit.served.url}/api/sign-out", headers={"Authorization": f"Bearer {token}"}, timeout=60)
    wait_until(lambda: ear.ended)


def test_hearing_does_not_keep_a_session_alive(pit: Pit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "KEEP_ALIVE_S", 0.1)
    ear = pit.listen("sue")
    wait_until(lambda: ear.comments)
    monkeypatch.setattr(routes, "utc", lambda: utc() + timedelta(minutes=A_SHIFT_MINUTES + 1))
    wait_until(lambda: ear.ended)


def test_quiet_times_have_a_sign_of_life(pit: Pit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hubs, "KEEP_ALIVE_S", 0.05)
    ear = pit.listen()
    wait_until(lambda: ear.comments >= 3)
    assert len(ear.told) == 1


def test_a_rush_of_wagers_is_told_some_twenty_times_a_second(pit: Pit) -> None:
    ear = pit.listen()
    ear.wait(lambda _: True)
    last = 0
    for _ in range(100):
        pit.start()
        last = pit.end()
    told = ear.wait_number(last)
    seconds = told.at - ear.told[0].at
    assert len(ear.told) <= 2 + seconds / hubs.PACE_S
    assert len(ear.told) < 200


def test_a_server_that_stops_lets_its_listeners_go(site: MadeSite) -> None:
    with served(with_port(site.settings)) as made:
        ear = Ear(made.url, site.tokens["display-all"])
        ear.wait(lambda _: True)
    assert ear.ended


@pytest.mark.parametrize("name", ["main", "site", "the big one", "a=b,c", "Ä"])
def test_ids_read_back_whatever_a_link_is_called(name: str) -> None:
    numbers: dict[str, int] = {f"link:{name}": 17, "site": 3}
    text = id_of(numbers)
    assert text.isascii()
    assert numbers_of(text) == numbers


def test_moments_another_server_entered_are_read_before_anything_is_told(
    pit: Pit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when this server has just begun to lead: it knows the state, and nobody told it how that came about."""
    ear = pit.listen()
    ear.wait(lambda _: True)
    feeds, deaf = pit.served.hub._feeds, _deaf_to(pit.served, monkeypatch)
    award = pit.award()
    deaf()
    pit.served.hub.heard_all()
    told = ear.wait_number(award)
    assert [each["number"] for each in told.moments] == [award]
    assert feeds.gaps() == {}


def _deaf_to(served: Served, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """The hub hears nothing until the answer is called."""
    monkeypatch.setattr(served.runtime, "_listener", lambda _, __: None)

    def hears_again() -> None:
        monkeypatch.setattr(served.runtime, "_listener", served.hub.heard)

    return hears_again
