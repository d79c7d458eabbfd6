"""`croupier enter`: a round beside real cards: people type what happens at the table, one act a line."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from rich.text import Text

from croupier.cli.app import BAD_INPUT, app
from croupier.cli.console import console, plain, table
from croupier.cli.options import (
    HOUSE,
    ChipOption,
    DecksOption,
    GameArgument,
    HouseOption,
    MaximumOption,
    MinimumOption,
    PaytablesOption,
    RecordOption,
    ResumeOption,
    RoundingOption,
    RulesOption,
    SideWagerOption,
    WithoutOption,
    refuse_beside_resume,
    write_text,
)
from croupier.cli.table.drawing import signed
from croupier.cli.table.screen import beside_the_money, is_owed, owed
from croupier.cli.table.terminal import check_files, entered_round, house_asked
from croupier.errors import CroupierError, NotationError
from croupier.games.catalogue import ALL_GAMES
from croupier.games.money import dollars, parse_cents
from croupier.games.table.bets import open_spots
from croupier.games.table.history import BETTING, Act, History
from croupier.games.table.record import write_record


@app.command()
def enter(
    context: typer.Context,
    game: GameArgument = "",
    *,
    rules: RulesOption = "",
    decks: DecksOption = None,
    side_wager: SideWagerOption = None,
    minimum: MinimumOption = "5",
    maximum: MaximumOption = "100",
    chip: ChipOption = "0.01",
    rounding: RoundingOption = "house",
    paytable: PaytablesOption = None,
    option: HouseOption = None,
    without: WithoutOption = None,
    record: RecordOption = None,
    resume: ResumeOption = None,
) -> None:
    """Settle a round that is dealt with real cards: type each act, or pipe them in.

    Amounts are in dollars: bet 1 bet 10, or $10, or 7.50. The line undo takes the last act back, ? lists the acts.
    """
    check_files(record=None if record == resume else record, reveal=None)
    if resume:
        refuse_beside_resume(context, *HOUSE)
        round_ = entered_round(resume, game)
    elif game:
        round_ = house_asked(context, game).open()
    else:
        raise NotationError(f"Name the game that is dealt: {', '.join(ALL_GAMES)}.")
    code = EnteredRound(round_, record or resume).run(asked=sys.stdin.isatty())
    raise typer.Exit(code)


# How acts are typed

WITH = "with"
"""Behind a decision: the wager that goes with it, as `decide 1 play with 5`."""
IN_DOLLARS = "Amounts are in dollars: 10, 7.50 or $7.50."


def read_act(round_: History, words: str) -> Act[Any]:
    """The act of this line, whose money is written in dollars; the act itself and its record have cents."""
    in_cents = " ".join(_in_cents(round_, words.split()))
    try:
        return round_.parse(in_cents)
    except NotationError as error:
        name = words.split(maxsplit=1)[0]
        kind = round_.known_acts.get(name)
        if kind and kind.amount is not None:
            raise NotationError(f"{words!r} must be '{kind.form}'. {IN_DOLLARS}") from error
        raise


def write_act(act: Act[Any]) -> str:
    """The line that `read_act` reads as this act: `bet 1 bet $10.00`."""
    words = str(act).split()
    place = _amount_place(words, type(act))
    return " ".join(words if place is None else [*words[:place], dollars(int(words[place])), *words[place + 1 :]])


def _in_cents(round_: History, words: list[str]) -> list[str]:
    place = _amount_place(words, round_.known_acts.get(words[0]))
    return words if place is None else [*words[:place], str(parse_cents(words[place])), *words[place + 1 :]]


def _amount_place(words: list[str], act: type[Act[Any]] | None) -> int | None:
    """Which word is an amount of money, if one is."""
    if words[0] == "decide":
        return len(words) - 1 if len(words) > 3 and words[-2] == WITH else None
    place = act.amount if act else None
    return place if place is not None and place < len(words) else None


def what_to_write(round_: History) -> str:
    """`Write: reveal.`: how the acts are typed that the table waits for; nothing where it waits for none."""
    if round_.is_over:
        return ""
    if round_.phase == BETTING:
        acts = ["bet SEAT SPOT DOLLARS", *(["no-more-bets"] if round_.can(round_.no_more_bets) else [])]
    else:
        acts = round_.to_write()
    *others, last = acts
    return f"Write: {', '.join(others)} or {last}." if others else f"Write: {last}."


# A round beside real cards, act by act: typed or piped in, told, undone where one was wrong, and added up.

UNFINISHED = 1
LONGEST_LINE = 500
LEAVE, HELP, UNDO = ("q", "quit", "exit"), ("?", "help"), "undo"
UNDO_WORDS = "The last act is taken back, and the one before it by another undo; not once the round is over."
KEPT = "The record holds the acts that stand: one that was undone leaves no trace in it."


class EnteredRound:
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
        rules = offering.game.short_placard
        return f"{offering.game.title}{f', {rules}' if rules else ''}"

    def _next(self) -> str:
        return f"{self.round.next_in_full}. {what_to_write(self.round)}"

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
        for line in before.story(act, after):
            self._say(line)
        self._say_next()

    def _undo(self) -> None:
        """The round before its last act, made anew from the acts before that."""
        if self.round.is_over:
            raise CroupierError(f"The round is {self.round.phase.value}, and what was settled stands.")
        if not self.round.acts:
            raise CroupierError("There is no act to undo.")
        *kept, undone = self.round.acts
        before = self.round.offering.open()
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
        for name, act in self.round.known_acts.items():
            what = " ".join((act.__doc__ or "").split("\n\n")[0].split())
            listing.add_row(*plain(act.form or name, what))
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
        for settlement in round_.settlements:
            player = f"{signed(settlement.net_cents)}{beside_the_money(settlement)}"
            money = (dollars(settlement.staked_cents), dollars(settlement.returned_cents), player)
            listing.add_row(*plain(str(settlement.seat), spots[settlement.spot][1].title, settlement.line, *money))
        self.console.print(listing)
        for seat in sorted({settlement.seat for settlement in round_.settlements}):
            own = [settlement for settlement in round_.settlements if settlement.seat == seat]
            self._say(f"Seat {seat}: {signed(round_.result_cents(seat))}{is_owed(own)}.")
        staked, returned = dollars(round_.staked_cents), dollars(round_.returned_cents)
        self._say(f"Staked {staked}, returned {returned}: the house has {signed(round_.kept_cents)}.", "bold")
        if owed(round_.settlements):
            self._say(f"Not in these amounts: {owed(round_.settlements)}, which is paid from the meter.", "bold")

    def _how_to_resume(self) -> str:
        return f" Go on with: croupier enter --resume {shlex.quote(str(self.record))}" if self.record else ""

    def _say(self, text: str, style: str = "") -> None:
        self.console.print(Text(text, style), soft_wrap=True)
