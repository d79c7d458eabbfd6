"""Nothing beats the best strategy, and what a hand is worth is what dealing all the dealer's hands to it gives."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.analysis.analyst import counter_of
from croupier.analysis.census import OPTIMAL, Census, take_census
from croupier.analysis.figures import Figures
from croupier.analysis.strategy import compare_strategies, rate_hand, strategy_chart
from croupier.analysis.tables import Ints
from croupier.cards.card import DECK, Card, format_cards, parse_cards
from croupier.errors import NotationError
from croupier.games.catalogue import ALL_GAMES, GAMES
from croupier.games.head_to_head.game import Game
from croupier.games.paytable import Kind, Pay, Paytable, Row
from croupier.games.script.game import ScriptGame
from croupier.games.titles import supreme_99, triple_shot_rummy
from croupier.games.wager import Outcome, Price, Wager

DECIDED = [game for game in GAMES.values() if game.decides]
"""Games in which players decide."""
decided = pytest.mark.parametrize("game", DECIDED, ids=[game.key for game in DECIDED])

odds = st.builds(Pay, st.just(Kind.TO), st.integers(1, 200), st.integers(1, 5))
pays = st.one_of(odds, st.sampled_from([Pay(Kind.PUSH), Pay(Kind.LOSE)]))


def wager_of(game: Game) -> Wager:
    assert game.decides is not None
    return game.decides


def census_of(game: Game) -> Census:
    return take_census(game, wager_of(game))


def posted(game: Game) -> dict[Outcome, Price]:
    wager = wager_of(game)
    return wager.prices(next(iter(wager.paytables.values())))


@st.composite
def prices(draw: st.DrawFn, game: Game) -> dict[Outcome, Price]:
    """The wager under a paytable nobody has seen before."""
    wager = wager_of(game)
    payable = [o for o in wager.outcomes if not o.label.startswith("Player folds")]
    rows = draw(st.dictionaries(st.sampled_from(payable), pays, min_size=1))
    return wager.prices(Paytable("drawn", tuple(Row(outcome.label, pay) for outcome, pay in rows.items())))


def edge_of(census: Census, choices: Ints, prices: Mapping[Outcome, Price]) -> Fraction:
    """The edge of deciding so, class by class, in Python's own whole numbers."""
    nets = [prices[outcome].net for outcome in census.wager.outcomes]
    total = Counter[int]()
    for place, choice in enumerate(choices):
        for outcome, count in enumerate(census.counts[place, choice]):
            total[outcome] += int(census.weights[place]) * int(count)
    return -sum((nets[outcome] * count for outcome, count in total.items()), Fraction(0)) / census.deals


def optimal_edge(census: Census, prices: Mapping[Outcome, Price]) -> Fraction:
    return Figures(census.wager, census.outcome_counts(OPTIMAL, prices), prices).house_edge


@decided
@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_no_named_strategy_beats_the_best_whatever_the_pays(game: Game, data: st.DataObject) -> None:
    census, drawn = census_of(game), data.draw(prices(game))
    compared = compare_strategies(census, drawn)
    assert compared[0].cost == 0
    assert {row.name for row in compared} == {OPTIMAL, *game.strategies}
    by_name = {row.name: row for row in compared}
    for row in compared:
        assert row.cost == row.figures.house_edge - by_name[OPTIMAL].figures.house_edge >= 0
        assert (row.cost == 0) == (row.hands_worse == 0)
    assert [row.cost for row in compared] == sorted(row.cost for row in compared)


@decided
@given(seed=st.integers(0, 2**32 - 1), data=st.data())
@settings(max_examples=8, deadline=None)
def test_no_way_of_deciding_beats_the_best(game: Game, seed: int, data: st.DataObject) -> None:
    """A choice drawn for every class of hands, and the best one with a single class decided otherwise."""
    census, drawn = census_of(game), data.draw(prices(game))
    best, chance = optimal_edge(census, drawn), np.random.default_rng(seed)
    anyhow = chance.integers(len(census.wager.choices), size=len(census.hands))
    assert edge_of(census, anyhow, drawn) >= best
    nearly = census.choices(OPTIMAL, drawn).copy()
    assert edge_of(census, nearly, drawn) == best
    place = data.draw(st.integers(0, len(census.hands) - 1))
    nearly[place] = (nearly[place] + 1) % len(census.wager.choices)
    assert edge_of(census, nearly, drawn) >= best


