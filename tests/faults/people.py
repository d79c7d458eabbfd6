"""People who keep a link busy: dealers at their tables, cards that confirm and void, two in the office.

Each looks at the link and does something that makes sense there, or nearly: refusals are part of a busy day. Nobody
remembers anything, so whoever comes after a crash goes on where the link is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

from croupier.compliance.profile import Lawful
from croupier.floor.aggregate import Origin
from croupier.floor.link.acts import (
    Adjust,
    BackOut,
    CallSupervisor,
    CloseLink,
    Confirm,
    EndGame,
    EnterHand,
    Identity,
    IssueSlip,
    LinkAct,
    OpenLink,
    PaidIn,
    PaySlip,
    Reconfigure,
    ReopenGame,
    StartGame,
    TakeBackHand,
    TakeCall,
    VoidAward,
)
from croupier.floor.link.link import Link, same_link_act
from croupier.floor.link.setup import LinkSetup
from croupier.floor.link.state import LinkState, Status
from croupier.ledger.entry import Purpose
from support.room import (
    DEALER,
    EXECUTIVE,
    MANAGER,
    ONE_METER,
    OTHER_MANAGER,
    STYLE_A,
    SUPERVISOR,
    THREE_METERS,
    with_tables,
)

STREAM = "link:main"
MAIN = Origin(partial(Link, "main"), Link.of_snapshot, same_link_act)
TABLES = range(1, 7)
Choice = Callable[[LinkState, str, Random], LinkAct]


def busy(setup: LinkSetup) -> LinkSetup:
    return replace(with_tables(setup, len(TABLES)), executive_threshold_cents=600_000)


SETUPS = (
    busy(THREE_METERS),
    replace(busy(ONE_METER), fixed_pay_card_cents=100_000),
    replace(busy(STYLE_A), fixed_pay_card_cents=12_500),
)
"""Three levels; one level with shares of 100 % and 10 %; fixed pays from the meter. The higher ones take a card."""


def at_table(number: int, state: LinkState, act_id: str, rng: Random) -> LinkAct:
    """The next act at a table: a game is started, hands come in and go, cards decide, the game ends."""
    cycle = state.cycle(number)
    if cycle.last and rng.random() < 0.15:
        return ReopenGame(id=act_id, by=SUPERVISOR, table=number, reason="A winner was seen late.")
    if not cycle.on:
        seats = range(1, state.linked(number).seats + 1)
        lit = tuple(rng.sample(seats, rng.randint(1, len(seats))))
        return StartGame(id=act_id, by=DEALER, table=number, lit=lit, based=lit)
    held = state.in_line(number)
    free = [seat for seat in cycle.seats if seat not in cycle.entered]
    open_hands = [seat for seat, hand in cycle.entered.items() if not hand.final]
    call = state.calls.get(number)
    weights = {
        "enter": 4 if free else 0,
        "take-back": 1 if open_hands else 0,
        "call": 1 if held else 0,
        "take-call": 2 if call and not call.taken_by else 0,
        "confirm": 1.5 if held else 0,
        "void": 0.5 if held else 0,
        "end": 3 if not held else 0.1,
    }
    made: dict[str, Any] = {"id": act_id, "by": DEALER}
    match rng.choices(list(weights), list(weights.values()))[0]:
        case "enter":
            shares = rng.random() < 0.5
            lines = [line.label for line in state.setup.lines.values() if line.is_share == shares]
            return EnterHand(**made, table=number, seat=rng.choice(free), line=rng.choice(lines))
        case "take-back":
            return TakeBackHand(**made, table=number, seat=rng.choice(open_hands))
        case "call":
            return CallSupervisor(**made, table=number)
        case "take-call":
            return TakeCall(id=act_id, by=SUPERVISOR, table=number)
        case "confirm":
            return Confirm(id=act_id, by=rng.choice([SUPERVISOR, EXECUTIVE]), award=held[0].award)
        case "void":
            return VoidAward(id=act_id, by=SUPERVISOR, award=rng.choice(held).award, reason="The hand is another.")
        case _:
            return EndGame(**made, table=number)


def in_office(state: LinkState, act_id: str, rng: Random) -> LinkAct:
    """Adjustments and back-outs by two people, and jackpot slips; now and then the link is closed, configured if it is
    quiet, opened."""
    if state.status is Status.CLOSED:
        if rng.random() < 0.3:
            setup = replace(state.setup, executive_threshold_cents=rng.randrange(400_000, 800_000))
            return Reconfigure(id=act_id, by=MANAGER, second=OTHER_MANAGER, setup=setup)
        return OpenLink(id=act_id, by=MANAGER)
    if rng.random() < 0.3:
        return CloseLink(id=act_id, by=SUPERVISOR, reason="A sensor is tested.")
    if (slip := in_cage(state, act_id)) and rng.random() < 0.5:
        return slip
    standing = [number for number, won in state.confirmed.items() if not won.backed_out]
    if standing and rng.random() < 0.5:
        second, why = rng.choice([OTHER_MANAGER, EXECUTIVE]), "The camera shows another hand."
        return BackOut(id=act_id, by=MANAGER, second=second, award=standing[-1], reason=why)
    source, target = rng.sample([Purpose.METER, rng.choice([Purpose.HOUSE, Purpose.TRAY, Purpose.RESERVE])], 2)
    return Adjust(
        id=act_id,
        by=MANAGER,
        second=rng.choice([OTHER_MANAGER, EXECUTIVE]),
        level=rng.choice(list(state.setup.level)),
        reason=Lawful.MALFUNCTION,
        source=source,
        target=target,
        cents=rng.randint(1, 5_000),
        text="A chip was counted twice.",
    )


def in_cage(state: LinkState, act_id: str) -> LinkAct | None:
    """A slip that is not paid yet is paid; where there is none, one is issued."""
    for number, slip in state.slips.items():
        if not slip.paid and state.as_confirmed(slip.award):
            return PaySlip(id=act_id, by=MANAGER, slip=number, paid_in=PaidIn.CHECK, identity=Identity.PASSPORT)
    for award, won in state.payable.items():
        if not won.slip and state.as_confirmed(award):
            return IssueSlip(id=act_id, by=MANAGER, award=award)
    return None


PEOPLE: dict[str, Choice] = {f"t{number}": partial(at_table, number) for number in TABLES} | {"o": in_office}
