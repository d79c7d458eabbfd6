"""Rounds are played by anybody, so nobody's rounds fill the disk, shut others out, or come back with a known shoe."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from croupier.errors import NotationError, Refusal
from croupier.games.catalogue import GAMES
from croupier.games.head_to_head.round import Offering
from croupier.web.errors import ApiError
from croupier.web.games import rounds
from croupier.web.games.rounds import OneAct, Opener, Rounds, Standing
from croupier.web.games.store import SUFFIX, RoundStore, play_database
from croupier.web.identity.store import utc
from support.postgres import new_floor

CHANCE = {"cards": "shoe", "seed": None}
BACCARAT, RUMMY = Offering(GAMES["three-card-baccarat"]), Offering(GAMES["triple-shot-rummy"])
NOBODY, SOMEBODY = "from here", "person a"


class Table:
    """Rounds on a store of their own, and a clock that is turned by hand."""

    def __init__(self, url: str) -> None:
        self.now, self.opened = utc(), 0
        self.owners: dict[str, Opener] = {}
        self.store = RoundStore(play_database(url))
        self.rounds = Rounds(self.store, clock=self.clock)

    def clock(self) -> datetime:
        return self.now

    def open(self, owner: str = NOBODY, *acts: str, offering: Offering = BACCARAT) -> str:
        self.now += timedelta(seconds=1)
        self.opened += 1
        id_ = self.rounds.open(Opener(owner), f"o{self.opened}", offering, CHANCE).id
        self.owners[id_] = Opener(owner)
        for number, act in enumerate(acts):
            self.act(id_, f"{number}", act)
        return id_

    def act(self, id_: str, command: str, said: OneAct | list[OneAct]) -> Standing:
        """By whoever has opened it."""
        return self.rounds.act(id_, command, said, by=self.owners[id_])

    def is_kept(self, id_: str) -> bool:
        return self.store.round(id_) is not None


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(f"sqlite:///{tmp_path}/f.db")
    yield made
    made.store.database.close()


def kept_bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())


def padded(act: str, length: int) -> str:
    return act.replace(" ", " " * ((length - len(act)) // act.count(" ")), 1)


# How much


def test_a_round_takes_little_room_whatever_is_sent(tmp_path: Path, table: Table) -> None:
    """Blanks are sent, and not kept; what was sent is known again by its digest."""
    id_ = table.open(offering=RUMMY)
    with pytest.raises(NotationError, match="at most 8,000 characters"):
        table.act(id_, "long", [padded("bet 1 ante 500", 300), padded("take-back 1 ante", 300)] * 32)
    before = kept_bytes(tmp_path)
    for number in range(200):
        both: list[Any] = [padded("bet 1 ante 500", 3_000), padded("take-back 1 ante", 3_000)]
        done = table.act(id_, f"a{number}", both)
    assert len(done.acts) == rounds.MOST_ACTS
    assert sum(len(act.said) + len(act.act) for act in done.acts) < 30_000
    table.store.database.close()  # which folds the log of what was written into the file
    assert kept_bytes(tmp_path) - before < 200_000
    assert done.row.asked != str(CHANCE)
    again = table.act(id_, "a0", [padded("bet 1 ante 500", 3_000), padded("take-back 1 ante", 3_000)])
    assert len(again.acts) == 2
    with pytest.raises(ApiError, match="sent with another act"):
        table.act(id_, "a0", ["bet 1 ante 500", "take-back 1 ante"])


def test_the_acts_of_a_round_are_only_so_long(table: Table) -> None:
    id_ = table.open(offering=RUMMY)
    both: list[Any] = [f"bet 1 ante 500 by {'x' * 250}", "take-back 1 ante"]
    for number in range(8):
        table.act(id_, f"{number}", both * 13)
    with pytest.raises(Refusal, match="at most 30,000 characters"):
        table.act(id_, "more", both * 13)


def test_a_table_with_endless_paytables_is_not_opened(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(table.rounds.standing(table.open()).row.record) < rounds.LONGEST_RECORD / 4
    monkeypatch.setattr(rounds, "LONGEST_RECORD", 100)
    with pytest.raises(NotationError, match="described in at most 100 characters"):
        table.open()


def test_rounds_of_those_who_have_not_signed_in_take_only_so_many_bytes(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = table.open()
    one = len(table.rounds.standing(first).row.record) + 400
    monkeypatch.setattr(rounds, "MOST_BYTES_OF_ALL_NOBODIES", 5 * one)
    somebodys = table.open(SOMEBODY)
    later = [table.open(f"from {place}", "bet 1 bet 500") for place in range(9)]
    table.now += rounds.CLEANED_EVERY
    table.open(SOMEBODY)
    assert [id_ for id_ in later if table.is_kept(id_)] == later[-5:]
    assert not table.is_kept(first)
    assert table.is_kept(somebodys)


# How many


def test_tables_that_were_only_looked_at_shut_nobody_out(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "MOST_UNFINISHED_OF_NOBODY", 3)
    played = [table.open(NOBODY, "bet 1 bet 500") for _ in range(2)]
    looked_at = [table.open() for _ in range(9)]
    assert [table.is_kept(id_) for id_ in looked_at] == [False] * 5 + [True] * 4
    assert all(map(table.is_kept, played))


def test_what_was_left_for_longest_makes_room_and_what_is_played_stays(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rounds, "MOST_UNFINISHED_OF_NOBODY", 3)
    played = [table.open(NOBODY, "bet 1 bet 500") for _ in range(3)]
    others = table.open("from there", "bet 1 bet 500")
    with pytest.raises(ApiError, match="At most 3 rounds can be unfinished: finish one, or give one up"):
        table.open()
    table.now += rounds.LEFT_AFTER
    table.act(played[0], "back", "bet 2 bet 500")
    table.open(NOBODY, "bet 1 bet 500")
    assert [table.is_kept(id_) for id_ in played] == [True, False, True]
    assert table.is_kept(others)


def test_ones_own_unfinished_rounds_are_listed_and_without_signing_in_those_that_one_names(table: Table) -> None:
    mine = [table.open(SOMEBODY, "bet 1 bet 500") for _ in range(2)]
    table.open(SOMEBODY)
    table.open(SOMEBODY, "bet 1 bet 500", "void enough")
    others, gone = table.open(NOBODY, "bet 1 bet 500"), "rnd_" + "a" * 27

    def listed(owner: str, *ids: str) -> list[str]:
        return [each.id for each in table.rounds.unfinished(Opener(owner), ids)]

    assert listed(SOMEBODY) == mine[::-1]
    assert listed(NOBODY) == []
    assert listed(NOBODY, others, gone, "\0", others, mine[0]) == [others]
    assert listed(SOMEBODY, mine[0], others) == [mine[0], mine[1]]


# What is forgotten stays forgotten


@pytest.fixture(params=["sqlite", "postgres"])
def either(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Table]:
    made = Table(f"sqlite:///{tmp_path}/f.db" if request.param == "sqlite" else new_floor())
    yield made
    made.store.database.close()


def test_a_round_that_was_forgotten_is_not_played_again_with_its_known_shoe(either: Table) -> None:
    id_ = either.open(NOBODY, "bet 1 bet 500", "no-more-bets", "go-on")
    assert either.rounds.standing(id_).round.is_over
    either.now += rounds.NOBODYS_KEPT * 1.1
    either.open(SOMEBODY)
    for again in (lambda: either.rounds.standing(id_), lambda: either.act(id_, "x", "bet 1 bet 500")):
        _is_gone(again)
    assert either.rounds._remembered(id_) is None


def test_an_act_in_a_round_that_is_forgotten_meanwhile_leaves_nothing(
    either: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_ = either.open(NOBODY, "bet 1 bet 500")
    append = either.store.append

    def too_late(*given: Any, **more: Any) -> None:
        either.store.forget_left(either.now + timedelta(seconds=1))
        append(*given, **more)

    monkeypatch.setattr(either.store, "append", too_late)
    _is_gone(lambda: either.act(id_, "x", "bet 2 bet 500"))
    with either.store.database.read() as db:
        assert db.exec_driver_sql("SELECT count(*) FROM play_acts").scalar_one() == 0


def _is_gone(does: Callable[[], Standing]) -> None:
    with pytest.raises(ApiError, match="no such round") as refused:
        does()
    assert refused.value.status == 404


def test_a_store_of_an_earlier_server_is_gone_on_with(tmp_path: Path) -> None:
    """Its rounds are played on by whoever they belonged to; without signing in, from where they were opened."""
    url = f"sqlite:///{tmp_path}/f.db"
    table = Table(url)
    nobodys, somebodys = table.open(NOBODY, "bet 1 bet 500"), table.open(SOMEBODY, "bet 1 bet 500")
    table.store.database.close()
    with closing(sqlite3.connect(f"{tmp_path}/f.db{SUFFIX}")) as db, db:
        db.execute("DROP INDEX play_rounds_of_player")
        for column in ("done", "size", "player", "followed"):
            db.execute(f"ALTER TABLE play_rounds DROP COLUMN {column}")
    table = Table(url)
    for number, (id_, owner, other) in enumerate(((nobodys, NOBODY, "from there"), (somebodys, SOMEBODY, NOBODY))):
        with pytest.raises(ApiError, match="You are watching"):
            table.rounds.act(id_, "x", "bet 2 bet 500", by=Opener(other, "a token"))
        after = table.rounds.act(id_, "x", "bet 2 bet 500", by=Opener(owner, "a token"))
        assert [act.act for act in after.acts] == ["bet 1 bet 500", "bet 2 bet 500"], number
    assert table.store.unfinished(NOBODY) == 1
    table.store.database.close()


# Who plays


def test_a_round_is_played_by_the_one_who_opened_it_and_by_nobody_else(either: Table) -> None:
    """Not even from the same address, and not by whoever signs in or opens rounds there."""
    mine, theirs = Opener(NOBODY, "mine"), Opener(NOBODY, "theirs")
    id_ = either.rounds.open(mine, "o", BACCARAT, CHANCE).id
    either.rounds.act(id_, "a", "bet 1 bet 500", by=mine)
    for other in (theirs, Opener(NOBODY), Opener(SOMEBODY), Opener(SOMEBODY, "theirs"), Opener("device keypad-1")):
        for command in ("a", "b"):  # one that was done is not told either
            with pytest.raises(ApiError, match="Only the player who opened this round can play it") as refused:
                either.rounds.act(id_, command, "bet 1 bet 500", by=other)
            assert (refused.value.status, refused.value.code) == (403, "not-yours")
        assert either.rounds.unfinished(other, [id_]) == []
    assert len(either.rounds.standing(id_).acts) == 1
    assert [each.id for each in either.rounds.unfinished(Opener(SOMEBODY, "mine"), [id_])] == [id_]  # signed in since
    with pytest.raises(ApiError, match="has opened another round"):
        either.rounds.open(theirs, "o", BACCARAT, CHANCE)
    either.rounds.act(id_, "v", "void enough", by=Opener(SOMEBODY, "mine"))


def test_a_round_of_somebody_who_has_signed_in_is_not_the_browsers(table: Table) -> None:
    id_ = table.rounds.open(Opener(SOMEBODY, "browser"), "o", BACCARAT, CHANCE).id
    with pytest.raises(ApiError, match="You are watching"):
        table.rounds.act(id_, "a", "bet 1 bet 500", by=Opener(NOBODY, "browser"))
    table.rounds.act(id_, "a", "bet 1 bet 500", by=Opener(SOMEBODY, "another browser"))
