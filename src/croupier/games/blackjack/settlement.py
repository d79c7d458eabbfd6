"""Paying and taking at a blackjack table: what is settled at which moment, and in which order.

Every function gives the round with its settlements added, so `settlements` are in the order they were made.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from croupier.cards.card import Hand
from croupier.games.blackjack.hand import (
    BET,
    BY_CARDS,
    SURRENDER,
    WON_BLACKJACK,
    WON_DIAMONDS,
    BlackjackSeat,
    Ending,
    PlayerHand,
    choice_of,
    describe_cards,
    describe_dealer,
    hand_cites,
)
from croupier.games.blackjack.round import BlackjackRound
from croupier.games.blackjack.side_wagers import BUSTS, INSURANCE, SideWager, dealers_hand, value
from croupier.games.money import dollars
from croupier.games.paytable import Kind
from croupier.games.rulebook import rule
from croupier.games.table.bets import spot_title
from croupier.games.table.history import Event
from croupier.games.table.settlement import Settlement, sentence, settle
from croupier.games.wager import Fact, OnDeal, Outcome


@rule("blackjack 8.1", "blackjack 8.12")
def from_the_right(round_: BlackjackRound) -> list[int]:
    """The seats counter-clockwise from the dealer's right, so that meters pay in this order too."""
    return sorted(round_.seats, reverse=True)


# When


@rule("blackjack 9.7", "blackjack 11.16", "blackjack 12.8", "blackjack 16.6", "blackjack 17.7", "blackjack 18.5")
def settle_early(round_: BlackjackRound) -> BlackjackRound:
    """Once the initial cards lie there: the wagers that need no more than them, in the game's `settling_order`."""
    for number in from_the_right(round_):
        for wager in _sides(round_, number):
            if wager.early and not hangs(round_, round_.seats[number], wager):
                round_ = _settle_side(round_, number, wager)
    return round_


def _sides(round_: BlackjackRound, number: int) -> Iterator[SideWager]:
    """The side wagers that are open at a seat, in the order in which they are settled."""
    lie = round_.seats[number].open_sides
    return (round_.game.side_wager(spot) for spot in round_.game.settling_order if spot in lie)


@rule("blackjack 9.8", "blackjack 17.8")
def hangs(round_: BlackjackRound, seat: BlackjackSeat, wager: SideWager) -> bool:
    """Whether its result still hangs on the dealer's second card: two kings of spades, where the dealer may have a
    blackjack. Where the posted table has no line of its own for the dealer's two cards, these do not matter."""
    possible = wager.could_be(seat.first_two, round_.up_card)
    if wager.on.fact is Fact.DEALERS_TWO:
        prices = round_.offering.prices[wager.key]
        return len({prices[outcome].row for outcome in possible}) > 1
    return len(possible) > 1


@rule("blackjack 4.5", "blackjack 5.3")
def settle_insurance(round_: BlackjackRound) -> BlackjackRound:
    """As soon as it is known whether the dealer has a blackjack."""
    for number in from_the_right(round_):
        if INSURANCE.key in round_.seats[number].open_sides:
            round_ = _settle_side(round_, number, INSURANCE)
    return round_


@rule("blackjack 5.5")
def settle_blackjacks(round_: BlackjackRound) -> BlackjackRound:
    """Players' blackjacks, once the dealer can have none; behind a hand that may still be split, when all is settled,
    as its number among the hands of the seat is not known before."""
    for number in from_the_right(round_):
        hands = round_.seats[number].hands
        for place, hand in enumerate(hands):
            if hand.ending is Ending.BLACKJACK and all(before.ending for before in hands[:place]):
                round_ = _settle_hand(round_, number, place)
    return round_


@rule("blackjack 4.6", "blackjack 5.9", "blackjack 6.19", "blackjack 6.21", "blackjack 11.17", "blackjack 11.18")
def settle_ended(round_: BlackjackRound, number: int, place: int) -> BlackjackRound:
    """A hand that is settled when it ends: bust, paid even money, or surrendered where no blackjack can come."""
    ending = round_.seats[number].hands[place].ending
    if round_.dealer_blackjack is None and _waits(round_, number, place):
        return round_
    round_ = _settle_hand(round_, number, place)
    seat = round_.seats[number]
    out = ending is not Ending.EVEN_MONEY and all(hand.settled for hand in seat.hands)
    if out:
        for wager in [side for side in _sides(round_, number) if side.on.fact is Fact.THIRD_CARD]:
            round_ = _settle_side(round_, number, wager)
    return round_


@rule("blackjack 5.7", "blackjack 5.9", "blackjack 6.22", "blackjack 8.14")
def _waits(round_: BlackjackRound, number: int, place: int) -> bool:
    """Whether a hand that has ended is settled once the dealer's second card is known: one that was surrendered late,
    one that has won by its cards, and one that is bust where a blackjack would give back what was added to the original
    bet."""
    hand, rules = round_.seats[number].hands[place], round_.rules
    if hand.ending is Ending.SURRENDERED:
        return not rules.surrenders_early(value(round_.up_card))
    if hand.ending in BY_CARDS:
        return round_.blackjack_possible
    added = hand.doubled or hand.from_split
    return hand.ending is Ending.BUST and rules.original_bets_only and added and round_.blackjack_possible


@rule("blackjack 8.1", "blackjack 8.2", "blackjack 8.11")
def settle_all(round_: BlackjackRound) -> BlackjackRound:
    """Everything that is still open: seat by seat from the right, in the game's order of spots."""
    for number in from_the_right(round_):
        for spot in round_.game.settling_order:
            if spot == BET.key:
                round_ = _settle_hands(round_, number)
            elif spot in round_.seats[number].open_sides:
                round_ = _settle_side(round_, number, round_.game.side_wager(spot))
    return round_


