"""What people do at a table of a game that is written as a script, each act with the reasons that forbid it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from croupier.cards.card import Hand, format_cards, parse_cards
from croupier.cards.shoe import MOST_DECKS, MOST_JOKERS
from croupier.errors import NotationError, Refusal
from croupier.games.money import dollars
from croupier.games.script import language
from croupier.games.script.language import SEAT, Choice, Choose, Spot, Stakes
from croupier.games.script.round import Phase, ScriptRound, ScriptSeat, place_name, wager_and_spot
from croupier.games.table import history
from croupier.games.table.bets import Bet, TakeBack, Void, no_more_bets_text, void_round, with_settlements
from croupier.games.table.history import DEALER, Event, by_name, whole_number
from croupier.games.table.settlement import Settlement, settle
from croupier.games.wager import row_label


@dataclass(frozen=True)
class NoMoreBets(history.Act[ScriptRound]):
    """The dealer closes betting; every seat must have the wagers that the game requires."""

    name: ClassVar = "no-more-bets"
    phases: ClassVar = (Phase.BETTING,)

    def check(self, round_: ScriptRound) -> None:
        if not round_.seats:
            raise Refusal("no-wagers", "There is no wager on the table.")
        base = round_.game.base
        if base.mandatory or "ante-mandatory" in round_.offering.options:
            spot = base.spots[0]
            for number, seat in round_.seats.items():
                if spot.key not in seat.wagers:
                    raise Refusal("mandatory-wager", f"Seat {number} has no {spot.title} wager, which is mandatory.")

    def apply(self, round_: ScriptRound) -> ScriptRound:
        return round_.with_event(Event("no-more-bets", no_more_bets_text(round_))).begin(0)


@dataclass(frozen=True)
class Deal(history.Act[ScriptRound]):
    """The next position gets its cards: from the shoe, or, beside real cards, as a person entered them."""

    name: ClassVar = "deal"
    form: ClassVar = "deal CARDS, as deal Qh 6c 4d"
    phases: ClassVar = (Phase.DEALING,)
    cards: Hand = ()

    def check(self, round_: ScriptRound) -> None:
        if round_.shoe and self.cards:
            raise Refusal("shoe-deals", "This table deals from its shoe: cards cannot be entered.")
        if not round_.shoe and not self.cards:
            raise Refusal("enter-cards", "This table has no shoe: enter the cards that were dealt.")
        out = list(round_.cards_out())
        for place, card in enumerate(self.cards):
            there = round_.game.deck.cards.count(card)
            if not there:
                raise Refusal("no-such-card", f"{card} is not in the deck of {round_.game.title}.")
            if out.count(card) + self.cards[: place + 1].count(card) > there:
                raise Refusal("repeated-card", f"{card} has already been dealt in this round.")

    def apply(self, round_: ScriptRound) -> ScriptRound:
        step, position = round_.step, round_.left[0]
        assert isinstance(step, language.Deal | language.Show)
        cards, shoe = round_.shoe.draw(step.cards) if round_.shoe else (self.cards, None)
        who, down = place_name(step.where, position), step.where.is_down
        text = f"{_cards(step.cards)} for {who}{', face down' if down else ''}."
        # Nobody reads in the log what lies face down.
        where = None if step.where.up.name not in (SEAT.name, language.DEALER.name) else position
        event = Event(
            "deal",
            text,
            where,
            () if down else cards,
            cites=step.cites,
            part=round_.part_of_step,
            place=step.where.up.name,
            face_down=len(cards) if down else 0,
        )
        dealt = replace(round_.with_event(event), shoe=shoe)
        if step.where.is_seats:
            seat = round_.seats[position]
            dealt = replace(dealt, seats=round_.with_seat(position, replace(seat, hand=seat.hand + cards)))
        else:
            name = step.where.name
            dealt = replace(dealt, common={**round_.common, name: round_.common.get(name, ()) + cards})
        if len(cards) != step.cards:
            reason = f"{who} has {_count(len(cards))} instead of {step.cards}"
            return void_round(dealt, reason)
        return dealt.after(position)

    def words(self) -> list[str]:
        return [str(card) for card in self.cards]

    @classmethod
    def from_words(cls, words: list[str]) -> Self:
        return cls(parse_cards(" ".join(words), decks=MOST_DECKS, jokers=MOST_JOKERS))


def _count(cards: int) -> str:
    return f"{cards} card{'' if cards == 1 else 's'}"


def _cards(cards: int) -> str:
    return {1: "A card", 2: "Two cards", 3: "Three cards"}.get(cards, f"{cards} cards")


@dataclass(frozen=True)
class Decide(history.Act[ScriptRound]):
    """A player chooses on a street: `play`, `fold`, `3x`, `take back`."""

    name: ClassVar = "decide"
    form: ClassVar = "decide SEAT WORDS, as decide 1 fold"
    phases: ClassVar = (Phase.DECIDING,)
    seat: int
    decision: str
    cents: int | None = None
    """The wager that goes with it, where one does; by default what it must be."""

    def check(self, round_: ScriptRound) -> None:
        if self.seat not in round_.seats or self.seat not in round_.waits_for:
            if self.seat in round_.seats and round_.seats[self.seat].choices:
                raise Refusal("already-decided", f"Seat {self.seat} has already decided.")
            raise Refusal("nothing-to-decide", f"Seat {self.seat} has nothing to decide.")
        choice = self.choice(round_)
        if self.cents is None:
            return
        if type(self.cents) is not int:
            raise Refusal("not-whole-chips", f"A wager of {self.cents!r} cents is not a whole number of cents.")
        cost = cost_cents(round_, self.seat, choice)
        if cost <= 0:
            raise Refusal("no-wager-here", f"No wager goes with '{self.decision}'.")
        if self.cents != cost:
            assert choice.lays is not None
            title = choice.lays.title
            raise Refusal(
                "unequal-wager",
                f"The {title} wager of '{choice.key}' must be {dollars(cost)}, not {dollars(self.cents)}.",
            )

    def choice(self, round_: ScriptRound) -> Choice:
        """The choice of these words; others are refused with those that there are."""
        words = " ".join(self.decision.lower().split())
        options = round_.options(self.seat)
        for choice in options:
            if choice.key == words:
                return choice
        allowed = [f"'{choice.key}'" for choice in options]
        either = f"{', '.join(allowed[:-1])} or {allowed[-1]}" if len(allowed) > 1 else "".join(allowed)
        raise Refusal("unknown-decision", f"{self.decision!r} is no decision: say {either}.")

    def apply(self, round_: ScriptRound) -> ScriptRound:
        choice = self.choice(round_)
        cost = cost_cents(round_, self.seat, choice)
        step = round_.step
        assert isinstance(step, Choose)
        text = f"Seat {self.seat}: {', '.join([choice.key, *effects(round_, self.seat, choice)])}."
        cites = choice.cites or step.cites
        laid = cost if cost > 0 else None
        event = Event("decide", text, self.seat, cents=laid, cites=cites, part=round_.part_of_step)
        at, chosen = round_.at, _chosen(round_, self.seat, choice).with_event(event).after(self.seat)
        if chosen.at == at and chosen.phase is Phase.DECIDING:
            return chosen
        return with_settlements(chosen, _given_up(chosen, step), chosen.phase)

    def words(self) -> list[str]:
        with_cents = ["with", str(self.cents)] if self.cents is not None else []
        return [str(self.seat), *self.decision.split(), *with_cents]

    @classmethod
    def from_words(cls, words: list[str]) -> Self:
        match words:
            case [seat, _, *_, "with", cents]:
                return cls(whole_number(seat), " ".join(words[1:-2]), whole_number(cents))
            case [seat, _, *_]:
                return cls(whole_number(seat), " ".join(words[1:]))
        raise NotationError(
            f"'decide {' '.join(words)}' must be 'decide SEAT DECISION', as in 'decide 1 fold' (or '... with 500')."
        )


def _unit_cents(round_: ScriptRound, seat: int, spot: Spot) -> int:
    """What one unit on a spot is: the chips of the spot that it belongs to."""
    on = spot.stake.on or spot
    return round_.seats[seat].wagers.get(on.key, 0)


def cost_cents(round_: ScriptRound, seat: int, choice: Choice) -> int:
    """The chips that a choice puts on the table; below zero it takes them back."""
    return choice.times * _unit_cents(round_, seat, choice.lays) if choice.lays else 0


def _laid(round_: ScriptRound, seat: ScriptSeat, choice: Choice) -> dict[str, int]:
    wagers = dict(seat.wagers)
    if choice.lays:
        on = (choice.lays.stake.on or choice.lays).key
        wagers[choice.lays.key] = wagers.get(choice.lays.key, 0) + choice.times * wagers[on]
    return {key: cents for key, cents in wagers.items() if cents}


def _chosen(round_: ScriptRound, number: int, choice: Choice) -> ScriptRound:
    """The seat has chosen, and its chips have moved."""
    seat = round_.seats[number]
    after = replace(seat, wagers=_laid(round_, seat, choice), choices=(*seat.choices, choice))
    return replace(round_, seats=round_.with_seat(number, after))


def effects(round_: ScriptRound, seat: int, choice: Choice) -> Iterator[str]:
    """Which chips a choice moves."""
    cents = cost_cents(round_, seat, choice)
    if choice.lays and cents > 0:
        yield f"puts {dollars(cents)} on {choice.lays.title}"
    elif choice.lays and cents < 0:
        yield f"takes {dollars(-cents)} back from {choice.lays.title}"
    if choice.ends:
        base = round_.game.base
        there = [spot.title for spot in base.spots if spot.key in round_.seats[seat].wagers]
        yield f"gives up the {' and '.join([', '.join(there[:-1]), there[-1]] if len(there) > 1 else there)}"
        back = sum(settled.returned_cents for settled in _settled(_chosen(round_, seat, choice), seat, given_up=True))
        if back:
            yield f"{dollars(back)} comes back"


@dataclass(frozen=True)
class Reveal(history.Act[ScriptRound]):
    """The dealer turns up cards that lie face down."""

    name: ClassVar = "reveal"
    phases: ClassVar = (Phase.REVEALING,)

    def apply(self, round_: ScriptRound) -> ScriptRound:
        step = round_.step
        assert isinstance(step, language.Show)
        up, down = step.where.name, step.where.down.name
        hidden = round_.common[down]
        turned, rest = hidden[: step.cards], hidden[step.cards :]
        cards = round_.common.get(up, ()) + turned
        common = {**round_.common, up: cards, down: rest}
        after = replace(round_, common=common)
        who = place_name(step.where, DEALER)
        words = round_.game.words(language.Seen(common).face_up, step.where)
        text = f"{who[0].upper()}{who[1:]} has {format_cards(cards)}{f': {words}' if words else ''}."
        position = DEALER if step.where == language.DEALER else None
        event = Event("reveal", text, position, turned, cites=step.cites, part=round_.part_of_step, place=up)
        return after.with_event(event).after(DEALER)


@dataclass(frozen=True)
class Settle(history.Act[ScriptRound]):
    """The dealer pays and takes, in the order of the rules."""

    name: ClassVar = "settle"
    phases: ClassVar = (Phase.SETTLING,)

    def apply(self, round_: ScriptRound) -> ScriptRound:
        return with_settlements(round_, _the_rest(round_), Phase.OVER)


def _given_up(round_: ScriptRound, step: Choose) -> Iterator[Settlement]:
    """Once every seat has chosen on a street: the wagers of those who gave up there."""
    keys = {choice for choice in step.choices if choice.ends}
    for number, seat in sorted(round_.seats.items(), reverse=True):
        if seat.choices and seat.choices[-1] in keys:
            yield from _settled(round_, number, given_up=True)


def _the_rest(round_: ScriptRound) -> Iterator[Settlement]:
    """Seat by seat from the dealer's right, each in the game's order of spots."""
    for number in sorted(round_.seats, reverse=True):
        yield from _settled(round_, number, given_up=False)


def _settled(round_: ScriptRound, number: int, *, given_up: bool) -> Iterator[Settlement]:
    seen = round_.everything(number)
    for key in round_.game.settling_order:
        wager, spot = wager_and_spot(round_.game, key)
        of_base = wager is round_.game.base
        if given_up != bool(of_base and seen.ended):
            continue
        staked = round_.staked_on(number, spot)
        if staked:
            outcome = (seen.ended if of_base else None) or spot.judged.outcome(seen)
            rows = wager.rows_of(spot, round_.offering.paytable(wager.key))
            row, pay = rows.get(outcome), wager.pay_of(spot, outcome, rows)
            line = row_label(outcome, row) if row else outcome.label
            settled = settle(
                number,
                key,
                line,
                pay,
                staked_cents=staked,
                rounding=round_.offering.rounding,
                why=outcome.label,
                cites=(seen.choices[-1].cites if given_up else "") or spot.paragraph(outcome, pay),
            )
            if spot.stake.kind is not Stakes.RIDING:
                yield settled
            elif pay.net > 0:
                yield _riding(settled, staked)


def _riding(settled: Settlement, staked_cents: int) -> Settlement:
    """What a bonus pays that rides on another spot's chips: the win alone, and nothing was staked."""
    return replace(settled, staked_cents=0, returned_cents=settled.returned_cents - staked_cents)


ACTS: dict[str, type[history.Act[Any]]] = by_name((Bet, TakeBack, NoMoreBets, Deal, Decide, Reveal, Settle, Void))
