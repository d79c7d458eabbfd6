"""A sitting at one virtual table: round after round, from the sealed shoe to the revealed one."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from croupier.cards.shoe import FORMAT as SHOE_FORMAT
from croupier.cards.shoe import Shoe
from croupier.cards.shuffle import Source, roll_dice
from croupier.cli.choices import least_to_play_cents, may_bet, possible_raises_cents
from croupier.cli.files import read_text, write_text
from croupier.cli.players import BetAgain, Leave, Player
from croupier.cli.table import Screen
from croupier.errors import CroupierError, RecordError
from croupier.games.acts import Act, Deal, NoMoreBets, Reveal, Rotation, Settle, TakeBack
from croupier.games.money import dollars
from croupier.games.offering import Offering
from croupier.games.record import read_record, write_record
from croupier.games.round import Phase, Round, open_round


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
    """The last shoe, once it is revealed."""


class Session:
    """The loop of a terminal game. Chance, player and screen are given, so that anything can be repeated."""

    def __init__(self, offering: Offering, sitting: Sitting, *, player: Player, screen: Screen, chance: Source) -> None:
        self.offering = offering
        self.sitting = sitting
        self.player = player
        self.screen = screen
        self.chance = chance
        self.rounds = 0
        """Rounds played to the end."""
        self.in_hand_cents = sitting.bankroll_cents
        self.round: Round | None = None

    def run(self, resumed: Round | None = None) -> None:
        """Play until the rounds are over, the money is gone or the player leaves."""
        self.screen.sign(self.offering)
        try:
            if resumed:
                self._resume(resumed)
            while self._goes_on():
                self._play(self._open())
        except Leave:
            pass
        except (EOFError, KeyboardInterrupt):
            self.screen.say()  # ends the line of the question
        self._close()

    @property
    def result_cents(self) -> int:
        """Won or lost so far; chips on the table are in play and not lost."""
        on_table = self.round.staked_cents if self.round else 0
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

    def _open(self) -> Round:
        round_ = open_round(self.offering, Shoe.fresh(1, self.chance))
        self.screen.opening(self.rounds + 1, round_, in_hand_cents=self.in_hand_cents, result_cents=self.result_cents)
        return round_

    def _resume(self, round_: Round) -> None:
        self.in_hand_cents -= round_.staked_cents
        self.screen.opening(1, round_, in_hand_cents=self.in_hand_cents, result_cents=0)
        self.screen.say(f"The round goes on where it was left: {round_.phase.value}.", "bold")
        if round_.phase in (Phase.BETTING, Phase.ROTATION, Phase.DEALING):
            self.screen.chips(round_)
        else:
            self.screen.cards(round_)
        self._play(round_)

    def _play(self, round_: Round) -> None:
        """One step after another, as the phase says, until the round is over."""
        self.round = round_
        steps: Mapping[Phase, Callable[[Round], Round]] = {
            Phase.BETTING: self._bets,
            Phase.ROTATION: self._rotation,
            Phase.DEALING: self._deal,
            Phase.DECIDING: self._decisions,
            Phase.REVEALING: self._turn_over,
            Phase.SETTLING: self._settle,
        }
        while not round_.is_over:
            round_ = steps[round_.phase](round_)
        self.rounds += 1
        self.round = None
        self._reveal_shoe(round_)

    def _do(self, round_: Round, act: Act) -> Round:
        """Do the act, move the chips and write the record."""
        after = round_.do(act)
        self.in_hand_cents -= after.staked_cents - round_.staked_cents
        if after.is_over:
            self.in_hand_cents += after.returned_cents
        self.round = after
        if self.sitting.record:
            write_text(self.sitting.record, write_record(after), secret=True)
        return after

    def _bets(self, round_: Round) -> Round:
        while True:
            for seat in self.sitting.seats:
                round_ = self._bets_at(round_, seat)
            refusal = round_.why_not(NoMoreBets())
            if not round_.seats:
                self.player.nobody_bets(round_)
            elif refusal:
                self.screen.say(refusal.sentence, "yellow")
                round_ = self._take_back(round_, *round_.seats)
            else:
                try:
                    self._check_raises(round_)
                except BetAgain:
                    round_ = self._take_back(round_, *round_.seats)
                else:
                    return self._announced(self._do(round_, NoMoreBets()))

    def _bets_at(self, round_: Round, seat: int) -> Round:
        spots = list(self.offering.game.betting_spots)
        while spots:
            spot = spots.pop(0)
            try:
                if may_bet(round_, seat, spot):
                    bet = self.player.wager(round_, seat, spot, in_hand_cents=self.in_hand_cents)
                    round_ = self._do(round_, bet) if bet else round_
            except BetAgain:
                round_ = self._take_back(round_, seat)
                spots = list(self.offering.game.betting_spots)
        return round_

    def _take_back(self, round_: Round, *seats: int) -> Round:
        for seat in seats:
            for spot in round_.seats[seat].wagers if seat in round_.seats else ():
                round_ = self._do(round_, TakeBack(seat, spot))
        return round_

    def _check_raises(self, round_: Round) -> None:
        needed = possible_raises_cents(round_)
        if needed > self.in_hand_cents:
            left = dollars(self.in_hand_cents)
            self.player.hear_shortage(
                round_, f"You have {left} left, and to play these hands may take {dollars(needed)} more."
            )

    def _rotation(self, round_: Round) -> Round:
        # The rotation was sealed with the shoe: nobody can choose it once the order is known.
        assert round_.shoe is not None
        chance = round_.shoe.sealed_chance("rotation")
        drawn = (
            Rotation(dice=roll_dice(chance))
            if "dice-cup" in self.offering.options
            else Rotation(number=chance.below(self.offering.game.seats + 1) + 1)
        )
        return self._announced(self._do(round_, drawn))

    def _deal(self, round_: Round) -> Round:
        self.screen.packets(round_)
        while round_.phase is Phase.DEALING:
            round_ = self._do(round_, Deal())
        self.screen.cards(round_)
        return round_

    def _decisions(self, round_: Round) -> Round:
        for seat in round_.undecided:
            act = self.player.decide(round_, seat, in_hand_cents=self.in_hand_cents)
            round_ = self._announced(self._do(round_, act))
        return round_

    def _turn_over(self, round_: Round) -> Round:
        if not any(map(round_.decides, round_.seats.values())):
            self.player.wait(round_, "turn the dealer's cards over")
        round_ = self._do(round_, Reveal())
        self.screen.dealer(round_)
        return round_

    def _settle(self, round_: Round) -> Round:
        round_ = self._do(round_, Settle())
        self.screen.result(round_)
        return round_

    def _announced(self, round_: Round) -> Round:
        self.screen.say(round_.events[-1].text)
        return round_

    def _reveal_shoe(self, round_: Round) -> None:
        """Open the seal: now anyone can check that the order was fixed before the first card."""
        if not round_.shoe:
            return
        self.player.see_shoe(round_.shoe.reveal())
        path = self.sitting.reveal
        if path:
            # Each round has its own shoe, and no reveal replaces another.
            path = path if self.rounds == 1 else path.with_stem(f"{path.stem}-{self.rounds}")
            write_text(path, round_.shoe.reveal())
        self.screen.unsealed(round_.shoe, path)

    def _close(self) -> None:
        """The end: what lies on the table goes back before the deal, and waits for its round after it."""
        left = self.round
        if left and left.seats:
            self.screen.left_behind(left, self._how_to_resume(left))
        self.screen.session(self.rounds, start_cents=self.sitting.bankroll_cents, result_cents=self.result_cents)

    def _how_to_resume(self, round_: Round) -> str:
        """The command that continues the round; nothing where it was not kept."""
        if not self.sitting.record:
            return ""
        seats = ",".join(map(str, self.sitting.seats))
        bankroll = dollars(self.in_hand_cents + round_.staked_cents).lstrip("$").replace(",", "")
        file = shlex.quote(str(self.sitting.record))
        return f"croupier play --resume {file} --bankroll {bankroll} --seat {seats}"


def resumed_round(path: Path, *, bankroll_cents: int) -> Round:
    """The interrupted round in a file; one that is over, has no shoe or is not covered is refused."""
    round_ = read_record(read_text(path, "round"))
    if round_.is_over:
        raise RecordError(f"The round in {str(path)!r} is {round_.phase.value}: there is nothing to resume.")
    if not round_.shoe:
        raise RecordError(f"The round in {str(path)!r} was dealt with real cards: there is no shoe to go on with.")
    if round_.staked_cents > bankroll_cents:
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
        round_ = read_record(read_text(record, "round"))
    except RecordError as error:
        raise RecordError(f"{str(record)!r} exists and is not written over: {error}") from error
    if round_.phase is not Phase.BETTING and not round_.is_over:
        raise RecordError(
            f"{str(record)!r} holds a round that is not over: continue it with --resume, or name another file."
        )
