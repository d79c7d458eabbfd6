"""Blackjack: drawing from a shoe, counted by the exact solver and the censuses of its side wagers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any

from croupier.analysis.analyst import NOTHING_TO_DECIDE, Worth
from croupier.analysis.blackjack.chart import Chart, says
from croupier.analysis.blackjack.hands import hands
from croupier.analysis.blackjack.odds import game_asked, odds_as_json, side_sheets, with_bet
from croupier.analysis.blackjack.question import OPTIMAL, Asked
from croupier.analysis.blackjack.shoe import Composition
from croupier.analysis.blackjack.side.caps import unit_more
from croupier.analysis.blackjack.side.census import BustSheet, CapSheet, SideSheet, make_side_sheet
from croupier.analysis.blackjack.solver import Resplit, insurance, insurance_values, solve
from croupier.analysis.blackjack.strategy import Action
from croupier.analysis.blackjack.switch import best_switching, both_ways, unseen
from croupier.analysis.kernels.table_cache import users_own
from croupier.analysis.lab.placard import bet_sheet
from croupier.analysis.par.blackjack import BlackjackPar
from croupier.analysis.par.printed import blackjack_par_for
from croupier.analysis.par.sheet import Register
from croupier.analysis.session.covariance import Covariance
from croupier.analysis.simulation.request import (
    OwnStrategies,
    Sample,
    check_strategy_word,
    chosen_wagers,
    is_fresh,
    priced_wagers,
)
from croupier.analysis.simulation.setup import Simulation
from croupier.analysis.simulation.setup_blackjack import BASIC, simulate_blackjack
from croupier.analysis.vulnerability.errors import DealerError, mispays, of_the_bet
from croupier.cards.card import Hand
from croupier.errors import NotationError
from croupier.games.blackjack.answers import BustBet, NoSwitch, Switch
from croupier.games.blackjack.deal import most_cap_cents, most_insurance_cents
from croupier.games.blackjack.decisions import decisions
from croupier.games.blackjack.game import BlackjackGame
from croupier.games.blackjack.hand import BET, BlackjackSeat, switched_hands
from croupier.games.blackjack.round import BlackjackRound, Phase
from croupier.games.blackjack.side_wagers import BET_THE_BUST, INSURANCE, value
from croupier.games.game import TableGame
from croupier.games.money import StakeKind
from croupier.games.paytable import Kind, Paytable
from croupier.games.table.history import Act, History
from croupier.games.table.legal import least_cents
from croupier.games.wager import FindPaytable, Wager

SEEN_CARDS = "every card that lies face up in this round; a fresh shoe otherwise"
NO_BLACKJACK = "; given that the dealer has no blackjack"
AFTER_SPLIT = "; each other hand of the split is played by its own cards, and a pair is split again where it may be"
NO_AMOUNTS: Mapping[str, tuple[int, float]] = MappingProxyType({})


BASIC_STRATEGY = """
    hard 4-8:     H   H   H   H   H   H   H   H   H   H
    hard 9:       H   D   D   D   D   H   H   H   H   H
    hard 10:      D   D   D   D   D   D   D   D   H   H
    hard 11:      D   D   D   D   D   D   D   D   D   H
    hard 12:      H   H   S   S   S   H   H   H   H   H
    hard 13-14:   S   S   S   S   S   H   H   H   H   H
    hard 15:      S   S   S   S   S   H   H   H   R   H
    hard 16:      S   S   S   S   S   H   H   R   Rs  R
    hard 17-21:   S   S   S   S   S   S   S   S   S   S
    soft 12:      H   H   H   H   H   H   H   H   H   H
    soft 13-14:   H   H   H   D   D   H   H   H   H   H
    soft 15-16:   H   H   D   D   D   H   H   H   H   H
    soft 17:      H   D   D   D   D   H   H   H   H   H
    soft 18:      S   Ds  Ds  Ds  Ds  S   S   H   H   H
    soft 19-21:   S   S   S   S   S   S   S   S   S   S
    pair A,A:     P   P   P   P   P   P   P   P   P   P
    pair 2,2:     P   P   P   P   P   P   H   H   H   H
    pair 3,3:     P   P   P   P   P   P   H   H   H   H
    pair 4,4:     H   H   H   P   P   H   H   H   H   H
    pair 5,5:     D   D   D   D   D   D   D   D   H   H
    pair 6,6:     P   P   P   P   P   H   H   H   H   H
    pair 7,7:     P   P   P   P   P   P   H   H   H   H
    pair 8,8:     P   P   P   P   P   P   P   P   P   P
    pair 9,9:     P   P   P   P   P   S   P   P   S   S
    pair T,T:     S   S   S   S   S   S   S   S   S   S
    insurance:   no"""
"""As `croupier strategy blackjack` prints it for these rules: working it out takes too long for a page."""


ZAPS = """
    zap 15-17:    Z   Z   Z   Z   Z   Z   Z   Z   Z   Z
    zap 18:       N   N   N   N   N   N   N   Z   Z   Z
    zap 8,8:      Z   Z   Z   N   N   N   Z   Z   Z   Z
    zap 9,9:      N   N   N   N   N   N   N   Z   Z   Z"""
"""As `croupier strategy zappit-blackjack` prints it."""


@cache
def _chart() -> Chart:
    return Chart.parse(BASIC_STRATEGY + ZAPS)


BEST_PLAY = "the whole deck, and the best play"
FIRST_CARDS = "the whole shoe"
FIXED_PAYS = "the whole shoe, and the fixed pays alone: a meter is paid by whoever keeps it"
CAPPED = "the whole shoe, and the proceeds on the Bet where that is right"
UP_CARD = "the dealer's up card"
SEEN = "the cards in sight"


def fits(game: TableGame) -> bool:
    return isinstance(game, BlackjackGame)


def analyst(game: TableGame) -> BlackjackAnalyst:
    assert isinstance(game, BlackjackGame)
    return BlackjackAnalyst(game)


@dataclass(frozen=True, eq=False)
class BlackjackAnalyst:
    """Asks the solver about the rules of the placard."""

    game: BlackjackGame

    def hints(self, round_: History) -> dict[str, Any]:
        assert isinstance(round_, BlackjackRound)
        return _hints(round_)

    def worth(self, round_: History, seat: int, wager: Wager, cents: int) -> tuple[int, Worth]:
        assert isinstance(round_, BlackjackRound)
        return _in_blackjack(round_, seat, wager.key, cents)

    def first_edge(self, asked: Asked, find_paytable: FindPaytable) -> dict[str, Any]:
        """Of the Bet, without the law of a round."""
        game = game_asked(self.game, asked)
        edge = best_switching(game.rules).edge if game.rules.switch else solve(game.rules).edge
        name = next(iter(game.wager(BET.key).paytables))
        return {"paytable": name, "house_edge": {"exact": None, "percent": -100 * edge}}

    def odds(self, asked: Asked, find_paytable: FindPaytable) -> Any:
        return odds_as_json(self.game, asked, find_paytable)

    def par(self, asked: Asked, register: Register, find_paytable: FindPaytable) -> BlackjackPar:
        return blackjack_par_for(self.game, asked, register, find_paytable)

    def vulnerability(self, asked: Asked, watched: Any, find_paytable: FindPaytable) -> Any:
        from croupier.analysis.vulnerability.shoes import vulnerability_of, vulnerability_of_bet

        game = game_asked(self.game, asked)
        wager = game.wager(asked.wager or "")
        if game.by_rules(wager):
            if asked.meters or asked.paytable not in (None, *wager.paytables):
                raise NotationError(f"{wager.title} pays as the rules say: it has no other paytable, and no meters.")
            return vulnerability_of_bet(game, watched)
        name = asked.paytable or _usual(game, wager)
        [sheet] = side_sheets(game, wager, asked._replace(paytable=name), find_paytable)
        return vulnerability_of(game, sheet, watched)

    def errors(self, asked: Asked, find_paytable: FindPaytable) -> list[DealerError]:
        game = game_asked(self.game, asked)
        errors = of_the_bet(game) if asked.key in (None, BET.key) else []
        for wager in [game.wager(asked.wager)] if asked.wager else game.wagers:
            if wager.key == BET.key or wager is INSURANCE or not _is_offered(game, wager):
                continue
            name = asked.paytable or _usual(game, wager)
            [sheet] = side_sheets(game, wager, asked._replace(paytable=name, wager=wager.key), find_paytable)
            errors += mispays(sheet.figures, name, sheet.paytable)
        return errors

    def covariances(self, asked: Asked, find_paytable: FindPaytable) -> tuple[list[Covariance], list[str]]:
        """Each side wager with the Bet, at basic strategy."""
        game = game_asked(self.game, asked)
        covariances: list[Covariance] = []
        left_out = ["Two side wagers are not counted with each other, only each with the Bet at basic strategy."]
        for wager in game.wagers:
            if wager.key == BET.key or not _is_offered(game, wager):
                continue
            [sheet] = side_sheets(game, wager, asked._replace(paytable=_usual(game, wager)), find_paytable)
            try:
                both = with_bet(game, sheet)
            except NotationError as refused:
                left_out.append(str(refused))
                continue
            variances = both.base_variance, both.side_variance
            covariances.append(Covariance(game.wager(BET.key).title, wager.title, both.covariance, variances))
        return covariances, left_out

    def sheet(self, wager: Wager, asked: Asked, find_paytable: FindPaytable, strategy: str) -> SideSheet:
        [sheet] = side_sheets(self.game, wager, asked, find_paytable)
        return sheet

    def simulate(self, asked: Sample, find_paytable: FindPaytable, own: OwnStrategies) -> Simulation:
        fresh = is_fresh(asked)
        game = self.game.under(asked.rules, asked.decks)
        return _simulation(game, asked, find_paytable, own, fresh=fresh)

    def check_sample(self, asked: Sample, find_paytable: FindPaytable) -> None:
        game = self.game.under(asked.rules, asked.decks)
        every = [wager for wager in game.wagers if _is_offered(game, wager)]
        chosen = chosen_wagers(game, asked.wagers, every)
        priced_wagers(game, chosen, asked, find_paytable, lambda wager: _usual(game, wager))
        check_strategy_word(asked, game, [BASIC, OPTIMAL])

    def usual_act(self, round_: History) -> Act[Any] | None:
        """By basic strategy for the rules that are taught; insurance and Bet the Bust are only offered."""
        assert isinstance(round_, BlackjackRound)
        if round_.phase is Phase.SWITCHING and round_.asked:
            return _usual_switch(round_, round_.asked[0])
        if round_.turn is None:
            return None
        able = {act.name: act for act in decisions(round_)}
        return able[says(_chart(), round_)[0]]


STRONG = (10, 11, 19, 20, 21)
"""Totals of two cards that somebody who knows no figures likes to have."""


def _usual_switch(round_: BlackjackRound, number: int) -> Act[Any]:
    """Somebody who switches where that makes more hands strong: working it out takes too long for a page."""
    held = round_.seats[number].hands
    now, after = (sum(hand.total in STRONG for hand in both) for both in (held, switched_hands(held, round_.rules)))
    return Switch(number) if after > now else NoSwitch(number)


# What wagers were worth


def _rows(round_: History, wager: str) -> str:
    return str(round_.offering.paytable(wager))


def _in_blackjack(round_: BlackjackRound, number: int, wager: str, cents: int) -> tuple[int, Worth]:
    seat, game = round_.seats[number], round_.game
    if wager == BET.key:
        return _first_bet(seat), _bet(game)
    if wager == INSURANCE.key:
        return cents, _insurance_worth(round_)
    counted = _counted_as(game, caps=game.side_wager(wager).caps)
    worth = _side(counted, wager, _rows(round_, wager), value(round_.up_card))
    return cents, worth


def _counted_as(game: BlackjackGame, *, caps: bool = False) -> BlackjackGame:
    """A side wager is counted anew, which takes seconds, only for rules that matter to it; what a blackjack pays does
    where proceeds may lie on one."""
    usual, rules = game.usual_rules, game.rules
    odds = rules.blackjack_odds if caps else usual.blackjack_odds
    return game.with_rules(replace(rules, cut=usual.cut, insurance=usual.insurance, blackjack_odds=odds))


def worth_of_bust(round_: BlackjackRound) -> float:
    """The house's edge on Bet the Bust against the up card."""
    key = BET_THE_BUST.key
    return _side(_counted_as(round_.game), key, _rows(round_, key), value(round_.up_card)).edge


