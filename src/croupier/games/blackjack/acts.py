"""What people do at a blackjack table, each act with the reasons that forbid it and a text form.

    bet 1 bet 500; bet 1 kings-bounty 500; take-back 1 kings-bounty; no-more-bets
    early-surrender 1; no-surrender                 (of one seat, or of all that have not answered)
    insure 1 250; even-money 2; no-insurance        (of one seat, or of all that have not answered)
    switch 1; no-switch 2                           (of one seat, or of all that have not answered)
    bust-bet 1 500; no-bust-bet 2
    hit 1; stand 1; double 1; split 1; surrender 1; zap 1   (with the number of the hand, if you like: hit 1 2)
    reveal; settle; void a card was exposed
    deal Qh 6c; peek no                             (only beside real cards)

The acts of the whole table are here; what seats answer is in `answers`, what players decide in `decisions`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, TypeAlias

from croupier.cards.card import Hand, check_copies, format_cards, parse_cards
from croupier.cards.shoe import MOST_DECKS
from croupier.errors import NotationError, Refusal
from croupier.games.blackjack.answers import (
    BustBet,
    Cap,
    EarlySurrender,
    EvenMoney,
    Insure,
    NoBustBet,
    NoCap,
    NoInsurance,
    NoSurrender,
    NoSwitch,
    Switch,
)
from croupier.games.blackjack.deal import (
    burn,
    checked,
    enter,
    go_on,
    initial_cards,
    most_cap_cents,
    most_insurance_cents,
    turn_up,
)
from croupier.games.blackjack.decisions import Double, Hit, Split, Stand, Surrender, Zap, decisions, refused
from croupier.games.blackjack.hand import BET, describe, describe_cards, switched_hands
from croupier.games.blackjack.round import BlackjackRound, Owed, Phase, TableAct
from croupier.games.blackjack.rules import cards_for, needs_shuffle
from croupier.games.blackjack.settlement import settle_all
from croupier.games.blackjack.side_wagers import BET_THE_BUST, INSURANCE
from croupier.games.money import Stake, dollars
from croupier.games.rulebook import rule
from croupier.games.table import history
from croupier.games.table.bets import Bet, TakeBack, Void, no_more_bets_text, void_round
from croupier.games.table.history import Event, by_name
from croupier.games.table.legal import DEALERS_WORDS, least_cents
from croupier.games.table.shown import Legal, Off

Act: TypeAlias = history.Act[BlackjackRound]

rule("blackjack 13.3", "blackjack 13.6")(void_round)


@dataclass(frozen=True)
class NoMoreBets(TableAct):
    """The dealer closes betting and deals: every seat must have a Bet."""

    name: ClassVar = "no-more-bets"
    phases: ClassVar = (Phase.BETTING,)

    @rule("blackjack 1.4", "blackjack 3.14")
    def check(self, round_: BlackjackRound) -> None:
        if not round_.seats:
            raise Refusal("no-wagers", "There is no wager on the table.")
        for number, seat in round_.seats.items():
            if BET.key not in seat.wagers:
                raise Refusal("mandatory-wager", f"Seat {number} has no Bet, without which there is no other wager.")
            chip = round_.offering.rounding.chip_cents
            if seat.wagers[BET.key] % round_.offering.unit_cents(BET.key):
                raise Refusal(
                    "not-equal-bets",
                    f"{dollars(seat.wagers[BET.key])} on the Bet of seat {number} are not two equal bets of whole "
                    f"chips: take them back and bet an even number of chips of {dollars(chip)}.",
                )
        shoe, seats = round_.shoe, len(round_.seats)
        if shoe and needs_shuffle(round_.rules, dealt=shoe.dealt, seats=seats):
            raise Refusal(
                "shoe-too-short",
                f"The shoe has {shoe.remaining} cards left, and a round with {seats} "
                f"seat{'s' if seats > 1 else ''} needs {cards_for(seats * round_.rules.first_hands)}: shuffle first.",
            )

    @rule("blackjack 1.12", "blackjack 1.13")
    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        called = Event("no-more-bets", no_more_bets_text(round_))
        round_ = burn(round_.with_event(called, phase=Phase.DEALING))
        return go_on(round_.changed(owed=initial_cards(round_)))


# Beside real cards


@dataclass(frozen=True)
class Deal(history.Act[BlackjackRound]):
    """A person enters the next cards that were dealt, in the order they went out."""

    name: ClassVar = "deal"
    form: ClassVar = "deal CARDS, as deal Qh 6c 4d"
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
class Peek(TableAct):
    """The dealer says whether the hole card makes a blackjack."""

    name: ClassVar = "peek"
    form: ClassVar = "peek no, or peek yes"
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


# The end


@dataclass(frozen=True)
class Reveal(TableAct):
    """The dealer turns up the hole card, or takes the second card, and plays the hand."""

    name: ClassVar = "reveal"
    phases: ClassVar = (Phase.DEALER,)

    @rule("blackjack 7.1")
    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        return go_on(turn_up(round_))


@dataclass(frozen=True)
class Settle(TableAct):
    """The dealer pays and takes whatever is still open."""

    name: ClassVar = "settle"
    phases: ClassVar = (Phase.SETTLING,)

    def apply(self, round_: BlackjackRound) -> BlackjackRound:
        return settle_all(round_).changed(phase=Phase.OVER)


ACTS = by_name(
    (
        *(Bet, TakeBack, NoMoreBets, Deal, Insure, EvenMoney, NoInsurance, Peek, Cap, NoCap),
        *(Switch, NoSwitch, BustBet, NoBustBet, EarlySurrender, NoSurrender),
        *(Hit, Stand, Double, Split, Surrender, Zap, Reveal, Settle, Void),
    )
)


def parse_act(text: str) -> Act:
    """Read an act's text form; `parse_act(str(act)) == act`."""
    return history.parse_act(text, ACTS)


