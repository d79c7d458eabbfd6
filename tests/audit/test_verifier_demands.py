"""Every demand of the regulator's verifier has a row that breaks it alone: without the demand, that row would pass.

A moment is a book that is right so far. A forged row is put after it, sealed and chained as it should be, and must be
refused at that very demand. At the end both tables are held against the source: a demand without a row is a failure.
"""

from __future__ import annotations

import ast
import json
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy, deepcopy
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from croupier.compliance.profile import Lawful
from croupier.errors import RecordError
from croupier.floor.link.acts import (
    Adjust,
    BackOut,
    CallSupervisor,
    IssueSlip,
    LinkAct,
    PaidIn,
    PaySlip,
    Receive,
    Retire,
    TakeCall,
)
from croupier.ledger.book import Book
from croupier.ledger.checkpoint import public_hex
from croupier.ledger.entry import Entry, Purpose, canonical
from support.room import (
    COLOR,
    EXECUTIVE,
    MANAGER,
    ONE_METER,
    OTHER_MANAGER,
    SUITED,
    SUPERVISOR,
    THREE_METERS,
    TWO,
    LinkBook,
    private_of,
    with_level,
)
from tests.audit.books import house_site, ledger_file, raw, resealed
from tests.audit.test_verifier import PROGRAM, line_of, verifier

Facts = dict[str, Any]
DEALT, CARD, LAW = {"by": ["ann", "dealer"]}, {"by": ["eve", "executive"]}, {"law": 4}
MANAGED: Facts = {"by": ["max", "manager"]}
TWO_SIGN: Facts = {**MANAGED, "second": ["mia", "manager"]}
WITH_CARD: Facts = {**MANAGED, "second": ["eve", "executive"]}
HAND: Facts = {**DEALT, "table": 1, "seat": 1, "line": COLOR}
MADE: Facts = json.loads(json.dumps(LinkBook().entries[0].facts))
MADE_OF_THREE: Facts = json.loads(json.dumps(LinkBook(THREE_METERS).entries[0].facts))
CAPPED = with_level(ONE_METER, maximum_cents=1_000_100)


def taken(entries: Iterable[Entry], book: Any = None) -> Any:
    book = book or verifier.Link("link:main", verifier.Marks(set()), None)
    for entry in entries:
        book.take(line_of(entry))
    return book


def played(*acts: Callable[[LinkBook], object], setup: Any = ONE_METER, opened: bool = True) -> LinkBook:
    floor = LinkBook(setup, opened=opened)
    for act in acts:
        act(floor)
    return floor


def does(kind: type[LinkAct], **fields: Any) -> Callable[[LinkBook], object]:
    return lambda floor: floor.do(kind, **fields)


def start(floor: LinkBook) -> None:
    floor.start(1, 1, 2, 4)


def hand(seat: int, line: str = COLOR, **fields: Any) -> Callable[[LinkBook], object]:
    return lambda floor: floor.enter(1, seat, line, **fields)


def confirm(floor: LinkBook) -> None:
    floor.confirm(next(iter(floor.link.state.awards)))


def end(floor: LinkBook) -> None:
    floor.end(1)


def close(floor: LinkBook) -> None:
    floor.close()


def asking(floor: LinkBook) -> list[Entry]:
    """The book, in which the confirmed award called for a paper; and its slip."""
    place = next(entry.number for entry in floor.entries if entry.kind == "confirm")
    notes = {"notes": {"checklist": [{"call": "tax-slip"}]}}
    entries = resealed(floor.entries, place, lambda row: row["facts"].update(notes))
    digest, asked = entries[place - 1].digest, {"asks": ["tax-slip"]}
    return resealed(entries, len(entries), lambda row: row["facts"].update(confirmed=digest, **asked))


def cards(seat: int) -> Callable[[LinkBook], object]:
    return hand(seat, SUITED, cards="7d 7d 7d")


ISSUED = (start, hand(1), confirm, end, does(IssueSlip, by=MANAGER, award=4))
PAID = does(PaySlip, by=MANAGER, slip=1, paid_in=PaidIn.CASH)
BACKED_OUT = does(BackOut, by=MANAGER, second=EXECUTIVE, award=4, reason="the camera")
BACK_TO_METER: Facts = {"level": "", "reason": Lawful.AMOUNT_WON, "source": Purpose.PLAYERS, "target": Purpose.METER}
PUT_RIGHT = does(Adjust, by=MANAGER, second=EXECUTIVE, cents=5, text="camera", award=4, **BACK_TO_METER)


def other_link() -> Facts:
    """The row in which another link was retired into this one."""
    other = LinkBook(name="other", opened=False)
    row: Facts = json.loads(json.dumps(other.do(Retire, by=MANAGER, second=OTHER_MANAGER, to="main").as_json()))
    return row


GIVEN = other_link()
RECEIVED: Facts = {**TWO_SIGN, "source": "other", "entry": GIVEN, "levels": {"": ""}}


def given(**changes: Any) -> Facts:
    """A row like that of the other link, sealed anew."""
    body = {name: value for name, value in {**GIVEN, **changes}.items() if name != "digest"}
    return {**RECEIVED, "entry": {**body, "digest": sha256(canonical(body)).hexdigest()}}


MOMENTS: dict[str, Callable[[], Iterable[Entry]]] = {
    "nothing": lambda: (),
    "closed": lambda: played(opened=False).entries,
    "open": lambda: played().entries,
    "a game": lambda: played(start).entries,
    "a hand": lambda: played(start, hand(1)).entries,
    "two hands": lambda: played(start, hand(1), hand(4)).entries,
    "a hand of a supervisor": lambda: played(start, hand(1, by=SUPERVISOR)).entries,
    "a fixed pay": lambda: played(start, hand(1, TWO)).entries,
    "a call": lambda: played(start, hand(1), does(CallSupervisor, table=1)).entries,
    "a call that was taken": lambda: (
        played(start, hand(1), does(CallSupervisor, table=1), does(TakeCall, table=1, by=SUPERVISOR)).entries
    ),
    "hands with cards": lambda: played(start, cards(1), cards(2)).entries,
    "a whole meter": lambda: played(start, hand(1, SUITED)).entries,
    "confirmed": lambda: played(start, hand(1), confirm).entries,
    "confirmed, and another hand": lambda: played(start, hand(1), confirm, hand(2)).entries,
    "by the first law": lambda: played(start, hand(1, law=1), confirm).entries,
    "backed out": lambda: played(start, hand(1), confirm, BACKED_OUT).entries,
    "a game over": lambda: played(start, hand(1), confirm, end).entries,
    "a slip": lambda: asking(played(*ISSUED)),
    "a slip, put right": lambda: played(*ISSUED, PUT_RIGHT).entries,
    "another game": lambda: played(start, hand(1), confirm, end, start).entries,
    "a slip paid": lambda: played(*ISSUED, PAID).entries,
    "a slip, and closed": lambda: played(*ISSUED, close).entries,
    "capped": lambda: played(setup=CAPPED).entries,
    "slow": lambda: played(start, setup=replace(ONE_METER, least_round_s=30)).entries,
    "received": lambda: (
        played(
            does(Receive, by=MANAGER, second=OTHER_MANAGER, source="other", entry=GIVEN, levels={"": ""}), opened=False
        ).entries
    ),
}
SITES: dict[str, tuple[str, ...]] = {"with people": (), "with keys": ("max", "mia", "eve")}
"""Before a moment: the site's book is known, and who agrees with a key."""


