"""The site: people, cards, tables, profile and bank, all from entries alone; each refusal by itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.compliance.authority import CardHash, CardToken, Denied, Role
from croupier.compliance.profile import BEFORE_PROFILE, Fact, find_profile
from croupier.errors import CroupierError, NotationError, RecordError, Refusal
from croupier.floor.act import read_act
from croupier.floor.forms import Signed
from croupier.floor.people import DeviceKind
from croupier.floor.refusals import No
from croupier.floor.site.acts import (
    AcceptTime,
    ChangeRole,
    ChooseProfile,
    CreateSite,
    DeclareBank,
    Deposit,
    EnrolDevice,
    EnrolPerson,
    NotePin,
    RemoveTable,
    RenameSite,
    ReplaceCard,
    RevokeCard,
    RevokeDevice,
    SetClock,
    SetTable,
    TableSetup,
)
from croupier.floor.site.bank import LinkTotals
from croupier.floor.site.decide import ACTS, DECIDE
from croupier.floor.site.notes import NoteBackup, SiteAct
from croupier.floor.site.site import CHANGE, Site, check_edition
from croupier.ledger.entry import UNITS_PER_CENT, Entry, Purpose
from support.room import EXECUTIVE, KEY, MANAGER, OTHER_MANAGER, SUPERVISOR, SiteBook, founding, hashed_cards
from support.room import card as card_of

AT = "2026-11-15T20:00:00Z"
TABLE = TableSetup(1, "King's Bounty", "blackjack", 6, 7, 500, 40_000)


def card(name: str) -> CardHash:
    return CardToken(card_of(name)).hash(KEY)


CREATE = CreateSite(id="c1", by="mia", title="The Room", profile="washington", name="Mia", card=card("mia"), zone="UTC")


WITH_CARD = (OTHER_MANAGER, MANAGER, EXECUTIVE, SUPERVISOR, Signed("ann", Role.AUDITOR))
DAN = Signed("dan", Role.DEALER)


@pytest.fixture
def floor() -> SiteBook:
    """Mia and Max manage, Eve is executive, Sue supervisor, Dan dealer without a card, Ann auditor; table 1 stands."""
    return SiteBook(founding(hashed_cards(WITH_CARD), (*WITH_CARD, DAN), [TABLE], zone="UTC"), at=AT)


def refused(floor: SiteBook, act: SiteAct, code: str, at: str = AT) -> str:
    """The sentence of the refusal; nothing has changed."""
    before = floor.site.snapshot()
    with pytest.raises(Refusal) as found:
        floor.site.handle(act, at)
    assert found.value.code == code
    assert floor.site.snapshot() == before
    sentence = found.value.sentence
    assert sentence.endswith((".", ")", "?"))
    assert "\n" not in sentence
    return sentence


# People and cards


def test_the_first_manager_is_enrolled_at_creation() -> None:
    floor = SiteBook()
    floor.do(CREATE)
    assert [(person.id, person.role) for person in floor.site.people] == [("mia", Role.MANAGER)]
    assert (floor.site.title, floor.site.profile) == ("The Room", "washington")


def test_a_card_says_who_somebody_is(floor: SiteBook) -> None:
    person = floor.site.people.identify(CardToken(card_of("sue")), KEY)
    assert (person.id, person.role) == ("sue", Role.SUPERVISOR)
    assert person.signed.as_list() == ["sue", "supervisor"]


def test_no_entry_and_no_snapshot_has_a_token(floor: SiteBook) -> None:
    kept = json.dumps([entry.as_json() for entry in floor.entries]) + json.dumps(floor.site.snapshot())
    assert not any(card_of(signed.person) in kept for signed in WITH_CARD)
    assert card("sue") in kept
    assert card("sue") not in repr(floor.site.people)


def test_a_revoked_card_opens_nothing_and_a_new_one_does_again(floor: SiteBook) -> None:
    floor.do(RevokeCard(id="r1", by="eve", person="sue", reason="lost at the bar"))
    with pytest.raises(Refusal) as found:
        floor.site.people.identify(CardToken(card_of("sue")), KEY)
    assert found.value.code == Denied.REVOKED_CARD
    assert floor.site.people.known("sue").name == "Sue"
    floor.do(ReplaceCard(id="r2", by="mia", second="max", person="sue", card=card("sue, second")))
    assert floor.site.people.identify(CardToken(card_of("sue, second")), KEY).id == "sue"
    with pytest.raises(Refusal):
        floor.site.people.identify(CardToken(card_of("sue")), KEY)


def test_a_replaced_card_counts_no_more(floor: SiteBook) -> None:
    floor.do(ReplaceCard(id="r1", by="mia", second="max", person="sue", card=card("sue, second")))
    with pytest.raises(Refusal, match="revoked or replaced") as found:
        floor.site.people.identify(CardToken(card_of("sue")), KEY)
    assert "Sue" not in str(found.value)  # whoever has found it need not know


def test_a_strange_card_belongs_to_nobody(floor: SiteBook) -> None:
    with pytest.raises(Refusal) as found:
        floor.site.people.identify(CardToken(card_of("a stranger")), KEY)
    assert found.value.code == Denied.UNKNOWN_CARD


def test_a_role_is_changed_by_two_managers_and_the_old_one_is_on_record(floor: SiteBook) -> None:
    entry = floor.do(ChangeRole(id="p", by="mia", second="max", person="sue", role=Role.EXECUTIVE))
    assert entry.facts["was"] == "supervisor"
    assert floor.site.people.known("sue").role is Role.EXECUTIVE


def test_a_dealer_who_becomes_more_has_no_card_before_two_give_one(floor: SiteBook) -> None:
    """One manager alone gives a dealer a card: whoever has copied it must not be the new supervisor."""
    people = floor.site.people
    floor.do(dealer("zoe", card=card("zoe")))
    floor.do(new_role("zoe", Role.SUPERVISOR))
    with pytest.raises(Refusal) as found:
        people.identify(CardToken(card_of("zoe")), KEY)
    assert found.value.code == Denied.REVOKED_CARD
    refused(floor, new_card("zoe", card("other"), second=""), Denied.SECOND_MISSING)
    floor.do(new_card("zoe", card("other")))
    assert people.active("zoe").role is Role.SUPERVISOR
    floor.do(new_role("zoe", Role.DEALER))
    assert people.active("zoe").card == card("other"), "that one was given out by two"
    assert floor.site.snapshot() == Site.of_snapshot(floor.site.snapshot()).snapshot()


def test_roles_of_older_books_kept_the_card_and_no_newer_row_goes_by_their_law(floor: SiteBook) -> None:
    floor.do(dealer("zoe", card=card("zoe")))
    entry = floor.do(replace(new_role("zoe", Role.SUPERVISOR), law=1))
    assert "law" not in entry.facts
    assert ChangeRole.told(entry.facts)["law"] == 1
    assert floor.site.people.active("zoe").card == card("zoe")
    assert floor.do(new_role("zoe", Role.AUDITOR)).facts["law"] == 2
    for law in (0, 1, 3):
        refused(floor, replace(new_role("sue", Role.AUDITOR), law=law), No.OTHER_LAW)


def test_a_person_whose_card_was_revoked_cannot_act(floor: SiteBook) -> None:
    floor.do(RevokeCard(id="r1", by="mia", person="max", reason="left"))
    refused(floor, EnrolPerson(id="e", by="max", person="x", name="X", role=Role.DEALER), Denied.REVOKED_CARD)


def test_a_manager_who_revoked_the_other_does_not_make_a_second_alone(floor: SiteBook) -> None:
    floor.do(RevokeCard(id="r1", by="mia", person="max", reason="left"))
    another = EnrolPerson(id="e1", by="mia", person="new", name="New", role=Role.MANAGER, card=card("new"))
    refused(floor, another, Denied.SECOND_MISSING)
    refused(floor, replace(another, second="sue"), Denied.NOT_ALLOWED)
    floor.do(replace(another, second="eve"))
    assert floor.site.people.known("new").role is Role.MANAGER


def test_the_only_manager_enrols_another_one_alone_and_nobody_else() -> None:
    floor = SiteBook()
    floor.do(CREATE)
    for role in Role:
        if role not in (Role.DEALER, Role.MANAGER, Role.FLOOR):
            refused(floor, dealer(role=role, card=card("new")), Denied.SECOND_MISSING)
    refused(floor, ReplaceCard(id="x", by="mia", person="mia", card=card("other")), Denied.SECOND_MISSING)
    floor.do(dealer(role=Role.MANAGER, card=card("new")))
    refused(floor, dealer("third", role=Role.MANAGER, card=card("third")), Denied.SECOND_MISSING)
    floor.do(RevokeCard(id="r", by="mia", person="new", reason="left"))
    refused(floor, dealer("third", role=Role.MANAGER, card=card("third")), Denied.SECOND_MISSING)


def test_a_dealer_is_enrolled_and_gets_a_card_by_one_manager(floor: SiteBook) -> None:
    floor.do(dealer())
    floor.do(ReplaceCard(id="r", by="max", person="new", card=card("new")))
    assert floor.site.people.identify(CardToken(card_of("new")), KEY).role is Role.DEALER


# Tables and profile


def test_a_change_of_a_table_keeps_the_old_value(floor: SiteBook) -> None:
    entry = floor.do(SetTable(id="t2", by="max", second="mia", table=replace(TABLE, decks=8)))
    assert entry.facts["was"]["decks"] == 6
    assert floor.site.tables[1].decks == 8
    floor.do(RemoveTable(id="t3", by="max", second="mia", number=1))
    assert floor.site.tables == {}


def test_a_table_stays_usable_when_the_rules_change_under_it(floor: SiteBook) -> None:
    """Set to $500 by compact, the table can still be lowered, and altered, once Washington's limit counts."""
    floor.do(ChooseProfile(id="p1", by="mia", second="eve", profile="tribal"))
    floor.do(SetTable(id="t2", by="mia", second="eve", table=replace(TABLE, most_wager_cents=50_000)))
    floor.do(ChooseProfile(id="p2", by="mia", second="eve", profile="washington"))
    assert [finding.code for finding in floor.site.findings(AT)] == ["wager-too-high"]
    floor.do(SetTable(id="t3", by="mia", second="eve", table=replace(TABLE, most_wager_cents=50_000, seats=5)))
    floor.do(SetTable(id="t4", by="mia", second="eve", table=TABLE))
    assert floor.site.findings(AT) == []


