"""The time of day is held against a clock that only counts, and a writer refuses acts while it cannot be right."""

from __future__ import annotations

import ctypes
from datetime import datetime
from pathlib import Path

import pytest

from croupier.errors import NotationError, Refusal
from croupier.floor.writer import Writer, WriterNo
from croupier.ledger import clock as clocks
from croupier.ledger.clock import AHEAD_S, FOLLOWED, LONGEST_PAUSE_S, CheckedClock, Witnesses, time_of, written
from croupier.store.store import open_store
from tests.floor.till import STREAM, TILL, Wagers

NOON = datetime.fromisoformat("2026-11-15T12:00:00Z").timestamp()
HOUR = 3_600.0
ASKED = clocks.asked_synchronised  # type: ignore[attr-defined]
"""What the program asks the system, which other tests leave alone."""


class Hands:
    """Both clocks, as a test sets them."""

    def __init__(self) -> None:
        self.wall, self.counted = NOON, 50.0
        self.clock = CheckedClock(wall=lambda: self.wall, counted=lambda: self.counted)

    def pass_(self, seconds: float) -> None:
        self.wall += seconds
        self.counted += seconds

    def after(self, last: str = "") -> str:
        return self.clock.after(last)

    def refused(self, last: str = "") -> str:
        with pytest.raises(Refusal) as error:
            self.clock.after(last)
        assert error.value.code == WriterNo.CLOCK
        return str(error.value)


@pytest.fixture
def hands() -> Hands:
    return Hands()


def test_time_that_passes_is_no_reason_to_doubt(hands: Hands) -> None:
    for _ in range(10):
        hands.pass_(HOUR)
        assert hands.after(written(hands.wall - 1)) == written(hands.wall)
    assert hands.clock() == "2026-11-15T22:00:00.000000Z"


def test_a_clock_set_ahead_gives_no_time_until_it_is_right_again(hands: Hands) -> None:
    hands.after()
    hands.wall += HOUR
    for _ in range(3):
        assert "set ahead: it says 2026-11-15T13" in hands.refused()
        hands.pass_(10)
    hands.wall -= HOUR
    assert hands.after() == "2026-11-15T12:00:30.000000Z"


def test_a_clock_is_put_right_by_little(hands: Hands) -> None:
    for _ in range(5):
        hands.wall += AHEAD_S - 1
        assert hands.after() < written(hands.wall)
        hands.pass_(HOUR)
        assert hands.after() == written(hands.wall), "it was followed meanwhile"
    hands.wall += AHEAD_S - 1
    hands.after()
    hands.wall += AHEAD_S - 1
    assert "set ahead" in hands.refused(), "little by little, but faster than it is followed"


@pytest.mark.parametrize("set_s", [10.0, AHEAD_S, -10.0, -AHEAD_S])
def test_a_clock_that_is_set_is_followed_slowly(hands: Hands, set_s: float) -> None:
    """Nobody makes time pass by setting the clock, and nobody stops it."""
    last, given = hands.after(), hands.wall
    hands.wall += set_s
    for _ in range(10):
        assert hands.after(last) == last, "no time has passed"
        hands.pass_(0.5)
        last, before = hands.after(last), last
        assert 0.4499 < time_of(last).timestamp() - time_of(before).timestamp() < 0.5501
    hands.pass_(abs(set_s) / FOLLOWED)
    assert hands.after(last) == written(hands.wall)
    assert hands.wall - given == pytest.approx(set_s + 5 + abs(set_s) / FOLLOWED)


def test_a_clock_set_back_and_right_again_is_believed_all_the_time(hands: Hands) -> None:
    last = hands.after()
    hands.wall -= HOUR
    for _ in range(3):
        hands.pass_(10)
        assert hands.after(last) == last
    hands.wall += HOUR
    hands.pass_(1)
    assert hands.after(last) > last


def test_a_clock_that_was_behind_for_long_is_believed_at_once_when_it_is_right(hands: Hands) -> None:
    last = hands.after()
    hands.wall -= HOUR
    hands.pass_(HOUR / 2)
    assert hands.after(last) == last
    hands.wall += HOUR
    assert hands.after(last) == written(hands.wall)


def test_a_clock_that_stays_behind_is_waited_for_and_then_followed(hands: Hands) -> None:
    last = hands.after()
    hands.wall -= HOUR
    hands.pass_(HOUR - AHEAD_S)
    assert hands.after(last) == last
    hands.pass_(10)
    assert hands.after(last) == written(NOON + 9)


def test_a_last_entry_in_the_future_is_waited_for(hands: Hands) -> None:
    """After a restart there is nothing but the entry to tell that one of the two clocks was wrong."""
    later = written(NOON + HOUR)
    assert f"The last entry is of {later}, and the clock says 2026-11-15T12" in hands.refused(later)
    hands.pass_(HOUR - AHEAD_S)
    assert hands.after(later) == later
    hands.pass_(10)
    assert hands.after(later) == written(NOON + HOUR + 9), "time goes on from it"


