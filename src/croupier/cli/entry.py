"""A round beside real cards, act by act: typed or piped in, told, undone where one was wrong, and added up."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.cli.app import BAD_INPUT
from croupier.cli.awards import beside_the_money, is_owed, owed
from croupier.cli.console import console, plain, table
from croupier.cli.drawing import signed
from croupier.cli.entry_story import story
from croupier.cli.entry_words import FORMS, IN_DOLLARS, acts_of, read_act, what_is_next, what_to_write, write_act
from croupier.cli.files import write_text
from croupier.errors import CroupierError, NotationError
from croupier.games.betting import open_spots
from croupier.games.choices import without_shoe
from croupier.games.money import dollars
from croupier.games.record import write_record

if TYPE_CHECKING:
    from croupier.games.history import History

UNFINISHED = 1
LONGEST_LINE = 500
LEAVE, HELP, UNDO = ("q", "quit", "exit"), ("?", "help"), "undo"
UNDO_WORDS = "The last act is taken back, and the one before it by another undo; not once the round is over."
KEPT = "The record holds the acts that stand: one that was undone leaves no trace in it."


class Entry:
    """A round, and the acts that are entered into it."""

    def __init__(self, round_: History, record: Path | None) -> None:
        self.round = round_
        self.record = record
        self.console = console()

    def run(self, *, asked: bool) -> int:
        """Enter acts until the round is over, the lines end or a piped one is refused; the exit code."""
        resumed = f" after {len(self.round.acts)} acts" if self.round.acts else ""
        more = " Type ? for the acts, undo to take the last one back." if asked else ""
        self._say(f"{self._title()}{resumed}: {self._next()}{more}")
        for number, line in enumerate(self._lines(asked=asked), start=1):
            words = line.partition("#")[0].strip()
            if words in LEAVE:
                break
            try:
                self._obey(words)
            except CroupierError as error:
                reason = f"{error} {what_to_write(self.round)}".rstrip()
                if not asked:
                    print(f"croupier: line {number}: {reason}", file=sys.stderr)
                    return BAD_INPUT
                self._say(reason, "yellow")
            if self.round.is_over and asked:
                break
        if not self.round.is_over:
            self._say(f"The round is not over: {self._next()}{self._how_to_resume()}", "yellow")
            return UNFINISHED
        self._totals()
        return 0

    def _title(self) -> str:
        offering = self.round.offering
        rules = getattr(offering, "rules", None)
        return f"{offering.game.title}{f', {rules}' if rules else ''}"

    def _next(self) -> str:
        return f"{what_is_next(self.round)}. {what_to_write(self.round)}"

    def _lines(self, *, asked: bool) -> Iterator[str]:
        if not asked:
            yield from sys.stdin
            return
        while True:
            try:
                yield input("> ")
            except (EOFError, KeyboardInterrupt):
                print()
                return

    def _obey(self, words: str) -> None:
        """One line: an act, a call for help, or the last act taken back."""
        if not words:
            return
        if len(words) > LONGEST_LINE:
            raise NotationError("That is too long for an act.")
        if words in HELP:
            self._help()
        elif words == UNDO:
            self._undo()
        else:
            self._do(words)

    def _do(self, words: str) -> None:
        """Do the act and tell what it caused; one that is refused changes nothing."""
        act = read_act(self.round, words)
        before, after = self.round, self.round.do(act)
        self._put(after)
        for line in story(before, act, after):
            self._say(line)
        self._say_next()

    def _undo(self) -> None:
        """The round before its last act, made anew from the acts before that."""
        if self.round.is_over:
            raise CroupierError(f"The round is {self.round.phase.value}, and what was settled stands.")
        if not self.round.acts:
            raise CroupierError("There is no act to undo.")
        *kept, undone = self.round.acts
        before = without_shoe(self.round.offering)
        for act in kept:
            before = before.do(act)
        self._put(before)
        self._say(f"Undone: {write_act(undone)}. The table is as it was before that.", "bold")
        self._say_next()

    def _put(self, round_: History) -> None:
        self.round = round_
        if self.record:
            write_text(self.record, write_record(round_), secret=True)

    def _say_next(self) -> None:
        if not self.round.is_over:
            self._say(f"  Next: {self._next()}", "dim")

    def _help(self) -> None:
        listing = table("Acts", "write", "what happens", left=2)
        for name, act in acts_of(self.round).items():
            what = " ".join((act.__doc__ or "").split("\n\n")[0].split())
            listing.add_row(*plain(FORMS.get(name, name), what))
        listing.add_row(*plain(UNDO, UNDO_WORDS))
        self.console.print(listing)
        self._say(f"Spots before the deal: {', '.join(open_spots(self.round))}. {IN_DOLLARS}")
        if self.record:
            self._say(KEPT)
        self._say(f"The table waits: {self._next()} q leaves.")

    # The end

    def _totals(self) -> None:
        """Every wager's end, then what each seat and the house has of it, and what a meter owes."""
        round_, spots = self.round, self.round.offering.game.spots
        listing = table("Settlements", "seat", "wager", "result", "staked", "returned", "player", left=3)
        for each in round_.settlements:
            player = f"{signed(each.net_cents)}{beside_the_money(each)}"
            money = (dollars(each.staked_cents), dollars(each.returned_cents), player)
            listing.add_row(*plain(str(each.seat), spots[each.spot][1].title, each.line, *money))
        self.console.print(listing)
        for seat in sorted({each.seat for each in round_.settlements}):
            own = [each for each in round_.settlements if each.seat == seat]
            self._say(f"Seat {seat}: {signed(round_.result_cents(seat))}{is_owed(own)}.")
        staked, returned = dollars(round_.staked_cents), dollars(round_.returned_cents)
        self._say(f"Staked {staked}, returned {returned}: the house has {signed(round_.kept_cents)}.", "bold")
        if owed(round_.settlements):
            self._say(f"Not in these amounts: {owed(round_.settlements)}, which is paid from the meter.", "bold")

    def _how_to_resume(self) -> str:
        return f" Go on with: croupier enter --resume {shlex.quote(str(self.record))}" if self.record else ""

    def _say(self, text: str, style: str = "") -> None:
        from rich.text import Text

        self.console.print(Text(text, style), soft_wrap=True)