def test_a_site_moves_to_a_newer_edition_by_two_people_and_never_back(floor: SiteBook) -> None:
    assert floor.site.rules(AT).number(Fact.MOST_GAMES) == 4, "the first edition, as older books name it"
    entry = floor.do(ChooseProfile(id="p1", by="mia", second="eve", profile="washington/2"))
    assert (entry.facts["was"], entry.facts["profile_digest"]) == ("washington", find_profile("washington/2").digest)
    assert floor.site.rules(AT).number(Fact.MOST_GAMES) is None
    assert Site.of_snapshot(floor.site.snapshot()).profile == "washington/2"
    back = ChooseProfile(id="p2", by="mia", second="eve", profile="washington")
    assert "does not go back to edition 1" in refused(floor, back, No.OLDER_EDITION)
    alone = ChooseProfile(id="p3", by="mia", second="", profile="tribal/2")
    refused(floor, alone, Denied.SECOND_MISSING)
    entry = floor.do(ChooseProfile(id="p4", by="mia", second="eve", profile="tribal"))
    assert "profile_digest" not in entry.facts, "of a first edition books have the name alone"


def test_a_new_book_names_the_edition_and_its_digest() -> None:
    book = SiteBook()
    entry = book.do(replace(CREATE, profile="washington/2"))
    assert entry.facts["profile_digest"] == find_profile("washington/2").digest
    refused(SiteBook(), replace(CREATE, profile="washington/99"), No.UNKNOWN_PROFILE)


