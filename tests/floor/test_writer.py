"""The writer: in order, durable before the answer, once only, and truthful when the store fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, wait
from itertools import count
from pathlib import Path
from random import Random
from threading import Event, Thread
from time import sleep
from typing import Any

import pytest

from croupier.errors import Refusal
from croupier.floor.writer import Condition, InDoubt, NotDone, Writer, WriterNo
from croupier.ledger.clock import utc_now
from croupier.ledger.entry import Entry, Purpose
from croupier.store.lease import Claim
from croupier.store.postgres.store import PostgresStore
from croupier.store.sqlite import SqliteStore
from croupier.store.store import Conflict, DiskFailed, Snapshot, StoreBusy, StoreError, StoreFull, StoreLost, open_store
from support.postgres import new_floor
from tests.floor.till import STREAM, TILL, Broken, Hit, Pay, Till, Wagers, audited, wagers
from tests.store.test_postgres import end_sessions, frozen

SOON_S = 60.0


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/floor.db" if request.param == "sqlite" else new_floor()


@pytest.fixture
def writer(url: str) -> Iterator[Writer[Till]]:
    with Writer(open_store(url), STREAM, TILL) as writer:
        yield writer


def stored(url: str) -> list[Entry]:
    with open_store(url) as store:
        return list(store.entries(STREAM))


def outcome(future: Future[Any]) -> Any:
    """The result, or the error."""
    return future.exception(SOON_S) or future.result()


# In order, durable, once


def test_an_act_is_in_the_store_when_it_is_answered(url: str, writer: Writer[Till]) -> None:
    entry = writer.submit(Wagers("a")).result(SOON_S)
    assert stored(url) == [entry]


def test_acts_are_done_in_the_order_in_which_they_come(url: str, writer: Writer[Till]) -> None:
    futures = [writer.submit(Wagers(f"a{number}")) for number in range(1_000)]
    numbers = [future.result(SOON_S).number for future in futures]
    assert numbers == list(range(1, 1_001))
    assert audited(stored(url)) == writer.ask(lambda till: till).result(SOON_S)


def test_what_is_waiting_is_one_commit(tmp_path: Path) -> None:
    store = Faulty(tmp_path / "floor.db")
    with Writer(store, STREAM, TILL, most_in_a_commit=100) as writer:
        store.gate.clear()
        futures = [writer.submit(Wagers(f"a{number}")) for number in range(301)]
        store.gate.set()
        wait(futures, SOON_S)
    assert len(store.commits) <= 5
    assert max(store.commits) == 100
    assert sum(store.commits) == 301


def test_a_refusal_answers_its_own_act_and_changes_nothing(url: str, writer: Writer[Till]) -> None:
    futures = [writer.submit(act) for act in (Wagers("a"), Pay("b"), Wagers("c"))]
    first, refused, third = map(outcome, futures)
    assert isinstance(refused, Refusal)
    assert refused.code == "nothing-held"
    assert stored(url) == [first, third]


def test_a_refused_act_may_be_sent_again_when_it_is_allowed(writer: Writer[Till]) -> None:
    assert isinstance(outcome(writer.submit(Pay("pay"))), Refusal)
    for act in (Wagers("a"), Hit("hit"), Pay("pay")):
        assert isinstance(outcome(writer.submit(act)), Entry)


def test_a_resend_is_answered_with_the_first_entry(url: str, writer: Writer[Till]) -> None:
    first = writer.submit(Wagers("a")).result(SOON_S)
    assert writer.submit(Wagers("a")).result(SOON_S) == first
    assert stored(url) == [first]


def test_a_resend_in_the_same_commit_is_answered_with_the_first_entry(url: str, writer: Writer[Till]) -> None:
    futures = [writer.submit(Wagers(f"a{number % 10}")) for number in range(500)]
    entries = [future.result(SOON_S) for future in futures]
    assert [entry.command for entry in entries] == [f"a{number % 10}" for number in range(500)]
    assert len(stored(url)) == 10


def test_another_act_under_a_known_id_is_refused(url: str, writer: Writer[Till]) -> None:
    first = writer.submit(Wagers("a")).result(SOON_S)
    for act in (Wagers("a", seats=3), Hit("a")):
        refused = outcome(writer.submit(act))
        assert isinstance(refused, Refusal)
        assert refused.code == WriterNo.ID_REUSED
    assert stored(url) == [first]


def test_a_resend_to_the_next_process_is_answered_with_the_first_entry(url: str) -> None:
    with Writer(open_store(url), STREAM, TILL) as writer:
        first = writer.submit(Wagers("a")).result(SOON_S)
    with Writer(open_store(url), STREAM, TILL) as writer:
        assert writer.submit(Wagers("a")).result(SOON_S) == first


def test_an_act_of_long_ago_that_would_be_taken_again_is_answered_with_its_first_entry(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its id is not remembered here, and nothing speaks against it but the store. Those beside it are done."""
    monkeypatch.setattr("croupier.floor.writer.MOST_REMEMBERED", 3)
    with Writer(open_store(url), STREAM, TILL) as writer:
        first = writer.submit(Wagers("old")).result(SOON_S)
        wait([writer.submit(Wagers(f"w{number}")) for number in range(20)], SOON_S)
        futures = [writer.submit(act) for act in (Wagers("n1"), Wagers("old"), Wagers("n2"), Wagers("old", seats=2))]
        assert [outcome(future) for future in futures[:3]][1] == first
        assert isinstance(outcome(futures[3]), Refusal)
        assert writer.submit(Wagers("old")).result(SOON_S) == first
    commands = [entry.command for entry in stored(url)]
    assert commands.count("old") == 1
    assert {"n1", "n2"} <= set(commands)
    audited(stored(url))