@cache
def moment(name: str) -> Any:
    """The book at a moment, which is copied before anything is put after it."""
    known, _, named = name.rpartition(": ")
    book = taken(MOMENTS[named]())
    book.roster = site_of(*SITES[known]).roster if known else None
    return book


@cache
def site_of(*agreeing: str) -> Any:
    return taken(house_site(*agreeing), verifier.Site("site", verifier.Marks(set())))


def setup(**changes: Any) -> Facts:
    return {**MADE, "setup": {**MADE["setup"], **changes}}


def without(facts: Facts, name: str) -> Facts:
    return {other: value for other, value in facts.items() if other != name}


def level(**changes: Any) -> Facts:
    return setup(levels=[{**MADE["setup"]["levels"][0], **changes}])


def tables(**changes: Any) -> Facts:
    first, *others = MADE["setup"]["tables"]
    return setup(tables=[{**first, **changes}, *others])


def adjusted(reason: str, source: str, target: str, cents: Any = 500, **more: Any) -> Facts:
    said: Facts = {"level": "", "reason": reason, "from": source, "to": target, "cents": cents}
    return {**TWO_SIGN, **said, "text": "a sensor", "award": None, **more}


def proof(**changes: Any) -> Facts:
    rows = MADE["proof"]["1"]
    return {**MADE, "proof": {**MADE["proof"], "1": [{**rows[0], **changes}, *rows[1:]]}}


def reconfigured(**changes: Any) -> Facts:
    return {**setup(**changes), "new": setup(**changes)["setup"]}


