"""What people do at a head-to-head table, each act with the reasons that forbid it and a text form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Self, TypeAlias

from croupier.cards.card import Hand, format_cards, parse_cards
from croupier.cards.shuffle import roll_dice
from croupier.errors import NotationError, Refusal
from croupier.games.head_to_head.game import DICE_CUP
from croupier.games.head_to_head.round import PacketSeat, Phase, Round
from croupier.games.money import dollars
from croupier.games.rulebook import rule
from croupier.games.table import history
from croupier.games.table.bets import Bet, TakeBack, Void, no_more_bets_text, void_round, with_settlements
from croupier.games.table.history import DEALER, Event, by_name, position_name, whole_number
from croupier.games.table.settlement import Settlement, settle

# The order of paying and taking in a head-to-head game.


@rule("triple-shot-rummy 8.1")
def collect_forfeits(round_: Round) -> Iterator[Settlement]:
    """Before the dealer's cards are turned: the wagers of those who gave up."""
    for number, seat in _from_the_right(round_):
        if _gave_up(round_, seat) and round_.game.decides:
            yield _settle_spot(round_, number, seat, round_.game.decides.spots[0].key)


@rule("triple-shot-rummy 8.2", "triple-shot-rummy 8.3", "triple-shot-rummy 8.4", "triple-shot-rummy 8.5")
@rule("three-card-baccarat 8.1", "three-card-baccarat 8.2", "supreme-99 8.1", "supreme-99 8.2")
def settle_the_rest(round_: Round) -> Iterator[Settlement]:
    """Seat by seat from the dealer's right, each in the game's order of spots."""
    for number, seat in _from_the_right(round_):
        for spot in round_.game.settling_order:
            collected = _gave_up(round_, seat) and round_.game.spots[spot][0] is round_.game.decides
            if spot in seat.wagers and not collected:
                yield _settle_spot(round_, number, seat, spot)


def _from_the_right(round_: Round) -> list[tuple[int, PacketSeat]]:
    return sorted(round_.seats.items(), reverse=True)


def _gave_up(round_: Round, seat: PacketSeat) -> bool:
    return round_.game.decision is not None and seat.choice in round_.game.decision.forfeits


def _settle_spot(round_: Round, number: int, seat: PacketSeat, spot: str) -> Settlement:
    wager, place = round_.game.spots[spot]
    outcome = wager.outcome(seat.hand, round_.dealer, seat.choice if wager is round_.game.decides else None)
    price = round_.offering.prices[wager.key][outcome]
    pay = price.pays[[spot.key for spot in wager.spots].index(spot)]
    return settle(
        number,
        spot,
        price.row,
        pay,
        staked_cents=seat.wagers[spot],
        rounding=round_.offering.rounding,
        why=outcome.label,
        cites=place.paragraph(outcome, pay),
    )


Act: TypeAlias = history.Act[Round]


@dataclass(frozen=True)
class NoMoreBets(history.Act[Round]):
    """The dealer closes betting; every seat must have the wagers that the game requires."""

    name: ClassVar = "no-more-bets"
    phases: ClassVar = (Phase.BETTING,)

    @rule("triple-shot-rummy 1.6", "three-card-baccarat 1.4", "supreme-99 1.4")
    def check(self, round_: Round) -> None:
        if not round_.seats:
            raise Refusal("no-wagers", "There is no wager on the table.")
        base = round_.game.wagers[0]
        if base.mandatory or "ante-mandatory" in round_.offering.options:
            spot = base.spots[0]
            for number, seat in round_.seats.items():
                if spot.key not in seat.wagers:
                    raise Refusal("mandatory-wager", f"Seat {number} has no {spot.title} wager, which is mandatory.")

    @rule("triple-shot-rummy 3.1", "triple-shot-rummy 3.2")
    def apply(self, round_: Round) -> Round:
        phase = Phase.ROTATION if round_.game.rotation else Phase.DEALING
        return round_.with_event(Event("no-more-bets", no_more_bets_text(round_)), phase=phase)


