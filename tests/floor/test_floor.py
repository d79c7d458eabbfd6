"""The running floor: a site, its links and the bank together, on both stores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from croupier.audit.export import export
from croupier.audit.verify import verify
from croupier.compliance.authority import CardToken, Denied, Role
from croupier.compliance.profile import Lawful
from croupier.errors import Refusal
from croupier.floor.floor import LINK, Floor
from croupier.floor.forms import Signed
from croupier.floor.house import ITSELF
from croupier.floor.link import acts
from croupier.floor.link.brief import SHORT_OF_COVER
from croupier.floor.link.setup import LevelSetup
from croupier.floor.link.state import Status
from croupier.floor.refusals import No
from croupier.floor.selfcheck import BookCheck
from croupier.floor.site import acts as site_acts
from croupier.floor.site.custody_acts import Reconcile
from croupier.floor.site.site import Site
from croupier.floor.writer import ID_REUSED
from croupier.games.money import dollars
from croupier.ledger.clock import CheckedClock
from croupier.ledger.entry import UNITS_PER_CENT, Purpose
from croupier.store.postgres.store import PostgresStore
from croupier.store.sqlite import SqliteStore
from croupier.store.store import StoreBusy, open_store
from support.postgres import new_floor
from support.room import (
    COLOR,
    DEALER,
    EXECUTIVE,
    KEY,
    MANAGER,
    ONE,
    ONE_METER,
    PEOPLE,
    PLENTY,
    SUITED,
    SUPERVISOR,
    Room,
    card,
    table,
    with_level,
)
from tests.audit.books import Kept, resealed
from tests.audit.test_verifier import wrong_row


def refused(code: str, do: Callable[..., object], *args: Any, **values: Any) -> str:
    with pytest.raises(Refusal) as error:
        do(*args, **values)
    assert error.value.code == code
    return str(error.value)


@pytest.fixture(params=["sqlite", "postgresql"])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Room]:
    house = Room(f"sqlite:///{tmp_path}/floor.db" if request.param == "sqlite" else new_floor())
    house.found()
    yield house
    house.floor.close()


@pytest.fixture
def playing(house: Room) -> Room:
    """One link, open, with plenty in the bank."""
    house.declare(PLENTY)
    house.make()
    house.do(acts.OpenLink, by=MANAGER)
    return house


# Life of a link


def test_a_link_lives_through_a_restart_in_the_middle_of_an_award(playing: Room) -> None:
    playing.start(1, 1, 4)
    award = playing.award(SUITED, 4)
    locked = playing.floor.links["main"].awards
    playing.reopen()
    assert playing.floor.links["main"].awards == locked
    assert playing.floor.links["main"].tables[1].on
    playing.do(acts.Confirm, by=EXECUTIVE, award=award)
    playing.do(acts.EndGame, by=DEALER, table=1)
    assert playing.floor.links["main"].shown_cents == {"": 1_000_010}  # the seed and the reserve


def test_everything_is_heard_once_and_in_order(playing: Room) -> None:
    playing.start()
    playing.do(acts.EndGame, by=DEALER, table=1)
    for stream in ("site", "link:main"):
        numbers = [entry.number for entry in playing.entries(stream)]
        assert numbers == list(range(1, len(numbers) + 1))
    assert 4 in [entry.number for entry in playing.entries("link:main")]


def test_one_process_runs_a_floor(playing: Room) -> None:
    with pytest.raises(StoreBusy):
        playing.open()


def test_whoever_hung_while_the_books_were_opened_takes_no_more_of_them(
    playing: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Others watch the site's lease. One that was silent there is about to lose all that it has: a link's lease that is
    taken then would be lost while it beats."""
    playing.floor.close()
    with monkeypatch.context() as patch:
        for store in (SqliteStore, PostgresStore):
            patch.setattr(store, "lease_doubt", lambda _: "The lease of site was last confirmed 20 seconds ago.")
        with pytest.raises(StoreBusy, match=r"link:main is not opened.*20 seconds ago"):
            playing.open()
    playing.floor = playing.open()  # nothing of it is left in anybody's way
    assert playing.floor.links["main"].status is Status.OPEN


