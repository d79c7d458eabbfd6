"""What every game keeps to, whatever its rules: a game that joins the catalogue is tested here at once."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Hashable, Iterator
from fractions import Fraction
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.cards.card import DECK, SUIT_LETTERS, Hand
from croupier.cards.symmetry import Ranks, Sees, class_key, classes
from croupier.errors import Refusal
from croupier.games.catalogue import GAMES
from croupier.games.head_to_head.acts import Act, Deal, Decide, NoMoreBets, Reveal, Rotation, Settle, parse_act
from croupier.games.head_to_head.game import Game
from croupier.games.head_to_head.round import Offering, Phase, Round, open_round
from croupier.games.money import InFavourOf
from croupier.games.paytable import Paytable
from croupier.games.table.bets import Bet, TakeBack, Void
from croupier.games.table.history import DEALER
from croupier.games.table.record import read_record, write_record
from croupier.games.tabulate import judge_all, read_all
from croupier.games.wager import AgainstDealer, OnHand, Outcome, Reading, Wager
from tests.games.support import assert_one_sentence, offer, random_round

every_game = pytest.mark.parametrize("key", list(GAMES))
seeds = st.integers(0, 2**32 - 1)


def tried(times: int) -> settings:
    return settings(max_examples=times, deadline=None)


# Live settlement and tables


@cache
def places(size: int, sees: Sees, ranks: Ranks) -> dict[tuple[object, ...], int]:
    return {class_key(each.hand, sees): place for place, each in enumerate(classes(size, sees, ranks))}


def finding_place(game: Game, reading: Reading, hand: Hand) -> int:
    place = places(reading.size, reading.sees, game.ranks)[class_key(hand, reading.sees)]
    return read_all(reading, game.ranks).of_class[place]


def outcome_by_table(game: Game, wager: Wager, seat: Hand, dealer: Hand, choice: str | None) -> Outcome:
    """The outcome as the exact count finds it: only looked up, nothing asked."""
    if isinstance(wager.basis, OnHand):
        reading = wager.basis.reading
        cards = seat + dealer if wager.basis.with_dealer else seat
        found = read_all(reading, game.ranks).findings[finding_place(game, reading, cards)]
        assert isinstance(found, Outcome)
        return found
    assert isinstance(wager.basis, AgainstDealer)
    chosen = next(each for each in wager.basis.choices if choice in (each.key, None))
    row = finding_place(game, chosen.reading, seat)
    column = finding_place(game, wager.basis.dealer, dealer)
    columns = len(read_all(wager.basis.dealer, game.ranks).findings)
    return wager.outcomes[judge_all(wager, chosen, game.ranks)[row * columns + column]]


@every_game
@tried(35)
@given(seed=seeds)
def test_live_settlement_equals_the_table(key: str, seed: int) -> None:
    end = random_round(offer(key), Random(seed))[-1]
    if end.phase is Phase.VOID:
        return
    for settled in end.settlements:
        seat, (wager, spot) = end.seats[settled.seat], end.game.spots[settled.spot]
        choice = seat.choice if wager is end.game.decides else None
        outcome = outcome_by_table(end.game, wager, seat.hand, end.dealer, choice)
        assert settled.why == outcome.label
        assert settled.pay == end.offering.prices[wager.key][outcome].pays[wager.spots.index(spot)]


# Symmetry


def results(round_: Round) -> list[tuple[int, str, str, int]]:
    return [(s.seat, s.spot, s.line, s.returned_cents) for s in round_.settlements]


def again(round_: Round, acts: list[str]) -> Round:
    repeated = open_round(round_.offering)
    for act in acts:
        repeated = repeated.do(parse_act(act))
    return repeated


@every_game
@tried(20)
@given(seed=seeds, names=st.permutations(SUIT_LETTERS))
def test_the_names_of_the_suits_change_no_settlement(key: str, seed: int, names: list[str]) -> None:
    end = random_round(offer(key), Random(seed), from_shoe=False)[-1]
    new_suit = dict(zip(SUIT_LETTERS, names, strict=True))
    acts = [re.sub(r"\b([2-9TJQKA])([cdhs])\b", lambda m: m[1] + new_suit[m[2]], str(act)) for act in end.acts]
    assert results(again(end, acts)) == results(end)


@every_game
@tried(20)
@given(seed=seeds)
def test_the_order_of_cards_in_a_packet_changes_no_settlement(key: str, seed: int) -> None:
    rng = Random(seed)
    end = random_round(offer(key), rng, from_shoe=False)[-1]
    mixed = [Deal(tuple(rng.sample(act.cards, len(act.cards)))) if isinstance(act, Deal) else act for act in end.acts]
    assert results(again(end, list(map(str, mixed)))) == results(end)


# Readings


def readings(game: Game) -> Iterator[Reading]:
    for wager in game.wagers:
        if isinstance(wager.basis, OnHand):
            yield wager.basis.reading
        elif isinstance(wager.basis, AgainstDealer):
            yield wager.basis.dealer
            yield from (choice.reading for choice in wager.basis.choices)


EVERY_READING = {
    f"{game.key}: {reading.name}": (game, reading) for game in GAMES.values() for reading in readings(game)
}


def some_hands(size: int) -> Iterator[Hand]:
    """All hands of three cards; twenty thousand of more."""
    if size <= 3:
        yield from itertools.combinations(DECK, size)
        return
    rng = Random(f"hands of {size}")
    for _ in range(20_000):
        yield tuple(rng.sample(DECK, size))


@pytest.mark.parametrize("name", EVERY_READING)
def test_a_reading_depends_only_on_what_it_sees(name: str) -> None:
    game, reading = EVERY_READING[name]
    found: dict[tuple[object, ...], Hashable] = {
        class_key(each.hand, reading.sees): reading.read(each.hand)
        for each in classes(reading.size, reading.sees, game.ranks)
    }
    for hand in some_hands(reading.size):
        assert reading.read(hand) == found[class_key(hand, reading.sees)], hand


# Prices

EVERY_TABLE = {
    f"{wager.key} {name}": (wager, table)
    for game in GAMES.values()
    for wager in game.wagers
    for name, table in wager.paytables.items()
}


@pytest.mark.parametrize("name", EVERY_TABLE)
def test_every_outcome_is_priced_and_every_paytable_parses_back(name: str) -> None:
    wager, table = EVERY_TABLE[name]
    prices = wager.prices(table)
    assert list(prices) == list(wager.outcomes)
    assert all(len(price.pays) == len(wager.spots) for price in prices.values())
    read_back = Paytable.parse(table.name, str(table))
    assert read_back == table
    assert wager.prices(read_back) == prices


@every_game
def test_labels_of_a_wager_are_its_own(key: str) -> None:
    for wager in GAMES[key].wagers:
        assert len({outcome.label for outcome in wager.outcomes}) == len(wager.outcomes)


# Money

ODD_PAYS = ("1 to 1", "3 to 2", "7 to 3", "1 to 1 less 5%", "6 to 5 less 2.5%", "5 for 2", "1 for 3", "push", "lose")


def odd_tables(game: Game, rng: Random) -> dict[str, str | Paytable]:
    """The posted rows with pays that seldom come to whole chips."""
    tables: dict[str, str | Paytable] = {}
    for wager in game.wagers:
        labels = [row.label for row in wager.paytables["1"].rows]
        tables[wager.key] = Paytable.parse("odd", "\n".join(f"{label}  {rng.choice(ODD_PAYS)}" for label in labels))
    return tables


@every_game
@tried(45)
@given(seed=seeds, chip=st.sampled_from([1, 25, 50, 100]), rule=st.sampled_from(InFavourOf), odd=st.booleans())
def test_no_cent_is_made_or_lost(key: str, seed: int, chip: int, rule: InFavourOf, odd: bool) -> None:
    rng = Random(seed)
    tables = odd_tables(GAMES[key], rng) if odd else {}
    end = random_round(offer(key, paytables=tables, chip_cents=chip, in_favour_of=rule), rng)[-1]
    assert sum(s.staked_cents for s in end.settlements) == end.staked_cents == end.returned_cents + end.kept_cents
    for s in end.settlements:
        assert s.staked_cents == s.returned_cents + s.kept_cents
        if s.line.endswith(", undone"):
            [before] = [
                b for b in end.settlements if (b.seat, f"{b.line}, undone") == (s.seat, s.line) and b.spot == s.spot
            ]
            assert (s.staked_cents, s.returned_cents) == (-before.staked_cents, -before.returned_cents)
            continue
        assert s.staked_cents == end.seats[s.seat].wagers[s.spot]
        assert s.returned_cents >= 0
        assert s.returned_cents % chip == s.commission_cents % chip == 0
        assert s.returned_cents - s.rounded_cents == s.staked_cents * (1 + s.pay.net)
        assert abs(s.rounded_cents) < chip * (2 if s.pay.commission else 1)
        assert (rule is not InFavourOf.HOUSE) or s.rounded_cents <= 0
        assert (rule is not InFavourOf.PLAYER) or s.rounded_cents >= 0
        assert (rule is not InFavourOf.NEAREST) or abs(s.rounded_cents) <= Fraction(chip, 1 if s.pay.commission else 2)


@every_game
@tried(15)
@given(seed=seeds)
def test_every_wager_is_settled_once(key: str, seed: int) -> None:
    end = random_round(offer(key), Random(seed))[-1]
    wagered = sorted((number, spot) for number, seat in end.seats.items() for spot in seat.wagers)
    undone = [(s.seat, s.spot) for s in end.settlements if s.line.endswith(", undone")]
    settled = Counter((s.seat, s.spot) for s in end.settlements)
    # What a void undoes was settled once before it, and is returned once after it.
    assert sorted((settled - Counter(undone) - Counter(undone)).elements()) == wagered


# Records


@every_game
@tried(10)
@given(seed=seeds, from_shoe=st.booleans())
def test_a_round_is_resumed_at_every_step(key: str, seed: int, from_shoe: bool) -> None:
    steps = random_round(offer(key), Random(seed), from_shoe=from_shoe)
    end = steps[-1]
    for step in steps:
        text = write_record(step)
        resumed = read_record(text, Round)
        assert write_record(resumed) == text
        assert resumed.events == step.events
        for act in end.acts[len(step.acts) :]:
            resumed = resumed.do(act)
        assert write_record(resumed) == write_record(end)
        assert resumed.settlements == end.settlements


# The shoe


@every_game
@tried(20)
@given(seed=seeds)
def test_cards_are_dealt_in_the_order_of_the_shoe(key: str, seed: int) -> None:
    steps = random_round(offer(key), Random(seed))
    shoe = steps[0].shoe
    assert shoe is not None
    for step in steps:
        out = list(step.cards_out())
        assert sorted(out) == sorted(shoe.order[: len(out)])
        assert step.shoe is not None
        assert step.shoe.dealt == len(out)
    end = steps[-1]
    if end.packets:
        size = end.game.packet_cards
        for place, position in enumerate(end.dealing_order[: end.packets]):
            packet = shoe.order[place * size : place * size + size]
            hand = end.dealer if position == DEALER else end.seats[position].hand if position in end.seats else packet
            assert hand == packet


# Acts


def any_act(game: Game) -> st.SearchStrategy[Act]:
    """Acts of every kind, most of them out of place."""
    seat = st.integers(0, game.seats + 1)
    spot = st.sampled_from([*game.spots, "nonsense"])
    cents = st.sampled_from([-100, 0, 1, 99, 100, 500, 100_000, 100_001])
    words = st.sampled_from(["play", "fold", "house way", "high As Ks", "2c 2d", "2c 2c", "23h Kd", "$500 play", "x"])
    cards = st.lists(st.sampled_from(DECK), max_size=5).map(tuple)
    return st.one_of(
        st.builds(Bet, seat, spot, cents, st.sampled_from(["", "Ann", "two words"])),
        st.builds(TakeBack, seat, spot),
        st.builds(Rotation, dice=st.lists(st.integers(0, 7), max_size=4).map(tuple)),
        st.builds(Rotation, number=st.integers(0, 9)),
        st.builds(Deal, cards),
        st.builds(Decide, seat, words, st.none() | cents),
        st.sampled_from([NoMoreBets(), Reveal(), Settle(), Deal(), Void(""), Void("a fire alarm")]),
    )


@every_game
@tried(35)
@given(data=st.data(), seed=seeds, from_shoe=st.booleans())
def test_why_not_can_and_do_agree(key: str, data: st.DataObject, seed: int, from_shoe: bool) -> None:
    by_phase = {step.phase: step for step in random_round(offer(key), Random(seed), from_shoe=from_shoe)}
    round_ = data.draw(st.sampled_from(list(by_phase.values())))
    before = write_record(round_)
    for act in data.draw(st.lists(any_act(GAMES[key]), min_size=5, max_size=10)):
        refusal = round_.why_not(act)
        assert round_.can(act) is (refusal is None)
        if refusal is None:
            assert parse_act(str(act)) == act
            assert round_.do(act).acts == (*round_.acts, act)
        else:
            assert_one_sentence(refusal)
            with pytest.raises(Refusal, match=re.escape(str(refusal))):
                round_.do(act)
        assert write_record(round_) == before


@every_game
def test_the_default_offering_is_complete(key: str) -> None:
    offering = Offering(GAMES[key])
    assert set(offering.prices) == {wager.key for wager in GAMES[key].wagers}
    assert set(GAMES[key].settling_order) == set(GAMES[key].spots)