@pytest.mark.parametrize("seed", range(3))
def test_duplicates_in_any_order_from_many_clients_are_done_once(url: str, writer: Writer[Till], seed: int) -> None:
    rng = Random(seed)
    answers: list[tuple[str, Entry]] = []

    def client(acts: list[Wagers]) -> None:
        answers.extend((act.id, writer.submit(act).result(SOON_S)) for act in acts)

    acts = [Wagers(f"a{number}", seats=1 + number % 7) for number in range(40)]
    clients = [Thread(target=client, args=(rng.sample(acts, len(acts)),)) for _ in range(6)]
    for thread in clients:
        thread.start()
    for thread in clients:
        thread.join()
    till, entries = audited(stored(url)), {entry.command: entry for entry in stored(url)}
    assert set(entries) == {act.id for act in acts}
    assert len(answers) == 240
    assert all(entries[command] == entry for command, entry in answers)
    assert till.book.balance(Purpose.METER) == sum(act.seats * act.cents * 240_000 for act in acts)


def test_a_cancelled_act_is_not_done(tmp_path: Path) -> None:
    store = Faulty(tmp_path / "floor.db")
    with Writer(store, STREAM, TILL) as writer:
        store.gate.clear()
        first = writer.submit(Wagers("a"))
        sleep(0.05)
        second = writer.submit(Wagers("b"))
        assert second.cancel()
        store.gate.set()
        first.result(SOON_S)
    assert [entry.command for entry in stored(f"sqlite:///{tmp_path}/floor.db")] == ["a"]


def test_a_clock_set_back_does_not_set_the_book_back(url: str) -> None:
    hours = count(12, -1)
    with Writer(open_store(url), STREAM, TILL, lambda: f"2026-11-15T{next(hours):02d}:00:00Z") as writer:
        for number in range(5):
            writer.submit(Wagers(f"a{number}")).result(SOON_S)
    assert {entry.at for entry in stored(url)} == {"2026-11-15T12:00:00Z"}


def test_the_clock_is_utc_to_the_microsecond() -> None:
    assert len(utc_now()) == len("2026-11-15T20:30:00.123456Z")
    assert utc_now().endswith("Z")


# Bugs do not spread


def test_an_act_that_cannot_be_applied_leaves_the_others_alone(url: str, writer: Writer[Till]) -> None:
    futures = [writer.submit(act) for act in (Wagers("a"), Broken("b"), Wagers("c"))]
    first, broken, third = map(outcome, futures)
    assert isinstance(broken, ZeroDivisionError)
    assert stored(url) == [first, third]
    assert writer.ask(lambda till: till.rounds).result(SOON_S) == 2


