"""What people do at a blackjack table, each act with the reasons that forbid it and a text form.

    bet 1 bet 500; bet 1 kings-bounty 500; take-back 1 kings-bounty; no-more-bets
    insure 1 250; even-money 2; no-insurance        (of one seat, or of all that have not answered)
    bust-bet 1 500; no-bust-bet 2
    hit 1; stand 1; double 1; split 1; surrender 1  (with the number of the hand, if you like: hit 1 2)
    reveal; settle; void a card was exposed
    deal Qh 6c; peek no                             (only beside real cards)

A double or a split always adds exactly the hand's wager: doubling for less is not offered.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Self, TypeAlias

from croupier.cards.card import Hand, check_copies, parse_cards
from croupier.cards.shoe import MOST_DECKS
from croupier.errors import NotationError, Refusal
from croupier.games import history
from croupier.games.betting import Bet, TakeBack, Void, open_spots, spot_title, void_round
from croupier.games.blackjack.dealing import (
    burn,
    checked,
    enter,
    go_on,
    initial_cards,
    may_take_even_money,
    most_insurance_cents,
    put_hand,
    turn_up,
)
from croupier.games.blackjack.hand import BET, Ending, PlayerHand
from croupier.games.blackjack.round import BlackjackRound, Owed, Phase, Turn, hand_name
from croupier.games.blackjack.rules import ACE
from croupier.games.blackjack.settling import settle_all, settle_ended
from croupier.games.blackjack.side_wagers import BET_THE_BUST, INSURANCE
from croupier.games.history import Event, by_name, whole_number
from croupier.games.money import dollars
from croupier.games.rulebook import rule

Act: TypeAlias = history.Act[BlackjackRound]

__all__ = [
    "ACTS",
    "Act",
    "Bet",
    "BustBet",
    "Deal",
    "Double",
    "EvenMoney",
    "Hit",
    "Insure",
    "NoBustBet",
    "NoInsurance",
    "NoMoreBets",
    "Peek",
    "Reveal",
    "Settle",
    "Split",
    "Stand",
    "Surrender",
    "TakeBack",
    "Void",
    "decisions",
    "parse_act",
]

rule("blackjack 13.3")(void_round)


class _TableAct(history.Act[BlackjackRound]):
    """An act for which no card may be owed to anybody."""

    def in_turn(self, round_: BlackjackRound) -> bool:
        return super().in_turn(round_) and not round_.owed


@dataclass(frozen=True)
class NoMoreBets(_TableAct):
    """The dealer closes betting and deals: every seat must have a Bet."""

    name: ClassVar = "no-more-bets"
    phases: ClassVar = (Phase.BETTING,)

    @rule("blackjack 1.4")
    def check(self, round_: BlackjackRound) -> None:
        if not round_.seats:
            raise Refusal("no-wagers", "There is no wager on the table.")
        for number, seat in round_.seats.items():
            if BET.key not in seat.wagers:
                raise Refusal("mandatory-wager", f"Seat {number} has no Bet, without which there is no other wager.")
        if round_.shoe:
            needed = len(initial_cards(round_)) + (not round_.shoe.dealt)
            if round_.shoe.remaining < needed:
                raise Refusal(
                    "shoe-too-short",
                    f"The shoe has {round_.shoe.remaining} cards left, and the deal takes {needed}: shuffle first.",
                )

    @rule("blackjack 1.12", "blackjack 1.13")
    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        text = "No more bets."
        for key in open_spots(round_)[1:]:
            without = [str(number) for number, seat in round_.seats.items() if key not in seat.wagers]
            if without:
                text += (
                    f" No {spot_title(round_, key)}: position{'s' if len(without) > 1 else ''} {', '.join(without)}."
                )
        round_ = burn(round_.with_event(Event("no-more-bets", text), phase=Phase.DEALING))
        return go_on(round_.changed(owed=initial_cards(round_)))


# Beside real cards


@dataclass(frozen=True)
class Deal(history.Act[BlackjackRound]):
    """A person enters the next cards that were dealt, in the order they went out."""

    name: ClassVar = "deal"
    cards: Hand

    def in_turn(self, round_: BlackjackRound) -> bool:
        return not round_.is_over and (bool(round_.owed) or round_.shoe is not None)

    def check(self, round_: BlackjackRound) -> None:
        if round_.shoe:
            raise Refusal("shoe-deals", "This table deals from its shoe; no cards are entered.")
        if not self.cards:
            raise Refusal("enter-cards", f"Enter the cards that were dealt: {round_.what_is_next}.")
        try:
            check_copies((*round_.cards_out(), *self.cards), decks=round_.rules.decks)
        except NotationError as error:
            raise Refusal("repeated-card", str(error)) from None
        enter(round_, self.cards)

    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        return enter(round_, self.cards)

    def words(self) -> list[str]:
        return [str(card) for card in self.cards]

    @classmethod
    def from_words(cls, words: list[str]) -> Self:
        return cls(parse_cards(" ".join(words), decks=MOST_DECKS))


@dataclass(frozen=True)
class Peek(_TableAct):
    """The dealer says whether the hole card makes a blackjack."""

    name: ClassVar = "peek"
    phases: ClassVar = (Phase.CHECKING,)
    blackjack: bool

    @rule("blackjack 5.1")
    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        return go_on(checked(round_, dealer_blackjack=self.blackjack))

    def words(self) -> list[str]:
        return ["yes" if self.blackjack else "no"]

    @classmethod
    def from_words(cls, words: list[str]) -> Self:
        if words not in (["yes"], ["no"]):
            raise NotationError(f"'peek {' '.join(words)}' must be 'peek yes' or 'peek no'.")
        return cls(words == ["yes"])


# Insurance and Bet the Bust


def _check_asked(round_: BlackjackRound, seat: int) -> None:
    if type(seat) is not int or seat not in round_.seats:
        raise Refusal("no-such-seat", f"Seat {seat} is not in play: seats {', '.join(map(str, round_.seats))} are.")
    if seat not in round_.asked:
        raise Refusal("not-asked", f"Seat {seat} has answered already, or has nothing to answer.")


@dataclass(frozen=True)
class _Answer(_TableAct):
    """One seat's answer to what all seats are asked."""

    seat: int

    def check(self, round_: BlackjackRound) -> None:
        _check_asked(round_, self.seat)

    def words(self) -> list[str]:
        return [str(self.seat)]

    @classmethod
    def from_words(cls, words: list[str]) -> Self:
        if len(words) != 1:
            raise NotationError(f"'{cls.name} {' '.join(words)}' must be '{cls.name} SEAT'.")
        return cls(whole_number(words[0]))


