"""`croupier odds blackjack`: the base wager by the exact solver, the side wagers by counting, and all at a glance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from croupier.analysis.blackjack.chart import Chart
from croupier.analysis.blackjack.odds import (
    MOST_FUNDINGS,
    BetFigures,
    Fundings,
    bet_figures,
    fundings_asked,
    game_asked,
    not_priced,
    odds_as_json,
    side_sheets,
    wagers_asked,
    with_bet,
    with_players,
)
from croupier.analysis.blackjack.question import Asked
from croupier.analysis.blackjack.shoe import hole_value, value_letter
from croupier.analysis.blackjack.side.bust_players import Bounds, PushFigures
from croupier.analysis.blackjack.side.census import (
    PROCEEDS_IN_WORDS,
    BustSheet,
    CapSheet,
    SideSheet,
    third_card_in_words,
)
from croupier.analysis.blackjack.side.correlation import Together
from croupier.analysis.kernels.table_cache import users_own
from croupier.analysis.meter.wager import ROUND_SEEDS, Progressive, meter_title, printed_range
from croupier.analysis.par.side_wagers import hold_in_print, in_wagers, priced_at
from croupier.analysis.printing import decks_in_words, fixed, listed, percent, plain_number
from croupier.analysis.vulnerability.hole_card import ALL_VALUES, hole_cards
from croupier.cards.card import format_cards, parse_cards
from croupier.cli.console import at_work, console, print_json, table
from croupier.cli.odds import print_figures, print_lines
from croupier.cli.options import read_paytable, read_text
from croupier.cli.strategy_blackjack import as_options
from croupier.errors import NotationError
from croupier.games.blackjack.game import BlackjackGame
from croupier.games.blackjack.hand import BET
from croupier.games.blackjack.side_wagers import BET_THE_BUST, BLAZING_PLAYER, UP_CARDS
from croupier.games.wager import Wager

# The base wager of blackjack on the screen.


def read_chart(asked: Asked) -> Chart | None:
    """The chart in the file that was named."""
    if not asked.chart:
        return None
    return Chart.parse(read_text(Path(asked.chart), "strategy"), source=asked.chart)


def print_bet(figures: BetFigures) -> None:
    listing = table(f"{figures.game.title}, {figures.game.short_placard}", "result", "probability", "one in", "return")
    for result, chance in figures.swings.law.items():
        listing.add_row(
            f"{float(result):+g}", f"{100 * chance:.6f} %", f"{1 / chance:,.1f}", f"{float(result) * chance:+.6f}"
        )
    screen = console()
    screen.print(listing)
    rows = [
        ("house edge", f"{-100 * figures.edge:.9f} %   {figures.words}"),
        ("hit frequency", f"{100 * figures.hit_frequency:.6f} %"),
        ("standard deviation", f"{figures.swings.standard_deviation:.6f} per unit"),
        ("mean stake", f"{figures.stake:.9f} units, with doubles and splits"),
        ("element of risk", f"{-100 * figures.edge / figures.stake:.9f} % of all money at stake"),
    ]
    for name, value in rows:
        screen.print(f"  {name:<19} {value}", markup=False, soft_wrap=True)
    for note in _notes(figures):
        screen.print(f"  {note}", markup=False, soft_wrap=True)
    screen.print()


def _notes(figures: BetFigures) -> list[str]:
    notes = []
    if figures.lines_convention != figures.convention:
        notes.append(
            f"Lines, hit frequency and deviation are {figures.lines_convention}: {figures.convention} has no fixed "
            "strategy."
        )
    if figures.swings.note:
        notes.append(figures.swings.note)
    if figures.insures:
        notes.append("The edge includes the insurance that the chart takes; lines and deviation do not.")
    options = as_options(figures.game.short_placard)
    return [*notes, f"The dealer's hands: croupier strategy {figures.game.key} --dealer {options}"]


# A side wager of blackjack on the screen: every line, and what its meters make of it.

NOBODY_LEFT = "Counted as if the dealer always played; --players N counts the push when nobody is left to play against."
NOT_COUNTED = "see below"
"""In place of `never`, for the push that depends on the players."""


def print_side(game: BlackjackGame, sheet: SideSheet, *, players: bool = False) -> None:
    """Every line and figure; `players` says whether the push with players follows."""
    title = f"{sheet.wager.title}, paytable {sheet.paytable_id}, {decks_in_words(sheet.decks)}"
    on_bust = isinstance(sheet, BustSheet)
    print_lines(sheet, title, never=NOT_COUNTED if on_bust else "never")
    if isinstance(sheet, BustSheet):
        listing = table("Against each up card", "up card", "share", "busts", "house edge")
        for up_card in sheet.up_cards:
            listing.add_row(
                UP_CARDS[up_card.up - 1],
                percent(up_card.probability),
                percent(up_card.bust),
                percent(up_card.house_edge),
            )
        console().print(listing)
    if isinstance(sheet, CapSheet):
        listing = table("Proceeds on the Bet (C)", "cards", *"23456789TA")
        for cards, cells in sheet.capped.chart.items():
            listing.add_row(cards, *cells.split())
        console().print(listing)
    rows = [*_meter_rows(sheet), *_capped_rows(sheet)]
    print_figures(sheet, edge=_edge_of(sheet), more=rows, notes=[*_side_notes(game, sheet, players)])


def _edge_of(sheet: SideSheet) -> str:
    return "where the proceeds are always kept" if isinstance(sheet, CapSheet) else _at_meters(sheet)


def _capped_rows(sheet: SideSheet) -> Iterator[tuple[str, str]]:
    if isinstance(sheet, CapSheet):
        capped = sheet.capped
        deviation = f"standard deviation {capped.standard_deviation:.6f}"
        yield "proceeds on the Bet", f"{100 * capped.house_edge:.6f} %   house edge as the chart says; {deviation}"


def _at_meters(sheet: SideSheet) -> str:
    """`with the meter at 2,000`: a house edge that moves with the meters is said with them."""
    if not sheet.meters:
        return ""
    stand = [
        f"{meter} at {in_wagers(worth)}" if meter else f"at {in_wagers(worth)}" for meter, worth in sheet.meters.items()
    ]
    return f"of the next wager with the meter{'s' if len(stand) > 1 else ''} {listed(stand, 'and')}"


def _meter_rows(sheet: SideSheet) -> Iterator[tuple[str, str]]:
    if sheet.progressive is None or sheet.meters is None:
        return
    yield "fixed return", percent(sheet.progressive.fixed_return)
    even = sheet.progressive.break_even(sheet.meters)
    for meter, worth in sheet.meters.items():
        at = even[meter]
        turns = f"   breaks even at {fixed(at, 1)} wagers" if at is not None else ""
        yield meter_title(meter), f"at {fixed(worth, 1)} wagers{turns}"
    if sheet.hold is not None and sheet.funding:
        seeds = ", ".join(f"{meter_title(meter)} {in_wagers(seed)}" for meter, seed in sheet.funding.seeds.items())
        money = f"contribution {percent(sheet.funding.contribution, 2)}, seeds {seeds}"
        yield "hold", f"{percent(sheet.hold)}   of all wagers in the long run; {money}"
    else:
        yield "hold", "give --contribution and --seed-amount to know it"


def _side_notes(game: BlackjackGame, sheet: SideSheet, players: bool) -> Iterator[str]:
    if sheet.wager is BLAZING_PLAYER:
        yield third_card_in_words(game.rules)
    if sheet.wager is BET_THE_BUST and not players:
        yield NOBODY_LEFT
    if isinstance(sheet, CapSheet):
        yield PROCEEDS_IN_WORDS


# How a progressive can be funded so that its hold is the printed one: `croupier odds blackjack ... --find-hold`.


def print_fundings(fundings: Fundings, printed: str) -> None:
    progressive, found_fundings, usual = fundings
    if not found_fundings:
        _print_none_found(progressive, printed)
        return
    listing = table(f"Fundings with a hold of {printed}", "contribution", "seeds, in wagers", "hold", "", left=2)
    for funding in found_fundings[:MOST_FUNDINGS]:
        seeds = ", ".join(f"{meter_title(meter)} {plain_number(seed):,}" for meter, seed in funding.seeds.items())
        mark = "pre-configured" if funding == usual else ""
        listing.add_row(percent(funding.contribution, 1), seeds, percent(progressive.hold(funding)), mark)
    screen = console()
    screen.print(listing)
    if len(found_fundings) > MOST_FUNDINGS:
        screen.print(
            f"  There are more than these {MOST_FUNDINGS}; --contribution and --seed-amount choose among them."
        )


def _print_none_found(progressive: Progressive, printed: str) -> None:
    screen = console()
    screen.print(f"  Fundings with a hold of {printed}: none found.")
    screen.print(
        f"  Tried were contributions in whole percents, with round seeds from {ROUND_SEEDS[0]:,} to "
        f"{ROUND_SEEDS[-1]:,} wagers, where none were given."
    )
    most = 1 - progressive.fixed_return
    low, _ = printed_range(printed)
    if low >= most:
        screen.print(f"  The fixed pays leave {percent(most)}: every hold is below that.")
    elif "." in printed:
        screen.print("  A hold with fewer decimals finds more, as 24.8% in place of 24.78%.")


# More about a side wager of blackjack on the screen: with players who go out, and beside the base game.

EXACT = 1e-9
"""Bounds that are closer than this are one figure."""


def print_players(figures: PushFigures) -> None:
    who = "one player" if figures.players == 1 else f"{figures.players} players"
    edge, push = figures.house_edge, figures.push
    screen = console()
    screen.print(f"  With {who} at basic strategy, the push counted:")
    proved = "exact" if edge.high - edge.low < EXACT else "proved bounds"
    screen.print(f"  pushes              {_between(push)}")
    screen.print(f"  house edge          {_between(edge)} ({proved})")
    screen.print("  A round in which nobody is left to be asked is a push here.\n")


def _between(bounds: Bounds) -> str:
    low, high = 100 * bounds.low, 100 * bounds.high
    return f"{low:.6f} %" if bounds.high - bounds.low < EXACT else f"{low:.4f} % to {high:.4f} %"


def print_both(sheet: SideSheet, both: Together) -> None:
    when = ", once the check allows it; no other players" if sheet.wager is BET_THE_BUST else ""
    screen = console()
    screen.print(f"  At basic strategy, one unit on the Bet and one on {sheet.wager.title}{when}:", markup=False)
    screen.print(f"  correlation         {both.correlation:+.6f}")
    screen.print(f"  expected result     {100 * both.mean():+.6f} %")
    screen.print(f"  standard deviation  {both.standard_deviation():.6f} together\n")


class Part(NamedTuple):
    """A wager under one paytable: all of it is computed before any of it is printed."""

    summary: tuple[str, ...]
    """Wager, paytable, house edge, hit frequency, standard deviation, hold, and what its meters are priced at."""
    show: Callable[[], None]


def show_odds(title: BlackjackGame, asked: Asked, *, as_json: bool) -> None:
    """The figures of one wager of blackjack, or of all that go with its decks."""
    if as_json:
        print_json(odds_as_json(title, asked, read_paytable, read_chart(asked), users_own()))
        return
    game = game_asked(title, asked)
    parts = [part for wager in wagers_asked(game, asked) for part in _parts(game, wager, asked)]
    if not asked.wager:
        _print_summary(game, parts)
    for part in parts:
        part.show()


def _parts(game: BlackjackGame, wager: Wager, asked: Asked) -> Iterator[Part]:
    if wager.key == BET.key:
        yield _bet(game, asked)
        return
    sheets = side_sheets(game, wager, asked, read_paytable)
    yield from (_side(game, sheet, asked) for sheet in sheets)
    others = not_priced(wager, sheets, asked)
    if others:
        which = f"paytable {others[0]} has" if len(others) == 1 else f"paytables {listed(others, 'and')} have"
        yield Part((), lambda: console().print(f"  Not priced: {which} other meters."))


def _bet(game: BlackjackGame, asked: Asked) -> Part:
    figures = bet_figures(game, asked, read_chart(asked), users_own())
    paytable = next(iter(game.wager(BET.key).paytables))
    summary = (
        *(BET.key, paytable, f"{-100 * figures.edge:.4f} %", f"{100 * figures.hit_frequency:.4f} %"),
        *(f"{figures.swings.standard_deviation:.4f}", "", ""),
    )
    return Part(summary, lambda: print_bet(figures))


def _side(game: BlackjackGame, sheet: SideSheet, asked: Asked) -> Part:
    fundings = fundings_asked(sheet, asked)
    pushes = with_players(game, sheet, asked.players, users_own()) if asked.players is not None else None
    both = with_bet(game, sheet) if asked.with_bet else None

    def show() -> None:
        print_side(game, sheet, players=asked.players is not None)
        if asked.removes:
            gone = parse_cards(asked.remove, decks=sheet.decks)
            known = "which is" if len(gone) == 1 else "which are"
            console().print(f"  From a shoe without {format_cards(gone)}, {known} known to be gone.", markup=False)
        if pushes is not None:
            print_players(pushes)
        if both is not None:
            print_both(sheet, both)
        if fundings is not None and asked.find_hold is not None:
            print_fundings(fundings, asked.find_hold)

    capped = sheet.capped if isinstance(sheet, CapSheet) else None
    edge = f"{100 * capped.house_edge:.4f} %" if capped else percent(sheet.figures.house_edge)
    deviation = capped.standard_deviation if capped else sheet.figures.standard_deviation
    summary = (
        *(sheet.wager.key, sheet.paytable_id, edge, percent(sheet.hit_frequency)),
        *(f"{deviation:.4f}", hold_in_print(sheet), priced_at(sheet)),
    )
    return Part(summary, show)


def _print_summary(game: BlackjackGame, parts: list[Part]) -> None:
    columns = ("wager", "table", "house edge", "hit frequency", "deviation", "hold", "priced at")
    listing = table(f"{game.title}, {game.short_placard}: all wagers", *columns, left=2)
    for part in parts:
        listing.add_row(*part.summary)
    screen = console()
    screen.print(listing)
    screen.print(
        "  House edge of a progressive: of the next wager, with its meters as priced, in wagers: at the seeds of the "
        "paytable, or empty where it has none.",
        soft_wrap=True,
    )
    screen.print("  Hold: what the house keeps of it in the long run.\n")


# The Bet of somebody who sees the hole card: `croupier odds blackjack bet --known 6`.

EVERY = "every"
"""In place of a hole card: each of them in turn."""


def show_hole_cards(title: BlackjackGame, asked: Asked, known: str, *, as_json: bool) -> None:
    """What the Bet is worth to whoever has seen this hole card, or sees every one."""
    plain = Asked(rules=asked.rules, decks=asked.decks, wager=asked.wager, convention=asked.convention)
    if asked.key != BET.key or asked != plain:
        raise NotationError(
            "--known is a hole card of blackjack that was seen, about the best play of the Bet alone: croupier odds "
            f"{title.key} bet --known 6, or --known {EVERY}; --rules, --decks and --convention go with it."
        )
    game = game_asked(title, plain)
    values = ALL_VALUES if known.strip().lower() == EVERY else [hole_value(known)]
    with at_work(f"Solving {game.title} for each hole card" if len(values) > 1 else f"Solving {game.title}"):
        answer = hole_cards(game, values, asked.convention)
    if as_json:
        print_json(answer.as_json())
        return
    columns = ("hole card", "share", "house edge", "insurance adds")
    listing = table(f"{game.title}, {game.short_placard}: the hole card was seen", *columns)
    for card in answer.cards:
        listing.add_row(
            *(value_letter(card.value), percent(card.share), f"{-100 * card.edge:+.6f} %"),
            f"{100 * card.insurance:.6f} %",
        )
    if len(answer.cards) > 1:
        listing.add_section()
        listing.add_row("every", "", f"{-100 * answer.seen:+.6f} %", "")
    listing.add_row("unseen", "", f"{-100 * answer.unseen:+.6f} %", "")
    screen = console()
    screen.print(listing)
    screen.print(
        "  The best play for the exact cards, per unit of the first wager, with insurance where it wins; after a split "
        f"{answer.convention.in_words}.",
        soft_wrap=True,
    )
