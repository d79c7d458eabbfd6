"""In the demo a progressive wager that is played in a browser feeds the link once, and can hit it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from croupier.cards.card import parse_cards
from croupier.cards.shoe import Shoe
from croupier.games.blackjack.game import offer_blackjack
from croupier.games.choices import open_any
from croupier.games.history import parse_act
from croupier.games.legal import acts_of
from croupier.web.demo import DEMO_SETUP
from croupier.web.demo_play import FED, MOST_WAITING, WAITS, Visitors, visit_of
from croupier.web.play_store import RoundRow
from croupier.web.rounds import Standing

ROW = RoundRow("rnd_1", "from here", "o", "{}", "", False, datetime(2026, 1, 1))
BURN_AND_DEAL = "2c 7d 9s 7c 7d 3h 5s"
"""The burn card, seats 1 and 2, the dealer's up card, seats 1 and 2 again, the hole card."""


def dealt(*, rules: str = "8D", paytable: str = "ML03", cards: str = BURN_AND_DEAL, row: RoundRow = ROW) -> Standing:
    """Two seats with the progressive wager, and the initial cards."""
    wager = offer_blackjack(rules).game.wager(DEMO_SETUP.wager)
    table = offer_blackjack(rules, [wager.key], paytables={wager.key: wager.paytables[paytable]})
    decks = table.rules.decks
    round_ = open_any(table, Shoe.stacked(parse_cards(cards, decks=decks), decks=decks, chance="x"))
    for act in (*(f"bet {seat} {spot} 500" for seat in (1, 2) for spot in ("bet", wager.key)), "no-more-bets"):
        round_ = round_.do(parse_act(act, acts_of(round_)))
    return Standing(row, round_)


def test_the_seats_and_the_hands_that_won_go_to_a_table_once() -> None:
    visitors = Visitors()
    for _ in range(2):
        visitors.offer(dealt())
    visit = visitors.next()
    assert visit is not None
    assert (visit.seats, visit.won, visit.state) == ((1, 2), ((1, "Three 7's"),), WAITS)
    assert visitors.next() is None
    visitors.note(visit, FED, 2, ({"seat": 1, "line": "Three 7's", "cents": 1},))
    told = visitors.told("rnd_1")
    assert told is not None
    assert (told.state, told.table) == (FED, 2)


def test_every_line_of_a_round_is_one_that_the_keypad_knows() -> None:
    for cards in (BURN_AND_DEAL, "2c 7d 9s 7d 7d 3h 5s", "2c 7d 7s 4c 9d 7h 5s", "2c 7h 9s 7d 7d 3h 5s"):
        visit = visit_of(dealt(cards=cards))
        assert visit is not None
        assert {line for _, line in visit.won} <= set(DEMO_SETUP.lines)


@pytest.mark.parametrize(
    "standing",
    [dealt(row=replace(ROW, seeded=True)), dealt(rules="6D"), dealt(paytable="1")],
    ids=["whoever knows the seed knows the cards", "other decks", "another paytable"],
)
def test_what_is_not_the_links_own_game_of_chance_goes_nowhere(standing: Standing) -> None:
    assert visit_of(standing) is None


def test_only_so_many_wait_and_the_others_are_told() -> None:
    visitors = Visitors()
    for number in range(MOST_WAITING + 1):
        visitors.offer(dealt(row=replace(ROW, id=f"rnd_{number}")))
    told = visitors.told(f"rnd_{MOST_WAITING}")
    assert told is not None
    assert told.state == "not fed"
