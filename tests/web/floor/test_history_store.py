"""What is kept of a link's meters for plots: read back as it was, of the same levels only, and never in the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.web.floor.history import MOST_POINTS, HistoryStore, MeterHistory, Point
from tests.web.floor.test_backup import STORES, place

LEVELS = ("Mega", "Minor")


def read() -> MeterHistory:
    made = MeterHistory(LEVELS)
    made.go_on(
        7, {"meter:Mega": 10**12, "meter:Minor": 5}, [Point(3.5, (2, 1))], [Point(1.0, (1, 1)), Point(3.5, (2, 1))]
    )
    return made


@pytest.mark.parametrize("kind", STORES)
def test_what_was_kept_is_taken_up_as_it_was(kind: str, tmp_path: Path) -> None:
    url = place(kind, tmp_path, "room")
    earlier = HistoryStore(url)
    for digest in ("a" * 64, "b" * 64):  # the last one counts
        earlier.keep("main", read(), digest)
    earlier.close()
    kept, found = HistoryStore(url), MeterHistory(LEVELS)
    assert kept.take_up("main", found) == "b" * 64
    assert (found.number, found.units, found.fine, found.coarse) == (7, read().units, read().fine, read().coarse)
    assert kept.take_up("side", MeterHistory(LEVELS)) == ""
    assert kept.take_up("main", MeterHistory(("",))) == ""  # the link has other meters now
    kept.close()


def test_a_store_that_cannot_be_used_costs_time_and_nothing_else(tmp_path: Path) -> None:
    nowhere = HistoryStore(f"sqlite:///{tmp_path}/no/such/folder/room.db")
    found = read()
    nowhere.keep("main", found, "a" * 64)
    assert nowhere.take_up("main", found) == ""
    assert found.number == 7


def test_years_of_play_take_no_more_points_than_there_is_room_for() -> None:
    history = MeterHistory(("",))
    for number in range(3 * MOST_POINTS):
        history.units["meter"] = (number + 1) * 10**9
        history._add(number * 301.0, ["meter"])
    assert MOST_POINTS // 2 < len(history.coarse) <= MOST_POINTS
    assert history.coarse[0].at == 0
    assert history.coarse[-1].cents == (3 * MOST_POINTS * 1_000,)
    assert [point.at for point in history.coarse] == sorted(point.at for point in history.coarse)