def test_a_site_of_a_newer_programs_edition_is_not_opened() -> None:
    check_edition(Site())
    check_edition(Site(profile="washington/2"))
    with pytest.raises(RecordError, match=r"start the one that it ran on. There is no edition .* 'washington/99'"):
        check_edition(Site(profile="washington/99"))


def test_the_rules_are_those_of_the_day(floor: SiteBook) -> None:
    assert floor.site.rules("2023-06-14T12:00:00Z").day.isoformat() == "2023-06-14"


# Bank


def test_declarations_and_deposits_make_the_balance(floor: SiteBook) -> None:
    floor.do(DeclareBank(id="b1", by="eve", balance_cents=1_000_000, paid={}))
    floor.do(Deposit(id="b2", by="mia", amount_cents=5_000, reference="slip 7", contributed={"main": 50}))
    assert floor.site.book.balance(Purpose.BANK) == 1_005_000 * UNITS_PER_CENT
    assert sum(floor.site.book.balances.values()) == 0
    floor.do(DeclareBank(id="b3", by="eve", balance_cents=900_000, paid={"main": 7}), "2026-11-16T00:00:00Z")
    bank = floor.site.bank
    assert bank.balance_units == 900_000 * UNITS_PER_CENT
    assert (bank.opened_at, bank.deposited_at, bank.declared_at) == (AT, AT, "2026-11-16T00:00:00Z")
    assert (bank.paid_then, bank.contributed_then) == ({"main": 7}, {"main": 50})
    assert floor.do(DeclareBank(id="b4", by="eve", balance_cents=900_000, paid={})).transfers == ()


