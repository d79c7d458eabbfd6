"""What an award's amount calls for on its day, at each threshold and a cent beside it."""

from __future__ import annotations

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.compliance.award_checklist import Item, Requirement, checklist
from croupier.compliance.profile import find_profile, read_profile
from croupier.errors import NotationError, RecordError

IN_2025, IN_2026 = date(2025, 12, 31), date(2026, 1, 1)


def items(
    cents: int, *, wager: int = 500, day: date = IN_2026, profile: str = "washington", malfunction: bool = False
) -> dict[Requirement, Item]:
    found = checklist(
        cents,
        wager_cents=wager,
        rules=find_profile(profile).on(day),
        executive_above_cents=500_000,
        malfunction=malfunction,
    )
    assert len({item.call for item in found}) == len(found)
    return {item.call: item for item in found}


def test_a_small_award_takes_a_supervisor_and_the_display() -> None:
    found = items(10_000)
    assert list(found) == [Requirement.CARD, Requirement.DISPLAY]
    assert found[Requirement.CARD].sentence.startswith("Supervisor's card")


@pytest.mark.parametrize(
    ("call", "below", "from_", "day"),
    [
        (Requirement.CAMERA, 300_000, 300_001, IN_2026),
        (Requirement.TAX_SLIP, 149_999, 150_000, IN_2025),
        (Requirement.TAX_SLIP, 199_999, 200_000, IN_2026),
        (Requirement.WITHHOLDING, 500_500, 500_501, IN_2026),
        (Requirement.CURRENCY_REPORT, 1_000_000, 1_000_001, IN_2026),
        (Requirement.SUSPICIOUS_ACTIVITY, 499_999, 500_000, IN_2026),
    ],
)
def test_each_threshold_to_the_cent(call: Requirement, below: int, from_: int, day: date) -> None:
    assert call not in items(below, day=day)
    assert items(from_, day=day)[call].citation


SECOND = "washington/2"


def test_a_verified_prize_is_paid_at_once_up_to_five_thousand_and_the_rest_by_check_within_a_day() -> None:
    whole = items(500_000, profile=SECOND)[Requirement.PAYMENT]
    assert whole.sentence == "Pay all of it at once: it is not above $5,000.00."
    assert (whole.cents, whole.hours) == (None, None)
    parts = items(500_001, profile=SECOND)[Requirement.PAYMENT]
    assert parts.sentence.startswith("Pay at least $5,000.00 at once, and the rest by check within 24 hours")
    assert (parts.cents, parts.hours, parts.citation) == (500_000, 24, "WAC 230-15-690")
    assert Item.of_json(json.loads(json.dumps(parts.as_json()))) == parts
    assert Requirement.PAYMENT not in items(500_001), "the first edition says nothing of it"


def test_video_is_kept_from_the_amount_and_the_camera_verifies_above_it() -> None:
    assert not {Requirement.VIDEO, Requirement.CAMERA} & items(299_999, profile=SECOND).keys()
    at = items(300_000, profile=SECOND)
    assert (Requirement.VIDEO in at, Requirement.CAMERA in at) == (True, False)
    assert at[Requirement.VIDEO].sentence == "From $3,000.00: the video is kept for 30 days."
    assert {Requirement.VIDEO, Requirement.CAMERA} <= items(300_001, profile=SECOND).keys()


def test_an_executives_card_above_the_threshold() -> None:
    assert items(500_000)[Requirement.CARD].sentence.startswith("Supervisor's")
    assert items(500_001)[Requirement.CARD].sentence.startswith("Executive's")


def test_a_rule_is_cited_in_words_and_not_by_a_documents_number() -> None:
    assert [item.citation for item in items(2_000_000).values() if item.citation[:1].isdigit()] == [
        "31 CFR 1021.311",
        "31 CFR 1021.320",
    ]
    assert "Progressive Winner" in items(10_000)[Requirement.CARD].citation


def test_a_tax_slip_takes_the_amount_and_300_times_the_wager() -> None:
    assert Requirement.TAX_SLIP in items(60_000, wager=200, day=IN_2025)
    assert Requirement.TAX_SLIP not in items(59_999, wager=100, day=IN_2025)
    assert Requirement.TAX_SLIP not in items(60_000, wager=201, day=IN_2025)
    assert Requirement.TAX_SLIP not in items(1_000_000, wager=10_000)


def test_withholding_is_24_percent_of_the_award_less_the_wager() -> None:
    item = items(1_200_000)[Requirement.WITHHOLDING]
    assert item.cents == (1_200_000 - 500) * 24 // 100
    assert "$2,878.80" in item.sentence
    assert Requirement.WITHHOLDING not in items(1_200_000, wager=4_000)


def test_a_malfunction_is_told_within_72_hours() -> None:
    assert Requirement.NOTICE not in items(1_200_000)
    assert "72 hours" in items(1_200_000, malfunction=True)[Requirement.NOTICE].sentence


def test_a_place_may_want_to_be_told_of_high_awards() -> None:
    text = 'title = "x"\n[[rule]]\nfact = "notice_above_cents"\nsince = 2020-01-01\nvalue = 100\ncitation = "c"'
    rules = read_profile(text, "mine").on(IN_2026)
    calls = [item.call for item in checklist(101, wager_cents=1, rules=rules, executive_above_cents=0)]
    assert calls == [Requirement.CARD, Requirement.NOTICE]
    calls = [item.call for item in checklist(100, wager_cents=1, rules=rules, executive_above_cents=0)]
    assert calls == [Requirement.CARD]


def test_a_million_dollars_calls_for_everything() -> None:
    assert list(items(100_000_000, malfunction=True, profile=SECOND)) == list(Requirement)


def test_elsewhere_no_camera_is_asked_for() -> None:
    assert Requirement.CAMERA not in items(100_000_000, profile="generic")


@given(st.integers(0, 10**9), st.integers(1, 10**5))
def test_more_money_never_calls_for_less(cents: int, wager: int) -> None:
    low, high = items(cents, wager=wager), items(cents + 1, wager=wager)
    assert set(low) <= set(high)


@given(st.integers(0, 10**9))
def test_the_list_is_stored_with_the_award_and_reads_back(cents: int) -> None:
    for item in items(cents).values():
        assert Item.of_json(json.loads(json.dumps(item.as_json()))) == item


def test_a_damaged_item_is_refused() -> None:
    for values in ({}, {"call": "dance", "sentence": "", "citation": ""}, {"call": "card"}):
        with pytest.raises(RecordError):
            Item.of_json(values)


@pytest.mark.parametrize(("award", "wager", "above"), [(-1, 500, 0), (1, 0, 0), (1, -5, 0), (1, 500, -1)])
def test_amounts_that_cannot_be_are_refused(award: int, wager: int, above: int) -> None:
    rules = find_profile("washington").on(IN_2026)
    with pytest.raises(NotationError):
        checklist(award, wager_cents=wager, rules=rules, executive_above_cents=above)
