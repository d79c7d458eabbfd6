"""A gaming day over HTTP: readings by people, differences kept, the close signed and never changed."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pypdf import PdfReader

from croupier.audit.verify import verify
from croupier.floor import floor
from croupier.ledger.checkpoint import new_key, public_path, read_public
from croupier.web.settings import Settings
from tests.web.support import LINK, MadeSite, Room, done, error_of, running

U = 10**6


class Clock:
    """The time of day, which a test may put ahead."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> str:
        now = datetime.now(UTC) + self.ahead
        return now.isoformat(timespec="microseconds").replace("+00:00", "Z")


@dataclass(frozen=True)
class Signing(MadeSite):
    """A site whose server has a key to sign with."""

    @property
    def key(self) -> Path:
        return self.folder / "signing.pem"

    @property
    def settings(self) -> Settings:
        return replace(super().settings, signing_key=self.key)


class Later(Room):
    clock: Clock
    key: Path

    def next_day(self, days: int = 1) -> None:
        self.clock.ahead += timedelta(days=days)

    def shown(self) -> int:
        cents: int = done(self.get(f"/api/links/{LINK}"))["levels"][0]["meter_cents"]
        return cents


@pytest.fixture
def room(site: MadeSite, monkeypatch: pytest.MonkeyPatch) -> Iterator[Later]:
    """A room whose server has a key to sign with, and whose clock the test sets."""
    clock, signing = Clock(), Signing(site.folder, site.cards, site.tokens)
    monkeypatch.setattr(floor, "CheckedClock", lambda: clock)
    for module in ("days", "ledger"):
        monkeypatch.setattr(f"croupier.web.floor.{module}.utc_now", clock)
    new_key(signing.key)
    with running(signing) as made:
        later = Later(signing, made.app, made.client)
        later.clock, later.key = clock, signing.key
        yield later


def today(room: Later) -> str:
    day: str = done(room.get("/api/days"))["today"]
    return day


def read(room: Later, day: str, cents: int, who: str = "sue", **values: Any) -> dict[str, Any]:
    given = {"link": LINK, "read_cents": cents, "display": "table 1", **values}
    return done(room.act(f"/api/days/{day}/readings", who, **given))


def test_readings_are_compared_and_a_mistyped_one_stays(room: Later) -> None:
    day = today(room)
    room.start()
    wrong = read(room, day, 5)
    assert (wrong["agrees"], wrong["difference_cents"]) == (False, 5 - room.shown())
    again = room.act(f"/api/days/{day}/readings", "sue", link=LINK, read_cents=6, display="table 1")
    assert (again.status_code, error_of(again)) == (409, "already-read")
    right = read(room, day, room.shown(), corrects=wrong["entry"]["number"], note="Mistyped.")
    assert (right["agrees"], right["book_cents"]) == (True, room.shown())
    found = done(room.get(f"/api/days/{day}", "sue"))
    assert (found["status"], found["agrees"], found["closed"]) == ("on", True, None)
    assert [(row["verdict"], row["corrected_by"]) for row in found["rows"]] == [
        ("corrected", right["entry"]["number"]),
        ("agrees", None),
    ]


def test_a_reading_is_held_against_the_minute_in_which_it_was_read(room: Later, tmp_path: Path) -> None:
    """Play goes on between the display and the console; a figure that stood there in that minute agrees."""
    day, zone = today(room), ZoneInfo(room.runtime.house.site.zone)
    room.start(1, (1, 2, 3))
    seen, entry = room.shown(), done(room.get(f"/api/links/{LINK}"))["number"]
    minute = as_minute(room.clock(), zone)
    room.clock.ahead += timedelta(seconds=30)
    room.start(2, (1, 2, 3))
    assert room.shown() > seen
    made = read(room, day, seen, seen_at=minute)
    assert (made["agrees"], made["book_cents"], made["entry"]["facts"]["book"]["entry"]) == (True, seen, entry)
    assert made["stood_at"] == done(room.get(f"/api/links/{LINK}/entries?most=1000"))["entries"][entry - 1]["at"]
    wrong = read(room, day, seen + 1, seen_at=minute, display="lobby")
    assert (wrong["agrees"], wrong["difference_cents"]) == (False, seen + 1 - wrong["book_cents"])
    room.clock.ahead += timedelta(minutes=10)
    late = read(room, day, seen, seen_at=as_minute(room.clock(), zone), display="bar")
    assert (late["agrees"], late["book_cents"]) == (False, room.shown())  # by then it had not stood there for long
    for then in (timedelta(minutes=5), timedelta(days=-2)):
        refused = room.act(
            f"/api/days/{day}/readings",
            "sue",
            **{"link": LINK, "read_cents": seen, "display": "x"},
            seen_at=(datetime.fromisoformat(room.clock()) + then).isoformat(),
        )
        assert (refused.status_code, error_of(refused)) == (422, "not-read-then")
    room.next_day()
    closed = done(room.act(f"/api/days/{day}/close", "max"))
    assert closed["readings"][0]["difference_cents"] == 0
    file = tmp_path / "ledger.jsonl.gz"
    file.write_bytes(room.get("/api/ledger/export", "aud").content)
    assert verify(file).right


def as_minute(at: str, zone: ZoneInfo) -> str:
    return datetime.fromisoformat(at).astimezone(zone).strftime("%Y-%m-%dT%H:%M")


