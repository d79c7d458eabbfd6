"""The exact count against brute force: dealing every deal gives the same numbers, to the last one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.analysis.census import OPTIMAL, Census, take_census
from croupier.analysis.tables import Ints, class_of_hands, hand_places
from croupier.cards.card import DECK, Hand, Rank, parse_cards
from croupier.cards.symmetry import ALL_RANKS, Ranks, Sees, class_key
from croupier.errors import UnknownName
from croupier.games.catalogue import GAMES
from croupier.games.head_to_head.game import Game
from croupier.games.titles import supreme_99, three_card_baccarat, triple_shot_rummy
from croupier.games.wager import AgainstDealer, OnHand, Outcome, Price, Wager
from tests.analysis.brute_force import (
    Deck,
    baccarat_deals,
    baccarat_hands,
    house_way_setting,
    kings_bonus_hands,
    pair_fortunes_hands,
    rummy_deals,
    rummy_outcome,
    six_card_hands,
    supreme_deals,
    three_card_poker,
)

RUMMY, BACCARAT, SUPREME = triple_shot_rummy.GAME, three_card_baccarat.GAME, supreme_99.GAME
EVERY_WAGER = [
    pytest.param(game, wager, id=f"{game.key} {wager.key}") for game in GAMES.values() for wager in game.wagers
]
SEVEN_RANKS: Ranks = (Rank.TWO, Rank.FOUR, Rank.FIVE, Rank.NINE, Rank.TEN, Rank.KING, Rank.ACE)
"""Pairs, threes, fours, 9-9 (four and five, nine and ten), court cards, the ace: every rule of Supreme 99 occurs."""

small_decks = st.sets(st.sampled_from(ALL_RANKS), min_size=2, max_size=5).map(lambda ranks: tuple(sorted(ranks)))
dealt_often = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def posted(wager: Wager) -> Mapping[Outcome, Price]:
    """The prices of the wager's first paytable."""
    return wager.prices(next(iter(wager.paytables.values())))


def counts_of(game: Game, wager: Wager, strategy: str = OPTIMAL) -> list[int]:
    """In the order of the wager's outcomes."""
    return list(take_census(game, wager).outcome_counts(strategy, posted(wager)).values())


def classes_of(census: Census, hands: Ints, sees: Sees) -> Ints:
    found: Ints = class_of_hands(hands.shape[1], sees, census.game.ranks)[hand_places(hands)]
    return found


# --- Triple Shot Rummy -------------------------------------------------------------------------------------


def check_rummy(ranks: Ranks) -> None:
    """Every hand of a deck, and every way to decide, against all dealer's hands listed."""
    game, wager = replace(RUMMY, ranks=ranks), triple_shot_rummy.ANTE_PLAY
    hands, points, dealers = rummy_deals(Deck.of(ranks))
    labels = [outcome.label for outcome in wager.outcomes]
    play = np.zeros((len(hands), len(labels)), dtype=np.int64)
    for mine in range(31):
        for theirs in range(31):
            outcome = labels.index(rummy_outcome(mine, theirs))
            play[points == mine, outcome] += dealers[points == mine, theirs]
    fold = np.zeros_like(play)
    fold[:, labels.index("Player folds")] = dealers.sum(axis=1)

    census = take_census(game, wager)
    seat = classes_of(census, hands, Sees.SUITS)
    assert wager.choices == ("play", "fold")
    assert (census.counts[seat, 0] == play).all()
    assert (census.counts[seat, 1] == fold).all()
    assert census.deals == dealers.sum()

    # Section 5: what a unit of Ante comes to, with the Play beside it.
    nets = np.array([5, 3, 3, 3, 3, 3] + [2] * 14 + [1, 0, -2, -1])
    plays = {
        OPTIMAL: play @ nets >= fold @ nets,
        "play 20 or less": points <= 20,
        "always play": points <= 30,
        "never play": points > 30,
    }
    assert set(plays) == {OPTIMAL, *game.strategies}
    for strategy, chosen in plays.items():
        assert counts_of(game, wager, strategy) == (play[chosen].sum(axis=0) + fold[~chosen].sum(axis=0)).tolist()


def test_all_407_170_400_deals_of_triple_shot_rummy() -> None:
    check_rummy(ALL_RANKS)
    assert take_census(RUMMY, triple_shot_rummy.ANTE_PLAY).deals == 407_170_400


@given(small_decks)
@dealt_often
def test_triple_shot_rummy_with_any_small_deck(ranks: Ranks) -> None:
    check_rummy(ranks)


def check_poker(ranks: Ranks) -> None:
    deck, game = Deck.of(ranks), replace(RUMMY, ranks=ranks)
    pair_plus = np.bincount(three_card_poker(deck.hands(3), *deck), minlength=7)
    assert counts_of(game, triple_shot_rummy.PAIR_PLUS) == pair_plus.tolist()
    assert counts_of(game, triple_shot_rummy.SIX_CARD_BONUS) == six_card_hands(deck).tolist()


