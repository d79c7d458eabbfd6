"""The dealer's questions in blackjack."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.cards.card import format_cards
from croupier.games.blackjack.hand import Ending, PlayerHand, describe_cards
from croupier.games.blackjack.round import BlackjackRound, Phase
from croupier.games.table.history import DEALER, History
from croupier.training.step import Choice, Kind, Step, Typed, seat_choices

DECISIONS = ("hit", "stand", "double", "split", "surrender")
DRAWS = ("hit", "double")
UP, DOWN = "up", "down"
AGAIN, ENDS, BUST = "again", "ends", "bust"
HANDS = (
    Choice(AGAIN, "The player decides again", "a"),
    Choice(ENDS, "The hand ends and stays", "e"),
    Choice(BUST, "Bust: take wager and cards now", "b"),
)
DRAW, STAND = "draw", "stand"
DEALERS = (Choice(DRAW, "Draw", "d"), Choice(STAND, "Stand", "s"), Choice(BUST, "Bust", "b"))
BLACKJACK = (Choice("yes", "A blackjack: turn it up", "y"), Choice("no", "No blackjack: play goes on", "n"))


def ask_event(seen: list[History], at: int, _: History) -> Iterator[Step]:
    """What is asked before event number `at` is told, beside what every game asks; of a drawn card, after it."""
    before, table = seen[at - 1], seen[at]
    assert isinstance(before, BlackjackRound)
    assert isinstance(table, BlackjackRound)
    event = table.events[-1]
    if event.kind == "deal" and table.phase is Phase.DEALING:
        yield _whom(table, at)
    elif event.kind == "insure":
        ask = f"Seat {event.position} insures for the most that it may. How much is that?"
        yield Step(Kind.INSURE, at, ask, (str(event.cents),), "4.2", typed=Typed.MONEY, seat=event.position)
    elif table.phase is Phase.CHECKING and event.kind in ("check", "deal"):
        yield _check(before, table, at)
    elif event.kind in DECISIONS:
        yield from _turn(seen, at)
    elif event.kind == "deal" and table.phase is Phase.PLAYING and before.events[-1].kind in DRAWS:
        yield _hand(before, table, at + 1)
    elif event.kind == "deal" and table.phase is Phase.DEALER:
        following = seen[at + 1].events[-1]
        yield _draw(table, at + 1, draws=following.kind == "deal")


def _whom(table: BlackjackRound, at: int) -> Step:
    event = table.events[-1]
    seats = seat_choices(range(1, table.game.seats + 1))
    choices = (*seats, Choice(UP, "Dealer, face up", "u"), Choice(DOWN, "Dealer, face down", "d"))
    right = str(event.position) if event.position != DEALER else UP if event.cards else DOWN
    second = event.position != DEALER and len(table.seats[event.position or 0].dealt) > 1
    paragraph = "3.5" if right == DOWN else "3.4" if second else "3.3"
    return Step(Kind.WHOM, at, "Who gets the next card?", (right,), paragraph, choices)


def _check(before: BlackjackRound, table: BlackjackRound, at: int) -> Step:
    assert before.hole is not None
    cards = (*before.dealer, before.hole)
    right, paragraph = ("yes", "5.2") if table.dealer_blackjack else ("no", "5.3")
    facts = f"{format_cards(cards)}: {describe_cards(cards)}."
    return Step(
        Kind.CHECK,
        at,
        "You look at the hole card. What is it?",
        (right,),
        paragraph,
        BLACKJACK,
        facts=facts,
        seen=cards,
    )


def _turn(seen: list[History], at: int) -> Iterator[Step]:
    """Asked where the turn comes to another seat."""
    table, event = seen[at], seen[at].events[-1]
    last = next((each.position for each in reversed(table.events[:-1]) if each.kind in DECISIONS), None)
    if event.position == last or len(table.seats) < 2:
        return
    ask = "Which seat decides first?" if last is None else "Which seat decides next?"
    yield Step(Kind.TURN, at, ask, (str(event.position),), "6.1", seat_choices(table.seats))


def _hand(before: BlackjackRound, table: BlackjackRound, at: int) -> Step:
    assert before.turn is not None
    seat, place = before.turn
    hands = table.seats[seat].hands
    hand = hands[place]
    right = {None: AGAIN, Ending.BUST: BUST}.get(hand.ending, ENDS)
    name = f"Seat {seat}" if len(hands) < 2 else f"Seat {seat}, hand {place + 1}"
    drawn, facts = table.events[-1].cards, f"{format_cards(hand.cards)}: {describe_cards(hand.cards)}."
    ask = f"{name} {'doubles' if hand.doubled else 'hits'} and receives {format_cards(drawn)}. What now?"
    return Step(Kind.HAND, at, ask, (right,), _ending(hand), HANDS, seat=seat, facts=facts)


def _ending(hand: PlayerHand) -> str:
    if hand.ending is Ending.BUST:
        return "6.21"
    return "6.6" if hand.ending is None else "6.7" if hand.doubled else "6.20"


def _draw(table: BlackjackRound, at: int, *, draws: bool) -> Step:
    total, soft = table.dealer_count
    right = DRAW if draws else BUST if total > 21 else STAND
    paragraph = "2.5" if right == BUST else "7.3" if soft and total == 17 else "7.2"
    facts = f"{format_cards(table.dealer)}: {describe_cards(table.dealer)}."
    return Step(Kind.DRAW, at, "What does the dealer do?", (right,), paragraph, DEALERS, facts=facts)
