"""The event log over HTTP, and what the pages of records ask beside it."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import pytest

from croupier.web.floor import log as looking
from tests.web.support import LINK, Room, done, error_of

LINE = "Three 7's - Same Color"


def log(room: Room, who: str = "aud", **asked: Any) -> dict[str, Any]:
    return done(room.get("/api/log", who, params=asked))


def play(room: Room) -> int:
    """A game with an award that Eve confirms; its number."""
    room.start(1, (1, 2))
    entered = done(room.act(f"/api/links/{LINK}/enter", "ann 1", table=1, seat=2, line=LINE))
    award: int = entered["entry"]["number"]
    done(room.act(f"/api/links/{LINK}/call", "ann 1", table=1))
    done(room.act(f"/api/links/{LINK}/confirm", "ann 1", award=award, card=room.site.cards["eve"]))
    done(room.act(f"/api/links/{LINK}/end", "ann 1", table=1))
    return award


def test_pages_of_the_log_hold_every_entry_once_newest_first(room: Room) -> None:
    play(room)
    found: list[dict[str, Any]] = []
    page = log(room, most=7)
    while True:
        found += page["rows"]
        if page["older"] is None:
            break
        page = log(room, most=7, before=page["older"])
    ends = room.runtime.reading.ends()
    assert len({(row["book"], row["entry"]) for row in found}) == len(found) == sum(ends.values())
    assert [row["at"] for row in found] == sorted((row["at"] for row in found), reverse=True)


def test_the_log_is_searched_by_book_kind_person_table_words_and_time(room: Room) -> None:
    award = play(room)
    assert [row["kind"] for row in log(room, kind="confirm")["rows"]] == ["confirm"]
    assert {row["book"] for row in log(room, book="site", most=500)["rows"]} == {"site"}
    assert [row["kind"] for row in log(room, person="eve", book=f"link:{LINK}")["rows"]] == ["confirm"]
    assert [row["kind"] for row in log(room, text=f"AWARD {award} OF")["rows"]] == ["confirm"]
    assert [row["kind"] for row in log(room, text="seat confirmed eve")["rows"]] == ["confirm"]  # in any order
    (told,) = log(room, kind="confirm")["rows"]
    (amount,) = re.findall(r"\$[\d,]+\.\d\d", told["sentence"])
    for written in (amount, amount.replace(",", ""), amount.replace(",", "")[1:]):
        assert "confirm" in [row["kind"] for row in log(room, text=written, book=f"link:{LINK}")["rows"]], written
    assert log(room, text=amount[:-1] + str((int(amount[-1]) + 1) % 10))["rows"] == []
    assert log(room, text=amount.partition(",")[0])["rows"] == []  # $10 is no $10,000
    assert log(room, table=2, book=f"link:{LINK}")["rows"] == []
    noon = {"from": "2000-01-01T12:00", "to": "2000-01-02T12:00"}
    assert log(room, **noon) | {"newest": ""} == {"rows": [], "older": None, "newest": "", "looked": 0, "back_to": None}
    since = log(room, **{"from": log(room, kind="confirm")["rows"][0]["at"]}, book=f"link:{LINK}")
    assert [row["kind"] for row in since["rows"]] == ["end", "confirm"]


def test_what_is_new_is_told_by_itself(room: Room) -> None:
    before = log(room, most=1)["newest"]
    assert log(room, after=before)["rows"] == []
    room.start(3)
    assert [row["kind"] for row in log(room, after=before)["rows"]] == ["start"]


def test_a_search_looks_so_far_and_says_so(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    play(room)
    monkeypatch.setattr(looking, "MOST_LOOKED", 3)
    page = log(room, kind="create-site")
    assert (page["rows"], page["looked"]) == ([], 3)
    while page["older"]:
        page = log(room, kind="create-site", before=page["older"])
    assert [row["kind"] for row in page["rows"]] == ["create-site"]


def test_what_the_books_do_not_know_is_refused_by_name(room: Room) -> None:
    for asked in ({"kind": "dance"}, {"person": "zoe"}, {"book": "link:none"}):
        refused = room.get("/api/log", "aud", params=asked)
        assert refused.status_code == 404, asked
        assert str(next(iter(asked.values()))) in refused.json()["error"]["sentence"]
    assert error_of(room.get("/api/log", "aud", params={"from": "noon"})) == "wrong-form"


def test_the_log_as_a_file_is_on_record_and_not_for_a_supervisor(room: Room) -> None:
    assert room.get("/api/log.csv", "sue").status_code == 403
    answer = room.get("/api/log.csv", "aud", params={"book": "site"})
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [row["kind"] for row in rows][-1] == "create-site"
    last = log(room, book="site", most=1)["rows"][0]
    assert (last["kind"], last["people"]) == ("note-export", "aud")


def test_a_report_for_the_screen_is_its_printed_page_with_the_sums_of_its_json(room: Room) -> None:
    play(room)
    told = done(room.get("/api/reports/awards", "sue"))
    shown = done(room.get("/api/reports/awards?format=page", "sue"))
    assert shown["sums"] == {name: told[name] for name in shown["sums"]}
    [table] = shown["page"]["tables"]
    assert len(table["rows"]) == len(told["rows"]) == 1
    assert table["rows"][0][-1] == f"${told['confirmed_cents'] / 100:,.2f}"


def test_a_report_for_the_screen_says_which_differences_are_nothing(room: Room) -> None:
    play(room)
    for kind in ("balance", "accrual"):
        tables = done(room.get(f"/api/reports/{kind}?format=page", "sue"))["page"]["tables"]
        judged = [(table, *verdict) for table in tables for verdict in table["verdicts"]]
        assert judged, kind
        for table, row, column, good in judged:
            assert "Difference" in (table["rows"][row][0], table["columns"][column])
            assert good == (table["rows"][row][column] == "$0.00")


def test_an_awards_meter_is_told_from_the_award_before_it(room: Room) -> None:
    first = play(room)
    made = done(room.get(f"/api/links/{LINK}/awards/{first}/meter"))
    assert (made["since_award"], made["began_units"], made["difference_units"]) == (None, 0, 0)
    left = done(room.get(f"/api/links/{LINK}"))["levels"][0]["meter_cents"]
    second = play(room)
    made = done(room.get(f"/api/links/{LINK}/awards/{second}/meter"))
    assert (made["since_award"], made["began_units"] // 10**6, made["games"]) == (first, left, 1)
    assert made["began_units"] + made["flows"]["contributions"] == made["before_units"]
    assert error_of(room.get(f"/api/links/{LINK}/awards/1/meter")) == "no-such-award"
