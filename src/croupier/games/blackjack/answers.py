"""What seats answer when all are asked: early surrender, insurance and even money against an ace, proceeds on the Bet,
whether second cards change places, Bet the Bust."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from croupier.errors import NotationError, Refusal
from croupier.games.blackjack.deal import (
    go_on,
    may_take_even_money,
    most_cap_cents,
    most_insurance_cents,
    put_hand,
)
from croupier.games.blackjack.hand import Ending, describe, describe_cards, switched_hands
from croupier.games.blackjack.round import BlackjackRound, Phase, TableAct
from croupier.games.blackjack.settlement import settle_ended
from croupier.games.blackjack.side_wagers import BET_THE_BUST, INSURANCE
from croupier.games.money import dollars
from croupier.games.rulebook import rule
from croupier.games.table import history
from croupier.games.table.bets import Bet
from croupier.games.table.history import Event, whole_number


def _check_asked(round_: BlackjackRound, seat: int) -> None:
    if type(seat) is not int or seat not in round_.seats:
        several = len(round_.seats) > 1
        others = f"seat{'s' if several else ''} {', '.join(map(str, round_.seats))} {'are' if several else 'is'}"
        raise Refusal("no-such-seat", f"Seat {seat} is not in play: {others}.")
    if seat not in round_.asked:
        raise Refusal("not-asked", f"Seat {seat} has answered already, or has nothing to answer.")


@dataclass(frozen=True)
class _Answer(TableAct):
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
class EarlySurrender(_Answer):
    """A seat gives up half of its Bet before the dealer checks for a blackjack."""

    name: ClassVar = "early-surrender"
    form: ClassVar = "early-surrender SEAT"
    phases: ClassVar = (Phase.SURRENDERING,)

    @rule("blackjack 6.22", "blackjack 6.19")
    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        hand = replace(round_.seats[self.seat].hands[0], ending=Ending.SURRENDERED)
        event = Event("early-surrender", f"Seat {self.seat} surrenders {describe_cards(hand.cards)} early.", self.seat)
        return go_on(settle_ended(_answered(put_hand(round_, self.seat, 0, hand), event, self.seat), self.seat, 0))


@dataclass(frozen=True)
class Insure(_Answer):
    """A seat insures against the dealer's blackjack, by default for half of its Bet."""

    name: ClassVar = "insure"
    form: ClassVar = "insure SEAT [DOLLARS]"
    amount: ClassVar = 2
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
    form: ClassVar = "even-money SEAT"
    phases: ClassVar = (Phase.INSURANCE,)

    @rule("blackjack 4.6", "blackjack 4.7")
    def check(self, round_: BlackjackRound) -> None:
        super().check(round_)
        if words := round_.rules.unusual(("blackjack_wins", "diamond_blackjack")):
            raise Refusal("no-even-money", f"There is no even money at this table ({words[0]}).")
        if not may_take_even_money(round_, self.seat):
            raise Refusal(
                "no-even-money",
                f"There is no even money for seat {self.seat}: it is for a blackjack that pays 3 to 2, where insurance "
                "pays 2 to 1.",
            )

    @rule("blackjack 4.6")
    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        hand = replace(round_.seats[self.seat].hands[0], ending=Ending.EVEN_MONEY)
        event = Event("even-money", f"Seat {self.seat} takes even money.", self.seat)
        return go_on(settle_ended(_answered(put_hand(round_, self.seat, 0, hand), event, self.seat), self.seat, 0))


@dataclass(frozen=True)
class _Decline(_Answer):
    """One seat, or all that have not answered, decline; seat 0 stands for all."""

    says: ClassVar[str]
    seat: int = 0

    def check(self, round_: BlackjackRound) -> None:
        if self.seat:
            super().check(round_)

    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        seats = (self.seat,) if self.seat else round_.asked
        text = self.says.format(seats=", ".join(map(str, seats)))
        return go_on(_answered(round_, Event(self.name, text, self.seat or None), *seats))

    def words(self) -> list[str]:
        return [str(self.seat)] if self.seat else []

    @classmethod
    def from_words(cls, words: list[str]) -> Self:
        if len(words) > 1 or words == ["0"]:
            raise NotationError(f"'{cls.name} {' '.join(words)}' must be '{cls.name}' or '{cls.name} SEAT'.")
        return cls(*map(whole_number, words))


@dataclass(frozen=True)
class NoSurrender(_Decline):
    """A seat plays its hand; without a seat, all that have not answered."""

    name: ClassVar = "no-surrender"
    form: ClassVar = "no-surrender [SEAT]"
    phases: ClassVar = (Phase.SURRENDERING,)
    says: ClassVar = "No early surrender by seat {seats}."