NOW, PLAYER = "2026-11-15T20:30:00.000000Z", "blazing-7s-player"
OF_PLAYER = [{**table, "wager": PLAYER} for table in MADE["setup"]["tables"]]
LOW = [{**MADE["setup"]["levels"][0], "seed_cents": 0, "maximum_cents": 5}]
OVERRIDE: Facts = {"by": ["sue", "supervisor"], "reason": "the camera"}
BACK: Facts = {**WITH_CARD, "award": 4, "reason": "the camera"}
FORGED: list[tuple[str, str, str, Facts]] = [
    # what it says, the moment, the kind of row, its facts
    ("is no kind of row of a link", "open", "gift", DEALT),
    ("is no kind of row of a link", "open", "make", MADE),
    ("is no kind of row of a link", "nothing", "open", MANAGED),
    ("'max' signed as 'manager', who may not", "open", "start", {**MANAGED, "table": 1}),
    ("could not sign so then", "with people: nothing", "make", {**MADE, "by": ["eve", "manager"]}),
    ("It takes two people, or only one", "nothing", "make", without(MADE, "second")),
    ("one person has signed twice", "nothing", "make", {**MADE, "second": MADE["by"]}),
    ("It carries an agreement, and takes one", "closed", "open", {**MANAGED, "agreed": {}}),
    ("Its place is none", "closed", "open", {**MANAGED, "where": ""}),
    ("It has notes", "open", "start", {**DEALT, "notes": {}}),
    ("It has notes", "closed", "open", {**MANAGED, "notes": []}),
    ("does not carry the agreement", "with keys: nothing", "make", MADE),
    ("Its agreement is none", "with keys: nothing", "make", {**MADE, "agreed": {"until": NOW, "signature": ""}}),
    (
        "Its agreement is not that",
        "with keys: nothing",
        "make",
        {**MADE, "agreed": {"until": NOW, "signature": "0" * 128}},
    ),
    # setups
    ("The setup has other names", "nothing", "make", setup(tip_cents=1)),
    ("An amount or a time is none", "nothing", "make", setup(least_round_s=601)),
    ("An amount or a time is none", "nothing", "make", setup(executive_threshold_cents=-1)),
    ("A level has no name", "nothing", "make", level(level=7)),
    ("The levels are not those of the paytable", "nothing", "make", level(level="Mega")),
    ("A rate is none", "nothing", "make", level(contribution_ppm=-1)),
    ("A rate is none", "nothing", "make", level(reserve_ppm=1_000_001)),
    ("A seed or a maximum is none", "nothing", "make", level(maximum_cents=999_999)),
    ("A seed or a maximum is none", "nothing", "make", level(seed_cents=True)),
    ("more than the wager", "nothing", "make", level(contribution_ppm=1_000_000)),
    ("The wager is none", "nothing", "make", setup(wager_cents=0)),
    ("Style or order is none", "nothing", "make", setup(style="C")),
    ("Style or order is none", "nothing", "make", setup(order="dealers-left")),
    ("6 or 8 decks", "nothing", "make", setup(decks=7)),
    ("A table is named twice", "nothing", "make", tables(number=2)),
    ("A table does not belong", "nothing", "make", tables(seats=8)),
    ("A table does not belong", "nothing", "make", tables(decks=8)),
    ("Its proof is of other tables", "nothing", "make", {**MADE, "proof": {}}),
    ("Its proof is of other lines", "nothing", "make", proof(pays="99%")),
    ("Its proof is of other lines", "nothing", "make", proof(link="1/2")),
    ("It is another progressive", "closed", "reconfigure", reconfigured(wager=PLAYER, tables=OF_PLAYER)),
    ("is below its meter", "closed", "reconfigure", reconfigured(levels=LOW)),
    ("It cannot be opened", "open", "open", {**MANAGED, "approved": ""}),
    ("It cannot be opened", "closed", "open", {**MANAGED, "approved": "0" * 64}),
    ("It is not open, or the reason", "closed", "close", {**MANAGED, "reason": ""}),
    # a game and its hands
    ("The link is not open", "closed", "start", {**DEALT, "table": 1, "seats": [1], "based": [1]}),
    ("the table is not on it", "open", "start", {**DEALT, "table": 9, "seats": [1], "based": [1]}),
    ("A game is on at the table", "a game", "start", {**DEALT, "table": 1, "seats": [1], "based": [1]}),
    ("they do not rise", "open", "start", {**DEALT, "table": 1, "seats": [2, 1], "based": [1, 2]}),
    ("they do not rise", "open", "start", {**DEALT, "table": 3, "seats": [6], "based": [6]}),
    ("no base wager", "open", "start", {**DEALT, "table": 1, "seats": [1], "based": [2]}),
    ("An award at the table is undecided", "a hand", "end", {**DEALT, "table": 1}),
    ("No game is on at the table", "open", "end", {**DEALT, "table": 1}),
    ("No game is on at the table", "a game", "end", {**DEALT, "table": True}),
    ("The seat has no wager", "a game", "enter", {**HAND, "seat": 3}),
    ("The seat has no wager", "a game", "enter", {**HAND, "seat": True}),
    ("a hand was entered there before", "a hand", "enter", HAND),
    ("no such hand, or not as 'enter'", "a game", "enter", {**HAND, "line": TWO}),
    ("no such hand, or not as 'pay'", "a game", "pay", HAND),
    ("The law 5 is not known", "a game", "enter", {**HAND, "law": 5}),
    ("The law 1 is not known", "another game", "enter", HAND),
    ("The hand comes too soon", "slow", "enter", {**HAND, **LAW}),
    ("Its cards are none", "a game", "enter", {**HAND, "cards": "7d 7d"}),
    ("Its cards are none", "a game", "enter", {**HAND, "cards": "7d 7d 1d"}),
    ("different up cards", "hands with cards", "enter", {**HAND, "seat": 4, "cards": "7d 7d 7c"}),
    ("A card is on the table too often", "hands with cards", "enter", {**HAND, "seat": 4, "cards": "7d 7d 7d"}),
    (
        "has overridden the cards",
        "a game",
        "enter",
        {**HAND, "by": OVERRIDE["by"], "cards": "7d 7d 7d", "override": OVERRIDE},
    ),
    ("'ann' signed as 'dealer'", "a game", "enter", {**HAND, "cards": "7d 7d 7d", "override": {**OVERRIDE, **DEALT}}),
    (
        "The override has no reason",
        "a game",
        "enter",
        {**HAND, "cards": "7d 7d 7d", "override": {**OVERRIDE, "reason": ""}},
    ),
    ("There is no such undecided award", "open", "confirm", {**CARD, "award": 4}),
    ("supervisor confirms an award above", "a whole meter", "confirm", {"by": ["sue", "supervisor"], "award": 4}),
    (
        "'sue' entered the hand and confirms",
        "a hand of a supervisor",
        "confirm",
        {"by": ["sue", "supervisor"], "award": 4},
    ),
    ("The award of seat 4 comes before it", "two hands", "confirm", {**CARD, "award": 4}),
    ("There is no undecided award at the seat", "a fixed pay", "take-back", {**DEALT, "table": 1, "seat": 1}),
    ("There is no undecided award at the seat", "confirmed", "take-back", {**DEALT, "table": 1, "seat": 1}),
    ("only a card decides", "a call", "take-back", {**DEALT, "table": 1, "seat": 1}),
    ("It has no reason", "a hand", "void", {**CARD, "award": 4, "reason": ""}),
    ("There is no fixed pay at the seat", "a hand", "unpay", {**DEALT, "table": 1, "seat": 1}),
    ("There is nothing to confirm", "a game", "call", {**DEALT, "table": 1}),
    ("Somebody has taken the call", "a call that was taken", "take-call", {**MANAGED, "table": 1}),
    ("No game has ended there", "a game", "reopen", {**CARD, "table": 1, "reason": "a late winner"}),
    ("It has no reason", "a game over", "reopen", {**CARD, "table": 1, "reason": ""}),
    # slips
    ("No card has confirmed that award", "a hand", "issue-slip", {**MANAGED, "award": 4}),
    ("The award has a slip", "a slip", "issue-slip", {**MANAGED, "award": 4}),
    ("put right or backed out", "a slip, put right", "pay-slip", {**MANAGED, "slip": 1}),
    ("There is no such slip", "a slip", "pay-slip", {**MANAGED, "slip": 2}),
    ("There is no such slip", "a slip", "pay-slip", {**MANAGED, "slip": True}),
    ("or it was paid", "a slip paid", "pay-slip", {**MANAGED, "slip": 1}),
    ("Who confirmed the award has paid it", "a slip", "pay-slip", {**CARD, "slip": 1}),
    ("It is paid in nothing known", "a slip", "pay-slip", {**MANAGED, "slip": 1, "identity": "", "paid_in": "shells"}),
    ("on no document", "a slip", "pay-slip", {**MANAGED, "slip": 1, "identity": "a face", "paid_in": "cash"}),
    ("asks for the player's identity", "a slip", "pay-slip", {**MANAGED, "slip": 1, "identity": "", "paid_in": "cash"}),
    ("A slip is not paid", "a slip, and closed", "retire", {**TWO_SIGN, "to": "other"}),
    # what is put right
    ("no card has confirmed", "a hand", "back-out", BACK),
    ("settled by an earlier law", "by the first law", "back-out", BACK),
    ("It has no reason", "confirmed", "back-out", {**BACK, "reason": ""}),
    ("Another hand of its game is undecided", "confirmed, and another hand", "back-out", BACK),
    ("It is not lawful", "open", "adjust", adjusted("amount-won", "meter", "house")),
    ("Its amount is none, or it has no text", "open", "adjust", adjusted("malfunction", "meter", "house", 0)),
    ("Its amount is none, or it has no text", "open", "adjust", adjusted("malfunction", "meter", "house", text="")),
    ("There is not so much in meter", "open", "adjust", adjusted("malfunction", "meter", "house", 1_000_001)),
    ("There is not so much in meter", "a whole meter", "adjust", adjusted("malfunction", "meter", "tray", 1_000_200)),
    ("The meter is not so much above", "capped", "adjust", adjusted("above-maximum", "meter", "overflow")),
    ("The meter is not so much above", "open", "adjust", adjusted("above-maximum", "meter", "overflow")),
    ("above its maximum", "capped", "adjust", adjusted("malfunction", "house", "meter", 101)),
    ("An award is undecided", "a hand", "adjust", adjusted("seed-recovery", "meter", "house")),
    ("not so much of its own", "a game", "adjust", adjusted("seed-recovery", "meter", "house", 1_000_001)),
    ("nobody who signed may confirm", "open", "adjust", adjusted("amount-won", "meter", "players")),
    ("and names none", "open", "adjust", adjusted("amount-won", "players", "meter")),
    ("The award is none, or not so much", "a hand", "adjust", adjusted("malfunction", "meter", "house", award=4)),
    ("or not so much", "confirmed", "adjust", adjusted("amount-won", "players", "meter", 10**7, award=4)),
    ("It reseeds no win", "open", "adjust", {**adjusted("malfunction", "meter", "players", reseed=True), **WITH_CARD}),
    ("It reseeds no win", "open", "adjust", adjusted("malfunction", "meter", "house", reseed=True)),
    # links that end
    ("The link is open", "open", "retire", {**TWO_SIGN, "to": "other"}),
    ("It retires to no other link", "closed", "retire", {**TWO_SIGN, "to": "main"}),
    ("goes where none may go", "closed", "retire", {**TWO_SIGN, "to": "", "destination": "the owner"}),
    ("no approved plan", "with people: closed", "retire", {**TWO_SIGN, "to": "", "destination": "nonprofit"}),
    ("goes where none may go", "closed", "retire", {**TWO_SIGN, "to": "other", "destination": "nonprofit"}),
    ("What it received is no row, or altered", "closed", "receive", {**RECEIVED, "entry": {**GIVEN, "at": "x"}}),
    ("What it received is no row, or altered", "closed", "receive", given(kind="adjust")),
    ("What it received is no row, or altered", "closed", "receive", given(more=1)),
    ("It retires to no other link", "closed", "retire", {**TWO_SIGN, "to": ""}),
    ("It reseeds no win", "confirmed", "adjust", adjusted("amount-won", "players", "meter", award=4, reseed=True)),
    ("It reseeds no win", "open", "adjust", {**adjusted("amount-won", "meter", "players", reseed=False), **WITH_CARD}),
    ("or that was backed out before", "backed out", "back-out", BACK),
    ("No game is on at the table", "a game over", "end", {**DEALT, "table": 1}),
    ("No game has ended there", "a game over", "reopen", {**CARD, "table": True, "reason": "a late winner"}),
    ("It is not open, or the reason", "open", "close", {**MANAGED, "reason": "\x1b"}),
    ("The override has no reason", "a game", "enter", {**HAND, "cards": "7d 7d 7d", "override": {**OVERRIDE, "x": 1}}),
    ("It is another progressive", "closed", "reconfigure", {**MADE_OF_THREE, "new": MADE_OF_THREE["setup"]}),
    ("was retired to another link", "closed", "receive", {**RECEIVED, "source": "third"}),
    ("It was received before", "received", "receive", RECEIVED),
    ("moves other money", "closed", "receive", given(transfers=[["meter", "players", 5]])),
    ("moves other money", "closed", "receive", given(transfers=[["meter", "house", -5]])),
]