def _answered(round_: BlackjackRound, event: Event, *seats: int, **changes: object) -> BlackjackRound:
    asked = tuple(number for number in round_.asked if number not in seats)
    return round_.with_event(event, asked=asked, **changes)


@dataclass(frozen=True)
class Insure(_Answer):
    """A seat insures against the dealer's blackjack, by default for half of its Bet."""

    name: ClassVar = "insure"
    phases: ClassVar = (Phase.INSURANCE,)
    cents: int | None = None

    @rule("blackjack 1.10", "blackjack 4.2")
    def check(self, round_: BlackjackRound) -> None:
        super().check(round_)
        most, chip = most_insurance_cents(round_, self.seat), round_.offering.rounding.chip_cents
        if most == 0:
            raise Refusal("bet-too-small", f"Half of the Bet at seat {self.seat} is less than a chip.")
        cents = most if self.cents is None else self.cents
        if type(cents) is not int or cents <= 0 or cents % chip:
            raise Refusal(
                "not-whole-chips",
                f"An insurance of {cents} cents is not a whole number of chips of {dollars(chip)}.",
            )
        if cents > most:
            raise Refusal("above-half", f"{dollars(cents)} is more than half of the Bet, {dollars(most)}.")

    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        seat = round_.seats[self.seat]
        cents = most_insurance_cents(round_, self.seat) if self.cents is None else self.cents
        seats = round_.with_seat(self.seat, replace(seat, wagers={**seat.wagers, INSURANCE.key: cents}))
        event = Event("insure", f"Seat {self.seat} insures for {dollars(cents)}.", self.seat, cents=cents)
        return go_on(_answered(round_, event, self.seat, seats=seats))

    def words(self) -> list[str]:
        return [str(self.seat), *([] if self.cents is None else [str(self.cents)])]

    @classmethod
    def from_words(cls, words: list[str]) -> Self:
        if len(words) not in (1, 2):
            raise NotationError(f"'insure {' '.join(words)}' must be 'insure SEAT' or 'insure SEAT CENTS'.")
        return cls(*map(whole_number, words))


