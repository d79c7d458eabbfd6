"""Which paragraph of the rulebook a line of a round rests on, so that people can read it where it is needed.

The numbers are of `docs/rulebook`, page of the game: `paragraph_of(round_, settlement)` is `5.2` where the dealer of
Triple Shot Rummy does not play.
"""

from __future__ import annotations

from collections.abc import Mapping

from croupier.games.paytable import Kind
from croupier.games.table.history import DEALER, Event, History
from croupier.games.table.settlement import Settlement

VOID = "Void"
_BY_WORDS: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "triple-shot-rummy": {
        "ante": {"Player folds": "5.8", "Dealer does not play": "5.2", "Tie": "5.5", "Dealer wins": "5.4", "": "5.3"},
        "play": {"Dealer does not play": "5.2", "Tie": "5.5", "Dealer wins": "5.4", "": "5.6"},
    },
    "three-card-baccarat": {"bet": {"Player wins": "4.3", "Tie": "4.5", "": "4.4"}},
    "supreme-99": {"bet": {"Both copy": "6.10", "Both win": "6.5", "One wins": "6.6", "": "6.7"}},
    "blackjack": {
        "bet": {
            **{"Blackjack": "8.7", "Win": "8.3", "Surrender": "8.10", "Even money": "4.6"},
            **{"Push": "8.4", "Lose": "8.5"},
        },
    },
}
"""By game and spot: how the reason of a settlement begins, and the paragraph; the empty beginning fits the rest."""
_BY_RESULT: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "triple-shot-rummy": {"pair-plus": ("6.7", "6.9"), "6-card-bonus": ("7.5", "7.7")},
    "three-card-baccarat": {"kings-bonus": ("5.3", "5.5"), "tie": ("6.7", "6.8"), "dragon-bonus": ("7.4", "7.5")},
    "supreme-99": {"pair-fortunes": ("7.2", "7.7")},
    "blackjack": {
        "insurance": ("4.4", "4.4"),
        "kings-bounty": ("9.3", "9.6"),
        "bet-the-bust": ("10.9", "10.10"),
        "blazing-7s-dealer": ("11.12", "11.1"),
        "blazing-7s-player": ("11.12", "11.1"),
        "trilux": ("12.5", "12.6"),
    },
}
"""By game and spot: the paragraph of a wager that wins, and of one that loses."""
_VOIDED = {"blackjack": "13.3"}
"""Where it is not 9.2."""
_EVENTS: Mapping[str, Mapping[str, str]] = {
    "triple-shot-rummy": {"no-more-bets": "3.1", "deal": "3.3", "decide": "4.1", "reveal": "5.1"},
    "three-card-baccarat": {"no-more-bets": "3.1", "deal": "3.2", "reveal": "3.5"},
    "supreme-99": {"rotation": "3.4", "deal": "3.6", "decide": "4.1", "reveal": "5.1"},
    "blackjack": {
        **{
            "no-more-bets": "3.1",
            "burn": "3.2",
            "insure": "4.2",
            "no-insurance": "4.3",
            "even-money": "4.6",
            "check": "5.1",
        },
        **{"bust-bet": "10.2", "no-bust-bet": "10.2", "stand": "6.5", "hit": "6.6", "double": "6.7", "split": "6.10"},
        **{"surrender": "6.19", "reveal": "7.2"},
    },
}
_ASKED_FOR = {"hit": "6.6", "double": "6.7"}
"""What brings a hand of blackjack one more card; the second card of a hand from a split comes by itself."""


def paragraph_of(round_: History, settlement: Settlement) -> str:
    """The number of the paragraph that a wager was paid or taken by."""
    game, why = round_.offering.game.key, settlement.why
    if settlement.line.startswith(VOID) or why.startswith("void, "):
        return _VOIDED.get(game, "9.2")
    if game == "blackjack" and settlement.spot == "bet":
        special = _of_blackjacks_bet(why)
        if special:
            return special
    by_words = _BY_WORDS[game].get(settlement.spot)
    if by_words is not None:
        return next(number for begins, number in by_words.items() if why.startswith(begins))
    if settlement.spot == "bet-the-bust" and settlement.pay.kind is Kind.PUSH:
        return "10.11"
    won, lost = _BY_RESULT[game][settlement.spot]
    return lost if settlement.pay.kind is Kind.LOSE else won


def _of_blackjacks_bet(why: str) -> str:
    """Why the same result came: `Lose, bust with 24`, `Push, blackjack against blackjack`."""
    outcome, _, words = why.partition(", ")
    if outcome.startswith("Lose"):
        return "8.6" if words.startswith("bust") else "8.8" if words.endswith("against blackjack") else ""
    return "8.9" if outcome.startswith("Push") and words.startswith("blackjack") else ""


def paragraphs_of_events(round_: History) -> list[str]:
    """For each event of the round the number of its paragraph, or nothing where none is needed."""
    settled, found = iter(round_.settlements), []  # both are in the order they were made
    blackjack, dealt, asked = round_.offering.game.key == "blackjack", 0, ""
    for event in round_.events:
        if blackjack and event.kind == "deal":
            dealt += event.position != DEALER
            found.append(_of_card(event, dealt, len(round_.seats), asked))
            asked = ""
        else:
            asked = event.kind if event.kind in _ASKED_FOR else asked
            found.append(_of_event(round_, event, next(settled) if event.kind in ("settle", "award") else None))
    return found


def _of_card(event: Event, dealt: int, seats: int, asked: str) -> str:
    """One card of blackjack: the first two of each seat, one that somebody asked for, a split hand's, the dealer's."""
    if event.position != DEALER:
        return "3.3" if dealt <= seats else "3.4" if dealt <= 2 * seats else _ASKED_FOR.get(asked, "6.13")
    if not event.cards:
        return "3.5"
    return "3.3" if "shows" in event.text else "7.1" if "turns up" in event.text else "7.2"


def _of_event(round_: History, event: Event, settlement: Settlement | None) -> str:
    game = round_.offering.game.key
    if settlement is not None:
        return paragraph_of(round_, settlement)
    if event.kind in ("void", "undo"):
        return _VOIDED.get(game, "9.2")
    return _EVENTS[game].get(event.kind, "")


def cited_paragraphs(game: str) -> set[str]:
    """Every number that may be cited of a game."""
    by_words = (each.values() for each in _BY_WORDS[game].values())
    found = {number for numbers in (*by_words, *_BY_RESULT[game].values()) for number in numbers}
    more = {"3.3", "3.4", "3.5", "6.13", "7.1", "8.6", "8.8", "8.9", "10.11"} if game == "blackjack" else set()
    return found | more | set(_EVENTS[game].values()) | {_VOIDED.get(game, "9.2")}
