"""`croupier odds blackjack`: the base wager by the exact solver, the side wagers by counting."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from croupier.analysis.printing import fixed, percent
from croupier.cli.blackjack import solved
from croupier.cli.blackjack_more import find_hold, with_bet, with_players
from croupier.cli.console import console, print_json, table
from croupier.errors import NotationError, UnknownName
from croupier.games.blackjack.game import DECKS_OF, BlackjackGame, BlackjackOffering, blackjack
from croupier.games.blackjack.rules import DECKS, Rules
from croupier.games.blackjack.side_wagers import BET_THE_BUST, UP_CARDS
from croupier.games.paytable import Kind
from croupier.games.wager import Wager

if TYPE_CHECKING:
    from croupier.analysis.blackjack.moments import Moments
    from croupier.analysis.blackjack.solver import Solution
    from croupier.analysis.side_wagers import SideSheet

MOST_PLAYERS = 7
DecksOption = Annotated[int | None, typer.Option("--decks", help="Blackjack: decks, where not those of --rules.")]
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
    typer.Option("--find-hold", help="Progressives: contributions and seeds whose hold is printed so: 24.78%."),
]


class Asked(NamedTuple):
    """What a person wants to know, as it was typed."""

    rules: str
    decks: int | None
    wager: str | None
    paytable: str | None
    meters: list[str]
    seeds: list[str]
    contribution: str | None
    convention: str
    players: int | None = None
    with_bet: bool = False
    find_hold: str | None = None


def show_odds(asked: Asked, *, as_json: bool) -> None:
    """The figures of one wager of blackjack, or of all that go with its decks."""
    _check_questions(asked)
    game = blackjack(_rules(asked))
    wagers = [game.wager(asked.wager)] if asked.wager else list(game.wagers)
    if asked.paytable and not asked.wager:
        names = ", ".join(each.key for each in game.wagers)
        raise NotationError(f"--paytable {asked.paytable} needs the wager it belongs to: name one of {names}.")
    found: list[dict[str, Any]] = []
    for wager in wagers:
        if wager.key == "bet":
            found.append(_show_bet(game, asked, as_json=as_json))
        elif asked.wager or game.rules.decks in decks_of(wager):
            found += [_show_side(game, sheet, asked, as_json=as_json) for sheet in side_sheets(game, wager, asked)]
    if as_json:
        print_json(found[0] if asked.paytable or asked.wager == "bet" else found)


def _check_questions(asked: Asked) -> None:
    """Some questions are about one side wager; what is wrong with them is said before anything is printed."""
    questions = (asked.players is not None, asked.with_bet, asked.find_hold is not None)
    if any(questions) and asked.wager in (None, "bet", "insurance"):
        raise NotationError("--players, --with-bet and --find-hold are about one side wager: name it.")
    if (asked.meters or asked.seeds or asked.contribution) and asked.wager in (None, "bet", "insurance"):
        raise NotationError("--meter, --seed-amount and --contribution are about one progressive wager: name it.")
    if asked.players is not None and asked.wager != BET_THE_BUST.key:
        raise NotationError(f"--players is about bet-the-bust; {asked.wager} does not depend on them.")
    if asked.players is not None and not 1 <= asked.players <= MOST_PLAYERS:
        raise NotationError(f"There are 1 to {MOST_PLAYERS} players at a table, not {asked.players}.")
    if asked.find_hold is not None and not re.fullmatch(r"\d{1,2}(\.\d{1,6})?%?", asked.find_hold, re.ASCII):
        raise NotationError(f"{asked.find_hold!r} is no printed hold: write it as 24.78%.")


def _rules(asked: Asked) -> Rules:
    rules = Rules.parse(asked.rules)
    if asked.decks is None:
        return rules
    return replace(rules, decks=asked.decks)


def decks_in_words(decks: int) -> str:
    return "1 deck" if decks == 1 else f"{decks} decks"


def decks_of(wager: Wager) -> tuple[int, ...]:
    """With how many decks a wager is offered (blackjack 1.7)."""
    return tuple(DECKS_OF.get(wager.key, DECKS))


# The base wager


def _show_bet(game: BlackjackGame, asked: Asked, *, as_json: bool) -> dict[str, Any]:
    from croupier.analysis.blackjack.moments import moments

    wager = game.wager("bet")
    if asked.paytable and asked.paytable not in wager.paytables:
        raise UnknownName("paytable of the Bet (its odds are in --rules)", asked.paytable, wager.paytables)
    solution = solved(str(game.rules), "", asked.convention)
    swings = moments(
        solution if asked.convention.upper() not in ("CDP", "CDPN") else solved(str(game.rules), "", "CDZ-")
    )
    if not as_json:
        _print_bet(solution, swings)
    return _bet_as_json(solution, swings, digest=BlackjackOffering(game).digest_of(wager))


def _bet_as_json(solution: Solution, swings: Moments, *, digest: str) -> dict[str, Any]:
    """In the form that the other games use; exact fractions are not known, the precision is stated instead."""
    lines = [
        {
            "line": f"{float(result):+g} units",
            "pays": f"{float(result):+g}",
            "combinations": None,
            "probability": chance,
        }
        for result, chance in swings.law.items()
    ]
    return {
        "game": "blackjack",
        "wager": "bet",
        "paytable": next(iter(blackjack(solution.rules).wager("bet").paytables)),
        "decks": solution.rules.decks,
        "rules": str(solution.rules),
        "strategy": "optimal",
        "convention": str(solution.convention),
        "digest": digest,
        "house_edge": {"exact": None, "percent": -100 * solution.edge},
        "hit_frequency": {"exact": None, "percent": 100 * swings.chance(0.01, 100)},
        "standard_deviation": swings.standard_deviation,
        "precision": 1e-10,
        "lines": lines,
    }


def _print_bet(solution: Solution, swings: Moments) -> None:
    listing = table(f"Blackjack, {solution.rules}", "result", "probability", "one in", "return")
    for result, chance in swings.law.items():
        listing.add_row(
            f"{float(result):+g}", f"{100 * chance:.6f} %", f"{1 / chance:,.1f}", f"{float(result) * chance:+.6f}"
        )
    screen = console()
    screen.print(listing)
    screen.print(
        f"  house edge          {-100 * solution.edge:.9f} %   best play for the exact cards, {solution.convention}"
    )
    screen.print(f"  hit frequency       {100 * swings.chance(0.01, 100):.6f} %")
    screen.print(f"  standard deviation  {swings.standard_deviation:.6f} per unit")
    if not swings.exact:
        screen.print("  How rounds of three and four split hands divide is close; mean and deviation are exact.")
    screen.print()


# Side wagers


def side_sheets(game: BlackjackGame, wager: Wager, asked: Asked) -> list[SideSheet]:
    """One sheet for each paytable asked for, at the meters and with the money that was said."""
    from croupier.analysis.side_wagers import make_side_sheet
    from croupier.cli.options import read_paytable

    if game.rules.decks not in decks_of(wager):
        allowed = ", ".join(map(str, decks_of(wager)))
        raise NotationError(
            f"{wager.title} is not offered with {decks_in_words(game.rules.decks)}: it takes {allowed}."
        )
    names = [asked.paytable] if asked.paytable else list(wager.paytables)
    if wager is BET_THE_BUST and not asked.paytable:
        names = ["1" if game.rules.hits_soft_17 else "2"]
    return [
        make_side_sheet(
            game,
            wager,
            name,
            read_paytable(wager, name),
            game.rules.decks,
            meters=_levels(wager, name, _amounts(asked.meters, "meter")),
            contribution=_share(asked.contribution),
            seeds=_levels(wager, name, _amounts(asked.seeds, "seed")),
            hits_soft_17=game.rules.hits_soft_17,
        )
        for name in names
    ]


def _amounts(texts: list[str], what: str) -> dict[str, Fraction]:
    """`5000` for the only meter, `Mega=5000` for one of several."""
    found = {}
    for text in texts:
        name, equals, amount = text.rpartition("=")
        plain = amount.replace(",", "").strip()
        if not plain.isascii() or not plain.replace(".", "", 1).isdigit() or len(plain) > 15:
            raise NotationError(f"{text!r} is no {what}: write wagers, as 5000, or Mega=5000.")
        found[name.strip().title() if equals else ""] = Fraction(plain)
    return found


def _levels(wager: Wager, paytable: str, given: dict[str, Fraction]) -> dict[str, Fraction] | None:
    """Amounts for every meter of the paytable: those that are not given stand at their usual seeds."""
    from croupier.analysis.progressive import preconfigured
    from croupier.cli.options import read_paytable

    if not given:
        return None
    levels = [row.pay.meter for row in read_paytable(wager, paytable).rows if row.pay.kind is Kind.SHARE]
    wrong = [name for name in given if name not in levels]
    if wrong:
        there = ", ".join(level or "one without a name" for level in dict.fromkeys(levels)) or "none"
        raise NotationError(
            f"{wager.title} {paytable} has no meter {wrong[0] or 'without a name'!r}: there is {there}."
        )
    usual = preconfigured(wager.key, paytable)
    return {**(usual.seeds if usual else {}), **given}


def _share(text: str | None) -> Fraction | None:
    if text is None:
        return None
    plain = text.strip().removesuffix("%").strip()
    if (
        not text.strip().endswith("%")
        or not plain.isascii()
        or not plain.replace(".", "", 1).isdigit()
        or len(plain) > 12
        or Fraction(plain) > 100
    ):
        raise NotationError(f"{text!r} is no contribution: write a percentage from 0% to 100%, with its sign.")
    return Fraction(plain) / 100


def _show_side(game: BlackjackGame, sheet: SideSheet, asked: Asked, *, as_json: bool) -> dict[str, Any]:
    if asked.find_hold is not None and sheet.progressive is None:
        raise NotationError(f"{sheet.wager.title} has no meter, so it has no hold to find.")
    if not as_json:
        _print_side(sheet)
    found = sheet.as_json()
    if asked.players is not None:
        found |= with_players(game, sheet, asked.players, as_json=as_json)
    if asked.with_bet:
        found |= with_bet(game, sheet, as_json=as_json)
    if asked.find_hold is not None:
        found |= find_hold(sheet, asked.find_hold, as_json=as_json)
    return found


def _print_side(sheet: SideSheet) -> None:
    from croupier.analysis.progressive import meter_title
    from croupier.analysis.side_wagers import BustSheet
    from croupier.cli.odds import print_figures, print_lines

    print_lines(sheet, f"{sheet.wager.title}, paytable {sheet.paytable_id}, {decks_in_words(sheet.decks)}")
    screen = console()
    if isinstance(sheet, BustSheet):
        listing = table("Against each up card", "up card", "share", "busts", "house edge")
        for each in sheet.up_cards:
            listing.add_row(
                UP_CARDS[each.up - 1], percent(each.probability), percent(each.bust), percent(each.house_edge)
            )
        screen.print(listing)
    print_figures(sheet)
    if sheet.progressive is None or sheet.meters is None:
        return
    rows = [("fixed return", percent(sheet.progressive.fixed_return))]
    for meter, worth in sheet.meters.items():
        even = sheet.progressive.break_even(sheet.meters)[meter]
        turns = f"   breaks even at {fixed(even, 1)} wagers" if even is not None else ""
        rows.append((meter_title(meter), f"at {fixed(worth, 1)} wagers{turns}"))
    if sheet.hold is not None and sheet.funding:
        seeds = ", ".join(f"{meter_title(meter)} {fixed(seed, 1)}" for meter, seed in sheet.funding.seeds.items())
        rows.append(
            ("hold", f"{percent(sheet.hold)}   contribution {percent(sheet.funding.contribution, 2)}, seeds {seeds}")
        )
    else:
        rows.append(("hold", "give --contribution and --seed-amount to know it"))
    for name, value in rows:
        screen.print(f"  {name:<19} {value}", markup=False, soft_wrap=True)
    screen.print()
