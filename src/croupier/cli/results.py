"""`croupier session`: what a session of many rounds comes to, for the player and for the house."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from croupier.analysis.blackjack.asked import Asked
from croupier.cli.app import app
from croupier.cli.blackjack_asked import ChartOption, DecksOption, MeterOption, RulesOption
from croupier.cli.console import print_json, progress
from croupier.cli.odds import StrategyOption
from croupier.cli.options import read_count
from croupier.cli.results_rounds import Law, blackjack_law, head_to_head_law
from croupier.errors import NotationError
from croupier.games.blackjack.game import BlackjackGame
from croupier.games.catalogue import find_any_game
from croupier.games.money import dollars, parse_cents

if TYPE_CHECKING:
    from croupier.analysis.session import House, Results, Station
    from croupier.analysis.session_bankroll import Purse, Sitting
    from croupier.analysis.session_rounds import RoundLaw

EPSILON = 2.3e-16
FIRST, ALL = "first", "all"
"""What a player must have for one more round: the first wagers, or all that the round may take."""


class Played(NamedTuple):
    """A session, and all that is known about it."""

    title: str
    law: RoundLaw
    rounds: int
    results: Results
    """All rounds played, whatever happens."""
    sitting: Sitting | None
    """With the bankroll."""
    stations: Sequence[Station]
    """On the way, where a picture is drawn."""
    house: House | None
    notes: list[str]


@app.command(name="session")
def session(
    game: Annotated[str, typer.Argument(help="A game, as `croupier games` lists them.")],
    wagers: Annotated[
        list[str] | None, typer.Argument(help="Its wagers; the first of them where none is named.")
    ] = None,
    *,
    rounds: Annotated[str, typer.Option("--rounds", help="How many rounds a session has: 500, or 1e6.")] = "100",
    stake: Annotated[
        list[str] | None,
        typer.Option("--stake", help="On every wager, or WAGER=MONEY for one (repeatable); 10 dollars."),
    ] = None,
    bankroll: Annotated[
        str | None, typer.Option("--bankroll", help="What the player brings: the session ends when it is gone.")
    ] = None,
    goal: Annotated[
        str | None, typer.Option("--goal", help="The money with which the player leaves; needs --bankroll.")
    ] = None,
    cover: Annotated[
        str | None,
        typer.Option(
            "--cover",
            help="What one more round needs: first (the first wagers) or all (raises, doubles and splits too); "
            "all, and in blackjack first.",
        ),
    ] = None,
    sessions: Annotated[
        str | None,
        typer.Option("--sessions", help="What the house wins from so many sessions, with its 95 % interval."),
    ] = None,
    paytable: Annotated[
        list[str] | None, typer.Option("--paytable", help="ID or FILE, with several wagers WAGER=ID (repeatable).")
    ] = None,
    strategy: StrategyOption = "optimal",
    chart: ChartOption = None,
    rules: RulesOption = "",
    decks: DecksOption = None,
    meter: MeterOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print for programs.")] = False,
    plot: Annotated[Path | None, typer.Option("--plot", help="A picture: .png, .svg or .pdf.")] = None,
) -> None:
    """The results of a session: mean, percentiles, chance to be ahead, ruin, and what the house wins."""
    many = read_count("a number of rounds", rounds)
    of_sessions = read_count("a number of sessions", sessions) if sessions is not None else None
    _check_numbers(many, of_sessions)
    _check_words(bankroll, goal, cover, plot)
    found = find_any_game(game)
    if isinstance(found, BlackjackGame):
        asked = Asked(rules=rules, decks=decks, meters=meter or (), strategy=strategy, chart=chart)
        law = blackjack_law(asked, wagers or [], paytable or [], stake or [])
    else:
        if rules or decks is not None or meter or chart:
            raise NotationError(f"{found.title} takes no rules, chart, decks or meters: these are about blackjack.")
        law = head_to_head_law(found.key, wagers or [], paytable or [], stake or [], strategy)
    covers = cover or (FIRST if isinstance(found, BlackjackGame) else ALL)
    purse = _purse(law.law, bankroll, goal, covers)
    played = _played(law, many, purse, of_sessions, picture=plot is not None)
    notes = [*law.notes, *_precision(played), *(_cover_in_words(law.law, covers) if purse else ())]
    played = played._replace(notes=notes)
    _show(played, as_json=as_json, plot=plot)


# What was said


def _check_numbers(rounds: int, sessions: int | None) -> None:
    """What is wrong is said before anything is counted."""
    from croupier.analysis.session import MOST_SESSIONS, check_rounds

    check_rounds(rounds)
    if sessions is not None and not 1 <= sessions <= MOST_SESSIONS:
        raise NotationError(f"There are from 1 to {MOST_SESSIONS:,} sessions, not {sessions:,}.")


def _check_words(bankroll: str | None, goal: str | None, cover: str | None, plot: Path | None) -> None:
    from croupier.analysis.plots import check_picture_name

    if bankroll is None and (goal is not None or cover is not None):
        raise NotationError("--goal and --cover are about a bankroll: say it with --bankroll.")
    if cover not in (None, FIRST, ALL):
        raise NotationError(f"--cover is {FIRST} or {ALL}, not {cover!r}.")
    for money in (bankroll, goal):
        if money is not None:
            parse_cents(money)
    if plot is not None:
        check_picture_name(plot)


# The session


def _purse(law: RoundLaw, bankroll: str | None, goal: str | None, cover: str) -> Purse | None:
    from croupier.analysis.session_bankroll import Purse

    if bankroll is None:
        return None
    needed = law.most_cents if cover == ALL else Fraction(law.first_cents)
    return Purse(parse_cents(bankroll), needed, parse_cents(goal) if goal is not None else None)


def _played(law: Law, rounds: int, purse: Purse | None, sessions: int | None, *, picture: bool) -> Played:
    from croupier.analysis.session import after, house_from_rounds, house_from_sessions
    from croupier.analysis.session_bankroll import walk
    from croupier.analysis.session_plots import marks, stations_of

    results = after(law.law, rounds)
    at = marks(rounds, 0 if purse else len(results.chances)) if picture else []
    sitting, house = None, None
    stations: Sequence[Station] = ()
    if purse:
        with progress("Playing the bankroll", rounds) as advance:
            sitting = walk(law.law, purse, rounds, marks=at, advance=advance)
            stations = sitting.stations
    elif at:
        with progress("Playing the rounds", len(at)) as advance:
            stations = tuple(stations_of(law.law, at, advance))
    if sessions is not None and sitting:
        house = house_from_sessions(sitting.results, sessions)
    elif sessions is not None:
        house = house_from_rounds(law.law, rounds, sessions)
    return Played(law.title, law.law, rounds, results, sitting, stations, house, law.notes)


def _precision(played: Played) -> Iterator[str]:
    """How far the figures are known."""
    from croupier.analysis.session import WITHIN

    law = played.law
    if law.step_cents.denominator > 1:
        yield "Pays are taken exactly, with parts of a cent; a table rounds them to its chips."
    if law.weights is None:
        known = f"{played.rounds * WITHIN:.1g}"
        yield f"The mean of one round is known within {WITHIN:g} of the wager, so that of the session within {known}."
    yield (
        "Chances with all rounds played are exact, in whole numbers of deals."
        if played.results.exact
        else f"Chances with all rounds played are within {WITHIN:g}; smaller ones are not known."
    )
    if played.sitting:
        error = played.rounds * (len(law.nets) + 1) * EPSILON
        yield f"Those with the bankroll are followed round by round; rounding adds at most {error:.1g} of themselves."
    if played.house:
        yield "The sessions are independent; players at one table share the dealer's cards and swing together."


def _cover_in_words(law: RoundLaw, cover: str) -> Iterator[str]:
    """When a bankroll is gone, and what happens where a round needs more than is left."""
    first, most = dollars(law.first_cents), dollars(round(law.most_cents))
    if cover == ALL and law.most_cents > law.first_cents:
        yield f"The bankroll is gone when it is below {most}, the most that the next round may take with its raises."
        return
    yield f"The bankroll is gone when it is below the {first} of the next round."
    if law.most_cents > law.first_cents:
        short = dollars(round(law.most_cents - law.first_cents))
        yield (
            "A raise, double or split that needs more than is left is made with money from outside, so that a session "
            f"may end up to {short} below zero; with --cover all the player stops before that."
        )


def _show(played: Played, *, as_json: bool, plot: Path | None) -> None:
    from croupier.cli.results_tables import as_programs_read, print_session

    if plot is not None:
        from croupier.analysis.plots import save
        from croupier.analysis.session_plots import Session, draw

        drawn = Session(played.title, played.law, played.rounds, played.results, played.stations, played.sitting)
        save(draw(drawn), plot)
    if as_json:
        print_json(as_programs_read(played))
        return
    print_session(played)
    if plot is not None:
        print(f"The picture is in {plot}.")
