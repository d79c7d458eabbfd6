"""May this table be open? Every row of the conditions: missing, expired, departing, repaired."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from croupier.compliance.conditions import REGISTER, State, Told, equipment_needed
from croupier.compliance.profile import Effect, find_profile
from croupier.compliance.table import Dealing, OnFile, Piece, Posted
from croupier.floor.link.setup import LinkSetup
from croupier.floor.site.acts import SetTable, TableSetup
from croupier.floor.site.comply import SiteTold, comply
from croupier.floor.site.notes import SiteAct
from croupier.floor.site.register_acts import WithdrawApproval, WithdrawPaper
from croupier.floor.site.site import Site
from support.papers import (
    ATLAS,
    CROUPIER,
    DISPLAY,
    I_VERIFY,
    LAYOUT,
    LETTER,
    MAKER,
    NEXUS,
    OWN_LETTER,
    SELLER,
    SHUFFLER,
    baccarat,
    bounty,
    bust,
    commercial,
    entered,
    paper,
    plain,
    rummy,
    supreme,
    tribal,
)
from support.room import ONE_METER, PEOPLE, SiteBook, felt, founding, hashed_cards, table

TODAY = date(2026, 11, 15)
AT = "2026-11-15T20:00:00Z"
LINK = {"main": replace(ONE_METER, tables=(table(6),))}
ALL = (rummy(), supreme(), baccarat(), bust(), plain(), bounty())


def a_site(
    tables: Iterable[TableSetup] = (), acts: Iterable[SiteAct] | None = None, place: str = "washington/2"
) -> SiteBook:
    """A card room with its papers and these tables."""
    book = SiteBook(founding(hashed_cards(PEOPLE), tables=()), AT)
    book.site.profile = place
    for act in (entered(), *(commercial() if acts is None else acts)):
        book.do(act)
    for each in tables:
        set_table(book, each)
    return book


def set_table(book: SiteBook, setup: TableSetup) -> None:
    book.do(SetTable(id=f"set-{book.site.book.entries}", by="max", second="mia", table=setup))


def asked(book: SiteBook, links: dict[str, LinkSetup] | None = None, day: date = TODAY) -> SiteTold:
    return comply(book.site, links or {}, day)


def told(book: SiteBook, condition: str, links: dict[str, LinkSetup] | None = None, day: date = TODAY) -> Told:
    """The condition at the only table."""
    [one] = asked(book, links, day).tables
    return next(each for each in one.conditions if each.condition == condition)


def on_file(setup: TableSetup, **changes: Any) -> TableSetup:
    assert setup.on_file is not None
    return replace(setup, on_file=replace(setup.on_file, **changes))


def equipped(setup: TableSetup, *pieces: Piece) -> TableSetup:
    return on_file(setup, equipment=pieces)


def test_every_title_that_is_dealt_can_be_a_table_and_be_open() -> None:
    answer = asked(a_site(ALL), LINK)
    assert [(each.title, each.may_open) for each in answer.tables] == [(each.title, True) for each in ALL]
    assert answer.may_open
    covered = {cover.wager: cover.on_file for each in answer.tables for cover in each.covers}
    assert covered.pop("bet") == "standard rules that the Washington State Gambling Commission publishes"
    assert {words.split(",")[1] for words in covered.values()} == {" submission #3119"}


def test_it_is_said_that_the_letter_did_not_approve_this_program() -> None:
    [says] = asked(a_site(ALL)).says
    assert "not this program: a house needs an approval of its own" in says


def test_a_table_of_older_books_is_named_and_nothing_is_claimed_of_it() -> None:
    book = SiteBook(founding(hashed_cards(PEOPLE), tables=(felt(table(1)),)), AT)
    [only] = asked(book).tables
    assert [(each.condition, each.state) for each in only.conditions] == [(REGISTER, State.MISSING)]
    assert not only.covers


def test_an_older_edition_of_the_place_warns_and_stops_nothing() -> None:
    answer = asked(a_site([rummy()], acts=(), place="washington"))
    assert answer.may_open
    assert told(a_site([rummy()], acts=(), place="washington"), "rules-as-enclosed").state is State.MET


# Papers


@pytest.mark.parametrize("of", ["", "Triple Shot Rummy"])
def test_internal_controls(of: str) -> None:
    licences = [each for each in commercial() if each.condition != "internal-controls"]
    book = a_site([rummy()], licences)
    missing = told(book, "internal-controls")
    assert (missing.state, missing.effect) == (State.MISSING, Effect.STOPS)
    assert "No paper on record for Triple Shot Rummy: internal controls, submitted." in missing.sentence
    assert missing.paragraph == "approval 3.1"
    assert "WAC 230-15-425" in missing.citation
    book.do(paper("internal-controls", "submitted", of, dated="2026-06-01"))
    assert told(book, "internal-controls").state is State.MISSING
    book.do(paper("internal-controls", "approved", of, until="2026-12-31"))
    assert told(book, "internal-controls").state is State.MET
    assert told(book, "internal-controls", day=date(2026, 12, 20)).state is State.SOON
    assert told(book, "internal-controls", day=date(2026, 12, 20)).effect is Effect.WARNS
    ended = told(book, "internal-controls", day=date(2027, 1, 1))
    assert (ended.state, ended.effect) == (State.EXPIRED, Effect.STOPS)
    assert "ended on 2026-12-31" in ended.sentence
    book.do(paper("internal-controls", "approved", of, id="again", until="2027-12-31"))
    assert told(book, "internal-controls", day=date(2027, 1, 1)).state is State.MET


def test_controls_of_another_game_do_not_count() -> None:
    licences = [each for each in commercial() if each.condition != "internal-controls"]
    book = a_site([rummy()], licences)
    for step in ("submitted", "approved"):
        book.do(paper("internal-controls", step, "Supreme 99"))
    assert told(book, "internal-controls").state is State.MISSING


def test_whoever_made_and_sold_the_equipment_is_licensed() -> None:
    book = a_site([rummy()], commercial(companies=(MAKER, "Shuffle Works")))
    missing = told(book, "equipment-licensed")
    assert (missing.state, missing.effect) == (State.MISSING, Effect.STOPS)
    assert f"No paper on record for {SELLER}: layouts and equipment, licensed." in missing.sentence
    book.do(paper("equipment-licensed", "licensed", SELLER, until="2026-12-01"))
    soon = told(book, "equipment-licensed")
    assert (soon.state, soon.effect) == (State.SOON, Effect.WARNS)
    ended = told(book, "equipment-licensed", day=date(2026, 12, 2))
    assert (ended.state, ended.effect) == (State.EXPIRED, Effect.STOPS)
    entry = book.do(paper("equipment-licensed", "licensed", SELLER, id="renewed", until="2027-12-01"))
    assert told(book, "equipment-licensed", day=date(2026, 12, 2)).state is State.MET
    book.do(WithdrawPaper(id="w", by="max", paper=entry.number, reason="Revoked."))
    assert told(book, "equipment-licensed", day=date(2026, 12, 2)).state is State.EXPIRED


def test_a_table_without_a_layout_on_record() -> None:
    book = a_site([equipped(rummy(), SHUFFLER)])
    assert told(book, "equipment-licensed").sentence == "No layout is recorded at table 1."
    set_table(book, rummy())
    assert told(book, "equipment-licensed").state is State.MET


def test_tribal_papers_are_asked_for_in_the_order_of_the_letter() -> None:
    book = a_site([supreme()], (), "tribal/2")
    keys = [each.condition for each in asked(book).tables[0].conditions]
    ordered = ["tribal-agency", "state-concurrence", "appendix-a-18", "equipment-certified"]
    assert [key for key in keys if key in ordered] == ordered
    assert "internal-controls" not in keys
    for key in ordered:
        assert (told(book, key).state, told(book, key).effect) == (State.MISSING, Effect.STOPS), key
    for act in tribal():
        book.do(act)
    assert [told(book, key).state for key in ordered] == [State.MET] * 4
    assert asked(book).may_open


def test_a_maker_is_certified_by_the_state_and_licensed_by_the_tribe() -> None:
    book = a_site([supreme()], [act for act in tribal() if act.step != "certified"], "tribal/2")
    assert (
        f"No paper on record for {MAKER}: layouts and equipment, certified."
        in told(book, "equipment-certified").sentence
    )


# Rules, pays and procedure


def test_a_paytable_of_the_houses_own_departs_and_is_named() -> None:
    own = Posted("pair-plus", own=("Straight flush  35 to 1", "Pair  1 to 1"))
    book = a_site([on_file(rummy(), paytables=(own,))])
    departs = told(book, "rules-as-enclosed")
    assert (departs.state, departs.effect) == (State.DEPARTING, Effect.STOPS)
    assert "Pair Plus with a paytable of the house's own: no approval on file for " in departs.sentence
    says = told(book, "modifications")
    assert (says.state, says.effect) == (State.DEPARTING, Effect.WARNS)
    assert says.sentence == "By submission #3119 a modification of a game may affect the approval."
    assert says.paragraph == "approval 2.2"
    set_table(book, rummy())
    assert told(book, "rules-as-enclosed").state is State.MET
    assert told(book, "modifications").state is State.MET


def test_an_own_paytable_that_pays_as_the_enclosure_does_is_covered() -> None:
    """A digest is of what is paid, whatever the paytable is called."""
    from croupier.games.catalogue import GAMES

    rows = tuple(str(GAMES["supreme-99"].wager("pair-fortunes").paytables["1"]).splitlines())
    book = a_site([on_file(supreme(), paytables=(Posted("pair-fortunes", own=rows),))])
    assert told(book, "rules-as-enclosed").state is State.MET


def letter_without(*words: str) -> str:
    """The shipped letter as a site would enter it, with lines left out."""
    from importlib.resources import files

    text = files("croupier.compliance").joinpath("approvals", f"{LETTER}.toml").read_text(encoding="utf-8")
    return "\n".join(line for line in text.splitlines() if not any(word in line for word in words))


def test_a_house_option_that_the_approval_does_not_leave_to_the_house_departs() -> None:
    book = a_site()
    book.do(entered("narrow", letter_without("options = ")))
    set_table(book, on_file(rummy(), approval="narrow"))
    [departs] = [
        each
        for each in asked(book).tables[0].conditions
        if each.condition == "rules-as-enclosed" and each.state != "met"
    ]
    assert departs.sentence == "The house option ante-mandatory is none that submission #3119 leaves to the house."
    set_table(book, on_file(rummy(), approval="narrow", rules=""))
    assert asked(book).may_open


def test_the_other_reading_of_a_rule_departs_and_its_wager_is_not_covered() -> None:
    """Three face cards that count ten: the letter's enclosure has standard scoring, so that the house needs a paper."""
    book = a_site([on_file(baccarat(), rules="faces-count-ten")])
    [one] = asked(book).tables
    departs = " ".join(each.sentence for each in one.conditions if each.state is not State.MET)
    assert "The house option faces-count-ten is none that submission #3119 leaves to the house." in departs
    covered = {cover.wager: cover.on_file for cover in one.covers}
    assert "submission #3119" in covered["tie"]
    assert "submission #3119" not in covered["dragon-bonus"]
    assert asked(a_site([baccarat()])).may_open


