"""What a player sees of a table: its sign, the cards as they come, every wager's end, the money."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from rich.columns import Columns
from rich.console import Console
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from croupier.cards.card import format_cards
from croupier.cards.shoe import Shoe
from croupier.cli.table.drawing import draw_hand, result_style, signed, view_of, wager_line, with_symbols
from croupier.games.game import TableGame
from croupier.games.head_to_head.round import Phase, Round
from croupier.games.money import dollars
from croupier.games.paytable import Kind, Pay
from croupier.games.rulebook import page
from croupier.games.table.history import BETTING, History, position_name
from croupier.games.table.legal import on_table_cents
from croupier.games.table.offering import TableOffering
from croupier.games.table.settlement import Settlement, sentence
from croupier.games.wager import Wager

MOST_LARGE_SEATS = 2
AWARD = "bold magenta"
SECTION = re.compile(r"^## (\d+)\. (.+)$", re.MULTILINE)

KEYS = """\
At a wager     an amount such as 5 or 7.50; 0 for none; Enter as it is shown;
               b takes this seat's wagers back and asks again
At a decision  one of the keys shown, or words
At any time    ?       this help           ? 5     section 5 of the rules
               ? pays  the paytables       ? shoe  the last shoe, revealed
               q       leave the table"""


class Screen:
    """Prints to a console; nothing here decides anything."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.view = view_of(console)

    def say(self, text: str | Text = "", style: str = "") -> None:
        """One paragraph, wrapped to the console; cards in it are shown with their symbols."""
        self.console.print(with_symbols(self.view, text, style) if isinstance(text, str) else text)

    def verbatim(self, text: str) -> None:
        """Text to be copied: it is never wrapped."""
        self.console.print(Text(text), soft_wrap=True)

    def sign(self, offering: TableOffering) -> None:
        """What hangs on the table: the pays, the limits, the options."""
        self.say()
        self.say(offering.game.title.upper(), "bold")
        self.say()
        self.console.print(Columns(self.pays(offering), padding=(1, 4)))
        self.say()
        for row, words in footnotes(offering).items():
            self.say(f"{row}: {words}.")
        self.terms(offering)
        self.say(f"Smallest chip {_chips(offering)}.")
        for option in sorted(offering.options):
            self.say(f"House option {option}: {offering.game.options[option]}.")
        self.say("Type ? for help and the rules, q to leave.")

    def pays(self, offering: TableOffering) -> list[Table]:
        """What every offered wager pays; losing lines are left out."""
        offered = [wager for wager in offering.game.wagers if wager.key not in offering.left_out]
        return [sign for wager in offered for sign in pays_tables(offering, wager)]

    def terms(self, offering: TableOffering) -> None:
        """The other words on the sign."""
        self.say(f"A hand that is none of these loses. {limits_text(offering)}")

    def opening(self, number: int, round_: History, *, in_hand_cents: int, result_cents: int) -> None:
        """A new round, and the seal on its shoe before the first card."""
        self.say()
        self.say(f"Round {number}. You have {dollars(in_hand_cents)}; session {signed(result_cents)}.", "bold")
        if round_.shoe:
            self.verbatim(f"Shoe sealed {round_.shoe.commitment}")

    def packets(self, round_: Round) -> None:
        """In which order the packets go out, where the game draws it."""
        if round_.game.rotation:
            names = [position_name(position) for position in round_.dealing_order]
            self.say(f"Packets go to {', '.join(names[:-1])} and {names[-1]}; those of empty seats are discarded.")

    def cards(self, round_: Round) -> None:
        """Everybody's cards: the dealer's face down until they are turned over."""
        view = self.view if len(round_.seats) <= MOST_LARGE_SEATS else self.view.small()
        face_down = round_.phase in (Phase.DEALING, Phase.DECIDING, Phase.REVEALING)
        game = round_.game
        if round_.dealer:
            notes = [] if face_down else [game.describe_dealer(round_.dealer)]
            self.say(draw_hand(view, "Dealer", [None] * len(round_.dealer) if face_down else round_.dealer, notes))
        for number, seat in round_.seats.items():
            if seat.hand:
                notes = [self.words(round_, number), wager_line(self.wagers(round_, number))]
                self.say(draw_hand(view, f"Seat {number}", seat.hand, notes))

    def dealer(self, round_: Round) -> None:
        """The dealer's cards, turned over."""
        view = self.view if len(round_.seats) <= MOST_LARGE_SEATS else self.view.small()
        self.say(draw_hand(view, "Dealer", round_.dealer, [round_.game.describe_dealer(round_.dealer)]))

    def asked(self, round_: Round, number: int) -> None:
        """Whose turn it is, where there are several seats to keep apart."""
        if len(round_.seats) > 1:
            cards, words = format_cards(round_.seats[number].hand), self.words(round_, number)
            self.say(f"Seat {number}: {cards}{', ' if words else ''}{words}", "bold")

    def chips(self, round_: History) -> None:
        """What lies at each seat."""
        for number in round_.seats:
            self.say(f"Seat {number}: {wager_line(self.wagers(round_, number))}")

    def words(self, round_: Round, number: int) -> str:
        """A seat's hand in words; nothing where the words would only repeat the cards."""
        seat = round_.seats[number]
        words = round_.game.describe(seat.hand, seat.choice)
        return "" if words == format_cards(seat.hand) else words

    def wagers(self, round_: History, number: int) -> dict[str, int]:
        """A seat's chips by the title of their spot."""
        spots = round_.offering.game.spots
        return {spots[spot][1].title: cents for spot, cents in round_.seats[number].wagers.items()}

    def result(self, round_: Round) -> None:
        """How every wager ended and why, seat by seat in the order the dealer pays and takes."""
        for number in dict.fromkeys(settlement.seat for settlement in round_.settlements):
            words = self.words(round_, number)
            self.line(f"Seat {number}{': ' if words else ''}{words}", round_.result_cents(number), "bold")
            for settlement in round_.settlements:
                if settlement.seat == number:
                    self.line(f"  {self._explained(round_, settlement)}", settlement.net_cents)

    def _explained(self, round_: Round, settlement: Settlement) -> str:
        title = round_.game.spots[settlement.spot][1].title
        return sentence(settlement, title).removeprefix(f"Seat {settlement.seat}, ")

    def line(self, text: str, cents: int, style: str = "", *, also: str = "") -> None:
        """A line with its amount in a column at the right; `also` is won beside the money."""
        amount = Text(f"  {signed(cents)}{also}", AWARD if also else result_style(cents))
        line = Table.grid(expand=True)
        line.add_column(ratio=1)
        line.add_column(justify="right", no_wrap=True)
        line.add_row(with_symbols(self.view, text, style), amount)
        self.console.print(line, width=min(self.console.width, 80))

    def unsealed(self, shoe: Shoe, path: Path | None) -> None:
        """The shoe is open, and how to check that it is the one that was sealed."""
        if path:
            self.say(f"Shoe revealed in {str(path)!r}. To check it against the seal:", "dim")
            self.verbatim(f"  croupier shuffle verify {shlex.quote(str(path))} --commitment {shoe.commitment}")
        else:
            self.say("Shoe revealed: '? shoe' shows it, and --reveal FILE keeps it for checking.", "dim")

    def left_behind(self, round_: History, how_to_resume: str, *, in_hand_cents: int) -> None:
        """A round that was not finished: what becomes of the money on the table."""
        staked = dollars(on_table_cents(round_))
        if round_.phase == BETTING:
            self.say(f"Nothing was dealt, so the wagers of {staked} go back to you.")
        elif how_to_resume:
            self.say(
                f"The round was not finished: {staked} stays on the table, neither won nor lost, and you have "
                f"{dollars(in_hand_cents)} in hand."
            )
        else:
            self.say(
                f"The round was not finished, and it is not kept: what was settled stands, and the {staked} still on "
                "the table goes back to you. --record FILE would keep it."
            )
        if how_to_resume:
            self.say("To go on with it:")
            self.verbatim(f"  {how_to_resume}")

    def end_of_sitting(self, rounds: int, *, start_cents: int, result_cents: int, on_table_cents: int = 0) -> None:
        """The end of the evening; what still lies on the table of a kept round is said apart."""
        played = "1 round" if rounds == 1 else f"{rounds} rounds"
        waits = f" ({dollars(on_table_cents)} of it on the table)" if on_table_cents else ""
        became = f"{dollars(start_cents)} became {dollars(start_cents + result_cents)}{waits}"
        won = f"you {'won' if result_cents > 0 else 'lost'} {dollars(abs(result_cents))}"
        self.say()
        self.say(f"{played} played: {f'{became}, {won}' if result_cents else f'you are even{waits}'}.", "bold")

    def help(self, offering: TableOffering, topic: str = "") -> None:
        """The keys and the sections of the rules, or one section."""
        if topic.startswith("pay"):
            self.sign(offering)
            return
        sections = _sections(offering.game)
        if topic in sections:
            self.console.print(Markdown(sections[topic]), width=min(self.console.width, 100))
            return
        if topic:
            self.say(f"There is no help on {topic!r}: type ? alone, ? pays, ? shoe or ? with a section's number.")
            return
        self.verbatim(KEYS)
        headings = [f"{number} {SECTION.findall(text)[0][1]}" for number, text in sections.items()]
        self.say(f"Rules: {'; '.join(headings)}." if headings else "There is no rulebook page for this game.")


