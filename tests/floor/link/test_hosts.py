"""Tables of five different hosts on one link: each dealt by its own rules, and a hand at each wins from the meter."""

from __future__ import annotations

from dataclasses import replace

import pytest

from croupier.cards.card import parse_cards
from croupier.cards.shoe import Shoe
from croupier.floor.link.setup import join_proof, why_not_join
from croupier.games.blackjack.game import of_the_family
from croupier.games.catalogue import find_any_game
from croupier.games.paytable import Kind
from croupier.games.table.bets import Bet
from croupier.games.table.history import History
from croupier.games.table.settlement import Settlement
from croupier.ledger.entry import Purpose
from support.room import ONE_METER, LinkBook, table

HOSTS = {
    "King's Bounty": ("blackjack", "6D S17 DAS SP4 3:2", ["kings-bounty"]),
    "Royal Match": ("blackjack", "6D H17 DAS SP4 LS 3:2", ["royal-match"]),
    "House Money": ("blackjack", "6D S17 DAS SP4 3:2", ["house-money"]),
    "Free Bet Blackjack": ("free-bet-blackjack", "", ["bet-the-set"]),
    "Zappit Blackjack": ("zappit-blackjack", "", ["trilux-bonus"]),
}
SETUP = replace(ONE_METER, tables=tuple(table(number, title) for number, title in enumerate(HOSTS, start=1)))
SEVENS = "9c 7d 7d 7d Th"
"""The burn card, two cards of a seat around the up card, and the hole card."""


def dealt(title: str) -> History:
    """A round of that host, by its own rules, with three sevens of diamonds; sevens are split where that is free."""
    game, words, sides = HOSTS[title]
    offering = of_the_family(find_any_game(game)).under(words).offer(side_wagers=[*sides, ONE_METER.wager])
    round_: History = offering.open(Shoe.stacked(parse_cards(SEVENS, decks=6), decks=6, chance="hosts"))
    for spot in ("bet", *sides, ONE_METER.wager):
        round_ = round_.do(Bet(1, spot, 500))
    round_ = round_.do(round_.no_more_bets)
    while not round_.is_over:
        if round_.waits_for:
            able = {each.act.name: each.act for each in round_.in_play()}
            round_ = round_.do(next(able[name] for name in ("split", "stand", "no-cap") if name in able))
        else:
            assert round_.next_by_dealer is not None
            round_ = round_.do(round_.next_by_dealer)
    return round_


def award(round_: History) -> Settlement:
    [found] = [each for each in round_.settlements if each.pay.kind is Kind.SHARE]
    return found


def test_a_hand_at_each_host_wins_from_one_meter() -> None:
    floor = LinkBook(SETUP)
    paid = 0
    for number, title in enumerate(HOSTS, start=1):
        round_ = dealt(title)
        assert round_.staked_cents == round_.returned_cents + round_.kept_cents
        floor.start(number, 1)
        before = floor.cents(Purpose.METER)
        held = floor.enter(number, 1, award(round_).line)
        paid += floor.held(held)
        assert floor.held(held) == before
        floor.confirm(held)
        floor.end(number)
        assert floor.proved()
    assert paid > len(HOSTS) * 1_000_000


def test_each_host_is_dealt_by_its_own_rules() -> None:
    rounds = {title: dealt(title) for title in HOSTS}
    lent = {title: sum(each.free_cents for each in round_.settlements) for title, round_ in rounds.items()}
    assert {title for title, cents in lent.items() if cents} == {"Free Bet Blackjack"}
    assert all(award(round_).pay == award(rounds["King's Bounty"]).pay for round_ in rounds.values())


@pytest.mark.parametrize("title", HOSTS)
def test_a_host_joins_by_the_chances_of_its_lines(title: str) -> None:
    joins = table(9, title)
    assert why_not_join(joins, SETUP) is None
    assert all(line.table == line.link for line in join_proof(joins, SETUP))


@pytest.mark.parametrize(
    ("title", "decks", "says"),
    [("Free Bet Blackjack", 8, "8 decks"), ("Level 21", 6, "Level 21"), ("Super Fun 21", 6, "is not a title approved")],
)
def test_a_table_whose_rules_change_the_odds_is_refused_in_a_sentence(title: str, decks: int, says: str) -> None:
    refusal = why_not_join(table(9, title, decks=decks), SETUP)
    assert refusal is not None
    assert says in refusal.sentence