def test_another_procedure_departs() -> None:
    book = a_site()
    text = letter_without()
    procedure = next(line for line in text.splitlines() if line.startswith("procedure = "))
    book.do(entered("other", text.replace(procedure, f'procedure = "{"0" * 64}"')))
    set_table(book, on_file(supreme(), approval="other"))
    assert any("The procedure of Supreme 99 is another" in each.sentence for each in asked(book).tables[0].conditions)


def test_a_host_whose_rules_are_not_enclosed_waits_for_an_approval_that_has_them() -> None:
    royal = replace(bounty(), title="Royal Match", wagers=())
    book = a_site([royal])
    missing = told(book, "rules-as-enclosed")
    assert (missing.state, missing.effect) == (State.MISSING, Effect.STOPS)
    assert "The rules of Royal Match are not among the enclosures of submission #3119" in missing.sentence
    book = a_site([on_file(royal, approval="our-letter")])
    assert asked(book).may_open


def test_a_host_that_is_dealt_by_rules_of_its_own_is_a_table_of_that_game() -> None:
    """Its title is on file as a host, and no document encloses its rules, so it does not open by that letter."""
    free = on_file(replace(bounty(), title="Free Bet Blackjack", base_game="free-bet-blackjack", wagers=()), rules="")
    book = a_site([free])
    departs = told(book, "rules-as-enclosed")
    assert (departs.state, departs.effect) == (State.DEPARTING, Effect.STOPS)
    assert "Bet with paytable 3:2 and 6 decks: no approval on file" in departs.sentence
    assert [each.base_game for each in book.site.tables.values()] == ["free-bet-blackjack"]


