"""The office's desk: what an act would come to before it is signed, and a link's past and future."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from croupier.analysis.meter.outlook import outlook
from croupier.audit.export import open_existing
from croupier.errors import CroupierError, RecordError
from croupier.floor.link.checks import plan_of
from croupier.ledger.entry import UNITS_PER_CENT
from croupier.ledger.rows import MovedRow, read_moved
from croupier.store.sqlite import SqliteStore
from croupier.store.store import Row
from croupier.web.floor import history, previews
from croupier.web.floor.history import COARSE_S, FINE_S, SPANS_S, DaysFlow, MeterHistory, Point, add_point
from croupier.web.games.questions import worth
from support.room import ONE_METER
from tests.web.support import LINK, Room, done, error_of

SUITED = "Three 7's - Same Suit"


def setup_of(room: Room, **changes: Any) -> dict[str, Any]:
    return {**done(room.get(f"/api/links/{LINK}"))["setup"], **changes}


def check(room: Room, link: str = LINK, **changes: Any) -> dict[str, Any]:
    return done(room.post(f"/api/links/{link}/check", setup=setup_of(room, **changes)))


def entries(room: Room) -> int:
    return int(done(room.get(f"/api/links/{LINK}"))["number"])


# What a new link begins with


def funding(room: Room, path: str, **query: Any) -> dict[str, Any]:
    asked = {"decks": 8, "wager_cents": 500, **query}
    found: dict[str, Any] = done(room.get(f"/api/progressives/{path}/funding", params=asked))["funding"]
    return found


def test_every_meter_of_a_paytable_begins_with_a_seed_a_contribution_and_a_reserve(room: Room) -> None:
    found = funding(room, "blazing-7s-dealer/ML03")
    assert found["source"] == "printed-holds"
    assert [(level["level"], level["seed_cents"]) for level in found["levels"]] == [
        *(("Mega", 1_000_000), ("Major", 500_000), ("Minor", 250_000))
    ]
    assert sum(level["contribution_ppm"] + level["reserve_ppm"] for level in found["levels"]) == 240_000
    assert sum(level["reserve_ppm"] for level in found["levels"]) == 10_000
    assert all(level["contribution_ppm"] and level["reserve_ppm"] for level in found["levels"])
    assert f"{found['hold']:.2%}" == "21.65%"  # as the document prints it


def test_what_nobody_has_printed_is_a_proposal_with_its_reason(room: Room) -> None:
    found = funding(room, "trilux/6", decks=6, wager_cents=100)
    assert (found["source"], found["levels"][0]["seed_cents"]) == ("proposal", 100_000)
    assert "in the proportion in which Blazing 7's paytable 1" in found["reason"]


@pytest.mark.parametrize(
    ("path", "query", "sentence"),
    [
        ("blazing/1", {}, "There is no progressive wager 'blazing'"),
        ("trilux/9", {}, "There is no paytable '9'; there are: 6"),
        ("trilux/6", {"decks": 2}, "There is no number of decks '2'; there are: 6, 8"),
        ("trilux/6", {"wager_cents": 0}, "wager_cents"),
    ],
)
def test_a_funding_that_cannot_be_is_refused_in_a_sentence(
    room: Room, path: str, query: dict[str, Any], sentence: str
) -> None:
    asked = {"decks": 6, "wager_cents": 500, **query}
    answer = room.get(f"/api/progressives/{path}/funding", params=asked)
    assert sentence in answer.json()["error"]["sentence"]


# Configurations


def test_a_configuration_against_the_law_is_told_with_its_citation_and_nothing_is_entered(room: Room) -> None:
    done(room.act(f"/api/links/{LINK}/close", reason="Change."))
    before = entries(room)
    found = check(room, wager_cents=50_000)
    stops = [each for each in found["findings"] if each["weight"] == "error"]
    assert not found["allowed"]
    assert [(each["code"], "WAC 230-15-140" in each["citation"]) for each in stops] == [("wager-too-high", True)]
    assert entries(room) == before


def test_what_only_warns_may_be_saved_and_carries_its_citation(room: Room) -> None:
    done(room.act(f"/api/links/{LINK}/close", reason="Change."))
    level = {**setup_of(room)["levels"][0], "seed_cents": 50_000}
    found = check(room, levels=[level])
    assert found["allowed"]
    assert {each["weight"] for each in found["findings"]} == {"warning"}
    assert all(each["citation"] for each in found["findings"])
    assert found["changed"] == ["levels"]
    assert set(found["proof"]) == {"1", "2", "3"}


def test_a_link_that_is_open_says_what_to_do_first(room: Room) -> None:
    found = check(room, executive_threshold_cents=100_000)
    assert found["refusal"] == {"code": "not-closed", "sentence": "The link main is open: close it first."}


def test_a_new_links_tables_may_not_be_on_another_link(room: Room) -> None:
    found = check(room, link="side")
    assert found["new"]
    assert "second-progressive" in {each["code"] for each in found["findings"]}
    assert "side" not in {each["link"] for each in done(room.get("/api/links"))["links"]}


def test_a_configuration_that_contradicts_itself_is_one_clear_sentence(room: Room) -> None:
    refused = room.post(f"/api/links/{LINK}/check", setup=setup_of(room, decks=3))
    assert error_of(refused) == "wrong-setup"
    assert "6 or 8 decks" in refused.json()["error"]["sentence"]


# Adjustments


def preview(room: Room, **values: Any) -> dict[str, Any]:
    asked = {
        "level": "",
        "reason": "malfunction",
        "source": "house",
        "target": "meter",
        "cents": 1_234,
        "text": "Sensor.",
    }
    return done(room.post(f"/api/links/{LINK}/adjusting", **{**asked, **values}))


def test_an_adjustment_is_shown_as_a_balanced_transfer_and_is_not_done(room: Room) -> None:
    before = entries(room)
    found = preview(room)
    assert found["refusal"] is None
    assert found["transfers"] == [["house", "meter", 1_234_000_000]]
    assert sum(each["change_cents"] for each in found["accounts"]) == 0
    meter = next(each for each in found["accounts"] if each["account"] == "meter")
    assert meter["after_cents"] - meter["before_cents"] == 1_234
    assert entries(room) == before


def test_an_unlawful_adjustment_is_refused_in_the_preview_as_it_would_be_when_it_is_sent(room: Room) -> None:
    assert preview(room, reason="seed-recovery")["refusal"]["code"] == "not-lawful"
    assert preview(room, source="meter", target="house", cents=10**9)["refusal"]["code"] == "not-there"


def test_money_for_players_says_who_must_be_one_of_the_two(room: Room) -> None:
    assert preview(room, source="meter", target="players")["one_of_them"] == ["executive"]
    assert preview(room, source="meter", target="players", cents=600_000)["one_of_them"] == ["executive"]
    assert preview(room)["one_of_them"] == []


def test_the_lawful_reasons_are_those_of_the_place(room: Room) -> None:
    found = done(room.get(f"/api/links/{LINK}/adjusting"))
    assert "WAC 230-15-695" in found["citation"]
    assert {each["reason"] for each in found["reasons"]} >= {"amount-won", "malfunction", "seed-recovery"}
    assert found["levels"][0]["meter_cents"] == done(room.get(f"/api/links/{LINK}"))["levels"][0]["meter_cents"]


# The past


def test_the_history_ends_at_the_meter_and_keeps_where_it_fell(room: Room) -> None:
    room.start(1, (1, 2, 3), who="sue")
    award = done(room.act(f"/api/links/{LINK}/enter", "sue", table=1, seat=1, line=SUITED))["entry"]["number"]
    done(room.act(f"/api/links/{LINK}/call", "sue", table=1))
    done(room.act(f"/api/links/{LINK}/confirm", "eve", award=award, card=room.site.cards["eve"]))
    now = done(room.get(f"/api/links/{LINK}"))
    for span in ("day", "week", "all"):
        found = done(room.get(f"/api/links/{LINK}/history?span={span}&points=10"))
        shown = found["levels"][0]["cents"]
        assert (shown[-1], found["number"]) == (now["levels"][0]["meter_cents"], now["number"])
        assert shown[0] == 1_000_000
        assert len(found["at"]) == len(shown)
        assert found["at"] == sorted(found["at"])


def test_a_day_of_a_long_book_is_read_from_where_it_begins(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    for table in (1, 2, 3):
        room.start(table, (1, 2, 3), who="sue")
    stream, now = f"link:{LINK}", room.runtime.house.links[LINK]
    rows = list(room.runtime.reading.rows(stream))
    then, whole, part = MeterHistory(("",)), MeterHistory(("",)), MeterHistory(("",))
    then.follow(rows[:-2])
    whole.follow(rows)
    part.begin_with(rows[-3].number, then.fine[-1].at, now.meter_units, rows[-2:])
    assert part.fine[0] == then.fine[-1]
    part.follow(rows[-2:])
    assert (part.number, part.fine[-1], part.units) == (whole.number, whole.fine[-1], whole.units)

    monkeypatch.setitem(SPANS_S, "day", 0.0)
    read: list[int] = []
    real = SqliteStore.rows

    def counted(store: SqliteStore, *given: Any) -> Iterator[Row]:
        for row in real(store, *given):
            read.append(row.number)
            yield row

    monkeypatch.setattr(SqliteStore, "rows", counted)
    found = done(room.get(f"/api/links/{LINK}/history?span=day"))
    assert (found["levels"][0]["cents"][-1], found["number"], read) == (now.shown_cents[""], now.entries, [])


def test_a_book_that_another_reads_is_not_waited_for(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(previews, "READ_BY_ANOTHER_S", 0.0)
    done(room.get(f"/api/links/{LINK}/history?span=all"))
    (history,) = room.app.state.histories.values()
    with history.lock:
        assert error_of(room.get(f"/api/links/{LINK}/history?span=all")) == "busy"


def test_all_time_goes_on_from_what_an_earlier_server_has_kept(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The next server reads on from there; of a book that says something else there, it reads everything."""
    monkeypatch.setattr(previews, "KEEP_EVERY", 2)
    room.start(1, (1, 2))
    asked = f"/api/links/{LINK}/history?span=all"
    first = done(room.get(asked))
    read: list[int] = []
    follow = MeterHistory.follow

    def watched(history: MeterHistory, rows: list[Row]) -> None:
        read.extend(row.number for row in rows)
        follow(history, rows)

    monkeypatch.setattr(MeterHistory, "follow", watched)
    room.app.state.histories.clear()  # as a server that has just started
    room.start(2, (1, 2, 3))
    again = done(room.get(asked))
    assert read == list(range(first["number"] + 1, again["number"] + 1))
    whole = MeterHistory(("",))
    with open_existing(room.site.db) as store:
        follow(whole, list(store.rows(f"link:{LINK}")))
    assert again["levels"][0]["cents"][-1] == whole.coarse[-1].cents[0] == room_meter(room)
    (kept,) = room.app.state.histories.values()
    assert kept.coarse == whole.coarse
    room.app.state.history_store.keep(LINK, kept, "0" * 64)  # of another book
    room.app.state.histories.clear()
    read.clear()
    assert done(room.get(asked))["levels"]
    assert read[0] == 1


