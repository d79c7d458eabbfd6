"""How the results of a session are shown: a table for people, numbers for programs."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from croupier.analysis.estimates import PERCENTILES
from croupier.analysis.printing import fixed
from croupier.analysis.session import WITHIN, Results
from croupier.cli.console import console, table
from croupier.games.money import CENTS, dollars

if TYPE_CHECKING:
    from collections.abc import Iterator

    from croupier.cli.results import Played

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


# For people


def print_session(played: Played) -> None:
    screen = console()
    columns = ["all rounds played"]
    laws = [played.results]
    if played.sitting:
        columns.append(f"with {dollars(played.sitting.purse.bankroll_cents)}")
        laws.append(played.sitting.results)
    title = f"{played.title}; {_rounds(played)}"
    listing = table(title, "result of a session", *columns)
    for name, cells in _rows(played, laws):
        listing.add_row(name, *cells)
        if name in ("standard deviation", "behind"):
            listing.add_section()
    screen.print(listing)
    for name, value in (*_sitting_lines(played), *_round_lines(played), *_house_lines(played)):
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


def _sitting_lines(played: Played) -> Iterator[tuple[str, str]]:
    sitting = played.sitting
    if not sitting:
        return
    yield "bankroll gone", f"{share(sitting.ruin)}   within {_rounds(played)}"
    if sitting.purse.goal_cents is not None:
        yield "goal reached first", f"{share(sitting.goal)}   {dollars(sitting.purse.goal_cents)}"
        yield "neither", share(max(0.0, 1 - sitting.ruin - sitting.goal))
    yield "rounds played", f"{sitting.rounds_played:,.1f} in the mean"


def _round_lines(played: Played) -> Iterator[tuple[str, str]]:
    law = played.law
    edge = -100 * float(law.mean_cents) / law.first_cents
    yield "one round", f"{money(law.mean_cents, 4)} in the mean, {edge:.4f} % of the first wagers for the house"
    yield "", f"standard deviation {money(law.deviation_cents, 4)}"
    even = law.rounds_to_even
    lost = "won" if law.mean_cents > 0 else "lost"
    turns = f"{even:,.0f} rounds until one standard deviation is what is {lost} in the mean" if even else "never: fair"
    yield "N-zero", turns


def _house_lines(played: Played) -> Iterator[tuple[str, str]]:
    house = played.house
    if not house:
        return
    of_first = 100 / _first_wagers_cents(played)
    yield "the house", f"wins {money(house.mean_cents)} in the mean from {house.sessions:,} sessions"
    yield "95 % interval", f"{money(house.low_cents)} to {money(house.high_cents)}, {house.basis}"
    low, high = of_first * house.low_cents, of_first * house.high_cents
    yield "", f"{low:.4f} % to {high:.4f} % of the first wagers; outside, a hold is investigated (COMAR 36.05.03.25)"


def _first_wagers_cents(played: Played) -> float:
    """In all sessions, in the mean."""
    rounds = played.sitting.rounds_played if played.sitting else played.rounds
    return rounds * played.law.first_cents * (played.house.sessions if played.house else 1)


# For programs


def as_programs_read(played: Played) -> dict[str, Any]:
    law = played.law
    found: dict[str, Any] = {
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
        "within": None if played.results.exact else WITHIN,
        "all_rounds": {
            **_law_as_json(played.results),
            "mean": played.rounds * float(law.mean_cents) / CENTS,
            "standard_deviation": played.rounds**0.5 * law.deviation_cents / CENTS,
        },
        "notes": played.notes,
    }
    if played.sitting:
        sitting, purse = played.sitting, played.sitting.purse
        found["with_bankroll"] = {
            "bankroll": purse.bankroll_cents / CENTS,
            "needed": float(purse.needed_cents) / CENTS,
            "goal": None if purse.goal_cents is None else purse.goal_cents / CENTS,
            "ruin": sitting.ruin,
            "goal_reached": None if purse.goal_cents is None else sitting.goal,
            "rounds_played": sitting.rounds_played,
            **_law_as_json(sitting.results),
        }
    if played.house:
        house = played.house
        found["house"] = {
            "sessions": house.sessions,
            "mean": house.mean_cents / CENTS,
            "standard_deviation": house.deviation_cents / CENTS,
            "interval_95": [house.low_cents / CENTS, house.high_cents / CENTS],
            "basis": house.basis,
        }
    return found


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
