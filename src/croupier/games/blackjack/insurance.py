"""Who may insure against the dealer's ace, for how much, and who may take even money instead."""

from __future__ import annotations

from fractions import Fraction

from croupier.games.blackjack.hand import BET, Ending
from croupier.games.blackjack.round import BlackjackRound
from croupier.games.blackjack.rules import ACE
from croupier.games.blackjack.side_wagers import DEALER_BLACKJACK, INSURANCE, value
from croupier.games.rulebook import rule


@rule("blackjack 4.1", "blackjack 4.2", "blackjack 4.7", "blackjack 15.11")
def may_insure(round_: BlackjackRound, seat: int) -> bool:
    """Whether a seat is asked: the dealer shows an ace, and half of the Bet is a chip or there is even money."""
    offered = round_.rules.insurance and value(round_.up_card) == ACE
    return offered and (most_insurance_cents(round_, seat) > 0 or may_take_even_money(round_, seat))


@rule("blackjack 4.2")
def most_insurance_cents(round_: BlackjackRound, seat: int) -> int:
    """Half of the Bet in whole chips."""
    chip = round_.offering.rounding.chip_cents
    return round_.seats[seat].wagers[BET.key] // (2 * chip) * chip


@rule("blackjack 4.7")
def may_take_even_money(round_: BlackjackRound, seat: int) -> bool:
    """A seat with a blackjack, where it pays 3 to 2 and insurance 2 to 1."""
    insured = round_.offering.prices[INSURANCE.key][DEALER_BLACKJACK].net
    as_insured = round_.rules.blackjack_odds == Fraction(3, 2) and insured == 2
    return as_insured and round_.seats[seat].hands[0].ending is Ending.BLACKJACK
