"""Cards that were seen: every count beside them is that of dealing every deal that is left."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from croupier.analysis.analyst import counter_of
from croupier.analysis.census import census_beside
from croupier.analysis.script.counts import ByTree, ByUpCard, counting
from croupier.analysis.script.plain import Tree
from croupier.analysis.tables import Exposed, Seats
from croupier.cards.card import DECK, Hand, Rank, parse_cards
from croupier.cards.symmetry import ALL_RANKS, Ranks, Sees, class_key, classes, hands_left
from croupier.conformance import same, some_choice
from croupier.games.catalogue import GAMES
from croupier.games.head_to_head.game import Game
from croupier.games.script.language import Seen
from croupier.games.wager import AgainstDealer, OnHand, Outcome, Wager
from tests.cli.support import refused, run
from tests.games.script.support import game, small

EVERY_WAGER = [
    pytest.param(title, wager, id=f"{title.key} {wager.key}") for title in GAMES.values() for wager in title.wagers
]
SEEN = (Exposed(parse_cards("4c 5d")), Exposed((), parse_cards("5h")), Exposed(parse_cards("4c"), parse_cards("Kd 5h")))


@pytest.mark.parametrize("sees", Sees)
def test_the_hands_of_a_class_that_are_left_are_those_of_listing_them(sees: Sees) -> None:
    ranks, gone = (Rank.TWO, Rank.SIX, Rank.KING), frozenset(parse_cards("2c 6c 6h"))
    deck = [card for card in DECK if card.rank in ranks and card not in gone]
    listed = Counter(class_key(hand, sees) for hand in combinations(deck, 5))
    keys = [class_key(each.hand, sees) for each in classes(5, sees, ranks)]
    assert list(hands_left(5, sees, ranks, gone)) == [listed[key] for key in keys]


def test_flushes_that_lost_a_card_are_not_counted() -> None:
    """Six cards of seven ranks, told apart by their flushes: without one card C(27, 6) are left."""
    ranks = ALL_RANKS[6:]
    hands = [each.hand for each in classes(6, Sees.FLUSHES, ranks)]
    left = dict(zip(hands, hands_left(6, Sees.FLUSHES, ranks, frozenset(parse_cards("Ac"))), strict=True))
    assert sum(left.values()) == 296_010
    six = next(hand for hand in left if len({card.suit for card in hand}) == 1 and hand[-1].rank is Rank.ACE)
    assert left[six] == 3


def dealt(deck: list[object], exposed: Exposed, size: int) -> list[tuple[Hand, Hand]]:
    """Every deal that is left: the seat's cards, and the dealer's."""
    free = [card for card in deck if card not in (*exposed.gone, *exposed.known)]
    found = []
    for seat in combinations(free, size):
        others = [card for card in free if card not in seat]
        for drawn in combinations(others, size - len(exposed.known)):
            found.append((seat, (*exposed.known, *drawn)))
    return found  # type: ignore[return-value]


@pytest.mark.parametrize("exposed", SEEN, ids=lambda each: each.in_words)
@pytest.mark.parametrize(("title", "wager"), EVERY_WAGER)
def test_the_live_rule_on_every_deal_that_is_left(title: Game, wager: Wager, exposed: Exposed) -> None:
    ranks: Ranks = (Rank.FOUR, Rank.FIVE, Rank.KING)
    deck: list[object] = [card for card in DECK if card.rank in ranks]
    size = title.packet_cards
    if size > 3:  # fewer deals: what was seen has no king
        ranks, deck = ranks[:2], deck[:8]
        exposed = Exposed(exposed.gone[:1], tuple(card for card in exposed.known if card.rank is not Rank.KING))
    census = census_beside(replace(title, ranks=ranks), wager, exposed)
    if isinstance(wager.basis, OnHand) and not wager.basis.with_dealer:
        free = [card for card in deck if card not in (*exposed.gone, *exposed.known)]
        found = Counter(wager.outcome(hand, ()) for hand in combinations(free, size))  # type: ignore[arg-type]
        assert census.counts[0, 0].tolist() == [found[outcome] for outcome in wager.outcomes]
        return
    choices = wager.basis.choices if isinstance(wager.basis, AgainstDealer) else (None,)
    for place, choice in enumerate(choices):
        by_seat: dict[Hand, Counter[Outcome]] = {}
        for seat, dealer in dealt(deck, exposed, size):
            counted = by_seat.setdefault(seat, Counter())
            counted[wager.outcome(seat, dealer, choice.key if choice else None)] += 1
        if wager.choices:
            for seat, counted in by_seat.items():
                at_hand = census.counts[census.place_of(seat), place]
                assert at_hand.tolist() == [counted[outcome] for outcome in wager.outcomes]
            continue
        totals: Counter[Outcome] = sum(by_seat.values(), Counter())
        mine = [int(n) for n in census.counts[0, 0]]
        if isinstance(wager.basis, OnHand):  # the six cards of both are one set: whose each is does not matter
            assert [n * sum(totals.values()) for n in mine] == [totals[o] * sum(mine) for o in wager.outcomes]
        else:
            assert mine == [totals[outcome] for outcome in wager.outcomes]


SCRIPTS = (
    ("mississippi_stud", (Rank.TEN, Rank.JACK, Rank.ACE), "Tc", "Jd"),
    ("mississippi_stud", (Rank.TEN, Rank.JACK, Rank.ACE), "Tc", "Jd Jh As"),
    ("let_it_ride", (Rank.NINE, Rank.TEN, Rank.JACK), "9c Td", ""),
    ("let_it_ride", (Rank.NINE, Rank.TEN, Rank.JACK), "9c", "Th"),
    ("three_card_poker", (Rank.TWO, Rank.QUEEN, Rank.ACE), "2c", "Qd"),
)


@pytest.mark.parametrize(("name", "ranks", "gone", "known"), SCRIPTS)
def test_quick_counts_beside_seen_cards_are_as_the_plain_one(
    name: str, ranks: tuple[Rank, ...], gone: str, known: str
) -> None:
    title, exposed = small(name, *ranks), Exposed(parse_cards(gone), parse_cards(known))
    prices = title.base.prices(title.base.paytables["1"])
    quick = counting(title, title.base, exposed)
    assert not isinstance(quick, ByTree)
    assert same(quick.count(prices), Tree(title, title.base, prices, None, exposed).count())
    choose = some_choice(title)
    assert same(quick.count(prices, choose), Tree(title, title.base, prices, choose, exposed).count())


def test_whoever_knows_the_next_card_decides_by_it() -> None:
    """With a jack to come a ten and a jack are raised, which else are worth less."""
    title = small("mississippi_stud", Rank.TEN, Rank.JACK, Rank.ACE)
    prices = title.base.prices(title.base.paytables["1"])
    hand, known = parse_cards("Tc Jc"), parse_cards("Js")
    step = title.base.steps[0]
    values = counting(title, title.base, Exposed((), known)).values(prices, Seen({"seat": hand}), step)
    tree = Tree(title, title.base, prices, None, Exposed((), known))
    rated = tree.options(tree.position(Seen({"seat": hand}), step))
    assert [value for _, value in values] == [Fraction(w.net, w.rounds * tree.scale) for _, w in rated]
    unseen = counting(title, title.base).values(prices, Seen({"seat": hand}), step)
    assert max(value for _, value in values) > max(value for _, value in unseen)


def test_one_hand_against_a_dealer_of_whom_cards_were_seen_is_as_by_the_plain_tree() -> None:
    title = small("caribbean_stud", Rank.JACK, Rank.KING, Rank.ACE)
    prices = title.base.prices(title.base.paytables["1"])
    exposed, [step] = Exposed(parse_cards("Jc"), parse_cards("Kd")), title.base.steps
    seen = Seen({"seat": parse_cards("Jd Jh Kc Ac Ad"), "dealer": parse_cards("Ah")})
    quick = counting(title, title.base, exposed)
    assert isinstance(quick, ByUpCard)
    assert quick.values(prices, seen, step) == ByTree(title, title.base, exposed).values(prices, seen, step)


def test_a_hand_of_three_card_poker_against_every_dealer_with_an_ace() -> None:
    """From the live rule alone: 48 choose 2 less the hand's cards."""
    title = game("three_card_poker")
    base, hand, ace = title.base, parse_cards("Qs 6c 4d"), parse_cards("Ac")
    prices = base.prices(base.paytables["1"])
    others = [card for card in DECK if card not in (*hand, *ace)]
    [step] = base.steps
    play = next(choice for choice in step.choices if not choice.ends)
    seen = Seen({"seat": hand}).after(play)
    nets = [
        prices[base.ending(Seen({**seen.cards, "dealer": (*ace, *two)}, seen.choices))].net
        for two in combinations(others, 2)
    ]
    rated = counter_of(title).seeing("", "Ac", Seen({"seat": hand})).rate(base, prices, Seen({"seat": hand}))
    assert next(each.value for each in rated if each.words == play.key) == sum(nets, Fraction(0)) / len(nets)