def test_the_site_says_whether_its_links_are_covered(floor: SiteBook) -> None:
    link = LinkTotals("main", 100 * UNITS_PER_CENT, 0, 0, 0, 0, 0)
    assert floor.site.cover([link], AT).links_must_stop
    floor.do(DeclareBank(id="b1", by="eve", balance_cents=100, paid={}))
    assert not floor.site.cover([link], AT).links_must_stop


# Refusals, each by itself


def dealer(person: str = "new", **more: Any) -> EnrolPerson:
    return EnrolPerson(**{"id": "x", "by": "mia", "person": person, "name": "New", "role": Role.DEALER, **more})


def new_card(person: str, card: str, second: str = "max") -> ReplaceCard:
    return ReplaceCard(id="x", by="mia", second=second, person=person, card=card)


def new_role(person: str, role: Role, second: str = "max") -> ChangeRole:
    return ChangeRole(id="x", by="mia", second=second, person=person, role=role)


KEYPAD: dict[str, Any] = {
    **{"id": "x", "by": "mia", "device": "k1", "device_kind": DeviceKind.KEYPAD, "name": "Table 1"},
    **{"token": "ab" * 32, "table": 1, "second": "max"},
}


BACKUP: dict[str, Any] = {
    **{"id": "x", "by": "mia", "file": "backup-20261115T200000Z-0a1b2c3d.jsonl.gz", "digest": "ab" * 32},
    **{"size_bytes": 4_711, "books": {"site": 1}},
}


