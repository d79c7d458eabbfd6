"""An award is backed out over the API, and every paper says so: who, when, why, and totals without it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.audit.backup import restore
from croupier.audit.verify import verify
from croupier.client import Client, SecondCard
from support.room import COLOR, SUITED
from tests.web.floor.test_reports import report, text_of, today
from tests.web.support import LINK, PINS, MadeSite, Room, Server, done, error_of, running

AT = f"/api/links/{LINK}"
WHY = "The camera shows an eight."


@pytest.fixture
def room(made_site: MadeSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    with running(made_site.copy(tmp_path_factory.mktemp("backed-out"))) as made:
        yield made


def win(room: Room, line: str = SUITED, table: int = 1) -> dict[str, Any]:
    """A game with an award, and what the card's entry said."""
    room.start(table, (1, 2))
    award = done(room.act(f"{AT}/enter", f"ann {table}", table=table, seat=2, line=line))["entry"]["number"]
    card = done(room.act(f"{AT}/confirm", "eve", award=award))["entry"]["facts"]
    done(room.act(f"{AT}/end", f"ann {table}", table=table))
    return dict(card)


def shown(room: Room) -> int:
    return int(done(room.get(AT))["levels"][0]["meter_cents"])


def back_out(room: Room, award: int) -> dict[str, Any]:
    return dict(done(room.act_of_two(f"{AT}/back-out", award=award, reason=WHY))["entry"])


def test_the_preview_shows_what_would_move_and_the_act_moves_it(room: Room) -> None:
    room.start(1, (1, 2))
    done(room.act(f"{AT}/end", "ann 1", table=1))
    before = shown(room)
    card = win(room)
    planned = done(room.post(f"{AT}/backing-out", award=card["award"]))
    assert planned["refusal"] is None
    accounts = {each["account"]: each["change_cents"] for each in planned["accounts"]}
    assert accounts["players"] == -card["cents"]
    assert accounts["house"] * 10**6 == card["seed_units"]
    entry = back_out(room, card["award"])
    assert entry["transfers"] == planned["transfers"]
    assert shown(room) == planned["shown_cents"] == entry["facts"]["shown_cents"] > before
    again = done(room.post(f"{AT}/backing-out", award=card["award"]))
    assert again["refusal"]["code"] == "already-backed-out"
    assert error_of(room.act_of_two(f"{AT}/back-out", award=card["award"], reason=WHY)) == "already-backed-out"
    assert error_of(room.act_of_two(f"{AT}/back-out", award=1, reason=WHY)) == "not-an-award"
    assert error_of(room.post(f"{AT}/backing-out", "sue", award=1)) == "not-allowed"


def test_the_books_prove_and_restore_afterwards(room: Room, tmp_path: Path) -> None:
    """With the site's book, which says what the house had to note of it."""
    back_out(room, win(room)["award"])
    export = tmp_path / "room.jsonl.gz"
    export.write_bytes(room.get("/api/ledger/export", "eve").content)
    found = verify(export)
    assert found.right, found.wrong
    restore(export, f"sqlite:///{tmp_path / 'restored.db'}")


def test_every_paper_marks_it_and_no_total_has_it(room: Room) -> None:
    kept, card = win(room, COLOR), win(room)
    entry = back_out(room, card["award"])
    found = report(room, "awards", fixed_pays=True)
    rows = {row["award"]: row for row in found["rows"]}
    row = rows[card["award"]]
    assert (row["status"], row["reason"], row["decided_at"]) == ("backed out", WHY, entry["at"])
    assert row["decided_by"] == "max (manager), mia (manager)"
    assert (row["award_cents"], row["digest"]) == (card["cents"], entry["digest"])
    assert (found["confirmed_cents"], found["backed_out_cents"]) == (kept["cents"], card["cents"])
    assert found["not_paid_cents"] == 0

    text = room.get("/api/reports/awards", "eve", params={"format": "csv"}).text
    [line] = [each for each in csv.DictReader(io.StringIO(text)) if each["award"] == str(card["award"])]
    assert (line["status"], line["reason"]) == ("backed out", WHY)

    day = today(room)
    [accrued] = report(room, "accrual", day=day)["rows"]
    assert (accrued["awards"], accrued["awards_cents"]) == (1, kept["cents"])
    assert (accrued["paid_units"], accrued["difference_units"]) == (kept["cents"] * 10**6, 0)
    house, game = report(room, "hold", day=day)["rows"]
    assert game["actual_units"] == game["coin_in_cents"] * 10**6 - kept["cents"] * 10**6
    [level] = report(room, "balance", day=day)["rows"]
    assert (level["awards_units"], level["difference_units"]) == (-kept["cents"] * 10**6, 0)
    assert house["figure"] == "house"

    [shift] = report(room, "shift")["rows"]
    assert (shift["awards"], shift["backed_out"], shift["adjusted"]) == (1, 1, 0)
    assert "1 backed out" in text_of(room.get("/api/reports/shift", "eve", params={"format": "pdf"}))

    [adjusted] = report(room, "adjustments")["rows"]
    assert (adjusted["entry"], adjusted["award"], adjusted["text"]) == (entry["number"], card["award"], WHY)
    assert "BACKED OUT" in text_of(room.get("/api/reports/awards", "eve", params={"format": "pdf"}))
    last = done(room.get(f"{AT}/awards", "sue", params={"which": "last"}))["rows"]
    assert {each["award"]: each["status"] for each in last} == {
        kept["award"]: "confirmed",
        card["award"]: "backed out",
    }


def test_its_win_page_has_nothing_to_sign_and_nothing_to_withhold(room: Room) -> None:
    card = win(room)
    at = f"{AT}/awards/{card['award']}"
    page = done(room.get(f"{at}/win-page", "sue"))
    assert page["checklist"]
    assert "Player, date" in text_of(room.get(f"{at}/win-page.pdf", "sue"))
    entry = back_out(room, card["award"])
    page = done(room.get(f"{at}/win-page", "sue"))
    assert (page["checklist"], page["rows"][0]["status"]) == ([], "backed out")
    paper = text_of(room.get(f"{at}/win-page.pdf", "sue"))
    assert "BACKED OUT – NOT TO BE PAID" in paper
    assert WHY in paper
    assert "Max (max), manager; Mia (mia), manager" in paper
    for word in ("Player, date", "Surveillance, date", "ithhold"):
        assert word not in paper
    told = done(room.get(f"{at}/explain", "sue"))
    assert (told["status"], told["backed_out_entry"]) == ("backed out", entry["number"])
    assert any(line.startswith("BACKED OUT on ") and WHY in line for line in told["player_page"])
    [event] = [row for row in report(room, "events")["rows"] if row["kind"] == "back-out"]
    assert "is backed out: The camera shows an eight." in event["sentence"]


def test_a_typed_client_backs_out(server: Server) -> None:
    site = server.site
    with Client(server.url) as table, Client(server.url) as office:
        table.token = site.tokens["ann 1"]
        table.start(LINK, table=1, lit=[1])
        award = table.enter(LINK, table=1, seat=1, line=COLOR).entry.number
        office.token = site.tokens["eve"]
        office.confirm(LINK, award=award)
        office.token = site.tokens["max"]
        made = office.back_out(LINK, award=award, reason=WHY, second=SecondCard(site.cards["mia"], PINS["mia"]))
        assert (made.entry.kind, made.entry.facts["award"]) == ("back-out", award)
