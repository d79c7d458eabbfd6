"""What every blackjack table keeps to, whatever its rules: money, cards, turns, records, and the judges' word."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import pairwise
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from croupier.cards.card import DECK, Card, Suit, check_copies
from croupier.cards.shoe import Shoe
from croupier.errors import Refusal
from croupier.games.blackjack.acts import Act, Deal, NoMoreBets, Peek, Reveal, Settle, parse_act
from croupier.games.blackjack.answers import BustBet, EvenMoney, Insure, NoBustBet, NoInsurance
from croupier.games.blackjack.decisions import Double, Hit, Split, Stand, Surrender, decisions
from croupier.games.blackjack.game import BlackjackOffering, blackjack
from croupier.games.blackjack.hand import BET, DEALER_RESULTS, PLAYER_RESULTS, Ending
from croupier.games.blackjack.round import BlackjackRound, Phase, next_shoe, open_round
from croupier.games.blackjack.rules import Rules, count
from croupier.games.blackjack.side_wagers import is_blackjack, value
from croupier.games.money import InFavourOf
from croupier.games.paytable import Kind
from croupier.games.table.bets import Bet, TakeBack, Void
from croupier.games.table.record import read_any_record, read_record, write_record
from croupier.games.tabulate import DEALER_TOTALS, deal_all, deal_domain
from croupier.games.wager import AgainstDealer, Alike, Fact, OnDeal, Outcome, Wager
from tests.games.blackjack.support import any_offering, any_rules, beside_real_cards, offer, random_round, stacked
from tests.games.support import assert_one_sentence

seeds = st.integers(0, 2**32 - 1)


def tried(times: int) -> settings:
    return settings(max_examples=times, deadline=None, suppress_health_check=[HealthCheck.too_slow])


# Money

FREE_BETS = ("6D H17 DAS SP4 RSA 3:2 P22 FD FS", "8D S17 SP3 HSA LS ENHC 6:5 P22 FD FS", "2D SP2 NDAS P22 FD FS")


@tried(60)
@given(words=st.sampled_from(FREE_BETS), seed=seeds)
def test_no_free_chip_is_made_or_lost(words: str, seed: int) -> None:
    """What was lent has come back, nobody's money is in it, and every hand ends as its money and its chips say."""
    end = random_round(offer(words, ["bet-the-set"]), Random(seed))[-1]
    assert end.staked_cents == end.returned_cents + end.kept_cents
    void = end.phase is Phase.VOID  # whatever was settled is undone, and the house takes its chips from the hands
    assert sum(each.free_cents for each in end.settlements) == (0 if void else end.lent_cents)
    if not void:
        for seat in end.seats.values():
            assert seat.wagers["bet"] == sum(hand.stake.own_cents for hand in seat.hands)
    check_hands(end)
    assert read_any_record(write_record(end)).settlements == end.settlements


@tried(90)
@given(offering=any_offering(), seed=seeds)
def test_no_cent_is_made_or_lost(offering: BlackjackOffering, seed: int) -> None:
    end = random_round(offering, Random(seed))[-1]
    chip, rule = offering.rounding.chip_cents, offering.rounding.in_favour_of
    assert sum(s.staked_cents for s in end.settlements) == end.staked_cents == end.returned_cents + end.kept_cents
    for s in end.settlements:
        assert s.staked_cents == s.returned_cents + s.kept_cents
        if s.line.endswith(", undone"):
            assert end.phase is Phase.VOID
            continue
        assert s.returned_cents >= 0
        assert s.returned_cents % chip == 0
        assert s.returned_cents - s.rounded_cents == s.staked_cents * (1 + s.pay.net)
        assert abs(s.rounded_cents) < chip
        assert (rule is not InFavourOf.HOUSE) or s.rounded_cents <= 0
        assert (rule is not InFavourOf.PLAYER) or s.rounded_cents >= 0
        assert (rule is not InFavourOf.NEAREST) or abs(s.rounded_cents) <= Fraction(chip, 2)


