"""What happens at a blackjack table without anybody deciding it: cards go out, hands end, the dealer plays.

`go_on` takes a round from one act to the moment when people have to do something again. Cards come from the shoe, or,
beside real cards, one after another from the person who enters them: the same steps either way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from croupier.cards.card import Card, Hand, format_cards
from croupier.errors import Refusal
from croupier.games.blackjack.hand import (
    BET,
    BY_CARDS,
    DEALER_DRAWS,
    HOLE_CARD,
    TURNED_UP,
    UP_CARD,
    BlackjackSeat,
    Ending,
    PlayerHand,
    card_cites,
    describe_dealer,
)
from croupier.games.blackjack.round import BlackjackRound, Owed, Phase, hand_of, next_in_play
from croupier.games.blackjack.rules import ACE, BURNED
from croupier.games.blackjack.settlement import (
    settle_blackjacks,
    settle_early,
    settle_ended,
    settle_insurance,
    waits_for_second_card,
)
from croupier.games.blackjack.side_wagers import (
    BET_THE_BUST,
    DEALER_BLACKJACK,
    INSURANCE,
    is_blackjack,
    value,
)
from croupier.games.rulebook import rule
from croupier.games.table.bets import void_round
from croupier.games.table.history import DEALER, Event

# Who may insure against the dealer's ace, for how much, and who may take even money instead.


@rule("blackjack 4.1", "blackjack 4.2", "blackjack 4.7", "blackjack 15.11")
def may_insure(round_: BlackjackRound, seat: int) -> bool:
    """Whether a seat is asked: the dealer shows an ace, and half of the Bet is a chip or there is even money."""
    offered = round_.rules.insurance and value(round_.up_card) == ACE
    if any(hand.ending is Ending.SURRENDERED for hand in round_.seats[seat].hands):
        return False
    return offered and (most_insurance_cents(round_, seat) > 0 or may_take_even_money(round_, seat))


@rule("blackjack 4.2")
def most_insurance_cents(round_: BlackjackRound, seat: int) -> int:
    """Half of the Bet in whole chips."""
    chip = round_.offering.rounding.chip_cents
    return round_.seats[seat].wagers[BET.key] // (2 * chip) * chip


@rule("blackjack 4.7")
def may_take_even_money(round_: BlackjackRound, seat: int) -> bool:
    """A seat with a blackjack, where it pays 3 to 2 and pushes against a blackjack, and insurance pays 2 to 1."""
    insured = round_.offering.prices[INSURANCE.key][DEALER_BLACKJACK].net
    return round_.rules.even_money and insured == 2 and round_.seats[seat].hands[0].ending is Ending.BLACKJACK


# Who may give up a hand before the dealer looks for a blackjack.


@rule("blackjack 6.22", "blackjack 6.3", "blackjack 15.23")
def may_surrender_early(round_: BlackjackRound, seat: int) -> bool:
    """Whether a seat is asked: the hole card will be checked, and its hand is no blackjack."""
    rules = round_.rules
    checks = rules.hole_card and round_.blackjack_possible and rules.surrenders_early(value(round_.up_card))
    return checks and round_.seats[seat].hands[0].ending is None


# Who may put the proceeds of a side wager on the Bet, and how much.


@rule("blackjack 19.6", "blackjack 19.7", "blackjack 19.8")
def most_cap_cents(round_: BlackjackRound, seat: int) -> int:
    """What the side wagers that may be put on the Bet have brought in, in whole chips; nothing where it is paid."""
    hand, chip = round_.seats[seat].hands[0], round_.offering.rounding.chip_cents
    if hand.settled:
        return 0
    spots = {wager.key for wager in round_.game.side_wagers if wager.caps}
    proceeds = sum(s.returned_cents for s in round_.settlements if s.seat == seat and s.spot in spots)
    return proceeds // chip * chip


def go_on(round_: BlackjackRound) -> BlackjackRound:
    """The round at the next moment when it waits for people."""
    while not round_.is_over:
        if round_.owed:
            if round_.shoe is None:
                return round_
            round_ = _serve(round_)
            continue
        after = STEPS[round_.phase](round_)
        if after is round_:
            return round_
        round_ = after
    return round_


# Cards


@rule("blackjack 3.3", "blackjack 3.4", "blackjack 3.5", "blackjack 3.6")
def initial_cards(round_: BlackjackRound) -> tuple[Owed, ...]:
    """Who gets the initial cards, in order. Beside real cards the hole card stays unknown and is not entered."""
    hands = range(round_.rules.first_hands)
    seats = tuple(Owed(number, place) for number in round_.seats for place in hands)
    hole = (Owed(DEALER, face_down=True),) if round_.shoe and round_.rules.hole_card else ()
    return (*seats, Owed(DEALER), *seats, *hole)


@rule("blackjack 3.2")
def burn(round_: BlackjackRound) -> BlackjackRound:
    """The first card of a fresh shoe is laid aside."""
    if not round_.shoe or round_.shoe.dealt:
        return round_
    burned, shoe = round_.shoe.draw(BURNED)
    return round_.with_event(Event("burn", "The first card of the shoe is burned."), shoe=shoe, burned=burned)


@rule("blackjack 13.2")
def _serve(round_: BlackjackRound) -> BlackjackRound:
    """One card from the shoe; without one the round is void."""
    assert round_.shoe is not None
    if not round_.shoe.remaining:
        return void_round(round_, "the shoe has run out of cards")
    [card], shoe = round_.shoe.draw()
    return give(round_, card, shoe=shoe)


def enter(round_: BlackjackRound, cards: Hand) -> BlackjackRound:
    """Real cards, one after another to whoever is owed the next; one too many is refused."""
    for number, card in enumerate(cards, start=1):
        if not round_.owed:
            raise Refusal(
                "too-many-cards",
                f"Card {number}, {card}, goes to nobody: before it, {round_.what_is_next}.",
            )
        _check_hole(round_, card)
        round_ = go_on(give(round_, card))
    return round_


@rule("blackjack 5.2")
def _check_hole(round_: BlackjackRound, card: Card) -> None:
    """A hole card must be what the dealer saw at the check."""
    if round_.owed[0].position != DEALER or len(round_.dealer) != 1 or not round_.rules.hole_card:
        return
    if is_blackjack((*round_.dealer, card)) != round_.dealer_blackjack:
        verdict = "a blackjack" if round_.dealer_blackjack else "no blackjack"
        raise Refusal("not-as-checked", f"The hole card cannot be {card}: the check found {verdict}.")


def give(round_: BlackjackRound, card: Card, **changes: object) -> BlackjackRound:
    """The card to whoever is owed the next one."""
    [(position, place, face_down), *rest] = round_.owed
    changes["owed"] = tuple(rest)
    if face_down:
        lies = Event("deal", "The dealer's hole card lies face down.", DEALER, cites=HOLE_CARD)
        return round_.with_event(lies, hole=card, **changes)
    if position == DEALER:
        return _to_dealer(round_, card, **changes)
    seat = round_.seats[position]
    hands = seat.hands or first_hands(round_, seat)
    seat = replace(seat, hands=hands)
    first = len(seat.dealt) // round_.rules.first_hands
    text, rests_on = f"{hand_of(seat, position, place).capitalize()} receives {card}.", card_cites(hands[place], first)
    event = Event("deal", text, position, (card,), cites=rests_on)
    hand = hands[place].with_card(card, round_.rules, hands=len(seat.kin(place)))
    seat = replace(seat, dealt=(*seat.dealt, card), hands=_put(hands, place, hand))
    round_ = round_.with_event(event, seats=round_.with_seat(position, seat), **changes)
    return settle_ended(round_, position, place) if hand.ending in (Ending.BUST, *BY_CARDS) else round_


@rule("blackjack-switch 20.1")
def first_hands(round_: BlackjackRound, seat: BlackjackSeat) -> tuple[PlayerHand, ...]:
    """The hands that a seat is dealt, without a card: one, or two that carry half of the Bet each."""
    bet_cents = seat.wagers[BET.key] // round_.rules.first_hands
    return tuple(PlayerHand((), bet_cents, origin=origin) for origin in range(round_.rules.first_hands))


def _to_dealer(round_: BlackjackRound, card: Card, **changes: object) -> BlackjackRound:
    """A card face up: the up card, the hole card that is turned, or one that is drawn."""
    hole = len(round_.dealer) == 1 and round_.rules.hole_card
    first = not round_.dealer
    verb = "shows" if first else "turns up" if hole else "draws"
    rests_on = UP_CARD if first else TURNED_UP if hole else DEALER_DRAWS
    event = Event("deal", f"The dealer {verb} {card}.", DEALER, (card,), cites=rests_on)
    return round_.with_event(event, dealer=(*round_.dealer, card), **changes)


def _put(hands: tuple[PlayerHand, ...], place: int, *new: PlayerHand) -> tuple[PlayerHand, ...]:
    return (*hands[:place], *new, *hands[place + 1 :])


def put_hand(round_: BlackjackRound, seat: int, place: int, *new: PlayerHand, added_cents: int = 0) -> BlackjackRound:
    """The round with this hand changed, or become two; the added money goes to the Bet."""
    old = round_.seats[seat]
    wagers = {**old.wagers, BET.key: old.wagers[BET.key] + added_cents} if added_cents else old.wagers
    changed = replace(old, hands=_put(old.hands, place, *new), wagers=wagers)
    return round_.changed(seats=round_.with_seat(seat, changed))


# Steps: each gives the round after it, or the same round where people have to act


@rule("blackjack 3.1", "blackjack 6.22")
def _after_deal(round_: BlackjackRound) -> BlackjackRound:
    """The initial cards lie there: early wagers are settled, and early surrender is offered where there is one."""
    round_ = settle_early(round_)
    asked = tuple(number for number in round_.seats if may_surrender_early(round_, number))
    return round_.changed(phase=Phase.SURRENDERING, asked=asked)


@rule("blackjack 4.1", "blackjack 4.3")
def _after_surrenders(round_: BlackjackRound) -> BlackjackRound:
    """Insurance is offered against an ace."""
    if round_.asked:
        return round_
    asked = tuple(number for number in round_.seats if may_insure(round_, number))
    return round_.changed(phase=Phase.INSURANCE, asked=asked)


@rule("blackjack 5.1", "blackjack 5.4", "blackjack 5.6")
def _check(round_: BlackjackRound) -> BlackjackRound:
    """The dealer looks at the hole card; beside real cards a person says what the dealer saw."""
    if not round_.blackjack_possible:
        return checked(round_, dealer_blackjack=False)
    if not round_.rules.hole_card:
        return round_.changed(phase=Phase.PLAYING)
    if round_.dealer_blackjack is not None:
        return _found_blackjack(round_)
    return round_ if round_.hole is None else checked(round_, is_blackjack((*round_.dealer, round_.hole)))


@rule("blackjack 5.2", "blackjack 5.3")
def checked(round_: BlackjackRound, dealer_blackjack: bool) -> BlackjackRound:
    """What the check has shown. Where there is no blackjack, proceeds of side wagers may be put on the Bet."""
    round_ = round_.changed(dealer_blackjack=dealer_blackjack)
    if dealer_blackjack:
        return turn_up(round_)
    if round_.blackjack_possible:
        round_ = round_.with_event(Event("check", "The dealer has no blackjack.", DEALER))
    round_ = settle_insurance(round_)
    asked = tuple(number for number in round_.seats if most_cap_cents(round_, number))
    return round_.changed(phase=Phase.CAPPING, asked=asked)


@rule("blackjack 19.9", "blackjack-switch 20.3")
def _after_caps(round_: BlackjackRound) -> BlackjackRound:
    """Where seats have two hands, they are asked whether the second cards change places."""
    if round_.asked:
        return round_
    asked = tuple(round_.seats) if round_.rules.switch else ()
    return round_.changed(phase=Phase.SWITCHING, asked=asked)


@rule("blackjack 5.5", "blackjack 10.2", "blackjack 10.3", "blackjack 10.5", "blackjack-switch 20.6")
def _after_switches(round_: BlackjackRound) -> BlackjackRound:
    """Players' blackjacks are paid; where hands are left, Bet the Bust may follow."""
    if round_.asked:
        return round_
    round_ = settle_blackjacks(round_)
    offered = round_.offering.offers(BET_THE_BUST.key)
    asked = tuple(round_.seats) if offered and any(round_.hands_left()) else ()
    return round_.changed(phase=Phase.BUST_WAGERS, asked=asked)


