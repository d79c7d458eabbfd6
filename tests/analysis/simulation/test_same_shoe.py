"""The same shoe, dealt by the live round and by the kernel: the same cards go out, and every wager ends alike."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from croupier.analysis.blackjack.basic import basic_strategy, evaluate
from croupier.analysis.blackjack.chart import Chart
from croupier.analysis.blackjack.conventions import Convention
from croupier.analysis.blackjack.hands import hands
from croupier.analysis.blackjack.sampled import (
    HandLine,
    bet_lines,
    card_codes,
    first_line_on_bet,
    hand_lines,
    parts_of_bet,
    shoe_tables,
    side_lines,
)
from croupier.analysis.blackjack.side.deals import FIRST, SECOND, VALUE_OF_TYPE
from croupier.analysis.blackjack.solver import solve
from croupier.analysis.blackjack.splits import plan_for
from croupier.analysis.blackjack.strategy import Action, Strategy
from croupier.analysis.blackjack.switch import Switching, best_switching, chart_switching
from croupier.analysis.census import seat_sees, take_census
from croupier.analysis.kernels.packets import AS_IT_LIES, deal_fours, deal_threes, empty_packets
from croupier.analysis.kernels.shoe_play import ShoeTables, empty_seats, play_shoes
from croupier.analysis.simulation.packets import packet_tables
from croupier.analysis.tables import class_of_hands
from croupier.cards.card import DECK, Card
from croupier.cards.shoe import Shoe
from croupier.games.blackjack import acts as table_acts
from croupier.games.blackjack.answers import (
    BustBet,
    Cap,
    EarlySurrender,
    Insure,
    NoCap,
    NoInsurance,
    NoSurrender,
    NoSwitch,
    Switch,
)
from croupier.games.blackjack.decisions import Double, Hit, Split, Stand, Surrender, Zap
from croupier.games.blackjack.game import BlackjackOffering
from croupier.games.blackjack.hand import BET, WON_BLACKJACK, BlackjackSeat, Ending, PlayerHand
from croupier.games.blackjack.round import BlackjackRound, Phase, open_round
from croupier.games.blackjack.rules import Rules, count
from croupier.games.blackjack.side_wagers import BET_THE_BUST, BUSTS, INSURANCE, value
from croupier.games.catalogue import GAMES
from croupier.games.head_to_head.acts import Act, Decide, NoMoreBets, Reveal, Rotation, Settle
from croupier.games.head_to_head.acts import Deal as PacketDeal
from croupier.games.head_to_head.game import Game
from croupier.games.head_to_head.round import Offering, Round
from croupier.games.head_to_head.round import Phase as PacketPhase
from croupier.games.head_to_head.round import open_round as open_packets
from croupier.games.table.bets import Bet
from croupier.games.table.bets import Bet as PacketBet
from croupier.games.table.history import DEALER
from croupier.games.wager import Outcome, Wager
from tests.games.blackjack.support import nearly_empty, offer

UNIT = 1000
"""Cents of the Bet."""
SHOES = 60
TABLES = (
    ("6D S17 DAS SP4 3:2", 1, ("kings-bounty", "bet-the-bust", "blazing-7s-dealer")),
    ("6D S17 DAS SP4 3:2", 7, ("kings-bounty", "bet-the-bust", "blazing-7s-player")),
    ("8D H17 LS RSA HSA 6:5", 3, ("kings-bounty", "bet-the-bust", "trilux")),
    ("2D H17 NDAS SP3 D9", 2, ("bet-the-bust",)),
    ("6D ENHC SP4 LS 3:2", 2, ("kings-bounty", "blazing-7s-player")),
    ("1D S17 SP2 D10 CUT90", 4, ("kings-bounty",)),
    ("8D ENHC NOINS SP1 6:5", 1, ("trilux",)),
    ("6D S17 SP4 3:2", 3, ("bet-the-set", "royal-match", "trilux-bonus")),
    ("1D ENHC SP4 3:2", 2, ("royal-match",)),
    ("6D H17 LS SP4 3:2", 2, ("house-money",)),
    ("3D H17 LS SP4 P22 3:2", 3, ("royal-match",)),
    ("6D H17 LS SAZ SP3 P22 ZAP17 3:2", 2, ("house-money", "blazing-7s-player")),
    ("2D H17 SP4 P22 ZAP18 3:2", 3, ("royal-match",)),
    ("6D H17 SP4 P22 1:1 SWITCH", 2, ("super-match",)),
    ("8D S17 SP2 P22 1:1 SWITCH SWBJ", 1, ("super-match",)),
    ("6D H17 DAS SP4 RSA 3:2 P22 FD FS", 2, ("royal-match", "push-22")),
    ("2D S17 SP3 ENHC LS P22 FD FS", 1, ("bet-the-set", "push-22")),
    ("6D S17 SP4 ES 3:2", 2, ("house-money", "bet-the-bust", "blazing-7s-player")),
    ("2D S17 SP4 RSA HSA ENHC CH5 DAC 3:2", 2, ("bet-the-set",)),
    ("1D H17 SP4 ENHC OBO ES10 LS 3:2", 2, ("royal-match",)),
    ("1D H17 SP4 LS DAC SAD 3:2", 2, ("kings-bounty", "bet-the-bust")),
    ("6D H17 SP4 LS CH6 NDCC DAC SAD B21 3:2", 2, ("house-money",)),
    ("1D H17 DAS SP4 RSA HSA LS 1:1 CH6 DAC SAD SAT NDCC B21 BJW DBJ", 2, ("royal-match", "bet-the-set")),
    ("2D S17 SP4 LS 6:5 SAT B21 DBJ", 2, ("house-money",)),
    ("1D H17 SP2 LS SAT BJW DBJ CH5 1:1", 1, ("house-money", "bet-the-bust")),
    ("2D S17 SP2 ENHC CH5 NDCC DAC B21 BJW DBJ 3:2", 1, ()),
)


def paired(rng: Random, decks: int) -> list[Card]:
    """A shoe in random order, with more pairs and blackjacks at its top than chance would bring."""
    cards = list(DECK) * decks
    rng.shuffle(cards)
    if rng.random() < 0.7:
        wanted = {rng.choice(DECK).rank for _ in range(2)}
        cards.sort(key=lambda card: card.rank in wanted and rng.random() < 0.5, reverse=True)
        top = cards[: 8 + rng.randrange(20)]
        rng.shuffle(top)
        cards[: len(top)] = top
    return cards


# Blackjack


def decide(strategy: Strategy, rules: Rules, hand: PlayerHand, up: int, hands_now: int) -> Action:
    """What the strategy's arrays say about a live hand."""
    values = tuple(map(value, hand.cards))
    if hand.doubled:
        return Action.SURRENDER if rescues(strategy, rules, hand, up) else Action.STAND
    if hand.zapped:
        strategy = strategy.zapped[two_of(hand.zapped)]
    place = hands().place(values)
    if not hand.from_split:
        choices = strategy.first if len(values) == 2 else strategy.draws
        return Action(choices[place, up - 1])
    pair = values[0]
    if len(values) == 2 and values[1] == pair and hand.may_split(rules, hands=hands_now):
        return Action.SPLIT
    rows = plan_for(rules).rows[pair]
    [row] = np.flatnonzero(rows.place == place)
    lent = not hand.stake.own_cents
    return Action(strategy.after_split[pair][2 * lent + (values[1] == pair)][row, up - 1])