REFUSALS: list[tuple[SiteAct, str, str]] = [
    (CREATE, No.ALREADY_CREATED, "The site The Room has been created already."),
    (dealer("dan"), No.PERSON_EXISTS, "dan is enrolled already, as dealer."),
    (dealer(role=Role.AUDITOR, second="max"), No.CARD_NEEDED, "Only a dealer may be enrolled without a card"),
    (dealer(card=card("sue")), No.CARD_TAKEN, "This card is or was that of Sue"),
    (dealer(card="token-of-the-card-x"), No.CARD_FORM, "64 hexadecimal digits"),
    (new_card("sue", card("sue")), No.CARD_TAKEN, "that of Sue"),
    (new_card("sue", ""), No.CARD_FORM, "64 hexadecimal digits"),
    (new_role("sue", Role.SUPERVISOR), No.SAME_ROLE, "Sue is supervisor already."),
    (new_role("mia", Role.EXECUTIVE), No.OWN_ROLE, "their own role"),
    (new_role("max", Role.EXECUTIVE), No.OWN_ROLE, "their own role"),
    (new_role("dan", Role.SUPERVISOR), No.CARD_NEEDED, "Dan is to be supervisor"),
    (new_role("sue", Role.EXECUTIVE, second=""), Denied.SECOND_MISSING, "To enroll a person takes two people"),
    (new_role("sue", Role.EXECUTIVE, second="mia"), Denied.SAME_PERSON, "mia is one"),
    (new_role("sue", Role.EXECUTIVE, second="ann"), Denied.NOT_ALLOWED, "An auditor may not enroll a person"),
    (new_role("dan", Role.AUDITOR, second=""), Denied.SECOND_MISSING, "takes two people"),
    (new_card("sue", card("other"), second=""), Denied.SECOND_MISSING, "takes two people"),
    (new_card("zoe", card("other"), second=""), Denied.UNKNOWN_PERSON, "'zoe'"),
    (dealer(role=Role.MANAGER, card=card("new")), Denied.SECOND_MISSING, "takes two people"),
    (dealer(role=Role.AUDITOR, card=card("new")), Denied.SECOND_MISSING, "takes two people"),
    (dealer(second="sue"), Denied.NOT_ALLOWED, "A supervisor may not enroll a person"),
    (ChooseProfile(id="x", by="mia", second="eve", profile="nevada"), No.UNKNOWN_PROFILE, "'nevada'"),
    (ChooseProfile(id="x", by="mia", second="eve", profile="washington"), No.SAME_PROFILE, "already"),
    (RenameSite(id="x", by="mia", second="eve", title="The Room"), No.SAME_TITLE, "called The Room already"),
    (RenameSite(id="x", by="mia", second="", title="Other"), Denied.SECOND_MISSING, "takes two people"),
    (NoteBackup(**{**BACKUP, "by": "sue"}), Denied.NOT_ALLOWED, "export the ledger"),
    (NoteBackup(**{**BACKUP, "books": {"site": 99}}), No.WRONG_FORM, "up to an entry of it"),
    (NoteBackup(**{**BACKUP, "books": {}}), No.WRONG_FORM, "up to an entry of it"),
    (SetTable(id="x", by="mia", second="eve", table=TABLE), No.SAME_TABLE, "these values already"),
    (RemoveTable(id="x", by="mia", second="eve", number=9), No.NO_SUCH_TABLE, "no table 9; there are: 1."),
    (
        SetTable(id="x", by="mia", second="eve", table=replace(TABLE, most_wager_cents=40_001)),
        No.AGAINST_RULES,
        "WAC 230-15-140",
    ),
    (dealer(role=Role.FLOOR, second="max"), No.NOT_A_PERSON, "the program itself signs that way"),
    (new_role("sue", Role.FLOOR), No.NOT_A_PERSON, "Nobody can be floor"),
    (SetClock(id="x", by="mia", second="eve", zone="UTC", day_begins=6), No.SAME_CLOCK, "already"),
    (
        AcceptTime(id="x", by="mia", second="eve", time="2030-01-01T00:00:00Z"),
        No.OTHER_TIME,
        "not 2030-01-01 00:00:00",
    ),
    (EnrolDevice(**{**KEYPAD, "table": 9}), No.NO_SUCH_TABLE, "no table 9"),
    (EnrolDevice(**{**KEYPAD, "token": "plain"}), No.CARD_FORM, "64 hexadecimal digits"),
    (EnrolDevice(**{**KEYPAD, "by": "eve"}), Denied.NOT_ALLOWED, "enroll or revoke a device"),
    (EnrolDevice(**{**KEYPAD, "second": ""}), Denied.SECOND_MISSING, "takes two people"),
    (EnrolDevice(**{**KEYPAD, "second": "mia"}), Denied.SAME_PERSON, "mia is one"),
    (EnrolDevice(**{**KEYPAD, "second": "sue"}), Denied.NOT_ALLOWED, "enroll or revoke a device"),
    (RevokeDevice(id="x", by="mia", device="k9", reason="lost"), No.NO_SUCH_DEVICE, "no device 'k9'"),
    (NotePin(id="x", by="sue", person="eve"), Denied.NOT_ALLOWED, "enroll a person"),
    (NotePin(id="x", by="mia", person="eve"), Denied.SECOND_MISSING, "takes two people"),
    (NotePin(id="x", by="mia", second="sue", person="eve"), Denied.NOT_ALLOWED, "enroll a person"),
    (NotePin(id="x", by="mia", person="zoe"), Denied.UNKNOWN_PERSON, "'zoe'"),
    (RemoveTable(id="x", by="mia", second="", number=1), Denied.SECOND_MISSING, "takes two people"),
    (RemoveTable(id="x", by="mia", second="mia", number=1), Denied.SAME_PERSON, "mia is one"),
    (RemoveTable(id="x", by="mia", second="sue", number=1), Denied.NOT_ALLOWED, "A supervisor may not"),
    (RemoveTable(id="x", by="mia", second="zoe", number=1), Denied.UNKNOWN_PERSON, "'zoe'"),
    (dealer(by="eve"), Denied.NOT_ALLOWED, "An executive may not enroll a person: that takes a manager."),
    (dealer(by="zoe"), Denied.UNKNOWN_PERSON, "Nobody is enrolled here as 'zoe': look"),
    (RevokeCard(id="x", by="mia", person="zoe", reason="lost"), Denied.UNKNOWN_PERSON, "'zoe'"),
    (RevokeCard(id="x", by="sue", person="dan", reason="lost"), Denied.NOT_ALLOWED, "revoke a card"),
    (DeclareBank(id="x", by="sue", balance_cents=0, paid={}), Denied.NOT_ALLOWED, "declare the bank's balance"),
    (Deposit(id="x", by="ann", amount_cents=1, reference="1", contributed={}), Denied.NOT_ALLOWED, "record a deposit"),
]


@pytest.mark.parametrize(("act", "code", "words"), REFUSALS, ids=[f"{act.kind}: {code}" for act, code, _ in REFUSALS])
def test_what_is_refused_changes_nothing(floor: SiteBook, act: SiteAct, code: str, words: str) -> None:
    assert words in refused(floor, act, code)


