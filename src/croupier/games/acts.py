"""What people do at the table, each act with the reasons that forbid it and a text form that parses back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from croupier.cards.card import Hand, format_cards, parse_cards
from croupier.errors import CroupierError, NotationError, Refusal
from croupier.games.money import dollars
from croupier.games.paytable import Kind, Pay
from croupier.games.round import DEALER, Event, Phase, Round, Seat
from croupier.games.rulebook import rule
from croupier.games.settlement import Settlement, sentence, settle


class Act(ABC):
    """Something that may be done to a round."""

    name: ClassVar[str]
    phases: ClassVar[tuple[Phase, ...]]

    def why_not(self, round_: Round) -> Refusal | None:
        """The reason it is not allowed here and now, or None."""
        if round_.phase not in self.phases:
            return Refusal("out-of-turn", f"'{self}' is out of turn: {_what_is_next(round_)}.")
        try:
            self.check(round_)
        except Refusal as refusal:
            return refusal
        except CroupierError as error:
            return Refusal("malformed", str(error))
        return None

    def check(self, round_: Round) -> None:  # noqa: B027  (most acts have no further conditions)
        """Raise a Refusal where the act breaks a rule of the game or of the house."""

    @abstractmethod
    def apply(self, round_: Round) -> Round:
        """The round after the act, which was found allowed."""

    def __str__(self) -> str:
        return " ".join([self.name, *self.words()])

    def words(self) -> list[str]:
        return []

    @classmethod
    @abstractmethod
    def from_words(cls, words: list[str]) -> Act: ...


def _what_is_next(round_: Round) -> str:
    if round_.is_over:
        return f"the round is {round_.phase.value}"
    if round_.undecided:
        return f"waiting for the decision of seat {', '.join(map(str, round_.undecided))}"
    return f"the round is at {round_.phase.value}"


class _Bare(Act):
    """An act without particulars."""

    @classmethod
    def from_words(cls, words: list[str]) -> Act:
        if words:
            raise NotationError(f"'{cls.name}' stands alone; {' '.join(words)!r} is too much.")
        return cls()


@dataclass(frozen=True)
class Bet(Act):
    """A player puts chips on a spot."""

    name: ClassVar = "bet"
    phases: ClassVar = (Phase.BETTING,)
    seat: int
    spot: str
    cents: int
    player: str = ""
    """Who bets; by default everybody sits at one seat."""

    def check(self, round_: Round) -> None:
        self._check_place(round_)
        limits = round_.offering.limits_of(self.spot)
        title = _spot_title(round_, self.spot)
        chip = round_.offering.rounding.chip_cents
        if type(self.cents) is not int or self.cents % chip:
            raise Refusal(
                "not-whole-chips",
                f"A wager of {self.cents} cents is not a whole number of chips of {dollars(chip)}.",
            )
        if self.cents < limits.minimum_cents:
            raise Refusal(
                "below-minimum",
                f"{dollars(self.cents)} on {title} is below the minimum of {dollars(limits.minimum_cents)}.",
            )
        if self.cents > limits.maximum_cents:
            raise Refusal(
                "above-maximum",
                f"{dollars(self.cents)} on {title} is above the maximum of {dollars(limits.maximum_cents)}.",
            )
        self._check_positions(round_)

    def _check_place(self, round_: Round) -> None:
        if type(self.seat) is not int or not 1 <= self.seat <= round_.offering.open_seats:
            raise Refusal("no-such-seat", f"There is no seat {self.seat}: seats are 1 to {round_.offering.open_seats}.")
        if self.spot not in open_spots(round_):
            there = ", ".join(open_spots(round_))
            raise Refusal("no-such-spot", f"No wager goes on {self.spot!r} before the deal: there are {there}.")
        seat = round_.seats.get(self.seat)
        if seat and self.spot in seat.wagers:
            raise Refusal(
                "already-wagered",
                f"Seat {self.seat} already has {dollars(seat.wagers[self.spot])} on {self.spot}: take it back first.",
            )

    @rule("triple-shot-rummy 1.11", "triple-shot-rummy 11.2")
    def _check_positions(self, round_: Round) -> None:
        seat = round_.seats.get(self.seat)
        player = self.player or (seat.player if seat else self._default_player)
        if len(player.split()) != 1 or not player.isprintable():
            raise Refusal("malformed", f"{player!r} is no player's name: one word without spaces.")
        if seat and seat.player != player:
            raise Refusal("seat-taken", f"Seat {self.seat} is taken by {seat.player}.")
        others = [number for number, other in round_.seats.items() if other.player == player and number != self.seat]
        if not others:
            return
        if "two-positions" not in round_.offering.options:
            raise Refusal("one-position", f"{player} already bets at seat {others[0]}: the house allows one position.")
        if len(others) > 1 or abs(others[0] - self.seat) != 1:
            raise Refusal(
                "not-adjacent",
                f"{player} bets at seat {' and '.join(map(str, others))}: only two adjacent positions are allowed.",
            )

    @property
    def _default_player(self) -> str:
        return f"seat-{self.seat}"

    def apply(self, round_: Round) -> Round:
        seat = round_.seats.get(self.seat) or Seat(self.player or self._default_player, {})
        seat = replace(seat, wagers={**seat.wagers, self.spot: self.cents})
        title = round_.game.spots[self.spot][1].title
        event = Event("bet", f"Seat {self.seat}: {dollars(self.cents)} on {title}.", self.seat, cents=self.cents)
        return round_.with_event(event, seats=round_.with_seat(self.seat, seat))

    def words(self) -> list[str]:
        return [str(self.seat), self.spot, str(self.cents), *(["by", self.player] if self.player else [])]

    @classmethod
    def from_words(cls, words: list[str]) -> Act:
        match words:
            case [seat, spot, cents]:
                return cls(_number(seat), spot, _number(cents))
            case [seat, spot, cents, "by", player]:
                return cls(_number(seat), spot, _number(cents), player)
        raise NotationError(f"'bet {' '.join(words)}' is no bet: write 'bet SEAT SPOT CENTS', as in 'bet 1 ante 500'.")


@dataclass(frozen=True)
class TakeBack(Act):
    """A player takes chips back before betting is closed."""

    name: ClassVar = "take-back"
    phases: ClassVar = (Phase.BETTING,)
    seat: int
    spot: str

    def check(self, round_: Round) -> None:
        seat = round_.seats.get(self.seat)
        if not seat or self.spot not in seat.wagers:
            raise Refusal("no-wager", f"Seat {self.seat} has no wager on {self.spot!r}.")

    def apply(self, round_: Round) -> Round:
        seat = round_.seats[self.seat]
        wagers = {spot: cents for spot, cents in seat.wagers.items() if spot != self.spot}
        seats = round_.with_seat(self.seat, replace(seat, wagers=wagers))
        if not wagers:
            seats = {number: other for number, other in seats.items() if number != self.seat}
        event = Event("take-back", f"Seat {self.seat} takes back {_spot_title(round_, self.spot)}.", self.seat)
        return round_.with_event(event, seats=seats)

    def words(self) -> list[str]:
        return [str(self.seat), self.spot]

    @classmethod
    def from_words(cls, words: list[str]) -> Act:
        if len(words) != 2:
            raise NotationError(f"'take-back {' '.join(words)}' must be 'take-back SEAT SPOT'.")
        return cls(_number(words[0]), words[1])


@dataclass(frozen=True)
class NoMoreBets(_Bare):
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
        text = "No more bets."
        for key in open_spots(round_)[1:]:
            without = [str(number) for number, seat in round_.seats.items() if key not in seat.wagers]
            if without:
                title = round_.game.spots[key][1].title
                text += f" No {title}: position{'s' if len(without) > 1 else ''} {', '.join(without)}."
        phase = Phase.ROTATION if round_.game.rotation else Phase.DEALING
        return round_.with_event(Event("no-more-bets", text), phase=phase)


@dataclass(frozen=True)
class Rotation(Act):
    """Dice or a random number say which position gets the first packet."""

    name: ClassVar = "rotation"
    phases: ClassVar = (Phase.ROTATION,)
    dice: tuple[int, ...] = ()
    number: int = 0

    @rule("supreme-99 3.1", "supreme-99 3.2", "supreme-99 3.3")
    def check(self, round_: Round) -> None:
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
    def from_words(cls, words: list[str]) -> Act:
        match words:
            case ["dice", *dice] if dice:
                return cls(dice=tuple(map(_number, dice)))
            case ["number", number]:
                return cls(number=_number(number))
        raise NotationError(f"'rotation {' '.join(words)}' must be 'rotation dice 2 5 1' or 'rotation number 4'.")


@dataclass(frozen=True)
class Deal(Act):
    """The next position gets its packet: from the shoe, or, beside real cards, as a person entered it."""

    name: ClassVar = "deal"
    phases: ClassVar = (Phase.DEALING,)
    cards: Hand = ()

    def check(self, round_: Round) -> None:
        if round_.shoe and self.cards:
            raise Refusal("shoe-deals", "This table deals from its shoe: cards cannot be entered.")
        if round_.shoe and round_.shoe.remaining < round_.game.packet_cards:
            raise Refusal("shoe-empty", f"The shoe has only {round_.shoe.remaining} cards left.")
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
        seen = cards if position == DEALER or position in round_.seats else ()
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
    def from_words(cls, words: list[str]) -> Act:
        return cls(parse_cards(" ".join(words)))


@rule("triple-shot-rummy 9.1", "three-card-baccarat 9.1", "supreme-99 9.1")
def _wrong_number(round_: Round, position: int, cards: Hand) -> Round:
    who, right = position_name(position), round_.game.packet_cards
    return _void(round_, f"{who} has {len(cards)} card{'s' if len(cards) > 1 else ''} instead of {right}")


def _after_deal(round_: Round) -> Round:
    if round_.packets < len(round_.dealing_order):
        return round_
    return _after_decision(replace(round_, phase=Phase.DECIDING))


def _after_decision(round_: Round) -> Round:
    return round_ if round_.undecided else replace(round_, phase=Phase.REVEALING)


@dataclass(frozen=True)
class Decide(Act):
    """A player who has seen the cards decides: `play`, `fold`, or which two cards make the High hand."""

    name: ClassVar = "decide"
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

    def _raise(self, round_: Round, seat: Seat) -> tuple[str | None, int]:
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
    def from_words(cls, words: list[str]) -> Act:
        match words:
            case [seat, _, *_, "with", cents]:
                return cls(_number(seat), " ".join(words[1:-2]), _number(cents))
            case [seat, _, *_]:
                return cls(_number(seat), " ".join(words[1:]))
        raise NotationError(
            f"'decide {' '.join(words)}' must be 'decide SEAT DECISION', as 'decide 1 play' or 'decide 1 play with 500'."
        )


@dataclass(frozen=True)
class Reveal(_Bare):
    """The dealer turns the cards over, and sets them where the game says so."""

    name: ClassVar = "reveal"
    phases: ClassVar = (Phase.REVEALING,)

    @rule("three-card-baccarat 3.5")
    def apply(self, round_: Round) -> Round:
        text = f"The dealer has {format_cards(round_.dealer)}: {round_.game.describe_dealer(round_.dealer)}."
        return round_.with_event(Event("reveal", text, DEALER, round_.dealer), phase=Phase.SETTLING)


@dataclass(frozen=True)
class Settle(_Bare):
    """The dealer pays and takes, in the order of the rules."""

    name: ClassVar = "settle"
    phases: ClassVar = (Phase.SETTLING,)

    def apply(self, round_: Round) -> Round:
        settlements = tuple(_settlements(round_))
        events = tuple(
            Event("settle", sentence(s, _spot_title(round_, s.spot)), s.seat, cents=s.returned_cents)
            for s in settlements
        )
        return replace(round_, phase=Phase.OVER, settlements=settlements, events=round_.events + events)


@rule("triple-shot-rummy 8.1", "triple-shot-rummy 8.2", "triple-shot-rummy 8.3", "triple-shot-rummy 8.4")
@rule("triple-shot-rummy 8.5", "three-card-baccarat 8.1", "three-card-baccarat 8.2")
@rule("supreme-99 8.1", "supreme-99 8.2")
def _settlements(round_: Round) -> Iterator[Settlement]:
    """Forfeited wagers first; then seat by seat from the dealer's right, each in the game's order of spots."""
    from_the_right = sorted(round_.seats.items(), reverse=True)
    forfeits = round_.game.decision.forfeits if round_.game.decision else frozenset()
    for number, seat in from_the_right:
        if seat.choice in forfeits and round_.game.decides:
            yield _settle_spot(round_, number, seat, round_.game.decides.spots[0].key)
    for number, seat in from_the_right:
        for spot in round_.game.settling_order:
            wager = round_.game.spots[spot][0]
            if spot in seat.wagers and not (seat.choice in forfeits and wager is round_.game.decides):
                yield _settle_spot(round_, number, seat, spot)


def _settle_spot(round_: Round, number: int, seat: Seat, spot: str) -> Settlement:
    wager = round_.game.spots[spot][0]
    outcome = wager.outcome(seat.hand, round_.dealer, seat.choice if wager is round_.game.decides else None)
    price = round_.offering.prices[wager.key][outcome]
    pay = price.pays[[each.key for each in wager.spots].index(spot)]
    return settle(
        number,
        spot,
        price.row,
        pay,
        staked_cents=seat.wagers[spot],
        rounding=round_.offering.rounding,
        why=outcome.label,
    )


@dataclass(frozen=True)
class Void(Act):
    """The round is called off, as after a misdeal; every wager goes back."""

    name: ClassVar = "void"
    phases: ClassVar = tuple(phase for phase in Phase if phase not in (Phase.OVER, Phase.VOID))
    reason: str

    def check(self, round_: Round) -> None:
        if not self._plain():
            raise Refusal("no-reason", "A round is only called off with a reason.")
        if not self._plain().isprintable():
            raise Refusal("malformed", f"The reason {self.reason!r} is not plain text.")

    def _plain(self) -> str:
        return " ".join(self.reason.split()).rstrip(". ")

    def apply(self, round_: Round) -> Round:
        return _void(round_, self._plain())

    def words(self) -> list[str]:
        return self._plain().split()

    @classmethod
    def from_words(cls, words: list[str]) -> Act:
        return cls(" ".join(words))


@rule("triple-shot-rummy 9.2", "three-card-baccarat 9.2", "supreme-99 9.2")
def _void(round_: Round, reason: str) -> Round:
    settlements = tuple(
        settle(
            number,
            spot,
            "Void",
            Pay(Kind.PUSH),
            staked_cents=cents,
            rounding=round_.offering.rounding,
            why=f"void, {reason}",
        )
        for number, seat in sorted(round_.seats.items(), reverse=True)
        for spot, cents in seat.wagers.items()
    )
    event = Event("void", f"The round is void: {reason}. Every wager is returned.")
    return round_.with_event(event, phase=Phase.VOID, settlements=settlements)


ACTS: dict[str, type[Act]] = {
    act.name: act for act in (Bet, TakeBack, NoMoreBets, Rotation, Deal, Decide, Reveal, Settle, Void)
}


def parse_act(text: str) -> Act:
    """Read an act's text form; `parse_act(str(act)) == act`."""
    words = text.split()
    if not words or words[0] not in ACTS:
        raise NotationError(f"{text!r} is no act: it must begin with one of {', '.join(ACTS)}.")
    return ACTS[words[0]].from_words(words[1:])


def open_spots(round_: Round) -> list[str]:
    """Where chips may go before the deal, at this house."""
    spots = round_.game.spots
    return [key for key in round_.game.betting_spots if spots[key][0].key not in round_.offering.left_out]


def position_name(position: int) -> str:
    return "the dealer" if position == DEALER else f"seat {position}"


def _spot_title(round_: Round, spot: str) -> str:
    return round_.game.spots[spot][1].title


def _number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 18):
        raise NotationError(f"{word!r} is no whole number.")
    return int(word)
