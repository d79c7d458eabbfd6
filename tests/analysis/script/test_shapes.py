"""What the language can say, each in a small game of its own: counted as by brute force, and dealt as it is counted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from croupier.analysis.analyst import counter_of
from croupier.analysis.kernels.table_cache import KEEPS_NOTHING
from croupier.analysis.script import dealt
from croupier.analysis.script.counts import counting
from croupier.analysis.script.plain import Tree
from croupier.analysis.shapes import script as script_shape
from croupier.analysis.simulation.request import NONE_OF_ONES_OWN, Sample
from croupier.cards.card import JOKER, Card, Hand, Rank
from croupier.cards.shoe import Shoe
from croupier.cards.symmetry import Sees
from croupier.conformance import (
    STAKE,
    mean_of_deals,
    rounds_settle_as_they_are_counted,
    simulation_agrees_with_the_count,
    some_choice,
    tiny_decks_come_to_the_count,
)
from croupier.errors import CroupierError
from croupier.games.script.game import ScriptGame, script_digest, staked
from croupier.games.script.language import (
    BOARD,
    BURNED,
    DEALER,
    SEAT,
    Choice,
    Choose,
    Deal,
    Deck,
    Seen,
    Show,
    judgment,
    raised_on,
    reading,
    riding_on,
    showdown,
    spot,
    times,
)
from croupier.games.table.bets import Bet
from croupier.games.wager import Outcome, approved_paytable

WINS, TIE, BEATEN, SURRENDER = map(Outcome, ("Player wins", "Tie", "Dealer wins", "Surrender"))
PAIR, NOTHING, SUITED = map(Outcome, ("Pair", "Nothing", "Suited pair"))


def made(
    key: str, script: tuple[object, ...], *spots: object, deck: Deck, sides: tuple[object, ...] = ()
) -> ScriptGame:
    """A game of these; the key is of one that has a page."""
    wagers = (staked(*spots, script=script), *(staked(side) for side in sides))  # type: ignore[arg-type]
    return ScriptGame("triple-shot-rummy", key, "", 1, wagers, deck=deck, script=script)  # type: ignore[arg-type]


@reading(Sees.RANKS)
def total(cards: Hand) -> int:
    return sum(card.rank for card in cards)


@reading(Sees.RANKS)
def twice(cards: Hand) -> int:
    return 2 * cards[0].rank


@reading(Sees.RANKS, jokers=True)
def pair(cards: Hand) -> Outcome:
    """A joker makes one with whatever there is."""
    ranks = {card.rank for card in cards if not card.is_joker}
    return PAIR if len(ranks) < len(cards) else NOTHING


@reading(Sees.SUITS)
def twins(cards: Hand) -> Outcome:
    """In two decks two cards can be the same."""
    one, other = cards
    return SUITED if one == other else PAIR if one.rank is other.rank else NOTHING


@showdown(total.of(SEAT), total.of(DEALER), ends=(WINS, TIE, BEATEN))
def higher(order: int) -> Outcome:
    return (TIE, WINS, BEATEN)[order]


@judgment(pair.of(SEAT), ends=(PAIR, NOTHING))
def of_pair(found: Outcome) -> Outcome:
    return found


@judgment(twins.of(SEAT), ends=(SUITED, PAIR, NOTHING))
def of_twins(found: Outcome) -> Outcome:
    return found


def with_joker(*ranks: Rank, jokers: int = 1) -> ScriptGame:
    """Two cards, of which a joker is any; the Bonus rides on the Bet."""
    bet = spot("Bet", of_pair, {"1": "Pair  3 to 1; Nothing  lose"})
    raised = spot("Raise", of_pair, "Pair  1 to 1; Nothing  lose", raised_on(bet))
    script = (Deal(SEAT, 1), Choose(Choice("stay"), *times(raised, 1, 2)), Deal(SEAT, 1))
    bonus = spot("Bonus", of_pair, "Pair  2 to 1", riding_on(bet))
    return made("Joker", script, bet, raised, bonus, deck=Deck(ranks=ranks or tuple(Rank), jokers=jokers))


@showdown(twice.of(SEAT), total.of(DEALER), ends=(WINS, TIE, BEATEN))
def above_the_mean(order: int) -> Outcome:
    return (TIE, WINS, BEATEN)[order]


def with_up_card(*ranks: Rank) -> ScriptGame:
    """One card against two of which one is up; twice the Bet more, or half of it back; a card is burned."""
    bet = spot("Bet", above_the_mean, {"1": "Player wins  1 to 1; Tie  push; Dealer wins  lose; Surrender  1 for 2"})
    raised = spot("Raise", above_the_mean, "Player wins  3 to 2; Tie  push; Dealer wins  lose", raised_on(bet))
    script = (
        Deal(SEAT, 1),
        Deal(DEALER, 1),
        Deal(DEALER.down, 1),
        Choose(*times(raised, 2), Choice("surrender", ends=SURRENDER)),
        Deal(BURNED, 1),
        Show(DEALER, 1),
    )
    return made("Up Card", script, bet, raised, deck=Deck(ranks=ranks))


def with_flat_commission(*ranks: Rank) -> ScriptGame:
    """One card each; fifty cents of every win, however many units lie there."""
    bet = spot("Bet", higher, {"1": "Player wins  1 to 1 less $0.50 at $6; Tie  push; Dealer wins  lose"})
    raised = spot("Raise", higher, "Player wins  2 to 1 less $0.50 at $6; Tie  push; Dealer wins  lose", raised_on(bet))
    script = (Deal(SEAT, 1), Choose(*times(raised, 1, 3)), Deal(DEALER.down, 1), Show(DEALER, 1))
    return made("Flat", script, bet, raised, deck=Deck(ranks=ranks))


def with_two_decks(*ranks: Rank) -> ScriptGame:
    bet = spot("Bet", of_twins, {"1": "Suited pair  20 to 1; Pair  2 to 1; Nothing  lose"})
    return made("Twins", (Deal(SEAT, 2),), bet, deck=Deck(decks=2, ranks=ranks))


FEW = (Rank.FIVE, Rank.NINE, Rank.KING)
SHAPES = (
    with_joker(*FEW),
    with_joker(*FEW, jokers=2),
    with_up_card(*FEW),
    with_flat_commission(*FEW),
    with_two_decks(*FEW[:2]),
)


def value_of(game: ScriptGame, strategy: object = None) -> Fraction:
    prices = game.base.prices(game.base.paytables["1"])
    return counting(game, game.base).count(prices, strategy).value(prices)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def _keeps_no_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """These games share their keys, and tables are kept by key: a game that is shipped has its own."""
    monkeypatch.setattr(script_shape, "users_own", lambda: KEEPS_NOTHING)


@pytest.mark.parametrize("game", SHAPES, ids=lambda game: f"{game.title} {game.jokers}")
@pytest.mark.parametrize("offset", [0, 1])
def test_live_rounds_of_every_deal_come_to_the_count(game: ScriptGame, offset: int) -> None:
    choose = some_choice(game, offset) if game.has_decisions else None
    round_ = game.offer().open()
    round_ = round_.do(Bet(1, "bet", STAKE))
    dealt = mean_of_deals(round_.do(round_.no_more_bets), list(game.deck.cards), choose or (lambda seen: ""))
    assert dealt == value_of(game, choose)


# By brute force, which knows nothing of the language


def mean(values: Iterator[Fraction]) -> Fraction:
    found = list(values)
    return sum(found, Fraction(0)) / len(found)


def test_a_joker_pairs_with_anything_and_the_best_raise_is_made() -> None:
    game = with_joker(*FEW)
    cards = list(enumerate(game.deck.cards))

    def is_pair(one: Card, other: Card) -> bool:
        return JOKER in (one, other) or one.rank is other.rank

    best = []
    for first, one in cards:
        seconds = [is_pair(one, other) for second, other in cards if second != first]
        best.append(
            max(mean(Fraction(3 + 2 + raised if won else -1 - raised) for won in seconds) for raised in range(3))
        )
    assert value_of(game) == mean(iter(best))


def test_the_full_deck_with_a_joker() -> None:
    """Of 53 choose 2 hands 13 times 6 are pairs, and 52 have the joker; who never raises gets 5 or loses 1."""
    pairs = Fraction(13 * 6 + 52, 53 * 26)
    assert value_of(with_joker(), lambda seen: "stay") == 5 * pairs - (1 - pairs)
    round_ = with_joker().offer()
    shoe = round_.fresh_shoe("a joker")
    assert (len(shoe.order), shoe.order.count(JOKER)) == (53, 1)
    assert Shoe.parse_record(shoe.record()) == shoe
    assert shoe.record().startswith("croupier shoe 2\ndecks 1\njokers 1\n")
    simulation_agrees_with_the_count(with_joker())


def test_a_shoe_without_the_joker_is_refused() -> None:
    with pytest.raises(CroupierError, match="Joker is not dealt from a shoe of 1 standard decks"):
        with_joker().offer().open(Shoe.fresh(1, "plain"))


def test_a_hand_of_another_size_is_played_against_by_its_up_card() -> None:
    game = with_up_card(*FEW)
    cards = game.deck.cards
    sums: dict[object, list[Fraction]] = defaultdict(list)
    for own in cards:
        for up in set(cards) - {own}:
            for down in set(cards) - {own, up}:
                order = 2 * own.rank - up.rank - down.rank
                sums[own, up].append(Fraction(4 if order > 0 else 0 if order == 0 else -3))
    assert value_of(game) == mean(iter([max(mean(iter(each)), Fraction(-1, 2)) for each in sums.values()]))


def with_two_judgments(*ranks: Rank) -> ScriptGame:
    """The Bet is against the dealer, the Raise is on a pair: each may win while the other loses."""
    bet = spot("Bet", higher, {"1": "Player wins  1 to 1; Tie  push; Dealer wins  lose"})
    raised = spot("Raise", of_pair, "Pair  3 to 1; Nothing  lose", raised_on(bet))
    script = (Deal(SEAT, 1), Choose(*times(raised, 1, 2), Choice("stay")), Deal(SEAT, 1), Deal(DEALER, 2))
    return made("Two", script, bet, raised, deck=Deck(ranks=ranks))


def test_a_line_never_pays_now_this_now_that() -> None:
    """Two spots with judgments of their own end in many ways together: each is a line, and the sums stay."""
    game = with_two_judgments(*FEW)
    prices = game.base.prices(game.base.paytables["1"])
    choose = some_choice(game)
    count = counting(game, game.base).count(prices, choose)
    figures = script_shape.EndingFigures(game.base, dict(count.endings.items()), prices)
    assert {line.line: line.pays for line in figures.lines} == {
        "Player wins, Pair": "Bet 1 to 1, Raise 3 to 1",
        "Player wins, Nothing": "Bet 1 to 1, Raise lose",
        "Player wins": "1 to 1",
        "Tie, Pair": "Bet push, Raise 3 to 1",
        "Tie, Nothing": "Bet push, Raise lose",
        "Tie": "push",
        "Dealer wins, Pair": "Bet lose, Raise 3 to 1",
        "Dealer wins, Nothing": "lose",
        "Dealer wins": "lose",
    }
    by_line: dict[str, int] = defaultdict(int)
    for ending, n in count.endings.items():
        (_, bet), (units, raised) = ending.parts
        by_line[f"{bet.label}, {raised.label}" if units else bet.label] += n
    assert {line.line: line.combinations for line in figures.lines} == by_line
    assert sum(line.contribution for line in figures.lines) == figures.expected == value_of(game, choose)


def test_a_flat_commission_is_taken_once_a_spot() -> None:
    game, less = with_flat_commission(*FEW), Fraction(50, 600)

    def result(one: Card, other: Card, units: int) -> Fraction:
        if one.rank == other.rank:
            return Fraction(0)
        return (1 - less) + (2 * units - less) if one.rank > other.rank else Fraction(-1 - units)

    best = []
    for one in game.deck.cards:
        others = [other for other in game.deck.cards if other != one]
        best.append(max(mean(result(one, other, units) for other in others) for units in (1, 3)))
    assert value_of(game) == mean(iter(best))


def test_the_kit_bets_what_a_flat_commission_is_at() -> None:
    judged = {"1": "Player wins  1 to 1 less $0.50 at $10; Tie  push; Dealer wins  lose"}
    script = (Deal(SEAT, 1), Deal(DEALER, 1))
    game = made("Ten Dollars", script, spot("Bet", higher, judged), deck=Deck())
    rounds_settle_as_they_are_counted(game)
    tiny_decks_come_to_the_count(game)
    other = staked(spot("Side", higher, {"1": "Player wins  1 to 1 less $1 at $20; Tie  push; Dealer wins  lose"}))
    with pytest.raises(CroupierError, match=r"flat commissions are at wagers of \$10.00 and \$20.00"):
        replace(game, wagers=(*game.wagers, other))


def test_twins_of_two_decks() -> None:
    game = with_two_decks(*FEW[:2])
    results = (
        Fraction(20 if one == other else 2 if one.rank is other.rank else -1)
        for one, other in combinations(game.deck.cards, 2)
    )
    assert value_of(game) == mean(results)


def test_of_equal_choices_the_one_that_stakes_most_is_made() -> None:
    """A raise that is pushed whatever comes is worth the same, once or twice."""
    bet = spot("Bet", of_pair, {"1": "Pair  3 to 1; Nothing  lose"})
    raised = spot("Raise", of_pair, "Pair  push; Nothing  push", raised_on(bet))
    script = (Deal(SEAT, 1), Choose(Choice("stay"), *times(raised, 2, 1)), Deal(SEAT, 1))
    game = made("Equal", script, bet, raised, deck=Deck(ranks=FEW))
    prices = game.base.prices(game.base.paytables["1"])
    assert counting(game, game.base).count(prices).staked(prices) == 3
    tree = Tree(game, game.base, prices)
    here = tree.position(Seen({"seat": game.deck.cards[:1]}), game.base.steps[0])
    assert tree.chosen(here).key == "2x"


def test_a_joker_and_a_flat_commission_change_the_digest_and_nothing_else_does() -> None:
    plain = with_up_card(*FEW)
    table = plain.base.paytables["1"]
    again = replace(plain, deck=Deck(ranks=FEW, jokers=0))
    assert script_digest(plain, plain.base, table) == script_digest(again, again.base, table)
    digests = {script_digest(game, game.base, game.base.paytables["1"]) for game in (*SHAPES, with_joker())}
    assert len(digests) == len(SHAPES) + 1


def test_a_rule_on_suits_of_several_decks_is_in_the_digest() -> None:
    found = []
    for read in (twins.read, lambda cards: PAIR if cards[0].rank is cards[1].rank else NOTHING):
        judged = judgment(reading(Sees.SUITS)(read).of(SEAT), ends=(SUITED, PAIR, NOTHING))(lambda line: line)
        bet = spot("Bet", judged, {"1": "Suited pair  20 to 1; Pair  2 to 1; Nothing  lose"})
        game = made("Twins", (Deal(SEAT, 2),), bet, deck=Deck(decks=2, ranks=FEW))
        found.append(script_digest(game, game.base, game.base.paytables["1"]))
    assert found[0] != found[1]


@pytest.mark.parametrize("game", [with_up_card(*Rank), with_flat_commission(*Rank), with_joker(jokers=2)])
def test_what_looks_at_ranks_is_sampled_in_whatever_way_it_is_dealt(game: ScriptGame) -> None:
    assert counter_of(game).simulate(SAMPLE, approved_paytable, NONE_OF_ONES_OWN).job.bins
    simulation_agrees_with_the_count(game)


SAMPLE = Sample("triple-shot-rummy", 1000)


def without_a_kernel() -> ScriptGame:
    """Two cards with suits against three, a choice between, and a wager on all five."""
    mixed = judgment(twins.of(SEAT), total.of(DEALER), ends=(WINS, TIE, BEATEN))(
        lambda line, points: WINS if line is PAIR else TIE if points > 20 else BEATEN
    )
    both = judgment(total.of(SEAT + DEALER), ends=(WINS, BEATEN))(lambda points: WINS if points > 40 else BEATEN)
    bet = spot("Bet", mixed, {"1": "Player wins  5 to 1; Tie  push"})
    raised = spot("Raise", mixed, "Player wins  2 to 1; Tie  push", raised_on(bet))
    script = (Deal(SEAT, 2), Choose(*times(raised, 1, 2), Choice("stay")), Deal(DEALER, 1), Deal(DEALER, 2))
    sides = (spot("Side", both, {"1": "Player wins  1 to 1"}),)
    return made("Mixed", script, bet, raised, deck=Deck(ranks=FEW), sides=sides)


def test_what_no_kernel_deals_is_dealt_as_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """The definition itself is asked, card by card; another process would find it by its name."""
    game = without_a_kernel()
    monkeypatch.setattr(dealt, "find_game", lambda name, kind: game)
    counter_of(game).check_sample(SAMPLE, approved_paytable)
    sampled = counter_of(game).simulate(SAMPLE, approved_paytable, NONE_OF_ONES_OWN)
    assert sampled.is_slow
    assert isinstance(sampled.job.tables, dealt.WrittenTables)
    simulation_agrees_with_the_count(game)
    dealt._dealer.cache_clear()


@pytest.mark.parametrize("game", SHAPES, ids=lambda game: f"{game.title} {game.jokers}")
def test_every_shape_is_sampled_as_it_is_counted(game: ScriptGame, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dealt, "find_game", lambda name, kind: game)
    dealt._dealer.cache_clear()
    simulation_agrees_with_the_count(game)
    dealt._dealer.cache_clear()


def test_seats_share_what_is_the_dealers(monkeypatch: pytest.MonkeyPatch) -> None:
    game = replace(without_a_kernel(), seats=2)
    monkeypatch.setattr(dealt, "find_game", lambda name, kind: game)
    job = counter_of(game).simulate(SAMPLE._replace(players=2), approved_paytable, NONE_OF_ONES_OWN).job
    once, again = job.play(0).counts, job.play(0).counts
    assert once.sum() == 1000 * 2 * len(game.wagers)
    assert (once == again).all()
    dealt._dealer.cache_clear()


def test_common_cards_alone_are_enough() -> None:
    """Nobody has cards of their own, as in Red Dog."""
    found = judgment(total.of(BOARD), ends=(WINS, BEATEN))(lambda points: WINS if points > 20 else BEATEN)
    bet = spot("Bet", found, {"1": "Player wins  1 to 1"})
    game = made("Board", (Deal(BOARD, 2),), bet, deck=Deck(ranks=FEW))
    results = (Fraction(1 if one.rank + other.rank > 20 else -1) for one, other in combinations(game.deck.cards, 2))
    assert value_of(game) == mean(results)
