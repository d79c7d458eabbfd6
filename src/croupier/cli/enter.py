"""`croupier enter`: a round beside real cards: people type what happens at the table, one act a line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from croupier.cli.app import app
from croupier.cli.blackjack_asked import DecksOption, RulesOption
from croupier.cli.options import (
    HOUSE,
    ChipOption,
    GameArgument,
    HouseOption,
    MaximumOption,
    MinimumOption,
    PaytablesOption,
    RecordOption,
    ResumeOption,
    RoundingOption,
    SideWagerOption,
    WithoutOption,
    house_from,
    refuse_beside_resume,
)
from croupier.errors import NotationError, RecordError

if TYPE_CHECKING:
    from croupier.games.history import History


@app.command()
def enter(
    context: typer.Context,
    game: GameArgument = "",
    *,
    rules: RulesOption = "",
    decks: DecksOption = None,
    side_wager: SideWagerOption = None,
    minimum: MinimumOption = "5",
    maximum: MaximumOption = "100",
    chip: ChipOption = "0.01",
    rounding: RoundingOption = "house",
    paytable: PaytablesOption = None,
    option: HouseOption = None,
    without: WithoutOption = None,
    record: RecordOption = None,
    resume: ResumeOption = None,
) -> None:
    """Settle a round that is dealt with real cards: type each act, or pipe them in.

    Amounts are in dollars: bet 1 bet 10, or $10, or 7.50. The line undo takes the last act back, ? lists the acts.
    """
    from croupier.cli.entry import Entry
    from croupier.cli.session import check_files
    from croupier.games.catalogue import ALL_GAMES, find_any_game
    from croupier.games.choices import without_shoe

    check_files(record=None if record == resume else record, reveal=None)
    if resume:
        refuse_beside_resume(context, *HOUSE)
        round_ = _resumed(resume)
        if game and find_any_game(game).key != round_.offering.game.key:
            raise NotationError(f"The round in {str(resume)!r} is of {round_.offering.game.title}, not {game!r}.")
    elif game:
        house = house_from(
            game,
            rules=rules,
            decks=decks,
            side_wagers=side_wager or (),
            paytables=paytable or (),
            minimum=minimum,
            maximum=maximum,
            chip=chip,
            rounding=rounding,
            options=option or (),
            without=without or (),
        )
        round_ = without_shoe(house)
    else:
        raise NotationError(f"Name the game that is dealt: {', '.join(ALL_GAMES)}.")
    code = Entry(round_, record or resume).run(asked=sys.stdin.isatty())
    raise typer.Exit(code)


def _resumed(path: Path) -> History:
    """The unfinished round in a file, if it is one beside real cards."""
    from croupier.cli.files import read_text
    from croupier.games.record import read_any_record

    round_ = read_any_record(read_text(path, "round"))
    if round_.is_over:
        raise RecordError(f"The round in {str(path)!r} is {round_.phase.value}: there is nothing to enter.")
    if round_.opening_shoe:
        raise RecordError(f"The round in {str(path)!r} is dealt from a shoe: go on with 'croupier play --resume'.")
    return round_
