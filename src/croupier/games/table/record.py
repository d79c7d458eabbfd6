"""A round as a text that a person can read and a machine can resume from, at any step.

    croupier round 2
    game triple-shot-rummy
    digest 20830f48...        rules and paytables on offer: a record is not replayed under other rules
    house limits 500 10000    one line for each setting of the house (blackjack: also `house rules 6D S17 ...`)
    shoe ...                  the shoe before the first card, one line for each line of its own record
    act bet 1 ante 500        one line for each act, in order
    result 1 ante 500 1000    what each wager staked and returned, once the round is over; the free chips that lay
                              beside the stake, as in `result 1 bet 500 1500 free 500`; and the share of a meter that
                              it won, as in `result 1 trilux 500 0 award 100%`
    check 77d1...             SHA-256 of all lines before it

Reading a record does every act again, by the same rules, and compares the result. The check finds damage; it is no
signature, since whoever alters a record can write a new one: who wrote it is for the archive that keeps it to prove.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeVar

from croupier.cards.shoe import Shoe
from croupier.errors import CroupierError, RecordError
from croupier.games.catalogue import find_any_game
from croupier.games.game import TableGame
from croupier.games.money import InFavourOf, Rounding
from croupier.games.paytable import Kind as PayKind
from croupier.games.paytable import Paytable
from croupier.games.table.history import LATEST_FORM, History
from croupier.games.table.offering import FIRST_WAGERS, Limits, TableOffering

FORMS = {f"croupier round {form}": form for form in (1, LATEST_FORM)}
"""By the line that a record begins with; what was written in the first form is read for ever."""
KEYS = ("game", "digest", "house", "shoe", "act", "result", "check")
Kind = TypeVar("Kind", bound=History)


def write_record(round_: History) -> str:
    """The text of a round so far; secret while the round runs, for it holds the order of the shoe."""
    lines = [f"croupier round {round_.form}", *_lines(round_)]
    return "\n".join([*lines, f"check {_check(lines)}"]) + "\n"


def read_record(text: str, kind: type[Kind]) -> Kind:
    """The round of this kind that wrote the record: `read_record(text, BlackjackRound)`."""
    round_ = read_any_record(text)
    if not isinstance(round_, kind):
        raise RecordError(f"The record is of a round of {round_.offering.game.title}, which is not read here.")
    return round_


def read_any_record(text: str) -> History:
    """The round that wrote this record, whatever its game; a damaged one, or one of other rules, is refused."""
    values = _sealed_values(text)
    offering = _read_offering(values)
    form, [digest] = FORMS[text.partition("\n")[0]], values["digest"]
    present = _digest(offering, form)
    if digest != present:
        raise RecordError(
            f"The round was played under other rules or paytables: their digest is {digest[:16]}, "
            f"the present one {present[:16]}."
        )
    try:
        opened = offering.open(Shoe.parse_record("\n".join(values["shoe"])) if values["shoe"] else None)
        round_ = replace(opened, form=form)
    except CroupierError as error:
        raise RecordError(f"The record's shoe cannot be dealt from: {error}") from error
    for number, act in enumerate(values["act"], start=1):
        try:
            round_ = round_.do(round_.parse(act))
        except CroupierError as error:
            raise RecordError(f"Act {number} of the record cannot be done: {error}") from error
    if values["result"] != list(_results(round_)):
        raise RecordError("The record's results are not what its acts come to.")
    if write_record(round_).splitlines() != text.splitlines():
        raise RecordError("The record is not written as a table writes it, so it was altered.")
    return round_


def _lines(round_: History) -> Iterator[str]:
    yield f"game {round_.offering.game.key}"
    yield f"digest {digest_of_rules(round_)}"
    for setting in _settings(round_.offering):
        yield f"house {setting}"
    if round_.opening_shoe:
        for line in round_.opening_shoe.record().splitlines():
            yield f"shoe {line}"
    for act in round_.acts:
        yield f"act {act}"
    for result in _results(round_):
        yield f"result {result}"


def digest_of_rules(round_: History) -> str:
    """Of what the round is played under, in the form of its record."""
    return _digest(round_.offering, round_.form)


def _digest(offering: TableOffering, form: int) -> str:
    return offering.digest if form == LATEST_FORM else offering.first_digest


def _results(round_: History) -> Iterator[str]:
    for s in round_.settlements:
        # A share of a meter is paid by whoever keeps the meter, so the record says which share is owed.
        award = f" award {s.pay}" if s.pay.kind is PayKind.SHARE else ""
        free = f" free {s.free_cents}" if s.free_cents else ""
        yield f"{s.seat} {s.spot} {s.staked_cents} {s.returned_cents}{free}{award}"


def _settings(offering: TableOffering) -> Iterator[str]:
    if offering.placard:
        yield f"rules {offering.placard}"
    yield f"limits {offering.limits.minimum_cents} {offering.limits.maximum_cents}"
    for spot, limits in offering.spot_limits.items():
        yield f"limits-of {spot} {limits.minimum_cents} {limits.maximum_cents}"
    yield f"rounding {offering.rounding.chip_cents} {offering.rounding.in_favour_of.value}"
    if offering.seats is not None:
        yield f"seats {offering.seats}"
    for option in sorted(offering.options):
        yield f"option {option}"
    later = _later_wagers(offering.game)
    for wager in sorted(offering.left_out - later):
        yield f"left-out {wager}"
    for wager in sorted(later - offering.left_out):
        yield f"side-wager {wager}"
    for wager, table in offering.paytables.items():
        yield f"paytable {wager} {'; '.join(f'{row.label}  {row.pay}' for row in table.rows)}"


def _later_wagers(game: TableGame) -> frozenset[str]:
    """Optional wagers that records tell of only where they are offered: older records do not know them."""
    return game.optional - frozenset(FIRST_WAGERS.get(game.key, ()))


def _sealed_values(text: str) -> dict[str, list[str]]:
    if not text.replace("\n", "").isprintable():
        raise RecordError("The record holds characters that no record has.")
    lines = text.rstrip("\n").split("\n")
    if lines[0] not in FORMS:
        known = " or ".join(map(repr, FORMS))
        raise RecordError(f"Line 1: a record of a round begins with {known}, not {lines[0][:40]!r}.")
    if not lines[-1].startswith("check "):
        raise RecordError("The record is cut off: its last line is not the check.")
    if lines[-1] != f"check {_check(lines[:-1])}":
        raise RecordError("The record was damaged or altered: its check does not fit its lines.")
    values: dict[str, list[str]] = {key: [] for key in KEYS}
    for number, line in enumerate(lines[1:], start=2):
        key, _, value = line.partition(" ")
        if key not in values:
            raise RecordError(f"Line {number}: {line[:40]!r} is none of {', '.join(KEYS)}.")
        values[key].append(value)
    for key in ("game", "digest", "check"):
        if len(values[key]) != 1:
            raise RecordError(f"The record has {len(values[key])} lines of {key!r} and needs one.")
    return values


def _check(lines: list[str]) -> str:
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def _read_offering(values: dict[str, list[str]]) -> TableOffering:
    words, house = "", values["house"]
    if house and house[0].startswith("rules "):
        words, house = house[0].removeprefix("rules "), house[1:]
    try:
        game = find_any_game(values["game"][0])
        if game.placard and not words:
            raise RecordError(f"The record of a round of {game.title.lower()} needs the line 'house rules'.")
        game = game.under(words)
    except RecordError:
        raise
    except CroupierError as error:
        raise RecordError(f"The record's game cannot be played: {error}") from error
    settings = _read_settings(game, house)
    try:
        offering = game.offering_kind(game, **settings)
    except CroupierError as error:
        raise RecordError(f"The record's settings are none that a house has: {error}") from error
    return offering


def _read_settings(game: TableGame, house: list[str]) -> dict[str, Any]:
    limits, rounding, seats = Limits(), Rounding(), None
    spot_limits: dict[str, Limits] = {}
    paytables: dict[str, Paytable] = {}
    options: set[str] = set()
    left_out: set[str] = set(_later_wagers(game))
    for setting in house:
        try:
            match setting.split(" ", 2):
                case ["limits", low, high]:
                    limits = Limits(int(low), int(high))
                case ["limits-of", spot, span]:
                    low, high = span.split()
                    spot_limits[spot] = Limits(int(low), int(high))
                case ["rounding", chip, favour]:
                    rounding = Rounding(int(chip), InFavourOf(favour))
                case ["seats", number]:
                    seats = int(number)
                case ["option", option]:
                    options.add(option)
                case ["left-out", wager]:
                    left_out.add(wager)
                case ["side-wager", wager] if wager in left_out:
                    left_out.remove(wager)
                case ["paytable", wager, rows]:
                    paytables[wager] = Paytable.parse(game.wager(wager).title, rows)
                case _:
                    raise ValueError
        except ValueError:
            raise RecordError(f"The record's setting {setting!r} is none that a house has.") from None
        except CroupierError as error:
            raise RecordError(f"The record's setting {setting!r} cannot be read: {error}") from error
    return {
        "limits": limits,
        "spot_limits": spot_limits,
        "rounding": rounding,
        "seats": seats,
        "options": frozenset(options),
        "left_out": frozenset(left_out),
        "paytables": paytables,
    }
