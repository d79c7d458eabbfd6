"""Who plays blackjack at the terminal: a person who is asked, or a strategy that plays by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeAlias

from croupier.analysis.blackjack.basic import basic_strategy
from croupier.analysis.blackjack.chart import Chart, gives_up, says
from croupier.analysis.blackjack.side.caps import should_cap
from croupier.analysis.blackjack.switch import both_ways
from croupier.cards.card import format_cards
from croupier.cli.table.players import RANDOM, Leave, Machine, Typist
from croupier.cli.table.screen import Screen
from croupier.errors import CroupierError, NotationError, UnknownName
from croupier.games.blackjack.acts import Act, parse_act
from croupier.games.blackjack.answers import (
    BustBet,
    Cap,
    EarlySurrender,
    EvenMoney,
    Insure,
    NoBustBet,
    NoCap,
    NoInsurance,
    NoSurrender,
    NoSwitch,
    Switch,
)
from croupier.games.blackjack.decisions import decisions
from croupier.games.blackjack.hand import BET, describe, switched_hands
from croupier.games.blackjack.round import BlackjackRound, hand_name
from croupier.games.blackjack.rules import Rules
from croupier.games.blackjack.side_wagers import BET_THE_BUST, value
from croupier.games.money import dollars, parse_cents
from croupier.games.table.history import History
from croupier.games.table.legal import least_cents

BASIC = "basic"
KEYS = {"h": "hit", "s": "stand", "d": "double", "p": "split", "r": "surrender", "z": "zap"}
INSURE, EVEN_MONEY, CAP = "i", "e", "c"
INSURANCE_WORDS = {INSURE: ("insure", "insurance"), EVEN_MONEY: ("even", "even money", "even-money")}
YES, NO_INSURANCE = ("y", "yes"), ("", "n", "no", "0")


def cost_cents(round_: BlackjackRound, act: Act) -> int:
    """What an allowed act takes from the player's hand, found by trying it."""
    return round_.do(act).staked_cents - round_.staked_cents