@decided
def test_deciding_one_class_otherwise_costs_what_its_hands_say(game: Game) -> None:
    census, paid = census_of(game), posted(game)
    best = census.choices(OPTIMAL, paid)
    place = census.place_of(census.hands[len(census.hands) // 2])
    rated = rate_hand(census, paid, census.hands[place])
    otherwise = best.copy()
    otherwise[place] = (best[place] + 1) % len(census.wager.choices)
    worth, scale = census.values(paid)
    lost = Fraction(int(worth[place, best[place]] - worth[place, otherwise[place]]), scale)
    assert lost in [each.cost for each in rated]
    share = Fraction(int(census.weights[place]), int(census.weights.sum()))
    assert edge_of(census, otherwise, paid) == optimal_edge(census, paid) + lost * share


# --- values of single hands ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_values_of_a_rummy_hand_by_dealing_18_424_dealer_hands(seed: int) -> None:
    game = triple_shot_rummy.GAME
    hand = tuple(random.Random(seed).sample(DECK, 3))
    paid, others = posted(game), [card for card in DECK if card not in hand]
    outcomes = Counter(wager_of(game).outcome(hand, dealer, "play") for dealer in combinations(others, 3))
    assert outcomes.total() == 18_424
    play = sum(paid[outcome].net * count for outcome, count in outcomes.items()) / 18_424
    rated = {each.words: each.value for each in rate_hand(census_of(game), paid, hand)}
    assert rated == {"play": play, "fold": -1}


def test_values_of_a_supreme_99_hand_by_dealing_194_580_dealer_hands() -> None:
    game, hand = supreme_99.GAME, parse_cards("4c Kd 5h Ac")
    paid, others = posted(game), [card for card in DECK if card not in hand]
    read = cache(
        lambda ranks: supreme_99.dealer_strengths(tuple(Card(rank, DECK[i].suit) for i, rank in enumerate(ranks)))
    )
    dealers = Counter(read(tuple(card.rank for card in dealer)) for dealer in combinations(others, 4))
    assert dealers.total() == 194_580
    by_hand = {}
    for pairing in supreme_99.PAIRINGS:
        mine = supreme_99.set_by(pairing, hand)
        total = sum(
            count * paid[supreme_99.against_dealer(mine.strengths, theirs)].net for theirs, count in dealers.items()
        )
        by_hand[f"high {format_cards(mine.high)}"] = total / 194_580
    rated = rate_hand(census_of(game), paid, hand)
    assert {each.words: each.value for each in rated} == by_hand
    assert len(set(by_hand.values())) == 3, "the three settings of this hand are worth different amounts"


@decided
@given(data=st.data())
@settings(deadline=None)
def test_a_rated_hand_has_the_best_choice_first(game: Game, data: st.DataObject) -> None:
    size = game.packet_cards
    hand = tuple(data.draw(st.lists(st.sampled_from(DECK), min_size=size, max_size=size, unique=True)))
    drawn = data.draw(prices(game))
    rated = rate_hand(census_of(game), drawn, hand)
    assert rated[0].cost == 0
    assert [each.value for each in rated] == sorted((each.value for each in rated), reverse=True)
    assert all(each.cost == rated[0].value - each.value >= 0 for each in rated)
    assert game.decision is not None
    assert {game.decision.parse(hand, each.words) for each in rated} <= set(wager_of(game).choices)
    assert rate_hand(census_of(game), drawn, hand[::-1])[0].value == rated[0].value


@decided
@pytest.mark.parametrize("cards", ["Kc", "Kc Qd", "Kc Qd Jh Ts 9c"])
def test_a_hand_of_another_size_is_refused(game: Game, cards: str) -> None:
    with pytest.raises(NotationError, match=f"a hand of {game.title} has {game.packet_cards}"):
        rate_hand(census_of(game), posted(game), parse_cards(cards))


# --- the strategies of the rulebook --------------------------------------------------------------------------


def test_best_ante_and_play_strategy_is_to_play_20_or_less() -> None:
    """triple-shot-rummy 10.1: hand by hand, not only in the sum."""
    game = triple_shot_rummy.GAME
    census, paid = census_of(game), posted(game)
    assert census.outcome_counts(OPTIMAL, paid) == census.outcome_counts("play 20 or less", paid)
    assert (census.choices(OPTIMAL, paid) == census.choices("play 20 or less", paid)).all()
    for hand in census.hands:
        play, fold = ({each.words: each.value for each in rate_hand(census, paid, hand)}[w] for w in ("play", "fold"))
        assert (play > fold) == (triple_shot_rummy.points(hand) <= 20), format_cards(hand)


@pytest.mark.parametrize("limit", [18, 19, 21, 22])
def test_playing_more_or_fewer_hands_costs_something(limit: int) -> None:
    census, paid = census_of(triple_shot_rummy.GAME), posted(triple_shot_rummy.GAME)
    choices = np.array([0 if triple_shot_rummy.points(hand) <= limit else 1 for hand in census.hands])
    assert edge_of(census, choices, paid) > optimal_edge(census, paid)


def test_costs_of_the_named_strategies() -> None:
    compared = {
        row.name: row for row in compare_strategies(census_of(triple_shot_rummy.GAME), posted(triple_shot_rummy.GAME))
    }
    assert compared["play 20 or less"].cost == 0
    assert compared["never play"].figures.house_edge == 1
    assert compared["never play"].hands_worse + compared["always play"].hands_worse == 22_100
    house_way = {row.name: row for row in compare_strategies(census_of(supreme_99.GAME), posted(supreme_99.GAME))}
    assert 0 < house_way["house way"].cost < Fraction(1, 50)


@decided
@pytest.mark.parametrize("strategy", [OPTIMAL, "the first named"])
def test_a_chart_holds_every_hand_and_adds_up_to_the_edge(game: Game, strategy: str) -> None:
    census, paid = census_of(game), posted(game)
    name = OPTIMAL if strategy == OPTIMAL else next(iter(game.strategies))
    chart = strategy_chart(census, paid, name)
    assert sum(row.hands for row in chart) == census.weights.sum()
    mean = sum(row.value * row.hands for row in chart) / int(census.weights.sum())
    assert mean == -Figures(census.wager, census.outcome_counts(name, paid), paid).house_edge
    assert [row.value for row in chart] == sorted((row.value for row in chart), reverse=True)
    assert len({(row.kind, row.action) for row in chart}) == len(chart)
    assert game.chart is not None
    chosen = census.choices(name, paid)
    for row in chart:
        assert row.examples
        for parts in row.examples:
            hand = parse_cards(" ".join(cards for _, cards in parts))
            assert len(hand) == game.packet_cards
            choice = census.wager.choices[chosen[census.place_of(hand)]]
            assert game.chart(hand, choice)[0] == row.kind


SCRIPTS = [game for game in ALL_GAMES.values() if isinstance(game, ScriptGame) and game.has_decisions]


@pytest.mark.parametrize("game", SCRIPTS, ids=lambda game: game.key)
def test_no_line_of_a_chart_stands_twice(game: ScriptGame) -> None:
    """Where two things are done with one kind of hand, the lines say what they hang on."""
    prices = game.base.prices(next(iter(game.base.paytables.values())))
    kinds = [row.kind for row in counter_of(game).chart(game.base, prices, "optimal")]
    assert len(set(kinds)) == len(kinds)


def test_a_chart_says_after_which_raises() -> None:
    """Three middle cards stay on the last street of Mississippi Stud after a raise of three, and fold without one."""
    game = ALL_GAMES["mississippi-stud"]
    wager = game.wagers[0]
    rows = counter_of(game).chart(wager, wager.prices(wager.paytables["1"]), "optimal")
    found = {row.kind: row.action for row in rows if "3 middle cards, after" in row.kind}
    assert found == {
        "5th Street: 3 middle cards, after 1x, 1x": "fold",
        "5th Street: 3 middle cards, after 1x, 3x": "1x",
    }


@pytest.mark.parametrize("key", ["mississippi-stud", "let-it-ride"])
def test_the_published_strategy_of_a_street_game_costs_nothing(key: str) -> None:
    game = ALL_GAMES[key]
    wager = game.wagers[0]
    compared = counter_of(game).compare(wager, wager.prices(wager.paytables["1"]))
    [published] = [each for each in compared if each.name == "published"]
    assert published.cost == 0
    assert published.hands_worse == 0


def test_choices_of_two_words_are_read_in_a_position() -> None:
    game = ALL_GAMES["let-it-ride"]
    assert [choice.key for choice in game.read_seen("Ts Th 4c take back 9d").choices] == ["take back"]
    assert [choice.key for choice in game.read_seen("Ts Th 4c Let It  Ride, 9d").choices] == ["let it ride"]
    with pytest.raises(NotationError, match=r"one may say what was chosen \(let it ride, take back\)"):
        game.read_seen("Ts Th 4c take back")
    with pytest.raises(
        NotationError, match=r"'pull' is no card: .*; cards come 3 to the seat, .*\(let it ride, take back\)"
    ):
        game.read_seen("Ts Th 4c pull 9d")
