"""Push 22: against dealing every hand of the dealer, against published chances, and what must hold of its sheet."""

from __future__ import annotations

from fractions import Fraction
from math import perm

import numpy as np
import pytest

from croupier.analysis.blackjack.odds import odds_as_json, with_bet
from croupier.analysis.blackjack.question import Asked
from croupier.analysis.blackjack.side.bust import longest_hand
from croupier.analysis.blackjack.side.census import PlayedOutSheet, make_side_sheet, side_census
from croupier.analysis.blackjack.side.played_out import played_out_census
from croupier.analysis.par.side_wagers import side_basis, side_notes
from croupier.analysis.vulnerability.shoes import expected_from
from croupier.cards.card import DECK, parse_cards
from croupier.errors import NotationError
from croupier.games.blackjack.game import of_the_family
from croupier.games.blackjack.side_wagers import NO_22, PUSH_22
from croupier.games.catalogue import find_any_game
from croupier.games.wager import approved_paytable
from tests.analysis.blackjack.side import brute_force as brute

GAME = of_the_family(find_any_game("free-bet-blackjack"))


def sheet(paytable: str = "35-17-10") -> PlayedOutSheet:
    found = make_side_sheet(GAME, PUSH_22, paytable, PUSH_22.paytables[paytable], GAME.decks, rules=GAME.rules)
    assert isinstance(found, PlayedOutSheet)
    return found


@pytest.mark.parametrize("hits_soft_17", [False, True])
@pytest.mark.parametrize("shoe", ["Ts 6s 6s Td 6h Ah 9s 3s", "As Ad 6s 6d 5s 9h Tc 2d", "Th 2h Kh 2d Ac 8d 6c 7s"])
def test_every_dealers_hand_of_a_small_shoe(shoe: str, hits_soft_17: bool) -> None:
    copies = np.zeros(len(DECK), dtype=np.int64)
    for card in parse_cards(shoe, decks=8):
        copies[DECK.index(card)] += 1
    counts = played_out_census(PUSH_22, copies, hits_soft_17=hits_soft_17)
    cases = sum(counts.values())
    assert cases == perm(8, 8)
    dealt = brute.push_22(shoe.split(), hits_soft_17=hits_soft_17)
    assert {str(line): Fraction(number, cases) for line, number in counts.items() if number} == dealt


@pytest.mark.parametrize(
    ("decks", "published"),
    [(1, 0.073362), (2, 0.073470), (3, 0.073504), (4, 0.073520), (5, 0.073530), (6, 0.073536), (7, 0.073541)],
)
def test_a_22_is_as_likely_as_published(decks: int, published: float) -> None:
    """M. Shackleford, wizardofodds.com, "Push 22", of a dealer who hits a soft 17."""
    counts = side_census(PUSH_22, decks, hits_soft_17=True)
    assert float(1 - Fraction(counts[NO_22], sum(counts.values()))) == pytest.approx(published, abs=5e-7)


def test_all_orders_are_counted_once() -> None:
    for hits in (False, True):
        counts = side_census(PUSH_22, 6, hits_soft_17=hits)
        assert sum(counts.values()) == perm(312, longest_hand(hits_soft_17=hits))


def test_the_rule_on_a_soft_17_goes_with_the_placard() -> None:
    edges = [
        odds_as_json(GAME, Asked(wager="push-22", paytable="11", rules=words), approved_paytable)["house_edge"]
        for words in ("H17", "S17")
    ]
    assert [round(edge["percent"], 4) for edge in edges] == [11.7565, 12.8911]


def test_the_sheet_says_what_was_counted() -> None:
    assert side_basis(sheet()).endswith("The dealer hits a soft 17.")
    assert "even where no player's hand is left" in " ".join(side_notes(sheet(), GAME.rules))
    assert sheet().as_json()["hits_soft_17"] is True


def test_cards_that_are_gone_change_the_figures() -> None:
    asked = Asked(wager="push-22", paytable="35-17-10", remove="Ts Ts Ts 6s 6s 2s")
    found = odds_as_json(GAME, asked, approved_paytable)
    copies = np.full(len(DECK), 6, dtype=np.int64)
    for card in parse_cards(asked.remove, decks=6):
        copies[DECK.index(card)] -= 1
    expected = expected_from(sheet(), GAME.rules, copies)
    assert Fraction(found["house_edge"]["exact"]) == -expected
    assert -expected > sheet().figures.house_edge


def test_it_is_not_counted_beside_the_bet() -> None:
    with pytest.raises(NotationError, match=r"^Push 22 is not counted beside the Bet: it goes by the suits"):
        with_bet(GAME, sheet())
