"""A sitting at one virtual table: round after round, from the sealed shoe to the revealed one."""

from __future__ import annotations

import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic

import typer

from croupier.cards.shoe import FORMAT as SHOE_FORMAT
from croupier.cards.shoe import Shoe
from croupier.cards.shuffle import Source
from croupier.cli.options import HOUSE, house_from, read_text, write_text
from croupier.cli.table.players import BetAgain, Bettor, Leave, Player
from croupier.cli.table.screen import Screen
from croupier.errors import CroupierError, NotationError, RecordError
from croupier.games.catalogue import find_any_game
from croupier.games.head_to_head.acts import Deal, Reveal, Settle, sealed_rotation
from croupier.games.head_to_head.round import Offering, Phase, Round, open_round
from croupier.games.money import dollars
from croupier.games.table.bets import TakeBack
from croupier.games.table.history import BETTING, Act, History, Table
from croupier.games.table.legal import (
    least_to_play_cents,
    may_bet,
    on_table_cents,
)
from croupier.games.table.offering import TableOffering
from croupier.games.table.record import read_any_record, write_record


@dataclass(frozen=True)
class Sitting:
    """Where the player sits, with how much, for how long, and what is kept of it."""

    seats: tuple[int, ...] = (1,)
    bankroll_cents: int = 10_000
    """What the player has, wagers already on the table included."""
    rounds: int | None = None
    record: Path | None = None
    """The present round, written after every act."""
    reveal: Path | None = None
    """Each shoe, once it is revealed."""


