"""What a dealer of blackjack is asked, and the table as it stood after each of a round's events."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, fields
from typing import Self

from croupier.cards.card import format_cards
from croupier.games.blackjack.game import (
    BURN,
    BUST_OFFERED,
    CAP_OFFERED,
    CHECK,
    CHECKED,
    DEALERS_HAND,
    EARLY,
    INSURANCE_OFFERED,
    SURRENDER_OFFERED,
    SWITCH_OFFERED,
)
from croupier.games.blackjack.hand import BET, BY_CARDS, BlackjackSeat, Ending, PlayerHand, describe, describe_cards
from croupier.games.blackjack.round import BlackjackRound, Phase
from croupier.games.blackjack.side_wagers import BET_THE_BUST, BLAZING_PLAYER, TRILUX
from croupier.games.game import Handled
from croupier.games.money import short_dollars
from croupier.games.paytable import Kind as PayKind
from croupier.games.table.bets import spot_title
from croupier.games.table.history import CLOSE, DEAL, DEALER, DECIDE, SETTLE, SETTLES
from croupier.games.table.questions import Choice, Kind, OpenWager, Question, Typed, seat_choices
from croupier.games.table.settlement import Settlement

_BEFORE = {"no-more-bets": CLOSE, "burn": BURN}
_PLAYED = {
    Phase.DEALING: (DEAL, EARLY),
    Phase.SURRENDERING: (SURRENDER_OFFERED, SURRENDER_OFFERED),
    Phase.INSURANCE: (INSURANCE_OFFERED, INSURANCE_OFFERED),
    Phase.CHECKING: (CHECK, CHECKED),
    Phase.CAPPING: (CAP_OFFERED, CHECKED),
    Phase.SWITCHING: (SWITCH_OFFERED, CHECKED),
    Phase.BUST_WAGERS: (BUST_OFFERED, BUST_OFFERED),
    Phase.PLAYING: (DECIDE, DECIDE),
    Phase.DEALER: (DEALERS_HAND, DEALERS_HAND),
    Phase.SETTLING: (SETTLE, SETTLE),
}
"""To which part an event belongs, by the phase: one that settles a wager to the second."""


def part(table: BlackjackRound) -> str:
    kind = table.events[-1].kind
    return _BEFORE.get(kind) or _PLAYED.get(table.phase, ("", ""))[kind in SETTLES]


@dataclass(frozen=True, eq=False, kw_only=True)
class _Watched(BlackjackRound):
    """One act of blackjack deals many cards and settles many wagers: every table in between is kept."""

    kept: list[BlackjackRound] = field(default_factory=list, repr=False)

    def changed(self, **changes: object) -> Self:
        after = super().changed(**changes)
        if "events" in changes:
            self.kept.append(after)
        return after


def felts(round_: BlackjackRound) -> list[BlackjackRound]:
    """The table as it stood after each event."""
    opened = round_.offering.open(round_.opening_shoe)
    watched = _Watched(**{field.name: getattr(opened, field.name) for field in fields(opened)})
    watched.kept.append(watched)
    for act in round_.acts:
        watched = watched.do(act)
    return watched.kept


def open_wagers(number: int, seat: BlackjackSeat) -> Iterator[OpenWager]:
    """Of one seat: its hands, then what lies beside them."""
    for place, hand in enumerate(seat.hands):
        if not hand.settled:
            yield OpenWager(number, BET.key, place + 1 if len(seat.hands) > 1 else 0)
    yield from (OpenWager(number, spot) for spot in seat.open_sides)


def facts(table: BlackjackRound, settled: Settlement, wager: OpenWager) -> str:
    seat = table.seats[settled.seat]
    if settled.spot != BET.key and not table.game.spots[settled.spot][1].plain:
        return f"Seat {settled.seat} was dealt {format_cards(seat.dealt)}, and the dealer shows {table.up_card}."
    dealer = f"The dealer: {describe_cards(table.dealer)}." if len(table.dealer) > 1 else ""
    if settled.spot != BET.key:
        return dealer
    hand = seat.hands[max(0, wager.hand - 1)]
    return f"{_name(wager)}: {describe(hand)}. {dealer}".strip()


def _name(wager: OpenWager) -> str:
    return f"Seat {wager.seat}, Bet{f', hand {wager.hand}' if wager.hand else ''}"


# What no engine sees


def handled(table: BlackjackRound, before: BlackjackRound) -> Iterator[Handled]:
    """Progressive chips when START GAME is pressed, and the cards of a hand that is bust."""
    event, of = table.events[-1], part(table)
    if of == CLOSE:
        yield from _chips(table)
    elif event.kind in SETTLES and table.settlements[-1].free_cents:
        yield _free_chip(table, of)
    elif of == DECIDE and event.kind == "settle" and before.events[-1].kind == "deal" and event.position is not None:
        if table.settlements[-1].pay.kind is not PayKind.LOSE:
            return  # it has won by its cards
        yield from _bust(event.position, table.seats[event.position].wagers)


def _chips(table: BlackjackRound) -> Iterator[Handled]:
    laid = {spot for seat in table.seats.values() for spot in seat.wagers if table.game.spots[spot][0].progressive}
    for spot in sorted(laid):
        ask = f"START GAME is pressed. What do you do with the chips on {spot_title(table, spot)}?"
        stay, away = "Leave them where they lie until they are settled", "Take them off the sensors: each counts"
        right, other = (stay, away) if spot == TRILUX.key else (away, stay)
        yield Handled(CLOSE, Kind.HANDLE, ask, right, (other, "Give them back: the meter pays"), "1.13")


def _free_chip(table: BlackjackRound, of: str) -> Handled:
    settled = table.settlements[-1]
    ends = {PayKind.LOSE: "has lost", PayKind.PUSH: "pushes"}.get(settled.pay.kind, "has won")
    ask = f"A hand of seat {settled.seat} {ends}, and a free chip lies on it. What becomes of the free chip?"
    right = "Back to the tray: it is the house's, however the hand ends"
    wrong = ("The player keeps it with the win", "It is exchanged for a chip of its value")
    return Handled(of, Kind.HANDLE, ask, right, wrong, "20.6", settled.seat, about="free chip")


def _bust(seat: int, wagers: Collection[str]) -> Iterator[Handled]:
    if BET_THE_BUST.key in wagers:
        ask = f"Seat {seat} is bust and has a wager on Bet the Bust. What becomes of its cards?"
        right = "Tuck them under Bet the Bust, and take the Bet"
        wrong = ("Pick them up together with the Bet", "Leave them in front of the seat")
        yield Handled(DECIDE, Kind.HANDLE, ask, right, wrong, "10.7", seat, about="tucked")
    if BLAZING_PLAYER.key in wagers:
        ask = f"Seat {seat} is bust and has a wager on Blazing 7's. In which order?"
        right = "Take the Bet, settle Blazing 7's, pick up the cards, deal on"
        wrong = ("Settle Blazing 7's, take the Bet, pick up the cards", "Take the Bet and the cards; the rest later")
        yield Handled(DECIDE, Kind.HANDLE, ask, right, wrong, "11.18", seat, about="order")


# What is asked

DECISIONS = ("hit", "stand", "double", "split", "surrender", "zap")
DRAWS = ("hit", "double")
UP, DOWN = "up", "down"
AGAIN, ENDS, BUST, WINS = "again", "ends", "bust", "wins"
HANDS = (
    Choice(AGAIN, "The player decides again", "a"),
    Choice(ENDS, "The hand ends and stays", "e"),
    Choice(BUST, "Bust: take wager and cards now", "b"),
)
WON = Choice(WINS, "It has won by its cards: pay it now", "w")
"""Asked where hands win so."""
DRAW, STAND = "draw", "stand"
DEALERS = (Choice(DRAW, "Draw", "d"), Choice(STAND, "Stand", "s"), Choice(BUST, "Bust", "b"))
BLACKJACK = (Choice("yes", "A blackjack: turn it up", "y"), Choice("no", "No blackjack: play goes on", "n"))


def questions(table: BlackjackRound, before: BlackjackRound) -> Iterator[Question]:
    """What is asked before the newest event is told, beside what every game asks; of a drawn card, after it."""
    event = table.events[-1]
    if event.kind == "deal" and table.phase is Phase.DEALING:
        yield _whom(table)
    elif event.kind == "insure":
        ask = f"Seat {event.position} insures for the most that it may. How much is that?"
        assert event.position is not None
        assert event.cents is not None
        bet = table.seats[event.position].wagers[BET.key]
        half = f"Half of {short_dollars(bet)} is {short_dollars(event.cents)}"
        right, seat = (str(event.cents),), event.position
        yield Question(Kind.INSURE, ask, right, "4.2", typed=Typed.MONEY, seat=seat, spot=BET.key, sum=half)
    elif table.phase is Phase.CHECKING and event.kind in ("check", "deal"):
        yield _check(before, table)
    elif event.kind in DECISIONS:
        yield from _turn(table)
    elif event.kind == "deal" and table.phase is Phase.PLAYING and before.events[-1].kind in DRAWS:
        yield _hand(before, table)
    elif event.kind == "deal" and table.phase is Phase.DEALER:
        yield _draw(table)


def _whom(table: BlackjackRound) -> Question:
    event = table.events[-1]
    seats = seat_choices(range(1, table.game.seats + 1))
    choices = (*seats, Choice(UP, "Dealer, face up", "u"), Choice(DOWN, "Dealer, face down", "d"))
    right = str(event.position) if event.position != DEALER else UP if event.cards else DOWN
    second = event.position != DEALER and len(table.seats[event.position or 0].dealt) > 1
    paragraph = "3.5" if right == DOWN else "3.4" if second else "3.3"
    return Question(Kind.WHOM, "Who gets the next card?", (right,), paragraph, choices)


def _check(before: BlackjackRound, table: BlackjackRound) -> Question:
    assert before.hole is not None
    cards = (*before.dealer, before.hole)
    right, paragraph = ("yes", "5.2") if table.dealer_blackjack else ("no", "5.3")
    facts = f"{format_cards(cards)}: {describe_cards(cards)}."
    return Question(
        Kind.CHECK,
        "You look at the hole card. What is it?",
        (right,),
        paragraph,
        BLACKJACK,
        facts=facts,
        seen=cards,
    )


def _turn(table: BlackjackRound) -> Iterator[Question]:
    """Asked where the turn comes to another seat."""
    event = table.events[-1]
    last = next((event.position for event in reversed(table.events[:-1]) if event.kind in DECISIONS), None)
    if event.position == last or len(table.seats) < 2:
        return
    ask = "Which seat decides first?" if last is None else "Which seat decides next?"
    yield Question(Kind.TURN, ask, (str(event.position),), "6.1", seat_choices(table.seats))


def _hand(before: BlackjackRound, table: BlackjackRound) -> Question:
    assert before.turn is not None
    seat, place = before.turn
    hands = table.seats[seat].hands
    hand = hands[place]
    right = {None: AGAIN, Ending.BUST: BUST}.get(hand.ending, ENDS)
    rules = table.rules
    if hand.ending in BY_CARDS and (rules.hole_card or not table.blackjack_possible):
        right = WINS
    choices = (*HANDS, WON) if rules.charlie or rules.bonus_21 else HANDS
    name = f"Seat {seat}" if len(hands) < 2 else f"Seat {seat}, hand {place + 1}"
    drawn, facts = table.events[-1].cards, f"{format_cards(hand.cards)}: {describe_cards(hand.cards)}."
    ask = f"{name} {'doubles' if hand.doubled else 'hits'} and receives {format_cards(drawn)}. What now?"
    return Question(Kind.HAND, ask, (right,), _ending(hand), choices, seat=seat, facts=facts, after=True)


def _ending(hand: PlayerHand) -> str:
    if hand.ending is Ending.BUST:
        return "6.21"
    if hand.ending in BY_CARDS:
        return "6.27" if hand.ending is Ending.BONUS_21 else "6.23"
    if hand.ending is None:
        return "6.25" if hand.doubled else "6.6"
    return "6.7" if hand.doubled else "6.20"


def _draw(table: BlackjackRound) -> Question:
    total, soft = table.dealer_count
    draws = table.is_played_out and table.rules.dealer_draws(total, soft=soft)
    right = DRAW if draws else BUST if total > 21 else STAND
    paragraph = "2.5" if right == BUST else "7.3" if soft and total == 17 else "7.2"
    facts = f"{format_cards(table.dealer)}: {describe_cards(table.dealer)}."
    return Question(Kind.DRAW, "What does the dealer do?", (right,), paragraph, DEALERS, facts=facts, after=True)
