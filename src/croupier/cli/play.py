"""`croupier play`: a seat at a table in the terminal, with a shoe that is sealed before and revealed after."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer

from croupier.cards.shuffle import SeededSource, Source, SystemSource
from croupier.cli.app import app
from croupier.cli.console import console
from croupier.cli.options import (
    HOUSE,
    RANDOM_SEED,
    ChipOption,
    DecksOption,
    GameArgument,
    HouseOption,
    MaximumOption,
    MinimumOption,
    PaytablesOption,
    RecordOption,
    ResumeOption,
    RoundingOption,
    RulesOption,
    SideWagerOption,
    WithoutOption,
    option,
    refuse_beside_resume,
)
from croupier.cli.table.any_table import AnyMachine, AnyPerson, AnyPlayer, AnyTable, find_any_strategy
from croupier.cli.table.blackjack import BlackjackScreen, BlackjackTable
from croupier.cli.table.blackjack_players import (
    BlackjackAutomaton,
    BlackjackPerson,
    BlackjackPlayer,
    find_blackjack_strategy,
)
from croupier.cli.table.players import Automaton, Person, Player, find_strategy
from croupier.cli.table.screen import Screen
from croupier.cli.table.terminal import PacketTable, Sitting, check_files, house_asked, resumed_round
from croupier.errors import NotationError
from croupier.games.blackjack.game import BlackjackOffering
from croupier.games.blackjack.round import BlackjackRound
from croupier.games.catalogue import ALL_GAMES
from croupier.games.game import TableGame
from croupier.games.head_to_head.round import Offering, Round
from croupier.games.money import parse_cents
from croupier.games.table.history import History
from croupier.games.table.offering import TableOffering


@app.command()
def play(
    context: typer.Context,
    game: GameArgument = "",
    *,
    rules: RulesOption = "",
    decks: DecksOption = None,
    side_wager: SideWagerOption = None,
    seats: Annotated[
        int | None, typer.Option(help="Play seats 1 to this one, each a player of its own; 1 where nothing is said.")
    ] = None,
    seat: Annotated[str, typer.Option(help="Play these seats, as 3,4.")] = "",
    bankroll: Annotated[
        str, typer.Option(help="What you have in dollars, wagers of a resumed round included.")
    ] = "100",
    minimum: MinimumOption = "5",
    maximum: MaximumOption = "100",
    chip: ChipOption = "0.01",
    rounding: RoundingOption = "house",
    paytable: PaytablesOption = None,
    option: HouseOption = None,
    without: WithoutOption = None,
    seed: Annotated[str | None, option(*RANDOM_SEED, "Repeat the same shoes, for practice.")] = None,
    rounds: Annotated[int | None, typer.Option(help="Stop after so many rounds.")] = None,
    record: RecordOption = None,
    resume: ResumeOption = None,
    reveal: Annotated[Path | None, typer.Option(help="Write each revealed shoe here, the next ones beside it.")] = None,
    auto: Annotated[
        str,
        typer.Option(
            help="Play by itself, one round or --rounds: random or basic in blackjack; in the other games random, "
            "optimal or a strategy that `croupier strategy` lists, as 'house way'."
        ),
    ] = "",
) -> None:
    """Play a game against the house."""
    bankroll_cents = parse_cents(bankroll)
    resumed: History | None = None
    if resume:
        refuse_beside_resume(context, *HOUSE, "seed")
        resumed = resumed_round(resume, game, bankroll_cents=bankroll_cents)
        offering = resumed.offering
    elif game:
        offering = house_asked(context, game)
    else:
        raise NotationError(f"Name the game to play: {', '.join(ALL_GAMES)}.")
    if rounds is not None and rounds < 1:
        raise NotationError(f"{rounds} rounds cannot be played: at least 1.")
    shuffle = SeededSource(seed) if seed is not None else SystemSource()
    chance = SeededSource(f"{seed} for the player") if seed is not None else SystemSource()
    check_files(record=None if record == resume else record, reveal=reveal)
    sitting = Sitting(
        _seats(offering.game, first=seats, named=seat, resumed=resumed),
        bankroll_cents,
        rounds=1 if auto and rounds is None else rounds,
        record=record or resume,
        reveal=reveal,
    )
    _prepare_streams()
    if isinstance(offering, BlackjackOffering):
        assert resumed is None or isinstance(resumed, BlackjackRound)
        _play_blackjack(offering, sitting, resumed, auto=auto, shuffle=shuffle, chance=chance)
    elif isinstance(offering, Offering):
        assert resumed is None or isinstance(resumed, Round)
        _play_head_to_head(offering, sitting, resumed, auto=auto, shuffle=shuffle, chance=chance)
    else:
        _play_any(offering, sitting, resumed, auto=auto, shuffle=shuffle, chance=chance)


def _play_any(
    offering: TableOffering, sitting: Sitting, resumed: History | None, *, auto: str, shuffle: Source, chance: Source
) -> None:
    screen = Screen(console())
    player: AnyPlayer = AnyPerson(_ask, screen)
    if auto:
        player = AnyMachine(find_any_strategy(offering.game, auto), chance)
    AnyTable(offering, sitting, player=player, screen=screen, chance=shuffle).run(resumed)


def _play_head_to_head(
    offering: Offering, sitting: Sitting, resumed: Round | None, *, auto: str, shuffle: Source, chance: Source
) -> None:
    screen = Screen(console())
    player: Player = Person(_ask, screen)
    if auto:
        player = Automaton(find_strategy(offering.game, auto), chance)
    PacketTable(offering, sitting, player=player, screen=screen, chance=shuffle).run(resumed)


def _play_blackjack(
    offering: BlackjackOffering,
    sitting: Sitting,
    resumed: BlackjackRound | None,
    *,
    auto: str,
    shuffle: Source,
    chance: Source,
) -> None:
    screen = BlackjackScreen(console())
    player: BlackjackPlayer = BlackjackPerson(_ask, screen)
    if auto:
        player = BlackjackAutomaton(find_blackjack_strategy(auto), chance)
    BlackjackTable(offering, sitting, player=player, screen=screen, chance=shuffle).run(resumed)


def _seats(game: TableGame, *, first: int | None, named: str, resumed: History | None) -> tuple[int, ...]:
    """The seats to play: the first so many, those named, or those that already have wagers."""
    if first is not None and named:
        raise NotationError("Give --seats (how many) or --seat (which ones), not both.")
    words = named.replace(",", " ").split()
    if not named and first is None:
        return tuple(resumed.seats) if resumed and resumed.seats else (1,)
    if not all(word.isascii() and word.isdigit() and len(word) < 4 for word in words):
        raise NotationError(f"{named!r} is no list of seats: write their numbers, as in 3,4.")
    chosen = sorted(map(int, words)) if named else range(1, (first or 0) + 1)
    if not chosen or not 1 <= chosen[0] <= chosen[-1] <= game.seats:
        raise NotationError(f"{game.title} has seats 1 to {game.seats}: {named or first} cannot be played.")
    for place, number in enumerate(chosen[1:]):
        if number == chosen[place]:
            raise NotationError(f"Seat {number} is named twice in {named!r}.")
    return tuple(chosen)


def _prepare_streams() -> None:
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a strange key or a poor terminal must not end the game


def _ask(question: str) -> str:
    """Ask at the terminal; where the answers come from a file they are shown, as if typed."""
    answer = input(question)
    if not sys.stdin.isatty():
        print(answer)
    return answer
