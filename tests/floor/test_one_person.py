"""No single card can both set up a prize and pay it: every act of a site is tried by one person alone.

A prize is a share of a meter, a fixed pay from the link's set amount on, and money for players by an adjustment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from croupier.compliance.authority import CardToken, Denied, Role, denied
from croupier.compliance.profile import Lawful
from croupier.errors import Refusal
from croupier.floor.act import EntryKind
from croupier.floor.forms import Signed
from croupier.floor.link import acts
from croupier.floor.link.link import Link
from croupier.floor.people import DeviceKind
from croupier.floor.site import acts as site_acts
from croupier.floor.site import register_acts
from croupier.floor.site.custody_acts import GivePrize
from croupier.floor.site.decide import ACTS
from croupier.ledger.entry import Purpose
from support.room import (
    COLOR,
    DEALER,
    EXECUTIVE,
    KEY,
    MANAGER,
    ONE_METER,
    OTHER_MANAGER,
    PLENTY,
    STYLE_A,
    SUPERVISOR,
    THREE,
    TWO,
    Room,
    felt,
    table,
)

ALONE = (DEALER, SUPERVISOR, EXECUTIVE, MANAGER)
"""Everybody who may act; an auditor only reads."""
CARD = CardToken("a-card-that-nobody-has-0001").hash(KEY)
LAWFUL = {"level": "", "reason": Lawful.MALFUNCTION, "source": Purpose.METER, "target": Purpose.PLAYERS, "cents": 1}
REFUSED = frozenset(map(str, Denied))


def room_at(path: Path, setup: Any = ONE_METER) -> Iterator[Room]:
    room = Room(f"sqlite:///{path}/floor.db")
    room.found()
    room.declare(PLENTY)
    room.make(replace(setup, fixed_pay_card_cents=100_000))
    room.do(acts.OpenLink, by=MANAGER)
    yield room
    room.floor.close()


@pytest.fixture(params=[ONE_METER, STYLE_A], ids=["tray", "meter"])
def room(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Room]:
    yield from room_at(tmp_path, request.param)


def entered_and_confirmed(line: str) -> Callable[[Room, Signed], None]:
    """The hand comes in and is confirmed, all by one."""

    def attempt(room: Room, one: Signed) -> None:
        room.do(acts.StartGame, by=one, table=1, lit=(1,), based=(1,))
        entry = room.do(acts.EnterHand, by=one, table=1, seat=1, line=line)
        assert entry.kind == EntryKind.ENTER
        room.do(acts.Confirm, by=one, award=entry.number)

    return attempt


def overridden(room: Room, one: Signed) -> None:
    """The cards say otherwise, and whoever enters the hand says that they do not."""
    room.do(acts.StartGame, by=one, table=1, lit=(1,), based=(1,))
    wrong: dict[str, Any] = {"cards": "2c 3d 4h", "override_by": one, "override_reason": "Trust me."}
    room.do(acts.EnterHand, by=one, table=1, seat=1, line=COLOR, **wrong)


def signed_twice(kind: type[acts.LinkAct], **fields: Any) -> Callable[[Room, Signed], None]:
    """One person gives the act and seconds it. The link is asked, whatever else the house has against it."""

    def attempt(room: Room, one: Signed) -> None:
        act = kind(id="alone", by=one, second=one, **fields)  # type: ignore[call-arg]
        if isinstance(act, acts.MakeLink):
            Link(act.link).decide(act, room.clock())
        room.floor.ask("main", lambda held: held.decide(act, room.clock()))

    return attempt


def in_the_office(kind: type[site_acts.SiteAct], **fields: Any) -> Callable[[Room, Signed], None]:
    """Alone, and with oneself as the second."""

    def attempt(room: Room, one: Signed) -> None:
        if fields.get("person") == one.person:  # one's own PIN is one's own
            raise denied(Denied.SAME_PERSON, power=kind.needs, person=one.person)
        with pytest.raises(Refusal) as caught:
            room.site(kind, by=one.person, **fields, second=one.person)
        assert caught.value.code in REFUSED
        room.site(kind, by=one.person, **fields, second="")

    return attempt


SETUP = replace(ONE_METER, fixed_pay_card_cents=None)
PATHS: dict[str, tuple[str, Callable[[Room, Signed], None]]] = {
    "a share": (EntryKind.CONFIRM, entered_and_confirmed(COLOR)),
    "a high fixed pay": (EntryKind.CONFIRM, entered_and_confirmed(THREE)),
    "cards that disagree": (EntryKind.ENTER, overridden),
    "a link of one's own": (EntryKind.MAKE, signed_twice(acts.MakeLink, link="mine", setup=SETUP)),
    "no cards any more": (EntryKind.RECONFIGURE, signed_twice(acts.Reconfigure, setup=SETUP)),
    "an adjustment": (EntryKind.ADJUST, signed_twice(acts.Adjust, **LAWFUL, text="why")),
    "a link that ends": (EntryKind.RETIRE, signed_twice(acts.Retire, to="other")),
    "another link's value": (
        EntryKind.RECEIVE,
        signed_twice(acts.Receive, entry={}, source="other", levels={}),
    ),
    **{
        f"a {role} of one's own": (
            EntryKind.ENROL_PERSON,
            in_the_office(site_acts.EnrolPerson, person="zoe", name="Zoe", role=role, card=CARD),
        )
        for role in (Role.SUPERVISOR, Role.EXECUTIVE, Role.MANAGER)
    },
    "a dealer who becomes more": (
        EntryKind.CHANGE_ROLE,
        in_the_office(site_acts.ChangeRole, person="ann", role=Role.SUPERVISOR),
    ),
    "a supervisor's new card": (EntryKind.REPLACE_CARD, in_the_office(site_acts.ReplaceCard, person="sue", card=CARD)),
    "a supervisor's PIN": (EntryKind.NOTE_PIN, in_the_office(site_acts.NotePin, person="sue")),
    "a keypad of one's own": (
        EntryKind.ENROL_DEVICE,
        in_the_office(site_acts.EnrolDevice, device="k", device_kind=DeviceKind.KEYPAD, name="K", token=CARD, table=1),
    ),
    "another table": (EntryKind.SET_TABLE, in_the_office(site_acts.SetTable, table=felt(table(9)))),
    "a table less": (EntryKind.REMOVE_TABLE, in_the_office(site_acts.RemoveTable, number=3)),
    "another name": (EntryKind.RENAME_SITE, in_the_office(site_acts.RenameSite, title="Other")),
    "other rules": (EntryKind.CHOOSE_PROFILE, in_the_office(site_acts.ChooseProfile, profile="nevada")),
    "another time": (EntryKind.ACCEPT_TIME, in_the_office(site_acts.AcceptTime, time="2026-10-01T18:00:00Z")),
    "an approval of one's own": (
        EntryKind.ENTER_APPROVAL,
        in_the_office(register_acts.EnterApproval, key="own", lines=("a = 1",)),
    ),
    "an approval less": (
        EntryKind.WITHDRAW_APPROVAL,
        in_the_office(register_acts.WithdrawApproval, key="washington-3119", reason="None."),
    ),
    "a removed prize": (
        EntryKind.GIVE_PRIZE,
        in_the_office(GivePrize, link="main", amount_cents=100, recipient="Me", reference="check 1"),
    ),
    "another clock": (EntryKind.SET_CLOCK, in_the_office(site_acts.SetClock, zone="UTC", day_begins=5)),
}
"""Every way to a prize: the kind of its last act, and how one person would go it."""

NO_PRIZE = {
    **dict.fromkeys(
        (EntryKind.START, EntryKind.END, EntryKind.REOPEN, EntryKind.CALL, EntryKind.TAKE_CALL),
        "a game without a hand pays nothing",
    ),
    **dict.fromkeys((EntryKind.TAKE_BACK, EntryKind.VOID, EntryKind.BACK_OUT), "nothing goes to a player"),
    **dict.fromkeys((EntryKind.ISSUE_SLIP, EntryKind.PAY_SLIP), "it is confirmed, and not by who pays it"),
    **dict.fromkeys((EntryKind.OPEN, EntryKind.CLOSE), "no money moves, and nothing is set up"),
    **dict.fromkeys((EntryKind.OPEN_TABLE, EntryKind.CLOSE_TABLE), "no money moves, and nothing is set up"),
    **dict.fromkeys((EntryKind.RECORD_PAPER, EntryKind.WITHDRAW_PAPER), "who records papers opens no table"),
    EntryKind.CREATE_SITE: "there is no link yet, and the first manager confirms nothing",
    **dict.fromkeys((EntryKind.REVOKE_CARD, EntryKind.REVOKE_DEVICE), "somebody can do less than before"),
    **dict.fromkeys((EntryKind.DECLARE_BANK, EntryKind.DEPOSIT), "it says what the bank has, and pays nobody"),
    **dict.fromkeys(
        (
            EntryKind.READ_METER,
            EntryKind.CLOSE_DAY,
            EntryKind.KEEP_CHECKPOINT,
            EntryKind.NOTE_EXPORT,
            EntryKind.NOTE_BACKUP,
            EntryKind.NOTE_KEY,
            EntryKind.NOTE_ACCESS,
            EntryKind.SET_SIGN_IN,
            EntryKind.NOTE_START,
            EntryKind.NOTE_CHECK,
            EntryKind.NOTE_EVIDENCE,
            EntryKind.RECONCILE,
            EntryKind.PLAN_REMOVAL,
        ),
        "it tells of money, and moves none",
    ),
}


def test_every_act_is_a_path_or_says_why_it_is_none() -> None:
    kinds = {*acts.ACTS, *ACTS}
    paths = {kind for kind, _ in PATHS.values()}
    assert paths | set(NO_PRIZE) == kinds
    assert not paths & set(NO_PRIZE)


@pytest.mark.parametrize("path", PATHS)
def test_one_person_alone_is_refused(room: Room, path: str) -> None:
    before = dict(room.floor.links["main"].shown_cents)
    for one in (*ALONE, OTHER_MANAGER):
        with pytest.raises(Refusal) as caught:
            PATHS[path][1](room, one)
        assert caught.value.code in REFUSED, f"{one}: {caught.value}"
        for award in room.floor.links["main"].awards:
            helper = SUPERVISOR if one != SUPERVISOR else EXECUTIVE
            room.do(acts.VoidAward, by=helper, award=award.award, reason="Somebody tried it alone.")
        if room.floor.links["main"].tables.get(1) and room.floor.links["main"].tables[1].on:
            room.do(acts.EndGame, by=DEALER, table=1)
    paid = room.floor.links["main"].totals.paid
    assert paid == 0
    assert room.floor.links["main"].shown_cents[""] >= before[""]


def test_what_a_dealer_alone_pays_is_below_the_set_amount(room: Room) -> None:
    room.do(acts.StartGame, by=DEALER, table=1, lit=(1, 2), based=(1, 2))
    entry = room.do(acts.EnterHand, by=DEALER, table=1, seat=1, line=TWO)
    assert entry.kind == EntryKind.PAY
    setup = room.floor.links["main"].setup
    assert setup is not None
    assert setup.fixed_pay_card_cents is not None
    assert entry.facts["cents"] < setup.fixed_pay_card_cents


def test_a_dealer_whom_one_manager_has_enrolled_confirms_nothing(room: Room) -> None:
    room.site(site_acts.EnrolPerson, by="max", person="zoe", name="Zoe", role=Role.DEALER, card=CARD)
    zoe = Signed("zoe", Role.DEALER)
    with pytest.raises(Refusal) as caught:
        entered_and_confirmed(THREE)(room, zoe)
    assert caught.value.code == Denied.NOT_ALLOWED
