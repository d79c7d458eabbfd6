"""Spectators hear of each act when it is done, go on with its player, and cost one look for all of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import aclosing, asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest

from croupier.web.errors import ApiError
from croupier.web.games import spectators as spectating
from croupier.web.games.rounds import Rounds
from croupier.web.games.spectators import Spectators
from croupier.web.games.store import RoundStore, play_database
from croupier.web.streams import BEGIN, Places
from croupier.web.turns import Turns
from tests.web.games.test_review import BLACKJACK, over
from tests.web.games.test_rounds import SOMEBODY, Seated, offered
from tests.web.support import MadeSite, Room, error_of, running

PATIENCE_S = 60.0


@pytest.fixture
def rounds(tmp_path: Path) -> Iterator[Rounds]:
    with closing(play_database(f"sqlite:///{tmp_path}/f.db")) as database:
        yield Rounds(RoundStore(database))


@asynccontextmanager
async def gallery(rounds: Rounds, *, hears: bool = True) -> AsyncIterator[Spectators]:
    """Who watches the rounds of a server; one that does not hear is another server of the site."""
    made = Spectators(rounds, Turns("rounds are played", at_once=2, most_waiting=100, wait_s=10.0))
    if hears:
        rounds.told = made.heard
    yield made
    made.end()
    await asyncio.sleep(0)


class Ears:
    """What one of them hears."""

    def __init__(self, told: AsyncIterator[bytes]) -> None:
        self._told = told

    async def next(self) -> dict[str, Any]:
        while True:
            frame = await asyncio.wait_for(anext(self._told), PATIENCE_S)
            fields = dict(line.partition(": ")[::2] for line in frame.decode().splitlines())
            if fields.get("event") == "round":
                self.id = fields["id"]
                found: dict[str, Any] = json.loads(fields["data"])
                return found


def in_server(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that runs as a server does, in one loop."""

    def whole(rounds: Rounds, monkeypatch: pytest.MonkeyPatch) -> None:
        asyncio.run(test(rounds, monkeypatch))

    whole.__name__, whole.__doc__ = test.__name__, test.__doc__
    return whole


def opened(rounds: Rounds, command: str = "o", after: str | None = None) -> str:
    return rounds.open(SOMEBODY, command, offered("blackjack"), {**BLACKJACK, "after": after}).id


@in_server
async def test_each_act_is_told_when_it_is_done(rounds: Rounds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spectating, "LOOK_S", 10 * PATIENCE_S)  # nothing is found by looking
    round_ = opened(rounds)
    async with gallery(rounds) as made, aclosing(made.watch(round_, on=False)) as told:
        assert await anext(told) == BEGIN
        ears = Ears(told)
        assert (await ears.next())["number"] == 0
        await asyncio.to_thread(rounds.act, round_, "b", "bet 1 bet 500", by=SOMEBODY)
        heard = await ears.next()
        assert (heard["number"], heard["yours"], ears.id) == (1, False, f"{round_} 1")
        assert heard["seats"][0]["wagers_cents"] == {"bet": 500}


@in_server
async def test_acts_at_another_server_are_found(rounds: Rounds, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spectating, "LOOK_S", 0.01)
    round_ = opened(rounds)
    async with gallery(rounds, hears=False) as made, aclosing(made.watch(round_, on=False)) as told:
        ears = Ears(told)
        await ears.next()
        await asyncio.to_thread(rounds.act, round_, "b", "bet 1 bet 500", by=SOMEBODY)
        assert (await ears.next())["number"] == 1