def test_a_card_is_known_by_its_token_and_no_token_is_in_a_book(playing: Room) -> None:
    assert playing.floor.identify(CardToken(card("sue"))).signed == SUPERVISOR
    refused(Denied.UNKNOWN_CARD, playing.floor.identify, CardToken(card("zoe")))
    rows = [row.body for stream in playing.floor.reading.streams() for row in playing.floor.reading.rows(stream)]
    assert rows
    assert not any(card(signed.person) in body for signed in PEOPLE for body in rows)


# People


def test_whoever_signs_is_enrolled_in_that_role(playing: Room) -> None:
    start: dict[str, Any] = {"table": 1, "lit": (1,), "based": (1,)}
    refused(Denied.UNKNOWN_PERSON, playing.do, acts.StartGame, by=Signed("zoe", Role.DEALER), **start)
    refused(No.WRONG_FORM, playing.do, acts.StartGame, by=Signed("ann", Role.EXECUTIVE), **start)
    playing.site(site_acts.RevokeCard, person="ann", reason="lost")
    refused(Denied.REVOKED_CARD, playing.do, acts.StartGame, by=DEALER, **start)
    refused(Denied.UNKNOWN_PERSON, playing.do, acts.CloseLink, by=ITSELF, reason="because")


def test_an_override_is_signed_by_somebody_of_the_house(playing: Room) -> None:
    playing.start()
    claim: dict[str, Any] = {"by": DEALER, "table": 1, "seat": 1, "line": COLOR, "cards": "7d 7d 7s"}
    fake = {"override_by": Signed("zoe", Role.SUPERVISOR), "override_reason": "seen"}
    refused(Denied.UNKNOWN_PERSON, playing.do, acts.EnterHand, **claim, **fake)


# Configuration


def test_a_linked_table_is_one_of_the_sites(house: Room) -> None:
    house.declare(PLENTY)
    for changes in ({"seats": 5}, {"title": "House Money"}):
        words = refused(No.NOT_THE_SITES_TABLE, house.make, replace(ONE_METER, tables=(table(1, **changes),)))
        assert next(iter(changes)) in words
    refused(No.NOT_THE_SITES_TABLE, house.make, replace(ONE_METER, tables=(table(9),)))
    assert house.floor.links == {}
    assert house.make().number == 1


def test_a_configuration_against_the_rules_of_the_place_is_refused_with_the_citation(house: Room) -> None:
    assert "WAC 230-15-140" in refused(No.AGAINST_RULES, house.make, replace(ONE_METER, wager_cents=40_001))
    notes = house.make(with_level(ONE_METER, seed_cents=0)).facts["notes"]
    assert notes["profile"] == "washington"
    assert notes["warnings"]
    assert all(warning["citation"] for warning in notes["warnings"])


def test_a_table_is_on_one_link(house: Room) -> None:
    house.make()
    assert "230-15-685" in refused(No.AGAINST_RULES, house.make, link="other")


def test_a_table_is_not_taken_from_under_a_link(playing: Room) -> None:
    remove: dict[str, Any] = {"kind": site_acts.RemoveTable, "second": "eve", "number": 2}
    assert "link main" in refused(No.TABLE_LINKED, playing.site, **remove)
    refused(No.TABLE_LINKED, playing.set_table, 2, "Royal Match", 6)
    setup = replace(playing.floor.site.tables[2], most_wager_cents=20_000)
    playing.site(site_acts.SetTable, second="eve", table=setup)


def test_a_hand_plays_no_more_games_than_the_place_allows_with_the_progressive(house: Room) -> None:
    four = replace(house.floor.site.tables[1], wagers=("kings-bounty", "bet-the-bust", "trilux"))
    house.site(site_acts.SetTable, second="eve", table=four)
    words = refused(No.AGAINST_RULES, house.make)
    assert "At table 1 a hand plays 5 games with this progressive, and 4 are allowed." in words
    assert "WAC 230-15-040" in words
    house.site(site_acts.SetTable, second="eve", table=replace(four, wagers=(*four.wagers[:2], "blazing-7s-dealer")))
    house.make()
    words = refused(No.AGAINST_RULES, house.site, site_acts.SetTable, second="eve", table=four)
    assert "At table 1 a hand plays 5 games" in words
    house.site(site_acts.SetTable, second="eve", table=replace(four, wagers=four.wagers[:2]))