def put(book: Any, kind: str, facts: Facts, at: str = "") -> None:
    """One more row, sealed and chained as it should be."""
    row = {"number": book.number + 1, "before": book.digest, "at": at or book.at or NOW, "kind": kind}
    body = canonical({**row, "facts": facts, "command": f"forged {book.number}", "transfers": []})
    book.take(b'{"digest":"%s","row":%s}\n' % (sha256(body).hexdigest().encode(), body))


def refused(before: Any, kind: str, facts: Facts, at: str = "") -> tuple[str, int]:
    """What is said of a row after a book, and the line of the program that says it."""
    with pytest.raises(verifier.Wrong) as wrong:
        put(deepcopy(before), kind, facts, at)
    calls = [frame for frame in traceback.extract_tb(wrong.value.__traceback__) if frame.name != "demand"]
    return str(wrong.value), calls[-1].lineno or 0


@pytest.mark.parametrize(("words", "when", "kind", "facts"), FORGED, ids=range(len(FORGED)))
def test_a_forged_row_of_a_link_is_refused_by_the_demand_that_it_breaks(
    words: str, when: str, kind: str, facts: Facts
) -> None:
    assert words in refused(moment(when), kind, facts)[0]


# The site's book

REGISTER: Facts = {"table": {"number": 1, "on_file": {"approval": "a"}}}
MANAGES: Facts = {"by": "max"}
BOTH: Facts = {"by": "max", "second": "mia"}
ALSO: dict[str, list[tuple[str, Facts]]] = {
    "": [],
    "a key": [("note-key", {"by": "floor", "key": "ab" * 32, "was": ""})],
    "a table": [("set-table", {**BOTH, **REGISTER})],
    "a table open": [
        ("set-table", {**BOTH, **REGISTER}),
        ("open-table", {"by": "sue", "number": 1, "found": {}}),
    ],
    "an inspector": [
        (
            "enrol-person",
            {**BOTH, "person": "ian", "role": "inspector", "card": "1a" * 32, "until": "2026-11-16T00:00:00.000000Z"},
        )
    ],
    "one manager": [("revoke-card", {**MANAGES, "person": "mia"})],
    "a device": [("enrol-device", {**BOTH, "device": "pad", "device_kind": "keypad", "table": 1})],
    "an approval": [
        ("enter-approval", {**BOTH, "key": "own", "lines": ["x"]}),
        ("withdraw-approval", {**BOTH, "key": "own"}),
    ],
    "a plan": [
        (
            "plan-removal",
            {**BOTH, "approved": "2026-11-01", "posted": "2026-11-02", "link": "main", "plan": "p"}
            | {"destination": "promotion"},
        )
    ],
}

ALSO["a plan for another link"] = [("plan-removal", {**ALSO["a plan"][0][1], "destination": "another-progressive"})]

PAPER: Facts = {**MANAGES, "step": "sent", "reference": "r", "file": "f", "sha256": "0" * 64, "dated": "2026-11-15"}
PAPER |= {"condition": "letter"}
REQUEST: Facts = {**PAPER, "condition": "tribal-agency", "step": "requested", "dated": "2026-11-14"}
ALSO["a paper"] = [("record-paper", REQUEST)]


@cache
def site_after(also: str) -> Any:
    book = deepcopy(site_of())
    for kind, facts in ALSO[also]:
        put(book, kind, facts)
    return book


