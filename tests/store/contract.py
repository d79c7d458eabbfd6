"""What every store promises; each store's tests inherit it and say how to reach the store."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from threading import Barrier, Event, Thread
from typing import Any

import pytest

from croupier.errors import RecordError
from croupier.floor.aggregate import restore
from croupier.ledger.clock import counted_s
from croupier.ledger.entry import canonical
from croupier.store.lease import Claim, Heartbeat, Lease, Watch
from croupier.store.schema import MIGRATIONS, NEWEST
from croupier.store.store import (
    FORM,
    Conflict,
    LeaseTaken,
    Snapshot,
    Store,
    StoreBusy,
    StoreError,
    StoreLost,
    open_store,
    seal,
)
from tests.floor.till import STREAM, TILL, Till, audited, wagers

HOLD_LEASE = """
import sys
from croupier.store.store import open_store
store = open_store(sys.argv[1])
store.take_lease(sys.argv[2])
print("held", flush=True)
sys.stdin.read()
"""


def fallen_silent(store: Any) -> Lease:
    """Its holder beats no more, as one that hangs."""
    store._heartbeat.stop()
    lease = store.lease(STREAM)
    assert isinstance(lease, Lease)
    return lease


class StoreContract:
    """Inherited by the tests of each store, which give `url` and the three ways around the program."""

    @pytest.fixture
    def url(self) -> str:
        raise NotImplementedError

    @pytest.fixture
    def store(self, url: str) -> Iterator[Store]:
        with open_store(url) as store:
            yield store

    def raw(self, url: str, statement: str) -> None:
        """Run a statement as somebody would who goes around the program; what is refused raises."""
        raise NotImplementedError

    def forge(self, url: str, statement: str) -> None:
        """Run a statement as an intruder would who has taken the guards away."""
        raise NotImplementedError

    def at_schema(self, url: str, schema: int) -> Store:
        """A store as the program of that schema made it."""
        raise NotImplementedError

    def lose_lease(self, store: Any, stream: str) -> None:
        """What happens behind a writer's back: the lease is gone, and the connection goes on."""
        raise NotImplementedError

    # --- entries -----------------------------------------------------------------------------------------

    def test_entries_come_back_as_they_were(self, store: Store) -> None:
        entries = wagers(5)
        store.append(STREAM, entries[:2])
        store.append(STREAM, entries[2:])
        read = list(store.entries(STREAM))
        assert read == entries
        assert [entry.digest for entry in read] == [entry.digest for entry in entries]
        audited(read)

    def test_entries_survive_closing(self, url: str, store: Store) -> None:
        store.append(STREAM, wagers(3))
        store.close()
        with open_store(url) as again:
            assert list(again.entries(STREAM)) == wagers(3)

    def test_texts_of_any_language_come_back(self, store: Store) -> None:
        entry = replace(wagers(1)[0], facts={"text": "Zoë \u0000 🃏 ♠ '\"\\", "big": 2**62}).sealed()
        store.append(STREAM, [entry])
        assert list(store.entries(STREAM)) == [entry]

    def test_reading_after_and_up_to(self, store: Store) -> None:
        store.append(STREAM, wagers(10))
        assert [entry.number for entry in store.entries(STREAM, after=4, limit=3)] == [5, 6, 7]
        assert list(store.entries(STREAM, after=10)) == []
        assert list(store.entries(STREAM, limit=0)) == []

    def test_a_long_book_is_read_in_pieces(self, store: Store) -> None:
        store.append(STREAM, wagers(2_500))
        reading = store.entries(STREAM)
        assert next(reading).number == 1
        more = wagers(1, start=audited(list(store.entries(STREAM))), prefix="later")
        store.append(STREAM, more)  # while somebody reads
        assert sum(1 for _ in reading) == 2_499

    def test_the_last_entry(self, store: Store) -> None:
        assert store.last(STREAM) is None
        store.append(STREAM, wagers(3))
        assert store.last(STREAM) == wagers(3)[2]

    def test_entries_are_found_by_command(self, store: Store) -> None:
        entries = wagers(1_200)
        store.append(STREAM, entries)
        assert store.by_command(STREAM, "w7") == entries[7]
        assert store.by_command(STREAM, "w1200") is None
        assert store.by_command("link:other", "w7") is None
        names = [f"w{number}" for number in range(0, 2_400, 2)]
        assert set(store.by_commands(STREAM, names)) == set(names[:600])

    def test_entries_of_a_day_are_found_by_time(self, store: Store) -> None:
        store.append(STREAM, wagers(120))
        assert store.number_before(STREAM, "2026-11-15T00:00:00Z") == 0
        assert store.number_before(STREAM, "2026-11-15T00:01:00Z") == 60
        assert store.number_before(STREAM, "2026-11-16") == 120

    def test_streams_do_not_mix(self, store: Store) -> None:
        for stream in ("site", STREAM, "link:Zoë"):
            store.append(stream, wagers(2))
        assert store.streams() == sorted([STREAM, "link:Zoë", "site"])
        assert len(list(store.entries("site"))) == 2

    def test_an_empty_store_has_no_streams(self, store: Store) -> None:
        assert store.streams() == []
        store.append(STREAM, [])
        assert store.streams() == []

    # --- what is refused ---------------------------------------------------------------------------------

    def test_a_second_writer_with_a_wrong_number_is_refused(self, url: str, store: Store) -> None:
        first, second, third = wagers(3)
        store.append(STREAM, [first, second])
        with open_store(url) as other:
            for wrong in ([second], [first], [replace(third, number=4).sealed()]):
                with pytest.raises(Conflict, match="does not follow it"):
                    other.append(STREAM, wrong)
        assert len(list(store.entries(STREAM))) == 2

    def test_an_entry_of_another_chain_is_refused(self, store: Store) -> None:
        store.append(STREAM, wagers(2))
        with pytest.raises(Conflict, match="not chained"):
            store.append(STREAM, wagers(3, prefix="other")[2:])

    def test_a_batch_is_entered_whole_or_not_at_all(self, store: Store) -> None:
        entries = wagers(4)
        with pytest.raises(Conflict):
            store.append(STREAM, [*entries[:3], replace(entries[3], before="f" * 64).sealed()])
        assert store.last(STREAM) is None
        store.append(STREAM, entries)

    def test_a_batch_that_the_store_refuses_at_its_last_entry_is_not_there_at_all(self, store: Store) -> None:
        till = Till()
        batch = [*wagers(2, start=till), *wagers(1, start=till)]  # chained, but the last command is known by then
        with pytest.raises(Conflict, match="refused it"):
            store.append(STREAM, batch)
        assert store.last(STREAM) is None

    def test_a_command_is_entered_once(self, store: Store) -> None:
        till = Till()
        first = wagers(1, start=till)
        store.append(STREAM, first)
        with pytest.raises(Conflict, match="refused it"):
            store.append(STREAM, wagers(1, start=till))
        assert list(store.entries(STREAM)) == first

    def test_of_two_writers_at_once_one_is_refused(self, url: str, store: Store) -> None:
        """Without leases, to see that the store itself keeps order."""
        barrier, outcomes = Barrier(2), []

        def write(prefix: str) -> None:
            with open_store(url) as own:
                entries = wagers(20, prefix=prefix)
                barrier.wait()
                try:
                    for entry in entries:
                        own.append(STREAM, [entry])
                    outcomes.append("done")
                except StoreError as error:
                    outcomes.append(type(error).__name__)

        threads = [Thread(target=write, args=(prefix,)) for prefix in "ab"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(outcomes) == ["Conflict", "done"]
        assert len({entry.command[0] for entry in store.entries(STREAM)}) == 1
        audited(list(store.entries(STREAM)))

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE entry SET body = 'x'",
            "UPDATE entry SET at = '1999' WHERE number = 2",
            "DELETE FROM entry",
            "DELETE FROM entry WHERE number = 3",
            "INSERT INTO entry SELECT stream, 9, at, 'new', kind, body, before, digest FROM entry WHERE number = 1",
            "INSERT INTO entry SELECT stream, 4, at, 'new', kind, body, before, digest FROM entry WHERE number = 1",
            "INSERT INTO entry SELECT stream, 4, at, 'w0', kind, body, digest, digest FROM entry WHERE number = 3",
            "INSERT INTO entry SELECT 'new', 2, at, command, kind, body, before, digest FROM entry WHERE number = 2",
            "INSERT INTO entry SELECT 'new', 1, at, command, kind, body, before, digest FROM entry WHERE number = 2",
            "INSERT INTO entry SELECT stream, 0, at, 'new', kind, body, before, digest FROM entry WHERE number = 1",
        ],
    )
    def test_the_store_itself_refuses_what_a_ledger_must_not_do(self, url: str, store: Store, statement: str) -> None:
        store.append(STREAM, wagers(3))
        with pytest.raises(Exception, match=r"entries are not|an entry follows|CHECK|check|duplicate"):
            self.raw(url, statement)
        assert list(store.entries(STREAM)) == wagers(3)

    def test_a_column_that_was_altered_behind_the_store_is_found(self, url: str, store: Store) -> None:
        store.append(STREAM, wagers(3))
        self.forge(url, "UPDATE entry SET command = 'forged' WHERE number = 2")
        with pytest.raises(RecordError, match="Entry 2 of the book was altered"):
            list(store.entries(STREAM))

    def test_a_body_that_was_altered_behind_the_store_is_found(self, url: str, store: Store) -> None:
        store.append(STREAM, wagers(3))
        self.forge(url, "UPDATE entry SET body = replace(body, '840000000', '940000000') WHERE number = 2")
        with pytest.raises(RecordError, match="Entry 2 of the book was altered"):
            audited(list(store.entries(STREAM)))

    # --- snapshots ---------------------------------------------------------------------------------------

    def test_a_snapshot_is_replaced_and_read_back(self, store: Store) -> None:
        entries = wagers(4)
        assert store.load_snapshot(STREAM) is None
        for some in (entries[:2], entries[2:]):
            snapshot = Snapshot(some[-1].number, some[-1].digest, {"rounds": some[-1].number})
            store.append(STREAM, some, snapshot)
            assert store.load_snapshot(STREAM) == snapshot
        store.save_snapshot(STREAM, Snapshot(1, entries[0].digest, {"rounds": 1}))
        assert store.load_snapshot(STREAM) == Snapshot(1, entries[0].digest, {"rounds": 1})

    def test_a_snapshot_is_of_an_entry_that_is_there(self, store: Store) -> None:
        with pytest.raises(Conflict):
            store.save_snapshot(STREAM, Snapshot(1, "0" * 64, {}))

    def test_a_snapshot_that_was_damaged_is_not_taken(self, url: str, store: Store) -> None:
        [entry] = wagers(1)
        store.append(STREAM, [entry], Snapshot(1, entry.digest, {"rounds": 1}))
        self.forge(url, """UPDATE snapshot SET body = '{"rounds":2}'""")
        assert store.load_snapshot(STREAM) is None

    def test_snapshot_and_tail_are_the_whole(self, store: Store) -> None:
        entries = wagers(9)
        store.append(STREAM, entries[:6], Snapshot(6, entries[5].digest, audited(entries[:6]).snapshot()))
        store.append(STREAM, entries[6:])
        assert restore(store, STREAM, TILL) == (audited(entries), 6)

    @pytest.mark.parametrize("state", [{}, {"rounds": 1, "balances": {"purse": 1}}])
    def test_a_snapshot_of_another_form_is_left_aside(self, store: Store, state: dict[str, object]) -> None:
        entries = wagers(3)
        store.append(STREAM, entries, Snapshot(3, entries[2].digest, state))
        assert restore(store, STREAM, TILL) == (audited(entries), 0)

    def test_a_snapshot_of_another_history_is_left_aside(self, store: Store) -> None:
        entries = wagers(3)
        other = audited(wagers(3, prefix="other"))
        store.append(STREAM, entries, Snapshot(3, other.book.digest, other.snapshot()))
        assert restore(store, STREAM, TILL) == (audited(entries), 0)

    def test_a_snapshot_of_another_form_number_or_of_none_is_left_aside(self, url: str, store: Store) -> None:
        entries = wagers(3)
        state = audited(entries).snapshot()
        store.append(STREAM, entries, Snapshot(3, entries[2].digest, state, form=FORM + 1))
        assert store.load_snapshot(STREAM) is None
        assert restore(store, STREAM, TILL) == (audited(entries), 0)
        body = canonical(state).decode()  # as stores had them before snapshots had a number
        values = f"body = '{body}', seal = '{seal(3, entries[2].digest, body)}'"
        self.forge(url, f"UPDATE snapshot SET {values}")
        assert store.load_snapshot(STREAM) is None
        assert restore(store, STREAM, TILL) == (audited(entries), 0)

    def test_a_snapshot_whose_state_is_of_another_entry_is_left_aside(self, store: Store) -> None:
        entries = wagers(3)
        store.append(STREAM, entries, Snapshot(3, entries[2].digest, audited(wagers(2)).snapshot()))
        assert restore(store, STREAM, TILL) == (audited(entries), 0)

    # --- leases ------------------------------------------------------------------------------------------

    def test_one_writer_at_a_time_holds_the_lease(self, url: str, store: Store) -> None:
        store.take_lease(STREAM)
        with open_store(url) as other:
            with pytest.raises(StoreBusy, match="Another process is writing link:main"):
                other.take_lease(STREAM, wait_s=0.1)
            store.release_lease()
            other.take_lease(STREAM)

    def test_leases_of_different_streams_do_not_meet(self, url: str, store: Store) -> None:
        store.take_lease("link:a")
        with open_store(url) as other:
            other.take_lease("link/a")

    def test_a_store_serves_one_writer(self, store: Store) -> None:
        store.take_lease(STREAM)
        with pytest.raises(StoreError, match="serves one writer"):
            store.take_lease("site")

    def test_the_lease_of_a_process_that_was_killed_is_taken_over(self, url: str, store: Store) -> None:
        command = [sys.executable, "-c", HOLD_LEASE, url, STREAM]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
            assert holder.stdout is not None
            assert holder.stdout.readline() == "held\n"
            with pytest.raises(StoreBusy):
                store.take_lease(STREAM)
            holder.kill()
            store.take_lease(STREAM, wait_s=5)

    def test_a_lease_is_given_up_on_reconnecting(self, url: str, store: Store) -> None:
        store.take_lease(STREAM)
        store.reconnect()
        with open_store(url) as other:
            other.take_lease(STREAM, wait_s=5)
        store.take_lease(STREAM, wait_s=5)
        store.settle()
        store.append(STREAM, wagers(1))

    def test_whether_it_is_still_the_one_writer_and_at_the_last_entry_is_confirmed(
        self, url: str, store: Store
    ) -> None:
        with pytest.raises(StoreLost, match="lease of link:main is lost"):
            store.confirm(STREAM)
        store.take_lease(STREAM)
        store.confirm(STREAM, 0)
        store.append(STREAM, wagers(2))
        store.confirm(STREAM)
        store.confirm(STREAM, 2)
        with pytest.raises(StoreLost, match="is at entry 2, and was at 1: somebody else"):
            store.confirm(STREAM, 1)
        store.check_writable()
        store.confirm(STREAM, 2)
        with pytest.raises(StoreLost, match="lease of site is lost"):
            store.confirm("site")

    def test_a_writer_that_has_lost_its_lease_unawares_writes_nothing(self, url: str, store: Store) -> None:
        store.take_lease(STREAM)
        store.append(STREAM, wagers(1))
        self.lose_lease(store, STREAM)
        with pytest.raises(StoreLost, match="lease of link:main is lost"):
            store.confirm(STREAM)
        with pytest.raises(StoreLost, match="lease of link:main is lost"):
            store.append(STREAM, wagers(2)[1:])
        with open_store(url) as other:
            other.take_lease(STREAM)
            other.append(STREAM, wagers(2)[1:])
            with pytest.raises(StoreLost, match="lease of link:main is lost"):
                store.confirm(STREAM, 1)
        assert len(list(store.entries(STREAM))) == 2

    # --- a holder that hangs ---------------------------------------------------------------------------------

    def test_a_lease_says_who_holds_it_and_its_term_rises_with_every_holder(self, url: str, store: Store) -> None:
        assert store.lease(STREAM) is None
        store.take_lease(STREAM, claim=Claim("one"))
        with open_store(url) as other:
            found = other.lease(STREAM)
            assert found is not None
            assert (found.term, found.holder) == (1, "one")
            store.release_lease()
            other.take_lease(STREAM, claim=Claim("two"))
        found = store.lease(STREAM)
        assert found is not None
        assert (found.term, found.holder) == (2, "two")

    def test_a_holder_beats(self, url: str, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(Heartbeat.__init__, "__defaults__", (0.02, counted_s, None))
        store.take_lease(STREAM)
        watch = Watch()
        with open_store(url) as other:
            for _ in range(1_000):
                watch.look(other.lease(STREAM), 0.0)
                if watch.heard:
                    break
                Event().wait(0.01)
        assert watch.heard
        assert store.lease_doubt() == ""

    def test_from_a_holder_that_is_silent_the_lease_is_taken_over_and_it_writes_nothing_more(
        self, url: str, store: Store
    ) -> None:
        store.take_lease(STREAM, claim=Claim("one"))
        store.append(STREAM, wagers(1))
        entries, silent = wagers(4), fallen_silent(store)
        with open_store(url) as other:
            for lives in (replace(silent, holder="somebody else"), replace(silent, term=silent.term - 1)):
                with pytest.raises(StoreBusy, match="Another process is writing"):
                    other.take_lease(STREAM, claim=Claim("two", over={STREAM: lives}))
            with pytest.raises(StoreBusy, match="Another process is writing"):
                other.take_lease(STREAM, claim=Claim("two", over={"link:other": silent}))
            other.take_lease(STREAM, claim=Claim("two", over={STREAM: silent}))
            with pytest.raises(StoreLost):
                store.append(STREAM, entries[1:2])
            with pytest.raises(StoreLost):
                store.confirm(STREAM, 1)
            assert [entry.number for entry in other.entries(STREAM)] == [1]
            other.append(STREAM, entries[1:3])
            other.confirm(STREAM, 3)
            with pytest.raises(StoreLost):
                store.append(STREAM, entries[3:], Snapshot(4, entries[3].digest, {"rounds": 4}))
            store.reconnect()
            with pytest.raises(LeaseTaken, match="Another process has taken over link:main"):
                store.take_lease(STREAM, 0.1, Claim("one", again=True))
            assert len(list(other.entries(STREAM))) == 3
        store.take_lease(STREAM, 5, Claim("one", again=True))
        store.append(STREAM, entries[3:])

    @pytest.mark.parametrize("many", [1, 100])
    def test_the_term_is_asked_for_within_the_commit(self, url: str, store: Store, many: int) -> None:
        """The lock is held as it was, and yet nothing is written: somebody has raised the term."""
        store.take_lease(STREAM)
        store.append(STREAM, wagers(1))
        self.raw(url, "UPDATE lease SET term = term + 1")
        with pytest.raises(LeaseTaken, match="nothing more is written here"):
            store.append(STREAM, wagers(1 + many)[1:])
        with pytest.raises(LeaseTaken):
            store.confirm(STREAM, 1)
        assert len(list(store.entries(STREAM))) == 1

    def test_of_two_who_take_over_at_once_one_does(self, url: str, store: Store) -> None:
        store.take_lease(STREAM, claim=Claim("one"))
        barrier, outcomes, silent = Barrier(2), [], fallen_silent(store)

        def take(name: str) -> None:
            with open_store(url) as own:
                barrier.wait()
                try:
                    own.take_lease(STREAM, claim=Claim(name, over={STREAM: silent}))
                    own.append(STREAM, wagers(1, prefix=name))
                    outcomes.append("done")
                    done.wait(10)
                except StoreError as error:
                    outcomes.append(type(error).__name__)
                    done.set()

        done = Event()
        threads = [Thread(target=take, args=(name,)) for name in ("a", "b")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert "done" in outcomes
        assert outcomes.count("done") == 1
        assert len(list(store.entries(STREAM))) == 1

    # --- guards ---------------------------------------------------------------------------------------------

    def unguard(self, url: str, trigger: str) -> None:
        """Take a trigger away."""
        raise NotImplementedError

    def replace_guard(self, url: str, trigger: str) -> None:
        """Put one in its place that does nothing."""
        raise NotImplementedError

    @pytest.fixture
    def trigger(self) -> str:
        raise NotImplementedError

    @pytest.mark.parametrize("how", ["unguard", "replace_guard"])
    def test_a_store_without_its_guards_is_read_but_not_opened(
        self, url: str, store: Store, trigger: str, how: str
    ) -> None:
        store.append(STREAM, wagers(3))
        store.close()
        getattr(self, how)(url, trigger)
        said = "is missing or switched off" if how == "unguard" else "was changed"
        with pytest.raises(StoreError, match=f"not guarded: its trigger {trigger} {said}"):
            open_store(url)
        with open_store(url, read_only=True) as reading:
            assert list(reading.entries(STREAM)) == wagers(3)
            with pytest.raises(StoreError, match=f"not guarded: its trigger {trigger} {said}"):
                reading.check_guarded()

    # --- reading only ---------------------------------------------------------------------------------------

    @pytest.mark.parametrize("schema", range(1, NEWEST + 1))
    def test_reading_takes_a_store_of_every_schema_as_it_is(self, url: str, schema: int) -> None:
        with self.at_schema(url, schema) as old:
            old.append(STREAM, wagers(3), Snapshot(3, wagers(3)[2].digest, audited(wagers(3)).snapshot()))
        with open_store(url, read_only=True) as reading:
            assert list(reading.entries(STREAM)) == wagers(3)
            assert restore(reading, STREAM, TILL) == (audited(wagers(3)), 3)
            assert (reading.streams(), reading.number_before(STREAM, "2027")) == ([STREAM], 3)
            reading.check_guarded()
            with pytest.raises(StoreError):
                reading.append(STREAM, wagers(4)[3:])
        with self.at_schema(url, schema) as old:
            assert self.schema(old) == schema

    def schema(self, store: Any) -> int:
        return int(store._version())

    def test_reading_makes_no_store(self, url: str) -> None:
        for _ in range(2):
            with pytest.raises(StoreError):
                open_store(url, read_only=True)
        with open_store(url) as store:
            assert store.streams() == []

    def test_a_newer_store_is_not_read(self, url: str, store: Store) -> None:
        store.close()
        self.raw(url, f"INSERT INTO schema_version VALUES ({NEWEST + 1}, 'of tomorrow')")
        with pytest.raises(StoreError, match="of a newer croupier"):
            open_store(url, read_only=True)

    # --- migrations --------------------------------------------------------------------------------------

    def test_migrations_are_numbered_without_gaps(self) -> None:
        assert [step.version for step in MIGRATIONS] == list(range(1, NEWEST + 1))

    @pytest.mark.parametrize("schema", range(1, NEWEST + 1))
    def test_a_store_of_every_schema_is_brought_up_to_date(self, url: str, schema: int) -> None:
        entries = wagers(4)
        with self.at_schema(url, schema) as old:
            old.append(STREAM, entries[:3], Snapshot(3, entries[2].digest, audited(entries[:3]).snapshot()))
        with open_store(url) as store:
            assert list(store.entries(STREAM)) == entries[:3]
            store.append(STREAM, entries[3:])
            assert restore(store, STREAM, TILL) == (audited(entries), 3)
        with pytest.raises(Exception, match=r"exists"):
            self.raw(url, "CREATE INDEX entry_at ON entry (stream)")  # the newest schema has one of that name

    def test_a_store_of_a_newer_program_is_refused(self, url: str, store: Store) -> None:
        store.close()
        self.raw(url, f"INSERT INTO schema_version VALUES ({NEWEST + 1}, 'of tomorrow')")
        with pytest.raises(StoreError, match=f"has schema {NEWEST + 1}, of a newer croupier"):
            open_store(url)

    def test_many_may_open_a_new_store_at_once(self, url: str) -> None:
        errors: list[BaseException] = []

        def open_it() -> None:
            try:
                open_store(url).close()
            except BaseException as error:
                errors.append(error)

        threads = [Thread(target=open_it) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
