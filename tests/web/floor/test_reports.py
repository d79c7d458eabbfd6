"""Reports over HTTP: each equals sums made straight from the exported ledger; its three forms; who may have which."""

from __future__ import annotations

import csv
import io
import json
import re
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from pypdf import PdfReader

from croupier.audit.verify import verify
from croupier.reports import events as log
from croupier.reports.catalogue import REPORTS
from croupier.reports.sheet import column_name
from croupier.web.cluster.runtime import REPORTS_AT_ONCE
from support.room import COLOR, ONE, SUITED
from tests.reports.support import moved, rows_of
from tests.web.support import LINK, MadeSite, Room, done, error_of, running

U = 10**6


@pytest.fixture(scope="module")
def room(made_site: MadeSite, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """A room in which was played: wagers at three tables, awards confirmed, voided and pending, an adjustment."""
    with running(made_site.copy(tmp_path_factory.mktemp("played"))) as made:
        play(made)
        yield made


def play(room: Room) -> None:
    at = f"/api/links/{LINK}"
    for table, seats, hands in (
        (1, (1, 2, 4), {1: COLOR, 2: ONE}),
        (2, (3,), {}),
        (3, (1, 2), {2: SUITED}),
        (1, (1, 5), {5: COLOR}),
    ):
        room.start(table, seats)
        for seat, line in hands.items():
            done(room.act(f"{at}/enter", f"ann {table}", table=table, seat=seat, line=line))
        pending = [each for each in done(room.get(at))["awards"] if each["table"] == table]
        if pending:
            done(room.act(f"{at}/call", f"ann {table}", table=table))
        for each in pending:
            if table == 1 and len(seats) == 2:
                done(room.act(f"{at}/void", "sue", award=each["award"], reason="=The wager was not lit."))
            else:
                done(room.act(f"{at}/confirm", "eve", award=each["award"]))
                done(room.act(f"{at}/issue-slip", "sue", award=each["award"]))
        done(room.act(f"{at}/end", f"ann {table}", table=table))
    room.start(2, (1, 2, 3))
    done(room.act(f"{at}/enter", "ann 2", table=2, seat=3, line=COLOR))
    values: dict[str, Any] = {
        "level": "",
        "cents": 250,
        "reason": "malfunction",
        "source": "meter",
        "target": "house",
        "award": None,
    }
    done(room.act_of_two(f"{at}/adjust", **values, text="A sensor lit by itself."))


@pytest.fixture(scope="module")
def ledger(room: Room, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file as the auditor takes it home."""
    response = room.get("/api/ledger/export", "aud")
    assert response.status_code == 200
    file = tmp_path_factory.mktemp("ledger") / "ledger.jsonl.gz"
    file.write_bytes(response.content)
    return file


@pytest.fixture(scope="module")
def rows(ledger: Path) -> list[dict[str, Any]]:
    return rows_of(ledger, f"link:{LINK}")


def report(room: Room, kind: str, who: str = "sue", **params: Any) -> dict[str, Any]:
    return done(room.get(f"/api/reports/{kind}", who, params=params))


def today(room: Room) -> str:
    day: str = done(room.get("/api/days"))["today"]
    return day


def text_of(response: httpx.Response) -> str:
    assert (response.status_code, response.headers["content-type"]) == (200, "application/pdf")
    return " ".join(
        " ".join(
            page.extract_text().replace("\u200b", "") for page in PdfReader(io.BytesIO(response.content)).pages
        ).split()
    )


def to(*purposes: str) -> Any:
    return lambda kind, source, target: kind == "start" and target.partition(":")[0] in purposes


def balance(rows: list[dict[str, Any]], account: str) -> int:
    return moved(rows, lambda _, s, t: t == account) - moved(rows, lambda _, s, t: s == account)


def locked(rows: list[dict[str, Any]], account: str) -> int:
    """What undecided hands have locked there."""
    found = [each for row in rows for each in row["facts"].get("locked", ())]
    return sum(units * ((target == account) - (source == account)) for source, target, units in found)


# What the reports say


def test_the_exported_ledger_is_right(ledger: Path) -> None:
    found = verify(ledger)
    assert found.right, found.wrong
    assert {book.stream for book in found.books} == {"site", f"link:{LINK}"}


def test_the_meter_balance_is_the_sum_of_the_rows(room: Room, rows: list[dict[str, Any]]) -> None:
    for params in ({}, {"link": LINK}, {"day": today(room)}):
        found = report(room, "balance", **params)
        [level] = found["rows"]
        assert level["contributions_units"] == moved(rows, to("meter"))
        assert (level["closing_units"], level["pending_units"]) == (balance(rows, "meter"), locked(rows, "pending"))
        assert (level["in_reserve_units"], level["difference_units"]) == (balance(rows, "reserve"), 0)
        assert found["difference_units"] == 0
    assert level["adjustments_units"] == -250 * U


def test_contributions_are_the_sums_of_the_rows(room: Room, rows: list[dict[str, Any]]) -> None:
    found = report(room, "contributions", day=today(room))
    starts = [row for row in rows if row["kind"] == "start"]
    for table in (1, 2, 3):
        ours = [row for row in found["rows"] if row["table"] == table]
        theirs = [row for row in starts if row["facts"]["table"] == table]
        assert sum(row["wagers"] for row in ours) == sum(len(row["facts"]["seats"]) for row in theirs)
        assert sum(row["meter_units"] for row in ours) == moved(theirs, to("meter"))
    assert found["totals"]["coin_in_cents"] * U == moved(starts, lambda *_: True)


def test_awards_are_those_of_the_rows(room: Room, rows: list[dict[str, Any]]) -> None:
    found = report(room, "awards", day=today(room))
    kinds = Counter(row["kind"] for row in rows)
    statuses = Counter(row["status"] for row in found["rows"])
    assert statuses == {"confirmed": kinds["confirm"], "voided": kinds["void"], "pending": 1, "paid": kinds["pay"]}
    assert found["confirmed_cents"] * U == moved(rows, lambda kind, s, t: kind == "confirm" and t == "players")
    assert found["pending_cents"] * U == locked(rows, "pending") > 0
    last = report(room, "last-awards")
    confirmed = [row["facts"]["award"] for row in rows if row["kind"] == "confirm"]
    assert [row["award"] for row in last["rows"]] == confirmed[::-1]
    of_link = done(room.get(f"/api/links/{LINK}/awards", "sue"))
    assert of_link["rows"] == last["rows"]
    every = done(room.get(f"/api/links/{LINK}/awards", "sue", params={"which": "all", "fixed_pays": True}))
    assert every["rows"] == found["rows"]


def test_adjustments_and_events_are_those_of_the_rows(room: Room, ledger: Path, rows: list[dict[str, Any]]) -> None:
    [adjusted] = report(room, "adjustments")["rows"]
    [entry] = (row for row in rows if row["kind"] == "adjust")
    assert (adjusted["entry"], adjusted["amount_cents"] * U) == (entry["number"], moved([entry], lambda *_: True))
    told = [(row["book"], row["digest"]) for row in report(room, "events")["rows"]]
    ours = [("site", row["digest"]) for row in rows_of(ledger, "site")] + [(LINK, row["digest"]) for row in rows]
    assert set(ours) <= set(told)
    assert len(told) - len(ours) <= 1  # that the ledger was exported is an entry too
    found = report(room, "events", event="void", text="not lit", table=1, person="sue")
    assert [row["kind"] for row in found["rows"]] == ["void"]


def test_hold_is_what_the_rows_come_to(room: Room, rows: list[dict[str, Any]]) -> None:
    """The house's actual: what came to the tray, less fixed pays, less the seeds after awards."""
    house, game = report(room, "hold", day=today(room))["rows"]
    kept = [row for row in rows if row["kind"] not in ("adjust", "make")]
    tray, players = balance(kept, "tray"), balance(kept, "players")
    assert house["wagers"] == sum(len(row["facts"]["seats"]) for row in rows if row["kind"] == "start")
    assert house["actual_units"] == tray + balance(kept, "house")
    assert (house["figure"], game["figure"]) == ("house", "game")
    coin_in = house["coin_in_cents"] * U
    assert coin_in == moved(rows, lambda kind, *_: kind == "start")
    assert game["actual_units"] == -players  # what they put in and did not get back
    for row in (house, game):
        assert row["low_units"] < row["theoretical_units"] < row["high_units"]
        assert row["normal_fits"] is False
        assert row["actual_ppm"] == pytest.approx(row["actual_units"] / coin_in * 10**6, abs=1)


def test_accrual_and_bank_cover_are_the_sums_of_the_rows(room: Room, ledger: Path, rows: list[dict[str, Any]]) -> None:
    [day] = report(room, "accrual", day=today(room))["rows"]
    owed = [balance(rows, name) for name in ("meter", "reserve", "overflow", "pending")]
    assert (day["closing_units"], day["difference_units"]) == (sum(owed), 0)
    assert day["accrued_units"] == moved(rows, to("meter", "reserve", "overflow"))
    cover = report(room, "bank-cover")["rows"][-1]
    assert cover["owed_cents"] == -(-sum(owed) // U)
    assert cover["carried_units"] == 0
    [declared] = (row["facts"] for row in rows_of(ledger, "site") if row["kind"] == "declare-bank")
    paid = moved(rows, lambda kind, s, t: kind == "confirm" and t == "players")
    assert cover["is_there_cents"] == declared["balance_cents"] - paid // U


# Forms


@pytest.mark.parametrize("kind", [*REPORTS, "close"])
def test_every_report_comes_as_json_csv_and_pdf(room: Room, kind: str) -> None:
    params = {"day": today(room)}
    found = report(room, kind, **params)
    assert found["report"] == kind
    assert re.fullmatch(r"[0-9a-f]{64}", found["read"][-1]["digest"])
    as_csv = room.get(f"/api/reports/{kind}", "eve", params={**params, "format": "csv"})
    assert as_csv.headers["content-type"] == "text/csv; charset=utf-8"
    assert as_csv.headers["content-disposition"] == f'attachment; filename="{kind}-{params["day"]}.csv"'
    lines = list(csv.DictReader(io.StringIO(as_csv.text, newline="")))
    assert len(lines) == len(found["rows"]) > 0
    assert list(lines[0]) == [column_name(name) for name in found["rows"][0]]
    assert [line["link" if "link" in line else "at" if "at" in line else "book"] for line in lines]
    as_pdf = room.get(f"/api/reports/{kind}", "eve", params={**params, "format": "pdf"})
    assert as_pdf.headers["content-disposition"] == f'inline; filename="{kind}-{params["day"]}.pdf"'
    assert "The Room" in text_of(as_pdf)


def test_a_text_that_a_spreadsheet_would_run_is_disarmed(room: Room) -> None:
    found = room.get("/api/reports/awards", "eve", params={"format": "csv"}).text
    assert "'=The wager was not lit." in found


def test_the_catalogue_names_what_there_is(room: Room) -> None:
    found = done(room.get("/api/reports", "sue"))["reports"]
    assert [each["report"] for each in found] == [*REPORTS, "close", "win-page", "jackpot-slip", "adjustment-note"]
    assert all(each["title"] for each in found)


# Pages, explanations, proofs


def test_a_win_page_has_the_award_and_its_checklist(room: Room, rows: list[dict[str, Any]]) -> None:
    award = max((row["facts"] for row in rows if row["kind"] == "confirm"), key=lambda facts: int(facts["cents"]))
    at = f"/api/links/{LINK}/awards/{award['award']}"
    response = room.get(f"{at}/win-page.pdf", "sue")
    shown = text_of(response)
    assert response.headers["content-disposition"] == f'inline; filename="win-page-{LINK}-{award["award"]}.pdf"'
    for words in (f"${award['cents'] / 100:,.2f}", award["line"], "CONFIRMED", "Eve", "Surveillance, date"):
        assert words in shown
    page = done(room.get(f"{at}/win-page", "sue"))
    assert page["checklist"] == award["notes"]["checklist"]
    assert (page["rows"][0]["award_cents"], page["made_at"][:10] >= page["rows"][0]["entered_at"][:10]) == (
        award["cents"],
        True,
    )


def test_an_award_is_explained_to_its_player(room: Room, rows: list[dict[str, Any]]) -> None:
    [award] = (row["facts"] for row in rows if row["kind"] == "confirm" and row["facts"]["line"] == SUITED)
    at = f"/api/links/{LINK}/awards/{award['award']}/explain"
    told = done(room.get(at, "sue"))
    assert (told["cents"], told["status"]) == (award["cents"], "confirmed")
    assert told["time_zone"] == "America/Los_Angeles"  # of the clock on the wall, not of the ledger
    text = room.get(at, "sue", params={"format": "text"})
    assert text.headers["content-type"].startswith("text/plain")
    assert "The award was the whole meter" in text.text
    assert "(America/Los_Angeles)" in text.text
    assert "eve" not in text.text.lower().split()


def test_an_adjustment_has_its_note(room: Room, rows: list[dict[str, Any]]) -> None:
    [number] = (row["number"] for row in rows if row["kind"] == "adjust")
    shown = text_of(room.get(f"/api/links/{LINK}/adjustments/{number}/note.pdf", "sue"))
    for words in ("$2.50", "A sensor lit by itself.", "Max (max), manager", "Mia (mia), manager", "WAC 230-15-695"):
        assert words in shown


def test_a_proof_leaves_nothing_unexplained(room: Room, rows: list[dict[str, Any]]) -> None:
    for params in ({}, {"day": today(room)}):
        found = done(room.get(f"/api/links/{LINK}/proof", "sue", params=params))
        [level] = found["levels"]
        assert (level["closing_units"], level["difference_units"]) == (balance(rows, "meter"), 0)
        assert found["difference_units"] == 0
    before = done(room.get(f"/api/links/{LINK}/proof", "sue", params={"day": "2020-01-01"}))
    assert before["levels"] == []


def test_a_self_check_reads_the_whole_book(room: Room, rows: list[dict[str, Any]]) -> None:
    found = done(room.post(f"/api/links/{LINK}/self-check", "sue"))
    assert (found["whole"], found["entries"], found["digest"]) == (True, rows[-1]["number"], rows[-1]["digest"])
    assert [level["difference"] for level in found["levels"]] == [0]


# Who may, and what is not there


@pytest.mark.parametrize(
    ("who", "status"), [("", 401), ("ann card", 403), ("dan", 403), ("sue card", 403), ("display-all", 403)]
)
def test_reports_are_console_work_of_those_who_may_read(room: Room, who: str, status: int) -> None:
    for path in ("reports", "reports/balance", f"links/{LINK}/proof", f"links/{LINK}/awards", "days", "ledger/export"):
        assert room.get(f"/api/{path}", who).status_code == status, path
    assert room.post(f"/api/links/{LINK}/self-check", who).status_code == status


def test_files_take_the_right_to_export_but_papers_do_not(room: Room) -> None:
    for form in ("csv", "pdf"):
        assert room.get("/api/reports/balance", "sue", params={"format": form}).status_code == 403
        close = {"format": form, "day": today(room)}
        assert room.get("/api/reports/close", "sue", params=close).status_code == 200
        for who in ("aud", "eve", "max"):
            assert room.get("/api/reports/balance", who, params={"format": form}).status_code == 200
    assert room.get("/api/ledger/export", "sue").status_code == 403


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("reports/dance", 404),
        ("reports/balance?link=nowhere", 404),
        ("reports/balance?day=yesterday", 422),
        ("reports/balance?day=2026-11-15&from=2026-11-01", 422),
        ("reports/balance?from=2026-11-15&to=2026-11-01", 422),
        ("reports/balance?day=1815-06-18", 422),
        ("reports/balance?format=docx", 422),
        ("reports/close", 422),
        ("links/nowhere/proof", 404),
        ("links/nowhere/awards/5/win-page.pdf", 404),
        (f"links/{LINK}/awards/1/win-page.pdf", 404),
        (f"links/{LINK}/awards/1/explain", 404),
        (f"links/{LINK}/awards/99999999/explain", 404),
        (f"links/{LINK}/awards/0/explain", 422),
        (f"links/{LINK}/adjustments/2/note.pdf", 404),
        ("ledger/export?link=nowhere", 404),
        ("days/yesterday", 422),
    ],
)
def test_what_is_not_there_is_said_in_the_one_form(room: Room, path: str, status: int) -> None:
    response = room.get(f"/api/{path}", "max")
    assert response.status_code == status, response.text
    error_of(response)


def test_an_export_is_on_the_record(room: Room, ledger: Path) -> None:
    found = report(room, "events", event="note-export")["rows"]
    assert "aud" in {row["people"] for row in found}
    one = room.get("/api/ledger/export", "max", params={"link": LINK})
    assert one.headers["content-disposition"].startswith(f'attachment; filename="ledger-{LINK}-')
    again = [row for row in report(room, "events", event="note-export")["rows"] if "books" in row["sentence"]]
    assert [row["people"] for row in again] == ["aud", "max"]


def test_only_so_many_reports_are_made_at_once(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that has waited too long for its turn is told so; it is made when it is asked for again."""
    from croupier.web.floor import reports

    gate, begun, really = threading.Event(), threading.Semaphore(0), reports.open_books

    def slow(*given: Any) -> Any:
        begun.release()
        gate.wait(60)
        return really(*given)

    monkeypatch.setattr(reports, "open_books", slow)
    monkeypatch.setattr(room.runtime.reports, "_wait_s", 0.01)
    with ThreadPoolExecutor(REPORTS_AT_ONCE) as others:
        first = [others.submit(room.get, "/api/reports/balance", "sue") for _ in range(REPORTS_AT_ONCE)]
        assert all(begun.acquire(timeout=60) for _ in first)
        response = room.get("/api/reports/balance", "sue")
        gate.set()
        assert [each.result().status_code for each in first] == [200] * REPORTS_AT_ONCE
    assert (response.status_code, error_of(response), response.headers["retry-after"]) == (503, "busy", "5")
    assert room.get("/api/reports/balance", "sue").status_code == 200


def test_a_report_is_not_made_for_ever(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    from croupier.web.floor import reports

    monkeypatch.setattr(reports, "MOST_S", -1.0)
    monkeypatch.setattr(reports, "LOOK_EVERY", 1)
    response = room.get("/api/reports/balance", "sue")
    assert (response.status_code, error_of(response)) == (422, "too-long")


def test_the_description_names_every_form(room: Room) -> None:
    paths = json.loads(room.client.get("/api/openapi.json").text)["paths"]
    found = paths["/api/reports/{kind}"]["get"]["responses"]["200"]["content"]
    assert set(found) == {"application/json", "text/csv", "application/pdf"}
    assert "/api/days/{day}/close" in paths


def test_a_log_that_is_longer_than_one_answer_says_so_and_its_csv_has_all_of_it(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log.events, "__defaults__", (log.ANYTHING, 5))
    found = done(room.get("/api/reports/events", "eve"))
    assert len(found["rows"]) == 5
    assert found["left_out"] > 0
    file = room.get("/api/reports/events", "eve", params={"format": "csv"})
    assert (file.status_code, file.headers["content-type"]) == (200, "text/csv; charset=utf-8")
    rows = list(csv.DictReader(io.StringIO(file.text, newline="")))
    assert len(rows) == 5 + found["left_out"]
    assert int(file.headers["content-length"]) == len(file.content)


def test_what_leaves_as_a_file_is_on_record_with_who_took_it(room: Room) -> None:
    def noted() -> list[tuple[str, str]]:
        rows = report(room, "events", event="note-export")["rows"]
        return [(row["people"], row["sentence"]) for row in rows if "report" in row["sentence"]]

    before = len(noted())
    for kind, form in (("events", "csv"), ("balance", "csv"), ("awards", "pdf"), ("awards", "json")):
        assert room.get(f"/api/reports/{kind}", "aud", params={"format": form, "link": LINK}).status_code == 200
    assert room.get("/api/reports/awards", "sue", params={"format": "csv"}).status_code == 403
    found = noted()[before:]
    assert [who for who, _ in found] == ["aud"] * 3
    for (_, sentence), name in zip(found, (f"events-{LINK}", f"balance-{LINK}", f"awards-{LINK}"), strict=True):
        assert sentence.startswith(f"The report {name}-whole-to-")
    entry = list(room.runtime.reading.entries("site"))[-1]
    assert (entry.kind, entry.facts["by"], entry.facts["books"].keys()) == ("note-export", "aud", {f"link:{LINK}"})
