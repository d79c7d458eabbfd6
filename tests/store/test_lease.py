"""Leases: who may take one from whom, and when, by clocks that are given."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import CroupierError
from croupier.ledger.clock import counted_s
from croupier.store.lease import Claim, Heartbeat, Lease, Lookout, Watch
from croupier.store.store import StoreBusy, StoreLost, open_store
from support.postgres import new_floor
from tests.floor.till import STREAM, wagers

HELD = Lease(term=3, holder="one", beat=7)


def beaten(lease: Lease, times: int = 1) -> Lease:
    return Lease(lease.term, lease.holder, lease.beat + times)


def test_a_holder_that_beats_is_never_silent() -> None:
    watch, lease = Watch(silent_s=5, beat_s=1), HELD
    for tenth in range(1_000):
        lease = beaten(lease) if tenth % 40 == 0 else lease
        assert not watch.look(lease, tenth / 10)
    assert watch.heard


def test_a_holder_that_does_not_beat_is_silent_after_its_time_and_not_before() -> None:
    watch = Watch(silent_s=5, beat_s=1)
    looks = [watch.look(HELD, 100 + tenth / 10) for tenth in range(60)]
    assert looks.index(True) in (50, 51)
    assert (watch.heard, watch.missed) == (False, True)
    assert not watch.look(beaten(HELD), 106.0), "it has woken"
    assert (watch.heard, watch.missed) == (True, False)


def test_a_new_holder_is_heard_from_its_beginning() -> None:
    watch = Watch(silent_s=5, beat_s=1)
    for second in range(7):
        watch.look(HELD, second)
    assert not watch.look(Lease(4, "two", 7), 7)
    assert not watch.look(None, 100)
    assert not watch.look(HELD, 101)


@given(st.lists(st.floats(min_value=0, max_value=1e6), min_size=2, max_size=5))
def test_time_in_which_nobody_watched_counts_as_a_beat_at_most(gaps: list[float]) -> None:
    """The watcher was stopped, or the whole machine slept: the holder was as well, and has not hung."""
    watch, now = Watch(silent_s=5, beat_s=1), 0.0
    for gap in gaps:
        now += gap
        assert not watch.look(HELD, now)
    assert watch.silent_for_s <= len(gaps) - 1


@given(st.floats(min_value=-1e6, max_value=0))
def test_a_clock_that_goes_back_makes_nobody_silent(back: float) -> None:
    watch = Watch(silent_s=5, beat_s=1)
    watch.look(HELD, 0)
    assert not watch.look(HELD, back)
    assert watch.silent_for_s == 0


def test_a_lease_is_taken_only_from_the_holder_that_was_named() -> None:
    judged = Claim("me", over={"site": HELD})
    assert judged.may_take("site", HELD)
    assert not judged.may_take("site", Lease(3, "two", 7))
    assert not judged.may_take("site", beaten(HELD)), "it has woken"
    assert not judged.may_take("link:main", HELD), "another book was judged"
    assert not judged.may_take("site", None)
    assert not Claim("one").may_take("site", HELD)
    assert Claim("one", again=True).may_take("site", beaten(HELD)), "it is our own"
    assert not Claim("me", again=True).may_take("site", HELD)
    assert HELD.is_of(3)
    assert not HELD.is_of(2)


def test_whoever_had_a_lease_knows_when_it_was_overtaken() -> None:
    mine = Claim("me")
    assert mine.was_overtaken(HELD, 2)
    assert not mine.was_overtaken(HELD, 3), "somebody is in the way, and has not taken it yet"
    assert not mine.was_overtaken(HELD, 0), "it was never ours"
    assert not mine.was_overtaken(Lease(3, "me", 0), 2)
    assert not mine.was_overtaken(None, 2)


def held(term: int, beat: int, holder: str = "one") -> Lease:
    return Lease(term, holder, beat)


def test_every_lease_is_watched_for_itself() -> None:
    """Somebody has taken the site's and failed: the holder of the link's has woken, and beats for what it has."""
    lookout, silent = Lookout("site", silent_s=5, beat_s=1), {"site": held(3, 7), "link:main": held(5, 9)}
    assert [lookout.look(silent, second) for second in range(6)] == [False] * 5 + [True]
    assert lookout.over == silent
    taken = {"site": held(4, 7, "two"), "link:main": held(5, 9)}
    assert not lookout.look(taken, 6)
    assert lookout.over == {"link:main": held(5, 9)}, "nobody has beaten for it"
    lookout.look(woken := {**taken, "link:main": held(5, 10)}, 7)
    assert lookout.over == {}
    for second in range(8, 12):
        lookout.look(woken, second)
    assert lookout.over == {"site": held(4, 7, "two")}, "the link's is another's, and was heard later"
    lookout.look(woken, 12)
    assert lookout.over == woken, "it hangs again"
    lookout.look({"link:main": held(5, 10)}, 13)
    assert lookout.over == {"link:main": held(5, 10)}


def test_a_holder_that_is_silent_in_the_first_lease_is_so_in_all_that_it_beat_for_within_the_same_second() -> None:
    lookout = Lookout("site", silent_s=5, beat_s=1)
    last = {"site": held(3, 7), "link:main": held(5, 10), "link:pool": held(5, 20), "link:other": held(2, 1, "two")}
    before = {**last, "link:main": held(5, 9), "link:other": held(2, 0, "two")}
    lookout.look(before, 0)
    for second in range(1, 6):
        assert lookout.look({**last, "link:pool": held(5, 10 + second)}, second) == (second == 5)
    assert lookout.over == {"site": held(3, 7), "link:main": held(5, 10)}, "pool's is beaten for, other's not its own"


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/floor.db" if request.param == "sqlite" else new_floor()


def test_a_holder_that_beats_again_before_its_lease_is_taken_keeps_it(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has judged it silent is stopped after its last look at the lease, and goes on with an old judgement."""
    monkeypatch.setattr(Heartbeat.__init__, "__defaults__", (None, counted_s, None))  # beats when it is told to
    may_take, stops = Claim.may_take, [True]
    with open_store(url) as holder, open_store(url) as taker:
        store: Any = holder
        holder.take_lease(STREAM, claim=Claim("holder"))
        judged = Claim("taker", over=taker.leases())

        def stopped(claim: Claim, stream: str, lease: Lease | None) -> bool:
            taken = may_take(claim, stream, lease)
            while stops and holder.lease(STREAM) == judged.over[STREAM]:  # the time of a file has steps
                assert taken
                assert store._heartbeat.step()
            return taken

        monkeypatch.setattr(Claim, "may_take", stopped)
        with pytest.raises(StoreBusy, match=r"Another process is writing link:main: it holds the lease\."):
            taker.take_lease(STREAM, claim=judged)
        holder.append(STREAM, wagers(1))
        assert store._heartbeat.step()
        stops.clear()
        with pytest.raises(StoreBusy):
            taker.take_lease(STREAM, claim=judged)
        holder.confirm(STREAM, 1)
        taker.take_lease(STREAM, claim=Claim("taker", over=taker.leases()))
        with pytest.raises(StoreLost):
            holder.confirm(STREAM, 1)
        for beats in (store._heartbeat, getattr(taker, "_heartbeat", None)):
            if beats is not None and beats._at_end is not None:
                beats._at_end()


class Counted:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_holder_that_slept_doubts_its_lease_until_a_beat_says_otherwise() -> None:
    clock, beats, answers = Counted(), Event(), [True]

    def beat() -> bool:
        if answers[0] is None:
            raise CroupierError("The store is away.")
        beats.set()
        return bool(answers[0])

    heart = Heartbeat("site", beat, 0.01, clock)
    assert heart.doubt(5) == ""
    answers[0] = None  # type: ignore[call-overload]
    clock.now = 60
    assert heart.doubt(5) == "The lease of site was last confirmed 60 seconds ago."
    beats.clear()
    answers[0] = True
    wait_for(lambda: not heart.doubt(5))
    answers[0] = False
    wait_for(lambda: heart.doubt(5) == "The lease of site is lost.")
    heart.stop()


def wait_for(true: object) -> None:
    assert callable(true)
    for _ in range(1_000):
        if true():
            return
        Event().wait(0.01)
    raise AssertionError("waited in vain")