def _first_bet(seat: BlackjackSeat) -> int:
    """What was bet before anything was doubled, split, or put on it from a side wager."""
    firsts = {hand.origin: hand for hand in reversed(seat.hands)}.values()
    return sum((hand.cents // 2 if hand.doubled else hand.cents) - hand.capped_cents for hand in firsts)


def _insurance_worth(round_: BlackjackRound) -> Worth:
    """From the first two cards of every hand, as it was offered."""
    first = 2 * round_.rules.first_hands
    held = [value(card) for seat in round_.seats.values() for card in seat.dealt[:first]]
    edge = -float(insurance(Composition.full(round_.rules.decks), held))
    won = (1 - edge) / 3  # it pays 2 to 1
    return Worth(edge, 3 * (won * (1 - won)) ** 0.5, SEEN)


@lru_cache(maxsize=32)
def _bet(game: BlackjackGame) -> Worth:
    figures = bet_sheet(game, game.placard, OPTIMAL)
    return Worth(-figures.edge, figures.swings.standard_deviation, BEST_PLAY)


@lru_cache(maxsize=64)
def _side(game: BlackjackGame, wager: str, rows: str, up: int) -> Worth:
    paytable = Paytable.parse("", rows)
    meters = {row.pay.meter: 0 for row in paytable.rows if row.pay.kind is Kind.SHARE}
    sheet = make_side_sheet(
        game, game.wager(wager), "", paytable, game.rules.decks, meters=meters or None, rules=game.rules
    )
    if isinstance(sheet, BustSheet):
        against = sheet.up_cards[up - 1]
        win = float(against.odds) + 1
        bust = float(against.bust)
        return Worth(float(against.house_edge), win * (bust * (1 - bust)) ** 0.5, UP_CARD)
    if isinstance(sheet, CapSheet):
        return Worth(sheet.capped.house_edge, sheet.capped.standard_deviation, CAPPED)
    figures = sheet.figures
    return Worth(float(figures.house_edge), figures.standard_deviation, FIXED_PAYS if meters else FIRST_CARDS)


# Simulation


def _simulation(
    game: BlackjackGame, asked: Sample, find_paytable: FindPaytable, own: OwnStrategies, *, fresh: bool
) -> Simulation:
    word: str | Chart = asked.strategy.strip().lower() or BASIC
    strategy_words = None
    if word not in (BASIC, OPTIMAL) and (chart := own.chart(asked.strategy)):
        strategy_words, word = f"chart {chart[0]}", chart[1]
    every = [wager for wager in game.wagers if _is_offered(game, wager)]
    chosen = chosen_wagers(game, asked.wagers, every)
    wagers = priced_wagers(game, chosen, asked, find_paytable, lambda wager: _usual(game, wager))
    return simulate_blackjack(
        game,
        wagers,
        seats=asked.players,
        strategy=word,
        seed=asked.seed,
        rounds=asked.rounds,
        fresh=fresh,
        strategy_words=strategy_words,
        kept=users_own(),
    )


def _is_offered(game: BlackjackGame, wager: Wager) -> bool:
    """Whether a house may offer it under these rules; several progressives are sampled side by side all the same."""
    if wager.key not in game.optional:
        return game.offer().offers(wager.key)
    try:
        return game.offer(side_wagers=[wager.key]).offers(wager.key)
    except NotationError:
        return False


def _usual(game: BlackjackGame, wager: Wager) -> str:
    """Bet the Bust goes by the rule on a soft 17; the others have a first table."""
    posted = game.offer().paytable(wager.key)
    return next(name for name, table in wager.paytables.items() if table == posted)


# Hints


def _hints(round_: BlackjackRound) -> dict[str, Any]:
    if round_.phase is Phase.SURRENDERING and round_.asked:
        seats = [{"seat": number, "decisions": _early_surrender(round_, number)} for number in round_.asked]
        return {"given": SEEN_CARDS, "seats": seats, "sentence": ""}
    if round_.phase is Phase.INSURANCE and round_.asked:
        seats = [{"seat": number, **_insurance(round_, number)} for number in round_.asked]
        return {"given": SEEN_CARDS, "seats": seats, "sentence": ""}
    if round_.phase is Phase.CAPPING and round_.asked:
        seats = [{"seat": number, "decisions": _cap(round_, number)} for number in round_.asked]
        return {"given": SEEN_CARDS + NO_BLACKJACK, "seats": seats, "sentence": ""}
    if round_.phase is Phase.SWITCHING and round_.asked:
        seats = [{"seat": number, "decisions": _switch(round_, number)} for number in round_.asked]
        return {"given": SEEN_CARDS + NO_BLACKJACK, "seats": seats, "sentence": ""}
    if round_.phase is Phase.BUST_WAGERS and round_.asked:
        seats = [{"seat": number, "decisions": _bust(round_, number)} for number in round_.asked]
        return {"given": UP_CARD, "seats": seats, "sentence": ""}
    if round_.turn is None:
        return {"given": SEEN_CARDS, "seats": [], "sentence": NOTHING_TO_DECIDE}
    number, place = round_.turn
    hand = round_.seats[number].hands[place]
    allowed = {act.name: str(act) for act in decisions(round_)}
    worth = {
        allowed[str(act)]: worth_of_act
        for act, worth_of_act in _of_hand(round_, number, place).items()
        if str(act) in allowed
    }
    given = SEEN_CARDS + (NO_BLACKJACK if round_.rules.hole_card else "") + (AFTER_SPLIT if hand.from_split else "")
    rated = [{**hint, **_stake(round_, hint["act"])} for hint in _rated(worth)]
    return {"given": given, "seats": [{"seat": number, "hand": place + 1, "decisions": rated}], "sentence": ""}


def _stake(round_: BlackjackRound, act: str) -> dict[str, str]:
    """Whose chips a decision adds, where they are free."""
    free = round_.rules.has_free_chips and round_.do(round_.parse(act)).lent_cents > round_.lent_cents
    return {"stake": StakeKind.FREE.value} if free else {}


def _of_hand(round_: BlackjackRound, number: int, place: int) -> dict[Action, float]:
    """Per unit of the chips on the hand; after a split with what splitting again does to the hands that wait."""
    hand, up = round_.seats[number].hands[place], value(round_.up_card)
    beside = round_.seats[number].kin(place)
    rules = (round_.rules if hand.is_first else round_.rules.after_zap).one_hand
    solution = solve(rules, unseen(round_, hand.cards), naturals=hand.is_first)
    held = _values(hand.cards)
    if hand.doubled:
        return solution.doubled_values(held, up)
    worth = solution.hand_values(held, up, checked=True) if hand.stake.own_cents else solution.lent_values(held, up)
    if hand.pair_value is not None and hand.may_split(round_.rules, hands=len(beside)) and hand.from_split:
        waiting = sum(len(hand.cards) == 1 for hand in beside)
        worth[Action.SPLIT] = Resplit(solution, hand.pair_value, up, len(beside), waiting, first=place == 0).value
    return worth


def _early_surrender(round_: BlackjackRound, number: int) -> list[dict[str, Any]]:
    """Before the check, in units of the Bet: half of it is given up, or the hand is played as is best."""
    held, up = _values(round_.seats[number].first_two), value(round_.up_card)
    worth = solve(round_.rules, unseen(round_, round_.seats[number].first_two)).hand_values(held, up)
    given_up = worth.pop(Action.SURRENDER)
    return _rated({f"early-surrender {number}": given_up, f"no-surrender {number}": max(worth.values())})


def _insurance(round_: BlackjackRound, number: int) -> dict[str, Any]:
    held = round_.seats[number].first_two
    solution = solve(round_.rules.one_hand, unseen(round_, held))
    values = insurance_values(solution, _values(held), value(round_.up_card))
    if round_.rules.switch:  # what a blackjack among two hands comes to hangs on both, and on the switch
        values = {"insurance": values["insurance"]}
    bet, most = round_.seats[number].wagers[BET.key], most_insurance_cents(round_, number)
    ways = {name: worth["value"] for name, worth in values.get("blackjack_before_check", {}).items()}
    without = ways.get("neither", 0.0)
    insure, unit_worth = f"insure {number}", values["insurance"]["value"]
    worth = {insure: without + unit_worth * most / bet, f"no-insurance {number}": without}
    if "even money" in ways:
        worth[f"even-money {number}"] = ways["even money"]
    return {"decisions": _rated(worth, {insure: (most, unit_worth)}), **values}


def _cap(round_: BlackjackRound, number: int) -> list[dict[str, Any]]:
    """What the proceeds bring on the Bet, in units of the Bet; kept, they bring nothing more."""
    held, up = round_.seats[number].first_two, value(round_.up_card)
    solution = solve(round_.rules.one_hand, unseen(round_, held))
    unit_worth = float(unit_more(solution)[hands().place(_values(held)), up - 1])
    most, bet = most_cap_cents(round_, number), round_.seats[number].wagers[BET.key]
    on_bet = f"cap {number}"
    return _rated({on_bet: unit_worth * most / bet, f"no-cap {number}": 0.0}, {on_bet: (most, unit_worth)})


def _switch(round_: BlackjackRound, number: int) -> list[dict[str, Any]]:
    """In units of the Bet; each hand is then played by its own cards and what lies face up now."""
    kept, changed = both_ways(round_, number)
    return _rated({f"switch {number}": changed, f"no-switch {number}": kept})


def _bust(round_: BlackjackRound, number: int) -> list[dict[str, Any]]:
    """Bet the Bust for the least against this up card; the dealer's whole shoe is counted."""
    legal = BustBet(number, least_cents(round_.offering, BET_THE_BUST.key))
    edge = worth_of_bust(round_)
    bet = round_.seats[number].wagers[BET.key]
    amount = {str(legal): (legal.cents, -edge)}
    return _rated({str(legal): -edge * legal.cents / bet, f"no-bust-bet {number}": 0.0}, amount)


def _rated(worth: dict[str, float], amounts: Mapping[str, tuple[int, float]] = NO_AMOUNTS) -> list[dict[str, Any]]:
    """The best first. Where somebody chooses an amount: the one that it was counted for, and what each cent of it is
    worth, so that another one can be told."""
    best = max(worth.values())
    return [
        {"act": act, "value": act_worth, "cost": best - act_worth, **_amount(amounts.get(act))}
        for act, act_worth in sorted(worth.items(), key=lambda way: -way[1])
    ]


def _amount(counted: tuple[int, float] | None) -> dict[str, float]:
    return dict(zip(("cents", "value_of_a_cent"), counted, strict=True)) if counted else {}


def _values(cards: Hand) -> tuple[int, ...]:
    return tuple(map(value, cards))