def _settle_hands(round_: BlackjackRound, number: int) -> BlackjackRound:
    for place, hand in enumerate(round_.seats[number].hands):
        if not hand.settled:
            round_ = _settle_hand(round_, number, place)
    return round_


@rule("blackjack 5.9", "blackjack 7.7", "blackjack 17.8")
def waits_for_second_card(round_: BlackjackRound) -> bool:
    """Whether a wager still needs to know if the dealer has a blackjack, or which cards."""
    facts = {wager.on.fact for number in round_.seats for wager in _sides(round_, number)}
    if Fact.DEALERS_TWO in facts:
        return len(round_.dealer) < 2
    ended = (hand.ending for seat in round_.seats.values() for hand in seat.hands if not hand.settled)
    return round_.dealer_blackjack is None and (
        Fact.DEALER_BLACKJACK in facts or any(ending in WAIT for ending in ended)
    )


WAIT = (Ending.BLACKJACK, Ending.SURRENDERED, Ending.BUST, *BY_CARDS)
"""How hands have ended that are still to be settled when all have decided."""


# How much


def _settle_hand(round_: BlackjackRound, number: int, place: int) -> BlackjackRound:
    seat = round_.seats[number]
    hand = seat.hands[place]
    outcome = round_.game.wagers[0].outcome(hand.cards, round_.dealer, choice_of(seat.hands, place, round_.rules))
    price = round_.offering.prices[BET.key][outcome]
    which = f" on hand {place + 1}" if len(seat.hands) > 1 else ""
    settled = settle(
        number,
        BET.key,
        f"{price.row}{which}",
        price.pays[0],
        staked_cents=hand.stake.own_cents,
        free_cents=hand.free_cents,
        rounding=round_.offering.rounding,
        why=f"{outcome.label}{which}{_words(round_, hand, outcome)}",
        cites=hand_cites(hand, round_.dealer, outcome),
        hand=place + 1,
    )
    hands = (*seat.hands[:place], replace(hand, settled=True), *seat.hands[place + 1 :])
    return _with(round_, replace(seat, hands=hands), settled)


def _words(round_: BlackjackRound, hand: PlayerHand, outcome: Outcome) -> str:
    """What the result came from: `, 20 against 19`; a blackjack that wins says enough."""
    if outcome in (WON_BLACKJACK, WON_DIAMONDS):
        return ""
    compared = len(round_.dealer) > 1 and (hand.is_left or hand.ending is Ending.BLACKJACK)
    dealer = describe_dealer(round_.dealer, pushes_22=round_.rules.push_22)
    against = f" against {dealer.removesuffix(', which pushes')}" if compared else ""
    return f", {describe_cards(hand.cards, first=hand.is_first)}{against}"


@rule("blackjack 1.14", "blackjack 1.15", "blackjack 1.16", "blackjack 4.4")
def _settle_side(round_: BlackjackRound, number: int, wager: SideWager) -> BlackjackRound:
    seat, spot = round_.seats[number], wager.key
    outcome = wager.on.judge(*_asked(round_, seat, wager.on))
    price = round_.offering.prices[spot][outcome]
    settled = settle(
        number,
        spot,
        price.row,
        price.pays[0],
        staked_cents=seat.wagers[spot],
        rounding=round_.offering.rounding,
        why=f"Dealer busts, up card {outcome.label}" if outcome in BUSTS.values() else outcome.label,
        cites=wager.spots[0].paragraph(outcome, price.pays[0]),
    )
    return _with(round_, replace(seat, settled=seat.settled | {spot}), settled)


def _asked(round_: BlackjackRound, seat: BlackjackSeat, on: OnDeal) -> tuple[Hand, object]:
    """What a side wager is judged from: some cards, and the fact beside them."""
    match on.fact:
        case Fact.DEALER_BLACKJACK:
            return seat.first_two, bool(round_.dealer_blackjack)
        case Fact.UP_CARD:
            return seat.first_two, round_.up_card
        case Fact.THIRD_CARD:
            return seat.first_two, seat.third_card
        case Fact.DEALER_TOTAL:
            return (round_.up_card,), round_.dealer_total
        case Fact.DEALER_HAND:
            return (), dealers_hand(round_.dealer)
        case Fact.NOTHING:
            return seat.first_two, None
        case Fact.OTHER_HAND:
            assert on.dealers is not None
            one, other = seat.hands
            return one.cards, on.dealers(other.cards)
        case Fact.DEALERS_TWO:
            assert on.dealers is not None
            # A wager that is settled before the second card is seen does not hang on it.
            return seat.first_two, on.dealers((*round_.dealer, round_.up_card)[:2])


def _with(round_: BlackjackRound, seat: BlackjackSeat, settled: Settlement) -> BlackjackRound:
    kind = "award" if settled.pay.kind is Kind.SHARE else "settle"
    text = say(settled, spot_title(round_, settled.spot))
    return round_.changed(
        seats=round_.with_seat(settled.seat, seat),
        settlements=(*round_.settlements, settled),
        events=(
            *round_.events,
            Event(kind, text, settled.seat, cents=settled.returned_cents, cites=settled.cites),
        ),
    )


def say(settled: Settlement, title: str) -> str:
    """One line that a player understands; a share of a meter is named, and paid by whoever keeps the meter."""
    start = f"Seat {settled.seat}, {title}: {settled.why}; {settled.stake}"
    if settled.pay.kind is Kind.SHARE:
        meter = f"the {settled.pay.meter} meter" if settled.pay.meter else "the meter"
        return f"{start} wins {str(settled.pay).split()[0]} of {meter}."
    if settled.spot == BET.key and settled.line.startswith(SURRENDER.label):
        return f"{start} loses half, {dollars(settled.returned_cents)} is returned."
    return sentence(settled, title)