@dataclass(frozen=True)
class EvenMoney(_Answer):
    """A seat with a blackjack takes 1 to 1 at once, whatever the dealer has."""

    name: ClassVar = "even-money"
    phases: ClassVar = (Phase.INSURANCE,)

    @rule("blackjack 4.6", "blackjack 4.7")
    def check(self, round_: BlackjackRound) -> None:
        super().check(round_)
        if not may_take_even_money(round_, self.seat):
            raise Refusal(
                "no-even-money",
                f"There is no even money for seat {self.seat}: it is for a blackjack where it pays 3 to 2.",
            )

    @rule("blackjack 4.6")
    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        hand = replace(round_.seats[self.seat].hands[0], ending=Ending.EVEN_MONEY)
        event = Event("even-money", f"Seat {self.seat} takes even money.", self.seat)
        return go_on(settle_ended(_answered(put_hand(round_, self.seat, 0, hand), event, self.seat), self.seat, 0))


@dataclass(frozen=True)
class _Decline(_Answer):
    """One seat, or all that have not answered, go without; seat 0 stands for all."""

    what: ClassVar[str]
    seat: int = 0

    def check(self, round_: BlackjackRound) -> None:
        if self.seat:
            super().check(round_)

    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        seats = (self.seat,) if self.seat else round_.asked
        text = f"No {self.what} for seat {', '.join(map(str, seats))}."
        return go_on(_answered(round_, Event(self.name, text, self.seat or None), *seats))

    def words(self) -> list[str]:
        return [str(self.seat)] if self.seat else []

    @classmethod
    def from_words(cls, words: list[str]) -> Self:
        if len(words) > 1 or words == ["0"]:
            raise NotationError(f"'{cls.name} {' '.join(words)}' must be '{cls.name}' or '{cls.name} SEAT'.")
        return cls(*map(whole_number, words))


@dataclass(frozen=True)
class NoInsurance(_Decline):
    """A seat does not insure; without a seat, insurance is closed for all that have not answered."""

    name: ClassVar = "no-insurance"
    phases: ClassVar = (Phase.INSURANCE,)
    what: ClassVar = "insurance"


@dataclass(frozen=True)
class BustBet(Bet):
    """A seat bets that the dealer busts; the dealer has no blackjack, and nobody has decided yet."""

    name: ClassVar = "bust-bet"
    phases: ClassVar = (Phase.BUST_WAGERS,)
    seat: int
    spot: str = field(default=BET_THE_BUST.key, init=False)
    cents: int
    player: str = field(default="", init=False)

    @rule("blackjack 10.2", "blackjack 10.5")
    def _check_place(self, round_: history.History) -> None:
        assert isinstance(round_, BlackjackRound)
        _check_asked(round_, self.seat)

    def apply(self, round_: history.History) -> BlackjackRound:
        after = super().apply(round_)
        assert isinstance(after, BlackjackRound)
        return go_on(after.changed(asked=tuple(number for number in after.asked if number != self.seat)))

    def words(self) -> list[str]:
        return [str(self.seat), str(self.cents)]

    @classmethod
    def from_words(cls, words: list[str]) -> Self:
        if len(words) != 2:
            raise NotationError(f"'bust-bet {' '.join(words)}' must be 'bust-bet SEAT CENTS'.")
        return cls(*map(whole_number, words))


