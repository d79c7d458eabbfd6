"""House Money and Bet the Bust, of small shoes, against a program that is written from the rulebook alone."""

from __future__ import annotations

from collections import Counter

import pytest

from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.blackjack.side.bust_players import UpCardOuts
from croupier.analysis.blackjack.side.caps import Capped
from croupier.analysis.blackjack.solver import solve
from croupier.analysis.blackjack.strategy import Evaluated
from croupier.cards.card import DECK, Card
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.side_wagers import HOUSE_MONEY
from tests.independent.beside_the_bet import CASES, Table

PRICES = HOUSE_MONEY.prices(HOUSE_MONEY.paytables["9-4-3-1"])


@pytest.mark.parametrize(("words", "cards"), CASES)
def test_house_money_dealt_out_by_another_program(words: str, cards: str) -> None:
    table = Table.of(words, cards)
    play = solve(Rules.parse(words), Composition(table.shoe))
    held = Counter(map(Card.parse, table.cards))
    counted = Capped(HOUSE_MONEY, PRICES, play, tuple(held[card] for card in DECK)).expected
    assert counted == pytest.approx(float(table.house_money()), abs=1e-12)


@pytest.mark.parametrize(("words", "cards"), [case for case in CASES if "P22" not in case[0]])
def test_who_is_out_at_bet_the_bust_dealt_out_by_another_program(words: str, cards: str) -> None:
    table = Table.of(words, cards)
    play = solve(Rules.parse(words), Composition(table.shoe))
    played = Evaluated(play.table, play.strategy)
    for up, number in enumerate(table.shoe, start=1):
        if number:
            assert UpCardOuts(played, up).one_out == pytest.approx(tuple(map(float, table.out(up))), abs=1e-12), up
