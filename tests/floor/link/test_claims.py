"""Hands of one game that cannot all be true are refused from their lines alone, by the game's own rule."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from croupier.cards.card import DECK, parse_cards
from croupier.errors import Refusal
from croupier.floor.link import acts
from croupier.floor.link.awards import can_be, line_of_cards
from croupier.floor.link.setup import LevelSetup, LinkSetup
from croupier.floor.refusals import No
from croupier.games.claims import Claimed
from support.room import (
    COLOR,
    DEALER,
    DIAMONDS,
    ONE,
    ONE_METER,
    OTHER_SUIT,
    SUITED,
    THREE,
    THREE_METERS,
    TWO,
)
from tests.floor.test_one_person import room_at

TRILUX = LinkSetup(
    wager="trilux",
    paytable="6",
    decks=6,
    wager_cents=500,
    levels=(LevelSetup("", 100_000, 100_000),),
    executive_threshold_cents=0,
    tables=tuple(replace(table, wager="trilux", paytable="6") for table in ONE_METER.tables),
)
OWN_CARDS = replace(
    THREE_METERS,
    wager="blazing-7s-player",
    tables=tuple(replace(table, wager="blazing-7s-player") for table in THREE_METERS.tables),
)


def lie(setup: LinkSetup, *lines: str) -> bool:
    return can_be(setup, [Claimed(line) for line in lines])


@pytest.mark.parametrize(
    ("lines", "can"),
    [
        ((DIAMONDS, OTHER_SUIT), False),  # one up card is a diamond, or it is not
        ((DIAMONDS, COLOR), True),
        ((DIAMONDS, THREE), True),
        ((DIAMONDS, TWO), False),  # two sevens beside an up card that is a seven are three
        ((COLOR, TWO), False),
        ((THREE, TWO), False),
        ((TWO,) * 7, True),
        ((DIAMONDS, ONE), True),
        ((DIAMONDS, DIAMONDS), True),
        ((DIAMONDS,) * 4, False),
        ((COLOR,) * 7, True),
        ((THREE,) * 7, True),
        ((ONE,) * 7, True),
    ],
)
def test_one_up_card_and_eight_decks(lines: tuple[str, ...], can: bool) -> None:
    assert THREE_METERS.decks == 8
    assert lie(THREE_METERS, *lines) == can


def test_the_number_of_decks_counts() -> None:
    """Three seats with two sevens of diamonds, and the up card: seven of them."""
    six = replace(THREE_METERS, decks=6, tables=tuple(replace(table, decks=6) for table in THREE_METERS.tables))
    assert lie(THREE_METERS, *(DIAMONDS,) * 3)
    assert not lie(six, *(DIAMONDS,) * 3)
    assert lie(six, *(DIAMONDS,) * 2)
    assert not lie(six, *(COLOR,) * 6), "twelve red sevens, and the up card is one of them"
    assert lie(six, *(COLOR,) * 5)


def test_players_cards_are_their_own() -> None:
    for one, other in product((DIAMONDS, OTHER_SUIT, COLOR, THREE, TWO, ONE), repeat=2):
        assert lie(OWN_CARDS, one, other), (one, other)
    assert lie(OWN_CARDS, DIAMONDS, DIAMONDS)
    assert not lie(OWN_CARDS, *(DIAMONDS,) * 3), "nine sevens of diamonds, of eight"


def test_trilux_goes_by_one_up_card_too() -> None:
    aces, three, straight_flush, offsuit, straight, flush = TRILUX.lines
    assert not lie(TRILUX, aces, three)
    assert lie(TRILUX, aces, offsuit, straight_flush, straight, flush)
    assert not lie(TRILUX, *(three,) * 3)


def test_every_pair_of_lines_is_judged_as_by_dealing_it() -> None:
    """Two seats with one up card, dealt in every way of the sevens and one other card."""
    few = parse_cards("7c 7d 7h 7s 9d")
    dealt = set()
    for up in few:
        lines = {line_of_cards(THREE_METERS, (*two, up)) for two in product(few, repeat=2)}
        dealt |= set(product({line.label for line in lines if line}, repeat=2))
    for pair in product(THREE_METERS.lines, repeat=2):
        assert lie(THREE_METERS, *pair) == (pair in dealt), pair
    assert len(DECK) == 52


def test_cards_that_were_typed_are_taken_as_they_are() -> None:
    typed = Claimed(COLOR, parse_cards("7d 7d 7h", decks=8))
    assert not can_be(THREE_METERS, [typed, Claimed(DIAMONDS)])
    assert can_be(THREE_METERS, [typed, Claimed(OTHER_SUIT)])


def test_a_claim_that_cannot_be_is_refused_before_cards_are_typed(tmp_path: Path) -> None:
    for room in room_at(tmp_path, ONE_METER):
        room.start(1, 1, 2, 3)
        room.award(SUITED, 1)
        entries = room.floor.links["main"].entries
        with pytest.raises(Refusal) as caught:
            room.do(acts.EnterHand, by=DEALER, table=1, seat=2, line=TWO)
        assert caught.value.code == No.CANNOT_BE
        assert str(caught.value) == (
            f"{TWO} at seat 2 cannot occur beside {SUITED} at seat 1: no deal with one up card and 6 decks makes them "
            "all. Look at the cards, and take back the hand that is wrong."
        )
        assert room.floor.links["main"].entries == entries
        room.award(SUITED, 2)
        with pytest.raises(Refusal, match=f"beside {SUITED} at seat 1, {SUITED} at seat 2: no deal"):
            room.award(SUITED, 3)
        room.do(acts.TakeBackHand, by=DEALER, table=1, seat=1)
        room.do(acts.TakeBackHand, by=DEALER, table=1, seat=2)
        room.do(acts.EnterHand, by=DEALER, table=1, seat=2, line=TWO)
