"""One round of blackjack: the seats with their hands, the dealer's cards, and whose turn it is.

The round is an immutable history as in every game. `shoe` is None where people enter the cards that were really dealt;
then `owed` says who gets the next one. The acts are in `acts`, what follows from them in `dealing` and `settling`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from croupier.cards.card import Card, Hand
from croupier.cards.shoe import Shoe
from croupier.cards.shuffle import Seed, Source
from croupier.errors import Refusal
from croupier.games.blackjack.game import CHECKED, BlackjackGame, BlackjackOffering
from croupier.games.blackjack.hand import AFTER_CHECK, BET, BlackjackSeat, PlayerHand, describe, describe_dealer
from croupier.games.blackjack.rules import ACE, TEN, Count, Rules, count, cut_place, needs_shuffle
from croupier.games.blackjack.side_wagers import BET_THE_BUST, INSURANCE, value
from croupier.games.game import Handled
from croupier.games.rulebook import rule
from croupier.games.table.history import DEALER, Act, Event, History
from croupier.games.table.questions import OpenWager, Question
from croupier.games.table.settlement import Settlement
from croupier.games.table.shown import DEALER as DEALERS
from croupier.games.table.shown import SEAT, Legal, Off, Seen, Shown
from croupier.games.wager import Fact


class Phase(StrEnum):
    BETTING = "betting"
    DEALING = "dealing"
    SURRENDERING = "early surrender"
    INSURANCE = "insurance"
    CHECKING = "checking for a blackjack"
    CAPPING = "proceeds on the Bet"
    SWITCHING = "second cards"
    BUST_WAGERS = "bust wagers"
    PLAYING = "playing"
    DEALER = "the dealer's hand"
    SETTLING = "settling"
    OVER = "over"
    VOID = "void"


class Owed(NamedTuple):
    """Who gets the next card."""

    position: int
    hand: int = 0
    """Which hand of the seat, counted from 0."""
    face_down: bool = False


class Turn(NamedTuple):
    """Who decides: hands are counted from 0."""

    seat: int
    hand: int


@dataclass(frozen=True, eq=False, kw_only=True)
class BlackjackRound(History):
    """A round of blackjack so far."""

    offering: BlackjackOffering
    phase: Phase = Phase.BETTING
    seats: Mapping[int, BlackjackSeat] = field(default_factory=dict)
    dealer: Hand = ()
    """The dealer's cards that lie face up, the up card first."""
    hole: Card | None = field(default=None, repr=False)  # a log must not give it away
    """The card that lies face down, from a shoe. Beside real cards nobody knows it before it is turned up."""
    dealer_blackjack: bool | None = None
    """Whether the dealer has a blackjack; None while that is not known."""
    burned: Hand = field(default=(), repr=False)
    """The burn card of a fresh shoe; like the hole card it is not for the players."""
    owed: tuple[Owed, ...] = ()
    """Who gets the next cards; with a shoe they are served at once."""
    asked: tuple[int, ...] = ()
    """Seats that still have to say whether they insure, or make a Bet the Bust wager."""

    @property
    def game(self) -> BlackjackGame:
        return self.offering.game

    @property
    def rules(self) -> Rules:
        return self.offering.game.rules

    def empty_seat(self, player: str) -> BlackjackSeat:
        return BlackjackSeat(player, {})

    @property
    def up_card(self) -> Card:
        return self.dealer[0]

    @property
    def dealer_count(self) -> Count:
        return count(map(value, self.dealer))

    @property
    @rule("blackjack 5.1", "blackjack 5.4")
    def blackjack_possible(self) -> bool:
        """Whether the up card may be half of a blackjack."""
        return value(self.up_card) in (ACE, TEN)

    @property
    def lent_cents(self) -> int:
        """The free chips that the house has laid on hands in this round; all of them go back to it."""
        return sum(hand.free_cents for seat in self.seats.values() for hand in seat.hands)

    def hands_left(self) -> Iterator[PlayerHand]:
        """The hands that the dealer plays against."""
        return (hand for seat in self.seats.values() for hand in seat.left())

    @property
    @rule("blackjack 7.5", "free-bet-blackjack 21.4")
    def is_played_out(self) -> bool:
        """Whether the dealer's hand is played to its end: a hand is left, or a wager lies on how it ends."""
        sides = (self.game.side_wager(spot) for seat in self.seats.values() for spot in seat.open_sides)
        return any(self.hands_left()) or any(wager.on.fact is Fact.DEALER_HAND for wager in sides)

    @property
    @rule("blackjack 7.5", "blackjack 10.11")
    def dealer_total(self) -> int | None:
        """The dealer's final total, or None where nobody is left to play against."""
        return self.dealer_count.total if any(self.hands_left()) else None

    @property
    @rule("blackjack 6.1", "blackjack 6.2")
    def turn(self) -> Turn | None:
        """Whose decision the table waits for."""
        if self.phase is not Phase.PLAYING or self.owed:
            return None
        return next_in_play(self)

    @property
    def what_is_next(self) -> str:
        if self.is_over:
            return f"the round is {self.phase.value}"
        if self.owed:
            return f"the next card goes to {_place(self, self.owed[0])}"
        match self.phase:
            case Phase.SURRENDERING:
                return f"the table waits whether seat {', '.join(map(str, self.asked))} surrenders early"
            case Phase.INSURANCE:
                return f"the table waits for the insurance of seat {', '.join(map(str, self.asked))}"
            case Phase.CHECKING:
                return "the dealer checks for a blackjack"
            case Phase.CAPPING:
                return f"the table waits whether seat {', '.join(map(str, self.asked))} puts proceeds on the Bet"
            case Phase.SWITCHING:
                return f"the table waits whether seat {', '.join(map(str, self.asked))} switches"
            case Phase.BUST_WAGERS:
                return f"the table waits for the Bet the Bust of seat {', '.join(map(str, self.asked))}"
            case Phase.PLAYING:
                assert self.turn is not None
                return f"{hand_name(self, *self.turn)} decides"
            case Phase.DEALER:
                return "the dealer's second card is to be turned up"
        return f"the round is at {self.phase.value}"

    def cards_out(self) -> Iterator[Card]:
        """Every card that is known to have left the shoe in this round."""
        yield from self.burned
        for seat in self.seats.values():
            yield from seat.dealt
        yield from self.dealer
        if self.hole:
            yield self.hole

    # What is asked of every round; which acts there are is known a layer above the round itself.

    @property
    def known_acts(self) -> Mapping[str, type[Act[Any]]]:
        from croupier.games.blackjack import acts

        return acts.ACTS

    @property
    def no_more_bets(self) -> Act[Any]:
        from croupier.games.blackjack import acts

        return acts.NoMoreBets()

    def in_play(self) -> Iterator[Legal]:
        from croupier.games.blackjack import acts

        return acts.in_play(self)

    def off(self) -> Iterator[Off]:
        from croupier.games.blackjack import acts

        return acts.off(self)

    @property
    def next_by_dealer(self) -> Act[Any] | None:
        from croupier.games.blackjack import acts

        return acts.dealers_act(self)

    def to_write(self) -> list[str]:
        from croupier.games.blackjack import acts

        return acts.to_write(self)

    def story(self, act: Act[Any], after: BlackjackRound) -> Iterator[str]:
        from croupier.games.blackjack import acts

        return acts.story(self, act, after)

    @property
    def part(self) -> str:
        from croupier.games.blackjack import questions

        return questions.part(self)

    def questions(self, before: BlackjackRound) -> Iterator[Question]:
        from croupier.games.blackjack import questions

        return questions.questions(self, before)

    def handled(self, before: BlackjackRound) -> Iterator[Handled]:
        from croupier.games.blackjack import questions

        yield from super().handled(before)
        yield from questions.handled(self, before)

    def felts(self) -> list[Any]:
        from croupier.games.blackjack import questions

        return questions.felts(self)

    def open_wagers(self) -> list[OpenWager]:
        from croupier.games.blackjack import questions

        return [open_wager for number, seat in self.seats.items() for open_wager in questions.open_wagers(number, seat)]

    def turn_paragraph(self, wager: OpenWager, part: str, *, new_seat: bool) -> str:
        """After the check a seat's blackjack has a paragraph of its own."""
        by_itself = part == CHECKED and wager.spot == BET.key
        return AFTER_CHECK if by_itself else super().turn_paragraph(wager, part, new_seat=new_seat)

    def facts(self, settled: Settlement, wager: OpenWager) -> str:
        from croupier.games.blackjack import questions

        return questions.facts(self, settled, wager)

    @property
    def waits_for(self) -> tuple[int, ...]:
        return (self.turn.seat,) if self.turn else self.asked

    @property
    def asks(self) -> str:
        if self.phase is Phase.CAPPING and self.asked:
            return "Proceeds on the Bet"
        if self.phase is Phase.SWITCHING and self.asked:
            return "Switch"
        if self.phase is Phase.SURRENDERING and self.asked:
            return "Early surrender"
        offered = {Phase.INSURANCE: INSURANCE, Phase.BUST_WAGERS: BET_THE_BUST}.get(self.phase)
        return offered.title if offered and self.asked else ""

    @property
    def cut_place(self) -> int | None:
        return cut_place(self.rules)

    def shoe_after(self, chance: Source | Seed) -> Shoe:
        """The same one, while it holds enough for every seat of the table."""
        return next_shoe(self, chance, seats=self.offering.open_seats)

    @property
    def turn_hand(self) -> int | None:
        return self.turn.hand + 1 if self.turn else None

    @property
    def dealers_hand(self) -> Shown:
        words = describe_dealer(self.dealer, pushes_22=self.rules.push_22) if self.dealer else ""
        hidden = () if self.hole is None else (self.hole,)
        return Shown(self.dealer, words, len(hidden), hidden=hidden)

    def hands(self, seat: int) -> tuple[Shown, ...]:
        return tuple(Shown(hand.cards, describe(hand), more=hand.facts) for hand in self.seats[seat].hands)

    def seen(self, seat: int) -> Seen:
        """Of the hand whose turn it is, or the first."""
        hands = self.seats[seat].hands
        place = self.turn.hand if self.turn and self.turn.seat == seat else 0
        return Seen({SEAT: hands[place].cards if hands else (), DEALERS: self.dealer})


