"""`croupier enter`: a round beside real cards: people type what happens at the table, one act a line."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.app import BAD_INPUT, app
from croupier.errors import CroupierError, NotationError, RecordError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from croupier.games.history import Act, Event, History

UNFINISHED = 1
LONGEST_LINE = 500
FORMS = {
    "bet": "bet SEAT SPOT CENTS [by PLAYER]",
    "take-back": "take-back SEAT SPOT",
    "rotation": "rotation dice 2 5 1, or rotation number 4",
    "deal": "deal CARDS, as deal Qh 6c 4d",
    "decide": "decide SEAT WORDS, as decide 1 play",
    "insure": "insure SEAT [CENTS]",
    "even-money": "even-money SEAT",
    "no-insurance": "no-insurance [SEAT]",
    "peek": "peek no, or peek yes",
    "bust-bet": "bust-bet SEAT CENTS",
    "no-bust-bet": "no-bust-bet [SEAT]",
    **{name: f"{name} SEAT [HAND]" for name in ("hit", "stand", "double", "split", "surrender")},
    "void": "void REASON",
}
"""How acts are typed; one that is not here stands alone."""


@app.command()
def enter(
    context: typer.Context,
    game: Annotated[str, typer.Argument(help="The game, as blackjack; with --resume it may be left out.")] = "",
    *,
    rules: Annotated[
        str, typer.Option(help="Blackjack: the table's rules; what is left out is as in '6D S17 DAS SP4 3:2'.")
    ] = "",
    side_wager: Annotated[list[str] | None, typer.Option(help="Blackjack: a side wager; repeatable.")] = None,
    minimum: Annotated[str, typer.Option(help="The least wager.")] = "5",
    maximum: Annotated[str, typer.Option(help="The largest wager.")] = "100",
    chip: Annotated[str, typer.Option(help="The smallest chip.")] = "0.01",
    rounding: Annotated[str, typer.Option(help="In whose favour: house, nearest or player.")] = "house",
    paytable: Annotated[list[str] | None, typer.Option(help="WAGER=ID or WAGER=FILE; repeatable.")] = None,
    option: Annotated[list[str] | None, typer.Option(help="A house option of the game; repeatable.")] = None,
    without: Annotated[list[str] | None, typer.Option(help="An optional wager left out; repeatable.")] = None,
    record: Annotated[Path | None, typer.Option(help="Keep the round here, act by act.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with the round in this file.")] = None,
) -> None:
    """Settle a round that is dealt with real cards: type each act, or pipe them in."""
    from croupier.cli.choices import without_shoe
    from croupier.cli.options import house_from
    from croupier.cli.play import HOUSE, refuse_beside_resume
    from croupier.cli.session import check_files
    from croupier.games.catalogue import ALL_GAMES, find_any_game

    check_files(record=None if record == resume else record, reveal=None)
    if resume:
        refuse_beside_resume(context, *HOUSE)
        round_ = _resumed(resume)
        if game and find_any_game(game).key != round_.offering.game.key:
            raise NotationError(f"The round in {str(resume)!r} is of {round_.offering.game.title}, not {game!r}.")
    elif game:
        house = house_from(
            game,
            rules=rules,
            side_wagers=side_wager or (),
            paytables=paytable or (),
            minimum=minimum,
            maximum=maximum,
            chip=chip,
            rounding=rounding,
            options=option or (),
            without=without or (),
        )
        round_ = without_shoe(house)
    else:
        raise NotationError(f"Name the game that is dealt: {', '.join(ALL_GAMES)}.")
    code = Entry(round_, record or resume).run(asked=sys.stdin.isatty())
    raise typer.Exit(code)


def _resumed(path: Path) -> History:
    """The unfinished round in a file, if it is one beside real cards."""
    from croupier.cli.files import read_text
    from croupier.games.record import read_any_record

    round_ = read_any_record(read_text(path, "round"))
    if round_.is_over:
        raise RecordError(f"The round in {str(path)!r} is {round_.phase.value}: there is nothing to enter.")
    if round_.opening_shoe:
        raise RecordError(f"The round in {str(path)!r} is dealt from a shoe: go on with 'croupier play --resume'.")
    return round_


class Entry:
    """A round, and the acts that are entered into it."""

    def __init__(self, round_: History, record: Path | None) -> None:
        from croupier.cli.console import console

        self.round = round_
        self.record = record
        self.console = console()

    def run(self, *, asked: bool) -> int:
        """Enter acts until the round is over, the lines end or a piped one is refused; the exit code."""
        resumed = f" after {len(self.round.acts)} acts" if self.round.acts else ""
        self._say(f"{self._title()}{resumed}: {what_is_next(self.round)}.{' Type ? for the acts.' if asked else ''}")
        for number, line in enumerate(self._lines(asked=asked), start=1):
            words = line.partition("#")[0].strip()
            if words in ("q", "quit", "exit"):
                break
            if not words:
                continue
            if words in ("?", "help"):
                self._help()
                continue
            try:
                self._do(words)
            except CroupierError as error:
                if not asked:
                    print(f"croupier: line {number}: {error}", file=sys.stderr)
                    return BAD_INPUT
                self._say(str(error), "yellow")
            if self.round.is_over and asked:
                break
        if not self.round.is_over:
            self._say(f"The round is not over: {what_is_next(self.round)}.{self._how_to_resume()}", "yellow")
            return UNFINISHED
        self._totals()
        return 0

    def _title(self) -> str:
        offering = self.round.offering
        rules = getattr(offering, "rules", None)
        return f"{offering.game.title}{f', {rules}' if rules else ''}"

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

    def _do(self, words: str) -> None:
        """Do the act and tell what it caused; one that is refused changes nothing."""
        from croupier.cli.files import write_text
        from croupier.games.record import write_record

        if len(words) > LONGEST_LINE:
            raise NotationError("That is too long for an act.")
        after = self.round.do(self._parse(words))
        before, self.round = self.round, after
        if self.record:
            write_text(self.record, write_record(after), secret=True)
        for event in after.events[len(before.events) :]:
            self._say(_told(event))
        if not after.is_over:
            self._say(f"  Next: {what_is_next(after)}.", "dim")

    def _parse(self, words: str) -> Act[Any]:
        from croupier.games.acts import parse_act
        from croupier.games.blackjack.acts import parse_act as parse_blackjack_act
        from croupier.games.blackjack.round import BlackjackRound

        return parse_blackjack_act(words) if isinstance(self.round, BlackjackRound) else parse_act(words)

    def _acts(self) -> Mapping[str, type[Act[Any]]]:
        from croupier.games.acts import ACTS
        from croupier.games.blackjack.acts import ACTS as BLACKJACK_ACTS
        from croupier.games.blackjack.round import BlackjackRound

        return BLACKJACK_ACTS if isinstance(self.round, BlackjackRound) else ACTS

    def _help(self) -> None:
        from croupier.cli.console import plain, table
        from croupier.games.betting import open_spots

        listing = table("Acts", "write", "what happens", left=2)
        for name, act in self._acts().items():
            what = " ".join((act.__doc__ or "").split("\n\n")[0].split())
            listing.add_row(*plain(FORMS.get(name, name), what))
        self.console.print(listing)
        self._say(f"Spots before the deal: {', '.join(open_spots(self.round))}. Amounts are in cents.")
        self._say(f"The table waits: {what_is_next(self.round)}. q leaves.")

    def _totals(self) -> None:
        """Every wager's end, then what each seat and the house has of it."""
        from croupier.cli.console import plain, table
        from croupier.cli.drawing import signed
        from croupier.games.money import dollars

        round_, spots = self.round, self.round.offering.game.spots
        listing = table("Settlements", "seat", "wager", "result", "staked", "returned", "player", left=3)
        for each in round_.settlements:
            money = (dollars(each.staked_cents), dollars(each.returned_cents), signed(each.net_cents))
            listing.add_row(*plain(str(each.seat), spots[each.spot][1].title, each.line, *money))
        self.console.print(listing)
        for seat in sorted({each.seat for each in round_.settlements}):
            self._say(f"Seat {seat}: {signed(round_.result_cents(seat))}.")
        staked, returned = dollars(round_.staked_cents), dollars(round_.returned_cents)
        self._say(f"Staked {staked}, returned {returned}: the house has {signed(round_.kept_cents)}.", "bold")

    def _how_to_resume(self) -> str:
        return f" Go on with: croupier enter --resume {shlex.quote(str(self.record))}" if self.record else ""

    def _say(self, text: str, style: str = "") -> None:
        from rich.text import Text

        self.console.print(Text(text, style), soft_wrap=True)


def what_is_next(round_: History) -> str:
    """What the table waits for; in a deal of packets also whose is the next."""
    from croupier.games.history import position_name
    from croupier.games.round import Round

    if isinstance(round_, Round) and round_.next_position is not None:
        unseen = round_.next_position and round_.next_position not in round_.seats
        may = ", or 'deal' alone, for nobody sits there" if unseen else ""
        cards = round_.game.packet_cards
        return f"the next {cards} cards go to {position_name(round_.next_position)}{may}"
    return round_.what_is_next


def _told(event: Event) -> str:
    """An event's text, with the cards where they are not in it."""
    from croupier.cards.card import format_cards

    cards = format_cards(event.cards)
    return event.text if cards in event.text else f"{event.text.rstrip('.')}: {cards}."