def test_nothing_happens_before_the_site_is_created() -> None:
    refused(SiteBook(), dealer(), No.NOT_CREATED)


def test_a_site_is_created_with_a_profile_that_is_there_and_a_hashed_card() -> None:
    refused(SiteBook(), replace(CREATE, profile="atlantis"), No.UNKNOWN_PROFILE)
    refused(SiteBook(), replace(CREATE, card="plain token of a card"), No.CARD_FORM)
    refused(SiteBook(), CREATE, BEFORE_PROFILE, at="2001-01-01T00:00:00Z")


def test_a_card_is_revoked_once_and_never_given_again(floor: SiteBook) -> None:
    floor.do(RevokeCard(id="r1", by="mia", person="sue", reason="lost"))
    refused(floor, RevokeCard(id="r2", by="mia", person="sue", reason="lost"), No.ALREADY_REVOKED)
    refused(floor, dealer(card=card("sue")), No.CARD_TAKEN)
    refused(floor, new_card("sue", card("sue")), No.CARD_TAKEN)


def test_the_last_manager_stays(floor: SiteBook) -> None:
    floor.do(RevokeCard(id="r1", by="mia", person="max", reason="left"))
    refused(floor, RevokeCard(id="r2", by="eve", person="mia", reason="left"), No.LAST_MANAGER)


def test_a_device_is_known_by_its_token_until_it_is_revoked(floor: SiteBook) -> None:
    floor.do(EnrolDevice(**KEYPAD))
    assert floor.site.devices.identify(CardHash("ab" * 32)).table == 1
    refused(floor, EnrolDevice(**{**KEYPAD, "token": "cd" * 32}), No.DEVICE_EXISTS)
    floor.do(RevokeDevice(id="r", by="mia", device="k1", reason="broken"))
    assert "'k1'" in refused(floor, EnrolDevice(**{**KEYPAD, "id": "k2", "device": "k2"}), No.TOKEN_TAKEN)
    with pytest.raises(Refusal, match="or no longer"):
        floor.site.devices.identify(CardHash("ab" * 32))
    refused(floor, RevokeDevice(id="r2", by="mia", device="k1", reason="broken"), No.NO_SUCH_DEVICE)


def test_a_table_has_one_keypad(floor: SiteBook) -> None:
    floor.do(EnrolDevice(**KEYPAD))
    other = {**KEYPAD, "id": "k2", "device": "k2", "token": "cd" * 32}
    assert "'k1'" in refused(floor, EnrolDevice(**other), No.KEYPAD_AT_TABLE)
    floor.do(RevokeDevice(id="r", by="mia", device="k1", reason="broken"))
    floor.do(EnrolDevice(**{**other, "second": "eve"}))
    assert floor.site.devices.at_table(DeviceKind.KEYPAD, 1) == floor.site.devices.get("k2")


def test_a_table_has_one_bridge_beside_its_keypad_and_two_people_enrol_it(floor: SiteBook) -> None:
    bridge = {**KEYPAD, "device": "b1", "device_kind": DeviceKind.BRIDGE, "token": "cd" * 32}
    refused(floor, EnrolDevice(**{**bridge, "second": ""}), Denied.SECOND_MISSING)
    with pytest.raises(Refusal, match="a bridge belongs to a table"):
        EnrolDevice(**{**bridge, "table": None})
    floor.do(EnrolDevice(**KEYPAD))
    floor.do(EnrolDevice(**{**bridge, "id": "b1"}))
    other = {**bridge, "id": "b2", "device": "b2", "token": "ef" * 32}
    assert "'b1'" in refused(floor, EnrolDevice(**other), No.BRIDGE_AT_TABLE)
    floor.do(RevokeDevice(id="r", by="mia", device="b1", reason="broken"))
    floor.do(EnrolDevice(**other))
    assert floor.site.devices.at_table(DeviceKind.BRIDGE, 1) == floor.site.devices.get("b2")
    assert floor.site.devices.at_table(DeviceKind.KEYPAD, 1) == floor.site.devices.get("k1")


