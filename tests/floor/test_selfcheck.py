"""The self-check: a book in the store that is not what the writer works with keeps the link closed, on both stores."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import psycopg
import pytest

from croupier.errors import RecordError
from croupier.floor import writer
from croupier.floor.floor import LINK, Floor
from croupier.floor.link import acts
from croupier.floor.link.setup import LinkSetup
from croupier.floor.link.state import LinkState, Status, TableCycle
from croupier.floor.refusals import No
from croupier.floor.selfcheck import BookCheck, held_of
from croupier.floor.writer import NotDone
from croupier.ledger.entry import SITE
from croupier.store.store import FORM, Row, Snapshot, Store, StoreError, StoreLost, open_store
from support.room import COLOR, DEALER, EXECUTIVE, MANAGER, SUPERVISOR, Room
from tests.audit.books import MAIN, Kept, busy_floor
from tests.floor.test_floor import house, playing, refused

__all__ = ["house", "playing"]  # fixtures

# Every sum of a book


def test_a_whole_book_adds_up_to_its_link() -> None:
    floor, checked = busy_floor(), BookCheck(MAIN)
    checked.read_on(Kept(link_main=floor.entries))
    checked.compare(held_of(floor.link.book, floor.link.state))
    state = floor.link.state
    summed = checked.summed()
    assert (summed.sums, summed.contributed, summed.paid) == (state.sums, state.contributed, state.paid)
    assert {account: units for account, units in summed.book.balances.items() if units} == {
        account: units for account, units in state.book.balances.items() if units
    }


def test_a_book_is_read_on_where_it_was_left() -> None:
    floor, checked = busy_floor(), BookCheck(MAIN)
    for end in (3, 3, 20, len(floor.entries)):
        checked.read_on(Kept(link_main=floor.entries[:end]))
        assert (checked.book.entries, checked.book.digest) == (end, floor.entries[end - 1].digest)
    checked.compare(held_of(floor.link.book, floor.link.state))


def test_a_writer_that_goes_on_while_its_book_is_read_is_followed() -> None:
    floor, checked = busy_floor(), BookCheck(MAIN)
    kept = Kept(link_main=floor.entries[:3])

    def writing() -> Any:
        kept.books[MAIN] = [Row.of(entry) for entry in floor.entries]
        return held_of(floor.link.book, floor.link.state)

    checked.check(kept, writing)
    assert checked.book.entries == len(floor.entries)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda row: row._replace(body=row.body.replace('"round":1', '"round":2')), "digest is not that"),
        (lambda row: row._replace(command="forged"), "columns are not those"),
        (lambda row: row._replace(kind="end"), "columns are not those"),
        (lambda row: row._replace(at="2026-11-15T19:00:00Z"), "columns are not those"),
        (lambda row: row._replace(number=4), "columns are not those"),
        (lambda row: row._replace(before="0" * 64), "does not follow"),
        (lambda row: row._replace(body="[]", digest=sha("[]")), "cannot be read"),
    ],
)
def test_a_row_that_was_altered_is_named(change: Callable[[Row], Row], words: str) -> None:
    kept = Kept(link_main=busy_floor().entries)
    kept.books[MAIN][2] = change(kept.books[MAIN][2])
    with pytest.raises(RecordError, match=f"Entry 3 of link:main is missing or was altered: .*{words}"):
        BookCheck(MAIN).read_on(kept)


def sha(text: str) -> str:
    from hashlib import sha256

    return sha256(text.encode()).hexdigest()


def test_what_differs_is_named() -> None:
    floor, checked = busy_floor(), BookCheck(MAIN)
    checked.read_on(Kept(link_main=floor.entries))
    state = floor.link.state

    def said() -> str:
        with pytest.raises(RecordError) as error:
            checked.compare(held_of(state.book, state))
        return str(error.value)

    state.paid += 1
    assert "all that was won" in said()
    state.contributed += 1
    assert "all contributions" in said()
    flow = next(iter(state.sums[""]))
    state.sums[""][flow] += 1
    assert f"{flow} is " in said()
    account = next(iter(state.book.balances))
    state.book.balances[account] += 1
    assert f"{account} is " in said()
    state.book.digest = "f" * 64
    assert "(ffffffffffff) in memory" in said()


# Forged snapshots


def forged(url: str, stream: str, change: Callable[[dict[str, Any]], None], secret: bytes = b"not the site's") -> None:
    """Put another snapshot there, sealed as ours are, and made with a secret."""
    with open_store(url) as store:
        last = store.last(stream)
        assert last is not None
        snapshot = store.load_snapshot(stream)
        assert snapshot is not None
        state = json.loads(json.dumps(snapshot.state))
        change(state)
        store.save_snapshot(stream, Snapshot(last.number, last.digest, state).authenticated(secret, stream))


def snapshot_now(house: Room) -> None:
    """As the writers would after some thousand entries more."""
    floor = house.floor
    states = {LINK + "main": floor.ask("main", lambda link: link.snapshot()), SITE: floor.site.snapshot()}
    floor.close()
    with open_store(house.url) as store:
        for stream, state in states.items():
            last = store.last(stream)
            assert last is not None
            made = Snapshot(last.number, last.digest, state, FORM)
            store.save_snapshot(stream, made.authenticated(house.key.secret, stream))


def add_to_meter(state: dict[str, Any]) -> None:
    """A meter with a dollar more, for which everything that the link itself adds up is put right too."""
    state["book"]["balances"]["meter"] += 100_000_000
    state["book"]["balances"]["house"] -= 100_000_000
    state["sums"][""]["seed"] += 100_000_000


def more_won(state: dict[str, Any]) -> None:
    state["paid"] -= 100_000_000


def more_in_the_bank(state: dict[str, Any]) -> None:
    state["balances"]["bank"] += 100_000_000
    state["balances"]["floor"] -= 100_000_000
    state["bank"]["balance_units"] += 100_000_000


def a_card_for_more(state: dict[str, Any]) -> None:
    """The setup, and the digest of it that two people signed."""
    state["setup"]["executive_threshold_cents"] *= 100
    state["configuration"] = LinkSetup.of_json(state["setup"]).digest


def more_of_its_own(state: dict[str, Any]) -> None:
    """What the house may take back from the meter."""
    state["own"][""] += 100_000_000


def a_game_of_another_seat(state: dict[str, Any]) -> None:
    state["tables"].append([3, {**TableCycle(1, on=True, seats=(1, 2), based=(1, 2)).as_json()}])


OF_THE_LINK = [
    (add_to_meter, "meter is "),
    (more_won, "all that was won"),
    (a_card_for_more, "It differs in: made, configuration."),
    (more_of_its_own, "It differs in: own."),
    (a_game_of_another_seat, "It differs in: tables."),
]
"""Changes of a snapshot, and how they are told."""


def a_greater_prize(state: dict[str, Any]) -> None:
    """Of an award that a card has confirmed, and that the cage has not paid yet."""
    [award] = state["payable"]
    award[4] *= 100


@pytest.mark.parametrize("opened", [True, False])
def test_a_prize_that_is_greater_in_a_forged_snapshot_is_not_paid(playing: Room, *, opened: bool) -> None:
    """The slip would be issued for what the snapshot says: meters and sums are right in it."""
    closed_after_a_game(playing)
    if opened:
        playing.do(acts.OpenLink, by=MANAGER)
    snapshot_now(playing)
    forged(playing.url, LINK + "main", a_greater_prize, playing.key.secret)
    playing.floor = playing.open(check_links=True)
    playing.floor._checks.join(30)
    assert playing.floor.links["main"].status is Status.CLOSED
    last = playing.floor.reading.last(LINK + "main")
    assert last is not None
    assert last.facts["by"] == (["floor", "floor"] if opened else ["sue", "supervisor"])
    [award] = playing.floor.links["main"].to_pay
    for act, values in ((acts.IssueSlip, {"by": SUPERVISOR, "award": award}), (acts.OpenLink, {"by": MANAGER})):
        assert "It differs in: payable, to pay." in refused(No.BROKEN_CHAIN, playing.do, act, **values)


def closed_after_a_game(playing: Room) -> None:
    playing.start(1, 1, 4)
    playing.do(acts.Confirm, by=EXECUTIVE, award=playing.award(COLOR, 4))
    playing.do(acts.EndGame, by=DEALER, table=1)
    playing.do(acts.CloseLink, by=SUPERVISOR)


@pytest.mark.parametrize(("change", "words"), OF_THE_LINK)
def test_a_snapshot_forged_with_the_sites_secret_keeps_the_link_closed(
    playing: Room, change: Callable[[dict[str, Any]], None], words: str
) -> None:
    closed_after_a_game(playing)
    snapshot_now(playing)
    playing.floor = playing.open()
    playing.do(acts.OpenLink, by=MANAGER)  # the snapshot as it is
    playing.do(acts.CloseLink, by=SUPERVISOR)
    snapshot_now(playing)
    forged(playing.url, LINK + "main", change, playing.key.secret)
    playing.floor = playing.open()
    assert words in refused(No.BROKEN_CHAIN, playing.do, acts.OpenLink, by=MANAGER)


@pytest.mark.parametrize(("change", "words"), OF_THE_LINK)
def test_a_link_that_was_open_is_checked_behind_its_games_and_closed(
    playing: Room, change: Callable[[dict[str, Any]], None], words: str
) -> None:
    snapshot_now(playing)
    forged(playing.url, LINK + "main", change, playing.key.secret)
    playing.floor = playing.open(check_links=True)
    playing.floor._checks.join(30)
    brief = playing.floor.links["main"]
    assert brief.status is Status.CLOSED
    last = playing.floor.reading.last(LINK + "main")
    assert last is not None
    assert words in last.facts["reason"]
    assert last.facts["by"] == ["floor", "floor"]


def unreadable_at_first(monkeypatch: pytest.MonkeyPatch, error: Exception, times: int = 2) -> list[str]:
    """No book can be read through so many times; what was tried."""
    read_on, tried = BookCheck.read_on, list[str]()

    def read(check: BookCheck, store: Store, until: int | None = None) -> None:
        tried.append(check.stream)
        if len(tried) <= times:
            raise error
        read_on(check, store, until)

    monkeypatch.setattr(BookCheck, "read_on", read)
    monkeypatch.setattr("croupier.floor.floor.CHECK_AGAIN_S", 0.01)
    return tried


AWAY = (StoreLost("The connection is lost."), StoreError("It takes too long."), NotDone("link:main is busy."))


@pytest.mark.parametrize("error", AWAY, ids=lambda error: type(error).__name__)
def test_a_book_that_cannot_be_read_at_first_is_read_again(
    playing: Room, error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else whoever ends one session with the database has a forged snapshot believed until the next start; and a link
    whose writer is only busy is not damaged."""
    tried = unreadable_at_first(monkeypatch, error)
    playing.floor.close()
    playing.floor = playing.open(check_links=True)
    playing.floor._checks.join(30)
    assert tried[:3] == [LINK + "main"] * 3
    assert (playing.floor.links["main"].status, playing.floor.unchecked) == (Status.OPEN, {})
    assert playing.floor.checked[LINK + "main"] == playing.floor.links["main"].entries


