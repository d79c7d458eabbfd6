"""A game as one house offers it."""

from __future__ import annotations

import pytest

from croupier.errors import CroupierError, NotationError, PaytableError, UnknownName
from croupier.games.catalogue import GAMES, find_game
from croupier.games.head_to_head.round import Offering
from croupier.games.money import InFavourOf
from croupier.games.paytable import Paytable
from croupier.games.table.offering import Limits
from tests.games.support import assert_one_sentence, offer

KEY = "triple-shot-rummy"
GAME = GAMES[KEY]


@pytest.mark.parametrize("name", ["triple-shot-rummy", "Triple Shot Rummy", " triple_shot_rummy "])
def test_a_game_is_found_by_its_name(name: str) -> None:
    assert find_game(name) is GAME


def test_an_unknown_game_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match="did you mean triple-shot-rummy") as error:
        find_game("triple shot rumy")
    assert_one_sentence(error.value)
    with pytest.raises(UnknownName, match="there are: supreme-99, three-card-baccarat, triple-shot-rummy"):
        find_game("chess")


@pytest.mark.parametrize("limits", [(0, 500), (-1, 500), (501, 500), (0, 0)])
def test_limits_that_allow_no_wager_are_refused(limits: tuple[int, int]) -> None:
    with pytest.raises(NotationError) as error:
        Limits(*limits)
    assert_one_sentence(error.value)


def test_an_unknown_wager_option_or_spot_is_refused() -> None:
    table = Paytable.parse("new", "Pair   1 to 1")
    with pytest.raises(UnknownName, match="pair-plus"):
        Offering(GAME, paytables={"pair-minus": table})
    with pytest.raises(UnknownName, match="two-positions"):
        Offering(GAME, options=frozenset({"three-positions"}))
    with pytest.raises(UnknownName, match="pair-plus"):
        Offering(GAME, left_out=frozenset({"pair-minus"}))
    with pytest.raises(UnknownName, match="pair-plus"):
        Offering(GAME, spot_limits={"pair-minus": Limits()})


def test_options_belong_to_their_game() -> None:
    with pytest.raises(CroupierError):
        Offering(GAMES["supreme-99"], options=frozenset({"ante-mandatory"}))


@pytest.mark.parametrize("key", list(GAMES))
def test_a_game_is_not_offered_without_its_first_wager(key: str) -> None:
    with pytest.raises(NotationError, match="cannot be offered without"):
        Offering(GAMES[key], left_out=frozenset({GAMES[key].wagers[0].key}))


def test_a_paytable_that_does_not_fit_its_wager_is_refused() -> None:
    with pytest.raises(PaytableError, match="has no line 'Full House'"):
        Offering(GAME, paytables={"pair-plus": Paytable.parse("new", "Full House   1 to 1")})


def test_a_spot_has_its_own_limits_or_the_tables() -> None:
    offering = offer(KEY, limits=(500, 10_000), spot_limits={"pair-plus": (100, 2_500)})
    assert offering.limits_of("pair-plus") == Limits(100, 2_500)
    assert offering.limits_of("ante") == Limits(500, 10_000)


def test_the_digest_changes_with_a_pay_and_with_nothing_else() -> None:
    first = Offering(GAME).digest
    assert offer(KEY, paytables={"pair-plus": "1"}).digest == first
    assert offer(KEY, chip_cents=25, in_favour_of=InFavourOf.PLAYER, limits=(100, 500)).digest == first
    assert offer(KEY, paytables={"pair-plus": "2"}).digest != first
    renamed = Paytable("another name", GAME.wager("pair-plus").paytables["1"].rows)
    assert offer(KEY, paytables={"pair-plus": renamed}).digest == first


def test_every_choice_of_tables_has_its_own_digest() -> None:
    digests = {
        offer(KEY, paytables={"pair-plus": plus, "6-card-bonus": six}).digest
        for plus in GAME.wager("pair-plus").paytables
        for six in GAME.wager("6-card-bonus").paytables
    }
    assert len(digests) == 24
