"""Whoever asks for figures much waits for oneself; and a house behind one address may do what a house does."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

import pytest

from croupier.web.errors import ApiError
from croupier.web.games import analyst as analysts
from croupier.web.games import questions
from croupier.web.games.analyst import TOO_LONG, TOO_LONG_KEPT_S, Analyst, Answer
from croupier.web.games.play import ACTS, ACTS_IN_A_ROUND, LOOKS, Play
from croupier.web.transport.clients import Rate
from tests.web.support import MadeSite, Room, done, error_of, running


@pytest.fixture(scope="module")
def room(made_site: MadeSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    with running(made_site.copy(tmp_path_factory.mktemp("asking"))) as made:
        yield made


# The process that counts


def test_whoever_asks_much_waits_for_oneself_and_others_for_one_question_of_theirs() -> None:
    async def asked() -> list[str]:
        analyst, answered = Analyst(), []

        async def ask(place: str, seconds: float) -> None:
            await analyst.ask(time.sleep, seconds, place=place)
            answered.append(place)

        try:
            await ask("", 0)  # the process has begun
            much = [asyncio.create_task(ask("there", 0.2 + each / 1000)) for each in range(5)]
            await asyncio.sleep(0)  # the first is asked, and the others wait
            await ask("here", 0.1)
            await asyncio.gather(*much)
            assert not analyst._queues
        finally:
            analyst.close()
        return answered[1:]

    assert asyncio.run(asked()).index("here") <= 2


def test_only_so_many_stand_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysts, "MOST_IN_QUEUE", 2)

    async def crowded() -> list[Any]:
        analyst = Analyst()
        try:
            asked = [asyncio.create_task(analyst.ask(time.sleep, 30 + each, place="there")) for each in range(3)]
            asked.append(asyncio.create_task(analyst.ask(time.sleep, 60, place="here")))
            await asyncio.sleep(0.1)
            return [task.exception() if task.done() else None for task in asked]
        finally:
            analyst.close()
            for task in asked:
                task.cancel()

    *free, refused, here = asyncio.run(crowded())
    assert (free, here) == ([None, None], None)
    assert isinstance(refused, ApiError)
    assert refused.code == "busy"


def test_a_process_that_has_grown_is_put_aside_once_nobody_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    async def asked() -> tuple[int, int]:
        analyst = Analyst()
        try:
            first = await analyst.ask(os.getpid)
            monkeypatch.setattr(analysts, "MOST_MEMORY", 1)
            await analyst.ask(os.getcwd)
            assert analyst.known(os.getpid) == first, "what was answered is kept"
            return first, await analyst.ask(_process)
        finally:
            analyst.close()

    first, second = asyncio.run(asked())
    assert os.getpid() != first != second


def test_one_that_has_grown_far_too_much_is_put_aside_though_others_wait_and_answers_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def asked() -> tuple[int, list[int]]:
        analyst = Analyst()
        try:
            first = await analyst.ask(os.getpid)
            monkeypatch.setattr(analysts, "MOST_MEMORY", 1)
            pool = analyst._pool
            one, two, three = (asyncio.create_task(analyst.ask(_slowly, number)) for number in (1, 2, 3))
            assert await one == first
            assert analyst._pool is pool, "others wait, and there is a limit that it keeps"
            monkeypatch.setattr(analysts, "TOO_MUCH_MEMORY", 1)
            assert await two == first
            return first, [await three, await analyst.ask(_process)]
        finally:
            analyst.close()

    first, [waited, other] = asyncio.run(asked())
    assert waited == first != other


def _slowly(_: int) -> int:
    time.sleep(0.3)
    return os.getpid()


def _process() -> int:
    return os.getpid()


def test_what_took_too_long_once_is_counted_again_after_a_minute() -> None:
    """The machine may have been busy; PAR sheets are not refused for ever."""

    async def asked(until: float) -> Any:
        analyst, kept = Analyst(), Future[Answer]()
        kept.set_result(Answer(None, 422, TOO_LONG, "This takes longer.", until))
        analyst._asked[max, 3, 4] = kept
        try:
            return await analyst.ask(max, 3, 4)
        finally:
            analyst.close()

    with pytest.raises(ApiError, match="takes longer"):
        asyncio.run(asked(time.monotonic() + 1))
    assert asyncio.run(asked(time.monotonic() - 1)) == 4


def test_what_takes_too_long_says_when_it_may_be_asked_again() -> None:
    async def asked() -> Answer:
        analyst = Analyst(limit_s=0.2)
        try:
            with pytest.raises(ApiError, match="was given up"):
                await analyst.ask(time.sleep, 30)
            [kept] = analyst._asked.values()
            return kept.result()
        finally:
            analyst.close()

    assert 0 < asyncio.run(asked()).until - time.monotonic() <= TOO_LONG_KEPT_S


class Told:
    """Stands for a process that counts: it says what it was asked for, and where."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, str]] = []

    async def ask(self, function: Any, *_: Any, place: str = "") -> None:
        self.asked.append((function, place))
        raise ApiError(503, "busy", "Nobody counts here.")

    def close(self) -> None:
        """As the process has it."""