def test_all_22_100_hands_of_pair_plus_and_all_20_358_520_of_the_6_card_bonus() -> None:
    check_poker(ALL_RANKS)
    assert sum(counts_of(RUMMY, triple_shot_rummy.PAIR_PLUS)) == 22_100
    assert sum(counts_of(RUMMY, triple_shot_rummy.SIX_CARD_BONUS)) == 20_358_520


@given(small_decks)
@dealt_often
def test_poker_wagers_with_any_small_deck(ranks: Ranks) -> None:
    check_poker(ranks)


# --- Three Card Baccarat -----------------------------------------------------------------------------------


def check_baccarat(ranks: Ranks) -> None:
    deck, game = Deck.of(ranks), replace(BACCARAT, ranks=ranks)
    dealt = baccarat_deals(deck)
    assert counts_of(game, three_card_baccarat.BET) == dealt.bet.tolist()
    assert counts_of(game, three_card_baccarat.TIE_WAGER) == dealt.tie.tolist()
    assert counts_of(game, three_card_baccarat.DRAGON_BONUS) == dealt.dragon.tolist()
    assert counts_of(game, three_card_baccarat.KINGS_BONUS) == kings_bonus_hands(deck).tolist()


def test_all_407_170_400_deals_of_three_card_baccarat() -> None:
    check_baccarat(ALL_RANKS)
    assert sum(counts_of(BACCARAT, three_card_baccarat.TIE_WAGER)) == 407_170_400
    assert all(counts_of(BACCARAT, three_card_baccarat.DRAGON_BONUS)), "every line occurs"


def test_rank_of_every_three_card_baccarat_hand() -> None:
    """In the counts a ranking upside down would look the same, since seat and dealer are alike."""
    hands = Deck.of().hands(3)
    _, _, place, _ = baccarat_hands(hands, Deck.of().ranks)
    ranks = [three_card_baccarat.rank(tuple(DECK[number] for number in hand)) for hand in hands.tolist()]
    assert ranks == (32 - place).tolist()


@given(small_decks)
@dealt_often
def test_three_card_baccarat_with_any_small_deck(ranks: Ranks) -> None:
    check_baccarat(ranks)


# --- Supreme 99 --------------------------------------------------------------------------------------------


def check_supreme(ranks: Ranks, hands: Ints, weights: Ints) -> None:
    """These hands, each standing for `weights` of its kind, in all three settings, against all dealer's hands."""
    game, deck = replace(SUPREME, ranks=ranks), Deck.of(ranks)
    dealt = supreme_deals(deck, hands)
    census = take_census(game, supreme_99.BET)
    assert (census.counts[classes_of(census, hands, Sees.RANKS)] == dealt).all()
    everyone = np.arange(len(hands))
    best = (dealt @ np.array([4, 1, 0, -1])).argmax(axis=1)
    house_way = house_way_setting(hands, deck.ranks)
    for strategy, setting in ((OPTIMAL, best), ("house way", house_way)):
        assert counts_of(game, supreme_99.BET, strategy) == (weights @ dealt[everyone, setting]).tolist()
    assert counts_of(game, supreme_99.PAIR_FORTUNES) == pair_fortunes_hands(deck).tolist()


def test_all_217_567_350_deals_of_supreme_99_with_seven_ranks() -> None:
    hands = Deck.of(SEVEN_RANKS).hands(4)
    check_supreme(SEVEN_RANKS, hands, np.ones(len(hands), dtype=np.int64))
    game = replace(SUPREME, ranks=SEVEN_RANKS)
    assert sum(counts_of(game, supreme_99.BET)) == 217_567_350
    assert all(counts_of(game, supreme_99.BET)), "every outcome occurs"
    assert all(counts_of(game, supreme_99.PAIR_FORTUNES)), "every line occurs"


def test_supreme_99_with_the_whole_deck() -> None:
    """All 354,135,600 deals of one hand for every multiset of ranks: 52,677,670,500 deals but for the suits' names."""
    hands, weights = Deck.of().hands_by_ranks(4)
    check_supreme(ALL_RANKS, hands, weights)
    assert sum(counts_of(SUPREME, supreme_99.BET)) == 52_677_670_500


@given(small_decks)
@dealt_often
def test_supreme_99_with_any_small_deck(ranks: Ranks) -> None:
    hands = Deck.of(ranks).hands(4)
    check_supreme(ranks, hands, np.ones(len(hands), dtype=np.int64))