def test_seats_are_gathered_by_the_suits_that_are_still_alike() -> None:
    assert len(Seats.of(3, ALL_RANKS, Exposed()).hands) == 1755
    one = Seats.of(3, ALL_RANKS, Exposed(parse_cards("Ac")))
    assert int(one.weights.sum()) == 20_825
    assert 1755 < len(one.hands) < 5_000


# On the command line


def test_odds_and_strategy_say_what_was_seen() -> None:
    said = run("odds", "three-card-baccarat", "--remove", "9c Kd")
    assert "Counted from a deck without 9c Kd." in said
    found = json.loads(run("odds", "three-card-baccarat", "tie", "--known", "9c", "--paytable", "1", "--json"))
    assert (found["removed"], found["known"]) == ("", "9c")
    assert found["combinations"] == 51 * 50 * 49 // 6 * (48 * 47 // 2)
    rated = json.loads(run("strategy", "triple-shot-rummy", "--hand", "Qh 6c 4d", "--known", "Kc Kd", "--json"))
    assert rated["known"] == "Kc Kd"
    assert "with 7c known to come" in run("strategy", "casino-war", "--hand", "Kh Kd", "--known", "7c")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("odds triple-shot-rummy --remove Zc", "'Zc' is no card"),
        ("odds triple-shot-rummy --remove 9c --known 9c", "9c appears 2 times; one deck holds it 1 time."),
        ("strategy triple-shot-rummy --hand 9c,8d,2h --remove 9c", "9c appears 2 times"),
        (
            "odds triple-shot-rummy --known 2c,3c,4c,5c",
            "3 cards can be known in Triple Shot Rummy (--known), not 4.",
        ),
        ("strategy casino-war --hand Kh,Kd --known 2c,3c", "Of the dealer's 1 card can be known"),
        ("odds casino-war --remove Jk", "Jk is a joker"),
        ("odds caribbean-stud --remove 2c", "one hand is, by `croupier strategy caribbean-stud`"),
        ("odds blackjack kings-bounty --known 2c", "about the best play of the Bet alone"),
        ("strategy blackjack --known 2c", "a chart has none"),
        ("odds triple-shot-rummy pair-plus --vary Pair --over 1-2 --remove 2c", "leave out --vary"),
    ],
)
def test_what_cannot_have_been_seen_is_refused_in_a_sentence(words: str, sentence: str) -> None:
    assert sentence in refused(*(word.replace(",", " ") for word in words.split()))


def test_too_few_cards_to_deal_are_refused() -> None:
    gone = " ".join(map(str, DECK[:47]))
    assert "takes up to 46" in refused("odds", "triple-shot-rummy", "--remove", gone)