def next_in_play(round_: BlackjackRound) -> Turn | None:
    """The first hand that has not ended, from seat 1 on."""
    for number, seat in round_.seats.items():
        for place, hand in enumerate(seat.hands):
            if hand.ending is None:
                return Turn(number, place)
    return None


def hand_name(round_: BlackjackRound, seat: int, hand: int) -> str:
    """`seat 2`, or `hand 3 of seat 2` where it has several."""
    return hand_of(round_.seats[seat], seat, hand)


def hand_of(seat: BlackjackSeat, number: int, hand: int) -> str:
    """The same for a seat that is about to change."""
    return f"seat {number}" if len(seat.hands) < 2 else f"hand {hand + 1} of seat {number}"


def _place(round_: BlackjackRound, owed: Owed) -> str:
    return "the dealer" if owed.position == DEALER else hand_name(round_, owed.position, owed.hand)


class TableAct(Act[BlackjackRound]):
    """An act for which no card may be owed to anybody."""

    def in_turn(self, round_: BlackjackRound) -> bool:
        return super().in_turn(round_) and not round_.owed


# From one round to the next


@rule("blackjack 3.10", "blackjack 3.13", "blackjack 13.3")
def next_shoe(round_: BlackjackRound, chance: Source | Seed, *, seats: int | None = None) -> Shoe:
    """The shoe for the next round: the same one, or a fresh one after a void round or where it is time to shuffle.

    The next round has so many seats, or as many as this one.
    """
    assert round_.shoe is not None, "beside real cards the table has its own shoe"
    seats = len(round_.seats) if seats is None else seats
    if round_.phase is Phase.VOID or needs_shuffle(round_.rules, dealt=round_.shoe.dealt, seats=seats):
        return Shoe.fresh(round_.rules.decks, chance)
    return round_.shoe


@rule("blackjack 1.1")
def open_round(offering: BlackjackOffering, shoe: Shoe | None = None) -> BlackjackRound:
    """A new round: from a shoe as it is, perhaps from an earlier round, or without one where real cards are entered."""
    decks = offering.rules.decks
    if shoe and shoe.decks != decks:
        raise Refusal("wrong-shoe", f"These rules are for {decks} decks, and the shoe has {shoe.decks}.")
    if shoe and needs_shuffle(offering.rules, dealt=shoe.dealt, seats=1):
        why = "The cut card has come" if shoe.dealt >= cut_place(offering.rules) else "Too few cards are left"
        raise Refusal("shuffle-due", f"{why} after {shoe.dealt} cards: shuffle before the next round.")
    opened = Event("open", f"{offering.game.title} is open for wagers: {offering.game.short_placard}.")
    return BlackjackRound(offering=offering, shoe=shoe, opening_shoe=shoe, events=(opened,))