def test_how_far_ahead_is_a_setting() -> None:
    wall = [NOON]
    counted = [0.0]
    clock = CheckedClock(2 * HOUR, wall=lambda: wall[0], counted=lambda: counted[0])
    wall[0] += HOUR
    assert clock.after("") == written(NOON), "it is believed, and followed"
    wall[0] += 10 * HOUR
    counted[0] += 10 * HOUR
    assert clock.after("") == written(NOON + 11 * HOUR)


def test_a_writer_refuses_acts_while_the_clock_is_wrong_and_nothing_is_entered(tmp_path: Path, hands: Hands) -> None:
    with Writer(open_store(f"sqlite:///{tmp_path}/floor.db"), STREAM, TILL, hands.clock) as writer:
        first = writer.submit(Wagers("a")).result()
        hands.wall += 24 * HOUR
        refused = writer.submit(Wagers("b")).exception()
        assert isinstance(refused, Refusal)
        assert refused.code == WriterNo.CLOCK
        assert writer.submit(Wagers("a")).result() == first
        assert writer.ask(lambda till: till.rounds).result() == 1
        hands.wall -= 24 * HOUR
        assert writer.submit(Wagers("b")).result().at == "2026-11-15T12:00:00.000000Z"


def test_the_clock_of_a_writer_is_checked_unless_another_is_given(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/floor.db"
    with Writer(open_store(url), STREAM, TILL, lambda: "2199-01-01T00:00:00Z") as writer:
        writer.submit(Wagers("a")).result()
    with Writer(open_store(url), STREAM, TILL) as writer:
        refused = writer.submit(Wagers("b")).exception()
        assert isinstance(refused, Refusal)
        assert "The last entry is of 2199-01-01T00:00:00Z" in str(refused)


@pytest.mark.parametrize("at", ["", "yesterday", "2026-13-01T00:00:00Z"])
def test_a_time_that_is_none_is_refused(at: str) -> None:
    with pytest.raises(NotationError, match="is no time"):
        time_of(at)


# When a floor begins

DAY, YEAR = 24 * HOUR, 365 * 24 * HOUR


@pytest.mark.parametrize("synchronised", [None, False])
def test_a_clock_that_nobody_vouches_for_is_held_against_the_books(*, synchronised: bool | None) -> None:
    heard = Witnesses(last=written(NOON), synchronised=synchronised)
    assert heard.against(NOON + 12 * HOUR) == ""
    assert heard.against(NOON + LONGEST_PAUSE_S) == ""
    assert "365.0 days after the last entry of 2026-11-15T12:00:00Z" in heard.against(NOON + YEAR)
    assert heard.against(NOON - HOUR) == "", "a clock that is behind is refused entry by entry"
    assert heard.against(NOON + YEAR, since_s=YEAR - DAY) == "", "so long the floor has run since"
    assert Witnesses(synchronised=synchronised).against(NOON) == "", "there is no entry yet"


def test_a_system_that_keeps_its_clock_is_believed_after_any_pause() -> None:
    assert Witnesses(last=written(NOON), synchronised=True).against(NOON + YEAR) == ""


@pytest.mark.parametrize("off_s", [YEAR, -YEAR, AHEAD_S + 1, -AHEAD_S - 1])
def test_a_clock_that_is_not_the_databases_is_doubted_whatever_the_system_says(off_s: float) -> None:
    heard = Witnesses(last=written(NOON), store_s=NOON, synchronised=True)
    assert "and that of the database 2026-11-15T12:01:00Z" in heard.against(NOON + 60 + off_s, since_s=60)
    assert heard.against(NOON + 60, since_s=60) == ""


def test_a_doubted_clock_gives_no_time_until_it_is_set_right(hands: Hands) -> None:
    hands.clock.hear(Witnesses(last=written(NOON - YEAR)))
    for _ in range(3):
        assert "let two people accept it" in hands.refused(written(NOON - YEAR))
        hands.pass_(10)
    hands.wall -= YEAR
    assert hands.after(written(NOON - YEAR)) == written(hands.wall)
    hands.wall += YEAR
    assert "set ahead" in hands.refused(), "what it said at first is not what it is held against"


def test_a_doubted_clock_is_believed_once_it_is_accepted(hands: Hands) -> None:
    last = written(NOON - YEAR)
    hands.clock.hear(Witnesses(last=last))
    assert hands.clock.after(last, accepted=True) == written(NOON), "for the act that accepts it"
    hands.refused(last)
    hands.clock.accept()
    assert hands.after(last) == written(NOON)


def test_what_the_system_says_of_its_clock(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It is asked for real; the answer depends on the machine."""
    assert ASKED() in (True, False, None)
    monkeypatch.setattr(clocks, "SYNCHRONISED", tmp_path)
    assert ASKED() is True
    monkeypatch.setattr(clocks, "SYNCHRONISED", tmp_path / "none")

    class Libc:
        def __init__(self, answer: int) -> None:
            self.answer = answer

        def ntp_adjtime(self, _: object) -> int:
            return self.answer

    for answer, said in ((0, True), (1, True), (5, False), (-1, None)):
        monkeypatch.setattr(ctypes, "CDLL", lambda _, answer=answer: Libc(answer))
        assert ASKED() is said
    monkeypatch.setattr(ctypes, "CDLL", lambda _: object())
    assert ASKED() is None