def test_plain_blackjack_is_played_by_published_rules() -> None:
    book = a_site([plain()])
    assert told(book, "rules-as-enclosed").state is State.NOT_ASKED
    assert "(approval 1.5)" in told(book, "rules-as-enclosed").sentence
    assert asked(book).may_open


def test_a_withdrawn_approval_covers_nothing() -> None:
    book = a_site([rummy()])
    book.do(WithdrawApproval(id="w", by="max", second="mia", key=LETTER, reason="Withdrawn with notice."))
    [only] = asked(book).tables
    assert [(each.condition, each.state) for each in only.conditions] == [(REGISTER, State.MISSING)]
    assert "that approval was withdrawn" in only.conditions[0].sentence
    assert not only.may_open


# Wagers


def test_wager_limits_are_those_of_the_place_for_side_wagers_too() -> None:
    from croupier.floor.site.acts import WagerLimits

    high = replace(rummy(), limits=(WagerLimits("pair-plus", 500, 40_100),))
    book = a_site([rummy()])
    book.site.tables[1] = high  # as one that was set under other rules
    departs = told(book, "wager-limits")
    assert (departs.state, departs.effect) == (State.DEPARTING, Effect.STOPS)
    assert "pair-plus goes up to $401.00; the highest wager is $400.00" in departs.sentence
    book.site.tables[1] = rummy()
    assert told(book, "wager-limits").state is State.MET
    dear = {"main": replace(ONE_METER, wager_cents=40_500, tables=(table(6),))}
    assert told(a_site([bounty()]), "wager-limits", dear).state is State.DEPARTING