@dataclass(frozen=True)
class NoInsurance(_Decline):
    """A seat does not insure; without a seat, insurance is closed for all that have not answered."""

    name: ClassVar = "no-insurance"
    form: ClassVar = "no-insurance [SEAT]"
    phases: ClassVar = (Phase.INSURANCE,)
    says: ClassVar = "No insurance for seat {seats}."


@dataclass(frozen=True)
class Cap(_Answer):
    """A seat puts what its House Money brought in on the Bet: all of it, or a part."""

    name: ClassVar = "cap"
    form: ClassVar = "cap SEAT [DOLLARS]"
    amount: ClassVar = 2
    phases: ClassVar = (Phase.CAPPING,)
    cents: int | None = None

    @rule("blackjack 19.6", "blackjack 19.7")
    def check(self, round_: BlackjackRound) -> None:
        super().check(round_)
        most, chip = most_cap_cents(round_, self.seat), round_.offering.rounding.chip_cents
        cents = most if self.cents is None else self.cents
        if type(cents) is not int or cents <= 0 or cents % chip:
            raise Refusal(
                "not-whole-chips", f"{cents} cents on the Bet are not a whole number of chips of {dollars(chip)}."
            )
        if cents > most:
            raise Refusal(
                "above-proceeds",
                f"{dollars(cents)} is more than seat {self.seat} has from House Money, which is {dollars(most)}.",
            )

    @rule("blackjack 19.6", "blackjack 19.9")
    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        cents = most_cap_cents(round_, self.seat) if self.cents is None else self.cents
        hand = round_.seats[self.seat].hands[0]
        capped = replace(hand, cents=hand.cents + cents, capped_cents=cents)
        text = f"Seat {self.seat} puts {dollars(cents)} from House Money on the Bet."
        event = Event("cap", text, self.seat, cents=cents)
        return go_on(_answered(put_hand(round_, self.seat, 0, capped, added_cents=cents), event, self.seat))

    def words(self) -> list[str]:
        return [str(self.seat), *([] if self.cents is None else [str(self.cents)])]

    @classmethod
    def from_words(cls, words: list[str]) -> Self:
        if len(words) not in (1, 2):
            raise NotationError(f"'cap {' '.join(words)}' must be 'cap SEAT' or 'cap SEAT CENTS'.")
        return cls(*map(whole_number, words))


@dataclass(frozen=True)
class NoCap(_Decline):
    """A seat keeps what its House Money brought in; without a seat, all that have not answered."""

    name: ClassVar = "no-cap"
    form: ClassVar = "no-cap [SEAT]"
    phases: ClassVar = (Phase.CAPPING,)
    says: ClassVar = "What House Money brought stays with seat {seats}."


@dataclass(frozen=True)
class Switch(_Answer):
    """The second cards of a seat's two hands change places."""

    name: ClassVar = "switch"
    form: ClassVar = "switch SEAT"
    phases: ClassVar = (Phase.SWITCHING,)

    def in_turn(self, round_: BlackjackRound) -> bool:
        return super().in_turn(round_) or not (round_.rules.switch or round_.is_over)

    @rule("blackjack-switch 20.3")
    def check(self, round_: BlackjackRound) -> None:
        if not round_.rules.switch:
            raise Refusal("no-switch", f"A seat has one hand in {round_.game.title}: no cards change places.")
        super().check(round_)

    @rule("blackjack-switch 20.4", "blackjack-switch 20.5")
    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        seat = round_.seats[self.seat]
        hands = switched_hands(seat.hands, round_.rules)
        one, other = (hand.cards[1] for hand in seat.hands)
        text = f"Seat {self.seat} switches {one} and {other}: {' and '.join(map(describe, hands))}."
        seats = round_.with_seat(self.seat, replace(seat, hands=hands))
        return go_on(_answered(round_, Event("switch", text, self.seat, (one, other)), self.seat, seats=seats))


@dataclass(frozen=True)
class NoSwitch(_Decline):
    """A seat leaves its cards as they are; without a seat, all that have not answered."""

    name: ClassVar = "no-switch"
    form: ClassVar = "no-switch [SEAT]"
    phases: ClassVar = (Phase.SWITCHING,)
    says: ClassVar = "The cards of seat {seats} stay as they are."


@dataclass(frozen=True)
class BustBet(Bet):
    """A seat bets that the dealer busts; the dealer has no blackjack, and nobody has decided yet."""

    name: ClassVar = "bust-bet"
    form: ClassVar = "bust-bet SEAT DOLLARS"
    amount: ClassVar = 2
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
    form: ClassVar = "no-bust-bet [SEAT]"
    phases: ClassVar = (Phase.BUST_WAGERS,)
    says: ClassVar = "No Bet the Bust for seat {seats}."
