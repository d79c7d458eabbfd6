"""The options about blackjack that several commands take."""

from __future__ import annotations

from typing import Annotated

import typer

from croupier.analysis.blackjack.asked import USUAL_RULES
from croupier.analysis.blackjack.conventions import Convention

RulesOption = Annotated[
    str, typer.Option("--rules", help=f"Blackjack: the table's rules; what is left out is as in '{USUAL_RULES}'.")
]
DecksOption = Annotated[
    int | None, typer.Option("--decks", help="Blackjack: how many decks, where --rules does not say it.")
]
RemoveOption = Annotated[
    str, typer.Option("--remove", help="Blackjack: cards that are gone from the shoe, as 'T T 5 A'.")
]
ConventionOption = Annotated[
    str,
    typer.Option(
        "--convention",
        help="Blackjack: how hands after a split are played. "
        + " ".join(f"{each}: {each.words}." for each in Convention),
    ),
]
MeterOption = Annotated[
    list[str] | None,
    typer.Option("--meter", help="Progressives: what a meter stands at, in wagers: 5000, or Mega=5000 (repeatable)."),
]
SeedOption = Annotated[
    list[str] | None,
    typer.Option("--seed-amount", help="Progressives: the seed, in wagers: 2000, or Mega=2000 (repeatable)."),
]
ContributionOption = Annotated[
    str | None, typer.Option("--contribution", help="Progressives: of each wager to the meters, as 24%.")
]
PlayersOption = Annotated[
    int | None, typer.Option("--players", help="Bet the Bust: count the push with so many players, 1 to 7.")
]
WithBetOption = Annotated[bool, typer.Option("--with-bet", help="Side wagers: correlation with the base game.")]
FindHoldOption = Annotated[
    str | None,
    typer.Option(
        "--find-hold",
        help="Progressives: contributions and seeds whose hold is printed so: 24.78%. Of these only what "
        "--contribution and --seed-amount say, where they are given.",
    ),
]
ChartOption = Annotated[
    str | None,
    typer.Option("--chart", help="Blackjack: a file with a chart of your own, as `croupier strategy` prints it."),
]