@dataclass(frozen=True)
class Rotation(history.Act[Round]):
    """Dice or a random number say which position gets the first packet."""

    name: ClassVar = "rotation"
    form: ClassVar = "rotation dice 2 5 1, or rotation number 4"
    phases: ClassVar = (Phase.ROTATION,)
    dice: tuple[int, ...] = ()
    number: int = 0

    @rule("supreme-99 3.1", "supreme-99 3.2", "supreme-99 3.3")
    def check(self, round_: Round) -> None:
        if any(type(number) is not int for number in (*self.dice, self.number)):
            raise Refusal("wrong-number", f"The rotation {[*self.dice, self.number]} is not made of whole numbers.")
        if self.dice and self.number:
            raise Refusal("wrong-number", "The rotation is drawn by dice or by a number, not by both.")
        if self.dice and (len(self.dice) != 3 or not all(1 <= die <= 6 for die in self.dice)):
            raise Refusal("wrong-dice", f"Dice {list(self.dice)} are no throw of three dice from 1 to 6.")
        if not self.dice and not 1 <= self.number <= round_.game.seats + 1:
            raise Refusal(
                "wrong-number",
                f"{self.number} is no dealing position: numbers go from 1 to {round_.game.seats + 1}.",
            )

    @rule("supreme-99 3.4", "supreme-99 3.5")
    def apply(self, round_: Round) -> Round:
        count = sum(self.dice) or self.number
        first = (count - 1) % (round_.game.seats + 1)
        drawn = f"Dice {' '.join(map(str, self.dice))} make {count}" if self.dice else f"The number is {count}"
        text = f"{drawn}: the first packet goes to {position_name(first)}."
        return round_.with_event(Event("rotation", text, first), phase=Phase.DEALING, first_position=first)

    def words(self) -> list[str]:
        return ["dice", *map(str, self.dice)] if self.dice else ["number", str(self.number)]

    @classmethod
    def from_words(cls, words: list[str]) -> Self:
        match words:
            case ["dice", *dice] if dice:
                return cls(dice=tuple(map(whole_number, dice)))
            case ["number", number]:
                return cls(number=whole_number(number))
        raise NotationError(f"'rotation {' '.join(words)}' must be 'rotation dice 2 5 1' or 'rotation number 4'.")


def sealed_rotation(round_: Round) -> Rotation:
    """The rotation of a virtual table. It was sealed with the shoe: nobody can choose it once the order is known."""
    assert round_.shoe is not None, "beside real cards the dealer throws dice"
    chance = round_.shoe.sealed_chance("rotation")
    if DICE_CUP in round_.offering.options:
        return Rotation(dice=roll_dice(chance))
    return Rotation(number=chance.below(round_.game.seats + 1) + 1)


@dataclass(frozen=True)
class Deal(history.Act[Round]):
    """The next position gets its packet: from the shoe, or, beside real cards, as a person entered it."""

    name: ClassVar = "deal"
    form: ClassVar = "deal CARDS, as deal Qh 6c 4d"
    phases: ClassVar = (Phase.DEALING,)
    cards: Hand = ()

    def check(self, round_: Round) -> None:
        if round_.shoe and self.cards:
            raise Refusal("shoe-deals", "This table deals from its shoe: cards cannot be entered.")
        if not round_.shoe and not self.cards and round_.next_position in (DEALER, *round_.seats):
            raise Refusal("enter-cards", "This table has no shoe: enter the cards that were dealt.")
        out = set(round_.cards_out())
        for place, card in enumerate(self.cards):
            if card in out or card in self.cards[:place]:
                raise Refusal("repeated-card", f"{card} has already been dealt in this round.")

    @rule("triple-shot-rummy 3.3", "triple-shot-rummy 3.4", "triple-shot-rummy 3.5")
    @rule("three-card-baccarat 3.2", "three-card-baccarat 3.3", "three-card-baccarat 3.4")
    @rule("supreme-99 3.6", "supreme-99 3.7")
    def apply(self, round_: Round) -> Round:
        position = round_.next_position
        assert position is not None
        cards, shoe = (self.cards, None) if not round_.shoe else round_.shoe.draw(round_.game.packet_cards)
        # The dealer's packet lies face down, and one of an empty position is discarded unseen.
        seen = cards if position in round_.seats else ()
        event = Event("deal", f"A packet for {position_name(position)}.", position, seen)
        dealt = round_.with_event(event, shoe=shoe, packets=round_.packets + 1)
        if position == DEALER:
            dealt = replace(dealt, dealer=cards)
        elif position in round_.seats:
            seat = replace(round_.seats[position], hand=cards)
            dealt = replace(dealt, seats=round_.with_seat(position, seat))
        else:
            dealt = replace(dealt, unoccupied=round_.unoccupied + cards)
        # The packet of an empty position may stay unseen; every other one has its number of cards.
        if len(cards) != round_.game.packet_cards and (cards or position in (DEALER, *round_.seats)):
            return _wrong_number(dealt, position, cards)
        return _after_deal(dealt)

    def words(self) -> list[str]:
        return [str(card) for card in self.cards]

    @classmethod
    def from_words(cls, words: list[str]) -> Self:
        return cls(parse_cards(" ".join(words)))


@rule("triple-shot-rummy 9.1", "three-card-baccarat 9.1", "supreme-99 9.1")
def _wrong_number(round_: Round, position: int, cards: Hand) -> Round:
    who, right = position_name(position), round_.game.packet_cards
    return void_round(round_, f"{who} has {len(cards)} card{'s' if len(cards) > 1 else ''} instead of {right}")


