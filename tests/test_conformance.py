"""The conformance kit holds for every game that is written as a script, and objects to what is not one game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count

import pytest

from croupier import conformance
from croupier.cards.card import Hand, Suit
from croupier.cards.symmetry import Sees
from croupier.conformance import KIT, Check
from croupier.errors import CroupierError
from croupier.games.catalogue import ALL_GAMES
from croupier.games.script.game import ScriptGame, staked
from croupier.games.script.language import SEAT, Choice, Choose, Deal, Deck, Seen, fold, judgment, reading, spot
from croupier.games.wager import Outcome

SCRIPTS = [game for game in ALL_GAMES.values() if isinstance(game, ScriptGame)]


@pytest.mark.parametrize("check", KIT, ids=lambda check: check.__name__)
@pytest.mark.parametrize("game", SCRIPTS, ids=lambda game: game.key)
def test_a_game_of_the_catalogue_conforms(game: ScriptGame, check: Check) -> None:
    check(game)


HIGH, LOW = Outcome("High"), Outcome("Low")


def of_one_card(read: Callable[[Hand], bool], *, strategy: Callable[[Seen], str] = lambda seen: "stay") -> ScriptGame:
    """One card, which is high or low; the key is of a game that has a page."""
    high = reading(Sees.RANKS, say=lambda found: "high" if found else "low")(read)
    judged = judgment(high.of(SEAT), ends=(HIGH, LOW))(lambda found: HIGH if found else LOW)
    script = (Deal(SEAT, 1), Choose(Choice("stay"), fold()))
    wager = staked(spot("Bet", judged, {"1": "High  1 to 1; Low  lose"}), script=script)
    return ScriptGame(
        "triple-shot-rummy",
        "One Card",
        "",
        1,
        (wager,),
        deck=Deck(),
        script=script,
        strategies={"some": strategy},
        chart=high.of(SEAT),
    )


def honest(cards: Hand) -> bool:
    return cards[0].rank > 8


def sees_suits(cards: Hand) -> bool:
    return cards[0].suit is Suit.HEARTS


CALLS = count()


def changes_its_mind(cards: Hand) -> bool:
    return next(CALLS) % 3 == 0


def hearts_stay(seen: Seen) -> str:
    return "stay" if seen[SEAT][0].suit is Suit.HEARTS else "fold"


ONE_CARD = [check for check in KIT if check is not conformance.rounds_are_recorded_and_replayed]
"""A record is read by the catalogue, in which this game is not."""


@pytest.mark.parametrize("check", ONE_CARD, ids=lambda check: check.__name__)
def test_an_honest_game_conforms(check: Check) -> None:
    check(of_one_card(honest))


BAD: tuple[tuple[ScriptGame, Check], ...] = (
    (replace(of_one_card(honest), key="no-such-page"), conformance.definition_is_whole),
    (of_one_card(sees_suits), conformance.readings_keep_to_what_they_see),
    (of_one_card(sees_suits), conformance.tiny_decks_come_to_the_count),
    (of_one_card(changes_its_mind), conformance.rounds_settle_as_they_are_counted),
    (of_one_card(honest, strategy=hearts_stay), conformance.strategies_keep_to_what_is_counted),
)


@pytest.mark.parametrize(("game", "check"), BAD, ids=lambda each: getattr(each, "__name__", ""))
def test_what_is_not_one_game_is_objected_to(game: ScriptGame, check: Check) -> None:
    with pytest.raises(CroupierError) as objection:
        check(game)
    assert str(objection.value).endswith(".")
    assert "\n" not in str(objection.value)
