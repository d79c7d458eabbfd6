"""What the wagers of one round were worth before its cards, by the exact edge of each: a session's yardstick."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from croupier.analysis.blackjack.question import OPTIMAL
from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.blackjack.side.census import BustSheet, make_side_sheet
from croupier.analysis.blackjack.solver import insurance
from croupier.analysis.lab.placard import bet_sheet
from croupier.analysis.sheet import make_sheet
from croupier.games.blackjack.game import blackjack
from croupier.games.blackjack.hand import BET, BlackjackSeat
from croupier.games.blackjack.round import BlackjackRound
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.side_wagers import BET_THE_BUST, INSURANCE, value
from croupier.games.catalogue import find_game
from croupier.games.head_to_head.round import Round
from croupier.games.paytable import Kind, Paytable
from croupier.games.table.history import VOID, History

BEST_PLAY = "the whole deck, and the best play"
FIRST_CARDS = "the whole shoe"
FIXED_PAYS = "the whole shoe, and the fixed pays alone: a meter is paid by whoever keeps it"
UP_CARD = "the dealer's up card"
SEEN = "the cards in sight"


class Worth(NamedTuple):
    """The house's edge and the standard deviation of a wager, per unit."""

    edge: float
    deviation: float
    given: str


def expected_of(round_: History) -> dict[str, Any]:
    """Each wager of a round that is over; nothing where it was called off, because every wager went back."""
    wagers = [] if round_.phase == VOID else list(_wagers(round_))
    return {
        "wagers": [
            {"seat": seat, "wager": wager, "staked_cents": cents, **worth._asdict()}
            for seat, wager, cents, worth in wagers
        ],
        "result_cents": sum(round_.result_cents(seat) for seat in round_.seats),
        "expected_cents": -sum(cents * worth.edge for *_, cents, worth in wagers),
        "variance_cents2": sum((cents * worth.deviation) ** 2 for *_, cents, worth in wagers),
    }


def _wagers(round_: History) -> Iterator[tuple[int, str, int, Worth]]:
    """A wager of several spots is told by its first."""
    for number, seat in round_.seats.items():
        for wager in round_.offering.game.wagers:
            cents = seat.wagers.get(wager.spots[0].key)
            if cents is None:
                continue
            if isinstance(round_, BlackjackRound):
                yield number, wager.key, *_in_blackjack(round_, number, wager.key, cents)
            else:
                assert isinstance(round_, Round)
                yield number, wager.key, cents, _head_to_head(round_.game.key, wager.key, _rows(round_, wager.key))


def _rows(round_: History, wager: str) -> str:
    return str(round_.offering.paytable(wager))


def _in_blackjack(round_: BlackjackRound, number: int, wager: str, cents: int) -> tuple[int, Worth]:
    seat, rules = round_.seats[number], round_.rules
    if wager == BET.key:
        return _first_bet(seat), _bet(str(rules))
    if wager == INSURANCE.key:
        return cents, _insurance(round_)
    worth = _side(_counted_as(rules), wager, _rows(round_, wager), value(round_.up_card))
    return cents, worth


def _counted_as(rules: Rules) -> str:
    """A side wager is counted anew, which takes seconds, only for rules that matter to it."""
    usual = Rules()
    return str(replace(rules, cut=usual.cut, insurance=usual.insurance, blackjack_odds=usual.blackjack_odds))


def worth_of_bust(round_: BlackjackRound) -> float:
    """The house's edge on Bet the Bust against the up card."""
    key = BET_THE_BUST.key
    return _side(_counted_as(round_.rules), key, _rows(round_, key), value(round_.up_card)).edge


def _first_bet(seat: BlackjackSeat) -> int:
    """What was bet before anything was doubled or split."""
    first = seat.hands[0]
    return first.cents // 2 if first.doubled else first.cents


def _insurance(round_: BlackjackRound) -> Worth:
    """From the first two cards of every seat, as it was offered."""
    held = [value(card) for seat in round_.seats.values() for card in seat.first_two]
    edge = -float(insurance(Composition.full(round_.rules.decks), held))
    won = (1 - edge) / 3  # it pays 2 to 1
    return Worth(edge, 3 * (won * (1 - won)) ** 0.5, SEEN)


@lru_cache(maxsize=64)
def _head_to_head(game: str, wager: str, rows: str) -> Worth:
    found = find_game(game)
    figures = make_sheet(found, found.wager(wager), "", Paytable.parse("", rows)).figures
    return Worth(float(figures.house_edge), figures.standard_deviation, BEST_PLAY)


@lru_cache(maxsize=32)
def _bet(rules: str) -> Worth:
    figures = bet_sheet(rules, OPTIMAL)
    return Worth(-figures.edge, figures.swings.standard_deviation, BEST_PLAY)


@lru_cache(maxsize=64)
def _side(rules: str, wager: str, rows: str, up: int) -> Worth:
    game, paytable = blackjack(Rules.parse(rules)), Paytable.parse("", rows)
    meters = {row.pay.meter: 0 for row in paytable.rows if row.pay.kind is Kind.SHARE}
    sheet = make_side_sheet(
        game, game.wager(wager), "", paytable, game.rules.decks, meters=meters or None, rules=game.rules
    )
    if isinstance(sheet, BustSheet):
        against = sheet.up_cards[up - 1]
        win = float(against.odds) + 1
        bust = float(against.bust)
        return Worth(float(against.house_edge), win * (bust * (1 - bust)) ** 0.5, UP_CARD)
    figures = sheet.figures
    return Worth(float(figures.house_edge), figures.standard_deviation, FIXED_PAYS if meters else FIRST_CARDS)