class BlackjackPerson(Typist):
    """Somebody at the keyboard."""

    def __init__(self, ask: Callable[[str], str], screen: Screen) -> None:
        super().__init__(ask, screen)
        self._worked_out: set[Rules] = set()
        """For which rules basic strategy is known already: it takes a moment the first time."""

    def surrender(self, round_: BlackjackRound, seat: int) -> Act:
        hand = round_.seats[seat].hands[0]
        self._screen.say(f"Seat {seat} has {describe(hand)} against {round_.up_card}, before the check.", "bold")
        while True:
            question = f"Seat {seat}, r surrender half, n or Enter play on? "
            typed = self._answer(round_, question, lambda: self._advise_surrender(round_, seat)).lower()
            if typed in NO_INSURANCE:
                return NoSurrender(seat)
            if typed in ("r", "surrender", *YES):
                return EarlySurrender(seat)
            self._refuse(f"{typed!r} is no answer here: r = surrender half of the Bet, n or Enter = play on.")

    def _advise_surrender(self, round_: BlackjackRound, seat: int) -> None:
        better = "surrender" if _gives_up(round_, seat) else "play on"
        self._screen.say(f"Basic strategy says here: {better}.")

    def insure(self, round_: BlackjackRound, seat: int, *, in_hand_cents: int) -> Act:
        offered, words = self._insurances(round_, seat, in_hand_cents=in_hand_cents)
        if not words:
            return NoInsurance(seat)
        keys = ", ".join([*words, "n or Enter = no"])
        self._screen.say(f"The dealer shows {round_.up_card}. {keys}.")
        question = f"Seat {seat}, {', '.join(offered) or 'an amount'} or Enter? "
        while True:
            typed = self._answer(round_, question).lower()
            try:
                if typed in NO_INSURANCE:
                    return NoInsurance(seat)
                act = _insurance(seat, typed, offered, keys)
                self._check(round_, act, typed, in_hand_cents=in_hand_cents)
            except CroupierError as error:
                self._refuse(str(error))
            else:
                return act

    def _insurances(self, round_: BlackjackRound, seat: int, *, in_hand_cents: int) -> tuple[dict[str, Act], list[str]]:
        """What can be taken and paid for, by its key, and in words."""
        offered: dict[str, Act] = {}
        words = []
        cost = cost_cents(round_, Insure(seat)) if round_.can(Insure(seat)) else 0
        if 0 < cost <= in_hand_cents:
            offered[INSURE] = Insure(seat)
            words.append(f"{INSURE} = insure for {dollars(cost)}")
        if round_.can(EvenMoney(seat)):
            offered[EVEN_MONEY] = EvenMoney(seat)
            words.append(f"{EVEN_MONEY} = take even money")
        if cost and in_hand_cents >= round_.offering.rounding.chip_cents:
            words.append("an amount = for less")
        return offered, words

    def cap(self, round_: BlackjackRound, seat: int, *, in_hand_cents: int) -> Act:
        most, keys = cost_cents(round_, Cap(seat)), "an amount = a part of it, n or Enter = keep it"
        self._screen.say(f"House Money brought {dollars(most)}. c = put it on the Bet, {keys}.")
        while True:
            typed = self._answer(round_, f"Seat {seat}, c, an amount or Enter? ").lower()
            try:
                if typed in NO_INSURANCE:
                    return NoCap(seat)
                act = Cap(seat) if typed in (CAP, "cap", *YES) else Cap(seat, parse_cents(typed))
                self._check(round_, act, typed, in_hand_cents=in_hand_cents)
            except CroupierError as error:
                self._refuse(str(error))
            else:
                return act

    def switch(self, round_: BlackjackRound, seat: int) -> Act:
        now, after = round_.seats[seat].hands, switched_hands(round_.seats[seat].hands, round_.rules)
        as_is, changed = (" and ".join(map(describe, hands)) for hands in (now, after))
        self._screen.say(f"Seat {seat} has {as_is} against {round_.up_card}; switched: {changed}.", "bold")
        while True:
            question = f"Seat {seat}, w switch, n or Enter as they are? "
            typed = self._answer(round_, question, lambda: self._advise_switch(round_, seat)).lower()
            if typed in NO_INSURANCE:
                return NoSwitch(seat)
            if typed in ("w", "switch", *YES):
                return Switch(seat)
            self._refuse(f"{typed!r} is no answer here: w = switch, n or Enter = leave the cards as they are.")

    def _advise_switch(self, round_: BlackjackRound, seat: int) -> None:
        kept, changed = both_ways(round_, seat)
        better = "Switch" if changed > kept else "Leave the cards as they are"
        self._screen.say(f"{better}: {kept:+.4f} as they are, {changed:+.4f} switched, in units of the Bet.")

    def bust_bet(self, round_: BlackjackRound, seat: int, *, in_hand_cents: int) -> Act:
        spot = BET_THE_BUST.key
        if least_cents(round_.offering, spot) > in_hand_cents:
            return NoBustBet(seat)
        bet = self._amount(round_, seat, spot, lambda cents: BustBet(seat, cents), in_hand_cents=in_hand_cents)
        return bet or NoBustBet(seat)

    def decide(self, round_: BlackjackRound, *, in_hand_cents: int) -> Act:
        turn = round_.turn
        assert turn is not None
        hand = round_.seats[turn.seat].hands[turn.hand]
        name = hand_name(round_, *turn).capitalize()
        holds = f"{name} has {describe(hand)} against {round_.up_card}"
        offers = self._offers(round_, in_hand_cents=in_hand_cents)
        question = f"{holds}: {offers}? "
        if len(round_.seats) > 1 or len(round_.seats[turn.seat].hands) > 1:
            self._screen.say(f"{holds}: {format_cards(hand.cards)}", "bold")
            question = f"{offers}? "
        while True:
            typed = self._answer(round_, question, lambda: self._advise(round_)).lower()
            try:
                act = _decision(turn.seat, typed, offers)
                self._check(round_, act, str(act.name), in_hand_cents=in_hand_cents)
            except CroupierError as error:
                self._refuse(str(error))
            else:
                return act

    def _offers(self, round_: BlackjackRound, *, in_hand_cents: int) -> str:
        """`h hit, s stand, d double ($5.00)`: what the rules allow and the player can pay for."""
        costs = {act.name: cost_cents(round_, act) for act in decisions(round_)}
        return ", ".join(
            f"{key} {word}{f' ({dollars(costs[word])})' if costs[word] else ''}"
            for key, word in KEYS.items()
            if word in costs and costs[word] <= in_hand_cents
        )

    def _check(self, round_: BlackjackRound, act: Act, words: str, *, in_hand_cents: int) -> None:
        refusal = round_.why_not(act)
        if refusal:
            raise refusal
        cost = cost_cents(round_, act)
        if cost > in_hand_cents:
            raise CroupierError(f"'{words}' takes {dollars(cost)}, and you have {dollars(in_hand_cents)}.")

    def _advise(self, round_: BlackjackRound) -> None:
        words = ", ".join(f"{key} {word}" for key, word in KEYS.items())
        self._screen.say(f"Decisions: {words}; only those are offered that the rules allow and you can pay for.")
        if round_.rules not in self._worked_out:
            self._screen.say("Working out basic strategy for these rules ...", "dim")
            self._worked_out.add(round_.rules)
        self._screen.say(f"Basic strategy says here: {basic_decision(round_)[0]}.")