@tried(90)
@given(offering=any_offering(), seed=seeds)
def test_every_wager_is_settled_once_and_every_hand_by_itself(offering: BlackjackOffering, seed: int) -> None:
    steps = random_round(offering, Random(seed))
    end = steps[-1]
    settled: Counter[tuple[int, str]] = Counter()
    for s in end.settlements:
        settled[s.seat, s.spot] += s.staked_cents
    assert settled == {(n, spot): cents for n, seat in end.seats.items() for spot, cents in seat.wagers.items()}
    if end.phase is Phase.VOID:
        return
    hands = [(n, hand.cents) for n, seat in end.seats.items() for hand in seat.hands]
    assert sorted((s.seat, s.staked_cents) for s in end.settlements if s.spot == "bet") == sorted(hands)
    for seat in end.seats.values():
        assert seat.wagers["bet"] == sum(hand.cents for hand in seat.hands)
        assert not seat.open_sides
        assert all(hand.settled for hand in seat.hands)
    for before, after in pairwise(steps):
        assert after.settlements[: len(before.settlements)] == before.settlements, "what is settled stays settled"


@pytest.mark.parametrize("rule", list(InFavourOf))
@pytest.mark.parametrize(("word", "odds"), [("3:2", Fraction(3, 2)), ("6:5", Fraction(6, 5)), ("1:1", Fraction(1))])
def test_blackjacks_on_odd_cents(word: str, odds: Fraction, rule: InFavourOf) -> None:
    for cents in range(500, 512):
        round_ = open_round(offer(f"6D {word}", in_favour_of=rule))
        for act in (f"bet 1 bet {cents}", "no-more-bets", "deal As 6c Kh"):
            round_ = round_.do(parse_act(act))
        [settled] = round_.settlements
        assert settled.returned_cents == cents + round_.offering.rounding.pay(cents * odds)


# Live settlement and judges


def outcome_by_table(end: BlackjackRound, spot: str, seat: int) -> Outcome:
    """A side wager's outcome as the exact count finds it: only looked up in the table of its rule."""
    wager, cards = end.game.wager(spot), end.seats[seat].dealt[:2]
    assert isinstance(wager.basis, OnDeal)
    fact: object
    match wager.basis.fact:
        case Fact.DEALER_BLACKJACK:
            fact = is_blackjack(end.dealer)
        case Fact.UP_CARD:
            fact = end.dealer[0]
        case Fact.THIRD_CARD:
            fact = third_card_dealt(end, seat)
        case Fact.DEALER_TOTAL:
            total = None if len(end.dealer) < 2 else count(map(value, end.dealer)).total
            cards, fact = end.dealer[:1], total if total is None else min(total, DEALER_TOTALS[-1])
        case Fact.DEALER_HAND:
            suits = {card.suit for card in end.dealer}
            color = suits <= {Suit.DIAMONDS, Suit.HEARTS} or suits <= {Suit.CLUBS, Suit.SPADES}
            alike = Alike.SUIT if len(suits) == 1 else Alike.COLOR if color else Alike.NOT
            cards, fact = (), (min(count(map(value, end.dealer)).total, 23), alike)
        case Fact.NOTHING:
            fact = None
        case Fact.DEALERS_TWO:
            assert wager.basis.dealers is not None
            fact = wager.basis.dealers((*end.dealer, end.dealer[0])[:2])
        case Fact.OTHER_HAND:
            assert wager.basis.dealers is not None
            fact = wager.basis.dealers(end.seats[seat].dealt[2:4])
    return table_of(wager)[tuple(sorted(cards)), fact]


@cache
def table_of(wager: Wager) -> dict[object, Outcome]:
    assert isinstance(wager.basis, OnDeal)
    places = zip(deal_domain(wager.basis), deal_all(wager), strict=True)
    return {asked: wager.outcomes[place] for asked, place in places}


def third_card_dealt(end: BlackjackRound, seat: int) -> Card | None:
    """From what was said at the table: the third card that went to the seat, unless it busted a hand of three."""
    cards = [event.cards[0] for event in end.events if event.kind == "deal" and event.position == seat]
    [first, *more] = end.seats[seat].hands
    if len(cards) < 3 or (not more and len(first.cards) == 3 and first.total > 21):
        return None
    return cards[2]


@tried(90)
@given(offering=any_offering(), seed=seeds)
def test_live_settlement_of_side_wagers_equals_the_judge(offering: BlackjackOffering, seed: int) -> None:
    check_side_wagers(random_round(offering, Random(seed))[-1])


