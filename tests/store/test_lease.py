"""Leases: who may take one from whom, and when, by clocks that are given."""

from __future__ import annotations

from threading import Event

from hypothesis import given
from hypothesis import strategies as st

from croupier.errors import CroupierError
from croupier.store.lease import Claim, Heartbeat, Lease, Watch

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
    assert Claim(over=frozenset({"one"})).may_take(HELD)
    assert not Claim(over=frozenset({"two"})).may_take(HELD)
    assert not Claim().may_take(HELD)
    assert not Claim(over=frozenset({"one"})).may_take(None)
    assert HELD.is_of(3)
    assert not HELD.is_of(2)


def test_whoever_had_a_lease_knows_when_it_was_overtaken() -> None:
    mine = Claim("me")
    assert mine.was_overtaken(HELD, 2)
    assert not mine.was_overtaken(HELD, 3), "somebody is in the way, and has not taken it yet"
    assert not mine.was_overtaken(HELD, 0), "it was never ours"
    assert not mine.was_overtaken(Lease(3, "me", 0), 2)
    assert not mine.was_overtaken(None, 2)


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
