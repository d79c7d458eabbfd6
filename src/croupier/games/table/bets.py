"""Laying chips, taking them back, and calling a round off: the same at every table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from croupier.errors import NotationError, Refusal
from croupier.games.money import dollars
from croupier.games.paytable import Kind, Pay
from croupier.games.rulebook import rule
from croupier.games.table.history import BETTING, SETTLING, VOID, Act, Event, History, Table, whole_number
from croupier.games.table.settlement import Settlement, reverse, sentence, settle


@dataclass(frozen=True)
class Bet(Act[Any]):
    """A player puts chips on a spot."""

    name: ClassVar = "bet"
    form: ClassVar = "bet SEAT SPOT DOLLARS [by PLAYER]"
    amount: ClassVar = 3
    phases: ClassVar = (BETTING,)
    seat: int
    spot: str
    cents: int
    player: str = ""
    """Who bets; by default everybody sits at one seat."""

    def check(self, round_: History) -> None:
        self._check_place(round_)
        limits = round_.offering.limits_of(self.spot)
        title = spot_title(round_, self.spot)
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

    def _check_place(self, round_: History) -> None:
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
    def _check_positions(self, round_: History) -> None:
        seat = round_.seats.get(self.seat)
        player = self.player or (seat.player if seat else self._default_player)
        if len(player.split()) != 1 or not player.isprintable():
            raise Refusal("malformed", f"{player!r} is no player's name: one word without spaces.")
        if player.startswith("seat-") and player != self._default_player:
            raise Refusal("malformed", f"{player!r} is kept for whoever sits there: choose another name.")
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

    def apply(self, round_: History) -> History:
        seat = round_.seats.get(self.seat) or round_.empty_seat(self.player or self._default_player)
        laid = dict.fromkeys(round_.offering.game.laid_with(self.spot), self.cents)
        seat = replace(seat, wagers={**seat.wagers, **laid})
        titles = sorted(spot_title(round_, spot) for spot in laid)
        where = titles[0] if len(titles) == 1 else f"each of {', '.join(titles)}"
        event = Event("bet", f"Seat {self.seat}: {dollars(self.cents)} on {where}.", self.seat, cents=self.cents)
        return round_.with_event(event, seats=round_.with_seat(self.seat, seat))

    def words(self) -> list[str]:
        return [str(self.seat), self.spot, str(self.cents), *(["by", self.player] if self.player else [])]

    @classmethod
    def from_words(cls, words: list[str]) -> Self:
        match words:
            case [seat, spot, cents]:
                return cls(whole_number(seat), spot, whole_number(cents))
            case [seat, spot, cents, "by", player]:
                return cls(whole_number(seat), spot, whole_number(cents), player)
        raise NotationError(f"'bet {' '.join(words)}' is no bet: write 'bet SEAT SPOT CENTS', as in 'bet 1 ante 500'.")


@dataclass(frozen=True)
class TakeBack(Act[Any]):
    """A player takes chips back before betting is closed."""

    name: ClassVar = "take-back"
    form: ClassVar = "take-back SEAT SPOT"
    phases: ClassVar = (BETTING,)
    seat: int
    spot: str

    def check(self, round_: History) -> None:
        seat = round_.seats.get(self.seat) if type(self.seat) is int else None
        if not seat or self.spot not in seat.wagers:
            raise Refusal("no-wager", f"Seat {self.seat} has no wager on {self.spot!r}.")

    def apply(self, round_: History) -> History:
        seat = round_.seats[self.seat]
        gone = round_.offering.game.laid_with(self.spot)
        wagers = {spot: cents for spot, cents in seat.wagers.items() if spot not in gone}
        seats = round_.with_seat(self.seat, replace(seat, wagers=wagers))
        if not wagers:
            seats = {number: other for number, other in seats.items() if number != self.seat}
        event = Event("take-back", f"Seat {self.seat} takes back {spot_title(round_, self.spot)}.", self.seat)
        return round_.with_event(event, seats=seats)

    def words(self) -> list[str]:
        return [str(self.seat), self.spot]

    @classmethod
    def from_words(cls, words: list[str]) -> Self:
        if len(words) != 2:
            raise NotationError(f"'take-back {' '.join(words)}' must be 'take-back SEAT SPOT'.")
        return cls(whole_number(words[0]), words[1])


@dataclass(frozen=True)
class Void(Act[Any]):
    """The round is called off, as after a misdeal; every wager goes back, but an award from a meter stands."""

    name: ClassVar = "void"
    form: ClassVar = "void REASON"
    reason: str

    def in_turn(self, round_: History) -> bool:
        # Once the dealer's cards are known a round is settled, not called off.
        return not round_.is_over and round_.phase != SETTLING

    def check(self, round_: History) -> None:
        if not _plain(self.reason):
            raise Refusal("no-reason", "A round is only called off with a reason.")
        if not _plain(self.reason).isprintable():
            raise Refusal("malformed", f"The reason {self.reason!r} is not plain text.")

    def apply(self, round_: History) -> History:
        return void_round(round_, _plain(self.reason))

    def words(self) -> list[str]:
        return _plain(self.reason).split()

    @classmethod
    def from_words(cls, words: list[str]) -> Self:
        return cls(_plain(" ".join(words)))


def _plain(reason: str) -> str:
    """One line without a full stop, whichever way it was typed."""
    return " ".join(reason.split()).rstrip(". ")


def with_settlements(round_: Table, settled: Iterable[Settlement], phase: Any) -> Table:
    """The round in its next phase, with these wagers paid or taken, and told."""
    new = tuple(settled)
    events = tuple(
        Event(
            "settle",
            sentence(settled, spot_title(round_, settled.spot)),
            settled.seat,
            cents=settled.returned_cents,
            cites=settled.cites,
        )
        for settled in new
    )
    return replace(round_, phase=phase, settlements=round_.settlements + new, events=round_.events + events)


@rule("triple-shot-rummy 9.2", "three-card-baccarat 9.2", "supreme-99 9.2")
def void_round(round_: Table, reason: str) -> Table:
    """Whatever was settled is undone by an entry of its own, and the wagers go back; a meter's award stands."""
    why, settled, cites = f"void, {reason}", round_.settlements, round_.offering.game.cites.get("void", "")
    awarded = {(undo.seat, undo.spot) for undo in settled if undo.pay.kind is Kind.SHARE}
    undone = tuple(reverse(undo, why=why, cites=cites) for undo in settled if (undo.seat, undo.spot) not in awarded)
    returned = tuple(
        settle(
            number,
            spot,
            "Void",
            Pay(Kind.PUSH),
            staked_cents=cents,
            rounding=round_.offering.rounding,
            why=why,
            cites=cites,
        )
        for number, seat in sorted(round_.seats.items(), reverse=True)
        for spot, cents in seat.wagers.items()
        if (number, spot) not in awarded
    )
    stands = ", except where a share of a meter was won: the award stands" if awarded else ""
    event = Event("void", f"The round is void: {reason}. Every wager is returned{stands}.")
    round_ = round_.with_event(event, phase=type(round_.phase)(VOID), settlements=(*settled, *undone, *returned))
    for undo in undone:
        text = f"Seat {undo.seat}, {spot_title(round_, undo.spot)}: {undo.line}{_handed_back(undo)}."
        round_ = round_.with_event(Event("undo", text, undo.seat, cents=undo.net_cents, cites=cites))
    return round_


def _handed_back(undone: Settlement) -> str:
    """Who gives what to whom when a settlement is undone."""
    if not undone.net_cents:
        return ""
    amount = dollars(abs(undone.net_cents))
    return f"; {amount} comes back" if undone.net_cents > 0 else f"; {amount} is given back to the house"


def open_spots(round_: History) -> list[str]:
    """Where chips may go before the deal, at this house."""
    spots = round_.offering.game.spots
    return [key for key in round_.offering.game.betting_spots if spots[key][0].key not in round_.offering.left_out]


def no_more_bets_text(round_: History) -> str:
    """What the dealer calls, with the positions that have left a spot empty beside the first."""
    text = "No more bets."
    for spot in open_spots(round_)[1:]:
        empty = [str(number) for number, seat in round_.seats.items() if spot not in seat.wagers]
        if empty:
            text += f" No {spot_title(round_, spot)}: position{'s' if len(empty) > 1 else ''} {', '.join(empty)}."
    return text


def spot_title(round_: History, spot: str) -> str:
    return round_.offering.game.spots[spot][1].title