# --- every registered wager --------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "wager"), EVERY_WAGER)
@pytest.mark.parametrize(
    "ranks",
    [(Rank.FOUR, Rank.FIVE, Rank.KING), (Rank.TWO, Rank.ACE), (Rank.NINE, Rank.QUEEN)],
    ids=lambda ranks: "".join(rank.letter for rank in ranks),
)
def test_the_live_rule_on_every_deal_of_a_tiny_deck(game: Game, wager: Wager, ranks: Ranks) -> None:
    """What a table would settle, deal by deal, for each decision: a new game is covered once it is registered."""
    ranks = ranks[:2] if game.packet_cards > 3 else ranks
    deck = [card for card in DECK if card.rank in ranks]
    small = replace(game, ranks=ranks)
    census = take_census(small, wager)
    size = game.packet_cards
    if isinstance(wager.basis, OnHand) and not wager.basis.with_dealer:
        found = Counter(wager.outcome(hand, ()) for hand in combinations(deck, size))
        assert counts_of(small, wager) == [found[outcome] for outcome in wager.outcomes]
        return
    if isinstance(wager.basis, OnHand):
        found = Counter(wager.outcome(hand[:size], hand[size:]) for hand in combinations(deck, 2 * size))
        assert counts_of(small, wager) == [found[outcome] for outcome in wager.outcomes]
        return
    assert isinstance(wager.basis, AgainstDealer)
    totals: Counter[Outcome] = Counter()
    for seat in combinations(deck, size):
        others = [card for card in deck if card not in seat]
        for c, choice in enumerate(wager.basis.choices):
            found = Counter(wager.outcome(seat, dealer, choice.key) for dealer in combinations(others, size))
            if wager.choices:
                at_hand = census.counts[census.place_of(seat), c]
                assert at_hand.tolist() == [found[outcome] for outcome in wager.outcomes]
            totals += found
    if not wager.choices:
        assert counts_of(small, wager) == [totals[outcome] for outcome in wager.outcomes]


@pytest.mark.parametrize(("game", "wager"), EVERY_WAGER)
def test_every_deal_is_counted_once(game: Game, wager: Wager) -> None:
    census = take_census(game, wager)
    hands = comb(52, game.packet_cards)
    if isinstance(wager.basis, AgainstDealer):
        deals = hands * comb(52 - game.packet_cards, game.packet_cards)
    else:
        assert isinstance(wager.basis, OnHand)
        deals = comb(52, wager.basis.reading.size)
    assert census.deals == deals
    assert (census.counts >= 0).all()
    for strategy in (OPTIMAL, *game.strategies):
        assert sum(counts_of(game, wager, strategy)) == deals
    if wager.choices:
        assert census.weights.sum() == hands
        assert len(census.hands) == len(census.weights) == len(census.counts)


def test_known_counts_of_three_and_six_cards() -> None:
    """Published for three-card poker and for the best five of six cards."""
    assert counts_of(RUMMY, triple_shot_rummy.PAIR_PLUS) == [4, 44, 52, 720, 1_096, 3_744, 16_440]
    six = [188, 1_656, 14_664, 165_984, 205_792, 361_620, 732_160, 18_876_456]
    assert counts_of(RUMMY, triple_shot_rummy.SIX_CARD_BONUS) == six


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.decides], ids=lambda game: game.key)
@given(data=st.data())
@settings(deadline=None)
def test_place_of_a_hand_is_its_class(game: Game, data: st.DataObject) -> None:
    wager = game.decides
    assert wager is not None
    census = take_census(game, wager)
    cards = st.lists(st.sampled_from(DECK), min_size=game.packet_cards, max_size=game.packet_cards, unique=True)
    hand: Hand = tuple(data.draw(cards))
    sees = Sees.SUITS if game is RUMMY else Sees.RANKS
    assert class_key(census.hands[census.place_of(hand)], sees) == class_key(hand, sees)
    assert census.place_of(hand) == census.place_of(hand[::-1])


def test_every_hand_has_its_place() -> None:
    census = take_census(RUMMY, triple_shot_rummy.ANTE_PLAY)
    found = Counter(census.place_of(hand) for hand in combinations(DECK, 3))
    assert [found[place] for place in range(len(census.hands))] == census.weights.tolist()


def test_an_unknown_strategy_is_refused_with_the_nearest() -> None:
    census = take_census(RUMMY, triple_shot_rummy.ANTE_PLAY)
    with pytest.raises(UnknownName, match="did you mean always play"):
        census.outcome_counts("allways play", posted(census.wager))


def test_a_wager_without_a_decision_takes_no_notice_of_strategies() -> None:
    assert counts_of(RUMMY, triple_shot_rummy.PAIR_PLUS, "never play") == counts_of(RUMMY, triple_shot_rummy.PAIR_PLUS)


def test_one_hand_by_hand() -> None:
    """Three kings against the 18,424 dealer's hands: only other sets of three and runs of three tie."""
    census = take_census(RUMMY, triple_shot_rummy.ANTE_PLAY)
    place = census.place_of(parse_cards("Kc Kd Kh"))
    outcomes = {
        outcome.label: int(n) for outcome, n in zip(census.wager.outcomes, census.counts[place, 0], strict=True)
    }
    threes = 12 * 4
    runs = 4 * 11 - 3  # A-2-3 to J-Q-K in each suit, without those of the three kings
    assert outcomes["Tie"] == threes + runs
    assert outcomes["Dealer wins"] == 0
    assert sum(outcomes.values()) == 18_424