@dataclass(frozen=True)
class NoBustBet(_Decline):
    """A seat does not bet on a bust; without a seat, the wager is closed for all that have not answered."""

    name: ClassVar = "no-bust-bet"
    phases: ClassVar = (Phase.BUST_WAGERS,)
    what: ClassVar = "Bet the Bust"


# Decisions


@dataclass(frozen=True)
class _Decision(_TableAct):
    """What a player does with the hand whose turn it is."""

    phases: ClassVar = (Phase.PLAYING,)
    seat: int
    hand: int = 0
    """Which hand, from 1; 0 for the one whose turn it is."""

    def in_turn(self, round_: BlackjackRound) -> bool:
        turn = round_.turn if super().in_turn(round_) else None
        whole = type(self.seat) is int and type(self.hand) is int
        return turn is not None and whole and self.seat == turn.seat and self.hand in (0, turn.hand + 1)

    def turn(self, round_: BlackjackRound) -> tuple[Turn, PlayerHand]:
        assert round_.turn is not None
        return round_.turn, round_.seats[round_.turn.seat].hands[round_.turn.hand]

    def say(self, round_: BlackjackRound, words: str, cents: int | None = None) -> BlackjackRound:
        turn, _ = self.turn(round_)
        text = f"{hand_name(round_, *turn).capitalize()} {words}."
        return round_.with_event(Event(self.name, text, self.seat, cents=cents))

    def words(self) -> list[str]:
        return [str(self.seat), *([str(self.hand)] if self.hand else [])]

    @classmethod
    def from_words(cls, words: list[str]) -> Self:
        if len(words) not in (1, 2) or words[1:] == ["0"]:
            raise NotationError(f"'{cls.name} {' '.join(words)}' must be '{cls.name} SEAT' or '{cls.name} SEAT HAND'.")
        return cls(*map(whole_number, words))


@dataclass(frozen=True)
class Stand(_Decision):
    """The hand takes no more cards."""

    name: ClassVar = "stand"

    @rule("blackjack 6.4", "blackjack 6.5")
    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        turn, hand = self.turn(round_)
        return go_on(put_hand(self.say(round_, f"stands on {hand.total}"), *turn, replace(hand, ending=Ending.STANDS)))


@dataclass(frozen=True)
class Hit(_Decision):
    """The hand takes one card."""

    name: ClassVar = "hit"

    @rule("blackjack 6.4", "blackjack 6.14")
    def check(self, round_: BlackjackRound) -> None:
        _, hand = self.turn(round_)
        if hand.one_card_only(round_.rules):
            raise Refusal("one-card-only", "Split aces receive one card each: split again or stand.")

    @rule("blackjack 6.6")
    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        turn, _ = self.turn(round_)
        return go_on(self.say(round_, "hits").changed(owed=(Owed(*turn),)))


@dataclass(frozen=True)
class Double(_Decision):
    """The hand's wager is doubled, and it takes one last card."""

    name: ClassVar = "double"

    @rule("blackjack 6.7", "blackjack 6.8", "blackjack 6.9", "blackjack 6.14")
    def check(self, round_: BlackjackRound) -> None:
        rules, (_, hand) = round_.rules, self.turn(round_)
        if len(hand.cards) != 2:
            raise Refusal("not-two-cards", f"Only two cards may be doubled, and this hand has {len(hand.cards)}.")
        if hand.one_card_only(rules):
            raise Refusal("one-card-only", "Split aces receive one card each: split again or stand.")
        if hand.from_split and not rules.double_after_split:
            raise Refusal("no-double-after-split", "A hand from a split may not be doubled here (NDAS).")
        if not rules.may_double(hand.total, soft=hand.count.soft, after_split=hand.from_split):
            raise Refusal(
                "no-double-on-this",
                f"Only a hard {rules.double_on.least} to 11 may be doubled here ({rules.double_on.value}), not "
                f"{'a soft' if hand.count.soft else 'a hard'} {hand.total}.",
            )

    @rule("blackjack 1.10", "blackjack 6.7")
    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        turn, hand = self.turn(round_)
        round_ = self.say(round_, f"doubles for {dollars(hand.cents)}", hand.cents)
        doubled = replace(hand, cents=2 * hand.cents, doubled=True)
        return go_on(put_hand(round_, *turn, doubled, added_cents=hand.cents).changed(owed=(Owed(*turn),)))


