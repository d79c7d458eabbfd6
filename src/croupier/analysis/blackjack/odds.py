"""The odds of blackjack as they are asked for: the base wager by the exact solver, the side wagers by counting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from croupier.analysis.blackjack.asked import Asked, amounts, check_questions, share, table_rules
from croupier.analysis.blackjack.bet import bet_as_json, bet_figures
from croupier.analysis.blackjack.chart import Chart
from croupier.analysis.blackjack.more import Fundings, find_hold, together_as_json, with_bet, with_players
from croupier.analysis.blackjack.sides import decks_of, side_sheets
from croupier.analysis.side_wagers import SideSheet
from croupier.errors import NotationError
from croupier.games.blackjack.game import BlackjackGame, blackjack
from croupier.games.blackjack.hand import BET
from croupier.games.wager import FindPaytable, Wager


def game_asked(asked: Asked) -> BlackjackGame:
    """The game that the question is about; what is wrong with the question is said here."""
    check_questions(asked)
    game = blackjack(table_rules(asked.rules, asked.decks))
    if asked.paytable and not asked.wager:
        names = ", ".join(each.key for each in game.wagers)
        raise NotationError(f"--paytable {asked.paytable} needs the wager it belongs to: name one of {names}.")
    return game


def wagers_asked(game: BlackjackGame, asked: Asked) -> Iterator[Wager]:
    """The one that is named, or all that are offered with so many decks."""
    if asked.wager:
        yield game.wager(asked.wager)
        return
    yield from (wager for wager in game.wagers if wager.key == BET.key or game.rules.decks in decks_of(wager))


def fundings_asked(sheet: SideSheet, asked: Asked) -> Fundings | None:
    """The fundings with the hold that was asked for."""
    if asked.find_hold is None:
        return None
    if sheet.progressive is None:
        raise NotationError(f"{sheet.wager.title} has no meter, so it has no hold to find.")
    seeds = amounts(asked.seeds, "seed")
    return find_hold(sheet, asked.find_hold, contribution=share(asked.contribution), seeds=seeds)


def odds_as_json(asked: Asked, find_paytable: FindPaytable, chart: Chart | None = None) -> Any:
    """A sheet for each wager and paytable; one alone where only one can be meant."""
    game = game_asked(asked)
    found: list[dict[str, Any]] = []
    for wager in wagers_asked(game, asked):
        if wager.key == BET.key:
            found.append(bet_as_json(game, bet_figures(game, asked, chart)))
        else:
            found += [_side(game, sheet, asked) for sheet in side_sheets(game, wager, asked, find_paytable)]
    return found[0] if asked.paytable or asked.wager == BET.key else found


def _side(game: BlackjackGame, sheet: SideSheet, asked: Asked) -> dict[str, Any]:
    """The sheet, and what was asked beside its figures."""
    fundings, found = fundings_asked(sheet, asked), sheet.as_json()
    if asked.players is not None:
        found["with_players"] = with_players(game, sheet, asked.players).as_json()
    if asked.with_bet:
        found["with_bet"] = together_as_json(with_bet(game, sheet))
    if fundings is not None:
        found["fundings"] = fundings.as_json()
    return found
