"""Who plays at the terminal: a person who is asked, or a strategy that plays by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from croupier.analysis.census import take_census
from croupier.analysis.strategy import rate_hand
from croupier.cards.shuffle import Source
from croupier.cli.table.screen import Screen
from croupier.errors import CroupierError
from croupier.games.head_to_head.acts import Decide
from croupier.games.head_to_head.game import Game
from croupier.games.head_to_head.legal import Choice, Menu, menu
from croupier.games.head_to_head.round import Round
from croupier.games.money import dollars, parse_cents
from croupier.games.table.bets import Bet
from croupier.games.table.history import History
from croupier.games.table.legal import QUIT, least_cents

RANDOM = "random"
OPTIMAL = "optimal"
AGAIN = "b"
LONGEST_ANSWER = 200
WARNING = "yellow"
AnyBet = TypeVar("AnyBet", bound=Bet)


class Leave(Exception):
    """The player leaves the table."""


class BetAgain(Exception):
    """The player takes wagers back, to bet anew."""


class Bettor:
    """Who makes the wagers of all seats, whatever the game; what comes back is allowed and covered."""

    def wager(self, round_: History, seat: int, spot: str, *, in_hand_cents: int) -> Bet | None:
        """The bet on this spot; None for no wager."""
        raise NotImplementedError

    def nobody_bets(self, round_: History) -> None:
        """There is no wager on the table, so the round cannot start."""
        raise Leave

    def hear_refusal(self, round_: History) -> None:
        """The wagers that lie there cannot be dealt to, and are taken back."""

    def hear_shortage(self, round_: History, sentence: str) -> None:
        """What is in hand may be too little for the decisions to come."""

    def wait(self, round_: History, what: str) -> None:
        """The player says when to go on."""

    def see_shoe(self, reveal: str) -> None:
        """A shoe is revealed."""


class Typist(Bettor):
    """Somebody at the keyboard, whatever the game; `ask` shows a question and gives the answer."""

    def __init__(self, ask: Callable[[str], str], screen: Screen) -> None:
        self._ask = ask
        self._screen = screen
        self._last_cents: dict[tuple[int, str], int] = {}
        self._last_shoe = ""

    def wager(self, round_: History, seat: int, spot: str, *, in_hand_cents: int) -> Bet | None:
        if _laid(round_, spot) * least_cents(round_.offering, spot) > in_hand_cents:
            if spot == round_.offering.game.betting_spots[0]:
                self._refuse(f"Seat {seat}: you have {dollars(in_hand_cents)}, too little for a wager.")
            return None
        return self._amount(
            round_, seat, spot, lambda cents: Bet(seat, spot, cents), in_hand_cents=in_hand_cents, again=AGAIN
        )

    def _amount(
        self,
        round_: History,
        seat: int,
        spot: str,
        bet: Callable[[int], AnyBet],
        *,
        in_hand_cents: int,
        again: str = "",
    ) -> AnyBet | None:
        """The bet of the amount that is typed; Enter for the same as last time, and `again` to start over."""
        last = self._last_cents.get((seat, spot), 0)
        last = last if _laid(round_, spot) * last <= in_hand_cents else 0
        while True:
            typed = self._answer(round_, self._wager_question(round_, seat, spot, last))
            if again and typed.lower() == again:
                raise BetAgain
            try:
                cents = parse_cents(typed) if typed else last
                if _laid(round_, spot) * cents > in_hand_cents:
                    on_spots = f" on each of {_laid(round_, spot)} spots" if _laid(round_, spot) > 1 else ""
                    self._refuse(f"You have {dollars(in_hand_cents)}, so {dollars(cents)}{on_spots} is too much.")
                    continue
                act = bet(cents) if cents else None
                refusal = round_.why_not(act) if act else None
                if refusal:
                    raise refusal
            except CroupierError as error:
                self._refuse(str(error))
                continue
            self._last_cents[seat, spot] = cents
            return act

    def _wager_question(self, round_: History, seat: int, spot: str, last: int) -> str:
        limits = round_.offering.limits_of(spot)
        title = laid_title(round_, spot)
        enter = f"Enter = {dollars(last)}, 0 = none" if last else "Enter = none"
        low, high = dollars(limits.minimum_cents), dollars(limits.maximum_cents)
        span = low if low == high else f"{low} to {high}"
        return f"Seat {seat}, {title}, {span} ({enter}): "

    def nobody_bets(self, round_: History) -> None:
        self._refuse("There is no wager on the table: bet on something, or type q to leave.")

    def hear_refusal(self, round_: History) -> None:
        for seat, there in round_.seats.items():
            for spot in there.wagers:
                self._last_cents.pop((seat, spot), None)

    def hear_shortage(self, round_: History, sentence: str) -> None:
        self._refuse(sentence)
        while typed := self._answer(round_, f"Enter = deal all the same, {AGAIN} = bet again: "):
            if typed.lower() == AGAIN:
                raise BetAgain
            self._refuse(f"{typed!r} is neither Enter nor {AGAIN}.")

    def wait(self, round_: History, what: str) -> None:
        self._answer(round_, f"Enter = {what}: ")

    def see_shoe(self, reveal: str) -> None:
        self._last_shoe = reveal

    def _answer(self, round_: History, question: str, more_help: Callable[[], None] | None = None) -> str:
        """What was typed, once it is an answer and no call for help."""
        while True:
            typed = self._ask(question).strip()
            if typed.lower() in (QUIT, "quit", "exit"):
                raise Leave
            if len(typed) > LONGEST_ANSWER:
                self._refuse("That is too long for an answer.")
            elif typed.startswith("?") or typed.lower() == "help":
                self._help(round_, typed.lower().removeprefix("help").removeprefix("?").strip())
                if more_help:
                    more_help()
            else:
                return typed

    def _help(self, round_: History, topic: str) -> None:
        if topic == "shoe":
            self._screen.verbatim(self._last_shoe or "No shoe has been revealed yet: each is, at the end of its round.")
        else:
            self._screen.help(round_.offering, topic)

    def _refuse(self, sentence: str) -> None:
        self._screen.say(sentence, WARNING)


def _laid(round_: History, spot: str) -> int:
    """How many spots get the same chips with one bet."""
    return len(round_.offering.game.laid_with(spot))


def laid_title(round_: History, spot: str) -> str:
    """Where the chips of one bet go."""
    spots = round_.offering.game.spots
    titles = sorted(spots[other][1].title for other in round_.offering.game.laid_with(spot))
    return titles[0] if len(titles) == 1 else f"on each of {', '.join(titles[:-1])} and {titles[-1]}"


class Person(Typist):
    """Somebody at the keyboard of a head-to-head game."""

    def decide(self, round_: Round, seat: int, *, in_hand_cents: int) -> Decide:
        offered = menu(round_, seat)
        self._offer(offered, in_hand_cents=in_hand_cents)
        keys = [choice.key for choice in offered.choices] + list(offered.shortcuts())
        question = f"Seat {seat}: {', '.join(keys[:-1])} or {keys[-1]}? "
        while True:
            typed = self._answer(round_, question, lambda: self._advise(offered, in_hand_cents=in_hand_cents))
            try:
                chosen = offered.pick(typed)
            except CroupierError as error:
                self._refuse(str(error))
                continue
            if chosen.cost_cents <= in_hand_cents:
                return chosen.act
            cost, left = dollars(chosen.cost_cents), dollars(in_hand_cents)
            self._refuse(f"'{chosen.words}' takes {cost}, and you have {left}.")

    def _offer(self, offered: Menu, *, in_hand_cents: int) -> None:
        self._screen.asked(offered.round, offered.seat)
        width = max(len(choice.words) for choice in offered.choices)
        for choice in offered.choices:
            short = f" (and you have {dollars(in_hand_cents)})" if choice.cost_cents > in_hand_cents else ""
            words = choice.hand or f"{choice.words:<{width}}"
            self._screen.say(f"  {choice.key}  {words}  {choice.effect}{short}".rstrip())
        for key, (name, choice) in offered.shortcuts().items():
            self._screen.say(f"  {key}  {name}: {choice.key}")

    def _advise(self, offered: Menu, *, in_hand_cents: int) -> None:
        self._offer(offered, in_hand_cents=in_hand_cents)
        self._screen.say(f"Words can be typed too, such as: {offered.choices[0].words}")
        for name, choice in offered.advice().items():
            self._screen.say(f"The strategy '{name}' says here: {choice.words}.")


class Machine(Bettor):
    """Bets by itself, whatever the game: the smallest wager on every spot."""

    def __init__(self, strategy: str, chance: Source) -> None:
        self._strategy = strategy
        self._chance = chance

    def wager(self, round_: History, seat: int, spot: str, *, in_hand_cents: int) -> Bet | None:
        bet = Bet(seat, spot, least_cents(round_.offering, spot))
        first = spot == round_.offering.game.betting_spots[0]
        # A bonus wager is left out where it would take the money for a raise.
        kept_back = 0 if first else self._kept_back_cents(round_)
        return bet if _laid(round_, spot) * bet.cents + kept_back <= in_hand_cents else None

    def _kept_back_cents(self, round_: History) -> int:
        return round_.possible_raises_cents


class Automaton(Machine):
    """Plays a head-to-head game by itself: by a strategy, as well as can be, or at random."""

    def decide(self, round_: Round, seat: int, *, in_hand_cents: int) -> Decide:
        offered = menu(round_, seat)
        able = [choice for choice in offered.choices if choice.cost_cents <= in_hand_cents]
        if not able:
            raise Leave
        if self._strategy == RANDOM:
            return able[self._chance.below(len(able))].act
        wanted = best_choice(offered) if self._strategy == OPTIMAL else offered.advice()[self._strategy]
        return wanted.act if wanted in able else able[0].act


Player: TypeAlias = Person | Automaton
"""Who decides in a head-to-head game."""


def best_choice(offered: Menu) -> Choice:
    """What is worth most with this hand, counted over all that the dealer may have."""
    round_, wager = offered.round, offered.round.game.decides
    assert wager is not None
    census = take_census(round_.game, wager)
    best, *_ = rate_hand(census, round_.offering.prices[wager.key], round_.seats[offered.seat].hand)
    return offered.in_words(best.words)


def find_strategy(game: Game, name: str) -> str:
    """A strategy of the game, `optimal` or `random`; its words may be joined by hyphens."""
    return game.strategy_named(name, RANDOM, OPTIMAL)
