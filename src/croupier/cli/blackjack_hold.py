"""How a progressive can be funded so that its hold is the printed one: `croupier odds blackjack ... --find-hold`."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING

from croupier.analysis.printing import fixed, percent
from croupier.cli.blackjack_more import More
from croupier.cli.console import console, table

if TYPE_CHECKING:
    from croupier.analysis.progressive import Funding, Progressive
    from croupier.analysis.side_wagers import SideSheet

MOST_FUNDINGS = 40


def find_hold(
    sheet: SideSheet, printed: str, *, contribution: Fraction | None = None, seeds: Mapping[str, Fraction] | None = None
) -> More:
    """Contributions in whole percents and seeds as people choose them, whose hold is printed so; or those given.

    What the maker configures comes first, then what is nearest to its contribution.
    """
    from croupier.analysis.progressive import WHOLE_PERCENTS, meter_title, preconfigured

    progressive = sheet.progressive
    assert progressive is not None, "asked only where there is a meter"
    usual = preconfigured(sheet.wager.key, sheet.paytable_id)
    middle = usual.contribution if usual else Fraction(0)
    shares = sorted(WHOLE_PERCENTS, key=lambda share: abs(share - middle)) if contribution is None else [contribution]
    found = progressive.fundings(printed, shares, given=seeds or {}, first=usual)
    fundings = list(islice(found, MOST_FUNDINGS + 1))
    as_json = [
        {
            "contribution": fixed(funding.contribution, 2 if funding.contribution * 100 % 1 == 0 else 6),
            "seeds": {meter_title(meter): _plain(seed) for meter, seed in funding.seeds.items()},
            "hold_percent": float(100 * progressive.hold(funding)),
            "preconfigured": funding == usual,
        }
        for funding in fundings[:MOST_FUNDINGS]
    ]
    return More({"fundings": as_json}, lambda: _print_fundings(progressive, printed, fundings, usual))


def _print_fundings(progressive: Progressive, printed: str, found: list[Funding], usual: Funding | None) -> None:
    from croupier.analysis.progressive import meter_title

    if not found:
        _print_none_found(progressive, printed)
        return
    listing = table(f"Fundings with a hold of {printed}", "contribution", "seeds, in wagers", "hold", "", left=2)
    for funding in found[:MOST_FUNDINGS]:
        seeds = ", ".join(f"{meter_title(meter)} {_plain(seed):,}" for meter, seed in funding.seeds.items())
        made = "pre-configured" if funding == usual else ""
        listing.add_row(percent(funding.contribution, 1), seeds, percent(progressive.hold(funding)), made)
    screen = console()
    screen.print(listing)
    if len(found) > MOST_FUNDINGS:
        screen.print(
            f"  There are more than these {MOST_FUNDINGS}; --contribution and --seed-amount choose among them."
        )


def _print_none_found(progressive: Progressive, printed: str) -> None:
    from croupier.analysis.progressive import ROUND_SEEDS, printed_range

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


def _plain(seed: Fraction) -> int | float:
    return int(seed) if seed.denominator == 1 else float(seed)