# What may be done once betting is closed, found by asking the acts themselves

KEYS = {
    "hit": ("h", "Hit"),
    "stand": ("s", "Stand"),
    "double": ("d", "Double"),
    "split": ("p", "Split"),
    "surrender": ("r", "Surrender"),
    "zap": ("z", "Zap"),
    "early-surrender": ("r", "Surrender"),
    "no-surrender": ("n", "Play on"),
    "insure": ("i", "Insure"),
    "even-money": ("e", "Even money"),
    "no-insurance": ("n", "No insurance"),
    "cap": ("c", "On the Bet"),
    "no-cap": ("n", "Keep it"),
    "switch": ("w", "Switch"),
    "no-switch": ("n", "As they are"),
    "bust-bet": ("b", "Bet the Bust"),
    "no-bust-bet": ("n", "No bet"),
}
"""What a person presses for a decision, and reads on its button."""


def _keyed(legal: Legal) -> Legal:
    key, label = KEYS[legal.act.name]
    return replace(legal, key=key, label=label)


def in_play(round_: BlackjackRound) -> Iterator[Legal]:
    """The decisions of the hand whose turn it is, or what the seats are asked, then what the dealer does."""
    for act in decisions(round_):
        after = round_.do(act)
        cost, lent = after.staked_cents - round_.staked_cents, after.lent_cents - round_.lent_cents
        added = Stake(cost, lent)
        words = f"{act.name}{f' for {added}' if added.cents else ''}"
        detail, gives_up = str(added) if added.cents else "", isinstance(act, Surrender)
        keyed = _keyed(Legal(act, words, act.seat, cost, detail=detail, gives_up=gives_up))
        yield replace(keyed, label=f"{keyed.label} free") if lent else keyed
    for seat in round_.asked:
        yield from map(_keyed, _answers(round_, seat))
    following = dealers_act(round_)
    if following is not None:
        yield Legal(following, DEALERS_WORDS[following.name])
    if round_.owed and round_.shoe is None:
        yield Legal(Deal(()), round_.what_is_next, needs="the cards that were dealt, as 'deal Qh 6c'")
    for seen in (False, True):
        if round_.can(Peek(seen)):
            yield Legal(Peek(seen), f"the hole card makes {'a' if seen else 'no'} blackjack")


def off(round_: BlackjackRound) -> Iterator[Off]:
    """The decisions that the hand whose turn it is does not have."""
    for act, why in refused(round_):
        key, label = KEYS[act.name]
        yield Off(act.name, act.seat, key, label, why, gives_up=isinstance(act, Surrender))


