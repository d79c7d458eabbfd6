"""The floor that is rehearsed: three tables of different games on one link, and the people who work there."""

from __future__ import annotations

from croupier.progressive.authority import Role
from croupier.progressive.setup import LevelSetup, LinkedTable, LinkSetup
from croupier.progressive.signing import Signed

DEALERS = (Signed("ann", Role.DEALER), Signed("ben", Role.DEALER), Signed("cho", Role.DEALER))
SUPERVISOR, EXECUTIVE = Signed("sue", Role.SUPERVISOR), Signed("eve", Role.EXECUTIVE)
MANAGER, OTHER_MANAGER = Signed("max", Role.MANAGER), Signed("mia", Role.MANAGER)
TITLES = ("King's Bounty", "Royal Match", "Free Bet Blackjack")
SETUP = LinkSetup(
    wager="blazing-7s-dealer",
    paytable="ML03",
    decks=8,
    wager_cents=500,
    levels=(
        LevelSetup("Mega", 1_000_000, 37_000, 1_500),
        LevelSetup("Major", 500_000, 55_000, 2_500),
        LevelSetup("Minor", 250_000, 148_000, 6_000),
    ),
    executive_threshold_cents=1_000_000,
    tables=tuple(
        LinkedTable(number, title, "blazing-7s-dealer", "ML03", 8) for number, title in enumerate(TITLES, start=1)
    ),
)
"""24 % of a $5 wager to the meters, in proportion to what their reseeding costs, and 1 % to the reserves."""
