"""A side wager of blackjack in figures: its sheets, every line, and what its meters make of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from croupier.analysis.printing import fixed, percent
from croupier.cli.blackjack_asked import Asked, amounts, levels, share
from croupier.cli.blackjack_words import decks_in_words, listed
from croupier.cli.console import console, table
from croupier.errors import NotationError
from croupier.games.blackjack.game import DECKS_OF, BlackjackGame
from croupier.games.blackjack.rules import DECKS
from croupier.games.blackjack.side_wagers import BET_THE_BUST, BLAZING_PLAYER, UP_CARDS
from croupier.games.paytable import Paytable
from croupier.games.wager import Wager

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from croupier.analysis.side_wagers import SideSheet

NOBODY_LEFT = "Counted as if the dealer always played; --players N counts the push when nobody is left to play against."
NOT_COUNTED = "see below"
"""In place of `never`, for the push that depends on the players."""


def decks_of(wager: Wager) -> tuple[int, ...]:
    """With how many decks a wager is offered (blackjack 1.7)."""
    return tuple(DECKS_OF.get(wager.key, DECKS))


def side_sheets(game: BlackjackGame, wager: Wager, asked: Asked) -> list[SideSheet]:
    """One sheet for each paytable asked for, at the meters and with the money that was said."""
    from croupier.cli.options import read_paytable

    decks = game.rules.decks
    if decks not in decks_of(wager):
        allowed = listed(decks_of(wager))
        raise NotationError(f"{wager.title} is not offered with {decks_in_words(decks)}: it takes {allowed}.")
    names = [asked.paytable] if asked.paytable else list(wager.paytables)
    if wager is BET_THE_BUST and not asked.paytable:
        names = ["1" if game.rules.hits_soft_17 else "2"]
    return [side_sheet(game, wager, name, read_paytable(wager, name), asked) for name in names]


def side_sheet(game: BlackjackGame, wager: Wager, name: str, paytable: Paytable, asked: Asked) -> SideSheet:
    """The sheet of one paytable, approved or from a file of this name, at the meters and with the money asked for."""
    from croupier.analysis.side_wagers import make_side_sheet

    return make_side_sheet(
        game,
        wager,
        name if name in wager.paytables else Path(name).name,
        paytable,
        game.rules.decks,
        meters=levels(wager, paytable, amounts(asked.meters, "meter")),
        contribution=share(asked.contribution),
        seeds=levels(wager, paytable, amounts(asked.seeds, "seed")),
        rules=game.rules,
    )


def print_side(game: BlackjackGame, sheet: SideSheet, *, players: bool = False) -> None:
    """Every line and figure; `players` says whether the push with players follows."""
    from croupier.analysis.side_wagers import BustSheet
    from croupier.cli.odds import print_figures, print_lines

    title = f"{sheet.wager.title}, paytable {sheet.paytable_id}, {decks_in_words(sheet.decks)}"
    on_bust = isinstance(sheet, BustSheet)
    print_lines(sheet, title, never=NOT_COUNTED if on_bust else "never")
    if isinstance(sheet, BustSheet):
        listing = table("Against each up card", "up card", "share", "busts", "house edge")
        for each in sheet.up_cards:
            listing.add_row(
                UP_CARDS[each.up - 1], percent(each.probability), percent(each.bust), percent(each.house_edge)
            )
        console().print(listing)
    print_figures(sheet, edge=_at_meters(sheet), more=[*_meter_rows(sheet)], notes=[*_notes(game, sheet, players)])


def _at_meters(sheet: SideSheet) -> str:
    """`with the meter at 2,000`: a house edge that moves with the meters is said with them."""
    if not sheet.meters:
        return ""
    stand = [
        f"{meter} at {_wagers(worth)}" if meter else f"at {_wagers(worth)}" for meter, worth in sheet.meters.items()
    ]
    return f"of the next wager with the meter{'s' if len(stand) > 1 else ''} {listed(stand, 'and')}"


def _meter_rows(sheet: SideSheet) -> Iterator[tuple[str, str]]:
    from croupier.analysis.progressive import meter_title

    if sheet.progressive is None or sheet.meters is None:
        return
    yield "fixed return", percent(sheet.progressive.fixed_return)
    even = sheet.progressive.break_even(sheet.meters)
    for meter, worth in sheet.meters.items():
        at = even[meter]
        turns = f"   breaks even at {fixed(at, 1)} wagers" if at is not None else ""
        yield meter_title(meter), f"at {fixed(worth, 1)} wagers{turns}"
    if sheet.hold is not None and sheet.funding:
        seeds = ", ".join(f"{meter_title(meter)} {_wagers(seed)}" for meter, seed in sheet.funding.seeds.items())
        money = f"contribution {percent(sheet.funding.contribution, 2)}, seeds {seeds}"
        yield "hold", f"{percent(sheet.hold)}   of all wagers in the long run; {money}"
    else:
        yield "hold", "give --contribution and --seed-amount to know it"


def _notes(game: BlackjackGame, sheet: SideSheet, players: bool) -> Iterator[str]:
    from croupier.analysis.side_wagers import third_card_in_words

    if sheet.wager is BLAZING_PLAYER:
        yield third_card_in_words(game.rules)
    if sheet.wager is BET_THE_BUST and not players:
        yield NOBODY_LEFT


def _wagers(amount: Fraction) -> str:
    return f"{int(amount):,}" if amount.denominator == 1 else fixed(amount, 2)