def test_a_table_offers_what_its_game_has_each_wager_with_its_limits(house: Room) -> None:
    table = house.floor.site.tables[1]

    def with_(*wagers: str, **limits: tuple[int, int]) -> Any:
        made = tuple(site_acts.WagerLimits(name.replace("_", "-"), *both) for name, both in limits.items())
        return {"kind": site_acts.SetTable, "second": "eve", "table": replace(table, wagers=wagers, limits=made)}

    words = refused(No.NO_SUCH_WAGER, house.site, **with_("kings bounti"))
    assert (
        "Table 1 cannot offer 'kings bounti': beside the base wager blackjack has kings-bounty, bet-the-bust" in words
    )
    refused(No.NO_SUCH_WAGER, house.site, **with_("kings-bounty", "kings-bounty"))
    refused(No.NO_SUCH_WAGER, house.site, **with_("insurance"))
    words = refused(No.AGAINST_RULES, house.site, **with_("kings-bounty", kings_bounty=(100, 50_000)))
    assert "Table 1 takes kings-bounty up to $500.00" in words
    with pytest.raises(Refusal, match="limits are of wagers of the table, each once, not of 'trilux'"):
        with_("kings-bounty", trilux=(100, 500))
    entry = house.site(**with_("kings-bounty", kings_bounty=(100, 5_000)))
    assert entry.facts["table"]["limits"] == [{"wager": "kings-bounty", "least_cents": 100, "most_cents": 5_000}]
    assert "limits" not in entry.facts["was"]
    assert Site.of_snapshot(house.floor.site.snapshot()).tables[1].limits[0].most_cents == 5_000


def test_kings_bounty_is_on_one_link_whatever_the_place_says(house: Room) -> None:
    house.site(site_acts.ChooseProfile, second="eve", profile="generic")
    house.make()
    assert "King's Bounty rules" in refused(No.AGAINST_RULES, house.make, link="other")
    house.make(replace(ONE_METER, tables=ONE_METER.tables[1:]), "other")


def test_a_profile_is_not_chosen_over_an_open_link_that_breaks_it(house: Room) -> None:
    house.site(site_acts.ChooseProfile, second="eve", profile="tribal")
    house.make(replace(ONE_METER, wager_cents=45_000))
    house.do(acts.OpenLink, by=MANAGER)
    choose: dict[str, Any] = {"kind": site_acts.ChooseProfile, "second": "eve", "profile": "washington"}
    assert "link main is open" in refused(No.AGAINST_RULES, house.site, **choose)
    house.do(acts.CloseLink, by=MANAGER)
    house.site(**choose)
    refused(No.AGAINST_RULES, house.do, acts.OpenLink, by=MANAGER)


def test_days_are_those_of_the_sites_zone(house: Room) -> None:
    assert house.floor.site.day("2026-10-02T05:00:00Z").isoformat() == "2026-10-01"
    house.site(site_acts.SetClock, second="eve", zone="UTC", day_begins=4)
    assert house.floor.site.day("2026-10-02T05:00:00Z").isoformat() == "2026-10-02"
    assert house.floor.site.day_begins == 4


# The self-check


def test_opening_reads_the_whole_chain(playing: Room) -> None:
    playing.start()
    playing.do(acts.EndGame, by=DEALER, table=1)
    playing.do(acts.CloseLink, by=SUPERVISOR)
    opened = playing.do(acts.OpenLink, by=MANAGER)
    assert opened.facts["notes"]["chain"] == {"entries": opened.number - 1, "digest": opened.before}


