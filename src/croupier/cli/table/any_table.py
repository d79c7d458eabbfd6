"""Any game at the terminal, asked what may be done: a table, and who plays at it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from croupier.analysis.analyst import hints_for
from croupier.cards.card import format_cards
from croupier.cards.shuffle import Source
from croupier.cli.table.drawing import draw_hand, wager_line
from croupier.cli.table.players import OPTIMAL, RANDOM, Leave, Machine, Typist
from croupier.cli.table.screen import MOST_LARGE_SEATS, Screen
from croupier.cli.table.terminal import Sitting, TerminalTable
from croupier.errors import CroupierError, NotationError
from croupier.games.game import TableGame
from croupier.games.money import dollars, parse_cents
from croupier.games.table.history import BETTING, Act, History
from croupier.games.table.offering import TableOffering
from croupier.games.table.settlement import sentence
from croupier.games.table.shown import Legal, Shown

SAID = ("no-more-bets", "rotation", "burn", "decide")
"""Kinds of events whose words are worth a line; cards are drawn, and settlements listed."""


def choices_of(round_: History, seat: int) -> list[Legal]:
    """What the seat may decide now."""
    return [choice for choice in round_.in_play() if choice.seat == seat and choice.key]


class AnyPerson(Typist):
    """Somebody at the keyboard, who is shown what may be decided."""

    def decide(self, round_: History, seat: int, *, in_hand_cents: int) -> Act[Any]:
        offered = choices_of(round_, seat)
        keys = [choice.key for choice in offered]
        for choice in offered:
            self._screen.say(f"  {choice.key}  {' - '.join(part for part in (choice.label, choice.detail) if part)}")
        question = f"Seat {seat}: {', '.join(keys[:-1])}{' or ' if keys[1:] else ''}{keys[-1]}? "
        while True:
            typed = self._answer(round_, question, lambda: self._advise(offered))
            try:
                act = self._read(round_, offered, seat, typed)
                cost = round_.do(act).staked_cents - round_.staked_cents
            except CroupierError as error:
                self._refuse(str(error))
                continue
            if cost <= in_hand_cents:
                return act
            self._refuse(f"That takes {dollars(cost)}, and you have {dollars(in_hand_cents)}.")

    def _read(self, round_: History, offered: list[Legal], seat: int, typed: str) -> Act[Any]:
        """A key, perhaps with an amount behind it, or words that the game reads."""
        key, _, amount = typed.partition(" ")
        if not typed:
            raise NotationError(f"Type one of {', '.join(choice.key for choice in offered)}.")
        for choice in offered:
            if choice.key == key.lower():
                return replace(choice.act, cents=parse_cents(amount)) if amount else choice.act  # type: ignore[type-var]
        return round_.parse(f"decide {seat} {typed}")

    def _advise(self, offered: list[Legal]) -> None:
        for choice in offered:
            for name in choice.advised_by:
                self._screen.say(f"The strategy '{name}' says here: {choice.label}.")


class AnyMachine(Machine):
    """Plays by itself: by a strategy of the game, as well as can be, or at random."""

    def decide(self, round_: History, seat: int, *, in_hand_cents: int) -> Act[Any]:
        able = [choice for choice in choices_of(round_, seat) if choice.cost_cents <= in_hand_cents]
        if not able:
            raise Leave
        if self._strategy == RANDOM:
            return able[self._chance.below(len(able))].act
        if self._strategy == OPTIMAL:
            [best] = [hint["decisions"][0]["act"] for hint in hints_for(round_)["seats"] if hint["seat"] == seat]
            return next((choice.act for choice in able if str(choice.act) == best), able[0].act)
        return next((choice.act for choice in able if self._strategy in choice.advised_by), able[0].act)


AnyPlayer: TypeAlias = AnyPerson | AnyMachine


def find_any_strategy(game: TableGame, name: str) -> str:
    """A strategy of the game, `optimal` or `random`; its words may be joined by hyphens."""
    return game.strategy_named(name, RANDOM, OPTIMAL)


class AnyTable(TerminalTable[History]):
    """A sitting at a table of whatever game."""

    player: AnyPlayer

    def __init__(
        self, offering: TableOffering, sitting: Sitting, *, player: AnyPlayer, screen: Screen, chance: Source
    ) -> None:
        super().__init__(offering, sitting, player=player, screen=screen, chance=chance)
        self._shown: list[Shown | None] = []

    @property
    def steps(self) -> Mapping[str, Callable[[History], History]]:
        return dict.fromkeys(type(self.open().phase), self._step) | {BETTING: self._close_bets}

    def open(self) -> History:
        return self.offering.open(self.offering.fresh_shoe(self.chance))

    def show_resumed(self, round_: History) -> None:
        self._cards(round_)

    def after_round(self, round_: History) -> None:
        for number in dict.fromkeys(settlement.seat for settlement in round_.settlements):
            self.screen.line(f"Seat {number}", round_.result_cents(number), "bold")
            for settlement in round_.settlements:
                if settlement.seat == number:
                    title = self.offering.game.spots[settlement.spot][1].title
                    told = sentence(settlement, title).removeprefix(f"Seat {number}, ")
                    self.screen.line(f"  {told}", settlement.net_cents)
        if round_.shoe:
            self.reveal_shoe(round_.shoe)

    def check_raises(self, round_: History) -> None:
        needed = round_.possible_raises_cents
        if needed > self.in_hand_cents:
            left = dollars(self.in_hand_cents)
            self.player.hear_shortage(
                round_, f"You have {left} left, and to play these hands may take {dollars(needed)} more."
            )

    def _close_bets(self, round_: History) -> History:
        round_ = self.bets(round_)
        return self._told(round_, self.do(round_, round_.no_more_bets))

    def _step(self, round_: History) -> History:
        """What the dealer does without being asked; else the first seat that the table waits for decides."""
        act = round_.next_by_dealer
        if act is None:
            self._cards(round_)
            seat, *_ = round_.waits_for
            act = self.player.decide(round_, seat, in_hand_cents=self.in_hand_cents)
        after = self.do(round_, act)
        if after.is_over:
            self._cards(round_)
        return self._told(round_, after)

    def _told(self, before: History, after: History) -> History:
        for event in after.events[len(before.events) :]:
            if event.kind in SAID:
                self.screen.say(event.text)
        return after

    def _cards(self, round_: History) -> None:
        """Everybody's cards as they lie there, where they are not those that were shown last."""
        seats = [(f"Seat {number}", hand) for number in round_.seats for hand in round_.hands(number)]
        shown = [("Dealer", round_.dealers_hand), ("On the table", round_.board), *seats]
        if [hand for _, hand in shown] == self._shown:
            return
        self._shown = [hand for _, hand in shown]
        view = self.screen.view if len(round_.seats) <= MOST_LARGE_SEATS else self.screen.view.small()
        for name, hand in shown:
            if hand and (hand.cards or hand.face_down):
                notes = [hand.words] if hand.words and hand.words != format_cards(hand.cards) else []
                self.screen.say(draw_hand(view, name, [*hand.cards, *[None] * hand.face_down], notes))
        for number in round_.seats:
            self.screen.say(f"Seat {number}: {wager_line(self.screen.wagers(round_, number))}")