class TerminalTable(ABC, Generic[Table]):
    """The loop of a terminal game, whatever the game: rounds, wagers, money, files."""

    def __init__(
        self, offering: TableOffering, sitting: Sitting, *, player: Bettor, screen: Screen, chance: Source
    ) -> None:
        self.offering = offering
        self.sitting = sitting
        self.player = player
        self.screen = screen
        self.chance = chance
        self.rounds = 0
        """Rounds played to the end."""
        self.shoes = 0
        """Shoes revealed."""
        self.in_hand_cents = sitting.bankroll_cents
        self.round: Table | None = None

    @property
    @abstractmethod
    def steps(self) -> Mapping[str, Callable[[Table], Table]]:
        """What is done at each phase, up to the next one."""

    @abstractmethod
    def open(self) -> Table:
        """The next round, with its shoe."""

    @abstractmethod
    def show_resumed(self, round_: Table) -> None:
        """What lies on the table of a round that goes on."""

    def after_round(self, round_: Table) -> None:
        """What follows when the round is over."""

    def check_raises(self, round_: Table) -> None:
        """Before betting is closed: whether the decisions to come can be paid for."""

    def run(self, resumed: Table | None = None) -> None:
        """Play until the rounds are over, the money is gone or the player leaves."""
        self.screen.sign(self.offering)
        try:
            if resumed:
                self._resume(resumed)
            while self._goes_on():
                round_ = self.open()
                self._show_opening(self.rounds + 1, round_)
                self._play(round_)
        except Leave:
            pass
        except (EOFError, KeyboardInterrupt):
            self.screen.say()  # ends the line of the question
        self.close()

    @property
    def result_cents(self) -> int:
        """Won or lost so far; chips on the table are in play and not lost."""
        on_table = on_table_cents(self.round) if self.round else 0
        return self.in_hand_cents + on_table - self.sitting.bankroll_cents

    def _goes_on(self) -> bool:
        if self.sitting.rounds is not None and self.rounds >= self.sitting.rounds:
            return False
        needed = min(least_to_play_cents(self.offering, seat) for seat in self.sitting.seats)
        if self.in_hand_cents >= needed:
            return True
        self.screen.say()
        self.screen.say(f"The smallest wager is {dollars(needed)}, and you have {dollars(self.in_hand_cents)}.", "bold")
        return False

    def _show_opening(self, number: int, round_: Table) -> None:
        self.screen.opening(number, round_, in_hand_cents=self.in_hand_cents, result_cents=self.result_cents)

    def _resume(self, round_: Table) -> None:
        self.in_hand_cents += round_.returned_cents - round_.staked_cents
        self.round = round_
        self._show_opening(1, round_)
        self.screen.say(f"The round goes on where it was left: {round_.phase.value}.", "bold")
        self.show_resumed(round_)
        self._play(round_)

    def _play(self, round_: Table) -> None:
        """One step after another, as the phase says, until the round is over."""
        self.round = round_
        while not round_.is_over:
            round_ = self.steps[round_.phase](round_)
        self.rounds += 1
        self.round = None
        self.after_round(round_)

    def do(self, round_: Table, act: Act[Any]) -> Table:
        """Do the act, move the chips and write the record."""
        after = round_.do(act)
        self.in_hand_cents -= after.staked_cents - round_.staked_cents
        self.in_hand_cents += after.returned_cents - round_.returned_cents
        self.round = after
        if self.sitting.record:
            write_text(self.sitting.record, write_record(after), secret=True)
        return after

    def bets(self, round_: Table) -> Table:
        """Everybody's wagers, until betting can be closed."""
        while True:
            for seat in self.sitting.seats:
                round_ = self._bets_at(round_, seat)
            refusal = round_.why_not(round_.no_more_bets)
            if not round_.seats:
                self.player.nobody_bets(round_)
            elif refusal:
                self.screen.say(refusal.sentence, "yellow")
                self.player.hear_refusal(round_)
                round_ = self._take_back(round_, *round_.seats)
            else:
                try:
                    self.check_raises(round_)
                except BetAgain:
                    round_ = self._take_back(round_, *round_.seats)
                else:
                    return round_

    def _bets_at(self, round_: Table, seat: int) -> Table:
        spots = list(self.offering.game.betting_spots)
        while spots:
            spot = spots.pop(0)
            try:
                if may_bet(round_, seat, spot):
                    bet = self.player.wager(round_, seat, spot, in_hand_cents=self.in_hand_cents)
                    round_ = self.do(round_, bet) if bet else round_
            except BetAgain:
                round_ = self._take_back(round_, seat)
                spots = list(self.offering.game.betting_spots)
        return round_

    def _take_back(self, round_: Table, *seats: int) -> Table:
        for seat in seats:
            there = round_.seats[seat].wagers if seat in round_.seats else ()
            for spot in [spot for spot in self.offering.game.betting_spots if spot in there]:
                round_ = self.do(round_, TakeBack(seat, spot))
        return round_

    def reveal_shoe(self, shoe: Shoe) -> None:
        """Open the seal: now anyone can check that the order was fixed before the first card."""
        self.shoes += 1
        self.player.see_shoe(shoe.reveal())
        path = self.sitting.reveal
        if path:
            # No reveal replaces another.
            path = path if self.shoes == 1 else path.with_stem(f"{path.stem}-{self.shoes}")
            write_text(path, shoe.reveal())
        self.screen.unsealed(shoe, path)

    def close(self) -> None:
        """The end: what lies on the table goes back before the deal, and waits for its round after it."""
        left, waits = self.round, 0
        if left and left.seats:
            self.screen.left_behind(left, self._how_to_resume(left), in_hand_cents=self.in_hand_cents)
            waits = on_table_cents(left) if self.sitting.record and left.phase != BETTING else 0
        self.screen.end_of_sitting(
            self.rounds,
            start_cents=self.sitting.bankroll_cents,
            result_cents=self.result_cents,
            on_table_cents=waits,
        )

    def _how_to_resume(self, round_: Table) -> str:
        """The command that continues the round; nothing where it was not kept."""
        if not self.sitting.record:
            return ""
        seats = ",".join(map(str, self.sitting.seats))
        begun_with = self.in_hand_cents + round_.staked_cents - round_.returned_cents
        bankroll = dollars(begun_with).lstrip("$").replace(",", "")
        file = shlex.quote(str(self.sitting.record))
        return f"croupier play --resume {file} --bankroll {bankroll} --seat {seats}"


