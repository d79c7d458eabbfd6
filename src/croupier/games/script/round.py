"""The one live round: it deals any game from its script, to any number of seats, and settles every spot.

A round is an immutable history, as in every game. Where it stands is a step of the script, and whom that step still
concerns. The acts are in `acts`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, cast

from croupier.cards.card import Card, Hand
from croupier.cards.shoe import Shoe
from croupier.cards.symmetry import ALL_RANKS
from croupier.errors import Refusal
from croupier.games.script.game import ScriptGame, script_digest, wager_of
from croupier.games.script.language import (
    BOARD,
    DEALER,
    SEAT,
    Choice,
    Choose,
    Deal,
    Place,
    Seen,
    Show,
    Spot,
    Stakes,
    Step,
)
from croupier.games.script.wager import ScriptWager
from croupier.games.table import history
from croupier.games.table.history import Act, Event, History, Seat
from croupier.games.table.legal import QUIT
from croupier.games.table.offering import TableOffering
from croupier.games.table.questions import OpenWager, Question
from croupier.games.table.settlement import Settlement
from croupier.games.table.shown import Legal, Shown
from croupier.games.wager import Wager


@dataclass(frozen=True, eq=False)
class ScriptOffering(TableOffering):
    """A game of the language as one house offers it."""

    game: ScriptGame

    def open(self, shoe: Shoe | None = None) -> ScriptRound:
        game = self.game
        if shoe and ((shoe.decks, shoe.jokers) != (game.decks, game.jokers) or game.deck.ranks != ALL_RANKS):
            raise Refusal("wrong-shoe", f"{game.title} is not dealt from a shoe of {_decks(shoe)}.")
        if shoe and shoe.dealt:
            gone = f"{shoe.dealt} cards are gone from this"
            raise Refusal("wrong-shoe", f"{game.title} is dealt from a whole shoe; {gone}.")
        opened = Event("open", f"{game.title} is open for wagers.")
        return ScriptRound(offering=self, shoe=shoe, opening_shoe=shoe, events=(opened,))

    def digest_of(self, wager: Wager) -> str:
        return script_digest(self.game, wager_of(self.game, wager.key), self.paytable(wager.key))


class Phase(StrEnum):
    BETTING = "betting"
    DEALING = "dealing"
    DECIDING = "deciding"
    REVEALING = "revealing cards"
    SETTLING = "settling"
    OVER = "over"
    VOID = "void"


@dataclass(frozen=True)
class ScriptSeat(Seat):
    """A position with its cards, and what was chosen."""

    hand: Hand = ()
    choices: tuple[Choice, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class ScriptRound(History):
    """A round so far of a game that is written as a script."""

    offering: ScriptOffering
    phase: Phase = Phase.BETTING
    seats: Mapping[int, ScriptSeat] = field(default_factory=dict)
    common: Mapping[str, Hand] = field(default_factory=dict, repr=False)  # a log must not show cards that lie face down
    """Cards that belong to no seat, by place."""
    at: int = 0
    """The step of the script."""
    left: tuple[int, ...] = ()
    """Positions that this step still concerns: seats, or the dealer's where the cards belong to no seat."""

    @property
    def game(self) -> ScriptGame:
        return self.offering.game

    def empty_seat(self, player: str) -> ScriptSeat:
        return ScriptSeat(player, {})

    @property
    def step(self) -> Step | None:
        running = self.phase in (Phase.DEALING, Phase.DECIDING, Phase.REVEALING)
        return self.game.script[self.at] if running else None

    # What is known

    def seen(self, seat: int) -> Seen:
        """What a seat knows: nothing that lies face down."""
        return self.everything(seat).face_up

    def everything(self, seat: int) -> Seen:
        """All that was dealt, for settling."""
        there = self.seats[seat]
        own = {SEAT.name: there.hand} if there.hand else {}
        return Seen({**self.common, **own}, there.choices)

    def cards_out(self) -> Iterator[Card]:
        """Every card that is known to have left the shoe in this round."""
        for seat in self.seats.values():
            yield from seat.hand
        for cards in self.common.values():
            yield from cards

    @property
    def what_is_next(self) -> str:
        if self.is_over:
            return f"the round is {self.phase.value}"
        if self.waits_for:
            return f"waiting for the decision of seat {', '.join(map(str, self.waits_for))}"
        return f"the round is at {self.phase.value}"

    @property
    def next_in_full(self) -> str:
        if self.phase is not Phase.DEALING:
            return self.what_is_next
        cards = self.next_cards
        return f"the next {f'{cards} cards go' if cards > 1 else 'card goes'} to {self.next_place}"

    @property
    def waits_for(self) -> tuple[int, ...]:
        return self.left if self.phase is Phase.DECIDING else ()

    def options(self, seat: int) -> tuple[Choice, ...]:
        """What a seat may choose now."""
        step = self.step
        if not isinstance(step, Choose) or seat not in self.waits_for:
            return ()
        return step.options(self.seen(seat))

    # Steps

    def begin(self, at: int) -> ScriptRound:
        """The round at the first step from there on that concerns anybody; at the settling where none does."""
        while at < len(self.game.script):
            step = self.game.script[at]
            concerned = tuple(self._concerned(step))
            if concerned:
                return replace(self, at=at, left=concerned, phase=self._phase_of(step))
            at += 1
        return replace(self, at=at, left=(), phase=Phase.SETTLING)

    def after(self, position: int) -> ScriptRound:
        """One position is done with this step."""
        left = tuple(other for other in self.left if other != position)
        return replace(self, left=left) if left else self.begin(self.at + 1)

    def _phase_of(self, step: Step) -> Phase:
        if isinstance(step, Choose):
            return Phase.DECIDING
        # Beside real cards, what was face down is entered when it is turned.
        return Phase.REVEALING if isinstance(step, Show) and self.shoe else Phase.DEALING

    def _concerned(self, step: Step) -> Iterator[int]:
        if isinstance(step, Deal) and step.where.is_down and not self.shoe:
            return  # nobody sees them
        seats = [number for number in self.seats if self._is_in(number, step)]
        if step.where.is_seats:
            yield from seats
        elif seats:
            yield history.DEALER

    def _is_in(self, number: int, step: Step) -> bool:
        seat, seen = self.seats[number], self.seen(number)
        if isinstance(step, Choose):
            has_base = self.game.base.spots[0].key in seat.wagers
            return has_base and not seen.ended and step.when(seen) and bool(step.options(seen))
        if seen.ended or self.game.base.spots[0].key not in seat.wagers:
            # Other wagers may still need these cards; nobody draws for the base wager any more.
            return step.when.is_open and self._is_read(seat, step.where.up.name)
        return step.when(seen)

    def _is_read(self, seat: ScriptSeat, place: str) -> bool:
        """Whether a wager that lies there, the base aside, looks at a place."""
        others = [wager for wager in self.game.wagers[1:] if wager.spots[0].key in seat.wagers]
        return any(place in look.where.names for wager in others for look in wager.looks)

    # What every table asks

    @property
    def known_acts(self) -> Mapping[str, type[Act[Any]]]:
        from croupier.games.script.acts import ACTS

        return ACTS

    @property
    def no_more_bets(self) -> Act[Any]:
        from croupier.games.script.acts import NoMoreBets

        return NoMoreBets()

    @property
    def next_by_dealer(self) -> Act[Any] | None:
        from croupier.games.script import acts

        if self.phase is Phase.DEALING:
            return acts.Deal() if self.shoe else None
        return {Phase.REVEALING: acts.Reveal(), Phase.SETTLING: acts.Settle()}.get(self.phase)

    def in_play(self) -> Iterator[Legal]:
        from croupier.games.script import acts

        for seat in self.waits_for:
            seen = self.seen(seat)
            advice = {name: strategy(seen) for name, strategy in self.game.strategies.items()}
            options = self.options(seat)
            keys = _keys([choice.key for choice in options])
            for key, choice in zip(keys, options, strict=True):
                act = acts.Decide(seat, choice.key)
                cost = acts.cost_cents(self, seat, choice)
                effects = ", ".join(acts.effects(self, seat, choice))
                advised = tuple(name for name, best in advice.items() if best == choice.key)
                yield Legal(
                    act,
                    f"{choice.key}, {effects}" if effects else choice.key,
                    seat,
                    cost,
                    key=key,
                    advised_by=advised,
                    label=choice.key[:1].upper() + choice.key[1:],
                    detail=effects,
                    gives_up=choice.ends is not None,
                )
        following = self.next_by_dealer
        if following is not None:
            yield Legal(following, _DEALERS_WORDS[following.name])
        elif self.phase is Phase.DEALING:
            who, cards = self.next_place, self.next_cards
            some = f"the {cards} cards of {who}" if cards > 1 else f"the card of {who}"
            yield Legal(acts.Deal(), f"deals to {who}", needs=f"{some}, as 'deal Qh 6c'")

    @property
    def next_cards(self) -> int:
        """How many cards come next, while cards are dealt or turned."""
        step = self.step
        return step.cards if isinstance(step, Deal | Show) else 0

    @property
    def next_place(self) -> str:
        """To whom cards come next, in words."""
        assert self.step is not None
        return place_name(self.step.where, self.left[0])

    @property
    def possible_raises_cents(self) -> int:
        """What the choices to come could cost at most."""
        return sum(self._raises_cents(number) for number in self.seats)

    def _raises_cents(self, number: int) -> int:
        seat, base = self.seats[number], self.game.base
        chosen = len(seat.choices)
        first = seat.wagers.get(base.spots[0].key, 0)
        following = [path[chosen:] for path in base.paths if path[:chosen] == seat.choices]
        return first * max((sum(max(c.times, 0) for c in path if c.lays) for path in following), default=0)

    @property
    def dealers_hand(self) -> Shown:
        return self._shown(DEALER)

    @property
    def dealer_has_cards(self) -> bool:
        return DEALER.name in self.game.sizes

    @property
    def board(self) -> Shown | None:
        return self._shown(BOARD) if BOARD.name in self.game.sizes else None

    def hands(self, seat: int) -> tuple[Shown, ...]:
        hand = self.seats[seat].hand
        return (Shown(hand, self.game.words(self.seen(seat), SEAT)),) if hand else ()

    def _shown(self, where: Place) -> Shown:
        cards = self.common.get(where.name, ())
        words = self.game.words(Seen(self.common).face_up, where) if cards else ""
        hidden = self.common.get(where.down.name, ())
        return Shown(cards, words, len(hidden), hidden=hidden)

    def decided(self, seat: int) -> str | None:
        return ", ".join(choice.key for choice in self.seats[seat].choices) or None

    def gave_up(self, seat: int) -> str:
        choices = self.seats[seat].choices
        return choices[-1].key if choices and choices[-1].ends else ""

    # What a trainer asks

    @property
    def part_of_step(self) -> str:
        """The part of the procedure that is under way."""
        return self.game.parts_of_steps[self.game.script[self.at]]

    @property
    def part(self) -> str:
        event = self.events[-1]
        if event.kind not in history.SETTLES:
            return super().part
        settled = self.settlements[-1]
        of_base = settled.spot in {spot.key for spot in self.game.base.spots}
        return history.COLLECT if of_base and self.gave_up(settled.seat) else history.SETTLE

    def turn_paragraph(self, wager: OpenWager, part: str, *, new_seat: bool) -> str:
        paragraph = super().turn_paragraph(wager, part, new_seat=new_seat)
        return paragraph or self.game.cites.get("in-order", self.game.cites.get("from-the-right", ""))

    def questions(self, before: ScriptRound) -> Iterator[Question]:
        event = self.events[-1]
        if event.kind == "deal" and event.position is not None:
            yield self.whom("Who gets the next cards?", event.position, event.cites)
        elif event.kind == "reveal" and event.position == history.DEALER:
            yield from (ask(self.common[DEALER.name]) for ask in self.game.asks)

    def by_line(self, settled: Settlement) -> bool:
        """Where the posted table has lines to tell apart, and the cards say which: once for spots that share them."""
        wager, spot = wager_and_spot(self.game, settled.spot)
        before = (
            settlement
            for settlement in self.settlements[: self.settlements.index(settled)]
            if settlement.seat == settled.seat
        )
        known = any(
            wager_and_spot(self.game, settled_before.spot)[1].judged is spot.judged for settled_before in before
        )
        given_up = wager is self.game.base and self.gave_up(settled.seat)
        return spot.posted and len(self.offering.paytable(wager.key).rows) > 2 and not (given_up or known)

    def paid_on_cents(self, settled: Settlement) -> int:
        return self.staked_on(settled.seat, wager_and_spot(self.game, settled.spot)[1])

    def facts(self, settled: Settlement, wager: OpenWager) -> str:
        has_words = any(hand.words for hand in self.hands(settled.seat))
        return super().facts(settled, wager) if has_words else ""

    # Paying

    def staked_on(self, seat: int, spot: Spot) -> int:
        """The chips that a spot is paid on; a bonus rides on those of another."""
        on = spot.stake.on if spot.stake.kind is Stakes.RIDING else spot
        assert on is not None
        return self.seats[seat].wagers.get(on.key, 0)


def _decks(shoe: Shoe) -> str:
    standard = f"{shoe.decks} standard decks"
    return f"{standard}, each with {shoe.jokers} joker{'' if shoe.jokers == 1 else 's'}" if shoe.jokers else standard


def place_name(where: Place, position: int) -> str:
    if where.is_seats:
        return history.position_name(position)
    return {"dealer": "the dealer", "board": "the board", "burned": "the discards"}.get(where.up.name, where.up.name)


def wager_and_spot(game: ScriptGame, key: str) -> tuple[ScriptWager, Spot]:
    return cast(tuple[ScriptWager, Spot], game.spots[key])


_DEALERS_WORDS = {"deal": "deals the next cards", "reveal": "turns cards up", "settle": "pays and takes"}


def _keys(words: list[str]) -> list[str]:
    """First letters or digits where they tell the words apart, else numbers."""
    initials = [word[0].lower() for word in words]
    return initials if len({*initials, QUIT}) > len(words) else [str(number) for number in range(1, len(words) + 1)]