def test_a_day_is_closed_signed_and_stays(room: Later, tmp_path: Path) -> None:
    day = today(room)
    room.start(1)
    shown = room.shown()
    read(room, day, shown)
    read(room, day, shown + 1, display="lobby")
    early = room.act(f"/api/days/{day}/close", "eve")
    assert (early.status_code, error_of(early)) == (409, "day-not-over")
    room.next_day()
    done(room.act(f"/api/links/{LINK}/end", "ann 1", table=1))
    closed = done(room.post(f"/api/days/{day}/close", "eve", id="close", note="One digit of the lobby is broken."))
    [level] = closed["links"][LINK]["levels"]
    assert (level["closing_units"] // U, level["difference_units"]) == (shown, 0)
    assert (closed["agrees"], closed["not_read"]) == (False, [])
    assert [each["difference_cents"] for each in closed["readings"]] == [0, 1]
    # sent again, it is answered as the first time; by another id it is refused
    assert (
        done(room.post(f"/api/days/{day}/close", "eve", id="close", note="One digit of the lobby is broken.")) == closed
    )
    twice = room.act(f"/api/days/{day}/close", "eve")
    assert (twice.status_code, error_of(twice)) == (409, "day-closed")
    late = room.act(f"/api/days/{day}/readings", "sue", link=LINK, read_cents=5, display="bar")
    assert error_of(late) == "day-closed"

    room.start(2, (1, 2, 3))
    found = done(room.get(f"/api/days/{day}"))
    assert (found["status"], found["altered_since"], found["agrees"]) == ("closed", False, False)
    assert found["levels"][0]["closing_units"] == level["closing_units"]
    assert found["closed"]["entry"] == closed["entry"]["number"]
    assert done(room.get("/api/days"))["closed"] == [{"day": day, "entry": closed["entry"]["number"]}]
    pdf = room.get("/api/reports/close", "sue", params={"day": day, "format": "pdf"})
    words = " ".join(page.extract_text().replace("\u200b", "") for page in PdfReader(io.BytesIO(pdf.content)).pages)
    for each in ("DIFFERS", "lobby", "by Eve (eve)", closed["entry"]["digest"], "1 of 2 lines do not agree"):
        assert each in " ".join(words.split())


def test_checkpoints_are_signed_at_the_close_and_go_with_the_export(room: Later, tmp_path: Path) -> None:
    day = today(room)
    room.start()
    room.next_day(3)  # so that a whole day (UTC) lies between
    signed = done(room.act("/api/ledger/checkpoint", "aud", day=str(utc_day(room) - timedelta(days=2))))
    assert {each["checkpoint"]["stream"] for each in signed["checkpoints"]} == {"site", f"link:{LINK}"}
    done(room.act(f"/api/days/{day}/close", "max"))  # its day was signed already, by the later one
    room.next_day(2)
    later = str(utc_day(room) - timedelta(days=2))
    closed = done(room.act(f"/api/days/{later}/close", "max"))
    assert set(closed["entry"]["facts"]["checkpoints"]) == {"site", f"link:{LINK}"}
    kept = done(room.get("/api/ledger/checkpoints", "aud"))["checkpoints"]
    assert len(kept) == 4
    assert {each["key"] for each in kept} == {read_public(public_path(room.key))}
    file = tmp_path / "ledger.jsonl.gz"
    file.write_bytes(room.get("/api/ledger/export", "aud").content)
    found = verify(file, key=read_public(public_path(room.key)))
    assert (found.right, found.checkpoints) == (True, 4), found.wrong


def utc_day(room: Later) -> Any:
    return datetime.fromisoformat(room.clock()).date()


def test_a_checkpoint_takes_a_key_and_a_day_that_is_over(room: Later, monkeypatch: pytest.MonkeyPatch) -> None:
    refused = room.act("/api/ledger/checkpoint", "aud", day=str(utc_day(room)))
    assert refused.status_code == 422
    assert room.act("/api/ledger/checkpoint", "eve", day="2026-01-01").status_code == 403
    monkeypatch.setattr(room.runtime.anchors, "signer", None)
    refused = room.act("/api/ledger/checkpoint", "aud", day="2026-01-01")
    assert (refused.status_code, error_of(refused)) == (409, "no-signing-key")
    day = today(room)
    room.next_day()
    assert done(room.act(f"/api/days/{day}/close", "eve"))["entry"]["facts"]["checkpoints"] == {}


def test_readings_and_closes_take_their_roles(room: Later) -> None:
    day = today(room)
    for who, status in (("", 401), ("ann card", 403), ("aud", 403), ("sue card", 403), ("keypad-1", 401)):
        found = room.act(f"/api/days/{day}/readings", who, link=LINK, read_cents=5, display="x")
        assert found.status_code == status, who
        assert room.act(f"/api/days/{day}/close", who).status_code == status, who
    assert room.act(f"/api/days/{day}/close", "sue").status_code == 403
    for who, place in (("sue", "a"), ("eve", "b"), ("max", "c")):
        read(room, day, 5, who, display=place)


def test_what_cannot_be_read_or_closed_is_said_in_the_one_form(room: Later) -> None:
    day = today(room)
    given = {"link": LINK, "read_cents": 5, "display": "x"}
    for path, values, status in (
        (f"{day}/readings", {**given, "link": "nowhere"}, 409),
        (f"{day}/readings", {**given, "level": "Mega"}, 409),
        (f"{day}/readings", {**given, "read_cents": -1}, 422),
        (f"{day}/readings", {**given, "read_cents": "5"}, 422),
        (f"{day}/readings", {**given, "book": {"cents": 5, "entry": 1, "digest": ""}}, 422),
        ("2020-01-01/readings", given, 409),
        ("yesterday/readings", given, 422),
        ("yesterday/close", {}, 422),
        ("2020-01-01/close", {}, 409),
        (f"{day}/close", {"links": {}}, 422),
    ):
        found = room.act(f"/api/days/{path}", "max", **values)
        assert found.status_code == status, (path, values, found.text)
        error_of(found)
