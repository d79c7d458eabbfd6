"""What people say on the command line about a table, read as the house's offering of a game."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypedDict, TypeVar, Unpack

import typer

from croupier.errors import CroupierError, NotationError, UnknownName
from croupier.files import reason, replaced
from croupier.games.catalogue import find_any_game
from croupier.games.game import TableGame
from croupier.games.money import InFavourOf, Rounding, parse_cents
from croupier.games.paytable import Paytable
from croupier.games.spreadsheet import read_grid
from croupier.games.table.offering import Limits, TableOffering, check_some_wager
from croupier.games.wager import Wager

if TYPE_CHECKING:
    pass

# Reads and writes the files that people name: whole texts of modest size, and never half of one.

LARGEST_BYTES = 64 * 1024
LARGEST_BOOK = 1024 * 1024


def read_text(path: Path, what: str) -> str:
    """The text of a file; `what` says what it should hold, as `paytable`."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_BYTES + 1)
    except FileNotFoundError:
        raise CroupierError(f"There is no file {str(path)!r} to read a {what} from.") from None
    except (OSError, ValueError) as error:
        raise CroupierError(f"The file {str(path)!r} cannot be read: {reason(error)}.") from None
    if len(content) > LARGEST_BYTES:
        raise CroupierError(f"The file {str(path)!r} is larger than {LARGEST_BYTES // 1024} KiB, too large a {what}.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CroupierError(f"The file {str(path)!r} is no text in UTF-8, so no {what} can be read from it.") from None


def write_text(path: Path, text: str, *, secret: bool = False) -> None:
    """Put the text in the file at once: after a power cut it holds the old text or the new, never a part."""
    write_bytes(path, text.encode(), secret=secret)


def write_bytes(path: Path, content: bytes, *, secret: bool = False) -> None:
    """Put the content in the file at once."""
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():
            raise CroupierError(f"{str(path)!r} is no ordinary file, so nothing is written there.")
        with replaced(target, mode=0o600 if secret else 0o644) as file:
            file.write(content)
    except (OSError, ValueError) as error:
        raise CroupierError(f"The file {str(path)!r} cannot be written: {reason(error)}.") from None


Word = TypeVar("Word", bound=StrEnum)


def option(*names_and_help: str) -> Any:
    """An option of a command: its names, then what it says of itself."""
    *names, help_ = names_and_help
    return typer.Option(*names, help=help_)


RANDOM_SEED = ("--random-seed", "--seed")
"""What repeats a shuffle or a simulation: no seed of a meter, which is `--seed-wagers` or `--seed-money`."""

AsJson = Annotated[bool, option("--json", "Print for programs.")]

# What a house sets before a round, at a table in the terminal and beside real cards alike

GameArgument = Annotated[str, typer.Argument(help="The game, as blackjack; with --resume it may be left out.")]
SideWagerOption = Annotated[
    list[str] | None,
    typer.Option(
        help="Blackjack: kings-bounty, bet-the-bust, bet-the-set, royal-match, trilux-bonus, house-money, "
        "blazing-7s-dealer, blazing-7s-player or trilux; in Free Bet Blackjack push-22 too, in Blackjack Switch "
        "super-match; repeatable."
    ),
]
MinimumOption = Annotated[str, typer.Option(help="The minimum wager.")]
MaximumOption = Annotated[str, typer.Option(help="The maximum wager.")]
ChipOption = Annotated[str, typer.Option(help="The smallest chip.")]
RoundingOption = Annotated[str, typer.Option(help="In whose favor: house, nearest or player.")]
PaytablesOption = Annotated[list[str] | None, typer.Option(help="WAGER=ID or WAGER=FILE; repeatable.")]
HouseOption = Annotated[list[str] | None, typer.Option("--option", help="A house option of the game; repeatable.")]
WithoutOption = Annotated[list[str] | None, typer.Option(help="An optional wager left out; repeatable.")]
RecordOption = Annotated[
    Path | None,
    typer.Option(
        help="Keep the present round here, act by act. While the round runs the file holds the order of its virtual "
        "shoe, so it is written for your eyes only (permissions 0600)."
    ),
]
ResumeOption = Annotated[Path | None, typer.Option(help="Go on with the round in this file.")]
HOUSE = ("rules", "decks", "side_wager", "minimum", "maximum", "chip", "rounding", "paytable", "option", "without")
"""These by name: a round that is resumed has them already."""


def refuse_beside_resume(context: typer.Context, *names: str) -> None:
    """A round goes on with the shoe and under the offering it was opened with."""
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            option = name.replace("_", "-")
            raise NotationError(f"--{option} does not go with --resume: the round goes on as it was begun.")


class Terms(TypedDict, total=False):
    """What a house sets for any game: paytables as `WAGER=ID` or `WAGER=FILE`, money in dollars."""

    paytables: Iterable[str]
    minimum: str
    maximum: str
    chip: str
    rounding: str


def house_from(
    name: str,
    *,
    rules: str = "",
    decks: int | None = None,
    side_wagers: Sequence[str] = (),
    options: Sequence[str] = (),
    without: Sequence[str] = (),
    **terms: Unpack[Terms],
) -> TableOffering:
    """Any game as a house offers it; what it does not have is refused."""
    game = find_any_game(name).under(rules, decks)
    paytables, limits, rounding = _terms(game, **terms)
    return game.offer(
        paytables,
        limits=limits,
        rounding=rounding,
        options=options,
        without=without,
        side_wagers=[key.strip().lower().replace(" ", "-") for key in side_wagers],
    )


def _terms(
    game: TableGame,
    *,
    paytables: Iterable[str] = (),
    minimum: str = "5",
    maximum: str = "100",
    chip: str = "0.01",
    rounding: str = "house",
) -> tuple[dict[str, Paytable], Limits, Rounding]:
    limits = Limits(parse_cents(minimum), parse_cents(maximum))
    rounds = Rounding(parse_cents(chip), read_word("rounding", rounding, InFavourOf))
    check_some_wager(limits, rounds)
    return read_paytables(game, paytables), limits, rounds


def read_paytables(game: TableGame, texts: Iterable[str]) -> dict[str, Paytable]:
    """Paytables by wager, from texts such as `pair-plus=3` or `pair-plus=pays.txt`; one for each wager."""
    chosen: dict[str, Paytable] = {}
    for text in texts:
        key, equals, table = (part.strip() for part in text.partition("="))
        if not (key and equals and table):
            raise NotationError(f"{text!r} names no paytable: write WAGER=ID or WAGER=FILE, as in '{_example(game)}'.")
        wager = game.wager(key)
        if key in chosen:
            raise NotationError(f"The paytable of {wager.title} is given twice; one is posted.")
        chosen[key] = read_paytable(wager, table)
    return chosen


def read_paytable(wager: Wager, text: str) -> Paytable:
    """One of the wager's approved paytables by its ID, or else the one written in a file."""
    if text in wager.paytables:
        return wager.paytables[text]
    path = Path(text)
    if not path.suffix and path.name == text and not path.is_file():
        raise UnknownName(f"file and no paytable of {wager.title}", text, wager.paytables)
    paytable = _from_sheet(path) if _is_sheet(path) else Paytable.parse(path.name, read_text(path, "paytable"))
    wager.prices(paytable)
    return paytable


SHEETS = (".csv", ".tsv", ".xlsx")


def _is_sheet(path: Path) -> bool:
    return path.name.partition("#")[0].lower().endswith(SHEETS)


def _from_sheet(path: Path) -> Paytable:
    """`pays.csv`, or `pays.xlsx#Table 2` where several columns hold pays."""
    name, _, column = path.name.partition("#")
    file = path.with_name(name)
    if file.suffix.lower() != ".xlsx":
        text = read_text(file, "paytable")
        first = text.partition("\n")[0]
        delimiter = max(",;\t", key=first.count) if any(separator in first for separator in ",;\t") else ","
        return read_grid(name, list(csv.reader(text.splitlines(), delimiter=delimiter)), column)
    return read_grid(name, _workbook(file), column)


def _workbook(file: Path) -> list[list[str]]:
    """The first sheet of a workbook that holds anything, as text."""
    from zipfile import BadZipFile

    from openpyxl import load_workbook  # type: ignore[import-untyped]
    from openpyxl.utils.exceptions import InvalidFileException  # type: ignore[import-untyped]

    if not file.is_file():
        raise CroupierError(f"There is no file {str(file)!r} to read a paytable from.")
    if file.stat().st_size > LARGEST_BOOK:
        raise CroupierError(f"The file {str(file)!r} is larger than {LARGEST_BOOK // 1024} KiB, too large a paytable.")
    try:
        book = load_workbook(file, read_only=True, data_only=True)
        sheets = ([[_cell(cell) for cell in row] for row in sheet.iter_rows(values_only=True)] for sheet in book)
        return next((rows for rows in sheets if any(any(row) for row in rows)), [])
    except (BadZipFile, InvalidFileException, KeyError, ValueError, OSError):
        raise CroupierError(f"The file {str(file)!r} is no workbook that can be read.") from None


def _cell(value: object) -> str:
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


DECK_CARDS = 52
COUNT = re.compile(r"[0-9][0-9_,]*(\.[0-9]+)?([eE]\+?[0-9]{1,3})?", re.ASCII)
MOST_DIGITS = 30
MOST_SAID = 20
"""Characters of what was typed that a sentence repeats."""


def read_count(what: str, text: str) -> int:
    """A whole number, also as 1e9 or 1,000,000; `what` says what it is, as `a number of rounds`."""
    word = text.strip().replace(",", "").replace("_", "")
    if COUNT.fullmatch(text.strip()):
        value = Decimal(word)
        if value == value.to_integral_value() and value <= 10**MOST_DIGITS:
            return int(value)
    shown_text = text if len(text) <= MOST_SAID else f"{text[:MOST_SAID]}..."
    raise NotationError(f"{shown_text!r} is not {what}: write a whole number, as 1000000 or 1e6.")


def read_penetration(text: str, cards: int) -> Fraction:
    """`75%`, `75`, or `260 cards` of so many."""
    match = re.fullmatch(r"\s*(\d{1,3}(?:\.\d{1,4})?)\s*(%|cards)?\s*", text, re.ASCII)
    if match is None:
        raise NotationError(f"{text!r} is no penetration: write 75%, or '260 cards'.")
    return Fraction(match[1]) / (cards if match[2] == "cards" else 100)


def read_word(kind: str, text: str, words: type[Word]) -> Word:
    """One of a few words, as `nearest` for the rounding."""
    try:
        return words(text.strip().lower())
    except ValueError:
        raise UnknownName(kind, text, [word.value for word in words]) from None


def _example(game: TableGame) -> str:
    wager = game.wagers[-1]
    return f"{wager.key}={next(iter(wager.paytables))}"


# The options about blackjack that several commands take. Their help is written out: a command about another game loads
# nothing of blackjack.

RulesOption = Annotated[
    str,
    option(
        "--rules",
        "Blackjack: the table's rules; what is left out is as a title has it, and in Blackjack itself "
        "is as in '6D S17 DAS SP4 3:2'.",
    ),
]
DecksOption = Annotated[int | None, option("--decks", "Blackjack: how many decks, where --rules does not say it.")]
RemoveOption = Annotated[
    str,
    option(
        "--remove",
        "Cards that are gone: of a shoe of blackjack as 'T T 5 A', of another game as '9c Kd' (a bottom card, a "
        "partner's hand).",
    ),
]
KnownOption = Annotated[
    str,
    option(
        "--known",
        "Cards of the dealer's that were seen, as 'Kd'; in blackjack the hole card, as 6; where no dealer plays, the "
        "common cards that are turned next.",
    ),
]
HoleOption = Annotated[str, option("--known", "The dealer's hole card, where it was seen, as 6 or Kd.")]
ConventionOption = Annotated[
    str,
    option(
        "--convention",
        "Blackjack: how hands after a split are played. "
        "CDZ-: as the same cards unsplit. "
        "CDP1: all as is best in the first hand of the first split. "
        "BEST: the best fixed strategy after a split, which looks at the hand alone. "
        "CDP: the best play that also looks at how many cards of the pair have come. "
        "CDPN: the best play that also looks at the cards of the pair and at how many hands are closed.",
    ),
]
MeterOption = Annotated[
    list[str] | None,
    option("--meter", "Progressives: what a meter stands at, in wagers: 5000, or Mega=5000 (repeatable)."),
]
SeedOption = Annotated[
    list[str] | None,
    option("--seed-wagers", "--seed-amount", "Progressives: a meter's seed in wagers: 2000, Mega=2000 (repeatable)."),
]
ContributionOption = Annotated[
    str | None, option("--contribution", "Progressives: of each wager to the meters, in percent: 24% or 24.")
]
PlayersOption = Annotated[int | None, option("--players", "Bet the Bust: count the push with so many players, 1 to 7.")]
WithBetOption = Annotated[bool, option("--with-bet", "Side wagers: correlation with the base game.")]
FindHoldOption = Annotated[
    str | None,
    option(
        "--find-hold",
        "Progressives: contributions and seeds whose hold is printed so: 24.78%. Of these only what "
        "--contribution and --seed-amount say, where they are given.",
    ),
]
ChartOption = Annotated[
    str | None,
    option("--chart", "Blackjack: a file with a chart of your own, as `croupier strategy` prints it."),
]
