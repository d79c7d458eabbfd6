"""Backup and restore: one moment of all books, taken under load, proved before it is used; damage is named."""

from __future__ import annotations

import gzip
import json
import os
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from croupier.audit.backup import backup, restore
from croupier.audit.export import open_existing
from croupier.audit.verify import verify
from croupier.cli.app import app
from croupier.compliance.authority import Role, SiteKey
from croupier.demo.room import DEALERS, LINK, demo_settings, prepare
from croupier.errors import RecordError
from croupier.floor.floor import Floor
from croupier.floor.forms import Signed
from croupier.floor.link import acts
from croupier.floor.people import Person
from croupier.floor.site import acts as site_acts
from croupier.store.store import StoreError, open_store
from croupier.web.identity.sessions import Access
from croupier.web.identity.store import AccessStore, utc
from croupier.web.settings import Settings, session_key, site_key
from support.postgres import new_floor
from tests.cli.support import refused, run
from tests.web.support import access_store, fast_pins, wait_until

STORES = ["sqlite", "postgresql"]


def place(kind: str, folder: Path, name: str) -> str:
    return f"sqlite:///{folder}/{name}.db" if kind == "sqlite" else new_floor()


@pytest.fixture
def room(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, SiteKey]:
    """A demo's room, in a store of the wanted kind."""
    fast_pins()
    settings = Settings(db=place(request.param, tmp_path, "room"), key_file=tmp_path / "room.key")
    prepare(demo_settings(settings))
    return settings.db, site_key(tmp_path / "room.key")


class Busy:
    """Three dealers and somebody in the office, all at once, as fast as it goes."""

    def __init__(self, floor: Floor) -> None:
        self.floor, self.stop, self.done = floor, threading.Event(), dict.fromkeys(DEALERS, 0)
        self.notes = 0
        self._threads = [threading.Thread(target=self._deal, args=(table,)) for table in DEALERS]
        self._threads.append(threading.Thread(target=self._office))

    def _deal(self, table: int) -> None:
        dealer = Signed(DEALERS[table], Role.DEALER)
        for number in count():
            if self.stop.is_set():
                return
            start = acts.StartGame(id=f"s{table}-{number}", by=dealer, table=table, lit=(1, 2, 3), based=(1, 2, 3))
            self.floor.do(start, LINK)
            self.floor.do(acts.EndGame(id=f"e{table}-{number}", by=dealer, table=table), LINK)
            self.done[table] += 1

    def _office(self) -> None:
        while not self.stop.wait(0.01):
            self.notes += 1
            self.floor.do_site(site_acts.NotePin(id=f"n{self.notes}", by="max", person="max"))


@contextmanager
def busy(db: str, key: SiteKey) -> Iterator[Busy]:
    with Floor(lambda: open_store(db), key, bank_every_s=0) as floor:
        made = Busy(floor)
        for thread in made._threads:
            thread.start()
        try:
            yield made
        finally:
            made.stop.set()
            for thread in made._threads:
                thread.join(20)


def digests(db: str) -> dict[str, tuple[int, str]]:
    with open_existing(db) as store:
        return {name: (last.number, last.digest) for name in store.streams() if (last := store.last(name))}