def _found_blackjack(round_: BlackjackRound) -> BlackjackRound:
    """The hole card of a blackjack has been turned up."""
    return settle_insurance(_show(round_)).changed(phase=Phase.SETTLING)


@rule("blackjack 7.1")
def turn_up(round_: BlackjackRound) -> BlackjackRound:
    """The hole card is turned up; where none lies there, the dealer's second card is dealt."""
    if round_.hole is None:
        return round_.changed(owed=(Owed(DEALER),))
    return _to_dealer(round_, round_.hole, hole=None)


def _show(round_: BlackjackRound) -> BlackjackRound:
    words = describe_dealer(round_.dealer, pushes_22=round_.rules.push_22)
    text = f"The dealer has {format_cards(round_.dealer)}: {words}."
    return round_.with_event(Event("reveal", text, DEALER, round_.dealer))


@rule("blackjack 6.1", "blackjack 6.2", "blackjack 6.13", "blackjack 7.5", "blackjack 7.7")
def _play(round_: BlackjackRound) -> BlackjackRound:
    """The next hand in play decides; a split hand that it comes to receives its second card first."""
    turn = next_in_play(round_)
    if turn is None:
        dealer_plays = round_.is_played_out or waits_for_second_card(round_)
        return round_.changed(phase=Phase.DEALER if dealer_plays else Phase.SETTLING)
    if len(round_.seats[turn.seat].hands[turn.hand].cards) > 1:
        return round_
    return round_.changed(owed=(Owed(*turn),))