# Equipment


@pytest.mark.parametrize(
    ("pieces", "state", "words"),
    [
        ((LAYOUT,), State.MISSING, "dealt from a shuffler, and none is recorded"),
        ((LAYOUT, replace(SHUFFLER, version="1.0.113")), State.DEPARTING, "names 1.0.114 or higher"),
        ((LAYOUT, replace(SHUFFLER, version="")), State.MISSING, "version of i-Deal Plus (NXP) is not recorded"),
        ((LAYOUT, replace(SHUFFLER, version="new")), State.MISSING, "numbers with dots"),
        ((LAYOUT, replace(SHUFFLER, model="Ours 5")), State.MISSING, "the model Ours 5: shuffler, approved"),
        ((LAYOUT, replace(SHUFFLER, maker="Nobody")), State.MISSING, "No paper on record for Nobody"),
        ((LAYOUT, SHUFFLER), State.MET, "1.0.114"),
    ],
)
def test_shufflers(pieces: tuple[Piece, ...], state: State, words: str) -> None:
    found = told(a_site([equipped(rummy(), *pieces)]), "shuffler-approved")
    assert found.state is state
    assert words in found.sentence
    assert found.effect is (None if state is State.MET else Effect.STOPS)


def test_another_model_takes_a_paper_of_its_approval() -> None:
    book = a_site([equipped(rummy(), LAYOUT, replace(SHUFFLER, model="Ours 5"))])
    book.do(paper("shuffler-approved", "approved", "Ours 5", until="2026-11-14"))
    assert told(book, "shuffler-approved").state is State.EXPIRED
    book.do(paper("shuffler-approved", "approved", "Ours 5", id="renewed"))
    assert told(book, "shuffler-approved").state is State.MET