def check_side_wagers(end: BlackjackRound) -> None:
    if end.phase is Phase.VOID:
        return
    for s in end.settlements:
        if s.spot != "bet":
            outcome = outcome_by_table(end, s.spot, s.seat)
            price = end.offering.prices[s.spot][outcome]
            # A hand whose line the dealer's second card cannot change is settled before it is seen.
            assert s.why.endswith(outcome.label) or (s.spot == "royal-match" and s.why == "Royal Match")
            assert (s.line, s.pay) == (price.row, price.pays[0])
            assert (s.pay.kind is not Kind.SHARE) or s.returned_cents == 0


@tried(90)
@given(offering=any_offering(), seed=seeds)
def test_live_settlement_of_hands_follows_the_table_of_results(offering: BlackjackOffering, seed: int) -> None:
    check_hands(random_round(offering, Random(seed))[-1])


def check_hands(end: BlackjackRound) -> None:
    """The table at the end of section 8, written once more from the rulebook."""
    if end.phase is Phase.VOID:
        return
    dealer, dealer_bj = count(map(value, end.dealer)).total, is_blackjack(end.dealer)
    for number, seat in end.seats.items():
        found = sorted(s.net_cents for s in end.settlements if (s.seat, s.spot) == (number, "bet"))
        due = []
        early = end.rules.surrenders_early(value(end.up_card))
        for place, hand in enumerate(seat.hands):
            if dealer_bj and end.rules.original_bets_only and (place or hand.doubled):
                # Whatever it came to: what was added comes back.
                due.append(0 if place else end.offering.rounding.pay(Fraction(hand.cents, 2)) - hand.cents)
                continue
            win = end.offering.rounding.pay(hand.cents * Fraction(1))
            half_back = end.offering.rounding.pay(Fraction(hand.cents, 2))
            in_diamonds = {card.suit for card in hand.cards} == {Suit.DIAMONDS} and end.rules.diamond_blackjack
            odds = Fraction(2) if in_diamonds else end.rules.blackjack_odds
            blackjack_pay = end.offering.rounding.pay(hand.cents * odds)
            due.append(
                {
                    Ending.BUST: -hand.stake.own_cents,
                    Ending.EVEN_MONEY: win,
                    Ending.CHARLIE: -hand.cents if dealer_bj else win,
                    Ending.BONUS_21: -hand.cents if dealer_bj else 2 * win,
                    Ending.SURRENDERED: -hand.cents if dealer_bj and not early else half_back - hand.cents,
                    Ending.BLACKJACK: 0 if dealer_bj and not end.rules.blackjack_wins else blackjack_pay,
                }[hand.ending]
                if hand.ending not in (None, Ending.STANDS)
                else -hand.stake.own_cents
                if dealer_bj or hand.total < dealer <= 21
                else 0
                if hand.total == dealer or (dealer == 22 and end.rules.push_22)
                else win
            )
        assert found == sorted(due)


def test_the_bet_is_judged_on_its_whole_domain() -> None:
    assert isinstance(BET.basis, AgainstDealer)
    for choice in BET.basis.choices:
        for player in PLAYER_RESULTS:
            for dealer in DEALER_RESULTS:
                assert choice.judge(player, dealer) in BET.outcomes


def test_every_outcome_is_priced() -> None:
    for word in ("3:2", "6:5", "7:3"):
        house = offer(f"6D {word}")
        assert set(house.prices) == {wager.key for wager in house.game.wagers}
        assert all(list(house.prices[wager.key]) == list(wager.outcomes) for wager in house.game.wagers)
    assert set(house.game.settling_order) == set(house.game.spots)


# Cards and turns


