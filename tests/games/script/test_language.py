"""What a definition may say, and the one sentence that refuses a bad one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from croupier.cards.card import Hand, parse_cards
from croupier.cards.symmetry import Sees
from croupier.games.catalogue import check_definition
from croupier.games.game import DefinitionError
from croupier.games.script.game import ScriptGame, script_digest, staked
from croupier.games.script.language import (
    BOARD,
    DEALER,
    SEAT,
    Choice,
    Choose,
    Deal,
    Deck,
    Seen,
    Show,
    chose,
    equal_to,
    fold,
    judgment,
    raised_on,
    reading,
    riding_on,
    spot,
    times,
    unraised,
)
from croupier.games.wager import Outcome
from tests.games.script.support import KEYS, game

HIGH, LOW = Outcome("High"), Outcome("Low")


@reading(Sees.RANKS, say=lambda found: f"a {found}")
def rank(cards: Hand) -> int:
    return int(cards[0].rank)


@judgment(rank.of(SEAT), ends=(HIGH, LOW))
def high(found: int) -> Outcome:
    return HIGH if found > 8 else LOW


ANTE = spot("Ante", high, {"1": "High  1 to 1 § 3.1"}, cites="3.2")
RAISE = spot("Raise", high, "High  2 to 1", raised_on(ANTE))
ELSEWHERE = spot("Elsewhere", high, "High  2 to 1", raised_on(ANTE))
SCRIPT = (Deal(SEAT, 1, cites="3.3"), Choose(fold(cites="4.1"), *times(RAISE, 1, 2)))


def simple(**changes: object) -> ScriptGame:
    terms = {
        "seats": 2,
        "wagers": (staked(ANTE, RAISE, script=SCRIPT),),
        "deck": Deck(),
        "script": SCRIPT,
        **changes,
    }
    return ScriptGame("triple-shot-rummy", "High Card", "", **terms)  # type: ignore[arg-type]


def other_script(*steps: object) -> ScriptGame:
    return simple(script=steps, wagers=(staked(ANTE, RAISE, script=steps),))  # type: ignore[arg-type]


TOO_MANY = judgment(rank.of(SEAT), ends=(HIGH, LOW, Outcome("Middle")))(lambda found: HIGH)
OF_DEALER = judgment(rank.of(DEALER), ends=(HIGH, LOW))(lambda found: HIGH)
OF_ONE = judgment(rank.of(SEAT[0]), ends=(HIGH, LOW))(lambda found: HIGH)

BAD: tuple[tuple[Callable[[], ScriptGame], str], ...] = (
    (lambda: replace(simple(), key="no-such-game"), "no page of the rulebook, docs/rulebook/no-such-game.md"),
    (lambda: other_script(Deal(SEAT, 1, cites="3.33"), SCRIPT[1]), "cites paragraph 3.33"),
    (
        lambda: simple(script=SCRIPT[:1], wagers=(staked(spot("Ante", TOO_MANY, {"1": "High  1 to 1"})),)),
        "no row of paytable 1 of Ante names 'Low' or 'Middle'",
    ),
    (
        lambda: simple(script=SCRIPT[:1], wagers=(staked(spot("Ante", high, {"1": "Higher  1 to 1"})),)),
        "Ante has no line 'Higher'; did you mean 'high'?",
    ),
    (
        lambda: other_script(SCRIPT[0], Choose(fold(), *times(RAISE, 1), Choice("up", ELSEWHERE))),
        "'up' in step 2 raises on 'Elsewhere', which is no spot of the game",
    ),
    (lambda: other_script(SCRIPT[1], SCRIPT[0]), "step 1 asks before anybody has cards"),
    (lambda: other_script(SCRIPT[0], Choose(fold())), "no choice ever lays chips on Raise"),
    (lambda: other_script(*SCRIPT, Show(DEALER, 2)), "step 3 turns 2 cards at dealer, where 0 lie face down"),
    (lambda: simple(seats=60), "60 seats need 60 cards, and there are 52"),
    (
        lambda: simple(script=SCRIPT[:1], wagers=(staked(spot("Ante", OF_DEALER, {"1": "High  1 to 1"})),)),
        "the script never deals any there face up",
    ),
    (
        lambda: simple(script=(Deal(SEAT, 2),), wagers=(staked(spot("Ante", OF_ONE, {"1": "High  1 to 1"})),)),
        "reads seat card 1, which is dealt together with others",
    ),
    (
        lambda: simple(script=SCRIPT[:1], wagers=(staked(spot("Ante", high, "High  1 to 1")),)),
        "no table that a house could post",
    ),
    (
        lambda: simple(
            wagers=(
                staked(ANTE, RAISE, script=SCRIPT),
                staked(spot("Side", high, {"1": "High 1 to 1"}, equal_to(ANTE))),
            )
        ),
        "Side begins a wager, and a player cannot bet on it",
    ),
    (
        lambda: simple(wagers=(staked(ANTE, RAISE, script=SCRIPT), staked(spot("Ante", high, {"1": "High 1 to 1"})))),
        "the spot 'ante' is there twice",
    ),
)


@pytest.mark.parametrize(("define", "sentence"), BAD)
def test_a_bad_definition_is_refused_in_a_sentence(define: Callable[[], ScriptGame], sentence: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        check_definition(define())
    assert sentence in str(refused.value)
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


def test_the_simple_definition_is_whole() -> None:
    check_definition(simple())


@pytest.mark.parametrize("name", KEYS)
def test_definitions_are_whole(name: str) -> None:
    check_definition(game(name))


@pytest.mark.parametrize("name", KEYS)
def test_judgments_find_only_what_they_list(name: str) -> None:
    title = game(name)
    for wager in title.wagers:
        assert len({ending.label for ending in wager.outcomes}) == len(wager.outcomes)
        for table in wager.paytables.values():
            assert script_digest(title, wager, table)


def test_places_say_which_cards_are_meant() -> None:
    cards = parse_cards("Qh 6c 4d 2s")
    seen = Seen({"seat": cards[:2], "board": cards[2:], "dealer/down": cards[:1]})
    assert seen[SEAT + BOARD] == cards
    assert seen[SEAT[1]] == cards[1:2]
    assert seen[DEALER] == ()
    assert "dealer/down" not in seen.face_up.cards
    assert str(SEAT[0]) == "seat card 1"


def test_units_are_of_the_choices() -> None:
    bonus = spot("Bonus", high, "High  5 to 1", riding_on(ANTE))
    third = spot("Third", high, "High  1 to 1", equal_to(ANTE))
    seen = Seen(choices=(times(RAISE, 3)[0], Choice("back", third, -1)))
    assert [seen.units(each) for each in (ANTE, RAISE, bonus, third)] == [1, 3, 1, 0]
    assert not unraised(RAISE)(seen)
    assert chose("back", "other")(seen)
    assert not chose("fold")(seen)


def test_rows_carry_their_paragraphs() -> None:
    assert ANTE.rows == {"High": "3.1"}
    assert ANTE.paragraph(HIGH, ANTE.tables["1"].rows[0].pay) == "3.1"
    assert ANTE.paragraph(LOW, ANTE.tables["1"].rows[0].pay) == "3.2"


def test_a_digest_moves_with_a_rule_and_not_with_words() -> None:
    title = simple()
    [wager] = title.wagers
    digest = script_digest(title, wager, wager.paytables["1"])
    worded = simple(wagers=(staked(ANTE, RAISE, script=SCRIPT, title="Another title"),))
    assert script_digest(worded, worded.wagers[0], wager.paytables["1"]) == digest
    assert worded.procedure == title.procedure
    fewer = simple(deck=Deck(decks=2))
    assert script_digest(fewer, fewer.wagers[0], wager.paytables["1"]) != digest
    longer = other_script(SCRIPT[0], Choose(fold(), *times(RAISE, 1, 2, 3)))
    assert longer.procedure != title.procedure