def test_a_forged_snapshot_whose_check_was_ended_is_found_by_the_next(
    playing: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot_now(playing)
    forged(playing.url, LINK + "main", add_to_meter, playing.key.secret)
    unreadable_at_first(monkeypatch, AWAY[0])
    playing.floor = playing.open(check_links=True)
    playing.floor._checks.join(30)
    assert playing.floor.links["main"].status is Status.CLOSED
    assert "meter is " in playing.floor.house.damaged["main"]


def test_a_link_that_is_found_damaged_while_its_book_cannot_be_shown_is_shown_later(
    playing: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot_now(playing)
    forged(playing.url, LINK + "main", add_to_meter, playing.key.secret)
    keep, shown = Floor._keep_closed, list[str]()

    def away_at_first(floor: Floor, name: str, why: str) -> None:
        shown.append(name)
        if len(shown) == 1:
            raise AWAY[0]
        keep(floor, name, why)

    monkeypatch.setattr(Floor, "_keep_closed", away_at_first)
    monkeypatch.setattr("croupier.floor.floor.CHECK_AGAIN_S", 0.01)
    playing.floor = playing.open(check_links=True)
    playing.floor._checks.join(30)
    assert shown == ["main"] * 2
    assert "its book is damaged" in playing.floor.links["main"].stopped
    assert playing.floor.unchecked == {}


def test_a_writer_that_never_rests_is_no_damage(playing: Room) -> None:
    """Entries come in between any two looks: the book is compared at the very entry of the writer's copy."""
    check = BookCheck(LINK + "main")

    def held() -> LinkState:
        playing.start(1, 1)
        playing.do(acts.EndGame, by=DEALER, table=1)
        copy = playing.floor.ask("main", lambda link: held_of(link.book, link.state))
        playing.start(1, 1)
        playing.do(acts.EndGame, by=DEALER, table=1)
        return copy

    check.check(playing.floor.reading, held)


def test_a_row_that_cannot_even_be_read_closes_the_link(playing: Room) -> None:
    playing.start(1, 1)
    playing.do(acts.EndGame, by=DEALER, table=1)
    snapshot_now(playing)
    alter(playing.url, "UPDATE entry SET body = replace(body, '{', '[') WHERE stream = 'link:main' AND number = 3")
    playing.floor = playing.open(check_links=True)
    playing.floor._checks.join(30)
    assert playing.floor.links["main"].status is Status.CLOSED


def test_a_link_that_adds_up_stays_open(playing: Room) -> None:
    playing.floor.close()
    playing.floor = playing.open(check_links=True)
    playing.floor._checks.join(30)
    assert playing.floor.links["main"].status is Status.OPEN


def test_a_writer_that_is_too_busy_to_answer_is_asked_again(playing: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """That it takes no more acts just now says nothing about its book."""
    playing.floor.close()
    with monkeypatch.context() as patched:
        patched.setattr(writer, "MOST_WAITING", 0)
        playing.floor = floor = playing.open(check_links=True)
        floor._checks.join(0.3)
        assert floor.links["main"].status is Status.OPEN
        assert not floor.house.damaged
    floor._checks.join(30)
    assert floor.checked[LINK + "main"] == floor.links["main"].entries
    playing.start(1, 1)


def test_a_writer_that_has_stopped_is_no_damage(playing: Room) -> None:
    """Whoever keeps the floor is to hear that it stopped, and lead again or follow."""
    floor = playing.floor
    floor._links["main"].close()
    floor._check_links()
    assert floor.lost
    assert not floor.house.damaged


@pytest.mark.parametrize("change", [change for change, _ in OF_THE_LINK])
def test_a_snapshot_of_somebody_without_the_secret_is_left_aside(
    playing: Room, change: Callable[[dict[str, Any]], None]
) -> None:
    closed_after_a_game(playing)
    before = playing.floor.ask("main", lambda link: link.snapshot())
    snapshot_now(playing)
    forged(playing.url, LINK + "main", change)
    playing.floor = playing.open()
    assert playing.floor.ask("main", lambda link: link.snapshot()) == before
    playing.do(acts.OpenLink, by=MANAGER)


def an_executive(state: dict[str, Any]) -> None:
    state["people"]["people"][0]["role"] = "executive"


@pytest.mark.parametrize("change", [more_in_the_bank, an_executive])
def test_the_site_is_made_of_its_entries_whatever_its_snapshot_says(
    playing: Room, change: Callable[[dict[str, Any]], None]
) -> None:
    before = playing.floor.site.snapshot()
    snapshot_now(playing)
    forged(playing.url, SITE, change, playing.key.secret)
    playing.floor = playing.open()
    assert playing.floor.site.snapshot() == before


def test_an_entry_that_was_altered_in_the_store_keeps_the_link_closed(playing: Room) -> None:
    playing.start(1, 1, 4)
    playing.do(acts.EndGame, by=DEALER, table=1)
    playing.do(acts.CloseLink, by=SUPERVISOR)
    alter(playing.url, "UPDATE entry SET body = replace(body, '\"round\":1', '\"round\":7') WHERE number = 3")
    assert "Entry 3 of link:main" in refused(No.BROKEN_CHAIN, playing.do, acts.OpenLink, by=MANAGER)


def alter(url: str, statement: str) -> None:
    """As an intruder who takes the guard away, and puts it back."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"), timeout=10)) as db, db:
            [text] = db.execute("SELECT sql FROM sqlite_schema WHERE name = 'entry_is_not_changed'").fetchone()
            db.execute("DROP TRIGGER entry_is_not_changed")
            db.execute(statement)
            db.execute(text)
        return
    with psycopg.connect(url) as server:
        server.execute("ALTER TABLE entry DISABLE TRIGGER entry_is_kept")
        server.execute(statement.encode())
        server.execute("ALTER TABLE entry ENABLE TRIGGER entry_is_kept")
