"""`croupier odds blackjack`: the base wager by the exact solver, the side wagers by counting, and all at a glance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from croupier.analysis.printing import percent
from croupier.cli.blackjack_asked import Asked, amounts, check_questions, share, table_rules
from croupier.cli.blackjack_bet import bet_as_json, bet_figures, print_bet
from croupier.cli.blackjack_hold import find_hold
from croupier.cli.blackjack_more import More, with_bet, with_players
from croupier.cli.blackjack_side import decks_of, print_side, side_sheets
from croupier.cli.console import console, print_json, table
from croupier.errors import NotationError
from croupier.games.blackjack.game import BlackjackGame, blackjack
from croupier.games.blackjack.hand import BET
from croupier.games.wager import Wager

if TYPE_CHECKING:
    from croupier.analysis.side_wagers import SideSheet


class Part(NamedTuple):
    """A wager under one paytable: all of it is computed before any of it is printed."""

    summary: tuple[str, ...]
    """Wager, paytable, house edge, hit frequency, standard deviation and hold."""
    found: dict[str, Any]
    show: Callable[[], None]


def show_odds(asked: Asked, *, as_json: bool) -> None:
    """The figures of one wager of blackjack, or of all that go with its decks."""
    check_questions(asked)
    game = blackjack(table_rules(asked.rules, asked.decks))
    if asked.paytable and not asked.wager:
        names = ", ".join(each.key for each in game.wagers)
        raise NotationError(f"--paytable {asked.paytable} needs the wager it belongs to: name one of {names}.")
    parts = [part for wager in _wagers(game, asked) for part in _parts(game, wager, asked)]
    if as_json:
        found = [part.found for part in parts]
        print_json(found[0] if asked.paytable or asked.wager == BET.key else found)
        return
    if not asked.wager:
        _print_summary(game, parts)
    for part in parts:
        part.show()


def _wagers(game: BlackjackGame, asked: Asked) -> Iterator[Wager]:
    """The one that is named, or all that are offered with so many decks."""
    if asked.wager:
        yield game.wager(asked.wager)
        return
    yield from (wager for wager in game.wagers if wager.key == BET.key or game.rules.decks in decks_of(wager))


def _parts(game: BlackjackGame, wager: Wager, asked: Asked) -> Iterator[Part]:
    if wager.key == BET.key:
        yield _bet(game, asked)
    else:
        yield from (_side(game, sheet, asked) for sheet in side_sheets(game, wager, asked))


def _bet(game: BlackjackGame, asked: Asked) -> Part:
    figures = bet_figures(game, asked)
    found = bet_as_json(game, figures)
    summary = (
        *(BET.key, found["paytable"], f"{-100 * figures.edge:.4f} %", f"{100 * figures.hit_frequency:.4f} %"),
        *(f"{figures.swings.standard_deviation:.4f}", ""),
    )
    return Part(summary, found, lambda: print_bet(figures))


def _side(game: BlackjackGame, sheet: SideSheet, asked: Asked) -> Part:
    if asked.find_hold is not None and sheet.progressive is None:
        raise NotationError(f"{sheet.wager.title} has no meter, so it has no hold to find.")
    answers = list(_answers(game, sheet, asked))

    def show() -> None:
        print_side(game, sheet, players=asked.players is not None)
        for answer in answers:
            answer.show()

    summary = (
        *(sheet.wager.key, sheet.paytable_id, percent(sheet.figures.house_edge), percent(sheet.hit_frequency)),
        *(f"{sheet.figures.standard_deviation:.4f}", percent(sheet.hold) if sheet.hold is not None else ""),
    )
    return Part(summary, sheet.as_json() | {key: v for answer in answers for key, v in answer.found.items()}, show)


def _answers(game: BlackjackGame, sheet: SideSheet, asked: Asked) -> Iterator[More]:
    """What was asked beside the figures of the sheet."""
    if asked.players is not None:
        yield with_players(game, sheet, asked.players)
    if asked.with_bet:
        yield with_bet(game, sheet)
    if asked.find_hold is not None:
        given = amounts(asked.seeds, "seed")
        yield find_hold(sheet, asked.find_hold, contribution=share(asked.contribution), seeds=given)


def _print_summary(game: BlackjackGame, parts: list[Part]) -> None:
    columns = ("wager", "table", "house edge", "hit frequency", "deviation", "hold")
    listing = table(f"Blackjack, {game.rules}: all wagers", *columns, left=2)
    for part in parts:
        listing.add_row(*part.summary)
    screen = console()
    screen.print(listing)
    screen.print("  House edge of a progressive: with its meters at their seeds, or empty where these are not known.")
    screen.print("  Hold: what the house keeps of it in the long run.\n")
