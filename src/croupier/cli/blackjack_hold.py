"""How a progressive can be funded so that its hold is the printed one: `croupier odds blackjack ... --find-hold`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.analysis.printing import percent
from croupier.cli.console import console, table

if TYPE_CHECKING:
    from croupier.analysis.blackjack.more import Fundings
    from croupier.analysis.progressive import Progressive


def print_fundings(fundings: Fundings, printed: str) -> None:
    from croupier.analysis.blackjack.more import MOST_FUNDINGS, plain_seed
    from croupier.analysis.progressive import meter_title

    progressive, found, usual = fundings
    if not found:
        _print_none_found(progressive, printed)
        return
    listing = table(f"Fundings with a hold of {printed}", "contribution", "seeds, in wagers", "hold", "", left=2)
    for funding in found[:MOST_FUNDINGS]:
        seeds = ", ".join(f"{meter_title(meter)} {plain_seed(seed):,}" for meter, seed in funding.seeds.items())
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
