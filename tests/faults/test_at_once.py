"""People, clocks and servers that do not keep their turn: two cards at once, acts twice and in any order, a crash."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from random import Random
from threading import Barrier
from typing import Any

import psycopg
import pytest

from croupier.compliance.authority import Role
from croupier.errors import Refusal
from croupier.floor.forms import Signed
from croupier.floor.link.acts import Confirm, EndGame, EnterHand, LinkAct, MakeLink, OpenLink, StartGame, VoidAward
from croupier.floor.link.link import Link, proof
from croupier.floor.refusals import No
from croupier.floor.writer import Writer
from croupier.ledger.clock import utc_now
from croupier.ledger.entry import UNITS_PER_CENT, Entry, Purpose
from croupier.store.store import open_store
from support.postgres import new_floor
from support.room import COLOR, DEALER, EXECUTIVE, MANAGER, OTHER_MANAGER, SUITED, TWO
from tests.faults.audit import SOON_S, Auditor
from tests.faults.people import MAIN, SETUPS, STREAM, TABLES

ONE_METER = SETUPS[1]
TWO_SUPERVISORS = (Signed("sue", Role.SUPERVISOR), Signed("sam", Role.SUPERVISOR))
SEATS = (2, 5)


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/floor.db" if request.param == "sqlite" else new_floor()


@pytest.fixture
def writer(url: str) -> Iterator[Writer[Link]]:
    with Writer(open_store(url), STREAM, MAIN) as writer:
        do(writer, MakeLink, by=MANAGER, second=OTHER_MANAGER, link="main", setup=ONE_METER)
        do(writer, OpenLink, by=MANAGER)
        yield writer


def do(writer: Writer[Link], kind: type[LinkAct], *, by: Signed = DEALER, **fields: Any) -> Entry:
    number = writer.ask(lambda link: link.state.book.entries).result(SOON_S)
    return writer.submit(kind(id=f"do-{number}", by=by, **fields)).result(SOON_S)


def outcome(future: Future[Entry]) -> Any:
    return future.exception(SOON_S) or future.result()


def paid_cents(url: str) -> int:
    """To players, for awards."""
    with open_store(url) as store:
        confirmed = [
            transfer for entry in store.entries(STREAM) if entry.kind == "confirm" for transfer in entry.transfers
        ]
    paid = [transfer for transfer in confirmed if transfer.source.purpose is Purpose.PENDING]
    assert {transfer.target.purpose for transfer in paid} <= {Purpose.PLAYERS}
    return sum(transfer.units for transfer in paid) // UNITS_PER_CENT


@pytest.mark.parametrize("decisions", ["two-confirm", "confirm-and-void"])
def test_of_two_supervisors_at_once_one_decides(url: str, writer: Writer[Link], decisions: str) -> None:
    """Both stand at the table with their cards: the award is paid or released, once, and the other is told."""
    with ThreadPoolExecutor(2) as people:
        for turn in range(8):
            do(writer, StartGame, table=1, lit=SEATS, based=SEATS)
            entered = do(writer, EnterHand, table=1, seat=2, line=COLOR)
            award, cents, before = entered.number, entered.facts["held"][0]["cents"], paid_cents(url)
            both = Barrier(2)

            def decide(who: int, award: int = award, turn: int = turn, both: Barrier = both) -> Any:
                made: dict[str, Any] = {"id": f"{decisions}-{turn}-{who}", "by": TWO_SUPERVISORS[who], "award": award}
                voids = decisions == "confirm-and-void" and who == 1
                act = VoidAward(**made, reason="It is another hand.") if voids else Confirm(**made)
                both.wait()
                return outcome(writer.submit(act))

            answers = list(people.map(decide, range(2)))
            [entry] = [each for each in answers if isinstance(each, Entry)]
            [refused] = [each for each in answers if isinstance(each, Refusal)]
            assert refused.code == No.NO_SUCH_AWARD
            assert paid_cents(url) - before == (cents if entry.kind == "confirm" else 0)
            do(writer, EndGame, table=1)
    assert writer.ask(lambda link: proof(link, "").difference).result() == 0


@pytest.mark.parametrize("seed", range(3))
def test_acts_twice_and_in_any_order_are_done_once_and_in_an_order_that_makes_sense(
    url: str, writer: Writer[Link], seed: int
) -> None:
    """Keypads that send until they are answered, over a network that mixes everything up."""
    rng = Random(seed)
    games: list[LinkAct] = []
    for table in TABLES:
        games.append(StartGame(id=f"s{table}", by=DEALER, table=table, lit=SEATS, based=SEATS))
        games.append(EnterHand(id=f"f{table}", by=DEALER, table=table, seat=5, line=TWO))
        games.append(EnterHand(id=f"a{table}", by=DEALER, table=table, seat=2, line=rng.choice([COLOR, SUITED])))
    entries = all_done(writer, games, rng)
    decisions: list[LinkAct] = [
        Confirm(id=f"c{table}", by=EXECUTIVE, award=entries[f"a{table}"].number) for table in TABLES
    ]
    ends: list[LinkAct] = [EndGame(id=f"e{table}", by=DEALER, table=table) for table in TABLES]
    entries |= all_done(writer, decisions + ends, rng)
    with open_store(url) as store:
        kept = {entry.command: entry for entry in store.entries(STREAM) if not entry.command.startswith("do-")}
        assert store.last(STREAM).number == len(kept) + 2  # type: ignore[union-attr]
    assert kept == entries
    for table in TABLES:
        order = [entries[f"{letter}{table}"].number for letter in "sace"]
        assert order == sorted(order)
    assert writer.ask(lambda link: (proof(link, "").difference, len(link.state.awards))).result() == (0, 0)


def all_done(writer: Writer[Link], acts: list[LinkAct], rng: Random) -> dict[str, Entry]:
    """Everything sent twice, shuffled, until all is answered with an entry; an answer never changes."""
    entries: dict[str, Entry] = {}
    while len(entries) < len(acts):
        sent = rng.sample([*acts, *acts], 2 * len(acts))
        for act, answer in zip(sent, [outcome(each) for each in [writer.submit(act) for act in sent]], strict=True):
            if isinstance(answer, Entry):
                assert entries.setdefault(act.id, answer) == answer
            else:
                assert isinstance(answer, Refusal), answer
    return entries


def test_a_clock_set_back_between_hand_and_card_changes_no_order_and_no_amount(url: str) -> None:
    times = iter([f"2026-11-15T20:0{minute}:00.000000Z" for minute in (0, 1, 5, 6, 2, 1)])
    with Writer(open_store(url), STREAM, MAIN, lambda: next(times)) as writer:
        do(writer, MakeLink, by=MANAGER, second=OTHER_MANAGER, link="main", setup=ONE_METER)
        do(writer, OpenLink, by=MANAGER)
        do(writer, StartGame, table=1, lit=SEATS, based=SEATS)
        entered = do(writer, EnterHand, table=1, seat=2, line=SUITED)
        paid = do(writer, Confirm, by=EXECUTIVE, award=entered.number)
        ended = do(writer, EndGame, table=1)
    assert paid.at == ended.at == entered.at
    assert paid.facts["cents"] == entered.facts["held"][0]["cents"]
    auditor = Auditor(url)
    auditor.read_on()
    assert auditor.open_awards() == {}


@pytest.mark.parametrize("seed", range(6))
def test_a_torn_last_write_leaves_a_link_that_goes_on(tmp_path: Path, seed: int) -> None:
    """The end of the log is cut off, overwritten or altered: a beginning is left, balanced, and is played on."""
    rng, folder = Random(seed), tmp_path / "crashed"
    folder.mkdir()
    with Writer(open_store(f"sqlite:///{tmp_path}/floor.db"), STREAM, MAIN, snapshot_every=5) as writer:
        do(writer, MakeLink, by=MANAGER, second=OTHER_MANAGER, link="main", setup=ONE_METER)
        do(writer, OpenLink, by=MANAGER)
        whole = [writer.submit(act).result(SOON_S) for game in range(8) for act in a_game(f"{game}", 1)]
        do(writer, StartGame, table=1, lit=SEATS, based=SEATS)
        do(writer, EnterHand, table=1, seat=2, line=SUITED)
        for name in ("floor.db", "floor.db-wal"):
            shutil.copy(tmp_path / name, folder / name)
    log = folder / "floor.db-wal"
    data = bytearray(log.read_bytes())
    cut = rng.randrange(len(data) // 2, len(data))
    torn = (
        data[:cut],
        data[:cut] + rng.randbytes(len(data) - cut),
        data[:cut] + bytes([data[cut] ^ 1]) + data[cut + 1 :],
    )
    log.write_bytes(torn[seed % 3])
    auditor = Auditor(f"sqlite:///{folder}/floor.db")
    auditor.read_on()
    left = auditor.link.state.book.entries
    assert 2 < left < len(whole) + 4
    again = auditor.answers(a_game("after", 2))
    assert [entry.number for entry in again] == [left + 1, left + 2, left + 3]
    auditor.read_on()


def test_a_server_that_crashes_under_load_loses_nothing_and_holds_its_awards() -> None:
    """A process of the server is killed: it ends all sessions and recovers from its log, and the writer goes on."""
    url, tables = new_floor(), list(TABLES)
    with Writer(open_store(url), STREAM, MAIN, utc_now, most_in_a_commit=16) as writer:
        do(writer, MakeLink, by=MANAGER, second=OTHER_MANAGER, link="main", setup=ONE_METER)
        do(writer, OpenLink, by=MANAGER)
        held = do(writer, StartGame, table=tables[0], lit=SEATS, based=SEATS).number + 1
        cents = do(writer, EnterHand, table=tables[0], seat=2, line=SUITED).facts["held"][0]["cents"]
        for crash in range(2):
            acts = [
                act for game in range(60) for table in tables[1:] for act in a_game(f"c{crash}-{game}-{table}", table)
            ]
            futures = [writer.submit(act) for act in acts]
            futures[100].result(SOON_S)
            kill_a_session(url)
            wait(futures, 2 * SOON_S)
            numbers = [future.result(0).number for future in futures]
            assert numbers == list(range(numbers[0], numbers[0] + len(acts)))
        assert writer.submit(Confirm(id="card", by=EXECUTIVE, award=held)).result(SOON_S).facts["cents"] == cents
    auditor = Auditor(url)
    auditor.read_on()
    assert auditor.link.state.book.entries == numbers[-1] + 1


def a_game(name: str, table: int) -> list[LinkAct]:
    return [
        StartGame(id=f"{name}-s", by=DEALER, table=table, lit=SEATS, based=SEATS),
        EnterHand(id=f"{name}-f", by=DEALER, table=table, seat=5, line=TWO),
        EndGame(id=f"{name}-e", by=DEALER, table=table),
    ]


def kill_a_session(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as db:
        found = db.execute(
            "SELECT pid FROM pg_stat_activity WHERE application_name = 'croupier' AND pid <> pg_backend_pid()"
        ).fetchone()
    assert found is not None
    os.kill(found[0], 9)
