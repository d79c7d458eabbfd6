"""A whole link: made by two people, opened after a self-check, adjusted lawfully, reconfigured closed, retired."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from croupier.compliance.authority import Denied
from croupier.compliance.profile import Lawful
from croupier.errors import Refusal
from croupier.floor.link.acts import (
    Adjust,
    CloseLink,
    EndGame,
    LinkAct,
    MakeLink,
    OpenLink,
    Receive,
    Reconfigure,
    Retire,
    StartGame,
    TakeBackHand,
    VoidAward,
)
from croupier.floor.link.adjust import PATHS
from croupier.floor.link.brief import LinkBrief
from croupier.floor.link.link import Link, proof
from croupier.floor.link.setup import LinkSetup
from croupier.floor.refusals import No
from croupier.ledger.book import Flow
from croupier.ledger.entry import Account, Purpose, Transfer
from support.room import (
    COLOR,
    DEALER,
    EXECUTIVE,
    MANAGER,
    ONE_METER,
    OTHER_MANAGER,
    STYLE_A,
    SUITED,
    SUPERVISOR,
    THREE,
    THREE_METERS,
    TWO,
    LinkBook,
    table,
    with_level,
)
from tests.floor.link.test_cycle import refused

METER, RESERVE, OVERFLOW, HOUSE, PLAYERS, TRAY = (
    *(Purpose.METER, Purpose.RESERVE, Purpose.OVERFLOW),
    *(Purpose.HOUSE, Purpose.PLAYERS, Purpose.TRAY),
)


def denied(floor: LinkBook, why: Denied, act: type[LinkAct], **fields: Any) -> None:
    before = floor.link.snapshot()
    with pytest.raises(Refusal) as caught:
        floor.do(act, **fields)
    assert caught.value.code == why
    assert floor.link.snapshot() == before


# Making


def test_a_link_is_made_closed_with_its_seeds_from_the_house() -> None:
    floor = LinkBook(THREE_METERS, opened=False)
    assert [floor.cents(METER, level) for level in ("Mega", "Major", "Minor")] == [1_000_000, 500_000, 250_000]
    assert floor.cents(HOUSE) == -1_750_000
    facts = floor.entries[0].facts
    assert facts["second"] == ["mia", "manager"]
    assert facts["configuration"] == THREE_METERS.digest
    assert {line["table"] == line["link"] for lines in facts["proof"].values() for line in lines} == {True}


def test_nothing_is_done_with_a_link_that_is_not_made() -> None:
    with pytest.raises(Refusal) as caught:
        Link("main").handle(StartGame(id="c", by=DEALER, table=1, lit=(), based=()), "")
    assert caught.value.code == No.NOT_MADE


def test_a_link_is_made_once_and_under_its_own_name() -> None:
    fields = {"by": MANAGER, "second": OTHER_MANAGER, "setup": ONE_METER}
    refused(LinkBook(), No.ALREADY_MADE, MakeLink, link="main", **fields)
    with pytest.raises(Refusal) as caught:
        Link("main").handle(MakeLink(id="c", link="other", **fields), "")  # type: ignore[arg-type]
    assert caught.value.code == No.NOT_MADE


@pytest.mark.parametrize("name", ["", " ", "a\tb", "x" * 65])
def test_a_link_has_a_name_that_can_be_printed(name: str) -> None:
    with pytest.raises(Refusal) as caught:
        LinkBook(name=name)
    assert caught.value.code == No.WRONG_FORM


@pytest.mark.parametrize(
    ("joining", "code"),
    [(table(4, "Spanish 21"), No.OTHER_TITLE), (table(4, decks=8), No.OTHER_DECKS), (table(4, also=("trilux",)), None)],
)
def test_a_link_is_not_made_with_a_table_that_may_not_join(joining: Any, code: No | None) -> None:
    with pytest.raises(Refusal) as caught:
        LinkBook(replace(ONE_METER, tables=(*ONE_METER.tables, joining)))
    assert caught.value.code == (code or No.SECOND_PROGRESSIVE)


# Opening and closing


def test_opening_checks_rules_configuration_and_balance() -> None:
    floor = LinkBook(opened=False)
    entry = floor.do(OpenLink, by=MANAGER, approved=ONE_METER.digest)
    assert entry.facts["game_digest"] == ONE_METER.game_digest
    assert entry.facts["shown_cents"] == {"": 1_000_000}


def test_an_open_link_is_not_opened_and_a_closed_one_not_closed() -> None:
    floor = LinkBook()
    refused(floor, No.ALREADY_OPEN, OpenLink, by=MANAGER)
    floor.close()
    refused(floor, No.ALREADY_CLOSED, CloseLink, by=MANAGER)


def test_other_rules_keep_the_link_closed() -> None:
    floor = LinkBook(opened=False)
    floor.link.state.game_digest = "f" * 64
    assert "was set up with (ffffffffffff)" in refused(floor, No.RULES_CHANGED, OpenLink, by=MANAGER)


def test_another_configuration_than_the_approved_one_keeps_the_link_closed() -> None:
    refused(LinkBook(opened=False), No.NOT_APPROVED, OpenLink, by=MANAGER, approved="0" * 64)


def test_the_approval_that_a_link_was_opened_with_stays_with_it_until_it_is_configured_anew() -> None:
    floor = LinkBook(opened=False)
    sentence = refused(floor, No.NOT_APPROVED, OpenLink, by=MANAGER, approved=ONE_METER.digest[:8])
    assert ONE_METER.digest in sentence, "whole, so that it can be compared"
    floor.do(OpenLink, by=MANAGER, approved=ONE_METER.digest)
    floor.do(CloseLink, by=MANAGER)
    floor.do(OpenLink, by=MANAGER)
    for link in (floor.link, Link.of_snapshot(floor.link.snapshot()), Link.of_entries("main", floor.entries)):
        brief = LinkBrief.of(link.state)
        assert brief.approved == brief.configuration == ONE_METER.digest
    floor.do(CloseLink, by=MANAGER)
    floor.do(Reconfigure, **new_setup(wager_cents=100))
    assert floor.link.state.approved == ""


def test_another_configuration_than_two_people_signed_keeps_the_link_closed() -> None:
    floor = LinkBook(opened=False)
    floor.link.state.made = replace(ONE_METER, wager_cents=100)
    sentence = refused(floor, No.NOT_APPROVED, OpenLink, by=MANAGER)
    assert f"that of the approved one {ONE_METER.digest}. " in sentence


def test_the_configuration_that_counts_is_the_one_signed_last() -> None:
    floor = LinkBook(opened=False)
    floor.do(Reconfigure, **new_setup(wager_cents=100))
    resumed = Link.of_snapshot(floor.link.snapshot())
    assert resumed.state.configuration == replace(ONE_METER, wager_cents=100).digest
    floor.do(OpenLink, by=MANAGER)


@pytest.mark.parametrize("name", ["game_digest", "configuration"])
def test_two_people_sign_the_same_configuration_again_under_other_rules(name: str) -> None:
    floor = LinkBook(opened=False)
    setattr(floor.link.state, name, "f" * 64)
    floor.do(Reconfigure, **new_setup())
    floor.do(OpenLink, by=MANAGER)


def test_a_link_is_closed_without_a_reason_too() -> None:
    assert LinkBook().do(CloseLink, by=MANAGER).facts["reason"] == ""


@pytest.mark.parametrize(
    ("account", "words"),
    [
        (Account(TRAY), "the sum of all accounts differs by 1 "),
        (Account(METER), "the sum of all accounts"),
    ],
)
def test_a_book_that_does_not_balance_keeps_the_link_closed(account: Account, words: str) -> None:
    floor = LinkBook(opened=False)
    floor.link.state.book.balances[account] = floor.link.state.book.balances.get(account, 0) + 1
    assert words in refused(floor, No.UNBALANCED, OpenLink, by=MANAGER)


def test_a_meter_that_is_not_explained_keeps_the_link_closed() -> None:
    floor = LinkBook(opened=False)
    balances = floor.link.state.book.balances
    balances[Account(METER)] += 1
    balances[Account(HOUSE)] -= 1
    assert "the meter of Progressive differs by 1" in refused(floor, No.UNBALANCED, OpenLink, by=MANAGER)


def test_pending_money_without_an_award_keeps_the_link_closed() -> None:
    floor = LinkBook(opened=False)
    balances = floor.link.state.book.balances
    balances[Account(Purpose.PENDING)] = 1
    balances[Account(HOUSE)] -= 1
    assert "pending of Progressive differs by 1" in refused(floor, No.UNBALANCED, OpenLink, by=MANAGER)


def test_a_link_that_must_stop_stops_at_once() -> None:
    floor = LinkBook()
    floor.start(1, 1)
    entry = floor.do(CloseLink, by=MANAGER, reason="The bank is short by $12.00.")
    assert entry.facts["games_on"] == [1]
    refused(floor, No.NOT_OPEN, StartGame, table=2, lit=(), based=())
    floor.do(EndGame, table=1)


# Adjusting


def adjustment(**changes: Any) -> dict[str, Any]:
    usual = {
        **{"by": MANAGER, "second": EXECUTIVE, "level": "", "reason": Lawful.MALFUNCTION, "source": METER},
        **{"target": HOUSE, "cents": 100, "text": "sensor of seat 3 counted twice"},
    }
    return usual | changes


@pytest.mark.parametrize(("reason", "path"), [(reason, path) for reason in Lawful for path in sorted(PATHS[reason])])
def test_every_lawful_reason_moves_its_own_money(reason: Lawful, path: tuple[Purpose, Purpose]) -> None:
    maximum = 1_000_200 if reason is Lawful.ABOVE_MAXIMUM else 2_000_000
    floor = LinkBook(with_level(ONE_METER, maximum_cents=maximum, reserve_ppm=100_000))
    floor.start(1, 1, 2)
    # Something on every account: above the maximum only a malfunction or a purchase could leave it.
    balances = floor.link.state.book.balances
    balances[Account(OVERFLOW)] = balances.get(Account(OVERFLOW), 0) + 200 * 10**6
    balances[Account(METER)] += 200 * 10**6
    source, target = path
    award = None
    if reason is Lawful.AMOUNT_WON:
        award = floor.enter(1, 1, COLOR)
        floor.confirm(award)
    before = floor.units(target)
    entry = floor.do(Adjust, **adjustment(reason=reason, source=source, target=target, award=award))
    assert floor.units(target) - before == 100 * 10**6
    assert entry.facts["text"] == "sensor of seat 3 counted twice"
    assert (entry.facts["by"], entry.facts["second"]) == (["max", "manager"], ["eve", "executive"])


@pytest.mark.parametrize(
    ("reason", "source", "target"),
    [
        (Lawful.AMOUNT_WON, METER, HOUSE),
        (Lawful.MALFUNCTION, METER, METER),
        (Lawful.MALFUNCTION, RESERVE, HOUSE),
        (Lawful.MALFUNCTION, METER, Purpose.PENDING),
        (Lawful.ABOVE_MAXIMUM, METER, HOUSE),
        (Lawful.GROSS_RECEIPTS, METER, HOUSE),
        (Lawful.SEED_RECOVERY, RESERVE, HOUSE),
        (Lawful.SEED_RECOVERY, HOUSE, METER),
    ],
)
def test_money_is_not_moved_elsewhere_for_that_reason(reason: Lawful, source: Purpose, target: Purpose) -> None:
    refused(LinkBook(), No.NOT_LAWFUL, Adjust, **adjustment(reason=reason, source=source, target=target))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"level": "Mega"}, No.NO_SUCH_LEVEL),
        ({"cents": 0}, No.WRONG_AMOUNT),
        ({"cents": -5}, No.WRONG_AMOUNT),
        ({"cents": 10**12}, No.WRONG_AMOUNT),
        ({"text": ""}, No.NO_REASON),
        ({"cents": 1_000_001}, No.NOT_THERE),
        ({"reason": Lawful.ABOVE_MAXIMUM, "target": OVERFLOW}, No.NOT_ABOVE_MAXIMUM),
        ({"reason": Lawful.GROSS_RECEIPTS, "source": RESERVE}, No.NOT_THERE),
    ],
)
def test_an_adjustment_that_cannot_be_is_refused(change: dict[str, Any], code: No) -> None:
    refused(LinkBook(), code, Adjust, **adjustment(**change))


def test_an_adjustment_takes_two_different_people() -> None:
    denied(LinkBook(), Denied.SAME_PERSON, Adjust, **adjustment(second=MANAGER))
    denied(LinkBook(), Denied.NOT_ALLOWED, Adjust, **adjustment(second=DEALER))
    denied(LinkBook(), Denied.NOT_ALLOWED, Adjust, **adjustment(by=DEALER))


def test_a_meter_is_not_raised_above_its_posted_maximum() -> None:
    floor = LinkBook(with_level(ONE_METER, maximum_cents=1_000_099))
    sentence = refused(floor, No.ABOVE_MAXIMUM, Adjust, **adjustment(source=HOUSE, target=METER))
    assert sentence == "Progressive would stand at $10,001.00, above its posted maximum of $10,000.99."


def test_the_house_recovers_its_seed_and_no_more() -> None:
    floor = LinkBook()
    floor.start(1, *range(1, 8))
    recovery = adjustment(reason=Lawful.SEED_RECOVERY)
    refused(floor, No.MORE_THAN_SEEDED, Adjust, **recovery | {"cents": 1_000_001})
    floor.do(Adjust, **recovery | {"cents": 600_000})
    refused(floor, No.MORE_THAN_SEEDED, Adjust, **recovery | {"cents": 400_001})


def test_a_seed_that_was_won_is_not_recovered() -> None:
    floor = LinkBook()
    for seat in (1, 2, 3):
        floor.start(1, seat)
        award = floor.enter(1, seat, SUITED)
        recovery = adjustment(reason=Lawful.SEED_RECOVERY, cents=1_000_001)
        refused(floor, No.UNDECIDED, Adjust, **recovery)
        floor.confirm(award)
        floor.end(1)
        refused(floor, No.MORE_THAN_SEEDED, Adjust, **recovery)
    floor.do(Adjust, **adjustment(reason=Lawful.SEED_RECOVERY, cents=1_000_000))


def test_an_award_is_backed_out_after_the_card_by_adjustments() -> None:
    floor = LinkBook()
    floor.start(1, 1)
    award = floor.enter(1, 1, SUITED)
    floor.confirm(award)
    back = {"source": PLAYERS, "target": METER, "award": award, "text": "wrong seat paid, chips returned"}
    floor.do(Adjust, **adjustment(reason=Lawful.AMOUNT_WON, cents=1_000_115, **back))
    floor.do(Adjust, **adjustment(reason=Lawful.SEED_RECOVERY, cents=1_000_000))
    assert floor.link.state.shown_cents("") == 1_000_115 + 5
    assert floor.proved()


def won(floor: LinkBook, line: str = SUITED) -> int:
    """A game with an award, and its number."""
    floor.start(1, 1)
    award = floor.enter(1, 1, line)
    floor.confirm(award)
    floor.end(1)
    return award


def back(award: int | None, cents: int, **changes: Any) -> dict[str, Any]:
    """So much comes back from the player."""
    usual = {"reason": Lawful.AMOUNT_WON, "source": PLAYERS, "target": METER, "award": award, "cents": cents}
    return adjustment(**usual | changes)


def test_what_comes_back_from_a_player_comes_back_from_a_confirmed_award_of_that_level() -> None:
    floor = LinkBook()
    award = won(floor)
    refused(floor, No.AWARD_NEEDED, Adjust, **back(None, 100))
    sentence = refused(floor, No.NOT_CONFIRMED, Adjust, **back(award + 1, 100))
    assert sentence == f"No card has confirmed an award {award + 1} of Progressive."
    floor.start(1, 1)
    held = floor.enter(1, 1, COLOR)
    refused(floor, No.NOT_CONFIRMED, Adjust, **back(held, 100))
    refused(floor, No.NOT_CONFIRMED, Adjust, **adjustment(award=held))
    three = LinkBook(THREE_METERS)
    three.start(1, 1)
    mega = three.enter(1, 1, "Three 7's - Diamonds")
    three.confirm(mega)
    refused(three, No.NOT_CONFIRMED, Adjust, **back(mega, 100, level="Minor"))
    three.do(Adjust, **back(mega, 100, level="Mega"))


def test_no_more_comes_back_than_the_player_was_paid() -> None:
    floor = LinkBook()
    award = won(floor)
    assert floor.link.state.won[award].cents == 1_000_115
    refused(floor, No.MORE_THAN_WON, Adjust, **back(award, 1_000_116))
    floor.do(Adjust, **back(award, 600_000))
    sentence = refused(floor, No.MORE_THAN_WON, Adjust, **back(award, 400_116))
    assert sentence == f"Of award {award} the player has $4,001.15, so $4,001.16 cannot come back."
    refused(floor, No.MORE_THAN_WON, Adjust, **back(award, 400_116, reason=Lawful.MALFUNCTION))
    floor.do(Adjust, **back(award, 1, source=METER, target=PLAYERS))
    floor.do(Adjust, **adjustment(award=award))  # from the meter to the house: the player has as much as before
    floor.do(Adjust, **back(award, 400_116))
    assert floor.link.state.won[award].cents == 0
    assert Link.of_snapshot(floor.link.snapshot()).state == floor.link.state


def test_what_comes_back_above_a_posted_maximum_waits_for_the_next_meter() -> None:
    floor = LinkBook(with_level(ONE_METER, maximum_cents=1_000_200))
    award = won(floor)
    entry = floor.do(Adjust, **back(award, 1_000_115))
    assert [(str(source), str(target)) for source, target, _ in entry.transfers] == [
        ("players", "meter"),
        ("meter", "overflow"),
    ]
    assert (floor.cents(METER), floor.cents(OVERFLOW)) == (1_000_200, 1_000_115 - 195)
    assert floor.proved()
    refused(floor, No.ABOVE_MAXIMUM, Adjust, **adjustment(source=TRAY, target=METER))


@pytest.mark.parametrize("reason", [Lawful.AMOUNT_WON, Lawful.MALFUNCTION])
@pytest.mark.parametrize("cents", [100, 500_000, 500_001])
def test_money_for_players_is_signed_by_somebody_who_may_confirm_it(reason: Lawful, cents: int) -> None:
    floor = LinkBook()
    paying = adjustment(reason=reason, target=PLAYERS, cents=cents)
    refused(floor, No.PAYS_PLAYERS, Adjust, **paying | {"second": OTHER_MANAGER})
    floor.do(Adjust, **paying)
    floor.do(Adjust, **paying | {"by": EXECUTIVE, "second": MANAGER, "cents": 100})


# The house's own money


def recovery(cents: int) -> dict[str, Any]:
    return adjustment(reason=Lawful.SEED_RECOVERY, cents=cents)


def test_a_seed_that_fixed_pays_have_used_up_is_not_recovered_from_contributions() -> None:
    """Style A: $500 of seed are paid out, then players fill the meter again. It is theirs."""
    floor = LinkBook(replace(STYLE_A, levels=(replace(STYLE_A.levels[0], seed_cents=50_000),)))
    while floor.cents(METER) >= 1_000:
        floor.start(1, 1)
        floor.enter(1, 1, THREE)
        floor.end(1)
    floor.start(1, 1)
    assert "alarm" in floor.entries[floor.enter(1, 1, THREE) - 1].facts
    floor.end(1)
    assert floor.link.state.own[""] == 0
    for _ in range(50):
        floor.start(1, *range(1, 8))
        floor.end(1)
    assert floor.cents(METER) > 50_000
    refused(floor, No.MORE_THAN_SEEDED, Adjust, **recovery(1))


def test_players_money_is_paid_out_first_and_the_houses_last() -> None:
    floor = LinkBook(replace(STYLE_A, levels=(replace(STYLE_A.levels[0], seed_cents=1_000_000),)))
    floor.start(1, 1, 2)  # $7.00 from players
    floor.enter(1, 1, TWO)  # $50.00 or so from the meter
    floor.end(1)
    own = floor.units(METER)
    assert floor.link.state.own[""] == own < 1_000_000 * 10**6
    floor.start(1, 1, 2)
    floor.end(1)
    assert floor.link.state.own[""] == own


def test_a_share_takes_the_houses_own_only_when_players_money_is_gone() -> None:
    floor = LinkBook()
    award = won(floor, COLOR)  # a tenth
    left = 1_000_000 + 115 - floor.link.state.won[award].cents
    assert left < 1_000_000
    floor.start(1, *range(1, 8))
    floor.end(1)
    refused(floor, No.MORE_THAN_SEEDED, Adjust, **recovery(left + 1))
    floor.do(Adjust, **recovery(left))


@pytest.mark.parametrize("line", [SUITED, COLOR])
def test_a_voided_award_leaves_the_houses_own_where_it_was(line: str) -> None:
    floor = LinkBook()
    floor.start(1, 1, 2)
    award = floor.enter(1, 2, line)
    floor.enter(1, 1, SUITED)
    floor.do(VoidAward, by=SUPERVISOR, award=award, reason="misread")
    floor.do(TakeBackHand, table=1, seat=1)
    floor.end(1)
    assert floor.link.state.own == {"": 1_000_000 * 10**6}
    assert floor.link.state.own_held.get("", 0) == 0
    floor.do(Adjust, **recovery(1_000_000))


# Reconfiguring


TRILUX = replace(
    ONE_METER, wager="trilux", paytable="6", tables=(table(1, "Royal Match", wager="trilux", paytable="6"),)
)


def new_setup(**changes: Any) -> dict[str, Any]:
    return {"by": MANAGER, "second": OTHER_MANAGER, "setup": replace(ONE_METER, **changes)}


def test_a_change_has_old_and_new_on_record() -> None:
    floor = LinkBook(opened=False)
    entry = floor.do(Reconfigure, **new_setup(wager_cents=100, executive_threshold_cents=1))
    assert entry.facts["changed"] == ["wager_cents", "executive_threshold_cents"]
    assert (entry.facts["old"]["wager_cents"], entry.facts["new"]["wager_cents"]) == (500, 100)
    assert floor.link.state.setup.wager_cents == 100


def test_nothing_changes_while_the_link_is_open_or_games_are_on() -> None:
    floor = LinkBook()
    refused(floor, No.NOT_CLOSED, Reconfigure, **new_setup(wager_cents=100))
    floor.start(1, 1)
    floor.start(3, 1)
    award = floor.enter(1, 1, COLOR)
    floor.close()
    refused(floor, No.UNDECIDED, Reconfigure, **new_setup(wager_cents=100))
    floor.confirm(award)
    sentence = refused(floor, No.GAMES_ON, Reconfigure, **new_setup(wager_cents=100))
    assert sentence == "Games are on at table 1, 3: end them first."
    floor.end(1)
    floor.end(3)
    floor.do(Reconfigure, **new_setup(wager_cents=100))


def test_a_change_takes_two_people() -> None:
    floor = LinkBook(opened=False)
    denied(floor, Denied.SAME_PERSON, Reconfigure, **new_setup(wager_cents=100) | {"second": MANAGER})


@pytest.mark.parametrize(
    ("setup", "code"),
    [
        (ONE_METER, No.NOTHING_CHANGED),
        (THREE_METERS, No.OTHER_LEVELS),
        (TRILUX, No.OTHER_PROGRESSIVE),
        (with_level(ONE_METER, seed_cents=0, maximum_cents=999_999), No.MAXIMUM_BELOW_METER),
        (replace(ONE_METER, tables=(table(1, decks=8),)), No.OTHER_DECKS),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_configuration_that_cannot_be_is_refused(setup: LinkSetup, code: No) -> None:
    refused(LinkBook(opened=False), code, Reconfigure, **new_setup() | {"setup": setup})


def test_a_table_leaves_and_comes_back_with_its_count_of_rounds() -> None:
    floor = LinkBook()
    floor.start(3, 1)
    floor.end(3)
    floor.close()
    floor.do(Reconfigure, **new_setup(tables=ONE_METER.tables[:2]))
    floor.do(OpenLink, by=MANAGER)
    refused(floor, No.NOT_LINKED, StartGame, table=3, lit=(), based=())
    floor.close()
    floor.do(Reconfigure, **new_setup())
    floor.do(OpenLink, by=MANAGER)
    assert floor.start(3, 1).facts["round"] == 2


# Retiring


def retired() -> LinkBook:
    floor = LinkBook(with_level(ONE_METER, maximum_cents=1_000_100), name="old")
    floor.start(1, 1, 2)
    floor.end(1)
    floor.close()
    floor.do(Retire, by=MANAGER, second=EXECUTIVE, to="main")
    return floor


def receipt(old: LinkBook, **changes: Any) -> dict[str, Any]:
    usual = {
        "by": MANAGER,
        "second": EXECUTIVE,
        "entry": old.entries[-1].as_json(),
        "source": "old",
        "levels": {"": ""},
    }
    return usual | changes


def test_a_retired_links_value_goes_on_in_another() -> None:
    old, new = retired(), LinkBook(opened=False)
    house = old.units(HOUSE) + new.units(HOUSE)
    carried = 1_000_000 + 2 * 115
    assert old.cents(METER) == old.cents(RESERVE) == old.cents(OVERFLOW) == 0
    new.do(Receive, **receipt(old))
    assert new.cents(METER) == 1_000_000 + 1_000_100
    assert new.cents(OVERFLOW) == 130
    assert new.cents(RESERVE) == 10
    assert old.units(HOUSE) + new.units(HOUSE) == house - (carried + 10) * 10**6
    # The house has only carried the money: over both books it has what it put on the two meters.
    assert old.units(HOUSE) + new.units(HOUSE) == -2_000_000 * 10**6
    assert new.proved()


def test_a_value_is_received_while_nobody_plays_for_the_meter() -> None:
    old, new = retired(), LinkBook()
    refused(new, No.NOT_CLOSED, Receive, **receipt(old))
    new.start(1, 1)
    award = new.enter(1, 1, COLOR)
    new.close()
    refused(new, No.UNDECIDED, Receive, **receipt(old))
    new.confirm(award)
    refused(new, No.GAMES_ON, Receive, **receipt(old))
    new.end(1)
    new.do(Receive, **receipt(old))


def test_a_retired_link_keeps_what_it_gave_up() -> None:
    old = retired()
    assert old.link.state.carried == (1_000_000 + 2 * 115 + 2 * 5) * 10**6
    assert Link.of_snapshot(old.link.snapshot()).state.carried == old.link.state.carried


def test_what_was_carried_is_not_the_houses_to_recover() -> None:
    old, new = retired(), LinkBook(opened=False)
    new.do(Receive, **receipt(old))
    refused(new, No.MORE_THAN_SEEDED, Adjust, **adjustment(reason=Lawful.SEED_RECOVERY, cents=1_000_001))


def test_a_retired_link_does_nothing_any_more() -> None:
    sentence = refused(retired(), No.RETIRED, OpenLink, by=MANAGER)
    assert sentence == "The link old is retired, and its value was moved to main."


def test_a_link_is_retired_closed_and_to_another() -> None:
    floor = LinkBook()
    refused(floor, No.NOT_CLOSED, Retire, by=MANAGER, second=EXECUTIVE, to="other")
    floor.close()
    refused(floor, No.SAME_LINK, Retire, by=MANAGER, second=EXECUTIVE, to="main")
    refused(floor, No.WRONG_FORM, Retire, by=MANAGER, second=EXECUTIVE, to="")


def test_a_value_is_received_once() -> None:
    old, new = retired(), LinkBook(opened=False)
    new.do(Receive, **receipt(old))
    refused(new, No.ALREADY_RECEIVED, Receive, **receipt(old))


def test_a_value_is_received_on_the_strength_of_the_other_books_entry() -> None:
    old, new = retired(), LinkBook(opened=False)
    entry = old.entries[-1].as_json()
    forged = entry | {"transfers": [["meter", "house", 10**15]]}
    assert "was altered" in refused(new, No.NOT_FOR_THIS_LINK, Receive, **receipt(old, entry=forged))
    assert "cannot be read" in refused(new, No.NOT_FOR_THIS_LINK, Receive, **receipt(old, entry={}))
    refused(new, No.NOT_FOR_THIS_LINK, Receive, **receipt(old, source="else"))
    refused(new, No.NOT_FOR_THIS_LINK, Receive, **receipt(old, entry=old.entries[-2].as_json()))
    refused(new, No.NOT_FOR_THIS_LINK, Receive, **receipt(old, levels={}))
    refused(new, No.NO_SUCH_LEVEL, Receive, **receipt(old, levels={"": "Mega"}))
    odd = replace(old.entries[-1], transfers=(Transfer(Account(TRAY), Account(HOUSE), 5),)).sealed().as_json()
    assert "from tray to house" in refused(new, No.NOT_FOR_THIS_LINK, Receive, **receipt(old, entry=odd))
    other = LinkBook(name="third")
    refused(other, No.NOT_FOR_THIS_LINK, Receive, **receipt(old))


# The proof


def test_the_proof_of_a_level_since_the_beginning_and_since_a_day() -> None:
    floor = LinkBook()
    floor.start(1, 1, 2)
    award = floor.enter(1, 2, SUITED)
    floor.confirm(award)
    floor.end(1)
    day = floor.link.sums
    floor.start(1, 1)
    floor.enter(1, 1, COLOR)
    floor.do(Adjust, **adjustment(cents=10))
    whole, today = proof(floor.link, ""), proof(floor.link, "", since=day)
    assert (whole.difference, today.difference) == (0, 0)
    assert (whole.opening, today.opening) == (0, 1_000_010 * 10**6)
    assert today.flows[Flow.CONTRIBUTIONS] == 115 * 10**6
    assert (today.flows[Flow.AWARDS], today.pending) == (0, 100_012 * 10**6)
    assert today.flows[Flow.ADJUSTMENTS] == -10 * 10**6
    assert whole.flows[Flow.SEED] == 2_000_000 * 10**6
    assert whole.as_json()["difference"] == 0