@tried(70)
@given(offering=any_offering(), seed=seeds)
def test_cards_are_dealt_in_the_order_of_the_shoe(offering: BlackjackOffering, seed: int) -> None:
    rng = Random(seed)
    opening = Shoe.fresh(offering.rules.decks, rng.randrange(2**32))
    opening = opening.draw(rng.choice([0, 0, len(opening.order) // 3]))[1]
    for step in random_round(offering, rng, shoe=opening):
        out = list(step.cards_out())
        assert step.shoe is not None
        assert sorted(out) == sorted(opening.order[opening.dealt : step.shoe.dealt])
        assert step.burned == (opening.order[:1] if not opening.dealt and out else ())
        check_copies(out, decks=offering.rules.decks)


@tried(90)
@given(rules=any_rules(), seed=seeds)
def test_players_and_dealer_keep_to_the_rules(rules: Rules, seed: int) -> None:
    steps = random_round(offer(rules), Random(seed))
    end = steps[-1]
    for step in steps:
        for seat in step.seats.values():
            check_seat(step, [hand.cards for hand in seat.hands], rules)
    if end.phase is Phase.VOID:
        return
    left = any(hand.ending is Ending.STANDS for seat in end.seats.values() for hand in seat.hands)
    for cards in range(2, len(end.dealer)):
        total, soft = count(map(value, end.dealer[:cards]))
        assert total < 17 or (total == 17 and soft and rules.hits_soft_17)
        assert left
    if left and not end.dealer_blackjack:
        total, soft = count(map(value, end.dealer))
        assert total >= 17
        assert not (total == 17 and soft and rules.hits_soft_17)


def check_seat(round_: BlackjackRound, hands: list[tuple[Card, ...]], rules: Rules) -> None:
    assert len(hands) <= rules.split_hands
    if len(hands) > 1 and all(value(cards[0]) == 1 for cards in hands):
        assert len(hands) <= (rules.split_hands if rules.resplit_aces else 2)
        assert rules.hit_split_aces or all(len(cards) <= 2 for cards in hands)
    for cards in hands:
        assert all(count(map(value, cards[:drawn])).total < 21 for drawn in range(2, len(cards)))
    for seat in round_.seats.values():
        for hand in seat.hands:
            two = len(hand.cards) == 2 + (not round_.owed)
            assert not hand.doubled or two or (rules.double_any_cards and len(hand.cards) > 2)
            charlie = rules.charlie and len(hand.cards) == rules.charlie and hand.total <= 21
            assert (hand.ending is Ending.CHARLIE) == bool(charlie)
            assert not rules.charlie or len(hand.cards) <= rules.charlie
            assert not (hand.doubled and hand.from_split) or rules.double_after_split
            rescued = hand.doubled and rules.surrender_after_double
            early = rules.has_surrender and len(seat.hands) == 1 and not hand.doubled
            assert hand.ending is not Ending.SURRENDERED or rescued or early


@tried(60)
@given(offering=any_offering(), seed=seeds)
def test_seats_and_hands_decide_in_order(offering: BlackjackOffering, seed: int) -> None:
    turns = [step.turn for step in random_round(offering, Random(seed)) if step.turn]
    assert [turn.seat for turn in turns] == sorted(turn.seat for turn in turns)
    for before, after in pairwise(turns):
        assert before.seat != after.seat or before.hand <= after.hand


@tried(35)
@given(rules=any_rules(), seed=seeds)
def test_a_shoe_is_dealt_round_after_round(rules: Rules, seed: int) -> None:
    rng, house = Random(seed), offer(rules)
    shoe = Shoe.fresh(rules.decks, seed)
    for number in range(4):
        end = random_round(house, rng, shoe=shoe)[-1]
        after = next_shoe(end, f"{seed} {number}")
        assert open_round(house, after).phase is Phase.BETTING
        assert after.dealt == 0 or after.commitment == shoe.commitment
        shoe = after


# Beside real cards


@tried(90)
@given(offering=any_offering(), seed=seeds)
def test_entered_cards_come_to_the_same_as_a_shoe(offering: BlackjackOffering, seed: int) -> None:
    rng = Random(seed)
    end = random_round(offering, rng)[-1]
    if end.phase is Phase.VOID:
        return
    entered = beside_real_cards(end, rng)
    assert entered.settlements == end.settlements
    assert (entered.seats, entered.dealer, entered.phase) == (end.seats, end.dealer, end.phase)
    said = [event.text for event in end.events if event.kind != "burn" and "hole card lies" not in event.text]
    assert [event.text for event in entered.events] == said
    read = read_record(write_record(entered), BlackjackRound)
    assert write_record(read) == write_record(entered)


@tried(35)
@given(offering=any_offering(), seed=seeds, names=st.permutations("cdhs"))
def test_the_names_of_the_suits_change_no_bet(offering: BlackjackOffering, seed: int, names: list[str]) -> None:
    check_renamed(offering, seed, names)


def test_the_names_of_the_suits_change_no_bet_beside_a_blackjack_in_diamonds() -> None:
    """By itself: an example of the test above is written out first, with all of its game, which takes ten seconds."""
    check_renamed(offer("6D DBJ"), 11, list("dchs"))


def check_renamed(offering: BlackjackOffering, seed: int, names: list[str]) -> None:
    end = random_round(offering, Random(seed))[-1]
    if end.phase is Phase.VOID:
        return
    entered = beside_real_cards(end)
    suits = dict(zip("cdhs", names, strict=True))
    if offering.rules.diamond_blackjack:  # a blackjack in diamonds pays more there: all but diamonds are renamed
        suits |= {next(suit for suit, name in suits.items() if name == "d"): suits["d"], "d": "d"}
    again = open_round(offering)
    for act in entered.acts:
        renamed = re.sub(r"([2-9TJQKA])([cdhs])", lambda m: m[1] + suits[m[2]], str(act))
        again = again.do(parse_act(renamed) if isinstance(act, Deal) else act)
    for spot in ("bet", "insurance", "bet-the-bust"):
        same = [[(s.seat, s.line, s.returned_cents) for s in r.settlements if s.spot == spot] for r in (end, again)]
        assert same[0] == same[1]


# Records


@tried(15)
@given(offering=any_offering(), seed=seeds)
def test_a_round_from_a_shoe_is_resumed_at_every_step(offering: BlackjackOffering, seed: int) -> None:
    assert_resumes(random_round(offering, Random(seed)))


@tried(15)
@given(offering=any_offering(), seed=seeds)
def test_a_round_beside_real_cards_is_resumed_at_every_step(offering: BlackjackOffering, seed: int) -> None:
    end = random_round(offering, Random(seed))[-1]
    if end.phase is Phase.VOID:
        return
    steps = [open_round(offering)]
    for act in beside_real_cards(end, Random(seed)).acts:
        steps.append(steps[-1].do(act))
    assert_resumes(steps)


def assert_resumes(steps: list[BlackjackRound]) -> None:
    end = steps[-1]
    for step in steps:
        text = write_record(step)
        resumed = read_record(text, BlackjackRound)
        assert write_record(resumed) == text == write_record(read_any_record(text))
        assert (resumed.events, resumed.seats, resumed.dealer) == (step.events, step.seats, step.dealer)
        assert (resumed.owed, resumed.asked, resumed.phase) == (step.owed, step.asked, step.phase)
        for act in end.acts[len(step.acts) :]:
            resumed = resumed.do(act)
        assert write_record(resumed) == write_record(end)
        assert resumed.settlements == end.settlements


# Acts


seat = st.integers(0, 8)
cents = st.sampled_from([-100, 0, 1, 99, 100, 250, 500, 100_000, 100_001])
hand = st.integers(0, 3)
any_act: st.SearchStrategy[Act] = st.one_of(
    st.builds(Bet, seat, st.sampled_from([*blackjack().spots, "nonsense"]), cents, st.sampled_from(["", "Ann", "a b"])),
    st.builds(TakeBack, seat, st.sampled_from(["bet", "trilux", "nonsense"])),
    st.builds(Deal, st.lists(st.sampled_from(DECK), max_size=5).map(tuple)),
    st.builds(Insure, seat, st.none() | cents),
    st.builds(BustBet, seat, cents),
    st.sampled_from([EvenMoney, NoInsurance, NoBustBet]).flatmap(lambda kind: st.builds(kind, seat)),
    st.sampled_from([Hit, Stand, Double, Split, Surrender]).flatmap(lambda kind: st.builds(kind, seat, hand)),
    st.sampled_from([NoMoreBets(), Reveal(), Settle(), Peek(True), Peek(False), Void(""), Void("a fire alarm")]),
)


@tried(90)
@given(data=st.data(), offering=any_offering(), seed=seeds, entered=st.booleans())
def test_why_not_can_and_do_agree(data: st.DataObject, offering: BlackjackOffering, seed: int, entered: bool) -> None:
    steps = random_round(offering, Random(seed))
    if entered and steps[-1].phase is Phase.OVER:
        acts = beside_real_cards(steps[-1]).acts
        steps = [open_round(offering)]
        for done in acts:
            steps.append(steps[-1].do(done))
    round_ = data.draw(st.sampled_from(steps))
    before = write_record(round_)
    for act in data.draw(st.lists(any_act, min_size=5, max_size=10)):
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


@tried(45)
@given(offering=any_offering(), seed=seeds)
def test_what_may_be_decided_is_what_is_not_refused(offering: BlackjackOffering, seed: int) -> None:
    for step in random_round(offering, Random(seed)):
        able = decisions(step)
        assert bool(able) is (step.phase is Phase.PLAYING)
        if step.turn:
            assert Stand(step.turn.seat) in able
            assert len(able) == sum(step.can(kind(step.turn.seat)) for kind in (Stand, Hit, Double, Split, Surrender))


# Rules and digests


def test_the_digest_tells_rules_and_paytables_apart() -> None:
    words = [
        "6D",
        "8D",
        "6D H17",
        "6D 6:5",
        "6D LS",
        "6D ENHC",
        "6D NOINS",
        "6D CUT80",
        "6D D9",
        "6D NDAS",
        "6D SP2",
        "6D RSA",
        "6D P22",
        "3D",
    ]
    assert len({offer(word).digest for word in words}) == len(words)
    assert offer("6D").digest == offer(Rules()).digest
    assert offer("6D", ["kings-bounty"]).digest != offer("6D").digest, "it is of what is offered"
    assert offer("6D", ["kings-bounty"]).first_digest == offer("6D").first_digest, "the first form was of all wagers"
    blazing = ["blazing-7s-dealer"]
    assert offer("6D", blazing, paytables={"blazing-7s-dealer": "2"}).digest != offer("6D", blazing).digest


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("dealer_draws", lambda self, total, *, soft: total < 18),
        ("hand_ends", lambda self, total, cards=2: total >= 20),
        ("may_double", lambda self, total, *, soft, after_split, cards=2: total == 11),
        ("hands_from", lambda self, value: 2),
        ("one_card_only", lambda self, value: value in (1, 8)),
    ],
)
def test_the_digest_sees_how_cards_are_drawn(name: str, other: object, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = {offer("6D").digest, offer("6D").digest_of(BET)}
    monkeypatch.setattr(Rules, name, other)
    assert usual.isdisjoint({offer("6D").digest, offer("6D").digest_of(BET)})


@tried(60)
@given(offering=any_offering(), seed=seeds)
def test_a_void_round_keeps_its_history(offering: BlackjackOffering, seed: int) -> None:
    *steps, _ = random_round(offering, Random(seed))
    before = Random(seed).choice([step for step in steps if step.can(Void("rain"))])
    void = before.do(Void("rain"))
    assert void.settlements[: len(before.settlements)] == before.settlements
    assert void.events[: len(before.events)] == before.events
    awards = [s for s in before.settlements if s.pay.kind is Kind.SHARE]
    assert [s for s in void.settlements if s.pay.kind is Kind.SHARE] == awards
    assert sum(s.staked_cents for s in void.settlements) == void.staked_cents
    for number in void.seats:
        assert void.result_cents(number) == -sum(s.staked_cents for s in awards if s.seat == number)
    assert sum(event.cents or 0 for event in void.events if event.kind == "undo") == sum(
        s.kept_cents for s in before.settlements if s not in awards
    )


def test_one_game_for_each_rules() -> None:
    assert blackjack(Rules.parse("6D H17")) is blackjack(Rules.parse("H17 6D"))
    assert blackjack() is blackjack(Rules()) is not blackjack(Rules(decks=8))


def test_a_stacked_shoe_deals_what_it_says() -> None:
    round_ = open_round(offer(), stacked("Ts 6h 9s Kh")).do(Bet(1, "bet", 500)).do(NoMoreBets())
    assert str(round_.seats[1].dealt[0]) == "Ts"
