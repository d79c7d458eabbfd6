"""A side wager of blackjack on the screen: every line, and what its meters make of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.analysis.printing import decks_in_words, fixed, listed, percent
from croupier.cli.console import console, table
from croupier.games.blackjack.game import BlackjackGame
from croupier.games.blackjack.side_wagers import BET_THE_BUST, BLAZING_PLAYER, UP_CARDS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from fractions import Fraction

    from croupier.analysis.side_wagers import SideSheet

NOBODY_LEFT = "Counted as if the dealer always played; --players N counts the push when nobody is left to play against."
NOT_COUNTED = "see below"
"""In place of `never`, for the push that depends on the players."""


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
