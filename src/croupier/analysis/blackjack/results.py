"""What a hand wins against each ending of the dealer: the Bet's own judgments, at its prices under a table's rules.

Nothing is decided here. The solver knows hands by their grade, and the dealer's endings by their place in
`dealer_results`: 17 to 21, broken, blackjack, and 22 where that pushes. Every grade is judged against every ending
once, as the live table would.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np

from croupier.analysis.blackjack.hands import Floats
from croupier.games.blackjack.game import posted_bet
from croupier.games.blackjack.hand import (
    BLACKJACK,
    DEALER_RESULTS,
    DIAMONDS,
    FIRST,
    PLAYER_RESULTS,
    SPLIT,
    Ending,
    dealer_results,
)
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.side_wagers import BUST, INSURANCE
from croupier.games.wager import AgainstDealer, OnDeal

Nets = tuple[Fraction, ...]
"""By ending of the dealer, per unit of the wager."""
AT_BROKEN, AT_BLACKJACK, AT_22 = DEALER_RESULTS.index(BUST), DEALER_RESULTS.index(BLACKJACK), len(DEALER_RESULTS)
IN_DIAMONDS = Fraction(1, 16)
"""So many blackjacks are in diamonds, whatever the number of decks: one ace in four, and one ten-value card in four."""
LOWEST_GRADE = 16
"""This and less is one grade: all such hands must fare alike."""


@dataclass(frozen=True, eq=False)
class Results:
    """The nets of hands that were played, surrendered, or a blackjack at once."""

    stands: tuple[Nets, ...]
    """By grade: 16 or less, 17, ... 21, and where hands win by their number of cards a charlie and a bonus 21."""
    naturals: tuple[tuple[Fraction, Nets], ...]
    """Each sort of blackjack: what share of them it is, and what it wins."""
    surrendered: Nets
    insurance: tuple[Fraction, Fraction]
    """Per unit insured: where the dealer has a blackjack, and where not."""

    @property
    def endings(self) -> int:
        """How many of the dealer's are told apart."""
        return len(self.surrendered)

    @cached_property
    def blackjack(self) -> Nets:
        """What a blackjack wins on average over its sorts."""
        return tuple(
            sum((share * nets[end] for share, nets in self.naturals), Fraction()) for end in range(self.endings)
        )

    @cached_property
    def by_grade(self) -> Floats:
        """(grades, endings)."""
        return np.array([[float(net) for net in nets] for nets in self.stands])

    def staked(self, own: int, free: int) -> Floats:
        """(grades, endings): of a hand that carries so many units of the player's money and of free chips."""
        return np.where(self.by_grade > 0, (own + free) * self.by_grade, own * self.by_grade)

    def insured(self, chance: Floats) -> Floats:
        """What a unit of insurance is worth where a blackjack is so likely."""
        won, lost = map(float, self.insurance)
        return np.asarray(lost + (won - lost) * chance)


@lru_cache(maxsize=64)
def results(rules: Rules) -> Results:
    """Everything judged and priced under these rules."""
    stands = tuple(_nets(rules, FIRST, total) for total in range(LOWEST_GRADE, 22))
    if rules.charlie or rules.bonus_21:
        # Where there is no charlie no hand has its grade.
        stands = (*stands, _nets(rules, Ending.CHARLIE if rules.charlie else FIRST, 21))
    if rules.bonus_21:
        stands = (*stands, _nets(rules, Ending.BONUS_21, 21))
    _check_assumptions(rules, stands)
    assert isinstance(INSURANCE.basis, OnDeal)
    prices = INSURANCE.prices(next(iter(INSURANCE.paytables.values())))
    won, lost = (prices[INSURANCE.basis.judge((), has)].net for has in (True, False))
    return Results(stands, tuple(_naturals(rules)), _nets(rules, Ending.SURRENDERED, LOWEST_GRADE), (won, lost))


def _naturals(rules: Rules) -> Iterator[tuple[Fraction, Nets]]:
    diamonds = IN_DIAMONDS if rules.diamond_blackjack else Fraction()
    yield 1 - diamonds, _nets(rules, FIRST, BLACKJACK)
    if diamonds:
        yield diamonds, _nets(rules, FIRST, DIAMONDS)


def _nets(rules: Rules, choice: str, player: int | str) -> Nets:
    """What the Bet says of a hand that came to this."""
    bet = posted_bet(rules)
    assert isinstance(bet.basis, AgainstDealer)
    judge = next(chosen.judge for chosen in bet.basis.choices if chosen.key == choice)
    prices = bet.prices(next(iter(bet.paytables.values())))
    return tuple(prices[judge(player, dealer)].net for dealer in dealer_results(rules))


def _check_assumptions(rules: Rules, stands: tuple[Nets, ...]) -> None:
    """What the loops of the solver take for granted, and would be wrong about if the judgments were others."""
    low = [total for total in PLAYER_RESULTS if isinstance(total, int) and total <= LOWEST_GRADE]
    assert all(_nets(rules, FIRST, total) == stands[0] for total in low), "hands of 16 and less fare alike"
    assert all(net == -1 for net in _nets(rules, FIRST, BUST)), "a broken hand has lost its wager"
    assert all(_nets(rules, SPLIT, LOWEST_GRADE + grade) == nets for grade, nets in enumerate(stands[:6])), (
        "a hand from a split fares like any other"
    )
    assert all(nets[AT_BLACKJACK] == -1 for nets in stands), "a dealer's blackjack takes the wager"
