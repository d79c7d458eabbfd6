"""PAR sheets as they are asked for, with the figures that the rule documents print beside the counted ones."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.analysis.blackjack.asked import Asked
from croupier.analysis.blackjack.conventions import Convention
from croupier.analysis.blackjack.more import basic_play
from croupier.analysis.blackjack.odds import game_asked
from croupier.analysis.blackjack.sides import side_sheet
from croupier.analysis.par import Par, make_par
from croupier.analysis.par_blackjack import BlackjackPar, BlackjackSheet, blackjack_sheets, make_blackjack_par
from croupier.analysis.sheet import sheets_for
from croupier.analysis.side_push import BustTable, PushFigures
from croupier.analysis.side_wagers import BustSheet, SideSheet
from croupier.compliance.printed import Finding, load_printed, verify_printed
from croupier.errors import UnknownName
from croupier.games.blackjack.game import BlackjackGame
from croupier.games.catalogue import find_game
from croupier.games.game import TableGame
from croupier.games.paytable import Paytable
from croupier.games.wager import FindPaytable, Wager, approved_paytable, paytable_name


def par_for(
    game: str, wager: str | None, paytable: str | None, strategy: str, find_paytable: FindPaytable = approved_paytable
) -> Par:
    """The PAR sheet of a head-to-head game."""
    found = find_game(game)
    sheets = sheets_for(found, found.wager(wager) if wager else None, paytable, strategy, find_paytable)
    return make_par(found, sheets, printed_figures(found))


def blackjack_par_for(asked: Asked, find_paytable: FindPaytable = approved_paytable) -> BlackjackPar:
    """Blackjack under these rules: all wagers that go with them, or the one that was named."""
    if asked.strategy != "optimal":
        raise UnknownName("strategy for the PAR sheet of Blackjack", asked.strategy, ["optimal"])
    game = game_asked(asked)
    named = game.wager(asked.wager) if asked.wager else None
    own: tuple[str, Paytable] | None = None
    if asked.paytable and named:
        table = find_paytable(named, asked.paytable)
        own = paytable_name(named, asked.paytable, table), table

    def make_side(game: BlackjackGame, wager: Wager, paytable_id: str, paytable: Paytable) -> SideSheet:
        return side_sheet(game, wager, paytable_id, paytable, asked)

    convention = Convention.parse(asked.convention)
    sheets = blackjack_sheets(game, named, own, convention=convention, make_side=make_side)
    return make_blackjack_par(game, sheets, printed_figures(game), _push(game, sheets, asked.players))


def printed_figures(game: TableGame) -> list[Finding]:
    """What the documents print about this game, compared."""
    printed = load_printed()
    printed["table"] = [each for each in printed["table"] if each["game"] == game.key]
    return list(verify_printed(printed))


def _push(game: BlackjackGame, sheets: Sequence[BlackjackSheet], players: int | None) -> PushFigures | None:
    """Bet the Bust with its push, everybody at basic strategy."""
    if players is None:
        return None
    [sheet] = (sheet for sheet in sheets if isinstance(sheet, BustSheet))
    return BustTable(basic_play(game)).figures(sheet.paytable, players)
