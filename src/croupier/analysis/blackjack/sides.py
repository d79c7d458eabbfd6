"""The side wagers of blackjack as they are asked for: paytables, meters and their money."""

from __future__ import annotations

from croupier.analysis.blackjack.asked import Asked, amounts, levels, share
from croupier.analysis.printing import decks_in_words, listed
from croupier.analysis.side_wagers import SideSheet, make_side_sheet
from croupier.errors import NotationError
from croupier.games.blackjack.game import DECKS_OF, BlackjackGame
from croupier.games.blackjack.rules import DECKS
from croupier.games.blackjack.side_wagers import BET_THE_BUST
from croupier.games.paytable import Paytable
from croupier.games.wager import FindPaytable, Wager, paytable_name


def decks_of(wager: Wager) -> tuple[int, ...]:
    """With how many decks a wager is offered (blackjack 1.7)."""
    return tuple(DECKS_OF.get(wager.key, DECKS))


def side_sheets(game: BlackjackGame, wager: Wager, asked: Asked, find_paytable: FindPaytable) -> list[SideSheet]:
    """One sheet for each paytable asked for, at the meters and with the money that was said."""
    decks = game.rules.decks
    if decks not in decks_of(wager):
        allowed = listed(decks_of(wager))
        raise NotationError(f"{wager.title} is not offered with {decks_in_words(decks)}: it takes {allowed}.")
    names = [asked.paytable] if asked.paytable else list(wager.paytables)
    if wager is BET_THE_BUST and not asked.paytable:
        names = ["1" if game.rules.hits_soft_17 else "2"]
    return [side_sheet(game, wager, name, find_paytable(wager, name), asked) for name in names]


def side_sheet(game: BlackjackGame, wager: Wager, name: str, paytable: Paytable, asked: Asked) -> SideSheet:
    """The sheet of one paytable, approved or one's own, at the meters and with the money asked for."""
    return make_side_sheet(
        game,
        wager,
        paytable_name(wager, name, paytable),
        paytable,
        game.rules.decks,
        meters=levels(wager, paytable, amounts(asked.meters, "meter")),
        contribution=share(asked.contribution),
        seeds=levels(wager, paytable, amounts(asked.seeds, "seed")),
        rules=game.rules,
    )