def rescues(strategy: Strategy, rules: Rules, hand: PlayerHand, up: int) -> bool:
    """Whether a doubled hand is given up, as the strategy's arrays say."""
    values = tuple(map(value, hand.cards))
    place = hands().place(values)
    if not hand.from_split:
        return bool(strategy.rescues[place, up - 1])
    [row] = np.flatnonzero(plan_for(rules).rows[values[0]].place == place)
    return bool(strategy.rescued(values[0])[values[1] == values[0]][row, up - 1])


def live(
    offering: BlackjackOffering, shoe: Shoe, seats: int, sides: Sequence[Wager], strategy: Strategy | Switching
) -> BlackjackRound:
    keys = [wager.key for wager in sides]
    round_ = open_round(offering, shoe)
    for seat in range(1, seats + 1):
        round_ = round_.do(Bet(seat, BET.key, UNIT * offering.rules.first_hands))
        for key in keys:
            if key not in (INSURANCE.key, BET_THE_BUST.key):
                round_ = round_.do(Bet(seat, key, 500))
    round_ = round_.do(table_acts.NoMoreBets())
    while not round_.is_over:
        round_ = round_.do(_next_act(round_, keys, strategy))
    return round_


def two_of(cards: Sequence[Card]) -> tuple[int, int]:
    one, other = sorted(map(value, cards[:2]))
    return one, other