def test_a_question_that_fails_is_its_own_answer(writer: Writer[Till]) -> None:
    assert isinstance(outcome(writer.ask(lambda till: 1 // till.rounds)), ZeroDivisionError)
    assert writer.ask(lambda till: till.rounds).result(SOON_S) == 0


# Snapshots, opening and closing


def test_snapshots_are_kept_and_opening_reads_only_what_came_after(url: str) -> None:
    with Writer(open_store(url), STREAM, TILL, snapshot_every=10, most_in_a_commit=7) as writer:
        wait([writer.submit(Wagers(f"a{number}")) for number in range(95)], SOON_S)
        state = writer.ask(lambda till: till).result(SOON_S)
    with open_store(url) as store:
        snapshot = store.load_snapshot(STREAM)
        assert snapshot is not None
        assert 80 < snapshot.number <= 95
    with Writer(open_store(url), STREAM, TILL) as writer:
        assert writer.ask(lambda till: till).result(SOON_S) == state == audited(stored(url))


def test_closing_does_what_is_waiting_and_refuses_what_comes_later(url: str) -> None:
    writer = Writer(open_store(url), STREAM, TILL)
    futures = [writer.submit(Wagers(f"a{number}")) for number in range(700)]
    writer.close()
    assert [future.result(0).number for future in futures] == list(range(1, 701))
    assert isinstance(outcome(writer.submit(Wagers("late"))), NotDone)
    assert writer.condition is Condition.STOPPED
    writer.close()


def test_of_two_writers_at_once_the_second_is_refused_until_the_first_ends(url: str) -> None:
    first = Writer(open_store(url), STREAM, TILL)
    with open_store(url) as store, pytest.raises(StoreBusy, match="Another process is writing"):
        Writer(store, STREAM, TILL)
    entry = first.submit(Wagers("a")).result(SOON_S)
    first.close()
    with Writer(open_store(url), STREAM, TILL, wait_s=30) as second:
        assert second.submit(Wagers("a")).result(SOON_S) == entry


def test_an_entry_made_around_the_writer_is_found_and_taken_in(url: str, writer: Writer[Till]) -> None:
    writer.submit(Wagers("a")).result(SOON_S)
    with open_store(url) as store:
        store.append(STREAM, wagers(1, start=audited(stored(url)), prefix="intruder"))
    error = outcome(writer.submit(Wagers("b")))
    assert isinstance(error, NotDone)
    assert writer.submit(Wagers("b")).result(SOON_S).number == 3
    audited(stored(url))


# Another process has taken over


def steal(store: Any) -> None:
    """The lease is lost, and nobody tells the writer: its file is deleted, or its session has let go of it."""
    if isinstance(store, SqliteStore):
        store.lease_path(STREAM).unlink()
    else:
        store._db.execute("SELECT pg_advisory_unlock_all()")


@pytest.mark.parametrize("sent", ["question", "refused", "resend", "new"])
def test_a_writer_whose_lease_was_taken_answers_nothing_from_memory(url: str, sent: str) -> None:
    store = open_store(url)
    writer = Writer(store, STREAM, TILL, patience_s=0.3)
    writer.submit(Wagers("a")).result(SOON_S)
    steal(store)
    with Writer(open_store(url), STREAM, TILL) as other:
        other.submit(Wagers("b")).result(SOON_S)
        asked: Any = {"refused": Pay("pay"), "resend": Wagers("a"), "new": Wagers("c")}.get(sent)
        answer = outcome(writer.submit(asked) if asked else writer.ask(lambda till: till.rounds))
        if sent == "resend":  # which is in the store, whoever writes it
            assert isinstance(answer, Entry)
        else:
            assert isinstance(answer, InDoubt if asked else NotDone)
            assert "lease of link:main is lost" in str(answer)
        assert writer.condition is Condition.STOPPED
        assert other.submit(Wagers("d")).result(SOON_S).number == 3
    writer.close()


def test_a_writer_whose_lease_is_free_again_takes_it_and_goes_on(url: str) -> None:
    store = open_store(url)
    with Writer(store, STREAM, TILL) as writer:
        writer.submit(Wagers("a")).result(SOON_S)
        steal(store)
        with Writer(open_store(url), STREAM, TILL) as other:
            other.submit(Wagers("b")).result(SOON_S)
        assert writer.ask(lambda till: till.rounds).result(SOON_S) == 2
        assert writer.submit(Wagers("c")).result(SOON_S).number == 3


def test_a_question_after_an_entry_made_around_the_writer_is_answered_with_it(url: str, writer: Writer[Till]) -> None:
    writer.submit(Wagers("a")).result(SOON_S)
    with open_store(url) as store:
        store.append(STREAM, wagers(1, start=audited(stored(url)), prefix="intruder"))
    assert writer.ask(lambda till: till.rounds).result(SOON_S) == 2


def first_come(error: Exception) -> Any:
    def refuse(*_: Any) -> None:
        raise error

    return refuse


def test_after_a_conflict_a_writer_without_its_lease_stops(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(url)
    writer = Writer(store, STREAM, TILL, patience_s=0.3)
    with open_store(url) as other:
        steal(store)
        other.take_lease(STREAM)
        monkeypatch.setattr(store, "append", first_come(Conflict("Somebody else was first.")))
        assert isinstance(outcome(writer.submit(Wagers("a"))), InDoubt)
        assert "taken over link:main" in writer.reason
    writer.close()


# The store fails


class Faulty(SqliteStore):
    """A store that fails when it is told to."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.commits: list[int] = []
        self.gate = Event()
        self.gate.set()
        self.before: Exception | None = None
        self.later: Exception | None = None
        """Before the commit after this one."""
        self.after: Exception | None = None
        self.unreachable: Exception | None = None

    def append(self, stream: str, entries: Sequence[Entry], snapshot: Snapshot | None = None) -> None:
        self.gate.wait(SOON_S)
        self._fail("before")
        self.before, self.later = self.later, None
        super().append(stream, entries, snapshot)
        self.commits.append(len(entries))
        self._fail("after")

    def reconnect(self) -> None:
        if self.unreachable:
            self.close()
            raise self.unreachable
        super().reconnect()

    def _fail(self, name: str) -> None:
        error = getattr(self, name)
        setattr(self, name, None)
        if error:
            raise error


@pytest.fixture
def faulty(tmp_path: Path) -> Faulty:
    return Faulty(tmp_path / "floor.db")


@pytest.mark.parametrize("error", [StoreFull("Full."), StoreBusy("Busy."), Conflict("Conflict."), OSError("odd")])
def test_a_commit_that_is_known_to_be_lost_is_said_and_undone(faulty: Faulty, error: Exception) -> None:
    with Writer(faulty, STREAM, TILL) as writer:
        writer.submit(Wagers("a")).result(SOON_S)
        faulty.before = error
        lost = outcome(writer.submit(Wagers("b")))
        assert isinstance(lost, NotDone)
        assert str(error) in str(lost)
        assert writer.ask(lambda till: till.rounds).result(SOON_S) == 1
        assert writer.condition is Condition.WRITING
        assert writer.submit(Wagers("b")).result(SOON_S).number == 2


def test_a_full_disk_is_told_until_something_can_be_written_again(
    faulty: Faulty, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full() -> None:
        raise StoreFull("Full.")

    with Writer(faulty, STREAM, TILL) as writer:
        faulty.before = StoreFull("Full.")
        assert isinstance(outcome(writer.submit(Wagers("a"))), NotDone)
        monkeypatch.setattr(faulty, "settle", full)
        assert writer.ask(lambda till: till.rounds).result(SOON_S) == 0  # questions are answered meanwhile
        assert writer.unwritable == "Full."
        monkeypatch.undo()
        assert writer.ask(lambda till: till.rounds).result(SOON_S) == 0
        assert writer.unwritable == ""
        faulty.before = StoreFull("Full.")
        assert isinstance(outcome(writer.submit(Wagers("a"))), NotDone)
        writer.submit(Wagers("a")).result(SOON_S)
        assert writer.unwritable == ""


@pytest.mark.parametrize("error", [StoreFull("Full."), StoreBusy("Busy."), StoreError("No right to add.")])
def test_a_writer_with_nothing_to_do_finds_out_that_an_act_would_not_be_taken(
    faulty: Faulty, monkeypatch: pytest.MonkeyPatch, error: StoreError
) -> None:
    def refuse() -> None:
        raise error

    with Writer(faulty, STREAM, TILL) as writer:
        monkeypatch.setattr(faulty, "check_writable", refuse)
        assert writer.ask(lambda till: till.rounds).result(SOON_S) == 0
        assert writer.unwritable == "", "nobody has tried"
        assert writer.ask(lambda till: till.rounds, tries=True).result(SOON_S) == 0
        assert (writer.unwritable, writer.condition) == (str(error), Condition.WRITING)
        monkeypatch.undo()
        assert writer.ask(lambda till: till.rounds).result(SOON_S) == 0
        assert writer.unwritable == ""
        assert faulty.commits == []


def test_a_refusal_that_rests_on_a_lost_act_is_not_given(faulty: Faulty) -> None:
    """The second award was refused only because the first had emptied what is held, and the first never came to be."""
    with Writer(faulty, STREAM, TILL) as writer:
        wait([writer.submit(Wagers("a")), writer.submit(Hit("hit"))], SOON_S)
        faulty.gate.clear()
        first = writer.submit(Wagers("b"))
        sleep(0.05)  # the writer is at the gate; the next two will be one commit
        pays = [writer.submit(Pay("c")), writer.submit(Pay("d"))]
        faulty.later = StoreFull("Full.")
        faulty.gate.set()
        assert isinstance(outcome(first), Entry)
        assert [type(outcome(future)) for future in pays] == [NotDone, NotDone]


def test_a_connection_lost_before_the_commit_is_found_again_and_the_act_done_once(faulty: Faulty) -> None:
    with Writer(faulty, STREAM, TILL) as writer:
        faulty.before = StoreLost("Lost.")
        assert writer.submit(Wagers("a")).result(SOON_S).number == 1
    assert faulty.commits == [1]


def test_a_connection_lost_after_the_commit_is_answered_with_what_is_there(faulty: Faulty) -> None:
    with Writer(faulty, STREAM, TILL) as writer:
        faulty.after = StoreLost("Lost.")
        assert writer.submit(Wagers("a")).result(SOON_S).number == 1
        assert writer.submit(Wagers("b")).result(SOON_S).number == 2
    assert faulty.commits == [1, 1]


def test_a_resend_of_what_was_done_is_not_told_that_nothing_was_done(faulty: Faulty) -> None:
    """Whoever was not answered the first time would believe it."""
    writer = Writer(faulty, STREAM, TILL, patience_s=0.2)
    writer.submit(Wagers("a")).result(SOON_S)
    faulty.before, faulty.unreachable = StoreLost("Lost."), StoreLost("Gone.")
    assert isinstance(outcome(writer.submit(Wagers("b"))), InDoubt)
    assert writer.condition is Condition.STOPPED
    assert isinstance(outcome(writer.submit(Wagers("a"))), InDoubt)
    assert isinstance(outcome(writer.submit(Wagers("c"))), NotDone)
    writer.close()


def test_nor_is_one_of_an_act_that_was_found_in_the_store_at_the_end(faulty: Faulty) -> None:
    writer = Writer(faulty, STREAM, TILL, patience_s=0.0)
    other, taken = SqliteStore(faulty.path), faulty.take_lease

    def too_late(stream: str, wait_s: float = 0.0, claim: Claim | None = None) -> None:
        raise StoreBusy("Another process is writing.")

    faulty.after, faulty.take_lease = StoreLost("Lost."), too_late  # type: ignore[method-assign]
    entry = writer.submit(Wagers("a")).result(SOON_S)
    assert entry == other.last(STREAM)
    assert isinstance(outcome(writer.submit(Wagers("a"))), InDoubt)
    writer.close()
    faulty.take_lease = taken  # type: ignore[method-assign]
    other.close()


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_store_that_stays_away_leaves_the_act_in_doubt_and_a_resend_tells(faulty: Faulty, when: str) -> None:
    writer = Writer(faulty, STREAM, TILL, patience_s=0.2)
    setattr(faulty, when, StoreLost("Lost."))
    faulty.unreachable = StoreLost("Gone.")
    assert isinstance(outcome(writer.submit(Wagers("a"))), InDoubt)
    refused = outcome(writer.submit(Wagers("b")))
    assert isinstance(refused, NotDone)
    assert writer.condition is Condition.STOPPED
    assert "Gone." in writer.reason
    writer.close()
    with Writer(SqliteStore(faulty.path), STREAM, TILL) as next_writer:
        assert next_writer.ask(lambda till: till.rounds).result(SOON_S) == (when == "after")
        assert next_writer.submit(Wagers("a")).result(SOON_S).number == 1


def test_a_writer_whose_stream_was_taken_over_stops_and_does_not_guess(faulty: Faulty) -> None:
    writer = Writer(faulty, STREAM, TILL, patience_s=0.5)
    other = SqliteStore(faulty.path)
    reconnect = faulty.reconnect

    def too_late() -> None:
        reconnect()
        if other._lease is None:
            other.take_lease(STREAM)

    faulty.reconnect = too_late  # type: ignore[method-assign]
    faulty.before = StoreLost("Lost.")
    assert isinstance(outcome(writer.submit(Wagers("a"))), InDoubt)
    assert "Another process has taken over link:main" in writer.reason
    writer.close()
    other.close()


def test_closing_ends_a_recovery(faulty: Faulty) -> None:
    writer = Writer(faulty, STREAM, TILL, patience_s=60)
    faulty.before, faulty.unreachable = StoreLost("Lost."), StoreLost("Gone.")
    future = writer.submit(Wagers("a"))
    sleep(0.05)
    writer.close()
    assert isinstance(outcome(future), InDoubt)


def test_a_disk_that_is_full_and_then_is_not(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "floor.db")
    with Writer(store, STREAM, TILL, most_in_a_commit=20) as writer:
        pages = store._db.execute("PRAGMA page_count").fetchone()[0]
        store._db.execute(f"PRAGMA max_page_count = {pages + 20}")
        outcomes = [outcome(future) for future in [writer.submit(Wagers(f"a{number}")) for number in range(300)]]
        assert {type(each) for each in outcomes} == {Entry, NotDone}
        store._db.execute("PRAGMA max_page_count = 1000000")
        again = [writer.submit(Wagers(f"a{number}")) for number in range(300)]
        wait(again, SOON_S)
        done = [each for each in outcomes if isinstance(each, Entry)]
        assert [each for each, after in zip(outcomes, again, strict=True) if after.result() in done] == done
    assert len(stored(f"sqlite:///{tmp_path}/floor.db")) == 300


def test_a_disk_that_fails_stops_the_writer_and_leaves_its_acts_in_doubt(faulty: Faulty) -> None:
    writer = Writer(faulty, STREAM, TILL)
    writer.submit(Wagers("a")).result(SOON_S)
    faulty.after = DiskFailed("The disk failed.")
    faulty.gate.clear()
    first = writer.submit(Wagers("b"))
    sleep(0.05)
    second = writer.submit(Wagers("c"))
    faulty.gate.set()
    assert isinstance(outcome(second), NotDone)
    assert isinstance(outcome(first), InDoubt)
    assert (writer.condition, writer.reason) == (Condition.STOPPED, "The disk failed.")
    assert faulty.commits == [1, 1]
    writer.close()


def test_an_act_that_was_in_doubt_is_so_when_it_is_sent_again_to_a_writer_that_has_stopped(faulty: Faulty) -> None:
    writer = Writer(faulty, STREAM, TILL, patience_s=0.1)
    faulty.after, faulty.unreachable = StoreLost("Lost."), StoreLost("Gone.")
    for _ in range(2):
        assert isinstance(outcome(writer.submit(Wagers("a"))), InDoubt)
    assert isinstance(outcome(writer.submit(Wagers("b"))), NotDone)
    writer.close()


@pytest.mark.postgres
@pytest.mark.parametrize("wakes", [True, False])
def test_a_session_of_the_server_that_freezes_in_a_commit_is_waited_for_and_the_answer_is_true(wakes: bool) -> None:
    """Asleep for good, or until the next session asks for the lease; the frozen one may have committed, or not."""
    url = new_floor()
    store = PostgresStore(url, answer_s=1.0)
    writer = Writer(store, STREAM, TILL, patience_s=20 if wakes else 0.5)
    writer.submit(Wagers("a")).result(SOON_S)
    with frozen(store):
        future = writer.submit(Wagers("b"))
        if wakes:
            while writer.condition is not Condition.RECOVERING:
                sleep(0.01)
        else:
            assert isinstance(outcome(future), InDoubt)
            assert writer.condition is Condition.STOPPED
    if wakes:
        assert outcome(future).number == 2
    writer.close()
    with Writer(open_store(url), STREAM, TILL, wait_s=30) as again:
        assert again.submit(Wagers("b")).result(SOON_S).number == 2
    assert len(stored(url)) == 2


@pytest.mark.postgres
@pytest.mark.parametrize("seed", range(3))
def test_sessions_ended_by_the_server_under_load_lose_and_repeat_nothing(seed: int) -> None:
    url, rng, ending = new_floor(), Random(seed), Event()
    interrupted: list[int] = []
    futures: list[Future[Entry]] = []

    def interrupt() -> None:
        while not ending.wait(rng.uniform(0.0, 0.1)):
            interrupted.append(end_sessions(url))

    with Writer(open_store(url), STREAM, TILL, most_in_a_commit=20) as writer:
        interruptions = Thread(target=interrupt)
        interruptions.start()
        while sum(interrupted) < 5:
            futures += [writer.submit(Wagers(f"a{len(futures) + number}")) for number in range(100)]
            wait(futures, 60)
        ending.set()
        interruptions.join()
        assert writer.ask(lambda till: till.rounds).result(SOON_S) > 0
        assert writer.condition is Condition.WRITING
    entries = {entry.command: entry for entry in stored(url)}
    audited(list(entries.values()))
    check_answers(futures, entries)


def check_answers(futures: Sequence[Future[Entry]], entries: dict[str, Entry]) -> None:
    """Answered with an entry: it is there. Told that it was not done: it is not there."""
    for number, future in enumerate(futures):
        error: BaseException | None = future.exception(0)
        if error is None:
            assert entries[f"a{number}"] == future.result()
        elif isinstance(error, NotDone):
            assert f"a{number}" not in entries
        else:
            assert isinstance(error, InDoubt)


class Unsteady(SqliteStore):
    """Fails now and then, before a commit or after it."""

    def __init__(self, path: Path, rng: Random) -> None:
        super().__init__(path)
        self._rng = rng

    def append(self, stream: str, entries: Sequence[Entry], snapshot: Snapshot | None = None) -> None:
        chance = self._rng.random()
        if chance < 0.15:
            raise self._rng.choice([StoreFull("Full."), StoreLost("Lost."), Conflict("Conflict."), OSError("odd")])
        super().append(stream, entries, snapshot)
        if chance < 0.25:
            raise StoreLost("Lost after the commit.")


@pytest.mark.parametrize("seed", range(4))
def test_a_store_that_fails_at_random_makes_no_answer_untrue(tmp_path: Path, seed: int) -> None:
    rng = Random(seed)
    path = tmp_path / "floor.db"
    with Writer(Unsteady(path, rng), STREAM, TILL, most_in_a_commit=5, snapshot_every=7) as writer:
        sent: list[tuple[Wagers | Hit | Pay, Future[Entry]]] = []
        for number in range(400):
            kinds = (
                Wagers(f"w{number}"),
                Wagers(f"w{rng.randrange(number + 1)}"),
                Hit(f"h{number}"),
                Pay(f"p{number}"),
            )
            act = rng.choices(kinds, (6, 2, 1, 1))[0]
            sent.append((act, writer.submit(act)))
            if rng.random() < 0.05:
                sleep(0.002)
        answers = [(act, outcome(future)) for act, future in sent]
    entries = stored(f"sqlite:///{path}")
    audited(entries)
    by_id = {entry.command: entry for entry in entries}
    done = [(act, answer) for act, answer in answers if isinstance(answer, Entry)]
    assert len(done) > 100
    assert all(by_id[act.id] == answer for act, answer in done)
    assert set(by_id) == {act.id for act, _ in done}, "what is in the book was answered at least once"
    assert {type(answer) for _, answer in answers} <= {Entry, NotDone, Refusal}
    assert not any(isinstance(answer, InDoubt) for _, answer in answers)