def pays_tables(offering: TableOffering, wager: Wager, rows: Collection[str] | None = None) -> Iterator[Table]:
    """One wager's pays, as the engine prices every outcome, or of these rows; losing lines are left out."""
    for sign in wager.on_sign(offering.paytable(wager.key)):
        table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="bold")
        table.add_column(Text(sign.title))
        for title in sign.spots:
            table.add_column(Text(title if sign.spots[1:] else ""), justify="right")
        for row, pays in sign.rows:
            if rows is None or row in rows:
                table.add_row(Text(row), *(Text(str(pay)) for pay in pays))
        yield table


def footnotes(offering: TableOffering) -> dict[str, str]:
    """What stands below the pays of the offered wagers, by row."""
    offered = [wager for wager in offering.game.wagers if wager.key not in offering.left_out]
    return {row: words for wager in offered for row, words in wager.footnotes(offering.prices[wager.key]).items()}


def _chips(offering: TableOffering) -> str:
    chip, favour = offering.rounding.chip_cents, offering.rounding.in_favour_of.value
    rule = "to the nearest" if favour == "nearest" else f"in the {favour}'s favor"
    return f"{dollars(chip)}; fractions of it are rounded {rule}"


def limits_text(offering: TableOffering) -> str:
    limits = offering.limits
    text = f"Wagers from {dollars(limits.minimum_cents)} to {dollars(limits.maximum_cents)}"
    for spot, own in offering.spot_limits.items():
        title = offering.game.spots[spot][1].title
        text += f"; on {title} from {dollars(own.minimum_cents)} to {dollars(own.maximum_cents)}"
    return f"{text}."