NEW: Facts = {"person": "zoe", "role": "supervisor", "card": "1b" * 32}
SPAN: Facts = {**BOTH, **NEW, "role": "inspector"}
MONTH: Facts = {**MANAGES, "month": "2026-10", "statement_cents": 5, "fund_cents": 5, "note": ""}
CLOSED: Facts = {**MONTH, "until": "2026-11-01T08:00:00.000000Z"}
GIFT: Facts = {**BOTH, "link": "main", "amount_cents": 5, "recipient": "r", "reference": "p", "note": "", "game": "g"}
KEY: Facts = {"public": "0" * 64, "salt": "0" * 32, "made": "by hand"}
PLAN: Facts = {**ALSO["a plan"][0][1], "posted": "2026-10-01"}
VALID: dict[str, Facts] = {
    "note-key": {"by": "floor", "key": "0" * 64},
    "note-backup": {**MANAGES, "file": "f", "digest": "0" * 64, "size_bytes": 5, "books": {"site": 1}},
    "note-evidence": {**MANAGES, "file": "f", "digest": "0" * 64, "size_bytes": 5, "books": {"site": 1}},
    "note-start": {"by": "floor", "version": "1", "digest": "0" * 64, "packages": "0" * 64},
    "note-access": {"by": "floor", "event": "failed"},
    "set-sign-in": {**BOTH, "many_tables": True},
    "rename-site": {**BOTH, "title": "t"},
    "declare-bank": {**MANAGES, "balance_cents": 10**9},
    "deposit": {**MANAGES, "amount_cents": 5},
    "enrol-device": ALSO["a device"][0][1],
    "reconcile": MONTH,
    "plan-removal": ALSO["a plan"][0][1],
    "give-prize": GIFT,
    "enter-approval": ALSO["an approval"][0][1],
    "record-paper": PAPER,
    "note-check": {"by": "floor", "books": {"site": 1}},
}


def signed(stream: str, number: int) -> Facts:
    """A checkpoint of a row with another digest than it has."""
    told = {"purpose": "croupier ledger checkpoint 1", "stream": stream, "day": "2026-11-15", "number": number}
    key, body = private_of("max"), {**told, "digest": "0" * 64, "balances": {}}
    return {"checkpoint": body, "key": public_hex(key.public_key()), "signature": key.sign(canonical(body)).hex()}


FORGED_SITE: list[tuple[str, str, str, Facts]] = [
    ("Its amount_cents is none", "", "deposit", {**MANAGES, "amount_cents": 0}),
    ("The site is created twice", "", "create-site", MANAGES),
    ("Somebody agreed to what the program", "", "note-check", {**VALID["note-check"], "second": "max"}),
    ("Somebody agreed to what the program", "", "note-check", {**VALID["note-check"], "agreed": {}}),
    ("Somebody signed what the program", "", "note-check", {**VALID["note-check"], **MANAGES}),
    ("Its gift is none", "", "note-check", {**VALID["note-check"], "gift": 1}),
    ("Its times is none", "", "note-access", {**VALID["note-access"], "times": 1}),
    ("Its changed is none", "", "note-start", {**VALID["note-start"], "changed": []}),
    ("Its own_games is none", "", "note-start", {**VALID["note-start"], "own_games": {"g": "x"}}),
    ("Its unmarked is none", "", "note-start", {**VALID["note-start"], "unmarked": False}),
    ("It notes no other key", "a key", "note-key", ALSO["a key"][0][1]),
    ("'zoe' is not enrolled", "", "note-access", {**VALID["note-access"], "person": "zoe"}),
    ("'' is not enrolled", "", "note-access", {"by": "floor", "event": "ended"}),
    ("'max' is not enrolled, or cannot act", "", "note-access", {**MANAGES, "event": "sign-in", "person": "ann"}),
    ("'sue' is supervisor, who may not", "", "note-access", {"by": "sue", "event": "ended", "person": "ann"}),
    ("books beyond its own row", "", "note-check", {"by": "floor", "books": {"site": 10**6}}),
    # who signs
    ("is no kind of row of a site", "", "gift", BOTH),
    ("'zoe' is not enrolled, or cannot act", "", "deposit", {"by": "zoe", "amount_cents": 5}),
    ("The span of 'ian' is over", "an inspector", "note-pin", {"by": "ian", "person": "ian"}),
    ("'ann' is dealer, who may not do it", "", "deposit", {"by": "ann", "amount_cents": 5}),
    ("Its second person is none", "", "deposit", {**VALID["deposit"], "second": 5}),
    ("It takes two people, and one has signed", "", "rename-site", {**MANAGES, "title": "t"}),
    ("names nobody who agreed", "", "deposit", {**VALID["deposit"], "agreed": {}}),
    ("is not a second person who can act", "one manager", "rename-site", {**BOTH, "title": "t"}),
    ("is not a second person who can act", "", "rename-site", {"by": "max", "second": "max", "title": "t"}),
    ("'sue' is supervisor, who may not agree", "", "rename-site", {"by": "max", "second": "sue", "title": "t"}),
    # the place
    ("is no edition of a profile", "", "choose-profile", {**BOTH, "profile": "Nevada!"}),
    ("does not have the digest of its edition", "", "choose-profile", {**BOTH, "profile": "nevada/2"}),
    ("goes from edition 1 of washington to 1", "", "choose-profile", {**BOTH, "profile": "washington"}),
    ("It changes nothing", "", "set-sign-in", {**BOTH, "many_tables": False}),
    ("It is the name that the site has", "", "rename-site", {**BOTH, "title": "Card Room"}),
    ("is not that of the row", "", "accept-time", {**BOTH, "time": "2026-11-15T20:40:00Z"}),
    # people
    ("'ann' is enrolled already", "", "enrol-person", {**BOTH, **NEW, "person": "ann"}),
    ("or no name", "", "enrol-person", {**BOTH, **NEW, "person": ""}),
    ("is enrolled without a card", "", "enrol-person", {**BOTH, **NEW, "card": ""}),
    ("is enrolled without a card", "", "enrol-person", {**BOTH, **NEW, "role": "owner"}),
    ("That card was given before", "", "enrol-person", {**BOTH, **NEW, "card": "ab" * 32}),
    ("or is none", "", "enrol-person", {**BOTH, **NEW, "card": "x"}),
    ("Its key is none", "", "note-pin", {**MANAGES, "person": "max", "key": {**KEY, "made": ""}}),
    ("books beyond its own row", "", "note-check", {"by": "floor", "books": {"site": 1, "link:main": -1}}),
    ("Its approval has no lines", "", "enter-approval", {**VALID["enter-approval"], "lines": [5]}),
    (
        "'mia' is not enrolled, or cannot",
        "one manager",
        "note-access",
        {"by": "mia", "event": "ended", "person": "ann"},
    ),
    (
        "It comes before a paper",
        "a paper",
        "record-paper",
        {**PAPER, "condition": "appendix-a-18", "dated": "2026-11-13"},
    ),
    ("of a PIN what cannot be said", "", "enrol-person", {**BOTH, **NEW, "with_pin": False}),
    ("Only an inspector is enrolled for a span", "", "enrol-person", SPAN),
    ("Its span ends at no time", "", "enrol-person", {**SPAN, "until": "2026-11-20T00:00:00Z"}),
    ("Its span is over, or too long", "", "enrol-person", {**SPAN, "until": "2027-11-20T00:00:00.000000Z"}),
    ("Its span is over, or too long", "", "enrol-person", {**SPAN, "until": "2026-11-15T10:00:00.000000Z"}),
    ("Nobody changes their own role", "", "change-role", {**BOTH, "person": "mia", "role": "executive"}),
    ("'sue' is supervisor already", "", "change-role", {**BOTH, "person": "sue", "role": "supervisor"}),
    ("or it is no role", "", "change-role", {**BOTH, "person": "sue", "role": "owner"}),
    ("'ann' has no card", "", "change-role", {**BOTH, "person": "ann", "role": "supervisor"}),
    ("a law that is over, or is none", "", "change-role", {**BOTH, "person": "sue", "role": "executive", "law": 1}),
    ("'mia' cannot act already", "one manager", "revoke-card", {**MANAGES, "person": "mia"}),
    ("The last manager is revoked", "one manager", "revoke-card", {"by": "eve", "person": "max"}),
    ("'mia' cannot act", "one manager", "note-pin", {"by": "max", "second": "eve", "person": "mia"}),
    ("Its key is none", "", "note-pin", {**MANAGES, "person": "max", "key": {**KEY, "salt": "x"}}),
    ("A key comes with a PIN of one's own", "", "note-pin", {**BOTH, "person": "sue", "key": KEY}),
    ("A key comes with a PIN of one's own", "", "note-pin", {"by": "ann", "person": "ann", "key": KEY}),
    # the bank
    ("a month that is to come", "", "reconcile", {**MONTH, "month": "2026-12"}),
    ("how the difference was resolved", "", "reconcile", {**MONTH, "fund_cents": 6}),
    ("Its month ends at no time", "", "reconcile", {**CLOSED, "until": "never", "links": {}}),
    ("Its month ends at no time", "", "reconcile", {**CLOSED, "until": "2026-09-30T08:00:00Z", "links": {}}),
    ("how the variance was resolved", "", "reconcile", {**CLOSED, "links": {}}),
    (
        "What is on its way from main",
        "",
        "reconcile",
        {**CLOSED, "links": {"main": {"entries": 1, "digest": "", "units": 0, "carried_units": -1}}},
    ),
    ("approved first, and then posted", "", "plan-removal", PLAN),
    ("No plan gives that prize away", "", "give-prize", GIFT),
    ("No plan gives that prize away", "a plan for another link", "give-prize", GIFT),
    ("It says no game", "a plan", "give-prize", {**GIFT, "game": ""}),
    ("more than the account for prizes holds", "a plan", "give-prize", {**GIFT, "amount_cents": 10**9 + 1}),
    # devices, tables and papers
    ("'pad' is enrolled already", "a device", "enrol-device", VALID["enrol-device"]),
    ("Its second person is nobody", "", "enrol-device", {**VALID["enrol-device"], "second": ""}),
    (
        "A keypad is enrolled by two people",
        "a device",
        "enrol-device",
        {**MANAGES, "device": "b", "device_kind": "keypad", "table": 2},
    ),
    ("Table 1 has a keypad already", "a device", "enrol-device", {**VALID["enrol-device"], "device": "b"}),
    ("Table 1 is changed while it is open", "a table open", "set-table", {**BOTH, **REGISTER}),
    ("Table 2 is not set from the register", "a table open", "set-table", {**BOTH, "table": {"number": 2}}),
    ("Table 1 is removed while it is open", "a table open", "remove-table", {**BOTH, "number": 1}),
    ("Table 1 cannot be opened", "a table open", "open-table", {"by": "sue", "number": 1, "found": {}}),
    ("Table 2 cannot be opened", "", "open-table", {"by": "sue", "number": 2, "found": {}}),
    ("It does not say what was found", "a table", "open-table", {"by": "sue", "number": 1, "found": []}),
    ("Table 2 is not open", "a table open", "close-table", {"by": "sue", "number": 2}),
    ("Its approval was entered before", "an approval", "enter-approval", VALID["enter-approval"]),
    ("Its approval has no lines", "", "enter-approval", {**VALID["enter-approval"], "lines": []}),
    ("Its approval was withdrawn before", "an approval", "withdraw-approval", {**BOTH, "key": "own"}),
    ("Its days are out of order", "", "record-paper", {**PAPER, "until": "2026-11-14"}),
    ("Its days are out of order", "", "record-paper", {**PAPER, "dated": "2026-11-17"}),
    ("It comes before a paper", "", "record-paper", {**PAPER, "condition": "appendix-a-18"}),
    ("withdraws a paper that is not there", "", "withdraw-paper", {**MANAGES, "paper": 99}),
    ("is of another book", "", "keep-checkpoint", {**MANAGES, "checkpoints": {"link:main": signed("site", 1)}}),
    ("is of another book", "", "keep-checkpoint", {**MANAGES, "checkpoints": {"site": signed("site", 1)}}),
    ("is of another book", "", "keep-checkpoint", {**MANAGES, "checkpoints": {"site": signed("site", 10**6)}}),
]
LATER_DAY = "2026-11-17T20:00:00.000000Z"


