"""The PAR sheet of blackjack as it is asked for: wagers, meters and their money, convention and players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.analysis.blackjack.conventions import Convention
from croupier.cli.blackjack_asked import Asked, check_questions, table_rules
from croupier.cli.blackjack_more import basic_play
from croupier.cli.blackjack_side import side_sheet
from croupier.errors import NotationError, UnknownName
from croupier.games.blackjack.game import BlackjackGame, blackjack
from croupier.games.paytable import Paytable
from croupier.games.wager import Wager

if TYPE_CHECKING:
    from croupier.analysis.par_blackjack import BlackjackPar, BlackjackSheet
    from croupier.analysis.side_push import PushFigures
    from croupier.analysis.side_wagers import SideSheet
    from croupier.compliance.printed import Finding
    from croupier.games.game import TableGame


def blackjack_par_for(asked: Asked, printed: Callable[[TableGame], list[Finding]]) -> BlackjackPar:
    """Blackjack under these rules: all wagers that go with them, or the one that was named."""
    from croupier.analysis.par_blackjack import blackjack_sheets, make_blackjack_par
    from croupier.cli.options import read_paytable

    if asked.strategy != "optimal":
        raise UnknownName("strategy for the PAR sheet of Blackjack", asked.strategy, ["optimal"])
    check_questions(asked)
    game = blackjack(table_rules(asked.rules, asked.decks))
    named = game.wager(asked.wager) if asked.wager else None
    own: tuple[str, Paytable] | None = None
    if asked.paytable and named is None:
        names = ", ".join(each.key for each in game.wagers)
        raise NotationError(f"--paytable {asked.paytable} needs the wager it belongs to: name one of {names}.")
    if asked.paytable and named:
        name = asked.paytable if asked.paytable in named.paytables else Path(asked.paytable).name
        own = name, read_paytable(named, asked.paytable)

    def make_side(game: BlackjackGame, wager: Wager, paytable_id: str, paytable: Paytable) -> SideSheet:
        return side_sheet(game, wager, paytable_id, paytable, asked)

    convention = Convention.parse(asked.convention)
    sheets = blackjack_sheets(game, named, own, convention=convention, make_side=make_side)
    return make_blackjack_par(game, sheets, printed(game), _push(game, sheets, asked.players))


def _push(game: BlackjackGame, sheets: Sequence[BlackjackSheet], players: int | None) -> PushFigures | None:
    """Bet the Bust with its push, everybody at basic strategy."""
    from croupier.analysis.side_push import BustTable
    from croupier.analysis.side_wagers import BustSheet

    if players is None:
        return None
    [sheet] = (sheet for sheet in sheets if isinstance(sheet, BustSheet))
    return BustTable(basic_play(game)).figures(sheet.paytable, players)