def _insurance(seat: int, typed: str, offered: Mapping[str, Act], keys: str) -> Act:
    """The answer of a key, of a word, or of an amount for less."""
    if typed in YES and len(offered) > 1:
        raise NotationError(f"{typed!r} does not say to which: {keys}.")
    if typed in YES and offered:
        return next(iter(offered.values()))
    key = next((key for key, words in INSURANCE_WORDS.items() if typed in words), typed)
    if key in offered:
        return offered[key]
    try:
        return Insure(seat, parse_cents(typed))
    except NotationError:
        raise NotationError(f"{typed!r} is no answer here: {keys}.") from None


def _decision(seat: int, typed: str, offers: str) -> Act:
    word = KEYS.get(typed, typed)
    if word not in KEYS.values():
        raise NotationError(f"{typed!r} is no decision here: {offers}.")
    return parse_act(f"{word} {seat}")


class BlackjackAutomaton(Machine):
    """Plays by itself: basic strategy, or at random."""

    def _kept_back_cents(self, round_: History) -> int:
        """Enough to double or split every hand once."""
        return sum(seat.wagers.get(BET.key, 0) for seat in round_.seats.values())

    def surrender(self, round_: BlackjackRound, seat: int) -> Act:
        gives_up = self._chance.below(2) == 1 if self._strategy == RANDOM else _gives_up(round_, seat)
        return EarlySurrender(seat) if gives_up else NoSurrender(seat)

    def insure(self, round_: BlackjackRound, seat: int, *, in_hand_cents: int) -> Act:
        acts: list[Act] = [NoInsurance(seat), Insure(seat), EvenMoney(seat)]
        able = [act for act in acts if round_.can(act) and cost_cents(round_, act) <= in_hand_cents]
        if self._strategy == RANDOM:
            return able[self._chance.below(len(able))]
        return Insure(seat) if Insure(seat) in able and basic_chart(round_.rules).insurance else NoInsurance(seat)

    def cap(self, round_: BlackjackRound, seat: int, *, in_hand_cents: int) -> Act:
        if self._strategy == RANDOM:
            return Cap(seat) if self._chance.below(2) else NoCap(seat)
        return Cap(seat) if should_cap(round_, seat) else NoCap(seat)

    def switch(self, round_: BlackjackRound, seat: int) -> Act:
        if self._strategy == RANDOM:
            return Switch(seat) if self._chance.below(2) else NoSwitch(seat)
        kept, changed = both_ways(round_, seat)
        return Switch(seat) if changed > kept else NoSwitch(seat)

    def bust_bet(self, round_: BlackjackRound, seat: int, *, in_hand_cents: int) -> Act:
        bet = BustBet(seat, least_cents(round_.offering, BET_THE_BUST.key))
        covered = bet.cents + self._kept_back_cents(round_) <= in_hand_cents
        return bet if covered and round_.can(bet) else NoBustBet(seat)

    def decide(self, round_: BlackjackRound, *, in_hand_cents: int) -> Act:
        able = {act.name: act for act in decisions(round_) if cost_cents(round_, act) <= in_hand_cents}
        if not able:
            raise Leave
        if self._strategy == RANDOM:
            return list(able.values())[self._chance.below(len(able))]
        return next(able[word] for word in basic_decision(round_) if word in able)


BlackjackPlayer: TypeAlias = BlackjackPerson | BlackjackAutomaton
"""Who answers for all seats: to insurance, to Bet the Bust, and for the hand whose turn it is."""


@cache
def basic_chart(rules: Rules) -> Chart:
    """Basic strategy for these rules from a full shoe; it takes a moment the first time."""
    return basic_strategy(rules)


def _gives_up(round_: BlackjackRound, seat: int) -> bool:
    return gives_up(basic_chart(round_.rules), round_.seats[seat].first_two, value(round_.up_card))


def basic_decision(round_: BlackjackRound) -> list[str]:
    """What the chart says to the hand whose turn it is, the best first: all of it is allowed by the rules."""
    return says(basic_chart(round_.rules), round_)


def find_blackjack_strategy(name: str) -> str:
    """`basic`, also written `basic strategy`, or `random`."""
    known = (RANDOM, BASIC)
    word = name.strip().lower().replace("-", " ").removesuffix(" strategy")
    if word not in known:
        raise UnknownName("strategy of Blackjack", name, known)
    return word