@pytest.mark.parametrize(("words", "also", "kind", "facts"), FORGED_SITE, ids=range(len(FORGED_SITE)))
def test_a_forged_row_of_the_site_is_refused_by_the_demand_that_it_breaks(
    words: str, also: str, kind: str, facts: Facts
) -> None:
    assert words in refused(site_after(also), kind, facts, LATER_DAY if also == "an inspector" else "")[0]


def test_the_facts_of_the_site_have_their_form() -> None:
    """What is valid passes up to the rules of its kind; with junk for one fact, that fact is named."""
    assert VALID.keys() == verifier.FORMS.keys()
    for kind, form in verifier.FORMS.items():
        for name in form:
            junks: list[Any] = [None, -1, True if name != "many_tables" else 1, "\x1b", [], {}]
            for junk in junks:
                said, _ = refused(site_of(), kind, {**VALID[kind], name: junk})
                assert f"Its {name} is none" in said


# No demand is left out


def demands_in(names: Sequence[str]) -> Iterator[range]:
    """The lines of every demand, and of every `raise Wrong`, in these classes and functions."""
    for part in ast.parse(PROGRAM.read_text(encoding="utf-8")).body:
        if isinstance(part, ast.ClassDef | ast.FunctionDef) and part.name in names:
            for node in ast.walk(part):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Name)
                    and node.func.id in ("demand", "Wrong")
                ):
                    yield range(node.lineno, (node.end_lineno or node.lineno) + 1)


def test_every_demand_on_a_row_has_a_forged_row() -> None:
    said = {refused(moment(when), kind, facts)[1] for _, when, kind, facts in FORGED}
    for _, also, kind, facts in FORGED_SITE:
        said.add(refused(site_after(also), kind, facts, LATER_DAY if also == "an inspector" else "")[1])
    sites = list(demands_in(["Level", "Meters", "PutRight", "Link", "Site", "second_agreed"]))
    assert len(sites) > 100
    assert [lines[0] for lines in sites if not said.intersection(lines)] == []