def switch(round_: BlackjackRound, number: int, play: Switching) -> table_acts.Act:
    (a, b), (c, d) = (map(value, hand.cards) for hand in round_.seats[number].hands)
    return Switch(number) if play.switches((a, b), (c, d), value(round_.up_card)) else NoSwitch(number)


def beside(round_: BlackjackRound, number: int, hand: PlayerHand, play: Switching) -> Strategy:
    """How a hand is played beside the other one that the seat had before anything was drawn."""
    one, two, three, four = round_.seats[number].dealt[:4]  # each hand's first card, then each hand's second
    second = [(one, three), (two, four)] if not _switched(round_, number) else [(one, four), (two, three)]
    return play.beside[two_of(second[1 - hand.origin])].strategy


def _switched(round_: BlackjackRound, number: int) -> bool:
    return any(event.kind == "switch" and event.position == number for event in round_.events)


def _next_act(round_: BlackjackRound, keys: Sequence[str], strategy: Strategy | Switching) -> table_acts.Act:
    if round_.phase is Phase.SURRENDERING:
        assert isinstance(strategy, Strategy)
        number = round_.asked[0]
        place = hands().place(two_of(round_.seats[number].first_two))
        gives_up = strategy.first[place, value(round_.up_card) - 1] == Action.SURRENDER
        return EarlySurrender(number) if gives_up else NoSurrender(number)
    if round_.phase is Phase.INSURANCE:
        return Insure(round_.asked[0]) if INSURANCE.key in keys else NoInsurance()
    if round_.phase is Phase.CAPPING:
        asked = round_.asked[0]
        return Cap(asked) if caps(round_.seats[asked].first_two, round_) else NoCap(asked)
    if isinstance(strategy, Switching) and round_.phase is Phase.SWITCHING:
        return switch(round_, round_.asked[0], strategy)
    if round_.phase is Phase.BUST_WAGERS:
        return BustBet(round_.asked[0], 500)
    if round_.phase is Phase.DEALER:
        return table_acts.Reveal()
    if round_.phase is Phase.SETTLING:
        return table_acts.Settle()
    assert round_.turn is not None
    seat = round_.seats[round_.turn.seat]
    hand = seat.hands[round_.turn.hand]
    if isinstance(strategy, Switching):
        strategy = beside(round_, round_.turn.seat, hand, strategy)
    kin = len(seat.kin(round_.turn.hand))
    action = decide(strategy, round_.rules, hand, value(round_.up_card), kin)
    kinds = (Stand, Hit, Double, Split, Surrender, Zap)
    return kinds[action](round_.turn.seat)


def caps(two: Sequence[Card], round_: BlackjackRound) -> bool:
    """Somebody whose proceeds go on the Bet by a rule that has nothing to do with its worth."""
    return (sum(map(value, two)) + value(round_.up_card)) % 3 != 0


def all_caps() -> np.ndarray:
    values = VALUE_OF_TYPE[FIRST] + VALUE_OF_TYPE[SECOND] + 2
    return np.asarray((values[:, None] + np.arange(1, 11)) % 3 != 0)