def test_keypads_of_older_books_were_enrolled_by_one_and_newer_books_do_not_go_back(floor: SiteBook) -> None:
    alone = {**KEYPAD, "law": 1, "second": ""}
    told = EnrolDevice.told(floor.do(EnrolDevice(**alone)).facts)
    assert told["law"] == 1
    floor.do(EnrolDevice(**{**alone, "id": "k2", "device": "k2", "token": "cd" * 32}))
    for device in ("k1", "k2"):
        floor.do(RevokeDevice(id=f"r {device}", by="mia", device=device, reason="a new one comes"))
    entry = floor.do(EnrolDevice(**{**KEYPAD, "id": "k3", "device": "k3", "token": "ef" * 32}))
    assert "law" not in EnrolDevice.told(entry.facts)
    refused(floor, EnrolDevice(**{**alone, "id": "k4", "device": "k4", "token": "aa" * 32}), No.OTHER_LAW)


def test_a_keypad_has_a_table_and_a_display_has_none() -> None:
    for kind, table in ((DeviceKind.KEYPAD, None), (DeviceKind.DISPLAY, 1)):
        with pytest.raises(Refusal, match="a keypad or a bridge belongs to a table"):
            EnrolDevice(**{**KEYPAD, "device_kind": kind, "table": table})


def test_that_a_pin_was_set_is_on_record_and_nothing_of_it(floor: SiteBook) -> None:
    entry = floor.do(NotePin(id="p", by="sue", person="sue"))
    assert set(entry.facts) == {"by", "person"}
    floor.do(NotePin(id="p2", by="mia", second="max", person="sue"))


def test_a_sixteenth_table_is_refused(floor: SiteBook) -> None:
    for number in range(2, 16):
        floor.do(SetTable(id=f"t{number}", by="mia", second="max", table=replace(TABLE, number=number)))
    sixteenth = SetTable(id="x", by="mia", second="max", table=replace(TABLE, number=16))
    assert "RCW 9.46.0282" in refused(floor, sixteenth, No.AGAINST_RULES)


def codes_of_register() -> list[No]:
    codes = list(No)
    return codes[codes.index(No.WRONG_APPROVAL) :]


def test_every_refusal_is_proved_here() -> None:
    proved = {code for _, code, _ in REFUSALS}
    elsewhere = {
        *(No.DEVICE_EXISTS, No.TOKEN_TAKEN, No.KEYPAD_AT_TABLE, No.BRIDGE_AT_TABLE),
        No.LOOKS_LIKE,  # test_look_alike
        No.NOT_CREATED,
        No.ALREADY_REVOKED,
        No.LAST_MANAGER,
        *(No.NO_KEY, No.NOT_AGREED),  # test_agreement
        No.OLDER_EDITION,
        *(No.NO_SUCH_MONTH, No.UNEXPLAINED, No.NOT_THE_BOOKS, No.PLAN_DATES),  # test_custody, test_floor
        *(No.TABLE_LINKED, No.NO_SUCH_WAGER),  # test_floor
        *(No.STRANDS_PLAY, No.COUNTS_TWICE),  # test_day_close
        *(No.NO_SUCH_DAY, No.NOT_YET, No.DAY_CLOSED, No.ALREADY_READ),  # test_readings
        *(No.NO_SUCH_READING, No.NO_SUCH_METER, No.CHECKPOINT_KEPT, No.BAD_CHECKPOINT),
        No.SAME_KEY,  # test_signing_key
        No.SAME_SIGN_IN,  # test_access
        No.NO_SPAN,  # test_program_notes
        *codes_of_register(),  # test_register
    }
    codes = list(No)
    assert proved | elsewhere >= {No.AGAINST_RULES, *codes[codes.index(No.NOT_CREATED) :]}  # the site's come last


def test_every_act_can_be_decided_and_applied() -> None:
    assert set(DECIDE) == set(ACTS.values())
    assert set(CHANGE) == set(ACTS)


# Form