@pytest.mark.parametrize("room", STORES, indirect=True)
@pytest.mark.parametrize("target", STORES)
def test_a_backup_under_load_is_one_moment_and_restores_to_a_proved_ledger_anywhere(
    room: tuple[str, SiteKey], target: str, tmp_path: Path
) -> None:
    db, key = room
    file = tmp_path / "backup.jsonl.gz"
    with busy(db, key) as people:
        wait_until(lambda: min(people.done.values()) >= 5 and people.notes >= 5)
        with open_existing(db) as store:
            before = store.ends()
            endings = {ending.stream: ending for ending in backup(store, file)}
            after = store.ends()
        wait_until(lambda: sum(people.done.values()) > 30)
    assert set(endings) == {"site", "link:main"}
    assert all(before[name] <= ending.entries <= after[name] for name, ending in endings.items())
    assert verify(file).right
    other = place(target, tmp_path, "other")
    report = restore(file, other, secret=key.secret)
    assert [proof.difference for book in report.books for proof in book.proofs] == [0, 0, 0]
    assert digests(other) == {name: (ending.entries, ending.digest) for name, ending in endings.items()}
    with open_existing(other) as store:
        kept = store.load_snapshot("link:main")
        assert kept is not None
        assert kept.made_with(key.secret, "link:main"), "its server believes it, and need not read the book through"
    with Floor(lambda: open_store(other), key, bank_every_s=0) as floor:  # and it is served: the next game follows
        if floor.links[LINK].tables[1].on:
            floor.do(acts.EndGame(id="after-1", by=Signed("ann", Role.DEALER), table=1), LINK)
        seats = (1, 2)
        entry = floor.do(
            acts.StartGame(id="after-2", by=Signed("ann", Role.DEALER), table=1, lit=seats, based=seats), LINK
        )
        assert entry.number > endings["link:main"].entries
    with open_existing(other) as store:
        assert store.load_snapshot("link:main") is not None, "a long book opens at once"


def test_all_books_end_at_one_moment(tmp_path: Path) -> None:
    """Two books written in turn: whatever the moment, one is never more than one entry ahead of the other."""
    fast_pins()
    settings = Settings(db=f"sqlite:///{tmp_path}/room.db")
    prepare(demo_settings(settings))
    with Floor(lambda: open_store(settings.db), site_key(settings.key_path()), bank_every_s=0) as floor:
        stop, turns = threading.Event(), [0]

        def in_turn() -> None:
            dealer = Signed("ann", Role.DEALER)
            while not stop.is_set():
                turns[0] += 1
                floor.do_site(site_acts.NotePin(id=f"n{turns[0]}", by="max", person="max"))
                if turns[0] % 2:
                    floor.do(acts.StartGame(id=f"l{turns[0]}", by=dealer, table=1, lit=(1,), based=(1,)), LINK)
                else:
                    floor.do(acts.EndGame(id=f"l{turns[0]}", by=dealer, table=1), LINK)

        ends = floor.reading.ends()
        lead = ends["site"] - ends["link:main"]
        writing = threading.Thread(target=in_turn)
        writing.start()
        seen = set()
        with open_existing(settings.db) as store:
            while turns[0] < 60:
                now = store.ends()
                seen.add(now["site"] - now["link:main"] - lead)
        stop.set()
        writing.join(20)
    assert seen <= {0, 1}
    assert seen


