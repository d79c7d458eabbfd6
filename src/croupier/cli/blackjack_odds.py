"""`croupier odds blackjack`: the base wager by the exact solver, the side wagers by counting, and all at a glance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from croupier.analysis.blackjack.asked import Asked
from croupier.analysis.printing import percent
from croupier.cli.blackjack_bet import print_bet, read_chart
from croupier.cli.blackjack_hold import print_fundings
from croupier.cli.blackjack_more import print_both, print_players
from croupier.cli.blackjack_side import print_side
from croupier.cli.console import console, print_json, table
from croupier.games.blackjack.game import BlackjackGame
from croupier.games.blackjack.hand import BET
from croupier.games.wager import Wager

if TYPE_CHECKING:
    from croupier.analysis.side_wagers import SideSheet


class Part(NamedTuple):
    """A wager under one paytable: all of it is computed before any of it is printed."""

    summary: tuple[str, ...]
    """Wager, paytable, house edge, hit frequency, standard deviation and hold."""
    show: Callable[[], None]


def show_odds(asked: Asked, *, as_json: bool) -> None:
    """The figures of one wager of blackjack, or of all that go with its decks."""
    from croupier.analysis.blackjack.odds import game_asked, odds_as_json, wagers_asked
    from croupier.cli.options import read_paytable

    if as_json:
        print_json(odds_as_json(asked, read_paytable, read_chart(asked)))
        return
    game = game_asked(asked)
    parts = [part for wager in wagers_asked(game, asked) for part in _parts(game, wager, asked)]
    if not asked.wager:
        _print_summary(game, parts)
    for part in parts:
        part.show()


def _parts(game: BlackjackGame, wager: Wager, asked: Asked) -> Iterator[Part]:
    from croupier.analysis.blackjack.sides import side_sheets
    from croupier.cli.options import read_paytable

    if wager.key == BET.key:
        yield _bet(game, asked)
    else:
        yield from (_side(game, sheet, asked) for sheet in side_sheets(game, wager, asked, read_paytable))


def _bet(game: BlackjackGame, asked: Asked) -> Part:
    from croupier.analysis.blackjack.bet import bet_figures

    figures = bet_figures(game, asked, read_chart(asked))
    paytable = next(iter(game.wager(BET.key).paytables))
    summary = (
        *(BET.key, paytable, f"{-100 * figures.edge:.4f} %", f"{100 * figures.hit_frequency:.4f} %"),
        *(f"{figures.swings.standard_deviation:.4f}", ""),
    )
    return Part(summary, lambda: print_bet(figures))


def _side(game: BlackjackGame, sheet: SideSheet, asked: Asked) -> Part:
    from croupier.analysis.blackjack.more import with_bet, with_players
    from croupier.analysis.blackjack.odds import fundings_asked

    fundings = fundings_asked(sheet, asked)
    pushes = with_players(game, sheet, asked.players) if asked.players is not None else None
    both = with_bet(game, sheet) if asked.with_bet else None

    def show() -> None:
        print_side(game, sheet, players=asked.players is not None)
        if pushes is not None:
            print_players(pushes)
        if both is not None:
            print_both(sheet, both)
        if fundings is not None and asked.find_hold is not None:
            print_fundings(fundings, asked.find_hold)

    summary = (
        *(sheet.wager.key, sheet.paytable_id, percent(sheet.figures.house_edge), percent(sheet.hit_frequency)),
        *(f"{sheet.figures.standard_deviation:.4f}", percent(sheet.hold) if sheet.hold is not None else ""),
    )
    return Part(summary, show)


def _print_summary(game: BlackjackGame, parts: list[Part]) -> None:
    columns = ("wager", "table", "house edge", "hit frequency", "deviation", "hold")
    listing = table(f"Blackjack, {game.rules}: all wagers", *columns, left=2)
    for part in parts:
        listing.add_row(*part.summary)
    screen = console()
    screen.print(listing)
    screen.print("  House edge of a progressive: with its meters at their seeds, or empty where these are not known.")
    screen.print("  Hold: what the house keeps of it in the long run.\n")
