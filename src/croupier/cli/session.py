"""`croupier session`: what a session of many rounds comes to, for the player and for the house."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import typer

from croupier.analysis.analyst import counter_of
from croupier.analysis.blackjack.moments import most_in_a_round
from croupier.analysis.blackjack.odds import SAMPLE_SAID, BetFigures, bet_figures, side_sheets
from croupier.analysis.blackjack.question import Asked
from croupier.analysis.census import OPTIMAL
from croupier.analysis.estimates import PERCENTILES
from croupier.analysis.meter.wager import meter_title
from croupier.analysis.plots import check_picture_name, save
from croupier.analysis.printing import fixed
from croupier.analysis.session.bankroll import BankrollSession, Purse, kelly_share, ruin_for_ever, walk
from croupier.analysis.session.deals import Stake
from croupier.analysis.session.law import (
    MOST_SESSIONS,
    WITHIN,
    HouseResult,
    Results,
    Station,
    after,
    check_rounds,
    house_from_rounds,
    house_from_sessions,
)
from croupier.analysis.session.plots import SessionPlot, draw, marks, stations_of
from croupier.analysis.session.rounds import RoundLaw, law_of_chances, law_of_counts, law_of_figures, law_of_sample
from croupier.analysis.sheet import make_sheet
from croupier.cli.app import app
from croupier.cli.blackjack_odds import read_chart
from croupier.cli.console import console, print_json, progress, table
from croupier.cli.odds import StrategyOption
from croupier.cli.options import (
    AsJson,
    ChartOption,
    DecksOption,
    HouseOption,
    MeterOption,
    RulesOption,
    option,
    read_count,
    read_paytable,
)
from croupier.errors import NotationError
from croupier.games.blackjack.game import BlackjackGame, of_the_family
from croupier.games.blackjack.hand import BET
from croupier.games.catalogue import find_any_game
from croupier.games.game import TableGame
from croupier.games.money import CENTS, dollars, parse_cents
from croupier.games.wager import Wager

USUAL_STAKE_CENTS = 1000
FRESH_SHOE = "Rounds are independent only where each is dealt from a fresh shoe; between shuffles they differ a little."


class Law(NamedTuple):
    """One round, in words and in chances."""

    title: str
    law: RoundLaw
    notes: list[str]


# Wagers, paytables and stakes


def _stakes(wagers: Sequence[Wager], texts: Sequence[str]) -> list[int]:
    """Cents for each wager: `10` for all of them, `pair-plus=5` for one."""
    for_all: int | None = None
    by_key: dict[str, int] = {}
    for text in texts:
        key, equals, amount = (part.strip() for part in text.rpartition("="))
        cents = parse_cents(amount)
        if not cents:
            raise NotationError(f"{text!r} stakes nothing: a wager is at least one cent.")
        if key in by_key or (for_all is not None and not equals):
            raise NotationError(f"The stake {'of ' + key if key else 'for all wagers'} is given twice.")
        if not equals:
            for_all = cents
            continue
        if key not in (wager.key for wager in wagers):
            names = ", ".join(wager.key for wager in wagers)
            raise NotationError(f"{text!r} is a stake on no wager of this session; there are: {names}.")
        by_key[key] = cents
    return [by_key.get(wager.key, for_all or USUAL_STAKE_CENTS) for wager in wagers]


def _wagers(game: TableGame, names: Sequence[str]) -> list[Wager]:
    wagers = [game.wager(name) for name in names] or [game.wagers[0]]
    for wager in wagers:
        if wagers.count(wager) > 1:
            raise NotationError(f"{wager.title} is named twice: a session has each wager once.")
    return wagers


def _paytables(wagers: Sequence[Wager], texts: Sequence[str]) -> list[str]:
    """The name of a paytable for each wager, the first where nothing is said."""
    names = {wager.key: next(iter(wager.paytables)) for wager in wagers}
    for text in texts:
        key, equals, name = (part.strip() for part in text.partition("="))
        if not equals:
            if len(wagers) > 1:
                raise NotationError(f"--paytable {text} does not say of which wager: write {wagers[-1].key}={text}.")
            key, name = wagers[0].key, text
        if key not in names:
            raise NotationError(f"{text!r} is a paytable of no wager of this session; there are: {', '.join(names)}.")
        names[key] = name
    return list(names.values())


# One round


def counted_law(
    game: TableGame, names: Sequence[str], tables: Sequence[str], texts: Sequence[str], strategy: str
) -> Law:
    strategy = game.strategy_named(strategy, OPTIMAL)
    wagers = _wagers(game, names)
    chosen, cents = _paytables(wagers, tables), _stakes(wagers, texts)
    stakes = [
        Stake(wager, read_paytable(wager, name), amount)
        for wager, name, amount in zip(wagers, chosen, cents, strict=True)
    ]
    if len(stakes) == 1:
        sheet = make_sheet(game, wagers[0], chosen[0], stakes[0].paytable, strategy=strategy)
        law = law_of_figures(sheet.figures, cents[0])
    else:
        law = law_of_counts(stakes, counter_of(game).together(stakes, strategy))
    fresh = f"Every round is dealt from a fresh {'deck' if game.decks == 1 else f'shoe of {game.decks} decks'}"
    decided = any(counter_of(game).strategies(wager) for wager in wagers)
    options = [f"House option: {game.options[option]}." for option in game.options_read]
    notes = [f"{fresh}, by the strategy: {strategy}." if decided else f"{fresh}.", *options]
    return Law(_title(game, wagers, chosen, cents), law, notes)


def _title(game: TableGame, wagers: Sequence[Wager], tables: Sequence[str], cents: Sequence[int]) -> str:
    parts = [
        f"{wager.title}{f' (paytable {name})' if len(wager.paytables) > 1 else ''} {dollars(amount)}"
        for wager, name, amount in zip(wagers, tables, cents, strict=True)
    ]
    return f"{game.title}: {', '.join(parts)}"


def blackjack_law(
    title: BlackjackGame, asked: Asked, names: Sequence[str], tables: Sequence[str], texts: Sequence[str]
) -> Law:
    game = title.under(asked.rules, asked.decks)
    wagers = _wagers(game, names)
    if len(wagers) > 1:
        raise NotationError(
            f"Wagers of {game.title.lower()} depend on each other and are not counted together: name one of them, or "
            f"play them all with `croupier simulate {game.key}`."
        )
    [wager], [cents], [name] = wagers, _stakes(wagers, texts), _paytables(wagers, tables)
    asked = asked._replace(wager=wager.key, paytable=name if tables else None)
    if wager.key == BET.key:
        return _bet_law(game, asked, cents)
    if wager.key == "insurance":
        raise NotationError("Insurance is taken against an ace only, not every round: name bet or a side wager.")
    return _side_law(game, wager, asked, cents)


def _bet_law(game: BlackjackGame, asked: Asked, cents: int) -> Law:
    if asked.meters:
        raise NotationError("--meter is about a progressive wager: name it.")
    figures = bet_figures(game, asked, read_chart(asked))
    notes = [f"Played: {figures.words}.", FRESH_SHOE]
    if figures.swings.note:
        notes.append(figures.swings.note)
    if figures.insures:
        notes.append("The insurance that the chart takes is not in the results.")
    return Law(f"{game.title}, {game.short_placard}: Bet {dollars(cents)}", _law_of_bet(figures, cents), notes)


def _law_of_bet(figures: BetFigures, cents: int) -> RoundLaw:
    swings = figures.swings
    if not swings.sampled:
        return law_of_chances(swings.law, cents)
    most = most_in_a_round(figures.rules)
    return law_of_sample(swings.law, cents, mean=swings.mean, most=most, sampled=SAMPLE_SAID)


def _side_law(game: BlackjackGame, wager: Wager, asked: Asked, cents: int) -> Law:
    if asked.strategy != "optimal" or asked.chart:
        raise NotationError(f"--strategy and --chart are about the bet, not about {wager.key}.")
    if asked.meters and not wager.progressive:
        raise NotationError(f"{wager.title} has no meter.")
    sheet = side_sheets(game, wager, asked._replace(paytable=asked.paytable or _usual(game, wager)), read_paytable)[0]
    notes = [FRESH_SHOE]
    if sheet.meters:
        stand = ", ".join(
            f"{meter_title(meter)} {dollars(round(worth * cents))}" for meter, worth in sheet.meters.items()
        )
        notes.append(f"The meters are held where they stand, {stand}: in truth they grow and are reset.")
    if wager.key == "bet-the-bust":
        notes.append("Counted as if the dealer always played, and bet on every time.")
    title = f"{wager.title}, paytable {sheet.paytable_id}, {sheet.decks} decks: {dollars(cents)}"
    return Law(title, law_of_figures(sheet.figures, cents), notes)


def _usual(game: BlackjackGame, wager: Wager) -> str:
    if wager.key == "bet-the-bust":
        return "1" if game.rules.hits_soft_17 else "2"
    return next(iter(wager.paytables))


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
    limited: BankrollSession | None
    """With the bankroll."""
    stations: Sequence[Station]
    """On the way, where a picture is drawn."""
    house: HouseResult | None
    notes: list[str]


@app.command(name="session")
def session(
    game: Annotated[str, typer.Argument(help="A game, as `croupier games` lists them.")],
    wagers: Annotated[
        list[str] | None, typer.Argument(help="Its wagers; the first of them where none is named.")
    ] = None,
    *,
    rounds: Annotated[str, option("--rounds", "How many rounds a session has: 500, or 1e6.")] = "100",
    stake: Annotated[
        list[str] | None,
        option("--stake", "On every wager, or WAGER=MONEY for one (repeatable). Default: 10 dollars."),
    ] = None,
    bankroll: Annotated[
        str | None, option("--bankroll", "What the player brings: the session ends when it is gone.")
    ] = None,
    goal: Annotated[str | None, option("--goal", "The money with which the player leaves; needs --bankroll.")] = None,
    cover: Annotated[
        str | None,
        option(
            "--cover",
            "What one more round needs: first (the first wagers) or all (raises, doubles and splits too); "
            "default: all, in blackjack first.",
        ),
    ] = None,
    sessions: Annotated[
        str | None,
        option("--sessions", "What the house wins from so many sessions, with its 95 % interval."),
    ] = None,
    paytable: Annotated[
        list[str] | None, option("--paytable", "ID or FILE, with several wagers WAGER=ID (repeatable).")
    ] = None,
    strategy: StrategyOption = "optimal",
    house_option: HouseOption = None,
    chart: ChartOption = None,
    rules: RulesOption = "",
    decks: DecksOption = None,
    meter: MeterOption = None,
    as_json: AsJson = False,
    plot: Annotated[Path | None, option("--plot", "A picture: .png, .svg or .pdf.")] = None,
) -> None:
    """The results of a session: mean, percentiles, chance to be ahead, ruin, and what the house wins."""
    many = read_count("a number of rounds", rounds)
    of_sessions = read_count("a number of sessions", sessions) if sessions is not None else None
    _check_numbers(many, of_sessions)
    _check_words(bankroll, goal, cover, plot)
    chosen = find_any_game(game).with_options(house_option or ())
    if chosen.placard:
        asked = Asked(rules=rules, decks=decks, meters=meter or (), strategy=strategy, chart=chart)
        law = blackjack_law(of_the_family(chosen), asked, wagers or [], paytable or [], stake or [])
    else:
        if rules or decks is not None or meter or chart:
            raise NotationError(f"{chosen.title} takes no rules, chart, decks or meters: it has one set of rules.")
        law = counted_law(chosen, wagers or [], paytable or [], stake or [], strategy)
    covers = cover or (FIRST if chosen.placard else ALL)
    purse = _purse(law.law, bankroll, goal, covers)
    played = _played(law, many, purse, of_sessions, picture=plot is not None)
    notes = [*law.notes, *_precision(played), *(_cover_in_words(law.law, covers) if purse else ())]
    played = played._replace(notes=notes)
    _show(played, as_json=as_json, plot=plot)


def _check_numbers(rounds: int, sessions: int | None) -> None:
    """What is wrong is said before anything is counted."""
    check_rounds(rounds)
    if sessions is not None and not 1 <= sessions <= MOST_SESSIONS:
        raise NotationError(f"There are from 1 to {MOST_SESSIONS:,} sessions, not {sessions:,}.")


def _check_words(bankroll: str | None, goal: str | None, cover: str | None, plot: Path | None) -> None:
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
    if bankroll is None:
        return None
    needed = law.most_cents if cover == ALL else Fraction(law.first_cents)
    return Purse(parse_cents(bankroll), needed, parse_cents(goal) if goal is not None else None)


def _played(law: Law, rounds: int, purse: Purse | None, sessions: int | None, *, picture: bool) -> Played:
    results = after(law.law, rounds)
    at = marks(rounds, 0 if purse else len(results.chances)) if picture else []
    limited, house = None, None
    stations: Sequence[Station] = ()
    if purse:
        with progress("Playing the bankroll", rounds) as advance:
            limited = walk(law.law, purse, rounds, marks=at, advance=advance)
            stations = limited.stations
    elif at:
        with progress("Playing the rounds", len(at)) as advance:
            stations = tuple(stations_of(law.law, at, advance))
    if sessions is not None and limited:
        house = house_from_sessions(limited.results, sessions)
    elif sessions is not None:
        house = house_from_rounds(law.law, rounds, sessions)
    return Played(law.title, law.law, rounds, results, limited, stations, house, law.notes)


def _precision(played: Played) -> Iterator[str]:
    """How far the figures are known."""
    law = played.law
    if law.step_cents.denominator > 1:
        yield "Pays are taken exactly, with parts of a cent; a table rounds them to its chips."
    if law.sampled:
        yield law.sampled
    elif law.weights is None:
        known = f"{played.rounds * WITHIN:.1g}"
        yield f"The mean of one round is known within {WITHIN:g} of the wager, so that of the session within {known}."
    if played.results.exact:
        yield "Chances with all rounds played are exact, in whole numbers of deals."
    elif not law.sampled:
        yield f"Chances with all rounds played are within {WITHIN:g}; smaller ones are not known."
    if played.limited:
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
    if plot is not None:
        drawn = SessionPlot(played.title, played.law, played.rounds, played.results, played.stations, played.limited)
        save(draw(drawn), plot)
    if as_json:
        print_json(as_programs_read(played))
        return
    print_session(played)
    if plot is not None:
        print(f"The picture is in {plot}.")


# In print

MOST_LISTED = 5_000
"""Results that `--json` lists one by one."""


def money(cents: Fraction | float, places: int = 2) -> str:
    """`-$12.34`, rounded to the cent."""
    amount = Fraction(cents) / CENTS
    return f"{'-' if amount < 0 else ''}${fixed(abs(amount), places)}"


def share(chance: Fraction | float) -> str:
    """In percent; what is too small for that is said to be so, and `--json` says how small."""
    if 0 < chance < 1e-6:
        return "under 0.0001 %"
    return f"{100 * float(chance):.4f} %"


def print_session(played: Played) -> None:
    screen = console()
    columns = ["all rounds played"]
    laws = [played.results]
    if played.limited:
        columns.append(f"with {dollars(played.limited.purse.bankroll_cents)}")
        laws.append(played.limited.results)
    title = f"{played.title}; {_rounds(played)}"
    listing = table(title, "result of a session", *columns)
    for name, cells in _rows(played, laws):
        listing.add_row(name, *cells)
        if name in ("standard deviation", "behind"):
            listing.add_section()
    screen.print(listing)
    for name, value in (*_bankroll_lines(played), *_round_lines(played), *_house_lines(played)):
        screen.print(f"  {name:<19} {value}", markup=False, soft_wrap=True)
    screen.print()
    for note in played.notes:
        screen.print(f"  {note}", markup=False, soft_wrap=True)
    screen.print()


def _rounds(played: Played) -> str:
    return f"{played.rounds:,} round{'s' if played.rounds > 1 else ''}"


def _rows(played: Played, laws: list[Results]) -> Iterator[tuple[str, list[str]]]:
    """The first column's mean and deviation come from one round's, which are exact."""
    means = [played.rounds * played.law.mean_cents, *(law.mean_cents for law in laws[1:])]
    deviations = [played.rounds**0.5 * played.law.deviation_cents, *(law.deviation_cents for law in laws[1:])]
    yield "mean", [money(mean) for mean in means]
    yield "standard deviation", [money(deviation) for deviation in deviations]
    yield "ahead", [share(law.ahead) for law in laws]
    yield "even", [share(law.even) for law in laws]
    yield "behind", [share(law.behind) for law in laws]
    for percent in PERCENTILES:
        name = "50 % (median)" if percent == 50 else f"{percent} %"
        yield name, [money(law.percentile(percent)) for law in laws]


def _bankroll_lines(played: Played) -> Iterator[tuple[str, str]]:
    limited = played.limited
    if not limited:
        return
    yield "bankroll gone", f"{share(limited.ruin)}   within {_rounds(played)}"
    if limited.purse.goal_cents is not None:
        yield "goal reached first", f"{share(limited.goal)}   {dollars(limited.purse.goal_cents)}"
        yield "neither", share(max(0.0, 1 - limited.ruin - limited.goal))
    yield "rounds played", f"{limited.rounds_played:,.1f} on average"
    ruin, stake = ruin_for_ever(played.law, limited.purse), kelly_share(played.law)
    chances = share(ruin.high) if ruin.low == ruin.high else f"{share(ruin.low)} to {share(ruin.high)}"
    yield "gone some day", f"{chances}   where the player goes on for ever"
    money_staked = dollars(int(stake * limited.purse.bankroll_cents))
    yield (
        "Kelly stake",
        f"{share(stake)} of the bankroll, {money_staked}" if stake else "nothing: no edge for the player",
    )


def _round_lines(played: Played) -> Iterator[tuple[str, str]]:
    law = played.law
    edge = -100 * float(law.mean_cents) / law.first_cents
    yield "one round", f"{money(law.mean_cents, 4)} on average, {edge:.4f} % of the first wagers for the house"
    yield "", f"standard deviation {money(law.deviation_cents, 4)}"
    even = law.rounds_to_even
    lost = "win" if law.mean_cents > 0 else "loss"
    turns = f"{even:,.0f} rounds until one standard deviation equals the average {lost}" if even else "never: fair"
    yield "N-zero", turns


def _house_lines(played: Played) -> Iterator[tuple[str, str]]:
    house = played.house
    if not house:
        return
    of_first = 100 / _first_wagers_cents(played)
    yield "the house", f"wins {money(house.mean_cents)} on average from {house.sessions:,} sessions"
    yield "95 % interval", f"{money(house.low_cents)} to {money(house.high_cents)}, {house.basis}"
    low, high = of_first * house.low_cents, of_first * house.high_cents
    yield "", f"{low:.4f} % to {high:.4f} % of the first wagers; outside, a hold is investigated (COMAR 36.05.03.25)"


def _first_wagers_cents(played: Played) -> float:
    """In all sessions, on average."""
    rounds = played.limited.rounds_played if played.limited else played.rounds
    return rounds * played.law.first_cents * (played.house.sessions if played.house else 1)


# For programs


def as_programs_read(played: Played) -> dict[str, Any]:
    law = played.law
    answer: dict[str, Any] = {
        "session": played.title,
        "rounds": played.rounds,
        "first_wagers": law.first_cents / CENTS,
        "most_at_stake": float(law.most_cents) / CENTS,
        "one_round": {
            "mean": float(law.mean_cents) / CENTS,
            "mean_exact": str(law.mean_cents / CENTS) if law.weights else None,
            "standard_deviation": law.deviation_cents / CENTS,
            "results": [
                {"result": float(net * law.step_cents) / CENTS, "probability": chance}
                for net, chance in zip(law.nets, law.chances.tolist(), strict=True)
            ],
        },
        "n_zero": law.rounds_to_even,
        "exact": played.results.exact,
        "within": None if played.results.exact or law.sampled else WITHIN,
        "all_rounds": {
            **_law_as_json(played.results),
            "mean": played.rounds * float(law.mean_cents) / CENTS,
            "standard_deviation": played.rounds**0.5 * law.deviation_cents / CENTS,
        },
        "notes": played.notes,
    }
    if played.limited:
        limited, purse = played.limited, played.limited.purse
        answer["with_bankroll"] = {
            "bankroll": purse.bankroll_cents / CENTS,
            "needed": float(purse.needed_cents) / CENTS,
            "goal": None if purse.goal_cents is None else purse.goal_cents / CENTS,
            "ruin": limited.ruin,
            "goal_reached": None if purse.goal_cents is None else limited.goal,
            "rounds_played": limited.rounds_played,
            **_law_as_json(limited.results),
        }
        ruin, stake = ruin_for_ever(played.law, purse), kelly_share(played.law)
        answer["for_ever"] = {
            "ruin_low": ruin.low,
            "ruin_high": ruin.high,
            "kelly_share": stake,
            "kelly_stake_cents": int(stake * purse.bankroll_cents),
        }
    if played.house:
        house = played.house
        answer["house"] = {
            "sessions": house.sessions,
            "mean": house.mean_cents / CENTS,
            "standard_deviation": house.deviation_cents / CENTS,
            "interval_95": [house.low_cents / CENTS, house.high_cents / CENTS],
            "basis": house.basis,
        }
    return answer


def _law_as_json(law: Results) -> dict[str, Any]:
    there = np.flatnonzero(law.chances)
    listed = [
        {"result": float((law.low + place) * law.step_cents) / CENTS, "probability": float(law.chances[place])}
        for place in (there.tolist() if len(there) <= MOST_LISTED else ())
    ]
    return {
        "mean": law.mean_cents / CENTS,
        "standard_deviation": law.deviation_cents / CENTS,
        "ahead": float(law.ahead),
        "even": float(law.even),
        "behind": float(law.behind),
        "percentiles": {str(percent): float(law.percentile(percent)) / CENTS for percent in PERCENTILES},
        "results": listed or None,
    }
