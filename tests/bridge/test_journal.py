"""The journal: what is acknowledged is on the disk, counted once, and its owner's alone."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from croupier.bridge.journal import MOST_ANSWERED, MOST_BOOTS, Journal, Signed
from croupier.bridge.wire import Lit, Press
from croupier.errors import CroupierError

NONE: frozenset[int] = frozenset()


def test_acts_are_kept_in_their_order_with_the_seats_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    journal = Journal(path)
    boot = journal.new_boot()
    journal.take(boot, 1, Lit(frozenset({1, 2}), NONE, whole=True))
    journal.take(boot, 2, Press("start", {}), person="ann")
    journal.take(boot, 3, Lit(NONE, frozenset({1})))
    journal.take(boot, 4, Press("end", {}), person="ann")
    journal.close()
    again = Journal(path)
    act = again.next_act()
    assert act is not None
    assert (act.act, act.values, act.person, act.link) == ("start", {"lit": [1, 2]}, "ann", None)
    assert (again.waiting(), again.lit, again.last_seq(boot)) == (2, frozenset({2}), 4)
    addressed = again.address(act, "main", {"lit": [1, 2], "based": [1, 2]})
    assert again.next_act() == addressed
    assert addressed.id == act.id
    again.answer(addressed, "done")
    following = again.next_act()
    assert following is not None
    assert following.act == "end"
    assert [each.answer for each in again.answered()] == ["done"]
    again.close()


def test_no_line_is_taken_twice_or_out_of_turn(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal")
    boot = journal.new_boot()
    journal.take(boot, 1, Press("start", {}), person="ann")
    for seq in (1, 3):
        with pytest.raises(AssertionError, match="one after another"):
            journal.take(boot, seq, Press("start", {}), person="ann")
    assert (journal.waiting(), journal.last_seq(boot), journal.last_seq("other")) == (1, 1, None)
    journal.close()


def test_a_new_time_of_the_board_begins_dark_and_old_times_are_forgotten_at_last(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal")
    first = journal.new_boot()
    journal.take(first, 1, Lit(frozenset({1}), NONE))
    second = journal.new_boot()
    assert journal.lit == {1}
    journal.take(second, 1, Press("end", {}), person="ann")
    assert journal.lit == NONE
    for _ in range(MOST_BOOTS - 2):
        journal.new_boot()
    assert journal.last_seq(first) == 1
    journal.new_boot()
    assert journal.last_seq(first) is None
    journal.close()


def test_it_is_its_owners_alone_and_of_one_bridge(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    journal = Journal(path)
    journal.sign(Signed("ses_secret", "ann", "Ann", "dealer"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "secret" not in repr(journal.signed)
    with pytest.raises(CroupierError, match="Another bridge uses the journal"):
        Journal(path)
    journal.sign(None)
    assert journal.signed is None
    journal.close()
    assert b"ses_secret" not in path.read_bytes()


def test_what_is_no_journal_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("These are notes, and no journal of a bridge. " * 50)
    with pytest.raises(CroupierError, match="is no journal of a bridge"):
        Journal(other)
    with pytest.raises(CroupierError, match="cannot be written"):
        Journal(tmp_path / "no" / "folder" / "journal")


def test_answered_acts_are_kept_for_a_while_and_waiting_ones_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MOST_ANSWERED >= 100
    monkeypatch.setattr("croupier.bridge.journal.MOST_ANSWERED", 3)
    journal = Journal(tmp_path / "journal")
    boot = journal.new_boot()
    for seq in range(1, 8):
        journal.take(boot, seq, Press("end", {}), person="ann")
    for _ in range(6):
        act = journal.next_act()
        assert act is not None
        journal.answer(act, "done")
    assert [act.seq for act in journal.answered()] == [6, 5]
    assert journal.waiting() == 1
    journal.close()
