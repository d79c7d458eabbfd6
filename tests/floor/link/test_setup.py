"""The setup of a link: it reads back, it cannot contradict itself, and only equal tables join."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from croupier.analysis.blackjack.side.census import make_side_sheet
from croupier.errors import Refusal
from croupier.floor.link.setup import (
    AwardOrder,
    LevelSetup,
    LinkedTable,
    LinkSetup,
    host_titles,
    join_proof,
    why_not_join,
)
from croupier.floor.refusals import No
from croupier.games.blackjack.game import blackjack
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.side_wagers import BLAZING_DEALER
from croupier.games.meter import Style
from support.room import ONE_METER, STYLE_A, THREE_METERS, table, with_level

TRILUX = replace(
    ONE_METER,
    wager="trilux",
    paytable="6",
    tables=tuple(replace(each, wager="trilux", paytable="6") for each in ONE_METER.tables),
)
PLAYERS = replace(
    ONE_METER,
    wager="blazing-7s-player",
    tables=tuple(replace(each, wager="blazing-7s-player") for each in ONE_METER.tables),
)


@pytest.mark.parametrize("setup", [ONE_METER, THREE_METERS, STYLE_A, TRILUX, PLAYERS], ids=lambda s: s.paytable)
def test_a_setup_reads_back_from_its_json(setup: LinkSetup) -> None:
    read = LinkSetup.of_json(json.loads(json.dumps(setup.as_json())))
    assert read == setup
    assert read.digest == setup.digest


@pytest.mark.parametrize(
    "change",
    [{"wager_cents": 100}, {"style": Style.ALL_PAYS}, {"order": AwardOrder.ENTRY}, {"executive_threshold_cents": 1}],
)
def test_every_change_changes_the_digest(change: dict[str, Any]) -> None:
    assert replace(ONE_METER, **change).digest != ONE_METER.digest


def test_the_game_digest_is_that_of_the_par_sheet() -> None:
    game = blackjack(Rules(decks=6))
    sheet = make_side_sheet(game, BLAZING_DEALER, "1", BLAZING_DEALER.paytables["1"], 6)
    assert ONE_METER.game_digest == sheet.digest


def test_what_a_wager_does_is_divided_without_a_rest() -> None:
    [level] = ONE_METER.levels
    units = 500 * (level.contribution_ppm + level.reserve_ppm) + ONE_METER.tray_units
    assert units == 500 * 1_000_000


def test_blazing_wagers_are_removed_and_trilux_wagers_stay() -> None:
    assert not ONE_METER.wagers_stay
    assert TRILUX.wagers_stay


def test_fixed_lines_know_what_they_pay() -> None:
    assert {line.label: line.cents for line in ONE_METER.lines.values() if not line.is_share} == {
        "Three 7's": 100_000,
        "First Two Cards - 7": 12_500,
        "Either of the First Two Cards - 7": 1_000,
    }


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"wager": "kings-bounty"}, "there is no progressive 'kings-bounty'"),
        ({"paytable": "6"}, "has no paytable '6'; there are 1, 2, ML03, ML04"),
        ({"decks": 2}, "is dealt from 6 or 8 decks"),
        ({"wager_cents": 0}, r"the wager is \$0.01 to"),
        ({"executive_threshold_cents": -1}, "the Executive's threshold is"),
        ({"levels": ()}, "has the levels Progressive, in this order, not none"),
        ({"levels": (LevelSetup("Mega", 1, 1),)}, "not Mega"),
        ({"tables": ()}, "it joins at least one table"),
        ({"tables": (table(1), table(1))}, "table 1 is named twice"),
        ({"levels": (LevelSetup("", 1, 600_000, 400_001),)}, "which is more than all"),
    ],
)
def test_a_setup_that_cannot_be_is_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(Refusal, match=words) as refused:
        replace(ONE_METER, **change)
    assert refused.value.code == No.WRONG_SETUP


def test_levels_are_in_the_order_of_the_paytable() -> None:
    with pytest.raises(Refusal, match="Mega, Major, Minor, in this order, not Minor, Major, Mega"):
        replace(THREE_METERS, levels=THREE_METERS.levels[::-1])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed_cents": -1}, "the seed of Progressive is"),
        ({"contribution_ppm": 1_000_001}, "the contribution of Progressive is 0 to 100 % of a wager, not 100.0001 %"),
        ({"reserve_ppm": -1}, "the reserve of Progressive"),
        ({"maximum_cents": 999_999}, r"the maximum of Progressive is \$10,000.00 to"),
    ],
)
def test_a_level_that_cannot_be_is_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(Refusal, match=words):
        with_level(ONE_METER, **change)


@pytest.mark.parametrize("change", [{"number": 0}, {"seats": 8}, {"seats": 0}, {"number": 1000}])
def test_a_table_that_cannot_be_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as refused:
        replace(table(1), **change)
    assert refused.value.code == No.WRONG_SETUP


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"wager_cents": "500"}, "LinkSetup.wager_cents is a whole number, not '500'"),
        ({"wager_cents": True}, "whole number"),
        ({"wager_cents": 5.0}, "whole number"),
        ({"style": "C"}, "LinkSetup.style is one of A, B, not 'C'"),
        ({"tables": 3}, "LinkSetup.tables is a list"),
        ({"tables": [3]}, "LinkedTable is written as names and values"),
        ({"hole_card": 1}, "LinkSetup.hole_card is true or false"),
        ({"paytable": None}, "LinkSetup.paytable is a text"),
        ({"colour": "red"}, "LinkSetup has no colour"),
    ],
)
def test_json_that_is_no_setup_is_refused_by_its_field(change: dict[str, Any], words: str) -> None:
    with pytest.raises(Refusal, match=words) as refused:
        LinkSetup.of_json(ONE_METER.as_json() | change)
    assert refused.value.code == No.WRONG_FORM


def test_json_with_a_field_missing_is_refused() -> None:
    values = ONE_METER.as_json()
    del values["decks"]
    with pytest.raises(Refusal, match="LinkSetup needs decks"):
        LinkSetup.of_json(values)


# Joining


@pytest.mark.parametrize("title", host_titles("trilux"))
def test_every_host_title_may_join_when_it_deals_the_same(title: str) -> None:
    assert why_not_join(table(4, title), ONE_METER) is None


@pytest.mark.parametrize(
    ("joining", "code", "words"),
    [
        (table(4, "Spanish 21"), No.OTHER_TITLE, "Table 4 deals 'Spanish 21', which is not a title approved"),
        (table(4, paytable="2"), No.OTHER_PAYTABLE, "paytable 2, and the link"),
        (table(4, wager="trilux", paytable="6"), No.OTHER_PAYTABLE, "TriLux Blackjack Progressive, paytable 6"),
        (table(4, wager="blazing-7s-player"), No.OTHER_PAYTABLE, "player's cards only"),
        (table(4, decks=8), No.OTHER_DECKS, "Table 4 deals 8 decks, and the link 6"),
        (table(4, also=("trilux",)), No.SECOND_PROGRESSIVE, "also offers TriLux Blackjack Progressive"),
    ],
)
def test_another_table_may_not_join(joining: LinkedTable, code: No, words: str) -> None:
    refused = why_not_join(joining, ONE_METER)
    assert refused is not None
    assert refused.code == code
    assert words in refused.sentence
    assert why_not_join(joining, ONE_METER) is not None


def test_equal_hands_and_probabilities_are_proved_by_counting() -> None:
    proof = {line.label: line for line in join_proof(table(4), ONE_METER)}
    assert all(line.table == line.link > 0 for line in proof.values())
    # Three sevens of one suit: two to the player, one up, from six decks.
    assert proof["Three 7's - Same Suit"].table == Fraction(4 * 6 * 5 * 4, 312 * 311 * 310)
    assert list(proof) == list(ONE_METER.lines)


def test_without_a_hole_card_the_third_card_comes_more_often_so_the_table_may_not_join() -> None:
    joining = table(4, wager="blazing-7s-player", hole_card=False)
    refused = why_not_join(joining, PLAYERS)
    assert refused is not None
    assert refused.code == No.OTHER_CHANCES
    assert "same winning hands with the same probabilities" in refused.sentence
    # With the dealer's up card it does not matter, and a link of such tables among themselves is one.
    assert why_not_join(table(4, hole_card=False), ONE_METER) is None
    assert why_not_join(joining, replace(PLAYERS, hole_card=False)) is None
