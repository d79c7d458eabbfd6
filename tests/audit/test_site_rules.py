"""Keypads and accepted times in forged books of a site: both verifiers find the row, and the second names the rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from croupier.audit.verify import verify
from croupier.compliance.authority import CardHash
from croupier.floor.people import DeviceKind
from croupier.floor.site.acts import AcceptTime, EnrolDevice, RevokeDevice
from croupier.floor.site.notes import OfTwo, SiteAct
from croupier.floor.site.site import Site
from croupier.ledger.entry import Entry
from support.room import agreed
from tests.audit.books import house_site, ledger_file, raw, resealed
from tests.audit.test_verifier import verifier

AT = "2026-11-15T20:00:00.000000Z"
Change = Callable[[dict[str, Any]], None]


def keypad(name: str, table: int, token: str, second: str) -> EnrolDevice:
    told: dict[str, Any] = {"device": name, "device_kind": DeviceKind.KEYPAD, "name": name, "table": table}
    return EnrolDevice(id=f"enrol {name}", by="max", second=second, token=CardHash(token * 32), **told)


ACTS: tuple[SiteAct, ...] = (
    keypad("pad-1", 1, "a1", second="mia"),
    keypad("pad-2", 2, "a2", second="mia"),
    RevokeDevice(id="gone", by="max", device="pad-1", reason="It fell."),
    keypad("pad-3", 1, "a3", second="eve"),
    AcceptTime(id="time", by="max", second="mia", time="2026-11-15T20:04:00Z"),
)


def book_of(acts: Sequence[SiteAct], *agreeing: str) -> list[Entry]:
    entries = house_site(*agreeing)
    site = Site.of_entries(entries)
    for act in acts:
        signs = bool(agreeing) and isinstance(act, OfTwo)
        entries.append(site.handle(agreed(act, AT) if signs else act, AT))  # type: ignore[type-var]
        site.apply(entries[-1])
    return entries


BOOK = book_of(ACTS)
FIRST, SECOND, REVOKED, AGAIN, ACCEPTED = (len(BOOK) - len(ACTS) + place for place in range(1, len(ACTS) + 1))


def said_of(path: Path, entries: Sequence[Entry]) -> tuple[int, str]:
    """The row and the sentence of the second program; ours finds the same row."""
    ledger_file(path / "x.jsonl", {"site": raw(entries)})
    row, sentence = 0, ""
    try:
        verifier.verify(path / "x.jsonl")
    except verifier.Wrong as wrong:
        row, sentence = wrong.row, str(wrong)
    assert (verify(path / "x.jsonl").wrong_row or 0) == row
    return row, sentence


def facts(**said: Any) -> Change:
    return lambda values: values["facts"].update(said)


def without(name: str) -> Change:
    return lambda values: values["facts"].pop(name)


FORGED: dict[str, tuple[int, Change, int, str]] = {
    "a keypad by one person, after two had to": (SECOND, without("second"), SECOND, "keypad is enrolled by two people"),
    "a keypad by one person twice": (AGAIN, facts(second="max"), AGAIN, "'max' is not a second"),
    "a keypad agreed to by a dealer": (AGAIN, facts(second="ann"), AGAIN, "'ann' is dealer"),
    "a keypad agreed to by nobody": (AGAIN, facts(second="zoe"), AGAIN, "'zoe' is not a second"),
    "a keypad by a supervisor": (AGAIN, facts(by="sue"), AGAIN, "'sue' is supervisor"),
    "a second active keypad of a table": (SECOND, facts(table=1), SECOND, "Table 1 has a keypad already"),
    "the same, whose first was not revoked": (REVOKED, facts(device="pad-2"), AGAIN, "Table 1 has a keypad already"),
    "a device that was enrolled before": (AGAIN, facts(device="pad-1"), AGAIN, "'pad-1' is enrolled already"),
    "a time of six minutes later": (
        ACCEPTED,
        facts(time="2026-11-15T20:06:00Z"),
        ACCEPTED,
        "The time that they accept",
    ),
    "a time of six minutes before": (
        ACCEPTED,
        facts(time="2026-11-15T19:54:00Z"),
        ACCEPTED,
        "The time that they accept",
    ),
    "a time of last year": (ACCEPTED, facts(time="2025-11-15T20:00:00Z"), ACCEPTED, "The time that they accept"),
    "no time": (ACCEPTED, facts(time="now"), ACCEPTED, "cannot be read"),
    "a time by one person": (ACCEPTED, without("second"), ACCEPTED, "takes two people"),
    "a time by one person twice": (ACCEPTED, facts(second="max"), ACCEPTED, "'max' is not a second"),
    "a time by a dealer": (ACCEPTED, facts(by="ann"), ACCEPTED, "'ann' is dealer"),
    "a time agreed to by a supervisor": (ACCEPTED, facts(second="sue"), ACCEPTED, "'sue' is supervisor"),
}


def test_the_honest_book_is_right(tmp_path: Path) -> None:
    assert said_of(tmp_path, BOOK) == (0, "")


@pytest.mark.parametrize("forgery", FORGED)
def test_a_forged_row_of_the_site_is_found_and_named(tmp_path: Path, forgery: str) -> None:
    place, change, found_at, named = FORGED[forgery]
    row, sentence = said_of(tmp_path, resealed(BOOK, place, change))
    assert row == found_at
    assert named in sentence


def test_keypads_of_old_books_are_by_one_person_until_two_enrol_one(tmp_path: Path) -> None:
    for place in (FIRST, SECOND):
        old = BOOK
        for earlier in range(FIRST, place + 1):
            old = resealed(old, earlier, without("second"))
        assert said_of(tmp_path, old) == (0, "")


@pytest.mark.parametrize(
    ("place", "change"), [(SECOND, facts(table=5)), (ACCEPTED, facts(time="2026-11-15T20:03:00Z"))]
)
def test_where_second_persons_sign_another_table_or_time_is_not_what_they_signed(
    tmp_path: Path, place: int, change: Change
) -> None:
    book = book_of(ACTS, "max", "mia", "eve")
    assert said_of(tmp_path, book) == (0, "")
    place += len(book) - len(BOOK)
    row, sentence = said_of(tmp_path, resealed(book, place, change))
    assert row == place
    assert "agree" in sentence