def hand_line(round_: BlackjackRound, hand: PlayerHand, outcome: Outcome) -> HandLine:
    """Whose chips lie on a live hand: a free split's second hand begins with a free one, a double adds one."""
    rules, two = round_.rules, tuple(map(value, hand.cards[:2]))
    lent = hand.from_split and rules.split_is_free(two[0]) and hand is not _seat_of(round_, hand).hands[0]
    counted = count(two)
    free = hand.doubled and rules.double_is_free(counted.total, soft=counted.soft, cards=2)
    assert hand.free_cents == (lent + free) * UNIT
    return HandLine(outcome, hand.doubled, hand.from_split, lent, free)


def _seat_of(round_: BlackjackRound, hand: PlayerHand) -> BlackjackSeat:
    return next(seat for seat in round_.seats.values() if any(each is hand for each in seat.hands))


def live_bins(round_: BlackjackRound, sides: Sequence[Wager], tables: ShoeTables) -> np.ndarray:
    """Where the live round's settlements belong."""
    counts = np.zeros(tables.bins, dtype=np.int64)
    hand_bins = hand_lines(round_.rules)
    bet_bins = bet_lines(round_.rules)
    first_side = len(bet_bins) + len(hand_bins)
    outcomes = {outcome.label: outcome for outcome in round_.game.wager(BET.key).outcomes}
    nets = dict.fromkeys(round_.seats, 0)
    lines, proceeds = {}, {}
    for settled in round_.settlements:
        if settled.spot == BET.key:
            label = re.match(r"(.*?)( on hand \d)?(,|$)", settled.why)
            assert label is not None
            which = re.search(r" on hand (\d)", settled.why)
            hand = round_.seats[settled.seat].hands[int(which[1]) - 1 if which else 0]
            outcome = outcomes[label[1]]
            if outcome is WON_BLACKJACK and round_.rules.switch:  # paid before another hand was split: it has moved on
                its = round_.seats[settled.seat].hands
                hand = next(each for each in its if each.ending is Ending.BLACKJACK)
            counts[len(bet_bins) + hand_bins.index(hand_line(round_, hand, outcome))] += 1
            nets[settled.seat] += settled.net_cents
            lines[settled.seat] = outcome
        else:
            first = first_side
            for wager in sides:
                if wager.key == settled.spot:
                    names = {o.label: place for place, o in enumerate(wager.outcomes)}
                    names |= {
                        f"Dealer busts, up card {o.label}": names[o.label]
                        for o in BUSTS.values()
                        if wager is BET_THE_BUST
                    }
                    if wager.key == "house-money" and round_.seats[settled.seat].hands[0].capped_cents:
                        of_bet = [o.label for o, line in side_lines(wager, round_.rules) if line is not None]
                        won = wager.outcomes[names[settled.why]]
                        proceeds[settled.seat] = first + len(wager.outcomes) + of_bet.index(settled.why)
                        proceeds[settled.seat] -= first_line_on_bet(won, round_.rules)
                    else:
                        counts[first + names[settled.why]] += 1
                first += len(side_lines(wager, round_.rules))
    for seat, net in nets.items():
        doubled = round_.seats[seat].hands[0].doubled
        apart = lines[seat] in bet_bins and not doubled
        apart &= len(round_.seats[seat].hands) == 1 or round_.rules.switch
        unit = UNIT + round_.seats[seat].hands[0].capped_cents
        parts = net * parts_of_bet(round_.rules) // round_.rules.first_hands
        assert apart or parts % unit == 0
        line = bet_bins.index(lines[seat] if apart else parts // unit)
        counts[line] += 1
        if seat in proceeds:
            counts[proceeds[seat] + line] += 1
    return counts


def way_to_play(placard: Rules, strategy: str) -> Strategy | Switching:
    if placard.switch:
        return chart_switching(placard) if strategy == "basic" else best_switching(placard)
    if strategy == "basic":
        return evaluate(basic_strategy(placard), placard).strategy
    return solve(placard, convention=Convention.BEST).strategy


@pytest.mark.parametrize(("rules", "seats", "side_wagers"), TABLES)
@pytest.mark.parametrize("strategy", ["basic", "best after splits"])
def test_blackjack_kernel_deals_and_settles_as_the_live_table(
    rules: str, seats: int, side_wagers: Sequence[str], strategy: str
) -> None:
    offering = offer(rules, side_wagers, paytables={"royal-match": "1000"} if "royal-match" in side_wagers else {})
    placard = offering.rules
    played = way_to_play(placard, strategy)
    sides = [wager for wager in offering.game.wagers[1:] if offering.offers(wager.key)]
    tables = shoe_tables(placard, played, sides, seats=seats, caps=lambda _: all_caps())
    codes = dict(zip(DECK, card_codes().tolist(), strict=True))
    rng, splits = Random(f"{rules} {seats}"), 0
    for _ in range(SHOES // seats):
        order = paired(rng, placard.decks)
        shoe, cards = Shoe.of_cards(order), np.array([codes[card] for card in order], dtype=np.uint8)
        for _ in range(3):
            if shoe.dealt >= tables.cut:
                break
            begun = shoe.dealt or tables.burned
            round_ = live(offering, shoe, seats, sides, played)
            counts = np.zeros(tables.bins, dtype=np.int64)
            dealt = play_shoes(np.uint64(0), 1, empty_seats(seats * placard.first_hands), cards, begun, tables, counts)
            if round_.phase is Phase.VOID:
                assert counts[tables.void_bin] == counts.sum() == 1
                break
            assert round_.shoe is not None
            assert dealt == round_.shoe.dealt
            assert counts.tolist() == live_bins(round_, sides, tables).tolist()
            splits += sum(len(seat.hands) > placard.first_hands for seat in round_.seats.values())
            shoe = round_.shoe
    assert splits > 0 or placard.split_hands == 1, "shoes are made to bring splits"


@pytest.mark.parametrize(
    "rules", ["1D H17 DAS SP4 RSA HSA LS 1:1 CH6 DAC SAD SAT NDCC B21 BJW DBJ", "2D SP2 CH5 NDCC DAC SAD 3:2"]
)
def test_6_25_doubled_hands_of_many_cards_that_are_given_up(rules: str) -> None:
    """Low cards, and somebody who doubles ten and more with any number of them and gives up whatever it comes to."""
    offering = offer(rules, ())
    cells = {"hard 4-9": "H", "hard 10-18": "D", "hard 19-20": "S", "soft 12-17": "H", "soft 18-20": "D"}
    rows = [f"{row}: {f'{cell} ' * 10}" for row, cell in (cells | {"rescue 16-20": "Rs"}).items()]
    chart = Chart.parse("\n".join(rows + [f"pair {each},{each}: {'N ' * 10}" for each in "A23456789T"]))
    strategy = evaluate(chart, offering.rules).strategy
    tables = shoe_tables(offering.rules, strategy, [], seats=1)
    codes, rng, long = dict(zip(DECK, card_codes().tolist(), strict=True)), Random(rules), 0
    for _ in range(SHOES):
        order = sorted(
            DECK * offering.rules.decks, key=lambda card: (value(card) > 3 + (rng.random() < 0.2), rng.random())
        )
        round_ = live(offering, Shoe.of_cards(order), 1, [], strategy)
        counts = np.zeros(tables.bins, dtype=np.int64)
        cards = np.array([codes[card] for card in order], dtype=np.uint8)
        play_shoes(np.uint64(0), 1, empty_seats(1), cards, tables.burned, tables, counts)
        assert counts.tolist() == live_bins(round_, [], tables).tolist()
        [hand] = round_.seats[1].hands
        long += hand.doubled and hand.ending is Ending.SURRENDERED and len(hand.cards) >= offering.rules.charlie
    assert long, "a hand was given up that would have won, had it not been doubled"


def test_a_shoe_that_runs_out_voids_the_round_in_both() -> None:
    """A player who hits everything below 21 outlasts a shoe of aces and deuces."""
    offering = offer("2D CUT95", ())
    hits = Chart.parse(
        "\n".join(
            [f"hard {n}: {'H ' * 10}" for n in range(5, 21)]
            + [f"soft {n}: {'H ' * 10}" for n in range(13, 21)]
            + [f"pair {v},{v}: {'H ' * 10}" for v in "A23456789T"]
        )
    )
    strategy = evaluate(hits, offering.rules).strategy
    tables = shoe_tables(offering.rules, strategy, [], seats=1)
    shoe = nearly_empty()
    round_ = live(offering, shoe, 1, [], strategy)
    assert round_.phase is Phase.VOID
    codes = dict(zip(DECK, card_codes().tolist(), strict=True))
    cards = np.array([codes[card] for card in shoe.order], dtype=np.uint8)
    counts = np.zeros(tables.bins, dtype=np.int64)
    play_shoes(np.uint64(0), 1, empty_seats(1), cards, shoe.dealt, tables, counts)
    assert counts[tables.void_bin] == counts.sum() == 1


# Head-to-head games


def live_packets(game: Game, deck: Sequence[Card], seats: int, rng: Random) -> Round:
    """A round with every wager made at every seat."""
    round_ = open_packets(Offering(game), Shoe.of_cards(deck))
    for seat in range(1, seats + 1):
        for spot in game.betting_spots:
            round_ = round_.do(PacketBet(seat, spot, UNIT))
    round_ = round_.do(NoMoreBets())
    while not round_.is_over:
        round_ = round_.do(_next_packet_act(round_, rng))
    return round_


def _next_packet_act(round_: Round, rng: Random) -> Act:
    match round_.phase:
        case PacketPhase.ROTATION:
            return Rotation(number=rng.randint(1, round_.game.seats + 1))
        case PacketPhase.DEALING:
            return PacketDeal()
        case PacketPhase.DECIDING:
            seat = round_.undecided[0]
            wager = round_.game.decides
            assert wager is not None
            assert round_.game.decision is not None
            hand = round_.seats[seat].hand
            census = take_census(round_.game, wager)
            prices = round_.offering.prices[wager.key]
            choice = wager.choices[census.choices("optimal", prices)[census.place_of(hand)]]
            return Decide(seat, round_.game.decision.say(hand, choice))
        case PacketPhase.REVEALING:
            return Reveal()
    return Settle()


@pytest.mark.parametrize("key", sorted(GAMES))
def test_packet_kernel_deals_and_settles_as_the_live_table(key: str) -> None:
    game = GAMES[key]
    prices = {wager.key: Offering(game).prices[wager.key] for wager in game.wagers}
    choices = {
        wager.key: take_census(game, wager).choices("optimal", prices[wager.key])[
            class_of_hands(game.packet_cards, seat_sees(wager), game.ranks)
        ]
        for wager in game.wagers
        if wager.choices
    }
    tables = packet_tables(game, game.wagers, choices)
    deal = {3: deal_threes, 4: deal_fours}[game.packet_cards]
    rng = Random(key)
    for _ in range(80):
        seats = rng.randint(1, game.seats)
        deck = rng.sample(DECK, len(DECK))
        round_ = live_packets(game, deck, seats, rng)
        # The kernel deals to the seats and then to the dealer, wherever the live rotation began.
        order = round_.dealing_order
        packets = {
            position: deck[game.packet_cards * i : game.packet_cards * (i + 1)] for i, position in enumerate(order)
        }
        assert all(tuple(packets[number]) == seat.hand for number, seat in round_.seats.items())
        assert tuple(packets[DEALER]) == round_.dealer
        lie = [card for position in (*range(1, seats + 1), DEALER) for card in packets[position]]
        lie += [card for card in deck if card not in lie]
        counts = np.zeros(tables.bins, dtype=np.int64)
        numbers = np.array([card.number for card in lie], dtype=np.uint8)
        deal(AS_IT_LIES, 1, empty_packets(seats), numbers, tables, counts)
        expected, first = np.zeros_like(counts), 0
        for wager in game.wagers:
            for seat in round_.seats.values():
                outcome = wager.outcome(seat.hand, round_.dealer, seat.choice)
                expected[first + wager.outcomes.index(outcome)] += 1
                worth = sum(
                    s.net_cents
                    for s in round_.settlements
                    if round_.seats[s.seat] is seat and s.spot in {x.key for x in wager.spots}
                )
                assert worth == prices[wager.key][outcome].net * UNIT
            first += len(wager.outcomes)
        assert counts.tolist() == expected.tolist()
