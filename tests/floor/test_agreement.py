"""The agreement of a second person: by the key of a card and PIN, to one act with all that it says, for a minute."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from croupier.compliance.authority import Role
from croupier.compliance.profile import Destination, Lawful
from croupier.errors import Refusal
from croupier.floor.agreement import NOT_SAID, Agreement, AgreementKey
from croupier.floor.house import FloorLink, House
from croupier.floor.link import acts
from croupier.floor.link.brief import LinkBrief
from croupier.floor.link.link import agreement_of, same_link_act, statement_of
from croupier.floor.people import DeviceKind, People
from croupier.floor.refusals import No
from croupier.floor.site import acts as site_acts
from croupier.floor.site import register_acts
from croupier.floor.site.custody_acts import GivePrize, PlanRemoval
from croupier.floor.site.decide import ACTS
from croupier.floor.site.site import Site, same_site_act
from croupier.ledger.entry import Entry, Purpose
from croupier.ledger.rows import read_row
from support.room import (
    COLOR,
    DEALER,
    EXECUTIVE,
    MANAGER,
    ONE_METER,
    OTHER_MANAGER,
    PLENTY,
    SiteBook,
    agreed,
    agreement_key,
    chosen_pin,
    felt,
    founding,
    hashed_cards,
    private_of,
    table,
)

AT = "2026-11-15T20:00:00.000000Z"
STAFF = (MANAGER, OTHER_MANAGER, EXECUTIVE, DEALER)
NEW_TABLE = site_acts.SetTable(id="t9", by="max", second="mia", table=felt(table(9, "Royal Match")))


def site(*choosing: str) -> SiteBook:
    """A room whose tables were set before anybody had a key; then these people choose a PIN."""
    book = SiteBook(founding(hashed_cards(STAFF), STAFF), AT)
    for person in choosing:
        book.do(chosen_pin(person))
    return book


def refused(handle: Callable[[], object]) -> Refusal:
    with pytest.raises(Refusal) as caught:
        handle()
    return caught.value


# Which act it is for


def test_before_the_first_key_a_second_person_is_named_and_no_more() -> None:
    book = site()
    assert not book.site.people.turned
    assert "agreed" not in book.site.handle(NEW_TABLE, AT).facts
    early = refused(lambda: book.site.handle(agreed(NEW_TABLE, AT), AT))
    assert early.code == No.NO_KEY, "nobody could have signed it"


def test_from_the_first_key_on_every_second_person_agrees_with_one() -> None:
    book = site("max")
    no_key = refused(lambda: book.site.handle(NEW_TABLE, AT))
    assert (no_key.code, "chooses a PIN" in str(no_key)) == (No.NO_KEY, True)
    book.do(chosen_pin("mia"))
    assert refused(lambda: book.site.handle(NEW_TABLE, AT)).code == No.NOT_AGREED
    entry = book.site.handle(agreed(NEW_TABLE, AT), AT)
    assert entry.facts["agreed"].keys() == {"until", "signature"}


def test_a_signature_is_for_one_act_with_all_that_it_says() -> None:
    book = site("max", "mia", "eve")
    right = agreed(NEW_TABLE, AT)
    book.site.handle(right, AT)
    assert right.agreed is not None
    other_table = felt(table(9, "Royal Match", seats=5))
    signature = right.agreed.signature
    digit = "0" if signature[0] != "0" else "1"
    for other in (
        replace(right, table=other_table),
        replace(right, id="t10"),
        replace(right, by="eve"),
        replace(right, second="eve"),
        replace(right, agreed=None),
        replace(right, agreed=Agreement(right.agreed.until, digit + signature[1:])),
        replace(right, agreed=Agreement("2026-11-15T20:01:01.000000Z", signature)),
        agreed(NEW_TABLE, AT, by="max"),
        replace(site_acts.RemoveTable(id="t9", by="max", second="mia", number=1), agreed=right.agreed),
    ):
        assert refused(partial(book.site.handle, other, AT)).code == No.NOT_AGREED


def test_an_agreement_counts_for_a_minute_and_as_much_as_clocks_may_differ() -> None:
    book = site("mia")
    act = agreed(NEW_TABLE, AT)
    for at, fine in (
        ("2026-11-15T20:06:00.000000Z", True),
        ("2026-11-15T20:06:00.000001Z", False),
        ("2026-11-15T20:00:00Z", True),
    ):
        if fine:
            book.site.handle(act, at)
        else:
            assert refused(partial(book.site.handle, act, at)).code == No.NOT_AGREED
    early = agreed(NEW_TABLE, "2026-11-15T20:05:00.000001Z")
    assert refused(lambda: book.site.handle(early, AT)).code == No.NOT_AGREED


# Whose key it is


def test_a_new_pin_or_card_ends_the_key_and_so_does_a_revoked_one() -> None:
    book = site("max", "mia", "eve")
    now: dict[str, Any] = {"id": "x", "by": "max"}
    changes: list[list[site_acts.SiteAct]] = [
        [site_acts.NotePin(**now, second="eve", person="mia")],
        [site_acts.NotePin(id="x", by="mia", person="mia", where="the server's machine")],
        [site_acts.ReplaceCard(**now, second="eve", person="mia", card="ef" * 32)],
        [site_acts.RevokeCard(**now, person="mia", reason="Lost.")],
    ]
    for change in changes:
        after = SiteBook(at=AT)
        for entry in book.entries:
            after.site.apply(entry)
        for act in change:
            after.do(act)
        assert "mia" not in after.site.people.keys
        said = refused(partial(after.site.handle, agreed(NEW_TABLE, AT), AT))
        assert said.code in (No.NO_KEY, "revoked-card")
    assert book.site.handle(agreed(NEW_TABLE, AT), AT).kind == "set-table"


def test_a_key_comes_with_a_pin_of_ones_own_and_a_card() -> None:
    book = site("max", "mia")
    key = agreement_key("mia")
    assert refused(lambda: book.do(site_acts.NotePin(id="x", by="max", second="mia", person="mia", key=key))).code == (
        No.WRONG_FORM
    )
    book.do(site_acts.EnrolPerson(id="d", by="max", person="dan", name="Dan", role=Role.DEALER))
    without = site_acts.NotePin(id="x", by="dan", person="dan", key=key)
    assert "made from a card" in str(refused(lambda: book.do(without)))
    alone = replace(NEW_TABLE, second="mia")
    wall: dict[str, Any] = {"device": "wall", "device_kind": DeviceKind.DISPLAY, "name": "Wall", "token": "aa" * 32}
    nobody = site_acts.EnrolDevice(id="x", by="max", **wall, agreed=agreed(alone, AT).agreed)
    assert "nobody is named" in str(refused(lambda: book.do(nobody)))


@pytest.mark.parametrize(
    "wrong",
    [{"public": "00"}, {"salt": "zz" * 16}, {"made": "md5"}, {"made": "argon2id m=0 t=1 p=1"}, {"public": "G" * 64}],
)
def test_a_key_has_its_form(wrong: dict[str, str]) -> None:
    values = {"public": "ab" * 32, "salt": "cd" * 16, "made": "argon2id m=65536 t=3 p=4"}
    AgreementKey(**values)
    assert refused(lambda: AgreementKey(**{**values, **wrong})).code == No.WRONG_FORM


def test_an_agreement_has_its_form() -> None:
    for until, signature in ((AT, "ab"), ("2026-11-15T20:00:00Z", "ab" * 64), ("soon", "ab" * 64), (AT, "AB" * 64)):
        assert refused(partial(Agreement, until, signature)).code == No.WRONG_FORM


def test_people_with_keys_are_kept_in_a_snapshot_as_they_are() -> None:
    people = site("mia", "eve").site.people
    assert People.of_json(people.as_json()) == people
    assert "keys" not in site().site.people.as_json(), "an older book's snapshot stays as it was"
    book = site("mia")
    book.do(site_acts.NotePin(id="x", by="mia", person="mia"))
    again = People.of_json(book.site.people.as_json())
    assert (again.keys, again.turned) == ({}, True)


# Every act of two says the same before it is decided and in its entry

LINK_SIGNED: dict[str, Any] = {"id": "a1", "by": MANAGER, "second": OTHER_MANAGER}
MONEY: dict[str, Any] = {"level": "", "reason": Lawful.MALFUNCTION, "source": Purpose.METER, "target": Purpose.HOUSE}
ADJUST = acts.Adjust(**LINK_SIGNED, **MONEY, cents=5, text="  A chip was counted twice. ")


def _won(link: FloorLink) -> int:
    """The number of an award that a card has confirmed."""
    entries, book = [], link.state.book
    link.house.proved[link.name] = (book.entries, book.digest)
    for act in (
        acts.OpenLink(id="w1", by=MANAGER),
        acts.StartGame(id="w2", by=DEALER, table=1, lit=(1,), based=(1,)),
        acts.EnterHand(id="w3", by=DEALER, table=1, seat=1, line=COLOR),
    ):
        entries.append(link.handle(act, AT))
        link.apply(entries[-1])
    number = entries[-1].number
    for later in (
        acts.Confirm(id="w4", by=EXECUTIVE, award=number),
        acts.EndGame(id="w5", by=DEALER, table=1),
        acts.CloseLink(id="w6", by=MANAGER, reason="An award is backed out."),
    ):
        link.apply(link.handle(later, AT))
    return number


def test_what_an_act_of_a_link_says_can_be_told_from_its_entry() -> None:
    book = site("max", "mia", "eve")
    book.do(site_acts.DeclareBank(id="b", by="max", balance_cents=PLENTY, paid={}))
    house = House(site=book.site)
    link, other = FloorLink("main", house), FloorLink("old", house)

    def do(act: acts.OfTwo, on: FloorLink, at: str = AT) -> Entry:
        signed = agreed(act, at, on.name)
        assert refused(lambda: on.handle(agreed(act, at, "elsewhere"), at)).code == No.NOT_AGREED
        entry = on.handle(signed, at)
        on.apply(entry)
        statement, agreement = agreement_of(read_row(entry.text()), on.name)
        assert statement == statement_of(signed, on.name)
        assert agreement == signed.agreed
        seen.add(entry.kind)
        return entry

    seen = set[str]()
    setup = replace(ONE_METER, tables=ONE_METER.tables[:2])
    do(acts.MakeLink(**LINK_SIGNED, link="main", setup=setup), link)
    house.links["main"] = LinkBrief.of(link.state)
    do(acts.MakeLink(**LINK_SIGNED, link="old", setup=replace(ONE_METER, tables=ONE_METER.tables[2:])), other)
    do(replace(ADJUST, id="a2"), link)
    do(acts.Reconfigure(**{**LINK_SIGNED, "id": "a3"}, setup=replace(setup, executive_threshold_cents=1)), link)
    award = _won(link)
    do(acts.BackOut(**{**LINK_SIGNED, "id": "a6"}, award=award, reason="The wrong seat."), link)
    retired = do(acts.Retire(**{**LINK_SIGNED, "id": "a4"}, to="main"), other)
    received: dict[str, Any] = {"entry": retired.as_json(), "source": "old", "levels": {"": ""}}
    do(acts.Receive(**{**LINK_SIGNED, "id": "a5"}, **received), link)
    assert seen == {kind for kind, act in acts.ACTS.items() if issubclass(act, acts.OfTwo)}


PLAN: dict[str, Any] = {
    "link": "main",
    "plan": "letter of 2 November",
    "approved": "2026-11-02",
    "posted": "2026-11-05",
}


PRIZE: dict[str, Any] = {"link": "main", "amount_cents": 1, "recipient": "Harbor Youth Bingo", "reference": "check 1"}


def test_what_an_act_of_the_site_says_can_be_told_from_its_entry() -> None:
    signed: dict[str, Any] = {"by": "max", "second": "mia"}
    device: dict[str, Any] = {"device": "k1", "device_kind": DeviceKind.KEYPAD, "name": "Keypad", "token": "aa" * 32}
    done: list[site_acts.OfTwo] = [
        NEW_TABLE,
        site_acts.RemoveTable(id="1", **signed, number=9),
        site_acts.RenameSite(id="9", **signed, title="The Corner Room"),
        site_acts.ChooseProfile(id="2", **signed, profile="generic"),
        site_acts.SetClock(id="3", **signed, zone="UTC", day_begins=5),
        site_acts.AcceptTime(id="8", **signed, time="2026-11-15T20:00:00Z"),
        site_acts.EnrolPerson(
            id="4", **signed, person="zoe", name="Zoe", role=Role.EXECUTIVE, card="bb" * 32, with_pin=True
        ),
        site_acts.ChangeRole(id="5", **signed, person="zoe", role=Role.AUDITOR),
        site_acts.ReplaceCard(id="6", **signed, person="zoe", card="cc" * 32),
        site_acts.NotePin(id="7", **signed, person="zoe"),
        site_acts.EnrolDevice(id="8", **signed, **device, table=1),
        site_acts.SetSignIn(id="10", **signed, many_tables=True),
        PlanRemoval(id="13", **signed, **PLAN, destination=Destination.NONPROFIT),
        GivePrize(id="14", **signed, **PRIZE),
        register_acts.EnterApproval(id="11", **signed, key="our-letter", lines=('subject = "Ours"', "")),
        register_acts.WithdrawApproval(id="12", **signed, key="our-letter", reason="Replaced."),
    ]
    book = site("mia")
    book.do(site_acts.DeclareBank(id="bank", by="max", balance_cents=1, paid={}))
    for act in done:
        entry = book.do(act)
        says = {name: value for name, value in entry.facts.items() if name not in NOT_SAID}
        assert says == act.statement().says, act.kind
    kinds = {kind for kind, act in ACTS.items() if issubclass(act, site_acts.OfTwo)}
    assert {entry.kind for entry in book.entries if "agreed" in entry.facts} == kinds
    assert Site.of_entries(book.entries).snapshot() == book.site.snapshot()


def test_an_act_sent_again_with_another_agreement_is_the_same_act() -> None:
    book = site("mia")
    entry = book.do(NEW_TABLE)
    assert same_site_act(agreed(NEW_TABLE, "2026-11-15T20:00:30.000000Z"), entry)
    house = House(site=book.site)
    link = FloorLink("main", house)
    make = acts.MakeLink(**LINK_SIGNED, link="main", setup=ONE_METER)
    made = link.handle(agreed(make, AT), AT)
    assert same_link_act(agreed(make, "2026-11-15T20:00:30.000000Z"), made)


def test_an_act_sent_again_after_an_update_of_the_law_is_the_same_act() -> None:
    """Which law an act goes by is the program's to say, as on a link."""
    book = site()
    act = site_acts.ChangeRole(id="role", by="max", second="mia", person="ann", role=Role.SUPERVISOR, law=1)
    entry = book.do(act)
    assert same_site_act(replace(act, law=2), entry)
    assert not same_site_act(replace(act, law=2, role=Role.CASHIER), entry)


def test_the_signature_is_ed25519_over_the_canonical_text() -> None:
    act = agreed(NEW_TABLE, AT)
    assert act.agreed is not None
    text = (
        b'{"book":"site","by":"max","command":"t9","kind":"set-table","purpose":"croupier agreement 1","says":{"table":'
        b'{"base_game":"blackjack","decks":6,"least_wager_cents":500,"most_wager_cents":30000,"number":9,"seats":7,'
        b'"title":"Royal Match","wagers":[]}},"second":"mia","until":"2026-11-15T20:01:00.000000Z"}'
    )
    assert act.statement().text(act.agreed.until) == text
    private_of("mia").public_key().verify(bytes.fromhex(act.agreed.signature), text)
