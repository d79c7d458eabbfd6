"""An award's page says when, where, how much and why, and names nobody."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from croupier.audit.explain import Explanation, explain, story
from croupier.errors import CroupierError, RecordError
from croupier.floor.link.acts import Confirm, TakeBackHand, VoidAward
from support.room import COLOR, EXECUTIVE, ONE_METER, STYLE_A, SUITED, SUPERVISOR, THREE, TWO, LinkBook
from tests.audit.books import busy_floor, raw, resealed

BUSY = busy_floor()


def told(number: int, floor: LinkBook = BUSY) -> Explanation:
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
    assert "Adjusted  $5.00 from the meter to the house" in found.page()
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


def test_a_fixed_pay_that_takes_a_card_is_paid_against_a_slip() -> None:
    floor = LinkBook(replace(ONE_METER, fixed_pay_card_cents=100_000))
    floor.start(1, 2)
    award = floor.enter(1, 2, THREE)
    assert "Until then nothing leaves the dealer's tray." in told(award, floor).page()
    floor.confirm(award)
    page = told(award, floor).page()
    assert "It is paid against a jackpot slip, out of the dealer's tray; no meter changed." in page
    assert "It was paid" not in page


def test_several_hands_of_a_game_and_one_that_waits() -> None:
    floor = LinkBook()
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


def several(*seats: int, line: str = COLOR) -> tuple[LinkBook, list[int]]:
    floor = LinkBook()
    floor.start(1, *range(1, 7))
    return floor, [floor.enter(1, seat, line) for seat in seats]


def test_the_award_that_comes_first_is_told_with_what_it_left() -> None:
    """Seat 6 comes before seat 2, though it was entered later."""
    floor, (second, first) = several(2, 6)
    found, before = told(second, floor), told(first, floor)
    assert before.facts["ahead"] == []
    assert "Several hands" not in before.page()
    left = before.facts["meter_units"] - before.facts["cents"] * 1_000_000
    assert found.facts["meter_units"] == left
    assert found.facts["ahead"] == [{"award": first, "seat": 6, "cents": before.facts["cents"]}]
    page = found.page()
    for words in (
        *("from the dealer's right, counter-clockwise: the highest seat first", f"seat 6: award {first} of $1,000.69"),
        *(f"10 % of {_money(before.facts['meter_units'])}", f"which is what was left by award {first}."),
        "The amount was set again",
    ):
        assert words in page


def _money(units: int) -> str:
    return f"${units // 100_000_000:,}.{units // 1_000_000 % 100:02d}"


def test_all_that_come_first_are_told_in_their_order_also_when_a_card_has_confirmed_them() -> None:
    floor, (low, high, middle) = several(1, 6, 3)
    floor.confirm(high)
    floor.confirm(middle)
    floor.confirm(low)
    assert [each["award"] for each in told(low, floor).facts["ahead"]] == [high, middle]
    assert f"left by award {middle}" in told(low, floor).page()


def test_a_hand_that_a_card_confirmed_too_early_comes_first_and_is_said_to() -> None:
    floor, (low,) = several(1)
    floor.confirm(low)
    high = floor.enter(1, 6, COLOR)
    page = told(high, floor).page()
    assert "(a card had confirmed it before this hand was entered)" in page
    assert f"left by award {low}" in page


def test_after_all_of_a_meter_the_next_hand_is_of_the_next_one() -> None:
    floor, (first,) = several(6, line=SUITED)
    second = floor.enter(1, 2, COLOR)
    assert f"which is the next meter after award {first}." in told(second, floor).page()


def test_hands_of_other_games_and_hands_that_were_taken_back_come_before_nothing() -> None:
    floor, (first, second) = several(6, 2)
    floor.do(TakeBackHand, table=1, seat=6)
    assert told(second, floor).facts["ahead"] == []
    floor.confirm(second)
    floor.end(1)
    floor.start(1, 2)
    third = floor.enter(1, 2, COLOR)
    assert told(third, floor).facts["ahead"] == []
    assert told(first, floor).facts["status"] == "taken back"


def test_fixed_pays_that_come_off_the_same_meter_are_said() -> None:
    floor = LinkBook(STYLE_A)
    floor.start(1, 2, 4, 6)
    floor.enter(1, 6, COLOR)
    floor.enter(1, 4, TWO)
    assert "less fixed pays of the same game" in told(floor.enter(1, 2, COLOR), floor).page()


@pytest.mark.parametrize("award", [13, 15])
def test_of_an_award_that_did_not_stand_the_money_went_back(award: int) -> None:
    page = told(award).page()
    assert "stands as if nothing had been won by this hand" in page
    assert "would have won" in page
    for words in ("began at", "play went on from there", "The hand wins"):
        assert words not in page


def test_a_voided_whole_meter_began_no_next_one() -> None:
    floor, (award,) = several(4, line=SUITED)
    floor.do(VoidAward, award=award, by=SUPERVISOR, reason="The wager was not lit.")
    page = told(award, floor).page()
    assert "went back" in page
    assert "The next one began" not in page


def test_a_fixed_pay_that_was_taken_back_says_where_the_money_is() -> None:
    floor = LinkBook()
    floor.start(1, 2)
    pay = floor.enter(1, 2, TWO)
    floor.do(TakeBackHand, table=1, seat=2)
    page = told(pay, floor).page()
    assert "went back to the dealer's tray" in page
    assert "It was paid" not in page


def test_times_are_those_of_the_house_with_the_zone_named() -> None:
    found = story("main", raw(BUSY.entries), 5)
    found.zone = "America/Los_Angeles"
    told_there = explain("main", found)
    assert "When      2026-11-15 at 12:00:00 PST (America/Los_Angeles)" in told_there.page()
    assert "UTC" not in told_there.page()
    assert (told_there.facts["at"][-1], told_there.facts["time_zone"]) == ("Z", "America/Los_Angeles")


def test_the_checklist_is_on_the_page() -> None:
    floor = LinkBook()
    floor.start(1, 1)
    award = floor.enter(1, 1, SUITED)
    item = {"call": "tax-slip", "sentence": "Form W-2G.", "citation": "26 CFR 7"}
    act = Confirm(id="c", by=EXECUTIVE, award=award)
    entry = floor.link.entry(
        act, "2026-11-16T00:00:00Z", floor.link.decide(act, "2026-11-15T21:00:00Z"), {"checklist": [item]}
    )
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
