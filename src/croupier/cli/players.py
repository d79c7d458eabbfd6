"""Who plays at the terminal: a person who is asked, or a strategy that plays by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from croupier.cards.shuffle import Source
from croupier.cli.choices import QUIT, Menu, least_cents, menu, possible_raises_cents
from croupier.cli.table import Screen
from croupier.errors import CroupierError, UnknownName
from croupier.games.acts import Bet, Decide
from croupier.games.game import Game
from croupier.games.money import dollars, parse_cents
from croupier.games.round import Round

RANDOM = "random"
AGAIN = "b"
LONGEST_ANSWER = 200
WARNING = "yellow"


class Leave(Exception):
    """The player leaves the table."""


class BetAgain(Exception):
    """The player takes wagers back, to bet anew."""


class Player(Protocol):
    """Who makes the wagers and decisions of all seats; what comes back is allowed and covered."""

    def wager(self, round_: Round, seat: int, spot: str, *, in_hand_cents: int) -> Bet | None:
        """The bet on this spot; None for no wager."""

    def decide(self, round_: Round, seat: int, *, in_hand_cents: int) -> Decide: ...

    def nobody_bets(self, round_: Round) -> None:
        """There is no wager on the table, so the round cannot start."""

    def hear_shortage(self, round_: Round, sentence: str) -> None:
        """What is in hand may be too little for the decisions to come."""

    def wait(self, round_: Round, what: str) -> None:
        """The player says when to go on."""

    def see_shoe(self, reveal: str) -> None:
        """The round's shoe is revealed."""


class Person:
    """Somebody at the keyboard; `ask` shows a question and gives the answer."""

    def __init__(self, ask: Callable[[str], str], screen: Screen) -> None:
        self._ask = ask
        self._screen = screen
        self._last_cents: dict[tuple[int, str], int] = {}
        self._last_shoe = ""

    def wager(self, round_: Round, seat: int, spot: str, *, in_hand_cents: int) -> Bet | None:
        if least_cents(round_.offering, spot) > in_hand_cents:
            if spot == round_.game.betting_spots[0]:
                self._refuse(f"Seat {seat}: you have {dollars(in_hand_cents)}, too little for a wager.")
            return None
        last = self._last_cents.get((seat, spot), 0)
        last = last if last <= in_hand_cents else 0
        while True:
            typed = self._answer(round_, self._wager_question(round_, seat, spot, last))
            if typed.lower() == AGAIN:
                raise BetAgain
            try:
                cents = parse_cents(typed) if typed else last
                if cents > in_hand_cents:
                    self._refuse(f"You have {dollars(in_hand_cents)}, so {dollars(cents)} is too much.")
                    continue
                bet = Bet(seat, spot, cents)
                refusal = round_.why_not(bet) if cents else None
                if refusal:
                    raise refusal
            except CroupierError as error:
                self._refuse(str(error))
                continue
            self._last_cents[seat, spot] = cents
            return bet if cents else None

    def _wager_question(self, round_: Round, seat: int, spot: str, last: int) -> str:
        limits = round_.offering.limits_of(spot)
        title = round_.game.spots[spot][1].title
        enter = f"Enter = {dollars(last)}, 0 = none" if last else "Enter = none"
        return f"Seat {seat}, {title}, {dollars(limits.minimum_cents)} to {dollars(limits.maximum_cents)} ({enter}): "

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

    def nobody_bets(self, round_: Round) -> None:
        self._refuse("There is no wager on the table: bet on something, or type q to leave.")

    def hear_shortage(self, round_: Round, sentence: str) -> None:
        self._refuse(sentence)
        if self._answer(round_, f"Enter = deal all the same, {AGAIN} = bet again: ").lower() == AGAIN:
            raise BetAgain

    def wait(self, round_: Round, what: str) -> None:
        self._answer(round_, f"Enter = {what}: ")

    def see_shoe(self, reveal: str) -> None:
        self._last_shoe = reveal

    def _answer(self, round_: Round, question: str, more_help: Callable[[], None] | None = None) -> str:
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

    def _help(self, round_: Round, topic: str) -> None:
        if topic == "shoe":
            self._screen.verbatim(self._last_shoe or "No shoe has been revealed yet: each is, at the end of its round.")
        else:
            self._screen.help(round_.offering, topic)

    def _refuse(self, sentence: str) -> None:
        self._screen.say(sentence, WARNING)


class Automaton:
    """Plays by itself: the smallest wager on every spot, and decisions by a strategy or at random."""

    def __init__(self, strategy: str, chance: Source) -> None:
        self._strategy = strategy
        self._chance = chance

    def wager(self, round_: Round, seat: int, spot: str, *, in_hand_cents: int) -> Bet | None:
        bet = Bet(seat, spot, least_cents(round_.offering, spot))
        first = spot == round_.game.betting_spots[0]
        # A bonus wager is left out where it would take the money for a raise.
        kept_back = 0 if first else possible_raises_cents(round_)
        return bet if bet.cents + kept_back <= in_hand_cents else None

    def decide(self, round_: Round, seat: int, *, in_hand_cents: int) -> Decide:
        offered = menu(round_, seat)
        able = [choice for choice in offered.choices if choice.cost_cents <= in_hand_cents]
        if not able:
            raise Leave
        if self._strategy == RANDOM:
            return able[self._chance.below(len(able))].act
        wanted = offered.advice()[self._strategy]
        return wanted.act if wanted in able else able[0].act

    def nobody_bets(self, round_: Round) -> None:
        raise Leave

    def hear_shortage(self, round_: Round, sentence: str) -> None:
        return

    def wait(self, round_: Round, what: str) -> None:
        return

    def see_shoe(self, reveal: str) -> None:
        return


def find_strategy(game: Game, name: str) -> str:
    """A strategy of the game, or `random`; its words may be joined by hyphens."""
    known = (RANDOM, *game.strategies)
    for strategy in known:
        if strategy.lower().replace("-", " ") == name.strip().lower().replace("-", " "):
            return strategy
    raise UnknownName(f"strategy of {game.title}", name, known)
