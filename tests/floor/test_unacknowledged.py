"""What nobody has acknowledged is decided again before a book goes on from it: whoever can write to the store raises no
meter by rows that the rules do not write."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from croupier.compliance.authority import CardToken, Role
from croupier.compliance.profile import Lawful
from croupier.errors import RecordError
from croupier.floor.floor import Floor
from croupier.floor.forms import Signed
from croupier.floor.house import House
from croupier.floor.link.acts import Adjust, CloseLink, EnterHand, StartGame
from croupier.floor.link.link import Link, statement_of
from croupier.floor.people import People
from croupier.floor.selfcheck import recheck_in_house
from croupier.floor.site.acts import ChangeRole, EnrolPerson, NotePin, RevokeCard
from croupier.floor.site.site import Site
from croupier.floor.writer import InDoubt, NotDone
from croupier.ledger.clock import utc_now
from croupier.ledger.entry import Entry, Purpose, Transfer
from croupier.store.marks import Marks
from croupier.store.store import open_store
from support.postgres import new_floor
from support.room import (
    COLOR,
    DEALER,
    KEY,
    LINK,
    MANAGER,
    OTHER_MANAGER,
    SUPERVISOR,
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
def place(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A room whose managers have had keys to agree with for longer than clocks may be apart, and whose marks have all
    of its books."""
    monkeypatch.setattr("croupier.floor.people._APART", timedelta())
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


def closed_by_nobody(link: Link) -> Entry:
    return link.handle(CloseLink(id="forged", by=Signed("nobody", Role.MANAGER), reason="Because."), utc_now())


def closed_by_a_dealer(link: Link) -> Entry:
    """Who has never been anything else."""
    act = CloseLink(id="forged", by=Signed(DEALER.person, Role.SUPERVISOR), reason="Because.")
    return link.handle(act, utc_now())


def entered_by_a_ghost(link: Link) -> Entry:
    act = EnterHand(id="forged", by=Signed("ghost", Role.DEALER), table=1, seat=1, line=COLOR)
    return link.handle(act, utc_now())


FORGED = [by_nobody, by_another_key, with_other_money, closed_by_nobody, closed_by_a_dealer, entered_by_a_ghost]


@pytest.mark.parametrize("forged", FORGED)
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


def test_what_two_did_before_anybody_had_a_key_is_gone_on_from_once_somebody_has(url: str, tmp_path: Path) -> None:
    """As by the marks of a server that was off meanwhile."""
    make_room(url, KEY)
    with opened(url, tmp_path) as floor:
        assert floor._marks is not None
        floor._marks.were_said()
    marks = (tmp_path / "marks").read_bytes()
    with opened(url, tmp_path) as floor:
        floor.do(Adjust(id="by two", by=MANAGER, second=OTHER_MANAGER, **RAISED), LINK)
        floor.do_site(chosen_pin(OTHER_MANAGER.person))
        entries = floor.links[LINK].entries
    (tmp_path / "marks").write_bytes(marks)
    with opened(url, tmp_path) as floor:
        assert not floor.house.damaged
        assert floor.links[LINK].entries == entries


def test_when_the_first_key_was_noted_stays_in_the_snapshot_and_older_ones_can_be_read(place: str) -> None:
    people = held(place)[1].people
    kept = people.as_json()
    assert People.of_json(kept) == people
    assert not people.needed_key(people.turned_at)
    assert people.needed_key(utc_now())
    older = People.of_json({name: value for name, value in kept.items() if name != "turned_at"})
    assert older.needed_key(people.turned_at), "as it was then"


def test_what_somebody_signed_in_a_role_of_before_is_gone_on_from(place: str, tmp_path: Path) -> None:
    marks = (tmp_path / "marks").read_bytes()
    with opened(place, tmp_path) as floor:
        floor.do(CloseLink(id="close", by=SUPERVISOR, reason="A spill."), LINK)
        by, second = MANAGER.person, OTHER_MANAGER.person
        change = ChangeRole(id="role", by=by, person=SUPERVISOR.person, role=Role.MANAGER, second=second)
        floor.do_site(agreed(change, utc_now()))
        floor.do_site(RevokeCard(id="gone", by=by, person=SUPERVISOR.person, reason="Lost."))
        entries = floor.links[LINK].entries
        assert People.of_json(floor.site.people.as_json()) == floor.site.people
    (tmp_path / "marks").write_bytes(marks)
    with opened(place, tmp_path) as floor:
        assert not floor.house.damaged
        assert floor.links[LINK].entries == entries


def test_books_of_earlier_versions_are_gone_on_from(tmp_path: Path) -> None:
    """Two have acted in them before anybody had a key, and somebody has chosen a PIN since."""
    kept = Path(__file__).parent.parent / "golden" / "kept" / "site" / "floor.db.gz"
    (tmp_path / "floor.db").write_bytes(gzip.decompress(kept.read_bytes()))
    house = House()
    with open_store(f"sqlite:///{tmp_path}/floor.db") as store:
        house.site = Site.of_entries(store.entries("site"))
        house.site.apply(house.site.handle(chosen_pin("mia"), utc_now()))
        assert house.site.people.needed_key("2999-01-01T00:00:00Z")
        links = [stream.removeprefix("link:") for stream in store.streams() if stream.startswith("link:")]
        seconded = 0
        for name in links:
            link = Link(name)
            for entry in store.entries(f"link:{name}"):
                recheck_in_house(house, link, entry)
                link.apply(entry)
                seconded += "second" in entry.facts
        assert seconded


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