# Refusing


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A backup of a room in which some games were played."""
    fast_pins()
    settings = Settings(db=f"sqlite:///{tmp_path}/room.db")
    prepare(demo_settings(settings))
    dealer = Signed("ann", Role.DEALER)
    with Floor(lambda: open_store(settings.db), site_key(settings.key_path()), bank_every_s=0) as floor:
        for number in range(10):
            floor.do(acts.StartGame(id=f"s{number}", by=dealer, table=1, lit=(1, 2), based=(1, 2)), LINK)
            floor.do(acts.EndGame(id=f"e{number}", by=dealer, table=1), LINK)
    with open_existing(settings.db) as store:
        backup(store, tmp_path / "backup.jsonl")
    return tmp_path / "backup.jsonl"


def rows_of(lines: list[str], stream: str) -> int:
    return next(number for number, line in enumerate(lines) if line.startswith(f'{{"stream":"{stream}"')) + 1


def test_damage_is_refused_by_its_row_and_nothing_is_restored(made: Path, tmp_path: Path) -> None:
    lines = made.read_text(encoding="ascii").splitlines(keepends=True)
    first = rows_of(lines, "link:main")
    ninth = first + 8
    for damaged, said in (
        ([*lines[:ninth], lines[ninth].replace('"table":1', '"table":2'), *lines[ninth + 1 :]], "link:main, row 9"),
        ([*lines[:ninth], *lines[ninth + 1 :]], "link:main, row 9"),
        (lines[:-2], "cut short"),
        ([*lines[: first - 3], *lines[first - 2 :]], "site"),
    ):
        broken = tmp_path / "broken.jsonl"
        broken.write_text("".join(damaged), encoding="ascii")
        target = tmp_path / "target.db"
        with pytest.raises(RecordError) as error:
            restore(broken, f"sqlite:///{target}")
        assert said in str(error.value)
        assert "nothing was restored" in str(error.value)
        assert not target.exists()


def test_a_packed_backup_that_was_cut_off_is_refused(made: Path, tmp_path: Path) -> None:
    packed = gzip.compress(made.read_bytes())
    broken = tmp_path / "broken.jsonl.gz"
    broken.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(RecordError, match="cut short"):
        restore(broken, f"sqlite:///{tmp_path}/target.db")


def test_a_failure_on_the_way_leaves_nothing(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{tmp_path}/target.db"
    with monkeypatch.context() as patch:
        patch.setattr("croupier.store.sqlite.SqliteStore.save_snapshot", _full)
        with pytest.raises(StoreError, match="no room"):
            restore(made, url)
    with open_store(url) as store:
        assert store.streams() == []
    restore(made, url)
    assert digests(url) == digests(f"sqlite:///{tmp_path}/room.db")


def _full(*_: object) -> None:
    raise StoreError("There is no room.")


def test_a_backup_goes_only_where_nothing_is_and_nobody_serves(made: Path, tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/target.db"
    with Floor(lambda: open_store(url), SiteKey(bytes(32)), bank_every_s=0):
        assert "stop it first" in refused("restore", str(made), "--db", url)
    run("restore", str(made), "--db", url)
    assert "goes only where nothing is" in refused("restore", str(made), "--db", url)
    assert "There is no store" in refused("backup", str(tmp_path / "b.jsonl"), "--db", f"sqlite:///{tmp_path}/none.db")
    open_store(f"sqlite:///{tmp_path}/empty.db").close()
    assert "no books yet" in refused("backup", str(tmp_path / "b.jsonl"), "--db", f"sqlite:///{tmp_path}/empty.db")
    assert not (tmp_path / "b.jsonl").exists()


def test_pins_are_in_a_backup_only_where_it_is_asked_for_and_for_its_owner_alone(made: Path, tmp_path: Path) -> None:
    db = f"sqlite:///{tmp_path}/room.db"
    pins, target, key = tmp_path / "pins.json", tmp_path / "target.db", str(tmp_path / "room.db.key")
    sealing = tmp_path / "room.db.session-key"  # the demo's lies with its other keys: nothing of it is secret
    with closing(AccessStore(db, site_key(Path(key)), session_key(sealing))) as store:
        kept = store.pin("sue")
        assert kept is not None
        store.set_pin("sue", kept.hash, utc(), given=True)
    told = run("backup", str(tmp_path / "b.jsonl"), "--db", db, "--pins", str(pins))
    assert "site's key is not in it" in told
    assert "$argon2" not in (tmp_path / "b.jsonl").read_text(encoding="ascii")
    assert pins.stat().st_mode & 0o777 == 0o600
    restoring = ["restore", str(tmp_path / "b.jsonl"), "--db", f"sqlite:///{target}", "--pins", str(pins)]
    assert "name it with --key-file" in refused(*restoring)
    assert not target.exists()
    assert "8 PINs were put back" in run(*restoring, "--key-file", key)
    with closing(AccessStore(f"sqlite:///{target}", site_key(Path(key)), session_key(sealing))) as there:
        assert {pin.person: pin.hash for pin in there.all_pins()} == json.loads(pins.read_text())["pins"]
        assert [pin.person for pin in there.all_pins() if pin.given] == ["sue"]
    pins.write_text('{"format": "croupier-pins", "pins": {"max": "482913"}}')
    assert "no backup of PINs" in refused(
        "restore", str(made), "--db", f"sqlite:///{tmp_path}/x.db", "--pins", str(pins)
    )


def test_every_file_that_is_made_from_books_is_read_by_its_owner_alone(made: Path, tmp_path: Path) -> None:
    """Whatever the umask says: rehearse, backup, restore and pin; and what lies there open, serve closes."""
    folder = tmp_path / "kept"
    folder.mkdir()
    url, before = f"sqlite:///{folder}/target.db", os.umask(0o022)
    try:
        run("floor", "rehearse", "--db", f"sqlite:///{folder}/month.db", "--rounds", "20", "--days", "1")
        run("backup", str(folder / "month.jsonl.gz"), "--db", f"sqlite:///{folder}/month.db")
        room = f"sqlite:///{tmp_path}/room.db"
        run("backup", str(folder / "b.jsonl.gz"), "--db", room, "--pins", str(folder / "pins"))
        run("restore", str(made), "--db", url)
        assert (
            typed("918273\n918273\n", "pin", "max", "--db", url, "--key-file", str(tmp_path / "room.db.key")).exit_code
            == 0
        )
    finally:
        os.umask(before)
    files = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    assert {
        "month.db",
        "month.jsonl.gz",
        "b.jsonl.gz",
        "pins",
        "target.db",
        "target.db.access",
        "target.db.marks",
    } <= set(files)
    assert set(files.values()) == {0o600}, files


def test_a_manager_gets_a_pin_at_the_servers_machine_and_it_is_on_record(made: Path, tmp_path: Path) -> None:
    url, key = f"sqlite:///{tmp_path}/target.db", str(tmp_path / "room.db.key")
    assert "Nobody has a PIN" in run("restore", str(made), "--db", url)
    settings = ["--db", url, "--key-file", key]
    assert typed("918273\n918273\n", "pin", "max", *settings).exit_code == 0
    store = access_store(url, site_key(Path(key)))
    access = Access(store, site_key(Path(key)), lambda _: _person(url, "max"), lambda name: _person(url, name))
    access.check_own_pin("max", "918273")
    assert store.is_given("max"), "it was typed at the machine: the manager chooses another"
    store.close()
    with open_existing(url) as books:
        last = books.last("site")
    assert last is not None
    assert (last.kind, last.facts["person"], last.facts["where"]) == ("note-pin", "max", "the server's machine")
    for words, said in ((("sue", *settings), "no manager"), (("max", "--db", url), "name the site's with --key-file")):
        assert said in str(typed("918273\n918273\n", "pin", *words).exception)
    assert "first that anybody would try" in str(typed("123456\n123456\n", "pin", "max", *settings).exception)
    with Floor(lambda: open_store(url), site_key(Path(key)), bank_every_s=0):
        assert "stop it first" in str(typed("918273\n918273\n", "pin", "max", *settings).exception)


def test_where_the_session_key_is_lost_a_manager_begins_with_a_new_one(made: Path, tmp_path: Path) -> None:
    url, key, pin = f"sqlite:///{tmp_path}/target.db", str(tmp_path / "room.db.key"), "918273\n918273\n"
    run("restore", str(made), "--db", url)
    settings = ["pin", "max", "--db", url, "--key-file", key]
    assert typed(pin, *settings).exit_code == 0
    entries = count_of(url)
    lost = [*settings, "--session-key", str(tmp_path / "apart" / "new")]
    assert "Where it is lost, croupier pin NAME" in str(typed(pin, *lost).exception)
    assert count_of(url) == entries, "nothing was noted"
    assert typed(pin, *lost, "--new-session-key").exit_code == 0
    with closing(AccessStore(url, site_key(Path(key)), session_key(tmp_path / "apart" / "new"))) as store:
        assert [(each.person, each.given) for each in store.all_pins()] == [("max", True)]
    assert "is another one than" in str(typed(pin, *settings).exception)


def count_of(url: str) -> int:
    with open_existing(url) as books:
        last = books.last("site")
    assert last is not None
    return last.number


def typed(text: str, *words: str) -> Result:
    return CliRunner().invoke(app, words, input=text)


def _person(url: str, name: str) -> Person:
    with Floor(lambda: open_store(url), SiteKey(bytes(32)), bank_every_s=0) as floor:
        return floor.site.people.active(name)


def test_a_backup_that_is_not_there_makes_no_store(tmp_path: Path) -> None:
    assert "There is no file" in refused("restore", str(tmp_path / "none.jsonl"), "--db", f"sqlite:///{tmp_path}/x.db")
    assert not list(tmp_path.iterdir())
