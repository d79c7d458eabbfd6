"""What a value of an act of the site may be by itself: names, numbers, days, digests; a wrong one is refused."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from croupier.compliance.table import OnFile
from croupier.floor.act import LONGEST_ID
from croupier.floor.refusals import No, refusal
from croupier.ledger.clock import EARLIEST, LATEST, as_written

MOST_BANK_CENTS = 10**12
"""The bank holds the prizes of all links, so it is bounded by more than one link's money is."""
LONGEST_NOTE = 500
DIGEST_DIGITS = 64
KEY_DIGITS = 64
EARLIEST_PAPER = date(1970, 1, 1)
MOST_PIECES = 50


def check_word(name: str, text: str) -> None:
    if not 1 <= len(text) <= LONGEST_ID or not text.isprintable() or text != text.strip():
        raise refusal(No.WRONG_FORM, why=f"{name} is 1 to {LONGEST_ID} printable characters, not {text[:LONGEST_ID]!r}")


def check_number(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise refusal(No.WRONG_FORM, why=f"{name} is {low:,} to {high:,}, not {value:,}")


def check_hex(what: str, text: str, digits: int) -> None:
    if len(text) != digits or not set(text) <= set("0123456789abcdef"):
        raise refusal(No.WRONG_FORM, why=f"{what} is {digits} hexadecimal digits, not {text[:70]!r}")


def check_ends(books: Mapping[str, Any]) -> None:
    for name, entries in books.items():
        if type(entries) is not int or entries < 0:
            raise refusal(No.WRONG_FORM, why=f"books of {name} is a number of entries, not {entries!r}")


def check_day(text: str) -> None:
    try:
        day = date.fromisoformat(text)
        fine = EARLIEST <= day <= LATEST and str(day) == text
    except ValueError:
        fine = False
    if not fine:
        raise refusal(No.WRONG_FORM, why=f"a gaming day is written as 2026-11-15, not {text[:20]!r}")


def check_date(name: str, text: str) -> date:
    """A day on a paper."""
    try:
        day = date.fromisoformat(text)
        fine = EARLIEST_PAPER <= day <= LATEST and str(day) == text
    except ValueError:
        fine = False
    if not fine:
        raise refusal(No.WRONG_FORM, why=f"{name} is a day, written as 2026-11-15, not {text[:20]!r}")
    return day


def check_on_file(on_file: OnFile) -> None:
    """What a table is set to from the register, as far as it is wrong by itself."""
    check_word("approval", on_file.approval)
    check_note(on_file.rules)
    for posted in on_file.paytables:
        check_word("wager of a paytable", posted.wager)
        for line in (posted.paytable, *posted.own):
            check_note(line)
    if max(len(on_file.paytables), len(on_file.equipment)) > MOST_PIECES:
        raise refusal(No.WRONG_FORM, why=f"a table has at most {MOST_PIECES} paytables and pieces of equipment")
    for piece in on_file.equipment:
        check_word("model of equipment", piece.model)
        check_word(f"maker of {piece.model}", piece.maker)
        for text in (piece.seller, piece.version, piece.place):
            check_note(text)


def check_moment(name: str, text: str) -> None:
    try:
        fine = as_written(datetime.fromisoformat(text)) == text
    except (ValueError, OverflowError):
        fine = False
    if not fine:
        raise refusal(No.WRONG_FORM, why=f"{name} is written as 2026-11-15T20:30:00.000000Z, not {text[:40]!r}")


def check_note(text: str) -> None:
    if len(text) > LONGEST_NOTE or not text.isprintable():
        raise refusal(No.WRONG_FORM, why=f"a note is one line of at most {LONGEST_NOTE} printable characters")


def check_figures(name: str, figures: Any) -> None:
    match figures:
        case {"entries": int(entries), "digest": str(digest), "levels": [*levels]} if (
            entries >= 0 and len(digest) == DIGEST_DIGITS and all(map(_is_level, levels))
        ):
            return
    raise refusal(No.WRONG_FORM, why=f"the figures of the link {name} have entries, digest and levels in units")


def check_funds(name: str, funds: Any) -> None:
    match funds:
        case {"entries": int(entries), "digest": str(digest), "units": int(units)} if (
            entries >= 0 and len(digest) == DIGEST_DIGITS and units >= 0
        ):
            carried = funds.get("carried_units", 0)
            if type(carried) is not int or carried < 0:
                why = f"carried_units of the link {name} is a whole number of units, 0 or more, not {carried!r}"
                raise refusal(No.WRONG_FORM, why=why)
            return
    raise refusal(No.WRONG_FORM, why=f"the funds of the link {name} have entries, digest and units")


def _is_level(values: Any) -> bool:
    needed = {"level", "opening_units", "closing_units", "difference_units"}
    return (
        isinstance(values, Mapping)
        and values.keys() >= needed
        and all(type(value) is (str if name == "level" else int) for name, value in values.items())
    )


@cache
def _zones() -> frozenset[str]:
    """Looked up once for a process: each time it opens every file of the system's time zones."""
    return frozenset(available_timezones())


def check_clock(zone: str, day_begins: int) -> None:
    if zone not in _zones():
        raise refusal(No.WRONG_FORM, why=f"a time zone is as America/Los_Angeles or UTC, not {zone[:LONGEST_ID]!r}")
    check_number("day_begins", day_begins, 0, 23)


def check_totals(name: str, totals: Mapping[str, Any]) -> None:
    for link, units in totals.items():
        if type(units) is not int or not (-(2**63) if name == "paid" else 0) <= units < 2**63:
            raise refusal(No.WRONG_FORM, why=f"{name} of {link} is a whole number of units, not {units!r}")
