"""What nobody has acknowledged is decided again before a book goes on from it: whoever can write to the store raises no
meter by rows that the rules do not write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from croupier.compliance.authority import CardToken, Role
from croupier.compliance.profile import Lawful
from croupier.errors import RecordError
from croupier.floor.floor import Floor
from croupier.floor.link.acts import Adjust, StartGame
from croupier.floor.link.link import Link, statement_of
from croupier.floor.site.acts import EnrolPerson, NotePin
from croupier.floor.site.site import Site
from croupier.floor.writer import InDoubt, NotDone
from croupier.ledger.clock import utc_now
from croupier.ledger.entry import Entry, Purpose, Transfer
from croupier.store.marks import Marks
from croupier.store.store import open_store
from support.postgres import new_floor
from support.room import (
    DEALER,
    KEY,
    LINK,
    MANAGER,
    OTHER_MANAGER,
    LinkBook,
    Room,
    agreed,
    agreement_key,
    chosen_pin,
    make_room,
    private_of,
)

BOOK = f"link:{LINK}"
RAISED: dict[str, Any] = {
    **{"level": "", "reason": Lawful.MALFUNCTION, "source": Purpose.HOUSE, "target": Purpose.METER},
    **{"cents": 10_000_000, "text": "A sensor."},
}


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return new_floor() if request.param == "postgres" else f"sqlite:///{tmp_path}/floor.db"


@contextmanager
def opened(url: str, folder: Path) -> Iterator[Floor]:
    with closing(Marks(folder / "marks")) as marks, Floor(lambda: open_store(url), KEY, marks=marks) as floor:
        yield floor


@pytest.fixture
def place(url: str, tmp_path: Path) -> str:
    """A room whose managers have keys to agree with, and whose marks have all of its books."""
    make_room(url, KEY)
    with opened(url, tmp_path) as floor:
        assert floor._marks is not None
        floor._marks.were_said()  # as a server does, which has put it into the site's book
        for person in (MANAGER.person, OTHER_MANAGER.person):
            floor.do_site(replace(chosen_pin(person), id=f"pin-{person}"))
        floor.do(StartGame(id="s1", by=DEALER, table=1, lit=(1,), based=(1,)), LINK)
    return url


def held(url: str) -> tuple[Link, Site]:
    with open_store(url) as store:
        return Link.of_entries(LINK, store.entries(BOOK)), Site.of_entries(store.entries("site"))


def append(url: str, stream: str, *entries: Entry) -> None:
    """As anybody does who can write to the store: chained and sealed, so that the store takes it."""
    with open_store(url) as store:
        store.append(stream, entries)


def by_nobody(link: Link) -> Entry:
    """Signed by two who have not agreed."""
    return link.handle(Adjust(id="forged", by=MANAGER, second=OTHER_MANAGER, **RAISED), utc_now())


def by_another_key(link: Link) -> Entry:
    act, at = Adjust(id="forged", by=MANAGER, second=OTHER_MANAGER, **RAISED), utc_now()
    signed = statement_of(act, LINK).agreed(private_of("sue"), at)
    return link.handle(replace(act, agreed=signed), at)


def with_other_money(link: Link) -> Entry:
    """A game whose wagers bring a hundred times as much."""
    entry = link.handle(StartGame(id="forged", by=DEALER, table=2, lit=(1,), based=(1,)), utc_now())
    transfers = tuple(Transfer(each.source, each.target, 100 * each.units) for each in entry.transfers)
    return link.state.book.next(entry.at, entry.command, entry.kind, entry.facts, transfers)


@pytest.mark.parametrize("forged", [by_nobody, by_another_key, with_other_money])
def test_a_row_that_the_rules_do_not_write_raises_no_meter(
    place: str, tmp_path: Path, forged: Callable[[Link], Entry]
) -> None:
    link, _ = held(place)
    append(place, BOOK, forged(link))
    for _ in range(2):
        with opened(place, tmp_path) as floor:
            assert "no server has acknowledged" in floor.house.damaged[LINK]
            assert floor.links[LINK].entries == link.state.book.entries, "nor is it shown"


def test_a_row_that_a_running_floor_has_not_written_stops_the_link(place: str, tmp_path: Path) -> None:
    with opened(place, tmp_path) as floor:
        link, _ = held(place)
        append(place, BOOK, by_nobody(link))
        with pytest.raises((NotDone, InDoubt)):
            floor.do(StartGame(id="s2", by=DEALER, table=2, lit=(1,), based=(1,)), LINK)
        floor._links[LINK]._worker.end()
        assert "no server has acknowledged" in floor.troubles[BOOK]
        assert floor.lost
    with opened(place, tmp_path) as floor:
        assert list(floor.house.damaged) == [LINK]


def test_a_manager_by_one_person_is_not_believed(place: str, tmp_path: Path) -> None:
    """The site is made of its entries, and so of forged ones."""
    _, site = held(place)
    card = CardToken("a-card-of-nobody-at-all").hash(KEY)
    alone = EnrolPerson(id="forged", by=MANAGER.person, person="zoe", name="Zoe", role=Role.DEALER, card=card)
    entry = site.handle(alone, utc_now())
    forged = site.book.next(entry.at, entry.command, entry.kind, {**entry.facts, "role": "executive"}, ())
    append(place, "site", forged)
    with pytest.raises(RecordError, match="no server has acknowledged"), opened(place, tmp_path):
        pass


def test_rows_that_a_server_wrote_before_it_died_are_gone_on_from(place: str, tmp_path: Path) -> None:
    """The marks are on disk within a second of a commit; also where a key was replaced in that second."""
    link, site = held(place)
    at = utc_now()
    act = agreed(Adjust(id="last", by=MANAGER, second=OTHER_MANAGER, **RAISED), at)
    append(place, BOOK, link.handle(act, at))
    changed = NotePin(id="p2", by="mia", person="mia", key=agreement_key("zoe"))
    append(place, "site", site.handle(changed, utc_now()))
    with opened(place, tmp_path) as floor:
        assert not floor.house.damaged
        assert floor.site.people.ever_noted("mia") == [agreement_key("mia").public, agreement_key("zoe").public]
        assert floor.links[LINK].entries == link.state.book.entries + 1


def test_a_whole_book_that_no_server_has_made_is_no_link(place: str, tmp_path: Path) -> None:
    link = LinkBook(name="mine")
    link.do(Adjust, by=MANAGER, second=OTHER_MANAGER, **RAISED)
    append(place, "link:mine", *link.entries)
    with opened(place, tmp_path) as floor:
        assert list(floor.house.damaged) == ["mine"]
        assert floor.links["mine"].entries == 0


def test_where_the_marks_were_put_aside_a_book_is_taken_as_it_is(place: str, tmp_path: Path) -> None:
    """The site's book says that there were none."""
    link, _ = held(place)
    append(place, BOOK, by_nobody(link))
    (tmp_path / "marks").unlink()
    with opened(place, tmp_path) as floor:
        assert not floor.house.damaged


def test_a_room_without_marks_is_as_before(url: str) -> None:
    with Room(url) as room:
        room.found()
        room.make()
        assert not room.floor.house.damaged
