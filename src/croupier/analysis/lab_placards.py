"""The placard of a blackjack table as the lab lays it out: a word for each rule. Nothing is counted here."""

from __future__ import annotations

from fractions import Fraction

from croupier.games.blackjack.rules import Rules

USUAL = Rules()
BLACKJACK = "blackjack_odds"
"""The rule that is a pay."""
KNOWN_ODDS = tuple(Fraction(*odds) for odds in ((1, 1), (6, 5), (7, 5), (3, 2), (2, 1)))
"""What houses pay for one."""


def words_of(rules: Rules) -> dict[str, str]:
    """Each rule with its word on the placard."""
    return dict(zip(Rules.__dataclass_fields__, rules.full.split(), strict=True))