@dataclass(frozen=True)
class Split(_Decision):
    """Two cards of one value become two hands, each with the wager of the first."""

    name: ClassVar = "split"

    @rule("blackjack 2.8", "blackjack 6.11", "blackjack 6.12", "blackjack 6.15")
    def check(self, round_: BlackjackRound) -> None:
        rules, (turn, hand) = round_.rules, self.turn(round_)
        hands = len(round_.seats[turn.seat].hands)
        if len(hand.cards) != 2:
            raise Refusal("not-two-cards", f"Only two cards may be split, and this hand has {len(hand.cards)}.")
        if hand.pair_value is None:
            first, second = hand.cards
            raise Refusal("not-a-pair", f"{first} and {second} do not count the same and cannot be split.")
        if not hand.may_split(rules, hands=hands):
            what, most = "Aces" if hand.pair_value == ACE else "A pair", rules.hands_from(hand.pair_value)
            raise Refusal(
                "most-hands",
                f"{what} may become at most {most} hand{'s' if most > 1 else ''} here, and the seat has {hands}.",
            )

    @rule("blackjack 1.10", "blackjack 6.10", "blackjack 6.13")
    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        turn, hand = self.turn(round_)
        round_ = self.say(round_, f"splits for {dollars(hand.cents)}", hand.cents)
        two = (replace(hand, cards=(card,), from_split=True) for card in hand.cards)
        return go_on(put_hand(round_, *turn, *two, added_cents=hand.cents))


@dataclass(frozen=True)
class Surrender(_Decision):
    """The seat gives up half of its Bet on the first two cards."""

    name: ClassVar = "surrender"

    @rule("blackjack 6.17", "blackjack 6.18", "blackjack 15.8")
    def check(self, round_: BlackjackRound) -> None:
        _, hand = self.turn(round_)
        if not round_.rules.late_surrender:
            raise Refusal("no-surrender", "There is no surrender at this table (NS).")
        if hand.from_split:
            raise Refusal("surrender-too-late", "A hand from a split may not be surrendered.")
        if len(hand.cards) != 2:
            raise Refusal("surrender-too-late", "Only the first two cards may be surrendered, before anything else.")

    @rule("blackjack 6.19")
    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        turn, hand = self.turn(round_)
        round_ = put_hand(self.say(round_, "surrenders"), *turn, replace(hand, ending=Ending.SURRENDERED))
        return go_on(settle_ended(round_, *turn))


@rule("blackjack 6.3", "blackjack 6.4", "blackjack 13.4")
def decisions(round_: BlackjackRound) -> tuple[_Decision, ...]:
    """What the player whose turn it is may do; nothing where it is nobody's turn."""
    if round_.turn is None:
        return ()
    every = (kind(round_.turn.seat) for kind in (Stand, Hit, Double, Split, Surrender))
    return tuple(act for act in every if round_.can(act))


# The end


@dataclass(frozen=True)
class Reveal(_TableAct):
    """The dealer turns up the hole card, or takes the second card, and plays the hand."""

    name: ClassVar = "reveal"
    phases: ClassVar = (Phase.DEALER,)

    @rule("blackjack 7.1")
    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        return go_on(turn_up(round_))


@dataclass(frozen=True)
class Settle(_TableAct):
    """The dealer pays and takes whatever is still open."""

    name: ClassVar = "settle"
    phases: ClassVar = (Phase.SETTLING,)

    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        return settle_all(round_).changed(phase=Phase.OVER)


ACTS = by_name(
    (
        *(Bet, TakeBack, NoMoreBets, Deal, Insure, EvenMoney, NoInsurance, Peek, BustBet, NoBustBet),
        *(Hit, Stand, Double, Split, Surrender, Reveal, Settle, Void),
    )
)


def parse_act(text: str) -> Act:
    """Read an act's text form; `parse_act(str(act)) == act`."""
    return history.parse_act(text, ACTS)
