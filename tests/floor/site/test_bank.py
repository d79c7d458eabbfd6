"""Bank cover: the account beside what the links owe; short, overdue or undeclared means that the links stop."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.compliance.profile import Rules, Weight, find_profile, read_profile
from croupier.errors import NotationError
from croupier.floor.site.bank import BankState, LinkTotals, cover, up_to_cents
from croupier.ledger.entry import UNITS_PER_CENT

RULES = find_profile("washington").on(date(2026, 11, 15))
MONDAY, SUNDAY, NEXT_MONDAY = "2026-11-02T09:00:00Z", "2026-11-08T09:00:00Z", "2026-11-09T09:00:00Z"
A_SECOND_LATER = "2026-11-09T09:00:01Z"


def units(dollars: float) -> int:
    return int(dollars * 100) * UNITS_PER_CENT


def totals(**changes: Any) -> LinkTotals:
    """A meter of $12,000: $10,000 of seed and $2,000 of contributions; $100 in reserve."""
    fresh = LinkTotals(
        "main", meters=units(12_000), reserve=units(100), overflow=0, pending=0, contributed=units(2_100), paid=0
    )
    return replace(fresh, **changes)


def bank(dollars: float, **changes: Any) -> BankState:
    """Declared and deposited on Monday, when everything contributed so far was in it."""
    state = BankState(units(dollars), MONDAY, MONDAY, MONDAY, {"main": 0}, {"main": units(2_100)})
    return replace(state, **changes)


def codes(state: BankState, *links: LinkTotals, at: str = SUNDAY, rules: Rules = RULES) -> list[str]:
    return [finding.code for finding in cover(state, links, rules, at).findings]


def test_an_account_that_holds_what_is_owed_covers_it() -> None:
    found = cover(bank(12_100), [totals()], RULES, SUNDAY)
    assert (found.owed_cents, found.must_be_there_cents, found.is_there_cents) == (1_210_000,) * 3
    assert not found.links_must_stop
    assert found.reason == ""


def test_a_cent_short_stops_the_links_with_the_reason() -> None:
    found = cover(bank(12_099.99), [totals()], RULES, SUNDAY)
    assert found.links_must_stop
    assert found.reason.startswith(
        "The account for prizes is $0.01 short: $12,099.99 is there, and $12,100.00 must be. Deposit $0.01."
    )
    assert "WAC 230-15-455" in found.reason


@pytest.mark.parametrize("part", ["meters", "reserve", "overflow", "pending", "carried"])
def test_every_purpose_of_every_link_is_owed(part: str) -> None:
    more = totals(**{part: getattr(totals(), part) + 1})
    assert codes(bank(12_100), more) == ["bank-short"]
    nothing: dict[str, Any] = dict.fromkeys(
        ("meters", "reserve", "overflow", "pending", "contributed", "paid", "carried"), 0
    )
    assert codes(bank(12_100), totals(), LinkTotals("other", **{**nothing, part: 1})) == ["bank-short"]


def test_wagers_since_the_last_deposit_may_be_on_their_way_for_a_week() -> None:
    grown = totals(meters=units(12_500), contributed=units(2_600))
    assert codes(bank(12_100), grown, at=NEXT_MONDAY) == []
    assert codes(bank(12_100), grown, at=A_SECOND_LATER) == ["bank-short", "deposit-overdue"]
    found = cover(bank(12_100), [grown], RULES, A_SECOND_LATER)
    assert "$500.00 short" in found.reason
    assert "every 7 days, and $500.00 is waiting" in found.reason


def test_an_overdue_deposit_stops_even_an_account_that_is_rich_enough() -> None:
    grown = totals(meters=units(12_500), contributed=units(2_600))
    found = cover(bank(50_000), [grown], RULES, A_SECOND_LATER)
    assert [finding.code for finding in found.findings] == ["deposit-overdue"]
    assert found.links_must_stop


def test_without_wagers_no_deposit_is_due() -> None:
    assert codes(bank(12_100), totals(), at="2026-12-31T00:00:00Z") == []


def test_before_the_first_deposit_the_week_counts_from_the_first_declaration() -> None:
    state = bank(10_000, deposited_at="", contributed_then={})
    assert codes(state, totals(), at=NEXT_MONDAY) == []
    found = cover(state, [totals()], RULES, A_SECOND_LATER)
    assert "since the declaration of 2026-11-02" in found.reason


def test_a_deposit_of_too_little_is_short_at_once() -> None:
    grown = totals(meters=units(12_500), contributed=units(2_600))
    state = bank(12_200, deposited_at=SUNDAY, contributed_then={"main": units(2_600)})
    assert codes(state, grown) == ["bank-short"]


@given(brought=st.integers(0, 10**9), there=st.integers(0, 3 * 10**9), part=st.integers(0, UNITS_PER_CENT - 1))
def test_the_deposit_that_is_asked_for_covers_it_and_a_cent_less_does_not(brought: int, there: int, part: int) -> None:
    """What wagers brought since the last deposit need not be there until the next one: then it must."""
    grown = totals(meters=units(12_000) + brought + part, contributed=units(2_100) + brought + part)
    state = bank(0, balance_units=there)
    short = cover(state, [grown], RULES, SUNDAY)
    asked = short.to_deposit_cents
    assert bool(asked) == short.links_must_stop

    def after(cents: int) -> bool:
        balance = state.balance_units + cents * UNITS_PER_CENT
        deposited = replace(
            state, balance_units=balance, deposited_at=SUNDAY, contributed_then={"main": grown.contributed}
        )
        return cover(deposited, [grown], RULES, SUNDAY).links_must_stop

    if asked:
        assert not after(asked)
        assert after(asked - 1)


def test_the_reason_names_the_deposit_with_what_is_on_its_way() -> None:
    grown = totals(meters=units(12_500), contributed=units(2_600))
    found = cover(bank(12_000), [grown], RULES, SUNDAY)
    assert found.reason.startswith(
        "The account for prizes is $100.00 short: $12,000.00 is there, and $12,100.00 must be. Deposit $600.00, with "
        "the $500.00 that wagers have brought since the last deposit."
    )


def test_an_award_paid_leaves_the_account_and_the_seed_has_to_be_there() -> None:
    won = totals(meters=units(10_100), reserve=0, paid=units(12_000))
    found = cover(bank(12_100), [won], RULES, SUNDAY)
    assert found.is_there_cents == 10_000
    assert "$10,000.00 short" in found.reason
    assert codes(bank(22_100), won) == []


def test_an_award_paid_before_the_declaration_does_not_come_off_again() -> None:
    won = totals(meters=units(10_100), reserve=0, paid=units(12_000))
    assert codes(bank(10_100, paid_then={"main": units(12_000)}), won) == []


def test_an_account_without_room_for_the_next_seed_is_warned_of_beforehand() -> None:
    seeded = totals(next_seed_cents=1_000_000)
    found = cover(bank(22_099.99), [seeded], RULES, SUNDAY)
    assert [(finding.code, finding.weight) for finding in found.findings] == [("no-room-for-seed", Weight.WARNING)]
    assert not found.links_must_stop
    assert codes(bank(22_100), seeded) == []


def test_nobody_having_declared_anything_stops_the_links() -> None:
    assert codes(BankState(), totals()) == ["bank-undeclared"]
    assert codes(BankState()) == ["bank-undeclared"]


def test_where_it_is_a_practice_the_links_play_on() -> None:
    rules = find_profile("generic").on(date(2026, 11, 15))
    found = cover(bank(0), [totals()], rules, SUNDAY)
    assert [(finding.code, finding.weight) for finding in found.findings] == [("bank-short", Weight.WARNING)]
    assert not found.links_must_stop


def test_where_no_account_is_asked_for_nothing_is_found() -> None:
    text = 'title = "x"\n[[rule]]\nfact = "most_tables"\nsince = 2020-01-01\nvalue = 5\ncitation = "c"'
    assert codes(BankState(), totals(), rules=read_profile(text, "mine").on(date(2026, 1, 1))) == []


SECOND = find_profile("washington/2").on(date(2026, 11, 15))


def test_below_what_is_posted_the_games_stop_at_once_whatever_is_on_its_way() -> None:
    grown = totals(meters=units(12_500), contributed=units(2_600))
    assert codes(bank(12_100), grown) == [], "by the first edition a week's wagers may be on their way"
    found = cover(bank(12_499.99), [grown], SECOND, SUNDAY)
    assert (found.must_be_there_cents, found.links_must_stop) == (1_250_000, True)
    assert found.reason == (
        "The account for prizes has $12,499.99, and $12,500.00 is posted: progressive games stop at once, until "
        "$100.01 is deposited. (WAC 230-15-720, -715)"
    )
    assert codes(bank(12_500), grown, rules=SECOND) == []


def test_an_award_that_waits_for_its_card_is_posted_and_a_reserve_is_not() -> None:
    waiting = totals(meters=units(10_000), pending=units(2_500), contributed=units(2_600))
    assert codes(bank(12_499.99), waiting, rules=SECOND) == ["below-posted"]
    assert codes(bank(12_500), waiting, rules=SECOND) == []
    kept = totals(reserve=units(600), contributed=units(2_600))
    assert codes(bank(12_099.99), kept, rules=SECOND) == ["bank-short"]
    assert codes(BankState(), grown := totals(), rules=SECOND) == ["bank-undeclared"], grown


def test_before_the_rule_took_effect_it_stops_nothing() -> None:
    assert codes(bank(-1), totals()) == ["bank-short"], "an account that paid more than it had"
    grown = totals(meters=units(12_500), contributed=units(2_600))
    early = find_profile("washington/2").on(date(2021, 6, 13))
    assert "below-posted" not in codes(bank(12_100), grown, rules=early)


@given(st.integers(0, 10**15), st.integers(0, 10**15), st.integers(0, 10**15))
def test_the_links_play_exactly_while_the_money_is_there(there: int, owed: int, on_its_way: int) -> None:
    state = bank(0, balance_units=there, contributed_then={"main": 0})
    link = totals(meters=owed, reserve=0, contributed=on_its_way)
    found = cover(state, [link], RULES, SUNDAY)
    assert found.links_must_stop == (there // UNITS_PER_CENT < up_to_cents(owed - min(owed, on_its_way)))


def test_what_came_back_from_players_before_the_declaration_does_not_hide_an_award_after_it() -> None:
    """A correction may put money of players on a meter before anything was ever won there."""
    state = bank(10_100, paid_then={"main": -units(500)})
    assert cover(state, [totals(reserve=0, paid=units(1_500))], RULES, SUNDAY).is_there_cents == 10_100_00 - 2_000_00


@pytest.mark.parametrize(
    "part", ["meters", "reserve", "overflow", "pending", "contributed", "next_seed_cents", "carried"]
)
def test_amounts_below_nothing_are_refused(part: str) -> None:
    with pytest.raises(NotationError, match=f"The {part} of the link main"):
        totals(**{part: -1})