def _sections(game: TableGame) -> dict[str, str]:
    """The sections of the game's rulebook page, by number; none where it has no page."""
    try:
        text = page(game.key)
    except OSError:
        return {}
    starts = [(match[1], match.start()) for match in SECTION.finditer(text)]
    ends = [start for _, start in starts[1:]] + [len(text)]
    return {number: text[start:end].strip() for (number, start), end in zip(starts, ends, strict=True)}


# Shares of a meter in words: a table announces them, and whoever keeps the meter pays.


def awarded(settlements: Iterable[Settlement]) -> list[Settlement]:
    """The wagers that won a share of a meter."""
    return [settlement for settlement in settlements if settlement.pay.kind is Kind.SHARE]


def beside_the_money(settlement: Settlement) -> str:
    """` + 100 % of Mega`: what a result in money leaves out; nothing where no share was won."""
    return f" + {_share(settlement.pay)} of {settlement.pay.meter or 'the meter'}" if awarded([settlement]) else ""


def owed(settlements: Iterable[Settlement]) -> str:
    """`100 % of the Mega meter and 20 % of the Minor meter`; nothing where no share was won."""
    won = Counter(_in_full(settled.pay) for settled in awarded(settlements))
    *others, last = [f"{share}{f' ({times} times)' if times > 1 else ''}" for share, times in won.items()] or [""]
    return f"{', '.join(others)} and {last}" if others else last


def is_owed(settlements: Iterable[Settlement]) -> str:
    """`, and 100 % of the Mega meter is owed`: what follows the money that a seat won or lost."""
    awards = awarded(settlements)
    return f", and {owed(awards)} {'is' if len(awards) == 1 else 'are'} owed" if awards else ""


def _in_full(pay: Pay) -> str:
    return f"{_share(pay)} of {f'the {pay.meter} meter' if pay.meter else 'the meter'}"


def _share(pay: Pay) -> str:
    return str(pay).split("%", maxsplit=1)[0] + " %"