def test_hints_do_not_wait_for_accounts_and_each_place_has_its_line(room: Room) -> None:
    play: Play = room.app.state.play
    before = play.trainer, play.accountant
    trainer, accountant = play.trainer, play.accountant = Told(), Told()  # type: ignore[assignment]
    try:
        round_ = done(room.act("/api/rounds", "", game="three-card-baccarat"))["round"]
        assert error_of(room.get(f"/api/rounds/{round_}/hint", "")) == "busy"
        done(room.act(f"/api/rounds/{round_}/acts", "", act=["bet 1 bet 500", "no-more-bets", "go-on"]))
        for who in ("", "max"):
            assert error_of(room.get(f"/api/rounds/{round_}/expected", who)) == "busy"
    finally:
        play.trainer, play.accountant = before
    assert trainer.asked == [(questions.hint, "testclient")]
    assert accountant.asked == [
        (questions.expected, "testclient"),
        (questions.expected, "person max"),
    ]


# How often


def test_a_place_may_do_what_many_do_and_a_round_what_one_does() -> None:
    now = [0.0]
    rate = Rate(6, in_a_round=2, clock=lambda: now[0])
    for round_ in ("a", "b", "c"):
        rate.take("10.0.0.1", round_)
    rate.take("10.0.0.1", "a")
    with pytest.raises(ApiError, match="At most 2 tries a minute in one round"):
        rate.take("10.0.0.1", "a")
    rate.take("10.0.0.1", "b")
    with pytest.raises(ApiError, match="At most 6 tries a minute from one place"):
        rate.take("10.0.0.1", "c")
    rate.take("10.0.0.2", "c")
    now[0] += 60
    rate.take("10.0.0.1", "a")


def test_looking_takes_nothing_from_those_who_act(room: Room) -> None:
    """Ten visitors behind one address, whose pages look after their rounds twice a second."""
    play: Play = room.app.state.play
    play.acts, play.looks = Rate(2), Rate(LOOKS, in_a_round=ACTS_IN_A_ROUND)
    try:
        round_ = done(room.act("/api/rounds", "", game="three-card-baccarat"))["round"]
        for _ in range(6):
            assert room.get(f"/api/rounds/{round_}", "").status_code == 200
        codes = [
            room.act(f"/api/rounds/{round_}/acts", "", act=f"bet {seat} bet 500").status_code for seat in (1, 2, 3)
        ]
    finally:
        play.acts = Rate(ACTS, in_a_round=ACTS_IN_A_ROUND)
    assert codes == [200, 200, 429]
    assert LOOKS >= 10 * 120


# What was left


def test_unfinished_rounds_are_listed_for_whoever_left_them(room: Room) -> None:
    ids = {}
    for who in ("max", "sue", ""):
        ids[who] = done(room.act("/api/rounds", who, game="blackjack", rules="6D H17"))["round"]
        done(room.act(f"/api/rounds/{ids[who]}/acts", who, act="bet 1 bet 500"))

    def listed(who: str, *named: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = done(room.get("/api/rounds", who, params={"round": named}))["rounds"]
        return found

    assert [each["round"] for each in listed("sue")] == [ids["sue"]]
    assert [each["round"] for each in listed("sue", ids[""])] == [ids[""], ids["sue"]]
    [left] = listed("", ids[""], "rnd_" + "x" * 27)
    assert (left["title"], left["number"], left["staked_cents"]) == ("Blackjack", 1, 500)
    assert left["rules"].startswith("6D H17")
    assert listed("") == []
    done(room.act(f"/api/rounds/{ids['']}/acts", "", act="void given up"))
    assert listed("", ids[""]) == []
    assert room.get("/api/rounds", "", params={"round": ["x"] * 21}).status_code == 422