def _answers(round_: BlackjackRound, seat: int) -> Iterator[Legal]:
    """What a seat may say to insurance, to its proceeds, or to Bet the Bust."""
    if round_.can(EarlySurrender(seat)):
        yield Legal(EarlySurrender(seat), "surrenders early", seat, gives_up=True)
    insure, bust = Insure(seat), BustBet(seat, least_cents(round_.offering, BET_THE_BUST.key))
    if round_.can(insure):
        most = most_insurance_cents(round_, seat)
        yield Legal(
            insure,
            f"insures for {dollars(most)}, or less",
            seat,
            most,
            round_.offering.rounding.chip_cents,
            most,
            spot=INSURANCE.key,
        )
    if round_.can(EvenMoney(seat)):
        yield Legal(EvenMoney(seat), "takes even money", seat)
    if round_.can(Cap(seat)):
        most, chip = most_cap_cents(round_, seat), round_.offering.rounding.chip_cents
        yield Legal(Cap(seat), f"puts {dollars(most)} on the Bet, or less", seat, most, chip, most, spot=BET.key)
    if round_.can(bust):
        most = round_.offering.limits_of(BET_THE_BUST.key).maximum_cents
        most -= most % round_.offering.rounding.chip_cents
        yield Legal(bust, "bets that the dealer busts", seat, bust.cents, bust.cents, most, spot=BET_THE_BUST.key)
    if round_.can(Switch(seat)):
        after = switched_hands(round_.seats[seat].hands, round_.rules)
        yield Legal(Switch(seat), f"switches to {' and '.join(map(describe, after))}", seat)
    for decline in (NoSurrender(seat), NoInsurance(seat), NoCap(seat), NoSwitch(seat), NoBustBet(seat)):
        if round_.can(decline):
            yield Legal(decline, "declines", seat)


def dealers_act(round_: BlackjackRound) -> history.Act[Any] | None:
    """What the dealer does next, where nobody has to decide or to enter anything."""
    possible: list[history.Act[Any]] = [Reveal(), Settle()]
    return next((act for act in possible if round_.can(act)), None)


# What is written, and told, beside real cards

BLACKJACK_FOUND = "The dealer has a blackjack."


def to_write(round_: BlackjackRound) -> list[str]:
    """How the acts are written that the table waits for."""
    if round_.owed:
        return ["deal CARD" if len(round_.owed) == 1 else "deal CARDS"]
    match round_.phase:
        case Phase.SURRENDERING:
            return [str(EarlySurrender(round_.asked[0])), "no-surrender"]
        case Phase.INSURANCE:
            seat = round_.asked[0]
            return [str(act) for act in (Insure(seat), EvenMoney(seat), NoInsurance()) if round_.can(act)]
        case Phase.CHECKING:
            return ["peek no", "peek yes"]
        case Phase.CAPPING:
            return [str(Cap(round_.asked[0])), "no-cap"]
        case Phase.SWITCHING:
            return [str(Switch(round_.asked[0])), "no-switch"]
        case Phase.BUST_WAGERS:
            return [f"bust-bet {round_.asked[0]} DOLLARS", "no-bust-bet"]
        case Phase.PLAYING:
            return [str(act) for act in decisions(round_)]
        case Phase.DEALER:
            return ["reveal"]
    return ["settle"]


def story(before: BlackjackRound, act: history.Act[Any], after: BlackjackRound) -> Iterator[str]:
    """What an act brought about; cards that are entered come one after another, so that each hand is seen as it was."""
    if not isinstance(act, Deal):
        if isinstance(act, Peek) and act.blackjack:
            yield BLACKJACK_FOUND
        yield from map(history.told, after.events[len(before.events) :])
        return
    for card in act.cards:
        owed, then = before.owed[0], before.do(Deal((card,)))
        first, *others = then.events[len(before.events) :]
        yield _with_hand(first, then, owed)
        yield from map(history.told, others)
        before = then


def _with_hand(event: Event, after: BlackjackRound, owed: Owed) -> str:
    """`Seat 1 receives 8d: 8h 8d, 16.`; a single card says itself what it counts."""
    if owed.position == history.DEALER:
        cards, words = after.dealer, describe_cards(after.dealer)
    else:
        hand = after.seats[owed.position].hands[owed.hand]
        cards, words = hand.cards, describe(hand)
    return event.text if len(cards) < 2 else f"{event.text.rstrip('.')}: {format_cards(cards)}, {words}."
