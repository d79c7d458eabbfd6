"""Blackjack: drawing from a shoe, counted by the exact solver and the censuses of its side wagers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from croupier.analysis.analyst import NOTHING_TO_DECIDE
from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.blackjack.solver import Resplit, insurance_values, solve
from croupier.analysis.blackjack.strategy import Action
from croupier.analysis.expected import UP_CARD, worth_of_bust
from croupier.cards.card import Card, Hand
from croupier.games.blackjack.answers import BustBet
from croupier.games.blackjack.deal import most_insurance_cents
from croupier.games.blackjack.decisions import decisions
from croupier.games.blackjack.game import BlackjackGame
from croupier.games.blackjack.hand import BET, PlayerHand
from croupier.games.blackjack.round import BlackjackRound, Phase
from croupier.games.blackjack.side_wagers import BET_THE_BUST, value
from croupier.games.game import TableGame
from croupier.games.table.choices import least_cents
from croupier.games.table.history import History

SEEN_CARDS = "every card that lies face up in this round; a fresh shoe otherwise"
NO_BLACKJACK = "; given that the dealer has no blackjack"
AFTER_SPLIT = "; each other hand of the split is played by its own cards, and a pair is split again where it may be"
NO_AMOUNTS: Mapping[str, tuple[int, float]] = MappingProxyType({})


def fits(game: TableGame) -> bool:
    return isinstance(game, BlackjackGame)


def analyst(game: TableGame) -> BlackjackAnalyst:
    assert isinstance(game, BlackjackGame)
    return BlackjackAnalyst(game)


@dataclass(frozen=True, eq=False)
class BlackjackAnalyst:
    """Asks the solver about the rules of the placard."""

    game: BlackjackGame

    def hints(self, round_: History) -> dict[str, Any]:
        assert isinstance(round_, BlackjackRound)
        return _hints(round_)


# Hints


def _hints(round_: BlackjackRound) -> dict[str, Any]:
    if round_.phase is Phase.INSURANCE and round_.asked:
        seats = [{"seat": number, **_insurance(round_, number)} for number in round_.asked]
        return {"given": SEEN_CARDS, "seats": seats, "sentence": ""}
    if round_.phase is Phase.BUST_WAGERS and round_.asked:
        seats = [{"seat": number, "decisions": _bust(round_, number)} for number in round_.asked]
        return {"given": UP_CARD, "seats": seats, "sentence": ""}
    if round_.turn is None:
        return {"given": SEEN_CARDS, "seats": [], "sentence": NOTHING_TO_DECIDE}
    number, place = round_.turn
    hand = round_.seats[number].hands[place]
    allowed = {act.name: str(act) for act in decisions(round_)}
    worth = {allowed[str(act)]: each for act, each in _of_hand(round_, number, hand).items() if str(act) in allowed}
    given = SEEN_CARDS + (NO_BLACKJACK if round_.rules.hole_card else "") + (AFTER_SPLIT if hand.from_split else "")
    return {"given": given, "seats": [{"seat": number, "hand": place + 1, "decisions": _rated(worth)}], "sentence": ""}


def _of_hand(round_: BlackjackRound, number: int, hand: PlayerHand) -> dict[Action, float]:
    """Per unit of the hand's wager; after a split with what splitting again does to the hands that wait."""
    up = value(round_.up_card)
    solution = solve(round_.rules, _unseen(round_, (*hand.cards, round_.up_card)))
    worth = solution.hand_values(_values(hand.cards), up)
    beside = round_.seats[number].hands
    if hand.pair_value is not None and hand.may_split(round_.rules, hands=len(beside)) and hand.from_split:
        waiting = sum(len(each.cards) == 1 for each in beside)
        worth[Action.SPLIT] = Resplit(solution, hand.pair_value, up, len(beside), waiting).value
    return worth


def _insurance(round_: BlackjackRound, number: int) -> dict[str, Any]:
    held = round_.seats[number].first_two
    solution = solve(round_.rules, _unseen(round_, (*held, round_.up_card)))
    found = insurance_values(solution, _values(held), value(round_.up_card))
    bet, most = round_.seats[number].wagers[BET.key], most_insurance_cents(round_, number)
    ways = {name: worth["value"] for name, worth in found.get("blackjack_before_check", {}).items()}
    without = ways.get("neither", 0.0)
    insure, each = f"insure {number}", found["insurance"]["value"]
    worth = {insure: without + each * most / bet, f"no-insurance {number}": without}
    if "even money" in ways:
        worth[f"even-money {number}"] = ways["even money"]
    return {"decisions": _rated(worth, {insure: (most, each)}), **found}


def _bust(round_: BlackjackRound, number: int) -> list[dict[str, Any]]:
    """Bet the Bust for the least against this up card; the dealer's whole shoe is counted."""
    legal = BustBet(number, least_cents(round_.offering, BET_THE_BUST.key))
    edge = worth_of_bust(round_)
    bet = round_.seats[number].wagers[BET.key]
    amount = {str(legal): (legal.cents, -edge)}
    return _rated({str(legal): -edge * legal.cents / bet, f"no-bust-bet {number}": 0.0}, amount)


def _rated(worth: dict[str, float], amounts: Mapping[str, tuple[int, float]] = NO_AMOUNTS) -> list[dict[str, Any]]:
    """The best first. Where somebody chooses an amount: the one that it was counted for, and what each cent of it is
    worth, so that another one can be told."""
    best = max(worth.values())
    return [
        {"act": act, "value": each, "cost": best - each, **_amount(amounts.get(act))}
        for act, each in sorted(worth.items(), key=lambda way: -way[1])
    ]


def _amount(counted: tuple[int, float] | None) -> dict[str, float]:
    return dict(zip(("cents", "value_of_a_cent"), counted, strict=True)) if counted else {}


def _unseen(round_: BlackjackRound, own: Hand) -> Composition:
    """The shoe without what others show; the solver takes the hand and the up card out itself."""
    seen: list[Card] = [*round_.dealer, *(card for seat in round_.seats.values() for card in seat.dealt)]
    for card in own:
        seen.remove(card)
    shoe = Composition.full(round_.rules.decks)
    return shoe.without(_values(tuple(seen)))


def _values(cards: Hand) -> tuple[int, ...]:
    return tuple(map(value, cards))