class PacketTable(TerminalTable[Round]):
    """A head-to-head game. Chance, player and screen are given, so that anything can be repeated."""

    offering: Offering
    player: Player

    def __init__(self, offering: Offering, sitting: Sitting, *, player: Player, screen: Screen, chance: Source) -> None:
        super().__init__(offering, sitting, player=player, screen=screen, chance=chance)

    @property
    def steps(self) -> Mapping[str, Callable[[Round], Round]]:
        return {
            Phase.BETTING: self._close_bets,
            Phase.ROTATION: self._rotation,
            Phase.DEALING: self._deal,
            Phase.DECIDING: self._decisions,
            Phase.REVEALING: self._turn_over,
            Phase.SETTLING: self._settle,
        }

    def open(self) -> Round:
        return open_round(self.offering, Shoe.fresh(1, self.chance))

    def show_resumed(self, round_: Round) -> None:
        if round_.phase in (Phase.BETTING, Phase.ROTATION, Phase.DEALING):
            self.screen.chips(round_)
        else:
            self.screen.cards(round_)

    def after_round(self, round_: Round) -> None:
        if round_.shoe:
            self.reveal_shoe(round_.shoe)

    def check_raises(self, round_: Round) -> None:
        needed = round_.possible_raises_cents
        if needed > self.in_hand_cents:
            left = dollars(self.in_hand_cents)
            self.player.hear_shortage(
                round_, f"You have {left} left, and to play these hands may take {dollars(needed)} more."
            )

    def _close_bets(self, round_: Round) -> Round:
        round_ = self.bets(round_)
        return self._announced(self.do(round_, round_.no_more_bets))

    def _rotation(self, round_: Round) -> Round:
        return self._announced(self.do(round_, sealed_rotation(round_)))

    def _deal(self, round_: Round) -> Round:
        self.screen.packets(round_)
        while round_.phase is Phase.DEALING:
            round_ = self.do(round_, Deal())
        self.screen.cards(round_)
        return round_

    def _decisions(self, round_: Round) -> Round:
        for seat in round_.undecided:
            act = self.player.decide(round_, seat, in_hand_cents=self.in_hand_cents)
            round_ = self._announced(self.do(round_, act))
        return round_

    def _turn_over(self, round_: Round) -> Round:
        if not any(map(round_.decides, round_.seats.values())):
            self.player.wait(round_, "turn the dealer's cards over")
        round_ = self.do(round_, Reveal())
        self.screen.dealer(round_)
        return round_

    def _settle(self, round_: Round) -> Round:
        round_ = self.do(round_, Settle())
        self.screen.result(round_)
        return round_

    def _announced(self, round_: Round) -> Round:
        self.screen.say(round_.events[-1].text)
        return round_


def house_asked(context: typer.Context, game: str) -> TableOffering:
    """The game as the command's options (`HOUSE`) offer it; as usual where they say nothing."""
    several = {"side_wager": "side_wagers", "paytable": "paytables", "option": "options"}
    asked = {name: value for name in HOUSE if (value := context.params.get(name)) is not None}
    return house_from(game, **{several.get(name, name): value for name, value in asked.items()})


def _kept_round(path: Path, game: str, to_do: str) -> History:
    """The unfinished round in a file, of the named game if one is named."""
    round_ = read_any_record(read_text(path, "round"))
    if round_.is_over:
        raise RecordError(f"The round in {str(path)!r} is {round_.phase.value}: there is nothing to {to_do}.")
    if game and find_any_game(game).key != round_.offering.game.key:
        raise NotationError(f"The round in {str(path)!r} is of {round_.offering.game.title}, not {game!r}.")
    return round_


def entered_round(path: Path, game: str = "") -> History:
    """The unfinished round in a file; one that is dealt from a shoe is refused."""
    round_ = _kept_round(path, game, "enter")
    if round_.opening_shoe:
        raise RecordError(f"The round in {str(path)!r} is dealt from a shoe: go on with 'croupier play --resume'.")
    return round_


def resumed_round(path: Path, game: str = "", *, bankroll_cents: int) -> History:
    """The interrupted round in a file; one that is over, has no shoe or is not covered is refused."""
    round_ = _kept_round(path, game, "resume")
    if not round_.shoe:
        raise RecordError(
            f"The round in {str(path)!r} was dealt with real cards: go on with it by 'croupier enter --resume'."
        )
    if round_.staked_cents - round_.returned_cents > bankroll_cents:
        raise CroupierError(
            f"The wagers in {str(path)!r} come to {dollars(round_.staked_cents)}, more than "
            f"the bankroll of {dollars(bankroll_cents)}, which includes them."
        )
    return round_


def check_files(*, record: Path | None, reveal: Path | None) -> None:
    """Refuse to write over anything but an old shoe, or the record of a round that nobody waits for."""
    for path in (record, reveal):
        if path and not path.parent.is_dir():
            raise CroupierError(f"There is no folder {str(path.parent)!r} to write {path.name!r} in.")
    if reveal and reveal.exists() and not read_text(reveal, "shoe").startswith(SHOE_FORMAT):
        raise RecordError(f"{str(reveal)!r} exists and holds no shoe: name another file for the reveal.")
    if not record or not record.exists():
        return
    try:
        round_ = read_any_record(read_text(record, "round"))
    except RecordError as error:
        raise RecordError(f"{str(record)!r} exists and is not written over: {error}") from error
    if round_.phase != BETTING and not round_.is_over:
        raise RecordError(
            f"{str(record)!r} holds a round that is not over: continue it with --resume, or name another file."
        )
