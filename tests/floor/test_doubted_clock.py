"""A floor that begins under a wrong clock writes nothing, until the clock is right or two people have accepted it."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from croupier.audit.export import chosen_streams, export, open_existing
from croupier.audit.verify import verify
from croupier.compliance.authority import Denied
from croupier.errors import Refusal
from croupier.floor.floor import Floor
from croupier.floor.refusals import No
from croupier.floor.site.acts import AcceptTime
from croupier.ledger.clock import CLOCK, CheckedClock, Witnesses, written
from croupier.store.store import Store, open_store
from support.postgres import new_floor
from support.room import KEY, Room
from tests.floor.test_facts import check_all

VERIFIER = Path(__file__).parents[2] / "regulator" / "verify_ledger.py"

YEAR = 365 * 86_400.0


class Wall:
    """The time of day, as somebody has set it."""

    def __init__(self, at: str) -> None:
        self.s = datetime.fromisoformat(at).timestamp()

    def __call__(self) -> float:
        return self.s


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    made = new_floor() if request.param == "postgres" else f"sqlite:///{tmp_path}/floor.db"
    with Room(made) as room:
        room.found()
    return made


@pytest.fixture
def wall(url: str) -> Wall:
    """Right, and a second after the last entry."""
    with open_existing(url) as store:
        last = store.last("site")
    assert last is not None
    wall = Wall(last.at)
    wall.s += 1
    return wall


def begun(url: str, wall: Wall, **heard: object) -> Floor:
    def witnesses(_: Store) -> Witnesses:
        return Witnesses(**heard)  # type: ignore[arg-type]

    clock = CheckedClock(wall=wall, counted=lambda: 0.0)
    return Floor(lambda: open_store(url), KEY, clock, bank_every_s=0, witnesses=witnesses)


def accept(floor: Floor, wall: Wall, id: str = "t", **changes: str) -> None:
    said: dict[str, Any] = {"by": "max", "second": "mia", "time": written(wall.s), **changes}
    floor.do_site(AcceptTime(id=id, **said))


def count(floor: Floor) -> int:
    return floor.site.book.entries


def test_a_floor_that_begins_a_year_ahead_writes_nothing_and_goes_on_when_the_clock_is_right(
    url: str, wall: Wall
) -> None:
    wall.s += YEAR
    with begun(url, wall) as floor:
        before = count(floor)
        with pytest.raises(Refusal, match=r"365.0 days after the last entry") as refused:
            floor.declare_bank(id="b", by="max", balance_cents=100)
        assert refused.value.code == CLOCK
        assert "let two people accept it" in floor.troubles["clock"]
        assert count(floor) == before
        wall.s -= YEAR
        assert floor.troubles == {}
        assert floor.declare_bank(id="b", by="max", balance_cents=100).at == written(wall.s)
    with begun(url, wall) as again:
        assert again.troubles == {}, "the right time is taken ever after"


def test_two_people_accept_a_time_and_it_is_on_record_and_proved(url: str, wall: Wall, tmp_path: Path) -> None:
    wall.s += YEAR
    with begun(url, wall, synchronised=False) as floor:
        before = count(floor)
        for changes, code in (
            ({"second": "max"}, None),
            ({"by": "ann"}, Denied.NOT_ALLOWED),
            ({"time": written(wall.s - YEAR)}, No.OTHER_TIME),
            ({"time": "noon"}, No.WRONG_FORM),
        ):
            with pytest.raises(Refusal) as refused:
                accept(floor, wall, **changes)
            assert code is None or refused.value.code == code, refused.value
            with pytest.raises(Refusal, match="days after the last entry"):
                floor.declare_bank(id="b", by="max", balance_cents=100)
        assert count(floor) == before
        kept_time = written(wall.s)
        accept(floor, wall)
        accept(floor, wall)
        assert floor.troubles == {}
        floor.declare_bank(id="b", by="max", balance_cents=100)
        assert count(floor) == before + 2
    with begun(url, wall) as again:
        assert again.troubles == {}
    wall.s += YEAR
    with begun(url, wall, synchronised=False) as later:
        accept(later, wall, time=kept_time)
        assert "days after the last entry" in later.troubles["clock"], "what is sent again accepts nothing new"
        with pytest.raises(Refusal, match="days after the last entry"):
            later.declare_bank(id="c", by="max", balance_cents=100)
    path = tmp_path / "book.jsonl"
    with open_existing(url) as store:
        export(store, chosen_streams(store, None), path)
        kept = [entry for entry in store.entries("site") if entry.kind == "accept-time"]
    assert [(entry.facts["by"], entry.facts["second"]) for entry in kept] == [("max", "mia")]
    assert check_all((entry.kind, entry.facts) for entry in kept) == {"accept-time"}
    assert verify(path).wrong == ""
    second = subprocess.run([sys.executable, VERIFIER, path], capture_output=True, text=True, check=False)
    assert second.returncode == 0, second.stdout


def test_a_clock_that_is_not_the_databases_is_doubted(wall: Wall, url: str) -> None:
    with begun(url, wall, store_s=wall.s + 600, synchronised=True) as floor:
        assert "that of the database" in floor.troubles["clock"]
        with pytest.raises(Refusal, match="that of the database"):
            floor.declare_bank(id="b", by="max", balance_cents=100)


@pytest.mark.postgres
def test_postgresql_tells_its_time(tmp_path: Path) -> None:
    with open_store(new_floor()) as store:
        now = store.now_s()
        assert now is not None
        assert now > 1_700_000_000
    with open_store(f"sqlite:///{tmp_path}/floor.db") as file:
        assert file.now_s() is None
