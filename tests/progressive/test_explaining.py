"""An award's page says when, where, how much and why, and names nobody."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from croupier.errors import CroupierError, RecordError
from croupier.progressive.acts import Confirm
from croupier.progressive.explaining import Explanation, explain, story
from tests.progressive.ledger_support import busy_floor, raw, resealed
from tests.progressive.link_support import COLOR, EXECUTIVE, SUITED, Floor

BUSY = busy_floor()


def told(number: int, floor: Floor = BUSY) -> Explanation:
    return explain("main", story("main", raw(floor.entries), number))


def test_the_page_of_a_whole_meter() -> None:
    page = told(5).page()
    for words in (
        *("Award 5 of the link main", "2026-11-15 at 20:00:00 UTC", "table 1, King's Bounty, seat 4, game 1", SUITED),
        *("stood at $10,003.45", "100 %", "$10,003.45, confirmed with an executive's card", "began at $10,000.15"),
        *("of the house's money (the seed)", "from the reserve", "entry 5, digest"),
    ):
        assert words in page
    for name in ("eve", "ann", "sue"):
        assert name not in page.lower().replace("seven", "").split()


def test_the_page_of_a_share_names_the_adjustment() -> None:
    found = told(17)
    assert "10 % of" in found.page()
    assert "Adjusted  $5.00 from meter to house" in found.page()
    facts = json.loads(json.dumps(found.as_json()))
    assert (facts["status"], facts["decided_by_role"], facts["adjustments"]) == ("confirmed", "executive", [46])
    assert facts["cents"] == facts["meter_units"] // 10 // 1_000_000


def test_what_was_not_paid_is_said() -> None:
    assert "voided by the supervisor" in told(13).page()
    assert "The wager was not lit." in told(13).page()
    assert told(15).facts["status"] == "taken back"


def test_a_fixed_pay() -> None:
    found = told(8)
    assert (found.facts["cents"], found.facts["status"]) == (12_500, "paid")
    assert "the dealer's tray" in found.page()
    assert "needs no card" in found.page()


def test_several_hands_of_a_game_and_one_that_waits() -> None:
    floor = Floor()
    floor.start(1, 1, 4)
    first = floor.enter(1, 1, COLOR)
    second = floor.enter(1, 4, COLOR)
    page = told(first, floor).page()
    assert "from the dealer's right" in page
    assert "No card has confirmed it yet." in page
    floor.confirm(second)
    assert told(first, floor).facts["status"] == "pending"
    assert told(second, floor).facts["status"] == "confirmed"
    assert told(first, floor).facts["cents"] == floor.held(first)


def test_the_checklist_is_on_the_page() -> None:
    floor = Floor()
    floor.start(1, 1)
    award = floor.enter(1, 1, SUITED)
    item = {"call": "tax-slip", "sentence": "Form W-2G.", "citation": "26 CFR 7"}
    act = Confirm(id="c", by=EXECUTIVE, award=award)
    entry = floor.link.entry(act, "2026-11-16T00:00:00Z", floor.link.decide(act), {"checklist": [item]})
    floor.link.apply(entry)
    floor.entries.append(entry)
    found = told(award, floor)
    assert "Form W-2G.  [26 CFR 7]" in found.page()
    assert found.facts["checklist"] == [item]


@pytest.mark.parametrize(("number", "words"), [(1, "'make'"), (3, "'start'"), (7, "'confirm'"), (999, "not there")])
def test_what_is_no_award(number: int, words: str) -> None:
    with pytest.raises(CroupierError, match=words):
        told(number)


def _share(values: dict[str, Any]) -> None:
    values["facts"]["held"][0].update(cents=2_000_000)


FORGED: dict[str, tuple[int, Callable[[dict[str, Any]], None]]] = {
    "a larger amount": (5, _share),
    "a share that is none": (5, lambda values: values["facts"]["held"][0].update(share="1/0")),
    "a level that is none": (5, lambda values: values["facts"]["held"][0].update(level="zz")),
    "an award of one name": (5, lambda values: values["facts"].update(held=[{"award": 5}])),
    "no list": (5, lambda values: values["facts"].update(held=5)),
    "no table": (5, lambda values: values["facts"].pop("table")),
    "another contribution before it": (3, lambda values: values["transfers"][0].__setitem__(2, 999)),
    "a larger confirmation": (7, lambda values: values["facts"].update(cents=2_000_000)),
}


@pytest.mark.parametrize("forged", FORGED)
def test_a_book_that_was_sealed_anew_is_not_told(forged: str) -> None:
    """Every digest is right; the row is named that the rules do not write so."""
    place, change = FORGED[forged]
    with pytest.raises(RecordError, match=f"Entry {place} of the book"):
        story("main", raw(resealed(BUSY.entries, place, change)), 5)


def test_words_from_the_book_do_not_move_the_cursor() -> None:
    assert Explanation({}, ("a \x1b[2J\r b",)).page() == "a \\x1b[2J\\r b"


def test_an_altered_row_is_not_told() -> None:
    rows = raw(BUSY.entries)
    rows[6] = (rows[6][0], rows[6][1].replace(b'"cents":', b'"cents":1'))
    with pytest.raises(RecordError, match="Entry 7"):
        story("main", rows, 5)