@rule("blackjack 7.2", "blackjack 7.3", "blackjack 7.4", "blackjack 7.7", "blackjack 13.5")
def _dealer_plays(round_: BlackjackRound) -> BlackjackRound:
    """The dealer draws as the rules say, without a choice."""
    if len(round_.dealer) < 2:
        return round_
    if round_.dealer_blackjack is None:
        round_ = settle_insurance(round_.changed(dealer_blackjack=is_blackjack(round_.dealer)))
    total, soft = round_.dealer_count
    if round_.is_played_out and round_.rules.dealer_draws(total, soft=soft):
        return round_.changed(owed=(Owed(DEALER),))
    return _show(round_).changed(phase=Phase.SETTLING)


def _wait(round_: BlackjackRound) -> BlackjackRound:
    return round_


def _once_answered(phase: Phase, round_: BlackjackRound) -> BlackjackRound:
    return round_ if round_.asked else round_.changed(phase=phase)


STEPS: Mapping[Phase, Callable[[BlackjackRound], BlackjackRound]] = {
    Phase.BETTING: _wait,
    Phase.DEALING: _after_deal,
    Phase.SURRENDERING: _after_surrenders,
    Phase.INSURANCE: partial(_once_answered, Phase.CHECKING),
    Phase.CHECKING: _check,
    Phase.CAPPING: _after_caps,
    Phase.SWITCHING: _after_switches,
    Phase.BUST_WAGERS: partial(_once_answered, Phase.PLAYING),
    Phase.PLAYING: _play,
    Phase.DEALER: _dealer_plays,
    Phase.SETTLING: _wait,
}
