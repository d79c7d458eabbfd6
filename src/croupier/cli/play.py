"""`croupier play`: a seat at a table in the terminal, with a shoe that is sealed before and revealed after."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.app import app
from croupier.errors import NotationError

if TYPE_CHECKING:
    from croupier.cli.table import Screen
    from croupier.games.game import Game
    from croupier.games.round import Round


@app.command()
def play(
    context: typer.Context,
    game: Annotated[str, typer.Argument(help="The game, as triple-shot-rummy; with --resume it may be left out.")] = "",
    *,
    seats: Annotated[
        int | None, typer.Option(help="Play seats 1 to this one, each a player of its own; 1 where nothing is said.")
    ] = None,
    seat: Annotated[str, typer.Option(help="Play these seats, as 3,4.")] = "",
    bankroll: Annotated[
        str, typer.Option(help="What you have in dollars, wagers of a resumed round included.")
    ] = "100",
    minimum: Annotated[str, typer.Option(help="The least wager.")] = "5",
    maximum: Annotated[str, typer.Option(help="The largest wager.")] = "100",
    chip: Annotated[str, typer.Option(help="The smallest chip.")] = "0.01",
    rounding: Annotated[str, typer.Option(help="In whose favour: house, nearest or player.")] = "house",
    paytable: Annotated[list[str] | None, typer.Option(help="WAGER=ID or WAGER=FILE; repeatable.")] = None,
    option: Annotated[list[str] | None, typer.Option(help="A house option of the game; repeatable.")] = None,
    without: Annotated[list[str] | None, typer.Option(help="An optional wager left out; repeatable.")] = None,
    seed: Annotated[str, typer.Option(help="Repeat the same shoes, for practice.")] = "",
    rounds: Annotated[int | None, typer.Option(help="Stop after so many rounds.")] = None,
    record: Annotated[Path | None, typer.Option(help="Keep the present round here, act by act.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with the round in this file.")] = None,
    reveal: Annotated[Path | None, typer.Option(help="Write each revealed shoe here.")] = None,
    auto: Annotated[
        str, typer.Option(help="Play by itself, one round or --rounds: a strategy of the game, or random.")
    ] = "",
) -> None:
    """Play a game against the house."""
    from croupier.cards.shuffle import SeededSource, SystemSource
    from croupier.cli.options import offering_from
    from croupier.cli.players import Automaton, Person, Player, find_strategy
    from croupier.cli.session import Session, Sitting, check_files, resumed_round
    from croupier.games.catalogue import GAMES, find_game
    from croupier.games.money import parse_cents

    bankroll_cents = parse_cents(bankroll)
    resumed: Round | None = None
    if resume:
        _refuse_beside_resume(context)
        resumed = resumed_round(resume, bankroll_cents=bankroll_cents)
        if game and find_game(game) is not resumed.game:
            raise NotationError(f"The round in {str(resume)!r} is of {resumed.game.title}, not {game!r}.")
        offering = resumed.offering
    elif game:
        offering = offering_from(
            find_game(game),
            paytables=paytable or (),
            minimum=minimum,
            maximum=maximum,
            chip=chip,
            rounding=rounding,
            options=option or (),
            without=without or (),
        )
    else:
        raise NotationError(f"Name the game to play: {', '.join(GAMES)}.")
    if rounds is not None and rounds < 1:
        raise NotationError(f"{rounds} rounds cannot be played: at least 1.")
    check_files(record=None if record == resume else record, reveal=reveal)
    screen = _screen()
    player: Player = Person(_ask, screen)
    if auto:
        chance = SeededSource(f"{seed} for the player") if seed else SystemSource()
        player = Automaton(find_strategy(offering.game, auto), chance)
    sitting = Sitting(
        _seats(offering.game, first=seats, named=seat, resumed=resumed),
        bankroll_cents,
        rounds=1 if auto and rounds is None else rounds,
        record=record or resume,
        reveal=reveal,
    )
    shuffle = SeededSource(seed) if seed else SystemSource()
    Session(offering, sitting, player=player, screen=screen, chance=shuffle).run(resumed)


def _refuse_beside_resume(context: typer.Context) -> None:
    """A round goes on with the shoe and under the offering it was opened with."""
    for name in ("minimum", "maximum", "chip", "rounding", "paytable", "option", "without", "seed"):
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise NotationError(f"--{name} does not go with --resume: the round goes on as it was begun.")


def _seats(game: Game, *, first: int | None, named: str, resumed: Round | None) -> tuple[int, ...]:
    """The seats to play: the first so many, those named, or those that already have wagers."""
    if first is not None and named:
        raise NotationError("Give --seats (how many) or --seat (which ones), not both.")
    words = named.replace(",", " ").split()
    if not named and first is None:
        return tuple(resumed.seats) if resumed and resumed.seats else (1,)
    if not all(word.isascii() and word.isdigit() and len(word) < 4 for word in words):
        raise NotationError(f"{named!r} is no list of seats: write their numbers, as in 3,4.")
    chosen = sorted({int(word) for word in words}) if named else range(1, (first or 0) + 1)
    if not chosen or not 1 <= chosen[0] <= chosen[-1] <= game.seats:
        raise NotationError(f"{game.title} has seats 1 to {game.seats}: {named or first} cannot be played.")
    return tuple(chosen)


def _screen() -> Screen:
    from croupier.cli.console import console
    from croupier.cli.table import Screen

    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a strange key or a poor terminal must not end the game
    return Screen(console())


def _ask(question: str) -> str:
    """Ask at the terminal; where the answers come from a file they are shown, as if typed."""
    answer = input(question)
    if not sys.stdin.isatty():
        print(answer)
    return answer