BAD: list[Callable[[], object]] = [
    lambda: replace(CREATE, id=""),
    lambda: replace(CREATE, id="x" * 65),
    lambda: replace(CREATE, id="two\nlines"),
    lambda: replace(CREATE, by=" mia"),
    lambda: replace(CREATE, title=""),
    lambda: RenameSite(id="x", by="mia", second="eve", title=""),
    lambda: NoteBackup(**{**BACKUP, "digest": "ab"}),
    lambda: NoteBackup(**{**BACKUP, "size_bytes": 0}),
    lambda: NoteBackup(**{**BACKUP, "books": {"site": "all"}}),
    lambda: replace(CREATE, name="\t"),
    lambda: dealer(""),
    lambda: replace(TABLE, number=0),
    lambda: replace(TABLE, decks=9),
    lambda: replace(TABLE, seats=0),
    lambda: replace(TABLE, least_wager_cents=-500),
    lambda: replace(TABLE, most_wager_cents=499),
    lambda: replace(TABLE, title=""),
    lambda: DeclareBank(id="x", by="mia", balance_cents=-1, paid={}),
    lambda: DeclareBank(id="x", by="mia", balance_cents=0, paid={"main": "1"}),
    lambda: DeclareBank(id="x", by="mia", balance_cents=0, paid={"main": 1.5}),
    lambda: Deposit(id="x", by="mia", amount_cents=0, reference="1", contributed={}),
    lambda: Deposit(id="x", by="mia", amount_cents=10**13, reference="1", contributed={}),
    lambda: Deposit(id="x", by="mia", amount_cents=1, reference="", contributed={}),
    lambda: read_act(ACTS, []),
    lambda: read_act(ACTS, {"kind": "dance"}),
    lambda: read_act(ACTS, {"kind": []}),
    lambda: read_act(ACTS, {"kind": "deposit", "id": "x"}),
    lambda: read_act(ACTS, {**CREATE.as_json(), "token": "x"}),
    lambda: read_act(ACTS, {name: value for name, value in CREATE.as_json().items() if name != "zone"}),
    lambda: read_act(ACTS, {**dealer().as_json(), "role": "king"}),
]


@pytest.mark.parametrize("make", BAD)
def test_an_act_of_the_wrong_form_cannot_be_made(make: Callable[[], object]) -> None:
    with pytest.raises(Refusal) as found:
        make()
    assert found.value.code == No.WRONG_FORM


def test_a_revocation_says_why() -> None:
    with pytest.raises(Refusal) as found:
        RevokeCard(id="x", by="mia", person="sue", reason=" ")
    assert found.value.code == No.NO_REASON


@pytest.mark.parametrize("act", [CREATE, *(act for act, _, _ in REFUSALS)])
def test_acts_read_back_from_json(act: SiteAct) -> None:
    assert read_act(ACTS, json.loads(json.dumps(act.as_json()))) == act


def test_a_time_that_is_none_is_refused(floor: SiteBook) -> None:
    with pytest.raises(NotationError):
        floor.site.handle(dealer(), "noon")


# From entries alone


def test_a_site_is_what_its_entries_say(floor: SiteBook) -> None:
    floor.do(RevokeCard(id="r1", by="mia", person="sue", reason="lost"))
    floor.do(DeclareBank(id="b1", by="eve", balance_cents=5, paid={"main": 3}))
    floor.do(RenameSite(id="n1", by="mia", second="eve", title="The Corner Room"))
    floor.do(NoteBackup(**BACKUP))
    assert floor.entries[-2].facts["was"] == "The Room"
    assert (floor.site.title, floor.site.backup and floor.site.backup.by) == ("The Corner Room", "mia")
    again = Site.of_entries(Entry.of_json(json.loads(json.dumps(entry.as_json()))) for entry in floor.entries)
    assert again == floor.site


@given(st.integers(0, 7))
def test_a_snapshot_and_the_entries_after_it_are_the_site(kept: int) -> None:
    people = (OTHER_MANAGER, MANAGER, EXECUTIVE)
    floor = SiteBook(founding(hashed_cards(people), people, [replace(TABLE, wagers=("kings-bounty",))]))
    floor.do(RevokeCard(id="r", by="mia", person="max", reason="left"))
    floor.do(DeclareBank(id="b", by="eve", balance_cents=5, paid={"main": 3}))
    floor.do(Deposit(id="d", by="eve", amount_cents=5, reference="7", contributed={"main": 3}))
    floor.do(NoteBackup(**BACKUP))
    snapshot = json.loads(json.dumps(Site.of_entries(floor.entries[:kept]).snapshot()))
    site = Site.of_snapshot(snapshot)
    for entry in floor.entries[kept:]:
        site.apply(entry)
    assert site == floor.site
    assert site.snapshot() == floor.site.snapshot()


def test_an_entry_of_another_book_or_kind_is_refused(floor: SiteBook) -> None:
    strange = floor.site.book.next(AT, "x", "dance", {})
    damaged = floor.site.book.next(AT, "x", "deposit", {})
    for entry in (floor.entries[0], strange, damaged):
        with pytest.raises(RecordError):
            floor.site.apply(entry)


@pytest.mark.parametrize("values", [{}, {"balances": []}, {"balances": {"purse": 1}, "tables": []}])
def test_a_damaged_snapshot_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(CroupierError):
        Site.of_snapshot(values)