def test_dealing_by_hand_is_for_few_decks() -> None:
    departs = told(a_site([on_file(bounty(), dealing=Dealing.HAND)]), "dealing")
    assert (departs.state, departs.effect) == (State.DEPARTING, Effect.STOPS)
    assert "6 decks are dealt by hand, and at most 2 may be (WAC 230-15-465" in departs.sentence
    assert told(a_site([bounty()]), "dealing").state is State.NOT_ASKED
    assert told(a_site([baccarat()]), "dealing").state is State.MET


@pytest.mark.parametrize(
    ("piece", "state"),
    [
        (replace(I_VERIFY, place=""), State.MISSING),
        (replace(I_VERIFY, version="1.0.016"), State.DEPARTING),
        (I_VERIFY, State.MET),
    ],
)
def test_the_i_verify_display_is_where_surveillance_sees_it(piece: Piece, state: State) -> None:
    assert told(a_site([equipped(supreme(), LAYOUT, SHUFFLER, piece)]), "i-verify-in-view").state is state


def test_without_i_verify_nothing_is_asked_of_it() -> None:
    assert told(a_site([equipped(supreme(), LAYOUT, SHUFFLER)]), "i-verify-in-view").state is State.NOT_ASKED


# Progressives


@pytest.mark.parametrize(
    ("pieces", "state", "words"),
    [
        ((), State.MISSING, "No progressive system is recorded at table 6."),
        ((ATLAS,), State.MISSING, "GM Atlas runs with Nexus Command II, which is not recorded."),
        ((ATLAS, NEXUS), State.MET, "GM Atlas 5.4.0"),
        ((replace(ATLAS, version="5.3.9"), NEXUS), State.DEPARTING, "names 5.4.0 or higher"),
        ((replace(ATLAS, model="Nexus Command Game Manager 2", version="2.5.4"),), State.MET, "2.5.4"),
        ((replace(ATLAS, model="Home Made"),), State.DEPARTING, "named by no approval on file"),
        ((CROUPIER,), State.MET, "letter 77 names 0.1 or higher"),
    ],
)
def test_the_progressive_system_is_one_that_an_approval_names(
    pieces: tuple[Piece, ...], state: State, words: str
) -> None:
    book = a_site([bounty(system=pieces)])
    found = told(book, "progressive-system", LINK)
    assert (found.state, found.effect) == (state, None if state is State.MET else Effect.STOPS)
    assert words in found.sentence
    assert told(book, "progressive-system").state is State.NOT_ASKED


def test_this_program_needs_an_approval_of_the_sites_own() -> None:
    book = a_site([bounty()])
    book.do(WithdrawApproval(id="w", by="max", second="mia", key="our-letter", reason="Ended."))
    departs = told(book, "progressive-system", LINK)
    assert (departs.state, departs.effect) == (State.DEPARTING, Effect.STOPS)
    assert departs.sentence.startswith("Croupier is named by no approval on file")
    book.do(entered("next-letter"))
    assert told(book, "progressive-system", LINK).state is State.MET


def test_the_display_is_a_plain_monitor() -> None:
    clever = equipped(bounty(), LAYOUT, CROUPIER, replace(DISPLAY, plain=False))
    book = a_site([clever])
    departs = told(book, "plain-display", LINK)
    assert (departs.state, departs.effect) == (State.DEPARTING, Effect.WARNS)
    set_table(book, equipped(bounty(), LAYOUT, CROUPIER))
    assert told(book, "plain-display", LINK).state is State.MISSING
    set_table(book, bounty())
    assert told(book, "plain-display", LINK).state is State.MET


def test_a_link_has_one_paytable_and_one_shoe() -> None:
    book = a_site([bounty()])
    mixed = {"main": replace(ONE_METER, tables=(table(6), table(7, paytable="2")))}
    assert told(book, "same-paytable-and-decks", mixed).state is State.DEPARTING
    assert told(book, "same-paytable-and-decks", LINK).state is State.MET
    assert told(book, "same-paytable-and-decks").state is State.NOT_ASKED