# The chain, checkpoints and the file


def test_a_chain_that_is_broken_is_found_though_its_numbers_go_on() -> None:
    book = deepcopy(moment("open"))
    book.digest = "f" * 64
    assert "the chain is broken" in refused_after(book, moment("open").digest)


@pytest.mark.parametrize(("first", "second", "is_older"), [("00.5Z", "00Z", False), ("00Z", "00.5Z", True)])
def test_rows_follow_one_another_by_the_text_of_their_times_in_both_programs(
    first: str, second: str, is_older: bool
) -> None:
    """Paragraph 2.3 of the form says so: a program that asked the clock would refuse what the other has proved."""
    entries, book = played().entries, Book()
    for number, second_of in enumerate((first, second), 1):
        entries = resealed(entries, number, _at("2026-11-15T20:00:" + second_of))
    book.add(entries[0])
    if is_older:
        with pytest.raises(verifier.Wrong, match="It is older than the one before it"):
            taken(entries)
        with pytest.raises(RecordError, match="is older than the one before it"):
            book.add(entries[1])
    else:
        assert taken(entries).at == entries[1].at
        book.add(entries[1])


def _at(at: str) -> Callable[[Facts], None]:
    return lambda row: row.update(at=at)


def refused_after(book: Any, before: str) -> str:
    row = {"number": book.number + 1, "before": before, "at": book.at, "command": "forged", "kind": "close"}
    body = canonical({**row, "facts": {**MANAGED, "reason": ""}, "transfers": []})
    with pytest.raises(verifier.Wrong) as wrong:
        book.take(b'{"digest":"%s","row":%s}\n' % (sha256(body).hexdigest().encode(), body))
    return str(wrong.value)


def test_no_account_goes_below_nothing_and_no_transfer_above_its_most() -> None:
    """Nets below all rules: they hold whatever a rule makes of a row."""
    retired, confirmed = {**TWO_SIGN, "to": "other"}, {**CARD, "award": 4}
    for when, meter, kind, facts in (("closed", 2**62 + 1, "retire", retired), ("a hand", 0, "confirm", confirmed)):
        book = deepcopy(moment(when))
        book.money["meter"] = meter
        row = {"number": book.number + 1, "before": book.digest, "at": book.at, "command": "forged", "kind": kind}
        made = deepcopy(book)
        made.row, made.transfers = {**row, "facts": facts}, []
        body = canonical({**row, "facts": made.decide(kind, facts), "transfers": made.transfers})
        with pytest.raises(verifier.Wrong, match="meter would be below nothing, or too much is moved"):
            book.take(b'{"digest":"%s","row":%s}\n' % (sha256(body).hexdigest().encode(), body))


def test_accounts_that_do_not_come_to_nothing_are_found_at_the_end() -> None:
    book = deepcopy(moment("closed"))
    ending = {"end": "link:main", "entries": 1, "digest": book.digest, "configuration": book.configuration}
    book.at_the_end(ending)
    book.money["meter"] += 1
    with pytest.raises(verifier.Wrong, match="together are not nothing"):
        book.at_the_end(ending)


BOOK = played().entries
BALANCES = {name: units for name, units in moment("open").money.items() if units}


def checkpoint(number: int = len(BOOK), **changes: Any) -> Facts:
    """A signed checkpoint of the open link: right, but for the changes."""
    digest = BOOK[number - 1].digest
    body = {**signed("link:main", number)["checkpoint"], "digest": digest, "balances": BALANCES, **changes}
    key = private_of("max")
    return {"checkpoint": body, "key": public_hex(key.public_key()), "signature": key.sign(canonical(body)).hex()}


def said_of(path: Path, *checkpoints: Facts, **header: Any) -> str:
    """What is said of a file of the open link with these checkpoints; nothing where it is right."""
    ledger_file(
        path, {"link:main": raw(BOOK)}, moment("open").configuration, **{"checkpoints": len(checkpoints), **header}
    )
    first, rest = path.read_bytes().split(b"\n", 1)
    path.write_bytes(b"\n".join([first, *map(canonical, checkpoints), rest]))
    try:
        verifier.verify(path)
    except verifier.Wrong as wrong:
        return str(wrong)
    return ""


AGAIN: Facts = {"supersedes": 1, "reason": "too early"}
CHECKPOINTS: list[tuple[str, list[Facts]]] = [
    ("", [checkpoint()]),
    ("", [checkpoint(1), checkpoint(**AGAIN)]),
    ("was signed before the day's last entry", [checkpoint(1)]),
    ("is of an entry of a later day", [checkpoint(day="2026-11-14")]),
    ("has other balances than the book", [checkpoint(balances={"meter": 5})]),
    ("supersedes one that is not there", [checkpoint(**AGAIN)]),
    ("supersedes no earlier one", [checkpoint(**{**AGAIN, "supersedes": 2})]),
    ("supersedes no earlier one", [checkpoint(1), checkpoint(**{**AGAIN, "reason": ""})]),
    ("cannot be read", [checkpoint(purpose="croupier anchor 1")]),
    ("cannot be read", [checkpoint(number=True)]),
    ("cannot be read", [{"checkpoint": checkpoint()["checkpoint"]}]),
    ("was altered", [{**checkpoint(), "signature": "0" * 128}]),
    ("is of entry 3, and the book ends at 2", [{**checkpoint(), **signed("link:main", 3)}]),
    ("of a book that is not in the file", [signed("link:other", 1)]),
]


@pytest.mark.parametrize(("words", "checkpoints"), CHECKPOINTS, ids=range(len(CHECKPOINTS)))
def test_a_checkpoint_is_held_against_its_rows(tmp_path: Path, words: str, checkpoints: list[Facts]) -> None:
    said = said_of(tmp_path / "x.jsonl", *checkpoints)
    assert words in said
    assert bool(words) == bool(said)


def test_a_reconciled_month_is_held_against_the_row_that_ended_it() -> None:
    """What the funds came to, after the last row before its end (ledger 4.21)."""
    book, end = moment("open"), "2026-11-15T20:00:00.000002Z"
    funds = sum(units for name, units in BALANCES.items() if name in verifier.FUNDS)
    marks = verifier.Marks(set())
    first = taken(BOOK[:1])
    for units, until, words in (
        (funds, end, ""),
        (funds + 1, end, "has other funds than the book"),
        (funds, "2026-11-15T20:00:00.000001Z", "has other funds than the book"),
        (funds, "2026-11-15T20:00:01.000000Z", "is of an entry before the last of the month"),
    ):
        marks.of.clear()
        marks.expect("link:main", 1, first.digest, "The month", funds=units, until=until)
        try:
            marks.look(first)
            marks.look_after(book)
            said = ""
        except verifier.Wrong as wrong:
            said = str(wrong)
        assert words in said
        assert bool(words) == bool(said)


