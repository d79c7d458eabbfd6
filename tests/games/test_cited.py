"""Every line of a round names a paragraph that the rulebook has, and that says what happened."""

from __future__ import annotations

import random
from functools import cache
from itertools import pairwise

import pytest

from croupier.cards.shoe import Shoe
from croupier.games.catalogue import ALL_GAMES
from croupier.games.rulebook import paragraphs
from croupier.games.table.bets import Void
from croupier.games.table.history import DEALER, History
from croupier.games.table.legal import legal_acts
from croupier.games.table.offering import TableOffering
from tests.games.blackjack.support import offer_blackjack

SIDES = ["kings-bounty", "bet-the-bust", "blazing-7s-player"]
SAYS = {
    ("triple-shot-rummy", "Dealer does not play"): "does not qualify",
    ("triple-shot-rummy", "Player folds"): "folded Ante loses",
    ("three-card-baccarat", "Player wins"): "commission of 5 %",
    ("supreme-99", "Both copy"): "paid 4 to 1",
    ("supreme-99", "One wins, one loses"): "is a push",
    ("three-card-poker", "Dealer does not qualify"): "the Play pushes",
    ("three-card-poker", "Player folds"): "give up the Ante",
    ("casino-war", "Dealer wins"): "lose",
    ("mississippi-stud", "Player folds"): "give up all wagers",
    ("let-it-ride", "Pair of tens or better"): "bet that is left",
    ("caribbean-stud", "Dealer does not qualify"): "the Raise pushes",
    ("blackjack", "Surrender"): "loses one half",
    ("blackjack", "Lose, bust"): "bust hand has lost",
    ("blackjack", "Push, 1"): "same total",
    ("blackjack", "Push, blackjack"): "Two blackjacks push",
    ("blackjack", "Dealer has blackjack"): "2 to 1",
    ("blackjack", "Nobody is left"): "no hand at the table is left",
}


@cache
def offered(game: str) -> TableOffering:
    return offer_blackjack("6D LS", SIDES) if game == "blackjack" else ALL_GAMES[game].offer()


def played(game: str, seed: int) -> History:
    """Two seats on every spot, and whatever is allowed, by chance."""
    chance, offering = random.Random(seed), offered(game)
    round_ = offering.open(Shoe.fresh(offering.decks, f"{game} {seed}"))
    for legal in legal_acts(round_):
        if legal.act.name == "bet" and legal.seat in (1, 2):
            round_ = round_.do(legal.act)
    while not round_.is_over:
        possible = [each.act for each in legal_acts(round_) if each.act.name not in ("void", "take-back", "bet")]
        round_ = round_.do(chance.choice(possible))
    return round_


@pytest.mark.parametrize("game", ALL_GAMES)
def test_every_paragraph_that_may_be_cited_is_in_the_rulebook(game: str) -> None:
    assert set(ALL_GAMES[game].cited) <= {each.number for each in paragraphs(game)}


@pytest.mark.parametrize("game", ALL_GAMES)
def test_each_settlement_is_explained_by_the_paragraph_about_it(game: str) -> None:
    texts, met = {each.number: each.text for each in paragraphs(game)}, set()
    for seed in range(120):
        round_ = played(game, seed)
        assert {round_.paragraph(event) for event in round_.events} <= {*ALL_GAMES[game].cited, ""}
        for each in round_.settlements:
            number = each.cites
            assert number in ALL_GAMES[game].cited
            for (of, begins), says in SAYS.items():
                if of == game and each.why.startswith(begins):
                    assert says in texts[number], (each.why, number, texts[number])
                    met.add(begins)
    assert met == {begins for of, begins in SAYS if of == game}


@pytest.mark.parametrize("game", ALL_GAMES)
def test_a_round_that_is_called_off_cites_that_every_wager_goes_back(game: str) -> None:
    offering = offered(game)
    round_ = offering.open(Shoe.fresh(offering.decks, "off"))
    round_ = round_.do(next(each.act for each in legal_acts(round_) if each.act.name == "bet"))
    round_ = round_.do(Void("a drill"))
    texts = {each.number: each.text for each in paragraphs(game)}
    number = round_.paragraph(round_.events[-1])
    assert {each.cites for each in round_.settlements} == {number}
    assert "every wager is returned" in texts[number]


def test_every_card_of_blackjack_says_why_it_was_dealt() -> None:
    """What was asked for by the line before it, and else the second card of a hand from a split."""
    after, met = {"hit": "6.6", "double": "6.7", "split": "6.13", "stand": "6.13"}, set()
    for seed in range(60):
        round_ = played("blackjack", seed)
        cited = [(event, round_.paragraph(event)) for event in round_.events]
        assert all(number for event, number in cited if event.kind in ("deal", "no-more-bets"))
        for (before, _), (event, number) in pairwise(cited):
            if event.kind == "deal" and event.position != DEALER and before.kind in after:
                assert number == after[before.kind], (before.text, event.text)
                met.add(before.kind)
    assert met == set(after)