@in_server
async def test_who_watches_on_follows_the_player_and_comes_back_there(
    rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spectating, "LOOK_S", 10 * PATIENCE_S)
    first = over(rounds, "1").id
    async with gallery(rounds) as made:
        async with aclosing(made.watch(first, on=True)) as told:
            ears = Ears(told)
            assert (await ears.next())["over"]
            second = await asyncio.to_thread(opened, rounds, "2", first)
            await asyncio.to_thread(rounds.let_watch, first, SOMEBODY, watched=True)  # which is heard at once
            assert (await ears.next())["round"] == second
        async with aclosing(made.watch(first, ears.id, on=True)) as told:
            assert (await Ears(told).next())["round"] == second
        async with aclosing(made.watch(first, ears.id, on=False)) as told:
            hand = Ears(told)
            assert (await hand.next())["round"] == first, "a link to one hand shows that hand"
            with pytest.raises(StopAsyncIteration):
                await hand.next()


@in_server
async def test_a_table_is_looked_at_once_for_all_who_watch_it_and_left_with_the_last(
    rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spectating, "LOOK_S", 10 * PATIENCE_S)
    round_, looks = opened(rounds), 0
    async with gallery(rounds) as made:
        look = made._look

        def counted(id_: str) -> spectating.Seen:
            nonlocal looks
            looks += 1
            return look(id_)

        monkeypatch.setattr(made, "_look", counted)
        streams = [made.watch(round_, on=False) for _ in range(20)]
        ears = [Ears(each) for each in streams]
        await asyncio.gather(*(each.next() for each in ears))
        await asyncio.to_thread(rounds.act, round_, "b", "bet 1 bet 500", by=SOMEBODY)
        assert {each["number"] for each in await asyncio.gather(*(each.next() for each in ears))} == {1}
        assert (looks, made.places.taken) == (2, 20)
        await asyncio.gather(*(each.aclose() for each in streams))
        assert (made._tables, made.places.taken) == ({}, 0)


@in_server
async def test_a_round_that_is_forgotten_and_a_server_that_stops_let_their_spectators_go(
    rounds: Rounds, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spectating, "LOOK_S", 0.01)
    left, kept = opened(rounds, "1"), opened(rounds, "2")
    async with (
        gallery(rounds) as made,
        aclosing(made.watch(left, on=True)) as one,
        aclosing(made.watch(kept, on=True)) as two,
    ):
        ears, others = Ears(one), Ears(two)
        await asyncio.gather(ears.next(), others.next())
        rounds._store.forget_unused(SOMEBODY.owner, 1)
        with pytest.raises(StopAsyncIteration):
            await ears.next()
        made.end()
        with pytest.raises(StopAsyncIteration):
            await others.next()


def test_places_are_counted_by_address_and_token_and_given_back() -> None:
    places = Places(3, 2, 1)
    with places.take("here", "eve"), places.take("here"):
        for address, holder, status in (("there", "eve", 429), ("here", "", 429), ("there", "", None)):
            if status is None:
                with places.take(address, holder), pytest.raises(ApiError, match="At most 3 can listen at this server"):
                    places.take("elsewhere").__enter__()
            else:
                with pytest.raises(ApiError) as refused:
                    places.take(address, holder).__enter__()
                assert (refused.value.status, refused.value.code) == (status, "too-many-listeners")
    assert places.taken == 0
    with places.take("here", "eve"):
        assert places.taken == 1


def test_over_http_a_round_that_is_over_is_told_once_to_anybody_and_no_other_is(
    made_site: MadeSite, tmp_path: Path
) -> None:
    with running(made_site.copy(tmp_path)) as room:
        found = room.get(f"/api/rounds/{_played(room)}/events", "")
        assert found.headers["content-type"].startswith("text/event-stream")
        [data] = [line for line in found.text.splitlines() if line.startswith("data: ")]
        assert json.loads(data.removeprefix("data: "))["over"]
        refused = room.get("/api/rounds/rnd_aaaaaaaaaaaaaaaaaaaaaaaa/events", "")
        assert (refused.status_code, error_of(refused)) == (404, "no-such-round")


def _played(room: Room) -> str:
    seated = Seated(room, "three-card-baccarat", None)
    seated.bets()
    seated.act(["no-more-bets", "go-on"])
    seated.plays_on()
    return str(seated.round)