def reconciled(until: str, links: Facts) -> Any:
    """The site's book with a month that ends then, as it stands in a file: up to six digits of a second, or none."""
    site, cents = deepcopy(site_of()), -(-sum(link["units"] for link in links.values()) // verifier.CENT)
    month = {"month": "2026-11", "until": until, "statement_cents": cents, "fund_cents": cents, "links": links}
    put(site, "reconcile", {**MONTH, **month, "difference_cents": 0, "book_cents": cents, "variance_cents": 0})
    return site


@pytest.mark.parametrize(
    ("words", "times", "until"),
    [
        ("", ("00Z", "00.5Z"), "00.25Z"),
        ("has other funds than the book", ("00.1Z", "00.2Z"), "00.100000Z"),
        ("has other funds than the book", ("00.1Z", "00.2Z"), "00Z"),
        ("is of an entry before the last of the month", ("00Z", "00.000001Z"), "00.000002Z"),
        ("is of an entry before the last of the month", ("00Z", "00Z"), "00.5Z"),
    ],
)
def test_rows_written_to_other_precisions_are_before_or_after_a_month_by_the_clock(
    words: str, times: tuple[str, str], until: str
) -> None:
    """As text, 20:00:00Z comes after 20:00:00.5Z: a month that leaves its last row out would be right."""
    minute = "2026-11-15T20:00:"
    funds = sum(units for name, units in BALANCES.items() if name in verifier.FUNDS)
    one, other = copy(moment("open")), copy(moment("open"))
    one.number, one.at, other.number, other.at = 1, minute + times[0], 2, minute + times[1]
    site = reconciled(minute + until, {"main": {"entries": 1, "digest": one.digest, "units": funds}})
    try:
        site.marks.look(one)
        site.marks.look_after(other)
        said = ""
    except verifier.Wrong as wrong:
        said = str(wrong)
    assert words in said
    assert bool(words) == bool(said)


@pytest.mark.parametrize(
    ("until", "is_before"),
    [("00Z", False), ("00.5Z", False), ("00.50Z", False), ("00.500001Z", True), ("00.6Z", True), ("01Z", True)],
)
def test_a_link_a_receipt_and_a_gift_are_before_or_after_a_month_by_the_clock(until: str, is_before: bool) -> None:
    """All three are of 20:00:00.5Z; as text, a month that ends at 20:00:00Z is over only after that."""
    minute, link = "2026-11-15T20:00:", copy(moment("closed"))
    link.began = minute + "00.5Z"
    site = reconciled(minute + until, {})
    site.roster.given.append([5, minute + "00.5Z", "main", "nonprofit", 3, "", "", ()])
    books = {"site": site, "link:main": link}
    if is_before:
        with pytest.raises(verifier.Wrong, match="leaves out main, whose book began before the month ended"):
            list(verifier.match_months(books))
    else:
        assert list(verifier.match_months(books)) == []
    ((_, end, _),) = site.roster.months
    link.retired, link.to, link.gave = (2, "f" * 64), "other", ["", 5 * verifier.CENT]
    arrived = {"f" * 64: verifier.moved(minute + "00.5Z")}
    assert verifier.on_its_way(books, "main", end, arrived) == (0 if is_before else 5) * verifier.CENT
    link.to = ""
    assert verifier.on_its_way(books, "main", end, {}) == (2 if is_before else 5) * verifier.CENT


@pytest.mark.parametrize(
    ("words", "header"),
    [
        ("It is no exported ledger", {"format": "ledger"}),
        ("It is no exported ledger", {"version": 2}),
        ("The first line names no books", {"streams": ["link:main", "link:main"]}),
        ("The first line names no books", {"checkpoints": -1}),
        ("The first line names no books", {"streams": ["\x1b"]}),
        ("The site's book comes first", {"streams": ["link:main", "site"]}),
        ("link:other is missing", {"streams": ["link:other"]}),
        ("The checkpoint cannot be read", {"checkpoints": 10**9}),
        ("The book link:next cannot be read", {"streams": ["link:main", "link:next"]}),
    ],
)
def test_a_first_line_that_is_not_of_its_file_is_found(tmp_path: Path, words: str, header: Facts) -> None:
    assert words in said_of(tmp_path / "x.jsonl", **header)


def test_books_that_are_none_and_lines_beside_them_are_found(tmp_path: Path) -> None:
    path, rows = tmp_path / "x.jsonl", raw(BOOK)
    for books, words in (({"main": rows}, "main is no book"), ({"link:main": []}, "There is no entry in the file")):
        with pytest.raises(verifier.Wrong, match=words):
            verifier.verify(ledger_file(path, books))
    whole = ledger_file(path, {"link:main": rows}, moment("open").configuration).read_bytes()
    cut = whole[: whole.index(b'{"end"')]
    for content, words in ((whole + b"{}\n", "after the last book"), (cut, "ends within the book")):
        path.write_bytes(content)
        with pytest.raises(verifier.Wrong, match=words):
            verifier.verify(path)
    path.write_bytes(whole)
    with pytest.raises(verifier.Wrong, match="no checkpoint of link:main is signed"):
        verifier.verify(path, keys=["0" * 64])
    (tmp_path / "key.pub").write_text("0" * 64)
    with pytest.raises(verifier.Wrong, match="holds no public key"):
        verifier.key_of(str(tmp_path / "key.pub"))


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("cannot be read", "CROUPIER-ANCHOR 1 nothing"),
        ("was damaged on its way", "-----BEGIN CROUPIER ANCHOR-----\n%%%\n-----END CROUPIER ANCHOR-----"),
        ("An anchor in .* cannot be read", "-----BEGIN CROUPIER ANCHOR-----\nAAAA\n-----END CROUPIER ANCHOR-----"),
        ("cannot be read: KeyError", '{"anchor": {"series": "0"}}'),
        (
            "(series 0) cannot be read",
            canonical({"anchor": {"series": "0", "number": 1, "day": "", "at": "2026"}}).decode(),
        ),
        ("holds no checkpoint", "a letter"),
    ],
)
def test_an_anchor_that_is_none_is_told(tmp_path: Path, words: str, text: str) -> None:
    (tmp_path / "anchor").write_text(text)
    path = ledger_file(tmp_path / "x.jsonl", {"link:main": raw(BOOK)}, moment("open").configuration)
    with pytest.raises(verifier.Wrong, match=words.replace("(", r"\(").replace(")", r"\)")):
        verifier.verify(path, anchors=[tmp_path / "anchor"])
