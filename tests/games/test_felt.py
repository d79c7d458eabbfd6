"""What is printed on a cloth is the game's own data, with defaults for whoever says nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from croupier.games.blackjack.game import blackjack
from croupier.games.blackjack.rules import Rules
from croupier.games.catalogue import ALL_GAMES, check_definition, find_any_game
from croupier.games.felt import COLORS, SHAPES, Felt
from croupier.games.game import DefinitionError, TableGame
from croupier.games.titles.three_card_poker import GAME
from croupier.web.games.views import table_as_json


@pytest.mark.parametrize("game", ALL_GAMES.values(), ids=lambda game: game.key)
def test_every_game_prints_its_name_and_every_spot(game: TableGame) -> None:
    printed = game.cloth.printed(game.key, game.title, game.spots)
    assert printed["color"] in COLORS
    assert printed["name"]
    assert list(printed["spots"]) == list(game.spots)
    assert all(spot["shape"] in SHAPES and all(spot["words"]) for spot in printed["spots"].values())


def test_a_game_that_says_nothing_has_a_felt() -> None:
    printed = Felt().printed(GAME.key, GAME.title, GAME.spots)
    assert printed["name"] == "Three Card Poker"
    assert printed["color"] in COLORS
    assert printed["spots"]["6-card-bonus"] == {"shape": "circle", "words": ["6 Card", "Bonus"]}
    assert printed["spots"]["ante"]["words"] == ["Ante"]
    assert not printed["squeezed"]


def test_words_may_be_broken_where_a_game_wants_it() -> None:
    printed = Felt(words={"ante": "Put/it/here"}).printed(GAME.key, GAME.title, GAME.spots)
    assert printed["spots"]["ante"]["words"] == ["Put", "it", "here"]


@pytest.mark.parametrize(
    ("felt", "said"),
    [
        (Felt(color="pink"), "its felt is 'pink': there are emerald, midnight, oxblood, slate."),
        (Felt(shapes={"anti": "box"}), "its felt has a print for 'anti', which is none of its spots: 6-card-bonus, "),
        (Felt(shapes={"ante": "star"}), "its felt has the shape 'star' for ante: there are circle, box, diamond"),
    ],
)
def test_what_cannot_be_printed_is_refused_in_a_sentence(felt: Felt, said: str) -> None:
    with pytest.raises(DefinitionError, match=said.replace("(", r"\(")):
        check_definition(replace(GAME, felt=felt))


def test_a_blackjack_table_prints_its_own_rules() -> None:
    felt = blackjack(Rules.parse("6D H17 DAS SP4 6:5 NOINS")).cloth
    assert (felt.name, felt.above, felt.below) == ("Blackjack pays 6 to 5", "Dealer hits soft 17", "")
    assert blackjack().cloth.below == "Insurance pays 2 to 1"
    other = replace(blackjack(), title="Another Title").cloth
    assert (other.name, other.above) == ("Another Title", "Blackjack pays 3 to 2, dealer stands on all 17s")


def test_a_family_prints_that_a_dealers_22_pushes() -> None:
    printed = {key: find_any_game(key).cloth.below for key in ("blackjack", "free-bet-blackjack", "blackjack-switch")}
    assert printed == {
        "blackjack": "Insurance pays 2 to 1",
        "free-bet-blackjack": "Dealer 22 pushes",
        "blackjack-switch": "Dealer 22 pushes, half the bet on each hand",
    }


def test_a_table_prints_what_its_many_cards_and_its_diamonds_win() -> None:
    fun = find_any_game("super-fun-21").cloth
    assert fun.above == "Blackjack 1 to 1, diamonds 2 to 1, dealer hits soft 17"
    assert fun.below == "Six cards win, 21 of five cards pays 2 to 1"
    assert blackjack(Rules.parse("6D CH5")).cloth.below == "Five cards win"


@pytest.mark.parametrize(
    ("title", "words", "pays"),
    [
        ("blackjack", "6D", {"Push", "Even money"}),
        ("blackjack", "6D LS 6:5", {"Push", "Surrender"}),
        ("blackjack", "6D ES10 NOINS", {"Push", "Surrender"}),
        ("blackjack-switch", "6D", {"Push"}),
        ("zappit-blackjack", "6D", {"Push", "Surrender", "Even money"}),
        ("super-fun-21", "1D", {"Push", "Surrender", "Charlie", "Bonus 21", "Blackjack in diamonds"}),
    ],
)
def test_nobody_reads_what_a_surrender_pays_where_there_is_none(title: str, words: str, pays: set[str]) -> None:
    assert {row.label for row in find_any_game(title).under(words).own_pays("bet")} == pays
    spots = {spot["spot"]: spot for spot in table_as_json(find_any_game(title).under(words).offer().open())["spots"]}
    assert {label for label, _ in spots["bet"]["pays_beside"]} == pays