def test_what_wagers_brought_since_the_gaming_day_began_is_what_the_days_balance_says(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seed, an award and the meter that follows it are no feeding; what was fed before the day is not of it."""
    asked = f"/api/links/{LINK}/fed"
    assert done(room.get(asked))["levels"][0]["fed_cents"] == 0  # the seed alone
    room.start(1, (1, 2, 3), who="sue")
    award = done(room.act(f"/api/links/{LINK}/enter", "sue", table=1, seat=1, line=SUITED))["entry"]["number"]
    done(room.act(f"/api/links/{LINK}/call", "sue", table=1))
    done(room.act(f"/api/links/{LINK}/confirm", "eve", award=award, card=room.site.cards["eve"]))
    found = done(room.get(asked))
    fed_units = 3 * ONE_METER.wager_cents * ONE_METER.levels[0].contribution_ppm
    (balance,) = done(room.get(f"/api/days/{found['day']}"))["levels"]
    assert (found["number"], balance["contributions_units"]) == (entries(room), fed_units)
    assert found["levels"][0]["fed_cents"] == fed_units // UNITS_PER_CENT > 0
    room.start(2, (1,), who="sue")
    assert done(room.get(asked))["levels"][0]["fed_cents"] == (fed_units + fed_units // 3) // UNITS_PER_CENT
    tomorrow = "9999-01-01T00:00:00Z"
    monkeypatch.setattr(previews, "bounds", lambda *_: (tomorrow, tomorrow))
    assert done(room.get(asked))["levels"][0]["fed_cents"] == 0


@pytest.mark.parametrize("wrong", ["row", "transfer"])
def test_a_row_that_could_not_be_counted_is_counted_when_it_can_be(
    room: Room, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    """Once, with all that it moved; neither left out without a word nor in part twice."""
    for table in (1, 2):
        room.start(table, (1, 2, 3), who="sue")
    brief, days_flow, whole = room.app.state.runtime.house.links[LINK], DaysFlow(), DaysFlow()

    def unreadable(body: bytes) -> MovedRow:
        moved = read_moved(body)
        if wrong == "row":
            raise RecordError("It cannot be read.")
        return msgspec.structs.replace(moved, transfers=msgspec.Raw(b'[["tray","meter",5],["tray","",5]]'))

    with open_existing(room.site.settings.db) as store:
        whole.follow(store, brief, "2000-01-01T00:00:00Z")
        with monkeypatch.context() as patched:
            patched.setattr(history, "read_moved", unreadable)
            with pytest.raises(CroupierError, match=r"cannot be read|There is no account"):
                days_flow.follow(store, brief, "2000-01-01T00:00:00Z")
        days_flow.follow(store, brief, "2000-01-01T00:00:00Z")
    assert (days_flow.number, days_flow.sums) == (whole.number, whole.sums)
    assert whole.fed_cents(brief.setup.levels[0].level) > 0


def room_meter(room: Room) -> int:
    cents: int = done(room.get(f"/api/links/{LINK}"))["levels"][0]["meter_cents"]
    return cents


def test_a_long_history_is_thinned_but_no_fall_is_lost() -> None:
    history = MeterHistory(("",))
    for second in range(0, 200_000, 5):
        shown = 1_000_000 + second if second < 100_000 else 900_000 + second
        for points, step in ((history.fine, FINE_S), (history.coarse, COARSE_S)):
            add_point(points, Point(float(second), (shown,)), step)
    found = history.shown(None, 200_000.0, 50)
    assert len(found) < 60
    cents = [point.cents[0] for point in found]
    falls = [one - other for one, other in pairwise(cents) if one > other]
    assert falls == [100_000 - 5]


# The future


def test_the_outlook_is_that_of_the_meters_now() -> None:
    plan = plan_of(ONE_METER)
    low, high = (outlook(plan, {"": cents}, {"": 0}) for cents in (1_000_000, 2_000_000))
    level = low["levels"][0]
    assert (level["meter_dollars"], low["in_favor_of"]) == (10_000, "house")
    assert level["ahead"]["p5"][0] == level["ahead"]["p95"][0] == 10_000
    assert all(least <= most for least, most in zip(level["ahead"]["p5"], level["ahead"]["p95"], strict=True))
    # The value grows with the meter in a straight line, and is nothing at break-even.
    slope = (high["value_dollars"] - low["value_dollars"]) / 10_000
    assert low["value_dollars"] + slope * (level["break_even_dollars"] - 10_000) == pytest.approx(0, abs=1e-9)
    even = outlook(plan, {"": round(level["break_even_dollars"] * 100)}, {"": 0})
    assert even["value_share"] == pytest.approx(0, abs=1e-6)


def test_a_meter_past_break_even_is_good_and_the_count_says_from_when() -> None:
    """The dealer's sevens make the award, so a seven that is gone is what a counter minds."""
    setup = json.dumps(ONE_METER.as_json())
    [level] = outlook(plan_of(ONE_METER), {"": 1_000_000}, {"": 0})["levels"]
    even = level["break_even_dollars"] * 100
    below, above = (worth(setup, (round(even * part),)) for part in (0.999, 1.001))
    assert (below["in_favor_of"], below["count"]) == ("house", None)
    assert above["in_favor_of"] == "player"
    tags = above["count"]["tags"].strip("()").split(", ")
    assert [rank for rank, tag in zip("A23456789TJQK", tags, strict=True) if tag == "-1"] == ["7"]
    # At break-even the full shoe is just good: so is any count from about nothing on.
    assert above["count"]["good_from"] == pytest.approx(0, abs=0.1)
    assert above["count"]["good_from"] < 0


# The bank


def test_the_account_tells_deposits_when_the_next_is_due_and_what_each_link_owes(room: Room) -> None:
    done(room.act("/api/site/deposit", amount_cents=12_345, reference="slip 7"))
    found = done(room.get("/api/bank/account"))
    newest = found["entries"][0]
    assert (newest["kind"], newest["cents"], newest["reference"]) == ("deposit", 12_345, "slip 7")
    assert found["deposit_every_days"] == 7
    assert found["deposit_due_at"] > found["deposited_at"]
    assert found["links"][0]["meters_cents"] == 1_000_000
    assert found["links"][0]["since_deposit_cents"] == 0
