"""What an act beside real cards brought about, line by line: after each card of blackjack the hand and its total."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.cards.card import format_cards
from croupier.games.blackjack.acts import Deal, Peek
from croupier.games.blackjack.hand import describe, describe_cards
from croupier.games.blackjack.round import BlackjackRound, Owed
from croupier.games.history import DEALER, Act, Event, History

BLACKJACK_FOUND = "The dealer has a blackjack."


def story(before: History, act: Act[Any], after: History) -> Iterator[str]:
    """The lines to be read after an act that was done."""
    if isinstance(before, BlackjackRound) and isinstance(act, Deal):
        yield from _card_by_card(before, act)
        return
    if isinstance(act, Peek) and act.blackjack:
        yield BLACKJACK_FOUND
    yield from map(_told, after.events[len(before.events) :])


def _card_by_card(round_: BlackjackRound, act: Deal) -> Iterator[str]:
    """The same cards one after another, so that every hand is seen as it then was."""
    for card in act.cards:
        owed, after = round_.owed[0], round_.do(Deal((card,)))
        first, *others = after.events[len(round_.events) :]
        yield _with_hand(first, after, owed)
        yield from map(_told, others)
        round_ = after


def _with_hand(event: Event, after: BlackjackRound, owed: Owed) -> str:
    """`Seat 1 receives 8d: 8h 8d, 16.`; a single card says itself what it counts."""
    if owed.position == DEALER:
        cards, words = after.dealer, describe_cards(after.dealer)
    else:
        hand = after.seats[owed.position].hands[owed.hand]
        cards, words = hand.cards, describe(hand)
    return event.text if len(cards) < 2 else f"{event.text.rstrip('.')}: {format_cards(cards)}, {words}."


def _told(event: Event) -> str:
    """An event's text, with the cards where they are not in it."""
    cards = format_cards(event.cards)
    return event.text if cards in event.text else f"{event.text.rstrip('.')}: {cards}."