def test_a_book_that_grew_after_it_was_read_is_read_again(playing: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    playing.start()
    playing.start(2)
    playing.do(acts.CloseLink, by=SUPERVISOR)
    read, tables = playing.floor._read_through, [1, 2]

    def slow(link: str) -> tuple[int, str]:
        found = read(link)
        if tables:
            playing.do(acts.EndGame, by=DEALER, table=tables.pop())
        return found

    monkeypatch.setattr(playing.floor, "_read_through", slow)
    opened = playing.do(acts.OpenLink, by=MANAGER)
    assert tables == []
    assert opened.facts["notes"]["chain"] == {"entries": opened.number - 1, "digest": opened.before}


def test_a_link_whose_book_never_rests_stays_closed(playing: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    playing.do(acts.CloseLink, by=SUPERVISOR)
    monkeypatch.setattr(playing.floor, "_read_through", lambda link: (0, ""))
    assert "to the last entry" in refused(No.BROKEN_CHAIN, playing.do, acts.OpenLink, by=MANAGER)


def test_a_chain_that_ends_in_another_digest_is_no_proof(playing: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    playing.do(acts.CloseLink, by=SUPERVISOR)
    proved = (playing.floor.links["main"].entries, "f" * 64)
    monkeypatch.setattr(playing.floor, "_read_through", lambda link: proved)
    refused(No.BROKEN_CHAIN, playing.do, acts.OpenLink, by=MANAGER)


def test_a_stolen_card_is_revoked_while_a_long_book_is_read(playing: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    playing.do(acts.CloseLink, by=SUPERVISOR)
    real, reading, revoked = BookCheck.check, Event(), Event()

    def slow(check: BookCheck, *given: Any) -> None:
        reading.set()
        assert revoked.wait(10), "the office must not wait"
        real(check, *given)

    monkeypatch.setattr(BookCheck, "check", slow)
    with ThreadPoolExecutor() as others:
        checked = others.submit(playing.floor.self_check, "main")
        opened = others.submit(playing.do, acts.OpenLink, by=MANAGER)
        assert reading.wait(10)
        playing.site(site_acts.RevokeCard, person="ann", reason="stolen")
        revoked.set()
        assert checked.result()[0] >= opened.result().number - 1


def test_a_link_with_a_damaged_book_stays_closed(playing: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    playing.do(acts.CloseLink, by=SUPERVISOR)
    rows = list(playing.floor.reading.rows(LINK + "main"))
    rows[0] = rows[0]._replace(body=rows[0].body.replace("1000000", "2000000"))
    monkeypatch.setattr(playing.floor.reading, "rows", lambda *_: iter(rows))
    assert "Entry 1 of link:main" in refused(No.BROKEN_CHAIN, playing.do, acts.OpenLink, by=MANAGER)
    assert playing.floor.links["main"].status is Status.CLOSED


def test_a_row_that_was_left_out_is_seen(playing: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = list(playing.floor.reading.rows(LINK + "main"))
    monkeypatch.setattr(playing.floor.reading, "rows", lambda *_: iter(rows[1:]))
    with pytest.raises(Exception, match="Entry 1 of"):
        BookCheck(LINK + "main").read_on(playing.floor.reading)


# The bank


def test_no_link_opens_before_the_bank_covers_it(house: Room) -> None:
    house.make()
    assert "Nobody has declared" in refused(No.NOT_COVERED, house.do, acts.OpenLink, by=MANAGER)
    house.declare(999_999)
    assert "$0.01 short" in refused(No.NOT_COVERED, house.do, acts.OpenLink, by=MANAGER)
    house.declare(1_000_000)
    house.do(acts.OpenLink, by=MANAGER)


def test_a_short_bank_stops_the_links_and_the_book_says_why(playing: Room) -> None:
    playing.start()
    playing.declare(1_000)
    refused(No.NOT_COVERED, playing.start, 2)
    playing.floor.check_bank()
    playing.floor.ask("main", lambda link: None)
    brief = playing.floor.links["main"]
    assert brief.status is Status.CLOSED
    assert brief.stopped == SHORT_OF_COVER
    last = playing.floor.reading.last(LINK + "main")
    assert last is not None
    assert (last.kind, last.facts["by"]) == ("close", ["floor", "floor"])
    playing.do(acts.EndGame, by=DEALER, table=1)
    playing.declare(PLENTY)
    sentence = refused(No.COVERED_AGAIN, playing.start, 2)
    assert "It covers them now: no game can start until an executive or a manager opens the link" in sentence
    playing.do(acts.OpenLink, by=MANAGER)
    playing.start(2)
    assert playing.floor.links["main"].stopped == ""


def test_one_accidental_press_of_the_top_hand_stops_nobody(house: Room) -> None:
    """Declared $20,000, owed $17,497: a press locks inside, every table plays on, and taken back all is as it was."""
    house.declare(2_000_000)
    house.make(replace(ONE_METER, levels=(LevelSetup("", 1_749_585, 230_000, 0),)))
    house.do(acts.OpenLink, by=MANAGER)
    house.start(1, 1)
    before, cover = house.floor.links["main"], house.floor.cover()
    assert (before.shown_cents[""], cover.owed_cents, cover.links_must_stop) == (1_749_700, 1_749_700, False)
    house.award(SUITED)
    house.do(acts.CallSupervisor, by=DEALER, table=1)
    house.floor.check_bank()
    house.floor.settle()
    pressed = house.floor.links["main"]
    assert (pressed.status, pressed.shown_cents, pressed.totals) == (Status.OPEN, before.shown_cents, before.totals)
    assert house.floor.cover() == cover
    house.start(2, 1)
    house.start(3, 1)
    [award] = pressed.awards
    house.do(acts.VoidAward, by=SUPERVISOR, award=award.award, reason="It was an accident.")
    house.award(SUITED)
    house.do(acts.TakeBackHand, by=DEALER, table=1, seat=1)
    for number in (1, 2, 3):
        house.do(acts.EndGame, by=DEALER, table=number)
    house.floor.check_bank()
    house.floor.settle()
    after = house.floor.links["main"]
    assert (after.status, after.awards, after.shown_cents[""]) == (Status.OPEN, (), 1_749_700 + 2 * 115)
    assert not house.floor.cover().links_must_stop


def test_the_card_moves_the_meter_and_the_cover(house: Room) -> None:
    """The seed has to be there when the card puts it on: then the links stop, and say what is missing."""
    house.declare(2_000_000)
    house.make(replace(ONE_METER, levels=(LevelSetup("", 1_749_585, 230_000, 0),)))
    house.do(acts.OpenLink, by=MANAGER)
    house.start(1, 1)
    award = house.award(SUITED)
    assert not house.floor.cover().links_must_stop
    house.do(acts.Confirm, by=EXECUTIVE, award=award)
    assert house.floor.links["main"].shown_cents[""] == 1_749_585
    assert house.floor.cover().links_must_stop
    house.floor.check_bank()
    house.floor.settle()
    assert "short" in refused(No.NOT_COVERED, house.start, 2)


def test_the_floor_watches_the_bank_by_itself(tmp_path: Path) -> None:
    house = Room(f"sqlite:///{tmp_path}/floor.db")
    house.found()
    house.declare(PLENTY)
    house.make()
    house.do(acts.OpenLink, by=MANAGER)
    house.floor.close()
    with Floor(lambda: open_store(house.url), KEY, house.clock, bank_every_s=0.05) as floor:
        floor.declare_bank(id="x", by="max", balance_cents=1)
        for _ in range(200):
            if floor.links["main"].status is Status.CLOSED:
                break
            floor.ask("main", lambda link: None)
            floor._closing.wait(0.02)
        assert floor.links["main"].status is Status.CLOSED


def test_accrued_money_is_deposited_within_a_week_or_the_links_stop(playing: Room) -> None:
    playing.start(1, 1, 2, 3)
    playing.do(acts.EndGame, by=DEALER, table=1)
    playing.clock.day = 9
    assert "at least every 7 days" in refused(No.NOT_COVERED, playing.start)
    playing.floor.deposit(id="d", by="max", amount_cents=360, reference="slip 1")
    playing.start()


def test_an_award_takes_its_amount_from_the_bank_and_the_seed_has_to_be_there(playing: Room) -> None:
    playing.declare(1_500_000)
    playing.start()
    playing.do(acts.Confirm, by=EXECUTIVE, award=playing.award(SUITED))
    playing.do(acts.EndGame, by=DEALER, table=1)
    cover = playing.floor.cover()
    assert (cover.is_there_cents, cover.must_be_there_cents) == (499_885, 1_000_005 - 120)
    assert cover.links_must_stop


def test_what_was_paid_and_brought_is_from_the_books_whatever_a_client_says(playing: Room) -> None:
    playing.start(1, 1, 2)
    playing.do(acts.Confirm, by=EXECUTIVE, award=playing.award(COLOR))
    totals = playing.floor.links["main"].totals
    lies: dict[str, Any] = {"main": 10**15, "nowhere": 1}
    declared = playing.site(site_acts.DeclareBank, balance_cents=PLENTY, paid=lies)
    deposited = playing.site(site_acts.Deposit, amount_cents=1, reference="slip", contributed=lies)
    assert declared.facts["paid"] == {"main": totals.paid}
    assert deposited.facts["contributed"] == {"main": totals.contributed}
    assert totals.paid > totals.contributed > 0


def test_a_month_is_reconciled_with_what_the_books_said_at_its_end(playing: Room, tmp_path: Path) -> None:
    """Play of November, an award and a retired link among it, changes nothing of October."""
    playing.start(1, 1, 2)
    playing.do(acts.EndGame, by=DEALER, table=1)
    owed = playing.floor.cover().owed_cents
    playing.clock.month, playing.clock.day = 11, 3
    playing.floor.deposit(id="d", by="max", amount_cents=240, reference="slip 1")
    playing.start(1, 1, 2)
    playing.do(acts.Confirm, by=EXECUTIVE, award=playing.award(COLOR))
    playing.do(acts.EndGame, by=DEALER, table=1)
    month = {"month": "2026-10", "statement_cents": owed}
    entry = playing.site(Reconcile, **month, fund_cents=owed)
    assert (entry.facts["book_cents"], entry.facts["variance_cents"]) == (owed, 0)
    assert entry.facts["links"]["main"]["entries"] == 4
    assert entry.facts["until"] == "2026-11-01T14:00:00.000000Z", "six in the morning there"
    other = {"fund_cents": owed - 1_000, "statement_cents": owed - 1_000, "month": "2026-10"}
    assert f"were {dollars(owed)}, and not" in refused(No.NOT_THE_BOOKS, playing.site, Reconcile, **other)
    noted = playing.site(Reconcile, **other, note="A slip was counted twice.")
    assert noted.facts["variance_cents"] == -1_000
    books = {stream: playing.entries(stream) for stream in ("site", "link:main")}
    for fact, value in (("units", owed * UNITS_PER_CENT + 1), ("entries", 3), ("digest", "ab" * 32)):
        for forged in (False, True):

            def change(values: dict[str, Any], fact: str = fact, value: Any = value) -> None:
                values["facts"]["links"]["main"][fact] = value

            site = resealed(books["site"], entry.number, change) if forged else books["site"]
            export(Kept(site=site, link_main=books["link:main"]), ["site", "link:main"], tmp_path / "x.jsonl")
            assert verify(tmp_path / "x.jsonl").right is not forged
            assert (wrong_row(tmp_path / "x.jsonl") == ("", 0)) is not forged


def test_what_a_retired_link_gave_up_is_among_the_funds_until_it_arrived(house: Room) -> None:
    house.declare(PLENTY)
    house.make(replace(ONE_METER, tables=(table(1),)))
    house.make(replace(ONE_METER, tables=(table(3, "Zappit Blackjack", seats=5),)), "other")
    owed = house.floor.cover().owed_cents
    house.do(acts.Retire, by=MANAGER, second=EXECUTIVE, to="other")
    house.clock.month, house.clock.day = 11, 3
    retired = house.floor.retirement("main").as_json()
    received = {"source": "main", "entry": retired, "levels": {"": ""}}
    house.do(acts.Receive, "other", by=MANAGER, second=EXECUTIVE, **received)
    entry = house.site(Reconcile, month="2026-10", statement_cents=owed, fund_cents=owed)
    assert entry.facts["book_cents"] == owed
    assert entry.facts["links"]["main"]["units"] == 0
    assert entry.facts["links"]["main"]["carried_units"] == 1_000_000 * UNITS_PER_CENT


# Awards and adjustments


def test_the_record_of_an_award_carries_its_checklist(playing: Room) -> None:
    playing.start(1, 1, 2)
    fixed = playing.do(acts.EnterHand, by=DEALER, table=1, seat=2, line=ONE)
    assert "notes" not in fixed.facts
    entry = playing.do(acts.Confirm, by=EXECUTIVE, award=playing.award(SUITED))
    calls = {item["call"] for item in entry.facts["notes"]["checklist"]}
    assert {"card", "camera", "tax-slip"} <= calls
    assert entry.facts["notes"]["day"] == "2026-10-01"


def test_the_place_names_the_lawful_reasons(playing: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    values = adjustment()
    playing.do(acts.Adjust, **values)
    monkeypatch.setattr("croupier.compliance.profile.Rules.reasons", lambda _: (Lawful.AMOUNT_WON,))
    assert "there are: amount-won" in refused(No.AGAINST_RULES, playing.do, acts.Adjust, **values)


def adjustment(**changes: Any) -> dict[str, Any]:
    usual = {
        **{"by": MANAGER, "second": EXECUTIVE, "level": "", "reason": Lawful.MALFUNCTION, "source": Purpose.METER},
        **{"target": Purpose.HOUSE, "cents": 1, "text": "sensor"},
    }
    return usual | changes


def test_a_malfunction_is_told_to_the_regulator(playing: Room) -> None:
    [item] = playing.do(acts.Adjust, **adjustment()).facts["notes"]["checklist"]
    assert (item["call"], item["citation"][:14]) == ("notice", "WAC 230-06-054")
    seed = adjustment(reason=Lawful.SEED_RECOVERY)
    assert playing.do(acts.Adjust, **seed).facts["notes"] == {"profile": "washington", "day": "2026-10-01"}


def test_an_adjustment_that_pays_players_carries_the_checklist_of_the_award(playing: Room) -> None:
    playing.start()
    award = playing.award(COLOR)
    playing.do(acts.Confirm, by=EXECUTIVE, award=award)
    paying = adjustment(target=Purpose.PLAYERS, cents=150_000)
    notes = playing.do(acts.Adjust, **paying).facts["notes"]
    calls = [item["call"] for item in notes["checklist"]]
    assert {"notice", "display"} <= set(calls)
    assert "card" not in calls  # two people sign it
    assert "tax-slip" not in calls
    won = paying | {"reason": Lawful.AMOUNT_WON, "award": award}
    calls = [item["call"] for item in playing.do(acts.Adjust, **won).facts["notes"]["checklist"]]
    assert "tax-slip" in calls  # $1,000.11 and $1,500.00 are one award of more than $2,000
    assert "notice" not in calls


# Retiring


def test_a_value_on_its_way_is_owed_and_its_link_stays(playing: Room) -> None:
    playing.start(1, 1, 2, 3)
    playing.close()
    two: dict[str, Any] = {"by": MANAGER, "second": EXECUTIVE}
    for number, name in ((4, "next"), (5, "last")):
        playing.site(site_acts.SetTable, second="eve", table=replace(playing.floor.site.tables[1], number=number))
        playing.make(replace(ONE_METER, tables=(table(number),)), name)
    before = playing.floor.cover()
    playing.do(acts.Retire, **two, to="next")
    brief = playing.floor.links["main"]
    assert (brief.moved_to, brief.carried, brief.totals.owed) == ("next", 1_000_360 * 10**6, 0)
    assert playing.floor.cover() == before
    playing.reopen()
    assert playing.floor.cover() == before
    words = refused(No.VALUE_ON_ITS_WAY, playing.do, acts.Retire, "next", **two, to="last")
    assert words == "The value of the link main is on its way to the link next: receive it first."
    entry = playing.floor.retirement("main")
    playing.do(acts.Receive, "next", **two, source="main", levels={"": ""}, entry=entry.as_json())
    assert playing.floor.links["next"].received == {entry.digest}
    assert playing.floor.cover() == before
    playing.do(acts.Retire, "next", **two, to="last")
    assert playing.floor.cover() == before


def test_a_retired_links_value_arrives_once_and_only_as_its_own_book_says(playing: Room) -> None:
    playing.start(1, 1, 2, 3)
    playing.close()
    two: dict[str, Any] = {"by": MANAGER, "second": EXECUTIVE}
    refused(No.NO_SUCH_LINK, playing.do, acts.Retire, **two, to="next")
    playing.site(site_acts.SetTable, second="eve", table=replace(playing.floor.site.tables[1], number=4))
    playing.make(replace(ONE_METER, tables=(table(4),)), "next")
    before = sum(brief.totals.owed for brief in playing.floor.links.values())
    playing.do(acts.Retire, **two, to="next")
    refused(No.NOT_FOR_THIS_LINK, playing.floor.retirement, "next")
    entry = playing.floor.retirement("main").as_json()
    forged = {**entry, "at": "2026-10-01T00:00:00Z"}
    receive: dict[str, Any] = {**two, "source": "main", "levels": {"": ""}, "on": "next"}
    refused(No.NOT_FOR_THIS_LINK, playing.do, acts.Receive, **receive, entry=forged)
    playing.do(acts.Receive, **receive, entry=entry)
    refused(No.ALREADY_RECEIVED, playing.do, acts.Receive, **receive, entry=entry)
    refused(No.RETIRED, playing.start)
    refused(No.RETIRED, playing.do, acts.Retire, "next", **two, to="main")
    assert sum(brief.totals.owed for brief in playing.floor.links.values()) == before
    playing.set_table(1, "Royal Match")


# Resending


def test_a_resend_is_answered_with_the_first_result_and_another_act_is_not(playing: Room) -> None:
    start = acts.StartGame(id="s1", by=DEALER, table=1, lit=(4, 1), based=(1, 4))
    first = playing.floor.do(start, "main")
    assert playing.floor.do(replace(start, lit=(1, 4)), "main") == first
    assert playing.floor.submit(start, "main").result() == first
    assert "entry 3" in refused(ID_REUSED, playing.floor.do, replace(start, lit=(1,)), "main")
    refused(ID_REUSED, playing.floor.do, replace(start, table=2), "main")
    refused(ID_REUSED, playing.floor.do, acts.EndGame(id="s1", by=DEALER, table=1), "main")
    enter = acts.EnterHand(id="e1", by=DEALER, table=1, seat=1, line=COLOR.upper(), cards="7d  7h 7D")
    held = playing.floor.do(enter, "main")
    assert playing.floor.do(replace(enter, cards="7d 7h 7d", line=COLOR), "main") == held
    refused(ID_REUSED, playing.floor.do, replace(enter, seat=4), "main")


def test_a_resend_of_a_card_names_the_amount_or_not(playing: Room) -> None:
    playing.start(1, 1)
    confirm = acts.Confirm(id="c", by=EXECUTIVE, award=playing.award(COLOR), cents=100_011)
    first = playing.floor.do(confirm, "main")
    assert playing.floor.do(confirm, "main") == playing.floor.do(replace(confirm, cents=None), "main") == first
    refused(ID_REUSED, playing.floor.do, replace(confirm, cents=100_012), "main")


def test_a_resend_with_an_override_that_was_not_needed_is_the_same(playing: Room) -> None:
    playing.start(1, 1)
    override: dict[str, Any] = {"override_by": SUPERVISOR, "override_reason": "seen"}
    enter = acts.EnterHand(id="e", by=DEALER, table=1, seat=1, line=COLOR, cards="7d 7h 7d", **override)
    assert playing.floor.do(enter, "main") == playing.floor.do(enter, "main")


def test_a_resend_to_the_site_is_answered_with_the_first_result(playing: Room) -> None:
    first = playing.floor.deposit(id="d1", by="max", amount_cents=100, reference="slip")
    playing.start(1, 1, 2)
    assert playing.floor.deposit(id="d1", by="max", amount_cents=100, reference="slip") == first
    words = refused(ID_REUSED, playing.floor.deposit, id="d1", by="max", amount_cents=101, reference="slip")
    assert "deposit" in words


def test_a_link_that_is_not_there_is_named(playing: Room) -> None:
    assert "there are: main" in refused(No.NO_SUCH_LINK, playing.do, acts.OpenLink, "side", by=MANAGER)


def test_a_floor_whose_clock_is_refused_says_that_no_act_would_be_taken(house: Room) -> None:
    wall = [1_800_000_000.0]
    clock = CheckedClock(wall=lambda: wall[0], counted=lambda: 0.0)
    house.floor.close()
    with Floor(lambda: open_store(house.url), KEY, clock, bank_every_s=0) as floor:
        assert floor.troubles == {}
        wall[0] += 3_600
        assert "The clock was set ahead" in floor.troubles["clock"]
        wall[0] -= 3_600
        assert floor.troubles == {}