def test_a_link_plays_the_paytable_that_its_tables_were_set_with() -> None:
    paytables = (Posted("kings-bounty", "KB01"), Posted("blazing-7s-dealer", "ML03"))
    book = a_site([replace(on_file(bounty(), paytables=paytables), wagers=("kings-bounty", "blazing-7s-dealer"))])
    departs = told(book, "same-paytable-and-decks", LINK)
    assert (departs.state, departs.effect) == (State.DEPARTING, Effect.STOPS)
    assert departs.sentence.endswith(": table set with paytable ML03, and the link main plays 1.")
    set_table(book, on_file(book.site.tables[6], paytables=(paytables[0], Posted("blazing-7s-dealer", "1"))))
    assert told(book, "same-paytable-and-decks", LINK).state is State.MET
    [one] = asked(book, LINK).tables
    assert [cover.wager for cover in one.covers] == ["bet", "kings-bounty", "blazing-7s-dealer"], "each once"


def test_kings_bounty_has_one_progressive() -> None:
    book = a_site([bounty()])
    both = {**LINK, "other": LINK["main"]}
    departs = told(book, "one-progressive", both)
    assert (departs.state, departs.effect) == (State.DEPARTING, Effect.STOPS)
    assert told(book, "one-progressive", LINK).state is State.MET


def test_a_condition_of_the_sites_own_approval_takes_a_paper() -> None:
    text = (
        OWN_LETTER
        + '\n[[condition]]\nkey = "night-camera"\nwhere = "everywhere"\nparagraph = "2.1"\nasks = "A camera."\n'
    )
    book = a_site([], acts=[*commercial()])
    book.do(entered("with-camera", text))
    set_table(
        book, replace(bounty(), title="Royal Match", wagers=(), on_file=replace_approval(bounty(), "with-camera"))
    )
    found = told(book, "night-camera")
    assert (found.state, found.effect) == (State.MISSING, Effect.WARNS)
    assert found.paragraph == "letter 2.1"
    book.do(paper("night-camera", "shown"))
    assert told(book, "night-camera").state is State.MET


def replace_approval(setup: TableSetup, key: str) -> OnFile:
    assert setup.on_file is not None
    return replace(setup.on_file, approval=key)


def test_the_answer_is_the_same_from_the_book_and_from_a_snapshot() -> None:
    book = a_site(ALL)
    again = Site.of_snapshot(book.site.snapshot())
    assert comply(again, LINK, TODAY).as_json() == asked(book, LINK).as_json()
    assert Site.of_snapshot(again.snapshot()).snapshot() == book.site.snapshot()


@pytest.mark.parametrize("place", ["washington/2", "tribal/2"])
@pytest.mark.parametrize("on_link", [False, True])
def test_what_is_marked_as_needed_is_what_stops_or_warns_where_it_is_missing(place: str, *, on_link: bool) -> None:
    """A form marks equipment by this: each piece alone is left out, and the answer for the table is another."""
    papers = tribal() if place.startswith("tribal") else commercial()
    book = a_site([bounty()], papers, place)
    needed = equipment_needed(book.site.kept.register, find_profile(place), TODAY)
    assert {each["use"] for each in needed} == {"layout", "progressive-system", "display"}
    setups = LINK if on_link else {}

    def effects(without: str) -> set[str]:
        setup = bounty()
        assert setup.on_file is not None
        left = tuple(piece for piece in setup.on_file.equipment if piece.use != without)
        book.site.tables[setup.number] = replace(setup, on_file=replace(setup.on_file, equipment=left))
        [told] = comply(book.site, setups, TODAY).tables
        return {str(each.effect) for each in told.conditions if each.effect}

    before = effects("")
    for each in needed:
        asked = on_link or not each["on_link"]
        assert (effects(each["use"]) - before == {each["does"]}) is asked, each
        assert each["asks"]
        assert each["paragraph"].startswith("approval ")