def _after_deal(round_: Round) -> Round:
    if round_.packets < len(round_.dealing_order):
        return round_
    return _after_decision(replace(round_, phase=Phase.DECIDING))


def _after_decision(round_: Round) -> Round:
    return round_ if round_.undecided else with_settlements(round_, collect_forfeits(round_), Phase.REVEALING)


@dataclass(frozen=True)
class Decide(history.Act[Round]):
    """A player who has seen the cards decides: `play`, `fold`, or which two cards make the High hand."""

    name: ClassVar = "decide"
    form: ClassVar = "decide SEAT WORDS, as decide 1 play"
    phases: ClassVar = (Phase.DECIDING,)
    seat: int
    decision: str
    cents: int | None = None
    """The wager that goes with it, where one does; by default what it must be."""

    @rule("triple-shot-rummy 1.9", "triple-shot-rummy 4.2", "triple-shot-rummy 4.5")
    def check(self, round_: Round) -> None:
        seat = round_.seats.get(self.seat)
        if not seat or not round_.decides(seat):
            raise Refusal("nothing-to-decide", f"Seat {self.seat} has nothing to decide.")
        if seat.choice is not None:
            raise Refusal("already-decided", f"Seat {self.seat} has already decided.")
        if self.cents is not None and type(self.cents) is not int:
            raise Refusal("not-whole-chips", f"A wager of {self.cents!r} cents is not a whole number of cents.")
        spot, cents = self._raise(round_, seat)
        if spot and self.cents is not None and self.cents != cents:
            base = next(iter(round_.game.decides.spots)).title if round_.game.decides else ""
            raise Refusal(
                "unequal-wager",
                f"The {spot.title()} wager must equal the {base}, {dollars(cents)}, not {dollars(self.cents)}.",
            )
        if not spot and self.cents is not None:
            raise Refusal("no-wager-here", f"No wager goes with '{self.decision}'.")

    def _raise(self, round_: Round, seat: PacketSeat) -> tuple[str | None, int]:
        decision, wager = round_.game.decision, round_.game.decides
        assert decision is not None
        assert wager is not None
        choice = decision.parse(seat.hand, self.decision)
        return decision.raises.get(choice), seat.wagers[wager.spots[0].key]

    def apply(self, round_: Round) -> Round:
        seat, decision = round_.seats[self.seat], round_.game.decision
        assert decision is not None
        choice = decision.parse(seat.hand, self.decision)
        spot, cents = self._raise(round_, seat)
        wagers = {**seat.wagers, spot: cents} if spot else seat.wagers
        words = decision.say(seat.hand, choice)
        event = Event("decide", f"Seat {self.seat}: {words}.", self.seat, cents=cents if spot else None)
        seats = round_.with_seat(self.seat, replace(seat, choice=choice, wagers=wagers))
        return _after_decision(round_.with_event(event, seats=seats))

    def words(self) -> list[str]:
        return [
            str(self.seat),
            *self.decision.split(),
            *(["with", str(self.cents)] if self.cents is not None else []),
        ]

    @classmethod
    def from_words(cls, words: list[str]) -> Self:
        match words:
            case [seat, _, *_, "with", cents]:
                return cls(whole_number(seat), " ".join(words[1:-2]), whole_number(cents))
            case [seat, _, *_]:
                return cls(whole_number(seat), " ".join(words[1:]))
        raise NotationError(
            f"'decide {' '.join(words)}' must be 'decide SEAT DECISION', as in 'decide 1 play' (or '... with 500')."
        )


@dataclass(frozen=True)
class Reveal(history.Act[Round]):
    """The dealer turns the cards over, and sets them where the game says so."""

    name: ClassVar = "reveal"
    phases: ClassVar = (Phase.REVEALING,)

    @rule("three-card-baccarat 3.5")
    def apply(self, round_: Round) -> Round:
        text = f"The dealer has {format_cards(round_.dealer)}: {round_.game.describe_dealer(round_.dealer)}."
        return round_.with_event(Event("reveal", text, DEALER, round_.dealer), phase=Phase.SETTLING)


@dataclass(frozen=True)
class Settle(history.Act[Round]):
    """The dealer pays and takes, in the order of the rules."""

    name: ClassVar = "settle"
    phases: ClassVar = (Phase.SETTLING,)

    def apply(self, round_: Round) -> Round:
        return with_settlements(round_, settle_the_rest(round_), Phase.OVER)


ACTS = by_name((Bet, TakeBack, NoMoreBets, Rotation, Deal, Decide, Reveal, Settle, Void))


def parse_act(text: str) -> Act:
    """Read an act's text form; `parse_act(str(act)) == act`."""
    return history.parse_act(text, ACTS)
