"""Ids and the store: what was sent long ago is known, whatever process it was, and whatever was done to the session."""

from __future__ import annotations

from concurrent.futures import wait

import psycopg
import pytest

from croupier.errors import Refusal
from croupier.floor import writer as keeping
from croupier.floor.writer import Writer, WriterNo
from croupier.store.postgres.store import PostgresStore
from croupier.store.store import StoreLost, open_store
from support.postgres import new_floor, server_url
from tests.floor import test_writer
from tests.floor.test_writer import SOON_S, outcome, stored
from tests.floor.till import STREAM, TILL, Hit, Pay, Wagers, audited, wagers

url = test_writer.url


def test_an_act_of_an_earlier_process_that_would_be_refused_now_is_answered_with_its_first_entry(url: str) -> None:
    acts: list[Wagers | Hit | Pay] = [Wagers("a"), Hit("hit"), Pay("pay")]
    with Writer(open_store(url), STREAM, TILL, snapshot_every=len(acts)) as writer:
        *_, paid = [writer.submit(act).result(SOON_S) for act in acts]
    with Writer(open_store(url), STREAM, TILL) as writer:
        assert not writer._latest, "all is in the snapshot: the store alone knows the ids"
        other, again = outcome(writer.submit(Pay("other"))), outcome(writer.submit(Pay("pay")))
        wrong = outcome(writer.submit(Pay("hit")))
    assert again == paid
    assert isinstance(other, Refusal)
    assert other.code == "nothing-held"
    assert isinstance(wrong, Refusal)
    assert wrong.code == WriterNo.ID_REUSED
    assert len(stored(url)) == len(acts)


def test_a_writer_remembers_the_latest_ids_and_no_more(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    most = 5
    monkeypatch.setattr(keeping, "MOST_REMEMBERED", most)
    with Writer(open_store(url), STREAM, TILL) as writer:
        wait([writer.submit(Wagers(f"w{number}")) for number in range(20)], SOON_S)
        assert list(writer._latest) == [f"w{number}" for number in range(15, 20)]
        first = writer.submit(Wagers("w0")).result(SOON_S)
        assert len(writer._latest) <= most
    with Writer(open_store(url), STREAM, TILL) as writer:
        assert list(writer._latest) == [f"w{number}" for number in range(15, 20)]
    assert first == stored(url)[0]


# PostgreSQL


@pytest.mark.postgres
def test_a_commit_is_on_disk_though_its_session_was_told_not_to_wait_for_that() -> None:
    """Something else that the server notes for itself may come between once, and not mostly."""
    looks = "SELECT pg_current_wal_insert_lsn() <= pg_current_wal_flush_lsn()"
    entries, on_disk = wagers(5), 0
    place = new_floor()
    with PostgresStore(place) as store, psycopg.connect(place, autocommit=True) as other:
        store.take_lease(STREAM)
        store._db.execute("SET synchronous_commit = off")
        other.execute(looks)
        for entry in entries:
            store.append(STREAM, [entry])
            found = other.execute(looks).fetchone()
            on_disk += bool(found and found[0])
    assert on_disk >= 3


@pytest.mark.postgres
def test_a_database_in_another_encoding_keeps_what_was_sent() -> None:
    with psycopg.connect(server_url(), autocommit=True) as db:
        db.execute("CREATE DATABASE latin ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
    place = server_url().replace("/postgres?", "/latin?")
    assert place != server_url()
    with Writer(PostgresStore(place), STREAM, TILL) as writer:
        first = writer.submit(Wagers("café")).result(SOON_S)
    assert stored(place) == [first]
    with Writer(PostgresStore(place), STREAM, TILL) as writer:
        assert writer.submit(Wagers("café")).result(SOON_S) == first


@pytest.mark.postgres
def test_a_session_that_has_forgotten_its_statements_is_lost_and_the_writer_takes_another() -> None:
    place, entries = new_floor(), wagers(2)
    with PostgresStore(place) as store:
        store.append(STREAM, entries[:1])
        store._db.execute("DEALLOCATE ALL")
        with pytest.raises(StoreLost, match="not as it was left"):
            store.append(STREAM, entries[1:])
        store.reconnect()
        store.append(STREAM, entries[1:])
    store = PostgresStore(place)
    with Writer(store, STREAM, TILL) as writer:
        writer.submit(Wagers("a")).result(SOON_S)
        store._db.execute("DEALLOCATE ALL")
        assert [writer.submit(Wagers(id_)).result(SOON_S).number for id_ in ("b", "c")] == [4, 5]
    audited(stored(place))
