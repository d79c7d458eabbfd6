"""`croupier tour`: the product in a minute: the printed figures proved, and a round of each game dealt."""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.analysis.census import take_census
from croupier.analysis.par.printed import verify_printed
from croupier.analysis.printing import percent
from croupier.analysis.sheet import make_sheet
from croupier.analysis.strategy import rate_hand
from croupier.cards.shoe import Shoe
from croupier.cards.shuffle import Source, SystemSource, as_source, roll_dice
from croupier.cli.app import app
from croupier.cli.console import console
from croupier.cli.options import RANDOM_SEED, option
from croupier.cli.play import play
from croupier.cli.table.drawing import draw_hand, view_of, with_symbols
from croupier.cli.verify import print_findings
from croupier.games.catalogue import GAMES
from croupier.games.head_to_head.acts import Deal, Decide, NoMoreBets, Reveal, Rotation, Settle
from croupier.games.head_to_head.game import Game
from croupier.games.head_to_head.round import Offering, Phase, Round, open_round
from croupier.games.money import dollars
from croupier.games.table.bets import Bet
from croupier.games.table.record import read_record, write_record

SEATS = (1, 2)


@app.command()
def tour(
    context: typer.Context,
    *,
    seed: Annotated[str | None, option(*RANDOM_SEED, "Deal the same rounds again.")] = None,
) -> None:
    """Prove the printed figures, then deal, settle and replay a round of each game."""
    screen = console()
    screen.rule("[bold]1. What the rule documents print, counted again")
    findings = list(verify_printed())
    print_findings(findings)
    source = as_source(seed) if seed is not None else SystemSource()
    for number, game in enumerate(GAMES.values(), start=2):
        screen.rule(f"[bold]{number}. A round of {game.title}")
        _show_round(game, source)
    screen.rule(f"[bold]{len(GAMES) + 2}. A round of Blackjack, played by basic strategy")
    play(context, "blackjack", auto="basic", rounds=1, seed=seed)
    screen.print()
    screen.rule("[bold]Where to go from here")
    for command, what in NEXT:
        screen.print(f"  {command:<62} {what}", markup=False)
    if not all(finding.explained for finding in findings):
        raise typer.Exit(1)


NEXT = (
    (".venv/bin/croupier play triple-shot-rummy", "play it yourself"),
    (".venv/bin/croupier odds supreme-99", "exact figures, line by line"),
    (".venv/bin/croupier strategy supreme-99 --hand 'As 9d 7c 2h'", "the best setting and what others cost"),
    (".venv/bin/croupier hand 'T6 v T'", "blackjack: each decision's exact value"),
    (".venv/bin/croupier par three-card-baccarat -o par.pdf", "the PAR sheet for a regulator"),
    (".venv/bin/croupier rules triple-shot-rummy", "the rulebook page"),
    (".venv/bin/croupier --help", "everything else"),
)


def deal_round(game: Game, source: Source) -> Round:
    """A whole round with all wagers at two seats, decided as well as can be."""
    shoe = Shoe.fresh(1, source)
    round_ = open_round(Offering(game), shoe)
    for seat in SEATS:
        for spot in game.betting_spots:
            round_ = round_.do(Bet(seat, spot, round_.offering.limits_of(spot).minimum_cents))
    round_ = round_.do(NoMoreBets())
    if round_.phase is Phase.ROTATION:
        round_ = round_.do(Rotation(dice=roll_dice(shoe.sealed_chance("rotation"))))
    while round_.phase is Phase.DEALING:
        round_ = round_.do(Deal())
    for seat in round_.undecided:
        round_ = round_.do(Decide(seat, _best_words(round_, seat)))
    return round_.do(Reveal()).do(Settle())


def _best_words(round_: Round, seat: int) -> str:
    wager = round_.game.decides
    assert wager is not None
    census = take_census(round_.game, wager)
    return rate_hand(census, round_.offering.prices[wager.key], round_.seats[seat].hand)[0].words


def _show_round(game: Game, source: Source) -> None:
    round_ = deal_round(game, source)
    screen = console()
    shoe = round_.opening_shoe
    assert shoe is not None
    screen.print(f"Shoe sealed before the first card: {shoe.commitment[:32]}...")
    view = view_of(screen).small()
    for number, seat in round_.seats.items():
        screen.print(draw_hand(view, f"Seat {number}", seat.hand, [game.describe(seat.hand, seat.choice)]))
    screen.print(draw_hand(view, "Dealer", round_.dealer, [game.describe_dealer(round_.dealer)]))
    for event in round_.events:
        if event.kind in ("no-more-bets", "rotation", "decide", "reveal", "settle"):
            screen.print(with_symbols(view, f"  {event.text}"))
    replayed = read_record(write_record(round_), Round)
    same = replayed.settlements == round_.settlements
    screen.print(
        f"Wagered {dollars(round_.staked_cents)}, returned {dollars(round_.returned_cents)}, "
        f"kept {dollars(round_.kept_cents)}; replayed from its record: {'the same' if same else 'DIFFERENT'}."
    )
    edges = ", ".join(
        f"{wager.title} {percent(make_sheet(game, wager, *next(iter(wager.paytables.items()))).figures.house_edge, 2)}"
        for wager in game.wagers
    )
    screen.print(f"House edge, counted: {edges}.\n")
